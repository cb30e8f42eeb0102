"""States that rule out what is said beside them: a bachelor's wife, the fee for what is free."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.inflection import plural
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.types import ContradictionType, Span

EXCLUDED = 0.80
_REACH = 2
_LONGEST = 300
_DENIED = re.compile(
    r"\b(?:no|not|never|without|neither|nor|none|nobody|nothing|cannot|except|unless|if|whether|former|formerly|late|until|once|would|could|might|may\s+be|instead|rather"
    r"|used\s+to|ex|other|another|else|if|or|almost|nearly|hardly|barely|become|became|like|called|wants?|wish(?:es)?|hopes?|replace[ds]?|avoid|free)\b|n't\b|-free\b|\?"
)
_LINKS = frozenset(
    {
        "it",
        "its",
        "he",
        "his",
        "she",
        "her",
        "him",
        "they",
        "their",
        "them",
        "there",
        "you",
        "we",
        "this",
        "that",
        "these",
        "those",
        "whose",
        "who",
    }
)


@cache
def _rows() -> tuple[tuple[str, re.Pattern[str], re.Pattern[str], bool], ...]:
    found: list[tuple[str, re.Pattern[str], re.Pattern[str], bool]] = []
    for row in read_table("exclusions", "detect")["states"]:
        states, words = (
            _either(row["states"]),
            _either([form for word in row["words"] for form in (word, plural(word))]),
        )
        found.append(
            (row["states"][0], re.compile(rf"\b{states}\b"), re.compile(rf"\b{words}\b(?!-)"), bool(row.get("close")))
        )
    return tuple(found)


def _either(words: Sequence[str]) -> str:
    ordered = sorted(set(words), key=len, reverse=True)
    return "(?:" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in ordered) + ")"


@cache
def _any_state() -> re.Pattern[str]:
    states = [state for row in read_table("exclusions", "detect")["states"] for state in row["states"]]
    return re.compile(rf"\b{_either(states)}\b")


def names_state(low: str) -> bool:
    return _any_state().search(low) is not None


def find_excluded(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """Each state, and the words it rules out behind it: in its sentence, or in the two that go on about it."""
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or not _any_state().search(seen.low):
            continue
        for name, state, words, is_close in _rows():
            match = state.search(seen.low)
            if match is None or _DENIED.search(seen.low[: match.start()].split(";")[-1]) or _is_quoted(seen, match):
                continue
            clash = _look_behind(seen, match, words, name)
            if clash is None and not is_close:
                clash = _look_on(seen, sightings[place + 1 : place + 1 + _REACH], words, name)
            if clash is not None:
                yield clash


def _is_quoted(seen: Sighting, match: re.Match[str]) -> bool:
    return seen.is_quoted(Span(seen.start + match.start(), seen.start + match.end()))


def _look_behind(seen: Sighting, state: re.Match[str], words: re.Pattern[str], name: str) -> Clash | None:
    """ "is a lifelong bachelor; his wife drives"."""
    found = words.search(seen.low, state.end())
    if found is None:
        return None
    between = seen.low[state.end() : found.start()]
    tail = re.match(r"[^.,;:]*", seen.low[found.end() :])
    after = tail.group() if tail else ""
    if _DENIED.search(between) or _DENIED.search(after[:40]) or not _LINKS & set(re.findall(r"[a-z]+", between)):
        return None
    return Clash(
        seen.segment.span, None, EXCLUDED, ContradictionType.LOGICAL_IMPOSSIBILITY, f"{name} rules out {found.group()}"
    )


def _look_on(seen: Sighting, following: Sequence[Sighting], words: re.Pattern[str], name: str) -> Clash | None:
    for other in following:
        found = words.search(other.low) if len(other.low) <= _LONGEST else None
        if found is None or _DENIED.search(other.low) or other.is_question or not _goes_on(seen, other):
            continue
        if not read_logic("turns").isdisjoint(other.words - {"there", "other", "now"}):
            continue
        evidence = f"{name} rules out {found.group()}"
        return Clash(other.segment.span, seen.segment.span, EXCLUDED, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)
    return None


def _goes_on(seen: Sighting, other: Sighting) -> bool:
    """It speaks of the same: by a pronoun, or by a noun of the first sentence."""
    if not _LINKS.isdisjoint(other.words):
        return True
    nouns = {noun_lemma(t.low) for t, letter in zip(seen.tokens, seen.letters, strict=True) if letter in "NP"}
    return bool(
        nouns & {noun_lemma(t.low) for t, letter in zip(other.tokens, other.letters, strict=True) if letter in "NP"}
    )
