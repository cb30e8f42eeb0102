"""What a store keeps, for people: one card a memory, with where it comes from and what became of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from difflib import SequenceMatcher

from groundwire.surfaces.layout import Mark, Sign, Tone, View, beside, flatten, pad, underline, wrap
from groundwire.surfaces.stores import shorten_id
from groundwire.types import Memory, MemoryStatus, Span
from groundwire.types.records import Tombstone

STATUSES: Mapping[MemoryStatus, Sign] = {
    MemoryStatus.ACTIVE: Sign("✓", Tone.GOOD),
    MemoryStatus.PENDING: Sign("?", Tone.DOUBTFUL),
    MemoryStatus.PROPOSAL: Sign("?", Tone.DOUBTFUL),
    MemoryStatus.INACTIVE: Sign("~", Tone.FAINT),
    MemoryStatus.SUPERSEDED: Sign("✗", Tone.FAINT),
    MemoryStatus.EXPIRED: Sign("~", Tone.FAINT),
    MemoryStatus.ARCHIVED: Sign("~", Tone.FAINT),
}
_WORDS = re.compile(r"\s+|\w+|[^\w\s]")


def count(number: int, noun: str, nouns: str = "") -> str:
    return f"{number:,} {noun if number == 1 else nouns or noun + 's'}"


def format_day(moment: datetime | None) -> str:
    return "" if moment is None else moment.astimezone(UTC).date().isoformat()


def format_moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def describe_validity(memory: Memory) -> str:
    """From when until when it holds, by the day."""
    begin, end = format_day(memory.valid_from), format_day(memory.valid_to)
    if begin and end:
        return f"{begin} to {end}"
    return f"since {begin}" if begin else f"until {end}" if end else ""


def describe_origin(memory: Memory) -> str:
    """Id, type, source, trust: what tells one memory from the next."""
    parts = [shorten_id(flatten(memory.id)), flatten(memory.memory_type)]
    parts += [f"from {flatten(memory.source)}"] if memory.source else []
    parts += [f"trust {memory.trust:.2f}"]
    parts += [f"said {memory.mentions} times"] if memory.mentions > 1 else []
    return ", ".join(parts)


def render_memory(memory: Memory, label: str, width: int, view: View, notes: Sequence[str] = ()) -> list[str]:
    """One card: a label of `width` cells, the words beside it, and what else is known below them."""
    room = max(20, view.columns - width - 4)
    rows = wrap(flatten(memory.text), room)
    for note in (describe_origin(memory), *notes):
        rows += [view.paint(row, Tone.FAINT) for row in wrap(note, room)]
    return beside(label, width, rows)


def render_past(entry: Memory | Tombstone, view: View, names: Mapping[str, str]) -> list[str]:
    """One step of a history: when it held, what it said, what took its place and why."""
    if isinstance(entry, Tombstone):
        label = view.paint(pad(format_day(entry.forgotten_at), 24), Tone.FAINT)
        said = f"(forgotten by {flatten(entry.forgotten_by)}; {shorten_id(entry.id)})"
        return beside(label, 24, wrap(said, max(20, view.columns - 28)))
    sign = STATUSES[entry.status]
    label = view.paint(pad(f"{view.sign(sign)} {describe_validity(entry) or entry.status.value}", 26), sign.tone)
    notes: list[str] = []
    if entry.superseded_by:
        said = names.get(entry.superseded_by)
        by = f"“{said}”" if said else shorten_id(flatten(entry.superseded_by))
        notes.append(f"replaced by {by}" + (f": {flatten(entry.why)}" if entry.why else ""))
    elif entry.status is not MemoryStatus.ACTIVE:
        notes.append(f"{entry.status.value}" + (f": {flatten(entry.why)}" if entry.why else ""))
    return render_memory(entry, label, 26, view, notes)


def render_difference(old: str, new: str, view: View) -> list[str]:
    """Both wordings one above the other, with what differs underlined: - goes, + comes."""
    before, after = flatten(old), flatten(new)
    left, right = _split(before), _split(after)
    gone: list[Mark] = []
    come: list[Mark] = []
    matcher = SequenceMatcher(None, [before[s:e] for s, e in left], [after[s:e] for s, e in right], autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            continue
        gone += [Mark(Span(left[a].start, left[b - 1].end), "-", Tone.BAD)] if b > a else []
        come += [Mark(Span(right[c].start, right[d - 1].end), "+", Tone.GOOD)] if d > c else []
    return [
        *beside("-", 1, underline(before, gone, view, 6)),
        *beside("+", 1, underline(after, come, view, 6)),
    ]


def _split(text: str) -> list[Span]:
    return [Span(*match.span()) for match in _WORDS.finditer(text)]


def render_section(title: str, rows: Sequence[str], view: View) -> list[str]:
    return ["", view.paint(title, Tone.STRONG), *rows] if rows else []


def render_rows(rows: Sequence[tuple[str, str]], view: View, width: int = 10) -> list[str]:
    """Names with their values, the values aligned."""
    lines: list[str] = []
    for name, value in rows:
        lines += beside(view.paint(pad(name, width), Tone.FAINT), width, wrap(flatten(value), view.columns - width - 4))
    return lines
