"""The words of a value: as they are shown, and in the one form that spellings of the same thing share."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.text import lexicon
from groundwire.text.folding import fold_text
from groundwire.text.inflection import gerund, names_activity, singular
from groundwire.text.numerals import parse_digits, show, spell_with_digits
from groundwire.text.tables import read_table

LONGEST = 400
"""Longer values are compared as they stand: no phrase that names a value is as long."""

# The words that end the core of a noun phrase.
PREPOSITIONS = frozenset({
    "of", "in", "at", "for", "with", "from", "on", "by", "to", "as", "near", "into", "about", "under", "over", "within",
    "between", "during", "since", "until", "after", "before", "via", "per", "against", "without", "outside",
    "named", "called", "who", "which", "that", "whose",
})  # fmt: skip
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5",
           "⅙": "1/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}  # fmt: skip
_PLAIN_MARKS = str.maketrans(
    {"‘": "'", "’": "'", "‚": "'", "‛": "'", "′": "'", "“": '"', "”": '"', "„": '"', "″": '"', "«": '"', "»": '"',
     "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "―": "-", "−": "-", "⁄": "/", "…": "..."}
    | {vulgar: f" {plain}" for vulgar, plain in _VULGAR.items()}
)  # fmt: skip
_PLAIN_LETTERS = str.maketrans({"ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i"})
_OPENING = " \"'`([{<*_,;:!?"
_CLOSING = " \"'`)]}>*_.,;:!?"
_EDGES = "\"'`()[]{}<>*,;:!?"
_BRACKETS = ("()", "[]", "{}")
_PLAIN = re.compile(r"[A-Za-z0-9]+(?: [A-Za-z0-9]+)*+")
"""Words and single spaces: nothing to clean, and no marks to take off."""
_INITIALS = re.compile(r"(?:[^\W\d_]{1,2}\.){1,6}[^\W\d_]{0,2}\.?")
_LIGHT_VERBS = frozenset({"play", "playing", "doing", "practicing", "practising", "going"})
_LEADING = frozenset({"in", "at", "on"})


@dataclass(frozen=True, slots=True)
class _Names:
    legal: frozenset[str]
    legal_behind_name: frozenset[str]
    determiners: frozenset[str]
    joining: frozenset[str]
    role_words: frozenset[str]
    fields: dict[str, str]


@cache
def _names() -> _Names:
    names = read_table("aliases")["names"]
    roles = read_table("seniority")["roles"]
    return _Names(
        legal=frozenset(names["legal"]),
        legal_behind_name=frozenset(names["legal_behind_name"]),
        determiners=frozenset(names["determiners"]),
        joining=frozenset(names["joining_prefixes"]),
        role_words=frozenset(roles["words"]),
        fields=roles["fields"],
    )


class Aliases:
    """Other names of one thing; a table is fixed once made, `extended` gives a larger one."""

    __slots__ = ("_anywhere", "_longest", "_spelling", "_whole")

    def __init__(self, anywhere: Mapping[str, str], whole: Mapping[str, str], spelling: Mapping[str, str]) -> None:
        self._anywhere = {" ".join(_plain_tokens(alias)): _plain_tokens(name) for alias, name in anywhere.items()}
        self._whole = {" ".join(_plain_tokens(alias)): _plain_tokens(name) for alias, name in whole.items()}
        # A name that holds one of its own aliases, as Las Vegas holds Vegas, is matched whole.
        self._anywhere |= {" ".join(name): name for name in self._anywhere.values() if len(name) > 1}
        self._spelling = dict(spelling)
        self._longest = _longest_by_first_word((*self._anywhere, *self._whole))

    def extended(self, names: Mapping[str, Iterable[str]]) -> Aliases:
        """This table and more names: `{"International Business Machines": ["Big Blue"]}`."""
        larger = Aliases({}, {}, self._spelling)
        larger._anywhere = self._anywhere | {
            " ".join(_plain_tokens(alias)): self.apply(_plain_tokens(name), ())
            for name, aliases in names.items()
            for alias in aliases
        }
        larger._whole = self._whole
        larger._longest = _longest_by_first_word((*larger._anywhere, *larger._whole))
        return larger

    def apply(self, tokens: Sequence[str], written: Sequence[str]) -> tuple[str, ...]:
        """`tokens` with every alias replaced, the longest first; `written` keeps their capitals."""
        result: list[str] = []
        at = 0
        while at < len(tokens):
            for length in range(min(self._longest.get(tokens[at], 0), len(tokens) - at), 0, -1):
                name = self._find(tokens, written, at, length)
                if name is not None:
                    result.extend(name)
                    at += length
                    break
            else:
                bare = _without_possessive(tokens[at])
                result.extend(self._anywhere.get(bare) or self._anywhere.get(singular(bare)) or (bare,))
                at += 1
        return tuple(result)

    def has(self, text: str) -> bool:
        """Whether the whole of `text` is one of the names."""
        return " ".join(_plain_tokens(text)) in self._anywhere

    def spell(self, word: str) -> str:
        """The word in the one spelling that its variants share."""
        return self._spelling.get(word, word)

    def _find(self, tokens: Sequence[str], written: Sequence[str], at: int, length: int) -> tuple[str, ...] | None:
        phrase = tokens[at] if length == 1 else " ".join(tokens[at : at + length])
        name = self._anywhere.get(phrase)
        if name is None and phrase in self._whole:
            is_alone = length == len(tokens)
            if is_alone or (written and all(word.isupper() for word in written[at : at + length])):
                return self._whole[phrase]
        return name


def _longest_by_first_word(phrases: Iterable[str]) -> dict[str, int]:
    """How many words the longest phrase has that starts with a word: where nothing starts, nothing is looked up."""
    longest: dict[str, int] = {}
    for phrase in phrases:
        words = phrase.split(" ")
        longest[words[0]] = max(longest.get(words[0], 0), len(words))
    return longest


@cache
def packaged_aliases() -> Aliases:
    """The table that ships with the package."""
    raw = read_table("aliases")
    anywhere: dict[str, list[str]] = raw["anywhere"]
    whole: dict[str, list[str]] = raw["whole"]
    return Aliases(
        {alias: name for name, aliases in anywhere.items() for alias in aliases},
        {alias: name for name, aliases in whole.items() for alias in aliases},
        raw["spelling"],
    )


def clean(text: str) -> str:
    """Unicode forms, white space and surrounding marks collapsed; capitals kept."""
    if _PLAIN.fullmatch(text) is not None:
        return text
    if not text.isascii():
        text = text.translate(_PLAIN_MARKS)
        if len(text) <= LONGEST:
            text = unicodedata.normalize("NFKC", text).translate(_PLAIN_MARKS)
        text = "".join(char for char in text if char.isascii() or unicodedata.category(char) not in ("Cf", "Cc", "Cs"))
    collapsed = " ".join(text.replace("\0", " ").split())
    return _unwrap(collapsed) or collapsed


def _unwrap(text: str) -> str:
    """`text` without the quotes, brackets and stops around it; 5'11" and U.S. keep theirs."""
    start, end = 0, len(text)
    opened = [closing for opening, closing in _BRACKETS if text.find(opening, 1) > 0]
    while start < end and text[start] in _OPENING:
        start += 1
    while end > start and text[end - 1] in _CLOSING:
        mark = text[end - 1]
        is_feet = mark in "\"'" and end - 2 >= start and text[end - 2].isdecimal()
        is_initial = mark == "." and end - start < 8 and _INITIALS.fullmatch(text, start, end) is not None
        if is_feet or is_initial or mark in opened:
            break
        end -= 1
    return text[start:end].strip()


