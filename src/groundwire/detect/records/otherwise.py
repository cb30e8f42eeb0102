"""An attribute as it is on record, and as it would be if a clause were right: the judge says if the clause tells it.

"Lets you add up to 15 users" has no word of "max_users: 5", and rules that go by the words of a name pass it over. But
what a judge of language says of the clause turns round when the record is told with 15. Where it does not turn, the
clause speaks of something else, whatever figures the two have.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from groundwire.detect.examination import Examination
from groundwire.detect.records.bounds import is_owned, is_roughly
from groundwire.detect.records.facets import YES, Facet, can_hold, holds
from groundwire.detect.records.listed import find_listing, is_new, tell_listing
from groundwire.detect.records.values import Value, find_values
from groundwire.detect.weighing.asking import hear
from groundwire.detect.weighing.cases import is_reckoned
from groundwire.detect.weighing.scale import Opinion
from groundwire.detect.weighing.traits import denies
from groundwire.detect.weighing.units import Unit
from groundwire.evidence.lookups import Entity
from groundwire.evidence.measures import read_measure
from groundwire.evidence.phrasing import tell_plainly
from groundwire.text.inflection import plural
from groundwire.text.quantities import read_quantity
from groundwire.text.wording import fold_case
from groundwire.types import Passage, Span, VerifierInput

_TURNED = 0.8
_DENIED, _LEANS, _BORNE_OUT, _SOME, _IDLE = 0.6, 0.5, 0.5, 0.15, 0.4
"""How sure the judge must be: that the record denies the clause, and that, told otherwise, it would bear it out."""
_LIMIT = re.compile(
    r"^(?:up to|at most|at least|no more than|a maximum of|as (?:much|many) as|just|only) ", re.IGNORECASE
)
_SUM = re.compile(
    r"^(?:so |and )?(?:(?:that|this|which)(?: is|['’]s)|(?:that|this|which|it) (?:makes|comes to|adds up to))\b|"
    r"\bin (?:all|total)\b",
    re.IGNORECASE,
)
_ONWARD = re.compile(r"\b(?:since|others?|remaining|left|more|another|further)\b", re.IGNORECASE)
_SUMMED = re.compile(r"\b(?:would (?:cost|pay|come|be)|including|plus|altogether|comes? to|adds? up)\b", re.IGNORECASE)
_PARTY = re.compile(r"\b(?:party|group) of $", re.IGNORECASE)
_FRONT, _NEAREST = 40, 4


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause, the values of it that are explained, and whose attributes it may tell, each by its name there."""

    unit: Unit
    explained: tuple[Span, ...]
    bearers: tuple[tuple[Entity, str], ...]


@dataclass(frozen=True, slots=True)
class Turned:
    """A clause that tells an attribute otherwise than it is: the words that do, and how sure the judge is."""

    unit: Unit
    facet: Facet
    span: Span
    text: str
    sureness: float


@dataclass(frozen=True, slots=True)
class _Trial:
    unit: Unit
    facet: Facet
    span: Span
    text: str
    known: str
    supposed: str
    is_list: bool = False


def find_turned(
    examined: Examination, clauses: Sequence[Clause], facets_of: Callable[[Entity], Sequence[Facet]]
) -> list[Turned]:
    """Of each clause the attribute that it tells otherwise, if there is one; only what the judge doubts is turned."""
    trials = [trial for clause in clauses for trial in _choose(examined, clause, facets_of)]
    first = _ask(examined, [(trial.unit, trial.known) for trial in trials])
    doubted = [(t, there) for t, there in zip(trials, first, strict=True) if t.is_list or there.refutation >= _LEANS]
    second = _ask(examined, [(trial.unit, trial.supposed) for trial, _ in doubted])
    found: dict[int, Turned] = {}
    for (trial, there), otherwise in zip(doubted, second, strict=True):
        sureness = _turns(trial, there, otherwise)
        best = found.get(id(trial.unit))
        if sureness and (best is None or best.sureness < sureness):
            found[id(trial.unit)] = Turned(trial.unit, trial.facet, trial.span, trial.text, sureness)
    return list(found.values())


def _ask(examined: Examination, pairs: Sequence[tuple[Unit, str]]) -> list[Opinion]:
    asked = [VerifierInput(unit.text, (Passage("record", told),)) for unit, told in pairs]
    return [Opinion.of(answer) for answer in hear(examined).judge_all(asked)]


def _choose(examined: Examination, clause: Clause, facets_of: Callable[[Entity], Sequence[Facet]]) -> Iterator[_Trial]:
    """All of a measure or a list, and the nearest of what is a yes or a no: any clause may tell one of those."""
    trials = list(_try(examined, clause, facets_of))
    switches = [trial for trial in trials if not trial.text]
    near = sorted(switches, key=lambda trial: -examined.similarity(trial.unit.text, trial.known))[:_NEAREST]
    yield from (trial for trial in trials if trial.text or trial in near)


def _turns(trial: _Trial, there: Opinion, otherwise: Opinion) -> float:
    """How sure the judge is; 0 where what it says does not hang on the value."""
    turn = (there.refutation - otherwise.refutation) + (otherwise.support - there.support)
    if trial.is_list:
        is_told = there.refutation >= _DENIED or turn >= _TURNED
    elif trial.text:
        is_told = turn >= _TURNED and there.refutation >= (_LEANS if otherwise.support >= _BORNE_OUT else _DENIED)
        is_told = is_told and there.refutation > there.support
    else:
        is_told = turn >= _TURNED and there.refutation >= _DENIED and otherwise.support >= _SOME
    return max(there.refutation, otherwise.support) if is_told else 0.0


