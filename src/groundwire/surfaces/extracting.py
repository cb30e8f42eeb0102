"""The command `extract`: what may be remembered of a conversation, and why the rest may not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces.calls import Call, Setup, name_document, read_document
from groundwire.surfaces.layout import Sign, Tone, View, beside, flatten, join, pad, wrap
from groundwire.surfaces.requests import Fields, Limits, check_text, parse_json, refuse_unknown, wrong_type
from groundwire.surfaces.responses import JsonObject

if TYPE_CHECKING:
    from groundwire.memory.candidates import Extraction, Proposal, Rejection, Turn

EXIT_FLAGGED = 3
EXTRACT_FIELDS = ("id", "summary", "turns", "candidates", "known_facts")
TURN_FIELDS = ("speaker", "text")


class ExtractingLibrary(Protocol):
    def extract(
        self,
        source: str | Sequence[Turn],
        *,
        candidates: Sequence[object] | None = None,
        known_facts: Sequence[str] = (),
    ) -> Extraction: ...


@dataclass(frozen=True, slots=True)
class ExtractRequest:
    source: str | tuple[Turn, ...]
    candidates: tuple[object, ...] | None
    known_facts: tuple[str, ...]


# ── what is read ────────────────────────────────────────────────────────────────────────────────


def read_extract_request(fields: Fields, limits: Limits) -> ExtractRequest:
    refuse_unknown(fields, EXTRACT_FIELDS)
    summary, turns = fields.get("summary"), fields.get("turns")
    if (summary is None) == (turns is None):
        raise InvalidInput("summary", "give one of summary (a text) and turns (a list of speaker and text)")
    source = _read_summary(summary, limits) if turns is None else read_spoken_turns(turns, limits)
    candidates = fields.get("candidates")
    if candidates is not None and not isinstance(candidates, list):
        raise wrong_type("candidates", "a list of objects with text, type, confidence and reasoning", candidates)
    known = fields.get("known_facts")
    return ExtractRequest(
        source,
        None if candidates is None else tuple(cast(list[object], candidates)),
        () if known is None else _read_known(known, limits),
    )


def _read_summary(value: object, limits: Limits) -> str:
    if isinstance(value, str) and not value.strip():
        return ""  # nothing was said: nothing to extract, and no mistake
    return check_text(value, "summary", limits.max_answer_characters)


def read_spoken_turns(value: object, limits: Limits, field: str = "turns") -> tuple[Turn, ...]:
    from groundwire.memory.candidates import Turn

    if not isinstance(value, list):
        raise wrong_type(field, "a list of objects with speaker and text", value)
    entries = cast(list[object], value)
    if len(entries) > limits.max_memories:
        raise InvalidInput(field, f"has {len(entries):,} entries; at most {limits.max_memories:,} are taken a call")
    turns: list[Turn] = []
    for index, entry in enumerate(entries):
        path = f"{field}[{index}]"
        if not isinstance(entry, dict):
            raise wrong_type(path, "an object with speaker and text", entry)
        fields = cast(Fields, entry)
        refuse_unknown(fields, TURN_FIELDS, path)
        for name in TURN_FIELDS:
            if name not in fields:
                raise InvalidInput(f"{path}.{name}", "is required")
        text = fields["text"]
        if not (isinstance(text, str) and not text.strip()):
            text = check_text(text, f"{path}.text", limits.max_answer_characters)
        turns.append(Turn(check_text(fields["speaker"], f"{path}.speaker", limits.max_memory_characters), text))
    return tuple(turns)


def _read_known(value: object, limits: Limits) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise wrong_type("known_facts", "a list of texts", value)
    entries = cast(list[object], value)
    if len(entries) > limits.max_memories:
        most = limits.max_memories
        raise InvalidInput("known_facts", f"has {len(entries):,} entries; at most {most:,} are taken a call")
    most = limits.max_memory_characters
    return tuple(check_text(entry, f"known_facts[{index}]", most) for index, entry in enumerate(entries))


def read_candidate_file(path: str) -> list[object]:
    """A JSON list, or an object with the list in `extractions` or `candidates`."""
    where = name_document("candidates", path)
    document = parse_json(read_document(path, "candidates"), where)
    if isinstance(document, dict):
        fields = cast(Fields, document)
        document = fields.get("extractions", fields.get("candidates"))
    if not isinstance(document, list):
        raise wrong_type(where, "a list of candidates, or an object with one in 'extractions'", document)
    return cast(list[object], document)


# ── what is written ─────────────────────────────────────────────────────────────────────────────


def describe_extraction(extraction: Extraction) -> JsonObject:
    return {
        "stored": [describe_proposal(proposal) for proposal in extraction.stored],
        "proposed": [describe_proposal(proposal) for proposal in extraction.proposed],
        "rejected": [describe_rejection(rejection) for rejection in extraction.rejected],
        "extractor": extraction.extractor,
        "log": list(extraction.log),
    }


def describe_proposal(proposal: Proposal) -> JsonObject:
    from groundwire.memory.kinds import DAY, RULES

    rule = RULES[proposal.kind]
    places = proposal.candidate.places or proposal.grounding.places
    return {
        "text": proposal.candidate.text,
        "type": proposal.kind.value,
        "proposed_type": proposal.candidate.kind.value,
        "confidence": proposal.confidence,
        "threshold": proposal.threshold,
        "band": proposal.band,
        "scoring": proposal.scoring.describe(),
        "validation": {"result": "PASS", **proposal.grounding.describe()},
        "reasoning": proposal.candidate.reasoning,
        "spans": [{"turn": place.turn, "span": list(place.span)} for place in places],
        "authority": rule.authority.value,
        "decay_days": rule.window // DAY,
        "update": proposal.update.value,
        "known_fact": proposal.known_fact or None,
        "note": proposal.note or None,
    }


def describe_rejection(rejection: Rejection) -> JsonObject:
    return {
        "text": rejection.text,
        "type": rejection.kind,
        "confidence_score": rejection.confidence,
        "threshold": rejection.threshold,
        "rejection_reason": rejection.reason.value,
        "validation_details": dict(rejection.details),
    }


_KEPT, _WAITING, _REFUSED = Sign("✓", Tone.GOOD), Sign("?", Tone.DOUBTFUL), Sign("✗", Tone.BAD)


def render_extraction(extraction: Extraction, view: View) -> str:
    """One line a candidate with its factors or the reason against it."""
    if not extraction.count:
        return "nothing to remember\n"
    counts = (
        f"{len(extraction.stored)} stored, {len(extraction.proposed)} proposed, {len(extraction.rejected)} rejected"
    )
    lines = [view.paint(counts, Tone.STRONG)]
    for sign, proposals in ((_KEPT, extraction.stored), (_WAITING, extraction.proposed)):
        for proposal in proposals:
            lines += render_candidate(
                proposal.kind.value, proposal.confidence, proposal.candidate.text, _why(proposal), sign, view
            )
    for one in extraction.rejected:
        why = f"{one.reason.value}: {one.details.get('reason', '')}"
        lines += render_candidate(one.kind or "?", one.confidence, one.text, why, _REFUSED, view)
    return join(lines)


def render_candidate(kind: str, confidence: float, text: str, why: str, sign: Sign, view: View) -> list[str]:
    label = view.paint(pad(f"{view.sign(sign)} {kind}", 19), sign.tone) + f"{confidence:.2f}"
    room = max(20, view.columns - 28)
    rows = [
        *wrap(flatten(text) or "(no text)", room),
        *(view.paint(row, Tone.FAINT) for row in wrap(flatten(why), room)),
    ]
    return beside(label, 23, rows)


def _why(proposal: Proposal) -> str:
    scoring = proposal.scoring
    factors = (
        f"explicit {scoring.explicit_mention:.2f}, repetition {scoring.repetition:.2f}, "
        f"consistency {scoring.consistency:+.2f}, type {scoring.type_credibility:.2f}"
    )
    return f"{proposal.note}; {factors}" if proposal.note else f"{proposal.grounding.reason}; {factors}"


# ── the command ─────────────────────────────────────────────────────────────────────────────────


def run(call: Call, request: ExtractRequest) -> Extraction:
    library = cast(ExtractingLibrary, call.library)
    return library.extract(request.source, candidates=request.candidates, known_facts=request.known_facts)


@click.command("extract")
@click.argument("argument", metavar="[SUMMARY]", required=False)
@click.option("--text", metavar="WORDS", help="The words themselves, even if a file has that name.")
@click.option("--file", metavar="FILE", help="Read this file; - is standard input.")
@click.option("--candidates", metavar="FILE", help="Check these candidates in place of extracting.")
@click.option("--known", "known", multiple=True, metavar="WORDS", help="A fact that is known already; repeat for more.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a line in, one a line out.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="auto: on a terminal, unless NO_COLOR is set.",
)
@click.pass_context
def extract(
    ctx: click.Context,
    argument: str | None,
    text: str | None,
    file: str | None,
    candidates: str | None,
    known: tuple[str, ...],
    as_json: bool,
    as_jsonl: bool,
    color: str,
) -> None:
    """Find what may be remembered of a conversation or its summary.

    Facts the user stated, patterns that come back, and shared narratives; each
    with where it was said, how sure it is and why. Nothing is written to a store.

    \b
    In:   SUMMARY, a file or -: a transcript ("User: ...") or a report;
          with --jsonl {"summary" or "turns": [{"speaker", "text"}],
          "candidates"?: [{"text", "type", "confidence", "reasoning"}],
          "known_facts"?: [text]}
    Out:  {"stored": [{"text", "type", "confidence", "scoring", "validation"}],
          "proposed": [...], "rejected": [{"text", "type", "confidence_score",
          "threshold", "rejection_reason", "validation_details"}]}
    Exit status 3 when a candidate was rejected or has to wait.

    \b
    Examples:
      groundwire extract "User: I love ramen. I work at Globex."
      groundwire extract summary.txt --candidates candidates.json --json
    """
    setup = ctx.find_object(Setup) or Setup()
    call = Call(setup, argument, text, file, as_json, as_jsonl, color)
    if as_jsonl:
        call.filter(
            lambda fields: describe_extraction(run(call, read_extract_request(fields, call.settings))),
            {"--candidates": candidates, "--known": known},
            judging=True,
        )
    if (candidates == "-") and call.reads_stdin():
        raise click.UsageError("Standard input can be read once: give the summary or --candidates a file.")
    fields: dict[str, object] = {"summary": call.read_text("summary"), "known_facts": list(known)}
    if candidates is not None:
        fields["candidates"] = read_candidate_file(candidates)
    extraction = run(call, read_extract_request(fields, call.settings))
    call.show(describe_extraction(extraction), lambda view: render_extraction(extraction, view))
    call.warn_of_model()
    if extraction.rejected or extraction.proposed:
        ctx.exit(EXIT_FLAGGED)
