"""What a change or an event leaves behind, and what is only under way."""

import pytest
from claim_judging import N, R, S, judge

from groundwire.judge.changes import find_unfinished
from groundwire.types import Passage, Verdict


@pytest.mark.requirement("CTR-017")
@pytest.mark.parametrize(
    ("answer", "memory", "verdict"),
    [
        ("You use Zsh.", "We replaced Bash with Zsh.", S),
        ("You use Bash.", "We replaced Bash with Zsh.", R),
        ("You don't use Bash.", "We replaced Bash with Zsh.", S),
        ("The blog runs on Hugo.", "We moved the blog from WordPress to Hugo.", S),
        ("The blog runs on WordPress.", "We moved the blog from WordPress to Hugo.", R),
        ("You ride a scooter.", "I swapped my moped for a scooter.", S),
        ("You have a piano.", "I bought a piano in March.", S),
        ("You have a piano.", "I sold my piano in March.", R),
        ("You no longer have a piano.", "I sold my piano in March.", S),
        ("You drink wine.", "I gave up wine.", R),
        ("You gamble.", "I gave up gambling.", R),
        ("Your uncle is alive.", "My uncle died in 2001.", R),
        ("Your uncle is dead.", "My uncle died in 2001.", S),
    ],
)
def test_a_change_leaves_the_new_state(answer: str, memory: str, verdict: Verdict):
    assert judge(answer, memory) is verdict


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You use Zsh.", "We did not replace Bash with Zsh."),
        ("You use Zsh.", "We may replace Bash with Zsh."),
        ("Ana uses Zsh.", "We replaced Bash with Zsh."),
        ("You don't have a piano.", "I bought a piano in March."),
        ("You have a violin.", "I sold my piano in March."),
    ],
)
def test_a_change_says_nothing_of_what_it_is_not_about(answer: str, memory: str):
    assert judge(answer, memory) is not S


def test_a_change_under_way_is_not_made():
    assert find_unfinished("You use Podman.", Passage("m1", "We are switching from Docker to Podman.")) is not None
    assert find_unfinished("You use Podman.", Passage("m1", "We switched from Docker to Podman.")) is None
    assert find_unfinished("You use Docker.", Passage("m1", "We are switching from Docker to Podman.")) is None


@pytest.mark.parametrize(
    ("answer", "memory", "verdict"),
    [
        ("You sail.", "I used to sail.", N),
        ("You enjoy opera.", "I enjoyed opera as a student.", N),
        ("You paint.", "I was a painter until 2015.", N),
        ("You have retired.", "I retired in 2020.", S),
        ("You sail.", "I sail.", S),
    ],
)
def test_what_is_over_supports_no_present(answer: str, memory: str, verdict: Verdict):
    assert judge(answer, memory) is verdict


@pytest.mark.parametrize(
    ("answer", "memory", "verdict"),
    [
        ("Your choir practice is on Thursdays.", "I have choir practice on Thursdays.", S),
        ("Your choir practice is on Mondays.", "I have choir practice on Thursdays.", R),
        ("The workshop is in Linz.", "My uncle runs a workshop in Linz with six people.", S),
        ("The bike is in Linz.", "I bought a bike in Linz.", N),
    ],
)
def test_a_thing_is_where_and_when_one_has_it(answer: str, memory: str, verdict: Verdict):
    assert judge(answer, memory) is verdict
