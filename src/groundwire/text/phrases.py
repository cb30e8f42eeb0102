"""Noun phrases: what they are made of, which word is their head, and whether they name a time.

The grammar is regular expressions over the one-letter tags of `tokens`, so an index into the letters
is an index into the tokens.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from groundwire.text.calendar import MONTH_NUMBERS, small_number
from groundwire.text.numerals import numerals
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token

_NOUN_PHRASE = re.compile(
    r"(?:(?:DS|[DS])?(?:R(?=[JE#])|(?<![NP])E(?=[#JNPG])|[#JNP@]|(?<![NP])G|(?<=[NPG])-(?=[NP#]))+(?:'(?:R(?=J)|E(?=[JNP])|[#JNPG@])+)*)|p|S|D(?!S)"
)
_NUMERIC_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}")


class Phrase:
    """A run of tokens, `start` and `end` index the sentence's token list."""

    __slots__ = ("classes", "clock", "end", "head", "letters", "negated", "start", "timely", "tokens")

    def __init__(self, tokens: list[Token], start: int, end: int) -> None:
        self.tokens = tokens
        self.start = start
        self.end = end
        self.letters = tokens[start].tag if end - start == 1 else "".join([token.tag for token in tokens[start:end]])
        self.head = start + _find_head(self.letters)
        self.negated = self.clock = False
        self.timely: bool | None = None
        self.classes: frozenset[str] | None = None
        """Whether it names a time, and which word classes it belongs to, once somebody has asked."""

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.tokens[self.start : self.end])

    def __bool__(self) -> bool:
        return self.end > self.start

    def extend(self, end: int) -> None:
        """Take in the tokens up to `end`: "Lisbon", "Portugal"."""
        self.end = end
        self.letters = "".join([token.tag for token in self.tokens[self.start : end]])
        self.timely = self.classes = None

    @property
    def first_token(self) -> Token:
        return self.tokens[self.start]

    @property
    def head_token(self) -> Token:
        return self.tokens[self.head]

    @property
    def span(self) -> tuple[int, int]:
        return self.tokens[self.start].start, self.tokens[self.end - 1].end

    def words(self) -> list[Token]:
        return self.tokens[self.start : self.end]


@lru_cache(maxsize=4096)
def _find_head(letters: str) -> int:
    """The last noun before "of"/"'s" business: "member of the team" → member, "Ada's dog" → dog."""
    head = 0
    for i, letter in enumerate(letters):
        if letter == "I" and (head or letters[0] in "NP"):
            break
        if letter in "NPp@" or (letter in "#JGES" and letters[head] not in "NP"):
            head = i
    return head


@cache
def time_nouns() -> frozenset[str]:
    return frozenset(read_table("grammar")["time"]["nouns"])


@cache
def time_openers() -> frozenset[str]:
    return frozenset(read_table("grammar")["time"]["openers"])


def is_time(phrase: Phrase) -> bool:
    """Does the phrase name a time ("last May", "2019", "every Friday evening", "6 pm")?"""
    if phrase.timely is None:
        phrase.timely = _names_time(phrase)
    return phrase.timely


def _names_time(phrase: Phrase) -> bool:
    head = phrase.head_token
    if head.tag == "P" and "#" in phrase.letters and any(t.tag == "#" and ":" in t.low for t in phrase.words()):
        return True
    if head.tag == "#":
        text = head.low
        return (
            _NUMERIC_DATE.fullmatch(text) is not None
            or text.endswith(("am", "pm", "a.m.", "p.m.", "0s"))
            or ":" in text
            or (len(text) == 4 and text.isdigit() and _may_be_year(text, alone=len(phrase.letters) == 1))
            or _names_day(phrase)
        )
    nouns = time_nouns()
    if head.low[:1] == "q" and head.low[1:] in ("1", "2", "3", "4"):
        return True
    return head.lemma in nouns or head.low in nouns or head.low.rstrip("s") in nouns or _names_day(phrase)


def _names_day(phrase: Phrase) -> bool:
    """ "the third of August", "the twenty-first of June": the day is a noun before its month."""
    if phrase.end - phrase.start < 3:
        return False
    words = [token.low for token in phrase.words()]
    at = words.index("of") if "of" in words else 0
    if not at or words[at - 1].rpartition("-")[2] not in numerals().ordinals:
        return False
    return words[at + 1] in MONTH_NUMBERS


def _may_be_year(digits: str, *, alone: bool) -> bool:
    """Years of long ago only where nothing else is counted: "in 1874", not "1874 tiles"."""
    return digits[:2] in ("19", "20") or (alone and "10" <= digits[:2] <= "18")


