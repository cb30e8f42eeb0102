"""Fits the scales of the detectors (`src/groundwire/detect/data/scales.toml`) on cases that may be read.

    PYTHONPATH=benchmarks python -m training.scales benchmarks/data/detect_dev*.jsonl > scales.toml
    mv scales.toml src/groundwire/detect/data/scales.toml
    PYTHONPATH=benchmarks python -m training.scales --check benchmarks/data/detect_dev*.jsonl

To be done again with every version of the verifier. `--check` fits on four fifths of the cases and looks at the fifth
that is left, five times: precision and recall of each scale by threshold, from which the thresholds are chosen
(`records/settling.py`, `dialogue/balance.py`, `logic/sentence_pairs.py`, `fabricated.py`). It also counts how often a
judge that refutes both ways, so sure one way and so sure the other, is right: from these the bars are chosen from which
on it decides alone (`_SURE` in `records/balance.py`, `dialogue/balance.py`, `logic/sentence_pairs.py`).

A case says which words are wrong, not which of the known things they contradict. So a wrong clause is a bag of pairs of
which the strongest counts, as are the pairs of every sentence in which nothing is wrong.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from pathlib import Path
from random import Random
from typing import Any

from detection import examine, locate, overlap
from groundwire.app import Groundwire
from groundwire.detect import logical
from groundwire.detect.dialogue import balance as turns
from groundwire.detect.logic import sentence_pairs
from groundwire.detect.records import balance as records
from groundwire.detect.records import settling
from groundwire.detect.weighing.scale import Opinion, log_odds
from groundwire.judge.judge import Judge
from groundwire.types import Passage, Span, VerifierInput

_SCALES = (("statement", "attribute"), ("prior",), ("invention",), ("sentences",))
_KINDS = {"prior": {"ContradictsPrior"}, "invention": {"FabricatedFact"}, "sentences": {"LogicalInconsistency"}}
_KNOWLEDGE = {"ContradictsFact", "WrongAttribute"}
_RIDGE = {"statement": 0.01, "prior": 0.01, "invention": 0.001, "sentences": 0.01}
_STEPS, _RATE = 800, 0.03
_FOLDS = 5
_THRESHOLDS = (0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
_BARS = ((0.85, 0.9), (0.75, 0.9), (0.6, 0.85), (0.5, 0.8), (0.4, 0.8), (0.1, 0.95), (0.1, 0.9))
_BORNE_OUT = 0.4
Bags = dict[tuple[str, str, object], list["Pair"]]


@dataclass
class Pair:
    """One piece of evidence for a clause of a case."""

    scale: str
    clause: Span
    sentence: int
    evidence: dict[str, float] = field(default_factory=dict[str, float])
    beside: Span | None = None
    """The other sentence of the answer, where one is set against another."""


class Listener:
    """Stands where the detectors weigh, and writes down what they see."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.pairs: list[Pair] = []
        self._clause = (0, 0)
        self._weigh_all, self._weigh_turns = settling.weigh_all, turns.weigh_turns
        self._describe = settling.describe_clause
        settling.weigh_all, turns.weigh_turns = self.weigh_all, self.weigh_turns  # type: ignore[assignment]
        settling.describe_clause = self.describe_clause  # type: ignore[assignment]
        settling.is_open = lambda _: True  # what rules have decided teaches the scale as well
        self._describe_sides, self._refute = sentence_pairs.describe_sides, logical.find_refuted_sentences
        sentence_pairs.describe_sides = self.describe_sides
        logical.find_refuted_sentences = lambda sightings, judge, _: self._refute(sightings, judge, [])

    def weigh_all(self, counterparts: Sequence[records.Counterpart], judge: Judge, least: float) -> Any:
        opinions = self._both_ways([(c.said, c.told) for c in counterparts])
        best = _best([id(c.unit) for c in counterparts], opinions)
        for c, (there, back) in zip(counterparts, opinions, strict=True):
            seen = records.describe(c, there, back, best[id(c.unit)])
            self.pairs.append(Pair(records.scale_of(c), c.unit.span, c.unit.segment, seen))
        return self._weigh_all(counterparts, judge, least)

    def weigh_turns(self, candidates: Sequence[turns.Candidate], judge: Judge, least: float) -> Any:
        opinions = self._both_ways([(c.said.text, c.prior.text) for c in candidates])
        best = _best([id(c.said) for c in candidates], opinions)
        for c, (there, back) in zip(candidates, opinions, strict=True):
            read = c.said.read
            seen = turns.describe(c, there, back, best[id(c.said)])
            self.pairs.append(Pair("prior", read.claim.span, read.sentence.start, seen))
        return self._weigh_turns(candidates, judge, least)

    def describe_clause(self, examined: Any, people: Any, unit: Any, claims: Any, found: Any) -> dict[str, float]:
        seen = self._describe(examined, people, unit, claims, found)
        self.pairs.append(Pair("invention", unit.span, unit.span.start, seen))
        return seen

    def describe_sides(self, one: sentence_pairs.Side, other: sentence_pairs.Side, *opinions: Any) -> dict[str, float]:
        seen = self._describe_sides(one, other, *opinions)
        first, second = one.seen.segment.span, other.seen.segment.span
        self.pairs.append(Pair("sentences", second, second.start, seen, first))
        return seen

    def _both_ways(self, texts: Sequence[tuple[str, str]]) -> list[tuple[Opinion, Opinion]]:
        asked = [VerifierInput(a, (Passage("known", b),)) for one, two in texts for a, b in ((one, two), (two, one))]
        said = [Opinion.of(output) for output in (self._judge.judge_all(asked) if asked else ())]
        return list(zip(said[::2], said[1::2], strict=True))


