"""Noun phrases, and what follows a verb: objects, prepositional phrases, lists, appositions.

The grammar is regular expressions over the one-letter tags of `tokens`, so an index into the letters
is an index into the tokens.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from groundwire.text.tables import read_table
from groundwire.text.tokens import Token

_NOUN_PHRASE = re.compile(
    r"(?:(?:DS|[DS])?(?:R(?=[JE#])|(?<![NP])E(?=[#JNPG])|[#JNP@]|(?<![NP])G|(?<=[NPG])-(?=[NP#]))+(?:'(?:R(?=J)|E(?=[JNP])|[#JNPG@])+)*)|p|S|D(?!S)"
)
_NUMERIC_DATE = re.compile(r"\d{4}-\d{1,2}-\d{1,2}|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}")
_LIST_GLUE = re.compile(r",?C[DRn]?(?=[DS#JNPGE@p])|,(?=[DS#JNPGE@p])")


class Phrase:
    """A run of tokens, `start` and `end` index the sentence's token list."""

    __slots__ = ("classes", "end", "head", "letters", "negated", "start", "timely", "tokens")

    def __init__(self, tokens: list[Token], start: int, end: int) -> None:
        self.tokens = tokens
        self.start = start
        self.end = end
        self.letters = tokens[start].tag if end - start == 1 else "".join([token.tag for token in tokens[start:end]])
        self.head = start + _find_head(self.letters)
        self.negated = False
        self.timely: bool | None = None
        self.classes: frozenset[str] | None = None
        """Whether it names a time, and which word classes it belongs to, once somebody has asked."""

    def __iter__(self):  # type: ignore[no-untyped-def]
        return iter(self.tokens[self.start : self.end])

    def __bool__(self) -> bool:
        return self.end > self.start

    def extend(self, end: int) -> None:
        """Take in the tokens up to `end`: "Lisbon", "Portugal"."""
        self.end = end
        self.letters = "".join([token.tag for token in self.tokens[self.start : end]])
        self.timely = self.classes = None

    @property
    def first_token(self) -> Token:
        return self.tokens[self.start]

    @property
    def head_token(self) -> Token:
        return self.tokens[self.head]

    @property
    def span(self) -> tuple[int, int]:
        return self.tokens[self.start].start, self.tokens[self.end - 1].end

    def words(self) -> list[Token]:
        return self.tokens[self.start : self.end]


@lru_cache(maxsize=4096)
def _find_head(letters: str) -> int:
    """The last noun before "of"/"'s" business: "member of the team" → member, "Ada's dog" → dog."""
    head = 0
    for i, letter in enumerate(letters):
        if letter == "I" and (head or letters[0] in "NP"):
            break
        if letter in "NPp@" or (letter in "#JGES" and letters[head] not in "NP"):
            head = i
    return head


@cache
def time_nouns() -> frozenset[str]:
    return frozenset(read_table("grammar")["time"]["nouns"])


@cache
def time_openers() -> frozenset[str]:
    return frozenset(read_table("grammar")["time"]["openers"])


def is_time(phrase: Phrase) -> bool:
    """Does the phrase name a time ("last May", "2019", "every Friday evening", "6 pm")?"""
    if phrase.timely is None:
        phrase.timely = _names_time(phrase)
    return phrase.timely


def _names_time(phrase: Phrase) -> bool:
    head = phrase.head_token
    if head.tag == "P" and "#" in phrase.letters and any(t.tag == "#" and ":" in t.low for t in phrase.words()):
        return True
    if head.tag == "#":
        text = head.low
        return (
            _NUMERIC_DATE.fullmatch(text) is not None
            or text.endswith(("am", "pm", "a.m.", "p.m.", "0s"))
            or ":" in text
            or (len(text) == 4 and text.isdigit() and _may_be_year(text, alone=len(phrase.letters) == 1))
        )
    nouns = time_nouns()
    return head.lemma in nouns or head.low in nouns or head.low.rstrip("s") in nouns


