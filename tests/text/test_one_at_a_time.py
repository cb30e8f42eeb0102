"""Of what there is one at a time, where the subject has a part of its own or the name no capital."""

import pytest

from groundwire.text.reading import read_text


@pytest.mark.requirement("CTR-002")
@pytest.mark.parametrize(
    ("text", "exclusive"),
    [
        ("The kick-off with the client is on Thursday.", True),
        ("The meeting with my students is on Friday.", True),
        ("The main branch of Heron is called master.", True),
        ("Heron's main branch is called trunk.", True),
        ("My student is Omar.", False),
        ("A branch is called main.", False),
        ("The students of Ana are called kids.", False),
        ("The call for papers is open.", False),
    ],
)
def test_a_thing_with_a_part_of_its_own_has_one_day_and_one_name(text: str, exclusive: bool):
    assert [fact.exclusive for fact in read_text(text).facts] == [exclusive]


@pytest.mark.requirement("TXT-011")
@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("Ben owns a bakery.", {"own"}),
        ("Zoe owns the bakery on Mill Street.", {"owner"}),
        ("Zoe leads Project Otter.", {"owner"}),
    ],
)
def test_only_of_a_certain_thing_it_is_told_whose_it_is(text: str, slots: set[str]):
    assert {fact.slot_type for fact in read_text(text).facts} == slots
