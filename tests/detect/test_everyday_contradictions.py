"""What contradicts itself in plain everyday words, and what only looks as if it did."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from dialogue_examining import Known, examine, packaged_judge

from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.detect.unsupported import UnsupportedDetector
from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


def flagged(text: str) -> list[str]:
    found = detect_logical_inconsistencies(segment_response(text, NOW), packaged_judge(), text=text)
    return [text[flag.span.start : flag.span.end] for flag in found]


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The café has no seating at all. You can sit by the window while you wait for your order.", "by the window"),
        ("Send the form before you pay the fee. Pay the fee first and send the form afterwards.", "Pay the fee"),
        ("The gym has been open since 6 this morning. It hasn't opened yet today.", "hasn't opened"),
        ("The room sleeps two people. A family of four fits in the room easily.", "family of four"),
        ("Tom is older than Max. Max is the oldest of the three.", "oldest"),
        ("All four of the kids can swim. Ben, the youngest, still can't.", "still can't"),
        ("The committee has five members, of whom six voted for the new rules.", "six"),
    ],
)
def test_what_is_said_in_passing_still_contradicts(text: str, wrong: str) -> None:
    assert any(wrong in part for part in flagged(text))


@pytest.mark.parametrize(
    "text",
    [
        "The small one costs 12 euros. The large one costs 18 euros.",
        "The hall seats 80. The big hall seats 400.",
        "The soup is vegetarian. The stew has beef in it.",
        "The soup on Monday is vegan. On Tuesday there's a chicken soup.",
        "The rent is 700 euros. With heating and water it's 850 euros.",
        "We sold 40 cakes on Saturday and 25 on Sunday. That's 65 cakes over the weekend.",
        "Your bill has three parts: 12 euros, 20 euros and 8 euros. Altogether that makes 40 euros.",
        "The team won every home match this season. Away they lost twice, to Ridgeway and to Moor Park.",
        "The museum is closed on Mondays. This Monday it's open because of the holiday.",
        "Only members can book online. Guests can book at the desk.",
        "Each pack has 6 rolls, so three packs give you 18 rolls.",
        "The room has no fridge. There's a shared fridge in the kitchen down the hall.",
        "All members can vote. Guests can't.",
        "Tom is taller than Max. Max is the oldest of the three.",
    ],
)
def test_another_case_or_another_thing_contradicts_nothing(text: str) -> None:
    assert flagged(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The great majority of drivers ignore that sign.",
        "Those who pay in cash spend less.",
        "Nobody bakes fresher bread.",
        "Stress leads to heart disease.",
        "That cuts your power bill by a third.",
        "Steel pans keep food warm three times as long.",
        "There's a lot of evidence that blue light keeps you awake.",
    ],
)
def test_what_is_told_of_everybody_needs_a_source(text: str) -> None:
    assert UnsupportedDetector().detect(examine(text, None, Known(), judge=packaged_judge()))


@pytest.mark.parametrize(
    "text",
    [
        "Most people in the group have replied.",
        "Most guests arrive between three and five.",
        "Nobody in the team is faster than Kim.",
        "People who arrive late can wait outside.",
        "The shelf is twice as long as the old one.",
        "I don't like olives myself, but many guests do, so maybe put a small bowl on the table.",
        "Please don't write that studies show it works, unless you have one to cite.",
        "Most adults pay 12 euros, children pay 6.",
    ],
)
def test_what_can_be_counted_here_needs_none(text: str) -> None:
    assert not UnsupportedDetector().detect(examine(text, None, Known(), judge=packaged_judge()))
