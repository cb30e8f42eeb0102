"""Running it: health, metrics, the journal, rates, the workers."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from service_samples import Desk, open_desk, problem

from groundwire import Groundwire, Settings
from groundwire.surfaces.rest.journal import LOGGER, JsonLines
from groundwire.surfaces.rest.metrics import FAMILIES, Metrics
from groundwire.surfaces.rest.problems import Overloaded, RateLimited, TimedOut
from groundwire.surfaces.rest.rates import Rates
from groundwire.surfaces.rest.workers import Line, Workers
from groundwire.types import Action
from groundwire.types.access import Role


def read_metrics(text: str) -> dict[str, float]:
    return {
        name: float(value) for name, _, value in (line.rpartition(" ") for line in text.splitlines() if line[0] != "#")
    }


@pytest.mark.requirement("OPS-021")
def test_what_the_library_answers_is_counted(desk: Desk):
    key = desk.key()
    desk.post("/v1/memories", key, {"content": "I live in Berlin.", "source": "user"})
    desk.post("/v1/memories", key, {"content": "The service uses PostgreSQL 15.", "source": "ai_synthesis"})
    desk.post("/v1/memories", key, {"content": "I think it may rain.", "source": "ai_synthesis"})
    desk.post("/v1/verify", key, {"text": "You live in Paris."})
    desk.post("/v1/verify", key, {"text": "You live in Berlin."})
    desk.post("/v1/judge", key, {"claim": "The sky is green.", "evidence": ["Grass is green."]})
    known = {"entities": [{"name": "Eiffel Tower", "type": "landmark", "attributes": {"city": "Paris"}}]}
    flagged = desk.post("/v1/detect", key, {"response": "The Eiffel Tower is in Rome.", "knowledge": known}).json()
    answer = desk.client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = read_metrics(answer.text)
    assert found['groundwire_verdicts_total{verdict="REFUTED"}'] == 1
    assert found['groundwire_verdicts_total{verdict="SUPPORTED"}'] == 1
    assert {tier: found[f'groundwire_tiers_total{{tier="{tier}"}}'] for tier in ("auto_approve", "flag_review")} == {
        "auto_approve": 1,
        "flag_review": 1,
    }
    assert found['groundwire_tiers_total{tier="block"}'] == 1
    assert sum(value for name, value in found.items() if name.startswith("groundwire_rejections_total{")) == 1
    assert found["groundwire_review_queue_depth"] == 1
    assert found['groundwire_operation_seconds_count{operation="verify"}'] == 2
    assert found['groundwire_operation_seconds{operation="verify",quantile="0.99"}'] > 0
    assert found['groundwire_requests_total{method="POST",route="/v1/memories",status="201"}'] == 1
    assert sum(value for name, value in found.items() if name.startswith("groundwire_actions_total{")) == 3
    assert len(flagged["flags"]) == 1
    assert found[f'groundwire_flags_total{{type="{flagged["flags"][0]["type"]}"}}'] == 1
    assert f"# TYPE groundwire_flags_total {FAMILIES['groundwire_flags_total'].kind}" in answer.text


@pytest.mark.requirement("OPS-021")
def test_abstentions_and_branches_are_counted_apart():
    metrics = Metrics()
    for action in (Action.ABSTAIN, Action.BRANCH, Action.BRANCH, Action.CONTINUE):
        metrics.note_action(action)
    found = read_metrics(metrics.write({}))
    assert (found["groundwire_abstentions_total"], found["groundwire_branches_total"]) == (1, 2)
    assert found['groundwire_actions_total{action="BRANCH"}'] == 2


@pytest.mark.requirement("OPS-021")
def test_percentiles_are_those_of_what_was_observed_last():
    metrics = Metrics()
    for number in range(1, 2_001):
        metrics.observe("groundwire_operation_seconds", number, operation="x")
    found = read_metrics(metrics.write({}))
    assert found['groundwire_operation_seconds_count{operation="x"}'] == 2_000
    assert 1_480 <= found['groundwire_operation_seconds{operation="x",quantile="0.5"}'] <= 1_490
    assert found['groundwire_operation_seconds{operation="x",quantile="0.99"}'] == 1_990


def test_labels_are_escaped_and_unknown_families_refused():
    metrics = Metrics()
    metrics.count("groundwire_rejections_total", reason='a"b\\c\nd')
    assert 'reason="a\\"b\\\\c\\nd"' in metrics.write({})
    with pytest.raises(KeyError):
        metrics.count("groundwire_typo_total")
    with pytest.raises(KeyError, match="no counter"):
        metrics.count("groundwire_operation_seconds")


def test_metrics_name_no_user_and_no_place(desk: Desk):
    key = desk.key(owner="very-secret-person")
    desk.get("/v1/memories/very-secret-id", key)
    desk.client.get("/very-secret-path")
    text = desk.client.get("/metrics").text
    assert "secret" not in text
    assert 'route="/v1/memories/{memory_id}"' in text


# ── health ──────────────────────────────────────────────────────────────────────────────────────


def test_health_says_whether_it_can_work(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    assert desk.client.get("/healthz").json() == {"status": "ok"}
    assert desk.client.get("/readyz").json() == {"status": "ok", "store": "ok", "model": "ok"}

    def fail() -> None:
        raise Overloaded

    monkeypatch.setattr(desk.gw, "count_pending", fail)
    down = desk.client.get("/readyz")
    assert (down.status_code, down.json()["status"]) == (503, "unavailable")
    assert desk.client.get("/metrics").status_code == 200
    assert desk.client.get("/healthz").status_code == 200


def test_rules_alone_are_ready_and_said_to_be(tmp_path: Any):
    with open_desk(judge="base", models_folder=str(tmp_path)) as desk:
        assert desk.client.get("/readyz").json() == {"status": "ok", "store": "ok", "model": "rules alone"}


# ── the journal ─────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    LOGGER.addHandler(handler)
    LOGGER.setLevel(logging.INFO)
    yield stream
    LOGGER.removeHandler(handler)


@pytest.mark.requirement("SEC-015")
def test_a_request_is_one_line_without_what_was_said(desk: Desk, lines: io.StringIO):
    key = desk.key(owner="hidden-owner")
    answer = desk.call(
        "POST",
        "/v1/search",
        key,
        params={"secret": "in-the-query"},
        json={"query": "unspeakable words"},
        headers={"X-Request-ID": "trace-1"},
    )
    assert answer.headers["x-request-id"] == "trace-1"
    (line,) = lines.getvalue().splitlines()
    entry = json.loads(line)
    assert (entry["request_id"], entry["method"], entry["status"]) == ("trace-1", "POST", 200)
    assert (entry["route"], entry["key"]) == ("/v1/search", key.credential.id)
    for secret in (key.token, key.token[21:], "unspeakable", "in-the-query", "hidden-owner"):
        assert secret not in line


@pytest.mark.requirement("SEC-015")
@pytest.mark.parametrize("given", ["a b", "x" * 65, "é", "evil\tid", ""])
def test_a_request_id_that_could_forge_a_line_is_replaced(desk: Desk, lines: io.StringIO, given: str):
    answer = desk.client.get("/healthz", headers=[(b"X-Request-ID", given.encode())])
    assert answer.headers["x-request-id"] != given
    assert len(lines.getvalue().splitlines()) == 1


@pytest.mark.requirement("SEC-015")
def test_control_characters_and_keys_do_not_reach_the_log(lines: io.StringIO):
    LOGGER.info("a\nb\x1b[31m gwk_0123456789abcdef_%s", "0f" * 32)
    (line,) = lines.getvalue().splitlines()
    assert "\x1b" not in line
    assert "0f0f" not in line


def test_answers_are_not_kept_by_anybody_on_the_way(desk: Desk):
    answer = desk.get("/v1/memories", desk.key())
    assert (answer.headers["cache-control"], answer.headers["x-content-type-options"]) == ("no-store", "nosniff")


def test_a_wrong_key_leaves_no_trace_of_itself(desk: Desk, lines: io.StringIO):
    desk.client.get("/v1/memories", headers={"Authorization": "Bearer hunter2-hunter2"})
    assert "hunter2" not in lines.getvalue()
    assert json.loads(lines.getvalue())["status"] == 401


# ── rates and workers ───────────────────────────────────────────────────────────────────────────


def test_a_bucket_fills_at_its_rate_and_never_over_its_size():
    clock = [0.0]
    rates = Rates(2.0, 3, lambda: clock[0])
    admitted = 0
    for _ in range(10):
        try:
            rates.admit("a")
            admitted += 1
        except RateLimited as error:
            assert error.seconds == 1
    assert admitted == 3
    clock[0] = 0.5
    rates.admit("a")
    with pytest.raises(RateLimited):
        rates.admit("a")
    clock[0] = 1_000.0
    for _ in range(3):
        rates.admit("a")
    with pytest.raises(RateLimited):
        rates.admit("a")


@given(st.lists(st.floats(0, 3), max_size=40), st.floats(0.1, 5), st.integers(1, 5))
def test_no_more_is_admitted_than_the_rate_allows(pauses: list[float], rate: float, burst: int):
    clock = [0.0]
    rates = Rates(rate, burst, lambda: clock[0])
    admitted = 0
    for pause in pauses:
        clock[0] += pause
        try:
            rates.admit("a")
            admitted += 1
        except RateLimited as error:
            assert error.seconds >= 1
    assert admitted <= burst + clock[0] * rate + 1e-6
    assert admitted >= min(len(pauses), burst)


def test_workers_give_up_waiting_but_finish_what_they_began():
    release, done = threading.Event(), list[str]()

    async def scenario() -> None:
        workers = Workers(1, 0.05, most_waiting=2)
        try:
            with pytest.raises(TimedOut):
                await workers.run(lambda: (release.wait(30), done.append("first")))
            with pytest.raises(TimedOut):  # behind the first, so it has not begun and never will
                await workers.run(lambda: done.append("second"))
            assert workers.under_way == 0
        finally:
            release.set()
            workers.close()

    asyncio.run(scenario())
    assert done == ["first"]


def test_nobody_short_waits_behind_somebody_long():
    release = threading.Event()

    async def scenario() -> None:
        workers = Workers(1, 30)
        long = asyncio.create_task(workers.run(lambda: release.wait(30), Line.LONG))
        await asyncio.sleep(0)
        assert await workers.run(lambda: "short") == "short"
        assert not long.done()
        release.set()
        assert await long is True
        workers.close()

    asyncio.run(scenario())


def test_a_large_request_does_not_hold_up_a_small_one(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    entered, release = threading.Event(), threading.Event()
    verify, key = desk.gw.verify, desk.key()

    def wait(text: str, **named: Any) -> Any:
        if len(text) > 20_000:
            entered.set()
            assert release.wait(60)
        return verify("You are tall.", **named)

    monkeypatch.setattr(desk.gw, "verify", wait)
    with ThreadPoolExecutor(1) as pool:
        large = pool.submit(desk.post, "/v1/verify", key, {"text": "You are tall. " * 2_000, "memories": []})
        assert entered.wait(60)
        assert desk.post("/v1/verify", key, {"text": "You are tall.", "memories": []}).status_code == 200
        assert not large.done()
        release.set()
        assert large.result().status_code == 200


def test_too_many_waiting_are_turned_away():
    release = threading.Event()

    async def scenario() -> None:
        workers = Workers(1, 30, most_waiting=1)
        first = asyncio.create_task(workers.run(lambda: release.wait(30)))
        await asyncio.sleep(0)
        with pytest.raises(Overloaded):
            await workers.run(lambda: None)
        release.set()
        assert await first is True
        workers.close()

    asyncio.run(scenario())


def test_results_that_are_there_together_all_arrive():
    """Also those of which the loop was not told one by one, and beside a call that goes on."""
    release = threading.Event()

    async def scenario() -> None:
        workers = Workers(1, 30)
        long = asyncio.create_task(workers.run(lambda: release.wait(30), Line.LONG))
        many = [asyncio.create_task(workers.run(lambda number=number: number)) for number in range(40)]
        assert await asyncio.gather(*many) == list(range(40))
        assert workers.under_way == 1
        release.set()
        assert await long is True
        workers.close()

    asyncio.run(scenario())


def test_what_a_call_raises_arrives_with_whoever_waits_for_it():
    async def scenario() -> None:
        workers = Workers(1, 30)
        with pytest.raises(ZeroDivisionError):
            await workers.run(lambda: 1 // 0)
        waiting = asyncio.create_task(workers.run(lambda: threading.Event().wait(0.01)))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert workers.under_way == 0
        workers.close()

    asyncio.run(scenario())


def test_an_extension_adds_to_the_application():
    from fastapi import FastAPI
    from starlette.testclient import TestClient

    from groundwire.surfaces.rest.app import create_app
    from groundwire.surfaces.rest.service import Service

    def install(app: FastAPI, service: Service) -> None:
        @app.get("/console")
        async def page() -> dict[str, str]:
            token = service.gw.keys().create("x", roles=[Role.READ], owner="ada").token
            credential = await service.recognise(token)
            again = await service.look_up(credential.id)
            service.admit(again)
            return {"name": again.name}

    gw = Groundwire(None, settings=Settings(judge="rules"))
    with TestClient(create_app(gw, extensions=[install])) as client:
        assert client.get("/console").json() == {"name": "x"}
        assert problem(client.get("/v1/memories"))["status"] == 401


def test_nothing_is_traced_unless_it_is_wanted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    monkeypatch.setenv("FASTAPI_OTEL_AUTO_CONFIGURE", "true")
    from opentelemetry import trace

    with open_desk() as desk:
        desk.get("/v1/memories", desk.key())
        assert type(trace.get_tracer_provider()).__name__ == "ProxyTracerProvider"


def test_a_span_tells_the_route_and_nothing_that_was_said():
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from starlette.testclient import TestClient

    from groundwire.surfaces.rest.app import create_app

    spans, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(spans))
    gw = Groundwire(None, settings=Settings(judge="rules"))
    with TestClient(create_app(gw, traces=provider)) as client:
        token = gw.keys().create("x", roles=[Role.READ], owner="hidden-owner").token
        parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        headers = {"Authorization": f"Bearer {token}", "traceparent": parent}
        client.post("/v1/search", params={"q": "unspeakable"}, json={"query": "unspeakable"}, headers=headers)
    (span,) = spans.get_finished_spans()
    assert span.name == "POST /v1/search"
    assert span.context is not None
    assert format(span.context.trace_id, "032x") == "0af7651916cd43dd8448eb211c80319c"
    told = json.dumps(dict(span.attributes or {}))
    assert '"http.response.status_code": 200' in told
    assert not any(secret in told for secret in ("unspeakable", token, "hidden-owner"))


def test_a_busy_key_is_looked_up_again_after_a_second():
    from groundwire.surfaces.rest.recognition import SECONDS, Recognised
    from groundwire.types.access import Credential

    clock = [0.0]
    known = Recognised(lambda: clock[0])
    credential = Credential("key_a", "a", "default", None, frozenset(), datetime(2026, 1, 1, tzinfo=UTC))
    known.keep("token", credential)
    assert known.find("token") is credential
    assert known.find("other") is None
    clock[0] = SECONDS
    assert known.find("token") is None
    assert b"token" not in repr(known._known).encode()  # pyright: ignore[reportPrivateUsage]


def test_everybody_who_comes_with_one_key_at_once_waits_for_one_look():
    from groundwire.errors import NotRecognised
    from groundwire.surfaces.rest.recognition import Recognised
    from groundwire.types.access import Credential

    credential = Credential("key_a", "a", "default", None, frozenset(), datetime(2026, 1, 1, tzinfo=UTC))
    looks: list[str] = []

    async def scenario() -> None:
        known, may_go_on = Recognised(lambda: 0.0), asyncio.Event()

        async def find() -> Credential:
            looks.append("found")
            await may_go_on.wait()
            return credential

        async def refuse() -> Credential:
            looks.append("refused")
            await may_go_on.wait()
            raise NotRecognised("nobody")

        good = [asyncio.create_task(known.look_up("good", find)) for _ in range(5)]
        bad = [asyncio.create_task(known.look_up("bad", refuse)) for _ in range(5)]
        await asyncio.sleep(0)
        good[0].cancel()  # whoever came first goes away
        may_go_on.set()
        told = await asyncio.gather(*good, *bad, return_exceptions=True)
        assert told[1:5] == [credential] * 4
        assert [type(error) for error in told[5:]] == [NotRecognised] * 5
        assert sorted(looks) == ["found", "refused"]
        with pytest.raises(NotRecognised):  # nothing is remembered of a look that is over
            await known.look_up("good", refuse)

    asyncio.run(scenario())


def test_revoking_a_busy_key_ends_it(desk: Desk):
    key = desk.key()
    assert desk.get("/v1/memories", key).status_code == 200
    desk.gw.keys().revoke(key.credential.id)
    desk.client.app.state.service.recognised.drop()  # type: ignore[attr-defined]
    assert desk.get("/v1/memories", key).status_code == 401
