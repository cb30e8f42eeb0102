"""What counts as a claim, how compounds come apart, and where each part was said."""

from __future__ import annotations

import pytest

from groundwire.text.claims import extract_claims
from groundwire.text.reading import read_text
from groundwire.text.sentences import split_sentences
from groundwire.types import Claim, Polarity, Span, Tense


def texts(text: str) -> list[str]:
    return [claim.text for claim in extract_claims(text)]


def quoted(text: str) -> list[str]:
    return [text[claim.span.start : claim.span.end] for claim in extract_claims(text)]


def only(text: str, *, hedged: bool = False) -> Claim:
    (claim,) = extract_claims(text, hedged=hedged)
    return claim


# ── relative clauses ────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Felix, who manages the warehouse, reports to Katarzyna and has 30 staff.",
         ["Felix manages the warehouse", "Felix reports to Katarzyna", "Felix has 30 staff"]),
        ("The woman who lives next door works at Bosch.", ["The woman lives next door", "The woman works at Bosch"]),
        ("Rosa, whose sister lives in Madrid, studies law.", ["Rosa's sister lives in Madrid", "Rosa studies law"]),
        ("You're a vegetarian who hates olives and lives in Turin.",
         ["You're a vegetarian", "You hate olives", "You live in Turin"]),
        ("You're the person whose dog is called Rex.", ["You're the person", "Your dog is called Rex"]),
    ],
)  # fmt: skip
def test_a_relative_clause_is_about_the_noun_or_about_whom_the_noun_describes(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.parametrize(
    "text",
    ["Your lease ends in May, so let's start looking around.", "Your lease ends in May, so there's no need to hurry."],
)
def test_encouragement_is_no_claim(text: str):
    assert texts(text) == ["Your lease ends in May"]


# ── compounds ───────────────────────────────────────────────────────────────────────────────────

COMPOUNDS = [
    ("Tom paid in cash, Lena by card.", ["Tom paid in cash", "Lena paid by card"]),
    ("Yusuf was born in Izmir, his wife in Bursa.", ["Yusuf was born in Izmir", "Yusuf's wife was born in Bursa"]),
    (
        "She says that rent is due on Friday and that heating costs extra.",
        ["Rent is due on Friday", "Heating costs extra"],
    ),
    ("Tom and Ana teach Latin.", ["Tom teaches Latin", "Ana teaches Latin"]),
    ("Let's be honest: Ada won.", ["Ada won"]),
    ("The gate closes at nine, so don't be late.", ["The gate closes at nine"]),
    ("He is a dentist who collects stamps.", ["He is a dentist", "He collects stamps"]),
    ("Sibusiso joined in 2020, Karin in 2022.", ["Sibusiso joined in 2020", "Karin joined in 2022"]),
    ("Jana is a surgeon, Petra a midwife.", ["Jana is a surgeon", "Petra is a midwife"]),
    (
        "Ada lives in Oslo, Ben in Rome and Carl in Kyiv.",
        ["Ada lives in Oslo", "Ben lives in Rome", "Carl lives in Kyiv"],
    ),
    (
        "The report was sent on Monday, the invoice on Tuesday.",
        ["The report was sent on Monday", "The invoice was sent on Tuesday"],
    ),
    ("I live in Oslo, Norway in winter.", ["I live in Oslo, Norway in winter"]),
    (
        "Sprint 14 ends on Friday, and Lucía is the scrum master.",
        ["Sprint 14 ends on Friday", "Lucía is the scrum master"],
    ),
    (
        "Dr. Whitlock works at Mercy Hospital and specialises in cardiology.",
        ["Dr. Whitlock works at Mercy Hospital", "Dr. Whitlock specialises in cardiology"],
    ),
    (
        "Given that your brother Sam lives in Denver and works at Boeing, a visit is easy.",
        ["Your brother Sam lives in Denver", "Your brother Sam works at Boeing", "A visit is easy"],
    ),
    (
        "You have a cat called Pixel, a dog called Bruno and a parrot.",
        ["You have a cat", "You have a dog", "You have a parrot", "A cat is called Pixel", "A dog is called Bruno"],
    ),
    (
        "Ann runs a shop, selling pots to tourists, and lives in Rome.",
        ["Ann runs a shop", "Ann is selling pots to tourists", "Ann lives in Rome"],
    ),
    ("Paris is in France and Berlin is in Germany.", ["Paris is in France", "Berlin is in Germany"]),
    (
        "You run a bakery in Porto and coach a youth team with your brother.",
        ["You run a bakery", "The bakery is in Porto", "You coach a youth team with your brother"],
    ),
    ("You packed a tent, a stove and two lamps.", ["You packed a tent", "You packed a stove", "You packed two lamps"]),
    ("The café serves soup; the bakery sells rye bread.", ["The café serves soup", "The bakery sells rye bread"]),
    ("Lena teaches Latin, but Otto repairs clocks.", ["Lena teaches Latin", "Otto repairs clocks"]),
    (
        "Karla teaches maths, coaches rowing and writes crime novels.",
        ["Karla teaches maths", "Karla coaches rowing", "Karla writes crime novels"],
    ),
    ("The parcel weighs 4 kg and arrives on Friday.", ["The parcel weighs 4 kg", "The parcel arrives on Friday"]),
    ("You own a kayak, a tent, and a canoe.", ["You own a kayak", "You own a tent", "You own a canoe"]),
    ("He collects stamps and coins.", ["He collects stamps", "He collects coins"]),
    ("Tom and Ana live in Oslo.", ["Tom lives in Oslo", "Ana lives in Oslo"]),
    ("You bought and restored a boat.", ["You bought a boat", "You restored a boat"]),
    (
        "You got a job at McKinsey and moved to Zurich.",
        ["You got a job at McKinsey", "You moved to Zurich"],
    ),
    ("The wall was built in May and painted in June.", ["The wall was built in May", "The wall was painted in June"]),
    (
        "Your daughter plays chess, the violin and football.",
        ["Your daughter plays chess", "Your daughter plays the violin", "Your daughter plays football"],
    ),
    (
        "The museum closed in 2019 and the library opened in 2021.",
        ["The museum closed in 2019", "The library opened in 2021"],
    ),
    ("Although Mira lives in Split, she works in Zagreb.", ["Mira lives in Split", "Mira works in Zagreb"]),
    (
        "The recipe needs 200 g of flour, two eggs and a pinch of salt.",
        ["The recipe needs 200 g of flour", "The recipe needs two eggs", "The recipe needs a pinch of salt"],
    ),
]


@pytest.mark.requirement("TXT-004", "TXT-001")
@pytest.mark.parametrize(("text", "claims"), COMPOUNDS)
def test_a_compound_gives_one_self_contained_claim_a_part(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.requirement("TXT-004", "TXT-007")
def test_every_part_of_a_compound_has_its_own_subject_and_predicate():
    first, second = extract_claims("Paris is in France and Berlin is in Germany.")
    assert (first.subject, first.predicate) == ("Paris", "is")
    assert (second.subject, second.predicate) == ("Berlin", "is")
    packed = extract_claims("You packed a tent, a stove and two lamps.")
    assert [(c.subject, c.predicate, c.object) for c in packed] == [
        ("You", "packed", "a tent"),
        ("You", "packed", "a stove"),
        ("You", "packed", "two lamps"),
    ]


@pytest.mark.requirement("TXT-004", "TXT-007")
def test_a_part_is_quoted_without_what_was_carried_over():
    assert quoted("You packed a tent, a stove and two lamps.") == ["You packed a tent", "a stove", "two lamps"]
    assert quoted("The parcel weighs 4 kg and arrives on Friday.") == ["The parcel weighs 4 kg", "arrives on Friday"]
    assert quoted("You run a bakery in Porto and coach a youth team with your brother.") == [
        "You run a bakery",
        "in Porto",
        "coach a youth team with your brother",
    ]


ONE_THING = [
    "You listen to Simon and Garfunkel.",
    "Johnson and Johnson makes vaccines.",
    "You eat salt and pepper crisps.",
    "You ordered fish and chips.",
    "You watched Tom and Jerry.",
    "You work in research and development.",
    "You accepted the terms and conditions.",
    "Trinidad and Tobago exports gas.",
    "Pride and Prejudice is your favorite book.",
    'You read "War and Peace" last winter.',
    "You work at Marks & Spencer.",
    "The flat was sold by Baker and Sons.",
    "Tom and Ana are siblings.",
    "Greta and Finn met in Kiel.",
    "Ines and Paul are married.",
    "The trip takes between 3 and 5 hours.",
    "The price is between 10 and 20 euros.",
    "You drink tea or coffee.",
]


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize("text", ONE_THING)
def test_titles_names_fixed_pairs_and_ranges_are_one_claim(text: str):
    assert texts(text) == [text.rstrip(".").replace('"', "")]


# ── what rides along ────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("My brother, a plumber, lives in Hull.", {"My brother lives in Hull", "My brother is a plumber"}),
        ("Your doctor, Helena Voss, works in Graz.", {"Your doctor works in Graz", "Your doctor is Helena Voss"}),
        ("Karl, my oldest brother, keeps bees.", {"Karl keeps bees", "Karl is my oldest brother"}),
        ("You met Ines, a violinist.", {"You met Ines", "Ines is a violinist"}),
    ],
)
def test_an_apposition_is_a_claim_of_its_own(text: str, claims: set[str]):
    assert set(texts(text)) == claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Mark, who runs a cafe, has two dogs.", {"Mark runs a cafe", "Mark has two dogs"}),
        ("Mira, who lives in Split, plays the accordion.", {"Mira lives in Split", "Mira plays the accordion"}),
        ("You met Oskar, who repairs clocks.", {"You met Oskar", "Oskar repairs clocks"}),
        ("The bridge, which opened in 1932, is closed.", {"The bridge opened in 1932", "The bridge is closed"}),
    ],
)
def test_a_relative_clause_is_a_claim_about_its_noun(text: str, claims: set[str]):
    assert set(texts(text)) == claims


