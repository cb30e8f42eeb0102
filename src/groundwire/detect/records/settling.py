"""What rules leave open, settled by weighing each clause against the nearest of what is known."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from groundwire.detect.examination import Examination
from groundwire.detect.logic.contrary import are_contrary
from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.records.balance import Counterpart, Shelf, Weighed, weigh_all
from groundwire.detect.records.bounds import is_roughly, is_scaled
from groundwire.detect.records.checked import Checked, Standing, sets_apart
from groundwire.detect.records.deeds import compare_deeds
from groundwire.detect.records.facets import Facet, repeats
from groundwire.detect.records.inquiry import Meeting
from groundwire.detect.records.invention import INVENTION, describe_clause, may_be_invented, weigh_invention
from groundwire.detect.records.otherwise import is_idle
from groundwire.detect.records.reprieves import reprieve
from groundwire.detect.records.sayings import Outcome, Point, Sureness
from groundwire.detect.records.schedules import are_scheduled_apart
from groundwire.detect.records.status import exclude_each_other
from groundwire.detect.records.turning import Turning
from groundwire.detect.records.values import find_values
from groundwire.detect.weighing.asking import hear
from groundwire.detect.weighing.cases import can_both_hold, is_reckoned
from groundwire.detect.weighing.exchanges import are_exchanged
from groundwire.detect.weighing.traits import SAME, share_told, words_of
from groundwire.detect.weighing.units import Unit, shorten, split_units
from groundwire.evidence.lookups import Entity
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim
from groundwire.text.thesaurus import is_kind_of
from groundwire.text.values import compare
from groundwire.types import Claim, Span
from groundwire.types.memories import Memory

_ENOUGH, _ENOUGH_OF_FIGURES = 0.6, 0.8
"""How likely a conflict must be, in words and with a figure on record: rules have read the figures already."""
_TOLD, _MOSTLY, _FAR_MORE = 0.75, 0.6, 0.3
_CONTRARY = 0.9
"""What rules for one text exclude."""
_DOUBTFUL = 0.1
"""Below this the scale says that a rule has misread a sentence."""
_SUPPORTED = 0.5
_PLAINLY = 0.75
_FEWEST = 3
_NOT_YET = re.compile(
    r"(?:\bnot\b|n['’]t\b|\bno\b)[^.;]{0,40}\byet\b|\bstill (?:not|has to|have to|waiting|pending)\b", re.I
)
_AHEAD = re.compile(r"\b(?:planned|will|scheduled|expected|upcoming|shipped|ordered|on (?:its|the) way|due)\b", re.I)
_LEAST_SURE, _AT_MOST, _BY_RULE = 0.62, 0.75, 0.95
"""How sure a judge of language alone can be: enough to point at a sentence, too little to change it."""


class Settlement:
    """The clauses of one answer."""

    def __init__(
        self, examined: Examination, people: Acquaintance, facets_of: Callable[[Entity], tuple[Facet, ...]]
    ) -> None:
        self._examined = examined
        self._people = people
        self._shelf = Shelf(examined, people, facets_of)
        self._turning = Turning(examined, people, facets_of, self._shelf)

    def settle(self, checked: list[Checked], meetings: Sequence[Meeting]) -> list[Checked]:
        """Clauses that something known bears out, and those that something known excludes."""
        units = split_units(self._examined, self._people, [c.read for c in checked if not c.read.is_note])
        inside = {id(u): [i for i, c in enumerate(checked) if _is_within(c.read.claim.span, u.span)] for u in units}
        asked: list[Counterpart] = []
        for unit in units:
            claims = [checked[i] for i in inside[id(unit)]]
            asked.extend(self._find(unit, claims) if is_open(claims) else self._find_beside(unit, claims))
        ruled = [self._recall(meeting) for meeting in meetings if meeting.encounter.is_refuted]
        weighed = weigh_all(asked, hear(self._examined), _ENOUGH)
        reweighed = weigh_all(ruled, hear(self._examined), _DOUBTFUL)
        doubted = {id(w.counterpart.memory) for w in reweighed if w.probability < _DOUBTFUL}
        agreed = {id(w.counterpart.memory) for w in reweighed if w.probability >= _ENOUGH}
        self._suspect(units, {id(u): [checked[i] for i in inside[id(u)]] for u in units}, weighed)
        for meeting in meetings:
            is_agreed = id(meeting.encounter.memory) in agreed
            if meeting.encounter.is_refuted and (is_agreed or not _is_doubted(meeting, doubted, weighed)):
                _place(checked, meeting.claims, meeting.segment.span, self._examined.text,
                       statement=meeting.encounter.memory, confidence=_BY_RULE)  # fmt: skip
        for unit in units:
            self._compare_state(checked, inside[id(unit)], unit)
            found = [w for w in weighed if w.counterpart.unit is unit]
            found = self._compare_ties([self._review(w) for w in _without_told(found)])
            if found and not any(checked[i].standing is Standing.DIFFERS for i in inside[id(unit)]):
                self._apply(checked, inside[id(unit)], unit, found)
        self._turning.apply(checked, weighed)
        return reprieve(self._examined, checked)

    def _find(self, unit: Unit, claims: Sequence[Checked]) -> list[Counterpart]:
        """What the clause can be wrong about; an attribute with many values is not contradicted by another one."""
        is_computed = sets_apart(unit.text) or self._is_scaled(unit)
        agreed = [p.facet for c in claims for p in c.points if p.outcome is Outcome.AGREES and p.facet is not None]
        is_borne_out = any(_bears_out(facet, unit.text) for facet in agreed)
        is_told = any(c.standing is Standing.SUPPORTED for c in claims)
        is_whole = is_borne_out and all(c.standing is Standing.SUPPORTED for c in claims)
        near = [*self._shelf.find(unit), *self._shelf.find_ties(unit, is_told=is_told)]
        states = [facet for facet in self._shelf.list_states(unit) if repeats(facet, unit.text)]
        in_words = bool(states) or any("status" in facet.meanings for facet in agreed)
        found = [
            replace(c, is_borne_out=in_words if c.is_tie else is_borne_out)
            for c in near
            if c.is_tie or not c.traits.same
        ]
        rest = self._find_rest(unit, claims) if not is_computed else []
        told = {id(c.facet) for c in rest}
        measured = {(f.kind, f.dimension) for f in agreed if f.kind}
        kept = [
            c
            for c in found
            if c.facet is None
            or (
                c.facet not in agreed
                and (c.facet.kind, c.facet.dimension) not in measured  # "1,200 in 1950": of which year both are known
                and not is_computed
                and not (is_whole and not c.traits.opposed and _is_about_other(c.facet, unit.text))
                and _may_exclude(c, c.facet)
            )
        ]
        return [*(c for c in kept if id(c.facet) not in told), *rest]

    def _is_scaled(self, unit: Unit) -> bool:
        segments = self._examined.segments
        return 0 <= unit.segment < len(segments) and is_scaled(segments[unit.segment].text)

    def _find_beside(self, unit: Unit, claims: Sequence[Checked]) -> list[Counterpart]:
        """Of a clause with a value that is right: what it says besides, and who does it to whom."""
        if any(c.standing is Standing.DIFFERS for c in claims):
            return self._find_rest(unit, claims)
        return [*self._shelf.find_ties(unit, is_told=True), *self._find_rest(unit, claims)]

    def _find_rest(self, unit: Unit, claims: Sequence[Checked]) -> list[Counterpart]:
        """What a clause says besides a value that is right, against the attributes in words."""
        agreed = [p for c in claims for p in c.points if p.outcome is Outcome.AGREES and p.text and not _is_dated(p)]
        text = shorten(unit.text, [p.text for p in agreed])
        if text == unit.text or len(text.split()) < _FEWEST:
            return []
        facets = [p.facet for p in agreed]
        found = [c for c in self._shelf.find(replace(unit, text=text)) if c.facet is not None and not c.facet.kind]
        rest = [replace(c, unit=unit) for c in found if c.facet not in facets and not c.traits.same]
        return [c for c in rest if c.facet is not None and _may_exclude(c, c.facet)]

    def _recall(self, meeting: Meeting) -> Counterpart:
        unit = Unit(meeting.segment.text, meeting.segment.span, -1)
        return self._shelf.meet(unit, meeting.encounter.memory)

    def _suspect(
        self, units: Sequence[Unit], claims: Mapping[int, Sequence[Checked]], weighed: Sequence[Weighed]
    ) -> None:
        """Which clauses nothing known bears out; the detector of made-up facts asks for them."""
        found: list[tuple[Unit, float]] = []
        for unit in units:
            own = [w for w in weighed if w.counterpart.unit is unit and not _is_far_tie(w.counterpart)]
            if may_be_invented(self._examined, self._people, unit):
                evidence = describe_clause(self._examined, self._people, unit, claims[id(unit)], own)
                found.append((unit, weigh_invention(evidence)))
        self._examined.memo[INVENTION] = tuple(found)

    def _review(self, weighed: Weighed) -> Weighed:
        """What rules say of a statement outweighs the scale, whichever way they point."""
        counterpart = weighed.counterpart
        mine, known = counterpart.unit.text, counterpart.memory.text
        if counterpart.facet is not None:
            is_kept = is_reckoned(mine, known) or _is_more_general(mine, counterpart.facet)
            is_kept = is_kept or is_roughly(mine, counterpart.facet) or _only_names(mine, counterpart.facet)
            is_kept = is_kept or (
                weighed.probability >= _ENOUGH and self._does_not_turn(counterpart, counterpart.facet)
            )
            return replace(weighed, probability=0.0) if is_kept else weighed
        is_ruled = are_contrary(known, mine, self._examined.now) or are_exchanged(counterpart.said, counterpart.told)
        if is_ruled or are_scheduled_apart(mine, known):
            return replace(weighed, probability=max(weighed.probability, _CONTRARY))
        is_kept = counterpart.keeps_values or counterpart.holds_at_times or self._lies_ahead(counterpart)
        is_kept = is_kept or can_both_hold(mine, known) or _is_weak_tie(weighed)
        return replace(weighed, probability=0.0) if is_kept else weighed

    def _does_not_turn(self, counterpart: Counterpart, facet: Facet) -> bool:
        """ "Bring your own towel", where towels are not included: the judge denies it either way."""
        name = dict(self._shelf.list_bearers(counterpart.unit)).get(facet.entity, facet.entity.name)
        return facet.is_switch and is_idle(self._examined, counterpart.unit, facet, name)

    def _compare_ties(self, found: list[Weighed]) -> list[Weighed]:
        """What grammar makes of the relations; of a deed that one of them bears out no other is held against it."""
        verdicts = [self._compare_tie(w.counterpart) for w in found]
        is_told = False in verdicts

        def weigh(weighed: Weighed, verdict: bool | None) -> Weighed:
            if verdict:
                return replace(weighed, probability=max(weighed.probability, _CONTRARY))
            is_idle = weighed.counterpart.is_tie and (is_told or verdict is False)
            return replace(weighed, probability=0.0) if is_idle else weighed

        return [weigh(w, verdict) for w, verdict in zip(found, verdicts, strict=True)]

    def _compare_tie(self, counterpart: Counterpart) -> bool | None:
        if not counterpart.is_tie:
            return None
        name, _, kind = counterpart.memory.id.rpartition("/")
        entity = self._people.known(name)
        return compare_deeds(counterpart.unit, entity, kind, self._people) if entity is not None else None

    def _lies_ahead(self, counterpart: Counterpart) -> bool:
        """ "It is not available yet" is what "it is planned" says in other words."""
        start = counterpart.unit.span.start
        said = next((s.text for s in self._examined.segments if s.span.start <= start < s.span.end), "")
        return _NOT_YET.search(said) is not None and _AHEAD.search(counterpart.memory.text) is not None

    def _compare_state(self, checked: list[Checked], inside: Sequence[int], unit: Unit) -> None:
        """ "The wine evening on 13 June is going ahead": the date is right, but the evening is cancelled."""
        if any(checked[i].standing is Standing.DIFFERS for i in inside):
            return
        for facet in self._shelf.list_states(unit):
            if exclude_each_other(unit.text, facet.best.value):
                point = Point(Outcome.DIFFERS, "", unit.span, facet)
                confidence = min(_AT_MOST, facet.best.trust)
                for i in inside:
                    checked[i] = replace(checked[i], standing=Standing.EXEMPT)
                _place(checked, (), unit.span, self._examined.text, point=point, confidence=confidence)
                return

    def _apply(self, checked: list[Checked], inside: Sequence[int], unit: Unit, found: Sequence[Weighed]) -> None:
        best = max(found, key=lambda w: (w.counterpart.facet is None and w.probability >= _ENOUGH, w.probability))
        facet = best.counterpart.facet
        has_figures = facet is not None and any(c.isdigit() for c in facet.best.value)
        if best.probability < (_ENOUGH_OF_FIGURES if has_figures and not _is_plainly_other(best) else _ENOUGH):
            if best.best_support >= _SUPPORTED:
                for i in inside:
                    if checked[i].standing is Standing.SILENT and not _says_more(checked[i]):
                        checked[i] = replace(checked[i], standing=Standing.SUPPORTED)
            return
        confidence = min(max(best.refutation, _LEAST_SURE), _AT_MOST)
        counterpart = best.counterpart
        if counterpart.facet is None:
            _place(checked, inside, unit.span, self._examined.text, statement=counterpart.memory, confidence=confidence)
            return
        point = Point(Outcome.DIFFERS, "", unit.span, counterpart.facet)
        confidence = min(confidence, counterpart.facet.best.trust)
        _place(checked, inside, unit.span, self._examined.text, point=point, confidence=confidence)


def _is_plainly_other(weighed: Weighed) -> bool:
    """Two figures of one measure, which the judge holds against each other whichever comes first."""
    is_refuted = min(weighed.there.refutation, weighed.back.refutation) >= _PLAINLY
    return weighed.counterpart.traits.differing > 0 and is_refuted


_CALLED = re.compile(r"\b(?:is|are|was|were) (?:called|named|known as|titled|entitled) ")


def _only_names(text: str, facet: Facet) -> bool:
    """ "The nightly job is called sweep": by which name it goes says nothing of its attributes."""
    match = _CALLED.search(text)
    if match is None or "name" in facet.meanings:
        return False
    return text[match.end() :].strip(" .\"“”'").casefold() in (
        n.casefold() for n in (facet.entity.name, *facet.entity.aliases)
    )


def _is_more_general(text: str, facet: Facet) -> bool:
    """ "A doctor for hearts", where a cardiologist is on record: one is a kind of the other, and nothing else is."""
    if facet.kind or facet.is_switch:
        return False
    said, value = words_of(text), words_of(" ".join(facet.shown))
    general = {word for word in said for own in value if is_kind_of(own, word)}
    return bool(general) and not any(is_kind_of(word, other) for word in said - value for other in general)


def _is_about_other(facet: Facet, text: str) -> bool:
    """An attribute of which a clause has no word, where what it says is borne out by another one."""
    return bool(facet.words) and not any(word in facet.words for word in words_of(text))


def _is_weak_tie(weighed: Weighed) -> bool:
    """A relation in few words holds beside much that is said of the same two: the judge must see it in the clause."""
    counterpart = weighed.counterpart
    is_weak = weighed.there.refutation < _SUPPORTED or counterpart.is_borne_out
    is_denied = counterpart.traits.denial or counterpart.traits.opposed or counterpart.is_contrasted
    return counterpart.is_tie and is_weak and not (is_denied if counterpart.is_borne_out else counterpart.is_contrasted)


def _is_far_tie(counterpart: Counterpart) -> bool:
    """A relation of which a clause says nothing is no record of what it says."""
    return counterpart.is_tie and not counterpart.traits.told


def _without_told(found: Sequence[Weighed]) -> list[Weighed]:
    """What one statement tells in full is not denied by another that tells less of it: a second test was passed.

    Nor is what one tells far more of, and does not deny: parking behind the barn is not parking at the gate.
    """
    best = max((w.counterpart.traits.told for w in found if _is_plainly_told(w.counterpart)), default=0.0)
    near = max((w.counterpart.traits.told for w in found if _is_let_stand(w)), default=0.0)
    return [
        replace(w, probability=0.0)
        if w.counterpart.facet is None
        and not _is_plainly_told(w.counterpart)
        and (w.counterpart.traits.told < best or w.counterpart.traits.told + _FAR_MORE <= near)
        else w
        for w in found
    ]


def _is_let_stand(weighed: Weighed) -> bool:
    traits = weighed.counterpart.traits
    apart = traits.differing or traits.denial or traits.opposed
    is_told = weighed.counterpart.facet is None and traits.told >= _MOSTLY
    return is_told and not apart and weighed.refutation < _SUPPORTED


def _is_plainly_told(counterpart: Counterpart) -> bool:
    traits = counterpart.traits
    apart = traits.differing or traits.denial or traits.opposed or traits.names_apart or traits.turned
    return counterpart.facet is None and traits.told >= _TOLD and not apart


def _is_doubted(meeting: Meeting, doubted: Collection[int], weighed: Sequence[Weighed]) -> bool:
    """The statement does not refute the sentence after all, or bears out a clause of it."""
    memory = meeting.encounter.memory
    return id(memory) in doubted or any(
        w.counterpart.memory is memory
        and w.there.support >= _SUPPORTED
        and _is_within(w.counterpart.unit.span, meeting.segment.span)
        for w in weighed
    )


def _is_within(span: Span, whole: Span) -> bool:
    return whole.start <= span.start < whole.end


def is_open(claims: Sequence[Checked]) -> bool:
    """Neither wrong by rule nor borne out by a value that its attribute is named for."""
    if any(c.standing is Standing.DIFFERS for c in claims):
        return False
    if not claims:
        return True
    agreed = all(c.standing is Standing.SUPPORTED for c in claims)
    return not (agreed and all(any(p.sureness >= Sureness.NAMED for p in c.points) for c in claims))


def _bears_out(facet: Facet, text: str) -> bool:
    """Whether a clause keeps the value: that Biscuit is a dog says nothing of which kind."""
    return bool(facet.kind) or share_told(words_of(" ".join(facet.shown)), text) > 0


def _is_dated(point: Point) -> bool:
    """When it is so belongs to what is said: "opens again in June"."""
    return point.facet is not None and point.facet.kind in ("date", "clock", "when")


def _says_more(found: Checked) -> bool:
    """A value beside the claim that nothing known has spoken of."""
    return any(p.outcome is Outcome.SILENT and p.text not in found.read.claim.text for p in found.points)


def _may_exclude(counterpart: Counterpart, facet: Facet) -> bool:
    """An amount or a date on record is contradicted by another one only; what is repeated is not contradicted."""
    traits = counterpart.traits
    denies = bool(traits.denial or traits.opposed)
    if (facet.is_additive or facet.kind) and not denies:
        return bool(facet.kind) and not facet.is_additive and (traits.differing > 0 or _counts_otherwise(counterpart))
    return denies or not repeats(facet, counterpart.unit.text)


def _counts_otherwise(counterpart: Counterpart) -> bool:
    """ "Seats 60", where the capacity is 40: two plain numbers, which a judge of language can compare."""
    mine = [v for v in find_values(counterpart.unit.text) if v.dimension == "count"]
    theirs = [v for v in find_values(counterpart.memory.text) if v.dimension in ("count", "duration")]
    return bool(mine and theirs) and not any(compare(m.text, t.text).relation in SAME for m in mine for t in theirs)


def _place(
    checked: list[Checked],
    inside: Sequence[int],
    span: Span,
    text: str,
    *,
    confidence: float,
    statement: Memory | None = None,
    point: Point | None = None,
) -> None:
    """The one claim that is left open is the wrong one; else the clause as a whole is."""
    open_claims = [i for i in inside if checked[i].standing is not Standing.SUPPORTED]
    if len(open_claims) == 1:
        found = checked[open_claims[0]]
        checked[open_claims[0]] = replace(
            found, standing=Standing.DIFFERS, statement=statement, point=point, confidence=confidence
        )
        return
    for i in open_claims:
        checked[i] = replace(checked[i], standing=Standing.EXEMPT)
    read = ReadClaim(Claim(text[span.start : span.end], span), (), UNREAD, span)
    checked.append(Checked(read, Standing.DIFFERS, point=point, statement=statement, confidence=confidence))
