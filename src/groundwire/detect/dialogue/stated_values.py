"""The values that a sentence states, by kind: days, dates, times, amounts, counts of something, labels.

Two values can be compared only if they answer the same question, so the kind carries what is counted or labelled:
"four people" and "six people", "platform 4" and "platform 9", but never "four people" and "platform 4".
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import numerals
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.text.thesaurus import concept
from groundwire.text.times import months, seasons, weekdays
from groundwire.text.tokens import Token
from groundwire.text.values import Relation, compare
from groundwire.types import Span

_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?|\d{1,2}\s?[ap]\.?m\.?")
_UNIT = re.compile(r"[A-Z]{2,3}|[kMGT]?[WVABghm]{1,2}")
_RANK = re.compile(r"\d{1,4}(?:st|nd|rd|th)")
_CODE = re.compile(r"(?=[\w-]*\d)[A-Z]{0,4}-?\d[\w.-]{0,12}|\d{1,5}[A-Z]|[A-HJ-Z]")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_MONEY = frozenset(
    {"euro", "dollar", "pound", "yen", "franc", "cent", "usd", "eur", "gbp", "crown", "krona", "rupee", "buck"}
)
_LENGTHS = frozenset({"second", "minute", "hour", "day", "night", "week", "month", "year", "fortnight", "decade"})
_SHARES = frozenset({"percent", "per cent", "percentage"})
PEOPLE = frozenset({"people", "person", "guest", "visitor", "adult", "participant", "attendee", "passenger", "diner"})
_PLAIN_VERBS = frozenset({"be", "have", "cost", "get", "take", "make", "want", "need", "pay", "do"})
_AMOUNTS = frozenset(
    """
    limit budget total sum price cost maximum minimum average amount score result age speed height width length depth
    weight value rate balance deposit rent salary fee figure number target goal size capacity distance
    """.split()  # noqa: SIM905
)
""" "The limit of 3,000" is a value of the limit and counts nothing, unlike "a team of twelve"."""
_LONGEST = 1_200


_ANY = frozenset({"count:*", "label:number"})


class StatedValue(NamedTuple):
    """`kind` names the question that the value answers; `span` is where it stands in the text."""

    kind: str
    text: str
    span: Span

    @property
    def number(self) -> str:
        """The bare number of a count, a label or a rank, in digits: "second" is 2."""
        return _bare(self).removesuffix("th")

    def excludes(self, other: StatedValue) -> bool:
        """Both answer the same question, differently."""
        return self._meets(other) and _relate(self, other) is Relation.DIFFERENT

    def equals(self, other: StatedValue) -> bool:
        return self._meets(other) and _relate(self, other) is not Relation.DIFFERENT

    def _meets(self, other: StatedValue) -> bool:
        """ "a team of twelve" counts whatever the team is made of, "number 240" labels any room."""
        if self.kind == other.kind:
            return True
        kinds = {self.kind, other.kind}
        genus = {kind.partition(":")[0] for kind in kinds}
        return len(genus) == 1 and not kinds.isdisjoint(_ANY)


def _relate(left: StatedValue, right: StatedValue) -> Relation:
    if left.text.casefold() == right.text.casefold():
        return Relation.EQUAL
    if left.text.isdecimal() and right.text.isdecimal():
        return Relation.EQUAL if int(left.text) == int(right.text) else Relation.DIFFERENT
    return _compare_bare(left, right)


@lru_cache(maxsize=4096)
def _compare_bare(left: StatedValue, right: StatedValue) -> Relation:
    one, two = _bare(left), _bare(right)
    if left.kind == right.kind == "clock" and _may_be_one_hour(one, two):
        return Relation.EQUAL
    return Relation.EQUAL if one == two else compare(one, two).relation


def _may_be_one_hour(one: str, two: str) -> bool:
    """ "at 4" may be 16:00: nobody said which half of the day."""
    for plain, other in ((one, two), (two, one)):
        hour = _spelt().get(plain.casefold(), plain)
        written = re.fullmatch(r"(\d{1,2})(?::00|\s?[ap]\.?m\.?)?", other.casefold())
        if hour.isdigit() and written is not None and int(hour) % 12 == int(written.group(1)) % 12:
            return True
    return False


def _bare(value: StatedValue) -> str:
    if value.kind.startswith(("count:", "label:", "rank:")):
        number = value.text.casefold().split()
        digits = [w for w in number if w[0].isdigit() or w in _spelt()]
        first = str(_spelt().get(digits[0], digits[0])) if digits else value.text.casefold()
        return re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", first)
    return value.text.removesuffix("s") if value.kind == "weekday" else value.text


@lru_cache(maxsize=1)
def _spelt() -> dict[str, str]:
    numbers: dict[str, int] = read_table("temporal")["numbers"]
    return {word: str(value) for word, value in numbers.items()} | {w: f"{n}th" for w, n in _ordinals().items()}


def _ordinals() -> dict[str, int]:
    return numerals().ordinals


@lru_cache(maxsize=4096)
def find_values(text: str) -> tuple[StatedValue, ...]:
    """Every value in text order."""
    if len(text) > _LONGEST:
        return ()
    tokens, letters = share_tags(text)
    found: list[StatedValue] = []
    i = 0
    openers = _openers()
    while i < len(tokens):
        low, end = tokens[i].low, i + 1
        if letters[i] in "#P@" or low in openers or len(tokens[i].text) == 1 or low[0].isdigit():
            value, end = _read_value(tokens, letters, i, text)
            if value is not None:
                found.append(value)
        i = max(i + 1, end)
    return tuple(found)


@cache
def _openers() -> frozenset[str]:
    """The words that a value can begin with, besides names, numbers and letters: most words begin none."""
    days = [f"{day}{plural}" for day in weekdays() for plural in ("", "s")]
    return frozenset({"a", "an", "noon", "midnight", *seasons(), *months(), *days, *_ordinals()})


def _read_value(tokens: list[Token], letters: str, i: int, text: str) -> tuple[StatedValue | None, int]:
    token, low = tokens[i], tokens[i].low
    if (
        low in seasons()
        and letters[i] in "NP"
        and (low != "fall" or (i and tokens[i - 1].low in ("last", "this", "next", "in")))
    ):
        return _value("season", tokens, i, i + 1, text), i + 1
    if (
        low in ("a", "an")
        and i + 1 < len(tokens)
        and tokens[i + 1].low in ("hour", "day", "week", "month", "year", "minute")
    ):
        half = [t.low for t in tokens[i + 2 : i + 5]] == ["and", "a", "half"]
        end = i + 5 if half else i + 2
        counted = half or (
            i
            and tokens[i - 1].low
            in ("take", "takes", "took", "lasts", "last", "lasted", "for", "in", "within", "about")
        )
        return (_value("length", tokens, i, end, text) if counted else None), end
    if low in ("noon", "midnight"):
        return _value("clock", tokens, i, i + 1, text), i + 1
    if low in weekdays() or (low.endswith("s") and low[:-1] in weekdays()):
        return _value("weekday", tokens, i, i + 1, text), i + 1
    if low in months() and token.text[0].isupper():
        return _read_month(tokens, letters, i, text)
    if letters[i] == "#" or _RANK.fullmatch(low) or (low in _ordinals() and letters[i] in "JN"):
        return _read_number(tokens, letters, i, text)
    if letters[i] == "P" and letters[i + 1 : i + 2] == "N" and (not i or letters[i - 1] in "DSI"):
        return _value(f"which:{tokens[i + 1].lemma}", tokens, i, i + 1, text), i + 1
    is_letter = len(token.text) == 1 and token.text.isupper() and letters[i + 1 : i + 2] not in ("N", "J")
    if (letters[i] in "P@" or is_letter) and i and _may_label(tokens[i - 1]) and _CODE.fullmatch(token.text):
        return _value(f"label:{concept(tokens[i - 1].lemma)}", tokens, i, i + 1, text), i + 1
    return None, i + 1


def _may_number(low: str) -> bool:
    return low[0].isdigit() or low in numerals().units


def _may_label(token: Token) -> bool:
    return token.tag in "NP" and token.text.islower()


def _value(kind: str, tokens: list[Token], start: int, end: int, text: str) -> StatedValue:
    span = Span(tokens[start].start, tokens[end - 1].end)
    return StatedValue(kind, text[span.start : span.end], span)


def _read_month(tokens: list[Token], letters: str, i: int, text: str) -> tuple[StatedValue | None, int]:
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following is not None and letters[i + 1] == "#" and re.fullmatch(r"\d{1,2}(?:st|nd|rd|th)?", following.low):
        return _value("date", tokens, i, i + 2, text), i + 2
    if tokens[i].low in ("may", "march") and not (
        i and tokens[i - 1].low in ("in", "by", "since", "until", "of", "this")
    ):
        return None, i + 1
    return _value("month", tokens, i, i + 1, text), i + 1


def _read_number(tokens: list[Token], letters: str, i: int, text: str) -> tuple[StatedValue | None, int]:
    low, end = tokens[i].low, i + 1
    if _YEAR.fullmatch(low) and letters[end : end + 1] not in ("N", "J"):
        return _value("year", tokens, i, end, text), end
    if _CLOCK.fullmatch(low):
        return _value("clock", tokens, i, end, text), end
    of = 1 if tokens[end : end + 1] and tokens[end].low == "of" else 0
    if end + of < len(tokens) and tokens[end + of].low in months() and low[:1].isdigit():
        return _value("date", tokens, i, end + of + 1, text), end + of + 1
    while end < len(tokens) and letters[end] == "#" and tokens[end].is_apart:
        end += 1
    if low.endswith("%"):
        return _value("share", tokens, i, i + 1, text), i + 1
    if low[0] in "$€£¥":
        return _value("money", tokens, i, end, text), end
    noun = end
    while noun < len(tokens) and letters[noun] in "JGE" and noun - end < 3:
        noun += 1
    if noun < len(tokens) and letters[noun] == "P" and _UNIT.fullmatch(tokens[noun].text):
        return _value(f"count:{tokens[noun].low}", tokens, i, end, text), noun + 1
    if noun < len(tokens) and letters[noun] == "N":
        while noun + 1 < len(tokens) and letters[noun + 1] == "N" and tokens[noun + 1].is_apart:
            noun += 1
        return _name_kind(tokens, i, end, noun, text)
    if i and letters[i - 1] == "N" and tokens[i - 1].low not in ("year", "years") and _may_number(low):
        return _value(f"label:{concept(tokens[i - 1].lemma)}", tokens, i, end, text), end
    before = tokens[i - 1].low if i else ""
    if i > 2 and letters[i - 1] == "b" and tokens[i - 2].low == "number" and letters[i - 3] == "N":
        return _value(f"label:{concept(tokens[i - 3].lemma)}", tokens, i, end, text), end
    if before == "of" and i > 1 and letters[i - 2] == "N" and tokens[i - 2].lemma in _AMOUNTS:
        return _value("number", tokens, i, end, text), end
    if before == "of" and i > 1 and letters[i - 2] == "N":
        return _value("count:*", tokens, i, end, text), end
    if i and letters[i - 1] in "VB" and tokens[i - 1].lemma not in _PLAIN_VERBS:
        return _value(f"label:{tokens[i - 1].lemma}", tokens, i, end, text), end
    if before == "for":
        return _value("count:people", tokens, i, end, text), end
    if before in ("at", "until", "till", "by", "before", "after") and low in _hours():
        return _value("clock", tokens, i, end, text), end
    return _value("number", tokens, i, end, text), end


@lru_cache(maxsize=1)
def _hours() -> frozenset[str]:
    return frozenset({*map(str, range(25)), *(w for w, n in _spelt().items() if n.isdigit() and int(n) <= 12), "noon"})


def _name_kind(tokens: list[Token], i: int, end: int, noun: int, text: str) -> tuple[StatedValue, int]:
    """What the number counts decides the kind of the value."""
    low, lemma = tokens[i].low, noun_lemma(tokens[noun].low)
    if lemma in _SHARES or (lemma == "cent" and tokens[noun - 1].low == "per"):
        return _value("share", tokens, i, noun + 1, text), noun + 1
    if lemma in _MONEY:
        return _value("money", tokens, i, noun + 1, text), noun + 1
    if lemma in _LENGTHS:
        return _value("length", tokens, i, noun + 1, text), noun + 1
    if _RANK.fullmatch(low) or low in _ordinals():
        return _value(f"rank:{concept(lemma)}", tokens, i, end, text), end
    counted = "people" if lemma in PEOPLE else concept(lemma)
    return _value(f"count:{counted}", tokens, i, end, text), end
