"""Pairs written one by one: what no grammar makes, because every group has a reason of its own. A large language
model wrote them by a brief; `README.md` says how they were checked.

A file of `by_hand/` has groups: a line `P:` with the evidence and a line for every claim, `S:` where the evidence bears
it out, `R:` where it denies it, `N:` where it leaves it open. ` / ` stands between turns or memories of one piece of
evidence. Every twelfth group is held back: for calibration, and to see what was learned.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from training.pairs import BY_HAND, CONTRADICT, ENTAIL, NEUTRAL, UNLABELLED, Pair

FOLDER = Path(__file__).parent / "by_hand"
HELD_EVERY = 12
_LABELS = {"S": ENTAIL, "R": CONTRADICT, "N": NEUTRAL}
_LINE = re.compile(r"([PSRN]): +(\S.*)")
_SPEAKER = re.compile(r"^(?:User|Assistant): ")
_SIBLINGS, _TURNED, _TURNED_LONGEST = 14, 3, 220


class Group(NamedTuple):
    """One piece of evidence and what is claimed beside it."""

    source: str
    premise: str
    claims: tuple[tuple[str, str], ...]

    def pairs(self) -> list[Pair]:
        return [Pair(self.premise, claim, label, self.source) for label, claim in self.claims]


def read_groups(path: Path) -> Iterator[Group]:
    """The groups of a file; a line that is none of the four kinds is an error, not a guess."""
    source = BY_HAND + path.stem
    premise, claims = "", list[tuple[str, str]]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        found = _LINE.fullmatch(line.strip())
        if found is None or (found[1] != "P" and not premise):
            raise ValueError(f"{path}:{number}: expected P:, S:, R: or N: and a text, found {line[:60]!r}")
        if found[1] != "P":
            claims.append((_LABELS[found[1]], found[2]))
            continue
        if claims:
            yield Group(source, premise, tuple(claims))
        premise, claims = found[2], []
    if claims:
        yield Group(source, premise, tuple(claims))


def read_by_hand(seed: int, folder: Path = FOLDER, most: int | None = None) -> tuple[list[Group], list[Group]]:
    """(training, held back): every evidence once, as the verifier will meet it; at most so many groups of a file."""
    rng = random.Random(seed)
    seen: set[str] = set()
    train: list[Group] = []
    held: list[Group] = []
    for path in sorted(folder.glob("*.txt")):
        for number, group in enumerate(list(read_groups(path))[:most], 1):
            premise = _plain(group.premise, rng)
            if premise not in seen:
                seen.add(premise)
                (train if number % HELD_EVERY else held).append(group._replace(premise=premise))
    return train, held


def _plain(premise: str, rng: random.Random) -> str:
    """Turns follow each other; a turn alone is told with and without its speaker."""
    if " / " in premise:
        return premise.replace(" / ", " ")
    return _SPEAKER.sub("", premise) if rng.random() < 0.5 else premise


def pairs_of(groups: Iterable[Group]) -> list[Pair]:
    return [pair for group in groups for pair in group.pairs()]


def set_against(groups: Sequence[Group], seed: int) -> Iterator[Pair]:
    """Claims of a group against each other and against their evidence, for teachers to have an opinion on."""
    rng = random.Random(seed)
    for group in groups:
        claims = [claim for _, claim in group.claims]
        both = [(one, other) for one in claims for other in claims if one != other]
        for one, other in rng.sample(both, min(_SIBLINGS, len(both))):
            yield Pair(one, other, UNLABELLED, "siblings_by_hand")
        if len(group.premise) < _TURNED_LONGEST:
            for claim in rng.sample(claims, min(_TURNED, len(claims))):
                yield Pair(claim, group.premise, UNLABELLED, "turned_by_hand")