def _best(keys: Sequence[int], opinions: Sequence[tuple[Opinion, Opinion]]) -> dict[int, float]:
    found: dict[int, float] = {}
    for key, (there, _) in zip(keys, opinions, strict=True):
        found[key] = max(found.get(key, 0.0), there.support)
    return found


def gather(cases: Iterable[Mapping[str, Any]]) -> Bags:
    """Bags of pairs: one for all that is wrong in a case, one for each sentence in which nothing is."""
    wire = Groundwire()
    listener = Listener(wire._open().judge)  # pyright: ignore[reportPrivateUsage]
    bags: Bags = {}
    for case in cases:
        listener.pairs.clear()
        examine(wire, case)
        wrong = [(entry["type"], locate(case["response"], entry["content"])) for entry in case["expected"]]
        for pair in listener.pairs:
            kinds = _KINDS.get(pair.scale, _KNOWLEDGE)
            places = [place for place in (pair.clause, pair.beside) if place is not None]
            is_wrong = any(kind in kinds and any(overlap(span, p) for p in places) for kind, span in wrong)
            if not is_wrong and kinds & set(case.get("also_fine", ())):
                continue
            group = next(group[0] for group in _SCALES if pair.scale in group)
            bags.setdefault((group, case["id"], "wrong" if is_wrong else pair.sentence), []).append(pair)
    return bags


def fit(bags: Bags, scales: Sequence[str]) -> dict[str, dict[str, float]]:
    """Weights in log-odds for each scale of a group, the strongest pair of a bag counting."""
    import torch

    chosen = [(key, pairs) for key, pairs in bags.items() if key[0] == scales[0]]
    wanted = torch.tensor([float(key[2] == "wrong") for key, _ in chosen])
    rows = [(i, pair) for i, (_, pairs) in enumerate(chosen) for pair in pairs]
    places = torch.tensor([i for i, _ in rows])
    names, columns, means, spreads, weights = {}, {}, {}, {}, {}
    for scale in scales:
        own = [k for k, (_, pair) in enumerate(rows) if pair.scale == scale]
        names[scale] = list(rows[own[0]][1].evidence)
        values = torch.tensor([[rows[k][1].evidence[n] for n in names[scale]] for k in own])
        means[scale], spreads[scale] = values.mean(0), values.std(0) + 1e-2
        columns[scale] = torch.tensor(own), (values - means[scale]) / spreads[scale]
        weights[scale] = torch.zeros(len(names[scale]) + 1, requires_grad=True)
    optimiser = torch.optim.Adam(list(weights.values()), lr=_RATE)
    for _ in range(_STEPS):
        scores = torch.full((len(rows),), -1e9)
        for scale, (own, values) in columns.items():
            scores = scores.scatter(0, own, values @ weights[scale][1:] + weights[scale][0])
        strongest = torch.full((len(chosen),), -1e9).scatter_reduce(0, places, scores, "amax")
        loss = torch.nn.functional.binary_cross_entropy_with_logits(strongest, wanted)
        loss = loss + _RIDGE[scales[0]] * sum((w[1:] ** 2).sum() for w in weights.values())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    found: dict[str, dict[str, float]] = {}
    for scale in scales:
        slope = weights[scale].detach()[1:] / spreads[scale]
        constant = float(weights[scale].detach()[0] - (slope * means[scale]).sum())
        found[scale] = {"constant": constant, **dict(zip(names[scale], map(float, slope), strict=True))}
    return found


