from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InvalidInput
from groundwire.evaluation.pairs import LABELS, LabelledPair, PairFile, Task, Truth, find_task, name_files, read_pairs


def row(**fields: object) -> bytes:
    return json.dumps({"premise": "I live in Rome.", "hypothesis": "You live in Rome.", **fields}).encode() + b"\n"


@pytest.mark.parametrize(
    ("label", "truth"),
    [
        ("entail", Truth.SUPPORTED),
        ("Supported", Truth.SUPPORTED),
        ("SUPPORTED", Truth.SUPPORTED),
        ("contradict", Truth.REFUTED),
        ("REFUTED", Truth.REFUTED),
        ("neutral", Truth.INSUFFICIENT),
        ("insufficient", Truth.INSUFFICIENT),
        (" unsupported ", Truth.UNSUPPORTED),
    ],
)
def test_a_label_is_read_in_every_vocabulary_and_casing(label: str, truth: Truth) -> None:
    assert read_pairs(row(label=label), "f").pairs[0].truth is truth


@pytest.mark.parametrize(
    ("labels", "task"),
    [
        (["entail", "neutral", "contradict"], Task.THREE_WAY),
        (["entail", "contradict"], Task.THREE_WAY),
        (["SUPPORTED", "REFUTED"], Task.THREE_WAY),
        (["supported", "unsupported"], Task.TWO_CLASS),
        (["supported", "unsupported", "neutral"], Task.TWO_CLASS),
        (["unsupported"], Task.TWO_CLASS),
        (["supported"], Task.TWO_CLASS),
        (["entail"], Task.THREE_WAY),
    ],
)
def test_the_labels_say_how_many_classes_there_are(labels: list[str], task: Task) -> None:
    assert find_task(labels) is task


def test_rows_keep_their_place_source_and_meta_and_blank_lines_are_passed_over() -> None:
    found = read_pairs(
        b"\n" + row(label="entail", source="mnli", meta={"uid": 7}) + b"  \n" + row(label="neutral"), "f"
    )
    first, second = found.pairs
    assert (first.line, first.source, first.meta) == (2, "mnli", {"uid": 7})
    assert (second.line, second.source, second.file) == (4, None, "f")
    assert found.refused == ()


def test_gzip_is_known_by_its_bytes_and_not_by_its_name() -> None:
    plain = row(label="entail") * 3
    assert read_pairs(gzip.compress(plain), "f") == read_pairs(plain, "f")
    assert read_pairs(b"\xef\xbb\xbf" + plain, "f") == read_pairs(plain, "f")


def test_a_line_separator_inside_a_text_does_not_end_the_row() -> None:
    data = '{"premise": "one\u2028two\x85", "hypothesis": "h", "label": "entail"}\r\n'.encode()
    assert read_pairs(data, "f").pairs[0].premise == "one\u2028two\x85"


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"{not json", "line: is not valid JSON: Expecting property name enclosed in double quotes at column 2"),
        (b"[1]", "line: is not a JSON object"),
        (b'{"premise": "\xff"}', "line: is not UTF-8"),
        (row(label="duplicate").strip(), f"label: 'duplicate' is none of {', '.join(LABELS)}"),
        (row(label=1).strip(), "label: must be a text, not int"),
        (row().strip(), "label: is required"),
        (row(label="entail", premise="  ").strip(), "premise: is empty"),
        (row(label="entail", hypothesis=None).strip(), "hypothesis: is required"),
        (row(label="entail", source=3).strip(), "source: must be a text, not int"),
        (row(label="entail", meta=float("nan")).strip(), "line: holds a number that cannot be read"),
        (b"[" * 100_000, "line: is nested too deeply to be read"),
    ],
)
def test_a_row_that_cannot_be_read_is_named_with_its_line_and_why(line: bytes, why: str) -> None:
    found = read_pairs(row(label="entail") + line + b"\n" + row(label="neutral"), "f")
    assert [pair.line for pair in found.pairs] == [1, 3]
    assert [(refusal.file, refusal.line, refusal.why) for refusal in found.refused] == [("f", 2, why)]


@pytest.mark.parametrize("data", [b"", b"\n \n", gzip.compress(b"", mtime=0)])
def test_a_file_without_rows_is_refused_and_says_what_was_expected(data: bytes) -> None:
    with pytest.raises(InvalidInput, match=r'^f: holds no rows; expected .*"premise", "hypothesis" and "label"'):
        read_pairs(data, "f")


@pytest.mark.parametrize("data", [b"\x1f\x8b nonsense", gzip.compress(row(label="entail") * 50, mtime=0)[:-12]])
def test_a_damaged_archive_is_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput, match="damaged gzip"):
        read_pairs(data, "f")


def test_names_are_short_unless_two_files_would_share_one() -> None:
    assert name_files(["dev/mnli.jsonl.gz", "snli.jsonl", "-", ".jsonl"]) == ["mnli", "snli", "stdin", ".jsonl"]
    assert name_files(["a/mnli.jsonl", "b/mnli.jsonl.gz"]) == ["a/mnli.jsonl", "b/mnli.jsonl.gz"]


def make_file(size: int) -> PairFile:
    return PairFile("f", tuple(LabelledPair("p", "h", "entail", "f", line) for line in range(size)))


@given(st.integers(0, 40), st.integers(1, 50), st.integers(0, 5))
def test_a_sample_is_drawn_once_in_order_and_alike_for_a_seed(size: int, wanted: int, seed: int) -> None:
    file = make_file(size)
    lines = [pair.line for pair in file.sample(wanted, seed).pairs]
    assert len(lines) == min(size, wanted)
    assert lines == sorted(set(lines))
    assert file.sample(wanted, seed) == file.sample(wanted, seed)
    assert [pair.line for pair in file.limit(wanted).pairs] == list(range(min(size, wanted)))


def test_another_seed_draws_another_sample() -> None:
    assert make_file(100).sample(10, 0) != make_file(100).sample(10, 1)


@given(st.binary(max_size=200))
def test_any_bytes_give_pairs_refusals_or_one_clear_error(data: bytes) -> None:
    try:
        found = read_pairs(data, "f")
    except InvalidInput as error:
        assert str(error).startswith("f: ")
    else:
        assert found.pairs or found.refused
