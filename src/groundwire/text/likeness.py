"""How two phrases relate by their words: modifiers, heads, names, spelling.

A modifier added to the same head refines it; a different head is a different thing; contrasting modifiers exclude each
other. One typing error is forgiven in a common word, never in a name, a number or a code.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text import lexicon
from groundwire.text.places import gazetteer
from groundwire.text.relations import Comparison, Relation
from groundwire.text.tables import read_table
from groundwire.text.wording import PREPOSITIONS, fold_case, names_person

_LINKS = PREPOSITIONS | {"and", "or", "the"}
_ROMAN = frozenset({"ii", "iii", "iv", "vi", "vii", "viii", "ix"})
_SHORTEST_FORGIVEN = 5
_COMPATIBLE_CLASSES = frozenset({"level", "title", "size", "age", "speed", "price", "quality", "hours"})


class Phrase(NamedTuple):
    """The words of one value, taken apart once so that comparing is only set arithmetic."""

    words: tuple[str, ...]
    head: str
    content: frozenset[str]
    links: frozenset[str]
    numbers: frozenset[str]
    capitals: frozenset[str]
    is_capitalised: bool


@dataclass(frozen=True, slots=True)
class _Modifiers:
    classes: dict[str, str]
    excluding: frozenset[str]
    given: frozenset[str]
    organisations: frozenset[str]


@cache
def _modifiers() -> _Modifiers:
    raw = read_table("seniority")
    contrasts: dict[str, list[str]] = raw["contrasts"]
    names = read_table("aliases")["names"]
    return _Modifiers(
        classes=dict.fromkeys(raw["refining"], "title")
        | {word: name for name, words in contrasts.items() for word in words},
        excluding=frozenset(raw["distinct"]) | frozenset(raw["privative"]),
        given=frozenset(names["given"]),
        organisations=frozenset(names["organisations"]),
    )


def take_apart(words: tuple[str, ...], written: str) -> Phrase:
    """The phrase that `words` make; `written` is the value with its capitals."""
    core = words
    for index, word in enumerate(words):
        if word in PREPOSITIONS and index:
            core = words[:index]
            break
    numbers = [word for word in words if _is_number(word)]
    nouns = [word for word in core if word not in numbers]
    pieces = written.split()
    return Phrase(
        words=words,
        head=nouns[-1] if nouns else (_without_v(core[-1]) if core else ""),
        content=frozenset([_without_v(word) for word in words if word not in _LINKS]),
        links=_collect([word for word in words if word in PREPOSITIONS and word != "of"]),
        numbers=_collect([_without_v(word) for word in numbers]),
        capitals=_collect([fold_case(piece) for piece in pieces if piece[:1].isupper()]),
        is_capitalised=not [piece for piece in pieces if piece[:1].isalpha() and not piece[:1].isupper()],
    )


_NOTHING = frozenset[str]()


def _collect(words: list[str]) -> frozenset[str]:
    """One empty set for all who need one: a value is kept, and what is kept is looked at by the garbage collector."""
    return frozenset(words) if words else _NOTHING


def _is_number(word: str) -> bool:
    return word in _ROMAN if word.isalpha() else any(map(str.isdecimal, word))


def _without_v(word: str) -> str:
    """A version is its number: v1.2, 1.2."""
    return word[1:] if word[:1] == "v" and word[1:2].isdecimal() else word


def compare_phrases(left: Phrase, right: Phrase) -> Comparison:
    """How two phrases of words relate."""
    if left.numbers and right.numbers and not (left.numbers <= right.numbers or right.numbers <= left.numbers):
        ours, theirs = " ".join(sorted(left.numbers)), " ".join(sorted(right.numbers))
        return Comparison(Relation.DIFFERENT, f"numbers differ: {ours} and {theirs}")
    if (typo := _find_typo(left, right)) is not None:
        return Comparison(Relation.EQUAL, f"spelling: '{typo[0]}' and '{typo[1]}'")
    if left.head == right.head:
        return _compare_modifiers(left, right)
    if left.content and left.content < right.content:
        return _compare_within(left, right, Relation.GENERALISES)
    if right.content and right.content < left.content:
        return _compare_within(right, left, Relation.REFINES)
    if (initial := _compare_initials(left, right)) is not None:
        return initial
    return Comparison(Relation.DIFFERENT, f"'{' '.join(left.words)}' is not '{' '.join(right.words)}'")


def _compare_modifiers(left: Phrase, right: Phrase) -> Comparison:
    """Two phrases about the same kind of thing."""
    ours, theirs = left.content - right.content, right.content - left.content
    if _are_linked_otherwise(left.links, right.links, has_extra=bool(ours or theirs)):
        return Comparison(Relation.DIFFERENT, f"'{' '.join(left.words)}' is not '{' '.join(right.words)}'")
    excluding = _modifiers().excluding
    if not excluding.isdisjoint(ours) or not excluding.isdisjoint(theirs):
        word = min((ours | theirs) & excluding)
        return Comparison(Relation.DIFFERENT, f"'{word} {left.head}' is another thing")
    if not ours and not theirs:
        return Comparison(Relation.EQUAL, "same words in another order")
    if not theirs:
        return Comparison(Relation.REFINES, f"refines: adds '{_join(left.words, ours)}'")
    if not ours:
        return Comparison(Relation.GENERALISES, f"generalises: leaves out '{_join(right.words, theirs)}'")
    if (initial := _compare_initials(left, right)) is not None:
        return initial
    one, other = _join(left.words, ours), _join(right.words, theirs)
    if _are_compatible(ours, theirs):
        return Comparison(Relation.OVERLAPS, f"'{one}' and '{other}' can both be true of one {left.head}")
    return Comparison(Relation.DIFFERENT, f"'{one}' is not '{other}'")


def _are_linked_otherwise(ours: frozenset[str], theirs: frozenset[str], *, has_extra: bool) -> bool:
    """A flight to Paris is no flight from Paris."""
    if not ours or not theirs or ours == theirs:
        return False
    return not has_extra or not (ours < theirs or theirs < ours)


def _are_compatible(ours: frozenset[str], theirs: frozenset[str]) -> bool:
    """Size, age or level on one side says nothing against a kind on the other: senior against software."""
    classes = _modifiers().classes
    one = {classes.get(word, "kind") for word in ours}
    other = {classes.get(word, "kind") for word in theirs}
    if one & other:
        return False
    return one <= _COMPATIBLE_CLASSES or other <= _COMPATIBLE_CLASSES


def _join(words: tuple[str, ...], chosen: frozenset[str]) -> str:
    return " ".join(word for word in words if word in chosen)


def _compare_within(small: Phrase, large: Phrase, relation: Relation) -> Comparison:
    """All words of `small` are in `large`, which has another head: a fuller name, or a different thing.

    "Dana Smith" is Dana and a Honda Civic is a Honda, but a tea cup is no tea and a Google engineer not Google.
    """
    extra = large.content - small.content
    if small.content <= small.numbers:
        return Comparison(relation, f"only one side says '{_join(large.words, extra)}'")
    is_fuller = _is_longer_name(small, large) and _modifiers().excluding.isdisjoint(extra) and not large.links
    if is_fuller:
        return Comparison(relation, f"'{' '.join(large.words)}' is a fuller name for '{' '.join(small.words)}'")
    return Comparison(Relation.DIFFERENT, f"'{' '.join(large.words)}' is not a kind of '{' '.join(small.words)}'")


def _is_longer_name(small: Phrase, large: Phrase) -> bool:
    starts_same = large.words[: len(small.words)] == small.words
    if all(map(is_common, small.content)):
        is_given = len(small.words) == 1 and small.head in _modifiers().given and len(large.words) < 4
        return is_given and starts_same and small.is_capitalised and large.is_capitalised
    if not names_thing(large.head) or (starts_same and large.head in _modifiers().organisations):
        return True
    return starts_same and large.head in large.capitals and not names_person(large.head)


def _compare_initials(left: Phrase, right: Phrase) -> Comparison | None:
    """J. Smith may be John Smith."""
    if len(left.words) != len(right.words) or len(left.words) < 2 or left.words[-1] != right.words[-1]:
        return None
    says_more = says_less = False
    for one, other in zip(left.words, right.words, strict=True):
        if one == other:
            continue
        if len(one) == 1 and other.startswith(one):
            says_less = True
        elif len(other) == 1 and one.startswith(other):
            says_more = True
        else:
            return None
    if says_more and says_less:
        return Comparison(Relation.OVERLAPS, "initials fit")
    return Comparison(Relation.REFINES if says_more else Relation.GENERALISES, "one side gives only the initial")


@lru_cache(maxsize=16384)
def is_common(word: str) -> bool:
    """Whether the dictionary has the word, so that it is no name."""
    return lexicon.is_known(word)


@lru_cache(maxsize=16384)
def names_thing(word: str) -> bool:
    """Whether the dictionary has the word as a noun that names a kind of thing."""
    return lexicon.is_known(word) and any(tag in ("NN", "NNS") for tag, _ in lexicon.readings(word))


def _find_typo(left: Phrase, right: Phrase) -> tuple[str, str] | None:
    """The one pair of words that differ by a slip of the keyboard, when all the others are the same."""
    if len(left.words) != len(right.words):
        return None
    found: tuple[str, str] | None = None
    for one, other in zip(left.words, right.words, strict=True):
        if one == other:
            continue
        if found is not None or one in left.capitals or other in right.capitals or not _is_slip(one, other):
            return None
        found = one, other
    return found


def _is_slip(one: str, other: str) -> bool:
    """One edit between a dictionary word and a word that is none; two words that both exist are two things."""
    if min(len(one), len(other)) < _SHORTEST_FORGIVEN or abs(len(one) - len(other)) > 1 or one[0] != other[0]:
        return False
    if not (one.isascii() and other.isascii() and one.isalpha() and other.isalpha()):
        return False
    if is_common(one) == is_common(other) or one in gazetteer().nodes or other in gazetteer().nodes:
        return False
    return is_one_edit(one, other)


def is_one_edit(one: str, other: str) -> bool:
    """One letter more, fewer, other, or two neighbours swapped; not at the end, where grammar does its work."""
    if one[-1] != other[-1]:
        return False
    start = 0
    shortest = min(len(one), len(other))
    while start < shortest and one[start] == other[start]:
        start += 1
    rest, remainder = one[start:], other[start:]
    if len(rest) == len(remainder):
        swapped = rest[:2] == remainder[1::-1] and rest[2:] == remainder[2:]
        return swapped or rest[1:] == remainder[1:]
    return rest[1:] == remainder or rest == remainder[1:]
