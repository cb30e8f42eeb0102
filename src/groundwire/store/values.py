"""Between values and columns: times, JSON, and texts that every backend can hold."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, cast

from groundwire.errors import InvalidInput

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LARGEST = 2**63 - 1


def to_micros(field: str, moment: datetime) -> int:
    """Exact microseconds since 1970; a time without a zone could mean anything and is refused."""
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidInput(field, f"{moment.isoformat()} has no time zone; use an aware datetime")
    return (moment - _EPOCH) // _MICROSECOND


def to_micros_or_none(field: str, moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(field, moment)


def from_micros(micros: int) -> datetime:
    return _EPOCH + micros * _MICROSECOND


def from_micros_or_none(micros: int | None) -> datetime | None:
    return None if micros is None else from_micros(micros)


def check_text(field: str, text: str, limit: int, *, may_be_empty: bool = True) -> str:
    """A text that every backend stores unchanged."""
    if len(text) > limit:
        raise InvalidInput(field, f"it has {len(text)} characters; the limit is {limit}")
    if "\x00" in text:
        raise InvalidInput(field, "holds a NUL character")
    if not may_be_empty and not text.strip():
        raise InvalidInput(field, "it is empty")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput(field, "it holds half of a surrogate pair, which is not Unicode text") from error
    return text


def check_number(field: str, number: int | None) -> int | None:
    if number is not None and not -_LARGEST <= number <= _LARGEST:
        raise InvalidInput(field, f"{number} does not fit into 64 bits")
    return number


def check_score(field: str, score: float) -> float:
    if math.isnan(score) or not 0.0 <= score <= 1.0:
        raise InvalidInput(field, f"{score} is not in [0, 1]")
    return float(score)


def to_json(field: str, value: object, limit: int | None = None) -> str:
    """JSON in one spelling, so that equal values are equal texts."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
        size = len(text.encode())
    except UnicodeEncodeError as error:
        raise InvalidInput(field, "it holds half of a surrogate pair, which is not Unicode text") from error
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(field, f"it cannot be written as JSON ({error})") from error
    if limit is not None and size > limit:
        raise InvalidInput(field, f"it has {size} bytes as JSON; the limit is {limit}")
    return text


def mapping_to_json(field: str, value: Mapping[str, Any], limit: int | None = None) -> str:
    return to_json(field, dict(value), limit)


def from_json(text: str) -> dict[str, Any]:
    return cast(dict[str, Any], json.loads(text))
