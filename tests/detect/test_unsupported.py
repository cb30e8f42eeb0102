"""UnsupportedClaim: weight borrowed from nobody, and everything that needs no source or has one."""

from __future__ import annotations

import pytest
from dialogue_examining import Known, examine, packaged_judge, turns
from hypothesis import example, given, settings
from hypothesis import strategies as st

from groundwire.detect.amounts.figures import derives, read_figures
from groundwire.detect.appeals import find_appeal, names_source
from groundwire.detect.unsupported import UnsupportedDetector
from groundwire.evidence.dialogue import Dialogue
from groundwire.types.detection import HallucinationFlag, HallucinationType


def find(answer: str, dialogue: Dialogue | None = None, *known: str) -> tuple[HallucinationFlag, ...]:
    return UnsupportedDetector().detect(examine(answer, dialogue, Known(*known), judge=packaged_judge()))


# ── the reference case and its paraphrases ──────────────────────────────────────────────────────


@pytest.mark.requirement("DET-007", "DET-022")
@pytest.mark.parametrize(
    "answer",
    [
        "Studies show that this method improves productivity by 40%.",
        "Research indicates that this method makes people 40 percent more productive.",
        "It has been scientifically proven that this method raises output by 40%.",
        "According to recent surveys, this method lifts productivity by two fifths.",
        "Experts agree that this method makes teams far more productive.",
        "People who use this method get 40% more done.",
        "As numerous studies have shown, this method works wonders.",
    ],
)
def test_an_unsourced_study_is_flagged(answer: str):
    (flag,) = find(answer)
    assert flag.hallucination_type is HallucinationType.UNSUPPORTED_CLAIM
    assert flag.confidence == 0.70
    assert flag.content == answer.rstrip(".")
    assert answer[slice(*flag.span)] == flag.content
    assert flag.is_unverifiable
    assert flag.suggestion
    assert flag.evidence


APPEALS = [
    "It is well known that left-handed people are better at chess.",
    "Most financial advisers say that gold is the safest choice.",
    "A growing body of evidence links cold showers with higher salaries.",
    "Economists unanimously expect house prices to double.",
    "Three in four small firms have no backup plan.",
    "There is broad consensus among scientists that coffee improves memory.",
    "An analysis of thousands of matches revealed that teams in red win more often.",
    "73% of all start-ups fail because of a weak landing page.",
    "On average, an employee loses 3.2 hours a week looking for files.",
    "Industry insiders report that prices will fall by a quarter.",
    "Data prove that interruptions cost firms 28% of their working time.",
    "Teams that adopt this tool ship 2.5 times faster.",
]


@pytest.mark.requirement("DET-022")
@pytest.mark.parametrize("answer", APPEALS)
def test_appeals_and_statistics_in_other_words_are_flagged(answer: str):
    assert [flag.confidence for flag in find(answer)] == [0.70]


@pytest.mark.requirement("DET-022")
def test_a_sweeping_claim_that_nothing_supports_weighs_less():
    (flag,) = find("This tea cures insomnia. It costs 4 euros.")
    assert flag.confidence == 0.55
    assert flag.content == "This tea cures insomnia"


def test_only_the_sentence_at_fault_is_flagged():
    answer = "My thoughts:\n1. Open with a story.\n2. Be brief, since audiences forget 80% of what they hear.\n3. Ask."
    (flag,) = find(answer)
    assert flag.content == "Be brief, since audiences forget 80% of what they hear"


# ── what has a source, or needs none ────────────────────────────────────────────────────────────

