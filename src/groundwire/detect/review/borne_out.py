"""What one attribute seems to deny, another one may say outright: the whole record of what is meant is asked."""

from __future__ import annotations

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import meet
from groundwire.detect.records.retelling import tell_record
from groundwire.detect.review.on_record import content_of, find_checked
from groundwire.detect.review.whole_reading import refutations
from groundwire.detect.weighing.asking import hear
from groundwire.evidence.knowledge import Knowledge
from groundwire.judge.hybrid import HybridJudge
from groundwire.types import Passage, Verdict, VerifierInput
from groundwire.types.detection import HallucinationFlag

_OUTRIGHT = 0.75
"""How sure the judge must be that one stored sentence says what is flagged."""
_MARGIN = 0.1
_CIRCLE, _MOST = 4, 24


def is_said_by_another(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether a single sentence of the record says the claim, figures and names included."""
    checked = find_checked(flag, examined)
    if not isinstance(examined.judge, HybridJudge) or checked is None or _turns_parts_round(flag, examined):
        return False
    claims = list(dict.fromkeys((checked.read.claim.text, flag.content)))
    told = _tell(flag, examined)
    asked = [(claim, known) for claim in claims for known in told if _has_figures(claim, known)]
    answers = hear(examined).judge_all([VerifierInput(c, (Passage("known", known),)) for c, known in asked])
    support = max((answer.probabilities.get(Verdict.SUPPORTED, 0.0) for answer in answers), default=0.0)
    if support >= _OUTRIGHT:
        against = max(refutations(examined, [(claim, flag.evidence or "") for claim in claims]))
        return support >= against - _MARGIN
    return False


def _tell(flag: HallucinationFlag, examined: Examination) -> list[str]:
    people, known = meet(examined), examined.knowledge
    before = people.named_before(flag.span.start)
    circle = dict.fromkeys((*people.named_between(*flag.span), *((before,) if before is not None else ())))
    told = [sentence for entity in list(circle)[:_CIRCLE] for sentence in tell_record(entity)]
    told += [memory.text for memory in (known.told if isinstance(known, Knowledge) else known.statements)]
    near = sorted(dict.fromkeys(told), key=lambda text: -examined.similarity(flag.content, text))
    return near[:_MOST]


def _has_figures(claim: str, known: str) -> bool:
    """A judge of language is no judge of figures: those of the claim must stand in the sentence."""
    figures = {word for word in content_of(claim) if word[0].isdigit()}
    return figures <= set(content_of(known))


def _turns_parts_round(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether it is about who did it to whom: two parties, and both stand in what is held against the claim as well."""
    named = {entity.name for entity in meet(examined).named_between(*flag.span)}
    against = (flag.evidence or "").casefold()
    return len([name for name in named if name.casefold() in against]) > 1
