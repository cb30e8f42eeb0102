"""What a second one is said to have, where the verb stands only once: "The one takes 55 minutes, the other 50"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.facets import Facet, holds
from groundwire.detect.records.sayings import Outcome, Point, Sureness
from groundwire.evidence.lookups import Entity
from groundwire.evidence.measures import read_measure
from groundwire.evidence.phrasing import tell_plainly
from groundwire.text.propositions import UNREAD
from groundwire.text.quantities import read_quantity
from groundwire.text.reading import ReadClaim
from groundwire.text.wording import fold_case
from groundwire.types import Claim, Span

_JOINED = re.compile(r"(?:,|;| and| but| while| whereas)(?: and| but)?(?: the| our)? $", re.IGNORECASE)
_BARE = re.compile(
    r"(?:,| is| has| takes| costs)? (?:in |at |for |with |by |only |just )*"
    r"(?P<value>[€$£]?\d[\d.,:]*\d|[€$£]?\d|[a-z]{3,9}(?:-[a-z]{3,5})?)(?: (?P<unit>[a-z]+))?(?=[,.;!]|$| and\b| but\b)"
)


def find_gapped(
    examined: Examination,
    people: Acquaintance,
    facets_of: Callable[[Entity], tuple[Facet, ...]],
    checked: Sequence[Checked],
) -> Iterator[Checked]:
    """Each wrong value of one whose attribute is that of another in front of it."""
    for segment in examined.segments:
        spans = people.spans_between(*segment.span)
        for start, end, entity in spans[1:]:
            match = _BARE.match(examined.text, end, segment.span.end)
            if match is None or _JOINED.search(examined.text, segment.span.start, start) is None:
                continue
            first = _find_first(checked, segment.span.start, start, entity)
            facet = next((f for f in facets_of(entity) if first is not None and f.attribute == first.attribute), None)
            if facet is not None and _is_other(facet, match, examined.now):
                yield _tell(facet, Span(start, match.end()), Span(*match.span("value")), match["value"])


def _find_first(checked: Sequence[Checked], start: int, end: int, entity: Entity) -> Facet | None:
    """The amount that was said last before a name, of somebody else."""
    points = [p for c in checked for p in c.points if start <= p.span.start and p.span.end <= end]
    found = [p for p in points if p.facet is not None and p.facet.kind and p.text and p.facet.entity is not entity]
    return max(found, key=lambda p: p.span.start).facet if found else None


def _is_other(facet: Facet, match: re.Match[str], now: datetime) -> bool:
    said, unit = match["value"], match["unit"] or ""
    number = read_quantity(fold_case(said))
    if facet.kind == "amount" and (number is None or number[1]):
        return False
    if facet.kind != "amount" and not said[:1].isdigit():
        return False
    own = facet.shown[0].rpartition(" ")[2] if facet.kind == "amount" and facet.dimension != "count" else ""
    bare = said.lstrip("€$£")
    return not any(holds(facet, text, now) for text in (f"{said} {unit}".strip(), f"{bare} {own}".strip()))


def _tell(facet: Facet, span: Span, place: Span, value: str) -> Checked:
    entity = facet.entity
    shown = read_measure(facet.attribute, value)[1]
    text = tell_plainly(entity.name, entity.type, facet.attribute, shown)
    point = Point(Outcome.DIFFERS, value, place, facet, Sureness.NAMED)
    read = ReadClaim(Claim(text, span), (), UNREAD, span)
    return Checked(read, Standing.DIFFERS, entity.name, entity, point, None, facet.best.trust, (point,))


def without_gapped(checked: Sequence[Checked], gapped: Sequence[Checked]) -> list[Checked]:
    """What is wrong by the verb before it needs no other reading."""
    spans = [found.read.claim.span for found in gapped]
    return [
        c
        for c in checked
        if not any(s.start <= c.read.claim.span.start and c.read.claim.span.end <= s.end for s in spans)
    ]
