"""What an answer says against itself."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from effort import count_calls, stays_cheap
from groundwire.detect.logic.paraphrases import MOST_PAIRS
from groundwire.detect.logical import LogicalInconsistencyDetector, detect_logical_inconsistencies
from groundwire.judge.judge import spread
from groundwire.text.segments import segment_response
from groundwire.types import Action, ContradictionType, Verdict, VerifierInput, VerifierOutput
from groundwire.types.detection import HallucinationFlag, HallucinationType

NOW = datetime(2026, 3, 14, 9, 0, tzinfo=UTC)

WRONG = [
    "The hotel has a pool. Breakfast is included. The hotel does not have a pool.",
    "The garage is unlocked. Please note that the garage is locked.",
    "The library opens at nine. I like the reading room. The library opens at ten.",
    "Lena has two children. Both are at school. Lena has three children.",
    "The file was deleted. The file was not deleted.",
    "All rooms have a balcony. Room 12 has no balcony.",
    "Tessa reports to Ugo, Ugo reports to Vera, and Vera reports to Tessa.",
    "Ida is the mother of Jon. Jon is the mother of Ida.",
    "Birch sells more bread than Oakley. It rains. Oakley sells more bread than Birch.",
    "Mount Ferro is the highest peak of the range. Mount Gallo is higher than Mount Ferro.",
    "A quarter of the 80 chairs (30) are broken.",
    "The lease names a single tenant. The two tenants share the kitchen.",
    "The group is a quartet. All six members sing.",
    "The camp has 40 guests, 22 women and 20 men.",
    "The code needs at least ten digits and at most eight digits.",
    "Of the orders, 50% come by phone, 40% by mail and 20% via the shop.",
    "We raised 500 euros and spent 120 on paint, so 400 euros are left.",
    "Each participant received a certificate. Paul received no certificate.",
    "No animals are allowed in the flat. Cats are allowed in the flat.",
    "Every seat is taken. There are still five free seats.",
    "Nobody knows the password. Karin knows the password.",
    "The soup contains no meat. There is beef in the soup.",
    "The choir has 30 singers: 12 sopranos, 10 altos and 12 basses.",
    "Of the 40 questions, 25 were answered correctly and 20 incorrectly.",
    "The budget is 1,000 euros: 600 euros for the room and 500 euros for the food.",
    "In the class there are 14 boys and 12 girls, so 28 children in total.",
    "I bought 6 eggs, used 2 and have 5 left.",
    "70% of the members voted yes and 40% voted no.",
    "A quarter of the cake went to Ana, half to Ben and half to Cleo.",
    "2 + 3 = 6, so you need six chairs.",
    "There are five weekdays: Monday, Tuesday, Wednesday and Thursday.",
    "Sales doubled from 100 to 150 units.",
    "The price dropped from 20 euros to 25 euros.",
    "Mia runs faster than Zoe. Zoe runs faster than Mia.",
    "The kitchen is to the left of the hall. The hall is to the left of the kitchen.",
    "My aunt is a childless mother of two.",
    "The square has three corners.",
    "His age is minus five.",
    "130% of the voters supported the law.",
    "The chance of snow is 140%.",
    "There were -3 people in the queue.",
    "The circle has four corners.",
    "The device is always on. The device is sometimes off.",
    "The program never crashes. It crashed twice yesterday.",
    "Smoking is allowed on the terrace. Smoking is forbidden on the terrace.",
    "You may bring your dog. You may not bring your dog.",
    "Visitors must wear a helmet. Visitors must not wear a helmet.",
    "The tomato is a fruit. It is an animal.",
    "Bats are birds. Bats are mammals.",
    "The painting is an original. The painting is a copy.",
    "The wine is non-alcoholic. It contains 12% alcohol.",
    "She is an only child. She has two older brothers.",
    "The window is broken. The window is intact.",
    "Our shop sells only bread. Our shop sells cakes.",
    "The deadline is Friday. Send it by mail. The deadline is Tuesday.",
    "The head of the department is Ms Weber. The head of the department is Mr Klein.",
    "The concert hall seats 800 people. The concert hall seats 1,200 people.",
    "The meeting starts at 10:00. The meeting starts at 11:30.",
    "The lamp is not working. The lamp works perfectly.",
    "I have read the book. I have not read the book.",
    "The key is in the drawer. The key is not in the drawer.",
    "The package has arrived. The package has not arrived.",
    "It is raining. It is not raining.",
    "The bus is late and on time.",
    "The shirt is both wet and dry.",
    "The room is at once dark and bright.",
    "All birds can fly. Penguins cannot fly.",
    "The box weighs exactly 2 kilos. The weight of the box is 4 kilos.",
    "The backup job is enabled. The backup job is disabled.",
    "The conference room is available at noon. The conference room is not available at noon.",
    "The answer is true. The answer is false.",
    "The gate was locked last night. The gate was unlocked last night.",
    "Every guest received a badge. One guest did not receive a badge.",
    "No student failed the exam. Four students failed the exam.",
    "All of the lights are on. The light in the hallway is off.",
    "Everybody signed the petition. Maria did not sign the petition.",
    "None of the servers crashed. The database server crashed at noon.",
    "Nothing was stolen. A laptop was stolen from the front desk.",
    "The committee has nine members: four women and six men.",
    "The bill comes to 80 euros: 30 for the starter and 60 for the main course.",
    "We counted 14 cars and 9 bikes, 25 vehicles in total.",
    "The survey found that 55% of respondents were women and 60% were men.",
    "Tom had 20 marbles. He lost 5. He has 17 left.",
    "The book has four chapters: Beginnings, Growth, Crisis, Recovery and Outlook.",
    "The recipe needs 200 g of flour and 100 g of sugar, 350 g in all.",
    "We ordered four boxes of sixty pens, so 200 pens in all.",
    "Rent takes 50% of her salary, food 30% and travel 40%.",
    "Emma is older than Liam. Liam is older than Noah. Noah is older than Emma.",
    "Paris is bigger than Lyon. Lyon is bigger than Paris.",
    "The red box is heavier than the blue box. The blue box is heavier than the red box.",
    "The lecture took place before the lunch. The lunch took place before the lecture.",
    "The triangle has four sides.",
    "The probability of rain is 1.4.",
    "He drew a round square on the board.",
    "About 120% of the students passed the exam.",
    "The village has minus twelve inhabitants.",
    "The package weighs 3 kg. It is fragile. The package weighs 5 kg.",
    "The tower is 120 metres tall. The height of the tower is 150 metres.",
    "The company employs 200 people. The company has 350 employees.",
    "The capital of the province is Halifax. The capital of the province is Sydney.",
    "The flight lasts two hours. The flight takes five hours.",
    "Our dog is a mammal. Our dog is a reptile.",
    "Seven is an even number. Seven is an odd number.",
    "The salad is vegetarian. The salad contains bacon.",
    "The cake is gluten-free. It is made with wheat flour.",
    "The drink contains no alcohol. It contains vodka.",
    "The patient is conscious. The patient is unconscious.",
    "The document is public. The document is confidential.",
    "She has no siblings. Her sister lives in Rome.",
    "The engine runs on diesel only. The engine runs on petrol.",
    "The team won the final. The team lost the final.",
    "The application was approved. The application was rejected.",
    "All invoices have been paid. Two invoices are still unpaid.",
    "The product is sold out. The product is in stock.",
    "John is alive and dead.",
    "The switch is simultaneously on and off.",
    "The system is both secure and insecure.",
    "There is no parking at the venue. The venue has 50 parking spaces.",
]

CLEAN = [
    "The server was down this morning. The server is up again.",
    "The front door is open. The back door is closed.",
    "The first test passed. The second test failed.",
    "If the light is on, the room is occupied. If the light is off, the room is free.",
    "The shop is open on weekdays. The shop is closed on Sundays.",
    "All employees in Berlin got a bonus. Two employees in Paris did not get a bonus.",
    "All items were shipped, except for the 3 that weren't.",
    "Most students passed. Three students failed.",
    "Not every window is locked. The kitchen window is unlocked.",
    "Some users like the design. Other users dislike the design.",
    "He used to be a smoker. He is not a smoker now.",
    "The price was 20 euros in 2023. The price was 25 euros in 2025.",
    "The team has 12 people: 5 women and 7 men.",
    "We sold 30 adult tickets and 20 child tickets, 50 tickets in all.",
    "We ordered four boxes of sixty pens, so 240 pens in all.",
    "There are three rows of fourteen seats, 42 seats in all.",
    "She had 10 apples, gave away 3 and has 7 left.",
    "60% of users read the news on a phone and 55% read it on a laptop.",
    "The book has three parts: theory, practice and exercises.",
    "Anna is taller than Ben. Ben is taller than Carl. Anna is taller than Carl.",
    "Revenue grew by 120% over the last five years.",
    "The plant ran at 110% of its rated capacity.",
    "The temperature fell to minus 12 degrees.",
    "The store opens at 9 am. The store closes at 6 pm.",
    "The company is based in Berlin. It has an office in Munich.",
    "Her brother is an only son. He has two sisters.",
    "The API returns JSON. It also returns XML.",
    "The meeting is not only long but also useful. The meeting is useful.",
    "The coffee is not very hot. The coffee is hot enough.",
    "The museum is free on Sundays. Adults pay 12 euros on other days.",
    "The feature may be enabled or disabled. By default it is disabled.",
    "Bob said the server is down. The server is up.",
    "Is the door open? The door is closed.",
    "The soup is vegan. The stew contains beef.",
    "Cold water is heavier than warm water. Warm water rises.",
    "The cake contains no nuts. It contains sugar and butter.",
    "He likes tea. He likes coffee. He does not like juice.",
    "The old bridge is closed. The new bridge is open.",
    "The lamp is on. After ten minutes the lamp is off.",
    "The report is not finished yet. The report will be finished on Friday.",
    "Line 1 runs every day. Line 2 does not run on Sundays.",
    "The phone has two cameras. The front camera has 12 megapixels, the rear camera has 48 megapixels.",
    "The ticket costs 15 euros for adults. The ticket costs 8 euros for children.",
    "The app is free. The premium plan costs 5 euros a month.",
    "Everyone on the team speaks English. Nobody on the team speaks Finnish.",
    "All tests pass on Linux. One test fails on Windows.",
    "No refunds are given after 30 days. Refunds are given within the first 30 days.",
    "The hotel has 120 rooms. Twenty rooms have a sea view.",
    "The river is 300 km long. It is 50 metres wide.",
    "The light was red, then green.",
    "The council approved the plan in May. The council rejected the appeal in June.",
    "Version 1 is deprecated. Version 2 is supported.",
    "The committee accepted the first proposal and rejected the second.",
    "The engine is quiet at low speed and loud at high speed.",
    "The battery lasts ten hours in standby and four hours in use.",
    "The number 8 is even. The number 9 is odd.",
    "Two of the ten lamps are broken. Eight lamps work.",
    "The team won on Saturday. The team lost on Sunday.",
    "Mix 200 g of flour with 100 g of sugar. Add 2 eggs. Bake for 30 minutes.",
    "The trail is easy in summer. In winter the trail is difficult.",
    "The door is usually locked. Today it is not locked.",
]


class OneSidedJudge:
    """Says the same of every question, and counts how it was asked."""

    name = "one sided"

    def __init__(self, verdict: Verdict, confidence: float = 0.97) -> None:
        self.verdict, self.confidence = verdict, confidence
        self.batches: list[int] = []

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return VerifierOutput(
            self.verdict,
            self.confidence,
            spread(self.verdict, self.confidence),
            "",
            (),
            Action.CONTINUE,
            0.0,
            self.name,
        )

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        self.batches.append(len(questions))
        return [self.judge(question) for question in questions]


def detect(text: str, judge: OneSidedJudge | None = None) -> tuple[HallucinationFlag, ...]:
    return detect_logical_inconsistencies(segment_response(text, NOW), judge, text=text)


def only(text: str) -> HallucinationFlag:
    (flag,) = detect(text)
    return flag


@pytest.mark.requirement("DET-031", "DET-032", "DET-033", "DET-034", "DET-035")
@pytest.mark.parametrize("text", WRONG)
def test_an_answer_that_contradicts_itself_is_flagged(text: str) -> None:
    flags = detect(text)
    assert flags
    for flag in flags:
        assert flag.hallucination_type is HallucinationType.LOGICAL_INCONSISTENCY
        assert flag.contradiction_type is not None
        assert flag.content == text[flag.span.start : flag.span.end]


@pytest.mark.requirement("DET-009", "DET-032")
@pytest.mark.parametrize("text", CLEAN)
def test_changes_contrasts_and_exceptions_are_consistent(text: str) -> None:
    assert detect(text) == ()


@pytest.mark.requirement("DET-007", "DET-031")
@pytest.mark.parametrize(
    "text",
    [
        "The service is both running and not running.",
        "The service is running. The service is not running.",
        "The service is running, and it is not running.",
        "The service isn't running. I checked: the service is running.",
        "The service is running and, at the same time, not running.",
        "The service is up. The service is down.",
        "The service is online and offline.",
    ],
)
def test_p_and_not_p_is_certain(text: str) -> None:
    flag = only(text)
    assert flag.confidence == 0.95
    assert flag.contradiction_type is ContradictionType.DIRECT_NEGATION


@pytest.mark.requirement("DET-036", "DET-034")
def test_a_pair_is_reported_once_with_both_spans_the_later_first() -> None:
    text = "All windows are locked. The flat is on the third floor. The kitchen window isn't locked."
    flag = only(text)
    assert text[flag.span.start : flag.span.end] == "The kitchen window isn't locked"
    assert flag.related_span is not None
    assert text[flag.related_span.start : flag.related_span.end] == "All windows are locked"
    assert flag.confidence == 0.85


@pytest.mark.requirement("DET-009")
def test_an_exception_narrows_its_own_universal_and_not_another_one() -> None:
    assert detect("All items were shipped, except for the 3 that weren't.") == ()
    assert detect("All rooms other than room 4 are heated. Room 4 is not heated.") == ()
    flag = only("All items were shipped, except for the two lamps. Every single item was shipped.")
    assert flag.content == "Every single item was shipped"
    assert flag.confidence == 0.85


@pytest.mark.requirement("DET-032")
def test_incompatible_values_and_the_ways_in_which_values_are_compatible() -> None:
    flag = only("The ticket costs 15 euros. Children pay less. The price of the ticket is 18 euros.")
    assert flag.confidence == 0.85
    assert flag.contradiction_type is ContradictionType.INCOMPATIBLE_VALUES
    for text in (
        "The film lasts 90 minutes. The film lasts one and a half hours.",
        "The film lasts 90 minutes. The film lasts 1.5 hours.",
        "The team has 12 members. The team has about a dozen members.",
        "The rate was 5% in 2023. The rate was 7% in 2024.",
        "She speaks French. She speaks Italian.",
        "The tower is 120 metres tall. The tower is 15 metres wide.",
    ):
        assert detect(text) == (), text


@pytest.mark.requirement("DET-033")
def test_exclusive_categories_need_the_same_subject() -> None:
    assert only("The whale in this picture is a mammal. It is a fish.").confidence == 0.80
    assert detect("The whale is a mammal. The shark is a fish.") == ()


@pytest.mark.requirement("DET-035")
@pytest.mark.parametrize(
    "text",
    [
        "My uncle is a married bachelor.",
        "The patient is minus four years old.",
        "110% of the employees took part in the survey.",
        "The rectangle has five corners.",
        "There were -3 people in the room.",
        "The probability of success is 1.5.",
    ],
)
def test_impossible_properties_come_from_a_table(text: str) -> None:
    assert only(text).confidence == 0.80


def test_what_is_asked_quoted_supposed_or_hedged_is_not_asserted() -> None:
    for text in (
        "The door is open. Is the door closed?",
        'The door is open. The sign says "the door is closed".',
        "The door is open. If the door is closed, ring the bell.",
        "The door is open. Perhaps the door is closed.",
        "Bob claims that the door is closed. The door is open.",
    ):
        assert detect(text) == (), text


@pytest.mark.parametrize(
    "text",
    [
        "Rent: 500\nFood: 300\nTravel: 200\nTotal: 1,100",
        "- Rent: $500\n- Food: $300\n- Total: $900",
        "The group has 12 members: 5 women and 9 men.",
        "Half of the budget goes to rent, a third to food and another third to leisure.",
        "She had 10 apples, gave away 3 and has 8 left.",
        "The race has three stages: 40 km, 55 km and 60 km. Altogether that is 170 km.",
        "Sales doubled from 100 to 150 units.",
    ],
)
def test_parts_must_make_their_whole(text: str) -> None:
    assert len(detect(text)) == 1


@given(st.lists(st.integers(2, 90), min_size=2, max_size=5))
def test_a_total_is_flagged_exactly_where_it_is_wrong(parts: list[int]) -> None:
    names = ("red", "blue", "green", "black", "white")
    listed = [f"{count} {name} cars" for count, name in zip(parts, names, strict=False)]
    text = f"We saw {', '.join(listed[:-1])} and {listed[-1]}, {{}} cars in all."
    assert detect(text.format(sum(parts))) == ()
    assert len(detect(text.format(sum(parts) + 1))) == 1


@given(st.permutations(["Ana", "Ben", "Cleo", "Dan", "Eve"]))
def test_an_order_contradicts_itself_only_in_a_circle(names: list[str]) -> None:
    chain = [f"{one} is taller than {other}." for one, other in pairwise(names)]
    assert detect(" ".join(chain)) == ()
    circle = [*chain, f"{names[-1]} is taller than {names[0]}."]
    flag = only(" ".join(circle))
    assert flag.content == circle[-1].rstrip(".")


@given(st.sampled_from([*WRONG, *CLEAN]))
def test_no_statement_is_compared_with_itself(text: str) -> None:
    for flag in detect(f"{text} {text}"):
        assert flag.span != flag.related_span


@given(st.text(max_size=200))
def test_any_text_is_survived_and_every_span_quotes_it(text: str) -> None:
    for flag in detect(text):
        assert flag.content == text[flag.span.start : flag.span.end]


def test_the_judge_is_asked_in_two_bounded_batches_and_must_be_sure_both_ways() -> None:
    text = "The bike is entirely red. The whole bike is painted blue."
    sure, doubtful, silent = (
        OneSidedJudge(Verdict.REFUTED),
        OneSidedJudge(Verdict.REFUTED, 0.55),
        OneSidedJudge(Verdict.INSUFFICIENT),
    )
    assert [flag.content for flag in detect(text, sure)] == ["The whole bike is painted blue"]
    assert detect(text, doubtful) == detect(text, silent) == ()
    many = OneSidedJudge(Verdict.INSUFFICIENT)
    detect(" ".join(f"The bike is in workshop {number}. The bike is not in a garage." for number in range(300)), many)
    assert len(many.batches) <= 2
    assert all(asked <= 4 * MOST_PAIRS for asked in many.batches)


def test_segments_alone_are_enough() -> None:
    text = "The cat is alive.\n\n- The cat is dead."
    segments = segment_response(text, NOW)
    (flag,) = detect_logical_inconsistencies(segments)
    assert flag.content == "The cat is dead"
    assert text[flag.span.start : flag.span.end] == flag.content
    assert LogicalInconsistencyDetector().name == "logical_inconsistencies"


def test_time_is_linear_in_sentences() -> None:
    def cost(count: int) -> int:
        text = " ".join(
            f"Server {i} is {'up' if i % 2 else 'down'}. All items are new. Item {i} is old." for i in range(count)
        )
        segments = segment_response(text, NOW)
        return count_calls(lambda: detect_logical_inconsistencies(segments, text=text))

    cost(50)
    assert cost(400) < 6 * cost(100)


@pytest.mark.parametrize(
    ("piece", "size"),
    [("5 men, ", 200_000), ("(", 20_000), ("漢字。", 20_000), ("Status: open\nStatus: closed\n", 40_000)],
)
def test_long_texts_without_sense_stay_cheap(piece: str, size: int) -> None:
    text = (piece * (size // len(piece) + 1))[:size]
    segments = segment_response(text, NOW)
    assert stays_cheap(lambda: detect_logical_inconsistencies(segments, text=text))
