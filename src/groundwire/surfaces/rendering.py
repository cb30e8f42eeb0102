"""The view for people: the answer with what is wrong underlined, and the evidence beside every claim.

Markers below the text carry the meaning on their own; colour only repeats it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from groundwire.surfaces.layout import (
    Mark,
    Sign,
    Tone,
    View,
    beside,
    flatten,
    indent,
    join,
    pad,
    underline,
    wrap,
)
from groundwire.types import (
    Claim,
    ClaimReport,
    ContradictionDetail,
    ExtractedFact,
    Memory,
    Passage,
    Polarity,
    Standing,
    Tense,
    Verdict,
    VerificationReport,
    VerifierOutput,
)

COLUMNS_FROM = 76  # below this a claim and its evidence stand one under the other
EVIDENCE_SHOWN = 3
EVIDENCE_CHARACTERS = 240


_STANDINGS: Mapping[Standing, Sign] = {
    Standing.SUPPORTED: Sign("✓", Tone.GOOD),
    Standing.REFUTED: Sign("✗", Tone.BAD),
    Standing.STALE: Sign("✗", Tone.BAD),
    Standing.CONFLICTING: Sign("!", Tone.DOUBTFUL),
    Standing.UNSUPPORTED: Sign("?", Tone.DOUBTFUL),
    Standing.HEDGED: Sign("~", Tone.NOTE),
}
_VERDICTS: Mapping[Verdict, Sign] = {
    Verdict.SUPPORTED: _STANDINGS[Standing.SUPPORTED],
    Verdict.REFUTED: _STANDINGS[Standing.REFUTED],
    Verdict.INSUFFICIENT: _STANDINGS[Standing.UNSUPPORTED],
}


_LEGEND = {"^": "refuted or no longer true", "~": "no memory says so", "!": "needs a disclosure"}


# ── whole views ─────────────────────────────────────────────────────────────────────────────────


def render_claims(claims: Sequence[Claim], view: View) -> str:
    """Every claim with where it was said."""
    if not claims:
        return "no claims\n"
    lines = [view.paint(_count(len(claims), "claim"), Tone.STRONG)]
    for claim in claims:
        place = f"{claim.span.start}-{claim.span.end}"
        traits = [name for name, holds in _claim_traits(claim) if holds]
        body = flatten(claim.text) + (f"  ({', '.join(traits)})" if traits else "")
        lines += beside(view.paint(pad(place, 9), Tone.FAINT), 9, wrap(body, view.columns - 13))
    return join(lines)


def _claim_traits(claim: Claim) -> tuple[tuple[str, bool], ...]:
    return (
        ("negated", claim.polarity is Polarity.NEGATIVE),
        (claim.tense.value, claim.tense is not Tense.PRESENT),
        ("hedged", claim.hedged),
        ("quoted", claim.quoted),
    )


def render_facts(text: str, facts: Sequence[ExtractedFact], view: View) -> str:
    """The text with the values underlined, then one line a fact."""
    if not facts:
        return "no facts\n"
    lines = [view.paint(_count(len(facts), "fact"), Tone.STRONG), ""]
    lines += indent(underline(text, [Mark(fact.value_span, "^", Tone.NOTE) for fact in facts], view, 2))
    lines.append("")
    for fact in facts:
        negation = "not " if fact.polarity is Polarity.NEGATIVE else ""
        traits = [fact.tense.value] if fact.tense is not Tense.PRESENT else []
        traits += [fact.when] if fact.when else []
        traits += ["hedged"] if fact.hedged else []
        body = f"{fact.subject}: {fact.slot_type} = {negation}{fact.value}"
        lines += indent(wrap(flatten(body) + (f"  ({', '.join(traits)})" if traits else ""), view.columns - 2))
    return join(lines)


def render_judgement(claim: str, passages: Sequence[Passage], output: VerifierOutput, view: View) -> str:
    """One verdict with the evidence it rests on."""
    sign = _VERDICTS[output.verdict]
    headline = f"{view.sign(sign)} {output.verdict.value} {output.confidence:.2f}"
    lines = [view.paint(headline, Tone.STRONG if not view.color else sign.tone), ""]
    room = view.columns - 14
    lines += beside(pad("claim", 10), 10, wrap(flatten(claim), room))
    used = set(output.evidence_used)
    for passage in passages[:EVIDENCE_SHOWN] if not used else [p for p in passages if p.id in used][:EVIDENCE_SHOWN]:
        label = "evidence" if passage.id in used else "not used"
        lines += beside(view.paint(pad(label, 10), Tone.FAINT), 10, wrap(_cite(passage), room))
    if output.explanation:
        lines += beside(view.paint(pad("why", 10), Tone.FAINT), 10, wrap(flatten(output.explanation), room))
    chances = "  ".join(f"{verdict.value} {output.probabilities.get(verdict, 0.0):.2f}" for verdict in Verdict)
    lines += beside(view.paint(pad("chances", 10), Tone.FAINT), 10, wrap(chances, room))
    action = f"{output.action.value} (low confidence)" if output.low_confidence else output.action.value
    lines += beside(view.paint(pad("action", 10), Tone.FAINT), 10, wrap(f"{action}, judged by {output.judge}", room))
    return join(lines)


def render_report(report: VerificationReport, evidence: Sequence[Memory | Passage], view: View) -> str:
    """The report of the read gate, from the answer as a whole to what should be said instead."""
    by_id = {item.id: item for item in evidence}
    marks = mark_faults(report)
    lines = [_headline(report, view), *wrap(_summarise(report), view.columns), ""]
    lines += indent(underline(report.text, marks, view, 2))
    lines += _explain_markers({mark.marker for mark in marks}, view)
    if report.claims:
        lines.append("")
    for claim in report.claims:
        lines += _render_claim_report(claim, by_id, view)
    if report.contradictions:
        lines += ["", view.paint("Memories in conflict", Tone.STRONG)]
        for contradiction in report.contradictions:
            lines += indent(wrap(_describe_contradiction(contradiction), view.columns - 2))
    if report.requires_disclosure and report.expected_disclosure:
        lines += ["", view.paint("Disclosure needed", Tone.STRONG)]
        lines += indent(wrap(flatten(report.expected_disclosure), view.columns - 2))
    if report.corrected is not None and report.corrected != report.text:
        lines += ["", view.paint("Corrected", Tone.STRONG)]
        lines += indent(underline(report.corrected, [], view, 2))
    if report.caveat:
        lines += ["", *wrap(flatten(f"Caveat: {report.caveat}"), view.columns)]
    if report.not_analysed:
        lines += ["", f"Not analysed: {report.not_analysed}"]
    return join(lines)


# ── parts of the report ─────────────────────────────────────────────────────────────────────────


def mark_faults(report: VerificationReport) -> list[Mark]:
    """What to underline: the wrong part of each claim that does not hold, and what hides a contradiction."""
    marks: list[Mark] = []
    for claim in report.claims:
        if claim.verdict is Verdict.REFUTED or claim.standing is Standing.STALE:
            marks.append(Mark(claim.wrong or claim.span, "^", Tone.BAD))
        elif claim.verdict is Verdict.INSUFFICIENT:
            marks.append(Mark(claim.wrong or claim.span, "~", Tone.DOUBTFUL))
        else:
            marks.append(Mark(claim.span, " ", Tone.GOOD))
    marks += [Mark(disclosure.span, "!", Tone.DOUBTFUL) for disclosure in report.disclosures]
    return sorted(marks, key=lambda mark: " !~^".index(mark.marker))


def _explain_markers(markers: set[str], view: View) -> list[str]:
    entries = [f"{marker} {meaning}" for marker, meaning in _LEGEND.items() if marker in markers]
    if not entries:
        return []
    line = "   ".join(entries)
    rows = (
        [line] if len(line) <= view.columns - 2 else [row for entry in entries for row in wrap(entry, view.columns - 2)]
    )
    return ["", *(f"  {view.paint(row, Tone.FAINT)}" for row in rows)]


def _headline(report: VerificationReport, view: View) -> str:
    sign = _STANDINGS[Standing.SUPPORTED if report.grounded else Standing.REFUTED]
    text = f"{view.sign(sign)} {'GROUNDED' if report.grounded else 'NOT GROUNDED'}"
    return view.paint(text, sign.tone)


def _summarise(report: VerificationReport) -> str:
    if not report.claims:
        return "no claims to check"
    standings = Counter(claim.standing for claim in report.claims)
    parts = [f"{standings[standing]} {standing.value}" for standing in Standing if standings[standing]]
    if report.requires_disclosure:
        parts.append("disclosure missing")
    counted = _count(len(report.claims), "claim")
    return f"{counted}: {', '.join(parts)}; {report.action.value}, confidence {report.confidence:.2f}"


def _render_claim_report(report: ClaimReport, evidence: Mapping[str, Memory | Passage], view: View) -> list[str]:
    sign = _STANDINGS[report.standing]
    label = view.paint(pad(f"{view.sign(sign)} {report.standing.value}", 14), sign.tone) + f"{report.confidence:.2f}"
    claim = flatten(report.text)
    notes = [_cite(evidence[key]) if key in evidence else key for key in report.evidence[:EVIDENCE_SHOWN]]
    if len(report.evidence) > EVIDENCE_SHOWN:
        notes.append(f"and {len(report.evidence) - EVIDENCE_SHOWN} more")
    why = flatten(report.explanation)
    fix = f"instead: {flatten(report.correction)}" if report.correction else ""
    if view.columns < COLUMNS_FROM:
        body = view.columns - 6
        rows = [*wrap(claim, body), *(row for note in notes for row in wrap(f"- {note}", body))]
        rows += [row for note in (why, fix) if note for row in wrap(note, body)]
        return [f"  {label}", *indent(rows, 4)]
    left_width = (view.columns - 24) * 2 // 5
    right_width = view.columns - 24 - left_width
    left = [*wrap(claim, left_width), *(wrap(fix, left_width) if fix else [])]
    right = [row for note in notes for row in wrap(note, right_width)]
    right += [view.paint(row, Tone.FAINT) for row in (wrap(why, right_width) if why else [])]
    rows: list[str] = []
    for index in range(max(len(left), len(right))):
        cell = pad(left[index] if index < len(left) else "", left_width)
        rows.append(f"{cell}  {right[index] if index < len(right) else ''}".rstrip())
    return beside(label, 18, rows)


def _cite(item: Memory | Passage) -> str:
    text = flatten(item.text)
    if len(text) > EVIDENCE_CHARACTERS:
        text = text[:EVIDENCE_CHARACTERS].rstrip() + "…"
    return f"{flatten(item.id)}: {text}{_describe_weight(item.trust, item.timestamp)}"


def _describe_weight(trust: float, timestamp: int | None) -> str:
    parts = [f"trust {trust:.2f}"] if trust < 1.0 else []
    parts += [_format_day(timestamp)] if timestamp is not None else []
    return f" ({', '.join(parts)})" if parts else ""


def _format_day(timestamp: int) -> str:
    try:
        return datetime.fromtimestamp(timestamp, UTC).date().isoformat()
    except (OverflowError, OSError, ValueError):
        return str(timestamp)


def _describe_contradiction(contradiction: ContradictionDetail) -> str:
    rows = zip(
        contradiction.values,
        contradiction.memory_ids,
        contradiction.trust_scores,
        contradiction.timestamps,
        strict=True,
    )
    sides = [f"{value} [{memory}]{_describe_weight(trust, moment)}" for value, memory, trust, moment in rows]
    return flatten(f"{contradiction.subject}, {contradiction.slot_type}: {' / '.join(sides)}")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
