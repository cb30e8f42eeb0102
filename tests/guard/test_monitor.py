"""The monitors: what makes them fire and clear, for whom, and what follows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.errors import ModelCorrupt, ModelMissing, ModelUnavailable
from groundwire.guard.canaries import CanaryResult, load_canaries, run_canaries
from groundwire.guard.monitor import WINDOW, MonitorEvent, MonitorKind, Monitors
from groundwire.guard.stream import Tally
from groundwire.guard.switch import RestrainedJudge, WatchedScorer
from groundwire.judge.judge import RulesJudge
from groundwire.judge.protocols import Scores
from groundwire.types import Passage, Verdict, VerifierInput

GOOD, BAD, UNKNOWN = Tally(supported=2), Tally(refuted=2), Tally(insufficient=2)
YES, NO = Scores(0.98, 0.01, 0.01), Scores(0.01, 0.98, 0.01)


class Probe:
    """Known-false claims, supported or not; counts how often they were run."""

    def __init__(self, *, supported: int = 0) -> None:
        self.supported = supported
        self.runs = 0

    def __call__(self) -> CanaryResult:
        self.runs += 1
        return CanaryResult(16, self.supported)


def make(probe: Probe | None = None) -> tuple[Monitors, list[MonitorEvent]]:
    events: list[MonitorEvent] = []
    return Monitors(probe=probe, listen=events.append), events


def record(monitors: Monitors, tally: Tally, number: int, tenant: str = "default") -> None:
    for _ in range(number):
        monitors.of(tenant).record(tally)


# ── always supported ────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("OPS-012", "OPS-017")
def test_a_judge_that_supports_everything_and_known_falsehoods_too_is_taken_out():
    monitors, events = make(Probe(supported=16))
    record(monitors, GOOD, WINDOW - 1)
    assert events == [], "a window that is not full says nothing"
    record(monitors, GOOD, 1)
    (event,) = events
    assert (event.kind, event.is_firing, event.tenant) == (MonitorKind.ALWAYS_SUPPORTED, True, "default")
    assert event.wants_retraining
    assert "16 of 16 known-false claims were supported" in event.detail
    assert monitors.of("default").is_degenerate
    assert monitors.is_degenerate
    assert not monitors.health().is_model_in_use
    assert "train the model again" in monitors.health().notices[0]


@pytest.mark.requirement("OPS-012")
def test_honest_traffic_does_not_trip_it_because_known_falsehoods_are_tried_first():
    probe = Probe()
    monitors, events = make(probe)
    record(monitors, GOOD, WINDOW * 3)
    assert events == []
    assert probe.runs == 3, "once for every window, not for every output"


@pytest.mark.requirement("OPS-012")
def test_exactly_99_per_cent_is_not_more_than_99_per_cent():
    probe = Probe(supported=16)
    monitors, events = make(probe)
    record(monitors, Tally(supported=99, insufficient=1), WINDOW)
    assert probe.runs == 0
    assert events == []


def test_it_clears_when_the_known_falsehoods_are_recognised_again():
    probe = Probe(supported=16)
    monitors, events = make(probe)
    record(monitors, GOOD, WINDOW)
    probe.supported = 0
    record(monitors, UNKNOWN, WINDOW - 1)
    assert monitors.is_degenerate
    record(monitors, UNKNOWN, 1)
    assert [event.is_firing for event in events] == [True, False]
    assert not monitors.is_degenerate


def test_known_falsehoods_that_cannot_be_judged_are_no_pass():
    def fail(pairs: object) -> list[Scores]:
        raise ModelMissing("not installed", "install it")

    assert not run_canaries(fail).is_passed
    assert run_canaries(lambda pairs: [NO] * len(pairs)).is_passed
    assert not run_canaries(lambda pairs: [YES] * len(pairs)).is_passed
    assert run_canaries(lambda pairs: [YES] * 4 + [NO] * (len(pairs) - 4)).is_passed
    assert len(load_canaries()) >= 12


@pytest.mark.requirement("OPS-012")
def test_a_judge_that_is_not_trusted_approves_nothing():
    distrusted = False
    judge = RestrainedJudge(RulesJudge(lambda: 0.0), lambda: distrusted)
    question = VerifierInput("I live in Rome.", (Passage("p", "I live in Rome."),))
    assert judge.judge(question).verdict is Verdict.SUPPORTED
    distrusted = True
    with pytest.raises(ModelUnavailable, match="a person decides"):
        judge.judge(question)


# ── always refuted ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("OPS-013", "ACT-017", "OPS-017")
def test_where_most_is_refuted_a_refutation_needs_more_confidence_until_it_is_not():
    monitors, events = make()
    record(monitors, BAD, WINDOW - 1)
    assert monitors.of("default").refute_confidence == 0.7
    record(monitors, BAD, 1)
    assert monitors.of("default").refute_confidence == 0.9
    record(monitors, GOOD, 49)
    assert monitors.of("default").is_raised
    record(monitors, GOOD, 1)
    assert monitors.of("default").refute_confidence == 0.7, "lifted at 50%"
    assert [(e.kind, e.is_firing) for e in events] == [
        (MonitorKind.ALWAYS_REFUTED, True),
        (MonitorKind.ALWAYS_REFUTED, False),
    ]
    assert monitors.health().counters == {"always_refuted_fires": 1, "always_refuted_clears": 1}


@pytest.mark.requirement("OPS-017")
def test_one_tenant_does_not_fire_for_another():
    monitors, _ = make()
    record(monitors, BAD, WINDOW, "noisy")
    assert monitors.of("noisy").is_raised
    assert not monitors.of("quiet").is_raised
    assert [(t.tenant, t.firing) for t in monitors.health().tenants] == [
        ("noisy", (MonitorKind.ALWAYS_REFUTED,)),
        ("quiet", ()),
    ]


def test_outputs_that_claim_nothing_do_not_fill_the_window():
    monitors, events = make(Probe(supported=16))
    record(monitors, Tally(is_exempt=True), WINDOW * 2)
    record(monitors, GOOD, WINDOW - 1)
    assert events == []


def test_the_window_slides():
    monitors, _ = make()
    record(monitors, GOOD, 1_000)
    record(monitors, BAD, 51)
    assert monitors.of("default").is_raised


# ── a model that computes nonsense ──────────────────────────────────────────────────────────────


class Broken:
    name, fingerprint, calibration, max_tokens = "tiny.v1", "f", "c", 64

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act
        self.asked = 0

    def count_tokens(self, texts: object) -> list[int]:
        self._act()
        return []

    def begin(self, pairs: object) -> None:
        self._act()

    def score(self, pairs: object) -> list[Scores]:
        self.asked += 1
        self._act()
        return []


@pytest.mark.requirement("OPS-016")
def test_a_broken_model_is_not_asked_again():
    def fail() -> None:
        raise ModelCorrupt("no usable numbers", "install it again")

    monitors, events = make()
    inner = Broken(fail)
    scorer = WatchedScorer(inner, monitors.take_out)
    for _ in range(3):
        with pytest.raises(ModelCorrupt, match="no usable numbers"):
            scorer.score([("a", "b")])
    with pytest.raises(ModelCorrupt):
        scorer.count_tokens(["a"])
    assert inner.asked == 1
    assert [(event.kind, event.is_firing) for event in events] == [(MonitorKind.CORRUPT, True)]
    assert not monitors.health().ok
    assert (scorer.name, scorer.fingerprint, scorer.calibration, scorer.max_tokens) == ("tiny.v1", "f", "c", 64)


def test_a_model_that_is_missing_for_now_is_asked_again():
    def fail() -> None:
        raise ModelMissing("not installed", "install it")

    inner = Broken(fail)
    scorer = WatchedScorer(inner, lambda error: pytest.fail("a missing model is not a broken one"))
    for _ in range(2):
        with pytest.raises(ModelMissing):
            scorer.score([("a", "b")])
    assert inner.asked == 2


def test_a_listener_may_ask_for_the_health():
    seen: list[bool] = []
    monitors = Monitors(listen=lambda event: seen.append(monitors.health().ok))
    record(monitors, BAD, WINDOW)
    assert seen == [False]
