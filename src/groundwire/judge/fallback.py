"""The keyword checker: for text that cannot be read as sentences, in any script.

It supports only what the evidence says in the very same sentence, and refutes nothing but a changed number in
otherwise equal words.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from groundwire.judge.findings import Finding
from groundwire.text.sentences import split_sentences
from groundwire.types import Passage, Verdict

_WORD = re.compile(r"\w+")
_END = re.compile(r"[.!?;。！？।؟\n]+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")


@lru_cache(maxsize=4096)
def _normal(text: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


@lru_cache(maxsize=4096)
def _without_numbers(text: str) -> str:
    return _NUMBER.sub("#", text)


@lru_cache(maxsize=4096)
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@lru_cache(maxsize=1024)
def _sentences(text: str) -> frozenset[str]:
    """Whole sentences only: "you smoke" stands inside "do you smoke" and "never did you smoke" too."""
    pieces = [*_END.split(text), *(sentence.text for sentence in split_sentences(text))]
    return frozenset(_normal(piece) for piece in pieces)


def compare_surface(claim: str, passage: Passage) -> Finding | None:
    """Judge by the letters alone."""
    mine, theirs = _normal(claim), _normal(passage.text)
    if not mine:
        return None
    if mine == theirs or (mine in theirs and mine in _sentences(passage.text)):
        return Finding(Verdict.SUPPORTED, 0.75, "same_text", passage.id)
    if _without_numbers(mine) == _without_numbers(theirs):
        ours, other = _NUMBER.findall(mine), _NUMBER.findall(theirs)
        return Finding(
            Verdict.REFUTED, 0.69, "other_value", passage.id, claim_value=" ".join(ours), evidence_value=" ".join(other)
        )
    words = _words(mine)
    if len(words & _words(theirs)) / len(words) >= 0.5:
        return Finding(Verdict.INSUFFICIENT, 0.6, "overlap", passage.id)
    return None
