"""Shares of one whole that come to more than all of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise

from groundwire.detect.amounts.counts import Amount, add_up, read_number, show, show_sum, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text.numerals import reckon_fraction

_OVERLAPPING = re.compile(
    r"\b(?:multiple|more than one|overlap|also|both|(?<!make )(?<!makes )(?<!made )up"
    r"|growth|increase|rose|fell|discount|compared|versus|vs)\b"
)
_REST_FRONT = re.compile(r"\b(?:remaining|other|(?:rest|remainder)\b[^.;]{0,20}?)\s*$")
_REST_BEHIND = re.compile(r"\s+(?:(?:is|for|to|goes\s+to|on)\s+)?(?:the\s+(?:rest|remainder)|everything\s+else)\b")
_DIVIDED = re.compile(
    r"\b(?:split|divided|breakdown|made\s+up|consists?|composed|composition|allocated)\b"
    r"|\b(?:parts|groups|categories|pots|blocks|slices|portions|classes|segments|sources)\b[^:.;]{0,50}:"
)
_OF_WHOLE = re.compile(r"\W*of (?:the|our|all|its|their|these|those|his|her) [^,;:]{2,40}, (?=\d)")
""" "Of our 200 seats, 60 percent …": whatever follows is a share of them."""
_ELLIPTIC = re.compile(
    r"\s*(?!to\s+\d)(?:to|for|on|in|from|into|by|via|through|with|at|comes?\s+from|goes?\s+(?:to|into)|went\s+to)\s(?!\d)"
)
_PLACED = re.compile(r"\s+(?:in|at|on|by)\s")
_GAPPED = re.compile(r"(?:\s+of\s+[a-z]+(?:\s+[a-z]+)?)?,?\s+(?:and\s+)?(?:the\s+)?[a-z]+(?:\s+[a-z]+)?\s*")
_SHARED_BY = re.compile(
    r"\s*(?:of\s+(?:the\s+)?[a-z]+(?:\s[a-z]+)?\s+)?(?:(?:are|were|is|was|be|voted|said)\s+)?(?:in\s+)?(?:the\s+)?([a-z]+)"
)
_BASE = re.compile(r"\s*(?:of|among)\s+(?:the\s+|all\s+|our\s+|its\s+|their\s+)?(?P<noun>[a-z]+)")
_BREAKS_OFF = re.compile(r"\s*(?:[,.;)]|$|and\b)")
_GOES_ON = re.compile(r"\s*(?:[,.;]|$|is\b|are\b|was\b|were\b)")


def check_shares(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "40% of the budget goes to rent, 35% to food and 45% to leisure"."""
    shares = [a for a in amounts if a.unit == "%" and a.is_exact]
    if len(shares) < 2 or _OVERLAPPING.search(seen.low):
        return None
    bases = [match["noun"] for share in shares if (match := _BASE.match(seen.low, share.end)) is not None]
    if len(set(bases)) > 1:  # "60% of the women and 55% of the men"
        return None
    added = add_up(shares)
    if any(_is_rest(seen.low, share) for share in shares):
        wrong = added != 100 and len(shares) <= 6
    else:
        elliptic = all(_is_elliptic(seen.low, one, share) for one, share in pairwise(shares))
        if all(_PLACED.match(seen.low, share.end) for share in shares):
            elliptic = False  # "Turnout was 60% in Spain, 55% in Italy": a whole for each place
        apart = _are_votes(seen.low, shares) or (len(shares) == 2 and _name_rivals(seen.low, shares))
        is_divided = _DIVIDED.search(seen.low) is not None or _OF_WHOLE.match(seen.low) is not None
        wrong = added > 100 and (elliptic or apart or is_divided or _are_ingredients(seen.low, shares))
    return tell_clash(seen, shares[0].start, shares[-1].end, f"{show_sum(shares)}, not 100") if wrong else None


def _is_rest(low: str, share: Amount) -> bool:
    """ "the remaining 20 percent", "20 percent for the rest"; "the remaining 20 seats" are no share."""
    front = low[max(0, share.start - 40) : share.start]
    return _REST_FRONT.search(front) is not None or _REST_BEHIND.match(low, share.end) is not None


