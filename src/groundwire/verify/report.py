"""The verifier of the read gate: claims → evidence → verdicts → contradictions → disclosure → report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.errors import ModelUnavailable
from groundwire.evidence.index import EvidenceIndex
from groundwire.judge.action import decide_action, most_severe
from groundwire.judge.alignment import Aliases
from groundwire.judge.consultation import (
    Consultant,
    Query,
    consult,
    is_decided,
    is_of_another,
    merge,
    rank_passages,
)
from groundwire.judge.decision import PassageScores
from groundwire.judge.explanation import explain
from groundwire.judge.fallback import compare_surface
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.judge.reconsidering import is_final, reconsider
from groundwire.judge.rules import RULES, find_parts
from groundwire.settings import Settings
from groundwire.text.catalogue import load_catalogue
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim, Reading, read_text
from groundwire.types import (
    Action,
    ClaimReport,
    ContradictionDetail,
    Disclosure,
    Memory,
    Standing,
    Verdict,
    VerificationReport,
    VerifyMode,
)
from groundwire.verify.asking import Questions
from groundwire.verify.bare import with_bare_answers
from groundwire.verify.correction import apply_edits
from groundwire.verify.disclosure import Usage, find_silent_usages, find_usages, is_disclosed, missing_disclosures
from groundwire.verify.disputes import View, find_disputes
from groundwire.verify.excerpts import WHOLE, Excerpt
from groundwire.verify.faults import mark_faults
from groundwire.verify.ground import Ground, Grounds
from groundwire.verify.offers import is_offer
from groundwire.verify.overruling import overrule
from groundwire.verify.partings import Partings
from groundwire.verify.summary import (
    Judged,
    correct_answer,
    map_grounding,
    quote_faults,
    right_value,
    wrong_span,
)
from groundwire.verify.telling import is_disputed_value, is_old_value, names_old_value, tells_other_way, told_by
from groundwire.verify.weighing import Weighed
from groundwire.verify.whole import apply_sentences, as_written, ask_sentences
from groundwire.verify.worded import Worded, as_used, find_worded, tell_endings

_WORST = (Standing.REFUTED, Standing.STALE, Standing.CONFLICTING, Standing.UNSUPPORTED, Standing.SUPPORTED)
_MOST_SURFACE_COMPARISONS = 256
_MOST_CONSULTED = 64
_CLAIMS_KEPT, _MOST_SHOWN = 64, 9


@dataclass(frozen=True, slots=True)
class _Case:
    """Everything that one call knows before it judges its claims."""

    reading: Reading
    claims: tuple[ReadClaim, ...]
    surplus: int
    ground: Ground
    hidden: tuple[tuple[Usage, Disclosure], ...]
    usages: tuple[Usage, ...]
    told: tuple[Usage, ...]
    partings: Partings
    questions: Questions

    @property
    def index(self) -> EvidenceIndex:
        return self.ground.index

    @property
    def aliases(self) -> Aliases:
        return self.ground.aliases

    @property
    def contradictions(self) -> tuple[ContradictionDetail, ...]:
        return self.ground.contradictions

    def is_final(self, read: ReadClaim, parts: Sequence[Part]) -> bool:
        told = (read.claim.text, self.reading.text[read.sentence.start : read.sentence.end])
        return all(is_final(part, told, self.index.memories) for part in parts)


class GroundCheckVerifier:
    """Verifies an answer against memories with rules alone: no model, no network, same bytes every time."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        clock: Callable[[], float] | None = None,
        consultant: Consultant | None = None,
    ) -> None:
        self._settings = settings or Settings()
        self._consultant = consultant
        self.problem: ModelUnavailable | None = None
        """Why the last answer was verified without the model, if it was."""
        self._clock = clock or (lambda: 0.0)
        self._catalogue = load_catalogue(tuple(self._settings.exclusive_slots), tuple(self._settings.additive_slots))
        self._grounds = Grounds(self._settings, self._catalogue, consultant)

    @property
    def name(self) -> str:
        return self._name(self.problem)

    def _name(self, problem: ModelUnavailable | None) -> str:
        return RULES if self._consultant is None or problem else f"{self._consultant.name}+{RULES}"

    def verify(
        self,
        text: str,
        memories: Sequence[Memory] | Ground,
        *,
        mode: VerifyMode = VerifyMode.POSTHOC,
        branch_count: int = 0,
        excerpt: Excerpt = WHOLE,
    ) -> VerificationReport:
        """The report on `text`: every claim judged, every contradiction that it uses examined."""
        started = self._clock()
        ground = memories if isinstance(memories, Ground) else self.prepare(memories)
        case = self._open_case(text, ground, excerpt)
        found, queries = self._examine(case)
        found, problem = self._consult(case, found, queries)
        if self._consultant is not None and problem is None:
            known, asked = ground.contradictions, self._settings
            bounds = asked.trust_threshold, asked.trust_gap, asked.additive_slots
            view = View(ground.index, ground.aliases, known, *bounds)
            found, bare = find_disputes(self._consultant, case.claims, found, view)
            if bare:
                case = self._open_case(text, replace(ground, contradictions=(*known, *bare)), excerpt)
        judged = [
            self._judge(case, claim, parts, mode, branch_count) for claim, parts in zip(case.claims, found, strict=True)
        ]
        judged = [entry for entry in judged if not _is_mere_offer(entry, ground, alone=len(judged) == 1)]
        self.problem = problem
        judged = tell_endings(judged, text, case.index.memories)
        if case.contradictions:
            worded = self._find_worded(case, judged)
            case = _with_silent_usages(case, judged, excerpt.told_from, [(w.read, (w.source,)) for w in worded])
            hidden = [usage for usage, _ in case.hidden]
            judged = as_used(judged, worded, case.usages, hidden) if worded else judged
        return self._report(case, judged, problem, started)

    def prepare(self, memories: Sequence[Memory]) -> Ground:
        """Read the memories and find where they contradict each other; the very same ones are ready as they are."""
        return self._grounds.prepare(memories)

    def _open_case(self, text: str, ground: Ground, excerpt: Excerpt) -> _Case:
        most, aliases = self._settings.max_claims, ground.aliases
        reading = read_text(text, self._catalogue, limit=most, discourse=excerpt.discourse, since=excerpt.start)
        reading = reading if reading.claims or not excerpt.is_whole else with_bare_answers(reading)
        claims = tuple(read for read in reading.claims if read.claim.span.start >= excerpt.start)
        surplus = max(0, len(claims) - most) + reading.unread
        if surplus:
            kept = set(map(id, claims[:most]))
            reading = replace(
                reading, claims=tuple(r for r in reading.claims if r.claim.span.start < excerpt.start or id(r) in kept)
            )
        usages = find_usages(reading, ground.contradictions, aliases)
        questions = Questions(self._consultant, ground.index.memories)
        partings = Partings(reading, ground.contradictions, aliases, questions.find_partings)
        told = tuple(u for u in usages if is_disclosed(u, reading, aliases, partings))
        fresh = [u for u in usages if u.claim.claim.span.start >= excerpt.told_from and u not in told]
        hidden = missing_disclosures(fresh, reading, aliases, partings)
        return _Case(reading, claims[:most], surplus, ground, hidden, usages, told, partings, questions)

    # ── one claim ───────────────────────────────────────────────────────────────────────────────

    def _find_parts(self, case: _Case, read: ReadClaim) -> tuple[Part, ...]:
        known = case.ground.found
        if (kept := known.get(id(read))) is not None:
            return kept[1]
        parts = find_parts(read, case.index.select(read), case.aliases, retells=self._consultant is None)
        if not any(part.findings for part in parts):
            near = case.index.passages[:_MOST_SURFACE_COMPARISONS]  # the last resort for what no rule could read
            found = (compare_surface(read.claim.text, p.passage) for p in near)
            parts = (replace(parts[0], findings=tuple(f for f in found if f is not None)), *parts[1:])
        if len(known) < _CLAIMS_KEPT:
            known[id(read)] = read, parts  # as long as the claim is kept, nothing else has its id
        return parts

    def _examine(self, case: _Case) -> tuple[list[tuple[Part, ...]], dict[int, Query]]:
        """What rules find, claim by claim; the model starts on what they leave open while they read the next."""
        found: list[tuple[Part, ...]] = []
        queries: dict[int, Query] = {}
        for i, claim in enumerate(case.claims):
            parts = self._find_parts(case, claim)
            found.append(parts)
            if self._consultant is None or not case.index.passages or case.is_final(claim, parts):
                continue
            query = self._query(case, claim, parts)
            if query.passages:
                queries[i] = query
                if claim is not case.claims[-1]:  # which is asked next anyway
                    self._consultant.begin(query.claim, query.passages[:1])
        return found, queries

    def _consult(
        self, case: _Case, found: list[tuple[Part, ...]], queries: Mapping[int, Query]
    ) -> tuple[list[tuple[Part, ...]], ModelUnavailable | None]:
        """What the rules found, with the model's answers to what they left open; or why there are none."""
        near = case.index.passages[:_MOST_CONSULTED]
        if self._consultant is None:
            return mark_faults(case.claims, found, case.reading.text, near), None
        merged, text = list(found), case.reading.text
        around = [p.passage for p in case.index.passages[:_MOST_SHOWN]]
        sentences = ask_sentences(text, case.claims, queries, around)
        told: dict[int, tuple[PassageScores, ...]] = {}
        try:
            for i, scores in consult(self._consultant, {**queries, **sentences}):
                told[i] = scores
                if i < 0:
                    continue
                claim, sentence = case.claims[i].claim, case.claims[i].sentence
                parts = reconsider(found[i], claim, text, scores, sentence)
                merged[i] = tuple(merge(part, claim, text, scores, sentence) for part in parts)
        except ModelUnavailable as error:
            return mark_faults(case.claims, found, text, near), error
        apply_sentences(text, case.claims, merged, sentences, told)
        return mark_faults(case.claims, merged, text, near, self._consultant), None

    def _query(self, case: _Case, read: ReadClaim, parts: Sequence[Part]) -> Query:
        spoken = [f.passage_id for part in parts for f in part.findings if f.verdict is not Verdict.INSUFFICIENT]
        alone = sum(other.sentence == read.sentence for other in case.claims) == 1
        text = as_written(read, case.reading.text) if alone else read.claim.text
        if all(map(is_decided, parts)):  # asked for second thoughts alone
            held = [p.passage for p in case.index.passages if p.passage.id in spoken]
            return Query(text, rank_passages(text, held, spoken)[:1])
        around = case.index.select(read) or case.index.passages[:_MOST_CONSULTED]
        near = [passage.passage for passage in around if not is_of_another(read, passage, case.aliases)]
        return Query(text, rank_passages(text, near, spoken), tuple(p.passage for p in around))

    def _find_worded(self, case: _Case, judged: Sequence[Judged]) -> list[Worded]:
        """Open claims that use a disputed value in words of their own, where there is no model to ask about them."""
        if self._consultant is not None:
            return []
        unsettled = [entry.read for entry in judged if entry.report.verdict is Verdict.INSUFFICIENT]
        return list(find_worded(unsettled, case.contradictions, case.index.memories))

    def _judge(
        self, case: _Case, read: ReadClaim, parts: Sequence[Part], mode: VerifyMode, branch_count: int
    ) -> Judged:
        weighed = [self._weigh(case, read, part) for part in parts]
        if case.contradictions and tells_other_way(read.claim.text, case.contradictions):
            weighed = [w if w.verdict is Verdict.REFUTED else w.left_open() for w in weighed]
        weighed.sort(key=lambda w: _WORST.index(w.standing))
        return Judged(read, tuple(weighed), self._claim_report(read, weighed, mode, branch_count))

    def _weigh(self, case: _Case, read: ReadClaim, part: Part) -> Weighed:
        """The memories decide, unless the part itself tells how they disagree."""
        if case.ground.overruled:
            part = overrule(part, read, case.reading.text, case.ground.overruled, case.index.memories)
        weighed = case.ground.scales.weigh(part)
        disputed = (
            weighed.standing in (Standing.CONFLICTING, Standing.STALE) and weighed.verdict is Verdict.INSUFFICIENT
        )
        told = any(usage.claim is read for usage in case.told)
        if disputed and (told or self._tells_change(case, read, certain=True)):
            return replace(weighed, verdict=Verdict.SUPPORTED, standing=Standing.SUPPORTED)
        if not case.contradictions or weighed.standing not in (Standing.REFUTED, Standing.UNSUPPORTED):
            return weighed
        certain = weighed.standing is Standing.REFUTED and weighed.finding.exact
        if certain and not is_disputed_value(weighed.finding.claim_value, case.contradictions):
            return weighed
        beside = part.argument if told and not certain else None
        if beside is not None and is_old_value(beside.text, case.contradictions):
            return replace(weighed, verdict=Verdict.SUPPORTED, standing=Standing.SUPPORTED)
        ids = self._tells_change(case, read, certain=certain)
        if not ids:
            return weighed
        finding = Finding(Verdict.SUPPORTED, 0.75, "tells_change", ids[0], beside=ids[1:])
        return Weighed(part, Verdict.SUPPORTED, Standing.SUPPORTED, 0.75, finding, ids)

    @staticmethod
    def _tells_change(case: _Case, read: ReadClaim, *, certain: bool) -> tuple[str, ...]:
        """The memories whose disagreement the claim tells of, where it tells of one."""
        told = told_by(read, case.reading, case.contradictions, case.aliases, case.partings, denied=certain)
        if told or certain or any(usage.claim is read for usage in case.usages):
            return told
        return case.questions.find_borne_out(read, case.contradictions)

    def _claim_report(
        self, read: ReadClaim, weighed: Sequence[Weighed], mode: VerifyMode, branch_count: int
    ) -> ClaimReport:
        decisive = weighed[0]
        verdict, standing = decisive.verdict, decisive.standing
        confidence = min(w.confidence for w in weighed) if verdict is Verdict.SUPPORTED else decisive.confidence
        supposed = read.proposition is UNREAD and verdict is Verdict.SUPPORTED  # "you may keep it", and so it is
        if read.claim.hedged and verdict is not Verdict.REFUTED and not supposed:
            verdict, standing = Verdict.INSUFFICIENT, Standing.HEDGED
        action = decide_action(
            verdict, confidence, branch_count, mode,
            refute_confidence=self._settings.refute_confidence, max_branches=self._settings.max_branches,
        )  # fmt: skip
        if standing is Standing.HEDGED:
            action = Action.CONTINUE
        evidence = tuple(dict.fromkeys(i for w in weighed if w.standing is decisive.standing for i in w.evidence))
        return ClaimReport(
            read.claim, verdict, standing, confidence, evidence, explain(verdict, decisive.finding), action,
            wrong=wrong_span(read, decisive), correction=right_value(read, decisive),
        )  # fmt: skip

    # ── the whole answer ────────────────────────────────────────────────────────────────────────

    def _report(
        self, case: _Case, judged: Sequence[Judged], problem: ModelUnavailable | None, started: float
    ) -> VerificationReport:
        text, disclosures = case.reading.text, tuple(d for _, d in case.hidden)
        reports = tuple(j.report for j in judged)
        unsound = [r for r in reports if r.verdict is not Verdict.SUPPORTED and r.standing is not Standing.HEDGED]
        actions = [r.action for r in reports] + [Action.BRANCH] * bool(disclosures)
        unverified = [r.text for r in reports if r.verdict is Verdict.INSUFFICIENT]
        corrected = apply_edits(text, correct_answer(text, judged, case.hidden, case.contradictions, case.usages))
        return VerificationReport(
            text=text,
            grounded=not unsound and not disclosures and not case.surplus,
            claims=reports,
            hallucinations=quote_faults(text, judged, Verdict.REFUTED, (Standing.REFUTED, Standing.STALE)),
            unverifiable=quote_faults(text, judged, Verdict.INSUFFICIENT, (Standing.UNSUPPORTED,)),
            contradictions=case.contradictions,
            requires_disclosure=bool(disclosures),
            expected_disclosure="; ".join(d.phrase for d in disclosures) or None,
            disclosures=disclosures,
            grounding_map=map_grounding(text, judged),
            corrected=corrected if corrected != text else None,
            action=most_severe(actions),
            confidence=min((r.confidence for r in reports), default=1.0),
            latency_ms=(self._clock() - started) * 1000,
            judge=self._name(problem),
            not_analysed=case.surplus,
            caveat=f"not verified: {'; '.join(unverified)}" if unverified else None,
        )


