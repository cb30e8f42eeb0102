"""Nonexistent entities: names that neither the dialogue nor the knowledge base has."""

from __future__ import annotations

import pytest
from kb_examining import NONEXISTENT, Registry, Talk, detect, examine

from groundwire.detect.nonexistent import nonexistence_confidence
from groundwire.evidence.knowledge import Knowledge
from groundwire.types import EntityMention, MentionType, Span
from groundwire.types.detection import DialogueTurn


@pytest.mark.requirement("DET-006", "DET-018")
@pytest.mark.parametrize(
    "text",
    [
        "Sarah from Analytics will send you the report.",
        "You can ask Sarah in Analytics about the numbers.",
        "Sarah in Analytics prepared the dashboard.",
        "I have forwarded your request to Sarah, who works in Analytics.",
        "According to Sarah from the Analytics team, sales are up.",
        "Your contact is Sarah (Analytics).",
    ],
)
def test_an_unknown_sarah_does_not_exist(text: str) -> None:
    (flag,) = detect(examine(text), NONEXISTENT)
    assert flag.content == "Sarah"
    assert text[slice(*flag.span)] == "Sarah"
    assert flag.confidence == 0.85
    assert flag.evidence is not None
    assert "knowledge base" in flag.evidence
    assert flag.is_unverifiable


@pytest.mark.requirement("DET-018")
@pytest.mark.parametrize(
    "text",
    [
        "John will help you.",
        "Mr. Smith will help you.",
        "Jonh Smith will help you.",
        "The Aurora Lamp is sold out on Tuesday.",
        "We met in Paris in March and spoke French.",
        "It costs 40 USD, or EUR 38, at 5 kW.",
        "I can help you with Python, Excel and Google Maps.",
        "Dear Henrik, thank you. Kind regards",
        "She said that he would come.",
        "The manager will call you.",
        "Someone from the team will call you.",
        "Engineering is responsible for it.",
        "The CEO has to decide.",
        "Their Norwegian office is small.",
        "Kick-off is at noon.",
    ],
)
def test_known_public_and_ordinary_names_exist(text: str) -> None:
    assert detect(examine(text), NONEXISTENT) == []


@pytest.mark.requirement("DET-018")
@pytest.mark.parametrize("name", ["Joan Smith", "Aurora Lamp Pro", "Room 12", "Acme Robotics"])
def test_another_first_name_number_or_addition_is_another_one(name: str) -> None:
    known = {"entities": [{"name": n, "type": "thing"} for n in ("John Smith", "Aurora Lamp", "Room 13", "Acme")]}
    flags = detect(examine(f"Please ask for {name} there.", known), NONEXISTENT)
    assert bool(flags) is (name != "Room 12")  # "Room" is an ordinary word, and so no name to be looked up


@pytest.mark.requirement("DET-018")
def test_a_name_of_the_dialogue_exists() -> None:
    said = Talk((DialogueTurn(0, "user", "I talked to Brunhild Quast."),), Registry(("Brunhild Quast",)))
    resolved = Talk(meant=(("quast", "Brunhild Quast"),))
    assert detect(examine("Brunhild Quast will call you.", dialogue=said), NONEXISTENT) == []
    assert detect(examine("Quast will call you.", dialogue=resolved), NONEXISTENT) == []
    assert detect(examine("Brunhild Quast will call you."), NONEXISTENT)


@pytest.mark.requirement("DET-018")
def test_public_names_are_looked_up_where_the_class_is_complete() -> None:
    known = {"entities": [{"name": "Berlin", "type": "place"}]}
    assert detect(examine("We also ship to Paris.", known), NONEXISTENT) == []
    (flag,) = detect(examine("We also ship to Paris.", known | {"complete": ["place"]}), NONEXISTENT)
    assert flag.content == "Paris"


def test_nothing_can_be_missing_from_an_empty_knowledge_base() -> None:
    assert detect(examine("Sarah from Analytics will call.", Knowledge()), NONEXISTENT) == []


@pytest.mark.requirement("DET-019")
@pytest.mark.parametrize(
    ("surface", "kind", "similar", "confidence"),
    [
        ("Sarah", MentionType.PROPER_NAME, False, 0.85),
        ("Sarah", MentionType.PROPER_NAME, True, 0.65),
        ("the XR5 adapter", MentionType.DEFINITE_DESC, False, 0.75),
        ("the team", MentionType.DEFINITE_DESC, False, 0.45),
        ("someone", MentionType.OTHER, False, 0.4),
        ("the steamer Q9", MentionType.DEFINITE_DESC, False, 0.75),
    ],
)
def test_the_confidence_of_nonexistence(surface: str, kind: MentionType, similar: bool, confidence: float) -> None:
    talk = Talk(entity_registry=Registry(similar=(("Sara", 0.9),) if similar else ()))
    mention = EntityMention(surface, Span(0, len(surface)), kind)
    assert nonexistence_confidence(examine(surface, dialogue=talk), mention) == confidence
