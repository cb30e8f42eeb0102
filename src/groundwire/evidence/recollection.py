"""Knowledge from stored memories: the facts that the text layer reads in them; the user is an entity like any other."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.evidence.gathering import Gathering
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import AttributeValue
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.types import ExtractedFact, Polarity, Tense
from groundwire.types.memories import Memory, MemoryKind, MemoryStatus

_PRONOUNS = frozenset({"he", "she", "it", "they", "this", "that", "we", "there", "who", "which", "these", "those"})


def recollect(memories: Iterable[Memory]) -> Knowledge:
    """Every memory that is current is a statement, and what it says of somebody is an attribute of theirs.

    Values that disagree are all kept, each with the trust and the time of its memory. Shared narratives are stories,
    and what is told with a doubt or of the past is no attribute of today.
    """
    gathering = Gathering()
    current = [m for m in memories if m.status is MemoryStatus.ACTIVE and m.kind is not MemoryKind.SHARED_NARRATIVE]
    for memory in current:
        for fact in read_text(memory.text).facts:
            if _is_stored(fact):
                _store(gathering, fact, memory)
    return gathering.finish(current)


def _is_stored(fact: ExtractedFact) -> bool:
    if fact.hedged or fact.polarity is Polarity.NEGATIVE or fact.tense is not Tense.PRESENT:
        return False
    return bool(fact.subject) and fact.subject.casefold() not in _PRONOUNS


def _store(gathering: Gathering, fact: ExtractedFact, memory: Memory) -> None:
    is_user = fact.subject == USER
    if is_user:
        draft = gathering.entity(memory.subject if memory.subject != USER else USER, "person")
        if USER not in draft.aliases and draft.name != USER:
            draft.aliases.append(USER)
    else:
        draft = gathering.entity(fact.subject)
    if fact.slot_type == "name":
        draft.aliases.append(fact.raw)
    attribute = fact.slot_type.replace("_", " ")
    draft.add(attribute, AttributeValue(fact.raw, memory.id, memory.trust, memory.timestamp))
    if not fact.exclusive:
        draft.listed.add(attribute)
