"""Builds an examination from plain data, for the tests of the detectors that look into the knowledge base."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from typing import Any

from groundwire.detect.attributes import WrongAttributeDetector
from groundwire.detect.contradicting import ContradictsFactDetector
from groundwire.detect.examination import Examination
from groundwire.detect.fabricated import FabricatedFactDetector
from groundwire.detect.nonexistent import NonexistentEntityDetector
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.evidence.lookups import DialogueState
from groundwire.judge.judge import Judge, RulesJudge
from groundwire.text.segments import segment_response
from groundwire.types import Claim
from groundwire.types.detection import DialogueTurn, HallucinationFlag, HallucinationType

NOW = datetime(2026, 3, 10, tzinfo=UTC)
FABRICATED = HallucinationType.FABRICATED_FACT
NONEXISTENT = HallucinationType.NONEXISTENT_ENTITY
WRONG = HallucinationType.WRONG_ATTRIBUTE
CONTRADICTS = HallucinationType.CONTRADICTS_FACT

KNOWLEDGE: dict[str, Any] = {
    "entities": [
        {
            "name": "John Smith",
            "type": "person",
            "attributes": {
                "department": {"value": "Engineering", "source": "hr-7", "trust": 0.9},
                "title": "Software Engineer",
                "email": "john.smith@acme.example",
            },
        },
        {
            "name": "Acme Corp",
            "type": "organisation",
            "aliases": ["Acme"],
            "attributes": {"industry": "batteries", "headquarters": "Oslo", "languages": ["English", "Norwegian"]},
        },
        {
            "name": "Project meeting",
            "type": "event",
            "aliases": ["the meeting"],
            "attributes": {"date": "Wednesday", "time": "15:00", "location": "Room 4", "status": "confirmed"},
        },
        {
            "name": "Aurora Lamp",
            "type": "product",
            "attributes": {"price": "$45", "colour": "black", "warranty": "2 years", "dimmable": False},
        },
    ],
    "statements": [{"id": "rule-1", "text": "Dogs are not allowed in the office.", "trust": 0.8}],
}


@dataclass(frozen=True)
class Registry:
    """Names as they were said, and what is spelled like them."""

    named: tuple[str, ...] = ()
    similar: tuple[tuple[str, float], ...] = ()

    def find(self, name: str) -> str | None:
        return next((known for known in self.named if known.casefold() == name.casefold()), None)

    def find_similar(self, name: str, least: float = 0.8) -> tuple[tuple[str, float], ...]:
        return tuple(pair for pair in self.similar if pair[1] >= least)


@dataclass(frozen=True)
class Talk:
    """A dialogue that resolves what it is told to."""

    turns: Sequence[DialogueTurn] = ()
    entity_registry: Registry = field(default_factory=Registry)
    meant: tuple[tuple[str, str], ...] = ()

    def claims_of(self, turn: DialogueTurn) -> tuple[Claim, ...]:
        return ()

    def resolve(self, mention: str) -> str | None:
        return dict(self.meant).get(mention.casefold())


@cache
def packaged_judge() -> Judge:
    """Rules and the packaged model, as the application puts them together."""
    from groundwire.app import Groundwire
    from groundwire.judge.hybrid import HybridJudge

    judge = Groundwire()._open().judge  # pyright: ignore[reportPrivateUsage]
    assert isinstance(judge, HybridJudge)
    return judge


@cache
def _embedder() -> Any:
    from groundwire.models.embedding import StaticEmbedder

    return StaticEmbedder()


def similarity(left: str, right: str) -> float:
    one, two = _embedder().embed([left, right])
    return float(one @ two)


def examine(
    text: str,
    knowledge: dict[str, Any] | Knowledge | None = None,
    *,
    dialogue: DialogueState | None = None,
    judge: Judge | None = None,
    now: datetime = NOW,
) -> Examination:
    known = (
        knowledge if isinstance(knowledge, Knowledge) else read_knowledge(KNOWLEDGE if knowledge is None else knowledge)
    )
    segments = segment_response(text, now)
    claims = tuple(claim for segment in segments for claim in segment.claims)
    return Examination(
        text, segments, claims, dialogue or Talk(), known, judge or RulesJudge(lambda: 0.0), similarity, now
    )


def detect(examined: Examination, *kinds: HallucinationType) -> list[HallucinationFlag]:
    """What the four detectors find; of the kinds asked for, or of all."""
    detectors = (
        WrongAttributeDetector(), ContradictsFactDetector(), FabricatedFactDetector(), NonexistentEntityDetector(),
    )  # fmt: skip
    found = [flag for detector in detectors for flag in detector.detect(examined)]
    return [flag for flag in found if not kinds or flag.hallucination_type in kinds]
