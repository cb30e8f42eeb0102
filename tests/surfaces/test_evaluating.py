from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from groundwire.evaluation.reliability import tabulate
from groundwire.settings import Settings
from groundwire.surfaces.cli import main
from groundwire.types import Action, Verdict, VerifierInput, VerifierOutput

PAIRS = [
    ("User works at Globex.", "You work at Globex.", "entail"),
    ("User works at Globex.", "You work at Initech.", "contradict"),
    ("User works at Globex.", "You own a parrot.", "neutral"),
    ("User lives in Porto.", "You live in Porto.", "entail"),
    ("User lives in Porto.", "You live in Lisbon.", "contradict"),
    ("User lives in Porto.", "You were born in 1980.", "neutral"),
]


class Echo:
    """A library whose judge believes what the claim itself says of its verdict: "SUPPORTED 0.9"."""

    model_problem = None

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        return [self._judge(question.claim) for question in questions]

    def _judge(self, claim: str) -> VerifierOutput:
        word, sure = claim.split()
        verdict, confidence = Verdict(word), float(sure)
        rest = (1 - confidence) / 2
        chances = {other: confidence if other is verdict else rest for other in Verdict}
        return VerifierOutput(verdict, confidence, chances, "it says so", (), Action.CONTINUE, 1.5, "echo.v1", "claim")

    def calibration(self) -> Mapping[str, object] | None:
        return {**tabulate([0.95, 0.95, 0.65], [True, False, True]).to_dict(), "fitted_on": "held-out mnli"}


def run(*arguments: str, stdin: bytes | None = None, library: object = Echo, columns: int = 100) -> Result:
    runner = CliRunner(env={"COLUMNS": str(columns), "GROUNDWIRE_CONFIG": None})
    return runner.invoke(main, arguments, input=stdin, obj=library)


def answer(*arguments: str, stdin: bytes | None = None, library: object = Echo) -> dict[str, Any]:
    result = run(*arguments, "--json", stdin=stdin, library=library)
    assert result.exit_code in (0, 1), result.output
    return json.loads(result.stdout)


def write(path: Path, *rows: tuple[str, str, str]) -> str:
    lines = [json.dumps({"premise": p, "hypothesis": h, "label": label}) + "\n" for p, h, label in rows]
    data = "".join(lines).encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


# ── eval ────────────────────────────────────────────────────────────────────────────────────────


def test_the_rules_judge_is_measured_on_a_file(tmp_path: Path) -> None:
    file = write(tmp_path / "mine.jsonl.gz", *PAIRS)
    result = run("eval", file, "--judge", "rules", library=None)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("rules on mine: 6 pairs, SUPPORTED, REFUTED or INSUFFICIENT\n")
    assert result.stderr == "", "a bar is drawn for a terminal only"
    found = answer("eval", file, "--judge", "rules", library=None)
    (only,) = found["files"]
    assert found["overall"] == {**only, "timing": found["overall"]["timing"]}
    assert only["figures"]["accuracy"]["value"] == 1.0
    assert only["confusion"]["REFUTED"] == {"SUPPORTED": 0, "REFUTED": 2, "INSUFFICIENT": 0}
    assert {decision["judge"] for decision in only["decided_by"]} == {"rules.v1"}


@pytest.mark.requirement("JDG-013", "JDG-014", "OPS-003")
def test_the_page_shows_figures_intervals_targets_and_the_worst_mistakes(tmp_path: Path) -> None:
    rows = [("p", "SUPPORTED 0.9", "entail")] * 9 + [("the premise", "SUPPORTED 0.95", "contradict")]
    result = run("eval", write(tmp_path / "f.jsonl", *rows), "--color", "never")
    lines = result.stdout.splitlines()
    shown = {line[2:20].strip(): line for line in lines if line.startswith("  ")}
    assert shown["accuracy"].split()[1] == "90.0%" and "-" in shown["accuracy"].split()[2]
    assert "✓ >= 75.0%  9 of 10 verdicts" in shown["SUPPORTED right"]
    assert "n/a" in shown["REFUTED right"] and "0 of 0 verdicts" in shown["REFUTED right"]
    assert "✗ <= 10.0%  1 of 1 known false" in shown["false positives"]
    assert "✓ <= 10.0%  0 of 9 known true" in shown["false negatives"]
    assert "✓ <= 0.100" in shown["ECE, 10 bins"] or "✗ <= 0.100" in shown["ECE, 10 bins"]
    assert "  f:10  labelled contradict, judged SUPPORTED 0.95" in lines
    assert "  why       it says so (echo.v1 claim)" in lines
    assert any(line.split() == ["echo.v1", "claim", "10", "90.0%"] for line in lines)
    assert "p50 1.5 ms, p99 1.5 ms" in result.stdout


