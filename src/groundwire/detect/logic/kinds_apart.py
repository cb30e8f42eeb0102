"""Categories, diets and families: what a thing is rules out what else is said of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from groundwire.detect.logic.assertions import Assertion
from groundwire.detect.logic.clashes import Clash, are_same_scope, are_same_time, make_clash
from groundwire.detect.logic.diets import barred, is_barred, is_made_of_plants
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import is_kind_of, list_above, load_kinds
from groundwire.types import ContradictionType

CATEGORIES = 0.80
_MOST = 16
_INGREDIENTS = frozenset(
    {
        "contain",
        "include",
        "make",
        "serve",
        "have",
        "use",
        "top",
        "fill",
        "cook",
        "eat",
        "feature",
        "order",
        "offer",
        "prepare",
        "garnish",
    }
)
_IMPOSSIBLE = ContradictionType.LOGICAL_IMPOSSIBILITY


def find_other_kinds(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    by_subject: dict[tuple[str, frozenset[str]], list[Assertion]] = defaultdict(list)
    for assertion in assertions:
        if assertion.quantifier in ("some", "number") or not assertion.head:
            continue
        known = by_subject[assertion.head, assertion.details]
        for earlier in known[-_MOST:]:
            if earlier.negated or assertion.negated or not are_same_scope(earlier, assertion):
                continue
            if not are_same_time(earlier, assertion):
                continue
            reason = _exclude_kinds(earlier, assertion) or _bars(earlier, assertion) or _bars(assertion, earlier)
            reason = reason or _costs(earlier, assertion) or _costs(assertion, earlier)
            if reason is not None:
                yield make_clash(earlier, assertion, CATEGORIES, _IMPOSSIBLE, reason)
        known.append(assertion)
    yield from _find_relatives(assertions)


def _kind_words(assertion: Assertion) -> list[str]:
    """What the subject is said to be: "a small mammal" is a mammal."""
    if assertion.predicate not in ("be", "become", "remain"):
        return []
    found: list[str] = []
    for argument in assertion.arguments:
        if argument.role in ("object", "second") and argument.lemmas and not argument.is_name:
            found += [argument.lemmas[-1], " ".join(argument.lemmas[-2:])]
    return found


def _exclude_kinds(one: Assertion, other: Assertion) -> str | None:
    for mine in _kind_words(one):
        for theirs in _kind_words(other):
            group = _rivals(mine, theirs) if mine != theirs else None
            if group is not None:
                return f"nothing is both {mine} and {theirs}"
    return None


@cache
def _groups() -> tuple[tuple[str, tuple[str, ...]], ...]:
    table: dict[str, list[str]] = read_table("logic", "detect")["categories"]
    return tuple((name, tuple(words)) for name, words in table.items())


@lru_cache(maxsize=8192)
def _rivals(one: str, other: str) -> str | None:
    """The group in which two words stand for different categories."""
    mine, theirs = _categories_of(one), _categories_of(other)
    return next((name for name in mine if name in theirs and mine[name] != theirs[name]), None)


@lru_cache(maxsize=8192)
def _categories_of(word: str) -> dict[str, str]:
    """Of each group the one category that the word stands for."""
    has_kind = any(list_above(one) for one in load_kinds().concepts_of(word))
    found = {
        name: [one for one in words if one == word or (has_kind and is_kind_of(word, one))] for name, words in _groups()
    }
    return {name: ones[0] for name, ones in found.items() if len(ones) == 1}


def _bars(diet: Assertion, dish: Assertion) -> str | None:
    """ "The soup is vegan" against "it is made with chicken stock"."""
    promise = next((name for name in barred() if name in diet.said and _is_said_to_be(diet, name)), None)
    if (
        promise is None
        or dish.predicate not in _INGREDIENTS
        or dish.words & {"without", "free", "substitute", "instead", "no", "plant", "vegan"}
    ):
        return None
    for argument in dish.arguments:
        for before, lemma in zip(("", *argument.lemmas), argument.lemmas, strict=False):
            if is_made_of_plants(before):
                continue
            if argument.role in ("object", "with", "of", "in", "from", "second") and is_barred(promise, lemma):
                return f"{promise} rules out {argument.text}"
    return None


def _costs(free: Assertion, paid: Assertion) -> str | None:
    """ "Membership is free" against "membership costs 20 euros"."""
    is_free = free.predicate == "be" and "free" in free.states and len(free.arguments) == 1
    if not is_free or paid.predicate != "cost" or any(a.role in ("for", "if", "on", "after") for a in paid.arguments):
        return None
    priced = any(a.role == "object" and any(lemma[:1] in "123456789" for lemma in a.lemmas) for a in paid.arguments)
    return "what is free costs nothing" if priced else None


def _is_said_to_be(assertion: Assertion, name: str) -> bool:
    return assertion.predicate == "be" and any(
        a.role in ("object", "second") and name in a.text.lower() for a in assertion.arguments
    )


@cache
def _alone() -> dict[str, frozenset[str]]:
    table: dict[str, list[str]] = read_table("logic", "detect")["alone"]
    return {name: frozenset(words) for name, words in table.items()}


_PRONOUNS = {"he": "his", "she": "her", "they": "their", "i": "my", "user": "my", "you": "your", "we": "our"}


def _find_relatives(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "He is an only child. His brother …": who is alone has none of those."""
    lonely: list[tuple[Assertion, frozenset[str]]] = []
    for assertion in assertions:
        if assertion.predicate != "be" or assertion.negated or assertion.modal:
            continue
        for name, relatives in _alone().items():
            if f" {name}" in f" {assertion.text.lower()}" and _says_it_is(assertion, name):
                lonely.append((assertion, relatives))
    lonely += [(a, frozenset(names)) for a in assertions if (names := _denied_relatives(a))]
    for assertion, relatives in lonely[:_MOST]:
        for other in assertions:
            if (
                abs(other.number - assertion.number) > _MOST
                or other is assertion
                or (other.negated and "'s" not in other.text)
                or other.scope != assertion.scope
            ):
                continue
            if (name := _owned_relative(assertion, other, relatives)) is not None:
                yield make_clash(assertion, other, CATEGORIES, _IMPOSSIBLE, f'"{assertion.text}" rules out a {name}')


