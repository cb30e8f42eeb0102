"""When a value was told, in words that an answer may use of it: a month, a season or a year."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from groundwire.text.calendar import MONTH_NUMBERS
from groundwire.types import ContradictionDetail
from groundwire.verify.changes import read_time

_SEASONS = {"spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "fall": (9, 10, 11), "winter": (12, 1, 2)}
_YEAR = re.compile(r"(?:19|20)\d\d")


def is_date(low: str) -> bool:
    return low in MONTH_NUMBERS or low in _SEASONS or _YEAR.fullmatch(low) is not None


def find_dates(lows: Sequence[str]) -> list[str]:
    return [low for low in lows if is_date(low)]


def find_times(contradiction: ContradictionDetail, values: Sequence[str]) -> list[datetime]:
    """When the memories of these values were told, as far as it is known."""
    rows = zip(contradiction.values, contradiction.timestamps, strict=True)
    return [date for value, when in rows if value in values and (date := read_time(when)) is not None]


def fit_any(dates: Sequence[str], times: Sequence[datetime]) -> bool:
    """Whether what says when is the month, the season or the year of one of the memories."""
    return any(all(_fits(low, when) for low in dates) for when in times)


def _fits(low: str, when: datetime) -> bool:
    if low in _SEASONS:
        return when.month in _SEASONS[low]
    return MONTH_NUMBERS[low] == when.month if low in MONTH_NUMBERS else int(low) == when.year
