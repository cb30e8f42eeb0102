"""Claims in words of their own that use a disputed value, where no model can say which memory bears them out.

"You charge 65 pounds an hour" is no fact of the slot of "my hourly rate is 65 pounds", and rules cannot tell that it
says the same. But the value is there, and a memory of the contradiction has every other word but the verb: whatever the
claim says of the value, it relies on it. So the dispute has to be told; only where the verb is told as well is it borne
out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from groundwire.judge.coverage import LIGHT, is_told
from groundwire.judge.explanation import explain
from groundwire.judge.findings import Finding
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.telling import find_told
from groundwire.types import (
    ContradictionDetail,
    ContradictionType,
    Memory,
    Polarity,
    Span,
    Standing,
    Tense,
    Verdict,
)
from groundwire.verify.changes import find_told as find_value
from groundwire.verify.disclosure import Usage
from groundwire.verify.summary import Judged

_Words = frozenset[str]


class Worded(NamedTuple):
    """A claim with the memory whose value it uses, and whether it has no other words than memories have."""

    read: ReadClaim
    source: str
    is_whole: bool


def find_worded(
    reads: Sequence[ReadClaim], contradictions: Sequence[ContradictionDetail], memories: Mapping[str, Memory]
) -> Iterator[Worded]:
    """The claims that use a disputed value."""
    everything = frozenset[str]().union(*(_words_of(memory.text) for memory in memories.values()))
    for read in reads:
        if read.proposition is UNREAD or read.claim.polarity is Polarity.NEGATIVE or read.proposition.negated:
            continue
        found = (_find_source(read, detail, memories, everything) for detail in contradictions)
        source = next((one for one in found if one is not None), None)
        if source is not None:
            yield Worded(read, *source)


def as_used(
    judged: Sequence[Judged], worded: Sequence[Worded], usages: Sequence[Usage], hidden: Sequence[Usage]
) -> list[Judged]:
    """The claims; what uses a disputed value is borne out where the dispute is told and the words are the memory's."""
    found = {id(one.read): one for one in worded if any(usage.claim is one.read for usage in usages)}
    silent = {id(usage.claim) for usage in hidden}
    return [
        _settle(entry, one.source, is_told=id(one.read) not in silent)
        if (one := found.get(id(entry.read))) is not None and (one.is_whole or id(one.read) in silent)
        else entry
        for entry in judged
    ]


_OVER = re.compile(r"(?i)\b(?:no longer|any ?more|any longer)\b")


def tell_endings(judged: Sequence[Judged], text: str, memories: Mapping[str, Memory]) -> list[Judged]:
    """The claims; "and no longer to Hillside" is told by the newer memory that bears out what is said beside it."""
    return [_settle(entry, ids[0], is_told=True) if (ids := _find_newer(entry, judged, text, memories)) else entry
            for entry in judged]  # fmt: skip


def _find_newer(entry: Judged, judged: Sequence[Judged], text: str, memories: Mapping[str, Memory]) -> Sequence[str]:
    """What bears out the claim beside a denied one, where it is newer than what speaks against the denial."""
    read = entry.read
    denied = entry.report.verdict is Verdict.REFUTED and read.claim.polarity is Polarity.NEGATIVE
    if not denied or _OVER.search(f"{read.claim.text} {text[slice(*read.claim.span)]}") is None:
        return ()
    against = _times_of(entry, memories)
    for other in judged:
        mine, theirs = read.proposition, other.read.proposition
        alike = (mine.subject, mine.predicate) == (theirs.subject, theirs.predicate) and not theirs.negated
        if alike and other.read.sentence == read.sentence and other.report.verdict is Verdict.SUPPORTED:
            told = _times_of(other, memories)
            if told and against and min(told) > max(against):
                return other.report.evidence
    return ()


def _times_of(entry: Judged, memories: Mapping[str, Memory]) -> list[int]:
    found = [memories[source].timestamp for source in entry.report.evidence if source in memories]
    return [when for when in found if when is not None]


def _settle(entry: Judged, source: str, *, is_told: bool) -> Judged:
    verdict = Verdict.SUPPORTED if is_told else Verdict.INSUFFICIENT
    standing = Standing.SUPPORTED if is_told else Standing.CONFLICTING
    finding = Finding(verdict, 0.7, "tells_change" if is_told else "conflict", source)
    parts = tuple(replace(part, verdict=verdict, standing=standing, finding=finding) for part in entry.parts)
    report = replace(
        entry.report, verdict=verdict, standing=standing, evidence=(source,), wrong=None, correction=None,
        explanation=explain(verdict, finding),
    )  # fmt: skip
    return Judged(entry.read, parts, report)


def _find_source(
    read: ReadClaim, detail: ContradictionDetail, memories: Mapping[str, Memory], everything: _Words
) -> tuple[str, bool] | None:
    said = read.proposition
    if detail.contradiction_type is not ContradictionType.INCOMPATIBLE_VALUES or said.tense is Tense.PAST:
        return None
    text = read.claim.text
    for value, source in zip(reversed(detail.values), reversed(detail.memory_ids), strict=True):
        others = [other for other in detail.values if other != value]
        if source not in memories or not find_value(text, value, others, Span(0, len(text))):
            continue
        held = _words_of(memories[source].text)
        wanted = said.lemmas | {said.predicate}
        rest = wanted - LIGHT - _words_of(value)
        told = {word for word in rest if is_told(word, held)} | find_told(rest, wanted, held).keys()
        untold = rest - told - {word for word in rest if is_told(word, everything)}
        if told - {said.predicate} and untold <= {said.predicate}:
            return source, not untold
    return None


def _words_of(text: str) -> _Words:
    """The words of all that a text says, as they are compared."""
    said = [read.proposition for read in read_text(text).statements]
    if not said:
        return frozenset(text.casefold().split())
    return frozenset[str]().union(
        *(one.lemmas.union((one.predicate,), *(a.lemmas for a in one.arguments)) for one in said)
    )
