"""Text that says nothing at all: the check that needs neither source nor score."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise

from groundwire.memory.asking import read_candidate
from groundwire.text.tokens import tokenize

MOST_TOKENS = 256
_TEMPLATE = re.compile(
    r"\{\{?[^{}]*\}?\}|<[a-z_ ]{1,40}>|\[(?:insert|name|user|fact|placeholder|your|todo)[^\]]*\]|"
    r"\bplaceholder\b|\blorem ipsum\b|\bTODO\b|\bN/A\b|%\w+%|\bthe fact or pattern\b|\$\{",
    re.IGNORECASE,
)
_PRONOUNS = frozenset({"it", "this", "that", "these", "those", "something", "stuff", "thing", "things", "them"})
_BARE = re.compile(r"^\W*(?:none|null|undefined|nan|unknown|nothing|yes|no|ok|okay|test)\W*$", re.IGNORECASE)


def find_nonsense(text: str) -> str:
    """Why `text` cannot be a memory whatever the source says; empty where it can."""
    tokens = tokenize(text)
    if len(tokens) > MOST_TOKENS:
        return f"{len(tokens)} tokens long; at most {MOST_TOKENS} are one memory"
    if _TEMPLATE.search(text):
        return "what is left of a template"
    words = [token.low for token in tokens if any(c.isalnum() for c in token.text)]
    if not words or _BARE.match(text):
        return "no words"
    if _repeats(words):
        return "the same word over and over"
    asked = read_candidate(text)
    if not asked.words:
        pronoun = any(word in _PRONOUNS for word in words)
        return "a pronoun that stands for nothing" if pronoun else "only words that carry no meaning"
    subject = asked.claims[0].proposition.subject if asked.claims else ""
    if subject.casefold() in _PRONOUNS or (words[-1] in _PRONOUNS and len(asked.words) <= 1 and len(words) > 1):
        return "a pronoun that stands for nothing"
    if not asked.claims:
        return "nothing is said of anything"
    return ""


def _repeats(words: list[str]) -> bool:
    """ "pasta pasta pasta"."""
    if any(a == b == c for a, b, c in zip(words, words[1:], words[2:], strict=False)):
        return True
    if any(a == b and len(a) > 3 for a, b in pairwise(words)) and len(words) <= 4:
        return True
    count = Counter(words).most_common(1)[0][1]
    return len(words) >= 6 and count * 2 > len(words)
