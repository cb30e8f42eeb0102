"""Whether two phrases mean the same value: the comparison that everything else calls.

Equality is exact about numbers, dates, codes and names, and lenient about how they are written. A value is read once,
into the kinds of thing it can be (an address, a date, a quantity, a place, a list, a phrase), and kept; comparing two
values that are known is a few look-ups.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text.calendar import Moment, read_moment
from groundwire.text.contacts import Contact, compare_contacts, read_contact
from groundwire.text.likeness import Phrase, compare_phrases, take_apart
from groundwire.text.moments import compare_moments
from groundwire.text.places import Place, compare_places, expand_region, is_place, read_place
from groundwire.text.quantities import Quantity, compare_quantities, read_quantity
from groundwire.text.relations import Comparison, Relation, join
from groundwire.text.tables import read_table
from groundwire.text.wording import (
    LONGEST,
    Aliases,
    clean,
    fold_case,
    normalise,
    packaged_aliases,
    trim,
    words_of,
    words_of_trimmed,
)

__all__ = ["Aliases", "Comparison", "Relation", "compare", "key", "normalise", "packaged_aliases", "values_match"]

_SEPARATOR = re.compile(r" ?[,;](?!\d) ?(?:(?:and|or) )?| (?:and|or|plus|as well as|&) ", re.IGNORECASE)
_ALTERNATIVE = re.compile(r" or ", re.IGNORECASE)
_BRACKETED = re.compile(r" \(([^()]{1,60})\)$")
_LOOSE_JOIN = re.compile(r"(?<=[^\W\d_])[ '-](?=\w)|(?<=\d)[ -](?=[^\W\d_])")
_MOST_MEMBERS = 24
_CLOSENESS = (Relation.EQUAL, Relation.REFINES, Relation.GENERALISES, Relation.OVERLAPS, Relation.DIFFERENT)


class _Value(NamedTuple):
    """One phrase and everything it can be read as."""

    shown: str
    key: str
    squeezed: str = ""
    phrase: Phrase | None = None
    contact: Contact | None = None
    moment: Moment | None = None
    quantity: Quantity | None = None
    counted: _Value | None = None
    place: Place | None = None
    members: tuple[_Value, ...] = ()
    is_choice: bool = False


def key(text: str, *, aliases: Aliases | None = None) -> str:
    """The canonical form of a value: two values with equal keys are equal."""
    return _read(text, aliases or packaged_aliases()).key


def values_match(left: str, right: str) -> bool:
    """Whether two phrases mean the same value."""
    return compare(left, right).relation is Relation.EQUAL


def compare(left: str, right: str, *, now: datetime | None = None, aliases: Aliases | None = None) -> Comparison:
    """How `left` relates to `right`; `now` is the clock for "yesterday", `aliases` a deployment's own table."""
    if left == right:
        return Comparison(Relation.EQUAL, "same wording")
    table = aliases or packaged_aliases()
    return _compare(_read(left, table), _read(right, table), now)


# ── reading ─────────────────────────────────────────────────────────────────────────────────────


def _read(text: str, aliases: Aliases) -> _Value:
    if len(text) > LONGEST:  # too long to be a value, and too large to be kept
        shown = normalise(text)
        return _Value(shown, fold_case(shown))
    return _read_short(text, aliases)


@lru_cache(maxsize=16384)
def _read_short(text: str, aliases: Aliases) -> _Value:
    written = trim(text)
    shown = written.lower()
    plain = fold_case(written)
    words = words_of_trimmed(written, aliases)
    phrase = take_apart(words, written) if words else None
    if (moment := read_moment(plain)) is not None and moment.key is not None:
        quantity = read_quantity(plain)
        return _Value(shown, moment.key, phrase=phrase, moment=moment, quantity=_whole(quantity))
    joined = " ".join(words) or shown
    value = _Value(shown, joined, _squeeze(joined), phrase, moment=moment)
    if moment is not None:  # it needs a clock, so its words are its key
        return value
    contact = read_contact(plain)
    whole = fold_case(clean(text))  # "an hour" is a quantity with its article
    counted = read_quantity(whole) or (read_quantity(plain) if plain != whole else None)
    if contact is not None:
        return _Value(shown, contact.key, phrase=phrase, contact=contact, quantity=_whole(counted))
    if counted is not None and (quantity := _whole(counted)):
        return _Value(shown, quantity.key, phrase=phrase, quantity=quantity)
    if (place := _read_place(written, words, aliases)) is not None:
        return _Value(shown, place.key, value.squeezed, phrase, place=place)
    if members := _read_members(written, aliases):
        return _as_list(value, members, is_choice=_is_choice(written))
    if counted is not None and not _SEPARATOR.search(counted[1]):
        rest = _read_phrase(counted[1], aliases)
        return _Value(shown, f"{counted[0].key} {rest.key}", value.squeezed, phrase, quantity=counted[0], counted=rest)
    return value


def _read_phrase(text: str, aliases: Aliases) -> _Value:
    words = words_of(text, aliases)
    joined = " ".join(words) or text
    return _Value(text, joined, _squeeze(joined), take_apart(words, text) if words else None)


def _squeeze(joined: str) -> str:
    """Without the gaps that one writer leaves and another does not: "note book", "notebook"."""
    return joined if joined.isalnum() else _LOOSE_JOIN.sub("", joined)


def _whole(found: tuple[Quantity, str] | None) -> Quantity | None:
    """The quantity when nothing is left of the text behind it."""
    return found[0] if found is not None and not found[1].strip(" .,;") else None


