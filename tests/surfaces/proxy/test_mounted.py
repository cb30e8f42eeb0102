"""The proxy as a part of the service: the key decides whose memories count, and goes no further."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from click.testing import CliRunner, Result
from scripted import (
    FALSE,
    TRUE,
    Upstream,
    answer_stream,
    as_json,
    as_stream,
    completion,
    open_memory,
    read_events,
    run_app,
    run_upstream,
    text_of,
)
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from groundwire import Groundwire
from groundwire.errors import InvalidInput
from groundwire.surfaces.cli import main
from groundwire.surfaces.proxy.options import ProxyOptions
from groundwire.surfaces.proxy.serving import create_proxy, mount_proxy
from groundwire.surfaces.proxy.upstream import read_address
from groundwire.surfaces.rest.app import create_app
from groundwire.types import Scope
from groundwire.types.access import Role

MESSAGES = [{"role": "user", "content": "Where do I live?"}]
BODY = {"model": "m", "messages": MESSAGES}


@dataclass(frozen=True)
class Service:
    gw: Groundwire
    upstream: Upstream
    base: str

    def key(self, *roles: Role, owner: str | None = "ada") -> str:
        return self.gw.keys().create("k", roles=roles or (Role.READ,), owner=owner).token

    def ask(self, key: str, body: dict[str, Any] | None = None, **headers: str) -> httpx.Response:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {"Authorization": f"Bearer {key}", **named}
        return httpx.post(f"{self.base}/chat/completions", json={**BODY, **(body or {})}, headers=sent, timeout=60)


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    gw = open_memory(tmp_path, serve_rate=0.0)
    with run_upstream(as_json(completion(TRUE))) as upstream:
        extension = mount_proxy(upstream.address, options=ProxyOptions(upstream_key="sk-operator"))
        with run_app(create_app(gw, extensions=[extension]), lifespan="on") as address:
            yield Service(gw, upstream, f"{address}/openai/v1")


def test_the_key_says_whose_memories_count_whatever_the_body_says(service: Service):
    ada, bob = service.key(), service.key(owner="bob")
    assert service.ask(ada, {"user": "opaque-7"}).json()["groundwire"]["grounded"] is True
    refused = service.ask(bob, {"user": "ada"}).json()
    assert refused["choices"][0]["finish_reason"] == "content_filter", "bob does not live in Berlin"


@pytest.mark.requirement("SEC-003")
def test_nobody_is_asked_about_whom_the_key_does_not_cover(service: Service):
    got = service.ask(service.key(), X_Groundwire_User="bob")
    assert got.status_code == 403 and service.upstream.asked == []
    assert "does not cover" in got.json()["error"]["message"]


def test_a_key_for_everybody_has_to_be_told_who_is_meant(service: Service):
    key = service.key(owner=None)
    missing = service.ask(key)
    assert missing.status_code == 400 and missing.json()["error"]["code"] == "missing_user"
    assert service.ask(key, {"user": "ada"}).json()["groundwire"]["grounded"] is True
    assert service.ask(key, X_Groundwire_User="ada").json()["groundwire"]["grounded"] is True


def test_without_a_key_or_without_the_role_nothing_goes_upstream(service: Service):
    assert service.ask("gwk_nothing").status_code == 401
    assert service.ask(service.key(Role.PROPOSE)).status_code == 403
    assert httpx.get(f"{service.base}/models").status_code == 401
    assert service.upstream.asked == []


def test_the_key_of_the_service_never_goes_upstream(service: Service):
    key = service.key()
    service.ask(key, Cookie="session=1", X_API_Key=key)
    service.ask(key, X_Upstream_Authorization="Bearer sk-own")
    httpx.get(f"{service.base}/models", headers={"Authorization": f"Bearer {key}"})
    assert [asked.headers["authorization"] for asked in service.upstream.asked] == [
        "Bearer sk-operator",
        "Bearer sk-own",
        "Bearer sk-operator",
    ]
    assert all(key not in json.dumps(asked.headers) for asked in service.upstream.asked)
    assert "cookie" not in service.upstream.asked[0].headers
    assert service.upstream.asked[2].path == "/v1/models"


def test_a_request_that_is_too_large_for_the_service_is_refused_by_it(service: Service):
    got = service.ask(service.key(), {"x": "y" * service.gw.settings.serve_bytes})
    assert got.status_code == 413 and service.upstream.asked == []


def test_the_openai_client_streams_through_the_service(service: Service):
    service.upstream.replies[:] = [as_stream(answer_stream(f"{TRUE} Bye!"))]
    with openai.OpenAI(base_url=service.base, api_key=service.key(), max_retries=0) as ai:
        got = list(ai.chat.completions.create(model="m", messages=MESSAGES, stream=True))  # pyright: ignore
    assert "".join(one.choices[0].delta.content or "" for one in got) == f"{TRUE} Bye!"


def test_a_websocket_is_refused(tmp_path: Path):
    app = create_proxy(open_memory(tmp_path), "http://127.0.0.1:1/v1", owner=Scope("ada", "default"))
    with TestClient(app) as client, pytest.raises(WebSocketDisconnect), client.websocket_connect("/v1/realtime"):
        pass


def test_the_proxy_says_that_it_is_there(tmp_path: Path):
    app = create_proxy(open_memory(tmp_path), "http://127.0.0.1:1/v1", owner=Scope("ada", "default"))
    with TestClient(app) as client:
        assert client.get("/healthz").json() == {"status": "ok"}


# ── the commands ────────────────────────────────────────────────────────────────────────────────


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), env={"GROUNDWIRE_JUDGE": "rules"})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--upstream", "http://127.0.0.1:1"], "No store is named"),
        (["--store", "memory.db"], "--upstream"),
        (["--store", "memory.db", "--upstream", "ftp://x"], "http:// or https://"),
        (["--store", "memory.db", "--upstream", "http://me:secret@x/v1"], "neither credentials"),
        (["--store", "memory.db", "--upstream", "http://x", "--key-variable", "NOT_THERE"], "NOT_THERE is not set"),
        (["--store", "memory.db", "--upstream", "http://x", "--mode", "loose"], "loose"),
    ],
)
def test_what_cannot_be_started_is_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], problem: str
):
    monkeypatch.chdir(tmp_path)
    got = run("proxy", *arguments)
    assert got.exit_code == 2 and problem in got.output and "secret" not in got.output


@pytest.mark.parametrize("command", ["proxy", "serve"])
def test_the_command_starts_answers_and_stops(tmp_path: Path, command: str):
    gw = open_memory(tmp_path)
    token = gw.keys().create("k", roles=(Role.READ,), owner="ada").token
    gw.close()
    environ = {**os.environ, "GROUNDWIRE_JUDGE": "rules", "UPSTREAM_KEY": "sk-operator", "PYTHONUNBUFFERED": "1"}
    with run_upstream(as_stream(answer_stream(f"{TRUE} {FALSE} More."))) as upstream:
        script = "from groundwire.surfaces.cli import main; main()"
        arguments = [command, "--upstream", upstream.address, "--port", "0", "--store", str(tmp_path / "memory.db"),
                     "--key-variable", "UPSTREAM_KEY"]  # fmt: skip
        if command == "proxy":
            arguments += ["--user", "ada", "--mode", "strict", "--context-tokens", "200"]
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            [sys.executable, "-c", script, *arguments], env=environ, text=True, stdout=pipe, stderr=pipe
        )
        try:
            assert process.stdout is not None
            address = next(line for line in process.stdout if line.startswith("listening on")).split()[-1].strip()
            base = address if command == "proxy" else f"{address}/openai/v1"
            headers = {} if command == "proxy" else {"Authorization": f"Bearer {token}"}
            got = httpx.post(
                f"{base}/chat/completions", json={**BODY, "stream": True}, headers=headers, timeout=60
            )  # fmt: skip
        finally:
            process.send_signal(signal.SIGTERM)
            _, errors = process.communicate(timeout=60)
    assert text_of(read_events(got.content)).startswith(f"{TRUE} \n\nI cannot provide")
    assert upstream.asked[0].headers["authorization"] == "Bearer sk-operator"
    assert "sk-operator" not in errors and token not in errors and TRUE not in errors
    assert ("I live in Berlin." in upstream.asked[0].body.decode()) is (command == "proxy")


@pytest.mark.parametrize(
    ("given", "path"),
    [("http://x", "/v1"), ("http://x/", "/v1"), ("https://x/v1/", "/v1/"), ("http://x:8080/api/openai", "/api/openai")],
)
def test_an_address_is_read_as_a_client_would(given: str, path: str):
    assert read_address(given).path == path


@pytest.mark.parametrize("given", ["", "x", "http://", "http://a@b/v1", "http://x/v1?key=1", "http://[::x/v1"])
def test_an_address_that_is_none_is_refused(given: str):
    with pytest.raises(InvalidInput, match="upstream"):
        read_address(given)
