"""Layout: a text is cut into blocks where its lines say so, before any sentence is looked for.

Blank lines, Markdown (fences, headings, tables, list items, quotations, rules) and turns of a dialogue cut.
A single line break inside a paragraph does not, unless the line stops well before the margin that its
neighbours keep and the next one starts afresh: nobody wraps a line there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from groundwire.text.abbreviations import load_words
from groundwire.types import SentenceKind


class Block(NamedTuple):
    """A stretch of text that no sentence leaves; leading furniture (bullet, hashes) is already cut off."""

    start: int
    end: int
    kind: SentenceKind
    is_quotation: bool = False


_LINE_END = re.compile(r"\r\n|[\n\r\u2028\u2029]")

# What a line opens with. Order matters: a rule or a fence before a bullet, a bullet before a turn.
_OPENING = re.compile(
    r"""[ \t]*+(?:
      (?P<fence>`{3,}+|~{3,}+)
    | (?P<heading>\#{1,6}+)(?=[ \t])
    | (?P<rule>[-*_=][-*_= \t]{2,}+)\Z
    | (?P<row>\|)
    | (?P<quotation>(?:>[ \t]*+)++)
    | (?P<bullet>[-*+][ \t]++(?:\[[ xX]\][ \t]++)?)(?=\S)
    | (?P<mark>[•‣◦▪●○⁃∙])
    | (?P<dash>[–—―])(?=[ \t]*\w)
    | (?P<ordinal>\(?(?:\d{1,3}|[a-z]|[ivx]{2,5}|[IVX]{2,5}|[A-Z](?=\)))(?:\.\)|[.)]))(?=[ \t]+\S)
    | (?P<bold>\*\*[^*\n]{1,120}\*\*|__[^_\n]{1,120}__)[ \t]*+\Z
    | (?P<turn>(?:\[[^\]]{1,24}\][ \t]*+)?(?:\*\*)?
        (?:[^\W\d_a-z][\w.'’-]{0,24}(?:[ ][\w.'’&()-]{1,24})?|user|assistant|system|human|bot|ai)
        (?:\*\*:|:\*\*|:))(?=\s|\Z)
    )""",
    re.VERBOSE,
)
_MAY_OPEN = re.compile(r"\w{1,5}+[.)]|[^:\n]{1,50}+:")
_TABLE_RULE = re.compile(r"[ \t]*+(?:\|[ \t]*+)?:?-[-:| \t]*+\Z")
_FIRST_WORD = re.compile(r"[\s>]*+([\"'“‘«„(\[¿¡*_]*+)([^\s]*)")
_LAST_WORD = re.compile(r"[^\W\d_]+\Z")
_STOPS = (".", "!", "?", "…", "。", "！", "？", ".)", '."', ".”", "!”", "?”", '!"', '?"', "؟", "۔", "।")
_GOES_ON = (",", "，", "、", "-", "–", "—", "&", "/", "(")
_ENUMERATOR = re.compile(
    r"(?<!\S)(?:[•⁃‣◦▪●]\s*+)?\(?(\d{1,2}|[ivx]{2,4}|[A-Za-z])(\.\)|\)|\.)(?=\s+(\S))|(?<!\S)[•⁃‣◦▪●](?=\s+(\S))"
)
_ENUMERATES = re.compile(
    r"[.)•⁃‣◦▪●](?:(?<=[•⁃‣◦▪●])|(?<=\s[^\W_].)|(?<=\s[\divx]{2}.)|(?<=\([^\W_].)|(?<=\([\divx]{2}.))"
)
_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10, "xi": 11}
_RUNNING = (SentenceKind.PROSE, SentenceKind.LIST_ITEM)
_NARROW = 60
_SHORT_OF_MARGIN = 0.6


def lay_out(text: str) -> list[Block]:
    """Blocks in text order, never overlapping; what lies between them is white space or furniture."""
    blocks: list[Block] = []
    for block in _read_single_line(text) or _Reader(text).read():
        if block.kind in _RUNNING and _ENUMERATES.search(text, block.start + 2, block.end) is not None:
            blocks.extend(_cut_enumeration(text, block))
        else:
            blocks.append(block)
    return blocks


def _read_single_line(text: str) -> list[Block] | None:
    """The common case without ceremony: one line that opens with nothing special."""
    if "\n" in text or "\r" in text or "\u2028" in text or "\u2029" in text:
        return None
    if (not text[:1].isalpha() or _MAY_OPEN.match(text) is not None) and _OPENING.match(text) is not None:
        return None
    start, end = len(text) - len(text.lstrip()), len(text.rstrip())
    return [Block(start, end, SentenceKind.PROSE)] if start < end else []


class _Reader:
    """Walks the lines once; `lines` is the paragraph being collected, in `kind`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.lines: list[tuple[int, int]] = []
        self.kind = SentenceKind.PROSE
        self.fence = ""
        self.fence_start = 0
        self.in_table = False
        self.is_quotation = False

    def read(self) -> list[Block]:
        start = 0
        for line_end in _LINE_END.finditer(self.text):
            self._take(start, line_end.start())
            start = line_end.end()
        self._take(start, len(self.text))
        if self.fence:
            self._emit(self.fence_start, len(self.text), SentenceKind.CODE)
        self._flush()
        return self.blocks

    def _take(self, start: int, end: int) -> None:
        line = self.text[start:end]
        if self.fence:
            self._take_code(line, end)
        elif not line or line.isspace():
            self._flush()
            self.in_table = False
        elif (opening := _OPENING.match(line)) is not None and opening.lastgroup is not None:
            self._take_opened(opening.lastgroup, opening, start, end, line)
        elif self.in_table and "|" in line:
            self._emit(start, end, SentenceKind.TABLE_ROW)
        else:
            self._take_plain(start, end, line)

    def _take_code(self, line: str, end: int) -> None:
        closing = line.lstrip("> \t").rstrip()
        if closing.startswith(self.fence) and not closing.strip(self.fence[0]):
            self._emit(self.fence_start, end, SentenceKind.CODE)
            self.fence = ""

    def _take_opened(self, group: str, opening: re.Match[str], start: int, end: int, line: str) -> None:
        content = start + opening.end(group)
        match group:
            case "fence":
                self._flush()
                self.fence, self.fence_start = opening["fence"], start + opening.start(group)
            case "heading":
                self._flush()
                self._emit(content, start + len(line.rstrip("# \t")), SentenceKind.HEADING)
            case "bold":
                self._flush()
                self._emit(start, end, SentenceKind.HEADING)
            case "rule":
                self._take_rule()
            case "row":
                self._take_row(start, end, line)
            case "quotation":
                if not self.is_quotation:
                    self._flush()
                self._take(content, end)
                self.is_quotation = True
            case "bullet":
                self._flush()
                self._start(content, end, SentenceKind.LIST_ITEM)
            case "mark":
                self._flush()
                self._start(start, end, SentenceKind.LIST_ITEM)
            case "ordinal" if self._admits_ordinal(opening[group]):
                self._flush()
                self._start(start, end, SentenceKind.LIST_ITEM)
            case "dash" | "turn" if not self.lines or not _is_unfinished(self._last_line()):
                self._flush()
                self._start(start, end, SentenceKind.PROSE)
            case _:
                self._take_plain(start, end, line)

    def _take_rule(self) -> None:
        """A rule under a single line makes it a heading; anywhere else it only separates."""
        if len(self.lines) == 1 and self.kind is SentenceKind.PROSE:
            self.kind = SentenceKind.HEADING
        self._flush()

    def _take_row(self, start: int, end: int, line: str) -> None:
        if _TABLE_RULE.match(line):
            self._take_table_rule()
        elif line.count("|") > 1:
            self._flush()
            self._emit(start, end, SentenceKind.TABLE_ROW)
            self.in_table = True
        else:
            self._take_plain(start, end, line)

    def _take_table_rule(self) -> None:
        """The line above the rule is the header, also in a table without outer bars."""
        header = self.lines.pop() if self.lines else None
        self._flush()
        if header is not None:
            self._emit(*header, SentenceKind.TABLE_ROW)
        self.in_table = True

    def _take_plain(self, start: int, end: int, line: str) -> None:
        if "|" in line and self.lines and _TABLE_RULE.match(line):
            self._take_table_rule()
            return
        self.in_table = False
        if self.kind is SentenceKind.LIST_ITEM and self.lines and self._leaves_item(line):
            self._flush()
        if not self.lines:
            self.kind = SentenceKind.PROSE
        self.lines.append((start, end))

    def _leaves_item(self, line: str) -> bool:
        """A line at the margin that starts afresh after a finished or short item is no part of the item."""
        start, end = self.lines[-1]
        if line.startswith(("  ", "\t")) or not _starts_afresh(line):
            return False
        last = self.text[start:end].rstrip()
        return last.endswith(_STOPS) or (len(last) < _NARROW and not _is_unfinished(last))

    def _admits_ordinal(self, ordinal: str) -> bool:
        """A wrapped line may begin with "12." by chance: inside a paragraph only a first item opens a list."""
        if not self.lines or self.kind is SentenceKind.LIST_ITEM or ordinal.strip("().") == "1":
            return True
        return self._last_line().endswith((*_STOPS, ":", ";", ","))

    def _last_line(self) -> str:
        start, end = self.lines[-1]
        return self.text[start:end].rstrip()

    def _start(self, start: int, end: int, kind: SentenceKind) -> None:
        self.kind = kind
        self.in_table = False
        self.lines.append((start, end))

    def _flush(self) -> None:
        lines, self.lines = self.lines, []
        first = 0
        for index in _find_line_breaks(self.text, lines):
            self._emit(lines[first][0], lines[index][1], self.kind)
            first = index + 1
        if lines:
            self._emit(lines[first][0], lines[-1][1], self.kind)
        self.kind = SentenceKind.PROSE
        self.is_quotation = False

    def _emit(self, start: int, end: int, kind: SentenceKind) -> None:
        piece = self.text[start:end]
        strip = " \t|" if kind is SentenceKind.TABLE_ROW else None
        start += len(piece) - len(piece.lstrip(strip))
        end -= len(piece) - len(piece.rstrip(strip))
        if start < end:
            self.blocks.append(Block(start, end, kind, self.is_quotation))


def _find_line_breaks(text: str, lines: list[tuple[int, int]]) -> list[int]:
    """Indexes of the lines of a paragraph after which it is cut."""
    if len(lines) < 2:
        return []
    pieces = [text[start:end] for start, end in lines]
    bare = [piece.strip() for piece in pieces]
    width = max(map(len, bare))
    is_ragged = width < _NARROW and not any(piece.endswith(_STOPS) for piece in bare)
    found: list[int] = []
    for index in range(len(lines) - 1):
        line, following = bare[index], pieces[index + 1]
        if not _starts_afresh(following) or line.endswith(_STOPS) or _is_unfinished(line.rstrip(",")):
            continue
        first = _FIRST_WORD.match(following)
        room = len(line) + 1 + (len(first[2]) if first else 0)
        is_short = room <= width * _SHORT_OF_MARGIN
        is_set_off = line.endswith(":") or is_ragged or pieces[index].endswith(("  ", "\\"))
        if is_short or (is_set_off and not line.endswith(",")):
            found.append(index)
    return found


def _starts_afresh(line: str) -> bool:
    first = _FIRST_WORD.match(line)
    if first is None or not first[2]:
        return bool(first and first[1])
    return first[2][0].isupper() or first[2][0].isdigit() or bool(first[1])


def _is_unfinished(line: str) -> bool:
    """Ends in a comma, a dash or a word that needs another ("of", "the"): the line was only wrapped."""
    if line.endswith(_GOES_ON):
        return True
    last = _LAST_WORD.search(line[-24:])
    if last is None or (word := last[0]) in ("A", "May"):
        return False
    return word.lower() in load_words().unfinished


def _cut_enumeration(text: str, block: Block) -> Iterator[Block]:
    """A run of markers that count up ("1) … 2) …") cuts the block; a lone marker or a running sentence does not."""
    starts = _find_items(text, block)
    if len(starts) < 2:
        yield block
        return
    if starts[0] > block.start:
        yield Block(block.start, starts[0], block.kind, block.is_quotation)
    for start, end in zip(starts, [*starts[1:], block.end], strict=True):
        yield Block(start, end, SentenceKind.LIST_ITEM, block.is_quotation)


def _find_items(text: str, block: Block) -> list[int]:
    """Starts of the items of every run of at least two; a comma or "and" before a marker undoes its run."""
    runs: list[list[int]] = []
    previous, previous_end = ("", ""), 0
    for marker in _ENUMERATOR.finditer(text, block.start, block.end):
        at, label, suffix = marker.start(), marker[1] or "•", marker[2] or ""
        before = text[max(block.start, at - 8) : at].rstrip()
        if previous[1] == suffix and at - previous_end > 2 and _counts_up(previous[0], label):
            if before.endswith((",", ";", " and", " or")):
                runs.pop()
                previous = ("", "")
                continue
            runs[-1].append(at)
        elif not before or before.endswith((".", "!", "?")) or (before[-1] == ":" and _heads_item(marker)):
            runs.append([at])
        else:
            continue
        previous, previous_end = (label, suffix), marker.end()
    return [at for run in runs if len(run) > 1 for at in run]


def _heads_item(marker: re.Match[str]) -> bool:
    """After a colon a capital letter with a full stop ("grade: A. Next") is no marker."""
    return (marker[3] or marker[4]).isupper() and not (marker[2] == "." and marker[1].isalpha())


def _counts_up(label: str, following: str) -> bool:
    if label.isdigit() or following.isdigit():
        return label.isdigit() and following.isdigit() and int(following) == int(label) + 1
    if label == "•":
        return following == "•"
    if len(label) == len(following) == 1 and ord(following) == ord(label) + 1:
        return True
    return label in _ROMAN and _ROMAN.get(following) == _ROMAN[label] + 1
