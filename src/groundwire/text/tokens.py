"""Words with their offsets and parts of speech.

One letter a token, so that the clause grammar can be ordinary regular expressions over the letters:

    D determiner   S possessive   p pronoun   N noun   P proper name   # number   J adjective   R adverb
    V finite verb  B bare verb    G -ing      E participle             b be   h have   d do   M modal   n not
    I preposition  t to           C and/or    W relative               U subordinator   ' possessive 's
    , comma   . stop   : colon   ; semicolon   - dash   ( ) brackets   " quote   @ address or code
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.text.tables import read_table


class Token:
    """One word or mark; mutable only while the tagger works on it."""

    __slots__ = ("end", "lemma", "low", "start", "tag", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.low = text.lower()
        self.tag = ""
        self.lemma = self.low

    def __repr__(self) -> str:
        return f"{self.text}/{self.tag}"


_TOKEN = re.compile(
    r"""
    (?P<address>https?://[^\s<>"]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}|`[^`\n]{1,400}`)
  | (?P<aged>\d{1,9}(?:-[^\W\d_]{1,30}){1,3})
  | (?P<number>[$€£¥]?\d(?:[\d,.:/-]{0,30}\d)?(?:%|(?:st|nd|rd|th)\b|\s?[ap]\.m\.|\s?[ap]m\b|[kKmM]\b)?)
  | (?P<word>[^\W\d_](?:[\w]|[-'’.&/+](?=\w)|[+#](?=[+#\s.,;)]|$)){0,80})
  | (?P<mark>[^\w\s]|_)
    """,
    re.VERBOSE,
)
_CLITIC = re.compile(r"(?i)(n['’]t|['’](?:s|m|re|ve|d|ll))$")
_MARKS = {
    ",": ",",
    ";": ";",
    ":": ":",
    "(": "(",
    "[": "(",
    ")": ")",
    "]": ")",
    '"': '"',
    "“": '"',
    "”": '"',
    "«": '"',
    "»": '"',
}
_DASHES = frozenset("-–—")


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(read_table("grammar")["tokens"]["abbreviations"])


@cache
def _numbers() -> frozenset[str]:
    return frozenset(read_table("grammar")["tokens"]["numbers"])


def is_number_word(low: str) -> bool:
    """ "two", "third", "ninety-one"."""
    numbers = _numbers()
    return low in numbers or ("-" in low and all(part in numbers for part in low.split("-")))


def tokenize(text: str, offset: int = 0) -> list[Token]:
    """Tokens of `text`, untagged except where the shape alone decides; offsets shifted by `offset`."""
    tokens: list[Token] = []
    absorbed = -1
    for match in _TOKEN.finditer(text):
        kind, piece, start = match.lastgroup, match.group(), match.start() + offset
        if match.start() == absorbed:
            continue
        if kind == "word":
            end = match.end()
            if (
                text[end : end + 1] == "."
                and end + 1 < len(text)
                and (piece.lower() in _abbreviations() or (len(piece) == 1 and piece.isupper()))
            ):
                absorbed, piece = end, piece + "."
            _add_word(tokens, piece, start)
            continue
        token = Token(piece, start, start + len(piece))
        if kind == "number":
            token.tag = "#"
        elif kind == "aged":
            token.tag = "J"
        elif kind == "address":
            token.tag = "@"
        else:
            token.tag = _MARKS.get(piece) or ("-" if piece in _DASHES else ".")
        tokens.append(token)
    return tokens


def _add_word(tokens: list[Token], piece: str, start: int) -> None:
    clitic = _CLITIC.search(piece) if "'" in piece or "’" in piece else None
    if clitic is None or piece[: clitic.start()].lower() in ("master", "bachelor", "associate"):
        if piece.lower() == "cannot":
            tokens.append(Token(piece[:3], start, start + 3))
            tokens.append(Token(piece[3:], start + 3, start + 6))
            return
        tokens.append(Token(piece, start, start + len(piece)))
        return
    cut = clitic.start()
    if cut:
        _add_word(tokens, piece[:cut], start)
    token = Token(piece[cut:], start + cut, start + len(piece))
    tokens.append(token)
