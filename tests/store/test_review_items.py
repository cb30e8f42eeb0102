"""The contract of the review queue: decided once, by the right person, within limits that refuse."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from store_samples import ADA, BOB, NOW, act, at, memory, pending

from groundwire.errors import IllegalChange, InvalidInput, NotFound, NotPermitted, QueueFull
from groundwire.memory.protocols import Store
from groundwire.types import Scope
from groundwire.types.records import PendingMemory, ReviewState


def keep(store: Store) -> Callable[[PendingMemory], str]:
    """What the gate does with an approved item."""

    def store_item(item: PendingMemory) -> str:
        return store.memories.add(memory(item.edited or item.content, scope=item.scope), act(1)).id

    return store_item


def trail(store: Store, queue_id: str) -> list[tuple[str, str, str]]:
    entries = store.audit.entries(ADA, target=queue_id)
    return [(entry.action, entry.actor, entry.outcome) for entry in reversed(entries)]


@pytest.mark.requirement("REV-001")
def test_an_item_comes_back_with_everything_that_was_proposed(store: Store):
    item = pending(
        "The API uses OAuth2.", "q", Scope("ada", "acme"), validation_result={"tier": "tier_2", "failed": ["x"]}
    )
    assert store.reviews.enqueue(item, act()) == item
    assert store.reviews.get(Scope("ada", "acme"), "q", act()) == item
    assert (item.queue_id, item.user_id, item.content, item.source) == (
        "q",
        "ada",
        "The API uses OAuth2.",
        "ai_synthesis",
    )
    assert item.submitted_at == NOW and item.tenant_id == "acme" and item.proposer == "agent"
    assert store.reviews.enqueue(pending("Another."), act()).queue_id != ""


@pytest.mark.requirement("REV-003")
def test_pending_items_are_the_owners_oldest_first_and_limited(store: Store):
    for day in (3, 1, 2):
        store.reviews.enqueue(pending(f"Item {day}.", f"q{day}", days=day), act())
        store.reviews.enqueue(pending(f"Item {day}.", f"q{day}", BOB, days=day), act())
    store.reviews.enqueue(pending("Item 1, later.", "q1b", days=1), act())
    found = store.reviews.pending(ADA, act(), limit=3)
    assert [item.queue_id for item in found] == ["q1", "q1b", "q2"] and {item.user_id for item in found} == {"ada"}


@pytest.mark.requirement("REV-004")
def test_approving_stores_the_memory_and_rejecting_keeps_only_the_reason(store: Store):
    store.reviews.enqueue(pending("The API uses OAuth2.", "yes"), act())
    store.reviews.enqueue(pending("The API uses Kerberos.", "no"), act())
    memory_id = store.reviews.approve(ADA, "yes", act(1), keep(store))
    stored = store.memories.get(ADA, memory_id)
    assert stored is not None and stored.text == "The API uses OAuth2."
    for blank in ("", "  "):
        with pytest.raises(InvalidInput, match="reason"):
            store.reviews.reject(ADA, "no", act(1), reason=blank)
    store.reviews.reject(ADA, "no", act(2), reason="Incorrect, we use JWT")
    assert store.reviews.pending(ADA, act()) == () and store.memories.count(ADA) == 1
    entry = store.audit.entries(ADA, target="no")[0]
    assert entry.action == "reject" and entry.details == {"reason": "Incorrect, we use JWT"}
    decided = store.reviews.get(ADA, "yes", act())
    assert decided is not None and decided.memory_id == memory_id
    assert (decided.state, decided.decided_by, decided.decided_at) == (ReviewState.APPROVED, "ada", at(1))


@pytest.mark.requirement("REV-005")
def test_only_the_owner_or_a_named_reviewer_decides_and_never_with_the_proposing_credential(store: Store):
    store.reviews.enqueue(pending("The API uses OAuth2.", "q"), act())
    refused = [
        (act(actor="bob"), (), "no reviewer"),
        (act(actor="eve"), ("carol",), "no reviewer"),
        (act(credential="agent"), (), "proposed"),
        (act(actor="carol", credential="agent"), ("carol",), "proposed"),
        (act(credential=""), (), "credential"),
    ]
    for attempt, reviewers, why in refused:
        with pytest.raises(NotPermitted, match=why):
            store.reviews.approve(ADA, "q", attempt, keep(store), reviewers=reviewers)
        with pytest.raises(NotPermitted, match=why):
            store.reviews.reject(ADA, "q", attempt, reason="no", reviewers=reviewers)
    assert store.memories.count(ADA) == 0 and len(store.reviews.pending(ADA, act())) == 1
    assert store.reviews.approve(ADA, "q", act(actor="carol"), keep(store), reviewers=("carol",))


@pytest.mark.requirement("REV-006")
def test_somebody_elses_id_is_answered_like_one_that_never_existed(store: Store):
    store.reviews.enqueue(pending("Bob's secret.", "q", BOB), act(actor="bob"))
    assert store.reviews.get(ADA, "q", act()) is None and store.reviews.get(ADA, "never", act()) is None
    messages: list[str] = []
    for id in ("q", "never"):
        with pytest.raises(NotFound) as refused:
            store.reviews.approve(ADA, id, act(), keep(store))
        messages.append(str(refused.value).replace(id, "…"))
    assert messages[0] == messages[1]
    assert [outcome for _, _, outcome in trail(store, "q")] == [outcome for _, _, outcome in trail(store, "never")]


@pytest.mark.requirement("REV-007")
def test_an_item_beyond_a_limit_is_refused_and_recorded_and_displaces_nothing(open_backend: Callable[..., Store]):
    store = open_backend(pending_per_owner=3, pending_total=5)
    for number in range(3):
        store.reviews.enqueue(pending(f"Item {number}.", f"q{number}"), act())
    with pytest.raises(QueueFull, match="3 items of 'ada'"):
        store.reviews.enqueue(pending("Item 4.", "q4"), act())
    assert trail(store, "q4") == [("enqueue", "ada", "refused: QueueFull")]
    for number in range(2):
        store.reviews.enqueue(pending(f"Item {number}.", f"q{number}", BOB), act())
    with pytest.raises(QueueFull, match="5 items"):
        store.reviews.enqueue(pending("Item 3.", "q3", BOB), act())
    assert [item.queue_id for item in store.reviews.pending(ADA, act())] == ["q0", "q1", "q2"]
    assert store.memories.count(ADA) == 0
    store.reviews.reject(ADA, "q0", act(), reason="no")
    assert store.reviews.enqueue(pending("Item 4.", "q4"), act())


def test_the_default_limits_are_those_required(store: Store):
    with store.transaction():
        for number in range(100):
            store.reviews.enqueue(pending(f"Item {number}."), act())
    with pytest.raises(QueueFull, match="100 items"):
        store.reviews.enqueue(pending("One more."), act())


@pytest.mark.slow
def test_the_queue_as_a_whole_takes_ten_thousand(store: Store):
    for start in range(0, 10_000, 500):
        with store.transaction():
            for number in range(start, start + 500):
                store.reviews.enqueue(pending("Item.", scope=Scope(f"owner {number % 101}")), act())
    with pytest.raises(QueueFull, match="10000 items"):
        store.reviews.enqueue(pending("One more.", scope=BOB), act())


@pytest.mark.requirement("REV-008")
def test_an_item_whose_storing_fails_is_pending_again_with_the_error_noted(store: Store):
    store.reviews.enqueue(pending("The API uses OAuth2.", "q"), act(), fingerprints=["f"])

    def fail(item: PendingMemory) -> str:
        assert store.reviews.get(ADA, "q", act()) == item and item.state is ReviewState.APPROVED, "it has been taken"
        store.memories.add(memory(item.content), act())
        raise OSError("no connection")

    with pytest.raises(OSError, match="no connection"):
        store.reviews.approve(ADA, "q", act(1), fail)
    (item,) = store.reviews.pending(ADA, act())
    assert item.error == "OSError" and item.state is ReviewState.PENDING and item.decided_by is None
    assert store.memories.count(ADA) == 0 and len(store.memories.find_fingerprints(ADA, ["f"])) == 1
    assert trail(store, "q")[-1] == ("approve", "ada", "failed: OSError")
    assert store.reviews.approve(ADA, "q", act(2), keep(store))
    assert store.memories.count(ADA) == 1 and store.check() == ()
    approved = store.reviews.get(ADA, "q", act())
    assert approved is not None and approved.error == ""


def test_a_failed_approval_inside_a_larger_transaction_is_noted_too(store: Store):
    store.reviews.enqueue(pending("The API uses OAuth2.", "q"), act())

    def fail(item: PendingMemory) -> str:
        raise OSError

    with store.transaction(), pytest.raises(OSError):
        store.reviews.approve(ADA, "q", act(1), fail)
    assert store.reviews.pending(ADA, act())[0].error == "OSError"
    assert trail(store, "q")[-1][2] == "failed: OSError"


@pytest.mark.parametrize("decide", ["approve", "reject", "expire"])
def test_an_item_is_decided_once(store: Store, decide: str):
    store.reviews.enqueue(pending("The API uses OAuth2.", "q"), act())
    match decide:
        case "approve":
            store.reviews.approve(ADA, "q", act(1), keep(store))
        case "reject":
            store.reviews.reject(ADA, "q", act(1), reason="no")
        case _:
            assert store.reviews.expire(at(1), act(1, actor="clock")) == 1
    stored = store.memories.count(ADA)
    with pytest.raises(IllegalChange):
        store.reviews.approve(ADA, "q", act(2), keep(store))
    with pytest.raises(IllegalChange):
        store.reviews.reject(ADA, "q", act(2), reason="no")
    assert store.reviews.expire(at(9), act(9)) == 0 and store.memories.count(ADA) == stored
    with pytest.raises(InvalidInput, match="queue already"):
        store.reviews.enqueue(pending("The API uses OAuth2.", "q"), act())


@pytest.mark.requirement("REV-009")
def test_every_step_and_every_failed_attempt_is_recorded_with_actor_time_and_outcome(store: Store):
    for id in ("a", "b", "c"):
        store.reviews.enqueue(pending(f"Item {id}.", id), act(actor="agent"))
    store.reviews.pending(ADA, act(1))
    store.reviews.get(ADA, "a", act(1))
    with pytest.raises(NotPermitted):
        store.reviews.approve(ADA, "a", act(2, actor="eve"), keep(store))
    store.reviews.approve(ADA, "a", act(3), keep(store))
    with pytest.raises(IllegalChange):
        store.reviews.reject(ADA, "a", act(4), reason="no")
    store.reviews.reject(ADA, "b", act(5), reason="no")
    store.reviews.expire(at(6), act(6, actor="clock"))
    assert trail(store, "a") == [
        ("enqueue", "agent", "ok"),
        ("view", "ada", "ok"),
        ("approve", "eve", "refused: NotPermitted"),
        ("approve", "ada", "ok"),
        ("reject", "ada", "refused: IllegalChange"),
    ]
    assert trail(store, "b")[-1] == ("reject", "ada", "ok") and trail(store, "c")[-1] == ("expire", "clock", "ok")
    assert trail(store, "")[0] == ("view", "ada", "ok")
    assert [entry.recorded_at for entry in store.audit.entries(ADA, target="a")] == [at(4), at(3), at(2), at(1), at(0)]
    assert store.audit.verify() == ()


def test_an_edited_item_keeps_what_was_proposed(store: Store):
    store.reviews.enqueue(pending("The API uses OAuth.", "q"), act())
    with pytest.raises(InvalidInput, match="edited"):
        store.reviews.approve(ADA, "q", act(1), keep(store), edited=" ")
    memory_id = store.reviews.approve(ADA, "q", act(1), keep(store), edited="The API uses OAuth2.")
    stored, item = store.memories.get(ADA, memory_id), store.reviews.get(ADA, "q", act())
    assert stored is not None and stored.text == "The API uses OAuth2."
    assert item is not None and (item.content, item.edited) == ("The API uses OAuth.", "The API uses OAuth2.")
    assert item.decided_by == "ada"


def test_a_new_item_is_pending_and_within_the_limits(store: Store):
    for broken, field in [
        (pending("x", state=ReviewState.APPROVED), "state"),
        (pending(""), "content"),
        (pending("x" * 8193), "content"),
        (pending("x", validation_result={"a": "b" * 17_000}), "validation_result"),
    ]:
        with pytest.raises(InvalidInput) as refused:
            store.reviews.enqueue(broken, act())
        assert refused.value.field == field
    assert store.reviews.pending(ADA, act()) == ()
