"""Nothing is reworded on the word of one: a rule, the judge, or one of two statements that exclude each other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.detect.kb_examining import NOW, WRONG, examine, packaged_judge
from tests.detect.kb_examining import detect as find

from groundwire.app import Groundwire
from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.detect.records.consulting import consult_knowledge
from groundwire.detect.weighing.asking import Answers, hear
from groundwire.judge.judge import RulesJudge
from groundwire.text.segments import segment_response
from groundwire.types import Passage, VerifierInput, VerifierOutput
from groundwire.types.detection import Correct, Remove

LAKE = {"entities": [{"name": "Lake Orvin", "type": "lake", "attributes": {"ferries": "2", "depth": "312 m"}}]}


class Counting:
    """A judge that counts what it is asked."""

    name = "counting"

    def __init__(self) -> None:
        self.asked: list[VerifierInput] = []
        self._judge = RulesJudge(lambda: 0.0)

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        self.asked += questions
        return self._judge.judge_all(questions)


def test_a_pair_is_put_to_the_judge_once():
    judge = Counting()
    answers = Answers(judge)
    one = VerifierInput("The pool is open.", (Passage("a", "The pool is closed."),))
    same = VerifierInput("The pool is open.", (Passage("b", "The pool is closed."),))
    other = VerifierInput("The pool is closed.", (Passage("a", "The pool is open."),))
    first, again, back = answers.judge_all([one, same, other])
    assert first == again and len(judge.asked) == 2
    assert answers.judge_all([other, one]) == [back, first]
    assert len(judge.asked) == 2


def test_the_detectors_of_an_examination_share_its_judge():
    examined = examine("Lake Orvin is 300 m deep.", LAKE)
    assert hear(examined) is hear(examined)


@pytest.mark.requirement("MIT-006")
def test_a_part_of_what_is_counted_is_no_other_count():
    wire = Groundwire()
    report = wire.detect("There are two ferries on Lake Orvin, one of which carries cars.", knowledge=LAKE, now=NOW)
    assert not [action for action in report.actions if isinstance(action, Correct | Remove)]


@pytest.mark.requirement("MIT-009")
def test_a_wrong_value_that_rule_and_judge_agree_on_is_corrected():
    examined = examine("The depth of Lake Orvin is 150 m.", LAKE, judge=packaged_judge())
    (flag,) = [flag for flag in find(examined) if flag.hallucination_type is WRONG]
    assert flag.correct_value == "312 m"
    assert not flag.is_unverifiable


def test_a_difference_that_the_judge_does_not_see_is_only_pointed_at():
    examined = examine("FC Torr play their home games in yellow.", {
        "entities": [{"name": "FC Torr", "type": "organisation", "attributes": {"home colours": "red and white"}}]
    }, judge=packaged_judge())  # fmt: skip
    doubted = [checked for checked in consult_knowledge(examined) if checked.is_doubted]
    assert all(checked.is_unsure for checked in doubted)


@pytest.mark.requirement("MIT-006")
@pytest.mark.parametrize(
    ("text", "is_certain"),
    [
        ("The pool is open. The pool is closed.", False),
        ("We have 20 rooms, 15 doubles and 8 singles.", True),
    ],
)
def test_only_a_sum_tells_which_of_two_statements_is_wrong(text: str, is_certain: bool):
    (flag,) = detect_logical_inconsistencies(segment_response(text, NOW), text=text)
    assert flag.is_unverifiable is not is_certain