@pytest.mark.requirement("TXT-004", "TXT-011")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Puma is the company you work for.", "You work for Puma"),
        ("It was Marta who wrote the report.", "Marta wrote the report"),
        ("The one who repaired the roof is Pavel.", "Pavel repaired the roof"),
        ("Bergen is where you live.", "You live in Bergen"),
    ],
)
def test_a_cleft_says_what_its_plain_sentence_says(text: str, claim: str):
    assert texts(text) == [claim]


# ── pronouns ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-004", "TXT-007")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Ingrid plays the cello. She lives in Bergen.", "Ingrid lives in Bergen"),
        ("My brother lives in Cork. He is a chef.", "My brother is a chef"),
        ("The printer is broken. Its cartridge is empty.", "The printer's cartridge is empty"),
        ("Your sister called. Her flight leaves at noon.", "Your sister's flight leaves at noon"),
        ("Lena works at Siemens, but her husband teaches Latin.", "Lena's husband teaches Latin"),
        ("Otters hold hands while they sleep.", "Otters sleep"),
        ("Ana bought a car. It is red.", "The car is red"),
    ],
)
def test_a_pronoun_gets_its_name_and_the_span_keeps_the_pronoun(text: str, claim: str):
    last = extract_claims(text)[-1]
    assert last.text == claim
    assert text[last.span.start : last.span.end].split()[0].lower() in ("she", "he", "it", "its", "her", "they")