def _may_be_year(digits: str, *, alone: bool) -> bool:
    """Years of long ago only where nothing else is counted: "in 1874", not "1874 tiles"."""
    return digits[:2] in ("19", "20") or (alone and "10" <= digits[:2] <= "18")


def match_noun_phrase(tokens: list[Token], letters: str, start: int, limit: int) -> Phrase | None:
    """The noun phrase that begins at `start`, with its "of" phrases."""
    found = _NOUN_PHRASE.match(letters, start, limit)
    if found is None or found.end() == start:
        return None
    end = found.end()
    if end - start > 1:
        end = _before_time(tokens, start, end)
    if letters[end - 1] in "DS" and end - start == 1 and end < limit and letters[end] in "DS#JNP":
        more = _NOUN_PHRASE.match(letters, end, limit)
        end = more.end() if more else end
    if (
        letters[end : end + 2] == ",#"
        and end + 1 < limit
        and letters[end - 1] == "#"
        and _is_year(tokens[end + 1])
        and "P" in letters[start:end]
    ):
        end += 2
    while end < limit - 1 and tokens[end].low == "of":
        inner = _NOUN_PHRASE.match(letters, end + 1, limit)
        if inner is None:
            break
        end = inner.end()
    return Phrase(tokens, start, end)


def _is_year(token: Token) -> bool:
    return len(token.text) == 4 and token.text.isdigit() and token.text[:2] in ("18", "19", "20")


def _before_time(tokens: list[Token], start: int, end: int) -> int:
    """ "a job last autumn": the time is a phrase of its own."""
    if tokens[start + 1].tag == "P" and _is_year(tokens[start]):
        return start + 1
    for i in range(start + 1, end - 1):
        if tokens[i].low in _TIME_DETERMINERS and tokens[i + 1].lemma in time_nouns():
            return i
    return end


_TIME_DETERMINERS = frozenset({"last", "next", "this", "every"})


def start_list() -> list[Any]:
    """An empty list for a field of any type: `list[Phrase]` as a factory takes several times as long."""
    return []


@dataclass(slots=True)
class Modifier:
    """A prepositional phrase, or a bare time adverbial (`preposition` empty)."""

    preposition: str
    phrases: list[Phrase]
    start: int
    end: int


class Complement:
    """What follows a verb group, in order of appearance."""

    __slots__ = (
        "adverbs", "appositions", "aside", "contrast", "end", "gerund", "infinitive", "modifiers", "objects",
        "reduced", "second",
    )  # fmt: skip

    def __init__(self, end: int = 0) -> None:
        self.objects: list[Phrase] = []
        self.second: list[Phrase] = []
        self.modifiers: list[Modifier] = []
        self.appositions: list[tuple[Phrase, Phrase]] = []
        self.reduced: list[tuple[Phrase, int, int]] = []
        self.adverbs: list[Token] = []
        self.infinitive: tuple[int, int] | None = None
        self.gerund: tuple[int, int] | None = None
        """A clause without a subject: "after switching from MongoDB"."""
        self.aside: tuple[int, int] | None = None
        """A comment on how the value came about: ", up from 3.0"."""
        self.contrast: tuple[int, int] | None = None
        """What is denied at the end: "in Malmö, not in Lund"."""
        self.end = end

    def last_phrase(self) -> Phrase | None:
        candidates = [*self.objects, *self.second, *(p for m in self.modifiers for p in m.phrases)]
        return max(candidates, key=lambda p: p.end, default=None)


def read_complement(tokens: list[Token], letters: str, start: int, limit: int) -> Complement:
    """Objects, modifiers and appositions between `start` and `limit`."""
    found = Complement(limit)
    i = start
    while i < limit:
        letter = letters[i]
        if letter in "It" and i + 1 < limit:
            i = _read_prepositional(tokens, letters, i, limit, found)
        elif letter in "DS#JNPGEp@":
            i = _read_object(tokens, letters, i, limit, found)
        elif letter == "," and i + 2 < limit and _tells_change(tokens, letters, i + 1):
            found.aside = (i + 1, limit)
            break
        elif letter in ",:C" and i + 1 < limit:
            i = _read_after_comma(tokens, letters, i, limit, found)
        elif letter == "n" and i > start and letters[i - 1] in ",C" and i + 1 < limit:
            found.contrast = (i + 1, limit)
            break
        else:
            if letter == "R":
                found.adverbs.append(tokens[i])
            i += 1
    return found


