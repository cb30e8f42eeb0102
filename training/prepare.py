"""Public pairs and everything that is made from them, written to three files: training, distillation, calibration."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from groundwire.text.sentences import split_sentences
from training.augment.crossing import cross, siblings, turn
from training.augment.negation import negate_pairs
from training.augment.numbers import find_amounts, vary_amounts
from training.augment.passages import claims_of_passages, lengthen
from training.domain import generate
from training.domain.by_hand import pairs_of, read_by_hand, set_against
from training.gather import gather, split
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, UNLABELLED, Pair, write_pairs

_HAS_NUMBER = re.compile(r"\d| (?:two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|fifty) ")
_CLASSES = (ENTAIL, NEUTRAL, CONTRADICT)


def _sentences_with_numbers(pairs: Sequence[Pair], rng: random.Random) -> list[str]:
    texts = dict.fromkeys(t for p in pairs for t in (p.premise, p.hypothesis) if _HAS_NUMBER.search(t))
    found: dict[str, None] = {}
    for text in texts:
        pieces = [s.text for s in split_sentences(text)] if len(text) > 160 else [text]
        found.update((s, None) for s in pieces if 20 < len(s) < 260 and find_amounts(s))
    sentences = list(found)
    rng.shuffle(sentences)
    return sentences


def augment(pairs: Sequence[Pair], sizes: dict[str, Any], seed: int, say: Callable[[str], None]) -> list[Pair]:
    """Everything that our own rules make out of the gathered pairs."""
    rng = random.Random(seed)
    shuffled = list(pairs)
    rng.shuffle(shuffled)
    clear = [
        p for p in shuffled if p.label in _CLASSES and len(p.premise) < 400 and not p.source.startswith("curriculum")
    ]
    made: list[Pair] = []

    def add(name: str, found: Iterable[Pair]) -> None:
        before = len(made)
        made.extend(islice(found, int(sizes[name])))
        say(f"{name}: {len(made) - before:,}")

    add("negated", negate_pairs(clear, seed))
    add("numbers", vary_amounts(_sentences_with_numbers(shuffled, rng), seed, each=2))
    passages = list(dict.fromkeys(p.premise for p in shuffled if len(p.premise) > 120))
    add("passages", claims_of_passages(passages, seed))
    short = [p for p in clear if len(p.premise) < 220]
    add("lengthened", lengthen(short[: int(sizes["lengthened"]) * 2], seed))
    add("crossed", cross(shuffled, seed, int(sizes["crossed"])))
    add("turned", turn(clear, seed, int(sizes["turned"])))
    add("siblings", siblings(shuffled, seed, int(sizes["siblings"])))
    return made


def domain_pairs(count: int, seed: int) -> Iterable[Pair]:
    """Pairs of the grammar in `training.domain`."""
    for pair in generate(count, seed):
        yield Pair(pair.premise, pair.hypothesis, pair.label.value, pair.source)


def prepare(
    config: dict[str, Any],
    data: Path,
    out: Path,
    domain: Callable[[int, int], Iterable[Pair]] = domain_pairs,
    say: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Write `train`, `extra` (no labels) and `held` pairs under `out`."""
    settings, sizes, seed = config["data"], config["augment"], int(config["seed"])
    files = [data / name for name in settings["files"]]
    caps, cap, rows = settings["caps"], int(settings["default_cap"]), settings.get("rows_each")
    public = list(gather(files, caps, settings["unlabelled"], cap, rows))
    say(f"public pairs: {len(public):,}")
    train, held = split(public, float(config["held_out"]))
    made = augment(train, sizes, seed, say)
    train += made
    train += list(islice(domain(int(sizes["domain"]), int(sizes["domain_seed"])), int(sizes["domain"])))
    held += list(islice(domain(int(sizes["domain_held"]), int(sizes["domain_held_seed"])), int(sizes["domain_held"])))
    written, kept_back = read_by_hand(seed, most=sizes.get("by_hand"))
    train += [*pairs_of(written), *set_against(written, seed)]
    held += pairs_of(kept_back)
    say(f"by hand: {len(written):,} pieces of evidence, {len(kept_back):,} held back")
    rng = random.Random(seed)
    most = int(sizes.get("held_each", 2000))
    number_held = list(islice(vary_amounts(_sentences_with_numbers(held, rng), seed, each=1), most))
    held += number_held + list(islice(negate_pairs([p for p in held if len(p.premise) < 400], seed), most))
    not_trained = {p.premise for p in held}
    train = [p for p in train if p.premise not in not_trained]  # what our rules make may fall on a held premise
    groups = {
        "train": [p for p in train if p.label != UNLABELLED],
        "extra": [p for p in train if p.label == UNLABELLED],
        "held": [p for p in held if p.label != UNLABELLED],
    }
    found: dict[str, Any] = {}
    for name in ("held", "extra", "train"):  # the file whose presence says that all is done comes last
        rows = sorted(groups[name])
        count = write_pairs(out / f"{name}.jsonl.gz", rows)
        labels, sources = Counter(p.label for p in rows), Counter(p.source for p in rows)
        say(f"{name}: {count:,} {dict(labels)}")
        found[name] = {"pairs": count, "labels": dict(labels), "sources": dict(sources)}
    return found
