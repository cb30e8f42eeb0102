"""A streamed answer, chunk by chunk, without a network: what goes out for what comes in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted import ANSWER, ENVELOPE, LIE, chunk, conclude, finish_of, open_guard, say, text_of

from groundwire.guard.policy import GuardMode, OnRefuted
from groundwire.surfaces.proxy.account import Account
from groundwire.surfaces.proxy.chat import ChatStream, settle_choices
from groundwire.surfaces.proxy.completion import Completion
from groundwire.surfaces.proxy.failures import UpstreamFailed
from streams import cut_at


def pass_through(chunks: Sequence[Mapping[str, Any]], **options: Any) -> list[dict[str, Any]]:
    """All that goes out, with the judge called after every chunk."""
    account = Account("r", "ada", "strict")
    chat = ChatStream(lambda: open_guard(**options), account)
    out: list[Any] = []

    def settle() -> None:
        while due := chat.due():
            out.extend(chat.tell(settle_choices(due)))

    for one in chunks:
        out.extend(chat.take(one))
        settle()
        if chat.is_idle:
            break
    else:
        out.extend(chat.finish())
        settle()
    for choice in chat.halted:
        out.extend(chat.conclude(choice, conclude(choice)))
    return [*out, *chat.end()]


def test_a_clean_answer_goes_out_whole_under_the_upstreams_name():
    out = pass_through([*say(ANSWER), chunk(finish="length")])
    assert text_of(out) == ANSWER
    assert finish_of(out) == ["length"]
    assert all({name: one[name] for name in ENVELOPE} == ENVELOPE for one in out)
    told = out[-1]["groundwire"]
    assert told["grounded"] is True and told["choices"][0]["released"] == len(ANSWER)
    assert [one for one in out if "groundwire" in one] == [out[-1]]


@given(st.lists(st.integers(0, 200), max_size=30), st.sampled_from([ANSWER, LIE]))
def test_whatever_the_chunks_the_text_and_the_account_are_the_same(cuts: list[int], answer: str):
    one = pass_through([*(chunk(piece) for piece in cut_at(answer, cuts)), chunk(finish="stop")])
    other = pass_through([chunk(answer), chunk(finish="stop")])
    assert text_of(one) == text_of(other)
    assert finish_of(one) == finish_of(other)
    assert one[-1]["groundwire"] == other[-1]["groundwire"]


def test_a_refuted_sentence_never_goes_out_and_the_abstention_is_a_valid_end():
    out = pass_through([*say(LIE), chunk(finish="stop")])
    assert text_of(out).startswith("Hello! You live in Berlin. \n\nI cannot provide a verified answer")
    assert "Alice works at Globex" not in text_of(out)
    assert finish_of(out) == ["content_filter"]
    choice = out[-1]["groundwire"]["choices"][0]
    assert choice["halted"] and choice["abstained"] and not choice["grounded"]


def test_a_repair_takes_the_place_of_what_is_wrong():
    out = pass_through([*say(LIE), chunk(finish="stop")], refuted=OnRefuted.REPAIR)
    assert "Alice works at Acme." in text_of(out) and "Globex" not in text_of(out)
    assert finish_of(out) == ["stop"]
    assert out[-1]["groundwire"]["choices"][0]["repaired"] == 1


def test_fast_shows_at_once_and_takes_back_for_those_who_know_and_for_those_who_do_not():
    out = pass_through([*say(LIE), chunk(finish="stop")], mode=GuardMode.FAST)
    assert text_of(out).startswith(LIE)
    assert text_of(out).endswith("[Correction: Alice works at Acme.]")
    (back,) = [one for one in out[:-1] if "groundwire" in one]
    span = back["groundwire"]["span"]
    assert LIE[span[0] : span[1]].strip() == "Alice works at Globex."
    assert not out[-1]["groundwire"]["grounded"]


def test_choices_do_not_mix_and_each_has_its_own_guard():
    pieces = [one for pair in zip(say(ANSWER, size=9), say(LIE, size=9, index=1), strict=False) for one in pair]
    rest = say(ANSWER, size=9)[len(say(LIE, size=9)) :]
    out = pass_through([*pieces, chunk(finish="stop", index=1), *rest, chunk(finish="stop")])
    assert text_of(out) == ANSWER
    assert "works at Globex" not in text_of(out, 1)
    assert (finish_of(out), finish_of(out, 1)) == (["stop"], ["content_filter"])
    assert [choice["index"] for choice in out[-1]["groundwire"]["choices"]] == [0, 1]


def tool_call(arguments: str, **others: Any) -> dict[str, Any]:
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "find", "arguments": arguments}}
    return {**ENVELOPE, "choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": None, **others}]}


def test_tool_calls_without_text_pass_at_once_and_unharmed():
    calls = [tool_call('{"a'), tool_call('": 1}')]
    account = Account("r", "ada", "strict")
    chat = ChatStream(open_guard, account)
    assert [chat.take(call) for call in calls] == [[call] for call in calls]
    out = pass_through([*calls, chunk(finish="tool_calls")])
    assert out[:2] == calls and finish_of(out) == ["tool_calls"]


def test_a_tool_call_waits_for_the_text_before_it_and_does_not_follow_a_halt():
    out = pass_through([*say("You live in Berlin"), tool_call("{}"), chunk(finish="tool_calls")])
    places = [place for place, one in enumerate(out) if one["choices"][0]["delta"].get("tool_calls")]
    texts = [place for place, one in enumerate(out) if one["choices"][0]["delta"].get("content")]
    assert len(places) == 1 and max(texts) < places[0]
    halted = pass_through([*say("Alice works at Globex"), tool_call("{}"), chunk(finish="tool_calls")])
    assert not [one for one in halted if one["choices"][0]["delta"].get("tool_calls")]
    assert finish_of(halted) == ["content_filter"]


def test_roles_refusals_and_unknown_fields_pass():
    first = {**ENVELOPE, "system_fingerprint": "fp", "choices": [
        {"index": 0, "delta": {"role": "assistant", "content": "You live in Berlin."}, "finish_reason": None, "new": 1}
    ]}  # fmt: skip
    other = {**ENVELOPE, "choices": [{"index": 0, "delta": {"reasoning_content": "hm"}, "finish_reason": None}]}
    end = chunk(finish="stop", stop_reason="###")
    out = pass_through([other, first, end])
    assert out[0] == other
    assert out[1]["choices"][0]["delta"] == {"role": "assistant", "content": ""}
    assert out[1]["choices"][0]["new"] == 1 and out[1]["system_fingerprint"] == "fp"
    assert text_of(out) == "You live in Berlin."
    assert out[-1]["choices"][0]["stop_reason"] == "###"


def test_probabilities_go_with_the_text_they_belong_to_each_once():
    words = ["You", " live", " in", " Berlin", ".", " Alice", " works", " at", " Acme", "."]
    chunks = [chunk(word, logprobs={"content": [{"token": word, "logprob": -0.1}], "refusal": None}) for word in words]
    out = pass_through([*chunks, chunk(finish="stop", logprobs=None)])
    parts = [one["choices"][0] for one in out if one["choices"][0]["delta"].get("content")]
    assert len(parts) == 2
    tokens = [[entry["token"] for entry in part["logprobs"]["content"]] for part in parts]
    assert [token for part in tokens for token in part] == words
    assert all(part["delta"]["content"].startswith(told[0].lstrip()) for part, told in zip(parts, tokens, strict=True))


def test_usage_comes_last_with_the_account():
    usage = {"prompt_tokens": 5, "completion_tokens": 7, "total_tokens": 12}
    last = {**ENVELOPE, "choices": [], "usage": usage}
    chunks = [{**one, "usage": None} for one in [*say(ANSWER), chunk(finish="stop")]]
    out = pass_through([*chunks, last])
    assert out[-1]["choices"] == [] and out[-1]["usage"] == usage and "groundwire" in out[-1]
    assert out[-2]["choices"][0]["finish_reason"] == "stop"


def test_usage_that_overtakes_the_judge_still_comes_last():
    chat = ChatStream(open_guard, Account("r", "ada", "strict"))
    out: list[Any] = []
    for one in [*say(ANSWER), chunk(finish="stop"), {**ENVELOPE, "choices": [], "usage": {"total_tokens": 1}}]:
        out.extend(chat.take(one))
    assert out == []
    while due := chat.due():
        out.extend(chat.tell(settle_choices(due)))
    out.extend(chat.end())
    assert text_of(out) == ANSWER
    assert out[-1]["usage"] == {"total_tokens": 1} and out[-2]["choices"][0]["finish_reason"] == "stop"


def test_usage_that_comes_with_the_end_is_kept():
    out = pass_through([*say(ANSWER), {**chunk(finish="stop"), "usage": {"total_tokens": 2}}])
    assert out[-1]["usage"] == {"total_tokens": 2}


def test_an_answer_that_says_nothing_and_a_first_chunk_without_choices_pass():
    filters = {**ENVELOPE, "choices": [], "prompt_filter_results": []}
    out = pass_through([filters, chunk(finish="stop")])
    assert out[0] == filters and finish_of(out) == ["stop"]
    assert "groundwire" in pass_through([])[-1]


def test_halves_of_a_character_are_put_together():
    out = pass_through([chunk("Hi \ud83d"), chunk("\ude42 there"), chunk(" \ud83d"), chunk(finish="stop")])
    assert text_of(out) == "Hi 🙂 there \ufffd"


@pytest.mark.parametrize(
    "piece",
    [{"index": "0", "delta": {}}, {"index": 0, "delta": {"content": [{"type": "text", "text": "You live in Rome."}]}}],
)
def test_what_cannot_be_read_is_refused(piece: dict[str, Any]):
    with pytest.raises(UpstreamFailed):
        pass_through([{**ENVELOPE, "choices": [piece]}])


def test_what_waits_is_bounded():
    with pytest.raises(UpstreamFailed, match="wait"):
        pass_through([chunk("You live in Ber"), *[tool_call("x" * 100_000)] * 60])


@pytest.mark.parametrize("noise", ["[" * 100_000, "\0" * 1_000, "🙂" * 5_000, "a" * 200_000])
def test_noise_goes_out_as_it_came_but_for_marks(noise: str):
    out = pass_through([chunk(noise), chunk(finish="stop")])
    assert text_of(out).replace(" (not verified)", "") == noise


def test_chunks_that_are_odd_do_not_break_it():
    odd = [{}, {"choices": None}, {"choices": [None, 3]}, {"choices": [{"delta": None}]}, {"choices": [{"delta": 3}]}]
    out = pass_through([*odd, *say(ANSWER), chunk(finish="stop")])
    assert text_of(out) == ANSWER


# ── whole answers ───────────────────────────────────────────────────────────────────────────────


def check_whole(body: dict[str, Any], **options: Any) -> dict[str, Any]:
    made = Completion(body, lambda: open_guard(**options), Account("r", "ada", "strict"))
    for choice in made.texts.values():
        choice.check()
        if choice.is_halted:
            choice.add(choice.opened.open_branches(choice.opened.guard, "").conclude())
    return made.write()


def test_a_whole_answer_that_holds_is_the_upstreams_to_the_last_field():
    choice = {"index": 0, "message": {"role": "assistant", "content": ANSWER, "x": 1}, "finish_reason": "stop",
              "logprobs": {"content": []}}  # fmt: skip
    body = {"id": "1", "choices": [choice], "usage": {"a": 1}, "new": [1]}
    out = check_whole(body)
    assert {name: value for name, value in out.items() if name != "groundwire"} == body
    assert out["groundwire"]["grounded"] is True


def test_a_whole_answer_with_a_lie_is_an_abstention_and_leads_to_no_tool():
    message = {"role": "assistant", "content": LIE, "tool_calls": [{"id": "1"}]}
    out = check_whole({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls", "logprobs": {}}]})
    (choice,) = out["choices"]
    assert choice["finish_reason"] == "content_filter" and choice["logprobs"] is None
    assert "tool_calls" not in choice["message"]
    assert choice["message"]["content"].startswith("I cannot provide a verified answer")


def test_a_message_of_tool_calls_alone_is_not_touched():
    message = {"role": "assistant", "content": None, "tool_calls": [{"id": "1"}]}
    body = {"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    assert check_whole(body)["choices"] == body["choices"]
