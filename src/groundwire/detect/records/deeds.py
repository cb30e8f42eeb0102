"""Relations on record against clauses with the same verb, by grammar: who does it to whom.

"Kept by Ann" and "Ann keeps it" are one deed; "Ann depends on Ben" and "Ben depends on Ann" are two. A judge of
language mixes them up where the rest of the sentence is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.weighing.units import Unit
from groundwire.evidence.knowledge import KnownEntity
from groundwire.evidence.lookups import Entity
from groundwire.evidence.phrasing import split_name
from groundwire.text import lexicon
from groundwire.text.function_words import closed_classes
from groundwire.text.propositions import Argument
from groundwire.text.reading import ReadClaim
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import same_meaning

_BESIDE = 3
"""Characters between a description and the name that says who is meant: "our secretary, Ann"."""


@dataclass(frozen=True, slots=True)
class _Tie:
    """A relation as a deed: its verb, and what stands before the other one; "by" where the other one does it."""

    verb: str
    link: str


@dataclass(frozen=True, slots=True)
class _Deed:
    verb: str
    doers: tuple[Entity, ...]
    bearers: tuple[Entity, ...]
    linked: tuple[tuple[str, tuple[Entity, ...]], ...]
    subject: tuple[Entity, ...]


@lru_cache(maxsize=2048)
def _read_tie(kind: str) -> _Tie | None:
    words = [word for word in split_name(kind) if word not in ("is", "was", "are", "has", "been")]
    if not words or len(words) > 2 or (len(words) == 2 and words[1] not in closed_classes()):
        return None
    verb = lexicon.verb_lemma(words[0])
    if verb is None or (
        len(words) == 1 and lexicon.readings(words[0])[0][0] not in ("VBZ", "VBD", "VB", "VBP", "VBN", "NNS")
    ):
        return None
    return _Tie(verb, words[1] if len(words) == 2 else "")


def compare_deeds(unit: Unit, entity: Entity, kind: str, people: Acquaintance) -> bool | None:
    """True where the relation denies a clause, False where it bears it out, None where it speaks of something else."""
    tie = _read_tie(kind)
    if tie is None or not isinstance(entity, KnownEntity) or tie.verb in _mutual():
        return None
    targets = [people.known(link.target) for link in entity.relations if link.kind == kind]
    others = [target for target in targets if target is not None]
    verdicts = [_compare(deed, tie, entity, others) for deed in _read_deeds(unit, people)]
    if False in verdicts:
        return False
    return True if True in verdicts else None


def _compare(deed: _Deed, tie: _Tie, entity: Entity, targets: list[Entity]) -> bool | None:
    if deed.verb != tie.verb and not same_meaning(deed.verb, tie.verb):
        return None
    if tie.link not in ("", "by"):
        linked = [other for role, found in deed.linked if _are_alike(role, tie.link) for other in found]
        if entity in deed.subject and any(target in linked for target in targets):
            return False
        if tie.link in _PLACING and deed.verb == tie.verb and entity in deed.subject and _are_rivals(linked, targets):
            return True
        return True if entity in linked and any(target in deed.subject for target in targets) else None
    doers, bearers = (targets, [entity]) if tie.link == "by" else ([entity], targets)
    if not any(bearer in deed.bearers for bearer in bearers):
        if tie.verb in _single_objects() and entity in deed.doers and _are_rivals(deed.bearers, targets):
            return True  # "She succeeded her uncle", who succeeded somebody else
        is_turned = any(d in deed.bearers for d in doers) and any(b in deed.doers for b in bearers)
        return True if is_turned else None
    if any(doer in deed.doers for doer in doers):
        return False
    is_other = tie.link == "by" and bool(deed.doers) and bool(targets) and deed.verb == tie.verb
    return True if is_other else None


_PLACING = frozenset({"at", "in", "on"})


def _are_alike(role: str, link: str) -> bool:
    """ "Taught at the school" and "taught in the school"."""
    return role == link or (role in _PLACING and link in _PLACING)


def _are_rivals(said: Sequence[Entity], known: Sequence[Entity]) -> bool:
    """Others than those on record, and of their kind."""
    if not said or not known or any(one in known for one in said):
        return False
    return all(one.type.casefold() == other.type.casefold() for one in said for other in known)


@lru_cache(maxsize=1)
def _single_objects() -> frozenset[str]:
    return frozenset(read_table("contrasts", "detect")["single_objects"])


def _read_deeds(unit: Unit, people: Acquaintance) -> Iterator[_Deed]:
    for read in unit.claims:
        proposition = read.proposition
        if not proposition.predicate or proposition.negated or read.claim.hedged:
            continue
        subject = _subject(read, people)
        objects = _named(people, [a for a in proposition.arguments if a.role == "object"])
        linked = tuple(
            (a.role.rpartition(" ")[2], _named(people, [a])) for a in proposition.arguments if a.role != "object"
        )
        doers, bearers = subject, objects
        if proposition.passive:
            agents = [a for a in proposition.arguments if a.role == "by"][:1]
            doers, bearers = _named(people, agents), subject
        yield _Deed(proposition.predicate, doers, bearers, linked, subject)


def _subject(read: ReadClaim, people: Acquaintance) -> tuple[Entity, ...]:
    start, subject = read.claim.span.start, read.claim.subject
    opens = people.opens_with(start, subject)  # else it is in a clause before: "…, which also owns it"
    written = [e for a, _, e in people.spans_between(*read.claim.span) if opens and a < start + len(subject)]
    if written:
        return tuple(dict.fromkeys(written[:2]))
    meant = people.meant_by(subject, start)
    return (meant,) if meant is not None else ()


def _named(people: Acquaintance, arguments: list[Argument]) -> tuple[Entity, ...]:
    """Whom a phrase names, itself or by the name right behind it."""
    found: list[Entity] = []
    for argument in arguments:
        inside = people.named_between(*argument.span)
        found += inside or people.named_between(argument.span.end + 1, argument.span.end + _BESIDE)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1)
def _mutual() -> frozenset[str]:
    return frozenset(read_table("contrasts", "detect")["mutual_verbs"])
