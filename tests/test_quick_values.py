"""Values that are made quickly are frozen values like any other."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace

import pytest

from groundwire.types import Claim, Span
from groundwire.types.quick import quick

_START = Span(0, 1)


@quick
@dataclass(frozen=True, slots=True)
class _Note:
    text: str
    at: Span = _START
    marks: dict[str, str] = field(default_factory=dict[str, str])


def test_a_quick_value_is_frozen() -> None:
    note = _Note("x")
    with pytest.raises(FrozenInstanceError):
        note.text = "y"  # type: ignore[misc]
    assert type(note) is _Note
    assert note == _Note("x", Span(0, 1), {})
    assert repr(note) == "_Note(text='x', at=Span(start=0, end=1), marks={})"


def test_each_gets_a_default_of_its_own() -> None:
    one, other = _Note("x"), _Note("x")
    assert one.marks is not other.marks
    assert _Note("x", marks={"a": "b"}).marks == {"a": "b"}


def test_what_is_missing_or_unknown_is_refused() -> None:
    with pytest.raises(TypeError):
        _Note()  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        _Note("x", mark={})  # type: ignore[call-arg]


def test_it_can_be_changed_copied_and_stored() -> None:
    claim = Claim("You row.", Span(0, 8), subject="You")
    assert replace(claim, hedged=True) == Claim("You row.", Span(0, 8), subject="You", hedged=True)
    assert copy.deepcopy(claim) == claim == pickle.loads(pickle.dumps(claim))
    assert hash(claim) == hash(replace(claim))
    assert list(asdict(claim)) == [one.name for one in fields(claim)] == list(inspect.signature(Claim).parameters)
