"""Parts of which there is one at a time, read from grammar, and what there may be several of."""

from __future__ import annotations

import time

import pytest

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types import Memory
from groundwire.verify.contradictions import ContradictionDetector

OLD, NEW = 1_690_000_000, 1_720_000_000


def contradict(one: str, other: str) -> bool:
    return bool(ContradictionDetector().detect([Memory("m1", one, 0.9, 1), Memory("m2", other, 0.9, 2)]))


def verify(answer: str, older: str, newer: str, *, judge: str = "rules"):
    held = [Memory("m1", older, 0.9, OLD), Memory("m2", newer, 0.9, NEW), Memory("m3", "I like long walks.", 0.9, NEW)]
    return Groundwire(settings=Settings(judge=judge)).verify(answer, memories=held)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Our weekly standup takes place in the blue room.", "Our weekly standup takes place in the attic."),
        ("My daughter goes to kindergarten at Sunflower House.", "My daughter goes to kindergarten at Little Acorns."),
        ("Omar studies at Leiden University.", "Omar studies at Utrecht University."),
        ("My position is junior accountant.", "My position is chief accountant."),
        ("The hearing will be held in court 3.", "The hearing will be held in court 7."),
        ("The ferry to the island leaves from pier 4.", "The ferry to the island leaves from pier 9."),
        ("The password for the guest network is sunflower.", "The password for the guest network is marigold."),
        (
            "The warranty on the dishwasher runs out in March 2026.",
            "The warranty on the dishwasher runs out in August 2027.",
        ),
        ("The wedding is in Siena.", "The wedding is in Bologna."),
        ("The cello is tuned to 440 Hz.", "The cello is tuned to 442 Hz."),
        ("The bread bakes at 220 degrees.", "The bread bakes at 190 degrees."),
        ("Marta's maiden name is Kowalska.", "Marta's maiden name is Nowak."),
        ("My flight home departs from gate B12.", "My flight home departs from gate C4."),
        ("The colour of the front door is green.", "The colour of the front door is red."),
        ("Logs are kept for 30 days.", "Logs are kept for 90 days."),
        ("The exhibition runs until 12 June.", "The exhibition runs until 3 July."),
        ("My knee surgery is scheduled for 4 May.", "My knee surgery is scheduled for 18 May."),
        ("My thesis is supervised by Dr Amin.", "My thesis is supervised by Dr Roth."),
        ("The deposit is paid.", "The deposit is not paid."),
        ("Ravi is the captain of our team.", "Jonas is the captain of our team."),
        ("My dentist has his practice in Elm Street.", "My dentist has his practice in Oak Street."),
        ("User is registered with Dr Okafor.", "User is registered with Dr Lindholm."),
        ("Our Wi-Fi network is called Nebula.", "Our Wi-Fi network is called Quasar."),
        (
            "The tenants' association meets in the cellar of number 9.",
            "The tenants' association meets in the cellar of number 15.",
        ),
        ("The sourdough starter lives in the fridge.", "The sourdough starter lives in the pantry."),
        ("I always sit in row F.", "I always sit in row C."),
        ("Payroll is handled by Ingrid.", "Payroll is handled by Samuel."),
        ("The on-call engineer for March is Pooja.", "The on-call engineer for March is Dmitri."),
        ("My son's form tutor is Mr Adeyemi.", "My son's form tutor is Ms Flores."),
        ("User's preferred contact channel is email.", "User's preferred contact channel is Signal."),
        ("The wine cellar is kept at 12 degrees.", "The wine cellar is kept at 14 degrees."),
        ("Grandma's ring is in the bank vault.", "Grandma's ring is in the jewellery box."),
        ("My blood type is A negative.", "My blood type is O positive."),
        ("The reserve price of the violin is 12,000 pounds.", "The reserve price of the violin is 15,000 pounds."),
        ("The flat above ours belongs to the Hansens.", "The flat above ours belongs to the Moreaus."),
        ("The release train leaves every second Wednesday.", "The release train leaves every second Monday."),
        ("The safety officer at the plant is Mrs Nkemelu.", "The safety officer at the plant is Mr Brandt."),
        ("The garage code is 7741.", "The garage code is 2093."),
        ("Our hotel in Lisbon is the Miradouro.", "Our hotel in Lisbon is the Alfama Palace."),
        (
            "My physiotherapy takes place at the Rosenhof clinic.",
            "My physiotherapy takes place at the Seeblick clinic.",
        ),
        ("The lawn is mown by our neighbour Otto.", "The lawn is mown by our neighbour Rita."),
        ("The font of the newsletter is Garamond.", "The font of the newsletter is Lora."),
        ("The patient's pharmacy is Lindenapotheke.", "The patient's pharmacy is Adler Pharmacy."),
        ("My mobile contract ends in May 2025.", "My mobile contract ends in November 2026."),
    ],
)
def test_memories_that_differ_in_a_part_of_which_there_is_one_contradict_each_other(one: str, other: str):
    assert contradict(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I have a dog called Biscuit.", "I have a dog called Waffle."),
        ("Since 2021 the archive is in Malmö.", "Until 2021 the archive was in Lund."),
        ("The festival has a stage by the river.", "The festival has a stage behind the castle."),
        ("I visited Kyoto in spring.", "I visited Osaka in autumn."),
        ("The kitchen is on the ground floor.", "The bathroom is on the first floor."),
        ("My position is accountant.", "My position is chief accountant."),
        ("The wedding is in Italy.", "The wedding is in Siena, Italy."),
        ("The spare key is under the flowerpot.", "The spare key is rusty."),
        ("We sell bread.", "We sell cakes."),
        ("One of my doctors is Dr Amin.", "One of my doctors is Dr Roth."),
        ("Ravi is a member of our team.", "Jonas is a member of our team."),
        ("The bus stops at the library.", "The bus stops at the station."),
        ("My flat has a balcony.", "My flat has a cellar."),
        ("The soup contains celery.", "The soup contains leeks."),
        ("On Saturdays the shop closes at 14:00.", "On weekdays the shop closes at 18:00."),
        ("My car is blue.", "My car is ten years old."),
        ("I play the piano.", "I play the drums."),
        ("The museum is near the harbour.", "The museum is in Rotterdam."),
        ("My aunt is a nurse.", "My aunt is from Malta."),
        ("The trail goes through Zermatt.", "The trail goes through Täsch."),
        ("The shed is full of tools.", "The shed is full of paint tins."),
        ("My neighbour plays the tuba.", "My neighbour plays chess."),
        ("The app runs on Android.", "The app runs on iOS."),
        ("The first chapter is about whales.", "The second chapter is about krill."),
        ("The course is taught by Nadia.", "The course is taught in French."),
        ("I met Paul at a concert.", "I met Paul at a wedding."),
        ("The paint is made of linseed oil.", "The paint is made of chalk."),
        ("I have an account with Nordea.", "I have an account with SEB."),
        ("The shop is closed on Sundays.", "The shop is closed on public holidays."),
        ("My mother is on ward 3.", "My mother's friend is on ward 7."),
        ("The bridge was repaired in 2015.", "The bridge was repaired in 2021."),
        ("Payroll is handled by Ingrid.", "Expenses are handled by Samuel."),
        ("The band consists of Mo.", "The band consists of Lena."),
        ("The tour includes Siena.", "The tour includes Lucca."),
        ("The kitchen is painted yellow.", "The hall is painted blue."),
        ("The museum is open on Mondays.", "The museum is open on Saturdays."),
        ("The pond is home to newts.", "The pond is home to frogs."),
        ("I bought a lamp in Turin.", "I bought a lamp in Genoa."),
        ("The lecture is in German.", "The lecture is in hall 4."),
        ("The prize is awarded every year.", "The prize is awarded in Stockholm."),
        ("The parcel was sent on Monday.", "The parcel was sent by courier."),
        ("One of the tenants is Mr Roth.", "One of the tenants is Ms Bauer."),
        ("I grow tomatoes on the balcony.", "I grow basil on the balcony."),
        ("The choir also sings in Latin.", "The choir also sings in Welsh."),
        ("The clinic is in Basel.", "The clinic is in the Gundeldingen district of Basel."),
        ("Every Friday we eat at Luigi's.", "Every Sunday we eat at the Golden Lotus."),
        ("My favourite dish in summer is gazpacho.", "My favourite dish in winter is goulash."),
        ("The film stars Ana Reyes.", "The film stars Piotr Zielinski."),
        ("My cousin Ines teaches at a school.", "My cousin Ines teaches yoga."),
        ("The policy covers theft.", "The policy covers fire."),
        ("The stall at the east gate sells crêpes.", "The stall at the west gate sells falafel."),
        ("I was in Oslo last week.", "I was in Bergen last month."),
        ("My sister has a flat in Nice.", "My sister has a flat in Lyon."),
        ("The train stops in Ulm.", "The train stops in Augsburg."),
    ],
)
def test_what_there_may_be_several_of_contradicts_nothing(one: str, other: str):
    assert not contradict(one, other)


