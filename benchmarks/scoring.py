"""When a result counts as right: the rules by which answers, facts and claims are scored.

An answer is right only if every expectation that its case lists holds. Nothing here calls the product: what a
verifier said is handed in as an `Outcome`, so that any verifier is scored by the same rules.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from groundwire.types import ExtractedFact, Memory, Polarity

DATA = Path(__file__).parent / "data"
HALVES = ("dev", "heldout", "fresh")
ANSWER_SETS = (
    *HALVES, "later", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth",
)  # fmt: skip
"""Of the last there are answers alone."""

# Facts of other slots are not scored: the cases say nothing about what a text holds beyond these.
SCORED_SLOTS = frozenset(
    """
    name age birthday location hometown employer title department manager salary education marital_status spouse
    child sibling parent nationality email phone hobby skill language pet allergy diagnosis medication diet vehicle
    tool plan account_status database framework version deadline status owner port
    """.split()  # noqa: SIM905
)
FAVORITES = "favorite"
_ARTICLE = re.compile(r"^(?:a|an|the) ")


class Field(StrEnum):
    """What an answer's case may expect."""

    GROUNDED = "grounded"
    NAMED = "named"
    DISCLOSURE = "disclosure"
    PHRASE = "phrase"
    CONTRADICTIONS = "contradictions"


@dataclass(frozen=True, slots=True)
class Expectation:
    """`refuted` and `unverifiable` must be named as wrong, `right` must not be; None expects nothing."""

    grounded: bool
    refuted: tuple[str, ...] = ()
    unverifiable: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    requires_disclosure: bool = False
    expected_disclosure: str | None = None
    contradictions: int | None = None


@dataclass(frozen=True, slots=True)
class AnswerCase:
    id: str
    kind: str
    text: str
    memories: tuple[Memory, ...]
    expect: Expectation


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a verifier said about an answer; one that keeps no list of unverifiable parts leaves it empty."""

    grounded: bool
    hallucinations: tuple[str, ...] = ()
    unverifiable: tuple[str, ...] = ()
    requires_disclosure: bool = False
    expected_disclosure: str | None = None
    contradictions: int = 0


@dataclass(frozen=True, slots=True)
class ExpectedFact:
    subject: str
    slot: str
    value: str
    polarity: Polarity


@dataclass(frozen=True, slots=True)
class FactCase:
    text: str
    facts: tuple[ExpectedFact, ...]


@dataclass(frozen=True, slots=True)
class ClaimCase:
    text: str
    count: int
    must: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """How many of how many."""

    right: int = 0
    cases: int = 0

    @property
    def share(self) -> float:
        return self.right / self.cases if self.cases else 1.0

    def count(self, is_right: bool) -> Tally:
        return Tally(self.right + is_right, self.cases + 1)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Found against expected: how many were both, only found, only expected."""

    hits: int = 0
    extra: int = 0
    missed: int = 0

    def __add__(self, other: Overlap) -> Overlap:
        return Overlap(self.hits + other.hits, self.extra + other.extra, self.missed + other.missed)

    @property
    def precision(self) -> float:
        return self.hits / (self.hits + self.extra) if self.hits + self.extra else 1.0

    @property
    def recall(self) -> float:
        return self.hits / (self.hits + self.missed) if self.hits + self.missed else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


# ── answers ─────────────────────────────────────────────────────────────────────────────────────


def find_faults(expect: Expectation, outcome: Outcome) -> frozenset[Field]:
    """The fields in which an outcome is not what its case expects; the answer is right when there is none."""
    phrase, number = expect.expected_disclosure, expect.contradictions
    holds = {
        Field.GROUNDED: outcome.grounded == expect.grounded,
        Field.NAMED: _names_rightly(expect, outcome),
        Field.DISCLOSURE: outcome.requires_disclosure == expect.requires_disclosure,
        Field.PHRASE: not phrase or outcome.expected_disclosure == phrase,
        Field.CONTRADICTIONS: number is None or outcome.contradictions == number,
    }
    return frozenset(field for field, held in holds.items() if not held)


def _names_rightly(expect: Expectation, outcome: Outcome) -> bool:
    """A part that no memory mentions may be called either refuted or unverifiable; a right one neither."""
    named = (*outcome.hallucinations, *outcome.unverifiable)
    return (
        all(_is_among(part, outcome.hallucinations) for part in expect.refuted)
        and all(_is_among(part, named) for part in expect.unverifiable)
        and not any(part.lower() in name.lower() for part in expect.right for name in named)
    )


