"""The read gate beside groundcheck 0.3.0: how often both are right, and how long both take, in one run.

    python benchmarks/read_gate.py [--json] [--half dev|heldout|fresh|later|all] [--sizes 2,10,50]

Accuracy is measured on `data/answers_*.jsonl`, field by field for what both verifiers report and in full for
groundwire; facts and claims are groundwire's alone. Time is measured on answers of the dev half with their own
memories, filled up to each size with memories of other cases; no text occurs twice in a round.

"cold": nothing in the round was read before, every cache of texts and words is empty when the round begins.
"new": the memories were read before, the answers were not: a service that is asked about what it remembers.
"warm": the same answers with the same memories once more. groundcheck keeps no cache, so it has one time.
"""

from __future__ import annotations

import argparse
import functools
import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from groundwire.app import Groundwire
from groundwire.judge.encoder import Recent
from groundwire.settings import Settings
from groundwire.text.claims import extract_claims
from groundwire.text.extraction import FactExtractor
from groundwire.types import Memory
from scoring import (
    ANSWER_SETS,
    HALVES,
    AnswerCase,
    Field,
    Outcome,
    Overlap,
    Tally,
    find_faults,
    has_claims,
    match_facts,
    read_answer_cases,
    read_claim_cases,
    read_fact_cases,
    sum_up,
    tally_by_kind,
)

OURS, THEIRS = "groundwire", "groundcheck"
SHARED_FIELDS = {
    Field.GROUNDED: "grounded or not is right",
    Field.NAMED: "the wrong parts are named",
    Field.DISCLOSURE: "disclosure needed or not is right",
}
SIZES = (2, 10, 50)
ROUNDS = 7
MOST_INPUTS = 60
GOAL = 5.0
LABEL = 42  # columns before the figures
_GREETING = "Good morning!"
"""Claims nothing: whoever verifies it reads the memories alone."""

Verify = Callable[[str, Sequence[Memory]], Outcome]


@dataclass(frozen=True, slots=True)
class Accuracy:
    """On one half: shares of answers right in a field, in all shared fields, and in everything expected."""

    half: str
    verifier: str
    fields: dict[str, Tally]
    shared: Tally
    full: Tally | None
    kinds: dict[str, Tally]


