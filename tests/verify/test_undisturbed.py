"""A short answer is judged without a stop for the garbage collector, and the collector is left as it was found."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from groundwire import Groundwire
from groundwire.errors import InvalidInput
from groundwire.judge.judge import RulesJudge
from groundwire.memory.undisturbed import Undisturbed
from groundwire.settings import Settings
from groundwire.types import VerifierInput, VerifierOutput


@pytest.fixture
def wire() -> Groundwire:
    return Groundwire(settings=Settings(judge="rules"))


@pytest.fixture(autouse=True)
def _collector() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]
    yield
    gc.enable()


def watch(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the collector was on, for every claim that is judged."""
    seen: list[bool] = []
    judge = RulesJudge.judge

    def judge_watched(self: RulesJudge, question: VerifierInput) -> VerifierOutput:
        seen.append(gc.isenabled())
        return judge(self, question)

    monkeypatch.setattr(RulesJudge, "judge", judge_watched)
    return seen


def test_nothing_is_collected_in_the_middle_of_a_short_answer(
    wire: Groundwire, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = watch(monkeypatch)
    wire.judge("You live in Porto.", ["I live in Porto."])
    assert seen == [False]
    assert gc.isenabled()


def test_a_long_answer_is_judged_with_the_collector_on(wire: Groundwire, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = watch(monkeypatch)
    wire.judge("You live in Porto.", ["I live in Porto. " * 2_000])
    assert seen == [True]


def test_a_collector_that_was_off_stays_off(wire: Groundwire) -> None:
    gc.disable()
    wire.verify("You live in Porto.", memories=["I live in Porto."])
    assert not gc.isenabled()


def test_the_collector_is_on_again_after_a_failure(wire: Groundwire, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: RulesJudge, question: VerifierInput) -> VerifierOutput:
        raise InvalidInput("claim", "is refused")

    monkeypatch.setattr(RulesJudge, "judge", refuse)
    with pytest.raises(InvalidInput):
        wire.judge("You live in Porto.", ["I live in Porto."])
    assert gc.isenabled()


def test_of_two_calls_at_once_only_the_first_turns_the_collector_on_again() -> None:
    first, second = Undisturbed(10), None
    with first:
        second = Undisturbed(10)
        with second:
            assert not gc.isenabled()
        assert not gc.isenabled(), "the first call is still at it"
    assert gc.isenabled()


def test_calls_that_always_overlap_do_not_keep_the_collector_off() -> None:
    """Each is over before the next one is: what is left undisturbed is never longer than one short call."""
    running = Undisturbed(10)
    running.__enter__()
    for _ in range(5):
        following = Undisturbed(10)
        following.__enter__()
        running.__exit__()
        assert gc.isenabled()
        running = Undisturbed(10)
        running.__enter__()
        following.__exit__()
        assert not gc.isenabled(), "it belongs to the call that turned it off"
    running.__exit__()
    assert gc.isenabled()


def test_nothing_is_collected_in_the_middle_of_a_short_detection(
    wire: Groundwire, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = watch(monkeypatch)
    wire.detect("Ada Abel runs the bakery in Porto.", dialogue=[{"speaker": "user", "text": "Ada Abel runs the inn."}])
    assert seen
    assert not any(seen)
    assert gc.isenabled()
