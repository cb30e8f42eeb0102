"""Which came first, told in two memories, who else has the name, and who else may have such a thing."""

import pytest

from groundwire.types import Memory, Verdict, VerificationReport
from groundwire.verify.report import GroundCheckVerifier

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT

CLUBS = ("I joined the rowing club in 2016.", "I joined the choir in 2019.")
HOMES = ("I lived in Accra until 2008.", "From 2008 to 2013 I lived in Ottawa.", "I have lived in Toronto since 2013.")
TEST = ("Priya passed her driving test in 2011.", "Priya moved to Leeds in 2014.")
JOBS = ("I worked at Bosch from 2010 to 2016.", "I worked at Siemens from 2014 to 2019.")


def verify(answer: str, *memories: str) -> VerificationReport:
    return GroundCheckVerifier().verify(answer, [Memory(f"m{i}", text) for i, text in enumerate(memories, 1)])


@pytest.mark.requirement("JDG-009")
@pytest.mark.parametrize(
    ("answer", "memories", "verdict"),
    [
        ("You joined the choir before you joined the rowing club.", CLUBS, R),
        ("You joined the choir after you joined the rowing club.", CLUBS, S),
        ("You joined the rowing club after the choir.", CLUBS, R),
        ("You joined the choir after the rowing club.", CLUBS, S),
        ("You lived in Ottawa after Toronto.", HOMES, R),
        ("You lived in Ottawa before Toronto.", HOMES, S),
        ("You lived in Toronto after Accra.", HOMES, S),
        ("You lived in Accra after you lived in Ottawa.", HOMES, R),
        ("Priya passed her driving test after she moved to Leeds.", TEST, R),
        ("Priya passed her driving test before she moved to Leeds.", TEST, S),
        ("You worked at Bosch before Siemens.", JOBS, S),
        ("You worked at Bosch after Siemens.", JOBS, R),
    ],
)
def test_the_order_follows_from_the_times_of_two_memories(answer: str, memories: tuple[str, ...], verdict: Verdict):
    assert verify(answer, *memories).claims[0].verdict is verdict


@pytest.mark.requirement("JDG-009")
@pytest.mark.parametrize(
    ("answer", "memories"),
    [
        ("You joined the book club before the choir.", CLUBS),
        ("Priya passed her bar exam after she moved to Leeds.", TEST),
        ("You bought the boat before lunch.", ("I bought the boat in 2018.", "I bought the caravan in 2022.")),
        ("You worked at Bosch after Siemens.", ("I worked at Bosch.", "I worked at Siemens.")),
        (
            "You worked at Bosch after Siemens.",
            ("I worked at Bosch from 2010 to 2020.", "I worked at Siemens in 2015."),
        ),
    ],
)
def test_an_order_that_no_times_tell_is_neither_supported_nor_refuted(answer: str, memories: tuple[str, ...]):
    assert verify(answer, *memories).claims[0].verdict is N


@pytest.mark.requirement("JDG-009")
def test_the_word_that_tells_the_wrong_order_is_named_with_what_it_is_about():
    assert verify("You lived in Ottawa after Toronto.", *HOMES).hallucinations == ("after Toronto",)


def named_by_two(trusted: str, doubtful: str, trust: float = 0.15) -> list[Memory]:
    return [Memory("m1", trusted, trust=0.95, timestamp=1), Memory("m2", doubtful, trust=trust, timestamp=2)]


@pytest.mark.requirement("CTR-025")
@pytest.mark.parametrize(
    ("trusted", "doubtful", "answer", "wrong"),
    [
        ("My son is called Emir.", "User's son is called Oskar.", "Your son is called Oskar.", ("Oskar",)),
        ("My aunt is Rosa.", "The user's aunt is Rita.", "Your aunt is Rita.", ("Rita",)),
        ("My sister is called Lena.", "User's brother is called Jonas.", "Your brother is called Jonas.", ()),
        ("One of my brothers is Lukas.", "User's brother is Jonas.", "Your brother is Jonas.", ()),
    ],
)
def test_a_doubtful_name_yields_to_the_trusted_one_of_the_same_relative(
    trusted: str, doubtful: str, answer: str, wrong: tuple[str, ...]
):
    assert GroundCheckVerifier().verify(answer, named_by_two(trusted, doubtful)).hallucinations == wrong


@pytest.mark.requirement("CTR-025")
def test_two_trusted_names_may_be_two_brothers():
    memories = named_by_two("My brother is called Lukas.", "My brother is called Jonas.", trust=0.9)
    assert GroundCheckVerifier().verify("Your brother is called Jonas.", memories).grounded


@pytest.mark.requirement("JDG-009")
@pytest.mark.parametrize(
    ("answer", "memory", "verdict"),
    [
        ("Mia owns a bakery.", "Ben owns a bakery.", N),
        ("Mia wrote a novel.", "Ben wrote a novel.", N),
        ("Mia owns the bakery.", "Ben owns the bakery.", R),
        ("Metz won the cup.", "Lyon won the cup.", R),
    ],
)
def test_of_any_thing_another_may_have_one_too(answer: str, memory: str, verdict: Verdict):
    assert verify(answer, memory).claims[0].verdict is verdict
