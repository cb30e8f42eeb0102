"""Words of another kind or shape that tell the same: "I got married" tells of a wedding, "my manager" of a report.

Synonyms stand for each other in any sentence. These do so only where everything else agrees: the table is asked last,
about a word or two that are left over, and is read when first asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from groundwire.text.tables import read_table
from groundwire.text.tokens import number_words
from groundwire.text.values import key

TOLD = "thesaurus_told"

Words = frozenset[str]


class Entry(NamedTuple):
    """What a claim says, and the words of evidence any of which tells it; none: it says nothing by itself."""

    claimed: Words
    tellers: tuple[Words, ...]


def find_told(missing: Words, claimed: Words, evidence: Words) -> Mapping[str, Words]:
    """Those of the missing words of a claim that the evidence tells in other words: what tells each of them."""
    found: dict[str, Words] = {}
    table = load_told()
    for word in missing:
        for entry in table.get(word, ()):
            if not entry.claimed <= claimed:
                continue
            telling = [one for one in entry.tellers if one <= evidence]
            if telling or not entry.tellers:
                found.update(dict.fromkeys(entry.claimed & missing, frozenset[str]().union(*telling)))
                break
    return found


@cache
def load_told() -> Mapping[str, tuple[Entry, ...]]:
    """Every word of a claim → the entries that it is part of, the most particular ones first."""
    table: dict[str, list[Entry]] = {}
    for entry in (*read_entries(), *_list_spellings()):
        for word in entry.claimed:
            table.setdefault(word, []).append(entry)
    return {word: tuple(sorted(found, key=_by_length)) for word, found in table.items()}


def read_entries() -> Iterator[Entry]:
    """Lines "said, said too: teller, teller"; words that belong together are joined by "+"."""
    for line in _read_lines():
        said, _, tellers = line.partition(":")
        told = tuple(_split(one) for one in tellers.split(",") if one.strip())
        for one in said.split(","):
            yield Entry(_split(one), told)


def _list_spellings() -> Iterator[Entry]:
    """ "CTO" and "chief technology officer", each way: a name in several words shares none with its short form."""
    for name, others in read_table("aliases")["anywhere"].items():
        forms = tuple(dict.fromkeys(words for one in (name, *others) if (words := _spell(one))))
        if any(len(form) > 1 for form in forms):
            for form in forms:
                yield Entry(form, tuple(other for other in forms if other != form))


def _spell(name: str) -> Words:
    words = name.replace(",", " ").lower().split()
    return frozenset(words) - _SMALL if all(any(map(str.isalpha, word)) for word in words) else frozenset()


_SMALL = frozenset({"of", "the", "and", "&"})


def _read_lines() -> Iterable[str]:
    text = "\n".join(map(str, read_table(TOLD).values()))
    return filter(None, map(str.strip, text.replace("\n    ", " ").split("\n")))


def _split(words: str) -> Words:
    return frozenset([key(word) if word in number_words() else word for word in words.strip().split("+")])


def _by_length(entry: Entry) -> int:
    return -len(entry.claimed)
