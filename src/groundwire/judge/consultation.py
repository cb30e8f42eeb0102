"""The cascade of the read gate: rules first, the model for the parts of a claim that they leave open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arithmetic import compare_amounts, names_another
from groundwire.judge.coverage import is_of_another_time, names_old_value
from groundwire.judge.decision import REASONS, PassageScores, quote_words
from groundwire.judge.findings import Finding
from groundwire.judge.mismatch import find_mismatch
from groundwire.judge.rules import Part
from groundwire.judge.windows import weigh
from groundwire.text import lexicon
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER
from groundwire.text.thesaurus import are_opposites, denied_base
from groundwire.text.values import Relation, compare
from groundwire.types import Claim, Passage, Span, Verdict

_SETTLED = 0.9
_CERTAIN = 0.8
_SILENT = 0.8
"""A passage that says nothing of the claim this surely is not worth quoting."""
_NAME = re.compile(r"[^\W\d_]{2,}")
_PLAIN = re.compile(r"\w+")
_JOINED_NOT = re.compile(r"n['’]t\b|(?<=\bcan)not\b", re.IGNORECASE)
_DENYING = frozenset({"not", "never", "do", "does", "did"})
MOST_PASSAGES = 3


class Consultant(Protocol):
    """A model that can be asked what passages say of a claim."""

    @property
    def name(self) -> str: ...

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]: ...


@dataclass(frozen=True, slots=True)
class Query:
    """A claim that rules have left open, with the passages that may speak of it, the likeliest first."""

    claim: str
    passages: tuple[Passage, ...]


def is_exact_amount(finding: Finding) -> bool:
    """Whether arithmetic decided, which may also be that nothing follows."""
    return finding.reason in ("amount_within", "amount_open") or (finding.exact and finding.slot is None)


def is_decided(part: Part) -> bool:
    return any(f.verdict is not Verdict.INSUFFICIENT or is_exact_amount(f) for f in part.findings)


def is_of_another(claim: ReadClaim, passage: ReadPassage, aliases: Aliases) -> bool:
    """Whether the passage speaks of other people alone, which says nothing about this subject (JDG-020)."""
    mine = claim.proposition
    others = [statement.proposition for statement in passage.reading.statements]
    if not others or not _is_person(mine) or _is_named_in(mine.subject, passage.passage.text):
        return False
    return all(_is_person(other) and not subjects_match(mine.subject, other.subject, aliases) for other in others)


def _is_named_in(subject: str, text: str) -> bool:
    """Whether every word of the name is there, also in a longer or shorter form: Chris, Christopher."""
    held, openings = _words_of(text)
    return all(word in held or (len(word) > 2 and _is_variant(word, held, openings)) for word in _name_words(subject))


@lru_cache(maxsize=4096)
def _words_of(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Its words, and the first three letters of each."""
    words = frozenset(word.casefold() for word in _NAME.findall(text))
    return words, frozenset(word[:3] for word in words if len(word) > 2)


@lru_cache(maxsize=4096)
def _name_words(subject: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _NAME.findall(subject)) or frozenset((subject.casefold(),))


def _is_variant(word: str, held: frozenset[str], openings: frozenset[str]) -> bool:
    if word[:3] not in openings:
        return False
    return any(len(other) > 2 and (other.startswith(word) or word.startswith(other)) for other in held)


def _is_person(proposition: Proposition) -> bool:
    """About the user, or about somebody called by name."""
    if proposition.subject == USER:
        return True
    words = proposition.subject_lemmas
    return bool(words) and all(word in proposition.names for word in words)


def rank_passages(claim: str, passages: Sequence[Passage], spoken: Sequence[str]) -> tuple[Passage, ...]:
    """At most three passages: those that rules found to speak of the claim, then by shared words."""
    return _rank(claim, tuple(passages), frozenset(spoken))


@lru_cache(maxsize=2048)
def _rank(claim: str, passages: tuple[Passage, ...], spoken: frozenset[str]) -> tuple[Passage, ...]:
    if len(passages) <= 1:
        return passages
    shares = weigh(claim, [passage.text for passage in passages])
    ranked = sorted(zip(passages, shares, strict=True), key=lambda p: (p[0].id not in spoken, -p[1], p[0].text))
    return tuple(passage for passage, _ in ranked[:MOST_PASSAGES])


def consult(consultant: Consultant, queries: Sequence[Query]) -> list[tuple[PassageScores, ...]]:
    """Every claim against its likeliest passage first; the others only where that one settles nothing."""
    first = consultant.weigh_evidence([(query.claim, query.passages[:1]) for query in queries])
    open_ones = [
        i
        for i, scores in enumerate(first)
        if len(queries[i].passages) > 1 and not (scores and scores[0].scores.supported >= _SETTLED)
    ]
    found = list(first)
    if open_ones:
        more = consultant.weigh_evidence([(queries[i].claim, queries[i].passages[1:]) for i in open_ones])
        for i, scores in zip(open_ones, more, strict=True):
            found[i] = (*first[i], *scores)
    return found


