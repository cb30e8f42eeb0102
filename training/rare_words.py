"""Make the second half of the English dictionary: words that the tagged corpus did not show, from WordNet.

Only words that the text layer would otherwise misread are kept: verbs, adjectives and adverbs that are not in
lexicon.tsv, and nouns whose ending makes them look like something else ("atlas"). Names are left out, so that a
capital letter still tells one. WordNet's files come with Debian's `wordnet-base` and from its own site; its licence is
in NOTICE.

    python training/rare_words.py --wordnet DIRECTORY --out src/groundwire/text/data/rare_words.tsv
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

from groundwire.text import lexicon

TABLES = Path(lexicon.__file__).parent / "data"
NAMES = TABLES.parents[1] / "evidence" / "data" / "names.toml"
KNOWN_BETTER = [*(TABLES / f"{name}.toml" for name in ("aliases", "classes", "entities", "places", "grammar")), NAMES]
TAGS = {"verb": "VB VBP", "adj": "JJ", "adv": "RB", "noun": "NN"}
WORD = re.compile(r"[a-z]{3,}")


def read_words(folder: Path) -> dict[str, dict[str, int]]:
    """Every word that WordNet writes small, with its parts of speech and how often a corpus shows each."""
    small: set[str] = set()
    for part in TAGS:
        for fields in _lines(folder / f"data.{part}"):
            count = int(fields[3], 16)
            small.update(word.partition("(")[0] for word in fields[4 : 4 + 2 * count : 2])
    words: dict[str, dict[str, int]] = defaultdict(dict)
    for part in TAGS:
        for fields in _lines(folder / f"index.{part}"):
            word, senses = fields[0], int(fields[2])
            if WORD.fullmatch(word) and word in small:
                words[word][part] = 100 * int(fields[-senses - 1]) + senses
    return words


def _lines(path: Path) -> list[list[str]]:
    return [line.split() for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("  ")]


def read_known() -> set[str]:
    """Words of tables that know them better: names, places, tools, the closed classes. "Bob says" bobs nothing."""
    return {word for path in KNOWN_BETTER for word in WORD.findall(path.read_text(encoding="utf-8").lower())}


def make_rows(words: dict[str, dict[str, int]]) -> list[str]:
    rows: list[str] = []
    known = read_known()
    for word, parts in sorted(words.items()):
        if word in known or lexicon.is_known(word) or (word.endswith(("ing", "ed")) and "verb" not in parts):
            continue
        tags = [TAGS[part] for part in sorted(parts, key=lambda part: (-parts[part], part))]
        guessed = [tag for tag, lemma in lexicon.readings(word) if lemma == word]
        if tags != guessed:
            rows.append(word + "\t" + " ".join(tags))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, required=True, help="the folder of data.verb, index.verb and so on")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rows = make_rows(read_words(options.wordnet))
    options.out.write_text("\n".join(rows) + "\n", encoding="utf-8")
    print(f"{len(rows):,} words in {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
