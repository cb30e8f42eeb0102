"""What a sentence says as a whole, beside its claims one by one; and what a model may know better than rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from groundwire.judge.decision import PassageScores
from groundwire.judge.protocols import Scores
from groundwire.types import Memory, Passage, Verdict
from groundwire.verify.report import GroundCheckVerifier

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
OPEN = Scores(0.1, 0.1, 0.8)


class Reader:
    """Says of each claim what it was told to, whatever the evidence; keeps what it was asked."""

    name = "reader.v1"

    def __init__(self, known: Mapping[str, Scores], otherwise: Scores = OPEN) -> None:
        self._known, self._otherwise = known, otherwise
        self.asked: list[tuple[str, str]] = []

    def begin(self, claim: str, passages: Sequence[Passage]) -> None: ...

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]:
        self.asked += [(claim, passage.text) for claim, passages in questions for passage in passages]
        return [tuple(self._score(claim, passage) for passage in passages) for claim, passages in questions]

    def _score(self, claim: str, passage: Passage) -> PassageScores:
        scores = self._known.get(claim.rstrip("."), self._otherwise)
        return PassageScores(passage, scores, ((passage.text, scores),))


def verdicts(model: Reader, answer: str, *memories: str) -> list[Verdict]:
    stored = [Memory(f"m{i}", text) for i, text in enumerate(memories, 1)]
    return [claim.verdict for claim in GroundCheckVerifier(consultant=model).verify(answer, stored).claims]


def sure(verdict: Verdict, much: float) -> Scores:
    rest = (1 - much) / 2
    return Scores(*(much if verdict is v else rest for v in (SUPPORTED, REFUTED, INSUFFICIENT)))


@pytest.mark.parametrize(
    "answer",
    [
        "In botany, tomatoes belong with the fruits.",
        "On hot days you let the soup cool.",
        "By day the tunnel is open northbound.",
        "For colds you swear by ginger.",
    ],
)
def test_a_claim_that_only_has_its_words_in_another_order_is_shown_as_it_is_written(answer: str):
    model = Reader({answer.rstrip("."): sure(SUPPORTED, 0.9)})
    assert verdicts(model, answer, "A memory in other words altogether.") == [SUPPORTED]
    assert {claim for claim, _ in model.asked} == {answer}


@pytest.mark.parametrize(
    "answer", ["Every Tuesday you sing.", "In 1990 Pluto was a planet.", "Before January the rent was 735."]
)
def test_a_date_or_a_name_in_front_is_shown_behind(answer: str):
    model = Reader({})
    verdicts(model, answer, "A memory in other words altogether.")
    assert not model.asked or model.asked[0][0] != answer


@pytest.mark.parametrize("answer", ["Ana moved to Graz. By day she sells tea.", "By day you sell tea and hats."])
def test_a_claim_that_says_more_or_less_than_its_sentence_is_shown_by_itself(answer: str):
    model = Reader({})
    verdicts(model, answer, "Ana, whom I know, keeps a stall.")
    assert any("By day" not in claim and "tea" in claim for claim, _ in model.asked)


PARTS = "The mill stood in Graz", "The mill was sold"
WHOLE = "The mill that stood in Graz was sold"


@pytest.mark.parametrize(
    ("parts", "whole", "expected"),
    [
        (sure(INSUFFICIENT, 0.6), sure(SUPPORTED, 0.65), [SUPPORTED, SUPPORTED]),
        (sure(INSUFFICIENT, 0.6), sure(SUPPORTED, 0.55), [INSUFFICIENT, INSUFFICIENT]),
        (sure(REFUTED, 0.5), sure(SUPPORTED, 0.6), [SUPPORTED, SUPPORTED]),
        (sure(REFUTED, 0.85), sure(SUPPORTED, 0.7), [REFUTED, REFUTED]),
        (sure(REFUTED, 0.95), sure(SUPPORTED, 0.95), [SUPPORTED, SUPPORTED]),
        (sure(SUPPORTED, 0.7), sure(REFUTED, 0.55), [REFUTED, SUPPORTED]),
        (sure(SUPPORTED, 0.7), sure(REFUTED, 0.45), [SUPPORTED, SUPPORTED]),
        (sure(SUPPORTED, 0.7), sure(INSUFFICIENT, 0.8), [INSUFFICIENT, SUPPORTED]),
        (sure(REFUTED, 0.7), sure(INSUFFICIENT, 0.8), [INSUFFICIENT, INSUFFICIENT]),
        (sure(REFUTED, 0.7), sure(INSUFFICIENT, 0.6), [REFUTED, REFUTED]),
    ],
)
def test_the_surer_opinion_on_the_sentence_or_its_parts_decides(parts: Scores, whole: Scores, expected: list[Verdict]):
    model = Reader({PARTS[0]: parts, PARTS[1]: parts, WHOLE: whole})
    assert verdicts(model, f"{WHOLE}.", "Its wheel turns elsewhere.") == expected


def test_chat_beside_a_claim_does_not_leave_the_claim_open():
    answer = "The mill was sold, so there's still time to look around"
    model = Reader({PARTS[1]: sure(SUPPORTED, 0.9), answer: sure(INSUFFICIENT, 0.97)})
    assert verdicts(model, f"{answer}.", "Somebody paid for it.")[0] is SUPPORTED


def test_a_sentence_is_shown_all_that_is_known():
    model = Reader({})
    verdicts(model, f"{WHOLE}.", "Its wheel turns elsewhere.", "Somebody paid for it.")
    assert any(claim.startswith(WHOLE) and "wheel" in text and "Somebody" in text for claim, text in model.asked)


def test_where_memories_disagree_the_sentence_does_not_decide():
    answer = "Your bank is Monzo, and you still owe 90,000 euros."
    model = Reader({answer.rstrip("."): sure(SUPPORTED, 0.95)}, sure(SUPPORTED, 0.7))
    stored = [
        Memory("m1", "I still owe 120,000 euros.", trust=0.9, timestamp=200),
        Memory("m2", "I still owe 90,000 euros.", trust=0.9, timestamp=100),
    ]
    report = GroundCheckVerifier(consultant=model).verify(answer, stored)
    assert not report.grounded


# ── second thoughts on what rules refute ────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("The cabins sleep four.", "Camp Willow has 20 cabins; check-out of the cabins is at 11 am."),
        ("Another bus goes to the cemetery.", "Bus 14 goes to the hospital and no longer to the cemetery."),
        ("The horse is too old to insure.", "The cat is insured, and the horse isn't insured at all."),
        ("There is ice in other craters as well.", "The crater is deep, and there is ice in it."),
    ],
)
def test_a_comparison_of_words_gives_way_to_a_model_that_excludes_it(answer: str, memory: str):
    assert verdicts(Reader({}, sure(INSUFFICIENT, 0.95)), answer, memory) == [INSUFFICIENT]
    assert verdicts(Reader({}, sure(REFUTED, 0.9)), answer, memory) == [REFUTED]


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You smoke.", "The patient does not smoke."),
        ("Ana likes tea.", "Ana does not like tea."),
        ("The meeting is on 3 May.", "The meeting is on 4 May."),
        ("Stella is stabled in Aarhus.", "Stella is stabled in Randers."),
        ("Ana works at Bosch.", "Ana works at Siemens."),
    ],
)
@pytest.mark.parametrize("opinion", [sure(INSUFFICIENT, 0.95), sure(SUPPORTED, 0.95)])
def test_a_denial_in_the_same_words_and_another_name_stay_refuted(answer: str, memory: str, opinion: Scores):
    assert verdicts(Reader({}, opinion), answer, memory) == [REFUTED]
