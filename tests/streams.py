"""What the tests of the stream gate share: a check by rules alone, and ways to cut an answer into chunks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from groundwire.guard.events import StreamEvent, tell_text
from groundwire.guard.policy import GuardOptions
from groundwire.guard.protocols import Checked
from groundwire.guard.stream import StreamGuard
from groundwire.types import Memory, VerificationReport, VerifyMode
from groundwire.verify.excerpts import WHOLE, Excerpt
from groundwire.verify.report import GroundCheckVerifier

MEMORIES = (
    "Alice works at Acme as a nurse.",
    "I live in Berlin with my dog Rex.",
    "I moved to Berlin in May 2024.",
    "My sister Clara was born in 1987.",
)


class RulesCheck:
    """The read gate's rules over a few memories; remembers what it was asked, and may be told to say otherwise."""

    def __init__(
        self,
        memories: Sequence[str | Memory] = MEMORIES,
        *,
        change: Callable[[Checked], Checked] = lambda checked: checked,
        on_call: Callable[[str], None] = lambda text: None,
    ) -> None:
        given = [m if isinstance(m, Memory) else Memory(f"m{i}", m) for i, m in enumerate(memories, 1)]
        self._verifier = GroundCheckVerifier()
        self._ground = self._verifier.prepare(given)
        self._change = change
        self._on_call = on_call
        self.asked: list[str] = []
        self.reports: list[VerificationReport] = []

    def __call__(
        self,
        text: str,
        excerpt: Excerpt = WHOLE,
        /,
        *,
        mode: VerifyMode = VerifyMode.INLINE,
        branch_count: int = 0,
    ) -> Checked:
        self.asked.append(text[excerpt.start :])
        self._on_call(text[excerpt.start :])
        report = self._verifier.verify(text, self._ground, mode=mode, branch_count=branch_count, excerpt=excerpt)
        self.reports.append(report)
        return self._change(Checked(report))


def run(text: str | Iterable[str], check: RulesCheck | None = None, **options: Any) -> list[StreamEvent]:
    """Everything that happens to a stream, in order."""
    guard = open_guard(check, **options)
    chunks = [text] if isinstance(text, str) else text
    return [*(event for chunk in chunks for event in guard.feed(chunk)), *guard.flush()]


def open_guard(check: RulesCheck | None = None, **options: Any) -> StreamGuard:
    return StreamGuard(check or RulesCheck(), GuardOptions(**options))


def show(text: str | Iterable[str], check: RulesCheck | None = None, **options: Any) -> str:
    return tell_text(run(text, check, **options))


def of_kind(events: Iterable[StreamEvent], *kinds: type) -> list[StreamEvent]:
    return [event for event in events if isinstance(event, kinds)]


def cut(text: str, size: int) -> Iterator[str]:
    return (text[at : at + size] for at in range(0, len(text), size))


def cut_at(text: str, places: Iterable[int]) -> list[str]:
    edges = sorted({0, len(text), *(place % (len(text) + 1) for place in places)})
    return [text[a:b] for a, b in pairwise(edges)]