@pytest.mark.parametrize(
    ("older", "newer", "answer", "phrase"),
    [
        (
            "I keep my passport in the safe.",
            "I keep my passport in the desk drawer.",
            "You keep your passport in the desk drawer.",
            "desk drawer (changed from safe)",
        ),
        (
            "The choir meets once a week, on Tuesday.",
            "The choir meets once a week, on Friday.",
            "The choir meets on Friday.",
            "Friday (changed from Tuesday)",
        ),
        (
            "The AGM takes place in hall B.",
            "The AGM takes place in the canteen.",
            "The AGM takes place in the canteen.",
            "canteen (changed from hall B)",
        ),
        (
            "Omar studies at Leiden University.",
            "Omar studies at Utrecht University.",
            "Omar studies at Utrecht University.",
            "Utrecht University (changed from Leiden University)",
        ),
    ],
)
def test_such_a_part_that_an_answer_uses_in_silence_is_disclosed(older: str, newer: str, answer: str, phrase: str):
    assert verify(answer, older, newer).expected_disclosure == phrase


@pytest.mark.parametrize(
    ("older", "newer", "answer"),
    [
        (
            "Our only supplier of flour is Hofmann.",
            "Our only supplier of flour is Bauer.",
            "Your flour comes from Bauer.",
        ),
        (
            "My knee surgery is scheduled for 4 May.",
            "My knee surgery is scheduled for 18 May.",
            "18 May, that is the day of your knee surgery.",
        ),
        (
            "Omar studies at Leiden University.",
            "Omar studies at Utrecht University.",
            "Omar goes to university in Utrecht.",
        ),
        (
            "Omar studies at Leiden University.",
            "Omar studies at Utrecht University.",
            "Omar goes to university in Leiden.",
        ),
        ("The AGM takes place in hall B.", "The AGM takes place in the canteen.", "For the AGM, go to the canteen."),
    ],
)
def test_a_disputed_value_in_words_of_its_own_has_to_be_disclosed(older: str, newer: str, answer: str):
    report = verify(answer, older, newer, judge="mini")
    assert report.requires_disclosure
    assert not report.grounded


