"""Words with exact offsets, and the one letter that each gets from the dictionary and its neighbours."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.tables import read_table
from groundwire.text.tagging import tag
from groundwire.text.tokens import Token, is_number_word, tokenize
from groundwire.text.verbs import read_verb_groups
from groundwire.types import Tense

ALPHABET = set("DSpN P#JRVBGEbhdMnItCWU',.:;-()\"@") - {" "}


def letters(text: str) -> str:
    return tag(tokenize(text))


def words(text: str) -> list[str]:
    return [token.text for token in tokenize(text)]


# ── tokens ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-012")
@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("AT&T", ["AT&T"]),
        ("O'Reilly", ["O'Reilly"]),
        ("Hewlett-Packard", ["Hewlett-Packard"]),
        ("C++ and C#", ["C++", "and", "C#"]),
        ("node.js", ["node.js"]),
        ("Dr. Alba lives in St. Gallen.", ["Dr.", "Alba", "lives", "in", "St.", "Gallen", "."]),
        ("J. R. Ewing", ["J.", "R.", "Ewing"]),
        ("$1,250.50 or 3 pm", ["$1,250.50", "or", "3 pm"]),
        ("on 2024-05-14 at 6:40", ["on", "2024-05-14", "at", "6:40"]),
        ("a 33-year-old", ["a", "33-year-old"]),
        ("the 3rd, 45%", ["the", "3rd", ",", "45%"]),
        ("bo@example.org and `x = 1`", ["bo@example.org", "and", "`x = 1`"]),
        ("https://a.example/b?c=1 works", ["https://a.example/b?c=1", "works"]),
        ("Ana's dog", ["Ana", "'s", "dog"]),
        ("they’re here", ["they", "’re", "here"]),
        ("I can't, you cannot", ["I", "ca", "n't", ",", "you", "can", "not"]),
        ("a master's degree", ["a", "master's", "degree"]),
        ("“Hi”—she", ["“", "Hi", "”", "—", "she"]),
        ("Zürich, 東京", ["Zürich", ",", "東京"]),
        ("", []),
        (" \t\n", []),
    ],
)
def test_a_text_is_cut_into_words_and_marks(text: str, pieces: list[str]):
    assert words(text) == pieces


@pytest.mark.requirement("TXT-038", "TXT-020")
@given(st.text(max_size=200), st.integers(0, 50))
def test_every_token_is_quoted_from_the_text_in_order(text: str, offset: int):
    end = 0
    for token in tokenize(text, offset):
        start = token.start - offset
        assert start >= end
        end = token.end - offset
        assert text[start:end] == token.text
    assert not [c for c in text[end:] if c.isalnum()]


@pytest.mark.requirement("TXT-038", "TXT-020")
@given(st.text(max_size=200))
def test_every_token_gets_one_letter_of_the_alphabet(text: str):
    tokens = tokenize(text)
    found = tag(tokens)
    assert len(found) == len(tokens)
    assert found == "".join(token.tag for token in tokens)
    assert set(found) <= ALPHABET
    assert letters(text) == found


@pytest.mark.requirement("TXT-012")
def test_number_words_are_known_alone_and_joined():
    assert all(is_number_word(word) for word in ("two", "third", "ninety-one", "dozen", "half"))
    assert not any(is_number_word(word) for word in ("tool", "two-tone", "", "-"))


# ── closed classes in their places ──────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("You live in Oslo.", "pVIP."),
        ("Ana's dog sleeps.", "P'NV."),
        ("She's a nurse.", "pbDN."),
        ("She's moved to Rome.", "phEtP."),
        ("He said that Ana lives in Rome.", "pVUPVIP."),
        ("That is true.", "pbJ."),
        ("the house that burned", "DNWV"),
        ("I need a map.", "pVDN."),
        ("You need not come.", "pMnB."),
        ("The can is empty.", "DNbJ."),
        ("May 2024 was warm.", "P#bJ."),
        ("It may rain.", "pMB."),
        ("Will works at Nokia.", "PVIP."),
        ("You will work.", "pMB."),
        ("I like tea.", "pVN."),
        ("It looks like rain.", "pVIN."),
        ("about 30 people", "R#N"),
        ("about the film", "IDN"),
        ("since 2019", "I#"),
        ("her book", "SN"),
        ("I saw her.", "pVp."),
        ("no longer", "nR"),
        ("no dogs", "DN"),
        ("you cannot swim", "pMnB"),
        ("They don’t know.", "pdnB."),
        ("Please run to the shop.", "RBtDN."),
        ("The run was long.", "DNbJ."),
        ("I have worked.", "phE."),
        ("I have work.", "phN."),
        ("He is reading.", "pbG."),
        ("Marks & Spencer", "NPP"),
        ("I WORK AT INTEL.", "pVIP."),
        ("my well", "SN"),
        ("twenty-one dogs", "#N"),
        ("Sandvik Hall seats 800 people.", "PPV#N."),
        ("The store stocks tea.", "DNVN."),
        ("The flat faces the river.", "DNVDN."),
        ("Free drinks and snacks.", "JNCN."),
    ],
)
def test_a_word_is_read_by_what_stands_around_it(text: str, tags: str):
    assert letters(text) == tags


@pytest.mark.requirement("TXT-001")
def test_every_closed_word_has_one_class():
    seen: dict[str, str] = {}
    for letter, members in read_table("grammar")["closed"].items():
        assert letter in ALPHABET
        for word in members:
            assert seen.setdefault(word, letter) == letter, word


@pytest.mark.requirement("TXT-001")
@pytest.mark.parametrize(
    ("text", "word", "lemma"),
    [
        ("Ana lives in Rome.", "lives", "live"),
        ("Ana went home.", "went", "go"),
        ("two mice", "mice", "mouse"),
        ("You were there.", "were", "be"),
        ("Ana has a dog.", "has", "have"),
        ("I saw two dogs.", "saw", "see"),
    ],
)
def test_a_word_knows_its_lemma(text: str, word: str, lemma: str):
    tokens = tokenize(text)
    tag(tokens)
    assert next(token.lemma for token in tokens if token.text == word) == lemma


@pytest.mark.requirement("TXT-020")
def test_a_token_prints_as_word_and_letter():
    token = Token("Oslo", 3, 7)
    token.tag = "P"
    assert repr(token) == "Oslo/P"


# ── verb groups ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-018", "TXT-019")
@pytest.mark.parametrize(
    ("text", "lemma", "tense", "negated", "passive"),
    [
        ("Ana works here.", "work", Tense.PRESENT, False, False),
        ("Ana worked here.", "work", Tense.PAST, False, False),
        ("Ana has worked here.", "work", Tense.PRESENT, False, False),
        ("Ana had worked here.", "work", Tense.PAST, False, False),
        ("Ana will work here.", "work", Tense.FUTURE, False, False),
        ("Ana is going to work here.", "work", Tense.FUTURE, False, False),
        ("Ana used to work here.", "work", Tense.PAST, False, False),
        ("Ana did not work here.", "work", Tense.PAST, True, False),
        ("Ana doesn't work here.", "work", Tense.PRESENT, True, False),
        ("Ana never works here.", "work", Tense.PRESENT, True, False),
        ("Ana no longer works here.", "work", Tense.PRESENT, True, False),
        ("Ana won't work here.", "work", Tense.FUTURE, True, False),
        ("Ana was hired.", "hire", Tense.PAST, False, True),
        ("Ana has been hired.", "hire", Tense.PRESENT, False, True),
        ("Ana got hired.", "hire", Tense.PAST, False, True),
        ("Ana got moved to Oslo.", "move", Tense.PAST, False, True),
        ("Ana got married to Bo.", "marry", Tense.PRESENT, False, True),
        ("Ana gets paid.", "pay", Tense.PRESENT, False, True),
        ("Ana will get paid.", "pay", Tense.FUTURE, False, True),
        ("Ana is working.", "work", Tense.PRESENT, False, False),
        ("Ana isn't a nurse.", "be", Tense.PRESENT, True, False),
        ("Ana has got a dog.", "have", Tense.PRESENT, False, False),
    ],
)
def test_a_verb_group_tells_tense_voice_and_negation(text: str, lemma: str, tense: Tense, negated: bool, passive: bool):
    tokens = tokenize(text)
    (group,) = read_verb_groups(tokens, tag(tokens))
    assert (group.lemma, group.tense, group.negated, group.passive) == (lemma, tense, negated, passive)
