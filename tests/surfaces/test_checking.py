"""judge, verify and gate against a store: whose memories count, and when they do not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces.cli import main


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")
    path = tmp_path / "memory.db"
    run("remember", "I live in Lisbon.", "--user", "ada", "--store", str(path), "--now", "2025-01-06")
    return path


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def test_an_answer_is_verified_against_what_is_remembered() -> None:
    right = run("verify", "You live in Lisbon.", "--store", "memory.db", "--user", "ada")
    assert (right.exit_code, "✓ GROUNDED" in right.stdout) == (0, True)
    wrong = run("verify", "You live in Porto.", "--store", "memory.db", "--user", "ada")
    assert wrong.exit_code == 3
    assert "I live in Lisbon." in wrong.stdout, "the memory that decides stands beside the claim"


def test_a_claim_is_judged_against_what_is_remembered() -> None:
    done = run("judge", "You live in Porto.", "--store", "memory.db", "--user", "ada")
    assert (done.exit_code, "REFUTED" in done.stdout, "I live in Lisbon." in done.stdout) == (3, True, True)
    assert run("judge", "You live in Lisbon.", "--store", "memory.db", "--user", "ada").exit_code == 0


def test_somebody_elses_memories_are_no_evidence() -> None:
    assert run("verify", "You live in Lisbon.", "--store", "memory.db", "--user", "bob").exit_code == 3
    judged = json.loads(run("judge", "You live in Lisbon.", "--store", "memory.db", "--user", "bob", "--json").stdout)
    assert (judged["verdict"], judged["evidence_used"]) == ("INSUFFICIENT", [])


def test_memories_that_are_handed_in_take_the_place_of_the_store() -> None:
    given = ("--memory", "I live in Porto.", "--store", "memory.db", "--user", "ada")
    assert run("verify", "You live in Porto.", *given).exit_code == 0


def test_lines_without_memories_are_verified_against_the_store() -> None:
    lines = [
        {"id": 1, "text": "You live in Lisbon.", "user": "ada"},
        {"id": 2, "text": "You live in Lisbon."},
        {"id": 3, "text": "You live in Porto.", "memories": ["I live in Porto."]},
    ]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    done = run("verify", "--jsonl", "--store", "memory.db", text=text)
    assert [json.loads(line)["grounded"] for line in done.stdout.splitlines()] == [True, False, True]
    done = run("verify", "--jsonl", "--store", "memory.db", "--user", "ada", text=text)
    assert [json.loads(line)["grounded"] for line in done.stdout.splitlines()] == [True, True, True]


def test_lines_without_evidence_are_judged_against_the_store() -> None:
    text = '{"claim": "You live in Lisbon.", "user": "ada"}\n{"claim": "You live in Lisbon.", "evidence": []}\n'
    done = run("judge", "--jsonl", "--store", "memory.db", text=text)
    assert [json.loads(line)["verdict"] for line in done.stdout.splitlines()] == ["SUPPORTED", "INSUFFICIENT"]
    done = run("judge", "--jsonl", text=text)
    assert json.loads(done.stdout.splitlines()[0])["error"]["field"] == "evidence"


def test_the_gate_knows_what_is_stored_and_writes_nothing(store: Path) -> None:
    done = run("gate", "I live in Lisbon.", "--store", "memory.db", "--user", "ada", "--json")
    receipt = json.loads(done.stdout)
    assert (receipt["tier"], done.exit_code) == ("block", 3)
    assert receipt["conflicting_memory_id"]
    assert run("gate", "I live in Lisbon.", "--store", "memory.db", "--user", "bob").exit_code == 0
    assert run("gate", "I like tea.", "--store", "memory.db", "--user", "ada").exit_code == 0
    history = json.loads(run("history", "--store", "memory.db", "--user", "ada", "--json").stdout)["history"]
    assert [entry["text"] for entry in history] == ["I live in Lisbon."]
    assert history[0]["mentions"] == 1


@pytest.mark.parametrize("command", [["verify", "x"], ["judge", "x"], ["gate", "x"]])
def test_a_store_that_is_not_there_is_an_error_where_it_was_asked_for(command: list[str]) -> None:
    done = run(*command, "--store", "absent.db")
    assert (done.exit_code, "There is no store 'absent.db'" in done.stderr) == (2, True)
    assert not Path("absent.db").exists()


def test_a_store_of_the_settings_that_is_not_made_yet_does_not_stop_a_check() -> None:
    done = CliRunner().invoke(main, ["verify", "You live in Porto."], env={"GROUNDWIRE_STORE": "later.db"})
    assert (done.exit_code, "later.db" in done.stderr) == (3, True)
    assert not Path("later.db").exists()
