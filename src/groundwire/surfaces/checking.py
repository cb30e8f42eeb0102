"""The commands `judge` and `verify`: a claim, or a whole answer, against evidence handed in or remembered."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import click

from groundwire.errors import NotFound
from groundwire.settings import CHOICES
from groundwire.surfaces import rendering, requests, responses
from groundwire.surfaces.calls import Call, Setup, name_document, read_document
from groundwire.surfaces.layout import Tone, View, indent, join, underline
from groundwire.surfaces.options import shared_options
from groundwire.surfaces.requests import Fields
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import consult_store, name_tenant, name_user, shorten_id, source_options
from groundwire.types import Memory, Passage, Verdict, VerificationReport, VerifierOutput

if TYPE_CHECKING:
    from groundwire.app import Groundwire

EXIT_FLAGGED = 3


def judge_option(command: Callable[..., None]) -> Callable[..., None]:
    """--judge, taken into the set-up before the library is opened."""

    def choose(ctx: click.Context, _: click.Parameter, name: str | None) -> None:
        setup = ctx.find_object(Setup)
        if setup is not None:
            setup.judge = name

    return click.option(
        "--judge",
        "chosen_judge",
        type=click.Choice(CHOICES["judge"]),
        callback=choose,
        expose_value=False,
        help="Who decides; that of the settings if left out.",
    )(command)


# ── judge ───────────────────────────────────────────────────────────────────────────────────────


@click.command()
@shared_options("CLAIM")
@judge_option
@click.option("--evidence", multiple=True, metavar="WORDS", help="A piece of evidence; repeat for more.")
@click.option(
    "--evidence-file",
    "evidence_files",
    multiple=True,
    metavar="FILE",
    help="Evidence from a file: .json or .jsonl hold texts or objects with id and text, "
    "any other file is one piece; repeat for more.",
)
@click.option("--context", metavar="WORDS", help="The question that the claim answers.")
@source_options
def judge(call: Call, evidence: tuple[str, ...], evidence_files: tuple[str, ...], context: str | None) -> None:
    """Judge one CLAIM against evidence or memories.

    The verdict is SUPPORTED, REFUTED or INSUFFICIENT.

    \b
    In:   CLAIM, a file or -, and the evidence or a store and whose it is;
          with --jsonl {"claim", "evidence"?: [text or {"id", "text"}],
          "user"?, "context"?}
    Out:  {"verdict", "confidence", "probabilities", "evidence_used",
          "explanation", "reason", "action", "low_confidence", "judge", ...}
    Exit status 3 when the claim is REFUTED or the evidence INSUFFICIENT.

    \b
    Examples:
      groundwire judge "You work at Globex." --evidence "User works at Globex"
      groundwire judge "The pump failed." --evidence-file report.txt --json
      groundwire judge "You live in Porto." --store memory.db --user ada
    """
    if call.as_jsonl:
        has_store = consult_store(call)
        given = {"--evidence": evidence, "--evidence-file": evidence_files, "--context": context}
        call.filter(lambda fields: _answer_judge(call, fields, has_store), given, judging=True)
    fields: dict[str, object] = {"claim": call.read_text("claim"), "context": context}
    has_store = not evidence and not evidence_files and consult_store(call)
    if not has_store:
        if not evidence and not evidence_files:
            how = "--evidence 'WORDS', --evidence-file FILE, or --store FILE"
            raise click.UsageError(f"Give the evidence to judge by: {how}.")
        _refuse_shared_stdin(call, "--evidence-file", evidence_files)
        fields["evidence"] = [*evidence, *(entry for path in evidence_files for entry in _read_evidence_file(path))]
    request = requests.read_judge_request(fields, call.settings, has_store=has_store)
    output = _judge(call, request, has_store)

    def render(view: View) -> str:
        if not has_store:
            return rendering.render_judgement(request.claim, request.evidence, output, view)
        found = _look_up(call, output.evidence_used)
        passages = [Passage(shorten_id(m.id), m.text, m.trust, m.timestamp) for m in found]
        return rendering.render_judgement(request.claim, passages, shorten_output(output), view)

    call.show(responses.describe_judgement(output), render)
    call.warn_of_model()
    if output.verdict is not Verdict.SUPPORTED:
        click.get_current_context().exit(EXIT_FLAGGED)


def _answer_judge(call: Call, fields: Fields, has_store: bool) -> JsonObject:
    request = requests.read_judge_request(fields, call.settings, has_store=has_store)
    return responses.describe_judgement(_judge(call, request, has_store and "evidence" not in fields))


def _judge(call: Call, request: requests.JudgeRequest, from_store: bool) -> VerifierOutput:
    if from_store:
        user = request.user or name_user(call.setup)
        keeper = cast("Groundwire", call.library)
        tenant = name_tenant(call.setup)
        return keeper.judge(request.claim, context=request.context, mode=request.mode, user=user, tenant=tenant)
    return call.library.judge(request.claim, request.evidence, context=request.context, mode=request.mode)


# ── verify ──────────────────────────────────────────────────────────────────────────────────────


@click.command()
@shared_options("TEXT")
@judge_option
@click.option("--memory", "memory", multiple=True, metavar="WORDS", help="A memory; repeat for more.")
@click.option(
    "--memories",
    "memory_files",
    multiple=True,
    metavar="FILE",
    help='Memories from a file or -: a JSON list of texts or objects, an object with "memories", or one a line.',
)
@click.option("--query", metavar="WORDS", help="The question that TEXT answers.")
@click.option("--mode", type=click.Choice(["posthoc", "inline"]), default=None, help="posthoc unless given.")
@click.option("--flags", is_flag=True, help="Say as well what kind of wrong each fault is.")
@source_options
def verify(
    call: Call,
    memory: tuple[str, ...],
    memory_files: tuple[str, ...],
    query: str | None,
    mode: str | None,
    flags: bool,
) -> None:
    """Check the answer TEXT against memories and say what does not hold.

    \b
    In:   TEXT, a file or -, and the memories or a store and whose it is; with
          --jsonl {"text", "memories"?: [{"id", "text", "trust"?,
          "timestamp"?, "source"?}], "user"?, "query"?, "mode"?, "flags"?};
          trust is in [0, 1], timestamp is Unix seconds or ISO 8601.
    Out:  {"grounded", "claims", "hallucinations", "unverifiable",
          "contradictions", "requires_disclosure", "expected_disclosure",
          "grounding_map", "corrected", "action", "confidence", "flags"?}
    Exit status 3 when the answer is not grounded.

    \b
    Examples:
      groundwire verify "You work at Globex." --memory "User works at Globex"
      groundwire verify answer.txt --memories memories.json --json
      groundwire verify answer.txt --store memory.db --user ada
    """
    options = {"--memory": memory, "--memories": memory_files, "--query": query, "--mode": mode, "--flags": flags}
    if call.as_jsonl:
        has_store = consult_store(call)
        call.filter(lambda fields: _answer_verify(call, fields, has_store), options, judging=True)
    _refuse_shared_stdin(call, "--memories", memory_files)
    fields: dict[str, object] = {"text": call.read_text("text"), "query": query, "mode": mode, "flags": flags}
    has_store = not memory and not memory_files and consult_store(call)
    if not has_store:
        fields["memories"] = [*memory, *(entry for path in memory_files for entry in _read_memory_file(path))]
    request = requests.read_verify_request(fields, call.settings)
    report = _verify(call, request, has_store)

    def render(view: View) -> str:
        if not has_store:
            return _render(report, [*request.memories, *request.passages], view)
        named = [name for claim in report.claims for name in claim.evidence[: rendering.EVIDENCE_SHOWN]]
        found = [replace(memory, id=shorten_id(memory.id)) for memory in _look_up(call, named)]
        return _render(shorten_report(report), found, view)

    call.show(describe_flagged(report, flags), render)
    call.warn_of_model()
    if not report.grounded:
        click.get_current_context().exit(EXIT_FLAGGED)


def _answer_verify(call: Call, fields: Fields, has_store: bool) -> JsonObject:
    request = requests.read_verify_request(fields, call.settings)
    from_store = has_store and fields.get("memories") is None and fields.get("passages") is None
    return describe_flagged(_verify(call, request, from_store), request.flags)


def describe_flagged(report: VerificationReport, flags: bool) -> JsonObject:
    described = responses.describe_report(report)
    if flags:
        from groundwire.surfaces.flags import describe_flag

        described["flags"] = [describe_flag(flag) for flag in report.flags]
    return described


def _render(report: VerificationReport, evidence: Sequence[Memory | Passage], view: View) -> str:
    page = rendering.render_report(report, evidence, view)
    if not report.flags:
        return page
    from groundwire.surfaces.flags import mark_flags, render_flags

    marked = indent(underline(report.text, mark_flags(report.flags), view, 2))
    return page + join(["", view.paint("Flags", Tone.STRONG), *marked, *render_flags(report.flags, view)])


def _verify(call: Call, request: requests.VerifyRequest, from_store: bool) -> VerificationReport:
    if from_store:
        user, tenant = request.user or name_user(call.setup), name_tenant(call.setup)
        keeper = cast("Groundwire", call.library)
        return keeper.verify(
            request.text, query=request.query, mode=request.mode, user=user, tenant=tenant, flags=request.flags
        )
    return call.library.verify(
        request.text,
        memories=request.memories,
        passages=request.passages,
        query=request.query,
        mode=request.mode,
        user=request.user or call.setup.user,
        **({"flags": True} if request.flags else {}),
    )


# ── evidence ────────────────────────────────────────────────────────────────────────────────────


def shorten_report(report: VerificationReport) -> VerificationReport:
    """The report as people read it: ids that nobody could say aloud give way to their beginnings."""
    claims = tuple(
        replace(
            claim,
            evidence=tuple(map(shorten_id, claim.evidence)),
            explanation=_shorten_in(claim.explanation, claim.evidence),
        )
        for claim in report.claims
    )
    contradictions = tuple(
        replace(conflict, memory_ids=tuple(map(shorten_id, conflict.memory_ids))) for conflict in report.contradictions
    )
    return replace(report, claims=claims, contradictions=contradictions)


def shorten_output(output: VerifierOutput) -> VerifierOutput:
    used = output.evidence_used
    explanation = _shorten_in(output.explanation, (*used, *output.conflicting))
    return replace(output, evidence_used=tuple(map(shorten_id, used)), explanation=explanation)


def _shorten_in(text: str, names: Sequence[str]) -> str:
    for name in names:
        text = text.replace(name, shorten_id(name))
    return text


def _look_up(call: Call, names: Sequence[str]) -> list[Memory]:
    keeper, user, tenant = cast("Groundwire", call.library), name_user(call.setup), name_tenant(call.setup)
    found: dict[str, Memory] = {}
    for name in dict.fromkeys(names):
        try:
            entries = keeper.history(user=user, tenant=tenant, memory_id=name)
        except NotFound:  # what is known without having been stored, such as the user's name
            continue
        found |= {entry.id: entry for entry in entries if isinstance(entry, Memory) and entry.id == name}
    return list(found.values())


def _read_memory_file(path: str) -> list[object]:
    return requests.read_memory_document(read_document(path, "memories"), name_document("memories", path))


def _read_evidence_file(path: str) -> list[object]:
    text = read_document(path, "evidence")
    if path.lower().endswith((".json", ".jsonl")):
        return requests.read_memory_document(text, name_document("evidence", path))
    return [text]


def _refuse_shared_stdin(call: Call, option: str, paths: tuple[str, ...]) -> None:
    if paths.count("-") + call.reads_stdin() > 1:
        raise click.UsageError(f"Standard input can be read once: give the text or {option} a file or words.")
