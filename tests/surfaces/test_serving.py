"""The commands `serve` and `keys`: from the command line to a request that is answered."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire import Groundwire, Settings
from groundwire.errors import MissingExtra, NotRecognised
from groundwire.surfaces import serving
from groundwire.surfaces.cli import main
from groundwire.types.access import Role


def run(*arguments: str, **environ: str) -> Result:
    return CliRunner().invoke(main, list(arguments), env={"GROUNDWIRE_JUDGE": "rules", **environ})


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "memory.db")


def recognise(path: str, token: str) -> Any:
    with Groundwire(path, settings=Settings(judge="rules")) as gw:
        return gw.keys().recognise(token)


# ── keys ────────────────────────────────────────────────────────────────────────────────────────


def test_a_key_is_made_listed_and_revoked(path: str):
    made = run("keys", "create", "agent", "--role", "propose", "--role", "read", "--user", "ada", "--store", path)
    assert made.exit_code == 0, made.output
    token = made.stdout.strip()
    credential = recognise(path, token)
    assert credential.roles == {Role.PROPOSE, Role.READ}
    assert (credential.owner, credential.sources) == ("ada", {"ai_synthesis"})
    listed = json.loads(run("keys", "list", "--json", "--store", path).stdout)["keys"]
    assert [(key["id"], key["user"], key["revoked_at"]) for key in listed] == [(credential.id, "ada", None)]
    shown = run("keys", "list", "--store", path).stdout
    assert "agent: propose, read of ada in default" in shown
    assert token.rpartition("_")[2] not in shown
    revoked = run("keys", "revoke", credential.id[:10], "--store", path)
    assert "REVOKED" in revoked.stdout
    with pytest.raises(NotRecognised):
        recognise(path, token)


def test_an_administrators_key_may_claim_any_source_and_others_what_they_are_given(path: str):
    admin = run("keys", "create", "root", "--role", "admin", "--all-users", "--json", "--store", path)
    assert json.loads(admin.stdout)["key"]["sources"] is None
    named = ("--source", "user", "--source", "chat")
    app = run("keys", "create", "app", "--role", "propose", "--user", "ada", *named, "--json", "--store", path)
    assert json.loads(app.stdout)["key"]["sources"] == ["chat", "user"]
    same = ("keys", "create", "x", "--role", "propose", "--user", "a", "--json", "--store", path)
    settled = run(*same, GROUNDWIRE_SERVE_SOURCES="chat")
    assert json.loads(settled.stdout)["key"]["sources"] == ["chat"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["create", "x", "--role", "read"],
        ["create", "x", "--role", "read", "--user", "ada", "--all-users"],
        ["create", "x", "--role", "owner", "--user", "ada"],
        ["create", "x", "--user", "ada"],
        ["create", " x", "--role", "read", "--user", "ada"],
        ["list", "--store", "nowhere.db"],
        ["list"],
    ],
)
def test_wrong_usage_is_told(path: str, arguments: list[str]):
    named = [] if arguments[0] == "list" else ["--store", path]
    assert run("keys", *arguments, *named).exit_code == 2


def test_revoking_a_key_that_is_not_there_fails(path: str):
    run("keys", "create", "x", "--role", "read", "--user", "ada", "--store", path)
    assert run("keys", "revoke", "key_nothing", "--store", path).exit_code == 1


# ── serve ───────────────────────────────────────────────────────────────────────────────────────


def test_the_first_start_makes_an_administrators_key_and_later_ones_do_not(path: str):
    with Groundwire(path, settings=Settings(judge="rules")) as gw:
        first = serving.prepare(gw, path, demo=False)
        token = first[-1].strip()
        assert gw.keys().recognise(token).roles == frozenset(Role)
        assert serving.prepare(gw, path, demo=False) == [f"store: {path}"]


def test_it_says_where_the_console_is_and_with_which_key_to_enter():
    address = "http://127.0.0.1:8765"
    first = serving.tell_next(address, "memory.db", is_first=True, demo=False)
    assert first[0] == f"people: open {address}/console in a browser and sign in with the administrator's key above"
    assert f"{address}/v1" in first[-1]
    demo = serving.tell_next(address, "demo.db", is_first=False, demo=True)
    assert demo[0].endswith("/console in a browser and sign in with the demo reviewer's key above")
    elsewhere = serving.tell_next("http://0.0.0.0:80", "memory.db", is_first=True, demo=False)
    assert "http://localhost:80/console" in elsewhere[0]  # no browser goes to 0.0.0.0


def test_a_later_start_names_a_command_that_makes_a_key_for_the_console(path: str):
    with Groundwire(path, settings=Settings(judge="rules")) as gw:
        serving.prepare(gw, path, demo=False)
    later = serving.tell_next("http://127.0.0.1:8765", path, is_first=False, demo=False)
    made = run(*shlex.split(later[2])[1:])
    assert made.exit_code == 0, made.output
    assert Role.REVIEW in recognise(path, made.stdout.strip()).roles


def test_without_the_extra_the_install_line_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(serving, "find_spec", lambda name: None)
    result = run("serve")
    assert result.exit_code == 1
    assert str(MissingExtra("the service", "serve")) in result.output


def test_an_address_that_is_taken_is_told_and_changes_nothing(path: str):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        result = run("serve", "--store", path, "--port", str(taken.getsockname()[1]))
    assert result.exit_code == 2
    assert "--port" in result.output
    assert not Path(path).exists()


def test_importing_the_command_line_loads_no_web_server():
    code = "import sys, groundwire.surfaces.cli; print(sorted({'fastapi', 'uvicorn', 'starlette'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


@contextmanager
def served(path: str, *options: str) -> Iterator[tuple[subprocess.Popen[str], list[str], str]]:
    """A service of its own process, what it printed, and its address."""
    code = "from groundwire.surfaces.cli import main; main()"
    command = [sys.executable, "-u", "-c", code, "serve", "--store", path, "--port", "0", *options]
    environ = {**os.environ, "GROUNDWIRE_JUDGE": "rules"}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ, encoding="utf-8"
    )
    try:
        assert process.stdout is not None
        lines: list[str] = []
        while not lines or not lines[-1].startswith("listening on "):
            line = process.stdout.readline()
            assert line, "it ended before it listened"
            lines.append(line.rstrip("\n"))
        yield process, lines, lines[-1].removeprefix("listening on ")
    finally:
        process.kill()
        process.communicate()


def ask(address: str, token: str, path: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(address + path, data, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.loads(answer.read())


def test_a_service_starts_answers_and_ends(path: str):
    with served(path, "--demo") as (process, lines, address):
        token = lines[2].strip()
        stored = ask(address, token, "/v1/memories", {"content": "I live in Berlin.", "source": "user", "user": "ada"})
        assert stored["stored"] is True
        reviewer = next(line.split(": ")[1] for line in lines if line.startswith("  demo reviewer"))
        assert ask(address, reviewer, "/v1/users")["users"][0]["waiting"] == 3
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
    entries = [json.loads(line) for line in log.splitlines()]
    assert [entry["status"] for entry in entries if entry["message"] == "request"] == [200 + 1, 200]
    assert not any(secret in log for secret in (token, reviewer, "Berlin"))
    with Groundwire(path, settings=Settings(judge="rules")) as gw:
        assert [memory.text for memory in gw.ledger("ada").memories().items] == ["I live in Berlin."]
