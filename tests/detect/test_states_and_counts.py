"""States that rule something out, lists against their counts, rules against their consequences, and other cases."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from dialogue_examining import packaged_judge
from text_examining import find_logical

from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 14, tzinfo=UTC)


def find_judged(text: str) -> list[str]:
    flags = detect_logical_inconsistencies(segment_response(text, NOW), packaged_judge(), text=text)
    return [flag.content for flag in flags]


@pytest.mark.requirement("DET-031")
@pytest.mark.parametrize(
    "text",
    [
        "The recipe is vegan and needs four eggs.",
        "The store is open around the clock and closes at 10 pm.",
        "The flight is non-stop, with one stop in Reykjavik.",
        "The witness is dead. She will testify in person on Thursday.",
        "The patient is unconscious. She is chatting with the nurse.",
        "He is fluent in Polish although he doesn't speak a word of it.",
        "The bottle is empty; there is still half a litre in it.",
        "The glass is unbreakable. It broke when it fell off the table.",
        "We were the only guests. The other guests complained about the noise.",
        "The dress is sleeveless, and the long sleeves are trimmed with lace.",
        "The book has 200 pages. On page 312 you find the index.",
        "Mia is the daughter of Ole, and Ole is the son of Mia.",
        "The red cable is longer than the blue one. The blue cable is longer than the red one by two metres.",
    ],
)
def test_what_a_state_rules_out_is_flagged(text: str) -> None:
    assert find_logical(text)


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    "text",
    [
        "We have three cats, Minka and Tiger.",
        "Both candidates, Ruiz, Tanaka and Holm, were invited back.",
        "The trio consists of a pianist, a violinist, a cellist and a flautist.",
        "Ana, Ben and Cleo both passed.",
        "The team played ten matches, winning six, drawing two and losing four.",
        "Attendance fell to 900, up from 700 the year before.",
        "Half of the budget goes to staff, a third to rent and the remaining quarter to marketing.",
        "Twelve people came; five of them were children and nine were adults.",
        "The discount is 20 percent, so the 50-euro jacket now costs 45.",
        "A 15% tip on a 40-euro bill is 10 euros.",
        "The loan of 12,000 is repaid in 12 monthly instalments of 500.",
        "We split the 90 euros three ways, so everyone pays 40.",
    ],
)
def test_counts_that_do_not_come_out_are_flagged(text: str) -> None:
    assert find_logical(text)


@pytest.mark.requirement("DET-009", "DET-032")
@pytest.mark.parametrize(
    "text",
    [
        "The soup is vegan and the burger comes with bacon.",
        "The file is read-only for guests. Editors can change it.",
        "The file is read-only. To change it, make a copy first.",
        "The pool is empty in winter. In summer there are always people in it.",
        "The shop is open around the clock. The café next to it closes at 6 pm.",
        "She won the gold medal in the sprint and came third in the relay.",
        "She is the only child of a second marriage. Her half-brother lives in Rome.",
        "My uncle is dead. He worked as a carpenter all his life.",
        "This is the only train today. There are two trains tomorrow.",
        "Everyone but the driver got out.",
        "Two of my three cats, Minka and Tiger, are black.",
        "Three cities, Rome, Milan and Naples, applied.",
        "60% of the women and 55% of the men agreed.",
        "The team played ten matches, winning six, drawing two and losing two.",
        "Revenue was 4 million, down from 5 million.",
        "We split the 90 euros three ways, so everyone pays 30.",
        "Anna is three years older than Ben. Ben is older than Carla. Carla is two years younger than Ben.",
    ],
)
def test_other_cases_and_right_counts_are_consistent(text: str) -> None:
    assert find_logical(text) == []


@pytest.mark.requirement("DET-031", "DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "If it rains the match is cancelled. It rained all afternoon, and the match went ahead as planned.",
        "A tenant who pays late loses the discount. Mr. Brandl paid late, so he keeps the discount.",
        "The fee is waived if you pay by card. You paid by card, so the fee is charged in full.",
    ],
)
def test_a_consequence_denied_is_flagged(text: str) -> None:
    assert find_judged(text)


@pytest.mark.requirement("DET-009")
@pytest.mark.parametrize(
    "text",
    [
        "If it rains, the match is cancelled. It rained all afternoon, and the match was cancelled.",
        "Anyone who arrives late has to wait. Tom arrived on time and went straight in.",
        "Whoever finishes first gets a prize. Anna finished second, so she gets nothing.",
        "Everyone passed the exam. Last year, five failed.",
        "Bookings are mandatory on weekends. During the week no booking is needed.",
        "You don't need an account to browse. To check out, you do need one.",
    ],
)
def test_a_rule_kept_and_another_case_are_consistent(text: str) -> None:
    assert find_judged(text) == []
