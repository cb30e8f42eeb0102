"""Facts: whose, which slot, which value, whether and when, in the words that people use."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from groundwire.text.catalogue import load_catalogue
from groundwire.text.extraction import FactExtractor, extract_fact_slots
from groundwire.types import ExtractedFact, Polarity, Tense

PACKAGED = FactExtractor()


def facts(text: str) -> tuple[ExtractedFact, ...]:
    return PACKAGED.extract(text)


def in_slot(text: str, slot: str) -> list[tuple[str, str]]:
    """(subject, value) of every fact that the text states in the slot."""
    return [(fact.subject, fact.value) for fact in facts(text) if fact.slot_type == slot]


def fact_in(text: str, slot: str) -> ExtractedFact:
    (fact,) = [fact for fact in facts(text) if fact.slot_type == slot]
    return fact


# ── every slot of the catalogue, in several persons ─────────────────────────────────────────────

PHRASINGS: dict[str, list[tuple[str, str, str]]] = {
    "name": [
        ("My name is Ada Lovelace.", "user", "ada lovelace"),
        ("You go by Bex.", "user", "bex"),
        ("The user is called Jonas.", "user", "jonas"),
        ("I'm Priya.", "user", "priya"),
        ("Name: Ada", "user", "ada"),
        ("My dog is called Rex.", "user's dog", "rex"),
        ("Your brother's dog is called Bo.", "user's brother's dog", "bo"),
    ],
    "age": [
        ("You are 34 years old.", "user", "34"),
        ("My age is 29.", "user", "29"),
        ("Olga turned 40 last week.", "Olga", "40"),
        ("You are a 33-year-old architect.", "user", "33"),
    ],
    "birthday": [
        ("You were born on 12 June 1990.", "user", "12 june 1990"),
        ("I was born in 1984.", "user", "1984"),
        ("Tom's birthday is 4 March.", "Tom", "4 march"),
        ("Your date of birth is 2 May 1971.", "user", "2 may 1971"),
    ],
    "birthplace": [
        ("I was born in Lima.", "user", "lima"),
        ("Your birthplace is Quito.", "user", "quito"),
        ("Marta was born in Cork.", "Marta", "cork"),
    ],
    "hometown": [
        ("You grew up in Bergen.", "user", "bergen"),
        ("I'm from Ghent.", "user", "ghent"),
        ("Marta hails from Cork.", "Marta", "cork"),
        ("Your hometown is Linz.", "user", "linz"),
    ],
    "location": [
        ("I live in Tromsø.", "user", "tromsø"),
        ("You reside in Porto.", "user", "porto"),
        ("Ivan is based in Sofia.", "Ivan", "sofia"),
        ("My home is in Leeds.", "user", "leeds"),
        ("You moved to Berlin.", "user", "berlin"),
        ("Nora relocated to Lisbon.", "Nora", "lisbon"),
        ("My sister lives in Hull.", "user's sister", "hull"),
        ("The customer lives in Turin.", "user", "turin"),
        ("We live in Ghent.", "user", "ghent"),
        ("Bergen is where you live.", "user", "bergen"),
        ("Your location is New York City.", "user", "new york city"),
    ],
    "address": [
        ("Your address is 12 Elm Street.", "user", "12 elm street"),
        ("I live at 45 Rose Lane.", "user", "45 rose lane"),
    ],
    "work_location": [
        ("I work from Valencia.", "user", "valencia"),
        ("My office is in Utrecht.", "user", "utrecht"),
        ("Karin works in Malmö.", "Karin", "malmö"),
    ],
    "employer": [
        ("I work at Nokia.", "user", "nokia"),
        ("Your employer is Apple.", "user", "apple"),
        ("Nokia employs me.", "user", "nokia"),
        ("Siemens hired you in 2020.", "user", "siemens"),
        ("Alice works at Google.", "Alice", "google"),
        ("Puma is the company you work for.", "user", "puma"),
        ("Tom's employer is Fujitsu.", "Tom", "fujitsu"),
        ("The user's employer is Fujitsu.", "user", "fujitsu"),
        ("I joined Stripe in 2021.", "user", "stripe"),
        ("You have been hired by Maersk.", "user", "maersk"),
        ("My sister Ana works at IKEA.", "Ana", "ikea"),
    ],
    "title": [
        ("You work as a welder.", "user", "welder"),
        ("I'm a carpenter.", "user", "carpenter"),
        ("My job title is data analyst.", "user", "data analyst"),
        ("You were promoted to team lead.", "user", "team lead"),
        ("Pia is a marine biologist.", "Pia", "marine biologist"),
        ("Your occupation is beekeeper.", "user", "beekeeper"),
    ],
    "department": [
        ("I work in marketing.", "user", "marketing"),
        ("You are on the payments team.", "user", "payments"),
        ("Your department is procurement.", "user", "procurement"),
        ("Jens works in the legal department.", "Jens", "legal"),
    ],
    "manager": [
        ("My boss is Dana.", "user", "dana"),
        ("Dana manages me.", "user", "dana"),
        ("You report to Oskar.", "user", "oskar"),
        ("Rita is your manager.", "user", "rita"),
        ("I am supervised by Ines.", "user", "ines"),
        ("Pavel reports to Greta.", "Pavel", "greta"),
    ],
    "salary": [
        ("I earn $85,000.", "user", "$85,000"),
        ("My salary is 60,000 euros.", "user", "60,000 euros"),
        ("Noor makes €4,200.", "Noor", "€4,200"),
    ],
    "education": [
        ("You graduated from ETH.", "user", "eth"),
        ("Noor has a degree in law.", "Noor", "law"),
        ("I study botany.", "user", "botany"),
        ("Your alma mater is Yale.", "user", "yale"),
        ("You majored in history.", "user", "history"),
    ],
    "marital_status": [
        ("You are married.", "user", "married"),
        ("I'm single.", "user", "single"),
        ("Your marital status is divorced.", "user", "divorced"),
        ("Greta is engaged.", "Greta", "engaged"),
    ],
    "spouse": [
        ("I'm married to Joris.", "user", "joris"),
        ("My wife is Carla.", "user", "carla"),
        ("Ines is your husband's sister and Paul is your husband.", "user", "paul"),
        ("Tom married Ida in 2011.", "Tom", "ida"),
    ],
    "child": [
        ("I have two sons.", "user", "two sons"),
        ("My daughter is called Mina.", "user", "mina"),
        ("You have a daughter named Mina.", "user", "mina"),
        ("Your youngest is Theo.", "user", "theo"),
    ],
    "sibling": [
        ("You have three brothers.", "user", "three brothers"),
        ("My sister is Noor.", "user", "noor"),
        ("My sister Ana works at IKEA.", "user", "ana"),
        ("Karl is my oldest brother.", "user", "karl"),
    ],
    "parent": [
        ("My mother is Edith.", "user", "edith"),
        ("Your dad's name is Rolf.", "user", "rolf"),
    ],
    "relative": [
        ("My aunt is Rosa.", "user", "rosa"),
        ("Your cousin Finn lives in Kiel.", "user", "finn"),
    ],
    "friend": [
        ("My best friend is Theo.", "user", "theo"),
        ("Your neighbour is Agnes.", "user", "agnes"),
    ],
    "professional": [
        ("My dentist is Dr. Alba.", "user", "dr. alba"),
        ("Your landlord is Bram.", "user", "bram"),
    ],
    "nationality": [
        ("I'm Swedish.", "user", "swedish"),
        ("You are a citizen of Peru.", "user", "peru"),
        ("Your nationality is Kenyan.", "user", "kenyan"),
        ("Sanna is a Finnish citizen.", "Sanna", "finnish"),
    ],
    "religion": [
        ("You are Buddhist.", "user", "buddhist"),
        ("My religion is Islam.", "user", "islam"),
    ],
    "email": [
        ("My email is bo@example.org.", "user", "bo@example.org"),
        ("Ana's email address is ana@mail.test.", "Ana", "ana@mail.test"),
        ("Email: kim@example.org", "user", "kim@example.org"),
    ],
    "phone": [
        ("My phone number is 555-0134.", "user", "555-0134"),
        ("Your number is 555-0199.", "user", "555-0199"),
    ],
    "hobby": [
        ("I enjoy birdwatching.", "user", "birdwatching"),
        ("I play the harp.", "user", "harp"),
        ("Your hobby is pottery.", "user", "pottery"),
        ("Bo loves hiking.", "Bo", "hiking"),
        ("Fencing is my passion.", "user", "fencing"),
    ],
    "skill": [
        ("I know Haskell.", "user", "haskell"),
        ("You're good at chess.", "user", "chess"),
        ("Ola is skilled in negotiation.", "Ola", "negotiation"),
    ],
    "language": [
        ("I speak Catalan.", "user", "catalan"),
        ("You're fluent in Polish.", "user", "polish"),
        ("My native language is Welsh.", "user", "welsh"),
        ("My mother tongue is Greek.", "user", "greek"),
    ],
    "pet": [
        ("I have a parrot.", "user", "parrot"),
        ("We adopted a kitten.", "user", "kitten"),
        ("Mark has two dogs.", "Mark", "two dogs"),
    ],
    "allergy": [
        ("I'm allergic to shellfish.", "user", "shellfish"),
        ("Your allergy is pollen.", "user", "pollen"),
        ("You have a peanut allergy.", "user", "peanut"),
        ("Allergic to latex", "user", "latex"),
    ],
    "intolerance": [
        ("I'm intolerant to lactose.", "user", "lactose"),
        ("I have a fructose intolerance.", "user", "fructose"),
    ],
    "diagnosis": [
        ("You have asthma.", "user", "asthma"),
        ("I was diagnosed with epilepsy.", "user", "epilepsy"),
        ("I'm diabetic.", "user", "diabetic"),
        ("My brother suffers from gout.", "user's brother", "gout"),
        ("Your diagnosis is lupus.", "user", "lupus"),
    ],
    "medication": [
        ("I take metformin.", "user", "metformin"),
        ("You're on insulin.", "user", "insulin"),
        ("Your medication is warfarin.", "user", "warfarin"),
    ],
    "blood_type": [
        ("My blood type is O negative.", "user", "o negative"),
    ],
    "diet": [
        ("I'm vegan.", "user", "vegan"),
        ("You follow a keto diet.", "user", "keto"),
        ("Your diet is vegetarian.", "user", "vegetarian"),
    ],
    "vehicle": [
        ("I drive a Volvo.", "user", "volvo"),
        ("My car is a Fiat.", "user", "fiat"),
        ("Olga bought a motorbike.", "Olga", "motorbike"),
    ],
    "tool": [
        ("I use Emacs.", "user", "emacs"),
        ("My editor is Vim.", "user", "vim"),
    ],
    "database": [
        ("The shop uses PostgreSQL.", "shop", "postgresql"),
        ("Our database is MySQL.", "user", "mysql"),
        ("The ledger runs on SQLite.", "ledger", "sqlite"),
        ("The billing service stores its data in Cassandra.", "billing service", "cassandra"),
    ],
    "framework": [
        ("The site is built with Django.", "site", "django"),
        ("The framework is Flask.", "framework", "flask"),
    ],
    "hosting": [
        ("The billing service runs on Azure.", "billing service", "azure"),
        ("Our hosting provider is OVH.", "user", "ovh"),
        ("Heron was moved to Hetzner.", "Heron", "hetzner"),
    ],
    "programming_language": [
        ("The service is written in Rust.", "service", "rust"),
        ("Heron is implemented in Kotlin.", "Heron", "kotlin"),
    ],
    "version": [
        ("The API version is 2.3.", "API", "2.3"),
        ("The library is at version 4.1.", "library", "4.1"),
        ("The parser was upgraded to v3.2.", "parser", "v3.2"),
    ],
    "deadline": [
        ("The deadline is 14 May.", "deadline", "14 may"),
        ("The report is due on Friday.", "report", "friday"),
        ("The Heron deadline is 3 June.", "Heron", "3 june"),
    ],
    "status": [
        ("The order status is shipped.", "order status", "shipped"),
        ("The status of the migration is green.", "migration", "green"),
    ],
    "account_status": [
        ("Your account is suspended.", "user", "suspended"),
        ("My account status is active.", "user", "active"),
        ("Account status: closed", "user", "closed"),
    ],
    "plan": [
        ("You're on the Family plan.", "user", "family"),
        ("You upgraded to Premium.", "user", "premium"),
        ("Your subscription is the Team tier.", "user", "team"),
    ],
    "owner": [
        ("The repo is owned by Lena.", "repo", "lena"),
        ("Lena owns the billing module.", "billing module", "lena"),
        ("The maintainer of Heron is Otto.", "Heron", "otto"),
    ],
    "port": [
        ("The API listens on port 8080.", "API", "8080"),
        ("The port is 9000.", "port", "9000"),
        ("API port: 9000", "API", "9000"),
    ],
    "height": [
        ("Your height is 6 feet.", "user", "6 feet"),
        ("I am 180 cm.", "user", "180 cm"),
    ],
    "weight": [
        ("I weigh 70 kg.", "user", "70 kg"),
        ("The parcel weighs 4 kg.", "parcel", "4 kg"),
    ],
    "timezone": [
        ("My timezone is CET.", "user", "cet"),
    ],
    "password": [
        ("The wifi password is hunter2.", "user", "hunter2"),
    ],
    "goal": [
        ("I want to visit Kyoto.", "user", "visit kyoto"),
        ("You're training for a marathon.", "user", "marathon"),
        ("Bo plans to learn Greek.", "Bo", "learn greek"),
    ],
    "preference": [
        ("I prefer tea.", "user", "tea"),
        ("My preference is window seats.", "user", "window seats"),
    ],
    "favorite_color": [
        ("My favorite color is teal.", "user", "teal"),
        ("Blue is my favorite color.", "user", "blue"),
        ("Favorite color: green", "user", "green"),
    ],
    "favorite_food": [
        ("Your favourite food is ramen.", "user", "ramen"),
        ("Ana's favorite food is couscous.", "Ana", "couscous"),
    ],
    "favorite_football_club": [
        ("My favorite football club is Ajax.", "user", "ajax"),
    ],
}  # fmt: skip

SENTENCES = [(slot, *phrasing) for slot, phrasings in PHRASINGS.items() for phrasing in phrasings]


@pytest.mark.requirement("TXT-009", "TXT-013", "TXT-017")
@pytest.mark.parametrize(("slot", "text", "subject", "value"), SENTENCES)
def test_a_slot_is_read_from_the_words_that_people_use(slot: str, text: str, subject: str, value: str):
    assert (subject, value) in in_slot(text, slot)


@pytest.mark.requirement("TXT-009")
def test_every_slot_of_the_catalogue_is_said_here():
    assert set(load_catalogue().slots) <= set(PHRASINGS)


# ── the employer, in every person and tense ─────────────────────────────────────────────────────

PERSONS = [
    ("I", "user"),
    ("You", "user"),
    ("We", "user"),
    ("The user", "user"),
    ("Alice", "Alice"),
    ("My sister", "user's sister"),
]
SINGULAR = {"Alice", "My sister", "The user"}
FRAMES = [
    ("work at {}", "works at {}", "worked at {}"),
    ("work for {}", "works for {}", "worked for {}"),
    ("have a job at {}", "has a job at {}", "had a job at {}"),
    ("hold a position at {}", "holds a position at {}", "held a position at {}"),
]


@pytest.mark.requirement("TXT-011", "TXT-019")
@pytest.mark.parametrize(("person", "subject"), PERSONS)
@pytest.mark.parametrize("frame", FRAMES)
def test_an_employer_is_read_in_every_person_and_tense(person: str, subject: str, frame: tuple[str, str, str]):
    plain, singular, past = (form.format("Goldman Sachs") for form in frame)
    present = singular if person in SINGULAR else plain
    for phrase, tense in (
        (present, Tense.PRESENT), (past, Tense.PAST), (f"will {plain}", Tense.FUTURE), (f"used to {plain}", Tense.PAST),
    ):  # fmt: skip
        fact = fact_in(f"{person} {phrase}.", "employer")
        assert (fact.subject, fact.value, fact.raw) == (subject, "goldman sachs", "Goldman Sachs")
        assert (fact.tense, fact.polarity) == (tense, Polarity.POSITIVE)


@pytest.mark.requirement("TXT-011")
@pytest.mark.parametrize(
    ("text", "subject", "tense"),
    [
        ("I am employed by Bayer.", "user", Tense.PRESENT),
        ("You are employed by Bayer.", "user", Tense.PRESENT),
        ("Alice is employed by Bayer.", "Alice", Tense.PRESENT),
        ("Alice was employed by Bayer.", "Alice", Tense.PAST),
        ("You have been employed by Bayer since 2015.", "user", Tense.PRESENT),
        ("I have been working for Bayer.", "user", Tense.PRESENT),
        ("You're working at Bayer.", "user", Tense.PRESENT),
        ("I'll be working at Bayer.", "user", Tense.FUTURE),
        ("My job at Bayer is fun, and I work at Bayer.", "user", Tense.PRESENT),
    ],
)
def test_passives_perfects_and_progressives_tell_the_employer_too(text: str, subject: str, tense: Tense):
    fact = fact_in(text, "employer")
    assert (fact.subject, fact.value, fact.tense) == (subject, "bayer", tense)


@pytest.mark.requirement("TXT-012")
@pytest.mark.parametrize(
    ("text", "raw"),
    [
        ("I work at Goldman Sachs in London.", "Goldman Sachs"),
        ("He is employed by AT&T.", "AT&T"),
        ("You had a position at O'Reilly.", "O'Reilly"),
        ("You work at Marks & Spencer, but live in Leeds.", "Marks & Spencer"),
        ("I work at the University of Oslo because it pays well.", "University of Oslo"),
        ("They worked for Deutsche Bank until 2019.", "Deutsche Bank"),
        ("We work for Ernst & Young and live in Kiel.", "Ernst & Young"),
        ("I work for Hewlett-Packard as an analyst.", "Hewlett-Packard"),
        ("You work at H&M, right next to the station.", "H&M"),
    ],
)
def test_a_name_is_captured_whole_and_ends_where_its_clause_does(text: str, raw: str):
    fact = fact_in(text, "employer")
    assert fact.raw == raw == text[fact.value_span.start : fact.value_span.end]


@pytest.mark.requirement("TXT-012")
@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I WORK AT INTEL.", "employer", "intel"),
        ("Works At Intel", "employer", "intel"),
        ("My EMPLOYER is Nokia.", "employer", "nokia"),
        ("YOUR favorite COLOR is teal.", "favorite_color", "teal"),
        ("i'm allergic to nuts", "allergy", "nuts"),
        ("MY FAVOURITE FOOD IS RAMEN.", "favorite_food", "ramen"),
    ],
)
def test_the_case_of_the_trigger_words_does_not_matter(text: str, slot: str, value: str):
    assert ("user", value) in in_slot(text, slot)


# ── subjects ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-017")
@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("I live in Oslo.", "user"),
        ("You live in Oslo.", "user"),
        ("We live in Oslo.", "user"),
        ("The user lives in Oslo.", "user"),
        ("The patient lives in Oslo.", "user"),
        ("Alice lives in Oslo.", "Alice"),
        ("My sister lives in Oslo.", "user's sister"),
        ("Your brother's wife lives in Oslo.", "user's brother's wife"),
        ("My sister Ana lives in Oslo.", "Ana"),
        ("Alice's sister lives in Oslo.", "Alice's sister"),
        ("The painter lives in Oslo.", "painter"),
        ("Alice teaches Latin. She lives in Oslo.", "Alice"),
    ],
)
def test_a_fact_belongs_to_whom_the_words_name(text: str, subject: str):
    assert in_slot(text, "location") == [(subject, "oslo")]


@pytest.mark.requirement("TXT-017")
@pytest.mark.parametrize(
    "text",
    [
        "Alice works at Google.",
        "Alice's employer is Google.",
        "Google employs Alice.",
        "Alice said that she works at Google.",
        "Alice told me that Bob works at Google.",
        "Alice, who works at Google, plays chess.",
    ],
)
def test_somebody_elses_facts_are_never_the_users(text: str):
    assert not [fact for fact in facts(text) if fact.subject == "user" and fact.slot_type == "employer"]


@pytest.mark.requirement("TXT-017")
def test_one_text_can_be_about_several_people():
    text = "You work at Nokia, Alice works at Google, and Alice's brother works at Lego."
    assert in_slot(text, "employer") == [("user", "nokia"), ("Alice", "google"), ("Alice's brother", "lego")]


# ── polarity ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-018")
@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("You do not work at Microsoft.", "employer", "microsoft"),
        ("I don't live in Oslo.", "location", "oslo"),
        ("I don’t live in Oslo.", "location", "oslo"),
        ("You never worked at Nokia.", "employer", "nokia"),
        ("You no longer live in Leeds.", "location", "leeds"),
        ("You don't work at Shell anymore.", "employer", "shell"),
        ("You aren't allergic to nuts.", "allergy", "nuts"),
        ("You have no pets.", "pet", "pets"),
        ("Your boss is not Dana.", "manager", "dana"),
        ("Alice isn't a nurse.", "title", "nurse"),
        ("You live in Malmö, not in Lund.", "location", "lund"),
        ("Neither Tom nor Ana lives in Kiel.", "location", "kiel"),
        ("My favorite color isn't green.", "favorite_color", "green"),
        ("You have never been diagnosed with gout.", "diagnosis", "gout"),
        ("I stopped working at Ikea.", "employer", "ikea"),
        ("I can't speak Greek.", "language", "greek"),
    ],
)
def test_what_is_denied_is_never_a_positive_fact(text: str, slot: str, value: str):
    found = [fact for fact in facts(text) if (fact.slot_type, fact.value) == (slot, value)]
    assert found
    assert {fact.polarity for fact in found} == {Polarity.NEGATIVE}


@pytest.mark.requirement("TXT-018")
def test_a_contrast_affirms_the_one_and_denies_the_other():
    read = {fact.value: fact.polarity for fact in facts("You live in Malmö, not in Lund.")}
    assert read == {"malmö": Polarity.POSITIVE, "lund": Polarity.NEGATIVE}
    read = {fact.value: fact.polarity for fact in facts("You drink tea but not coffee.")}
    assert read == {"tea": Polarity.POSITIVE, "coffee": Polarity.NEGATIVE}


@pytest.mark.requirement("TXT-018")
def test_two_negations_affirm():
    assert fact_in("You did not leave Google.", "employer").polarity is Polarity.POSITIVE
    assert fact_in("You did not stop working at Ikea.", "employer").polarity is Polarity.POSITIVE


# ── time ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-019")
@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("You used to work at Shell.", "employer", "shell"),
        ("You previously worked at Ikea.", "employer", "ikea"),
        ("You formerly lived in Bonn.", "location", "bonn"),
        ("You were a teacher until 2018.", "title", "teacher"),
        ("I was at Philips until last spring.", "employer", "philips"),
        ("You worked at Bosch.", "employer", "bosch"),
        ("Your former employer was Sony.", "employer", "sony"),
        ("Your old boss was Rita.", "manager", "rita"),
        ("Your previous employer is Sony.", "employer", "sony"),
        ("I left Google.", "employer", "google"),
        ("You quit Twitter in 2022.", "employer", "twitter"),
        ("Nora moved away from Graz.", "location", "graz"),
        ("She divorced Karl.", "spouse", "karl"),
        ("You were fired from Lidl.", "employer", "lidl"),
        ("The ledger migrated from MySQL.", "database", "mysql"),
    ],
)
def test_a_former_state_is_past(text: str, slot: str, value: str):
    found = [fact for fact in facts(text) if (fact.slot_type, fact.value) == (slot, value)]
    assert found
    assert {fact.tense for fact in found} == {Tense.PAST}


@pytest.mark.requirement("TXT-019")
@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("I joined Stripe in 2021.", "employer", "stripe"),
        ("You moved to Berlin.", "location", "berlin"),
        ("Siemens hired you.", "employer", "siemens"),
        ("You married Ida in 2011.", "spouse", "ida"),
        ("You were promoted to team lead.", "title", "team lead"),
        ("I was born in Lima.", "birthplace", "lima"),
        ("You graduated from ETH.", "education", "eth"),
        ("I have worked for the BBC since 2015.", "employer", "bbc"),
        ("You started working at Lego.", "employer", "lego"),
    ],
)
def test_what_came_about_holds_now(text: str, slot: str, value: str):
    assert [(fact.value, fact.tense) for fact in facts(text) if fact.slot_type == slot] == [(value, Tense.PRESENT)]


@pytest.mark.requirement("TXT-019")
def test_a_change_tells_what_was_and_what_is():
    def by_value(text: str) -> dict[str, Tense]:
        return {fact.value: fact.tense for fact in facts(text)}

    assert by_value("Nora moved from Graz to Linz.") == {"linz": Tense.PRESENT, "graz": Tense.PAST}
    assert by_value("Your manager changed from Petra to Hollis.") == {"petra": Tense.PAST, "hollis": Tense.PRESENT}
    told = by_value("You used to work at Microsoft, but now you work at Amazon.")
    assert told == {"microsoft": Tense.PAST, "amazon": Tense.PRESENT}


@pytest.mark.requirement("TXT-019")
@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("You will move to Rome in June.", "location", "rome"),
        ("I'm going to join Spotify.", "employer", "spotify"),
        ("She'll work at Airbus.", "employer", "airbus"),
    ],
)
def test_what_is_to_come_is_future(text: str, slot: str, value: str):
    fact = fact_in(text, slot)
    assert (fact.value, fact.tense) == (value, Tense.FUTURE)


@pytest.mark.requirement("TXT-013", "TXT-019")
@pytest.mark.parametrize(
    ("text", "when"),
    [
        ("I joined Stripe in 2021.", "in 2021"),
        ("You were a teacher until 2018.", "until 2018"),
        ("I have worked for the BBC since 2015.", "since 2015"),
        ("Last year, you moved to Berlin.", "Last year"),
        ("Your sister swims every Thursday.", "every Thursday"),
        ("The invoice was sent to Helene on Monday.", "on Monday"),
        ("The museum opens at 9 am.", "at 9 am"),
        ("You live in Porto now.", "now"),
        ("Ana teaches Latin.", None),
    ],
)
def test_a_fact_says_when(text: str, when: str | None):
    assert {fact.when for fact in facts(text)} == {when}


# ── values ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-014", "TXT-013")
@pytest.mark.parametrize(
    ("text", "slot", "value", "raw"),
    [
        ("You work at Microsoft Corporation.", "employer", "microsoft", "Microsoft Corporation"),
        ("You work for the BBC.", "employer", "bbc", "BBC"),
        ("Your employer is Acme GmbH.", "employer", "acme", "Acme GmbH"),
        ("I work for Stripe Inc. in Dublin.", "employer", "stripe", "Stripe Inc."),
        ("You live in  New   York.", "location", "new york", "New York"),
        ("You live in the city of Bergen.", "location", "bergen", "Bergen"),
        ("You're on the Family plan.", "plan", "family", "Family"),
        ("I'm a Senior Software Engineer.", "title", "senior software engineer", "Senior Software Engineer"),
    ],
)
def test_the_value_is_normalised_and_the_raw_text_kept(text: str, slot: str, value: str, raw: str):
    fact = fact_in(text, slot)
    assert (fact.value, fact.raw) == (value, raw)
    assert text[fact.value_span.start : fact.value_span.end].split() == raw.split()


@pytest.mark.requirement("TXT-013")
def test_facts_come_by_slot_with_all_that_is_known_of_them():
    text = "I work at Nokia. I speak Dutch and Greek. You don't live in Oslo."
    found = extract_fact_slots(text)
    assert list(found) == ["employer", "language", "location"]
    assert [fact.value for fact in found["language"]] == ["dutch", "greek"]
    (employer,) = found["employer"]
    assert (employer.value, employer.slot_type, employer.pattern) == ("nokia", "employer", "work at|for VALUE")
    assert (employer.raw, employer.subject, employer.tense) == ("Nokia", "user", Tense.PRESENT)
    assert text[employer.span.start : employer.span.end] == "I work at Nokia"
    assert found["location"][0].polarity is Polarity.NEGATIVE
    assert extract_fact_slots(text) == PACKAGED.extract_fact_slots(text)


@pytest.mark.requirement("TXT-013", "TXT-038")
@pytest.mark.parametrize(
    "text", ["", "  \n", "\x00", "Do you live in Oslo?", "Hello!", "Please call Ana.", "東京は大きい。"]
)
def test_a_text_that_states_nothing_has_no_facts(text: str):
    assert extract_fact_slots(text) == {}


# ── open predicates ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-013", "TXT-007")
@pytest.mark.parametrize(
    ("text", "subject", "slot", "value"),
    [
        ("The bridge spans the river.", "bridge", "span", "river"),
        ("Marta restored an old harmonium.", "Marta", "restore", "old harmonium"),
        ("The capital of Norway is Oslo.", "capital of Norway", "be", "oslo"),
        ("The museum opens at 9 am.", "museum", "open at", "9 am"),
        ("Your flight leaves at 6:40.", "user's flight", "leave at", "6:40"),
        ("You keep your passport in the blue drawer.", "user", "keep", "passport"),
        ("The invoice was sent to Helene.", "invoice", "send to", "helene"),
        ("The kettle whistled.", "kettle", "whistle", "whistle"),
        ("Otters hold hands.", "Otters", "hold", "hands"),
    ],
)
def test_a_claim_that_no_slot_names_gives_a_fact_from_its_own_predicate(text: str, subject: str, slot: str, value: str):
    (fact,) = facts(text)
    assert (fact.subject, fact.slot_type, fact.value, fact.pattern) == (subject, slot, value, "predicate")


@pytest.mark.requirement("TXT-010")
@pytest.mark.parametrize(
    ("text", "exclusive"),
    [
        ("The museum opens at 9 am.", True),
        ("The review is on Monday.", True),
        ("The ticket costs 12 euros.", True),
        ("The capital of Norway is Oslo.", True),
        ("Marta restored an old harmonium.", False),
        ("You packed a tent.", False),
    ],
)
def test_an_open_predicate_is_exclusive_only_where_a_thing_can_have_one(text: str, exclusive: bool):
    (fact,) = facts(text)
    assert fact.exclusive is exclusive


@pytest.mark.requirement("TXT-003", "TXT-017")
@pytest.mark.parametrize(
    "text",
    ["I would like to work at Nokia.", "You could work at Nokia.", "I want to work at Nokia.", "You applied to Nokia."],
)
def test_a_wish_is_not_a_state(text: str):
    assert in_slot(text, "employer") == []


@pytest.mark.requirement("TXT-003")
def test_a_hedged_fact_says_so():
    (fact,) = facts("I think you live in Lyon.")
    assert (fact.value, fact.hedged) == ("lyon", True)
    (fact,) = facts("You live in Lyon.")
    assert not fact.hedged


# ── classification, and what extraction must not remember ───────────────────────────────────────


@pytest.mark.requirement("TXT-010")
def test_a_deployment_may_reclassify_slots():
    text = "You speak Dutch. You work at Nokia. You ride a unicycle."
    packaged = {fact.slot_type: fact.exclusive for fact in facts(text)}
    own = FactExtractor(exclusive_slots=("language", "ride"), additive_slots=("employer",))
    changed = {fact.slot_type: fact.exclusive for fact in own.extract(text)}
    assert (packaged["language"], packaged["employer"]) == (False, True)
    assert (changed["language"], changed["employer"]) == (True, False)
    assert {fact.slot_type: fact.exclusive for fact in facts(text)} == packaged


@pytest.mark.requirement("TXT-020")
def test_the_same_text_gives_the_same_facts_in_any_order_and_any_thread():
    sentences = [text for _, text, _, _ in SENTENCES]
    alone = [FactExtractor().extract(text) for text in sentences]
    backwards = [FactExtractor().extract(text + " ") for text in reversed(sentences)]
    with ThreadPoolExecutor(8) as pool:
        parallel = list(pool.map(lambda text: PACKAGED.extract(text + "  "), sentences))
    assert alone == list(reversed(backwards)) == parallel


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("My favourite band is The Smiths.", "The Smiths"),
        ("I live in The Hague.", "The Hague"),
        ("I work at the Guardian.", "Guardian"),
    ],
)
def test_an_article_that_is_written_as_part_of_a_name_stays_with_it(text: str, value: str):
    assert [fact.raw for fact in FactExtractor().extract(text)] == [value]
