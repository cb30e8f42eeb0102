"""What stands before a subject and limits what is said: "ten years ago you…", "at work you…", "sometimes you…"."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from groundwire.text.clefts import Clause
from groundwire.text.function_words import word_group
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.subjects import render
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.types import Span


@dataclass(frozen=True, slots=True)
class Front:
    """`told` are the stretches that go with the claim, in their own words; `adverbs` those that qualify the verb."""

    span: Span
    told: tuple[str, ...]
    adverbs: tuple[Token, ...]


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["openings"][kind])


def read_front(clause: Clause, tokens: list[Token], focus: list[Token]) -> Front | None:
    """None where nothing stands before the subject, or the subject is another clause's."""
    if clause.shared_subject or clause.cleft or not clause.subjects:
        return None
    start, end = clause.start, clause.subjects[0].start - len(focus)
    if start >= end:
        return None
    while start < end and (
        tokens[start].tag in ',;:-"C' or (tokens[start].tag == "U" and not _opens(clause, tokens, start))
    ):
        start += 1
    if start >= end or clause.subjects[0].tokens is not tokens:
        return None
    told: list[str] = []
    adverbs: list[Token] = []
    begin = start
    for i in range(start, end + 1):
        if i < end and tokens[i].tag not in ",;:-":
            continue
        part = tokens[begin:i]
        if part and _limits(clause, tokens, begin, i):
            text = render(part)
            named = part[0].tag == "P" or part[0].low == "i"
            told.append(text if named else f"{text[:1].lower()}{text[1:]}")
            adverbs += [token for token in part if token.tag in "RJ" and token.low in _words("adverbs")]
        begin = i + 1
    return Front(Span(tokens[start].start, tokens[end - 1].end), tuple(told), tuple(adverbs))


_SINCE = frozenset({"since", "after", "before", "until", "till"})


def _opens(clause: Clause, tokens: list[Token], start: int) -> bool:
    """ "Because of the strike", "once a year": no conjunction."""
    after = tokens[start + 1].low if start + 1 < len(tokens) else ""
    if not start and tokens[start].low in _SINCE and any(phrase.start == start + 1 for _, phrase in clause.openings):
        return True  # "since your operation"
    return after == "of" or (tokens[start].low == "once" and after in ("a", "an", "every", "per"))


def _limits(clause: Clause, tokens: list[Token], begin: int, end: int) -> bool:
    """Whether a stretch says when, where, how often or with what; the first phrase in it decides."""
    first, last, closed = tokens[begin], tokens[end - 1], tokens[end].tag
    if (
        first.low in ("good", "happy")
        or closed == ":"
        or (closed == "," and end == begin + 1 and first.low in _words("loose"))
    ):
        return False
    inside = [(how, phrase) for how, phrase in clause.openings if begin <= phrase.start < end]
    if inside:
        how, phrase = inside[0]
        if not begin and first.low in _SINCE and phrase.start == begin + 1:
            return True
        if how in _words("dating") and phrase.first_token.low == "that":
            return True
        if how:
            return is_time(phrase) or is_circumstance(how, phrase)
        return is_time(phrase) or (phrase.letters == "J" and first.low in _words("adverbs"))
    if last.low == "ago" or (first.low in _words("dating") and last.low in ("then", "that", "now")):
        return True
    known = [token for token in tokens[begin:end] if token.low in _words("adverbs")]
    return bool(known) and end - begin <= _SHORT and not any(token.tag in "DNP" for token in tokens[begin:end])


_SHORT = 5


@cache
def _speaking() -> tuple[frozenset[str], frozenset[str]]:
    grammar = read_table("grammar")
    table = grammar["openings"]
    empty = [
        *table["empty"],
        *grammar["details"]["empty"],
        *grammar["talk"]["subjects"],
        *word_group("ways_of_speaking"),
    ]
    return frozenset(empty), frozenset(table["joining"])


def is_circumstance(preposition: str, opening: Phrase) -> bool:
    """ "For the conference you…", "at work you…" limit what is said; "in short", "per your notes" are talk."""
    empty, joining = _speaking()
    words = opening.words()
    if preposition in joining or all(token.tag not in "NP#@G" for token in words):
        return False
    head = next((words[i - 1] for i, token in enumerate(words) if token.tag == "I" and i), words[-1])
    labels = opening.end < len(opening.tokens) and opening.tokens[opening.end].tag == ":"  # "for the form: …"
    if labels or words[0].low in ("what", "which", "whatever"):
        return False
    return words[0].low not in ("this", "that") and empty.isdisjoint((head.lemma, head.low))
