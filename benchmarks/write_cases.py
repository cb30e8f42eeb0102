"""The whole write path on cases by an author who had not seen the code, through the public face alone.

    python benchmarks/write_cases.py [--json] [--half dev|heldout|all] [--misses]

Three lists in `data/`, each in two halves: `write_gate_*` are candidates with their tier (`accept` where several
count), the citations that must be detected and the memory that must be named; `write_extract_*` are conversations with
what has to be stored and words that must never be; `write_ground_*` are a source and a candidate that it carries or
does not.
The development half was read while the rules were made, the other was only ever scored.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire.app import Groundwire
from groundwire.errors import GroundwireError
from groundwire.memory.candidates import Turn
from groundwire.memory.checks import Candidate
from groundwire.types import Memory

DATA = Path(__file__).resolve().parent / "data"
HALVES = ("dev", "heldout")
PARTS = ("gate", "extract", "ground")


@dataclass
class Score:
    """Counts of one list, and what went wrong in it."""

    counts: Counter[str] = field(default_factory=Counter[str])
    misses: list[str] = field(default_factory=list[str])

    def share(self, right: str, total: str) -> float:
        return self.counts[right] / self.counts[total] if self.counts[total] else 1.0


def read_cases(part: str, half: str) -> list[dict[str, Any]]:
    lines = (DATA / f"write_{part}_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


# ── the gate ────────────────────────────────────────────────────────────────────────────────────


def score_gate(cases: Sequence[Mapping[str, Any]], library: Groundwire) -> Score:
    """`wrongly_approved` is what should have waited or been refused and was let in."""
    score = Score()
    for case in cases:
        tier, citations, named = decide(case, library)
        allowed = case.get("accept", [case["expected"]])
        score.counts["cases"] += 1
        score.counts["right"] += tier in allowed
        score.counts["wrongly_approved"] += tier == "auto_approve" and tier not in allowed
        score.counts["wrongly_held"] += tier != "auto_approve" and "auto_approve" in allowed and tier not in allowed
        if tier not in allowed:
            score.misses.append(f"{case['id']} {case['expected']} → {tier}: {case['content']}")
        if "citations" in case:
            score.counts["citations"] += 1
            score.counts["citations_right"] += citations == set(case["citations"])
        if "conflict_or_duplicate_of" in case:
            score.counts["named"] += 1
            score.counts["named_right"] += named == case["conflict_or_duplicate_of"]
    return score


def decide(case: Mapping[str, Any], library: Groundwire) -> tuple[str, set[str], str | None]:
    existing = [Memory(entry["id"], entry["content"]) for entry in case.get("existing", ())]
    candidate = Candidate(case["content"], case["memory_type"], case["source"], case["user_id"])
    try:
        receipt = library.gate(candidate, existing=existing)
    except GroundwireError:
        return "error", set(), None
    cited = {check.citation.type.value for check in receipt.citations}
    return receipt.tier.label, cited, receipt.conflicting_memory_id


# ── extraction ──────────────────────────────────────────────────────────────────────────────────


def score_extract(cases: Sequence[Mapping[str, Any]], library: Groundwire) -> Score:
    """`forbidden` counts stored candidates with a word that must never be stored."""
    score = Score()
    for case in cases:
        source = case["source"]
        turns = source if isinstance(source, str) else [Turn(one["speaker"], one["text"]) for one in source]
        stored = [(p.candidate.text, p.kind.value) for p in library.extract(turns).stored]
        score.counts["conversations"] += 1
        score.counts["stored"] += len(stored)
        for wanted in case["expect"]:
            kinds = wanted.get("kind_ok", [wanted["kind"]])
            found = any(holds(text, wanted["words"]) and kind in kinds for text, kind in stored)
            score.counts["expected"] += 1
            score.counts["found"] += found
            if not found:
                score.misses.append(f"{case['id']} missed {wanted['words']!r}: stored {stored}")
        for word in case["never"]:
            said = [text for text, _ in stored if word.casefold() in text.casefold()]
            score.counts["forbidden"] += len(said)
            score.misses.extend(f"{case['id']} stored {text!r} with {word!r}" for text in said)
    return score


def holds(text: str, words: str) -> bool:
    low = text.casefold()
    return all(word.casefold() in low for word in words.split())


# ── grounding ───────────────────────────────────────────────────────────────────────────────────

_KINDS = {"pattern": "USER_PATTERN", "narrative": "SHARED_NARRATIVE"}


def score_ground(cases: Sequence[Mapping[str, Any]], library: Groundwire) -> Score:
    """`wrongly_kept` counts what the source does not carry and was stored or proposed all the same."""
    score = Score()
    for case in cases:
        kind = _KINDS.get(case["class"], "USER_FACT")
        item = {"text": case["candidate"], "type": kind, "confidence": 0.95, "reasoning": "said so"}
        extraction = library.extract(case["source"], candidates=[item])
        kept = bool(extraction.stored or extraction.proposed)
        grounded = kept or any(rejection.details.get("grounded") for rejection in extraction.rejected)
        score.counts["cases"] += 1
        score.counts["right"] += grounded == case["grounded"]
        score.counts["wrongly_kept"] += kept and not case["grounded"]
        if grounded != case["grounded"]:
            score.misses.append(f"{case['id']} grounded={grounded}: {case['candidate']!r} from {case['source']!r}")
    return score


# ── both halves ─────────────────────────────────────────────────────────────────────────────────

_SCORERS = {"gate": score_gate, "extract": score_extract, "ground": score_ground}


def run(half: str, library: Groundwire | None = None) -> dict[str, Score]:
    """Every list of one half; the library is the one that anybody gets."""
    library = library or Groundwire()
    return {part: _SCORERS[part](read_cases(part, half), library) for part in PARTS}


def describe(half: str, scores: Mapping[str, Score]) -> Iterator[str]:
    gate, extract, ground = (scores[part].counts for part in PARTS)
    yield (
        f"{half}: gate {gate['right']}/{gate['cases']} in an accepted tier, "
        f"{gate['wrongly_approved']} wrongly approved, {gate['wrongly_held']} wrongly held; "
        f"citations {gate['citations_right']}/{gate['citations']}, "
        f"memory named {gate['named_right']}/{gate['named']}"
    )
    yield (
        f"  extraction {extract['found']}/{extract['expected']} found in {extract['conversations']} conversations, "
        f"{extract['stored']} stored, {extract['forbidden']} that must never be"
    )
    yield f"  grounding {ground['right']}/{ground['cases']} right, {ground['wrongly_kept']} wrongly kept"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--half", choices=(*HALVES, "all"), default="all")
    parser.add_argument("--misses", action="store_true", help="print what went wrong")
    options = parser.parse_args()
    library = Groundwire()
    found = {half: run(half, library) for half in (HALVES if options.half == "all" else (options.half,))}
    if options.json:
        print(json.dumps({half: {part: s.counts for part, s in scores.items()} for half, scores in found.items()}))
        return
    for half, scores in found.items():
        print("\n".join(describe(half, scores)))
        for miss in (miss for score in scores.values() for miss in score.misses if options.misses):
            print(f"    {miss}")


if __name__ == "__main__":
    main()
