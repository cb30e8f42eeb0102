"""Wars, revolutions and ages that everybody knows: which came first, and when each began and ended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import cast

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import find_extent
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.tables import read_table
from groundwire.types import Span

PERIOD = 0.80
_SLACK, _VAGUE = 5, 0.3
"""Years by which a year may miss, and the part of a long age by which its bounds are a matter of taste."""
_ORDER = re.compile(
    r"\s*,?\s*(?:(?:that|which)\s+)?(?:(?:came|comes|was|were|is|began|begins|started|starts|took\s+place|takes\s+place|happened|ended|occurred|broke\s+out|had\s+(?:begun|ended|already\s+ended))\s+)?"
    r"(?:right\s+|long\s+|shortly\s+|just\s+|directly\s+|soon\s+|immediately\s+|only\s+|\w+\s+(?:years|decades|centuries)\s+|a\s+(?:century|decade|generation)\s+)?"
    r"(?P<way>before|after|preceded|precedes|followed|follows|predates|predated|earlier\s+than|later\s+than)\s+(?:the\s+)?(?:(?:start|end|beginning|outbreak)\s+of\s+)?(?:the\s+)?"
)
_DATED = re.compile(
    r"\s+(?P<verb>began|begins|started|starts|broke\s+out|ended|ends|was\s+over|took\s+place|takes\s+place|happened|occurred|was\s+fought|was\s+signed)\s+(?:back\s+)?in\s+$"
)
_BEFORE = frozenset({"before", "preceded", "precedes", "predates", "predated", "earlier than"})
_STARTS = ("began", "begins", "start", "broke")
_ENDS = ("ended", "ends", "was over")
_DENIED = re.compile(r"\b(?:not|never|if|unless|neither|nor|no)\b|n't\b|[\"“”]")


@cache
def _periods() -> tuple[re.Pattern[str], dict[str, list[int]]]:
    table = cast("dict[str, list[int]]", read_table("anachronisms", "detect")["periods"])
    names = "|".join(re.escape(name) for name in sorted(table, key=len, reverse=True))
    return re.compile(rf"\b(?:{names})(?![\w-])(?!'s)"), table


def find_period_faults(seen: Sighting) -> Iterator[TemporalFault]:
    if seen.is_question or seen.is_endless or _DENIED.search(seen.low):
        return
    pattern, years = _periods()
    found = list(pattern.finditer(seen.low))
    for one, other in pairwise(found):
        order = _ORDER.fullmatch(seen.low[one.end() : other.start()])
        if order is None:
            continue
        first, last = years[one.group()], years[other.group()]
        is_before = " ".join(order["way"].split()) in _BEFORE
        wrong = first[0] > last[1] if is_before else first[1] < last[0]
        if wrong:
            span = Span(seen.start + one.start(), seen.start + other.end())
            evidence = (
                f"{one.group().title()}: {first[0]} to {first[1]}; {other.group().title()}: {last[0]} to {last[1]}"
            )
            yield TemporalFault(span, PERIOD, evidence, "They came in another order.")
    for time in seen.times:
        extent = find_extent(time)
        front = seen.low[: time.span.start - seen.start]
        for period in found:
            told = _DATED.fullmatch(front[period.end() :]) if extent is not None and period.end() < len(front) else None
            if told is None or extent is None:
                continue
            first, last = years[period.group()]
            least = last if told["verb"].startswith(_ENDS) else first
            most = first if told["verb"].startswith(_STARTS) else last
            slack = max(_SLACK, _VAGUE * (last - first))
            if extent.last.year < least - slack or extent.first.year > most + slack:
                span = Span(seen.start + period.start(), time.span.end)
                evidence = f"{period.group().title()}: {first} to {last}"
                yield TemporalFault(span, PERIOD, evidence, "Check the year.")
