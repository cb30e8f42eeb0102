from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from groundwire.errors import DataFileError
from groundwire.settings import Settings
from groundwire.surfaces.cli import main
from groundwire.types import (
    Action,
    Claim,
    ClaimReport,
    ExtractedFact,
    Memory,
    Passage,
    Span,
    Standing,
    Verdict,
    VerificationReport,
    VerifierOutput,
    VerifyMode,
)


class Parrot:
    """A library that takes every text for one claim and believes what it finds word for word."""

    model_problem = None

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def claims(self, text: str) -> tuple[Claim, ...]:
        return (Claim(text, Span(0, len(text))),)

    def facts(self, text: str) -> tuple[ExtractedFact, ...]:
        whole = Span(0, len(text))
        return (ExtractedFact("user", "said", text.lower(), text, whole, whole, "parrot"),)

    def judge(
        self,
        claim: str,
        evidence: Sequence[Passage | str],
        *,
        context: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
    ) -> VerifierOutput:
        if claim == "break":
            raise DataFileError("the table is damaged")
        used = tuple(passage.id for passage in evidence if isinstance(passage, Passage) and passage.text == claim)
        verdict = Verdict.SUPPORTED if used else Verdict.INSUFFICIENT
        chances = {other: float(other is verdict) for other in Verdict}
        return VerifierOutput(verdict, 1.0, chances, f"asked {context}", used, Action.CONTINUE, 0.123456, "parrot.v1")

    def verify(
        self,
        text: str,
        *,
        memories: Sequence[Memory] = (),
        passages: Sequence[Passage | str] = (),
        query: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
        user: str | None = None,
    ) -> VerificationReport:
        used = tuple(memory.id for memory in memories if memory.text == text.strip())
        standing = Standing.SUPPORTED if used else Standing.UNSUPPORTED
        verdict = Verdict.SUPPORTED if used else Verdict.INSUFFICIENT
        (claim,) = self.claims(text)
        return VerificationReport(
            text=text,
            grounded=bool(used),
            claims=(ClaimReport(claim, verdict, standing, 0.9, used, f"{mode} {query} {user}", Action.CONTINUE),),
            hallucinations=(),
            unverifiable=() if used else (text,),
            contradictions=(),
            requires_disclosure=False,
            expected_disclosure=None,
            disclosures=(),
            grounding_map=dict.fromkeys(used, text),
            corrected=None,
            action=Action.CONTINUE,
            confidence=0.9,
            latency_ms=0.5,
            judge="parrot.v1",
        )


def run(*arguments: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None) -> Result:
    return CliRunner(env=env).invoke(main, arguments, input=stdin, obj=Parrot)


def answer(*arguments: str, stdin: str | bytes | None = None) -> dict[str, object]:
    result = run(*arguments, "--json", stdin=stdin)
    assert result.exit_code in (0, 3), result.output
    return json.loads(result.stdout)


# ── where the text comes from ───────────────────────────────────────────────────────────────────


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def text_of(result: dict[str, object]) -> object:
    claims = result["claims"]
    assert isinstance(claims, list)
    return claims[0]["text"]


