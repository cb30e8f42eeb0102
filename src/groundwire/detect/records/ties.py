"""Relations on record, told as statements: who stands how to whom is a fact, and not a value that one of them has.

As an attribute "acquired_by: Corvane" agrees with everything that names Corvane; as a sentence it says who bought whom.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from groundwire.detect.weighing.traits import compare_statements, share_told, words_of
from groundwire.evidence.knowledge import KnownEntity
from groundwire.evidence.lookups import Entity
from groundwire.evidence.relating import tell_relation
from groundwire.types.memories import Memory

_MOST = 12
"""Relations of one entity that are told; of somebody who knows everybody the first ones are enough."""
_TOGETHER = 4


def list_ties(entities: Iterable[Entity]) -> list[Memory]:
    """What is on record of how they stand to others, a sentence for each kind of relation."""
    return [tie for entity in entities if isinstance(entity, KnownEntity) for tie in _tell(entity)]


def speaks_of_tie(tie: Memory, entity: Entity, text: str) -> bool:
    """Whether a clause names the other one, or has a word for how they stand to each other, or for the opposite."""
    rest = words_of(tie.text) - words_of(" ".join((entity.name, *entity.aliases)))
    if share_told(rest, text) > 0 or compare_statements(text, tie.text, None).opposed:
        return True
    links = entity.relations if isinstance(entity, KnownEntity) else ()
    said = text.casefold()
    return any(link.target.casefold() in said for link in links if tie.id == f"{entity.name}/{link.kind}")


@lru_cache(maxsize=1024)
def _tell(entity: KnownEntity) -> tuple[Memory, ...]:
    kinds = list(dict.fromkeys(link.kind for link in entity.relations))[:_MOST]
    return tuple(_tell_kind(entity, kind) for kind in kinds)


def _tell_kind(entity: KnownEntity, kind: str) -> Memory:
    targets = dict.fromkeys(link.target for link in entity.relations if link.kind == kind)
    text = tell_relation(entity.name, entity.type, kind, " and ".join([*targets][:_TOGETHER]))
    best = entity.get_attribute(kind)[:1]
    trust, source = (best[0].trust, best[0].source) if best else (1.0, "")
    return Memory(f"{entity.name}/{kind}", text, trust, best[0].timestamp if best else None, source or None)
