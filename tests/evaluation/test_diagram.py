from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.evaluation.diagram import draw_reliability
from groundwire.evaluation.reliability import Reliability, tabulate

SVG = "{http://www.w3.org/2000/svg}"


def draw(reliability: Reliability, judge: str = "mini", origin: str = "mnli") -> ElementTree.Element:
    return ElementTree.fromstring(draw_reliability(reliability, judge, origin))


def boxes(root: ElementTree.Element, kind: str) -> list[dict[str, float]]:
    """The drawn rectangles of a kind; the key, which shows one of each, is small and left out."""
    found = [node.attrib for node in root.iter(f"{SVG}rect") if node.get("class") == kind]
    return [
        {name: float(attributes[name]) for name in ("x", "y", "width", "height")}
        for attributes in found
        if float(attributes["width"]) > 20
    ]


def words(root: ElementTree.Element) -> str:
    return " | ".join("".join(node.itertext()) for node in root.iter(f"{SVG}text"))


@pytest.mark.requirement("JDG-014")
def test_title_description_and_axes_say_what_is_drawn() -> None:
    root = draw(tabulate([0.95] * 4 + [0.65], [True, True, True, False, True]))
    assert root.find(f"{SVG}title") is not None and root.findtext(f"{SVG}title") == "Reliability of mini: ECE 0.230"
    assert root.findtext(f"{SVG}desc") == (
        "Accuracy by confidence, expected calibration error 0.230. "
        "0.6 to 0.7: 1 verdicts, 100% right; 0.9 to 1.0: 4 verdicts, 75% right."
    )
    shown = words(root)
    for said in ("Reliability of mini: ECE 0.230", "5 verdicts · mnli", "confidence of the verdict", "100%", "0.8"):
        assert said in shown
    assert root.get("role") == "img"


def test_a_bar_is_as_high_as_the_bin_is_right_and_the_gap_reaches_the_confidence() -> None:
    root = draw(tabulate([0.8] * 4, [True, False, True, False]))
    (bar,), (gap,), (count,) = boxes(root, "bar"), boxes(root, "gap"), boxes(root, "count")
    (frame,) = boxes(root, "frame")
    assert bar["height"] == pytest.approx(frame["height"] * 0.5, abs=0.1)
    assert gap["height"] == pytest.approx(frame["height"] * 0.3, abs=0.1)
    assert gap["y"] + gap["height"] == pytest.approx(bar["y"], abs=0.1)
    assert bar["x"] == pytest.approx(frame["x"] + frame["width"] * 0.8, abs=3)
    assert count["x"] == bar["x"] and count["height"] > 0


def test_counts_are_drawn_to_scale() -> None:
    root = draw(tabulate([0.55] * 10 + [0.95] * 40, [True] * 50))
    low, high = boxes(root, "count")
    assert high["height"] == pytest.approx(low["height"] * 4, abs=0.1)


def test_it_is_self_contained_and_fits_light_and_dark_pages() -> None:
    text = draw_reliability(tabulate([0.5], [True]), "mini")
    assert "prefers-color-scheme: dark" in text
    assert "href" not in text and "url(" not in text and "@import" not in text
    assert text.count("http") == 1  # the name of the SVG language itself


def test_nothing_judged_is_drawn_without_numbers_that_are_none() -> None:
    text = draw_reliability(tabulate([], []), "rules")
    assert "ECE n/a" in text and "nan" not in text.lower()
    assert boxes(ElementTree.fromstring(text), "bar") == []


@given(st.text(max_size=40), st.text(max_size=60))
def test_any_name_is_escaped(judge: str, origin: str) -> None:
    root = draw(tabulate([0.7, 0.9], [True, False]), judge, origin)
    drawn = {node.tag.removeprefix(SVG) for node in root.iter()}
    assert drawn == {"svg", "title", "desc", "style", "rect", "text", "line", "g"}


def test_a_hostile_name_stays_text() -> None:
    hostile = '</title><script>alert("x")</script>&\x00\ud800'
    root = draw(tabulate([0.7], [True]), hostile[:30], hostile)
    assert not list(root.iter(f"{SVG}script"))
    assert '<script>alert("x")</script>&\ufffd\ufffd' in words(root)
