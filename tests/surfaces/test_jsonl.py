from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import DataFileError, InvalidInput
from groundwire.surfaces.jsonl import filter_lines
from groundwire.surfaces.requests import Fields
from groundwire.surfaces.responses import JsonObject, write_json


def echo(fields: Fields) -> JsonObject:
    text = fields.get("text")
    if not isinstance(text, str):
        raise InvalidInput("text", "must be a string")
    return {"echo": text}


def run(data: bytes) -> tuple[list[dict[str, object]], int]:
    output = io.BytesIO()
    failed = filter_lines(io.BytesIO(data), output, echo)
    return [json.loads(line) for line in output.getvalue().decode().splitlines()], failed


def test_lines_are_answered_in_order_with_their_ids() -> None:
    answers, failed = run(b'{"id": 2, "text": "a"}\n{"id": "x", "text": "b"}\n{"text": "c"}\n{"id": null, "text": "d"}')
    assert answers == [{"id": 2, "echo": "a"}, {"id": "x", "echo": "b"}, {"echo": "c"}, {"id": None, "echo": "d"}]
    assert failed == 0


@pytest.mark.parametrize(
    ("line", "identifier", "field", "words"),
    [
        (b'{"id": 7, "text": "\xff"}', 7, "line", "not UTF-8"),
        (b'{"id": 7, "text": ', None, "line", "not valid JSON"),
        (b"[1]", None, "line", "not a list"),
        (b"null", None, "line", "not null"),
        (b'"text"', None, "line", "not a string"),
        (b'{"id": 7}', 7, "text", "must be a string"),
        (b'{"id": NaN, "text": "a"}', None, "id", "NaN"),
        (b'{"id": [1e999], "text": "a"}', None, "id", "infinite"),
        (b'{"id": 7, "text": NaN}', 7, "text", "must be a string"),
        (b'{"id": 7, "text": "a", "text": "b"}', 7, "text", "twice"),
        (b'{"id": ' + b"[" * 100_000, None, "line", "nested too deeply"),
        (b'{"id": 7, "text": ' + b"1" * 5_000 + b"}", None, "line", "too many digits"),
    ],
)
def test_a_broken_line_gives_an_error_and_the_run_goes_on(
    line: bytes, identifier: object, field: str, words: str
) -> None:
    answers, failed = run(b'{"id": 1, "text": "a"}\n' + line + b'\n{"id": 3, "text": "c"}\n')
    assert failed == 1
    assert answers[0] == {"id": 1, "echo": "a"}
    assert answers[2] == {"id": 3, "echo": "c"}
    error = answers[1]["error"]
    assert isinstance(error, dict)
    assert answers[1]["id"] == identifier
    assert answers[1]["line"] == 2
    assert (error["type"], error["field"]) == ("InvalidInput", field)
    assert words in str(error["message"])


def test_errors_of_the_library_and_its_defects_are_told_apart(caplog: pytest.LogCaptureFixture) -> None:
    def fail(fields: Fields) -> JsonObject:
        raise DataFileError("table is damaged") if fields["id"] == 1 else ZeroDivisionError("oops")

    output = io.BytesIO()
    assert filter_lines([b'{"id": 1}', b'{"id": 2}'], output, fail) == 2
    answers = [json.loads(line) for line in output.getvalue().splitlines()]
    assert [answer["error"]["type"] for answer in answers] == ["DataFileError", "InternalError"]
    assert "ZeroDivisionError: oops" in answers[1]["error"]["message"]
    assert "line 2 could not be processed" in caplog.text


def test_an_answer_that_json_cannot_carry_is_an_error_and_not_a_broken_line(caplog: pytest.LogCaptureFixture) -> None:
    output = io.BytesIO()
    assert filter_lines([b'{"id": 1}'], output, lambda _: {"confidence": float("nan")}) == 1
    assert json.loads(output.getvalue())["error"]["type"] == "InternalError"
    assert caplog.records


