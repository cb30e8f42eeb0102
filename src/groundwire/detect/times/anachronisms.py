"""Things out of their time: what was used before there was one, and what somebody did who was not alive."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.contemporaries import Person, find_strangers
from groundwire.detect.times.dates import find_extent
from groundwire.detect.times.event_pairs import life_words
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.inflection import plural
from groundwire.text.tables import read_table
from groundwire.text.verbs import VerbGroup
from groundwire.types import Span, Tense

ANACHRONISM = 0.80
_SLACK = 1
_UNREAL = re.compile(
    r"\b(?:if|unless|imagine|imagined|as\s+though|would|could|might|never|not|no|centur(?:y|ies)|today|modern|museum|exhibit[a-z]*|biography"
    r"|film|movie|novel|game|statue|anachronis[a-z]+|replica|(?:painting|portrait|photograph|photo|picture)s?\s+of|invent[a-z]*|patent[a-z]*"
    r"|forerunner|precursor|prototype|pioneer[a-z]*|idea|concept|sketch[a-z]*|predict[a-z]*|dream[a-z]*|joke|costume|actor|actress)\b"
    r"|n't\b|[\"“”]"
)
_UNLIKE = frozenset({"before", "without", "like", "unlike", "than", "until", "about", "despite"})
_INSIDE = frozenset("DSJNPRIt#'pCE")
_NAMED = re.compile(
    r"\s*(?:\(|(?:of|street|road|square|university|prize|airport|station|hotel|memorial|bridge|club|school|park|jr|i+|iv|v)\b)"
)


_BEFORE_NAME = frozenset(
    "and that when then so queen king emperor president general sir composer painter pope philosopher poet".split()  # noqa: SIM905
)


class _Name(NamedTuple):
    """Words of the table where they stand, and the years that go with them."""

    start: int
    end: int
    words: str
    first: int
    last: int


def find_anachronisms(seen: Sighting) -> Iterator[TemporalFault]:
    """Of one sentence in the past tense: the thing, and the person, the age or the year that had none."""
    if seen.is_question or seen.is_endless or not any(g.tense is Tense.PAST for g in seen.groups):
        return
    people = list(_find("people", seen.low))
    things = [*_find("things", seen.low), *_find_deeds(seen)]
    if things and not _UNREAL.search(seen.low):
        yield from _find_too_early(seen, things, people)
    yield from _find_outlived(seen, people)
    if len(people) > 1:
        acting = [next((g for g in seen.groups if _acts(seen, name, g)), None) for name in people]
        yield from find_strangers(seen, [Person(*name) for name in people], acting)


@cache
def _read(name: str) -> tuple[re.Pattern[str], Mapping[str, tuple[int, int]]]:
    table = cast("dict[str, Any]", read_table("anachronisms", "detect")[name])
    years: dict[str, tuple[int, int]] = {}
    for key, row in table.items():
        if name == "people":
            years[key] = (row[0], row[1])
        else:
            years.update({form: (int(key), int(key)) for word in row for form in _forms(word, name)})
    words = "|".join(re.escape(word) for word in sorted(years, key=len, reverse=True))
    return re.compile(rf"(?<![\w-])(?:{words})(?![\w-])"), years


def _forms(word: str, name: str) -> tuple[str, ...]:
    return (word, plural(word)) if name == "things" else (word,)


def _find(name: str, low: str) -> Iterator[_Name]:
    pattern, years = _read(name)
    for match in pattern.finditer(low):
        yield _Name(match.start(), match.end(), match.group(), *years[match.group()])


def _find_deeds(seen: Sighting) -> Iterator[_Name]:
    """ "tweeted" by its verb: what the sentence does, not what it names."""
    years = _read("deeds")[1]
    for group in seen.groups:
        if group.lemma in years and not group.modal and not group.negated:
            last = seen.tokens[group.end - 1]
            start = seen.tokens[group.start].start - seen.start
            yield _Name(start, last.end - seen.start, group.lemma, *years[group.lemma])


def _find_too_early(seen: Sighting, things: list[_Name], people: list[_Name]) -> Iterator[TemporalFault]:
    told = [extent for time in seen.times if (extent := find_extent(time)) is not None]
    if told and len(told) != 1:
        return
    for thing in things:
        group = _verb_before(seen, thing)
        if group is None or group.tense is not Tense.PAST or group.modal or group.negated:
            continue
        when, whose = _moment_of(seen, thing, group, people)
        if told:
            when, whose = (told[0].last.year, f"in {told[0].last.year}") if _is_of(seen, group) else (None, "")
        if when is None or when + _SLACK >= thing.first:
            continue
        span = Span(seen.start + thing.start, seen.start + thing.end)
        evidence = f"{whose} there was no {thing.words} yet"
        yield TemporalFault(span, ANACHRONISM, evidence, "This did not exist at the time: check both.")


def _is_of(seen: Sighting, group: VerbGroup) -> bool:
    """The one year of the sentence is that of its one verb."""
    loose = (k for k, letter in enumerate(seen.letters) if letter == "E" and not group.start <= k < group.end)
    return len(seen.groups) == 1 and next(loose, None) is None


def _moment_of(seen: Sighting, thing: _Name, group: VerbGroup, people: list[_Name]) -> tuple[int | None, str]:
    """Until when whoever acts here lived, or the age of which the sentence tells lasted."""
    verb = seen.tokens[group.start].start - seen.start
    actors = [name for name in people if name.end <= verb and _acts(seen, name, group)]
    if actors:
        return actors[-1].last, f"in the life of {actors[-1].words.title()}"
    for age in _find("ages", seen.low):
        front = seen.low[: age.start].rstrip()
        opens = front.endswith((" in", " during", " throughout", " of")) or front in ("in", "during", "throughout", "")
        if opens and not _crosses(seen, age, thing):
            return age.last, f"in the time of {age.words}"
    return None, ""


def _crosses(seen: Sighting, age: _Name, thing: _Name) -> bool:
    """Between the two another verb tells of something else."""
    start, end = sorted((age.start, thing.start))
    between = [g for g in seen.groups if start <= seen.tokens[g.start].start - seen.start < end]
    return len(between) > 1 or len(seen.groups) > 2


def _acts(seen: Sighting, name: _Name, group: VerbGroup) -> bool:
    """The name is the subject of the verb: nothing but an aside stands between them."""
    before, behind = seen.low[: name.start], seen.low[name.end :]
    if _NAMED.match(behind) or behind.startswith(("'", "-")) or not _is_opening(before):
        return False
    if group.passive or group.lemma in life_words("posthumous"):
        return False
    at = seen.index_at(seen.start + name.end)
    return all(seen.letters[k] in "R," for k in range(at, group.start))


def _is_opening(before: str) -> bool:
    words = before.rstrip().split()
    return not words or before.rstrip().endswith((",", ";", ":")) or words[-1] in _BEFORE_NAME


def _verb_before(seen: Sighting, thing: _Name) -> VerbGroup | None:
    """The verb whose object or means the thing is: no clause begins between them."""
    at = seen.index_at(seen.start + thing.start)
    group = next((g for g in reversed(seen.groups) if g.start <= at), None)
    between = range(group.end, at) if group is not None else range(0)
    if any(seen.letters[k] not in _INSIDE or seen.tokens[k].low in _UNLIKE for k in between):
        return None
    if at and seen.tokens[at - 1].low in ("first", "earliest"):  # a claim about the thing itself
        return None
    return group


def _find_outlived(seen: Sighting, people: list[_Name]) -> Iterator[TemporalFault]:
    """ "Mozart conducted the orchestra in 1850": nobody acts outside of his life."""
    dates = [(time, extent) for time in seen.times if (extent := find_extent(time)) is not None]
    if len(dates) != 1 or len(people) != 1 or len(seen.groups) != 1 or _UNREAL.search(seen.low):
        return
    (time, extent), person, group = dates[0], people[0], seen.groups[0]
    if person.words in read_table("anachronisms", "detect")["shared"]:
        return
    if group.tense is not Tense.PAST or group.modal or group.negated or not _is_of(seen, group):
        return
    if not _acts(seen, person, group) and not (group.passive and group.lemma in life_words("living")):
        return
    if person.first <= extent.last.year and extent.first.year <= person.last:
        return
    evidence = f"{person.words.title()} lived from {person.first} to {person.last}"
    yield TemporalFault(time.span, ANACHRONISM, evidence, "This lies outside of a life: check the year.")
