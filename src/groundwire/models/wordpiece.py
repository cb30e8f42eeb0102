"""Word pieces as BERT cuts them: lower case, no accents, signs by themselves, each word into its longest known pieces.

The models that ship and that are published for Groundwire all read this way, so that nothing has to be installed for
it. What a text says of separators ("[SEP]") is its own words here and never a separator.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

_ASCII = re.compile(r"[a-z0-9]+|[!-/:-@\[-`{-~]")
_UNSEEN = str.maketrans(dict.fromkeys((*range(9), 11, 12, *range(14, 32), 127)))
_CHINESE = (
    (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F), (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
)  # fmt: skip
_MOST_WORDS = 100_000
"""Remembered with their pieces; a text that invents words must not fill the memory."""
_CONTINUED = "##"
_NORMALIZER = {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "lowercase": True}

Place = tuple[int | None, int, int]
"""A piece of its own, or None for a text; which text; and the type of what stands there."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """The pieces of a text, or of two. `sequence_ids` says to which a piece belongs, `offsets` where it stands."""

    ids: list[int]
    type_ids: list[int]
    sequence_ids: list[int | None]
    offsets: list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around one text, and around two."""

    single: tuple[Place, ...]
    pair: tuple[Place, ...]


class WordPiece:
    """A tokenizer as a model's `tokenizer.json` describes it."""

    def __init__(self, vocabulary: Mapping[str, int], unknown: str, longest: int, frame: Frame) -> None:
        self._vocabulary = vocabulary
        self._unknown = vocabulary[unknown]
        self._longest = longest
        self._frame = frame
        self._known: dict[str, tuple[int, ...]] = {}
        self._folding = _Folding()
        self._most = max(map(len, vocabulary))

    def token_to_id(self, token: str) -> int | None:
        return self._vocabulary.get(token)

    def encode_batch_fast(
        self, texts: Sequence[str | tuple[str, str]], *, add_special_tokens: bool = True
    ) -> list[Encoding]:
        """Without offsets, which take longer than all the rest."""
        return [self._join([self._cut(t) for t in _parts(text)], add_special_tokens) for text in texts]

    def encode(self, *texts: str) -> Encoding:
        """One text or two, with what stands around them and with offsets."""
        located = [self._locate(text) for text in texts]
        joined = self._join([[piece for piece, _ in pieces] for pieces in located], True)
        places = [iter(pieces) for pieces in located]
        offsets = [(0, 0) if part is None else next(places[part])[1] for part in joined.sequence_ids]
        return Encoding(joined.ids, joined.type_ids, joined.sequence_ids, offsets)

    def _join(self, parts: Sequence[list[int]], framed: bool) -> Encoding:
        if not framed:
            return Encoding(parts[0], [], [], [])
        ids: list[int] = []
        types: list[int] = []
        sequences: list[int | None] = []
        for own, part, kind in self._frame.pair if len(parts) == 2 else self._frame.single:
            pieces = parts[part] if own is None else [own]
            ids += pieces
            types += [kind] * len(pieces)
            sequences += [part if own is None else None] * len(pieces)
        return Encoding(ids, types, sequences, [])

    def _cut(self, text: str) -> list[int]:
        if text.isascii():
            words = _ASCII.findall(text.lower().translate(_UNSEEN))
        else:
            words = text.translate(self._folding).split()
        known, found = self._known, list[int]()
        for word in words:
            pieces = known.get(word)
            if pieces is None:
                pieces = self._learn(word)
            found += pieces
        return found

    def _learn(self, word: str) -> tuple[int, ...]:
        if len(self._known) >= _MOST_WORDS:
            self._known = {}
        pieces = self._known[word] = tuple(piece for piece, _, _ in self._split(word))
        return pieces

    def _split(self, word: str) -> list[tuple[int, int, int]]:
        """The longest piece that fits, again and again; a word that does not come out is one unknown piece."""
        unknown = [(self._unknown, 0, len(word))]
        if len(word) > self._longest:
            return unknown
        found: list[tuple[int, int, int]] = []
        start = 0
        while start < len(word):
            for end in range(min(len(word), start + self._most), start, -1):
                piece = self._vocabulary.get((_CONTINUED if start else "") + word[start:end])
                if piece is not None:
                    found.append((piece, start, end))
                    start = end
                    break
            else:
                return unknown
        return found

    def _locate(self, text: str) -> list[tuple[int, tuple[int, int]]]:
        """Pieces with their places in the text as it is written."""
        words: list[list[tuple[str, int]]] = [[]]
        for place, character in enumerate(text):
            for folded in self._folding[ord(character)]:
                if folded == " ":
                    words.append([])
                else:
                    words[-1].append((folded, place))
        found: list[tuple[int, tuple[int, int]]] = []
        for word in words:
            for piece, start, end in self._split("".join(folded for folded, _ in word)) if word else ():
                found.append((piece, (word[start][1], word[end - 1][1] + 1)))
        return found


