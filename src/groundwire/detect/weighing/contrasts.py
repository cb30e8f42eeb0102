"""Whether two statements give answers to one question that exclude each other: "mild" and "hot", "beat" and "lost to".

A small judge of language does not know every pair of opposites; the table does. What it finds counts only where both
statements speak of one thing and nothing tells their cases apart, and where the judge leans the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.detect.amounts.figures import read_figures
from groundwire.detect.records.values import find_values
from groundwire.detect.weighing.traits import Traits, names_of, share_told, words_of
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma, readings, verb_lemma
from groundwire.text.reading import read_text
from groundwire.text.tables import read_table

_WORD = re.compile(r"[^\W_]+(?:[-'’+][^\W_]+)*")
_DENIAL = frozenset("not no never none nobody nothing neither nor without cannot hardly".split())  # noqa: SIM905
_CASES = re.compile(r"\b(?:first|second|third|fourth|last|next|previous|former|other|another|one)\b", re.IGNORECASE)
_CALENDAR = re.compile(
    r"\b(?:last|next|first|second) "
    r"(?:night|week|month|year|quarter|term|season|spring|summer|autumn|winter|[a-z]+day)\b"
)
_LASTING = re.compile(r"\bsince [^,.;]+", re.IGNORECASE)
""" "Switched off since Monday": so it is today."""
_WISHED = re.compile(r"\b(?:should|could|might|ought to) (?:not )?have\b|n['’]t have\b", re.IGNORECASE)
""" "The invoice should have been paid": it has not been."""
_DIRECTED, _PASSING, _DEGREES = "directed", "passing", "degrees"
_REACH = 4
"""How many words behind a denial it still denies."""


@dataclass(frozen=True, slots=True)
class _Answer:
    line: int
    side: int
    denied: bool
    start: int
    end: int
    words: str
    before: frozenset[str]
    """The word that tells who does it."""
    is_passive: bool


@dataclass(frozen=True, slots=True)
class _Phrase:
    words: tuple[str, ...]
    line: int
    side: int


@dataclass(frozen=True, slots=True)
class _Line:
    sides: int
    is_directed: bool
    is_passing: bool
    is_degree: bool


@cache
def _table() -> tuple[dict[str, list[_Phrase]], list[_Line]]:
    """The phrases by their first word, and what kind of line each stands in."""
    found: dict[str, list[_Phrase]] = {}
    kinds: list[_Line] = []
    groups = {name: text for name, text in read_table("contrasts", "detect").items() if isinstance(text, str)}
    lines = [(name, line) for name, text in groups.items() for line in text.split("\n") if line]
    for number, (heading, line) in enumerate(lines):
        parts = line.split(" | ")
        kinds.append(_Line(len(parts), heading == _DIRECTED, heading == _PASSING, heading == _DEGREES))
        for side, names in enumerate(parts):
            for words in (tuple(name.split(" ")) for name in names.split(", ")):
                found.setdefault(words[0], []).append(_Phrase(words, number, side))
    return found, kinds


def are_contrasted(mine: str, theirs: str, traits: Traits, about: str = "") -> bool:
    """Whether both speak of one thing, in one case, and answer a question about it on different sides.

    `about` is what both are known to be about: the bearer of an attribute.
    """
    if traits.condition or traits.agreeing or traits.same:
        return False
    found = _find(mine, theirs) if _WISHED.search(mine) is None else []
    if not found or _read_cases(mine) != _read_cases(theirs):
        return False
    days = [_read_days(text) for text in (mine, _LASTING.sub(" ", theirs))]
    if all(days) and days[0].isdisjoint(days[1]):
        return False
    counted = [read_figures(text) for text in (mine, theirs)]
    if all(counted) and counted[0].isdisjoint(counted[1]) and not any(line.is_degree for _, _, line in found):
        return False  # "20 passed", "three of 23 failed": each has its own part
    if any(line.is_degree and _tell_apart(mine, theirs, one, other) for one, other, line in found):
        return False
    return any(
        not (line.is_passing and days[0] != days[1])
        and not _are_named_apart(mine, theirs, one, other)
        and (about or _share_more(mine, theirs, one, other))
        for one, other, line in found
    )


def _read_cases(text: str) -> frozenset[str]:
    """ "The first one", "another": which of several is meant; "last week" is a time."""
    return frozenset(_CASES.findall(_CALENDAR.sub(" ", text.casefold())))


def _read_days(text: str) -> frozenset[str]:
    return frozenset(value.text.casefold() for value in find_values(text) if value.kind == "date")


def share_subject(mine: str, theirs: str) -> bool:
    """Whether what a statement is about is named in the other one."""
    subjects = (read.proposition.subject_lemmas for read in read_text(mine).claims)
    return any(share_told(frozenset(lemmas[-1:]), theirs) > 0 for lemmas in subjects if lemmas)


def _are_named_apart(mine: str, theirs: str, one: _Answer, other: _Answer) -> bool:
    """Each has a name of its own, beside the contrast itself: "Windows" and "Ubuntu" name no two computers."""
    spoken = frozenset(f"{one.words} {other.words}".casefold().split())
    own, known = names_of(mine), names_of(theirs)
    return bool(own - known - spoken) and bool(known - own - spoken)


def _tell_apart(mine: str, theirs: str, one: _Answer, other: _Answer) -> bool:
    """ "the old bridge", "the new bridge": the words say which one is meant."""
    after = [_WORD.findall(text)[answer.end : answer.end + 1] for text, answer in ((mine, one), (theirs, other))]
    return all(after) and not _forms(after[0][0]).isdisjoint(_forms(after[1][0]))


def _share_more(mine: str, theirs: str, one: _Answer, other: _Answer) -> bool:
    """A thing or a name is in both, beside the contrast: what they are about."""
    left = words_of(mine) - words_of(one.words) - words_of(other.words)
    return any(_is_thing(word) and share_told(frozenset({word}), theirs) for word in left)


def _is_thing(word: str) -> bool:
    found = readings(word)
    return not found or any(reading[0].startswith("NN") for reading in found[:2])


def _find(mine: str, theirs: str) -> list[tuple[_Answer, _Answer, _Line]]:
    """Where both answer one question, each on one side only, and not on the same."""
    own, other = _by_line(_read(mine)), _by_line(_read(theirs))
    found: list[tuple[_Answer, _Answer, _Line]] = []
    for number in sorted(own.keys() & other.keys()):
        one, two, line = own[number][0], other[number][0], _table()[1][number]
        mine_sides, their_sides = (_settle(answers[number], line.sides) for answers in (own, other))
        if one.side == two.side or mine_sides is None or their_sides is None or mine_sides & their_sides:
            continue
        if not line.is_directed or (one.before & two.before and not one.is_passive and not two.is_passive):
            found.append((one, two, line))
    return found


def _by_line(found: Sequence[_Answer]) -> dict[int, list[_Answer]]:
    lines: dict[int, list[_Answer]] = {}
    for one in found:
        lines.setdefault(one.line, []).append(one)
    return lines


def _settle(found: Sequence[_Answer], sides: int) -> frozenset[int] | None:
    """The sides on which a statement may stand; None where it names two of them."""
    if len({(answer.side, answer.denied) for answer in found}) > 1:
        return None
    first = found[0]
    return frozenset(range(sides)) - {first.side} if first.denied else frozenset({first.side})


@lru_cache(maxsize=8192)
def _read(text: str) -> tuple[_Answer, ...]:
    words = _WORD.findall(text)
    forms = [_forms(word) for word in words]
    denials = [i for i, own in enumerate(forms) if own & _DENIAL]
    phrases, lines = _table()
    found: list[_Answer] = []
    for i, own in enumerate(forms):
        for phrase in (p for form in own for p in phrases.get(form, ())):
            end = i + len(phrase.words)
            if end > len(forms) or not all(w in f for w, f in zip(phrase.words, forms[i:end], strict=True)):
                continue
            measured = any(c.isdigit() for word in words[max(0, i - 2) : i] for c in word)
            if measured and lines[phrase.line].is_degree and _is_quality(words[i]):
                continue  # "188 cm tall" may be short
            denied = any(0 < i - at <= _REACH for at in denials)
            telling = [f for w, f in zip(words[:i], forms[:i], strict=True) if w.casefold() not in closed_classes()]
            is_passive = "by" in forms[end] if end < len(forms) else False
            found.append(
                _Answer(
                    phrase.line,
                    phrase.side,
                    denied,
                    i,
                    end,
                    " ".join(words[i:end]),
                    telling[-1] if telling else frozenset(forms[0] if i else ()),
                    is_passive,
                )
            )
    return tuple(_without_parts(found))


def _is_quality(word: str) -> bool:
    found = readings(word.casefold())
    return bool(found) and found[0][0].startswith("JJ")


def _forms(word: str) -> frozenset[str]:
    """A word as it is written and as it is listed."""
    low = word.casefold().replace("’", "'")
    if low.endswith("n't"):
        return frozenset({low, "not"})
    highest = (reading[1] for reading in readings(low) if reading[0] in ("JJS", "RBS"))
    return frozenset(form for form in (low, verb_lemma(low), noun_lemma(low), *highest) if form)


def _without_parts(found: Sequence[_Answer]) -> Iterator[_Answer]:
    """Of the phrases of one line that share a word the longest counts."""
    for one in found:
        longer = (o for o in found if o.line == one.line and o.end - o.start > one.end - one.start)
        if not any(o.start < one.end and one.start < o.end for o in longer):
            yield one
