"""The aggregate of the rejection log."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.judge import RulesJudge
from groundwire.memory.candidates import Candidate, Extracted, Rejection, RejectionReason
from groundwire.memory.conversation import read_summary
from groundwire.memory.intake import Intake
from groundwire.memory.rejections import ExtractionRecord, make_record, read_reason, record_run, summarise
from groundwire.types import MemoryKind

NOW = 1_736_937_045.0


def refused(reason: RejectionReason, kind: str = "USER_PATTERN", confidence: float = 0.65) -> ExtractionRecord:
    rejection = Rejection("Asks for maps", kind, reason, confidence, 0.75, {"reason": "too little"})
    return ExtractionRecord(make_record(rejection, now=NOW, user="246", tenant="Crew"))


@pytest.mark.requirement("STO-009")
def test_a_record_has_every_field_of_the_log():
    record = refused(RejectionReason.BELOW_THRESHOLD).rejection
    assert record is not None
    assert record.timestamp == "2025-01-15T10:30:45Z"
    assert (record.subject_id, record.tenant_id) == ("USER:246", "TENANT:Crew")
    assert (record.rejection_reason.value, record.type) == ("confidence_below_threshold", "USER_PATTERN")
    assert (record.extracted_text, record.confidence_score, record.threshold) == ("Asks for maps", 0.65, 0.75)
    assert record.validation_details["reason"] == "too little"


@pytest.mark.requirement("STO-010")
def test_reasons_are_four_and_older_names_are_mapped():
    assert {reason.value for reason in RejectionReason} == {
        "confidence_below_threshold",
        "not_grounded_in_summary",
        "hallucination",
        "type_rule_violation",
    }
    assert read_reason("low_confidence") is RejectionReason.BELOW_THRESHOLD
    assert read_reason("fact_below_threshold") is RejectionReason.BELOW_THRESHOLD
    assert read_reason("semantically_invalid") is RejectionReason.TYPE_RULE


@pytest.mark.requirement("STO-013")
def test_the_last_hundred_by_outcome_with_a_recommendation():
    old = [refused(RejectionReason.HALLUCINATION)] * 40
    records = [
        *old,
        *[refused(RejectionReason.BELOW_THRESHOLD)] * 24,
        *[refused(RejectionReason.NOT_GROUNDED, "USER_FACT", 0.0)] * 8,
        *[refused(RejectionReason.HALLUCINATION, "USER_FACT", 0.0)] * 3,
        *[refused(RejectionReason.TYPE_RULE, "USER_FACT", 0.0)] * 2,
        *[ExtractionRecord()] * 63,
    ]
    summary = summarise(records)
    assert summary.total == 100
    shares = {share.label: (share.count, share.percent) for share in summary.shares}
    assert shares == {
        "below threshold": (24, 24.0),
        "not grounded": (8, 8.0),
        "hallucination": (3, 3.0),
        "type rule": (2, 2.0),
        "accepted": (63, 63.0),
    }
    assert summary.most_common == "USER_PATTERN with confidence 0.60-0.74 (needs 0.75 or more)"
    assert "USER_PATTERN" in summary.recommendation


@given(st.lists(st.sampled_from([None, *RejectionReason]), max_size=250))
def test_the_parts_add_up(reasons: list[RejectionReason | None]):
    records = [ExtractionRecord() if reason is None else refused(reason) for reason in reasons]
    summary = summarise(records)
    assert sum(share.count for share in summary.shares) == summary.total == min(100, len(reasons))
    assert summary.recommendation


@pytest.mark.requirement("STO-014")
def test_a_run_is_recorded_whole_and_narrated_stage_by_stage():
    source = "User: I love tea. I enjoy chess."
    names = ("Loves tea", "Enjoys chess", "Hates broccoli", "{{x}}")
    candidates = tuple(Candidate(text, MemoryKind.USER_FACT, 0.9, "x") for text in names)
    extraction = Intake(read_summary(source), RulesJudge(time.perf_counter)).run(Extracted(candidates))
    assert len(record_run(extraction, now=NOW, user="ada", tenant="t")) == 4
    log = extraction.log
    assert log[1] == "[EXTRACT] found 4 candidates"
    assert all(sum(repr(text) in line for line in log if line.startswith("[VALIDATE]")) == 1 for text in names)
    assert "[GATE] USER_FACT 'Loves tea': store (0.80 >= 0.80)" in log
    assert "[GATE] USER_FACT 'Enjoys chess': reject (0.65 < 0.80)" in log
    assert log[-2:] == ("[STORE] 1 memories", "[RESULT] 1/4 extractions stored")
