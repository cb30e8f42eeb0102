"""The knowledge base: who is found by which name, and what is stored of whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import count_calls
from groundwire.evidence.knowledge import Knowledge, KnownEntity
from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.evidence.lookups import AttributeValue, Entity, KnowledgeBase
from groundwire.evidence.recollection import recollect
from groundwire.types.memories import Memory, MemoryStatus

NAMES = [
    "John Smith",
    "Acme Corp.",
    "Room 13",
    "Q3 review",
    "Orbit X2",
    "Board meeting",
    "Project Falcon",
    "Zoë Müller",
]


@pytest.fixture
def knowledge() -> Knowledge:
    return Knowledge([KnownEntity(name, aliases=("Johnny",) if name == "John Smith" else ()) for name in NAMES])


@pytest.mark.requirement("DET-048")
def test_knowledge_answers_what_the_detectors_ask(knowledge: Knowledge) -> None:
    asked: KnowledgeBase = knowledge
    entity: Entity | None = asked.get_entity("johnny")
    assert entity is not None
    assert entity.name == "John Smith"
    assert asked.entity_exists("Falcon")
    assert not asked.entity_exists("Condor")
    assert asked.get_entity("Smith") is None
    assert not asked.is_empty
    assert Knowledge().is_empty


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("john smith", "John Smith"),
        ("Dr. John Smith's", "John Smith"),
        ("Smith", "John Smith"),
        ("J. Smith", "John Smith"),
        ("John A. Smith", "John Smith"),
        ("Jonh Smith", "John Smith"),
        ("John Smiht", "John Smith"),
        ("the Acme Corporation", "Acme Corp."),
        ("ACME", "Acme Corp."),
        ("the Orbit", "Orbit X2"),
        ("Orbit-X2", "Orbit X2"),
        ("the meeting", "Board meeting"),
        ("the Falcon project", "Project Falcon"),
        ("Zoe Muller", "Zoë Müller"),
        ("Joan Smith", None),
        ("Jane Smith", None),
        ("Room 12", None),
        ("Room", None),
        ("Q4 review", None),
        ("Orbit X3", None),
        ("the board", None),
        ("", None),
    ],
)
def test_names_are_found_in_spite_of_their_trimmings(knowledge: Knowledge, said: str, meant: str | None) -> None:
    found = knowledge.find_entity(said)
    assert (found.name if found is not None else None) == meant


def test_a_part_that_two_bear_means_neither() -> None:
    knowledge = Knowledge([KnownEntity("John Smith"), KnownEntity("Ada Smith")])
    assert knowledge.find_entity("Smith") is None
    assert {entity.name for entity in knowledge.find_all("Smith")} == {"John Smith", "Ada Smith"}


def test_similar_names_come_best_first(knowledge: Knowledge) -> None:
    found = knowledge.find_similar("Jon Smith")
    assert [entity.name for entity, _ in found] == ["John Smith"]
    assert knowledge.find_similar("Orbit X3") == ()


@pytest.mark.requirement("DET-048")
def test_attributes_are_found_by_what_they_mean() -> None:
    entity = KnownEntity(
        "Ada",
        "person",
        (),
        {"dept": (AttributeValue("Sales"),), "jobTitle": (AttributeValue("analyst"),), "boss": (AttributeValue("Bo"),)},
    )
    assert entity.attribute_names == ("dept", "jobTitle", "boss")
    assert entity.attribute_count == 3
    assert entity.has_attribute("works in")
    assert [value.value for value in entity.get_attribute("department")] == ["Sales"]
    assert [value.value for value in entity.get_attribute("role")] == ["analyst"]
    assert [value.value for value in entity.get_attribute("reports to")] == ["Bo"]
    assert not entity.has_attribute("birthday")
    assert entity.get_attribute("birthday") == ()
    assert set(entity.similar_attributes("employer")) == {"dept", "jobTitle", "boss"}
    assert entity.similar_attributes("marathon time") == ()


def test_memories_become_entities_and_keep_what_disagrees() -> None:
    memories = [
        Memory("m1", "I work at Acme.", trust=0.9, timestamp=10),
        Memory("m2", "I work at Globex.", trust=0.6, timestamp=20),
        Memory("m3", "My manager is Ellen Park."),
        Memory("m4", "Ellen Park lives in Oslo."),
        Memory("m5", "I used to live in Bonn."),
        Memory("m6", "I work at Initech.", status=MemoryStatus.SUPERSEDED),
    ]
    knowledge = recollect(memories)
    user = knowledge.get_entity("user")
    assert user is not None
    employers = user.get_attribute("employer")
    assert [(v.value, v.source, v.trust, v.timestamp) for v in employers] == [
        ("Acme", "m1", 0.9, 10),
        ("Globex", "m2", 0.6, 20),
    ]
    ellen = knowledge.find_entity("Ellen")
    assert ellen is not None
    assert [value.value for value in ellen.get_attribute("location")] == ["Oslo"]
    assert not user.has_attribute("location")
    assert [memory.id for memory in knowledge.told] == ["m1", "m2", "m3", "m4", "m5"]


def test_everything_stored_can_be_told_and_is_mentioned() -> None:
    knowledge = read_knowledge(
        {
            "entities": [{"name": "Ada", "attributes": {"manager": "Ellen Park", "remote": True}}],
            "statements": ["Bo sings."],
        }
    )
    assert [memory.text for memory in knowledge.statements] == [
        "Bo sings.",
        "Ada's manager is Ellen Park.",
        "Ada is remote.",
    ]
    assert knowledge.mentions("Ellen Park")
    assert knowledge.mentions("Bo")
    assert not knowledge.mentions("Park Ellen")
    assert [bearer.attribute for bearer in knowledge.bearers("ellen park")] == ["manager"]


def test_building_and_asking_grow_with_the_number_of_entities_only() -> None:
    def build(count: int) -> int:
        rows = [
            {"name": f"Person {i} Family {i * 7}", "type": "person", "attributes": {"room": i, "team": "Blue"}}
            for i in range(count)
        ]

        def ask() -> None:
            knowledge = read_knowledge({"entities": rows})
            for i in range(0, count, 4):
                knowledge.find_entity(f"Person {i} Family {i * 7}")

        return count_calls(ask)

    build(50)
    assert build(1600) < 12 * build(200)


@given(st.text(max_size=200))
def test_any_name_may_be_asked_for(name: str) -> None:
    knowledge = Knowledge([KnownEntity(known) for known in NAMES])
    knowledge.find_entity(name)
    knowledge.mentions(name)
    assert all(0.8 <= score <= 1.0 for _, score in knowledge.find_similar(name))


@given(st.sampled_from(NAMES), st.sampled_from(["{}", "the {}", "{}'s", "{}"]), st.booleans())
def test_a_name_is_found_however_it_is_written(name: str, form: str, loud: bool) -> None:
    knowledge = Knowledge([KnownEntity(known) for known in NAMES])
    said = form.format(name)
    found = knowledge.get_entity(said.upper() if loud else said)
    assert found is not None
    assert found.name == name
