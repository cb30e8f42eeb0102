"""Which attributes a verb and its preposition speak of: "works in" a department or a place."""

from __future__ import annotations

from groundwire.evidence.meanings import Frame, load_meanings
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim
from groundwire.types import Span

_HOLDING = frozenset({"hold", "seat", "fit", "accommodate", "carry", "sleep", "store", "take", "host"})
"""Verbs with an amount behind "up to"."""
_CHANGES = frozenset({"move", "reschedule", "postpone", "push", "shift", "delay", "change", "bring", "extend"})


def frame_meanings(proposition: Proposition, span: Span) -> set[str]:
    """The attributes that the verb and its preposition speak of, for the part of the claim at `span`."""
    table = load_meanings().by_frame
    for argument in proposition.arguments:
        if not (argument.span.start < span.end and span.start < argument.span.end):
            continue
        particle, _, last = argument.role.rpartition(" ")
        roles = [last, "object"] if last == "to" and proposition.predicate in _HOLDING else [last]
        if argument.role == "when":
            roles = ["object", "on", "in", "for"]
        elif argument.is_time and argument.role == "object":
            roles = ["object", "on"]
        passive, verbs = proposition.passive, [proposition.predicate]
        particles = {other.role.partition(" ")[0] for other in proposition.arguments if " " in other.role} | {
            particle
        } - {""}
        verbs.extend(f"{proposition.predicate} {word}" for word in sorted(particles))
        if proposition.predicate in ("be", "have") and argument.role != "object":
            verbs.extend(f"be {a.text}" for a in proposition.arguments if a.role == "object")
        found = {m for verb in verbs for role in roles for m in table.get(Frame(verb, passive, role), ())}
        if proposition.predicate in _CHANGES and not passive:
            found.update(m for role in roles for m in table.get(Frame(proposition.predicate, True, role), ()))
        return found
    return set()


def slot_meanings(read: ReadClaim, argument: Argument, *, is_settled: bool = False) -> set[str]:
    """The attributes that the text layer read the phrase as; of a job, only where nothing qualifies it.

    A workplace that is on record (`is_settled`) says that the job on record is meant.
    """
    found: set[str] = set()
    for fact in read.facts:
        span = fact.value_span
        if fact.pattern == "predicate" or not (span.start < argument.span.end and argument.span.start < span.end):
            continue
        qualified = fact.slot_type == "title" and any(a.role in ("by", "at") for a in read.proposition.arguments)
        if not qualified or is_settled:
            found.update(load_meanings().by_slot.get(fact.slot_type, ()))
    return found
