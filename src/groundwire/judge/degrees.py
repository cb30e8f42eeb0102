"""How often, how well and how much: what a claim adds to a statement without another noun or verb.

"Fluently" is more than speaking, "often" more than at all, and "a little" its contrary. Degrees of one scale follow
from each other downwards only: who always walks often does, and who rarely does does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from groundwire.judge.arguments import covers
from groundwire.text.derivation import is_derived
from groundwire.text.propositions import Proposition
from groundwire.text.tables import read_table


def find_manner(claim: Proposition, evidence: Iterable[Proposition]) -> str | None:
    """How the claim says it is done, or of whom alone, where the evidence does not: "fluently", "only"."""
    if claim.negated or not claim.adverbs:
        return None
    added = [adverb for adverb in claim.adverbs if _says_how(adverb)]
    if not added:
        return None
    told = list(evidence)
    return next((adverb for adverb in added if not any(is_said(adverb, other) for other in told)), None)


def find_contrary(claim: Proposition, evidence: Proposition) -> tuple[str, str] | None:
    """A degree of the claim with one of the evidence from the other end of its scale: "fluently", "a little"."""
    if not claim.adverbs or claim.negated or evidence.negated:
        return None
    for adverb in claim.adverbs:
        for word in (*evidence.adverbs, *sorted(evidence.lemmas)):
            if _relate_degrees(adverb, word) is False:
                return adverb, word
    return None


def is_said(word: str, evidence: Proposition) -> bool:
    """Whether the evidence has the word, one of its meaning or kin, or a higher degree."""
    said = evidence.lemmas | set(evidence.adverbs)
    return (
        covers((word,), said)
        or word.removesuffix("ly") in said
        or any(is_derived(word, other) for other in said if other[:3] == word[:3])
        or any(_relate_degrees(word, other) for other in said)
        or (_scales()["frequency"].get(word, 0) > 0 and not _recurring().isdisjoint(said))
    )


@lru_cache(maxsize=4096)
def _says_how(adverb: str) -> bool:
    told = read_table("grammar")["adverbs"]
    return (
        adverb in told["limiting"] or adverb in told["how"] or (adverb.endswith("ly") and adverb not in told["loose"])
    )


@cache
def _scales() -> dict[str, dict[str, int]]:
    return read_table("grammar")["degrees"]


@cache
def _recurring() -> frozenset[str]:
    return frozenset(read_table("grammar")["adverbs"]["recurring"])


@lru_cache(maxsize=16384)
def _relate_degrees(mine: str, theirs: str) -> bool | None:
    """True where one follows from the other, False where it is excluded, None where neither is so."""
    for scale in _scales().values():
        if mine in scale and theirs in scale:
            one, other = scale[mine], scale[theirs]
            if one * other < 0:
                return False
            return True if abs(one) <= abs(other) else None
    return None
