from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InvalidInput
from groundwire.settings import Settings
from groundwire.surfaces.requests import (
    decode_utf8,
    parse_json,
    read_judge_request,
    read_memories,
    read_memory_document,
    read_passages,
    read_text_request,
    read_timestamp,
    read_verify_request,
)
from groundwire.types import Memory, MemoryKind, MemoryStatus, Passage, VerifyMode

LIMITS = Settings()
SMALL = Settings(max_answer_characters=20, max_memory_characters=10, max_memories=2)


def refusal(call: object, *arguments: object) -> InvalidInput:
    with pytest.raises(InvalidInput) as caught:
        call(*arguments)  # type: ignore[operator]
    return caught.value


@pytest.mark.requirement("CTR-001")
def test_a_memory_is_read_with_every_field_it_gives() -> None:
    entry = {
        "id": "m1",
        "text": "User works at Globex",
        "trust": 0.9,
        "timestamp": "2024-03-01T00:00:00Z",
        "source": "chat",
        "kind": "shared_narrative",
        "status": "SUPERSEDED",
    }
    assert read_memories([entry], LIMITS) == (
        Memory(
            id="m1",
            text="User works at Globex",
            trust=0.9,
            timestamp=1_709_251_200,
            source="chat",
            kind=MemoryKind.SHARED_NARRATIVE,
            status=MemoryStatus.SUPERSEDED,
        ),
    )


@pytest.mark.requirement("CTR-001")
def test_what_a_memory_leaves_out_or_gives_as_null_takes_its_default() -> None:
    bare = read_memories([{"id": "m1", "text": "x"}], LIMITS)
    nulls = read_memories([{"id": "m1", "text": "x", "trust": None, "timestamp": None, "source": None}], LIMITS)
    assert bare == nulls == (Memory("m1", "x", trust=1.0, timestamp=None),)


@pytest.mark.requirement("CTR-001")
@pytest.mark.parametrize(
    ("entry", "field", "words"),
    [
        ({"id": "a", "text": "x", "trust": math.nan}, "memories[1].trust", "NaN"),
        ({"id": "a", "text": "x", "trust": math.inf}, "memories[1].trust", "infinite"),
        ({"id": "a", "text": "x", "trust": 7}, "memories[1].trust", "is 7"),
        ({"id": "a", "text": "x", "trust": -0.01}, "memories[1].trust", "[0, 1]"),
        ({"id": "a", "text": "x", "trust": 10**400}, "memories[1].trust", "too large"),
        ({"id": "a", "text": "x", "trust": "0.9"}, "memories[1].trust", "not a string"),
        ({"id": "a", "text": "x", "trust": True}, "memories[1].trust", "not a boolean"),
        ({"id": "m0", "text": "x"}, "memories[1].id", "duplicate id 'm0'"),
        ({"id": 7, "text": "x"}, "memories[1].id", "not a number"),
        ({"text": "x"}, "memories[1].id", "is required"),
        ({"id": "", "text": "x"}, "memories[1].id", "is empty"),
        ({"id": "a"}, "memories[1].text", "is required"),
        ({"id": "a", "text": " \n"}, "memories[1].text", "is empty"),
        ({"id": "a", "text": ["x"]}, "memories[1].text", "not a list"),
        ({"id": "a", "text": None}, "memories[1].text", "not null"),
        ({"id": "a", "text": "x" * 8_193}, "memories[1].text", "8,193 characters; the limit is 8,192"),
        ({"id": "a", "text": "\ud800"}, "memories[1].text", "U+D800"),
        ({"id": "a", "text": "x", "timestamp": "soon"}, "memories[1].timestamp", "'soon' is not an ISO 8601"),
        ({"id": "a", "text": "x", "timestamp": True}, "memories[1].timestamp", "not a boolean"),
        ({"id": "a", "text": "x", "timestamp": math.nan}, "memories[1].timestamp", "NaN"),
        ({"id": "a", "text": "x", "timestamp": 1_709_251_200_000}, "memories[1].timestamp", "milliseconds"),
        ({"id": "a", "text": "x", "timestamp": 10**400}, "memories[1].timestamp", "between the years"),
        ({"id": "a", "text": "x", "source": 3}, "memories[1].source", "not a number"),
        ({"id": "a", "text": "x", "kind": "rumour"}, "memories[1].kind", "USER_FACT"),
        ({"id": "a", "text": "x", "status": []}, "memories[1].status", "not a list"),
        ({"id": "a", "text": "x", "turst": 1}, "memories[1].turst", "unknown field 'turst'; known: id, text, trust"),
        (3, "memories[1]", "not a number"),
        (None, "memories[1]", "not null"),
    ],
)
def test_a_bad_memory_is_refused_with_the_field_at_fault(entry: object, field: str, words: str) -> None:
    error = refusal(read_memories, [{"id": "m0", "text": "fine"}, entry], LIMITS)
    assert error.field == field
    assert words in str(error)
    assert "\n" not in str(error)


def test_plain_texts_get_ids_that_no_other_entry_has() -> None:
    memories = read_memories(["one", {"id": "m1", "text": "two"}, "three"], LIMITS)
    assert [memory.id for memory in memories] == ["m1_", "m1", "m3"]
    assert read_passages(["one", "two"], LIMITS, "evidence") == (Passage("e1", "one"), Passage("e2", "two"))


