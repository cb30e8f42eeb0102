"""Examinations for tests of what dialogue and sources say: an answer, turns, and statements that are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import cache

from groundwire.app import Groundwire
from groundwire.detect.examination import Examination
from groundwire.evidence.dialogue import Dialogue
from groundwire.evidence.lookups import Entity
from groundwire.judge.judge import Judge, RulesJudge
from groundwire.text.reading import read_text
from groundwire.text.segments import segment_response
from groundwire.types import VerifierInput, VerifierOutput
from groundwire.types.detection import DialogueTurn
from groundwire.types.memories import Memory

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


class Known:
    """A knowledge base of statements alone."""

    def __init__(self, *statements: str) -> None:
        self._statements = tuple(Memory(f"k{i}", text) for i, text in enumerate(statements, 1))

    @property
    def is_empty(self) -> bool:
        return not self._statements

    @property
    def statements(self) -> Sequence[Memory]:
        return self._statements

    @property
    def complete_types(self) -> frozenset[str]:
        return frozenset()

    def entity_exists(self, name: str) -> bool:
        return False

    def get_entity(self, name: str) -> Entity | None:
        return None

    def find_entity(self, name: str) -> Entity | None:
        return None

    def find_similar(self, name: str, least: float = 0.8) -> tuple[tuple[Entity, float], ...]:
        return ()


def turns(*said: str) -> Dialogue:
    """ "user: I live in Oslo", "assistant: Noted": numbered from 1."""
    parts = [line.partition(": ") for line in said]
    return Dialogue([DialogueTurn(i, role, text) for i, (role, _, text) in enumerate(parts, 1)])


class _Packaged:
    """The judge that a Groundwire opens by itself, made once for all tests."""

    name = "packaged"

    def __init__(self) -> None:
        self._groundwire = Groundwire()

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        return self._groundwire.judge_all(questions)


@cache
def packaged_judge() -> Judge:
    return _Packaged()


def rules_judge() -> Judge:
    return RulesJudge(lambda: 0.0)


def examine(
    text: str,
    dialogue: Dialogue | None = None,
    knowledge: Known | None = None,
    *,
    judge: Judge | None = None,
    similarity: Callable[[str, str], float] = lambda left, right: 0.0,
) -> Examination:
    claims = tuple(read.claim for read in read_text(text).claims)
    return Examination(
        text=text,
        segments=segment_response(text, NOW),
        claims=claims,
        dialogue=dialogue or Dialogue(),
        knowledge=knowledge or Known(),
        judge=judge or rules_judge(),
        similarity=similarity,
        now=NOW,
    )
