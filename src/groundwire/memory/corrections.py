"""What the user takes back: a joke that is called one, a slip that is set right, here or in a later turn.

A statement that was corrected must not be remembered beside its correction, let alone in its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from groundwire.memory.phrasing import words_about
from groundwire.memory.testimony import Force, Heard
from groundwire.text.reading import ReadClaim

_WORD = re.compile(r"\w+")
_FEWEST = 3
"""So many words make a statement that can be broken off; fewer are only an opening: "Sorry, correction: …"."""
_EDGES = " .!,;:()-–—*"
_FEW = 6
_REACH = 12
"""How many sentences back a correction looks for what it corrects."""
_JOKING = frozenset({"kid", "joke", "mess", "tease", "pull"})
_SELF_REPAIR = frozenset({"mean", "misspeak", "mistype", "correct", "lie", "mistake", "take", "rephrase"})
_TAKES_THAT = re.compile(r"\b(?:that|back|lied|true|wrong|forget|mistake|misspoke|mistyped)\b")
_VALUE = (
    r"(?:\d[\d.,:]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|[A-ZÀ-Þ][\w'’-]+(?:\s+[A-ZÀ-Þ][\w'’-]+)?)"
)
_MEND = r"(?:no\s*,?\s+)?(?:wait|sorry|I\s+mean|I\s+meant|scratch\s+that|correction|make\s+that|or\s+rather|no)"
_SLIP = re.compile(
    rf"(?<=\w\s)(?P<old>{_VALUE})(?P<mark>\s*(?:[,–—-]|\.\.\.|…)+\s*{_MEND}\b[\s,:–—-]*)(?P<new>{_VALUE})\b"
)
_BROKEN = re.compile(
    r"[,–—-]\s*(?:no,?\s+)?(?:wait\b|scratch\s+that|i\s+meant|correction\b|make\s+that|(?:sorry|i\s+mean)(?=\s*,))",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"(?:,|–|—|-)?\s+(?:and\s+)?not\s+(?:(?:on|in|at|to|the|a|an|from)\s+)*(?P<old>[\w'’-]+)\W*$")


def mend(text: str) -> str:
    """ "I have two, sorry, three cats" without the slip; as long as it was."""
    return _SLIP.sub(lambda match: " " * (match.start("new") - match.start()) + match["new"], text)


def is_broken_off(text: str) -> bool:
    """Whether a sentence corrects itself in a way that is not mended: nobody knows which half holds."""
    return any(len(_WORD.findall(text[: match.start()])) >= _FEWEST for match in _BROKEN.finditer(text))


def take_back(heard: Sequence[Heard]) -> tuple[Heard, ...]:
    """The sentences of a conversation, with those that a later one withdraws marked as withdrawn."""
    found = list(heard)
    for index in range(1, len(found)):
        one = found[index]
        if one.is_report:
            continue
        low = one.text.strip().casefold().replace("’", "'")
        if _is_bare_joke(one, low):
            _mark(found, _last_own(found, index), Force.JOKE)
        elif one.force is Force.JOKE and _openings("jokes").match(low):
            _mark(found, _last_own(found, index), Force.JOKE)
            _mark(found, index, Force.ASSERTED)  # "Just kidding, I'm a plumber": what follows is meant
        elif _openings("retractions").match(low):
            _mark(found, _find_corrected(found, index, low), Force.RETRACTED)
        elif _openings("doubts").match(low):
            new = _find_new(found, index)
            _mark(found, _find_rival(found, index, new, sure=_names_value(one, new)), Force.RETRACTED)
        else:
            _mark(found, _find_denied(found, index), Force.RETRACTED)
    return tuple(found)


def _is_bare_joke(heard: Heard, low: str) -> bool:
    """A mark of a joke that says nothing else, so that it is about what was said before."""
    if len(low.strip(_EDGES).split()) > _FEW or heard.force is not Force.JOKE:
        return False
    return all(read.proposition.predicate in _JOKING or read.proposition.is_fragment for read in heard.own)


def _find_corrected(heard: Sequence[Heard], index: int, low: str) -> int | None:
    """What is set right by what follows the mark; where nothing follows, or it takes "that" back, the last said."""
    new = _find_new(heard, index)
    rival = _find_rival(heard, index, new, sure=True)
    if rival is not None:
        return rival
    return _last_own(heard, index) if not new or _TAKES_THAT.search(low) else None


def _mark(heard: list[Heard], index: int | None, force: Force) -> None:
    if index is not None:
        heard[index] = replace(heard[index], force=force)


@cache
def _openings(name: str) -> re.Pattern[str]:
    """Any of the marks at the beginning, whatever other of them stand before it: "Sorry, correction: …"."""
    every = sorted((*words_about("testimony", "marks", "retractions"), *words_about("testimony", "marks", "doubts")))
    lead = "|".join(re.escape(word) for word in every)
    marks = "|".join(re.escape(word) for word in sorted(words_about("testimony", "marks", name), key=len, reverse=True))
    return re.compile(rf"\W*(?:(?:{lead}|ha|haha|oh|ah|hm|no|ok|okay|well)\W+){{0,3}}?(?:{marks})(?!\w)")


def _last_own(heard: Sequence[Heard], index: int) -> int | None:
    """The sentence before, or the last that told something of the user."""
    before = range(index - 1, max(-1, index - 1 - _REACH), -1)
    if heard[index - 1].place.turn == heard[index].place.turn:
        return index - 1
    last = next((i for i in before if heard[i].own), None)
    return last if last is not None and heard[last].is_asserted else None


def _find_new(heard: Sequence[Heard], index: int) -> list[ReadClaim]:
    """What is said with the mark or at once after it; "I meant …" itself says nothing new."""
    near = [h for h in heard[index : index + 3] if h.place.turn == heard[index].place.turn]
    return [r for h in near for r in h.own if not r.is_note and r.proposition.predicate not in _SELF_REPAIR]


def _names_value(heard: Heard, new: Sequence[ReadClaim]) -> bool:
    """ "No, the viola. I play the viola.": the mark comes with the bare value that is right."""
    bare = all(read.proposition.is_fragment for read in heard.claims)
    return bare and any(word.forms & read.proposition.lemmas for word in heard.words for read in new)


def _find_rival(heard: Sequence[Heard], index: int, new: Sequence[ReadClaim], *, sure: bool) -> int | None:
    """The latest statement of the same thing with another value."""
    for i in range(index - 1, max(-1, index - 1 - _REACH), -1):
        if heard[i].is_asserted and any(_is_rival(a, b, sure=sure) for a in heard[i].own for b in new):
            return i
    return None


def _is_rival(old: ReadClaim, new: ReadClaim, *, sure: bool) -> bool:
    """The same said of the same but for one value; without a clear mark, a value that only one can have."""
    one, two = old.proposition, new.proposition
    if one.subject != two.subject or one.negated != two.negated:
        return False
    for left in old.facts:
        for right in new.facts:
            if left.exclusive and left.slot_type == right.slot_type and left.subject == right.subject:
                return left.raw.casefold() != right.raw.casefold()
    if one.predicate != two.predicate:
        return False
    mine = {a.role: set(a.lemmas) for a in one.arguments}
    theirs = {a.role: set(a.lemmas) for a in two.arguments}
    differ = [role for role in mine.keys() & theirs.keys() if mine[role] != theirs[role]]
    if not differ:
        return False
    return sure or any(mine[role] & theirs[role] or _is_figure(mine[role] | theirs[role]) for role in differ)


def _is_figure(lemmas: set[str]) -> bool:
    return any(any(map(str.isdecimal, lemma)) for lemma in lemmas)


def _find_denied(heard: Sequence[Heard], index: int) -> int | None:
    """ "It's on Wednesday, not Tuesday": the earlier statement that has what is denied here."""
    match = _CONTRAST.search(heard[index].text.strip())
    if match is None or not heard[index].is_asserted:
        return None
    old = match["old"].casefold()
    for i in range(index - 1, max(-1, index - 1 - _REACH), -1):
        said = heard[i]
        if said.is_asserted and said.own and any(old in word.forms for word in said.words):
            return i
    return None
