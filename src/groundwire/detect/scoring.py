"""The score of a flag: confidence and severity, moved by evidence, wording and company; and the risk of them all."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from groundwire.detect.config import EvidenceWeights
from groundwire.text.entities import find_entities
from groundwire.types import LinguisticSignal, MentionType, SignalType
from groundwire.types.detection import HallucinationFlag, Handling, HistoryEvidence, KBEvidence, Stance

_MOST_RELATED = 3
_BANDS = ((0.90, Handling.ACCEPT), (0.75, Handling.FLAG), (0.50, Handling.CORRECT), (0.30, Handling.REGENERATE))
_WORDS: Mapping[str, tuple[str, str, str]] = {
    # factor: what it says below, at and above 1
    "kb_evidence": ("what is known supports it", "what is known cannot tell", "what is known is against it"),
    "history_evidence": ("the dialogue supports it", "the dialogue cannot tell", "the dialogue is against it"),
    "linguistic_signals": ("it is worded with caution", "the wording says nothing", "it is worded with confidence"),
    "consistency": ("", "no other flag is related", "other flags are related"),
}


class ConfidenceScorer:
    """Turns what a detector is sure of into what is acted on; every factor is kept with the flag."""

    def __init__(self, weights: EvidenceWeights | None = None) -> None:
        self._weights = weights or EvidenceWeights()

    def score_all(
        self, flags: Sequence[HallucinationFlag], signals: Sequence[Sequence[LinguisticSignal]]
    ) -> list[HallucinationFlag]:
        """The flags with their scores as confidence; `signals` are those of the sentence of each."""
        return [
            self.score(flag, signals[index], count_related(flag, (f for i, f in enumerate(flags) if i != index)))
            for index, flag in enumerate(flags)
        ]

    def score(self, flag: HallucinationFlag, signals: Sequence[LinguisticSignal], related: int) -> HallucinationFlag:
        raw = flag.confidence if flag.raw_confidence is None else flag.raw_confidence
        factors = self._weigh(flag, raw, signals, related)
        return replace(flag, confidence=factors["score"], raw_confidence=raw, factors=factors)

    def _weigh(
        self, flag: HallucinationFlag, raw: float, signals: Sequence[LinguisticSignal], related: int
    ) -> dict[str, float]:
        start = math.sqrt(raw * flag.severity)
        factors = {"confidence": raw, "severity": flag.severity, "start": start}
        weights, known, said = self._weights, flag.kb, flag.history
        steps = (
            ("kb_evidence", None if known is None else kb_factor(known), weights.kb_evidence),
            ("history_evidence", None if said is None else history_factor(said), weights.history_evidence),
            ("linguistic_signals", linguistic_factor(signals), weights.linguistic_signals),
            ("consistency", consistency_factor(related), weights.consistency),
        )
        score = start
        for name, factor, weight in steps:
            if factor is not None:
                factors[name] = factor
                score *= weight * factor + (1.0 - weight)
        return factors | {"score": min(max(score, 0.0), 1.0)}


def kb_factor(evidence: KBEvidence) -> float:
    if evidence.stance is Stance.CONTRADICTS:
        return 1.0 + 0.3 * evidence.confidence
    return 0.5 if evidence.stance is Stance.SUPPORTS else 1.0


def history_factor(evidence: HistoryEvidence) -> float:
    if evidence.stance is Stance.CONTRADICTS:
        return 1.0 + 0.25 * evidence.confidence
    return 0.7 if evidence.stance is Stance.SUPPORTS else 1.0


def linguistic_factor(signals: Iterable[LinguisticSignal]) -> float:
    factor = 1.0
    for signal in signals:
        match signal.type:
            case SignalType.HEDGING:
                factor *= 1.0 - 0.3 * signal.strength
            case SignalType.OVERCONFIDENCE:
                factor *= 1.0 + 0.2 * signal.strength
            case SignalType.VAGUENESS:
                pass
            case SignalType.SELF_CORRECTION:
                factor *= 0.8
            case SignalType.CERTAINTY_MARKER:
                factor *= 1.15
    return factor


def consistency_factor(related: int) -> float:
    return 1.0 + min(0.1 * related, 0.3)


def count_related(flag: HallucinationFlag, others: Iterable[HallucinationFlag]) -> int:
    """How many of the others belong with it; three say as much as any number."""
    count, apart = 0, list[HallucinationFlag]()
    for other in others:
        if _is_plainly_related(flag, other):
            count += 1
        elif other is not flag:
            apart.append(other)
        if count == _MOST_RELATED:
            return count
    for other in apart:  # names are looked for where nothing plainer has said enough
        count += _share_name(flag, other)
        if count == _MOST_RELATED:
            break
    return count


def are_related(one: HallucinationFlag, other: HallucinationFlag) -> bool:
    """Of one type, quoted one within the other, or about the same name. A flag is not related to itself."""
    return one is not other and (_is_plainly_related(one, other) or _share_name(one, other))


def _is_plainly_related(one: HallucinationFlag, other: HallucinationFlag) -> bool:
    if one is other:
        return False
    if one.hallucination_type is other.hallucination_type:
        return True
    return bool(one.content and other.content) and (one.content in other.content or other.content in one.content)


def _share_name(one: HallucinationFlag, other: HallucinationFlag) -> bool:
    return not _find_names(one.content).isdisjoint(_find_names(other.content))


@lru_cache(maxsize=1024)
def _find_names(content: str) -> frozenset[str]:
    found = find_entities(content)
    return frozenset(mention.surface.casefold() for mention in found if mention.mention_type is MentionType.PROPER_NAME)


def explain_score(flag: HallucinationFlag) -> str:
    """Every factor of the score in words; empty for a flag that was not scored."""
    factors = flag.factors
    if "score" not in factors:
        return ""
    said = [
        f"the detector is sure to {factors['confidence']:.2f} and the severity is {factors['severity']:.2f}, "
        f"together {factors['start']:.2f}"
    ]
    for name, words in _WORDS.items():
        if name in factors:
            factor = factors[name]
            said.append(f"{words[0 if factor < 1.0 else 1 if factor == 1.0 else 2]} (factor {factor:.2f})")
    return f"Score {factors['score']:.2f}: {'; '.join(said)}."


# ── the whole answer ────────────────────────────────────────────────────────────────────────────


def overall_confidence(flags: Iterable[HallucinationFlag]) -> float:
    """1.0 without flags. Flags of one incident count once, by the strongest; 0 is no incident but a flag by itself."""
    strongest: dict[int, float] = {}
    confidence = 1.0
    for flag in flags:
        if flag.incident:
            strongest[flag.incident] = max(strongest.get(flag.incident, 0.0), flag.confidence)
        else:
            confidence *= 1.0 - 0.5 * flag.confidence
    for incident in sorted(strongest):
        confidence *= 1.0 - 0.5 * strongest[incident]
    return confidence


def choose_handling(confidence: float) -> Handling:
    return next((handling for least, handling in _BANDS if confidence >= least), Handling.HUMAN_REVIEW)
