"""The review commands: the queue, one sheet, decisions by whoever may make them, and many at once."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces import stores
from groundwire.surfaces.cli import main

CLAIM = "The service uses PostgreSQL 15."


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_STORE", "memory.db")
    monkeypatch.setenv("GROUNDWIRE_USER", "ada")
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")
    return tmp_path / "memory.db"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def ask(*arguments: str, text: str | None = None) -> dict[str, Any]:
    return json.loads(run(*arguments, "--json", text=text).stdout)


def propose(content: str = CLAIM, *options: str) -> str:
    review_id = ask("remember", content, "--source", "ai_synthesis", *options)["review_id"]
    assert isinstance(review_id, str)
    return review_id


def recalled(query: str = "PostgreSQL") -> list[str]:
    return [memory["text"] for memory in ask("recall", query)["memories"]]


def test_the_list_is_oldest_first_and_status_3_says_that_something_waits() -> None:
    ask("remember", "I live in Paris.")
    empty = run("review", "list")
    assert (empty.exit_code, empty.stdout) == (0, "nothing waits for review\n")
    first, second = propose(), propose("The cache holds 40 entries.")
    done = run("review", "list")
    assert done.exit_code == 3
    assert done.stdout.index(first[:8]) < done.stdout.index(second[:8])
    pending = ask("review", "list")["pending"]
    assert [item["review_id"] for item in pending] == [first, second]
    assert pending[0]["reason_for_review"]


def test_a_sheet_shows_the_nearest_memory_and_the_difference() -> None:
    ask("remember", "The service uses PostgreSQL 14.", "--source", "documentation")
    name = propose()
    page = run("review", "show", name[:8])
    assert page.exit_code == 0
    rows = page.stdout.splitlines()
    stored = rows.index("  -  The service uses PostgreSQL 14.")
    assert rows[stored + 1].strip() == "--"
    sheet = ask("review", "show", name)
    assert sheet["nearest"][0]["text"] == "The service uses PostgreSQL 14."
    assert sheet["review_id"] == name


def test_approving_stores_it_once() -> None:
    name = propose()
    assert recalled() == []
    done = run("review", "approve", name[:8])
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "✓ REMEMBERED")
    assert recalled() == [CLAIM]
    again = run("review", "approve", name)
    assert (again.exit_code, "approved already" in again.stderr) == (1, True)


def test_whoever_proposed_cannot_approve() -> None:
    name = propose(CLAIM, "--credential", "agent-7")
    done = run("review", "approve", name, "--credential", "agent-7")
    assert (done.exit_code, "cannot decide on it" in done.stderr) == (1, True)
    assert run("review", "approve", name, "--reviewer", "mallory").exit_code == 1
    assert recalled() == []


def test_an_edit_stores_the_new_words_and_keeps_the_old() -> None:
    name = propose()
    done = ask("review", "edit", name, "The service uses PostgreSQL 16.")
    assert done["stored"] is True
    assert recalled() == ["The service uses PostgreSQL 16."]
    assert CLAIM in json.dumps(done["memory"]["evidence"])


def test_an_edit_into_speculation_is_not_stored() -> None:
    name = propose()
    done = run("review", "edit", name, "I think the service uses PostgreSQL 16.")
    assert done.exit_code in (1, 3)
    assert recalled() == []


def test_a_rejection_needs_a_reason_and_keeps_it() -> None:
    name = propose()
    assert "--reason" in run("review", "reject", name).stderr
    done = ask("review", "reject", name, "--reason", "never said so")
    assert (done["state"], done["reason"]) == ("rejected", "never said so")
    assert run("review", "list").exit_code == 0


def test_another_users_item_is_as_unknown_as_none() -> None:
    name = propose()
    foreign = run("review", "show", name, "--user", "bob")
    absent = run("review", "show", "0" * 32, "--user", "bob")
    assert foreign.exit_code == absent.exit_code == 1
    assert foreign.stderr.replace(name, "ID") == absent.stderr.replace("0" * 32, "ID")


def test_many_are_previewed_asked_about_and_decided_each_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [propose(), propose("The cache holds 40 entries.")]
    preview = ask("review", "bulk", "approve", *names, "--preview")
    assert (preview["preview"], [entry["review_id"] for entry in preview["entries"]]) == (True, names)
    assert run("review", "bulk", "approve", "--all").exit_code == 2, "no terminal to ask on"
    assert len(ask("review", "list")["pending"]) == 2
    monkeypatch.setattr(stores, "can_ask", lambda: True)
    assert run("review", "bulk", "approve", "--all", text="n\n").exit_code == 1
    assert len(ask("review", "list")["pending"]) == 2
    done = run("review", "bulk", "approve", *(name[:8] for name in names), text="y\n")
    assert (done.exit_code, "2 of 2 items approved" in done.stdout) == (0, True)
    gone = ask("review", "bulk", "reject", names[0], "--reason", "x", "--yes")
    assert gone["entries"][0]["error"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show"], "Name the item"),
        (["approve"], "Name the item"),
        (["edit", "x"], "new words"),
        (["bulk"], "Say what to do"),
        (["bulk", "approve"], "ids or --all"),
        (["bulk", "approve", "x", "--all"], "not both"),
        (["bulk", "reject", "--all"], "--reason"),
        (["approve", "x", "--jsonl"], "--jsonl"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], message: str) -> None:
    propose()
    done = run("review", *arguments)
    assert (done.exit_code, message in done.stderr) == (2, True)


def test_decisions_line_by_line() -> None:
    first, second, third = propose(), propose("The cache holds 40 entries."), propose("The queue has 3 workers.")

    def decide(command: str, **fields: object) -> dict[str, Any]:
        done = run("review", command, "--jsonl", text=json.dumps({"id": 1, **fields}) + "\n")
        answer = json.loads(done.stdout)
        assert answer["id"] == 1
        return answer

    assert decide("approve", review_id=first)["stored"] is True
    assert decide("edit", review_id=second, content="The cache holds 50 entries.")["stored"] is True
    assert decide("edit", review_id=third)["error"]["field"] == "content"
    assert decide("bulk", action="reject", review_ids=[third], reason="x")["preview"] is True
    assert len(decide("list")["pending"]) == 1
    assert decide("show", review_id=third)["content"] == "The queue has 3 workers."
    assert decide("reject", review_id=third)["error"]["field"] == "reason"
    assert decide("reject", review_id=third, reason="x")["state"] == "rejected"


def test_options_of_the_group_reach_its_commands() -> None:
    name = propose("It is 4 km long.", "--user", "bob", "--credential", "agent")
    done = run("review", "--user", "bob", "--credential", "agent", "approve", name)
    assert "cannot decide on it" in done.stderr
    assert run("review", "--user", "bob", "approve", name).exit_code == 0


# ── a real terminal ─────────────────────────────────────────────────────────────────────────────


def read_until(terminal: int, words: str, shown: str = "") -> str:
    deadline = time.monotonic() + 30
    while words not in shown:
        ready, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert ready, f"waited in vain for {words!r} after {shown!r}"
        shown += os.read(terminal, 65536).decode(errors="replace")
    return shown


def press_until(terminal: int, key: bytes, words: str) -> None:
    """A key pressed before the desk listens is thrown away, as a careless one should be: it is pressed again."""
    shown, deadline = "", time.monotonic() + 30
    while words not in shown:
        assert time.monotonic() < deadline, f"pressed {key!r} in vain after {shown!r}"
        os.write(terminal, key)
        while words not in shown and select.select([terminal], [], [], 1.0)[0]:
            shown += os.read(terminal, 65536).decode(errors="replace")


@pytest.mark.skipif(not hasattr(pty, "openpty"), reason="needs a pseudo-terminal")
def test_the_desk_on_a_real_terminal() -> None:
    propose()
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from groundwire.surfaces.cli import main; main()", "review", "--color", "never"]
    environ = {**os.environ, "TERM": "dumb", "COLUMNS": "80"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ) as process:
        try:
            os.close(theirs)
            shown = read_until(ours, "q quit")
            assert CLAIM in shown and "\x1b" not in shown
            press_until(ours, b"r", "Why")
            os.write(ours, b"never said so\n")
            read_until(ours, "1 rejected; nothing left")
            assert process.wait(30) == 0
        finally:
            process.kill()  # one that still waits for a key would be waited for without end
    os.close(ours)
    assert ask("review", "list")["pending"] == []
