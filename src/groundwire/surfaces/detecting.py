"""The command `detect`: an answer in, what kind of wrong it is and what to do about it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces import requests
from groundwire.surfaces.calls import Call, name_document, read_document
from groundwire.surfaces.checking import judge_option
from groundwire.surfaces.fields import check_name, read_moment
from groundwire.surfaces.options import shared_options
from groundwire.surfaces.requests import Fields, Limits, check_text, refuse_unknown, wrong_type
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import consult_store, name_tenant, name_user, open_keeper, source_options

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.evidence.knowledge import Knowledge
    from groundwire.evidence.lookups import DialogueState, KnowledgeBase
    from groundwire.types.detection import DetectionReport

DETECT_FIELDS = ("id", "response", "dialogue", "knowledge", "now", "user", "session", "turn", "branches_left")
EXIT_FLAGGED = 3
_MOST_BRANCHES = 1_000


@dataclass(frozen=True, slots=True)
class DetectRequest:
    response: str
    dialogue: DialogueState
    knowledge: KnowledgeBase
    now: datetime | None = None
    user: str | None = None
    session: str | None = None
    turn: int | str | None = None
    branches_left: int | None = None


@click.command("detect")
@shared_options("RESPONSE")
@judge_option
@click.option("--dialogue", metavar="FILE", help="What was said before: a JSON list of {turn_id, speaker, text}.")
@click.option("--knowledge", metavar="FILE", help="What is known: .json, .csv or .jsonld, by the file's name.")
@click.option("--now", metavar="TIME", help="When the answer was given, ISO 8601; the clock's time unless given.")
@click.option("--session", metavar="NAME", help="Keep the report under this session; needs --turn and a store.")
@click.option("--turn", metavar="NUMBER", help="The turn within the session.")
@source_options
def detect(
    call: Call,
    dialogue: str | None,
    knowledge: str | None,
    now: str | None,
    session: str | None,
    turn: str | None,
) -> None:
    """Say what kind of wrong the answer RESPONSE is, and what to do about it.

    Eight kinds are told apart. With a store, what is remembered of the user
    is known too.

    \b
    In:   RESPONSE, a file or -; with --jsonl {"response", "dialogue"?:
          [{"turn_id", "speaker", "text"}], "knowledge"?: {"entities":
          [{"name", "type", "aliases", "attributes": {}}]}, "now"?, "user"?,
          "session"?, "turn"?}
    Out:  {"flags": [{"type", "span": [start, end], "content", "confidence",
          "severity", "suggestion", "evidence", ...}], "actions": [{"type",
          ...}], "mitigated", "risk", "handling", ...}
    Exit status 3 when something is flagged, or a detector failed.

    \b
    Examples:
      groundwire detect "The meeting is on Friday." --dialogue turns.json
      groundwire detect answer.txt --knowledge staff.csv --now 2026-01-05
      groundwire detect answer.txt --store memory.db --session s1 --turn 4
    """
    given = {"--dialogue": dialogue, "--knowledge": knowledge, "--now": now, "--session": session, "--turn": turn}
    if call.as_jsonl:
        has_store = consult_store(call)
        call.filter(lambda fields: _answer(call, fields, has_store), given, judging=True)
    if [dialogue, knowledge].count("-") + call.reads_stdin() > 1:
        raise click.UsageError("Standard input can be read once: give the answer, --dialogue or --knowledge a file.")
    if (session is None) != (turn is None):
        raise click.UsageError("--session and --turn go together.")
    fields: dict[str, object] = {
        "response": call.read_text("response"),
        "dialogue": None if dialogue is None else _read_dialogue_file(dialogue),
        "now": now,
        "session": session,
        "turn": turn,
    }
    known = None if knowledge is None else read_knowledge_file(knowledge)
    has_store = _choose_store(call, session)
    _show(call, _detect(call, read_detect_request(fields, call.settings, known), has_store))


def _show(call: Call, report: DetectionReport) -> None:
    from groundwire.surfaces.flags import describe_detection, is_clean, render_detection

    call.show(describe_detection(report), lambda view: render_detection(report, view))
    call.warn_of_model()
    if not is_clean(report):
        click.get_current_context().exit(EXIT_FLAGGED)


def _choose_store(call: Call, session: str | None) -> bool:
    if session is None:
        return consult_store(call)
    open_keeper(call, may_be_new=True)
    return True


def _answer(call: Call, fields: Fields, has_store: bool) -> JsonObject:
    from groundwire.surfaces.flags import describe_detection

    request = read_detect_request(fields, call.settings)
    if request.session is not None and not has_store:
        raise InvalidInput("session", "there is no store to keep the report in; give --store FILE")
    return describe_detection(_detect(call, request, has_store))


def _detect(call: Call, request: DetectRequest, has_store: bool) -> DetectionReport:
    library = cast("Groundwire", call.library)
    return library.detect(
        request.response,
        dialogue=request.dialogue,
        knowledge=request.knowledge,
        user=(request.user or name_user(call.setup)) if has_store else None,
        tenant=name_tenant(call.setup),
        now=request.now,
        branches_left=request.branches_left,
        session=request.session,
        turn=request.turn,
    )


# ── in ──────────────────────────────────────────────────────────────────────────────────────────


def read_detect_request(fields: Fields, limits: Limits, known: Knowledge | None = None) -> DetectRequest:
    from groundwire.evidence.dialogue import read_dialogue

    refuse_unknown(fields, DETECT_FIELDS)
    if "response" not in fields:
        raise InvalidInput("response", "is required")
    user, session = fields.get("user"), fields.get("session")
    turn = _read_turn_number(fields.get("turn"))
    if (session is None) != (turn is None):
        raise InvalidInput("session" if session is None else "turn", "is required: session and turn go together")
    return DetectRequest(
        response=check_text(fields["response"], "response", limits.max_answer_characters),
        dialogue=cast("DialogueState", read_dialogue(fields.get("dialogue"))),
        knowledge=cast("KnowledgeBase", known or _read_knowledge(fields.get("knowledge"), limits)),
        now=read_moment(fields, "now"),
        user=None if user is None else check_name(user, "user"),
        session=None if session is None else check_name(session, "session"),
        turn=turn,
        branches_left=_read_branches(fields.get("branches_left")),
    )


def _read_turn_number(value: object) -> int | str | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    return check_name(value, "turn")


def _read_branches(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong_type("branches_left", "a whole number", value)
    if not 0 <= value <= _MOST_BRANCHES:
        raise InvalidInput("branches_left", f"must be in [0, {_MOST_BRANCHES:,}]")
    return value


def _read_knowledge(value: object, limits: Limits) -> Knowledge:
    from groundwire.evidence.knowledge import Knowledge
    from groundwire.evidence.knowledge_import import read_knowledge

    if value is None:
        return Knowledge()
    for name in ("entities", "statements"):
        entries = cast("Mapping[str, object]", value).get(name) if isinstance(value, dict) else None
        if isinstance(entries, list) and len(cast("list[object]", entries)) > limits.max_memories:
            raise InvalidInput(f"knowledge.{name}", f"has more than {limits.max_memories:,} entries")
    return read_knowledge(cast("object", value))


def _read_dialogue_file(path: str) -> object:
    """A JSON list of turns, an object that holds one, or one turn a line."""
    text, field = read_document(path, "dialogue"), name_document("dialogue", path)
    if not text.strip():
        return []
    try:
        document = requests.parse_json(text, field)
    except InvalidInput:
        lines = [line for line in text.split("\n") if line.strip()]
        if not lines[0].lstrip().startswith(("{", "[")):
            what = 'is no JSON; write [{"turn_id": 1, "speaker": "user", "text": "..."}], or one such object a line'
            raise InvalidInput(field, what) from None
        if len(lines) < 2:
            raise
        return [requests.parse_json(line, f"{field} line {number}") for number, line in enumerate(lines, 1)]
    if isinstance(document, dict):
        fields = cast("dict[str, object]", document)
        return fields.get("dialogue", fields.get("turns", [fields]))
    return document


def read_knowledge_file(path: str) -> Knowledge:
    """By the name of the file: .csv is a table, .jsonld is linked data, everything else is JSON."""
    from groundwire.evidence.knowledge_import import read_csv, read_knowledge
    from groundwire.evidence.linked_data import read_json_ld

    text, field = read_document(path, "knowledge"), name_document("knowledge", path)
    if path.lower().endswith(".csv"):
        return read_csv(text, field)
    if text.strip() and not text.lstrip().startswith(("{", "[")):
        raise InvalidInput(field, 'is no JSON; name a table .csv, or write {"entities": [{"name": ...}]}')
    document = requests.parse_json(text, field)
    is_linked = isinstance(document, dict) and "@context" in document
    if is_linked or path.lower().endswith(".jsonld"):
        return read_json_ld(cast("object", document), field)
    entities = isinstance(document, list)
    return read_knowledge(cast("object", {"entities": document} if entities else document), field)
