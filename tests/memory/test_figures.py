"""Both gates in figures: tiers by day, week or month, and what verdicts led to."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire import Groundwire, Settings
from groundwire.memory.figures import MOST_STEPS, count_tiers, rate_actions
from groundwire.types import Action, Verdict
from groundwire.types.records import AuditEntry, VerdictRecord

START = datetime(2026, 1, 5, 9, tzinfo=UTC)


def entry(days: float, outcome: str = "auto_approve", action: str = "gate") -> AuditEntry:
    return AuditEntry(1, START + timedelta(days=days), "ada", "default", "a", action, "", outcome, "", "", "")


def test_decisions_of_a_few_days_are_counted_by_the_day():
    steps = count_tiers([entry(0), entry(0.2, "block"), entry(2, "flag_review"), entry(1, action="view")])
    assert [(step.begin, dict(step.counts)) for step in steps] == [
        (date(2026, 1, 5), {"auto_approve": 1, "block": 1}),
        (date(2026, 1, 6), {}),
        (date(2026, 1, 7), {"flag_review": 1}),
    ]


@pytest.mark.parametrize(("days", "second"), [(60, date(2026, 1, 12)), (300, date(2026, 2, 1))])
def test_longer_times_are_counted_by_the_week_or_by_the_month(days: int, second: date):
    assert count_tiers([entry(0), entry(days)])[1].begin == second


def test_only_the_latest_steps_are_told():
    steps = count_tiers([entry(0), entry(20_000)])
    assert len(steps) == MOST_STEPS and steps[-1].counts == {"auto_approve": 1}


@given(st.lists(st.integers(0, 900), max_size=40))
def test_no_decision_is_lost_or_counted_twice(days: list[int]):
    assert sum(sum(step.counts.values()) for step in count_tiers([entry(day) for day in days])) == len(days)


def test_shares_of_actions():
    def judged(verdict: Verdict, action: Action) -> VerdictRecord:
        return VerdictRecord("ada", START, "It is so.", verdict, 0.9, "rules.v1", action=action)

    rates = rate_actions([judged(Verdict.SUPPORTED, Action.CONTINUE), judged(Verdict.INSUFFICIENT, Action.ABSTAIN)] * 2)
    assert (rates.total, rates.share(Action.ABSTAIN), rates.share(Action.BRANCH)) == (4, 0.5, 0.0)
    assert rates.verdicts[Verdict.SUPPORTED] == 2
    assert rate_actions([]).share(Action.HALT) is None


def test_the_ledger_counts_what_the_gates_did():
    gw = Groundwire(settings=Settings(judge="rules"))
    gw.remember("I live in Lisbon.", user="ada", now=START)
    gw.remember("I think I may move.", user="ada", now=START)
    gw.remember("I live in Rome.", user="bob", now=START)
    gw.verify("You live in Lisbon. You own a boat.", user="ada")
    (step,) = gw.ledger("ada").tiers()
    assert step.counts == {"auto_approve": 1, "block": 1}
    assert gw.ledger("ada").rates().total == 2
