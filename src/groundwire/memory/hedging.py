"""Whether the writer of a claim vouches for it: the hedges of the text layer, weighed for the gate."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.text.assertion import is_question
from groundwire.text.hedges import Hedge, find_hedges
from groundwire.text.sentences import split_sentences
from groundwire.types import HedgeAction, Span


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

    A text that only asks is for review as well. An assertion next to it ("definitely") changes nothing, and neither
    does anything else in the text.
    """
    hedges = (*find_hedges(text), *_find_question(text))
    for action in (HedgeAction.BLOCK, HedgeAction.REVIEW):
        asking = tuple(hedge for hedge in hedges if hedge.action is action)
        if asking:
            return Speculation(action, asking)
    return NO_SPECULATION


def _find_question(text: str) -> tuple[Hedge, ...]:
    """A text that only asks vouches for nothing: "The code is 4411?", "You live in Graz, right?"."""
    sentences = split_sentences(text)
    if not sentences or not all(is_question(sentence) for sentence in sentences):
        return ()
    last = sentences[-1].span.end
    return (Hedge(text[last - 1 : last], Span(last - 1, last), HedgeAction.REVIEW, "question"),)
