"""The command `remember`: the write gate decides, and what it decides is carried out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces.calls import Call
from groundwire.surfaces.cards import count, describe_validity, render_rows
from groundwire.surfaces.conversations import (
    Spoken,
    describe_conversation,
    read_conversation_file,
    read_conversation_request,
    render_conversation,
)
from groundwire.surfaces.fields import read_moment, read_name, read_user
from groundwire.surfaces.gating import describe_receipt, list_facts, read_turns
from groundwire.surfaces.layout import Sign, Tone, View, flatten, join, wrap
from groundwire.surfaces.options import shared_options
from groundwire.surfaces.records import describe_memory
from groundwire.surfaces.requests import Fields, Limits, check_text, refuse_unknown
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import open_keeper, owner_options, shorten_id
from groundwire.types import Scope

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.memory.outcomes import Remembered, RememberedConversation

EXIT_FLAGGED = 3
REMEMBER_FIELDS = (
    "id", "content", "memory_type", "source", "user", "user_id", "tenant", "repository", "turns", "valid_from",
    "validity_horizon", "credential", "now",
)  # fmt: skip
_WHO_AND_WHEN = ("credential", "now")
_OPTIONS = {"memory_type": "type", "valid_from": "since", "validity_horizon": "until"}
_PATH_CHARACTERS = 4096
_FACTS = ("citation", "trust", "until")
_KEPT, _WAITING, _REFUSED = Sign("✓", Tone.GOOD), Sign("?", Tone.DOUBTFUL), Sign("✗", Tone.BAD)


@dataclass(frozen=True, slots=True)
class RememberRequest:
    content: str
    scope: Scope
    source: str
    memory_type: str
    repository: str | None
    turns: tuple[str, ...] | None
    valid_from: datetime | None
    validity_horizon: datetime | None
    credential: str
    now: datetime | None


@click.command("remember")
@shared_options("CONTENT")
@owner_options
@click.option("--conversation", metavar="FILE", help="Remember what this conversation tells; - is standard input.")
@click.option("--type", "memory_type", metavar="TYPE", help="fact (unless given), preference or decision.")
@click.option("--source", metavar="SOURCE", help="Who says so: user (unless given), documentation, ai_synthesis, ...")
@click.option("--repository", metavar="FOLDER", help="Where cited commits and decision records are looked up.")
@click.option("--since", "valid_from", metavar="TIME", help="From when on it holds; from now on if left out.")
@click.option("--until", "validity_horizon", metavar="TIME", help="When it stops being evidence.")
@click.option("--credential", metavar="NAME", help="Who proposes it, and so cannot approve it: operator unless given.")
@click.option("--now", metavar="TIME", help="When it was said; at this moment if left out.")
def remember(call: Call, scope: Scope, conversation: str | None, **options: str | None) -> None:
    """Remember CONTENT, or what a conversation tells, if the write gate lets it in.

    What is grounded is stored, and what it replaces is ended, not overwritten.
    What is doubtful waits for a person (groundwire review). What is refused is
    noted with its reason (groundwire rejections). The first memory makes the
    store.

    \b
    In:   CONTENT, a file or -; with --jsonl {"content", "source",
          "memory_type"?, "user"?, "tenant"?, "repository"?,
          "turns"?: [{"speaker", "text"}], "valid_from"?,
          "validity_horizon"?, "credential"?, "now"?}; the options stand in
          for fields that a line leaves out. Times are ISO 8601.
          In place of content a line may have "conversation": turns as
          [{"speaker", "text"}], or a text. FILE of --conversation holds such
          a list, one turn a line, "speaker: text" lines, or a summary.
    Out:  the receipt of 'groundwire gate' with {"stored", "memory_id",
          "review_id", "confirmed", "memory", "superseded": [...]};
          of a conversation {"stored": [...], "proposed": [...],
          "rejected": [...], "extractor", "log"}
    Exit status 3 when something was not stored.

    \b
    Examples:
      groundwire remember "I moved to Berlin in May." --store memory.db --user ada
      groundwire remember "We use PostgreSQL 15." --source ai_synthesis
      groundwire remember --jsonl notes.jsonl --source user
      groundwire remember --conversation talk.txt --store memory.db --user ada
    """
    given = {name: value for name, value in options.items() if value is not None}
    if conversation is not None:
        _check_alone(call, given)
    keeper = open_keeper(call, may_be_new=True)
    if call.as_jsonl:
        call.filter(lambda fields: _answer(call, keeper, scope, given, fields))
    if conversation is None:
        is_kept = _show_claim(call, keeper, scope, given)
    else:
        said = read_conversation_file(conversation, call.settings)
        is_kept = _show_conversation(call, keeper, scope, {**given, "conversation": said})
    if not is_kept:
        click.get_current_context().exit(EXIT_FLAGGED)


def _answer(call: Call, keeper: Groundwire, scope: Scope, given: Fields, fields: Fields) -> JsonObject:
    """One line; `given` are the options, which stand in for what it leaves out."""
    if "conversation" in fields:
        said = {name: given[name] for name in _WHO_AND_WHEN if name in given} | dict(fields)
        return describe_conversation(_keep_all(keeper, read_conversation_request(said, scope, call.settings)))
    return describe_remembered(_keep(keeper, read_remember_request({**given, **fields}, scope, call.settings)))


def _show_claim(call: Call, keeper: Groundwire, scope: Scope, given: Fields) -> bool:
    fields = {"source": "user", **given, "content": call.read_text("content")}
    done = _keep(keeper, read_remember_request(fields, scope, call.settings))
    call.show(describe_remembered(done), lambda view: render_remembered(done, view))
    return done.is_stored


def _show_conversation(call: Call, keeper: Groundwire, scope: Scope, fields: Fields) -> bool:
    heard = _keep_all(keeper, read_conversation_request(fields, scope, call.settings))
    call.show(describe_conversation(heard), lambda view: render_conversation(heard, view))
    call.warn_of_model()
    return not (heard.extraction.rejected or heard.refused) and all(kept.is_stored for kept in heard.remembered)


def _check_alone(call: Call, given: Fields) -> None:
    """A conversation brings its own words, and the user's are the source."""
    if call.as_jsonl:
        raise click.UsageError("--conversation cannot be used with --jsonl: a line has its own 'conversation'.")
    if call.argument is not None or call.text is not None or call.file is not None:
        raise click.UsageError("Give one of CONTENT and --conversation, not both.")
    for name in given:
        if name not in _WHO_AND_WHEN:
            raise click.UsageError(f"--{_OPTIONS.get(name, name)} cannot be used with --conversation.")