def merge(part: Part, claim: Claim, text: str, scores: Sequence[PassageScores]) -> Part:
    """A part that rules left open, with what the model finds; one that they decided stays as it is.

    `text` is the answer that the claim is part of.
    """
    if is_decided(part):
        return part
    return replace(part, findings=tuple(as_finding(score, part, claim, text) for score in scores) or part.findings)


def as_finding(score: PassageScores, part: Part, claim: Claim, text: str) -> Finding:
    """What the model finds in a passage, and where in the answer the fault stands that it names."""
    found = _examine(score, claim.text)
    if found.verdict is not Verdict.REFUTED:
        return found
    if found.exact or not found.claim_value:
        return replace(found, wrong=_fault(part))
    where = _locate(found.claim_value, claim, text)
    if where is None and found.reason == "other_value":
        return replace(found, reason="other_words", wrong=_fault(part))
    return replace(found, wrong=where or _fault(part))


@lru_cache(maxsize=4096)
def _examine(score: PassageScores, claim: str) -> Finding:
    """The model's opinion, unless the passage's own wording of the claim settles it by its figures."""
    exact = compare_amounts(claim, score.passage)
    if exact is not None:
        return exact
    verdict = score.scores.verdict
    if verdict is Verdict.SUPPORTED and (other := find_objection(claim, score.passage)) is not None:
        return other
    strength = score.scores.of(verdict)
    if verdict is Verdict.INSUFFICIENT and strength >= _SILENT:
        return Finding(verdict, strength, "not_mentioned", score.passage.id)
    quoted = quote_words(claim, score.quote(verdict))
    found = Finding(verdict, strength, REASONS[verdict], score.passage.id, evidence_value=quoted)
    mismatch = find_mismatch(claim, quoted) if verdict is Verdict.REFUTED else None
    if mismatch is None:
        return found
    if mismatch.is_value and compare(mismatch.mine, mismatch.theirs).relation is Relation.EQUAL:
        if strength < _CERTAIN:
            return Finding(Verdict.INSUFFICIENT, 1 - strength, "not_mentioned", score.passage.id)
        return replace(found, reason="other_words")
    reason = "other_value" if mismatch.is_value else "other_words"
    return replace(found, reason=reason, claim_value=mismatch.mine, evidence_value=mismatch.theirs)


def _locate(words: str, claim: Claim, text: str) -> Span | None:
    """Where the claim's words stand in the answer; None where it has been worded anew, or says them twice."""
    at = text.find(words, claim.span.start, claim.span.end)
    again = at < 0 or text.find(words, at + 1, claim.span.end) >= 0
    return None if again else Span(at, at + len(words))


def find_objection(claim: str, passage: Passage) -> Finding | None:
    """Why a passage cannot support the claim, whatever a model says of the two (JDG-020)."""
    if is_of_another_time(claim, passage.text) or names_old_value(claim, passage.text):
        return Finding(Verdict.INSUFFICIENT, 0.8, "other_time", passage.id)
    return find_other_figure(claim, passage) or find_other_polarity(claim, passage)


def find_other_figure(claim: str, passage: Passage) -> Finding | None:
    """The same is said of another number, date or identifier."""
    figures = names_another(claim, passage)
    if figures is None:
        return None
    mine, theirs = figures
    return Finding(Verdict.INSUFFICIENT, 0.8, "other_value", passage.id, claim_value=mine, evidence_value=theirs)


def find_other_polarity(claim: str, passage: Passage) -> Finding | None:
    """One says in the same words what the other denies."""
    mine = _lay_bare(claim)
    found: Finding | None = None
    for sentence in split_sentences(passage.text):
        theirs = _lay_bare(sentence.text) if len(sentence.text) < 2 * len(claim) + 20 else None
        if theirs == mine:
            return None
        if theirs is not None and _are_opposed(mine, theirs):
            found = Finding(Verdict.INSUFFICIENT, 0.8, "opposite", passage.id)
    return found


def _lay_bare(text: str) -> tuple[list[str], int]:
    """The words in their basic form, without "not" and the "do" that comes with it; and how often it is said."""
    words = [word.lower() for word in _PLAIN.findall(_JOINED_NOT.sub(" not", text))]
    kept = [word for word in words if word not in _DENYING]
    bases = [denied_base(word) or word for word in kept]
    denials = sum(base != word for base, word in zip(bases, kept, strict=True))
    said = [lexicon.verb_lemma(base) or base for base in bases]
    return said, words.count("not") + words.count("never") + denials


def _are_opposed(mine: tuple[list[str], int], theirs: tuple[list[str], int]) -> bool:
    """The same words, of which one side denies the statement, or one word is turned into its opposite."""
    if mine[0] == theirs[0]:
        return mine[1] + theirs[1] == 1
    if mine[1] != theirs[1] or len(mine[0]) != len(theirs[0]):
        return False
    differing = [pair for pair in zip(mine[0], theirs[0], strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and are_opposites(*differing[0])


def _fault(part: Part) -> Span | None:
    return part.argument.span if part.argument else (part.fact.value_span if part.fact else None)
