"""Parts told twice: two thirds of ninety and "that's 45", from 80 to 100 and "a rise of 40 percent"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache

from groundwire.detect.amounts.counts import either, read_amounts, read_number, show, tell_clash
from groundwire.detect.amounts.products import COUNT
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.numerals import has_digit, reckon_fraction

_LONGEST = 400
_PART = (
    r"(?:(?P<rate>\d{1,3}(?:\.\d+)?)\s?(?:%|per\s?cent)"
    r"|(?P<named>half|(?:an?|one|two|three|four|five|seven|nine)[\s-](?:third|quarter|fifth|sixth|eighth|tenth)s?))"
)
_FRACTION = re.compile(rf"\b{_PART}(?!\w)")


@cache
def _said() -> re.Pattern[str]:
    return re.compile(
        rf"(?:^\s*|[,;:(–—]\s*)(?:(?:and|so)\s+)?{either('restating')}\s+(?:exactly\s+|just\s+)?(?P<count>{COUNT})\s+(?P<noun>[a-z]+)"
    )


@cache
def _open() -> re.Pattern[str]:
    half = r"half\s+(?:the\s+[a-z]+\s+of|as|its|his|her|again)"
    return re.compile(rf"\b(?:{either('rough', 'open_proportions')}|{half})\b")


def find_wrong_proportions(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or not has_digit(seen.low):
            continue
        before = sightings[place - 1] if place and len(sightings[place - 1].low) <= _LONGEST else None
        clash = _check_said(seen, before) or _check_full(seen) or _check_rate(seen) or _check_average(seen)
        if clash is not None:
            yield clash
    for seen in sightings:
        if "equally" in seen.words or "evenly" in seen.words:
            clash = _check_equal(seen)
            if clash is not None:
                yield clash


def _check_said(seen: Sighting, before: Sighting | None) -> Clash | None:
    """ "Of the 90 patients, two thirds recovered. That's 45 people." """
    match = _said().search(seen.low)
    if match is None:
        return None
    front = seen.low[: match.start()]
    text = front if _FRACTION.search(front) else before.low if before is not None and not front.strip() else ""
    parts = list(_FRACTION.finditer(text))
    if len(parts) != 1 or _open().search(text):
        return None
    wholes = [a for a in read_amounts(text) if a.unit != "%" and not parts[0].start() <= a.start < parts[0].end()]
    said = read_number(match["count"])
    if said is None or len(wholes) != 1 or not wholes[0].is_exact or wholes[0].has_sign:
        return None
    right = wholes[0].value * _share(parts[0])
    others = wholes[0].value - right
    if any(abs(said - value) <= max(Fraction(1), value / 50) for value in (right, others)) or said == wholes[0].value:
        return None
    evidence = f"{parts[0].group()} of {show(wholes[0].value)} is {show(right)}, not {show(said)}"
    return tell_clash(seen, match.start("count"), match.end(), evidence)


_FULL = re.compile(
    rf"\bholds?\s+(?P<whole>{COUNT})\s+(?P<noun>[a-z]+)\b[^.;]{{0,20}}?\b(?:is|are|only)\s+(?:exactly\s+)?{_PART}\s+(?P<way>full|empty)\b[^.;]{{0,30}}?\b(?P<count>{COUNT})\s+(?P=noun)\b(?P<tail>\s+(?:in\s+it|inside|are\s+left|left|fit|are\s+missing|short))?"
)


def _check_full(seen: Sighting) -> Clash | None:
    """ "holds 60 litres and is a third full, so there are 30 litres in it"."""
    match = _FULL.search(seen.low)
    if match is None:
        return None
    whole, share, said = read_number(match["whole"]), _share(match), read_number(match["count"])
    if whole is None or said is None or said in (whole * share, whole * (1 - share)):
        return None
    return tell_clash(seen, match.start("count"), match.end(), f"{show(whole * share)} of {show(whole)}")


def _share(match: re.Match[str]) -> Fraction:
    return Fraction(match["rate"]) / 100 if match["rate"] else reckon_fraction(match["named"])


@cache
def _rate() -> re.Pattern[str]:
    change, percent, scale = either("changes"), r"(?:%|per\s?cent)", r"\s?(?:%|million|billion|k|m)\b"
    amount, number = r"[$€£]?(?P<{}>\d[\d,]*(?:\.\d+)?)", r"\d{1,4}(?:\.\d+)?"
    return re.compile(
        rf"\bfrom\s+{amount.format('one')}(?P<scale>{scale})?[^.;\d]{{0,40}}?"
        rf"\bto\s+{amount.format('two')}(?P<scale2>{scale})?[^.;\d]{{0,40}}?"
        rf"(?:\ban?\s+(?:[a-z]+\s+)?(?P<noun>{change})\s+of\s+"
        rf"(?P<about>(?:about|around|roughly|nearly|almost|over|more\s+than)\s+)?(?P<rate>{number})\s?{percent}(?!\s*age)"
        rf"|\ban?\s+(?P<about2>(?:roughly|about)\s+)?(?P<rate2>{number})(?:\s?{percent}|-per\s?cent)\s+{change})"
    )


def _check_rate(seen: Sighting) -> Clash | None:
    match = _rate().search(seen.low)
    if match is None or (match["scale"] or "").strip() == "%" or "point" in seen.low:
        return None
    if (match["scale"] or match["scale2"] or "") != (match["scale2"] or match["scale"] or ""):
        return None
    one, two = read_number(match["one"].rstrip(",.")), read_number(match["two"].rstrip(",."))
    rate = Fraction(match["rate"] or match["rate2"])
    if not one or two is None:
        return None
    right = abs(two - one) / one * 100
    slack = max(Fraction(1), right / 10 if match["about"] or match["about2"] else right / 50)
    if abs(right - rate) <= slack:
        return None
    start = match.start("noun") if match["noun"] else match.start("rate2")
    return tell_clash(seen, start, match.end(), f"from {match['one']} to {match['two']} is {float(right):.0f} percent")


_AVERAGE = re.compile(
    r"\b(?:average|mean)\s+of\s+(?P<list>\d[\d.]*(?:,\s*\d[\d.]*)*,?\s+and\s+\d[\d.]*)[^.;\d]{0,20}?\s(?:is|was|equals|comes\s+to)\s+(?P<said>\d[\d,]*(?:\.\d+)?)"
)


def _check_average(seen: Sighting) -> Clash | None:
    match = _AVERAGE.search(seen.low)
    if match is None:
        return None
    values = [Fraction(number.rstrip(".")) for number in re.findall(r"\d+(?:\.\d+)?", match["list"])]
    right, said = sum(values, Fraction(0)) / len(values), read_number(match["said"])
    if said is None or abs(right - said) < max(Fraction(1, 10), right / 100):
        return None
    return tell_clash(seen, match.start("said"), match.end("said"), f"the average is {float(right):g}")


_EQUAL = re.compile(
    rf"\b(?:divided|split|shared|distributed)\s+(?:equally|evenly)\s+(?:among|between|by|amongst|across)\s+(?:the\s+|all\s+|his\s+|her\s+|their\s+|its\s+)?(?P<count>{COUNT})\s+[a-z]+\b[^.;]*?\b(?:each|every|apiece)\b[^.;]{{0,24}}?{_PART}"
)


def _check_equal(seen: Sighting) -> Clash | None:
    match = _EQUAL.search(seen.low)
    count = read_number(match["count"]) if match is not None else None
    if match is None or not count or abs(_share(match) - 1 / count) <= Fraction(1, 100):
        return None
    return tell_clash(seen, match.start("count"), match.end(), f"each of {show(count)} gets one part in {show(count)}")
