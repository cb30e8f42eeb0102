"""The report of the read gate: what is grounded and by which memory, what is wrong and where, what is open and why."""

from __future__ import annotations

import itertools
import json
import socket
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import effort
from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types import Action, Memory, Standing, Verdict, VerificationReport, VerifyMode
from groundwire.verify.report import GroundCheckVerifier

JANUARY, MARCH = 1704067200, 1709251200
EMPLOYER = Memory("m1", "I work at Microsoft.", 0.85, JANUARY), Memory("m2", "I work at Amazon.", 0.85, MARCH)
DEV = Path(__file__).parents[2] / "benchmarks" / "data" / "answers_dev.jsonl"
ANY_TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=120)

FRAMES = {
    "I work at {}.": ["Bosch", "Goldman Sachs", "3M", "AT&T", "O'Reilly", "Crédit Agricole", "Ben & Jerry's"],
    "I live in {}.": ["Ulm", "New York City", "São Paulo", "St. Gallen", "Zürich", "the Hague"],
    "I am {} years old.": ["34", "thirty-four", "101"],
    "My favorite color is {}.": ["teal", "dark blue", "off-white"],
    "My name is {}.": ["Nora", "Nora O'Brien", "Zoë"],
    "I am {}.": ["a nurse", "an accountant", "a senior data engineer"],
    "I don't speak {}.": ["Danish", "Swiss German"],
    "I used to live in {}.": ["Leeds", "Los Angeles"],
    "My sister works at {}.": ["Shell", "Marks & Spencer"],
    "I bought {}.": ["three lamps", "a red bicycle for 250 euros"],
    "The committee approved {}.": ["the budget in May", "plan B"],
    "I take {}.": ["5 mg of ramipril every morning"],
}
SENTENCES = (
    st.lists(st.sampled_from(sorted(FRAMES)), min_size=1, max_size=4, unique=True)
    .flatmap(lambda frames: st.tuples(*(st.sampled_from(FRAMES[f]).map(f.format) for f in frames)))
    .map(" ".join)
)


def verify(text: str, *memories: Memory | str, settings: Settings | None = None) -> VerificationReport:
    return Groundwire(settings=settings).verify(text, memories=memories)


def standing(text: str, *memories: Memory | str) -> Standing:
    (claim,) = verify(text, *memories).claims
    return claim.standing


@cache
def read_cases() -> tuple[tuple[str, tuple[Memory, ...]], ...]:
    rows = [json.loads(line) for line in DEV.read_text(encoding="utf-8").splitlines()]
    return tuple(
        (row["text"], tuple(Memory(m["id"], m["text"], m.get("trust", 1.0), _whole(m)) for m in row["memories"]))
        for row in rows
    )


def _whole(memory: dict[str, Any]) -> int | None:
    when = memory.get("timestamp")
    if isinstance(when, str):
        moment = datetime.fromisoformat(when)
        when = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return None if when is None else int(when)


@cache
def report_cases() -> tuple[VerificationReport, ...]:
    gate = Groundwire()
    return tuple(gate.verify(text, memories=memories) for text, memories in read_cases()[::3])


# ── grounded ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-020", "CTR-021", "CTR-022")
def test_an_answer_is_grounded_when_every_claim_is_supported():
    report = verify("You work at Bosch and live in Ulm.", "I work at Bosch.", "I live in Ulm.")
    assert report.grounded
    assert (report.hallucinations, report.unverifiable) == ((), ())
    assert report.grounding_map == {"Bosch": "m1", "Ulm": "m2"}
    assert report.action is Action.CONTINUE


@pytest.mark.requirement("CTR-021", "CTR-022")
@pytest.mark.parametrize(
    ("text", "hallucinations", "unverifiable"),
    [
        ("You work at Shell.", ["Shell"], []),
        ("You live in Bonn.", [], ["Bonn"]),
        ("You work at Bosch and live in Bonn.", [], ["Bonn"]),
        ("You work at Shell and live in Bonn.", ["Shell"], ["Bonn"]),
        ("You speak Dutch.", [], ["Dutch"]),
        ("You don't work at Bosch.", ["You don't work at Bosch"], []),
        ("Alice works at Bosch.", [], ["Bosch"]),
    ],
)
def test_what_is_wrong_is_told_from_what_is_unknown(text: str, hallucinations: list[str], unverifiable: list[str]):
    report = verify(text, "I work at Bosch.", "I speak French.")
    assert list(report.hallucinations) == hallucinations
    assert list(report.unverifiable) == unverifiable
    assert not report.grounded


