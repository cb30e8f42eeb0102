"""Membership: which of the word classes of classes.toml a phrase belongs to, and which shapes it has."""

from __future__ import annotations

from functools import cache

from groundwire.text.phrases import Phrase, is_time
from groundwire.text.places import is_place
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token

_CARRIED = {
    "demonym": frozenset({"citizen", "national", "man", "woman", "person"}),
    "employee": frozenset({"employee", "staffer", "worker"}),
    "post": frozenset({"role", "job", "position", "post"}),
}
_ANYWHERE = frozenset({"vehicle", "school", "degree", "database", "technology", "framework", "disease"})
"""Classes that any word of a phrase can put it in, not its head alone."""
_NO_GIVEN_NAMES = frozenset({"demonym", "religion", "language", "marital", "diet", "afflicted", "profession"})
_DATE_WORDS = frozenset(
    """
    january february march april may june july august september october november december
    """.split()  # noqa: SIM905
)
_UNITS_OF_LENGTH = frozenset(
    """
    cm m metre meter metres meters foot feet inch inches ft tall centimeter centimetre
    """.split()  # noqa: SIM905
)


@cache
def class_words(name: str) -> frozenset[str]:
    return frozenset(read_table("classes").get(name, ()))


@cache
def _word_classes() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for name, words in read_table("classes").items():
        for word in words:
            found.setdefault(word, set()).add(name)
    return {word: frozenset(names) for word, names in found.items()}


@cache
def _endings(name: str) -> tuple[str, ...]:
    return tuple(read_table("classes")[f"{name}_endings"])


def classes_of(phrase: Phrase) -> frozenset[str]:
    """The classes that the head of the phrase, or the phrase as a whole, belongs to; every frame asks."""
    if phrase.classes is None:
        phrase.classes = frozenset(_find_classes(phrase))
    return phrase.classes


def _by_head(word: Token, head: Token) -> frozenset[str]:
    """A make puts a phrase among the vehicles wherever it stands; a boat licence is no boat."""
    return _OF_HEADS if word.tag == "N" and word is not head else frozenset()


_OF_HEADS = frozenset({"vehicle"})


def _find_classes(phrase: Phrase) -> set[str]:
    words = [t for t in phrase.words() if t.tag not in "DS"]
    if not words:
        return set()
    table, head, low = _word_classes(), phrase.head_token, phrase.head_token.low
    found = {*table.get(low, ()), *(table.get(head.lemma, ()) if head.tag != "E" else ())}  # "hosted" is no host
    if len(words) > 1:
        lows = [w.low for w in words]
        found.update(table.get(" ".join(lows), ()), table.get(" ".join(lows[-2:]), ()))
        for word in words:
            found.update(_ANYWHERE.intersection(table.get(word.low, ())) - _by_head(word, head))
        for name, carriers in _CARRIED.items():
            if words[-1].lemma in carriers:
                members = class_words(name)
                if any(word in members for word in lows) if members else words[0].tag in ("P", "N", "J", "G"):
                    found.add(name)
    if low.endswith(_endings("drug")) or any(w.low == "mg" for w in words):
        found.add("drug")
    if low.endswith(_endings("profession")):
        found.add("profession")
    if words[0].tag == "G":
        found.add("activity")
    return found


def is_class_member(phrase: Phrase, name: str) -> bool:
    """Does the head of the phrase belong to a word class of classes.toml, or have its shape?"""
    shape = SHAPES.get(name)
    if shape is None:
        return name in classes_of(phrase)
    return any(t.tag not in "DS" for t in phrase.words()) and shape(phrase)


def _is_number(phrase: Phrase) -> bool:
    return "#" in phrase.letters


def _is_age(phrase: Phrase) -> bool:
    words = [t for t in phrase.words() if t.tag != "D"]
    if not words or words[0].tag != "#" or not _is_small(words[0].low):
        return False
    return len(words) == 1 or (words[1].lemma == "year" and len(words) <= 3)


def _is_small(text: str) -> bool:
    """In years; "08:00", "61-7740" and "$40" are nobody's age."""
    return int(text) < 130 if text.isdigit() else not any(map(str.isdigit, text))


def _is_place(phrase: Phrase) -> bool:
    return phrase.head_token.tag == "P" and not is_time(phrase)


def _is_town(phrase: Phrase) -> bool:
    return is_place(tuple(t.low for t in phrase.words() if t.tag == "P"))


def _is_firm(phrase: Phrase) -> bool:
    return (
        phrase.letters.strip("DPN") == ""
        and phrase.head_token.tag == "P"
        and not is_time(phrase)
        and not _is_town(phrase)
    )


def _is_date(phrase: Phrase) -> bool:
    return is_time(phrase) or any(t.low in _DATE_WORDS for t in phrase.words())


def _is_money(phrase: Phrase) -> bool:
    return (
        any(
            t.text[0] in "$€£¥" or t.lemma in ("dollar", "euro", "pound", "franc", "yen", "usd", "eur", "gbp", "k")
            for t in phrase.words()
        )
        and "#" in phrase.letters
    )


def _is_given_name(phrase: Phrase) -> bool:
    words = phrase.words()
    if not words or not all(t.tag == "P" for t in words) or len(words) > 4:
        return False
    last = words[-1].low
    return _NO_GIVEN_NAMES.isdisjoint(_word_classes().get(last, ()))


def _is_version(phrase: Phrase) -> bool:
    return any(
        t.low == "version"
        or (t.text[:1] in "vV" and t.text[1:2].isdigit())
        or (t.tag == "#" and t.text.count(".") >= 1)
        for t in phrase.words()
    )


def _is_street(phrase: Phrase) -> bool:
    words = phrase.words()
    return words[0].tag == "#" and words[-1].tag == "P" and not is_time(phrase)


def _is_length(phrase: Phrase) -> bool:
    words = phrase.words()
    return words[0].tag == "#" and any(t.low in _UNITS_OF_LENGTH for t in words)


SHAPES = {
    "number": _is_number, "age": _is_age, "place": _is_place, "date": _is_date, "money": _is_money,
    "given": _is_given_name, "town": _is_town, "firm": _is_firm, "version": _is_version,
    "length": _is_length, "street": _is_street,
}  # fmt: skip
