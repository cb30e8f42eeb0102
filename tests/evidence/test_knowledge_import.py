"""Knowledge from JSON, CSV and JSON-LD."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InvalidInput
from groundwire.evidence.gathering import DEEPEST
from groundwire.evidence.knowledge_import import read_csv, read_knowledge
from groundwire.evidence.linked_data import read_json_ld


def _attribute(value: object) -> dict[str, object]:
    return {"entities": [{"name": "a", "attributes": {"x": value}}]}


def _values(attributes: dict[str, Any], name: str) -> list[str]:
    knowledge = read_knowledge({"entities": [{"name": "Ada", "attributes": attributes}]})
    return [value.value for value in knowledge.entities[0].get_attribute(name)]


@pytest.mark.parametrize(
    ("stored", "text"),
    [
        ("Oslo", ["Oslo"]),
        (5, ["5"]),
        (4.0, ["4"]),
        (2.5, ["2.5"]),
        (True, ["true"]),
        (["a", "b"], ["a", "b"]),
        ({"value": 5, "unit": "kg"}, ["5 kg"]),
        ({"amount": 40, "currency": "USD"}, ["40 USD"]),
        (None, []),
        ({"value": ["x", "y"], "trust": 0.5}, ["x", "y"]),
    ],
)
def test_values_of_every_type_are_stored_as_text(stored: object, text: list[str]) -> None:
    assert _values({"thing": stored}, "thing") == text


def test_a_nested_object_is_kept_whole_and_in_its_parts() -> None:
    attributes = {"address": {"city": "Oslo", "zip": "0150"}}
    assert _values(attributes, "address") == ["Oslo, 0150"]
    assert _values(attributes, "address city") == ["Oslo"]


def test_the_most_trusted_value_comes_first_then_the_newest() -> None:
    rows = [
        {"value": "old", "trust": 0.8, "timestamp": "2020-01-01"},
        {"value": "weak", "trust": 0.1},
        {"value": "new", "trust": 0.8, "timestamp": 1_700_000_000, "source": "crm"},
    ]
    knowledge = read_knowledge({"entities": [{"name": "Ada", "attributes": {"city": rows}}]})
    found = knowledge.entities[0].get_attribute("city")
    assert [value.value for value in found] == ["new", "old", "weak"]
    assert (found[0].source, found[0].timestamp, found[1].timestamp) == ("crm", 1_700_000_000, 1_577_836_800)


def test_the_same_name_twice_is_one_entity() -> None:
    rows = [{"name": "Ada", "type": "person", "attributes": {"a": 1}}, {"name": "ada", "attributes": {"b": 2}}]
    (entity,) = read_knowledge({"entities": rows}).entities
    assert entity.attribute_names == ("a", "b")


def test_relations_are_attributes_as_well() -> None:
    rows = [
        {"name": "Ada", "relations": {"manager": "Bo"}},
        {"name": "Cy", "relations": [{"type": "manager", "target": "Bo"}]},
    ]
    for entity in read_knowledge({"entities": rows}).entities:
        assert [(link.kind, link.target) for link in entity.relations] == [("manager", "Bo")]
        assert entity.has_attribute("boss")


def test_statements_and_complete_classes_are_read() -> None:
    knowledge = read_knowledge(
        {
            "statements": ["A rule.", {"id": "x", "text": "Another.", "trust": 0.5, "timestamp": 7}],
            "complete": ["Person"],
        }
    )
    assert [(m.id, m.text, m.trust, m.timestamp) for m in knowledge.told] == [
        ("s1", "A rule.", 1.0, None),
        ("x", "Another.", 0.5, 7),
    ]
    assert knowledge.complete_types == {"person"}


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ([], "knowledge"),
        ({"entities": {}}, "knowledge.entities"),
        ({"entities": [{}]}, "knowledge.entities[0].name"),
        ({"entities": [{"name": "a"}, {"name": "b"}, {"name": 3}]}, "knowledge.entities[2].name"),
        ({"entities": [{"name": " "}]}, "knowledge.entities[0].name"),
        ({"entities": [{"name": "a", "aliases": "b"}]}, "knowledge.entities[0].aliases"),
        ({"entities": [{"name": "a", "attributes": []}]}, "knowledge.entities[0].attributes"),
        (_attribute({"value": 1, "trust": 2}), "knowledge.entities[0].attributes.x.trust"),
        (_attribute([{"value": 1, "timestamp": "soon"}]), "knowledge.entities[0].attributes.x[0].timestamp"),
        ({"entities": [{"name": "a", "attributes": {"x": float("nan")}}]}, "knowledge.entities[0].attributes.x"),
        ({"entities": [{"name": "a", "relations": [{"type": "t"}]}]}, "knowledge.entities[0].relations[0].target"),
        ({"statements": [{"id": "x"}]}, "knowledge.statements[0].text"),
        ({"statements": [""]}, "knowledge.statements[0].text"),
        ({"complete": [1]}, "knowledge.complete[0]"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_path(data: object, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_knowledge(data)
    assert caught.value.field == field


def test_what_is_nested_too_deep_is_refused() -> None:
    value: object = "x"
    for _ in range(DEEPEST + 2):
        value = {"inner": value}
    with pytest.raises(InvalidInput, match="levels deep"):
        read_knowledge({"entities": [{"name": "a", "attributes": {"x": value}}]})


def test_a_table_is_read_row_by_row() -> None:
    table = (
        "Entity,type,attribute,value,source,trust,timestamp\n"
        "Ada,person,department,Sales,hr,0.9,2024-01-01\n"
        'Ada,,city,"Oslo, Norway",,,\n'
        "Ada,,alias,Addy; Miss A,,,\n"
        ",,,,,,\n"
    )
    (entity,) = read_csv(table).entities
    assert (entity.name, entity.type, entity.aliases) == ("Ada", "person", ("Addy", "Miss A"))
    (department,) = entity.get_attribute("department")
    assert (department.value, department.source, department.trust, department.timestamp) == (
        "Sales",
        "hr",
        0.9,
        1_704_067_200,
    )
    assert entity.get_attribute("city")[0].value == "Oslo, Norway"


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ("name,value\nAda,1\n", "no column 'entity'"),
        ("entity,attribute,value\n,city,Oslo\n", "line 2.entity"),
        ("entity,attribute,value\nAda,city,Oslo,extra\n", "more fields"),
        ("entity,attribute,value,trust\nAda,city,Oslo,high\n", "line 2.trust"),
        ('entity,attribute,value\nAda,city,"Oslo\n', "not CSV"),
    ],
)
def test_a_broken_table_is_refused(table: str, problem: str) -> None:
    with pytest.raises(InvalidInput, match=problem):
        read_csv(table)


def test_linked_data_is_read_without_its_context() -> None:
    graph = {
        "@context": "https://schema.org/",
        "@graph": [
            {
                "@id": "ex:acme",
                "@type": "https://schema.org/Organization",
                "name": "Acme",
                "alternateName": ["ACME Inc"],
            },
            {
                "@id": "ex:ada",
                "@type": ["Person"],
                "schema:name": "Ada Byron",
                "http://schema.org/worksFor": {"@id": "ex:acme"},
                "birthDate": {"@value": "1815-12-10", "@type": "xsd:date"},
                "knowsLanguage": ["en", "fr"],
                "address": {"@type": "PostalAddress", "addressLocality": "London"},
            },
        ],
    }
    knowledge = read_json_ld(json.dumps(graph))
    acme, ada = knowledge.get_entity("ACME Inc"), knowledge.get_entity("Ada Byron")
    assert acme is not None
    assert ada is not None
    assert (acme.type, ada.type) == ("Organization", "Person")
    assert [value.value for value in ada.get_attribute("worksFor")] == ["Acme"]
    assert [value.value for value in ada.get_attribute("birthDate")] == ["1815-12-10"]
    assert [value.value for value in ada.get_attribute("knowsLanguage")] == ["en", "fr"]
    assert [value.value for value in ada.get_attribute("address addressLocality")] == ["London"]
    assert [(link.kind, link.target) for link in ada.relations] == [("worksFor", "Acme")]


def test_linked_data_that_is_no_json_is_refused() -> None:
    with pytest.raises(InvalidInput, match="not JSON"):
        read_json_ld("{")
    with pytest.raises(InvalidInput, match="not an object"):
        read_json_ld([3])


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-10, 10) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=12,
)


@given(_JSON)
def test_any_json_is_read_or_refused(data: object) -> None:
    for read in (read_knowledge, read_json_ld):
        for given_ in (data, {"entities": data}, {"entities": [{"name": "a", "attributes": {"x": data}}]}):
            try:
                read(given_)
            except InvalidInput as error:
                assert error.field.startswith("knowledge")


@given(st.text(max_size=120))
def test_any_table_is_read_or_refused(text: str) -> None:
    try:
        read_csv(f"entity,attribute,value\n{text}")
    except InvalidInput as error:
        assert error.field.startswith("knowledge")


@given(
    st.dictionaries(
        st.from_regex(r"[a-z]{3,8}", fullmatch=True),
        st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=9),
        max_size=6,
    )
)
def test_what_is_written_is_what_is_stored(attributes: dict[str, str]) -> None:
    (entity,) = read_knowledge({"entities": [{"name": "Ada", "attributes": attributes}]}).entities
    assert {name: values[0].value for name, values in entity.attributes.items()} == attributes
