"""What two statements have in common and where they part, by rule; none of it decides alone.

A rule that decides knows only the wordings that its author thought of. These traits are evidence: how much of one is
said by the other, whether one denies, whether two words are opposites, whether their values agree. A scale weighs them
together with what the judge says.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from groundwire.detect.amounts.limits import name_limit
from groundwire.detect.records.facets import list_words, speaks_of
from groundwire.detect.records.values import Value, find_values
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma, readings, verb_lemma
from groundwire.text.thesaurus import Kin, are_opposites, denied_base, find_kin, is_kind_of
from groundwire.text.values import Relation, compare

_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
_DENIAL = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|without|cannot|hardly|lacks?|fails?|free of)\b|"
    r"n['’]t\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|provided|except|apart from|other than|in case|when|whenever|"
    r"(?<!at )once(?! (?:an?|per|every|each)\b)|as soon as|as long as|during|would)\b",
    re.IGNORECASE,
)
_CONTRASTED = re.compile(r"(?:,| and| but| –| —) not (?!only\b)[^,.;:]{1,80}")
""" "32 euros, not 28": what is set aside is neither said nor denied of anything."""
SAME = frozenset({Relation.EQUAL, Relation.GENERALISES, Relation.REFINES, Relation.OVERLAPS})
_IDLE = frozenset(
    """
    be have do will can may would could should must get make go come take thing one other more most also just still
    only very too about sit stand lie locate situate find
    """.split()  # noqa: SIM905
)
_LIMITING = re.compile(r"(?:up to|at most|at least|under|over|below|above|(?:no )?(?:more|less|fewer) than) ", re.I)
_YEARS = re.compile(r"\b(?:from|between) (\d{4}) (?:to|until|till|and|through) (\d{4})\b")
_FRONT = 40
_LONGEST = 600
_ENOUGH = 4


@dataclass(frozen=True, slots=True)
class Traits:
    """Shares are of one, counts are capped and scaled to one, the rest is 0 or 1."""

    told: float
    """How much of what I say the other says as well."""
    covered: float
    """How much of what the other says I say as well."""
    shared: float
    denial: float
    """One denies and the other does not."""
    opposed: float
    differing: float
    """Values of mine that the other has otherwise."""
    agreeing: float
    unmatched: float
    """Values of mine that the other has nothing against."""
    names_apart: float
    new_names: float
    condition: float
    kindred: float
    """A word of mine and one of the other are of one kind: two colours, two breeds."""
    scoped: float
    """The other holds for a time that mine does not name: "from April to September"."""
    same: float
    """The same telling words in the same order: said again, whatever a judge makes of it."""
    turned: float
    """Each has a verb that the other has not: "introduced", "abolished"."""


@dataclass(frozen=True, slots=True)
class _Read:
    words: frozenset[str]
    names: frozenset[str]
    """Words with a capital, without the one that opens the text."""
    opening: frozenset[str]
    """That one, where it has a capital."""
    values: tuple[Value, ...]
    order: tuple[str, ...]
    denied: frozenset[str]
    """What its words say no to: "unheated" denies "heat", as "heated" is read."""
    denies: bool
    is_conditional: bool
    cases: frozenset[str]
    """The words of the case in which it is so."""
    kin: Kin
    """By which two texts that have nothing to do with each other are told apart at once."""


def compare_statements(mine: str, theirs: str, now: datetime | None) -> Traits:
    """The traits of a pair; `mine` is the statement under examination."""
    one, other = _read_mine(mine), _read(theirs[:_LONGEST])
    found = frozenset(w for w in one.words if _is_among(w, other.words))
    back = frozenset(w for w in other.words if _is_among(w, one.words))
    mine_left, their_left = one.words - found, other.words - back
    named = _names_with_values(mine, one.values) & _names_with_values(theirs, other.values)
    values = [[v for v in read.values if v.text.casefold() not in named] for read in (one, other)]
    values[0] = [v for v in values[0] if not _is_within(v, theirs)]
    limits = [[_find_limit(text, value) for value in found] for text, found in zip((mine, theirs), values, strict=True)]
    differing, agreeing, unmatched = _compare_values(values[0], values[1], limits, now)
    mine_names, their_names = one.names - other.names, other.names - one.names
    return Traits(
        told=len(found) / len(one.words) if one.words else 0.0,
        covered=len(back) / len(other.words) if other.words else 0.0,
        shared=min(len(found), _ENOUGH) / _ENOUGH,
        denial=float(one.denies is not other.denies),
        opposed=float(_are_opposed(one, other)),
        differing=min(differing, 2) / 2,
        agreeing=min(agreeing, 2) / 2,
        unmatched=min(unmatched, 2) / 2,
        names_apart=float(bool(mine_names and their_names)),
        new_names=float(bool(mine_names)),
        condition=float((one.is_conditional or other.is_conditional) and one.cases.isdisjoint(other.cases)),
        kindred=float(one.kin.may_be_kindred(other.kin) and _are_kindred(mine_left, their_left)),
        scoped=float(_is_scoped(values[0], values[1])),
        same=float(bool(one.order) and one.order == other.order and one.denies is other.denies and not differing),
        turned=float(_has_verb(mine_left) and _has_verb(their_left)),
    )


def are_same(mine: str, theirs: str) -> bool:
    """Whether `same` would hold of the two: most pairs part at their first words, and need no comparison."""
    one, other = _read_mine(mine), _read(theirs[:_LONGEST])
    if not one.order or one.order != other.order or one.denies is not other.denies:
        return False
    return bool(compare_statements(mine, theirs, None).same)


def is_conditional(text: str) -> bool:
    return _read_mine(text).is_conditional


def _has_verb(words: frozenset[str]) -> bool:
    kinds = (readings(word) for word in words)
    return any(found and found[0][0].startswith("VB") for found in kinds)


def _names_with_values(text: str, values: Sequence[Value]) -> frozenset[str]:
    """ "the 15:40 ferry", "Android 9": a value beside the same word on both sides says which one is meant, not more."""
    found: set[str] = set()
    for value in values:
        start, end = value.span
        after, before = _WORD.match(text, end + 1), _WORD.findall(text[max(0, start - 30) : start])
        near = [w.casefold() for w in (after.group() if after else "", before[-1] if before else "")]
        if any(len(w) > 2 and w not in closed_classes() for w in near):
            found.add(value.text.casefold())
    return frozenset(found)


def _is_within(value: Value, theirs: str) -> bool:
    """ "Still shut in 2019", where it was from 2018 to 2025."""
    if value.kind != "date" or not value.text.isdigit():
        return False
    return any(int(m[1]) < int(value.text) < int(m[2]) for m in _YEARS.finditer(theirs))


def _read_mine(text: str) -> _Read:
    return _read(_CONTRASTED.sub(" ", text[:_LONGEST]))


_CASE = re.compile(r"\b(?:if|unless|when|whenever|once|in case|as soon as|as long as)\b([^,.;:]+)", re.IGNORECASE)


def _read_cases(text: str, telling: frozenset[str]) -> frozenset[str]:
    """ "If you cancel", "when cancelled": the words that tell the case, as lemmas."""
    words = (word.casefold() for match in _CASE.finditer(text) for word in _WORD.findall(match[1]))
    return frozenset(lemma for word in words if (lemma := verb_lemma(word) or noun_lemma(word)) in telling)


@lru_cache(maxsize=8192)
def _read(text: str) -> _Read:
    values = tuple(find_values(text))
    taken = [value.span for value in values]
    words: set[str] = set()
    names: set[str] = set()
    opening: set[str] = set()
    order: list[str] = []
    denied: set[str] = set()
    for match in _WORD.finditer(text):
        if any(span.start <= match.start() < span.end for span in taken):
            continue
        word = match.group()
        low = word.casefold().removesuffix("'s").removesuffix("’s")
        if len(low) < 2 or low in closed_classes():
            continue
        lemma = verb_lemma(low) or noun_lemma(low)
        if lemma in _IDLE:
            continue
        words.add(lemma)
        order.append(lemma)
        if (base := denied_base(low)) is not None:
            denied |= {base, verb_lemma(base) or base}
        if word[0].isupper():
            (names if match.start() > 0 else opening).add(low)
    is_conditional = _CONDITION.search(text) is not None
    telling = frozenset(words)
    return _Read(
        telling, frozenset(names), frozenset(opening), values, tuple(order), frozenset(denied), denies(text),
        is_conditional, _read_cases(text, telling) if is_conditional else frozenset(), find_kin(telling),
    )  # fmt: skip


def denies(text: str) -> bool:
    """Whether a text says no to something, and not no to a no."""
    return len(_DENIAL.findall(text)) % 2 == 1


def words_of(text: str) -> frozenset[str]:
    """The telling words of a text."""
    return _read(text[:_LONGEST]).words


def names_of(text: str) -> frozenset[str]:
    return _read(text[:_LONGEST]).names


def all_names_of(text: str) -> frozenset[str]:
    """With the word that opens the text, where it may be a name as well."""
    read = _read(text[:_LONGEST])
    return read.names | read.opening


def marks_of(text: str) -> frozenset[str]:
    """What tells one case from another: names, days and months, numbers that name ("Version 3.1", "Room 12")."""
    read = _read(text[:_LONGEST])
    dated = [v.text.casefold().removesuffix("s") for v in read.values if v.kind == "date"]
    numbered = [v.text.casefold() for v in read.values if v.dimension == "count" and _names(text[:_LONGEST], v)]
    return frozenset((*all_names_of(text), *dated, *numbered))


def _names(text: str, value: Value) -> bool:
    """ "Version 3.1": the number stands behind its noun and counts nothing."""
    if not any(map(str.isdigit, value.text)):
        return False
    before = _WORD.findall(text[max(0, value.span.start - 20) : value.span.start])
    return bool(before) and text[: value.span.start].endswith(" ") and noun_lemma(before[-1].casefold()) in value.nouns


def share_told(words: frozenset[str], text: str) -> float:
    """How many of the words another text says, in whatever form."""
    said = words_of(text)
    return sum(_is_among(word, said) for word in words) / len(words) if words else 0.0


def _is_among(word: str, others: frozenset[str]) -> bool:
    return word in others or list_words(others).speaks_of(word)


def _are_opposed(mine: _Read, theirs: _Read) -> bool:
    if mine.denied & theirs.words or theirs.denied & mine.words:
        return True
    if not mine.kin.may_be_opposed(theirs.kin):
        return False
    return any(one != other and are_opposites(one, other) for one in mine.words for other in theirs.words)


def _are_kindred(mine: frozenset[str], theirs: frozenset[str]) -> bool:
    return any(is_kind_of(a, b) or is_kind_of(b, a) for a in mine for b in theirs)


def _is_scoped(mine: Sequence[Value], theirs: Sequence[Value]) -> bool:
    return any(v.kind == "date" for v in theirs) and not any(v.kind == "date" for v in mine)


def _find_limit(text: str, value: Value) -> tuple[str, str]:
    """ "up to 50 MB": which way the value limits, and the amount without those words."""
    lead = _LIMITING.match(value.text)
    said = lead.group() if lead is not None else ""
    front = f"{text[max(0, value.span.start - _FRONT) : value.span.start]}{said}".lower()
    return (name_limit(front) if value.kind == "amount" else ""), value.text[len(said) :]


def _compare_values(
    mine: Sequence[Value], theirs: Sequence[Value], limits: Sequence[Sequence[tuple[str, str]]], now: datetime | None
) -> tuple[int, int, int]:
    """A value of theirs that one of mine has already is no rival of my others; of two limits the figures count."""
    rivals = [[k for k, other in enumerate(theirs) if _are_comparable(value, other)] for value in mine]

    def agree(i: int, k: int) -> bool:
        (way, bare), (other_way, other_bare) = limits[0][i], limits[1][k]
        is_limit = way == other_way != ""
        one, other = (bare, other_bare) if is_limit else (mine[i].text, theirs[k].text)
        return compare(one, other, now=now).relation in SAME

    met = {i: [k for k in rivals[i] if agree(i, k)] for i in range(len(mine))}
    taken = {k for found in met.values() for k in found}
    agreeing = sum(bool(found) for found in met.values())
    differing = sum(not met[i] and not set(rivals[i]) <= taken for i in range(len(mine)))
    return differing, agreeing, len(mine) - agreeing - differing


def _are_comparable(mine: Value, other: Value) -> bool:
    if mine.kind != other.kind or mine.dimension != other.dimension:
        return False
    if mine.kind == "amount" and mine.dimension == "count":
        return any(speaks_of(one, two) for one in mine.nouns for two in other.nouns)
    return True
