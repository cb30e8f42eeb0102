"""The command line: arguments and lines in, JSON or a page for people out; what is decided is decided elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from groundwire.errors import GroundwireError, InvalidInput, InvalidSettings
from groundwire.settings import CHOICES
from groundwire.surfaces import evaluating, rendering, requests, responses, shelf
from groundwire.surfaces.calls import Call, Setup, name_document, open_groundwire, read_document, write_output
from groundwire.surfaces.requests import Fields
from groundwire.surfaces.responses import JsonObject
from groundwire.types import Verdict, VerificationReport

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_FLAGGED = 3
EXIT_READER_GONE = 141  # what a shell reports for a filter whose reader has left


# ── the group ───────────────────────────────────────────────────────────────────────────────────


class _Refusal(click.ClickException):
    exit_code = EXIT_USAGE


class _Failure(click.ClickException):
    exit_code = EXIT_FAILURE


class _Group(click.Group):
    """Turns what the library refuses into one line on standard error."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            _silence_stdout()
            ctx.exit(EXIT_READER_GONE)
        except (InvalidInput, InvalidSettings) as error:
            raise _Refusal(str(error)) from error
        except GroundwireError as error:
            raise _Failure(str(error)) from error


def _silence_stdout() -> None:
    """What is still buffered would raise once more when the interpreter shuts down."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        number = version("groundwire")
    except PackageNotFoundError:
        number = "(not installed: running from a source tree)"
    click.echo(f"groundwire {number}")
    ctx.exit()


@click.group("groundwire", cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--config", type=click.Path(path_type=Path), metavar="FILE", help="Settings file (TOML).")
@click.option(
    "--version", is_flag=True, expose_value=False, is_eager=True, callback=_print_version, help="Print the version."
)
@click.pass_context
def main(ctx: click.Context, config: Path | None) -> None:
    """Check what a language model says against what is remembered.

    \b
    Every command works in three ways:
      groundwire COMMAND TEXT           prints a page for people
      groundwire COMMAND TEXT --json    prints one JSON object
      groundwire COMMAND --jsonl        one JSON object a line in, one a line out

    \b
    With --jsonl a line that cannot be processed gives {"id", "error": {"type",
    "message"}} in its place and the run goes on; blank lines are passed over.

    \b
    TEXT is the words themselves, the path of a file, or - for standard input.
    An argument that names an existing file is read; --text and --file settle it.

    \b
    Exit status: 0 clean, 3 something was flagged, 2 wrong usage or bad input,
    1 a failure (with --jsonl: some lines could not be processed).
    """
    ctx.obj = Setup(config, ctx.obj or open_groundwire)


def _shared_options(metavar: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The argument and the options that all commands on a text have, handed over as one `Call`."""

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        @wraps(command)
        def packed(
            argument: str | None,
            text: str | None,
            file: str | None,
            as_json: bool,
            as_jsonl: bool,
            color: str,
            **others: object,
        ) -> None:
            setup = click.get_current_context().find_object(Setup) or Setup()
            command(Call(setup, argument, text, file, as_json, as_jsonl, color), **others)

        options: list[Callable[[Callable[..., None]], Callable[..., None]]] = [
            click.argument("argument", metavar=f"[{metavar}]", required=False),
            click.option("--text", metavar="WORDS", help="The words themselves, even if a file has that name."),
            click.option("--file", metavar="FILE", help="Read this file; - is standard input."),
            click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
            click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a line in, one a line out."),
            click.option(
                "--color",
                type=click.Choice(["auto", "always", "never"]),
                default="auto",
                show_default=True,
                help="auto: on a terminal, unless NO_COLOR is set.",
            ),
        ]
        result: Callable[..., None] = packed
        for option in reversed(options):
            result = option(result)
        return result

    return decorate


def _judge_option(command: Callable[..., None]) -> Callable[..., None]:
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


# ── the commands ────────────────────────────────────────────────────────────────────────────────


@main.command()
@_shared_options("TEXT")
def claims(call: Call) -> None:
    """Split TEXT into its claims: single checkable statements.

    Questions, requests, greetings and opinions are not claims. A sentence that
    says three things gives three claims, each with where it was said.

    \b
    In:   TEXT, a file or -; with --jsonl {"text": ...}
    Out:  {"claims": [{"text", "span": [start, end], "subject", "predicate",
          "object", "polarity", "tense", "hedged", "quoted"}]}

    \b
    Examples:
      groundwire claims "You run a bakery in Porto and coach a youth team."
      echo '{"id": 1, "text": "You live in Rome."}' | groundwire claims --jsonl
    """

    def answer(fields: Fields) -> JsonObject:
        request = requests.read_text_request(fields, call.settings)
        return responses.describe_claims(call.library.claims(request.text))

    if call.as_jsonl:
        call.filter(answer)
    request = requests.read_text_request({"text": call.read_text("text")}, call.settings)
    found = call.library.claims(request.text)
    call.show(responses.describe_claims(found), lambda view: rendering.render_claims(found, view))


@main.command()
@_shared_options("TEXT")
def facts(call: Call) -> None:
    """Read the facts of TEXT: who, which slot, what value, since when.

    \b
    In:   TEXT, a file or -; with --jsonl {"text": ...}
    Out:  {"facts": [{"subject", "slot", "value", "raw", "span": [start, end],
          "value_span", "polarity", "tense", "when", "hedged"}]}

    \b
    Examples:
      groundwire facts "I moved to Berlin in May and I no longer work at Initech."
      groundwire facts notes.txt --json
    """

    def answer(fields: Fields) -> JsonObject:
        request = requests.read_text_request(fields, call.settings)
        return responses.describe_facts(call.library.facts(request.text))

    if call.as_jsonl:
        call.filter(answer)
    request = requests.read_text_request({"text": call.read_text("text")}, call.settings)
    found = call.library.facts(request.text)
    call.show(responses.describe_facts(found), lambda view: rendering.render_facts(request.text, found, view))


