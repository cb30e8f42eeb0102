"""The rules by which the benchmarks call a result right: every expectation counts, and none by accident."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.types import ExtractedFact, Memory, Polarity, Span
from scoring import (
    ClaimCase,
    Expectation,
    ExpectedFact,
    Field,
    Outcome,
    Overlap,
    Tally,
    find_faults,
    has_claims,
    match_facts,
    parse_answer_case,
    parse_fact_case,
    sum_up,
    tally_by_kind,
)

WRONG_CITY = Expectation(grounded=False, refuted=("Lisbon",), unverifiable=("a boat",), right=("Siemens",))
WRONG_CITY_FOUND = Outcome(grounded=False, hallucinations=("Lisbon",), unverifiable=("a boat",))

HIDDEN_MOVE = Expectation(
    grounded=False, requires_disclosure=True, expected_disclosure="Porto (changed from Faro)", contradictions=1
)
HIDDEN_MOVE_FOUND = Outcome(
    grounded=False, requires_disclosure=True, expected_disclosure="Porto (changed from Faro)", contradictions=1
)


def make_fact(slot: str, raw: str, *, subject: str = "user", polarity: Polarity = Polarity.POSITIVE) -> ExtractedFact:
    span = Span(0, len(raw))
    return ExtractedFact(subject, slot, raw.lower(), raw, span, span, "frame", polarity)


def expect_fact(
    slot: str, value: str, *, subject: str = "user", polarity: Polarity = Polarity.POSITIVE
) -> ExpectedFact:
    return ExpectedFact(subject, slot, value, polarity)


# ── answers ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("expect", "outcome"), [(WRONG_CITY, WRONG_CITY_FOUND), (HIDDEN_MOVE, HIDDEN_MOVE_FOUND)])
def test_an_answer_is_right_when_every_expectation_holds(expect: Expectation, outcome: Outcome):
    assert find_faults(expect, outcome) == frozenset()


@pytest.mark.parametrize(
    ("expect", "outcome", "change", "fault"),
    [
        (WRONG_CITY, WRONG_CITY_FOUND, {"grounded": True}, Field.GROUNDED),
        (WRONG_CITY, WRONG_CITY_FOUND, {"hallucinations": ()}, Field.NAMED),
        (WRONG_CITY, WRONG_CITY_FOUND, {"unverifiable": ()}, Field.NAMED),
        (WRONG_CITY, WRONG_CITY_FOUND, {"hallucinations": ("Lisbon", "at siemens")}, Field.NAMED),
        (WRONG_CITY, WRONG_CITY_FOUND, {"unverifiable": ("a boat", "Siemens")}, Field.NAMED),
        (WRONG_CITY, WRONG_CITY_FOUND, {"requires_disclosure": True}, Field.DISCLOSURE),
        (HIDDEN_MOVE, HIDDEN_MOVE_FOUND, {"requires_disclosure": False}, Field.DISCLOSURE),
        (HIDDEN_MOVE, HIDDEN_MOVE_FOUND, {"expected_disclosure": "porto (changed from faro)"}, Field.PHRASE),
        (HIDDEN_MOVE, HIDDEN_MOVE_FOUND, {"expected_disclosure": None}, Field.PHRASE),
        (HIDDEN_MOVE, HIDDEN_MOVE_FOUND, {"contradictions": 2}, Field.CONTRADICTIONS),
    ],
)
def test_one_expectation_that_does_not_hold_is_one_fault(
    expect: Expectation, outcome: Outcome, change: dict[str, object], fault: Field
):
    assert find_faults(expect, dataclasses.replace(outcome, **change)) == {fault}


def test_a_quotation_may_be_longer_or_shorter_than_expected():
    for quoted in ("in Lisbon since May", "lisbon", "Lis"):
        assert find_faults(Expectation(False, refuted=("Lisbon",)), Outcome(False, (quoted,))) == frozenset()
    assert find_faults(Expectation(False, refuted=("Lisbon",)), Outcome(False, ("Porto",))) == {Field.NAMED}


def test_what_is_refuted_must_not_be_called_unverifiable_but_the_other_way_round_it_may():
    refuted, unverifiable = Expectation(False, refuted=("a boat",)), Expectation(False, unverifiable=("a boat",))
    assert find_faults(refuted, Outcome(False, unverifiable=("a boat",))) == {Field.NAMED}
    assert find_faults(unverifiable, Outcome(False, hallucinations=("a boat",))) == frozenset()


def test_a_shorter_quotation_of_a_right_part_is_not_held_against_it():
    expect = Expectation(False, right=("14 May",))
    assert find_faults(expect, Outcome(False, ("May",))) == frozenset()
    assert find_faults(expect, Outcome(False, ("on 14 May",))) == {Field.NAMED}


def test_what_a_case_does_not_expect_is_not_scored():
    outcome = Outcome(True, ("anything",), ("something",), expected_disclosure="A (changed from B)", contradictions=9)
    assert find_faults(Expectation(True), outcome) == frozenset()


@given(st.builds(Expectation, grounded=st.booleans(), requires_disclosure=st.booleans()), st.booleans(), st.booleans())
def test_an_answer_without_named_parts_is_right_exactly_when_both_flags_are(
    expect: Expectation, grounded: bool, requires_disclosure: bool
):
    faults = find_faults(expect, Outcome(grounded, requires_disclosure=requires_disclosure))
    assert (Field.GROUNDED in faults) == (grounded != expect.grounded)
    assert (Field.DISCLOSURE in faults) == (requires_disclosure != expect.requires_disclosure)
    assert faults <= {Field.GROUNDED, Field.DISCLOSURE}


# ── tallies ─────────────────────────────────────────────────────────────────────────────────────


def test_tallies_are_kept_by_kind_and_summed_up():
    tallies = tally_by_kind([("time", True), ("plain", True), ("time", False), ("plain", True)])
    assert list(tallies.items()) == [("plain", Tally(2, 2)), ("time", Tally(1, 2))]
    assert sum_up(tallies.values()) == Tally(3, 4)
    assert sum_up(tallies.values()).share == 0.75


def test_rates_of_an_overlap():
    overlap = Overlap(3, 1, 0) + Overlap(0, 0, 3)
    assert (overlap.precision, overlap.recall, overlap.f1) == (0.75, 0.5, 0.6)
    assert Overlap(0, 1, 1).f1 == 0.0
    assert Overlap().f1 == 1.0, "nothing was expected and nothing found"


# ── facts and claims ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("gold", "found", "overlap"),
    [
        ([("employer", "Siemens")], [("employer", "Siemens")], Overlap(1, 0, 0)),
        ([("employer", "Siemens")], [("employer", "Bosch")], Overlap(0, 1, 1)),
        ([("employer", "Siemens")], [("title", "Siemens")], Overlap(0, 1, 1)),
        ([("employer", "Siemens")], [], Overlap(0, 0, 1)),
        ([], [("employer", "Siemens")], Overlap(0, 1, 0)),
        ([("title", "the nurse.")], [("title", "a Nurse")], Overlap(1, 0, 0)),
        ([("location", "Porto")], [("location", "Porto, Portugal")], Overlap(1, 0, 0)),
        ([("favorite_color", "ochre")], [("favorite_color", "ochre")], Overlap(1, 0, 0)),
        ([], [("favorite_color", "ochre")], Overlap(0, 1, 0)),
        ([("hobby", "chess")], [("hobby", "chess"), ("hobby", "chess")], Overlap(1, 1, 0)),
        ([("hobby", "chess"), ("hobby", "go")], [("hobby", "go"), ("hobby", "chess")], Overlap(2, 0, 0)),
    ],
)
def test_a_found_fact_hits_one_expected_fact(
    gold: list[tuple[str, str]], found: list[tuple[str, str]], overlap: Overlap
):
    expected = [expect_fact(slot, value) for slot, value in gold]
    assert match_facts(expected, [make_fact(slot, raw) for slot, raw in found]) == overlap


def test_facts_of_slots_that_no_case_lists_are_not_scored():
    assert match_facts([], [make_fact("packs", "a tent")]) == Overlap()


def test_polarity_is_part_of_a_fact():
    found = [make_fact("pet", "dog", polarity=Polarity.NEGATIVE)]
    assert match_facts([expect_fact("pet", "dog")], found) == Overlap(0, 1, 1)
    assert match_facts([expect_fact("pet", "dog", polarity=Polarity.NEGATIVE)], found) == Overlap(1, 0, 0)


def test_the_subject_is_compared_only_when_asked_for():
    expected, found = [expect_fact("employer", "Siemens", subject="Ana")], [make_fact("employer", "Siemens")]
    assert match_facts(expected, found) == Overlap(1, 0, 0)
    assert match_facts(expected, found, subjects=True) == Overlap(0, 1, 1)
    assert match_facts(expected, [make_fact("employer", "Siemens", subject="ana")], subjects=True) == Overlap(1, 0, 0)


@pytest.mark.parametrize(
    ("claims", "is_right"),
    [
        (["You packed a tent.", "You packed two lamps."], True),
        (["you packed A TENT.", "You packed two lamps."], True),
        (["You packed a tent and two lamps."], False),
        (["You packed a tent.", "You packed lamps."], False),
        (["You packed a tent.", "You packed two lamps.", "You left."], False),
    ],
)
def test_claims_are_right_in_number_and_wording(claims: list[str], is_right: bool):
    assert has_claims(ClaimCase("…", 2, ("tent", "two lamps")), claims) is is_right


# ── cases ───────────────────────────────────────────────────────────────────────────────────────


def test_a_case_is_read_with_its_defaults():
    case = parse_answer_case(
        {
            "id": "x1",
            "class": "plain",
            "text": "You live in Porto.",
            "memories": [
                {"id": "m1", "text": "I live in Porto."},
                {"id": "m2", "text": "I live in Faro.", "trust": 0.0, "timestamp": "1970-01-02"},
                {"id": "m3", "text": "I live in Beja.", "trust": None, "timestamp": "1970-01-01T01:00:00+01:00"},
                {"id": "m4", "text": "I live in Braga.", "trust": 0.5, "timestamp": 7},
            ],
            "expect": {"grounded": True, "refuted": None},
        }
    )
    assert case.memories == (
        Memory("m1", "I live in Porto.", 1.0, None),
        Memory("m2", "I live in Faro.", 0.0, 86_400),
        Memory("m3", "I live in Beja.", 1.0, 0),
        Memory("m4", "I live in Braga.", 0.5, 7),
    )
    assert case.expect == Expectation(grounded=True)


def test_a_fact_case_with_an_unknown_polarity_is_refused():
    row = {"text": "…", "facts": [{"subject": "user", "slot": "pet", "value": "dog", "polarity": "perhaps"}]}
    with pytest.raises(ValueError, match="perhaps"):
        parse_fact_case(row)