def is_idle(examined: Examination, unit: Unit, facet: Facet, name: str) -> bool:
    """Whether the judge says much the same of a clause, be it so or not: it then does not speak of that."""
    trial = _switch(unit, facet, name)
    there, otherwise = _ask(examined, [(unit, trial.known), (unit, trial.supposed)])
    return (there.refutation - otherwise.refutation) + (otherwise.support - there.support) < _IDLE


def _try(examined: Examination, clause: Clause, facets_of: Callable[[Entity], Sequence[Facet]]) -> Iterator[_Trial]:
    unit, text = clause.unit, examined.text
    written = text[unit.span.start : unit.span.end]
    if _SUM.search(written) is not None:
        return
    names = [Span(m.start() + unit.span.start, m.end() + unit.span.start) for _, n in clause.bearers
             for m in re.finditer(re.escape(n), written)]  # fmt: skip
    taken = [*clause.explained, *names]
    values = [v for v in find_values(written, unit.span.start) if not _overlaps(v.span, taken)]
    values = [v for v in values if not (v.is_vague and _LIMIT.match(v.text) is None) and not _is_given(examined, v)]
    values = [v for v in values if not _is_sum(written, v, find_values(written, unit.span.start))]
    for entity, name in clause.bearers:
        facets = [facet for facet in facets_of(entity) if not facet.is_relation]
        for facet in facets:
            if facet.is_switch and denies(written) is denies(unit.text):
                yield _switch(unit, facet, name)
            elif (listing := find_listing(facet, written, unit.span.start)) is not None and is_new(listing, facet):
                told = tell_plainly(name, entity.type, facet.attribute, tell_listing(listing))
                yield _Trial(unit, facet, listing.span, listing.strange, _tell(name, facet), told, is_list=True)
        for value in values:
            yield from _replace(examined, unit, value, facets, name)


def _switch(unit: Unit, facet: Facet, name: str) -> _Trial:
    is_so = facet.best.value.casefold() in YES
    supposed = tell_plainly(name, facet.entity.type, facet.attribute, "no" if is_so else "yes")
    return _Trial(unit, facet, unit.span, "", _tell(name, facet), supposed)


def _replace(examined: Examination, unit: Unit, value: Value, facets: Sequence[Facet], name: str) -> Iterator[_Trial]:
    """An amount in the place of each one of its measure; what one of them has already is explained."""
    fitting = [f for f in facets if value.kind == "amount" == f.kind and value.dimension == f.dimension]
    if any(holds(facet, _LIMIT.sub("", value.text), examined.now) for facet in fitting):
        return
    for facet in fitting:
        known = _tell_in_unit(name, facet, value)
        if can_hold(facet, value) and not is_roughly(unit.text, facet) and not is_reckoned(unit.text, known):
            yield _Trial(unit, facet, value.span, value.text, known, _suppose(name, facet, value))


def _is_sum(written: str, value: Value, others: Sequence[Value]) -> bool:
    """ "At 200 kWh it would cost you 74.70 euros": a price of so much is worked out from the one on record; and "six
    novels since" are not all of them."""
    if value.dimension == "count" and _ONWARD.search(written) is not None:
        return True
    if not value.dimension.startswith("currency"):
        return False
    counted = any(
        v.span != value.span and v.kind == "amount" and not v.dimension.startswith("currency") for v in others
    )
    return counted or _SUMMED.search(written) is not None


def _is_given(examined: Examination, value: Value) -> bool:
    """What the user has named, or has of their own: "your parcel of 18 kilos"."""
    front = examined.text[max(0, value.span.start - _FRONT) : value.span.start]
    said = (turn.text for turn in examined.dialogue.turns if turn.role.casefold() == "user")
    is_own = is_owned(examined.text, value.span.start) or _PARTY.search(front) is not None
    return is_own or any(value.text.casefold() in turn.casefold() for turn in said)


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(other.start < span.end and span.start < other.end for other in others)


def _tell(name: str, facet: Facet) -> str:
    stored = " and ".join(value.value for value in facet.values)
    return tell_plainly(name, facet.entity.type, facet.attribute, stored)


def _tell_in_unit(name: str, facet: Facet, value: Value) -> str:
    """21 days are three weeks where the clause counts weeks: a judge of language does no sums."""
    stored, said = (read_quantity(fold_case(text)) for text in (facet.shown[0], _LIMIT.sub("", value.text)))
    if stored is None or said is None or len(facet.values) > 1 or stored[0].unit.dimension != said[0].unit.dimension:
        return _tell(name, facet)
    mine, theirs = said[0].unit, stored[0].unit
    many = stored[0].number * theirs.factor / mine.factor if mine.factor else 0
    if mine.name == theirs.name or many != int(many) or not many or stored[1] or value.dimension != "duration":
        return _tell(name, facet)
    attribute = read_measure(facet.attribute, facet.best.value)[0]
    return tell_plainly(
        name, facet.entity.type, attribute, f"{int(many)} {plural(mine.name) if many > 1 else mine.name}"
    )


def _suppose(name: str, facet: Facet, value: Value) -> str:
    attribute, said = read_measure(facet.attribute, facet.best.value)[0], _LIMIT.sub("", value.text)
    read = read_quantity(fold_case(said)) if value.dimension == "count" else None
    if read is not None and read[0].number == int(read[0].number):
        said = str(int(read[0].number))
    return tell_plainly(name, facet.entity.type, attribute, said)
