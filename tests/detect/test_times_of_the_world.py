"""What the clock and common knowledge deny: things before their time, deadlines, generations, feasts, centuries."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from text_examining import find_temporal

NOW = datetime(2026, 6, 10, tzinfo=UTC)


@pytest.mark.requirement("DET-027")
@pytest.mark.parametrize(
    "text",
    [
        "During the American Civil War, Lincoln announced the victory in a tweet.",
        "Mozart sent the score to Salzburg by fax in 1783.",
        "Knights in the Middle Ages warmed their food in the microwave.",
        "Julius Caesar emailed his generals.",
        "Beethoven performed the piece in Vienna in 1850.",
        "World War I began in 1939.",
        "The Renaissance came before the Roman Empire.",
    ],
)
def test_what_did_not_exist_yet_is_flagged(text: str) -> None:
    assert find_temporal(text, NOW)


@pytest.mark.requirement("DET-028")
@pytest.mark.parametrize(
    "text",
    [
        "The house was built in the 1780s, at the end of the seventeenth century.",
        "Amelia was born in 1952. When the wall came down in 1989 she was 25.",
        "Grace retired in 1999, having joined the firm in 2003 as a trainee.",
        "Napoleon died in 1821 and was crowned emperor in 1834.",
        "She was born in 1980 and her mother in 1985.",
        "My grandparents married in 1961, so they celebrate their golden wedding this year.",
        "Easter Monday 2026 falls on a Wednesday.",
        "Christmas Day 2026 falls on a Tuesday.",
        "Two weeks before Christmas, on 2 December, the tree went up.",
        "Breakfast is served from 10 am to 7 am.",
        "Autumn comes right after winter.",
        "The quarter runs from 1 April to 30 June, that is four months.",
    ],
)
def test_times_that_do_not_fit_each_other_are_flagged(text: str) -> None:
    assert find_temporal(text, NOW)


@pytest.mark.requirement("DET-026")
@pytest.mark.parametrize(
    "text",
    [
        "The deadline was 1 May, so you have three weeks left.",
        "The offer is valid until 1 June, so you can still use it today.",
        "Applications close on 15 June. You still have a good two months.",
        "It's June, so Christmas is in three weeks.",
        "The conference will be held in Lyon in March 2025.",
        "I'll send you the invoice last Thursday.",
    ],
)
def test_what_the_clock_denies_is_flagged(text: str) -> None:
    assert find_temporal(text, NOW)


@pytest.mark.requirement("DET-026")
@pytest.mark.parametrize(
    "text",
    [
        "Queen Victoria sent a telegram to the president in 1858.",
        "In 1985 the library bought its first computer.",
        "The Einstein Museum opened in 2005.",
        "Lincoln opened a new hospital in 1985.",
        "Roman coins were found here in 1985 with a metal detector.",
        "A documentary about Cleopatra was shown on television in 1999.",
        "The knights of the Middle Ages never used the telephone.",
        "The Hundred Years' War lasted 116 years, from 1337 to 1453.",
        "The Industrial Revolution began in 1760.",
        "In the late 19th century, around 1890, the railway arrived.",
        "Her son was born in 2001 and her daughter in 2004.",
        "His mother was born in 1950 and his father in 1948.",
        "The deadline is 30 June, so you have almost three weeks left.",
        "The offer is valid until 30 September 2026, so you can still use it.",
        "You can still apply until 15 June.",
        "Christmas is six months away.",
        "Christmas Day 2026 falls on a Friday.",
        "The bar is open from 8 pm to 2 am.",
        "We'll discuss the meeting last Thursday.",
        "The bakery closed in 2011 and reopened in 2014.",
        "My parents married in 1990. They celebrated their 25th wedding anniversary in 2015.",
    ],
)
def test_times_that_fit_are_left_alone(text: str) -> None:
    assert find_temporal(text, NOW) == []
