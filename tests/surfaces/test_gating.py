"""The gate command: the JSON contract, the view for people, exit statuses and what is refused."""

from __future__ import annotations

import json
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.surfaces.cli import main

CANDIDATE = {"content": "I prefer tabs.", "memory_type": "preference", "source": "user", "user_id": "u1"}


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["gate", *arguments], input=text)


def filter_one(**fields: object) -> dict[str, Any]:
    done = run("--jsonl", text=json.dumps({**CANDIDATE, **fields}) + "\n")
    return json.loads(done.stdout)


def test_a_receipt_has_the_fields_of_the_contract() -> None:
    receipt = filter_one(id="x", now="2026-01-05T09:30:00Z")
    assert receipt.pop("evidence") == {
        "claim": "I prefer tabs.",
        "capture_time": "2026-01-05T09:30:00+00:00",
        "confidence": "high",
        "source_id": None,
        "validity_horizon": None,
        "metadata": {"code": "trusted_source", "source": "user", "memory_type": "preference"},
    }
    assert receipt == {
        "id": "x",
        "tier": "auto_approve",
        "approved": True,
        "reason": "From a trusted source: user.",
        "code": "trusted_source",
        "checks_passed": ["no_speculation", "no_instructions", "unique", "no_contradiction", "trusted_source: user"],
        "checks_failed": [],
        "similarity_score": 0.0,
        "threshold": 0.92,
        "conflicting_memory_id": None,
        "trust": 0.9,
    }


def test_existing_memories_and_the_repository_take_part(tmp_path: Path) -> None:
    known = filter_one(existing=[{"id": "m7", "content": "I prefer tabs"}])
    assert (known["tier"], known["conflicting_memory_id"]) == ("block", "m7")
    (tmp_path / "docs/adrs").mkdir(parents=True)
    (tmp_path / "docs/adrs/ADR-003-tabs.md").write_text("# Tabs")
    cited = {"content": "Per ADR-003, we use tabs", "source": "ai_synthesis", "memory_type": "fact"}
    assert filter_one(**cited, repository=str(tmp_path))["tier"] == "auto_approve"
    assert filter_one(**cited)["tier"] == "flag_review"


def test_a_commit_is_looked_up_in_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for date in ("GIT_AUTHOR_DATE", "GIT_COMMITTER_DATE"):
        monkeypatch.setenv(date, "2026-01-05T09:00:00Z")  # the same hash every time: one of digits alone is no commit
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "x"]):
        subprocess.run(["git", *who, "-C", str(tmp_path), *command], check=True)
    head = subprocess.run(["git", "-C", str(tmp_path), "rev-parse", "HEAD"], capture_output=True, text=True, check=True)
    fields = {"content": f"Fixed in {head.stdout[:9]}", "source": "commit", "repository": str(tmp_path)}
    assert filter_one(**fields)["evidence"]["source_id"] == f"commit:{head.stdout[:9]}"


def test_turns_show_who_said_it() -> None:
    said = {"content": "We decided to use Kafka.", "memory_type": "decision", "source": "conversation"}
    turns = [{"speaker": "assistant", "text": "We decided to use Kafka."}, {"speaker": "user", "text": "Hm."}]
    assert filter_one(**said)["tier"] == "auto_approve"
    assert filter_one(**said, turns=turns)["tier"] == "flag_review"
    assert filter_one(**said, turns=[{**turns[0], "speaker": "User"}])["tier"] == "auto_approve"


def test_horizon_confidence_and_metadata_travel_along() -> None:
    receipt = filter_one(validity_horizon="2026-02-01", confidence=0.7, metadata={"session": "s1"})
    assert receipt["evidence"]["validity_horizon"] == "2026-02-01T00:00:00+00:00"
    assert receipt["trust"] == 0.7
    assert receipt["evidence"]["metadata"]["session"] == "s1"


def test_defaults_reach_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("the network was used")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    fields = {"content": "See https://example.org/a and issue #12", "source": "ai_synthesis"}
    assert filter_one(**fields)["checks_failed"] == [
        "citation_unreachable: https://example.org/a",
        "citation_unreachable: issue:12",
        "source_not_trusted: ai_synthesis",
    ]


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"content": ""}, "content"),
        ({"content": "x" * 8193}, "content"),
        ({"content": 7}, "content"),
        ({"user_id": " "}, "user_id"),
        ({"source": None}, "source"),
        ({"existing": {}}, "existing"),
        ({"existing": [{"id": "m1"}]}, "existing[0].text"),
        ({"existing": [{"id": "m1", "content": "a", "text": "b"}]}, "existing[0]"),
        ({"existing": [{"id": "m1", "content": "a"}, {"id": "m1", "content": "b"}]}, "existing[1].id"),
        ({"turns": [{"speaker": "user"}]}, "turns[0].text"),
        ({"turns": "hello"}, "turns"),
        ({"confidence": 2}, "confidence"),
        ({"confidence": True}, "confidence"),
        ({"metadata": []}, "metadata"),
        ({"metadata": {"note": "x" * 20_000}}, "metadata"),
        ({"now": "yesterday"}, "now"),
        ({"sauce": "user"}, "sauce"),
    ],
)
def test_bad_input_names_its_field(fields: dict[str, object], field: str) -> None:
    assert filter_one(**fields)["error"]["field"] == field


def test_a_missing_field_is_named_and_the_run_goes_on() -> None:
    lines = "\n".join([json.dumps({"id": 1, "content": "x"}), "{broken", json.dumps({"id": 2, **CANDIDATE})])
    done = run("--jsonl", text=lines)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.exit_code == 1
    assert [answer.get("tier") or answer["error"]["type"] for answer in answers] == [
        "InvalidInput",
        "InvalidInput",
        "auto_approve",
    ]


def test_the_page_for_people_says_why_and_the_exit_status_tells() -> None:
    approved = run("I prefer tabs.", "--type", "preference")
    assert (approved.exit_code, approved.output.splitlines()[0]) == (0, "✓ AUTO APPROVE")
    blocked = run("I think we should use Redis")
    assert (blocked.exit_code, blocked.output.splitlines()[:2]) == (3, ["✗ BLOCK", "Contains speculation: I think."])
    review = run("-", "--source", "ai_synthesis", text="The cluster has nine nodes.")
    assert (review.exit_code, review.output.splitlines()[0]) == (3, "? FLAG REVIEW")


def test_one_object_with_json_and_existing_memories_from_a_file(tmp_path: Path) -> None:
    stored = tmp_path / "stored.json"
    stored.write_text(json.dumps([{"id": "m1", "content": "I live in Oslo"}]))
    done = run("I live in Madrid", "--json", "--existing", str(stored))
    receipt = json.loads(done.stdout)
    assert (receipt["tier"], receipt["conflicting_memory_id"]) == ("auto_approve", "m1")
    assert run("--jsonl", "--source", "user").exit_code == 2
    assert run("-", "--existing", "-", text="x").exit_code == 2
