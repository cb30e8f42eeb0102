"""Frames are matched from the first word to the last, in any of the forms that they leave open."""

from __future__ import annotations

import pytest

from groundwire.errors import DataFileError
from groundwire.text.tables import read_table
from groundwire.verify.frames import Frames, Plain, make_plain

LISTS = {"leave": ["leave", "give up", "be through with"], "at": ["at", "in"]}


def matches(frame: str, text: str) -> bool:
    words = [Plain(word) if word.isupper() else make_plain(word) for word in text.split()]
    return Frames([frame], LISTS, lambda word: word == "the").match(words)


@pytest.mark.parametrize(
    ("frame", "text", "expected"),
    [
        ("SELF <leave>/ed OLD", "SELF left OLD", True),
        ("SELF <leave>/ed OLD", "SELF gave up OLD", True),
        ("SELF <leave>/ed OLD", "SELF was through with OLD", True),
        ("SELF <leave>/ed OLD", "SELF leaves OLD", False),
        ("SELF <leave>/ed OLD", "SELF left OLD yesterday", False),
        ("SELF <leave>/ed OLD", "left OLD", False),
        ("SELF? <leave> OLD", "leaving OLD", True),
        ("<leave>/ing OLD ( for NEW )?", "leaving OLD for NEW", True),
        ("<leave>/ing OLD ( for NEW )?", "leaving OLD", True),
        ("( SELF | it ) be ( <at> )? OLD", "it was in OLD", True),
        ("( SELF | it ) be ( <at> )? OLD", "OLD was in it", False),
        ("the OLD", "OLD", True),
    ],
)
def test_a_frame_takes_the_whole_clause(frame: str, text: str, expected: bool):
    assert matches(frame, text) is expected


@pytest.mark.parametrize("frame", ["( SELF", "SELF )", "", "( the ) OLD"])
def test_a_frame_that_cannot_be_read_is_an_error(frame: str):
    with pytest.raises(DataFileError):
        matches(frame, "SELF")


def test_a_word_may_stand_for_a_role():
    frames = Frames(["SELF STAY OLD"], {}, lambda _: False)
    assert frames.match([Plain("it", role="SELF"), Plain("live", "ed", "STAY"), Plain("OLD")])
    assert not frames.match([Plain("it"), Plain("live", "ed", "STAY"), Plain("OLD")])


@pytest.mark.parametrize("name", ["frames", "scale_frames", "discard_frames", "records", "arrivals"])
def test_the_frames_that_are_shipped_can_be_read(name: str):
    table = read_table("partings")
    Frames(table[name], table, lambda word: word in table["fillers"])
