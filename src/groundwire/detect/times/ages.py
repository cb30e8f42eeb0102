"""Ages against dates of birth, anniversaries against foundings, and "ten years later" against its two dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Extent, find_extent, read_duration
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.calendar import small_number
from groundwire.text.numerals import has_digit, numerals
from groundwire.types import MentionType, Span, TemporalExpression

AGE = 0.80
NUMBER = (
    r"(?:\d{1,3}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:-(?:one|two|three|four|five|six|seven|eight|nine))?"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|ten|eleven|twelve|one|two|three|four|five|six|seven|eight|nine)"
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
ORDINAL = (
    "(?:"
    + "|".join(
        (
            *ORDINALS,
            "eleventh",
            "twelfth",
            "(?:thir|four|fif|six|seven|eigh|nine)teenth",
            "(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ieth",
            "(?:(?:one|two|three|four|five) )?hundredth",
        )
    )
    + ")"
)
_BORN = re.compile(r"\bborn\b|\bbirth\b|\b(?:b\.\s)")
_MARRIED = re.compile(r"\b(?:married|wed|got\s+married|tied\s+the\s+knot)\b")
_FOUNDED = re.compile(r"\b(?:founded|established|incorporated|opened|launched|created|started|formed|built|planted)\b")
_AGE = re.compile(
    rf"\b(?:turned|turns|turning|turn|reached|reaches|hits|hit|will\s+be|would\s+be|be|celebrated\s+(?:his|her|their)|aged?|at\s+(?:the\s+)?age\s+(?:of\s+)?|age\s+of)\s+(?:of\s+)?(?P<age>{NUMBER})(?:th|st|nd|rd)?\b(?!%|,\d|\.\d)"
    rf"|(?:\b(?:was|is|were|be|am|are)|['’](?:s|m|re))\s+(?:(?:only|just|already|now|about|over|[a-z]+ly)\s+)?(?P<old>{NUMBER})\s+years?\s+old\b"
    rf"|\b(?:was|were)\s+(?:only\s+|just\s+|already\s+)?(?P<when>{NUMBER})\s+when\b"
    rf"|(?:\b(?:is|am|are)|['’](?:s|m|re))\s+(?P<bare_is>\d{{1,3}})(?=\s+(?:now|today|already|years\s+now)\b|,\s+was\b|(?:[,;:]|\s+and)\s+(?:(?:he|she|i|you)\s+)?(?:(?:was|were)\s+)?born\b)"
    rf"|,\s+now\s+(?:aged\s+)?(?P<aside>{NUMBER})(?=,|\s+years\s+old\b)"
    rf"|\b(?P<feast>centenary|centennial|bicentenary|bicentennial|golden\s+wedding|silver\s+wedding|tercentenary)\b"
    rf"|\bis\s+(?:now|currently|today)\s+(?P<bare_now>\d{{1,3}})(?=[.,;]|$|\s+and\b)"
    rf"|\b(?P<noun>{NUMBER})[\s-]year[\s-]old\b"
    rf"|\bat\s+(?P<bare>{NUMBER})(?=,\s+in\b|[.;]|,|$|\s+(?:in|on)\s+[12]\d{{3}})"
    rf"|\bturn(?:ed|s|ing)?\s+(?P<turns>{NUMBER})\s+(?=this\s+year\b)"
    rf"|\b(?P<birthday>{NUMBER}(?:th|st|nd|rd)|{ORDINAL})\s+(?:birthday|anniversary)\b"
    rf"|\bcelebrat(?:ed|es|ing)\s+(?P<years>{NUMBER})\s+years\b"
    rf"|\b(?P<died>\d{{1,3}})\s+years\s+of\s+age\b"
    rf"|\b(?:he|she|who|i|you)\s+(?:was|were|is|am)\s+(?:only\s+|just\s+|already\s+|then\s+|barely\s+)?(?P<bare_was>{NUMBER})(?=[.;,!]|$|\s+(?:and|but|then|at\s+the\s+time)\b)"
    rf"|\b(?:child|boy|girl|man|woman|lad|teenager)\s+of\s+(?P<of>{NUMBER})\b(?!\s+[a-z]+s\b)"
)
_LATER = re.compile(
    rf"\b(?P<words>{NUMBER}\s+(?:years?|months?|decades?))\s+(?P<way>later|earlier|after(?:wards?|\s+that)|before(?:hand|\s+that)|thereafter)\b[\s,(]*(?:in|on)?\s*$"
)
_FEASTS = {
    "centenary": 100,
    "centennial": 100,
    "bicentenary": 200,
    "bicentennial": 200,
    "tercentenary": 300,
    "golden": 50,
    "silver": 25,
}
_THEN_BORN = re.compile(r"(?:\s+[a-z]+){0,2}\s+was\s+born\b")
_TWICE = re.compile(
    r"\b(?:he|she|i|you|who|they)\s+(?:was|were|turned)\s+(?P<one>\d{1,3})\s+in\s+(?P<first>[12]\d{3}),?\s+(?:and|but)\s+(?:(?:was|turned|is|will\s+be)\s+)?"
    r"(?P<two>\d{1,3})\s+in\s+(?P<last>[12]\d{3})\b"
)
_NOW = re.compile(r"\b(?:now|currently|today|still)\b")
_JUST = re.compile(
    r"\b(?:(?:has|have|'s|'ve) (?:just|recently|now)|this (?:year|month|week|spring|summer|autumn|winter)|"
    r"next (?:week|month))\b"
)
_AGO = re.compile(r"(?P<count>[a-z]+|\d{1,3}) years? ago")


@dataclass(slots=True)
class Origin:
    """When somebody was born or something was founded, and whose date that is."""

    extent: Extent
    names: frozenset[str]
    is_birth: bool
    shown: str
    where: Span


class AgeKeeper:
    """Goes through an answer sentence by sentence and remembers the last birth or founding."""

    def __init__(self, today: date) -> None:
        self._today = today
        self._origin: Origin | None = None
        self._dates: list[Extent] = []
        self._place = -9

    def read(self, seen: Sighting) -> Iterator[TemporalFault]:
        if not seen.times and not has_digit(seen.low) and "year" not in seen.low:
            return
        if seen.is_question:
            return
        self._note_origin(seen)
        yield from self._check_ages(seen)
        yield from _check_two_ages(seen)
        yield from self._check_distances(seen)

    def _note_origin(self, seen: Sighting) -> None:
        names = frozenset(
            word
            for mention in seen.segment.entities
            if mention.mention_type is MentionType.PROPER_NAME
            for word in mention.surface.split()
        )
        if self._origin is not None and names and self._origin.names and not names & self._origin.names:
            pronouns = {"he", "she", "his", "her", "it", "its", "they", "their", "who"} & seen.words
            if not pronouns:
                self._origin = None
        for pattern, is_birth in ((_BORN, True), (_FOUNDED, False), (_MARRIED, False)):
            for match in pattern.finditer(seen.low):
                time = time_behind(seen, match.end(), 40)
                extent = find_extent(time) if time else None
                if time and extent and (is_birth or self._origin is None or not self._origin.is_birth):
                    self._origin = Origin(extent, names, is_birth, time.surface, time.span)
                    break

    def _check_ages(self, seen: Sighting) -> Iterator[TemporalFault]:
        origin = self._origin
        if origin is None:
            return
        for match in _AGE.finditer(seen.low):
            said = next(group for group in match.groups() if group)
            age = _FEASTS[said.split()[0]] if match["feast"] else read_age(said)
            if age is None or (match["birthday"] and "anniversary" in match.group() and origin.is_birth):
                continue
            is_turned = match["age"] and match.group().startswith("turn") and "it" in seen.words
            is_told = (
                match["birthday"] or match["years"] or match["noun"] or match["old"] or match["feast"] or is_turned
            )
            if not origin.is_birth and not is_told:
                continue
            moment = self._moment_of(seen, match, origin)
            if moment is None:
                continue
            when, where = moment
            least, most = when.first.year - origin.extent.last.year - 1, when.last.year - origin.extent.first.year
            if origin.extent.grain == "day" and when.grain == "day":
                least = most = _age_on(origin.extent.first, when.first)
            if least <= age <= most or (match["birthday"] and age == most + 1):
                continue
            start, end = seen.start + match.start(), seen.start + match.end()
            span = Span(min(start, where.start), max(end, where.end)) if where is not None else Span(start, end)
            if 0 < origin.where.start - span.end <= 60:  # "its 50th anniversary in 2020, having opened in 1985"
                span = Span(span.start, origin.where.end)
            if seen.is_quoted(span):
                continue
            evidence = f"from {origin.shown} to {when.first:%Y} is {most} years, not {age}"
            yield TemporalFault(span, AGE, evidence, "The age does not fit the dates: check all three.")

    def _moment_of(self, seen: Sighting, match: re.Match[str], origin: Origin) -> tuple[Extent, Span | None] | None:
        """The date that belongs to the age: the nearest one in its clause, or the clock where it is told as present."""
        times = [(time, extent) for time in seen.times if (extent := _extent_of(time)) and extent != origin.extent]
        at = seen.start + match.start()
        near = [
            (abs(time.span.start - at), time.span, extent) for time, extent in times if self._joins(seen, time, match)
        ]
        if near:
            _, span, extent = min(near, key=lambda found: found[0])
            return extent, span
        is_now = (
            bool(match["bare_is"] or match["aside"])
            or bool(match["old"] and match.group().lstrip("'’").startswith(("is ", "s ", "am ", "m ")))
            or bool(match["noun"] and _THEN_BORN.match(seen.low, match.end()))
            or _NOW.search(seen.low) is not None
        )
        is_now = _JUST.search(seen.low) is not None if match["birthday"] or match["feast"] else is_now
        ago = _AGO.search(seen.low) if match["birthday"] or match["feast"] else None
        years = read_age(ago["count"]) if ago is not None else None
        if ago is not None and years and not times:
            then = date(self._today.year - years, 1, 1)
            return Extent(then, then.replace(month=12, day=31), "year"), Span(
                seen.start + ago.start(), seen.start + ago.end()
            )
        return (Extent(self._today, self._today, "day"), None) if not times and is_now else None

    def _joins(self, seen: Sighting, time: TemporalExpression, match: re.Match[str]) -> bool:
        start, end = seen.start + match.start(), seen.start + match.end()
        gap = seen.between(end, time.span.start) if time.span.start >= end else seen.between(time.span.end, start)
        return len(gap) <= 50 and ";" not in gap and not re.search(r"\b(?:and|but|while|before|after|until)\b", gap)

    def _check_distances(self, seen: Sighting) -> Iterator[TemporalFault]:
        """ "founded in 1990 … Ten years later, in 2005": no date nearby is ten years before."""
        known: list[Extent] = [] if self._place + 1 != seen.segment.index else self._dates
        self._place = seen.segment.index
        own: list[Extent] = []
        for time in seen.times:
            extent = find_extent(time)
            if extent is None:
                continue
            front = seen.low[: time.span.start - seen.start]
            match = _LATER.search(front[-60:])
            if match is not None and len({*known, *own}) == 1:
                duration = read_duration(match["words"])
                sign = 1 if match["way"] not in ("earlier", "before that", "beforehand") else -1
                years = duration.amount / 12 if duration else 0
                if (
                    duration
                    and years >= 1
                    and not any(_is_apart(other, extent, sign * years) for other in (*known, *own))
                ):
                    shown = match.group("words")
                    evidence = f"{extent.first:%Y} is not {shown} {match['way']} than {(*known, *own)[-1].first:%Y}"
                    start = time.span.start - len(front[-60:]) + match.start()
                    yield TemporalFault(
                        Span(start, time.span.end), AGE, evidence, "Check the distance between the dates."
                    )
            own.append(extent)
        self._dates = own


def _check_two_ages(seen: Sighting) -> Iterator[TemporalFault]:
    """ "She was 30 in 2000 and 45 in 2010"."""
    for match in _TWICE.finditer(seen.low):
        older, later = int(match["two"]) - int(match["one"]), int(match["last"]) - int(match["first"])
        span = Span(seen.start + match.start(), seen.start + match.end())
        if abs(older - later) > 1 and not seen.is_quoted(span):
            evidence = f"from {match['first']} to {match['last']} nobody grows older by {older} years"
            yield TemporalFault(span, AGE, evidence, "The ages do not fit the years: check all four.")


def _extent_of(time: TemporalExpression) -> Extent | None:
    """A date with its year, or one that the clock resolves to the month: "last September"."""
    if (extent := find_extent(time)) is not None:
        return extent
    named = re.fullmatch(r"(?:last|this|next)\s+(?:[a-z]{3,9}|year)", time.surface.lower())
    if (
        named is None
        or time.resolved_date is None
        or time.surface.lower().endswith(("week", "day", "night", "weekend"))
    ):
        return None
    return Extent(time.resolved_date, time.resolved_date, "year")


def read_age(words: str) -> int | None:
    """ "31", "thirty-one", "31st", "third"."""
    if words in numerals().ordinals:
        return numerals().ordinals[words]
    if words.endswith(" hundredth"):
        hundreds = small_number(words.split()[0])
        return None if hundreds is None else 100 * hundreds
    stem = (
        words.removesuffix("ieth") + "y" if words.endswith("ieth") else re.sub(r"(?<=[\dn])(?:st|nd|rd|th)$", "", words)
    )
    return small_number(stem)


def _is_apart(one: Extent, other: Extent, years: float) -> bool:
    return abs(other.first.year - one.first.year - years) <= 1


def time_behind(seen: Sighting, at: int, reach: int) -> TemporalExpression | None:
    """The date that a word such as "born" is about."""
    for time in seen.times:
        gap = time.span.start - seen.start - at
        if 0 <= gap <= reach:
            words = seen.low[at : at + gap]
            return time if not re.search(r"[;.]|\b(?:and|died|who|which)\b", words) else None
    return None


def _age_on(born: date, day: date) -> int:
    return day.year - born.year - ((day.month, day.day) < (born.month, born.day))
