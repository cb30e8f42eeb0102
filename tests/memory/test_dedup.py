"""Duplicates: the same words, nearly the same words, the same statement; and what only looks like one."""

from __future__ import annotations

import time
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.judge.judge import RulesJudge
from groundwire.memory.dedup import DedupChecker, DedupMethod
from groundwire.memory.existing import ListedMemories
from groundwire.memory.fingerprints import digest_of, fingerprint, jaccard, split_words
from groundwire.memory.minhash import bands_of
from groundwire.memory.opposition import find_difference, find_other_values
from groundwire.memory.receipts import DuplicateResult
from groundwire.types import Memory, MemoryStatus

JUDGE = RulesJudge(time.perf_counter)
LONG = "the night shift at the harbour checks every crane twice and writes the findings into the blue ledger on deck"


def check(
    content: str, *existing: str, method: DedupMethod = DedupMethod.JACCARD, judged: bool = True
) -> DuplicateResult:
    memories = ListedMemories("u1", [Memory(f"m{number}", text) for number, text in enumerate(existing, 1)])
    checker = DedupChecker(memories, method=method, judge=JUDGE if judged else None)
    return checker.check_duplicate(content, "u1", "fact")


# ── similarity ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ING-023")
def test_similarity_is_shared_words_by_all_words() -> None:
    def similarity(left: str, right: str) -> float:
        return jaccard(set(split_words(left)), set(split_words(right)))

    assert similarity("a b c", "b c d") == 0.5
    assert similarity("Storage.", "(storage)") == 1.0
    assert similarity("The USER", "the user!") == 1.0
    assert similarity("a", "b") == 0.0
    assert similarity("", " … ") == 0.0


@pytest.mark.parametrize(("left", "right"), [("C++", "C#"), ("-5", "5"), ("<100", ">100"), ("$5", "€5"), ("C", "C++")])
def test_signs_that_are_part_of_a_word_or_number_stay(left: str, right: str) -> None:
    assert split_words(left) != split_words(right)


@given(st.text(max_size=60))
def test_spacing_capitals_and_disguise_do_not_change_the_digest(text: str) -> None:
    words = split_words(text)
    assert digest_of(words) == digest_of(split_words(f"  {text}\n"))
    assert split_words(" ".join(words)) == words


# ── exact and near duplicates ───────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ING-026")
def test_the_result_names_the_existing_memory() -> None:
    assert check("I prefer tabs.", "Lunch is at noon", "i prefer  TABS") == DuplicateResult(True, 1.0, "m2", "exact")
    assert not check("I prefer tabs.").is_duplicate


@pytest.mark.requirement("ING-024")
def test_the_threshold_itself_is_a_duplicate() -> None:
    words = [f"w{chr(97 + n)}x" for n in range(23)]
    twenty_five = [*words, "morezz", "lesszz"]  # 23 of 25 words: exactly 0.92
    assert jaccard(set(words), set(twenty_five)) == 0.92
    found = check(" ".join(words), " ".join(twenty_five), judged=False)
    assert (found.is_duplicate, found.similarity) == (True, 0.92)
    below = " ".join([*twenty_five, "otherzz"])
    assert not check(" ".join(words), below, judged=False).is_duplicate


@pytest.mark.requirement("ING-026")
def test_memories_of_any_type_and_those_under_review_count_but_only_the_owners() -> None:
    memories = ListedMemories("u1", [Memory("m1", "Deploys are on Friday", status=MemoryStatus.PENDING)])
    memories.add("u2", Memory("m2", "Lunch is at noon"))
    checker = DedupChecker(memories)
    assert checker.check_duplicate("deploys are on friday", "u1", "decision").existing_memory_id == "m1"
    assert not checker.check_duplicate("Lunch is at noon", "u1", "fact").is_duplicate
    assert not checker.check_duplicate("Deploys are on Friday", "u2", "fact").is_duplicate


