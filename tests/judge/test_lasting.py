"""How long something lasted, from when it began and ended."""

from __future__ import annotations

import pytest

from groundwire.judge.judge import as_passages
from groundwire.judge.lasting import find_lasting
from groundwire.types import Verdict

_KENYA = "I lived in Kenya from 2010 to 2016."
_TRAINING = "My apprenticeship lasted from September 1998 to September 2002."
_CONTRACT = ("My contract started on 1 January 2026.", "My contract ends on 31 December 2026.")


def _judge(claim: str, *texts: str) -> Verdict | None:
    found = find_lasting(claim, *as_passages(texts))
    return found.verdict if found is not None else None


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("You lived in Kenya for six years.", (_KENYA,)),
        ("Your apprenticeship took four years.", (_TRAINING,)),
        ("Your contract is for twelve months.", _CONTRACT),
        ("Your contract runs for one year.", _CONTRACT),
    ],
)
def test_the_length_follows_from_both_ends(claim: str, texts: tuple[str, ...]):
    assert _judge(claim, *texts) is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("You lived in Kenya for three years.", (_KENYA,)),
        ("Your apprenticeship took three years.", (_TRAINING,)),
        ("Your contract is for 18 months.", _CONTRACT),
    ],
)
def test_another_length_is_wrong(claim: str, texts: tuple[str, ...]):
    assert _judge(claim, *texts) is Verdict.REFUTED


@pytest.mark.parametrize(
    ("claim", "texts"),
    [
        ("You lived in Kenya for five years.", (_KENYA,)),
        ("You lived in Kenya for about six years.", (_KENYA,)),
        ("You lived in Peru for six years.", (_KENYA,)),
        ("You worked in Kenya for six years.", (_KENYA,)),
        ("Your brother's apprenticeship took four years.", (_TRAINING,)),
    ],
)
def test_what_is_near_or_of_something_else_is_left_open(claim: str, texts: tuple[str, ...]):
    assert _judge(claim, *texts) is None
