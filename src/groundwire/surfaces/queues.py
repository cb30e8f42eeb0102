"""One owner's review queue in the hands of one reviewer: who decides, on which item, and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces.calls import Call
from groundwire.surfaces.fields import check_name, read_name, read_required_name, read_user
from groundwire.surfaces.requests import Fields, Limits, check_text, refuse_unknown, wrong_type
from groundwire.surfaces.stores import find_id, open_keeper
from groundwire.types import Scope

if TYPE_CHECKING:
    from groundwire.memory.outcomes import BulkOutcome, Remembered, ReviewView
    from groundwire.memory.review import Reviews
    from groundwire.types.records import PendingMemory

WHO_FIELDS = ("id", "user", "user_id", "tenant", "reviewer", "credential")
MOST_LISTED = 10_000
FULL_ID = 32
CREDENTIAL = "reviewer"


@dataclass
class Reviewer:
    """Who decides and with what, as the options say; the group's are those of its commands."""

    name: str | None = None
    credential: str | None = None


def reviewer_options(command: Callable[..., None]) -> Callable[..., None]:
    """--reviewer and --credential, taken into one `Reviewer` of the whole command line."""

    def take(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
        if value is not None:
            reviewer = ctx.meta.setdefault(__name__, Reviewer())
            setattr(reviewer, "name" if option.name == "reviewer" else "credential", value)

    signs = "What the reviewer signs with, never the proposer's: reviewer unless given."
    credential = click.option("--credential", metavar="NAME", callback=take, expose_value=False, help=signs)
    who = "Who decides: the user unless given, or one of the settings' reviewers."
    return click.option("--reviewer", metavar="NAME", callback=take, expose_value=False, help=who)(credential(command))


@dataclass(frozen=True, slots=True)
class Desk:
    """The queue, and who sits at it."""

    reviews: Reviews
    reviewer: str | None
    credential: str

    def list_pending(self) -> tuple[PendingMemory, ...]:
        return self.reviews.pending(limit=MOST_LISTED, reviewer=self.reviewer, credential=self.credential)

    def show(self, queue_id: str) -> ReviewView:
        return self.reviews.show(queue_id, reviewer=self.reviewer, credential=self.credential)

    def approve(self, queue_id: str, content: str | None = None, replaces: Sequence[str] = ()) -> Remembered:
        """In its own words or in the reviewer's; `replaces` ends with it."""
        return self.reviews.approve(
            queue_id, content=content, replaces=replaces, reviewer=self.reviewer, credential=self.credential
        )

    def reject(self, queue_id: str, reason: str) -> PendingMemory:
        return self.reviews.reject(queue_id, reason=reason, reviewer=self.reviewer, credential=self.credential)

    def decide_all(self, queue_ids: Sequence[str], action: str, *, preview: bool, reason: str) -> BulkOutcome:
        return self.reviews.bulk(
            queue_ids, action, preview=preview, reason=reason, reviewer=self.reviewer, credential=self.credential
        )

    def complete_ids(self, given: Sequence[str]) -> list[str]:
        """Whole ids for beginnings of ids; nothing is looked at where none is short."""
        if all(len(name) >= FULL_ID for name in given):
            return list(given)
        known = [item.queue_id for item in self.list_pending()]
        return [find_id(name, known, "items") for name in given]


OpenDesk = Callable[[Fields], Desk]


def prepare_desk(call: Call, scope: Scope) -> OpenDesk:
    """Opens the store once; each line may then name another owner or reviewer."""
    keeper = open_keeper(call)
    who = cast(Reviewer, click.get_current_context().meta.get(__name__) or Reviewer())

    def open_desk(fields: Fields) -> Desk:
        reviews = keeper.reviews(
            read_user(fields, scope.owner),
            read_name(fields, "tenant", scope.tenant),
            reviewers=call.settings.reviewers,
        )
        reviewer = read_name(fields, "reviewer", who.name or "")
        return Desk(reviews, reviewer or None, read_name(fields, "credential", who.credential or CREDENTIAL))

    return open_desk


# ── fields ──────────────────────────────────────────────────────────────────────────────────────


def find_item(desk: Desk, fields: Fields) -> str:
    return desk.complete_ids([read_required_name(fields, "review_id")])[0]


def read_reason(fields: Fields, limits: Limits) -> str:
    if fields.get("reason") is None:
        raise InvalidInput("reason", "is required: why it is rejected")
    return check_text(fields["reason"], "reason", limits.max_memory_characters)


def read_ids(fields: Fields, name: str) -> list[str]:
    value = fields.get(name)
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise wrong_type(name, "a list of ids", value)
    return [check_name(entry, f"{name}[{place}]") for place, entry in enumerate(cast(Sequence[object], value))]


def check_fields(fields: Fields, *further: str) -> Fields:
    refuse_unknown(fields, (*WHO_FIELDS, *further))
    return fields


def refuse_argument(*given: object) -> None:
    if any(value is not None and value != () for value in given):
        raise click.UsageError("Arguments cannot be used with --jsonl: each line carries its own fields.")


def require_id(review_id: str | None) -> str:
    if review_id is None:
        raise click.UsageError("Name the item: its id, or the beginning of it (groundwire review list).")
    return review_id
