"""A claim finds its evidence among many memories as surely as among few."""

from __future__ import annotations

import pytest

from groundwire.app import Groundwire
from groundwire.evidence.index import EvidenceIndex
from groundwire.text.reading import ReadClaim, read_text
from groundwire.types import Memory, VerificationReport

TOWNS = ["Ulm", "Bonn", "Kiel", "Trier", "Jena", "Essen", "Hagen", "Worms"]


def read_claim(text: str) -> ReadClaim:
    (claim,) = read_text(text).claims
    return claim


def crowd(count: int) -> list[Memory]:
    """Memories about other people, places and things."""
    frames = [
        "Person{n} lives in {town}.",
        "Person{n} paints {n} boats.",
        "Person{n} is from {town}.",
        "Lamp{n} is red.",
    ]
    return [Memory(f"x{n:04}", frames[n % len(frames)].format(n=n, town=TOWNS[n % len(TOWNS)])) for n in range(count)]


def chosen(claim: str, *memories: Memory) -> list[str]:
    return [read.passage.id for read in EvidenceIndex(memories).select(read_claim(claim))]


def test_a_few_memories_are_all_compared():
    memories = crowd(20)
    assert chosen("You work at Bosch.", *memories) == [memory.id for memory in memories]


@pytest.mark.requirement("OPS-009")
def test_of_many_memories_only_those_that_can_speak_are_compared():
    memories = [*crowd(400), Memory("mine", "I work at Bosch.")]
    found = chosen("You work at Bosch.", *memories)
    assert "mine" in found
    assert len(found) <= 50


@pytest.mark.parametrize(
    ("claim", "memory"),
    [
        ("You work at Bosch.", "My employer is Siemens."),
        ("You work at Bosch.", "I used to work at Shell."),
        ("You don't live in Oslo.", "I live in Bergen."),
        ("You bought three lamps.", "I purchased four lamps."),
        ("The committee approved the budget.", "The committee rejected the budget."),
        ("You are a nurse.", "I am a teacher."),
        ("You own a boat.", "I have a boat."),
    ],
)
def test_evidence_is_found_by_slot_and_by_meaning(claim: str, memory: str):
    assert "mine" in chosen(claim, *crowd(300), Memory("mine", memory))


def test_passages_come_in_the_order_of_the_memories():
    memories = [*crowd(60), Memory("b", "I work at Bosch."), Memory("a", "I work at Shell.")]
    found = chosen("You work at Bosch.", *memories)
    order = {memory.id: n for n, memory in enumerate(memories)}
    assert found == sorted(found, key=order.__getitem__)
    assert found.index("b") < found.index("a")


def test_every_memory_is_kept_with_its_trust_and_time():
    index = EvidenceIndex([Memory("a", "I work at Bosch.", 0.4, 7)])
    assert index.memories["a"].trust == 0.4
    (read,) = index.passages
    assert (read.passage.id, read.passage.trust, read.passage.timestamp) == ("a", 0.4, 7)
    assert [fact.raw for fact in read.reading.facts] == ["Bosch"]


def test_an_index_may_be_empty():
    assert chosen("You work at Bosch.") == []


def summary(report: VerificationReport) -> object:
    return (
        report.grounded, report.hallucinations, report.unverifiable, report.expected_disclosure, report.corrected,
        dict(report.grounding_map), [(c.verdict, c.standing, c.evidence, c.correction) for c in report.claims],
    )  # fmt: skip


@pytest.mark.requirement("CTR-002", "CTR-024")
@pytest.mark.parametrize(
    "text",
    [
        "You work at Amazon.",
        "You used to work at Microsoft and now work at Amazon.",
        "You live in Ulm and speak Danish.",
        "You live in Bonn.",
        "You don't live in Ulm.",
        "You bought three lamps in May.",
        "You bought four lamps.",
        "Your sister is a dentist.",
        "Your brother is a dentist.",
    ],
)
def test_a_crowd_of_other_memories_changes_nothing(text: str):
    memories = [
        Memory("m1", "I work at Microsoft.", 0.9, 1704067200),
        Memory("m2", "I work at Amazon.", 0.9, 1709251200),
        Memory("m3", "I live in Ulm."),
        Memory("m4", "I speak Danish."),
        Memory("m5", "I bought three lamps in May."),
        Memory("m6", "My sister is a dentist."),
    ]
    strangers = crowd(200)
    gate = Groundwire()
    alone = gate.verify(text, memories=memories)
    among = gate.verify(text, memories=[*strangers[:100], *memories, *strangers[100:]])
    assert summary(among) == summary(alone)


@pytest.mark.requirement("OPS-009")
def test_a_common_word_does_not_select_every_memory():
    memories = [Memory(f"x{n}", f"Person{n} bought a lamp.") for n in range(500)]
    assert len(chosen("You bought a lamp.", *memories)) <= 50
