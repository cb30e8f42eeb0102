"""One subject, one attribute, two values: amounts, places in a row, names and slots that hold one value at a time."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from groundwire.detect.logic.assertions import Assertion, read_logic
from groundwire.detect.logic.clashes import Clash, are_same_scope, make_clash
from groundwire.detect.logic.scopes import ASIDE, WITHIN
from groundwire.judge.slots import relate_in_slot, relate_values
from groundwire.text.amounts import compare_quantities
from groundwire.text.calendar import small_number
from groundwire.text.lexicon import noun_lemma
from groundwire.text.measures import Quantity
from groundwire.text.propositions import Argument
from groundwire.text.quantities import read_quantity
from groundwire.text.relations import Relation
from groundwire.text.tables import read_table
from groundwire.text.values import compare
from groundwire.types import ContradictionType, Polarity, Tense

VALUES = 0.85
_MOST = 16
_INCOMPATIBLE = ContradictionType.INCOMPATIBLE_VALUES
_ALONE = frozenset({"tall", "high", "long", "wide", "deep", "old"})
Key = tuple[str, ...]


def find_other_values(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    yield from _find_amounts(assertions)
    yield from _find_names(assertions)
    yield from _find_slots(assertions)
    yield from _find_only(assertions)
    yield from _find_times(assertions)


_TIMED = frozenset(
    {"be", "start", "begin", "open", "close", "end", "finish", "depart", "leave", "arrive", "expire", "commence"}
)


def _find_times(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "opens at nine" against "opens at ten": one thing begins at one time, where nothing else tells the two apart."""
    known: dict[Key, list[tuple[Assertion, Argument]]] = defaultdict(list)
    for assertion in assertions:
        if assertion.predicate not in _TIMED or assertion.negated or assertion.modal or not assertion.is_particular:
            continue
        times = [
            a
            for a in assertion.arguments
            if (a.is_time and a.role in ("at", "on", "object", "when"))
            or (a.role == "at" and a.lemmas[:1] and a.lemmas[0].isdigit())
        ]
        if len(times) != 1 or len(assertion.arguments) != 1 or assertion.head in ("user", "it", "today", "there"):
            continue
        key = (assertion.head, *sorted(assertion.details), assertion.predicate, assertion.tense)
        for earlier, other in known[key][-_MOST:]:
            told = {*times[0].text.lower().split(), *other.text.lower().split()}
            if (
                earlier.sentence == assertion.sentence
                or not are_same_scope(earlier, assertion)
                or _has_list(earlier, assertion)
            ):
                continue
            if (
                other.role == times[0].role
                and not _REPEATING & told
                and compare(_as_hour(other), _as_hour(times[0])).relation is Relation.DIFFERENT
            ):
                yield make_clash(
                    earlier,
                    assertion,
                    VALUES,
                    _INCOMPATIBLE,
                    f"{other.text} and {times[0].text} for one {assertion.head}",
                )
        known[key].append((assertion, times[0]))


_REPEATING = frozenset(
    {
        "every",
        "each",
        "days",
        "mondays",
        "tuesdays",
        "wednesdays",
        "thursdays",
        "fridays",
        "saturdays",
        "sundays",
        "weekends",
        "weekdays",
    }
)

_ONLY = re.compile(r"\b(?:only|exclusively|solely|nothing but)\b")


