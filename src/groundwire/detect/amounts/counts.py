"""The amounts of a sentence: what is counted, how many, and how exactly."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text import numerals
from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import has_digit
from groundwire.text.tables import join_phrases
from groundwire.types import ContradictionType, Span

SUMS = 0.85
_REMEMBERED = 1_000
_TOKEN = re.compile(r"[$€£]?\d(?:[\d,]*\d)?(?:\.\d+)?%?|[^\W\d_]+(?:[-'][^\W\d_]+)*|[^\w\s]")
_VAGUE = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|over|more\s+than|less\s+than|under|up\s+to|at\s+least|at\s+most"
    r"|some|between|or)\s*$"
)
_SCALES = {"million": 10**6, "billion": 10**9, "thousand": 1000, "m": 10**6, "k": 1000}
_BEFORE_YEARS = frozenset({"in", "since", "by", "until", "from", "of", "to", "and", "-", "–", "("})
_HINTS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twel",
    "eleven",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "hundred",
    "half",
    "third",
    "quarter",
    "dozen",
)


class Amount(NamedTuple):
    """A number in a sentence, with what is counted."""

    value: Fraction
    start: int
    end: int
    unit: str
    """% or a currency sign, or the noun behind it."""
    noun: str
    is_exact: bool

    @property
    def has_sign(self) -> bool:
        return self.unit in ("%", "$", "€", "£")


def may_count(low: str) -> bool:
    return has_digit(low) or any(word in low for word in _HINTS)


def read_amounts(low: str) -> list[Amount]:
    """The numbers of a sentence in order; years, clock times and numbers that name something are left out."""
    return list(_read_known(low) if len(low) <= _REMEMBERED else _read_amounts(low))


@lru_cache(maxsize=4096)
def _read_known(low: str) -> tuple[Amount, ...]:
    """Every sentence is looked at by all who reckon with its amounts."""
    return tuple(_read_amounts(low))


def _read_amounts(low: str) -> list[Amount]:
    tokens = list(_TOKEN.finditer(low))
    words = [token.group() for token in tokens]
    found: list[Amount] = []
    spelt = numerals.numerals().spelt
    k = 0
    while k < len(words):
        word = words[k]
        may_open = word in spelt or "-" in word or word[:1].isdigit() or word[:1] in "$€£"
        read = _read_number(words, k) if may_open else None
        if read is None:
            k += 1
            continue
        value, after, unit = read
        start, end = tokens[k].start(), tokens[after - 1].end()
        behind = words[after] if after < len(words) else ""
        if not _is_named(words[k - 1] if k else "", behind, value, words[k]) and not _is_part(low, start, end):
            noun = _noun_behind(words, after)
            exact = _VAGUE.search(low[max(0, start - 20) : start]) is None
            found.append(Amount(value, start, end, unit or noun, noun, exact))
        k = after
    return found


def _read_number(words: Sequence[str], at: int) -> tuple[Fraction, int, str] | None:
    word = words[at]
    if word[:1].isdigit() or (word[:1] in "$€£" and len(word) > 1):
        return _read_digits(words, at)
    if "-" in word:
        parts = word.split("-")
        found = numerals.read_words(parts, 0)
        if found is None or found[1] != len(parts):
            return None
        value, after = found[0], at + 1
    else:
        found = numerals.read_words(words, at)
        if found is None:
            return None
        value, after = found
    if words[after : after + 1] == ["percent"]:
        return value, after + 1, "%"
    return (value, after + 2, "%") if words[after : after + 2] == ["per", "cent"] else (value, after, "")


def _read_digits(words: Sequence[str], at: int) -> tuple[Fraction, int, str] | None:
    word = words[at]
    unit = "%" if word.endswith("%") else word[0] if word[0] in "$€£" else ""
    parsed = numerals.parse_digits(word.strip("$€£%"))
    if parsed is None:
        return None
    value, after = Fraction(parsed), at + 1
    if after < len(words) and (scale := _SCALES.get(words[after])):
        value, after = value * scale, after + 1
    if after < len(words) and words[after] in ("percent", "%"):
        unit, after = "%", after + 1
    return value, after, unit


def _is_named(front: str, behind: str, value: Fraction, word: str) -> bool:
    if front in read_words("naming", "sums") or behind in ("am", "pm", "o'clock", "th", "st", "nd", "rd"):
        return True
    is_year = value.denominator == 1 and 1500 <= value <= 2100 and word.isdigit() and len(word) == 4
    return is_year and (front in _BEFORE_YEARS or not behind.isalpha())


_MINUTES = re.compile(r":\d")
_CLOCK_FRONT = re.compile(r"\b(?:quarter|half|minutes?) (?:to|past) $")


def _is_part(low: str, start: int, end: int) -> bool:
    """Half of a clock time, or the figure of a name: "15:30", "a quarter to two", "A14"."""
    if _MINUTES.match(low, end) or low[max(0, start - 1) : start].isalpha():
        return True
    return re.search(r"\d:$", low[:start]) is not None or _CLOCK_FRONT.search(low[:start]) is not None


def _noun_behind(words: Sequence[str], at: int) -> str:
    """The noun that is counted: the last of the words up to a preposition, a mark or a verb; a measure at once."""
    noun = ""
    if at < len(words) and noun_lemma(words[at]) in read_words("measures", "sums"):
        return noun_lemma(words[at])  # "200 g flour"
    for word in words[at : at + 4]:
        if not word[:1].isalpha() or word in read_words("ends", "sums"):
            break
        noun = word
    return noun_lemma(noun) if noun else ""


def either(*names: str) -> str:
    """A pattern for the words of these lists of `sums.toml`."""
    return f"(?:{join_phrases(frozenset[str]().union(*(read_words(name, 'sums') for name in names)))})"


def read_number(word: str | None) -> Fraction | None:
    if not word:
        return None
    if word[:1].isdigit():
        value = numerals.parse_digits(word)
        return Fraction(value) if value is not None else None
    found = numerals.read_words(word.replace("-", " ").split(), 0)
    return found[0] if found else None


def add_up(amounts: Iterable[Amount]) -> Fraction:
    return sum((amount.value for amount in amounts), Fraction(0))


def show(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def show_sum(amounts: Sequence[Amount]) -> str:
    return f"{' + '.join(show(a.value) for a in amounts)} = {show(add_up(amounts))}"


def tell_clash(seen: Sighting, start: int, end: int, evidence: str, earlier: Span | None = None) -> Clash:
    """A sum that does not come out, from one offset of the sentence to another."""
    span = Span(seen.start + start, seen.start + end)
    return Clash(span, earlier, SUMS, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)
