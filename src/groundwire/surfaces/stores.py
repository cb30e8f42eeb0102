"""Which store a command works on, and whose memories in it: the same options for every command that has one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from groundwire.errors import InvalidInput
from groundwire.surfaces.calls import Call, Setup
from groundwire.surfaces.fields import check_name
from groundwire.surfaces.layout import flatten
from groundwire.types import Scope
from groundwire.types.places import is_address

if TYPE_CHECKING:
    from groundwire.app import Groundwire

DEFAULT_USER = "user"
DEFAULT_TENANT = "default"
SHORTEST_PREFIX = 4
SHORT_ID = 8
_HOW = "Give --store FILE, or set GROUNDWIRE_STORE, or store in the settings file."


def store_option(command: Callable[..., None]) -> Callable[..., None]:
    """--store, taken into the set-up before the library is opened."""

    def choose(ctx: click.Context, _: click.Parameter, path: str | None) -> None:
        setup = ctx.find_object(Setup)
        if setup is not None and path is not None:
            setup.store = path

    return click.option(
        "--store",
        "chosen_store",
        metavar="FILE",
        callback=choose,
        expose_value=False,
        help="The file of memories, or a postgresql:// address; that of GROUNDWIRE_STORE or the settings if left out.",
    )(command)


def source_options(command: Callable[..., None]) -> Callable[..., None]:
    """--store, --user and --tenant of a command that can do without a store, taken into the set-up."""

    def choose(ctx: click.Context, option: click.Parameter, value: str | None) -> None:
        setup = ctx.find_object(Setup)
        if setup is not None and value is not None:
            setattr(setup, str(option.name), check_name(value, str(option.name)))

    tenant = "Within which tenant; 'default' if left out."
    result = click.option("--tenant", metavar="NAME", callback=choose, expose_value=False, help=tenant)(command)
    user = "Whose memory it is; that of the settings, or 'user'."
    return store_option(click.option("--user", metavar="NAME", callback=choose, expose_value=False, help=user)(result))


def owner_options(command: Callable[..., None]) -> Callable[..., None]:
    """--store, --user and --tenant, the latter two handed over as one `Scope`."""

    @wraps(command)
    def packed(*given: object, **others: object) -> None:
        setup = click.get_current_context().find_object(Setup) or Setup()
        command(*given, scope=Scope(name_user(setup), name_tenant(setup)), **others)

    return source_options(packed)


def name_user(setup: Setup) -> str:
    """Who is meant: as the command says, else as the settings say."""
    return check_name(setup.user or setup.settings.user or DEFAULT_USER, "user")


def name_tenant(setup: Setup) -> str:
    return setup.tenant or DEFAULT_TENANT


def open_keeper(call: Call, *, may_be_new: bool = False) -> Groundwire:
    """The library over the store that was named; one that is not there is made only by commands that write."""
    path = call.setup.store_path
    if not path:
        raise click.UsageError(f"No store is named. {_HOW}")
    if not is_there(path) and not may_be_new:
        raise click.UsageError(f"There is no store '{path}'. 'groundwire remember' makes one when it keeps something.")
    call.setup.uses_store = True
    return _open(call)


def _open(call: Call) -> Groundwire:
    """For many lines the store is opened at once: a broken one is one error and not one a line."""
    keeper = cast("Groundwire", call.library)
    if call.as_jsonl:
        keeper.reviews(DEFAULT_USER)
    return keeper


def consult_store(call: Call) -> bool:
    """Let a command that can do without a store use the one that is named; whether there is one.

    A missing file is an error where the command line names it; the one of the settings may not have been made yet.
    """
    path = call.setup.store_path
    if not path:
        return False
    if not is_there(path):
        if call.setup.store is not None:
            raise click.UsageError(f"There is no store '{path}'. 'groundwire remember' makes one.")
        click.echo(f"groundwire: there is no store '{path}' yet; only what is handed in is used", err=True)
        return False
    call.setup.uses_store = True
    _open(call)
    return True


def is_there(path: str) -> bool:
    """Whether a store can be looked for at this place at all; an address is left to whoever connects."""
    try:
        return is_address(path) or Path(path).expanduser().exists()
    except (OSError, ValueError, RuntimeError) as error:  # too long, a NUL in it, the home of nobody
        shown = path if len(path) <= 80 else path[:79] + "…"
        why = getattr(error, "strerror", None) or error
        raise InvalidInput("store", f"'{flatten(shown)}' cannot name a file: {why}") from None


def shorten_id(name: str) -> str:
    """The beginning of an id that nobody could say aloud; `find_id` takes it back."""
    return name[:SHORT_ID] if len(name) == 32 and set(name) <= set("0123456789abcdef") else name


def find_id(given: str, known: Sequence[str], what: str) -> str:
    """The id that is meant: itself, or the only one that begins with it. What is not known is left as it is."""
    if given in known or len(given) < SHORTEST_PREFIX:
        return given
    meant = [name for name in known if name.startswith(given)]
    if len(meant) > 1:
        shown = ", ".join(name[: SHORT_ID + 4] for name in meant[:5])
        raise InvalidInput("id", f"{given!r} begins the id of {len(meant)} {what}: {shown}; give more of it")
    return meant[0] if meant else given


def can_ask() -> bool:
    """Whether somebody is there to answer: both what is asked and what is typed go to a terminal."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirm(question: str, *, yes: bool) -> None:
    """Ask before something that cannot be undone; without a terminal the consent has to be on the command line."""
    if yes:
        return
    if not can_ask():
        raise click.UsageError(f"{question} Standard input is no terminal to answer on: give --yes to go ahead.")
    if not click.confirm(question, err=True):
        raise click.Abort
