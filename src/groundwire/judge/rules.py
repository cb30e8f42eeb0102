"""The rule judge: every part of a claim against every passage, by slot, by structure, by words.

A claim with several facts ("a nurse at Mercy Hospital in Leeds") is judged fact by fact, so that a
partly wrong claim names its wrong part, and two passages may each carry a half.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.carrying import content_of
from groundwire.judge.changes import find_changed, find_result, find_successor
from groundwire.judge.composing import find_composed
from groundwire.judge.coverage import compare_words
from groundwire.judge.details import find_day, find_details
from groundwire.judge.entailment import compare_propositions, supports
from groundwire.judge.exchanged import find_exchanged
from groundwire.judge.findings import Finding
from groundwire.judge.having import find_kept_place, find_presupposed
from groundwire.judge.lookalikes import find_lookalike, tells_place_in_order
from groundwire.judge.namesakes import find_namesakes
from groundwire.judge.objections import find_small_words_in
from groundwire.judge.parts import Part, place
from groundwire.judge.reckoning import choose_reckonings, reckon, reckon_together
from groundwire.judge.reprieves import reprieve
from groundwire.judge.retelling import find_retold, is_told_apart
from groundwire.judge.sequence import tells_order
from groundwire.judge.slots import TAKING_IN, compare_diets, compare_facts
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, Reading, ReadPassage
from groundwire.types import ExtractedFact, Passage, Polarity, Span, Verdict

RULES = "rules.v1"


def find_parts(
    claim: ReadClaim, passages: Sequence[ReadPassage], aliases: Aliases, *, retells: bool = True
) -> tuple[Part, ...]:
    """Judge each fact of the claim, then whatever the facts leave unsaid; no support stands against an objection.

    Where a model is asked about what stays open, it need not be told that something `retells` the claim in other words:
    it knows more of them.
    """
    by_id = {read.passage.id: read.passage for read in passages}
    if (reckoned := _reckon(claim, tuple(by_id.values()))) is not None:
        return (reckoned,)
    parts = tuple(_examine(part, claim, by_id) for part in _find_parts(claim, passages, aliases, retells))
    return (*parts, *find_exchanged(claim, parts, passages, aliases))


def _reckon(claim: ReadClaim, passages: Sequence[Passage]) -> Part | None:
    """What arithmetic on the figures decides: neither words nor slots have a say in it then."""
    text = claim.claim.text
    if not choose_reckonings(text):
        return None
    found = [finding for passage in passages if (finding := reckon(text, passage)) is not None]
    if not found and len(passages) > 1 and (together := reckon_together(text, passages)) is not None:
        found = [together]
    if not found:
        return None
    argument = _find_told(claim.proposition.arguments, found[0].claim_value)
    wrong = _find_wrong(claim, argument) if argument is not None else claim.claim.span
    return Part(None, argument, tuple(replace(f, wrong=wrong if f.verdict is Verdict.REFUTED else None) for f in found))


def _find_wrong(claim: ReadClaim, argument: Argument) -> Span:
    """Where the order is wrong, the word that tells it is: "after Toronto"."""
    if not tells_order(claim.proposition) or argument.role not in ("before", "after"):
        return argument.span
    ends = [a.span.end for a in claim.proposition.arguments if a.span.end <= argument.span.start]
    return Span(max(ends) + 1, argument.span.end) if ends else claim.claim.span


def _find_told(arguments: Sequence[Argument], told: str) -> Argument | None:
    """The argument that a finding is about; "18" has the words of "8", and is not meant where that stands too."""
    same = (a for a in arguments if told and a.text == told)
    like = (a for a in arguments if told and (a.text in told or told in a.text))
    return next(same, None) or next(like, None)


def _examine(part: Part, claim: ReadClaim, passages: Mapping[str, Passage]) -> Part:
    objections = {
        f.passage_id: found
        for f in part.findings
        if f.verdict is Verdict.SUPPORTED
        and f.passage_id in passages
        and (found := _find_objection(claim, passages[f.passage_id], passages)) is not None
        and not (f.reason == "words_told" and is_told_apart(found))
    }
    for f in part.findings:
        soft = f.verdict is Verdict.REFUTED and not f.exact and f.reason in _REPRIEVED and f.passage_id in passages
        if soft and (found := reprieve(claim.proposition, claim.claim.text, passages[f.passage_id])) is not None:
            objections[f.passage_id] = found
    if not objections:
        return part
    return replace(part, findings=tuple(objections.get(f.passage_id, f) for f in part.findings))


def _find_objection(claim: ReadClaim, passage: Passage, passages: Mapping[str, Passage]) -> Finding | None:
    if (found := find_small_words_in(claim, passage)) is not None:
        return found
    alone = len(passages) < 2
    if not alone and tells_place_in_order(claim.claim.text):
        wanted = content_of(claim.claim.text)
        alone = sum(not wanted.isdisjoint(content_of(other.text)) for other in passages.values()) < 2
    return find_lookalike(claim, passage, alone=alone)


_REPRIEVED = frozenset({"other_agent", "other_value", "other_time", "opposite", "opposite_word", "words_denied"})
"""Reasons of refutations that rest on two wordings, which may tell of two things."""


def _find_parts(claim: ReadClaim, passages: Sequence[ReadPassage], aliases: Aliases, retells: bool) -> tuple[Part, ...]:
    named = [fact for fact in claim.facts if fact.pattern != "predicate"]
    assumed = [fact for fact in named if _is_assumed(fact)]
    whole: list[Finding] | None = None
    if len(named) == len(assumed):
        whole = _combine(list(_find_whole(claim, passages, aliases, retells)))
        if len(passages) > 1 and not any(f.verdict is not Verdict.INSUFFICIENT for f in whole):
            whole.extend(find_composed(claim.proposition, passages, aliases))
        own = next((fact for fact in claim.facts if fact not in assumed), None)
        parts: list[Part] = [Part(own, None, tuple(whole))]
        parts.extend(Part(fact, None, tuple(_find_fact(fact, passages, aliases))) for fact in assumed)
        return tuple(p for p in parts if p.fact not in assumed or p.findings)
    parts = []
    for fact in named:
        if fact in assumed:
            continue
        findings = _without_agreed(list(_find_fact(fact, passages, aliases)), claim, passages, aliases)
        if not any(f.verdict is not Verdict.INSUFFICIENT for f in findings):
            whole = (
                whole
                if whole is not None
                else [f for f in _find_whole(claim, passages, aliases, retells) if _is_usable(f)]
            )
            findings.extend(whole)
        elif not fact.exclusive:
            findings.extend(find_namesakes(fact, passages))
        parts.append(Part(fact, None, tuple(findings)))
    details = list(find_details(claim, named, parts, passages, aliases))
    if any(not part.findings for part in details):
        whole = whole if whole is not None else list(_find_whole(claim, passages, aliases, retells))
        told = tuple(f for f in whole if f.verdict is Verdict.SUPPORTED and f.reason in _OF_ALL)
        details = [replace(part, findings=told) if not part.findings else part for part in details]
    parts.extend(details)
    parts.extend(find_day(claim, parts, passages))
    for fact in assumed:
        findings = tuple(_find_fact(fact, passages, aliases))
        if any(f.verdict is Verdict.REFUTED and f.claim_value != fact.raw for f in findings):
            parts.append(Part(fact, None, findings))
    return tuple(parts)


_OF_ALL = frozenset({"words_told", "words_covered", "same_statement"})
"""Supports of a whole claim, details and all."""


def _without_agreed(
    findings: list[Finding], claim: ReadClaim, passages: Sequence[ReadPassage], aliases: Aliases
) -> list[Finding]:
    """ "Room 204 on the second floor" has another value than "the second floor" and says the same all the same."""
    rivals = {f.passage_id for f in findings if f.verdict is Verdict.REFUTED and f.reason == "other_value"}
    if not rivals:
        return findings
    mine = claim.proposition
    agreed = {
        read.passage.id
        for read in passages
        if read.passage.id in rivals
        for other in read.reading.statements
        if other.proposition.subject == mine.subject and _says_same(mine, other, aliases)
    }
    same = [Finding(Verdict.SUPPORTED, 0.9, "same_statement", id) for id in sorted(agreed)]
    return [*(f for f in findings if f.passage_id not in agreed), *same]


def _says_same(mine: Proposition, other: ReadClaim, aliases: Aliases) -> bool:
    return not other.claim.hedged and supports(mine, other.proposition, aliases)


def _combine(findings: list[Finding]) -> list[Finding]:
    """Place in one memory, date in another: together they carry what neither does alone."""
    partial = [f for f in findings if f.gaps]
    decided = any(f.verdict is not Verdict.INSUFFICIENT for f in findings)
    common = frozenset(partial[0].gaps).intersection(*(f.gaps for f in partial[1:])) if partial else frozenset[Span]()
    if decided or len(partial) < 2 or common:
        return findings
    ids = tuple(dict.fromkeys(f.passage_id for f in partial))
    whole = [
        replace(f, verdict=Verdict.SUPPORTED, strength=0.8, reason="combined", missing=None,
                beside=tuple(id for id in ids if id != f.passage_id))
        for f in partial
    ]  # fmt: skip
    return [*findings, *whole]


def _is_assumed(fact: ExtractedFact) -> bool:
    """ "Your son Theo is in third grade" takes for granted that the son is Theo."""
    return fact.pattern.startswith("my ") and not fact.pattern.endswith("is VALUE")


def _is_usable(finding: Finding) -> bool:
    return finding.verdict is Verdict.SUPPORTED or (
        finding.verdict is Verdict.REFUTED
        and finding.reason in ("opposite", "words_denied", "opposite_word", "other_value")
    )


def _find_fact(fact: ExtractedFact, passages: Iterable[ReadPassage], aliases: Aliases) -> Iterable[Finding]:
    for read in passages:
        best: Finding | None = None
        for evidence in read.reading.facts:
            if evidence.pattern == "predicate":
                found = _find_eaten(fact, evidence, aliases)
            else:
                found = compare_facts(fact, evidence, aliases)
            if found is not None and (best is None or _rank(found) > _rank(best)):
                best = found
        if best is not None:
            yield place(best, read.passage.id)


def _find_eaten(fact: ExtractedFact, evidence: ExtractedFact, aliases: Aliases) -> Finding | None:
    """Who eats meat is no vegan."""
    if fact.slot_type != "diet" or evidence.slot_type not in TAKING_IN or evidence.hedged:
        return None
    if evidence.tense is not fact.tense or Polarity.NEGATIVE in (fact.polarity, evidence.polarity):
        return None
    denied = compare_diets(evidence, fact, aliases)
    if denied is None or denied.verdict is not Verdict.REFUTED:
        return None
    return Finding(Verdict.REFUTED, 0.69, "implied", claim_value=fact.raw, evidence_value=evidence.raw,
                   wrong=fact.value_span, exchange=False)  # fmt: skip


_RANKS = {Verdict.SUPPORTED: 2, Verdict.REFUTED: 1, Verdict.INSUFFICIENT: 0}


def _rank(finding: Finding) -> tuple[int, float]:
    """Within one passage, agreement outranks denial, and both outrank silence."""
    return _RANKS[finding.verdict], finding.strength


def _find_whole(
    claim: ReadClaim, passages: Iterable[ReadPassage], aliases: Aliases, retells: bool
) -> Iterable[Finding]:
    if any(argument.text.lower() in _ANOTHERS for argument in claim.proposition.arguments):
        return  # "Okafor is hers": whose that is, no word says
    for read in passages:
        if _is_foreign(claim.proposition, read.reading, aliases):
            continue
        best: Finding | None = None
        for evidence in read.reading.statements:
            if evidence.claim.hedged:
                continue
            found = compare_propositions(claim.proposition, evidence.proposition, aliases)
            if found is not None and (best is None or _rank(found) > _rank(best)):
                best = found
        if best is None or best.verdict is Verdict.INSUFFICIENT:
            best = _find_following(claim, read, aliases) or best
        if best is None or best.verdict is Verdict.INSUFFICIENT:
            words = compare_words(claim, read.reading, aliases)
            if words is not None and (best is None or not best.former):
                best = words
        if retells and (best is None or best.verdict is Verdict.INSUFFICIENT):
            best = find_retold(claim, read.reading, aliases) or best
        if best is not None:
            yield place(best, read.passage.id, wrong=_fault(claim, best), cap=True)


_ANOTHERS = frozenset({"hers", "his", "theirs"})


def _is_foreign(mine: Proposition, evidence: Reading, aliases: Aliases) -> bool:
    """Neither the subject nor any other word is shared: most memories of most answers, and nothing can follow."""
    words = mine.lemmas
    for read in evidence.statements:
        other = read.proposition
        if not words.isdisjoint(other.lemmas) or subjects_match(mine.subject, other.subject, aliases):
            return False
    return bool(evidence.statements)


def _find_following(claim: ReadClaim, read: ReadPassage, aliases: Aliases) -> Finding | None:
    """What is not said and follows all the same: from a possessive, a change, a place or a diet."""
    mine = claim.proposition
    if (presupposed := find_presupposed(mine, read.passage, aliases)) is not None:
        return presupposed
    for evidence in read.reading.statements:
        if evidence.claim.hedged:
            continue
        found = (
            find_changed(mine, evidence, aliases)
            or find_result(mine, evidence, aliases)
            or find_successor(mine, evidence, aliases)
            or find_kept_place(mine, evidence.proposition, aliases)
        )
        if found is not None:
            return found
    return _find_implied(claim, read, aliases)


def _find_implied(claim: ReadClaim, read: ReadPassage, aliases: Aliases) -> Finding | None:
    """Somebody allergic to nuts does not eat them."""
    for fact in [fact for fact in claim.facts if fact.slot_type in TAKING_IN]:
        for evidence in read.reading.facts:
            found = compare_diets(fact, evidence, aliases)
            if found is not None:
                return found
    return None


def _fault(claim: ReadClaim, finding: Finding) -> Span | None:
    return claim.claim.span if finding.verdict is Verdict.REFUTED else None
