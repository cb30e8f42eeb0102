"""Dates held against an event that an earlier sentence dates: "one week after the outage", "after the end of term"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Extent, find_extent, find_yearless, read_duration
from groundwire.detect.times.distances import fits_distance
from groundwire.detect.times.intervals import ABOUT, NUMBER
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.types import Span, TemporalExpression

POINT = 0.78
_REACH = 4
_JOINT = re.compile(
    rf"\b(?:(?P<about>{ABOUT})\s+)?(?:(?P<words>{NUMBER}\s(?:day|week|month|year)s?)\s+|(?:right|shortly|soon|only|long)\s+)?"
    r"(?P<way>before|after|prior\s+to|following)\s+(?:(?:the|this|that|his|her|its|their|our|your)\s+)?"
    r"(?P<event>[A-Za-z][\w'’-]*(?:\s+(?:of\s+)?(?:the\s+)?[A-Za-z][\w'’-]*){0,2}?)(?=[,.;]|\s+(?:and|but|he|she|it|they|we|you|I|in|on|by|at|is|was|comes?|came)\b|$)",
    re.IGNORECASE,
)
_WAYS = re.compile(r"\b(?:before|after|prior|following)\b")
_OPEN = re.compile(
    r"\b(?:not|never|if|unless|would|could|should|might|again|another|next|new|second|last|previous|other|each|every|until|by)\b|n't\b"
)
_EMPTY = frozenset("the of a an this that all it them him her us you me which what day week month year then".split())  # noqa: SIM905
_CLAUSE = re.compile(r"[,;:]|\b(?:and|but|while|whereas)\b")
_OWN_DATE = re.compile(r"\s+(?:in|on|of|at|from)\s+")


class _Point(NamedTuple):
    """An event of an earlier sentence, by the words around its date."""

    words: frozenset[str]
    time: TemporalExpression


def find_point_faults(seen: Sighting, earlier: Sequence[Sighting]) -> Iterator[TemporalFault]:
    """The one date of a sentence, set before or after an event whose date is known."""
    if (
        seen.is_question
        or len(seen.times) == 0
        or not ("after" in seen.runs or "before" in seen.runs or " to " in seen.low)
    ):
        return
    match = _JOINT.search(seen.text)
    told = [time for time in seen.times if find_extent(time) or find_yearless((time,), time)]
    if (
        match is None
        or len(told) != 1
        or len(_WAYS.findall(seen.low)) > 1
        or _OPEN.search(seen.low)
        or seen.is_quoted(told[0].span)
    ):
        return
    wanted = _read_words(match["event"])
    if not wanted or _dates_event(seen, match, told[0]):
        return
    found = [point for point in _read_points(earlier[-_REACH:]) if wanted <= point.words]
    if len({point.time.surface for point in found}) != 1:
        return
    fault = _check(seen, match, told[0], found[0].time)
    if fault is not None:
        yield fault


def _check(
    seen: Sighting, match: re.Match[str], told: TemporalExpression, known: TemporalExpression
) -> TemporalFault | None:
    is_after = match["way"].lower() in ("after", "following")
    duration = read_duration(match["words"]) if match["words"] else None
    if duration is not None:
        if fits_distance(known, told, duration, 1 if is_after else -1, (match["about"] or "").strip()):
            return None
    elif match["words"] or not _is_wrong_way(known, told, is_after=is_after):
        return None
    start, end = seen.start + match.start(), seen.start + match.end()
    span = Span(min(start, told.span.start), max(end, told.span.end))
    evidence = f"{match['event']}: {known.surface}, so {told.surface} is not {match['way'].lower()} it"
    return TemporalFault(span, POINT, evidence, "The date does not fit the event it is counted from: check both.")


def _is_wrong_way(known: TemporalExpression, told: TemporalExpression, *, is_after: bool) -> bool:
    one, other = find_extent(known), find_extent(told)
    if one is None and other is None:
        one, other = find_yearless((known, told), known), find_yearless((known, told), told)
        if one is not None and other is not None and abs((one.first - other.first).days) > 120:
            return False  # of two years, perhaps
    if one is None or other is None:
        return False
    return _is_before(other, one) if is_after else _is_before(one, other)


def _is_before(one: Extent, other: Extent) -> bool:
    return one.last < other.first


def _dates_event(seen: Sighting, match: re.Match[str], told: TemporalExpression) -> bool:
    """ "After the match on 3 May …": the date is the event's own."""
    behind = (
        seen.text[match.end() : told.span.start - seen.start] if told.span.start - seen.start >= match.end() else ""
    )
    return told.span.start - seen.start >= match.end() and _OWN_DATE.fullmatch(behind) is not None


def _read_points(earlier: Sequence[Sighting]) -> Iterator[_Point]:
    for seen in earlier:
        if seen.is_question or len(seen.times) > _REACH:
            continue
        for time in seen.times:
            if find_extent(time) is None and find_yearless((time,), time) is None:
                continue
            front = seen.text[: max(0, time.span.start - seen.start)]
            clause = _CLAUSE.split(front)[-1]
            if not seen.is_quoted(time.span):
                yield _Point(_read_words(clause), time)


def _read_words(text: str) -> frozenset[str]:
    words = [word.removesuffix("'s").removesuffix("’s") for word in re.findall(r"[\w'’-]+", text.lower())]
    return frozenset(
        verb_lemma(word) or noun_lemma(word) for word in words if word not in _EMPTY and not word[0].isdigit()
    )
