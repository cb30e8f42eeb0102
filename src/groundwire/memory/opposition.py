"""Why two texts with nearly the same words do not say the same.

One inserted "not" in a long sentence leaves 0.92 of the words shared, and sets of words know no order. Whatever is
found here is no duplicate, however similar; it is for the contradiction check to say what it is.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

from groundwire.errors import DataFileError
from groundwire.memory.fingerprints import split_words
from groundwire.text import lexicon
from groundwire.text.folding import fold_text
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import is_known, noun_lemma, verb_lemma
from groundwire.text.numerals import spell_with_digits
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.text.thesaurus import are_opposites, load_kinds, same_meaning
from groundwire.types import Tense

_SENTENCE_END = re.compile(r"[.!?:;\n]\s*$")
_PIECE = re.compile(r"\S+")
_IDENTIFIER = re.compile(r"\d[\w-]{0,64}[a-z]|[a-z][\w-]{0,64}\d|\w[_./@#\\:+]|^[#@/$€£<>=~+-]")
_CLOCK = re.compile(r"\d:\d\d|\d\s?[ap]\.?m\b|o'clock|\bnoon\b|\bmidnight\b", re.IGNORECASE)
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2}")


@dataclass(frozen=True, slots=True)
class _Contrasts:
    negators: frozenset[str]
    groups: tuple[frozenset[str], ...]
    limiting: frozenset[str]
    prefixes: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Words:
    """A text's words in order, and those of them that stand for one particular thing."""

    order: tuple[str, ...]
    stems: frozenset[str]
    numbers: frozenset[str]
    identifiers: frozenset[str]
    names: frozenset[str]
    negations: int


def find_difference(left: str, right: str) -> str | None:
    """Why the two are not duplicates although their words are nearly the same; None when nothing speaks against it."""
    ours, theirs = _take_apart(left), _take_apart(right)
    if reason := _compare_particulars(ours, theirs):
        return reason
    if ours.negations != theirs.negations:
        return "polarity"
    mine, yours = set(ours.order), set(theirs.order)
    if reason := _compare_rest(mine - yours, yours - mine):
        return reason
    common = mine & yours
    if _sequence(ours, common) != _sequence(theirs, common) and not have_same_roles(left, right):
        return "order"
    return None


def find_other_values(left: str, right: str) -> str | None:
    """For texts in different words: a number, a name, an identifier or a limit of one alone, or rivals for a place."""
    one, two = _take_apart(left), _take_apart(right)
    reason = _compare_particulars(one, two)
    if reason and not (reason == "number" and _tell_the_same_time(left, right, one, two)):
        return reason
    mine, yours = set(one.order), set(two.order)
    if reason := _compare_rest(mine - yours, yours - mine):
        return reason
    ours, theirs = (frozenset(lemma for p in _propositions(text) for lemma in p.lemmas) for text in (left, right))
    return "order" if ours == theirs and not have_same_roles(left, right) else None


def _tell_the_same_time(left: str, right: str, one: _Words, two: _Words) -> bool:
    """17:00 and 5 pm; only where a clock is told and the reading kept every number that was written."""
    if not (_CLOCK.search(left) and _CLOCK.search(right)):
        return False
    ours, theirs = _read_numbers(left), _read_numbers(right)
    return ours == theirs and len(ours) >= max(len(one.numbers), len(two.numbers))


def _compare_particulars(ours: _Words, theirs: _Words) -> str | None:
    if ours.numbers != theirs.numbers:
        return "number"
    if ours.identifiers - theirs.stems or theirs.identifiers - ours.stems:
        return "identifier"
    return "name" if ours.names - theirs.stems or theirs.names - ours.stems else None


def _compare_rest(mine: set[str], yours: set[str]) -> str | None:
    """The words that only one side has: opposites, rivals in one place, and what limits a statement."""
    contrasts = _contrasts()
    if not contrasts.limiting.isdisjoint(mine | yours):
        return "limited"
    for one in mine:
        for other in yours:
            if exclude_each_other(one, other):
                return "contrast"
            if _exclude(_lemma(one), _lemma(other)) or _denies(one, other) or _denies(other, one):
                return "opposite"
    return None


def exclude_each_other(one: str, other: str) -> bool:
    """Small words of which only one can stand in a place: "before" and "after"."""
    return one != other and any(one in group and other in group for group in _contrasts().groups)


def _denies(word: str, base: str) -> bool:
    """ "Unlocked" of "locked", "disconnects" of "connects": the one is the other with a prefix that turns it round."""
    return len(base) > 2 and word.endswith(base) and word.removesuffix(base).rstrip("-") in _contrasts().prefixes


def _exclude(one: str, other: str) -> bool:
    """Opposites, or two different things of the same kind (red and blue)."""
    if one == other or same_meaning(one, other):
        return False
    return are_opposites(one, other) or not _parents(one).isdisjoint(_parents(other))


@lru_cache(maxsize=4096)
def _parents(lemma: str) -> frozenset[str]:
    kinds = load_kinds()
    return frozenset(parent for meant in kinds.concepts_of(lemma) for parent in kinds.links.get(meant, ()))


@lru_cache(maxsize=16384)
def _lemma(word: str) -> str:
    return verb_lemma(word) or noun_lemma(word)


