"""How much of what is true passes: paragraphs of factual articles, checked against the articles they are taken from.

    python benchmarks/pass_rate.py FILE.jsonl[.gz] [--paragraphs 1000] [--together 4] [--field premise] [--json]

A file has one JSON object a line; the text in `--field` is a paragraph. An article is `--together` paragraphs in a row,
so that each has to be found among others. At least 85% of the claims must be SUPPORTED; whoever reads a report loses
faith in it when sound paragraphs are doubted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from groundwire.app import Groundwire
from groundwire.types import Passage, Verdict

LEAST = 0.85


@dataclass(frozen=True, slots=True)
class PassRate:
    """Claims by verdict, over every paragraph that was checked."""

    paragraphs: int
    claims: int
    supported: int
    refuted: int
    insufficient: int

    @property
    def share(self) -> float:
        return self.supported / self.claims if self.claims else 0.0


def measure(gate: Groundwire, articles: Iterable[Sequence[str]]) -> PassRate:
    """Each paragraph is verified against its whole article."""
    found: Counter[Verdict] = Counter()
    paragraphs = 0
    for article in articles:
        passages = [Passage(f"paragraph-{i}", text) for i, text in enumerate(article, 1)]
        for text in article:
            paragraphs += 1
            found.update(claim.verdict for claim in gate.verify(text, passages=passages).claims)
    return PassRate(
        paragraphs, found.total(), found[Verdict.SUPPORTED], found[Verdict.REFUTED], found[Verdict.INSUFFICIENT]
    )


def read_paragraphs(path: Path, field: str, most: int) -> list[str]:
    """The first `most` different texts; memories are at most so long, and a paragraph has to fit one."""
    texts: dict[str, None] = {}
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        for line in lines:
            text = str(json.loads(line)[field]).strip()
            if text and len(text) <= 8_192:
                texts[text] = None
            if len(texts) >= most:
                break
    return list(texts)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--paragraphs", type=int, default=1000)
    parser.add_argument("--together", type=int, default=4)
    parser.add_argument("--field", default="premise")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    if options.file is None:
        print("pass_rate.py: left out, name a file of paragraphs")
        return 0
    texts = read_paragraphs(options.file, options.field, options.paragraphs)
    found = measure(Groundwire(), _batch(texts, options.together))
    if options.json:
        print(json.dumps({**asdict(found), "share": found.share, "least": LEAST}))
    else:
        print(
            f"{found.paragraphs} paragraphs, {found.claims} claims: {found.share:.1%} supported "
            f"(at least {LEAST:.0%}), {found.refuted} refuted, {found.insufficient} insufficient"
        )
    return 0 if found.share >= LEAST else 1


def _batch(texts: Sequence[str], size: int) -> Iterable[Sequence[str]]:
    return (texts[start : start + size] for start in range(0, len(texts), size))


if __name__ == "__main__":
    sys.exit(main())