@pytest.mark.requirement("SEC-012")
def test_input_over_the_limits_is_refused_and_input_at_the_limits_is_not() -> None:
    assert read_text_request({"text": "x" * 200_000}, LIMITS).text == "x" * 200_000
    assert "300,000 characters; the limit is 200,000" in str(
        refusal(read_text_request, {"text": "x" * 300_000}, LIMITS)
    )
    assert len(read_memories(["x" * 10] * 2, SMALL)) == 2
    assert refusal(read_memories, ["x"] * 3, SMALL).field == "memories"
    assert refusal(read_passages, ["x"] * 3, SMALL, "evidence").field == "evidence"
    assert refusal(read_memories, ["x" * 11], SMALL).field == "memories[0].text"
    assert refusal(read_verify_request, {"text": "x", "query": "x" * 21}, SMALL).field == "query"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({}, "text"),
        ({"text": ""}, "text"),
        ({"text": 3}, "text"),
        ({"text": "x", "extra": 1}, "extra"),
        ({"text": "x", "memories": "User works at Globex"}, "memories"),
        ({"text": "x", "memories": {"id": "a"}}, "memories"),
        ({"text": "x", "passages": 1}, "passages"),
        ({"text": "x", "mode": "later"}, "mode"),
        ({"text": "x", "mode": 1}, "mode"),
        ({"text": "x", "user": ""}, "user"),
    ],
)
def test_a_bad_verify_request_names_its_field(fields: dict[str, object], field: str) -> None:
    assert refusal(read_verify_request, fields, LIMITS).field == field


def test_a_verify_request_is_read_whole() -> None:
    request = read_verify_request(
        {"id": 9, "text": "a", "memories": ["b"], "passages": ["c"], "query": "d", "mode": "inline", "user": "ada"},
        LIMITS,
    )
    assert (request.text, request.query, request.user, request.mode) == ("a", "d", "ada", VerifyMode.INLINE)
    assert (request.memories, request.passages) == ((Memory("m1", "b"),), (Passage("e1", "c"),))


def test_a_judge_request_needs_its_evidence_but_the_list_may_be_empty() -> None:
    assert refusal(read_judge_request, {"claim": "x"}, LIMITS).field == "evidence"
    assert refusal(read_judge_request, {"claim": "x", "evidence": "y"}, LIMITS).field == "evidence"
    assert refusal(read_judge_request, {"evidence": []}, LIMITS).field == "claim"
    assert read_judge_request({"claim": "x", "evidence": []}, LIMITS).evidence == ()


@pytest.mark.requirement("CTR-001")
@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (0, 0),
        (-1, -1),
        (1_709_251_200.9, 1_709_251_200),
        (-0.5, -1),
        ("2024-03-01", 1_709_251_200),
        ("2024-03-01T00:00:00", 1_709_251_200),
        ("2024-03-01T01:00:00+01:00", 1_709_251_200),
        (" 2024-03-01T00:00:00.750Z ", 1_709_251_200),
        (None, None),
    ],
)
def test_timestamps_are_unix_seconds_or_iso_8601(value: object, seconds: int | None) -> None:
    assert read_timestamp(value, "timestamp") == seconds


@pytest.mark.parametrize(
    ("document", "entries"),
    [
        ('["a", {"id": "b", "text": "c"}]', ["a", {"id": "b", "text": "c"}]),
        ('{"memories": ["a"]}', ["a"]),
        ('{"id": "b", "text": "c"}', [{"id": "b", "text": "c"}]),
        ('{"id": "b", "text": "c"}\n\n"a"\n', [{"id": "b", "text": "c"}, "a"]),
        ("[]", []),
    ],
)
def test_a_memory_file_is_a_list_an_object_with_memories_or_one_a_line(document: str, entries: list[object]) -> None:
    assert read_memory_document(document, "memories") == entries


@pytest.mark.parametrize(
    ("document", "field", "words"),
    [
        ("", "memories", "is empty"),
        ("7", "memories", "not a number"),
        ('{"memories": 3}', "memories", "not a number"),
        ('[{"id": "a"', "memories", "not valid JSON"),
        ('{"id": "a", "text": "b"}\n{"id": "c"\n', "memories line 2", "not valid JSON"),
    ],
)
def test_a_broken_memory_file_says_where(document: str, field: str, words: str) -> None:
    error = refusal(read_memory_document, document, "memories")
    assert error.field == field
    assert words in str(error)


def test_a_field_given_twice_is_refused_by_name() -> None:
    error = refusal(parse_json, '{"text": "a", "text": "b"}', "line")
    assert error.field == "text"


@pytest.mark.parametrize("text", ["{", "[" * 100_000, "1" * 5_000, "", "nul"])
def test_broken_json_is_one_error_whatever_breaks_it(text: str) -> None:
    assert refusal(parse_json, text, "line").field == "line"


def test_bytes_that_are_not_utf8_are_pointed_at() -> None:
    assert "byte 0xff at offset 2" in str(refusal(decode_utf8, b"ab\xff", "text"))
    assert "byte 0xff at offset 4" in str(refusal(decode_utf8, b"\xef\xbb\xbfa\xff", "text"))
    assert decode_utf8(b"\xef\xbb\xbfa", "text") == "a"


def test_names_from_outside_cannot_break_the_line_of_an_error() -> None:
    error = refusal(read_text_request, {"text": "x", "a\nb\x1b[31m" + "c" * 500: 1}, LIMITS)
    assert str(error).isprintable()
    assert len(str(error)) < 250


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.sampled_from(["id", "text", "trust", "timestamp"]) | st.text(), inner)
    ),
    max_leaves=12,
)


@pytest.mark.requirement("CTR-001")
@given(JSON_VALUES)
def test_any_json_value_is_read_or_refused_as_invalid_input(value: object) -> None:
    parsed = parse_json(json.dumps(value), "line")
    try:
        memories = read_memories(parsed, LIMITS)
    except InvalidInput as error:
        assert error.field
    else:
        assert len({memory.id for memory in memories}) == len(memories)
        assert all(0.0 <= memory.trust <= 1.0 for memory in memories)
