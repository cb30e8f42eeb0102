"""The cascade of the read gate: rules first, the model for the parts of a claim that they leave open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import PLACES
from groundwire.judge.decision import PassageScores, quote_words, reason_of
from groundwire.judge.findings import Finding
from groundwire.judge.joint import TOGETHER, attribute, join_texts
from groundwire.judge.mismatch import find_mismatch
from groundwire.judge.objections import says_so, withhold
from groundwire.judge.parts import Part
from groundwire.judge.people import is_person, is_relative, is_user
from groundwire.judge.reckoning import find_exact
from groundwire.judge.reprieves import relent
from groundwire.judge.windows import weigh
from groundwire.text.likeness import is_one_edit
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.text.subjects import USER, is_relation, name_written
from groundwire.text.tagging import share_tags
from groundwire.text.values import Relation, compare
from groundwire.types import Claim, Passage, Span, Verdict

_LEAST_TYPED = 5
_SETTLED = 0.85
_CERTAIN = 0.8
_SILENT = 0.8
"""A passage that says nothing of the claim this surely is not worth quoting."""
_NAME = re.compile(r"[^\W\d_]{2,}")
_OVERRULING = 0.8
"""So sure all passages together have to be of something else than one of them is in doubt about."""
MOST_PASSAGES = 3
LEFT_OPEN = frozenset({"model_undecided", "not_mentioned"})
"""Reasons of a finding in which the model settles nothing."""


class Consultant(Protocol):
    """A model that can be asked what passages say of a claim."""

    @property
    def name(self) -> str: ...

    def begin(self, claim: str, passages: Sequence[Passage]) -> None:
        """What it will be asked soon: it may start on it while rules go on."""
        ...

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]: ...


@dataclass(frozen=True, slots=True)
class Query:
    """A claim that rules have left open, with the passages that may speak of it, the likeliest first."""

    claim: str
    passages: tuple[Passage, ...]
    joined: tuple[Passage, ...] = ()
    """What is known around the claim: some claims follow from two memories and from neither alone."""

    @property
    def together(self) -> str:
        """All that is known around it as one text."""
        return join_texts(self.joined)


def is_exact_amount(finding: Finding) -> bool:
    """Whether arithmetic decided, which may also be that nothing follows."""
    return finding.reason in ("amount_within", "amount_open") or (finding.exact and finding.slot is None)


def is_decided(part: Part) -> bool:
    return any(f.verdict is not Verdict.INSUFFICIENT or is_exact_amount(f) for f in part.findings)


def is_of_another(claim: ReadClaim, passage: ReadPassage, aliases: Aliases) -> bool:
    """Whether the passage speaks of other people alone, which says nothing about this subject (JDG-020)."""
    mine = claim.proposition
    others = [statement.proposition for statement in passage.reading.statements]
    if not others or not (is_person(mine) or is_relative(mine)) or _is_named_in(_called(mine), passage.passage.text):
        return False
    if is_user(mine) and (_SPEAKER.search(passage.passage.text) or any(_is_met(other, claim) for other in others)):
        return False
    if mine.subject == USER and (any(map(_touches_user, others)) or _is_for_anyone(mine, others)):
        return False
    if is_relative(mine) and any(is_user(other) and _names_somebody(other) for other in others):
        return False
    return all(
        (is_person(other) or (is_relative(other) and not _is_named_in(_called(other), claim.claim.text)))
        and not subjects_match(mine.subject, other.subject, aliases)
        for other in others
    )


def _is_for_anyone(mine: Proposition, others: Sequence[Proposition]) -> bool:
    """ "You can take a cruise" is said of everybody; not so where it is what somebody else can do."""
    return mine.modal in ("can", "could", "may", "might") and all(
        other.predicate in ("be", "have") or (not other.modal and other.predicate != mine.predicate) for other in others
    )


def _touches_user(said: Proposition) -> bool:
    """ "Penicillin gives me a rash", "Pia borrowed my drill": something is done to the user, or to what is theirs."""
    return any(name_written(a.text).startswith(USER) for a in said.arguments if not a.is_time)


_SPEAKER = re.compile(r"\b(?:I|[Mm]e|[Mm]ine|[Mm]yself|[Ww]e|us|ours|[Tt]he [Uu]ser)\b(?!['’]s )")
"""Words for the user, and not for what is theirs: "My roommate is asleep when I come home"."""


def _is_met(other: Proposition, claim: ReadClaim) -> bool:
    """Told of the user and somebody, or of somebody whom the claim names: "you'll find Joris on Thursdays"."""
    return is_user(other) or (is_person(other) and _is_named_in(_called(other), claim.claim.text))


def _names_somebody(said: Proposition) -> bool:
    """ "I kept it from my parents" may well tell of the mother."""
    words = [word for a in said.arguments for word in a.lemmas]
    met = (a for a in said.arguments if a.role not in PLACES)  # who works at Amazon tells of nobody
    return any(is_relation(word) for word in words) or any(a.is_name and not a.is_time for a in met)


def _called(proposition: Proposition) -> str:
    return proposition.subject.removeprefix(f"{USER}'s ")


def _is_named_in(subject: str, text: str) -> bool:
    """Whether every word of the name is there, also in a longer or shorter form: Chris, Christopher.

    One word of several may be mistyped ("Ada Lovelaec"), and a speaker stands before what is said ("<B> …").
    """
    held, openings = _words_of(text)
    words = _name_words(subject)
    lacking = [w for w in words if w not in held and not (len(w) > 2 and _is_variant(w, held, openings))]
    if len(lacking) == 1 < len(words) and len(lacking[0]) >= _LEAST_TYPED:
        return any(is_one_edit(lacking[0], other) for other in held if other[0] == lacking[0][0])
    return not lacking or text.find(f"<{subject.rpartition(' ')[2]}>") >= 0


@lru_cache(maxsize=4096)
def _words_of(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Its words, and the first three letters of each."""
    words = frozenset([word.casefold() for word in _NAME.findall(text)])
    return words, frozenset([word[:3] for word in words if len(word) > 2])


