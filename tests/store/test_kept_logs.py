"""The contract of the logs and of sessions: the most recent entries, cleaned, one owner's alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_samples import ADA, BOB, NOW, act, at, memory

from groundwire.errors import InvalidInput, NotFound
from groundwire.memory.protocols import Store
from groundwire.store.sql import open_store
from groundwire.types import Action, MemoryKind, Verdict
from groundwire.types.records import ACCEPTED, CandidateOutcome, Rejection, Session, VerdictRecord


def verdict(claim: str, owner: str = "ada", **fields: Any) -> VerdictRecord:
    return VerdictRecord(owner, NOW, claim, Verdict.SUPPORTED, 0.91, "hybrid.v1", **fields)


def rejection(text: str, owner: str = "ada", **fields: Any) -> Rejection:
    details = {
        "exact_match": False,
        "key_phrases": 0.5,
        "semantic_similarity": 0.31,
        "reason": "adds a name",
        "near": ["a name"],
    }
    shape = {"rejection_reason": "hallucination", "confidence_score": 0.4, "threshold": 0.8} | fields
    return Rejection(owner, NOW, extracted_text=text, type=MemoryKind.USER_FACT, validation_details=details, **shape)


def test_a_verdict_comes_back_with_what_is_needed_to_repeat_it(store: Store):
    record = verdict(
        "You live in Paris.",
        evidence=("m1", "m2"),
        evidence_used=("m2",),
        probabilities={Verdict.SUPPORTED: 0.91, Verdict.REFUTED: 0.04, Verdict.INSUFFICIENT: 0.05},
        action=Action.BRANCH,
        explanation="m2 says so",
        model="abc",
        calibration="1",
        tenant="default",
    )
    store.logs.record_verdicts([record, verdict("You like tea.")])
    assert store.logs.verdicts(ADA) == (verdict("You like tea."), record)
    assert store.logs.verdicts(ADA, limit=1) == (verdict("You like tea."),) and store.logs.verdicts(BOB) == ()


def test_the_oldest_verdicts_go_first(open_backend: Callable[..., Store]):
    store = open_backend(verdicts_kept=5)
    for number in range(12):
        store.logs.record_verdicts([verdict(f"Claim {number}.", ("ada", "bob")[number % 2])])
    store.logs.record_verdicts([verdict("Claim 12."), verdict("Claim 13.", "bob")])
    assert [record.claim for record in store.logs.verdicts(ADA)] == ["Claim 12.", "Claim 10."]
    assert [record.claim for record in store.logs.verdicts(BOB)] == ["Claim 13.", "Claim 11.", "Claim 9."]


@pytest.mark.requirement("STO-009")
def test_a_rejection_has_every_field_that_is_required(store: Store):
    store.logs.record_rejections([rejection("Works as a professional producer", tenant="acme")])
    (found,) = store.logs.rejections(ADA._replace(tenant="acme"))
    assert found == rejection("Works as a professional producer", tenant="acme")
    assert (found.subject_id, found.tenant_id) == ("USER:ada", "TENANT:acme")
    assert found.timestamp.isoformat() == "2026-03-01T12:00:00+00:00"
    assert (found.rejection_reason, found.confidence_score, found.threshold) == ("hallucination", 0.4, 0.8)
    assert set(found.validation_details) == {"exact_match", "key_phrases", "semantic_similarity", "reason", "near"}
    assert found.type is MemoryKind.USER_FACT and store.logs.rejections(ADA) == ()


def test_outcomes_hold_acceptances_and_rejections_without_their_words(open_backend: Callable[..., Store]):
    store = open_backend(rejections_kept=4)
    accepted = CandidateOutcome("ada", at(1), ACCEPTED, MemoryKind.USER_PATTERN, 0.85)
    store.logs.record_rejections([rejection(f"Text {number}") for number in range(3)])
    store.logs.record_outcomes([accepted, replace(accepted, owner="bob"), accepted])
    assert [entry.outcome for entry in store.logs.outcomes(ADA)] == [
        ACCEPTED,
        ACCEPTED,
        "hallucination",
        "hallucination",
    ]
    assert store.logs.outcomes(ADA, limit=1) == (accepted,) and len(store.logs.outcomes(BOB)) == 1
    store.logs.record_rejections([rejection(f"Text {number}") for number in range(9)])
    assert [entry.extracted_text for entry in store.logs.rejections(ADA)] == ["Text 8", "Text 7", "Text 6", "Text 5"]


SAID = "See https://ada:pw@example.com/a/b?token=s3cret&x=1#top\nor \x1b[31mred\x1b[0m \u202e and mailto:x@y.z?"
CLEAN = r"See https://example.com/a/b#top\nor \x1b[31mred\x1b[0m \u202e and mailto:x@y.z?"


@pytest.mark.requirement("SEC-015")
def test_logs_hold_no_control_characters_no_secrets_and_on_request_no_words(open_backend: Callable[..., Store]):
    store = open_backend()
    store.logs.record_rejections([rejection(SAID)])
    store.logs.record_verdicts([verdict(SAID, explanation=SAID)])
    store.audit.record(ADA, "note", "x", act(), details={"said": [SAID]})
    judged, refused = store.logs.verdicts(ADA)[0], store.logs.rejections(ADA)[0]
    assert judged.claim == judged.explanation == refused.extracted_text == CLEAN
    assert store.audit.entries(ADA)[0].details == {"said": [CLEAN]} and store.audit.verify() == ()
    hashing = open_backend(hash_logged_text=True)
    hashing.logs.record_rejections([rejection("I like tea."), rejection("I like tea."), rejection("I like jam.")])
    hashing.logs.record_verdicts([verdict("I like tea.", explanation="the memory says: I like tea.")])
    third, second, first = [entry.extracted_text for entry in hashing.logs.rejections(ADA, limit=3)]
    assert first == second != third and first.startswith("hmac-sha256:")
    assert "tea" not in repr(hashing.logs.verdicts(ADA, limit=1))
    assert "a name" not in repr(hashing.logs.rejections(ADA, limit=3))
    hashing.memories.add(memory("I like tea.", "m"), act())
    gone = hashing.memories.forget(ADA, ["m"], act())
    assert (gone.rejections, gone.verdicts) == (2, 1), "what is hashed is found and deleted all the same"


def test_a_session_begins_once_and_ends(store: Store):
    session = store.sessions.begin(Session("s1", "ada", NOW, metadata={"channel": "cli"}))
    store.sessions.begin(Session("s2", "ada", at(1)))
    assert store.sessions.get(ADA, "s1") == session and store.sessions.get(BOB, "s1") is None
    with pytest.raises(InvalidInput, match="begun already"):
        store.sessions.begin(session)
    assert store.sessions.end(ADA, "s1", at(2)).ended_at == at(2)
    assert store.sessions.end(ADA, "s1", at(3)).ended_at == at(2), "the first end counts"
    assert [s.id for s in store.sessions.list(ADA)] == ["s2", "s1"] and store.sessions.list(BOB) == ()
    with pytest.raises(NotFound):
        store.sessions.end(ADA, "s3", NOW)


def test_values_are_kept_by_path_and_found_by_prefix(store: Store):
    store.sessions.put(
        ADA, {"/h/s/1/total": 2, "/h/s/1/evidence": "e", "/h/s/1/evidence/kb": None, "/h/s/2/total": 0}, NOW
    )
    store.sessions.put(ADA, {"/h/s/1/total": 3}, at(1))
    store.sessions.put(BOB, {"/h/s/1/total": 9}, at(1))
    assert store.sessions.values(ADA, "/h/s/1/") == {
        "/h/s/1/evidence": "e",
        "/h/s/1/evidence/kb": None,
        "/h/s/1/total": 3,
    }
    assert list(store.sessions.values(ADA)) == sorted(store.sessions.values(ADA))
    with pytest.raises(InvalidInput):
        store.sessions.put(ADA, {"": 1}, NOW)


@pytest.mark.slow
@pytest.mark.requirement("STO-007")
def test_the_last_ten_thousand_verdicts_are_kept_in_about_ten_megabytes(path: Path):
    ids = tuple(f"{number:032x}" for number in range(4))
    explanation = "the memory says where the user lives, and the claim names the same place. " * 2
    with open_store(path, NOW) as store:
        records = [verdict(f"Claim {number}.", evidence=ids, explanation=explanation) for number in range(10_100)]
        for start in range(0, len(records), 1_000):
            store.logs.record_verdicts(records[start : start + 1_000])
        kept = store.logs.verdicts(ADA, limit=20_000)
    assert len(kept) == 10_000 and (kept[0].claim, kept[-1].claim) == ("Claim 10099.", "Claim 100.")
    assert 5e6 < path.stat().st_size < 15e6