@pytest.mark.requirement("TXT-004")
def test_a_pronoun_with_nobody_to_stand_for_is_left_as_it_is():
    assert texts("She lives in Bergen.") == ["She lives in Bergen"]


# ── duplicates ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-005", "TXT-001")
def test_a_repeated_claim_is_reported_once_with_every_place_where_it_was_said():
    text = "You live in Porto. You own a van. You live in Porto! you live in  PORTO..."
    first, van = extract_claims(text)
    assert (first.text, van.text) == ("You live in Porto", "You own a van")
    assert first.span == Span(0, 17)
    assert [text[s:e] for s, e in first.other_spans] == ["You live in Porto", "you live in  PORTO"]
    assert van.other_spans == ()


@pytest.mark.requirement("TXT-005")
def test_a_part_of_a_compound_can_repeat_an_earlier_claim():
    text = "Ana teaches Latin. Bo repairs clocks and Ana teaches Latin."
    first, second = extract_claims(text)
    assert (first.text, second.text) == ("Ana teaches Latin", "Bo repairs clocks")
    assert [text[s:e] for s, e in first.other_spans] == ["Ana teaches Latin"]
    assert first.other_spans[0].start > second.span.end


@pytest.mark.requirement("TXT-005")
def test_claims_that_differ_in_a_word_are_not_duplicates():
    assert len(texts("You live in Porto. You lived in Porto. You live in Lisbon. You do not live in Porto.")) == 4


