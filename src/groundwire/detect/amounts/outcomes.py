"""Results: a number that is said to follow from others must be one that follows from them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import prod
from typing import NamedTuple

from groundwire.detect.amounts.counts import Amount, add_up, either, may_count, read_amounts, show, tell_clash
from groundwire.detect.amounts.pools import is_rated
from groundwire.detect.amounts.products import find_items
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting, read_words
from groundwire.text.numerals import reckon_fraction

_LONGEST = 500
_MOST = 6
"""No more numbers than these are put together: among many, some always fit."""
_MAKES = re.compile(
    r"\b(?:(?:which|that|this|it|they|these|those|so|together|altogether|all)\s+(?:all\s+|now\s+|then\s+)?"
    r"(?:makes?|made|comes?\s+to|came\s+to|adds?\s+up\s+to|gives?|equals?|totals?|leaves?|left|means?|amounts?\s+to|is|are|was|were|costs?)"
    r"|now\s+(?:costs?|sells?\s+for|comes?\s+to)|comes?\s+down\s+to|that's|that’s|making|giving|leaving|total(?:l?ing|s|led)?|(?:a|the)\s+(?:grand\s+)?(?:total|sum|balance|remainder|rest)\s+(?:of|is|was|comes\s+to)"
    r"|(?:so\s+(?:i|we|she|he|they|you)\s+(?:only\s+)?(?:paid|pay|pays|owe|owed|spent))|you(?:'ll|’ll|\s+will|\s+would)?\s+(?:only\s+|still\s+|then\s+|now\s+)?(?:pay|owe|get|have|need)|(?:=|→))"
    r"\s+(?:you\s+|us\s+|me\s+|them\s+|him\s+|her\s+)?(?:with\s+)?(?:a\s+(?:total|sum|rest)\s+of\s+)?(?:exactly\s+|just\s+|only\s+|another\s+)?$"
)
_SUM_BEHIND = re.compile(
    r"(?:\s+[a-z'-]+){0,3}?\s*,?\s+(?:in\s+(?:all|total|sum)|altogether|overall|combined|together|total)\b"
)
_REST_BEHIND = re.compile(
    r"(?:\s+(?!(?:and|but|he|she|they|we|you|who)\b)[a-z'-]+){0,2}?\s+(?:(?:are|is|were|was|have|has|'s|will\s+be)\s+)?(?:still\s+)?"
    r"(?:left|left\s+over|over(?=\s*(?:[.,;:!)]|$))|remain(?:s|ed|ing)?|to\s+go|to\s+spare|unspent|unused|free|available|outstanding|missing|spare)\b"
)
_DATED = re.compile(
    r"\d:\d|\b(?:1[5-9]|2[01])\d\d\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|morning|evening|noon|night|\d\s?[ap]\.?m\b",
    re.IGNORECASE,
)
_ALL_OF_US = re.compile(r"\bthe [a-z]+ of (?:you|us|them)\b")
""" "The two of you pay 4": who, not how many."""
_REST_FRONT = re.compile(
    r"\b(?:(?:which|that|this|it)\s+leaves|leaving|left\s+with|the\s+(?:rest|remainder|balance|remaining)|remains?|remaining)\b[^.;\d]{0,24}$"
)
_LEFT_OF = re.compile(r"\s+(?:left|remaining|over)\s+(?:out\s+)?of\s+(?:the\s+|your\s+|our\s+|my\s+)?[$€£]?")
_EACH = re.compile(
    r"\b(?:each|apiece|per|a\s+piece|a\s+head)\b|\bat\s+(?:[$€£]\d|\d[\d.,]*\s*(?:[$€£]|euros?|dollars?|pounds?|cents?|francs?|kronor|kroner)\b)"
)
_SO = re.compile(r"\b(?:so|therefore|thus|hence|which|that|meaning|for)\b")
_GROUPS = re.compile(r"(?:\s+[a-z-]+){1,2}\s+(?:of|with|containing|holding)\s+(?:exactly\s+)?$")
_RATE = re.compile(
    r"\b(?:off|discount|reduction|reduced|cheaper|tip|service|tax|vat|surcharge|increase|raise|extra|interest|more|less|rise)\b"
)
_ONE_PART = r"half|(?:a|one)\s+(?:third|quarter)|a\s+(?:fifth|tenth)"
_PORTION = re.compile(rf"\b({_ONE_PART}|two\s+thirds|three\s+quarters)\s+of\s+(?:[a-z]+\s+){{0,2}}$")
_OTHER_PORTION = re.compile(rf"(?:,|\band)\s+(?:and\s+)?({_ONE_PART})\b(?!\s+of\s+an?\b)")
_SOME_PART = re.compile(r"\b(?:half|[a-z]+\s+(?:thirds?|quarters?|fifth|tenth))\s+of\s+(?:[a-z]+\s+){0,2}(?=\d)")
_PARTED = re.compile(r"\b(?:two|three|four|five|seven|nine)[\s-](?:thirds|quarters|fifths|sixths|eighths|tenths)\b")
_JOINTS = re.compile(r",|;|\band\b|\bplus\b|\bthen\b|[–—(:]")
_WORDS_OF_CHANGE = re.compile(
    r"\b(?P<verb>[a-z]+)\b(?:\s+(?:up|down|back|again|sharply|slightly|steadily|by\s+[^,.;]{1,14}))?\s+from\s+(?P<between>[^.;:]{1,60}?)\bto\s+[$€£]?(?=\d)"
)


@cache
def _open() -> re.Pattern[str]:
    return re.compile(rf"\b{either('rough', 'open_outcomes')}\b")


class _Outcome(NamedTuple):
    """A number that is told as a result, and what kind of result it is."""

    amount: Amount
    kind: str
    """sum, rest, product, rate, or any."""
    start: int


def find_wrong_outcomes(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "20 days, 8 of them taken, so 15 are left"; the numbers may stand in the two sentences before."""
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.low) > _LONGEST or not may_count(seen.low):
            continue
        amounts = _read_plain(seen)
        if (change := _check_direction(seen, amounts)) is not None:
            yield change
            continue
        if amounts and is_rated(seen, sightings[max(0, place - 1) : place]):
            continue
        items = find_items(seen.low) if _EACH.search(seen.low) else []
        for k, amount in enumerate(amounts):
            if any(start <= amount.start < end for start, end in items):
                continue
            outcome = _read_outcome(seen.low, amounts, k)
            if outcome is None or not amount.is_exact:
                continue
            whole = [a for a in amounts[k + 1 : k + 2] if _LEFT_OF.fullmatch(seen.low[amount.end : a.start])]
            given, before = _gather(sightings[max(0, place - _MOST) : place], seen, [*whole, *amounts[:k]], amount)
            if (clash := _judge(seen, outcome, given, before)) is not None:
                yield clash
                break