def check(bags: Bags, scales: Sequence[str], worlds: Mapping[str, str]) -> None:
    """How the scales do on cases that they were not fitted on; cases about one world are in one fold."""
    chosen = {key: pairs for key, pairs in bags.items() if key[0] == scales[0]}
    known = sorted({worlds[key[1]] for key in chosen})
    Random(1).shuffle(known)
    fold = {world: i % _FOLDS for i, world in enumerate(known)}
    found: list[tuple[float, bool]] = []
    for n in range(_FOLDS):
        weights = fit({key: pairs for key, pairs in chosen.items() if fold[worlds[key[1]]] != n}, scales)
        found += [
            (max(_weigh(weights[p.scale], p.evidence) for p in pairs), key[2] == "wrong")
            for key, pairs in chosen.items()
            if fold[worlds[key[1]]] == n
        ]
    wanted = sum(is_wrong for _, is_wrong in found)
    for threshold in _THRESHOLDS:
        kept = [is_wrong for probability, is_wrong in found if probability >= threshold]
        precision = sum(kept) / len(kept) if kept else 1.0
        print(f"{scales[0]:<10} {threshold:.2f}: precision {precision:.3f}, recall {sum(kept) / max(1, wanted):.3f}")


def count_bars(bags: Bags, scales: Sequence[str]) -> None:
    """Of the sentences of which the judge is so sure both ways, how many are wrong; nothing is fitted here."""
    for scale in scales:
        for least, most in _BARS:
            kept = [
                key[2] == "wrong"
                for key, pairs in bags.items()
                if any(p.scale == scale and _reaches(p.evidence, least, most) for p in pairs)
            ]
            print(f"{scale:<10} {least:.2f}, {most:.2f}: {sum(kept)} of {len(kept)} are wrong")


def _reaches(evidence: Mapping[str, float], least: float, most: float) -> bool:
    if "low" not in evidence or evidence["best_support"] > log_odds(_BORNE_OUT):
        return False
    return evidence["low"] >= log_odds(least) and evidence["high"] >= log_odds(most)


def _weigh(weights: Mapping[str, float], evidence: Mapping[str, float]) -> float:
    total = weights["constant"] + sum(weights[name] * value for name, value in evidence.items())
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, total))))


def _world_of(case: Mapping[str, Any]) -> str:
    entities: Sequence[Mapping[str, Any]] = case.get("knowledge", {}).get("entities") or ()
    return entities[0]["name"] if entities else case["id"]


def main() -> None:
    names = [name for name in sys.argv[1:] if name != "--check"]
    lines = [line for name in names for line in Path(name).read_text(encoding="utf-8").splitlines()]
    cases = [json.loads(line) for line in lines if line.strip()]
    bags = gather(cases)
    if "--check" in sys.argv:
        for scales in _SCALES:
            check(bags, scales, {case["id"]: _world_of(case) for case in cases})
            count_bars(bags, scales)
        return
    print("# Each number is the worth of one piece of evidence, in log-odds; see training/scales.py.")
    for scales in _SCALES:
        for scale, weights in fit(bags, scales).items():
            print(f"\n[{scale}]")
            for name, weight in weights.items():
                print(f"{name} = {weight:.3f}")


if __name__ == "__main__":
    main()
