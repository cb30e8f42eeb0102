"""Portions, diets, headings, zones and lives on record: what arithmetic and small tables decide."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from text_examining import find_logical, find_temporal

from groundwire.app import Groundwire
from groundwire.detect.generalities import claims_effect

NOW = datetime(2026, 10, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "Thirty percent of the crew are ill, fifty percent are on leave, and the remaining thirty percent are here.",
        "The fund holds 8,000 euros. Of that, 5,000 goes to the roof, 2,500 to the floor and 1,200 to paint.",
        "Your week falls into three parts: 55 percent work, 40 percent sleep and 20 percent sport.",
        "Of the 40 guests, 25 ordered fish and 22 ordered meat, and nobody ordered both.",
        "Rice €4, beans €3 and oil €6: €15 in total.",
        "You need 300 g rice, 200 g peas and 100 g ham, so it weighs 800 g in total.",
        "Uma is older than Vic, and Vic is older than Wes. Wes, in turn, is older than Uma.",
        "The mill is east of the bridge. From the bridge you walk west to reach the mill.",
        "The stew is vegan. For more taste we cook it with lamb bones.",
        "These bars are nut-free. They are coated with chopped pecans.",
    ],
)
def test_portions_that_do_not_fit_are_found(text: str) -> None:
    assert find_logical(text)


@pytest.mark.parametrize(
    "text",
    [
        "Seventy percent of the crew like tea and sixty percent like coffee.",
        "The fund holds 8,000 euros. Of that, 5,000 goes to the roof and 2,500 to the floor.",
        "Your week falls into three parts: 45 percent work, 35 percent sleep and 20 percent sport.",
        "Of the 40 guests, 25 ordered fish and 22 ordered meat, so some ordered both.",
        "Rice €4, beans €3 and oil €6: €13 in total, or €12 with your voucher.",
        "A third of 900 is 300, so the deposit comes to 300 and the balance to 600.",
        "It is free for children and €6 for adults, so the two of you pay €6.",
        "Uma is older than Vic. Wes, in turn, is older than Uma.",
        "The mill is east of the bridge. From the mill you walk west to reach the bridge.",
        "The stew is vegan. It is as hearty as any with lamb in it.",
        "The pudding is vegan. It is made with oat milk and coconut cream.",
        "The soup is vegan and the roll comes with ham.",
    ],
)
def test_portions_that_fit_are_left_alone(text: str) -> None:
    assert find_logical(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The choir was founded in 1960 and marked its hundredth anniversary in 2010.",
        "The coach leaves Bern at 15:10 and gets to Basel at 14:40 the same afternoon.",
        "Rembrandt kept a letter from Goethe on his desk.",
        "The bridge will open in 2029. Cyclists have been using it for a year.",
        "The treaty of 1648 was signed in the 16th century.",
        "Three days after Monday comes Friday.",
        "When it is noon in Tokyo, it is 2 pm in Singapore.",
    ],
)
def test_times_that_cannot_be_are_found(text: str) -> None:
    assert find_temporal(text, NOW)


@pytest.mark.parametrize(
    "text",
    [
        "The choir was founded in 1960 and marked its fiftieth anniversary in 2010.",
        "The coach leaves Bern at 22:10 and gets to Rome at 07:40 the next morning.",
        "Goethe kept a drawing by Rembrandt on his desk.",
        "Bach influenced Chopin more than anybody else.",
        "The bridge will open in 2029. Cyclists have been waiting for it for years.",
        "The bridge opened in 2024. Cyclists have been using it for two years.",
        "The treaty of 1648 was signed in the 17th century.",
        "Three days after Monday comes Thursday.",
        "When it is noon in Tokyo, it is 11 am in Singapore.",
    ],
)
def test_times_that_can_be_are_left_alone(text: str) -> None:
    assert find_temporal(text, NOW) == []


@pytest.mark.parametrize(
    ("answer", "is_wrong"),
    [
        ("Jo Lind has been with Marrow since 2003.", True),
        ("Jo Lind has been with Marrow since 2015.", False),
        ("Marrow planned its first shop in 2005.", False),
        ("Marrow's founder studied in Graz in 1999.", False),
    ],
)
def test_a_year_before_there_was_any_of_it_is_found_by_the_record(answer: str, is_wrong: bool) -> None:
    known = {
        "entities": [
            {"name": "Marrow", "type": "company", "attributes": {"founded": 2009}},
            {"name": "Jo Lind", "type": "person", "attributes": {"role": "buyer"}},
        ]
    }
    report = Groundwire().detect(answer, knowledge=known, now=NOW)
    assert any(flag.hallucination_type == "TemporalError" for flag in report.flags) is is_wrong


@pytest.mark.parametrize(
    "sentence",
    [
        "Garlic tea cures migraines.",
        "Television is the main cause of obesity among children.",
        "Night shifts turn people into insomniacs.",
        "Meetings kill all creativity.",
    ],
)
def test_an_effect_on_everybody_is_claimed(sentence: str) -> None:
    assert claims_effect(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "A small cut heals within a week.",
        "The frost killed all the roses in the yard.",
        "Ginger tea may ease a cold.",
        "A blocked pipe is the main cause of low pressure.",
        "The rain made people leave early.",
    ],
)
def test_what_is_particular_or_put_with_care_claims_no_effect(sentence: str) -> None:
    assert not claims_effect(sentence)
