"""The stream gate: what is released, repaired and halted, and that nothing refuted ever gets out of strict."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from effort import count_calls, stays_cheap
from groundwire.guard.events import Halt, Hold, Release, Repair, StreamEvent, tell_text
from groundwire.guard.policy import GuardMode, OnRefuted, OnUndisclosed, OnUnverified
from groundwire.guard.protocols import Checked
from groundwire.types import Memory, Span, Verdict
from streams import RulesCheck, cut, cut_at, of_kind, open_guard, run, show

TRUE = "You live in Berlin. Alice is a nurse. Clara was born in 1987."
FALSE = "You live in Berlin. Alice is a nurse. She works at Globex. Clara was born in 1987."
JOBS = (
    Memory("old", "I work at Microsoft.", 0.9, 1_600_000_000),
    Memory("new", "I work at Amazon.", 0.9, 1_700_000_000),
)


def doubt(limit: float, *, raised: bool = False, threshold: float = 0.7):
    """Every refutation is only this sure."""

    def change(checked: Checked) -> Checked:
        claims = tuple(
            replace(claim, confidence=limit) if claim.verdict is Verdict.REFUTED else claim
            for claim in checked.report.claims
        )
        report = replace(checked.report, claims=claims)
        return replace(checked, report=report, is_raised=raised, threshold=threshold)

    return change


# ── strict ──────────────────────────────────────────────────────────────────────────────────────


def test_a_true_answer_is_released_as_it_is_sentence_by_sentence():
    events = run(TRUE)
    assert tell_text(events) == TRUE
    assert [type(event) for event in events] == [Release] * 3
    assert [claim.verdict for event in events for claim in event.claims] == [Verdict.SUPPORTED] * 3


@pytest.mark.requirement("ACT-013", "ACT-014")
def test_a_refuted_claim_halts_and_nothing_of_it_was_released():
    guard = open_guard()
    events = [event for chunk in cut(FALSE, 3) for event in guard.feed(chunk)]
    (halt,) = of_kind(events, Halt)
    assert isinstance(halt, Halt)
    assert tell_text(events) == "You live in Berlin. Alice is a nurse. "
    assert FALSE[halt.span.start : halt.span.end] == "Globex"
    assert halt.released == len("You live in Berlin. Alice is a nurse. ")
    assert [claim.text for claim in halt.claims] == ["Alice works at Globex"]
    assert halt.claims[0].evidence == ("m1",)
    assert halt.corrected == "She works at Acme. "
    assert guard.feed("You live in Berlin. ") == ()
    assert guard.flush() == ()


def test_spans_of_claims_quote_the_stream():
    for event in run(TRUE + " " + FALSE, refuted=OnRefuted.REPAIR):
        for claim in event.claims:
            quoted = (TRUE + " " + FALSE)[claim.span.start : claim.span.end]
            assert quoted.split()[-1].rstrip(".") in claim.text


def test_a_refuted_sentence_can_be_repaired_and_the_stream_goes_on():
    events = run(FALSE, refuted=OnRefuted.REPAIR)
    (repair,) = of_kind(events, Repair)
    assert isinstance(repair, Repair)
    assert not repair.takes_back
    assert FALSE[slice(*repair.span)] == "She works at Globex. "
    assert tell_text(events) == FALSE.replace("Globex", "Acme")


def test_a_sentence_that_cannot_be_corrected_is_left_out():
    check = RulesCheck(["I have never been to Rome."])
    events = run("Hello! You have been to Rome. Bye!", check, refuted=OnRefuted.REPAIR)
    assert "Rome" not in tell_text(events)
    assert tell_text(events).startswith("Hello! ")
    assert tell_text(events).endswith("Bye!")


@pytest.mark.requirement("ACT-013")
def test_a_refutation_that_is_not_sure_enough_to_halt_does_not_get_out_of_strict_either():
    events = run(FALSE, RulesCheck(change=doubt(0.5)))
    assert of_kind(events, Halt) == []
    assert "Globex" not in tell_text(events)


def test_pronouns_are_understood_far_from_the_name_they_stand_for():
    filler = "The weather was nice that day. " * 30
    events = run(f"Alice is a nurse. {filler}She works at Globex.", unverified=OnUnverified.RELEASE)
    (halt,) = of_kind(events, Halt)
    assert halt.claims[0].text == "Alice works at Globex"


@pytest.mark.requirement("ACT-015")
def test_no_claim_is_judged_twice_and_none_before_its_sentence_is_complete():
    check = RulesCheck()
    guard = open_guard(check)
    for chunk in cut(TRUE, 5):
        guard.feed(chunk)
        assert all(asked.rstrip().endswith(".") for asked in check.asked)
    guard.flush()
    judged = [claim.text for report in check.reports for claim in report.claims]
    assert judged == ["You live in Berlin", "Alice is a nurse", "Clara was born in 1987"]
    assert check.asked == ["You live in Berlin. ", "Alice is a nurse. ", "Clara was born in 1987."]


@pytest.mark.requirement("ACT-012")
def test_a_full_window_is_held_until_its_sentence_is_complete():
    text = (
        "Clara, who has been to many places and likes to tell long stories about each and every one of them to anybody"
    )
    guard = open_guard()
    events = [
        event
        for chunk in cut(f"You live in Berlin. {text} who will listen for a while", 4)
        for event in guard.feed(chunk)
    ]
    (hold,) = of_kind(events, Hold)
    assert hold.span.start == len("You live in Berlin. ")
    assert tell_text(events) == "You live in Berlin. "
    assert tell_text([*events, *guard.feed(", was born in 1987. ")]).startswith("You live in Berlin. ")


def test_the_rest_is_judged_at_the_end():
    guard = open_guard()
    assert guard.feed("You live in Rome") == ()
    (halt,) = guard.flush()
    assert isinstance(halt, Halt)
    assert guard.released == 0


@pytest.mark.parametrize(
    ("policy", "shown"),
    [
        (OnUnverified.ANNOTATE, "You live in Berlin. You own a boat. (not verified) Clara was born in 1987."),
        (OnUnverified.RELEASE, "You live in Berlin. You own a boat. Clara was born in 1987."),
        (OnUnverified.REMOVE, "You live in Berlin. Clara was born in 1987."),
        (OnUnverified.BRANCH, "You live in Berlin. "),
        (OnUnverified.ABSTAIN, "You live in Berlin. "),
    ],
)
def test_a_claim_without_evidence_is_treated_as_the_policy_says(policy: OnUnverified, shown: str):
    events = run("You live in Berlin. You own a boat. Clara was born in 1987.", unverified=policy)
    assert tell_text(events) == shown
    for halt in of_kind(events, Halt):
        assert isinstance(halt, Halt)
        assert halt.may_branch == (policy is OnUnverified.BRANCH)
    if policy is OnUnverified.ANNOTATE:
        assert [event.caveat for event in events if isinstance(event, Release)] == [(), ("You own a boat",), ()]


def test_an_annotation_does_not_break_a_table_or_a_list():
    table = "| Name | City |\n|---|---|\n| Tom | Rome |\n"
    shown = show(table)
    assert all(line.endswith("|") for line in shown.splitlines())
    assert show("- You own a boat\n- You live in Berlin\n") == "- You own a boat (not verified)\n- You live in Berlin\n"


def test_a_removed_item_takes_its_line_with_it():
    listed = "- You live in Berlin.\n- You own a boat.\n- Alice is a nurse.\n"
    assert show(listed, unverified=OnUnverified.REMOVE) == "- You live in Berlin.\n- Alice is a nurse.\n"


def test_code_is_released_and_claims_nothing():
    text = "You live in Berlin.\n```python\n# You live in Rome.\n```\nAlice is a nurse."
    check = RulesCheck()
    assert show(text, check) == text
    assert not any("Rome" in asked for asked in check.asked)


@pytest.mark.requirement("ACT-017")
def test_while_refutations_are_suspect_they_need_more_confidence_to_halt():
    raised = doubt(0.8, raised=True, threshold=0.9)
    events = run(FALSE, RulesCheck(change=raised))
    assert of_kind(events, Halt, Repair) == []
    assert "She works at Globex. (not verified)" in tell_text(events)
    sure = run(FALSE, RulesCheck(change=doubt(0.95, raised=True, threshold=0.9)))
    assert len(of_kind(sure, Halt)) == 1


# ── what was not verified ───────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ACT-018")
def test_what_the_judge_could_not_see_is_marked_and_stopped_where_asked():
    skip = RulesCheck(change=lambda checked: replace(checked, skipped="the model is out of use"))
    events = run(f"Hello! {TRUE}", skip)
    assert tell_text(events) == f"Hello! {TRUE}"
    assert [event.is_verified for event in events if isinstance(event, Release)] == [True, False, False, False]
    closed = run(f"Hello! {TRUE}", skip, fail_closed=True)
    (halt,) = of_kind(closed, Halt)
    assert isinstance(halt, Halt)
    assert not halt.may_branch
    assert halt.reason == "not verified: the model is out of use"
    assert tell_text(closed) == "Hello! "


# ── short outputs ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("JDG-018")
def test_a_short_output_is_exempt_only_where_it_claims_nothing():
    def tally(text: str, **options: Any):
        guard = open_guard(**options)
        guard.feed(text)
        guard.flush()
        return guard.tally

    assert tally("Hello! How are you today?").is_exempt
    assert not tally("Hello! How are you today?", check_short=True).is_exempt
    assert not tally("You live in Berlin.").is_exempt
    assert not tally("Hello there! " * 30).is_exempt
    assert tally("You live in Rome.").is_halted


@pytest.mark.requirement("JDG-018")
def test_a_bare_value_is_a_claim_where_it_is_the_whole_answer():
    for text in ("Berlin.", "Berlin. ", "Berlin.\n\n"):
        check = RulesCheck()
        assert show(cut(text, 3), check, unverified=OnUnverified.RELEASE) == text
        assert [claim.text for report in check.reports for claim in report.claims] == ["Berlin"]
    check = RulesCheck()
    assert show("Berlin. You live there.", check, unverified=OnUnverified.RELEASE) == "Berlin. You live there."
    assert "Berlin" not in [claim.text for report in check.reports for claim in report.claims]


# ── fast ────────────────────────────────────────────────────────────────────────────────────────


def test_fast_releases_at_once_and_takes_back_what_is_refuted():
    guard = open_guard(mode=GuardMode.FAST)
    (first,) = guard.feed("You live in Ro")
    assert isinstance(first, Release)
    assert first.text == "You live in Ro"
    assert not first.is_verified
    events = [first, *guard.feed("me. Alice is a nurse. "), *guard.flush()]
    (repair,) = of_kind(events, Repair)
    assert isinstance(repair, Repair)
    assert repair.takes_back
    assert repair.span == Span(0, len("You live in Rome. "))
    assert repair.text == "You live in Berlin. "
    assert tell_text(events) == "You live in Berlin. Alice is a nurse. "


def test_fast_can_be_told_to_halt():
    events = run(FALSE, mode=GuardMode.FAST, refuted=OnRefuted.HALT)
    assert len(of_kind(events, Halt)) == 1
    assert "Globex" not in tell_text(events)


# ── disclosure ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("ACT-020")
def test_a_missing_disclosure_is_put_in_and_never_halts():
    events = run("You work at Amazon. It is big.", RulesCheck(JOBS), unverified=OnUnverified.RELEASE)
    assert of_kind(events, Halt) == []
    assert tell_text(events) == "You work at Amazon (changed from Microsoft). It is big."


@pytest.mark.requirement("ACT-020")
def test_a_disclosure_in_the_next_sentence_is_enough():
    told = "You work at Amazon. You used to work at Microsoft. You like it at Amazon."
    assert show(told, RulesCheck(JOBS), unverified=OnUnverified.RELEASE) == told


@pytest.mark.requirement("ACT-020")
def test_a_disclosure_is_put_in_once():
    filler = "The weather was nice that day. " * 5
    text = f"You work at Amazon. {filler}You work at Amazon. Bye!"
    assert show(text, RulesCheck(JOBS), unverified=OnUnverified.RELEASE).count("changed from") == 1


@pytest.mark.requirement("ACT-020")
def test_a_missing_disclosure_can_ask_for_another_answer():
    events = run("You work at Amazon. Bye!", RulesCheck(JOBS), undisclosed=OnUndisclosed.BRANCH)
    (halt,) = of_kind(events, Halt)
    assert isinstance(halt, Halt)
    assert halt.may_branch
    assert halt.guidance == "Say: Amazon (changed from Microsoft)."
    ignored = run("You work at Amazon. Bye!", RulesCheck(JOBS), undisclosed=OnUndisclosed.IGNORE)
    assert tell_text(ignored) == "You work at Amazon. Bye!"


# ── whatever the chunks ─────────────────────────────────────────────────────────────────────────

SAYINGS = st.sampled_from(
    ["You live in Berlin. ", "You live in Rome. ", "Alice is a nurse. ", "She works at Globex. ", "You own a boat. ",
     "Clara was born in 1987.\n", "- You live in Berlin\n", "## Plan\n", "```\nx = 1\n```\n", "Hello! ", "It is nice. ",
     "| a | b |\n", 'She said "Fine. Go." ', "Dr. Smith came. ", "\n\n", "Is that so? ", "東京に住んでいます。"]
)  # fmt: skip
MODES = st.sampled_from(
    [{}, {"refuted": OnRefuted.REPAIR}, {"mode": GuardMode.FAST}, {"unverified": OnUnverified.REMOVE}]
)


def told(events: list[StreamEvent], *, fast: bool) -> list[StreamEvent]:
    """What must not depend on the chunks: everything but holds, and in fast the pieces that were shown as they came."""
    return [e for e in events if not isinstance(e, Hold) and not (fast and isinstance(e, Release))]


@given(st.lists(SAYINGS, max_size=8).map("".join), st.lists(st.integers(0, 5_000), max_size=10), MODES)
@hypothesis_settings(max_examples=60)
def test_whatever_the_chunks_the_same_is_shown_and_told(text: str, places: list[int], options: dict[str, Any]):
    fast = options.get("mode") is GuardMode.FAST
    whole = run(text, **options)
    for chunks in (cut_at(text, places), list(cut(text, 1))):
        events = run(chunks, **options)
        assert told(events, fast=fast) == told(whole, fast=fast)
        if not fast or not of_kind(whole, Halt):
            assert tell_text(events) == tell_text(whole)


@given(st.lists(SAYINGS, max_size=8).map("".join))
@hypothesis_settings(max_examples=40)
def test_nothing_refuted_is_ever_released_in_strict(text: str):
    for event in run(text, refuted=OnRefuted.REPAIR):
        if isinstance(event, Release):
            assert all(claim.verdict is not Verdict.REFUTED for claim in event.claims)
    assert "Rome" not in show(text, refuted=OnRefuted.REPAIR)


@given(st.text(max_size=300))
def test_any_text_passes_without_an_error_and_true_text_unharmed(text: str):
    assert show(text, unverified=OnUnverified.RELEASE) == text or of_kind(run(text), Halt, Repair)


@pytest.mark.parametrize(
    "text", ["a" * 200_000, "(" * 50_000, "漢" * 5_000, "x. " * 10_000, "\x00" * 3_000, "🙂 " * 3_000]
)
def test_hostile_text_neither_crashes_nor_hangs(text: str):
    assert stays_cheap(lambda: run(text))


def test_time_is_linear_over_a_long_stream():
    def measure(sentences: int, first: int) -> int:
        miles = range(first, first + sentences)
        text = "".join(f"You live in Berlin and walked {i} miles with Rex. " for i in miles)
        return count_calls(lambda: run(cut(text, 20)))

    measure(20, 1000)
    assert measure(400, 4000) <= 5 * measure(100, 2000)  # of what was read before, much is remembered


def test_what_is_kept_of_a_long_stream_is_bounded():
    guard = open_guard()
    for i in range(500):
        guard.feed(f"You live in Berlin and walked {i} miles. ")
    assert len(guard._context.text) < 2_500  # pyright: ignore[reportPrivateUsage]
    assert guard.backlog == 0


@pytest.mark.slow
def test_ten_mebibytes_without_a_newline_pass_in_bounded_memory():
    guard = open_guard(unverified=OnUnverified.RELEASE)
    piece, released = "a" * 16_384, 0
    tracemalloc.start()
    for _ in range(640):
        released += sum(len(event.text) for event in guard.feed(piece) if isinstance(event, Release))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    released += sum(len(event.text) for event in guard.flush() if isinstance(event, Release))
    assert released == 10 * 1_048_576
    assert peak < 64 * 1_048_576
