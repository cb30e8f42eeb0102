"""The reviewer's desk: what waits, one sheet at a time, decided by single keys."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import click

from groundwire.errors import GroundwireError, IllegalChange
from groundwire.surfaces.calls import write_output
from groundwire.surfaces.cards import count, render_difference
from groundwire.surfaces.layout import Sign, Tone, View, flatten, join, wrap
from groundwire.surfaces.remembering import render_remembered
from groundwire.surfaces.sheets import render_sheet
from groundwire.surfaces.stores import shorten_id
from groundwire.types.records import ReviewState

if TYPE_CHECKING:
    from groundwire.memory.outcomes import Remembered, ReviewView
    from groundwire.surfaces.queues import Desk
    from groundwire.types.records import PendingMemory

KEYS = "a approve   e edit   r reject   n next   p previous   q quit"
_LEAVING = frozenset({"q", "Q", "\x1b", "\x03", "\x04", ""})
_NEXT, _PREVIOUS = frozenset({"n", " ", "j", "\r", "\n", "\x1b[C", "\x1b[B"}), frozenset({"p", "k", "\x1b[D", "\x1b[A"})
_NOTE, _BAD = Sign("!", Tone.DOUBTFUL), Sign("✗", Tone.BAD)


class Terminal(Protocol):
    """Where a person sits. A key or a line that will not come any more is an empty text."""

    def read_key(self) -> str: ...
    def read_line(self, prompt: str) -> str: ...
    def write(self, text: str) -> None: ...


class ClickTerminal:
    """The terminal that this process was started from."""

    def read_key(self) -> str:
        try:
            return click.getchar()
        except (EOFError, KeyboardInterrupt):
            return ""

    def read_line(self, prompt: str) -> str:
        try:
            return click.prompt(prompt, default="", show_default=False, prompt_suffix="\n> ")
        except click.Abort:
            return ""

    def write(self, text: str) -> None:
        write_output(text)


def find_terminal() -> Terminal | None:
    """The terminal, if there is one to read keys from and one to show them on."""
    return ClickTerminal() if sys.stdin.isatty() and sys.stdout.isatty() else None


@dataclass
class _Pile:
    """What lies on the desk, which sheet is on top, and what has been done so far."""

    desk: Desk
    terminal: Terminal
    view: View
    items: list[PendingMemory]
    place: int = 0
    done: Counter[str] = field(default_factory=Counter[str])

    @property
    def top(self) -> str:
        return self.items[self.place].queue_id

    def turn(self, step: int) -> None:
        """To the next sheet or the one before; behind the last comes the first."""
        self.place = (self.place + step) % len(self.items)

    def settle(self, verb: str) -> None:
        self.done[verb] += 1
        del self.items[self.place]
        self.place = self.place % len(self.items) if self.items else 0

    def tell(self, text: str, sign: Sign = _NOTE) -> None:
        rows = wrap(f"{self.view.sign(sign)} {flatten(text)}", self.view.columns)
        self.terminal.write(join([self.view.paint(row, sign.tone) for row in rows]))

    def offer(self, keys: str) -> str:
        """The key that is pressed when these are offered."""
        self.terminal.write(join(self.view.paint(row, Tone.FAINT) for row in wrap(keys, self.view.columns)))
        return self.terminal.read_key()


def walk(desk: Desk, terminal: Terminal, view: View) -> None:
    """Show what waits until nothing is left or the reviewer leaves; leaving decides nothing."""
    pile = _Pile(desk, terminal, view, list(desk.list_pending()))
    if not pile.items:
        terminal.write("nothing waits for review\n")
        return
    while pile.items and _decide(pile):
        pass
    summary = ", ".join(f"{number} {verb}" for verb, number in pile.done.items()) or "nothing decided"
    left = f"{count(len(pile.items), 'item')} left" if pile.items else "nothing left"
    terminal.write(f"\n{summary}; {left}\n")


def _decide(pile: _Pile) -> bool:
    """Show the sheet on top and do what the reviewer says; False to leave."""
    try:
        sheet = pile.desk.show(pile.top)
        if sheet.item.state is not ReviewState.PENDING:
            raise IllegalChange(f"item {shorten_id(pile.top)} is {sheet.item.state.value} already")
    except GroundwireError as error:  # somebody else was faster
        pile.tell(str(error))
        pile.settle("gone meanwhile")
        return True
    heading = f"{pile.place + 1} of {count(len(pile.items), 'item')}"
    pile.terminal.write("\n" + render_sheet(sheet, pile.view, heading) + "\n")
    actions = _ACTIONS if sheet.conflict is not None else {key: _ACTIONS[key] for key in "aer"}
    keys = KEYS if sheet.conflict is None else KEYS.replace("   e", "   c approve in place of what it contradicts   e")
    while True:
        key = pile.offer(keys)
        if key in _LEAVING:
            return False
        if key in _NEXT or key in _PREVIOUS:
            pile.turn(1 if key in _NEXT else -1)
            return True
        action = actions.get(key.lower())
        if action is None:
            pile.tell(f"{key!r} is no key here")
            continue
        try:
            if action(pile, sheet):
                return True
        except GroundwireError as error:
            pile.tell(str(error), _BAD)


def _approve(pile: _Pile, sheet: ReviewView) -> bool:
    return _file(pile, pile.desk.approve(pile.top), "approved")


def _change(pile: _Pile, sheet: ReviewView) -> bool:
    """Approve it as the successor of what it contradicts."""
    assert sheet.conflict is not None
    return _file(pile, pile.desk.approve(pile.top, replaces=[sheet.conflict.id]), "approved")


def _edit(pile: _Pile, sheet: ReviewView) -> bool:
    words = pile.terminal.read_line("New words (nothing keeps them as they are):").strip()
    if not words or words == sheet.item.content:
        pile.tell("unchanged")
        return False
    pile.terminal.write("\n" + join(render_difference(sheet.item.content, words, pile.view)) + "\n")
    if pile.offer("y approve these words   any other key: go back") not in ("y", "Y"):
        pile.tell("nothing was changed")
        return False
    return _file(pile, pile.desk.approve(pile.top, words), "edited and approved")


def _reject(pile: _Pile, sheet: ReviewView) -> bool:
    reason = pile.terminal.read_line("Why (nothing goes back):").strip()
    if not reason:
        pile.tell("not rejected: a rejection needs a reason")
        return False
    pile.desk.reject(pile.top, reason)
    pile.tell("rejected", _BAD)
    pile.settle("rejected")
    return True


def _file(pile: _Pile, done: Remembered, verb: str) -> bool:
    """Put the sheet away where it was stored; where it was not, say why and leave it to be rejected."""
    pile.terminal.write("\n" + render_remembered(done, pile.view))
    if not done.is_stored:
        return False
    pile.settle(verb)
    return True


_ACTIONS: Mapping[str, Callable[[_Pile, ReviewView], bool]] = {
    "a": _approve,
    "c": _change,
    "e": _edit,
    "r": _reject,
}