def _read_place(written: str, words: tuple[str, ...], aliases: Aliases) -> Place | None:
    if is_place(words):
        return read_place((words,))
    inner, *outer = (_BRACKETED.sub(r", \1", written) if written.endswith(")") else written).split(",")
    if not outer:
        before, _, last = inner.rpartition(" ")
        if last.isupper() and expand_region(fold_case(last)) and is_place(words_of(before, aliases)):
            inner, outer = before, [last]
    if not outer:
        return read_place((words,))
    if len(outer) > 3:
        return None
    regions = (expand_region(fold_case(part.strip(" ."))) or words_of(part, aliases) for part in outer)
    return read_place((words_of(inner, aliases), *regions))


@cache
def _pairs() -> frozenset[str]:
    pairs: list[str] = read_table("aliases")["names"]["pairs"]
    return frozenset(pairs)


def _is_choice(written: str) -> bool:
    return bool(_ALTERNATIVE.search(written)) and " and " not in written.lower()


def _read_members(written: str, aliases: Aliases) -> tuple[_Value, ...]:
    if written.isalnum():
        return ()
    pieces = [piece for piece in _SEPARATOR.split(written) if piece.strip()]
    if not 2 <= len(pieces) <= _MOST_MEMBERS:
        return ()
    if aliases.has(written) or written.lower().replace("&", "and") in _pairs():  # one name, not a list
        return ()
    return tuple(_read_short(piece, aliases) for piece in pieces)


def _as_list(value: _Value, members: tuple[_Value, ...], *, is_choice: bool) -> _Value:
    distinct = tuple({member.key: member for member in members}.values())
    glue = " or " if is_choice else " and "
    joined = glue.join(member.key for member in distinct)
    kept = distinct if len(distinct) > 1 else ()
    return _Value(value.shown, joined, value.squeezed, value.phrase, members=kept, is_choice=is_choice)


# ── comparing ───────────────────────────────────────────────────────────────────────────────────


def _compare(left: _Value, right: _Value, now: datetime | None) -> Comparison:
    if left.key == right.key:
        same = left.shown == right.shown
        return Comparison(Relation.EQUAL, "same wording" if same else f"{left.shown} is {right.shown}")
    if left.contact and right.contact:
        return compare_contacts(left.contact, right.contact)
    if left.moment and right.moment:
        return compare_moments(left.moment, right.moment, now)
    if left.members or right.members:
        return _compare_lists(left, right, now)
    if left.quantity and right.quantity:
        return _compare_counted(left, right, left.quantity, right.quantity)
    if left.place and right.place:
        return compare_places(left.place, right.place)
    if left.squeezed and left.squeezed == right.squeezed:
        return Comparison(Relation.EQUAL, f"{left.shown} is {right.shown}")
    if left.phrase and right.phrase:
        return compare_phrases(left.phrase, right.phrase)
    return Comparison(Relation.DIFFERENT, "different wording")


def _compare_counted(left: _Value, right: _Value, ours: Quantity, theirs: Quantity) -> Comparison:
    """Quantities, and the things they count: three black cats are three cats."""
    if ours.unit.dimension != theirs.unit.dimension and (
        (ours.is_bare and left.counted) or (theirs.is_bare and right.counted)
    ):
        return Comparison(Relation.DIFFERENT, f"{left.shown} and {right.shown} count different things")
    numbers = compare_quantities(ours, theirs)
    if left.counted and right.counted:
        things = _compare(left.counted, right.counted, None)
    elif left.counted or right.counted:
        relation = Relation.REFINES if left.counted else Relation.GENERALISES
        things = Comparison(relation, "only one side says what is counted")
    else:
        return numbers
    relation = join(numbers.relation, things.relation)
    return Comparison(relation, numbers.reason if relation is numbers.relation else things.reason)


def _compare_lists(left: _Value, right: _Value, now: datetime | None) -> Comparison:
    """More members say more, in any order; of a choice, fewer."""
    ours, theirs = left.members or (left,), right.members or (right,)
    table = [[_relate_members(member, other, now) for other in theirs] for member in ours]
    best_ours = [_closest(row) for row in table]
    best_theirs = [_closest([row[index].inverse for row in table]) for index in range(len(theirs))]
    unmatched_ours, unmatched_theirs = best_ours.count(Relation.DIFFERENT), best_theirs.count(Relation.DIFFERENT)
    if unmatched_ours == len(ours):
        return Comparison(Relation.DIFFERENT, "the lists share nothing")
    relation = Relation.EQUAL
    for answer in best_ours:
        relation = relation if answer is Relation.DIFFERENT else join(relation, answer)
    for answer in best_theirs:
        relation = relation if answer is Relation.DIFFERENT else join(relation, answer.inverse)
    if unmatched_ours:
        relation = join(relation, _says_more(left, right))
    if unmatched_theirs:
        relation = join(relation, _says_more(right, left).inverse)
    if left.is_choice != right.is_choice and not (unmatched_ours or unmatched_theirs):
        relation = Relation.OVERLAPS
    shared = sum(answer is not Relation.DIFFERENT for answer in best_ours)
    return Comparison(relation, f"{shared} of {len(ours)} and {len(theirs)} members in common")


def _says_more(longer: _Value, shorter: _Value) -> Relation:
    """What a member on one side alone means there."""
    if longer.is_choice:
        return Relation.GENERALISES
    return Relation.OVERLAPS if shorter.is_choice else Relation.REFINES


def _relate_members(left: _Value, right: _Value, now: datetime | None) -> Relation:
    return Relation.EQUAL if left.key == right.key else _compare(left, right, now).relation


def _closest(relations: list[Relation]) -> Relation:
    return next(relation for relation in _CLOSENESS if relation in relations)