def _is_mere_offer(entry: Judged, ground: Ground, *, alone: bool) -> bool:
    undecided = entry.report.verdict is Verdict.INSUFFICIENT
    return undecided and is_offer(entry.read, ground.index.memories.values(), alone=alone)


def _with_silent_usages(
    case: _Case, judged: Sequence[Judged], told_from: int, worded: Sequence[tuple[ReadClaim, tuple[str, ...]]] = ()
) -> _Case:
    """The case with the contradicted values that are used in words of no slot: "Amazon is where you work"."""
    used = {id(usage.contradiction) for usage in case.usages}
    unused = [c for c in case.contradictions if id(c) not in used]
    tells = names_old_value(case.reading.text, unused)
    borne_out = [
        (entry.read, entry.report.evidence)
        for entry in judged
        if entry.report.verdict is Verdict.SUPPORTED
        and entry.read.claim.span.start >= told_from
        and not (tells and any(part.finding.reason == "tells_change" for part in entry.parts))
    ]
    borne_out.extend(one for one in worded if one[0].claim.span.start >= told_from)
    silent = (
        tuple(find_silent_usages(case.reading, unused, borne_out, case.questions.is_denied))
        if unused and borne_out
        else ()
    )
    if not silent:
        return case
    hidden = missing_disclosures(silent, case.reading, case.aliases, case.partings)
    return replace(case, hidden=(*case.hidden, *hidden), usages=(*case.usages, *silent))
