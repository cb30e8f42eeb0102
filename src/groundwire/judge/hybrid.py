"""Rules and model in one judge; the verdict says which of them gave it.

amounts that arithmetic decides        rules, without asking the model
claims about the user                  exact rules, without asking the model: they know who "I" and "you" are; one that
                                       is not exact stands unless the model excludes it or supports what it refutes
everything else                        the model; an exact rule stands unless the model all but excludes it
the model supports what a rule denies  withheld: refuted where a slot holds one value, left open elsewhere (JDG-020)
the model cannot be used               rules, and `problem` says why; rules too where it cannot read the language
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from groundwire.errors import ModelUnavailable
from groundwire.judge.alignment import Aliases
from groundwire.judge.arguments import covers
from groundwire.judge.consultation import is_exact_amount, is_of_another, rank_passages
from groundwire.judge.encoder import EncoderJudge
from groundwire.judge.findings import Finding
from groundwire.judge.judge import Examined, RulesJudge
from groundwire.judge.objections import SURE, is_plain, withhold
from groundwire.judge.parts import Part
from groundwire.judge.reconsidering import restates
from groundwire.judge.reprieves import relent
from groundwire.text import lexicon
from groundwire.text.catalogue import load_catalogue
from groundwire.text.reading import ReadPassage, read_text
from groundwire.types import Passage, Verdict, VerifierInput, VerifierOutput

_FIGURE = re.compile(r"\d")
_EXCLUDED = 0.1
"""Below this probability the model excludes a verdict, and a rule that gave it has misread the sentence."""
_UNLIKELY = 0.2
"""The same for a rule that is not exact: on held-back pairs the model was right in nine of ten such cases."""
_DOUBTED = 0.3
"""The same for a support by words that do not follow each other in the evidence."""
_RESTATED = 0.05
"""The same for a support in the same words, with the same figure in another spelling."""
_WITHHELD = 0.8
_CERTAIN = 0.92
"""From this confidence on, one passage decides and the others are not read."""
_DISAGREEMENTS = frozenset({"other_value", "other_agent", "negated_by_evidence", "denied_value"})


class HybridJudge:
    """The cascade for single claims. `problem` is why the last call did without its model, if it did."""

    def __init__(self, rules: RulesJudge, encoder: EncoderJudge, clock: Callable[[], float]) -> None:
        self._rules = rules
        self._encoder = encoder
        self._clock = clock
        self.problem: ModelUnavailable | None = None

    @property
    def name(self) -> str:
        return f"{self._encoder.name}+{self._rules.name}"

    def judge(self, question: VerifierInput) -> VerifierOutput:
        return self.judge_all([question])[0]

    def judge_all(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """Outputs in the order of the questions; the model works on what rules leave open while they read the next."""
        started = self._clock()
        examined = [self._examine(question, last=question is questions[-1]) for question in questions]
        share = (self._clock() - started) * 1000 / max(1, len(questions))
        asked = [i for i, e in enumerate(examined) if not _is_final(e)]
        opinions: dict[int, VerifierOutput] = {}
        try:
            opinions.update(zip(asked, self._ask([questions[i] for i in asked]), strict=True))
            self.problem = None
        except ModelUnavailable as error:
            self.problem = error
        return [
            self._settle(question, found, share, opinions[i])
            if i in opinions
            else self._rules.conclude(question, found, share)
            for i, (question, found) in enumerate(zip(questions, examined, strict=True))
        ]

    def begin(self, questions: Sequence[VerifierInput]) -> None:
        """Let the model start on questions that will be asked, without waiting for what rules say of them."""
        for question in questions:
            self._encoder.begin(question.claim, _nearest(question).evidence, question.context)

    def _examine(self, question: VerifierInput, *, last: bool) -> Examined:
        """What rules find; the model starts on what they leave open, unless it is asked next anyway."""
        examined = self._rules.examine(question, retells=False)
        if not last and not _is_final(examined):
            self._encoder.begin(question.claim, _nearest(question).evidence, question.context)
        return examined

    def ask_model(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """What the model says by itself; nothing where it cannot be used, and `problem` says why."""
        try:
            opinions = self._encoder.judge_all(questions)
            self.problem = None
        except ModelUnavailable as error:
            self.problem = error
            return []
        return opinions

    def _ask(self, questions: Sequence[VerifierInput]) -> list[VerifierOutput]:
        """The likeliest passage first; the others only where it leaves a doubt or one of them is trusted more."""
        nearest = [_nearest(question) for question in questions]
        opinions = self._encoder.judge_all(nearest)
        doubtful: list[int] = []
        for i, (question, first) in enumerate(zip(questions, nearest, strict=True)):
            if question is not first and not _is_certain(question, first, opinions[i]):
                doubtful.append(i)
                if question is not questions[-1]:
                    self._encoder.begin(question.claim, question.evidence, question.context)
        more = self._encoder.judge_all([questions[i] for i in doubtful]) if doubtful else []
        for i, opinion in zip(doubtful, more, strict=True):
            opinions[i] = replace(opinion, latency_ms=opinion.latency_ms + opinions[i].latency_ms)
        return opinions

    def _settle(
        self, question: VerifierInput, examined: Examined, share: float, opinion: VerifierOutput
    ) -> VerifierOutput:
        settled = opinion
        if _stands(question, examined, opinion):
            settled = _prefer_rules(self._rules.conclude(question, examined, share), opinion)
        objection = None
        if settled.verdict is Verdict.SUPPORTED:
            objection = _object(question, examined, opinion)
        elif settled is opinion and settled.verdict is Verdict.REFUTED:
            used = [passage for passage in question.evidence if passage.id in opinion.evidence_used]
            reprieves = [relent(question.claim, passage, opinion.confidence) for passage in used]
            objection = reprieves[0] if reprieves and None not in reprieves else None
        if objection is not None:
            settled = self._rules.conclude(question, Examined(objection, (Part(None, None, (objection,)),)), share)
        latency_ms = share + opinion.latency_ms
        return replace(settled, latency_ms=latency_ms, model=opinion.model, calibration=opinion.calibration)


def _nearest(question: VerifierInput) -> VerifierInput:
    if len(question.evidence) <= 1:
        return question
    nearest = rank_passages(question.claim, question.evidence, ())[:1]
    return VerifierInput(question.claim, nearest, question.context, question.mode)


def _is_certain(question: VerifierInput, first: VerifierInput, opinion: VerifierOutput) -> bool:
    trusted = max(passage.trust for passage in question.evidence)
    (passage,) = first.evidence
    sure = opinion.verdict is not Verdict.INSUFFICIENT and opinion.confidence >= _CERTAIN
    return sure and passage.trust >= trusted and withhold(question.claim, passage, opinion.confidence) is None


def _is_final(examined: Examined) -> bool:
    finding = examined.finding
    if finding.reason in ("no_evidence", "same_text") or is_exact_amount(finding):
        return True
    return examined.of_user and finding.exact and finding.verdict is not Verdict.INSUFFICIENT


def _stands(question: VerifierInput, examined: Examined, opinion: VerifierOutput) -> bool:
    """Whether the model leaves room for what rules found; of what is not the user's, for exact rules alone.

    Exact is, too, that the same is said with the same figure: a model takes "£940" and "940 pounds" for two.
    """
    finding = examined.finding
    if opinion.reason == "unread":
        return True
    opposed = finding.verdict is Verdict.REFUTED and opinion.verdict is Verdict.SUPPORTED
    restated = (
        all(map(is_plain, question.evidence))
        and _FIGURE.search(question.claim) is not None
        and finding.verdict is Verdict.SUPPORTED
        and finding.reason == "same_statement"
    )
    exact = finding.exact or restated or (examined.of_user and not opposed)
    stands = exact and finding.verdict is not Verdict.INSUFFICIENT
    worded = finding.verdict is Verdict.SUPPORTED and not (finding.exact or restated)
    told = worded and any(restates(question.claim, passage.text) for passage in question.evidence)
    least = _RESTATED if restated else _DOUBTED if worded and not told else _EXCLUDED if finding.exact else _UNLIKELY
    return stands and opinion.probabilities[finding.verdict] >= least


def _prefer_rules(rules: VerifierOutput, opinion: VerifierOutput) -> VerifierOutput:
    """What rules say, as sure as the surer of the two where the model says the same."""
    if opinion.reason == "unread":
        return rules
    agreed = opinion if opinion.verdict is rules.verdict and opinion.confidence > rules.confidence else rules
    return replace(agreed, explanation=rules.explanation, reason=rules.reason, judge=rules.judge)


def _object(question: VerifierInput, examined: Examined, opinion: VerifierOutput) -> Finding | None:
    """What a rule holds against a claim that the model supports: a value, a polarity, a figure or a subject."""
    finding = examined.finding
    used = [passage for passage in question.evidence if passage.id in opinion.evidence_used]
    denied = finding.verdict is Verdict.REFUTED and finding.exact and finding.reason in _DISAGREEMENTS
    if (
        denied
        and all(map(is_plain, used))
        and not (finding.reason == "other_value" and _is_told_too(question, finding))
    ):
        if finding.slot is not None and load_catalogue().is_exclusive(finding.slot):
            return finding
        return replace(finding, verdict=Verdict.INSUFFICIENT, strength=_WITHHELD)
    others = [withhold(question.claim, passage, opinion.confidence) for passage in used]
    if others and None not in others:
        return others[0]
    is_sure = opinion.confidence >= SURE
    return None if is_sure and not all(map(is_plain, used)) else _find_stranger(question.claim, used, sure=is_sure)


def _is_told_too(question: VerifierInput, finding: Finding) -> bool:
    """Whether a passage has the claim's word too, of the same subject: somebody can be comedian, host and author."""
    words = finding.claim_value.split()
    if not words or any(map(str.isdigit, finding.claim_value)):
        return False
    wanted = {lexicon.noun_lemma(words[-1])} if words[-1].islower() else {word.lower() for word in words}
    subjects = [read.proposition.subject for read in read_text(question.claim).claims]
    return any(
        wanted <= read.proposition.lemmas
        for passage in question.evidence if passage.id == finding.passage_id
        for read in read_text(passage.text).statements if read.proposition.subject in subjects
    )  # fmt: skip


def _find_stranger(claim: str, used: Sequence[Passage], *, sure: bool) -> Finding | None:
    """Passages that all speak of somebody else; against a model that is sure, where they say the very same of them."""
    passages = [ReadPassage(passage, read_text(passage.text)) for passage in used]
    aliases = Aliases.learn(fact for passage in passages for fact in passage.reading.facts)
    for read in read_text(claim).claims:
        if passages and all(is_of_another(read, passage, aliases) for passage in passages):
            said = [statement.proposition.lemmas for passage in passages for statement in passage.reading.statements]
            own = tuple(read.proposition.lemmas.difference(read.proposition.subject_lemmas))
            if sure and not any(covers(own, theirs) for theirs in said):
                continue
            mine, theirs = read.proposition.subject, passages[0].reading.statements[0].proposition.subject
            return Finding(
                Verdict.INSUFFICIENT, _WITHHELD, "other_agent", used[0].id, claim_value=mine, evidence_value=theirs
            )
    return None
