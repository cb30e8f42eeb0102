"""What an assistant says that it will or can do: an offer, which no memory can bear out or deny.

"Since you like rooibos, I can add a box to the list" claims that the user likes rooibos and nothing else. An offer that
brings up a name or a figure of its own is no mere offer: it takes for granted what no memory has. Nor is one that says
all of the answer and turns to nobody ("I can swim"): it may tell of the speaker.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from groundwire.text.reading import ReadClaim
from groundwire.text.subjects import USER
from groundwire.types import Memory

_MODALS = frozenset({"can", "ca", "could", "will", "wo", "'ll", "’ll", "would", "'d", "’d", "shall", "may"})
_SPEAKER = ("i ", "i'", "i’")
_TURNS_TO = frozenset({"you", "your", "yours", "it", "that", "this", "them", "those", "these"})
_WORD = re.compile(r"[a-z]+")


def is_offer(read: ReadClaim, memories: Iterable[Memory], *, alone: bool = False) -> bool:
    """Whether the claim is about what the speaker may do, with nothing but what the memories know of."""
    said = read.proposition
    if said.subject != USER or said.modal not in _MODALS or not read.claim.text.lower().startswith(_SPEAKER):
        return False
    text = read.claim.text.lower()
    if alone and _TURNS_TO.isdisjoint(_WORD.findall(text)):
        return False
    news = [word for word in said.lemmas if word in said.names or (any(map(str.isdigit, word)) and word in text)]
    if not news:
        return True
    told = [memory.text.lower() for memory in memories]
    return all(any(word in known for known in told) for word in news)
