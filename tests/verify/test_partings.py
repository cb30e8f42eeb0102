"""A change told in free words: what the clause says as a whole decides, and not one word in it."""

from __future__ import annotations

import pytest

from groundwire import Groundwire, Settings
from groundwire.judge.alignment import Aliases
from groundwire.text.reading import read_text
from groundwire.types import Memory, VerificationReport
from groundwire.verify.contradictions import ContradictionDetector
from groundwire.verify.partings import find_partings

RULES = Groundwire(settings=Settings(judge="rules"))
JANUARY, MARCH = 1704067200, 1709251200
WORK = ("I work at Siemens.", "I work at Bosch.")
HOME = ("I live in Leeds.", "I live in Bristol.")
SISTER = ("My sister lives in Leeds.", "My sister lives in Bristol.")
BOSS = ("My manager is Dana.", "My manager is Priya.")
OWNER = ("The owner of the search service is Odile.", "The owner of the search service is Farouk.")
BANK = ("My bank is Barclays.", "My bank is Monzo.")
CAR = ("I drive a Golf.", "I drive a Tesla.")
COLOUR = ("My favourite colour is blue.", "My favourite colour is green.")
CATS = ("I have two cats.", "I have three cats.")
RENT = ("My rent is 850 euros.", "My rent is 900 euros.")
STANDUP = ("The standup is at 9:00.", "The standup is at 9:30.")
DEADLINE = ("The deadline is 3 May.", "The deadline is 10 May.")
PORT = ("The deploy port is 8080.", "The deploy port is 9090.")
PHONE = ("My phone number is 555 1234.", "My phone number is 555 9876.")


def remember(texts: tuple[str, ...]) -> list[Memory]:
    return [Memory(f"m{n}", text, 0.9, JANUARY if n == 0 else MARCH) for n, text in enumerate(texts)]


def verify(texts: tuple[str, ...], answer: str) -> VerificationReport:
    return RULES.verify(answer, memories=remember(texts))


@pytest.mark.requirement("CTR-011", "CTR-015", "CTR-028")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        # left
        (WORK, "You handed in your notice at Siemens and started at Bosch."),
        (WORK, "Your days at Siemens are over, and you work at Bosch."),
        (WORK, "You work at Bosch. You turned in your badge at Siemens."),
        (WORK, "These days you work for Bosch, your job at Siemens having ended."),
        (HOME, "You packed your things in Leeds, and now you live in Bristol."),
        (HOME, "You sold your house in Leeds and live in Bristol."),
        (HOME, "You live in Bristol after years in Leeds."),
        (HOME, "You lived in Leeds before you moved to Bristol."),
        (HOME, "Bristol is your current city, Leeds the previous one."),
        (SISTER, "Your sister left Leeds for Bristol."),
        (BANK, "You bank with Monzo now, having left Barclays."),
        (BANK, "You closed your account at Barclays and bank with Monzo."),
        (CAR, "You traded in your Golf for a Tesla."),
        (CAR, "Your Golf is gone; you drive a Tesla."),
        # succeeded
        (BOSS, "Priya stepped into Dana's shoes as your manager."),
        (BOSS, "Dana passed the baton to Priya as your manager."),
        (OWNER, "Odile handed the search service over to Farouk."),
        (OWNER, "Ownership of the search service passed from Odile to Farouk."),
        (COLOUR, "Green has overtaken blue as your favourite colour."),
        (COLOUR, "Blue was your favourite colour, but now green is."),
        # by so much
        (CATS, "You have three cats now, one more than before."),
        (CATS, "You have three cats, up from two."),
        (RENT, "Your rent went up by 50 euros and is 900 euros now."),
        (STANDUP, "The standup is at 9:30, half an hour later than before."),
        (DEADLINE, "The deadline was extended by a week, from 3 May to 10 May."),
        (RENT, "Your rent is 900 euros; it was raised from 850 euros."),
        (RENT, "Your rent is 900 euros, 50 euros above the earlier figure."),
        (DEADLINE, "The deadline is now on 10 May, a week later than first announced."),
        # recorded
        (WORK, "An older note says you work at Siemens, but the newest one says Bosch."),
        (WORK, "Your memories disagree: one has you at Siemens, the other at Bosch."),
        (WORK, "In January you said it was Siemens, but in March you said it was Bosch."),
        (WORK, "Earlier you told me that you work at Siemens; now it's Bosch."),
        (WORK, "You said you work at Siemens, but more recently you said Bosch."),
        (HOME, "According to my records you first lived in Leeds and then moved to Bristol."),
        (OWNER, "Farouk is the owner of the search service now, taking over from Odile."),
        (OWNER, "Odile no longer owns the search service; Farouk does."),
        (PORT, "The deploy port is 9090; 8080 is the old one."),
        (PHONE, "Your phone number is 555 9876. 555 1234 no longer works."),
    ],
)
def test_a_change_told_in_free_words_is_disclosed_and_grounded(texts: tuple[str, ...], answer: str):
    report = verify(texts, answer)
    assert not report.requires_disclosure
    assert report.grounded, [(c.claim.text, c.standing) for c in report.claims]