def _is_elliptic(low: str, before: Amount, share: Amount) -> bool:
    """ "35% to food", "food 30%": a share of the whole that was named before."""
    if _ELLIPTIC.match(low, share.end) is not None and not low[share.start - 4 : share.start].endswith("to "):
        return True
    gap = low[before.end : share.start]
    is_gapped = _GAPPED.fullmatch(gap) is not None and _BREAKS_OFF.match(low, share.end) is not None
    return " of " in low[: share.start] and is_gapped and "while" not in gap and " to " not in gap


_IS_MADE = re.compile(
    r"\b(?:tank|mix|mixture|blend|alloy|class|team|group|portfolio|fund|audience|staff|population|drink"
    r"|fabric|shirt|jumper|cake|soil|solution|fuel|budget|market|crowd|paint|dough|juice|wine|compound|parliament)s?"
    r"(?: [a-z]+){0,3} (?:is|are|was|were|contains?|has|had)(?: made of| about)? $"
)
_INGREDIENT = re.compile(r" (?:[a-z-]+ )?[a-z-]+(?:, and|,| and) ")


def _are_ingredients(low: str, shares: Sequence[Amount]) -> bool:
    """ "The tank is 40% diesel, 40% petrol and 30% water": what one thing is made of, in one list."""
    if _IS_MADE.search(low[: shares[0].start]) is None:
        return False
    return all(_INGREDIENT.fullmatch(low[one.end : share.start]) for one, share in pairwise(shares))


_TOO_MUCH = re.compile(r"\b(?P<rate>\d{3,4})\s?(?:%|percent|per cent) of (?:all|every|each)\b")


def check_more_than_all(seen: Sighting) -> Clash | None:
    """ "130 percent of all tickets": nobody has more than all of them."""
    match = _TOO_MUCH.search(seen.low)
    if match is None or int(match["rate"]) <= 100:
        return None
    return tell_clash(seen, match.start(), len(seen.text.rstrip(". ")), f"{match['rate']}% is more than all")


_SPLIT = re.compile(
    r"\b(?:split|divided|shared)(?: (?:equally|evenly|fairly))?(?: (?:among|between|by|into|across))?"
    r"(?: (?:the|us|you|all))? (?P<ways>\d{1,3}|[a-z]+)(?: (?:of (?:us|you|them)|[a-z]+))?,? "
    r"(?:the|your|our|their|those|these) [$€£]?(?P<whole>\d[\d,]*(?:\.\d+)?)(?: [a-z]+)? "
    r"(?:comes? to|makes?|is|are|gives?|means?|works? out (?:at|to)) "
    r"[$€£]?(?P<each>\d[\d,]*(?:\.\d+)?)(?: [a-z]+)? (?:each|apiece|per (?:head|person))\b"
)


def check_split(seen: Sighting) -> Clash | None:
    """ "Split three ways, the 120 euros come to 50 each"."""
    match = _SPLIT.search(seen.low)
    ways = read_number(match["ways"]) if match is not None else None
    if match is None or not ways or _ROUGH.search(seen.low):
        return None
    whole, each = (Fraction(match[name].replace(",", "")) for name in ("whole", "each"))
    if abs(whole / ways - each) < Fraction(1, 2):
        return None
    return tell_clash(seen, match.start("whole"), match.end(), f"{show(whole)} / {show(ways)} = {show(whole / ways)}")


def _are_votes(low: str, shares: Sequence[Amount]) -> bool:
    """ "40 percent voted yes, 35 percent voted no and 35 percent abstained": nobody casts two votes."""
    named = [_SHARED_BY.match(low, share.end) for share in shares]
    return all(match is not None and match[1] in read_words("votes", "sums") for match in named)


def _name_rivals(low: str, shares: Sequence[Amount]) -> bool:
    """ "60% are women and 50% are men": the two shares exclude each other."""
    named = [_SHARED_BY.match(low, share.end) for share in shares]
    words = {match[1] for match in named if match is not None}
    return any(set(pair.split()) <= words for pair in read_words("rivals", "sums"))


@cache
def _fractions() -> dict[str, Fraction]:
    """The parts of a whole that are told in words."""
    return {words: reckon_fraction(words) for words in read_words("parts", "sums")}


@cache
def _fraction_pattern() -> re.Pattern[str]:
    names = "|".join(sorted(_fractions(), key=len, reverse=True)).replace(" ", r"[\s-]")
    return re.compile(rf"\b({names})\b(?!\s+(?:a|an|past|hour|day|year|dozen|century|million)\b)")