def have_same_roles(left: str, right: str) -> bool:
    """Whether both say of the same one that it did the same to the same other; False where neither could be read."""
    ours, theirs = (Counter(_shape(p) for p in _propositions(text)) for text in (left, right))
    return bool(ours) and ours == theirs


def _propositions(text: str) -> list[Proposition]:
    return [read.proposition for read in read_text(text).statements if read.proposition.predicate]


def _shape(proposition: Proposition) -> tuple[object, ...]:
    """Who, what, to whom: active and passive alike."""
    arguments = {(a.role, tuple(lemma for lemma in a.lemmas if not _is_loose(lemma))) for a in proposition.arguments}
    arguments = {one for one in arguments if one[1]}
    loose = frozenset(lemma for a in proposition.arguments for lemma in a.lemmas if _is_loose(lemma))
    subject = (USER,) if proposition.subject == USER else proposition.subject_lemmas
    if proposition.passive:
        agent = next((a for a in proposition.arguments if a.role == "by" and not a.is_time), None)
        if agent is not None:
            arguments = {one for one in arguments if one[0] != "by"}
            arguments.add(("object", subject))
            subject = agent.lemmas
    past = proposition.tense is Tense.PAST
    return subject, proposition.predicate, proposition.negated, past, frozenset(arguments), loose


def _is_loose(lemma: str) -> bool:
    """An adverb of place or time, which may stand anywhere: "upstairs"."""
    return [reading for reading, _ in lexicon.readings(lemma)][:1] == ["RB"]


def _read_numbers(text: str) -> frozenset[str]:
    return frozenset(lemma for p in _propositions(text) for lemma in p.lemmas if any(map(str.isdecimal, lemma)))


def _sequence(words: _Words, common: set[str]) -> list[str]:
    grammar = closed_classes()
    return [word for word in words.order if word in common and word not in grammar]


@lru_cache(maxsize=4096)
def _take_apart(text: str) -> _Words:
    names: set[str] = set()
    identifiers: set[str] = set()
    stems: set[str] = set()
    plain = fold_text(text)
    for match in _PIECE.finditer(plain):
        for word in split_words(match.group()):
            stem = word.removesuffix("'s")
            stems.add(stem)
            if _IDENTIFIER.search(stem) and not stem.isdecimal():
                identifiers.add(stem)
            elif _is_name(match, stem, plain):
                names.add(stem)
    words = _without_emphasis(_without_contractions(split_words(text)))
    digits = spell_with_digits(words)
    numbers = frozenset(word for word in digits if word[:1].isdecimal() or word.lstrip("+-$€£<>=~").isdecimal())
    negations = sum(word in _contrasts().negators for word in words)
    return _Words(tuple(digits), frozenset(stems), numbers, frozenset(identifiers), frozenset(names), negations)


def _is_name(match: re.Match[str], word: str, text: str) -> bool:
    """Capitals inside a sentence, or at its beginning where the dictionary does not know the word."""
    surface = match.group().lstrip("\"'([{*_`“‘")
    if not surface[:1].isupper() or not word[:1].isalpha() or _is_grammar(word):
        return False
    if _CAMEL.search(surface):
        return True
    starts = match.start() == 0 or bool(_SENTENCE_END.search(text[max(0, match.start() - 8) : match.start()]))
    return not (starts and is_known(word))


_SHORT = {"'ve": "have", "'m": "am", "'re": "are", "'ll": "will"}


def _is_grammar(word: str) -> bool:
    """A word of a closed class, contracted or not: I, I've, don't."""
    if word in closed_classes():
        return True
    opened = _without_contractions([word])
    return len(opened) > 1 and opened[0] in closed_classes()


def _without_contractions(words: Sequence[str]) -> list[str]:
    opened: list[str] = []
    for word in words:
        plain = word.replace("’", "'")
        if plain.endswith("n't") and len(plain) > 3:
            opened += [{"ca": "can", "wo": "will"}.get(plain[:-3], plain[:-3]), "not"]
        elif plain == "cannot":
            opened += ["can", "not"]
        elif (full := _SHORT.get(plain[plain.find("'") :])) and plain[:1] != "'":
            opened += [plain.partition("'")[0], full]
        else:
            opened.append(word)
    return opened


def _without_emphasis(words: Sequence[str]) -> list[str]:
    """ "Not … any meat" and "no meat at all" deny no more than "not … meat" does."""
    if _contrasts().negators.isdisjoint(words):
        return list(words)
    emphatic = {i + k for i in range(len(words) - 1) if list(words[i : i + 2]) == ["at", "all"] for k in (0, 1)}
    return [word for place, word in enumerate(words) if place not in emphatic and word not in ("any", "either")]


@cache
def _contrasts() -> _Contrasts:
    file = resources.files("groundwire.memory").joinpath("data/contrasts.toml")
    try:
        table = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise DataFileError(f"the table contrasts.toml cannot be read ({error}): reinstall groundwire") from error
    return _Contrasts(
        frozenset(table["negators"]),
        tuple(frozenset(group) for group in table["groups"]),
        frozenset(table["limiting"]),
        frozenset(table["prefixes"]),
    )