@pytest.mark.requirement("CTR-021", "JDG-016")
@pytest.mark.parametrize("text", ["", "   \n", "Hello!", "How are you?", "Please open the door.", "```\nx = 1\n```"])
def test_an_answer_without_claims_is_grounded(text: str):
    report = verify(text, *EMPLOYER)
    assert (report.grounded, report.claim_count, report.action) == (True, 0, Action.CONTINUE)
    assert report.confidence == 1.0
    assert report.corrected is None


@pytest.mark.requirement("CTR-021")
def test_a_hidden_contradiction_makes_a_supported_answer_ungrounded():
    report = verify("You work at Amazon.", *EMPLOYER)
    assert [c.verdict for c in report.claims] == [Verdict.SUPPORTED]
    assert not report.grounded


@pytest.mark.requirement("CTR-021", "CTR-022")
def test_grounded_means_just_that_for_every_answer():
    for report in report_cases():
        sound = all(c.verdict is Verdict.SUPPORTED or c.standing is Standing.HEDGED for c in report.claims)
        assert report.grounded == (sound and not report.requires_disclosure and not report.not_analysed)
        assert report.requires_disclosure == bool(report.disclosures) == (report.expected_disclosure is not None)
        assert not (report.grounded and (report.hallucinations or report.unverifiable))


# ── quotes and spans ────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-023")
@pytest.mark.parametrize(
    ("text", "memory", "quotes"),
    [
        ("YOU WORK AT AMAZON.", "I work at Bosch.", ("AMAZON",)),
        ("you work at amazon", "I work at Bosch.", ("amazon",)),
        ("You work at sIeMENS AG.", "I work at Bosch.", ("sIeMENS AG",)),
        ("You speak DUTCH.", "I work at Bosch.", ("DUTCH",)),
        ("Your favorite color is Off-White.", "My favorite color is teal.", ("Off-White",)),
    ],
)
def test_quotes_keep_the_casing_of_the_answer(text: str, memory: str, quotes: tuple[str, ...]):
    report = verify(text, memory)
    assert report.hallucinations + report.unverifiable == quotes


@pytest.mark.requirement("CTR-022", "CTR-023")
@pytest.mark.parametrize(
    ("text", "memories", "wrong"),
    [
        ("Voilà 🎉! You work at Shell.", ["I work at Bosch."], "Shell"),
        ("You are a nurse at Mercy Hospital in Leeds.", ["I am a nurse at Mercy Hospital in York."], "Leeds"),
        ("You visited Rome in 2019.", ["I visited Rome in 2018."], "2019"),
        ("Your sister lives in Rome.", ["My sister lives in Milan."], "Rome"),
        ("Shell is where you work.", ["I work at Bosch."], "Shell"),
        ("You work at Microsoft.", EMPLOYER, "Microsoft"),
        ("You live in San Francisco.", ["I live in California."], "San Francisco"),
    ],
)
def test_the_span_of_what_is_wrong_is_exact(text: str, memories: Sequence[Memory | str], wrong: str):
    faults = [c for c in verify(text, *memories).claims if c.wrong is not None]
    assert [text[slice(*c.wrong)] for c in faults if c.wrong] == [wrong]


@pytest.mark.requirement("CTR-023")
def test_every_span_and_quote_is_part_of_its_answer():
    for report in report_cases():
        for claim in report.claims:
            for span in filter(None, (claim.span, claim.wrong, claim.claim.value_span)):
                assert 0 <= span.start < span.end <= len(report.text)
            assert (claim.wrong is None) or claim.verdict is not Verdict.SUPPORTED
        for quote in report.hallucinations + report.unverifiable:
            assert quote and quote in report.text
        for disclosure in report.disclosures:
            assert report.text[slice(*disclosure.span)]


