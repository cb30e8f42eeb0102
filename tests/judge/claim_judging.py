"""One claim against what is remembered, and short names for what comes of it."""

from __future__ import annotations

from groundwire.types import Memory, Verdict
from groundwire.verify.report import GroundCheckVerifier

S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT


def judge(answer: str, *memories: str) -> Verdict:
    stored = [Memory(f"m{number}", text) for number, text in enumerate(memories, 1)]
    (claim,) = GroundCheckVerifier().verify(answer, stored).claims
    return claim.verdict
