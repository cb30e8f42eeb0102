"""Amounts by arithmetic: exact where two sentences differ in an amount alone, silent everywhere else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import stays_cheap
from groundwire.judge.arithmetic import compare_amounts
from groundwire.judge.judge import RulesJudge
from groundwire.types import Passage, Verdict, VerifierInput

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
INFINITE = 10**9

# Each bound with the whole numbers that it allows, first and last.
BOUNDS = {
    "{}": lambda n: (n, n),
    "exactly {}": lambda n: (n, n),
    "a total of {}": lambda n: (n, n),
    "more than {}": lambda n: (n + 1, INFINITE),
    "over {}": lambda n: (n + 1, INFINITE),
    "at least {}": lambda n: (n, INFINITE),
    "no fewer than {}": lambda n: (n, INFINITE),
    "{} or more": lambda n: (n, INFINITE),
    "fewer than {}": lambda n: (0, n - 1),
    "under {}": lambda n: (0, n - 1),
    "at most {}": lambda n: (0, n),
    "no more than {}": lambda n: (0, n),
    "{} or fewer": lambda n: (0, n),
}
FRAMES = [
    "Ana sold {} tickets.",
    "The library has {} books.",
    "The company employs {} people in Oslo.",
    "{} people came yesterday.",
    "You drink {} cups of coffee a day.",
]
BOUND, NUMBER = st.sampled_from(sorted(BOUNDS)), st.integers(3, 2_000)


def compare(claim: str, evidence: str) -> Verdict | None:
    found = compare_amounts(claim, Passage("p", evidence))
    return None if found is None else found.verdict


def relate(mine: tuple[int, int], theirs: tuple[int, int]) -> Verdict:
    if mine[0] <= theirs[0] and theirs[1] <= mine[1]:
        return SUPPORTED
    return REFUTED if mine[1] < theirs[0] or theirs[1] < mine[0] else INSUFFICIENT


@pytest.mark.requirement("JDG-020")
@given(st.sampled_from(FRAMES), BOUND, BOUND, NUMBER, NUMBER, st.booleans())
def test_the_verdict_is_that_of_interval_arithmetic(
    frame: str, mine: str, theirs: str, number: int, other: int, near: bool
):
    other = number + (other % 3) - 1 if near else other
    claim = frame.format(mine.format(f"{number:,}"))
    evidence = frame.format(theirs.format(str(other)))
    claim, evidence = claim[0].upper() + claim[1:], evidence[0].upper() + evidence[1:]
    expected = relate(BOUNDS[mine](number), BOUNDS[theirs](other))
    found = compare(claim, evidence)
    if found is None:  # the same words, or it depends on whether the things can be divided
        same_words = claim.lower().replace(",", "") == evidence.lower().replace(",", "")
        assert same_words or abs(number - other) <= 1, (claim, evidence)
    else:
        assert found is expected, (claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Ana sold fewer than 750 tickets.", "Ana sold 350 tickets.", SUPPORTED),
        ("Ana sold more than 400 tickets.", "Ana sold 350 tickets.", REFUTED),
        ("Ana sold 350 tickets.", "Ana sold fewer than 750 tickets.", INSUFFICIENT),
        ("Ana sold between 300 and 400 tickets.", "Ana sold 349 tickets.", SUPPORTED),
        ("Ana sold between 300 and 400 tickets.", "Ana sold 449 tickets.", REFUTED),
        ("Ana sold more than one hundred five tickets.", "Ana sold one hundred six tickets.", SUPPORTED),
        ("Ana sold more than one hundred and five tickets.", "Ana sold one hundred and four tickets.", REFUTED),
        ("Ana bought 150 pens.", "Ana bought one hundred and fifty pens.", SUPPORTED),
        ("Ana bought 2.5 million pens.", "Ana bought 2,500,000 pens.", SUPPORTED),
        ("Ana bought 2 million pens.", "Ana bought 2 thousand pens.", REFUTED),
        ("Ana bought more than 1 million pens.", "Ana bought 900 thousand pens.", REFUTED),
        ("Ana paid $5 for it.", "Ana paid 500 cents for it.", SUPPORTED),
        ("The bridge cost less than $40 million.", "The bridge cost $35 million.", SUPPORTED),
        ("His salary is over $50,000 a year.", "His salary is $48,000 a year.", REFUTED),
        ("It lasted for more than 3 hours.", "It lasted for 5 hours.", SUPPORTED),
        ("Ana ran 5 km there.", "Ana ran 5000 m there.", SUPPORTED),
        ("Ana has more than 2 cats.", "Ana has at least 3 cats.", SUPPORTED),
        ("Ana sold 5 tickets to 3 people.", "Ana sold 6 tickets to 3 people.", REFUTED),
        ("Ana sold three cars and Bob sold five.", "Ana sold five cars and Bob sold three.", REFUTED),
    ],
)  # fmt: skip
def test_amounts_are_read_in_words_in_figures_and_in_units(claim: str, evidence: str, expected: Verdict):
    assert compare(claim, evidence) is expected


LEFT_ALONE = {
    "the same words": [("Ana sold 350 tickets.", "Ana sold 350 tickets.")],
    "other words": [
        ("Ana sold 5 tickets.", "Bob sold 6 tickets."),
        ("Ana sold 5 tickets.", "Ana bought 6 tickets."),
        ("Ana sold 10 tickets.", "Ana sold 10 tickets more."),
        ("Ana sold 350 tickets and Bob left.", "Ana sold 350 tickets and 2 dogs."),
    ],
    "identifiers": [
        ("The part ABC-12 broke twice.", "The part ABC-13 broke twice."),
        ("Order 1234 was shipped.", "Order 1235 was shipped."),
        ("Room 12 is free today.", "Room 13 is free today."),
        ("He took room 12 there.", "He took room 13 there."),
        ("Bus 12 stops here daily.", "Bus 13 stops here daily."),
        ("Boeing 747 flew there.", "Boeing 737 flew there."),
        ("Call 555-1234 today please.", "Call 555-1235 today please."),
        ("Ana lives at 12 Main Street.", "Ana lives at 13 Main Street."),
    ],
    "years and dates": [
        ("Ana moved to Oslo in 2019.", "Ana moved to Oslo in 2020."),
        ("Ana sold 350 tickets in 2019.", "Ana sold 350 tickets in 2020."),
        ("Ana has been here since 2019.", "Ana has been here since 2020."),
        ("Ana was born on 3 May 1990.", "Ana was born on 4 May 1990."),
        ("Ana was born on May 3, 1990.", "Ana was born on May 4, 1990."),
        ("The meeting is at 3 pm today.", "The meeting is at 4 pm today."),
        ("The meeting is at 10:30 there.", "The meeting is at 10:45 there."),
    ],
    "versions": [
        ("He runs Python 3.11 there.", "He runs Python 3.12 there."),
        ("He runs version 1.2.3 there.", "He runs version 1.2.4 there."),
        ("Windows 10 is fine.", "Windows 11 is fine."),
        ("It became 1.5 there.", "It became 1.50 there."),
    ],
    "negation and quantifiers": [
        ("Ana did not sell 3 tickets.", "Ana did not sell 5 tickets."),
        ("Ana didn't sell more than 3 tickets.", "Ana didn't sell more than 5 tickets."),
        ("Ana cannot sell 3 tickets.", "Ana cannot sell 5 tickets."),
        ("Nobody sold more than 3 tickets.", "Nobody sold more than 5 tickets."),
        ("Few sold more than 3 tickets.", "Few sold more than 5 tickets."),
        ("Most sold more than 3 tickets.", "Most sold more than 5 tickets."),
        ("Every seller sold more than 3 tickets.", "Every seller sold more than 5 tickets."),
        ("Ana hardly sold more than 3 tickets.", "Ana hardly sold more than 5 tickets."),
        ("The first 3 sold out.", "The first 5 sold out."),
        ("Ana refuses more than 3 guests.", "Ana refuses more than 5 guests."),
    ],
    "what can be": [
        ("Ana can lift 50 kg.", "Ana can lift 100 kg."),
        ("Ana may have sold 3 tickets.", "Ana may have sold 5 tickets."),
        ("The room holds up to 50 people.", "The room holds up to 30 people."),
        ("Ana sold 5 tickets?", "Ana sold 6 tickets?"),
    ],
    "who is meant": [
        ("Children under 12 enter free.", "Children under 5 enter free."),
        ("Boxes over 3 kg are returned.", "Boxes over 5 kg are returned."),
        ("Ana accepts boxes over 3 kg.", "Ana accepts boxes over 5 kg."),
        ("Orders costing more than $50 ship free.", "Orders costing more than $100 ship free."),
        ("Teams with more than 5 players pay extra.", "Teams with more than 10 players pay extra."),
        ("Those who sold more than 5 tickets won it.", "Those who sold more than 10 tickets won it."),
    ],
    "vague amounts": [
        ("Ana sold about 350 tickets.", "Ana sold 900 tickets."),
        ("Ana sold just over 350 tickets.", "Ana sold 900 tickets."),
        ("Ana sold a few tickets, 3.", "Ana sold 12 tickets, 3."),
        ("Ana weighs 150 pounds now.", "Ana weighs 68 kg now."),
    ],
    "signs": [
        ("It was below 0 degrees.", "It was -3 degrees."),
        ("Ana sold <5 tickets.", "Ana sold 3 tickets."),
        ("It grew 12 % there.", "It grew 13 there."),
    ],
    "other measures": [
        ("Ana paid $5 for it.", "Ana paid €6 for it."),
        ("Ana earns $5 an hour.", "Ana earns $40."),
        ("It rose 5% there.", "It rose 6 there."),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("claim", "evidence"), [pair for pairs in LEFT_ALONE.values() for pair in pairs], ids=lambda text: str(text)[:40]
)
def test_what_arithmetic_cannot_decide_is_left_alone(claim: str, evidence: str):
    assert compare(claim, evidence) is None
    assert compare(evidence, claim) is None


def test_a_passage_that_has_the_sentence_twice_is_read_to_its_end():
    assert compare("Ana sold more than 5 tickets.", "Ana sold more than 4 tickets. Ana sold 9 tickets.") is SUPPORTED
    assert compare("Ana sold 5 tickets.", "It rained. Ana sold 6 tickets. Ana sold 7 tickets.") is REFUTED
    for first, second in (("5", "6"), ("6", "5")):
        assert compare("Ana sold 5 tickets.", f"Ana sold {first} tickets. Ana sold {second} tickets.") is None
    assert compare("Ana sold over 5 tickets.", "Ana sold 9 tickets. Ana sold 3 tickets.") is None


@pytest.mark.requirement("JDG-010", "JDG-011")
def test_the_finding_names_both_amounts_and_is_exact():
    question = VerifierInput("Ana sold more than 400 tickets.", (Passage("ledger", "Ana sold 350 tickets."),))
    found = RulesJudge(lambda: 0.0).judge(question)
    assert (found.verdict, found.reason, found.evidence_used) == (REFUTED, "other_value", ("ledger",))
    assert "“350”" in found.explanation and "“more than 400”" in found.explanation


@pytest.mark.requirement("JDG-009")
def test_two_passages_that_disagree_leave_the_claim_open():
    passages = Passage("a", "Ana sold 350 tickets."), Passage("b", "Ana sold 450 tickets.")
    found = RulesJudge(lambda: 0.0).judge(VerifierInput("Ana sold more than 400 tickets.", passages))
    assert (found.verdict, found.reason, found.conflicting) == (INSUFFICIENT, "conflict", ("a", "b"))


CLAIM = "Ana sold 5 tickets to 3 of 7 people and 9 dogs."
HOSTILE = {
    "one word": ("x" * 200_000, "x" * 200_000),
    "digits": ("1" * 200_000, "1" * 200_000),
    "numbers": ("1 " * 100_000, "2 " * 100_000),
    "many sentences": (CLAIM, "Ana sold 6 tickets to 4 of 8 people and 1 dogs. " * 4_000),
    "alike sentences": ("1 2 " * 45, ("2 1 " * 45 + ". ") * 1_000),
    "bounds": ("at least more than " * 20 + "5 tickets", ("no more than at most " * 20 + "6 tickets. ") * 400),
    "marks": (CLAIM, "-" * 100_000 + "<" * 100_000),
    "no spaces": (CLAIM, "5,6.7-8/9:" * 20_000),
}


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_input_stays_cheap(kind: str):
    claim, evidence = HOSTILE[kind]
    assert stays_cheap(lambda: (compare(claim, evidence), compare(CLAIM, evidence)))


@given(*[st.text(st.sampled_from("1 25.,-$%£½²٣\n'’/:ab") | st.characters(exclude_categories=["Cs"]), max_size=80)] * 2)
def test_no_text_makes_it_fail(claim: str, evidence: str):
    compare(claim, evidence)
    compare(f"Ana sold {claim} tickets.", f"Ana sold {evidence} tickets.")
