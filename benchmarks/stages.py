"""Where the time of a verification goes, stage by stage, and what that is beside the time of generating.

    python benchmarks/stages.py [--outputs 2000] [--memories 10000] [--json]

Three kinds of output, verified against a file in which their evidence lies among so many memories of one user:

"ten claims"   timed stage by stage, and as the one call that a user makes: read, embed, retrieve, judge, report, log
"50 tokens"    the same call for an output of about that length; at 8 tokens a second such an output takes 6.25 s to
               generate, and `overhead` is the median call beside the time in which its own tokens are generated
"a claim"      the call that judges a single claim, with its embedding and retrieval

No text occurs twice. Beside every percentile stands the interval in which it lies with 95% confidence, whatever the
distribution is. There is one output of ten claims for every ten short ones and ten claims; with --outputs 10000 there
are 10,000 verifications of short outputs and as many of claims.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TypeVar

from groundwire.app import Groundwire, models_folder
from groundwire.judge.action import decide_action
from groundwire.judge.calibration import read_calibration
from groundwire.models.embedding import StaticEmbedder
from groundwire.models.files import find_model
from groundwire.models.onnx import OnnxPairScorer, RunOptions
from groundwire.settings import Settings
from groundwire.store.sql import SqlStore, open_store
from groundwire.text.claims import extract_claims
from groundwire.types import Passage, Scope, VerifierInput, VerifyMode
from store import ACT, NOW, as_memory, fill, invent_texts
from verifier import describe_machine, mark
from verifier_inputs import CLAIMS, TimedAnswer, make_answers

Result = TypeVar("Result")

USER = "o0"
OWNER = Scope(USER)
K = 5
SEED = 70
SHORT = 4
"""Claims of an output of about 50 tokens."""
TOKENS_A_SECOND = 8
TARGETS = {"extraction": 0.5, "embedding": None, "retrieval": 0.62, "inference": 2.0, "action": 0.01}
WHOLE_MS, P99_MS, OVERHEAD = 26.8, 50.0, 0.0043
_EVERY = 10
"""So many short outputs are verified for each one of ten claims."""
_AT_ONCE = 500
"""Short outputs whose evidence lies in one file, so that it stays of the size that is asked for."""


@dataclass(frozen=True, slots=True)
class Percentile:
    """A time in milliseconds below which a share of all stays, and between which two it lies with 95% confidence."""

    ms: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the table; `target` is for the median."""

    name: str
    calls: int
    p50: Percentile
    p95: Percentile
    p99: Percentile
    target: float | None = None


@dataclass(frozen=True, slots=True)
class Stages:
    outputs: int
    memories: int
    stages: tuple[Line, ...]
    whole: Line
    short: Line
    claim: Line
    tokens: float
    overhead: float
    """The median verification of a short output, as a share of the time in which its tokens are generated."""


def find_percentile(times_ms: Sequence[float], share: float) -> Percentile:
    """By nearest rank; the interval is that of the ranks, which needs no assumption about the times."""
    ordered, count = sorted(times_ms), len(times_ms)
    reach = 1.96 * math.sqrt(count * share * (1 - share))
    ranks = (math.ceil(share * count), math.floor(share * count - reach), math.ceil(share * count + reach) + 1)
    middle, low, high = (ordered[min(count, max(1, rank)) - 1] for rank in ranks)
    return Percentile(middle, low, high)


def sum_up(name: str, times_ms: Sequence[float], target: float | None = None) -> Line:
    p50, p95, p99 = (find_percentile(times_ms, share) for share in (0.50, 0.95, 0.99))
    return Line(name, len(times_ms), p50, p95, p99, target)


def find_overhead(ms: float, tokens: float) -> float:
    return ms / 1000 / (tokens / TOKENS_A_SECOND)


@dataclass(slots=True)
class Times:
    """Milliseconds, as they come in."""

    stages: dict[str, list[float]] = field(default_factory=lambda: {name: list[float]() for name in TARGETS})
    whole: list[float] = field(default_factory=list[float])
    short: list[float] = field(default_factory=list[float])
    claim: list[float] = field(default_factory=list[float])
    tokens: list[int] = field(default_factory=list[int])

    def conclude(self, memories: int) -> Stages:
        stages = tuple(sum_up(name, times, TARGETS[name]) for name, times in self.stages.items())
        short, tokens = sum_up("50 tokens", self.short), sum(self.tokens) / len(self.tokens)
        overhead = find_overhead(short.p50.ms, tokens)
        whole = sum_up("ten claims", self.whole, WHOLE_MS)
        return Stages(len(self.short), memories, stages, whole, short, sum_up("a claim", self.claim), tokens, overhead)


