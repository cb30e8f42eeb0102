"""The few shapes that plots are made of, as SVG text in which every word is escaped."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr


def box(kind: str, left: float, right: float, top: float, bottom: float, *, rounded: float = 0) -> str:
    corner = f' rx="{rounded:g}"' if rounded else ""
    return (
        f'<rect class="{kind}" x="{left:.2f}" y="{top:.2f}" '
        f'width="{max(right - left, 0):.2f}" height="{max(bottom - top, 0):.2f}"{corner}/>'
    )


def line(kind: str, x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line class="{kind}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'


def write(kind: str, x: float, y: float, text: str, anchor: str = "middle") -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor={quoteattr(anchor)}>{clean(text)}</text>'


def clip(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def clean(text: str) -> str:
    """Markup is escaped; characters that XML cannot carry at all become the replacement character."""
    return escape("".join(character if _is_allowed(character) else "\ufffd" for character in text))


def _is_allowed(character: str) -> bool:
    return character in "\t\n\r" or (
        "\x20" <= character <= "\ud7ff" or "\ue000" <= character <= "\ufffd" or character >= "\U00010000"
    )