# ── what supports what ──────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-026")
@pytest.mark.parametrize(
    ("text", "memory", "expected"),
    [
        ("You do not work at Microsoft.", "Works at Microsoft", Standing.REFUTED),
        ("You do not work at Microsoft.", "I work at Amazon.", Standing.SUPPORTED),
        ("You do not work at Microsoft.", "I don't work at Microsoft.", Standing.SUPPORTED),
        ("You don't speak Dutch.", "I speak French.", Standing.UNSUPPORTED),
        ("You don't speak Dutch.", "I speak Dutch.", Standing.REFUTED),
        ("You never eat fish.", "I eat fish.", Standing.REFUTED),
        ("You have no cats.", "I have a cat named Plum.", Standing.REFUTED),
        ("You live in Oslo.", "I don't live in Oslo.", Standing.REFUTED),
    ],
)
def test_negation_counts(text: str, memory: str, expected: Standing):
    assert standing(text, memory) is expected


@pytest.mark.requirement("CTR-027")
@pytest.mark.parametrize("memory", ["I work at Google.", "I work at Apple."])
def test_somebody_elses_job_is_unverifiable_by_mine(memory: str):
    report = verify("Alice works at Google.", memory)
    assert report.unverifiable == ("Google",)
    assert report.hallucinations == ()
    assert standing("You work at Google.", "Alice works at Google.") is Standing.UNSUPPORTED
    assert standing("You work at Apple.", "Alice works at Google.", "I work at Apple.") is Standing.SUPPORTED


@pytest.mark.requirement("CTR-027")
@pytest.mark.parametrize(
    ("text", "memories", "expected"),
    [
        ("Nora lives in Cork.", ["My name is Nora.", "I live in Cork."], Standing.SUPPORTED),
        ("Nora lives in Galway.", ["My name is Nora.", "I live in Cork."], Standing.REFUTED),
        ("Dora lives in Cork.", ["My name is Nora.", "I live in Cork."], Standing.UNSUPPORTED),
        ("Colm works at Shell.", ["My husband Colm works at Shell."], Standing.SUPPORTED),
        ("Your husband works at Shell.", ["My husband is Colm.", "Colm works at Shell."], Standing.SUPPORTED),
        ("Colm works at Exxon.", ["My husband is Colm.", "My husband works at Shell."], Standing.REFUTED),
        ("Your mom lives in Cork.", ["My mother lives in Cork."], Standing.SUPPORTED),
        ("Your sister lives in Cork.", ["My brother lives in Cork."], Standing.UNSUPPORTED),
    ],
)
def test_people_are_known_by_their_names_and_relations(text: str, memories: list[str], expected: Standing):
    assert standing(text, *memories) is expected


@pytest.mark.requirement("CTR-028")
def test_a_claim_about_the_past_is_grounded_in_an_older_memory():
    report = verify("You used to work at Microsoft.", *EMPLOYER)
    assert report.grounded
    assert report.grounding_map == {"Microsoft": "m1"}
    assert not report.requires_disclosure
    assert standing("You formerly worked at Exxon.", *EMPLOYER) is Standing.UNSUPPORTED


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("You have three kids.", "I have 3 children."),
        ("You are 34.", "I am thirty-four."),
        ("You live in SF.", "I live in San Francisco."),
        ("You live in NYC.", "I live in New York City."),
        ("You have an engineering role.", "I am an engineer."),
        ("You work at Microsoft Corporation.", "I work at microsoft."),
        ("Your meeting is at 3 pm.", "My meeting is at 15:00."),
        ("You are a Software Engineer.", "I am a Senior Software Engineer."),
    ],
)
def test_another_spelling_of_the_same_value_is_grounded(text: str, memory: str):
    assert verify(text, memory).grounded


