"""Whether a statement that seems to deny a turn only tells what the turn says, in other words or in part.

Statements are cut out of sentences and lose what stood beside them: "he is an actor" against "he is a singer", cut out
of "an actor and singer". So a pair is read once more as it was written, the whole sentence against the whole sentence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.detect.dialogue.history import Prior, fills_anew
from groundwire.detect.dialogue.pairing import Pair
from groundwire.detect.dialogue.stated_values import find_values
from groundwire.detect.examination import Examination
from groundwire.detect.weighing.asking import hear, leans_against
from groundwire.detect.weighing.traits import are_same, compare_statements
from groundwire.judge.alignment import Aliases
from groundwire.judge.hybrid import HybridJudge
from groundwire.types import Passage, Verdict, VerifierInput

_BORNE_OUT = 0.3
"""How likely the support of a whole sentence must be, besides being likelier than its refutation."""


def is_told(pair: Pair, examined: Examination) -> bool:
    """Whether the judge finds the sentence of the answer in the sentence, or the turn, that it was held against.

    Of two values that rules compare, the answer's must also stand there: a judge of language is no judge of figures.
    """
    prior = pair.prior
    if not isinstance(examined.judge, HybridJudge) or prior.text != prior.said.text:  # corrected since
        return False
    mine = pair.mine
    if mine is not None and not any(mine.equals(value) for value in find_values(prior.turn.text)):
        return False
    for answer in hear(examined).judge_all(list(_ask(pair))):
        if answer.probabilities[Verdict.SUPPORTED] > _BORNE_OUT and not leans_against(answer):
            return True
    return False


def is_said_again(pair: Pair, priors: Sequence[Prior], aliases: Aliases) -> bool:
    """Whether another earlier statement, which still stands, is the same as the answer's, word by word.

    "You finished in 2019" repeats "I finished in 2019", whatever is read into "I started in 2014".
    """
    said, against = pair.said.text, pair.prior
    return any(
        other is not against
        and other.by_user >= against.by_user
        and all(any(value.equals(known) for known in other.values) for value in find_values(said))
        and are_same(said, other.text)
        and not (against.place > other.place and _asks_the_same(against, other, aliases))
        for other in priors
    )


def _asks_the_same(new: Prior, old: Prior, aliases: Aliases) -> bool:
    """One slot, or the same words around another value."""
    traits = compare_statements(new.text, old.text, None)
    return fills_anew(new, old, aliases) or traits.told == traits.covered == 1.0


def _ask(pair: Pair) -> Iterator[VerifierInput]:
    told = pair.prior.said.told.strip()
    yield VerifierInput(pair.said.told.strip(), (Passage("prior", told),))
    if not pair.prior.by_user:  # a turn of the assistant has the voice of the answer as it stands
        yield VerifierInput(pair.said.sentence, (Passage("prior", pair.prior.turn.text),))
