"""What rules alone find in a text, against one clock."""

from __future__ import annotations

from datetime import UTC, datetime

from groundwire.detect.logical import detect_logical_inconsistencies
from groundwire.detect.temporal import detect_temporal_errors
from groundwire.text.segments import segment_response

NOW = datetime(2026, 5, 20, 9, 0, tzinfo=UTC)


def find_logical(text: str) -> list[str]:
    return [flag.content for flag in detect_logical_inconsistencies(segment_response(text, now=NOW), text=text)]


def find_temporal(text: str, now: datetime = NOW) -> list[str]:
    return [flag.content for flag in detect_temporal_errors(segment_response(text, now=now), now)]
