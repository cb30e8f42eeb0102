"""The stream gate without input and output: text in, events out.

    take      what has come is cut into sentences; cheap, and may run while `settle` is at work in another thread
    settle    the finished sentences are judged, each once, and released, repaired or halted
    feed      both;  flush  the stream is over

A refutation halts, or is repaired; one that is not sure enough to halt never gets out of `strict` either: its sentence
is mended or left out. A claim without evidence is not shown as if it had been verified: see `OnUnverified`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from groundwire.guard.context import Context
from groundwire.guard.events import Halt, Hold, Release, Repair, StreamEvent, move_claim, refuted
from groundwire.guard.mending import find_sentences, mend
from groundwire.guard.noting import VerdictNotes
from groundwire.guard.policy import GuardOptions, OnRefuted, OnUndisclosed, OnUnverified
from groundwire.guard.protocols import Check
from groundwire.guard.window import Cutter, Unit, UnitKind
from groundwire.types import ClaimReport, Disclosure, Span, Standing, Verdict, VerificationReport
from groundwire.verify.bare import is_bare_answer
from groundwire.verify.changes import find_mentions
from groundwire.verify.excerpts import WHOLE, Excerpt


@dataclass(frozen=True, slots=True)
class Tally:
    """A finished stream in numbers. `is_exempt`: no longer than a window, and nothing claimed."""

    supported: int = 0
    refuted: int = 0
    insufficient: int = 0
    characters: int = 0
    tokens: int = 0
    released: int = 0
    is_halted: bool = False
    is_exempt: bool = False
    skipped: str = ""


class _Judged(NamedTuple):
    """A unit with what was found in it; the claims count from the beginning of the stream."""

    unit: Unit
    claims: tuple[ClaimReport, ...]
    corrected: str | None
    hidden: tuple[Disclosure, ...]
    skipped: str
    threshold: float
    is_raised: bool


class StreamGuard:
    """One stream. Not to be shared between streams; `take` and `settle` may run in two threads."""

    def __init__(
        self,
        check: Check,
        options: GuardOptions | None = None,
        *,
        on_end: Callable[[Tally], None] | None = None,
        notes: VerdictNotes | None = None,
    ) -> None:
        self._check = check
        self._options = options or GuardOptions()
        self._on_end = on_end
        self._notes = notes
        self._cutter = Cutter(self._options.window_tokens, self._options.longest_tokens)
        self._units: deque[Unit] = deque()
        self._bare: list[Unit] = []
        self._context = Context()
        self._waiting: _Judged | None = None
        """A sentence that hides a contradiction, until the next one has had the chance to tell of it."""
        self._counts: Counter[Verdict] = Counter()
        self._released = 0
        self._skipped = ""
        self._told: set[tuple[str, str]] = set()
        self._is_over = False
        self.halted: Halt | None = None
        self.report: VerificationReport | None = None
        """On the sentence that was judged last."""
        self.evidence: Mapping[str, str] = {}
        """The texts of the memories that it cites, by their ids."""

    @property
    def is_due(self) -> bool:
        """Whether there is something for `settle` to do."""
        return bool(self._units) or (self._is_over and self._waiting is not None)

    @property
    def backlog(self) -> int:
        """Characters that have come and are not judged."""
        return sum(len(unit.text) for unit in tuple(self._units))

    @property
    def released(self) -> int:
        return self._released

    @property
    def tally(self) -> Tally:
        counts, tokens = self._counts, self._cutter.total_tokens
        is_short = tokens <= self._options.window_tokens and not self._options.check_short
        return Tally(
            counts[Verdict.SUPPORTED],
            counts[Verdict.REFUTED],
            counts[Verdict.INSUFFICIENT],
            self._cutter.taken,
            tokens,
            self._released,
            self.halted is not None,
            is_short and not counts.total(),
            self._skipped,
        )

    def feed(self, text: str) -> tuple[StreamEvent, ...]:
        return (*self.take(text), *self.settle())

    def flush(self) -> tuple[StreamEvent, ...]:
        """The stream is over: what is left is judged as it stands."""
        self.finish()
        return self.settle()

    def take(self, text: str) -> tuple[StreamEvent, ...]:
        """Take what has come; nothing is judged."""
        if self.halted is not None or self._is_over or not text:
            return ()
        start = self._cutter.taken
        events: list[StreamEvent] = []
        if not self._options.is_strict:
            self._released = start + len(text)
            events.append(Release(Span(start, self._released), text, is_verified=False))
        for found in self._cutter.take(text):
            if isinstance(found, Unit):
                self._queue(found)
            elif self._options.is_strict:
                events.append(Hold(found.span, found.tokens))
        return tuple(events)

    def finish(self) -> None:
        if not self._is_over and self.halted is None:
            for unit in self._cutter.finish():
                self._queue(unit)
            bare, self._bare = self._bare, []
            self._units.extend(replace(unit, is_last=True) for unit in bare)
            self._is_over = True

    def _queue(self, unit: Unit) -> None:
        """A bare value ("Berlin.") answers a question where nothing follows it: it waits until that is known."""
        if (unit.start == 0 and unit.kind is UnitKind.TEXT and is_bare_answer(unit.text)) or (
            self._bare and unit.kind is UnitKind.BLANK
        ):
            self._bare.append(unit)
        else:
            self._units.extend(self._bare)
            self._bare.clear()
            self._units.append(unit)

    def settle(self) -> tuple[StreamEvent, ...]:
        """Judge what is finished, in order."""
        events: list[StreamEvent] = []
        while self._units and self.halted is None:
            events.extend(self._pass(self._units.popleft()))
        if self._is_over and self.halted is None:
            events.extend(self._stop_waiting())
        if self._is_over or self.halted is not None:
            self._end()
        return tuple(events)

    def _end(self) -> None:
        self._units.clear()
        on_end, self._on_end = self._on_end, None
        if on_end is not None:
            on_end(self.tally)
        self.leave()

    @property
    def is_on_record(self) -> bool:
        """Whether nothing that was judged waits to be written down."""
        return self._notes is None or self._notes.is_empty

    def leave(self) -> None:
        """Nobody reads on: what was judged so far goes on record. Not to be called while `settle` is at work."""
        if self._notes is not None:
            self._notes.write_down()

    # ── one unit ────────────────────────────────────────────────────────────────────────────────

    def _pass(self, unit: Unit) -> list[StreamEvent]:
        if unit.kind is not UnitKind.TEXT:
            before = self._stop_waiting()
            if unit.kind is UnitKind.CODE:
                self._context.break_off()
            return [*before, *self._let_out(unit, (), reason=unit.kind.value)]
        judged = self._judge(unit)
        self._counts.update(claim.verdict for claim in judged.claims)
        self._skipped = self._skipped or judged.skipped
        events = self._stop_waiting()
        if self.halted is None:
            events += self._decide(judged)
        self._context.add(unit.text)
        return events

    def _judge(self, unit: Unit) -> _Judged:
        """The unit read after what comes before it; a sentence that waits is looked at again for its disclosure."""
        before = self._context.text
        start = told_from = len(before)
        if self._waiting is not None:
            told_from = max(0, start - len(self._waiting.unit.text))
        is_whole = unit.is_last and unit.start == 0
        excerpt = WHOLE if is_whole else Excerpt(start, told_from, self._context.discourse)
        checked = self._check(before + unit.text, excerpt)
        if self._waiting is not None:
            if all(disclosure.span.start >= start for disclosure in checked.report.disclosures):
                self._waiting = self._waiting._replace(hidden=())
            elif checked.report.corrected is not None:  # of which a part is the waiting sentence's
                checked = self._check(before + unit.text, Excerpt(start, start, self._context.discourse))
        self.report, self.evidence = checked.report, checked.evidence
        report = checked.report
        if self._notes is not None:
            self._notes.add(report)
        corrected = report.corrected
        hidden = tuple(d for d in report.disclosures if d.span.start >= start and not self._is_told(d))
        self._note_telling(before + unit.text, report)
        unread = f"{report.not_analysed} sentences were not analysed" if report.not_analysed else ""
        return _Judged(
            unit,
            tuple(move_claim(claim, unit.start - start) for claim in report.claims),
            corrected[start:] if corrected is not None else None,
            hidden,
            (checked.skipped or unread) if report.claims else unread,
            checked.threshold,
            checked.is_raised,
        )

    def _decide(self, judged: _Judged) -> list[StreamEvent]:
        options, claims = self._options, judged.claims
        sure = refuted(claims, judged.threshold)
        if judged.skipped and options.fail_closed:
            return [self._halt(judged.unit.span, claims, f"not verified: {judged.skipped}", may_branch=False)]
        if sure and options.on_refuted is OnRefuted.HALT:
            back = [] if options.is_strict else self._mend(judged)
            return [*back, self._halt(sure[0].wrong or sure[0].span, sure, explain(sure), corrected=judged.corrected)]
        if sure or (options.is_strict and refuted(claims) and not judged.is_raised):
            return self._mend(judged)
        unknown = find_unverified(claims)
        if unknown and options.on_unverified in (OnUnverified.BRANCH, OnUnverified.ABSTAIN):
            may_branch = options.on_unverified is OnUnverified.BRANCH
            return [self._halt(unknown[0].span, unknown, explain(unknown), may_branch=may_branch)]
        if judged.hidden and options.undisclosed is not OnUndisclosed.IGNORE:
            self._waiting = judged
            return []
        return self._release(judged)

    def _release(self, judged: _Judged) -> list[StreamEvent]:
        """The sentence as it stands, or with what has to be said of it."""
        unit, unknown = judged.unit, find_unverified(judged.claims)
        policy = self._options.on_unverified
        if not unknown or policy is OnUnverified.RELEASE:
            return self._let_out(unit, judged.claims, skipped=judged.skipped)
        sentences = find_sentences(unit.text, unknown, unit.start)
        if policy is OnUnverified.REMOVE:
            return self._replace(judged, mend(unit.text, leave_out=sentences), explain(unknown))
        text = mend(unit.text, mark=sentences, annotation=self._options.annotation)
        if not self._options.is_strict:
            return self._replace(judged, text, explain(unknown))
        return self._let_out(unit, judged.claims, text=text, reason=explain(unknown), skipped=judged.skipped)

    def _mend(self, judged: _Judged) -> list[StreamEvent]:
        """What the memories say in the place of what they surely refute, if that holds; else the sentence goes."""
        text, claims, offset = judged.unit.text, judged.claims, judged.unit.start
        bad = refuted(claims)
        if judged.corrected is not None and bad == refuted(claims, judged.threshold):
            before = self._context.text
            text, offset = judged.corrected, len(before)
            open_before = {claim.text for claim in find_unverified(claims)} - {claim.text for claim in bad}
            claims = self._check(before + text, Excerpt(offset, offset, self._context.discourse)).report.claims
            bad = tuple(claim for claim in find_unverified(claims) if claim.text not in open_before)
        out = find_sentences(text, bad, offset)
        unknown = [s for s in find_sentences(text, find_unverified(claims), offset) if s not in out]
        match self._options.on_unverified:
            case OnUnverified.ANNOTATE:
                mended = mend(text, leave_out=out, mark=unknown, annotation=self._options.annotation)
            case OnUnverified.REMOVE:
                mended = mend(text, leave_out=[*out, *unknown])
            case _:
                mended = mend(text, leave_out=out)
        return self._replace(judged, mended, explain(refuted(judged.claims)))

    def _replace(self, judged: _Judged, text: str, reason: str) -> list[StreamEvent]:
        """Shown already in `fast`; in `strict` it takes the place of what nobody has seen."""
        unit = judged.unit
        self._released = max(self._released, unit.end)
        caveat = tuple(claim.text for claim in find_unverified(judged.claims) if claim.verdict is not Verdict.REFUTED)
        taken = not self._options.is_strict
        return [Repair(unit.span, text, judged.claims, reason, caveat, taken, is_verified=not judged.skipped)]

    def _let_out(
        self,
        unit: Unit,
        claims: tuple[ClaimReport, ...],
        *,
        text: str | None = None,
        reason: str = "",
        skipped: str = "",
    ) -> list[StreamEvent]:
        if not self._options.is_strict:
            return []  # it has been shown already
        self._released = unit.end
        caveat = tuple(claim.text for claim in find_unverified(claims))
        shown = unit.text if text is None else text
        return [Release(unit.span, shown, claims, skipped or reason, caveat, is_verified=not skipped)]

    def _halt(
        self,
        span: Span,
        claims: tuple[ClaimReport, ...],
        reason: str,
        *,
        may_branch: bool = True,
        corrected: str | None = None,
        guidance: str = "",
    ) -> Halt:
        self.halted = Halt(span, self._released, claims, reason, may_branch, corrected, guidance)
        return self.halted

    # ── disclosure ──────────────────────────────────────────────────────────────────────────────

    def _stop_waiting(self) -> list[StreamEvent]:
        """Nothing more is waited for: the disclosure is put in, or the answer asked for again; it never halts alone."""
        judged, self._waiting = self._waiting, None
        if judged is None:
            return []
        phrase = "; ".join(disclosure.phrase for disclosure in judged.hidden)
        self._told.update((disclosure.subject, disclosure.slot_type) for disclosure in judged.hidden)
        reason = f"undisclosed: {phrase}"
        if phrase and self._options.undisclosed is OnUndisclosed.BRANCH:
            return [self._halt(judged.unit.span, judged.claims, reason, guidance=f"Say: {phrase}.")]
        if not phrase or judged.corrected is None:
            return self._release(judged)
        return self._replace(judged, judged.corrected, reason)

    def _is_told(self, disclosure: Disclosure) -> bool:
        return (disclosure.subject, disclosure.slot_type) in self._told

    def _note_telling(self, text: str, report: VerificationReport) -> None:
        """A contradiction that has been laid open once need not be told again later in the stream."""
        hidden = {(d.subject, d.slot_type) for d in report.disclosures}
        for contradiction in report.contradictions:
            place = (contradiction.subject, contradiction.slot_type)
            named = sum(next(find_mentions(text, value), None) is not None for value in contradiction.values)
            if place not in hidden and named > 1:
                self._told.add(place)


def find_unverified(claims: tuple[ClaimReport, ...]) -> tuple[ClaimReport, ...]:
    """Claims that nothing speaks of; what the author did not vouch for is none, and a doubtful refutation is one."""
    return tuple(c for c in claims if c.verdict is not Verdict.SUPPORTED and c.standing is not Standing.HEDGED)


def explain(claims: Iterable[ClaimReport]) -> str:
    """Why, in one line; of many claims the first three."""
    reasons = dict.fromkeys(f"“{claim.text}”: {claim.explanation}" for claim in claims)
    return "; ".join(list(reasons)[:3])
