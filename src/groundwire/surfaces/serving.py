"""The command `serve`: the service over one store, until somebody ends it."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, cast

import click

from groundwire.errors import MissingExtra, StoreUnavailable
from groundwire.surfaces.calls import Setup
from groundwire.surfaces.proxy.choosing import choose_options
from groundwire.surfaces.proxy.choosing import require_extra as require_proxy
from groundwire.surfaces.stores import store_option
from groundwire.types.access import Role
from groundwire.types.places import show_place

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.surfaces.demo import Demo
    from groundwire.surfaces.rest.app import Extension

HOST, PORT = "127.0.0.1", 8765
_BACKLOG = 1_024


@click.command("serve")
@store_option
@click.option("--host", default=HOST, show_default=True, metavar="ADDRESS", help="Where to listen.")
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65_535), help="0 for any free one.")
@click.option("--demo", is_flag=True, help="Set up a tenant of made-up memories to look around in.")
@click.option("--upstream", metavar="URL", help="Offer a model at this address, guarded, under /openai/v1.")
@click.option("--key-variable", metavar="NAME", help="The environment variable with the upstream's key.")
@click.pass_obj
def serve(setup: Setup, host: str, port: int, demo: bool, upstream: str | None, key_variable: str | None) -> None:
    """Serve the store over HTTP: REST under /v1, pages under /console.

    Whoever asks needs a key (groundwire keys). The first start makes one for
    the administrator and prints it once. Without a store, everything is kept
    in memory and is gone when the service ends.

    \b
    In:   requests as /openapi.json describes them, each with a key
    Out:  the address and new keys on standard output; one JSON object a
          request on standard error.

    \b
    Examples:
      groundwire serve --store memory.db
      groundwire serve --store demo.db --demo --port 8080
    """
    require_extra()
    setup.uses_store = bool(setup.store_path)
    keeper = cast("Groundwire", setup.library)
    extensions = mount_upstream(keeper, upstream, key_variable)
    listener = listen(host, port)
    with listener:
        address, is_first = name_address(listener, host), keeper.keys().is_empty
        lines = prepare(keeper, setup.store_path, demo=demo)
        for line in (*lines, *tell_next(address, setup.store_path, is_first=is_first, demo=demo)):
            click.echo(line)
        click.echo(f"listening on {address}")
        run(keeper, listener, extensions)


def mount_upstream(keeper: Groundwire, upstream: str | None, key_variable: str | None) -> list[Extension]:
    """The proxy as a part of the service, with what it does by default: groundwire proxy has more to choose from."""
    if upstream is None:
        return []
    require_proxy()
    from groundwire.surfaces.proxy.serving import mount_proxy

    return [mount_proxy(upstream, options=choose_options(keeper, key_variable=key_variable))]


def require_extra() -> None:
    for package in ("fastapi", "jinja2", "uvicorn"):
        if find_spec(package) is None:
            raise MissingExtra("the service", "serve")


def listen(host: str, port: int) -> socket.socket:
    """Take the address before anything else is done, so that a second start changes nothing."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        why = str(error.strerror or error).partition(" (while")[0]  # without the address once more
        raise click.UsageError(
            f"{host} port {port} cannot be listened on: {why}. Give another --port or --host."
        ) from None


def name_address(listener: socket.socket, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def tell_next(address: str, path: str, *, is_first: bool, demo: bool) -> list[str]:
    """Where to go from here, and with which key."""
    near = address.replace("//0.0.0.0:", "//localhost:").replace("//[::]:", "//localhost:")
    known = "the demo reviewer's key" if demo else "the administrator's key" if is_first else ""
    key = f"{known} above" if known else "a key with the role review"
    lines = [f"people: open {near}/console in a browser and sign in with {key}"]
    if not known:
        lines.append("  the first start printed one; groundwire keys makes another:")
        lines.append(f"  groundwire keys create me --role read --role review --all-users --store {show_place(path)}")
    return [*lines, f"programs: {near}/v1 with the header Authorization: Bearer KEY; {near}/openapi.json says how"]


def prepare(keeper: Groundwire, path: str, *, demo: bool) -> list[str]:
    """What the operator has to know before the first request."""
    lines = [f"store: {show_place(path) or 'in memory, gone when the service ends'}"]
    keyring = keeper.keys()
    if keyring.is_empty:
        made = keyring.create("admin", roles=list(Role), sources=None)
        lines += ["administrator's key, shown this once; groundwire keys makes others:", f"  {made.token}"]
    return lines + (_describe_demo(keeper) if demo else [])


def _describe_demo(keeper: Groundwire) -> list[str]:
    from groundwire.surfaces.demo import set_up

    made: Demo = set_up(keeper)
    lines = [f"DEMO tenant {made.tenant!r} with made-up memories of {made.user!r}; its keys, new at every start:"]
    return lines + [f"  {issued.credential.name}: {issued.token}" for issued in made.keys]


def run(keeper: Groundwire, listener: socket.socket, extensions: Sequence[Extension] = ()) -> None:
    """Until a signal ends it: requests that were taken in are answered first."""
    import uvicorn

    from groundwire.surfaces.rest.app import create_app
    from groundwire.surfaces.rest.journal import log_to

    log_to()
    config = uvicorn.Config(
        create_app(keeper, extensions=extensions),
        log_config=None,
        access_log=False,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=int(keeper.settings.serve_seconds) + 1,
    )
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):  # raised again once everything has been answered
        server.run(sockets=[listener])
    if not server.started:
        raise StoreUnavailable("the service did not start", "its log says why")
