"""The contract of memories: kept with their evidence, superseded instead of overwritten, one owner's alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest
from store_samples import ADA, BOB, NOW, act, at, evidence, memory, pending

from groundwire.errors import IllegalChange, InvalidInput, NotFound
from groundwire.memory.protocols import Store
from groundwire.types import Confidence, EvidenceObject, Memory, MemoryKind, MemoryStatus, Scope
from groundwire.types.records import FingerprintMatch, Session


@pytest.mark.requirement("STO-004")
def test_a_memory_comes_back_with_everything_that_was_stored(store: Store):
    kept = Memory(
        id="m1",
        text="Ich wohne in Köln. 我住在科隆。",
        trust=0.9,
        timestamp=1_700_000_000,
        source="documentation",
        kind=MemoryKind.USER_PATTERN,
        status=MemoryStatus.PROPOSAL,
        owner="ada",
        tenant="acme",
        subject="Alice",
        memory_type="preference",
        confidence=0.77,
        evidence=evidence("I live in Cologne", source_id="ADR-003", validity_horizon=at(9), metadata={"a": [1, None]}),
        created_at=at(-3),
        last_confirmed=at(-2),
        mentions=3,
        valid_from=at(-4),
        valid_to=at(30),
        why="because",
    )
    assert store.memories.add(kept, act()) == kept
    assert store.memories.get(Scope("ada", "acme"), "m1") == kept
    for status in (MemoryStatus.ACTIVE, MemoryStatus.INACTIVE, MemoryStatus.ARCHIVED):
        stored = store.memories.add(memory("one more", status=status), act())
        found = store.memories.get(ADA, stored.id)
        assert found is not None and found.status is status and found.supersedes is None


def test_what_is_missing_is_filled_in_from_the_act(store: Store):
    added = store.memories.add(Memory("", "I like tea.", owner="ada"), act(2))
    assert added.id and added.evidence is None
    assert added.created_at == added.valid_from == added.last_confirmed == at(2)
    assert added.timestamp == int(at(2).timestamp())
    assert store.memories.get(ADA, added.id) == added


def test_a_memory_leads_back_to_source_checks_tier_reason_and_reviewer(store: Store):
    trail = {
        "citations": [{"id": "ADR-003", "status": "VERIFIED"}],
        "tier_reason": "verified_citation",
        "reviewer": "ada",
    }
    proof = EvidenceObject("We use PostgreSQL", NOW, Confidence.HIGH, "ADR-003", at(90), trail)
    stored = store.memories.add(memory("We use PostgreSQL.", source="adr", evidence=proof), act())
    found = store.memories.get(ADA, stored.id)
    assert found is not None and found.evidence == proof and found.source == "adr"
    assert proof.metadata["reviewer"] == "ada"
    (entry,) = store.audit.entries(ADA, target=stored.id)
    assert (entry.action, entry.actor, entry.recorded_at) == ("add", "ada", NOW)


def test_a_change_ends_the_old_memory_and_names_the_new_one(store: Store):
    old = store.memories.add(memory("I work at Amazon.", "old"), act(0))
    new = store.memories.supersede("old", memory("I work at Google.", "new"), act(10), why="changed jobs")
    found = store.memories.get(ADA, "old")
    assert found == replace(
        old, status=MemoryStatus.SUPERSEDED, valid_to=at(10), superseded_by="new", why="changed jobs"
    )
    assert new.supersedes == "old" and store.memories.get(ADA, "new") == new
    assert [m.id for m in store.memories.recall(ADA, at(11))] == ["new"]
    assert [m.id for m in store.memories.recall(ADA, at(5))] == ["old"]
    assert store.memories.recall(ADA, at(-1)) == ()
    assert [m.id for m in store.memories.history(ADA, "old")] == ["old", "new"]
    assert store.memories.history(ADA, "new") == store.memories.history(ADA, "old")


def test_a_change_that_is_announced_leaves_the_old_memory_true_until_then(store: Store):
    store.memories.add(memory("I work at Amazon.", "old"), act(0))
    store.memories.supersede("old", memory("I work at Google.", "new", valid_from=at(30)), act(1), why="next month")
    assert [m.id for m in store.memories.recall(ADA, at(2))] == ["old"]
    assert [m.id for m in store.memories.recall(ADA, at(30))] == ["new"]


def test_a_memory_is_superseded_once_and_never_by_something_older(store: Store):
    store.memories.add(memory("I work at Amazon.", "old"), act(0))
    with pytest.raises(InvalidInput, match="begins before"):
        store.memories.supersede("old", memory("I work at IBM.", "ibm", valid_from=at(-1)), act(1), why="?")
    store.memories.supersede("old", memory("I work at Google.", "new"), act(1), why="changed")
    with pytest.raises(IllegalChange, match="superseded"):
        store.memories.supersede("old", memory("I work at Meta.", "meta"), act(2), why="changed")
    assert store.memories.get(ADA, "ibm") is None and store.memories.get(ADA, "meta") is None
    assert store.memories.count(ADA) == 2


def test_the_line_of_changes_is_told_from_any_of_its_members(store: Store):
    store.memories.add(memory("I live in Rome.", "1"), act(0))
    for day in range(1, 4):
        store.memories.supersede(str(day), memory(f"I live in town {day}.", str(day + 1)), act(day), why="moved")
    for id in "1234":
        assert [m.id for m in store.memories.history(ADA, id)] == ["1", "2", "3", "4"]
    assert store.memories.history(ADA, "9") == ()


def test_a_repeated_statement_counts_and_wakes_what_rested(store: Store):
    store.memories.add(memory("I like tea.", "m"), act(0))
    store.memories.change_status(ADA, "m", MemoryStatus.INACTIVE, act(40), why="not said for long")
    assert store.memories.recall(ADA, at(41)) == () and len(store.memories.recall(ADA, at(39))) == 1
    again = store.memories.confirm(ADA, "m", act(50), confidence=0.95)
    assert (again.status, again.mentions, again.last_confirmed) == (MemoryStatus.ACTIVE, 2, at(50))
    assert again.confidence == 0.95 and again.trust == 1.0 and again.valid_to is None
    assert store.memories.recall(ADA, at(51)) == (again,)


def test_scores_change_without_a_mention_and_the_old_ones_are_audited(store: Store):
    store.memories.add(memory("I like tea.", "m", trust=0.9), act(0))
    adjusted = store.memories.adjust(ADA, "m", act(1), why="contradicted", trust=0.4)
    assert (adjusted.trust, adjusted.mentions, adjusted.last_confirmed) == (0.4, 1, NOW)
    entry = store.audit.entries(ADA, target="m")[0]
    assert entry.details == {"why": "contradicted", "trust": [0.9, 0.4]}
    with pytest.raises(InvalidInput, match="trust"):
        store.memories.adjust(ADA, "m", act(1), why="?", trust=1.5)


def test_only_legal_changes_of_status_happen(store: Store):
    store.memories.add(memory("I like tea.", "m"), act(0))
    for status in MemoryStatus:
        if not MemoryStatus.ACTIVE.may_become(status):
            with pytest.raises(IllegalChange):
                store.memories.change_status(ADA, "m", status, act(1), why="?")
    with pytest.raises(IllegalChange):
        store.memories.change_status(ADA, "m", MemoryStatus.SUPERSEDED, act(1), why="?")
    archived = store.memories.change_status(ADA, "m", MemoryStatus.ARCHIVED, act(1), why="old")
    assert archived.valid_to == at(1)
    with pytest.raises(IllegalChange):
        store.memories.change_status(ADA, "m", MemoryStatus.EXPIRED, act(1), why="?")


@pytest.mark.requirement("ING-033")
def test_a_memory_past_its_horizon_is_not_recalled_and_provenance_can_be_traced(store: Store):
    proof = evidence("The price is 5.", source_id="https://example.com/prices", validity_horizon=at(10))
    stored = store.memories.add(memory("The price is 5.", "m", evidence=proof), act(0))
    unsure = replace(proof, confidence=Confidence.LOW, validity_horizon=None)
    store.memories.add(memory("The price may rise.", "n", evidence=unsure), act(0))
    before, after = store.memories.recall(ADA, at(9.9)), store.memories.recall(ADA, at(10))
    assert [m.id for m in before] == ["n", "m"] and [m.id for m in after] == ["n"]
    assert store.memories.search(ADA, "price", when=at(10))[0].memory.id == "n"
    sure = [m.id for m in before if m.evidence and m.evidence.confidence is Confidence.HIGH]
    assert sure == ["m"] and stored.evidence is not None
    assert stored.evidence.source_id == "https://example.com/prices"
    assert store.audit.entries(ADA, target="m")[0].action == "add"


def test_a_proposal_is_kept_but_not_recalled(store: Store):
    store.memories.add(memory("Prefers lists.", "p", status=MemoryStatus.PROPOSAL), act(0))
    assert store.memories.recall(ADA, at(1)) == ()
    store.memories.change_status(ADA, "p", MemoryStatus.ACTIVE, act(1), why="seen again")
    assert len(store.memories.recall(ADA, at(1))) == 1


def test_recall_is_newest_first_and_limited(store: Store):
    for day in range(5):
        store.memories.add(memory(f"Day {day}.", str(day)), act(day))
    assert [m.id for m in store.memories.recall(ADA, at(9), limit=3)] == ["4", "3", "2"]


def test_search_ranks_by_shared_words_and_sees_word_forms(store: Store):
    for number in range(20):
        store.memories.add(memory(f"Filler {number} about nothing."), act())
    store.memories.add(memory("I moved to Berlin in May.", "berlin"), act())
    store.memories.add(memory("My café in Zürich opens early.", "zurich"), act())
    assert [hit.memory.id for hit in store.memories.search(ADA, "moving berlin")] == ["berlin"]
    assert [hit.memory.id for hit in store.memories.search(ADA, "cafe ZURICH")] == ["zurich"]
    assert len(store.memories.search(ADA, "filler nothing", limit=7)) == 7
    scores = [hit.score for hit in store.memories.search(ADA, "filler berlin")]
    assert scores == sorted(scores, reverse=True) and scores[0] > scores[-1]


def test_in_a_large_memory_the_rarer_words_decide(store: Store):
    store.memories.add_many([memory(f"The user likes number {number}.", str(number)) for number in range(2500)], act())
    store.memories.add(memory("The user moved to Berlin.", "berlin"), act())
    assert [hit.memory.id for hit in store.memories.search(ADA, "Where does the user live? Berlin")] == ["berlin"]
    assert len(store.memories.search(ADA, "user", limit=5)) == 5
    assert store.memories.search(ADA, "the user likes 1234", limit=1)[0].memory.id == "1234"


def test_search_looks_past_what_no_longer_holds(store: Store):
    store.memories.add_many(
        [memory(f"Tea tea tea {number}.", f"old {number}", valid_to=at(1)) for number in range(150)], act()
    )
    store.memories.add(memory("Tea, once among many other words about nothing.", "new"), act())
    assert [hit.memory.id for hit in store.memories.search(ADA, "tea", when=at(2), limit=3)] == ["new"]
    assert len(store.memories.search(ADA, "tea", when=at(0.5), limit=3)) == 3
    assert [hit.memory.id for hit in store.memories.search(ADA, "tea", limit=2)] == ["old 0", "old 1"]


@pytest.mark.parametrize(
    "query", ['"', "a OR b", "NEAR(a b)", "text:a*", "-", "' OR 1=1 --", "(", "^a", "", "\U0001f600", "{x}", "1x", "%_"]
)
@pytest.mark.requirement("SEC-018")
def test_nothing_that_a_person_writes_is_an_operator(store: Store, query: str):
    store.memories.add(memory("Nothing of the kind.", "m"), act())
    store.memories.add(memory(query or "x", "q"), act())
    assert all(hit.memory.id == "q" for hit in store.memories.search(ADA, query))
    assert store.memories.get(ADA, query) is None and store.memories.history(ADA, query) == ()
    assert store.memories.find_fingerprints(ADA, [query]) == ()
    store.sessions.put(ADA, {"/a_b": 1, "/axb": 2, "/a%": 3}, NOW)
    assert store.sessions.values(ADA, "/a_") == {"/a_b": 1} and store.sessions.values(ADA, "/a%") == {"/a%": 3}
    assert store.memories.count(ADA) == 2 and store.check() == ()


@pytest.mark.requirement("SEC-003")
@pytest.mark.parametrize("scope", [BOB, Scope("ada", "acme"), Scope("Ada")])
def test_nothing_of_one_owner_or_tenant_reaches_another(store: Store, scope: Scope):
    store.memories.add(memory("My secret is tea.", "m"), act(), fingerprints=["f"])
    store.reviews.enqueue(pending("My secret is tea.", "q"), act(), fingerprints=["g"])
    store.sessions.begin(Session("s", "ada", NOW))
    store.sessions.put(ADA, {"/s": 1}, NOW)
    assert store.memories.get(scope, "m") is None and store.memories.count(scope) == 0
    assert store.memories.recall(scope, at(1)) == () and store.memories.search(scope, "secret tea") == ()
    assert store.memories.history(scope, "m") == () and store.memories.find_fingerprints(scope, ["f", "g"]) == ()
    assert store.reviews.pending(scope, act()) == () and store.reviews.get(scope, "q", act()) is None
    assert store.sessions.get(scope, "s") is None and store.sessions.values(scope) == {}
    assert list(store.export(scope)) == []
    mine = act(actor=scope.owner)
    for change in (
        lambda: store.memories.confirm(scope, "m", mine),
        lambda: store.memories.adjust(scope, "m", mine, why="?", trust=0.1),
        lambda: store.memories.change_status(scope, "m", MemoryStatus.ARCHIVED, mine, why="?"),
        lambda: store.memories.supersede("m", memory("Mine now.", scope=scope), mine, why="?"),
        lambda: store.memories.forget(scope, ["m"], mine),
        lambda: store.reviews.reject(scope, "q", mine, reason="no"),
        lambda: store.reviews.approve(scope, "q", mine, lambda item: "m"),
        lambda: store.sessions.end(scope, "s", NOW),
    ):
        with pytest.raises(NotFound) as foreign:
            change()
        assert "secret" not in str(foreign.value)
    store.memories.add(memory("Something else.", "m", scope=scope), mine)
    store.memories.forget_owner(scope, mine)
    assert [hit.memory.text for hit in store.memories.search(ADA, "secret")] == ["My secret is tea."]
    assert len(store.reviews.pending(ADA, act())) == 1 and store.sessions.values(ADA) == {"/s": 1}


def test_fingerprints_find_memories_and_waiting_items(store: Store):
    store.memories.add(memory("I like tea.", "m"), act(), fingerprints=["hash:1", "band:7", "band:7"])
    store.reviews.enqueue(pending("I like tea a lot.", "q"), act(), fingerprints=["band:7"])
    assert store.memories.find_fingerprints(ADA, ["band:7", "hash:1", "hash:2"]) == (
        FingerprintMatch("band:7", queue_id="q"),
        FingerprintMatch("band:7", memory_id="m"),
        FingerprintMatch("hash:1", memory_id="m"),
    )
    store.reviews.reject(ADA, "q", act(), reason="no")
    store.memories.supersede("m", memory("I like coffee.", "n"), act(1), why="changed", fingerprints=["hash:2"])
    assert store.memories.find_fingerprints(ADA, [f"x{i}" for i in range(1200)] + ["band:7", "hash:1", "hash:2"]) == (
        FingerprintMatch("hash:2", memory_id="n"),
    )


def test_many_are_kept_together_or_not_at_all(store: Store):
    batch = [memory(f"Fact {number}.", str(number), scope=(ADA, BOB)[number % 2]) for number in range(1, 700)]
    assert store.memories.add_many(batch, act(), fingerprints=[[f"f{m.id}"] for m in batch]) == 699
    assert store.memories.count(ADA) + store.memories.count(BOB) == 699
    assert store.memories.find_fingerprints(BOB, ["f7"]) == (FingerprintMatch("f7", memory_id="7"),)
    assert store.memories.search(BOB, "fact 7", limit=1)[0].memory.id == "7"
    with pytest.raises(InvalidInput, match="stored already"):
        store.memories.add_many([memory("New.", "new"), memory("Old.", "2")], act())
    assert store.memories.get(ADA, "new") is None
    with pytest.raises(InvalidInput, match="same id"):
        store.memories.add_many([memory("New.", "new"), memory("New.", "new")], act())
    assert store.memories.add_many([], act()) == 0 and store.check() == ()


@pytest.mark.parametrize(
    ("broken", "field"),
    [
        (lambda: memory(""), "text"),
        (lambda: memory(" \n"), "text"),
        (lambda: memory("x" * 8193), "text"),
        (lambda: memory("a\x00b"), "text"),
        (lambda: memory("\ud800"), "text"),
        (lambda: memory("x", id="i" * 513), "id"),
        (lambda: memory("x", scope=Scope("")), "owner"),
        (lambda: memory("x", scope=Scope("ada", " ")), "tenant"),
        (lambda: memory("x", timestamp=2**70), "timestamp"),
        (lambda: memory("x", mentions=0), "mentions"),
        (lambda: memory("x", status=MemoryStatus.PENDING), "status"),
        (lambda: memory("x", valid_from=at(2), valid_to=at(1)), "valid_to"),
        (lambda: memory("x", valid_from=datetime(2026, 1, 1)), "valid_from"),
        (lambda: memory("x", supersedes="y"), "supersedes"),
        (lambda: memory("x", evidence=evidence(metadata={"a": "x" * 17_000})), "metadata"),
        (lambda: memory("x", evidence=evidence(metadata={"a": float("nan")})), "metadata"),
        (lambda: memory("x", evidence=evidence(metadata={"a": object()})), "metadata"),
        (lambda: memory("x", confidence=1.1), "confidence"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_field_and_nothing_is_written(store: Store, broken, field: str):
    with pytest.raises(InvalidInput) as refused:
        store.memories.add(broken(), act())
    assert refused.value.field == field
    assert store.memories.count(ADA) == 0 and store.audit.entries(ADA) == () and store.changes() == 0


def test_everything_in_a_transaction_is_kept_together(store: Store):
    with pytest.raises(ZeroDivisionError), store.transaction():
        store.memories.add(memory("I like tea.", "m"), act())
        store.reviews.enqueue(pending("I like jam.", "q"), act())
        assert store.memories.get(ADA, "m") is not None, "a transaction sees its own writes"
        raise ZeroDivisionError
    assert store.memories.get(ADA, "m") is None and store.reviews.pending(ADA, act()) == ()
    with store.transaction():
        store.memories.add(memory("I like tea.", "m"), act())
        with pytest.raises(InvalidInput), store.transaction():
            store.memories.add(memory("I like milk.", "n"), act())
            store.memories.add(memory("I like tea.", "m"), act())
    assert store.memories.get(ADA, "m") is not None and store.memories.get(ADA, "n") is None
    assert store.check() == ()


def test_every_change_is_seen_by_whoever_caches_that_owner(store: Store):
    other = store.changes(BOB)
    seen = [store.changes(ADA)]

    def changed() -> None:
        seen.append(store.changes(ADA))
        assert seen[-1] > seen[-2] and store.changes(BOB) == other and store.changes() == seen[-1]

    store.memories.add(memory("I like tea.", "m"), act())
    changed()
    store.memories.confirm(ADA, "m", act())
    changed()
    store.memories.change_status(ADA, "m", MemoryStatus.INACTIVE, act(1), why="old")
    changed()
    store.memories.change_status(ADA, "m", MemoryStatus.ARCHIVED, act(2), why="older")
    changed()
    store.memories.change_status(ADA, "m", MemoryStatus.ACTIVE, act(2), why="new")
    store.memories.supersede("m", memory("I like milk.", "n"), act(3), why="changed")
    changed()
    store.memories.forget(ADA, ["n"], act(4))
    changed()
    store.memories.recall(ADA, at(5))
    store.reviews.pending(ADA, act())
    assert store.changes(ADA) == seen[-1], "reading changes nothing"
