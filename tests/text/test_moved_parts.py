"""What stands in front, is left out or is set against something else is said of what it was said of, or not apart."""

import pytest

from groundwire.text.claims import extract_claims


def claims(text: str) -> list[str]:
    return [claim.text for claim in extract_claims(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tomorrow you fly to Rome.", "You fly to Rome tomorrow"),
        ("Sometimes you skip lunch.", "You skip lunch sometimes"),
        ("Upstairs you have two bedrooms.", "You have two bedrooms upstairs"),
        ("Twice a week you go to physio.", "You go to physio twice a week"),
        ("Three days a week, you work from home.", "You work from home three days a week"),
        ("For the conference in Lyon you're taking the train.", "You're taking the train for the conference in Lyon"),
        ("At work you use a Mac.", "You use a Mac at work"),
        ("Of the ten invoices, you paid four.", "You paid four of the ten invoices"),
        ("Between 2010 and 2014 you lived in Oslo.", "You lived in Oslo between 2010 and 2014"),
        ("Without telling anyone, you quit.", "You quit without telling anyone"),
        ("Because of the strike your train was cancelled.", "Your train was cancelled because of the strike"),
        ("Weekdays you get up at six, weekends at nine.", "Weekdays, you get up at six, weekends at nine"),
        ("Behind the house there are two sheds.", "There are two sheds behind the house"),
        ("From June there'll be three of you.", "There'll be three of you from June"),
        ("Too much salt is bad for you.", "Too much salt is bad for you"),
    ],
)
def test_what_opens_a_sentence_and_limits_it_goes_with_the_claim(text: str, expected: str):
    assert claims(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("In short, you're broke.", "You're broke"),
        ("According to your notes, the boiler was serviced in October.", "The boiler was serviced in October"),
        ("For the record, you paid 300 euros.", "You paid 300 euros"),
        ("From what you told me, you live in Kiel.", "You live in Kiel"),
        ("For the visa form: your nationality is Canadian.", "Your nationality is Canadian"),
        ("Now, your rent is 800 euros.", "Your rent is 800 euros"),
        ("Just so you know, the shop closes at 5.", "The shop closes at 5"),
    ],
)
def test_mere_words_of_speech_do_not(text: str, expected: str):
    assert claims(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Looks like your landlord raised the rent.", ["Your landlord raised the rent"]),
        ("Turns out your passport expired in May.", ["Your passport expired in May"]),
        ("The truth is you never liked the job.", ["You never liked the job"]),
        ("It was in Rome that you met Ana.", ["You met Ana in Rome"]),
        ("It wasn't in Rome that you met Ana.", ["You did not meet Ana in Rome"]),
        ("You eat everything but fish.", ["You eat everything but fish", "You do not eat fish"]),
        ("You work at Bosch now, no longer at Siemens.", ["You work at Bosch now", "You do not work at Siemens"]),
        ("Your appointment is at 9, not 10.", ["Your appointment is at 9", "Your appointment is not at 10"]),
        ("You booked Monday, not Tuesday.", ["You booked Monday", "You did not book Tuesday"]),
        ("You never smoked, not even once.", ["You never smoked"]),
        ("You forgot to pay the water bill.", ["You forgot to pay the water bill"]),
        ("You had your car serviced in April.", ["You had your car serviced in April"]),
        ("There are three messages waiting.", ["There are three messages", "Three messages are waiting"]),
        (
            "You used to live in Bonn, but these days you live in Ulm.",
            ["You used to live in Bonn", "You live in Ulm these days"],
        ),
        ("The release is 5.2 and it ships on Monday.", ["The release is 5.2", "The release ships on Monday"]),
    ],
)
def test_parts_that_were_moved_are_said_of_their_own(text: str, expected: list[str]):
    assert claims(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "You brew with a Chemex, 18 grams of coffee.",
        "You take two pills, one in the morning, one at night.",
        "You have a meeting at 3, another at 5.",
        "You own two flats, one in Porto and one in Braga.",
        "You have a son, 7, and a daughter, 4.",
        "You had soup; Ana, the fish.",
        "Your dog, Rex, is 5, and your cat, Mimi, 3.",
        "It's your father who has diabetes, not you.",
        "It's not you but your father who has diabetes.",
        "The reason you left is the pay.",
        "The year you moved to Rome was 2019.",
        "The thing you hate most is being late.",
        "Attached is your contract.",
        "Only then did you call the doctor.",
        "Your flight, LH 400, leaves at 9.",
        "Children under 12 may swim for free.",
        "Staff may enter all rooms.",
        "You think highly of your boss.",
        "Your sister knows.",
    ],
)
def test_what_cannot_be_taken_apart_is_one_claim(text: str):
    (claim,) = extract_claims(text)
    assert claim.text.rstrip(".") == text.rstrip(".")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Your flight was on time, but not your luggage.", "Your flight was on time"),
        ("Ana likes fish, but not Bo.", "Ana likes fish"),
    ],
)
def test_who_is_set_against_the_subject_is_no_object(text: str, kept: str):
    assert claims(text) == [kept, text]


@pytest.mark.parametrize(
    "text", ["You may want to rest.", "It may rain tomorrow.", "You think so.", "You already know."]
)
def test_advice_doubt_and_talk_still_claim_nothing(text: str):
    assert claims(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana smokes; Bo doesn't.", ["Ana smokes", "Bo does not smoke"]),
        ("You don't eat meat, but your wife does.", ["You don't eat meat", "Your wife does eat meat"]),
        ("You have paid, but Ana hasn't.", ["You have paid", "Ana has not paid"]),
        ("You work at Fiat, and your wife does too.", ["You work at Fiat", "Your wife works at Fiat"]),
        ("Ana works at Shell, as does Bo.", ["Ana works at Shell", "Bo works at Shell"]),
        ("You tried to call Ana but couldn't reach her.", ["You tried to call Ana", "You couldn't reach her"]),
        ("You were not fired; you quit.", ["You were not fired", "You quit"]),
        ("You want to study law, not medicine.", ["You want to study law", "You do not want to study medicine"]),
        ("Keep in mind the shop closes at 5.", ["The shop closes at 5"]),
        ("Don't forget that your lease ends in May.", ["Your lease ends in May"]),
        ("Since your lease ends in May, start looking now.", ["Your lease ends in May"]),
        ("Ten years ago you lived in Rome.", ["You lived in Rome ten years ago"]),
        ("The day after tomorrow you fly to Rome.", ["You fly to Rome the day after tomorrow"]),
        ("It's no secret that you hate Mondays.", ["You hate Mondays"]),
    ],
)
def test_what_is_left_out_is_put_in_again(text: str, expected: list[str]):
    assert claims(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "You deny that you smoke.",
        "You doubt that Ana will come.",
        "You either walk or take the bus.",
        "You gave Ana the keys and Bo the car.",
        "Not a single guest cancelled.",
        "Not one of your friends came.",
        "Nowhere do you mention Ana.",
        'You said, "I never drink coffee after noon."',
        "Same for the internet bill.",
    ],
)
def test_doubts_choices_and_citations_are_claimed_as_they_stand(text: str):
    (claim,) = extract_claims(text)
    assert claim.text.rstrip(".") == text.rstrip(".")
