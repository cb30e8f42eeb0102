"""The face of the stream gate: what may be asked of it. The work is done by the guard of each stream."""

from __future__ import annotations

import threading
import uuid
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from groundwire.errors import InvalidInput, ModelUnavailable
from groundwire.guard.branching import Branching, Request, measure_success
from groundwire.guard.canaries import CanaryResult, load_canaries, run_canaries
from groundwire.guard.edges import guard_stream, guard_stream_async
from groundwire.guard.events import StreamEvent
from groundwire.guard.kept import KeptRecords
from groundwire.guard.monitor import HealthReport, Monitors
from groundwire.guard.noting import VerdictNotes
from groundwire.guard.policy import GuardMode, GuardOptions, OnUndisclosed, OnUnverified, read_word
from groundwire.guard.protocols import AsyncRegenerate, GuardLog, Guidance, Regenerate
from groundwire.guard.ring import RecentRecords
from groundwire.guard.sourcing import House, Judges, Remembering, Source
from groundwire.guard.stream import StreamGuard
from groundwire.guard.supervision import Supervision
from groundwire.guard.switch import RestrainedJudge, WatchedScorer
from groundwire.judge.judge import Judge, as_passages
from groundwire.judge.rules import RULES
from groundwire.judge.windows import weigh
from groundwire.types import ClaimReport, Memory, Passage, Scope, VerificationReport

if TYPE_CHECKING:
    from groundwire.evidence.protocols import Embedder
    from groundwire.judge.protocols import PairScorer
    from groundwire.settings import Settings
    from groundwire.verify.limits import Limits


@dataclass(frozen=True, slots=True)
class Opened:
    """A stream made ready: its guard, and how its branches are opened once it is halted."""

    guard: StreamGuard
    open_branches: Callable[[StreamGuard, str], Branching]
    options: GuardOptions