def _keep(keeper: Groundwire, request: RememberRequest) -> Remembered:
    return keeper.remember(
        request.content,
        user=request.scope.owner,
        tenant=request.scope.tenant,
        source=request.source,
        memory_type=request.memory_type,
        repository=request.repository,
        turns=request.turns,
        valid_from=request.valid_from,
        validity_horizon=request.validity_horizon,
        credential=request.credential,
        now=request.now,
    )


def _keep_all(keeper: Groundwire, spoken: Spoken) -> RememberedConversation:
    return keeper.remember_conversation(
        spoken.source,
        user=spoken.scope.owner,
        tenant=spoken.scope.tenant,
        candidates=spoken.candidates,
        credential=spoken.credential,
        now=spoken.now,
    )


# ── in ──────────────────────────────────────────────────────────────────────────────────────────


def read_remember_request(fields: Fields, scope: Scope, limits: Limits) -> RememberRequest:
    """`scope` is whose memory it is where the line does not say."""
    refuse_unknown(fields, REMEMBER_FIELDS)
    if fields.get("content") is None:
        raise InvalidInput("content", "is required")
    if fields.get("source") is None:
        raise InvalidInput("source", "is required: who says so (user, documentation, ai_synthesis, ...), or --source")
    repository = fields.get("repository")
    return RememberRequest(
        content=check_text(fields["content"], "content", limits.max_memory_characters),
        scope=Scope(read_user(fields, scope.owner), read_name(fields, "tenant", scope.tenant)),
        source=read_name(fields, "source", ""),
        memory_type=read_name(fields, "memory_type", "fact"),
        repository=None if repository is None else check_text(repository, "repository", _PATH_CHARACTERS),
        turns=read_turns(fields.get("turns"), limits),
        valid_from=read_moment(fields, "valid_from"),
        validity_horizon=read_moment(fields, "validity_horizon"),
        credential=read_name(fields, "credential", "operator"),
        now=read_moment(fields, "now"),
    )


# ── out ─────────────────────────────────────────────────────────────────────────────────────────


def describe_remembered(done: Remembered) -> JsonObject:
    return {
        **describe_receipt(done.receipt),
        "stored": done.is_stored,
        "memory_id": None if done.memory is None else done.memory.id,
        "review_id": done.review_id,
        "confirmed": done.is_confirmation,
        "memory": None if done.memory is None else describe_memory(done.memory),
        "superseded": [describe_memory(memory) for memory in done.superseded],
    }


def render_remembered(done: Remembered, view: View) -> str:
    """What became of it, why, and what to do next."""
    sign, headline = _head(done)
    receipt = done.receipt
    reason = _shorten_rival(done, receipt.reason)
    lines = [view.paint(f"{view.sign(sign)} {headline}", sign.tone), *wrap(flatten(reason), view.columns), ""]
    rows = [("claim", receipt.evidence.claim)]
    if done.memory is not None:
        rows = [("memory", done.memory.text), ("id", shorten_id(done.memory.id))]
        rows += [("holds", describe_validity(done.memory))] if describe_validity(done.memory) else []
        rows += [("said", count(done.memory.mentions, "time"))] if done.is_confirmation else []
    rows += [("replaces", f"“{old.text}” ({describe_validity(old)})") for old in done.superseded]
    rows += [("failed", entry) for entry in _list_failures(done)]
    rows += [row for row in list_facts(receipt) if row[0] in _FACTS]
    if done.review_id is not None:
        rows.append(("decide", f"groundwire review show {shorten_id(done.review_id)}"))
    return join([*lines, *render_rows(rows, view)])


def _list_failures(done: Remembered) -> list[str]:
    """What spoke against it, without what has been settled by ending or confirming another memory."""
    settled = {memory.id for memory in (*done.superseded, done.memory) if memory is not None}
    entries = [entry for entry in done.receipt.checks_failed if not any(name in entry for name in settled)]
    return [_shorten_rival(done, entry) for entry in entries]


def _shorten_rival(done: Remembered, text: str) -> str:
    rival = done.receipt.conflicting_memory_id
    return text.replace(rival, shorten_id(rival)) if rival else text


def _head(done: Remembered) -> tuple[Sign, str]:
    if done.memory is not None:
        return _KEPT, "KNOWN ALREADY, SAID AGAIN" if done.is_confirmation else "REMEMBERED"
    return (_WAITING, "WAITS FOR REVIEW") if done.review_id is not None else (_REFUSED, "REFUSED")
