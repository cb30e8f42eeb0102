"""What the answer says against a question and the user's reply to it, read together.

"How do you get there?" – "With my old Volvo": neither of the two says that there is a car, and both together do.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.detect.dialogue.history import Prior
from groundwire.detect.dialogue.pairing import RELATED, Pair
from groundwire.detect.dialogue.weighing import Judged
from groundwire.detect.weighing.asking import Answers
from groundwire.detect.weighing.scale import Opinion
from groundwire.detect.weighing.traits import words_of
from groundwire.evidence.dialogue import Dialogue, Said
from groundwire.evidence.speakers import Party
from groundwire.text.lexicon import verb_lemma
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER
from groundwire.types import Claim, Passage, Span, VerifierInput
from groundwire.types.detection import DialogueTurn

_SURE, _SURER, _AT_MOST = 0.7, 0.9, 0.85
_HARDLY = 0.1
_LATEST = 3
_FEWEST, _MOST_WORDS = 3, 14


def judge_exchanges(said: Sequence[Said], dialogue: Dialogue, judge: Answers) -> list[Judged]:
    """Statements that share a word with an exchange, or are about the user, as far as the judge refutes them by it."""
    places = {turn: place for place, turn in enumerate(dialogue.recent)}
    latest = [_as_prior(turn, text, places.get(turn, 0)) for turn, text in list(dialogue.exchanges.items())[-_LATEST:]]
    asked = [(one, prior) for one in said for prior in latest if _may_be_about(one, prior.text)]
    answers = judge.judge_all([VerifierInput(one.text, (Passage("exchange", p.text),)) for one, p in asked])
    found: list[Judged] = []
    for (one, prior), answer in zip(asked, answers, strict=True):
        opinion = Opinion.of(answer)
        is_shared = not words_of(one.text).isdisjoint(words_of(prior.text))
        if opinion.refutation >= (_SURE if is_shared else _SURER) and opinion.support <= _HARDLY:
            pair = Pair(one, prior, RELATED, None, None, False, one.text)
            found.append(Judged(pair, min(opinion.refutation, _AT_MOST), opinion.support))
    return found


def _as_prior(turn: DialogueTurn, text: str, place: int) -> Prior:
    """The exchange in the place of a statement, quoted by the first sentence of the reply."""
    first = next(iter(split_sentences(turn.text)), None)
    quote = first.text.strip() if first is not None else turn.text
    span = first.span if first is not None else Span(0, len(turn.text))
    read = ReadClaim(Claim(text, span), (), UNREAD, span, is_note=True)
    return Prior(Said(read, turn, Party.USER, quote, quote, text), text, quote, turn, place, True)


def _may_be_about(said: Said, text: str) -> bool:
    words = said.text.split()
    if said.read.is_note or not _FEWEST <= len(words) <= _MOST_WORDS or not said.read.proposition.predicate:
        return False
    if verb_lemma(words[0].casefold()) == words[0].casefold():
        return False
    return said.read.proposition.subject == USER or not words_of(said.text).isdisjoint(words_of(text))
