"""Clauses that rules and scales have left open, each beside the attributes that it may tell otherwise."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.records.balance import Shelf, Weighed
from groundwire.detect.records.bounds import is_scaled
from groundwire.detect.records.checked import Checked, Standing, sets_apart
from groundwire.detect.records.facets import Facet
from groundwire.detect.records.otherwise import Clause, Turned, find_turned
from groundwire.detect.records.sayings import Outcome, Point
from groundwire.detect.records.second_opinions import is_supposed
from groundwire.detect.weighing.units import Unit, split_plainly
from groundwire.evidence.lookups import Entity
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim
from groundwire.types import Claim, Span

_LEAST_SURE, _AT_MOST = 0.62, 0.75
"""How sure a judge of language alone can be: enough to point at a sentence, too little to change it."""
_TOLD = 0.75


class Turning:
    """What clauses tell in words that no attribute has, where they tell it otherwise than the record does."""

    def __init__(
        self,
        examined: Examination,
        people: Acquaintance,
        facets_of: Callable[[Entity], tuple[Facet, ...]],
        shelf: Shelf,
    ) -> None:
        self._examined = examined
        self._people = people
        self._facets_of = facets_of
        self._shelf = shelf

    def apply(self, checked: list[Checked], weighed: Sequence[Weighed]) -> None:
        reads = [c.read for c in checked if not c.read.is_note]
        units = split_plainly(self._examined, self._people, reads)
        clauses = [clause for unit in units if (clause := self._describe(unit, checked, weighed)) is not None]
        for turned in find_turned(self._examined, clauses, self._facets_of):
            for i in _inside(turned.unit.span, checked):
                checked[i] = replace(checked[i], standing=Standing.EXEMPT)
            checked.append(self._tell(turned))

    def _describe(self, unit: Unit, checked: Sequence[Checked], weighed: Sequence[Weighed]) -> Clause | None:
        """A clause that nothing known has refuted or borne out, with what of it is explained."""
        inside = [checked[i] for i in _inside(unit.span, checked)]
        best = max((w.best_support for w in weighed if _is_within(w.counterpart.unit.span, unit.span)), default=0.0)
        is_done = any(c.standing is Standing.DIFFERS and not is_supposed(c) for c in inside) or best >= _TOLD
        if is_done or sets_apart(unit.text) or is_scaled(self._examined.segments[unit.segment].text):
            return None
        explained = [p.span for c in inside for p in c.points if p.outcome is Outcome.AGREES and p.text]
        return Clause(unit, tuple(explained), tuple(self._shelf.list_bearers(unit)))

    def _tell(self, turned: Turned) -> Checked:
        span = turned.unit.span
        confidence = min(max(turned.sureness, _LEAST_SURE), _AT_MOST, turned.facet.best.trust)
        read = ReadClaim(Claim(self._examined.text[span.start : span.end], span), (), UNREAD, span)
        point = Point(Outcome.DIFFERS, turned.text, turned.span, turned.facet)
        return Checked(read, Standing.DIFFERS, point=point, confidence=confidence)


def _inside(span: Span, checked: Sequence[Checked]) -> list[int]:
    return [i for i, c in enumerate(checked) if _is_within(c.read.claim.span, span)]


def _is_within(span: Span, whole: Span) -> bool:
    return whole.start <= span.start < whole.end