def measure(outputs: int, memories: int) -> Stages:
    times = Times()
    for number, count in enumerate(_cut(outputs)):
        print(f"{number * _AT_ONCE + count} of {outputs} outputs", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            _measure_file(Path(folder), count, memories, SEED + 10 * number, times)
    return times.conclude(memories)


def _cut(outputs: int) -> Iterator[int]:
    for done in range(0, outputs, _AT_ONCE):
        yield min(_AT_ONCE, outputs - done)


def _measure_file(folder: Path, count: int, memories: int, seed: int, times: Times) -> None:
    """Kinds take turns, each with outputs of its own: what one has read helps no other."""
    warming = make_answers(1, seed - 1)
    tens = math.ceil(count / _EVERY)
    numbers = ((tens, CLAIMS), (tens, CLAIMS), (count, SHORT), (count, 1))
    kinds = [make_answers(some, seed + kind, claims=claims) for kind, (some, claims) in enumerate(numbers)]
    known = [memory.text for kind in (warming, *kinds) for answer in kind for memory in answer.memories]
    path, embedder = folder / "memories.db", StaticEmbedder()
    with open_store(path, NOW, embedder=embedder) as store:
        fill(store, invent_texts(max(0, memories - len(known)), seed), 1)
        own = [as_memory(f"k{i}", text, USER) for i, text in enumerate(known)]
        store.memories.add_many(own, ACT, fingerprints=[[f"hash:{memory.text}"] for memory in own])
        with Groundwire(path) as wire:
            _run_stages(store, embedder, wire, warming[0], Times())
            wire.verify(warming[0].text, user=USER, now=NOW)
            apart, whole, short, alone = kinds
            for i in range(count):
                if i % _EVERY == 0:
                    _run_stages(store, embedder, wire, apart[i // _EVERY], times)
                    _time(times.whole, lambda text=whole[i // _EVERY].text: wire.verify(text, user=USER, now=NOW))
                _time(times.short, lambda text=short[i].text: wire.verify(text, user=USER, now=NOW))
                _time(times.claim, lambda claim=alone[i].questions[0].claim: wire.judge(claim, user=USER, now=NOW))
    times.tokens += _count_tokens([answer.text for answer in kinds[2]])


def _run_stages(store: SqlStore, embedder: StaticEmbedder, wire: Groundwire, answer: TimedAnswer, times: Times) -> None:
    """Extraction is for the output; of all other stages, a claim has its share."""
    spent = times.stages
    claims = [claim.text for claim in _time(spent["extraction"], lambda: extract_claims(answer.text))]
    shares = len(claims)
    _time(spent["embedding"], lambda: embedder.embed(claims), shares)
    found = _time(spent["retrieval"], lambda: [store.vectors.search(OWNER, claim, limit=K) for claim in claims], shares)
    questions = [
        VerifierInput(claim, tuple(Passage(hit.memory.id, hit.memory.text) for hit in hits))
        for claim, hits in zip(claims, found, strict=True)
    ]
    outputs = _time(spent["inference"], lambda: wire.judge_all(questions), shares)
    _time(
        spent["action"],
        lambda: [decide_action(o.verdict, o.confidence, 0, VerifyMode.POSTHOC) for o in outputs],
        shares,
    )


def _time(times: list[float], call: Callable[[], Result], shares: int = 1) -> Result:
    """One entry a call: what is shared out is no more than one measurement."""
    started = time.perf_counter()
    result = call()
    times.append((time.perf_counter() - started) * 1000 / max(1, shares))
    return result


def _count_tokens(texts: Sequence[str]) -> list[int]:
    home = models_folder(Settings(), os.environ)
    return OnnxPairScorer(find_model("mini", home), read_calibration, RunOptions()).count_tokens(texts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outputs", type=int, default=2000, help="short ones, and as many claims")
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(options.outputs, options.memories)
    if options.json:
        print(json.dumps({"machine": describe_machine(), **asdict(found)}))
    else:
        print_stages(found)
    return 0


def print_stages(found: Stages) -> None:
    machine = describe_machine()
    print(f"{machine['processor']}, {machine['cores']} cores, load {machine['load_at_start']}")
    print(f"{found.outputs} outputs and as many claims, {found.memories} memories; milliseconds, 95% intervals\n")
    print(f"{'':<24}" + "".join(f"{name:>8}{'':<18}" for name in ("p50", "p95", "p99")))
    for stage in found.stages:
        _print_line(f"{stage.name}, {'an output' if stage.name == 'extraction' else 'a claim'}", stage)
    for line in (found.whole, found.short, found.claim):
        _print_line(f"the call, {line.name}", line)
    for line in (found.whole, found.short, found.claim):
        print(f"p99 of {line.name}, {line.calls} verifications: {line.p99.ms:.1f}   {mark(line.p99.ms, P99_MS)}")
    seconds = found.tokens / TOKENS_A_SECOND
    print(f"beside {seconds:.2f} s of generating {found.tokens:.0f} tokens: {found.overhead:.2%}", end="   ")
    print(mark(found.overhead * 100, OVERHEAD * 100) + "%")


def _print_line(name: str, line: Line) -> None:
    cells = "".join(f"{p.ms:>8.3f}{f' [{p.low:.3f}, {p.high:.3f}]':<18}" for p in (line.p50, line.p95, line.p99))
    goal = "" if line.target is None else f"   p50 {mark(line.p50.ms, line.target)}"
    print(f"{name:<24}{cells}{goal}")


if __name__ == "__main__":
    sys.exit(main())