@pytest.mark.requirement("TXT-016")
@pytest.mark.parametrize(
    ("text", "memory"),
    [
        ("You were born in 2018.", "I was born in 2019."),
        ("The server runs version 1.3.", "The server runs version 1.2."),
        ("We use ADR-003 for storage.", "We use ADR-008 for storage."),
        ("Your passport number is X1234567.", "My passport number is X1234576."),
        ("Your meeting is at 4 pm.", "My meeting is at 15:00."),
        ("Your manager is Jan Kowalski.", "My manager is Jan Kowalsky."),
        ("Your room is 412B.", "My room is 412D."),
    ],
)
def test_a_value_that_is_only_alike_is_never_grounded(text: str, memory: str):
    assert not verify(text, memory).grounded


# ── grounding map ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-024")
@pytest.mark.parametrize(
    ("memories", "id"),
    [
        ([Memory("b", "I work at Bosch.", 0.8, MARCH), Memory("c", "I work at Bosch.", 0.9, JANUARY)], "c"),
        ([Memory("b", "I work at Bosch.", 0.9, JANUARY), Memory("c", "I work at Bosch.", 0.9, MARCH)], "c"),
        ([Memory("b", "I work at Bosch.", 0.9, MARCH), Memory("c", "I work at Bosch.", 0.9, MARCH)], "b"),
        ([Memory("b", "I work at Bosch.", 0.9), Memory("c", "I work at Bosch.", 0.9, JANUARY)], "c"),
    ],
)
def test_a_value_maps_to_the_most_trusted_then_newest_then_first_memory(memories: list[Memory], id: str):
    for order in itertools.permutations(memories):
        assert verify("You work at Bosch.", *order).grounding_map == {"Bosch": id}


@pytest.mark.requirement("CTR-024")
def test_one_value_in_two_slots_is_prefixed_with_its_slot():
    report = verify("Your name is Jordan. You live in Jordan.", "My name is Jordan.", "I live in Jordan.")
    assert report.grounding_map == {"name:Jordan": "m1", "location:Jordan": "m2"}


@pytest.mark.requirement("CTR-024")
def test_only_supported_values_are_mapped():
    report = verify("You work at Bosch, live in Bonn and speak Dutch.", "I work at Bosch.", "I live in Ulm.")
    assert report.grounding_map == {"Bosch": "m1"}


@pytest.mark.requirement("CTR-024")
def test_a_partly_wrong_claim_still_maps_its_right_parts():
    report = verify("You are a nurse at Mercy Hospital in Leeds.", "I am a nurse at Mercy Hospital in York.")
    assert report.grounding_map == {"nurse": "m1", "Mercy Hospital": "m1"}


@pytest.mark.requirement("CTR-024")
def test_every_mapped_value_is_in_the_answer_and_every_id_is_a_memory():
    for (text, memories), report in zip(read_cases()[::3], report_cases(), strict=True):
        ids = {memory.id for memory in memories}
        for value, id in report.grounding_map.items():
            assert value in text or value.partition(":")[2] in text
            assert id in ids
        assert all(set(claim.evidence) <= ids for claim in report.claims)


# ── actions and stages ──────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ACT-001", "CTR-020")
def test_one_report_holds_the_result_of_every_stage():
    report = verify("You work at Amazon and live in Bonn.", *EMPLOYER, "I live in Ulm.")
    assert [c.text for c in report.claims] == ["You work at Amazon", "You live in Bonn"]
    assert [c.evidence for c in report.claims] == [("m2",), ("m3",)]
    assert [c.verdict for c in report.claims] == [Verdict.SUPPORTED, Verdict.REFUTED]
    assert [c.slot_type for c in report.contradictions] == ["employer"]
    assert report.expected_disclosure == "Amazon (changed from Microsoft)"
    assert report.hallucinations == ("Bonn",)
    assert report.corrected == "You work at Amazon (changed from Microsoft) and live in Ulm."
    assert report.action is Action.BRANCH
    assert report.judge == "mini.v10+rules.v1"


@pytest.mark.requirement("JDG-016", "JDG-017")
def test_an_answer_is_as_sure_as_its_least_sure_claim_and_as_severe_as_its_worst():
    report = verify(
        "You never eat fish. You work at Shell. You live in Ulm.", "I eat fish.", "I work at Bosch.", "I live in Ulm."
    )
    actions = [claim.action for claim in report.claims]
    assert actions == [Action.CONTINUE, Action.BRANCH, Action.CONTINUE], "an unsure refutation hides no sure one"
    assert report.action is Action.BRANCH
    assert report.confidence == min(claim.confidence for claim in report.claims)


