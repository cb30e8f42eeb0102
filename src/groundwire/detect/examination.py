"""One answer under examination: everything that the detectors share, read once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from groundwire.evidence.lookups import DialogueState, KnowledgeBase
from groundwire.judge.judge import Judge
from groundwire.types import Claim, ResponseSegment
from groundwire.types.detection import HallucinationFlag


@dataclass(frozen=True, slots=True)
class Examination:
    """`claims` are those of all segments in text order, already limited to what may be analysed.

    `judge` decides where language does; `similarity` is the cosine of two statements by the embedder.
    """

    text: str
    segments: tuple[ResponseSegment, ...]
    claims: tuple[Claim, ...]
    dialogue: DialogueState
    knowledge: KnowledgeBase
    judge: Judge
    similarity: Callable[[str, str], float]
    now: datetime
    memo: dict[str, object] = field(default_factory=dict[str, object], compare=False, repr=False)
    """What several detectors need and one of them has worked out already."""


class Detector(Protocol):
    """One kind of fault. A detector says what it found; scoring and thresholds come after it."""

    @property
    def name(self) -> str:
        """As in `EnabledDetectors` and `detector_weights`."""
        ...

    def detect(self, examined: Examination) -> Sequence[HallucinationFlag]: ...
