"""Statements weighed against what is known and what was said: by meaning, whatever their wording."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.detect.kb_examining import CONTRADICTS, FABRICATED, examine, packaged_judge
from tests.detect.kb_examining import detect as find

from groundwire.app import Groundwire
from groundwire.detect.weighing.scale import Opinion, describe_pair, log_odds, weigh
from groundwire.detect.weighing.traits import compare_statements
from groundwire.detect.weighing.units import split_units
from groundwire.evidence.phrasing import tell, tell_plainly
from groundwire.types.detection import HallucinationType

NOW = datetime(2026, 3, 10, tzinfo=UTC)


def kinds_of(text: str, *statements: str) -> set[HallucinationType]:
    examined = examine(text, {"statements": list(statements)}, judge=packaged_judge())
    return {flag.hallucination_type for flag in find(examined)}


# ── what two statements share ───────────────────────────────────────────────────────────────────


def test_what_is_said_again_is_told_and_covered() -> None:
    traits = compare_statements("The library opens at nine", "The library opens at 9 a.m.", NOW)
    assert traits.told == traits.covered == 1.0
    assert not traits.differing and not traits.denial


def test_values_that_differ_are_told_from_values_that_name() -> None:
    traits = compare_statements("The 15:40 ferry costs 12 euros", "The 15:40 ferry costs 9 euros", NOW)
    assert traits.differing and not traits.agreeing


def test_a_denial_on_one_side_only_is_seen() -> None:
    assert compare_statements("Pets are not allowed", "Pets are allowed", NOW).denial
    assert not compare_statements("Pets are not allowed", "Nobody may bring pets", NOW).denial


def test_the_same_words_in_another_order_are_not_the_same() -> None:
    assert compare_statements("Rovers beat Albion", "Rovers beat Albion.", NOW).same
    assert not compare_statements("Albion beat Rovers", "Rovers beat Albion.", NOW).same


@given(st.text(max_size=200), st.text(max_size=200))
@settings(max_examples=50, deadline=None)
def test_any_two_texts_have_traits_within_bounds(one: str, two: str) -> None:
    traits = compare_statements(one, two, NOW)
    assert all(0.0 <= getattr(traits, name) <= 1.0 for name in type(traits).__dataclass_fields__)


def test_a_hostile_text_is_read_in_part() -> None:
    compare_statements("((((" * 50_000, "\x00" + "a " * 100_000, NOW)


# ── the scale ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("scale", ["statement", "prior"])
def test_a_surer_refutation_weighs_more(scale: str) -> None:
    traits = compare_statements("The pool is open on Sunday", "The pool is closed on Sundays", NOW)
    weights = [
        weigh(scale, describe_pair(traits, Opinion(0.02, sure), Opinion(0.02, sure), 0.7, 0.02, {}))
        for sure in (0.1, 0.5, 0.9)
    ]
    assert weights == sorted(weights) and weights[0] < weights[-1]


@pytest.mark.parametrize("scale", ["statement", "attribute", "prior"])
def test_what_something_else_bears_out_is_contradicted_less(scale: str) -> None:
    traits = compare_statements("The pool is open on Sunday", "The pool is closed on Mondays", NOW)
    opinions = Opinion(0.02, 0.7), Opinion(0.02, 0.7)
    alone = weigh(scale, describe_pair(traits, *opinions, 0.7, 0.02, {}))
    assert weigh(scale, describe_pair(traits, *opinions, 0.7, 0.95, {})) < alone


@given(st.floats(allow_nan=False))
def test_log_odds_are_bounded(probability: float) -> None:
    assert -5.0 < log_odds(probability) < 5.0


# ── clauses ─────────────────────────────────────────────────────────────────────────────────────


def units_of(text: str) -> list[str]:
    from groundwire.detect.records.acquaintance import meet
    from groundwire.detect.records.consulting import read_answer

    examined = examine(text)
    return [unit.text for unit in split_units(examined, meet(examined), read_answer(examined).statements)]


def test_a_sentence_is_judged_clause_by_clause() -> None:
    assert units_of("The bakery closes at six, so you should hurry.")[0] == "The bakery closes at six"


def test_a_pronoun_names_whom_it_means() -> None:
    assert units_of("Acme Corp makes batteries. Its headquarters are in Rome.")[1].startswith("Acme Corp")


def test_questions_are_not_judged() -> None:
    assert units_of("Is the bakery open on Sundays?") == []


def test_every_clause_stands_where_it_says() -> None:
    text = "Well, the bakery closes at six; the cafe, though, is open until ten."
    examined = examine(text)
    from groundwire.detect.records.acquaintance import meet
    from groundwire.detect.records.consulting import read_answer

    for unit in split_units(examined, meet(examined), read_answer(examined).statements):
        assert 0 <= unit.span.start < unit.span.end <= len(text)


# ── telling a record ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("attribute", "value", "sentence"),
    [
        ("born", "1852", "Ida was born in 1852."),
        ("tracks", "11", "Ida has 11 tracks."),
        ("closed_on", "Monday", "Ida is closed on Monday."),
        ("lives_in", "Zwolle", "Ida lives in Zwolle."),
        ("in_office_since", "2021", "Ida has been in office since 2021."),
        ("bathtub", "no", "Ida has no bathtub."),
        ("check_in", "15:00", "Ida's check in is 15:00."),
        ("favourite dish", "ramen", "Ida's favourite dish is ramen."),
    ],
)
def test_the_judge_reads_a_record_in_plain_sentences(attribute: str, value: str, sentence: str) -> None:
    assert tell_plainly("Ida", "person", attribute, value) == sentence


def test_people_read_a_record_by_its_attributes() -> None:
    assert tell("John Smith", "person", "department", "Engineering") == "John Smith's department is Engineering."


@given(st.text(max_size=60), st.text(max_size=60))
@settings(max_examples=50, deadline=None)
def test_any_attribute_can_be_told(attribute: str, value: str) -> None:
    assert tell_plainly("Ida", "person", attribute, value).startswith("Ida")


# ── the answer ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("answer", "statement"),
    [
        ("You can leave your bike in the stairwell, nobody minds.", "Bikes must not be left in the stairwell."),
        ("The firmware still works with Windows 8.", "The firmware dropped support for Windows 7 and 8."),
        ("The jury turned the proposal down last week.", "The jury accepted the proposal."),
    ],
)
def test_a_statement_is_contradicted_in_other_words(answer: str, statement: str) -> None:
    assert CONTRADICTS in kinds_of(answer, statement)


@pytest.mark.requirement("DET-021")
@pytest.mark.parametrize(
    ("answer", "statement"),
    [
        ("The chapel stands on a hill above the lake.", "The chapel sits on a hill above the lake."),
        ("Bikes belong in the cellar, not in the stairwell.", "Bikes must not be left in the stairwell."),
        ("The jury said yes to the proposal.", "The jury accepted the proposal."),
    ],
)
def test_a_retelling_contradicts_nothing(answer: str, statement: str) -> None:
    assert CONTRADICTS not in kinds_of(answer, statement)


@pytest.mark.requirement("DET-016")
def test_a_fact_is_made_up_of_what_statements_alone_tell() -> None:
    told = ("The Holm lighthouse is painted red.", "The Holm lighthouse is open to visitors in summer.")
    answer = "The Holm lighthouse is painted red. Its keeper drowned in 1911 while rescuing a Norwegian crew."
    assert FABRICATED in kinds_of(answer, *told)
    assert FABRICATED not in kinds_of("The Holm lighthouse is painted red, and you can visit it in summer.", *told)


@pytest.mark.requirement("DET-016")
def test_what_is_worked_out_of_the_record_is_not_made_up() -> None:
    told = ("The Holm lighthouse has 3 floors.", "Each floor of the Holm lighthouse has 4 windows.")
    assert FABRICATED not in kinds_of("The Holm lighthouse has 12 windows in total.", *told)


@pytest.mark.requirement("DET-024")
def test_an_earlier_turn_is_contradicted_in_other_words() -> None:
    wire = Groundwire()
    turns = [
        {"speaker": "user", "text": "My daughter can't stand mushrooms."},
        {"speaker": "assistant", "text": "Noted, no mushrooms for her."},
        {"speaker": "user", "text": "What could I cook tonight?"},
    ]
    report = wire.detect("As your daughter adores mushrooms, make a risotto.", dialogue=turns, now=NOW)
    assert HallucinationType.CONTRADICTS_PRIOR in {flag.hallucination_type for flag in report.flags}
    clean = wire.detect("As your daughter dislikes mushrooms, make a lemon risotto.", dialogue=turns, now=NOW)
    assert not clean.flags