def _find_only(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "runs on diesel only" against "runs on petrol": whatever else is named is too much."""
    known: dict[Key, list[tuple[Assertion, Argument, bool]]] = defaultdict(list)
    for assertion in assertions:
        if assertion.negated or assertion.modal or not assertion.is_particular or assertion.predicate == "be":
            continue
        things = [a for a in assertion.arguments if not a.is_time and a.lemmas and a.role in _ONLY_ROLES]
        if len(things) != 1 or len(assertion.arguments) != 1:
            continue
        thing, is_only = things[0], _ONLY.search(assertion.text.lower()) is not None
        key = (assertion.head, *sorted(assertion.details), assertion.predicate, thing.role, assertion.tense)
        for earlier, other, was_only in known[key][-_MOST:]:
            if is_only is was_only or earlier.scope != assertion.scope or other.lemmas[-1] == thing.lemmas[-1]:
                continue
            if relate_values(other.text, thing.text) is Relation.DIFFERENT:
                yield make_clash(
                    earlier, assertion, VALUES, _INCOMPATIBLE, f"only one of {other.text} and {thing.text}"
                )
        known[key].append((assertion, thing, is_only))


_ONLY_ROLES = frozenset({"object", "on", "with", "in", "to"})


def _as_hour(argument: Argument) -> str:
    """ "at ten" is ten o'clock, in the morning or in the evening."""
    hour = small_number(argument.text.lower()) if argument.role == "at" else None
    return f"{hour} o'clock" if hour is not None and 0 < hour <= 12 else argument.text


@cache
def _attribute_words() -> dict[str, str]:
    table: dict[str, list[str]] = read_table("logic", "detect")["attributes"]
    return {word: name for name, words in table.items() for word in words}


def _find_amounts(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    known: dict[Key, list[tuple[Assertion, Quantity]]] = defaultdict(list)
    for assertion in assertions:
        if (
            assertion.negated
            or assertion.modal
            or not assertion.head
            or assertion.quantifier in ("some", "number", "all", "none")
        ):
            continue
        for key, quantity in _read_amounts(assertion):
            for earlier, other in known[key][-_MOST:]:
                if (
                    _are_apart(other, quantity)
                    and are_same_scope(earlier, assertion)
                    and earlier.tense is assertion.tense
                ):
                    if earlier.sentence == assertion.sentence or _opens_aside(earlier, assertion):
                        continue
                    reason = f"{other.shown} and {quantity.shown} for one {key[-1]}"
                    yield make_clash(earlier, assertion, VALUES, _INCOMPATIBLE, reason)
            known[key].append((assertion, quantity))


def _opens_aside(one: Assertion, other: Assertion) -> bool:
    """ "The rent is 700 euros. With heating it's 850": what stands in front names another case."""
    if other.said.startswith(WITHIN):
        return False
    return ASIDE.match(other.said) is not None and ASIDE.match(one.said) is None


def _are_apart(one: Quantity, other: Quantity) -> bool:
    if one.unit.dimension != other.unit.dimension or one.rate != other.rate or one.is_age is not other.is_age:
        return False
    return compare_quantities(one, other).relation is Relation.DIFFERENT


def _read_amounts(assertion: Assertion) -> Iterator[tuple[Key, Quantity]]:
    """Every amount of a statement, under its subject, attribute and circumstances."""
    if assertion.predicate not in read_logic("amounts"):
        return
    for argument in assertion.arguments:
        if argument.role not in ("object", "on", "when", "of") or (argument.is_time and argument.role == "on"):
            continue
        found = _read_amount(argument)
        if found is None:
            continue
        quantity, rest = found
        owner, attribute = _owner_and_attribute(assertion, quantity, rest or _adjective(argument))
        others = sorted(" ".join(a.lemmas) for a in assertion.arguments if a is not argument and a.lemmas)
        yield (*owner, "|", *others, assertion.tense, attribute), quantity


def _read_amount(argument: Argument) -> tuple[Quantity, str] | None:
    """ "35 square metres", "an area of 35 square metres", "second floor"."""
    text = argument.text.lower().removeprefix("a ").removeprefix("an ").removeprefix("the ")
    front, of, rest = text.partition(" of ")
    if of and rest[:1].isdigit() and (found := read_quantity(rest)) is not None and not found[1]:
        return found[0], front
    if argument.lemmas and argument.lemmas[0][-2:] in ("st", "nd", "rd", "th") and argument.lemmas[0][:-2].isdigit():
        found = read_quantity(argument.lemmas[0][:-2])
        return (found[0], " ".join(argument.lemmas[1:])) if found and len(argument.lemmas) == 2 else None
    return read_quantity(text)


def _adjective(argument: Argument) -> str:
    """ "15 metres wide": the word behind the unit says which measure it is."""
    last = argument.lemmas[-1] if argument.lemmas else ""
    return last if last in _ALONE else ""


def _owner_and_attribute(assertion: Assertion, quantity: Quantity, rest: str) -> tuple[Key, str]:
    """ "the price of the ticket" is the ticket's price, as is what the ticket costs."""
    words = _attribute_words()
    owner = sorted({assertion.head, *assertion.details} - {""})
    for word in (assertion.head, *sorted(assertion.details)):
        if word in words and len(owner) > 1:
            return tuple(w for w in owner if w != word), words[word]
    for word in (*(noun_lemma(w) for w in rest.split()), assertion.predicate):
        if word in words and (word == rest or word in _ALONE or len(rest.split()) <= 1):
            return tuple(owner), words[word]
    dimension = quantity.unit.dimension
    if not rest and dimension.startswith("currency"):
        return tuple(owner), "price"
    if not rest and dimension in ("area", "weight", "mass"):
        return tuple(owner), {"mass": "weight"}.get(dimension, dimension)
    return tuple(owner), rest or dimension


def _find_names(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "The capital is Canberra", "the capital is Sydney": the one that is meant has one name."""
    known: dict[Key, list[tuple[Assertion, Argument]]] = defaultdict(list)
    for assertion in assertions:
        if assertion.predicate != "be" or assertion.negated or assertion.modal or assertion.tense is not Tense.PRESENT:
            continue
        value = next((a for a in assertion.arguments if a.role == "object"), None)
        definite = assertion.text.lower().startswith(("the ", "its ", "our ", "their ", "your ", "my ", "his ", "her "))
        if value is None or not value.is_name or not definite or assertion.quantifier or assertion.head.endswith("s"):
            continue
        others = sorted(" ".join(a.lemmas) for a in assertion.arguments if a is not value and a.lemmas)
        key = (assertion.head, *sorted(assertion.details), "|", *others)
        for earlier, other in known[key][-_MOST:]:
            if earlier.sentence == assertion.sentence or not are_same_scope(earlier, assertion):
                continue
            if relate_values(other.text, value.text) is Relation.DIFFERENT and not _has_list(earlier, assertion):
                yield make_clash(
                    earlier, assertion, VALUES, _INCOMPATIBLE, f"{other.text} and {value.text} for one {assertion.head}"
                )
        known[key].append((assertion, value))


def _has_list(*assertions: Assertion) -> bool:
    return any({"also", "another", "too", "both", "including", "or"} & a.words for a in assertions)


def _find_slots(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """Facts in slots that hold one value, and events that happen once."""
    known: dict[Key, list[tuple[Assertion, str, str]]] = defaultdict(list)
    for assertion in assertions:
        if assertion.modal or assertion.quantifier in ("some", "number", "all", "none"):
            continue
        for key, slot, value in _read_slots(assertion):
            for earlier, _, other in known[key][-_MOST:]:
                if earlier.sentence == assertion.sentence or not are_same_scope(earlier, assertion):
                    continue
                if relate_in_slot(slot, other, value) is Relation.DIFFERENT and not _has_list(earlier, assertion):
                    yield make_clash(earlier, assertion, VALUES, _INCOMPATIBLE, f"{other} and {value} for one {slot}")
            known[key].append((assertion, slot, value))


def _read_slots(assertion: Assertion) -> Iterator[tuple[Key, str, str]]:
    for fact in assertion.read.facts:
        if (
            fact.exclusive
            and fact.slot_type in read_logic("slots")
            and fact.pattern != "predicate"
            and fact.polarity is Polarity.POSITIVE
            and not fact.hedged
        ):
            yield (fact.subject.casefold(), fact.slot_type, fact.tense, fact.when or ""), fact.slot_type, fact.raw
    if assertion.predicate in read_logic("once") and not assertion.negated:
        times = [a for a in assertion.arguments if a.is_time]
        if len(times) == 1 and assertion.head:
            yield (assertion.head, *sorted(assertion.details), assertion.predicate), assertion.predicate, times[0].text
