"""Contradictions that only the judge sees, read as whole sentences: what vanishes then was never there."""

from __future__ import annotations

from groundwire.detect.examination import Examination
from groundwire.detect.review.places import exchange_against, sentence_against, sentence_at, turn_against
from groundwire.detect.weighing.asking import hear
from groundwire.judge.hybrid import HybridJudge
from groundwire.types import Passage, Verdict, VerifierInput
from groundwire.types.detection import HallucinationFlag

_SEEN, _SEEN_OF_VALUES = 0.5, 0.4
"""How likely a refutation must be in one of all readings; a difference of values, which rules tell, needs less."""
_BY_JUDGE = "the judge "
_LONGEST = 1_000


def is_not_seen_whole(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether no reading of both as a whole, in either direction, shows what the pieces showed."""
    if not isinstance(examined.judge, HybridJudge) or not _rests_on_judge(flag):
        return False
    mine, theirs = sentence_at(examined, flag.span), sentence_against(flag, examined)
    if not theirs or mine == theirs:
        return False
    pairs = [(mine, theirs), (theirs, mine)]
    if flag.history is not None:
        quote, turn = flag.history.quote, turn_against(flag, examined)
        pairs += [(flag.content, quote), (quote, flag.content)]
        pairs += [(mine, turn), (turn, mine)] if 0 < len(turn) <= _LONGEST else []
        exchange = exchange_against(flag, examined)
        pairs += [(mine, exchange), (flag.content, exchange)] if exchange else []
    least = _SEEN_OF_VALUES if flag.value_span is not None else _SEEN
    return max(refutations(examined, pairs)) < least


def refutations(examined: Examination, pairs: list[tuple[str, str]]) -> list[float]:
    """How likely the judge refutes the first of each pair by the second."""
    asked = [VerifierInput(claim, (Passage("whole", known),)) for claim, known in pairs]
    return [answer.probabilities.get(Verdict.REFUTED, 0.0) for answer in hear(examined).judge_all(asked)]


def _rests_on_judge(flag: HallucinationFlag) -> bool:
    """What contradicts the dialogue the judge has always read; of an answer's own sentences the evidence tells."""
    return flag.history is not None or (flag.evidence or "").startswith(_BY_JUDGE)