def _read_plain(seen: Sighting) -> list[Amount]:
    """The amounts that are no part of a date or a time of day."""
    taken = [
        (time.span.start - seen.start, time.span.end - seen.start) for time in seen.times if _DATED.search(time.surface)
    ]
    taken += [match.span() for match in _ALL_OF_US.finditer(seen.low)]
    return [a for a in read_amounts(seen.low) if not any(start <= a.start < end for start, end in taken)]


def _gather(
    earlier: Sequence[Sighting], seen: Sighting, given: Sequence[Amount], result: Amount
) -> tuple[list[Amount], str]:
    """The numbers in front of a result, with their words: two sentences back, or all lines that count the same."""
    found, before = list(given), seen.low[: result.start]
    for distance, other in enumerate(reversed(earlier), 1):
        amounts = _read_plain(other) if len(other.low) <= _LONGEST else []
        is_row = len(amounts) == 1 and bool(result.noun) and amounts[0].noun == result.noun and not given
        if not is_row and (len(found) >= 2 or distance > 2):
            break
        found, before = [*amounts, *found], f"{other.low} {before}"
    return found, before


def _read_outcome(low: str, amounts: Sequence[Amount], k: int) -> _Outcome | None:
    amount = amounts[k]
    front = low[: amount.start]
    made = _MAKES.search(front)
    start = made.start() if made else amount.start
    if _REST_BEHIND.match(low, amount.end) or _REST_FRONT.search(front):
        return _Outcome(amount, "rest", start)
    behind = _SUM_BEHIND.match(low, amount.end)
    is_each = _EACH.search(low) is not None
    spread = is_each or any(_is_grouped(low, one, other) for one, other in pairwise(amounts[: k + 1]))
    since = amounts[0 if is_each and k == 2 else k - 1].end if k else 0
    if spread and k + 1 == len(amounts) and (made or behind or _SO.search(front[since:])):
        return _Outcome(amount, "product", start)
    if made and any(a.unit == "%" for a in amounts[:k]) and amount.unit != "%" and _RATE.search(front):
        return _Outcome(amount, "rate", start)
    if behind or (made and re.search(r"total|sum|adds?\s+up|together", made.group())):
        return _Outcome(amount, "sum", start)
    return _Outcome(amount, "any", start) if made else None


