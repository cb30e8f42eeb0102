"""The other names of things that a deployment brings along."""

from __future__ import annotations

from groundwire.settings import Settings
from groundwire.text.values import Aliases, packaged_aliases


def spellings_of(settings: Settings) -> Aliases | None:
    """The deployment's own aliases on top of the packaged ones; None when there are none."""
    if not settings.aliases:
        return None
    by_name: dict[str, list[str]] = {}
    for alias, name in settings.aliases.items():
        by_name.setdefault(name, []).append(alias)
    return packaged_aliases().extended(by_name)
