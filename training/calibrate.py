"""Probabilities that mean what they say: fitted to the shipped model's own logits on pairs that no training has seen.

The held pairs are drawn so that their mix is that of use (`calibrate.mix` in the configuration), and the method is the
one that does best on folds it was not fitted on.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groundwire.evaluation.fitting import fit_curves, fit_temperature, measure_loss
from groundwire.evaluation.reliability import tabulate
from groundwire.judge.calibration import VectorCalibration, read_calibration
from groundwire.models.files import CALIBRATION, MANIFEST, open_model
from groundwire.models.onnx import OnnxPairScorer
from training.gather import share
from training.manifest import write_manifest
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, Pair

Document = dict[str, Any]
Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
_CLASSES = {ENTAIL: 0, CONTRADICT: 1, NEUTRAL: 2}
"""In the order of the product."""
_SOFT = 8.0
_SLACK = 1.01
_LEAST = 1e-6


def draw_mix(pairs: Sequence[Pair], mix: Mapping[str, float], count: int) -> list[Pair]:
    """At most `count` pairs of three classes in the shares of `mix`, by the beginning of their source; "" is the rest.

    Where one kind has too few, all kinds shrink with it: the shares matter, not the number.
    """
    groups: dict[str, list[Pair]] = defaultdict(list)
    names = sorted((name for name in mix if name), key=len, reverse=True)
    for pair in pairs:
        if pair.label in _CLASSES:
            groups[next((n for n in names if pair.source.startswith(n)), "")].append(pair)
    wanted = {name: weight for name, weight in mix.items() if weight > 0 and groups[name]}
    if not wanted:
        raise ValueError("no held pair belongs to any kind of the mix")
    total = sum(wanted.values())
    most = min(count, *(len(groups[name]) * total / weight for name, weight in wanted.items()))
    drawn: list[Pair] = []
    for name, weight in wanted.items():
        ranked = sorted(groups[name], key=lambda p: (share(p.premise + "\0" + p.hypothesis, "draw"), p))
        drawn += ranked[: max(1, int(most * weight / total))]
    return drawn


def read_logits(folder: Path, pairs: Sequence[Pair], say: Callable[[str], None], chunk: int = 512) -> Floats:
    """What the shipped model says; scores come rounded, so they are asked for softened, which loses next to nothing."""
    scorer = OnnxPairScorer(open_model(folder, "run: export"), lambda _: VectorCalibration("soft", (1 / _SOFT,) * 3))
    rows: list[tuple[float, ...]] = []
    for start in range(0, len(pairs), chunk):
        rows += scorer.score([(p.premise, p.hypothesis) for p in pairs[start : start + chunk]])
        say(f"{folder.name}: {len(rows):,} of {len(pairs):,} held pairs")
    return np.log(np.maximum(np.array(rows), _LEAST)) * _SOFT


def fit_vector(logits: Floats, labels: Ints, steps: int = 400, rate: float = 0.05) -> Document:
    """A scale and a bias for each class, by gradient descent with momentum from the best temperature."""
    start = 1.0 / fit_temperature(logits, labels)
    values = np.concatenate([np.full(3, math.log(start)), np.zeros(3)])
    speed, right = np.zeros(6), np.eye(3)[labels]
    for _ in range(steps):
        scale, bias = np.exp(values[:3]), values[3:]
        gap = _softmax(logits * scale + bias) - right
        slope = np.concatenate([(gap * logits).mean(0) * scale, gap.mean(0)])
        speed = 0.9 * speed - rate * slope
        values = values + speed
    bias = values[3:] - values[3:].mean()
    return {"method": "vector", "scale": np.exp(values[:3]).round(6).tolist(), "bias": bias.round(6).tolist()}


def _fit_temperature(logits: Floats, labels: Ints) -> Document:
    return {"method": "temperature", "temperature": round(fit_temperature(logits, labels), 6)}


def _fit_isotonic(logits: Floats, labels: Ints) -> Document:
    temperature = fit_temperature(logits, labels)
    shares = _softmax(logits / temperature).round(4)
    least = 1 / (2 * len(labels))
    curves = [
        {"x": [x for x, _ in knots], "y": [round(min(max(y, least), 1 - least), 6) for _, y in knots]}
        for knots in fit_curves(shares.tolist(), labels.tolist())
    ]
    return {"method": "isotonic", "temperature": round(temperature, 6), "curves": curves}


METHODS: dict[str, Callable[[Floats, Ints], Document]] = {
    "temperature": _fit_temperature,
    "vector": fit_vector,
    "isotonic": _fit_isotonic,
}


def _softmax(logits: Floats) -> Floats:
    raised = np.exp(logits - logits.max(1, keepdims=True))
    return raised / raised.sum(1, keepdims=True)


def apply(document: Document, logits: Floats) -> Floats:
    """Probabilities as the product will compute them."""
    found = read_calibration({"version": "trial", **document})
    return np.array([found.calibrate(row) for row in logits.tolist()]).reshape(-1, 3)


def measure(probabilities: Floats, labels: Ints) -> dict[str, float]:
    """NLL, ECE and accuracy."""
    confidence, right = probabilities.max(1), probabilities.argmax(1) == labels
    loss = -np.log(np.maximum(probabilities[np.arange(len(labels)), labels], _LEAST)).mean()
    ece = tabulate(confidence.tolist(), right.tolist()).ece or 0.0
    return {"nll": round(float(loss), 5), "ece": round(ece, 5), "accuracy": round(float(right.mean()) * 100, 2)}


def cross_validate(logits: Floats, labels: Ints, fold: Ints) -> dict[str, dict[str, float]]:
    """Each method on every fold, fitted on the others."""
    found = {"none": measure(_softmax(logits), labels)}
    for name, fit in METHODS.items():
        probabilities = np.zeros_like(logits)
        for number in np.unique(fold):
            inside = fold == number
            probabilities[inside] = apply(fit(logits[~inside], labels[~inside]), logits[inside])
        found[name] = measure(probabilities, labels)
    return found


def choose(trials: Mapping[str, Mapping[str, float]]) -> str:
    """The lowest ECE among the methods whose NLL is within a hundredth of the best; a tie goes to the simpler."""
    least = min(trials[name]["nll"] for name in METHODS)
    return min((n for n in METHODS if trials[n]["nll"] <= least * _SLACK), key=lambda n: trials[n]["ece"])


def calibrate(folder: Path, held: Sequence[Pair], settings: Mapping[str, Any], say: Callable[[str], None]) -> Document:
    """Write `calibration.json` and the manifest of a model; returns what was measured."""
    pairs = draw_mix(held, settings["mix"], int(settings["pairs"]))
    logits = read_logits(folder, pairs, say)
    labels = np.array([_CLASSES[p.label] for p in pairs], dtype=np.intp)
    folds = int(settings["folds"])
    fold = np.array([int(share(p.premise, "fold") * folds) for p in pairs], dtype=np.intp)
    trials = cross_validate(logits, labels, fold)
    wanted = str(settings.get("method", "best"))
    method = choose(trials) if wanted == "best" else wanted
    fitted = METHODS[method](logits, labels)
    probabilities = apply(fitted, logits)
    right = (probabilities.argmax(1) == labels).tolist()
    table = tabulate(probabilities.max(1).tolist(), right).to_dict()
    document = {**fitted, **table, "fitted_on": [f"{n} {c}" for n, c in sorted(_count(pairs).items())]}
    document |= {"mix": dict(settings["mix"]), "cross_validated": trials}
    digest = hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()[:8]
    document = {"version": f"{method}-{digest}", **document}
    (folder / CALIBRATION).write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    write_manifest(folder, json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    say(f"{folder.name}: {method}, cross-validated {json.dumps(trials)}")
    return {"method": method, "pairs": len(pairs), "loss_before": round(measure_loss(logits, labels), 5), **trials}


def _count(pairs: Sequence[Pair]) -> Counter[str]:
    return Counter(pair.source for pair in pairs)
