"""What is said of all cases, against the one that is told with a figure, a day or an hour of its own."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from dialogue_examining import packaged_judge

from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


def flagged(text: str) -> list[str]:
    found = detect_logical_inconsistencies(segment_response(text, NOW), packaged_judge(), text=text)
    return [text[flag.span.start : flag.span.end] for flag in found]


@pytest.mark.requirement("DET-031", "DET-032")
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("All eight chapters have been proofread. Chapter 6 is still waiting for its first proofreading.", "Chapter 6"),
        ("The house was built in 1930 and has never been renovated. Its kitchen was renovated in 2018.", "kitchen"),
        ("He has never eaten meat. Until 2019 he ate a steak every Friday.", "ate a steak"),
        ("The library closes at six. You can stay there until eight every evening.", "until eight"),
        ("The island is uninhabited. About 300 people live there.", "300 people"),
        ("The film has no dialogue. In the opening scene the two brothers argue loudly for ten minutes.", "argue"),
    ],
)
def test_a_case_with_a_time_or_a_figure_of_its_own_is_still_one_of_all(text: str, wrong: str) -> None:
    assert any(wrong in part for part in flagged(text))


@pytest.mark.requirement("DET-009", "DET-032")
@pytest.mark.parametrize(
    "text",
    [
        "All tickets for 5 May are gone. There are still 40 tickets for 6 May.",
        "None of the servers has been rebooted this month. Node 4 was rebooted on 3 February.",
        "The kit has everything for 4 people. For 6 people, order two more plates.",
        "There is no parking at the venue. The station's car park has 80 spaces.",
        "The library is silent at all times. From 3 to 5 a brass band rehearses in the hall across the road.",
        "Everyone in the class passed the exam. Last year five pupils failed it.",
        "The kitchen closes at nine. You can sit on the terrace until eleven.",
        "Your ticket is 30 euros and the fee 4 euros, so you'll pay 34 euros in all.",
        "She has always lived in Graz. Her parents lived in Linz until 1980.",
    ],
)
def test_another_day_another_number_and_another_owner_are_no_case_of_it(text: str) -> None:
    assert flagged(text) == []