@main.command()
@_shared_options("CLAIM")
@_judge_option
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
def judge(call: Call, evidence: tuple[str, ...], evidence_files: tuple[str, ...], context: str | None) -> None:
    """Judge one CLAIM against evidence.

    The verdict is SUPPORTED, REFUTED or INSUFFICIENT.

    \b
    In:   CLAIM, a file or -, and the evidence;
          with --jsonl {"claim", "evidence": [text or {"id", "text"}],
          "context"?}
    Out:  {"verdict", "confidence", "probabilities", "evidence_used",
          "explanation", "reason", "action", "low_confidence", "judge", ...}
    Exit status 3 when the claim is REFUTED or the evidence INSUFFICIENT.

    \b
    Examples:
      groundwire judge "You work at Globex." --evidence "User works at Globex"
      groundwire judge "The pump failed." --evidence-file report.txt --json
    """

    def answer(fields: Fields) -> JsonObject:
        request = requests.read_judge_request(fields, call.settings)
        output = call.library.judge(request.claim, request.evidence, context=request.context, mode=request.mode)
        return responses.describe_judgement(output)

    if call.as_jsonl:
        given = {"--evidence": evidence, "--evidence-file": evidence_files, "--context": context}
        call.filter(answer, given, judging=True)
    if not evidence and not evidence_files:
        raise click.UsageError("Give the evidence to judge by: --evidence 'WORDS' or --evidence-file FILE.")
    _refuse_shared_stdin(call, "--evidence-file", evidence_files)
    entries: list[object] = [*evidence, *(entry for path in evidence_files for entry in _read_evidence_file(path))]
    fields = {"claim": call.read_text("claim"), "evidence": entries, "context": context}
    request = requests.read_judge_request(fields, call.settings)
    output = call.library.judge(request.claim, request.evidence, context=request.context, mode=request.mode)
    call.show(
        responses.describe_judgement(output),
        lambda view: rendering.render_judgement(request.claim, request.evidence, output, view),
    )
    call.warn_of_model()
    if output.verdict is not Verdict.SUPPORTED:
        click.get_current_context().exit(EXIT_FLAGGED)


@main.command()
@_shared_options("TEXT")
@_judge_option
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
@click.option("--user", metavar="NAME", help="Whose stored memories to use as well.")
def verify(
    call: Call,
    memory: tuple[str, ...],
    memory_files: tuple[str, ...],
    query: str | None,
    mode: str | None,
    user: str | None,
) -> None:
    """Check the answer TEXT against memories and say what does not hold.

    \b
    In:   TEXT, a file or -, and the memories; with --jsonl
          {"text", "memories": [{"id", "text", "trust"?, "timestamp"?,
          "source"?}], "query"?, "mode"?}. trust is in [0, 1], 1 when left out;
          timestamp is Unix seconds or ISO 8601.
    Out:  {"grounded", "claims", "hallucinations", "unverifiable",
          "contradictions", "requires_disclosure", "expected_disclosure",
          "grounding_map", "corrected", "action", "confidence", ...}
    Exit status 3 when the answer is not grounded.

    \b
    Examples:
      groundwire verify "You work at Globex." --memory "User works at Globex"
      groundwire verify answer.txt --memories memories.json --json
    """

    def answer(fields: Fields) -> JsonObject:
        return responses.describe_report(_verify(call, requests.read_verify_request(fields, call.settings)))

    options: dict[str, object] = {"--memory": memory, "--memories": memory_files, "--query": query}
    if call.as_jsonl:
        call.filter(answer, {**options, "--mode": mode, "--user": user}, judging=True)
    _refuse_shared_stdin(call, "--memories", memory_files)
    entries: list[object] = list(memory)
    for path in memory_files:
        entries += requests.read_memory_document(read_document(path, "memories"), name_document("memories", path))
    fields = {"text": call.read_text("text"), "memories": entries, "query": query, "mode": mode, "user": user}
    request = requests.read_verify_request(fields, call.settings)
    report = _verify(call, request)
    call.show(
        responses.describe_report(report),
        lambda view: rendering.render_report(report, [*request.memories, *request.passages], view),
    )
    call.warn_of_model()
    if not report.grounded:
        click.get_current_context().exit(EXIT_FLAGGED)


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of TOML.")
@click.pass_obj
def config(setup: Setup, as_json: bool) -> None:
    """Print the settings in effect.

    They come from the defaults, the preset, the file and the environment.

    The output is a settings file itself and can be given back with --config.

    \b
    Examples:
      groundwire config
      GROUNDWIRE_MAX_CLAIMS=20 groundwire --config groundwire.toml config --json
    """
    settings = setup.settings
    write_output(responses.write_json(responses.describe_settings(settings)) + "\n" if as_json else settings.as_toml())


def _verify(call: Call, request: requests.VerifyRequest) -> VerificationReport:
    return call.library.verify(
        request.text,
        memories=request.memories,
        passages=request.passages,
        query=request.query,
        mode=request.mode,
        user=request.user,
    )


def _read_evidence_file(path: str) -> list[object]:
    text = read_document(path, "evidence")
    if path.lower().endswith((".json", ".jsonl")):
        return requests.read_memory_document(text, name_document("evidence", path))
    return [text]


def _refuse_shared_stdin(call: Call, option: str, paths: tuple[str, ...]) -> None:
    if paths.count("-") + call.reads_stdin() > 1:
        raise click.UsageError(f"Standard input can be read once: give the text or {option} a file or words.")


for _command in (*evaluating.COMMANDS, shelf.models):
    main.add_command(_command)
