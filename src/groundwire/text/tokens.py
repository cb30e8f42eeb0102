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
    """One word or mark; mutable only while the tagger works on it, and shared by all who read the sentence then."""

    __slots__ = ("end", "is_apart", "lemma", "low", "start", "tag", "text")

    def __init__(self, text: str, start: int, end: int, is_apart: bool = False) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.is_apart = is_apart
        """A word with white space before it, so that a space goes before it wherever it is quoted."""
        self.low = self.lemma = text.lower()
        self.tag = ""

    def __repr__(self) -> str:
        return f"{self.text}/{self.tag}"

    def moved(self, by: int) -> Token:
        """The same word at another place; many sentences come by here, so nothing is worked out again."""
        token = Token.__new__(Token)
        token.text, token.low, token.lemma, token.tag = self.text, self.low, self.lemma, self.tag
        token.start, token.end, token.is_apart = self.start + by, self.end + by, self.is_apart
        return token

    def retagged(self, letter: str) -> Token:
        """The same word as another part of speech."""
        token = self.moved(0)
        token.tag = letter
        return token


# Everything but white space at the end is some token, and the groups say which. Most words are plain: letters, and
# behind them nothing that could carry a word or an address on.
_TOKEN = re.compile(
    r"""(\s*+)(?:
    ((?![Cc][Aa][Nn][Nn][Oo][Tt]\b)[^\W\d_]\w{0,60}+(?![\w'’&/+\#@:.-]))  # plain word
  | (https?://[^\s<>"]+|[\w.+-]{1,64}+@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}|`[^`\n]{1,400}`)  # address
  | (\d{1,9}(?:-[^\W\d_]{1,30}){1,3})  # age
  | ((?:(?<=\s)[-−])?[$€£¥]?\d(?:[\d,.:/-]{0,30}\d)?
      (?:%|\s?°[CF]?|(?:st|nd|rd|th)\b|(?<=\d0)s\b|\s?[ap]\.m\.|\s?[ap]m\b|[kKmM]\b)?)  # number
  | ([^\W\d_](?:[\w]|[-'’.&/+](?=\w)|[+#](?=[+#\s.,;)]|$)){0,80})  # word
  | ([^\w\s]|_)  # mark
    )""",
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
def number_words() -> frozenset[str]:
    return frozenset(read_table("grammar")["tokens"]["numbers"])


def is_number_word(low: str) -> bool:
    """ "two", "third", "ninety-one"."""
    numbers = number_words()
    return low in numbers or ("-" in low and all(part in numbers for part in low.split("-")))


def tokenize(text: str, offset: int = 0) -> list[Token]:
    """Tokens of `text`, untagged except where the shape alone decides; offsets shifted by `offset`."""
    tokens: list[Token] = []
    at, absorbed = offset, -1
    for space, plain, address, age, number, word, mark in _TOKEN.findall(text):
        start = at + len(space)
        if plain:
            at = start + len(plain)
            tokens.append(Token(plain, start, at, space != ""))
        elif word:
            at = start + len(word)
            if _is_abbreviated(word, text, at - offset):
                absorbed, word = at, word + "."
            _add_word(tokens, word, start, is_apart=space != "")
        else:
            piece = address or age or number or mark
            at = start + len(piece)
            if start == absorbed:
                continue
            token = Token(piece, start, at, is_apart=not mark and space != "")
            token.tag = "#" if number else "J" if age else "@" if address else _tag_mark(mark)
            tokens.append(token)
    low = text.casefold()
    if " as " in low and _AS_AS.search(text) is not None:
        tokens = _join(tokens)
    return _join_adverbs(tokens) if any(words in low for words in _adverbs()) else tokens


@cache
def _adverbs() -> dict[str, str]:
    """Adverbs of several words, with the one that says as much."""
    return read_table("grammar")["adverbs"]["joined"]


def _join_adverbs(tokens: list[Token]) -> list[Token]:
    """ "At the moment" is "now"; what goes on with a noun is none ("any more questions", "at the moment of sale")."""
    joined: list[Token] = []
    i = 0
    while i < len(tokens):
        found = next((words for words in _adverbs() if _stands_at(tokens, i, words.split())), "")
        if found:
            end = i + len(found.split())
            whole = Token(" ".join(t.text for t in tokens[i:end]), tokens[i].start, tokens[end - 1].end, is_apart=True)
            whole.low = whole.lemma = _adverbs()[found]
            whole.tag = "R"
            joined.append(whole)
            i = end
        else:
            joined.append(tokens[i])
            i += 1
    return joined


def _stands_at(tokens: list[Token], i: int, words: list[str]) -> bool:
    end = i + len(words)
    if [token.low for token in tokens[i:end]] != words:
        return False
    return end == len(tokens) or not tokens[end].text[0].isalnum() or tokens[end].low in _GOING_ON


_GOING_ON = frozenset(
    """
    and but or so because as since while though although if when where which who after before until for with by at in on
    to from you i we he she they it is are was were that than due my your our his her their its the a an being not
    """.split()  # noqa: SIM905
)

_AS_AS = re.compile(r"\bas [a-z]+ as ", re.IGNORECASE)
_ABLE = frozenset({"can", "could", "possible"})


def _join(tokens: list[Token]) -> list[Token]:
    """ "As soon as" joins on a clause like "when", "as often as I can" is an adverb; neither is a claim of its own."""
    joined: list[Token] = []
    i = 0
    while i < len(tokens):
        size, letter = 1, ""
        if tokens[i].low == "as" and i + 2 < len(tokens) and tokens[i + 2].low == "as":
            size, letter = _measure(tokens, i)
        if letter:
            words = tokens[i : i + size]
            text = " ".join(token.text for token in words)
            whole = Token(text, words[0].start, words[-1].end, is_apart=words[0].is_apart)
            whole.tag = letter
            joined.append(whole)
        else:
            joined.append(tokens[i])
        i += size
    return joined


def _measure(tokens: list[Token], i: int) -> tuple[int, str]:
    """How many words are one, and their letter: "as soon as", "as fast as possible", "as much as she could"."""
    ends = [i + 3, i + 4] if i + 4 < len(tokens) else [i + 3]
    for end in ends:
        if (
            end < len(tokens)
            and tokens[end].low in _ABLE
            and not (
                end + 1 < len(tokens)
                and tokens[end + 1].text[0].isalpha()
                and tokens[end + 1].low not in ("and", "but")
            )
        ):
            return end + 1 - i, "R"
    return (3, "U") if tokens[i + 1].low == "soon" else (1, "")


def _tag_mark(mark: str) -> str:
    return _MARKS.get(mark) or ("-" if mark in _DASHES else ".")


def _is_abbreviated(word: str, text: str, end: int) -> bool:
    """A full stop behind the word belongs to it, unless it ends the text as well."""
    if not text.startswith(".", end) or end + 1 >= len(text):
        return False
    return word.lower() in _abbreviations() or (len(word) == 1 and word.isupper())


def _add_word(tokens: list[Token], piece: str, start: int, *, is_apart: bool) -> None:
    clitic = _CLITIC.search(piece) if "'" in piece or "’" in piece else None
    if clitic is not None and piece[: clitic.start()].lower() not in ("master", "bachelor", "associate"):
        cut = clitic.start()
        if cut:
            _add_word(tokens, piece[:cut], start, is_apart=is_apart)
        tokens.append(Token(piece[cut:], start + cut, start + len(piece)))
    elif piece.lower() == "cannot":
        tokens.append(Token(piece[:3], start, start + 3, is_apart=is_apart))
        tokens.append(Token(piece[3:], start + 3, start + 6))
    else:
        tokens.append(Token(piece, start, start + len(piece), is_apart=is_apart))
