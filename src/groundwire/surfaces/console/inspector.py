"""The answer inspector: an answer claim by claim, with its evidence, its correction and its flags."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from starlette.responses import Response

from groundwire.errors import InvalidInput, NotFound
from groundwire.surfaces.console.marks import cut
from groundwire.surfaces.console.visits import Visit
from groundwire.surfaces.requests import check_text
from groundwire.surfaces.rest.problems import describe
from groundwire.types import Memory, Scope, VerificationReport
from groundwire.types.detection import DialogueTurn, HallucinationType

if TYPE_CHECKING:
    from groundwire.surfaces.rest.callers import Caller

_MOST_LINES = 200
_PRIOR = HallucinationType.CONTRADICTS_PRIOR
_SPEAKERS = ("assistant", "user")
_FIELDS = ("answer", "before", "memories", "user")


def show_form(visit: Visit) -> Response:
    asked = {**dict.fromkeys(_FIELDS, ""), "user": visit.choose_owner() or ""}
    return _show(visit, asked)


def inspect(visit: Visit) -> Response:
    """Against the memories that are pasted, or else those of the user; what is wrong with a field is said beside it."""
    asked = {name: visit.form.get(name, "") for name in _FIELDS}
    try:
        return _inspect(visit, asked)
    except InvalidInput as error:
        return _show(visit, asked, status=describe(error).status, error=str(error))


def _inspect(visit: Visit, asked: Mapping[str, str]) -> Response:
    caller, settings = visit.asker, visit.asker.service.settings
    answer = check_text(asked["answer"], "answer", settings.max_answer_characters)
    longest = settings.max_memory_characters
    memories = [Memory(f"m{n}", check_text(line, "memories", longest)) for n, line in _read_lines(asked["memories"])]
    before = read_turns(asked["before"], settings.max_answer_characters)
    if not memories and caller.credential.owner is None and not asked["user"].strip():
        raise InvalidInput("user", "is missing; name whose memories are meant, or paste memories below")
    scope = None if memories else visit.need_scope()

    def check() -> VerificationReport:
        report = visit.gw.verify(
            answer,
            memories=memories,
            query=next((turn.text for turn in reversed(before) if turn.role == "user"), None),
            user=None if scope is None else scope.owner,
            tenant=caller.credential.tenant,
            flags=True,
        )
        # Without a user nothing that it finds is queued or recorded: looking changes nothing.
        said = visit.gw.detect(answer, dialogue=before).flags if before else ()
        return replace(report, flags=(*report.flags, *(flag for flag in said if flag.hallucination_type is _PRIOR)))

    report = visit.time("verify", check)
    caller.service.metrics.note_report(report)
    texts = _read_evidence(caller, scope, report, memories)
    return _show(
        visit,
        asked,
        report=report,
        texts=texts,
        explanations=[explain(claim.explanation, claim.evidence) for claim in report.claims],
        pieces=cut(report.text, [claim.span for claim in report.claims]),
        flagged=cut(report.text, [flag.span for flag in report.flags]),
        links=scope is not None,
        counts=_count(report),
    )


def read_turns(text: str, longest: int) -> list[DialogueTurn]:
    """What was said before, one turn a line; "assistant:" or "user:" in front says by whom, else the user did."""
    turns: list[DialogueTurn] = []
    for number, line in _read_lines(text):
        speaker, colon, said = line.partition(":")
        role = speaker.strip().lower()
        is_named = bool(colon) and role in _SPEAKERS and bool(said.strip())
        words = check_text(said.strip() if is_named else line, "before", longest)
        turns.append(DialogueTurn(number, role if is_named else "user", words))
    return turns


def _read_lines(text: str) -> list[tuple[int, str]]:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > _MOST_LINES:
        raise InvalidInput("lines", f"there are {len(lines):,}; the limit is {_MOST_LINES:,}")
    return list(enumerate(lines, 1))


def _show(visit: Visit, asked: Mapping[str, str], *, status: int = 200, error: str = "", **found: object) -> Response:
    values = {"report": None, "error": error, **found}
    owners = [owner for owner, _, _ in visit.list_owners()]
    kinds = list(HallucinationType)
    return visit.show(
        "inspect.html", code=status, title="Answer inspector", asked=asked, owners=owners, kinds=kinds, **values
    )


def _read_evidence(
    caller: Caller, scope: Scope | None, report: VerificationReport, given: Sequence[Memory]
) -> dict[str, str]:
    """The words of every memory that a claim rests on or fails on."""
    texts = {memory.id: memory.text for memory in given}
    if scope is None:
        return texts
    ledger = caller.ledger(scope)
    wanted = {id for claim in report.claims for id in claim.evidence}
    wanted |= {id for one in report.contradictions for id in one.memory_ids}
    for id in wanted:
        try:
            texts[id] = ledger.memory(id).text
        except NotFound:
            texts[id] = "(known without a memory)"
    return texts


def explain(explanation: str, ids: Sequence[str]) -> str:
    """Without the verdict, which is shown beside it; a memory is called by its place in the list below it."""
    said = explanation.partition(": ")[2] or explanation
    for number, id in enumerate(ids, 1):
        name = "the memory" if len(ids) == 1 else f"memory {number}"
        said = re.sub(rf"(?<!\w){re.escape(id)}(?!\w)", name, said)
    return said


def _count(report: VerificationReport) -> dict[str, int]:
    counts: dict[str, int] = {}
    for claim in report.claims:
        counts[claim.verdict.value] = counts.get(claim.verdict.value, 0) + 1
    return counts
