"""Who does what to whom: claims that the record of the other one decides, and names with where they belong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import PERSONS, Acquaintance
from groundwire.detect.records.assessment import assess
from groundwire.detect.records.facets import Facet, same_words
from groundwire.detect.records.sayings import Outcome, Point, Saying
from groundwire.evidence.lookups import Entity
from groundwire.evidence.meanings import load_meanings
from groundwire.evidence.names import name_key
from groundwire.text.propositions import UNREAD, Argument, Proposition
from groundwire.text.reading import ReadClaim
from groundwire.types import Span

FacetsOf = Callable[[Entity], tuple[Facet, ...]]
_TAIL = re.compile(r",? (?P<role>from|in|at) (?:the )?(?P<value>[A-Z][\w&-]*(?: [A-Z][\w&-]*){0,3})")
_PRONOUNS = frozenset("i you we he she it they this that these those there who which".split())  # noqa: SIM905


def _inverse_meanings(proposition: Proposition) -> set[str]:
    """The attributes that the verb gives its object: whoever founds a firm is its founder."""
    return set() if proposition.passive else set(load_meanings().by_inverse.get(proposition.predicate, ()))


def assess_roles(
    read: ReadClaim, entity: Entity | None, circle: Sequence[Entity], facets_of: FacetsOf
) -> Iterable[Point]:
    """ "Ida painted it", "she is its curator": the record of the other one says who."""
    if entity is None:
        return
    proposition = read.proposition
    inverse = _inverse_meanings(proposition)
    being = proposition.predicate == "be"
    said = {w for a in proposition.arguments if a.role == "object" for w in a.lemmas} if being else set[str]()
    names = {n.casefold() for n in (entity.name, *entity.aliases)}
    for other in circle:
        for facet in facets_of(other) if other is not entity else ():
            if not (inverse & set(facet.meanings) or facet.words & said):
                continue
            if any(value.value.casefold() in names for value in facet.values):
                for argument in proposition.arguments:
                    if not argument.is_time and not any(map(str.isdigit, argument.text)):
                        yield Point(Outcome.AGREES, argument.text, argument.span, facet)


def _is_named(entity: Entity, arguments: Sequence[Argument]) -> bool:
    names = {name_key(name) for name in (entity.name, *entity.aliases)}
    return any(name_key(argument.text) in names for argument in arguments)


def assess_doers(
    examined: Examination, read: ReadClaim, circle: Sequence[Entity], facets_of: FacetsOf
) -> Iterable[Point]:
    """ "James Roberts founded Acme" against the founder on record."""
    proposition, subject = read.proposition, read.claim.subject
    inverse = _inverse_meanings(proposition)
    if not inverse or proposition.negated or not subject[:1].isupper() or subject.casefold() in _PRONOUNS:
        return
    start = examined.text.find(subject, read.claim.span.start, read.claim.span.end)
    objects = [a for a in proposition.arguments if a.role == "object"]
    for other in circle[:2]:
        if start < 0 or not _is_named(other, objects):
            continue
        for facet in facets_of(other):
            if inverse & set(facet.meanings) and not facet.kind and not facet.is_additive:
                same = any(same_words(subject, shown) for shown in facet.shown)
                outcome = Outcome.AGREES if same else Outcome.DIFFERS
                yield Point(outcome, subject, Span(start, start + len(subject)), facet, 0 if same else 4)
                return


_GOING = frozenset({"be", "go", "belong", "come", "fall"})


def assess_works(
    read: ReadClaim, people: Acquaintance, circle: Sequence[Entity], facets_of: FacetsOf
) -> Iterable[Point]:
    """ "Oriel wrote the script", where it is by somebody else; "second place went to Ana", where it was Ben's."""
    proposition = read.proposition
    if proposition.negated or not proposition.predicate:
        return
    objects = {lemma for a in proposition.arguments if a.role == "object" for lemma in a.lemmas[-1:]}
    subject = proposition.subject.casefold()
    for facet in (f for other in circle for f in facets_of(other) if f.is_relation and not f.is_additive):
        words = tuple(facet.attribute.casefold().replace("_", " ").split())
        if len(words) == 2 and words[1] == "by" and words[0] in objects and not proposition.passive:
            places = people.spans_between(read.claim.span.start, read.claim.span.start + len(read.claim.subject))
        elif subject == " ".join(words) and proposition.predicate in _GOING:
            places = people.spans_between(*read.claim.span)
        else:
            continue
        if places and facet.entity not in (entity for _, _, entity in places):
            start, end, entity = places[0]
            names = {name.casefold() for name in (entity.name, *entity.aliases)}
            same = any(value.value.casefold() in names for value in facet.values)
            yield Point(
                Outcome.AGREES if same else Outcome.DIFFERS, entity.name, Span(start, end), facet, 0 if same else 4
            )


def assess_tails(
    examined: Examination, read: ReadClaim, named: Sequence[tuple[int, int, Entity]], facets_of: FacetsOf
) -> Iterable[Point]:
    """ "John Smith from Marketing": what stands behind a name says where somebody belongs."""
    for _, end, entity in named:
        match = _TAIL.match(examined.text, end, read.claim.span.end)
        if match is None or entity.type.casefold() not in PERSONS:
            continue
        span = Span(match.start("value"), match.end("value"))
        argument = Argument(match["role"], match["value"], span, tuple(match["value"].casefold().split()), False, True)
        proposition = UNREAD._replace(predicate="be", arguments=(argument,), lemmas=frozenset())
        saying = Saying(replace(read, proposition=proposition), examined.text, frozenset(), (), ())
        yield from assess(saying, facets_of(entity), examined.knowledge, examined.now)
