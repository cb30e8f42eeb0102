"""Everyday wording that a reading must not take apart."""

from __future__ import annotations

import pytest

from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text


def _read(text: str) -> Proposition:
    (claim,) = read_text(text).claims
    return claim.proposition


@pytest.mark.parametrize(
    ("text", "adverb"),
    [
        ("You don't use Instagram any more.", "anymore"),
        ("Your car is being repaired at the moment.", "now"),
        ("Your contract is for 18 months in total.", "altogether"),
    ],
)
def test_an_adverb_of_several_words_is_one(text: str, adverb: str):
    assert adverb in _read(text).adverbs


def test_more_of_something_is_no_adverb():
    assert "anymore" not in _read("You need any more sugar.").adverbs


def test_an_hour_in_words_is_a_time():
    (argument,) = _read("Sanna's bedtime is half past seven.").arguments

    assert argument.is_time
    assert "19:30" in argument.lemmas


def test_a_share_is_no_hour():
    assert not any(argument.is_time for argument in _read("Half the team is in Rome.").arguments)


def test_what_does_not_happen_until_a_time_happens_then():
    said = _read("Your passport doesn't expire until November 2027.")

    assert not said.negated
    assert [argument.role for argument in said.arguments] == ["in"]


def test_what_lasts_is_denied_until_a_time():
    assert _read("You don't sleep until midnight.").negated


def test_a_name_behind_a_description_is_whom_it_is_told_of():
    first, second = read_text("The designer, Olu, is on leave.").claims

    assert first.proposition.subject == second.proposition.subject == "Olu"


def test_a_bare_noun_behind_a_list_is_listed():
    claims = read_text("My shop sells second-hand books and vinyl records.").claims

    assert [claim.claim.text for claim in claims] == ["My shop sells second-hand books", "My shop sells vinyl records"]


def test_somebody_behind_a_list_does_something():
    assert [claim.claim.text for claim in read_text("Anna bakes cakes and dad works.").claims][1] == "Dad works"
