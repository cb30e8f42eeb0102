"""A stop hook for Claude Code: before a turn ends, its last message is checked against what is remembered.

The hook's JSON comes on standard input. Where the message does not hold, a decision to block goes to standard output,
with what is wrong as its reason, and the model goes on and mends it. It is asked once a turn: what was mended because
of this hook is let through. What cannot be checked is let through too, with the reason on standard error and status 1.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import click

from groundwire.app import Groundwire
from groundwire.errors import GroundwireError, InvalidInput
from groundwire.integrations.answers import AnswerCheck, Remedy
from groundwire.settings import Settings
from groundwire.types.places import is_address

LARGEST_INPUT = 16 * 1024 * 1024
LARGEST_TAIL = 4 * 1024 * 1024
"""Of a transcript only the end is read: the last message is there, and a long session has hundreds of megabytes."""
EXIT_UNCHECKED = 1  # 2 would block, and an input that cannot be read would block for ever


@click.command("groundwire-stop-hook", context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--store",
    metavar="FILE",
    help="The file or address of memories; that of GROUNDWIRE_STORE if left out.",
)
@click.option("--user", metavar="NAME", help="Whose memory it is; that of GROUNDWIRE_USER, or 'user'.")
@click.option("--tenant", default="default", show_default=True, metavar="NAME")
@click.option("--strict", is_flag=True, help="Block what no memory bears out, and not only what one refutes.")
def main(store: str | None, user: str | None, tenant: str, strict: bool) -> None:
    """Check the last message of a Claude Code turn; for the Stop hook in its settings."""
    try:
        settings = Settings.load(None, os.environ)
        place = store or settings.store
        if not place or not (is_address(place) or Path(place).expanduser().exists()):
            raise InvalidInput("store", f"there is none at {place!r}; give --store or set GROUNDWIRE_STORE")
        payload = read_payload(sys.stdin.buffer.read(LARGEST_INPUT + 1))
        with Groundwire(place, settings=settings) as gw:
            name = user or settings.user or "user"
            check = AnswerCheck(gw, user=name, tenant=tenant, remedy=Remedy.FLAG, strict=strict)
            decision = decide(payload, check)
    except GroundwireError as error:
        click.echo(f"groundwire: the message was not checked: {error}", err=True)
        raise SystemExit(EXIT_UNCHECKED) from error
    if decision is not None:
        click.echo(json.dumps(decision, ensure_ascii=False).encode("utf-8", "replace"))


def decide(payload: Mapping[str, object], check: AnswerCheck) -> dict[str, str] | None:
    """To block with a reason, or nothing: the turn may end."""
    if payload.get("stop_hook_active"):
        return None
    message = find_message(payload)
    if not message.strip():
        return None
    checked = check.check(message)
    if not checked.is_flagged:
        return None
    better = checked.report.corrected
    mend = f"\nThis would hold:\n{better}" if better else "\nSay what is remembered, or leave it out."
    reason = f"Your last message does not agree with what is remembered about the user.\n{checked.problem}{mend}"
    return {"decision": "block", "reason": reason}


def read_payload(data: bytes) -> Mapping[str, object]:
    if len(data) > LARGEST_INPUT:
        raise InvalidInput("input", f"has more than {LARGEST_INPUT:,} bytes")
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InvalidInput("input", f"is not the JSON of a hook: {type(error).__name__}") from None
    if not isinstance(payload, dict):
        raise InvalidInput("input", "is not a JSON object")
    return cast(Mapping[str, object], payload)


def find_message(payload: Mapping[str, object]) -> str:
    """The last message as the hook hands it over, or, from older releases, as the transcript has it."""
    message = payload.get("last_assistant_message")
    if isinstance(message, str):
        return message
    path = payload.get("transcript_path")
    if not isinstance(path, str) or not path:
        raise InvalidInput("input", "has neither last_assistant_message nor transcript_path")
    for entry in read_backwards(Path(path).expanduser()):
        if entry.get("type") == "assistant" and not entry.get("isSidechain"):
            text = _read_text(entry.get("message"))
            if text.strip():
                return text
        elif entry.get("type") == "user":
            return ""  # the turn said nothing
    return ""


def read_backwards(path: Path) -> Iterator[Mapping[str, Any]]:
    """The entries at the end of a transcript, the last first; lines that are none are passed over."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - LARGEST_TAIL))
            lines = file.read(LARGEST_TAIL).splitlines()
    except OSError as error:
        raise InvalidInput("transcript_path", f"cannot be read: {error.strerror or error}") from None
    for line in reversed(lines):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict):
            yield cast(Mapping[str, Any], entry)


def _read_text(message: object) -> str:
    """The text blocks of a message; what it thought and what it called are not what it said."""
    content = cast(Mapping[str, object], message).get("content") if isinstance(message, dict) else message
    if isinstance(content, str):
        return content
    blocks = cast(list[object], content) if isinstance(content, list) else []
    texts = [cast(Mapping[str, object], block) for block in blocks if isinstance(block, dict)]
    return "\n".join(str(block.get("text", "")) for block in texts if block.get("type") == "text")


if __name__ == "__main__":
    main()