@pytest.mark.requirement("JDG-006", "ACT-004", "ACT-006")
@pytest.mark.parametrize(
    ("text", "mode", "branches", "action"),
    [
        ("You work at Shell.", "POSTHOC", 0, "BRANCH"),
        ("You work at Shell.", "POSTHOC", 3, "ABSTAIN"),
        ("You work at Shell.", "INLINE", 0, "HALT"),
        ("You work at Bosch.", "INLINE", 0, "CONTINUE"),
        ("You live in Ulm.", "POSTHOC", 0, "BRANCH"),
        ("You live in Ulm.", "POSTHOC", 3, "CONTINUE"),
        ("You live in Ulm.", "INLINE", 0, "BRANCH"),
    ],
)
def test_mode_and_branches_decide_the_action(text: str, mode: str, branches: int, action: str):
    memories = [Memory("m1", "I work at Bosch.")]
    report = GroundCheckVerifier().verify(text, memories, mode=VerifyMode(mode), branch_count=branches)
    assert report.action is Action(action)


@pytest.mark.requirement("ACT-004", "ACT-005")
def test_thresholds_of_action_come_from_the_settings():
    memories = [Memory("m1", "I work at Bosch.")]
    sure = GroundCheckVerifier(Settings(refute_confidence=1.0)).verify("You work at Shell.", memories)
    assert (sure.action, sure.hallucinations) == (Action.CONTINUE, ("Shell",)), "still in the report"
    one = GroundCheckVerifier(Settings(max_branches=1)).verify("You work at Shell.", memories, branch_count=1)
    assert one.action is Action.ABSTAIN


@pytest.mark.requirement("ACT-006")
def test_what_could_not_be_verified_is_named_in_a_caveat():
    report = verify("You work at Bosch. You speak Dutch.", "I work at Bosch.")
    assert report.caveat is not None and "You speak Dutch" in report.caveat
    assert "Bosch" not in report.caveat
    assert verify("You work at Bosch.", "I work at Bosch.").caveat is None


@pytest.mark.requirement("ACT-020")
@pytest.mark.parametrize("mode", list(VerifyMode))
def test_a_missing_disclosure_branches_with_guidance_and_never_halts(mode: VerifyMode):
    report = GroundCheckVerifier().verify("You work at Amazon.", EMPLOYER, mode=mode)
    assert report.action is Action.BRANCH
    assert report.expected_disclosure == "Amazon (changed from Microsoft)"
    assert report.corrected == "You work at Amazon (changed from Microsoft)."


@pytest.mark.requirement("TXT-006")
def test_no_more_than_max_claims_are_analysed_and_the_rest_is_never_passed():
    people = ["Ann", "Bea", "Cleo", "Dora", "Eve", "Fay"]
    memories = [f"{name} works at Bosch." for name in people]
    report = verify(" ".join(memories), *memories, settings=Settings(max_claims=4))
    assert (report.claim_count, report.not_analysed, report.grounded) == (4, 2, False)
    assert all(claim.verdict is Verdict.SUPPORTED for claim in report.claims)
    whole = verify(" ".join(memories), *memories, settings=Settings(max_claims=6))
    assert (whole.claim_count, whole.not_analysed, whole.grounded) == (6, 0, True)


@pytest.mark.requirement("TXT-006")
def test_fifty_claims_are_analysed_unless_told_otherwise():
    text = " ".join(f"Robot{n} weighs {n} kilograms." for n in range(10, 70))
    report = verify(text, "I work at Bosch.")
    assert (report.claim_count, report.not_analysed) == (50, 10)


