"""Mechanisms that read meaning rather than phrases: results, limits, orders, scripts, lengths, crowds."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from text_examining import NOW, find_logical, find_temporal

from groundwire.detect.appeals import find_appeal, find_statistic, is_sweeping

# ── numbers ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "Your allowance is 20 days. You've taken 8, so 15 are left.",
        "We sold 3 crates of 12 bottles each, which makes 48 bottles.",
        "The jacket was 80 euros; with 25% off you pay 70 euros.",
        "Half of the 60 seats are taken, which means 40 are still free.",
        "Sales dropped from 200 units in March to 260 in April.",
        "Half the class, 15 of 24 pupils, is ill.",
        "There are 28 children in the class, 12 boys and 19 girls.",
        "The hotel has 20 rooms, 15 doubles and 8 singles.",
        "The room holds at most ten people; with fourteen of you it'll be within its limit.",
        "You can take up to six books home. Nine books are therefore no problem.",
    ],
)
def test_a_number_that_does_not_follow_from_the_others_is_flagged(text: str):
    assert find_logical(text)


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "Your allowance is 20 days. You've taken 8, so 12 are left.",
        "We sold 4 crates of 12 bottles each, which makes 48 bottles.",
        "The jacket was 80 euros; with 25% off you pay 60 euros.",
        "Half of the 60 seats are taken, which means 30 are still free.",
        "Sales dropped from 260 units in March to 200 in April.",
        "The hotel has 20 rooms, 4 halls and 2 saunas.",
        "The hall seats 200. With 150 guests you'll have room to spare.",
        "You can borrow up to six books. If you need nine, ask at the desk.",
        "Mr. Banerjee arrives on 27 March, stays for three nights and leaves on 30 March.",
        "The train leaves at 9:15 and takes two and a half hours, so you'll be there at 11:45.",
        "- Morning: 6 nurses\n- Late: 5 nurses\n- Night: 3 nurses\n\nThat makes 14 nurses over 24 hours.",
    ],
)
def test_numbers_that_agree_or_have_nothing_to_do_with_each_other_are_left_alone(text: str):
    assert find_logical(text) == []


@given(st.integers(2, 400), st.integers(1, 399), st.integers(0, 400))
@pytest.mark.requirement("DET-035")
def test_what_is_left_is_flagged_exactly_where_it_is_wrong(whole: int, taken: int, rest: int):
    if taken >= whole:
        return
    text = f"You had {whole} coupons. You've used {taken}, so {rest} are left."
    assert bool(find_logical(text)) is (whole - taken != rest)


# ── orders ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-033")
@pytest.mark.parametrize(
    "text",
    [
        "Install A before B, B before C, and make sure C is in place before you install A.",
        "Pia arrived earlier than Tom. Tom arrived earlier than Wanda. So Wanda was there before Pia.",
        "The garden shed stands to the east of the pond. The pond lies east of the shed.",
        "Package A is heavier than package B. Package B weighs more than package C. That makes package C the heaviest.",
        "The blue car costs 9,000 and the red one 7,500, so the blue one is cheaper.",
        "Kim finished ahead of Lou and Lou ahead of Max, but Max beat Kim.",
        "The longest river in the region is the Orla. The Tamm is longer than the Orla.",
    ],
)
def test_an_order_that_runs_in_a_circle_is_flagged_however_it_is_told(text: str):
    assert find_logical(text)


@pytest.mark.requirement("DET-033")
@pytest.mark.parametrize(
    "text",
    [
        "Cara is younger than Dana, and Dana is younger than Finn.",
        "Anna left before Ben, and Ben arrived before Anna did.",
        "The shed is west of the pond and the greenhouse is west of the shed, so the greenhouse is the farthest west.",
        "Package A weighs 4 kg and package B 6 kg, so B is the heavier one.",
        "Lima is warmer than Oslo in winter. Oslo is warmer than Lima in July.",
    ],
)
def test_orders_that_can_be_lined_up_are_left_alone(text: str):
    assert find_logical(text) == []


@pytest.mark.requirement("DET-034")
@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("My uncle is a lifelong bachelor; his wife does all the driving.", True),
        ("He lives alone. His flatmate complains about the noise.", True),
        ("He used to live alone. His new flatmate moved in last week.", False),
        ("This soup is vegan. Finish it with butter and cream.", True),
        ("This soup is vegan. You can leave out the butter, it is not needed.", False),
    ],
)
def test_a_state_rules_out_what_it_excludes(text: str, is_wrong: bool):
    assert bool(find_logical(text)) is is_wrong


# ── times ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-028")
@pytest.mark.parametrize(
    "text",
    [
        "The novel came out in 1987. It was written in 1992 while she lived in Cork.",
        "Put up in 1270, the keep burned down in 1190 and was rebuilt in brick a generation later.",
        "The parcel arrived on 3 April. We posted it on 9 April.",
        "The castle, completed in 1410, was designed in 1502 by a Flemish master.",
        "The war broke out in 1618 and came to an end in 1608.",
        "We unpacked the boxes before they were delivered.",
        "The roof was finished before work on it had begun.",
        "The verdict was read out before the trial had opened.",
    ],
)
def test_stages_in_an_order_they_cannot_have_are_flagged(text: str):
    assert find_temporal(text)


@pytest.mark.requirement("DET-029")
@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("You started at the bakery in 2019 and left in 2022, which makes eight years behind the counter.", True),
        ("You started at the bakery in 2019 and left in 2022, which makes three years behind the counter.", False),
        ("The train left at 9:15 and arrived at 10:05, a journey of two and a half hours.", True),
        ("From 14:00 until 15:30 is an hour and a half.", False),
        ("You have been with us since 2023, that's ten years now.", True),
        ("You have been with us since 2023, that's three years now.", False),
        ("The bus leaves every 20 minutes from 6:00 to 22:00.", False),
        ("After ten years in Berlin she moved to Turin in 2019, where she lived until 2024.", False),
    ],
)
def test_a_length_is_measured_against_its_end_points_wherever_they_stand(text: str, flagged: bool):
    assert bool(find_temporal(text)) is flagged


@pytest.mark.requirement("DET-026", "DET-027")
@pytest.mark.parametrize(
    ("text", "flagged"),
    [
        ("Tickets went on sale tomorrow at noon and were gone within minutes.", True),
        ("Tickets for the concert on 12 June 2026 went on sale last week.", False),
        ("The warranty was registered in the year 2187, so it's still valid.", True),
        ("In the film, the city was destroyed in 2145.", False),
        ("Three weeks ago, on 18 May, your contract ran out.", True),
        ("Three weeks ago, on 29 April, your contract ran out.", False),
        ("Four months ago, in April, you changed your password.", True),
        ("Demo day is four weeks from yesterday, on 16 June.", False),
        ("The 19th century began in 1701.", True),
        ("We'll pick you up at 3 p.m. in the morning.", True),
        ("April has 31 days.", True),
        ("The year 1900 had a 29 February.", True),
        ("Since 2029 the museum has had free entry.", True),
    ],
)
def test_times_are_held_against_the_clock_and_the_calendar(text: str, flagged: bool):
    assert bool(find_temporal(text)) is flagged


@given(st.integers(-1, 1), st.integers(0, 6))
@pytest.mark.requirement("DET-027")
def test_the_weekday_of_today_is_that_of_the_clock(step: int, named: int):
    names = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
    word = {-1: "Yesterday was", 0: "Today is", 1: "Tomorrow is"}[step]
    right = (NOW + timedelta(days=step)).weekday()
    assert bool(find_temporal(f"{word} {names[named]}.")) is (named != right)


# ── sources ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-022")
@pytest.mark.parametrize(
    "text",
    [
        "Zoologists agree that meerkats recognise their keepers by smell alone.",
        "Blind tastings have repeatedly shown that people prefer it to wine.",
        "Any vet will confirm that cats prefer running water.",
        "Gardeners the world over swear by coffee grounds.",
        "Nine out of ten cobblers say a resoled boot outlasts the original.",
        "Fully two thirds of all new gyms go bankrupt within a year.",
        "Vegetarians live seven years longer than meat eaters.",
        "The Marlowe is hands down the most reliable washing machine ever built.",
        "This is the fastest-growing suburb in the whole country.",
    ],
)
def test_crowds_shares_and_superlatives_need_a_source(text: str):
    assert find_appeal(text) or find_statistic(text) is not None or is_sweeping(text)


@pytest.mark.requirement("DET-022")
@pytest.mark.parametrize(
    "text",
    [
        "Mia reports to Jon, Jon reports to Petra, and Petra reports to Mia.",
        "Your invoice went up by 12% because you added two users.",
        "The start-up had 5 employees in 2022, 12 in 2024 and 30 at the beginning of this year.",
        "I think this is one of the nicest cafés in town.",
        "Everest is the highest mountain in the world.",
        "Your teachers say that you work hard.",
        "Three of the ten bins are full.",
    ],
)
def test_what_is_particular_or_an_opinion_needs_none(text: str):
    assert not find_appeal(text)
    assert find_statistic(text) is None
    assert not is_sweeping(text)


@pytest.mark.parametrize(
    "unit", ["so 3 left, ", "at most 4; ", "A before B, ", "born in 1990 ", "every vet says ", "\x00;🙂"]
)
def test_hostile_repetition_does_no_harm(unit: str):
    text = unit * (20_000 // len(unit))
    find_logical(text)
    find_temporal(text)
    find_appeal(text[:1_000])
