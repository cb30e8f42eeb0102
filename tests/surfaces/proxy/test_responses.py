"""The responses API through the proxy, with the client that applications use and a scripted upstream."""

from __future__ import annotations

import json
from typing import Any

import httpx
import openai
import pytest
import spoken
from scripted import FALSE, STREAM, TRUE, Asked, Reply, Start, as_json, as_stream

from groundwire.guard.policy import GuardMode, GuardOptions
from groundwire.surfaces.proxy.options import ProxyOptions

QUESTION = "Where do I live?"
ABSTENTION = "I cannot provide a verified answer"


def client(base: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=base, api_key="sk-test", max_retries=0, timeout=60)


def ask(base: str, **body: Any) -> httpx.Response:
    return httpx.post(f"{base}/responses", json={"model": "small", "input": QUESTION, **body}, timeout=60)


def whole(*texts: str, **others: Any) -> Reply:
    return as_json(spoken.body(spoken.message(*texts), **others))


def streamed(text: str) -> Reply:
    return as_stream(spoken.write(spoken.speak(text)))


# ── whole ───────────────────────────────────────────────────────────────────────────────────────


def test_the_openai_client_gets_a_whole_response(start: Start):
    upstream, base = start(whole(TRUE))
    with client(base) as ai:
        got = ai.responses.create(model="small", input=QUESTION, temperature=0.3)
    assert got.output_text == TRUE and got.status == "completed"
    assert (got.id, got.model) == ("resp_7", "small-1")
    assert got.usage is not None and got.usage.total_tokens == 7
    assert got.model_extra is not None and got.model_extra["groundwire"]["grounded"] is True
    assert upstream.asked[0].json == {"model": "small", "input": QUESTION, "temperature": 0.3}
    assert upstream.asked[0].headers["authorization"] == "Bearer sk-test"


@pytest.mark.requirement("ACT-008")
def test_a_lie_is_asked_for_again_with_guidance_and_the_better_answer_is_given(start: Start):
    upstream, base = start(whole(FALSE), whole(TRUE))
    got = ask(base, tools=[{"type": "function", "name": "look"}], store=True)
    body = got.json()
    assert body["output"][0]["content"][0]["text"] == TRUE and body["status"] == "completed"
    again = upstream.asked[1].json
    assert QUESTION in again["input"] and "Say “Berlin”, not “Rome”" in again["input"]
    assert again["temperature"] == 0.2 and again["tool_choice"] == "none" and again["store"] is False
    assert "seed" not in again, "which this API does not know"
    assert body["groundwire"]["choices"][0]["branches"] == 1 and body["groundwire"]["extra_usage"]["total_tokens"] == 7
    assert got.headers["x-groundwire-handled"] == "guarded" and got.headers["x-groundwire-grounded"] == "true"


@pytest.mark.requirement("ACT-009", "ACT-010")
def test_after_three_branches_the_response_is_the_abstention(start: Start):
    upstream, base = start(whole(FALSE))
    with client(base) as ai:
        got = ai.responses.create(model="small", input=[{"role": "user", "content": QUESTION}])
    assert len(upstream.asked) == 4
    assert got.output_text.startswith(ABSTENTION) and got.status == "incomplete"
    assert got.incomplete_details is not None and got.incomplete_details.reason == "content_filter"
    assert upstream.asked[1].json["input"][0]["content"].endswith("\n" + QUESTION)


def test_function_calls_and_unknown_items_pass_unharmed(start: Start):
    odd = {"type": "something_new", "id": "x", "payload": {"a": [1]}}
    body = spoken.body(odd, spoken.CALL)
    _, base = start(as_json(body))
    told = ask(base).json()
    told.pop("groundwire")
    assert told == body


def test_memories_are_placed_in_the_instructions(start: Start):
    upstream, base = start(whole(TRUE), options=ProxyOptions(context_tokens=300))
    assert ask(base, instructions="Be brief.").headers["x-groundwire-injected"] == "1"
    instructions = upstream.asked[0].json["instructions"]
    assert instructions.startswith("Be brief.\n\n") and "I live in Berlin." in instructions
    assert upstream.asked[0].json["input"] == QUESTION


def test_the_user_that_is_named_is_the_one_whose_memories_count(start: Start):
    _, base = start(whole("You live in Lisbon."))
    assert ask(base, user="bob").json()["groundwire"]["grounded"] is True
    assert ask(base, user="ada").json()["groundwire"]["choices"][0]["abstained"] is True


def test_a_response_in_json_is_passed_as_it_is_and_says_so(start: Start):
    wanted = {"format": {"type": "json_schema", "name": "city", "schema": {}}}
    _, base = start(whole('{"city": "Rome"}', text=wanted))
    got = ask(base, text=wanted)
    assert got.headers["x-groundwire-handled"] == "none" and "groundwire" not in got.json()
    kept = httpx.get(f"{base}/responses/resp_7")
    assert kept.headers["x-groundwire-handled"] == "none" and kept.json() == got.json()


def test_an_error_of_the_upstream_passes(start: Start):
    _, base = start(as_json({"error": {"message": "no such model", "type": "x"}}, 404))
    with client(base) as ai, pytest.raises(openai.NotFoundError, match="no such model"):
        ai.responses.create(model="none", input=QUESTION)


@pytest.mark.parametrize("path", ["responses", "responses/", "/Responses", "v2/responses", "%72esponses"])
def test_however_it_is_spelled_it_is_guarded(start: Start, path: str):
    _, base = start(whole(FALSE))
    got = httpx.post(f"{base}/{path}", json={"model": "small", "input": QUESTION}, timeout=60)
    assert got.headers["x-groundwire-handled"] == "guarded" and FALSE not in got.text


