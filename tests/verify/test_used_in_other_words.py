"""A disputed value that an answer uses in words of its own."""

import pytest

from groundwire import Groundwire, Memory

GATE = Groundwire()


def _memories(old: str, new: str) -> list[Memory]:
    return [Memory(id="m1", text=old, timestamp=1_600_000_000), Memory(id="m2", text=new, timestamp=1_700_000_000)]


@pytest.mark.parametrize(
    ("answer", "old", "new"),
    [
        (
            "Every month, your salary is paid into an account with ING.",
            "My monthly salary goes into my account at Rabobank.",
            "My monthly salary goes into my account at ING.",
        ),
        (
            "The two of you are getting married at Villa Ortensia.",
            "The venue for our wedding is Castello Brandi.",
            "The venue for our wedding is Villa Ortensia.",
        ),
        (
            "Rovers Athletic have you as their head coach.",
            "The club I'm head coach of is Millbrook Town.",
            "The club I'm head coach of is Rovers Athletic.",
        ),
    ],
)
def test_a_value_that_one_memory_bears_out_and_another_denies_is_disputed(answer: str, old: str, new: str):
    report = GATE.verify(answer, memories=_memories(old, new))
    assert report.requires_disclosure
    assert not report.grounded


def test_what_both_memories_leave_alone_needs_no_disclosure():
    memories = _memories(
        "The venue for our wedding is Castello Brandi.", "The venue for our wedding is Villa Ortensia."
    )
    memories.append(Memory(id="m3", text="We invited 90 guests to our wedding.", timestamp=1_700_000_000))
    report = GATE.verify("You invited 90 guests.", memories=memories)
    assert not report.requires_disclosure
    assert report.grounded
