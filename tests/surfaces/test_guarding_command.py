"""The command `guard`: text in as it comes, released text or events out."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces.cli import main
from groundwire.surfaces.guarding import decode_as_it_comes

MEMORIES = ("--memory", "I live in Berlin.", "--memory", "Alice works at Acme as a nurse.")
RULES = {"GROUNDWIRE_JUDGE": "rules"}


def run(*arguments: str, text: str = "", env: dict[str, str] | None = None) -> Result:
    return CliRunner().invoke(main, ["guard", *arguments], input=text.encode(), env={**RULES, **(env or {})})


def test_what_is_true_is_printed_and_the_exit_status_is_clean():
    result = run(*MEMORIES, text="You live in Berlin. Alice is a nurse.")
    assert (result.exit_code, result.stdout) == (0, "You live in Berlin. Alice is a nurse.\n")


def test_what_is_false_is_not_printed_and_flagged():
    result = run(*MEMORIES, text="Alice is a nurse. You live in Rome. Bye!")
    assert result.exit_code == 3
    assert result.stdout.startswith(
        "Alice is a nurse. \n\nI cannot provide a verified answer to this question. [Reason: "
    )
    assert "Bye" not in result.stdout


def test_a_refuted_sentence_can_be_repaired():
    result = run(*MEMORIES, "--refuted", "repair", text="You live in Rome. Alice is a nurse.")
    assert (result.exit_code, result.stdout) == (3, "You live in Berlin. Alice is a nurse.\n")


def test_fast_prints_at_once_and_tells_what_was_wrong():
    result = run(*MEMORIES, "--mode", "fast", text="You live in Rome. Alice is a nurse.")
    assert result.exit_code == 3
    assert result.stdout == "You live in Rome. Alice is a nurse.\n"
    assert "say: You live in Berlin." in result.stderr


def test_events_are_printed_one_a_line():
    result = run(*MEMORIES, "--jsonl", text="Alice is a nurse. You live in Rome.")
    events: list[dict[str, Any]] = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["kind"] for event in events] == ["release", "halt", "abstain"]
    assert events[0]["text"] == "Alice is a nurse. "
    assert events[0]["verified"] is True
    assert events[0]["claims"][0]["verdict"] == "SUPPORTED"
    assert events[1]["span"] == [30, 34]
    assert events[1]["released"] == 18
    assert events[2]["evidence"] == ["m1"]


def test_memories_come_from_a_file_or_a_store(tmp_path: Path):
    (tmp_path / "memories.json").write_text('["I live in Berlin."]', encoding="utf-8")
    assert run("--memories", str(tmp_path / "memories.json"), text="You live in Berlin.").exit_code == 0
    store = str(tmp_path / "memory.db")
    kept = CliRunner().invoke(main, ["remember", "I live in Berlin.", "--store", store, "--user", "ada"], env=RULES)
    assert kept.exit_code == 0
    assert run("--store", store, "--user", "ada", text="You live in Berlin.").exit_code == 0
    assert run("--store", store, "--user", "ada", text="You live in Rome.").exit_code == 3


def test_the_answer_can_be_a_file(tmp_path: Path):
    (tmp_path / "answer.txt").write_text("You live in Berlin.", encoding="utf-8")
    assert run(str(tmp_path / "answer.txt"), *MEMORIES).stdout == "You live in Berlin.\n"


def test_standard_input_is_read_once_only():
    result = run("--memories", "-", text="[]")
    assert result.exit_code == 2
    assert "read once" in result.stderr


def test_characters_that_are_cut_in_two_are_put_together_and_broken_ones_marked():
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return super().read1(1)

    assert "".join(decode_as_it_comes(Slow("Zoë 🙂".encode()))) == "Zoë 🙂"
    assert "".join(decode_as_it_comes(Slow(b"a\xffb\xe2"))) == "a\ufffdb\ufffd"


@pytest.mark.requirement("ACT-013")
def test_a_sentence_is_printed_before_the_next_one_is_written():
    """A real pipe: the second sentence is only sent once the first has come out."""
    environ = {**os.environ, **RULES}
    command = [sys.executable, "-c", "from groundwire.surfaces.cli import main; main()", "guard", *MEMORIES]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"You live in Berlin. ")
        process.stdin.flush()
        first = process.stdout.read(len(b"You live in Berlin. "))
        process.stdin.write(b"Alice is a nurse.")
        process.stdin.close()
        rest = process.stdout.read()
    assert first + rest == b"You live in Berlin. Alice is a nurse.\n"
    assert process.returncode == 0