def test_text_is_the_words_a_file_or_standard_input(elsewhere: Path) -> None:
    (elsewhere / "answer").write_text("from the file\n", encoding="utf-8")
    assert text_of(answer("claims", "some words")) == "some words"
    assert text_of(answer("claims", "answer")) == "from the file\n"
    assert text_of(answer("claims", "--text", "answer")) == "answer"
    assert text_of(answer("claims", "--file", "answer")) == "from the file\n"
    assert text_of(answer("claims", "-", stdin="piped")) == "piped"
    assert text_of(answer("claims", stdin="piped")) == "piped"
    assert text_of(answer("claims", "x" * 100_000)) == "x" * 100_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("claims", "a", "--text", "b"), "not several"),
        (("claims", "missing.txt"), "There is no file 'missing.txt'"),
        (("claims", "--file", "missing"), "'missing' cannot be read: No such file or directory"),
        (("claims", "--file", "."), "cannot be read: Is a directory"),
        (("claims", ""), "text: is empty"),
        (("claims", "a", "--json", "--jsonl"), "cannot be used with --jsonl"),
        (("verify", "--jsonl", "--memory", "a"), "--memory cannot be used with --jsonl"),
        (("claims", "no-such-file", "--jsonl"), "cannot be read"),
        (("judge", "a"), "--evidence"),
        (("verify", "-", "--memories", "-"), "Standard input can be read once"),
        (("verify", "a", "--mode", "later"), "posthoc"),
        (("verify", "a", "--memory", ""), "memories[0].text: is empty"),
        (("nonsense",), "No such command"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_what_to_do(elsewhere: Path, arguments: tuple[str, ...], words: str) -> None:
    result = run(*arguments, stdin="")
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert "Traceback" not in result.stderr


@pytest.mark.requirement("SEC-012")
def test_text_over_the_limit_and_text_that_is_not_utf8_are_refused(elsewhere: Path) -> None:
    too_long = run("verify", "-", stdin="x" * 300_000)
    assert (too_long.exit_code, too_long.stdout) == (2, "")
    assert "has 300,000 characters; the limit is 200,000" in too_long.stderr
    endless = run("verify", "-", stdin="x" * 900_000)
    assert (endless.exit_code, "more than 200,000 characters" in endless.stderr) == (2, True)
    (elsewhere / "latin").write_bytes(b"caf\xe9")
    latin = run("verify", "latin")
    assert latin.exit_code == 2
    assert "text (latin): is not UTF-8 (byte 0xe9 at offset 3)" in latin.stderr


# ── commands ────────────────────────────────────────────────────────────────────────────────────


def test_claims_and_facts_have_the_shape_of_the_contract() -> None:
    assert answer("claims", "I run") == {
        "claims": [
            {
                "text": "I run",
                "span": [0, 5],
                "subject": "",
                "predicate": "",
                "object": "",
                "polarity": "positive",
                "tense": "present",
                "hedged": False,
                "quoted": False,
            }
        ]
    }
    assert answer("facts", "I run") == {
        "facts": [
            {
                "subject": "user",
                "slot": "said",
                "value": "i run",
                "raw": "I run",
                "span": [0, 5],
                "value_span": [0, 5],
                "polarity": "positive",
                "tense": "present",
                "when": None,
                "hedged": False,
            }
        ]
    }
    assert "user: said = i run" in run("facts", "I run").stdout
    assert "1 claim" in run("claims", "I run").stdout


def test_judge_has_the_shape_of_the_contract_and_flags_what_is_not_supported(elsewhere: Path) -> None:
    (elsewhere / "evidence.txt").write_text("it rains", encoding="utf-8")
    (elsewhere / "evidence.jsonl").write_text('{"id": "w", "text": "it rains"}\n"noise"\n', encoding="utf-8")
    result = answer("judge", "it rains", "--evidence", "no", "--evidence-file", "evidence.txt", "--context", "weather?")
    assert list(result) == [
        "verdict",
        "confidence",
        "probabilities",
        "evidence_used",
        "explanation",
        "reason",
        "action",
        "low_confidence",
        "truncated",
        "conflicting",
        "latency_ms",
        "judge",
        "model",
        "calibration",
    ]
    assert result["evidence_used"] == ["e2"]
    assert (result["judge"], result["model"], result["calibration"]) == ("parrot.v1", None, None)
    assert result["explanation"] == "asked weather?"
    assert result["probabilities"] == {"SUPPORTED": 1.0, "REFUTED": 0.0, "INSUFFICIENT": 0.0}
    assert answer("judge", "it rains", "--evidence-file", "evidence.jsonl")["evidence_used"] == ["w"]
    assert run("judge", "it rains", "--evidence", "it rains").exit_code == 0
    flagged = run("judge", "it rains", "--evidence", "it snows")
    assert flagged.exit_code == 3
    assert "INSUFFICIENT" in flagged.stdout


def test_verify_has_the_shape_of_the_contract_and_flags_what_is_not_grounded() -> None:
    result = answer("verify", "it rains", "--memory", "it rains", "--query", "q", "--mode", "inline", "--user", "ada")
    assert result["grounded"] is True
    assert result["claims"] == [
        {
            "text": "it rains",
            "span": [0, 8],
            "verdict": "SUPPORTED",
            "standing": "supported",
            "confidence": 0.9,
            "evidence": ["m1"],
            "explanation": "INLINE q ada",
            "action": "CONTINUE",
            "wrong": None,
            "correction": None,
        }
    ]
    assert set(result) >= {
        "hallucinations",
        "unverifiable",
        "contradictions",
        "requires_disclosure",
        "expected_disclosure",
        "grounding_map",
        "corrected",
        "action",
        "confidence",
        "latency_ms",
        "disclosures",
        "claim_count",
        "not_analysed",
        "judge",
        "caveat",
    }
    assert run("verify", "it rains", "--memory", "it rains").exit_code == 0
    flagged = run("verify", "it rains", "--memory", "it snows")
    assert flagged.exit_code == 3
    assert "NOT GROUNDED" in flagged.stdout and "~~~~~~~~" in flagged.stdout


@pytest.mark.requirement("CTR-001")
@pytest.mark.parametrize(
    ("name", "content", "identifier"),
    [
        ("list.json", '[{"id": "a", "text": "it rains", "trust": 0.5, "timestamp": "2024-03-01"}]', "a"),
        ("texts.json", '["it snows", "it rains"]', "m2"),
        ("object.json", '{"memories": [{"id": "a", "text": "it rains"}]}', "a"),
        ("lines.jsonl", '{"id": "a", "text": "it rains"}\n{"id": "b", "text": "it snows"}\n', "a"),
    ],
)
def test_memories_come_from_files_of_every_documented_form(
    elsewhere: Path, name: str, content: str, identifier: str
) -> None:
    (elsewhere / name).write_text(content, encoding="utf-8")
    for result in (
        answer("verify", "it rains", "--memories", name),
        answer("verify", "it rains", "--memories", "-", stdin=content),
    ):
        assert result["grounding_map"] == {identifier: "it rains"}


@pytest.mark.requirement("CTR-001")
def test_a_bad_memory_file_names_the_field(elsewhere: Path) -> None:
    (elsewhere / "m.json").write_text('[{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]', encoding="utf-8")
    result = run("verify", "it rains", "--memories", "m.json")
    assert result.exit_code == 2
    assert "memories[1].id: duplicate id 'a', already used by memories[0]" in result.stderr


def test_a_failure_of_the_library_is_not_a_usage_error() -> None:
    result = run("judge", "break", "--evidence", "x")
    assert result.exit_code == 1
    assert "the table is damaged" in result.stderr


# ── the filter ──────────────────────────────────────────────────────────────────────────────────


def test_the_filter_answers_every_command_and_ends_with_0_even_when_something_is_flagged() -> None:
    lines = {
        "claims": {"id": 1, "text": "a"},
        "facts": {"id": 1, "text": "a"},
        "judge": {"id": 1, "claim": "a", "evidence": ["b", {"id": "x", "text": "c"}]},
        "verify": {"id": 1, "text": "a", "memories": [{"id": "x", "text": "b"}], "mode": "INLINE"},
    }
    for command, line in lines.items():
        result = run(command, "--jsonl", stdin=json.dumps(line) + "\n")
        assert result.exit_code == 0, result.output
        assert next(iter(json.loads(result.stdout))) == "id"


@pytest.mark.requirement("CTR-001", "SEC-012")
def test_bad_lines_are_reported_one_by_one_and_the_rest_goes_on() -> None:
    good = '{"id": "good", "text": "it rains", "memories": [{"id": "a", "text": "it rains"}]}'
    bad = [
        '{"id": 1, "text": ""}',
        '{"id": 2, "text": "a", "memories": [{"id": "x", "text": "b", "trust": NaN}]}',
        '{"id": 3, "text": "a", "memories": [{"id": "x", "text": "b", "trust": 7}]}',
        '{"id": 4, "text": "a", "memories": [{"id": "x", "text": "b"}, {"id": "x", "text": "c"}]}',
        '{"id": 5, "text": 5}',
        json.dumps({"id": 6, "text": "x" * 300_000}),
        '{"id": 7, "text": "a", "colour": "red"}',
        json.dumps({"id": 8, "text": "a", "memories": [f"memory {n}" for n in range(10_001)]}),
    ]
    data = "\n".join(line for pair in zip(bad, [good] * len(bad), strict=True) for line in pair).encode()
    result = run("verify", "--jsonl", stdin=data + b'\n{"id": 9, "text": "\xff"}\n' + good.encode())
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [a["id"] for a in answers if "error" in a] == [1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert [a["error"]["field"] for a in answers if "error" in a] == [
        "text",
        "memories[0].trust",
        "memories[0].trust",
        "memories[1].id",
        "text",
        "text",
        "colour",
        "memories",
        "line",
    ]
    assert sum(a.get("grounded") is True for a in answers) == len(bad) + 1


def test_the_filter_reads_a_file_as_well(elsewhere: Path) -> None:
    (elsewhere / "in.jsonl").write_text('{"id": 1, "text": "a"}\n', encoding="utf-8")
    for arguments in (("in.jsonl",), ("--file", "in.jsonl")):
        assert json.loads(run("claims", "--jsonl", *arguments).stdout)["id"] == 1


# ── settings, help, colour ──────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("OPS-020")
def test_config_prints_the_settings_in_effect_in_a_form_that_can_be_read_back(elsewhere: Path) -> None:
    (elsewhere / "g.toml").write_text('preset = "strict"\nmax_claims = 7\n', encoding="utf-8")
    printed = run("--config", "g.toml", "config", env={"GROUNDWIRE_MAX_MEMORIES": "12"}).stdout
    table = tomllib.loads(printed)
    assert (table["max_claims"], table["max_memories"], table["fail_closed"]) == (7, 12, True)
    (elsewhere / "again.toml").write_text(printed, encoding="utf-8")
    assert run("--config", "again.toml", "config").stdout == printed
    assert json.loads(run("--config", "again.toml", "config", "--json").stdout)["max_claims"] == 7


@pytest.mark.requirement("OPS-020")
def test_a_bad_settings_file_is_refused_before_anything_is_done(elsewhere: Path) -> None:
    (elsewhere / "g.toml").write_text("max_clams = 7\n", encoding="utf-8")
    result = run("--config", "g.toml", "verify", "--jsonl", stdin='{"text": "a"}\n')
    assert (result.exit_code, result.stdout) == (2, "")
    assert "max_clams" in result.stderr
    assert run("--config", "absent.toml", "config").exit_code == 2


@pytest.mark.requirement("SEC-012", "OPS-020")
def test_the_limits_are_the_ones_of_the_settings(elsewhere: Path) -> None:
    (elsewhere / "g.toml").write_text("max_answer_characters = 5\n", encoding="utf-8")
    assert run("--config", "g.toml", "claims", "12345").exit_code == 0
    assert "the limit is 5" in run("--config", "g.toml", "claims", "123456").stderr


@pytest.mark.parametrize("command", sorted(set(main.commands) - {"calibration", "eval", "models"}))
def test_help_teaches_by_example_even_when_the_settings_are_broken(command: str) -> None:
    result = run(command, "--help", env={"GROUNDWIRE_MAX_CLAIMS": "many"})
    assert result.exit_code == 0
    examples = result.stdout.partition("Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(examples) >= 2
    assert all("groundwire " in example for example in examples)
    if command not in ("config", "review"):
        assert "In:" in result.stdout and "Out:" in result.stdout
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_version_and_overview_are_printed() -> None:
    assert run("--version").stdout.startswith("groundwire ")
    overview = run("--help").stdout
    assert "Exit status" in overview
    assert all(command in overview for command in ("claims", "facts", "judge", "verify", "config"))


@pytest.mark.parametrize(
    ("choice", "env", "terminal", "coloured"),
    [
        ("auto", {}, False, False),
        ("auto", {}, True, True),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"TERM": "dumb"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {}, True, False),
    ],
)
def test_colour_follows_the_terminal_no_color_and_the_option(
    monkeypatch: pytest.MonkeyPatch, choice: str, env: dict[str, str], terminal: bool, coloured: bool
) -> None:
    from groundwire.surfaces import calls

    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(calls.sys.stdout, "isatty", lambda: terminal, raising=False)
    assert calls.wants_color(choice) is coloured
    if choice != "auto":
        assert ("\x1b[" in run("verify", "a", "--color", choice).stdout) is coloured


def test_the_terminal_width_is_respected() -> None:
    result = run("verify", "some rather long words that do not fit", env={"COLUMNS": "30"})
    assert max(map(len, result.stdout.splitlines())) <= 30


def test_importing_the_command_line_loads_nothing_heavy() -> None:
    script = "import sys, groundwire.surfaces.cli; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert not {"asyncio", "numpy", "importlib.metadata", "sqlite3", "http"} & set(loaded)


# ── the real library ────────────────────────────────────────────────────────────────────────────


def run_real(*arguments: str, stdin: str | None = None) -> Result:
    pytest.importorskip("groundwire.app")
    return CliRunner().invoke(main, arguments, input=stdin)


def test_an_answer_that_a_memory_states_is_grounded() -> None:
    result = run_real("verify", "You work at Globex.", "--memory", "User works at Globex", "--json")
    report = json.loads(result.stdout)
    assert (result.exit_code, report["grounded"]) == (0, True)
    assert report["claims"][0]["evidence"] == ["m1"]
    page = run_real("verify", "You work at Globex.", "--memory", "User works at Globex")
    assert page.exit_code == 0 and "GROUNDED" in page.stdout


def test_an_answer_that_a_memory_refutes_is_flagged_with_the_wrong_word_underlined() -> None:
    result = run_real("verify", "You work at Initech.", "--memory", "User works at Globex", "--json")
    report = json.loads(result.stdout)
    assert (result.exit_code, report["grounded"]) == (3, False)
    start, end = report["claims"][0]["wrong"] or report["claims"][0]["span"]
    assert "Initech" in "You work at Initech."[start:end]
    page = run_real("verify", "You work at Initech.", "--memory", "User works at Globex")
    assert page.exit_code == 3 and "^^^^^^^" in page.stdout


def test_every_command_works_on_the_real_library() -> None:
    claims = json.loads(run_real("claims", "You work at Globex.", "--json").stdout)["claims"]
    assert ["Globex" in "You work at Globex."[slice(*claim["span"])] for claim in claims] == [True]
    facts = json.loads(run_real("facts", "You work at Globex.", "--json").stdout)["facts"]
    assert any(fact["raw"] == "Globex" for fact in facts)
    judged = run_real("judge", "You work at Globex.", "--evidence", "User works at Globex", "--json")
    assert (judged.exit_code, json.loads(judged.stdout)["verdict"]) == (0, "SUPPORTED")
    assert json.loads(judged.stdout)["evidence_used"] == ["e1"]


def test_the_same_request_gives_the_same_bytes_latency_aside() -> None:
    line = '{"id": 1, "text": "You work at Globex.", "memories": [{"id": "a", "text": "User works at Globex"}]}\n'
    first, second = (json.loads(run_real("verify", "--jsonl", stdin=line).stdout) for _ in range(2))
    for report in (first, second):
        assert report.pop("latency_ms") >= 0
    assert json.dumps(first) == json.dumps(second)
