"""Whole sentences: what the claims of a sentence say one by one is not always what it says.

"The warehouse was open when the truck arrived" has two claims that may both be borne out, and is false all the same if
the truck was early. So the model is shown the sentence as it is written, too, and a sure opinion on it is put to the
claims: to all of them where it bears the sentence out, to the least supported one where it does not.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from groundwire.judge.consultation import LEFT_OPEN, Query, as_finding, is_exact_amount
from groundwire.judge.decision import PassageScores, quote_words, reason_of
from groundwire.judge.findings import Finding
from groundwire.judge.joint import attribute, find_carriers, join_texts
from groundwire.judge.objections import withhold
from groundwire.judge.parts import Part
from groundwire.judge.reconsidering import restates
from groundwire.text.reading import ReadClaim
from groundwire.types import Passage, Span, Verdict

_BORNE_OUT, _CLEAR, _SURE, _CERTAIN, _DENIED, _REFUSED, _LEFT_OPEN = 0.6, 0.5, 0.8, 0.9, 0.6, 0.7, 0.75
_BORNE_OUT_ALONE = 0.75
_LONGEST = 300


def ask_sentences(
    text: str, claims: Sequence[ReadClaim], queries: Mapping[int, Query], passages: Sequence[Passage]
) -> dict[int, Query]:
    """Questions about sentences of which a claim is open, by negative numbers; what is but one claim is asked once.

    A sentence is shown all that is known, where that is little enough: its clauses may rest on different memories.
    """
    found: dict[int, Query] = {}
    for number, (sentence, own) in enumerate(_group(claims), 1):
        written = text[sentence.start : sentence.end].strip()
        asked = [queries[i] for i in own if i in queries]
        if not asked or len(written) > _LONGEST or any(claims[i].claim.hedged for i in own):
            continue
        if not all(_is_self_contained(claims[i], written) for i in own) or restates(written, claims[own[0]].claim.text):
            continue
        nearest = asked[0].passages[0]
        around = tuple(passages) if join_texts(tuple(passages)) else asked[0].joined
        together = join_texts(around)
        shown = replace(nearest, text=together or nearest.text)
        found[-number] = Query(written, (shown,), around if together else (nearest,))
    return found


def apply_sentences(
    text: str,
    claims: Sequence[ReadClaim],
    parts: list[tuple[Part, ...]],
    asked: Mapping[int, Query],
    scores: Mapping[int, Sequence[PassageScores]],
) -> None:
    """Put what the model makes of whole sentences to their claims, in place."""
    for number, (sentence, own) in enumerate(_group(claims), 1):
        opinions, query = scores.get(-number, ()), asked.get(-number)
        is_claim = query is None and _tells_all(text[sentence.start : sentence.end], claims, own)
        if is_claim:
            opinions = [score for score in scores.get(own[0], ()) if score.scores.verdict is Verdict.SUPPORTED]
        best = max(opinions, key=lambda score: score.clearness, default=None)
        if best is None:
            continue
        query = query or Query(claims[own[0]].claim.text, (best.passage,), (best.passage,))
        told, support = [part for i in own for part in parts[i]], best.scores.supported
        least = _BORNE_OUT if is_claim else _least_support(told, alone=len(own) == 1)
        if support >= least and withhold(query.claim, best.passage, support) is None:
            for i in own:
                score = _tell_from(claims[i], query, best)
                parts[i] = tuple(_support(part, query.claim, score) for part in parts[i])
        elif best.scores.refuted >= _least_refutation(told, query):
            _deny(text, claims, parts, own, query, best)
        elif best.scores.insufficient >= _LEFT_OPEN and _CUT.search(query.claim) is None:
            _leave_open(parts, own, best)


def _least_support(told: Sequence[Part], *, alone: bool) -> float:
    """How sure of the sentence a model has to be: surer than of the parts against it, and than of its only claim."""
    refuted = [f.strength for part in told for f in part.findings if f.verdict is Verdict.REFUTED]
    least = _BORNE_OUT_ALONE if alone else _CLEAR if refuted else _BORNE_OUT
    return min(_CERTAIN, max([least, *refuted]))


def _least_refutation(told: Sequence[Part], query: Query) -> float:
    """What a model bears out is doubted sooner than what rules found or what is open; what is refuted is refuted."""
    if any(map(_is_refuted, told)):
        return math.inf
    if not all(map(_is_supported, told)):
        return _DENIED
    reasons = {f.reason for part in told for f in part.findings if f.verdict is Verdict.SUPPORTED}
    return _CLEAR if reasons <= {"model_supports"} and len(query.joined) == 1 else _REFUSED


def _tell_from(read: ReadClaim, query: Query, score: PassageScores) -> PassageScores:
    """The opinion on the sentence as one on the claim, by the memories that speak of it, else of the sentence."""
    about = read.claim.text if find_carriers(read.claim.text, query.joined) else query.claim
    return attribute(about, score, query.joined, query.joined[0])


def _tells_all(written: str, claims: Sequence[ReadClaim], own: Sequence[int]) -> bool:
    """ "You got angry before it was over": one claim is the whole sentence, the others were taken out of it."""
    asserted = not any(claims[i].claim.hedged for i in own)
    return len(own) > 1 and asserted and restates(written, claims[own[0]].claim.text)


def as_written(read: ReadClaim, text: str) -> str:
    """The sentence of a claim, where the claim only puts its words in another order.

    "In botany, tomatoes are fruits" is what a model has learnt to read, rather than "Tomatoes are fruits in botany".
    """
    claim, written = read.claim.text, text[read.sentence.start : read.sentence.end].strip()
    mine, theirs = (Counter(_WORD.findall(words.lower())) for words in (claim, written))
    lost, added = theirs - mine, mine - theirs
    first = next(iter(_WORD.findall(claim.lower())), "")
    front = written[: max(0, written.lower().find(f" {first}"))]
    if any(map(str.isdigit, front)) or any(map(str.isupper, front[1:])):
        return claim  # "every Tuesday you…": a model overlooks there that it is another day
    same = _LIGHT.issuperset(lost) and _LIGHT.issuperset(added)
    return written if same and not read.claim.hedged and not restates(written, claim) else claim


_WORD = re.compile(r"\w+(?:['’]\w+)?")
_LIGHT = frozenset({"a", "an", "the", "and", "but", "so", "yes", "also", "too", "then", "well"})


def _group(claims: Sequence[ReadClaim]) -> Iterator[tuple[Span, list[int]]]:
    """Sentences with the numbers of their claims, in order."""
    groups: dict[Span, list[int]] = defaultdict(list)
    for i, read in enumerate(claims):
        groups[read.sentence].append(i)
    yield from groups.items()


def _is_self_contained(read: ReadClaim, written: str) -> bool:
    """The claim has its subject from the sentence itself, not from one before."""
    return read.claim.subject.lower() in written.lower()


def _support(part: Part, claim: str, score: PassageScores) -> Part:
    if any(f.exact or is_exact_amount(f) for f in part.findings):
        return part
    verdicts = {f.verdict for f in part.findings}
    if Verdict.SUPPORTED in verdicts:
        return part  # by the memory that says so; where another denies it, trust and time decide
    denied = [f.strength for f in part.findings if f.verdict is Verdict.REFUTED]
    if score.scores.supported <= min(_CERTAIN, max(denied, default=0.0)):
        return part
    if score.scores.supported < _SURE and not (denied or all(_is_soft(f) for f in part.findings)):
        return part
    quoted = quote_words(claim, score.passage.text)
    found = Finding(
        Verdict.SUPPORTED, score.scores.supported, reason_of(score), score.passage.id,
        evidence_value=quoted, beside=score.beside,
    )  # fmt: skip
    return replace(part, findings=(found,))


def _is_soft(finding: Finding) -> bool:
    """What the model left open, or rules support."""
    return finding.verdict is Verdict.SUPPORTED or (
        finding.verdict is Verdict.INSUFFICIENT and finding.reason in LEFT_OPEN
    )


def _is_supported(part: Part) -> bool:
    return any(f.verdict is Verdict.SUPPORTED for f in part.findings) and not _is_refuted(part)


def _is_refuted(part: Part) -> bool:
    return any(f.verdict is Verdict.REFUTED for f in part.findings)


def _deny(
    text: str,
    claims: Sequence[ReadClaim],
    parts: list[tuple[Part, ...]],
    own: Sequence[int],
    query: Query,
    score: PassageScores,
) -> None:
    """The claim that is least borne out is the wrong one, unless rules are exact about it."""
    open_ones = [i for i in own if not any(f.exact or is_exact_amount(f) for part in parts[i] for f in part.findings)]
    if not open_ones:
        return
    least = min(open_ones, key=lambda i: _support_of(parts[i]))
    (first, *others), read = parts[least], claims[least]
    found = as_finding(_tell_from(read, query, score), first, read.claim, text, read.sentence)
    parts[least] = (replace(first, findings=(found,)), *others)


def _leave_open(parts: list[tuple[Part, ...]], own: Sequence[int], score: PassageScores) -> None:
    """What the parts say one by one does not make the sentence, neither borne out nor wrong."""
    told = [part for i in own for part in parts[i]]
    if any(f.exact or is_exact_amount(f) for part in told for f in part.findings):
        return
    open_now = Finding(Verdict.INSUFFICIENT, score.scores.insufficient, "not_mentioned", score.passage.id)
    if any(map(_is_refuted, told)):
        for i in own:
            parts[i] = tuple(replace(p, findings=(open_now,)) if _is_denied_by_model(p) else p for p in parts[i])
    elif all(map(_is_supported, told)):
        least = min(own, key=lambda i: _support_of(parts[i]))
        first, *others = parts[least]
        parts[least] = (replace(first, findings=(open_now,)), *others)


def _is_denied_by_model(part: Part) -> bool:
    return _is_refuted(part) and all(f.reason in _OPINIONS for f in part.findings if f.verdict is Verdict.REFUTED)


_OPINIONS = frozenset({"model_refutes", "other_words"})
_CUT = re.compile(r"[,;:?–—]|\b(?:and|but|so)\b")
"""Where another clause may begin that says something else, or nothing: "…, so there's still time"."""


def _support_of(parts: Sequence[Part]) -> float:
    """How sure the weakest part of a claim is."""
    return min(
        max((f.strength if f.verdict is Verdict.SUPPORTED else 0.0 for f in p.findings), default=0.0) for p in parts
    )