# ── streamed ────────────────────────────────────────────────────────────────────────────────────


def test_the_openai_client_gets_a_stream(start: Start):
    _, base = start(streamed(f"{TRUE} Your sister is called Clara."))
    with client(base) as ai, ai.responses.stream(model="small", input=QUESTION) as stream:
        deltas = [event.delta for event in stream if event.type == "response.output_text.delta"]
        last = stream.get_final_response()
    assert "".join(deltas) == last.output_text == f"{TRUE} Your sister is called Clara."
    assert len(deltas) == 2, "sentence by sentence"
    assert last.model_extra is not None and last.model_extra["groundwire"]["grounded"] is True
    assert last.usage is not None and last.usage.total_tokens == 7


def test_the_openai_client_gets_an_abstention_as_valid_events(start: Start):
    _, base = start(streamed(f"{TRUE} {FALSE} More of it."))
    with client(base) as ai:
        events = list(ai.responses.create(model="small", input=QUESTION, stream=True))
    text = "".join(event.delta for event in events if event.type == "response.output_text.delta")
    assert text.startswith(f"{TRUE} \n\n{ABSTENTION}")
    last = events[-1]
    assert last.type == "response.incomplete" and last.response.output_text == text
    assert last.response.incomplete_details is not None
    assert last.response.incomplete_details.reason == "content_filter"
    assert [event.sequence_number for event in events] == list(range(len(events)))  # pyright: ignore
    assert not any("You live in Rome" in event.to_json() for event in events[:-1])


def test_a_stream_is_asked_for_again_while_nothing_has_been_shown(start: Start):
    upstream, base = start(streamed(FALSE), whole(TRUE))
    with client(base) as ai, ai.responses.stream(model="small", input=QUESTION) as stream:
        last = stream.get_final_response()
    assert last.output_text == TRUE and last.status == "completed"
    assert len(upstream.asked) == 2 and "stream" not in upstream.asked[1].json


def test_a_function_call_behind_a_text_is_read_by_the_client(start: Start):
    ending = spoken.close(TRUE)
    last = {"type": "response.completed", "response": spoken.body(spoken.message(TRUE), spoken.CALL)}
    events = [*spoken.begin(), spoken.delta(TRUE), *ending[:3], *spoken.call_events(), last]
    _, base = start(as_stream(spoken.write(events)))
    with client(base) as ai, ai.responses.stream(model="small", input=QUESTION) as stream:
        response = stream.get_final_response()
    assert [item.type for item in response.output] == ["message", "function_call"]


def test_fast_shows_at_once_and_corrects_at_the_end(start: Start):
    _, base = start(streamed(FALSE), options=ProxyOptions(GuardOptions(mode=GuardMode.FAST)))
    with client(base) as ai, ai.responses.stream(model="small", input=QUESTION) as stream:
        last = stream.get_final_response()
    assert last.output_text == f"{FALSE}\n\n[Correction: {TRUE}]"


def test_a_response_that_the_upstream_has_kept_is_guarded_when_it_is_fetched(start: Start):
    def reply(asked: Asked) -> Reply:
        return streamed(FALSE) if "stream" in asked.query else whole(FALSE)

    upstream, base = start(reply)
    with client(base) as ai:
        kept = ai.responses.retrieve("resp_7")
        events = list(ai.responses.retrieve("resp_7", stream=True))
        ended = ai.responses.cancel("resp_7")
    assert kept.output_text.startswith(ABSTENTION) and ended.output_text.startswith(ABSTENTION)
    last = events[-1]
    assert last.type == "response.incomplete" and last.response.output_text.startswith(ABSTENTION)
    assert [asked.method for asked in upstream.asked] == ["GET", "GET", "POST"], "nobody can be asked again for it"


@pytest.mark.parametrize("text", [TRUE, FALSE])
def test_the_pieces_of_the_wire_make_no_difference(start: Start, text: str):
    wire = spoken.write(spoken.speak(text))
    _, base = start(as_stream(*(wire[at : at + 7] for at in range(0, len(wire), 7))), whole(TRUE))
    got = ask(base, stream=True)
    assert got.text.count("event: response.completed\n") == 1 and not got.text.endswith("[DONE]\n\n")
    assert TRUE in got.text and "You live in Rome." not in got.text.partition("event: response.completed")[0]


# ── when something fails ────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("is_broken_off", [True, False])
def test_a_stream_that_breaks_off_ends_with_an_error_that_the_client_raises(start: Start, is_broken_off: bool):
    events = [*spoken.begin(), spoken.delta(f"{TRUE} And Al")]
    _, base = start(as_stream(spoken.write(events), is_broken_off=is_broken_off))
    shown: list[str] = []
    with client(base) as ai, pytest.raises(openai.APIError, match="upstream"):
        for event in ai.responses.create(model="small", input=QUESTION, stream=True):
            shown += [event.delta] if event.type == "response.output_text.delta" else []
    assert "".join(shown) == f"{TRUE} "


def test_an_error_within_a_stream_passes_as_an_error(start: Start):
    said = {"type": "error", "code": "server_error", "message": "overloaded", "param": None, "sequence_number": 5}
    wire = spoken.write([*spoken.begin(), spoken.delta(f"{TRUE} And")])
    _, base = start(as_stream(wire + f"event: error\ndata: {json.dumps(said)}\n\n".encode()))
    last = ask(base, stream=True).text.strip().rpartition("\n\n")[2]
    assert last.startswith("event: error\n") and "overloaded" in last


def test_an_answer_that_is_no_stream_is_refused(start: Start):
    _, base = start(Reply(200, {**STREAM, "content-type": "text/plain"}, [b"hello"]))
    got = ask(base, stream=True)
    assert got.status_code == 502 and got.json()["error"]["code"] == "no_stream"
