"""Watching the judge itself: a verifier that supports everything, refutes everything, is slow or broken.

Each monitor belongs to one tenant of one process and needs a full window of outputs before it fires; outputs that claim
nothing are no outputs to it. What is slow, irrelevant or corrupt has its effect on the output at once, monitor or not.

    always_supported     above 99% supported, and known-false claims supported too: rules judge until the model
                         recognises them again; approvals that rest on the judge go to review
    always_refuted       above 50% refuted: a refutation needs 0.9 to lead to action, until the window is back at 50%
    irrelevant_evidence  more than one output in ten had evidence with an average similarity below 0.3
    slow                 more than one output in ten took too long to verify and went on without the model
    corrupt              the model computed no numbers: out of use in the whole process, at once
"""

from __future__ import annotations

import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from groundwire.errors import ModelCorrupt
from groundwire.guard.canaries import CanaryResult
from groundwire.guard.protocols import REFUTE_CONFIDENCE
from groundwire.guard.stream import Tally

WINDOW = 100
MOST_SUPPORTED = 0.99
MOST_REFUTED = 0.5
MOST_AFFECTED = 0.1
RAISED_CONFIDENCE = 0.9
_EVENTS_KEPT = 200
_MOST_TENANTS = 10_000
logger = logging.getLogger(__name__)


class MonitorKind(StrEnum):
    ALWAYS_SUPPORTED = "always_supported"
    ALWAYS_REFUTED = "always_refuted"
    IRRELEVANT_EVIDENCE = "irrelevant_evidence"
    SLOW = "slow"
    CORRUPT = "corrupt"


_REMEDIES = {
    MonitorKind.ALWAYS_SUPPORTED: "rules judge meanwhile; train the model again, or install another one",
    MonitorKind.ALWAYS_REFUTED: "look at what is remembered: it may be out of date, or of somebody else",
    MonitorKind.IRRELEVANT_EVIDENCE: "look at what is retrieved: it does not speak of what is said",
    MonitorKind.SLOW: "give it more cores, a smaller model, or raise slow_verification_ms",
    MonitorKind.CORRUPT: "rules judge meanwhile; install the model again",
}


@dataclass(frozen=True, slots=True)
class MonitorEvent:
    """A monitor fired, or cleared again. `wants_retraining` asks whoever looks after the model to train it."""

    kind: MonitorKind
    tenant: str
    is_firing: bool
    detail: str
    remedy: str = ""
    wants_retraining: bool = False


@dataclass(frozen=True, slots=True)
class TenantHealth:
    """One tenant's monitors: which fire, and what the window holds."""

    tenant: str
    outputs: int
    supported: float
    refuted: float
    firing: tuple[MonitorKind, ...]
    refute_confidence: float


@dataclass(frozen=True, slots=True)
class HealthReport:
    """The state of the judge in this process; `notices` is what a user should be told."""

    is_model_in_use: bool
    tenants: tuple[TenantHealth, ...]
    events: tuple[MonitorEvent, ...]
    counters: dict[str, int]
    notices: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.notices


