"""Sentence by sentence or at once: a stream is judged as the read gate judges the whole answer."""

from __future__ import annotations

from groundwire import Groundwire, Settings
from groundwire.guard.policy import GuardOptions, OnRefuted, OnUndisclosed, OnUnverified
from groundwire.types import ClaimReport
from scoring import read_answer_cases
from streams import cut

EVERY = 4
AS_IT_IS = GuardOptions(refuted=OnRefuted.REPAIR, unverified=OnUnverified.RELEASE, undisclosed=OnUndisclosed.IGNORE)


def tell(claims: tuple[ClaimReport, ...]) -> list[tuple[object, ...]]:
    return [(claim.text, claim.span, claim.verdict, claim.evidence) for claim in claims]


def test_a_stream_gets_the_claims_spans_and_verdicts_of_the_read_gate():
    house = Groundwire(settings=Settings(judge="rules", slow_verification_ms=600_000))
    cases = read_answer_cases("dev")[::EVERY]
    different: list[str] = []
    for case in cases:
        whole = house.verify(case.text, memories=case.memories)
        guard = house.open_stream(memories=case.memories, options=AS_IT_IS).guard
        events = [*(event for chunk in cut(case.text, 5) for event in guard.feed(chunk)), *guard.flush()]
        if tell(tuple(claim for event in events for claim in event.claims)) != tell(whole.claims):
            different.append(case.id)
    assert len(cases) > 400
    assert len(different) <= len(cases) // 200, different
