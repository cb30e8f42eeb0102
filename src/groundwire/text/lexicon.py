"""The English dictionary: which parts of speech a word can have, most likely first, and its lemma.

The table was counted on a tagged corpus (`training/lexicon.py`), and words that the corpus did not show come from
WordNet (`training/rare_words.py`); at run time both are only looked up.
Words that are not in it are guessed from their endings.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources

_TABLES = ("lexicon.tsv", "rare_words.tsv")
_BRITISH = re.compile(r"(i|y)s(e|es|ed|ing|er|ers|able|ation|ations)\Z")

Reading = tuple[str, str]
"""A Penn tag and the lemma that goes with it."""


@cache
def _rows() -> dict[str, str]:
    folder = resources.files("groundwire.text").joinpath("data")
    rows: dict[str, str] = {}
    for name in _TABLES:
        for line in folder.joinpath(name).read_text(encoding="utf-8").splitlines():
            word, _, readings = line.partition("\t")
            rows[word] = readings
    return rows


@lru_cache(maxsize=16384)
def readings(word: str) -> tuple[Reading, ...]:
    """The readings of a lower-case word; guessed from its ending where the dictionary has none."""
    row = _rows().get(word)
    if row is None:
        return _guess(word)
    found: list[Reading] = []
    for entry in row.split(" "):
        tag, _, lemma = entry.partition(":")
        found.append((tag, lemma or word))
    return tuple(found)


def is_known(word: str) -> bool:
    return word in _rows() or _respell(word) in _rows()


def _respell(word: str) -> str:
    """The American spelling of "organises", "analysed" and their like; the word itself for all others."""
    return word if "s" not in word else _BRITISH.sub(lambda found: f"{found[1]}z{found[2]}", word)


@lru_cache(maxsize=16384)
def verb_lemma(word: str) -> str | None:
    """The lemma of `word` if it can be a verb form."""
    for tag, lemma in readings(word):
        if tag[0] == "V":
            return lemma
    return None


@lru_cache(maxsize=16384)
def noun_lemma(word: str) -> str:
    """The singular of a noun; the word itself when nothing better is known."""
    for tag, lemma in readings(word):
        if tag in ("NNS", "NN"):
            return lemma
    return word


def _guess(word: str) -> tuple[Reading, ...]:
    if word[:1].isdigit():
        return (("NN", word),)  # "1870s" is no plural of 1870
    if (respelt := _respell(word)) in _rows():
        return readings(respelt)
    if "-" in word:
        return _guess_compound(word)
    for prefix in ("re", "un", "over", "under", "mis", "out"):
        rest = word.removeprefix(prefix)
        if rest != word and len(rest) > 2 and rest in _rows():
            verbal = tuple((tag, prefix + lemma) for tag, lemma in readings(rest) if tag[0] == "V")
            if verbal and any(tag in ("VBD", "VBN") for tag, _ in verbal):
                return verbal
    if word.endswith("ing") and len(word) > 5:
        return (("VBG", _verb_stem(word[:-3])), ("NN", word))
    if word.endswith("ed") and len(word) > 4:
        return (("VBN", _verb_stem(word[:-2])), ("VBD", _verb_stem(word[:-2])))
    if word.endswith("ly") and len(word) > 4:
        return (("RB", word),)
    if word.endswith(("ous", "ful", "ive", "ible", "able", "ish", "less", "ical")):
        return (("JJ", word),)
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        stem = _plural_stem(word)
        if any(tag in ("VB", "VBP") for tag, _ in readings(stem)) and stem in _rows():
            return (("NNS", stem), ("VBZ", stem))
        return (("NNS", stem),)
    return (("NN", word),)


def _guess_compound(word: str) -> tuple[Reading, ...]:
    last = word.rpartition("-")[2]
    if last in _rows() and last:
        return tuple((tag, word) for tag, _ in readings(last) if tag[0] != "V") or (("JJ", word),)
    return (("JJ", word), ("NN", word))


def _verb_stem(stem: str) -> str:
    rows = _rows()
    if stem in rows and any(tag[0] == "V" for tag, _ in readings(stem)):
        return stem
    if stem + "e" in rows:
        return stem + "e"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[:-1] in rows:
        return stem[:-1]
    if stem.endswith("i") and stem[:-1] + "y" in rows:
        return stem[:-1] + "y"
    return stem


def _plural_stem(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes")):
        return word[:-2]
    return word[:-1]
