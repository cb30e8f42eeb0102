"""Numbers as people write them: words, digits, scales, fractions, ordinals."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from groundwire.text.tables import read_table

_LARGEST_DIGITS = 40
_DIGIT = re.compile("[0-9]")


def has_digit(text: str) -> bool:
    """A digit of any script; only where there are signs beyond the plain ones, each of them is looked at."""
    return _DIGIT.search(text) is not None or (not text.isascii() and any(map(str.isdigit, text)))


@dataclass(frozen=True, slots=True)
class Numerals:
    """The number words of `units.toml`, by what they do."""

    units: dict[str, int]
    tens: dict[str, int]
    scales: dict[str, int]
    spelt_scales: frozenset[str]
    ordinals: dict[str, int]
    fractions: dict[str, int]
    vague: dict[str, tuple[int, int]]
    spelt: frozenset[str]
    """Every word that is a number by itself, or counts something off."""


@cache
def numerals() -> Numerals:
    raw = read_table("units")["numbers"]
    words: list[str] = raw["words"]
    tens: list[str] = raw["tens"]
    others: dict[str, int] = raw["others"]
    ordinals: list[str] = raw["ordinals"]
    fractions: dict[str, int] = raw["fractions"]
    scales: dict[str, int] = raw["scales"]
    vague: dict[str, list[int]] = raw["vague"]
    round_tens = {word: 20 + 10 * index for index, word in enumerate(tens)}
    numbered = {word: index for index, word in enumerate(ordinals)}
    numbered |= {word[:-1] + "ieth": value for word, value in round_tens.items()}
    numbered |= {"hundredth": 100, "thousandth": 1000}
    small = {word: index for index, word in enumerate(words)} | {w: n for w, n in others.items() if n < 20}
    large = round_tens | {word: number for word, number in others.items() if number >= 20}
    spelt_scales = frozenset({"hundred", "dozen", "thousand", "million", "billion", "trillion", "lakh", "crore"})
    return Numerals(
        units=small,
        tens=large,
        scales=scales,
        spelt_scales=spelt_scales,
        ordinals=numbered,
        fractions=fractions | {_plural_fraction(word): part for word, part in fractions.items()},
        vague={word: (low, high) for word, (low, high) in vague.items()},
        spelt=spelt_scales.union(small, large, numbered),
    )


def _plural_fraction(word: str) -> str:
    return "halves" if word == "half" else word + "s"


def parse_digits(token: str) -> Fraction | None:
    """The value of "3,000" or "1.5"; None for anything else, and for codes with a leading zero such as 007."""
    plain = token.replace(",", "")
    whole, _, decimals = plain.partition(".")
    if len(plain) > _LARGEST_DIGITS or not (whole + decimals).isdecimal() or not (whole + decimals).isascii():
        return None
    if len(whole) > 1 and whole[0] == "0":
        return None
    return Fraction(plain) if decimals else Fraction(int(whole))


def show(number: Fraction) -> str:
    """A number for people and keys: 1500, 1.5, 1/3."""
    if number.denominator == 1:
        return str(number.numerator)
    scaled = number * 10**6
    if scaled.denominator == 1:
        sign, digits = ("-" if scaled < 0 else ""), f"{abs(scaled.numerator):07d}"
        return f"{sign}{digits[:-6]}.{digits[-6:].rstrip('0')}"
    return f"{number.numerator}/{number.denominator}"


def read_words(words: Sequence[str], at: int) -> tuple[Fraction, int] | None:
    """The number spelt from `words[at]` on, and the index behind it: "two hundred and five" is 205."""
    table = numerals()
    if at >= len(words) or words[at] not in table.spelt:  # most words open no number
        return None
    total, current, last, index = 0, -1, "", at
    while index < len(words):
        word = words[index]
        if word in table.units or word in table.tens:
            merged = _append(current, last, table.units.get(word, table.tens.get(word, 0)))
            if merged is None:
                break
            current, last = merged, "tens" if word in table.tens else "unit"
        elif word in ("hundred", "dozen"):
            if last in ("hundred", "dozen"):
                break
            current, last = (current if current >= 0 else 1) * table.scales[word], word
        elif word in table.spelt_scales:
            if last == "scale":
                break
            total, current, last = total + (current if current >= 0 else 1) * table.scales[word], -1, "scale"
        elif not _is_joining_and(words, index, last):
            break
        index += 1
    if index == at:
        return None
    return Fraction(total + max(current, 0)), index


def reckon_fraction(words: str) -> Fraction:
    """The value of what a pattern has found to be a fraction: "half", "another third", "three-quarters"."""
    *front, part = words.replace("-", " ").split()
    many = read_words(front[-1:], 0)
    return (many[0] if many is not None else Fraction(1)) / numerals().fractions[part]


def _append(current: int, last: str, value: int) -> int | None:
    """Twenty + five is 25, nineteen + eighty is the year 1980, two + three are two numbers."""
    if current < 0:
        return value
    if last == "hundred" and value < 100 and current % 100 == 0:
        return current + value
    if last == "tens" and 0 < value < 10 and current % 10 == 0:
        return current + value
    if 10 <= current <= 21 and value >= 10:
        return current * 100 + value
    return None


def _is_joining_and(words: Sequence[str], index: int, last: str) -> bool:
    if words[index] != "and" or last not in ("hundred", "scale") or index + 1 >= len(words):
        return False
    follower = words[index + 1]
    return follower in numerals().units or follower in numerals().tens


def spell_with_digits(words: Sequence[str]) -> list[str]:
    """Number words and ordinals as digits, everything else as it is: "twenty first street" gives 21st, street."""
    table = numerals()
    if table.spelt.isdisjoint(words):
        return list(words)
    result: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        following = words[index + 1] if index + 1 < len(words) else ""
        if word in table.tens and table.ordinals.get(following, 99) < 10:
            result.append(ordinal(table.tens[word] + table.ordinals[following]))
            index += 2
        elif word in table.ordinals and not (word == "second" and result and result[-1].isdecimal()):
            result.append(ordinal(table.ordinals[word]))
            index += 1
        elif (word in table.units or word in table.tens or word in table.spelt_scales) and (
            found := read_words(words, index)
        ):
            result.append(show(found[0]))
            index = found[1]
        else:
            result.append(word)
            index += 1
    return result


def ordinal(number: int) -> str:
    suffix = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