def _denied_relatives(assertion: Assertion) -> list[str]:
    """ "She has no siblings": neither brother nor sister; "he has never been married": no wife."""
    if assertion.negated and not assertion.modal and {"married", "marry"} & assertion.states:
        return ["husband", "spouse", "wife"]
    if assertion.predicate != "have" or not assertion.negated or assertion.modal:
        return []
    every = {name for names in _alone().values() for name in names}
    objects = [a.lemmas for a in assertion.arguments if a.role == "object"]
    denied = [one[0] for one in objects if len(one) == 1]
    denied += [word for one in objects if len(one) > 1 and set(one) <= every | {"or", "nor"} for word in one]
    return sorted(name for name in every for thing in denied if name == thing or is_kind_of(name, thing))


def _says_it_is(assertion: Assertion, name: str) -> bool:
    last = name.split()[-1]
    return (
        any(a.lemmas and a.lemmas[-1] == last for a in assertion.arguments if a.role in ("object", "second"))
        and "not" not in assertion.words
    )


def _owned_relative(lonely: Assertion, other: Assertion, relatives: frozenset[str]) -> str | None:
    who = lonely.subject.casefold()
    own = _PRONOUNS.get(who)
    said = f"{other.text} {other.said}".casefold()
    for name in sorted(relatives):
        forms = [f"{who}'s {name}", f"{who}'s older {name}", f"{who}'s younger {name}", f"{who}'s twin {name}"]
        if own:
            forms += [f"{own} {name}", f"{own} older {name}", f"{own} younger {name}", f"{own} twin {name}"]
        if any(form in said for form in forms):
            return name
        has = other.predicate == "have" and other.subject.casefold() == who
        if has and any(a.role == "object" and name in a.lemmas for a in other.arguments):
            return name
    return None
