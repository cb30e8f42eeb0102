"""Verifying against the store: the evidence is what holds now, and a write by anybody is seen by the next question."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from groundwire import Groundwire, Verdict
from groundwire.errors import InvalidInput
from groundwire.evidence.retrieval import Retriever
from groundwire.judge.hybrid import HybridJudge
from groundwire.memory.stored import marks_of
from groundwire.models.embedding import StaticEmbedder
from groundwire.types import Memory, MemoryStatus, VerifierInput, VerifierOutput
from groundwire.types.records import Act
from remembered import ADA, NOW, at, open_memory, propose, remember, store_of


@pytest.fixture
def gw() -> Iterator[Groundwire]:
    with open_memory() as opened:
        yield opened


def ask(gw: Groundwire, text: str = "You work at Google.", days: float = 1, user: str = "ada") -> Verdict:
    (claim,) = gw.verify(text, user=user, now=at(days)).claims
    assert gw.judge(text, user=user, now=at(days)).verdict is claim.verdict
    return claim.verdict


def test_answers_are_checked_against_what_is_remembered_of_the_user(gw: Groundwire):
    memory = remember(gw, "I work at Google.").memory
    assert memory is not None
    report = gw.verify("You work at Google and live in Porto.", user="ada", now=at(1))
    assert [(c.verdict, c.evidence) for c in report.claims] == [
        (Verdict.SUPPORTED, (memory.id,)),
        (Verdict.INSUFFICIENT, ()),
    ]
    assert gw.judge("You work at Shell.", user="ada", now=at(1)).verdict is Verdict.REFUTED
    assert ask(gw, user="bob") is Verdict.INSUFFICIENT
    with pytest.raises(InvalidInput, match="user"):
        gw.judge("You work at Google.")


@pytest.mark.requirement("JDG-015")
def test_a_claim_is_embedded_and_five_memories_are_retrieved_before_it_is_judged(monkeypatch: pytest.MonkeyPatch):
    order: list[str] = []
    with open_memory(judge="mini") as gw:
        for number in range(12):
            remember(gw, f"The brewery in hall {number} makes beer number {number}.")
        embed, retrieve = StaticEmbedder.embed, Retriever.retrieve_all
        judge = HybridJudge.judge

        def watch_embed(self: StaticEmbedder, texts: Sequence[str]) -> Any:
            order.append("embed")
            return embed(self, texts)

        def watch_retrieve(self: Retriever, *given: Any, **others: Any) -> Any:
            order.append(f"retrieve {others['limit']}")
            return retrieve(self, *given, **others)

        def watch_judge(self: HybridJudge, question: VerifierInput) -> VerifierOutput:
            order.append(f"judge {len(question.evidence)}")
            return judge(self, question)

        monkeypatch.setattr(StaticEmbedder, "embed", watch_embed)
        monkeypatch.setattr(Retriever, "retrieve_all", watch_retrieve)
        monkeypatch.setattr(HybridJudge, "judge", watch_judge)
        gw.judge("Some beer is brewed there.", user="ada", now=at(1))
    assert order[:3] == ["retrieve 5", "embed", "judge 5"]


@pytest.mark.requirement("JDG-019")
def test_memories_about_something_else_leave_a_claim_open(monkeypatch: pytest.MonkeyPatch):
    with open_memory(judge="mini") as gw:
        remember(gw, "The kitchen was painted green by Tomas.")
        asked = "Tomas painted the kitchen."
        assert gw.judge(asked, user="ada", now=at(1)).verdict is Verdict.SUPPORTED
    monkeypatch.setattr(StaticEmbedder, "compare", lambda self, text, others: [0.29 for _ in others])
    with open_memory(judge="mini") as gw:
        remember(gw, "The kitchen was painted green by Tomas.")
        found = gw.judge(asked, user="ada", now=at(1))
        assert (found.verdict, found.reason) == (Verdict.INSUFFICIENT, "irrelevant_evidence")


def test_what_is_handed_in_comes_before_the_store(gw: Groundwire):
    remember(gw, "I work at Google.")
    assert gw.verify("You work at Shell.", memories=["I work at Shell."], user="ada").grounded
    assert gw.judge("You work at Shell.", ["I work at Shell."], user="ada").verdict is Verdict.SUPPORTED


def test_neither_what_waits_nor_what_ended_nor_what_faded_is_evidence(gw: Groundwire):
    propose(gw, "The user works at Google.")
    assert ask(gw) is Verdict.INSUFFICIENT
    remember(gw, "I live in Porto.", validity_horizon=at(5))
    assert [ask(gw, "You live in Porto.", days) for days in (4, 6)] == [Verdict.SUPPORTED, Verdict.INSUFFICIENT]
    gw.remember_conversation("User: I am a nurse.", user="ada", now=NOW)
    assert [ask(gw, "You are a nurse.", days) for days in (29, 31)] == [Verdict.SUPPORTED, Verdict.INSUFFICIENT]


def _supersede(gw: Groundwire, id: str) -> None:
    remember(gw, "I work at Amazon now.", 1)


def _deactivate(gw: Groundwire, id: str) -> None:
    store_of(gw).memories.change_status(ADA, id, MemoryStatus.INACTIVE, Act("ada", at(1)), why="asleep")


def _archive(gw: Groundwire, id: str) -> None:
    store_of(gw).memories.change_status(ADA, id, MemoryStatus.ARCHIVED, Act("ada", at(1)), why="old")


def _forget(gw: Groundwire, id: str) -> None:
    gw.forget(id, user="ada", reason="asked to", now=at(1))


CHANGES = [_supersede, _deactivate, _archive, _forget]
Change = Callable[[Groundwire, str], None]


@pytest.mark.requirement("STO-003")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("crowd", [0, 300])
def test_every_change_is_seen_by_the_next_question(tmp_path: Path, change: Change, crowd: int):
    path = tmp_path / "memory.db"
    with open_memory(path) as reader, open_memory(path) as writer:
        many = [f"The host db{n} listens on port {4000 + n}." for n in range(crowd)]
        store_of(writer).memories.add_many(
            [Memory("", text, owner="ada") for text in many], Act("ada", NOW), fingerprints=[()] * crowd
        )
        assert ask(reader, days=2) is Verdict.INSUFFICIENT
        memory = remember(writer, "I work at Google.").memory
        assert memory is not None
        for gw in (reader, writer):
            assert ask(gw, days=2) is Verdict.SUPPORTED
        change(writer, memory.id)
        for gw in (reader, writer):
            assert ask(gw, days=2) is not Verdict.SUPPORTED


WRITER = """
import sys
from datetime import datetime
from groundwire import Groundwire, Settings
with Groundwire(sys.argv[1], settings=Settings(judge="rules")) as gw:
    gw.remember(sys.argv[2], user="ada", now=datetime.fromisoformat(sys.argv[3]))
