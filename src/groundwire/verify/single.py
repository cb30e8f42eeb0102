"""Parts of a statement of which there is one at a time, whatever they are parts of.

A fact has one value, the first that its statement tells. "I keep my passport in the safe" says more: where it is kept,
and it is kept in one place. Two memories that say the same but for such a part contradict each other, and grammar tells
which parts these are: what a definite thing is, the place where it is, the hour, what is told as the only one. What is
told of "a" thing, or of several, or of what can be done to many ("the bus stops at the library"), is none of them.
"""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.judge.encoder import Recent
from groundwire.text.framing import words_for
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma
from groundwire.text.membership import class_words
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.subjects import USER, may_be_person
from groundwire.text.tagging import share_tags
from groundwire.text.values import normalise
from groundwire.types import ExtractedFact, Span, Tense

_PART = "part"
_ALONE = re.compile(
    r"\b(?:only|solely|exclusively|(?:once|one time) (?:a|an|each|every|per|in a) [a-z]+)\b", re.IGNORECASE
)
_NEVER_ELSE = frozenset({"always", "invariably"})
_AMONG_OTHERS = frozenset(
    {"also", "too", "sometimes", "often", "occasionally", "frequently", "partly", "mostly", "mainly"}
)
_SOME = frozenset(
    [
        "a",
        "an",
        "some",
        "any",
        "every",
        "each",
        "another",
        "many",
        "few",
        "several",
        "no",
        "most",
        "all",
        "both",
        "other",
        "more",
        "one",
        "two",
        "three",
        "four",
    ]
)
_PLACES = frozenset({"in", "at", "on", "under", "behind", "inside", "above", "below"})
_HOURS = frozenset({"at", "on", "in", "from", "until", "till", "by", "for", "to"})
_COUNTED = frozenset({"week", "month", "year", "day", "time", "fortnight", "quarter", "term"})
_SEVERAL_DAYS = re.compile(r"(?i)\b(?:[a-z]+days|weekends|mornings|afternoons|evenings|nights)\b")
_WORD = re.compile(r"[\w'’-]+")


_KNOWN: Recent[str, tuple[ExtractedFact, ...]] = Recent(8192)
"""Memories are made ready for every answer, and say the same each time; no catalogue has a say in their parts."""
_LONGEST_KEPT = 2_000


def list_single_parts(reading: Reading) -> tuple[ExtractedFact, ...]:
    """Those of a whole text."""
    known = _KNOWN.get(reading.text)
    if known is None:
        known = tuple([part for read in reading.claims for part in find_single_parts(read, reading.text)])
        if len(reading.text) <= _LONGEST_KEPT:
            _KNOWN.put(reading.text, known)
    return known


def find_single_parts(read: ReadClaim, text: str) -> tuple[ExtractedFact, ...]:
    """The parts of a claim that have no other beside them, each as a fact; `text` is what the claim stands in."""
    said = read.proposition
    if read.is_note or read.claim.hedged or said.is_fragment or said.negated or said.aspect or said.ended:
        return ()
    if said.tense is Tense.PAST or said.modal not in ("", "will") or not _AMONG_OTHERS.isdisjoint(said.adverbs):
        return ()
    if not said.arguments or not _is_one(read.claim.subject):
        return ()
    told = [argument for argument in said.arguments if not _is_frequency(argument)]
    found = [
        _as_fact(read, argument, [other for other in told if other is not argument], text)
        for argument in told
        if _is_single(read, argument, told, text)
        or (_is_definite(argument, text) and not _NEVER_ELSE.isdisjoint(said.adverbs))
        or (argument is told[-1] and not _is_some(argument, text) and _ALONE.search(read.claim.text) is not None)
    ]
    holder = _find_held(read, told, text)
    return (*found, holder) if holder is not None else tuple(found)


def _as_fact(read: ReadClaim, argument: Argument, others: list[Argument], text: str) -> ExtractedFact:
    said = read.proposition
    beside = sorted(f"{o.role if o.role != 'object' else ''} {' '.join(o.lemmas)}".strip() for o in others)
    role = "" if argument.role == "object" else f"{argument.role} when" if argument.is_time else argument.role
    slot = " ".join(filter(None, [said.predicate, *beside, role]))
    span, raw = argument.span, argument.text
    if text[span.end : span.end + 2] in ("'s", "’s"):  # "St Hilda's"
        span, raw = Span(span.start, span.end + 2), raw + text[span.end : span.end + 2]
    return _make(said.subject, slot, raw, read, span)


def _make(subject: str, slot: str, raw: str, read: ReadClaim, span: Span) -> ExtractedFact:
    return ExtractedFact(subject, slot, normalise(raw), raw, read.claim.span, span, _PART, exclusive=True)


def _is_frequency(argument: Argument) -> bool:
    """ "once a week" tells how often, and is a part of nothing."""
    return argument.role in ("object", "when", "per") and argument.is_time and not _COUNTED.isdisjoint(argument.lemmas)


# ── what it is said of ──────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def _is_one(subject: str) -> bool:
    """The user, somebody or something by name, or "the", "my", "this" thing; not "a friend of mine", "tests"."""
    tokens = share_tags(subject)[0]
    if not tokens or tokens[0].low in _SOME:
        return False
    first = tokens[0]
    if first.tag == "P" or first.low in (
        "i",
        "we",
        "you",
        "user",
        "user's",
        "the",
        "this",
        "that",
        "our",
        "my",
        "your",
    ):
        return True
    if first.tag == "N" and len(tokens) == 1:
        return first.low == first.lemma  # "payroll"
    return first.tag in "SD" or any(token.low in ("'s", "’s") for token in tokens)


