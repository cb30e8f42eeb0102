"""Short work without a stop for collecting garbage."""

from __future__ import annotations

import gc

_SHORT = 20_000
"""Characters of an answer with all its evidence, up to which judging takes no longer than a full collection."""


class Undisturbed:
    """A short answer is judged without a stop for collecting garbage, which would take several times as long.

    What judging needs and drops is freed at once, without the collector; it looks at the rest when the call is over.
    """

    __slots__ = ("_waits",)

    def __init__(self, characters: int) -> None:
        self._waits = characters <= _SHORT and gc.isenabled()

    def __enter__(self) -> None:
        if self._waits:
            gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._waits:
            gc.enable()
