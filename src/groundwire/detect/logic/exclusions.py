"""States that rule out what is said beside them: a bachelor's wife, the fee for what is free, the words of the dead."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.scopes import (
    are_at_other_times,
    are_two_relatives,
    is_another_case,
    is_next_door,
    is_of_another_thing,
    is_of_sibling,
)
from groundwire.detect.sightings import Sighting
from groundwire.text.inflection import plural
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import join_phrases, read_table
from groundwire.text.thesaurus import is_kind_of
from groundwire.types import ContradictionType, Span, Tense

EXCLUDED = 0.80
_REACH = 2
_LONGEST = 300
_RUN = re.compile(r"\w+")
_DENIED = re.compile(
    r"\b(?:no|not|never|without|neither|nor|none|nobody|nothing|cannot|except|unless|if|whether|former|formerly|late|until|once|would|could|might|may\s+be|instead|rather"
    r"|used\s+to|ex|other|another|else|if|or|almost|nearly|hardly|barely|become|became|like\s+(?:an?|the)|called|wants?|wish(?:es)?|hopes?|replace[ds]?|avoid|free)\b|n't\b|-free\b|\?"
)
_LINKS = frozenset(
    "it its he his she her him they their them there you your we this that these those whose who".split()  # noqa: SIM905
)
_SPEAKER = frozenset({"i", "my", "our", "me"})
_LIMITED = re.compile(r"\s+(?:for|in(?!\s+favou?r)|on|at(?!\s+(?:the\s+moment|present))|during|until|when|to|only)\s")
""" "Read-only for guests", "empty in winter": the state of some, or of some time."""
_SUBJECTS = frozenset({"he", "she", "it", "they", "who", "which"})
_JOINED = re.compile(r"[^;:]*(?:,|\band|\bbut|\byet)\s+(?:still\s+|also\s+|then\s+|now\s+)?$")
_WITH = re.compile(r"[^;:]*,?\s+with\s+(?:[a-z-]+\s+){0,2}$")
_REAL = frozenset({"", "will", "'ll", "can", "is"})


class _Row(NamedTuple):
    name: str
    state: re.Pattern[str]
    words: re.Pattern[str] | None
    denials: re.Pattern[str] | None
    """What is said with "no" or "not" and clashes all the same: "doesn't speak a word of it"."""
    verbs: frozenset[str]
    """Deeds of the one whose state it is, at the same time or later."""
    unless: frozenset[str]
    is_close: bool
    is_near: bool
    is_own: bool
    """Only of the thing itself: "the café next to it closes at six" says nothing of it."""


@cache
def _rows() -> tuple[_Row, ...]:
    found: list[_Row] = []
    for row in read_table("exclusions", "detect")["states"]:
        words = [form for word in row.get("words", ()) for form in (word, plural(word))]
        parts = [*([_either(words)] if words else ()), *row.get("patterns", ())]
        tail = rf"(?!\s+(?:{'|'.join(row['but'])})\b)" if "but" in row else ""
        found.append(
            _Row(
                row["states"][0],
                re.compile(rf"\b{_either(row['states'])}\b{tail}"),
                re.compile(rf"(?<![\w-])(?:{'|'.join(parts)})(?![\w-])") if parts else None,
                re.compile("|".join(row["denials"])) if "denials" in row else None,
                frozenset(row.get("verbs", ())),
                frozenset(row.get("unless", ())),
                bool(row.get("close")),
                bool(row.get("near")),
                bool(row.get("own")),
            )
        )
    return tuple(found)


def _either(words: Sequence[str]) -> str:
    return f"(?:{join_phrases(set(words))})"


@cache
def _states_by_opening() -> dict[str, re.Pattern[str]]:
    """By the words that a state can begin with: of hundreds of states, a sentence is searched for a few."""
    found: dict[str, list[str]] = {}
    for row in read_table("exclusions", "detect")["states"]:
        for state in row["states"]:
            if (opening := _RUN.search(state)) is not None:
                found.setdefault(opening.group(), []).append(state)
    return {opening: re.compile(rf"\b{_either(states)}\b") for opening, states in found.items()}


def names_state(low: str) -> bool:
    states = _states_by_opening()
    return any(states[word].search(low) is not None for word in states.keys() & _RUN.findall(low))


def find_excluded(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """Each state, and the words it rules out behind it: in its sentence, or in the two that go on about it."""
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or not names_state(seen.low):
            continue
        for row in _rows():
            match = row.state.search(seen.low)
            if match is None or _DENIED.search(seen.low[: match.start()].split(";")[-1]) or _is_quoted(seen, match):
                continue
            if _LIMITED.match(seen.low, match.end()):
                continue
            clash = _look_behind(seen, match, row)
            if clash is None and not row.is_close:
                clash = _look_on(seen, match, sightings[place + 1 : place + 1 + _REACH], row)
            if clash is not None:
                yield clash


def _is_quoted(seen: Sighting, match: re.Match[str]) -> bool:
    return seen.is_quoted(Span(seen.start + match.start(), seen.start + match.end()))


def _look_behind(seen: Sighting, state: re.Match[str], row: _Row) -> Clash | None:
    """ "is a lifelong bachelor; his wife drives"; "is vegan and needs four eggs"."""
    if row.unless & seen.words:
        return None
    found = row.words.search(seen.low, state.end()) if row.words is not None else None
    is_timed = found is not None and any(state.end() <= t.span.start - seen.start < found.start() for t in seen.times)
    if found is not None and is_timed:
        return None
    if found is not None and _is_said(seen.low, state.end(), found) and speaks_on(seen, state.end(), found.start()):
        return _tell(seen, None, row, found.group())
    if row.denials is not None and (denial := row.denials.search(seen.low, state.end())) is not None:
        return _tell(seen, None, row, denial.group())
    deed = _find_deed(seen, seen, state, row, state.end())
    return _tell(seen, None, row, deed) if deed else None


def _is_said(low: str, start: int, found: re.Match[str]) -> bool:
    tail = re.match(r"[^.,;:]*", low[found.end() :])
    return not (_DENIED.search(low[start : found.start()]) or _DENIED.search((tail.group() if tail else "")[:40]))


def speaks_on(seen: Sighting, start: int, end: int) -> bool:
    """By a pronoun, by a verb without a subject of its own, or by "with"."""
    between = seen.low[start:end]
    if _LINKS & set(re.findall(r"[a-z]+", between)) or _JOINED.fullmatch(between) or between.startswith(":"):
        return True
    first, last = seen.index_at(seen.start + start), seen.index_at(seen.start + end)
    verb = next((k for k in range(first, last) if seen.letters[k] in "VbhdM"), None)
    if verb is None:
        return _WITH.fullmatch(between) is not None
    return _JOINED.fullmatch(seen.low[start : seen.tokens[verb].start - seen.start]) is not None


def _look_on(seen: Sighting, state: re.Match[str], following: Sequence[Sighting], row: _Row) -> Clash | None:
    for distance, other in enumerate(following):
        if len(other.low) > _LONGEST or other.is_question or row.unless & other.words:
            continue
        if not (_goes_on(seen, other) or (row.is_near and distance == 0)):
            continue
        if is_another_case(seen, other) or is_next_door(seen, other) or are_two_relatives(seen, other):
            continue
        if is_of_another_thing(other) or is_of_sibling(seen, other) or are_at_other_times(seen, other):
            continue
        if not read_logic("turns").isdisjoint(other.words - {"there", "other", "now"}):
            continue
        found = row.words.search(other.low) if row.words is not None else None
        is_told = (
            found is not None
            and not _DENIED.search(other.low, max(0, found.start() - 45), found.start())
            and not _DENIED.search(other.low, found.end(), found.end() + 25)
            and not (row.is_own and _has_own_subject(seen, other, found))
        )
        said = found.group() if found is not None and is_told else ""
        if not said and row.denials is not None and (denial := row.denials.search(other.low)) is not None:
            said = denial.group()
        said = said or _find_deed(seen, other, state, row, 0)
        if said:
            return _tell(other, seen, row, said)
    return None


def _has_own_subject(seen: Sighting, other: Sighting, found: re.Match[str]) -> bool:
    """ "The café next to it closes at six": a verb whose subject is something else."""
    at = other.index_at(other.start + found.start())
    if at >= len(other.letters) or other.letters[at] not in "VbhdMEG":
        return False
    around = [c for c in other.segment.claims if c.span.start <= other.start + found.start() < c.span.end]
    if not around:
        return False
    subject = min(around, key=lambda c: c.span.end - c.span.start).subject.lower()
    head = re.split(r"\s(?:of|in|at|for|with|on|from|to|by|next)\s", subject, maxsplit=1)[0].split()
    if not head or head[-1] in _LINKS or head[-1] in ("user", "anyone", "everyone", "one", "i"):
        return False
    return noun_lemma(head[-1]) not in _nouns(seen)


def _find_deed(seen: Sighting, other: Sighting, state: re.Match[str], row: _Row, start: int) -> str:
    """A verb of the row whose subject is the one that is in the state, not before the state began."""
    if not row.verbs or not _UNREAL.isdisjoint(other.words):
        return ""
    at = seen.index_at(seen.start + state.start())
    held = next((g for g in reversed(seen.groups) if g.start <= at), None)
    for group in other.groups:
        begins = other.tokens[group.start].start - other.start
        if group.lemma not in row.verbs or begins < start or group.negated or group.modal not in _REAL:
            continue
        is_past = held is not None and held.tense is Tense.PAST
        if (group.tense is Tense.PAST or group.perfect) is not is_past or group.passive:
            continue
        before = next((k for k in range(group.start - 1, -1, -1) if other.letters[k] not in "R"), None)
        if before is None:
            continue
        is_same = other.tokens[before].low in _SUBJECTS or (other is seen and other.letters[before] == "C")
        noun = noun_lemma(other.tokens[before].low)
        if is_same or any(noun == one or is_kind_of(noun, one) for one in _nouns(seen)):
            return group.lemma
    return ""


_UNREAL = frozenset(
    [
        "if",
        "unless",
        "before",
        "until",
        "when",
        "once",
        "after",
        "would",
        "could",
        "might",
        "imagine",
        "suppose",
        "used",
        "dreams",
        "dream",
        "again",
    ]
)


def _tell(seen: Sighting, earlier: Sighting | None, row: _Row, said: str) -> Clash:
    kind, evidence = ContradictionType.LOGICAL_IMPOSSIBILITY, f"{row.name} rules out {said.strip()}"
    return Clash(seen.segment.span, earlier.segment.span if earlier is not None else None, EXCLUDED, kind, evidence)


def _nouns(seen: Sighting) -> set[str]:
    return {noun_lemma(t.low) for t, letter in zip(seen.tokens, seen.letters, strict=True) if letter in "NP"}


def _goes_on(seen: Sighting, other: Sighting) -> bool:
    """It speaks of the same: by a pronoun, or by a noun of the first sentence."""
    if not _LINKS.isdisjoint(other.words) or all(not _SPEAKER.isdisjoint(side.words) for side in (seen, other)):
        return True
    mine, yours = (set(re.findall(r"\d+", side.low)) for side in (seen, other))
    if mine and yours and mine.isdisjoint(yours):
        return False  # "The number 8 is even. The number 9 is odd."
    return bool(_nouns(seen) & _nouns(other))
