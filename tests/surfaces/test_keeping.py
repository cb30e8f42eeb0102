"""remember, recall, history and forget: the JSON contract, the pages for people, exit statuses, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces import stores
from groundwire.surfaces.cli import main

BERLIN = "I live in Berlin."
PARIS = "I live in Paris."


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_STORE", "memory.db")
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")
    return tmp_path / "memory.db"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=text)


def ask(*arguments: str, text: str | None = None) -> dict[str, Any]:
    return json.loads(run(*arguments, "--json", text=text).stdout)


def filter_lines(command: str, *lines: object, options: tuple[str, ...] = ()) -> tuple[int, list[dict[str, Any]]]:
    done = run(command, "--jsonl", *options, text="".join(json.dumps(line) + "\n" for line in lines))
    return done.exit_code, [json.loads(line) for line in done.stdout.splitlines()]


def remember(content: str, *options: str) -> dict[str, Any]:
    return ask("remember", content, "--user", "ada", *options)


# ── remember ────────────────────────────────────────────────────────────────────────────────────


def test_what_is_grounded_is_stored_and_the_first_memory_makes_the_store(store: Path) -> None:
    done = run("remember", PARIS, "--user", "ada", "--now", "2025-01-06")
    assert (done.exit_code, store.exists()) == (0, True)
    assert done.stdout.startswith("✓ REMEMBERED\n")
    assert "since 2025-01-06" in done.stdout
    assert PARIS in run("recall", "Paris", "--user", "ada").stdout


def test_a_receipt_says_what_was_stored_and_what_it_ended(store: Path) -> None:
    first = remember(PARIS, "--now", "2025-01-06T08:00:00Z")
    assert (first["tier"], first["stored"], first["review_id"], first["superseded"]) == ("auto_approve", True, None, [])
    assert first["memory"]["id"] == first["memory_id"]
    second = remember("I moved to Berlin.", "--now", "2025-05-12T08:00:00Z")
    assert [old["id"] for old in second["superseded"]] == [first["memory_id"]]
    assert second["superseded"][0]["superseded_by"] == second["memory_id"]
    assert second["superseded"][0]["valid_to"] == "2025-05-12T08:00:00+00:00"


def test_what_is_doubtful_waits_and_what_is_speculation_is_refused_with_status_3(store: Path) -> None:
    doubtful = run("remember", "The service uses PostgreSQL 15", "--source", "ai_synthesis", "--user", "ada")
    assert doubtful.exit_code == 3
    assert doubtful.stdout.startswith("? WAITS FOR REVIEW\n")
    assert "groundwire review show" in doubtful.stdout
    refused = run("remember", "I think we should use Redis", "--user", "ada")
    assert (refused.exit_code, refused.stdout.splitlines()[0]) == (3, "✗ REFUSED")
    assert ask("recall", "Redis PostgreSQL", "--user", "ada") == {"memories": []}


def test_what_is_said_again_confirms_what_is_known(store: Path) -> None:
    first = remember(PARIS)
    again = remember(PARIS)
    assert (again["stored"], again["confirmed"], again["memory_id"]) == (True, True, first["memory_id"])
    assert again["memory"]["mentions"] == 2
    done = run("remember", PARIS, "--user", "ada")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "✓ KNOWN ALREADY, SAID AGAIN")


def test_lines_are_remembered_in_order_and_a_broken_one_does_not_stop_the_run(store: Path) -> None:
    status, answers = filter_lines(
        "remember",
        {"id": 1, "content": PARIS, "source": "user"},
        {"id": 2, "content": ""},
        {"id": 3, "content": "Ada is here."},
        {"id": 4, "content": "我住在柏林。", "source": "user", "user_id": "li"},
        options=("--user", "ada"),
    )
    assert status == 1
    assert [answer["id"] for answer in answers] == [1, 2, 3, 4]
    assert [answer.get("error", {}).get("field") for answer in answers] == [None, "source", "source", None]
    assert answers[0]["memory"]["user"] == "ada"
    assert (answers[3]["tier"], answers[3]["checks_failed"]) == ("flag_review", ["language_not_readable"])
    assert "我住在柏林。" in run("review", "list", "--user", "li").stdout


def test_options_stand_in_for_what_lines_leave_out(store: Path) -> None:
    _, answers = filter_lines(
        "remember",
        {"content": PARIS},
        {"content": "I like tea.", "source": "ai_synthesis"},
        options=("--source", "user"),
    )
    assert [answer["tier"] for answer in answers] == ["auto_approve", "flag_review"]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"content": " "}, "content"),
        ({"content": "x" * 8193}, "content"),
        ({"content": "a\x00b"}, "text"),
        ({"user": "ada", "user_id": "bob"}, "user"),
        ({"user": " ada"}, "user"),
        ({"user": ""}, "user"),
        ({"valid_from": "yesterday"}, "valid_from"),
        ({"now": 1e30}, "now"),
        ({"turns": "hello"}, "turns"),
        ({"sauce": "user"}, "sauce"),
    ],
)
def test_what_cannot_be_understood_is_refused_by_field_and_nothing_is_written(
    store: Path, fields: dict[str, object], field: str
) -> None:
    status, (answer,) = filter_lines("remember", {"id": "x", "content": PARIS, "source": "user", **fields})
    assert status == 1
    assert (answer["id"], answer["error"]["type"]) == ("x", "InvalidInput")
    assert field in (answer["error"]["field"], answer["error"]["message"].partition(":")[0]) or field == "text"
    assert ask("history", "--user", "ada") == {"history": []}


def test_content_comes_from_a_file_or_standard_input(store: Path) -> None:
    Path("note.txt").write_text(PARIS, encoding="utf-8")
    assert ask("remember", "note.txt")["memory"]["text"] == PARIS
    assert ask("remember", "-", text="I like tea.")["memory"]["text"] == "I like tea."


# ── which store, and whose ──────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("command", [["recall", "x"], ["history"], ["forget", "m1"], ["rejections"], ["export"]])
def test_a_command_without_a_store_says_how_to_name_one(command: list[str], store: Path) -> None:
    done = CliRunner().invoke(main, command, env={"GROUNDWIRE_STORE": ""})
    assert done.exit_code == 2
    assert all(word in done.stderr for word in ("--store", "GROUNDWIRE_STORE", "settings"))


@pytest.mark.parametrize(
    "command",
    [["recall", "x"], ["history"], ["forget", "m1"], ["rejections"], ["export"], ["review", "list"]],
)
def test_reading_makes_no_store(command: list[str], store: Path) -> None:
    done = run(*command)
    assert done.exit_code == 2
    assert "There is no store 'memory.db'" in done.stderr
    assert not store.exists()


def test_the_option_wins_over_the_environment_and_the_settings_name_the_user(store: Path) -> None:
    Path("g.toml").write_text('store = "other.db"\nuser = "ada"\n', encoding="utf-8")
    env = {"GROUNDWIRE_STORE": None}
    runner = CliRunner()
    assert runner.invoke(main, ["--config", "g.toml", "remember", PARIS], env=env).exit_code == 0
    assert Path("other.db").exists() and not store.exists()
    assert PARIS in run("recall", "Paris", "--store", "other.db", "--user", "ada").stdout
    assert ask("recall", "Paris", "--store", "other.db")["memories"] == []


def test_nobody_sees_what_another_user_or_tenant_said(store: Path) -> None:
    kept = remember(PARIS)["memory_id"]
    assert ask("recall", "Paris", "--user", "bob")["memories"] == []
    assert ask("recall", "Paris", "--user", "ada", "--tenant", "acme")["memories"] == []
    for user in ("bob", "nobody"):
        done = run("history", kept, "--user", user)
        assert (done.exit_code, "there is no memory" in done.stderr) == (1, True)
        assert run("forget", kept, "--user", user, "--reason", "x", "--yes").exit_code == 1
    assert len(ask("recall", "Paris", "--user", "ada")["memories"]) == 1


def test_a_foreign_file_is_named_as_such_and_left_alone(store: Path) -> None:
    store.write_text("these are my notes, and no database\n" * 100, encoding="utf-8")
    before = store.read_bytes()
    for command in (["remember", PARIS], ["recall", "x"], ["export"]):
        done = run(*command)
        assert done.exit_code == 1
        assert "Traceback" not in done.output and "memory.db" in done.stderr
    assert store.read_bytes() == before


def test_a_name_that_no_file_can_have_is_refused(store: Path) -> None:
    for name in ("x" * 5000, "~nobody-of-that-name/memory.db"):
        for command in (["remember", PARIS], ["recall", "x"], ["doctor"]):
            done = run(*command, "--store", name)
            assert (done.exit_code, "cannot name a file" in done.stderr) == (2, True)


# ── recall and history ──────────────────────────────────────────────────────────────────────────


def move(*options: str) -> tuple[str, str]:
    """Ada in Paris, and from May in Berlin."""
    old = remember(PARIS, "--now", "2025-01-06T08:00:00Z", *options)
    new = remember("I moved to Berlin.", "--now", "2025-05-12T08:00:00Z", *options)
    return old["memory_id"], new["memory_id"]


def test_recall_gives_what_holds_now_and_as_of_a_day_what_held_then(store: Path) -> None:
    old, new = move()

    def recall(*options: str) -> list[str]:
        found = ask("recall", "where do I live, Paris or Berlin", "--user", "ada", "--now", "2025-05-20", *options)
        return [memory["id"] for memory in found["memories"]]

    assert recall() == [new]
    assert recall("--as-of", "2025-02-01") == [old]
    assert recall("--as-of", "2025-01-06") == [old], "what was said on a day belongs to it"
    assert recall("--as-of", "2025-01-05") == []


def test_a_recalled_memory_has_its_scores_and_where_it_comes_from(store: Path) -> None:
    remember(PARIS)
    (memory,) = ask("recall", "Paris", "--user", "ada")["memories"]
    assert memory["text"] == PARIS
    assert {"score", "lexical", "semantic", "confidence_now", "authoritative"} <= memory.keys()
    assert memory["evidence"]["claim"] == PARIS


def test_nothing_found_is_no_fault(store: Path) -> None:
    remember(PARIS)
    done = run("recall", "quantum chromodynamics", "--user", "bob")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "nothing" in done.stdout


def test_lines_are_recalled_for_whom_they_name(store: Path) -> None:
    remember(PARIS)
    status, answers = filter_lines(
        "recall", {"id": 1, "query": "Paris", "user": "ada"}, {"id": 2, "query": "Paris", "limit": 0}, {"id": 3}
    )
    assert status == 1
    assert len(answers[0]["memories"]) == 1
    assert [answer["error"]["field"] for answer in answers[1:]] == ["limit", "query"]


def test_history_is_oldest_first_and_says_what_replaced_what(store: Path) -> None:
    old, new = move()
    entries = ask("history", new, "--user", "ada")["history"]
    assert [entry["id"] for entry in entries] == [old, new]
    assert entries[0]["superseded_by"] == new and entries[0]["why"]
    page = run("history", "--query", "Berlin", "--user", "ada").stdout
    assert page.index(PARIS) < page.index("replaced by “I moved to Berlin.”")
    assert "2025-01-06 to 2025-05-12" in page


def test_the_beginning_of_an_id_is_enough(store: Path) -> None:
    old, _ = move()
    assert ask("history", old[:8], "--user", "ada") == ask("history", old, "--user", "ada")
    assert run("history", "zzzzzzzz", "--user", "ada").exit_code == 1


def test_an_ambiguous_beginning_is_refused() -> None:
    known = ["abcd1", "abcd2", "ffff0"]
    assert stores.find_id("ffff", known, "memories") == "ffff0"
    assert stores.find_id("abcd1", known, "memories") == "abcd1"
    assert stores.find_id("abc", known, "memories") == "abc", "too short to mean one"
    with pytest.raises(Exception, match="2 memories: abcd1, abcd2"):
        stores.find_id("abcd", known, "memories")


# ── forget ──────────────────────────────────────────────────────────────────────────────────────


def test_forgetting_deletes_and_leaves_a_tombstone(store: Path) -> None:
    old, new = move()
    done = ask("forget", old[:8], "--user", "ada", "--reason", "asked to", "--yes")
    assert [stone["id"] for stone in done["forgotten"]] == [old]
    assert PARIS not in run("history", "--user", "ada").stdout
    assert "forgotten by" in run("history", new, "--user", "ada").stdout
    assert PARIS not in run("export").stdout


def test_forgetting_asks_first_and_without_a_terminal_wants_consent(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = remember(PARIS)["memory_id"]
    done = run("forget", kept, "--user", "ada", "--reason", "x")
    assert (done.exit_code, "--yes" in done.stderr) == (2, True)
    monkeypatch.setattr(stores, "can_ask", lambda: True)
    no = run("forget", kept, "--user", "ada", "--reason", "x", text="n\n")
    assert (no.exit_code, PARIS in no.stderr) == (1, True)
    assert PARIS in run("history", "--user", "ada").stdout
    yes = run("forget", kept, "--user", "ada", "--reason", "x", text="y\n")
    assert (yes.exit_code, "1 memory forgotten" in yes.stdout) == (0, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name the memory"),
        (["m1"], "--reason"),
        (["m1", "--jsonl"], "each line"),
        (["--jsonl"], "--yes"),
        (["--file", "x"], "--jsonl"),
    ],
)
def test_wrong_usage_of_forget_is_explained(store: Path, arguments: list[str], message: str) -> None:
    remember(PARIS)
    done = run("forget", *arguments)
    assert (done.exit_code, message in done.stderr) == (2, True)


def test_many_are_forgotten_line_by_line(store: Path) -> None:
    kept = remember(PARIS)["memory_id"]
    status, answers = filter_lines(
        "forget",
        {"id": 1, "memory_id": kept, "reason": "x", "user": "ada"},
        {"id": 2, "memory_id": kept, "reason": "x", "user": "ada"},
        {"id": 3, "memory_id": "other"},
        options=("--yes",),
    )
    assert status == 1
    assert len(answers[0]["forgotten"]) == 1
    assert answers[1]["error"]["type"] == "NotFound"
    assert answers[2]["error"]["field"] == "reason"
