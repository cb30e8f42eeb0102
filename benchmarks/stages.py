"""Where the time of a verification goes, stage by stage, and what that is beside the time of generating.

    python benchmarks/stages.py [--outputs 1000] [--memories 10000] [--json]

An output has ten claims, and its evidence is retrieved from a store in which it lies among others. Each stage is timed
by itself on the same output; `whole` is the one call that a user makes, everything included. No text occurs twice.
An output of 50 tokens at 8 tokens a second takes 6.25 s to generate: `overhead` is the whole beside that.
With 1,000 outputs of ten claims the percentiles stand on 10,000 claims.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from groundwire.app import Groundwire
from groundwire.evidence.retrieval import Retriever
from groundwire.judge.action import decide_action
from groundwire.judge.judge import as_passages
from groundwire.models.embedding import StaticEmbedder
from groundwire.store.sql import SqlStore, open_store
from groundwire.text.claims import extract_claims
from groundwire.types import Passage, Scope, VerifierInput, VerifyMode
from store import ACT, NOW, as_memory, fill, invent_texts
from verifier import Spread, mark, spread
from verifier_inputs import TimedAnswer, make_answers

Result = TypeVar("Result")

OWNER = Scope("o0")
K = 5
SEED = 70
GENERATED_S = 50 / 8
TARGETS = {"extraction": 0.5, "retrieval": 0.62, "inference": 2.0, "action": 0.01}
WHOLE_MS, P99_MS, OVERHEAD = 26.8, 50.0, 0.0043


@dataclass(frozen=True, slots=True)
class Stage:
    """Milliseconds of one stage: for an output in the case of extraction, for a claim in all others."""

    name: str
    ms: Spread
    target: float | None


@dataclass(frozen=True, slots=True)
class Stages:
    outputs: int
    claims: int
    memories: int
    stages: tuple[Stage, ...]
    whole: Spread
    each_claim: Spread

    @property
    def overhead(self) -> float:
        """The median verification as a share of the time in which the output is generated."""
        return self.whole.p50 / 1000 / GENERATED_S


def measure(outputs: int, memories: int) -> Stages:
    answers = make_answers(outputs, SEED)
    embedder = StaticEmbedder()
    with open_store(None, NOW, embedder=embedder) as store:
        fill(store, invent_texts(max(0, memories - outputs * 20), SEED), 1)
        known = [as_memory(f"{n}-{m.id}", m.text, OWNER.owner) for n, a in enumerate(answers) for m in a.memories]
        store.memories.add_many(known, ACT, fingerprints=[[f"hash:{m.text}"] for m in known])
        bench = _Bench(store, embedder)
        bench.run(make_answers(1, SEED - 1)[0])
        bench.forget()
        for answer in answers:
            bench.run(answer)
    stages = tuple(Stage(name, spread(times), TARGETS.get(name)) for name, times in bench.times.items())
    return Stages(
        outputs, len(bench.times["inference"]), memories, stages, spread(bench.whole), spread(bench.each_claim)
    )


class _Bench:
    """One store, one judge, and the times of every stage."""

    def __init__(self, store: SqlStore, embedder: StaticEmbedder) -> None:
        self._embedder = embedder
        self._retriever = Retriever(store.memories, store.vectors)
        self._vectors = store.vectors
        self._apart, self._together = Groundwire(), Groundwire()
        self.forget()

    def forget(self) -> None:
        self.times: dict[str, list[float]] = {name: [] for name in ("extraction", "embedding", *list(TARGETS)[1:])}
        self.whole: list[float] = []
        self.each_claim: list[float] = []

    def run(self, answer: TimedAnswer) -> None:
        self._run_stages(answer)
        self._run_whole(answer)

    def _run_stages(self, answer: TimedAnswer) -> None:
        claims = [claim.text for claim in self._time("extraction", 1, lambda: extract_claims(answer.text))]
        self._time("embedding", len(claims), lambda: self._embedder.embed(claims))
        found = self._time("retrieval", len(claims), lambda: [self._vectors.search(OWNER, c, limit=K) for c in claims])
        questions = [
            VerifierInput(claim, tuple(Passage(hit.memory.id, hit.memory.text) for hit in hits))
            for claim, hits in zip(claims, found, strict=True)
        ]
        outputs = self._time("inference", len(claims), lambda: self._apart.judge_all(questions))
        self._time(
            "action",
            len(claims),
            lambda: [decide_action(o.verdict, o.confidence, 0, VerifyMode.POSTHOC) for o in outputs],
        )

    def _run_whole(self, answer: TimedAnswer) -> None:
        """Everything a user's call does: read, retrieve, embed, judge, report."""
        started = time.perf_counter()
        claims = [claim.text for claim in extract_claims(answer.text)]
        found = {hit.memory.id: hit.memory for c in claims for hit in self._retriever.retrieve(OWNER, c, limit=K)}
        self._together.verify(answer.text, memories=list(found.values()))
        self.whole.append((time.perf_counter() - started) * 1000)
        question = answer.questions[0]
        started = time.perf_counter()
        self._together.judge(question.claim, as_passages(question.evidence))
        self.each_claim.append((time.perf_counter() - started) * 1000)

    def _time(self, stage: str, shares: int, call: Callable[[], Result]) -> Result:
        started = time.perf_counter()
        result = call()
        self.times[stage].extend([(time.perf_counter() - started) * 1000 / max(1, shares)] * shares)
        return result


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--outputs", type=int, default=200)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = measure(options.outputs, options.memories)
    if options.json:
        print(json.dumps({**asdict(found), "overhead": found.overhead}))
    else:
        print_stages(found)
    return 0


def print_stages(found: Stages) -> None:
    print(f"{found.outputs} outputs, {found.claims} claims, {found.memories} memories; milliseconds")
    print(f"{'':<24}{'p50':>8}{'p95':>8}{'p99':>8}")
    rows = [(f"{s.name}, {'an output' if s.name == 'extraction' else 'a claim'}", s.ms, s.target) for s in found.stages]
    rows += [("whole, an output", found.whole, WHOLE_MS), ("whole, a claim", found.each_claim, None)]
    for name, ms, target in rows:
        goal = "" if target is None else f"   p50 {mark(ms.p50, target)}"
        print(f"{name:<24}{ms.p50:>8.3f}{ms.p95:>8.3f}{ms.p99:>8.3f}{goal}")
    print(f"p99 of an output {mark(found.whole.p99, P99_MS)}, of a claim {mark(found.each_claim.p99, P99_MS)} ms")
    print(f"beside {GENERATED_S:g} s of generating: {found.overhead:.2%}   {mark(found.overhead, OVERHEAD)}")


if __name__ == "__main__":
    sys.exit(main())