def test_several_files_give_a_row_each_and_one_of_all(tmp_path: Path) -> None:
    three = write(tmp_path / "three.jsonl", ("p", "REFUTED 0.9", "contradict"), ("p", "SUPPORTED 0.9", "neutral"))
    two = write(tmp_path / "two.jsonl", ("p", "SUPPORTED 0.4", "supported"), ("p", "REFUTED 0.9", "unsupported"))
    result = run("eval", three, two)
    rows = [line.split() for line in result.stdout.splitlines()]
    assert rows[0] == ["echo.v1", "on", "2", "files"]
    assert ["three", "2", "50.0%"] in [row[:3] for row in rows]
    assert ["two", "2", "50.0%"] in [row[:3] for row in rows]
    assert ["all", "files", "4", "50.0%"] in [row[:4] for row in rows]
    assert "all files: 4 pairs, supported or not" in result.stdout
    assert "two: 2 pairs" not in result.stdout
    assert "two: 2 pairs" in run("eval", three, two, "--details").stdout
    narrow = run("eval", three, two, columns=60).stdout
    assert "two: 2 pairs" in narrow and "balanced   macro" not in narrow


def test_the_threshold_decides_what_counts_as_supported(tmp_path: Path) -> None:
    file = write(tmp_path / "two.jsonl", ("p", "SUPPORTED 0.4", "supported"), ("p", "REFUTED 0.9", "unsupported"))
    assert answer("eval", file)["overall"]["figures"]["accuracy"]["value"] == 0.5
    assert answer("eval", file, "--threshold", "0.3")["overall"]["figures"]["accuracy"]["value"] == 1.0


