"""Rules and model in one judge: who decides what, what is never supported, and what happens without the model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache

import pytest

from groundwire.errors import ModelCorrupt
from groundwire.judge.calibration import read_calibration
from groundwire.judge.encoder import EncoderJudge
from groundwire.judge.hybrid import HybridJudge
from groundwire.judge.judge import Judge, RulesJudge, as_passages
from groundwire.judge.protocols import Scores
from groundwire.models.files import find_model
from groundwire.models.onnx import OnnxPairScorer
from groundwire.types import Action, Passage, Verdict, VerifierInput, VerifierOutput, VerifyMode
from verifier_inputs import make_answers

SUPPORTED, REFUTED, INSUFFICIENT = Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT
YES, NO, OPEN = Scores(0.97, 0.01, 0.02), Scores(0.01, 0.97, 0.02), Scores(0.02, 0.01, 0.97)


class Fake:
    """A scorer that gives what it is told to, and may be broken at any of its members."""

    name, fingerprint, max_tokens = "fake.v1", "0123456789abcdef", 512

    def __init__(self, rule: Scores | Callable[[str, str], Scores] = YES) -> None:
        self._rule = rule
        self.calls: list[list[tuple[str, str]]] = []
        self.begun: list[tuple[str, str]] = []
        self.broken: frozenset[str] = frozenset()

    def _check(self, member: str) -> None:
        if member in self.broken:
            raise ModelCorrupt(f"{member} is damaged", "install it again")

    @property
    def calibration(self) -> str:
        self._check("calibration")
        return "c7"

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        self._check("tokenizer")
        return [len(re.findall(r"\w+|[^\w\s]", text)) for text in texts]

    def begin(self, pairs: Sequence[tuple[str, str]]) -> None:
        self._check("graph")
        self.begun.extend(pairs)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        self._check("graph")
        self.calls.append(list(pairs))
        rule = self._rule
        return [rule if isinstance(rule, Scores) else rule(*pair) for pair in pairs]


def make(scorer: Fake) -> HybridJudge:
    return HybridJudge(RulesJudge(lambda: 0.0), EncoderJudge(scorer, lambda: 0.0), lambda: 0.0)


def ask(rule: Scores, claim: str, *evidence: Passage | str) -> tuple[VerifierOutput, Fake]:
    scorer = Fake(rule)
    return make(scorer).judge(VerifierInput(claim, as_passages(evidence))), scorer


def rules(claim: str, *evidence: str) -> VerifierOutput:
    return RulesJudge(lambda: 0.0).judge(VerifierInput(claim, as_passages(evidence)))


# ── who decides ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Ana sold fewer than 750 tickets.", SUPPORTED),
        ("Ana sold more than 400 tickets.", REFUTED),
    ],
)
def test_arithmetic_is_final_and_the_model_is_not_asked(claim: str, expected: Verdict):
    for rule in (YES, NO, OPEN):
        found, scorer = ask(rule, claim, "Ana sold 350 tickets.")
        assert (found.verdict, found.judge, scorer.calls) == (expected, "rules.v1", [])
    found, scorer = ask(YES, "Ana sold 350 tickets.", "Ana sold fewer than 750 tickets.")
    assert (found.verdict, found.reason, scorer.calls) == (INSUFFICIENT, "amount_open", [])


def test_claims_about_the_user_are_decided_by_rules_where_they_can():
    for claim, expected in (("You work at Bosch.", SUPPORTED), ("You work at Shell.", REFUTED)):
        found, scorer = ask(OPEN, claim, "I work at Bosch.")
        assert (found.verdict, found.judge, scorer.calls) == (expected, "rules.v1", [])
    found, scorer = ask(YES, "You are fond of quiet evenings.", "I treasure a calm night at home.")
    assert (found.verdict, found.judge) == (SUPPORTED, "fake.v1"), "what they leave open is asked"
    assert len(scorer.calls) == 1


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("You repaired the fence.", "I repaired the fence."),
        ("You cycle to the harbour.", "I cycle to the harbour on weekdays."),
    ],
)
def test_a_rule_about_the_user_that_is_not_exact_yields_to_a_model_that_excludes_it(claim: str, evidence: str):
    assert rules(claim, evidence).verdict is SUPPORTED
    found, _ = ask(Scores(0.31, 0.04, 0.65), claim, evidence)
    assert (found.verdict, found.judge) == (SUPPORTED, "rules.v1")
    assert ask(OPEN, claim, evidence)[0].verdict is INSUFFICIENT
    assert ask(NO, claim, evidence)[0].verdict is REFUTED


def test_a_refutation_about_the_user_that_is_not_exact_yields_to_a_model_that_supports_the_claim():
    claim, evidence = "You met Ana at a concert.", "I met Ana at a lecture."
    assert rules(claim, evidence).verdict is REFUTED
    assert ask(Scores(0.2, 0.3, 0.5), claim, evidence)[0].verdict is REFUTED
    assert ask(Scores(0.6, 0.1, 0.3), claim, evidence)[0].verdict is SUPPORTED


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Ana is a photographer.", "Ana is a designer and photographer."),
        ("Ana is a talk show host.", "Ana is a comedian. Ana was the host of two programmes."),
    ],
)
def test_who_is_told_to_be_both_is_not_denied_one_of_them(claim: str, evidence: str):
    assert ask(YES, claim, evidence)[0].verdict is SUPPORTED


@pytest.mark.parametrize(("rule", "expected"), [(YES, SUPPORTED), (NO, REFUTED), (OPEN, INSUFFICIENT)])
def test_elsewhere_the_model_decides(rule: Scores, expected: Verdict):
    found, _ = ask(rule, "The bridge is closed to lorries.", "Heavy vehicles must take another way over the river.")
    assert (found.verdict, found.judge, found.confidence) == (expected, "fake.v1", 0.97)
    assert found.evidence_used == ("e1",)


def test_an_exact_rule_stands_unless_the_model_all_but_excludes_it():
    claim, evidence = "Ana works at Bosch.", "Ana works at Siemens."
    assert rules(claim, evidence).verdict is REFUTED
    for doubt, expected, judge in ((0.1, REFUTED, "rules.v1"), (0.09, INSUFFICIENT, "fake.v1")):
        found, _ = ask(Scores(0.01, doubt, 0.99 - doubt), claim, evidence)
        assert (found.verdict, found.judge) == (expected, judge), doubt
    claim, evidence = "Ana works at Bosch.", "Ana has a job at Bosch."
    assert rules(claim, evidence).verdict is SUPPORTED
    assert ask(Scores(0.3, 0.65, 0.05), claim, evidence)[0].verdict is SUPPORTED
    assert ask(Scores(0.04, 0.9, 0.06), claim, evidence)[0].verdict is REFUTED


def test_the_surer_of_two_that_agree_gives_the_confidence_and_the_rule_its_reason():
    sure, _ = ask(Scores(0.0, 0.99, 0.01), "Ana works at Bosch.", "Ana works at Siemens.")
    assert (sure.confidence, sure.reason, sure.judge) == (0.99, "other_value", "rules.v1")
    unsure, _ = ask(Scores(0.2, 0.6, 0.2), "Ana works at Bosch.", "Ana works at Siemens.")
    assert unsure.confidence == rules("Ana works at Bosch.", "Ana works at Siemens.").confidence
    assert "Siemens" in sure.explanation and "e1" in sure.explanation


@pytest.mark.requirement("JDG-012")
def test_no_evidence_never_reaches_the_model():
    found, scorer = ask(YES, "The bridge is closed.")
    assert (found.verdict, found.confidence, found.evidence_used) == (INSUFFICIENT, 1.0, ())
    assert (found.reason, scorer.calls) == ("no_evidence", [])
    found, scorer = ask(YES, "The bridge is closed.", " \n")
    assert (found.verdict, scorer.calls) == (INSUFFICIENT, [])


# ── what is never supported ─────────────────────────────────────────────────────────────────────

WITHHELD = [
    ("number", "Ana sold 5 tickets.", "Ana sold 6 tickets.", REFUTED),
    ("number in a slot", "Ana is 34 years old.", "Ana is 35 years old.", REFUTED),
    ("number as a name", "Room 12 is free today.", "Room 13 is free today.", INSUFFICIENT),
    ("date in a slot", "Ana was born on 3 May 1990.", "Ana was born on 4 May 1990.", REFUTED),
    ("date", "The meeting is on 3 May.", "The meeting is on 4 May.", INSUFFICIENT),
    ("month", "The meeting is on 3 May.", "The meeting is on 3 June.", INSUFFICIENT),
    ("year", "The film came out in 1999.", "The film came out in 2001.", INSUFFICIENT),
    ("clock", "The flight leaves at 10:30.", "The flight leaves at 11:30.", INSUFFICIENT),
    ("identifier", "The part ABC-12 broke twice.", "The part ABC-13 broke twice.", INSUFFICIENT),
    ("identifier", "Flight AB123 was late.", "Flight AB124 was late.", INSUFFICIENT),
    ("identifier in a slot", "Ana's phone number is 555-1234.", "Ana's phone number is 555-1235.", REFUTED),
    ("value in a slot", "Ana lives in Oslo.", "Ana lives in Ulm.", REFUTED),
    ("polarity in a slot", "Ana works at Bosch.", "Ana does not work at Bosch.", REFUTED),
    ("polarity", "Ana likes tea.", "Ana does not like tea.", INSUFFICIENT),
    ("polarity", "The court rejected the appeal.", "The court did not reject the appeal.", INSUFFICIENT),
    ("polarity", "Ana doesn't like tea.", "It rained. Ana likes tea.", INSUFFICIENT),
    ("polarity", "The lift cannot be used.", "The lift can be used.", INSUFFICIENT),
    ("subject", "Ana likes tea.", "Bob likes tea.", INSUFFICIENT),
    ("subject", "You like tea.", "Ana likes tea.", INSUFFICIENT),
]


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(("kind", "claim", "evidence", "expected"), WITHHELD, ids=lambda value: str(value)[:24])
def test_support_is_withheld_where_a_rule_finds_another_value(kind: str, claim: str, evidence: str, expected: Verdict):
    found, _ = ask(YES, claim, evidence)
    assert (found.verdict, found.judge, found.evidence_used) == (expected, "rules.v1", ("e1",)), kind
    assert abs(sum(found.probabilities.values()) - 1) < 1e-6
    assert found.probabilities[found.verdict] == found.confidence == max(found.probabilities.values())
    assert found.action is Action.BRANCH
    assert "e1" in found.explanation and found.explanation.startswith(expected.value)


@pytest.mark.requirement("JDG-020")
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Room 12 is free today.", "Room 13 is free today. Room 12 is free today."),
        ("Room 12 is free today.", "Of all the rooms here, the twelfth can be had."),
        ("It has 1,000 seats in all.", "It has 1000 seats in all."),
        ("Chris Kyle was a sniper.", "Christopher Kyle was a sniper."),
        ("Ana likes tea.", "Bob and his wife Ana are fond of tea."),
        ("The meeting is on 3 May.", "The meeting is on 3 May 2024, a Friday."),
        ("The lift is not out of use.", "The lift can be used."),
    ],
)
def test_support_stands_where_no_rule_objects(claim: str, evidence: str):
    assert ask(YES, claim, evidence)[0].verdict is SUPPORTED


@pytest.mark.requirement("JDG-020")
def test_one_passage_that_does_carry_the_claim_is_enough():
    found, _ = ask(YES, "Room 12 is free today.", "Room 13 is free today.", "The twelfth room can be had.")
    assert (found.verdict, found.judge) == (SUPPORTED, "fake.v1")


# ── without the model ───────────────────────────────────────────────────────────────────────────

MIXED = [
    ("You work at Bosch.", "I work at Siemens."),
    ("The bridge is closed.", "The bridge is shut."),
    ("Ana sold more than 400 tickets.", "Ana sold 350 tickets."),
    ("Ana works at Bosch.", "Ana works at Siemens."),
    ("The shop sells bread.", "It rained in Ulm."),
    ("The bridge is closed.", ""),
]


def mixed() -> list[VerifierInput]:
    return [VerifierInput(claim, as_passages([evidence] if evidence else [])) for claim, evidence in MIXED]


@pytest.mark.requirement("JDG-021")
@pytest.mark.parametrize("member", ["tokenizer", "graph", "calibration"])
def test_a_model_that_fails_at_any_call_leaves_the_verdicts_to_rules_and_may_recover(member: str):
    scorer = Fake(YES)
    judge = make(scorer)
    long = VerifierInput("The bridge is closed.", (Passage("p", "Heavy vehicles cross elsewhere. " * 200),))
    questions = [*mixed(), long]
    scorer.broken = frozenset({member})
    found = judge.judge_all(questions)
    assert found == RulesJudge(lambda: 0.0).judge_all(questions)
    assert {output.judge for output in found} == {"rules.v1"}
    assert {output.model for output in found} == {""}
    assert judge.problem is not None and member in str(judge.problem) and "install it again" in str(judge.problem)
    scorer.broken = frozenset()
    assert judge.judge(long).judge == "fake.v1"
    assert judge.problem is None


# ── what every verdict carries ──────────────────────────────────────────────────────────────────


@pytest.mark.requirement("JDG-025")
def test_every_verdict_that_the_model_took_part_in_names_model_and_calibration():
    judge: Judge = make(Fake(YES))
    by_claim = dict(zip([claim for claim, _ in MIXED[:5]], judge.judge_all(mixed()), strict=False))
    asked = ("The bridge is closed.", "Ana works at Bosch.", "The shop sells bread.")
    for claim, output in by_claim.items():
        expected = ("0123456789abcdef", "c7") if claim in asked else ("", "")
        assert (output.model, output.calibration) == expected, claim


def test_many_questions_keep_their_order_and_make_one_call():
    def follow(evidence: str, claim: str) -> Scores:
        return YES if evidence.split()[-1] == claim.rstrip(".").split()[-1] else NO

    names = [f"b{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(60)]
    claims = [f"The colour is {name}" for name in names]
    questions = [
        VerifierInput(claim, (Passage(f"p{i}", f"Somebody painted it all over in {names[i - i % 2]}"),))
        if i % 5
        else VerifierInput("You work at Bosch.", (Passage(f"p{i}", "I work at Bosch."),))
        for i, claim in enumerate(claims)
    ]
    scorer = Fake(follow)
    judge = make(scorer)
    found = judge.judge_all(questions)
    assert len(scorer.calls) == 1
    assert [output.evidence_used for output in found] == [(f"p{i}",) for i in range(60)]
    for i, output in enumerate(found):
        assert output.verdict is (SUPPORTED if i % 5 == 0 or i % 2 == 0 else REFUTED), i
        assert output.judge == ("fake.v1" if i % 5 else "rules.v1")
    assert judge.judge_all([]) == []


@pytest.mark.requirement("ACT-007")
def test_the_mode_of_the_question_decides_between_halting_and_branching():
    question = VerifierInput("The bridge is closed.", as_passages(["Lorries roll over it."]), mode=VerifyMode.INLINE)
    assert make(Fake(NO)).judge(question).action is Action.HALT
    slot = VerifierInput("Ana works at Bosch.", as_passages(["Ana works at Shell."]), mode=VerifyMode.INLINE)
    assert make(Fake(YES)).judge(slot).action is Action.HALT


def test_time_of_both_is_counted():
    ticks = iter(range(100))
    clock = lambda: float(next(ticks))  # noqa: E731
    judge = HybridJudge(RulesJudge(clock), EncoderJudge(Fake(YES), clock), clock)
    assert judge.judge(VerifierInput("The bridge is closed.", as_passages(["It is shut."]))).latency_ms == 2000.0


# ── the packaged model ──────────────────────────────────────────────────────────────────────────

PAIRS = [
    ("The cat sat on the mat.", "A cat was sitting on a mat."),
    ("The company opened an office in Lyon.", "The firm has closed all of its offices in France and left the country."),
    ("The soup is vegetarian.", "The library opens at nine."),
    ("Heavy rain delayed the match.", "The match began late because of heavy rain."),
    ("The bridge is closed to lorries.", "Lorries may not use the bridge. " + "The town has a market. " * 60),
]


@cache
def packaged() -> HybridJudge:
    scorer = OnnxPairScorer(find_model("mini"), read_calibration)
    return HybridJudge(RulesJudge(lambda: 0.0), EncoderJudge(scorer, lambda: 0.0), lambda: 0.0)


@pytest.mark.requirement("JDG-022")
def test_a_batch_gives_what_single_questions_give():
    questions = [VerifierInput(claim, as_passages([evidence])) for claim, evidence in PAIRS for _ in range(2)]
    together = packaged().judge_all(questions)
    for question, output in zip(questions, together, strict=True):
        fresh = OnnxPairScorer(find_model("mini"), read_calibration)
        alone = HybridJudge(RulesJudge(lambda: 0.0), EncoderJudge(fresh, lambda: 0.0), lambda: 0.0).judge(question)
        assert alone.verdict is output.verdict
        for verdict in Verdict:
            assert alone.probabilities[verdict] == pytest.approx(output.probabilities[verdict], abs=1e-3)
    assert packaged().judge_all(questions) == together


def test_the_model_starts_on_what_rules_leave_open_while_they_read_the_next_claim():
    scorer = Fake(YES)
    questions = [
        VerifierInput("The bridge is shut.", as_passages(["The bridge is closed."])),
        VerifierInput("You live in Porto.", as_passages(["I live in Porto."])),
        VerifierInput("The market is big.", as_passages(["The market is large."])),
    ]
    make(scorer).judge_all(questions)
    assert scorer.begun == [("The bridge is closed.", "The bridge is shut.")], "the last is asked next anyway"
    assert scorer.calls == [
        [("The bridge is closed.", "The bridge is shut."), ("The market is large.", "The market is big.")]
    ]


def test_verdicts_are_the_same_whether_or_not_the_model_begins_early(monkeypatch: pytest.MonkeyPatch):
    questions = [question for answer in make_answers(4, 11) for question in answer.questions]

    def judge() -> list[VerifierOutput]:
        scorer = OnnxPairScorer(find_model("mini"), read_calibration)
        judged = HybridJudge(RulesJudge(lambda: 0.0), EncoderJudge(scorer, lambda: 0.0), lambda: 0.0)
        return judged.judge_all(questions)

    early = judge()
    monkeypatch.setattr(OnnxPairScorer, "begin", lambda self, pairs: None)
    assert judge() == early
