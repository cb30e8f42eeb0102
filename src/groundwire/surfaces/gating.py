"""The command of the write gate: a candidate in, its tier and receipt out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces import requests
from groundwire.surfaces.calls import Call, name_document, read_document
from groundwire.surfaces.layout import Sign, Tone, View, beside, flatten, join, pad, wrap
from groundwire.surfaces.options import shared_options
from groundwire.surfaces.requests import Fields, Limits, check_text, read_timestamp, refuse_unknown, wrong_type
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import consult_store, name_tenant, name_user, source_options
from groundwire.types import Memory

if TYPE_CHECKING:
    from groundwire.memory.checks import Candidate
    from groundwire.memory.receipts import ValidationResult

GATE_FIELDS = (
    "id", "content", "memory_type", "source", "user_id", "existing", "repository", "turns", "validity_horizon",
    "confidence", "metadata", "now",
)  # fmt: skip
TURN_FIELDS = ("turn_id", "speaker", "text")
EXIT_FLAGGED = 3
_NAME_CHARACTERS = 256
_PATH_CHARACTERS = 4096
_USER = frozenset({"user", "human", "customer"})
_SIGNS: Mapping[str, Sign] = {
    "auto_approve": Sign("✓", Tone.GOOD),
    "flag_review": Sign("?", Tone.DOUBTFUL),
    "block": Sign("✗", Tone.BAD),
}


@dataclass(frozen=True, slots=True)
class GateRequest:
    candidate: Candidate
    existing: tuple[Memory, ...] | None = None
    repository: str | None = None
    now: datetime | None = None


@click.command("gate")
@shared_options("CONTENT")
@click.option("--type", "memory_type", metavar="TYPE", help="fact (unless given), preference or decision.")
@click.option("--source", metavar="SOURCE", help="Who says so: user (unless given), documentation, ai_synthesis, ...")
@click.option(
    "--existing",
    "existing_files",
    multiple=True,
    metavar="FILE",
    help="What is stored already: a JSON list of texts or of objects with id and content, or one a line.",
)
@source_options
@click.option("--repository", metavar="FOLDER", help="Where cited commits and decision records are looked up.")
def gate(
    call: Call,
    memory_type: str | None,
    source: str | None,
    existing_files: tuple[str, ...],
    repository: str | None,
) -> None:
    """Decide whether CONTENT may become a memory. Nothing is written.

    The tier is auto_approve, flag_review or block; the receipt says why, with
    every check that passed or failed. What is stored already comes from
    --existing, or else from the store, if there is one.

    \b
    In:   CONTENT, a file or -; with --jsonl {"content", "memory_type",
          "source", "user_id", "existing"?: [{"id", "content"}],
          "repository"?, "turns"?: [{"speaker", "text"}],
          "validity_horizon"?, "confidence"?, "metadata"?, "now"?}
    Out:  {"tier", "approved", "reason", "code", "checks_passed",
          "checks_failed", "similarity_score", "conflicting_memory_id",
          "evidence": {"claim", "capture_time", "confidence", "source_id",
          "validity_horizon", "metadata"}, ...}
    Exit status 3 when it is not approved.

    \b
    Examples:
      groundwire gate "I prefer tabs over spaces." --type preference
      groundwire gate "Per ADR-3, we use Rust." --source adr --repository .
      groundwire gate "I live in Porto." --store memory.db --user ada
    """

    given = {"--type": memory_type, "--source": source, "--user": call.setup.user, "--repository": repository}
    if call.as_jsonl:
        consult_store(call)
        call.filter(lambda fields: _answer(call, fields), {**given, "--existing": existing_files})
    if existing_files.count("-") + call.reads_stdin() > 1:
        raise click.UsageError("Standard input can be read once: give the content or --existing a file or words.")
    fields: dict[str, object] = {
        "content": call.read_text("content"),
        "memory_type": memory_type or "fact",
        "source": source or "user",
        "user_id": name_user(call.setup),
        "repository": repository,
    }
    if existing_files or not consult_store(call):
        fields["existing"] = _read_existing(existing_files)
    receipt = _decide(call, read_gate_request(fields, call.settings))
    call.show(describe_receipt(receipt), lambda view: render_receipt(receipt, view))
    if not receipt.approved:
        click.get_current_context().exit(EXIT_FLAGGED)


def _answer(call: Call, fields: Fields) -> JsonObject:
    return describe_receipt(_decide(call, read_gate_request(fields, call.settings)))


def _read_existing(paths: Sequence[str]) -> list[object]:
    entries: list[object] = []
    for path in paths:
        entries += requests.read_memory_document(read_document(path, "existing"), name_document("existing", path))
    return entries


def _decide(call: Call, request: GateRequest) -> ValidationResult:
    return call.library.gate(
        request.candidate,
        existing=request.existing,
        repository=request.repository,
        tenant=name_tenant(call.setup),
        now=request.now,
    )


# ── in ──────────────────────────────────────────────────────────────────────────────────────────


def read_gate_request(fields: Fields, limits: Limits) -> GateRequest:
    from groundwire.memory.checks import Candidate

    refuse_unknown(fields, GATE_FIELDS)
    horizon = read_timestamp(fields.get("validity_horizon"), "validity_horizon")
    now = read_timestamp(fields.get("now"), "now")
    repository = fields.get("repository")
    existing = fields.get("existing")
    candidate = Candidate(
        content=_read_required(fields, "content", limits.max_memory_characters),
        memory_type=_read_required(fields, "memory_type", _NAME_CHARACTERS),
        source=_read_required(fields, "source", _NAME_CHARACTERS),
        user_id=_read_required(fields, "user_id", _NAME_CHARACTERS),
        user_turns=read_turns(fields.get("turns"), limits),
        validity_horizon=None if horizon is None else datetime.fromtimestamp(horizon, UTC),
        confidence=_read_confidence(fields.get("confidence")),
        metadata=_read_metadata(fields.get("metadata")),
    )
    return GateRequest(
        candidate,
        None if existing is None else requests.read_memories(_rename_content(existing), limits, "existing"),
        None if repository is None else check_text(repository, "repository", _PATH_CHARACTERS),
        None if now is None else datetime.fromtimestamp(now, UTC),
    )


def _read_required(fields: Fields, name: str, limit: int) -> str:
    if name not in fields:
        raise InvalidInput(name, "is required")
    return check_text(fields[name], name, limit)


def _rename_content(value: object) -> object:
    """An existing memory's words are its `content` here and its `text` elsewhere; both are understood."""
    if not isinstance(value, list):
        return value
    entries: list[object] = []
    for index, entry in enumerate(cast(list[object], value)):
        if not isinstance(entry, dict):
            entries.append(entry)
            continue
        named = cast(dict[str, object], entry)
        if "content" in named and "text" in named:
            raise InvalidInput(f"existing[{index}]", "has both content and text; give one of them")
        entries.append({("text" if name == "content" else name): part for name, part in named.items()})
    return entries


