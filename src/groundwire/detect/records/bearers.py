"""Whose a stored sentence is: what the record of one thing says is not held against, or for, another of its kind."""

from __future__ import annotations

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.types import Span
from groundwire.types.memories import Memory


def is_of_other(examined: Examination, memory: Memory, span: Span) -> bool:
    """ "Withdrawals are free", on record of one account, where a clause speaks of another account by its name."""
    people = meet(examined)
    bearer = people.known(memory.subject) if memory.subject else None
    if bearer is None:
        return False
    named = people.named_between(*span)
    if not named and (before := people.named_before(span.start)) is not None:
        named = [before]
    if not named or bearer in named or not any(one.type == bearer.type for one in named):
        return False
    return not any(name in memory.text for one in named for name in (one.name, *one.aliases))