@pytest.mark.requirement("CTR-012", "CTR-015", "CTR-021")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        # other people's partings
        (HOME, "Your sister moved from Leeds to Bristol."),
        (SISTER, "You moved from Leeds to Bristol."),
        (WORK, "You work at Bosch, and Tom's days at Siemens are over."),
        (CAR, "You drive a Tesla. Your wife sold her Golf."),
        # partings from something else
        (HOME, "You live in Bristol. You left your bag in Leeds."),
        (HOME, "You live in Bristol, and your job in Leeds ended."),
        (HOME, "You live in Bristol and lost your keys in Leeds."),
        (WORK, "You work at Bosch and closed your Siemens account."),
        (WORK, "Bosch replaced Siemens as the market leader."),
        (BOSS, "Priya is your manager. Dana retired the old server."),
        (BOSS, "Priya is your manager and followed Dana to lunch."),
        (HOME, "You live in Bristol and packed a bag in Leeds."),
        # journeys, plans, denials
        (HOME, "You went from Leeds to Bristol by train."),
        (HOME, "You will move from Leeds to Bristol."),
        (HOME, "You did not move from Leeds to Bristol."),
        (HOME, "You live in Bristol and never left Leeds."),
        (STANDUP, "The standup runs from 9:00 to 9:30."),
        # the wrong way round, or by too much
        (WORK, "You left Bosch for Siemens."),
        (BOSS, "Dana took over from Priya as your manager."),
        (OWNER, "Farouk handed the search service over to Odile."),
        (DEADLINE, "The deadline was brought forward by a week to 10 May."),
        (RENT, "Your rent is 900 euros, 100 euros more than before."),
        (RENT, "Your rent is 900 euros, 50 euros less than before."),
        (CATS, "You have three cats, one more than Tom."),
        # the figure of something else
        (PORT, "The deploy port is 9090. It took 8080 seconds before."),
        (DEADLINE, "The deadline is 10 May. You were away until 3 May."),
        (HOME, "You live in Bristol, an hour from the old harbour of Leeds."),
        (HOME, "You live in Bristol. Nothing has changed in Leeds."),
    ],
)
def test_what_only_sounds_like_the_change_is_not_grounded(texts: tuple[str, ...], answer: str):
    assert not verify(texts, answer).grounded


@pytest.mark.requirement("CTR-012", "CTR-015")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        ((*WORK, "I bought my old bike at Siemens."), "You work at Bosch and bought your old bike at Siemens."),
        ((*WORK, "My brother left Siemens."), "You work at Bosch and your brother left Siemens."),
        ((*WORK, "I sold my Siemens shares."), "You work at Bosch and sold your Siemens shares."),
        ((*HOME, "My train left Leeds at noon."), "You live in Bristol, and your train left Leeds at noon."),
        (
            (*HOME, "I met Tom in Leeds before the wedding."),
            "You live in Bristol and met Tom in Leeds before the wedding.",
        ),
        ((*BOSS, "Dana left a message for me."), "Your manager is Priya. Dana left a message for you."),
        ((*BOSS, "Dana changed the schedule."), "Your manager is Priya, and Dana changed the schedule."),
        ((*COLOUR, "My old car was blue."), "Your favourite colour is green. Your old car was blue."),
        (
            (*COLOUR, "I replaced the blue curtains."),
            "Your favourite colour is green, and you replaced the blue curtains.",
        ),
    ],
)
def test_a_former_value_in_a_true_claim_about_something_else_discloses_nothing(texts: tuple[str, ...], answer: str):
    report = verify(texts, answer)
    assert all(claim.verdict == "SUPPORTED" for claim in report.claims)
    assert report.requires_disclosure


@pytest.mark.requirement("CTR-012", "CTR-013")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (WORK, "Bosch is where you work."),
        (WORK, "You moved to Bosch."),
        (HOME, "You live over in Bristol."),
    ],
)
def test_the_new_value_in_words_of_no_slot_is_used_all_the_same(texts: tuple[str, ...], answer: str):
    assert verify(texts, answer).requires_disclosure


@pytest.mark.requirement("CTR-011")
def test_a_date_of_the_change_that_no_memory_has_discloses_but_is_not_grounded():
    report = verify(WORK, "In June it was Siemens; now you work at Bosch.")
    assert not report.requires_disclosure
    assert not report.grounded
    assert verify(WORK, "In January it was Siemens; now you work at Bosch.").grounded


def test_a_parting_is_found_with_its_words():
    contradictions = ContradictionDetector().detect(remember(WORK))
    reading = read_text("I checked. You work at Bosch, and your days at Siemens are over.")
    spans = [p.span for p in find_partings(reading, contradictions, Aliases())]
    assert any(reading.text[s.start : s.end].endswith("your days at Siemens are over") for s in spans)
    assert find_partings(read_text("You work at Bosch."), contradictions, Aliases()) == ()
