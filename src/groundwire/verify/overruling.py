"""Overruling: what a trusted memory says counts, and what another of little trust has in its place bears nothing out.

Rules compare a claim with both where it is worded as they are. "Single sign-on is handled by Okta" is understood by the
model alone, which finds it borne out by "Our only provider is Okta" and is never asked of the other memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from groundwire.judge.alignment import Aliases
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.judge.slots import relate_in_slot
from groundwire.text.reading import ReadClaim
from groundwire.text.values import Relation
from groundwire.types import Memory, MemoryKind, MemoryStatus, Polarity, Span, Tense, Verdict
from groundwire.verify.changes import find_told, names
from groundwire.verify.contradictions import Held, group_held, is_below
from groundwire.verify.several import is_among_several


@dataclass(frozen=True, slots=True)
class Overruled:
    """A memory, the value that it has no say in, and the one that holds instead."""

    memory_id: str
    value: str
    by: str
    right: str
    slot: str


def find_overruled(
    held: Sequence[Held],
    parts: Sequence[Held],
    aliases: Aliases,
    *,
    trust: float,
    gap: float,
    additive: Sequence[str] = (),
) -> tuple[Overruled, ...]:
    """Values of one slot of one subject that a memory of so much more trust has in another way."""
    if not held or (min(entry.memory.trust for entry in held) >= trust and _spread(held) < gap - 1e-9):
        return ()  # as is usual: all are trusted alike
    found: dict[tuple[str, str], Overruled] = {}
    for entries in (held, parts):
        told = [entry for entry in entries if _counts(entry) and entry.fact.slot_type not in additive]
        for group in group_held(told, aliases):
            best = max(group, key=lambda e: (e.memory.trust, e.memory.timestamp or 0))
            for entry in group:
                if _overrules(best, entry, trust, gap, aliases):
                    one = Overruled(entry.memory.id, entry.fact.raw, best.memory.id, best.fact.raw, best.fact.slot_type)
                    found.setdefault((one.memory_id, one.value), one)
    return tuple(found.values())


def _spread(held: Sequence[Held]) -> float:
    trusts = [entry.memory.trust for entry in held]
    return max(trusts) - min(trusts)


def _counts(entry: Held) -> bool:
    fact, memory = entry.fact, entry.memory
    if memory.kind is MemoryKind.SHARED_NARRATIVE or memory.status is not MemoryStatus.ACTIVE or fact.hedged:
        return False
    plain = fact.exclusive and fact.tense is Tense.PRESENT and fact.polarity is Polarity.POSITIVE
    return plain and not is_among_several(fact, memory.text)


def _overrules(best: Held, entry: Held, trust: float, gap: float, aliases: Aliases) -> bool:
    more = best.memory.trust - entry.memory.trust
    apart = best.memory.trust >= trust > entry.memory.trust
    if best.memory.id == entry.memory.id or not (apart or not is_below(more, gap)):
        return False
    slot, one, other = entry.fact.slot_type, entry.fact.raw, best.fact.raw
    return relate_in_slot(slot, one, other, aliases.spellings) is Relation.DIFFERENT


def overrule(
    part: Part, read: ReadClaim, text: str, overruled: Sequence[Overruled], memories: Mapping[str, Memory]
) -> Part:
    """The part without what an overruled memory says for it; denied, where nothing else bears it out."""
    if read.proposition.tense is Tense.PAST:
        return part
    denies = read.claim.polarity is Polarity.NEGATIVE or read.proposition.negated
    supporting = [finding for finding in part.findings if finding.verdict is Verdict.SUPPORTED]
    for one in overruled if supporting else ():
        where = next(_find_named(text, read.claim.span, one), None)
        if where is None:
            continue
        lost = [f for f in supporting if f.passage_id == one.memory_id or not (denies or _tells(f, one, memories))]
        if not any(f.passage_id == one.memory_id for f in lost) and not _is_near(read, one, memories):
            continue
        kept = tuple(finding for finding in part.findings if finding not in lost)
        if len(lost) == len(supporting):
            kept = (*kept, _deny(one, where))
        return replace(part, findings=kept)
    return part


def _find_named(text: str, claim: Span, one: Overruled) -> Iterator[Span]:
    """Where the claim names the value, and not what holds instead."""
    if not names(text[claim.start : claim.end], one.right):
        yield from find_told(text, one.value, (one.right,), claim)


def _tells(finding: Finding, one: Overruled, memories: Mapping[str, Memory]) -> bool:
    """Whether the memory has the value itself: what a model takes from several may rest on the overruled one."""
    memory = memories.get(finding.passage_id)
    return finding.exact or (memory is not None and names(memory.text, one.value))


def _is_near(read: ReadClaim, one: Overruled, memories: Mapping[str, Memory]) -> bool:
    """Whether the claim speaks of what the overruled memory speaks of."""
    words = {word.lower().strip(".,;:!?") for word in memories[one.memory_id].text.split()}
    own = {lemma for lemma in read.proposition.lemmas if lemma not in one.value.lower().split()}
    return bool(own) and len(own & words) * 2 >= len(own)


def _deny(one: Overruled, where: Span) -> Finding:
    return Finding(
        Verdict.REFUTED, 0.9, "other_value", one.by, exact=True, slot=one.slot, claim_value=one.value,
        evidence_value=one.right, wrong=where,
    )  # fmt: skip
