"""Recalling: what is known now or was known then, how it came to be so, and what is gone."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from groundwire import Groundwire
from groundwire.errors import InvalidInput, NotFound
from groundwire.memory.recalling import Recaller, find_slots, find_slots_of_verbs
from groundwire.memory.stored import marks_of
from groundwire.models.files import TABLE, open_model, packaged_models
from groundwire.types import Confidence, EvidenceObject, Memory, MemoryKind, Scope
from groundwire.types.records import Act, Retrieved, Tombstone
from remembered import ADA, NOW, at, audit_of, open_memory, propose, remember, store_of, texts


@pytest.fixture
def gw() -> Iterator[Groundwire]:
    with open_memory() as opened:
        yield opened


def keep(gw: Groundwire, text: str, *, origin: str = "extracted", confidence: float = 0.9, **fields: object) -> Memory:
    """As an extraction leaves it in the store."""
    evidence = EvidenceObject(text, NOW, Confidence.HIGH, metadata={"origin": origin})
    given: dict[str, Any] = {"owner": "ada", "source": "conversation", "confidence": confidence, **fields}
    memory = Memory("", text, evidence=evidence, **given)
    return store_of(gw).memories.add(memory, Act("ada", NOW), fingerprints=marks_of(text))


# ── now and then ────────────────────────────────────────────────────────────────────────────────


def test_the_best_match_comes_first_and_the_rest_is_left_out(gw: Groundwire):
    for text in ("I love hiking in the Alps.", "I work at Google.", "My dentist is Dr. Lee.", "I hike every Sunday."):
        remember(gw, text)
    found = gw.recall("hiking in the Alps", user="ada", now=at(1))
    assert texts(found)[0] == "I love hiking in the Alps."
    assert found[0].lexical is not None and found[0].semantic is not None and found[0].score == 1.0
    assert "My dentist is Dr. Lee." not in texts(found)
    assert len(gw.recall("hiking in the Alps", user="ada", limit=1, now=at(1))) == 1


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("What is my employer?", "I joined Stripe."),
        ("Where do I live?", "I moved to Berlin."),
        ("my favourite colour", "My favorite color is blue."),
        ("current location", "I moved to Berlin."),
    ],
)
def test_a_query_that_names_a_slot_finds_what_fills_it_in_whichever_words(gw: Groundwire, query: str, answer: str):
    for text in ("I joined Stripe.", "I moved to Berlin.", "My favorite color is blue.", "I play chess."):
        remember(gw, text)
    assert texts(gw.recall(query, user="ada", now=at(1)))[0] == answer


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("food allergies", "Peanuts make me sick."),
        ("automobile", "My car is red."),
        ("Does she own a pet?", "Ada has a dog called Rex."),
    ],
)
def test_what_was_said_in_other_words_is_found_by_its_meaning(gw: Groundwire, query: str, answer: str):
    for text in ("Peanuts make me sick.", "My car is red.", "Ada has a dog called Rex.", "The rent is due on Monday."):
        keep(gw, text)
    best = gw.recall(query, user="ada", now=at(1))[0]
    assert (best.memory.text, best.lexical) == (answer, None) and best.semantic is not None


def test_without_the_embedder_words_decide_and_it_is_said_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    shutil.copytree(packaged_models() / "embedder", tmp_path / "embedder")
    (tmp_path / "embedder" / TABLE).write_bytes(b"damaged")
    monkeypatch.setattr("groundwire.models.embedding.find_model", lambda name: open_model(tmp_path / name, "repair it"))
    with open_memory() as damaged:
        keep(damaged, "My car is red.")
        assert damaged.recall("automobile", user="ada", now=at(1)) == []
        (found,) = damaged.recall("car", user="ada", now=at(1))
        assert found.lexical is not None and found.semantic is None
        problem = store_of(damaged).vectors.problem
        assert problem is not None and "repair it" in str(problem)


def test_slots_are_read_from_nouns_and_verbs():
    assert find_slots("what was my previous employer") == ["user|employer"]
    assert find_slots("tell me about Redis") == []
    assert "user|location" in find_slots_of_verbs("Where do I live?")
    assert find_slots_of_verbs("who am I and what have I got") == []


def test_a_past_state_is_answered_as_of_its_time(gw: Groundwire):
    remember(gw, "I work at Google.")
    remember(gw, "I work at Amazon now.", 30)
    assert texts(gw.recall("my employer", user="ada", as_of=at(10))) == ["I work at Google."]
    assert texts(gw.recall("my employer", user="ada", as_of=at(30))) == ["I work at Amazon now."]
    assert texts(gw.recall("work", user="ada", as_of=at(10))) == ["I work at Google."]
    assert gw.recall("my employer", user="ada", as_of=at(-1)) == []
    with pytest.raises(InvalidInput, match="as_of"):
        gw.recall("work", user="ada", as_of=datetime(2026, 1, 1))


def test_the_previous_employer_is_in_the_history(gw: Groundwire):
    remember(gw, "I work at Google.")
    remember(gw, "I live in Porto.")
    remember(gw, "I left Google and joined Stripe.", 30)
    told = gw.history(user="ada", query="What was my previous employer?")
    assert texts(told) == ["I work at Google.", "I left Google and joined Stripe."]
    (before, after) = told
    assert isinstance(before, Memory)
    assert (before.superseded_by, before.why, before.valid_to) == (after.id, "employer changed", at(30))
    assert texts(gw.history(user="ada")) == [
        "I work at Google.",
        "I live in Porto.",
        "I left Google and joined Stripe.",
    ]
    assert texts(gw.history(user="ada", memory_id=before.id)) == texts(told)
    with pytest.raises(NotFound):
        gw.history(user="bob", memory_id=before.id)


# ── fading ──────────────────────────────────────────────────────────────────────────────────────


def test_confidence_fades_as_it_is_read_and_stays_as_it_was_stored(gw: Groundwire):
    keep(gw, "The user likes sushi.", confidence=0.8)
    keep(gw, "The user likes ramen and sushi.", origin="trusted", confidence=0.8)
    early = {r.memory.text: r.confidence for r in gw.recall("sushi", user="ada", now=at(15))}
    assert early["The user likes sushi."] == pytest.approx(0.8 * 2**-0.5)
    assert early["The user likes ramen and sushi."] == 0.8
    assert texts(gw.recall("sushi", user="ada", now=at(15), min_confidence=0.7)) == ["The user likes ramen and sushi."]
    assert texts(gw.recall("sushi", user="ada", now=at(30))) == ["The user likes ramen and sushi."]
    assert {memory.confidence for memory in store_of(gw).memories.list(ADA)} == {0.8}
    with open_memory(fact_window=60) as patient:
        keep(patient, "The user likes sushi.")
        assert texts(patient.recall("sushi", user="ada", now=at(30))) == ["The user likes sushi."]


def test_what_faded_makes_room_for_what_still_holds(gw: Groundwire):
    for number in range(30):
        keep(gw, f"sushi sushi sushi {number}")
    keep(gw, "The user once liked sushi in a small place near the harbour.", origin="trusted")
    assert texts(gw.recall("sushi", user="ada", now=at(40))) == [
        "The user once liked sushi in a small place near the harbour."
    ]


@pytest.mark.requirement("EXT-018")
def test_a_narrative_is_marked_and_grounds_nothing(gw: Groundwire):
    text = "We have been working at Bosch together since 2019."
    keep(gw, text, kind=MemoryKind.SHARED_NARRATIVE)
    (found,) = gw.recall("Bosch since 2019", user="ada", now=at(1))
    assert (found.memory.text, found.is_authoritative) == (text, False)
    report = gw.verify("You have been working at Bosch since 2019.", user="ada", now=at(1))
    assert not report.grounded and all(not claim.evidence for claim in report.claims)
    output = gw.judge(text, user="ada", now=at(1))
    assert (output.verdict, output.evidence_used) == ("INSUFFICIENT", ())
    remember(gw, "The user works at Bosch.")
    fact = next(r for r in gw.recall("Bosch", user="ada", now=at(1)) if r.memory.text == "The user works at Bosch.")
    assert fact.is_authoritative


# ── another way to find ─────────────────────────────────────────────────────────────────────────


@dataclass
class ByMeaning:
    """A retriever that knows what the words do not say."""

    answers: list[Retrieved]

    def retrieve(self, scope: Scope, query: str, *, when: datetime | None, limit: int) -> list[Retrieved]:
        return self.answers[:limit]

    def retrieve_all(
        self, scope: Scope, queries: Sequence[str], *, when: datetime | None, limit: int
    ) -> list[list[Retrieved]]:
        return [self.answers[:limit] for _ in queries]


def test_another_retriever_fits_behind_the_protocol(gw: Groundwire):
    near, far = keep(gw, "The user adores noodles."), keep(gw, "The user owns a boat.")
    hits = [Retrieved(near, 0.9, lexical=None, semantic=0.8), Retrieved(far, 0.4, lexical=1.5, semantic=0.2)]
    recaller = Recaller(store_of(gw).memories, ByMeaning(hits), dict.fromkeys(MemoryKind, 10**9))
    found = recaller.recall("pasta", ADA, when=at(1), limit=2)
    assert [(r.memory.id, r.score, r.lexical, r.semantic) for r in found] == [
        (near.id, 0.9, None, 0.8),
        (far.id, 0.4, 1.5, 0.2),
    ]


# ── forgetting ──────────────────────────────────────────────────────────────────────────────────


def test_forgetting_deletes_the_words_and_keeps_that_it_happened(tmp_path: Path):
    path = tmp_path / "memory.db"
    with open_memory(path) as gw:
        old = remember(gw, "I work at Xyzzycorp.").memory
        new = remember(gw, "I work at Plughsoft now.", 1).memory
        assert old is not None and new is not None
        gw.verify("You work at Plughsoft.", user="ada", now=at(2))
        remember(gw, "I think Xyzzycorp is great.", 2)
        forgotten = gw.forget(old.id, user="ada", reason="asked to", credential="console", now=at(3))
        assert [stone.id for stone in forgotten.tombstones] == [old.id] and forgotten.is_purged
        assert forgotten.memories == (new.id,)  # what took its place is named
        (stone, kept) = gw.history(user="ada", memory_id=new.id)
        assert isinstance(stone, Tombstone) and kept.id == new.id
        assert texts(gw.recall("Xyzzycorp", user="ada", as_of=at(0.5))) == []
        assert audit_of(gw, "forget_reason") == [("console", old.id, "ok")]
        gw.forget(new.id, user="ada", reason="that as well", now=at(4))
        assert store_of(gw).check() == ()
        with pytest.raises(NotFound):
            gw.forget(new.id, user="ada", reason="twice")
        with pytest.raises(InvalidInput, match="reason"):
            gw.forget(new.id, user="ada", reason="")
    left = b"".join(file.read_bytes() for file in tmp_path.iterdir()).lower()
    assert b"plughsoft" not in left and b"i work at xyzzycorp" not in left


def test_only_the_owner_s_memory_can_be_forgotten(gw: Groundwire):
    memory = remember(gw, "I work at Google.").memory
    assert memory is not None
    with pytest.raises(NotFound) as foreign:
        gw.forget(memory.id, user="bob", reason="mine")
    with pytest.raises(NotFound) as unknown:
        gw.forget("nothing", user="bob", reason="mine")
    assert str(foreign.value).replace(memory.id, "nothing") == str(unknown.value)
    assert store_of(gw).memories.get(ADA, memory.id) == memory


# ── what was refused ────────────────────────────────────────────────────────────────────────────


def test_rejections_are_counted_by_reason_with_a_recommendation(gw: Groundwire):
    assert gw.rejections(user="ada").total == 0
    remember(gw, "I work at Google.")
    remember(gw, "I think we should use Redis.", 1)
    propose(gw, "The user speaks Dutch.", 2)
    gw.remember_conversation(
        "User: We discussed music production.",
        user="ada",
        candidates=[
            {"text": "Works as professional producer", "type": "USER_FACT", "confidence": 0.9, "reasoning": "said"},
            {"text": "The user owns a boat", "type": "USER_FACT", "confidence": 0.9, "reasoning": "said"},
        ],
        now=at(3),
    )
    summary = gw.rejections(user="ada")
    counts = {share.label: share.count for share in summary.shares}
    assert summary.total == sum(counts.values()) == 5
    assert (counts["accepted"], counts["type rule"], counts["hallucination"], counts["not grounded"]) == (2, 1, 1, 1)
    assert summary.recommendation
    assert gw.rejections(user="ada", since=at(2.5)).total == 2
    assert gw.rejections(user="bob").total == 0


@pytest.mark.parametrize(
    ("wrong", "field"),
    [({"query": " "}, "query"), ({"limit": 0}, "limit"), ({"min_confidence": 1.5}, "min_confidence")],
)
def test_questions_out_of_range_are_refused(gw: Groundwire, wrong: dict[str, object], field: str):
    given: dict[str, object] = {"query": "work", "user": "ada", "now": NOW, **wrong}
    with pytest.raises(InvalidInput) as refused:
        gw.recall(**given)  # pyright: ignore[reportArgumentType]
    assert refused.value.field == field
