"""Who is left out of what is said of all."""

import pytest

from groundwire.judge.exceptions import find_exception, shares_exception

TEAM = "All of my team works remotely, only Mara comes to the office."

HELD = [
    ("Everyone came.", "All came, only Jo did not."),
    ("Everyone came.", "Everyone came except Jo."),
    ("Everyone in your team works remotely.", TEAM),
    ("Mara works remotely.", TEAM),
    ("Jo came to the party.", "Everybody came to the party but Jo."),
    ("Tom passed the exam.", "All students passed the exam except Tom."),
    ("All students passed the exam.", "All students passed the exam apart from Tom."),
    ("Everyone was late except Kim.", "Kim was the only one who was late."),
    ("Everyone except Mara eats meat.", "Everyone eats meat."),
    ("Everyone except Ben works remotely.", TEAM),
    ("All the rooms are painted.", "All the rooms are painted, only the kitchen is not."),
]
FREE = [
    ("Everyone except Mara eats meat.", "Everybody eats meat but Mara."),
    ("Everyone except Mara works remotely.", TEAM),
    ("Mara does not work remotely.", TEAM),
    ("Everyone came.", "Everyone came."),
    ("Everyone came.", "Everyone came, and they only left at ten."),
    ("Tom failed the exam.", "Nobody failed the exam except Tom."),
    ("Mara comes to the office.", "Mara comes to the office. All the others stay at home except on Fridays."),
    ("You run marathons.", "Marathons all day, just running circles!"),
    ("Nobody but Kim was late.", "Kim was the only one who was late."),
]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("claim", "evidence"), HELD)
def test_all_but_one_are_not_all_and_the_one_is_none_of_them(claim: str, evidence: str):
    assert find_exception(claim, evidence) is not None


@pytest.mark.parametrize(("claim", "evidence"), FREE)
def test_where_both_leave_out_the_same_or_nobody_nothing_is_held_against_it(claim: str, evidence: str):
    assert find_exception(claim, evidence) is None


def test_the_same_exception_in_a_clause_of_its_own_refutes_nothing():
    assert shares_exception("Everyone except Mara works remotely.", TEAM)
    assert not shares_exception("Everyone except Ben works remotely.", TEAM)
    assert not shares_exception("Everyone works remotely.", TEAM)
