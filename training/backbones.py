"""Published encoders under our own names for their tensors, and the tokenizer that both of them share."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

from training.network import Shape, Verifier, rename
from training.pairs import read_pairs

FOLDERS = {"mini": "all-MiniLM-L6-v2", "base": "all-mpnet-base-v2"}
_WEIGHTS, _TOKENIZER = "model.safetensors", "tokenizer.json"
_NEW = ("pool.", "head.", "early_")
_MARKS = ["[PAD]", *(f"[unused{i}]" for i in range(99)), "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
"""The first numbers of BERT's vocabulary."""


def list_missing(folder: Path) -> list[Path]:
    """The files that the stage needs and does not find."""
    wanted = [folder / name / _WEIGHTS for name in FOLDERS.values()]
    return [p for p in [*wanted, folder / FOLDERS["mini"] / _TOKENIZER] if not p.exists()]


def read_backbone(folder: Path, name: str, shape: Shape, target: Path) -> int:
    """Write `backbone-NAME.npz`; every tensor of the encoder must be there in the right shape. Returns parameters."""
    from safetensors.numpy import load_file

    found = {rename(key): value for key, value in load_file(folder / FOLDERS[name] / _WEIGHTS).items() if rename(key)}
    for key, parameter in Verifier(shape).named_parameters():
        if not key.startswith(_NEW) and (key not in found or found[key].shape != tuple(parameter.shape)):
            raise ValueError(f"{folder / FOLDERS[name]}: {key} is missing or of another shape than the configuration's")
    arrays = {key: value.astype(np.float32) for key, value in found.items() if key}
    partial = target.with_name("partial-" + target.name)
    np.savez(partial, **arrays)
    partial.rename(target)
    return sum(value.size for value in arrays.values())


def copy_tokenizer(folder: Path, target: Path) -> None:
    shutil.copyfile(folder / FOLDERS["mini"] / _TOKENIZER, target)


def learn_tokenizer(files: Iterable[Path], size: int, target: Path) -> None:
    """Letters and frequent words of the pairs, for runs that start from nothing; marks are numbered as in BERT.

    The trainers of the library break ties as they fall, and would give another vocabulary every time.
    """
    normalizer, splitter = normalizers.BertNormalizer(lowercase=True), pre_tokenizers.BertPreTokenizer()
    counts: Counter[str] = Counter()
    for pair in (pair for file in files for pair in read_pairs(file)):
        for text in (pair.premise, pair.hypothesis):
            counts.update(word for word, _ in splitter.pre_tokenize_str(normalizer.normalize_str(text)))
    letters = sorted({letter for word in counts for letter in word})
    words = sorted(counts, key=lambda word: (-counts[word], word))
    pieces = dict.fromkeys([*_MARKS, *letters, *("##" + letter for letter in letters), *words])
    vocabulary = {piece: number for number, piece in enumerate(list(pieces)[:size])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))  # type: ignore[call-arg]
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizer, splitter  # type: ignore[assignment]
    tokenizer.decoder = decoders.WordPiece()  # type: ignore[assignment]
    tokenizer.add_special_tokens([mark for mark in _MARKS if not mark.startswith("[unused")])
    tokenizer.post_processor = processors.TemplateProcessing(  # type: ignore[assignment]
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 101), ("[SEP]", 102)]
    )
    target.write_text(tokenizer.to_str(), encoding="utf-8")
