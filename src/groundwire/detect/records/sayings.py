"""A claim as it is held against a record: its words, its values, who is in it; and what comes of that."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from groundwire.detect.records.facets import Facet
from groundwire.detect.records.values import Value, find_values
from groundwire.evidence.lookups import Entity
from groundwire.evidence.measures import measuring_words
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim
from groundwire.types import Polarity, Span, Tense

_RECORDS = frozenset({"person", "organisation", "organization", "company", "product", "place"})
_BECOMING = frozenset(
    "move become join switch transfer relocate start take promote change turn get".split()  # noqa: SIM905
)


_WORD = re.compile(r"[a-z]+")
_FRONT = 24
_UNIT_BEFORE = re.compile(r"\bhours?(?:,| and)?$|\b(?:feet|foot|pounds?|years?|minutes?|weeks?|metres?|meters?)$")
_SMALL = r"(?:\d{1,2}|[a-z]{3,6}(?:-[a-z]{3,5})?) (?:minutes?|seconds?|inches|ounces|months?|days?|centimetres?)\b"
_UNIT_AFTER, _SMALL_UNIT = re.compile(rf",? (?:and )?{_SMALL}"), re.compile(_SMALL)
_ADDING = re.compile(r"\b(?:also|as well|besides|in addition|additionally|at the same time)\b", re.IGNORECASE)
_BOUNDS = {
    "at least": "minimum",
    "no less than": "minimum",
    "up to": "maximum",
    "at most": "maximum",
    "no more than": "limit",
}


class Outcome(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    SILENT = "silent"


class Sureness(IntEnum):
    """How an attribute was found for a value: by the verb, by its name, by a hint, or as the only one of its kind."""

    NONE = 0
    ALONE = 1
    HINTED = 2
    NAMED = 3
    FRAMED = 4


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a claim, and what the record says of it."""

    outcome: Outcome
    text: str
    span: Span
    facet: Facet | None = None
    sureness: int = Sureness.NONE


@dataclass(frozen=True, slots=True)
class Saying:
    """A claim as it is compared: its words, its values, and who is in it."""

    read: ReadClaim
    text: str
    words: frozenset[str]
    values: tuple[Value, ...]
    named: tuple[tuple[int, int, Entity], ...]

    @property
    def proposition(self) -> Proposition:
        return self.read.proposition


def read_saying(read: ReadClaim, text: str, named: Sequence[tuple[int, int, Entity]]) -> Saying:
    """The claim as written; numbers inside names are no values."""
    span = read.claim.span
    proposition = read.proposition
    own = [Span(a, b) for a, b, _ in named]
    end = goes_on(text, span.end)
    values = find_values(text[span.start : end], span.start, own)
    subject = read.claim.subject
    if subject and text.startswith(subject, span.start) and not _names_a_value(read):
        values = [value for value in values if value.span.start >= span.start + len(subject)]
    for argument in proposition.arguments:
        if argument.span.end <= span.start or argument.span.start >= span.end:  # "With 520 employees, …"
            values += find_values(text[argument.span.start : argument.span.end], argument.span.start, own)
    words = {*proposition.lemmas, *proposition.subject_lemmas, proposition.predicate, *proposition.adverbs}
    words |= {word for value in values for word in value.nouns}
    words |= {part for word in words if "-" in word for part in word.split("-")}
    said = text[span.start : span.end].casefold()
    words |= {word for phrase, word in _BOUNDS.items() if phrase in said}
    words |= find_measures(said)
    return Saying(read, text, frozenset(words - {""}), tuple(values), tuple(named))


def goes_on(text: str, end: int) -> int:
    """Where an amount in two units ends: "an hour and 44 minutes" is one, though it reads like two."""
    before = _UNIT_BEFORE.search(text, max(0, end - _FRONT), end)
    after = _UNIT_AFTER.match(text, end) if before is not None else None
    return after.end() if after is not None else end


def begins_within(text: str, start: int) -> bool:
    """Whether something starts with the second part of such an amount."""
    before = _UNIT_BEFORE.search(text, max(0, start - _FRONT), start)
    before = before or re.search(r"\bhours? and $", text[max(0, start - _FRONT) : start])
    return before is not None and _SMALL_UNIT.match(text, start) is not None


def find_measures(said: str) -> set[str]:
    """Of which measures a text speaks: "at its deepest" of a maximum depth."""
    table = measuring_words()
    present = {word for word in _WORD.findall(said) if word in table}
    present |= {phrase for phrase in table if " " in phrase and phrase in said}
    found = {measure for word in present for measure in table[word]}
    return found | ({"maximum"} if any(word.endswith("est") for word in present) else set())


def _names_a_value(read: ReadClaim) -> bool:
    """ "Tuesday is the day of the meeting": the value stands first."""
    return read.proposition.predicate == "be" and bool(find_values(read.claim.subject)) and bool(read.claim.object)


def _adds(saying: Saying) -> bool:
    """ "She is also a cellist": besides what else she is."""
    start, end = saying.read.claim.span
    return _ADDING.search(saying.text, start, end) is not None


def may_refute(saying: Saying, facet: Facet) -> bool:
    """A former or future state is not the present one; further values of a list are no contradiction."""
    if facet.is_additive or (not facet.kind and _adds(saying)):
        return False
    tense = saying.read.claim.tense
    start, end = saying.read.claim.span
    if saying.read.claim.polarity is Polarity.NEGATIVE or " used to " in f" {saying.text[start:end]} ":
        return False
    event = facet.entity.type.casefold() not in _RECORDS
    if facet.is_lasting or event or tense is Tense.PRESENT or facet.kind == "clock":
        return True
    if tense is Tense.FUTURE:
        return saying.proposition.predicate not in _BECOMING
    return facet.entity.has_attribute("died")
