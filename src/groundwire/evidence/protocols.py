"""What retrieval asks of a model and of a store; `models/` and `store/` answer it, and neither knows the other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from groundwire.errors import ModelUnavailable
from groundwire.types.memories import Memory, Scope
from groundwire.types.records import Match, Ranked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into directions: what means about the same points about the same way.

    Any of these may raise ModelUnavailable; nothing is read from the disk before the first of them is asked.
    """

    @property
    def name(self) -> str: ...

    @property
    def fingerprint(self) -> str:
        """Of everything that the directions depend on: two that differ in it cannot be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row for each text, of length one; of length zero where nothing in the text is known."""
        ...


class Ranking(Protocol):
    """Finds memories of one scope; the scope is part of the query, not a filter on its results."""

    def rank_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None = None, limit: int = 10
    ) -> tuple[tuple[Ranked, ...], ...]:
        """For each query, best first, by name alone; of what held at `when`, or of all times."""
        ...


class LexicalSearch(Ranking, Protocol):
    """Finds memories by the words in them, and reads those that are wanted."""

    def get_many(self, scope: Scope, ids: Sequence[str]) -> tuple[Memory, ...]:
        """Those that are there, in the order asked for."""
        ...


class SemanticSearch(Ranking, Protocol):
    """Finds memories by what they mean. Scores are cosines; what points away counts as 0."""

    def search(self, scope: Scope, query: str, *, when: datetime | None = None, limit: int = 10) -> tuple[Match, ...]:
        """The same, with the memories."""
        ...

    @property
    def problem(self) -> ModelUnavailable | None:
        """Why nothing is found by meaning; None while all is well."""
        ...
