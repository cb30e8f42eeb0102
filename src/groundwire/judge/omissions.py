"""What a claim says and a passage does not: a date, a day or a figure of which there is nothing in the evidence.

A model that finds the rest of the sentence overlooks it. Only what nothing in the passage could mean is held against
it: a passage with a time that fits, with one that needs a clock, or with any figure, is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache

from groundwire.judge.findings import Finding
from groundwire.text.calendar import small_number
from groundwire.text.occasions import Occasion, read_occasion, relate_occasions
from groundwire.text.propositions import Argument
from groundwire.text.reading import read_text
from groundwire.text.relations import Relation
from groundwire.text.tables import read_table
from groundwire.text.tokens import number_words
from groundwire.types import Passage, Verdict

_WITHHELD = 0.8
_WORD = re.compile(r"[^\W\d_]+")
_FIGURE = re.compile(r"\d")
_FIGURES = re.compile(r"\d+")
_DECADE = re.compile(r"(?:the )?(\d{3})0['’]?s")
_SMALLEST = 3
"""Fewer than this is told by other words: a pair, twins, my parents, a husband and a son."""


def find_unmentioned(claim: str, passage: Passage) -> Finding | None:
    """A time or a figure of the claim of which the passage says nothing."""
    for read in read_text(claim).claims:
        if read.proposition.negated:
            continue  # "not in January" is carried by another month
        for argument in read.proposition.arguments:
            decade = argument.is_time and f"{argument.text}'s" in claim.replace("’", "'")
            if decade:
                continue
            missing = _lacks_time(argument, passage) if argument.is_time else _lacks_figure(argument, passage)
            if missing:
                return Finding(
                    Verdict.INSUFFICIENT, _WITHHELD, "detail_missing", passage.id, claim_value=argument.text
                )  # fmt: skip
    return None


def _lacks_time(argument: Argument, passage: Passage) -> bool:
    mine = read_occasion(argument.role, argument.text)
    if mine is None or not _is_definite(mine) or _has_parts(argument.text, passage.text):
        return False
    if (decade := _DECADE.fullmatch(argument.text)) and re.search(rf"\b{decade[1]}\d\b", passage.text):
        return False
    words = frozenset(word.lower() for word in _WORD.findall(passage.text))
    if not words.isdisjoint(_loose_times()):
        return False
    return all(
        other is not None and relate_occasions(mine, other) in (None, Relation.DIFFERENT)
        for other in _find_times(passage)
    )


def _has_parts(time: str, text: str) -> bool:
    """Whether its figures and its names are all somewhere in the text, in whatever order they are written."""
    low = text.casefold()
    figures, held = _FIGURES.findall(time), frozenset(_FIGURES.findall(text))
    names = [word.casefold()[:3] for word in _WORD.findall(time) if word[0].isupper()]
    return bool(figures or names) and held.issuperset(figures) and all(name in low for name in names)


def _find_times(passage: Passage) -> Iterator[Occasion | None]:
    """Every time of the passage with a name or a figure; None for one that cannot be placed."""
    for read in read_text(passage.text).statements:
        for argument in read.proposition.arguments:
            found = read_occasion(argument.role, argument.text) if argument.is_time else None
            if found is not None or (argument.is_time and _FIGURE.search(argument.text)):
                yield found
    if passage.timestamp is not None:
        recorded = datetime.fromtimestamp(passage.timestamp, tz=UTC)
        yield read_occasion("on", f"{recorded.day} {recorded:%B %Y}")


def _is_definite(occasion: Occasion) -> bool:
    """A date, a day of the week or a month; parts of the day and seasons are told in many ways."""
    return bool(occasion.days or occasion.months or (occasion.weekdays and len(occasion.weekdays) == 1))


def _lacks_figure(argument: Argument, passage: Passage) -> bool:
    """A number where the passage has none, and nothing that could be counted."""
    number = next((n for lemma in argument.lemmas if (n := small_number(lemma)) is not None), None)
    if number is None or number < _SMALLEST or _FIGURE.search(passage.text):
        return False
    words = {word.lower() for word in _WORD.findall(passage.text)}
    told = words & {word.lower() for word in _WORD.findall(argument.text) if small_number(word.lower()) is None}
    counted = words & (number_words() | _counting()) or any(word.removesuffix("s") in number_words() for word in told)
    return not counted and "," not in passage.text


@cache
def _loose_times() -> frozenset[str]:
    return frozenset(read_table("temporal")["loose"]["words"])


@cache
def _counting() -> frozenset[str]:
    return frozenset(read_table("temporal")["loose"]["counts"])
