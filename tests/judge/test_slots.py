"""One fact of a claim against one fact of the evidence: what a slot can prove, deny, or leave open."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.alignment import Aliases
from groundwire.judge.findings import Finding
from groundwire.judge.slots import amounts_differ, compare_facts, relate_values
from groundwire.text.reading import read_text
from groundwire.text.values import Relation
from groundwire.types import ExtractedFact, Verdict

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)


def read_fact(text: str) -> ExtractedFact:
    return next(fact for fact in read_text(text).facts if fact.pattern != "predicate")


def compare(claim: str, evidence: str) -> Finding | None:
    return compare_facts(read_fact(claim), read_fact(evidence), Aliases())


def verdict(claim: str, evidence: str) -> Verdict | None:
    found = compare(claim, evidence)
    return found.verdict if found is not None else None


@pytest.mark.requirement("CTR-022", "CTR-026", "CTR-028", "TXT-018", "TXT-019")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        # an exclusive slot holds one value
        ("You work at Bosch.", "I work at Bosch.", SUPPORTED),
        ("You work at Bosch.", "I work at Siemens.", REFUTED),
        ("You live in Leeds.", "I live in York.", REFUTED),
        ("Your favorite color is teal.", "My favorite color is mauve.", REFUTED),
        # a denial
        ("You work at Bosch.", "I don't work at Bosch.", REFUTED),
        ("You work at Bosch.", "I don't work at Siemens.", None),
        ("You don't work at Bosch.", "I work at Bosch.", REFUTED),
        ("You don't work at Bosch.", "I work at Siemens.", SUPPORTED),
        ("You don't work at Bosch.", "I don't work at Bosch.", SUPPORTED),
        ("You don't work at Bosch.", "I don't work at Siemens.", None),
        # what has ended
        ("You work at Bosch.", "I used to work at Bosch.", REFUTED),
        ("You work at Bosch.", "I no longer work at Bosch.", REFUTED),
        ("You used to work at Bosch.", "I used to work at Bosch.", SUPPORTED),
        ("You used to work at Bosch.", "I used to work at Siemens.", None),
        ("You used to work at Bosch.", "I work at Siemens.", None),
        ("You don't work at Bosch.", "I used to work at Bosch.", SUPPORTED),
        ("You will work at Bosch.", "I work at Bosch.", INSUFFICIENT),
        # an additive slot holds many
        ("You speak Danish.", "I speak Danish.", SUPPORTED),
        ("You speak Danish.", "I speak Swedish.", None),
        ("You speak Danish.", "I don't speak Danish.", REFUTED),
        ("You speak Danish.", "I don't speak Swedish.", None),
        ("You don't speak Danish.", "I speak Swedish.", None),
        ("You don't speak Danish.", "I speak Danish.", REFUTED),
        ("You are allergic to nuts.", "I am allergic to shellfish.", None),
    ],
)
def test_a_slot_supports_refutes_or_says_nothing(claim: str, evidence: str, expected: Verdict | None):
    assert verdict(claim, evidence) is expected


@pytest.mark.requirement("CTR-027", "TXT-017")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You work at Bosch.", "Alice works at Bosch."),
        ("You work at Bosch.", "Alice works at Siemens."),
        ("Alice works at Bosch.", "I work at Bosch."),
        ("Your sister works at Bosch.", "My brother works at Bosch."),
        ("Your sister works at Bosch.", "I work at Siemens."),
        ("You work at Bosch.", "I live in Ulm."),
    ],
)
def test_another_subject_or_slot_says_nothing(claim: str, evidence: str):
    assert compare(claim, evidence) is None


@pytest.mark.requirement("TXT-003")
def test_a_guess_in_the_evidence_says_nothing():
    assert compare("You work at Bosch.", "Maybe I work at Bosch.") is None
    assert compare("You work at Bosch.", "I think I work at Siemens.") is None


@pytest.mark.requirement("CTR-022", "TXT-015")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("You live in California.", "I live in San Francisco.", SUPPORTED),
        ("You live in San Francisco.", "I live in California.", INSUFFICIENT),
        ("You don't live in California.", "I live in San Francisco.", REFUTED),
        ("You don't live in San Francisco.", "I live in California.", None),
        ("You live in San Francisco.", "I don't live in California.", REFUTED),
        ("You live in California.", "I don't live in San Francisco.", None),
        ("You are a nurse.", "I am a senior nurse.", SUPPORTED),
        ("You are a senior nurse.", "I am a nurse.", INSUFFICIENT),
        ("You are a data engineer.", "I am a software engineer.", REFUTED),
    ],
)
def test_the_specific_proves_the_general_and_not_the_other_way_round(
    claim: str, evidence: str, expected: Verdict | None
):
    assert verdict(claim, evidence) is expected


@pytest.mark.requirement("CTR-022")
@pytest.mark.parametrize(
    ("claim", "expected"),
    [("You are married.", SUPPORTED), ("You are single.", REFUTED), ("You aren't married.", REFUTED)],
)
def test_a_spouse_implies_a_marriage(claim: str, expected: Verdict):
    assert verdict(claim, "My wife is Ann.") is expected


def test_a_refutation_points_at_the_value_and_an_open_question_at_what_is_missing():
    claim = "These days you work at Bosch."
    refuted = compare(claim, "I work at Siemens.")
    assert refuted is not None and refuted.wrong is not None
    assert claim[slice(*refuted.wrong)] == refuted.claim_value == "Bosch"
    assert refuted.evidence_value == "Siemens"
    assert refuted.missing is None

    claim = "You live in San Francisco."
    silent = compare(claim, "I live in California.")
    assert silent is not None and silent.missing is not None
    assert claim[slice(*silent.missing)] == "San Francisco"
    assert silent.wrong is None


@pytest.mark.requirement("CTR-030")
def test_what_a_slot_decides_is_exact_and_a_former_value_is_marked():
    former = compare("You work at Bosch.", "I used to work at Bosch.")
    other = compare("You work at Bosch.", "I work at Siemens.")
    assert former is not None and former.exact and former.former
    assert other is not None and other.exact and not other.former


@pytest.mark.requirement("TXT-015", "TXT-016")
@pytest.mark.parametrize(
    ("left", "right", "relation"),
    [
        ("two", "2", Relation.EQUAL),
        ("SF", "San Francisco", Relation.EQUAL),
        ("two kids", "2 children", Relation.EQUAL),
        ("Bosch", "Bosch GmbH", Relation.EQUAL),
        ("a physician", "doctor", Relation.EQUAL),
        ("2018", "2019", Relation.DIFFERENT),
        ("v1.2", "v1.3", Relation.DIFFERENT),
        ("ADR-003", "ADR-008", Relation.DIFFERENT),
        ("3 May", "4 May", Relation.DIFFERENT),
        ("INV-10023", "INV-10032", Relation.DIFFERENT),
    ],
)
def test_values_are_the_same_by_meaning_and_never_by_likeness(left: str, right: str, relation: Relation):
    assert relate_values(left, right) is relation
    assert relate_values(right, left) is relation


def test_one_thing_in_two_amounts_is_told_from_two_things():
    assert amounts_differ("5 mg of ramipril", "10 mg of ramipril")
    assert not amounts_differ("5 mg of ramipril", "5 mg of ramipril")
    assert not amounts_differ("5 mg of ramipril", "5 mg of sertraline")
    assert not amounts_differ("ramipril", "sertraline")


@given(WORDS, WORDS)
def test_any_two_values_can_be_related_either_way_round(left: str, right: str):
    mirrored = {Relation.REFINES: Relation.GENERALISES, Relation.GENERALISES: Relation.REFINES}
    relation = relate_values(left, right)
    assert relate_values(right, left) is mirrored.get(relation, relation)


@pytest.mark.requirement("JDG-020", "CTR-022")
def test_another_version_on_an_additive_slot_refutes_nothing():
    assert verdict("You know Java 8.", "I know Java 11.") in (None, INSUFFICIENT)


@pytest.mark.requirement("CTR-028")
def test_what_no_longer_is_once_was():
    assert verdict("You used to work at Bosch.", "I no longer work at Bosch.") is SUPPORTED
