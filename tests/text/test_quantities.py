"""Numbers, ordinals, units, currencies, shares: exact amounts, however they are written."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.numerals import has_digit, ordinal, read_words, reckon_fraction, show, spell_with_digits
from groundwire.text.quantities import Quantity, compare_quantities, read_quantity
from groundwire.text.relations import Relation


def whole(text: str) -> Quantity:
    found = read_quantity(text)
    assert found is not None, text
    assert not found[1], f"{text!r} leaves {found[1]!r}"
    return found[0]


def relate(left: str, right: str) -> Relation:
    return compare_quantities(whole(left), whole(right)).relation


SAME = [
    ("two", "2"), ("a dozen", "12"), ("half a dozen", "6"), ("twenty-five", "25"), ("one hundred and five", "105"),
    ("nineteen eighty-four", "1984"), ("1.5k", "1500"), ("3,000", "3000"), ("3 000", "3000"), ("2 million",
    "2,000,000"),
    ("half", "1/2"), ("half", "50%"), ("two thirds", "2/3"), ("2 1/2", "2.5"), ("two and a half", "2.5"),
    ("90 minutes", "1.5 hours"), ("1h30", "90 min"), ("an hour and a half", "90 minutes"), ("5 km", "5000 m"),
    ("1 lb", "16 oz"), ("2 weeks", "14 days"), ("18 months", "1.5 years"), ("5'11\"", "5 feet 11 inches"),
    ("1 gb", "1000 mb"), ("20°c", "68°f"), ("32 degrees fahrenheit", "0 celsius"), ("$5", "5 dollars"), ("$5",
    "usd 5"),
    ("us$5.00", "5 bucks"), ("50 cents", "$0.50"), ("$2m", "$2 million"), ("€10", "10 euros"), ("50%",
    "fifty per cent"),
    ("34", "34 years old"), ("34-year-old", "aged 34"), ("34 years", "34 years old"), ("$10k a month",
    "$120,000 per year"),
    ("$50/hr", "$50 per hour"), ("20+", "at least 20"), ("more than 20", "over 20"), ("about 30", "~30"),
    ("between 20 and 30", "20-30"), ("£5", "5 pounds"), ("3,5 kg", "3.5 kg"), ("1.0", "1"),
]  # fmt: skip


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(("left", "right"), SAME)
def test_spellings_of_one_amount_are_equal(left: str, right: str):
    assert relate(left, right) is Relation.EQUAL


OTHER = [
    ("2", "3"), ("2019", "2018"), ("5 km", "5 hours"), ("$5", "€5"), ("5 kg", "5 lb"), ("1", "100%"),
    ("34", "35 years old"), ("90 minutes", "91 minutes"), ("5 km", "5001 m"), ("over 20", "20"), ("over 20", "15"),
    ("about 30", "50"), ("under 20", "25"), ("$50 per hour", "$60 per hour"), ("6 months", "1 year"), ("1/3", "0.33"),
    ("around 2019", "2024"),
]  # fmt: skip


@pytest.mark.requirement("TXT-016", "JDG-020")
@pytest.mark.parametrize(("left", "right"), OTHER)
def test_other_amounts_are_different(left: str, right: str):
    assert relate(left, right) is Relation.DIFFERENT
    assert relate(right, left) is Relation.DIFFERENT


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("left", "right"),
    [("about 30", "31"), ("over 20", "25"), ("20-30", "25"), ("a couple", "2"), ("180 cm", "5'11\""), ("30 days",
     "1 month"),
     ("at most 10", "at least 10"), ("5 miles", "8 km")],
)  # fmt: skip
def test_vague_or_rounded_amounts_are_compatible(left: str, right: str):
    assert relate(left, right) is Relation.OVERLAPS
    assert relate(right, left) is Relation.OVERLAPS


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("specific", "general"), [("5 km", "5"), ("50%", "50"), ("30", "about 30"), ("$50 per hour", "$50")]
)
def test_what_says_more_refines(specific: str, general: str):
    assert relate(specific, general) is Relation.REFINES
    assert relate(general, specific) is Relation.GENERALISES


@pytest.mark.requirement("TXT-016")
def test_a_trailing_zero_may_be_a_version():
    assert relate("3.10", "3.1") is Relation.OVERLAPS
    assert relate("$3.10", "$3.1") is Relation.EQUAL


@pytest.mark.requirement("TXT-016")
@pytest.mark.parametrize(
    "code",
    ["007", "1.2.3", "10:30", "24/7", "3m", "4x4", "5th", "2021-05-03", "b2b", "v1.2", "", "-"],
)
def test_codes_are_no_quantities(code: str):
    found = read_quantity(code)
    assert found is None or found[1]


@pytest.mark.requirement("TXT-015")
def test_what_is_counted_is_left_over():
    found = read_quantity("three black cats")
    assert found is not None
    assert (found[0].key, found[1]) == ("3", "black cats")


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("words", "digits"),
    [("third floor", "3rd floor"), ("twenty first street", "21st street"), ("two cats", "2 cats"),
     ("ten second rule", "10 second rule"),
     ("twelve hundred", "1200"), ("one two three", "1 2 3")],
)  # fmt: skip
def test_number_words_inside_a_phrase_become_digits(words: str, digits: str):
    assert " ".join(spell_with_digits(words.split())) == digits


@pytest.mark.requirement("TXT-015")
@pytest.mark.parametrize(
    ("number", "form"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (112, "112th"), (23, "23rd")]
)
def test_ordinals(number: int, form: str):
    assert ordinal(number) == form


UNITS = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
"thirteen",
         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]  # fmt: skip
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spell(number: int) -> str:
    if number >= 1000:
        return f"{spell(number // 1000)} thousand {spell(number % 1000)}".strip()
    if number >= 100:
        return f"{UNITS[number // 100]} hundred {'and ' if number % 100 else ''}{spell(number % 100)}".strip()
    return UNITS[number] if number < 20 else f"{TENS[number // 10]} {UNITS[number % 10]}".strip()


@pytest.mark.requirement("TXT-015")
@given(st.integers(min_value=1, max_value=999_999))
def test_every_number_is_read_back_from_its_words(number: int):
    words = spell(number).split()
    assert read_words(words, 0) == (Fraction(number), len(words))


@pytest.mark.requirement("TXT-016")
@given(st.integers(min_value=0, max_value=10**9), st.integers(min_value=0, max_value=10**9))
def test_numbers_are_equal_exactly_when_they_are(left: int, right: int):
    assert (relate(str(left), f"{right:,}") is Relation.EQUAL) == (left == right)


@pytest.mark.requirement("TXT-015")
@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=1000))
def test_a_number_is_shown_without_loss(number: Fraction):
    assert Fraction(show(number)) == number


@pytest.mark.requirement("TXT-038")
@given(st.text(max_size=80) | st.text(alphabet="0123456789.,/-+$%'\" kmh", max_size=60))
def test_any_text_is_read_without_a_crash(text: str):
    found = read_quantity(text)
    if found is not None:
        assert compare_quantities(found[0], found[0]).relation is Relation.EQUAL
        assert found[0].key


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("half", Fraction(1, 2)),
        ("a third", Fraction(1, 3)),
        ("the other half", Fraction(1, 2)),
        ("three-quarters", Fraction(3, 4)),
        ("remaining two  thirds", Fraction(2, 3)),
        ("one tenth", Fraction(1, 10)),
    ],
)
def test_a_part_told_in_words_has_one_value_whatever_stands_before_it(words: str, value: Fraction):
    assert reckon_fraction(words) == value


@pytest.mark.parametrize(("text", "expected"), [("route 66", True), ("١٢ أيام", True), ("42 m²", True), ("m²", True),
                                                ("twelve", False), ("zwölf Größen", False), ("", False)])  # fmt: skip
def test_a_digit_of_any_script_is_seen(text: str, expected: bool) -> None:
    assert has_digit(text) is expected