_PART_OF = re.compile(
    r"\b(?:(?P<rate>\d{1,3})\s?(?:%|percent|per cent)|(?P<part>[a-z]+(?:[\s-][a-z]+)?))\s+of\s+"
    r"(?:(?:the|our|its|their|all)\s+)?(?P<whole>\d[\d,]{0,9})(?:\s+[a-z]+){1,3}?\s*[,(–—]\s*"
    r"(?:(?:that\s+is|i\.e\.|or|so|which\s+is|namely|meaning),?\s+)?(?P<many>\d[\d,]{0,9})\b(?![.,]\d|\s?%)"
)


def check_part_of(seen: Sighting) -> Clash | None:
    """ "Half of the 48 volunteers, that is 28 people"."""
    match = _PART_OF.search(seen.low) if "of" in seen.runs else None
    if match is None:
        return None
    named = re.sub(r"[\s-]", " ", match["part"] or "")
    if match["rate"]:
        part = Fraction(int(match["rate"]), 100)
    else:
        part = _fractions().get(named, _fractions().get(named.split()[-1]))
    if part is None or _ROUGH.search(seen.low[: match.start() + 12]):
        return None
    whole, many = (int(match[name].replace(",", "")) for name in ("whole", "many"))
    if not whole or abs(part * whole - many) < 1:
        return None
    return tell_clash(seen, match.start("many"), match.end("many"), f"{part} of {whole} is {float(part * whole):g}")


_COUNTED = re.compile(
    r"\b(?P<part>half|[a-z]+[\s-](?:thirds?|quarters?|fifths?))\b(?!-)[^.;:\d]{0,30}?[,(–—]\s*(?P<many>\d[\d,]{0,9})\s+(?:out\s+)?of\s+(?:the\s+|our\s+)?(?P<whole>\d[\d,]{0,9})\b"
)


def check_counted_part(seen: Sighting) -> Clash | None:
    """ "Half the class, 15 of 24 pupils"."""
    match = _COUNTED.search(seen.low)
    part = _fractions().get(re.sub(r"[\s-]", " ", match["part"])) if match is not None else None
    if match is None or part is None or _ROUGH.search(seen.low[: match.start()]):
        return None
    many, whole = (int(match[name].replace(",", "")) for name in ("many", "whole"))
    if not whole or abs(part * whole - many) <= max(1, whole // 20):
        return None
    return tell_clash(seen, match.start(), match.end(), f"{part} of {whole} is {float(part * whole):g}")


_PERCENT = re.compile(r"(?<![\d.,])(?P<rate>\d{1,3}(?:\.\d+)?)\s?(?:%|percent\b|per cent\b)")
_ROUGH = re.compile(r"\b(?:about|around|roughly|nearly|almost|over|more than|less than|under|some|well)\b")


_OF_A_PART = re.compile(r"\bof (?:them|these|those|which|whom|it|that)\b")
""" "Half came by car, a third of them late, the other half on foot": a part of a part."""


def check_fractions(seen: Sighting) -> Clash | None:
    """ "Half of the budget goes to rent, a third to food and another third to leisure"."""
    if " of " not in seen.low:
        return None
    found = [(m, _fractions()[re.sub(r"[\s-]", " ", m[1])]) for m in _fraction_pattern().finditer(seen.low)]
    rates = [(m, Fraction(m["rate"]) / 100) for m in _PERCENT.finditer(seen.low)] if found else []
    is_mixed, found = bool(rates), sorted([*found, *rates], key=lambda entry: entry[0].start())
    whole = sum(value for _, value in found)
    is_rest = any(m[1].startswith(("remaining", "the other")) for m, _ in found)
    if len(found) < 2 or whole == 1 or (whole < 1 and not is_rest):
        return None
    if is_mixed and (_OVERLAPPING.search(seen.low) or whole < 1 or any(a[1] == b[1] for a, b in pairwise(found))):
        return None  # "three quarters of them, 75 percent": the same said twice
    is_parted = is_rest and len(found) > 2 and _OF_A_PART.search(seen.low) is None
    if not is_parted and not all(
        _ELLIPTIC.match(seen.low, m.end()) or _GOES_ON.match(seen.low, m.end()) for m, _ in found[1:]
    ):
        return None
    evidence = f"{' + '.join(str(value) for _, value in found)} is not the whole"
    return tell_clash(seen, found[0][0].start(), len(seen.text.rstrip(". ")), evidence)
