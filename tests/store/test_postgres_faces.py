"""Every face over a store on a server: the library, the command line, the service; and no face shows the password."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from starlette.testclient import TestClient
from store_samples import NOW, SECRET

from groundwire import Groundwire
from groundwire.integrations.claude_code import main as stop_hook
from groundwire.settings import Settings
from groundwire.surfaces import serving
from groundwire.surfaces.cli import main
from groundwire.surfaces.rest.app import create_app
from groundwire.types.access import Role

pytestmark = pytest.mark.slow


@pytest.fixture
def server(postgres: Any, ann: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty store, with its password; named by the environment."""
    address = postgres.address(ann, "ann", SECRET)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_STORE", address)
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")
    return address


def run(*arguments: str, status: int = 0, text: str | None = None) -> Result:
    done = CliRunner().invoke(main, arguments, input=text)
    assert done.exit_code == status, done.output
    assert SECRET not in done.output and "Traceback" not in done.output
    return done


def ask(*arguments: str, status: int = 0) -> Any:
    return json.loads(run(*arguments, "--json", status=status).stdout)


def examine(*arguments: str, status: int = 0) -> dict[str, Any]:
    report = ask("doctor", *arguments, status=status)
    return {finding["name"]: finding for finding in report["findings"]}


def test_the_library_remembers_verifies_and_forgets_on_a_server(server: str):
    settings = Settings(judge="rules")
    with Groundwire(server, settings=settings) as gw:
        kept = gw.remember("I moved to Berlin in May.", source="user", user="ada", now=NOW).memory
        assert kept is not None
        assert not gw.verify("You live in Paris.", user="ada", now=NOW).grounded
    with Groundwire(server, settings=settings) as gw, Groundwire(server, settings=settings) as other:
        assert gw.verify("You live in Berlin.", user="ada", now=NOW).grounded, "another process would see it too"
        other.remember("I moved to Rome in June.", source="user", user="ada", now=NOW)
        assert gw.verify("You live in Rome.", user="ada", now=NOW).grounded, "no cache hides what others wrote"
        assert gw.forget(kept.id, user="ada", reason="asked to", now=NOW).is_purged
        assert all("Berlin" not in found.memory.text for found in other.recall("Berlin", user="ada", now=NOW))


def test_every_command_takes_the_address_of_a_server(server: str, tmp_path: Path):
    run("remember", "I live in Paris.", "--user", "ada")
    run("remember", "The service uses PostgreSQL 15.", "--user", "ada", "--source", "ai_synthesis", status=3)
    assert "Paris" in run("recall", "where do I live", "--user", "ada").stdout
    assert "Paris" in run("verify", "--text", "You live in Rome.", "--user", "ada", status=3).stdout
    run("guard", "--user", "ada", text="You live in Paris.\n")
    assert "PostgreSQL 15" in run("review", "list", "--user", "ada", status=3).stdout
    run("keys", "create", "app", "--role", "read", "--user", "ada", "--store", server)
    assert "app" in run("keys", "list").stdout
    assert run("export", "--store", server).stdout.count('"record"') == 2
    assert not list(tmp_path.iterdir()), "no file was made"
    store = run("config").stdout
    assert "postgresql://ann@/" in store


def test_memories_move_between_a_file_and_a_server(server: str, tmp_path: Path):
    for words in ("I live in Paris.", "I like tea.", "My cat is called 龍井茶."):
        run("remember", words, "--user", "ada", "--store", "memory.db")
    run("export", "--store", "memory.db", "out.jsonl")
    run("import", "out.jsonl")
    run("export", "back.jsonl")
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "back.jsonl").read_bytes()
    assert "tea" in run("recall", "what do I drink", "--user", "ada").stdout


@pytest.mark.requirement("STO-006")
def test_the_doctor_examines_schema_and_chain_on_a_server(server: str, postgres: Any, ann: str):
    run("remember", "I live in Paris.", "--user", "ada")
    found = examine()
    assert found["store"]["ok"] and found["store"]["detail"].startswith("postgresql://ann@/")
    assert found["schema"]["ok"] and found["audit"]["ok"] and "disk" not in found
    tamper = "UPDATE groundwire.audit SET actor = 'mallory' WHERE sequence = 1"
    postgres.execute("ALTER TABLE groundwire.audit DISABLE TRIGGER audit_refuses_update", database=ann)
    postgres.execute(tamper, database=ann)
    found = examine(status=3)
    assert "guard audit_refuses_update" in found["schema"]["detail"]
    assert "audit entry 1 has been changed" in found["audit"]["detail"]


def test_a_server_that_refuses_is_a_finding_and_a_failure(server: str, postgres: Any, ann: str):
    wrong = postgres.address(ann, "ann", f"{SECRET}-not")
    assert "refused the name or the password" in examine("--store", wrong, status=3)["store"]["detail"]
    assert "refused the name or the password" in run("recall", "tea", "--store", wrong, status=1).output
    assert "is no kind of store" in run("recall", "tea", "--store", f"redis://ann:{SECRET}@h/1", status=1).output


def test_a_service_starts_on_a_server_and_says_so_without_the_password(server: str):
    with Groundwire(server, settings=Settings(judge="rules")) as gw:
        lines = serving.prepare(gw, server, demo=True)
        assert lines[0].startswith("store: postgresql://ann@/") and SECRET not in "".join(lines)
        assert gw.keys().recognise(lines[2].strip())


def test_the_stop_hook_takes_the_address_of_a_server(server: str):
    run("remember", "I live in Paris.", "--user", "ada")
    payload = json.dumps({"hook_event_name": "Stop", "last_assistant_message": "You live in Rome."})
    done = CliRunner().invoke(stop_hook, ["--store", server, "--user", "ada"], input=payload)
    assert json.loads(done.stdout)["decision"] == "block" and SECRET not in done.output


def test_two_services_on_one_server_carry_a_request_out_once(server: str):
    settings = Settings(judge="rules", serve_rate=0.0)
    claim = {"content": "The service uses PostgreSQL 15.", "source": "ai_synthesis"}
    with (
        Groundwire(server, settings=settings) as one,
        Groundwire(server, settings=settings) as other,
        TestClient(create_app(one)) as first,
        TestClient(create_app(other)) as second,
        ThreadPoolExecutor(8) as pool,
    ):
        token = one.keys().create("key", roles=tuple(Role), owner="ada").token
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}
        asked = [
            pool.submit((first, second)[n % 2].post, "/v1/memories", json=claim, headers=headers) for n in range(8)
        ]
        answers = [asking.result() for asking in asked]
        assert [answer.status_code for answer in answers] == [202] * 8
        assert len({answer.content for answer in answers}) == 1 and len(other.reviews("ada").pending()) == 1


def test_a_service_whose_server_is_away_says_so_and_goes_on_when_it_is_back(server: str, postgres: Any):
    with (
        Groundwire(server, settings=Settings(judge="rules", serve_rate=0.0)) as gw,
        TestClient(create_app(gw)) as client,
    ):
        token = gw.keys().create("key", roles=tuple(Role), owner="ada", sources=None).token
        headers = {"Authorization": f"Bearer {token}"}
        said = {"content": "I live in Berlin.", "source": "user"}
        assert client.get("/readyz").status_code == 200
        postgres.stop()
        away = [client.get("/readyz"), client.post("/v1/memories", json=said, headers=headers)]
        postgres.start()
        assert [answer.status_code for answer in away] == [503, 503]
        assert not any(SECRET in answer.text for answer in away)
        assert client.get("/readyz").status_code == 200
        assert client.post("/v1/memories", json=said, headers=headers).status_code == 201
