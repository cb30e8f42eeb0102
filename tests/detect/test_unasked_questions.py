"""What the judge is not asked, because the answer is known or can change nothing; and what it is asked all the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.detect.dialogue_examining import examine as examine_dialogue
from tests.detect.dialogue_examining import turns
from tests.detect.kb_examining import Talk, examine, packaged_judge

from groundwire.detect.dialogue.balance import Candidate, find_candidates, weigh_turns
from groundwire.detect.dialogue.history import gather
from groundwire.detect.fabricated import FabricatedFactDetector
from groundwire.detect.weighing.asking import Answers
from groundwire.judge.alignment import Aliases
from groundwire.judge.judge import RulesJudge, spread
from groundwire.types import Passage, Verdict, VerifierInput, VerifierOutput
from groundwire.types.detection import DialogueTurn


class Leaning:
    """A judge that refutes everything as surely as it is told to, and remembers what it was asked."""

    name = "leaning"

    def __init__(self, refuted: float) -> None:
        self.asked: list[tuple[str, str]] = []
        self._refuted = refuted

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        self.asked += [(question.claim, question.evidence[0].text) for question in questions]
        ruled = RulesJudge(lambda: 0.0).judge_all(questions)
        told = {**spread(Verdict.INSUFFICIENT, 1.0 - self._refuted), Verdict.REFUTED: self._refuted}
        return [replace(output, probabilities=told) for output in ruled]


def near(answer: str, *said: str) -> list[Candidate]:
    dialogue = turns(*(f"user: {one}" for one in said))
    examined = examine_dialogue(answer, dialogue, similarity=lambda left, right: 0.6)
    aliases = Aliases.learn(())
    return [c for one in dialogue.hear(answer) for c in find_candidates(one, gather(dialogue), examined, aliases)]


@pytest.mark.parametrize(
    ("answer", "said", "is_near"),
    [
        ("Room 12 was painted before the move in 2019.", "Ada Abel moved to Porto in 2012.", False),
        ("Gate B17 closes at noon.", "Ivo Ilves leaves at one.", False),
        ("Room 12 was painted in 2019.", "Ada Abel painted room 12 in 2012.", True),
        ("Room 12 belongs to Ada Abel.", "Ada Abel has no office.", True),
        ("Version 3.2 is the newest release.", "Version 3.1 is the newest release.", True),
        ("The room was painted in 2019.", "Ada Abel painted the room in 2012.", True),
    ],
)
def test_a_numbered_thing_is_held_against_a_person_only_where_one_names_the_other(
    answer: str, said: str, is_near: bool
):
    assert bool(near(answer, said)) is is_near


@pytest.mark.parametrize(("refuted", "ways"), [(0.02, 1), (0.4, 2)])
def test_the_way_back_is_not_asked_where_the_way_there_is_hopeless(refuted: float, ways: int):
    candidates = near("The clinic opens at nine on Mondays.", "The clinic opens at ten on Mondays.")
    judge = Leaning(refuted)
    weighed = weigh_turns(candidates, judge, 0.05)
    assert len(judge.asked) == ways * len(candidates) > 0
    assert len(weighed) == len(candidates)


ELIF = {"entities": [{"name": "Elif Grimm", "type": "person", "attributes": {"city": "Graz", "desk": "14"}}]}


@pytest.mark.parametrize(
    ("said", "is_asked"),
    [
        ("Elif Engel joined the firm in 2011.", False),
        ("Elif joined the firm in 2011.", True),
        ("Yesterday Elif said that she joined the firm in 2011.", True),
        ("Elif Engel said that Elif joined the firm in 2011.", True),
        ("Ms Grimm joined the firm in 2011.", True),
    ],
)
def test_what_was_said_of_a_namesake_bears_nothing_out(said: str, is_asked: bool):
    judge = Leaning(0.0)
    talk = Talk((DialogueTurn(1, "user", said),))
    FabricatedFactDetector().detect(examine("Elif Grimm joined the firm in 2009.", ELIF, dialogue=talk, judge=judge))
    assert any(evidence == said for _, evidence in judge.asked) is is_asked


def test_a_question_that_was_begun_is_answered_as_any_other():
    question = VerifierInput("The pool is open.", (Passage("a", "The pool is closed."),))
    begun, plain = Answers(packaged_judge()), Answers(packaged_judge())
    begun.begin([question])
    one, other = begun.judge(question), plain.judge(question)
    assert (one.verdict, one.probabilities, one.reason) == (other.verdict, other.probabilities, other.reason)
