"""Whether the writer of a claim vouches for it: the hedges of the text layer, weighed for the gate."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.text.hedges import Hedge, find_hedges
from groundwire.types import HedgeAction


@dataclass(frozen=True, slots=True)
class Speculation:
    """What the hedges of a text come to: the strictest action, and the hedges that ask for it."""

    action: HedgeAction
    hedges: tuple[Hedge, ...] = ()

    @property
    def phrases(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(" ".join(hedge.phrase.split()) for hedge in self.hedges))

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(hedge.kind for hedge in self.hedges))


NO_SPECULATION = Speculation(HedgeAction.CONTINUE)


def weigh_hedges(text: str) -> Speculation:
    """BLOCK for speculation, admitted uncertainty and suggestions, REVIEW for technical hedges and approximations.

    An assertion next to it ("definitely") changes nothing, and neither does anything else in the text.
    """
    hedges = find_hedges(text)
    for action in (HedgeAction.BLOCK, HedgeAction.REVIEW):
        asking = tuple(hedge for hedge in hedges if hedge.action is action)
        if asking:
            return Speculation(action, asking)
    return NO_SPECULATION
