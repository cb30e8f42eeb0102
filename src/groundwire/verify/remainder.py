"""What is left of an unsettled claim without one of its details: often it is borne out, and the detail alone is news.

"You see the dentist on Friday at 3 pm" has too few words of "I have a dentist appointment on Friday" for rules to tell
what is new in it. The model is asked about the claim without the hour, and without the day; where it bears out one of
them, what was left out is what no memory tells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from groundwire.errors import ModelUnavailable
from groundwire.judge.consultation import Consultant, rank_passages
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.text.propositions import Argument
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.types import Polarity, Verdict

_BORNE_OUT = 0.6
_MOST_ASKED = 4
_MOST_PASSAGES = 1
_FULL = frozenset({"object", "second", "by", "than"})
"""Parts that a sentence does not do without, or that turn it into another."""
_DETERMINERS = r"(?:(?:the|an?|your|his|her|their|our|my)\s+)?"


class _Remainder(NamedTuple):
    """A claim without one of its details."""

    claim: int
    detail: Argument
    text: str


def spare_remainders(
    consultant: Consultant,
    claims: Sequence[ReadClaim],
    parts: Sequence[tuple[Part, ...]],
    passages: Sequence[ReadPassage],
) -> list[tuple[Part, ...]]:
    """The parts, where of an unsettled claim one detail alone is untold with that detail as what is."""
    found = list(parts)
    asked = [
        _Remainder(i, detail, rest)
        for i, (read, own) in enumerate(zip(claims, parts, strict=True)) if _is_unsettled(read, own)
        for detail, rest in list_remainders(read)
    ][:_MOST_ASKED]  # fmt: skip
    if not asked or not passages:
        return found
    known = [read.passage for read in passages]
    near = [tuple(rank_passages(claims[one.claim].claim.text, known, ())[:_MOST_PASSAGES]) for one in asked]
    try:
        said = consultant.weigh_evidence([(one.text, shown) for one, shown in zip(asked, near, strict=True)])
    except ModelUnavailable:
        return found
    best: dict[int, tuple[float, str, _Remainder]] = {}
    for one, scores in zip(asked, said, strict=True):
        support, source = max(((s.scores.supported, s.passage.id) for s in scores), default=(0.0, ""))
        if support >= _BORNE_OUT and support > best.get(one.claim, (0.0,))[0]:
            best[one.claim] = support, source, one
    for i, (support, source, one) in best.items():
        found[i] = _settle(found[i], Finding(Verdict.SUPPORTED, support, "model_supports", source), one.detail)
    return found


def _is_unsettled(read: ReadClaim, parts: Sequence[Part]) -> bool:
    """Whether all of it would be quoted: where rules know what is new, nobody has to be asked."""
    if read.claim.hedged or read.claim.polarity is Polarity.NEGATIVE or len(parts) != 1:
        return False
    (part,) = parts
    if part.argument is not None or (part.fact is not None and part.fact.pattern != "predicate"):
        return False
    return all(f.verdict is Verdict.INSUFFICIENT and not f.exact and f.missing is None for f in part.findings)


def list_remainders(read: ReadClaim) -> list[tuple[Argument, str]]:
    """The details that the claim can do without, each with the claim that is left."""
    found: list[tuple[Argument, str]] = []
    for detail in read.proposition.arguments:
        if detail.role in _FULL or not detail.lemmas or len(read.proposition.arguments) < 2:
            continue
        role = "" if detail.role in ("when", "per") else rf"{re.escape(detail.role)}\s+"
        pattern = re.compile(rf",?\s*\b{role}{_DETERMINERS}{re.escape(detail.text)}(?![\w’'])", re.IGNORECASE)
        places = list(pattern.finditer(read.claim.text))
        if len(places) == 1:
            rest = f"{read.claim.text[: places[0].start()]}{read.claim.text[places[0].end() :]}".strip(" ,")
            found.append((detail, rest))
    return found


def _settle(parts: Sequence[Part], borne_out: Finding, detail: Argument) -> tuple[Part, ...]:
    """All but the detail is told; the detail stays open, and is what is quoted."""
    untold = Finding(
        Verdict.INSUFFICIENT, 0.6, "detail_missing", borne_out.passage_id, claim_value=detail.text, missing=detail.span
    )
    own = [replace(part, findings=(borne_out,)) for part in parts if part.argument is not detail]
    return (*own, Part(None, detail, (untold,)))
