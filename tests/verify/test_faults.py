"""The words at fault: of a claim that is wrong or untold, only the piece that memories do not have is quoted."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from groundwire.judge.decision import PassageScores
from groundwire.judge.explanation import explain
from groundwire.judge.findings import Finding
from groundwire.judge.joint import attribute, find_carriers, join_texts
from groundwire.judge.parts import Part
from groundwire.judge.protocols import Scores
from groundwire.settings import Settings
from groundwire.text.reading import ReadPassage, read_text
from groundwire.types import Memory, Passage, Span, Verdict, VerificationReport
from groundwire.verify.constituents import cut_constituents
from groundwire.verify.faults import mark_faults
from groundwire.verify.report import GroundCheckVerifier

NO = Scores(0.02, 0.95, 0.03)
OPEN = Scores(0.02, 0.03, 0.95)
YES = Scores(0.95, 0.02, 0.03)


def verify(text: str, *memories: str) -> VerificationReport:
    verifier = GroundCheckVerifier(Settings(judge="rules"))
    return verifier.verify(text, [Memory(f"m{i}", memory) for i, memory in enumerate(memories, 1)])


def blame(text: str, guessed: str, *memories: str, source: str = "m1", reason: str = "model_refutes") -> str:
    """What is quoted of a claim that a model refutes, where `guessed` was blamed at first."""
    (read,) = read_text(text).claims
    start = text.index(guessed)
    span = Span(start, start + len(guessed))
    finding = Finding(Verdict.REFUTED, 0.9, reason, source, claim_value=guessed, wrong=span)
    passages = [ReadPassage(Passage(f"m{i}", memory), read_text(memory)) for i, memory in enumerate(memories, 1)]
    ((part,),) = mark_faults([read], [(Part(None, None, (finding,)),)], text, passages)
    wrong = part.findings[0].wrong
    assert wrong is not None
    return text[wrong.start : wrong.end]


# ── pieces ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("sentence", "pieces"),
    [
        ("On Friday, at 7:15, the plumber calls.", ["Friday", "7:15", "plumber", "calls"]),
        ("The lease costs 1,150 euros a month.", ["lease", "costs", "1,150 euros", "month"]),
        ("Mr Abara teaches in Old Hall Road.", ["Mr Abara", "teaches", "Old Hall Road"]),
        ("A dentist is what you are.", ["dentist"]),
    ],
)
def test_a_sentence_is_cut_into_what_can_be_wrong_by_itself(sentence: str, pieces: Sequence[str]):
    assert [piece.text for piece in cut_constituents(sentence)] == list(pieces)


# ── refuted by a model ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "guessed", "memories", "wrong"),
    [
        (
            "The piano was bought from Otto, in Graz, for 2,900 euros.",
            "Otto",
            ["I bought the piano from Otto in Graz.", "The piano cost me 9,200 euros."],
            "2,900 euros",
        ),
        ("Your tent from Oslo sleeps four.", "tent", ["My tent is from Oslo.", "My tent sleeps two."], "four"),
        ("Your sister's boat is moored in Kiel.", "boat", ["My sister's boat is moored in Husum."], "Kiel"),
        ("The walk to the mill takes an hour.", "mill", ["The walk to the mill takes 25 minutes."], "hour"),
        (
            "The office plant is watered by Kofi on Tuesdays.",
            "Tuesdays",
            ["The office plant is watered on Tuesdays.", "Kofi is in sales."],
            "Kofi",
        ),
    ],
)
def test_what_memories_have_is_not_to_blame(answer: str, guessed: str, memories: Sequence[str], wrong: str):
    assert blame(answer, guessed, *memories) == wrong


@pytest.mark.parametrize(
    ("answer", "guessed", "memories"),
    [
        ("Your boat is moored in Kiel.", "Kiel", ["My boat is moored in Husum.", "I was born in Bremen."]),
        ("Your daughter plays the harp.", "harp", ["My daughter plays the cello."]),
        ("The train leaves at 9:40.", "9:40", ["The train leaves at 9:14."]),
    ],
)
def test_words_that_no_memory_has_stay_blamed(answer: str, guessed: str, memories: Sequence[str]):
    assert blame(answer, guessed, *memories) == guessed


def test_a_day_that_is_told_of_something_else_is_wrong_all_the_same():
    memories = ("The plumber comes on Monday.", "The bins are emptied on Friday.")
    assert blame("The plumber comes on Friday.", "plumber", *memories) == "Friday"


def test_of_two_days_of_one_thing_the_one_that_was_exchanged_stays_blamed():
    memories = ("Parcel 12 comes on Monday.", "Parcel 21 comes on Friday.")
    (read,) = read_text("Parcel 12 comes on Friday.").claims
    finding = Finding(
        Verdict.REFUTED, 0.9, "other_value", "m1", claim_value="Friday", evidence_value="Monday", wrong=Span(19, 25)
    )
    passages = [ReadPassage(Passage(f"m{i}", memory), read_text(memory)) for i, memory in enumerate(memories, 1)]
    ((part,),) = mark_faults([read], [(Part(None, None, (finding,)),)], "Parcel 12 comes on Friday.", passages)
    assert part.findings == (finding,)


def test_where_memories_have_every_piece_the_word_that_puts_them_in_order_is_wrong():
    memories = ("The hedge was cut in May.", "The roof was mended in June.")
    answer = "The hedge was cut after the roof was mended."
    (read, _) = read_text(answer).claims
    finding = Finding(Verdict.REFUTED, 0.9, "model_refutes", "m1", wrong=read.claim.span)
    passages = [ReadPassage(Passage(f"m{i}", memory), read_text(memory)) for i, memory in enumerate(memories, 1)]
    ((part,),) = mark_faults([read], [(Part(None, None, (finding,)),)], answer, passages)
    wrong = part.findings[0].wrong
    assert wrong is not None
    assert answer[wrong.start : wrong.end] == "after"


def test_what_another_did_is_wrong_of_the_subject_and_not_the_subject():
    memories = ("My aunt Rosa won the village lottery.", "My grandmother was a seamstress.")
    answer = "Your grandmother won the village lottery."
    assert blame(answer, "grandmother", *memories, reason="other_words") == "village lottery"


def test_the_memory_that_has_another_value_is_the_one_that_decides():
    answer = "The piano was bought from Otto for 2,900 euros."
    memories = ("I bought the piano from Otto.", "The piano cost me 9,200 euros.")
    (read,) = read_text(answer).claims
    finding = Finding(Verdict.REFUTED, 0.9, "model_refutes", "m1", wrong=read.claim.span)
    passages = [ReadPassage(Passage(f"m{i}", memory), read_text(memory)) for i, memory in enumerate(memories, 1)]
    ((part,),) = mark_faults([read], [(Part(None, None, (finding,)),)], answer, passages)
    (found,) = part.findings
    assert (found.passage_id, found.claim_value, found.evidence_value) == ("m2", "2,900 euros", "9,200 euros")
    assert not found.exchange


# ── untold ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("answer", "memories", "untold"),
    [
        (
            "The library opens on Mondays, at a charge of 40 euros a year.",
            ["The library opens on Mondays."],
            ("charge of 40 euros a year",),
        ),
        (
            "Your cello teacher, Mr Abara, charges 60 an hour.",
            ["My cello teacher is Mr Abara."],
            ("charges 60 an hour",),
        ),
        ("Your choir has 4,000 followers.", ["My choir sings in Kiel."], ("4,000 followers",)),
        (
            "Otto, your tortoise, came to you as a present from a neighbour.",
            ["My tortoise is called Otto."],
            ("present from a neighbour",),
        ),
    ],
)
def test_only_the_untold_piece_is_quoted(answer: str, memories: Sequence[str], untold: tuple[str, ...]):
    assert verify(answer, *memories).unverifiable == untold


@pytest.mark.parametrize(
    ("answer", "memory"),
    [
        ("You sold it.", "My boat is moored in Kiel."),
        ("Ravi keeps bees.", "I live in Cork."),
    ],
)
def test_a_claim_that_is_news_as_a_whole_is_quoted_as_a_whole(answer: str, memory: str):
    assert verify(answer, memory).unverifiable == (answer.removesuffix("."),)


# ── what all say as one ─────────────────────────────────────────────────────────────────────────


MANY = (
    Passage("m1", "The loft is rented to Ana."),
    Passage("m2", "I like figs."),
    Passage("m3", "Ana pays 300 euros."),
)


def test_support_by_all_as_one_rests_on_those_that_have_the_words():
    assert [p.id for p in find_carriers("Ana pays 300 euros for the loft.", MANY)] == ["m3", "m1"]
    assert find_carriers("You keep bees.", MANY) == ()
    told = attribute("Ana pays 300 euros for the loft.", PassageScores(Passage("all", "…"), YES), MANY, MANY[1])
    assert (told.passage.id, told.beside) == ("m3", ("m1",))


def test_a_refutation_by_all_as_one_rests_on_the_one_with_another_value():
    told = attribute("Ana pays 450 euros for the loft.", PassageScores(Passage("all", "…"), NO), MANY, MANY[1])
    assert (told.passage.id, told.beside) == ("m3", ())


def test_one_passage_alone_is_not_shown_as_all():
    assert join_texts(MANY[:1]) == ""
    assert join_texts(MANY[:2]) == "I like figs. The loft is rented to Ana."


# ── ruled out by what stands in its place ───────────────────────────────────────────────────────


class Excluding:
    """A model that settles nothing but what is said in the words of a memory with another value."""

    name = "excluding"

    def __init__(self) -> None:
        self.asked: list[str] = []

    def begin(self, claim: str, passages: Sequence[Passage]) -> None: ...

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]:
        self.asked += [claim for claim, _ in questions]
        return [
            tuple(PassageScores(p, NO if claim.split()[:3] == p.text.split()[:3] else OPEN) for p in passages)
            for claim, passages in questions
        ]


def consult(text: str, *memories: str) -> tuple[VerificationReport, Excluding]:
    model = Excluding()
    verifier = GroundCheckVerifier(Settings(), consultant=model)
    held = [Memory(f"m{i}", memory) for i, memory in enumerate(memories, 1)]
    return verifier.verify(text, held), model


def test_what_a_memory_about_the_same_has_otherwise_is_wrong_and_not_only_untold():
    told = (
        "I sing with the Harbour Choir.",
        "The Harbour Choir rehearses on Mondays.",
        "The Harbour Choir rehearses in the town museum.",
    )
    report, model = consult("You sing with the Harbour Choir. You rehearse on Mondays in the old brewery.", *told)
    assert "The Harbour Choir rehearses in the old brewery." in model.asked
    assert (report.hallucinations, report.unverifiable) == (("old brewery",), ())
    assert report.claims[-1].evidence == ("m3",)


@pytest.mark.parametrize(
    "memory",
    [
        "The Harbour Choir was founded by Otto.",  # more than one piece is not in the answer
        "The town museum is closed.",  # nothing of the claim is in it
    ],
)
def test_a_memory_that_says_something_else_rules_nothing_out(memory: str):
    report, _ = consult(
        "You rehearse with the Harbour Choir in the old brewery.", "I rehearse with the Harbour Choir.", memory
    )
    assert report.hallucinations == ()


def test_an_explanation_names_all_memories_and_says_nothing_where_there_is_nothing_to_quote():
    carried = Finding(Verdict.SUPPORTED, 0.9, "combined", "m1", beside=("m2", "m3", "m4", "m5"))
    assert explain(Verdict.SUPPORTED, carried) == "SUPPORTED: m1, m2, m3 and 2 others carry it together."
    bare = Finding(Verdict.REFUTED, 0.9, "other_words", "m1", evidence_value="The shop is shut.")
    assert explain(Verdict.REFUTED, bare) == "REFUTED: m1 speaks against it: “The shop is shut.”."
    assert explain(Verdict.SUPPORTED, Finding(Verdict.SUPPORTED, 0.9, "model_supports", "m1")) == (
        "SUPPORTED: m1 supports it."
    )


def test_what_was_done_is_denied_with_its_verb():
    report = verify("You have already bought the camper van.", "I haven't bought the camper van yet.")
    assert len(report.hallucinations) == 1
    assert "already bought" in report.hallucinations[0]


def test_the_fault_of_what_a_pronoun_stands_for_is_quoted_where_it_was_named():
    report = verify("You own a Fender amplifier. It cost 640 pounds.", "The amplifier cost 640 pounds.")
    assert not any("640" in quoted for quoted in report.unverifiable)
