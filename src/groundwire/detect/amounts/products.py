"""So many groups of so many: rooms on each floor, notebooks at four euros each, and what they make in all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product

from groundwire.detect.amounts.counts import Amount, either, may_count, read_amounts, read_number, show, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma

_LONGEST = 400
_HINT = re.compile(
    r"\b(?:each|every|per|apiece|so|a\s+piece|of\s+(?:\d|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty))"
)
_WORDS = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty"
    r"|sixty|a\s+hundred|a\s+dozen)(?![a-z-])"
)
COUNT = rf"(?:\d(?:[\d,]*\d)?(?:\.\d+)?|{_WORDS})"
_SPREAD = re.compile(
    rf"(?:\s+[a-z-]+){{1,2}}?\s+(?:(?:on|in|across|over|spread\s+(?:across|over)|divided\s+into|split\s+into|arranged\s+in|packed\s+in(?:to)?)\s+(?:the\s+)?{COUNT}\s+[a-z]+|in\s+(?:all|total)|altogether|overall)"
)
_SINGLE = re.compile(
    rf"\b(?:an?|one|each|every)\s+(?P<one>[a-z]+)\s+(?P<verb>[a-z]+)\s+(?P<count>{COUNT})\s+(?P<noun>[a-z]+)\b[^.;]{{0,30}}?\b(?P<many>{COUNT})\s+(?P<ones>[a-z]+)\s+(?:[a-z]+\s+)?(?P<whole>{COUNT})\s+(?P<same>[a-z]+)"
)


@cache
def _per() -> re.Pattern[str]:
    return re.compile(
        rf"\beach\s+(?:of\s+(?:the|them)\s+)?(?P<group>[a-z]+)?\s*(?:[a-z]+\s+)?{either('holding')}\s+(?P<count>{COUNT})\s+(?:[a-z-]+\s+)?(?P<noun>[a-z]+)"
        rf"|\b(?P<count2>{COUNT})\s+(?:[a-z-]+\s+)?(?P<noun2>[a-z]+)\s+(?:per|(?:on|in|at|for|to|from)\s+(?:each|every))\s+(?P<group2>[a-z]+)"
        rf"|\b(?P<groups>{COUNT})\s+(?P<group3>(?!instead\b|out\b|more\b)[a-z]+)\s+of\s+(?P<count3>{COUNT})(?!\s*,\s*\d|\s+and\s+\d|\d|[,.]\d)(?:\s+(?P<noun3>(?!and\b|each\b)[a-z]+))?(?:\s+each)?"
    )


@cache
def _frame() -> re.Pattern[str]:
    """In front of a number that tells the whole."""
    return re.compile(rf"\b{either('frames')}\s+(?:the\s+)?$")


@cache
def _open() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{either('rough', 'open_products')}|over\s+\d)\b")


def _check_single(seen: Sighting) -> Clash | None:
    """ "A box holds 6 bottles, so 8 boxes hold 54 bottles"."""
    match = _SINGLE.search(seen.low)
    if match is None or noun_lemma(match["one"]) != noun_lemma(match["ones"]) or _open().search(seen.low):
        return None
    if noun_lemma(match["noun"]) != noun_lemma(match["same"]):
        return None
    count, many, whole = (read_number(match[name]) for name in ("count", "many", "whole"))
    if count is None or many is None or whole is None or count * many == whole:
        return None
    return tell_clash(
        seen, match.start("many"), match.end(), f"{show(many)} times {show(count)} is {show(count * many)}"
    )


def find_wrong_products(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or not may_count(seen.low) or not _HINT.search(seen.low):
            continue
        before = sightings[place - 1] if place and len(sightings[place - 1].low) <= _LONGEST else None
        around = [s for s in (before, seen) if s is not None and not s.is_question]
        if any(_open().search(s.low) for s in around):
            continue
        if (clash := _check_single(seen)) is not None:
            yield clash
            continue
        for match in _per().finditer(seen.low):
            if (clash := _check(seen, match, around)) is not None:
                yield clash
                break


def _check(seen: Sighting, match: re.Match[str], around: Sequence[Sighting]) -> Clash | None:
    per = read_number(match["count"] or match["count2"] or match["count3"])
    noun, group = (
        match["noun"] or match["noun2"] or match["noun3"] or "",
        match["group"] or match["group2"] or match["group3"] or "",
    )
    if per is None or not group:
        return None
    groups = [read_number(match["groups"])] if match["groups"] else _counted(around, group, seen, match)
    wholes = _wholes(around, noun, group, seen, match)
    if len(groups) != 1 or groups[0] is None or len(wholes) != 1 or groups[0] < 2:
        return None
    right, said = groups[0] * per, wholes[0]
    if right == said or said in (groups[0], per):
        return None
    return tell_clash(
        seen, match.start(), match.end(), f"{show(groups[0])} times {show(per)} is {show(right)}, not {show(said)}"
    )


def _counted(around: Sequence[Sighting], group: str, seen: Sighting, match: re.Match[str]) -> list[Fraction | None]:
    found: list[Fraction | None] = []
    for other in around:
        for amount in read_amounts(other.low):
            inside = other is seen and match.start() <= amount.start < match.end()
            if not inside and amount.is_exact and amount.noun == noun_lemma(group):
                found.append(amount.value)
    return found


def _wholes(around: Sequence[Sighting], noun: str, group: str, seen: Sighting, match: re.Match[str]) -> list[Fraction]:
    """What is told as the whole: of the same noun, with a word that says so or spread over the groups."""
    found: list[Fraction] = []
    for other in around:
        for amount in read_amounts(other.low):
            inside = other is seen and match.start() <= amount.start < match.end()
            if inside or not amount.is_exact or not amount.noun or amount.noun == noun_lemma(group):
                continue
            if noun and amount.noun != noun_lemma(noun):
                continue
            if _frame().search(other.low[: amount.start]) or _SPREAD.match(other.low, amount.end):
                found.append(amount.value)
    return found


# ── bills ───────────────────────────────────────────────────────────────────────────────────────

_CURRENCY = r"(?:[$€£]|euros?|dollars?|pounds?|cents?|francs?|kroner|kronor)"
_MONEY = (
    rf"(?:[$€£]\s?\d[\d,]*(?:\.\d+)?|\d[\d,]*(?:\.\d+)?\s?{_CURRENCY}"
    r"|(?:two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)\s+(?:euros?|dollars?|pounds?))"
)
_ITEM = re.compile(
    rf"\b(?P<count>{COUNT}|an?)\s+(?:[a-z-]+\s+){{1,3}}?(?:at|for|costing|priced\s+at)\s+(?P<price>{_MONEY})(?P<each>\s+(?:each|apiece|per\s+[a-z]+|a\s+piece))?"
)
_TOTAL = re.compile(
    rf"\b(?:(?:that|this|it|which|they|the\s+bill|the\s+total|the\s+(?:whole\s+)?order)\s+(?:all\s+|altogether\s+)?(?:came\s+to|comes\s+to|makes|made|is|was|costs?|adds\s+up\s+to|totals|totalled)|total(?:ling|ing)?\s+(?:of|is|was)?|for\s+a\s+total\s+of|i\s+(?:paid|spent)|you\s+(?:pay|owe|spent|paid)|(?:she|he|we|they)\s+(?:paid|spent))\s+(?P<total>{_MONEY})"
)


_COSTS = re.compile(rf"(?:each|apiece)\s+(?:cost|costs|come\s+to|comes\s+to|make|makes)\s+(?P<total>{_MONEY})")


def find_wrong_bills(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "three notebooks at 4 euros each and a pen for 2 euros. That came to 16 euros"."""
    for place, seen in enumerate(sightings):
        total = (
            _TOTAL.search(seen.low) or _COSTS.search(seen.low)
            if not seen.is_question and len(seen.low) <= _LONGEST
            else None
        )
        if total is None or _open().search(seen.low):
            continue
        sources = [(seen, seen.low[: total.start("total")])]
        if place and len(sightings[place - 1].low) <= _LONGEST:
            sources.append((sightings[place - 1], sightings[place - 1].low))
        for source, text in sources:
            right = read_bill(text)
            said = _price(total["total"])
            if right and said is not None and not _open().search(source.low) and said not in right:
                evidence = f"that is {' or '.join(show(value) for value in sorted(right))}, not {show(said)}"
                yield tell_clash(seen, total.start(), total.end(), evidence)
                break


def find_items(text: str) -> list[tuple[int, int]]:
    """Where items with their prices stand, if there are several."""
    found = [item.span() for item in _ITEM.finditer(text)]
    return found if len(found) > 1 else []


def read_bill(text: str) -> set[Fraction]:
    """What the items come to; empty where some number is no part of them. A price without "each" may be for all."""
    items = list(_ITEM.finditer(text))
    told = [a for a in read_amounts(text) if not _is_inside(a, items)]
    if len(items) < 1 or told or not any(item["each"] for item in items):
        return set()
    choices: list[set[Fraction]] = []
    for item in items:
        count = Fraction(1) if item["count"] in ("a", "an") else read_number(item["count"])
        price = _price(item["price"])
        if count is None or price is None:
            return set()
        choices.append({count * price} if item["each"] else {price, count * price})
    return {sum(chosen, Fraction(0)) for chosen in product(*choices)}


def _is_inside(amount: Amount, items: Sequence[re.Match[str]]) -> bool:
    return any(item.start() <= amount.start < item.end() for item in items)


def _price(words: str) -> Fraction | None:
    return read_number(re.sub(_CURRENCY, "", words).strip())
