"""Which of two things is the longer, the dearer or the more numerous, where the evidence gives the figure of each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from groundwire.judge.carrying import content_of
from groundwire.judge.exactness import ABOUT, DENIALS, UNREAL, has_any
from groundwire.judge.figures import Figure, read_figure
from groundwire.judge.findings import Finding
from groundwire.text import lexicon
from groundwire.text.propositions import Proposition
from groundwire.text.reading import read_text
from groundwire.text.tables import read_table
from groundwire.types import Passage, Verdict

_SURE = 0.9
_COMPARED = re.compile(
    r"(?P<left>.{2,80}?) (?P<verb>[a-z]+) "
    r"(?:much |far |even |slightly |a lot |a bit |a little )?"
    r"(?P<how>(?P<side>more|less|fewer)(?: (?P<word>[a-z]+))?|[a-z]+er) than (?P<right>.{2,80}?)[.!]?",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s?\b")
_ONE = re.compile(r"(?<= )ones?$")
"""Stands for the noun before: "the blue lamp … the red one"."""


def find_measured_order(claim: str, *passages: Passage) -> Finding | None:
    """Support or refutation of "A is longer than B" from the length of A and that of B, be it told in two passages."""
    if " than " not in claim or has_any(claim, DENIALS, ABOUT, UNREAL):
        return None
    found = _COMPARED.fullmatch(claim.strip())
    scale = _find_scale(found) if found is not None else None
    if found is None or scale is None:
        return None
    dimensions, is_more, noun = scale
    told = [
        (passage.id, read.proposition)
        for passage in passages for read in read_text(passage.text).statements if not read.claim.hedged
    ]  # fmt: skip
    right = _ONE.sub(found["left"].rpartition(" ")[2], found["right"])
    one, other = (_find_figure(side, told, dimensions, noun) for side in (found["left"], right))
    if one is None or other is None or one[1].dimension != other[1].dimension:
        return None
    (source, mine), (_, theirs) = one, other
    turned = noun == "fast" and mine.dimension in ("duration", "months")  # who takes longer is slower
    holds = mine.amount > theirs.amount if is_more is not turned else mine.amount < theirs.amount
    verdict, reason = (Verdict.SUPPORTED, "implied") if holds else (Verdict.REFUTED, "opposite")
    shown = f"{mine.shown}, {theirs.shown}"
    return Finding(verdict, _SURE, reason, source, exact=True, evidence_value=shown, exchange=False)


def find_chain(claim: str, passages: Sequence[Passage]) -> Finding | None:
    """ "A is older than C" from "A is older than B" and "B is older than C": what is more than more is more."""
    mine = _read_order(claim)
    if mine is None:
        return None
    orders = [
        (order, passage.id) for passage in passages for read in read_text(passage.text).statements
        if not read.claim.hedged and (order := _read_order(read.claim.text)) is not None and order.scale == mine.scale
    ]  # fmt: skip
    for verdict, (top, bottom) in ((Verdict.SUPPORTED, mine[:2]), (Verdict.REFUTED, mine[1::-1])):
        reached, path = {top}, ""
        for _ in orders:
            for order, source in orders:
                if order.more in reached and order.less not in reached:
                    reached.add(order.less)
                    path = path or source
        if bottom in reached:
            reason = "implied" if verdict is Verdict.SUPPORTED else "opposite"
            return Finding(verdict, _SURE, reason, path, exact=True, exchange=False)
    return None


class _Order(NamedTuple):
    more: frozenset[str]
    less: frozenset[str]
    scale: tuple[str, str]


def _read_order(text: str) -> _Order | None:
    found = _COMPARED.fullmatch(text.strip()) if " than " in text.casefold() else None
    if found is None or has_any(text, DENIALS, ABOUT, UNREAL):
        return None
    side, word = (found["side"] or "").lower(), (found["word"] or "").lower()
    if side and not word:
        return None
    base = next((lemma for tag, lemma in lexicon.readings(found["how"].lower()) if tag in ("JJR", "RBR")), "")
    known = _adjectives().get(word or base)
    is_more, scale = (known[1], known[2]) if known is not None else (True, word or base)
    sides = [content_of(_POSSESSIVE.sub("", found[name])) for name in ("left", "right")]
    if not scale or not all(sides):
        return None
    more, less = sides if is_more is (side not in ("less", "fewer")) else reversed(sides)
    return _Order(more, less, (scale, lexicon.verb_lemma(found["verb"].lower()) or ""))


def _find_scale(found: re.Match[str]) -> tuple[frozenset[str], bool, str] | None:
    """What is measured, whether more of it is claimed, and the word for it."""
    adjectives = _adjectives()
    side, word = (found["side"] or "").lower(), (found["word"] or "").lower()
    if side and word in adjectives:
        dimensions, sign, name = adjectives[word]
        return dimensions, sign is (side == "more"), name
    if side and word and side != "less":
        return frozenset({"count"}), side == "more", lexicon.noun_lemma(word)
    verb = lexicon.verb_lemma(found["verb"].lower()) or ""
    if side and not word and verb in ("cost", "weigh", "last", "take"):
        return _of_verb(verb), side == "more", ""
    base = next((lemma for tag, lemma in lexicon.readings(found["how"].lower()) if tag in ("JJR", "RBR")), "")
    return adjectives.get(base)


def _of_verb(verb: str) -> frozenset[str]:
    spans = {"cost": {"currency"}, "weigh": {"mass"}}
    return frozenset(spans.get(verb, {"duration", "months"}))


def _find_figure(
    name: str, told: Sequence[tuple[str, Proposition]], dimensions: frozenset[str], noun: str
) -> tuple[str, Figure] | None:  # fmt: skip
    """The one figure of this kind that is told of what goes by the name, and which passage tells it."""
    wanted = content_of(_POSSESSIVE.sub("", name))
    found: dict[Figure, str] = {}
    for source, said in told:
        if said.negated or said.modal or not wanted or wanted != content_of(_POSSESSIVE.sub("", said.subject)):
            continue
        for argument in said.arguments:
            figure = read_figure(argument.text)
            if figure is None or figure.dimension.split(" ")[0] not in dimensions:
                continue
            if figure.dimension != "count" or noun in argument.lemmas:
                found.setdefault(figure, source)
    return next(((source, figure) for figure, source in found.items()), None) if len(found) == 1 else None


@cache
def _adjectives() -> dict[str, tuple[frozenset[str], bool, str]]:
    """Each adjective of measure: what it measures, whether it is the greater end, and the scale."""
    scales: dict[str, dict[str, list[str]]] = read_table("grammar")["measured"]
    return {
        word: (frozenset(scale["of"]), side == "more", name)
        for name, scale in scales.items() for side in ("more", "less") for word in scale[side]
    }  # fmt: skip
