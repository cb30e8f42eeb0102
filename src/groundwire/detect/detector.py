"""An answer is read once, every detector that is switched on looks at it, and what they say is weighed."""

from __future__ import annotations

import logging
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from groundwire.detect.config import EvidenceWeights, HallucinationDetectorConfig
from groundwire.detect.examination import Detector, Examination
from groundwire.detect.incidents import link_incidents, merge_overlapping
from groundwire.detect.registry import DETECTORS
from groundwire.detect.review.last_look import look_again
from groundwire.detect.scoring import ConfidenceScorer, overall_confidence
from groundwire.evidence.attempts import attempt
from groundwire.evidence.lookups import DialogueState, KnowledgeBase
from groundwire.judge.judge import Judge
from groundwire.text.segments import segment_response
from groundwire.text.signals import find_signals
from groundwire.types import LinguisticSignal, MentionType, ResponseSegment
from groundwire.types.detection import DetectionMetrics, HallucinationFlag

logger = logging.getLogger(__name__)

HIGH_CONFIDENCE = 0.8

Similarity = Callable[[str, str], float]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Detection:
    """What was found in an answer; `errors` are the detectors that failed, with the reason."""

    flags: tuple[HallucinationFlag, ...]
    metrics: DetectionMetrics
    errors: Mapping[str, str] = field(default_factory=dict[str, str])
    not_analysed: int = 0

    @property
    def confidence(self) -> float:
        return overall_confidence(self.flags)


class HallucinationDetector:
    """Finds what is wrong with an answer, against what is known and what was said before.

    `detectors` makes each detector by its name; a detector is made when it is first needed, and kept. A plug-in takes
    the place of the built-in of its name.
    """

    def __init__(
        self,
        config: HallucinationDetectorConfig | None = None,
        *,
        judge: Judge,
        similarity: Similarity,
        detectors: Mapping[str, Callable[[], Detector]] | None = None,
        weights: EvidenceWeights | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.config = config or HallucinationDetectorConfig()
        self._judge = judge
        self._similarity = similarity
        self._makers = {**DETECTORS, **(detectors or {})}
        self._made: dict[str, Detector] = {}
        self._scorer = ConfidenceScorer(weights)
        self._clock = clock or (lambda: 0.0)

    def detect(
        self, response: str, dialogue: DialogueState, knowledge: KnowledgeBase, now: datetime
    ) -> list[HallucinationFlag]:
        """The flags at or above the threshold, in text order."""
        return list(self.examine(response, dialogue, knowledge, now).flags)

    def examine(self, response: str, dialogue: DialogueState, knowledge: KnowledgeBase, now: datetime) -> Detection:
        """The same with what it took and what went wrong."""
        begun = self._clock()
        segments, not_analysed = limit_claims(segment_response(response, now), self.config.max_claims)
        claims = tuple(claim for segment in segments for claim in segment.claims)
        # What is not analysed is not read either; the beginning keeps its offsets.
        text = response[: segments[-1].span.end] if not_analysed else response
        examined = Examination(text, segments, claims, dialogue, knowledge, self._judge, self._similarity, now)
        raised, errors = self._run(examined)
        flags = self._weigh(raised, examined)
        metrics = DetectionMetrics(
            detection_time_ms=(self._clock() - begun) * 1000.0,
            segments_analyzed=len(segments),
            claims_checked=len(claims),
            entities_verified=sum(_is_checked(m.mention_type) for s in segments for m in s.entities),
        )
        _log(flags)
        return Detection(tuple(flags), metrics, errors, not_analysed)

    def run_detector(self, name: str, examined: Examination) -> Sequence[HallucinationFlag]:
        """What one detector says, unweighed."""
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name].detect(examined)

    def _run(self, examined: Examination) -> tuple[list[HallucinationFlag], dict[str, str]]:
        """Every detector for itself: one that fails is named, and the others' flags stand."""
        raised: list[HallucinationFlag] = []
        errors: dict[str, str] = {}
        for name in self.config.enabled_detectors.names:
            found, failure = self._try(name, examined)
            if failure is not None:
                errors[name] = failure
            raised += [self._sign(name, flag) for flag in found]
        return raised, errors

    def _sign(self, name: str, flag: HallucinationFlag) -> HallucinationFlag:
        """The flag with the weight and the name of its detector."""
        confidence = self.config.weigh(name, flag.confidence)
        if flag.detector and confidence == flag.confidence:
            return flag
        return replace(flag, confidence=confidence, detector=flag.detector or name)

    def _try(self, name: str, examined: Examination) -> tuple[Sequence[HallucinationFlag], str | None]:
        outcome = attempt(f"the detector {name}", lambda: self._call(name, examined))
        failure = f"{outcome.failure}: {outcome.detail}" if outcome.detail else outcome.failure
        return outcome.value or (), failure

    def _call(self, name: str, examined: Examination) -> Sequence[HallucinationFlag]:
        return [_fit(flag, len(examined.text)) for flag in self.run_detector(name, examined)]

    def _weigh(self, raised: Sequence[HallucinationFlag], examined: Examination) -> list[HallucinationFlag]:
        """Repetitions merged, weak ones dropped, the rest scored: detector and score must both reach the threshold."""
        threshold = self.config.detection_threshold
        strong = [flag for flag in merge_overlapping(raised) if flag.confidence >= threshold]
        strong = look_again(strong, examined)
        if not strong:
            return []
        scored = self._scorer.score_all(strong, _signals_of(strong, examined))
        return link_incidents([flag for flag in scored if flag.confidence >= threshold], examined.claims)


def limit_claims(segments: Sequence[ResponseSegment], most: int) -> tuple[tuple[ResponseSegment, ...], int]:
    """The beginning of an answer with no more than so many claims, and how many were left out."""
    kept: list[ResponseSegment] = []
    room, left_out = most, 0
    for segment in segments:
        if left_out or (room == 0 and segment.claims):
            left_out += len(segment.claims)
            continue
        taken = segment.claims[:room]
        room -= len(taken)
        left_out += len(segment.claims) - len(taken)
        kept.append(segment if len(taken) == len(segment.claims) else replace(segment, claims=taken))
    return tuple(kept), left_out


def _signals_of(flags: Sequence[HallucinationFlag], examined: Examination) -> list[Sequence[LinguisticSignal]]:
    """How the sentence of each flag is worded."""
    starts = [segment.span.start for segment in examined.segments]
    spoken: dict[int, list[LinguisticSignal]] = {}
    for signal in find_signals(examined.text):
        spoken.setdefault(bisect_right(starts, signal.span.start), []).append(signal)
    return [spoken.get(bisect_right(starts, flag.span.start), ()) for flag in flags]


def _fit(flag: HallucinationFlag, length: int) -> HallucinationFlag:
    """A plug-in that quotes what is not there has failed: nothing may be cut at such a place."""
    for span in (flag.span, flag.value_span, flag.related_span, flag.claim_span):
        if span is not None and not 0 <= span.start <= span.end <= length:
            raise ValueError(f"the span {tuple(span)} is not within the answer")
    return flag


def _is_checked(type_: MentionType) -> bool:
    return type_ is not MentionType.PRONOUN


def _log(flags: Sequence[HallucinationFlag]) -> None:
    logger.info(
        "detection: total_flags=%d high_confidence=%d types=%s",
        len(flags),
        sum(flag.confidence >= HIGH_CONFIDENCE for flag in flags),
        sorted({flag.hallucination_type.value for flag in flags}),
    )
