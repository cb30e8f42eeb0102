"""Lists of an answer against lists on record: "English, German and Spanish", where it is English, German and Polish."""

from __future__ import annotations

import re
from dataclasses import dataclass

from groundwire.detect.records.facets import Facet, same_words
from groundwire.types import Span

_JOINT = re.compile(r"\s*(?:,\s*(?:and|or|&)?|\band\b|\bor\b|&|\bas well as\b)\s*")
_NAME = re.compile(r"[A-Z][\w'’.-]*(?: (?:[A-Z][\w'’.-]*|\d{1,4}))*")
_LEAD = re.compile(r"^(?:(?:in|on|with|by|the|a|an|some|either|both|also|from|to|for)\s+)+", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_][\w'’-]*(?: [^\W\d_][\w'’-]*)?")
_CLOSED = re.compile(
    r"\s+(?:in|on|at|for|with|to|from|by|which|that|who|so|is|are|was|if|when|instead|too|only|every|each|all)\b.*$"
)
_SIGNS = re.compile(r"[^\w]+")
_FEWEST, _MOST = 2, 12


@dataclass(frozen=True, slots=True)
class Listing:
    """A list that has some of the stored members and others in the place of the rest."""

    items: tuple[str, ...]
    strange: str
    span: Span


def find_listing(facet: Facet, text: str, start: int) -> Listing | None:
    """The list of a clause that has a member on record, one that is none, and not all of those that are."""
    members = [value.value for value in facet.values]
    if len(members) < _FEWEST or len(members) > _MOST or facet.kind == "amount":
        return None
    parts = _split(text)
    kept = [_is_member(part, members) for part, _ in parts]
    if not any(kept) or all(any(_is_member(part, [m]) for part, _ in parts) for m in members):
        return None
    first, last = kept.index(True), len(kept) - 1 - kept[::-1].index(True)
    items: list[tuple[str, int, bool]] = []
    for place in range(max(0, first - 1), min(len(parts), last + 2)):
        part, at = parts[place]
        item = _kept(part, members) or _read_item(part, members, is_first=place < first, is_last=place > last)
        if item:
            items.append((item, at + max(0, part.find(item)), kept[place]))
    strange = next(((item, at) for item, at, is_kept in items if not is_kept), None)
    if strange is None or len(items) < _FEWEST:
        return None
    begin = start + strange[1]
    return Listing(tuple(item for item, _, _ in items), strange[0], Span(begin, begin + len(strange[0])))


def _split(text: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    at = 0
    for match in _JOINT.finditer(text):
        found.append((text[at : match.start()], at))
        at = match.end()
    return [*found, (text[at:], at)]


def _kept(part: str, members: list[str]) -> str:
    """The member that stands in a part of the list."""
    return next((member for member in members if _is_member(part, [member])), "")


def _is_member(part: str, members: list[str]) -> bool:
    said = f" {_spell(part)} "
    return any(f" {_spell(member)}".removesuffix("s") in said for member in members)


def _spell(text: str) -> str:
    return _SIGNS.sub(" ", text.casefold()).strip()


def _read_item(part: str, members: list[str], *, is_first: bool, is_last: bool) -> str:
    """What stands in a list beside its members: a name beside names, a word or two beside words."""
    if all(member[:1].isupper() for member in members):
        names = [match.group() for match in _NAME.finditer(part)]
        names = [name for name in names if not is_first or (part.endswith(name) and name != part)]
        return (names[-1] if is_first else names[0]) if names else ""
    if is_first:
        return ""
    plain = _LEAD.sub("", _CLOSED.sub("", part).strip(" .!"))
    found = _WORDS.fullmatch(plain)
    return plain if found is not None and (is_last or plain == part.strip()) else ""


def tell_listing(listing: Listing) -> str:
    return " and ".join(listing.items)


def is_new(listing: Listing, facet: Facet) -> bool:
    """Whether what is strange is no other word for a member."""
    return not any(same_words(listing.strange, value.value) for value in facet.values)
