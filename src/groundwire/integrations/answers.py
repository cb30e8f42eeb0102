"""What every adapter does: an answer in, what may be said instead out, with the report that says why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from groundwire.app import Groundwire
from groundwire.types import Passage, Verdict, VerificationReport

Who = str | Callable[[Any], str]
"""Whose memories: a name, or how to find it in what the framework hands over with a call."""
WITHHELD = "I cannot confirm this from what I remember, so I would rather not say it."


class Remedy(StrEnum):
    """What becomes of an answer that does not hold: put right, marked and let through, or held back."""

    CORRECT = "correct"
    FLAG = "flag"
    BLOCK = "block"


@dataclass(frozen=True, slots=True)
class Checked:
    """`text` is what may be said; `problem` says what is wrong with the answer, for the model that wrote it."""

    answer: str
    text: str
    report: VerificationReport
    problem: str = ""

    @property
    def is_flagged(self) -> bool:
        return bool(self.problem)


class AnswerCheck:
    """Checks answers against what is remembered of a user. Without `strict` an answer may say more than memory knows,
    as most do; with it, nothing that memory does not bear out passes."""

    def __init__(
        self,
        gw: Groundwire,
        *,
        user: Who,
        tenant: str = "default",
        remedy: Remedy | str = Remedy.CORRECT,
        strict: bool = False,
    ) -> None:
        self._gw = gw
        self._user = user
        self._tenant = tenant
        self.remedy = Remedy(remedy)
        self._strict = strict

    def check(self, answer: str, call: object = None) -> Checked:
        """`call` is whatever the user's name is to be found in."""
        user = self._user if isinstance(self._user, str) else self._user(call)
        return self._weigh(answer, self._gw.verify(answer, user=user, tenant=self._tenant))

    def check_against(self, answer: str, passages: list[Passage]) -> Checked:
        """The same against passages in place of memories."""
        return self._weigh(answer, self._gw.verify(answer, passages=passages))

    async def check_async(self, answer: str, call: object = None) -> Checked:
        from asyncio import to_thread

        return await to_thread(self.check, answer, call)

    def _weigh(self, answer: str, report: VerificationReport) -> Checked:
        problem = describe_problem(report, strict=self._strict)
        if not problem or self.remedy is Remedy.FLAG:
            return Checked(answer, answer, report, problem)
        settled = self.remedy is Remedy.CORRECT and report.corrected is not None
        unsettled = self._strict and bool(report.unverifiable)
        text = report.corrected if settled and not unsettled else None
        return Checked(answer, WITHHELD if text is None else text, report, problem)


def describe_problem(report: VerificationReport, *, strict: bool = False) -> str:
    """One line a problem, in the words of the report; empty where there is none."""
    lines: list[str] = []
    for claim in report.claims:
        if claim.verdict is Verdict.REFUTED:
            why = claim.explanation.removeprefix(f"{claim.verdict.value}: ")
            put_right = f" It should say “{claim.correction}”." if claim.correction else ""
            lines.append(f"“{claim.text}” is wrong: {why}{put_right}")
    if report.requires_disclosure:
        lines.append(f"A change or a contradiction is not disclosed: {report.expected_disclosure or 'say both values'}")
    if strict:
        lines += [f"“{words}” is not borne out by any memory." for words in report.unverifiable]
    return "\n".join(lines) or ("The answer is not grounded." if strict and not report.grounded else "")


def summarise(checked: Checked) -> dict[str, Any]:
    """What a framework may keep beside the message, as plain JSON."""
    report = checked.report
    return {
        "grounded": report.grounded,
        "flagged": checked.is_flagged,
        "problem": checked.problem,
        "hallucinations": list(report.hallucinations),
        "unverifiable": list(report.unverifiable),
        "expected_disclosure": report.expected_disclosure,
        "corrected": report.corrected,
        "judge": report.judge,
    }
