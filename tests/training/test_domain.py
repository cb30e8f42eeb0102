"""The grammar of domain pairs: deterministic, balanced, and silent about the label until the premise is read."""

from __future__ import annotations

import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.domain import KINDS, Label, Pair, generate
from training.domain.grammar import THE_USER, YOU, I, add_article, fill, name_subject
from training.domain.numbers import spell
from training.domain.ranges import Range, compare, is_above, is_below
from training.domain.slots import Exclusive, pick_slot, read_slots
from training.domain.words import list_pool

COUNT = 12_000
_DISAGREES = re.compile(
    r"\b(?:I is|(?<!and )I are|you is|you am|I has|he have|she have|user have|(?<!and the )(?<!and )[Uu]ser are)\b"
)


@cache
def pairs() -> tuple[Pair, ...]:
    return tuple(generate(COUNT, seed=11))


def words(text: str) -> list[str]:
    return re.findall(r"[a-z']+|\d+", text.lower())


def classify(train: Sequence[Pair], test: Sequence[Pair], side: str) -> float:
    """Accuracy of a naive Bayes on the words and word pairs of one side alone."""

    def features(pair: Pair) -> set[str]:
        tokens = words(getattr(pair, side))
        return {*tokens, *(f"{a} {b}" for a, b in pairwise(tokens))}

    counts: dict[Label, Counter[str]] = defaultdict(Counter)
    totals: Counter[Label] = Counter()
    for pair in train:
        counts[pair.label].update(features(pair))
        totals[pair.label] += 1
    right = 0
    for pair in test:
        found = features(pair)
        scores = {
            label: math.log(totals[label]) + sum(math.log((counts[label][f] + 1) / (totals[label] + 2)) for f in found)
            for label in Label
        }
        right += max(scores, key=scores.__getitem__) is pair.label
    return right / len(test)


def test_the_same_seed_gives_the_same_pairs_and_another_seed_others():
    first, again, other = (list(generate(600, seed=s)) for s in (3, 3, 4))
    assert first == again
    assert first != other


def test_no_pair_comes_twice_and_the_count_is_kept():
    assert len(pairs()) == COUNT == len({(pair.premise, pair.hypothesis) for pair in pairs()})


def test_every_kind_is_present_and_its_labels_are_balanced():
    by_kind: dict[str, Counter[Label]] = defaultdict(Counter)
    for pair in pairs():
        by_kind[pair.source][pair.label] += 1
    assert set(by_kind) == {f"domain_{kind}" for kind in KINDS}
    for kind, labels in by_kind.items():
        assert min(labels.values()) >= 0.3 * sum(labels.values()), kind


def test_the_claim_alone_does_not_tell_the_label():
    half = len(pairs()) // 2
    assert classify(pairs()[:half], pairs()[half:], "hypothesis") < 0.40


def test_the_probe_can_tell_labels_where_they_show():
    """The classifier itself works: with the label written into the claim it finds it."""
    marked = [Pair(p.premise, f"{p.hypothesis} {p.label}", p.label, p.source) for p in pairs()[:3000]]
    assert classify(marked[:1500], marked[1500:], "hypothesis") > 0.9


def test_the_same_claim_meets_all_three_labels():
    labels: dict[str, set[Label]] = defaultdict(set)
    for pair in pairs():
        labels[pair.hypothesis].add(pair.label)
    assert sum(len(found) == 3 for found in labels.values()) / len(labels) > 0.95


@pytest.mark.parametrize("marker", ["not", "at least", "more than", "no longer", "never", "you", "the user"])
def test_no_marker_in_the_claim_is_tied_to_a_label(marker: str):
    labels = Counter(p.label for p in pairs() if re.search(rf"\b{marker}\b", p.hypothesis, re.IGNORECASE))
    assert max(labels.values()) <= 0.4 * sum(labels.values())


