"""The composition root: settings in, a ready Groundwire out. The only module that reads the clock."""

from __future__ import annotations

import time
from collections.abc import Sequence

from groundwire.errors import InvalidInput
from groundwire.judge.judge import Judge, RulesJudge, as_passages
from groundwire.settings import Settings
from groundwire.text.claims import extract_claims
from groundwire.text.extraction import FactExtractor
from groundwire.types import (
    Claim,
    ExtractedFact,
    Memory,
    Passage,
    VerificationReport,
    VerifierInput,
    VerifierOutput,
    VerifyMode,
)
from groundwire.verify.report import GroundCheckVerifier, spellings_of


class Groundwire:
    """The three gates over one memory. This release has the read gate over memories handed in."""

    def __init__(self, store: str | None = None, *, settings: Settings | None = None) -> None:
        if store is not None:
            raise InvalidInput("store", "a stored memory is not available in this release; pass memories to verify()")
        self.settings = settings or Settings()
        self._facts = FactExtractor(
            exclusive_slots=tuple(self.settings.exclusive_slots), additive_slots=tuple(self.settings.additive_slots)
        )
        self._judge: Judge = RulesJudge(
            time.perf_counter,
            refute_confidence=self.settings.refute_confidence,
            max_branches=self.settings.max_branches,
            low_confidence=self.settings.low_confidence,
            spellings=spellings_of(self.settings),
        )
        self._verifier = GroundCheckVerifier(self.settings, clock=time.perf_counter)

    def claims(self, text: str, *, hedged: bool = False) -> tuple[Claim, ...]:
        """What `text` asserts, one claim at a time."""
        self._check_answer(text)
        return extract_claims(text, hedged=hedged)

    def facts(self, text: str) -> tuple[ExtractedFact, ...]:
        """Subject, slot and value of everything that `text` says."""
        self._check_answer(text)
        return self._facts.extract(text)

    def judge(
        self,
        claim: str,
        evidence: Sequence[Passage | str],
        *,
        context: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
    ) -> VerifierOutput:
        """Does this evidence support the claim, refute it, or say nothing?"""
        self._check_answer(claim, "claim")
        passages = as_passages(evidence)
        _check_unique("evidence", [p.id for p in passages])
        return self._judge.judge(VerifierInput(claim, passages, context, mode))

    def verify(
        self,
        text: str,
        *,
        memories: Sequence[Memory | str] = (),
        passages: Sequence[Passage | str] = (),
        query: str | None = None,
        mode: VerifyMode = VerifyMode.POSTHOC,
        user: str | None = None,
    ) -> VerificationReport:
        """Check every claim of an answer; passages count as memories of full trust."""
        self._check_answer(text)
        given = [m if isinstance(m, Memory) else Memory(f"m{i}", m) for i, m in enumerate(memories, 1)]
        given += [Memory(p.id, p.text, p.trust, p.timestamp) for p in as_passages(passages)]
        if user:
            given.append(Memory(f"name:{user}", f"The user's name is {user}."))
        self._check_memories(given)
        return self._verifier.verify(text, given, mode=mode)

    def _check_answer(self, text: str, field: str = "text") -> None:
        limit = self.settings.max_answer_characters
        if len(text) > limit:
            raise InvalidInput(
                field, f"has {len(text):,} characters; at most {limit:,} are verified in one call: split it"
            )

    def _check_memories(self, memories: Sequence[Memory]) -> None:
        if len(memories) > self.settings.max_memories:
            raise InvalidInput(
                "memories",
                f"{len(memories):,} were given; at most {self.settings.max_memories:,} are taken in one call",
            )
        _check_unique("memories", [m.id for m in memories])
        limit = self.settings.max_memory_characters
        for memory in memories:
            if len(memory.text) > limit:
                found = f"memory {memory.id!r} has {len(memory.text):,} characters"
                raise InvalidInput("memories", f"{found}; at most {limit:,} are taken: split it")


def _check_unique(field: str, ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise InvalidInput(field, f"the id {name!r} occurs twice; ids must be unique in one call")
        seen.add(name)
