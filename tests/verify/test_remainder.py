"""What is left of an unsettled claim without one of its details."""

import pytest

from groundwire import Groundwire
from groundwire.text.reading import read_text
from groundwire.verify.remainder import list_remainders

GATE = Groundwire()


@pytest.mark.parametrize(
    ("claim", "remainders"),
    [
        ("You see the dentist on Friday at 3 pm.", {"You see the dentist at 3 pm", "You see the dentist on Friday"}),
        ("The team meets in Room 4 on Mondays.", {"The team meets on Mondays", "The team meets in Room 4"}),
        ("You live in Ghent.", set[str]()),
        ("You love Ghent.", set[str]()),
    ],
)
def test_a_claim_can_do_without_its_details_but_not_without_its_matter(claim: str, remainders: set[str]):
    (read,) = read_text(claim).claims
    assert {rest for _, rest in list_remainders(read)} == remainders


@pytest.mark.parametrize(
    ("answer", "memory", "untold"),
    [
        ("You see the dentist on Friday at 3 pm.", "I have a dentist appointment on Friday.", "3 pm"),
        (
            "You take your cat to the vet on Tuesday at 4 pm.",
            "I have an appointment at the vet for the cat on Tuesday.",
            "4 pm",
        ),
    ],
)
def test_what_the_model_bears_out_without_it_is_the_untold_detail(answer: str, memory: str, untold: str):
    report = GATE.verify(answer, memories=[memory])
    assert not report.grounded
    assert report.unverifiable == (untold,)


def test_where_no_memory_tells_of_the_matter_the_claim_is_quoted_whole():
    report = GATE.verify("You see the dentist on Friday at 3 pm.", memories=["I like rooibos."])
    assert not report.grounded
    assert report.unverifiable == ("You see the dentist on Friday at 3 pm",)
