"""How long the verifier takes: answers, pairs, the first verdict, and other encoders beside ours, in one run.

    python benchmarks/verifier.py [--json] [--quick] [--only answers,pairs,start,encoders,gpu]
                                  [--models DIR] [--fp32 DIR] [--gpu]

An answer has ten claims with two short passages each, and everything is included: reading, rules, model, report. No
text occurs twice, so that no cache of texts helps:

"cold"    the answer is met for the first time, after other answers
"warm"    the same answer once more
"quiet"   every answer's best time over the rounds: a busy machine disturbs it less

Known verifiers are built with random weights, which is enough to time them; that needs torch and transformers.
Figures belong to the machine: on a CPU with instructions for int8 (VNNI, AMX) they are better than on others.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from groundwire.app import Groundwire, models_folder
from groundwire.errors import ModelUnavailable
from groundwire.judge.calibration import read_calibration
from groundwire.models.files import find_model, list_models
from groundwire.models.onnx import OnnxPairScorer, RunOptions
from groundwire.settings import Settings
from read_gate import forget_texts
from verifier_encoders import Encoder, EncoderTime, open_encoders, time_encoders
from verifier_inputs import CLAIMS, Mix, TimedAnswer, make_answers, make_pairs
from verifier_start import StartTime, time_start

SECTIONS = ("answers", "pairs", "start", "encoders", "gpu")
SEED = 20
PAIRS = (1, 2, 5, 10, 20, 50, 100)
P50_MS, P99_MS, ONE_CLAIM_P99_MS = 30.0, 50.0, 15.0
START_S, RESIDENT_MB = 1.0, 300.0
STEEPEST = 1.1  # growth of time with pairs, both axes logarithmic: 1 is linear
LABEL = 44
VERIFY, JUDGE = "verify", "judge_all"


@dataclass(frozen=True, slots=True)
class Spread:
    """Milliseconds below which half, 95 and 99 of a hundred calls stay."""

    p50: float
    p95: float
    p99: float


@dataclass(frozen=True, slots=True)
class AnswerTime:
    judge: str
    call: str
    mix: Mix
    claims: int
    workers: int
    answers: int
    cold: Spread
    quiet: Spread
    warm: Spread

    @property
    def targets(self) -> tuple[float | None, float] | None:
        """What p50 and p99 should stay below; only the product's own way of judging has any."""
        if self.judge != "mini" or self.workers < 2:
            return None
        return (None, ONE_CLAIM_P99_MS) if self.claims == 1 else (P50_MS, P99_MS)


@dataclass(frozen=True, slots=True)
class PairTime:
    """`ratio` is to a straight line through nothing and the largest number of pairs."""

    pairs: int
    ms: float
    ms_each: float
    ratio: float


@dataclass(frozen=True, slots=True)
class _Contestant:
    judge: str
    call: str
    mix: Mix
    claims: int = CLAIMS
    workers: int = 2

    def open(self, settings: Settings) -> Callable[[TimedAnswer], object]:
        """A judge with empty caches, its model loaded and warmed up."""
        wire = Groundwire(settings=replace(settings, judge=self.judge, model_workers=self.workers))

        def verify(answer: TimedAnswer) -> object:
            return wire.verify(answer.text, memories=answer.memories)

        def judge(answer: TimedAnswer) -> object:
            return wire.judge_all(answer.questions)

        run = verify if self.call == VERIFY else judge
        for answer in make_answers(2, SEED - 1, mix=Mix.HARD):
            run(answer)
        if wire.model_problem is not None:
            raise wire.model_problem
        return run


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    settings = Settings.load(None, os.environ)
    if options.models:
        settings = replace(settings, models_folder=options.models)
    home = models_folder(settings, os.environ)
    found: dict[str, Any] = {"machine": describe_machine()}
    try:
        find_model("mini", home)
        if "answers" in options.only:
            found["answers"] = _time_answers(settings, home, quick=options.quick)
        if "pairs" in options.only:
            found["pairs"] = _time_pairs(home, 3 if options.quick else 9)
        if "start" in options.only:
            found["start"] = time_start(home, 2 if options.quick else 5)
        if "encoders" in options.only:
            found["encoders"] = _time_encoders(home, options.fp32, quick=options.quick)
    except ModelUnavailable as error:
        print(f"nothing to measure: {error}", file=sys.stderr)
        return 2
    if options.gpu or "gpu" in (options.only if options.only != SECTIONS else ()):
        found["gpu"] = _time_gpu()
    if options.json:
        print(json.dumps(found, indent=2, default=asdict, ensure_ascii=False))
    else:
        print_all(found)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="How long the verifier takes.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="fewer answers and rounds, no known verifiers")
    parser.add_argument("--only", type=_parse_sections, default=SECTIONS, help=f"some of {','.join(SECTIONS)}")
    parser.add_argument("--models", help="where models are installed; as the settings say without it")
    parser.add_argument("--fp32", type=Path, help="a folder with mini's graph in float32 as model.onnx")
    parser.add_argument("--gpu", action="store_true", help="also claims a second on a GPU")
    return parser.parse_args(arguments)


