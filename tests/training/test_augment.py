"""Labels that follow from logic: amounts by their ranges, denials by what is denied."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.augment.crossing import cross, siblings, turn
from training.augment.negation import deny, negate_pairs
from training.augment.numbers import Bound, find_amounts, relate, vary_amounts
from training.augment.passages import claims_of_passages, lengthen
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, UNLABELLED, UNSUPPORTED, Pair

_FURTHEST = 40
_PHRASES = (
    (re.compile(r"(?:more than|over|greater than|above) (\d+)"), lambda n: (n + 1, None)),
    (re.compile(r"(?:less than|fewer than|under|below) (\d+)"), lambda n: (0, n - 1)),
    (re.compile(r"(?:at least|no fewer than|no less than|not less than|a minimum of) (\d+)"), lambda n: (n, None)),
    (re.compile(r"(\d+) or more"), lambda n: (n, None)),
    (re.compile(r"(?:at most|no more than|up to|not more than|a maximum of) (\d+)"), lambda n: (0, n)),
    (re.compile(r"(\d+) or fewer"), lambda n: (0, n)),
    (re.compile(r"(?:exactly |a total of )?(\d+)"), lambda n: (n, n)),
)
_SENTENCE = "The team has {0} members."


def read_range(sentence: str) -> tuple[int, int | None]:
    """The whole numbers that a wording of the sentence above allows."""
    match = re.fullmatch(r"The team has (.+) members\.", sentence)
    assert match, sentence
    for pattern, bounds in _PHRASES:
        found = pattern.fullmatch(match[1].replace(",", ""))
        if found:
            return bounds(int(found[1]))
    raise AssertionError(f"unknown wording: {match[1]}")


def decide(evidence: set[int], claim: set[int]) -> str:
    """What the one statement says of the other, by the sets of numbers under which each is true."""
    if evidence <= claim:
        return ENTAIL
    return CONTRADICT if not evidence & claim else NEUTRAL


ends = st.tuples(st.integers(0, _FURTHEST), st.integers(0, _FURTHEST)).map(lambda pair: (min(pair), max(pair)))


@given(ends, ends)
def test_amounts_relate_as_the_sets_of_numbers_they_allow(first: tuple[int, int], second: tuple[int, int]):
    sets = [set(range(low, high + 1)) for low, high in (first, second)]
    assert relate(Bound("", *first), Bound("", *second)) == decide(*sets)


@given(st.integers(21, 1400), st.integers(0, 10_000))
def test_varied_amounts_carry_the_label_of_arithmetic(value: int, seed: int):
    for pair in vary_amounts([_SENTENCE.format(value)] * 3, seed):
        (low, high), (least, most) = read_range(pair.premise), read_range(pair.hypothesis)
        top = max(low, least, high or 0, most or 0) + 2
        sets = [set(range(a, (top if b is None else b) + 1)) for a, b in ((low, high), (least, most))]
        assert pair.label == decide(*sets), pair


def test_the_three_labels_of_amounts_come_in_equal_shares():
    sentences = [_SENTENCE.format(n) for n in range(30, 230)]
    counts = Counter(pair.label for pair in vary_amounts(sentences, seed=1))
    assert max(counts.values()) - min(counts.values()) <= 3 and len(counts) == 3


@pytest.mark.parametrize(
    "sentence",
    [
        "He was born in 1984 people say.",
        "Version 3.11.7 runs here.",
        "The meeting is at 12:30 today.",
        "She came 3rd of all.",
        "More than 40 people came.",
        "World War 2 ended.",
    ],
)
def test_numbers_that_count_nothing_are_left_alone(sentence: str):
    assert find_amounts(sentence) == []


_SUBJECTS = st.sampled_from(["Ada", "The old man", "My neighbour", "The new server"])
_VERBS = st.sampled_from(
    [("works", "does", "work"), ("lived", "did", "live"), ("sleeps", "does", "sleep"), ("visited", "did", "visit")]
)
_PLACES = st.sampled_from(["in Ulm", "near the harbour", "behind the house"])


@given(_SUBJECTS, _VERBS, _PLACES, st.integers(0, 1000))
def test_a_denied_verb_can_be_read_back(subject: str, verb: tuple[str, str, str], place: str, seed: int):
    shown, aid, lemma = verb
    denied = deny(f"{subject} {shown} {place}.", random.Random(seed))
    assert denied in (f"{subject} {aid} not {lemma} {place}.", f"{subject} {aid}n't {lemma} {place}.")
    assert (
        denied.replace(f"{aid} not {lemma}", shown).replace(f"{aid}n't {lemma}", shown) == f"{subject} {shown} {place}."
    )


@given(_SUBJECTS, st.sampled_from(["is", "was", "will be", "can be", "has been"]), _PLACES, st.integers(0, 1000))
def test_an_auxiliary_takes_the_negation_itself(subject: str, verb: str, place: str, seed: int):
    denied = deny(f"{subject} {verb} {place}.", random.Random(seed))
    assert denied is not None
    plain = denied.replace("won't", "will").replace("can't", "can").replace("n't", "").replace(" not ", " ")
    assert plain == f"{subject} {verb} {place}." and denied != plain


@given(_SUBJECTS, _VERBS, _PLACES, st.integers(0, 1000))
def test_what_is_denied_is_not_denied_again(subject: str, verb: tuple[str, str, str], place: str, seed: int):
    denied = deny(f"{subject} {verb[0]} {place}.", random.Random(seed))
    assert denied is not None and deny(denied, random.Random(seed)) is None


@pytest.mark.parametrize("sentence", ["All men work.", "He works or sleeps.", "Nobody works.", "Does she work?"])
def test_a_sentence_whose_denial_means_something_else_is_left_alone(sentence: str):
    assert deny(sentence, random.Random(1)) is None


@pytest.mark.parametrize(("label", "expected"), [(ENTAIL, CONTRADICT), (CONTRADICT, ENTAIL), (NEUTRAL, NEUTRAL)])
def test_a_denied_claim_turns_the_label(label: str, expected: str):
    pair = Pair("All of it, and nothing else; really.", "Ada works in Ulm.", label, "snli")
    (made,) = negate_pairs([pair], seed=3)
    assert (made.premise, made.label) == (pair.premise, expected)


@given(st.integers(0, 300))
def test_denied_evidence_follows_the_table(seed: int):
    """From "P entails H": not-H entails not-P, contradicts P; not-P says nothing of H or of not-H."""
    evidence, claim = "Ada lives in Ulm.", "Ada sleeps in Germany."
    for made in negate_pairs([Pair(evidence, claim, ENTAIL, "x")], seed):
        side = [("P" if "Ulm" in text else "H", "n" in re.sub(r"Germany|in ", "", text)) for text in made[:2]]
        allowed = {
            (("P", False), ("H", True)): CONTRADICT, (("P", False), ("P", True)): CONTRADICT,
            (("P", True), ("P", False)): CONTRADICT, (("H", True), ("P", True)): ENTAIL,
            (("H", True), ("P", False)): CONTRADICT, (("P", True), ("H", True)): NEUTRAL,
            (("P", True), ("H", False)): NEUTRAL,
        }  # fmt: skip
        assert made.label == allowed[side[0], side[1]], made


_PASSAGE = (
    "Maria Curie moved to Paris in 1891. The laboratory had 12 rooms. Pierre Curie taught physics at a school. "
    "They discovered two elements together."
)


def test_claims_of_a_passage_stand_in_it_and_spoilt_ones_do_not():
    made = list(claims_of_passages([_PASSAGE] * 4, seed=2))
    assert {p.label for p in made} <= {ENTAIL, CONTRADICT, UNSUPPORTED, UNLABELLED}
    assert any(p.label == ENTAIL for p in made) and any(p.label == CONTRADICT for p in made)
    for pair in made:
        stands = pair.hypothesis[1:].rstrip(".") in pair.premise
        assert stands == (pair.label == ENTAIL) or pair.label == UNLABELLED


def test_lengthened_evidence_still_holds_the_deciding_sentence():
    pairs = [Pair(f"Person {chr(65 + i % 26)} owns a {w}.", f"Somebody owns a {w}.", ENTAIL, "x")
             for i, w in enumerate(["zebra", "violin", "tractor", "lantern", "compass", "blanket"] * 4)]  # fmt: skip
    made = list(lengthen(pairs, seed=4))
    assert made
    claims = {p.hypothesis: p for p in pairs}
    for pair in made:
        word = pair.hypothesis.rstrip(".").split()[-1]
        assert word in pair.premise and pair.label == claims[pair.hypothesis].label
        assert len(pair.premise) > len(claims[pair.hypothesis].premise)


def test_crossed_turned_and_sibling_pairs_have_no_label():
    pairs = [Pair(f"The {w} stands beside number {i}.", f"A {w} stands there.", ENTAIL, "x")
             for i in range(4) for w in ("zebra", "violin", "tractor")]  # fmt: skip
    pairs += [p._replace(hypothesis="Something else stands there.") for p in pairs]
    made = [*cross(pairs, 1, 10), *turn(pairs, 1, 5), *siblings(pairs, 1, 5)]
    assert {p.label for p in made} == {UNLABELLED}
    assert {p.source for p in made} == {"crossed", "turned", "siblings"}
    assert list(siblings([pairs[0]], 1, 5)) == []
