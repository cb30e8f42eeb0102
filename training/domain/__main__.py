"""`python -m training.domain --count N --seed S --out FILE.jsonl.gz` writes pairs, one JSON object a line."""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from training.domain.generator import KINDS, generate


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m training.domain", description=__doc__)
    parser.add_argument("--count", type=int, default=150_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--out", type=Path, help="a .jsonl or .jsonl.gz file; without it the pairs go to standard output"
    )
    parser.add_argument("--kind", choices=sorted(KINDS), action="append", help="only these kinds")
    options = parser.parse_args()
    kinds = {name: draw for name, draw in KINDS.items() if not options.kind or name in options.kind}
    counts: Counter[tuple[str, str]] = Counter()
    with _open(options.out) as out:
        for pair in generate(options.count, options.seed, kinds):
            counts[pair.source, pair.label] += 1
            out.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
    for (source, label), number in sorted(counts.items()):
        print(f"{source}\t{label}\t{number}", file=sys.stderr)
    return 0


def _open(path: Path | None):
    if path is None:
        return open(sys.stdout.fileno(), "w", encoding="utf-8", closefd=False)
    if path.suffix == ".gz":
        return gzip.open(path, "wt", encoding="utf-8")
    return path.open("w", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
