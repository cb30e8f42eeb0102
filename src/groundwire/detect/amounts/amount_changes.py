"""Changes of an amount: doubled, rose by a fifth, gave three away, and what must be left then."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from groundwire.detect.amounts.counts import read_amounts, read_number, show, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text.numerals import parse_digits

_EQUATION = re.compile(
    r"(?<![\w.,])(?P<one>\d{1,12}(?:\.\d{1,6})?)\s*(?P<sign>[+×x*−/÷-])\s*(?P<two>\d{1,12}(?:\.\d{1,6})?)\s*(?:=|is|equals|makes)"
    r"\s*(?P<result>\d{1,12}(?:\.\d{1,6})?)(?![\w.,]?\d|\s*[-+×x*/÷])"
)
_SAID_SUM = re.compile(
    r"(?<![\w.,])(?P<one>\d{1,9}(?:\.\d{1,4})?|[a-z]{3,12})(?:\s?(?P<unit>[a-z%€$£]{1,10}))?\s+"
    r"(?P<sign>plus|minus|times|multiplied\s+by|divided\s+by)\s+"
    r"(?P<two>\d{1,9}(?:\.\d{1,4})?|[a-z]{3,12})(?:\s?(?P<same>[a-z%€$£]{1,10}))??\s+(?:is|are|equals|makes?|gives?|comes\s+to)\s+"
    r"(?P<result>\d{1,9}(?:\.\d{1,4})?|[a-z]{3,12})(?![\w.,]?\d|\s+(?:plus|minus|times)\b)"
)
_SIGNS = frozenset({"plus", "minus", "times", "multiplied", "divided"})
_BEFORE_NOW = re.compile(
    r"\b(?P<verb>[a-z]+|went\s+(?:up|down))\s+by\s+(?:exactly\s+)?(?P<rate>\d{1,3}(?:\.\d)?)\s?(?:%|per\s?cent)[^.]{0,60}?"
    r"\b(?:used\s+to\s+(?:cost|be|pay)|cost|was|were|paid)\s+[$€£]?(?P<one>\d[\d,]*(?:\.\d+)?)[^.\d]{0,40}?\bnow\b[^.\d]{0,20}?"
    r"[$€£]?(?P<two>\d[\d,]*(?:\.\d+)?)"
)
_CHANGE = re.compile(
    r"\b(?P<verb>doubled|tripled|quadrupled|halved|(?P<up>rose|grew|increased|climbed|went\s+up|jumped)"
    r"|(?P<down>fell|dropped|decreased|declined|shrank|went\s+down))\s+(?:by\s+)?(?:(?P<rate>\d{1,3}(?:\.\d)?)\s?(?:%|percent)\s*,?\s+)?"
    r"from\s+(?P<one>[$€£]?\d[\d,.]{0,20}\d|\d)\s*(?:[a-z]+\s+){0,3}to\s+(?P<two>[$€£]?\d[\d,.]{0,20}\d|\d)(?P<unit>\s?%)?"
)
_TIMES = {"doubled": Fraction(2), "tripled": Fraction(3), "quadrupled": Fraction(4), "halved": Fraction(1, 2)}
_N = r"\d[\d,]{0,12}|[a-z]{2,12}(?:-[a-z]{2,8})?"
_LOST = r"sold|lost|removed|given\s+away|broken|eaten|used|donated|deleted|cancelled|closed|stolen|returned"
_START = re.compile(
    rf"\b(?:had|started\s+with|began\s+with|there\s+were|there\s+are|has|have|received|bought|collected|raised|earned|saved|cut\s+into|divided\s+into|contains?|held|owned)\s+(?P<n>{_N})\s+"
    r"(?:[a-z]+\s+)?(?P<noun>[a-z]{3,})"
)
_MINUS = re.compile(
    r"\b(?:gave\s+away|gave|sold|lost|ate|used|spent|removed|donated|broke|threw\s+away|returned|deleted|left|died|quit|resigned|closed"
    rf"|cancelled|withdrew)\s+(?P<n>{_N})\b|\b(?P<n2>{_N})\s+(?:of\s+them\s+|[a-z]+\s+)?(?:were|was)\s+(?:{_LOST})\b"
    rf"|\b(?P<n3>{_N})\s+(?:of\s+them\s+|[a-z]+\s+)?(?:left|died|quit|resigned|withdrew|dropped\s+out)\b"
)
_PLUS = re.compile(
    rf"\b(?:bought|found|added|gained|hired|got|received|joined|acquired|baked|made)\s+(?:another\s+)?(?P<n>{_N})\s*(?:more|new)?\b"
)
_LEFT = re.compile(
    rf"\b(?P<n>{_N})\s+(?:(?P<noun>[a-z]+)\s+)?(?:are\s+|is\s+|were\s+)?(?:left|remain(?:ed|ing|s)?|still\s+there)\b"
    rf"|\b(?:leaving|leaves)\s+(?:(?:him|her|them|us|me|you)\s+(?:with\s+)?)?(?P<n2>{_N})\b"
)


_TAKEN = re.compile(
    rf"\b(?:ate|eaten|sold|took|taken|used|lost|broke|drank|gave\s+away|removed|spent|finished|opened|returned|cancelled|threw\s+away|donated|deleted)\s+(?P<n>{_N})\s+of\s+"
    rf"(?:the|his|her|its|their|our|my|your)\s+(?P<whole>{_N})\s+[a-z]+"
)


def check_equation(seen: Sighting) -> Clash | None:
    for match in _EQUATION.finditer(seen.low):
        one, two, result = (Fraction(match[name]) for name in ("one", "two", "result"))
        right = _compute(one, two, match)
        digits = len(match["result"].partition(".")[2])
        if right is not None and abs(right - result) > Fraction(1, 2 * 10**digits):
            evidence = f"{match['one']} {match['sign']} {match['two']} = {show(right)}"
            return tell_clash(seen, match.start(), match.end(), evidence)
    return None


def check_said_sum(seen: Sighting) -> Clash | None:
    """ "5 kg plus 3 kg makes 9 kg", "seven times eight is 54"."""
    for match in _SAID_SUM.finditer(seen.low) if not _SIGNS.isdisjoint(seen.runs) else ():
        one, two, result = (read_number(match[name]) for name in ("one", "two", "result"))
        sign = match["sign"].split()[0]
        if (
            one is None
            or two is None
            or result is None
            or (match["unit"] or "") != (match["same"] or match["unit"] or "")
        ):
            continue
        if sign == "divided" and not two:
            continue
        right = {"plus": one + two, "minus": one - two}.get(sign)
        right = right if right is not None else one / two if sign == "divided" else one * two
        digits = len(match["result"].partition(".")[2])
        if abs(right - result) > Fraction(1, 2 * 10**digits):
            evidence = f"{match['one']} {match['sign']} {match['two']} is {show(right)}"
            return tell_clash(seen, match.start(), match.end(), evidence)
    return None


def check_before_and_now(seen: Sighting) -> Clash | None:
    """ "Prices rose by 10 percent, so the ticket that used to cost 20 euros is now 18"."""
    match = _BEFORE_NOW.search(seen.low)
    if match is None:
        return None
    way = (
        1
        if match["verb"] in read_words("rising", "sums")
        else -1
        if match["verb"] in read_words("falling", "sums")
        else 0
    )
    one, two = (parse_digits(match[name].strip(".,")) for name in ("one", "two"))
    if not way or not one or two is None:
        return None
    wanted = Fraction(one) * (1 + way * Fraction(match["rate"]) / 100)
    if abs(Fraction(two) - wanted) <= Fraction(3, 100) * wanted:
        return None
    return tell_clash(seen, match.start("one"), match.end(), f"that would be {show(wanted)}, not {match['two']}")


def _compute(one: Fraction, two: Fraction, match: re.Match[str]) -> Fraction | None:
    match match["sign"]:
        case "+":
            return one + two
        case "-" | "−":
            return one - two if re.search(r"\s[-−]\s", match.group()) else None  # 3-4 is a range
        case "/" | "÷":
            return one / two if two and re.search(r"\s[/÷]\s", match.group()) else None
        case _:
            return one * two


def check_change(seen: Sighting) -> Clash | None:
    """ "doubled from 50 to 90", "rose 20% from 100 to 150", "rose from 80 to 60"."""
    match = _CHANGE.search(seen.low)
    if match is None:
        return None
    one, two = (parse_digits(match[name].strip("$€£.,")) for name in ("one", "two"))
    years = all(re.fullmatch(r"(?:19|20)\d\d", match[name].strip(".,")) for name in ("one", "two"))
    if not one or two is None or years:
        return None
    ratio, wanted = Fraction(two) / Fraction(one), _TIMES.get(match["verb"])
    if wanted is None and match["rate"] and not match["unit"]:
        change = Fraction(match["rate"]) / 100
        wanted = 1 + change if match["up"] else 1 - change
    if wanted is None:
        wrong = bool(match["up"] and ratio < 1) or bool(match["down"] and ratio > 1)
    else:
        wrong = abs(ratio - wanted) > Fraction(3, 100) * wanted
    return (
        tell_clash(seen, match.start(), match.end(), f"{match['one']} to {match['two']} is another change")
        if wrong
        else None
    )


def find_wrong_rests(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "had 10 apples, gave away 3 and has 8 left", over at most three sentences."""
    for place, seen in enumerate(sightings):
        left = _LEFT.search(seen.low) if len(seen.low) <= 600 else None
        if left is None:
            continue
        window = [s.low for s in sightings[max(0, place - 2) : place] if len(s.low) <= 300]
        text = " ".join([*window, seen.low[: left.start()]])
        start = _START.search(text)
        taken = _TAKEN.search(text)
        if start is None and taken is not None and len(read_amounts(text[taken.start() :])) == 2:
            whole, gone, rest = (read_number(n) for n in (taken["whole"], taken["n"], left["n"] or left["n2"]))
            if whole is not None and gone is not None and rest is not None and whole - gone != rest:
                yield tell_clash(seen, left.start(), left.end(), f"{show(whole - gone)} are left, not {show(rest)}")
            continue
        rest = read_number(left["n"] or left["n2"])
        if start is None or rest is None:
            continue
        expected = _expect(read_number(start["n"]), text[start.end() :])
        if expected is not None and expected != rest:
            yield tell_clash(seen, left.start(), left.end(), f"{show(expected)} are left, not {show(rest)}")


def _expect(first: Fraction | None, behind: str) -> Fraction | None:
    """What is left of the first amount after every change; None where a number has no part in it."""
    minus = [read_number(m["n"] or m["n2"] or m["n3"]) for m in _MINUS.finditer(behind)]
    plus = [read_number(m["n"]) for m in _PLUS.finditer(behind)]
    lost, won = [n for n in minus if n is not None], [n for n in plus if n is not None]
    if first is None or not (lost or won) or len(read_amounts(behind)) != len(lost) + len(won):
        return None
    return first - sum(lost, Fraction(0)) + sum(won, Fraction(0))
