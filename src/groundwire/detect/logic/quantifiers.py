"""All and none against exceptions: one member that is otherwise makes a universal statement false."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from groundwire.detect.logic.assertions import Assertion, read_logic
from groundwire.detect.logic.clashes import (
    Clash,
    are_same_time,
    denies,
    find_antonyms,
    find_rival_results,
    make_clash,
)
from groundwire.detect.logic.scopes import ELSEWHEN
from groundwire.text.thesaurus import is_kind_of, same_meaning
from groundwire.types import ContradictionType

UNIVERSAL = 0.85
_MOST = 24
_CLOSE = 4
_PERSONS = frozenset({"everyone", "everybody", "nobody", "one", "no one", "anyone", "person", "people", "who"})
_THINGS = frozenset({"everything", "nothing"})
_EXISTENCE = re.compile(
    r"\b(?:there\s+(?:is|are|was|were)|shows?|showed|has|have|had|contains?|contained|includes?|found|lists?)\b"
)


def find_exceptions(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """Each universal statement against the members that the answer names."""
    universals: list[Assertion] = []
    members: dict[str, list[Assertion]] = defaultdict(list)
    for assertion in assertions:
        if assertion.quantifier in ("all", "none"):
            universals.append(assertion)
        members[assertion.predicate].append(assertion)
        if assertion.quantifier in ("all", "none") or not assertion.head:
            continue
        members[f"of {assertion.head}"].append(assertion)
    counted = [a for a in assertions if a.quantifier == "number"][: 4 * _MOST]
    for universal in universals[: 40 * _MOST]:
        nearby = _near([*members[f"of {universal.head}"], *members["of them"]], universal)
        if universal.head in _PERSONS:  # "eleven applicants were turned down": whoever is counted
            nearby += [a for a in counted if abs(a.number - universal.number) <= _CLOSE]
        for predicate in (universal.predicate, *find_rival_results(universal.predicate)):
            nearby = [*nearby, *_near(members[predicate], universal)]
        for member in dict.fromkeys(nearby):
            if member is not universal and (reason := _contradicts(universal, member)) is not None:
                yield make_clash(universal, member, UNIVERSAL, ContradictionType.LOGICAL_IMPOSSIBILITY, reason)
    yield from _find_dropped_exceptions(universals)


def _near(candidates: Sequence[Assertion], universal: Assertion) -> list[Assertion]:
    """The candidates that stand nearest, a bounded number of them."""
    return (
        sorted(candidates, key=lambda a: abs(a.number - universal.number))[:_MOST]
        if len(candidates) > _MOST
        else list(candidates)
    )


def _contradicts(universal: Assertion, member: Assertion) -> str | None:
    if universal.has_exception or member.quantifier in ("all", "none") or member.has_exception:
        return None
    if universal.scope != member.scope or not are_same_time(universal, member) or universal.modal != member.modal:
        return None
    if not _is_member(universal, member) or _is_at_other_time(universal, member):
        return None
    if universal.sentence == member.sentence and {"if", "or", "unless", "whether"} & universal.words:
        return None
    if universal.negated is not member.negated:
        negative, positive = (universal, member) if universal.negated else (member, universal)
        if denies(negative, positive):
            return f'"{member.text}" is an exception to "{universal.text}"'
        return None
    if universal.quantifier == "all" and find_antonyms(universal, member) and _covers(universal, member):
        return f'"{member.text}" is an exception to "{universal.text}"'
    return None


_PLACE = re.compile(r"\b(?:in|on|at)\s+(?:the|our|my|your|his|her|their)\s+([a-z]+)")


def _covers(universal: Assertion, member: Assertion) -> bool:
    """Nothing narrows the universal that the member does not share: "on Linux"."""
    here, there = (set(_PLACE.findall(side.text.lower())) for side in (universal, member))
    if here and there and here.isdisjoint(there):
        return False  # the lights in the kitchen, the light in the hallway
    mine, theirs = ({a.lemmas for a in side.arguments if a.role != "object"} for side in (universal, member))
    inside = all(a.role == "in" and not a.is_time for a in universal.arguments if a.role != "object")
    return mine <= theirs or (inside and not member.arguments) or (inside and member.predicate == "be" and not theirs)


def _is_at_other_time(universal: Assertion, member: Assertion) -> bool:
    away = {
        "now",
        "previously",
        "originally",
        "initially",
        "later",
        "formerly",
        "earlier",
        "eventually",
        "until",
        "before",
        "after",
        "used",
        "longer",
    }
    if ELSEWHEN.match(member.text.lower()) and not ELSEWHEN.search(universal.text.lower()):
        return True  # "Everyone passed. Last year five failed"
    return bool((member.words ^ universal.words) & away)


def _is_member(universal: Assertion, member: Assertion) -> bool:
    """Whether the subject of one is among those that the other speaks of."""
    who = universal.subject.lower()
    if member.head == "them":  # "Ten of them were empty": of those just spoken of
        return universal.quantifier == "all" and 0 < member.number - universal.number <= 2
    if universal.head in _PERSONS or who in _PERSONS or universal.head == "one":
        told = member.quantifier != "number" or universal.details <= member.details
        return told and _is_person(member)
    if universal.head in _THINGS or who in _THINGS:
        return (
            member.quantifier in ("", "number", "some") and member.head not in ("user", "") and not _is_person(member)
        )
    if universal.head in read_logic("people") and member.is_particular and _has_name(member):
        return not universal.details
    same = (
        universal.head == member.head
        or is_kind_of(member.head, universal.head)
        or same_meaning(member.head, universal.head)
    )
    return same and universal.details <= member.details


def _is_person(member: Assertion) -> bool:
    if member.head in ("you", "us", "them"):
        return True  # some of you, one of us
    if member.quantifier == "number" or member.head in ("people", "person"):
        return is_kind_of(member.head, "person") or member.head in read_logic("people") or member.head in _PERSONS
    if member.quantifier == "some":
        return is_kind_of(member.head, "person") or member.head in read_logic("people")
    return _has_name(member) or not read_logic("people").isdisjoint((member.head, *member.details))


def _has_name(member: Assertion) -> bool:
    return member.subject[:1].isupper() and not member.text.lower().startswith(
        ("the ", "this ", "that ", "these ", "those ", "it ")
    )


def _find_dropped_exceptions(universals: Sequence[Assertion]) -> Iterator[Clash]:
    """ "All were shipped, except the lamps" and elsewhere "every item was shipped"."""
    narrowed = [u for u in universals if u.has_exception]
    for one in narrowed[:_MOST]:
        for other in universals:
            if other.has_exception or other.head != one.head or other.predicate != one.predicate:
                continue
            if other.negated is one.negated and other.details == one.details and are_same_time(one, other):
                reason = f'"{other.text}" leaves out the exception of "{one.text}"'
                yield make_clash(one, other, UNIVERSAL, ContradictionType.LOGICAL_IMPOSSIBILITY, reason)


def find_denied_existence(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "There were no errors in the log" against "the log shows four errors"."""
    denied: dict[str, list[Assertion]] = defaultdict(list)
    stated: dict[str, list[Assertion]] = defaultdict(list)
    for assertion in assertions:
        thing = _thing_there(assertion)
        if thing is not None:
            (denied if assertion.negated else stated)[thing].append(assertion)
    yield from _find_presupposed(denied, assertions)
    for thing, denials in denied.items():
        for denial in denials[:_MOST]:
            for other in _stated_under(stated, thing)[:_MOST]:
                if (
                    denial.scope == other.scope
                    and denial.sentence != other.sentence
                    and _share_place(denial, other, thing)
                ):
                    reason = f'"{denial.text}" denies "{other.text}"'
                    yield make_clash(denial, other, UNIVERSAL, ContradictionType.DIRECT_NEGATION, reason)


