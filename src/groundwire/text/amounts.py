"""How two quantities relate: equal only when the amounts are, compatible when one of them is vague."""

from __future__ import annotations

from fractions import Fraction

from groundwire.text.measures import Quantity, Unit, measures, put_in_unit
from groundwire.text.relations import Comparison, Relation

_ROUNDING = Fraction(1, 40)
_MONTH_IN_SECONDS = (Fraction(28 * 86400), Fraction(31 * 86400))


def compare_quantities(left: Quantity, right: Quantity) -> Comparison:
    """How two quantities relate; never equal unless the amounts are."""
    if left.unit.dimension != right.unit.dimension:
        left, right = _in_common_dimension(left, right)
    if left.unit.dimension == right.unit.dimension and left.rate == right.rate:
        return _compare_amounts(left, right)
    if left.unit.dimension == right.unit.dimension and "" in (left.rate, right.rate):
        return _compare_with_missing(left, right, right.rate == "", "a rate")
    if left.is_bare or right.is_bare:
        return _compare_with_missing(left, right, right.is_bare, "a unit")
    return Comparison(Relation.DIFFERENT, f"{left.shown} and {right.shown} measure different things")


def _compare_with_missing(left: Quantity, right: Quantity, left_says_more: bool, what: str) -> Comparison:
    if left.number != right.number:
        return _differ(left, right)
    return Comparison(Relation.REFINES if left_says_more else Relation.GENERALISES, f"only one side has {what}")


def _in_common_dimension(left: Quantity, right: Quantity) -> tuple[Quantity, Quantity]:
    """Ages and plain numbers, months and days, pounds of weight and of money."""
    year = measures().units["year"]
    if left.is_age and right.is_bare:
        return left, put_in_unit(right, year)
    if right.is_age and left.is_bare:
        return put_in_unit(left, year), right
    pair = {left.unit.dimension, right.unit.dimension}
    if pair == {"duration", "months"}:
        return _in_seconds(left), _in_seconds(right)
    if pair == {"mass", "currency gbp"} and "pound" in (left.unit.name, right.unit.name):
        sterling = measures().units["gbp"]
        return _as_money(left, sterling), _as_money(right, sterling)
    return left, right


def _as_money(quantity: Quantity, currency: Unit) -> Quantity:
    if quantity.unit.name != "pound":
        return quantity
    return put_in_unit(quantity._replace(low=quantity.number, high=quantity.number), currency)


def _in_seconds(quantity: Quantity) -> Quantity:
    if quantity.unit.dimension != "months" or quantity.rate:
        return quantity
    low = None if quantity.low is None else quantity.low * _MONTH_IN_SECONDS[0]
    high = None if quantity.high is None else quantity.high * _MONTH_IN_SECONDS[1]
    return quantity._replace(low=low, high=high, unit=measures().units["second"])


def _compare_amounts(left: Quantity, right: Quantity) -> Comparison:
    if left.is_exact and right.is_exact:
        return _compare_exact(left, right)
    if (left.low, left.high, left.open_ends, left.about) == (right.low, right.high, right.open_ends, right.about):
        return Comparison(Relation.EQUAL, "same range")
    if left.about != right.about and left.is_exact != right.is_exact and left.centre == right.centre:
        vague = Relation.GENERALISES if left.about else Relation.REFINES
        return Comparison(vague, f"one side says about {left.shown if left.about else right.shown}")
    if _meet(left, right):
        return Comparison(Relation.OVERLAPS, f"{left.shown} and {right.shown} are compatible")
    return _differ(left, right)


def _compare_exact(left: Quantity, right: Quantity) -> Comparison:
    if left.low == right.low:
        if left.keeps_zero != right.keeps_zero or (left.keeps_zero and left.shown != right.shown):
            return Comparison(Relation.OVERLAPS, f"{left.shown} and {right.shown}: one number, maybe two versions")
        return Comparison(Relation.EQUAL, f"{left.shown} is {right.shown}")
    if left.unit.system != right.unit.system and _is_rounding(left, right):
        return Comparison(Relation.OVERLAPS, f"{left.shown} is {right.shown}, rounded")
    return _differ(left, right)


def _is_rounding(left: Quantity, right: Quantity) -> bool:
    one, other = left.low or Fraction(0), right.low or Fraction(0)
    return abs(one - other) <= max(abs(one), abs(other)) * _ROUNDING


def _meet(left: Quantity, right: Quantity) -> bool:
    lows = [side for side in (left, right) if side.low is not None]
    highs = [side for side in (left, right) if side.high is not None]
    for below in lows:
        for above in highs:
            low, high = below.low or Fraction(0), above.high or Fraction(0)
            if low > high or (low == high and (below.open_ends or above.open_ends)):
                return False
    return True


def _differ(left: Quantity, right: Quantity) -> Comparison:
    return Comparison(Relation.DIFFERENT, f"numbers differ: {left.shown} and {right.shown}")