# ── what is no claim ────────────────────────────────────────────────────────────────────────────

NOTHING_CLAIMED = [
    # questions
    "Do you live in Porto?", "Where did Ana go?", "Can you help me", "Is the museum open on Monday?",
    "What is your name?",
    "Who repaired the roof?", "Are you still at Nokia", "您住在哪里？",
    # orders
    "Please send me the report.", "Remember to water the plants.", "Restart the router and call the provider.",
    "Don't forget the keys.", "Let's meet at noon.", "Open the window.", "Never touch the red switch.", "Be careful.",
    "Call your dentist on Monday.",
    # greetings and small talk
    "Hello there!", "Hi!", "Good morning!", "Thanks for the question.", "You're welcome.", "I hope this helps.",
    "Have a nice weekend!", "Let me know if you need anything else.", "Sure thing!", "I'm happy to help with that.",
    "Great question!", "That sounds lovely!", "Sorry about that.", "Take care!", "Here is a summary:",
    # advice
    "You should see a dentist.", "You could try the new cafe.", "You might want to call Ana.", "It might help to rest.",
    "You may want to bring an umbrella.",
    # opinions without a value
    "I believe the bridge is safe.", "In my opinion the film is dull.", "Maybe it is broken.",
    "I think the soup is too salty.",
    # not knowing
    "I don't have any information about that.", "I couldn't find a record of your address.",
]  # fmt: skip


@pytest.mark.requirement("TXT-003", "TXT-001")
@pytest.mark.parametrize("text", NOTHING_CLAIMED)
def test_questions_orders_small_talk_advice_and_opinions_claim_nothing(text: str):
    assert extract_claims(text) == ()


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("Sure! You live in Porto.", "You live in Porto"),
        ("Great question! Your dentist is Dr. Alba.", "Your dentist is Dr. Alba"),
        ("Hi Marta, your parcel has arrived.", "Your parcel has arrived"),
        ("Yes, the museum opens at nine.", "The museum opens at nine"),
        ("You told me that you live in Nice.", "You live in Nice"),
        ("By the way, your train was cancelled.", "Your train was cancelled"),
        ("Do you need a map? The station is in Graz.", "The station is in Graz"),
        ("You're in Denver, so any hikes planned?", "You're in Denver"),
        ("Please call Ana. She lives in Cork.", "Ana lives in Cork"),
    ],
)
def test_what_is_said_beside_small_talk_or_a_question_is_still_claimed(text: str, claim: str):
    assert texts(text) == [claim]


@pytest.mark.requirement("TXT-003")
@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("I think the meeting is on Friday.", "The meeting is on Friday"),
        ("Maybe you live in Lyon.", "You live in Lyon"),
        ("I guess you work at Bosch.", "You work at Bosch"),
        ("Perhaps the museum opens at nine.", "The museum opens at nine"),
        ("I suspect that Ana moved to Rome.", "Ana moved to Rome"),
    ],
)
def test_a_hedged_value_is_kept_for_the_detectors_and_never_a_claim_to_rely_on(text: str, claim: str):
    assert extract_claims(text) == ()
    kept = only(text, hedged=True)
    assert (kept.text, kept.hedged) == (claim, True)


@pytest.mark.requirement("TXT-003")
def test_a_hedge_covers_only_its_own_statement():
    text = "Ana teaches Latin. I think the choir meets in Graz."
    assert texts(text) == ["Ana teaches Latin"]
    assert [(c.text, c.hedged) for c in extract_claims(text, hedged=True)] == [
        ("Ana teaches Latin", False),
        ("The choir meets in Graz", True),
    ]


@pytest.mark.requirement("TXT-003")
def test_what_a_condition_or_a_denied_report_says_is_not_claimed():
    assert "The match is cancelled" not in texts("If it rains, the match is cancelled.")
    assert "You live in Nice" not in texts("Bob did not say that you live in Nice.")


