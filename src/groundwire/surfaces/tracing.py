"""The command `paths`: what is on record of detections, by the paths under which it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import click

from groundwire.surfaces.calls import Call
from groundwire.surfaces.fields import read_user
from groundwire.surfaces.layout import Tone, View, flatten, join
from groundwire.surfaces.options import record_options
from groundwire.surfaces.requests import Fields, check_text, refuse_unknown
from groundwire.surfaces.responses import JsonObject, write_json
from groundwire.surfaces.stores import open_keeper, owner_options
from groundwire.types import Scope

PATH_FIELDS = ("id", "prefix", "user", "user_id")
_LONGEST_PREFIX = 512


@click.command("paths")
@click.argument("prefix", default="/", metavar="[PREFIX]")
@owner_options
@record_options
def paths(call: Call, prefix: str, scope: Scope) -> None:
    """Show what detections left on record under the path PREFIX.

    \b
    /hallucination/SESSION/TURN/detection/   flags with their evidence
    /hallucination/SESSION/TURN/mitigation/  what was done about them
    /hallucination/SESSION/TURN/metrics/     what it took
    /hallucination_patterns/                 what recurs across sessions

    Names within a path are percent-encoded, so a session called a/b is a%2Fb.
    Everything that begins with PREFIX is shown.

    \b
    In:   PREFIX; with --jsonl {"prefix", "user"?}
    Out:  {"paths": {path: value}}

    \b
    Examples:
      groundwire paths /hallucination/s1/4/ --store memory.db
      groundwire paths /hallucination_patterns/ --store memory.db --json
    """
    keeper = open_keeper(call)

    def answer(fields: Fields) -> JsonObject:
        refuse_unknown(fields, PATH_FIELDS)
        wanted = check_text(fields.get("prefix", "/"), "prefix", _LONGEST_PREFIX)
        return {"paths": dict(keeper.paths(wanted, user=read_user(fields, scope.owner), tenant=scope.tenant))}

    if call.as_jsonl:
        call.filter(answer, {"PREFIX": prefix != "/"})
    found = answer({"prefix": prefix})
    values = cast("Mapping[str, Any]", found["paths"])
    call.show(found, lambda view: _render(prefix, values, view))


def _render(prefix: str, values: Mapping[str, Any], view: View) -> str:
    if not values:
        return f"nothing is on record under {flatten(prefix)}\n"
    return join(f"{flatten(path)} {view.paint(write_json(value), Tone.NOTE)}" for path, value in values.items())
