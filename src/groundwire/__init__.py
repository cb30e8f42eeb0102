"""Groundwire: nothing ungrounded gets in, nothing ungrounded gets out.

Importing this package is cheap: names are loaded when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.detect.detector import HallucinationDetector
    from groundwire.detect.mitigation import HallucinationMitigator
    from groundwire.errors import GroundwireError, InvalidInput
    from groundwire.settings import Settings
    from groundwire.text.claims import extract_claims
    from groundwire.text.extraction import FactExtractor, extract_fact_slots
    from groundwire.types import (
        Action,
        Claim,
        ContradictionDetail,
        ExtractedFact,
        Memory,
        Span,
        Verdict,
        VerificationReport,
    )
    from groundwire.types.detection import DetectionReport, HallucinationFlag, HallucinationType
    from groundwire.verify.contradictions import ContradictionDetector
    from groundwire.verify.report import GroundCheckVerifier

    __version__: str

__all__ = [
    "Action",
    "Claim",
    "ContradictionDetail",
    "ContradictionDetector",
    "DetectionReport",
    "ExtractedFact",
    "FactExtractor",
    "GroundCheckVerifier",
    "Groundwire",
    "GroundwireError",
    "HallucinationDetector",
    "HallucinationFlag",
    "HallucinationMitigator",
    "HallucinationType",
    "InvalidInput",
    "Memory",
    "Settings",
    "Span",
    "Verdict",
    "VerificationReport",
    "__version__",
    "extract_claims",
    "extract_fact_slots",
]

_HOMES = {
    "ContradictionDetector": "groundwire.verify.contradictions",
    "DetectionReport": "groundwire.types.detection",
    "FactExtractor": "groundwire.text.extraction",
    "GroundCheckVerifier": "groundwire.verify.report",
    "Groundwire": "groundwire.app",
    "GroundwireError": "groundwire.errors",
    "HallucinationDetector": "groundwire.detect.detector",
    "HallucinationFlag": "groundwire.types.detection",
    "HallucinationMitigator": "groundwire.detect.mitigation",
    "HallucinationType": "groundwire.types.detection",
    "InvalidInput": "groundwire.errors",
    "Settings": "groundwire.settings",
    "extract_claims": "groundwire.text.claims",
    "extract_fact_slots": "groundwire.text.extraction",
}


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        return version("groundwire")
    if name not in __all__:
        raise AttributeError(f"module 'groundwire' has no attribute {name!r}")
    return getattr(import_module(_HOMES.get(name, "groundwire.types")), name)


def __dir__() -> list[str]:
    return sorted(__all__)
