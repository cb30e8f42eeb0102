"""What the judge says of two related statements, and how much of it counts.

The nearer two statements are by rule, the less the judge has to add: one direction where both speak of one subject,
both directions where nothing but the model relates them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.detect.dialogue.pairing import RELATED, Pair
from groundwire.detect.dialogue.siblings import find_swap
from groundwire.detect.dialogue.topics import Topic, read_topic
from groundwire.detect.records.facets import speaks_of
from groundwire.judge.hybrid import HybridJudge
from groundwire.judge.judge import Judge
from groundwire.judge.reprieves import closes_then
from groundwire.judge.rules import RULES
from groundwire.text.lexicon import verb_lemma
from groundwire.text.thesaurus import are_opposites, denied_base
from groundwire.types import Passage, Polarity, Tense, Verdict, VerifierInput, VerifierOutput

CONTRADICTED = 0.6
_STATED = 0.85
"""How sure it is that two values exclude each other which answer the same question about the same thing."""
_WEAK = 0.8
"""Of a sentence that no rule could read, the judge must be this sure in both directions."""
_ONE_WAY = 0.76
"""So sure one way is enough where both speak of one subject."""
_CONFIRMED = 0.35
_HINTED = 0.15
_SWAPPED = 0.75


@dataclass(frozen=True, slots=True)
class Judged:
    pair: Pair
    contradiction: float
    support: float


def judge_pairs(pairs: Sequence[Pair], judge: Judge) -> list[Judged]:
    """Both directions of every pair that rules leave open; the higher contradiction counts (JDG-024).

    The way back is not asked where it could change nothing any more. Values that answer one question differently are
    decided by rules, as in the judge itself.
    """
    pairs = [pair for pair in pairs if not closes_then(pair.text, pair.prior.text)]
    stated = [Judged(pair, _STATED, 0.0) for pair in pairs if pair.mine is not None]
    open_pairs = [pair for pair in pairs if pair.mine is None]
    there = _ask(judge, [(pair.text, pair.prior.text) for pair in open_pairs])
    needed = [i for i, pair in enumerate(open_pairs) if _is_open(pair, there[i])]
    back = dict(zip(needed, _ask(judge, [(open_pairs[i].prior.text, open_pairs[i].text) for i in needed]), strict=True))
    judged = list[Judged]()
    for i, (pair, out) in enumerate(zip(open_pairs, there, strict=True)):
        weight = _weigh(pair, out, back[i], judge) if i in back else 0.0
        judged.append(Judged(pair, weight, out.probabilities[Verdict.SUPPORTED]))
    return [*stated, *judged]


def _ask(judge: Judge, questions: Sequence[tuple[str, str]]) -> list[VerifierOutput]:
    inputs = [VerifierInput(claim, (Passage("prior", evidence),)) for claim, evidence in questions]
    return judge.judge_all(inputs) if inputs else []


def _is_open(pair: Pair, there: VerifierOutput) -> bool:
    """Whether the other direction can still make a contradiction of it."""
    if not pair.is_weak:
        return there.judge != RULES or there.probabilities[Verdict.REFUTED] >= _HINTED or is_opposed(pair)
    return there.probabilities[Verdict.REFUTED] >= min(pair.bars)


def _weigh(pair: Pair, there: VerifierOutput, back: VerifierOutput, judge: Judge) -> float:
    """The higher of both probabilities, where something confirms it: the other direction, a negation, one subject."""
    one, other = there.probabilities[Verdict.REFUTED], back.probabilities[Verdict.REFUTED]
    highest, lowest = max(one, other), min(one, other)
    if pair.is_weak:
        is_ruled = RULES in (there.judge, back.judge) and lowest >= CONTRADICTED
        sure, fairly_sure = (_WEAK, _WEAK) if pair.is_note else pair.bars
        is_sure = highest >= sure and lowest >= fairly_sure
        return highest if is_sure or is_ruled else 0.0
    if is_negation(pair):
        return highest if lowest >= _HINTED or highest >= _ONE_WAY else 0.0
    if _keeps_value(pair):
        return 0.0
    if denies_state(pair):
        return max(highest, _SWAPPED)
    if _swaps(pair) and highest >= _HINTED:
        return max(highest, _SWAPPED)
    if there.judge == back.judge == RULES and highest < RELATED and not is_opposed(pair):
        return _confirm(pair, judge)
    if lowest >= _CONFIRMED or (is_opposed(pair) and pair.similarity > RELATED):
        return highest
    return highest if highest >= _ONE_WAY and pair.similarity > RELATED else 0.0


def _confirm(pair: Pair, judge: Judge) -> float:
    """What a rule only supposes about the user is put to the model, which knows the words."""
    if not isinstance(judge, HybridJudge):
        return 0.0
    questions = [(pair.text, pair.prior.text), (pair.prior.text, pair.text)]
    opinions = judge.ask_model([VerifierInput(claim, (Passage("prior", said),)) for claim, said in questions])
    highest = max((opinion.probabilities[Verdict.REFUTED] for opinion in opinions), default=0.0)
    return highest if highest >= _ONE_WAY else 0.0


def turns_round(pair: Pair) -> bool:
    """A word denies what was done, or another of the kind stands in its place: a rule has a reason to ask."""
    if pair.is_weak:
        return False
    if is_negation(pair):
        return _denies_same(pair)
    return denies_state(pair) or _swaps(pair) or is_opposed(pair)


def _denies_same(pair: Pair) -> bool:
    """More than the subject is in both: "has not arrived yet" is no news of what "has been shipped"."""
    mine, theirs = pair.said.read.proposition, pair.prior.said.read.proposition
    if mine.tense is Tense.FUTURE is not theirs.tense:
        return False  # what is not so may become so
    own, other = ({*p.lemmas, p.predicate} - {*p.subject_lemmas, "be", "have", "do", ""} for p in (mine, theirs))
    return any(speaks_of(one, two) for one in own for two in other)


def _swaps(pair: Pair) -> bool:
    """ "Biscuit is a beagle", "a poodle like Biscuit": of one thing the same is said, with another of the kind."""
    mine, theirs = read_topic(pair.text), pair.prior.topic
    if not mine.persons & theirs.persons and pair.similarity <= RELATED:
        return False
    return find_swap(mine, theirs) is not None


def _keeps_value(pair: Pair) -> bool:
    """The sentence has the earlier value as well: "Eva lives in Linz, and Tom in Graz"."""
    told = pair.said.told.casefold()
    return any(
        fact.exclusive
        and fact.pattern != "predicate"
        and fact.raw.casefold() in told
        and fact.tense is Tense.PRESENT
        and fact.polarity is Polarity.POSITIVE
        for fact in pair.prior.said.read.facts
    )


def is_opposed(pair: Pair) -> bool:
    mine, theirs = read_topic(pair.said.text), pair.prior.topic
    words, others = mine.verbs | mine.qualities, theirs.verbs | theirs.qualities
    return any(are_opposites(word, other) for word in words for other in others) or denies_state(pair)


def denies_state(pair: Pair) -> bool:
    """ "Your invoice is unpaid", after "I paid the invoice": the word denies what the other says was done."""
    mine, theirs = read_topic(pair.said.text), pair.prior.topic
    if is_negation(pair) or pair.prior.said.read.proposition.tense is Tense.FUTURE:
        return False
    return bool(_denied(mine) & (theirs.verbs | theirs.qualities) or _denied(theirs) & (mine.verbs | mine.qualities))


def _denied(topic: Topic) -> frozenset[str]:
    bases = [base for word in topic.qualities | topic.verbs if (base := denied_base(word)) is not None]
    return frozenset(verb_lemma(base) or base for base in bases)


def is_negation(pair: Pair) -> bool:
    mine, theirs = pair.said.read, pair.prior.said.read
    return mine.proposition.negated != theirs.proposition.negated or mine.claim.polarity is not theirs.claim.polarity
