"""When memories disagree about a part of an answer, trust decides, then time; what they cannot decide stays open."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from groundwire.app import Groundwire
from groundwire.judge.alignment import Aliases
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.settings import Settings
from groundwire.text.reading import read_text
from groundwire.types import ClaimReport, Memory, MemoryKind, MemoryStatus, Standing, Verdict
from groundwire.verify.contradictions import Held
from groundwire.verify.weighing import Scales, Timeline

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
JANUARY, FEBRUARY, MARCH = 1704067200, 1706745600, 1709251200


def bosch(trust: float = 0.9, when: int | None = None, status: MemoryStatus = MemoryStatus.ACTIVE) -> Memory:
    return Memory("bosch", "I work at Bosch.", trust, when, status=status)


def shell(trust: float = 0.9, when: int | None = None, status: MemoryStatus = MemoryStatus.ACTIVE) -> Memory:
    return Memory("shell", "I work at Shell.", trust, when, status=status)


def judge(text: str, *memories: Memory, settings: Settings | None = None) -> ClaimReport:
    """The one claim of `text`, the same whatever the order of the memories."""
    gate = Groundwire(settings=settings)
    reports = [gate.verify(text, memories=order).claims for order in itertools.permutations(memories)]
    (first,) = reports[0]
    for (other,) in reports:
        assert (other.verdict, other.standing, other.confidence) == (first.verdict, first.standing, first.confidence)
        assert set(other.evidence) == set(first.evidence)
    return first


# ── trust ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-025")
@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [(0.9, 0.2, SUPPORTED), (0.2, 0.9, REFUTED), (0.9, 0.6, SUPPORTED), (0.6, 0.9, REFUTED), (0.3, 1.0, REFUTED)],
)
def test_a_value_trusted_more_by_the_gap_wins_over_a_newer_one(ours: float, theirs: float, expected: Verdict):
    for times in ((JANUARY, MARCH), (MARCH, JANUARY), (None, None)):
        found = judge("You work at Bosch.", bosch(ours, times[0]), shell(theirs, times[1]))
        assert found.verdict is expected
        assert found.evidence == (("bosch",) if expected is SUPPORTED else ("shell",))


@pytest.mark.requirement("CTR-025")
@pytest.mark.parametrize(("gap", "expected"), [(0.05, REFUTED), (0.3, SUPPORTED)])
def test_the_gap_comes_from_the_settings(gap: float, expected: Verdict):
    settings = Settings(trust_gap=gap)
    assert judge("You work at Bosch.", bosch(0.8, MARCH), shell(0.9, JANUARY), settings=settings).verdict is expected


@pytest.mark.requirement("CTR-003", "CTR-025")
def test_the_threshold_comes_from_the_settings():
    memories = bosch(0.7, MARCH), shell(0.8, JANUARY)
    assert judge("You work at Bosch.", *memories).verdict is REFUTED, "a trusted memory outweighs an untrusted one"
    lenient = Settings(trust_threshold=0.5)
    assert judge("You work at Bosch.", *memories, settings=lenient).verdict is SUPPORTED
    assert Groundwire().verify("You work at Bosch.", memories=memories).contradictions == ()
    assert len(Groundwire(settings=lenient).verify("You work at Bosch.", memories=memories).contradictions) == 1


@pytest.mark.requirement("CTR-022", "CTR-025")
def test_a_single_memory_decides_however_little_it_is_trusted():
    assert judge("You work at Bosch.", bosch(0.1)).verdict is SUPPORTED
    assert judge("You work at Bosch.", shell(0.1)).verdict is REFUTED


@pytest.mark.requirement("CTR-025")
def test_the_best_supporter_counts_and_not_their_number():
    weak = [replace(shell(0.5), id=f"s{n}") for n in range(3)]
    assert judge("You work at Bosch.", bosch(0.9), *weak).verdict is SUPPORTED
    assert judge("You work at Shell.", bosch(0.9), *weak).verdict is REFUTED


# ── time ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-014", "CTR-025")
def test_among_comparable_trust_the_newer_value_is_supported_and_the_older_one_stale():
    memories = bosch(0.9, JANUARY), shell(0.85, MARCH)
    newer = judge("You work at Shell.", *memories)
    assert (newer.verdict, newer.standing) == (SUPPORTED, Standing.SUPPORTED)
    older = judge("You work at Bosch.", *memories)
    assert older.standing is Standing.STALE
    assert older.verdict is not SUPPORTED
    assert older.correction == "Shell"
    assert set(older.evidence) == {"bosch", "shell"}


@pytest.mark.requirement("CTR-018", "JDG-009")
@pytest.mark.parametrize("when", [None, MARCH])
def test_a_full_tie_is_a_conflict(when: int | None):
    for text in ("You work at Bosch.", "You work at Shell."):
        found = judge(text, bosch(0.9, when), shell(0.9, when))
        assert (found.verdict, found.standing) == (INSUFFICIENT, Standing.CONFLICTING)
        assert set(found.evidence) == {"bosch", "shell"}
        assert found.correction is None


@pytest.mark.requirement("CTR-018")
def test_at_the_same_time_the_higher_trust_decides():
    assert judge("You work at Bosch.", bosch(0.9, MARCH), shell(0.85, MARCH)).verdict is SUPPORTED
    assert judge("You work at Shell.", bosch(0.9, MARCH), shell(0.85, MARCH)).verdict is not SUPPORTED


@pytest.mark.requirement("CTR-018")
def test_a_memory_without_a_time_is_older_than_one_with_a_time():
    assert judge("You work at Shell.", bosch(0.9), shell(0.9, JANUARY)).verdict is SUPPORTED
    assert judge("You work at Bosch.", bosch(0.9), shell(0.9, JANUARY)).standing is Standing.STALE


@pytest.mark.requirement("CTR-022")
def test_the_newest_trusted_memory_names_the_right_value():
    found = judge("You work at Exxon.", bosch(0.9, JANUARY), shell(0.9, MARCH), replace(bosch(0.3, 2 * MARCH), id="x"))
    assert (found.verdict, found.correction) == (REFUTED, "Shell")


# ── standings ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-022", "CTR-028")
@pytest.mark.parametrize(
    ("text", "memories", "verdict", "standing"),
    [
        ("You work at Bosch.", [bosch()], SUPPORTED, Standing.SUPPORTED),
        ("You work at Exxon.", [bosch()], REFUTED, Standing.REFUTED),
        ("You live in Ulm.", [bosch()], INSUFFICIENT, Standing.UNSUPPORTED),
        ("You work at Bosch.", [], INSUFFICIENT, Standing.UNSUPPORTED),
        ("You work at Bosch.", [Memory("m", "I used to work at Bosch.")], REFUTED, Standing.STALE),
        ("You work at Bosch.", [bosch(status=MemoryStatus.SUPERSEDED)], REFUTED, Standing.STALE),
        ("You work at Bosch.", [bosch(), shell()], INSUFFICIENT, Standing.CONFLICTING),
        ("I think you work at Bosch.", [bosch()], INSUFFICIENT, Standing.HEDGED),
        ("I think you work at Bosch.", [shell()], REFUTED, Standing.REFUTED),
    ],
)
def test_refuted_stale_conflicting_and_unsupported_are_told_apart(
    text: str, memories: list[Memory], verdict: Verdict, standing: Standing
):
    found = judge(text, *memories)
    assert (found.verdict, found.standing) == (verdict, standing)


# ── status and kind ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("CTR-028", "CTR-031")
@pytest.mark.parametrize("status", [MemoryStatus.SUPERSEDED, MemoryStatus.EXPIRED, MemoryStatus.ARCHIVED])
def test_an_inactive_memory_speaks_of_the_past(status: MemoryStatus):
    old = bosch(0.9, JANUARY, status)
    assert judge("You used to work at Bosch.", old).verdict is SUPPORTED
    assert judge("You work at Bosch.", old).verdict is REFUTED
    assert judge("You work at Exxon.", old).verdict is INSUFFICIENT, "what has ended refutes nothing else"
    assert judge("You work at Shell.", old, shell(0.9, MARCH)).verdict is SUPPORTED
    assert judge("You work at Shell.", old, shell(0.9)).verdict is SUPPORTED


@pytest.mark.requirement("CTR-032")
def test_a_shared_narrative_grounds_nothing():
    story = replace(bosch(1.0, MARCH), kind=MemoryKind.SHARED_NARRATIVE)
    assert judge("You work at Bosch.", story).standing is Standing.UNSUPPORTED
    assert judge("You work at Shell.", story).standing is Standing.UNSUPPORTED, "and refutes nothing"
    assert judge("You work at Shell.", story, shell(0.8, JANUARY)).verdict is SUPPORTED


@pytest.mark.requirement("CTR-028")
def test_a_past_claim_is_supported_by_what_a_newer_memory_superseded():
    memories = bosch(0.9, JANUARY), shell(0.9, MARCH)
    assert judge("You used to work at Bosch.", *memories).verdict is SUPPORTED
    assert judge("You used to work at Shell.", *memories).verdict is REFUTED, "it is the current one"
    assert judge("You used to work at Exxon.", *memories).verdict is INSUFFICIENT
    assert judge("You used to work at Bosch.", bosch(0.9, JANUARY)).verdict is REFUTED, "nothing says that it ended"


# ── the scales themselves ───────────────────────────────────────────────────────────────────────


def weigh(*findings: Finding, trust: float = 0.9) -> Verdict:
    memories = {f.passage_id: Memory(f.passage_id, "…", trust) for f in findings}
    scales = Scales(memories, Timeline([], Aliases()), trust_threshold=0.75, trust_gap=0.3)
    return scales.weigh(Part(None, None, findings)).verdict


@pytest.mark.requirement("CTR-030")
def test_words_alone_never_overturn_a_slot():
    exact_no = Finding(REFUTED, 0.95, "other_value", "a", exact=True)
    soft_yes = Finding(SUPPORTED, 0.99, "words_covered", "b")
    assert weigh(exact_no, soft_yes) is REFUTED
    exact_yes = Finding(SUPPORTED, 0.9, "same_value", "a", exact=True)
    soft_no = Finding(REFUTED, 0.69, "words_denied", "b")
    assert weigh(exact_yes, soft_no) is SUPPORTED


@pytest.mark.requirement("CTR-024")
def test_the_first_evidence_is_the_most_trusted_then_the_newest_then_the_smallest_id():
    memories = [
        Memory("z", "I work at Apple.", 0.8, MARCH),
        Memory("y", "I work at Apple.", 0.9, JANUARY),
        Memory("w", "I work at Apple.", 0.9, FEBRUARY),
        Memory("x", "I work at Apple.", 0.9, FEBRUARY),
    ]
    for order in itertools.permutations(memories):
        (claim,) = Groundwire().verify("You work at Apple.", memories=order).claims
        assert claim.evidence[0] == "w"
        assert set(claim.evidence) == set("wxyz")


@pytest.mark.requirement("CTR-028")
def test_a_timeline_knows_what_a_newer_memory_superseded():
    def hold(memory: Memory) -> Held:
        return Held(next(f for f in read_text(memory.text).facts if f.slot_type == "employer"), memory)

    old, new, undated = bosch(0.9, JANUARY), shell(0.9, MARCH), replace(bosch(0.9), id="undated")
    timeline = Timeline([hold(old), hold(new), hold(undated)], Aliases())
    assert timeline.is_superseded(old, "employer")
    assert not timeline.is_superseded(new, "employer")
    assert not timeline.is_superseded(undated, "employer"), "without a time nobody knows"
    assert not timeline.is_superseded(old, "location")
    assert timeline.is_superseded(replace(new, status=MemoryStatus.SUPERSEDED), "employer")


@pytest.mark.requirement("CTR-031")
def test_a_superseded_value_is_stale_also_beside_its_successor():
    found = judge("You work at Bosch.", bosch(0.9, JANUARY, MemoryStatus.SUPERSEDED), shell(0.9, MARCH))
    assert found.standing is Standing.STALE


@pytest.mark.requirement("CTR-025")
def test_a_gap_of_exactly_the_threshold_decides():
    settings = Settings(trust_threshold=0.5)
    found = judge("You work at Shell.", bosch(0.95, JANUARY), shell(0.65, MARCH), settings=settings)
    assert found.verdict is REFUTED


@pytest.mark.requirement("CTR-028")
def test_what_is_no_longer_so_is_supported_by_a_superseded_memory():
    found = judge("You no longer work at Bosch.", bosch(0.9, JANUARY, MemoryStatus.SUPERSEDED))
    assert found.verdict is SUPPORTED
