"""Names: the same one in another spelling, a part that only one bears, a slip of the keyboard.

Case, articles, titles, possessives and legal forms do not make a name another one; a number, a code or another given
name does.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from difflib import SequenceMatcher
from functools import cache, lru_cache

from groundwire.text import lexicon
from groundwire.text.tables import read_table

_WORD = re.compile(r"\w+(?:[.&+](?=\w)\w+)*", re.UNICODE)
_POSSESSIVE = re.compile(r"['’`](?:s\b|S\b)?")
_ARTICLES = frozenset({"the", "a", "an", "our", "your", "my", "their", "his", "her", "its", "this", "that", "these"})
_LINKS = frozenset({"of", "the", "and", "for", "in", "at", "de", "la", "von", "van", "der", "del", "da"})
_LONGEST_WORDS = 12
_MOST_CHARACTERS = 200
_FEW = 16
_SHORTEST = 3
_MOST_ALIKE = 64
"""How many names that share letters are compared in full."""


@cache
def _titles() -> frozenset[str]:
    return frozenset(read_table("entities")["names"]["honorifics"]) | {"professor", "doctor", "mister", "madam"}


@cache
def _before_names() -> frozenset[str]:
    return _titles().union(_ARTICLES)


@cache
def _legal_forms() -> frozenset[str]:
    return frozenset(read_table("entities")["names"]["suffixes"]) | {
        "incorporated", "limited", "corporation", "company", "sa", "ab", "as", "bv", "nv", "oy", "pty", "llp", "kg",
    }  # fmt: skip


@lru_cache(maxsize=16384)
def name_words(name: str) -> tuple[str, ...]:
    """The words that tell one name from another, in one case and without accents."""
    plain = name[:_MOST_CHARACTERS]
    if not plain.isascii():
        plain = unicodedata.normalize("NFKD", plain)
        plain = "".join(c for c in plain if not unicodedata.combining(c))
    plain = plain.casefold().replace("_", " ")
    if not plain.isalpha():
        plain = _POSSESSIVE.sub("", plain)
    words = [w.replace(".", "") for w in _WORD.findall(plain)]
    while len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[0] in _titles():
        words = words[1:]
    while len(words) > 1 and words[-1] in _legal_forms():
        words = words[:-1]
    return tuple(w for w in words if w)


def name_key(name: str) -> str:
    return " ".join(name_words(name))


class NameIndex:
    """Names of things by number; built once, linear in the names, asked without walking through them."""

    def __init__(self) -> None:
        self._exact: dict[str, list[int]] = defaultdict(list)
        self._squeezed: dict[str, list[int]] = defaultdict(list)
        self._unordered: dict[frozenset[str], list[int]] = defaultdict(list)
        self._by_word: dict[str, dict[int, list[tuple[str, ...]]]] = defaultdict(dict)
        self._by_letters: dict[str, list[tuple[int, tuple[str, ...]]]] = defaultdict(list)
        self._found: dict[str, tuple[int, ...]] = {}
        self._begun: dict[str, bool] = {}
        self._initials: set[str] = set()
        self._sorted: list[str] | None = None
        self.longest = 0

    def add(self, name: str, number: int) -> None:
        words = name_words(name)
        if not words:
            return
        self._found.clear()
        self._begun.clear()
        self._sorted = None
        self.longest = max(self.longest, len(words))
        key = " ".join(words)
        if number in self._exact[key]:
            return
        self._exact[key].append(number)
        self._squeezed["".join(words)].append(number)
        self._unordered[frozenset(words)].append(number)
        for word in words:
            self._by_word[word].setdefault(number, []).append(words)
        self._initials.update(word[0] for word in words)
        for letters in {word[:2] for word in words}:
            self._by_letters[letters].append((number, words))

    def may_begin(self, word: str) -> bool:
        """Whether any name, a part of one or a slip in one can begin with this word; most words begin none."""
        known = self._begun.get(word)
        if known is None:
            known = self._begun[word] = self._may_begin(word)
        return known

    def _may_begin(self, word: str) -> bool:
        words = name_words(word)
        if not words or word.casefold() in _before_names() or len(words[0]) == 1:
            return True
        if words[0] in self._by_word or (word[:1].isupper() and words[0][0] in self._initials):
            return True
        if self._sorted is None:
            self._sorted = sorted(self._squeezed)
        at = bisect_left(self._sorted, words[0])
        return at < len(self._sorted) and self._sorted[at].startswith(words[0])

    def get(self, name: str) -> tuple[int, ...]:
        """Those that bear exactly this name, whatever its case and trimmings."""
        words = name_words(name)
        found = self._exact.get(" ".join(words)) or self._squeezed.get("".join(words)) or ()
        return tuple(found)

    def find(self, name: str) -> tuple[int, ...]:
        """The same, and by word order, by a part of the name, by initials or in spite of a typing error."""
        known = self._found.get(name)
        if known is None:
            known = self._found[name] = self._find(name)
        return known

    def sharing(self, name: str) -> tuple[int, ...]:
        """Those with a word of `name` that few others have."""
        held = [self._by_word[word] for word in name_words(name) if word in self._by_word and word not in _LINKS]
        return tuple(dict.fromkeys(number for numbers in held if len(numbers) <= _FEW for number in numbers))

    def _find(self, name: str) -> tuple[int, ...]:
        if exact := self.get(name):
            return exact
        words = name_words(name)
        if not words or len(words) > _LONGEST_WORDS:
            return ()
        telling = frozenset(w for w in words if w not in _LINKS)
        if same := self._unordered.get(frozenset(words)) or self._unordered.get(telling):
            return tuple(same)
        return self._find_part(words, name) or self._find_initials(words) or self._find_slip(words)

    def _find_part(self, words: tuple[str, ...], written: str) -> tuple[int, ...]:
        """A part that stands for the whole: a name, or the noun at the end of a description."""
        holders = [self._by_word.get(word) for word in words]
        if any(not held for held in holders):
            return ()
        named = _is_capitalised(written)
        shortest = min((held for held in holders if held), key=len)
        found = [number for number, names in shortest.items() if any(_is_part(words, whole, named) for whole in names)]
        return tuple(found)

    def _find_initials(self, words: tuple[str, ...]) -> tuple[int, ...]:
        """ "J. Smith", and "John A. Smith" for John Smith."""
        full = tuple(w for w in words if len(w) > 1)
        if not full or len(full) == len(words):
            return ()
        held = self._by_word.get(full[-1], {})
        return tuple(n for n, names in held.items() if any(_fits_initials(words, whole) for whole in names))

    def _find_slip(self, words: tuple[str, ...]) -> tuple[int, ...]:
        seen: dict[int, None] = {}
        for letters in {word[:2] for word in words}:
            for number, whole in self._by_letters.get(letters, ()):
                if number not in seen and _is_misspelling(words, whole):
                    seen[number] = None
        return tuple(seen)

    def find_similar(self, name: str, least: float) -> list[tuple[int, float]]:
        """By how much of the spelling is shared, best first."""
        words = name_words(name)
        key = " ".join(words)
        scores: dict[int, float] = {}
        for letters in {word[:2] for word in words}:
            for number, whole in self._by_letters.get(letters, ())[:_MOST_ALIKE]:
                other = " ".join(whole)
                if 2 * min(len(key), len(other)) < least * (len(key) + len(other)):
                    continue
                score = _similarity(key, other)
                if score >= least and score > scores.get(number, 0.0):
                    scores[number] = score
        return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


@lru_cache(maxsize=8192)
def _similarity(left: str, right: str) -> float:
    """Shared spelling from 0 to 1; another number makes another thing."""
    if [w for w in left.split() if _is_code(w)] != [w for w in right.split() if _is_code(w)]:
        return 0.0
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


def _is_code(word: str) -> bool:
    return any(map(str.isdecimal, word))


def _is_part(words: Sequence[str], whole: tuple[str, ...], named: bool) -> bool:
    """Words in the order of the name; the last one must be its end, or a name rather than an ordinary noun."""
    if len(words) >= len(whole) or all(w in _LINKS or len(w) < _SHORTEST or _is_code(w) for w in words):
        return False
    size = len(words)
    start = next((i for i in range(len(whole) - size + 1) if whole[i : i + size] == tuple(words)), -1)
    if start < 0:
        return False
    is_name = not _is_plain(words[-1]) or (named and words[-1] not in _numbered())
    return is_name or start + size == len(whole)


def _is_capitalised(written: str) -> bool:
    words = [w for w in written.split() if w.casefold() not in _ARTICLES]
    return bool(words) and all(w[:1].isupper() for w in words)


@cache
def _numbered() -> frozenset[str]:
    return frozenset(read_table("names", "evidence")["numbered"])


@lru_cache(maxsize=8192)
def _is_plain(word: str) -> bool:
    """An ordinary noun: it says what kind of thing is meant, not which."""
    return lexicon.is_known(word) and any(
        tag[:2] in ("NN", "VB", "JJ") and tag != "NNP" for tag, _ in lexicon.readings(word)
    )


def _fits_initials(words: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    if len(words) == len(whole):
        return all(w == v or (len(w) == 1 and v.startswith(w)) or (len(v) == 1 and w.startswith(v))
                   for w, v in zip(words, whole, strict=True))  # fmt: skip
    full = tuple(w for w in words if len(w) > 1)
    return full == whole or full == tuple(w for w in whole if len(w) > 1)


def _is_misspelling(words: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """All words the same but for one slip; two words that both exist are two names."""
    if len(words) != len(whole):
        return False
    different = [(w, v) for w, v in zip(words, whole, strict=True) if w != v]
    return len(different) == 1 and is_slip(*different[0])


@cache
def _given_names() -> frozenset[str]:
    return frozenset(read_table("names", "evidence")["given"])


@lru_cache(maxsize=8192)
def is_slip(word: str, other: str) -> bool:
    """Whether one is the other with a letter too many, too few, wrong, or two swapped."""
    if _is_code(word) or _is_code(other) or min(len(word), len(other)) < 4 or abs(len(word) - len(other)) > 1:
        return False
    if word[0] != other[0] or (_exists(word) and _exists(other)):
        return False
    start = 0
    shortest = min(len(word), len(other))
    while start < shortest and word[start] == other[start]:
        start += 1
    rest, remainder = word[start:], other[start:]
    if len(rest) == len(remainder):
        swapped = rest[:2] == remainder[1::-1] and rest[2:] == remainder[2:]
        return swapped or (rest[1:] == remainder[1:] and shortest > 5)
    longer, shorter = (rest, remainder) if len(rest) > len(remainder) else (remainder, rest)
    doubled = start > 0 and longer[0] == word[start - 1]
    return longer[1:] == shorter and (doubled or shortest > 4) and longer not in ("s", "a", "o", "e", "n", "i")


def _exists(word: str) -> bool:
    return word in _given_names() or lexicon.is_known(word)
