"""From the words of a command line to the options of the proxy, for `proxy` and for `serve --upstream`."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from groundwire.errors import MissingExtra

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.surfaces.proxy.options import ProxyOptions


def choose_options(
    keeper: Groundwire,
    *,
    mode: str = "strict",
    refuted: str | None = None,
    unverified: str | None = None,
    context_tokens: int = 0,
    key_variable: str | None = None,
) -> ProxyOptions:
    from groundwire.guard.policy import GuardMode, GuardOptions, OnRefuted, OnUnverified
    from groundwire.surfaces.proxy.options import ProxyOptions

    key = ""
    if key_variable:
        key = os.environ.get(key_variable, "")
        if not key:
            raise click.UsageError(f"The environment variable {key_variable} is not set.")
    return ProxyOptions(
        GuardOptions(
            mode=GuardMode(mode),
            refuted=OnRefuted(refuted) if refuted else None,
            unverified=OnUnverified(unverified) if unverified else None,
            fail_closed=keeper.settings.fail_closed,
        ),
        context_tokens=context_tokens,
        upstream_key=key,
    )


def require_extra() -> None:
    for package in ("starlette", "uvicorn", "httpx"):
        if find_spec(package) is None:
            raise MissingExtra("groundwire proxy", "proxy")
