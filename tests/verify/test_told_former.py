"""Disclosures in free words: grammar and words of time tell which value is the former one."""

from __future__ import annotations

import pytest

from groundwire import Groundwire, Settings
from groundwire.types import Memory, VerificationReport

RULES = Groundwire(settings=Settings(judge="rules"))
APRIL_2021, OCTOBER_2023 = 1617235200, 1697000000
HOME = ("I live in Stavanger.", "I live in Bergen.")
WORK = ("I work at Siemens.", "I work at Bosch.")
BOSS = ("My manager is Dana.", "My manager is Priya.")
OFFICE = ("My office is room 2.07.", "My office is room 4.12.")
STATUS = ("I am single.", "I am married.")
THERAPIST = ("My therapist is Dr. Bell.", "My therapist is Dr. Osei.")
SHIRT = ("My shirt size is medium.", "My shirt size is large.")
SISTER = ("My sister lives in Leeds.", "My sister lives in York.")
OMAR = ("Omar lives in Cairo.", "Omar lives in Alexandria.")
DOSE = ("I take 20 mg of atorvastatin.", "I take 40 mg of atorvastatin.")
DEADLINE = ("The grant deadline is 3 May.", "The grant deadline is 10 May.")
SEAT = ("My seat preference is aisle.", "My seat preference is window.")
CLUB = ("Our book club meets at the library.", "Our book club meets at Café Luna.")
PARTNER = ("My partner is Lena.", "My partner is Noor.")


def verify(texts: tuple[str, str], answer: str, *, dated: bool = True) -> VerificationReport:
    times = (APRIL_2021, OCTOBER_2023) if dated else (None, None)
    held = [Memory(f"m{n}", text, 0.9, when) for n, (text, when) in enumerate(zip(texts, times, strict=True))]
    return RULES.verify(answer, memories=held)


@pytest.mark.requirement("CTR-011", "CTR-015")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        # tense, with or without a date that a memory bears out
        (HOME, "You live in Bergen now; Stavanger was what you told me back in spring 2021."),
        (HOME, "Bergen. (Your 2021 note says Stavanger.)"),
        (OFFICE, "Your latest message says room 4.12. It was 2.07 before that."),
        (SISTER, "Your sister lives in York now; she was in Leeds before."),
        (OMAR, "Omar lives in Alexandria; he was in Cairo when you first mentioned him."),
        (DOSE, "It's 40 mg of atorvastatin according to your latest note. It was 20 mg previously."),
        (CLUB, "Your book club meets at Café Luna now; it was the library before."),
        # words of time
        (STATUS, "Married, going by your most recent note. (Older records still list you as single.)"),
        (WORK, "You're at Bosch; Siemens was the answer you gave me initially."),
        (BOSS, "Priya is your manager these days; Dana was listed before her."),
        (DEADLINE, "The grant deadline is 10 May, not 3 May as you first told me."),
        (PARTNER, "Your partner is Noor now; Lena was the name you gave me in April 2021."),
        # records
        (THERAPIST, "You've given me different names for your therapist, Dr. Bell at first and then Dr. Osei."),
        (SHIRT, "I've got two answers on file for your shirt size: first you said medium, more recently large."),
        (BOSS, "I have both Dana and Priya as your manager, Priya being the newer entry."),
        (WORK, "You work at Bosch. Siemens is also in my records, from April 2021."),
    ],
)
def test_a_value_told_as_former_is_disclosed_in_whatever_words(texts: tuple[str, str], answer: str):
    report = verify(texts, answer)
    assert not report.requires_disclosure
    assert report.grounded, [(claim.text, claim.standing) for claim in report.claims]


@pytest.mark.requirement("CTR-012")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        # a visit, a comparison, somebody else, another thing
        (HOME, "You live in Bergen, and you were in Stavanger last week."),
        (HOME, "You live in Bergen, which is bigger than Stavanger."),
        (HOME, "You live in Bergen. Your brother was in Stavanger before."),
        (HOME, "You live in Bergen, and the Stavanger office was closed before."),
        (HOME, "You live in Bergen. Your note from Stavanger was the first."),
        (WORK, "You work at Bosch. Your Siemens dishwasher was in the older note."),
        (SISTER, "Your sister lives in York. You were in Leeds before."),
        (OMAR, "Omar lives in Alexandria. You were in Cairo before."),
        (CLUB, "Your book club meets at Café Luna. You were at the library before."),
        # the value does something, or something is done to it
        (HOME, "You live in Bergen. You told me about Stavanger earlier."),
        (BOSS, "Your manager is Priya. Dana told me that first."),
        (BOSS, "Your manager is Priya, and Dana's note is older."),
        (PARTNER, "Your partner is Noor. You told Lena before."),
        (STATUS, "You are married, and there was a single note on file."),
        # a plan, a possibility, a question
        (HOME, "You live in Bergen now, and you will move to Stavanger later."),
        (HOME, "You live in Bergen. Is Stavanger still your old home?"),
        # both at once
        (HOME, "You live in Bergen and in Stavanger."),
        (WORK, "You work at both Bosch and Siemens."),
    ],
)
def test_a_value_that_is_named_for_something_else_is_not_told_as_former(texts: tuple[str, str], answer: str):
    assert verify(texts, answer).requires_disclosure


@pytest.mark.requirement("CTR-012")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (HOME, "You live in Stavanger now; Bergen was before."),
        (OFFICE, "Your office is room 2.07 now. It was 4.12 before that."),
        (STATUS, "You're single now, and your older records list you as married."),
        (SEAT, "Your seat preference is aisle now; window was before."),
        (SHIRT, "Your shirt size is medium; earlier you said large."),
    ],
)
def test_the_values_the_wrong_way_round_are_not_grounded(texts: tuple[str, str], answer: str):
    assert not verify(texts, answer).grounded


@pytest.mark.requirement("CTR-015")
@pytest.mark.parametrize(
    "answer",
    [
        "You live in Bergen now; Stavanger was what you told me in 2017.",
        "You live in Bergen now; in Stavanger you had a dog.",
        "You live in Bergen now. It was Stavanger before, which made you ill.",
    ],
)
def test_what_is_told_beside_the_change_is_not_borne_out_by_it(answer: str):
    report = verify(HOME, answer)
    assert not report.grounded
    assert report.unverifiable


@pytest.mark.requirement("CTR-015")
def test_records_without_dates_disclose_only_as_two_that_differ():
    told = "I've noted two answers for your shirt size: medium in one message and large in another."
    assert verify(SHIRT, told, dated=False).grounded
    assert not verify(HOME, "It's Bergen now. Stavanger had come first.", dated=False).grounded


@pytest.mark.requirement("CTR-011")
def test_a_time_that_no_calendar_has_is_no_date():
    held = [Memory("m0", HOME[0], 0.9, 10**17), Memory("m1", HOME[1], 0.9, 10**18)]
    report = RULES.verify("You live in Bergen now; in 2021 it was Stavanger.", memories=held)
    assert not report.requires_disclosure