def read_turns(value: object, limits: Limits) -> tuple[str, ...] | None:
    """What the user said; None where no conversation was handed in."""
    if value is None:
        return None
    if not isinstance(value, list):
        raise wrong_type("turns", "a list of objects with speaker and text", value)
    turns: list[str] = []
    for index, entry in enumerate(cast(list[object], value)):
        path = f"turns[{index}]"
        if not isinstance(entry, dict):
            raise wrong_type(path, "an object with speaker and text", entry)
        turn = cast(Fields, entry)
        refuse_unknown(turn, TURN_FIELDS, path)
        speaker = check_text(turn.get("speaker"), f"{path}.speaker", _NAME_CHARACTERS)
        text = check_text(turn.get("text"), f"{path}.text", limits.max_answer_characters)
        if speaker.strip().casefold() in _USER:
            turns.append(text)
    return tuple(turns)


def _read_confidence(value: object) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise InvalidInput("confidence", "must be a number in [0, 1]")
    return float(value)


def _read_metadata(value: object) -> Mapping[str, object]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise wrong_type("metadata", "an object", value)
    return cast(dict[str, object], value)


# ── out ─────────────────────────────────────────────────────────────────────────────────────────


def describe_receipt(receipt: ValidationResult) -> JsonObject:
    evidence = receipt.evidence
    horizon = evidence.validity_horizon
    return {
        "tier": receipt.tier.label,
        "approved": receipt.approved,
        "reason": receipt.reason,
        "code": receipt.code,
        "checks_passed": list(receipt.checks_passed),
        "checks_failed": list(receipt.checks_failed),
        "similarity_score": receipt.similarity_score,
        "threshold": receipt.threshold,
        "conflicting_memory_id": receipt.conflicting_memory_id,
        "trust": receipt.trust,
        "evidence": {
            "claim": evidence.claim,
            "capture_time": evidence.capture_time.isoformat(),
            "confidence": evidence.confidence.value,
            "source_id": evidence.source_id,
            "validity_horizon": None if horizon is None else horizon.isoformat(),
            "metadata": dict(evidence.metadata),
        },
    }


def render_receipt(receipt: ValidationResult, view: View) -> str:
    """The tier, why, and what every check said."""
    sign = _SIGNS[receipt.tier.label]
    headline = f"{view.sign(sign)} {receipt.tier.name.replace('_', ' ')}"
    lines = [view.paint(headline, sign.tone), *wrap(flatten(receipt.reason), view.columns), ""]
    rows: list[tuple[str, str]] = [("claim", receipt.evidence.claim)]
    rows += [("passed", entry) for entry in receipt.checks_passed]
    rows += [("failed", entry) for entry in receipt.checks_failed]
    rows += list_facts(receipt)
    for label, body in rows:
        lines += beside(view.paint(pad(label, 10), Tone.FAINT), 10, wrap(flatten(body), view.columns - 14))
    return join(lines)


def list_facts(receipt: ValidationResult) -> Sequence[tuple[str, str]]:
    rows = [("citation", f"{check.source_id}: {check.reason}") for check in receipt.citations]
    if receipt.conflicting_memory_id is not None:
        rows.append(("memory", receipt.conflicting_memory_id))
    if receipt.similarity_score is not None and receipt.threshold is not None:
        rows.append(("similarity", f"{receipt.similarity_score:.2f} (duplicate from {receipt.threshold:.2f} on)"))
    if receipt.trust is not None:
        rows.append(("trust", f"{receipt.trust:.2f}"))
    if receipt.evidence.validity_horizon is not None:
        rows.append(("until", receipt.evidence.validity_horizon.date().isoformat()))
    return rows
