"""Plots as inline SVG without styles of their own: the page's style sheet colours them, light and dark alike.

Each has a title and a description in words. Every word is escaped where it is written, so the result is markup.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from groundwire.evaluation.shapes import box, clean, clip, line, write

if TYPE_CHECKING:
    from groundwire.memory.figures import Step
    from groundwire.memory.timelines import Period, Timeline

TIERS = (("auto_approve", "stored"), ("flag_review", "to review"), ("block", "refused"))
_Across = Callable[[datetime], float]
_WIDE, _HALF = 1040.0, 500.0
_MOST_TIMELINES = 40
_MOST_LABELS = 8
_LATEST = datetime(9999, 1, 1, tzinfo=UTC)


class Bar(NamedTuple):
    """`reach` is where a thin line goes on to, such as a higher percentile."""

    label: str
    value: float
    text: str
    reach: float = 0.0


def draw_bars(title: str, bars: Sequence[Bar]) -> Markup:
    """One below the other, longest scale first to last as given."""
    left, right, row = 140.0, 330.0, 34.0
    most = max((max(bar.value, bar.reach) for bar in bars), default=0) or 1
    body: list[str] = []
    for number, bar in enumerate(bars):
        top = 8 + number * row
        middle = top + row / 2
        end = left + (right - left) * bar.value / most
        body.append(write("name", left - 12, middle + 4, clip(bar.label.replace("_", " "), 20), anchor="end"))
        body.append(box("track", left, right, top + 8, top + row - 8, rounded=4))
        if bar.reach:
            body.append(box("reach", left, left + (right - left) * bar.reach / most, top + 8, top + row - 8, rounded=4))
        if bar.value:
            body.append(box("bar", left, end, top + 8, top + row - 8, rounded=4))
        body.append(write("value", right + 12, middle + 4, bar.text, anchor="start"))
    told = "; ".join(f"{bar.label}: {bar.text}" for bar in bars) or "nothing yet"
    return _wrap(title, told, body, _HALF, 16 + row * max(len(bars), 1))


def draw_tiers(steps: Sequence[Step]) -> Markup:
    """Stacked columns, one a day, a week or a month."""
    left, right, top, bottom = 36.0, _WIDE - 30, 44.0, 220.0
    most = max((sum(step.counts.values()) for step in steps), default=0) or 1
    wide = (right - left) / len(steps)
    body = [*_draw_key(left)]
    for share in (0.0, 0.5, 1.0):
        y = bottom - (bottom - top) * share
        body.append(line("rule", left, y, right, y))
        if share == 0 or (most * share).is_integer():
            body.append(write("tick", left - 8, y + 4, f"{most * share:.0f}", anchor="end"))
    every = max(1, -(-len(steps) // _MOST_LABELS))
    for number, step in enumerate(steps):
        x, gap = left + number * wide, min(wide * 0.18, 10)
        width = min(wide - 2 * gap, 44)
        begin = x + (wide - width) / 2
        base = bottom
        body.append(f"<g><title>{clean(_tell_step(step))}</title>")
        for tier, _ in TIERS:
            height = (bottom - top) * step.counts.get(tier, 0) / most
            if height:
                body.append(box(f"tier {tier}", begin, begin + width, base - height, base - 1))
            base -= height
        body.append("</g>")
        if number % every == 0:
            body.append(write("tick", x + wide / 2, bottom + 20, _name_step(step, steps)))
    told = "; ".join(_tell_step(step) for step in steps if step.counts)
    return _wrap("Decisions of the write gate over time", told, body, _WIDE, 248)


def _name_step(step: Step, steps: Sequence[Step]) -> str:
    """A month by its name, anything shorter by its first day."""
    if all(one.begin.day == 1 for one in steps) and len(steps) > 1:
        return step.begin.strftime("%b %Y")
    return f"{step.begin.day} {step.begin.strftime('%b')}"


def _draw_key(left: float) -> Iterable[str]:
    x = left
    for tier, label in TIERS:
        yield box(f"tier {tier}", x, x + 12, 8, 20, rounded=3)
        yield write("name", x + 18, 18, label, anchor="start")
        x += 42 + 7.5 * len(label)


def _tell_step(step: Step) -> str:
    counted = ", ".join(f"{step.counts.get(tier, 0)} {label}" for tier, label in TIERS)
    return f"{step.begin.isoformat()}: {counted}"


# ── what was true when ──────────────────────────────────────────────────────────────────────────


def draw_timelines(timelines: Sequence[Timeline], clashing: Collection[str], now: datetime) -> Markup:
    """A row a slot, and more where values overlap in time; what still holds runs to the right edge.

    `clashing` are the ids of memories that contradict one another.
    """
    shown = timelines[:_MOST_TIMELINES]
    begin, end = _find_range(shown, now)
    left, right = 150.0, _WIDE - 4
    scale = (right - left) / ((end - begin).total_seconds() or 1.0)

    def across(moment: datetime) -> float:
        return left + (moment - begin).total_seconds() * scale

    body: list[str] = []
    y = 34.0
    for timeline in shown:
        lanes = _stack(timeline.periods, end)
        body.append(write("name", left - 14, y + 17, clip(timeline.slot.replace("_", " "), 20), anchor="end"))
        if timeline.subject != "user":
            body.append(write("tick", left - 14, y + 31, clip(timeline.subject, 20), anchor="end"))
        for number, lane in enumerate(lanes):
            for period in lane:
                is_clash = period.memory.id in clashing
                body += _draw_period(period, across, end, y + number * 30, is_clash)
        y += max(30 * len(lanes), 30 if timeline.subject == "user" else 40) + 10
        body.append(line("rule", left - 140, y - 5, right, y - 5))
    ticks = [
        shape for x, label in _choose_ticks(begin, end, across) if x < right - 40 for shape in _draw_tick(x, label, y)
    ]
    told = "; ".join(f"{one.slot.replace('_', ' ')}: {', '.join(_tell(p) for p in one.periods)}" for one in shown)
    return _wrap("What was true when", told, [*ticks, *body], _WIDE, y)


def _draw_tick(x: float, label: str, height: float) -> Iterable[str]:
    yield line("rule faint", round(x, 1), 24, round(x, 1), height - 5)
    yield write("tick", x, 16, label)


def _draw_period(period: Period, across: _Across, end: datetime, top: float, is_clash: bool) -> Iterable[str]:
    start, stop = across(period.begin or end), across(period.end or end)
    stop = max(stop, start + 4)
    kind = "period past" if period.end is not None else "period clash" if is_clash else "period"
    yield f"<g><title>{clean(_tell(period))}</title>"
    yield box(kind, start + 1, stop - 1, top + 1, top + 25, rounded=5)
    room = int((stop - start - 14) / 7)
    if room >= 3:
        word = "word past" if period.end is not None else "word"
        yield write(word, start + 9, top + 18, clip(" ".join(period.value.split()), room), anchor="start")
    yield "</g>"


def _stack(periods: Sequence[Period], end: datetime) -> list[list[Period]]:
    """Into as few lanes as there are values at one time."""
    lanes: list[list[Period]] = []
    for period in periods:
        begin = period.begin or end
        lane = next((one for one in lanes if (one[-1].end or end + timedelta(1)) <= begin), None)
        if lane is None:
            lanes.append([period])
        else:
            lane.append(period)
    return lanes


def _find_range(timelines: Sequence[Timeline], now: datetime) -> tuple[datetime, datetime]:
    """From the first beginning to a little after now or the last change, so that what holds is seen to go on."""
    moments = [m for one in timelines for p in one.periods for m in (p.begin, p.end) if m is not None]
    first, last = min([*moments, now]), max([*moments, now])
    spare = max((last - first) * 0.08, timedelta(hours=1))
    return first, last + max(min(spare, _LATEST - last), timedelta(0))


def _choose_ticks(begin: datetime, end: datetime, across: _Across) -> list[tuple[float, str]]:
    """Years, or where these are few, equal parts by the day."""
    years = [datetime(year, 1, 1, tzinfo=UTC) for year in range(begin.year + 1, end.year + 1)]
    if 2 <= len(years) <= _MOST_LABELS:
        return [(across(year), str(year.year)) for year in years]
    step = (end - begin) / 5
    return [(across(begin + step * n), _name_day(begin + step * n)) for n in range(1, 5)]


def _name_day(moment: datetime) -> str:
    return f"{moment.day} {moment.strftime('%b %Y')}"


def _tell(period: Period) -> str:
    begin = period.begin.date().isoformat() if period.begin is not None else "an unknown time"
    end = f"until {period.end.date().isoformat()}" if period.end is not None else "until now"
    return f"{clip(' '.join(period.value.split()), 120)} from {begin} {end}"


def _wrap(title: str, told: str, body: Iterable[str], width: float, height: float) -> Markup:
    name = "plot-" + "".join(c if c.isalnum() else "-" for c in title.lower())[:40]
    size = "wide" if width == _WIDE else "half"
    head = (
        f'<svg class="{size}" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{clean(title)}</title><desc id="{name}-desc">{clean(told)}</desc>'
    )
    return Markup(head + "".join(body) + "</svg>")
