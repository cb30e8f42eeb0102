"""The reliability diagram as one self-contained SVG: how often a judge is right, by how sure it says it is."""

from __future__ import annotations

from collections.abc import Iterable

from groundwire.evaluation.reliability import Bin, Reliability
from groundwire.evaluation.shapes import box, clean, clip, write

WIDTH, HEIGHT = 640, 720
_LEFT, _RIGHT = 76.0, 612.0
_TOP, _BOTTOM = 96.0, 512.0
_COUNTS_TOP, _COUNTS_BOTTOM = 560.0, 656.0
_TICKS = tuple(tick / 10 for tick in range(0, 11, 2))

# Colours are spelt out a second time for dark pages, because many viewers of SVG know no variables.
STYLE = """
  text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; font-size: 13px; }
  .title { font-size: 20px; font-weight: 600; }
  .tick { font-size: 12px; font-variant-numeric: tabular-nums; }
  .ideal { stroke-width: 1.5; stroke-dasharray: 5 5; }
  .gap { fill-opacity: .28; stroke-width: 1; stroke-dasharray: 3 3; }
  .frame { fill: none; }
  .paper { fill: #ffffff; }
  .title { fill: #1b1f24; }
  .note, .tick, .axis { fill: #57606a; }
  .rule { stroke: #d8dee4; }
  .frame, .ideal { stroke: #57606a; }
  .bar { fill: #2f6fb5; }
  .gap { fill: #d9822b; stroke: #d9822b; }
  .count { fill: #8c9bab; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    .title { fill: #e6edf3; }
    .note, .tick, .axis { fill: #9ba7b4; }
    .rule { stroke: #2b323b; }
    .frame, .ideal { stroke: #9ba7b4; }
    .bar { fill: #6cb0f5; }
    .gap { fill: #f0a35a; stroke: #f0a35a; }
    .count { fill: #6e7b89; }
  }
"""


def draw_reliability(reliability: Reliability, judge: str, origin: str = "", *, has_style: bool = True) -> str:
    """The diagram as text; `judge` and `origin` are escaped, so any name may be given.

    A page that has colours of its own, and forbids styles in its text, takes it without.
    """
    error = "n/a" if reliability.ece is None else f"{reliability.ece:.3f}"
    title = f"Reliability of {clip(judge, 30)}: ECE {error}"
    note = f"{reliability.n:,} verdicts" + (f" · {origin}" if origin else "")
    body = [
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="10"/>',
        write("title", _LEFT, 42, title, anchor="start"),
        write("note", _LEFT, 66, clip(note, 82), anchor="start"),
        *_draw_grid(),
        *(shape for entry in reliability.bins for shape in _draw_bin(entry)),
        f'<line class="ideal" x1="{_LEFT:g}" y1="{_BOTTOM:g}" x2="{_RIGHT:g}" y2="{_TOP:g}"/>',
        _frame(_TOP, _BOTTOM),
        *_draw_counts(reliability.bins),
        *_draw_axes(),
        *_draw_key(),
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'role="img" aria-labelledby="reliability-title reliability-desc">'
    )
    described = [
        f'<title id="reliability-title">{clean(title)}</title>',
        f'<desc id="reliability-desc">{clean(describe(reliability, error))}</desc>',
        *([f"<style>{STYLE}</style>"] if has_style else []),
    ]
    return "\n".join([head, *described, *body, "</svg>"]) + "\n"


def describe(reliability: Reliability, error: str) -> str:
    """The diagram in words, for those who do not see it."""
    filled = [
        f"{entry.low:.1f} to {entry.high:.1f}: {entry.n} verdicts, {entry.accuracy:.0%} right"
        for entry in reliability.bins
        if entry.n and entry.accuracy is not None
    ]
    return f"Accuracy by confidence, expected calibration error {error}. " + "; ".join(filled or ["no verdicts"]) + "."


# ── parts ───────────────────────────────────────────────────────────────────────────────────────


def _draw_grid() -> Iterable[str]:
    for tick in _TICKS:
        y = _height(tick)
        yield f'<line class="rule" x1="{_LEFT:g}" y1="{y:g}" x2="{_RIGHT:g}" y2="{y:g}"/>'
        yield write("tick", _LEFT - 10, y + 4, f"{tick:.0%}", anchor="end")


def _draw_bin(entry: Bin) -> Iterable[str]:
    if not entry.n or entry.accuracy is None or entry.confidence is None:
        return
    left, right = _across(entry.low) + 2, _across(entry.high) - 2
    top, wanted = _height(entry.accuracy), _height(entry.confidence)
    said = (
        f"confidence {entry.low:.1f} to {entry.high:.1f}: {entry.n:,} verdicts, "
        f"{entry.confidence:.1%} sure, {entry.accuracy:.1%} right"
    )
    yield f"<g><title>{clean(said)}</title>"
    yield box("bar", left, right, top, _BOTTOM)
    yield box("gap", left, right, min(top, wanted), max(top, wanted))
    yield "</g>"


def _draw_counts(bins: Iterable[Bin]) -> Iterable[str]:
    listed = list(bins)
    most = max((entry.n for entry in listed), default=0)
    for entry in listed:
        if entry.n:
            top = _COUNTS_BOTTOM - (_COUNTS_BOTTOM - _COUNTS_TOP) * entry.n / most
            left, right = _across(entry.low) + 2, _across(entry.high) - 2
            yield box("count", left, right, top, _COUNTS_BOTTOM)
            yield write("tick", (left + right) / 2, top - 5, f"{entry.n:,}")
    yield f'<line class="frame" x1="{_LEFT:g}" y1="{_COUNTS_BOTTOM:g}" x2="{_RIGHT:g}" y2="{_COUNTS_BOTTOM:g}"/>'


def _draw_axes() -> Iterable[str]:
    for tick in _TICKS:
        yield write("tick", _across(tick), _BOTTOM + 18, f"{tick:.1f}")
        yield write("tick", _across(tick), _COUNTS_BOTTOM + 18, f"{tick:.1f}")
    middle = (_LEFT + _RIGHT) / 2
    yield write("axis", middle, _COUNTS_BOTTOM + 44, "confidence of the verdict")
    yield _write_upright("verdicts that are right", (_TOP + _BOTTOM) / 2)
    yield _write_upright("verdicts", (_COUNTS_TOP + _COUNTS_BOTTOM) / 2)


def _draw_key() -> Iterable[str]:
    x, y = _LEFT + 16, _TOP + 18
    yield box("bar", x, x + 14, y, y + 14)
    yield write("note", x + 22, y + 12, "right", anchor="start")
    yield box("gap", x, x + 14, y + 24, y + 38)
    yield write("note", x + 22, y + 36, "too sure or too modest", anchor="start")
    yield f'<line class="ideal" x1="{x:g}" y1="{y + 55:g}" x2="{x + 14:g}" y2="{y + 55:g}"/>'
    yield write("note", x + 22, y + 60, "as sure as right", anchor="start")


# ── shapes ──────────────────────────────────────────────────────────────────────────────────────


def _across(share: float) -> float:
    return _LEFT + (_RIGHT - _LEFT) * share


def _height(share: float) -> float:
    return _BOTTOM - (_BOTTOM - _TOP) * share


def _frame(top: float, bottom: float) -> str:
    return box("frame", _LEFT, _RIGHT, top, bottom)


def _write_upright(text: str, y: float) -> str:
    return (
        f'<text class="axis" x="22" y="{y:.1f}" text-anchor="middle" transform="rotate(-90 22 {y:.1f})">'
        f"{clean(text)}</text>"
    )
