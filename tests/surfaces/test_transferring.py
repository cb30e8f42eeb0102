"""export and import: everything goes out and comes back, whole or not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces import stores
from groundwire.surfaces.cli import main


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_STORE", "memory.db")
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")
    return tmp_path / "memory.db"


def run(*arguments: str, text: str | bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def ask(*arguments: str, text: str | None = None) -> dict[str, Any]:
    return json.loads(run(*arguments, "--json", text=text).stdout)


def fill() -> None:
    run("remember", "I live in Paris.", "--user", "ada", "--now", "2025-01-06")
    run("remember", "I moved to Berlin.", "--user", "ada", "--now", "2025-05-12")
    run("remember", "My favourite tea is 龍井茶.", "--user", "li")
    run("remember", "The service uses PostgreSQL 15.", "--user", "ada", "--source", "ai_synthesis")


def record(name: str, text: str = "I like tea.") -> dict[str, object]:
    (line,) = (json.loads(line) for line in run("export", "--store", "seed.db").stdout.splitlines())
    return {**line, "id": name, "text": text}


def test_what_goes_out_comes_back() -> None:
    fill()
    lines = run("export").stdout
    assert len(lines.splitlines()) == 4
    assert "My favourite tea is 龍井茶." in lines
    done = ask("import", "-", "--store", "copy.db", text=lines)
    assert done["counts"] == {"memories added": 3, "reviews added": 1}
    assert run("export", "--store", "copy.db").stdout == lines
    history = [ask("history", "--user", "ada", "--store", name)["history"] for name in ("memory.db", "copy.db")]
    assert history[0] == history[1]


def test_a_second_import_changes_nothing() -> None:
    fill()
    run("export", "all.jsonl")
    page = run("import", "all.jsonl")
    assert page.exit_code == 0
    assert "skipped" in page.stdout and "added" not in page.stdout


def test_one_user_alone() -> None:
    fill()
    done = ask("export", "li.jsonl", "--user", "li")
    assert done == {"path": "li.jsonl", "counts": {"memories": 1}}
    assert [json.loads(line)["owner"] for line in Path("li.jsonl").read_text().splitlines()] == ["li"]


def test_what_was_forgotten_stays_forgotten() -> None:
    fill()
    lines = run("export", "--user", "li").stdout
    run("forget", json.loads(lines)["id"], "--user", "li", "--reason", "asked to", "--yes")
    assert ask("import", "-", text=lines)["counts"] == {"memories skipped": 1}
    assert "My favourite tea is 龍井茶." not in run("export").stdout


def test_an_existing_file_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    fill()
    Path("notes.txt").write_text("mine", encoding="utf-8")
    done = run("export", "notes.txt")
    assert (done.exit_code, "--yes" in done.stderr) == (2, True)
    monkeypatch.setattr(stores, "can_ask", lambda: True)
    assert run("export", "notes.txt", text="n\n").exit_code == 1
    assert Path("notes.txt").read_text() == "mine"
    assert run("export", "notes.txt", "--yes").exit_code == 0
    assert len(Path("notes.txt").read_text().splitlines()) == 4


def test_a_folder_that_cannot_be_written_is_named_and_nothing_is_left_behind(tmp_path: Path) -> None:
    fill()
    done = run("export", "absent/all.jsonl")
    assert (done.exit_code, "cannot be written" in done.stderr) == (2, True)
    assert not list(tmp_path.glob(".*jsonl*"))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"record": "memory"}\n', "line 1"),
        (b"\xff\xfe\x00\n", "line 1: is not UTF-8"),
        (b"hello\n", "line 1"),
        (b"[1, 2]\n", "line 1"),
        (b'{"record": "spell", "id": "x"}\n', "line 1"),
        (b'{"id": "m1", "text": "I like tea."}\n', "line 1"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "line 1"),
    ],
)
def test_what_is_no_export_is_refused_with_the_line(content: bytes, message: str) -> None:
    run("remember", "I like tea.", "--store", "seed.db")
    done = run("import", "-", text=content)
    assert done.exit_code == 2
    assert message in done.stderr and "Traceback" not in done.output


def test_an_empty_import_and_blank_lines_are_no_fault() -> None:
    done = run("import", "-", text=b"")
    assert (done.exit_code, done.stdout) == (0, "nothing to be imported\n")
    assert run("import", "-", text=b"\n\n").exit_code == 0


def test_one_broken_line_among_many_leaves_the_store_as_it_was() -> None:
    run("remember", "I like tea.", "--store", "seed.db", "--user", "ada")
    lines = [json.dumps(record(f"m{number}", f"Fact number {number}.")) for number in range(500)]
    lines[400] = "{broken"
    done = run("import", "-", text="\n".join(lines))
    assert (done.exit_code, "line 401" in done.stderr) == (2, True)
    assert ask("history", "--user", "ada")["history"] == []


def test_an_absent_file_is_named() -> None:
    done = run("import", "absent.jsonl")
    assert (done.exit_code, "absent.jsonl" in done.stderr) == (2, True)


def test_exports_and_imports_line_by_line() -> None:
    fill()
    line = {"path": "a.jsonl"}
    lines = [{"id": 1, **line}, {"id": 2, **line}, {"id": 3, **line, "overwrite": True}]
    done = run("export", "--jsonl", text="".join(json.dumps(line) + "\n" for line in lines))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert [("error" in answer) for answer in answers] == [False, True, False]
    done = run("import", "--jsonl", "--store", "copy.db", text='{"path": "a.jsonl"}\n{"path": "b.jsonl"}\n')
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert answers[0]["counts"]["memories added"] == 3
    assert answers[1]["error"]["field"] == "path"
