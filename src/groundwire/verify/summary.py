"""What a report says of the judged claims: the faults as written, what grounds what, and the corrections."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.text.reading import ReadClaim
from groundwire.types import ClaimReport, ContradictionDetail, Disclosure, Polarity, Span, Standing, Verdict
from groundwire.verify.changes import order_values
from groundwire.verify.correction import Edit, drop_negation, replace_value
from groundwire.verify.disclosure import Usage
from groundwire.verify.weighing import Weighed

_OTHER = ("other_value", "other_agent", "other_time")


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with its weighed parts; the first is the one that decided."""

    read: ReadClaim
    parts: tuple[Weighed, ...]
    report: ClaimReport


def wrong_span(read: ReadClaim, weighed: Weighed) -> Span | None:
    """The stretch of the answer that is at fault; None when nothing is."""
    if weighed.standing is Standing.SUPPORTED:
        return None
    if weighed.verdict is Verdict.REFUTED and read.claim.polarity is Polarity.NEGATIVE:
        return read.claim.span
    finding, part = weighed.finding, weighed.part
    if finding.wrong is not None or finding.missing is not None:
        return finding.wrong or finding.missing
    if part.argument is not None:
        return part.argument.span
    if part.fact is not None and part.fact.pattern != "predicate":
        return part.fact.value_span
    return read.claim.span


def right_value(read: ReadClaim, weighed: Weighed) -> str | None:
    """What the memories have in the place of the wrong value; None where it belongs to something else."""
    finding = weighed.finding
    refuted = weighed.verdict is Verdict.REFUTED and finding.reason in _OTHER
    stale = weighed.standing is Standing.STALE and finding.reason == "other_value"
    if not (refuted or stale) or not finding.exchange or read.claim.polarity is Polarity.NEGATIVE:
        return None
    return finding.evidence_value


def quote_faults(
    text: str, judged: Sequence[Judged], verdict: Verdict, standings: tuple[Standing, ...]
) -> tuple[str, ...]:
    """The parts at fault, as written in the answer."""
    found: list[str] = []
    for entry in judged:
        if entry.report.verdict is not verdict:
            continue
        for part in entry.parts:
            span = wrong_span(entry.read, part)
            if part.verdict is verdict and part.standing in standings and span is not None:
                found.append(_narrow(text[span.start : span.end], part.finding.evidence_value))
    return tuple(dict.fromkeys(found))


def _narrow(quoted: str, known: str) -> str:
    """Of "20 mg of lisinopril", where 10 mg of it are taken, the amount alone is wrong."""
    mine, theirs = quoted.split(), known.split()
    if len(mine) == len(theirs) > 1 and mine[0].isalpha() and mine[0].islower() and mine[1:] == theirs[1:]:
        return mine[0]  # "red Toyota Hilux", where it is a white one
    amount, of, thing = quoted.partition(" of ")
    right = known.partition(" of ")
    same = bool(of) and thing.casefold() == right[2].casefold()
    return amount if same and any(map(str.isdigit, amount)) and any(map(str.isdigit, right[0])) else quoted


def map_grounding(text: str, judged: Sequence[Judged]) -> dict[str, str]:
    """Supported value → the memory that carries it; a value found in two slots is prefixed with its slot."""
    rows: list[tuple[str, str, str]] = []
    for entry in judged:
        for weighed in entry.parts:
            if weighed.verdict is Verdict.SUPPORTED and weighed.evidence:
                span, slot = _place(entry.read, weighed)
                rows.append((text[span.start : span.end], slot, weighed.evidence[0]))
    slots: dict[str, set[str]] = {}
    for value, slot, _ in rows:
        slots.setdefault(value, set()).add(slot)
    found: dict[str, str] = {}
    for value, slot, memory_id in rows:
        name = f"{slot}:{value}" if len(slots[value] - {"detail"}) > 1 else value
        found.setdefault(name, memory_id)
    return found


def _place(read: ReadClaim, weighed: Weighed) -> tuple[Span, str]:
    part = weighed.part
    if part.argument is not None:
        return part.argument.span, "detail"
    if part.fact is not None:
        return part.fact.value_span, part.fact.slot_type
    return read.claim.span, "claim"


def correct_answer(
    text: str,
    judged: Sequence[Judged],
    hidden: Sequence[tuple[Usage, Disclosure]],
    contradictions: Sequence[ContradictionDetail],
    usages: Sequence[Usage],
) -> list[Edit]:
    """Edits that make the answer true and honest, and no others."""
    edits = [replace_value(text, _whole_usage(text, usage, usages), d.phrase) for usage, d in hidden]
    for entry in judged:
        if entry.report.verdict is Verdict.REFUTED:
            edits.extend(
                e for part in entry.parts if (e := _correct(text, entry.read, part, contradictions)) is not None
            )
    return edits


_OWN_COMMENT = re.compile(r"\s*\((?:changed|updated|previously|formerly|was|used to)\b[^()]{0,80}\)")


def _whole_usage(text: str, usage: Usage, usages: Sequence[Usage]) -> Span:
    """The value with what the answer says beside it: "Microsoft and Amazon", "Amazon (changed from Google)"."""
    same = [
        u.fact.value_span
        for u in usages
        if u.contradiction is usage.contradiction and u.claim.sentence == usage.claim.sentence
    ]
    start, end = min(s.start for s in same), max(s.end for s in same)
    if end - start > sum(s.end - s.start for s in same) + 8:
        start, end = usage.fact.value_span
    comment = _OWN_COMMENT.match(text, end)
    return Span(start, comment.end() if comment else end)


def _correct(
    text: str, read: ReadClaim, weighed: Weighed, contradictions: Sequence[ContradictionDetail]
) -> Edit | None:
    if weighed.verdict is not Verdict.REFUTED:
        return None
    if read.claim.polarity is Polarity.NEGATIVE:
        return drop_negation(text, read.claim.span)
    value, span = right_value(read, weighed), weighed.finding.wrong
    if not value or span is None or span == read.claim.span:
        return None
    for contradiction in contradictions:
        if contradiction.slot_type == weighed.finding.slot and value in contradiction.values:
            value = order_values(contradiction).phrase
    return replace_value(text, span, value)
