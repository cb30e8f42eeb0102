"""How much of a clause is news: nouns, verbs and qualities that nothing known has, and the stuff of life stories."""

from __future__ import annotations

from functools import cache

from groundwire.detect.records.facets import Wordlist
from groundwire.detect.weighing.traits import words_of
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag_text

_NOUNS, _QUALITIES, _STORIES = 4, 2, 3
_SHORT = 3


@cache
def _story_words() -> frozenset[str]:
    return frozenset(read_table("stories", "detect")["words"])


def describe_novelty(text: str, known: Wordlist) -> dict[str, float]:
    """Shares of the most that counts, so that a long clause does not outweigh everything else."""
    tokens, letters = tag_text(text)
    new = [letter for token, letter in zip(tokens, letters, strict=True) if _is_new(token.text, letter, known)]
    told = [t.low for t, letter in zip(tokens, letters, strict=True) if letter in "NVBGEJR"]
    stories = sum(not _story_words().isdisjoint((word, noun_lemma(word), verb_lemma(word) or word)) for word in told)
    return {
        "new_nouns": min(_NOUNS, new.count("N")) / _NOUNS,
        "new_verb": float(any(letter in "VBGE" for letter in new)),
        "new_qualities": min(_QUALITIES, new.count("J")) / _QUALITIES,
        "story": float(stories > 0),
        "stories": min(_STORIES, stories) / _STORIES,
    }


def _is_new(word: str, letter: str, known: Wordlist) -> bool:
    if letter not in "NVBGEJP" or len(word) < _SHORT or known.has(word.casefold()):
        return False
    return not any(known.has(form) for form in words_of(word))
