"""Which sentences of a passage a claim would rest on: those that have most of its words."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.text import lexicon
from groundwire.text.sentences import split_sentences
from groundwire.text.tables import read_table

LONGEST = 600
"""Longer sentences are not looked at word by word."""
_CARRYING = 0.6
_MOST_SENTENCES = 60
WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")


@cache
def _loose() -> frozenset[str]:
    return frozenset(read_table("grammar")["scope"]["loose"])


@lru_cache(maxsize=2048)
def list_sentences(text: str) -> tuple[str, ...]:
    return tuple(s.text for s in split_sentences(text)[:_MOST_SENTENCES] if len(s.text) <= LONGEST)


@lru_cache(maxsize=4096)
def content_of(text: str) -> frozenset[str]:
    """The words in their basic form, without those that carry nothing by themselves."""
    words = [word.lower() for word in WORD.findall(text)]
    return frozenset(lexicon.verb_lemma(w) or lexicon.noun_lemma(w) for w in words if w not in _loose())


def find_carrying(claim: str, text: str) -> list[str]:
    """The sentences that have most of the claim's words."""
    wanted = content_of(claim)
    return [s for s in list_sentences(text) if wanted and len(wanted & content_of(s)) >= _CARRYING * len(wanted)]
