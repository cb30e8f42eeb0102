"""One output under supervision: evidence that speaks of something else, slow verification, a judge out of use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from groundwire.guard.canaries import CanaryResult
from groundwire.guard.events import Abstain, Halt, Release, tell_text
from groundwire.guard.monitor import WINDOW, MonitorKind, Monitors
from groundwire.guard.policy import GuardOptions
from groundwire.guard.stream import StreamGuard, Tally
from groundwire.guard.supervision import Supervision, Verified
from groundwire.types import Memory, Verdict, VerifyMode
from groundwire.verify.excerpts import WHOLE, Excerpt
from groundwire.verify.report import GroundCheckVerifier
from streams import MEMORIES, of_kind

FALSE = "You live in Berlin. Alice works at Globex. Clara was born in 1987."


class Bench:
    """A supervised stream over the rules; the clock goes on by `steps` at each reading."""

    def __init__(self, steps: Iterator[float] | None = None, problem: str = "", **options: Any) -> None:
        self.monitors = Monitors(probe=lambda: CanaryResult(16, 16))
        self._verifier = GroundCheckVerifier()
        self._memories = [Memory(f"m{i}", text) for i, text in enumerate(MEMORIES, 1)]
        self._steps = steps
        self._time = 0.0
        self._problem = problem
        self._options = options
        self.by_model = 0
        self.by_rules = 0
        self.prepared = 0

    def _read_clock(self) -> float:
        self._time += next(self._steps, 0.0) if self._steps else 0.0
        return self._time

    def _verify(self, text: str, excerpt: Excerpt, mode: VerifyMode, count: int) -> Verified:
        report = self._verifier.verify(text, self._memories, mode=mode, branch_count=count, excerpt=excerpt)
        return Verified(report, {memory.id: memory.text for memory in self._memories}, self._problem)

    def _with_model(self, text: str, excerpt: Excerpt, mode: VerifyMode, count: int) -> Verified:
        self.by_model += 1
        return self._verify(text, excerpt, mode, count)

    def _with_rules(self, text: str, excerpt: Excerpt, mode: VerifyMode, count: int) -> Verified:
        self.by_rules += 1
        return self._verify(text, excerpt, mode, count)

    def _prepare(self) -> None:
        self.prepared += 1
        self._time += 10  # loading takes ten seconds, and is not verification

    def open(self) -> Supervision:
        return Supervision(
            self._with_model, self._with_rules, self.monitors, "default",
            clock=self._read_clock, prepare=self._prepare, **self._options,
        )  # fmt: skip

    def run(self, text: str, **options: Any) -> list[Any]:
        supervision = self.open()
        guard = StreamGuard(supervision, GuardOptions(**options), on_end=supervision.finish)
        return [*guard.feed(text), *guard.flush()]


@pytest.mark.requirement("OPS-014", "ACT-016")
def test_evidence_that_speaks_of_something_else_decides_nothing_and_halts_nothing():
    bench = Bench(similarity=lambda claim, texts: [0.29] * len(texts))
    events = bench.run(FALSE)
    assert of_kind(events, Halt, Abstain) == []
    assert {claim.verdict for event in events for claim in event.claims} == {Verdict.INSUFFICIENT}
    assert "speaks of something else" in events[0].claims[0].explanation
    assert bench.monitors.health().counters["outputs_irrelevant"] == 1
    assert bench.monitors.health().counters["claims_irrelevant"] == 3


@pytest.mark.requirement("OPS-014")
def test_evidence_is_near_enough_at_the_limit():
    bench = Bench(similarity=lambda claim, texts: [0.3] * len(texts))
    assert len(of_kind(bench.run(FALSE), Halt)) == 1


def test_one_far_piece_of_evidence_among_near_ones_is_no_reason():
    near = iter([0.9, 0.1])
    events = Bench(similarity=lambda claim, texts: [next(near)]).run(FALSE)
    assert len(of_kind(events, Halt)) == 1


def test_similarity_is_asked_of_the_evidence_that_the_verdict_rests_on():
    asked: list[tuple[str, tuple[str, ...]]] = []

    def similarity(claim: Any, texts: Any) -> list[float]:
        asked.append((claim.text, tuple(texts)))
        return [1.0] * len(texts)

    Bench(similarity=similarity).run("Alice is a nurse. You own a boat.")
    assert asked == [("Alice is a nurse", (MEMORIES[0],))]


@pytest.mark.requirement("OPS-015", "ACT-018")
def test_a_slow_verification_leaves_the_model_out_for_the_rest_of_the_output():
    bench = Bench(iter([0.0, 0.05, 0.0, 0.101]))
    events = bench.run("You live in Berlin. Alice is a nurse. Clara was born in 1987.")
    assert [event.is_verified for event in events] == [True, False, False]
    assert events[1].reason == "verification took 101 ms, more than 100"
    assert (bench.by_model, bench.by_rules) == (2, 2)
    assert tell_text(events) == "You live in Berlin. Alice is a nurse. Clara was born in 1987."
    assert bench.monitors.health().counters["outputs_unverified"] == 1
    assert bench.monitors.health().counters["outputs_slow"] == 1
    assert bench.run("You live in Berlin.")[0].is_verified, "the next output begins with the model again"


@pytest.mark.requirement("OPS-017")
def test_many_slow_outputs_make_the_monitor_fire():
    bench = Bench(iter([0.0, 0.2] * 11))
    for number in range(WINDOW):
        assert bench.monitors.of("default").firing == (), number
        bench.run("You live in Berlin.")
    assert MonitorKind.SLOW in bench.monitors.of("default").firing
    bench.run("You live in Berlin.")
    assert MonitorKind.SLOW not in bench.monitors.of("default").firing, "ten in a hundred are not more than one in ten"


@pytest.mark.requirement("OPS-015")
def test_rules_still_halt_a_slow_output_and_fail_closed_stops_it():
    slow = Bench(iter([0.0, 0.2]))
    assert len(of_kind(slow.run(FALSE), Halt)) == 1
    closed = Bench(iter([0.0, 0.2]))
    (halt,) = closed.run("You live in Berlin.", fail_closed=True)
    assert isinstance(halt, Halt)
    assert not halt.may_branch


@pytest.mark.requirement("OPS-015")
def test_exactly_the_limit_is_not_too_long_and_loading_is_not_verifying():
    bench = Bench(iter([0.0, 0.1]))
    (event,) = bench.run("You live in Berlin.")
    assert event.is_verified
    assert bench.prepared == 1


def test_a_whole_answer_may_take_as_long_as_its_windows():
    bench = Bench(iter([0.0, 0.25]))
    assert bench.open()("You live in Berlin. " * 20, WHOLE).skipped == ""
    short = Bench(iter([0.0, 0.25]))
    assert short.open()("You live in Berlin.", WHOLE).skipped


@pytest.mark.requirement("OPS-012", "ACT-018")
def test_while_the_judge_is_degenerate_rules_judge_and_the_output_is_marked():
    bench = Bench()
    for _ in range(WINDOW):
        bench.monitors.of("default").record(Tally(supported=3))
    events = bench.run(FALSE)
    assert bench.by_model == 0
    assert isinstance(events[0], Release)
    assert not events[0].is_verified
    assert len(of_kind(events, Halt)) == 1, "rules still refute"


@pytest.mark.requirement("ACT-018")
def test_what_the_model_could_not_judge_is_marked():
    bench = Bench(problem="the model is corrupt; install it again")
    (event,) = bench.run("You live in Berlin.")
    assert isinstance(event, Release)
    assert not event.is_verified
    assert event.reason == "the model is corrupt; install it again"


@pytest.mark.requirement("OPS-013", "ACT-017")
def test_the_raised_threshold_reaches_the_stream():
    bench = Bench()
    for _ in range(WINDOW):
        bench.monitors.of("default").record(Tally(refuted=1))
    checked = bench.open()("You live in Rome.", WHOLE)
    assert (checked.threshold, checked.is_raised) == (0.9, True)
