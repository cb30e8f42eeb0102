"""Fabricated facts: unknown subjects, and attributes that no record has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kb_examining import FABRICATED, Registry, Talk, detect, examine

from groundwire.detect.fabricated import fabrication_confidence
from groundwire.evidence.knowledge import Knowledge, KnownEntity
from groundwire.evidence.lookups import AttributeValue
from groundwire.types.detection import DialogueTurn, Stance


@pytest.mark.requirement("DET-001", "DET-006", "DET-016")
@pytest.mark.parametrize(
    "text",
    [
        "The company was founded in 1847 by James Roberts.",
        "Acme was founded by James Roberts in 1847.",
        "James Roberts started Acme Corp back in 1847.",
        "Established in 1847 by James Roberts, Acme makes batteries.",
        "Acme Corp has been around since 1847, when James Roberts founded it.",
        "The founder of Acme is James Roberts, who set it up in 1847.",
    ],
)
def test_an_invented_founding_is_fabricated(text: str) -> None:
    flags = detect(examine(text), FABRICATED)
    assert flags
    assert all(flag.is_unverifiable for flag in flags)


@pytest.mark.requirement("DET-015")
@pytest.mark.parametrize(
    "text", ["Henrik Dahl heads the Oslo branch.", "Dr. Annika Vos offers acupuncture on Tuesdays."]
)
def test_a_claim_on_an_unknown_name_has_confidence_085(text: str) -> None:
    (flag,) = detect(examine(text), FABRICATED)
    assert flag.confidence == 0.85
    assert flag.correct_value is None
    assert flag.kb is not None
    assert flag.kb.stance is Stance.UNKNOWN


@pytest.mark.requirement("DET-015")
def test_without_knowledge_nothing_is_fabricated() -> None:
    assert detect(examine("Henrik Dahl heads the Oslo branch.", Knowledge()), FABRICATED) == []


@pytest.mark.requirement("DET-015")
@pytest.mark.parametrize(
    "text",
    [
        "You live in Paris.",
        "I have checked the calendar for you.",
        "She likes tea.",
        "The weather is cold in winter.",
        "Breakfast is served at eight.",
        "Paris is the capital of France.",
        "Python is a programming language.",
        "Henrik Dahl may head the Oslo branch.",
        "Does Henrik Dahl head the Oslo branch?",
        "Dear Henrik, thank you for your message.",
        "John Smith is a great colleague.",
        "John Smith will send you the report tomorrow.",
        "You could ask John Smith.",
        "John Smith works in Engineering as a software engineer.",
    ],
)
def test_users_pronouns_public_names_opinions_and_questions_are_exempt(text: str) -> None:
    assert detect(examine(text), FABRICATED) == []


@pytest.mark.requirement("DET-015", "DET-018")
def test_somebody_whom_the_dialogue_has_named_is_not_made_up() -> None:
    talk = Talk((DialogueTurn(0, "user", "My friend Tomke moved to Oslo."),), Registry(("Tomke",)))
    assert detect(examine("Tomke lives in Oslo now.", dialogue=talk), FABRICATED) == []
    assert detect(examine("Tomke lives in Oslo now."), FABRICATED)


@pytest.mark.requirement("DET-011", "DET-016")
def test_the_evidence_lists_the_known_attributes() -> None:
    (flag,) = detect(examine("John Smith has won the chess cup of 2019."), FABRICATED)
    assert flag.evidence is not None
    assert "department, title, email" in flag.evidence
    assert flag.confidence >= 0.5


def _entity(count: int, *names: str) -> KnownEntity:
    attributes = {f"detail {chr(97 + i)}x": (AttributeValue("v"),) for i in range(count - len(names))}
    return KnownEntity("E", "person", (), attributes | {name: (AttributeValue("v"),) for name in names})


@pytest.mark.requirement("DET-017")
@pytest.mark.parametrize(
    ("entity", "predicate", "confidence"),
    [
        (_entity(3, "birthday"), "birthday place", 0.6),
        (_entity(3), "marathon", 0.5),
        (_entity(11), "marathon", 0.65),
        (_entity(11, "mobile"), "email", 0.85),
        (_entity(2, "mobile"), "email", 0.7),
        (_entity(2), "department", 0.6),
    ],
)
def test_the_confidence_of_a_fabrication(entity: KnownEntity, predicate: str, confidence: float) -> None:
    assert fabrication_confidence(entity, predicate) == confidence


@pytest.mark.requirement("DET-017")
@given(st.integers(0, 30), st.text(max_size=20))
def test_the_confidence_stays_within_bounds(count: int, predicate: str) -> None:
    assert 0.0 <= fabrication_confidence(_entity(count), predicate) <= 1.0
