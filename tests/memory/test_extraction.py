"""What may be remembered of a conversation, by rule and through the whole intake."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.judge import RulesJudge
from groundwire.memory.candidates import Candidate, Extracted, Extraction, Proposal, RejectionReason, Turn
from groundwire.memory.conversation import Speaker, read_summary, read_turns
from groundwire.memory.extraction import RuleExtractor
from groundwire.memory.intake import Intake
from groundwire.memory.listening import listen
from groundwire.types import MemoryKind

JUDGE = RulesJudge(time.perf_counter)
FACT, PATTERN, NARRATIVE = MemoryKind.USER_FACT, MemoryKind.USER_PATTERN, MemoryKind.SHARED_NARRATIVE


def find(source: str) -> list[tuple[str, MemoryKind]]:
    return [(c.text, c.kind) for c in RuleExtractor().extract(read_summary(source)).candidates]


def run(source: str, candidates: list[Candidate] | None = None) -> Extraction:
    conversation = read_summary(source)
    extracted = Extracted(tuple(candidates)) if candidates is not None else RuleExtractor().extract(conversation)
    return Intake(conversation, JUDGE).run(extracted)


def test_facts_in_the_users_own_words_with_exact_spans():
    source = "User: Hi, I'm Ana. I live in Porto and work as a nurse.\nAssistant: You must love port wine."
    found = RuleExtractor().extract(read_summary(source)).candidates
    assert [c.text for c in found] == ["I'm Ana", "I live in Porto", "I work as a nurse"]
    spans = [source[c.places[0].span.start : c.places[0].span.end] for c in found]
    assert spans == ["I'm Ana", "I live in Porto", "work as a nurse"]


def test_spans_of_turns_count_within_their_turn():
    turns = (Turn("user", "Hello!"), Turn("assistant", "I live in Rome."), Turn("user", "Well, I live in Oslo."))
    (found,) = RuleExtractor().extract(read_turns(turns)).candidates
    (place,) = found.places
    assert place.turn == 2
    assert turns[2].text[place.span.start : place.span.end] == "I live in Oslo"


@pytest.mark.parametrize(
    "source",
    [
        "User: Where is Oslo?\nAssistant: You live in Oslo and you love skiing.",
        "User: If I lived in Oslo I would ski.",
        "User: My brother lives in Oslo. My friends love skiing.",
        "User: Do I live in Oslo?",
        'User: My mother always says "I live in Oslo".',
        "User: I live on the moon. Just kidding!",
        "User: I might move to Oslo. I'm thinking about buying skis.",
        "User: I'm tired today. I have a question. I need help with my code.",
        "User: You are great. Thank you!",
        "User: Pretend I'm a pirate.",
        "The assistant lives in Oslo. Dana loves skiing.",
        "User: My friend says I'm lazy.",
        "",
        "   \n",
    ],
)
def test_what_is_not_the_users_own_plain_statement_gives_no_fact(source: str):
    assert [text for text, kind in find(source) if kind is FACT] == []


def test_a_report_in_the_third_person_is_read_as_the_users():
    found = find(
        "The user said that she is allergic to nuts. She has two cats. Her sister lives in Oslo. She is a vet."
    )
    assert found == [("The user is allergic to nuts", FACT), ("The user has two cats", FACT)]


def test_the_sister_takes_the_pronoun_over_until_the_user_is_named_again():
    found = find("The user is a vet. His brother is a pilot. He lives in Oslo. The user lives in Bergen.")
    assert [text for text, _ in found] == ["The user is a vet", "The user lives in Bergen"]


def test_two_requests_in_one_manner_are_a_pattern_and_one_is_not():
    once = "User: Explain this step by step please?"
    assert find(once) == []
    twice = once + "\nAssistant: ok\nUser: And that step by step too?"
    assert find(twice) == [("Prefers step-by-step explanations", PATTERN)]


@pytest.mark.parametrize(
    "source",
    [
        "User: We've been chatting since 2019.",
        "User: Remember when we planned my trip last summer?",
        "User: You helped me with my thesis last spring.",
        "We discussed music production last week.",
    ],
)
def test_what_user_and_assistant_share_is_a_narrative(source: str):
    assert [kind for _, kind in find(source)] == [NARRATIVE]


def test_every_stored_candidate_of_the_rules_is_grounded_in_what_it_quotes():
    source = "User: I love ramen. I have a dog named Rex. I don't smoke. I used to live in Rome. My car is red."
    extraction = run(source)
    assert len(extraction.stored) == 5
    assert all(p.grounding.is_grounded and p.kind is FACT for p in extraction.stored)


@pytest.mark.requirement("EXT-003")
def test_short_summaries_are_taken_and_an_empty_one_gives_nothing():
    assert len(run("User: I love tea.").stored) == 1
    assert run("").count == 0
    assert run("", [Candidate("Loves tea", FACT, 0.9, "x")]).stored == ()


class Shelf:
    """Remembers in which order it was used."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    def write(self, proposal: Proposal) -> str:
        self.calls.append(f"write {proposal.candidate.text}")
        return str(len(self.calls))

    def invalidate(self) -> None:
        self.calls.append("invalidate")


