"""Segments: one sentence each, with what was read from it."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 10, tzinfo=UTC)


@pytest.mark.requirement("TXT-008")
def test_a_segment_is_a_sentence_with_its_claims_entities_and_times():
    text = "Ada moved to Oslo in May 2021. She works at Initech and plays chess. Shall we go on?"
    first, second, third = segment_response(text, NOW)
    assert [s.index for s in (first, second, third)] == [0, 1, 2]
    assert [text[s.span.start : s.span.end] == s.text for s in (first, second, third)] == [True] * 3
    assert [c.text for c in first.claims] == ["Ada moved to Oslo in May 2021"]
    assert [t.year for t in first.temporals] == [2021]
    assert {"Ada", "Oslo"} <= {e.surface for e in first.entities}
    assert [c.text for c in second.claims] == ["Ada works at Initech", "Ada plays chess"]
    assert third.claims == ()


@pytest.mark.requirement("TXT-008", "TXT-038")
@given(st.text(max_size=200))
def test_any_text_gives_segments_in_document_order(text: str):
    segments = segment_response(text, NOW)
    assert [s.index for s in segments] == list(range(len(segments)))
    assert all(a.span.end <= b.span.start for a, b in pairwise(segments))
    for segment in segments:
        found = [*segment.claims, *segment.entities, *segment.temporals]
        assert all(segment.span.start <= item.span.start < segment.span.end for item in found)