def trim(text: str) -> str:
    """`text` cleaned, without leading determiners and trailing legal forms; capitals kept."""
    if _PLAIN.fullmatch(text) is not None:
        return _trim_plain(text)
    words = clean(text).split(" ")
    start, end, table = 0, len(words), _names()
    while start < end - 1 and (not (word := words[start].strip(_OPENING).lower()) or word in table.determiners):
        start += 1
    while end - start > 1 and _is_legal_form(words[end - 1], words[end - 2]):
        end -= 1
        while end - start > 1 and words[end - 1].strip(_CLOSING) in ("&", "and", ""):
            end -= 1
    kept = " ".join(words[start:end])
    return _unwrap(kept) or kept


def _trim_plain(text: str) -> str:
    """As `trim`, where words have no marks on them."""
    words, table = text.split(" "), _names()
    start, end = 0, len(words)
    while start < end - 1 and words[start].lower() in table.determiners:
        start += 1
    while end - start > 1 and _is_legal_form(words[end - 1], words[end - 2]):
        end -= 1
        while end - start > 1 and words[end - 1] == "and":
            end -= 1
    return text if end - start == len(words) else " ".join(words[start:end])


def normalise(text: str) -> str:
    """The value as it is shown: lower case, no article, no legal form, no stray marks; the number of nouns is kept."""
    return _normalise_short(text) if len(text) <= LONGEST else trim(text).lower()


@lru_cache(maxsize=16384)
def _normalise_short(text: str) -> str:
    return trim(text).lower()


def _is_legal_form(word: str, before: str) -> bool:
    form = word.strip(_CLOSING).replace(".", "").lower()
    table = _names()
    if form in table.legal:
        return True
    return form in table.legal_behind_name and word[:1].isupper() and before != before.lower()


