"""The read gate with a model: what it is asked, what it changes, and what happens when it fails."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from groundwire.errors import ModelCorrupt
from groundwire.judge.decision import PassageScores
from groundwire.judge.protocols import Scores
from groundwire.types import Action, Memory, Passage, Standing, Verdict
from groundwire.verify.report import GroundCheckVerifier

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
YES, NO, OPEN = Scores(0.95, 0.02, 0.03), Scores(0.02, 0.95, 0.03), Scores(0.1, 0.1, 0.8)


class Consultant:
    """Gives what the rule says of a passage; keeps what it was asked; may fail from a call on."""

    name = "counted.v1"

    def __init__(self, rule: Scores | Callable[[str], Scores] = YES, fails_at: int | None = None) -> None:
        self._rule = rule
        self.fails_at = fails_at
        self.calls: list[list[tuple[str, list[str]]]] = []
        self.begun: list[str] = []

    def begin(self, claim: str, passages: Sequence[Passage]) -> None:
        self.begun.append(claim)

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]:
        if self.fails_at is not None and len(self.calls) >= self.fails_at:
            raise ModelCorrupt("the graph is damaged", "install it again")
        self.calls.append([(claim, [passage.id for passage in passages]) for claim, passages in questions])
        return [tuple(self._score(passage) for passage in passages) for _, passages in questions]

    def _score(self, passage: Passage) -> PassageScores:
        scores = self._rule if isinstance(self._rule, Scores) else self._rule(passage.text)
        return PassageScores(passage, scores, ((passage.text, scores),))

    @property
    def asked(self) -> list[tuple[str, list[str]]]:
        return [question for call in self.calls for question in call]


def memories(*texts: str) -> list[Memory]:
    return [Memory(f"m{i}", text) for i, text in enumerate(texts, 1)]


CLOSED = "Lorries have to take another way over the river."
ANSWER = "The bridge is closed to heavy vehicles."


def test_what_rules_leave_open_is_decided_by_the_model():
    for rule, standing in ((YES, Standing.SUPPORTED), (NO, Standing.REFUTED), (OPEN, Standing.UNSUPPORTED)):
        report = GroundCheckVerifier(consultant=Consultant(rule)).verify(ANSWER, memories(CLOSED))
        (claim,) = report.claims
        assert claim.standing is standing
        assert report.grounded is (standing is Standing.SUPPORTED)
        assert report.judge == "counted.v1+rules.v1"
    assert GroundCheckVerifier().verify(ANSWER, memories(CLOSED)).claims[0].standing is Standing.UNSUPPORTED


def test_a_claim_that_rules_decided_is_not_asked():
    for answer in ("You work at Bosch.", "You work at Shell."):
        model = Consultant(OPEN)
        alone = GroundCheckVerifier().verify(answer, memories("I work at Bosch."))
        assert GroundCheckVerifier(consultant=model).verify(answer, memories("I work at Bosch.")).claims == alone.claims
        assert model.asked == []


@pytest.mark.requirement("JDG-012")
def test_nothing_is_asked_without_memories_or_claims():
    model = Consultant(YES)
    report = GroundCheckVerifier(consultant=model).verify(ANSWER, [])
    assert report.claims[0].verdict is INSUFFICIENT
    assert GroundCheckVerifier(consultant=model).verify("Hello!", memories(CLOSED)).grounded
    assert model.asked == []


def test_the_best_passage_is_asked_first_and_the_others_only_when_it_does_not_settle():
    stored = memories("The bridge is old.", "Heavy vehicles go round the bridge by the ferry.", "The river is wide.")
    settled = Consultant(YES)
    GroundCheckVerifier(consultant=settled).verify(ANSWER, stored)
    ((_, first),) = settled.asked
    assert first == ["m2"]
    doubtful = Consultant(OPEN)
    GroundCheckVerifier(consultant=doubtful).verify(ANSWER, stored)
    assert [len(call) for call in doubtful.calls] == [1, 1, 1]
    assert doubtful.asked[0][1] == ["m2"]
    assert "m2" not in doubtful.asked[1][1], "no pair is asked twice"
    assert doubtful.asked[2][1] == ["together"], "where none of them decides, all of them as one text"


def test_all_claims_of_an_answer_go_to_the_model_in_one_call():
    model = Consultant(YES)
    answer = f"{ANSWER} The market opens early. You work at Bosch."
    report = GroundCheckVerifier(consultant=model).verify(
        answer, memories(CLOSED, "Stalls are up at dawn.", "I work at Bosch.")
    )
    assert len(model.calls) == 1
    assert [claim for claim, _ in model.calls[0]] == [
        "The bridge is closed to heavy vehicles",
        "The market opens early",
    ]
    assert len(report.claims) == 3


def test_the_model_starts_on_what_rules_leave_open_while_they_read_on():
    model = Consultant(YES)
    answer = f"{ANSWER} You work at Bosch. The market opens early."
    GroundCheckVerifier(consultant=model).verify(answer, memories(CLOSED, "Stalls are up at dawn.", "I work at Bosch."))
    assert model.begun == ["The bridge is closed to heavy vehicles"], "the last claim is asked next anyway"
    assert [claim for claim, _ in model.asked] == [*model.begun, "The market opens early"]


def test_an_answer_for_which_the_model_breaks_off_is_judged_by_rules_alone():
    stored = memories(CLOSED, "Stalls are up at dawn.", "Lamps are lit early.", "I work at Bosch.")
    answer = f"{ANSWER} The market opens early. You work at Bosch."
    broken = GroundCheckVerifier(consultant=Consultant(lambda text: YES if text == CLOSED else OPEN, fails_at=1))
    report = broken.verify(answer, stored)
    assert broken.problem is not None
    assert report.claims == GroundCheckVerifier().verify(answer, stored).claims


@pytest.mark.requirement("JDG-020")
def test_memories_that_speak_of_other_people_are_not_shown():
    model = Consultant(YES)
    report = GroundCheckVerifier(consultant=model).verify(
        "You are fond of quiet evenings.", memories("Ana is fond of quiet evenings.", "Bob adores quiet evenings.")
    )
    assert report.claims[0].verdict is INSUFFICIENT
    assert model.asked == []
    GroundCheckVerifier(consultant=model).verify(
        "You are fond of quiet evenings.",
        memories("Ana is fond of quiet evenings.", "I treasure a calm night at home."),
    )
    assert [ids for _, ids in model.asked] == [["m2"]]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("answer", "memory", "expected"),
    [
        ("Room 12 is free today.", "Room 13 is free today.", None),
        ("The part ABC-12 broke twice.", "The part ABC-13 broke twice.", None),
        ("Ana sold more than 400 tickets.", "Ana sold 350 tickets.", REFUTED),
        ("Ana works at Bosch.", "Ana works at Siemens.", REFUTED),
        ("Ana likes tea.", "Ana does not like tea.", REFUTED),
        ("The meeting is on 3 May.", "The meeting is on 4 May.", REFUTED),
    ],
)
def test_a_model_that_supports_everything_supports_no_other_value(answer: str, memory: str, expected: Verdict | None):
    report = GroundCheckVerifier(consultant=Consultant(YES)).verify(answer, memories(memory))
    (claim,) = report.claims
    assert claim.verdict is not SUPPORTED
    assert expected in (None, claim.verdict)
    assert not report.grounded


@pytest.mark.requirement("JDG-021")
@pytest.mark.parametrize("fails_at", [0, 1])
def test_a_model_that_fails_midway_gives_the_report_of_the_rules_and_says_so(fails_at: int):
    stored = memories(CLOSED, "The bridge is old.", "I work at Bosch.")
    answer = f"{ANSWER} You work at Bosch."
    model = Consultant(OPEN, fails_at)
    gate = GroundCheckVerifier(consultant=model)
    assert gate.verify(answer, stored) == GroundCheckVerifier().verify(answer, stored)
    assert gate.verify(answer, stored).judge == "rules.v1"
    assert gate.problem is not None and "install it again" in str(gate.problem)
    model.fails_at = None
    assert gate.verify(answer, stored).judge == "counted.v1+rules.v1"
    assert gate.problem is None


@pytest.mark.requirement("JDG-011")
def test_the_explanation_quotes_the_deciding_words():
    model = Consultant(lambda text: YES if "Lorries" in text else OPEN)
    report = GroundCheckVerifier(consultant=model).verify(
        ANSWER, memories("The bridge is old.", f"It rained. {CLOSED}")
    )
    (claim,) = report.claims
    assert claim.evidence == ("m2",)
    assert claim.explanation == f"SUPPORTED: m2 supports it: “{CLOSED}”."


@pytest.mark.requirement("JDG-011")
def test_a_refutation_by_the_model_names_the_wrong_words_of_the_answer():
    answer = "The yearly gala takes place at the Porto opera."
    report = GroundCheckVerifier(consultant=Consultant(NO)).verify(
        answer, memories("Guests of the yearly gala gather at the Lisbon opera.")
    )
    (claim,) = report.claims
    assert claim.verdict is REFUTED
    assert claim.wrong is not None and answer[claim.wrong.start : claim.wrong.end] == "Porto"
    assert report.hallucinations == ("Porto",)


def test_hedged_claims_stay_hedged():
    report = GroundCheckVerifier(consultant=Consultant(YES)).verify(
        "Maybe the bridge is closed to heavy vehicles.", memories(CLOSED)
    )
    for claim in report.claims:
        assert (claim.standing, claim.verdict, claim.action) == (Standing.HEDGED, INSUFFICIENT, Action.CONTINUE)
    assert report.grounded


# ── second thoughts ─────────────────────────────────────────────────────────────────────────────


def test_a_support_by_words_alone_is_given_up_where_the_model_excludes_it():
    stored, answer = memories("The parcel for Ana was sent back to Ben."), "The parcel for Ben was sent back."
    assert GroundCheckVerifier().verify(answer, stored).grounded, "every word is there"
    assert not GroundCheckVerifier(consultant=Consultant(NO)).verify(answer, stored).grounded
    assert GroundCheckVerifier(consultant=Consultant(YES)).verify(answer, stored).grounded


def test_what_the_evidence_says_word_for_word_needs_no_model():
    model = Consultant(NO)
    report = GroundCheckVerifier(consultant=model).verify(
        "Ana likes green tea.", memories("Ana likes green tea a lot.")
    )
    assert report.grounded
    assert model.asked == []


@pytest.mark.requirement("JDG-009")
def test_two_memories_may_bear_out_together_what_neither_does_alone():
    stored = memories("Rex was born in 2015.", "Momo was born in 2019.")
    both = Consultant(lambda text: YES if "Rex" in text and "Momo" in text else OPEN)
    (claim,) = GroundCheckVerifier(consultant=both).verify("The dog has seen more summers.", stored).claims
    assert claim.verdict is SUPPORTED
    assert claim.evidence


# ── change in free words ────────────────────────────────────────────────────────────────────────

_MOVED = [Memory("old", "I work at Nokia.", timestamp=1), Memory("new", "I work at Ericsson.", timestamp=2)]


def test_a_change_in_free_words_is_disclosed_where_the_model_reads_it_so():
    answer = "You work at Ericsson; the Nokia years are a closed chapter."
    told = Consultant(lambda text: YES if "chapter" in text else OPEN)
    assert not GroundCheckVerifier(consultant=told).verify(answer, _MOVED).requires_disclosure
    assert GroundCheckVerifier(consultant=Consultant(OPEN)).verify(answer, _MOVED).requires_disclosure


def test_no_model_discloses_a_value_that_the_answer_does_not_name():
    report = GroundCheckVerifier(consultant=Consultant(YES)).verify("You work at Ericsson.", _MOVED)
    assert report.requires_disclosure


@pytest.mark.parametrize(
    "answer",
    [
        "You work at Ericsson; your sister left Nokia for Bosch.",
        "You work at Ericsson. Bo moved from Nokia to Bosch.",
        "You work at Ericsson and read Nokia Weekly.",
    ],
)
def test_no_model_discloses_a_value_that_belongs_to_somebody_or_something_else(answer: str):
    assert GroundCheckVerifier(consultant=Consultant(YES)).verify(answer, _MOVED).requires_disclosure


def test_a_memory_is_never_asked_whether_it_rules_itself_out():
    consultant = Consultant(NO)
    held = memories("The Yarrow service has 11 maintainers and a public status page.")
    report = GroundCheckVerifier(consultant=consultant).verify("The Yarrow service has 11 maintainers.", held)
    assert report.contradictions == ()
    assert all(passages != ["other"] for _, passages in consultant.asked)


def test_memories_that_may_rule_each_other_out_are_compared_in_one_call():
    consultant = Consultant(NO)
    held = memories("The choir dines in the hall.", "The choir dines in the crypt.", "The choir dines in the gym.")
    report = GroundCheckVerifier(consultant=consultant).verify("Hello!", held)
    assert [len(call) for call in consultant.calls if call] == [6]
    assert [len(c.values) for c in report.contradictions] == [3]