@dataclass(frozen=True, slots=True)
class Reading:
    """On one half: what groundwire reads in a text, with no memory beside it."""

    half: str
    facts: Overlap
    facts_of_subjects: Overlap
    claims: Tally


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds an answer, medians over rounds."""

    memories: int
    answers: int
    cold_ms: float
    new_ms: float
    warm_ms: float
    theirs_ms: float | None

    @property
    def times_faster(self) -> float | None:
        return self._compare(self.cold_ms)

    @property
    def times_faster_new(self) -> float | None:
        return self._compare(self.new_ms)

    @property
    def times_faster_warm(self) -> float | None:
        return self._compare(self.warm_ms)

    def _compare(self, ms: float) -> float | None:
        return None if self.theirs_ms is None else self.theirs_ms / ms


@dataclass(frozen=True, slots=True)
class Input:
    text: str
    memories: tuple[Memory, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    gate = Groundwire(settings=Settings(judge=options.judge))
    verifiers: dict[str, Verify] = {OURS: lambda text, memories: _verify_with_groundwire(gate, text, memories)}
    rival: _Rival | None = None
    try:
        rival = _Rival()
        verifiers[THEIRS] = rival.verify
    except ImportError:
        print('groundcheck is not installed: pip install "groundwire[bench]"', file=sys.stderr)
    halves = ANSWER_SETS if options.half == "all" else (options.half,)
    try:
        accuracies = [_measure(half, name, verify) for half in halves for name, verify in verifiers.items()]
        readings = [_measure_reading(half) for half in halves if half in HALVES]
        timings = [_time_side_by_side(gate, rival, size) for size in options.sizes]
    except (OSError, ValueError, KeyError) as error:
        print(f"cannot read the cases: {error}", file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps(_describe(accuracies, readings, timings), indent=2))
    else:
        _print_accuracies(accuracies)
        _print_readings(readings)
        _print_timings(timings)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="The read gate beside groundcheck.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--half", choices=(*ANSWER_SETS, "all"), default="all", help="which cases to score")
    parser.add_argument("--judge", default="mini", help="who judges: mini (with rules), base, rules")
    parser.add_argument("--sizes", type=_parse_sizes, default=SIZES, help="numbers of memories, such as 2,10,50")
    return parser.parse_args(arguments)


def _parse_sizes(written: str) -> tuple[int, ...]:
    sizes = tuple(int(size) for size in written.split(",") if size.strip())
    if any(size < 1 for size in sizes):
        raise argparse.ArgumentTypeError("a size is at least 1")
    return sizes


# ── the two verifiers ───────────────────────────────────────────────────────────────────────────


def _verify_with_groundwire(gate: Groundwire, text: str, memories: Sequence[Memory]) -> Outcome:
    report = gate.verify(text, memories=memories)
    return Outcome(
        grounded=report.grounded,
        hallucinations=report.hallucinations,
        unverifiable=report.unverifiable,
        requires_disclosure=report.requires_disclosure,
        expected_disclosure=report.expected_disclosure,
        contradictions=len(report.contradictions),
    )


class _Rival:
    """groundcheck by rules alone: its models are no part of the comparison, and trying to load them costs time."""

    def __init__(self) -> None:
        import groundcheck

        self._library = groundcheck
        self._checker = groundcheck.GroundCheck(neural=False)

    def convert(self, memories: Sequence[Memory]) -> list[Any]:
        make = self._library.Memory
        return [make(id=m.id, text=m.text, trust=m.trust, timestamp=m.timestamp) for m in memories]

    def check(self, text: str, memories: list[Any]) -> Any:
        return self._checker.verify(text, memories)

    def verify(self, text: str, memories: Sequence[Memory]) -> Outcome:
        report = self.check(text, self.convert(memories))
        return Outcome(
            grounded=report.passed,
            hallucinations=tuple(str(value) for value in report.hallucinations),
            requires_disclosure=report.requires_disclosure,
            expected_disclosure=report.expected_disclosure,
            contradictions=len(report.contradiction_details),
        )


# ── accuracy ────────────────────────────────────────────────────────────────────────────────────


def _measure(half: str, name: str, verify: Verify) -> Accuracy:
    judged = [
        (case.kind, find_faults(case.expect, verify(case.text, case.memories))) for case in read_answer_cases(half)
    ]
    shared = frozenset(SHARED_FIELDS)
    fields = {field.value: sum_up(Tally(field not in faults, 1) for _, faults in judged) for field in SHARED_FIELDS}
    is_ours = name == OURS
    return Accuracy(
        half=half,
        verifier=name,
        fields=fields,
        shared=sum_up(Tally(not faults & shared, 1) for _, faults in judged),
        full=sum_up(Tally(not faults, 1) for _, faults in judged) if is_ours else None,
        kinds=tally_by_kind((kind, not (faults if is_ours else faults & shared)) for kind, faults in judged),
    )


def _measure_reading(half: str) -> Reading:
    extractor, cases = FactExtractor(), read_fact_cases(half)
    facts = facts_of_subjects = Overlap()
    for case in cases:
        found = extractor.extract(case.text)
        facts += match_facts(case.facts, found)
        facts_of_subjects += match_facts(case.facts, found, subjects=True)
    claims = Tally()
    for case in read_claim_cases(half):
        claims = claims.count(has_claims(case, [claim.text for claim in extract_claims(case.text)]))
    return Reading(half, facts, facts_of_subjects, claims)


# ── time ────────────────────────────────────────────────────────────────────────────────────────


def make_inputs(cases: Sequence[AnswerCase], size: int) -> list[Input]:
    """Answers with exactly `size` memories: their own, then those of cases that are not taken themselves.

    No memory text occurs twice, neither within an input nor between two.
    """
    stock = list(dict.fromkeys(memory.text for case in cases for memory in case.memories))
    most = min(MOST_INPUTS, len(stock) // size)
    used: set[str] = set()
    chosen: list[AnswerCase] = []
    for case in cases[:: max(1, len(cases) // (2 * MOST_INPUTS))]:
        texts = [memory.text for memory in case.memories]
        if len(chosen) < most and 0 < len(texts) <= size and used.isdisjoint(texts) and len(set(texts)) == len(texts):
            chosen.append(case)
            used.update(texts)
    by_text = {memory.text: memory for case in cases for memory in case.memories}
    fillers = iter([by_text[text] for text in stock if text not in used])
    inputs: list[Input] = []
    for case in chosen:
        memories = [*case.memories, *islice(fillers, size - len(case.memories))]
        if len(memories) == size:
            named = (Memory(f"m{n}", m.text, m.trust, m.timestamp) for n, m in enumerate(memories, 1))
            inputs.append(Input(case.text, tuple(named)))
    return inputs


def _time_side_by_side(gate: Groundwire, rival: _Rival | None, size: int) -> Timing:
    """Each round runs all ways and the other verifier in turn, so that a busy machine is busy for all."""
    inputs = make_inputs(read_answer_cases("dev"), size)
    if not inputs:
        raise ValueError(f"there are not enough distinct memories for {size} an answer")
    theirs = [(case.text, rival.convert(case.memories)) for case in inputs] if rival else []
    spent: dict[str, list[float]] = {"cold": [], "new": [], "warm": [], THEIRS: []}
    for turn in range(ROUNDS):
        print(f"{size} memories: round {turn + 1} of {ROUNDS}", file=sys.stderr)
        forget_texts()
        spent["cold"].append(_time_answers(gate, inputs))
        spent["warm"].append(_time_answers(gate, inputs))
        forget_texts()
        _time_answers(gate, [Input(_GREETING, case.memories) for case in inputs])
        spent["new"].append(_time_answers(gate, inputs))
        if rival:
            started = time.perf_counter()
            for text, memories in theirs:
                rival.check(text, memories)
            spent[THEIRS].append(time.perf_counter() - started)
    each = {name: statistics.median(times) * 1000 / len(inputs) for name, times in spent.items() if times}
    return Timing(size, len(inputs), each["cold"], each["new"], each["warm"], each.get(THEIRS))


def _time_answers(gate: Groundwire, inputs: Sequence[Input]) -> float:
    started = time.perf_counter()
    for case in inputs:
        gate.verify(case.text, memories=case.memories)
    return time.perf_counter() - started


_Remembering = type(functools.cache(len))


def forget_texts() -> None:
    """Empty every bounded cache of groundwire; the unbounded ones hold its tables, which are read once."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == OURS:
            for member in vars(module).values():
                if isinstance(member, _Remembering) and member.cache_parameters()["maxsize"] is not None:
                    member.cache_clear()
    for remembered in [entry for entry in gc.get_objects() if type(entry) is Recent]:  # isinstance asks strangers
        remembered.clear()


