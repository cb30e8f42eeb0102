"""How well contradictions with earlier turns are found, on sets of labelled pairs of dialogue and utterance.

    python benchmarks/dialogue.py PATH… [--json] [--sample N] [--rules]

A file holds one JSON object a line (gzipped or not): `premise`, the dialogue so far, one turn a line with its speaker
("driver: …") or a single utterance; `hypothesis`, what is said next; `label`, contradict or anything else; and, where
there is one, `meta.kb`, rows that are known, told as a first turn. An utterance without a speaker and what is said next
are by one person.

"judge"      the judge alone on the plain text: refuted or not
"detector"   contradicts-prior as the detectors report it, at the detection threshold
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from groundwire.app import Groundwire
from groundwire.detect.examination import Examination
from groundwire.detect.prior import PriorDetector
from groundwire.evidence.dialogue import Dialogue
from groundwire.evidence.lookups import Entity
from groundwire.judge.judge import Judge, RulesJudge
from groundwire.models.embedding import StaticEmbedder
from groundwire.text.reading import read_text
from groundwire.types import Passage, Verdict, VerifierInput, VerifierOutput
from groundwire.types.detection import DialogueTurn
from groundwire.types.memories import Memory

THRESHOLD = 0.5
NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Case:
    turns: tuple[DialogueTurn, ...]
    answer: str
    contradicts: bool


@dataclass(frozen=True, slots=True)
class Scores:
    """Of the class "contradiction"."""

    cases: int
    accuracy: float
    precision: float
    recall: float
    f1: float


class NothingKnown:
    """A knowledge base without anything in it."""

    is_empty = True
    statements: Sequence[Memory] = ()
    complete_types: frozenset[str] = frozenset()

    def entity_exists(self, name: str) -> bool:
        return False

    def get_entity(self, name: str) -> Entity | None:
        return None

    def find_entity(self, name: str) -> Entity | None:
        return None

    def find_similar(self, name: str, least: float = 0.8) -> tuple[tuple[Entity, float], ...]:
        return ()


class PackagedJudge:
    """The judge that a Groundwire opens by itself."""

    name = "packaged"

    def __init__(self) -> None:
        self._groundwire = Groundwire()

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        return self._groundwire.judge_all(questions)


def read_cases(path: Path) -> Iterator[Case]:
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    for line in text.decode("utf-8").splitlines():
        yield make_case(json.loads(line))


def make_case(row: dict[str, Any]) -> Case:
    said = [part.partition(": ") for part in str(row["premise"]).split("\n")]
    turns = [(speaker, tidy(text)) if colon else ("assistant", tidy(speaker)) for speaker, colon, text in said]
    known = tell_rows((row.get("meta") or {}).get("kb"))
    if known:
        turns.insert(0, ("assistant", known))
    numbered = tuple(DialogueTurn(i, speaker, text) for i, (speaker, text) in enumerate(turns, 1))
    return Case(numbered, tidy(str(row["hypothesis"])), row["label"] == "contradict")


def tidy(text: str) -> str:
    """Words as people write them: "we re 6_miles away" is no sentence that anybody reads."""
    words = text.replace("_", " ").strip()
    for plain, written in ((" i ", " I "), (" i'm ", " I'm "), ("i m ", "I'm "), (" s ", "'s "), (" re ", "'re ")):
        words = f" {words}".replace(plain, written).strip()
    words = words[:1].upper() + words[1:]
    return words if words.endswith((".", "?", "!")) else words + "."


def tell_rows(kb: object) -> str:
    """Rows of a table as sentences about what each row is named by."""
    rows: list[dict[str, Any]] = json.loads(kb) if isinstance(kb, str) and kb.startswith("[") else []
    found: list[str] = []
    for row in rows:
        name = next((row[key] for key in ("poi", "event", "location") if row.get(key)), None)
        if name is None:
            continue
        for key, value in row.items():
            if value not in (name, "-", ""):
                found.append(
                    f"The {key.replace('_', ' ')} of {str(name).replace('_', ' ')} is {str(value).replace('_', ' ')}."
                )
    return " ".join(found)


def score(expected: Sequence[bool], found: Sequence[bool]) -> Scores:
    hits = sum(e and f for e, f in zip(expected, found, strict=True))
    right = sum(e == f for e, f in zip(expected, found, strict=True))
    precision, recall = hits / max(1, sum(found)), hits / max(1, sum(expected))
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    count = len(expected)
    return Scores(count, *(round(value, 4) for value in (right / max(1, count), precision, recall, f1)))


def ask_judge(cases: Sequence[Case], judge: Judge) -> list[bool]:
    questions = [
        VerifierInput(case.answer, (Passage("dialogue", "\n".join(turn.text for turn in case.turns)),))
        for case in cases
    ]
    return [output.verdict is Verdict.REFUTED for output in judge.judge_all(questions)]


def run_detector(cases: Iterable[Case], judge: Judge, similarity: Callable[[str, str], float]) -> list[bool]:
    detector = PriorDetector()
    return [
        any(flag.confidence >= THRESHOLD for flag in detector.detect(examine(case, judge, similarity)))
        for case in cases
    ]


def examine(case: Case, judge: Judge, similarity: Callable[[str, str], float]) -> Examination:
    claims = tuple(read.claim for read in read_text(case.answer).claims)
    return Examination(case.answer, (), claims, Dialogue(case.turns), NothingKnown(), judge, similarity, NOW)


def compare_by_meaning() -> Callable[[str, str], float]:
    embedder = StaticEmbedder()

    def similarity(left: str, right: str) -> float:
        one, other = embedder.embed([left, right])
        return float(one @ other)

    return similarity


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("paths", nargs="+", type=Path)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="only the first N cases of each file")
    parser.add_argument("--rules", action="store_true", help="without the model")
    options = parser.parse_args(arguments)
    judge: Judge = RulesJudge(lambda: 0.0) if options.rules else PackagedJudge()
    similarity = compare_by_meaning()
    results: dict[str, dict[str, Any]] = {}
    for path in options.paths:
        cases = list(read_cases(path))[: options.sample or None]
        expected = [case.contradicts for case in cases]
        results[path.name] = {
            "judge": asdict(score(expected, ask_judge(cases, judge))),
            "detector": asdict(score(expected, run_detector(cases, judge, similarity))),
        }
    if options.json:
        print(json.dumps(results, indent=2))
        return 0
    for name, systems in results.items():
        print(name)
        for system, found in systems.items():
            figures = "  ".join(f"{key} {value:.3f}" for key, value in found.items() if key != "cases")
            print(f"  {system:<10} {found['cases']} cases  {figures}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
