"""The command `guard`: an answer as it is written, let out sentence by sentence."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, cast

import click

from groundwire.surfaces import requests
from groundwire.surfaces.calls import Call, Setup, name_document, open_binary, read_document, write_output
from groundwire.surfaces.checking import judge_option
from groundwire.surfaces.layout import flatten
from groundwire.surfaces.responses import JsonObject, describe_claim_report, write_json
from groundwire.surfaces.stores import consult_store, name_tenant, name_user, source_options

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.guard.events import StreamEvent
    from groundwire.guard.policy import GuardOptions

EXIT_FLAGGED = 3
_AT_ONCE = 65_536
_PATIENCE = 60.0
"""Whoever writes into the pipe goes on writing while a sentence is judged."""
_MODES = ("strict", "fast")
_ON_REFUTED = ("halt", "repair")
_ON_UNVERIFIED = ("annotate", "release", "remove", "abstain")


@click.command()
@click.argument("file", required=False, default="-")
@judge_option
@click.option("--memory", multiple=True, metavar="WORDS", help="A memory; repeat for more.")
@click.option("--memories", "memory_files", multiple=True, metavar="FILE", help="Memories from a file, as for verify.")
@click.option("--query", default="", metavar="WORDS", help="The question that is being answered.")
@click.option(
    "--mode", type=click.Choice(_MODES), default="strict", show_default=True, help="fast shows, and takes back."
)
@click.option("--refuted", type=click.Choice(_ON_REFUTED), help="strict halts and fast repairs unless given.")
@click.option(
    "--unverified", type=click.Choice(_ON_UNVERIFIED), help="strict annotates and fast releases unless given."
)
@click.option("--jsonl", "as_jsonl", is_flag=True, help="Print every event as a JSON object, one a line.")
@source_options
@click.pass_obj
def guard(
    setup: Setup,
    file: str,
    memory: tuple[str, ...],
    memory_files: tuple[str, ...],
    query: str,
    mode: str,
    refuted: str | None,
    unverified: str | None,
    as_jsonl: bool,
) -> None:
    """Let an answer out as it is written, once each sentence is verified.

    Standard input, or FILE, is read as it comes. In strict mode a sentence is
    shown when it has passed; a refuted one halts the answer. In fast mode
    everything is shown at once, and what was wrong is told on standard error.

    \b
    In:   the answer, and the memories or a store and whose it is
    Out:  what is released; with --jsonl {"kind": "hold", "release",
          "repair", "halt" or "abstain", "span": [start, end], "text"?,
          "reason", "claims", ...} a line
    Exit status 3 when something was halted, repaired or could not be verified.

    \b
    Examples:
      llm "Where do I live?" | groundwire guard --store memory.db --user ada
      groundwire guard answer.txt --memory "I live in Porto" --jsonl
    """
    call = Call(setup, None, None, file, False, as_jsonl, "auto")
    if file == "-" and "-" in memory_files:
        raise click.UsageError("Standard input can be read once: give the answer or --memories a file.")
    options = _choose_options(mode, refuted, unverified, fail_closed=call.settings.fail_closed)
    with open_binary(file) as stream:
        events = _open_events(call, stream, memory, memory_files, query, options)
        changes = [event for event in events if not _tell(event, as_jsonl=as_jsonl)]
    if not as_jsonl:
        write_output("\n")
    if changes:
        click.get_current_context().exit(EXIT_FLAGGED)


def _open_events(
    call: Call,
    stream: BinaryIO,
    memory: tuple[str, ...],
    memory_files: tuple[str, ...],
    query: str,
    options: GuardOptions,
) -> Iterator[StreamEvent]:
    has_store = not memory and not memory_files and consult_store(call)
    documents = [(read_document(path, "memories"), name_document("memories", path)) for path in memory_files]
    given = [*memory, *(entry for document in documents for entry in requests.read_memory_document(*document))]
    house = cast("Groundwire", call.library)
    return house.guard(
        decode_as_it_comes(stream),
        memories=requests.read_memories(given, call.settings),
        user=name_user(call.setup) if has_store else call.setup.user,
        tenant=name_tenant(call.setup),
        query=query,
        options=options,
    )


def _choose_options(mode: str, refuted: str | None, unverified: str | None, *, fail_closed: bool) -> GuardOptions:
    from groundwire.guard.policy import GuardMode, GuardOptions, OnRefuted, OnUnverified

    return GuardOptions(
        mode=GuardMode(mode),
        refuted=OnRefuted(refuted) if refuted else None,
        unverified=OnUnverified(unverified) if unverified else None,
        fail_closed=fail_closed,
        patience=_PATIENCE,
    )


def decode_as_it_comes(stream: BinaryIO) -> Iterator[str]:
    """Text as soon as it is there; a character that was cut in two waits for its other half, a broken one is marked."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    read = getattr(stream, "read1", stream.read)
    while data := read(_AT_ONCE):
        if text := decoder.decode(data):
            yield text
    if text := decoder.decode(b"", final=True):
        yield text


def _tell(event: StreamEvent, *, as_jsonl: bool) -> bool:
    """Show an event; whether it leaves the answer as it was."""
    from groundwire.guard.events import Abstain, Halt, Release, Repair

    if as_jsonl:
        write_output(write_json(describe_event(event)) + "\n")
    else:
        match event:
            case Release() | Repair(takes_back=False):
                write_output(event.text)
            case Repair():
                click.echo(f"\ngroundwire: taken back: {flatten(event.reason)}; say: {flatten(event.text)}", err=True)
            case Abstain():
                sys.stdout.flush()
                write_output(f"\n\n{event.text}" if event.span.start else event.text)
            case _:
                pass
    return not isinstance(event, Halt | Repair | Abstain)


def describe_event(event: StreamEvent) -> JsonObject:
    """An event as JSON: what every kind has, and what is its own."""
    described: JsonObject = {"kind": event.kind.value, "span": list(event.span)}
    for field, name in _OWN.items():
        value: object = getattr(event, field, None)
        if value is not None and value not in ((), ""):
            described[name] = list(cast("tuple[object, ...]", value)) if isinstance(value, tuple) else value
    return {**described, "claims": [describe_claim_report(claim) for claim in event.claims]}


_OWN = {
    "text": "text",
    "reason": "reason",
    "caveat": "caveat",
    "is_verified": "verified",
    "takes_back": "takes_back",
    "tokens": "tokens",
    "released": "released",
    "corrected": "corrected",
    "may_branch": "may_branch",
    "number": "number",
    "is_accepted": "accepted",
    "improved": "improved",
    "evidence": "evidence",
    "branch_count": "branch_count",
    "request_id": "request_id",
}
