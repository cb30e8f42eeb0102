"""The facade: what goes in is checked, what comes out is complete, and the parts work by themselves."""

from __future__ import annotations

import math

import pytest

from groundwire import ContradictionDetector, FactExtractor, GroundCheckVerifier, Groundwire, InvalidInput, Memory
from groundwire.settings import Settings
from groundwire.types import Passage, Verdict, VerifyMode

LIMITS = Settings(max_answer_characters=100, max_memory_characters=50, max_memories=3)


def refuse(field: str, message: str = ""):
    return pytest.raises(InvalidInput, match=rf"(?s)^{field}: .*{message}")


@pytest.mark.requirement("CTR-001")
@pytest.mark.parametrize("trust", [-0.01, 1.01, 7.0, math.nan, math.inf, -math.inf])
def test_trust_out_of_range_is_refused(trust: float):
    with refuse("trust", "'m1'") as error:
        Memory("m1", "I work at Bosch.", trust)
    assert error.value.field == "trust"


@pytest.mark.requirement("CTR-001")
@pytest.mark.parametrize("trust", [0.0, 0.5, 1.0])
def test_trust_in_range_is_taken(trust: float):
    assert Groundwire().verify("You work at Bosch.", memories=[Memory("m1", "I work at Bosch.", trust)]).grounded


@pytest.mark.requirement("CTR-001")
def test_an_id_given_twice_is_refused():
    memories = [Memory("m1", "I work at Bosch."), Memory("m2", "I live in Ulm."), Memory("m1", "I speak Danish.")]
    with refuse("memories", "'m1'"):
        Groundwire().verify("You work at Bosch.", memories=memories)
    with refuse("memories", "'e1'"):
        Groundwire().verify("You work at Bosch.", memories=[Memory("e1", "a")], passages=["b"])
    with refuse("evidence", "'p'"):
        Groundwire().judge("You work at Bosch.", [Passage("p", "a"), Passage("p", "b")])


@pytest.mark.requirement("SEC-012")
def test_the_limits_are_those_of_the_product():
    settings = Groundwire().settings
    assert settings.max_answer_characters == 200_000
    assert settings.max_memory_characters == 8_192
    assert settings.max_memories == 10_000


@pytest.mark.requirement("SEC-012")
def test_a_longer_answer_is_refused_and_one_at_the_limit_is_taken():
    gate = Groundwire()
    for call in (gate.verify, gate.claims, gate.facts):
        with refuse("text", "200,001"):
            call("x" * 200_001)
    with refuse("claim", "200,001"):
        gate.judge("x" * 200_001, ["a"])
    assert Groundwire(settings=LIMITS).verify(" " * 100).grounded
    with refuse("text", "101"):
        Groundwire(settings=LIMITS).verify(" " * 101)


@pytest.mark.requirement("SEC-012")
def test_a_longer_memory_is_refused_by_name():
    with refuse("memories", "'long'.*8,193"):
        Groundwire().verify("Hello!", memories=["I work at Bosch.", Memory("long", "x" * 8_193)])
    with refuse("memories", "'p9'"):
        Groundwire(settings=LIMITS).verify("Hello!", passages=[Passage("p9", "x" * 51)])
    assert Groundwire().verify("Hello!", memories=[" " * 8_192]).grounded


@pytest.mark.requirement("SEC-012")
def test_more_memories_are_refused():
    with refuse("memories", "10,001"):
        Groundwire().verify("Hello!", memories=[""] * 10_001)
    gate = Groundwire(settings=LIMITS)
    assert gate.verify("Hello!", memories=["a", "b", "c"]).grounded
    with refuse("memories", "4"):
        gate.verify("Hello!", memories=["a", "b"], passages=["c", "d"])


@pytest.mark.requirement("CTR-020")
def test_plain_strings_are_memories_of_full_trust_with_numbered_ids():
    report = Groundwire().verify("You work at Bosch and live in Ulm.", memories=["I work at Bosch.", "I live in Ulm."])
    assert report.grounding_map == {"Bosch": "m1", "Ulm": "m2"}


@pytest.mark.requirement("CTR-020")
def test_passages_are_evidence_like_memories():
    report = Groundwire().verify(
        "The meeting is on 3 May. The meeting is in Ulm.",
        passages=[Passage("minutes", "The meeting is on 3 May."), "The meeting is in Ulm."],
    )
    assert report.grounded
    assert set(report.grounding_map.values()) == {"minutes", "e2"}


@pytest.mark.requirement("CTR-027")
def test_the_user_may_be_named():
    memories = ["Nora lives in Cork."]
    assert Groundwire().verify("You live in Cork.", memories=memories, user="Nora").grounded
    assert Groundwire().verify("You live in Galway.", memories=memories, user="Nora").hallucinations == ("Galway",)
    assert Groundwire().verify("You live in Cork.", memories=memories).unverifiable == ("Cork",)
    assert Groundwire().verify("You live in Cork.", memories=memories, user="Dora").unverifiable == ("Cork",)


@pytest.mark.requirement("CTR-029")
def test_the_three_components_work_by_themselves():
    memories = [Memory("a", "I work at Bosch.", 0.9, 1), Memory("b", "I work at Shell.", 0.8, 2)]
    (fact,) = FactExtractor().extract("You work at Bosch.")
    assert (fact.subject, fact.slot_type, fact.raw) == ("user", "employer", "Bosch")
    (found,) = ContradictionDetector().detect(memories)
    assert (found.memory_ids, found.trust_scores, found.timestamps) == (("a", "b"), (0.9, 0.8), (1, 2))
    report = GroundCheckVerifier().verify("You work at Shell.", memories)
    assert report.expected_disclosure == "Shell (changed from Bosch)"


def test_claims_and_facts_of_a_text():
    gate = Groundwire()
    assert [claim.text for claim in gate.claims("Hello! You work at Bosch and live in Ulm.")] == [
        "You work at Bosch",
        "You live in Ulm",
    ]
    assert [(fact.slot_type, fact.raw) for fact in gate.facts("I work at Bosch and live in Ulm.")] == [
        ("employer", "Bosch"),
        ("location", "Ulm"),
    ]


@pytest.mark.requirement("JDG-006", "JDG-010")
def test_a_single_claim_can_be_judged():
    found = Groundwire().judge("You work at Bosch.", ["I work at Shell."], mode=VerifyMode.INLINE)
    assert (found.verdict, found.evidence_used, found.action.value) == (Verdict.REFUTED, ("e1",), "HALT")
    assert found.latency_ms >= 0.0


@pytest.mark.requirement("JDG-012")
def test_judging_without_evidence_is_insufficient():
    assert Groundwire().judge("You work at Bosch.", []).verdict is Verdict.INSUFFICIENT


def test_time_is_measured():
    assert Groundwire().verify("You work at Bosch.", memories=["I work at Bosch."]).latency_ms > 0.0


def test_a_store_is_refused_until_there_is_one():
    with refuse("store"):
        Groundwire("memory.db")


@pytest.mark.requirement("ACT-004")
def test_judging_follows_the_settings():
    gate = Groundwire(settings=Settings(refute_confidence=1.0))
    assert gate.judge("You work at Bosch.", ["I work at Shell."]).action.value == "CONTINUE"


@pytest.mark.requirement("ACT-003")
def test_low_confidence_follows_the_settings():
    gate = Groundwire(settings=Settings(low_confidence=1.0))
    assert gate.judge("You work at Bosch.", ["I work at Bosch."]).low_confidence
