"""What is looked for, how much each detector counts, and from where on something is done about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Self

from groundwire.errors import InvalidInput
from groundwire.settings import Settings

_LARGEST_WEIGHT = 10.0
_MOST_CLAIMS = 10_000


@dataclass(frozen=True, slots=True)
class EnabledDetectors:
    """A detector that is switched off is not even built."""

    fabricated_facts: bool = True
    nonexistent_entities: bool = True
    wrong_attributes: bool = True
    kb_contradictions: bool = True
    history_contradictions: bool = True
    unsupported_claims: bool = True
    temporal_errors: bool = True
    logical_inconsistencies: bool = True

    def __post_init__(self) -> None:
        for name in DETECTOR_NAMES:
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(name, f"{getattr(self, name)!r} is neither true nor false")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in DETECTOR_NAMES if getattr(self, name))


DETECTOR_NAMES = tuple(switch.name for switch in fields(EnabledDetectors))


@dataclass(frozen=True, slots=True)
class HallucinationDetectorConfig:
    """`detector_weights` multiply a detector's confidence; one that is not named counts fully."""

    detection_threshold: float = 0.5
    enabled_detectors: EnabledDetectors = EnabledDetectors()
    detector_weights: Mapping[str, float] = field(default_factory=dict[str, float])
    max_claims: int = 50

    def __post_init__(self) -> None:
        _check_share("detection_threshold", self.detection_threshold)
        _check_count("max_claims", self.max_claims, 1, _MOST_CLAIMS)
        for name, weight in self.detector_weights.items():
            if name not in DETECTOR_NAMES:
                raise InvalidInput(
                    "detector_weights", f"there is no detector {name!r}; known: {', '.join(DETECTOR_NAMES)}"
                )
            _check_number(f"detector_weights.{name}", weight, _LARGEST_WEIGHT)

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        off = dict.fromkeys(settings.disabled_detectors, False)
        return cls(settings.detection_threshold, EnabledDetectors(**off), max_claims=settings.max_claims)

    def weigh(self, detector: str, confidence: float) -> float:
        return min(max(confidence * self.detector_weights.get(detector, 1.0), 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class EvidenceWeights:
    """How much each factor may move a score: `w * factor + (1 - w)`."""

    kb_evidence: float = 0.35
    history_evidence: float = 0.25
    linguistic_signals: float = 0.20
    consistency: float = 0.20

    def __post_init__(self) -> None:
        for weight in fields(self):
            _check_share(weight.name, getattr(self, weight.name))


@dataclass(frozen=True, slots=True)
class MitigationConfig:
    """From which confidence on a flag is annotated, corrected or removed, and an answer written again."""

    auto_correct_threshold: float = 0.8
    flag_threshold: float = 0.5
    regenerate_threshold: float = 0.85
    max_corrections: int = 5

    def __post_init__(self) -> None:
        for name in ("auto_correct_threshold", "flag_threshold", "regenerate_threshold"):
            _check_share(name, getattr(self, name))
        _check_count("max_corrections", self.max_corrections, 0, _MOST_CLAIMS)
        if self.flag_threshold > self.auto_correct_threshold:
            problem = f"{self.flag_threshold} is above auto_correct_threshold ({self.auto_correct_threshold})"
            raise InvalidInput("flag_threshold", problem)

    @classmethod
    def from_settings(cls, settings: Settings) -> Self:
        return cls(
            settings.auto_correct_threshold,
            settings.flag_threshold,
            settings.regenerate_threshold,
            settings.max_corrections,
        )


def _check_share(name: str, value: object) -> None:
    _check_number(name, value, 1.0)


def _check_number(name: str, value: object, most: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value <= most:  # NaN fails as well
        raise InvalidInput(name, f"{value!r} is not a number from 0 to {most:g}")


def _check_count(name: str, value: object, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidInput(name, f"{value!r} is not a whole number from {least} to {most:,}")
