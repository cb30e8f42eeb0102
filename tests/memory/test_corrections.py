"""What the user takes back, here or later, is not remembered."""

from __future__ import annotations

import pytest

from effort import stays_cheap
from groundwire.judge.judge import RulesJudge
from groundwire.memory.candidates import Extraction, Turn
from groundwire.memory.conversation import read_turns
from groundwire.memory.corrections import mend
from groundwire.memory.extraction import RuleExtractor
from groundwire.memory.intake import Intake

JUDGE = RulesJudge(lambda: 0.0)


def run(*turns: str) -> Extraction:
    """Turns of the user, with a word of the assistant between them."""
    said = [one for text in turns for one in (Turn("user", text), Turn("assistant", "I see."))]
    conversation = read_turns(said)
    return Intake(conversation, JUDGE).run(RuleExtractor().extract(conversation))


def stored(*turns: str) -> list[str]:
    return [proposal.candidate.text for proposal in run(*turns).stored]


@pytest.mark.requirement("EXT-008", "EXT-009")
@pytest.mark.parametrize(
    ("turns", "kept"),
    [
        (["I was born in 1978.", "Typo! I was born in 1987."], ["I was born in 1987"]),
        (["I have 12 guests.", "Sorry, correction: I have 21 guests."], ["I have 21 guests"]),
        (["I live in Rome.", "Sorry, I meant Milan."], []),
        (["I'm vegan.", "Scratch that, I'm vegetarian."], ["I'm vegetarian"]),
        (["I play the violin.", "No, the viola. I play the viola."], ["I play the viola"]),
        (["I earn 3000 a month. Make that 3200."], []),
        (["I own ten yachts.", "Just kidding. I'm a nurse."], ["I'm a nurse"]),
        (["I'm the king of Norway. Just kidding, I'm a plumber."], ["I'm a plumber"]),
        (["I live inside a volcano (that's a joke).", "I live in Catania."], ["I live in Catania"]),
    ],
)
def test_a_correction_reaches_back(turns: list[str], kept: list[str]) -> None:
    assert stored(*turns) == kept


@pytest.mark.parametrize(
    ("turns", "kept"),
    [
        (["I have a dog.", "Actually, I have a cat too."], ["I have a dog", "I have a cat too"]),
        (["I love cats. I mean, who doesn't?"], ["I love cats"]),
        (["I live in Bern. Wait, I forgot to ask: how are you?"], ["I live in Bern"]),
        (["I'm a plumber. I live on Mars, haha just kidding!"], ["I'm a plumber"]),
        (["I can juggle five balls. I'm not kidding."], ["I can juggle five balls"]),
    ],
)
def test_what_is_not_corrected_stays(turns: list[str], kept: list[str]) -> None:
    assert stored(*turns) == kept


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I have two, sorry, three cats.", "I have three cats."),
        ("I work at Meta, no wait, Google.", "I work at Google."),
        ("I arrive on Monday - I mean Tuesday.", "I arrive on Tuesday."),
        ("Sorry, I meant Milan.", "Sorry, I meant Milan."),
        ("I live in Rome, sorry for the delay.", "I live in Rome, sorry for the delay."),
    ],
)
def test_a_slip_is_mended_in_place(said: str, meant: str) -> None:
    mended = mend(said)
    assert " ".join(mended.split()) == meant
    assert len(mended) == len(said)


def test_a_sentence_that_breaks_off_is_not_remembered() -> None:
    assert stored("I own two dogs, sorry, make that three.") == []


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("unit", ["Sorry, wait, ", "I have two, sorry, ", "No, I meant ", "Two, no, "])
def test_hostile_corrections_stay_cheap(unit: str) -> None:
    assert stays_cheap(lambda: mend((unit * 8192)[:100_000]))


@pytest.mark.requirement("EXT-009")
@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("Imagine I own a castle in Wales. I have six dogs there. How would I heat it? I'm 40.", ["I'm 40"]),
        ("Let's assume I'm a millionaire. I own five houses. Actually I rent.", ["I rent"]),
        ("I wish I spoke Japanese, but I speak Korean.", ["I speak Korean"]),
        ("If I lived in Rome, I would eat pasta; I live in Turin.", ["I live in Turin"]),
        ("Suppose I had two sons; I live in Oslo; what then?", []),
        ("If I had a dog but I lived alone, I'd worry.", []),
        ("If I had a dog but lived alone, I'd worry.", []),
        ("If you must know, I'm a Capricorn.", ["I'm a Capricorn"]),
    ],
)
def test_what_is_supposed_and_what_is_meant_are_told_apart(said: str, kept: list[str]) -> None:
    assert stored(said) == kept


@pytest.mark.requirement("EXT-009")
@pytest.mark.parametrize(
    "said",
    [
        "Translate: I am a doctor.",
        "Could you proofread this?\nI have ten years of experience in sales.",
        "Example sentence: I have a red car.",
        "My essay starts with: I was born in a tent.",
        "Summarise this e-mail: Dear Bob, I moved to Ghent. I like it here. Regards, Al",
        "I dreamt that I was a king.",
    ],
)
def test_a_text_to_work_on_is_nobodys_statement(said: str) -> None:
    assert not [text for text in stored(said) if text.startswith("I ")]


def test_what_stands_around_such_a_text_is_heard() -> None:
    said = "I live in Oslo. Translate this:\nI am a doctor.\n\nI work at a bank."
    assert stored(said) == ["I live in Oslo", "I work at a bank"]
    assert stored("Quick note: I'm vegan.") == ["I'm vegan"]
