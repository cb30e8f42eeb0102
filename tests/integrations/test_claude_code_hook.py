"""The stop hook, as Claude Code runs it: a process with the hook's JSON on its standard input."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.app import Groundwire
from groundwire.errors import InvalidInput
from groundwire.integrations.claude_code import find_message, read_payload
from groundwire.settings import Settings


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("memory") / "memory.db"
    with Groundwire(path, settings=Settings(judge="rules")) as keeper:
        keeper.remember("I live in Porto.", user="ada")
    return path


def run(store: Path | None, payload: object, *options: str) -> subprocess.CompletedProcess[str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    where = [] if store is None else ["--store", str(store), "--user", "ada"]
    return subprocess.run(
        [sys.executable, "-m", "groundwire.integrations.claude_code", *where, *options],
        input=payload if isinstance(payload, str) else json.dumps(payload),
        env={**kept, "GROUNDWIRE_JUDGE": "rules"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def stop(**fields: object) -> dict[str, object]:
    return {"session_id": "s", "hook_event_name": "Stop", "stop_hook_active": False, **fields}


def test_a_message_that_memory_refutes_is_blocked_with_what_would_hold(store: Path):
    done = run(store, stop(last_assistant_message="Done. You live in Rome."))
    decision = json.loads(done.stdout)
    assert (done.returncode, decision["decision"]) == (0, "block")
    assert "“You live in Rome” is wrong" in decision["reason"]
    assert "Done. You live in Porto." in decision["reason"]


def test_a_message_that_holds_or_that_memory_says_nothing_about_ends_the_turn(store: Path):
    for message in ("You live in Porto.", "I changed three files and the tests pass.", "", "```\nx = 1\n```"):
        done = run(store, stop(last_assistant_message=message))
        assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_strict_blocks_what_no_memory_bears_out(store: Path):
    done = run(store, stop(last_assistant_message="Your sister is called Ann."), "--strict")
    assert json.loads(done.stdout)["decision"] == "block"


def test_what_this_hook_made_go_on_is_let_through(store: Path):
    done = run(store, stop(last_assistant_message="You live in Rome.", stop_hook_active=True))
    assert (done.returncode, done.stdout) == (0, "")


def test_an_older_release_names_the_transcript(store: Path, tmp_path: Path):
    entries = [
        {"type": "user", "message": {"role": "user", "content": "Where do I live?"}},
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "You live in Porto."}]}},
        {"type": "user", "message": {"role": "user", "content": "Sure?"}},
        {"type": "assistant", "message": {"content": [{"type": "thinking", "thinking": "Porto?"}]}},
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "Yes. You live in Rome."}]}},
        {"type": "assistant", "isSidechain": True, "message": {"content": [{"type": "text", "text": "Sub."}]}},
        {"type": "summary", "summary": "about a home"},
    ]
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text("\n".join(map(json.dumps, entries)) + "\n{broken\n", encoding="utf-8")
    done = run(store, stop(transcript_path=str(transcript)))
    assert "Yes. You live in Porto." in json.loads(done.stdout)["reason"]


def test_a_turn_without_words_has_no_message(tmp_path: Path):
    transcript = tmp_path / "transcript.jsonl"
    entries = [
        {"type": "assistant", "message": {"content": [{"type": "text", "text": "You live in Rome."}]}},
        {"type": "user", "message": {"role": "user", "content": "Thanks"}},
        {"type": "assistant", "message": {"content": [{"type": "tool_use", "name": "Bash"}]}},
    ]
    transcript.write_text("\n".join(map(json.dumps, entries)), encoding="utf-8")
    assert find_message({"transcript_path": str(transcript)}) == ""


@pytest.mark.parametrize(
    "payload", ["", "garbage", "[1]", "[" * 100_000, json.dumps(stop()), json.dumps(stop(transcript_path="/nowhere/x"))]
)
def test_what_cannot_be_checked_never_blocks(store: Path, payload: str):
    done = run(store, payload)
    assert (done.returncode, done.stdout) == (1, "")
    assert "was not checked" in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_store_it_says_so(tmp_path: Path):
    done = run(None, stop(last_assistant_message="You live in Rome."), "--store", str(tmp_path / "none.db"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "give --store" in done.stderr


@given(
    st.binary(max_size=200) | st.recursive(st.none() | st.text(), lambda x: st.lists(x)).map(json.dumps).map(str.encode)
)
def test_any_bytes_are_an_object_or_refused(data: bytes):
    try:
        assert isinstance(read_payload(data), dict)
    except InvalidInput as error:
        assert error.field == "input"
