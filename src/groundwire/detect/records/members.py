"""Members of a known list that are none: Section 31 of 22, a setting that no menu has, a branch in another town."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from groundwire.detect.examination import Examination
from groundwire.detect.records.invention import known_text
from groundwire.detect.records.public_names import public_class
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import KnowledgeBase
from groundwire.text.inflection import plural
from groundwire.text.numerals import has_digit, numerals
from groundwire.text.tables import read_table
from groundwire.types import Span

_LONGEST = 4_000
_CODE = r"(?:[A-Z]{1,3}-?)?\d{1,4}(?:\.\d{1,3})?[A-Za-z]?"
_DENIED = re.compile(r"\b(?:no|not|never|isn't|aren't|doesn't|don't|without|neither|nor|if|any)\b|n't\b", re.IGNORECASE)
_ITS_PLACE = re.compile(r"[A-Z][a-zà-ÿ]+(?:[ -][A-Z][a-zà-ÿ]+)?")


_RUN = re.compile(r"[a-z]+")


@cache
def _first_words(name: str) -> frozenset[str]:
    """One of which stands wherever a thing of such a kind is named, alone or with the mark of the plural."""
    heads = {kind.partition("-")[0].split()[0] for kind in _kinds(name)}
    return frozenset(heads | {f"{head}s" for head in heads})


def _may_name(name: str, text: str) -> bool:
    return not _first_words(name).isdisjoint(_RUN.findall(text.casefold()))


@cache
def _kinds(name: str) -> tuple[str, ...]:
    return tuple(sorted(read_table("kinds", "detect")[name], key=len, reverse=True))


def find_strange_members(examined: Examination) -> Iterator[tuple[Span, str]]:
    """Where each stands, and why there is no such thing."""
    told = known_text(examined)
    for segment in examined.segments:
        text = segment.text[:_LONGEST]
        if text.rstrip().endswith("?") or _DENIED.search(text):
            continue
        for start, end, reason in (
            *_numbered(text, told, examined.knowledge),
            *_named(text, told),
            *_placed(text, told),
        ):
            yield Span(segment.span.start + start, segment.span.start + end), reason


@cache
def _numbered_pattern() -> re.Pattern[str]:
    kinds = "|".join(re.escape(kind) for kind in _kinds("numbered"))
    return re.compile(rf"\b(?P<kind>(?i:{kinds})) (?P<code>{_CODE})\b(?![.,:]\d|\s?%|\s+(?:to|and|or)\s+\d)")


def _numbered(text: str, told: str, known: KnowledgeBase) -> Iterator[tuple[int, int, str]]:
    """Known are others of its kind by their numbers, or how many there are of them."""
    if not has_digit(text) or not _may_name("numbered", text):
        return
    for match in _numbered_pattern().finditer(text):
        kind, code = match["kind"].casefold(), match["code"].casefold()
        if code in told and re.search(rf"\b{re.escape(code)}\b", told):
            continue
        if kind not in told and plural(kind) not in told:
            continue
        many = _count_of(kind, told) or _count_on_record(kind, known)
        whole = code.partition(".")[0]
        if many is not None and whole.isdigit() and int(whole) > many:
            yield match.start(), match.end(), f"there are {many} of them"
            continue
        forms = rf"(?:{re.escape(kind)}|{re.escape(plural(kind))})(?: lines?)?"
        siblings = re.findall(rf"\b{forms} ((?:[a-z]{{1,3}}-?)?\d{{1,4}}(?:\.\d{{1,3}})?[a-z]?)\b", told)
        listed = re.search(
            rf"\b{forms} {_CODE.lower()}(?:, {_CODE.lower()})*,? (?:and|or|to) (?:{forms} )?{_CODE.lower()}",
            told,
        )
        if len(set(siblings)) >= 2 or (listed and not _lies_between(listed.group(), code)):
            yield match.start(), match.end(), f"known are others: {', '.join(sorted(set(siblings))[:4])}"


def _lies_between(words: str, code: str) -> bool:
    """ "lines 1 to 6" has line 4."""
    ends = re.search(r"(\d+) to (?:[a-z]+ )?(\d+)", words)
    return ends is not None and code.isdigit() and int(ends[1]) <= int(code) <= int(ends[2])


def _count_of(kind: str, told: str) -> int | None:
    match = re.search(
        r"\b(?:has|have|contains?|consists? of|there are|with)\s+(?:only |exactly |just )?"
        rf"(\d{{1,4}}|[a-z]+)\s+{re.escape(plural(kind))}\b",
        told,
    )
    if match is None:
        return None
    return int(match[1]) if match[1].isdigit() else numerals().units.get(match[1])


def _count_on_record(kind: str, known: KnowledgeBase) -> int | None:
    """ "sections: 8": how many the only thing has that says so."""
    entities = known.entities if isinstance(known, Knowledge) else ()
    counts = {
        v.value for e in entities for n, held in e.attributes.items() if n.casefold() == plural(kind) for v in held
    }
    only = counts.pop() if len(counts) == 1 else ""
    return int(only) if only.isdigit() else None


@cache
def _named_pattern() -> re.Pattern[str]:
    kinds = "|".join(re.escape(kind) for kind in _kinds("named"))
    quoted = r"[\"“‘'`\[](?P<{0}>[A-Za-z][\w ./-]{{1,30}})[\"”’'`\]]"
    return re.compile(
        rf"\b(?P<kind>(?i:{kinds}))s?\s+(?:called\s+|named\s+|labelled\s+)?{quoted.format('name')}"
        rf"|{quoted.format('first')}\s+(?P<kind2>(?i:{kinds}))\b"
        rf"|\b[Tt]he\s+(?P<plain>[A-Z][\w-]+(?:\s[A-Z][\w-]+)?)\s+(?P<kind3>{kinds})\b"
    )


def _named(text: str, told: str) -> Iterator[tuple[int, int, str]]:
    """The kind is known, and nothing known has the name."""
    if not _may_name("named", text):
        return
    for match in _named_pattern().finditer(text):
        kind = (match["kind"] or match["kind2"] or match["kind3"]).casefold()
        group = "name" if match["name"] else "first" if match["first"] else "plain"
        name = match[group]
        if not re.search(rf"\b(?:{re.escape(kind)}|{re.escape(plural(kind))})\b", told) or name.casefold() in told:
            continue
        if group == "plain" and public_class(name):
            continue
        if group == "plain" and any(f" {word.casefold()}" in told for word in name.split()):
            continue
        yield match.start(group), match.end(group), f"no {kind} of this name is known"


@cache
def _placed_pattern() -> re.Pattern[str]:
    kinds = "|".join(re.escape(kind) for kind in _kinds("placed"))
    return re.compile(
        rf"\b(?:our|the|your|their|its)\s+(?:[a-z]+\s+)?(?P<kind>{kinds})\s+in\s+(?P<place>{_ITS_PLACE.pattern})"
        rf"|\b(?:our|the|your|their|its)\s+(?P<place2>{_ITS_PLACE.pattern})\s+(?P<kind2>{kinds})\b"
    )


def _placed(text: str, told: str) -> Iterator[tuple[int, int, str]]:
    """Places of this kind are known, in other towns."""
    for match in _placed_pattern().finditer(text):
        kind, place = match["kind"] or match["kind2"], match["place"] or match["place2"]
        forms = rf"(?:{re.escape(kind)}|{re.escape(plural(kind))})"
        if place.casefold() in told or not re.search(rf"\b{forms}\b[^.]{{0,40}}\bin\b", told):
            continue
        if any(f" {word.casefold()}" in told for word in place.split()):
            continue
        yield match.start(), match.end(), f"known are others, none of them in {place}"
