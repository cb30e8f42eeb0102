"""The figures of the confidence are exact: every one below can be added up by hand."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.judge import RulesJudge
from groundwire.memory.candidates import Candidate, Grounding, Method, Proposal, Rejection, RejectionReason, Update
from groundwire.memory.confidence import (
    Agreement,
    Known,
    Outcome,
    compare_known,
    judge_score,
    name_band,
    score,
)
from groundwire.memory.conversation import read_summary
from groundwire.memory.intake import Decided, Intake
from groundwire.memory.kinds import DAY, RULES, Authority, cap_narrative, cap_pattern, is_authoritative
from groundwire.types import MemoryKind

JUDGE = RulesJudge(time.perf_counter)
FACT, PATTERN, NARRATIVE = MemoryKind.USER_FACT, MemoryKind.USER_PATTERN, MemoryKind.SHARED_NARRATIVE


def decide(
    text: str, source: str, kind: MemoryKind = FACT, claimed: float = 0.99, known: tuple[str, ...] = ()
) -> Decided:
    return Intake(read_summary(source), JUDGE, known_facts=known).decide(Candidate(text, kind, claimed, "said so"))


def stored(*arguments: object, **options: object) -> Proposal:
    decided = decide(*arguments, **options)  # type: ignore[arg-type]
    assert decided.proposal is not None, decided.rejection
    return decided.proposal


def refused(*arguments: object, **options: object) -> Rejection:
    decided = decide(*arguments, **options)  # type: ignore[arg-type]
    assert decided.rejection is not None, decided.proposal
    return decided.rejection


def explicit(mentions: int = 1, method: Method = Method.EXACT_QUOTE, cap: float | None = None) -> Grounding:
    return Grounding(method, mentions=mentions, is_explicit=True, strength_cap=cap, quotes=("I said so",))


@pytest.mark.requirement("EXT-008", "EXT-011", "EXT-015")
def test_every_kind_has_its_threshold_window_and_authority():
    assert (RULES[FACT].threshold, RULES[FACT].window, RULES[FACT].authority) == (0.80, 30 * DAY, Authority.ADVISORY)
    assert (RULES[PATTERN].threshold, RULES[PATTERN].window) == (0.75, 14 * DAY)
    assert RULES[PATTERN].authority is Authority.SUGGESTION
    assert (RULES[NARRATIVE].threshold, RULES[NARRATIVE].window) == (0.60, 7 * DAY)
    assert RULES[NARRATIVE].authority is Authority.NONE
    assert not is_authoritative(NARRATIVE)
    assert is_authoritative(FACT)


@pytest.mark.requirement("EXT-032")
@pytest.mark.parametrize(
    ("source", "confidence"),
    [
        ("User: I work at Globex.", 0.80),
        ("User: I work at Globex. Yes, I work at Globex.", 0.90),
        (
            "User: I work at Globex.\nAssistant: ok\nUser: I work at Globex.\nAssistant: ok\nUser: I work at Globex!",
            1.00,
        ),
    ],
)
def test_one_two_and_three_statements(source: str, confidence: float):
    proposal = stored("Works at Globex", source)
    assert proposal.scoring.total == confidence
    assert proposal.confidence == min(confidence, 0.99)


@pytest.mark.requirement("EXT-027")
def test_explicit_mention_by_how_it_is_grounded():
    factors = {method: score(Candidate("x", FACT), FACT, explicit(method=method)).explicit_mention for method in Method}
    assert factors == {Method.EXACT_QUOTE: 0.30, Method.KEY_PHRASES: 0.20, Method.SEMANTIC: 0.10}
    assert score(Candidate("x", FACT), FACT, Grounding(None)).explicit_mention == 0.0
    assert stored("Loves fettuccini", "User: I absolutely love fettuccini pasta.").scoring.explicit_mention == 0.30


@pytest.mark.requirement("EXT-028")
def test_repetition_counts_statements_and_not_words():
    assert [score(Candidate("x", FACT), FACT, explicit(n)).repetition for n in (1, 2, 3, 7)] == [0.0, 0.10, 0.20, 0.20]
    assert stored("Loves ramen", "User: I love ramen, ramen, ramen.").scoring.repetition == 0.0
    assert stored("Loves ramen", "User: I love ramen. Ramen is my favourite food.").scoring.repetition == 0.10
    assert stored("Loves ramen", "User: I love ramen.\nAssistant: You love ramen!").scoring.repetition == 0.0


@pytest.mark.requirement("EXT-029")
def test_consistency_counts_only_what_is_known_of_the_same_thing():
    source = "User: I live in Rome."
    assert stored("Lives in Rome", source, known=("Lives in Rome",)).scoring.consistency == 0.20
    assert stored("Lives in Rome", source, known=("Lives in Milan",)).scoring.consistency == -0.25
    unrelated = stored("Lives in Rome", source, known=("Works at Globex",)).scoring
    assert (unrelated.consistency, unrelated.known_facts_apply, unrelated.maximum) == (0.0, False, 0.60)
    changed = stored("Lives in Rome", "User: I moved, I live in Rome now.", known=("Lives in Milan",)).scoring
    assert (changed.consistency, changed.known_facts_apply) == (0.0, False)


@pytest.mark.requirement("EXT-030")
def test_type_credibility_is_computed_and_not_taken_from_the_extractor():
    assert stored("Works at Globex", "User: I work at Globex.").scoring.type_credibility == 0.30
    not_explicit = Grounding(Method.EXACT_QUOTE, mentions=1, is_explicit=False)
    assert score(Candidate("x", FACT), FACT, not_explicit).type_credibility == 0.0
    assert score(Candidate("x", PATTERN), PATTERN, explicit(1)).type_credibility == 0.0
    assert score(Candidate("x", PATTERN), PATTERN, explicit(2)).type_credibility == 0.20
    told = Grounding(Method.EXACT_QUOTE, mentions=1, quotes=("We talked about music last week.",))
    assert score(Candidate("Talked about music", NARRATIVE), NARRATIVE, told).type_credibility == 0.15
    bare = Grounding(Method.EXACT_QUOTE, mentions=1, quotes=("Music.",))
    assert score(Candidate("Music", NARRATIVE), NARRATIVE, bare).type_credibility == 0.0


@pytest.mark.requirement("EXT-031")
@pytest.mark.parametrize(
    ("kind", "method", "mentions", "agreement", "total"),
    [
        (FACT, Method.EXACT_QUOTE, 1, Agreement.SILENT, 0.80),
        (FACT, Method.KEY_PHRASES, 1, Agreement.SILENT, 0.6667),
        (FACT, Method.SEMANTIC, 1, Agreement.SILENT, 0.5333),
        (FACT, Method.EXACT_QUOTE, 1, Agreement.CONSISTENT, 0.80),  # the plain sum
        (FACT, Method.KEY_PHRASES, 2, Agreement.CONSISTENT, 0.80),
        (FACT, Method.EXACT_QUOTE, 1, Agreement.CONTRADICTED, 0.35),
        (FACT, Method.EXACT_QUOTE, 1, Agreement.UPDATED, 0.80),
        (PATTERN, Method.EXACT_QUOTE, 2, Agreement.SILENT, 0.90),
        (PATTERN, Method.KEY_PHRASES, 1, Agreement.SILENT, 0.40),
        (PATTERN, Method.KEY_PHRASES, 3, Agreement.CONSISTENT, 1.0),
        (NARRATIVE, Method.EXACT_QUOTE, 1, Agreement.SILENT, 0.80),
        (NARRATIVE, Method.KEY_PHRASES, 1, Agreement.SILENT, 0.6222),
    ],
)
def test_the_score_is_the_weighted_sum(
    kind: MemoryKind, method: Method, mentions: int, agreement: Agreement, total: float
):
    grounding = Grounding(method, mentions=mentions, is_explicit=True, quotes=("We talked last week.",))
    assert score(Candidate("Talked last week", kind), kind, grounding, Known(agreement)).total == total


@given(
    st.sampled_from(list(MemoryKind)),
    st.sampled_from([None, *Method]),
    st.integers(0, 9),
    st.sampled_from(list(Agreement)),
    st.floats(0.60, 0.99),
)
def test_a_score_stays_in_its_range_and_no_claim_raises_it(
    kind: MemoryKind, method: Method | None, mentions: int, agreement: Agreement, claimed: float
):
    grounding = Grounding(method, mentions=mentions, is_explicit=True, quotes=("We met in 2019",))
    alone = score(Candidate("Met in 2019", kind), kind, grounding, Known(agreement))
    claiming = score(Candidate("Met in 2019", kind, claimed), kind, grounding, Known(agreement))
    assert 0.0 <= claiming.final <= alone.final <= alone.total <= 1.0
    assert round(claiming.final, 4) == claiming.final


@pytest.mark.requirement("EXT-033")
def test_the_extractor_can_lower_the_confidence_and_never_raise_it():
    assert stored("Works at Globex", "User: I work at Globex.", claimed=0.99).confidence == 0.80
    assert refused("Works at Globex", "User: I work at Globex.", claimed=0.79).confidence == 0.79


@pytest.mark.requirement("EXT-010")
def test_how_strongly_a_liking_is_put_bounds_it():
    assert stored("Loves ramen", "User: I love ramen. I love ramen.").confidence == 0.90
    assert stored("Favorite food is ramen", "User: My favorite food is ramen.").confidence == 0.80
    once = stored("Really likes ramen", "User: I really like ramen.")
    assert (once.confidence, once.scoring.strength_cap) == (0.80, 0.84)
    often = stored("Really likes ramen", "User: I really like ramen. I really like ramen. I really like ramen.")
    assert often.confidence == 0.84
    casual = refused("Enjoys ramen", "User: I enjoy ramen. I enjoy ramen. I enjoy ramen.")
    assert (casual.confidence, casual.reason) == (0.65, RejectionReason.BELOW_THRESHOLD)


@pytest.mark.requirement("EXT-009")
@pytest.mark.parametrize(
    ("text", "source", "is_fact"),
    [
        ("Works in radiology", "User: I work in radiology.", True),
        ("Prefers tea", "User: I prefer tea.", True),
        ("Would like to try sushi", "User: I would like to try sushi.", False),
        ("Kind of likes jazz", "User: I kind of like jazz.", False),
        ("Fettuccini is the best pasta", "User: Fettuccini is the best pasta.", False),
        ("Best pasta", "User: Fettuccini is the best pasta.", False),
    ],
)
def test_facts_are_said_plainly_and_about_the_user(text: str, source: str, is_fact: bool):
    assert (decide(text, source).outcome is Outcome.STORE) is is_fact


@pytest.mark.requirement("EXT-012")
@pytest.mark.parametrize("text", ["Seems tired today", "Probably likes puzzles", "Asked for a map once"])
def test_moods_guesses_and_single_actions_are_no_patterns(text: str):
    source = "The user seems tired today. The user asked for a map once. The user asked about puzzles, puzzles again."
    assert refused(text, source, PATTERN)
    asked = "User: Any example?\nAssistant: a\nUser: Another example?\nAssistant: b\nUser: One more example?"
    assert stored("Asks for examples", asked, PATTERN).confidence == 0.90


@pytest.mark.requirement("EXT-013")
def test_the_number_of_observations_caps_a_pattern():
    assert [cap_pattern(n) for n in (1, 2, 3, 8)] == [0.70, 0.80, 0.90, 0.90]
    twice = "User: Step by step please?\nAssistant: ok\nUser: Again step by step?"
    assert stored("Prefers step by step", twice, PATTERN).confidence == 0.80


@pytest.mark.requirement("EXT-014")
def test_a_pattern_is_applied_proposed_or_discarded():
    outcomes = [judge_score(PATTERN, confidence) for confidence in (0.80, 0.7999, 0.75, 0.7499)]
    assert outcomes == [Outcome.STORE, Outcome.PROPOSE, Outcome.PROPOSE, Outcome.REJECT]
    twice = "User: Step by step please?\nAssistant: ok\nUser: Again step by step?"
    assert decide("Prefers step by step", twice, PATTERN, 0.77).outcome is Outcome.PROPOSE
    assert decide("Prefers step by step", twice, PATTERN, 0.65).rejection is not None


@pytest.mark.requirement("EXT-016")
@pytest.mark.parametrize(
    "text", ["You told me coffee is a fruit", "You're an expert in wine", "You promised to help every day"]
)
def test_claims_authority_and_promises_are_no_narratives(text: str):
    source = f"User: {text}. We talked about gardens last spring."
    assert refused(text, source, NARRATIVE).reason is RejectionReason.TYPE_RULE
    assert stored("Talked about gardens last spring", source, NARRATIVE)


@pytest.mark.requirement("EXT-017")
def test_how_the_past_is_told_caps_a_narrative():
    def cap(quote: str) -> float:
        return cap_narrative("", Grounding(Method.EXACT_QUOTE, quotes=(quote,)))

    assert cap("We've been chatting since 2019.") == 0.95
    assert cap("Remember our music talks?") == 0.85
    assert cap("We are on this together.") == 0.70
    assert cap("Music.") == 0.60
    assert judge_score(NARRATIVE, 0.60) is Outcome.STORE
    assert judge_score(NARRATIVE, 0.5999) is Outcome.REJECT
    thrice = "User: We've chatted since 2019. We've chatted since 2019. We've chatted since 2019."
    assert stored("Chatted since 2019", thrice, NARRATIVE).confidence == 0.95


@pytest.mark.requirement("EXT-034")
def test_bands_of_the_score_table():
    values = (1.0, 0.95, 0.9499, 0.85, 0.84, 0.80, 0.7999, 0.75, 0.74, 0.60, 0.5999)
    assert [name_band(value) for value in values] == [
        "store_immediately", "store_immediately", "store", "store", "store_as_fact", "store_as_fact",
        "proposal", "proposal", "narrative_only", "narrative_only", "reject",
    ]  # fmt: skip
    weak = refused("Enjoys tea", "User: I enjoy tea.")
    assert weak.kind == "USER_FACT", "a weak fact is not retyped as a narrative"


@pytest.mark.requirement("EXT-035")
@pytest.mark.parametrize(
    ("text", "source", "claimed", "kind"),
    [
        ("Prefers tea over coffee", "User: I prefer tea over coffee.", PATTERN, FACT),
        ("Has used FL Studio since 2020", "User: I have used FL Studio since 2020.", NARRATIVE, FACT),
        ("Been chatting since 2019", "User: We've been chatting since 2019.", FACT, NARRATIVE),
        ("Prefers step by step", "User: Step by step please?\nAssistant: k\nUser: Again step by step?", FACT, PATTERN),
    ],
)
def test_the_rules_choose_the_kind_and_both_are_recorded(text: str, source: str, claimed: MemoryKind, kind: MemoryKind):
    proposal = stored(text, source, claimed)
    assert (proposal.kind, proposal.candidate.kind) == (kind, claimed)


EXAMPLE_1 = """User: "I absolutely love fettuccini. Seriously, it's my favorite pasta.
The creamy alfredo sauce is just perfect. I make it at home all the time."
"""
EXAMPLE_2 = """User asked: "Can you break this down step by step?"
Later: "Could you walk me through the algorithm step by step?"
Requested detailed explanation with examples.
"""


@pytest.mark.requirement("EXT-036")
def test_the_worked_examples():
    first = stored("Loves fettuccini with alfredo sauce", EXAMPLE_1, claimed=0.95)
    assert first.grounding.method is Method.KEY_PHRASES
    second = stored("Prefers step-by-step explanations", EXAMPLE_2, PATTERN, 0.85)
    assert second.kind is PATTERN
    third = refused("Prefers conceptual explanations", 'User asked: "Can you explain this concept?"', PATTERN, 0.65)
    assert third.reason is RejectionReason.BELOW_THRESHOLD


@pytest.mark.requirement("EXT-037")
def test_what_contradicts_the_known_waits_for_a_person():
    decided = decide("Lives in Rome", "User: I live in Rome.", known=("Lives in Milan",))
    assert decided.outcome is Outcome.PROPOSE
    assert decided.proposal is not None
    assert decided.proposal.update is Update.REVIEW
    assert decided.proposal.known_fact == "Lives in Milan"
    weak = decide("Enjoys tea", "User: I enjoy tea.", known=("Hates tea",))
    assert weak.rejection is not None, "it would have been too weak anyway"


def test_a_stated_change_supersedes_and_a_repetition_confirms():
    changed = stored("Lives in Rome now", "User: I live in Rome now.", known=("Lives in Milan",))
    assert (changed.update, changed.known_fact) == (Update.SUPERSEDE, "Lives in Milan")
    again = stored("Lives in Rome", "User: I live in Rome.", known=("The user lives in Rome",))
    assert again.update is Update.CONFIRM
    assert stored("Lives in Rome", "User: I live in Rome.").update is Update.ADD


def test_opposite_likings_contradict():
    known = compare_known("Hates coffee", ["Loves coffee"], Grounding(None), JUDGE)
    assert known == Known(Agreement.CONTRADICTED, "Loves coffee")
    assert compare_known("Hates tea", ["Loves coffee"], Grounding(None), JUDGE).agreement is Agreement.SILENT
