"""Detection as predicates: single questions with typed answers, each by the name that the outside knows it by.

`Predicates` holds what a question needs besides its arguments: the judge, the embedder's similarity and the clock,
which is read for every call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, cast

from groundwire.detect.config import HallucinationDetectorConfig, MitigationConfig
from groundwire.detect.detector import HallucinationDetector, Similarity
from groundwire.detect.examination import Examination
from groundwire.detect.mitigation import HallucinationMitigator
from groundwire.detect.mitigation import find_correction as correct
from groundwire.detect.repair.guidance import write_guidance
from groundwire.detect.scoring import ConfidenceScorer, count_related
from groundwire.evidence.dialogue import Dialogue
from groundwire.evidence.knowledge import Knowledge
from groundwire.judge.judge import Judge
from groundwire.text import claims, entities, segments, signals, temporal
from groundwire.text.values import values_match
from groundwire.types import (
    Claim,
    Confidence,
    EntityMention,
    EvidenceObject,
    LinguisticSignal,
    ResponseSegment,
    TemporalExpression,
)
from groundwire.types.detection import (
    HallucinationFlag,
    HallucinationType,
    HistoryEvidence,
    KBEvidence,
    MitigationAction,
    Stance,
)

if TYPE_CHECKING:
    from groundwire.evidence.lookups import DialogueState, KnowledgeBase

Evidence = KBEvidence | HistoryEvidence | EvidenceObject
_STRENGTHS = {Confidence.HIGH: 1.0, Confidence.MEDIUM: 0.6, Confidence.LOW: 0.3}


class Predicates:
    """Every method is one predicate; a hyphen in its name is an underscore here."""

    def __init__(self, *, judge: Judge, similarity: Similarity, now: Callable[[], datetime]) -> None:
        self._judge = judge
        self._similarity = similarity
        self._now = now
        self._detector = HallucinationDetector(HallucinationDetectorConfig(), judge=judge, similarity=similarity)
        self._mitigator = HallucinationMitigator(MitigationConfig())

    # ── core ────────────────────────────────────────────────────────────────────────────────────

    def detect_hallucinations(
        self, response: str, dialogue: DialogueState, knowledge: KnowledgeBase
    ) -> list[HallucinationFlag]:
        return self._detector.detect(response, dialogue, knowledge, self._now())

    def hallucination_confidence(self, flag: HallucinationFlag) -> float:
        return flag.confidence

    def hallucination_severity(self, type_: HallucinationType) -> float:
        return type_.base_severity

    # ── one detector each ───────────────────────────────────────────────────────────────────────

    def detect_fabricated_facts(
        self, read: Sequence[ResponseSegment], knowledge: KnowledgeBase
    ) -> list[HallucinationFlag]:
        return self._ask("fabricated_facts", read, knowledge=knowledge)

    def detect_wrong_attributes(
        self, read: Sequence[ResponseSegment], knowledge: KnowledgeBase
    ) -> list[HallucinationFlag]:
        return self._ask("wrong_attributes", read, knowledge=knowledge)

    def detect_kb_contradictions(
        self, read: Sequence[ResponseSegment], knowledge: KnowledgeBase
    ) -> list[HallucinationFlag]:
        return self._ask("kb_contradictions", read, knowledge=knowledge)

    def detect_unsupported_claims(
        self, read: Sequence[ResponseSegment], knowledge: KnowledgeBase
    ) -> list[HallucinationFlag]:
        return self._ask("unsupported_claims", read, knowledge=knowledge)

    def detect_nonexistent_entities(
        self, read: Sequence[ResponseSegment], dialogue: DialogueState, knowledge: KnowledgeBase
    ) -> list[HallucinationFlag]:
        return self._ask("nonexistent_entities", read, dialogue=dialogue, knowledge=knowledge)

    def detect_history_contradictions(
        self, read: Sequence[ResponseSegment], dialogue: DialogueState
    ) -> list[HallucinationFlag]:
        return self._ask("history_contradictions", read, dialogue=dialogue)

    def detect_temporal_errors(self, read: Sequence[ResponseSegment]) -> list[HallucinationFlag]:
        return self._ask("temporal_errors", read)

    def detect_logical_inconsistencies(self, read: Sequence[ResponseSegment]) -> list[HallucinationFlag]:
        return self._ask("logical_inconsistencies", read)

    def _ask(
        self,
        detector: str,
        read: Sequence[ResponseSegment],
        *,
        dialogue: DialogueState | None = None,
        knowledge: KnowledgeBase | None = None,
    ) -> list[HallucinationFlag]:
        examined = Examination(
            text=_lay_out(read),
            segments=tuple(read),
            claims=tuple(claim for segment in read for claim in segment.claims),
            dialogue=dialogue or cast("DialogueState", Dialogue()),
            knowledge=knowledge or cast("KnowledgeBase", Knowledge()),
            judge=self._judge,
            similarity=self._similarity,
            now=self._now(),
        )
        return list(self._detector.run_detector(detector, examined))

    # ── reading ─────────────────────────────────────────────────────────────────────────────────

    def segment_response(self, text: str) -> list[ResponseSegment]:
        return list(segments.segment_response(text, self._now()))

    def extract_claims(self, text: str) -> list[Claim]:
        return list(claims.extract_claims(text))

    def extract_entities(self, text: str) -> list[EntityMention]:
        return list(entities.find_entities(text))

    def extract_temporals(self, text: str) -> list[TemporalExpression]:
        return list(temporal.find_times(text, self._now()))

    def linguistic_signals(self, text: str) -> list[LinguisticSignal]:
        return list(signals.find_signals(text))

    # ── evidence ────────────────────────────────────────────────────────────────────────────────

    def entity_exists(self, name: str, knowledge: KnowledgeBase) -> bool:
        return knowledge.entity_exists(name)

    def attribute_matches(self, name: str, attribute: str, value: str, knowledge: KnowledgeBase) -> bool:
        entity = knowledge.find_entity(name)
        stored = () if entity is None else entity.get_attribute(attribute)
        return any(values_match(value, one.value) for one in stored)

    def contradicts_kb(self, claim: Claim, knowledge: KnowledgeBase) -> bool:
        read = self.segment_response(claim.text)
        return bool(self.detect_wrong_attributes(read, knowledge) or self.detect_kb_contradictions(read, knowledge))

    def contradicts_history(self, claim: Claim, dialogue: DialogueState) -> bool:
        return bool(self.detect_history_contradictions(self.segment_response(claim.text), dialogue))

    def evidence_strength(self, evidence: Evidence) -> float:
        """From 0, which says nothing, to 1."""
        if isinstance(evidence, EvidenceObject):
            return _STRENGTHS[evidence.confidence]
        return 0.0 if evidence.stance is Stance.UNKNOWN else evidence.confidence

    # ── mitigation and scoring ──────────────────────────────────────────────────────────────────

    def mitigate_hallucination(self, flag: HallucinationFlag, knowledge: KnowledgeBase) -> MitigationAction:
        """What is to be done about one flag by itself; the knowledge base confirms the value that it brings."""
        value = self.find_correction(flag, knowledge)
        return self._mitigator.decide(_quote(flag), replace(flag, correct_value=value))

    def find_correction(self, flag: HallucinationFlag, knowledge: KnowledgeBase) -> str | None:
        """The value that belongs in place of the wrong one; never a sentence."""
        found = correct(_quote(flag), flag)
        return None if found is None else found.replacement

    def generate_regeneration_guidance(self, flags: Sequence[HallucinationFlag]) -> str:
        return write_guidance(flags)

    def score_hallucination_confidence(
        self,
        flag: HallucinationFlag,
        known: KBEvidence,
        said: HistoryEvidence,
        wording: Sequence[LinguisticSignal],
        others: Sequence[HallucinationFlag],
    ) -> float:
        weighed = replace(flag, kb=known, history=said)
        company = count_related(flag, (other for other in others if other != flag))
        return ConfidenceScorer().score(weighed, wording, company).confidence


def _lay_out(read: Sequence[ResponseSegment]) -> str:
    """A text in which every segment stands where its span says."""
    pieces: list[str] = []
    at = 0
    for segment in read:
        pieces += [" " * (segment.span.start - at), segment.text]
        at = max(at, segment.span.start) + len(segment.text)
    return "".join(pieces)


def _quote(flag: HallucinationFlag) -> str:
    """As much of the answer as the flag itself tells, in its place."""
    return " " * flag.span.start + flag.content
