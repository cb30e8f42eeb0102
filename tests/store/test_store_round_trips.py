"""Whatever a memory may hold comes back as it was, and whatever is searched finds its own words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from store_samples import NOW, act

from groundwire.memory.protocols import Store
from groundwire.store.redaction import Quotation, clean
from groundwire.store.sql import open_store
from groundwire.store.values import from_micros, to_micros
from groundwire.types import Confidence, EvidenceObject, Memory, MemoryKind, MemoryStatus, Scope
from groundwire.types.records import PendingMemory, ReviewState

CHARACTERS = st.characters(exclude_characters="\x00", exclude_categories=["Cs"])
TEXTS = st.text(CHARACTERS, min_size=1, max_size=80).filter(str.strip)
NAMES = st.text(CHARACTERS, max_size=20)
TIMES = st.datetimes(
    datetime(1000, 1, 1), datetime(3000, 1, 1), timezones=st.sampled_from([UTC, timezone(timedelta(hours=-7))])
)
SCORES = st.floats(0, 1)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | NAMES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=8,
)
EVIDENCE = st.builds(
    EvidenceObject,
    claim=TEXTS,
    capture_time=TIMES,
    confidence=st.sampled_from(Confidence),
    source_id=st.none() | NAMES,
    validity_horizon=st.none() | TIMES,
    metadata=st.dictionaries(NAMES, JSON, max_size=3),
)
NUMBERS = count()


@pytest.fixture(scope="module", params=["memory", pytest.param("postgres", marks=pytest.mark.slow)])
def kept(request: pytest.FixtureRequest) -> Iterator[Store]:
    with ExitStack() as opened:
        server = request.getfixturevalue("postgres") if request.param == "postgres" else None
        place = None if server is None else opened.enter_context(server.schema())
        yield opened.enter_context(open_store(place, NOW))


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    begins = draw(TIMES)
    fields: dict[str, Any] = {
        "trust": draw(SCORES),
        "timestamp": draw(st.integers(-(2**63) + 1, 2**63 - 1)),
        "source": draw(st.none() | NAMES),
        "kind": draw(st.sampled_from(MemoryKind)),
        "status": draw(
            st.sampled_from([s for s in MemoryStatus if s not in (MemoryStatus.SUPERSEDED, MemoryStatus.PENDING)])
        ),
        "subject": draw(NAMES),
        "memory_type": draw(NAMES),
        "confidence": draw(SCORES),
        "evidence": draw(st.none() | EVIDENCE),
        "created_at": draw(TIMES),
        "last_confirmed": draw(TIMES),
        "mentions": draw(st.integers(1, 2**31)),
        "valid_from": begins,
        "valid_to": draw(st.none() | st.timedeltas(timedelta(0), timedelta(9999)).map(lambda more: begins + more)),
        "why": draw(NAMES),
    }
    owner, tenant = draw(TEXTS), draw(TEXTS)
    return Memory(f"m{next(NUMBERS)}", draw(TEXTS), owner=owner, tenant=tenant, **fields)


@given(memories())
def test_a_memory_comes_back_as_it_was(kept: Store, memory: Memory):
    kept.memories.add(memory, act())
    assert kept.memories.get(memory.scope, memory.id) == memory
    assert kept.memories.get(Scope(memory.owner + "x", memory.tenant), memory.id) is None


@given(memories())
def test_a_memory_is_recalled_exactly_while_it_holds(kept: Store, memory: Memory):
    kept.memories.add(memory, act())
    begins, ends = memory.valid_from, memory.valid_to
    assert begins is not None
    horizon = memory.evidence.validity_horizon if memory.evidence else None
    last = min((end for end in (ends, horizon) if end is not None), default=None)
    moments = [begins - timedelta(microseconds=1), begins, begins + timedelta(days=1), *([last] if last else [])]
    for moment in moments:
        holds = begins <= moment and (last is None or moment < last) and memory.status is not MemoryStatus.PROPOSAL
        assert (memory in kept.memories.recall(memory.scope, moment)) == holds


@given(st.text(CHARACTERS, max_size=60), TEXTS)
def test_a_search_never_fails_and_finds_a_memory_by_its_own_words(kept: Store, query: str, said: str):
    id = f"s{next(NUMBERS)}"
    scope = Scope(f"owner {id}")
    kept.memories.add(Memory(id, said, owner=scope.owner), act())
    kept.memories.search(scope, query)
    found = [hit.memory.id for hit in kept.memories.search(scope, said)]
    assert found == [id] or not any(character.isalnum() for character in said)


@given(TEXTS, EVIDENCE, st.dictionaries(NAMES, JSON, max_size=3), NAMES)
def test_an_item_comes_back_as_it_was(
    kept: Store, content: str, evidence: EvidenceObject, result: dict[str, Any], name: str
):
    item = PendingMemory(
        f"q{next(NUMBERS)}", f"o{next(NUMBERS)}", content, name, name, evidence, NOW, validation_result=result
    )
    kept.reviews.enqueue(item, act())
    assert kept.reviews.get(item.scope, item.queue_id, act()) == item and item.state is ReviewState.PENDING


@given(TIMES)
def test_a_time_keeps_every_microsecond(moment: datetime):
    assert from_micros(to_micros("moment", moment)) == moment


@settings(max_examples=200)
@given(TEXTS, st.text(CHARACTERS, max_size=20), st.text(CHARACTERS, max_size=20))
def test_a_quotation_is_found_in_a_log_in_whatever_case_and_spacing(said: str, before: str, after: str):
    quotation = Quotation(said, b"key")
    assert quotation.is_in(f"{before} {said} {after}")
    assert quotation.is_in(clean(said))


@given(st.text())
def test_a_cleaned_text_controls_nothing(text: str):
    assert not any(unicodedata.category(character) in {"Cc", "Zl", "Zp"} for character in clean(text))
    assert clean(clean(text)) == clean(text)
