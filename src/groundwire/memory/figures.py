"""The write gate and the read gate in figures, from what is on record: tiers over time, and what verdicts led to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, timedelta

from groundwire.types import Action, Verdict
from groundwire.types.records import AuditEntry, VerdictRecord

GATE = "gate"
MOST_STEPS = 36
_DAYS, _WEEKS = 31, 26 * 7


@dataclass(frozen=True, slots=True)
class Step:
    """A day, a week or a month, by its first day, with how many candidates went which way."""

    begin: date
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Rates:
    """Of the claims that were checked: how many of each verdict, and of each action that followed."""

    total: int
    verdicts: Mapping[Verdict, int]
    actions: Mapping[Action, int]

    def share(self, action: Action) -> float | None:
        return self.actions[action] / self.total if self.total else None


def count_tiers(entries: Iterable[AuditEntry]) -> tuple[Step, ...]:
    """Decisions of the write gate by day, week or month, whichever suits the time they span; the latest steps alone
    where there are many. A step in which nothing happened is there as well."""
    decided = [(entry.recorded_at.astimezone(UTC).date(), entry.outcome) for entry in entries if entry.action == GATE]
    if not decided:
        return ()
    first, last = min(day for day, _ in decided), max(day for day, _ in decided)
    begin_of, following = _choose_step((last - first).days)
    counts: dict[date, Counter[str]] = {}
    step = begin_of(first)
    while step <= last:
        counts[step] = Counter()
        step = following(step)
    for day, outcome in decided:
        counts[begin_of(day)][outcome] += 1
    return tuple(Step(begin, dict(counted)) for begin, counted in counts.items())[-MOST_STEPS:]


def rate_actions(records: Iterable[VerdictRecord]) -> Rates:
    listed = list(records)
    verdicts, actions = Counter(one.verdict for one in listed), Counter(one.action for one in listed)
    return Rates(len(listed), {v: verdicts[v] for v in Verdict}, {a: actions[a] for a in Action})


def _choose_step(days: int) -> tuple[Callable[[date], date], Callable[[date], date]]:
    if days <= _DAYS:
        return (lambda day: day), (lambda day: day + timedelta(days=1))
    if days <= _WEEKS:
        return (lambda day: day - timedelta(days=day.weekday())), (lambda day: day + timedelta(days=7))
    return (lambda day: day.replace(day=1)), (lambda day: (day + timedelta(days=32)).replace(day=1))