def _parse_sections(written: str) -> tuple[str, ...]:
    sections = tuple(part.strip() for part in written.split(",") if part.strip())
    unknown = [section for section in sections if section not in SECTIONS]
    if unknown or not sections:
        raise argparse.ArgumentTypeError(f"{', '.join(unknown) or 'nothing'} is none of {', '.join(SECTIONS)}")
    return sections


def describe_machine() -> dict[str, Any]:
    """What the figures belong to; `int8` lists instructions that make int8 faster than it is elsewhere."""
    try:
        flags = Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    except OSError:
        flags = []
    special = sorted({flag for flag in flags if flag in ("avx_vnni", "avx512_vnni", "amx_int8")})
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"processor": platform.machine(), "cores": cores, "int8": special, "load_at_start": load}


# ── answers ─────────────────────────────────────────────────────────────────────────────────────


def spread(times_ms: Sequence[float]) -> Spread:
    """By nearest rank: a time that was measured, never one in between."""
    ordered = sorted(times_ms)
    p50, p95, p99 = (ordered[math.ceil(share * len(ordered)) - 1] for share in (0.50, 0.95, 0.99))
    return Spread(p50, p95, p99)


def _contestants(home: Path, *, quick: bool) -> list[_Contestant]:
    listed = [
        *(_Contestant("mini", call, mix) for mix in Mix for call in (VERIFY, JUDGE)),
        _Contestant("mini", JUDGE, Mix.MIXED, claims=1),
        _Contestant("mini", JUDGE, Mix.HARD, claims=1),
        _Contestant("mini-alone", JUDGE, Mix.MIXED),
        _Contestant("mini", JUDGE, Mix.MIXED, workers=1),
        _Contestant("rules", JUDGE, Mix.MIXED),
        _Contestant("rules", VERIFY, Mix.MIXED),
    ]
    if "base" in list_models(home) and not quick:
        listed.append(_Contestant("base", JUDGE, Mix.MIXED))
    return listed


def _time_answers(settings: Settings, home: Path, *, quick: bool) -> list[AnswerTime]:
    """Contestants take turns, each with answers of its own: they share the caches of words, and no texts."""
    contestants = _contestants(home, quick=quick)
    count, rounds = (20, 2) if quick else (120, 3)
    inputs = [make_answers(count, SEED + i, mix=c.mix, claims=c.claims) for i, c in enumerate(contestants)]
    cold = [[[] for _ in range(count)] for _ in contestants]
    warm: list[list[float]] = [[] for _ in contestants]
    for turn in range(rounds):
        print(f"answers: round {turn + 1} of {rounds}", file=sys.stderr)
        runs = [contestant.open(settings) for contestant in contestants]
        forget_texts()
        for number in range(count):
            for i, run in enumerate(runs):
                cold[i][number].append(_time_ms(run, inputs[i][number]))
                warm[i].append(_time_ms(run, inputs[i][number]))
    return [
        AnswerTime(
            c.judge, c.call, c.mix, c.claims, c.workers, count,
            spread([ms for times in cold[i] for ms in times]), spread([min(t) for t in cold[i]]), spread(warm[i]),
        )
        for i, c in enumerate(contestants)
    ]  # fmt: skip


def _time_ms(run: Callable[[Any], object], given: object) -> float:
    started = time.perf_counter()
    run(given)
    return (time.perf_counter() - started) * 1000


# ── pairs and encoders ──────────────────────────────────────────────────────────


def compare_with_line(ms_by_pairs: Mapping[int, float]) -> list[PairTime]:
    largest = max(ms_by_pairs)
    slope = ms_by_pairs[largest] / largest
    return [PairTime(n, ms, ms / n, ms / n / slope) for n, ms in sorted(ms_by_pairs.items())]


def growth(times: Sequence[PairTime], *, least: int = 5) -> float:
    """The slope on logarithmic axes, without the smallest numbers, which cannot keep two workers busy."""
    points = [(math.log(t.pairs), math.log(t.ms)) for t in times if t.pairs >= least]
    return statistics.linear_regression([x for x, _ in points], [y for _, y in points]).slope


