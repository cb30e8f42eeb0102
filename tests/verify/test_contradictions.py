"""Contradictions among memories: one subject, one slot, values that cannot all be true now."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import effort
from groundwire.types import ContradictionDetail, ContradictionType, Memory, MemoryKind, MemoryStatus
from groundwire.verify.contradictions import (
    TRUST_DIFF_THRESHOLD,
    TRUST_THRESHOLD,
    ContradictionDetector,
    classify_pair,
)

JANUARY, FEBRUARY, MARCH = 1704067200, 1706745600, 1709251200


def memory(id: str, text: str, trust: float = 0.9, timestamp: int | None = None) -> Memory:
    return Memory(id, text, trust, timestamp)


def detect(
    *memories: Memory | str, trust_threshold: float = TRUST_THRESHOLD, trust_gap: float = TRUST_DIFF_THRESHOLD
) -> tuple[ContradictionDetail, ...]:
    given_ = [m if isinstance(m, Memory) else Memory(f"m{n}", m) for n, m in enumerate(memories, 1)]
    return ContradictionDetector(trust_threshold=trust_threshold, trust_gap=trust_gap).detect(given_)


@pytest.mark.requirement("CTR-006")
def test_two_trusted_employers_are_one_contradiction():
    (found,) = detect(memory("m1", "Works at Microsoft", 0.85, JANUARY), memory("m2", "Works at Amazon", 0.85, MARCH))
    assert found.slot_type == "employer"
    assert found.values == ("Microsoft", "Amazon")
    assert found.contradiction_type is ContradictionType.INCOMPATIBLE_VALUES


@pytest.mark.requirement("CTR-005")
def test_a_detail_lists_every_memory_oldest_first_and_as_written():
    (found,) = detect(
        memory("c", "I work at BOSCH.", 0.8, MARCH),
        memory("a", "I work at Siemens AG.", 0.9, JANUARY),
        memory("b", "I work at Bosch GmbH.", 0.95, FEBRUARY),
    )
    assert found.memory_ids == ("a", "b", "c")
    assert found.values == ("Siemens AG", "Bosch GmbH", "BOSCH")
    assert found.trust_scores == (0.9, 0.95, 0.8)
    assert found.timestamps == (JANUARY, FEBRUARY, MARCH)


@pytest.mark.requirement("CTR-005")
def test_a_memory_without_a_time_counts_as_the_oldest():
    (found,) = detect(memory("a", "I work at Bosch.", timestamp=JANUARY), memory("b", "I work at Siemens."))
    assert found.memory_ids == ("b", "a")
    assert found.timestamps == (None, JANUARY)


@pytest.mark.requirement("CTR-002")
@pytest.mark.parametrize(
    "texts",
    [
        ("I work at Bosch.", "My employer is Bosch."),
        ("I work at Bosch.", "I work at Bosch GmbH."),
        ("I live in NYC.", "I live in New York City."),
        ("I live in San Francisco.", "I live in California."),
        ("I am a Software Engineer.", "I am a Senior Software Engineer."),
        ("I am thirty-four.", "I am 34 years old."),
        ("I am married.", "My wife is Ann."),
        ("My favorite color is teal.", "My favorite food is ramen."),
        ("I work at Bosch.", "I live in Ulm."),
        ("I work at Bosch.",),
        (),
    ],
)
def test_equivalent_compatible_and_unrelated_values_do_not_contradict(texts: tuple[str, ...]):
    assert detect(*texts) == ()


@pytest.mark.requirement("CTR-002", "CTR-009", "TXT-016")
@pytest.mark.parametrize(
    ("texts", "slot"),
    [
        (("I live in Leeds.", "I live in York."), "location"),
        (("I am 34 years old.", "I am 35."), "age"),
        (("I was born on 3 May 1990.", "I was born on 4 May 1990."), "birthday"),
        (("I am married.", "I am single."), "marital_status"),
        (("My favorite color is teal.", "My favorite color is mauve."), "favorite_color"),
        (("I am a data engineer.", "I am a software engineer."), "title"),
        (("My account status is active.", "My account status is suspended."), "account_status"),
    ],
)
def test_two_values_of_an_exclusive_slot_contradict(texts: tuple[str, str], slot: str):
    (found,) = detect(*texts)
    assert found.slot_type == slot


@pytest.mark.requirement("CTR-002", "CTR-027")
@pytest.mark.parametrize(
    "texts",
    [
        ("I work at Bosch.", "Alice works at Siemens."),
        ("My sister works at Bosch.", "My brother works at Siemens."),
        ("My sister works at Bosch.", "I work at Siemens."),
    ],
)
def test_different_people_do_not_contradict_each_other(texts: tuple[str, str]):
    assert detect(*texts) == ()


@pytest.mark.requirement("CTR-002")
def test_contradictions_are_found_per_subject_and_slot():
    found = detect(
        "I work at Bosch and live in Ulm.",
        "Alice works at Shell.",
        "I work at Siemens and live in Bonn.",
        "Alice works at Exxon.",
    )
    assert {(c.subject, c.slot_type, c.values) for c in found} == {
        ("user", "employer", ("Bosch", "Siemens")),
        ("user", "location", ("Ulm", "Bonn")),
        ("alice", "employer", ("Shell", "Exxon")),
    }


@pytest.mark.requirement("CTR-002", "CTR-027")
def test_one_person_under_two_names_can_contradict():
    (found,) = detect("My name is Nora.", "Nora lives in Cork.", "I live in Galway.")
    assert (found.subject, found.slot_type) == ("user", "location")
    (found,) = detect("My husband is Colm.", "Colm works at Shell.", "My husband works at Exxon.")
    assert (found.slot_type, set(found.values)) == ("employer", {"Shell", "Exxon"})


@pytest.mark.requirement("CTR-003")
@pytest.mark.parametrize(("trust", "count"), [(0.75, 1), (0.7499, 0), (0.74, 0), (1.0, 1)])
def test_only_trusted_memories_take_part(trust: float, count: int):
    assert TRUST_THRESHOLD == 0.75
    assert len(detect(memory("a", "I work at Bosch.", 0.9), memory("b", "I work at Shell.", trust))) == count


@pytest.mark.requirement("CTR-003")
def test_two_values_must_remain_after_the_filter():
    assert not detect(
        memory("a", "I work at Bosch.", 0.9), memory("b", "I work at Bosch.", 0.9), memory("c", "I work at Shell.", 0.5)
    )


@pytest.mark.requirement("CTR-003", "CTR-004", "CTR-007")
def test_the_reference_pairs_of_trust():
    pair = ("I work at Bosch.", "I work at Shell.")
    assert not detect(memory("a", pair[0], 0.9), memory("b", pair[1], 0.2))
    assert len(detect(memory("a", pair[0], 0.85), memory("b", pair[1], 0.83))) == 1


@pytest.mark.requirement("CTR-004")
@pytest.mark.parametrize(
    ("trusts", "gap", "count"),
    [((0.9, 0.7), 0.3, 1), ((0.9, 0.5), 0.3, 0), ((0.5, 0.9), 0.3, 0), ((0.9, 0.6), 0.3, 0), ((0.9, 0.85), 0.02, 0)],
)
def test_a_value_trusted_much_more_wins_instead_of_conflicting(trusts: tuple[float, float], gap: float, count: int):
    assert TRUST_DIFF_THRESHOLD == 0.3
    memories = memory("a", "I work at Bosch.", trusts[0]), memory("b", "I work at Shell.", trusts[1])
    assert len(detect(*memories, trust_threshold=0.0, trust_gap=gap)) == count


@pytest.mark.requirement("CTR-004")
def test_the_gap_is_taken_between_values_by_their_best_trust():
    memories = (
        memory("a", "I work at Bosch.", 0.2),
        memory("b", "I work at Bosch.", 0.9),
        memory("c", "I work at Shell.", 0.8),
    )
    (found,) = detect(*memories, trust_threshold=0.0)
    assert set(found.memory_ids) == {"a", "b", "c"}, "the weak supporter of a strong value belongs to it"


@pytest.mark.requirement("CTR-004")
def test_a_value_far_below_the_others_is_left_out():
    (found,) = detect(
        memory("a", "I work at Bosch.", 0.9),
        memory("b", "I work at Shell.", 0.8),
        memory("c", "I work at Exxon.", 0.3),
        trust_threshold=0.0,
    )
    assert set(found.values) == {"Bosch", "Shell"}


@pytest.mark.requirement("CTR-008")
@pytest.mark.parametrize(
    "texts",
    [
        ("I speak Danish.", "I speak Swedish."),
        ("I'm allergic to nuts.", "I'm allergic to shellfish."),
        ("My hobby is chess.", "My hobby is climbing."),
        ("I know Rust.", "I know Python."),
        ("I have a dog named Rex.", "I have a cat named Plum."),
        ("I speak Danish.", "I don't speak Swedish."),
        ("I speak Danish.", "Alice doesn't speak Danish."),
    ],
)
def test_many_values_of_an_additive_slot_live_together(texts: tuple[str, str]):
    assert detect(*texts) == ()


@pytest.mark.requirement("CTR-008", "CTR-009", "CTR-010")
@pytest.mark.parametrize(
    ("texts", "slot"),
    [
        (("I speak Danish.", "I don't speak Danish."), "language"),
        (("I'm not allergic to nuts.", "I'm allergic to nuts."), "allergy"),
        (("I work at Bosch.", "I don't work at Bosch."), "employer"),
        (("I don't live in Ulm.", "I live in Ulm."), "location"),
    ],
)
def test_a_value_stated_and_denied_is_a_direct_negation(texts: tuple[str, str], slot: str):
    (found,) = detect(*texts)
    assert (found.slot_type, found.contradiction_type) == (slot, ContradictionType.DIRECT_NEGATION)


@pytest.mark.requirement("CTR-009")
@pytest.mark.parametrize(
    "other",
    [
        "I used to work at Shell.",
        "I previously worked at Shell.",
        "I don't work at Shell.",
        "I no longer work at Shell.",
        "I will work at Shell.",
        "I think I work at Shell.",
    ],
)
def test_a_former_denied_planned_or_doubtful_value_does_not_compete(other: str):
    assert detect("I work at Bosch.", other) == ()


@pytest.mark.requirement("CTR-010")
@pytest.mark.parametrize(
    ("left", "right", "kind"),
    [
        ("I work at Bosch.", "I work at Shell.", ContradictionType.INCOMPATIBLE_VALUES),
        ("I work at Bosch.", "I don't work at Bosch.", ContradictionType.DIRECT_NEGATION),
        ("I work at Bosch.", "I live in Ulm.", None),
        ("I speak Danish.", "I speak Dutch.", None),
    ],
)
def test_a_pair_of_statements_is_typed(left: str, right: str, kind: ContradictionType | None):
    for pair in ((left, right), (right, left)):
        found = classify_pair(*pair)
        assert found.is_contradiction is (kind is not None)
        assert found.contradiction_type is kind
        assert 0.0 <= found.confidence <= 1.0


@pytest.mark.requirement("CTR-010")
def test_the_types_are_four():
    names = {"DirectNegation", "IncompatibleValues", "TemporalImpossibility", "LogicalImpossibility"}
    assert {kind.value for kind in ContradictionType} == names


@pytest.mark.requirement("CTR-032")
def test_a_shared_narrative_takes_no_part():
    story = replace(memory("s", "I work at Shell."), kind=MemoryKind.SHARED_NARRATIVE)
    assert detect(memory("a", "I work at Bosch."), story) == ()
    assert len(detect(memory("a", "I work at Bosch."), replace(story, kind=MemoryKind.USER_PATTERN))) == 1


@pytest.mark.requirement("CTR-031")
@pytest.mark.parametrize("status", list(MemoryStatus))
def test_age_and_status_do_not_take_a_memory_out(status: MemoryStatus):
    old = replace(memory("a", "I work at Bosch.", timestamp=1), status=status)
    (found,) = detect(old, memory("b", "I work at Shell.", timestamp=MARCH))
    assert found.values == ("Bosch", "Shell")
    assert found.trust_scores == (0.9, 0.9), "the stored trust, however old the memory is"


@pytest.mark.requirement("CTR-002", "CTR-029")
def test_the_order_of_the_memories_does_not_matter():
    memories = [
        memory("a", "I work at Bosch.", 0.9, JANUARY),
        memory("b", "I work at Shell.", 0.8, FEBRUARY),
        memory("c", "My employer is Bosch GmbH.", 0.85, MARCH),
        memory("d", "I live in Ulm.", 0.85, MARCH),
    ]
    found = {detect(*order) for order in itertools.permutations(memories)}
    assert len(found) == 1


@pytest.mark.requirement("CTR-029")
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["I work at", "I live in", "I speak", "Alice works at", "I don't work at"]),
            st.sampled_from(["Bosch", "Shell", "Oslo", "Danish"]),
            st.floats(0, 1),
            st.none() | st.integers(0, 2**31),
        ),
        max_size=8,
    )
)
def test_the_lists_of_a_detail_are_aligned_and_all_of_it_comes_from_the_memories(
    rows: list[tuple[str, str, float, int | None]],
):
    memories = {f"m{n}": Memory(f"m{n}", f"{v} {o}.", t, when) for n, (v, o, t, when) in enumerate(rows)}
    for found in ContradictionDetector().detect(list(memories.values())):
        assert len(found.values) == len(found.memory_ids) == len(found.trust_scores) == len(found.timestamps) >= 2
        for value, id, trust, when in zip(
            found.values, found.memory_ids, found.trust_scores, found.timestamps, strict=True
        ):
            assert value.removeprefix("not ") in memories[id].text
            assert (trust, when) == (memories[id].trust, memories[id].timestamp)
            assert trust >= TRUST_THRESHOLD
        assert list(found.timestamps) == sorted(found.timestamps, key=lambda t: -1 if t is None else t)


def count_calls(memories: list[Memory]) -> int:
    return effort.count_calls(lambda: ContradictionDetector().detect(memories))


@pytest.mark.requirement("OPS-009")
@pytest.mark.parametrize("pattern", ["I work at Firm{n}.", "Person{n} works at Firm{n}.", "My desk number is {n}."])
def test_twice_the_memories_are_at_most_a_little_more_than_twice_the_work(pattern: str):
    def build(start: int, count: int) -> list[Memory]:
        return [Memory(f"m{n}", pattern.format(n=n)) for n in range(start, start + count)]

    count_calls(build(50_000, 100))
    small, large = count_calls(build(10_000, 200)), count_calls(build(20_000, 400))
    assert large <= 2.6 * small


@pytest.mark.requirement("CTR-004")
def test_a_gap_of_exactly_the_threshold_is_no_contradiction():
    memories = memory("a", "I work at Bosch.", 0.95), memory("b", "I work at Shell.", 0.65)
    assert not detect(*memories, trust_threshold=0.0)


@pytest.mark.requirement("CTR-008")
@pytest.mark.parametrize("texts", [("I know Java 8.", "I know Java 11."), ("I use Python 3.11.", "I use Python 3.12.")])
def test_two_versions_of_an_additive_value_live_together(texts: tuple[str, str]):
    assert detect(*texts) == ()


@pytest.mark.requirement("CTR-002")
def test_a_favourite_colour_is_a_favorite_color():
    assert len(detect("My favorite color is teal.", "My favourite colour is mauve.")) == 1


@pytest.mark.requirement("CTR-002")
@pytest.mark.parametrize(
    ("one", "two", "clash"),
    [
        ("The bar closes at 2 on Saturdays.", "The bar closes at midnight on Sundays.", False),
        ("The bar closes at 2 on Saturdays.", "The bar closes at 3 on Saturdays.", True),
        ("The office opens at 8 in summer.", "The office opens at 9 in winter.", False),
        ("On Sundays the library closes at noon.", "The library closes at 8 pm.", True),
        ("The API is deployed on Heroku.", "The API is deployed on Render.", True),
    ],
)
def test_what_holds_on_other_days_is_no_contradiction(one: str, two: str, clash: bool):
    memories = [Memory(id="a", text=one), Memory(id="b", text=two)]
    assert bool(ContradictionDetector().detect(memories)) is clash
