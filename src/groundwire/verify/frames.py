"""Frames: patterns over words in a plain form, written in a table and matched from the first word to the last.

leave/ed        the word "leave" in the past; without "/ed" or "/ing" in any form
<leave>/ed      an entry of the list "leave", its first word in the past
( a | b )       one of two, and with a "?" behind the bracket or the word it may be missing
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from groundwire.errors import DataFileError
from groundwire.text.lexicon import noun_lemma, readings, verb_lemma


class Plain(NamedTuple):
    """A word as its lemma and, where the form shows it, its tense: `ed` or `ing`.

    `role` is what it also may stand for in a frame, such as SELF for "it".
    """

    lemma: str
    tense: str = ""
    role: str = ""


def make_plain(low: str) -> Plain:
    """The plain form of a lower-case word, the same whatever stands beside it: the verb before the noun."""
    lemma = verb_lemma(low)
    if lemma is None:
        return Plain(noun_lemma(low))
    tags = [tag for tag, _ in readings(low)]
    tense = "ed" if "VBD" in tags or "VBN" in tags else "ing" if "VBG" in tags else ""
    return Plain(lemma, tense)


class _Word(NamedTuple):
    lemma: str
    tense: str


@dataclass(slots=True)
class _Choice:
    """Sequences to choose from, by the words that each may begin with."""

    is_optional: bool = False
    by_word: dict[str, list[_Sequence]] = field(default_factory=dict[str, "list[_Sequence]"])

    def add(self, sequence: _Sequence) -> None:
        if not sequence:
            raise DataFileError("a frame has a choice of nothing, or of a word that is left out everywhere")
        for element in sequence:
            for lemma in (element.lemma,) if isinstance(element, _Word) else element.by_word:
                self.by_word.setdefault(lemma, []).append(sequence)
            if isinstance(element, _Word) or not element.is_optional:
                return
        self.is_optional = True


_Sequence = tuple["_Word | _Choice", ...]


class Frames:
    """Frames of a table, compiled when they are first asked for."""

    def __init__(self, frames: Sequence[str], lists: Mapping[str, Sequence[str]], is_dropped: Callable[[str], bool]):
        self._lists = lists
        self._is_dropped = is_dropped
        self._named: dict[tuple[str, str], _Choice] = {}
        self._all = _Choice()
        for frame in frames:
            self._all.add(self._parse(frame))

    def match(self, words: Sequence[Plain]) -> bool:
        """Whether the words, from first to last, are one of the frames."""
        return len(words) in _follow(self._all, words, 0)

    def _parse(self, frame: str) -> _Sequence:
        pieces = frame.split()
        sequence, rest = self._parse_sequence(pieces, 0)
        if rest != len(pieces) or not sequence:
            raise DataFileError(f"the frame {frame!r} cannot be read: its brackets do not match")
        return sequence

    def _parse_sequence(self, pieces: Sequence[str], at: int) -> tuple[_Sequence, int]:
        found: list[_Word | _Choice] = []
        while at < len(pieces) and pieces[at] not in (")", ")?", "|"):
            if pieces[at] == "(":
                choice, at = self._parse_choice(pieces, at + 1)
                found.append(choice)
                continue
            found.extend(self._parse_piece(pieces[at]))
            at += 1
        return tuple(found), at

    def _parse_choice(self, pieces: Sequence[str], at: int) -> tuple[_Choice, int]:
        choice = _Choice()
        while True:
            sequence, at = self._parse_sequence(pieces, at)
            choice.add(sequence)
            closing, at = (pieces[at] if at < len(pieces) else ""), at + 1
            if not closing:
                raise DataFileError(f"the frame {' '.join(pieces)!r} cannot be read: a bracket is not closed")
            if closing != "|":
                choice.is_optional |= closing == ")?"
                return choice, at

    def _parse_piece(self, piece: str) -> _Sequence:
        name = piece.removesuffix("?")
        word, _, tense = name.partition("/")
        if word.startswith("<"):
            found: _Word | _Choice = self._read_list(word[1:-1], tense)
        elif not word.isupper() and self._is_dropped(word):
            return ()
        else:
            found = _Word(word if word.isupper() else make_plain(word).lemma, tense)
        if name == piece:
            return (found,)
        maybe = _Choice(is_optional=True)
        maybe.add((found,))
        return (maybe,)

    def _read_list(self, name: str, tense: str) -> _Choice:
        known = self._named.get((name, tense))
        if known is None:
            known = self._named[name, tense] = _Choice()
            for entry in self._lists[name]:
                first, *rest = self._parse(entry)
                if tense and isinstance(first, _Word) and not first.tense and first.lemma != "be":
                    first = _Word(first.lemma, tense)
                known.add((first, *rest))
        return known


def _follow(choice: _Choice, words: Sequence[Plain], at: int) -> set[int]:
    """Where the words that the choice takes from `at` on may end."""
    ends = {at} if choice.is_optional else set[int]()
    if at < len(words):
        word = words[at]
        for sequence in choice.by_word.get(word.lemma, ()):
            ends |= _follow_sequence(sequence, words, at)
        for sequence in choice.by_word.get(word.role, ()) if word.role else ():
            ends |= _follow_sequence(sequence, words, at)
    return ends


def _follow_sequence(sequence: _Sequence, words: Sequence[Plain], at: int) -> set[int]:
    ends = {at}
    for element in sequence:
        if isinstance(element, _Word):
            ends = {end + 1 for end in ends if end < len(words) and _fits(element, words[end])}
        else:
            ends = {further for end in ends for further in _follow(element, words, end)}
        if not ends:
            break
    return ends


def _fits(word: _Word, said: Plain) -> bool:
    return word.lemma in (said.lemma, said.role) and (not word.tense or word.tense == said.tense)