@pytest.mark.requirement("EXT-001")
def test_stages_run_in_order_and_a_failed_candidate_goes_no_further():
    source = "User: I love tea. I enjoy chess. I would like to try golf."
    candidates = [
        Candidate("Loves tea", FACT, 0.9, "x"),
        Candidate("Loves coffee", FACT, 0.9, "x"),
        Candidate("Would like to try golf", FACT, 0.9, "x"),
        Candidate("Enjoys chess", FACT, 0.9, "x"),
    ]
    shelf = Shelf()
    extraction = Intake(read_summary(source), JUDGE).run(Extracted(tuple(candidates)), shelf)
    assert [p.candidate.text for p in extraction.stored] == ["Loves tea"]
    assert [r.reason for r in extraction.rejected] == [
        RejectionReason.NOT_GROUNDED,
        RejectionReason.TYPE_RULE,
        RejectionReason.BELOW_THRESHOLD,
    ]
    assert shelf.calls == ["write Loves tea", "invalidate"], "storage, then the caches, and only for what passed"
    stages = [line.split("]")[0] for line in extraction.log]
    assert stages == sorted(stages, key=["[EXTRACTION", "[EXTRACT", "[VALIDATE", "[GATE", "[STORE", "[RESULT"].index)
    gated = [line for line in extraction.log if line.startswith("[GATE]")]
    assert ["coffee" in line or "golf" in line for line in gated] == [False] * 2


@pytest.mark.requirement("EXT-001")
def test_nothing_is_invalidated_where_nothing_was_stored():
    shelf = Shelf()
    Intake(read_summary("User: Hello."), JUDGE).run(Extracted((Candidate("Loves tea", FACT, 0.9, "x"),)), shelf)
    assert shelf.calls == []


@pytest.mark.requirement("EXT-002")
def test_the_same_candidates_and_source_give_the_same_decisions():
    source = "User: I love tea. I live in Rome.\nAssistant: ok\nUser: I love tea."
    candidates = [Candidate(t, FACT, 0.9, "x") for t in ("Loves tea", "Lives in Rome", "Lives in Milan", "tea tea tea")]
    assert run(source, candidates) == run(source, candidates)
    shared = Intake(read_summary(source), JUDGE)
    backwards = [shared.decide(candidate) for candidate in reversed(candidates)]
    assert [shared.decide(candidate) for candidate in candidates] == backwards[::-1], "no state between candidates"


def test_quoted_speech_belongs_to_whoever_said_it():
    source = 'The user said, "I live in Oslo." The assistant replied, "I live in a computer." "I hate rain," she added.'
    speakers = {u.text: u.speaker for u in read_summary(source).utterances if u.speaker is not Speaker.NARRATOR}
    assert speakers == {
        "I live in Oslo.": Speaker.USER,
        "I live in a computer.": Speaker.ASSISTANT,
        "I hate rain,": Speaker.USER,
    }


def test_a_single_unknown_name_beside_the_assistant_is_the_user():
    assert read_turns([Turn("Mia", "Hi"), Turn("assistant", "Hello")]).utterances[0].speaker is Speaker.USER
    both = read_turns([Turn("Mia", "Hi"), Turn("Tom", "Hello")])
    assert {u.speaker for u in both.utterances} == {Speaker.OTHER}


@given(st.text(max_size=200), st.text(max_size=60))
def test_any_text_can_be_listened_to_and_every_quote_is_in_the_source(source: str, text: str):
    conversation = read_summary(source)
    for heard in listen(conversation):
        start, end = heard.place.span
        assert len(source[start:end]) == end - start
        assert heard.speaker in (Speaker.USER, Speaker.NARRATOR)
    decided = Intake(conversation, JUDGE).decide(Candidate(text, FACT, 0.9, "x"))
    assert (decided.proposal is None) != (decided.rejection is None)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant", "Bob", ""]), st.text(max_size=80)), max_size=5))
def test_spans_of_candidates_lie_in_the_users_turns(pairs: list[tuple[str, str]]):
    turns = [Turn(speaker, text) for speaker, text in pairs]
    for candidate in RuleExtractor().extract(read_turns(turns)).candidates:
        for place in candidate.places:
            assert 0 <= place.span.start < place.span.end <= len(turns[place.turn].text)
            assert turns[place.turn].speaker != "assistant"
