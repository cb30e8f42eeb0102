"""doctor and rejections: what is not in order is told apart, with what to do about it."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces.cli import main


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_STORE", "memory.db")
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")
    return tmp_path / "memory.db"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def examine(*arguments: str) -> dict[str, Any]:
    report = json.loads(run("doctor", "--json", *arguments).stdout)
    return {"ok": report["ok"], **{finding["name"]: finding for finding in report["findings"]}}


def fill() -> None:
    for text in ("I live in Paris.", "I like tea.", "I think it may rain."):
        run("remember", text, "--user", "ada")


def test_a_healthy_store_is_in_order() -> None:
    fill()
    done = run("doctor")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "✓ everything is in order")
    assert examine()["ok"] is True


def test_a_changed_audit_trail_is_found(store: Path) -> None:
    fill()
    with sqlite3.connect(store) as connection:
        names = [row[0] for row in connection.execute("select name from sqlite_master where type = 'trigger'")]
        for name in names:
            connection.execute(f'drop trigger "{name}"')
        connection.execute("update audit set actor = 'mallory' where sequence = 1")
    connection.close()
    done = run("doctor")
    assert done.exit_code == 3
    assert "✗" in done.stdout and "to do:" in done.stdout


@pytest.mark.parametrize("content", [b"", b"these are my notes\n" * 300, b"SQLite format 3\x00" + b"\x00" * 2000])
def test_a_file_that_is_no_store_is_told_apart_and_left_alone(store: Path, content: bytes) -> None:
    store.write_bytes(content)
    done = run("doctor")
    assert "Traceback" not in done.output
    if content:
        assert done.exit_code == 3
        assert store.read_bytes() == content
        assert "to do:" in done.stdout


def test_a_missing_store_and_none_are_told_apart(store: Path) -> None:
    assert "remember makes one" in run("doctor").stdout
    assert not store.exists()
    done = CliRunner().invoke(main, ["doctor"], env={"GROUNDWIRE_STORE": ""})
    assert done.exit_code == 0
    assert "none is named" in done.stdout


def test_broken_settings_are_a_finding() -> None:
    done = CliRunner().invoke(main, ["doctor"], env={"GROUNDWIRE_MAX_CLAIMS": "many"})
    assert (done.exit_code, "max_claims" in done.stdout) == (3, True)


def test_stores_are_examined_line_by_line() -> None:
    fill()
    done = run("doctor", "--jsonl", text='{"id": 1}\n{"id": 2, "store": "absent.db"}\n{"id": 3, "stor": "x"}\n')
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("ok") for answer in answers] == [True, False, None]
    assert answers[2]["error"]["field"] == "stor"


def test_rejections_are_counted_with_a_recommendation() -> None:
    fill()
    summary = json.loads(run("rejections", "--user", "ada", "--json").stdout)
    assert summary["total"] == sum(share["count"] for share in summary["shares"]) == 3
    assert summary["recommendation"]
    page = run("rejections", "--user", "ada").stdout
    assert "█" in page and "accepted" in page
    assert "no candidates yet" in run("rejections", "--user", "bob").stdout


def test_rejections_line_by_line_and_since() -> None:
    fill()
    lines = '{"user": "ada"}\n{"user": "ada", "since": "2999-01-01"}\n{"since": "x"}\n'
    done = run("rejections", "--jsonl", text=lines)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("total") for answer in answers] == [3, 0, None]
    assert done.exit_code == 1
