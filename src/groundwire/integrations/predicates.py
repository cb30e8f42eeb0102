"""The predicates as plain functions, over one Groundwire that is made when the first of them is called."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from groundwire.app import Groundwire
from groundwire.detect.predicates import Predicates

__all__ = ["PREDICATES", "make_predicates"]


def make_predicates(wire: Groundwire | None = None, *, now: Callable[[], datetime] | None = None) -> Predicates:
    """Over the judge and the embedder of a Groundwire; the clock is read for every call."""
    return (wire or Groundwire()).predicates(now or _tell_time)


def _tell_time() -> datetime:
    return datetime.now(UTC)


@cache
def _predicates() -> Predicates:
    return make_predicates()


def _free(name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        return getattr(_predicates(), name)(*arguments)

    parameters = list(inspect.signature(method).parameters.values())[1:]
    call.__name__ = call.__qualname__ = name
    call.__doc__ = method.__doc__
    call.__annotations__ = dict(method.__annotations__)
    call.__signature__ = inspect.signature(method).replace(parameters=parameters)  # type: ignore[attr-defined]
    return call


PREDICATES: Mapping[str, Callable[..., Any]] = {
    name: _free(name, method)
    for name, method in vars(Predicates).items()
    if inspect.isfunction(method) and not name.startswith("_")
}
globals().update(PREDICATES)