def _is_among(part: str, names: Iterable[str]) -> bool:
    """Longer or shorter quotations of the same place are the same part."""
    low = part.lower()
    return any(low in name.lower() or name.lower() in low for name in names)


def tally_by_kind(results: Iterable[tuple[str, bool]]) -> dict[str, Tally]:
    """`(kind, is it right?)` pairs counted, kinds in alphabetical order."""
    tallies: dict[str, Tally] = {}
    for kind, is_right in results:
        tallies[kind] = tallies.get(kind, Tally()).count(is_right)
    return dict(sorted(tallies.items()))


def sum_up(tallies: Iterable[Tally]) -> Tally:
    counted = list(tallies)
    return Tally(sum(tally.right for tally in counted), sum(tally.cases for tally in counted))


# ── facts and claims ────────────────────────────────────────────────────────────────────────────


def match_facts(expected: Sequence[ExpectedFact], found: Sequence[ExtractedFact], *, subjects: bool = False) -> Overlap:
    """A found fact hits one expected fact of its slot, polarity and value; with `subjects`, of its subject too."""
    scored = [fact for fact in found if fact.slot_type in SCORED_SLOTS or fact.slot_type.startswith(FAVORITES)]
    left, hits = list(expected), 0
    for fact in scored:
        hit = next((gold for gold in left if _is_same_fact(gold, fact, subjects=subjects)), None)
        if hit is not None:
            left.remove(hit)
            hits += 1
    return Overlap(hits, len(scored) - hits, len(left))


def _is_same_fact(gold: ExpectedFact, fact: ExtractedFact, *, subjects: bool) -> bool:
    if gold.slot != fact.slot_type or gold.polarity != fact.polarity:
        return False
    if subjects and _trim(gold.subject) != _trim(fact.subject):
        return False
    wanted, written = _trim(gold.value), _trim(fact.raw)
    return wanted == fact.value or wanted in written or written in wanted


def _trim(value: str) -> str:
    return _ARTICLE.sub("", value.lower().strip(" ."))


def has_claims(case: ClaimCase, claims: Sequence[str]) -> bool:
    """As many claims as expected, and each expected wording in one of them."""
    low = [claim.lower() for claim in claims]
    return len(low) == case.count and all(any(part.lower() in claim for claim in low) for part in case.must)


# ── cases ───────────────────────────────────────────────────────────────────────────────────────


def read_answer_cases(half: str) -> list[AnswerCase]:
    return [parse_answer_case(row) for row in _read_rows(f"answers_{half}.jsonl")]


def read_fact_cases(half: str) -> list[FactCase]:
    return [parse_fact_case(row) for row in _read_rows(f"facts_{half}.jsonl")]


def read_claim_cases(half: str) -> list[ClaimCase]:
    rows = _read_rows(f"claims_{half}.jsonl")
    return [ClaimCase(row["text"], row["count"], tuple(row["must"])) for row in rows]


def _read_rows(name: str) -> list[dict[str, Any]]:
    text = (DATA / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def parse_answer_case(row: Mapping[str, Any]) -> AnswerCase:
    expect: Mapping[str, Any] = row["expect"]
    return AnswerCase(
        id=row["id"],
        kind=row["class"],
        text=row["text"],
        memories=tuple(_parse_memory(memory) for memory in row["memories"]),
        expect=Expectation(
            grounded=expect["grounded"],
            refuted=tuple(expect.get("refuted") or ()),
            unverifiable=tuple(expect.get("unverifiable") or ()),
            right=tuple(expect.get("right") or ()),
            requires_disclosure=bool(expect.get("requires_disclosure")),
            expected_disclosure=expect.get("expected_disclosure"),
            contradictions=expect.get("contradictions"),
        ),
    )


def _parse_memory(row: Mapping[str, Any]) -> Memory:
    trust = row.get("trust")
    return Memory(row["id"], row["text"], 1.0 if trust is None else trust, _parse_time(row.get("timestamp")))


def _parse_time(written: str | float | None) -> int | None:
    """Unix seconds; a time without a zone is in UTC, so that a figure does not depend on where it is measured."""
    if written is None or isinstance(written, (int, float)):
        return None if written is None else int(written)
    moment = datetime.fromisoformat(written)
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


def parse_fact_case(row: Mapping[str, Any]) -> FactCase:
    facts = (ExpectedFact(f["subject"], f["slot"], f["value"], Polarity(f["polarity"])) for f in row["facts"])
    return FactCase(row["text"], tuple(facts))
