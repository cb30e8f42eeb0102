"""Claims taken out of real passages by our own reader, and the same claims spoilt.

A claim that stands in the passage word for word is entailed by it (one that the reader had to rebuild goes in without
a label). With a number or a name exchanged for another of the
same passage it is no longer supported; set against a neighbouring passage it is, nearly always, not mentioned.
The evidence is long on purpose: other sentences of the same source stand around the one that decides.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence

from groundwire.text.claims import extract_claims
from groundwire.text.entities import find_entities
from groundwire.types import MentionType
from training.augment.numbers import find_amounts
from training.pairs import CONTRADICT, ENTAIL, UNLABELLED, UNSUPPORTED, Pair

_WORD = re.compile(r"[A-Za-z]{3,}")


def _names(text: str) -> list[str]:
    return [m.surface for m in find_entities(text) if m.mention_type is MentionType.PROPER_NAME and len(m.surface) > 2]


def _exchange_name(claim: str, passage: str, rng: random.Random) -> str | None:
    mine = _names(claim)
    others = [n for n in dict.fromkeys(_names(passage)) if n not in claim and not any(n in m or m in n for m in mine)]
    if not mine or not others:
        return None
    return claim.replace(rng.choice(mine), rng.choice(others), 1)


def _exchange_number(claim: str, rng: random.Random) -> str | None:
    amounts = find_amounts(claim)
    years = list(re.finditer(r"\b(1[5-9]\d\d|20[0-2]\d)\b", claim))
    if years and (not amounts or rng.random() < 0.5):
        year = rng.choice(years)
        moved = int(year.group()) + rng.choice((-30, -10, -4, -3, -2, -1, 1, 2, 3, 5, 11, 20))
        return claim[: year.start()] + str(moved) + claim[year.end() :]
    if not amounts:
        return None
    amount = rng.choice(amounts)
    value = int(amount.value) + rng.choice((1, 2, 3, 5, 10, 20, 100))
    return claim[: amount.start] + amount.sign + (f"{value:,}" if amount.grouped else str(value)) + claim[amount.end :]


def _good(claim: str) -> bool:
    return 20 <= len(claim) <= 260 and len(_WORD.findall(claim)) >= 4


def claims_of_passages(passages: Sequence[str], seed: int, each: int = 3) -> Iterator[Pair]:
    """Supported, spoilt and misplaced claims for every passage."""
    rng = random.Random(seed)
    last: list[str] = []
    for passage in passages:
        claims = [c.text for c in extract_claims(passage) if _good(c.text)]
        rng.shuffle(claims)
        for claim in claims[:each]:
            verbatim = claim[1:].rstrip(".") in passage
            yield Pair(passage, claim, ENTAIL if verbatim else UNLABELLED, "augment_passage")
            if not verbatim:
                continue
            number = _exchange_number(claim, rng)
            if number is not None and number[:-1] not in passage:
                yield Pair(passage, number, CONTRADICT, "augment_passage_number")
            name = _exchange_name(claim, passage, rng)
            if name is not None and name[:-1] not in passage:
                yield Pair(passage, name, UNSUPPORTED, "augment_passage_name")
        for claim in last[:1]:
            yield Pair(passage, claim, UNLABELLED, "augment_passage_other")
        last = claims[:each]


def lengthen(pairs: Sequence[Pair], seed: int, most: int = 1500) -> Iterator[Pair]:
    """Short pairs with other premises of the same source set before and after: the deciding sentence is hidden.

    Labels hold unless a neighbour happens to speak of the same thing, so neighbours that share two or more rarer
    words with the claim are left out.
    """
    rng = random.Random(seed)
    for pair in pairs:
        words = {w.lower() for w in _WORD.findall(pair.hypothesis) if len(w) > 4}
        around: list[str] = []
        size = len(pair.premise)
        goal = rng.randint(200, most)
        for _ in range(14):
            other = rng.choice(pairs).premise
            if size + len(other) > goal:
                continue
            if len(words & {w.lower() for w in _WORD.findall(other)}) > 0 or other[-1:] not in ".!?":
                continue
            around.append(other)
            size += len(other) + 1
        if not around:
            continue
        at = rng.randint(0, len(around))
        premise = pair.premise if pair.premise[-1:] in ".!?" else pair.premise + "."
        joint = rng.choice((" ", " ", "\n"))
        yield Pair(joint.join([*around[:at], premise, *around[at:]]), pair.hypothesis, pair.label, "augment_long")
