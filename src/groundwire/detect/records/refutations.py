"""Claims that the rules of the read gate refute by what is stored: the same question, answered otherwise.

The read gate compares a claim with all that is near at once, and knows which of it speaks of the same question: "Piet
owns the checkout module" is denied by who owns it, not by what else Piet owns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.detect.examination import Examination
from groundwire.detect.records.balance import holds_at_times
from groundwire.detect.records.bearers import is_of_other
from groundwire.detect.records.checked import Checked, Standing
from groundwire.detect.records.values import find_values
from groundwire.detect.weighing.asking import hear
from groundwire.detect.weighing.traits import compare_statements
from groundwire.evidence.knowledge import Knowledge
from groundwire.judge.judge import RulesJudge
from groundwire.judge.rules import RULES
from groundwire.types import Passage, Verdict, VerifierInput, VerifierOutput
from groundwire.types.memories import Memory

_NEAREST = 8
_AKIN = 0.2
_LONGEST = 300
_BY_RULE = 0.95
_SURE = 0.92


def refute(examined: Examination, checked: Sequence[Checked]) -> list[Checked]:
    """Every claim; one that is still open differs where both rules and judge refute it."""
    rules = RulesJudge(lambda: 0.0)
    asked: list[tuple[int, VerifierInput, dict[str, Memory]]] = []
    known = examined.knowledge
    if not (known.told if isinstance(known, Knowledge) else known.statements):
        return list(checked)
    for i, found in enumerate(checked):
        if found.standing not in (Standing.SILENT, Standing.UNKNOWN) or _says_two_dates(found):
            continue
        if near := _nearest(examined, found):
            passages = tuple(Passage(name, m.text, m.trust, m.timestamp) for name, m in near.items())
            question = VerifierInput(found.read.claim.text, passages)
            if rules.judge(question).verdict is Verdict.REFUTED:
                asked.append((i, question, near))
    result = list(checked)
    answers = hear(examined).judge_all([question for _, question, _ in asked])
    for (i, _, near), answer in zip(asked, answers, strict=True):
        text = checked[i].read.claim.text
        against = [near[name] for name in answer.evidence_used if name in near]
        against = [m for m in against if not _holds_at_times(examined, text, m)]
        if _is_refuted(answer) and against:
            found = replace(checked[i], standing=Standing.DIFFERS, is_ruled=True)
            result[i] = replace(found, statement=against[0], confidence=_BY_RULE)
    return result


def _says_two_dates(checked: Checked) -> bool:
    """Of two dates nobody knows which one a statement is about."""
    return sum(value.kind == "date" for value in find_values(checked.read.claim.text)) > 1


def _holds_at_times(examined: Examination, text: str, memory: Memory) -> bool:
    return holds_at_times(compare_statements(text, memory.text, examined.now), text, memory.text)


def _is_refuted(answer: VerifierOutput) -> bool:
    """By an exact rule that the model leaves standing, or by the model, beyond doubt, besides the rule."""
    surely = answer.judge == RULES or answer.probabilities[Verdict.REFUTED] >= _SURE
    return answer.verdict is Verdict.REFUTED and surely


def _nearest(examined: Examination, checked: Checked) -> dict[str, Memory]:
    """The stored statements that come nearest to a claim, by a name of their own."""
    known, text = examined.knowledge, checked.read.claim.text
    told = known.told if isinstance(known, Knowledge) else known.statements
    near = [(examined.similarity(text, m.text), m) for m in told if len(m.text) <= _LONGEST]
    near = [pair for pair in near if not is_of_other(examined, pair[1], checked.read.claim.span)]
    near = sorted((pair for pair in near if pair[0] >= _AKIN), key=lambda pair: -pair[0])[:_NEAREST]
    return {f"known {i}": memory for i, (_, memory) in enumerate(near)}
