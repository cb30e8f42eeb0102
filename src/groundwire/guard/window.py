"""Cuts a growing text where a sentence surely ends.

Looked at is only what stands before certain places (white space, the marks of scripts without it), so that what is
cut depends on the text alone and never on the pieces in which it came. A place is a cut when the sentence ends there
whatever follows: a name, a small word, a number, the end of a quotation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from groundwire.text.counting import count_tokens
from groundwire.text.sentences import split_sentences
from groundwire.types import SentenceKind, Span

WINDOW_TOKENS = 32
LONGEST_TOKENS = 160
LONGEST_CHARACTERS = 1_000
_AT_ONCE = 1_024
_WORDS_AHEAD = 3
"""So many words after a mark may show that it ended a sentence; one that they do not is none."""
_FREE_LOOKS = 24
_RARER = 16
_FOLLOWERS = ("Nina", "and", "5")
_CLOSING = 'Nina")”]}»」』》）】.'
_OPENS = re.compile(r"[\"“„«(\[{「『《（【]")
_WIDE = "。！？｡।॥։።፧။។؟۔⸮．"
_CLOSERS = "\"'”“’»›)\\]}*_」』）】〉》"
_POINT = re.compile(rf"\s|(?<=[{_WIDE}])[^\s{_WIDE}{_CLOSERS}]|(?<=[{_WIDE}][{_CLOSERS}])[^\s{_WIDE}{_CLOSERS}]")
_STOPPED = re.compile(rf"[.!?…‽{_WIDE}][^\w\s]{{0,8}}(?:\[\w{{1,8}}\]|\d{{1,3}}|[¹²³⁰-⁹]{{1,6}})?\Z")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})[^\n]*\Z")
_CLAUSE_END = re.compile(r"[,;:)—–]\s|\s(?=(?:and|but|or|which|while|because|so)\s)")
_BREAKS = "\n\r\u2028\u2029"


class UnitKind(StrEnum):
    TEXT = "text"
    CODE = "code"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Unit:
    """A stretch of the stream that is judged at once: whole sentences, or what had to be cut."""

    text: str
    start: int
    kind: UnitKind
    is_last: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Window:
    """So many tokens have come since the last window, and the text from `span.start` on is not finished."""

    span: Span
    tokens: int


class Cutter:
    """The open end of one stream: never longer than the longest sentence that is waited for."""

    def __init__(self, window_tokens: int = WINDOW_TOKENS, longest_tokens: int = LONGEST_TOKENS) -> None:
        self._window_tokens = window_tokens
        self._longest_tokens = longest_tokens
        self._open = ""
        self._start = 0
        self._seen = 0
        self._word = 0
        self._tokens = 0
        self._since_window = 0
        self._armed = 0
        self._looks = 0
        self._blank = True
        self._fence = ""
        self.total_tokens = 0

    @property
    def taken(self) -> int:
        """How much of the stream has come."""
        return self._start + len(self._open)

    def take(self, text: str) -> list[Unit | Window]:
        """What can be judged now."""
        found: list[Unit | Window] = []
        for at in range(0, len(text), _AT_ONCE):
            self._open += text[at : at + _AT_ONCE]
            self._walk(found)
        return found

    def finish(self) -> list[Unit]:
        """Everything that is left, the stream being over."""
        self.total_tokens += count_tokens(self._open[self._word :])
        rest = self._cut(len(self._open), is_last=True)
        return [rest] if rest.text else []

    def _walk(self, found: list[Unit | Window]) -> None:
        while True:
            point = _POINT.search(self._open, self._seen)
            if (point is None or point.end() > LONGEST_CHARACTERS) and len(self._open) >= LONGEST_CHARACTERS:
                self._count(LONGEST_CHARACTERS)
                found.append(self._cut(self._choose_break(LONGEST_CHARACTERS)))
            elif point is None:
                self._seen = len(self._open)
                return
            else:
                self._seen = point.end()
                at = point.end() if point[0].isspace() else point.start()
                self._reach(at, point[0], found)

    def _reach(self, at: int, mark: str, found: list[Unit | Window]) -> None:
        word = self._count(at)
        if (cut := self._find_cut(at, mark, word)) > 0:
            found.append(self._cut(cut))
        elif self._tokens >= self._longest_tokens:
            found.append(self._cut(self._choose_break(at)))
        if self._since_window >= self._window_tokens:
            if self._tokens:
                found.append(Window(Span(self._start, self._start + self._word), self._tokens))
            self._since_window = 0

    def _count(self, at: int) -> str:
        word = self._open[self._word : at].strip()
        tokens = count_tokens(word)
        self._word = max(self._word, at)
        self._tokens += tokens
        self._since_window += tokens
        self.total_tokens += tokens
        self._blank = self._blank and not word
        return word

    def _find_cut(self, at: int, mark: str, word: str) -> int:
        """Where the text up to `at` can be cut; 0 where it cannot."""
        is_break = mark in _BREAKS
        if self._fence:
            return self._leave_code(at) if is_break else 0
        if self._blank:
            return 0
        if is_break and (fenced := self._enter_code(at)):
            return fenced
        if is_break or not mark.isspace() or _STOPPED.search(word[-24:]) is not None:
            self._armed = _WORDS_AHEAD
        elif not word or not self._armed:
            return 0
        else:
            self._armed -= 1
        self._looks += 1
        if self._looks > _FREE_LOOKS and self._looks % _RARER:
            return 0
        return find_certain_cut(self._open[:at])

    def _enter_code(self, at: int) -> int:
        """The line that has just ended opens a block of code: what stands before it is done."""
        line = self._line_start(at)
        opening = _FENCE.match(self._open, line, at - 1)
        if opening is None:
            return 0
        if self._open[:line].strip():
            return line  # the line itself is looked at again, with nothing before it
        self._fence = opening[1]
        return at

    def _leave_code(self, at: int) -> int:
        closing = self._open[self._line_start(at) : at].strip("> \t\r\n")
        if closing.startswith(self._fence) and not closing.strip(self._fence[0]):
            self._fence = ""
        return at

    def _line_start(self, at: int) -> int:
        return max(self._open.rfind(mark, 0, at - 1) for mark in _BREAKS) + 1

    def _choose_break(self, at: int) -> int:
        """A sentence that is too long is cut after a clause, or else where it stands."""
        if self._fence:
            return at
        ends = [found.end() for found in _CLAUSE_END.finditer(self._open, at // 2, at)]
        return ends[-1] if ends else at

    def _cut(self, at: int, *, is_last: bool = False) -> Unit:
        text, self._open = self._open[:at], self._open[at:]
        kind = UnitKind.CODE if self._is_code(text) else UnitKind.TEXT if text.strip() else UnitKind.BLANK
        unit = Unit(text, self._start, kind, is_last)
        self._start += at
        left = self._open[: max(0, self._word - at)]
        self._word = len(left)
        self._seen = 0 if self._is_fence(left) else len(left)
        if not self._seen:
            self._word = 0
        self._tokens = count_tokens(left[: self._word])
        self._blank = not left[: self._word].strip()
        self._armed, self._looks = 0, 0
        return unit

    def _is_fence(self, left: str) -> bool:
        return left.endswith(tuple(_BREAKS)) and _FENCE.match(left.rstrip(_BREAKS)) is not None

    def _is_code(self, text: str) -> bool:
        return bool(self._fence) or _FENCE.match(text.rstrip(_BREAKS)) is not None


def find_certain_cut(view: str) -> int:
    """The last place of `view` at which a sentence ends whatever comes after `view`; 0 where there is none."""
    followers = (*_FOLLOWERS, _CLOSING) if _OPENS.search(view) else _FOLLOWERS
    certain = find_starts(view, followers[0])
    for follower in followers[1:]:
        if not certain:
            break
        certain &= find_starts(view, follower)
    return max(certain, default=0)


def find_starts(view: str, follower: str) -> set[int]:
    """Where sentences begin in `view` and at its end; with the bullet, the hashes or the bar that they begin with."""
    starts: set[int] = set()
    end = 0
    for sentence in split_sentences(view + follower):
        at = sentence.span.start
        if at > len(view):
            break
        if end:
            line = max(view.rfind(mark, end, at) for mark in _BREAKS) + 1
            starts.add(line or at)
        if sentence.kind is SentenceKind.CODE and sentence.span.end > len(view):
            break
        end = sentence.span.end
    return starts
