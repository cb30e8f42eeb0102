"""Flags, detectors, knowledge and dialogues as small as a test can use them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from groundwire.detect.detector import HallucinationDetector
from groundwire.detect.examination import Detector, Examination
from groundwire.judge.judge import RulesJudge
from groundwire.types import Claim, Memory, Span
from groundwire.types.detection import DialogueTurn, HallucinationFlag, HallucinationType

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)


def span_of(text: str, words: str) -> Span:
    start = text.index(words)
    return Span(start, start + len(words))


def flag(
    text: str,
    words: str,
    type_: HallucinationType = HallucinationType.FABRICATED_FACT,
    confidence: float = 0.9,
    *,
    wrong: str | None = None,
    right: str | None = None,
    **others: Any,
) -> HallucinationFlag:
    """A flag on `words`; `wrong` is the value at fault within them, `right` what belongs there."""
    value_span = None if wrong is None else span_of(text, wrong)
    return HallucinationFlag(
        span_of(text, words), words, type_, confidence, correct_value=right, value_span=value_span, **others
    )


class NothingKnown:
    """A knowledge base without a single entity."""

    is_empty = True
    statements: tuple[Memory, ...] = ()
    complete_types: frozenset[str] = frozenset()

    def entity_exists(self, name: str) -> bool:
        return False

    def get_entity(self, name: str) -> None:
        return None

    def find_entity(self, name: str) -> None:
        return None

    def find_similar(self, name: str, least: float = 0.8) -> tuple[()]:
        return ()


class NobodyNamed:
    def find(self, name: str) -> None:
        return None

    def find_similar(self, name: str, least: float = 0.8) -> tuple[()]:
        return ()


class NothingSaid:
    """A dialogue that has not begun."""

    turns: tuple[DialogueTurn, ...] = ()
    entity_registry = NobodyNamed()

    def claims_of(self, turn: DialogueTurn) -> tuple[Claim, ...]:
        return ()

    def resolve(self, mention: str) -> None:
        return None


@dataclass
class Finding:
    """A detector that says what it was told to, and remembers what it was asked."""

    name: str
    answer: Callable[[Examination], Sequence[HallucinationFlag]]
    asked: list[Examination] = field(default_factory=list[Examination])

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]:
        self.asked.append(examined)
        return self.answer(examined)


def silent(name: str) -> Callable[[], Detector]:
    return lambda: Finding(name, lambda _: ())


def make_detector(
    answers: Mapping[str, Callable[[Examination], Sequence[HallucinationFlag]]], **others: Any
) -> HallucinationDetector:
    """A detector in which those named say what they are told to, and the rest say nothing."""
    from groundwire.detect.config import DETECTOR_NAMES

    def make(name: str) -> Callable[[], Detector]:
        return lambda: Finding(name, answers.get(name, lambda _: ()))

    detectors = {name: make(name) for name in DETECTOR_NAMES}
    judge = RulesJudge(lambda: 0.0)
    return HallucinationDetector(
        others.pop("config", None), judge=judge, similarity=lambda a, b: 0.0, detectors=detectors, **others
    )
