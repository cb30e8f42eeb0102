from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import DataFileError, InvalidInput
from groundwire.evaluation.outcomes import measure_brier, resettle, settle
from groundwire.evaluation.pairs import LabelledPair, PairFile, Refusal, Task, Truth, read_pairs
from groundwire.evaluation.report import Decision, Evaluation, Target, find_percentile, find_worst
from groundwire.evaluation.run import Options, compare, evaluate
from groundwire.types import Action, Verdict, VerifierInput, VerifierOutput

QUICK = Options(resamples=20)


def say(
    verdict: Verdict, confidence: float, chances: tuple[float, float, float] | None = None, reason: str = "told"
) -> VerifierOutput:
    rest = (1 - confidence) / 2
    shares = chances or tuple(confidence if other is verdict else rest for other in Verdict)
    return VerifierOutput(
        verdict,
        confidence,
        dict(zip(Verdict, shares, strict=True)),
        "because",
        (),
        Action.CONTINUE,
        2.0,
        "oracle",
        reason,
    )


def pair(label: str, claim: str = "h", line: int = 0) -> LabelledPair:
    return LabelledPair("p", claim, label, "f", line)


class Oracle:
    """Says what it was told to say of each claim, and remembers how it was asked."""

    def __init__(self, answers: dict[str, VerifierOutput]) -> None:
        self.answers = answers
        self.batches: list[int] = []

    def __call__(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        self.batches.append(len(questions))
        return [self.answers[question.claim] for question in questions]


def ask(*rows: tuple[str, VerifierOutput], task: Task | None = None, options: Options = QUICK) -> Evaluation:
    """The evaluation of a judge that answers each labelled row as given."""
    pairs = [pair(label, f"h{index}", index + 1) for index, (label, _) in enumerate(rows)]
    oracle = Oracle({f"h{index}": output for index, (_, output) in enumerate(rows)})
    return evaluate(oracle, pairs, name="f", task=task, options=options)


S, R, N = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT


# ── one pair ────────────────────────────────────────────────────────────────────────────────────


def test_three_classes_go_by_the_verdict_and_two_by_the_probability_of_support() -> None:
    output = say(S, 0.45, (0.45, 0.25, 0.3))
    three, two = settle(pair("entail"), output, Task.THREE_WAY), settle(pair("supported"), output, Task.TWO_CLASS)
    assert (three.chosen, three.confidence, three.right) == (Truth.SUPPORTED, 0.45, True)
    assert (two.chosen, two.confidence, two.right) == (Truth.UNSUPPORTED, 0.55, False)
    assert settle(pair("supported"), output, Task.TWO_CLASS, threshold=0.4).right


def test_probability_at_the_threshold_is_not_above_it() -> None:
    assert settle(pair("supported"), say(S, 0.5, (0.5, 0.2, 0.3)), Task.TWO_CLASS).chosen is Truth.UNSUPPORTED


def test_neutral_among_two_classes_is_unsupported_and_known_false() -> None:
    found = settle(pair("neutral"), say(N, 0.9), Task.TWO_CLASS)
    assert (found.truth, found.right, found.known_false) == (Truth.UNSUPPORTED, True, True)
    assert not settle(pair("neutral"), say(N, 0.9), Task.THREE_WAY).known_false


def test_a_neutral_pair_that_joins_two_classes_later_is_still_not_known_to_be_false() -> None:
    found = resettle(settle(pair("neutral"), say(R, 0.9), Task.THREE_WAY))
    assert (found.truth, found.right) == (Truth.UNSUPPORTED, True)
    assert (found.known_false, found.verdict_right) == (False, False)


def test_brier_is_nought_for_certain_and_right_and_one_for_certain_and_wrong() -> None:
    for task, label in ((Task.THREE_WAY, "entail"), (Task.TWO_CLASS, "supported")):
        assert measure_brier(settle(pair(label), say(S, 1.0, (1, 0, 0)), task), task) == 0.0
        assert measure_brier(settle(pair(label), say(R, 1.0, (0, 1, 0)), task), task) == 1.0
    spread = settle(pair("entail"), say(S, 0.5, (0.5, 0.3, 0.2)), Task.THREE_WAY)
    assert measure_brier(spread, Task.THREE_WAY) == pytest.approx((0.25 + 0.09 + 0.04) / 2)


def test_a_result_that_was_written_is_read_again_as_the_same_labelled_pair() -> None:
    given_pair = LabelledPair("p\u2028q", "h", "Entail", "f", 1, "mnli", {"uid": 1})
    line = json.dumps(settle(given_pair, say(S, 0.9), Task.THREE_WAY).to_dict()).encode()
    assert read_pairs(line, "f").pairs == (given_pair,)


# ── figures of a file ───────────────────────────────────────────────────────────────────────────


def test_sure_verdicts_and_known_falsehoods_are_counted_by_hand() -> None:
    found = ask(
        ("entail", say(S, 0.9)),
        ("entail", say(S, 0.79)),  # not sure
        ("entail", say(R, 0.6)),  # known true, refuted
        ("contradict", say(S, 0.8)),  # sure and wrong; known false, supported
        ("contradict", say(R, 0.95)),
        ("neutral", say(R, 0.85)),  # sure and wrong, yet no known falsehood
        ("neutral", say(N, 0.99)),  # neither supported nor refuted, however sure
    )
    counts = {name: (figure.count, figure.of) for name, figure in found.figures.items() if figure.of is not None}
    assert counts == {
        "accuracy": (4, 7),
        "sure_share": (4, 7),
        "sure_accuracy": (2, 4),
        "sure_supported_accuracy": (1, 2),
        "sure_refuted_accuracy": (1, 2),
        "false_positive_rate": (1, 2),
        "false_negative_rate": (1, 3),
    }
    assert found.verdicts == {S: 3, R: 3, N: 1}
    assert found.confusion[Truth.SUPPORTED] == {Truth.SUPPORTED: 2, Truth.REFUTED: 1, Truth.INSUFFICIENT: 0}


def test_with_two_classes_a_refuted_pair_is_right_when_it_is_unsupported() -> None:
    found = ask(("supported", say(R, 0.9)), ("unsupported", say(R, 0.9)), ("unsupported", say(S, 0.9)))
    figures = found.figures
    assert (figures["sure_refuted_accuracy"].count, figures["sure_refuted_accuracy"].of) == (1, 2)
    assert (figures["false_positive_rate"].count, figures["false_positive_rate"].of) == (1, 2)
    assert (figures["false_negative_rate"].count, figures["false_negative_rate"].of) == (1, 1)
    assert found.task is Task.TWO_CLASS


@pytest.mark.requirement("JDG-014")
def test_targets_are_met_missed_or_unsaid() -> None:
    found = ask(("entail", say(S, 0.95)), ("contradict", say(S, 0.95)))
    met = {(t["requirement"], t["figure"]): t["met"] for t in found.to_dict()["targets"]}  # type: ignore[attr-defined]
    assert met == {
        ("JDG-013", "sure_supported_accuracy"): False,
        ("JDG-013", "sure_refuted_accuracy"): None,
        ("JDG-014", "ece"): False,
        ("OPS-003", "false_positive_rate"): False,
        ("OPS-003", "false_negative_rate"): True,
    }
    assert Target("x", 0.1, True, "y").is_met(0.1) and Target("x", 0.75, False, "y").is_met(0.75)


def test_auroc_ranks_support_against_all_the_rest() -> None:
    found = ask(
        ("entail", say(S, 0.8, (0.8, 0.1, 0.1))),
        ("entail", say(N, 0.6, (0.3, 0.1, 0.6))),
        ("neutral", say(N, 0.5, (0.4, 0.1, 0.5))),
        ("contradict", say(R, 0.9, (0.05, 0.9, 0.05))),
    )
    assert found.figures["auroc"].value == pytest.approx(3 / 4)


def test_who_decided_is_counted_with_how_often_it_was_right() -> None:
    found = ask(
        ("entail", say(S, 0.9, reason="same_value")),
        ("neutral", say(S, 0.9, reason="same_value")),
        ("neutral", say(N, 0.9, reason="encoder")),
    )
    assert found.decided_by == (Decision("oracle", "same_value", 2, 1), Decision("oracle", "encoder", 1, 1))


def test_the_worst_mistakes_are_the_surest_ones_and_nothing_that_is_right() -> None:
    found = ask(("entail", say(S, 1.0)), ("entail", say(R, 0.6)), ("entail", say(N, 0.9)), ("neutral", say(S, 0.7)))
    assert [(j.place, j.confidence) for j in found.worst] == [("f:3", 0.9), ("f:4", 0.7), ("f:2", 0.6)]
    assert [j.place for j in find_worst(found.judged, 1)] == ["f:3"]


def test_a_long_premise_is_shortened_among_the_mistakes_but_not_in_the_results() -> None:
    long = "nothing much here " * 200 + "the Basse is jammed " + "nothing at all there " * 200
    found = evaluate(
        Oracle({"The Basse is quiet.": say(S, 0.9)}),
        [LabelledPair(long, "The Basse is quiet.", "contradict", "f", 1)],
        options=QUICK,
    )
    (shown,) = found.to_dict()["worst"]  # type: ignore[misc]
    assert "Basse is jammed" in shown["premise"] and len(shown["premise"]) <= 240
    assert found.judged[0].to_dict()["premise"] == long


def test_nothing_readable_gives_no_figures_and_json_without_nan() -> None:
    found = evaluate(Oracle({}), [], options=QUICK)
    assert {figure.value for figure in found.figures.values()} == {None}
    assert (found.n, found.worst, found.timing.p50_ms) == (0, (), None)
    json.dumps(found.to_dict(), allow_nan=False)


@given(
    st.lists(st.tuples(st.sampled_from(["entail", "neutral", "contradict"]), st.sampled_from([S, R, N])), max_size=20)
)
def test_counts_add_up_whatever_is_said(rows: list[tuple[str, Verdict]]) -> None:
    found = ask(
        *((label, say(verdict, 0.7)) for label, verdict in rows), task=Task.THREE_WAY, options=Options(resamples=2)
    )
    cells = [(truth, chosen, n) for truth, row in found.confusion.items() for chosen, n in row.items()]
    assert (
        sum(n for _, _, n in cells) == sum(found.verdicts.values()) == sum(d.n for d in found.decided_by) == len(rows)
    )
    assert sum(n for truth, chosen, n in cells if truth is chosen) == sum(d.right for d in found.decided_by)
    json.dumps(found.to_dict(), allow_nan=False)


# ── the run ─────────────────────────────────────────────────────────────────────────────────────


def test_pairs_are_put_in_batches_after_one_to_warm_up_and_the_premise_whole() -> None:
    asked: list[VerifierInput] = []

    def judge_all(questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        asked.extend(questions)
        return [say(S, 0.9)] * len(questions)

    steps: list[int] = []
    pairs = [LabelledPair("word " * 5000, f"h{index}", "entail") for index in range(10)]
    found = evaluate(judge_all, pairs, options=Options(batch=4, resamples=2), advance=steps.append)
    assert (found.n, steps) == (10, [4, 4, 2])
    assert [question.claim for question in asked] == ["h0", *(f"h{index}" for index in range(10))]
    assert [passage.text for passage in asked[3].evidence] == ["word " * 5000]


def test_a_pair_that_the_judge_refuses_is_named_and_the_rest_of_its_batch_counts() -> None:
    def judge_all(questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        if any(question.claim == "long" for question in questions):
            raise InvalidInput("claim", "is too long")
        return [say(S, 0.9)] * len(questions)

    found = evaluate(
        judge_all, [pair("entail", "a", 1), pair("entail", "long", 2), pair("entail", "b", 3)], options=QUICK
    )
    assert found.n == 2
    assert found.refused == (Refusal("f", 2, "claim: is too long"),)


def test_a_number_that_is_none_is_not_scored() -> None:
    found = ask(("entail", say(S, math.nan)), ("entail", say(S, 0.9, (math.inf, 0.0, 0.0))), ("entail", say(S, 0.9)))
    assert (found.n, len(found.refused), found.figures["accuracy"].value) == (1, 2, 1.0)


def test_a_judge_that_is_broken_stops_the_run() -> None:
    def judge_all(_: Sequence[VerifierInput]) -> list[VerifierOutput]:
        raise DataFileError("the model is damaged")

    with pytest.raises(DataFileError):
        evaluate(judge_all, [pair("entail")])
    with pytest.raises(ValueError, match="zip"):
        evaluate(lambda questions: [], [pair("entail")])


def test_pairs_a_second_come_from_the_clock_that_is_handed_in() -> None:
    ticks = iter([10.0, 12.0])
    found = evaluate(lambda qs: [say(S, 0.9)] * len(qs), [pair("entail")] * 8, options=QUICK, clock=lambda: next(ticks))
    assert found.timing.pairs_per_second == 4.0
    assert (found.timing.p50_ms, found.timing.p99_ms) == (2.0, 2.0)


def test_a_percentile_is_a_value_that_was_measured() -> None:
    assert find_percentile(range(1, 101), 50) == 50
    assert find_percentile(range(1, 101), 99) == 99
    assert find_percentile([7.0], 99) == 7.0
    assert find_percentile([], 50) is None


# ── several files ───────────────────────────────────────────────────────────────────────────────


def test_files_of_one_kind_are_pooled_as_they_are() -> None:
    files = [PairFile("a", (pair("entail", "a"),)), PairFile("b", (pair("neutral", "b"),) * 3)]
    found = compare(Oracle({"a": say(R, 0.9), "b": say(N, 0.8)}), files, judge="oracle", options=QUICK)
    assert [(e.name, e.n, e.figures["accuracy"].value) for e in found.files] == [("a", 1, 0.0), ("b", 3, 1.0)]
    assert (found.overall.task, found.overall.n, found.overall.figures["accuracy"].value) == (Task.THREE_WAY, 4, 0.75)


def test_files_of_different_kinds_meet_as_supported_or_not() -> None:
    files = [
        PairFile("a", (pair("contradict", "a"), pair("neutral", "b")), (Refusal("a", 9, "?"),)),
        PairFile("b", (pair("supported", "c"),), task=Task.TWO_CLASS),
        PairFile("c", (), (Refusal("c", 1, "?"),)),
    ]
    answers = {"a": say(N, 0.9), "b": say(S, 0.9), "c": say(S, 0.9)}
    found = compare(Oracle(answers), files, judge="oracle", options=QUICK)
    assert found.files[0].figures["accuracy"].value == 0.0
    assert found.overall.task is Task.TWO_CLASS
    assert found.overall.figures["accuracy"].value == pytest.approx(2 / 3)
    assert (found.overall.figures["false_positive_rate"].count, found.overall.figures["false_positive_rate"].of) == (
        0,
        1,
    )
    assert found.refused == 2


def test_a_file_without_pairs_does_not_change_what_is_asked_of_the_others() -> None:
    files = [PairFile("a", (pair("entail"),)), PairFile("b", (), task=Task.TWO_CLASS)]
    found = compare(Oracle({"h": say(S, 0.4, (0.4, 0.3, 0.3))}), files, judge="oracle", options=QUICK)
    assert (found.overall.task, found.overall.figures["accuracy"].value) == (Task.THREE_WAY, 1.0)


def test_one_file_is_its_own_overall() -> None:
    found = compare(Oracle({"h": say(S, 0.9)}), [PairFile("a", (pair("entail"),))], judge="oracle", options=QUICK)
    assert found.overall is found.files[0]