@pytest.mark.requirement("ING-027")
@pytest.mark.parametrize("method", list(DedupMethod))
def test_every_method_finds_the_near_duplicate(method: DedupMethod) -> None:
    found = check(f"{LONG} today", LONG, method=method)
    assert found.is_duplicate
    assert found.similarity >= 0.92


def test_the_thresholds_follow_the_method() -> None:
    provider = ListedMemories()
    assert [DedupChecker(provider, method=method).threshold for method in DedupMethod] == [0.92, 0.92, 0.95]
    assert DedupChecker(provider, 0.8).threshold == 0.8


# ── opposition ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ING-025")
@pytest.mark.parametrize(
    ("content", "existing"),
    [
        ("The user loves coffee", "The user hates coffee"),
        (LONG, LONG.replace("checks", "never checks")),
        (LONG, LONG.replace("twice", "thrice")),
        (f"{LONG} in 2021", f"{LONG} in 2022"),
        (f"{LONG} near Bergen", f"{LONG} near Malmo"),
        (f"{LONG} on pump-7a", f"{LONG} on pump-7b"),
        (LONG.replace("every", "no"), LONG),
        (LONG.replace("blue", "red"), LONG),
        ("Alice beat Bob", "Bob beat Alice"),
        ("I prefer tabs over spaces", "I prefer spaces over tabs"),
        (f"{LONG}, unless it rains", LONG),
        ("The gate opens before the train arrives", "The gate opens after the train arrives"),
        ("The valve isn't open", "The valve is open"),
        ("I can drive a lorry", "I cannot drive a lorry"),
        ("The limit is five", "The limit is six"),
        ("The job ran on node alpha1", "The job ran on node alpha2"),
        ("The shutter stays unlocked after six", "The shutter stays locked after six"),
        ("The bill is unpaid", "The bill is paid"),
        ("The old pump disconnects at noon", "The old pump connects at noon"),
    ],
)
def test_what_differs_in_what_it_says_is_no_duplicate_however_similar(content: str, existing: str) -> None:
    for method in DedupMethod:
        assert not check(content, existing, method=method).is_duplicate
        assert not check(existing, content, method=method).is_duplicate


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        ("We ship three crates", "We ship four crates", "number"),
        ("We ship 3 crates", "We ship three crates", None),
        ("It runs in Graz", "It runs in Linz", "name"),
        ("It uses api_v1", "It uses api_v2", "identifier"),
        ("It isn't ready", "It is not ready", None),
        ("It is ready", "It is not ready", "polarity"),
        ("Maria's boat is blue", "The boat Maria's is blue", "order"),
        ("the server is up", "the server is down", "contrast"),
    ],
)
def test_the_difference_is_named(left: str, right: str, reason: str | None) -> None:
    assert find_difference(left, right) == reason
    assert find_difference(right, left) == reason


def test_the_same_time_on_another_clock_is_no_other_value() -> None:
    one, two = "The deployment runs every Friday at 17:00", "Every Friday at 5 pm the deployment runs"
    assert find_other_values(one, two) is None
    assert find_other_values(one, two.replace("5", "6")) == "number"


def test_words_in_another_order_are_a_duplicate_where_everyone_plays_the_same_part() -> None:
    assert check("We use PostgreSQL per ADR-003", "Per ADR-003, we use PostgreSQL.").is_duplicate
    left = "My uncle repaired the old boat downstairs near the narrow door"
    assert check(left, "Near the narrow door downstairs, my uncle repaired the old boat").is_duplicate
    assert not check(left, "Near the old door downstairs, my uncle repaired the narrow boat").is_duplicate


# ── paraphrases ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("content", "existing"),
    [
        ("I live in Berlin", "The user lives in Berlin"),
        ("The user works at Amazon", "User is employed by Amazon"),
        ("I don't eat meat", "I do not eat meat"),
        ("I don't eat meat at all", "I do not eat any meat"),
        ("I've got two daughters", "I have two daughters"),
        ("Tabs are what I prefer over spaces", "I prefer tabs over spaces"),
    ],
)
def test_the_same_statement_in_other_words_is_a_duplicate(content: str, existing: str) -> None:
    found = check(content, existing)
    assert (found.is_duplicate, found.method, found.existing_memory_id) == (True, "paraphrase", "m1")
    assert not check(content, existing, judged=False).is_duplicate