_CHANGE_OPENERS = frozenset({"up", "down", "formerly", "previously", "originally", "initially", "earlier"})
_CHANGE_VERBS = frozenset(
    """
    update change upgrade move switch promote rename raise lower revise correct downgrade replace
    """.split()  # noqa: SIM905
)


def _tells_change(tokens: list[Token], letters: str, i: int) -> bool:
    """ ", updated from …", ", up from …", ", formerly …"."""
    if tokens[i].low in _CHANGE_OPENERS or tokens[i].low in ("how", "what", "so"):
        return True
    return letters[i] in "EV" and tokens[i].lemma in _CHANGE_VERBS and tokens[i + 1].low in ("from", "to")


def _read_list(tokens: list[Token], letters: str, first: Phrase, limit: int) -> tuple[list[Phrase], int]:
    """The members of a list that begins with `first`: "a tent, a stove and two lamps"."""
    members, end = [first], first.end
    conjoined = "C" in letters[first.end : limit]
    while end < limit:
        glue = _LIST_GLUE.match(letters, end, limit)
        if glue is None or (letters[end] == "," and not conjoined):
            break
        begin = glue.end()
        if begin > end + 1 and letters[begin - 1] in "Dn" and tokens[begin - 1].low not in ("not", "never"):
            begin -= 1
        if letters[end] == "," and "C" not in letters[end:limit]:
            break
        phrase = match_noun_phrase(tokens, letters, begin, limit)
        if phrase is None:
            break
        if phrase.letters == "p" and tokens[phrase.start].low in ("i", "he", "she", "we", "they"):
            break
        if _names_members(first, phrase) or is_time(first) != is_time(phrase) or _is_other_kind(first, phrase):
            break
        if letters[phrase.end : phrase.end + 1] == "W" and letters[end] == "C" and len(members) == 1:
            break
        phrase.negated = "n" in letters[end:begin]
        members.append(phrase)
        end = phrase.end
    return members, end


def _is_other_kind(first: Phrase, other: Phrase) -> bool:
    """ "in Tuscany, two horses": a place and things do not make one list."""
    return first.letters.strip("P") == "" and other.letters[0] in "D#S" and other.head_token.tag == "N"


def _names_members(group: Phrase, member: Phrase) -> bool:
    """ "two children, Anouk and Timo": the names say who the children are."""
    counted = group.letters[0] in "#S" or "#" in group.letters
    return counted and group.letters[-1] == "N" and member.letters.strip("P") == ""


def _read_prepositional(tokens: list[Token], letters: str, i: int, limit: int, found: Complement) -> int:
    if letters[i] == "t" and letters[i + 1] in "Bbhd":
        found.infinitive = (i, limit)
        return limit
    if letters[i] == "t" and letters[i + 1] in "Rn" and i + 2 < limit and letters[i + 2] in "Bbhd":
        found.infinitive = (i, limit)
        return limit
    if letters[i + 1] == "G" and tokens[i].low in ("after", "before", "since") and i + 2 < limit:
        found.gerund = (i, _boundary(letters, i + 1, limit))
        return found.gerund[1]
    phrase = match_noun_phrase(tokens, letters, i + 1, limit)
    step = i + 1
    while phrase is None and step < limit - 1 and letters[step] in "IR" and step - i < 3:
        step += 1
        phrase = match_noun_phrase(tokens, letters, step, limit)
    if phrase is None:
        return i + 1
    if phrase.letters == "#" and [t.low for t in tokens[phrase.end : phrase.end + 2]] == ["in", "the"]:
        part = tokens[phrase.end + 2].low if phrase.end + 2 < limit else ""
        if part in ("morning", "afternoon", "evening"):
            phrase.extend(phrase.end + 3)
    members, end = _read_list(tokens, letters, phrase, limit)
    words = " ".join(token.low for token in tokens[i:step] if token.tag != "R") or tokens[i].low
    if step == i + 1:
        words = tokens[i].low
    found.modifiers.append(Modifier(words, members, i, end))
    return end


