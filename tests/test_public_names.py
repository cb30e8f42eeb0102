"""The names that other people's code may rely on: changing this list is changing the product."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

import groundwire

PUBLIC_NAMES = [
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


def test_exported_names_are_pinned():
    assert sorted(groundwire.__all__) == PUBLIC_NAMES


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_every_exported_name_is_there_and_listed(name: str):
    assert getattr(groundwire, name) == getattr(groundwire, name)
    assert name in dir(groundwire)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="Groundwir"):
        getattr(groundwire, "Groundwir")  # noqa: B009


def test_exported_names_say_where_they_live():
    for name in PUBLIC_NAMES:
        value = getattr(groundwire, name)
        if not isinstance(value, str):
            assert value.__module__.startswith("groundwire."), name


def test_the_version_is_the_same_everywhere():
    changelog = (Path(__file__).parent.parent / "CHANGELOG.md").read_text(encoding="utf-8")
    assert groundwire.__version__ == importlib.metadata.version("groundwire")
    assert f"## [{groundwire.__version__}]" in changelog