@lru_cache(maxsize=4096)
def _name_words(subject: str) -> frozenset[str]:
    words = frozenset(word.casefold() for word in _NAME.findall(subject)) or frozenset((subject.casefold(),))
    return words - _TITLES or words


_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "prof", "professor"})


def _is_variant(word: str, held: frozenset[str], openings: frozenset[str]) -> bool:
    if word[:3] not in openings:
        return False
    return any(len(other) > 2 and (other.startswith(word) or word.startswith(other)) for other in held)


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


def consult(consultant: Consultant, queries: Mapping[int, Query]) -> Iterator[tuple[int, tuple[PassageScores, ...]]]:
    """Every claim against its likeliest passage first; the others only where that one settles nothing.

    What is settled comes first, so that it can be put to use while the model is at the rest.
    """
    asked = [(query.claim, query.passages[:1]) for query in queries.values()]
    first = dict(zip(queries, consultant.weigh_evidence(asked), strict=True))
    rest = {
        i: (queries[i].claim, queries[i].passages[1:])
        for i, scores in first.items()
        if len(queries[i].passages) > 1 and not (scores and scores[0].scores.supported >= _SETTLED)
    }
    settled = [(i, scores) for i, scores in first.items() if i not in rest]
    for claim, passages in rest.values() if settled else ():
        consultant.begin(claim, passages)
    yield from settled
    more = consultant.weigh_evidence(list(rest.values())) if rest else []
    found = {i: (*first[i], *scores) for i, scores in zip(rest, more, strict=True)}
    doubtful = {i: queries[i] for i, scores in found.items() if queries[i].together and scores and _is_doubtful(scores)}
    if doubtful:
        asked = [(query.claim, (Passage(TOGETHER, query.together),)) for query in doubtful.values()]
        for i, (joint,) in zip(doubtful, consultant.weigh_evidence(asked), strict=True):
            found[i] = _bring_together(queries[i], found[i], joint)
    yield from found.items()


def _is_doubtful(scores: Sequence[PassageScores]) -> bool:
    """Nothing is settled by one passage alone: all that is known may say more, or something else."""
    return _is_open(scores) or max(score.clearness for score in scores) < _SETTLED


def _is_open(scores: Sequence[PassageScores]) -> bool:
    return all(score.scores.verdict is Verdict.INSUFFICIENT for score in scores)


