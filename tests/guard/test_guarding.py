"""The facade: streams over given and remembered evidence, and the failure modes provoked with real models."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_model
from groundwire import Groundwire, InvalidInput, Settings
from groundwire.guard.events import Abstain, Branch, Halt, Release, Repair, StreamEvent, tell_text
from groundwire.guard.monitor import WINDOW, MonitorKind
from groundwire.guard.policy import GuardOptions, OnUndisclosed, OnUnverified
from groundwire.guard.protocols import Regeneration
from groundwire.types import Memory, Passage, Scope, Verdict
from streams import MEMORIES, cut, of_kind
from tiny_model import make_graph, write_model

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TRUE = "You live in Berlin. Alice is a nurse. Clara was born in 1987."
FALSE = "You live in Berlin. Alice works at Globex. Clara was born in 1987."
RULES = Settings(judge="rules")


def listen(house: Groundwire, text: str, **options: Any) -> list[StreamEvent]:
    options.setdefault("memories", MEMORIES)
    return list(house.guard(cut(text, 6), **options))


@pytest.fixture
def house() -> Groundwire:
    return Groundwire(settings=RULES)


def test_a_true_answer_comes_through_and_a_false_one_does_not(house: Groundwire):
    assert tell_text(listen(house, TRUE)) == TRUE
    events = listen(house, FALSE, request_id="r1")
    assert [type(event) for event in events][-2:] == [Halt, Abstain]
    last = events[-1]
    assert isinstance(last, Abstain)
    assert last.request_id == "r1"


def test_fast_takes_back(house: Groundwire):
    events = listen(house, FALSE, mode="fast")
    assert tell_text(events) == FALSE.replace("Globex", "Acme")
    assert len(of_kind(events, Repair)) == 1


def test_passages_are_evidence_too(house: Groundwire):
    events = listen(house, "The ship sank in 1912.", memories=(), passages=[Passage("p1", "The ship sank in 1912.")])
    assert [claim.evidence for event in events for claim in event.claims] == [("p1",)]


def test_an_unknown_mode_is_refused_at_once(house: Groundwire):
    with pytest.raises(InvalidInput, match="'sloppy' is none of strict, fast"):
        house.guard([], mode="sloppy")


def test_what_is_remembered_of_a_user_is_the_evidence():
    with Groundwire(settings=RULES) as house:
        house.remember("I live in Berlin.", user="ada", now=NOW)
        house.remember("I live in Rome.", user="eve", now=NOW)
        assert tell_text(house.guard(["You live in ", "Berlin."], user="ada")) == "You live in Berlin."
        assert len(of_kind(list(house.guard(["You live in Rome."], user="ada")), Halt)) == 1
        assert tell_text(house.guard(["You live in ", "Rome."], user="eve")) == "You live in Rome."


@pytest.mark.requirement("ACT-021")
def test_the_asynchronous_face_tells_the_same(house: Groundwire):
    async def collect() -> list[StreamEvent]:
        return [event async for event in house.aguard(cut(FALSE, 6), memories=MEMORIES, request_id="r")]

    assert asyncio.run(collect()) == listen(house, FALSE, request_id="r")


@pytest.mark.requirement("ACT-008", "ACT-019")
def test_a_halted_answer_is_asked_for_again_and_the_success_of_branches_is_known(house: Groundwire):
    def regenerate(request: Regeneration) -> str:
        return "Alice works at Acme." if request.number == 2 else "Alice works at Hooli."

    events = listen(house, FALSE, user="ada", query="Where does Alice work?", regenerate=regenerate)
    assert tell_text(events) == "Alice works at Acme."
    assert len(of_kind(events, Branch)) == 3
    assert house.branch_success(user="ada") == 0.5
    assert house.branch_success(user="eve") is None


@pytest.mark.requirement("ACT-011")
def test_an_abstention_is_on_record(house: Groundwire):
    listen(house, FALSE, user="ada", query="Where does Alice work?", request_id="r9")
    (record,) = house.guard_log.abstentions(Scope("ada", "default"))
    assert (record.request_id, record.query, record.evidence) == ("r9", "Where does Alice work?", ("m1",))


@pytest.mark.requirement("ACT-020")
def test_where_nobody_can_be_asked_again_a_disclosure_is_put_in_and_a_claim_marked(house: Groundwire):
    jobs = [
        Memory("a", "I work at Microsoft.", 0.9, 1_600_000_000),
        Memory("b", "I work at Amazon.", 0.9, 1_700_000_000),
    ]
    options = GuardOptions(undisclosed=OnUndisclosed.BRANCH, unverified=OnUnverified.BRANCH)
    shown = tell_text(listen(house, "You work at Amazon. You own a boat.", memories=jobs, options=options))
    assert shown == "You work at Amazon (changed from Microsoft). You own a boat. (not verified)"


def test_a_guard_can_be_driven_by_hand(house: Groundwire):
    opened = house.open_stream(memories=MEMORIES)
    with pytest.raises(InvalidInput, match="was not halted"):
        opened.open_branches(opened.guard, "")
    events = [*opened.guard.feed(FALSE), *opened.guard.flush()]
    assert isinstance(opened.open_branches(opened.guard, tell_text(events)).conclude(), Abstain)


def test_streams_do_not_share_what_they_spoke_of(house: Groundwire):
    one, other = house.open_stream(memories=MEMORIES).guard, house.open_stream(memories=MEMORIES).guard
    one.feed("Alice is a nurse. ")
    other.feed("Clara was born in 1987. ")
    events = [*one.feed("She works at Globex. "), *other.feed("She works at Globex. ")]
    assert next(claim.text for event in events for claim in event.claims) == "Alice works at Globex"
    assert one.halted is not None
    assert other.halted is None


def test_the_health_counts_outputs(house: Groundwire):
    listen(house, TRUE, tenant="one")
    listen(house, "Hello!", tenant="one")
    health = house.health()
    assert health.counters["outputs"] == 2
    assert health.counters["outputs_exempt"] == 1
    assert [(tenant.tenant, tenant.outputs) for tenant in health.tenants] == [("one", 1)]
    assert health.ok


def test_records_outlive_the_process_and_quote_no_memory(tmp_path: Path):
    def regenerate(request: Regeneration) -> str:
        return "Alice works at Hooli."

    with Groundwire(tmp_path / "memory.db", settings=RULES) as house:
        house.remember("Alice works at Acme.", user="ada", now=NOW)
        for number in range(3):
            asked = f"Where does Alice work? {number}"
            list(house.guard(["Alice works at Globex."], user="ada", query=asked, regenerate=regenerate))
    with Groundwire(tmp_path / "memory.db", settings=RULES) as house:
        records = house.guard_log.abstentions(Scope("ada", "default"))
        assert [record.query[-1] for record in records] == ["2", "1", "0"]
        assert {(claim.text, claim.verdict.value) for claim in records[0].claims} == {
            ("Alice works at Globex", "REFUTED"),
            ("Alice works at Hooli", "REFUTED"),
        }
        assert records[0].evidence
        assert house.branch_success(user="ada") == 0
        kept = json.dumps(dict(house._open_memory().store.sessions.values(Scope("ada", "default"))))  # pyright: ignore[reportPrivateUsage]
        assert "Acme" not in kept


# ── failure modes, provoked ─────────────────────────────────────────────────────────────────────


def install(folder: Path, **files: bytes) -> Settings:
    """A tiny model in the place of `base`."""
    write_model(folder / "base", files={name.replace("_onnx", ".onnx"): body for name, body in files.items()})
    return Settings(judge="base", models_folder=str(folder), slow_verification_ms=600_000)


def find(house: Groundwire, name: str) -> Any:
    return next(finding for finding in house.doctor() if finding.name == name)


@pytest.mark.requirement("OPS-016", "ACT-018")
def test_a_model_with_nan_logits_is_taken_out_of_use_and_rules_take_over(tmp_path: Path):
    house = Groundwire(settings=install(tmp_path, model_onnx=make_graph(broken=True)))
    events = listen(house, "You live in Berlin. You own a boat. Alice works at Globex.")
    kinds = [(type(event), event.is_verified) for event in events if isinstance(event, Release)]
    assert kinds == [(Release, True), (Release, False)], "rules alone saw the second"
    assert "computed no usable numbers" in events[1].reason
    assert isinstance(events[-2], Halt), "rules still refute"
    assert house.health().counters["corrupt_fires"] == 1
    assert not house.health().is_model_in_use
    assert not find(house, "judge").ok
    assert "computed no usable numbers" in find(house, "monitors").detail


@pytest.mark.requirement("OPS-016", "ACT-018")
def test_a_truncated_weight_file_is_found_and_rules_take_over(tmp_path: Path):
    settings = install(tmp_path)
    file = tmp_path / "base" / "model.onnx"
    file.write_bytes(file.read_bytes()[:-100])
    house = Groundwire(settings=settings)
    events = listen(house, "You own a boat. Alice works at Globex.")
    assert isinstance(events[0], Release)
    assert not events[0].is_verified
    assert of_kind(events, Halt)
    assert not find(house, "judge").ok
    assert house.health().events[0].kind is MonitorKind.CORRUPT


@pytest.mark.requirement("ACT-018")
def test_fail_closed_abstains_where_the_model_is_broken(tmp_path: Path):
    settings = install(tmp_path, model_onnx=make_graph(broken=True))
    house = Groundwire(settings=replace(settings, fail_closed=True))
    events = listen(house, "You own a boat.")
    assert [type(event) for event in events] == [Halt, Abstain]
    assert "not verified" in events[0].reason


class Slow(Groundwire):
    """Between two looks at its clock a fifth of a second goes by."""

    ticks = 0.0

    def _tell_ticks(self) -> float:
        self.ticks += 0.2
        return self.ticks


@pytest.mark.requirement("OPS-015")
def test_a_judge_that_is_slowed_down_is_left_out_of_the_output(tmp_path: Path):
    house = Slow(settings=replace(install(tmp_path), slow_verification_ms=100))
    events = listen(house, FALSE)
    assert isinstance(events[0], Release)
    assert events[0].reason == "verification took 200 ms, more than 100"
    assert of_kind(events, Halt)
    assert house.health().counters["outputs_slow"] == 1
    patient = Slow(settings=install(tmp_path))
    assert all(event.is_verified for event in listen(patient, TRUE) if isinstance(event, Release))


@pytest.mark.requirement("OPS-012")
def test_a_model_that_supports_everything_is_found_by_known_falsehoods(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    supported = np.tile(np.array([6, 0, 0], np.float32), (len(tiny_model.WORDS), 1))
    monkeypatch.setattr(tiny_model, "make_table", lambda: supported)
    settings = replace(install(tmp_path), auto_approve_ai_synthesis=True)
    house = Groundwire(settings=settings)
    for number in range(WINDOW):
        events = listen(house, "You live in Berlin.")
        assert isinstance(events[0], Release)
        assert events[0].is_verified, number
    assert house.monitors.is_degenerate
    (event,) = [event for event in house.health().events if event.is_firing]
    assert event.wants_retraining
    (told,) = listen(house, "You live in Berlin.")
    assert isinstance(told, Release)
    assert not told.is_verified
    assert not find(house, "judge").ok
    assert not find(house, "monitors").ok


@pytest.mark.requirement("OPS-012")
def test_what_would_be_approved_on_the_judges_word_goes_to_review_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from groundwire.memory.checks import Candidate

    supported = np.tile(np.array([6, 0, 0], np.float32), (len(tiny_model.WORDS), 1))
    monkeypatch.setattr(tiny_model, "make_table", lambda: supported)
    house = Groundwire(settings=replace(install(tmp_path), auto_approve_ai_synthesis=True))
    existing = [Memory("m1", "Ada lives in Ulm, works at Bosch and likes the river.", 1.0)]
    candidate = Candidate("Ada likes Ulm because of its river.", "fact", "ai_synthesis", "ada")
    before = house.gate(candidate, existing=existing, now=NOW)
    listen_until_degenerate(house)
    after = house.gate(candidate, existing=existing, now=NOW)
    assert before.tier.name == "AUTO_APPROVE"
    assert after.tier.name == "FLAG_REVIEW"


def listen_until_degenerate(house: Groundwire) -> None:
    for _ in range(WINDOW):
        listen(house, "You live in Berlin.")
    assert house.monitors.is_degenerate


def test_the_packaged_model_recognises_known_falsehoods():
    finding = find(Groundwire(), "judge")
    assert finding.ok
    assert "known-false claims were recognised" in finding.detail


@pytest.mark.requirement("OPS-017")
def test_the_doctor_tells_of_rules_alone_and_of_monitors(house: Groundwire):
    assert find(house, "judge").detail == "rules.v1, without a model"
    assert find(house, "monitors").ok


# ── evidence that is looked up ──────────────────────────────────────────────────────────────────


def count_gathering(house: Groundwire, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """One entry for each time that evidence was asked for."""
    grounds = house._open_memory().grounds  # pyright: ignore[reportPrivateUsage]
    real, asked = grounds.gather, list[int]()

    def gather(*given: Any) -> Any:
        asked.append(1)
        return real(*given)

    monkeypatch.setattr(grounds, "gather", gather)
    return asked


def test_a_small_store_is_asked_once_a_second_and_what_is_forgotten_counts_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    ticks = [0.0]
    with Groundwire(tmp_path / "m.db", settings=Settings(judge="rules")) as house:
        monkeypatch.setattr(house, "_tell_ticks", lambda: ticks[0])
        house.remember("I live in Berlin.", user="ada")
        memory = house.remember("My dog is called Rex.", user="ada").memory
        asked = count_gathering(house, monkeypatch)
        guard = house.open_stream(user="ada").guard
        first = guard.feed("You live in Berlin. Your dog is called Rex. And then ")
        assert len(asked) == 1
        assert {claim.verdict for event in first for claim in event.claims} == {Verdict.SUPPORTED}
        assert memory is not None
        house.forget(memory.id, user="ada", reason="asked for")
        ticks[0] = 1.5
        later = [*guard.feed("there is more. Your dog is called Rex. "), *guard.flush()]
        assert len(asked) == 2
        assert [claim.verdict for event in later for claim in event.claims][-1] is Verdict.INSUFFICIENT


def test_a_large_store_is_asked_for_every_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("groundwire.memory.grounds._SMALL", 1)
    with Groundwire(tmp_path / "m.db", settings=Settings(judge="rules")) as house:
        for memory in ("I live in Berlin.", "My dog is called Rex.", "My sister is called Clara."):
            house.remember(memory, user="ada")
        asked = count_gathering(house, monkeypatch)
        guard = house.open_stream(user="ada").guard
        events = [*guard.feed("You live in Berlin. Your dog is called Rex. "), *guard.flush()]
        assert len(asked) == 2
        assert {claim.verdict for event in events for claim in event.claims} == {Verdict.SUPPORTED}
