"""Words and meaning in one order."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ModelCorrupt, ModelUnavailable
from groundwire.evidence.retrieval import Retriever, fuse, pick_words
from groundwire.types import Memory, Scope
from groundwire.types.records import Match, Ranked, Retrieved

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ADA = Scope("ada")


def ranked(id: str, score: float = 1.0) -> Ranked:
    return Ranked(id, score)


class Listed:
    """A search that finds what it was given, and remembers what it was asked."""

    def __init__(self, found: Sequence[Ranked], problem: ModelUnavailable | None = None) -> None:
        self.found, self.problem = found, problem
        self.asked: list[tuple[Scope, str, datetime | None]] = []
        self.gone: set[str] = set()

    def rank_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None = None, limit: int = 10
    ) -> tuple[tuple[Ranked, ...], ...]:
        self.asked += [(scope, query, when) for query in queries]
        return tuple(tuple(self.found[:limit]) for _ in queries)

    def search(self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 10) -> tuple[Match, ...]:
        raise AssertionError("memories are read once, after the choice")

    def get_many(self, scope: Scope, ids: Sequence[str]) -> tuple[Memory, ...]:
        return tuple(Memory(id, id) for id in ids if id not in self.gone)


def ids(found: Sequence[Retrieved]) -> list[str]:
    return [hit.memory.id for hit in found]


def test_what_both_sides_find_comes_before_what_one_side_finds():
    words, meanings = Listed([ranked("a", 9), ranked("b", 5)]), Listed([ranked("c", 0.9), ranked("b", 0.8)])
    found = Retriever(words, meanings).retrieve(ADA, "tea", limit=3)
    assert ids(found) == ["b", "a", "c"]
    assert [(hit.lexical, hit.semantic) for hit in found] == [(5, 0.8), (9, None), (None, 0.9)]


def test_first_on_both_sides_is_as_good_as_it_gets():
    assert fuse([ranked("a")], [ranked("a")])[0].score == 1.0


names = st.lists(st.sampled_from("abcdefghij"), unique=True)


@given(names, names)
def test_everything_that_was_found_is_in_the_order_once_and_best_first(left: list[str], right: list[str]):
    found = fuse([ranked(id) for id in left], [ranked(id, 0.5) for id in right])
    assert sorted(id for id, _ in found) == sorted({*left, *right})
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True) and all(0 < score <= 1 for score in scores)


@given(names)
def test_one_side_alone_keeps_its_order(one: list[str]):
    entries = [ranked(id) for id in one]
    assert [e.id for e in fuse(entries, [])] == [e.id for e in fuse([], entries)] == one


def test_what_is_forgotten_between_finding_and_reading_is_left_out():
    words = Listed([ranked("a"), ranked("b")])
    words.gone.add("a")
    assert ids(Retriever(words).retrieve(ADA, "tea")) == ["b"]


def test_scope_and_time_reach_both_searches_as_they_are():
    words, meanings = Listed([ranked("a")]), Listed([ranked("b", 0.9)])
    Retriever(words, meanings).retrieve(ADA, "tea", when=NOW, limit=2)
    assert words.asked == meanings.asked == [(ADA, "tea", NOW)]


def test_what_is_hardly_alike_is_no_answer_by_itself():
    far = Listed([ranked("a", 0.1)])
    assert Retriever(Listed([]), far).retrieve(ADA, "tea") == ()
    (hit,) = Retriever(Listed([ranked("a", 3)]), far).retrieve(ADA, "tea")
    assert (hit.score, hit.lexical, hit.semantic) == (0.5, 3, 0.1)


def test_without_an_embedder_words_decide_and_it_is_said_why():
    problem = ModelCorrupt("the table is damaged", "install it again")
    retriever = Retriever(Listed([ranked("a")]), Listed([], problem))
    assert ids(retriever.retrieve(ADA, "tea")) == ["a"]
    assert retriever.problem is problem
    assert Retriever(Listed([ranked("a")])).problem is None


@pytest.mark.parametrize("limit", [0, -1])
def test_nothing_is_asked_for_nothing(limit: int):
    assert Retriever(Listed([ranked("a")])).retrieve(ADA, "tea", limit=limit) == ()


def test_words_that_carry_no_meaning_are_not_looked_for():
    assert pick_words("Where does Ada's brother work?") == "Ada's brother work"
    assert pick_words("is it?") == "is it?"
