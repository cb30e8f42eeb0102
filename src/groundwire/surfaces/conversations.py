"""A conversation for `remember`: read from a file in whichever form it is kept, and what became of each statement."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, cast

from groundwire.errors import InvalidInput
from groundwire.surfaces.calls import name_document, read_document
from groundwire.surfaces.cards import count, describe_validity
from groundwire.surfaces.extracting import describe_rejection, read_spoken_turns, render_candidate
from groundwire.surfaces.fields import read_moment, read_name, read_user
from groundwire.surfaces.gating import describe_receipt
from groundwire.surfaces.layout import Sign, Tone, View, join
from groundwire.surfaces.records import describe_memory
from groundwire.surfaces.requests import Fields, Limits, check_text, parse_json, refuse_unknown, wrong_type
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import shorten_id
from groundwire.types import Scope

if TYPE_CHECKING:
    from groundwire.memory.candidates import Proposal, Turn
    from groundwire.memory.outcomes import Remembered, RememberedConversation

CONVERSATION_FIELDS = ("id", "conversation", "candidates", "user", "user_id", "tenant", "credential", "now")
_KEPT, _WAITING, _REFUSED = Sign("✓", Tone.GOOD), Sign("?", Tone.DOUBTFUL), Sign("✗", Tone.BAD)
# "Ada:", "[10:32] Ada Lovelace:", "**User:**"; an address and the time of day are no names.
_LABEL = re.compile(
    r"^[ \t]*(?:\[[^\]\n]{1,40}\][ \t]*)?\**([^\W\d_][\w.'’-]{0,30}(?: [\w.'’-]{1,30}){0,2})\**:\**(?=\s|$)"
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A conversation with whose it is; `source` is its turns, or a summary."""

    source: str | tuple[Turn, ...]
    scope: Scope
    candidates: tuple[object, ...] | None
    credential: str
    now: datetime | None


# ── in ──────────────────────────────────────────────────────────────────────────────────────────


def read_conversation_request(fields: Fields, scope: Scope, limits: Limits) -> Spoken:
    refuse_unknown(fields, CONVERSATION_FIELDS)
    candidates = fields.get("candidates")
    if candidates is not None and not isinstance(candidates, list):
        raise wrong_type("candidates", "a list of objects with text, type, confidence and reasoning", candidates)
    return Spoken(
        source=_read_conversation(fields.get("conversation"), limits),
        scope=Scope(read_user(fields, scope.owner), read_name(fields, "tenant", scope.tenant)),
        candidates=None if candidates is None else tuple(cast(list[object], candidates)),
        credential=read_name(fields, "credential", "extractor"),
        now=read_moment(fields, "now"),
    )


def _read_conversation(value: object, limits: Limits) -> str | tuple[Turn, ...]:
    if isinstance(value, str):
        if not value.strip():
            raise InvalidInput("conversation", "is empty")
        check_text(value, "conversation", limits.max_answer_characters)
        turns = split_transcript(value)
        return value if turns is None else read_spoken_turns(turns, limits, "conversation")
    return read_spoken_turns(value, limits, "conversation")


def read_conversation_file(path: str, limits: Limits) -> object:
    """A JSON list of turns, an object with one in `turns`, one turn a line, or a text."""
    where = name_document("conversation", path)
    # The words are limited, not the marks around them: as JSON a character may take twelve bytes.
    text = read_document(path, "conversation", limits.max_answer_characters * 4)
    opening = text.lstrip()[:1]
    if opening == "{":
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) > 1 and all(line.strip().endswith("}") and line.lstrip().startswith("{") for line in lines):
            return [parse_json(line, f"{where}, line {number}") for number, line in enumerate(lines, 1)]
        document = parse_json(text, where)
        fields = cast(Fields, document)
        return [fields] if "text" in fields else fields.get("turns", fields.get("conversation"))
    if opening == "[" and re.match(r"\[\s*[{\]]", text.lstrip()):
        return parse_json(text, where)
    return text


def split_transcript(text: str) -> list[object] | None:
    """The turns of "speaker: text" lines, where the text begins with one; a line without a label goes on."""
    turns: list[tuple[str, list[str]]] = []
    for line in text.lstrip("\ufeff").splitlines():
        label = _LABEL.match(line)
        if label is not None:
            turns.append((label.group(1), [line[label.end() :].strip()]))
        elif turns:
            turns[-1][1].append(line)
        elif line.strip():
            return None
    return [{"speaker": speaker, "text": "\n".join(lines).strip()} for speaker, lines in turns] or None


# ── out ─────────────────────────────────────────────────────────────────────────────────────────


