"""What is issued before or after a payment, and hours of one day that run backwards."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.detect.temporal import detect_temporal_errors
from groundwire.text.segments import segment_response

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)


@pytest.mark.requirement("DET-009")
@pytest.mark.parametrize(
    "text",
    [
        "The licence was issued on 12 May 2025, after you paid the fee on 4 May 2025.",
        "The refund was issued on 8 March, three days after you paid for the order on 5 March.",
        "The night shift ran from 22:30 until 6:10, with one coffee break.",
        "The night bus runs from 23:30 until 4:10 on the same day ticket.",
    ],
)
def test_what_follows_a_payment_and_hours_over_midnight_are_in_order(text: str) -> None:
    assert detect_temporal_errors(segment_response(text, NOW), NOW) == ()


@pytest.mark.requirement("DET-028")
@pytest.mark.parametrize(
    "text",
    [
        "The bill was paid before it was issued.",
        "The invoice was issued on 8 March and paid on 5 March.",
        "The refund was issued on 2 March, three days before you paid for the order on 5 March.",
        "The workshop ran from 15:30 until 14:10 on the same afternoon.",
    ],
)
def test_a_bill_comes_before_its_payment_and_an_afternoon_does_not_run_back(text: str) -> None:
    assert detect_temporal_errors(segment_response(text, NOW), NOW)
