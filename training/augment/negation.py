"""Negated pairs: what a denied claim, a denied evidence and both denied are worth.

From a pair whose label is known:
    P entails H      ->  P contradicts not-H;  not-H entails not-P;  not-H contradicts P;  not-P says nothing of H
    P contradicts H  ->  P entails not-H;      H entails not-P;      H contradicts P
    P neutral to H   ->  P neutral to not-H
Only plain statements are denied: a quantifier, a second clause or a negation that stands there already would change
what the denial means.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator

from groundwire.text.tagging import tag
from groundwire.text.tokens import Token, tokenize
from groundwire.text.verbs import is_past, read_verb_groups
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, Pair

_BLOCKS = re.compile(
    r"(?i)\b(no|not|never|none|nobody|nothing|neither|nor|without|hardly|barely|all|every|each|some|any|both|either|only|"
    r"most|many|few|several|or|but|because|although|if|when|while|unless|than|too|also|already|still|just|"
    r"there|let|maybe|probably|may|might|always|often|sometimes|usually|at least|n't)\b|n't|[;:?!\"]|[,].*[,]"
)
_CONTRACTED = {
    "is": "isn't", "are": "aren't", "was": "wasn't", "were": "weren't", "has": "hasn't", "have": "haven't",
    "had": "hadn't", "does": "doesn't", "do": "don't", "did": "didn't", "will": "won't", "would": "wouldn't",
    "can": "can't", "could": "couldn't", "should": "shouldn't",
}  # fmt: skip


def deny(sentence: str, rng: random.Random) -> str | None:
    """The sentence with its one finite verb negated, or nothing where that is not safe."""
    if len(sentence) > 160 or _BLOCKS.search(sentence):
        return None
    tokens = tokenize(sentence)
    letters = tag(tokens)
    groups = read_verb_groups(tokens, letters)
    if len(groups) != 1 or groups[0].start == 0 or "U" in letters or "W" in letters[: groups[0].start]:
        return None
    group = groups[0]
    finite = next((t for t in tokens[group.start : group.end] if t.tag in "MhbdV"), None)
    if finite is None or finite.tag == "B" or finite.text.startswith(("'", "’")):
        return None
    return _insert(sentence, finite, tokens, rng)


def _insert(sentence: str, finite: Token, tokens: list[Token], rng: random.Random) -> str | None:
    before, after = sentence[: finite.start], sentence[finite.end :]
    at = tokens.index(finite)
    main_have = finite.tag == "h" and not (at + 1 < len(tokens) and tokens[at + 1].tag in "EbR")
    if finite.tag in "Mb" or (finite.tag == "h" and not main_have):
        short = _CONTRACTED.get(finite.low)
        if finite.low in ("am", "must", "shall", "ca", "wo"):
            short = None
        word = short if short and rng.random() < 0.5 else f"{finite.text} not"
        return f"{before}{word}{after}"
    if finite.tag not in "Vhd":
        return None
    lemma = {"h": "have", "d": "do"}.get(finite.tag, finite.lemma)
    if is_past(finite):
        aid = "did"
    elif finite.low.endswith("s") and finite.low != lemma:
        aid = "does"
    elif finite.low == lemma:
        aid = "do"
    else:
        return None
    return f"{before}{_CONTRACTED[aid] if rng.random() < 0.6 else aid + ' not'} {lemma}{after}"


_FRAMES = (
    "It is not true that {0}",
    "It is not the case that {0}",
    "It's false that {0}",
    "It would be wrong to say that {0}",
)


def _deny_somehow(sentence: str, rng: random.Random) -> str | None:
    denied = deny(sentence, rng)
    if denied is not None and rng.random() < 0.08:
        first = sentence.split(" ", 1)[0]
        body = sentence if first in ("I",) or first[1:2].isupper() else sentence[0].lower() + sentence[1:]
        return rng.choice(_FRAMES).format(body) if first.lower() in ("a", "an", "the", "two", "he", "she") else denied
    return denied


def negate_pairs(pairs: Iterable[Pair], seed: int) -> Iterator[Pair]:
    """For each pair whose claim can be denied, the denials that follow; premises too where they are plain."""
    rng = random.Random(seed)
    for pair in pairs:
        if pair.label not in (ENTAIL, NEUTRAL, CONTRADICT):
            continue
        denied = _deny_somehow(pair.hypothesis, rng)
        if denied is not None:
            flipped = {ENTAIL: CONTRADICT, CONTRADICT: ENTAIL, NEUTRAL: NEUTRAL}[pair.label]
            yield Pair(pair.premise, denied, flipped, "augment_negated_claim")
        other = _deny_somehow(pair.premise, rng)
        if other is not None:
            yield from _from_denied_premise(pair, other, denied, rng)


def _from_denied_premise(pair: Pair, other: str, denied: str | None, rng: random.Random) -> Iterator[Pair]:
    source = "augment_negated_evidence"
    if rng.random() < 0.3:
        yield Pair(pair.premise, other, CONTRADICT, source)
        yield Pair(other, pair.premise, CONTRADICT, source)
    if pair.label == CONTRADICT:
        yield Pair(pair.hypothesis, other, ENTAIL, source)
    if pair.label == ENTAIL and pair.premise.lower() != pair.hypothesis.lower():
        if denied is not None:
            yield Pair(denied, other, ENTAIL, source)
            if rng.random() < 0.5:
                yield Pair(other, denied, NEUTRAL, source)
            if rng.random() < 0.5:
                yield Pair(denied, pair.premise, CONTRADICT, source)
        if rng.random() < 0.6:
            yield Pair(other, pair.hypothesis, NEUTRAL, source)
    if pair.label == NEUTRAL and rng.random() < 0.5:
        yield Pair(other, denied if denied is not None and rng.random() < 0.6 else pair.hypothesis, NEUTRAL, source)
