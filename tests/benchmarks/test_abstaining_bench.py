"""Abstentions and branches on a thousand questions: the set itself, the scripted model, and the targets."""

from __future__ import annotations

import pytest

import abstaining
from groundwire import Groundwire
from groundwire.evaluation.reliability import read_table, weigh_gaps
from groundwire.guard.policy import OnUnverified
from groundwire.guard.protocols import Regeneration
from groundwire.guard.ring import RecentRecords
from groundwire.types import Scope


@pytest.fixture(scope="module")
def queries() -> list[abstaining.Query]:
    return abstaining.read_queries()


@pytest.fixture(scope="module")
def figures(queries: list[abstaining.Query]) -> abstaining.Figures:
    model = abstaining.ScriptedModel(queries)
    return abstaining.run(abstaining.open_house("mini"), queries, model, OnUnverified.BRANCH)


def test_the_queries_are_a_thousand_and_half_of_them_have_an_answer(queries: list[abstaining.Query]):
    assert len(queries) == len({query.id for query in queries}) == 1_000
    asked = {(query.question, tuple(sorted(query.memories))) for query in queries}
    assert len(asked) >= 990
    assert sum(query.value is not None for query in queries) == 500
    for query in queries:
        assert query.memories and query.slot in abstaining.WORDS, query.id
        said = " ".join(query.memories).lower()
        if query.value is not None:
            assert all(word in said for word in query.value.lower().split()), query.id


@pytest.mark.requirement("OPS-002")
def test_of_a_thousand_mixed_queries_five_to_fifteen_in_a_hundred_end_in_an_abstention(figures: abstaining.Figures):
    assert figures.queries == 1_000
    assert abstaining.BAND == (0.05, 0.15)
    assert figures.is_in_band, figures.abstain_rate
    assert figures.abstain_rate_where_memory_answers < figures.abstain_rate_where_none_does
    assert figures.right_first_answers_withheld <= 10


@pytest.mark.requirement("OPS-002")
@pytest.mark.parametrize(("abstaining_ones", "is_in_band"), [(0, False), (1, False), (2, True), (6, True), (7, False)])
def test_less_than_the_band_is_a_miss_as_well_as_more(
    queries: list[abstaining.Query], abstaining_ones: int, is_in_band: bool
):
    """A model that is refuted, and insists, on so many of forty queries, and is right on the others."""
    chosen = [query for query in queries if query.slot == "location" and query.value is not None]
    chosen = (chosen * 5)[:40]
    wrong = iter(range(40))

    class Stubborn:
        def answer(self, query: abstaining.Query, /) -> str:
            self._said = f"You live in {'Atlantis' if next(wrong) < abstaining_ones else query.value}."
            return self._said

        def answer_again(self, query: abstaining.Query, before: str, wanted: Regeneration, /) -> str:
            return before

    found = abstaining.run(abstaining.open_house("rules"), chosen, Stubborn(), OnUnverified.ANNOTATE)
    assert found.abstain_rate == abstaining_ones / 40
    assert found.is_in_band is is_in_band
    assert found.branches == 3 * abstaining_ones


@pytest.mark.requirement("OPS-004")
def test_of_the_branches_forty_in_a_hundred_improve_the_verdict(figures: abstaining.Figures):
    assert figures.branches > 100
    assert figures.branch_success is not None
    assert figures.branch_success >= abstaining.ENOUGH_IMPROVED


@pytest.mark.requirement("OPS-004")
def test_the_model_that_ships_is_calibrated_within_a_tenth():
    stored = Groundwire().calibration()
    assert stored is not None
    table = read_table(stored, "the calibration that ships")
    error = weigh_gaps(table.bins)
    assert len(table.bins) == 10
    assert table.n >= 1_000
    assert error is not None
    assert error <= 0.10


def test_the_scripted_model_knows_nothing_that_the_guidance_does_not_tell(queries: list[abstaining.Query]):
    """Without guidance no wrong answer becomes a right one, so that what is measured is the guidance."""
    model = abstaining.ScriptedModel(queries)
    wrong = [query for query in queries if query.value and query.value not in model.answer(query)][:40]
    assert wrong
    for query in wrong:
        for number in (1, 2, 3):
            blank = Regeneration(number, "", {}, "", query.question, "r")
            assert str(query.value) not in model.answer_again(query, model.answer(query), blank)


def test_the_same_queries_get_the_same_answers(queries: list[abstaining.Query]):
    first, second = (abstaining.ScriptedModel(queries) for _ in range(2))
    assert [first.answer(query) for query in queries] == [second.answer(query) for query in queries]


def test_the_share_of_the_log_is_the_share_of_the_benchmark(queries: list[abstaining.Query]):
    house = abstaining.open_house("rules")
    house.guard_log = log = RecentRecords(10_000)
    found = abstaining.run(house, queries[:200], abstaining.ScriptedModel(queries), OnUnverified.BRANCH)
    records = log.branches(Scope("user", "default"), limit=10_000)
    assert len(records) == found.branches
    assert found.branch_success == pytest.approx(house.branch_success(user="user"), abs=1e-4)
    assert len(log.abstentions(Scope("user", "default"), limit=10_000)) == round(found.abstain_rate * 200)