# ── settings ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-008", "CTR-009", "TXT-010")
def test_a_deployment_may_reclassify_a_slot():
    one_language = Groundwire(settings=Settings(exclusive_slots=("language",)))
    assert one_language.verify("You speak Danish.", memories=["I speak Swedish."]).hallucinations == ("Danish",)
    two_jobs = Groundwire(settings=Settings(additive_slots=("employer",)))
    report = two_jobs.verify("You work at Amazon.", memories=EMPLOYER)
    assert (report.grounded, report.contradictions) == (True, ())


# ── determinism, order, cost ────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-030")
def test_the_same_call_gives_the_same_report():
    for text, memories in read_cases()[::29]:
        first, second = Groundwire().verify(text, memories=memories), Groundwire().verify(text, memories=memories)
        assert replace(first, latency_ms=0.0) == replace(second, latency_ms=0.0)
        assert list(first.grounding_map.items()) == list(second.grounding_map.items())


@pytest.mark.requirement("CTR-030")
def test_the_order_of_the_memories_changes_no_verdict():
    gate = Groundwire()
    for (text, memories), report in zip(read_cases()[::3], report_cases(), strict=True):
        turned = gate.verify(text, memories=memories[::-1])
        assert (turned.grounded, turned.hallucinations) == (report.grounded, report.hallucinations), text
        assert (turned.requires_disclosure, turned.action) == (report.requires_disclosure, report.action), text
        assert [(c.verdict, c.standing, c.correction) for c in turned.claims] == [
            (c.verdict, c.standing, c.correction) for c in report.claims
        ], text


@pytest.mark.requirement("CTR-030")
def test_verifying_opens_no_connection(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("the read gate must not use the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert verify("See https://example.com: you work at Bosch.", "I work at Bosch.").grounded


@pytest.mark.requirement("CTR-021", "CTR-030")
@given(ANY_TEXT)
@example("ᨀ\r0")
def test_any_text_is_grounded_in_itself(text: str):
    report = verify(text, Memory("m1", text))
    assert report.grounded, (report.hallucinations, report.unverifiable, report.expected_disclosure)


@pytest.mark.requirement("CTR-021")
@given(SENTENCES)
def test_sentences_are_grounded_in_themselves(text: str):
    report = verify(text, Memory("m1", text))
    assert report.grounded, (report.hallucinations, report.unverifiable, report.expected_disclosure)
    assert report.claim_count >= 1


DIVIDED_MEMORIES = {"I'm the father of two children, Emeka and Ada."}
"""Memories that are misread as contradicting themselves."""


@pytest.mark.requirement("CTR-021")
def test_every_memory_of_the_development_set_is_grounded_in_itself():
    texts = {memory.text for _, memories in read_cases() for memory in memories}
    gate = Groundwire()
    assert {text for text in texts if not gate.verify(text, memories=[text]).grounded} <= DIVIDED_MEMORIES


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=3))
def test_any_text_and_memories_give_a_complete_report(text: str, memories: list[str]):
    report = verify(text, *memories)
    assert report == replace(verify(text, *memories), latency_ms=report.latency_ms)
    for claim in report.claims:
        assert 0 <= claim.span.start < claim.span.end <= len(text)
        assert 0.0 <= claim.confidence <= 1.0
    assert all(quote in text for quote in report.hallucinations + report.unverifiable)


def count_calls(text: str, memories: list[Memory]) -> int:
    gate = GroundCheckVerifier()
    return effort.count_calls(lambda: gate.verify(text, memories))


@pytest.mark.requirement("OPS-009")
def test_twice_the_answer_is_about_twice_the_work():
    def build(start: int, count: int) -> str:
        return " ".join(f"Robot{n} weighs {n} kilograms." for n in range(start, start + count))

    memories = [Memory("m1", "I work at Bosch.")]
    count_calls(build(50_000, 20), memories)
    small, large = count_calls(build(10_000, 40), memories), count_calls(build(20_000, 80), memories)
    assert large <= 2.4 * small


@pytest.mark.requirement("OPS-009")
def test_twice_the_memories_are_about_twice_the_work():
    def build(start: int, count: int) -> list[Memory]:
        return [Memory(f"m{n}", f"Person{n} lives in Town{n}.") for n in range(start, start + count)]

    text = "You work at Bosch."
    count_calls(text, build(50_000, 50))
    small, large = count_calls(text, build(10_000, 150)), count_calls(text, build(20_000, 300))
    assert large <= 2.4 * small


