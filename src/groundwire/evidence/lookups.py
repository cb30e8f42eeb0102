"""What the detectors ask of a knowledge base and of a dialogue; anything that answers it can be plugged in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from groundwire.types import Claim
from groundwire.types.detection import DialogueTurn
from groundwire.types.memories import Memory


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """One stored value of an attribute, and where it comes from."""

    value: str
    source: str = ""
    trust: float = 1.0
    timestamp: int | None = None


class Entity(Protocol):
    """Somebody or something that is known."""

    @property
    def name(self) -> str: ...

    @property
    def type(self) -> str:
        """person, organisation, product, event …; empty where it was not said."""
        ...

    @property
    def aliases(self) -> tuple[str, ...]: ...

    @property
    def attribute_names(self) -> tuple[str, ...]: ...

    @property
    def attribute_count(self) -> int: ...

    def has_attribute(self, name: str) -> bool:
        """By its name or by another word for it ("works in" is "department")."""
        ...

    def get_attribute(self, name: str) -> tuple[AttributeValue, ...]:
        """Every stored value, the most trusted first, newest first among equals; empty where nothing is stored."""
        ...

    def similar_attributes(self, name: str) -> tuple[str, ...]:
        """Stored attributes whose names mean about the same."""
        ...


class KnowledgeBase(Protocol):
    """What is known for certain: entities with attributes, and statements as they were written."""

    @property
    def is_empty(self) -> bool: ...

    @property
    def statements(self) -> Sequence[Memory]:
        """Stored statements, attributes among them where they can be told in a sentence."""
        ...

    @property
    def complete_types(self) -> frozenset[str]:
        """Types of which every member is known: a name of such a type that is not stored does not exist."""
        ...

    def entity_exists(self, name: str) -> bool: ...

    def get_entity(self, name: str) -> Entity | None:
        """By canonical name or alias, whatever the case and the articles."""
        ...

    def find_entity(self, name: str) -> Entity | None:
        """The same, and by a near spelling or a part of the name that only one entity bears."""
        ...

    def find_similar(self, name: str, least: float = 0.8) -> tuple[tuple[Entity, float], ...]:
        """Entities whose names are spelled alike, best first."""
        ...


class EntityRegistry(Protocol):
    """Whom and what the dialogue has named."""

    def find(self, name: str) -> str | None:
        """The canonical name that the mention stands for, if the dialogue has named it."""
        ...

    def find_similar(self, name: str, least: float = 0.8) -> tuple[tuple[str, float], ...]:
        """Names spelled alike, best first."""
        ...


class DialogueState(Protocol):
    """What was said before the answer, oldest first."""

    @property
    def turns(self) -> Sequence[DialogueTurn]: ...

    @property
    def entity_registry(self) -> EntityRegistry: ...

    def claims_of(self, turn: DialogueTurn) -> tuple[Claim, ...]:
        """What a turn asserts, pronouns resolved across turns; read once."""
        ...

    def resolve(self, mention: str) -> str | None:
        """Whom a pronoun or a description at the start of the answer stands for, by agreement and salience."""
        ...
