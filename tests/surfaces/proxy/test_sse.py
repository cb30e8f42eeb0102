"""Server-sent events, whatever the pieces they come in."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.surfaces.proxy.failures import UpstreamFailed
from groundwire.surfaces.proxy.sse import EventDecoder, ServerEvent, encode_event

ENDS = st.sampled_from(["\n", "\r\n", "\r"])
LINES = st.text(st.characters(blacklist_characters="\r\n", blacklist_categories=("Cs",)))


def decode(data: bytes, cuts: list[int] | None = None, most: int = 1_000_000) -> list[ServerEvent]:
    decoder = EventDecoder(most)
    edges = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts or [])})
    events = [event for a, b in pairwise(edges) for event in decoder.feed(data[a:b])]
    return events + decoder.finish()


@given(st.lists(st.tuples(st.lists(LINES, min_size=1, max_size=3), ENDS), max_size=6), st.lists(st.integers(0, 2_000)))
def test_what_is_encoded_comes_out_whatever_the_boundaries_and_line_ends(
    events: list[tuple[list[str], str]], cuts: list[int]
):
    data = "".join("".join(f"data: {line}{end}" for line in lines) + end for lines, end in events).encode()
    assert [event.data for event in decode(data, cuts)] == ["\n".join(lines) for lines, _ in events]


@given(st.binary(max_size=400), st.lists(st.integers(0, 400)))
def test_any_bytes_give_the_same_events_in_any_pieces(data: bytes, cuts: list[int]):
    assert decode(data, cuts) == decode(data)


@given(st.binary(max_size=200).map(lambda noise: b"data: " + noise.replace(b"\n", b"").replace(b"\r", b"") + b"\n\n"))
def test_bytes_that_are_no_text_never_raise(data: bytes):
    assert len(decode(data)) == 1


@given(st.dictionaries(st.text(), st.text() | st.integers() | st.none()))
def test_an_object_is_one_line_and_comes_back(body: dict[str, object]):
    written = encode_event(body)
    assert written.count(b"\n") == 2
    assert json.loads(decode(written)[0].data) == body


def test_a_character_cut_in_two_is_whole_again():
    data = 'data: {"a": "Zoë 🙂"}\n\n'.encode()
    for cut in range(len(data)):
        assert [event.data for event in decode(data, [cut])] == ['{"a": "Zoë 🙂"}']


def test_names_comments_and_marks_are_read():
    data = b"\xef\xbb\xbf: hello\r\nevent: error\r\nid: 7\r\nretry: 10\r\ndata:x\r\ndata:  y\r\n\r\n:\n\n"
    assert decode(data) == [ServerEvent("x\n y", "error")]
    assert decode(b"data\n\ndata:\n\n") == [ServerEvent("")] * 2 and decode(b"event: x\n\n") == []


def test_what_has_no_blank_line_behind_it_is_given_at_the_end():
    assert decode(b"data: [DO") == [ServerEvent("[DO")]
    assert decode(b"data: a\n\ndata: b\n") == [ServerEvent("a"), ServerEvent("b")]


@pytest.mark.parametrize("start", [b"data: ", b"", b": comment "])
def test_an_event_without_end_is_given_up(start: bytes):
    decoder = EventDecoder(100_000)
    decoder.feed(start)
    with pytest.raises(UpstreamFailed, match="100,000 bytes"):
        for _ in range(200):
            decoder.feed(b"x" * 1_000)


def test_many_lines_of_one_event_are_bounded_and_many_comments_are_not():
    decoder = EventDecoder(10_000)
    for _ in range(1_000):
        decoder.feed(b": still here " + b"." * 100 + b"\n")
    with pytest.raises(UpstreamFailed):
        for _ in range(1_000):
            decoder.feed(b"data: more and more\n")
