"""The review queue on paper: the list, the sheet of one item, and what became of many."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire.surfaces.cards import (
    count,
    format_day,
    format_moment,
    render_difference,
    render_memory,
    render_rows,
    render_section,
)
from groundwire.surfaces.layout import Sign, Tone, View, beside, flatten, indent, join, pad, wrap
from groundwire.surfaces.records import describe_item, describe_memory
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import shorten_id

if TYPE_CHECKING:
    from groundwire.memory.outcomes import BulkOutcome, ReviewView
    from groundwire.types.records import PendingMemory

_WAITS, _DONE, _NOT = Sign("?", Tone.DOUBTFUL), Sign("✓", Tone.GOOD), Sign("✗", Tone.BAD)


# ── objects ─────────────────────────────────────────────────────────────────────────────────────


def describe_queue(items: Sequence[PendingMemory]) -> JsonObject:
    return {"pending": [describe_item(item) for item in items]}


def describe_sheet(sheet: ReviewView) -> JsonObject:
    return {
        **describe_item(sheet.item),
        "quotes": [{"turn": quote.turn, "span": list(quote.span), "text": quote.text} for quote in sheet.quotes],
        "nearest": [{**describe_memory(near.memory), "similarity": near.similarity} for near in sheet.nearest],
        "conflict": None if sheet.conflict is None else describe_memory(sheet.conflict),
        "diff": list(sheet.diff),
    }


def describe_bulk(outcome: BulkOutcome) -> JsonObject:
    return {
        "action": outcome.action.value,
        "preview": outcome.is_preview,
        "entries": [
            {
                "review_id": entry.queue_id,
                "content": entry.content,
                "memory_id": entry.memory_id,
                "error": entry.error or None,
            }
            for entry in outcome.entries
        ],
    }


# ── pages ───────────────────────────────────────────────────────────────────────────────────────


def render_queue(items: Sequence[PendingMemory], view: View) -> str:
    if not items:
        return "nothing waits for review\n"
    lines = [view.paint(f"{count(len(items), 'item')} for review", Tone.STRONG)]
    for item in items:
        label = view.paint(pad(shorten_id(item.queue_id), 8), _WAITS.tone)
        room = max(20, view.columns - 12)
        rows = wrap(flatten(item.content), room)
        rows += [view.paint(row, Tone.FAINT) for row in wrap(_describe_origin(item), room)]
        lines += beside(label, 8, rows)
    return join(lines)


def _describe_origin(item: PendingMemory) -> str:
    why = item.validation_result.get("reason")
    parts = [f"{flatten(item.memory_type)} from {flatten(item.source)}, {format_day(item.submitted_at)}"]
    return "; ".join([*parts, flatten(str(why))] if why else parts)


def render_sheet(sheet: ReviewView, view: View, heading: str = "") -> str:
    """Everything that a decision needs: the claim, why it waits, where it was said, what is near it."""
    item = sheet.item
    sign = _WAITS if item.state == "pending" else _DONE if item.state == "approved" else _NOT
    title = heading or f"item {shorten_id(item.queue_id)}: {item.state.value}"
    lines = [
        view.paint(f"{view.sign(sign)} {title}", sign.tone),
        "",
        *indent(wrap(flatten(item.content), view.columns - 2)),
    ]
    lines += ["", *render_rows(_list_rows(sheet), view)]
    quotes: list[str] = []
    for quote in sheet.quotes:
        place = f"turn {quote.turn}" if quote.turn else "source"
        quotes += beside(view.paint(pad(place, 8), Tone.FAINT), 8, wrap(f"“{flatten(quote.text)}”", view.columns - 12))
    lines += render_section("Where it was said", quotes, view)
    near: list[str] = []
    for one in sheet.nearest:
        label = view.paint(pad(f"{one.similarity:.2f}", 6), Tone.NOTE)
        near += render_memory(one.memory, label, 6, view)
    lines += render_section("Nearest memories", near, view)
    rival = sheet.conflict or (sheet.nearest[0].memory if sheet.nearest else None)
    if rival is not None:
        title = "Contradicts what is stored" if sheet.conflict is not None else "Compared with the nearest"
        lines += render_section(
            f"{title} (- stored, + proposed)", render_difference(rival.text, item.content, view), view
        )
    return join(lines)


def _list_rows(sheet: ReviewView) -> list[tuple[str, str]]:
    item = sheet.item
    rows = [("of", f"{item.user_id}, {item.memory_type} from {item.source}")]
    rows.append(("proposed", f"{format_moment(item.submitted_at)} by {item.proposer or 'nobody known'}"))
    result = item.validation_result
    rows += [("why", str(result["reason"]))] if result.get("reason") else []
    rows += [("failed", str(entry)) for entry in result.get("checks_failed") or ()]
    rows += [("edited", item.edited)] if item.edited else []
    rows += [("tried", f"storing it failed: {item.error}")] if item.error else []
    if item.decided_at is not None:
        rows.append(("decided", f"{format_moment(item.decided_at)} by {item.decided_by}"))
    rows += [("reason", item.reason)] if item.reason else []
    rows += [("memory", shorten_id(item.memory_id))] if item.memory_id else []
    return rows


def render_rejected(item: PendingMemory, view: View) -> str:
    lines = [view.paint(f"{view.sign(_NOT)} REJECTED", _NOT.tone), ""]
    rows = [("claim", item.content), ("reason", item.reason), ("by", item.decided_by or "")]
    return join([*lines, *render_rows(rows, view)])


def render_bulk(outcome: BulkOutcome, view: View) -> str:
    verb = {"approve": "approved", "reject": "rejected"}[outcome.action.value]
    done = sum(entry.is_done for entry in outcome.entries)
    told = f"would be {verb}" if outcome.is_preview else verb
    if not outcome.entries:
        return f"nothing {told}\n"
    lines = [view.paint(f"{done} of {count(len(outcome.entries), 'item')} {told}", Tone.STRONG)]
    for entry in outcome.entries:
        sign = _DONE if entry.is_done else _NOT
        label = view.paint(pad(f"{view.sign(sign)} {shorten_id(entry.queue_id)}", 10), sign.tone)
        room = max(20, view.columns - 14)
        rows = wrap(flatten(entry.content), room)
        rows += [view.paint(row, Tone.FAINT) for row in wrap(flatten(entry.error), room)] if entry.error else []
        lines += beside(label, 10, rows)
    return join(lines)