class Guarding:
    """The half of Groundwire that guards streams. Monitors and records belong to the process."""

    settings: Settings
    monitors: Monitors
    guard_log: GuardLog
    _limits: Limits
    _scorer: WatchedScorer | None = None
    _is_warm: bool = False

    def _open(self) -> Judges:
        raise NotImplementedError

    def _begin_guarding(self) -> None:
        self.monitors = Monitors(probe=self._probe, base_confidence=self.settings.refute_confidence)
        self.guard_log = (
            KeptRecords(lambda: self._open_memory().store.sessions) if self._has_memory else RecentRecords()
        )

    def _open_memory(self) -> Remembering:
        raise NotImplementedError

    def _choose_embedder(self) -> Embedder:
        raise NotImplementedError

    def _tell_ticks(self) -> float:
        raise NotImplementedError

    def _tell_time(self) -> datetime:
        raise NotImplementedError

    @property
    def _has_memory(self) -> bool:
        raise NotImplementedError

    # ── the gate ────────────────────────────────────────────────────────────────────────────────

    def guard(
        self,
        tokens: Iterable[str],
        *,
        memories: Sequence[Memory | str] = (),
        passages: Sequence[Passage | str] = (),
        user: str | None = None,
        tenant: str = "default",
        query: str = "",
        mode: str = "strict",
        options: GuardOptions | None = None,
        regenerate: Regenerate | None = None,
        guidance: Guidance | None = None,
        request_id: str | None = None,
        now: datetime | None = None,
    ) -> Generator[StreamEvent, None, None]:
        """Release an answer as it is written, sentence by sentence, once each has been verified.

        The evidence is what is given, or else what is remembered of `user`. A halted answer is asked for again by
        `regenerate`; without one, or when all fails, the abstention is the last event. `options` go before `mode`.
        """
        opened = self.open_stream(
            memories=memories, passages=passages, user=user, tenant=tenant, query=query, mode=mode, options=options,
            may_branch=regenerate is not None, guidance=guidance, request_id=request_id, now=now,
        )  # fmt: skip
        return guard_stream(tokens, opened.guard, opened.open_branches, regenerate, patience=opened.options.patience)

    def aguard(
        self,
        tokens: AsyncIterable[str] | Iterable[str],
        *,
        memories: Sequence[Memory | str] = (),
        passages: Sequence[Passage | str] = (),
        user: str | None = None,
        tenant: str = "default",
        query: str = "",
        mode: str = "strict",
        options: GuardOptions | None = None,
        regenerate: AsyncRegenerate | None = None,
        guidance: Guidance | None = None,
        request_id: str | None = None,
        now: datetime | None = None,
    ) -> AsyncGenerator[StreamEvent, None]:
        """The same for an event loop: nothing that takes time runs in it."""
        opened = self.open_stream(
            memories=memories, passages=passages, user=user, tenant=tenant, query=query, mode=mode, options=options,
            may_branch=regenerate is not None, guidance=guidance, request_id=request_id, now=now,
        )  # fmt: skip
        return guard_stream_async(tokens, opened.guard, opened.open_branches, regenerate)

    def open_stream(
        self,
        *,
        memories: Sequence[Memory | str] = (),
        passages: Sequence[Passage | str] = (),
        user: str | None = None,
        tenant: str = "default",
        query: str = "",
        mode: str = "strict",
        options: GuardOptions | None = None,
        may_branch: bool = False,
        guidance: Guidance | None = None,
        request_id: str | None = None,
        now: datetime | None = None,
    ) -> Opened:
        """A guard for whoever reads and writes the stream himself: `feed`, `flush`, and branches after a halt."""
        chosen = options or GuardOptions(mode=read_word("mode", GuardMode, mode), fail_closed=self.settings.fail_closed)
        chosen = chosen if may_branch else _without_branches(chosen)
        given = self._collect(memories, passages, user)
        scope = Scope(user or "user", tenant)
        house = House(self.settings, self._open, self._open_memory, self._warm_up, self._tell_ticks)
        source = Source(house, given, scope, now or self._tell_time())
        supervision = Supervision(
            source.verify, source.verify_by_rules, self.monitors, tenant, clock=self._tell_ticks,
            prepare=source.prepare, similarity=self._measure_similarity, slow_ms=self.settings.slow_verification_ms,
        )  # fmt: skip
        most = self.settings.max_branches if may_branch else 0
        request = Request(request_id or uuid.uuid4().hex, query, scope, most)

        def open_branches(guard: StreamGuard, shown: str) -> Branching:
            halt, report = guard.halted, guard.report
            if halt is None or report is None:
                raise InvalidInput("guard", "was not halted; only a halted stream is asked for again")
            return Branching(
                supervision, halt, report, request, chosen,
                released=shown, evidence=guard.evidence, guidance=guidance,
                log=self.guard_log, now=self._tell_time, open_notes=open_notes,
            )  # fmt: skip

        def open_notes() -> VerdictNotes | None:
            return VerdictNotes(partial(self._log_verdicts, scope), self._tell_time) if given is None else None

        guard = StreamGuard(supervision, chosen, on_end=supervision.finish, notes=open_notes())
        return Opened(guard, open_branches, chosen)

    def _log_verdicts(self, scope: Scope, report: VerificationReport, moment: datetime) -> None:
        """As the read gate does it: what was judged by what is remembered of somebody is in the log of verdicts."""
        model = "" if report.judge == RULES else self._open().model
        self._open_memory().log_report(scope, report, moment, model)

    def _collect(
        self, memories: Sequence[Memory | str], passages: Sequence[Passage | str], user: str | None
    ) -> list[Memory] | None:
        """What is given as evidence; None where it is to be looked up."""
        if user is not None and not memories and not passages and self._has_memory:
            return None
        given = [m if isinstance(m, Memory) else Memory(f"m{i}", m) for i, m in enumerate(memories, 1)]
        given += [Memory(p.id, p.text, p.trust, p.timestamp) for p in as_passages(passages)]
        if user:
            given.append(Memory(f"name:{user}", f"The user's name is {user}."))
        self._limits.check_memories(given)
        return given

    def _measure_similarity(self, claim: ClaimReport, evidence: Sequence[str]) -> Sequence[float]:
        """By meaning. Evidence for a claim about a named slot was found by that slot, and is to the point however it is
        worded; so is what has half of the claim's words. Neither needs a closer look."""
        if claim.claim.slot_type is not None or claim.correction is not None:
            return [1.0] * len(evidence)
        shares = weigh(claim.text, evidence)
        if min(shares) >= _SAME_WORDS:
            return shares
        try:
            first, *others = self._choose_embedder().embed([claim.text, *evidence]).tolist()
        except ModelUnavailable:
            return ()
        return [sum(a * b for a, b in zip(first, other, strict=True)) for other in others]

    # ── the judge's health ──────────────────────────────────────────────────────────────────────

    def health(self) -> HealthReport:
        """The monitors of this process: what they have seen, which of them fire, and what to do about it."""
        return self.monitors.health()

    def branch_success(self, *, user: str, tenant: str = "default") -> float | None:
        """The share of branches that improved the verdict; None before the first."""
        return measure_success(list(self.guard_log.branches(Scope(user, tenant), limit=1_000)))

    def examine_judge(self) -> list[tuple[str, bool, str, str]]:
        """For the doctor: whether the model recognises known-false claims, and what the monitors say."""
        opened = self._open()
        missing = opened.problem
        health = self.health()
        monitored = f"{sum(tenant.outputs for tenant in health.tenants)} outputs watched in this process"
        monitors = ("monitors", health.ok, "; ".join(health.notices) or monitored, "see groundwire's stream gate")
        if missing is not None:
            return [("judge", False, missing.problem, missing.remedy), monitors]
        if self._scorer is None:
            return [("judge", True, f"{opened.verifier.name}, without a model", ""), monitors]
        result = self._probe()
        recognised = f"{result.total - result.supported} of {result.total} known-false claims were recognised"
        remedy = "rules judge meanwhile; train the model again, or install another one"
        return [("judge", result.is_passed, result.problem or recognised, remedy), monitors]

    def _restrain(self, judge: Judge) -> Judge:
        """What is approved on the judge's word alone waits for a person while the judge supports everything."""
        return RestrainedJudge(judge, lambda: self.monitors.is_degenerate)

    def _watch(self, scorer: PairScorer) -> WatchedScorer:
        self._scorer = WatchedScorer(scorer, self.monitors.take_out)
        return self._scorer

    def _probe(self) -> CanaryResult:
        """Rules alone have nothing to degenerate."""
        return CanaryResult(len(load_canaries())) if self._scorer is None else run_canaries(self._scorer.score)

    def _warm_up(self) -> None:
        """Loading the model and the tables is no verification, and its time is not held against it."""
        if self._is_warm:
            return
        with _WARMING:
            if not self._is_warm:
                opened = self._open()
                opened.verifier.verify(_WORDS, [Memory("warm", _OTHER_WORDS)])
                if self._scorer is not None:
                    _try_once(self._scorer)
                self._is_warm = True


_WARMING = threading.Lock()
_SAME_WORDS = 0.5
_WORDS, _OTHER_WORDS = "Ada moved to Ulm in May 2020.", "Ada, who moved to Ulm two years ago, likes the river."


def _try_once(scorer: WatchedScorer) -> None:
    try:
        scorer.score([(_OTHER_WORDS, _WORDS)])
    except ModelUnavailable:
        return  # the first sentence will say so


def _without_branches(options: GuardOptions) -> GuardOptions:
    """Nobody can be asked again: what would have been, is marked or told instead."""
    unverified = OnUnverified.ANNOTATE if options.unverified is OnUnverified.BRANCH else options.unverified
    is_asked = options.undisclosed is OnUndisclosed.BRANCH
    return replace(
        options, unverified=unverified, undisclosed=OnUndisclosed.INSERT if is_asked else options.undisclosed
    )
