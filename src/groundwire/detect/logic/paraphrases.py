"""Contradictions that only language decides: pairs about one thing, put to the judge in both directions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from groundwire.detect.logic.assertions import Assertion, read_logic
from groundwire.detect.logic.clashes import Clash, are_same_scope, make_clash
from groundwire.judge.judge import Judge
from groundwire.text.subjects import USER
from groundwire.types import ContradictionType, Passage, Span, Tense, Verdict, VerifierInput

SURE, SURER, WITHIN = 0.85, 0.90, 0.70
"""How sure the judge must be of two statements with one subject, of two that only speak of one thing, and of a state
and what the same sentence says beside it."""
MOST_PAIRS = 48
_REACH = 12
_SPEAKING = frozenset({"say", "tell", "claim", "report", "think", "believe"})
_NEAR = 4
_LONGEST = 120
_LIGHT = frozenset({"some", "still"})
_PARTS = frozenset({"for", "with", "on", "under", "during", "at", "by", "from", "to", "as", "per"})
_UNREADY = frozenset({"", "it", "this", "that", "there", "they", "he", "she", "these", "those", "one", "what"})


def find_paraphrased(assertions: Sequence[Assertion], judge: Judge, told: Sequence[Span]) -> Iterator[Clash]:
    """One batch of bounded size; both directions must refute with a high bar."""
    pairs = _choose(assertions, told)
    questions = [
        VerifierInput(claim.text, (Passage("earlier", evidence.text),))
        for one, other, _ in pairs
        for claim, evidence in ((other, one), (one, other))
    ]
    verdicts = judge.judge_all(questions) if questions else []
    for (one, other, bar), forth, back in zip(pairs, verdicts[::2], verdicts[1::2], strict=True):
        sure = min(forth.probabilities.get(Verdict.REFUTED, 0.0), back.probabilities.get(Verdict.REFUTED, 0.0))
        if sure >= bar and forth.verdict is back.verdict is Verdict.REFUTED:
            confidence = round(min(0.95, sure), 4)
            evidence = f'the judge refutes "{other.text}" by "{one.text}" and the other way round'
            yield make_clash(one, other, confidence, ContradictionType.DIRECT_NEGATION, evidence)


def _choose(assertions: Sequence[Assertion], told: Sequence[Span]) -> list[tuple[Assertion, Assertion, float]]:
    """Pairs about the same thing that may clash, those nearest to each other first, each with its bar."""
    spans = set(told)
    about: dict[str, list[Assertion]] = defaultdict(list)
    recent: list[Assertion] = []
    found: list[tuple[Assertion, Assertion, float]] = []
    for assertion in assertions:
        if (
            assertion.modal
            or assertion.predicate in _SPEAKING
            or assertion.span in spans
            or len(assertion.text) > _LONGEST
        ):
            continue
        if assertion.head not in _UNREADY and assertion.head != USER:
            found += [(e, assertion, SURE) for e in about[assertion.head][-_REACH:] if _may_clash(e, assertion)]
            about[assertion.head].append(assertion)
        found += [(e, assertion, SURER) for e in recent if _may_speak_of(e, assertion)]
        found += [(e, assertion, WITHIN) for e in recent if _may_deny_beside(e, assertion)]
        recent = [*recent[1 - _NEAR :], assertion]
    found.sort(key=lambda pair: (pair[1].number - pair[0].number, pair[0].number))
    return found[:MOST_PAIRS]


def _may_speak_of(one: Assertion, other: Assertion) -> bool:
    """Different subjects, of which one stands in the other statement: "the song", "the lyrics of the song"."""
    if one.head == other.head and one.details and other.details:
        return False  # the front door and the back door
    if one.head == other.head and (one.details == other.details or "all" not in (one.quantifier, other.quantifier)):
        return False
    if one.sentence == other.sentence or one.scope != other.scope or one.tense is not other.tense:
        return False
    if one.head not in _words_of(other) and other.head not in _words_of(one):
        return False
    if one.shifts - _LIGHT != other.shifts - _LIGHT or _moments(one) != _moments(other) or _contrast(one, other):
        return False
    return any(a.negated or a.is_state or a.quantifier in ("all", "none") for a in (one, other))


def _may_deny_beside(one: Assertion, other: Assertion) -> bool:
    """ "The box is empty and contains three books": a bare state, and another verb of the same sentence."""
    if one.sentence != other.sentence or one.head != other.head or one.details != other.details:
        return False
    if one.tense is not other.tense or one.predicate == other.predicate or not one.is_particular:
        return False
    if read_logic("linked") & one.words or one.number == other.number:
        return False
    return any(a.predicate == "be" and len(a.arguments) == 1 and a.arguments[0].role == "object" for a in (one, other))


def _words_of(assertion: Assertion) -> set[str]:
    inner = {lemma for a in assertion.arguments if not a.is_time for lemma in a.lemmas}
    return (inner | {assertion.head, *assertion.details}) - _UNREADY - {USER}


def _may_clash(one: Assertion, other: Assertion) -> bool:
    if one.sentence == other.sentence or not are_same_scope(one, other) or one.details != other.details:
        return False
    if {"also", "too"} & other.words:
        return False
    if one.quantifier in ("some", "number") or other.quantifier in ("some", "number"):
        return False
    if any(x.is_name and len(x.lemmas) > 2 for a in (one, other) for x in a.arguments):
        return False
    never = any("never" in a.adverbs for a in (one, other))
    if (one.tense is not other.tense and not never) or Tense.FUTURE in (one.tense, other.tense):
        return False
    strong = frozenset({"always", "never", "only", "nothing"})
    if _moments(one) != _moments(other) and not strong & (one.words | other.words):
        return False
    if any(a.negated and a.adverbs & read_logic("softeners") for a in (one, other)) or _contrast(one, other):
        return False
    return any(a.negated or a.is_state for a in (one, other))


def _moments(assertion: Assertion) -> frozenset[tuple[str, ...]]:
    """The times of a statement; what holds since then holds now."""
    return frozenset(a.lemmas for a in assertion.arguments if a.is_time and a.role != "since")


def _contrast(one: Assertion, other: Assertion) -> bool:
    """ "for adults", "for children": each is said of its own part."""
    for mine in one.arguments:
        for theirs in other.arguments:
            if mine.role == theirs.role and mine.role in _PARTS and mine.lemmas != theirs.lemmas:
                return True
    return False