def _heads(said: Proposition) -> tuple[str, str]:
    """The noun of the subject as it is written and its lemma, before any part of its own: "colour" of the door."""
    words = said.subject.removeprefix(f"{USER}'s ").split()
    end = next((i for i, word in enumerate(words) if i and closed_classes().get(word.lower(), "") == "I"), len(words))
    low = words[end - 1].lower() if words else ""
    return low, noun_lemma(low)


def _is_thing(said: Proposition) -> bool:
    """One thing: neither somebody nor several."""
    low, lemma = _heads(said)
    return said.subject != USER and low == lemma and not may_be_person(low) and low not in words_for("single.many")


# ── what is said of it ──────────────────────────────────────────────────────────────────────────────


def _is_single(read: ReadClaim, argument: Argument, told: list[Argument], text: str) -> bool:
    said = read.proposition
    if _is_some(argument, text):
        return False
    if argument.is_time:
        if _SEVERAL_DAYS.search(argument.text) is not None:
            return False  # open on Mondays, and on Saturdays as well
        timed = said.predicate in words_for("one_valued") or said.predicate in words_for("placed.timed")
        return timed and argument.role in _HOURS and _is_thing(said)
    if argument.role == "by":
        done = said.passive or (said.predicate == "be" and not argument.text.islower())  # "is run by Jenkins"
        return done and said.subject != USER and _is_definite(argument, text)
    if argument.role == "object":
        return said.predicate == "be" and len(told) == 1 and _is_identity(read, argument, text)
    if said.predicate == "be" or said.predicate in words_for("gatherings"):
        spoken = argument.role == "in" and argument.text.lower() in class_words("language")
        return argument.role in _PLACES and _is_thing(said) and _is_definite(argument, text) and not spoken
    if said.predicate in words_for("placed.dwelling") and len(told) == 1:
        return argument.role in _PLACES and _is_definite(argument, text)
    return _is_custom(said, argument, told) or _is_kept(said, argument, told, text)


def _is_identity(read: ReadClaim, argument: Argument, text: str) -> bool:
    """ "The default branch of the repo is trunk", and neither "my car is blue" nor "the festival is fun"."""
    said = read.proposition
    if not _is_thing(said) or not _is_qualified(read):
        return False
    tags = {token.low: token.tag for token in share_tags(text)[0]}
    words = _WORD.findall(argument.text.lower())
    noun = bool(words) and any(tags.get(word, "") in ("N", "P", "#") for word in words)
    return noun or (_heads(said)[1] in words_for("attributes") and bool(words))


def _is_qualified(read: ReadClaim) -> bool:
    """ "my job title", "the colour of the door": it says which one it is, as "my medication" does not."""
    return len(read.proposition.subject_lemmas) > 1


def _is_custom(said: Proposition, argument: Argument, told: list[Argument]) -> bool:
    """ "I bank with Monzo", "she goes to school at Hillside": one is with one of a kind."""
    if argument.text.islower():
        return False
    if said.passive:
        return f"{said.predicate} {argument.role}" in words_for("customs.members")
    if f"{said.predicate} {argument.role}" in words_for("customs.always"):
        return True
    visits = said.predicate == "go" and argument.role in ("at", "in")
    return visits and any(o.role == "to" and not words_for("customs.institutions").isdisjoint(o.lemmas) for o in told)


def _is_kept(said: Proposition, argument: Argument, told: list[Argument], text: str) -> bool:
    """ "I keep my passport in the safe", "he has his practice in Elm Street": where one's own thing is."""
    thing = next((other for other in told if other.role == "object"), None)
    if thing is None or thing is argument or said.passive or not _is_definite(thing, text):
        return False
    owned = closed_classes().get(thing.text.split()[0].lower(), "") == "S"
    if said.predicate == "have":
        return owned and argument.role in (*_PLACES, "with") and _is_definite(argument, text)
    placed = said.predicate in words_for("placed.participles") and argument.role in words_for("placed.prepositions")
    return placed and len(told) == 2


def _find_held(read: ReadClaim, told: list[Argument], text: str) -> ExtractedFact | None:
    """ "Ragnhild runs the design team": a thing is in one pair of hands."""
    said = read.proposition
    if (
        said.predicate not in words_for("single.holding")
        or said.passive
        or len(told) != 1
        or not said.subject.istitle()
    ):
        return None
    thing = told[0]
    definite = thing.role == "object" and _is_definite(thing, text) and not thing.is_name
    start = read.claim.span.start
    if not definite or text[start : start + len(said.subject)] != said.subject:
        return None
    return _make(thing.text, f"{said.predicate} by", said.subject, read, Span(start, start + len(said.subject)))


def _is_definite(argument: Argument, text: str) -> bool:
    """A name, a number, "the" or somebody's thing."""
    first = argument.text.split()[0].lower() if argument.text else ""
    if argument.is_name or any(map(str.isdigit, argument.text)) or "'s" in argument.text or "’s" in argument.text:
        return True
    return closed_classes().get(first, "") == "S" or _before(argument, text) in ("the", "this", "that")


def _is_some(argument: Argument, text: str) -> bool:
    first = argument.text.split()[0].lower() if argument.text else ""
    return first in _SOME or _before(argument, text) in _SOME


def _before(argument: Argument, text: str) -> str:
    """The word before the part: its article, where it has one."""
    words = text[max(0, argument.span.start - 24) : argument.span.start].split()
    return words[-1].lower() if words else ""
