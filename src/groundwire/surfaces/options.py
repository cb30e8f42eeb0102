"""The arguments and the options that commands have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps

import click

from groundwire.surfaces.calls import Call, Setup

Decorator = Callable[[Callable[..., None]], Callable[..., None]]


def shared_options(metavar: str) -> Decorator:
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

        options: list[Decorator] = [
            click.argument("argument", metavar=f"[{metavar}]", required=False),
            click.option("--text", metavar="WORDS", help="The words themselves, even if a file has that name."),
            click.option("--file", metavar="FILE", help="Read this file; - is standard input."),
            *_output_options(),
        ]
        return _apply(options, packed)

    return decorate


def record_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options of commands on something that is stored; its id is the command's own argument."""

    @wraps(command)
    def packed(file: str | None, as_json: bool, as_jsonl: bool, color: str, **others: object) -> None:
        if file is not None and not as_jsonl:
            raise click.UsageError("--file is for --jsonl: it holds the lines to read.")
        setup = click.get_current_context().find_object(Setup) or Setup()
        command(Call(setup, None, None, file, as_json, as_jsonl, color), **others)

    lines = click.option("--file", metavar="FILE", help="With --jsonl: read the lines from this file.")
    return _apply([*_output_options(), lines], packed)


def _output_options() -> list[Decorator]:
    return [
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option("--jsonl", "as_jsonl", is_flag=True, help="One JSON object a line in, one a line out."),
        color_option,
    ]


def color_option(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        show_default=True,
        help="auto: on a terminal, unless NO_COLOR is set.",
    )(command)


def _apply(options: Sequence[Decorator], command: Callable[..., None]) -> Callable[..., None]:
    for option in reversed(options):
        command = option(command)
    return command
