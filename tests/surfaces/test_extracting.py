"""The command `extract`, as a page, as one object and as a filter."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from groundwire.errors import InvalidInput
from groundwire.settings import Settings
from groundwire.surfaces.cli import main
from groundwire.surfaces.extracting import read_extract_request

RULES = {"GROUNDWIRE_JUDGE": "rules"}
CANDIDATES = [
    {"text": "Loves ramen", "type": "USER_FACT", "confidence": 0.9, "reasoning": "said so", "explicit": True},
    {"text": "Lives in Tokyo", "type": "USER_FACT", "confidence": 0.9, "reasoning": "guessed", "explicit": True},
    {"text": "Loves ramen", "type": "MOOD", "confidence": 0.9, "reasoning": "?"},
]


def invoke(*arguments: str, given: str | None = None) -> Result:
    return CliRunner(env=RULES).invoke(main, ["extract", *arguments], input=given)


def filter_lines(*requests: dict[str, Any] | str) -> list[dict[str, Any]]:
    lines = [request if isinstance(request, str) else json.dumps(request) for request in requests]
    result = invoke("--jsonl", given="\n".join(lines) + "\n")
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_conversation_gives_what_may_be_remembered_with_its_factors():
    result = invoke("User: I love ramen. Ramen is my favourite food.", "--json")
    assert result.exit_code == 0
    first = json.loads(result.stdout)["stored"][0]
    assert (first["text"], first["type"], first["confidence"]) == ("I love ramen", "USER_FACT", 0.9)
    assert first["scoring"]["explicit_mention"] == 0.3
    assert first["validation"]["method"] == "exact_quote"
    assert first["spans"] == [{"turn": 0, "span": [6, 18]}]
    assert (first["authority"], first["decay_days"]) == ("advisory", 30)


def test_given_candidates_are_checked_and_not_extracted(tmp_path: Path):
    path = tmp_path / "candidates.json"
    path.write_text(json.dumps({"extractions": CANDIDATES}), encoding="utf-8")
    result = invoke("User: I love ramen. I work at Globex.", "--candidates", str(path), "--json")
    assert result.exit_code == 3
    answer = json.loads(result.stdout)
    assert [item["text"] for item in answer["stored"]] == ["Loves ramen"]
    assert [item["rejection_reason"] for item in answer["rejected"]] == [
        "type_rule_violation",
        "not_grounded_in_summary",
    ]
    assert answer["rejected"][1]["threshold"] == 0.80
    assert answer["extractor"] == "given"


def test_the_page_for_people_says_why():
    result = invoke("User: I love ramen. I enjoy tea.")
    assert result.exit_code == 3
    assert "1 stored, 0 proposed, 1 rejected" in result.stdout
    assert "confidence_below_threshold: 0.65 is below 0.80" in " ".join(result.stdout.split())
    assert invoke("User: Hello.").stdout == "nothing to remember\n"


def test_standard_input_and_known_facts():
    result = invoke("-", "--known", "Lives in Milan", "--json", given="User: I live in Rome.")
    assert result.exit_code == 3
    (waiting,) = json.loads(result.stdout)["proposed"]
    assert (waiting["update"], waiting["known_fact"]) == ("review", "Lives in Milan")
    assert waiting["scoring"]["consistency"] == -0.25


def test_the_filter_answers_line_by_line_and_goes_on_after_a_mistake():
    answers = filter_lines(
        {"id": 1, "summary": "User: I love ramen."},
        "{broken",
        {"id": 2, "turns": [{"speaker": "user", "text": "I live in Oslo."}, {"speaker": "assistant", "text": "Hm."}]},
        {"id": 3, "summary": ""},
        {"id": 4},
        {"id": 5, "summary": "x", "candidates": "none"},
    )
    assert [answer.get("id") for answer in answers] == [1, None, 2, 3, 4, 5]
    assert answers[2]["stored"][0]["spans"] == [{"turn": 0, "span": [0, 14]}]
    assert answers[3]["stored"] == answers[3]["rejected"] == []
    assert answers[4]["error"]["field"] == "summary"
    assert answers[5]["error"]["field"] == "candidates"


def test_a_narrative_carries_no_authority():
    (answer,) = filter_lines({"summary": "User: We've been chatting since 2019."})
    (narrative,) = answer["stored"]
    assert (narrative["type"], narrative["authority"], narrative["decay_days"]) == ("SHARED_NARRATIVE", "none", 7)


@pytest.mark.parametrize(
    ("fields", "at"),
    [
        ({"summary": "a", "turns": []}, "summary"),
        ({"turns": "a"}, "turns"),
        ({"turns": ["a"]}, "turns[0]"),
        ({"turns": [{"speaker": "user"}]}, "turns[0].text"),
        ({"turns": [{"speaker": "user", "text": 7}]}, "turns[0].text"),
        ({"turns": [{"speaker": "user", "text": "a", "mood": "b"}]}, "turns[0].mood"),
        ({"summary": 7}, "summary"),
        ({"summary": "a", "known_facts": "b"}, "known_facts"),
        ({"summary": "a", "known_facts": [""]}, "known_facts[0]"),
        ({"summary": "a", "sumary": "b"}, "sumary"),
        ({"summary": "x" * 200_001}, "summary"),
    ],
)
def test_a_wrong_request_names_the_field(fields: dict[str, object], at: str):
    with pytest.raises(InvalidInput) as caught:
        read_extract_request(fields, Settings())
    assert caught.value.field == at


def test_options_that_make_no_sense_together_are_refused(tmp_path: Path):
    assert invoke("--jsonl", "--known", "x", given="").exit_code == 2
    assert invoke("-", "--candidates", "-", given="").exit_code == 2
    broken = tmp_path / "broken.json"
    broken.write_text('{"a": 1}', encoding="utf-8")
    assert invoke("User: hi", "--candidates", str(broken)).exit_code == 2
