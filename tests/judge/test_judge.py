"""The judge's face: one verdict over all passages, with its confidence, its evidence and its action."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge import judge as judge_module
from groundwire.judge.findings import Finding
from groundwire.judge.judge import Judge, RulesJudge, as_passages, settle, spread, worst
from groundwire.judge.parts import Part
from groundwire.text.counting import count_tokens
from groundwire.types import Action, Passage, Verdict, VerifierInput, VerifierOutput, VerifyMode

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=120)


def judge(claim: str, *evidence: Passage | str, mode: VerifyMode = VerifyMode.POSTHOC) -> VerifierOutput:
    return RulesJudge(lambda: 0.0).judge(VerifierInput(claim, as_passages(evidence), mode=mode))


def finding(verdict: Verdict, strength: float, passage: str) -> Finding:
    return Finding(verdict, strength, "same_value" if verdict is SUPPORTED else "other_value", passage)


@pytest.mark.requirement("JDG-009", "JDG-010")
def test_the_evidence_supports_refutes_or_says_nothing():
    assert judge("You work at Bosch.", "I work at Bosch.").verdict is SUPPORTED
    assert judge("You work at Bosch.", "I work at Siemens.").verdict is REFUTED
    assert judge("You work at Bosch.", "I like tea.").verdict is INSUFFICIENT


@pytest.mark.requirement("JDG-012")
def test_without_evidence_nothing_is_judged(monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise AssertionError("nothing may be read when there is no evidence")

    monkeypatch.setattr(judge_module, "read_text", refuse)
    found = judge("You work at Bosch.")
    assert (found.verdict, found.confidence, found.evidence_used) == (INSUFFICIENT, 1.0, ())
    assert found.reason == "no_evidence"


@pytest.mark.requirement("JDG-009")
def test_the_strongest_passage_decides_among_those_that_speak():
    found = judge("You work at Bosch.", "I like tea.", "I work at Bosch.", "I live in Ulm.")
    assert found.verdict is SUPPORTED
    assert found.evidence_used == ("e2",)


@pytest.mark.requirement("JDG-009")
@pytest.mark.parametrize(("ours", "theirs", "expected"), [(0.9, 0.8, SUPPORTED), (0.8, 0.9, REFUTED)])
def test_the_more_trusted_of_two_sure_passages_decides(ours: float, theirs: float, expected: Verdict):
    passages = [Passage("a", "I work at Bosch.", ours), Passage("b", "I work at Siemens.", theirs)]
    for order in itertools.permutations(passages):
        found = judge("You work at Bosch.", *order)
        assert found.verdict is expected
        assert found.evidence_used == (("a",) if expected is SUPPORTED else ("b",))


@pytest.mark.requirement("JDG-009")
def test_equal_trust_on_both_sides_leaves_the_claim_open_and_reports_the_conflict():
    found = judge("You work at Bosch.", Passage("a", "I work at Bosch."), Passage("b", "I work at Siemens."))
    assert found.verdict is INSUFFICIENT
    assert found.reason == "conflict"
    assert found.conflicting == ("a", "b")
    assert sorted(found.evidence_used) == ["a", "b"]


@pytest.mark.requirement("JDG-009")
def test_an_unsure_passage_does_not_make_a_conflict():
    part = Part(None, None, (finding(SUPPORTED, 0.9, "a"), finding(REFUTED, 0.69, "b")))
    assert settle(part, {"a": 0.1, "b": 1.0}).verdict is SUPPORTED
    part = Part(None, None, (finding(SUPPORTED, 0.9, "a"), finding(REFUTED, 0.7, "b")))
    assert settle(part, {"a": 0.1, "b": 1.0}).verdict is REFUTED


@pytest.mark.requirement("JDG-009")
def test_the_most_trusted_passage_of_each_side_counts():
    part = Part(None, None, (finding(SUPPORTED, 0.97, "a"), finding(SUPPORTED, 0.9, "b"), finding(REFUTED, 0.95, "c")))
    assert settle(part, {"a": 0.2, "b": 0.9, "c": 0.5}).passage_id == "b"
    assert settle(part, {"a": 0.2, "b": 0.5, "c": 0.9}).passage_id == "c"


def test_a_part_that_nothing_speaks_of_is_insufficient():
    assert settle(Part(None, None, ()), {}).verdict is INSUFFICIENT


@pytest.mark.requirement("JDG-017")
def test_a_claim_is_as_good_as_its_worst_part():
    good, open_, bad = (finding(v, 0.9, "a") for v in (SUPPORTED, INSUFFICIENT, REFUTED))
    for parts in itertools.permutations([good, open_, bad]):
        assert worst(parts).verdict is REFUTED
    assert worst([good, open_]).verdict is INSUFFICIENT
    assert worst([good, replace(good, strength=0.7)]).strength == 0.7, "support is as strong as its weakest part"
    assert worst([bad, replace(bad, strength=0.7)]).strength == 0.9, "a weak refutation does not hide a strong one"


@pytest.mark.requirement("JDG-009", "JDG-017")
def test_a_claim_of_several_parts_needs_support_for_each():
    claim = "You are a nurse at Mercy Hospital."
    assert judge(claim, "I am a nurse.", "I work at Mercy Hospital.").verdict is SUPPORTED
    assert judge(claim, "I am a nurse.").verdict is INSUFFICIENT
    assert judge(claim, "I am a nurse.", "I work at Saint Mary's.").verdict is REFUTED


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("You are 34 years old.", "I am 35 years old.", REFUTED),
        ("Your birthday is 3 May.", "My birthday is 4 May.", REFUTED),
        ("Your phone number is 555-0142.", "My phone number is 555-0124.", REFUTED),
        ("You do not work at Bosch.", "I work at Bosch.", REFUTED),
        ("Alice works at Bosch.", "Bob works at Bosch.", INSUFFICIENT),
        ("Ticket ABC-12 is closed.", "Ticket ABC-13 is closed.", INSUFFICIENT),
    ],
)
def test_a_disagreement_found_by_rule_withholds_support(claim: str, evidence: str, expected: Verdict):
    assert judge(claim, evidence).verdict is expected


@pytest.mark.requirement("JDG-010", "JDG-021")
@given(TEXT, TEXT)
def test_any_claim_and_evidence_give_one_complete_output(claim: str, evidence: str):
    found = judge(claim, evidence)
    assert found == judge(claim, evidence)
    assert 0.0 <= found.confidence <= 1.0
    assert count_tokens(found.explanation) <= 128
    assert set(found.evidence_used) <= {"e1"}
    assert found.judge.startswith("rules")
    assert math.isclose(sum(found.probabilities.values()), 1.0, abs_tol=1e-3)
    assert max(found.probabilities, key=lambda v: found.probabilities[v]) is found.verdict


@pytest.mark.requirement("JDG-010")
@pytest.mark.parametrize("verdict", list(Verdict))
@given(st.floats(0, 1))
def test_probabilities_sum_to_one(verdict: Verdict, confidence: float):
    shares = spread(verdict, confidence)
    assert set(shares) == set(Verdict)
    assert all(0.0 <= share <= 1.0 for share in shares.values())
    assert math.isclose(sum(shares.values()), 1.0, abs_tol=1e-3)


@pytest.mark.requirement("JDG-006", "JDG-010", "ACT-004")
def test_the_mode_decides_between_halting_and_branching():
    claim, evidence = "You work at Bosch.", "I work at Siemens."
    assert judge(claim, evidence).action is Action.BRANCH
    assert judge(claim, evidence, mode=VerifyMode.INLINE).action is Action.HALT
    assert judge(claim, "I work at Bosch.", mode=VerifyMode.INLINE).action is Action.CONTINUE


@pytest.mark.requirement("ACT-003")
@pytest.mark.parametrize(("strength", "low"), [(0.59, True), (0.6, False), (0.97, False)])
def test_weak_support_goes_on_and_is_marked(monkeypatch: pytest.MonkeyPatch, strength: float, low: bool):
    weak = finding(SUPPORTED, strength, "e1")
    monkeypatch.setattr(judge_module, "settle", lambda part, trust: weak)
    found = judge("You work at Bosch.", "I work at Bosch.")
    assert (found.action, found.low_confidence) == (Action.CONTINUE, low)


@pytest.mark.requirement("JDG-010")
def test_the_time_taken_is_measured_on_the_clock_that_was_handed_in():
    ticks = iter([10.0, 10.25])
    rules = RulesJudge(lambda: next(ticks))
    assert rules.judge(VerifierInput("You work at Bosch.", as_passages(["I work at Bosch."]))).latency_ms == 250.0


@pytest.mark.requirement("JDG-021")
def test_the_rules_are_a_judge_like_any_other():
    rules: Judge = RulesJudge(lambda: 0.0)
    assert rules.name == judge("You work at Bosch.", "I work at Bosch.").judge
    assert rules.name.split(".")[0] == "rules"


@pytest.mark.requirement("JDG-021")
@pytest.mark.parametrize(("claim", "evidence"), [("東京に住んでいます", "東京に住んでいます。"), ("---", "I work.")])
def test_text_that_no_grammar_reads_is_judged_by_its_letters(claim: str, evidence: str):
    assert judge(claim, evidence).verdict is (SUPPORTED if claim[0] in evidence else INSUFFICIENT)


def test_plain_strings_become_numbered_passages():
    given_ = Passage("x", "two", 0.5, 7)
    assert as_passages(["one", given_, "three"]) == (Passage("e1", "one"), given_, Passage("e3", "three"))


@pytest.mark.requirement("JDG-021")
def test_a_denial_on_an_additive_slot_is_capped():
    found = judge("You speak Dutch.", "I don't speak Dutch.")
    assert found.verdict is REFUTED
    assert found.confidence <= 0.69
