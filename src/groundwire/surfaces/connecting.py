"""The command `mcp`: what is remembered, for agents."""

from __future__ import annotations

import os
import socket
from typing import TYPE_CHECKING

import click

from groundwire.errors import MissingExtra
from groundwire.surfaces.calls import Call, Setup
from groundwire.surfaces.fields import check_name
from groundwire.surfaces.stores import open_keeper, owner_options
from groundwire.types import Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from groundwire.surfaces.mcp.callers import Caller

SHORTEST_KEY = 16


@click.command("mcp")
@owner_options
@click.option("--credential", default="agent", metavar="NAME", help="The agent's name: it proposes and never approves.")
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="SOURCE",
    help="A source that the agent may claim besides conversation, chat and ai_synthesis.",
)
@click.option("--read-only", is_flag=True, help="Offer neither add_memory nor forget_memory.")
@click.option("--no-forget", is_flag=True, help="Do not offer forget_memory.")
@click.option("--http", is_flag=True, help="Serve streamable HTTP in place of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="With --http: listen here.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    metavar="PORT",
    help="With --http: on this port; 0 takes a free one.",
)
@click.option(
    "--key-variable",
    default="MCP_KEY",
    show_default=True,
    metavar="NAME",
    help="With --http: the environment variable that holds the key.",
)
@click.pass_obj
def mcp(
    setup: Setup,
    scope: Scope,
    credential: str,
    sources: Sequence[str],
    read_only: bool,
    no_forget: bool,
    http: bool,
    host: str,
    port: int,
    key_variable: str,
) -> None:
    """Offer the memory to agents (Model Context Protocol).

    Tools to search, verify, propose, explain and forget; no tool approves
    anything. On standard input and output for one agent, whose user and
    tenant are those of this command line. With --http at /mcp, for agents
    that send the key as a bearer token.

    \b
    Examples:
      groundwire mcp --store memory.db --user ada
      groundwire mcp --store memory.db --user ada --read-only
      MCP_KEY=... groundwire mcp --store memory.db --http --port 8765
    """
    call = Call(setup, None, None, None, False, False, "never")
    keeper = open_keeper(call, may_be_new=True)
    keeper.reviews(scope.owner, scope.tenant)  # a broken store is one error now and not one a call
    try:
        from groundwire.surfaces.mcp import transports
    except ModuleNotFoundError as error:
        raise MissingExtra("groundwire mcp", "mcp") from error
    caller = name_caller(scope, credential, sources, read_only=read_only, no_forget=no_forget)
    version = find_version()
    if not http:
        transports.serve_stdio(keeper, caller, version)
        return
    from groundwire.surfaces.mcp.callers import accept_key

    key = os.environ.get(key_variable, "")
    if len(key) < SHORTEST_KEY:
        secret = f"a secret of at least {SHORTEST_KEY} characters"
        raise click.UsageError(f"Set {key_variable} to {secret}: agents send it as their bearer token.")
    with listen(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"groundwire: MCP at http://{shown}:{listener.getsockname()[1]}{transports.PATH}", err=True)
        transports.serve_http(keeper, accept_key(key, caller), listener, version)


def name_caller(scope: Scope, credential: str, sources: Sequence[str], *, read_only: bool, no_forget: bool) -> Caller:
    from groundwire.surfaces.mcp.callers import AGENT_SOURCES, Ability, Caller

    refused = {Ability.PROPOSE, Ability.FORGET} if read_only else {Ability.FORGET} if no_forget else set[Ability]()
    return Caller(
        scope,
        check_name(credential, "credential"),
        AGENT_SOURCES | {check_name(source, "source") for source in sources},
        frozenset(Ability) - refused,
    )


def listen(host: str, port: int) -> socket.socket:
    """Bound before anything else is started, so that a port in use is one clear line."""
    try:
        return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
    except OSError as error:
        raise click.UsageError(f"Cannot listen on {host} port {port}: {error.strerror or error}.") from None


def find_version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("groundwire")
    except PackageNotFoundError:
        return ""
