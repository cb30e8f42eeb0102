"""Make the English dictionary that the text layer reads: word → possible parts of speech, with lemmas.

A tagged corpus decides which parts of speech a word can have and which comes first; the product
itself runs no tagger. Needs spaCy and an English pipeline (`pip install spacy` and a model such as
en_core_web_md); the corpus is any set of JSON lines with `premise` and `hypothesis`.

    python training/lexicon.py --model PATH --out src/groundwire/text/data/lexicon.tsv CORPUS.jsonl.gz ...
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

import spacy

OPEN_CLASSES = {"NN", "NNS", "NNP", "VB", "VBP", "VBZ", "VBD", "VBN", "VBG", "JJ", "JJR", "JJS", "RB", "RBR", "RBS"}
WORD = re.compile(r"[a-z][a-z'-]*[a-z]|[a-z]")


def sentences(paths: list[Path], limit: int, seed: int) -> list[str]:
    """A sample of distinct texts, the same one for the same seed."""
    seen: set[str] = set()
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                row = json.loads(line)
                for key in ("premise", "hypothesis"):
                    if 3 <= len(row[key].split()) <= 60:
                        seen.add(row[key])
    texts = sorted(seen)
    random.Random(seed).shuffle(texts)
    return texts[:limit]


def dictionary(tags: dict[str, Counter[str]], lemmas: dict[tuple[str, str], Counter[str]], least: int) -> list[str]:
    """One row a word: its parts of speech, most frequent first, each with its lemma where that differs.

    A verb lemma is listed as a verb even when the corpus shows it as a noun only ("coach"): its
    inflections ("coached") prove that it can be one.
    """
    entries: dict[str, list[tuple[str, str]]] = {}
    proven: Counter[str] = Counter()
    for word, counts in tags.items():
        total = sum(counts.values())
        if total < least:
            continue
        kept = [(tag, n) for tag, n in counts.most_common() if n >= max(2, 0.04 * total)]
        entries[word] = [(tag, lemmas[word, tag].most_common(1)[0][0]) for tag, _ in kept]
        for tag, n in kept:
            if tag.startswith("VB"):
                proven[lemmas[word, tag].most_common(1)[0][0]] += n
    for lemma, n in proven.items():
        readings = entries.get(lemma, [])
        if n >= least and readings and not any(tag in {"VB", "VBP"} for tag, _ in readings):
            readings.append(("VB", lemma))
    for word, readings in entries.items():
        if not any(tag in {"VB", "VBP"} for tag, _ in readings):
            entries[word] = [(tag, lemma) for tag, lemma in readings if tag not in {"VBD", "VBN"} or lemma != word]
    return [
        word + "\t" + " ".join(tag if lemma == word else f"{tag}:{lemma}" for tag, lemma in readings)
        for word, readings in sorted(entries.items())
        if any(tag != "NNP" for tag, _ in readings)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", nargs="+", type=Path)
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=250_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--least", type=int, default=4, help="how often a word must occur")
    options = parser.parse_args()

    pipeline = spacy.load(options.model, exclude=["parser", "ner"])
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    lemmas: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    texts = sentences(options.corpora, options.limit, options.seed)
    for done, document in enumerate(pipeline.pipe(texts, batch_size=512), 1):
        if done % 20_000 == 0:
            print(f"{done:,} of {len(texts):,} texts, {len(tags):,} words", file=sys.stderr, flush=True)
        for position, token in enumerate(document):
            lower = token.lower_
            if token.tag_ not in OPEN_CLASSES or not WORD.fullmatch(lower):
                continue
            if token.tag_ == "NNP" and position == 0:
                continue
            tags[lower][token.tag_] += 1
            lemmas[lower, token.tag_][token.lemma_.lower()] += 1

    rows = dictionary(tags, lemmas, options.least)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows):,} words in {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
