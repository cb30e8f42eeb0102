"""Unlabelled pairs for distillation: claims beside other evidence on the same things, and pairs turned round."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from training.pairs import UNLABELLED, Pair

_WORD = re.compile(r"[a-z]{4,}")


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def cross(pairs: Sequence[Pair], seed: int, count: int) -> Iterator[Pair]:
    """A claim beside a premise that shares its rarest words: near misses, most of them neutral, some not."""
    rng = random.Random(seed)
    sample = rng.sample(list(pairs), min(len(pairs), count * 2))
    frequency = Counter(w for p in sample for w in _words(p.premise))
    holders: dict[str, list[int]] = defaultdict(list)
    for i, pair in enumerate(sample):
        for word in sorted(_words(pair.premise), key=lambda w: (frequency[w], w))[:4]:
            holders[word].append(i)
    made = 0
    for pair in sample:
        rare = sorted((w for w in _words(pair.hypothesis) if w in holders), key=lambda w: (frequency[w], w))[:3]
        others = [i for w in rare for i in holders[w] if sample[i].premise != pair.premise]
        if not others:
            continue
        other = sample[rng.choice(others)]
        yield Pair(other.premise, pair.hypothesis, UNLABELLED, "crossed")
        made += 1
        if made >= count:
            return


def turn(pairs: Sequence[Pair], seed: int, count: int) -> Iterator[Pair]:
    """The claim as evidence for its evidence."""
    rng = random.Random(seed)
    short = [p for p in pairs if len(p.premise) < 220]
    for pair in rng.sample(short, min(count, len(short))):
        yield Pair(pair.hypothesis, pair.premise, UNLABELLED, "turned")


def siblings(pairs: Sequence[Pair], seed: int, count: int) -> Iterator[Pair]:
    """Two claims that were written for the same evidence, the one as evidence for the other."""
    rng = random.Random(seed)
    groups: dict[str, list[str]] = defaultdict(list)
    for pair in pairs:
        groups[pair.premise].append(pair.hypothesis)
    many = [g for g in groups.values() if len(g) > 1]
    for _ in range(count if many else 0):
        first, second = rng.sample(rng.choice(many), 2)
        yield Pair(first, second, UNLABELLED, "siblings")
