"""How both gates are doing: tiers over time, rejections, what verdicts led to, the judge's health and its speed."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.responses import Response

from groundwire.errors import DataFileError, ModelUnavailable
from groundwire.evaluation.diagram import draw_reliability
from groundwire.evaluation.reliability import read_table
from groundwire.guard.monitor import WINDOW, MonitorKind
from groundwire.surfaces.console.charts import Bar, draw_bars, draw_tiers
from groundwire.surfaces.console.visits import Visit
from groundwire.types import Action
from groundwire.types.access import Role

_TIMING = re.compile(r'groundwire_operation_seconds\{operation="(\w+)",quantile="([\d.]+)"\} (\S+)')
_COUNT = re.compile(r'groundwire_operation_seconds_count\{operation="(\w+)"\} (\d+)')


class Monitor(NamedTuple):
    name: str
    is_firing: bool
    detail: str


def show_dashboard(visit: Visit) -> Response:
    scope = visit.choose_scope()
    values: dict[str, Any] = {"owner": None if scope is None else scope.owner, "owners": visit.list_owners()}
    if scope is not None:
        ledger, gw = visit.asker.ledger(scope), visit.gw
        is_overseer = visit.has_any(Role.REVIEW, Role.ADMIN)
        tiers = ledger.tiers() if is_overseer else ()
        rates = ledger.rates()
        values |= {
            "is_overseer": is_overseer,
            "tiers": tiers,
            "tiers_drawing": draw_tiers(tiers) if tiers else "",
            "rates": rates,
            "shares": [(action.value, rates.actions[action], rates.share(action)) for action in Action],
            "branch_success": gw.branch_success(user=scope.owner, tenant=scope.tenant),
            "rejections": (summary := gw.rejections(user=scope.owner, tenant=scope.tenant)),
            "rejections_drawing": draw_bars(
                "Candidates by outcome",
                [Bar(one.label, one.count, f"{one.count} ({one.percent:g}%)") for one in summary.shares],
            ),
        }
    values |= _read_judge(visit)
    return visit.show("dashboard.html", title="Dashboard", **values)


def _read_judge(visit: Visit) -> dict[str, Any]:
    """Of the process: the model, its monitors as this tenant sees them, and how long calls took."""
    health, tenant = visit.gw.health(), visit.asker.credential.tenant
    own = next((one for one in health.tenants if one.tenant == tenant), None)
    firing = own.firing if own is not None else ()
    monitors = [
        Monitor(
            kind.value,
            kind in firing or (kind is MonitorKind.CORRUPT and not health.is_model_in_use),
            next((e.detail for e in reversed(health.events) if e.kind is kind and e.tenant == tenant), ""),
        )
        for kind in MonitorKind
    ]
    latencies = read_latencies(visit.asker.service.metrics.write({}))
    return {
        "monitors": monitors,
        "watched": own.outputs if own is not None else 0,
        "window": WINDOW,
        "reliability": _draw_reliability(visit),
        "latencies": latencies,
        "latencies_drawing": draw_bars(
            "Latency by operation, median and 99th percentile in milliseconds",
            [
                Bar(one.operation, _scale(one.p50), f"{one.p50:.1f} / {one.p99:.1f} ms", _scale(one.p99))
                for one in latencies
            ],
        ),
    }


def _draw_reliability(visit: Visit) -> Markup | str:
    """Nothing where rules judge alone, or where the model or its table cannot be read."""
    try:
        calibration = visit.gw.calibration()
        table = None if calibration is None else read_table(calibration, "calibration")
    except (ModelUnavailable, DataFileError):
        table = None
    if table is None:
        return ""
    drawn = draw_reliability(table, visit.asker.service.settings.judge, has_style=False)
    return Markup(drawn)  # every word in it is escaped where it is drawn


def _scale(milliseconds: float) -> float:
    """Logarithmic: what takes a millisecond is to be seen beside what takes a second."""
    return math.log10(1 + milliseconds)


class Latency(NamedTuple):
    operation: str
    calls: int
    p50: float
    p99: float


def read_latencies(exposition: str) -> list[Latency]:
    """What the metrics say about calls of the library, in milliseconds; the most frequent first."""
    quantiles = {(m[1], m[2]): float(m[3]) * 1_000 for m in _TIMING.finditer(exposition)}
    counts = {m[1]: int(m[2]) for m in _COUNT.finditer(exposition)}
    found = [
        Latency(name, count, quantiles[name, "0.5"], quantiles[name, "0.99"])
        for name, count in counts.items()
        if (name, "0.5") in quantiles and (name, "0.99") in quantiles
    ]
    return sorted(found, key=lambda one: (-one.calls, one.operation))
