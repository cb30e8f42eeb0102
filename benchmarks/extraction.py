"""Extraction on conversations with known answers: what was found, what was made up, what was decided right.

python benchmarks/extraction.py [--split work|held|all] [--judge rules|mini] [--show]
"""

from __future__ import annotations

import argparse
import time
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire.app import Groundwire
from groundwire.memory.candidates import Extraction, Turn
from groundwire.memory.phrasing import content_words, forms_of
from groundwire.settings import Settings

CASES = Path(__file__).with_name("extraction_cases.toml")


@dataclass
class Score:
    """Counts of one split."""

    found: int = 0
    expected: int = 0
    stored: int = 0
    right: int = 0
    decided: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    problems: list[str] = field(default_factory=list[str])

    @property
    def recall(self) -> float:
        return self.found / self.expected if self.expected else 1.0

    @property
    def precision(self) -> float:
        return (self.stored - self.outcomes["extra"]) / self.stored if self.stored else 1.0

    @property
    def accuracy(self) -> float:
        return self.right / self.decided if self.decided else 1.0


def read_cases() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    document = tomllib.loads(CASES.read_text(encoding="utf-8"))
    return document["extract"], document["check"]


def choose(cases: list[dict[str, Any]], split: str) -> list[dict[str, Any]]:
    return cases if split == "all" else cases[split == "held" :: 2]


def source_of(case: dict[str, Any]) -> str | list[Turn]:
    if "turns" in case:
        return [Turn(speaker, text) for speaker, text in case["turns"]]
    return case["source"]


def holds(text: str, wanted: str) -> bool:
    """Every wanted word is in the text, in one of its forms."""
    low = text.casefold().replace("’", "'")
    said = {form for word in content_words(text) for form in word.forms} | set(low.replace("-", " ").split())
    said |= {form for word in low.replace("-", " ").split() for form in forms_of(word.strip(".,!?'\""))}
    return all(forms_of(w) & said or w in low for w in wanted.split())


def score_extract(case: dict[str, Any], extraction: Extraction, score: Score) -> None:
    wanted = [(part.partition(" | ")[0], part.partition(" | ")[2] or "USER_FACT") for part in case["expect"]]
    matched: set[int] = set()
    for words, kind in wanted:
        hit = [i for i, p in enumerate(extraction.stored) if p.kind.value == kind and holds(p.candidate.text, words)]
        score.found += bool(hit)
        matched.update(hit)
        if not hit:
            score.problems.append(f"missed {words!r} ({kind}) in {case.get('source') or case.get('turns')!r}")
    score.expected += len(wanted)
    score.stored += len(extraction.stored)
    for index, proposal in enumerate(extraction.stored):
        if index not in matched:
            score.outcomes["extra"] += 1
            score.problems.append(f"extra {proposal.candidate.text!r} in {case.get('source') or case.get('turns')!r}")


def score_check(case: dict[str, Any], extraction: Extraction, score: Score) -> None:
    outcome = {p.candidate.text: "stored" for p in extraction.stored}
    outcome |= {p.candidate.text: "proposed" for p in extraction.proposed}
    for text, kind, wanted in case["candidates"]:
        got = outcome.get(text, "rejected")
        score.decided += 1
        score.right += got == wanted
        score.outcomes[f"{wanted} as {got}"] += 1
        if got != wanted:
            why = next((r.details.get("reason") for r in extraction.rejected if r.text == text), "")
            score.problems.append(f"{got}, not {wanted}: {text!r} ({kind}) from {case['source']!r} {why}")


def run(split: str, judge: str) -> Score:
    library = Groundwire(settings=Settings(judge=judge))
    extract, check = read_cases()
    score = Score()
    for case in choose(extract, split):
        score_extract(case, library.extract(source_of(case)), score)
    for case in choose(check, split):
        items = [
            {"text": text, "type": kind, "confidence": 0.95, "reasoning": "said so"}
            for text, kind, _ in case["candidates"]
        ]
        score_check(case, library.extract(source_of(case), candidates=items, known_facts=case.get("known", ())), score)
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=["work", "held", "all"], default="held")
    parser.add_argument("--judge", choices=["rules", "mini"], default="rules")
    parser.add_argument("--show", action="store_true")
    options = parser.parse_args()
    started = time.perf_counter()
    score = run(options.split, options.judge)
    seconds = time.perf_counter() - started
    print(f"extraction, {options.split} half, judge {options.judge}")
    print(f"  found      {score.found}/{score.expected} of what is to be remembered ({score.recall:.1%})")
    print(f"  precision  {score.precision:.1%} of {score.stored} stored, {score.outcomes['extra']} that should not be")
    print(f"  decisions  {score.right}/{score.decided} candidates decided right ({score.accuracy:.1%})")
    wrong = {k: v for k, v in score.outcomes.items() if " as " in k and k.split(" as ")[0] != k.split(" as ")[1]}
    print(f"  mistakes   {wrong or 'none'}; {seconds:.1f} s")
    if options.show:
        print("\n".join(f"  - {problem}" for problem in score.problems))


if __name__ == "__main__":
    main()
