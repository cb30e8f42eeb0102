"""The face of detection: an answer against what is known, what is remembered and what was said before."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from groundwire.errors import InvalidInput, QueueFull, StoreUnavailable
from groundwire.memory.keeping import Keeping, name_scope
from groundwire.memory.undisturbed import Undisturbed
from groundwire.types import Memory, Scope
from groundwire.types.detection import DetectionReport, DialogueTurn, HallucinationFlag, Handling

if TYPE_CHECKING:
    from groundwire.detect.config import HallucinationDetectorConfig, MitigationConfig
    from groundwire.detect.detector import Detection, HallucinationDetector, Similarity
    from groundwire.detect.mitigation import Mitigation
    from groundwire.detect.predicates import Predicates
    from groundwire.evidence.knowledge import Knowledge
    from groundwire.evidence.lookups import DialogueState, KnowledgeBase
    from groundwire.memory.traces import Pattern
    from groundwire.settings import Settings
    from groundwire.types import VerificationReport

    Said = DialogueState | Sequence[DialogueTurn | Mapping[str, object]] | None
    Known = KnowledgeBase | Mapping[str, object] | None
    Examine = Callable[[str], Detection]

REVIEW, RECORD = "review_queue", "record"
"""Under these names a report says that an answer could not be queued, or a detection not be recorded."""
_RECOLLECTIONS = 8


class Detecting(Keeping):
    """The half of Groundwire that says what kind of wrong an answer is, where, and what to do about it."""

    settings: Settings
    _examiner: HallucinationDetector | None = None
    _recollected: dict[tuple[object, ...], Knowledge] | None = None

    @property
    def _has_memory(self) -> bool:
        raise NotImplementedError

    def _choose_similarity(self) -> Similarity:
        raise NotImplementedError

    def _tell_ticks(self) -> float:
        raise NotImplementedError

    def _check_answer(self, text: str) -> None:
        raise NotImplementedError

    def detect(
        self,
        response: str,
        *,
        dialogue: Said = None,
        knowledge: Known = None,
        user: str | None = None,
        tenant: str = "default",
        now: datetime | None = None,
        branches_left: int | None = None,
        session: str | None = None,
        turn: int | str | None = None,
        credential: str | None = None,
        config: HallucinationDetectorConfig | None = None,
        mitigation: MitigationConfig | None = None,
    ) -> DetectionReport:
        """Every flag of an answer with its evidence, what is done about each, and the answer as it may be shown.

        `knowledge` is as in `groundwire.evidence.knowledge`, or the JSON of it; with a `user`, what is remembered of
        them is known as well. With `session` and `turn` the report is kept under its paths. An answer that a person
        has to see is queued; the `credential` that brought it cannot decide on it.
        """
        if (session is None) != (turn is None):
            raise InvalidInput("session" if session is None else "turn", "is missing; session and turn go together")
        if session is not None:
            name_scope(user, tenant)
        examine = self._prepare(response, dialogue, knowledge, user, tenant, now, config)
        with Undisturbed(len(response)):
            found = examine(response)
            done = self._mitigate(response, found.flags, mitigation, branches_left, examine)
        # A check that could not be made is no reason to accept.
        doubtful = found.errors and done.handling is Handling.ACCEPT
        report = DetectionReport(
            response=response,
            flags=found.flags,
            actions=done.actions,
            mitigated=done.mitigated,
            confidence=done.confidence,
            handling=Handling.FLAG if doubtful else done.handling,
            metrics=found.metrics,
            errors=found.errors,
            not_analysed=found.not_analysed,
        )
        return self._keep_report(report, user, tenant, session, turn, self._choose_time(now), credential)

    def mitigate(
        self,
        response: str,
        flags: Sequence[HallucinationFlag],
        *,
        dialogue: Said = None,
        knowledge: Known = None,
        user: str | None = None,
        tenant: str = "default",
        now: datetime | None = None,
        branches_left: int | None = None,
        config: MitigationConfig | None = None,
    ) -> Mitigation:
        """What to do about flags that are known already; the changed answer is examined once more."""
        for flag in flags:
            for span in (flag.span, flag.value_span, flag.claim_span):
                if span is not None and not 0 <= span.start <= span.end <= len(response):
                    raise InvalidInput("flags", f"the span {tuple(span)} is not within the answer")
        examine = self._prepare(response, dialogue, knowledge, user, tenant, now, None)
        return self._mitigate(response, flags, config, branches_left, examine)

    def paths(self, prefix: str = "/", *, user: str, tenant: str = "default") -> Mapping[str, Any]:
        """Everything on record under a path, such as /hallucination/SESSION/TURN/, in the order of the paths."""
        return self._open_memory().store.sessions.values(name_scope(user, tenant), prefix)

    def patterns(self, *, user: str, tenant: str = "default") -> list[Pattern]:
        """What goes wrong again and again across the sessions of a user, most frequent first."""
        from groundwire.memory.traces import PATTERNS, read_patterns

        return read_patterns(self.paths(f"{PATTERNS}/", user=user, tenant=tenant))

    def predicates(self, now: Callable[[], datetime] | None = None) -> Predicates:
        """The single questions that detection consists of, over this judge and embedder."""
        from groundwire.detect.predicates import Predicates

        clock = now or self._tell_time
        return Predicates(judge=self._choose_judge(), similarity=self._choose_similarity(), now=clock)

    # ── parts ───────────────────────────────────────────────────────────────────────────────────

    def _mitigate(
        self,
        response: str,
        flags: Sequence[HallucinationFlag],
        config: MitigationConfig | None,
        branches_left: int | None,
        examine: Examine,
    ) -> Mitigation:
        from groundwire.detect.config import MitigationConfig
        from groundwire.detect.mitigation import HallucinationMitigator

        mitigator = HallucinationMitigator(config or MitigationConfig.from_settings(self.settings))
        left = self.settings.max_branches if branches_left is None else branches_left
        return mitigator.mitigate(response, flags, branches_left=left, recheck=lambda text: examine(text).flags)

    def _prepare(
        self,
        response: str,
        dialogue: Said,
        knowledge: Known,
        user: str | None,
        tenant: str,
        now: datetime | None,
        config: HallucinationDetectorConfig | None,
    ) -> Examine:
        """Everything that an answer is examined against, read once."""
        self._check_answer(response)
        moment, detector = self._choose_time(now), self._open_detector(config)
        said, known = _read_dialogue(dialogue), _read_knowledge(knowledge)
        if user is not None and self._has_memory:
            known = self._add_remembered(known, response, name_scope(user, tenant), moment)
        return lambda text: detector.examine(text, said, known, moment)

    def _open_detector(self, config: HallucinationDetectorConfig | None = None) -> HallucinationDetector:
        """The detector of the settings is made once; its parts are made when they are first needed."""
        from groundwire.detect.config import HallucinationDetectorConfig
        from groundwire.detect.detector import HallucinationDetector

        def make(config: HallucinationDetectorConfig) -> HallucinationDetector:
            similarity = self._choose_similarity()
            return HallucinationDetector(
                config, judge=self._choose_judge(), similarity=similarity, clock=self._tell_ticks
            )

        if config is not None:
            return make(config)
        if self._examiner is None:
            self._examiner = make(HallucinationDetectorConfig.from_settings(self.settings))
        return self._examiner

    def _add_remembered(self, known: KnowledgeBase, response: str, scope: Scope, now: datetime) -> KnowledgeBase:
        """What is handed in comes first; a knowledge base of somebody else's making is left as it is."""
        from groundwire.evidence.knowledge import Knowledge
        from groundwire.text.claims import extract_claims

        given = cast("object", known)
        if not isinstance(given, Knowledge):
            return known
        claims = [claim.text for claim in extract_claims(response, hedged=True)] or [response]
        grounds = self._open_memory().grounds
        remembered = self._recollect(grounds.gather(scope, claims[: self.settings.max_claims], now))
        if not given.is_empty:
            entities, told = (*given.entities, *remembered.entities), (*given.given, *remembered.given)
            remembered = Knowledge(entities, told, given.complete_types)
        return cast("KnowledgeBase", remembered)

    def _recollect(self, memories: Sequence[Memory]) -> Knowledge:
        """Reading memories costs more than asking them, so the last few readings are kept."""
        from groundwire.evidence.recollection import recollect

        kept = self._recollected if self._recollected is not None else {}
        key = tuple((m.id, m.text, m.trust, m.timestamp, m.status) for m in memories)
        if key not in kept:
            recent = list(kept.items())[1 - _RECOLLECTIONS :]
            self._recollected = kept = {**dict(recent), key: recollect(memories)}
        return kept[key]

    def _add_flags(self, report: VerificationReport, memories: Sequence[Memory], now: datetime) -> VerificationReport:
        """The report with what the detectors say of the text by itself and against the same memories."""
        known = cast("KnowledgeBase", self._recollect(memories))
        found = self._open_detector().examine(report.text, _read_dialogue(None), known, now)
        failed = {f"detector:{name}": why for name, why in found.errors.items()}
        return replace(report, flags=found.flags, metadata={**report.metadata, **failed})

    def _keep_report(
        self,
        report: DetectionReport,
        user: str | None,
        tenant: str,
        session: str | None,
        turn: int | str | None,
        now: datetime,
        credential: str | None,
    ) -> DetectionReport:
        """Queue what a person has to see and record what is to be recorded; an answer is not held back for that."""
        from groundwire.memory.detections import PROPOSER, queue_answer, record_detection

        if user is None:
            return report
        scope, failed = name_scope(user, tenant), dict(report.errors)
        if report.handling is Handling.HUMAN_REVIEW and self._has_memory:
            longest = self.settings.max_memory_characters
            try:
                queued = queue_answer(self._open_memory().store, scope, report, longest, now, credential or PROPOSER)
                report = replace(report, review_id=queued)
            except (QueueFull, StoreUnavailable) as error:
                failed[REVIEW] = str(error)
        if session is not None and turn is not None:
            try:
                record_detection(self._open_memory().store, scope, report, session, turn, now)
            except StoreUnavailable as error:
                failed[RECORD] = str(error)
        return replace(report, errors=failed) if failed != report.errors else report


def _read_dialogue(dialogue: Said) -> DialogueState:
    from groundwire.evidence.dialogue import Dialogue, read_dialogue

    if dialogue is not None and not isinstance(dialogue, list | tuple):
        return cast("DialogueState", dialogue)
    rows = cast("Sequence[object]", dialogue or ())
    if all(isinstance(row, DialogueTurn) for row in rows):
        return cast("DialogueState", Dialogue(cast("Sequence[DialogueTurn]", rows)))
    return cast("DialogueState", read_dialogue(rows))


def _read_knowledge(knowledge: Known) -> KnowledgeBase:
    from groundwire.evidence.knowledge import Knowledge
    from groundwire.evidence.knowledge_import import read_knowledge

    if knowledge is not None and not isinstance(knowledge, Mapping):
        return knowledge
    return cast("KnowledgeBase", Knowledge() if knowledge is None else read_knowledge(knowledge))