def _is_grouped(low: str, one: Amount, other: Amount) -> bool:
    """ "3 crates of 12 bottles"."""
    return _GROUPS.fullmatch(low[one.end : other.start]) is not None


def _judge(seen: Sighting, outcome: _Outcome, given: Sequence[Amount], before: str) -> Clash | None:
    result, given = outcome.amount, _without_heading(given, before)
    portion = _find_portion(before, given)
    if _MEASURED.search(before) or _MEASURED.match(seen.low, result.end):
        return None
    if (
        not (2 <= len(given) <= _MOST or portion is not None)
        or not all(a.is_exact for a in given)
        or _open().search(before)
    ):
        return None
    if portion is None and _PARTED.search(before):
        return None
    if portion is None and not _JOINTS.search(before) and ". " not in before:
        return None
    if portion is None and (not _are_comparable(given, outcome) or (len(given) > 2 and _EACH.search(before))):
        return None  # items with prices are a bill, and reckoned as one
    right = _results(outcome, given, portion)
    if not right or any(_is_near(result.value, value) for value in right):
        return None
    shown = " or ".join(show(value) for value in sorted(right)[:2])
    numbers = ", ".join(show(a.value) for a in given)
    return tell_clash(
        seen, outcome.start, _end_of(seen.low, result), f"from {numbers} follows {shown}, not {show(result.value)}"
    )


def _without_heading(given: Sequence[Amount], before: str) -> Sequence[Amount]:
    """ "Your bill has three parts: 12 euros, 20 euros and 8 euros": the first number counts the others."""
    if len(given) < 3 or given[0].value != len(given) - 1 or not _HEADING.search(before):
        return given
    return given[1:] if all(part.noun != given[0].noun for part in given[1:]) else given


_HEADING = re.compile(r"\b(?:two|three|four|five|six|\d) [a-z]+(?: [a-z]+)?:")
_MEASURED = re.compile(r"\s*\b(?:square|cubic|sq|cu)\b|[²³]|(?<=\d) (?:by|x|×) (?=\d)")
""" "A bed of 2 by 1.5 metres": sides make an area, and no sum."""


def _end_of(low: str, amount: Amount) -> int:
    tail = re.match(r"[^.,;:()]*", low[amount.end :])
    return amount.end + (len(tail.group().rstrip()) if tail else 0)


def _find_portion(before: str, given: Sequence[Amount]) -> Fraction | None:
    """ "half of the 60 seats": the one number, and the part of it."""
    if len(given) != 1:
        return None
    match = _SOME_PART.search(before)
    if match is None:
        return None
    named = _PORTION.match(match.group()) or _PORTION.search(match.group())
    if named is None:
        return None
    others = [reckon_fraction(m[1]) for m in _OTHER_PORTION.finditer(before, match.end())]
    whole = sum(others, reckon_fraction(named[1]))
    return whole if whole <= 1 else None


