"""Single questions of detection."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from flag_samples import NOW, NothingKnown, flag

from groundwire import Groundwire, Settings
from groundwire.detect.predicates import Predicates
from groundwire.detect.scoring import ConfidenceScorer
from groundwire.evidence.dialogue import read_dialogue
from groundwire.evidence.knowledge_import import read_knowledge
from groundwire.types import Confidence, EvidenceObject
from groundwire.types.detection import Correct, Flag, HallucinationType, HistoryEvidence, KBEvidence, Remove, Stance

T = HallucinationType
STAFF = read_knowledge(
    {"entities": [{"name": "John Smith", "type": "person", "attributes": {"department": "Engineering"}}]}
)
SAID = read_dialogue([{"turn_id": 1, "speaker": "assistant", "text": "The meeting is on Monday."}])


@pytest.fixture(scope="module")
def ask() -> Predicates:
    return Groundwire(settings=Settings(judge="rules")).predicates(lambda: NOW)


@pytest.mark.requirement("STO-020")
def test_core(ask: Predicates):
    found = ask.detect_hallucinations("John Smith works in Marketing.", SAID, STAFF)
    assert [f.hallucination_type for f in found] == [T.WRONG_ATTRIBUTE]
    assert ask.hallucination_confidence(found[0]) == found[0].confidence
    assert ask.hallucination_severity(T.WRONG_ATTRIBUTE) == 0.75


@pytest.mark.requirement("STO-021")
def test_each_detector_by_itself(ask: Predicates):
    wrong = ask.segment_response("Well. John Smith works in Marketing.")
    (found,) = ask.detect_wrong_attributes(wrong, STAFF)
    assert found.content in "John Smith works in Marketing"
    assert found.span.start >= 6
    assert ask.detect_kb_contradictions(wrong, read_knowledge({})) == []
    prior = ask.detect_history_contradictions(ask.segment_response("The meeting is on Friday."), SAID)
    assert [f.hallucination_type for f in prior] == [T.CONTRADICTS_PRIOR]
    late = ask.detect_temporal_errors(ask.segment_response("The bridge was completed before it was started."))
    assert [f.hallucination_type for f in late] == [T.TEMPORAL_ERROR]
    odd = ask.detect_logical_inconsistencies(ask.segment_response("The shop is open. The shop is not open."))
    assert [f.hallucination_type for f in odd] == [T.LOGICAL_INCONSISTENCY]
    loose = ask.detect_unsupported_claims(ask.segment_response("Studies show that naps help by 40%."), STAFF)
    assert {f.hallucination_type for f in loose} == {T.UNSUPPORTED_CLAIM}
    nobody = ask.segment_response("Zorblat Quimby approved the budget.")
    assert ask.detect_nonexistent_entities(nobody, SAID, STAFF)
    assert ask.detect_fabricated_facts(nobody, STAFF)


@pytest.mark.requirement("STO-022")
def test_reading_and_evidence(ask: Predicates):
    assert [c.text for c in ask.extract_claims("Ada lives in Oslo and works at Initech.")] == [
        "Ada lives in Oslo",
        "Ada works at Initech",
    ]
    assert [e.surface for e in ask.extract_entities("Ada met Bob.")] == ["Ada", "Bob"]
    assert [t.year for t in ask.extract_temporals("It was built in 1999.")] == [1999]
    assert ask.entity_exists("John Smith", STAFF)
    assert not ask.entity_exists("Zorblat", STAFF)
    assert ask.attribute_matches("John Smith", "department", "engineering", STAFF)
    assert not ask.attribute_matches("John Smith", "department", "Marketing", STAFF)
    assert not ask.attribute_matches("Zorblat", "department", "Marketing", STAFF)
    (claim,) = ask.extract_claims("John Smith works in Marketing.")
    assert ask.contradicts_kb(claim, STAFF)
    assert not ask.contradicts_kb(claim, NothingKnown())
    (friday,) = ask.extract_claims("The meeting is on Friday.")
    assert ask.contradicts_history(friday, SAID)
    assert not ask.contradicts_history(claim, SAID)


@pytest.mark.requirement("STO-023")
def test_mitigation_and_scoring(ask: Predicates):
    text = "Yes. John Smith works in Marketing."
    wrong = flag(text, "John Smith works in Marketing", T.WRONG_ATTRIBUTE, 0.9, wrong="Marketing", right="Engineering")
    assert ask.find_correction(wrong, STAFF) == "Engineering"
    assert ask.mitigate_hallucination(wrong, STAFF) == Correct(
        wrong.value_span or wrong.span, "Marketing", "Engineering", "Knowledge Base"
    )
    bare = flag(text, "John Smith works in Marketing", T.FABRICATED_FACT, 0.9)
    assert ask.find_correction(bare, STAFF) is None
    assert ask.mitigate_hallucination(bare, STAFF) == Remove(bare.span, "fact not verifiable")
    mild = flag(text, "John Smith works in Marketing", T.FABRICATED_FACT, 0.6)
    assert ask.mitigate_hallucination(mild, STAFF) == Flag(mild.span, "[fact not verifiable]")
    assert "Verify the attribute" in ask.generate_regeneration_guidance([wrong])
    known, said = KBEvidence(Stance.CONTRADICTS, 0.8), HistoryEvidence(Stance.UNKNOWN)
    signals = ask.linguistic_signals("It is possibly so.")
    score = ask.score_hallucination_confidence(wrong, known, said, signals, [wrong, mild])
    alone = ask.score_hallucination_confidence(wrong, known, said, [], [])
    assert 0.0 < score < alone <= 1.0
    expected = ConfidenceScorer().score(flag(text, "Yes", T.WRONG_ATTRIBUTE, 0.9, kb=known), (), 0).confidence
    assert alone == pytest.approx(expected)


@pytest.mark.requirement("STO-023")
def test_the_strength_of_evidence(ask: Predicates):
    assert ask.evidence_strength(KBEvidence(Stance.CONTRADICTS, 0.8)) == 0.8
    assert ask.evidence_strength(HistoryEvidence(Stance.SUPPORTS, 0.7)) == 0.7
    assert ask.evidence_strength(KBEvidence(Stance.UNKNOWN, 0.8)) == 0.0
    kept = EvidenceObject("x", NOW, Confidence.MEDIUM)
    assert ask.evidence_strength(kept) == 0.6


def test_the_clock_is_read_for_every_call():
    times = iter([datetime(2026, 1, 5, tzinfo=UTC), datetime(2027, 1, 5, tzinfo=UTC)])
    ask = Groundwire(settings=Settings(judge="rules")).predicates(lambda: next(times))
    found = [ask.extract_temporals("It happened yesterday.")[0].resolved_date for _ in range(2)]
    assert [day.year for day in found if day] == [2026, 2027]