def test_texts_are_whole():
    for pair in pairs():
        for text in (pair.premise, pair.hypothesis):
            assert text.strip() == text and text
            assert not re.search(
                r"[{}<>+]|\ba [aeio]\w|\s\s(?!\S)|\.\.", text.replace("C++", "").replace("Notepad++", "")
            ), text
            assert not _DISAGREES.search(text), text


def test_long_passages_have_a_hundred_words_and_more():
    lengths = [len(pair.premise.split()) for pair in pairs() if pair.source == "domain_passage"]
    assert min(lengths) >= 80 and 200 <= max(lengths) <= 420


def test_the_vocabulary_is_large_and_pools_have_no_doubles():
    assert len(list_pool("person")) >= 190 and len(list_pool("city")) >= 120 and len(set(list_pool("employer"))) >= 1000
    assert len(read_slots()) >= 35
    for pool in ("city", "title", "hobby", "language", "allergen", "database", "vehicle"):
        assert len(set(list_pool(pool))) == len(list_pool(pool))


def test_an_unrelated_slot_is_none_of_those_given():
    rng = random.Random(5)
    slots = {slot.name: slot for slot in read_slots()}
    for _ in range(300):
        assert pick_slot(rng, [slots["language"]]).name not in ("language", "native")
        assert pick_slot(rng, exclusive=True).exclusive is Exclusive.YES


@pytest.mark.parametrize(
    ("subject", "expected"),
    [
        (I, "I live in Rome and I have a cat, my first"),
        (YOU, "you live in Rome and you have a cat, your first"),
        (THE_USER, "the user lives in Rome and they have a cat, their first"),
        (name_subject("Ana", woman=True), "Ana lives in Rome and she has a cat, her first"),
    ],
)
def test_a_template_agrees_with_its_subject(subject, expected: str):
    assert fill("{s} <live> in {x} and {s} <have> {a y}, {his} first", subject, {"x": "Rome", "y": "cat"}) == expected


@pytest.mark.parametrize(
    ("noun", "expected"),
    [
        ("oboe", "an oboe"),
        ("ukulele", "a ukulele"),
        ("UX researcher", "a UX researcher"),
        ("MBA", "an MBA"),
        ("cat", "a cat"),
        ("8", "an 8"),
    ],
)
def test_articles(noun: str, expected: str):
    assert add_article(noun) == expected


@pytest.mark.parametrize(
    ("premise", "claim", "label"),
    [
        (Range(350, 350), is_below(750), Label.ENTAIL),
        (Range(350, 350), is_above(750), Label.CONTRADICT),
        (is_below(100), Range(80, 80), Label.NEUTRAL),
        (is_below(100), Range(120, 120), Label.CONTRADICT),
        (is_above(100), Range(100, math.inf), Label.ENTAIL),
        (Range(100, math.inf), is_above(100), Label.NEUTRAL),
        (Range(200, 200, 20), Range(200, 200), Label.NEUTRAL),
        (Range(200, 200), Range(200, 200, 20), Label.ENTAIL),
    ],
)
def test_ranges_decide(premise: Range, claim: Range, label: Label):
    assert compare(premise, claim) is label


@given(low=st.integers(0, 50), width=st.integers(0, 50), claim_low=st.integers(0, 50), claim_width=st.integers(0, 50))
def test_ranges_agree_with_sets_of_numbers(low: int, width: int, claim_low: int, claim_width: int):
    premise, claim = set(range(low, low + width + 1)), set(range(claim_low, claim_low + claim_width + 1))
    expected = Label.ENTAIL if premise <= claim else Label.NEUTRAL if premise & claim else Label.CONTRADICT
    assert compare(Range(low, low + width), Range(claim_low, claim_low + claim_width)) is expected


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (7, "seven"),
        (45, "forty-five"),
        (350, "three hundred and fifty"),
        (1500, "one thousand, five hundred"),
        (2010, "two thousand and ten"),
    ],
)
def test_numbers_are_spelt(number: int, words: str):
    assert spell(number) == words
