"""The flag for a statement that the dialogue contradicts: where it stands, what is wrong, and what was said instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.detect.amounts.figures import read_figures
from groundwire.detect.dialogue.pairing import Pair
from groundwire.detect.dialogue.weighing import Judged, is_negation
from groundwire.detect.examination import Examination
from groundwire.detect.weighing.asking import hear, leans_against
from groundwire.evidence.dialogue import Dialogue, Said
from groundwire.evidence.speakers import Party
from groundwire.judge.hybrid import HybridJudge
from groundwire.judge.mismatch import find_mismatch
from groundwire.types import ContradictionType, Passage, Polarity, Span, VerifierInput
from groundwire.types.detection import HallucinationFlag, HallucinationType, HistoryEvidence, Stance


def make_flag(judged: Judged, text: str) -> HallucinationFlag:
    pair = judged.pair
    span = _cover(judged.pair, text)
    confidence = round(min(1.0, judged.contradiction * pair.similarity), 4)
    value, right = _locate_value(pair, text)
    turn = pair.prior.turn
    who = "you" if pair.prior.by_user else "the assistant"
    return HallucinationFlag(
        span=span,
        content=text[span.start : span.end],
        hallucination_type=HallucinationType.CONTRADICTS_PRIOR,
        confidence=confidence,
        suggestion=f"In turn {turn.turn_id} {who} said otherwise; keep to it or say what changed.",
        evidence=f'turn {turn.turn_id} ({turn.role}): "{pair.prior.quote}"',
        correct_value=right,
        value_span=value,
        source_id=f"turn:{turn.turn_id}",
        detector="history_contradictions",
        claim_span=span,
        contradiction_type=name_type(pair),
        is_unverifiable=pair.mine is None,  # found by the judge alone: enough to point at it
        history=HistoryEvidence(Stance.CONTRADICTS, round(judged.contradiction, 4), pair.prior.quote, turn.turn_id),
    )


def _cover(pair: Pair, text: str) -> Span:
    """The statement, and its wrong value where that stands in front of it: "With your budget of 900 it fits"."""
    span = pair.said.read.claim.span
    value = find_words(pair.mine.text, pair.said, text) if pair.mine is not None else None
    return span if value is None else Span(min(span.start, value.start), max(span.end, value.end))


def doubt(flag: HallucinationFlag, pair: Pair, examined: Examination, dialogue: Dialogue) -> HallucinationFlag:
    """A rule compares two values; where the judge, who reads both sentences, sees no conflict, nothing is changed.

    Nor is it where the user has said the answer's value as well, there or since: who knows of what may correct it.
    """
    if flag.value_span is not None and _is_users_own(flag.value_span, pair, examined.text, dialogue):
        return replace(flag, correct_value=None, value_span=None, is_unverifiable=True)
    if pair.mine is None or not isinstance(examined.judge, HybridJudge):
        return flag
    if leans_against(hear(examined).judge(ask_whole(pair))):
        return flag
    return replace(flag, correct_value=None, value_span=None, is_unverifiable=True)


def _is_users_own(place: Span, pair: Pair, text: str, dialogue: Dialogue) -> bool:
    value = text[place.start : place.end]
    said = [turn.text for turn in dialogue.recent[pair.prior.place :] if dialogue.party_of(turn) is Party.USER]
    figures = read_figures(value)
    return any(value in turn or (bool(figures) and figures <= read_figures(turn)) for turn in said)


def ask_whole(pair: Pair) -> VerifierInput:
    return VerifierInput(pair.said.text, (Passage("prior", pair.prior.text),))


def name_type(pair: Pair) -> ContradictionType:
    if pair.mine is not None:
        return ContradictionType.INCOMPATIBLE_VALUES
    return ContradictionType.DIRECT_NEGATION if is_negation(pair) else ContradictionType.INCOMPATIBLE_VALUES


def _locate_value(pair: Pair, text: str) -> tuple[Span | None, str | None]:
    """Where the wrong value stands in the answer, and what the dialogue has in its place."""
    if pair.mine is not None and pair.theirs is not None:
        return find_words(pair.mine.text, pair.said, text), pair.theirs.text
    if name_type(pair) is ContradictionType.DIRECT_NEGATION:
        return None, None
    for fact in pair.said.read.facts:
        for other in pair.prior.said.read.facts:
            same = fact.slot_type == other.slot_type and fact.pattern != "predicate"
            if same and fact.exclusive and other.polarity is Polarity.POSITIVE:
                return fact.value_span, other.raw
    mismatch = find_mismatch(pair.said.text, pair.prior.text)
    if mismatch is None or not mismatch.is_value:
        return None, None
    span = find_words(mismatch.mine, pair.said, text)
    return (span, mismatch.theirs) if span is not None else (None, None)


def find_words(words: str, said: Said, text: str) -> Span | None:
    """Where the words stand: within the statement, or else within its sentence."""
    for start, end in (said.read.claim.span, said.read.sentence):
        at = text.find(words, start, end)
        if at >= 0:
            return Span(at, at + len(words))
    return None


def tell_once(found: Sequence[Judged]) -> list[Judged]:
    """One sentence that denies one statement does so once: where it is surest, and not in all of its parts."""
    best: dict[tuple[Span, int, str], Judged] = {}
    for one in found:
        prior = one.pair.prior
        key = (one.pair.said.read.sentence, prior.place, prior.said.sentence)
        other = best.get(key)
        if other is None or _rank(one) > _rank(other):
            best[key] = one
    return [one for one in found if any(one is kept for kept in best.values())]


def _rank(judged: Judged) -> tuple[bool, float, int]:
    """A statement that has the wrong value itself comes before one beside which it stands."""
    pair, span = judged.pair, judged.pair.said.read.claim.span
    has_value = pair.mine is None or pair.mine.text in pair.said.quote
    return has_value, judged.contradiction * pair.similarity, span.start - span.end


def without_wholes(flags: Sequence[HallucinationFlag]) -> tuple[HallucinationFlag, ...]:
    """A sentence is not flagged beside a statement within it, nor one value twice."""
    kept: list[HallucinationFlag] = []
    for flag in sorted(flags, key=lambda f: (f.span.end - f.span.start, f.span)):
        holds = any(flag.span.start <= other.span.start and other.span.end <= flag.span.end for other in kept)
        twice = flag.value_span is not None and any(flag.value_span == other.value_span for other in kept)
        if not holds and not twice:
            kept.append(flag)
    return tuple(sorted(kept, key=lambda flag: flag.span))
