"""Quantities as comparable values: a number or a range, in a unit, a currency, a share or bare.

Amounts are exact fractions of the first unit of their dimension, so 90 minutes and 1.5 hours are one amount, and two
different numbers never are.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache, lru_cache

from groundwire.text.amounts import compare_quantities
from groundwire.text.measures import COUNT, Quantity, Unit, find_phrase, find_unit, measures, put_in_unit
from groundwire.text.numerals import numerals, parse_digits, read_words

__all__ = ["Quantity", "compare_quantities", "read_quantity"]

_TOKEN = re.compile(
    r"\d{1,3}(?:,\d{3}){1,8}(?:\.\d{1,20})?(?!\d)|\d{1,40}(?:\.\d{1,20})?|k?m/[hs]\b|k?m2\b|°[cfk]\b|[a-z]{1,2}\$"
    r"|[^\W\d_]+|[<>]=|\S"
)
_SPELT_HYPHEN = re.compile(
    r"(?<=[a-z])-(?=(?:one|two|three|four|five|six|seven|eight|nine|year|month|week|day|hour|minute|old)s?\b)"
)
_DECADE = re.compile(
    r"(?:in )?(?:(?:my|your|his|her|their|the) )?(?:(?P<part>early|mid|late)[ -])?"
    r"(?:(?P<digits>[2-9]0)'?s|(?P<word>twent|thirt|fort|fift|sixt|sevent|eight|ninet)ies)"
)
_DECADE_WORDS = ("twent", "thirt", "fort", "fift", "sixt", "sevent", "eight", "ninet")
_DECADE_PARTS = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}
_DIGIT_HYPHEN = re.compile(r"(?<=\d)-(?=[a-z])")
_GLUED_UNITS = frozenset("hgl")
_NUMBER_OR_RANGE = frozenset({"-", "to", "–", "—"})
_RATE_WORDS = {
    "hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year",
    "annual": "year",
}  # fmt: skip
_LONGEST = 400
_TOLERANCE = Fraction(1, 10)


def read_quantity(text: str) -> tuple[Quantity, str] | None:
    """The quantity that lower-case `text` opens with, and what is left of the text behind it."""
    return None if len(text) > _LONGEST else _read(text)


@lru_cache(maxsize=16384)
def _read(text: str) -> tuple[Quantity, str] | None:
    if (decade := _DECADE.fullmatch(text)) is not None:
        return _read_decade(decade), ""
    first = _TOKEN.search(text)
    if first is None or not (first.group()[0].isdecimal() or first.group() in _openers()):
        return None
    if "-" in text:
        text = _DIGIT_HYPHEN.sub(" ", _SPELT_HYPHEN.sub(" ", text))
    scanner = _Scanner(text)
    quantity = scanner.quantity()
    return None if quantity is None else (quantity, scanner.rest())


@cache
def _openers() -> frozenset[str]:
    """The words and signs that a quantity can begin with, besides digits; most phrases are none by their first word."""
    table, known = numerals(), measures()
    named = [*known.hedges, *(name for name, unit in known.units.items() if unit.dimension.startswith("currency"))]
    firsts = [name.partition(" ")[0] for name in named]
    return table.spelt.union(firsts, table.vague, table.fractions, ("a", "an", "age", "aged", "-", "−"))


def _read_decade(match: re.Match[str]) -> Quantity:
    """Somebody in their early thirties is 30 to 33."""
    start = int(match["digits"]) if match["digits"] else 20 + 10 * _DECADE_WORDS.index(match["word"])
    first, last = _DECADE_PARTS.get(match["part"] or "", (0, 9))
    return Quantity(Fraction(start + first), Fraction(start + last), Fraction(start), COUNT, match.group())


class _Scanner:
    """Reads one quantity from the left; `at` is the token that comes next."""

    __slots__ = ("at", "ends", "money", "starts", "text", "words", "zero")

    def __init__(self, text: str) -> None:
        found = list(_TOKEN.finditer(text))
        self.text = text
        self.words = [match.group() for match in found]
        self.starts = [match.start() for match in found]
        self.ends = [match.end() for match in found]
        self.at = 0
        self.money = False
        self.zero = False

    def word(self, ahead: int = 0) -> str:
        index = self.at + ahead
        return self.words[index] if 0 <= index < len(self.words) else ""

    def is_glued(self, ahead: int = 0) -> bool:
        """Whether the token touches the one before it."""
        index = self.at + ahead
        return 0 < index < len(self.words) and self.starts[index] == self.ends[index - 1]

    def rest(self) -> str:
        return self.text[self.starts[self.at] :].strip() if self.at < len(self.words) else ""

    def quantity(self) -> Quantity | None:
        hedge = find_phrase(measures().hedges, self.words, self.at)
        kind = hedge[0] if hedge else ""
        if hedge:
            self.at = hedge[1]
            self.at += self.word() == "."
        aged = self.word() in ("age", "aged")
        self.at += aged
        self.at += aged and self.word() == "of"
        vague = self._vague()
        if vague is not None:
            return vague
        first = self._amount()
        if first is None:
            return None
        if (last := self._upper_end(kind)) is not None:
            if first.number > last.number and first.unit is last.unit:  # 12-3 is a code
                return None
            return self._finish(_range(first, last), "", aged)
        return None if kind == "between" else self._finish(first, kind, aged)

    def _vague(self) -> Quantity | None:
        skip = self.word() in ("a", "an")
        bounds = numerals().vague.get(self.word(skip))
        if bounds is None:
            return None
        shown = self.word(skip)
        self.at += 1 + skip
        self.at += self.word() == "of"
        low, high = Fraction(bounds[0]), Fraction(bounds[1])
        quantity = Quantity(low, high, low, COUNT, shown)
        return self._rated(put_in_unit(quantity, self._unit() or COUNT))

    def _upper_end(self, kind: str) -> Quantity | None:
        """The second half of "20-30" or "between 20 and 30"."""
        if self.word() not in _NUMBER_OR_RANGE and not (kind == "between" and self.word() == "and"):
            return None
        start = self.at
        self.at += 1
        last = self._amount()
        if last is None:
            self.at = start
        return last

    def _amount(self) -> Quantity | None:
        """Currency, number, unit, and further smaller units: "$5", "5 ft 11 in", "1h30"."""
        start, self.zero = self.at, False
        sign = -1 if self.word() in ("-", "−") and self.is_glued(1) else 1
        self.at += sign < 0
        currency = find_unit(self.words, self.at)
        if currency and currency[0].dimension.startswith("currency"):
            self.at, self.money = currency[1], True
        else:
            currency = None
        number = self._number()
        if number is None:
            self.at, self.money = start, False
            return None
        unit = currency[0] if currency else self._unit()
        if unit is None and self._is_inside_code():
            self.at = start
            return None
        amount = self._with_smaller_units(number if sign > 0 else -number, unit)
        shown = self.text[self.starts[start] : self.ends[self.at - 1]]
        return amount._replace(shown=shown, keeps_zero=self.zero and unit is None)

    def _with_smaller_units(self, number: Fraction, unit: Unit | None) -> Quantity:
        quantity = put_in_unit(Quantity(number, number, number, COUNT, ""), unit or COUNT)
        while unit is not None and self.at < len(self.words):
            start = self.at
            if self.word() == "and" and self.word(1) == "a" and self.word(2) in ("half", "quarter"):
                quantity = put_in_unit(_plus(quantity, number, numerals().fractions[self.word(2)]), unit)
                self.at += 3
                break
            self.at += self.word() in (",", "and")
            number_more = self._number() if self.word()[:1].isdecimal() or self.at > start else None
            smaller = self._unit(after=unit) if number_more is not None else None
            if number_more is None or smaller is None or smaller.dimension != unit.dimension \
                    or smaller.factor >= unit.factor or unit.offset:  # fmt: skip
                self.at = start
                break
            extra = number_more * smaller.factor
            low = (quantity.low or Fraction(0)) + extra
            quantity = quantity._replace(low=low, high=low, number=low / quantity.unit.factor)
            unit = smaller
        return quantity

    def _number(self) -> Fraction | None:
        word, table = self.word(), numerals()
        skip = word in ("a", "an") and (self.word(1) in table.spelt_scales or self.word(1) in table.fractions)
        self.at += skip
        if self.word()[:1].isdecimal():
            value = self._digits()
        elif self.word() in table.fractions and (skip or self.word() in ("half", "quarter")):
            value = Fraction(1, table.fractions[self.word()])
            self.at += 1
            self.at += self.word() in ("a", "an") and self.word(1) in table.spelt_scales
        elif found := read_words(self.words, self.at):
            value, self.at = found
        elif word in ("a", "an") and self._is_time_unit(1):
            value, self.at = Fraction(1), self.at + 1
        else:
            self.at -= skip
            return None
        return None if value is None else self._scaled(value)

    def _is_time_unit(self, ahead: int) -> bool:
        found = find_unit(self.words, self.at + ahead)
        return found is not None and found[0].dimension in ("duration", "months")

    def _digits(self) -> Fraction | None:
        token = self.word()
        value = parse_digits(token)
        if value is None:
            return None
        self.at += 1
        self.zero = "." in token and token.endswith("0") and len(token.partition(".")[2]) > 1
        if self.word() == "," and self.is_glued() and self.is_glued(1) and len(self.word(1)) < 3:
            decimals = parse_digits(self.word(1)) if self.word(1).isdecimal() else None
            if decimals is not None and "," not in token and "." not in token:
                value, self.at = value + decimals / 10 ** len(self.word(1)), self.at + 2
        while len(self.word()) == 3 and self.word().isdecimal() and len(token) <= 3 and not self.is_glued():
            value, self.at = value * 1000 + int(self.word()), self.at + 1
        if self.word() == "/" and self.is_glued() and self.is_glued(1) and self.word(1)[:1].isdecimal():
            return self._over(value)
        if self.word(1) == "/" and self.word()[:1].isdecimal() and value.denominator == 1:
            top = parse_digits(self.word())
            self.at += 1
            part = self._over(top) if top is not None and self.word() == "/" else None
            return None if part is None else value + part
        return value

    def _over(self, top: Fraction) -> Fraction | None:
        """The fraction "1/2"; "24/7" is none."""
        bottom = parse_digits(self.word(1)) if self.word(1)[:1].isdecimal() else None
        if bottom is None or not top < bottom or self.word(2) == "/":
            return None
        self.at += 2
        return top / bottom

    def _scaled(self, value: Fraction) -> Fraction:
        table = numerals()
        while (scale := table.scales.get(self.word())) or (self.money and self.is_glued() and self.word() in "mb"):
            if self.word() in ("k", "mil") and not self.is_glued():
                break
            value *= scale or (10**6 if self.word() == "m" else 10**9)
            self.at += 1
            self.zero = False
        if self.word() in table.fractions and self.word() != "seconds" and value.denominator == 1 and value < 20:
            plural_form = self.word().endswith("s")
            if plural_form or value == 1:
                value, self.at = value / table.fractions[self.word()], self.at + 1
        if self.word() == "and" and self.word(1) == "a" and self.word(2) in ("half", "quarter"):
            value, self.at = value + Fraction(1, table.fractions[self.word(2)]), self.at + 3
        return value

    def _unit(self, after: Unit | None = None) -> Unit | None:
        """The unit that comes next; feet are followed by inches and hours by minutes even unsaid."""
        self.at += self.word() in ("a", "an", "of") and find_unit(self.words, self.at + 1) is not None \
            and self.word(-1) in ("half", "quarter", "couple", "few")  # fmt: skip
        if self.at >= len(self.words) and after is not None:
            silent = {"foot": "inch", "hour": "minute"}.get(after.name, "")
            return measures().units.get(silent)
        if after is not None and after.name == "hour" and self.word() == "m":
            self.at += 1
            return measures().units["minute"]
        found = find_unit(self.words, self.at)
        if found is None:
            return None
        if self.is_glued() and len(self.word()) == 1 and self.word().isalpha() and self.word() not in _GLUED_UNITS:
            return None
        self.at = found[1]
        return found[0]

    def _is_inside_code(self) -> bool:
        """Whether the number runs on into letters or dots, as in 3m, 1.2.3, 10:30 or 5th."""
        if not self.is_glued() or self.words[self.at - 1].isalpha():
            return False
        word = self.word()
        if word in ("-", "–", "—"):
            return not self.word(1)[:1].isdecimal() or self.word(2) == word
        return word[0].isalnum() or (word in ".:/_#-'@" and self.is_glued(1))

    def _finish(self, quantity: Quantity, kind: str, aged: bool) -> Quantity:
        after = find_phrase(measures().afterthoughts, self.words, self.at)
        if after and not kind:
            kind, self.at = after
        if quantity.unit is COUNT and (unit := self._unit()):
            quantity = put_in_unit(quantity, unit)
        if self.word() == "old" or (self.word() == "of" and self.word(1) == "age"):
            self.at += 1 if self.word() == "old" else 2
            quantity = quantity._replace(is_age=quantity.unit.dimension in ("months", "duration"))
        if aged and quantity.unit is COUNT:
            quantity = put_in_unit(quantity, measures().units["year"])._replace(is_age=True)
        return self._rated(_as_share(_hedged(quantity, kind)))

    def _rated(self, quantity: Quantity) -> Quantity:
        """An amount a month, per hour, yearly."""
        word, found = self.word(), None
        if word in _RATE_WORDS:
            found = measures().units[_RATE_WORDS[word]], self.at + 1
        elif word in ("per", "/", "a", "an", "each", "every") and self._is_time_unit(1):
            found = find_unit(self.words, self.at + 1)
        if found is None or quantity.is_age:
            return quantity
        self.at = found[1]
        factor = found[0].factor
        low, high, middle = (
            None if bound is None else bound / factor for bound in (quantity.low, quantity.high, quantity.middle)
        )
        return quantity._replace(low=low, high=high, middle=middle, rate=found[0].dimension)


def _plus(quantity: Quantity, number: Fraction, part: int) -> Quantity:
    """An hour and a half: the number behind the unit belongs to it."""
    whole = number + Fraction(1, part)
    return quantity._replace(low=whole, high=whole, number=whole)


def _as_share(quantity: Quantity) -> Quantity:
    """A bare number between nothing and one is a share: half is 50 %."""
    if quantity.unit is not COUNT or not 0 < quantity.number < 1 or not quantity.is_exact:
        return quantity
    percent = measures().units["%"]
    return quantity._replace(low=quantity.number * 100, high=quantity.number * 100, unit=percent)


def _hedged(quantity: Quantity, kind: str) -> Quantity:
    value = quantity.low
    if not kind or value is None or not quantity.is_exact:
        return quantity
    if kind == "about":
        is_year = quantity.unit is COUNT and 1500 <= value <= 2200
        slack = Fraction(2) if is_year else abs(value) * _TOLERANCE
        return quantity._replace(low=value - slack, high=value + slack, about=True, middle=value)
    if kind in ("over", "least"):
        return quantity._replace(high=None, open_ends=kind == "over")
    return quantity._replace(low=None, open_ends=kind == "under")


def _range(first: Quantity, last: Quantity) -> Quantity:
    if first.unit is COUNT and last.unit is not COUNT:
        first = put_in_unit(first, last.unit)
    low, high = first.low or Fraction(0), last.high or Fraction(0)
    return last._replace(low=min(low, high), high=max(low, high), shown=f"{first.shown}-{last.shown}")
