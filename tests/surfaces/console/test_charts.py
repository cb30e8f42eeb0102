"""Plots: well-formed, told in words, and harmless whatever they are given."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from groundwire.evaluation.diagram import draw_reliability
from groundwire.evaluation.reliability import tabulate
from groundwire.memory.figures import Step
from groundwire.memory.timelines import Period, Timeline
from groundwire.surfaces.console.charts import Bar, draw_bars, draw_tiers, draw_timelines
from groundwire.types import Memory

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"


def read(drawing: str) -> ElementTree.Element:
    root = ElementTree.fromstring(drawing)
    assert root.get("role") == "img"
    ids = {element.get("id") for element in root.iter() if element.get("id")}
    assert set((root.get("aria-labelledby") or "").split()) <= ids
    assert not list(root.iter(f"{SVG}style")) and not list(root.iter(f"{SVG}script"))
    return root


def described(drawing: str) -> str:
    return read(drawing).findtext(f"{SVG}desc") or ""


@given(st.text(max_size=40), st.lists(st.tuples(st.text(max_size=30), st.floats(0, 1e9)), max_size=6))
def test_bars_are_well_formed_whatever_they_are_called(title: str, rows: list[tuple[str, float]]):
    read(draw_bars(title, [Bar(label, value, f"{value:g}") for label, value in rows]))


def test_bars_are_told_in_words():
    assert described(draw_bars("Counts", [Bar("one", 1, "1 (50%)"), Bar("two", 0, "0")])) == "one: 1 (50%); two: 0"


def test_tiers_are_told_in_words_and_drawn_to_scale():
    steps = [Step(date(2026, 1, 1), {"auto_approve": 3, "block": 1}), Step(date(2026, 1, 2), {})]
    drawing = draw_tiers(steps)
    assert described(drawing) == "2026-01-01: 3 stored, 0 to review, 1 refused"
    bars = [r for g in read(drawing).iter(f"{SVG}g") for r in g.iter(f"{SVG}rect")]
    stored, refused = (float(bar.get("height") or 0) for bar in bars)
    assert abs(stored + 1 - 3 * (refused + 1)) < 0.1


periods = st.builds(
    Period,
    st.text(max_size=50),
    st.none() | st.datetimes(min_value=datetime(1900, 1, 1), timezones=st.just(UTC)),
    st.none() | st.datetimes(min_value=datetime(1900, 1, 1), timezones=st.just(UTC)),
    st.just(Memory("m", "text")),
)


@given(st.lists(st.builds(Timeline, st.text(max_size=30), st.text(max_size=30), st.booleans(),
                          st.lists(periods, min_size=1, max_size=4).map(tuple)), max_size=4))  # fmt: skip
def test_timelines_are_well_formed_whatever_is_remembered(timelines: list[Timeline]):
    read(draw_timelines(timelines, {"m"}, NOW))


def test_what_overlaps_is_drawn_below_one_another_and_clashes_are_marked():
    held = [
        Period("green", NOW - timedelta(days=400), None, Memory("a", "green")),
        Period("blue", NOW - timedelta(days=100), None, Memory("b", "blue")),
        Period("red", NOW - timedelta(days=900), NOW - timedelta(days=400), Memory("c", "red")),
    ]
    timeline = Timeline("user", "colour", True, tuple(sorted(held, key=lambda one: one.begin or NOW)))
    root = read(draw_timelines([timeline], {"a", "b"}, NOW))
    boxes = [(r.get("class"), r.get("y")) for g in root.iter(f"{SVG}g") for r in g.iter(f"{SVG}rect")]
    assert boxes == [("period past", "35.00"), ("period clash", "35.00"), ("period clash", "65.00")]


def test_the_reliability_diagram_goes_without_its_style_where_the_page_has_one():
    reliability = tabulate([0.9, 0.8], [True, False])
    read(draw_reliability(reliability, "<judge>", has_style=False))
    assert "<style>" in draw_reliability(reliability, "judge")
