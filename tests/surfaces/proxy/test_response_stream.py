"""A streamed response, event by event, without a network: what goes out for what comes in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
import spoken
from hypothesis import given
from hypothesis import strategies as st
from scripted import ANSWER, LIE, conclude, open_guard
from spoken import begin, close, delta, speak

from groundwire.guard.policy import GuardMode, OnRefuted, OnUnverified
from groundwire.surfaces.proxy.account import Account
from groundwire.surfaces.proxy.chat import settle_choices
from groundwire.surfaces.proxy.failures import UpstreamFailed
from groundwire.surfaces.proxy.response_body import ResponseBody
from groundwire.surfaces.proxy.response_stream import ResponseStream
from streams import cut_at

ABSTENTION = "I cannot provide a verified answer"


def pass_through(events: Sequence[Mapping[str, Any]], *, lag: int = 1, **options: Any) -> list[dict[str, Any]]:
    """All that goes out, with the judge called after every `lag` events."""
    stream = ResponseStream(lambda: open_guard(**options), Account("r", "ada", "strict"))
    out: list[Any] = []

    def settle() -> None:
        while due := stream.due():
            out.extend(stream.tell(settle_choices(due)))

    for place, one in enumerate(spoken.count_up(events), 1):
        out.extend(stream.take(one))
        if place % lag == 0:
            settle()
        if stream.is_idle:
            break
    else:
        settle()
        out.extend(stream.finish())
        settle()
    for choice in stream.halted:
        out.extend(stream.conclude(choice, conclude(choice)))
    return [*out, *stream.end()]


def of_kind(events: Sequence[Mapping[str, Any]], kind: str) -> list[Any]:
    return [event for event in events if event["type"] == kind]


def text_of(events: Sequence[Mapping[str, Any]]) -> str:
    return "".join(event["delta"] for event in of_kind(events, "response.output_text.delta"))


def all_texts(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """The text as each event tells it that repeats it."""
    (done,) = of_kind(events, "response.output_text.done")
    (part,) = of_kind(events, "response.content_part.done")
    (item,) = of_kind(events, "response.output_item.done")
    output = events[-1]["response"]["output"]
    return [done["text"], part["part"]["text"], item["item"]["content"][0]["text"], output[0]["content"][0]["text"]]


def test_a_clean_response_goes_out_as_it_came_but_for_the_pieces_of_its_text():
    out = pass_through(speak(ANSWER))
    assert text_of(out) == ANSWER and all_texts(out) == [ANSWER] * 4
    assert [event["sequence_number"] for event in out] == list(range(len(out)))
    last = out[-1]["response"]
    assert last.pop("groundwire")["grounded"] is True
    assert last == spoken.body(spoken.message(ANSWER))
    others = [event["type"] for event in out if event["type"] != "response.output_text.delta"]
    assert others == [event["type"] for event in speak("")]


@given(st.lists(st.integers(0, 200), max_size=30), st.sampled_from([ANSWER, LIE]), st.integers(1, 9))
def test_whatever_the_pieces_the_text_and_the_account_are_the_same(cuts: list[int], answer: str, lag: int):
    pieces = [delta(piece) for piece in cut_at(answer, cuts)]
    one, other = pass_through([*begin(), *pieces, *close(answer)], lag=lag), pass_through(speak(answer, size=1_000))
    assert text_of(one) == text_of(other)
    told, expected = one[-1]["response"], other[-1]["response"]
    assert (told["status"], told["groundwire"]) == (expected["status"], expected["groundwire"])
    assert told["output"] == expected["output"]


def test_a_falsehood_never_goes_out_and_the_abstention_ends_the_response():
    out = pass_through(speak(LIE))
    text = text_of(out)
    assert text.startswith("Hello! You live in Berlin. \n\n" + ABSTENTION)
    assert all_texts(out) == [text] * 4
    assert "More of this" not in json.dumps(out)
    assert [event["type"] for event in out[-4:]] == [
        "response.output_text.done", "response.content_part.done", "response.output_item.done", "response.incomplete",
    ]  # fmt: skip
    last = out[-1]["response"]
    assert (last["status"], last["incomplete_details"]) == ("incomplete", {"reason": "content_filter"})
    assert (last["id"], last["model"], last["x_unknown"]) == ("resp_7", "small-1", {"kept": True})
    assert last["groundwire"]["choices"][0]["abstained"] is True
    assert [event["sequence_number"] for event in out] == list(range(len(out)))


def test_what_is_mended_is_told_mended_everywhere_and_loses_what_counts_its_places():
    said = "Alice works at Globex. You live in Berlin."
    note = {"type": "url_citation", "url": "https://example.org", "title": "x", "start_index": 0, "end_index": 5}
    ending = json.loads(json.dumps(close(said)).replace('"annotations": []', f'"annotations": [{json.dumps(note)}]'))
    added = {"type": "response.output_text.annotation.added", **spoken.WHERE, "annotation_index": 0, "annotation": note}
    out = pass_through([*begin(), delta(said), added, *ending], refuted=OnRefuted.REPAIR)
    assert all_texts(out) == ["Alice works at Acme. You live in Berlin."] * 4 == [text_of(out)] * 4
    assert "url_citation" not in json.dumps(out)
    assert out[-1]["type"] == "response.completed"
    kept = pass_through([*begin(), delta(ANSWER), added, *close(ANSWER)])
    assert "url_citation" in json.dumps(kept)


def test_a_function_call_waits_for_the_text_before_it_and_goes_out_unharmed():
    said = "You live in Berlin"
    *ending, last = close(said)
    last = {**last, "response": spoken.body(spoken.message(said), spoken.CALL)}
    out = pass_through([*begin(), delta(said), *ending, *spoken.call_events(), last], lag=1_000)
    kinds = [event["type"] for event in out]
    assert kinds.index("response.output_text.delta") < kinds.index("response.function_call_arguments.delta")
    got = [{**event, "sequence_number": 0} for event in out if event.get("output_index") == 1]
    assert got == [{**event, "sequence_number": 0} for event in spoken.call_events()]
    assert out[-1]["response"]["output"][1] == spoken.CALL


def test_a_function_call_behind_a_halted_text_is_dropped():
    out = pass_through([*begin(), delta("Alice works at Globex."), *close("Alice works at Globex.")[:3],
                        *spoken.call_events(), {"type": "response.completed", "response": spoken.body()}])  # fmt: skip
    assert "fc_1" not in json.dumps(out)
    assert text_of(out).startswith(ABSTENTION)
    assert out[-1]["response"]["usage"] == spoken.USAGE


def test_events_that_nobody_knows_and_refusals_pass_in_their_place():
    odd = {"type": "response.something_new", "payload": [1, {"a": None}]}
    refusal = {"type": "response.refusal.delta", **spoken.WHERE, "delta": "No."}
    out = pass_through(
        [*begin(), delta("You live in Berlin. "), odd, refusal, delta("Bye!"), *close("You live in Berlin. Bye!")]
    )
    assert [{**event, "sequence_number": 0} for event in of_kind(out, "response.something_new")] == [
        {**odd, "sequence_number": 0}
    ]
    assert text_of(out) == "You live in Berlin. Bye!"
    kinds = [event["type"] for event in out]
    assert kinds.index("response.output_text.delta") < kinds.index("response.something_new")


@pytest.mark.parametrize("first", [0, 2, 3, 4, 5, 6])
def test_text_that_only_later_events_tell_is_guarded_too(first: int):
    """An upstream that leaves deltas out, or everything but the end, gets no falsehood past the guard."""
    said = "Alice works at Globex."
    events = [*begin()[:first], *close(said)[-1:]] if first < 5 else [*begin(), *close(said)[first - 5 :]]
    out = pass_through(events)
    shown = [event for event in out if "response" not in event]
    assert said[:-1] not in json.dumps([*shown, out[-1]["response"]["output"]])
    last = out[-1]["response"]
    assert last["status"] == "incomplete"
    assert [part["text"].startswith(ABSTENTION) for item in last["output"] for part in item["content"]] == [True]


def test_text_in_the_events_of_a_beginning_is_guarded_too():
    said = "Alice works at Globex. "
    item = {**spoken.message(said, status="in_progress")}
    part = {"type": "output_text", "text": said, "annotations": []}
    created = {"type": "response.created", "response": spoken.body(item, status="in_progress")}
    for odd in (
        [created, *begin()[2:]],
        [*begin()[:2], {"type": "response.output_item.added", "output_index": 0, "item": item}, begin()[3]],
        [*begin()[:3], {"type": "response.content_part.added", **spoken.WHERE, "part": part}],
    ):
        out = pass_through([*odd, delta(said), *close(said)])
        shown = [event for event in out if event["type"] != "response.incomplete"]
        assert "Alice works at Globex" not in json.dumps(shown, ensure_ascii=False)


def test_fast_shows_at_once_and_tells_the_correction_at_the_end():
    out = pass_through(speak("You live in Berlin. Alice works at Globex. Bye!"), mode=GuardMode.FAST)
    assert text_of(out).startswith("You live in Berlin. Alice works at Globex. Bye!\n\n[Correction: ")
    notes = [event["groundwire"] for event in of_kind(out, "response.output_text.delta") if "groundwire" in event]
    assert [note["kind"] for note in notes] == ["repair"]
    assert all_texts(out) == [text_of(out)] * 4


def test_probabilities_go_with_the_text_they_belong_to():
    pieces = [delta(word, logprobs=[{"token": word, "logprob": -0.1}]) for word in ("You live", " in Berlin.", " Bye!")]
    out = pass_through([*begin(), *pieces, *close("You live in Berlin. Bye!")])
    told = [[one["token"] for one in event["logprobs"]] for event in of_kind(out, "response.output_text.delta")]
    assert [token for tokens in told for token in tokens] == ["You live", " in Berlin.", " Bye!"]


@pytest.mark.parametrize(
    "event",
    [
        {"type": 7},
        {},
        {"type": "response.output_text.delta", "delta": "x"},
        {"type": "response.output_text.delta", **spoken.WHERE, "delta": {"x": 1}},
        {"type": "response.output_text.delta", **spoken.WHERE, "output_index": -1, "delta": "x"},
    ],
)
def test_events_that_cannot_be_placed_are_refused(event: dict[str, Any]):
    with pytest.raises(UpstreamFailed):
        pass_through([*begin(), event, *close("x")])


def test_an_end_without_the_last_event_is_no_end():
    with pytest.raises(UpstreamFailed, match="before the answer was over"):
        pass_through([*begin(), delta("You live in Berlin. ")])


def test_an_answer_in_json_is_not_guarded_as_text():
    wanted = {"format": {"type": "json_schema", "name": "x", "schema": {}}}
    with pytest.raises(UpstreamFailed, match="JSON"):
        pass_through([{"type": "response.created", "response": spoken.body(text=wanted)}])


# ── whole ───────────────────────────────────────────────────────────────────────────────────────


def check(body: dict[str, Any], **options: Any) -> dict[str, Any]:
    whole = ResponseBody(body, lambda: open_guard(**options), Account("r", "ada", "strict"))
    for text in whole.unread():
        text.check()
        if text.is_halted:
            text.add(text.opened.open_branches(text.opened.guard, "").conclude())
    return whole.write()


def test_a_clean_body_is_the_same_with_an_account():
    body = spoken.body({"type": "reasoning", "id": "rs_1", "summary": []}, spoken.message(ANSWER), spoken.CALL)
    told = check(body)
    assert told.pop("groundwire")["grounded"] is True
    assert told == body


def test_a_halted_body_is_the_abstention_and_nobody_acts_on_it():
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    told = check(spoken.body(thought, spoken.message(LIE, "You live in Berlin."), spoken.CALL, output_text=LIE))
    assert [item["type"] for item in told["output"]] == ["reasoning", "message"]
    (part,) = told["output"][1]["content"]
    assert part["text"].startswith(ABSTENTION) and told["output_text"] == part["text"]
    assert (told["status"], told["incomplete_details"]) == ("incomplete", {"reason": "content_filter"})


def test_a_body_is_mended_part_by_part():
    told = check(spoken.body(spoken.message("You live in Berlin.", "You own a boat.")), unverified=OnUnverified.REMOVE)
    assert [part["text"] for part in told["output"][0]["content"]] == ["You live in Berlin.", ""]
    assert told["status"] == "completed"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: (
            st.lists(x, max_size=3)
            | st.dictionaries(st.sampled_from(["type", "content", "text", "id", "output"]), x, max_size=4)
        ),
        max_leaves=12,
    )
)
def test_bodies_of_any_shape_are_told_or_refused(output: Any):
    body = {"object": "response", "output": output if isinstance(output, list) else [output]}
    try:
        told = check(body)
    except UpstreamFailed:
        return
    assert told["output"] is not None
