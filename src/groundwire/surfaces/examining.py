"""The commands `doctor` and `rejections`: whether everything is in order, and what the gate refuses most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, cast

import click

from groundwire.errors import GroundwireError, InvalidSettings, StoreUnavailable
from groundwire.surfaces.calls import Call, Setup
from groundwire.surfaces.fields import read_moment, read_name, read_user
from groundwire.surfaces.layout import Sign, Tone, View, beside, flatten, join, pad, wrap
from groundwire.surfaces.options import record_options
from groundwire.surfaces.requests import Fields, refuse_unknown
from groundwire.surfaces.responses import JsonObject
from groundwire.surfaces.stores import is_there, open_keeper, owner_options, store_option
from groundwire.types import Scope

if TYPE_CHECKING:
    from groundwire.app import Groundwire
    from groundwire.memory.outcomes import Finding
    from groundwire.memory.rejections import RejectionSummary

EXIT_FLAGGED = 3
REJECTION_FIELDS = ("id", "user", "user_id", "tenant", "since")
_FINE, _WRONG = Sign("✓", Tone.GOOD), Sign("✗", Tone.BAD)
_BAR = 20


# ── doctor ──────────────────────────────────────────────────────────────────────────────────────


@click.command("doctor")
@record_options
@store_option
def doctor(call: Call) -> None:
    """Examine the store, the models and the settings.

    Every entry of the audit trail is compared with its hash, every model file
    with its manifest, and the disk is looked at. Nothing is repaired; each finding says what to do.

    \b
    In:   nothing, or with --jsonl {"store"} a line
    Out:  {"ok", "findings": [{"name", "ok", "detail", "remedy"}]}
    Exit status 3 when something is not in order.

    \b
    Examples:
      groundwire doctor --store memory.db
      groundwire doctor --json
    """
    if call.as_jsonl:
        call.filter(lambda fields: describe_findings(_examine_line(call.setup, fields)))
    findings = examine(call.setup)
    call.show(describe_findings(findings), lambda view: render_findings(findings, view))
    if not all(finding.ok for finding in findings):
        click.get_current_context().exit(EXIT_FLAGGED)


def _examine_line(setup: Setup, fields: Fields) -> list[Finding]:
    refuse_unknown(fields, ("id", "store"))
    return examine(replace(setup, store=read_name(fields, "store", setup.store_path)))


def examine(setup: Setup) -> list[Finding]:
    """What the library finds; a store or settings that cannot even be opened are findings themselves."""
    from groundwire.memory.outcomes import Finding

    problems: list[Finding] = []
    try:
        _ = setup.settings
    except InvalidSettings as error:
        remedy = "correct the settings file or the GROUNDWIRE_ variable"
        return [Finding("settings", False, str(error), remedy)]
    path = setup.store_path
    if not path:
        problems.append(Finding("store", True, "none is named, so none was examined", ""))
    elif not is_there(path):
        problems.append(Finding("store", False, f"there is no '{path}'", "groundwire remember makes one"))
    opened = replace(setup, uses_store=bool(path) and not problems)
    try:
        found = cast("Groundwire", opened.library).doctor()
        return [*problems, *(one for one in found if not (problems and one.name == "store"))]
    except StoreUnavailable as error:
        problems.append(Finding("store", False, error.problem, error.remedy))
    except GroundwireError as error:
        problems.append(Finding("store", False, str(error), ""))
    return [*problems, *cast("Groundwire", replace(setup, uses_store=False).library).doctor()]


def describe_findings(findings: Sequence[Finding]) -> JsonObject:
    listed = [{**asdict(finding), "remedy": finding.remedy or None} for finding in findings]
    return {"ok": all(finding.ok for finding in findings), "findings": listed}


def render_findings(findings: Sequence[Finding], view: View) -> str:
    wrong = sum(not finding.ok for finding in findings)
    sign = _WRONG if wrong else _FINE
    headline = f"{wrong} of {len(findings)} not in order" if wrong else "everything is in order"
    lines = [view.paint(f"{view.sign(sign)} {headline}", sign.tone), ""]
    width = max((len(finding.name) for finding in findings), default=0) + 2
    room = max(20, view.columns - width - 4)
    for finding in findings:
        sign = _FINE if finding.ok else _WRONG
        rows = wrap(flatten(finding.detail), room)
        rows += wrap(f"to do: {flatten(finding.remedy)}", room) if finding.remedy and not finding.ok else []
        lines += beside(view.paint(pad(f"{view.sign(sign)} {finding.name}", width), sign.tone), width, rows)
    return join(lines)


# ── rejections ──────────────────────────────────────────────────────────────────────────────────


@click.command("rejections")
@record_options
@owner_options
@click.option("--since", metavar="TIME", help="Only what was refused from then on.")
def rejections(call: Call, scope: Scope, since: str | None) -> None:
    """Show what the gate refused, and what to change.

    \b
    In:   nothing; with --jsonl {"user"?, "tenant"?, "since"?}
    Out:  {"total", "shares": [{"label", "count", "percent"}], "most_common",
          "recommendation"}

    \b
    Examples:
      groundwire rejections --store memory.db --user ada
      groundwire rejections --since 2025-01-01 --json
    """
    keeper = open_keeper(call)

    def summarise(fields: Fields) -> RejectionSummary:
        refuse_unknown(fields, REJECTION_FIELDS)
        return keeper.rejections(
            user=read_user(fields, scope.owner),
            tenant=read_name(fields, "tenant", scope.tenant),
            since=read_moment(fields, "since"),
        )

    if call.as_jsonl:
        call.filter(lambda fields: asdict(summarise(fields)), {"--since": since})
    summary = summarise({"since": since})
    call.show(asdict(summary), lambda view: render_summary(summary, view))


def render_summary(summary: RejectionSummary, view: View) -> str:
    counted = f"the last {summary.total} candidates" if summary.total != 1 else "one candidate"
    lines = [view.paint(counted if summary.total else "no candidates yet", Tone.STRONG)]
    width = max((len(share.label) for share in summary.shares), default=0)
    for share in summary.shares if summary.total else ():
        filled = round(share.percent / 100 * _BAR)
        bar = (("█" if view.symbols else "#") * filled).ljust(_BAR)
        lines.append(f"  {share.label.ljust(width)}  {bar}  {share.count:>4}  {share.percent:5.1f}%".rstrip())
    if summary.most_common:
        lines += ["", *wrap(f"Most common: {flatten(summary.most_common)}", view.columns)]
    lines += ["", *wrap(f"Recommendation: {flatten(summary.recommendation)}", view.columns)] if summary.total else []
    return join(lines)
