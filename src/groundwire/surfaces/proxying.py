"""The command `proxy`: the OpenAI API in front of a model, with what is remembered behind it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from groundwire.errors import StoreUnavailable
from groundwire.surfaces.calls import Call, Setup
from groundwire.surfaces.proxy.choosing import choose_options, require_extra
from groundwire.surfaces.serving import listen, name_address
from groundwire.surfaces.stores import open_keeper, owner_options
from groundwire.types import Scope
from groundwire.types.places import show_place

if TYPE_CHECKING:
    import socket

    from starlette.applications import Starlette


HOST, PORT = "127.0.0.1", 8767  # beside `groundwire serve` and `groundwire mcp`
SECONDS = 600.0
_MODES = ("strict", "fast")
_ON_REFUTED = ("halt", "repair")
_ON_UNVERIFIED = ("annotate", "release", "remove", "branch", "abstain")


def guard_options(command: Callable[..., None]) -> Callable[..., None]:
    """How answers are guarded, for whoever puts the proxy in front of a model."""
    options = (
        click.option("--mode", type=click.Choice(_MODES), default="strict", show_default=True, help="fast takes back."),
        click.option("--refuted", type=click.Choice(_ON_REFUTED), help="strict halts and fast repairs unless given."),
        click.option(
            "--unverified", type=click.Choice(_ON_UNVERIFIED), help="strict annotates and fast releases unless given."
        ),
        click.option(
            "--context-tokens",
            type=click.IntRange(0, 100_000),
            default=0,
            show_default=True,
            metavar="N",
            help="Put memories into the prompt, of at most so many tokens; 0 for none.",
        ),
        click.option(
            "--key-variable",
            metavar="NAME",
            help="The environment variable with the upstream's key, for requests that bring none.",
        ),
        click.option(
            "--timeout",
            type=click.FloatRange(0, min_open=True),
            default=SECONDS,
            show_default=True,
            metavar="SECONDS",
            help="How long the upstream may say nothing.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@click.command("proxy")
@click.option("--upstream", required=True, metavar="URL", help="The base address of the model's API, as for a client.")
@click.option("--host", default=HOST, show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65_535), help="0 for any free one.")
@guard_options
@owner_options
@click.pass_obj
def proxy(setup: Setup, scope: Scope, upstream: str, host: str, port: int, timeout: float, **guard: Any) -> None:
    """Stand between an application and a model: OpenAI's API under /v1.

    Point the application's base URL here. Chat completions, streamed or not,
    are checked against what is remembered of the user that the request names
    (`user`, or the header X-Groundwire-User), else of --user. Everything else
    goes through. Credentials go upstream and nowhere else.

    Whoever can reach the address may name any user of the store. To give each
    their own key, use groundwire serve --upstream.

    \b
    In:   requests of the OpenAI API
    Out:  the address on standard output; one JSON object a line about what
          goes wrong on standard error

    \b
    Examples:
      groundwire proxy --upstream http://127.0.0.1:11434/v1 --store memory.db
      groundwire proxy --upstream https://api.openai.com/v1 --context-tokens 500
    """
    require_extra()
    from groundwire.surfaces.proxy.serving import create_proxy

    keeper = open_keeper(Call(setup, None, None, None, False, False, "never"), may_be_new=True)
    options = choose_options(keeper, **guard)
    app = create_proxy(keeper, upstream, owner=scope, options=options, seconds=timeout)
    with listen(host, port) as listener:
        click.echo(f"store: {show_place(setup.store_path)}; {options.guard.mode.value}; user {scope.owner}")
        click.echo(f"listening on {name_address(listener, host)}/v1")
        run(app, listener)


def run(app: Starlette, listener: socket.socket) -> None:
    """Until a signal ends it. Streams that are under way get a moment to end."""
    import uvicorn

    from groundwire.surfaces.rest.journal import log_to

    log_to()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run(sockets=[listener])
    if not server.started:
        raise StoreUnavailable("the proxy did not start", "its log says why")
