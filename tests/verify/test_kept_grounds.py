"""Memories that were made ready for one answer are ready for the next, and no others are taken for them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.alignment import Aliases
from groundwire.types import Memory
from groundwire.verify.report import GroundCheckVerifier

_SAID = (
    Memory("a", "You live in Porto.", timestamp=1),
    Memory("b", "You work at Acme.", timestamp=2),
    Memory("c", "You live in Lisbon.", timestamp=3),
    Memory("d", "Your name is Ada.", timestamp=4),
)


def test_the_same_memories_are_prepared_once():
    verifier = GroundCheckVerifier()
    assert verifier.prepare(list(_SAID)) is verifier.prepare(tuple(_SAID))


def test_equal_memories_are_not_the_same_ones():
    """1 and 1.0 are equal and are written differently."""
    verifier, (first, *_) = GroundCheckVerifier(), _SAID
    whole, broken = replace(first, trust=1), replace(first, trust=1.0)
    assert verifier.prepare([whole]) is not verifier.prepare([broken])


def test_memories_in_another_order_or_of_another_number_are_prepared_anew():
    verifier = GroundCheckVerifier()
    ground = verifier.prepare(_SAID)
    assert verifier.prepare(_SAID[::-1]) is not ground
    assert verifier.prepare(_SAID[:3]) is not ground


def test_a_memory_that_took_the_place_of_one_that_is_gone_is_read():
    verifier = GroundCheckVerifier()
    for number in range(300):  # more than are kept: what is dropped frees the place for the next
        city = ("Porto", "Oslo")[number % 2]
        report = verifier.verify("You live in Porto.", [Memory("a", f"You live in {city}.")])
        assert report.grounded is (city == "Porto")


@given(st.lists(st.permutations(_SAID).map(lambda said: said[:3]), min_size=1, max_size=6))
def test_a_report_does_not_depend_on_what_was_verified_before(sets: list[list[Memory]]):
    text, known = "You live in Porto and work at Acme.", GroundCheckVerifier()
    for said in [*sets, *sets]:
        assert known.verify(text, said) == GroundCheckVerifier().verify(text, said)


def test_a_great_many_memories_are_not_kept():
    verifier = GroundCheckVerifier()
    many = [Memory(f"m{number}", f"You own {number} boats.") for number in range(100)]
    assert verifier.prepare(many) is not verifier.prepare(many)


def test_what_was_met_is_forgotten_before_it_grows_without_end():
    aliases = Aliases()
    for number in range(10_000):
        assert not aliases.match(f"person {number}", "user")
    assert len(aliases._met) <= 4096 and len(aliases._known) <= 8192  # pyright: ignore[reportPrivateUsage]
