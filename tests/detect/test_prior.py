"""ContradictsPrior: what an answer says against earlier turns, and what only looks like it."""

from __future__ import annotations

import pytest
from dialogue_examining import examine, packaged_judge, rules_judge, turns
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.detect.dialogue.changes import tells_change
from groundwire.detect.dialogue.history import gather
from groundwire.detect.dialogue.stated_values import find_values
from groundwire.detect.prior import PriorDetector, contradicts_history
from groundwire.evidence.dialogue import Dialogue
from groundwire.types import ContradictionType, Passage, Verdict, VerifierInput
from groundwire.types.detection import DialogueTurn, HallucinationFlag, HallucinationType, Stance

THRESHOLD = 0.5


def find(answer: str, dialogue: Dialogue, *, by_rules: bool = False) -> list[HallucinationFlag]:
    judge = rules_judge() if by_rules else packaged_judge()
    found = PriorDetector().detect(examine(answer, dialogue, judge=judge))
    return [flag for flag in found if flag.confidence >= THRESHOLD]


MEETING = turns(
    "user: Hi!", "assistant: Hello.", "assistant: The meeting is on Monday.", "user: Thanks.", "user: Where is it?"
)


# ── the reference case and its paraphrases ──────────────────────────────────────────────────────


@pytest.mark.requirement("DET-007")
@pytest.mark.parametrize(
    ("answer", "wrong"),
    [
        ("The meeting is on Friday.", "Friday"),
        ("As I mentioned, the meeting is on Friday.", "Friday"),
        ("It takes place in Room 4. The meeting is scheduled for Friday.", "Friday"),
        ("Please come to the meeting on Friday.", "Friday"),
        ("It is in Room 4. Since the meeting is on Friday, you have time to prepare.", "Friday"),
        ("It is in Room 4, and the meeting happens this Friday.", "Friday"),
    ],
)
def test_monday_in_turn_three_excludes_friday(answer: str, wrong: str):
    (flag,) = find(answer, MEETING)
    assert flag.hallucination_type is HallucinationType.CONTRADICTS_PRIOR
    assert flag.value_span is not None
    assert answer[slice(*flag.value_span)] == wrong
    assert flag.correct_value == "Monday"


@pytest.mark.requirement("DET-024")
def test_the_flag_quotes_the_earlier_claim_with_its_turn():
    (flag,) = find("The meeting is on Friday.", MEETING)
    assert flag.evidence is not None
    assert "turn 3" in flag.evidence
    assert "The meeting is on Monday" in flag.evidence
    assert flag.history is not None
    assert (flag.history.stance, flag.history.turn_id) == (Stance.CONTRADICTS, 3)
    assert flag.history.quote == "The meeting is on Monday"
    assert flag.contradiction_type is ContradictionType.INCOMPATIBLE_VALUES
    assert flag.detector == PriorDetector().name == "history_contradictions"


@pytest.mark.requirement("DET-024")
def test_confidence_is_contradiction_times_similarity():
    (flag,) = find("The meeting is on Friday.", MEETING)
    assert flag.history is not None
    similarity = flag.confidence / flag.history.confidence
    assert 0.7 <= similarity <= 1.0
    assert flag.history.confidence >= 0.6


CONTRADICTIONS = [
    (("user: I live in Lyon with my two cats.",), "As you have no pets, you can leave for the weekend."),
    (("user: My budget is 800 euros.",), "With your budget of 1,500 euros you could take the bigger one."),
    (("assistant: Refunds take five working days.",), "The refund takes ten working days."),
    (("user: I don't eat meat.",), "You said that you love a good steak, so here is a recipe."),
    (("user: Has my parcel been shipped?", "assistant: Yes."), "Your parcel has not been shipped yet."),
    (("assistant: How many guests?", "user: Around eighty."), "For your forty guests, the hall is large enough."),
    (("user: My son starts school in September.",), "That is handy. As he starts in January, you have time."),
    (("assistant: The lecture is in hall A.",), "The lecture will be given in hall C."),
    (("user: I prefer window seats.",), "I put you in 14C, an aisle seat, as you prefer."),
    (("assistant: The bakery is closed today.",), "You can still get bread, the bakery is open today."),
    (("user: I work as a nurse.",), "As a teacher, you have long holidays."),
    (("user: I hate horror movies.",), "Because you love horror movies, I picked one."),
    (("user: We have been married for ten years.",), "After five years of marriage that is a nice treat."),
    (("assistant: The heating was repaired yesterday.",), "Keep a blanket ready; nobody has repaired the heating."),
    (("user: I moved from Hamburg to Vienna.",), "Living in Hamburg, you have the harbour nearby."),
]