def _find_presupposed(denied: dict[str, list[Assertion]], assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "The song has no lyrics. The lyrics of the song …"; "there are no trains on Sunday. Three trains run …"."""
    lacking = {thing.split()[-1]: denials for thing, denials in denied.items()}
    for assertion in assertions:
        for denial in lacking.get(assertion.head, [])[:_MOST]:
            if assertion.negated or assertion.scope != denial.scope or assertion.sentence == denial.sentence:
                continue
            place = _place(denial, assertion.head)
            spoken = bool(place) and place <= assertion.details and assertion.quantifier in ("", "number")
            timed = (
                bool(denial.times)
                and denial.times == assertion.times
                and assertion.quantifier == "number"
                and not place
            )
            if (spoken or timed) and denial.shifts == assertion.shifts:
                reason = f'"{denial.text}" denies what "{assertion.text}" speaks of'
                yield make_clash(denial, assertion, UNIVERSAL, ContradictionType.DIRECT_NEGATION, reason)


def _stated_under(stated: dict[str, list[Assertion]], thing: str) -> list[Assertion]:
    """ "parking" is denied by "no parking"; so are parking spaces."""
    near = list(stated.items())[: 4 * _MOST]
    longer = [
        a
        for other, found in near
        if other.startswith(f"{thing} ") or is_kind_of(other.split()[-1], thing)
        for a in found
    ]
    return [*stated.get(thing, []), *longer]


def _thing_there(assertion: Assertion) -> str | None:
    """What a statement says to exist, or not to."""
    if assertion.predicate not in read_logic("having") or assertion.modal:
        return None
    if assertion.predicate == "be" and assertion.subject.lower() != "there":
        return None
    thing = next((a for a in assertion.arguments if a.role == "object" and not a.is_name), None)
    if thing is None or not thing.lemmas:
        return None
    plain = [lemma for lemma in thing.lemmas if not lemma[:1].isdigit()]
    return " ".join(plain) if plain else None


def _share_place(one: Assertion, other: Assertion, thing: str) -> bool:
    """Both speak of one place: "in the log", "the log"; a place that only one names is no other place."""
    if one.shifts != other.shifts or one.times != other.times:
        return False
    mine, yours = (_place(side, thing) for side in (one, other))
    return bool(mine) and mine == yours


def _place(assertion: Assertion, thing: str) -> frozenset[str]:
    inner = {
        lemma
        for a in assertion.arguments
        if a.role in ("in", "on", "at", "of", "within") and not a.is_time
        for lemma in a.lemmas
    }
    if assertion.subject.lower() != "there":
        inner |= {assertion.head, *assertion.details}
    return frozenset(inner - set(thing.split()) - {"there"})
