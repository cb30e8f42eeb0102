"""What the model is asked, in which order, and what becomes of its answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from groundwire.judge.alignment import Aliases
from groundwire.judge.consultation import (
    MOST_PASSAGES,
    Query,
    as_finding,
    consult,
    is_decided,
    is_of_another,
    merge,
    rank_passages,
)
from groundwire.judge.decision import PassageScores
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.judge.protocols import Scores
from groundwire.text.claims import extract_claims
from groundwire.text.reading import ReadPassage, read_text
from groundwire.types import Claim, Passage, Span, Verdict

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
YES, NO, OPEN = Scores(0.95, 0.02, 0.03), Scores(0.02, 0.95, 0.03), Scores(0.1, 0.1, 0.8)
NOTHING = Part(None, None, ())


class Consultant:
    """Answers by passage id, and keeps what it was asked."""

    name = "counted.v1"

    def __init__(self, answers: Mapping[str, Scores]) -> None:
        self._answers = answers
        self.calls: list[list[tuple[str, list[str]]]] = []
        self.begun: list[tuple[str, list[str]]] = []

    def begin(self, claim: str, passages: Sequence[Passage]) -> None:
        self.begun.append((claim, [passage.id for passage in passages]))

    def weigh_evidence(self, questions: Sequence[tuple[str, Sequence[Passage]]]) -> list[tuple[PassageScores, ...]]:
        self.calls.append([(claim, [passage.id for passage in passages]) for claim, passages in questions])
        return [tuple(score(passage, self._answers[passage.id]) for passage in passages) for _, passages in questions]


def score(passage: Passage, scores: Scores) -> PassageScores:
    return PassageScores(passage, scores, ((passage.text, scores),))


def passages(*ids: str) -> tuple[Passage, ...]:
    return tuple(Passage(id, f"text of {id}") for id in ids)


def claim_of(text: str) -> Claim:
    return Claim(text, Span(0, len(text)))


# ── what is asked ───────────────────────────────────────────────────────────────────────────────


def test_the_best_passage_is_asked_first_and_the_others_only_where_it_settles_nothing():
    model = Consultant({"a": YES, "b": OPEN, "c": NO, "d": YES, "e": OPEN})
    asked = {"one": ("a", "b", "c"), "two": ("b", "c", "d"), "three": ("e",)}
    found = dict(consult(model, {i: Query(claim, passages(*asked[claim])) for i, claim in enumerate(asked)}))
    assert model.calls == [[("one", ["a"]), ("two", ["b"]), ("three", ["e"])], [("two", ["c", "d"])]]
    ids = {i: [entry.passage.id for entry in scores] for i, scores in found.items()}
    assert ids == {0: ["a"], 1: ["b", "c", "d"], 2: ["e"]}


def test_what_is_settled_is_told_while_the_model_is_at_the_rest():
    model = Consultant({"a": OPEN, "b": YES, "c": YES})
    found = consult(model, {3: Query("one", passages("a", "b")), 5: Query("two", passages("c"))})
    assert next(found)[0] == 5
    assert (model.begun, len(model.calls)) == ([("one", ["b"])], 1)
    assert next(found)[0] == 3
    assert model.calls[1:] == [[("one", ["b"])]]


def test_no_second_call_is_made_when_everything_is_settled():
    model = Consultant({"a": YES, "b": YES})
    list(consult(model, {0: Query("one", passages("a", "b")), 1: Query("two", passages("b"))}))
    assert len(model.calls) == 1


def test_neither_a_refutation_nor_weak_support_settles_a_claim():
    for first in (NO, OPEN, Scores(0.84, 0.01, 0.15)):
        model = Consultant({"a": first, "b": YES})
        ((_, scores),) = consult(model, {0: Query("one", passages("a", "b"))})
        assert len(model.calls) == 2
        assert [entry.scores for entry in scores] == [first, YES]


def test_passages_that_rules_found_to_speak_come_first_then_shared_words():
    near = Passage("near", "The bridge over the Isar is closed to lorries.")
    far = Passage("far", "Bread is sold here.")
    spoken = Passage("spoken", "It is shut.")
    ranked = rank_passages("The bridge is closed to lorries.", [far, near, spoken], ["spoken"])
    assert [passage.id for passage in ranked] == ["spoken", "near", "far"]
    assert rank_passages("The bridge is closed.", [far], []) == (far,)
    assert rank_passages("The bridge is closed.", [], []) == ()


@pytest.mark.requirement("JDG-007")
def test_at_most_three_passages_are_asked_and_their_order_does_not_matter():
    many = [Passage(f"p{i}", f"Nothing alike {i}.") for i in range(9)] + [Passage("last", "The bridge is closed.")]
    ranked = rank_passages("The bridge is closed.", many, [])
    assert [passage.id for passage in ranked] == ["last", "p0", "p1"]
    assert len(ranked) == MOST_PASSAGES
    assert rank_passages("The bridge is closed.", many[::-1], []) == ranked


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "memory", "expected"),
    [
        ("You like tea.", "Ana likes tea.", True),
        ("Ana likes tea.", "Bob likes tea.", True),
        ("Ana likes tea.", "I like tea.", True),
        ("Ana Lopez likes tea.", "Bob Lopez likes tea.", True),
        ("You like tea.", "I like tea.", False),
        ("You like tea.", "User likes tea.", False),
        ("Ana likes tea.", "Bob told Ana that he likes tea.", False),
        ("Chris Kyle likes tea.", "Christopher Kyle likes tea.", False),
        ("Ana likes tea.", "She likes tea.", False),
        ("Ana likes tea.", "Bob likes tea. The kettle is on.", False),
        ("The bridge is closed.", "Bob closed it.", False),
        ("Ana likes tea.", "", False),
        ("Ana Lindqvist likes tea.", "Ana Linqdvist likes tea.", False),
        ("Ana Lindqvist likes tea.", "Bea Lindqvist likes tea.", True),
        ("Martin likes tea.", "Marvin likes tea.", True),
        ("You like tea.", "People like tea.", False),
        ("You like tea.", "Hughes likes tea.", True),
        ("Speaker B likes tea.", "<A> do you? <B> I like tea.", False),
        ("Injections don't bother you.", "I'm okay with needles.", False),
        ("Money is short.", "I earn next to nothing.", False),
        ("Staffing is right everywhere.", "We're short of two people.", False),
        ("Grace likes tea.", "I like tea.", True),
        ("Faith likes tea.", "I like tea.", True),
        ("You can stay until eleven.", "Camp Willow has a late check-out.", False),
        ("You met your wife at work.", "My wife and I met at a dance.", False),
        ("You and Patryk live together.", "I moved in with Patryk.", False),
        ("You and Patryk live together.", "Ana lives with Joris.", True),
        ("You live with a nurse.", "My roommate is a nurse and sleeps when I come home.", False),
        ("You like tea.", "My roommate likes tea.", True),
        ("You'll find Joris there on Thursdays.", "Joris works on Thursdays.", False),
        ("You'll find Ana there on Thursdays.", "Joris works on Thursdays.", True),
        ("Dr. Cho is a physician.", "Mr. Cho is a nurse.", False),
        ("Dr. Cho is a physician.", "Dr. Ruiz is a nurse.", True),
        ("Your mother is in the dark.", "I have kept it from my parents.", False),
        ("Your mother likes tea.", "I like tea.", True),
    ],
)
def test_a_passage_about_other_people_alone_is_known(claim: str, memory: str, expected: bool):
    (read,) = read_text(claim).claims
    passage = ReadPassage(Passage("m", memory), read_text(memory))
    assert is_of_another(read, passage, Aliases.learn(passage.reading.facts)) is expected


def test_the_named_husband_is_no_other_person():
    memory = "My husband Colm works at Shell."
    (read,) = read_text("Your husband works at Shell.").claims
    passage = ReadPassage(Passage("m", memory), read_text(memory))
    assert not is_of_another(read, passage, Aliases.learn(passage.reading.facts))


# ── what becomes of the answers ─────────────────────────────────────────────────────────────────


def test_a_part_that_rules_decided_stays_as_it_is():
    decided = Part(None, None, (Finding(SUPPORTED, 0.6, "words_covered", "m1"),))
    within = Part(None, None, (Finding(INSUFFICIENT, 0.97, "amount_open", "m1", exact=True),))
    text = "The bridge is closed."
    for part in (decided, within):
        assert is_decided(part)
        assert merge(part, claim_of(text), text, [score(Passage("m1", text), NO)]) is part


def test_an_open_part_takes_the_model_s_findings_and_keeps_its_own_without_any():
    part = Part(None, None, (Finding(INSUFFICIENT, 0.5, "overlap", "m1"),))
    text = "The bridge is closed."
    merged = merge(
        part, claim_of(text), text, [score(Passage("m1", "It is shut."), YES), score(Passage("m2", "x"), OPEN)]
    )
    assert [(f.verdict, f.strength, f.reason, f.passage_id) for f in merged.findings] == [
        (SUPPORTED, 0.95, "model_supports", "m1"),
        (INSUFFICIENT, 0.8, "not_mentioned", "m2"),
    ]
    assert merge(part, claim_of(text), text, []) == part


@pytest.mark.requirement("JDG-011")
def test_the_finding_quotes_the_sentence_that_decides_not_the_whole_window():
    window = "Bread is sold here. Lorries may not cross the bridge. It rained."
    found = as_finding(score(Passage("m", window), YES), NOTHING, claim_of("The bridge is closed to lorries."), "")
    assert found.evidence_value == "Lorries may not cross the bridge."


@pytest.mark.requirement("JDG-011")
def test_a_refutation_shows_both_values_and_where_the_wrong_one_stands_in_the_answer():
    answer = "As you know, the gala will be held in Porto this year."
    (claim,) = extract_claims(answer)
    found = as_finding(score(Passage("m", "The gala will be held in Lisbon this year."), NO), NOTHING, claim, answer)
    assert (found.verdict, found.reason, found.claim_value, found.evidence_value) == (
        REFUTED,
        "other_value",
        "Porto",
        "Lisbon",
    )
    assert found.wrong is not None and answer[found.wrong.start : found.wrong.end] == "Porto"


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("text", "memory", "expected", "reason"),
    [
        ("Ana sold more than 400 tickets.", "Ana sold 350 tickets.", REFUTED, "other_value"),
        ("Ana sold 350 tickets.", "Ana sold fewer than 750 tickets.", INSUFFICIENT, "amount_open"),
        ("Room 12 is free today.", "Room 13 is free today.", INSUFFICIENT, "other_value"),
        ("The part ABC-12 broke twice.", "The part ABC-13 broke twice.", INSUFFICIENT, "other_value"),
    ],
)
def test_figures_are_not_left_to_the_model(text: str, memory: str, expected: Verdict, reason: str):
    found = as_finding(score(Passage("m", memory), YES), NOTHING, claim_of(text), text)
    assert (found.verdict, found.reason, found.passage_id) == (expected, reason, "m")