def _bring_together(query: Query, scores: tuple[PassageScores, ...], joint: PassageScores) -> tuple[PassageScores, ...]:
    """What all say as one, as a finding of the passages that it rests on."""
    verdict = joint.scores.verdict
    support = joint.scores.supported
    objected = verdict is Verdict.SUPPORTED and withhold(query.claim, joint.passage, support) is not None
    if objected:
        return scores
    if not _is_open(scores):
        told = {score.scores.verdict for score in scores} - {Verdict.INSUFFICIENT}
        if len(told) > 1 or told == {verdict} or joint.scores.of(verdict) < _OVERRULING:
            return scores
        scores = tuple(score for score in scores if score.scores.verdict is Verdict.INSUFFICIENT)
        if verdict is Verdict.INSUFFICIENT:
            return (attribute(query.claim, joint, query.joined, query.passages[0]), *scores)
    if verdict is Verdict.INSUFFICIENT:
        return scores
    nearest = max(scores, key=lambda s: s.scores.of(verdict)).passage if scores else query.passages[0]
    told = attribute(query.claim, joint, query.joined, nearest)
    return (told, *(score for score in scores if score.passage.id != told.passage.id))


def merge(part: Part, claim: Claim, text: str, scores: Sequence[PassageScores], sentence: Span | None = None) -> Part:
    """A part that rules left open, with what the model finds; one that they decided stays as it is.

    `text` is the answer that the claim is part of, `sentence` where in it its sentence stands.
    """
    if is_decided(part):
        return part
    found = tuple(as_finding(score, part, claim, text, sentence) for score in scores)
    return replace(part, findings=found or part.findings)


def as_finding(score: PassageScores, part: Part, claim: Claim, text: str, sentence: Span | None = None) -> Finding:
    """What the model finds in a passage, and where in the answer the fault stands that it names."""
    found = _examine(score, claim.text)
    if found.verdict is not Verdict.REFUTED:
        return found
    where = _locate(found.claim_value, claim, text, sentence) if found.claim_value else None
    if found.exact or not found.claim_value:
        return replace(found, wrong=where or _fault(part), exchange=found.exchange and where is not None)
    if where is None and found.reason == "other_value":
        return replace(found, reason="other_words", wrong=_fault(part))
    return replace(found, wrong=where or _fault(part))


@lru_cache(maxsize=4096)
def _examine(score: PassageScores, claim: str) -> Finding:
    """The model's opinion, unless the passage's own wording of the claim settles it by its figures."""
    exact = find_exact(claim, score.passage)
    if exact is not None:
        return exact
    verdict = score.scores.verdict
    if verdict is Verdict.SUPPORTED and ((other := withhold(claim, score.passage, score.scores.supported)) is not None):
        return other
    strength = score.scores.of(verdict)
    if verdict is Verdict.REFUTED and ((other := relent(claim, score.passage, strength)) is not None):
        return other
    if verdict is Verdict.INSUFFICIENT and strength >= _SILENT:
        return Finding(verdict, strength, "not_mentioned", score.passage.id)
    quoted = quote_words(claim, score.quote(verdict))
    found = Finding(verdict, strength, reason_of(score), score.passage.id, evidence_value=quoted, beside=score.beside)
    mismatch = find_mismatch(claim, quoted) if verdict is Verdict.REFUTED else None
    if mismatch is None:
        return found
    if mismatch.is_value and compare(mismatch.mine, mismatch.theirs).relation is Relation.EQUAL:
        if strength < _CERTAIN:
            return Finding(Verdict.INSUFFICIENT, 1 - strength, "not_mentioned", score.passage.id)
        return replace(found, reason="other_words")
    reason = "other_value" if mismatch.is_value else "other_words"
    told = f"{claim[: mismatch.span.start]}{mismatch.theirs}{claim[mismatch.span.end :]}"
    return replace(
        found, reason=reason, claim_value=mismatch.mine, evidence_value=mismatch.theirs,
        exchange=_has_verb(claim, mismatch.mine) is _has_verb(told, mismatch.theirs) and says_so(told, score.passage),
    )  # fmt: skip


def _has_verb(sentence: str, words: str) -> bool:
    """Whether a verb is among the words: "open until 8" is no place for "closes at 6"."""
    start = sentence.find(words)
    return any(t.tag in "VBbh" for t in share_tags(sentence)[0] if start <= t.start < start + len(words))


def _locate(words: str, claim: Claim, text: str, sentence: Span | None) -> Span | None:
    """Where the claim's words stand in the answer; None where it has been worded anew, or says them twice.

    What was put first ("On Friday you swim") stands in the sentence, and not in the stretch that the claim spans.
    """
    for region in (claim.span, sentence):
        at = text.find(words, *region) if region is not None else -1
        if region is not None and at >= 0:
            return Span(at, at + len(words)) if text.find(words, at + 1, region.end) < 0 else None
    return None


def _fault(part: Part) -> Span | None:
    return part.argument.span if part.argument else (part.fact.value_span if part.fact else None)