class _Folding(dict[int, str]):
    """Every character as it is read, learned when it is first seen: spaces around what stands by itself."""

    def __missing__(self, code: int) -> str:
        folded = self[code] = _fold(chr(code))
        return folded


def _fold(character: str) -> str:
    if character in "\t\n\r" or character.isspace():
        return " " if character in "\t\n\r" or unicodedata.category(character) != "Cc" else ""
    if character in "\0\ufffd" or unicodedata.category(character) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if any(first <= ord(character) <= last for first, last in _CHINESE):
        return f" {unicodedata.normalize('NFD', character)} "
    plain = [part for part in unicodedata.normalize("NFD", character) if unicodedata.category(part) != "Mn"]
    return "".join(f" {part} " if _is_sign(part) else part for part in "".join(plain).lower())


def _is_sign(character: str) -> bool:
    ascii_sign = character.isascii() and not character.isalnum() and not character.isspace()
    return ascii_sign or unicodedata.category(character)[0] == "P"


def _parts(text: str | tuple[str, str]) -> Iterable[str]:
    return (text,) if isinstance(text, str) else text


# ── from a tokenizer.json ───────────────────────────────────────────────────────────────────────


def read_wordpiece(document: Mapping[str, Any]) -> WordPiece | None:
    """The tokenizer that a document describes; None where it describes one of another kind."""
    model, normalizer = _take(document, "model"), _take(document, "normalizer")
    vocabulary, frame = _take(model, "vocab"), _read_frame(document.get("post_processor"))
    fits = (
        (model.get("type"), model.get("continuing_subword_prefix")) == ("WordPiece", _CONTINUED)
        and model.get("unk_token") in vocabulary
        and {name: normalizer.get(name) for name in _NORMALIZER} == _NORMALIZER
        and normalizer.get("strip_accents") in (None, True)
        and document.get("pre_tokenizer") == {"type": "BertPreTokenizer"}
    )
    if not fits or frame is None:
        return None
    return WordPiece(vocabulary, str(model["unk_token"]), int(model.get("max_input_chars_per_word", 100)), frame)


def _take(document: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = document.get(name)
    return cast(dict[str, Any], found) if isinstance(found, dict) else {}


def _read_frame(document: object) -> Frame | None:
    if not isinstance(document, dict):
        return None
    fields = cast(Mapping[str, Any], document)
    if fields.get("type") == "RobertaProcessing":
        begin, end = int(fields["cls"][1]), int(fields["sep"][1])
        first, second = (begin, 0, 0), (end, 0, 0)
        return Frame((first, (None, 0, 0), second), (first, (None, 0, 0), second, second, (None, 1, 0), second))
    if fields.get("type") != "TemplateProcessing":
        return None
    special = {name: int(entry["ids"][0]) for name, entry in fields["special_tokens"].items()}
    return Frame(*(_read_template(fields[name], special) for name in ("single", "pair")))


def _read_template(template: Sequence[Mapping[str, Any]], special: Mapping[str, int]) -> tuple[Place, ...]:
    found: list[Place] = []
    for entry in template:
        if "SpecialToken" in entry:
            own = entry["SpecialToken"]
            found.append((special[own["id"]], 0, int(own["type_id"])))
        else:
            text = entry["Sequence"]
            found.append((None, "AB".index(text["id"]), int(text["type_id"])))
    return tuple(found)
