"""Counters and timings of this process, in the text format of Prometheus. They name no tenant and no user."""

from __future__ import annotations

import math
import threading
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from groundwire.types import Action, VerificationReport, VerifierOutput

if TYPE_CHECKING:
    from groundwire.memory.candidates import Extraction
    from groundwire.memory.outcomes import Remembered
    from groundwire.memory.receipts import ValidationResult
    from groundwire.types.detection import DetectionReport, HallucinationFlag

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_QUANTILES = (0.5, 0.9, 0.99)
_WINDOW = 1_024
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})

Labels = tuple[tuple[str, str], ...]


class Family(NamedTuple):
    kind: str
    help: str


FAMILIES: Mapping[str, Family] = {
    "groundwire_verdicts_total": Family("counter", "Claims judged, by verdict."),
    "groundwire_actions_total": Family("counter", "What answers and judgements led to, by action."),
    "groundwire_abstentions_total": Family("counter", "Answers and judgements that led to abstaining."),
    "groundwire_branches_total": Family("counter", "Answers and judgements that led to asking again."),
    "groundwire_tiers_total": Family("counter", "Candidates of the write gate, by tier."),
    "groundwire_rejections_total": Family("counter", "Candidates that were refused, by reason."),
    "groundwire_flags_total": Family("counter", "Hallucinations that were flagged, by type."),
    "groundwire_review_decisions_total": Family("counter", "Decisions on what waited for review, by decision."),
    "groundwire_review_queue_depth": Family("gauge", "Items that wait for review."),
    "groundwire_requests_total": Family("counter", "Requests, by method, route and status."),
    "groundwire_requests_in_progress": Family("gauge", "Calls that are worked on or wait for it."),
    "groundwire_operation_seconds": Family("summary", "Time that calls of the library took, the last 1,024 of each."),
    "groundwire_request_seconds": Family("summary", "Time that requests took, the last 1,024 of each route."),
}


@dataclass(slots=True)
class _Timing:
    count: int = 0
    total: float = 0.0
    recent: deque[float] = field(default_factory=lambda: deque[float](maxlen=_WINDOW))

    def quantile(self, share: float) -> float:
        ordered = sorted(self.recent)
        return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


class Metrics:
    """Any thread may count."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, dict[Labels, float]] = defaultdict(lambda: defaultdict(float))
        self._timings: dict[str, dict[Labels, _Timing]] = defaultdict(lambda: defaultdict(_Timing))

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        _check(name, "counter")
        with self._lock:
            self._counts[name][tuple(sorted(labels.items()))] += amount

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        _check(name, "summary")
        with self._lock:
            timing = self._timings[name][tuple(sorted(labels.items()))]
            timing.count += 1
            timing.total += seconds
            timing.recent.append(seconds)

    # ── what the library answered ───────────────────────────────────────────────────────────────

    def note_action(self, action: Action) -> None:
        self.count("groundwire_actions_total", action=action.value)
        if action is Action.ABSTAIN:
            self.count("groundwire_abstentions_total")
        elif action is Action.BRANCH:
            self.count("groundwire_branches_total")

    def note_report(self, report: VerificationReport) -> None:
        for claim in report.claims:
            self.count("groundwire_verdicts_total", verdict=claim.verdict.value)
        self._note_flags(report.flags)
        self.note_action(report.action)

    def note_judgement(self, output: VerifierOutput) -> None:
        self.count("groundwire_verdicts_total", verdict=output.verdict.value)
        self.note_action(output.action)

    def note_receipt(self, receipt: ValidationResult) -> None:
        self.count("groundwire_tiers_total", tier=receipt.tier.label)
        if receipt.tier.label == "block":
            self.count("groundwire_rejections_total", reason=receipt.code)

    def note_remembered(self, *remembered: Remembered) -> None:
        for one in remembered:
            self.note_receipt(one.receipt)

    def note_extraction(self, extraction: Extraction) -> None:
        for rejection in extraction.rejected:
            self.count("groundwire_rejections_total", reason=rejection.reason.value)

    def note_detection(self, report: DetectionReport) -> None:
        self._note_flags(report.flags)

    def _note_flags(self, flags: Sequence[HallucinationFlag]) -> None:
        for flag in flags:
            self.count("groundwire_flags_total", type=flag.hallucination_type.value)

    # ── the text ────────────────────────────────────────────────────────────────────────────────

    def write(self, gauges: Mapping[str, float]) -> str:
        """Every family with its help, also where nothing has been counted yet."""
        lines: list[str] = []
        with self._lock:
            for name, family in FAMILIES.items():
                lines += [f"# HELP {name} {family.help}", f"# TYPE {name} {family.kind}"]
                if family.kind == "gauge":
                    lines += [_line(name, (), gauges[name])] if name in gauges else []
                elif family.kind == "counter":
                    lines += [_line(name, labels, value) for labels, value in sorted(self._counts[name].items())]
                else:
                    for labels, timing in sorted(self._timings[name].items(), key=lambda entry: entry[0]):
                        lines += _write_timing(name, labels, timing)
        return "\n".join(lines) + "\n"


def _write_timing(name: str, labels: Labels, timing: _Timing) -> list[str]:
    shares = [_line(name, (*labels, ("quantile", f"{q:g}")), timing.quantile(q)) for q in _QUANTILES]
    return [*shares, _line(f"{name}_sum", labels, timing.total), _line(f"{name}_count", labels, timing.count)]


def _line(name: str, labels: Labels, value: float) -> str:
    inner = ",".join(f'{label}="{text.translate(_ESCAPES)}"' for label, text in labels)
    return f"{name}{{{inner}}} {value:.10g}" if inner else f"{name} {value:.10g}"


def _check(name: str, kind: str) -> None:
    """A family that is not declared would be exported without its type: a mistake of the caller."""
    if FAMILIES[name].kind != kind:
        raise KeyError(f"{name} is no {kind}")