def match_noun_phrase(tokens: list[Token], letters: str, start: int, limit: int) -> Phrase | None:
    """The noun phrase that begins at `start`, with its "of" phrases."""
    found = _NOUN_PHRASE.match(letters, start, limit)
    if found is None or found.end() == start:
        return None
    end = found.end()
    if tokens[end - 1].low == "half" and letters[end : end + 1] == "D" and end < limit:
        found = _NOUN_PHRASE.match(letters, end, limit)  # "half an hour" is one thing, and no half by the hour
        end = found.end() if found is not None else end
    elif end - start > 1:
        end = _before_time(tokens, start, end)
    if letters[start] in "DS" and end - start == 1 and letters[end : end + 1] == "R" and tokens[end].low == "only":
        more = _NOUN_PHRASE.match(letters, end + 1, limit) if end + 1 < limit and letters[end + 1] in "#JNP" else None
        end = more.end() if more else end
    if letters[end - 1] in "DS" and end - start == 1 and end < limit and letters[end] in "DS#JNP":
        more = _NOUN_PHRASE.match(letters, end, limit)
        end = more.end() if more else end
    if (
        letters[end : end + 2] == ",#"
        and end + 1 < limit
        and letters[end - 1] == "#"
        and _is_year(tokens[end + 1])
        and "P" in letters[start:end]
    ):
        end += 2
    while end < limit - 1 and tokens[end].low == "of":
        inner = _NOUN_PHRASE.match(letters, end + 1, limit)
        if inner is None:
            break
        end = inner.end()
    return Phrase(tokens, start, end)


def _is_year(token: Token) -> bool:
    return len(token.text) == 4 and token.text.isdigit() and token.text[:2] in ("18", "19", "20")


def _before_time(tokens: list[Token], start: int, end: int) -> int:
    """ "a job last autumn": the time is a phrase of its own."""
    if tokens[start + 1].tag == "P" and _is_year(tokens[start]):
        return start + 1
    for i in range(start + 1, end - 1):
        if tokens[i].low in _TIME_DETERMINERS and tokens[i + 1].lemma in time_nouns():
            return i
    ago = end < len(tokens) and tokens[end].low == "ago" and tokens[end - 1].lemma in time_nouns()
    return end - 2 if ago and end - 2 > start and tokens[end - 2].tag in "#D" else end


_TIME_DETERMINERS = frozenset({"last", "next", "this", "every"})


def match_clock(tokens: list[Token], start: int, limit: int) -> Phrase | None:
    """A time of day told in words: "half past nine", "eight in the evening", "ten to six"; not a number by itself."""
    i = start + 1 if tokens[start].low == "a" and start + 1 < limit else start
    low = tokens[i].low
    if tokens[i].tag != "#" and low not in _HOURS_BY_NAME and low not in _FRACTIONS:
        return None
    if low in _HOURS_BY_NAME:
        return _make_clock(tokens, i, i + 1)
    end = i + 1
    told = low in _FRACTIONS or (end < limit and tokens[end].tag in "JNIt" and 0 < (small_number(low) or 0) < 30)
    if not told:
        return None
    if end < limit and tokens[end].low == "minutes":
        end += 1
    past = end + 1 < limit and tokens[end].low in _WAYS and 0 < (small_number(tokens[end + 1].low) or 0) <= 12
    if past:
        end += 2
    elif low in _FRACTIONS or end > i + 1:
        return None
    if end < limit and tokens[end].low == "o'clock":
        end += 1
    part = [token.low for token in tokens[end : min(limit, end + 3)]]
    if part[:2] in (["in", "the"], ["at", "night"]) and part[-1] in _PARTS_OF_DAY:
        end += len(part) if part[0] == "in" else 2
    return _make_clock(tokens, i, end) if end > i + 1 else None


def match_hour(tokens: list[Token], start: int, limit: int) -> Phrase | None:
    """The same where nothing says that it is an hour: "is half past nine", while "is ten to fifteen" may be a score."""
    found = match_clock(tokens, start, limit)
    sure = found is not None and any(token.low in _SURELY for token in found.words())
    return found if sure else None


def _make_clock(tokens: list[Token], start: int, end: int) -> Phrase:
    found = Phrase(tokens, start, end)
    found.timely = found.clock = True
    return found


_HOURS_BY_NAME = frozenset({"noon", "midday", "midnight"})
_FRACTIONS = frozenset({"half", "quarter"})
_WAYS = frozenset({"past", "to"})
_SURELY = frozenset({"past", "quarter", "o'clock", "morning", "afternoon", "evening", "night", *_HOURS_BY_NAME})
_PARTS_OF_DAY = frozenset({"morning", "afternoon", "evening", "night"})


def start_list() -> list[Any]:
    """An empty list for a field of any type: `list[Phrase]` as a factory takes several times as long."""
    return []
