"""Things of which there is one at a time, where no catalogue names the slot."""

from __future__ import annotations

import pytest

from groundwire.types import Memory
from groundwire.verify.contradictions import ContradictionDetector


def contradict(*texts: str) -> bool:
    return bool(ContradictionDetector().detect([Memory(f"m{n}", text, 0.9, n + 1) for n, text in enumerate(texts)]))


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My blood pressure medication is lisinopril.", "My blood pressure medication is amlodipine."),
        ("My shirt size is medium.", "My shirt size is large."),
        ("My car's colour is silver.", "My car's colour is navy."),
        ("My pizza order is a margherita.", "My pizza order is a diavola."),
        ("The school's mascot is a heron.", "The school's mascot is a lynx."),
        ("My flight leaves from gate B12.", "My flight leaves from gate C4."),
        ("The choir rehearses in St Mark's.", "The choir rehearses in the town hall."),
        ("I bank with Nordea.", "I bank with Revolut."),
        ("My editor is Marta.", "My editor is Jonas."),
        ("I use Vim as my editor.", "My editor is Helix."),
        ("My physio is called Bram.", "Annelies is my physio."),
        ("My doctor is Dr. Abel.", "My GP is Dr. Bell."),
        ("My car is insured with Allianz.", "My car is insured with HUK."),
        ("Our backend deploys to Heroku.", "Our backend deploys to Render."),
        ("My alarm is set for 6:30.", "My alarm is set for 7:00."),
        ("The interview takes place in Ghent.", "The interview takes place in Bruges."),
        ("The default branch is master.", "The default branch is main."),
        ("I train at PureGym.", "I train at The Gym Group."),
        ("In Kyoto we're staying at the Okura.", "In Kyoto we're staying at the Granvia."),
        ("I'm currently reading Solaris.", "I'm currently reading Emma."),
        ("This summer we're going to Crete.", "This summer we're going to Sardinia."),
        ("Lena and I are engaged.", "Lena and I are married."),
        ("Benedikt flies for Condor.", "Benedikt is a pilot at Lufthansa."),
        ("Karin Holt is the CEO of Novex.", "Jens Moe is the CEO of Novex."),
        ("My check-up is on Tuesday.", "My check-up has been moved to Thursday."),
        ("My check-up is on Tuesday.", "I have my check-up on Thursday."),
        ("The exam is at 9 am.", "The exam starts at 10 am."),
        ("Rent is 900 euros.", "My rent is 950 euros."),
        ("Spotify is my music app.", "My music app is Tidal."),
        ("I have no pets.", "I have a cat."),
    ],
)
def test_an_attribute_a_venue_and_a_bank_have_one_value(one: str, other: str):
    assert contradict(one, other)


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("My problem is noise.", "My problem is time."),
        ("My goal is a marathon.", "My goal is a novel."),
        ("My student is Omar.", "My student is Kim."),
        ("My mechanic is Paulo.", "My mechanic is a genius."),
        ("My bike is a Trek.", "My bike is blue."),
        ("My job is stressful.", "My job is fun."),
        ("My medication is lisinopril.", "My medication is metformin."),
        ("My wall colour is sage.", "My door colour is ivory."),
        ("The choir rehearses in German.", "The choir rehearses in the town hall."),
        ("The choir meets in the evening.", "The choir meets in the hall."),
        ("The team trains in groups.", "The team trains in the gym."),
        ("I work with Anna.", "I work with Tom."),
        ("My editor is Vim.", "My editor is Marta."),
        ("My dentist is Dr. Amari.", "My accountant is Petra."),
        ("My car is a Golf.", "My motorcycle is a Ducati."),
        ("My car is a Golf.", "My other car is a Volvo."),
        ("My phone is a Pixel 6.", "My phone number is 555-12345."),
        ("My shipping address is 4 Elm Road.", "My billing address is 9 Oak Lane."),
        ("My appointment is booked for Tuesday.", "My appointment is booked for Anna."),
        ("The default theme is dark.", "The default theme is ugly."),
        ("I train at PureGym.", "I train at home."),
        ("In Kyoto we're staying at the Okura.", "In Osaka we're staying at the Granvia."),
        ("I'm reading Solaris.", "I'm reading Emma."),
        ("This summer we're going to Crete.", "Next summer we're going to Rome."),
        ("The main ingredient is flour.", "The main ingredient is butter."),
        ("Our app runs on Android.", "Our app runs on Windows."),
        ("Ana is the co-founder of Novex.", "Bo is the co-founder of Novex."),
        ("Ana is my colleague.", "Bo is my colleague."),
        ("I have my lessons on Tuesday.", "I have my lessons on Friday."),
        ("My team moved to Oslo.", "My team is on Slack."),
        ("The exam starts at 9 am.", "The exam is on Monday."),
        ("I have no car.", "I have a bike."),
    ],
)
def test_what_one_may_have_several_of_or_is_like_does_not_compete(one: str, other: str):
    assert not contradict(one, other)
