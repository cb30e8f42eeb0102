"""The eight detectors by name, each imported when it is first made: one that is switched off costs nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import cast

from groundwire.detect.examination import Detector

_HOMES: Mapping[str, tuple[str, str]] = {
    "fabricated_facts": ("fabricated", "FabricatedFactDetector"),
    "nonexistent_entities": ("nonexistent", "NonexistentEntityDetector"),
    "wrong_attributes": ("attributes", "WrongAttributeDetector"),
    "kb_contradictions": ("contradicting", "ContradictsFactDetector"),
    "history_contradictions": ("prior", "PriorDetector"),
    "unsupported_claims": ("unsupported", "UnsupportedDetector"),
    "temporal_errors": ("temporal", "TemporalErrorDetector"),
    "logical_inconsistencies": ("logical", "LogicalInconsistencyDetector"),
}

DETECTOR_MODULES = tuple(module for module, _ in _HOMES.values())


def _make(name: str) -> Detector:
    module, kind = _HOMES[name]
    made = getattr(import_module(f"groundwire.detect.{module}"), kind)
    return cast(Detector, made())


DETECTORS: Mapping[str, Callable[[], Detector]] = {name: partial(_make, name) for name in _HOMES}
