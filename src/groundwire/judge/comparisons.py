"""Comparisons: "Ana is taller than Bo", "summer more than winter", "higher in Rome than in Milan".

A comparison has two sides and a way that it goes. The sides exchanged, or the way turned round, it says the contrary;
both at once, and it says the same. What is denied or only equalled ("not taller", "as tall as") is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.findings import Finding
from groundwire.text import lexicon
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.subjects import USER, may_be_person, name_written
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites
from groundwire.types import Verdict

_THAN = "than"


@dataclass(frozen=True, slots=True)
class _Comparison:
    """`sides` are what may be compared with `other`, by the part that they are of the sentence."""

    predicate: str
    sides: dict[str, str]
    other: Argument
    way: frozenset[str]
    against: str
    """Whom or what `other` names."""


def relate_comparisons(claim: Proposition, evidence: Proposition, aliases: Aliases) -> Finding | None:
    """What one comparison says of another; None where they are not of the same two things on one scale."""
    mine, theirs = _read(claim), _read(evidence)
    if mine is None or theirs is None or mine.predicate != theirs.predicate:
        return None
    turned = _turns(mine.way, theirs.way)
    if turned is None:
        return None
    exchanged = _exchanges(mine, theirs, aliases)
    if exchanged is None:
        return None
    if not turned and not exchanged:
        reworded = claim.predicate != evidence.predicate  # "prefers tea to coffee", "likes tea better than coffee"
        return Finding(Verdict.SUPPORTED, 0.9, "same_statement", exact=True) if reworded else None
    if turned and exchanged:
        return Finding(Verdict.SUPPORTED, 0.9, "same_statement", exact=True)
    return Finding(
        Verdict.REFUTED, 0.9, "other_agent" if exchanged else "opposite", exact=True, claim_value=mine.other.text,
        evidence_value=theirs.other.text, exchange=False,
    )  # fmt: skip


def compares(proposition: Proposition) -> bool:
    """Whether one thing is set against another; asked of every pair, so without ceremony."""
    if proposition.predicate == "prefer":
        return any(_sets_against(proposition, argument) for argument in proposition.arguments)
    for argument in proposition.arguments:  # noqa: SIM110
        if argument.role.startswith(_THAN):
            return True
    return False


def _sets_against(said: Proposition, argument: Argument) -> bool:
    """ "than Bo", and what one prefers something to."""
    return argument.role.startswith(_THAN) or (said.predicate == "prefer" and argument.role in ("to", "over"))


def _read(said: Proposition) -> _Comparison | None:
    others = [argument for argument in said.arguments if _sets_against(said, argument)]
    if len(others) != 1 or said.negated:
        return None
    (other,) = others
    place = other.role.removeprefix(_THAN).strip() if other.role.startswith(_THAN) else ""
    thing = next((argument for argument in said.arguments if argument.role == "object"), None)
    held = set(thing.lemmas) if thing is not None else set[str]()
    held = {_find_base(word) for word in held}
    is_way = said.predicate == "be" or not held.isdisjoint(_ways())
    sides = {a.role: name_written(a.text) for a in said.arguments if a.role == place}
    if not place:
        sides = {"subject": said.subject}
        if thing is not None and not is_way:
            sides["object"] = name_written(thing.text)
    told = {base for word in (*said.adverbs, *said.lemmas) if (base := _find_base(word)) in _ways()}
    against = _complete(other.text, said.subject)
    if said.predicate in _LIKING and "object" in sides and told <= _MORE | _LESS:
        return _Comparison("prefer", {"object": sides["object"]}, other, frozenset(told & _LESS), against)
    return _Comparison(said.predicate, sides, other, frozenset(told | held if is_way else told), against)


def _complete(written: str, subject: str) -> str:
    """ "mine", "Ana's" and "the red one" leave out what the subject is: a car, a box."""
    owner, _, thing = subject.rpartition("'s ")
    noun = thing.rpartition(" ")[2]
    if written.lower() in ("mine", "yours", "ours"):
        return f"{USER}'s {thing}" if owner != USER else written  # "my car is faster than yours": two people's
    if written.lower().endswith(" one"):
        return f"{written[:-4]} {noun}"
    if owner and written[:1].isupper() and " " not in written and noun.islower() and not may_be_person(noun):
        return f"{written}'s {thing}"
    return name_written(written)


@lru_cache(maxsize=4096)
def _find_base(word: str) -> str:
    """The word that a comparative is made of: faster, fast."""
    if not word.endswith("er"):
        return word
    return next((lemma for tag, lemma in lexicon.readings(word) if tag in ("JJR", "RBR")), word)


_LIKING = frozenset({"prefer", "like", "love", "enjoy"})
_MORE = frozenset({"more", "much", "well", "better"})
_LESS = frozenset({"less"})


def set_others_aside(claim: Proposition, evidence: Proposition) -> bool:
    """Whether one compares with something that the other does not."""
    mine, theirs = ({a.lemmas for a in p.arguments if _sets_against(p, a)} for p in (claim, evidence))
    return bool(mine) and mine != theirs


@cache
def _ways() -> frozenset[str]:
    return frozenset(_find_base(word) for pair in _opposed_ways() for word in pair)


@cache
def _opposed_ways() -> tuple[tuple[str, str], ...]:
    pairs: list[list[str]] = read_table("grammar")["comparing"]["turned"]
    return tuple((_find_base(one), _find_base(other)) for one, other in pairs)


def _turns(mine: frozenset[str], theirs: frozenset[str]) -> bool | None:
    """Whether one goes the other way than the other; None where they are not of one scale."""
    ours, others = mine - theirs, theirs - mine
    if not ours and not others:
        return False
    lesser = {"less", "few"}
    if (ours <= lesser and not others) or (others <= lesser and not ours):
        return True
    if len(ours) != 1 or len(others) != 1:
        return None
    (one,), (other,) = ours, others
    opposed = (one, other) in _opposed_ways() or (other, one) in _opposed_ways() or are_opposites(one, other)
    return True if opposed else None


def _exchanges(mine: _Comparison, theirs: _Comparison, aliases: Aliases) -> bool | None:
    """Whether the sides changed places; None where they are not the same two."""
    one, other = mine.against, theirs.against
    for part in mine.sides.keys() & theirs.sides.keys():
        left, right = mine.sides[part], theirs.sides[part]
        if (left, one) == (right, other):
            return False
        if subjects_match(left, other, aliases) and subjects_match(right, one, aliases):
            return True
        if subjects_match(left, right, aliases) and subjects_match(one, other, aliases):
            return False
    return None