@pytest.mark.requirement("TXT-003", "TXT-017")
def test_a_report_by_somebody_else_is_claimed_as_a_report():
    (claim,) = extract_claims("Bob told me that Carol lives in Nice.")
    assert claim.text == "Bob told me that Carol lives in Nice"
    assert claim.subject == "Bob"


# ── what a claim exposes ────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-007")
def test_a_claim_exposes_all_that_was_read():
    text = "Yes, you formerly worked at Goldman Sachs."
    claim = only(text)
    assert claim.text == "You formerly worked at Goldman Sachs"
    assert text[claim.span.start : claim.span.end] == "you formerly worked at Goldman Sachs"
    assert (claim.subject, claim.predicate, claim.object) == ("you", "formerly worked", "")
    assert (claim.polarity, claim.tense) == (Polarity.POSITIVE, Tense.PAST)
    assert (claim.hedged, claim.quoted, claim.slot_type) == (False, False, "employer")
    assert claim.value_span is not None
    assert text[claim.value_span.start : claim.value_span.end] == "Goldman Sachs"


@pytest.mark.requirement("TXT-007")
def test_a_claim_without_a_named_slot_has_its_value_all_the_same():
    text = "The bridge spans the river."
    claim = only(text)
    assert (claim.subject, claim.predicate, claim.object) == ("The bridge", "spans", "the river")
    assert claim.slot_type is None
    assert claim.value_span is not None
    assert text[claim.value_span.start : claim.value_span.end] == "river"


@pytest.mark.requirement("TXT-007")
def test_a_sentence_in_quotation_marks_is_marked_as_quoted():
    assert only('"You live in Paris."').quoted
    assert not only("You live in Paris.").quoted


@pytest.mark.requirement("TXT-007", "TXT-018")
@pytest.mark.parametrize(
    ("text", "polarity"),
    [
        ("You live in Oslo.", Polarity.POSITIVE),
        ("You do not live in Oslo.", Polarity.NEGATIVE),
        ("You don’t live in Oslo.", Polarity.NEGATIVE),
        ("You have no pets.", Polarity.NEGATIVE),
        ("Nobody at Acme uses Perl.", Polarity.NEGATIVE),
        ("She can't swim.", Polarity.NEGATIVE),
    ],
)
def test_a_claim_knows_whether_it_denies(text: str, polarity: Polarity):
    assert only(text).polarity is polarity


# ── whole answers ───────────────────────────────────────────────────────────────────────────────

ANSWERS = [
    "You live in Porto, where you run a bakery. You have two daughters and a dog named Rex. Shall I book a table?",
    "Sure! Your flight leaves at 6:40 on Tuesday and lands in Oslo at noon. You packed a tent, a stove and two lamps. "
    "Have a great trip!",
    "The billing service is written in Rust. It listens on port 8080 and uses PostgreSQL. Lena owns the module, and "
    "the deadline is 14 May.",
    "- You work at Nokia\n- You speak Dutch and Greek\n- Your manager is Dana\n\nLet me know if you need more.",
    "Ingrid plays the cello. She lives in Bergen with her husband, a carpenter. They adopted a kitten in March.",
]


@pytest.mark.requirement("TXT-006", "TXT-001")
@pytest.mark.parametrize("answer", ANSWERS)
def test_an_ordinary_answer_has_three_to_fifteen_claims(answer: str):
    assert 3 <= len(extract_claims(answer)) <= 15


@pytest.mark.requirement("TXT-006")
def test_every_claim_of_a_long_answer_is_found_so_that_the_surplus_can_be_counted():
    answer = " ".join(f"Ana visited room {number}." for number in range(120))
    assert len(extract_claims(answer)) == 120


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize("answer", ANSWERS)
def test_claims_come_in_sentence_order_and_each_lies_inside_one_sentence(answer: str):
    sentences = [sentence.span for sentence in split_sentences(answer)]
    homes = [
        next(i for i, (start, end) in enumerate(sentences) if start <= claim.span.start and claim.span.end <= end)
        for claim in extract_claims(answer)
    ]
    assert homes == sorted(homes)


