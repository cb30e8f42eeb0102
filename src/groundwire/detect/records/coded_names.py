"""Names that are written and not spoken: functions, commands, options, packages. Who knows some of a family knows
which others there are not: `frame.sort_by` is known, `frame.purge_blanks` is nobody's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import cast

from groundwire.detect.examination import Examination
from groundwire.detect.records.invention import known_text
from groundwire.evidence.knowledge import Knowledge
from groundwire.text import lexicon
from groundwire.text.function_words import closed_classes
from groundwire.text.tables import read_table
from groundwire.types import Span

_LONGEST = 4_000
_MEMBER = re.compile(
    r"(?<![\w./@-])(?P<family>[A-Za-z_]\w{0,40})(?P<dot>\.|::|->)(?P<name>[A-Za-z_]\w{1,60})(?:\(\)?)?"
)
_CALL = re.compile(r"(?<![\w.])(?P<name>[a-z]\w{0,40}(?:_\w{1,40}|[a-z][A-Z]\w{1,40}))\(\)?")
_OPTION = re.compile(r"(?<![\w-])--(?P<name>[a-z][\w-]{1,40})")
_SPOKEN = re.compile(
    r"`(?P<quoted>[a-z][\w-]{1,30}) (?P<sub>[a-z][\w-]{1,30})|"
    r"\b(?:[Rr]un|[Uu]se|[Tt]ype|[Ee]nter|[Cc]all|[Tt]ry|[Ee]xecute|with) "
    r"(?P<plain>[a-z][\w-]{1,30}) (?P<sub2>[a-z][\w-]{1,30})"
)
_SHAPED = r"(?P<name>[a-z][a-z\d]*(?:[-_.][a-z\d]+)+|[a-z]+[A-Z]\w+)"
_EVERYWHERE = frozenset({"help", "version"})
_DENIED = re.compile(r"\b(?:no|not|never|without|neither|nor|if|any|unknown)\b|n['’]t\b", re.IGNORECASE)
_FEWEST = 2


def find_unknown_codes(examined: Examination) -> Iterator[tuple[Span, str]]:
    """Where each stands, and what else of its family is known."""
    known = examined.knowledge
    if not isinstance(known, Knowledge) or not known.entities:
        return
    told = known_text(examined)
    for segment in examined.segments:
        text = segment.text[:_LONGEST]
        if text.rstrip().endswith("?") or _DENIED.search(text):
            continue
        for start, end, reason in (*_members(text, told, known), *_options(text, told), *_commands(text, told, known),
                                   *_packages(text, told, known)):  # fmt: skip
            yield Span(segment.span.start + start, segment.span.start + end), reason


def _names(known: Knowledge) -> list[str]:
    return [name for entity in known.entities for name in (entity.name, *entity.aliases)]


def _families(known: Knowledge) -> Counter[str]:
    """How many known names begin with the same word and a dot, a colon or a blank: "frame.", "skiff "."""
    kept = known.memo.get("families of names")
    if kept is None:
        heads = (re.match(r"([A-Za-z_][\w-]{0,40})(\.|::|->| )(?=\w)", name) for name in set(_names(known)))
        kept = known.memo["families of names"] = Counter(f"{m[1]}{m[2]}" for m in heads if m is not None)
    return cast("Counter[str]", kept)


def _count(known: Knowledge, kind: str) -> int:
    """How many entities are functions, by their whole type, or programs, by a word of it."""
    key = f"number of {kind}"
    kept = known.memo.get(key)
    if kept is None:
        types = (e.type.casefold() for e in known.entities)
        kinds = _kinds(kind)
        kept = sum(type_ in kinds if kind == "callable" else not kinds.isdisjoint(type_.split()) for type_ in types)
        known.memo[key] = kept
    return cast("int", kept)


def _is_told(name: str, told: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(name.casefold())}(?![\w-])", told) is not None


def _members(text: str, told: str, known: Knowledge) -> Iterator[tuple[int, int, str]]:
    families = _families(known)
    for match in _MEMBER.finditer(text):
        family = f"{match['family']}{match['dot']}"
        if families[family] >= _FEWEST and not _is_told(match["name"], told):
            yield match.start(), match.end(), f"known are others of {match['family']}"
    for match in _CALL.finditer(text) if _count(known, "callable") >= _FEWEST else ():
        if not _is_told(match["name"], told):
            yield match.start(), match.end(), "known are other functions"


def _options(text: str, told: str) -> Iterator[tuple[int, int, str]]:
    if "--" not in text or _OPTION.search(told) is None:
        return
    for match in _OPTION.finditer(text):
        if match["name"] not in _EVERYWHERE and not re.search(
            rf"--{re.escape(match['name'].casefold())}(?![\w-])", told
        ):
            yield match.start(), match.end(), "known are other options"


def _commands(text: str, told: str, known: Knowledge) -> Iterator[tuple[int, int, str]]:
    families = _families(known)
    for match in _SPOKEN.finditer(text):
        group = "quoted" if match["quoted"] else "plain"
        head, sub = match[group], match["sub"] or match["sub2"]
        if families[f"{head} "] < _FEWEST or sub in closed_classes() or _is_told(f"{head} {sub}", told):
            continue
        yield match.start(group), match.end(), f"known are other commands of {head}"


@cache
def _kinds(name: str) -> frozenset[str]:
    return frozenset(read_table("kinds", "detect")[name])


@cache
def _package_pattern() -> re.Pattern[str]:
    kinds = "|".join(sorted(map(re.escape, _kinds("packaged")), key=len, reverse=True))
    return re.compile(rf"\b(?:the|a|an|our|its) (?:[a-z]+ )?(?:{kinds})s? (?:called |named )?`?{_SHAPED}")


def _packages(text: str, told: str, known: Knowledge) -> Iterator[tuple[int, int, str]]:
    """ "The library libfoo-core", where programs are known and this is none of them."""
    if not _count(known, "packaged"):
        return
    for match in _package_pattern().finditer(text):
        parts = re.split(r"[-_.]", match["name"])
        is_plain = all(lexicon.is_known(part) for part in parts) and "_" not in match["name"]
        if not is_plain and not _is_told(match["name"], told):
            yield match.start("name"), match.end("name"), "nothing of this name is known"
