"""How sure we may be: four factors, each shown, and the rules of the kind on top.

    score = clamp(repetition + 0.80 · (explicit + consistency + type) / M)

M is the sum of the maxima that apply to the kind, so that one clear statement is worth 0.80 in each of them. What the
extractor claims, and how strongly or how often something was said, can only lower the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from groundwire.judge.judge import Judge
from groundwire.memory.asking import read_candidate
from groundwire.memory.candidates import Candidate, Grounding, Method, Scoring, Update
from groundwire.memory.kinds import PATTERN_APPLIES, RULES, cap_narrative, cap_pattern, has_clue
from groundwire.memory.phrasing import has_phrase, words_about
from groundwire.types import MemoryKind, Passage, Verdict, VerifierInput

DIGITS = 4
_WEIGHT = 0.80
_EXPLICIT = {Method.EXACT_QUOTE: 0.30, Method.KEY_PHRASES: 0.20, Method.SEMANTIC: 0.10}
_MAXIMA = {
    MemoryKind.USER_FACT: (0.30, 0.30),
    MemoryKind.USER_PATTERN: (0.20, 0.20),
    MemoryKind.SHARED_NARRATIVE: (0.30, 0.15),
}
_CONSISTENT, _CONTRADICTED = 0.20, -0.25


class Outcome(StrEnum):
    STORE = "store"
    PROPOSE = "propose"
    REJECT = "reject"


class Agreement(StrEnum):
    """What the known facts say about a candidate."""

    SILENT = "silent"
    CONSISTENT = "consistent"
    CONTRADICTED = "contradicted"
    UPDATED = "updated"
    """It differs because the user says that it changed."""


@dataclass(frozen=True, slots=True)
class Known:
    agreement: Agreement = Agreement.SILENT
    fact: str = ""
    """The known fact that decided."""


def compare_known(text: str, known_facts: Sequence[str], grounding: Grounding, judge: Judge) -> Known:
    """Only what concerns the same subject and slot or entity counts; a stated change is no contradiction."""
    asked = read_candidate(text)
    supported: str | None = None
    for fact in known_facts:
        if not fact.strip():
            continue
        known = read_candidate(fact)
        verdict = judge.judge(VerifierInput(asked.text, (Passage("known", known.text),))).verdict
        if verdict is Verdict.INSUFFICIENT and _oppose(asked.text, known.text, judge):
            verdict = Verdict.REFUTED
        if verdict is Verdict.REFUTED:
            told = " ".join((text, *grounding.quotes))
            changed = has_phrase(told, words_about("attitudes", "change", "words"))
            return Known(Agreement.UPDATED if changed else Agreement.CONTRADICTED, fact)
        if verdict is Verdict.SUPPORTED:
            supported = supported or fact
    return Known(Agreement.CONSISTENT, supported) if supported is not None else Known()


def _oppose(left: str, right: str, judge: Judge) -> bool:
    """Loves and hates of one thing, in whichever direction the judge reads them."""
    one, other = read_candidate(left), read_candidate(right)
    if one.attitude is None or other.attitude is None or one.attitude[0] == other.attitude[0]:
        return judge.judge(VerifierInput(right, (Passage("candidate", left),))).verdict is Verdict.REFUTED
    if one.subject != other.subject:
        return False
    liking = frozenset(
        w for s in ("positive", "negative") for v in ("strong", "mild") for w in words_about("attitudes", s, v)
    )
    mine = [w for w in one.words if not w.forms & liking]
    theirs = [w for w in other.words if not w.forms & liking]
    return bool(mine) and all(any(a.matches(b) for b in theirs) for a in mine)


def score(candidate: Candidate, kind: MemoryKind, grounding: Grounding, known: Known | None = None) -> Scoring:
    """The confidence of a candidate, with every factor that went into it."""
    known = known or Known()
    most_explicit, most_type = _MAXIMA[kind]
    explicit = min(_EXPLICIT[grounding.method], most_explicit) if grounding.method else 0.0
    repetition = _repetition(grounding.mentions)
    credibility = _credibility(candidate, kind, grounding)
    applies = known.agreement in (Agreement.CONSISTENT, Agreement.CONTRADICTED)
    consistency = {Agreement.CONSISTENT: _CONSISTENT, Agreement.CONTRADICTED: _CONTRADICTED}.get(known.agreement, 0.0)
    maximum = most_explicit + most_type + (_CONSISTENT if applies else 0.0)
    total = round(_clamp(repetition + _WEIGHT * (explicit + consistency + credibility) / maximum), DIGITS)
    cap = _cap(candidate, kind, grounding)
    bounds = [bound for bound in (candidate.confidence, cap) if bound is not None]
    return Scoring(
        explicit_mention=explicit,
        repetition=repetition,
        consistency=consistency,
        type_credibility=credibility,
        maximum=round(maximum, DIGITS),
        total=total,
        strength_cap=cap,
        claimed=candidate.confidence,
        final=round(min([total, *bounds]), DIGITS),
        known_facts_apply=applies,
    )


def without_known(scoring: Scoring, kind: MemoryKind) -> float:
    """What the confidence would be if nothing had been known before."""
    most_explicit, most_type = _MAXIMA[kind]
    factors = scoring.explicit_mention + scoring.type_credibility
    total = round(_clamp(scoring.repetition + _WEIGHT * factors / (most_explicit + most_type)), DIGITS)
    bounds = [bound for bound in (scoring.claimed, scoring.strength_cap) if bound is not None]
    return round(min([total, *bounds]), DIGITS)


def judge_score(kind: MemoryKind, confidence: float) -> Outcome:
    """What a confidence is worth within its kind."""
    if confidence < RULES[kind].threshold:
        return Outcome.REJECT
    if kind is MemoryKind.USER_PATTERN and confidence < PATTERN_APPLIES:
        return Outcome.PROPOSE
    return Outcome.STORE


def name_band(confidence: float) -> str:
    """The band of the score table."""
    for floor, name in ((0.95, "store_immediately"), (0.85, "store"), (0.80, "store_as_fact"), (0.75, "proposal")):
        if confidence >= floor:
            return name
    return "narrative_only" if confidence >= 0.60 else "reject"


def _repetition(mentions: int) -> float:
    if mentions >= 3:
        return 0.20
    return 0.10 if mentions == 2 else 0.0


def _credibility(candidate: Candidate, kind: MemoryKind, grounding: Grounding) -> float:
    match kind:
        case MemoryKind.USER_FACT:
            return 0.30 if grounding.is_explicit else 0.0
        case MemoryKind.USER_PATTERN:
            return 0.20 if grounding.mentions >= 2 else 0.0
        case MemoryKind.SHARED_NARRATIVE:
            return 0.15 if has_clue(candidate.text, grounding) else 0.0


def _cap(candidate: Candidate, kind: MemoryKind, grounding: Grounding) -> float | None:
    match kind:
        case MemoryKind.USER_FACT:
            return grounding.strength_cap
        case MemoryKind.USER_PATTERN:
            return cap_pattern(grounding.mentions)
        case MemoryKind.SHARED_NARRATIVE:
            return cap_narrative(candidate.text, grounding)


def _clamp(value: float) -> float:
    return max(0.0, min(1.0, value))


_UPDATES = {
    Agreement.SILENT: Update.ADD,
    Agreement.CONSISTENT: Update.CONFIRM,
    Agreement.UPDATED: Update.SUPERSEDE,
    Agreement.CONTRADICTED: Update.REVIEW,
}


def plan_update(known: Known) -> Update:
    """Said again, it confirms; changed by the user's own word, it supersedes; merely different, a person decides."""
    return _UPDATES[known.agreement]