@pytest.mark.requirement("DET-024")
@pytest.mark.parametrize(("said", "answer"), CONTRADICTIONS)
def test_contradictions_in_other_words_are_found(said: tuple[str, ...], answer: str):
    assert find(answer, turns(*said))


CLEAN = [
    (
        ("assistant: The blue room is free on Friday.", "user: And the green room?"),
        "The green room is taken on Friday.",
    ),
    (("assistant: The annual plan costs $96.", "user: And monthly?"), "The monthly plan is $10."),
    (("assistant: The shop opens at 9 on weekdays.",), "On Sundays the shop opens at 11."),
    (("user: My budget is 2,000 euros.",), "I found a bike for 1,750 euros, which is within your 2,000 euros."),
    (("assistant: The workshop starts at 3 pm.",), "It begins at 15:00, so please be there early."),
    (("user: The old server had 16 GB of memory. The new one has 64.",), "With 64 GB on the new server you are fine."),
    (("user: We sold 40 of 50 tickets.",), "That is 80% of the tickets, well done!"),
    (
        ("user: My sister is 30.", "assistant: And you?", "user: I'm 34."),
        "So you are four years older than your sister.",
    ),
    (("user: Tom lives in Graz. Eva lives in Linz.",), "Eva lives in Linz, and Tom in Graz."),
    (("assistant: Bus 12 goes to the station.", "user: And to the airport?"), "Bus 45 goes to the airport."),
    (("user: I like tea.",), "Would you like a coffee today? I know that you like tea."),
    (("user: I lost my blue umbrella.",), "We found a black umbrella in the bus. Is it yours?"),
    (("assistant: The train leaves at 8:12.", "user: I missed it."), "The next train leaves at 9:12."),
    (("user: I don't have a car.",), "You could rent a car for the weekend."),
    (("user: I heard you were closed on Tuesdays.",), "No, we are open on Tuesdays."),
    (("user: I used to live in Rome, now I live in Turin.",), "Living in Turin, you are close to the Alps."),
]


@pytest.mark.parametrize(("said", "answer"), CLEAN)
def test_what_can_be_true_beside_earlier_turns_is_not_flagged(said: tuple[str, ...], answer: str):
    assert find(answer, turns(*said)) == []


# ── what still stands ───────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("DET-025")
def test_a_claim_that_a_later_user_turn_corrected_no_longer_counts():
    dialogue = turns("user: The landlord comes on Thursday.", "assistant: Noted.", "user: No wait, it's Wednesday.")
    assert find("The landlord comes on Wednesday.", dialogue) == []
    (flag,) = find("The landlord comes on Thursday.", dialogue)
    assert flag.correct_value == "Wednesday"
    assert flag.history is not None
    assert flag.history.turn_id == 3


@pytest.mark.requirement("DET-025")
@pytest.mark.parametrize(
    "correction",
    ["Actually, make that 6,000.", "Sorry, I meant 6,000.", "My budget is 6,000 now.", "No, 6,000.", "Make it 6,000."],
)
def test_corrections_in_other_words_count(correction: str):
    dialogue = turns("user: My budget is 5,000.", "assistant: OK.", f"user: {correction}")
    assert find("With a budget of 6,000 we can hire a band.", dialogue) == []


@pytest.mark.requirement("DET-025")
def test_only_the_newest_statement_about_a_slot_is_compared():
    dialogue = turns("user: I live in Oslo.", "user: I moved to Bergen last week.")
    assert find("You live in Bergen.", dialogue) == []
    assert find("You live in Oslo.", dialogue)


@pytest.mark.requirement("DET-025")
def test_what_the_user_said_outranks_what_the_assistant_said_later():
    dialogue = turns("user: I live in Oslo.", "assistant: You live in Bergen, I see.")
    assert find("You live in Oslo.", dialogue) == []
    (flag,) = find("You live in Bergen.", dialogue)
    assert flag.history is not None
    assert flag.history.turn_id == 1


@pytest.mark.requirement("DET-023")
def test_only_the_last_ten_turns_are_prior_dialogue():
    filler = [f"user: Thanks number {i}." for i in range(9)]
    assert find("The meeting is on Friday.", turns("assistant: The meeting is on Monday.", *filler))
    assert not find("The meeting is on Friday.", turns("assistant: The meeting is on Monday.", *filler, "user: Bye."))


@pytest.mark.parametrize(
    "answer",
    [
        "The meeting has been moved to Friday.",
        "I was wrong earlier: the meeting is on Friday.",
        "The meeting is now on Friday.",
        "I apologise, my earlier message was wrong. The meeting is on Friday.",
        "The meeting is on Friday instead of Monday.",
        "You are right, the meeting is on Friday.",
        "We rescheduled the meeting from Monday to Friday.",
    ],
)
def test_a_change_that_is_told_openly_is_no_contradiction(answer: str):
    assert find(answer, MEETING) == []


