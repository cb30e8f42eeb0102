"""Clauses that were read without the one they stand in, and stretches that end before their sentence does.

"Your phone knows where you live" is not that you live, "you let Priya have your notes" not that she has them,
"fails more often than the first one did" nothing of the first one. Where a grammar of clauses has kept the inner one
alone, or has cut a sentence where it goes on, the sentence itself is the better claim. What somebody merely reports
("you mentioned that you play the cello") is told by the inner clause, as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from groundwire.text.clefts import Role
from groundwire.text.statements import Statement
from groundwire.text.subjects import is_relation
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.text.tokens import Token
from groundwire.types import Sentence

_VERBS = frozenset("VbhdMBE")
_SPEAKERS = frozenset({"i", "we", "me", "us"})
_SUBJECT = frozenset("pSDJNP#'R")
_FEWEST = 2
_GOES_ON = frozenset("NPJD#pSRVBbhMd")


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["hollow"][kind])


def is_hollow(statement: Statement, sentence: Sentence, statements: Sequence[Statement]) -> bool:
    """Whether it is a clause inside another that says more than that it is told, and that no statement tells."""
    if statement.role is not Role.EMBEDDED or statement.attributed:
        return False
    tokens, letters = share_tags(sentence.text)
    own = [word.start for word in statement.verb_words if word.end > word.start]
    place = min(own, default=0) - sentence.span.start
    begin = next((i for i, token in enumerate(tokens) if token.start >= place), 0)
    while begin and letters[begin - 1] in _SUBJECT:
        begin -= 1
    front = tokens[:begin]
    verb = next((i for i in range(len(front) - 1, -1, -1) if front[i].tag in _VERBS), 0)
    if not verb or _is_told(front[verb], sentence, statements):
        return False
    return _says_more(front, verb)


def _says_more(front: Sequence[Token], verb: int) -> bool:
    joint, subjects, between = front[-1].low, front[:verb], [token.low for token in front[verb + 1 :]]
    if joint in _words("comparing"):
        return True
    if not _SPEAKERS.isdisjoint(token.low for token in subjects) or front[verb].low == "let's":
        return False
    if joint in _words("asking"):
        return front[verb].tag != "b"  # "Graz is where you live"
    if verb == len(front) - 1 and front[verb].lemma in _words("causing"):
        return True
    if "it" in between or front[verb].tag in "bd":
        return "it" in between
    told_to = bool(set(between) - {"that"}) and _SPEAKERS.isdisjoint(between)
    if subjects[-1].low == "you" and front[verb].lemma in _words("telling"):
        return told_to and front[verb].low == front[verb].lemma  # "you tell everybody that", not "you told me that"
    return front[verb].lemma in _words("believing") and is_relation(subjects[-1].lemma)


def _is_told(token: Token, sentence: Sentence, statements: Sequence[Statement]) -> bool:
    at = token.start + sentence.span.start
    return any(word.start <= at < word.end for statement in statements for word in statement.words)


def is_cut_short(statement: Statement, sentence: Sentence, statements: Sequence[Statement]) -> bool:
    """Whether its last word is followed by one that belongs to it: "by the time Dorsch | failed", "as far | as"."""
    words = [word for word in statement.words if word.end > word.start]
    if len(statement.words) < _FEWEST:
        return False
    if len(words) < len(statement.words):
        return _ends_with_participle(statement, sentence)
    starts = [word.start - sentence.span.start for word in words]
    tokens = share_tags(sentence.text)[0]
    between = [token for token in tokens if starts[0] <= token.start <= starts[-1]]
    if starts != sorted(starts) or len(between) != len(words):
        return False
    after = next((token for token in tokens if token.start > starts[-1]), None)
    if after is None or words[-1].end - sentence.span.start + 1 < after.start:
        return False
    if after.tag == "E":  # what describes a thing has more behind it: "a mill built by monks"
        return after is [token for token in tokens if token.tag not in ".!"][-1]
    if after.tag in _SUBJECT and _is_told(after, sentence, statements):
        return False  # "it's a boat | you own"
    return after.tag in _GOES_ON or (after.low in ("as", "though") and words[-1].tag in "RJ")


def is_dated_by_clause(statement: Statement, sentence: Sentence) -> bool:
    """ "Since the day she was born": no day on which she was born."""
    front = statement.front
    if front is None or front.span.start <= sentence.span.start:
        return False
    before = sentence.text[: front.span.start - sentence.span.start].split()
    return bool(before) and before[-1].lower() in ("since", "until", "till", "from", "by", "before", "after")


def _ends_with_participle(statement: Statement, sentence: Sentence) -> bool:
    """ "The time Dorsch is failed": a participle that describes what stands before it has more behind it."""
    first, *front, last = statement.words
    inserted = bool(front) and front[-1].end == front[-1].start and front[-1].tag == "b"
    if not inserted or last.tag != "E" or last.low.endswith("ing"):
        return False
    before = sentence.text[: first.start - sentence.span.start].split()
    return not before or before[-1].lower() not in ("with", "without")  # "with lunch provided"
