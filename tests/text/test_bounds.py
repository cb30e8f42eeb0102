"""A bound is part of an amount."""

import pytest

from groundwire.text.extraction import FactExtractor


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Your uncle is over eighty.", "over eighty"),
        ("Your niece is almost six.", "almost six"),
        ("Your uncle is well over seventy.", "over seventy"),
        ("You weigh less than 70 kilos.", "less than 70 kilos"),
        ("You earn more than 48,500 euros a year.", "more than 48,500 euros"),
        ("Your rent is just under 1,100 pounds.", "under 1,100 pounds"),
    ],
)
@pytest.mark.requirement("TXT-001")
def test_an_amount_is_read_with_its_bound(text: str, value: str):
    facts = FactExtractor().extract(text)
    assert value in [fact.raw for fact in facts]
    assert all(text[fact.value_span.start : fact.value_span.end] == fact.raw for fact in facts)


@pytest.mark.parametrize(
    "text", ["You earn more than your sister.", "You are over the moon.", "Your flat is above the shop."]
)
def test_what_bounds_no_amount_stays_where_it_is(text: str):
    assert not any(fact.raw.startswith(("more than", "over", "above")) for fact in FactExtractor().extract(text))
