"""Lists come in pages that neither repeat nor lose anything, whatever arrives meanwhile."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from service_samples import Desk, fill, open_desk, problem

from groundwire.errors import InvalidInput
from groundwire.surfaces.rest.cursors import read_cursor, write_cursor
from groundwire.types import Memory
from groundwire.types.records import Act

LISTS = {
    "memories": "memories",
    "reviews": "pending",
    "verdicts": "verdicts",
    "rejections": "rejections",
    "audit": "audit",
    "sessions": "sessions",
}


@pytest.fixture(scope="module")
def shared() -> Iterator[Desk]:
    with open_desk() as desk:
        yield desk


def walk(desk: Desk, key: object, path: str, name: str, sizes: Iterator[int], between: Iterator[int]) -> list[str]:
    """The names of everything on all pages; `between` says how much arrives before each next page."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        params = {"limit": next(sizes), **({"cursor": cursor} if cursor else {})}
        page = desk.get(path, key, params=params).json()  # type: ignore[arg-type]
        assert len(page[name]) <= params["limit"]
        found += [entry["id"] for entry in page[name]]
        cursor = page["next"]
        if cursor is None:
            return found
        add(desk, next(between), key.credential.owner)  # type: ignore[attr-defined]


def add(desk: Desk, count: int, owner: str) -> None:
    store = desk.gw._open_memory().store  # pyright: ignore[reportPrivateUsage]
    now = desk.gw._tell_time()  # pyright: ignore[reportPrivateUsage]
    made = [Memory("", f"Note {number}.", owner=owner) for number in range(count)]
    store.memories.add_many(made, Act("test", now, "test"))


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    first=st.integers(0, 12),
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=4),
    between=st.lists(st.integers(0, 2), min_size=1, max_size=4),
)
def test_pages_show_everything_that_was_there_once_and_in_order(
    shared: Desk, first: int, sizes: list[int], between: list[int]
):
    owner = f"reader-{len(shared.gw.keys().list())}"
    key = shared.key(owner=owner)
    add(shared, first, owner)
    before = [memory.id for memory in shared.gw.ledger(owner).memories(limit=1_000).items]
    arrivals = iter(between + [0] * 1_000)
    found = walk(shared, key, "/v1/memories", "memories", iter(sizes * 1_000), arrivals)
    assert len(set(found)) == len(found)
    assert found[: len(before)] == before, "what was there comes first; what arrived meanwhile may follow"


@pytest.mark.parametrize("listing", LISTS)
def test_every_list_ends_and_has_each_entry_once(listing: str):
    with open_desk() as desk:
        fill(desk.gw)
        key, name = desk.key(), LISTS[listing]
        desk.gw.verify("You live in Berlin. You have a dog. You are tall.", user="ada")
        for number in range(3):
            desk.gw.remember(f"I think number {number} may be odd.", user="ada", source="ai_synthesis")
            desk.gw.remember(f"The gadget {number}{number} uses Redis {number}.", user="ada", source="ai_synthesis")
            desk.gw.remember(f"My aunt number {number} is called Eve{number}.", user="ada")
            desk.gw.ledger("ada").begin_session(f"chat {number}", {})
        whole = desk.get(f"/v1/{listing}", key, params={"limit": 200}).json()
        assert whole["next"] is None
        assert len(whole[name]) >= 3
        found, cursor = [], None
        while True:
            page = desk.get(f"/v1/{listing}", key, params={"limit": 2, **({"cursor": cursor} if cursor else {})}).json()
            found += page[name]
            cursor = page["next"]
            if cursor is None:
                break
        if listing == "audit":  # looking at a list of reviews is on record itself, other lists are not
            found = found[-len(whole[name]) :]
        assert found == whole[name]


PATHS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), min_size=1, max_size=6)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(paths=st.sets(PATHS.filter(str.strip), max_size=9), prefix=PATHS | st.just(""), size=st.integers(1, 4))
def test_values_come_by_path_and_a_prefix_means_itself(shared: Desk, paths: set[str], prefix: str, size: int):
    owner = f"keeper-{len(shared.gw.keys().list())}"
    key = shared.key(owner=owner)
    if paths:
        shared.call("PUT", "/v1/values", key, json={"values": dict.fromkeys(paths, 1)})
    found: list[str] = []
    cursor: str | None = None
    while True:
        params = {"limit": size, "prefix": prefix, **({"cursor": cursor} if cursor else {})}
        answer = shared.get("/v1/values", key, params=params)
        if prefix and not prefix.strip():
            assert problem(answer)["status"] == 422
            return
        found += answer.json()["values"]
        cursor = answer.json()["next"]
        if cursor is None:
            break
    assert found == sorted((path for path in paths if path.startswith(prefix)), key=lambda path: path.encode())


def test_users_come_by_name_and_only_those_that_a_key_covers(desk: Desk):
    for name in ("cleo", "ada", "bob"):
        desk.gw.remember("I live in Berlin.", user=name)
    everybody, own = desk.key(owner=None), desk.key(owner="bob")
    first = desk.get("/v1/users", everybody, params={"limit": 2}).json()
    assert [user["user"] for user in first["users"]] == ["ada", "bob"]
    rest = desk.get("/v1/users", everybody, params={"limit": 2, "cursor": first["next"]}).json()
    assert ([user["user"] for user in rest["users"]], rest["next"]) == (["cleo"], None)
    assert desk.get("/v1/users", own).json() == {"users": [{"user": "bob", "memories": 1, "waiting": 0}], "next": None}


def test_a_status_narrows_the_list(desk: Desk):
    key = desk.key()
    for words in ("I live in Berlin.", "I moved to Porto."):
        desk.post("/v1/memories", key, {"content": words, "source": "user"})
    shown = desk.get("/v1/memories", key, params={"status": "superseded"}).json()["memories"]
    assert [memory["text"] for memory in shown] == ["I live in Berlin."]
    assert problem(desk.get("/v1/memories", key, params={"status": "lost"}))["status"] == 422


@pytest.mark.parametrize(
    "cursor", ["x", "0", "====", "é", "bWVtb3JpZXM6LTE=", "bWVtb3JpZXM6MWUz", "YXVkaXQ6MQ==", "a" * 5_000]
)
def test_a_cursor_that_was_invented_is_refused(desk: Desk, cursor: str):
    assert problem(desk.get("/v1/memories", desk.key(), params={"cursor": cursor}))["status"] == 422


@pytest.mark.parametrize("limit", [0, -1, 201, "many", 10**30])
def test_a_page_has_a_size(desk: Desk, limit: object):
    assert problem(desk.get("/v1/memories", desk.key(), params={"limit": limit}))["status"] == 422


@given(st.integers(0, 2**60), st.sampled_from(sorted(LISTS)))
def test_cursors_round_trip(number: int, listing: str):
    assert read_cursor(write_cursor(listing, number), listing) == number


@given(st.text(max_size=64))
def test_any_text_is_a_cursor_or_refused(text: str):
    try:
        assert isinstance(read_cursor(text, "memories"), int)
    except InvalidInput as error:
        assert error.field == "cursor"