"""


@pytest.mark.requirement("STO-003")
def test_another_process_is_seen_as_well(tmp_path: Path):
    path = tmp_path / "memory.db"
    with open_memory(path) as gw:
        assert ask(gw) is Verdict.INSUFFICIENT
        command = [sys.executable, "-c", WRITER, str(path), "I work at Google.", NOW.isoformat()]
        subprocess.run(command, check=True)
        assert ask(gw) is Verdict.SUPPORTED
        assert [r.memory.text for r in gw.recall("my employer", user="ada", now=at(1))] == ["I work at Google."]


def test_an_unchanged_memory_is_read_once(gw: Groundwire, monkeypatch: pytest.MonkeyPatch):
    remember(gw, "I work at Google.")
    recall, read = store_of(gw).memories.recall, list[int]()
    monkeypatch.setattr(store_of(gw).memories, "recall", lambda *a, **k: read.append(1) or recall(*a, **k))
    for _ in range(3):
        assert gw.verify("You work at Google.", user="ada", now=at(1)).grounded
    assert len(read) == 1
    remember(gw, "I live in Porto.", user="bob")
    gw.verify("You work at Google.", user="ada", now=at(1))
    assert len(read) == 1  # somebody else's change is no reason to read again
    remember(gw, "I live in Porto.")
    gw.verify("You work at Google.", user="ada", now=at(1))
    assert len(read) == 2


@pytest.mark.requirement("STO-008")
def test_the_same_claim_over_the_same_evidence_is_judged_once(gw: Groundwire, monkeypatch: pytest.MonkeyPatch):
    remember(gw, "I work at Google.")
    judge = gw._open().judge  # pyright: ignore[reportPrivateUsage]
    original, asked = judge.judge, list[str]()

    def count(question: VerifierInput) -> VerifierOutput:
        if question.claim.startswith("You"):  # the gate asks as well
            asked.append(question.claim)
        return original(question)

    monkeypatch.setattr(judge, "judge", count)
    for _ in range(3):
        assert gw.judge("You work at Google.", user="ada", now=at(1)).verdict is Verdict.SUPPORTED
    assert len(asked) == 1
    remember(gw, "I work at Amazon now.", 1)
    assert gw.judge("You work at Google.", user="ada", now=at(2)).verdict is not Verdict.SUPPORTED
    assert len(asked) == 2
    for number in range(100):
        gw.judge(f"You own {number} boats.", user="ada", now=at(2))
    gw.judge("You work at Google.", user="ada", now=at(2))
    assert len(asked) == 103  # the last hundred claims are kept


def test_every_verdict_is_logged_with_what_it_rested_on(gw: Groundwire):
    memory = remember(gw, "I work at Google.").memory
    assert memory is not None
    gw.verify("You work at Google. You live in Porto.", user="ada", now=at(1))
    gw.judge("You work at Shell.", user="ada", now=at(2))
    logged = store_of(gw).logs.verdicts(ADA)
    assert [(v.claim, v.verdict, v.evidence_used, v.recorded_at) for v in logged] == [
        ("You work at Shell.", Verdict.REFUTED, (memory.id,), at(2)),
        ("You live in Porto", Verdict.INSUFFICIENT, (), at(1)),
        ("You work at Google", Verdict.SUPPORTED, (memory.id,), at(1)),
    ]
    assert {v.judge for v in logged} == {"rules.v1"}


def test_a_large_memory_gives_the_evidence_that_a_claim_is_about(gw: Groundwire):
    texts = [f"The host db{n} listens on port {4000 + n}." for n in range(600)] + ["I joined Stripe."]
    memories = [Memory("", text, owner="ada") for text in texts]
    prints = [marks_of(text) for text in texts]
    store_of(gw).memories.add_many(memories, Act("ada", NOW), fingerprints=prints)
    assert ask(gw, "The host db77 listens on port 4077.") is Verdict.SUPPORTED
    assert ask(gw, "The host db77 listens on port 4078.") is Verdict.REFUTED
    assert ask(gw, "You work at Stripe.") is Verdict.SUPPORTED  # no word of it is stored: found by its slot
