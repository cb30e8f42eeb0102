"""Wrong attributes: the entity and the attribute exist, and no stored value is the claimed one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kb_examining import KNOWLEDGE, WRONG, detect, examine, packaged_judge

from groundwire.types.detection import Stance


@pytest.mark.requirement("DET-006", "DET-020")
@pytest.mark.parametrize(
    "text",
    [
        "John Smith works in Marketing.",
        "John Smith, who works in Marketing, will join the call.",
        "John is in the Marketing department.",
        "John Smith from Marketing can help you.",
        "John's department is Marketing.",
        "John Smith belongs to the Marketing team.",
        "Marketing is where John Smith works.",
    ],
)
def test_another_department_than_the_one_on_record_is_wrong(text: str) -> None:
    (flag,) = detect(examine(text), WRONG)
    assert flag.value_span is not None
    assert text[flag.value_span.start : flag.value_span.end] == "Marketing"
    assert flag.correct_value == "Engineering"
    assert flag.source_id == "hr-7"
    assert flag.confidence == pytest.approx(0.9)


@pytest.mark.requirement("DET-010", "DET-011")
def test_a_flag_says_where_why_and_what_is_right() -> None:
    text = "Hello! The Aurora Lamp costs $40. It is black."
    (flag,) = detect(examine(text), WRONG)
    assert flag.content == text[flag.span.start : flag.span.end] == "The Aurora Lamp costs $40"
    assert flag.claim_span == flag.span
    assert flag.evidence == "Aurora Lamp's price is $45."
    assert flag.correct_value == "$45"
    assert flag.value_span is not None
    assert text[slice(*flag.value_span)] == "$40"
    assert flag.kb is not None
    assert (flag.kb.stance, flag.kb.quote) == (Stance.CONTRADICTS, flag.evidence)
    assert not flag.is_unverifiable
    assert flag.detector == "wrong_attributes"


@pytest.mark.requirement("DET-020")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Acme is headquartered in Bergen.", "Bergen"),
        ("Acme's headquarters is in Bergen.", "Bergen"),
        ("The Aurora Lamp comes with a five-year warranty.", "five-year"),
        ("You can reach John at smith.john@acme.example.", "smith.john@acme.example"),
        ("- Product: Aurora Lamp\n- Price: $49", "$49"),
        ("Aurora Lamp\n\n| property | value |\n|---|---|\n| warranty | 3 years |", "3 years"),
    ],
)
def test_values_of_every_kind_are_compared(text: str, value: str) -> None:
    flags = detect(examine(text), WRONG)
    assert [text[slice(*flag.value_span)] for flag in flags if flag.value_span is not None] == [value]


@pytest.mark.requirement("DET-020")
@pytest.mark.parametrize(
    "text",
    [
        "John Smith does not work in Engineering.",
        "John Smith is no longer in Engineering.",
        "The Aurora Lamp is dimmable.",
    ],
)
def test_a_denial_of_the_record_is_wrong_and_has_no_value_to_put_in(text: str) -> None:
    (flag,) = detect(examine(text), WRONG)
    assert flag.correct_value is None
    assert flag.value_span is None


@pytest.mark.requirement("DET-020")
@pytest.mark.parametrize(
    "text",
    [
        "John Smith works in Engineering.",
        "John Smith is an engineer.",
        "John Smith is a Senior Software Engineer.",
        "Acme is based in Norway.",
        "The Aurora Lamp costs 45 dollars and has a warranty of 24 months.",
        "The Aurora Lamp costs $45 and is black.",
        "John Smith does not work in Marketing.",
        "The Aurora Lamp is not dimmable.",
        "Two Aurora Lamps come to $90.",
        "I think John Smith might be in Marketing.",
        "Does John Smith work in Marketing?",
        "John Smith will move to Marketing next year.",
        "Acme speaks French.",
        "You can write to john.smith@acme.example.",
    ],
)
def test_what_the_record_says_or_leaves_open_is_not_wrong(text: str) -> None:
    assert detect(examine(text), WRONG) == []


@pytest.mark.requirement("DET-020")
@pytest.mark.parametrize(
    ("said", "attribute", "stored", "right"),
    [
        ("Mara Lind comes with a five-year warranty.", "warranty", "2 years", "2-year"),
        ("Mara Lind is on the fourth floor.", "floor", 2, "2nd"),
        ("Mara Lind is closed on Tuesdays.", "closed_on", "Monday", "Mondays"),
        ("Mara Lind costs $9 per user.", "price", "$6 per user", "$6"),
        ("Mara Lind has 32 branches.", "branches", 23, "23"),
        ("Mara Lind sails under the Norwegian flag.", "flag", "Denmark", None),
        ("Mara Lind has a variable rate.", "rate_type", "fixed", "fixed"),
        ("Mara Lind opens at 8 am.", "opening_hours", "09:00-17:00", "09:00"),
    ],
)
def test_the_right_value_has_the_form_of_the_wrong_one(
    said: str, attribute: str, stored: object, right: str | None
) -> None:
    known = {"entities": [{"name": "Mara Lind", "type": "product", "attributes": {attribute: stored}}]}
    (flag,) = detect(examine(said, known), WRONG)
    assert flag.correct_value == right
    assert (flag.value_span is None) is (right is None)


@pytest.mark.requirement("DET-020")
def test_the_best_of_several_values_is_the_correction_unless_two_compete() -> None:
    def known(*values: tuple[str, float]) -> dict[str, object]:
        stored = [{"value": value, "trust": trust} for value, trust in values]
        return {"entities": [{"name": "Mara Lind", "type": "person", "attributes": {"department": stored}}]}

    text = "Mara Lind works in Marketing."
    (sure,) = detect(examine(text, known(("Sales", 0.4), ("Finance", 0.9))), WRONG)
    assert (sure.correct_value, sure.confidence) == ("Finance", pytest.approx(0.9))
    (open_,) = detect(examine(text, known(("Sales", 0.9), ("Finance", 0.9))), WRONG)
    assert open_.correct_value is None
    assert detect(examine("Mara Lind works in Sales.", known(("Sales", 0.4), ("Finance", 0.9))), WRONG) == []


@pytest.mark.requirement("DET-020")
def test_the_judge_decides_what_no_rule_reads() -> None:
    known = {"entities": [{"name": "Lake Orn", "type": "lake", "attributes": {"water": "fresh"}}]}
    text = "Lake Orn is salty."
    assert detect(examine(text, known), WRONG) == []
    (flag,) = detect(examine(text, known, judge=packaged_judge()), WRONG)
    assert flag.evidence == "Lake Orn's water is fresh."


@given(st.text(max_size=400))
def test_any_text_is_read_without_an_error(text: str) -> None:
    for flag in detect(examine(text)):
        assert text[flag.span.start : flag.span.end] == flag.content


@given(st.sampled_from(["Engineering", "Marketing", "Sales", "Legal"]), st.sampled_from(["Engineering", "Legal"]))
def test_a_value_is_wrong_exactly_when_it_is_not_the_stored_one(said: str, stored: str) -> None:
    known = {"entities": [{"name": "Ada Byron", "type": "person", "attributes": {"department": stored}}]}
    assert bool(detect(examine(f"Ada Byron works in {said}.", known), WRONG)) is (said != stored)


def test_the_knowledge_of_the_tests_names_its_sources() -> None:
    assert KNOWLEDGE["entities"][0]["attributes"]["department"]["source"] == "hr-7"
