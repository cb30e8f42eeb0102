"""Parts of one whole in two sentences, orders told in passing, and dates against events that were dated before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from text_examining import NOW, find_logical, find_temporal

# ── amounts ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "There are 30 tickets in total. The support team closed 18 tickets, and the other 15 are still open.",
        "The choir has a total of 24 singers. On the left stand 14 singers, and the remaining 12 stand on the right.",
        "There are 12 beds on the ward. In the east wing there are 8 beds, and the other 6 are in the west wing.",
        "There were 50 runners altogether. From the club came 20 runners, and the other 40 came as guests.",
        "There are 16 modules. In Python we wrote 9 modules, and the other 9 are in Go.",
    ],
)
def test_two_parts_of_a_whole_that_was_counted_before_have_to_make_it(text: str):
    assert find_logical(text)


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "There are 30 tickets in total. The support team closed 18 tickets, and the other 12 are still open.",
        "There are 30 tickets in total. The support team closed about 18 tickets, and the other 15 are still open.",
        "There are 30 tickets in total. The night shift closed 4 incidents, and the other 3 are still open.",
        "There are 24 singers. Each of the 14 singers on the left has a torch, and the other 12 torches are spares.",
        "The ward has several beds. In the east wing there are 8 beds, and the other 6 are in the west wing.",
    ],
)
def test_two_parts_without_such_a_whole_are_let_be(text: str):
    assert not find_logical(text)


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "Half of the estate goes to Ana, 40 percent to Ben and a fifth to the church.",
        "A third of the budget goes to rent, 50 percent to wages and a quarter to travel.",
        "The museum got 60 percent of the votes. The zoo got 30 percent and the pool 25 percent.",
        "Wages take 70 percent of the budget. Rent takes 25 percent and travel 15 percent.",
        "Heating uses 55 percent of the energy. Lighting uses 30 percent and the lifts 25 percent.",
    ],
)
def test_shares_in_words_and_in_figures_are_shares_of_one_whole(text: str):
    assert find_logical(text)


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "Half of the estate goes to Ana, 30 percent to Ben and a fifth to the church.",
        "Three quarters of the parents, 75 percent, want the later start.",
        "The museum got 60 percent of the votes. The zoo got 30 percent and the pool 10 percent.",
        "Of the adults 60 percent swim. Of the children 70 percent do.",
        "A bed of 2 by 1.5 metres has 3 square metres. At a depth of 40 centimetres you need 1.2 cubic metres of soil.",
        "The team won 15, drew 6 and lost 5. With three points for a win and one for a draw that makes 51 points.",
        "The room is taken from ten until four. It has six seats, so your group of five will fit.",
    ],
)
def test_shares_that_fit_and_figures_of_other_things_are_let_be(text: str):
    assert not find_logical(text)


# ── orders ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    "text",
    [
        "Ira is taller than Jon, and Jon is taller than Kim. Kim, being the tallest of the three, stands at the back.",
        "The lab moves before the office, and the office moves before the store. The store is small and will therefore"
        " move before the lab.",
        "You test the build before you tag it, and you tag it before you publish it. Publishing, in turn, has to come"
        " before the testing.",
        "The chapel was built two centuries before the hall. Because the hall is the older of the two, we start there.",
        "Ana is older than Bo. Bo, being the eldest, reads first.",
    ],
)
def test_an_order_is_followed_through_all_parts_of_a_sentence(text: str):
    assert find_logical(text)


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    "text",
    [
        "Ira is taller than Jon, and Jon is taller than Kim. Ira, being the tallest of the three, stands at the back.",
        "The lab moves before the office, and the office moves before the store. The store is small and will therefore"
        " move last.",
        "You test the build before you tag it, and you tag it before you publish it. Testing has to come before the"
        " publishing.",
        "The chapel was built two centuries before the hall. Because the chapel is the older of the two, we start"
        " there.",
        "Task 1 comes before task 2, and task 2 comes before task 3. Task 3 is done last.",
    ],
)
def test_an_order_that_is_kept_is_let_be(text: str):
    assert not find_logical(text)


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("There is just one key to the safe. If the porter is away, take the second key from the drawer.", True),
        ("We have only one van. Unless it rains, both vans leave at eight.", True),
        ("There is just one key to the safe. If you lose it, the second key costs 40 euros.", False),
        ("Friday is the only day on which the pool is closed. On the other days it opens at seven.", False),
        ("Rita was the only nurse who knew the code. The other nurses had to call her.", False),
        ("We were the only guests at dinner. The other guests kept us awake.", True),
    ],
)
def test_what_there_is_one_of_has_no_second(text: str, *, is_wrong: bool):
    assert bool(find_logical(text)) is is_wrong


# ── times ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    "text",
    [
        "The outage happened on 10 October. The certificate was renewed on 3 October, one week after the outage.",
        "The wedding was on 3 May. The photos arrived on 24 May, three weeks before the wedding.",
        "The term ends on 18 December. The holidays come after the end of term and begin on 12 December.",
        "He lost at Waterloo in 1815. After Waterloo he marched into Russia in 1812.",
        "The audit took place on 4 March. The report was sent on 25 March, two days after the audit.",
    ],
)
def test_a_date_is_held_against_an_event_that_was_dated_before(text: str):
    assert find_temporal(text)


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    "text",
    [
        "The outage happened on 10 October. The certificate was renewed on 17 October, one week after the outage.",
        "The match was on 3 May. After the match he flew home on 5 May.",
        "The treaty was signed in 1990. After the treaty of 1985 trade had doubled.",
        "The library opened in 2010. Before the opening in 2009 the books were in boxes.",
        "The conference starts on 7 June. Please send your talk before the conference, by 20 May.",
        "The audit took place on 4 March. The report was not sent on 2 March, after the audit had failed.",
    ],
)
def test_a_date_that_fits_or_is_the_events_own_is_let_be(text: str):
    assert not find_temporal(text)


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    ("days", "told", "is_wrong"),
    [
        (8, "five weeks", True),
        (8, "one week", False),
        (15, "two weeks", False),
        (40, "six weeks", False),
        (3, "ten days", True),
    ],
)
def test_what_is_behind_somebody_is_counted_from_today(days: int, told: str, *, is_wrong: bool):
    day = NOW - timedelta(days=days)
    text = f"Your operation on {day.day} {day:%B} is now {told} behind you."
    assert bool(find_temporal(text)) is is_wrong


@pytest.mark.requirement("DET-034")
def test_a_full_week_is_a_week():
    assert find_temporal("The camp lasts from 1 July to 3 July, three full weeks.")
    assert not find_temporal("The camp lasts from 1 July to 21 July, three full weeks.")


@pytest.mark.requirement("DET-034")
def test_what_is_left_is_counted_from_today():
    text = (
        "It ends on 30 September 2026, so the letter has to reach us by 30 June 2026. That leaves you about six weeks."
    )
    assert not find_temporal(text)
