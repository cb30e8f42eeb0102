"""The command `mcp`: what is remembered, for agents."""

from __future__ import annotations

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

    from groundwire.surfaces.mcp.callers import Ability, Caller

PORT = 8766  # beside `groundwire serve`
_NEW_KEY = "groundwire keys create agent --role read --role propose --user NAME"


@click.command("mcp")
@owner_options
@click.option("--credential", metavar="NAME", help="The agent's name: it proposes, never approves. agent unless given.")
@click.option(
    "--source",
    "sources",
    multiple=True,
    metavar="SOURCE",
    help="A source that the agent may claim besides ai_synthesis: conversation, user, ...",
)
@click.option("--read-only", is_flag=True, help="Offer neither add_memory nor forget_memory.")
@click.option("--no-forget", is_flag=True, help="Do not offer forget_memory.")
@click.option("--http", is_flag=True, help="Serve streamable HTTP in place of standard input and output.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="With --http: listen here.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    metavar="PORT",
    help="With --http: on this port; 0 takes a free one.",
)
@click.pass_obj
def mcp(
    setup: Setup,
    scope: Scope,
    credential: str | None,
    sources: Sequence[str],
    read_only: bool,
    no_forget: bool,
    http: bool,
    host: str,
    port: int,
) -> None:
    """Offer the memory to agents (Model Context Protocol).

    Tools to search, verify, propose, explain and forget; no tool approves
    anything. On standard input and output for one agent, whose user and
    tenant are those of this command line. With --http at /mcp, for agents
    that send a key of the store (groundwire keys) as a bearer token: the key
    says whose memory it is, what it may claim and what it may do.

    \b
    In:   messages of the protocol on standard input, or over HTTP
    Out:  messages of the protocol on standard output, or over HTTP; with
          --http the address on standard error

    \b
    Examples:
      groundwire mcp --store memory.db --user ada
      groundwire mcp --store memory.db --user ada --read-only
      groundwire mcp --store memory.db --http --port 8766
    """
    call = Call(setup, None, None, None, False, False, "never")
    keeper = open_keeper(call, may_be_new=True)
    keeper.reviews(scope.owner, scope.tenant)  # a broken store is one error now and not one a call
    try:
        from groundwire.surfaces.mcp import transports
        from groundwire.surfaces.mcp.callers import recognise_keys
    except ModuleNotFoundError as error:
        raise MissingExtra("groundwire mcp", "mcp") from error
    version, abilities = find_version(), find_abilities(read_only=read_only, no_forget=no_forget)
    if not http:
        transports.serve_stdio(keeper, name_caller(scope, credential, sources, abilities), version)
        return
    if setup.user or setup.tenant or credential or sources:
        raise click.UsageError("With --http the key says who asks: leave --user, --tenant, --credential and --source.")
    if keeper.keys().is_empty:
        raise click.UsageError(f"The store has no keys, so nobody could ask. Make one: {_NEW_KEY}")
    with listen(host, port) as listener:
        shown = f"[{host}]" if ":" in host else host
        click.echo(f"groundwire: MCP at http://{shown}:{listener.getsockname()[1]}{transports.PATH}", err=True)
        transports.serve_http(keeper, recognise_keys(keeper, abilities), listener, version)


def find_abilities(*, read_only: bool, no_forget: bool) -> frozenset[Ability]:
    from groundwire.surfaces.mcp.callers import Ability

    return frozenset({Ability.READ}) if read_only else frozenset(Ability) - ({Ability.FORGET} if no_forget else set())


def name_caller(scope: Scope, credential: str | None, sources: Sequence[str], abilities: frozenset[Ability]) -> Caller:
    """The one agent at the other end, as the operator's command line describes it."""
    from groundwire.surfaces.mcp.callers import AGENT_SOURCES, Caller

    name = check_name(credential or "agent", "credential")
    return Caller(scope, name, AGENT_SOURCES | {check_name(source, "source") for source in sources}, abilities)


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