def _are_comparable(given: Sequence[Amount], outcome: _Outcome) -> bool:
    """Amounts in one measure: what is added up or taken away must be alike, and be what the result counts."""
    units = read_words("units", "sums")
    measured = {a.unit if a.has_sign else a.noun for a in given if (a.has_sign or a.noun in units) and a.unit != "%"}
    result = outcome.amount
    mine = result.unit if result.has_sign else result.noun if result.noun in units else ""
    if outcome.kind == "product":
        return len(given) == 2 and not (mine and measured and mine not in measured)
    if outcome.kind == "rate":
        return len(given) == 2 and len(measured) <= 1
    if any(a.unit == "%" for a in given) != (result.unit == "%"):
        return False
    if len(measured) > 1 or (measured and mine and mine not in measured) or (mine and not measured):
        return False
    if outcome.kind == "any":
        nouns = {a.noun for a in given if a.noun}
        return bool(mine) or (bool(result.noun) and result.noun in nouns)
    return True


def _results(outcome: _Outcome, given: Sequence[Amount], portion: Fraction | None) -> set[Fraction]:
    """What follows from the numbers; empty where it cannot be told."""
    values = [a.value for a in given]
    if portion is not None:
        part = values[0] * portion
        return {part, values[0] - part}
    match outcome.kind:
        case "rest":
            taken = (values[1:], dict.fromkeys(values[1:]))  # "is 900, so the deposit comes to 900": one and the same
            found = {left for some in taken if (left := values[0] - sum(some, Fraction(0))) >= 0}
            return {*found, *_twice(values)} if found else set()
        case "sum":
            whole = add_up(given)
            return {
                whole,
                whole - values[0] if values[0] == len(values) - 1 else whole,
                prod(values, start=Fraction(1)),
            }
        case "product":
            one, other = values
            return {one * other, *({one / other, other / one} if one and other else ())}
        case "rate":
            rate, base = sorted(given, key=lambda a: a.unit != "%")
            part = base.value * rate.value / 100
            return {part, base.value - part, base.value + part}
        case _:
            one = values[0]
            return {
                add_up(given),
                abs(one - sum(values[1:], Fraction(0))),
                prod(values, start=Fraction(1)),
                *_twice(values),
                *_ratios(values),
            }


def _twice(values: Sequence[Fraction]) -> set[Fraction]:
    """The last two only: "had 12, bought 8 more, gave 5 away" may be told step by step."""
    return {values[-2] - values[-1], values[-2] + values[-1]} if len(values) > 2 else set()


def _ratios(values: Sequence[Fraction]) -> set[Fraction]:
    if len(values) != 2 or not all(values):
        return set()
    one, other = values
    return {
        one / other,
        other / one,
        100 * one / other,
        100 * other / one,
        100 * (other - one) / one,
        100 * (one - other) / one,
    }


def _is_near(said: Fraction, right: Fraction) -> bool:
    """Equal, or rounded to whole numbers."""
    return said == right or (right.denominator != 1 and abs(said - abs(right)) < 1)


def _check_direction(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "dropped from 200 units in March to 260 in April"."""
    for match in _WORDS_OF_CHANGE.finditer(seen.low):
        way = (
            1
            if match["verb"] in read_words("rising", "sums")
            else -1
            if match["verb"] in read_words("falling", "sums")
            else 0
        )
        inside = [a for a in amounts if match.start("between") <= a.start < match.end("between")]
        after = next((a for a in amounts if a.start >= match.end() - 1), None)
        if not way or len(inside) != 1 or after is None or after.start > match.end() + 1:
            continue
        if inside[0].has_sign and after.has_sign and inside[0].unit != after.unit:
            continue
        if (after.value - inside[0].value) * way < 0:
            evidence = f"{show(inside[0].value)} to {show(after.value)} goes the other way"
            return tell_clash(seen, match.start(), after.end, evidence)
    return None