def _read_object(tokens: list[Token], letters: str, i: int, limit: int, found: Complement) -> int:
    if letters[i] == "E" or (letters[i] == "G" and i and letters[i - 1] in "NP"):
        previous = found.last_phrase()
        phrase = match_noun_phrase(tokens, letters, i, limit)
        if phrase is None and previous is not None and previous.end >= i - 1:
            end = _boundary(letters, i + 1, limit)
            if tokens[i].lemma in ("call", "name"):
                name = match_noun_phrase(tokens, letters, i + 1, limit)
                end = name.end if name is not None else end
            found.reduced.append((previous, i, end))
            return end
        if phrase is None:
            return i + 1
    phrase = match_noun_phrase(tokens, letters, i, limit)
    if phrase is None:
        return i + 1
    members, end = _read_list(tokens, letters, phrase, limit)
    if is_time(phrase) and (
        found.objects or found.modifiers or tokens[phrase.start].low in time_openers() - {"the", "a", "an"}
    ):
        found.modifiers.append(Modifier("", members, i, end))
    elif not found.objects:
        found.objects = members
    elif found.reduced and letters[i - 1] in "C," and not found.modifiers:
        found.objects = [*found.objects, *members]
    elif not found.second and not found.modifiers:
        found.second = members
    else:
        found.modifiers.append(Modifier("", members, i, end))
    return end


def _boundary(letters: str, start: int, limit: int) -> int:
    for i in range(start, limit):
        if letters[i] in ",;.:-":
            return i
    return limit


def _continues_list(letters: str, phrase: Phrase, i: int, limit: int) -> bool:
    """ "a vineyard in Tuscany, two horses and a tractor" has three objects."""
    listed = letters[i] == "C" or "C" in letters[phrase.end : limit]
    return listed and phrase.letters[0] in "D#" and phrase.head_token.tag == "N" and not is_time(phrase)


def _read_after_comma(tokens: list[Token], letters: str, i: int, limit: int, found: Complement) -> int:
    """ ", a designer from Oslo" describes the name before it; anything else after a comma is read on."""
    previous = found.last_phrase()
    running = letters[i : i + 2] == ",G" and i + 2 < limit and letters[i + 2] in "ItDSpNP#"
    if running and previous is not None and previous.letters[-1] != "G" and found.gerund is None:
        found.gerund = (i, _boundary(letters, i + 1, limit))
        return found.gerund[1]
    phrase = match_noun_phrase(tokens, letters, i + 1, limit)
    if phrase is not None and found.objects and found.modifiers and _continues_list(letters, phrase, i, limit):
        members, end = _read_list(tokens, letters, phrase, limit)
        found.objects = [*found.objects, *members]
        return end
    if phrase is not None and previous is not None and previous.end == i and _names_members(previous, phrase):
        members, end = _read_list(tokens, letters, phrase, limit)
        found.appositions.extend((previous, member) for member in members)
        return end
    if phrase is not None and previous is not None and previous.end == i and "C" not in letters[i:limit]:
        place = letters[i + 1] == "P" and previous.head_token.tag == "P" and phrase.letters.strip("P") == ""
        if place:
            previous.extend(phrase.end)
            return phrase.end
        if not is_time(phrase) and phrase.letters != "p":
            end = phrase.end
            while end < limit and letters[end] in "It":
                inner = match_noun_phrase(tokens, letters, end + 1, limit)
                if inner is None:
                    break
                end = inner.end
            found.appositions.append((previous, Phrase(tokens, phrase.start, end)))
            return end
    return i + 1
