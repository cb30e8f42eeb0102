"""What small words add: whose, how often, how well, than what, before what, and at which hour."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire import Groundwire, InvalidInput
from groundwire.settings import Settings
from groundwire.types import Verdict

GATE = Groundwire(settings=Settings(judge="rules"))
S, R, I = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT  # noqa: E741


def judge(claim: str, *evidence: str) -> Verdict:
    return GATE.judge(claim, evidence=list(evidence)).verdict


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Jonas is your boss.", "The assistant of my boss is Jonas.", I),
        ("The assistant of your boss is Jonas.", "My boss's assistant is Jonas.", S),
        ("Ana is a doctor.", "The sister of Ana is a doctor.", I),
        ("Ana's sister is a doctor.", "The sister of Ana is a doctor.", S),
        ("Your car is red.", "The roof of my car is red.", I),
    ],
)
def test_an_owner_behind_of_is_no_more_than_an_owner(claim: str, evidence: str, expected: Verdict):
    assert judge(claim, evidence) is expected


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("You like winter more than summer.", "I like summer more than winter.", R),
        ("You like winter less than summer.", "I like summer more than winter.", S),
        ("Ana is taller than Bo.", "Bo is taller than Ana.", R),
        ("Bo is shorter than Ana.", "Ana is taller than Bo.", S),
        ("Rent is higher in Milan than in Rome.", "Rent is higher in Rome than in Milan.", R),
        ("The red car costs less than the blue car.", "The red car costs more than the blue car.", R),
        ("You are taller than your brother.", "My brother is taller than me.", R),
        ("You use Vim.", "I use Emacs rather than Vim.", R),
        ("You drink coffee.", "I drink coffee instead of tea.", S),
        ("You drink tea.", "I drink coffee instead of tea.", R),
        ("You prefer tea to coffee.", "I prefer coffee to tea.", R),
        ("You prefer tea to coffee.", "I like tea better than coffee.", S),
    ],
)
def test_a_comparison_has_two_sides_and_a_way(claim: str, evidence: str, expected: Verdict):
    assert judge(claim, evidence) is expected


NAMES = st.sampled_from(["Ana", "Bo", "Noor", "Idris", "Lena"])
WAYS = st.sampled_from([("taller", "shorter"), ("older", "younger"), ("richer", "poorer"), ("faster", "slower")])


@pytest.mark.requirement("JDG-020")
@settings(max_examples=60, deadline=None)
@given(NAMES, NAMES, WAYS)
def test_sides_and_way_turned_together_say_the_same_and_one_alone_the_contrary(
    one: str, other: str, way: tuple[str, str]
):
    if one == other:
        return
    said = f"{one} is {way[0]} than {other}."
    assert judge(said, said) is S
    assert judge(f"{other} is {way[1]} than {one}.", said) is S
    assert judge(f"{other} is {way[0]} than {one}.", said) is R
    assert judge(f"{one} is {way[1]} than {other}.", said) is R


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("You play the piano well.", "I play the piano.", I),
        ("You often play tennis.", "I play tennis.", I),
        ("You often play tennis.", "I always play tennis.", S),
        ("You always play tennis.", "I often play tennis.", I),
        ("You rarely play tennis.", "I often play tennis.", R),
        ("You play tennis.", "I often play tennis.", S),
        ("You fully recovered.", "I only partly recovered.", R),
        ("Ella is your oldest child.", "Ella is one of my three children.", I),
        ("Yara passed.", "Everyone except Yara passed.", R),
        ("The café is open on Sundays.", "The café is open every day except Sunday.", R),
        ("All the rooms have a balcony.", "Not all rooms have a balcony.", I),
        ("Your landlord fixed the boiler.", "The brother of my landlord fixed the boiler.", I),
        ("Just the admins can delete posts.", "The admins can delete posts.", I),
        ("Nobody but Lea may sign.", "Only Lea may sign.", S),
    ],
)
def test_how_often_how_well_and_of_whom_alone_must_be_said(claim: str, evidence: str, expected: Verdict):
    assert judge(claim, evidence) is expected


@pytest.mark.requirement("JDG-020", "JDG-012")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("The shop opens at eight in the evening.", "The shop opens at 08:00.", R),
        ("The shop opens at eight in the morning.", "The shop opens at 08:00.", S),
        ("The shop opens at half past nine.", "The shop opens at 9:30.", S),
        ("The shop opens at half past nine.", "The shop opens at 10:30.", R),
        ("The shop opens at a quarter to six.", "The shop opens at 17:45.", S),
        ("The shop opens at noon.", "The shop opens at 12:00.", S),
        ("The shop opens at midnight.", "The shop opens at noon.", R),
        ("The gym closes at ten at night.", "The gym closes at 22:00.", S),
    ],
)
def test_an_hour_told_in_words_is_the_hour_on_the_clock(claim: str, evidence: str, expected: Verdict):
    assert judge(claim, evidence) is expected


HOURS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


@pytest.mark.requirement("JDG-012")
@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.sampled_from(["morning", "evening"]), st.sampled_from([*range(10), *range(13, 24)]))
def test_a_word_hour_agrees_with_one_hour_of_the_clock_alone(hour: int, part: str, clock: int):
    meant = hour % 12 + (12 if part == "evening" else 0)
    verdict = judge(f"The shop opens at {HOURS[hour - 1]} in the {part}.", f"The shop opens at {clock:02d}:00.")
    assert verdict is (S if meant == clock else R)


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("The order shipped before it was paid.", "The order was paid before it shipped.", R),
        ("Ana left before Ben.", "Ben left before Ana.", R),
        ("The alarm rings when smoke is detected.", "The alarm rings when smoke is detected.", S),
    ],
)
def test_what_came_first_is_part_of_what_is_said(claim: str, evidence: str, expected: Verdict):
    assert judge(claim, evidence) is expected


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("Your rent went up by 100 euros.", "My rent was 900 euros last year.", I),
        ("The course ends on 20 March.", "The course starts on 1 March and lasts two weeks.", I),
    ],
)
def test_a_state_does_not_refute_a_change_nor_a_beginning_an_end(claim: str, evidence: str, expected: Verdict):
    assert judge(claim, evidence) is expected


@pytest.mark.parametrize(("given_", "field"), [([{"text": "I live in Rome."}], "memories[0]"), ("I live", "memories")])
def test_memories_of_another_type_are_refused_by_name(given_: object, field: str):
    with pytest.raises(InvalidInput) as refusal:
        GATE.verify("You live in Rome.", memories=given_)  # type: ignore[arg-type]
    assert field in str(refusal.value)


@pytest.mark.parametrize("judge", ["rules", "mini"])
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You quite like jazz.", "I adore jazz."),
        ("You adore jazz.", "I like jazz."),
        ("You somewhat like jazz.", "I love jazz."),
        ("You like jazz a little.", "I love jazz."),
        ("You rather like cheese.", "I love cheese."),
        ("You kind of like cheese.", "I love cheese."),
        ("You sort of enjoy running.", "I love running."),
        ("You hate jazz.", "I dislike jazz."),
        ("Ana is fairly tired.", "Ana is exhausted."),
        ("Ana is exhausted.", "Ana is tired."),
        ("Ana is a bit tired.", "Ana is very tired."),
        ("You speak a little French.", "I speak fluent French."),
        ("Bo was furious.", "Bo was angry."),
        ("The flat is huge.", "The flat is big."),
        ("The letter is slightly damaged.", "The letter is damaged."),
    ],
)
def test_neither_more_nor_less_is_supported_than_what_is_said(judge: str, claim: str, evidence: str):
    found = Groundwire(settings=Settings(judge=judge)).judge(claim, [evidence])
    assert found.verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize("judge", ["rules", "mini"])
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You like jazz.", "I adore jazz."),
        ("You enjoy running.", "I love running."),
        ("You like jazz.", "I quite like jazz."),
        ("You quite like jazz.", "I quite like jazz."),
        ("You dislike jazz.", "I hate jazz."),
        ("Ana has a little dog.", "Ana has a little dog."),
        ("You speak a little French.", "I speak a bit of French."),
        ("Ana is tired.", "Ana is very tired."),
    ],
)
def test_the_weaker_word_follows_from_the_stronger(judge: str, claim: str, evidence: str):
    assert Groundwire(settings=Settings(judge=judge)).judge(claim, [evidence]).verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("You swim worse than Kim.", "Kim swims better than I do.", S),
        ("You swim better than Kim.", "Kim swims better than I do.", R),
        ("Kim swims worse than you.", "Kim swims better than me.", R),
        ("You run slower than Ana.", "Ana runs faster than I do.", S),
        ("You run faster than Ana.", "Ana runs faster than I do.", R),
        ("Your car is smaller than Ana's.", "Ana's car is bigger than mine.", S),
        ("Your car is bigger than Ana's.", "Ana's car is bigger than mine.", R),
        ("Ana earns more than you.", "I earn less than Ana does.", S),
        ("You are older than your brother.", "My brother is younger than I am.", S),
        ("You are younger than your brother.", "My brother is younger than I am.", R),
        ("Bo cooks better than you do.", "I cook worse than Bo does.", S),
        ("Ben arrives earlier than you.", "I arrive later than Ben does.", S),
        ("The red box is lighter than the blue one.", "The blue box is heavier than the red one.", S),
        ("My choice was better than yours.", "My choice was better than yours.", S),
    ],
)
def test_the_other_side_may_be_told_by_a_pronoun_or_with_an_echo_of_the_verb(
    claim: str, evidence: str, verdict: Verdict
):
    assert Groundwire(settings=Settings(judge="rules")).judge(claim, [evidence]).verdict is verdict


def test_an_echo_in_another_tense_is_no_echo():
    found = Groundwire(settings=Settings(judge="rules")).judge("You are worse than Bo.", ["Bo is better than I was."])
    assert found.verdict is not S
