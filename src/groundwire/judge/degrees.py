"""How often, how well and how much: what a claim adds to a statement without another noun or verb.

"Fluently" is more than speaking, "often" more than at all, and "a little" its contrary. Degrees of one scale follow
from each other downwards only: who always walks often does, and who rarely does does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from groundwire.judge.arguments import covers
from groundwire.text import lexicon
from groundwire.text.cues import Cued
from groundwire.text.derivation import is_derived
from groundwire.text.propositions import Proposition
from groundwire.text.tables import read_table


def find_manner(claim: Proposition, evidence: Iterable[Proposition]) -> str | None:
    """How the claim says it is done, or of whom alone, where the evidence does not: "fluently", "only"."""
    if claim.negated:
        return None
    added = [a for a in tell_degrees(claim) if _says_how(a) and not (a == "rather" and claim.modal)]
    if not added:
        return None
    told = list(evidence)
    return next((a for a in added if not any(is_said(a, other) or _says_otherwise(a, other) for other in told)), None)


def _says_otherwise(adverb: str, evidence: Proposition) -> bool:
    """ "Nodded solemnly" and "nodded gravely": the evidence has a manner of its own, which may be the same one."""
    return _is_manner(adverb) and any(_is_manner(other) for other in evidence.adverbs)


def _is_manner(adverb: str) -> bool:
    table = read_table("grammar")["adverbs"]
    graded = any(adverb in scale for scale in _scales().values())
    return adverb.endswith("ly") and not graded and adverb not in table["limiting"] and adverb not in table["loose"]


def tell_degrees(said: Proposition) -> tuple[str, ...]:
    """Its adverbs, and the adjectives that say how well: "fluent Danish" is Danish spoken fluently."""
    graded = said.lemmas & _graded()
    return (*said.adverbs, *sorted(graded)) if graded else said.adverbs


def find_contrary(claim: Proposition, evidence: Proposition) -> tuple[str, str] | None:
    """A degree of the claim with one of the evidence from the other end of its scale: "fluently", "a little"."""
    if claim.negated or evidence.negated:
        return None
    for adverb in tell_degrees(claim):
        for word in (*evidence.adverbs, *sorted(evidence.lemmas)):
            if _relate_degrees(adverb, word) is False:
                return adverb, word
    return None


_LESS = Cued(
    re.compile(
        r"\b(?=[aksm])(?<!not )(?<!even )"
        r"(?:a (?:little|bit|tad|trifle|touch)(?: bit)?(?! (?:of|more|less|later|earlier)\b)"
        r"|(?<!\ba )(?<!the )(?<!this )(?<!that )(?<!what )(?<!some )(?<!any )(?<!which )(?<!one )(?<!all )"
        r"(?:kind|sort) of|kinda|sorta|slightly|mildly)\b(?P<next> [\w’'-]+)?",
        re.IGNORECASE,
    ),
    "little bit tad trifle touch kind sort kinda sorta slightly mildly",
)


_ANY_LESS = re.compile(
    r"\b(?:a (?:little|bit|tad|trifle|touch)|kind of|sort of|kinda|sorta|slight(?:ly)?|mild(?:ly)?|some(?:what)?)\b",
    re.IGNORECASE,
)


def find_other_degree(claim: str, text: str) -> str | None:
    """ "A little", "sort of": less than the evidence says without one; "exhausted", where it says "tired"."""
    if (more := _find_stronger(claim, text)) is not None:
        return more
    found = _LESS.search(claim)
    if found is None or _ANY_LESS.search(text) is not None:
        return None
    word = (found["next"] or "").strip()
    said = found.group().removesuffix(found["next"] or "")
    is_small = "little" in said.lower() and word.islower() and lexicon.readings(word)[0][0] in ("NN", "NNS")
    return None if is_small else said  # "a little dog" is a small one


_WORDS = re.compile(r"[a-z]+")
_MODERATE = frozenset({"fairly", "quite", "rather", "somewhat", "moderately"})


def _find_stronger(claim: str, text: str) -> str | None:
    mine, stronger = _WORDS.findall(claim.lower()), _stronger()
    if stronger.keys().isdisjoint(mine) and _MODERATE.isdisjoint(mine):
        return None
    theirs = frozenset(_WORDS.findall(text.lower()))
    for before, word in zip(("", *mine), mine, strict=False):
        weaker = [base for base in stronger.get(word, ()) if base in theirs]
        if weaker and word not in theirs and _raising().isdisjoint(theirs):
            return word
        if before in _MODERATE and word not in theirs and any(word in stronger.get(other, ()) for other in theirs):
            return before
    return None


@cache
def _stronger() -> dict[str, frozenset[str]]:
    """The weaker words by each stronger one."""
    groups: dict[str, list[str]] = read_table("grammar")["stronger"]
    words = {word for group in groups.values() for word in group}
    return {word: frozenset(base for base, group in groups.items() if word in group) for word in words}


_APART = 2
"""Who likes something may be told to love it; to adore it is another thing."""


def find_overstatement(claim: Proposition, evidence: Proposition) -> str | None:
    """The claim's verb, where the evidence has one of the same scale that says much less."""
    if evidence.predicate in outcomes().get(claim.predicate, ()):
        return None if claim.negated or evidence.negated else claim.predicate
    scale = _liking()
    mine, theirs = scale.get(claim.predicate, 0), scale.get(evidence.predicate, 0)
    if mine * theirs <= 0 or claim.negated or evidence.negated or abs(mine) - abs(theirs) < _APART:
        return None
    raised = not evidence.lemmas.isdisjoint(_raising()) or not _raising().isdisjoint(evidence.adverbs)
    return None if raised else claim.predicate


@cache
def outcomes() -> dict[str, list[str]]:
    """The tries by what may have come of them."""
    return read_table("grammar")["outcomes"]


@cache
def _liking() -> dict[str, int]:
    return read_table("grammar")["liking"]


@cache
def _raising() -> frozenset[str]:
    """What makes as much of a weaker word: "I like it very much"."""
    return frozenset({"really", *(word for word, degree in _scales()["strength"].items() if degree > 0)})


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
        adverb in told["limiting"]
        or adverb in told["how"]
        or _scales()["skill"].get(adverb, 0) > 1
        or (adverb.endswith("ly") and adverb not in told["loose"])
    )


@cache
def _graded() -> frozenset[str]:
    return frozenset(read_table("grammar")["adverbs"]["graded"])


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
