"""The reviewer's desk: what is shown, what each key does, and that leaving decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from click.testing import CliRunner

from groundwire.errors import IllegalChange, NotPermitted
from groundwire.memory.outcomes import NearMemory, Remembered, ReviewView, SourceQuote
from groundwire.memory.receipts import IngestionTier, ValidationResult
from groundwire.surfaces import walking
from groundwire.surfaces.cli import main
from groundwire.surfaces.layout import View
from groundwire.types import Confidence, EvidenceObject, Memory, Span
from groundwire.types.records import PendingMemory, ReviewState

NOW = datetime(2026, 3, 2, 9, 30, tzinfo=UTC)
STORED = Memory("m1", "The service uses PostgreSQL 14.", trust=0.9, source="documentation")


def item(name: str, content: str = "The service uses PostgreSQL 15.") -> PendingMemory:
    evidence = EvidenceObject(content, NOW, Confidence.MEDIUM)
    why = {"reason": "An assertion without grounding.", "checks_failed": ["source_not_trusted: ai_synthesis"]}
    return PendingMemory(
        name, "ada", content, "fact", "ai_synthesis", evidence, NOW, proposer="agent", validation_result=why
    )


def receipt(content: str, tier: IngestionTier) -> ValidationResult:
    evidence = EvidenceObject(content, NOW, Confidence.HIGH)
    return ValidationResult(tier, "reviewed", "Approved by a reviewer.", evidence, (), ())


class Queue:
    """A queue that remembers what was decided."""

    def __init__(
        self, *items: PendingMemory, duplicate: str = "", forbidden: str = "", contradicting: str = ""
    ) -> None:
        self.waiting = {one.queue_id: one for one in items}
        self.decided: list[tuple[str, ...]] = []
        self.duplicate, self.forbidden, self.contradicting = duplicate, forbidden, contradicting

    def list_pending(self) -> tuple[PendingMemory, ...]:
        return tuple(self.waiting.values())

    def show(self, queue_id: str) -> ReviewView:
        quote = SourceQuote(2, Span(0, 24), "We are on PostgreSQL 15.")
        conflict = STORED if queue_id in self.contradicting else None
        return ReviewView(self.waiting[queue_id], (quote,), (NearMemory(STORED, 0.83),), conflict, ())

    def approve(self, queue_id: str, content: str | None = None, replaces: Sequence[str] = ()) -> Remembered:
        return self._store(queue_id, content or self.waiting[queue_id].content, *replaces)

    def reject(self, queue_id: str, reason: str) -> PendingMemory:
        self.decided.append(("reject", queue_id, reason))
        return replace(self.waiting.pop(queue_id), state=ReviewState.REJECTED, reason=reason)

    def _store(self, queue_id: str, content: str, *replaces: str) -> Remembered:
        if queue_id in self.forbidden:
            raise NotPermitted("the credential that proposed a memory cannot decide on it")
        if queue_id == self.duplicate:
            return Remembered(receipt(content, IngestionTier.BLOCK))
        self.decided.append(("approve", queue_id, content, *replaces))
        del self.waiting[queue_id]
        return Remembered(receipt(content, IngestionTier.AUTO_APPROVE), Memory("m9", content))


class Keys:
    """A terminal whose person presses these keys and types these lines; what comes after is the end of input."""

    def __init__(self, keys: Iterable[str], lines: Iterable[str] = ()) -> None:
        self.keys, self.lines, self.shown = iter(keys), iter(lines), ""

    def read_key(self) -> str:
        return next(self.keys, "")

    def read_line(self, prompt: str) -> str:
        self.write(prompt + "\n")
        return next(self.lines, "")

    def write(self, text: str) -> None:
        self.shown += text


def sit(queue: Any, keys: Iterable[str], lines: Iterable[str] = ()) -> str:
    terminal = Keys(keys, lines)
    walking.walk(queue, terminal, View(80))
    return terminal.shown


def test_a_sheet_shows_the_source_the_nearest_memory_and_what_differs_without_colour() -> None:
    shown = sit(Queue(item("r1")), "q")
    assert "\x1b" not in shown
    assert "“We are on PostgreSQL 15.”" in shown
    assert "0.83    The service uses PostgreSQL 14." in shown
    assert "An assertion without grounding." in shown
    rows = shown.splitlines()
    stored = rows.index("  -  The service uses PostgreSQL 14.")
    assert rows[stored + 1] == " " * 33 + "--"
    assert rows[stored + 2 : stored + 4] == ["  +  The service uses PostgreSQL 15.", " " * 33 + "++"]


def test_keys_approve_reject_and_go_round() -> None:
    queue = Queue(item("r1"), item("r2", "It rains."), item("r3", "It snows."))
    shown = sit(queue, ["n", "p", "\x1b[C", "a", "r"], ["never said so"])
    assert queue.decided == [("approve", "r2", "It rains."), ("reject", "r3", "never said so")]
    assert "1 of 3 items" in shown and "2 of 3 items" in shown
    assert shown.endswith("1 approved, 1 rejected; 1 item left\n")


def test_an_edit_is_shown_as_a_difference_and_has_to_be_confirmed() -> None:
    queue = Queue(item("r1"))
    shown = sit(queue, ["e", "x", "e", "y"], ["The service uses PostgreSQL 16.", "The service runs PostgreSQL 15."])
    assert queue.decided == [("approve", "r1", "The service runs PostgreSQL 15.")]
    assert "  +  The service runs PostgreSQL 15." in shown
    assert "1 edited and approved; nothing left" in shown


@pytest.mark.parametrize("keys", [["q"], ["\x03"], ["\x1b"], [], ["e"], ["r"], ["z"]])
def test_leaving_an_empty_line_and_a_wrong_key_decide_nothing(keys: list[str]) -> None:
    queue = Queue(item("r1"))
    assert sit(queue, keys).endswith("nothing decided; 1 item left\n")
    assert queue.decided == []


def test_what_is_refused_is_said_and_the_sheet_stays() -> None:
    queue = Queue(item("r1"), duplicate="r1")
    assert "REFUSED" in sit(queue, "a")
    forbidden = Queue(item("r1"), forbidden="r1")
    assert "cannot decide on it" in sit(forbidden, "a")
    assert queue.decided == forbidden.decided == []


def test_what_contradicts_a_memory_can_take_its_place() -> None:
    queue = Queue(item("r1"), contradicting="r1")
    assert "c approve in place of what it contradicts" in sit(queue, "q")
    sit(queue, "c")
    assert queue.decided == [("approve", "r1", "The service uses PostgreSQL 15.", "m1")]
    plain = Queue(item("r1"))
    assert "no key here" in sit(plain, "c")
    assert plain.decided == []


def test_an_item_that_somebody_else_decided_meanwhile_is_passed_over() -> None:
    queue = Queue(item("r1"), item("r2", "It rains."))

    def vanish(queue_id: str) -> ReviewView:
        if queue_id == "r1":
            raise IllegalChange("item 'r1' is approved already")
        return Queue.show(queue, queue_id)

    queue.show = vanish  # type: ignore[method-assign]
    shown = sit(queue, "a")
    assert "is approved already" in shown
    assert [entry[1] for entry in queue.decided] == ["r2"]


def test_an_empty_queue_says_so() -> None:
    assert sit(Queue(), "") == "nothing waits for review\n"


def test_text_from_outside_does_not_steer_the_terminal() -> None:
    assert "\x1b" not in sit(Queue(item("r1", "clear \x1b[2J the screen")), "q")


def test_without_a_terminal_the_desk_refuses_and_names_the_commands() -> None:
    done = CliRunner().invoke(main, ["review", "--store", "absent.db"])
    assert done.exit_code == 2
    assert "needs a terminal" in done.stderr and "review list" in done.stderr
