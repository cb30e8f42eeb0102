"""The proxy between a real client and a scripted upstream: answers, branches, errors, and what passes through."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from scripted import (
    FALSE,
    TRUE,
    Asked,
    Reply,
    Start,
    answer_stream,
    as_json,
    as_stream,
    chunk,
    completion,
    finish_of,
    raw,
    read_events,
    say,
    text_of,
)

from groundwire import Groundwire, Settings
from groundwire.guard.policy import GuardMode, GuardOptions, OnRefuted
from groundwire.surfaces.proxy.options import ProxyOptions

MESSAGES = [{"role": "user", "content": "Where do I live?"}]
ABSTENTION = "I cannot provide a verified answer"


def ask(base: str, body: dict[str, Any] | None = None, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    content = {"model": "small", "messages": MESSAGES, **(body or {})}
    return httpx.post(f"{base}/chat/completions", json=content, headers=named, timeout=60)


def client(base: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=base, api_key="sk-test", max_retries=0, timeout=60)


# ── with the client that applications use ───────────────────────────────────────────────────────


def test_the_openai_client_gets_a_whole_answer(start: Start):
    upstream, base = start(as_json(completion(TRUE)))
    with client(base) as ai:
        answer = ai.chat.completions.create(model="small", messages=MESSAGES, temperature=0.3)  # pyright: ignore
    assert answer.choices[0].message.content == TRUE
    assert (answer.id, answer.model, answer.created) == ("chatcmpl-7", "small-1", 1_700_000_000)
    assert answer.usage is not None and answer.usage.total_tokens == 7
    assert answer.model_extra is not None and answer.model_extra["groundwire"]["grounded"] is True
    assert upstream.asked[0].json == {"model": "small", "messages": MESSAGES, "temperature": 0.3}
    assert upstream.asked[0].headers["authorization"] == "Bearer sk-test"


def test_the_openai_client_gets_a_stream(start: Start):
    _, base = start(as_stream(answer_stream(f"{TRUE} Your sister is called Clara.")))
    with client(base) as ai:
        got = list(ai.chat.completions.create(model="small", messages=MESSAGES, stream=True))  # pyright: ignore
    assert "".join(one.choices[0].delta.content or "" for one in got) == f"{TRUE} Your sister is called Clara."
    assert {(one.id, one.model) for one in got} == {("chatcmpl-7", "small-1")}
    assert got[-1].choices[0].finish_reason == "stop"
    assert got[-1].model_extra["groundwire"]["grounded"] is True


def test_the_openai_client_sees_an_upstream_error_as_its_own(start: Start):
    body = {"error": {"message": "slow down", "type": "rate", "param": None, "code": "rate_limit"}}
    _, base = start(as_json(body, 429, retry_after="7"))
    with client(base) as ai, pytest.raises(openai.RateLimitError) as caught:
        ai.chat.completions.create(model="small", messages=MESSAGES, stream=True)  # pyright: ignore
    assert caught.value.body == body["error"]
    assert caught.value.response.headers["retry-after"] == "7"


def test_the_openai_client_raises_where_a_stream_breaks(start: Start):
    _, base = start(as_stream(raw(*say(f"{TRUE} And"))))
    with client(base) as ai:
        stream = ai.chat.completions.create(model="small", messages=MESSAGES, stream=True)  # pyright: ignore
        with pytest.raises(openai.APIError, match="ended before"):
            list(stream)


# ── what the guard does ─────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ACT-008")
def test_a_lie_is_asked_for_again_with_guidance_and_the_better_answer_is_given(start: Start):
    upstream, base = start(as_json(completion(FALSE)), as_json(completion(TRUE)))
    got = ask(base, {"n": 1, "stop": ["###"], "tools": [{"type": "function"}]})
    assert got.json()["choices"][0]["message"]["content"] == TRUE
    assert got.json()["choices"][0]["finish_reason"] == "stop"
    again = upstream.asked[1].json
    (question,) = again["messages"]
    assert question["content"].endswith("\n" + MESSAGES[0]["content"])
    assert "Say “Berlin”, not “Rome”" in question["content"] and "I live in Berlin." in question["content"]
    assert again["temperature"] == 0.2 and again["stop"] == ["###"] and again["tool_choice"] == "none"
    assert "n" not in again
    told = got.json()["groundwire"]
    assert told["choices"][0]["branches"] == 1 and told["extra_usage"]["total_tokens"] == 7
    assert got.json()["usage"]["total_tokens"] == 7
    named = {name: got.headers[f"x-groundwire-{name}"] for name in ("handled", "halted", "abstained", "grounded")}
    assert named == {"handled": "guarded", "halted": "1", "abstained": "0", "grounded": "true"}


@pytest.mark.requirement("ACT-009", "ACT-010")
def test_after_three_branches_the_answer_is_the_abstention(start: Start):
    upstream, base = start(as_json(completion(FALSE)))
    got = ask(base)
    assert len(upstream.asked) == 4
    choice = got.json()["choices"][0]
    assert choice["message"]["content"].startswith(ABSTENTION) and choice["finish_reason"] == "content_filter"
    assert got.headers["x-groundwire-abstained"] == "1" and got.headers["x-groundwire-branches"] == "3"
    assert got.headers["x-groundwire-grounded"] == "false"


def test_a_stream_is_asked_for_again_while_nothing_has_been_shown(start: Start):
    upstream, base = start(as_stream(answer_stream(FALSE)), as_json(completion(TRUE)))
    out = read_events(ask(base, {"stream": True, "stream_options": {"include_usage": True}}).content)
    assert text_of(out) == TRUE and finish_of(out) == ["stop"]
    assert out[0]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    again = upstream.asked[1].json
    assert "stream" not in again and "stream_options" not in again


def test_a_stream_that_has_shown_something_is_not_asked_for_again(start: Start):
    upstream, base = start(as_stream(answer_stream(f"Your sister is called Clara. {FALSE} So much for that.")))
    out = read_events(ask(base, {"stream": True}).content)
    assert text_of(out).startswith(f"Your sister is called Clara. \n\n{ABSTENTION}") and finish_of(out) == [
        "content_filter"
    ]
    assert len(upstream.asked) == 1


@pytest.mark.requirement("ACT-014")
def test_a_halt_lets_the_upstream_go_at_once(start: Start):
    stalled: list[Any] = []

    def first(asked: Asked) -> Reply:
        return as_stream(raw(*say(f"{TRUE} {FALSE} And then some more of it.")), stalled[0])

    upstream, base = start(first)
    stalled.append(upstream.stall)
    out = read_events(ask(base, {"stream": True}).content)
    assert upstream.left.wait(30) and finish_of(out) == ["content_filter"]


def test_a_model_that_takes_no_sampling_is_asked_without(start: Start):
    def reply(asked: Asked) -> Reply:
        if asked.json["messages"] == MESSAGES:
            return as_json(completion(FALSE))
        return as_json({"error": {}}, 400) if "temperature" in asked.json else as_json(completion(TRUE))

    upstream, base = start(reply)
    assert ask(base).json()["choices"][0]["message"]["content"] == TRUE
    assert ["temperature" in asked.json for asked in upstream.asked] == [False, True, False]


def test_branches_that_fail_end_in_the_abstention(start: Start):
    upstream, base = start(as_json(completion(FALSE)), as_json({}, 500), as_json(completion(None)), as_json([]))
    choice = ask(base).json()["choices"][0]
    assert choice["message"]["content"].startswith(ABSTENTION)
    assert len(upstream.asked) == 4


def test_repair_and_fast(start: Start):
    options = ProxyOptions(GuardOptions(refuted=OnRefuted.REPAIR))
    _, base = start(as_stream(answer_stream(f"{FALSE} Bye!")), options=options)
    assert text_of(read_events(ask(base, {"stream": True}).content)) == f"{TRUE} Bye!"


def test_fast_takes_back_in_a_stream_and_mends_a_whole_answer(start: Start):
    options = ProxyOptions(GuardOptions(mode=GuardMode.FAST))
    _, base = start(as_stream(answer_stream(FALSE)), as_json(completion(FALSE)), options=options)
    assert text_of(read_events(ask(base, {"stream": True}).content)) == f"{FALSE}\n\n[Correction: {TRUE}]"
    got = ask(base).json()
    assert got["choices"][0]["message"]["content"] == TRUE
    assert got["groundwire"]["grounded"] is True and got["groundwire"]["mode"] == "fast"


def test_two_choices_are_guarded_each_for_itself(start: Start):
    pairs = zip(say(TRUE), say("Your sister is Clara", index=1), strict=True)
    streamed = raw(*(one for pair in pairs for one in pair), chunk(finish="stop", index=1), chunk(finish="stop"))
    _, base = start(as_stream(streamed), as_json(completion(TRUE, FALSE)), as_json(completion(FALSE)))
    out = read_events(ask(base, {"n": 2, "stream": True}).content)
    assert (text_of(out), text_of(out, 1)) == (TRUE, "Your sister is Clara")
    got = ask(base, {"n": 2}).json()
    assert got["choices"][0]["message"]["content"] == TRUE
    assert got["choices"][1]["message"]["content"].startswith(ABSTENTION)
    assert [choice["grounded"] for choice in got["groundwire"]["choices"]] == [True, False]


# ── whose memories ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("body", "headers", "city"),
    [
        ({}, {}, "Berlin"),
        ({"user": "bob"}, {}, "Lisbon"),
        ({}, {"X_Groundwire_User": "bob"}, "Lisbon"),
        ({"user": "ada"}, {"X_Groundwire_User": "bob"}, "Lisbon"),
    ],
)
def test_the_user_of_the_request_is_whose_memories_count(
    start: Start, body: dict[str, str], headers: dict[str, str], city: str
):
    upstream, base = start(as_json(completion(f"You live in {city}.")))
    got = ask(base, body, **headers).json()
    assert got["choices"][0]["message"]["content"] == f"You live in {city}."
    assert got["groundwire"]["grounded"] is True
    assert upstream.asked[0].json.get("user") == body.get("user")
    assert not [name for name in upstream.asked[0].headers if name.startswith("x-groundwire")]


@pytest.mark.parametrize("user", [" ada", "", 7, "x" * 300])
def test_a_user_that_is_none_is_refused(start: Start, user: object):
    upstream, base = start(as_json(completion(TRUE)))
    got = ask(base, {"user": user})
    assert got.status_code == 400 and got.json()["error"]["param"] == "user" and upstream.asked == []


# ── what passes through ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/models?limit=2", None),
        ("GET", "/models/org%2Fname", None),
        ("POST", "/embeddings", {"input": "x", "model": "e"}),
        ("GET", "/responses/resp_1/input_items", None),
        ("DELETE", "/responses/resp_1", None),
        ("DELETE", "/files/1", None),
    ],
)
def test_other_paths_pass_untouched(start: Start, method: str, path: str, body: object):
    upstream, base = start(Reply(201, {"content-type": "application/json", "x-own": "1"}, [b'{"a":', b" 1}"]))
    got = httpx.request(method, base + path, json=body, headers={"Authorization": "Bearer sk-1"})
    assert (got.status_code, got.content, got.headers["x-own"]) == (201, b'{"a": 1}', "1")
    assert got.headers["x-groundwire-handled"] == "none"
    asked = upstream.asked[0]
    assert (asked.method, asked.headers["authorization"]) == (method, "Bearer sk-1")
    assert asked.path + (f"?{asked.query}" if asked.query else "") == "/v1" + path.replace("%2F", "/")
    assert body is None or asked.json == body


def test_a_large_body_passes_in_pieces_and_an_answer_stays_compressed(start: Start):
    import gzip

    packed = gzip.compress(b"x" * 1_000)
    upstream, base = start(Reply(200, {"content-type": "text/plain", "content-encoding": "gzip"}, [packed]))
    got = httpx.post(f"{base}/files", content=iter([b"a" * 1_000_000] * 3))
    assert got.content == b"x" * 1_000
    assert len(upstream.asked[0].body) == 3_000_000


def test_an_answer_in_json_is_passed_as_it_is_and_says_so(start: Start):
    _, base = start(as_json(completion('{"city": "Rome"}')))
    got = ask(base, {"response_format": {"type": "json_object"}})
    assert got.json()["choices"][0]["message"]["content"] == '{"city": "Rome"}'
    assert got.headers["x-groundwire-handled"] == "none" and "groundwire" not in got.json()


def test_tool_calls_pass_streamed_and_whole(start: Start):
    call = {"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    first = chunk(None)
    first["choices"][0]["delta"] = {"role": "assistant", "content": None, "tool_calls": [call]}
    _, base = start(as_stream(raw(first, chunk(finish="tool_calls"), "[DONE]")))
    out = read_events(ask(base, {"stream": True}).content)
    assert out[0] == first and finish_of(out) == ["tool_calls"]


def test_usage_and_unknown_fields_of_a_stream_pass(start: Start):
    last = {**chunk(), "choices": [], "usage": {"total_tokens": 9}}
    chunks = [{**one, "service_tier": "flex"} for one in [*say(TRUE), chunk(finish="stop")]]
    _, base = start(as_stream(raw(*chunks, last, "[DONE]")))
    out = read_events(ask(base, {"stream": True, "stream_options": {"include_usage": True}}).content)
    assert out[-1]["usage"] == {"total_tokens": 9} and out[-1]["choices"] == []
    assert all(one["service_tier"] == "flex" for one in out[:-1])


@pytest.mark.parametrize("stream", [True, False])
def test_half_a_character_in_question_or_answer_breaks_nothing(start: Start, stream: bool):
    said = f"Oh \\ud83d! {FALSE}".encode()
    whole = json.dumps(completion("XX")).encode().replace(b"XX", said)
    streamed = raw(chunk("XX"), chunk(finish="stop"), "[DONE]").replace(b"XX", said)
    _, base = start(as_stream(streamed) if stream else Reply(pieces=[whole]), Reply(pieces=[whole]))
    content = b'{"messages": [{"role": "user", "content": "Where \\ud83d?"}], "stream": ' + json.dumps(stream).encode()
    got = httpx.post(f"{base}/chat/completions", content=content + b"}", timeout=60)
    assert got.status_code == 200 and ABSTENTION.encode() in got.content


def test_connections_are_used_again_after_a_stream(start: Start):
    upstream, base = start(as_stream(answer_stream(TRUE)))
    for _ in range(3):
        assert text_of(read_events(ask(base, {"stream": True}).content)) == TRUE
    assert len({asked.port for asked in upstream.asked}) == 1


@pytest.mark.parametrize("stream", [True, False])
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500, 503])
def test_errors_of_the_upstream_pass_with_status_and_body(start: Start, status: int, stream: bool):
    body = {"error": {"message": "no", "type": "t", "code": "c", "extra": [1]}}
    _, base = start(as_json(body, status))
    got = ask(base, {"stream": stream})
    assert (got.status_code, got.json()) == (status, body)


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"a": NaN}', b'"x"', b"\xff\xfe{}", b"[" * 100_000, b""])
def test_a_body_that_could_be_read_otherwise_is_refused(start: Start, content: bytes):
    upstream, base = start(as_json(completion(TRUE)))
    got = httpx.post(f"{base}/chat/completions", content=content)
    assert got.status_code == 400 and got.json()["error"]["code"] == "invalid_json" and upstream.asked == []


@pytest.mark.parametrize(
    "path", ["/chat/completions/", "//chat//completions", "/%63hat/completions", "/CHAT/completions"]
)
def test_a_chat_completion_is_guarded_however_it_is_spelled(start: Start, path: str):
    upstream, base = start(as_json(completion(FALSE)))
    got = httpx.post(base + path, json={"messages": MESSAGES})
    assert got.headers["x-groundwire-abstained"] == "1"
    assert upstream.asked[0].path == "/v1/chat/completions"


def test_dots_lead_nowhere(start: Start):
    import http.client

    upstream, base = start(as_json({}))
    place = httpx.URL(base)
    connection = http.client.HTTPConnection(place.host, place.port)
    connection.request("GET", "/v1/%2e%2e/admin")
    assert connection.getresponse().status == 400
    connection.close()
    assert upstream.asked == []


def test_too_large_a_request_is_refused(start: Start):
    upstream, base = start(as_json({}), options=ProxyOptions(most_bytes=1_000))
    assert ask(base, {"x": "y" * 2_000}).status_code == 413
    assert upstream.asked == []


# ── context injection ───────────────────────────────────────────────────────────────────────────


def test_memories_are_placed_in_the_prompt_of_their_user_alone(start: Start):
    upstream, base = start(as_json(completion(TRUE)), options=ProxyOptions(context_tokens=300))
    system = {"role": "system", "content": "Be kind."}
    got = ask(base, {"messages": [system, *MESSAGES]}).json()
    sent = upstream.asked[0].json["messages"]
    assert sent[0]["content"].startswith("Be kind.\n\nWhat is remembered") and "I live in Berlin." in sent[0]["content"]
    assert "Lisbon" not in json.dumps(sent) and sent[1:] == MESSAGES
    assert got["groundwire"]["injected"] >= 1


def test_without_the_option_the_prompt_is_left_alone(start: Start, tmp_path: Path):
    upstream, base = start(as_json(completion(TRUE)))
    ask(base)
    assert upstream.asked[0].json["messages"] == MESSAGES


# ── what stays on record ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("stream", [True, False])
def test_what_was_judged_is_in_the_verdict_log_of_the_user(start: Start, tmp_path: Path, stream: bool):
    text = "You live in Lisbon. You own a boat."
    _, base = start(as_stream(answer_stream(text)) if stream else as_json(completion(text)))
    ask(base, {"stream": stream, "user": "bob"})
    with Groundwire(tmp_path / "memory.db", settings=Settings(judge="rules")) as gw:
        found = [(record.claim, record.verdict.value) for record in gw.ledger("bob").verdicts().items]
        assert not gw.ledger("ada").verdicts().items
    assert sorted(found) == [("You live in Lisbon", "SUPPORTED"), ("You own a boat", "INSUFFICIENT")]


def test_branches_are_in_the_verdict_log_as_well(start: Start, tmp_path: Path):
    _, base = start(as_stream(answer_stream(FALSE)), as_json(completion(TRUE)))
    ask(base, {"stream": True})
    with Groundwire(tmp_path / "memory.db", settings=Settings(judge="rules")) as gw:
        found = [(record.claim, record.verdict.value) for record in gw.ledger("ada").verdicts().items]
    assert found == [("You live in Berlin", "SUPPORTED"), ("You live in Rome", "REFUTED")]


def test_an_upstream_that_breaks_off_leaves_what_was_judged_in_the_log(start: Start, tmp_path: Path):
    _, base = start(as_stream(raw(*say(f"{TRUE} Your sister is")), is_broken_off=True))
    ask(base, {"stream": True})
    with Groundwire(tmp_path / "memory.db", settings=Settings(judge="rules")) as gw:
        assert [record.claim for record in gw.ledger("ada").verdicts().items] == ["You live in Berlin"]
