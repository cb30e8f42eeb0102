"""What is done about the flags of an answer, and the answer as it may be shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.detect.config import MitigationConfig
from groundwire.detect.incidents import overlap
from groundwire.detect.repair.edits import Change, apply_changes, move, put_note
from groundwire.detect.repair.fitting import fit_value, put_value
from groundwire.detect.repair.guidance import write_guidance
from groundwire.detect.repair.removal import read_page, take_out
from groundwire.detect.scoring import choose_handling, overall_confidence
from groundwire.text.sentences import split_sentences
from groundwire.types import Span
from groundwire.types.detection import (
    Correct,
    Escalate,
    Flag,
    HallucinationFlag,
    HallucinationType,
    Handling,
    Leave,
    MitigationAction,
    Regenerate,
    Remove,
)

MANY = 3
"""From so many incidents on, an answer is written again rather than patched."""
DEFAULT_BRANCHES = 3

KNOWLEDGE_BASE = "Knowledge Base"
EARLIER_CONVERSATION = "Earlier conversation"
AUTOMATED = "Automated correction"
_SOURCES: Mapping[HallucinationType, str] = {
    HallucinationType.WRONG_ATTRIBUTE: KNOWLEDGE_BASE,
    HallucinationType.CONTRADICTS_FACT: KNOWLEDGE_BASE,
    HallucinationType.CONTRADICTS_PRIOR: EARLIER_CONVERSATION,
}

Recheck = Callable[[str], Sequence[HallucinationFlag]]


@dataclass(frozen=True, slots=True)
class Mitigation:
    """`mitigated` is the answer as it may be shown; the same as before where it has to be written again."""

    actions: tuple[MitigationAction, ...]
    mitigated: str
    confidence: float
    handling: Handling


@dataclass(frozen=True, slots=True)
class _Planned:
    """A flag, what is to be done about it, and the changes of the text that do it."""

    flag: HallucinationFlag
    action: MitigationAction
    changes: tuple[Change, ...] = ()

    @property
    def rewords(self) -> bool:
        """Whether the answer says something else afterwards; a note says nothing."""
        return bool(self.changes) and not isinstance(self.action, Flag)


class HallucinationMitigator:
    """Decides by thresholds alone; never inserts a word that is not a value, a source of which is named, or a note."""

    def __init__(self, config: MitigationConfig | None = None) -> None:
        self.config = config or MitigationConfig()

    def mitigate(
        self,
        response: str,
        flags: Sequence[HallucinationFlag],
        *,
        branches_left: int = DEFAULT_BRANCHES,
        recheck: Recheck | None = None,
    ) -> Mitigation:
        """`branches_left` is how often the answer may still be asked for again; `recheck` examines a text anew."""
        confidence = overall_confidence(flags)
        handling = choose_handling(confidence)
        ordered = sorted(flags, key=lambda f: (-f.confidence, f.span, f.hallucination_type.value))
        if self._are_too_many(flags):
            return self._start_over(response, ordered, confidence, branches_left)
        planned = self._plan(response, ordered)
        advice = tuple(plan.action for plan in planned)
        if handling is Handling.REGENERATE and branches_left > 0:
            return Mitigation((Regenerate(write_guidance(ordered)), *advice), response, confidence, handling)
        if handling in (Handling.REGENERATE, Handling.HUMAN_REVIEW):
            reason = _explain_escalation(confidence, handling)
            return Mitigation((Escalate(reason), *advice), response, confidence, Handling.HUMAN_REVIEW)
        if handling is Handling.CORRECT:
            planned = self._confirm(response, planned, recheck)
            advice = tuple(plan.action for plan in planned)
        mitigated = _apply(response, planned, handling)
        return Mitigation(advice, mitigated, confidence, handling)

    def decide(self, response: str, flag: HallucinationFlag) -> MitigationAction:
        """What is to be done about one flag by itself."""
        return self._plan(response, [flag])[0].action

    def _are_too_many(self, flags: Sequence[HallucinationFlag]) -> bool:
        strong = [flag for flag in flags if flag.confidence >= self.config.regenerate_threshold]
        incidents = {flag.incident for flag in strong if flag.incident}
        return len(incidents) + sum(not flag.incident for flag in strong) >= MANY

    def _start_over(
        self, response: str, ordered: Sequence[HallucinationFlag], confidence: float, branches_left: int
    ) -> Mitigation:
        if branches_left > 0:
            return Mitigation((Regenerate(write_guidance(ordered)),), response, confidence, Handling.REGENERATE)
        reason = _explain_escalation(confidence, Handling.REGENERATE)
        return Mitigation((Escalate(reason),), response, confidence, Handling.HUMAN_REVIEW)

    # ── flag by flag ────────────────────────────────────────────────────────────────────────────

    def _plan(self, response: str, ordered: Sequence[HallucinationFlag]) -> list[_Planned]:
        """The most confident first; where two changes would overlap, the later one gives way to a flag."""
        page = read_page(response) if any(self._may_remove(flag) for flag in ordered) else None
        planned: list[_Planned] = []
        corrected = 0
        for flag in ordered:
            plan = self._note(response, flag)
            if flag.confidence >= self.config.auto_correct_threshold and corrected < self.config.max_corrections:
                if (correction := find_correction(response, flag)) is not None:
                    changes = (put_value(response, correction.span, correction.replacement),)
                    plan = _Planned(flag, correction, changes)
                elif page is not None and self._may_remove(flag):
                    changes = take_out(page, flag.claim_span or flag.span)
                    reason = flag.hallucination_type.description
                    plan = _Planned(flag, Remove(flag.span, reason), changes) if changes else plan
            if _collides(plan, planned):
                plan = replace(self._note(response, flag), changes=())
            corrected += isinstance(plan.action, Correct)
            planned.append(plan)
        return planned

    def _may_remove(self, flag: HallucinationFlag) -> bool:
        """What is merely unverifiable stays; so does what somebody wanted to correct with something unfit."""
        is_sure = flag.confidence >= self.config.auto_correct_threshold
        return is_sure and not flag.is_unverifiable and flag.correct_value is None

    def _note(self, response: str, flag: HallucinationFlag) -> _Planned:
        if flag.confidence < self.config.flag_threshold:
            return _Planned(flag, Leave(flag.span))
        annotation = f"[{flag.hallucination_type.description}]"
        return _Planned(flag, Flag(flag.span, annotation), (put_note(response, flag.span, annotation),))

    # ── once more ───────────────────────────────────────────────────────────────────────────────

    def _confirm(self, response: str, planned: Sequence[_Planned], recheck: Recheck | None) -> list[_Planned]:
        """The reworded answer is examined once; a change that brings a new fault is undone."""
        rewording = [plan for plan in planned if plan.rewords]
        if recheck is None or not rewording:
            return list(planned)
        changes = sorted((c for plan in rewording for c in plan.changes), key=lambda c: c.span)
        text = apply_changes(response, changes)
        known = [
            (plan.flag.hallucination_type, _move_span(plan.flag.span, changes)) for plan in planned if not plan.rewords
        ]
        new = [
            flag
            for flag in recheck(text)
            if flag.confidence >= self.config.flag_threshold
            and not any(type_ is flag.hallucination_type and overlap(span, flag.span) for type_, span in known)
        ]
        undone = {id(plan) for plan in _blame(text, changes, rewording, new)}
        return [self._note(response, plan.flag) if id(plan) in undone else plan for plan in planned]


def find_correction(response: str, flag: HallucinationFlag) -> Correct | None:
    """The value that belongs where the wrong one stands, and its source; None where the flag brings none."""
    value, span = flag.correct_value, flag.value_span
    if value is None or span is None or span.start >= span.end:
        return None
    fitted = fit_value(response, span, value)
    if fitted is None:
        return None
    span, value = fitted
    original = response[span.start : span.end]
    if original.casefold() == value.casefold():
        return None
    return Correct(span, original, value, _SOURCES.get(flag.hallucination_type, AUTOMATED))


def _collides(plan: _Planned, planned: Sequence[_Planned]) -> bool:
    """A note gives way where its words are changed; a change gives way to a more confident change or note."""
    if not plan.changes:
        return False
    mine = _reach(plan)
    return any(
        overlap(one, other)
        for others in planned
        if others.changes and (plan.rewords or others.rewords)
        for one in mine
        for other in _reach(others)
    )


def _reach(plan: _Planned) -> list[Span]:
    return [plan.flag.span] if isinstance(plan.action, Flag) else [change.span for change in plan.changes]


def _apply(response: str, planned: Sequence[_Planned], handling: Handling) -> str:
    if handling not in (Handling.FLAG, Handling.CORRECT):
        return response
    wanted = [plan for plan in planned if handling is Handling.CORRECT or isinstance(plan.action, Flag)]
    changes = dict.fromkeys(change for plan in wanted for change in plan.changes)
    rewritten = [c.span for plan in wanted if plan.rewords for c in plan.changes]
    kept = [c for c in changes if _is_free(c, rewritten)]
    return apply_changes(response, kept)


def _is_free(change: Change, rewritten: Sequence[Span]) -> bool:
    """A note whose place itself is rewritten, although its words are not, has nowhere to stand."""
    place = change.span
    return place.start < place.end or not any(span.start < place.start < span.end for span in rewritten)


def _move_span(span: Span, changes: Sequence[Change]) -> Span:
    return Span(move(span.start, changes), move(span.end, changes))


def _blame(
    text: str, changes: Sequence[Change], rewording: Sequence[_Planned], new: Sequence[HallucinationFlag]
) -> list[_Planned]:
    """The plans that changed a sentence in which something is wrong now; failing that, the one before it."""
    if not new:
        return []
    sentences = [sentence.span for sentence in split_sentences(text)]
    places = [(min(move(c.span.end, changes) for c in plan.changes), plan) for plan in rewording]
    places.sort(key=lambda entry: entry[0])
    blamed: list[_Planned] = []
    for flag in new:
        spans = [flag.span] if flag.related_span is None else [flag.span, flag.related_span]
        faulty = [s for s in sentences if any(overlap(s, span) for span in spans)] or spans
        here = [plan for place, plan in places if any(s.start <= place <= s.end for s in faulty)]
        earlier = [plan for place, plan in places if place <= flag.span.start]
        blamed += here or earlier[-1:] or [places[0][1]]
    return blamed


def _explain_escalation(confidence: float, handling: Handling) -> str:
    if handling is Handling.REGENERATE:
        return "the answer should be written again, and no attempts are left: a person has to decide"
    return f"the confidence in the whole answer is {confidence:.2f}, below 0.30: a person has to decide"
