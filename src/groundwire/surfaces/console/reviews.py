"""The review queue: what waits, one item with everything that a decision needs, and the decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

from groundwire.errors import GroundwireError, NotPermitted, RejectionError
from groundwire.surfaces.console.sessions import Notice
from groundwire.surfaces.console.visits import Visit
from groundwire.surfaces.requests import check_text
from groundwire.surfaces.rest.problems import describe
from groundwire.surfaces.stores import shorten_id
from groundwire.types import Scope

if TYPE_CHECKING:
    from groundwire.memory.outcomes import ReviewView
    from groundwire.types.records import PendingMemory

_MOST_OWNERS = 50
_EACH = 100
_MOST_SHOWN = 200
_LONGEST_ID = 512


class Word(NamedTuple):
    """One word of a comparison: `sign` is + for what is proposed, - for what is stored, empty for both."""

    sign: str
    text: str


# ── the list ────────────────────────────────────────────────────────────────────────────────────


def show_queue(visit: Visit) -> Response:
    owners = visit.list_owners()
    named = visit.asked("user").strip()
    waiting = [owner for owner, _, count in owners if count and owner in (named or owner,)]
    items = sorted(
        (item for owner in waiting[:_MOST_OWNERS] for item in _list_items(visit, visit.asker.scope(owner))),
        key=lambda item: (item.submitted_at, item.queue_id),
    )
    chosen = {name: visit.asked(name).strip() for name in ("q", "source", "why")}
    found = [item for item in items if _is_wanted(item, **chosen)]
    return visit.show(
        "review.html",
        title="Review queue",
        items=found[:_MOST_SHOWN],
        is_cut=len(found) > _MOST_SHOWN or len(waiting) > _MOST_OWNERS,
        total=len(items),
        owners=[owner for owner, _, count in owners if count],
        sources=sorted({item.source for item in items}),
        reasons=sorted({_code_of(item) for item in items}),
        chosen={**chosen, "user": named},
        own_key=visit.asker.credential.id,
    )


def _list_items(visit: Visit, scope: Scope) -> Sequence[PendingMemory]:
    caller = visit.asker
    return caller.ledger(scope).pending(reviewer=caller.name, credential=caller.credential.id, limit=_EACH).items


def _is_wanted(item: PendingMemory, q: str, source: str, why: str) -> bool:
    return (
        (not q or q.casefold() in item.content.casefold())
        and source in ("", item.source)
        and why in ("", _code_of(item))
    )


def _code_of(item: PendingMemory) -> str:
    return str(item.validation_result.get("code") or "unknown")


# ── one item ────────────────────────────────────────────────────────────────────────────────────


def show_item(visit: Visit, error: str = "", status: int = 200) -> Response:
    scope, id = visit.need_scope(), _read_id(visit)
    caller = visit.asker
    sheet = visit.time(
        "show_review",
        lambda: caller.reviews(scope).show(id, reviewer=caller.name, credential=caller.credential.id),
    )
    waiting = [item.queue_id for item in _list_items(visit, scope)]
    place = waiting.index(id) if id in waiting else None
    item = sheet.item
    return visit.show(
        "review_item.html",
        code=status,
        title="Review",
        item=item,
        sheet=sheet,
        words=compare(sheet),
        rival=sheet.conflict or (sheet.nearest[0].memory if sheet.nearest else None),
        passed=_read_checks(sheet, "checks_passed"),
        failed=_read_checks(sheet, "checks_failed"),
        reason=_shorten_ids(str(item.validation_result.get("reason") or ""), sheet),
        is_pending=item.state.value == "pending",
        is_own=item.proposer == caller.credential.id,
        previous=waiting[place - 1] if place else None,
        next=waiting[place + 1] if place is not None and place + 1 < len(waiting) else None,
        place=None if place is None else (place + 1, len(waiting)),
        error=error,
        edited=visit.form.get("content", item.content),
        why=visit.form.get("reason", ""),
    )


def _read_checks(sheet: ReviewView, name: str) -> list[str]:
    return [_shorten_ids(str(check), sheet) for check in sheet.item.validation_result.get(name) or ()]


def _shorten_ids(text: str, sheet: ReviewView) -> str:
    """The memory is shown beside it; of its id the beginning is enough."""
    conflict = sheet.item.validation_result.get("conflicting_memory_id")
    return text.replace(str(conflict), shorten_id(str(conflict))) if conflict else text


def compare(sheet: ReviewView) -> list[Word]:
    """The difference that the library tells word by word."""
    return [Word("" if entry.startswith(" ") else entry[0], entry[2:]) for entry in sheet.diff]


def _read_id(visit: Visit) -> str:
    return check_text(str(visit.request.path_params["id"]), "review_id", _LONGEST_ID)


# ── decisions ───────────────────────────────────────────────────────────────────────────────────


def approve(visit: Visit) -> Response:
    return _decide(visit, None)


def edit(visit: Visit) -> Response:
    most = visit.asker.service.settings.max_memory_characters
    try:
        words = check_text(visit.form.get("content", ""), "content", most)
    except GroundwireError as error:
        return show_item(visit, str(error), describe(error).status)
    return _decide(visit, words)


def _decide(visit: Visit, content: str | None) -> Response:
    scope, id, caller = visit.need_scope(), _read_id(visit), visit.asker
    replaces = [visit.form["replaces"]] if visit.form.get("replaces") else []
    try:
        done = visit.time(
            "approve",
            lambda: caller.reviews(scope).approve(
                id, reviewer=caller.name, credential=caller.credential.id, content=content, replaces=replaces
            ),
        )
    except (NotPermitted, RejectionError) as error:
        return show_item(visit, str(error), describe(error).status)
    decision = "approve" if content is None else "edit"
    caller.service.metrics.count("groundwire_review_decisions_total", decision=decision)
    ended = f" It takes the place of {len(done.superseded)}." if done.superseded else ""
    return visit.go("review", Notice(f"Approved and stored.{ended}"))


def reject(visit: Visit) -> Response:
    scope, id, caller = visit.need_scope(), _read_id(visit), visit.asker
    most = caller.service.settings.max_memory_characters
    try:
        reason = check_text(visit.form.get("reason", ""), "reason", most)
        caller.reviews(scope).reject(id, reason=reason, reviewer=caller.name, credential=caller.credential.id)
    except GroundwireError as error:
        return show_item(visit, str(error), describe(error).status)
    caller.service.metrics.count("groundwire_review_decisions_total", decision="reject")
    return visit.go("review", Notice("Rejected; the reason is on record."))