def fold_case(text: str) -> str:
    """Lower case without look-alike letters and Latin accents: São Paulo, sao paulo."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFD", fold_text(text).casefold())
    letters: list[str] = []
    is_latin = False
    for char in folded:
        if unicodedata.combining(char):
            if not is_latin:
                letters.append(char)
        else:
            letters.append(char)
            is_latin = char.isascii()
    return unicodedata.normalize("NFC", "".join(letters)).translate(_PLAIN_LETTERS)


def _tokens(text: str) -> list[str]:
    """Words without the marks around them, compounds taken apart; capitals kept."""
    tokens: list[str] = []
    for chunk in text.split():
        word = chunk.strip(_EDGES)
        if word.isalnum():
            tokens.append(word)
            continue
        if word == "&":
            word = "and"
        if "." in word:
            word = _plain_dots(word)
        if "-" in word.strip("-"):
            tokens.extend(_split_hyphens(word.strip("-")))
        elif word:
            tokens.append(word)
    return tokens


def _plain_tokens(text: str) -> tuple[str, ...]:
    return tuple(fold_case(token) for token in _tokens(clean(text)))


def _plain_dots(word: str) -> str:
    """U.S. is us and Ph.D. phd; node.js, 1.5 and .net keep theirs."""
    if _INITIALS.fullmatch(word):
        return word.replace(".", "")
    return word.rstrip(".")


def _split_hyphens(word: str) -> list[str]:
    """Front-end is two words, e-mail one; codes and dates stay whole; 3-bedroom is a number and a word."""
    first, _, rest = word.partition("-")
    if word.replace("-", "").isalpha():
        if first.lower() in _names().joining:
            return [word.replace("-", "")]
        return [piece for piece in word.split("-") if piece]
    if first.isdecimal() and rest.replace("-", "").isalpha():
        return [first, *(piece for piece in rest.split("-") if piece)]
    return [word]


def _without_possessive(word: str) -> str:
    if word.endswith("'s") and len(word) > 2:
        return word[:-2]
    return word.rstrip("'") or word


def words_of(text: str, aliases: Aliases | None = None) -> tuple[str, ...]:
    """The words of a value in their one common form: no articles, aliases resolved, digits, singular heads."""
    return words_of_trimmed(trim(text), aliases)


def words_of_trimmed(trimmed: str, aliases: Aliases | None = None) -> tuple[str, ...]:
    """As `words_of`, for a value that was trimmed already."""
    written = _tokens(trimmed)
    lowered = [fold_case(token) for token in written]
    table = aliases or packaged_aliases()
    tokens = table.apply(lowered, written)
    tokens = _without_determiners(tokens)
    if len(tokens) > 1 and tokens[0] in _LEADING:
        tokens = tokens[1:]
    words = _join_versions([_plain_number(word) for word in spell_with_digits(tokens)])
    for index, word in enumerate(words):
        is_head = index + 1 == len(words) or words[index + 1] in PREPOSITIONS
        words[index] = table.spell(singular(word) if is_head else word)
    return tuple(_as_activity(_without_role(words)))


def _without_determiners(tokens: Sequence[str]) -> Sequence[str]:
    """A last word stays: vitamin A has no article."""
    determiners = _names().determiners
    last = len(tokens) - 1
    if determiners.isdisjoint(tokens):
        return tokens
    return [token for index, token in enumerate(tokens) if index == last or token not in determiners]


def _plain_number(word: str) -> str:
    """3,000 is 3000, #12 is 12; codes, versions and decimals stay as they are written."""
    if word[:1] in "#+" and word[1:].isdecimal():
        return word[1:]
    if not word[:1].isdecimal() or "," not in word:
        return word
    value = parse_digits(word)
    return word if value is None else show(value)


def _join_versions(words: list[str]) -> list[str]:
    """Version 2.0 is v2.0."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ("version", "ver", "v") and word[:1].isdecimal():
            joined[-1] = f"v{word}"
        else:
            joined.append(word)
    return joined


def _without_role(words: list[str]) -> list[str]:
    """ "engineering role", "job as an engineer" and "engineer" name one job."""
    table = _names()
    if len(words) > 2 and words[0] in table.role_words and words[1] in ("as", "of"):
        return words[2:]
    if len(words) < 2 or words[-1] not in table.role_words:
        return words
    before = words[-2]
    if before in table.fields:
        return [*words[:-2], table.fields[before]]
    return words[:-1] if names_person(before) else words


@lru_cache(maxsize=4096)
def names_person(noun: str) -> bool:
    """Whether a noun can name somebody by the job: engineer, artist, musician, nurse."""
    if noun in _names().fields.values():
        return True
    return noun.endswith(("er", "or", "ist", "ian", "ant", "eer", "man", "ive")) and lexicon.is_known(noun)


def _as_activity(words: list[str]) -> list[str]:
    """To swim, swim and swimming are one activity; playing chess is chess."""
    if len(words) > 1 and words[0] == "to" and lexicon.verb_lemma(words[1]) == words[1]:
        words = [gerund(words[1]), *words[2:]]
    elif len(words) == 1 and names_activity(words[0]):
        words = [gerund(words[0])]
    if len(words) > 1 and words[0] in _LIGHT_VERBS and words[1] not in PREPOSITIONS:
        words = words[1:]
    return words
