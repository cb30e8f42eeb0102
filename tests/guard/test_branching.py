"""Branches: at most three, the best of them or an abstention, and everything on record."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from groundwire.errors import StoreFull
from groundwire.guard.branching import Branching, Request, measure_success, word_abstention
from groundwire.guard.events import Abstain, Branch, Halt, StreamEvent
from groundwire.guard.guidance import describe_faults
from groundwire.guard.kept import KeptRecords
from groundwire.guard.policy import ABSTENTION, GuardOptions, OnUnverified
from groundwire.guard.protocols import BranchRecord, Checked, Regeneration
from groundwire.guard.ring import RecentRecords
from groundwire.types import Scope, Verdict
from streams import RulesCheck, of_kind, open_guard

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SCOPE = Scope("ada", "default")
WRONG = "Alice works at Globex."


def halt_on(text: str, **options: object) -> tuple[Halt, Branching, RecentRecords]:
    return start(text, RulesCheck(), GuardOptions(**options))  # type: ignore[arg-type]


def start(text: str, check: RulesCheck, options: GuardOptions, most: int = 3) -> tuple[Halt, Branching, RecentRecords]:
    guard = open_guard(check)
    (halt,) = of_kind([*guard.feed(text), *guard.flush()], Halt)
    assert isinstance(halt, Halt)
    assert guard.report is not None
    log, request = RecentRecords(), Request("r7", "Where does Alice work?", SCOPE, most)
    return halt, Branching(check, halt, guard.report, request, options, log=log, now=lambda: NOW), log


def answer(branching: Branching, texts: Sequence[str]) -> tuple[list[Regeneration], StreamEvent]:
    requests: list[Regeneration] = []
    while (request := branching.next_request()) is not None:
        requests.append(request)
        branching.offer(texts[len(requests) - 1])
    return requests, branching.conclude()


@pytest.mark.requirement("ACT-008")
def test_at_most_three_branches_each_with_other_sampling_and_guidance():
    _, branching, _ = halt_on(WRONG)
    wrong = ["Alice works at Initech.", "Alice works at Hooli.", "Alice works at Umbrella.", "Alice works at Acme."]
    requests, event = answer(branching, wrong)
    assert [request.number for request in requests] == [1, 2, 3]
    assert len({tuple(sorted(request.sampling.items())) for request in requests}) == 3
    assert "Globex" in requests[0].guidance
    assert "Initech" in requests[1].guidance
    assert isinstance(event, Abstain)
    assert event.branch_count == 3
    assert branching.next_request() is None


@pytest.mark.requirement("ACT-008")
def test_a_branch_that_passes_ends_the_asking():
    _, branching, _ = halt_on(WRONG)
    requests, event = answer(branching, ["Alice works at Acme.", "never asked"])
    assert len(requests) == 1
    assert isinstance(event, Branch)
    assert event.is_accepted
    assert event.text == "Alice works at Acme."


@pytest.mark.requirement("ACT-009")
def test_the_best_candidate_has_fewest_refuted_then_fewest_unknown_then_most_confidence_then_came_first():
    _, branching, _ = halt_on(WRONG)
    _, event = answer(
        branching,
        ["You own a boat. You own a plane.", "You live in Berlin. You own a boat.", "You own a car. You live in Rome."],
    )
    assert isinstance(event, Branch)
    assert event.number == 2
    assert event.caveat == ("You own a boat",)
    assert "You own a boat. (not verified)" in event.text
    _, again, _ = halt_on(WRONG)
    _, event = answer(again, ["You own a boat.", "You own a plane.", "You own a car."])
    assert isinstance(event, Branch)
    assert event.number == 1


@pytest.mark.requirement("ACT-009")
def test_it_abstains_only_where_every_candidate_is_surely_refuted():
    doubtful = RulesCheck(change=lambda checked: _weaken(checked, "Hooli"))
    _, branching, _ = start(WRONG, doubtful, GuardOptions())
    _, event = answer(branching, ["Alice works at Initech.", "Alice works at Hooli.", "Alice works at Umbrella."])
    assert isinstance(event, Branch)
    assert event.number == 2
    assert "Hooli" not in event.text, "a doubtful refutation is mended before it is shown"


def _weaken(checked: Checked, word: str) -> Checked:
    claims = tuple(
        replace(c, confidence=0.6) if c.verdict is Verdict.REFUTED and word in c.text else c
        for c in checked.report.claims
    )
    return replace(checked, report=replace(checked.report, claims=claims))


@pytest.mark.requirement("ACT-017")
def test_a_raised_threshold_holds_for_branches_and_abstention_as_well():
    def raise_it(checked: Checked) -> Checked:
        claims = tuple(
            replace(c, confidence=0.8) if c.verdict is Verdict.REFUTED and "Globex" not in c.text else c
            for c in checked.report.claims
        )
        return replace(checked, report=replace(checked.report, claims=claims), threshold=0.9, is_raised=True)

    _, branching, _ = start(WRONG, RulesCheck(change=raise_it), GuardOptions())
    requests, event = answer(branching, ["Alice works at Initech."] * 3)
    assert len(requests) == 1
    assert isinstance(event, Branch)


@pytest.mark.requirement("ACT-010")
def test_the_abstention_is_structured_and_its_text_is_the_one_agreed_on():
    halt, branching, _ = halt_on(WRONG)
    _, event = answer(branching, [WRONG, WRONG, WRONG])
    assert isinstance(event, Abstain)
    assert event.text == f"I cannot provide a verified answer to this question. [Reason: {event.reason}]"
    assert halt.claims[0].explanation in event.reason
    assert [claim.text for claim in event.claims] == ["Alice works at Globex"]
    assert event.evidence == ("m1",)
    assert event.branch_count == 3
    assert event.request_id == "r7"


@pytest.mark.requirement("ACT-010")
def test_the_words_of_the_abstention_can_be_chosen():
    _, branching, _ = halt_on(WRONG, abstention="No answer: {verifier_explanation}!")
    _, event = answer(branching, [WRONG] * 3)
    assert isinstance(event, Abstain)
    assert event.text == f"No answer: {event.reason}!"
    assert word_abstention(ABSTENTION, "{braces} %s").endswith("[Reason: {braces} %s]")


@pytest.mark.requirement("ACT-011")
def test_an_abstention_is_logged_with_query_claims_verdicts_and_evidence():
    _, branching, log = halt_on(WRONG)
    answer(branching, [WRONG] * 3)
    (record,) = log.abstentions(SCOPE)
    assert record.query == "Where does Alice work?"
    assert [(claim.text, claim.verdict) for claim in record.claims] == [("Alice works at Globex", Verdict.REFUTED)]
    assert record.evidence == ("m1",)
    assert (record.request_id, record.branch_count, record.recorded_at) == ("r7", 3, NOW)
    assert log.abstentions(Scope("eve", "default")) == ()


@pytest.mark.requirement("ACT-019")
def test_each_branch_is_recorded_with_the_verdict_before_and_after():
    _, branching, log = halt_on(WRONG)
    answer(branching, ["Alice works at Initech.", "You own a boat.", "Alice works at Acme."])
    records = log.branches(SCOPE)[::-1]
    assert [(r.before["REFUTED"], r.after["REFUTED"], r.after["INSUFFICIENT"]) for r in records] == [
        (1, 1, 0),
        (1, 0, 1),
        (0, 0, 0),
    ]
    assert [record.improved for record in records] == [False, True, True]
    assert measure_success(list(records)) == pytest.approx(2 / 3)
    assert measure_success([]) is None


def test_a_branch_that_nothing_came_of_is_used_up():
    _, branching, log = halt_on(WRONG)
    while branching.next_request() is not None:
        branching.fail("timed out")
    assert isinstance(branching.conclude(), Abstain)
    assert [record.improved for record in log.branches(SCOPE)] == [False] * 3


def test_no_branches_are_made_where_none_are_allowed():
    _, branching, _ = start(WRONG, RulesCheck(), GuardOptions(), most=0)
    assert branching.next_request() is None


def test_guidance_names_what_is_wrong_what_is_unknown_and_what_has_to_be_told():
    report = RulesCheck()("Alice works at Globex. You own a boat.").report
    assert describe_faults(report, {"m1": "Alice works at\n Acme as a nurse."}).splitlines() == [
        "“Alice works at Acme as a nurse.” Say “Acme”, not “Globex”.",
        "Leave out what nothing is known of: “You own a boat”.",
        "If nothing that is known answers the question, say “I do not know” and no more.",
    ]
    assert "m1 says “Acme”" in describe_faults(report), "where the memory's own words are not at hand"


def test_guidance_stays_short_however_much_is_wrong():
    report = RulesCheck()(" ".join(f"Alice works at Globex{n}. You own {n} boats." for n in range(200))).report
    told = describe_faults(report, {"m1": "Alice works at Acme. " * 5_000})
    assert len(told.splitlines()) <= 7
    assert len(told) < 5_000


def test_the_log_keeps_the_latest_only():
    log = RecentRecords(2)
    for number in range(3):
        log.record_branch(BranchRecord("r", number, {}, {}, True, True, NOW, SCOPE))
    assert [record.number for record in log.branches(SCOPE)] == [2, 1]
    assert [record.number for record in log.branches(SCOPE, limit=1)] == [2]


class Values:
    """Values by path in a dictionary; may be full."""

    def __init__(self) -> None:
        self.held: dict[tuple[Scope, str], Any] = {}
        self.is_full = False

    def put(self, scope: Scope, values: Mapping[str, Any], when: datetime) -> None:
        if self.is_full:
            raise StoreFull("the disk is full", "make room")
        self.held.update({(scope, path): json.loads(json.dumps(value)) for path, value in values.items()})

    def values(self, scope: Scope, prefix: str = "") -> Mapping[str, Any]:
        return {path: v for (owner, path), v in self.held.items() if owner == scope and path.startswith(prefix)}


def test_a_kept_log_uses_its_places_again_and_goes_on_where_it_stopped():
    values = Values()
    for start in (0, 3):
        log = KeptRecords(lambda: values, kept=4)
        for number in range(start, start + 3):
            log.record_branch(BranchRecord("r", number, {"REFUTED": 1}, {"REFUTED": 0}, True, True, NOW, SCOPE))
    assert [record.number for record in log.branches(SCOPE)] == [5, 4, 3, 2]
    assert log.branches(SCOPE)[0] == BranchRecord("r", 5, {"REFUTED": 1}, {"REFUTED": 0}, True, True, NOW, SCOPE)
    assert log.branches(Scope("eve", "default")) == ()


def test_what_cannot_be_kept_is_remembered_for_now():
    values = Values()
    log = KeptRecords(lambda: values)
    values.is_full = True
    log.record_branch(BranchRecord("r", 1, {}, {}, True, True, NOW, SCOPE))
    assert len(log.branches(SCOPE)) == 1
    assert values.held == {}


# ── what is no answer ───────────────────────────────────────────────────────────────────────────


def test_a_guidance_that_comes_back_is_no_answer_and_is_never_shown():
    _, branching, log = halt_on(WRONG)
    request = branching.next_request()
    assert request is not None
    event = branching.offer(f"- {request.guidance}")
    assert (event.claims, event.improved) == ((), False)
    assert [record.improved for record in log.branches(SCOPE)] == [False]
    assert branching.next_request() is not None
    branching.offer("Alice works at Acme.")
    assert branching.conclude().text == "Alice works at Acme."  # type: ignore[union-attr]


@pytest.mark.requirement("ACT-010", "ACT-011")
def test_a_generator_that_has_no_answer_either_is_an_abstention_with_its_record():
    _, branching, log = halt_on(WRONG)
    _, event = answer(branching, ["I do not know.", "Where does who work?", "Sorry!"])
    assert isinstance(event, Abstain)
    assert (event.branch_count, event.evidence) == (3, ("m1",))
    (record,) = log.abstentions(SCOPE)
    assert record.query == "Where does Alice work?"
    assert measure_success(list(log.branches(SCOPE))) == 0.0


def test_a_decline_is_asked_about_again_only_where_memory_has_the_right_words():
    """“Acme” is known, so another branch may find it; of a boat nothing is known."""
    _, branching, _ = halt_on(WRONG)
    requests, event = answer(branching, ["I do not know.", "Alice works at Acme."])
    assert len(requests) == 2
    assert isinstance(event, Branch)
    guard = open_guard(unverified=OnUnverified.BRANCH)
    (halt,) = of_kind([*guard.feed("You own a boat."), *guard.flush()], Halt)
    assert isinstance(halt, Halt) and guard.report is not None
    request, options = Request("r", "", SCOPE), GuardOptions(unverified=OnUnverified.BRANCH)
    branching = Branching(RulesCheck(), halt, guard.report, request, options, now=lambda: NOW)
    requests, event = answer(branching, ["I do not know.", "never asked"])
    assert len(requests) == 1
    assert isinstance(event, Abstain)


def test_guidance_of_ones_own_may_come_back_as_the_answer():
    check = RulesCheck()
    guard = open_guard(check)
    (halt,) = of_kind([*guard.feed(WRONG), *guard.flush()], Halt)
    assert isinstance(halt, Halt) and guard.report is not None
    branching = Branching(
        check,
        halt,
        guard.report,
        Request("r"),
        GuardOptions(),
        guidance=lambda _: "Alice works at Acme.",
        now=lambda: NOW,
    )  # fmt: skip
    _, event = answer(branching, ["Alice works at Acme."])
    assert isinstance(event, Branch)
    assert event.text == "Alice works at Acme."
