"""Sentence splitting beside pySBD: how often both are right, and how long both take, in one run.

    python benchmarks/sentences.py [--json] [--golden FILE.jsonl.gz] [--ewt FILE.jsonl.gz]

A golden file holds `{"text", "sentences"}` a line (and `set`: only the English golden rules are taken where
sets are named); an EWT file holds `{"sentences"}`, which are joined by a space. Without files the cases in
`data/sentences.jsonl` are measured. A text counts as right when its sentences are exactly the expected ones;
boundary F1 compares the ends inside a text, without the last.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from groundwire.text.sentences import split_sentences

OWN_CASES = Path(__file__).parent / "data" / "sentences.jsonl"
GOLDEN_SET = "GOLDEN_EN_RULES_TEST_CASES"
ROUNDS = 5
PASSES = 3

Splitter = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """`seconds` is the best of several rounds, over all texts of the corpus."""

    corpus: str
    splitter: str
    texts: int
    right: int
    precision: float
    recall: float
    f1: float
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    options = _parse(arguments)
    splitters: dict[str, Splitter] = {"groundwire": _split_with_groundwire}
    try:
        splitters["pySBD"] = _load_pysbd()
    except ImportError:
        print('pySBD is not installed: pip install "groundwire[bench]"', file=sys.stderr)
    scores: list[Score] = []
    try:
        corpora = _read_corpora(options.golden, options.ewt)
    except (OSError, ValueError, KeyError) as error:
        print(f"cannot read the cases: {error}", file=sys.stderr)
        return 2
    for corpus, cases in corpora.items():
        timings = _time_side_by_side(splitters, cases, corpus)
        scores.extend(_score(corpus, name, split, cases, timings[name]) for name, split in splitters.items())
    ratios = _find_ratios(scores)
    if options.json:
        print(json.dumps({"scores": [asdict(score) for score in scores], "times_faster": ratios}, indent=2))
    else:
        _print_table(scores, ratios)
    return 0


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Sentence splitting beside pySBD.")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--golden", type=Path, help="golden rules, one JSON object a line")
    parser.add_argument("--ewt", type=Path, help="documents with their sentences, one JSON object a line")
    return parser.parse_args(arguments)


def _split_with_groundwire(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


def _load_pysbd() -> Splitter:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its patterns are written without raw strings
        import pysbd

    segmenter = pysbd.Segmenter(language="en", clean=False)
    return lambda text: [str(sentence).strip() for sentence in segmenter.segment(text)]


def _read_corpora(golden: Path | None, ewt: Path | None) -> dict[str, list[Case]]:
    corpora: dict[str, list[Case]] = {}
    if golden is not None:
        rows = list(_read_rows(golden))
        chosen = [row for row in rows if row.get("set") == GOLDEN_SET] or rows
        corpora["golden rules"] = [_make_case(row["text"], row["sentences"]) for row in chosen]
    if ewt is not None:
        corpora["UD-EWT"] = [_make_case(" ".join(row["sentences"]), row["sentences"]) for row in _read_rows(ewt)]
    if not corpora:
        corpora["own cases"] = [_make_case(row["text"], row["sentences"]) for row in _read_rows(OWN_CASES)]
    return corpora


def _read_rows(path: Path) -> Iterable[dict[str, Any]]:
    data = path.read_bytes()
    text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
    return (json.loads(line) for line in text.split("\n") if line.strip())


def _make_case(text: str, sentences: list[str]) -> Case:
    return Case(text, tuple(sentence.strip() for sentence in sentences))


def _time_side_by_side(splitters: dict[str, Splitter], cases: list[Case], corpus: str) -> dict[str, float]:
    """Rounds alternate between the splitters, so that a busy machine is busy for both; of the passes in a
    round the first one warms the caches that the other splitter has filled. The best pass counts.
    """
    best = dict.fromkeys(splitters, float("inf"))
    for turn in range(1, ROUNDS + 1):
        print(f"{corpus}: round {turn} of {ROUNDS}", file=sys.stderr)
        for name, split in (pair for pair in splitters.items() for _ in range(PASSES)):
            started = time.perf_counter()
            for case in cases:
                split(case.text)
            best[name] = min(best[name], time.perf_counter() - started)
    return best


def _score(corpus: str, name: str, split: Splitter, cases: list[Case], seconds: float) -> Score:
    right = hits = found = expected = 0
    for case in cases:
        sentences = [sentence for sentence in split(case.text) if sentence]
        right += tuple(sentences) == case.sentences
        ours, theirs = _find_boundaries(sentences), _find_boundaries(case.sentences)
        hits, found, expected = hits + len(ours & theirs), found + len(ours), expected + len(theirs)
    precision, recall = hits / found if found else 1.0, hits / expected if expected else 1.0
    f1 = 2 * precision * recall / (precision + recall) if hits else 0.0
    return Score(corpus, name, len(cases), right, precision, recall, f1, seconds)


def _find_boundaries(sentences: Sequence[str]) -> set[int]:
    """Inner ends, counted in characters that are not white space, so that trimming does not matter."""
    position, ends = 0, set[int]()
    for sentence in sentences[:-1]:
        position += len("".join(sentence.split()))
        ends.add(position)
    return ends


def _find_ratios(scores: list[Score]) -> dict[str, float]:
    seconds = {(score.corpus, score.splitter): score.seconds for score in scores}
    return {corpus: slow / seconds[corpus, "groundwire"] for (corpus, name), slow in seconds.items() if name == "pySBD"}


def _print_table(scores: list[Score], ratios: dict[str, float]) -> None:
    print(f"{'corpus':<14}{'splitter':<12}{'right':>12}{'precision':>11}{'recall':>9}{'F1':>9}{'ms':>10}")
    for score in scores:
        share = f"{score.right}/{score.texts}"
        rates = f"{score.precision:>11.4f}{score.recall:>9.4f}{score.f1:>9.4f}"
        print(f"{score.corpus:<14}{score.splitter:<12}{share:>12}{rates}{score.seconds * 1000:>10.1f}")
    for corpus, ratio in ratios.items():
        print(f"{corpus}: groundwire is {ratio:.1f} times as fast as pySBD")


if __name__ == "__main__":
    sys.exit(main())