@pytest.mark.requirement("TXT-038", "TXT-001")
@pytest.mark.parametrize(
    "text",
    ["", " ", "\n\t \r\n", "\x00\x07\x1b", "...", "???", "—", "🙂🙂", "\u200b\ufeff", "```\nYou live in Oslo.\n```"],
)
def test_a_text_without_assertions_has_no_claims(text: str):
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was once engaged to Silas.", ["I was once engaged to Silas"]),
        ("She has once again moved to Lyon.", ["She has once again moved to Lyon"]),
        ("We ate once Tom arrived.", ["We ate", "Tom arrived"]),
    ],
)
def test_once_is_an_adverb_before_a_verb_and_a_conjunction_before_a_subject(text: str, expected: list[str]):
    assert [claim.text for claim in extract_claims(text)] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is false that the user has a job.", ["It is false that the user has a job"]),
        ("It is clear that the user has a job.", ["The user has a job"]),
        ("You told me that the false alarm was in Rome.", ["The false alarm was in Rome"]),
    ],
)
def test_a_clause_that_is_called_false_is_not_claimed(text: str, expected: list[str]):
    assert [claim.text for claim in extract_claims(text)] == expected


@pytest.mark.parametrize(
    ("note", "about", "times"),
    [
        ("Dentist appointment on Tuesday at 10:30", "Dentist appointment", ["Tuesday", "10:30"]),
        ("Yoga class: Wednesdays 18:00", "Yoga class", ["Wednesdays 18:00"]),
        ("Budget meeting: Monday, 9:30", "Budget meeting", ["Monday", "9:30"]),
        ("Nurse on weekends", "user", ["weekends"]),
        ("Vegan since March", "user", ["March"]),
    ],
)
def test_a_note_with_a_time_is_about_the_thing_or_about_the_user(note: str, about: str, times: list[str]):
    (read,) = read_text(note).statements
    assert read.proposition.subject == about
    assert [argument.text for argument in read.proposition.arguments if argument.is_time] == times


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("You ran 10 km on Monday and 5 km on Friday.", ["You ran 10 km on Monday", "You ran 5 km on Friday"]),
        (
            "Lena painted the door in May and the fence in June.",
            ["painted the door in May", "painted the fence in June"],
        ),
    ],
)
def test_each_of_two_things_keeps_its_own_time_or_place(text: str, claims: list[str]):
    found = [claim.text for claim in extract_claims(text)]
    assert len(found) == len(claims)
    assert all(wanted in said for wanted, said in zip(claims, found, strict=True))


# ── what is set aside ───────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Not all of our rooms have a balcony.", ["Not all of our rooms have a balcony"]),
        ("It was Lise, not Karin, who found the error.", ["Lise found the error"]),
        (
            "There are two ferries, one of which carries cars.",
            ["There are two ferries", "One of two ferries carries cars"],
        ),
        ("Dogs are allowed on the terrace, but not inside.", ["Dogs are allowed on the terrace"]),
        ("The shop is open, but not on Sundays.", ["The shop is open", "The shop is not open on Sundays"]),
        ("The film lasts 2 hours and 10 minutes.", ["The film lasts 2 hours and 10 minutes"]),
    ],
)
def test_what_is_denied_of_some_is_not_said_of_all(text: str, claims: list[str]):
    assert texts(text) == claims


# ── notes, bounds, prepositions ─────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The password needs at least 12 characters, a digit and a symbol.",
         ["The password needs at least 12 characters", "The password needs a digit", "The password needs a symbol"]),
        ("You packed more than 3 shirts and a hat.", ["You packed more than 3 shirts", "You packed a hat"]),
        ("The van has up to 8 seats and a roof rack.", ["The van has up to 8 seats", "The van has a roof rack"]),
        ("You visited at least 3 cities and 2 villages.", ["You visited at least 3 cities", "You visited 2 villages"]),
    ],
)  # fmt: skip
def test_a_bound_is_of_one_number_alone(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The house has six rooms, of which three are bedrooms.", ["The house has six rooms", "Three are bedrooms"]),
        ("You work at Acme, in which you hold shares.", ["You work at Acme", "You hold shares"]),
        ("You have a sister with whom you share a flat.", ["You have a sister", "You share a flat"]),
        ("You joined a club for which you play.", ["You joined a club", "You play"]),
    ],
)
def test_a_clause_led_by_its_preposition_takes_nothing_from_the_one_before(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    "text",
    [
        "Next appointment: 14 May",
        "Gate: B12",
        "Rent: 900 euros",
        "Project lead: Kim",
        "Department: Legal",
        "Shipped: 3 May",
    ],
)
def test_a_label_with_a_value_claims_that_it_is_so(text: str):
    assert texts(text) == [text]
    assert texts(f"Here is what I have.\n- {text}\n- Thanks!") == [text]


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    "text", ["Note: see page 3.", "Step 2: 5 minutes", "Example: 3 apples", "Your plan:", "First: 3 eggs"]
)
def test_a_heading_claims_nothing_of_what_follows(text: str):
    assert texts(text) == []