@pytest.mark.parametrize(
    ("content", "existing"),
    [
        ("I work at Google", "I work at Google in Zurich"),
        ("My brother works at Amazon", "I work at Amazon"),
        ("I love coffee", "I love tea"),
        ("I used to live in Rome", "I live in Rome"),
    ],
)
def test_support_one_way_or_of_somebody_else_is_no_duplicate(content: str, existing: str) -> None:
    assert not check(content, existing).is_duplicate
    assert not check(existing, content).is_duplicate


class NearByMeaning(ListedMemories):
    """As a store with embeddings answers: everything of the owner, with a similarity of its own."""

    def __init__(self, similarity: float, *texts: str) -> None:
        super().__init__("u1", [Memory(f"m{number}", text) for number, text in enumerate(texts, 1)])
        self.near = [(Memory(f"m{number}", text), similarity) for number, text in enumerate(texts, 1)]

    def find_near(self, user_id: str, text: str, limit: int) -> list[tuple[Memory, float]]:
        return self.near[:limit]


@pytest.mark.requirement("ING-028")
@pytest.mark.parametrize(
    ("similarity", "existing", "expected"),
    [
        (0.95, "The user is employed by Amazon", True),
        (0.94, "The user is employed by Amazon", False),
        (0.99, "The user is employed by Google", False),
        (0.99, "The user is not employed by Amazon", False),
        (0.99, "The user works at Amazon in Dublin", False),
    ],
)
def test_by_meaning_needs_the_threshold_no_opposition_and_support_both_ways(
    similarity: float, existing: str, expected: bool
) -> None:
    checker = DedupChecker(NearByMeaning(similarity, existing), method=DedupMethod.VECTOR, judge=JUDGE)
    found = checker.check_duplicate("The user works at Amazon", "u1")
    assert found.is_duplicate is expected
    if expected:
        assert (found.similarity, found.method) == (0.95, "vector")


# ── at scale ────────────────────────────────────────────────────────────────────────────────────


def test_bands_are_the_same_in_every_process() -> None:
    """They are stored: another value here makes every store forget its near duplicates."""
    assert bands_of({"alpha", "beta"})[:2] == (2916202135510092391, 5588860776819571096)
    assert bands_of([]) == ()
    assert all(0 <= band < 2**63 for band in bands_of(LONG.split()))


@given(st.sets(st.text("abcdefghij", min_size=1, max_size=6), min_size=30, max_size=60), st.integers(0, 10**6))
def test_sets_above_the_threshold_share_a_band(words: set[str], seed: int) -> None:
    changed = {*sorted(words)[1:], f"new{seed}"}
    assert jaccard(words, changed) >= 0.92
    assert set(bands_of(words)) & set(bands_of(changed))


def test_order_does_not_change_the_bands() -> None:
    assert len({bands_of(words) for words in permutations(["one", "two", "three"])}) == 1


def test_a_look_up_reads_the_same_number_of_memories_in_a_small_and_in_a_large_store() -> None:
    def count(size: int) -> int:
        """How many memories the provider hands out for one check."""
        memories = ListedMemories()
        for number in range(size):
            text = f"Jonas bought pump number {number} in Graz before winter."
            memories.add("u1", Memory(f"m{number}", text), fingerprint(text))
        words = split_words("Jonas bought pump number 77777 in Graz before winter.")
        alike = memories.find_alike("u1", bands_of(set(words)), 16)
        near = memories.find_near("u1", " ".join(words), 6)
        return len(alike) + len(near)

    assert count(200) == count(1200)


@pytest.mark.requirement("SEC-010")
def test_disguised_letters_do_not_hide_a_duplicate() -> None:
    assert check("Our оffice is on Harbоur Street", "Our office is on Harbour Street").is_duplicate
    assert check("Our of\u200bfice is on Harbour Street", "Our office is on Harbour Street").is_duplicate
