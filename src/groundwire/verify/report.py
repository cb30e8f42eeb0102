"""The verifier of the read gate: claims → evidence → verdicts → contradictions → disclosure → report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from groundwire.evidence.index import EvidenceIndex
from groundwire.judge.action import decide_action, most_severe
from groundwire.judge.alignment import Aliases
from groundwire.judge.explanation import explain
from groundwire.judge.fallback import compare_surface
from groundwire.judge.rules import RULES, Part, find_parts
from groundwire.settings import Settings
from groundwire.text.catalogue import load_catalogue
from groundwire.text.reading import ReadClaim, Reading, read_text
from groundwire.types import (
    Action,
    ClaimReport,
    Disclosure,
    Memory,
    MemoryKind,
    MemoryStatus,
    Polarity,
    Span,
    Standing,
    Verdict,
    VerificationReport,
    VerifyMode,
)
from groundwire.verify.contradictions import ContradictionDetector, Held
from groundwire.verify.correction import Edit, apply_edits, drop_negation, replace_value
from groundwire.verify.disclosure import Change, Usage, find_usages, is_disclosed, missing_disclosures, order_values
from groundwire.verify.weighing import Scales, Timeline, Weighed

_WORST = (Standing.REFUTED, Standing.STALE, Standing.CONFLICTING, Standing.UNSUPPORTED, Standing.SUPPORTED)


@dataclass(frozen=True, slots=True)
class _Judged:
    """A claim with its weighed parts; the first is the one that decided."""

    read: ReadClaim
    parts: tuple[Weighed, ...]
    report: ClaimReport


class GroundCheckVerifier:
    """Verifies an answer against memories with rules alone: no model, no network, same bytes every time."""

    def __init__(self, settings: Settings | None = None, *, clock: Callable[[], float] | None = None) -> None:
        self._settings = settings or Settings()
        self._clock = clock or (lambda: 0.0)
        self._catalogue = load_catalogue(tuple(self._settings.exclusive_slots), tuple(self._settings.additive_slots))
        self._detector = ContradictionDetector(
            trust_threshold=self._settings.trust_threshold,
            trust_gap=self._settings.trust_gap,
            catalogue=self._catalogue,
        )

    def verify(
        self, text: str, memories: Sequence[Memory], *, mode: VerifyMode = VerifyMode.POSTHOC, branch_count: int = 0
    ) -> VerificationReport:
        started = self._clock()
        reading = read_text(text, self._catalogue)
        reading = reading if reading.claims else _with_bare_answers(reading)
        surplus = max(0, len(reading.claims) - self._settings.max_claims)
        reading = replace(reading, claims=reading.claims[: self._settings.max_claims]) if surplus else reading
        index = EvidenceIndex([m for m in memories if m.kind is not MemoryKind.SHARED_NARRATIVE], self._catalogue)
        held = [Held(fact, index.memories[p.passage.id]) for p in index.passages for fact in p.reading.facts]
        aliases = Aliases.learn(entry.fact for entry in held)
        contradictions = self._detector.detect_in(held, aliases)
        usages = find_usages(reading, contradictions, aliases)
        hidden = missing_disclosures(usages, reading, aliases)
        told = [u for u in usages if is_disclosed(u, reading, aliases)]
        current = [entry for entry in held if entry.memory.status is MemoryStatus.ACTIVE]
        scales = Scales(
            index.memories, Timeline(current, aliases),
            trust_threshold=self._settings.trust_threshold, trust_gap=self._settings.trust_gap,
        )  # fmt: skip
        judged = [self._judge(claim, index, aliases, scales, told, mode, branch_count) for claim in reading.claims]
        report = self._report(text, reading, judged, [d for _, d in hidden], surplus)
        edits = self._edits(text, judged, hidden)
        corrected = apply_edits(text, edits) if edits else None
        return replace(
            report,
            contradictions=contradictions,
            corrected=corrected if corrected != text else None,
            latency_ms=(self._clock() - started) * 1000,
        )

    # ── one claim ───────────────────────────────────────────────────────────────────────────────

    def _judge(
        self,
        read: ReadClaim,
        index: EvidenceIndex,
        aliases: Aliases,
        scales: Scales,
        told: Sequence[Usage],
        mode: VerifyMode,
        branch_count: int,
    ) -> _Judged:
        parts = find_parts(read, index.select(read), aliases)
        if not any(part.findings for part in parts):
            same = [f for p in index.passages[:256] if (f := compare_surface(read.claim.text, p.passage)) is not None]
            parts = (Part(parts[0].fact, parts[0].argument, tuple(same)), *parts[1:])
        weighed = [scales.weigh(part) for part in parts]
        if any(usage.claim is read for usage in told):
            weighed = [_accept_disclosed(w) for w in weighed]
        weighed.sort(key=lambda w: _WORST.index(w.standing))
        return _Judged(read, tuple(weighed), self._claim_report(read, weighed, mode, branch_count))

    def _claim_report(
        self, read: ReadClaim, weighed: Sequence[Weighed], mode: VerifyMode, branch_count: int
    ) -> ClaimReport:
        decisive = weighed[0]
        verdict, standing = decisive.verdict, decisive.standing
        confidence = min(w.confidence for w in weighed) if verdict is Verdict.SUPPORTED else decisive.confidence
        if read.claim.hedged and verdict is Verdict.SUPPORTED:
            verdict, standing = Verdict.INSUFFICIENT, Standing.HEDGED
        action = decide_action(
            verdict, confidence, branch_count, mode,
            refute_confidence=self._settings.refute_confidence, max_branches=self._settings.max_branches,
        )  # fmt: skip
        if standing is Standing.HEDGED:
            action = Action.CONTINUE
        evidence = tuple(dict.fromkeys(i for w in weighed if w.standing is decisive.standing for i in w.evidence))
        return ClaimReport(
            read.claim, verdict, standing, confidence, evidence, explain(verdict, decisive.finding), action,
            wrong=_wrong_span(read, decisive), correction=_right_value(read, decisive),
        )  # fmt: skip

    # ── the whole answer ────────────────────────────────────────────────────────────────────────

    def _report(
        self, text: str, reading: Reading, judged: Sequence[_Judged], hidden: Sequence[Disclosure], surplus: int
    ) -> VerificationReport:
        reports = tuple(j.report for j in judged)
        unsound = [r for r in reports if r.verdict is not Verdict.SUPPORTED and r.standing is not Standing.HEDGED]
        actions = [r.action for r in reports]
        if hidden:
            actions.append(Action.BRANCH)
        unverified = [r.text for r in reports if r.verdict is Verdict.INSUFFICIENT]
        return VerificationReport(
            text=text,
            grounded=not unsound and not hidden and not surplus,
            claims=reports,
            hallucinations=_quotes(text, judged, Verdict.REFUTED, (Standing.REFUTED, Standing.STALE)),
            unverifiable=_quotes(text, judged, Verdict.INSUFFICIENT, (Standing.UNSUPPORTED,)),
            contradictions=(),
            requires_disclosure=bool(hidden),
            expected_disclosure="; ".join(d.phrase for d in hidden) or None,
            disclosures=tuple(hidden),
            grounding_map=_grounding_map(text, judged),
            corrected=None,
            action=most_severe(actions),
            confidence=min((r.confidence for r in reports), default=1.0),
            latency_ms=0.0,
            judge=RULES,
            not_analysed=surplus,
            caveat=f"not verified: {'; '.join(unverified)}" if unverified else None,
        )

    def _edits(self, text: str, judged: Sequence[_Judged], hidden: Sequence[tuple[Usage, Disclosure]]) -> list[Edit]:
        edits: list[Edit] = []
        for usage, disclosure in hidden:
            edits.append(_disclose(text, usage, disclosure, order_values(usage.contradiction)))
        for entry in judged:
            report = entry.report
            if report.verdict is not Verdict.REFUTED:
                continue
            for part in entry.parts:
                edit = _correct(text, entry.read, part)
                if edit is not None:
                    edits.append(edit)
        return edits


def _with_bare_answers(reading: Reading) -> Reading:
    """ "Berlin." answers a question: a note that carries a value is then what has to be checked."""
    bare = tuple(
        replace(read, is_note=False)
        for read in reading.statements
        if read.proposition.is_fragment
        and (read.proposition.names or any(c.isdigit() for w in read.proposition.lemmas for c in w))
    )
    return replace(reading, claims=bare)


def _accept_disclosed(weighed: Weighed) -> Weighed:
    """An open conflict that the answer lays open is told truthfully."""
    if weighed.standing in (Standing.CONFLICTING, Standing.STALE) and weighed.verdict is Verdict.INSUFFICIENT:
        return replace(weighed, verdict=Verdict.SUPPORTED, standing=Standing.SUPPORTED)
    return weighed


def _wrong_span(read: ReadClaim, weighed: Weighed) -> Span | None:
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


def _right_value(read: ReadClaim, weighed: Weighed) -> str | None:
    finding = weighed.finding
    other = finding.reason in ("other_value", "other_agent", "other_time") and weighed.verdict is Verdict.REFUTED
    stale = weighed.standing is Standing.STALE and finding.reason == "other_value"
    return finding.evidence_value if (other or stale) and read.claim.polarity is Polarity.POSITIVE else None


def _correct(text: str, read: ReadClaim, weighed: Weighed) -> Edit | None:
    if weighed.verdict is not Verdict.REFUTED:
        return None
    if read.claim.polarity is Polarity.NEGATIVE:
        return drop_negation(text, read.claim.span)
    value, span = _right_value(read, weighed), weighed.finding.wrong
    if value and span is not None and span != read.claim.span:
        return replace_value(text, span, value)
    return None


def _disclose(text: str, usage: Usage, disclosure: Disclosure, change: Change) -> Edit:
    """ "Amazon" → "Amazon (changed from Microsoft)", whichever of the two the answer used."""
    span = usage.fact.value_span
    return replace_value(text, span, disclosure.phrase)


def _quotes(text: str, judged: Sequence[_Judged], verdict: Verdict, standings: tuple[Standing, ...]) -> tuple[str, ...]:
    """The parts at fault, as written in the answer."""
    found: list[str] = []
    for entry in judged:
        if entry.report.verdict is not verdict:
            continue
        for part in entry.parts:
            if part.verdict is verdict and part.standing in standings:
                span = _wrong_span(entry.read, part)
                if span is not None:
                    found.append(text[span.start : span.end])
    return tuple(dict.fromkeys(found))


def _grounding_map(text: str, judged: Sequence[_Judged]) -> dict[str, str]:
    """Supported value → the memory that carries it; a value found in two slots is prefixed with its slot."""
    rows: list[tuple[str, str, str]] = []
    for entry in judged:
        for part in entry.parts:
            if part.verdict is not Verdict.SUPPORTED or not part.evidence:
                continue
            fact = part.part.fact
            if part.part.argument is not None:
                span, slot = part.part.argument.span, "detail"
            elif fact is not None:
                span, slot = fact.value_span, fact.slot_type
            else:
                span, slot = entry.read.claim.span, "claim"
            rows.append((text[span.start : span.end], slot, part.evidence[0]))
    slots: dict[str, set[str]] = {}
    for value, slot, _ in rows:
        slots.setdefault(value, set()).add(slot)
    found: dict[str, str] = {}
    for value, slot, memory_id in rows:
        name = f"{slot}:{value}" if len(slots[value] - {"detail"}) > 1 else value
        found.setdefault(name, memory_id)
    return found
