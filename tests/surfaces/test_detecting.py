"""The commands detect and paths: the JSON contract, the view for people, exit statuses and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces.cli import main

STAFF = {"entities": [{"name": "John Smith", "type": "person", "attributes": {"department": "Engineering"}}]}
TURNS = [{"turn_id": 3, "speaker": "assistant", "text": "The meeting is on Monday."}]
FRIDAY = "The meeting is on Friday."
REQUEST = {"response": FRIDAY, "dialogue": TURNS, "now": "2026-01-05"}


@pytest.fixture(autouse=True)
def by_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, list(arguments), input=text)


def filter_one(**fields: object) -> dict[str, Any]:
    return json.loads(run("detect", "--jsonl", text=json.dumps({**REQUEST, **fields}) + "\n").stdout)


def write(path: Path, value: object) -> str:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


# ── the contract ────────────────────────────────────────────────────────────────────────────────


def test_a_report_has_the_fields_of_the_contract() -> None:
    report = filter_one(id="x")
    (flag,) = report["flags"]
    assert flag["type"] == "ContradictsPrior"
    assert FRIDAY[slice(*flag["span"])] == flag["content"]
    assert flag["severity"] == 0.8
    assert flag["evidence"] and flag["suggestion"]
    assert flag["factors"]["score"] == flag["confidence"]
    assert flag["explanation"].startswith("Score ")
    assert report["actions"] == [
        {
            "type": "Correct",
            "span": [18, 24],
            "original": "Friday",
            "replacement": "Monday",
            "source": "Earlier conversation",
        }
    ]
    assert (report["id"], report["mitigated"], report["handling"]) == ("x", "The meeting is on Monday.", "correct")
    assert report["risk"] == pytest.approx(1 - report["confidence"])
    assert report["errors"] == {}


def test_a_clean_answer_has_nothing_to_report() -> None:
    report = filter_one(response="The meeting is on Monday.")
    assert (report["flags"], report["actions"], report["risk"], report["handling"]) == ([], [], 0.0, "accept")


def test_knowledge_and_branches_take_part() -> None:
    known = filter_one(response="John Smith works in Marketing.", knowledge=STAFF)
    assert known["mitigated"] == "John Smith works in Engineering."
    twice = {"response": f"John Smith works in Marketing. {FRIDAY}", "knowledge": STAFF}
    assert filter_one(**twice)["actions"][0]["type"] == "Escalate"
    text = "Studies show that naps help by 40%. The bridge was completed before it was started."
    assert filter_one(response=text)["actions"][0]["type"] == "Regenerate"
    assert filter_one(response=text, branches_left=0)["actions"][0]["type"] == "Escalate"


def test_a_broken_line_is_an_error_and_the_run_goes_on() -> None:
    lines = "\n".join([json.dumps({"id": 1, **REQUEST}), "{broken", json.dumps({"id": 2, **REQUEST})])
    done = run("detect", "--jsonl", text=lines)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("id") for answer in answers] == [1, None, 2]
    assert "error" in answers[1]
    assert done.exit_code == 1


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"response": ""}, "response"),
        ({"response": 7}, "response"),
        ({"dialogue": "hello"}, "dialogue"),
        ({"dialogue": [{"speaker": "user"}]}, "dialogue[0].text"),
        ({"knowledge": 3}, "knowledge"),
        ({"knowledge": {"entities": [{}]}}, "knowledge.entities[0].name"),
        ({"now": "yesterday"}, "now"),
        ({"session": "s"}, "turn"),
        ({"turn": 1}, "session"),
        ({"session": "s", "turn": 1}, "session"),
        ({"branches_left": -1}, "branches_left"),
        ({"branches_left": True}, "branches_left"),
        ({"answer": "x"}, "answer"),
    ],
)
def test_bad_input_names_its_field(fields: dict[str, object], field: str) -> None:
    assert filter_one(**fields)["error"]["field"] == field


# ── for people ──────────────────────────────────────────────────────────────────────────────────


def test_the_page_underlines_explains_and_shows_the_difference(tmp_path: Path) -> None:
    turns = write(tmp_path / "turns.json", TURNS)
    done = run("detect", FRIDAY, "--dialogue", turns, "--now", "2026-01-05")
    assert done.exit_code == 3
    lines = done.stdout.splitlines()
    at = lines.index(f"  {FRIDAY}")
    assert lines[at + 1] == "  " + "p" * 24
    assert "  p conflicts with earlier conversation" in lines
    assert any("evidence:" in line for line in lines)
    assert "  The meeting is on [-Friday-]{+Monday+}." in lines
    assert "\x1b" not in done.stdout


def test_colour_repeats_what_the_markers_say(tmp_path: Path) -> None:
    turns = write(tmp_path / "turns.json", TURNS)
    done = run("detect", FRIDAY, "--dialogue", turns, "--now", "2026-01-05", "--color", "always")
    assert "\x1b[95mThe meeting is on Friday\x1b[0m" in done.stdout


def test_a_clean_answer_ends_with_status_0() -> None:
    done = run("detect", "All is well.", "--now", "2026-01-05")
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "✓ ACCEPT")


def test_json_prints_one_object() -> None:
    done = run("detect", "--json", "--now", "2026-01-05", "-", text="It was finished in 2090.")
    assert json.loads(done.stdout)["flags"][0]["type"] == "TemporalError"
    assert done.exit_code == 3


@pytest.mark.parametrize(
    ("name", "document"),
    [
        ("k.json", STAFF),
        ("k.json", STAFF["entities"]),
        ("k.csv", "entity,attribute,value,type\nJohn Smith,department,Engineering,person\n"),
        (
            "k.jsonld",
            {"@context": "https://schema.org", "@type": "Person", "name": "John Smith", "department": "Engineering"},
        ),
    ],
)
def test_knowledge_is_read_by_the_name_of_its_file(tmp_path: Path, name: str, document: object) -> None:
    path = write(tmp_path / name, document)
    done = run("detect", "John Smith works in Marketing.", "--knowledge", path, "--json", "--now", "2026-01-05")
    assert [flag["correct_value"] for flag in json.loads(done.stdout)["flags"]] == ["Engineering"]


@pytest.mark.parametrize("form", ["list", "object", "lines", "standard input"])
def test_a_dialogue_is_read_in_every_form(tmp_path: Path, form: str) -> None:
    documents: dict[str, object] = {
        "list": TURNS,
        "object": {"turns": TURNS},
        "lines": "\n".join(json.dumps(turn) for turn in [*TURNS, {"turn_id": 4, "speaker": "user", "text": "Hm."}]),
        "standard input": TURNS,
    }
    path = write(tmp_path / "turns", documents[form])
    from_stdin = form == "standard input"
    done = run(
        "detect",
        FRIDAY,
        "--dialogue",
        "-" if from_stdin else path,
        "--json",
        text=Path(path).read_text() if from_stdin else None,
    )
    assert [flag["type"] for flag in json.loads(done.stdout)["flags"]] == ["ContradictsPrior"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("detect", "-", "--dialogue", "-"),
        ("detect", "x", "--dialogue", "-", "--knowledge", "-"),
        ("detect", "x", "--session", "s"),
        ("detect", "x", "--session", "s", "--turn", "1"),
        ("detect", "x", "--now", "soon"),
        ("detect", "x", "--knowledge", "no such file.json"),
        ("detect", "--jsonl", "--now", "2026-01-05"),
        ("paths",),
    ],
)
def test_wrong_usage_ends_with_status_2(arguments: tuple[str, ...]) -> None:
    done = run(*arguments, text="x")
    assert done.exit_code == 2, done.output


# ── with a store ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("STO-015", "STO-017", "STO-018", "STO-019")
def test_a_recorded_turn_is_shown_by_its_paths(tmp_path: Path) -> None:
    store, turns = str(tmp_path / "m.db"), write(tmp_path / "turns.json", TURNS)
    place = ("--store", store, "--user", "ada")
    run("detect", FRIDAY, "--dialogue", turns, "--now", "2026-01-05", "--session", "a/b", "--turn", "4", *place)
    found = json.loads(run("paths", "/hallucination/a%2Fb/4/", "--json", *place).stdout)["paths"]
    assert found["/hallucination/a%2Fb/4/detection/total_flags"] == 1
    assert found["/hallucination/a%2Fb/4/mitigation/corrections_applied"] == 1
    assert found["/hallucination/a%2Fb/4/metrics/claims_checked"] == 1
    page = run("paths", "/hallucination_patterns/", *place).stdout
    assert "/frequency 1\n" in page
    lines = run(
        "paths", "--jsonl", "--store", store, text='{"id": 1, "prefix": "/hallucination_patterns/", "user": "bob"}'
    )
    assert json.loads(lines.stdout) == {"id": 1, "paths": {}}
    nothing = run("paths", "/nowhere/", *place)
    assert (nothing.exit_code, nothing.stdout) == (0, "nothing is on record under /nowhere/\n")


def test_lines_are_recorded_and_use_what_is_remembered(tmp_path: Path) -> None:
    store = str(tmp_path / "m.db")
    run("remember", "I live in Porto.", "--store", store, "--user", "ada")
    request = {"response": "You live in Paris.", "user": "ada", "session": "s", "turn": 1}
    done = run("detect", "--jsonl", "--store", store, text=json.dumps(request) + "\n")
    assert json.loads(done.stdout)["mitigated"] == "You live in Porto."
    found = run("paths", "/hallucination/s/1/detection/total_flags", "--json", "--store", store, "--user", "ada")
    assert json.loads(found.stdout)["paths"] == {"/hallucination/s/1/detection/total_flags": 1}


# ── verify ──────────────────────────────────────────────────────────────────────────────────────


def test_verify_has_flags_only_when_asked() -> None:
    request = {"text": "You live in Paris.", "memories": [{"id": "m1", "text": "User lives in Porto"}]}
    plain = json.loads(run("verify", "--jsonl", text=json.dumps(request)).stdout)
    asked = json.loads(run("verify", "--jsonl", text=json.dumps({**request, "flags": True})).stdout)
    assert "flags" not in plain
    assert asked.pop("flags")
    assert {**asked, "latency_ms": 0} == {**plain, "latency_ms": 0}
    wrong = json.loads(run("verify", "--jsonl", text=json.dumps({**request, "flags": 1})).stdout)
    assert wrong["error"]["field"] == "flags"


def test_the_page_of_verify_shows_flags_when_asked() -> None:
    done = run("verify", "You live in Paris.", "--memory", "User lives in Porto", "--flags")
    assert "Flags" in done.stdout.splitlines()
    assert done.exit_code == 3
