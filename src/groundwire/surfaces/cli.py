"""The command line: arguments and lines in, JSON or a page for people out; what is decided is decided elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from groundwire.errors import GroundwireError, InvalidInput, InvalidSettings, RejectionError
from groundwire.surfaces import (
    checking,
    connecting,
    detecting,
    evaluating,
    examining,
    extracting,
    forgetting,
    gating,
    guarding,
    keys,
    proxying,
    recalling,
    remembering,
    rendering,
    requests,
    responses,
    reviewing,
    serving,
    shelf,
    tracing,
    transferring,
)
from groundwire.surfaces.calls import Call, Setup, open_groundwire, write_output
from groundwire.surfaces.options import shared_options
from groundwire.surfaces.requests import Fields
from groundwire.surfaces.responses import JsonObject
from groundwire.types.places import show_place

EXIT_FAILURE = 1
EXIT_USAGE = 2
EXIT_FLAGGED = 3
EXIT_READER_GONE = 141  # what a shell reports for a filter whose reader has left


# ── the group ───────────────────────────────────────────────────────────────────────────────────


class _Refusal(click.ClickException):
    exit_code = EXIT_USAGE


class _Failure(click.ClickException):
    exit_code = EXIT_FAILURE


class _Flagged(click.ClickException):
    """What was asked for was looked at and turned down."""

    exit_code = EXIT_FLAGGED


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
        except RejectionError as error:
            raise _Flagged(str(error)) from error
        except GroundwireError as error:
            raise _Failure(str(error)) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """In the order in which one needs them, under what they are for."""
        room = formatter.width - 6 - max(map(len, self.commands))
        for title, commands in _SECTIONS.items():
            with formatter.section(title):
                formatter.write_dl([(str(command.name), command.get_short_help_str(room)) for command in commands])


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
    What is remembered is kept in a file or in PostgreSQL: --store,
    GROUNDWIRE_STORE, or store in the settings file. --user NAME says whose it is.

    \b
    Exit status: 0 clean, 3 something was flagged, 2 wrong usage or bad input,
    1 a failure (with --jsonl: some lines could not be processed).
    """
    ctx.obj = Setup(config, ctx.obj or open_groundwire)


# ── the commands ────────────────────────────────────────────────────────────────────────────────


@click.command()
@shared_options("TEXT")
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


@click.command()
@shared_options("TEXT")
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


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON in place of TOML.")
@click.pass_obj
def config(setup: Setup, as_json: bool) -> None:
    """Print the settings in effect.

    They come from the defaults, the preset, the file and the environment.

    The output is a settings file itself and can be given back with --config.
    A password in the address of the store is left out.

    \b
    Examples:
      groundwire config
      GROUNDWIRE_MAX_CLAIMS=20 groundwire --config groundwire.toml config --json
    """
    settings = replace(setup.settings, store=show_place(setup.settings.store))
    write_output(responses.write_json(responses.describe_settings(settings)) + "\n" if as_json else settings.as_toml())


_SECTIONS: Mapping[str, Sequence[click.Command]] = {
    "Check what is said": (
        claims,
        facts,
        checking.judge,
        checking.verify,
        detecting.detect,
        guarding.guard,
    ),
    "Keep what is true": (
        remembering.remember,
        recalling.recall,
        recalling.history,
        forgetting.forget,
        reviewing.review,
        extracting.extract,
        gating.gate,
        examining.rejections,
        tracing.paths,
    ),
    "Look after it": (
        examining.doctor,
        transferring.export,
        transferring.import_,
        config,
        shelf.models,
        *evaluating.COMMANDS,
    ),
    "Let others use it": (serving.serve, proxying.proxy, connecting.mcp, keys.keys),
}
for _commands in _SECTIONS.values():
    for _command in _commands:
        main.add_command(_command)
