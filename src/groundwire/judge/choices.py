"""Evidence that leaves a choice open says none of the things it leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from groundwire.judge.findings import Finding
from groundwire.text import lexicon
from groundwire.text.tables import read_table
from groundwire.types import Passage, Verdict

PLAIN = re.compile(r"\w+")
JOINED_NOT = re.compile(r"n['’]t\b|(?<=\bcan)not\b", re.IGNORECASE)
_OPEN = 0.8
_WORDS = re.compile(r"\w[\w'’-]*|[,;:.!?()]")
_MARKS = frozenset(",;:.!?()")
_MOST_WORDS = 400


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["choice"][kind])


def find_alternative(claim: str, passage: Passage) -> Finding | None:
    """ "In Rome or Milan" does not say in Rome; "not in Rome or Milan" and "may pay by card or cash" say each."""
    if " or " not in passage.text:
        return None
    said = _content(claim)
    if "or" in said:
        return None
    for items, elsewhere in _find_choices(passage.text):
        taken = [item for item in items if item and item <= said and item.isdisjoint(elsewhere)]
        if taken and any(not item <= said for item in items):
            return Finding(Verdict.INSUFFICIENT, _OPEN, "one_of_several", passage.id)
    return None


@lru_cache(maxsize=2048)
def _content(text: str) -> frozenset[str]:
    return _lemmas(PLAIN.findall(text.lower()))


def _lemmas(words: Iterable[str]) -> frozenset[str]:
    """Without the words that carry nothing by themselves."""
    kept = [word for word in words if word not in _words("loose")]
    return frozenset([lexicon.verb_lemma(word) or lexicon.noun_lemma(word) for word in kept])


@lru_cache(maxsize=2048)
def _find_choices(text: str) -> tuple[tuple[tuple[frozenset[str], ...], frozenset[str]], ...]:
    """What "or" joins, with the words of the text outside of it."""
    found: list[tuple[tuple[frozenset[str], ...], frozenset[str]]] = []
    words = [word.lower() for word in _WORDS.findall(JOINED_NOT.sub(" not", text))][:_MOST_WORDS]
    for at, word in enumerate(words):
        if word != "or":
            continue
        start, end = _read_choice(words, at)
        if start == at or end == at + 1:
            continue
        items = tuple(map(_lemmas, _cut_items(words[start:end], at - start)))
        rest = _lemmas((*words[:start], *words[end:]))
        if len(items) > 1 and all(items):
            found.append((items, rest))
    return tuple(found)


def _read_choice(words: Sequence[str], at: int) -> tuple[int, int]:
    """From where to where a choice reaches; nothing where "or" opens none."""
    opening = next((i for i in range(at - 1, -1, -1) if words[i] in ".!?;"), -1) + 1
    closing = next((i for i in range(at + 1, len(words)) if words[i] in ".!?;"), len(words))
    after = words[at + 1] if at + 1 < closing else ""
    barred = not _words("scopes").isdisjoint(words[opening:at]) or (closing < len(words) and words[closing] == "?")
    if barred or not after or after in _words("degrees") or after in _MARKS or words[at - 1] == "more":
        return at, at + 1
    is_list = words[at - 1] == ","
    start = _walk_back(words, at - 2 if is_list else at - 1, opening)
    while start - 1 > opening and words[start - 1] == ",":
        earlier = _walk_back(words, start - 2, opening)
        if earlier == start - 1:
            break
        start, is_list = earlier, False
    if is_list:
        return at, at + 1  # "the aorta, or main artery,": another word for the same
    end, loose = at + 1, _words("loose")
    while end < closing and words[end] in loose:
        end += 1
    while end < closing and end <= at + 4 and words[end] not in _MARKS and words[end] not in loose:
        end += 1
    return start, end


def _walk_back(words: Sequence[str], at: int, opening: int) -> int:
    """Where the item begins that ends at a word: at most two words, none of them loose."""
    start, loose = at + 1, _words("loose")
    while start > opening and start > at - 1 and words[start - 1] not in _MARKS and words[start - 1] not in loose:
        start -= 1
    return start


def _cut_items(words: Sequence[str], at: int) -> Iterator[list[str]]:
    item: list[str] = []
    for i, word in enumerate(words):
        if i == at or word == ",":
            if item:
                yield item
            item = []
        else:
            item.append(word)
    yield item