def _time_pairs(home: Path, repeats: int) -> list[PairTime]:
    scorer = OnnxPairScorer(find_model("mini", home), read_calibration, RunOptions())
    scorer.score(make_pairs(4, SEED))
    spent: dict[int, list[float]] = {n: [] for n in PAIRS}
    for turn in range(repeats):
        pairs = make_pairs(max(PAIRS), SEED + 100 + turn)
        for n in PAIRS:
            spent[n].append(_time_ms(scorer.score, pairs[:: len(pairs) // n][:n]))
    return compare_with_line({n: min(times) for n, times in spent.items()})


def _time_encoders(home: Path, fp32: Path | None, *, quick: bool) -> list[EncoderTime]:
    pairs = make_pairs(2 * CLAIMS, SEED + 500)
    installed = [name for name in ("mini", "base") if name in list_models(home)]
    encoders: list[Encoder] = []
    for name in installed:
        for workers in (2, 1) if name == "mini" else (2,):
            scorer = OnnxPairScorer(find_model(name, home), read_calibration, RunOptions(workers=workers))
            label = f"{name}, int8, {workers} worker{'s' * (workers > 1)}"
            encoders.append(Encoder(label, "onnxruntime", scorer.score))
    tokenizer = find_model("mini", home).folder / "tokenizer.json"
    encoders += open_encoders(tokenizer, fp32, rivals=not quick)
    return time_encoders(encoders, pairs, 3 if quick else 7)


def _time_gpu() -> Any:
    try:
        from verifier_gpu import measure_gpu
    except ImportError as error:
        return f'{error.name} is not installed: pip install "groundwire[train]"'
    return measure_gpu()


# ── what is printed ─────────────────────────────────────────────────────────────────────────────


def print_all(found: Mapping[str, Any]) -> None:
    machine = found["machine"]
    special = ", ".join(machine["int8"]) or "none"
    print(f"{machine['cores']} cores, instructions for int8: {special}, load at start {machine['load_at_start']}\n")
    for section, show in (
        ("answers", _print_answers), ("pairs", _print_pairs), ("start", _print_start),
        ("encoders", _print_encoders), ("gpu", _print_gpu),
    ):  # fmt: skip
        if section in found:
            show(found[section])
            print()


def mark(value: float, target: float) -> str:
    return f"{'✓' if value <= target else '✗'} ≤ {target:g}"


def _print_answers(times: Sequence[AnswerTime]) -> None:
    print("ms an answer".ljust(LABEL) + "".join(f"{name:>21}" for name in ("cold", "quiet", "warm")))
    print("".ljust(LABEL) + "    p50    p95    p99" * 3)
    for t in times:
        claims = f"{t.claims} claim{'s' * (t.claims > 1)}"
        label = f"{t.judge}, {t.call}, {t.mix}, {claims}" + (", 1 worker" if t.workers == 1 else "")
        cells = "".join(f"{ms:>7.1f}" for s in (t.cold, t.quiet, t.warm) for ms in (s.p50, s.p95, s.p99))
        print(label.ljust(LABEL) + cells)
        if t.targets:
            for name, shown in (("cold", t.cold), ("quiet", t.quiet)):
                goals = [("p50", shown.p50, t.targets[0]), ("p99", shown.p99, t.targets[1])]
                marks = (f"{p} {mark(ms, goal)}" for p, ms, goal in goals if goal is not None)
                print(f"    {name}: " + "   ".join(marks))


def _print_pairs(times: Sequence[PairTime]) -> None:
    print(f"{'pairs':>8}{'ms':>10}{'ms a pair':>12}{'to a line':>12}")
    for t in times:
        print(f"{t.pairs:>8}{t.ms:>10.1f}{t.ms_each:>12.2f}{t.ratio:>11.2f}x")
    print(f"growth from 5 pairs on: {growth(times):.2f}   {mark(growth(times), STEEPEST)}")


def _print_start(start: StartTime) -> None:
    print(f"fresh process to first verdict  {start.first_verdict_s:>7.2f} s   {mark(start.first_verdict_s, START_S)}")
    print(f"  of which python by itself     {start.python_s:>7.2f} s")
    print(f"import groundwire               {start.import_ms:>7.0f} ms")
    if start.resident_mb is not None:
        print(f"resident memory                 {start.resident_mb:>7.0f} MB  {mark(start.resident_mb, RESIDENT_MB)}")


def _print_encoders(times: Sequence[EncoderTime]) -> None:
    print("encoder, 20 pairs".ljust(LABEL) + f"{'by':>14}{'ms (median)':>13}{'ms (best)':>11}{'to the first':>14}")
    for t in times:
        if t.problem is not None:
            print(f"{t.name}: {t.problem}")
            continue
        print(t.name.ljust(LABEL) + f"{t.runtime:>14}{t.median_ms:>13.1f}{t.best_ms:>11.1f}{t.ratio:>13.1f}x")


def _print_gpu(found: Any) -> None:
    if isinstance(found, str):
        print(found)
        return
    print(f"{found.device}: {found.limit_tflops:.0f} TFLOP/s measured for a large bf16 product")
    for t in found.encoders:
        print(
            f"{t.name:<8}{t.pairs_a_second:>12,.0f} pairs/s{t.claims_a_second:>12,.0f} claims/s with 2 passages"
            f"{t.tflops:>8.1f} TFLOP/s{t.share:>8.1%} of the limit"
        )


if __name__ == "__main__":
    sys.exit(main())
