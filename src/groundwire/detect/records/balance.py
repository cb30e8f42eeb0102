"""What an answer says against what is known, clause by clause: the nearest statements and attributes, weighed.

Pairs are found by shared words and by meaning, never by the form of a sentence; the judge reads each pair both ways,
and a scale weighs what it says with what the two have in common.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.records.bearers import is_of_other
from groundwire.detect.records.facets import Facet
from groundwire.detect.records.schedules import share_thing
from groundwire.detect.records.ties import list_ties, speaks_of_tie
from groundwire.detect.records.values import Value, find_values
from groundwire.detect.weighing.contrasts import are_contrasted, share_subject
from groundwire.detect.weighing.naming import begin_alike, find_name, name_alike, name_topic
from groundwire.detect.weighing.scale import SUREST, Opinion, are_sure, describe_pair, leans_to_conflict, weigh
from groundwire.detect.weighing.traits import Traits, compare_statements, is_conditional, marks_of, share_told, words_of
from groundwire.detect.weighing.units import Unit
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.evidence.phrasing import tell_plainly
from groundwire.judge.judge import Judge
from groundwire.types import Passage, VerifierInput
from groundwire.types.memories import Memory

_STATEMENTS, _FACETS, _TIES = 3, 3, 3
_AKIN = 0.15
_FEW = 3
"""Records that are looked at even where the answer names none of them."""


_SURE, _SURE_OF_COVERED, _SURE_OF_SIMILAR = (0.8, 0.9), (0.65, 0.87), (0.2, 0.97)
"""How sure the judge must be one way and the other: of what is near, told in like words, or much alike."""
_SURE_OF_RECORD, _SURE_OF_NAMES = ((0.85, 0.9),), ((0.8, 0.9),)
_SURE_OF_VALUE = ((0.6, 0.7),)
"""Of what is said of a thing in the same words but for the value; roles may stand beside each other."""
_SURE_OF_TIMES = (0.5, 0.75)
"""Of two times for one thing."""
_TOLD, _NEAR, _COVERED, _LIKE, _SIMILAR, _BORNE_OUT = 0.2, 0.3, 0.3, 0.4, 0.5, 0.4
_NAMED = 0.5
_FAR_MORE = 0.4
_CONTRASTED, _PLAINLY_CONTRASTED = 0.85, 0.7
"""What two sides of one question are worth where the judge leans that way, or where their subject is the same."""
_TOLD_ENOUGH, _SUPPORTED = 0.3, 0.5
_AGAIN = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweek(?:day|end)s?\b|"
    r"\b(?:in|during) (?:the )?(?:winter|summer|holidays)\b",
    re.IGNORECASE,
)
_STATES = frozenset({"status", "state", "condition", "stage"})
_DESCRIBED = re.compile(r"\b[Tt]he [a-z][\w-]+\b")
_FIGURE, _MANY = re.compile(r"\d+(?:[.,:]\d+)*"), 3
_ALL_TIMES = re.compile(
    r"\b(?:always|never|all (?:day|week|year)|every ?day|daily|at all|ever|permanently)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Counterpart:
    """Something known that a clause may speak of: a stored statement, or an attribute told as one."""

    unit: Unit
    memory: Memory
    facet: Facet | None
    traits: Traits
    similarity: float
    said: str
    told: str
    """What the judge reads of both: one thing under one name."""
    is_borne_out: bool = False
    """A value in the clause agrees with another attribute on record."""
    is_tie: bool = False
    """A relation on record, told as a statement."""
    is_named: bool = False
    """The clause calls the bearer of an attribute by one of its names."""

    @property
    def is_contrasted(self) -> bool:
        """Whether clause and record answer one question on two sides; hours and amounts are compared by rules."""
        facet = self.facet
        if facet is None:
            return are_contrasted(self.unit.text, self.memory.text, self.traits)
        if facet.is_additive or facet.kind or any(c.isdigit() for c in facet.best.value):
            return False
        return are_contrasted(self.unit.text, self.memory.text, self.traits, facet.entity.name)

    @property
    def is_of_one(self) -> bool:
        """Whether a statement speaks of the subject of the clause."""
        is_told = self.facet is None and self.traits.told >= _TOLD_ENOUGH
        return is_told and share_subject(self.unit.text, self.memory.text)

    @property
    def keeps_values(self) -> bool:
        """The same values, and nothing denied or turned around: one thing in other words, whatever a judge thinks."""
        traits = self.traits
        if self.facet is not None or traits.denial or traits.opposed or traits.names_apart:
            return False
        if traits.agreeing and not (traits.differing or traits.turned):
            return True
        return _tells_in_order(self.unit.text, self.memory.text)

    @property
    def holds_at_times(self) -> bool:
        """ "Open Monday to Friday" does not deny that it is closed, as long as nobody says when."""
        return self.facet is None and holds_at_times(self.traits, self.unit.text, self.memory.text)

    @property
    def nearness(self) -> float:
        return max(self.similarity, (self.traits.told + self.traits.covered) / 2)


def _tells_in_order(text: str, told: str) -> bool:
    """ "Of the 48, 30 came by train, 12 by car and 6 by bike": all the figures that are known, in their order."""
    mine, known = ([m.group() for m in _FIGURE.finditer(one)] for one in (text, told))
    kept = [figure for figure in mine if figure in known]
    return len(known) >= _MANY and kept == known


def holds_at_times(traits: Traits, text: str, told: str) -> bool:
    """Whether a state is set against its opposite on days that come again, and not said of all times itself."""
    if not traits.scoped or not (traits.opposed or traits.denial) or _ALL_TIMES.search(text):
        return False
    return _AGAIN.search(told) is not None


@dataclass(frozen=True, slots=True)
class Weighed:
    counterpart: Counterpart
    there: Opinion
    back: Opinion
    probability: float
    """That what is known excludes what the clause says."""
    best_support: float

    @property
    def refutation(self) -> float:
        return max(self.there.refutation, self.back.refutation)


class Shelf:
    """Everything known, each with what tells it from the rest."""

    def __init__(
        self, examined: Examination, people: Acquaintance, facets_of: Callable[[Entity], tuple[Facet, ...]]
    ) -> None:
        self._examined = examined
        self._people = people
        self._list = facets_of
        known = examined.knowledge
        self._told: Sequence[Memory] = known.told if isinstance(known, Knowledge) else known.statements
        self._entities: Sequence[Entity] = known.entities if isinstance(known, Knowledge) else ()
        turns = list(examined.dialogue.turns)[-1:]
        self._asked = turns[0].text if turns else ""

    def find(self, unit: Unit) -> list[Counterpart]:
        """The nearest statements and the nearest attributes."""
        named = self._name(unit)
        told = [memory for memory in self._told if not is_of_other(self._examined, memory, unit.span)]
        statements = _without_others([self._meet(unit, memory, None, named) for memory in told])
        facets = [self._meet(unit, memory, facet, named) for memory, facet in self._tell(unit, named)]
        return [*_nearest(statements, _STATEMENTS), *_nearest(facets, _FACETS)]

    def find_ties(self, unit: Unit, *, is_told: bool) -> list[Counterpart]:
        """The nearest relations of whom the clause names; where a value bears it out, only those it speaks of."""
        ties = [(tie, entity) for entity in self._meant(unit) for tie in list_ties([entity])]
        if is_told:
            ties = [(tie, entity) for tie, entity in ties if speaks_of_tie(tie, entity, unit.text)]
        named = self._name(unit) if ties else {}
        near = [replace(self._meet(unit, tie, None, named), is_tie=True) for tie, _ in ties]
        return _nearest(near, _TIES)

    def _describe(self, unit: Unit) -> dict[Entity, str]:
        """What the clause means by "the dam", where it has no other name for it."""
        phrases = dict.fromkeys(m.group() for m in _DESCRIBED.finditer(unit.text))
        meant = {phrase: self._people.meant_by(phrase, unit.span.start) for phrase in phrases}
        named = self._people.named_between(*unit.span)
        return {
            entity: phrase[:1].lower() + phrase[1:]
            for phrase, entity in meant.items()
            if entity is not None and entity not in named
        }

    def meet(self, unit: Unit, memory: Memory) -> Counterpart:
        """A clause with one stored statement."""
        return self._meet(unit, memory, None, self._name(unit))

    def _meet(self, unit: Unit, memory: Memory, facet: Facet | None, named: Mapping[Entity, str]) -> Counterpart:
        told = memory.text if facet is not None else name_alike(memory.text, named.items())
        subject = unit.claims[0].claim.subject if unit.claims else ""
        said = name_topic(unit.text, subject, told, self._asked) if facet is None else unit.text
        traits = compare_statements(said, told, self._examined.now)
        similarity = self._examined.similarity(said, told)
        is_named = facet is not None and facet.entity in named
        return Counterpart(unit, memory, facet, traits, similarity, said, told, is_named=is_named)

    def _name(self, unit: Unit) -> dict[Entity, str]:
        """Everything that the clause names, by the name that it uses."""
        spans = self._people.spans_between(*unit.span)
        written: dict[Entity, list[str]] = {entity: [] for entity in (*(e for *_, e in spans), *self._meant(unit))}
        for start, end, entity in spans:
            written[entity].append(self._examined.text[start:end])
        for entity in (e for e, own in written.items() if not own):
            written[entity] += self._people.written(entity)  # what is said in passing stands under the name before it
        named = {entity: find_name(unit.text, entity, own) for entity, own in written.items()}
        return self._describe(unit) | {entity: name for entity, name in named.items() if name}

    def _tell(self, unit: Unit, named: Mapping[Entity, str]) -> Iterable[tuple[Memory, Facet]]:
        for entity in self._meant(unit):
            bearer = named.get(entity, entity.name)
            for facet in (f for f in self._list(entity) if not f.is_relation):
                value, best = " and ".join(v.value for v in facet.values[:4]), facet.best
                text = tell_plainly(bearer, entity.type, facet.attribute, value, unit.text)
                name = f"{entity.name}/{facet.attribute}"
                yield Memory(name, text, best.trust, best.timestamp, best.source or None), facet

    def list_bearers(self, unit: Unit) -> list[tuple[Entity, str]]:
        """Whose attributes a clause may tell, each by the name that it has there."""
        named = self._name(unit)
        bearers = [*dict.fromkeys((*named, *self._meant(unit)))][:_FEW]
        plain = [(entity, named.get(entity, "")) for entity in bearers]
        return [(entity, name if name[:1].isupper() else entity.name) for entity, name in plain]

    def list_states(self, unit: Unit) -> list[Facet]:
        """The states on record of what the clause itself names, where it says nothing of conditions or of the past."""
        if is_conditional(unit.text):
            return []
        named = [*dict.fromkeys(self._people.named_between(*unit.span))][:_FEW]
        found = [facet for entity in named for facet in self._list(entity) if "status" in facet.meanings]
        if named or len(self._entities) != 1:
            return found
        alone = [facet for facet in self._list(self._entities[0]) if "status" in facet.meanings]
        return [f for f in alone if f.words - _STATES and share_told(f.words - _STATES, unit.text) == 1.0]

    def _meant(self, unit: Unit) -> list[Entity]:
        """Whom the clause names; else what was named before it; else the few that are known."""
        named = list(dict.fromkeys(self._people.named_between(*unit.span)))
        if not named and (before := self._people.named_before(unit.span.start)) is not None:
            named = [before]
        if not named and len(self._entities) <= _FEW:
            named = list(self._entities)
        return named[:_FEW]


def _without_others(found: Sequence[Counterpart]) -> list[Counterpart]:
    """What is said of Linux is not held against a statement on Windows, where another one speaks of Linux."""
    mine = marks_of(found[0].unit.text) if found else frozenset[str]()
    if not mine:
        return list(found)
    marks = [marks_of(c.memory.text) for c in found]
    kept: list[Counterpart] = []
    for c, own in zip(found, marks, strict=True):
        missing = mine - own
        nearer = [o for o, other in zip(found, marks, strict=True) if missing and missing & other and o is not c]
        if not any(o.traits.told >= c.traits.told for o in nearer):
            kept.append(c)
    return kept


def _nearest(found: Sequence[Counterpart], most: int) -> list[Counterpart]:
    return sorted((c for c in found if c.nearness >= _AKIN), key=lambda c: -c.nearness)[:most]


def weigh_all(counterparts: Sequence[Counterpart], judge: Judge, least: float) -> list[Weighed]:
    """Each pair with its probability; the way back is asked only where it could still make a conflict of it."""
    there = _ask(judge, [(c.said, c.told) for c in counterparts])
    best = _find_support(counterparts, there)
    wanted = [
        i
        for i, (c, opinion) in enumerate(zip(counterparts, there, strict=True))
        if _decide(c, opinion, SUREST, best[i]) >= least
    ]
    replies = _ask(judge, [(counterparts[i].told, counterparts[i].said) for i in wanted])
    back = dict(zip(wanted, replies, strict=True))
    return [
        Weighed(
            c,
            opinion,
            back.get(i, Opinion(0.0, 0.0)),
            _decide(c, opinion, back[i], best[i]) if i in back else 0.0,
            best[i],
        )
        for i, (c, opinion) in enumerate(zip(counterparts, there, strict=True))
    ]


def _find_support(counterparts: Sequence[Counterpart], opinions: Sequence[Opinion]) -> list[float]:
    """How far anything known bears each clause out; what tells far less of it than another does not speak for it."""
    by_unit: dict[int, list[tuple[float, float]]] = {}
    for c, opinion in zip(counterparts, opinions, strict=True):
        by_unit.setdefault(id(c.unit), []).append((c.traits.told, opinion.support))
    return [
        max(support for told, support in by_unit[id(c.unit)] if told + _FAR_MORE > c.traits.told) for c in counterparts
    ]


def _decide(counterpart: Counterpart, there: Opinion, back: Opinion, best_support: float) -> float:
    """What the scale says; and where the judge is sure both ways of a plain statement, what the judge says.

    The scale asks for words in common, which "no pets" and "animals are not permitted" have not.
    """
    probability = _weigh(counterpart, there, back, best_support)
    if best_support <= _BORNE_OUT and counterpart.is_contrasted:
        if leans_to_conflict(there, back):
            probability = max(probability, _CONTRASTED)
        elif counterpart.is_of_one and there.support <= _SUPPORTED:
            probability = max(probability, _PLAINLY_CONTRASTED)
    bars = _set_bars(counterpart) if best_support <= _BORNE_OUT else ()
    return max(probability, max(there.refutation, back.refutation)) if are_sure(there, back, bars) else probability


def _set_bars(counterpart: Counterpart) -> Sequence[tuple[float, float]]:
    """From where on the judge decides alone; never where the two may speak of two cases or two events."""
    traits, facet, similarity = counterpart.traits, counterpart.facet, counterpart.similarity
    if facet is not None:
        if not _is_spoken_of(counterpart, facet) or facet.is_additive:
            return []
        if begin_alike(counterpart.said, counterpart.told) and "title" not in facet.meanings:
            return _SURE_OF_VALUE
        if traits.names_apart and not any(c.isdigit() for c in facet.best.value):
            return _SURE_OF_NAMES  # a name in the place of a name, whatever else in the clause is right
        return _SURE_OF_RECORD if not counterpart.is_borne_out else []
    if traits.condition or traits.names_apart or traits.agreeing or (traits.turned and traits.differing):
        return []
    bars = [_SURE] if traits.told > _TOLD or similarity > _NEAR or traits.kindred else []
    bars += [_SURE_OF_COVERED] if traits.covered > _COVERED and similarity > _LIKE else []
    bars += [_SURE_OF_SIMILAR] if similarity > _SIMILAR else []
    if traits.differing and share_thing(counterpart.unit.text, counterpart.memory.text):
        timed = [
            any(_is_time(v) for v in find_values(text)) for text in (counterpart.unit.text, counterpart.memory.text)
        ]
        bars += [_SURE_OF_TIMES] if all(timed) else []
    return bars


def _is_spoken_of(counterpart: Counterpart, facet: Facet) -> bool:
    """The bearer by its name; or by another one, and the attribute by a word."""
    if share_told(words_of(facet.entity.name), counterpart.unit.text) >= _NAMED:
        return True
    return counterpart.is_named and _frame(facet, counterpart)[0] > 0


def _is_time(value: Value) -> bool:
    return value.kind in ("clock", "date") or value.dimension == "duration"


def describe(counterpart: Counterpart, there: Opinion, back: Opinion, best_support: float) -> dict[str, float]:
    """The evidence of a pair; of an attribute also whether it is spoken of, and whether its value is kept."""
    marks: dict[str, float] = {}
    facet = counterpart.facet
    if facet is not None:
        framed, kept = _frame(facet, counterpart)
        marks = {
            "framed": framed,
            "kept": kept,
            "replaced": framed * (1.0 - kept) * (not facet.kind),
            "additive": float(facet.is_additive),
            "counted": float(bool(facet.kind)),
            "named": max(float(counterpart.is_named), share_told(words_of(facet.entity.name), counterpart.unit.text)),
            "borne_out": float(counterpart.is_borne_out),
        }
    return describe_pair(counterpart.traits, there, back, counterpart.similarity, best_support, marks)


def _frame(facet: Facet, counterpart: Counterpart) -> tuple[float, float]:
    """How far a clause speaks of an attribute, and how far it keeps its value."""
    value, text = words_of(" ".join(facet.shown)), counterpart.unit.text
    frame = words_of(counterpart.memory.text) - value - words_of(" ".join((facet.entity.name, *facet.entity.aliases)))
    return max(share_told(frame, text), share_told(facet.words, text)), share_told(value, text)


def tell_replaced(counterpart: Counterpart) -> float:
    """How far a clause speaks of an attribute on record and has something else in place of its value."""
    if counterpart.facet is None:
        return 0.0
    framed, kept = _frame(counterpart.facet, counterpart)
    return framed * (1.0 - kept)


def _weigh(counterpart: Counterpart, there: Opinion, back: Opinion, best_support: float) -> float:
    return weigh(scale_of(counterpart), describe(counterpart, there, back, best_support))


def scale_of(counterpart: Counterpart) -> str:
    return "statement" if counterpart.facet is None else "attribute"


def _ask(judge: Judge, questions: Sequence[tuple[str, str]]) -> list[Opinion]:
    inputs = [VerifierInput(claim, (Passage("known", evidence),)) for claim, evidence in questions]
    return [Opinion.of(output) for output in (judge.judge_all(inputs) if inputs else ())]
