"""What the source must say before a candidate may be believed."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from groundwire.errors import RejectionError
from groundwire.judge.judge import RulesJudge
from groundwire.memory.candidates import Candidate, Grounding, Method, RejectionReason
from groundwire.memory.conversation import read_summary
from groundwire.memory.grounding import Grounder
from groundwire.memory.intake import Intake
from groundwire.memory.sanity import find_nonsense
from groundwire.types import MemoryKind

JUDGE = RulesJudge(time.perf_counter)
FACT, PATTERN, NARRATIVE = MemoryKind.USER_FACT, MemoryKind.USER_PATTERN, MemoryKind.SHARED_NARRATIVE


def ground(text: str, source: str, kind: MemoryKind = FACT) -> Grounding:
    return Grounder(read_summary(source), JUDGE).ground(Candidate(text, kind))[1]


def decide(text: str, source: str, kind: MemoryKind = FACT, *, known: tuple[str, ...] = ()):
    return Intake(read_summary(source), JUDGE, known_facts=known).decide(Candidate(text, kind, 0.95, "said so"))


@pytest.mark.requirement("EXT-022")
@pytest.mark.parametrize(
    ("text", "source", "kind"),
    [
        ("Loves fettuccini", "I absolutely love fettuccini pasta, especially with alfredo sauce", FACT),
        ("Loves fettuccini", "User said: I absolutely love fettuccini pasta, especially with alfredo sauce.", FACT),
        ("Prefers step-by-step explanations", "Asked for step-by-step explanation of the algorithm", PATTERN),
    ],
)
def test_what_the_source_says_in_other_grammar_is_grounded(text: str, source: str, kind: MemoryKind):
    assert ground(text, source, kind).is_grounded


@pytest.mark.requirement("EXT-023")
@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Absolutely loves fettuccini pasta with truffle oil", "We discussed fettuccini briefly"),
        ("Loves fettuccini specifically", "User mentioned liking pasta"),
    ],
)
def test_what_adds_to_the_source_is_not_grounded(text: str, source: str):
    assert not ground(text, source).is_grounded


@pytest.mark.requirement("EXT-024")
@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Works as a professional FL Studio producer", "We discussed music production in FL Studio"),
        ("Works as professional producer", "We discussed music production."),
    ],
)
def test_a_profession_made_of_a_topic_is_a_hallucination_and_cannot_be_stored(text: str, source: str):
    intake = Intake(read_summary(source), JUDGE)
    candidate = Candidate(text, FACT, 0.70, "discussed it")
    rejection = intake.decide(candidate).rejection
    assert rejection is not None
    assert rejection.reason is RejectionReason.HALLUCINATION
    with pytest.raises(RejectionError, match="hallucination"):
        intake.admit(candidate)


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Works at Google", "User: I work at Amazon."),
        ("Hates broccoli", "User: I love broccoli."),
        ("Is 45 years old", "User: I'm 25 years old."),
        ("Works at Google", "User: My brother works at Google."),
        ("Eats meat", "User: I don't eat meat."),
        ("Doesn't eat meat", "User: I eat meat."),
        ("Prefers coffee over tea", "User: I prefer tea over coffee."),
        ("Manages Dana", "User: Dana manages me."),
        ("Has a dog", "User: I saw a dog."),
        ("Moved to Austin", "User: I plan to move to Austin."),
        ("Works at Google in Berlin", "User: My brother works at Google. I work in Berlin."),
        ("Loves jazz", "User: I like jazz."),
        ("Bought a Jeep", "User: I almost bought a Jeep."),
        ("Eats at diners", "User: I refuse to eat at diners."),
        ("Drinks beer", "User: I rarely drink beer."),
        ("Has 5 employees", "User: I have less than 5 employees."),
        ("Plays tennis", "User: I stopped playing tennis."),
        ("Works at NASA", "User: I applied for a job at NASA."),
        ("Favorite movie is popcorn", "User: My favorite movie is Alien and my favorite snack is popcorn."),
        ("Loves fettuccini with alfredo sauce", "User: I love fettuccini. I hate alfredo sauce."),
        ("Sold the lorry and kept the canoe", "User: I sold the canoe and kept the lorry."),
        ("Plays the harp", "User: My husband plays the harp and I play the flute."),
        ("Works in Graz", "User: I live in Graz and work in Linz."),
        ("Surname is Karl", "User: My first name is Karl and my surname is Otto."),
        ("Owns a flat in Turin", "User: I rent a flat in Turin and own a house in Asti."),
        ("Prefers coffee", "User: I prefer tea to coffee."),
        ("Bought the boat after the wedding", "User: I bought the boat before the wedding."),
        ("Has a cat with a tail", "User: I have a cat without a tail."),
        ("Smokes", "User: I hate it when people smoke."),
    ],
)
def test_a_near_miss_that_shares_its_words_is_not_grounded(text: str, source: str):
    assert not ground(text, source).is_grounded


@pytest.mark.requirement("EXT-020")
@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Likes pasta", "User: I dislike pasta."),  # whole words
        ("Works at Meta", "User: I no longer work at Meta."),  # polarity
        ("Works at Meta", "The user no longer works at Meta."),
        ("Works at Meta", "User: Hello.\nAssistant: I work at Meta."),  # speaker
        ("Lives in Oslo", "User: I used to live in Oslo."),  # tense
    ],
)
def test_words_polarity_speaker_and_tense_are_respected(text: str, source: str):
    assert not ground(text, source).is_grounded
    assert ground("Loves fettuccini", "User: I love fettuccini.").is_grounded, "lemmas match"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("User: If I won the lottery I would own a boat.", "Owns a boat"),
        ("User: I own a boat. Just kidding!", "Owns a boat"),
        ("User: Do I own a boat?", "Owns a boat"),
        ('User: My boss said "I own a boat" yesterday.', "Owns a boat"),
        ("User: I would like to own a boat.", "Owns a boat"),
        ("User: I kind of like boats.", "Likes boats"),
        ("User: Pretend I own a boat.", "Owns a boat"),
    ],
)
def test_what_is_supposed_joked_asked_or_quoted_grounds_nothing(source: str, text: str):
    decided = decide(text, source)
    assert decided.rejection is not None


@pytest.mark.requirement("EXT-025")
@pytest.mark.parametrize(
    ("text", "source", "grounded"),
    [
        ("Been chatting since 2019", "User: We've been talking for like 5-6 years.", False),
        ("Has been a nurse since 2014", "User: I have been a nurse for 10 years.", False),
        ("Has been a nurse for 12 years", "User: I have been a nurse for 10 years.", False),
        ("Has been a nurse for ten years", "User: I have been a nurse for 10 years.", True),
        ("Was born in 1990", "User: I was born on 12 May 1990.", True),
        ("Was born in 1991", "User: I was born on 12 May 1990.", False),
        ("Has 2 cats", "User: I have 3 cats.", False),
    ],
)
def test_a_number_or_date_must_be_in_the_source(text: str, source: str, grounded: bool):
    kind = NARRATIVE if "chatting" in text else FACT
    assert ground(text, source, kind).is_grounded is grounded


@pytest.mark.requirement("EXT-019", "EXT-021")
def test_what_the_judge_is_sure_of_is_grounded_by_meaning_and_counts_least():
    found = ground("Ines is the user's spouse", "User: I'm married to Ines.")
    assert found.method is Method.SEMANTIC
    assert not ground("Olga is the user's spouse", "User: I'm married to Ines.").is_grounded
    decided = decide("Ines is the user's spouse", "User: I'm married to Ines.").rejection
    assert decided is not None and decided.reason is RejectionReason.BELOW_THRESHOLD


@pytest.mark.requirement("EXT-013")
def test_asking_again_in_one_sentence_is_a_second_observation():
    source = "Asked for code examples in Rust, and later asked again for code examples in Rust."
    assert decide("Prefers code examples in Rust", source, PATTERN).proposal is not None
    assert decide("Prefers code examples in Rust", "Asked for code examples in Rust.", PATTERN).proposal is None


def similar(score: float):
    def similarity(text: str, passages: Sequence[str], /) -> Sequence[float]:
        seen.extend(passages)
        return [score] * len(passages)

    seen: list[str] = []
    return similarity, seen


@pytest.mark.requirement("EXT-019", "EXT-021")
def test_quotation_then_key_phrases_then_meaning_and_nothing_else():
    source = "User: I'm employed by the city library. I shelve books. I read a lot. I have three bikes."
    alike, seen = similar(0.9)
    grounder = Grounder(read_summary(source), JUDGE, alike)
    quoted = grounder.ground(Candidate("Shelves books", FACT))[1]
    assert quoted.method is Method.EXACT_QUOTE
    assert not seen, "the first step that succeeds ends the search"
    assert grounder.ground(Candidate("Books shelved", FACT))[1].method is not Method.EXACT_QUOTE
    meant = grounder.ground(Candidate("Possesses three bikes", FACT))[1]
    assert meant.is_grounded
    assert grounder.ground(Candidate("Juggles knives", FACT))[1].method is None
    assert "I shelve books." in seen, "every sentence"
    assert "I shelve books. I read a lot. I have three bikes." in seen, "and every window of three"


@pytest.mark.requirement("EXT-021")
@pytest.mark.parametrize(
    "text",
    ["Possesses four bikes", "Possesses three Trek bikes", "Does not possess three bikes", "Repairs three bikes"],
)
def test_likeness_grounds_nothing_that_differs_in_number_name_denial_or_verb(text: str):
    alike, _ = similar(0.99)
    grounder = Grounder(read_summary("User: I have three bikes. I read a lot."), JUDGE, alike)
    assert not grounder.ground(Candidate(text, FACT))[1].is_grounded


def test_likeness_at_the_threshold_is_not_enough():
    alike, _ = similar(0.85)
    grounder = Grounder(read_summary("User: I own a bicycle."), JUDGE, alike)
    assert grounder.ground(Candidate("Possesses a push bike", FACT))[1].similarity == 0.85
    assert not grounder.ground(Candidate("Possesses a push bike", FACT))[1].is_grounded


def test_spans_quote_the_source_exactly():
    source = 'Intro.\nUser: "I love ramen. I live in Oslo."\nAssistant: ok'
    found = ground("Lives in Oslo", source)
    assert [source[place.span.start : place.span.end] for place in found.places] == ["I live in Oslo."]


def test_the_report_of_a_user_statement_grounds_and_a_report_about_others_does_not():
    source = (
        "The user said that she lives in Lisbon. Her brother works at Intel. He plays golf. The assistant likes tea."
    )
    assert ground("Lives in Lisbon", source).is_grounded
    for text in ("Works at Intel", "Plays golf", "Likes tea"):
        assert not ground(text, source).is_grounded


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the of and",
        "pasta pasta pasta",
        "It is that",
        "{{fact}}",
        "The fact or pattern",
        "Likes [insert name]",
        "word " * 300,
        "???",
    ],
)
def test_nonsense_is_named(text: str):
    assert find_nonsense(text)


@pytest.mark.parametrize("text", ["Loves fettuccini", "Allergic to peanuts", "Is 25", "Been chatting since 2019"])
def test_sense_is_left_alone(text: str):
    assert find_nonsense(text) == ""


@pytest.mark.requirement("EXT-026")
def test_each_of_four_defences_refuses_on_its_own():
    source = "User: I love ramen. I enjoy tea. I would like to try paragliding."
    grounding = decide("Loves pho", source).rejection
    confidence = decide("Enjoys tea", source).rejection
    type_rule = decide("Would like to try paragliding", source).rejection
    sanity = decide("ramen ramen ramen", source).rejection
    assert grounding is not None and grounding.reason is RejectionReason.NOT_GROUNDED
    assert confidence is not None and confidence.reason is RejectionReason.BELOW_THRESHOLD
    assert type_rule is not None and type_rule.reason is RejectionReason.TYPE_RULE
    assert sanity is not None and "semantically_invalid" in str(sanity.details["reason"])
    assert decide("Loves ramen", source).proposal is not None
