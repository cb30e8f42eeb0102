"""Weighing: when memories disagree about a part of a claim, trust and time decide."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from groundwire.judge.alignment import Aliases
from groundwire.judge.findings import Finding
from groundwire.judge.kinds import side_of
from groundwire.judge.parts import Part
from groundwire.judge.slots import relate_in_slot
from groundwire.text.values import Relation
from groundwire.types import Memory, MemoryStatus, Polarity, Standing, Tense, Verdict
from groundwire.verify.contradictions import Held, is_below


@dataclass(frozen=True, slots=True)
class Weighed:
    """The outcome for one part, with the memories that carry it."""

    part: Part
    verdict: Verdict
    standing: Standing
    confidence: float
    finding: Finding
    evidence: tuple[str, ...]

    def left_open(self) -> Weighed:
        """The same part, borne out by nobody."""
        finding = Finding(Verdict.INSUFFICIENT, 0.8, "not_mentioned")
        return Weighed(self.part, Verdict.INSUFFICIENT, Standing.UNSUPPORTED, 0.8, finding, ())


class Timeline:
    """What each exclusive slot of each subject held, and when: answers whether a value was superseded."""

    def __init__(self, held: Iterable[Held], aliases: Aliases) -> None:
        entries: dict[tuple[str, str, str], list[Held]] = defaultdict(list)
        for entry in held:
            fact = entry.fact
            if fact.exclusive and fact.polarity is Polarity.POSITIVE and fact.tense is Tense.PRESENT:
                entries[aliases.canonical(fact.subject), fact.slot_type, side_of(fact)].append(entry)
        self._superseded = {
            (entry.memory.id, entry.fact.slot_type)
            for group in entries.values()
            if len(group) > 1
            for entry in _outlived(group)
        }

    def is_superseded(self, memory: Memory, slot: str | None) -> bool:
        """Does a newer memory hold another value of the same slot?"""
        return memory.status is MemoryStatus.SUPERSEDED or (memory.id, slot) in self._superseded


def _outlived(group: list[Held]) -> Iterable[Held]:
    """Entries older than the newest one, with another value than it."""
    dated = [e for e in group if e.memory.timestamp is not None]
    if not dated:
        return
    newest = max(dated, key=lambda e: (e.memory.timestamp or 0, e.memory.trust))
    for entry in dated:
        older = (entry.memory.timestamp or 0) < (newest.memory.timestamp or 0)
        if older and relate_in_slot(entry.fact.slot_type, entry.fact.raw, newest.fact.raw) is Relation.DIFFERENT:
            yield entry


_NO_EVIDENCE = Finding(Verdict.INSUFFICIENT, 1.0, "no_evidence")


class Scales:
    """Decides parts with the trust rules of the read gate."""

    def __init__(
        self, memories: Mapping[str, Memory], timeline: Timeline, *, trust_threshold: float, trust_gap: float
    ) -> None:
        self._memories = memories
        self._timeline = timeline
        self._threshold = trust_threshold
        self._gap = trust_gap

    def weigh(self, part: Part) -> Weighed:
        findings = [self._dated(f, part) for f in part.findings]
        supporting = [f for f in findings if f.verdict is Verdict.SUPPORTED]
        refuting = [f for f in findings if f.verdict is Verdict.REFUTED]
        if supporting and not refuting:
            return self._supported(part, supporting)
        if refuting and not supporting:
            return self._refuted(part, refuting)
        if supporting and refuting:
            return self._disputed(part, supporting, refuting)
        if not self._memories:
            return Weighed(part, Verdict.INSUFFICIENT, Standing.UNSUPPORTED, 1.0, _NO_EVIDENCE, ())
        silent = max(findings, key=lambda f: f.strength, default=Finding(Verdict.INSUFFICIENT, 0.8, "not_mentioned"))
        return Weighed(part, Verdict.INSUFFICIENT, Standing.UNSUPPORTED, silent.strength, silent, ())

    def _dated(self, finding: Finding, part: Part) -> Finding:
        """What an old memory says of the present, or a present one of the past."""
        memory = self._memories[finding.passage_id]
        inactive = memory.status is not MemoryStatus.ACTIVE
        if (
            finding.reason == "still_current"
            and part.fact is not None
            and (inactive or self._timeline.is_superseded(memory, part.fact.slot_type))
        ):
            return replace(finding, verdict=Verdict.SUPPORTED, strength=0.9, reason="ended", wrong=None)
        if (
            inactive
            and finding.verdict is Verdict.SUPPORTED
            and part.fact is not None
            and part.fact.tense is Tense.PRESENT
        ):
            return replace(
                finding,
                verdict=Verdict.REFUTED,
                strength=0.85,
                reason="former_value",
                former=True,
                wrong=part.fact.value_span,
            )
        if inactive and finding.reason == "denied_value":
            return replace(finding, verdict=Verdict.SUPPORTED, strength=0.9, reason="ended", wrong=None)
        if inactive and finding.verdict is Verdict.REFUTED:
            return replace(finding, verdict=Verdict.INSUFFICIENT, wrong=None)
        return finding

    def _best(self, findings: list[Finding]) -> tuple[Finding, Memory]:
        """Highest trust, then newest, then smallest id."""

        def order(finding: Finding) -> tuple[float, int, str]:
            memory = self._memories[finding.passage_id]
            return (-memory.trust, -(memory.timestamp or 0), memory.id)

        best = min(findings, key=order)
        return best, self._memories[best.passage_id]

    def _ids(self, findings: list[Finding]) -> tuple[str, ...]:
        best, _ = self._best(findings)
        told = (id for f in (best, *findings) for id in (f.passage_id, *f.beside))
        return tuple(dict.fromkeys(told))

    def _supported(self, part: Part, findings: list[Finding]) -> Weighed:
        best, _ = self._best(findings)
        strength = max(f.strength for f in findings)
        return Weighed(part, Verdict.SUPPORTED, Standing.SUPPORTED, strength, best, self._ids(findings))

    def _refuted(self, part: Part, findings: list[Finding]) -> Weighed:
        best = self._latest(findings)
        standing = Standing.STALE if any(f.former for f in findings) else Standing.REFUTED
        return Weighed(part, Verdict.REFUTED, standing, max(f.strength for f in findings), best, self._ids(findings))

    def _latest(self, findings: list[Finding]) -> Finding:
        """Among trusted refutations the newest names the right value."""
        trusted = [f for f in findings if self._memories[f.passage_id].trust >= self._threshold] or findings
        return min(
            trusted,
            key=lambda f: (
                not f.exact,
                -(self._memories[f.passage_id].timestamp or 0),
                -self._memories[f.passage_id].trust,
                f.passage_id,
            ),
        )

    def _disputed(self, part: Part, supporting: list[Finding], refuting: list[Finding]) -> Weighed:
        ours, theirs = self._best(supporting)[1], self._best(refuting)[1]
        gap = ours.trust - theirs.trust
        apart = (ours.trust >= self._threshold) != (theirs.trust >= self._threshold)
        if not is_below(gap, self._gap) or (apart and gap > 0):
            return self._supported(part, supporting)
        if not is_below(-gap, self._gap) or (apart and gap < 0):
            return self._refuted(part, refuting)
        if not any(f.exact for f in refuting):
            return self._supported(part, supporting)
        if not any(f.exact for f in supporting):
            return self._refuted(part, refuting)
        newest, rival = self._newest(supporting), self._newest(refuting)
        if newest > rival or (newest == rival and gap > 0):
            return self._supported(part, supporting)
        finding = self._latest(refuting)
        untrusted = max(ours.trust, theirs.trust) < self._threshold
        if untrusted and newest < rival:
            return self._refuted(part, [replace(f, former=True) for f in refuting])
        if untrusted:
            return Weighed(
                part,
                Verdict.INSUFFICIENT,
                Standing.UNSUPPORTED,
                0.7,
                replace(finding, reason="conflict", wrong=None),
                (),
            )
        if newest == rival and gap == 0:
            both = self._ids([*supporting, *refuting])
            open_question = replace(finding, reason="conflict", evidence_value=both[-1])
            return Weighed(part, Verdict.INSUFFICIENT, Standing.CONFLICTING, 0.7, open_question, both)
        both = self._ids([finding, *refuting, *supporting])
        return Weighed(part, Verdict.INSUFFICIENT, Standing.STALE, 0.75, replace(finding, former=True), both)

    def _newest(self, findings: list[Finding]) -> int:
        return max((self._memories[f.passage_id].timestamp or 0) for f in findings)
