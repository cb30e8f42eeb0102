"""States told in one word: "is unpaid" is "is not paid", and "is closed" is "is not open", adjective or participle."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import relate_arguments
from groundwire.judge.findings import Finding
from groundwire.text import lexicon
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites, denied_base
from groundwire.text.values import Relation
from groundwire.types import Verdict


class _State(NamedTuple):
    word: str
    holds: bool
    is_denied: bool
    """Whether a prefix denies it."""
    times: tuple[Argument, ...]


def relate_states(claim: Proposition, evidence: Proposition, aliases: Aliases) -> Finding | None:
    """Whether both tell one state of one thing, or one tells its absence; None where their words do not meet so."""
    mine, theirs = _read_state(claim), _read_state(evidence)
    if mine is None or theirs is None or claim.tense is not evidence.tense:
        return None
    turned = mine.word != theirs.word
    if turned and not are_opposites(mine.word, theirs.word):
        return None
    if not turned and not (mine.is_denied or theirs.is_denied):
        return None
    if not subjects_match(claim.subject, evidence.subject, aliases) or not _are_at_once(mine, theirs):
        return None
    if turned and not (mine.holds or theirs.holds):
        return None  # neither hot nor cold
    if (mine.holds is theirs.holds) is not turned:
        return (
            Finding(Verdict.SUPPORTED, 0.9, "same_statement")
            if not turned or is_either(mine.word, theirs.word)
            else None
        )
    return Finding(Verdict.REFUTED, 0.9, "opposite")


def is_either(one: str, other: str) -> bool:
    """What is not open is closed; what is not hot need not be cold."""
    if denied_base(one) == other or denied_base(other) == one:
        return True
    return {lexicon.verb_lemma(one) or one, lexicon.verb_lemma(other) or other} in _either()


@cache
def _either() -> list[set[str]]:
    return [set(pair) for pair in read_table("grammar")["states"]["either"]]


def _are_at_once(mine: _State, theirs: _State) -> bool:
    if len(mine.times) != len(theirs.times):
        return False
    return all(relate_arguments(a, b) is Relation.EQUAL for a, b in zip(mine.times, theirs.times, strict=True))


@lru_cache(maxsize=4096)
def _read_state(said: Proposition) -> _State | None:
    """The verb or adjective behind the state, and whether it holds."""
    times = tuple(a for a in said.arguments if a.is_time)
    parts = [a for a in said.arguments if not a.is_time]
    if said.modal or said.aspect or (parts if said.passive else len(parts) != 1 or said.predicate != "be"):
        return None
    if not said.passive and (parts[0].role != "object" or " " in parts[0].text):
        return None
    word = said.predicate if said.passive else parts[0].text.lower()
    base = denied_base(word) or (_without_prefix(word) if said.passive else None)
    held = base or word
    return _State(lexicon.verb_lemma(held) or held, said.negated is (base is not None), base is not None, times)


def _without_prefix(verb: str) -> str | None:
    """ "unheated" gives a verb that nobody does: what it says is that nobody heated it."""
    base = verb.removeprefix("un")
    return base if base != verb and not lexicon.is_known(verb) and lexicon.is_known(base) else None
