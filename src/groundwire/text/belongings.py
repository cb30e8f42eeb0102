"""What a text takes for granted that somebody has: "my sister Ana lives in Rome" says that there is a sister.

Whatever is said of it, the possessive presupposes it; but for what is gone or only thought of ("my late wife", "my
dream house", "if my brother were here", "my car was stolen").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.text.framing import words_for
from groundwire.text.propositions import content_lemmas
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER, name_subject
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.text.tokens import Token

_LONGEST = 600
_MOST_SENTENCES = 40
_ENDS = frozenset(",;:-.")


@dataclass(frozen=True, slots=True)
class Belonging:
    """Whose it is, what it is, and how it was described."""

    owner: str
    noun: str
    is_plural: bool
    described: frozenset[str]
    is_real: bool
    """It is there now, as far as the text tells."""


@lru_cache(maxsize=2048)
def find_belongings(text: str) -> tuple[Belonging, ...]:
    """Everything that the text calls somebody's own, in order."""
    found: list[Belonging] = []
    text = text.replace(" 's ", "'s ")  # as texts have it that were taken apart into words
    for sentence in split_sentences(text)[:_MOST_SENTENCES]:
        if len(sentence.text) <= _LONGEST:
            found.extend(_read_sentence(*share_tags(sentence.text)))
    return tuple(found)


def _read_sentence(tokens: list[Token], letters: str) -> list[Belonging]:
    quoted = '"' in letters
    found: list[Belonging] = []
    for i, letter in enumerate(letters):
        if letter not in "S'" or not i + 1 < len(tokens):
            continue
        owner = _read_owner(tokens, letters, i)
        end = i + 1
        while end < len(letters) and letters[end] in "JN#":
            end += 1
        if not owner or letters[end - 1 : end] != "N" or end == i + 1:
            continue
        head, before = tokens[end - 1], tokens[i + 1 : end - 1]
        described = frozenset(content_lemmas(before))
        unreal = quoted or any(token.low in _words("unreal") for token in _around(tokens, letters, i))
        real = not unreal and described.isdisjoint(_words("gone_words") | words_for("former_adjectives"))
        real = real and not _is_ended(tokens, letters, i, end)
        found.append(Belonging(owner, head.lemma, head.low != head.lemma, described, real))
    return found


def _around(tokens: list[Token], letters: str, at: int) -> list[Token]:
    """What stands before it in the sentence, and behind it in the same clause or after a "but"."""
    behind = next((i for i in range(at, len(letters)) if letters[i] in ";U"), len(letters))
    return [*tokens[:at], *tokens[at:behind]]


def _read_owner(tokens: list[Token], letters: str, at: int) -> str:
    """Of "my": the user; of a clitic: whom it stands behind; of "his": whom the sentence is about."""
    if letters[at] == "S":
        owner = name_subject([tokens[at]])
        return owner if owner == USER else _read_subject(tokens, letters, at)
    start = at
    while start and letters[start - 1] in "JNP":
        start -= 1
    if start and letters[start - 1] in "DS":
        start -= 1
    return name_subject(tokens[start:at]) if start < at else ""


def _read_subject(tokens: list[Token], letters: str, at: int) -> str:
    """The one whom a sentence begins with; nobody where it names another before the possessive."""
    subject = _SUBJECT.match(letters)
    if subject is None or subject.end() > at or _NAMED.search(letters, subject.end(), at) is not None:
        return ""
    return name_subject(tokens[: subject.end()])


_SUBJECT = re.compile(r"[DS]?J*[NP]+(?=[RVbhdM])")
_NAMED = re.compile("[Pp]")


def _is_ended(tokens: list[Token], letters: str, start: int, end: int) -> bool:
    """ "I sold my car", "my dog died", "my bike was stolen": the verb beside it in the same clause tells the end."""
    before = next((i for i in range(start - 1, -1, -1) if letters[i] in _ENDS), -1) + 1
    after = next((i for i in range(end, len(letters)) if letters[i] in ".;"), len(letters))
    verbs = [
        t.lemma for t, letter in zip(tokens[before:after], letters[before:after], strict=True) if letter in "VEBGJ"
    ]
    return not _words("ends").isdisjoint(verbs)


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("fact_words")["belongings"][kind])
