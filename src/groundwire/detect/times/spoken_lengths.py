"""Lengths of time as people say them: "half a century", "a year and a half", "three and a half decades"."""

from __future__ import annotations

import re

from groundwire.detect.times.dates import Duration, read_duration
from groundwire.detect.times.intervals import ABOUT, NUMBER

_UNITS = "minute|hour|day|night|week|fortnight|month|year|decade|century|centurie"
LENGTH = (
    rf"(?:(?P<about>(?:{ABOUT}|a\s+good|well\s+over|close\s+to|barely|hardly|scarcely|not\s+quite|little\s+more\s+than|only|just)\s+)?"
    rf"(?:(?P<part>(?:three\s+quarters|(?:a\s+|one\s+)?quarter)\s+of\s+an?|half\s+an?)\s+(?P<of>century|decade|year|day|hour)"
    rf"|(?P<count>{NUMBER})(?P<more>\s+and\s+a\s+(?:half|quarter))?[\s-](?P<unit>{_UNITS})s?(?P<behind>\s+and\s+a\s+(?:half|quarter))?)\b)"
)
"""A length with its hedge; groups `about`, `part`, `of`, `count`, `more`, `unit`, `behind`."""
_PARTS = {"half": 0.5, "three": 0.75}
_ROUND, _WORDY = 0.1, 0.12


def read_spoken(match: re.Match[str]) -> Duration | None:
    """What a match of `LENGTH` measures."""
    if match["part"]:
        whole = read_duration(f"1 {match['of']}")
        size = _PARTS.get(match["part"].split()[0], 0.25)
        return Duration(whole.measure, whole.amount * size, whole.unit * size / 5) if whole is not None else None
    found = read_duration(f"{match['count']} {match['unit']}")
    extra = (match["more"] or match["behind"] or "").split()[-1:]
    if found is None or not extra:
        return found
    return Duration(found.measure, found.amount + _PARTS.get(extra[0], 0.25) * found.unit, found.unit / 2)


def is_spoken_loosely(match: re.Match[str]) -> bool:
    """Parts of a century, decades and round numbers are said of what lies near them."""
    if match["part"] or match["unit"] in ("decade", "century", "centurie"):
        return True
    count = match["count"]
    return bool(count) and (count.endswith(("0", "ty", "hundred")) or count in ("ten", "fifteen"))


def allow_for(match: re.Match[str], amount: float) -> float:
    """By how much the words may miss, in the measure of the amount."""
    hedge = (match["about"] or "").strip()
    share = _WORDY if match["part"] else _ROUND if is_spoken_loosely(match) else 0.0
    if hedge and hedge not in ("exactly", "full", "a full", "a total of"):
        share = max(share, 0.25)
    return share * amount
