"""When a sentence has to be claimed as a whole, because its parts say less than it does, or something else.

"Nobody but Lea may sign", "Rarely does he call", "What you need is rest", "The fee is 50 euros if you cancel": taken
apart, these lose the word that restricts them, or their subject. What is lost would never be checked, so the sentence
itself is a claim then. Offers, orders, advice and doubts claim nothing, as a whole or in parts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.text.assertion import is_advice, is_talk, suggests
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.wellformed import find_pieces, loses_front
from groundwire.types import Sentence, SentenceKind

_LONGEST = 600
_SCARCELY = frozenset({"hardly", "barely", "scarcely"})
_CLOSING = "\"”’')]* "


def find_whole(sentence: Sentence, statements: Sequence[Statement]) -> list[Statement] | None:
    """The statements that stay beside a sentence which is claimed as a whole; None where it need not be."""
    pieces = find_pieces(sentence, statements)
    lost = loses_front(sentence, statements)
    if not pieces and not lost and not _may_lose(sentence.text, statements):
        return None
    if sentence.kind is SentenceKind.HEADING or len(sentence.text) > _LONGEST:
        return None
    if not sentence.text.rstrip(_CLOSING).endswith((".", "!")):
        return None
    if any(s.order or s.fragment or s.quoted or is_talk(s) for s in statements):
        return None
    if _INVERTED.match(sentence.text) is not None:
        return []
    if (condition := _conditions().search(sentence.text)) is not None:
        start = sentence.span.start + condition.start()
        return [s for s in statements if s.span.end <= start and not suggests(s)]
    if is_advice(sentence.text):
        return None
    if _loses(_denying(), sentence, statements):
        return []  # "There's nothing you can do": the parts would say the opposite
    kept = [s for s in statements if not s.adrift and not any(s is piece for piece in pieces)]
    if _is_rule(sentence, statements):
        return []
    if _NAMING.match(sentence.text) is not None and len(kept) < len(statements):
        return []  # "what you coach, twice a week, is the team": nothing of it is said of you
    if _loses_words(sentence, statements):
        return [s for s in kept if not _is_restricted(s, sentence)]  # "hardly anyone came" is not that anyone did
    return kept if lost or len(kept) < len(statements) else None


def _is_restricted(statement: Statement, sentence: Sentence) -> bool:
    """Whether a word that restricts it stands right before it, and not in it."""
    start = min((word.start for word in statement.words if word.end > word.start), default=0) - sentence.span.start
    before = _restricting().search(sentence.text, max(0, start - _REACH), start)
    return before is not None and not sentence.text[before.end() : start].strip()


_REACH = 24
_NAMING = re.compile(r"(?:What|Whom?|Where|Which)\b", re.IGNORECASE)


def _may_lose(text: str, statements: Sequence[Statement]) -> bool:
    """A quick look for a clause adrift, a condition, or a word that restricts: most sentences have none of them."""
    for statement in statements:
        if statement.adrift or statement.conditional:
            return True
    return not _triggers().isdisjoint(text.lower().split())


@cache
def _triggers() -> frozenset[str]:
    table = read_table("grammar")["wholeness"]
    phrases = [*table["restricting"], *table["conditions"], *_OPENERS]
    words = [max(phrase.split(), key=len) for phrase in phrases] + table["denials"]
    return frozenset(f"{word}{mark}" for word in words for mark in ("", ",", ".", ";"))


_OPENERS = ("never", "nowhere", "rarely", "seldom", "only", "sooner", "once", "nor", "neither", "so", "no", "until")
"""Words that may stand before a verb whose subject follows it."""


def _is_rule(sentence: Sentence, statements: Sequence[Statement]) -> bool:
    """ "The call returns null if the key is missing": what is so under a condition is said, and said of no other."""
    if not all(statement.conditional for statement in statements) or any(suggests(s) for s in statements):
        return False
    return not any(statement.about == USER and _is_speaker(statement) for statement in statements) and (
        _offers().search(sentence.text) is None
    )


def _is_speaker(statement: Statement) -> bool:
    return bool(statement.subject) and statement.subject[0].low in ("i", "we")


def _loses_words(sentence: Sentence, statements: Sequence[Statement]) -> bool:
    """Whether a word that restricts what is said is in none of the parts."""
    denied = any(statement.verb.negated for statement in statements)
    return _loses(_restricting(), sentence, statements, known=_SCARCELY if denied else frozenset())


def _loses(
    words: re.Pattern[str], sentence: Sentence, statements: Sequence[Statement], known: frozenset[str] = frozenset()
) -> bool:
    """`known` are those that were read as a denial: "it is hardly true that…"."""
    found = [match.start() for match in words.finditer(sentence.text) if match.group().lower() not in known]
    if not found:
        return False
    start = sentence.span.start
    told = [(word.start - start, word.end - start) for statement in statements for word in statement.words]
    return any(not any(first <= at < last for first, last in told) for at in found)


_INVERTED = re.compile(
    r"\W*(?:never|nowhere|no longer|rarely|seldom|hardly|scarcely|barely|not only|no sooner"
    r"|not once|nor|neither|so \w+"
    r"|only (?:then|later|now|recently|afterwards)|(?:under|at|in) no \w+|not until \w[\w ]{1,40}?"
    r"|only (?:on|in|at|by|with|after|when|if|then|once|during|through|from) [\w ]{1,40}?)"
    r" (?:do|does|did|have|has|had|is|are|was|were|can|could|may|might|must|will|would|shall|should)"
    r" (?:i|you|he|she|it|we|they|the|a|an|my|your|our|his|her|its|their|[A-Z]\w*|\w+s)\b",
    re.IGNORECASE,
)
"""The verb stands before its subject, behind a word that denies or limits."""


@cache
def _conditions() -> re.Pattern[str]:
    words = read_table("grammar")["wholeness"]["conditions"]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


@cache
def _restricting() -> re.Pattern[str]:
    words = read_table("grammar")["wholeness"]["restricting"]
    spoken = r"(?! so you know| a (?:quick |friendly )?(?:reminder|note))"
    return re.compile(rf"(?<!\bnot )\b(?:{'|'.join(words)})\b{spoken}", re.IGNORECASE)


@cache
def _denying() -> re.Pattern[str]:
    words = read_table("grammar")["wholeness"]["denying"]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)


@cache
def _offers() -> re.Pattern[str]:
    words = read_table("grammar")["wholeness"]["offers"]
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE)