@pytest.mark.parametrize("sentence", ["As I said, it is on Friday.", "The meeting is on Friday.", "See you on Friday!"])
def test_a_plain_statement_tells_no_change(sentence: str):
    assert not tells_change(sentence)


def test_the_assistant_and_the_user_are_two():
    assert find("I live in the cloud.", turns("user: I live in Oslo.")) == []
    assert find("You live in Bergen.", turns("user: I live in Oslo."))


# ── the judge ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("JDG-024")
def test_the_judge_is_asked_in_both_directions_and_the_higher_counts():
    judge = packaged_judge()
    asked: list[tuple[str, str]] = []

    class Listening:
        name = "listening"

        def judge(self, question):  # type: ignore[no-untyped-def]
            return judge.judge(question)

        def judge_all(self, questions):  # type: ignore[no-untyped-def]
            asked.extend((q.claim, q.evidence[0].text) for q in questions)
            return judge.judge_all(questions)

    PriorDetector().detect(examine("The bakery is open.", turns("assistant: The bakery is closed."), judge=Listening()))
    assert asked == [
        ("The bakery is open", "The bakery is closed"),
        ("The bakery is closed", "The bakery is open"),
    ]
    (flag,) = find("The bakery is open.", turns("assistant: The bakery is closed."))
    assert flag.history is not None
    both = [judge.judge(VerifierInput(claim, (Passage("p", other),))) for claim, other in asked]
    assert flag.history.confidence == round(max(o.probabilities[Verdict.REFUTED] for o in both), 4)


def test_one_claim_can_be_held_against_a_dialogue():
    result = contradicts_history("The meeting is on Friday.", MEETING, packaged_judge())
    assert result.is_contradiction
    assert result.confidence >= 0.6
    assert result.contradiction_type is ContradictionType.INCOMPATIBLE_VALUES
    assert not contradicts_history("The meeting is on Monday.", MEETING, packaged_judge()).is_contradiction


def test_a_denial_is_named_as_one():
    (flag,) = find("You have not paid the invoice.", turns("user: I have paid the invoice."), by_rules=True)
    assert flag.contradiction_type is ContradictionType.DIRECT_NEGATION
    assert flag.correct_value is None


def test_rules_alone_find_other_values():
    assert find("The meeting is on Friday.", MEETING, by_rules=True)
    assert not find("The meeting is on Monday.", MEETING, by_rules=True)


def test_without_a_dialogue_nothing_is_flagged():
    assert find("The meeting is on Friday.", Dialogue()) == []


# ── values ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("a table for six people", "count:people", "six"),
        ("platform 4", "label:platform", "4"),
        ("at 8:12", "clock", "8:12"),
        ("on 15 May", "date", "15 May"),
        ("on Mondays", "weekday", "Mondays"),
        ("800 euros", "money", "800 euros"),
        ("$96", "money", "$96"),
        ("five working days", "length", "five working days"),
        ("the third floor", "rank:floor", "third"),
        ("40%", "share", "40%"),
        ("hall A", "label:hall", "A"),
    ],
)
def test_a_value_knows_which_question_it_answers(text: str, kind: str, value: str):
    assert (kind, value) in [(found.kind, found.text) for found in find_values(text)]


@given(st.text(max_size=200))
def test_values_are_quoted_as_they_stand(text: str):
    for value in find_values(text):
        assert text[slice(*value.span)] == value.text
        assert not value.excludes(value)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=120), st.text(max_size=120))
def test_any_answer_can_be_examined(said: str, answer: str):
    dialogue = Dialogue([DialogueTurn(1, "user", said)])
    for flag in PriorDetector().detect(examine(answer, dialogue)):
        assert answer[slice(*flag.span)] == flag.content
        assert flag.value_span is None or 0 <= flag.value_span.start < flag.value_span.end <= len(answer)


@given(
    st.sampled_from(["Oslo", "Bergen", "Paris"]),
    st.sampled_from(["I live in {}.", "My home is {}.", "The meeting is at {}."]),
)
def test_an_answer_that_repeats_the_user_is_never_flagged(value: str, pattern: str):
    said = pattern.format(value)
    answer = said.replace("I live", "You live").replace("My", "Your")
    assert find(answer, turns(f"user: {said}"), by_rules=True) == []


@pytest.mark.requirement("DET-007")
def test_news_of_somebody_else_corrects_nothing():
    dialogue = turns("user: Ada Abel moved to Porto in 2010.", "user: Bruno Costa has been moved to Oslo in 2012.")
    kept = [prior.text for prior in gather(dialogue) if prior.said.read.proposition.subject == "Ada Abel"]
    assert any("Porto" in text and "2010" in text for text in kept)
    assert not any("Oslo" in text or "2012" in text for text in kept)
