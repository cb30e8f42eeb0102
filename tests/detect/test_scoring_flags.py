"""The score of a flag, and the risk of an answer."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from flag_samples import flag
from hypothesis import given
from hypothesis import strategies as st

from groundwire.detect.config import EvidenceWeights
from groundwire.detect.scoring import (
    ConfidenceScorer,
    are_related,
    choose_handling,
    consistency_factor,
    count_related,
    explain_score,
    history_factor,
    kb_factor,
    linguistic_factor,
    overall_confidence,
)
from groundwire.errors import InvalidInput
from groundwire.types import LinguisticSignal, SignalType, Span
from groundwire.types.detection import (
    HallucinationFlag,
    HallucinationType,
    Handling,
    HistoryEvidence,
    KBEvidence,
    Stance,
)

T = HallucinationType
TEXT = "Ada Lovelace works in Marketing. The plant was built in 1847."


def signal(type_: SignalType, strength: float = 1.0) -> LinguisticSignal:
    return LinguisticSignal(type_, strength, Span(0, 1))


@pytest.mark.requirement("DET-003", "DET-004", "DET-005")
def test_every_type_has_its_severity_label_and_words():
    assert {t.value: (t.base_severity, t.severity_label, t.description) for t in T} == {
        "FabricatedFact": (0.95, "HIGH", "fact not verifiable"),
        "NonexistentEntity": (0.90, "HIGH", "entity not found"),
        "WrongAttribute": (0.75, "MEDIUM-HIGH", "attribute seems wrong"),
        "ContradictsFact": (0.95, "HIGH", "conflicts with known information"),
        "ContradictsPrior": (0.80, "MEDIUM-HIGH", "conflicts with earlier conversation"),
        "UnsupportedClaim": (0.50, "MEDIUM", "no supporting evidence"),
        "TemporalError": (0.65, "MEDIUM", "timeline seems wrong"),
        "LogicalInconsistency": (0.60, "MEDIUM", "logical contradiction"),
    }


@pytest.mark.requirement("DET-037")
def test_the_default_weights():
    weights = EvidenceWeights()
    assert (weights.kb_evidence, weights.history_evidence) == (0.35, 0.25)
    assert (weights.linguistic_signals, weights.consistency) == (0.20, 0.20)
    with pytest.raises(InvalidInput, match="consistency"):
        EvidenceWeights(consistency=1.5)


@pytest.mark.requirement("DET-038", "DET-039")
def test_without_evidence_the_score_is_the_root_of_confidence_times_severity():
    for type_ in T:
        scored = ConfidenceScorer().score(flag(TEXT, "Ada", type_, 0.8), (), 0)
        assert scored.confidence == pytest.approx(math.sqrt(0.8 * type_.base_severity))
        assert scored.raw_confidence == 0.8
        assert "kb_evidence" not in scored.factors
        assert "history_evidence" not in scored.factors


@pytest.mark.requirement("DET-038", "DET-040", "DET-041", "DET-043")
def test_each_factor_scales_the_score_by_its_weight():
    given = flag(
        TEXT,
        "1847",
        T.UNSUPPORTED_CLAIM,
        0.7,
        kb=KBEvidence(Stance.CONTRADICTS, 0.5),
        history=HistoryEvidence(Stance.SUPPORTS, 0.9),
    )
    scored = ConfidenceScorer().score(given, [signal(SignalType.HEDGING, 0.5)], 2)
    expected = math.sqrt(0.7 * 0.5)
    expected *= 0.35 * (1.0 + 0.3 * 0.5) + 0.65
    expected *= 0.25 * 0.7 + 0.75
    expected *= 0.20 * (1.0 - 0.3 * 0.5) + 0.80
    expected *= 0.20 * 1.2 + 0.80
    assert scored.confidence == pytest.approx(expected)


@pytest.mark.requirement("DET-038")
def test_a_score_never_leaves_the_unit_interval():
    strong = flag(TEXT, "Ada", T.CONTRADICTS_FACT, 1.0, kb=KBEvidence(Stance.CONTRADICTS, 1.0))
    assert ConfidenceScorer().score(strong, [signal(SignalType.CERTAINTY_MARKER)] * 9, 9).confidence == 1.0


@pytest.mark.requirement("DET-039")
def test_scoring_twice_starts_from_the_detectors_own_value():
    once = ConfidenceScorer().score(flag(TEXT, "Ada", confidence=0.7), (), 0)
    assert ConfidenceScorer().score(once, (), 0) == once


@pytest.mark.requirement("DET-040")
@pytest.mark.parametrize(("stance", "factor"), [("contradicts", 1.24), ("unknown", 1.0), ("supports", 0.5)])
def test_what_the_knowledge_base_says(stance: str, factor: float):
    assert kb_factor(KBEvidence(Stance(stance), 0.8)) == pytest.approx(factor)


@pytest.mark.requirement("DET-041")
@pytest.mark.parametrize(("stance", "factor"), [("contradicts", 1.2), ("unknown", 1.0), ("supports", 0.7)])
def test_what_the_dialogue_says(stance: str, factor: float):
    assert history_factor(HistoryEvidence(Stance(stance), 0.8)) == pytest.approx(factor)


@pytest.mark.requirement("DET-042")
@pytest.mark.parametrize(
    ("type_", "strength", "factor"),
    [
        (SignalType.HEDGING, 0.5, 0.85),
        (SignalType.OVERCONFIDENCE, 0.5, 1.1),
        (SignalType.VAGUENESS, 1.0, 1.0),
        (SignalType.SELF_CORRECTION, 1.0, 0.8),
        (SignalType.CERTAINTY_MARKER, 1.0, 1.15),
    ],
)
def test_how_it_is_worded(type_: SignalType, strength: float, factor: float):
    assert linguistic_factor([signal(type_, strength)]) == pytest.approx(factor)
    assert linguistic_factor([signal(type_, strength)] * 2) == pytest.approx(factor**2)
    assert linguistic_factor(()) == 1.0


@pytest.mark.requirement("DET-043")
def test_company_counts_up_to_three():
    assert [consistency_factor(n) for n in (0, 1, 2, 3, 9)] == pytest.approx([1.0, 1.1, 1.2, 1.3, 1.3])


@pytest.mark.requirement("DET-044")
def test_flags_are_related_by_type_by_quotation_and_by_name():
    whole = flag(TEXT, "Ada Lovelace works in Marketing", T.FABRICATED_FACT)
    assert are_related(whole, flag(TEXT, "1847", T.FABRICATED_FACT))
    assert are_related(whole, flag(TEXT, "Marketing", T.WRONG_ATTRIBUTE))
    other = HallucinationFlag(Span(0, 12), "The memo of Ada Lovelace", T.NONEXISTENT_ENTITY, 0.9)
    assert are_related(whole, other)
    assert not are_related(whole, flag(TEXT, "1847", T.TEMPORAL_ERROR))
    assert not are_related(whole, whole)


@pytest.mark.requirement("DET-044")
def test_empty_content_contains_nothing():
    empty = HallucinationFlag(Span(0, 0), "", T.TEMPORAL_ERROR, 0.9)
    assert not are_related(empty, flag(TEXT, "Ada"))
    assert not are_related(flag(TEXT, "Ada"), empty)


@pytest.mark.requirement("DET-043", "DET-044")
def test_related_flags_raise_each_other():
    flags = [flag(TEXT, "Ada", confidence=0.6), flag(TEXT, "1847", confidence=0.6)]
    alone = ConfidenceScorer().score_all(flags[:1], [()])[0]
    together = ConfidenceScorer().score_all(flags, [(), ()])[0]
    assert together.confidence == pytest.approx(alone.confidence * 1.02)
    assert count_related(flags[0], flags) == 1


def test_every_factor_is_told_in_words():
    scored = ConfidenceScorer().score(
        flag(TEXT, "Ada", T.WRONG_ATTRIBUTE, 1.0, kb=KBEvidence(Stance.CONTRADICTS)),
        [signal(SignalType.HEDGING, 0.5)],
        1,
    )
    said = explain_score(scored)
    assert said == (
        "Score 0.95: the detector is sure to 1.00 and the severity is 0.75, together 0.87; what is known is against it"
        " (factor 1.30); it is worded with caution (factor 0.85); other flags are related (factor 1.10)."
    )
    assert explain_score(flag(TEXT, "Ada")) == ""


# ── the whole answer ────────────────────────────────────────────────────────────────────────────

scores = st.floats(0, 1, allow_nan=False)
flag_lists = st.lists(st.tuples(scores, st.integers(0, 4)), max_size=12)


def as_flags(drawn: list[tuple[float, int]]) -> list[HallucinationFlag]:
    return [replace(flag(TEXT, "Ada", confidence=score), incident=incident) for score, incident in drawn]


@pytest.mark.requirement("DET-045")
def test_confidence_is_a_product_over_incidents():
    assert overall_confidence(()) == 1.0
    assert overall_confidence(as_flags([(0.8, 1), (0.6, 2)])) == pytest.approx(0.6 * 0.7)
    assert overall_confidence(as_flags([(0.8, 1), (0.6, 1)])) == pytest.approx(0.6)


@pytest.mark.requirement("DET-045")
@given(flag_lists, scores, st.integers(0, 5))
def test_one_more_flag_never_lowers_the_risk(drawn: list[tuple[float, int]], score: float, incident: int):
    before = overall_confidence(as_flags(drawn))
    assert overall_confidence(as_flags([*drawn, (score, incident)])) <= before + 1e-12


@pytest.mark.requirement("DET-045")
@given(flag_lists.filter(bool), scores)
def test_a_higher_score_never_lowers_the_risk(drawn: list[tuple[float, int]], score: float):
    raised = [(max(drawn[0][0], score), drawn[0][1]), *drawn[1:]]
    assert overall_confidence(as_flags(raised)) <= overall_confidence(as_flags(drawn)) + 1e-12


@pytest.mark.requirement("DET-046")
@pytest.mark.parametrize(
    ("confidence", "handling"),
    [
        (1.0, Handling.ACCEPT),
        (0.90, Handling.ACCEPT),
        (0.8999, Handling.FLAG),
        (0.75, Handling.FLAG),
        (0.7499, Handling.CORRECT),
        (0.50, Handling.CORRECT),
        (0.4999, Handling.REGENERATE),
        (0.30, Handling.REGENERATE),
        (0.2999, Handling.HUMAN_REVIEW),
        (0.0, Handling.HUMAN_REVIEW),
    ],
)
def test_the_bands_of_handling(confidence: float, handling: Handling):
    assert choose_handling(confidence) is handling
