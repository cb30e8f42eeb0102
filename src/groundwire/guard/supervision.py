"""One output under supervision: the read gate with what its failure modes ask for."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.guard.monitor import MonitorKind, Monitors, TenantMonitor
from groundwire.guard.protocols import Checked
from groundwire.guard.stream import Tally
from groundwire.guard.window import WINDOW_TOKENS
from groundwire.judge.action import most_severe
from groundwire.text.counting import count_tokens
from groundwire.types import Action, ClaimReport, Standing, Verdict, VerificationReport, VerifyMode
from groundwire.verify.excerpts import Excerpt

SLOW_MS = 100.0
LEAST_SIMILAR = 0.3
_PIECES_OF_EVIDENCE = 64
logger = logging.getLogger(__name__)

Similarity = Callable[[ClaimReport, Sequence[str]], Sequence[float]]
"""How near each piece of evidence is to a claim, as a cosine."""


@dataclass(frozen=True, slots=True)
class Verified:
    """A report, the texts of the memories it cites by their ids, and why the model took no part, if it should have."""

    report: VerificationReport
    evidence: Mapping[str, str]
    problem: str = ""


Verify = Callable[[str, Excerpt, VerifyMode, int], Verified]


class Supervision:
    """Checks the parts of one output; what goes wrong with one of them is remembered for the rest."""

    def __init__(
        self,
        verify: Verify,
        rules: Verify,
        monitors: Monitors,
        tenant: str,
        *,
        clock: Callable[[], float],
        prepare: Callable[[], None] = lambda: None,
        similarity: Similarity | None = None,
        slow_ms: float = SLOW_MS,
    ) -> None:
        """`prepare` is called once, before the first check, and its time is held against nobody."""
        self._verify = verify
        self._rules = rules
        self._monitors = monitors
        self._monitor: TenantMonitor = monitors.of(tenant)
        self._clock = clock
        self._prepare: Callable[[], None] | None = prepare
        self._similarity = similarity
        self._slow_ms = slow_ms
        self._slow = ""
        self._near: deque[float] = deque(maxlen=_PIECES_OF_EVIDENCE)
        self._irrelevant = 0

    def __call__(
        self, text: str, excerpt: Excerpt, /, *, mode: VerifyMode = VerifyMode.INLINE, branch_count: int = 0
    ) -> Checked:
        if self._prepare is not None:
            self._prepare()
            self._prepare = None
        found, skipped = self._look(text, excerpt, mode, branch_count)
        report = self._set_aside(found)
        monitor = self._monitor
        return Checked(report, skipped, monitor.refute_confidence, monitor.is_raised, found.evidence)

    def finish(self, tally: Tally) -> None:
        """The output is done: it counts for its tenant."""
        affected = {MonitorKind.SLOW: self._slow, MonitorKind.IRRELEVANT_EVIDENCE: self._irrelevant}
        self._monitor.record(tally, [kind for kind, found in affected.items() if found])
        self._monitors.count("outputs")
        self._monitors.count("outputs_halted", tally.is_halted)
        self._monitors.count("outputs_unverified", bool(tally.skipped))
        self._monitors.count("outputs_exempt", tally.is_exempt)
        self._monitors.count("outputs_irrelevant", self._irrelevant > 0)

    def _look(self, text: str, excerpt: Excerpt, mode: VerifyMode, branch_count: int) -> tuple[Verified, str]:
        """With the model where it can be trusted and is fast enough, else by rules; and why."""
        if self._slow:
            return self._rules(text, excerpt, mode, branch_count), self._slow
        if self._monitor.is_degenerate:
            return self._rules(text, excerpt, mode, branch_count), "the judge supports what is known to be false"
        started = self._clock()
        found = self._verify(text, excerpt, mode, branch_count)
        took = (self._clock() - started) * 1000
        allowed = self._slow_ms * max(1, math.ceil(count_tokens(text) / WINDOW_TOKENS) if excerpt.is_whole else 1)
        if took > allowed:
            self._slow = f"verification took {took:.0f} ms, more than {allowed:.0f}"
            logger.info("%s: the model is left out for this output", self._slow)
            self._monitors.count("outputs_slow")
            return self._rules(text, excerpt, mode, branch_count), self._slow
        return found, found.problem

    def _set_aside(self, found: Verified) -> VerificationReport:
        """While the evidence of an output is far from what it says, on average, claims stay open: nothing is done."""
        report = found.report
        if self._similarity is None:
            return report
        claims = tuple(self._open_if_irrelevant(claim, found.evidence, self._similarity) for claim in report.claims)
        changed = sum(new is not old for new, old in zip(claims, report.claims, strict=True))
        if not changed:
            return report
        self._irrelevant += changed
        self._monitors.count("claims_irrelevant", changed)
        action = most_severe([*(claim.action for claim in claims), *([Action.BRANCH] if report.disclosures else [])])
        return replace(report, claims=claims, action=action, grounded=False)

    def _open_if_irrelevant(
        self, claim: ClaimReport, evidence: Mapping[str, str], similarity: Similarity
    ) -> ClaimReport:
        texts = [evidence[id] for id in claim.evidence if id in evidence]
        if claim.verdict is Verdict.INSUFFICIENT or not texts:
            return claim
        self._near += similarity(claim, texts)
        if not self._near or sum(self._near) / len(self._near) >= LEAST_SIMILAR:
            return claim
        return replace(
            claim,
            verdict=Verdict.INSUFFICIENT,
            standing=Standing.UNSUPPORTED,
            explanation="INSUFFICIENT: the evidence speaks of something else.",
            action=Action.CONTINUE,
            wrong=None,
            correction=None,
        )