def describe_conversation(heard: RememberedConversation) -> JsonObject:
    """Every statement is in exactly one of the three lists, by what became of it in the store."""
    outcomes = heard.outcomes
    return {
        "stored": [_describe_kept(proposal, kept) for proposal, kept in outcomes if kept.is_stored],
        "proposed": [_describe_kept(proposal, kept) for proposal, kept in outcomes if _waits(kept)],
        "rejected": [
            *(describe_rejection(rejection) for rejection in heard.extraction.rejected),
            *(_describe_blocked(proposal, kept) for proposal, kept in outcomes if _is_blocked(kept)),
            *(_describe_refused(one.proposal, "not_kept", {"reason": one.why}) for one in heard.refused),
        ],
        "unread": heard.unread,
        "extractor": heard.extraction.extractor,
        "log": list(heard.log),
    }


def _waits(kept: Remembered) -> bool:
    return not kept.is_stored and kept.review_id is not None


def _is_blocked(kept: Remembered) -> bool:
    return not kept.is_stored and kept.review_id is None


def _describe_kept(proposal: Proposal, kept: Remembered) -> JsonObject:
    return {
        "text": proposal.candidate.text,
        "type": proposal.kind.value,
        "confidence": proposal.confidence,
        "memory_id": None if kept.memory is None else kept.memory.id,
        "review_id": kept.review_id,
        "confirmed": kept.is_confirmation,
        "memory": None if kept.memory is None else describe_memory(kept.memory),
        "superseded": [describe_memory(memory) for memory in kept.superseded],
        "validation": {"result": "PASS", **proposal.grounding.describe()},
        "receipt": describe_receipt(kept.receipt),
    }


def _describe_blocked(proposal: Proposal, kept: Remembered) -> JsonObject:
    receipt = kept.receipt
    details: JsonObject = {"reason": receipt.reason, "checks_failed": list(receipt.checks_failed)}
    return _describe_refused(proposal, receipt.code, details)


def _describe_refused(proposal: Proposal, reason: str, details: JsonObject) -> JsonObject:
    return {
        "text": proposal.candidate.text,
        "type": proposal.kind.value,
        "confidence_score": proposal.confidence,
        "threshold": proposal.threshold,
        "rejection_reason": reason,
        "validation_details": details,
    }


def render_conversation(heard: RememberedConversation, view: View) -> str:
    """One statement after the other: what was kept, what waits and how to decide it, what was refused and why."""
    outcomes = heard.outcomes
    blocked = [(proposal, kept) for proposal, kept in outcomes if _is_blocked(kept)]
    stored = [(proposal, kept) for proposal, kept in outcomes if kept.is_stored]
    waiting = [(proposal, kept) for proposal, kept in outcomes if _waits(kept)]
    rejected = len(heard.extraction.rejected) + len(blocked) + len(heard.refused)
    unread = f"{count(heard.unread, 'turn')} of the user not in English and not read" if heard.unread else ""
    if not (outcomes or rejected):
        return join(["nothing to remember", *([unread] if unread else [])])
    lines = [view.paint(f"{len(stored)} stored, {len(waiting)} proposed, {rejected} rejected", Tone.STRONG)]
    for proposal, kept in stored:
        lines += _row(proposal, _tell_kept(kept), _KEPT, view)
    for proposal, kept in waiting:
        decide = f"groundwire review show {shorten_id(kept.review_id or '')}"
        lines += _row(proposal, f"{kept.receipt.reason} ({decide})", _WAITING, view)
    for one in heard.extraction.rejected:
        why = f"{one.reason.value}: {one.details.get('reason', '')}"
        lines += render_candidate(one.kind or "?", one.confidence, one.text, why, _REFUSED, view)
    for proposal, kept in blocked:
        lines += _row(proposal, kept.receipt.reason, _REFUSED, view)
    for one in heard.refused:
        lines += _row(one.proposal, one.why, _REFUSED, view)
    lines += [view.paint(unread, Tone.FAINT)] if unread else []
    return join(lines)


def _row(proposal: Proposal, why: str, sign: Sign, view: View) -> list[str]:
    return render_candidate(proposal.kind.value, proposal.confidence, proposal.candidate.text, why, sign, view)


def _tell_kept(kept: Remembered) -> str:
    memory = kept.memory
    assert memory is not None
    told = [shorten_id(memory.id)]
    told += [f"known already, said {memory.mentions} times"] if kept.is_confirmation else []
    told += [f"replaces “{old.text}” ({describe_validity(old)})" for old in kept.superseded]
    return ", ".join(told)
