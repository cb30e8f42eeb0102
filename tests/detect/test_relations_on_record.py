"""A knowledge base without statements: relations, states and attributes, and answers that have them otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from tests.detect.kb_examining import CONTRADICTS, WRONG, examine, packaged_judge
from tests.detect.kb_examining import detect as find

from groundwire.detect.amounts.figures import adds_up
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.checked import sets_apart
from groundwire.detect.records.facets import same_words
from groundwire.detect.records.status import agree, exclude_each_other
from groundwire.detect.records.ties import list_ties, speaks_of_tie
from groundwire.detect.weighing.exchanges import are_exchanged
from groundwire.detect.weighing.naming import name_alike
from groundwire.detect.weighing.traits import compare_statements
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.types.detection import HallucinationType


def entity(name: str, kind: str, relations: dict[str, str] | None = None, **attributes: Any) -> dict[str, Any]:
    links = [{"predicate": predicate, "object": other} for predicate, other in (relations or {}).items()]
    return {"name": name, "type": kind, "attributes": attributes, "relations": links}


def kinds_of(text: str, *entities: dict[str, Any]) -> list[HallucinationType]:
    found = find(examine(text, {"entities": list(entities)}, judge=packaged_judge()))
    return [flag.hallucination_type for flag in found]


MILL = entity("Arkwell Mill", "company", {"taken_over_by": "Denholm Group"}, seat="Leeds")
GROUP = entity("Denholm Group", "company", {"took_over": "Arkwell Mill"}, seat="York")
COACH = entity("Ines Adu", "person", {"coach_of": "Mila Rask"}, sport="fencing")
PUPIL = entity("Mila Rask", "person", {"coached_by": "Ines Adu"}, sport="fencing")
JAM = entity("Plum jam", "product", {"contains": "cinnamon"}, weight="250 g")
POOL = entity("Lido", "pool", status="closed for repairs", lanes=6)
FLAT = entity("5 Quay Street", "flat", contract_status="not yet signed", rent="900 EUR")


# ── who does it to whom ─────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Mila Rask coaches Ines Adu.", (COACH, PUPIL)),
        ("Arkwell Mill took over Denholm Group.", (MILL, GROUP)),
        ("Plum jam does not contain any cinnamon.", (JAM,)),
        ("The Lido is open again.", (POOL,)),
    ],
)
def test_a_relation_or_a_state_that_is_turned_contradicts_a_fact(text: str, known: tuple[dict[str, Any], ...]) -> None:
    assert kinds_of(text, *known) == [CONTRADICTS]


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Ines Adu coaches Mila Rask.", (COACH, PUPIL)),
        ("Mila Rask's coach is Ines Adu.", (COACH, PUPIL)),
        ("Arkwell Mill was taken over by Denholm Group.", (MILL, GROUP)),
        ("Arkwell Mill belongs to Denholm Group, which took it over.", (MILL, GROUP)),
        ("There is cinnamon in the plum jam.", (JAM,)),
        ("The Lido is closed at the moment.", (POOL,)),
    ],
)
def test_a_relation_told_from_either_side_is_left_alone(text: str, known: tuple[dict[str, Any], ...]) -> None:
    assert kinds_of(text, *known) == []


@pytest.mark.requirement("DET-020")
def test_another_value_of_an_attribute_is_a_wrong_attribute() -> None:
    assert kinds_of("The plum jam weighs 400 g.", JAM) == [WRONG]
    assert kinds_of("The Lido has eight lanes.", POOL) == [WRONG]


def test_a_relation_is_one_statement_for_all_whom_it_names() -> None:
    known = read_knowledge({"entities": [{"name": "Jam", "relations": {"contains": ["plums", "sugar"]}}]})
    assert isinstance(known, Knowledge)
    assert [tie.text for tie in list_ties(known.entities)] == ["Jam contains plums and sugar."]


def test_a_clause_speaks_of_a_relation_by_a_word_of_it_or_by_the_other_name() -> None:
    known = read_knowledge({"entities": [entity("Sprint 41", "sprint", {"followed_by": "Sprint 42"})]})
    assert isinstance(known, Knowledge)
    bearer = known.entities[0]
    tie = list_ties([bearer])[0]
    assert speaks_of_tie(tie, bearer, "Sprint 41 comes before Sprint 42")
    assert not speaks_of_tie(tie, bearer, "Sprint 41 is about the search")


def test_verbs_of_one_meaning_are_exchanged_and_mutual_ones_are_not() -> None:
    assert are_exchanged("Arkwell bought Denholm", "Denholm acquired Arkwell.")
    assert are_exchanged("Brand studied under Amsel", "Amsel studied under Brand.")
    assert not are_exchanged("The bus takes you back", "You take the bus back.")


# ── states ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("They have already signed the lease", "not yet signed"),
        ("The lease hasn't been signed", "signed"),
        ("It was tested", "untested"),
        ("The room is already taken on Friday", "free on Friday"),
    ],
)
def test_what_is_done_and_what_is_not_exclude_each_other(said: str, stored: str) -> None:
    assert exclude_each_other(said, stored)


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("The lease has not been signed", "not yet signed"),
        ("The lease will be signed in May", "not yet signed"),
        ("Enrolment opens on 16 March", "not yet open"),
    ],
)
def test_what_is_still_to_be_done_is_not_excluded(said: str, stored: str) -> None:
    assert not exclude_each_other(said, stored)


def test_a_denied_state_agrees_with_its_denial_only() -> None:
    assert agree("It has not been approved", "not yet approved")
    assert not agree("It has been approved", "not yet approved")


@pytest.mark.requirement("DET-021")
def test_a_state_is_found_by_the_noun_of_its_attribute() -> None:
    assert kinds_of("The tenants have already signed the contract.", FLAT) == [CONTRADICTS]
    assert kinds_of("The contract has not been signed yet.", FLAT) == []


# ── names and descriptions ──────────────────────────────────────────────────────────────────────


def test_what_is_known_of_a_full_name_is_told_under_the_short_one() -> None:
    known = read_knowledge({"entities": [entity("Lukas Abt", "person")]})
    assert isinstance(known, Knowledge)
    assert name_alike("Lukas Abt reports to Jonas.", [(known.entities[0], "Lukas")]) == "Lukas reports to Jonas."


def test_a_pronoun_after_two_names_that_tell_nothing_means_neither() -> None:
    known = {"entities": [entity("Quill Restrepo", "person"), entity("Odran Coleman", "person")]}
    text = "Quill Restrepo and Odran Coleman never met; she sang in Lima."
    assert meet(examine(text, known)).meant_by("she", text.index("she")) is None


def test_a_thing_is_meant_by_its_noun_and_who_made_it() -> None:
    sonata = entity("Sonata for Viola", "composition", composer="Ada Lind", key="D minor", composed=1931)
    assert kinds_of("The sonata by Ada Lind was composed in 1913.", sonata) == [WRONG]
    assert kinds_of("The sonata by Ada Lind was composed in 1931.", sonata) == []


def test_a_name_with_the_noun_of_its_kind_is_the_thing_itself() -> None:
    drug = entity("Cellmar", "medicine", form="tablet", storage="below 25 °C")
    assert kinds_of("Cellmar tablets must be kept below 30 °C.", drug) == [WRONG]
    assert kinds_of("Cellmar tablets must be kept below 25 °C.", drug) == []


# ── what is not said against a record ───────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-020")
@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("Ada Lind is also a keen cellist.", entity("Ada Lind", "person", profession="dentist")),
        ("Ada Lind is a doctor for hearts.", entity("Ada Lind", "person", profession="cardiologist")),
        ("Today the town goes by the name of Brod.", entity("Brod", "town", former_name="Karlshagen")),
        ("Ada Lind is the keeper.", entity("Ada Lind", "person", position="goalkeeper")),
    ],
)
def test_more_general_further_and_former_values_are_no_contradiction(text: str, known: dict[str, Any]) -> None:
    assert WRONG not in kinds_of(text, known)


def test_a_year_says_nothing_against_a_day_of_the_week() -> None:
    library = entity("Elm Library", "library", closed_on="Monday")
    assert WRONG not in kinds_of("The cellar of the Elm Library was found in 2003.", library)


def test_no_longer_compares_nothing() -> None:
    assert sets_apart("It is longer than the old one")
    assert not sets_apart("It is no longer made")


def test_a_compound_is_what_its_last_part_is() -> None:
    assert same_words("the keeper", "goalkeeper")
    assert not same_words("the striker", "goalkeeper")


def test_a_year_within_a_span_differs_from_neither_end() -> None:
    assert not compare_statements("It was shut in 2019", "It was closed from 2018 to 2025.", None).differing
    assert compare_statements("It was shut in 2016", "It was closed from 2018 to 2025.", None).differing


def test_a_total_is_the_sum_of_the_items_in_one_text() -> None:
    assert adds_up(875.0, ["rent 780, electricity 60, internet 35"])
    assert not adds_up(870.0, ["rent 780, electricity 60, internet 35"])


@pytest.mark.requirement("DET-021")
def test_of_an_order_its_state_is_a_fact_and_its_carrier_an_attribute() -> None:
    order = entity("Order 771", "order", carrier="Hermes", status="delivered")
    assert kinds_of("Order 771 was shipped with Parcelo.", order)[:1] == [WRONG]
    assert kinds_of("Order 771 has not been delivered.", order) == [CONTRADICTS]
