"""The commands under `review`: what waits for a person, one item at a time or many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces import sheets, walking
from groundwire.surfaces.calls import Call, Setup, make_view
from groundwire.surfaces.cards import count
from groundwire.surfaces.fields import read_required_name
from groundwire.surfaces.options import color_option, record_options
from groundwire.surfaces.queues import (
    OpenDesk,
    check_fields,
    find_item,
    prepare_desk,
    read_ids,
    read_reason,
    refuse_argument,
    require_id,
    reviewer_options,
)
from groundwire.surfaces.records import describe_item
from groundwire.surfaces.remembering import describe_remembered, render_remembered
from groundwire.surfaces.requests import Fields, Limits, check_text, wrong_type
from groundwire.surfaces.stores import confirm, owner_options
from groundwire.types import Scope

if TYPE_CHECKING:
    from groundwire.memory.outcomes import BulkOutcome, Remembered, ReviewView
    from groundwire.types.records import PendingMemory

EXIT_FLAGGED = 3
_NO_TERMINAL = (
    "Going through the queue key by key needs a terminal. Without one, use 'groundwire review list', 'show', "
    "'approve', 'reject', 'edit' and 'bulk'."
)


@click.group("review", invoke_without_command=True)
@owner_options
@reviewer_options
@color_option
def review(scope: Scope, color: str) -> None:
    """Decide on what the write gate leaves to a person.

    Without a command, goes through what waits, key by key: where each claim was
    said, the nearest memories, and what differs. That needs a terminal; the
    commands below do not. Whoever proposed a memory cannot approve it: the two
    sign with different credentials.

    \b
    Keys: a approve, c approve in place of what it contradicts, e edit and
          approve, r reject with a reason, n next, p previous, q quit.
          Leaving decides nothing.

    \b
    Examples:
      groundwire review --store memory.db --user ada
      groundwire review list --store memory.db --user ada
      groundwire review approve 3fa9c1d2
      groundwire review reject 3fa9c1d2 --reason "never said so"
      groundwire review bulk reject --all --reason "test data" --preview
    """
    ctx = click.get_current_context()
    if ctx.invoked_subcommand is not None:
        return
    terminal = walking.find_terminal()
    if terminal is None:
        raise click.UsageError(_NO_TERMINAL)
    call = Call(ctx.find_object(Setup) or Setup(), None, None, None, False, False, color)
    walking.walk(prepare_desk(call, scope)({}), terminal, make_view(color))


# ── looking ─────────────────────────────────────────────────────────────────────────────────────


@review.command("list")
@record_options
@owner_options
@reviewer_options
def list_(call: Call, scope: Scope) -> None:
    """List what waits, oldest first.

    \b
    In:   nothing; with --jsonl {"user"?, "tenant"?, "reviewer"?}
    Out:  {"pending": [{"review_id", "content", "source", "memory_type",
          "submitted_at", "proposer", "reason_for_review", ...}]}
    Exit status 3 when something waits.

    \b
    Examples:
      groundwire review list --store memory.db --user ada
      groundwire review list --json | jq -r '.pending[].review_id'
    """
    open_desk = prepare_desk(call, scope)

    def find(fields: Fields) -> tuple[PendingMemory, ...]:
        return open_desk(check_fields(fields)).list_pending()

    if call.as_jsonl:
        call.filter(lambda fields: sheets.describe_queue(find(fields)))
    found = find({})
    call.show(sheets.describe_queue(found), lambda view: sheets.render_queue(found, view))
    if found:
        click.get_current_context().exit(EXIT_FLAGGED)


@review.command("show")
@click.argument("review_id", required=False)
@record_options
@owner_options
@reviewer_options
def show(call: Call, scope: Scope, review_id: str | None) -> None:
    """Show one item: where it was said, the nearest memories, what differs.

    \b
    In:   REVIEW_ID or the beginning of it; with --jsonl {"review_id", "user"?,
          "tenant"?, "reviewer"?}
    Out:  {"review_id", "content", ..., "quotes": [{"turn", "span", "text"}],
          "nearest": [{"id", "text", "similarity", ...}], "conflict", "diff"}

    \b
    Examples:
      groundwire review show 3fa9c1d2 --store memory.db --user ada
    """
    open_desk = prepare_desk(call, scope)

    def find(fields: Fields) -> ReviewView:
        desk = open_desk(check_fields(fields, "review_id"))
        return desk.show(find_item(desk, fields))

    if call.as_jsonl:
        refuse_argument(review_id)
        call.filter(lambda fields: sheets.describe_sheet(find(fields)))
    sheet = find({"review_id": require_id(review_id)})
    call.show(sheets.describe_sheet(sheet), lambda view: sheets.render_sheet(sheet, view))


# ── deciding ────────────────────────────────────────────────────────────────────────────────────

_REPLACES = "A memory that ends with it; repeat for more."


@review.command("approve")
@click.argument("review_id", required=False)
@record_options
@owner_options
@reviewer_options
@click.option("--replaces", multiple=True, metavar="MEMORY_ID", help=_REPLACES)
def approve(call: Call, scope: Scope, review_id: str | None, replaces: tuple[str, ...]) -> None:
    """Store what waits, in its own words.

    Duplicates and contradictions are looked for once more: what has become a
    duplicate in the meantime is reported and not stored.

    \b
    In:   REVIEW_ID or the beginning of it; with --jsonl {"review_id",
          "replaces"?: [memory id], "user"?, "tenant"?, "reviewer"?,
          "credential"?}
    Out:  as of 'groundwire remember'
    Exit status 3 when it was not stored.

    \b
    Examples:
      groundwire review approve 3fa9c1d2 --store memory.db --user ada
    """

    def decide(fields: Fields) -> Remembered:
        desk = open_desk(check_fields(fields, "review_id", "replaces"))
        return desk.approve(find_item(desk, fields), replaces=read_ids(fields, "replaces"))

    open_desk = prepare_desk(call, scope)
    if call.as_jsonl:
        refuse_argument(review_id, replaces)
        call.filter(lambda fields: describe_remembered(decide(fields)))
    _show_stored(call, decide({"review_id": require_id(review_id), "replaces": replaces}))


@review.command("edit")
@click.argument("review_id", required=False)
@click.argument("content", required=False)
@record_options
@owner_options
@reviewer_options
@click.option("--replaces", multiple=True, metavar="MEMORY_ID", help=_REPLACES)
def edit(call: Call, scope: Scope, review_id: str | None, content: str | None, replaces: tuple[str, ...]) -> None:
    """Store what waits in other words: CONTENT.

    The words pass the write gate like any others; the original and who edited
    it stay with the memory.

    \b
    In:   REVIEW_ID and CONTENT; with --jsonl {"review_id", "content",
          "replaces"?: [memory id], "user"?, "tenant"?, "reviewer"?,
          "credential"?}
    Out:  as of 'groundwire remember'
    Exit status 3 when it was not stored.

    \b
    Examples:
      groundwire review edit 3fa9c1d2 "The service uses PostgreSQL 15."
    """

    def decide(fields: Fields) -> Remembered:
        desk = open_desk(check_fields(fields, "review_id", "content", "replaces"))
        if fields.get("content") is None:
            raise InvalidInput("content", "is required: the new words")
        words = check_text(fields["content"], "content", call.settings.max_memory_characters)
        return desk.approve(find_item(desk, fields), words, read_ids(fields, "replaces"))

    open_desk = prepare_desk(call, scope)
    if call.as_jsonl:
        refuse_argument(review_id, content, replaces)
        call.filter(lambda fields: describe_remembered(decide(fields)))
    if review_id is not None and content is None:
        raise click.UsageError("Give the new words after the id.")
    _show_stored(call, decide({"review_id": require_id(review_id), "content": content, "replaces": replaces}))


def _show_stored(call: Call, done: Remembered) -> None:
    call.show(describe_remembered(done), lambda view: render_remembered(done, view))
    if not done.is_stored:
        click.get_current_context().exit(EXIT_FLAGGED)


@review.command("reject")
@click.argument("review_id", required=False)
@record_options
@owner_options
@reviewer_options
@click.option("--reason", metavar="WORDS", help="Why; it is kept.")
def reject(call: Call, scope: Scope, review_id: str | None, reason: str | None) -> None:
    """Take an item from the queue without storing it.

    \b
    In:   REVIEW_ID or the beginning of it, and --reason; with --jsonl
          {"review_id", "reason", "user"?, "tenant"?, "reviewer"?,
          "credential"?}
    Out:  {"review_id", "content", "state", "decided_by", "reason", ...}

    \b
    Examples:
      groundwire review reject 3fa9c1d2 --reason "never said so"
    """
    open_desk = prepare_desk(call, scope)

    def decide(fields: Fields) -> PendingMemory:
        desk = open_desk(check_fields(fields, "review_id", "reason"))
        reason = read_reason(fields, call.settings)
        return desk.reject(find_item(desk, fields), reason)

    if call.as_jsonl:
        refuse_argument(review_id)
        call.filter(lambda fields: describe_item(decide(fields)), {"--reason": reason})
    if review_id is not None and reason is None:
        raise click.UsageError("Say why: --reason 'WORDS'.")
    done = decide({"review_id": require_id(review_id), "reason": reason})
    call.show(describe_item(done), lambda view: sheets.render_rejected(done, view))


# ── many at once ────────────────────────────────────────────────────────────────────────────────


@review.command("bulk")
@click.argument("action", type=click.Choice(["approve", "reject"]), required=False)
@click.argument("review_ids", nargs=-1)
@record_options
@owner_options
@reviewer_options
@click.option("--all", "everything", is_flag=True, help="Everything that waits for this user.")
@click.option("--reason", metavar="WORDS", help="Why they are rejected; it is kept.")
@click.option("--preview", is_flag=True, help="Say what would happen, and change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def bulk(call: Call, scope: Scope, preview: bool, yes: bool, **named: object) -> None:
    """Approve or reject many items at once, each for itself.

    What would happen is shown first, and asked about.

    \b
    In:   approve or reject, and ids or --all; with --jsonl {"action",
          "review_ids", "reason"?, "preview"? (true unless given), "user"?,
          "tenant"?, "reviewer"?, "credential"?}
    Out:  {"action", "preview", "entries": [{"review_id", "content",
          "memory_id", "error"}]}
    Exit status 3 when one of them was not or would not be done.

    \b
    Examples:
      groundwire review bulk approve 3fa9c1d2 8b12aa07 --store memory.db
      groundwire review bulk reject --all --reason "test data" --preview
    """
    open_desk = prepare_desk(call, scope)
    if call.as_jsonl:
        refuse_argument(named["action"], named["review_ids"], named["everything"] or None, preview or None)
        call.filter(lambda fields: sheets.describe_bulk(decide_all(open_desk, fields, call.settings)))
    fields = _gather(open_desk, **named)
    outcome = decide_all(open_desk, {**fields, "preview": True}, call.settings)
    if not preview:
        if not yes:
            click.echo(sheets.render_bulk(outcome, make_view(call.color)), err=True, nl=False)
        ready = sum(entry.is_done for entry in outcome.entries)
        if ready:
            confirm(f"{outcome.action.value.capitalize()} {count(ready, 'item')}?", yes=yes)
        outcome = decide_all(open_desk, {**fields, "preview": False}, call.settings)
    call.show(sheets.describe_bulk(outcome), lambda view: sheets.render_bulk(outcome, view))
    if not all(entry.is_done for entry in outcome.entries):
        click.get_current_context().exit(EXIT_FLAGGED)


def _gather(open_desk: OpenDesk, action: object, review_ids: object, everything: object, reason: object) -> Fields:
    """What the command line says, as a line would say it."""
    if action is None or not (review_ids or everything):
        raise click.UsageError("Say what to do with which: approve or reject, then ids or --all.")
    if review_ids and everything:
        raise click.UsageError("Give ids or --all, not both.")
    if action == "reject" and reason is None:
        raise click.UsageError("Say why: --reason 'WORDS'.")
    names = [item.queue_id for item in open_desk({}).list_pending()] if everything else review_ids
    return {"action": action, "review_ids": names, "reason": reason}


def decide_all(open_desk: OpenDesk, fields: Fields, limits: Limits) -> BulkOutcome:
    """A preview unless the line says that it is none."""
    desk = open_desk(check_fields(fields, "review_ids", "action", "reason", "preview"))
    action = read_required_name(fields, "action")
    if action not in ("approve", "reject"):
        raise InvalidInput("action", "must be approve or reject")
    preview = fields.get("preview", True)
    if not isinstance(preview, bool):
        raise wrong_type("preview", "true or false", preview)
    if "review_ids" not in fields:
        raise InvalidInput("review_ids", "is required: a list of ids")
    reason = read_reason(fields, limits) if action == "reject" else ""
    names = desk.complete_ids(read_ids(fields, "review_ids"))
    return desk.decide_all(list(dict.fromkeys(names)), action, preview=preview, reason=reason)
