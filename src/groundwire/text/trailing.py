"""What is added behind a comma: "The loom was bought from Ana, for 830 dollars" tells the price beside the seller.

Each is checked by itself, so that the one is not blamed for the other. When and where something happens is no such
addition: an event that took place in Rome, in 2013, took place nowhere else then.
"""

from __future__ import annotations

from copy import copy
from functools import cache

from groundwire.text.clefts import Clause, Role
from groundwire.text.complements import Complement, Modifier
from groundwire.text.phrases import is_time
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["trailing"][kind])


def take_trailing(clause: Clause, tokens: list[Token], letters: str) -> Complement | None:
    """The complement with nothing but what was added last, which the clause is left without; None where nothing was."""
    said = clause.complement
    if clause.role not in (Role.MAIN, Role.SUBORDINATE) or clause.verb.negated or clause.adrift:
        return None
    if (
        said.infinitive
        or said.gerund
        or said.contrast
        or said.replaced
        or said.reduced
        or said.second
        or said.aside
        or said.adverbs
    ):
        return None
    at = next((k for k, m in enumerate(said.modifiers) if _is_added(m, clause, tokens, letters)), None)
    if at is None or not (said.objects or at) or len(said.objects) > 1:
        return None
    added = said.modifiers[at:]
    if said.modifiers[-1].end < clause.end or any(letters[m.start - 1] == "," for m in added[1:]):
        return None
    if any(len(m.phrases) > 1 for m in added) or any(t.low in _SHARING for t in tokens[added[0].start : clause.end]):
        return None
    rest, alone = copy(said), copy(said)
    rest.modifiers, alone.modifiers = said.modifiers[:at], added
    rest.end = clause.end = added[0].start - 1
    alone.aside = (added[0].start, added[-1].end)
    alone.appositions = []
    clause.complement = rest
    return alone


_SHARING = frozenset({"each", "every", "per", "apiece"})
""" "80 rooms on four floors, with 20 on each": the figures belong together."""


def _is_added(modifier: Modifier, clause: Clause, tokens: list[Token], letters: str) -> bool:
    start, phrase = modifier.start, modifier.phrases[0]
    if letters[start - 1] != "," or start <= clause.verb.end or len(modifier.phrases) > 1 or is_time(phrase):
        return False
    if modifier.preposition == "at":
        return phrase.head_token.lemma in _words("prices")
    telling = any(token.tag in "NP#@" for token in phrase.words())
    return telling and modifier.preposition in _words("prepositions") and tokens[start].low == modifier.preposition
