"""The model's judge: from scores to one verdict, with its evidence, its words and its limits."""

from __future__ import annotations

import itertools
import re
import threading
from collections.abc import Callable, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import ModelCorrupt
from groundwire.judge.decision import Decision, PassageScores, combine_windows, find_worst, quote_words, settle_passages
from groundwire.judge.encoder import EncoderJudge, EncoderOptions, Recent
from groundwire.judge.judge import Judge, as_passages
from groundwire.judge.protocols import Scores
from groundwire.text.counting import count_tokens
from groundwire.types import Action, Passage, Verdict, VerifierInput, VerifierOutput, VerifyMode

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
YES, NO, OPEN = Scores(0.9, 0.04, 0.06), Scores(0.03, 0.92, 0.05), Scores(0.1, 0.1, 0.8)
TEXT = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=160)


class Scripted:
    """A scorer that follows its evidence: "agrees" supports, "denies" refutes, anything else is silent."""

    name, fingerprint, calibration = "script.v1", "0123456789abcdef", "c1"

    def __init__(self, max_tokens: int = 512, rule: Callable[[str, str], Scores] | None = None) -> None:
        self.max_tokens = max_tokens
        self.calls: list[list[tuple[str, str]]] = []
        self._rule = rule or (lambda evidence, _: YES if "agrees" in evidence else NO if "denies" in evidence else OPEN)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]

    def begin(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Whatever is begun is asked for again."""

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        self.calls.append(list(pairs))
        return [self._rule(evidence, claim) for evidence, claim in pairs]


def ask(
    claim: str, *evidence: Passage | str, scorer: Scripted | None = None, options: EncoderOptions | None = None
) -> VerifierOutput:
    judge = EncoderJudge(scorer or Scripted(), lambda: 0.0, options=options)
    return judge.judge(VerifierInput(claim, as_passages(evidence)))


@pytest.mark.requirement("JDG-004", "JDG-010")
def test_the_model_supports_refutes_or_leaves_open():
    found = ask("Ada works at Bosch.", "Bob agrees.")
    assert (found.verdict, found.confidence, found.evidence_used, found.action) == (
        SUPPORTED,
        0.9,
        ("e1",),
        Action.CONTINUE,
    )
    assert found.probabilities == {SUPPORTED: 0.9, REFUTED: 0.04, INSUFFICIENT: 0.06}
    assert (found.judge, found.reason) == ("script.v1", "model_supports")
    assert ask("Ada works at Bosch.", "Bob denies.").action is Action.BRANCH
    assert ask("Ada works at Bosch.", "Bob sleeps.").verdict is INSUFFICIENT


@pytest.mark.requirement("JDG-012")
@pytest.mark.parametrize("evidence", [(), ("",), (" \n",)])
def test_without_evidence_the_model_is_not_called(evidence: tuple[str, ...]):
    scorer = Scripted()
    found = ask("Ada works at Bosch.", *evidence, scorer=scorer)
    assert (found.verdict, found.confidence, found.evidence_used) == (INSUFFICIENT, 1.0, ())
    assert found.reason == "no_evidence"
    assert scorer.calls == []


def test_without_a_claim_there_is_nothing_to_judge():
    found = ask(" ", "Bob agrees.")
    assert (found.verdict, found.reason) == (INSUFFICIENT, "no_claim")


@pytest.mark.requirement("JDG-009")
def test_the_passage_that_speaks_most_clearly_decides():
    found = ask("Ada works at Bosch.", "Tea.", "Bob agrees.", "Milk.")
    assert (found.verdict, found.evidence_used) == (SUPPORTED, ("e2",))


@pytest.mark.requirement("JDG-009")
@pytest.mark.parametrize(("ours", "theirs", "expected"), [(0.9, 0.8, SUPPORTED), (0.8, 0.9, REFUTED)])
def test_the_more_trusted_of_two_sure_passages_decides_and_both_are_reported(
    ours: float, theirs: float, expected: Verdict
):
    passages = [Passage("a", "It agrees.", ours), Passage("b", "It denies.", theirs)]
    for order in itertools.permutations(passages):
        found = ask("Ada works at Bosch.", *order)
        assert found.verdict is expected
        assert found.evidence_used == (("a",) if expected is SUPPORTED else ("b",))
        assert sorted(found.conflicting) == ["a", "b"]


@pytest.mark.requirement("JDG-009")
def test_equal_trust_on_both_sides_leaves_the_claim_open():
    found = ask("Ada works at Bosch.", Passage("a", "It agrees."), Passage("b", "It denies."), "Tea.")
    assert (found.verdict, found.reason, found.conflicting) == (INSUFFICIENT, "conflict", ("a", "b"))
    assert found.evidence_used == ("a", "b")
    assert "a, b" in found.explanation


@pytest.mark.requirement("JDG-009")
def test_an_unsure_passage_makes_no_conflict():
    weak = Scores(0.1, 0.69, 0.21)
    ours = PassageScores(Passage("a", "x", 0.1), YES)
    found = settle_passages([ours, PassageScores(Passage("b", "x", 1.0), weak)])
    assert (found.verdict, found.conflicting) == (SUPPORTED, ())
    found = settle_passages([ours, PassageScores(Passage("b", "x", 1.0), weak._replace(refuted=0.7, insufficient=0.2))])
    assert (found.verdict, found.conflicting) == (REFUTED, ("a", "b"))


def test_passages_that_agree_are_named_with_the_one_that_decides():
    found = ask("Ada works at Bosch.", "Tea.", "Bob agrees.", "Eve agrees.")
    assert found.evidence_used == ("e2", "e3")


@given(st.lists(st.lists(st.floats(0, 1), min_size=3, max_size=3).filter(lambda v: sum(v) > 0), min_size=1, max_size=9))
def test_windows_make_one_distribution_in_any_order(drawn: list[list[float]]):
    windows = [Scores(*(value / sum(values) for value in values)) for values in drawn]
    found = combine_windows(windows)
    assert sum(found) == pytest.approx(1.0)
    assert min(found) >= 0.0
    assert combine_windows(windows[::-1]) == pytest.approx(found)
    if len(windows) == 1:
        assert found == windows[0]


def test_one_window_that_speaks_is_heard_among_silent_ones_and_both_sides_are_seen():
    assert combine_windows([OPEN, YES, OPEN, OPEN]).verdict is SUPPORTED
    assert combine_windows([OPEN, NO, OPEN, OPEN]).verdict is REFUTED
    both = combine_windows([OPEN, YES, NO])
    assert both.refuted > 0.3 > both.insufficient
    assert both.supported > both.refuted, "a window out of its context refutes easily"


@pytest.mark.requirement("JDG-007")
def test_long_evidence_is_judged_to_its_end():
    noise = "The weather was fine and nobody was in a hurry to go home. " * 40
    for text, expected in [
        (noise + "Bob agrees.", SUPPORTED),
        ("Bob denies. " + noise, REFUTED),
        (noise, INSUFFICIENT),
    ]:
        found = ask("Ada works at Bosch.", text)
        assert (found.verdict, found.truncated) == (expected, False)


@pytest.mark.requirement("JDG-007")
def test_windows_beyond_the_limit_are_dropped_the_least_related_first_and_reported():
    noise = "The weather was fine and nobody was in a hurry to go home. " * 40
    options = EncoderOptions(max_windows=2, gather=False)
    scorer = Scripted()
    found = ask("Bob works at Bosch.", f"{noise} Bob of Bosch agrees. {noise}", scorer=scorer, options=options)
    assert (found.verdict, found.truncated) == (SUPPORTED, True)
    assert len(scorer.calls[0]) == 2


@pytest.mark.requirement("JDG-007")
def test_of_many_passages_the_five_most_similar_are_judged():
    scorer = Scripted()
    passages = ["Tea is nice."] * 4 + [f"Bosch {i} agrees with Ada." for i in range(5)]
    found = ask("Ada works at Bosch.", *passages, scorer=scorer)
    assert found.truncated
    assert found.evidence_used == ("e5", "e6", "e7", "e8", "e9")
    assert not ask("Ada works at Bosch.", *passages[-5:]).truncated


@pytest.mark.requirement("JDG-007")
def test_a_claim_that_is_too_long_is_split_and_as_good_as_its_worst_part():
    claim = " ".join(f"Ada visited town {i} with {i} friends." for i in range(60))

    def rule(evidence: str, part: str) -> Scores:
        return NO if re.search(r"\btown 37\b", part) else YES

    scorer = Scripted(rule=rule)
    found = ask(claim, "She travelled a lot.", scorer=scorer)
    assert (found.verdict, found.truncated) == (REFUTED, False)
    assert len(scorer.calls) == 1
    assert all(scorer.count_tokens([part])[0] <= 256 for _, part in scorer.calls[0])
    judged = " ".join(part for _, part in scorer.calls[0])
    assert all(f"town {i} " in judged for i in range(60))


@pytest.mark.requirement("JDG-007")
def test_a_claim_that_no_grammar_takes_apart_is_cut_and_never_cut_off():
    scorer = Scripted()
    claim = " ".join(f"w{i}" for i in range(900))
    ask(claim, "Bob agrees.", scorer=scorer)
    judged = {word.rstrip(".") for _, part in scorer.calls[0] for word in part.split()}
    assert judged >= set(claim.split())


@pytest.mark.requirement("JDG-008")
@settings(max_examples=30)
@given(st.integers(1, 700), st.integers(1, 700), st.integers(0, 700))
def test_no_pair_is_longer_than_the_model_reads(claim: int, evidence: int, context: int):
    scorer = Scripted(128)
    judge = EncoderJudge(scorer, lambda: 0.0, options=EncoderOptions(use_context=True, max_windows=99))
    words = [f"e{i}" for i in range(evidence)]
    given_ = VerifierInput("c " * claim, as_passages([" ".join(words)]), "q " * context)
    judge.judge(given_)
    for text, part in scorer.calls[0]:
        assert sum(scorer.count_tokens([text, part])) + 3 <= 128
        assert "e" in text
    assert {word for text, _ in scorer.calls[0] for word in text.split()} >= set(words)


@pytest.mark.requirement("JDG-008")
def test_the_question_is_shown_only_where_asked_for_and_gives_way_first():
    question = VerifierInput("It is blue.", as_passages(["Bob agrees."]), "Which colour is it?")
    for use, expected in [(False, "Bob agrees."), (True, "Which colour is it? Bob agrees.")]:
        scorer = Scripted()
        EncoderJudge(scorer, lambda: 0.0, options=EncoderOptions(use_context=use)).judge(question)
        assert scorer.calls == [[(expected, "It is blue.")]]


def test_all_questions_are_answered_by_one_call_of_the_model():
    scorer = Scripted()
    judge = EncoderJudge(scorer, iter([1.0, 1.5]).__next__)
    questions = [VerifierInput(f"Claim {i}.", as_passages(["Bob agrees.", "Bob denies."][: i % 3])) for i in range(5)]
    found = judge.judge_all(questions)
    assert len(scorer.calls) == 1
    assert [output.latency_ms for output in found] == [100.0] * 5
    alone = [EncoderJudge(Scripted(), lambda: 0.0).judge(question) for question in questions]
    assert [output.verdict for output in found] == [output.verdict for output in alone]
    assert EncoderJudge(scorer, lambda: 0.0).judge_all([]) == []


def test_a_pair_that_was_judged_is_remembered_and_the_memory_is_bounded():
    scorer = Scripted()
    judge = EncoderJudge(scorer, lambda: 0.0, options=EncoderOptions(remembered=2))
    question = VerifierInput("Ada works at Bosch.", as_passages(["Bob agrees.", "Tea."]))
    first = judge.judge(question)
    assert judge.judge(question) == first
    assert len(scorer.calls) == 1
    judge.judge(VerifierInput("Ada works at Bosch.", as_passages(["Milk."])))
    judge.judge(question)
    assert [len(call) for call in scorer.calls] == [2, 1, 1]


def test_what_was_used_last_is_remembered_by_all_threads():
    recent: Recent[int, int] = Recent(8)
    threads = [
        threading.Thread(target=lambda: [recent.put(i % 20, i) or recent.get(i % 7) for i in range(2000)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(recent) == 8
    recent.put(100, 1)
    for i in range(7):
        recent.put(200 + i, i)
        assert recent.get(100) == 1
    recent.put(300, 0)
    recent.put(301, 0)
    assert recent.get(200) is None


def test_a_model_that_fails_gives_an_error_and_no_verdict():
    def fail(evidence: str, claim: str) -> Scores:
        raise ModelCorrupt("broken", "reinstall")

    with pytest.raises(ModelCorrupt):
        ask("Ada works at Bosch.", "Bob agrees.", scorer=Scripted(rule=fail))


def test_the_judge_names_the_model_its_files_and_its_calibration():
    judge: Judge = EncoderJudge(Scripted(), lambda: 0.0)
    assert judge.name == "script.v1"
    assert isinstance(judge, EncoderJudge)
    assert (judge.fingerprint, judge.calibration) == ("0123456789abcdef", "c1")


@pytest.mark.requirement("JDG-011")
def test_an_explanation_names_the_verdict_and_the_evidence_and_quotes_the_deciding_words():
    noise = "The weather was fine and nobody was in a hurry to go home. " * 40
    text = f"{noise} Bob of Bosch denies it, as everybody in the large and noisy hall could hear on that long day."
    found = ask("Bob works at Bosch.", Passage("note-7", text), Passage("x", "Tea."))
    assert found.explanation.startswith("REFUTED: note-7 speaks against it: “Bob of Bosch denies it")
    (quote,) = re.findall(r"“([^”]*)”", found.explanation)
    assert quote in text
    assert count_tokens(found.explanation) <= 128


@pytest.mark.requirement("JDG-011")
def test_words_that_were_gathered_from_far_apart_are_not_quoted_as_one():
    noise = "The weather was fine and nobody was in a hurry to go home\n\n" * 40
    text = f"Bob of Bosch\n\n{noise}Bosch agrees with Bob\n\n{noise}"
    scorer = Scripted(rule=lambda evidence, _: YES if "Bob of Bosch Bosch agrees" in evidence else OPEN)
    found = ask("Bob works at Bosch.", text, scorer=scorer)
    assert found.verdict is SUPPORTED
    (quote,) = re.findall(r"“([^”]*)”", found.explanation)
    assert quote in text


@pytest.mark.requirement("JDG-011")
def test_of_a_long_sentence_the_related_words_are_quoted():
    sentence = "word " * 60 + "and then Ada went to Bosch for good"
    assert "Bosch" in quote_words("Ada works at Bosch.", sentence)
    assert quote_words("Ada", sentence) in sentence


@pytest.mark.requirement("JDG-010", "JDG-011")
@given(TEXT, st.lists(TEXT, max_size=7), st.text(min_size=1, max_size=300))
def test_any_claim_and_evidence_give_one_complete_output(claim: str, evidence: list[str], name: str):
    def rule(text: str, part: str) -> Scores:
        return (YES, NO, OPEN)[(len(text) + len(part)) % 3]

    passages = tuple(Passage(f"{name}{i}", text) for i, text in enumerate(evidence))
    judge = EncoderJudge(Scripted(64, rule), lambda: 0.0)
    question = VerifierInput(claim, passages, mode=VerifyMode.INLINE)
    found = judge.judge(question)
    assert found == judge.judge(question)
    assert set(found.evidence_used) <= {passage.id for passage in passages}
    assert found.confidence == found.probabilities[found.verdict] == max(found.probabilities.values())
    assert sum(found.probabilities.values()) == pytest.approx(1.0)
    assert count_tokens(found.explanation) <= 128


@pytest.mark.requirement("JDG-017")
def test_a_claim_is_as_good_as_its_worst_part():
    parts = [
        Decision(SUPPORTED, YES, "model_supports", used=("a",)),
        Decision(SUPPORTED, YES._replace(supported=0.8), "model_supports", used=("b",)),
        Decision(INSUFFICIENT, OPEN, "model_undecided", used=("c",)),
        Decision(REFUTED, NO, "model_refutes", used=("d",)),
    ]
    for order in itertools.permutations(parts):
        assert find_worst(order).verdict is REFUTED
    assert find_worst(parts[:3]).verdict is INSUFFICIENT
    assert find_worst(parts[:2]).confidence == 0.8
    assert find_worst(parts[:2]).used == ("a", "b")


@pytest.mark.requirement("ACT-003")
@pytest.mark.parametrize(("share", "low"), [(0.59, True), (0.6, False)])
def test_weak_support_is_marked(share: float, low: bool):
    scorer = Scripted(rule=lambda *_: Scores(share, 0.1, 0.9 - share))
    assert ask("Ada works at Bosch.", "Bob.", scorer=scorer).low_confidence is low
