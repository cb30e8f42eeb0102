"""Sentences: where they end, where they do not, and that every span is exact, in order and cheap to find."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import effort
from effort import stays_cheap
from groundwire.text.sentences import split_sentences
from groundwire.text.tables import read_table
from groundwire.types import SentenceKind


def texts(text: str) -> list[str]:
    return [sentence.text for sentence in split_sentences(text)]


def kinds(text: str) -> list[SentenceKind]:
    return [sentence.kind for sentence in split_sentences(text)]


def assert_splits(*sentences: str) -> None:
    """The sentences, joined by a space, are found again."""
    assert texts(" ".join(sentences)) == list(sentences)


# ── marks that end a sentence ───────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-002")
@pytest.mark.parametrize(
    "sentences",
    [
        ("The kiln is hot.", "Stand back."),
        ("Who left the gate open?", "The goats are out!", "Fetch them."),
        ("Do not panic!", "Help is near."),
        ("You said what?!", "Never again!!!", "Promise??", "Fine."),
        ("the oven is broken.", "it smells of gas.", "call someone."),
        ("The tram was late.", "(Again.)", "We walked."),
        ("Lovely photos :)", "Send me more."),
        ("We shipped it! 🎉", "Now we rest."),
        ("It was proven in 2004.[3][4]", "Few noticed."),
    ],
)
def test_a_sentence_ends_at_its_mark(sentences: tuple[str, ...]) -> None:
    assert_splits(*sentences)


@pytest.mark.requirement("TXT-002")
@pytest.mark.parametrize(
    "sentence",
    [
        "Dr. Ibarra and Mrs. Quist met Prof. Lund on Mt. Etna.",
        "Bring tools, e.g. a saw or a file, i.e. something sharp.",
        "The depot at 9 Mill Rd. near the quay belongs to Halloran Inc. of Boston.",
        "See Fig. 7 and No. 12 on p. 80 of vol. 2.",
        "It was City vs. Rangers at 8 p.m. Friday.",
        "Flights between the U.S.A. and the U.K. resumed on Sunday.",
        "The U.S. Senate met on Oct. 4 in Washington.",
        "The poem is by W. S. Harrow and J. Petrov.",
        "He is 6 ft. 1 in. tall in his socks.",
        "Add salt, pepper, etc. to taste.",
    ],
)
def test_an_abbreviation_inside_a_sentence_does_not_end_it(sentence: str) -> None:
    assert texts(sentence) == [sentence]


@pytest.mark.requirement("TXT-002")
@pytest.mark.parametrize(
    "sentences",
    [
        ("The mill belongs to Halloran Inc.", "It grinds oats."),
        ("We shut at 6 p.m.", "Customers leave earlier."),
        ("She settled in the U.S.", "Her brother did not."),
        ("They grow beans, peas, etc.", "Corn is rare."),
        ("The clinic is on Birch St.", "It opens at eight."),
        ("He defended his Ph.D.", "Then he slept."),
        ("We agreed on plan B.", "It was cheaper."),
        ("One more rep.", "Then we rest."),
        ("That is the max.", "Bob knows it."),
        ("He called the dr.", "She came at once."),
        ("Is it ready?", "No.", "Come back later."),
        ("The winners are Greta and I.", "Have you met Anders I. Holm?"),
    ],
)
def test_an_abbreviation_can_close_a_sentence(sentences: tuple[str, ...]) -> None:
    assert_splits(*sentences)


@pytest.mark.requirement("TXT-002")
@pytest.mark.parametrize(
    "sentences",
    [
        ("Fuel fell to 1.87 from 2.05.", "Drivers cheered."),
        ("Install v3.14.2 today.", "Older ones leak."),
        ("Edit settings.toml and app.py first.", "Then restart."),
        ("Open https://example.org/a.b/c?d=1.5&e=f. It explains v2.",),
        ("Write to kim.ode@mail.example.com.", "She answers."),
        ("The meeting is on 12.03.2025 at 9.45 sharp.", "Be there."),
    ],
)
def test_decimals_versions_files_and_addresses_stay_whole(sentences: tuple[str, ...]) -> None:
    found = texts(" ".join(sentences))
    assert " ".join(found) == " ".join(sentences)
    for token in (
        "1.87",
        "v3.14.2",
        "settings.toml",
        "https://example.org/a.b/c?d=1.5&e=f",
        "kim.ode@mail.example.com",
    ):
        if token in " ".join(sentences):
            assert any(token in sentence for sentence in found)
    assert len(found) == 2


@pytest.mark.requirement("TXT-002")
def test_an_ellipsis_ends_a_sentence_only_before_a_new_start() -> None:
    assert_splits("I meant to... never mind.")
    assert_splits("He waited…", "Nothing came.")
    assert_splits("Well . . . I suppose so.", "Yes.")
    assert_splits('The report says "profits [...] fell" twice.')


# ── quoted speech and brackets ──────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-002")
@pytest.mark.parametrize(
    "sentences",
    [
        ('"Stay here. I will go," she whispered.', "He stayed."),
        ('"Run!" he shouted.', "Nobody moved."),
        ('"Is it far?" asked the boy.',),
        ('"Is it far?" I asked.', "It was."),
        ('"Faster!" Ilse cried.', "The sledge flew."),
        ('The note said "Gone. Back soon." in pencil.',),
        ("“We tried. We failed.”", "That was all."),
        ("'Sit down.' he said.", "They sat."),
        ("„Es regnet. Komm rein.“", "Er lachte."),
        ("The pond (it is deep. Take care.) lies behind the barn.",),
    ],
)
def test_quoted_speech_and_brackets_are_not_broken(sentences: tuple[str, ...]) -> None:
    assert_splits(*sentences)


@pytest.mark.requirement("TXT-002")
def test_a_quotation_mark_that_never_closes_hides_nothing() -> None:
    assert_splits('"The road was long.', "We rested twice.", "Night fell.")
    assert_splits('A 5" nail bent.', 'A 6" nail held.')
    assert_splits("Rock 'n' roll is loud.", "The dogs' ears hurt.")


@pytest.mark.requirement("TXT-002")
def test_a_very_long_quotation_is_read_sentence_by_sentence() -> None:
    sentences = ["The river kept rising all through that night."] * 40
    assert len(texts(f'He wrote: "{" ".join(sentences)}" Then he stopped.')) > len(sentences)


# ── layout ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-002")
def test_an_inline_enumeration_is_cut_at_its_markers() -> None:
    assert_splits("1.) Peel the onions", "2.) Heat the pan", "3.) Stir")
    assert_splits("a. Lift the lid", "b. Pull the cord")
    assert_splits("• Rope", "• Tape")
    assert kinds("1) Rope 2) Tape") == [SentenceKind.LIST_ITEM] * 2
    assert_splits("We need 1) rope, 2) tape and 3) patience.")
    assert_splits("J. K. Aldana wrote it.")


@pytest.mark.requirement("TXT-002")
def test_list_items_stand_without_their_bullets() -> None:
    text = "Packing:\n- rope\n* two lamps. One spare.\n  + [x] boots that are\n    wrapped\n1. Leave early."
    found = split_sentences(text)
    assert [sentence.text for sentence in found] == [
        "Packing:",
        "rope",
        "two lamps.",
        "One spare.",
        "boots that are\n    wrapped",
        "1. Leave early.",
    ]
    assert [sentence.kind for sentence in found] == [SentenceKind.PROSE, *[SentenceKind.LIST_ITEM] * 5]


@pytest.mark.requirement("TXT-002")
def test_headings_are_told_apart_from_prose() -> None:
    text = "# Field notes #\nIt rained.\n\nResults\n-------\nNone.\n\n**Costs**\nHigh."
    assert texts(text) == ["Field notes", "It rained.", "Results", "None.", "**Costs**", "High."]
    assert kinds(text)[::2] == [SentenceKind.HEADING] * 3


@pytest.mark.requirement("TXT-002")
def test_each_table_row_is_one_sentence_and_the_rule_is_none() -> None:
    text = "| Town | Note |\n|:-----|-----:|\n| Brae | Small. Quiet. |\n\nName | Age\n--- | ---\nIna | 40"
    assert texts(text) == ["Town | Note", "Brae | Small. Quiet.", "Name | Age", "Ina | 40"]
    assert set(kinds(text)) == {SentenceKind.TABLE_ROW}


@pytest.mark.requirement("TXT-002")
def test_code_is_never_split() -> None:
    fenced = '```py\nprint("One. Two.")\n\nx = 1. \n```'
    found = split_sentences(f"Run this:\n{fenced}\nIt prints. Use `a. B` too.")
    assert [sentence.text for sentence in found] == ["Run this:", fenced, "It prints.", "Use `a. B` too."]
    assert found[1].kind is SentenceKind.CODE
    assert kinds("~~~\nnever. Closed.") == [SentenceKind.CODE]
    assert kinds("`ls. Then`") == [SentenceKind.CODE]


@pytest.mark.requirement("TXT-002")
def test_turns_of_a_dialogue_and_fields_are_separate() -> None:
    assert texts("User: where do I work\nAssistant: You work at the mill. Still.") == [
        "User: where do I work",
        "Assistant: You work at the mill.",
        "Still.",
    ]
    assert texts("user: hi\nassistant: hello") == ["user: hi", "assistant: hello"]
    assert texts("Name: Ola Berg\nTown: Brae") == ["Name: Ola Berg", "Town: Brae"]
    assert texts("— Ready?\n— Almost.") == ["— Ready?", "— Almost."]


@pytest.mark.requirement("TXT-002")
def test_a_line_break_inside_a_sentence_is_not_an_end() -> None:
    wrapped = "The ferry to the outer\nislands leaves from the\nNorth quay at noon."
    assert texts(wrapped) == [wrapped]
    assert texts("It cost\n12. 50 were sold.")[0].startswith("It cost\n12.")


@pytest.mark.requirement("TXT-002")
def test_layout_ends_a_sentence_that_has_no_mark() -> None:
    assert texts("A title\n\nThe body follows") == ["A title", "The body follows"]
    body = "The board met in the small room because the other one was being painted."
    assert texts(f"Minutes\n{body}") == ["Minutes", body]
    assert texts(f"Dear Ms. Holm,\n{body}") == ["Dear Ms. Holm,", body]
    assert texts("> The sea rose.\n> We fled.\n\nAll of us.") == ["The sea rose.", "We fled.", "All of us."]


@pytest.mark.requirement("TXT-002")
def test_a_lost_space_or_full_stop_is_made_up_for() -> None:
    assert texts("It was dark.The lamp had gone out.") == ["It was dark.", "The lamp had gone out."]
    assert texts("Great little cafe This place never fails.") == ["Great little cafe", "This place never fails."]
    assert_splits("The class java.util.The does not exist.")
    assert_splits("She read a book called The winter sea aloud.")


# ── other scripts ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-002", "TXT-038")
@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("我住在北京。你住哪里？真好！", 3),
        ("他说：“走吧。天黑了！”然后离开。", 1),
        ("父は「待て。」と言った。私は待った。", 2),
        ("أين البيت؟ البيت بعيد. نعم.", 3),
        ("یہ کتاب ہے۔ وہ قلم ہے۔", 2),
        ("यह घर है। वह नदी है।", 2),
        ("Սա տուն է։ Նա այստեղ է։", 2),
        ("Սա տուն է: Նա այստեղ է:", 2),
        ("ဒါအိမ်ပါ။ဟိုဟာမြစ်ပါ။", 2),
        ("ይህ ቤት ነው። ያ ወንዝ ነው።", 2),
        ("Πού είσαι; Εδώ είμαι.", 2),
        ("¿Dónde está? ¡Aquí! Bien.", 3),
        ("Am 3. Oktober z. B. regnete es. Danach nicht.", 2),
        ("値は３．５です。", 1),
    ],
)
def test_other_scripts_end_at_their_own_marks(text: str, count: int) -> None:
    assert len(texts(text)) == count


# ── properties ──────────────────────────────────────────────────────────────────────────────────

PIECES = st.sampled_from(
    [
        *(
            "Dr. ",
            "e.g. ",
            "No. 5 ",
            "U.S. ",
            "word ",
            "The ",
            "we ",
            "I. ",
            "3.5 ",
            "1. ",
            "a) ",
            "b) ",
            ". ",
            "! ",
            "? ",
        ),
        *(
            "... ",
            "… ",
            '"',
            "“",
            "”",
            "'",
            "’",
            "(",
            ")",
            "[",
            "]",
            "`",
            "```\n",
            "~~~\n",
            "\n",
            "\r\n",
            "\n\n",
            "- ",
            "* ",
        ),
        *(
            "| a | b |\n",
            "|---|---|\n",
            "# ",
            "> ",
            "---\n",
            "User: ",
            "• ",
            "。",
            "「",
            "」",
            "؟ ",
            ":) ",
            "🎉 ",
            "\u2028",
            "x@y.z ",
        ),
    ]
)
MIXED = st.lists(PIECES | st.text(max_size=6), max_size=40).map("".join)


@pytest.mark.requirement("TXT-002", "TXT-038")
@given(st.text() | MIXED)
def test_spans_quote_the_text_exactly_in_order_and_trimmed(text: str) -> None:
    found = split_sentences(text)
    for sentence in found:
        assert text[sentence.span.start : sentence.span.end] == sentence.text
        assert sentence.text
        assert sentence.text == sentence.text.strip()
    for left, right in pairwise(found):
        assert left.span.end <= right.span.start


@pytest.mark.requirement("TXT-002")
@given(st.text() | MIXED)
def test_only_white_space_and_layout_marks_lie_outside(text: str) -> None:
    position, outside = 0, ""
    for sentence in split_sentences(text):
        outside += text[position : sentence.span.start]
        position = sentence.span.end
    outside += text[position:]
    assert not "".join(outside.split()).strip("#>|:=-*+_[]xX ")


@pytest.mark.requirement("TXT-002", "TXT-038")
@given(MIXED)
def test_the_same_text_gives_the_same_sentences(text: str) -> None:
    assert split_sentences(text) == split_sentences(text)


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize("text", ["", " ", "\n\n\t\r\n", "\u3000\u2028", "---", "\x1c\x1d"])
def test_nothing_to_say_gives_no_sentences(text: str) -> None:
    assert split_sentences(text) == ()


@pytest.mark.requirement("TXT-038")
@pytest.mark.parametrize("text", ["\x00", "a\x00b. C\x07", "\ud800. A", "\ufeffHi. You.", "\u200b", "." * 9])
def test_control_characters_and_lone_surrogates_do_no_harm(text: str) -> None:
    assert "".join(texts(text)).replace(" ", "") == text.replace(" ", "")


# ── cost ────────────────────────────────────────────────────────────────────────────────────────

HOSTILE = [
    *(
        "a.a.a.",
        '"""',
        "(((((",
        "....",
        "1.1.1",
        ". ",
        '" ',
        "' ",
        "(a. ",
        "“",
        "I. ",
        "A. b ",
        "1. a ",
        "• a ",
        "- a\n",
        "`",
    ),
    *(
        "`a",
        "```\n",
        "|",
        "|a|\n",
        "a|b\n-|-\n",
        ">",
        "> ",
        "#",
        "**",
        "--- ",
        "\n",
        "a\n",
        "A: b\n",
        ". . . ",
        "。",
        "」",
        "．",
    ),
    *(
        "a.1 ",
        "a.[1] ",
        ":) ",
        "😀",
        " ",
        "\t",
        "\xa0",
        "a",
        "The a ",
        "http://a.b/",
        "</a>",
        "[",
        "e.g. ",
        "Mr. ",
        "?!",
        "ա: ",
    ),
]


def count_calls(text: str) -> int:
    return effort.count_calls(lambda: split_sentences(text))


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("unit", HOSTILE)
def test_twice_the_text_takes_twice_the_steps(unit: str) -> None:
    split_sentences(unit)
    half = unit * (10_000 // len(unit))
    assert count_calls(half + half) <= 2.1 * count_calls(half) + 100


@pytest.mark.requirement("SEC-013")
@pytest.mark.parametrize("unit", [*HOSTILE[:5], *(pytest.param(unit, marks=pytest.mark.slow) for unit in HOSTILE[5:])])
def test_hostile_text_of_the_largest_size_is_split_in_time(unit: str) -> None:
    text = (unit * (200_000 // len(unit) + 1))[:200_000]
    assert stays_cheap(lambda: split_sentences(text))


# ── the table ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("TXT-002")
def test_no_abbreviation_has_two_roles_and_none_carries_its_full_stop() -> None:
    entries = [entry for listed in read_table("abbreviations")["abbreviations"].values() for entry in listed]
    assert len(entries) == len(set(entries))
    assert not [entry for entry in entries if entry.endswith(".")]