# ── what is printed ─────────────────────────────────────────────────────────────────────────────


def _describe(accuracies: list[Accuracy], readings: list[Reading], timings: list[Timing]) -> dict[str, Any]:
    return {
        "accuracy": [
            {
                "half": a.half,
                "verifier": a.verifier,
                "fields": {name: _share(tally) for name, tally in a.fields.items()},
                "shared_fields": _share(a.shared),
                "all_expectations": _share(a.full) if a.full else None,
                "classes": {name: _share(tally) for name, tally in a.kinds.items()},
            }
            for a in accuracies
        ],
        "reading": [
            {
                "half": r.half,
                "facts": _rates(r.facts),
                "facts_of_subjects": _rates(r.facts_of_subjects),
                "claims": _share(r.claims),
            }
            for r in readings
        ],
        "time": [
            {
                **asdict(t),
                "times_faster": t.times_faster,
                "times_faster_new": t.times_faster_new,
                "times_faster_warm": t.times_faster_warm,
            }
            for t in timings
        ],
    }


def _share(tally: Tally) -> dict[str, float]:
    return {"right": tally.right, "cases": tally.cases, "share": round(tally.share, 4)}


def _rates(overlap: Overlap) -> dict[str, float]:
    return {name: round(getattr(overlap, name), 4) for name in ("precision", "recall", "f1")}


def _print_accuracies(accuracies: list[Accuracy]) -> None:
    for half in dict.fromkeys(a.half for a in accuracies):
        columns = [a for a in accuracies if a.half == half]
        print(
            f"answers, {half} ({columns[0].shared.cases})".ljust(LABEL) + "".join(f"{a.verifier:>18}" for a in columns)
        )
        for field, label in SHARED_FIELDS.items():
            _print_row(f"  {label}", [a.fields[field.value] for a in columns])
        _print_row("  all three are right", [a.shared for a in columns])
        _print_row("  every expectation holds", [a.full for a in columns])
        print("  by class (all three; groundwire: every expectation)")
        for kind in columns[0].kinds:
            _print_row(f"    {kind}", [a.kinds[kind] for a in columns])
        print()


def _print_row(label: str, tallies: Sequence[Tally | None]) -> None:
    cells = (f"{t.right}/{t.cases} {t.share:>7.1%}" if t else "-" for t in tallies)
    print(label.ljust(LABEL) + "".join(f"{cell:>18}" for cell in cells))


def _print_readings(readings: list[Reading]) -> None:
    print("reading".ljust(LABEL) + "".join(f"{name:>12}" for name in ("precision", "recall", "F1", "right")))
    for r in readings:
        for label, overlap in (("facts", r.facts), ("facts with their subjects", r.facts_of_subjects)):
            rates = "".join(f"{rate:>12.4f}" for rate in (overlap.precision, overlap.recall, overlap.f1))
            print(f"  {label}, {r.half}".ljust(LABEL) + rates)
        print(
            f"  claims, {r.half}".ljust(LABEL + 36)
            + f"{f'{r.claims.right}/{r.claims.cases}':>12} {r.claims.share:>7.1%}"
        )
    print()


def _print_timings(timings: list[Timing]) -> None:
    ways = ("cold", "new", "warm")
    head = "".join(f"{f'{way} ms':>10}" for way in ways) + f"{'groundcheck ms':>16}" + "".join(f"{w:>9}" for w in ways)
    print(f"{'memories':>8}{'answers':>9}{head}")
    for t in timings:
        row = f"{t.memories:>8}{t.answers:>9}{t.cold_ms:>10.3f}{t.new_ms:>10.3f}{t.warm_ms:>10.3f}"
        if t.theirs_ms is None:
            print(row)
            continue
        times = (t.times_faster or 0.0, t.times_faster_new or 0.0, t.times_faster_warm or 0.0)
        short = [way for way, factor in zip(ways, times, strict=True) if factor < GOAL]
        verdict = f"   {GOAL:g}x not reached: {', '.join(short)}" if short else ""
        print(row + f"{t.theirs_ms:>16.3f}" + "".join(f"{factor:>8.1f}x" for factor in times) + verdict)


if __name__ == "__main__":
    sys.exit(main())
