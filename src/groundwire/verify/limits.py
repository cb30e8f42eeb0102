"""How much one call takes; more is refused with a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from groundwire.errors import InvalidInput
from groundwire.settings import Settings
from groundwire.types import Memory


class Limits:
    """The limits of a deployment."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def check_text(self, text: str, field: str = "text") -> None:
        limit = self._settings.max_answer_characters
        if len(text) > limit:
            raise InvalidInput(
                field, f"has {len(text):,} characters; at most {limit:,} are verified in one call: split it"
            )

    def check_memories(self, memories: Sequence[Memory]) -> None:
        most, longest = self._settings.max_memories, self._settings.max_memory_characters
        if len(memories) > most:
            raise InvalidInput("memories", f"{len(memories):,} were given; at most {most:,} are taken in one call")
        check_unique("memories", [memory.id for memory in memories])
        for memory in memories:
            if len(memory.text) > longest:
                found = f"memory {memory.id!r} has {len(memory.text):,} characters"
                raise InvalidInput("memories", f"{found}; at most {longest:,} are taken: split it")


def as_memories(memories: Sequence[Memory | str]) -> list[Memory]:
    """Plain strings get the ids m1, m2, …; what is neither a string nor a memory is named and refused."""
    given = cast("Sequence[object]", memories)
    if isinstance(given, str):
        raise InvalidInput("memories", "is one string; give a list of strings or memories")
    found: list[Memory] = []
    for i, memory in enumerate(given, 1):
        if isinstance(memory, str):
            memory = Memory(f"m{i}", memory)
        if not isinstance(memory, Memory):
            kind = type(memory).__name__
            raise InvalidInput(f"memories[{i - 1}]", f"is of type {kind}; give a string or a groundwire.Memory")
        found.append(memory)
    return found


def check_unique(field: str, ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise InvalidInput(field, f"the id {name!r} occurs twice; ids must be unique in one call")
        seen.add(name)
