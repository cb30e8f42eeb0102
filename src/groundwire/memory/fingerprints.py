"""What a memory is found again by: a digest of its words, MinHash bands, and what it is about.

All three are computed from the text alone, so whoever stores a memory stores them beside it, and the gate asks for
them by equality. That keeps its cost the same whether an owner has ten memories or a hundred thousand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import blake2b

from groundwire.text.folding import fold_text
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.text.values import key

# Punctuation of the sentence goes; signs that are part of a word or a number (C++, C#, -5, $5, <100) stay.
_AROUND = ".,;:!?\"'()[]{}*_`…"
_RULE = re.compile(r"[-–—•|/\\]+")
_MOST_TOPICS = 16


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """`topics` are "subject|slot" for slots that hold one value, "subject|slot|value" for those that hold many."""

    digest: str
    bands: tuple[int, ...]
    topics: tuple[str, ...]


def fingerprint(text: str) -> Fingerprint:
    from groundwire.memory.minhash import bands_of  # numpy is not loaded for words alone

    words = split_words(text)
    return Fingerprint(digest_of(words), bands_of(set(words)), find_topics(text))


def split_words(text: str) -> list[str]:
    """Lower-case words as a reader sees them, without the punctuation around them."""
    words = (piece.strip(_AROUND) for piece in fold_text(text).lower().split())
    return [word for word in words if word and not _RULE.fullmatch(word)]


def digest_of(words: list[str]) -> str:
    """The same for texts that differ in spacing, capitals and sentence punctuation alone."""
    return blake2b(" ".join(words).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def jaccard(left: frozenset[str] | set[str], right: frozenset[str] | set[str]) -> float:
    """Shared words by all words; 0 where there are none."""
    union = len(left | right)
    return len(left & right) / union if union else 0.0


def find_topics(text: str) -> tuple[str, ...]:
    """What another memory would have to be about in order to contradict this one."""
    topics: dict[str, None] = {}
    for fact in read_text(text).facts:
        subject = fact.subject if fact.subject == USER else key(fact.subject)
        topics[f"{subject}|{fact.slot_type}" if fact.exclusive else f"{subject}|{fact.slot_type}|{key(fact.raw)}"] = (
            None
        )
        if not fact.exclusive:
            # Opposite verbs about one thing ("loves", "hates") meet under the thing itself.
            topics[f"{subject}||{key(fact.raw)}"] = None
        if len(topics) >= _MOST_TOPICS:
            break
    return tuple(topics)[:_MOST_TOPICS]