class TenantMonitor:
    """The last outputs of one tenant, and what follows from them."""

    def __init__(
        self,
        tenant: str,
        *,
        probe: Callable[[], CanaryResult] | None,
        tell: Callable[[MonitorEvent], None],
        base_confidence: float = REFUTE_CONFIDENCE,
    ) -> None:
        self.tenant = tenant
        self._probe = probe
        self._tell = tell
        self._base = base_confidence
        self._outputs: deque[Tally] = deque(maxlen=WINDOW)
        self._affected: deque[frozenset[MonitorKind]] = deque(maxlen=WINDOW)
        self._until_probe = 0
        self._firing: dict[MonitorKind, str] = {}
        self._lock = threading.RLock()

    @property
    def firing(self) -> tuple[MonitorKind, ...]:
        with self._lock:
            return tuple(self._firing)

    @property
    def is_degenerate(self) -> bool:
        return MonitorKind.ALWAYS_SUPPORTED in self._firing

    @property
    def is_raised(self) -> bool:
        return MonitorKind.ALWAYS_REFUTED in self._firing

    @property
    def refute_confidence(self) -> float:
        return max(self._base, RAISED_CONFIDENCE) if self.is_raised else self._base

    def record(self, tally: Tally, affected: Iterable[MonitorKind] = ()) -> None:
        """An output is done; `affected` is what went wrong with it alone."""
        if not tally.supported + tally.refuted + tally.insufficient:
            return
        with self._lock:
            self._outputs.append(tally)
            self._affected.append(frozenset(affected))
            self._until_probe -= 1
            if len(self._outputs) < WINDOW:
                return
            supported, refuted = self._shares()
            self._watch_support(supported)
            detail = f"{refuted:.0%} of the claims of the last {WINDOW} outputs were refuted"
            self._set(MonitorKind.ALWAYS_REFUTED, refuted > MOST_REFUTED, detail)
            for kind in (MonitorKind.SLOW, MonitorKind.IRRELEVANT_EVIDENCE):
                share = sum(kind in found for found in self._affected) / WINDOW
                detail = f"{share:.0%} of the last {WINDOW} outputs were affected"
                self._set(kind, share > MOST_AFFECTED, detail)

    def health(self) -> TenantHealth:
        with self._lock:
            supported, refuted = self._shares()
            firing = tuple(self._firing)
            return TenantHealth(self.tenant, len(self._outputs), supported, refuted, firing, self.refute_confidence)

    def _shares(self) -> tuple[float, float]:
        supported = sum(tally.supported for tally in self._outputs)
        refuted = sum(tally.refuted for tally in self._outputs)
        total = supported + refuted + sum(tally.insufficient for tally in self._outputs)
        return (supported / total, refuted / total) if total else (0.0, 0.0)

    def _watch_support(self, share: float) -> None:
        """Canaries decide, and are run again once in every window: while they are supported, the judge is not used."""
        is_firing = MonitorKind.ALWAYS_SUPPORTED in self._firing
        if self._probe is None or self._until_probe > 0 or not (is_firing or share > MOST_SUPPORTED):
            return
        self._until_probe = WINDOW
        result = self._probe()
        shown = f"{result.supported} of {result.total} known-false claims were supported"
        detail = f"{share:.1%} of the claims of the last {WINDOW} outputs were supported; {result.problem or shown}"
        self._set(MonitorKind.ALWAYS_SUPPORTED, not result.is_passed, detail)

    def _set(self, kind: MonitorKind, is_firing: bool, detail: str) -> None:
        if is_firing == (kind in self._firing):
            return
        if is_firing:
            self._firing[kind] = detail
        else:
            del self._firing[kind]
        retrain = is_firing and kind is MonitorKind.ALWAYS_SUPPORTED
        remedy = _REMEDIES[kind] if is_firing else ""
        self._tell(MonitorEvent(kind, self.tenant, is_firing, detail, remedy, retrain))


class Monitors:
    """All monitors of one process. `listen` is called with every event; an event is logged and counted as well."""

    def __init__(
        self,
        *,
        probe: Callable[[], CanaryResult] | None = None,
        base_confidence: float = REFUTE_CONFIDENCE,
        listen: Callable[[MonitorEvent], None] | None = None,
    ) -> None:
        self._probe = probe
        self._base = base_confidence
        self._listen = listen
        self._tenants: dict[str, TenantMonitor] = {}
        self._events: deque[MonitorEvent] = deque(maxlen=_EVENTS_KEPT)
        self._counters: Counter[str] = Counter()
        self._lock = threading.Lock()
        self.corrupt: ModelCorrupt | None = None

    def of(self, tenant: str) -> TenantMonitor:
        with self._lock:
            found = self._tenants.pop(tenant, None) or TenantMonitor(
                tenant, probe=self._probe, tell=self.tell, base_confidence=self._base
            )
            self._tenants[tenant] = found
            while len(self._tenants) > _MOST_TENANTS:
                del self._tenants[next(iter(self._tenants))]
            return found

    @property
    def is_degenerate(self) -> bool:
        """Whether any tenant's judge is: what is approved on its word alone waits for a person then."""
        return any(monitor.is_degenerate for monitor in tuple(self._tenants.values()))

    def tell(self, event: MonitorEvent) -> None:
        state = "fires" if event.is_firing else "clears"
        self._events.append(event)
        self._counters[f"{event.kind}_{state}"] += 1
        logger.warning("monitor %s %s for %s: %s", event.kind, state, event.tenant, event.detail)
        if self._listen is not None:
            self._listen(event)

    def count(self, name: str, number: int = 1) -> None:
        with self._lock:
            self._counters[name] += number

    def take_out(self, error: ModelCorrupt) -> None:
        """The model is out of use for everybody."""
        self.corrupt = error
        remedy = _REMEDIES[MonitorKind.CORRUPT]
        self.tell(MonitorEvent(MonitorKind.CORRUPT, "*", True, error.problem, remedy))

    def health(self) -> HealthReport:
        with self._lock:
            monitors = sorted(self._tenants.items())
        tenants = tuple(monitor.health() for _, monitor in monitors)
        notices = [f"{self.corrupt.problem}; {_REMEDIES[MonitorKind.CORRUPT]}"] if self.corrupt is not None else []
        notices += [
            f"{kind.value} ({tenant.tenant}): {_REMEDIES[kind]}" for tenant in tenants for kind in tenant.firing
        ]
        in_use = self.corrupt is None and not self.is_degenerate
        return HealthReport(in_use, tenants, tuple(self._events), dict(self._counters), tuple(notices))
