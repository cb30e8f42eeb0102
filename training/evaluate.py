"""The shipped models on the development sets, through the same judge and the same figures as `groundwire eval`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from groundwire.evaluation.pairs import LABELS, PairFile, read_pairs
from groundwire.evaluation.run import Options, compare
from groundwire.judge.calibration import read_calibration
from groundwire.judge.encoder import EncoderJudge
from groundwire.models.files import open_model
from groundwire.models.onnx import OnnxPairScorer

FIGURES = ("accuracy", "balanced_accuracy", "macro_f1", "f1_supported", "auroc", "ece")


def evaluate(folder: Path, root: Path, settings: Mapping[str, Any], say: Callable[[str], None]) -> dict[str, Any]:
    """Figures with their intervals, set by set; `pairs` limits how many of each set are drawn."""
    scorer = OnnxPairScorer(open_model(folder, "run: python -m training export"), read_calibration)
    judge = EncoderJudge(scorer, time.perf_counter)
    options = Options(resamples=int(settings["resamples"]))
    found: dict[str, Any] = {}
    for path in sorted(root.glob("dev_*.jsonl.gz")):
        name = path.name.removeprefix("dev_").removesuffix(".jsonl.gz")
        file = _select(read_pairs(path.read_bytes(), name)).sample(int(settings["pairs"]), seed=0)
        result = compare(judge.judge_all, [file], judge=folder.name, options=options).files[0]
        figures = {key: figure.to_dict() for key, figure in result.figures.items()}
        found[name] = {"n": result.n, "task": result.task.value, "figures": figures}
        say(f"{folder.name} {name}: {_sum_up(figures)} on {result.n}")
    return found


def _select(file: PairFile) -> PairFile:
    """Only the rows whose label says something of support."""
    return PairFile(file.name, tuple(p for p in file.pairs if p.label.lower() in LABELS), (), file.task)


def _sum_up(figures: Mapping[str, Mapping[str, Any]]) -> str:
    shown = [(key, figures[key]["value"]) for key in FIGURES if key in figures]
    return ", ".join(f"{key} {value:.3f}" for key, value in shown if value is not None)