@pytest.mark.requirement("TXT-004", "TXT-001")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("He is not a doctor but a nurse.", ["He is not a doctor", "He is a nurse"]),
        ("I do not have kids, but three horses.", ["I do not have kids", "I do have three horses"]),
        ("We didn't meet on Monday but Friday.", ["We didn't meet on Monday", "We did meet on Friday"]),
        (
            "The bug is not in the parser, but in the loader.",
            ["The bug is not in the parser", "The bug is in the loader"],
        ),
        ("She is not only a nurse but also a painter.", ["She is a nurse", "She is a painter"]),
    ],
)
def test_what_a_but_sets_against_a_denial_holds(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.requirement("TXT-004")
def test_a_pronoun_goes_on_about_the_pronoun_before_and_not_about_the_firm_in_between():
    assert texts("He doesn't work at Bosch, but he works at Siemens.") == [
        "He doesn't work at Bosch",
        "He works at Siemens",
    ]


@pytest.mark.requirement("TXT-004")
def test_once_before_a_past_form_opens_no_clause():
    assert texts("You work at Bosch and you once visited Siemens.") == [
        "You work at Bosch",
        "You once visited Siemens",
    ]


@pytest.mark.parametrize(
    ("text", "tense"),
    [
        ("The contract is to be signed on Friday.", Tense.FUTURE),
        ("Ana is to sign the contract.", Tense.FUTURE),
        ("My goal is to be promoted.", Tense.PRESENT),
    ],
)
def test_what_is_to_be_done_is_still_to_come(text: str, tense: Tense):
    (claim,) = extract_claims(text)
    assert claim.tense is tense


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("I water the plants as often as I can.", ["I water the plants as often as I can"]),
        ("She ran as fast as possible and won.", ["She ran as fast as possible", "She won"]),
        ("The bill is paid as soon as it arrives.", ["The bill is paid as soon as it arrives"]),
    ],
)
def test_how_much_somebody_does_is_no_claim_of_its_own(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.requirement("TXT-004")
@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "The server crashed twice in May and once in June.",
            ["The server crashed twice in May", "The server crashed once in June"],
        ),
        ("I lived in Rome in 2010 and in Paris in 2015.", ["I lived in Rome in 2010", "I lived in Paris in 2015"]),
        (
            "Our first release shipped in March and the second in July.",
            ["Our first release shipped in March", "The second release shipped in July"],
        ),
        (
            "We had 23 guests last year and 31 this year.",
            ["We had 23 guests last year", "We had 31 guests this year"],
        ),
        (
            "Sales were 200 units in May and 250 in June.",
            ["Sales were 200 units in May", "Sales were 250 units in June"],
        ),
        ("She knitted me a red scarf and grey gloves.", ["She knitted me a red scarf", "She knitted me grey gloves"]),
        ("I'm allergic to penicillin and to walnuts.", ["I'm allergic to penicillin", "I'm allergic to walnuts"]),
        ("You have a trip to Japan booked for April.", ["You have a trip to Japan", "A trip is booked for April"]),
    ],
)
def test_what_is_said_once_for_two_is_said_of_each(text: str, claims: list[str]):
    assert texts(text) == claims


@pytest.mark.requirement("TXT-004")
def test_what_two_do_to_each_other_is_one_claim():
    assert texts("Ana and Bea have known each other since 2010.") == ["Ana and Bea have known each other since 2010"]
