"""The command `forget`: a memory is deleted for good, and what rested on it is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces.calls import Call
from groundwire.surfaces.cards import count, render_rows
from groundwire.surfaces.fields import read_moment, read_name, read_user
from groundwire.surfaces.layout import Sign, Tone, View, flatten, join, wrap
from groundwire.surfaces.options import record_options
from groundwire.surfaces.recalling import find_memory_id
from groundwire.surfaces.records import describe_forgotten
from groundwire.surfaces.requests import Fields, Limits, check_text, refuse_unknown
from groundwire.surfaces.stores import confirm, open_keeper, owner_options, shorten_id
from groundwire.types import Memory, Scope
from groundwire.types.records import Forgotten

if TYPE_CHECKING:
    from groundwire.app import Groundwire

FORGET_FIELDS = ("id", "memory_id", "reason", "user", "user_id", "tenant", "credential", "now")
_GONE = Sign("✓", Tone.GOOD)


@dataclass(frozen=True, slots=True)
class ForgetRequest:
    memory_id: str
    reason: str
    scope: Scope
    credential: str
    now: datetime | None


@click.command("forget")
@click.argument("memory_ids", metavar="[MEMORY_ID]...", nargs=-1)
@record_options
@owner_options
@click.option("--reason", metavar="WORDS", help="Why; it is kept, so do not quote the memory.")
@click.option("--credential", metavar="NAME", help="Who does it: operator unless given.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def forget(
    call: Call,
    scope: Scope,
    memory_ids: tuple[str, ...],
    reason: str | None,
    credential: str | None,
    yes: bool,
) -> None:
    """Forget memories for good.

    Deletes the words, what was computed from them and every log entry that
    quotes them. That there was a memory stays, and nothing of what it said.
    Names what rested on it. This cannot be undone.

    \b
    In:   one or more ids (the beginning is enough) and --reason; with --jsonl
          and --yes {"memory_id", "reason", "user"?, "tenant"?,
          "credential"?, "now"?}
    Out:  {"forgotten": [{"id", "forgotten_at", "forgotten_by", ...}],
          "dependent_memories", "dependent_reviews", "verdicts_deleted",
          "rejections_deleted", "purged"}

    \b
    Examples:
      groundwire forget 3fa9c1d2 --reason "asked to" --store memory.db
      groundwire forget --jsonl --yes < ids.jsonl
    """
    keeper = open_keeper(call)
    options = {"reason": reason, "credential": credential}
    defaults = {name: value for name, value in options.items() if value is not None}
    if call.as_jsonl:
        if memory_ids:
            raise click.UsageError("MEMORY_ID cannot be used with --jsonl: each line carries its own.")
        if not yes:
            raise click.UsageError("What is forgotten cannot be brought back: give --yes with --jsonl.")
        call.filter(lambda f: describe_forgotten(_forget(keeper, {**defaults, **f}, scope, call.settings)))
    if not memory_ids:
        raise click.UsageError("Name the memory to forget: its id, or the beginning of it (groundwire history).")
    if reason is None:
        raise click.UsageError("Say why: --reason 'WORDS'. The reason is kept, the memory is not.")
    names = list(dict.fromkeys(find_memory_id(keeper, scope, name) for name in memory_ids))
    if not yes:
        click.echo(join(_preview(keeper, names, scope)), err=True, nl=False)
    confirm(f"Forget {count(len(names), 'memory', 'memories')} of {flatten(scope.owner)} for good?", yes=yes)
    done = merge([_forget(keeper, {**defaults, "memory_id": name}, scope, call.settings) for name in names])
    call.show(describe_forgotten(done), lambda view: render_forgotten(done, view))


def _preview(keeper: Groundwire, names: Sequence[str], scope: Scope) -> list[str]:
    """What is about to go; raises where there is no such memory, before anything is asked."""
    lines: list[str] = []
    for name in names:
        found = keeper.history(user=scope.owner, tenant=scope.tenant, memory_id=name)
        lines += [f"  {shorten_id(e.id)}  {flatten(e.text)}" for e in found if isinstance(e, Memory) and e.id == name]
    return lines


def _forget(keeper: Groundwire, fields: Fields, scope: Scope, limits: Limits) -> Forgotten:
    request = read_forget_request(fields, scope, limits)
    return keeper.forget(
        request.memory_id,
        user=request.scope.owner,
        tenant=request.scope.tenant,
        reason=request.reason,
        credential=request.credential,
        now=request.now,
    )


def read_forget_request(fields: Fields, scope: Scope, limits: Limits) -> ForgetRequest:
    refuse_unknown(fields, FORGET_FIELDS)
    for name in ("memory_id", "reason"):
        if fields.get(name) is None:
            raise InvalidInput(name, "is required")
    return ForgetRequest(
        check_text(fields["memory_id"], "memory_id", limits.max_memory_characters),
        check_text(fields["reason"], "reason", limits.max_memory_characters),
        Scope(read_user(fields, scope.owner), read_name(fields, "tenant", scope.tenant)),
        read_name(fields, "credential", "operator"),
        read_moment(fields, "now"),
    )


def merge(parts: Sequence[Forgotten]) -> Forgotten:
    """Several as one; what was forgotten with another no longer depends on it."""
    gone = {stone.id for part in parts for stone in part.tombstones}
    return Forgotten(
        tombstones=tuple(stone for part in parts for stone in part.tombstones),
        memories=tuple(dict.fromkeys(name for part in parts for name in part.memories if name not in gone)),
        reviews=tuple(dict.fromkeys(name for part in parts for name in part.reviews)),
        verdicts=sum(part.verdicts for part in parts),
        rejections=sum(part.rejections for part in parts),
        is_purged=all(part.is_purged for part in parts),
    )


def render_forgotten(done: Forgotten, view: View) -> str:
    headline = f"{view.sign(_GONE)} {count(len(done.tombstones), 'memory', 'memories')} forgotten"
    rows = [("forgotten", shorten_id(stone.id)) for stone in done.tombstones]
    rows += [("rested on it", f"memory {shorten_id(name)}") for name in done.memories]
    rows += [("rested on it", f"item for review {shorten_id(name)}") for name in done.reviews]
    if done.verdicts or done.rejections:
        counted = f"{count(done.verdicts, 'verdict')} and {count(done.rejections, 'rejection')}"
        rows.append(("deleted too", f"{counted} that quoted it"))
    lines = [view.paint(headline, _GONE.tone), *render_rows(rows, view, 12)]
    if not done.is_purged:
        note = "Another process still reads the file: the words leave it when that has ended and it is opened again."
        lines += ["", *wrap(note, view.columns)]
    return join(lines)