def test_blank_lines_and_a_byte_order_mark_are_passed_over() -> None:
    answers, failed = run(b'\xef\xbb\xbf{"id": 1, "text": "a"}\r\n\n  \n{"id": 2, "text": "b"}\n\n')
    assert [answer["id"] for answer in answers] == [1, 2]
    assert failed == 0


def test_every_answer_is_flushed_before_the_next_line_is_read() -> None:
    class Sink(io.BytesIO):
        flushed = b""

        def flush(self) -> None:
            self.flushed = self.getvalue()

    sink = Sink()
    seen: list[int] = []

    def lines() -> Iterator[bytes]:
        for _ in range(3):
            seen.append(sink.flushed.count(b"\n"))
            yield b'{"text": "a"}'

    filter_lines(lines(), sink, echo)
    assert seen == [0, 1, 2]


def test_progress_is_told_the_bytes_that_were_read() -> None:
    data = b'{"text": "a"}\n\nbroken\n'
    steps: list[int] = []
    filter_lines(io.BytesIO(data), io.BytesIO(), echo, advance=steps.append)
    assert sum(steps) == len(data)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), max_size=5))
def test_any_text_comes_back_on_one_line_for_any_reader(texts: list[str]) -> None:
    data = "\n".join(json.dumps({"id": text, "text": text}) for text in texts)
    answers, failed = run(data.encode())
    assert failed == 0
    assert [answer["id"] for answer in answers] == [answer["echo"] for answer in answers] == texts


@given(st.lists(st.binary(max_size=40), max_size=5))
def test_any_bytes_give_one_answer_for_each_line_that_is_not_blank(lines: list[bytes]) -> None:
    data = b"\n".join(lines)
    answers, _ = run(data)
    assert len(answers) == sum(1 for line in data.split(b"\n") if line.strip())


def test_a_lone_surrogate_in_an_id_is_written_as_the_escape_it_came_as() -> None:
    answers, failed = run(b'{"id": "\\ud800", "text": "a"}')
    assert (answers[0]["id"], failed) == ("\ud800", 0)


def test_written_json_keeps_letters_and_escapes_what_breaks_lines_or_terminals() -> None:
    assert write_json({"a": "é漢\u2028\x85\x9b\x1b"}) == '{"a": "é漢\\u2028\\u0085\\u009b\\u001b"}'


SERVE = """
import sys
from groundwire.surfaces.cli import main
class Library:
    def claims(self, text): return ()
main(obj=lambda settings: Library())
"""


def start_filter(*arguments: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SERVE, "claims", "--jsonl", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=stderr,
        env={"PYTHONPATH": os.pathsep.join(sys.path), "PATH": os.environ.get("PATH", ""), "TERM": "xterm"},
    )


def test_the_filter_answers_a_line_while_its_input_is_still_open() -> None:
    with start_filter() as process:
        assert process.stdin and process.stdout
        for number in range(3):
            process.stdin.write(b'{"id": %d, "text": "a"}\n' % number)
            process.stdin.flush()
            assert json.loads(process.stdout.readline()) == {"id": number, "claims": []}
        process.stdin.close()
        assert process.wait() == 0


def test_the_filter_leaves_quietly_when_its_reader_is_gone() -> None:
    with start_filter() as process:
        assert process.stdin and process.stdout and process.stderr
        process.stdout.close()
        try:
            for _ in range(100):
                process.stdin.write(b'{"text": "a"}\n')
                process.stdin.flush()
            process.stdin.close()
        except BrokenPipeError:
            pass
        process.wait()
        assert process.stderr.read() == b""
        assert process.returncode == 141


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a pseudo-terminal")
def test_a_file_shows_its_progress_on_a_terminal_and_never_in_the_output(tmp_path: Path) -> None:
    data = tmp_path / "in.jsonl"
    data.write_bytes(b'{"text": "a"}\n' * 20)
    terminal, child_end = os.openpty()
    with start_filter(str(data), stderr=child_end) as process:
        os.close(child_end)
        output, _ = process.communicate()
    shown = os.read(terminal, 100_000)
    os.close(terminal)
    assert output == b'{"claims": []}\n' * 20
    assert b"100%" in shown