@pytest.mark.parametrize(
    ("older", "newer", "answer"),
    [
        (
            "My car is a Fiat Panda.",
            "My car is a Skoda Octavia.",
            "You drive the Octavia now; the Panda was the one before.",
        ),
        (
            "The AGM takes place in hall B.",
            "The AGM takes place in the canteen.",
            "The AGM takes place in the canteen, although it was first going to be in hall B.",
        ),
        (
            "My boss is Hanna Lindqvist.",
            "My boss is Teodor Varga.",
            "You report to Teodor; earlier on, that was Hanna.",
        ),
        (
            "Omar studies at Leiden University.",
            "Omar studies at Utrecht University.",
            "Omar studies at Utrecht University. An older note of mine still says Leiden University.",
        ),
        (
            "I keep my passport in the safe.",
            "I keep my passport in the desk drawer.",
            "Your passport is in the desk drawer. It used to be in the safe.",
        ),
        (
            "The treasurer of the rowing club is Silvia.",
            "The treasurer of the rowing club is Henrik.",
            "The treasurer of the rowing club is Henrik. Before him it was Silvia.",
        ),
        (
            "My dentist has his practice in Elm Street.",
            "My dentist has his practice in Oak Street.",
            "Your dentist's practice is in Oak Street, no longer in Elm Street.",
        ),
    ],
)
def test_a_change_that_is_told_in_short_names_and_free_words_is_disclosed(older: str, newer: str, answer: str):
    report = verify(answer, older, newer, judge="mini")
    assert report.grounded
    assert len(report.contradictions) == 1


def test_what_was_so_until_a_time_does_not_contradict_what_has_been_so_since():
    held = ["Until 2019 the archive sat in Lund.", "Since 2019 the archive sits in Malmö."]
    report = Groundwire().verify("The archive has sat in Malmö since 2019.", memories=held)
    assert report.contradictions == ()
    assert report.grounded


def test_the_year_of_one_thing_does_not_contradict_the_year_of_another():
    held = ["I've been a scout since 2017.", "I moved to Turku in 2013."]
    assert Groundwire().verify("You have been a scout since 2013.", memories=held).contradictions == ()


def test_many_memories_of_one_form_are_compared_in_linear_time():
    def measure(number: int) -> float:
        held = [Memory(f"m{n}", f"I keep my box {n} in the shed {n}.", 0.9, n) for n in range(number)]
        ContradictionDetector().detect(held)  # read once
        started = time.process_time()
        ContradictionDetector().detect(held)
        return time.process_time() - started

    assert measure(800) < 8 * measure(200) + 0.2