@pytest.mark.requirement("OPS-008")
def test_a_usual_check_is_a_small_amount_of_work():
    """Ten memories of 100 to 500 characters; 10 ms hold some 100,000 calls of a function."""
    filler = "We talked about the garden for a while and about the long way home through the park. "
    facts = ["I work at Bosch.", "I live in Ulm.", "I am a nurse.", "I speak Danish.", "I have a dog named Rex."]
    memories = [Memory(f"m{n}", filler * (1 + n % 4) + facts[n % 5]) for n in range(10)]
    text = "You work at Bosch, live in Ulm and speak Danish. Your dog is named Rex."
    count_calls(text, memories)
    assert count_calls(text, memories) < 20_000, "with memories that were read before"


# ── known to be wrong ───────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-021")
@pytest.mark.parametrize("text", sorted(DIVIDED_MEMORIES))
def test_a_memory_does_not_contradict_itself(text: str):
    assert verify(text, text).grounded


@pytest.mark.requirement("CTR-009")
def test_an_age_does_not_contradict_a_name():
    report = verify("Plum is three years old.", "I have a cat called Plum.", "My cat is three years old.")
    assert report.contradictions == ()


@pytest.mark.requirement("CTR-022")
def test_an_ungrounded_answer_names_what_is_wrong():
    memories = Memory("a", "I work at Bosch.", 0.5, JANUARY), Memory("b", "I work at Shell.", 0.5, MARCH)
    report = verify("You work at Bosch.", *memories)
    assert not report.grounded
    assert report.hallucinations or report.unverifiable or report.disclosures


@pytest.mark.requirement("JDG-012")
def test_without_memories_the_claim_is_surely_insufficient():
    (claim,) = verify("You work at Bosch.").claims
    assert (claim.verdict, claim.confidence) == (Verdict.INSUFFICIENT, 1.0)


@pytest.mark.requirement("CTR-021")
def test_an_unsupported_clause_beside_a_supported_one_is_not_passed():
    assert not verify("You work at Bosch, and the weather changed.", "I work at Bosch.").grounded


@pytest.mark.requirement("TXT-015")
def test_a_deployment_may_add_spellings():
    gate = Groundwire(settings=Settings(aliases={"Gotham": "New York City"}))
    assert gate.verify("You live in Gotham.", memories=["I live in New York City."]).grounded


@pytest.mark.requirement("CTR-030")
@pytest.mark.parametrize(
    ("text", "memories"),
    [
        (
            "The fair takes place in Rotterdam on 9 October 2025.",
            ["The fair takes place in Rotterdam.", "The fair is on 9 October 2025."],
        ),
        ("You work at Bosch, whereas last year it was still Shell.", ["I work at Shell.", "I work at Bosch."]),
    ],
)
def test_the_order_of_the_memories_changes_nothing_that_is_named(text: str, memories: list[str]):
    given_ = [Memory(f"m{n}", memory) for n, memory in enumerate(memories)]
    assert verify(text, *given_).unverifiable == verify(text, *given_[::-1]).unverifiable


@pytest.mark.requirement("TXT-012")
@pytest.mark.parametrize("text", ["you work at siemens", "YOU WORK AT SIEMENS.", "you live in rome"])
def test_a_wrong_value_is_refuted_in_any_casing(text: str):
    assert verify(text, "I work at Bosch.", "I live in Ulm.").hallucinations


@pytest.mark.requirement("CTR-021")
def test_a_label_with_a_value_is_judged():
    memories = [Memory("a", "My next appointment is on 14 May."), Memory("b", "The gate is B12.")]
    gate = Groundwire(settings=Settings(judge="rules"))
    assert gate.verify("Next appointment: 14 May\nGate: B12", memories=memories).grounded
    report = gate.verify("Next appointment: 14 May\nGate: B14", memories=memories)
    assert [claim.standing for claim in report.claims] == [Standing.SUPPORTED, Standing.REFUTED]
