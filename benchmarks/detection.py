"""The eight detectors: precision and recall for each kind, clean answers left alone, and time.

    python benchmarks/detection.py [--json] [--half dev|heldout|second|third|…|tenth|all] [--misses KIND]
        [--judge mini] [--no-time]

Cases are `data/detect_*.jsonl`: an answer with what was said before, what is known and what the clock says, and the
flags that are expected. A flag is right when an expected one of its type overlaps it. Of the other sets than
`dev`, only totals are printed, never a case. Time is that of the
processor where it does not say wall: an answer of 20 sentences, 200 entities, 10 turns, and the next answer of the
conversation.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types import Span
from groundwire.types.detection import Correct, DetectionReport, HallucinationType, Handling, Remove
from read_gate import forget_texts

DATA = Path(__file__).resolve().parent / "data"
HALVES = ("dev", "heldout", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
CLEAN = "clean"
TYPES = tuple(type_.value for type_ in HallucinationType)
NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)


# ── right and wrong ─────────────────────────────────────────────────────────────────────────────


@dataclass
class Tally:
    """`found` are flags, `right` those that were expected, `wanted` what was expected, `met` what was found of it."""

    found: Counter[str] = field(default_factory=Counter[str])
    right: Counter[str] = field(default_factory=Counter[str])
    wanted: Counter[str] = field(default_factory=Counter[str])
    met: Counter[str] = field(default_factory=Counter[str])
    clean: int = 0
    clean_flagged: int = 0
    clean_reworded: int = 0
    failures: Counter[str] = field(default_factory=Counter[str])
    misses: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def describe(self) -> dict[str, Any]:
        kinds = {
            name: {
                "precision": _share(self.right[name], self.found[name]),
                "recall": _share(self.met[name], self.wanted[name]),
                "flags": self.found[name],
                "expected": self.wanted[name],
            }
            for name in TYPES
        }
        return {
            "kinds": kinds,
            "clean": self.clean,
            "clean_flagged": self.clean_flagged,
            "clean_flagged_share": _share(self.clean_flagged, self.clean) or 0.0,
            "clean_reworded": self.clean_reworded,
            "failures": dict(self.failures),
        }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def read_cases(half: str) -> list[dict[str, Any]]:
    files = sorted(DATA.glob(f"detect_{half}*.jsonl"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return [json.loads(line) for line in lines if line.strip()]


def examine(wire: Groundwire, case: Mapping[str, Any]) -> DetectionReport:
    now = datetime.fromisoformat(case["now"]).replace(tzinfo=UTC) if case.get("now") else NOW
    return wire.detect(case["response"], dialogue=case.get("dialogue"), knowledge=case.get("knowledge"), now=now)


def locate(response: str, content: str) -> Span:
    start = response.find(content)
    if start < 0:
        raise ValueError(f"the expected words {content!r} are not in the answer")
    return Span(start, start + len(content))


def overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def score(cases: Sequence[Mapping[str, Any]], wire: Groundwire) -> Tally:
    """`also_fine` are kinds that a case allows without asking for them: they count neither for nor against."""
    tally = Tally()
    for case in cases:
        _score_case(case, examine(wire, case), tally)
    return tally


def _score_case(case: Mapping[str, Any], report: DetectionReport, tally: Tally) -> None:
    expected = [(entry["type"], locate(case["response"], entry["content"])) for entry in case["expected"]]
    flags = [(flag.hallucination_type.value, flag.span) for flag in report.flags]
    allowed = set(case.get("also_fine", ()))
    met = [any(type_ == kind and overlap(span, place) for type_, span in flags) for kind, place in expected]
    right = [any(type_ == kind and overlap(span, place) for kind, place in expected) for type_, span in flags]
    for (kind, _), is_met in zip(expected, met, strict=True):
        tally.wanted[kind] += 1
        tally.met[kind] += is_met
    counted = [(type_, is_right) for (type_, _), is_right in zip(flags, right, strict=True)]
    counted = [(type_, is_right) for type_, is_right in counted if is_right or type_ not in allowed]
    for type_, is_right in counted:
        tally.found[type_] += 1
        tally.right[type_] += is_right
    tally.failures.update(report.errors.keys())
    if case["kind"] == CLEAN:
        tally.clean += 1
        tally.clean_flagged += bool(counted)
        tally.clean_reworded += is_reworded(report)
    if not all(met) or not all(is_right for _, is_right in counted):
        missed = [entry for entry, is_met in zip(expected, met, strict=True) if not is_met]
        tally.misses.append(describe_miss(case, report, missed))


def is_reworded(report: DetectionReport) -> bool:
    """Whether an answer was made to say something else; a note does not."""
    rewords = any(isinstance(action, Correct | Remove) for action in report.actions)
    return rewords and report.handling is Handling.CORRECT


def describe_miss(
    case: Mapping[str, Any], report: DetectionReport, missed: Sequence[tuple[str, Span]]
) -> dict[str, Any]:
    response = case["response"]
    return {
        "id": case["id"],
        "kind": case["kind"],
        "response": response,
        "missed": [f"{kind}: {response[span.start : span.end]}" for kind, span in missed],
        "flags": [f"{flag.hallucination_type.value} {flag.confidence:.2f}: {flag.content}" for flag in report.flags],
    }


# ── time ────────────────────────────────────────────────────────────────────────────────────────

_FIRST = ("Ada", "Bruno", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jana")
_LAST = ("Abel", "Brandt", "Costa", "Duarte", "Engel", "Falk", "Grimm", "Hoxha", "Ilves", "Jansen")
_TOWNS = ("Porto", "Oslo", "Lima", "Turin", "Graz", "Bergen", "Lyon", "Malmo", "Ghent", "Split")
_WORK = ("Logistics", "Finance", "Legal", "Research", "Support")


def make_knowledge(entities: int) -> dict[str, Any]:
    people = [
        {
            "name": f"{_FIRST[i % 10]} {_LAST[i // 10 % 10]}{'' if i < 100 else f' {i // 100}'}",
            "type": "person",
            "attributes": {"department": _WORK[i % 5], "city": _TOWNS[i % 10], "extension": 1000 + i},
        }
        for i in range(entities)
    ]
    return {"entities": people}


def make_dialogue(turns: int) -> list[dict[str, Any]]:
    return [
        {
            "turn_id": i,
            "speaker": "assistant" if i % 2 else "user",
            "text": f"{_FIRST[i % 10]} {_LAST[i % 10]} moved to {_TOWNS[i % 10]} in 20{10 + i % 10}.",
        }
        for i in range(turns)
    ]


def make_answer(sentences: int, turn: int) -> str:
    """No two rounds read the same sentence, so that nothing is remembered from the round before."""
    forms = (
        "{first} {last} works in {work} and lives in {town}.",
        "The extension of {first} {last} is {number}.",
        "{first} {last} joined the company in {year}.",
        "Room {number} was renovated before the move in {year}.",
        "The team of {first} {last} has {count} members.",
    )
    return " ".join(
        forms[i % len(forms)].format(
            first=_FIRST[(i + turn) % 10],
            last=_LAST[(i * 7 + turn) % 10],
            work=_WORK[i % 5],
            town=_TOWNS[(i + turn) % 10],
            number=1000 + 37 * i + turn,
            year=2001 + (i + turn) % 20,
            count=3 + i + turn,
        )
        for i in range(sentences)
    )


@dataclass(frozen=True)
class Spent:
    """Milliseconds for one answer, medians over the rounds: of the processor, and by the clock on the wall."""

    processor: float
    wall: float


def measure(
    judge: str, *, sentences: int = 20, entities: int = 200, turns: int = 10, rounds: int = 7, is_next: bool = False
) -> Spent:
    """Knowledge is read beforehand, and nothing else; for the next answer of a conversation, another answer was."""
    from groundwire.evidence.dialogue import read_dialogue
    from groundwire.evidence.knowledge_import import read_knowledge

    wire = Groundwire(settings=Settings(judge=judge))
    known, spent = read_knowledge(make_knowledge(entities)), list[tuple[float, float]]()
    for turn in range(rounds + 1):
        forget_texts()
        said, answer = read_dialogue(make_dialogue(turns)), make_answer(sentences, turn)
        if is_next:
            wire.detect(make_answer(sentences, turn + 3), dialogue=said, knowledge=known, now=NOW)
        begun = time.process_time(), time.perf_counter()
        wire.detect(answer, dialogue=said, knowledge=known, now=NOW)
        spent.append(((time.process_time() - begun[0]) * 1000.0, (time.perf_counter() - begun[1]) * 1000.0))
    return Spent(*(round(median(times), 2) for times in zip(*spent[1:], strict=True)))


def measure_parts(judge: str, rounds: int = 5) -> dict[str, float]:
    """Where the time goes: reading the answer, then each detector in turn, which finds read what another has read."""
    from groundwire.detect.detector import HallucinationDetector

    spent: dict[str, list[float]] = {}
    run = HallucinationDetector.run_detector

    def watch(self: HallucinationDetector, name: str, examined: Any) -> Any:
        begun = time.process_time()
        try:
            return run(self, name, examined)
        finally:
            spent.setdefault(name, []).append((time.process_time() - begun) * 1000.0)

    HallucinationDetector.run_detector = watch  # type: ignore[method-assign]
    try:
        whole = measure(judge, rounds=rounds).processor
    finally:
        HallucinationDetector.run_detector = run  # type: ignore[method-assign]
    parts = {name: round(median(times[1:]), 2) for name, times in spent.items()}
    return {"reading, scoring and mitigation": round(whole - sum(parts.values()), 2), **parts}


def measure_all(rounds: int = 7) -> dict[str, Any]:
    growth = {n: measure("rules", sentences=n, rounds=rounds).processor for n in (5, 10, 20, 40)}
    whole = measure("mini", rounds=rounds)
    return {
        "sentences": 20,
        "entities": 200,
        "turns": 10,
        "rules_ms": growth[20],
        "whole_ms": whole.processor,
        "whole_wall_ms": whole.wall,
        "next_rules_ms": measure("rules", rounds=rounds, is_next=True).processor,
        "next_whole_ms": measure("mini", rounds=rounds, is_next=True).processor,
        "rules_ms_by_sentences": growth,
        "twice_the_sentences": round(growth[40] / growth[20], 2),
        "rules_parts_ms": measure_parts("rules"),
    }


# ── the page ────────────────────────────────────────────────────────────────────────────────────


def render(half: str, result: Mapping[str, Any]) -> str:
    lines = [f"{half}: {'kind':<24} precision  recall   flags  expected"]
    for name, row in result["kinds"].items():
        shares = [f"{row[key]:.3f}" if row[key] is not None else "    –" for key in ("precision", "recall")]
        lines.append(f"  {name:<28}  {shares[0]:>6}   {shares[1]:>5}  {row['flags']:>6}  {row['expected']:>8}")
    share = result["clean_flagged_share"]
    lines.append(f"  clean answers flagged: {result['clean_flagged']} of {result['clean']} ({share:.1%})")
    lines.append(f"  clean answers reworded: {result['clean_reworded']}")
    lines += [f"  detector failed: {name} ({count} times)" for name, count in result["failures"].items()]
    return "\n".join(lines)


def main(write: Callable[[str], None] = print) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--half", choices=(*HALVES, "all"), default="all")
    parser.add_argument("--misses", metavar="KIND", help="show what went wrong in this kind (or all) of dev")
    parser.add_argument("--judge", default="mini")
    parser.add_argument("--no-time", action="store_true")
    options = parser.parse_args()
    wire = Groundwire(settings=Settings(judge=options.judge))
    results: dict[str, Any] = {}
    for half in HALVES if options.half == "all" else (options.half,):
        print(f"scoring {half} …", file=sys.stderr)
        tally = score(read_cases(half), wire)
        results[half] = tally.describe()
        if options.misses and half == "dev":
            wanted = [m for m in tally.misses if options.misses in ("all", m["kind"])]
            results["misses"] = wanted
    if not options.no_time:
        results["time"] = measure_all()
    if options.json:
        write(json.dumps(results, ensure_ascii=False))
        return
    for half in HALVES:
        if half in results:
            write(render(half, results[half]))
    for miss in results.get("misses", ()):
        write(json.dumps(miss, ensure_ascii=False, indent=1))
    if "time" in results:
        spent = results["time"]
        write(
            f"{spent['sentences']} sentences, {spent['entities']} entities, {spent['turns']} turns: "
            f"rules {spent['rules_ms']} ms, whole {spent['whole_ms']} ms ({spent['whole_wall_ms']} by the wall); "
            f"the next answer: rules {spent['next_rules_ms']} ms, whole {spent['next_whole_ms']} ms; "
            f"twice the sentences cost {spent['twice_the_sentences']} times as much"
        )
        write("  rules by sentences: " + ", ".join(f"{n}: {ms} ms" for n, ms in spent["rules_ms_by_sentences"].items()))
        for name, part in spent["rules_parts_ms"].items():
            write(f"  {name:<32} {part:>8.2f} ms")


if __name__ == "__main__":
    main()
