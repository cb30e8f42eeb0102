"""Frozen values that are made as quickly as others.

A frozen dataclass sets each field of a new value by a call that looks the class over, which takes several times as long
as to store it; and a claim is read and judged by way of dozens of them. Here a new value is of a twin class while it is
filled, which has the same slots and is not frozen; nobody sees it before it is what it is.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

T = TypeVar("T")
_FRESH = object()
"""Stands for a default that every value gets its own of."""


def quick(cls: type[T]) -> type[T]:
    """A frozen dataclass with slots, from which nothing inherits and that checks nothing of what it is given."""
    slow: Any = cls.__init__
    twin = type(cls.__name__, (), {"__slots__": tuple(field.name for field in fields(cls))})  # pyright: ignore[reportArgumentType]
    names: dict[str, Any] = {"_set": object.__setattr__, "_cls": cls, "_twin": twin, "_fresh": _FRESH}
    taken: list[str] = []
    lines = ['_set(self, "__class__", _twin)']
    for field in fields(cls):  # pyright: ignore[reportArgumentType]
        name, given = field.name, field.name
        if field.default_factory is not MISSING:
            names[f"_make_{name}"] = field.default_factory
            taken.append(f"{name}=_fresh")
            given = f"_make_{name}() if {name} is _fresh else {name}"
        elif field.default is not MISSING:
            names[f"_default_{name}"] = field.default
            taken.append(f"{name}=_default_{name}")
        else:
            taken.append(name)
        lines.append(f"self.{name} = {given}")
    lines.append("self.__class__ = _cls")
    exec(f"def __init__(self, {', '.join(taken)}):\n    " + "\n    ".join(lines), names)  # as dataclasses do themselves
    init = names["__init__"]
    init.__annotations__, init.__qualname__, init.__module__ = slow.__annotations__, slow.__qualname__, cls.__module__
    cls.__init__ = init
    return cls
