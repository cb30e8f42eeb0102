"""remember --conversation: every form a conversation is kept in, the three lists, exit statuses, what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from groundwire.surfaces.cli import main
from groundwire.surfaces.conversations import split_transcript

TURNS = [
    {"speaker": "Ada", "text": "I am a nurse. I live in Porto."},
    {"speaker": "Assistant", "text": "You have two cats."},
]
LINES = "Ada: I am a nurse.\nI live in Porto.\nAssistant: You have two cats.\n"
INVENTED = {"text": "Works as a producer", "type": "USER_FACT", "confidence": 0.9, "reasoning": "implied"}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GROUNDWIRE_STORE", "memory.db")
    monkeypatch.setenv("GROUNDWIRE_JUDGE", "rules")
    monkeypatch.setenv("GROUNDWIRE_USER", "ada")
    return tmp_path / "memory.db"


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, ["remember", *arguments], input=text)


def hear(text: str, *options: str) -> dict[str, Any]:
    return json.loads(run("--conversation", "-", "--json", *options, text=text).stdout)


def told(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["text"] for entry in entries]


@pytest.mark.parametrize(
    "document",
    [
        LINES,
        "\n[10:32] **Ada:** I am a nurse. I live in Porto.\n[10:33] **Assistant:** You have two cats.",
        json.dumps(TURNS),
        json.dumps({"turns": TURNS}, indent=2),
        "".join(json.dumps(turn) + "\n" for turn in TURNS),
        "The user said that she is a nurse and that she lives in Porto. The assistant said that she has two cats.",
    ],
)
def test_a_conversation_is_read_in_whichever_form_it_is_kept(store: Path, document: str) -> None:
    Path("talk").write_text(document, encoding="utf-8")
    done = json.loads(run("--conversation", "talk", "--json").stdout)
    found = " ".join(told(done["stored"]))
    assert "nurse" in found and "Porto" in found and "cats" not in found
    assert (done["proposed"], done["rejected"]) == ([], [])
    kept = json.loads(CliRunner().invoke(main, ["history", "--json"]).stdout)["history"]
    assert {memory["id"] for memory in kept} == {entry["memory_id"] for entry in done["stored"]}


def test_every_statement_is_in_the_list_of_what_became_of_it(store: Path) -> None:
    run("I work at Google.")
    first = hear("User: I work at Amazon. I am a nurse.")
    assert (told(first["stored"]), told(first["proposed"])) == (["I am a nurse"], ["I work at Amazon"])
    assert "contradicts" in first["proposed"][0]["receipt"]["reason"] and first["proposed"][0]["review_id"]
    again = hear("User: I am a nurse. I work at Stripe now.")
    assert [entry["confirmed"] for entry in again["stored"]] == [True, False]
    assert [old["text"] for old in again["stored"][1]["superseded"]] == ["I work at Google."]
    line = {"id": 7, "conversation": "User: I like my desk.", "candidates": [INVENTED, None]}
    done = run("--jsonl", text=json.dumps(line) + "\n")
    answer = json.loads(done.stdout)
    assert (done.exit_code, answer["id"], answer["stored"], answer["extractor"]) == (0, 7, [], "given")
    assert [entry["rejection_reason"] for entry in answer["rejected"]] == [
        "type_rule_violation",
        "not_grounded_in_summary",
    ]


def test_what_the_gate_blocks_is_rejected_with_its_reason(store: Path) -> None:
    candidate = {**INVENTED, "text": "I think I work best in the morning"}
    line = {"conversation": "User: I think I work best in the morning.", "candidates": [candidate]}
    answer = json.loads(run("--jsonl", text=json.dumps(line)).stdout)
    assert (answer["stored"], answer["proposed"], len(answer["rejected"])) == ([], [], 1)
    assert answer["rejected"][0]["validation_details"]["reason"]


def test_people_see_what_was_kept_what_waits_and_why(store: Path) -> None:
    clean = run("--conversation", "-", text=LINES)
    assert (clean.exit_code, clean.stdout.splitlines()[0]) == (0, "2 stored, 0 proposed, 0 rejected")
    doubtful = run("--conversation", "-", text="User: I am a nurse. I live in Oslo.")
    assert (doubtful.exit_code, doubtful.stdout.splitlines()[0]) == (3, "1 stored, 1 proposed, 0 rejected")
    assert "said 2 times" in doubtful.stdout and "groundwire review show" in doubtful.stdout
    assert run("--conversation", "-", text="Assistant: Hello!").stdout == "nothing to remember\n"


def test_words_that_nobody_could_read_are_told(store: Path) -> None:
    text = "User: Ich wohne in Berlin.\nUser: I am a nurse.\nAssistant: Wir auch."
    assert "1 turn of the user not in English and not read" in run("--conversation", "-", text=text).stdout
    done = hear(text)
    assert (done["unread"], told(done["stored"])) == (1, ["I am a nurse"])
    assert run("--conversation", "-", text="User: Ich wohne in Berlin.").stdout.startswith(
        "nothing to remember\n1 turn"
    )


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ("", "conversation: is empty"),
        (" \n", "conversation: is empty"),
        ("[{]", "not valid JSON"),
        ('{"talk": []}', "conversation: must be"),
        ('[{"speaker": "Ada"}]', "conversation[0].text: is required"),
        ('[{"speaker": "Ada", "text": 5}]', "conversation[0].text"),
        ('{"speaker": "Ada", "text": "a"}\n{"speaker": }', "line 2"),
        ("User: " + "x" * 200_001, "200,000"),
    ],
)
def test_what_is_no_conversation_is_refused_and_nothing_is_written(store: Path, document: str, message: str) -> None:
    done = run("--conversation", "-", text=document)
    assert (done.exit_code, message in done.stderr) == (2, True), done.stderr
    assert CliRunner().invoke(main, ["history", "--json"]).exit_code in (0, 2)
    assert not store.exists() or json.loads(CliRunner().invoke(main, ["history", "--json"]).stdout)["history"] == []


@pytest.mark.parametrize(
    "options",
    [("I am here.",), ("--text", "x"), ("--jsonl",), ("--source", "user"), ("--since", "2025"), ("--type", "fact")],
)
def test_a_conversation_brings_its_own_words_and_its_own_source(store: Path, options: tuple[str, ...]) -> None:
    done = run("--conversation", "-", *options, text=LINES)
    assert (done.exit_code, store.exists()) == (2, False)


def test_a_line_with_a_conversation_stands_beside_lines_with_content(store: Path) -> None:
    lines = [{"id": 1, "content": "I like tea."}, {"id": 2, "conversation": TURNS}, {"id": 3, "conversation": 5}]
    done = run("--jsonl", "--source", "user", text="".join(json.dumps(line) + "\n" for line in lines))
    first, second, third = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["stored"], len(second["stored"]), third["error"]["field"]) == (True, 2, "conversation")


@given(st.text(max_size=300))
def test_any_text_is_a_transcript_or_is_not(text: str) -> None:
    turns = split_transcript(text)
    assert turns is None or all(set(turn) == {"speaker", "text"} for turn in turns if isinstance(turn, dict))


@given(
    st.lists(
        st.tuples(st.sampled_from(["User", "Ada B.", "Assistant"]), st.from_regex(r"[a-z ]{1,30}", fullmatch=True))
    )
)
def test_a_transcript_gives_back_its_turns(turns: list[tuple[str, str]]) -> None:
    text = "\n".join(f"{speaker}: {said}" for speaker, said in turns)
    expected = [{"speaker": speaker, "text": said.strip()} for speaker, said in turns]
    assert (split_transcript(text) or []) == expected
