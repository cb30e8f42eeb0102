"""Flags and actions as the JSON of the contract, and as a page: the answer underlined by kind, and what is done."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence

from groundwire.detect.scoring import explain_score
from groundwire.memory.traces import name_action
from groundwire.surfaces.layout import Mark, Sign, Tone, View, beside, flatten, indent, join, pad, underline, wrap
from groundwire.surfaces.responses import JsonObject
from groundwire.types import Span
from groundwire.types.detection import (
    Correct,
    DetectionReport,
    Escalate,
    Flag,
    HallucinationFlag,
    HallucinationType,
    Handling,
    Leave,
    MitigationAction,
    Regenerate,
    Remove,
)

_MARKS: Mapping[HallucinationType, tuple[str, Tone]] = {
    HallucinationType.FABRICATED_FACT: ("f", Tone.BAD),
    HallucinationType.NONEXISTENT_ENTITY: ("e", Tone.NOWHERE),
    HallucinationType.WRONG_ATTRIBUTE: ("a", Tone.DOUBTFUL),
    HallucinationType.CONTRADICTS_FACT: ("c", Tone.AGAINST),
    HallucinationType.CONTRADICTS_PRIOR: ("p", Tone.EARLIER),
    HallucinationType.UNSUPPORTED_CLAIM: ("u", Tone.NOTE),
    HallucinationType.TEMPORAL_ERROR: ("t", Tone.UNTIMELY),
    HallucinationType.LOGICAL_INCONSISTENCY: ("l", Tone.ABSURD),
}
_SIGNS: Mapping[Handling, Sign] = {
    Handling.ACCEPT: Sign("✓", Tone.GOOD),
    Handling.FLAG: Sign("!", Tone.DOUBTFUL),
    Handling.CORRECT: Sign("!", Tone.DOUBTFUL),
    Handling.REGENERATE: Sign("✗", Tone.BAD),
    Handling.HUMAN_REVIEW: Sign("✗", Tone.BAD),
}
_LABEL = 10
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


# ── JSON ────────────────────────────────────────────────────────────────────────────────────────


def describe_detection(report: DetectionReport) -> JsonObject:
    metrics = report.metrics
    return {
        "flags": [describe_flag(flag) for flag in report.flags],
        "actions": [describe_action(action) for action in report.actions],
        "mitigated": report.mitigated,
        "risk": round(report.risk, 4),
        "handling": report.handling.value,
        "confidence": round(report.confidence, 4),
        "metrics": {
            "detection_time_ms": round(metrics.detection_time_ms, 3),
            "segments_analyzed": metrics.segments_analyzed,
            "claims_checked": metrics.claims_checked,
            "entities_verified": metrics.entities_verified,
        },
        "errors": dict(report.errors),
        "not_analysed": report.not_analysed,
        "review_id": report.review_id,
    }


def describe_flag(flag: HallucinationFlag) -> JsonObject:
    kind = flag.contradiction_type
    return {
        "type": flag.hallucination_type.value,
        "span": list(flag.span),
        "content": flag.content,
        "confidence": round(flag.confidence, 4),
        "severity": flag.severity,
        "suggestion": flag.suggestion,
        "evidence": flag.evidence,
        "description": flag.hallucination_type.description,
        "severity_label": flag.hallucination_type.severity_label,
        "correct_value": flag.correct_value,
        "value_span": _list(flag.value_span),
        "related_span": _list(flag.related_span),
        "source_id": flag.source_id,
        "detector": flag.detector,
        "incident": flag.incident,
        "raw_confidence": None if flag.raw_confidence is None else round(flag.raw_confidence, 4),
        "contradiction_type": None if kind is None else kind.value,
        "factors": {name: round(factor, 4) for name, factor in flag.factors.items()},
        "explanation": explain_score(flag),
    }


def describe_action(action: MitigationAction) -> JsonObject:
    described: JsonObject = {"type": name_action(action)}
    match action:
        case Leave(span):
            return described | {"span": list(span)}
        case Flag(span, annotation):
            return described | {"span": list(span), "annotation": annotation}
        case Correct(span, original, replacement, source):
            return described | {
                "span": list(span),
                "original": original,
                "replacement": replacement,
                "source": source,
            }
        case Remove(span, reason):
            return described | {"span": list(span), "reason": reason}
        case Regenerate(guidance):
            return described | {"guidance": guidance}
        case Escalate(reason):
            return described | {"reason": reason}


def _list(span: Span | None) -> list[int] | None:
    return None if span is None else list(span)


# ── the page ────────────────────────────────────────────────────────────────────────────────────


def render_detection(report: DetectionReport, view: View) -> str:
    """The answer with its faults underlined, the evidence beside each, and what becomes of it."""
    sign = _SIGNS[report.handling]
    headline = f"{view.sign(sign)} {report.handling.value.upper().replace('_', ' ')}"
    counted = f"{len(report.flags)} flag{'' if len(report.flags) == 1 else 's'}"
    lines = [view.paint(headline, sign.tone), f"{counted}, risk {report.risk:.2f}", ""]
    lines += indent(underline(report.response, mark_flags(report.flags), view, 2))
    lines += render_flags(report.flags, view)
    lines += _render_actions(report, view)
    lines += _render_difference(report, view)
    if report.review_id is not None:
        lines += ["", f"Waits for review as {report.review_id}"]
    lines += [row for name, why in report.errors.items() for row in ("", *_warn(name, why, view))]
    if report.not_analysed:
        lines += ["", f"Not analysed: {report.not_analysed} claims"]
    return join(lines)


def mark_flags(flags: Sequence[HallucinationFlag]) -> list[Mark]:
    """The strongest last, because that is the one that is seen where two overlap."""
    ordered = sorted(flags, key=lambda flag: (flag.confidence, -(flag.span.end - flag.span.start)))
    return [Mark(flag.span, *_MARKS[flag.hallucination_type]) for flag in ordered]


def render_flags(flags: Sequence[HallucinationFlag], view: View) -> list[str]:
    """The legend of the markers, then each flag with its evidence."""
    lines: list[str] = []
    shown = [type_ for type_ in _MARKS if any(flag.hallucination_type is type_ for flag in flags)]
    if shown:
        entries = [view.paint(f"{_MARKS[type_][0]} {type_.description}", _MARKS[type_][1]) for type_ in shown]
        lines += ["", *indent(entries), ""]
    for flag in flags:
        letter, tone = _MARKS[flag.hallucination_type]
        label = view.paint(pad(f"{letter} {flag.confidence:.2f}", _LABEL), tone)
        rows = [flag.hallucination_type.value, f'"{flatten(flag.content)}"']
        rows += [f"evidence: {flatten(flag.evidence)}"] if flag.evidence else []
        rows += [f"instead: {flatten(flag.correct_value)}"] if flag.correct_value else []
        rows += [flatten(flag.suggestion)] if flag.suggestion else []
        room = view.columns - _LABEL - 4
        body = [row for part in rows for row in wrap(part, room)]
        body += [view.paint(row, Tone.FAINT) for row in wrap(explain_score(flag), room) if row]
        lines += beside(label, _LABEL, body)
    return lines


def _render_actions(report: DetectionReport, view: View) -> list[str]:
    if not report.actions:
        return []
    advice = report.handling in (Handling.REGENERATE, Handling.HUMAN_REVIEW)
    lines = ["", view.paint("Advice" if advice else "Actions", Tone.STRONG)]
    for action in report.actions:
        said = _tell_action(action, report.response)
        rows = [row for line in said.split("\n") for row in wrap(flatten(line), view.columns - _LABEL - 4)]
        lines += beside(view.paint(pad(name_action(action), _LABEL), Tone.FAINT), _LABEL, rows)
    return lines


def _tell_action(action: MitigationAction, response: str) -> str:
    match action:
        case Leave(span):
            return f'"{response[span.start : span.end]}" stays: too weak to act on'
        case Flag(span, annotation):
            return f'"{response[span.start : span.end]}" {annotation}'
        case Correct(_, original, replacement, source):
            return f'"{original}" becomes "{replacement}" ({source})'
        case Remove(span, reason):
            return f'"{response[span.start : span.end]}" goes: {reason}'
        case Regenerate(guidance):
            return guidance
        case Escalate(reason):
            return reason


def _render_difference(report: DetectionReport, view: View) -> list[str]:
    """What is shown in place of the answer, word by word: [-gone-] and {+new+}."""
    if report.mitigated == report.response:
        return []
    lines = ["", view.paint("Mitigated", Tone.STRONG)]
    old, new = _WORDS.findall(report.response), _WORDS.findall(report.mitigated)
    pieces: list[str] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        gone, come = "".join(old[a:b]), "".join(new[c:d])
        if kind == "equal":
            pieces.append(gone)
            continue
        pieces += [f"[-{gone.strip()}-]"] if gone.strip() else []
        pieces += [f"{{+{come.strip()}+}}"] if come.strip() else []
        pieces.append(gone[len(gone.rstrip()) :] or come[len(come.rstrip()) :] or (" " if gone[:1].isspace() else ""))
    lines += indent(underline("".join(pieces), (), view, 2))
    if not report.mitigated.strip():
        lines += indent([view.paint("nothing is left of the answer", Tone.FAINT)])
    return lines


def is_clean(report: DetectionReport) -> bool:
    """A detector that failed has not found the answer clean."""
    return not report.flags and not report.errors


def _warn(name: str, why: str, view: View) -> list[str]:
    return wrap(flatten(f"Could not be done: {name} ({why})"), view.columns)