CLEAN = [
    "In my opinion, mornings are the best time to write.",
    "Some people find lists helpful, others don't.",
    "According to the WHO fact sheet (https://www.who.int/x), about 1.19 million people die on the roads each year.",
    "In their paper (Lopez, 2021), the authors report a gain of 12%.",
    "A 2019 study by Smith et al. found that 12% of patients recovered.",
    "According to Statistics Norway's 2023 census, 12% of people live alone.",
    "I am not sure whether studies exist on that.",
    "I don't know of any study that shows this.",
    "Are there studies that show an effect? I couldn't say.",
    "Set the opacity to 50% and the width to 100%.",
    "You get a 10% discount with the code SPRING.",
    "I'm 100% sure that you'll like it.",
    "Your battery is at 80%.",
    "The mortgage has a fixed rate of 4.2%.",
    "If inflation stays at 3%, prices double in 24 years.",
    "The report that you sent me shows a loss in May.",
    "Our analysis found three errors in the file.",
    "The data in your table shows a gap in row 4.",
    "Experts can be found on the town's website.",
    "You should talk to an expert before you decide.",
    "The doctor recommends that you rest for two days.",
    "Bake the bread at 220 °C until it is golden.",
    "The group has 12 members: 5 women and 7 men.",
    "Half of the recipe is enough for two people.",
    "Thank you for your message! I will get back to you tomorrow.",
    "The study room is open until nine.",
]


@pytest.mark.requirement("DET-022")
@pytest.mark.parametrize("answer", CLEAN)
def test_what_needs_no_source_or_names_one_is_not_flagged(answer: str):
    assert find(answer) == ()


def test_figures_of_the_user_are_supported():
    dialogue = turns("user: Our survey says 62% of customers like the new menu.")
    assert find("With 62% of customers in favour, I would keep the new menu.", dialogue) == ()
    assert find("With 71% of customers in favour, I would keep the new menu.", dialogue)


def test_figures_that_follow_from_given_ones_are_supported():
    dialogue = turns("user: We had 200 visitors, 50 of them bought something.")
    assert find("So 25% of the visitors bought something.", dialogue) == ()
    assert find("So 35% of the visitors bought something.", dialogue)


def test_what_is_known_supports_a_figure():
    assert find("62% of customers like the new menu.", None, "62% of the customers like the new menu.") == ()


def test_another_statement_of_the_knowledge_base_supports_nothing():
    known = "Breakfast is served from 6:30 to 10:00.", "The hotel has 92 rooms."
    assert find("92% of travellers say that breakfast decides which hotel they book.", None, *known)


def test_a_source_right_behind_the_sentence_counts():
    answer = "Studies show that naps help. (Source: https://example.org/naps)"
    assert find(answer) == ()


def test_an_ordinary_claim_is_not_flagged_for_want_of_knowledge():
    assert find("The new office has a garden.", None, "The canteen is closed on Fridays.") == ()


# ── the parts ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("(Smith et al., 2020)", True),
        ("see doi:10.1000/182", True),
        ("the report by the World Health Organization from 2021", True),
        ("a study by scientists", False),
        ("many studies", False),
    ],
)
def test_a_source_is_what_can_be_looked_up(sentence: str, expected: bool):
    assert names_source(sentence) is expected


def test_figures_in_words_and_digits_are_one():
    assert read_figures("nine out of 10, 1,200 and 3.5%") == {9.0, 10.0, 1200.0, 3.5}


@example(200, 128)
@given(st.integers(1, 500), st.integers(1, 500))
def test_a_share_of_two_given_figures_is_derived(part: int, whole: int):
    share = round(100 * part / whole, 1)
    text = f"{share:g}%"
    assert derives(f"That is {text} of them.", [f"We had {whole}, of which {part} came."]) or part == whole


@given(st.text(max_size=300))
def test_any_sentence_can_be_asked(text: str):
    find_appeal(text)
    names_source(text)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_any_answer_can_be_examined_for_sources(text: str):
    for flag in UnsupportedDetector().detect(examine(text)):
        assert text[slice(*flag.span)] == flag.content


@pytest.mark.parametrize("text", ["studies " * 20_000, "% " * 20_000, "(" * 20_000, "9 out of " * 5_000, "a" * 200_000])
def test_hostile_answers_are_survived(text: str):
    UnsupportedDetector().detect(examine(text))