def test_limit_and_sample_choose_rows_and_exclude_each_other(tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", *[("p", f"SUPPORTED 0.{n}", "entail") for n in range(10, 40)])
    saved = tmp_path / "out.jsonl"

    def lines(*options: str) -> list[int]:
        assert run("eval", file, *options, "--save", str(saved)).exit_code == 0
        return [json.loads(line)["line"] for line in saved.read_text(encoding="utf-8").splitlines()]

    assert lines("--limit", "3") == [1, 2, 3]
    assert len(lines("--sample", "5")) == 5
    assert lines("--sample", "5", "--seed", "1") == lines("--sample", "5", "--seed", "1") != lines("--sample", "5")
    result = run("eval", file, "--limit", "3", "--sample", "3")
    assert result.exit_code == 2 and "not both" in result.stderr


def test_what_is_saved_can_be_measured_again(tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", ("p\u2028q", "SUPPORTED 0.9", "entail"), ("p", "SUPPORTED 0.9", "neutral"))
    saved = str(tmp_path / "out.jsonl")
    first = answer("eval", file, "--save", saved)["overall"]["figures"]
    assert answer("eval", saved)["overall"]["figures"] == first


def test_the_same_run_prints_the_same_figures(tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", *[("p", f"SUPPORTED 0.{n}", "entail") for n in range(10, 40)])
    first, second = (answer("eval", file, "--sample", "20", "--seed", "4") for _ in range(2))
    for found in (first, second):
        for evaluation in (*found["files"], found["overall"]):
            del evaluation["timing"]
    assert first == second


def test_rows_that_cannot_be_read_are_named_and_the_exit_status_is_one(tmp_path: Path) -> None:
    file = tmp_path / "f.jsonl"
    write(file, ("p", "SUPPORTED 0.9", "entail"), ("p", "SUPPORTED 0.9", "duplicate"))
    file.write_bytes(file.read_bytes() + b"{broken\n")
    result = run("eval", str(file))
    assert result.exit_code == 1
    assert "2 rows took no part:" in result.stdout
    assert "f, line 2: label: 'duplicate' is none of entail" in result.stdout
    assert "f, line 3: line: is not valid JSON" in result.stdout
    assert answer("eval", str(file))["overall"]["refused"]["rows"][0]["line"] == 2


def test_a_file_without_a_readable_row_says_n_a_and_never_nan(tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", ("p", "h", "duplicate"))
    result = run("eval", file)
    assert result.exit_code == 1
    assert "n/a" in result.stdout and "nan" not in result.stdout.lower()
    assert answer("eval", file)["overall"]["figures"]["ece"]["value"] is None


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"", "f: holds no rows"), (b"\x1f\x8bdamaged", "f: is a damaged gzip file"), (None, "cannot be read")],
)
def test_a_file_that_is_empty_damaged_or_missing_is_one_clear_error(
    tmp_path: Path, content: bytes | None, said: str
) -> None:
    file = tmp_path / "f.jsonl"
    if content is not None:
        file.write_bytes(content)
    result = run("eval", str(file))
    assert result.exit_code == 2
    assert said in result.stderr and result.stdout == ""


def test_standard_input_is_read_once(tmp_path: Path) -> None:
    rows = b'{"premise": "p", "hypothesis": "SUPPORTED 0.9", "label": "entail"}\n'
    assert answer("eval", "-", stdin=rows)["files"][0]["name"] == "stdin"
    assert run("eval", "-", "-", stdin=rows).exit_code == 2


@pytest.mark.parametrize(("command", "option"), [("eval", "--save"), ("calibration", "--svg")])
def test_a_place_that_cannot_be_written_is_found_before_anything_is_judged(
    tmp_path: Path, command: str, option: str
) -> None:
    def open_nothing(_: Settings) -> Echo:
        raise AssertionError("judged first")

    file = write(tmp_path / "f.jsonl", ("p", "SUPPORTED 0.9", "entail"))
    result = run(command, file, option, str(tmp_path / "none" / "out"), library=open_nothing)
    assert result.exit_code == 2 and "cannot be written: there is no such folder" in result.stderr
    assert run(command, file, option, str(tmp_path), library=open_nothing).exit_code == 2


def test_text_from_a_file_does_not_steer_the_terminal(tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", ("bad \x1b[2J premise", "SUPPORTED 0.9", "neutral"))
    assert "\x1b" not in run("eval", file, "--color", "never").stdout


# ── calibration ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("JDG-014")
def test_the_reliability_table_of_labelled_files(tmp_path: Path) -> None:
    rows = [("p", "SUPPORTED 0.95", "entail")] * 3 + [
        ("p", "SUPPORTED 0.95", "neutral"),
        ("p", "REFUTED 0.65", "neutral"),
    ]
    file = write(tmp_path / "f.jsonl", *rows)
    found = answer("calibration", file)
    assert found["ece"] == pytest.approx((4 * 0.2 + 0.65) / 5)
    assert found["table"][9] == {"low": 0.9, "high": 1.0, "n": 4, "confidence": 0.95, "accuracy": 0.75, "gap": 0.2}
    page = run("calibration", file).stdout
    assert page.startswith("echo.v1: ECE 0.290 over 5 verdicts\nmeasured on f (three-way)\n")
    assert any(line.split()[:7] == ["0.9", "to", "1.0", "4", "95.0%", "75.0%", "+20.0"] for line in page.splitlines())
    assert len([line for line in page.splitlines() if " to " in line]) == 10


def test_the_stored_table_is_printed_when_no_file_is_given() -> None:
    found = answer("calibration")
    assert (found["n"], found["fitted_on"]) == (3, "held-out mnli")
    page = run("calibration").stdout
    assert "ECE 0.417 over 3 verdicts" in page and "fitted on held-out mnli" in page


def test_a_judge_without_a_stored_table_says_what_to_do() -> None:
    result = run("calibration", "--judge", "rules", library=None)
    assert result.exit_code == 2
    assert "rules has no stored calibration; give files of labelled pairs" in result.stderr


def test_the_diagram_is_written_and_escapes_what_it_is_called(tmp_path: Path) -> None:
    file = write(tmp_path / "a&<b>.jsonl", ("p", "SUPPORTED 0.95", "entail"))
    target = tmp_path / "out.svg"
    assert run("calibration", file, "--svg", str(target)).exit_code == 0
    root = ElementTree.fromstring(target.read_text(encoding="utf-8"))
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Reliability of echo.v1: ECE 0.050"
    assert "measured on a&<b> (three-way)" in "".join(root.itertext())


def test_calibration_names_rows_that_cannot_be_read(tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", ("p", "SUPPORTED 0.95", "entail"), ("p", "h", "maybe"))
    result = run("calibration", file)
    assert result.exit_code == 1
    assert "f, line 2: label: 'maybe' is none of" in result.stdout
    assert answer("calibration", file)["refused"]["n"] == 1
