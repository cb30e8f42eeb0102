"""What a plug-in does may fail in any way; whoever asked has to know only that it did."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from groundwire.errors import GroundwireError

logger = logging.getLogger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Attempt(Generic[T]):
    """A value, or the reason why there is none."""

    value: T | None
    failure: str | None = None
    detail: str = ""
    """The message, where it is one of groundwire's own: others may hold anything."""


def attempt(what: str, action: Callable[[], T]) -> Attempt[T]:
    """`action` done, or its failure noted. Providers, judges and checkers come from outside the house, so whatever they
    raise is an outcome here ("could not be checked") and never a reason to let a claim pass or to lose it."""
    try:
        return Attempt(action())
    except Exception as error:  # the edge towards plug-ins: see the docstring
        logger.warning("%s failed: %s", what, type(error).__name__)
        return Attempt(None, type(error).__name__, str(error) if isinstance(error, GroundwireError) else "")
