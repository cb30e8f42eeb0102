"""How a number is written: digits, words, with a comma or in thousands."""

from __future__ import annotations

import random

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("zero", "ten", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


def spell(number: int) -> str:
    """The number in words, up to 999,999."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    if number < 1000:
        hundreds, rest = divmod(number, 100)
        return f"{_ONES[hundreds]} hundred" + (f" and {spell(rest)}" if rest else "")
    thousands, rest = divmod(number, 1000)
    if not rest:
        return f"{spell(thousands)} thousand"
    return f"{spell(thousands)} thousand{' and' if rest < 100 else ','} {spell(rest)}"


def write(rng: random.Random, number: float) -> str:
    """The number in one of its forms; every form means exactly the same."""
    if number != int(number):
        return f"{number:.2f}".rstrip("0").rstrip(".")
    whole = int(number)
    chance = rng.random()
    if whole <= 12:
        return spell(whole) if chance < 0.5 else str(whole)
    if chance < 0.1 and whole < 1000:
        return spell(whole)
    if chance < 0.35 and whole >= 1000:
        if whole % 1000 == 0:
            return rng.choice((spell(whole), f"{whole // 1000}k"))
        if whole % 100 == 0:
            return rng.choice(
                (
                    f"{spell(whole // 100)} hundred" if whole < 10000 and whole // 100 % 10 else f"{whole:,}",
                    f"{whole / 1000:g}k",
                )
            )
    return f"{whole:,}" if chance < 0.8 else str(whole)


def order(number: int) -> str:
    if 10 <= number % 100 <= 20:
        return f"{number}th"
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th') }"


ORDINALS = ("zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
