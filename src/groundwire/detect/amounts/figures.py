"""Figures of a text, and whether they can be worked out from other figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

from groundwire.text.numerals import numerals

_FIGURE = re.compile(
    r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,12}(?:\.\d{1,6})?)(?=\s?(%|percent\b|per cent\b)?)", re.IGNORECASE
)
_WORD = re.compile(r"[a-z]+")
_IN_WORDS = re.compile(r"\b([a-z]+(?:-[a-z]+)?) per ?cent\b", re.IGNORECASE)
_MOST = 12
_MONTHS = 12
_FEWEST_ITEMS, _MOST_ITEMS = 3, 9
_FIRST_YEAR, _LAST_YEAR = 1000, 2200
_LONGEST = 20_000


@lru_cache(maxsize=4096)
def read_figures(text: str) -> frozenset[float]:
    """Numbers in digits and in words, shares among them; 62% and 62 percent are one figure."""
    found = {_number(match) for match in _FIGURE.finditer(text[:_LONGEST])}
    known = numerals()
    for word in _WORD.findall(text[:_LONGEST].lower()):
        value = known.units.get(word, known.tens.get(word))
        if value is not None and word != "a":
            found.add(float(value))
    return frozenset(found)


def _number(match: re.Match[str]) -> float:
    return float(match.group(1).replace(",", ""))


def find_shares(text: str) -> frozenset[float]:
    """The percentages of a text, in digits and in words."""
    shares = {_number(match) for match in _FIGURE.finditer(text[:_LONGEST]) if match.group(2)}
    known = numerals()
    for match in _IN_WORDS.finditer(text[:_LONGEST]):
        parts = [known.units.get(word, known.tens.get(word)) for word in match[1].lower().split("-")]
        shares |= {float(sum(part for part in parts if part is not None))} if None not in parts else set()
    return frozenset(shares)


def derives(sentence: str, given: Iterable[str]) -> bool:
    """Whether every share of the sentence is one of the given figures, or arithmetic on two of one text.

    Only figures that stand together are combined: among many, some pair would always happen to fit.
    """
    if "%" not in sentence and "cent" not in sentence.lower():
        return False
    shares = [_number(match) for match in _FIGURE.finditer(sentence) if match.group(2)]
    if not shares:
        return False
    inside = frozenset(_number(match) for match in _FIGURE.finditer(sentence) if not match.group(2))
    pools = [(find_shares(text), read_figures(text) | inside) for text in ("", *given)]
    return all(
        any(share in known or _is_derived(share, sorted(pool)[:_MOST]) for known, pool in pools) for share in shares
    )


_MULTIPLE = re.compile(r"\b([a-z]+|\d+) times (?:as|more|the)\b")


def _find_multiples(sentence: str) -> frozenset[float]:
    """The factors that a sentence tells: "four times as many"."""
    return frozenset[float]().union(*(read_figures(word) for word in _MULTIPLE.findall(sentence.lower())))


_TIMES = {"twice": 2.0, "double": 2.0, "thrice": 3.0, "triple": 3.0, "half": 0.5}


def explains(sentence: str, given: Sequence[str]) -> bool:
    """Whether every number of a sentence that claims no share was given, or follows from two that stand together."""
    own = read_figures(sentence)
    if not own or find_shares(sentence):
        return False
    factors = [factor for word, factor in _TIMES.items() if word in sentence.lower()]
    pools = [(read_figures(text), sorted(read_figures(text) | own)[:_MOST]) for text in given]
    ratios = _find_multiples(sentence)
    known_all = frozenset[float]().union(own, *(known for known, _ in pools))

    if ratios and all(any(one and r == other / one for one in own - {r} for other in own - {r}) for r in ratios):
        return True  # both amounts stand beside it

    def is_given(figure: float) -> bool:
        if figure in ratios and any(one and figure == other / one for one in known_all - {figure} for other in own):
            return True  # "40 projects, four times as many": somebody has ten
        return any(
            figure in known
            or any(figure == factor * one for factor in factors for one in known)
            or any(figure == abs(one - other) for one in known for other in pool if other != figure != one)
            for known, pool in pools
        )

    return all(is_given(figure) for figure in own)


def _is_derived(share: float, figures: list[float]) -> bool:
    for one in figures:
        for other in figures:
            if one == other or not other:
                continue
            results = (one + other, one - other, 100 * one / other, 100 * (one - other) / other)
            if any(_is_near(share, abs(result)) for result in results):
                return True
    return False


def _is_near(share: float, result: float) -> bool:
    """Equal, or rounded to as many digits as the share is written with."""
    half = 0.5 if share == int(share) and result != int(result) else 0.05
    return abs(share - result) <= half + 1e-9  # 156.25 is 156.2 as well as 156.3


@lru_cache(maxsize=4096)
def _years_of(figures: frozenset[float]) -> frozenset[float]:
    return frozenset(figure for figure in figures if _FIRST_YEAR <= figure <= _LAST_YEAR)


def tells_age(sentence: str, given: Iterable[str]) -> bool:
    """ "You turned 22 in 2010", of somebody born in 1988: years apart, not a rival year."""
    own = read_figures(sentence)
    years = _years_of(own)
    if not years:
        return False
    told = {year for text in given for year in _years_of(read_figures(text))}
    return any(abs(year - other) in own for year in years for other in told if year != other)


def derives_count(figure: float, given: Iterable[str]) -> bool:
    """Whether a number is the sum, difference or product of two that were given."""
    pool = sorted(frozenset[float]().union(*(read_figures(text) for text in given)))[:_MOST]
    if figure in pool:
        return False  # said, not worked out
    pairs = [(one, other) for i, one in enumerate(pool) for other in pool[i + 1 :]]
    if any(figure in (one + other, other - one, one * other) for one, other in pairs):
        return True
    return any(figure == one * _MONTHS for one in pool)


def is_worked_out(figure: float, given: frozenset[float], beside: frozenset[float]) -> bool:
    """Whether a figure follows from two others, of which at least one was given: "six a pack", "three have 18"."""
    pairs = [(one, other) for one in given for other in (given | beside) if one != other]
    if any(figure in (one + other, abs(one - other), one * other) for one, other in pairs):
        return True
    if any(
        other and figure in (one / other, one * other / 100) for one, other in (*pairs, *((b, a) for a, b in pairs))
    ):
        return True
    return len(given) > 2 and figure == sum(given)


def adds_up(figure: float, given: Iterable[str]) -> bool:
    """Whether a number is the sum of three or more that one text has: the items of a list and their total."""
    for text in given:
        parts = sorted(read_figures(text) - {figure})[:_MOST_ITEMS]
        sizes = range(_FEWEST_ITEMS, len(parts) + 1)
        if any(sum(some) == figure for size in sizes for some in combinations(parts, size)):
            return True
    return False
