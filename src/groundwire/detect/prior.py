"""Contradicts prior dialogue: the answer says of somebody or something what earlier turns exclude.

Related pairs are found by the embedder and by rules (the same subject, slot or question); the judge decides them in
both directions (JDG-024). Values that answer the same question differently are told by rules as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.detect.changes import tells_change
from groundwire.detect.circumstances import answers_other, are_apart, is_worked_out
from groundwire.detect.examination import Examination
from groundwire.detect.figures import derives
from groundwire.detect.history import Prior, gather, is_outdated, rival_choices, with_sentences
from groundwire.detect.stated_values import StatedValue, find_values
from groundwire.detect.topics import Topic, count_words, read_topic, share
from groundwire.evidence.dialogue import Dialogue, Said
from groundwire.evidence.lookups import DialogueState
from groundwire.evidence.speakers import ASSISTANT, Party
from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.judge import Judge
from groundwire.judge.mismatch import find_mismatch
from groundwire.judge.rules import RULES
from groundwire.text.lexicon import verb_lemma
from groundwire.text.propositions import UNREAD
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites
from groundwire.types import (
    Claim,
    ContradictionResult,
    ContradictionType,
    Passage,
    Polarity,
    Span,
    Tense,
    Verdict,
    VerifierInput,
    VerifierOutput,
)
from groundwire.types.detection import HallucinationFlag, HallucinationType, HistoryEvidence, Stance

RELATED = 0.7
CONTRADICTED = 0.6
_STATED = 0.85
"""How sure it is that two values exclude each other which answer the same question about the same thing."""
_WEAK = 0.8
"""Where only the person is the same, the judge must be this sure in both directions."""
_PRONOUN_LENGTH = 5
_PERSONAL = frozenset({"i", "you", "we", "me", "us"})
_RESUMING = re.compile(r"\b(?:it|they|he|she|them)\b", re.IGNORECASE)
_POINTING = frozenset({"this", "that", "it", "these", "those", "there", "here", "which"})
_CONFIRMED = 0.35
_MARGIN = 0.1
_SUPPORTED = 0.8
_MOST_TURNS = 20
_MOST_PAIRS = 8
_MOST_STATEMENTS = 200


class Pair(NamedTuple):
    """A statement of the answer and a related one of the dialogue."""

    said: Said
    prior: Prior
    similarity: float
    mine: StatedValue | None
    """A value of the answer that the prior's value excludes."""
    theirs: StatedValue | None
    is_weak: bool
    text: str
    """The statement as it is judged."""


@dataclass(frozen=True, slots=True)
class _Judged:
    pair: Pair
    contradiction: float
    support: float


class PriorDetector:
    """ContradictsPrior (DET-007, DET-023 to DET-025)."""

    @property
    def name(self) -> str:
        return "history_contradictions"

    def detect(self, examined: Examination) -> tuple[HallucinationFlag, ...]:
        dialogue = as_dialogue(examined.dialogue)
        priors = gather(dialogue)
        if not priors:
            return ()
        said = _answer_of(dialogue, examined)
        aliases = Aliases.learn(fact for prior in priors for fact in prior.said.read.facts)
        pairs = [pair for one in said for pair in _relate_all(one, priors, examined, aliases)]
        asked = _find_asked(dialogue)
        pairs = [pair for pair in pairs if not _is_elsewhere(pair, asked)]
        judged = _judge(pairs, examined.judge)
        flags: list[HallucinationFlag] = []
        for one in said:
            own = [j for j in judged if j.pair.said is one]
            best = _strongest(own, priors, aliases)
            if best is not None:
                flags.append(_flag(best, examined.text))
        return tuple(flags)


def as_dialogue(state: DialogueState) -> Dialogue:
    """The state itself where it is ours; any other is read from its turns."""
    return state if isinstance(state, Dialogue) else Dialogue(state.turns)


def _answer_of(dialogue: Dialogue, examined: Examination) -> list[Said]:
    """What the answer says, as far as it is analysed, without what it tells as a change."""
    end = max((claim.span.end for claim in examined.claims), default=len(examined.text))
    limit = end if len(examined.text) > 20_000 else len(examined.text)
    found: list[Said] = []
    before = last = ""
    given = [turn.text for turn in dialogue.recent]
    for said in with_sentences(dialogue.hear(examined.text)[:_MOST_STATEMENTS]):
        if said.sentence != last:
            before, last = last, said.sentence
        if said.read.claim.span.start > limit or said.read.claim.hedged or said.read.claim.quoted:
            continue
        if _is_order(said, examined.text):
            continue
        if not tells_change(said.sentence) and not _takes_back(before) and not derives(said.sentence, given):
            found.append(said)
    return found


def _is_order(said: Said, text: str) -> bool:
    """ "As nobody voted, keep it to yourself": an order behind a clause has no subject, whatever was read into it."""
    claim = said.read.claim
    first = said.quote.split(None, 1)[0].casefold() if said.quote else ""
    before = text[: claim.span.start].rstrip()
    return before.endswith((",", ";", ":")) and verb_lemma(first) == first and not said.read.is_note


def _takes_back(sentence: str) -> bool:
    """A sentence before that admits an error covers the one that corrects it."""
    return bool(sentence) and tells_change(sentence) and len(sentence.split()) <= 14


def _find_asked(dialogue: Dialogue) -> str:
    """What the user asked last; the answer is about that."""
    last = dialogue.recent[-1:]
    text = last[0].text.strip() if last and dialogue.party_of(last[0]) is Party.USER else ""
    return split_sentences(text)[-1].text if text.endswith("?") else ""


def _is_elsewhere(pair: Pair, asked: str) -> bool:
    """The pair differs in a circumstance, so that both can be true."""
    sentence, prior = pair.said.told, pair.prior.said.told
    return are_apart(sentence, prior) or answers_other(sentence, prior, asked)


# ── which pairs are related ─────────────────────────────────────────────────────────────────────


def _relate_all(said: Said, priors: Sequence[Prior], examined: Examination, aliases: Aliases) -> list[Pair]:
    """The related statements, most similar first, newest first among equals (DET-023)."""
    given = tuple(turn.text for turn in examined.dialogue.turns[-_MOST_TURNS:])
    related = (
        _resume(said, prior) or relate(said, prior, aliases, examined.similarity, given) for prior in priors
    )
    found = [pair for pair in related if pair is not None]
    found.sort(key=lambda pair: (-pair.similarity, -pair.prior.place))
    return found[:_MOST_PAIRS]


def relate(
    said: Said,
    prior: Prior,
    aliases: Aliases,
    similarity_of: Callable[[str, str], float] | None = None,
    given: Sequence[str] = (),
) -> Pair | None:
    """The pair, where both speak of the same; a cosine or a rule says so."""
    subjects = {said.read.proposition.subject, prior.said.read.proposition.subject}
    if subjects == {USER, ASSISTANT}:
        return None
    if said.read.proposition.subject.casefold() in _POINTING:
        return None
    topic, other = read_topic(said.text), prior.topic
    shared, apart = share(topic, other)
    if apart or _are_rivals(said, prior):
        return Pair(said, prior, 0.8, None, None, False, said.text) if _are_rivals(said, prior) else None
    mine, theirs = _find_conflict(said, prior)
    if is_worked_out(said.told, given):
        return None
    alike = subjects_match(said.read.proposition.subject, prior.said.read.proposition.subject, aliases)
    same = alike and bool(said.read.proposition.subject)
    overlap = len(shared) / max(1, min(count_words(topic), count_words(other)))
    weak = False
    if shared and (same or _is_named(said, prior) or mine is not None):
        similarity = RELATED + 0.05 + 0.25 * min(1.0, overlap)
    elif shared and overlap >= 0.5:
        similarity = RELATED
    elif _share_slot(said, prior, aliases):
        similarity = 0.9
    elif mine is not None and mine.kind.startswith("count:") and _is_owned(mine, said, topic, other):
        similarity = 0.8
    elif (same and said.read.proposition.subject in (USER, ASSISTANT)) or (
        mine is not None and topic.persons & other.persons
    ):
        similarity, weak = RELATED, True
        mine = theirs = None
    else:
        similarity = 0.0
    if similarity < 1.0 and not said.read.is_note and similarity_of is not None:
        cosine = similarity_of(said.text, prior.text)
        if cosine >= RELATED:
            similarity, weak = max(similarity, cosine), False
    notes = [one for one in (said, prior.said) if one.read.is_note]
    if similarity < RELATED or (mine is None and notes and not _may_be_judged(notes, shared)):
        return None
    return Pair(said, prior, similarity, mine, theirs, weak or bool(notes), said.text)


def _may_be_judged(notes: Sequence[Said], shared: frozenset[str]) -> bool:
    """A sentence that no rule could read is judged as it stands; an order or a fragment claims nothing."""
    return bool(shared) and all(n.read.proposition == UNREAD and len(n.text.split()) > 3 for n in notes)


def _is_owned(value: StatedValue, said: Said, mine: Topic, theirs: Topic) -> bool:
    """ "your forty guests": a number of somebody's own, which the dialogue gave."""
    before = said.text[: said.text.find(value.text)].rstrip().casefold()
    return before.endswith(("your", "our", "you have", "we have", "you've got")) or bool(mine.persons & theirs.persons)


def _resume(said: Said, prior: Prior) -> Pair | None:
    """ "By default it returns JSON" against "The API returns XML": the same predicate says whom the pronoun resumes."""
    mine, theirs = said.read.proposition, prior.said.read.proposition
    if not mine.predicate or mine.predicate != theirs.predicate or mine.predicate == "be":
        return None
    start, end = (at - said.read.sentence.start for at in said.read.claim.span)
    quote = said.sentence[max(0, start - _PRONOUN_LENGTH) : end]
    pronoun = _RESUMING.search(quote)
    if pronoun is None:
        return None
    is_subject = quote.casefold().find(mine.predicate[:3]) > pronoun.start()
    patient = prior.said.read.claim.subject if theirs.passive else prior.said.read.claim.object
    resumed = prior.said.read.claim.subject if is_subject else patient
    if not resumed or resumed.casefold() in said.text.casefold() or resumed.casefold() in _PERSONAL:
        return None
    text = f"{quote[: pronoun.start()]}{resumed}{quote[pronoun.end() :]}".strip()
    value = next((v for v in find_values(quote) if any(v.excludes(o) for o in prior.values)), None)
    rival = next((o for o in prior.values if value is not None and value.excludes(o)), None)
    weak = value is None and mine.negated == theirs.negated
    return Pair(said, prior, 0.8, value, rival, weak, text)


def _are_rivals(said: Said, prior: Prior) -> bool:
    """ "The red team won" against "The blue team won": a part that only one can play."""
    if rival_choices(said, prior.said):
        return True
    mine, theirs = said.read.proposition, prior.said.read.proposition
    if mine.predicate != theirs.predicate or mine.predicate not in read_table("grammar")["single_agent"]["verbs"]:
        return False
    if mine.negated or theirs.negated or USER in (mine.subject, theirs.subject) or not mine.subject_lemmas:
        return False
    objects = [next((a.lemmas for a in p.arguments if a.role == "object"), ()) for p in (mine, theirs)]
    if all(objects) and not set(objects[0]) & set(objects[1]):
        return False
    heads = mine.subject_lemmas[-1:] == theirs.subject_lemmas[-1:] or bool(objects[0] and objects[1])
    return heads and mine.subject_lemmas != theirs.subject_lemmas


def _is_named(said: Said, prior: Prior) -> bool:
    """The subject of one is spoken of in the other."""
    mine, theirs = said.read.proposition, prior.said.read.proposition
    return bool(set(mine.subject_lemmas) & theirs.lemmas or set(theirs.subject_lemmas) & mine.lemmas)


def _share_slot(said: Said, prior: Prior, aliases: Aliases) -> bool:
    """Two facts about the same slot of the same subject, however the sentences are built."""
    return any(
        fact.slot_type == other.slot_type and subjects_match(fact.subject, other.subject, aliases)
        for fact in said.read.facts
        for other in prior.said.read.facts
    )


def _find_conflict(said: Said, prior: Prior) -> tuple[StatedValue | None, StatedValue | None]:
    """Two values for one question, where neither text has the other's."""
    values, theirs = find_values(said.text), prior.values
    same = said.read.proposition.subject == prior.said.read.proposition.subject != ""
    for value in values:
        rivals = [other for other in theirs if value.excludes(other) and (same or value.kind != "number")]
        if not rivals or any(value.equals(other) for other in theirs):
            continue
        rival = rivals[0]
        if not any(rival.equals(other) for other in find_values(said.told)) and not _are_names(
            value, rival, said, prior
        ):
            return value, rival
    return None, None


def _are_names(mine: StatedValue, theirs: StatedValue, said: Said, prior: Prior) -> bool:
    """ "Bus 45 goes to the airport", "Bus 12 goes to the station": the labels say which bus, not what it does."""
    if not mine.kind.startswith(("label:", "rank:")):
        return False
    return mine.text in said.read.proposition.subject and theirs.text in prior.said.read.proposition.subject


# ── what the judge says of them ─────────────────────────────────────────────────────────────────


def _judge(pairs: Sequence[Pair], judge: Judge) -> list[_Judged]:
    """Both directions of every pair in one call; the higher contradiction counts (JDG-024)."""
    questions = [
        VerifierInput(claim, (Passage("prior", evidence),))
        for pair in pairs
        for claim, evidence in ((pair.text, pair.prior.text), (pair.prior.text, pair.text))
    ]
    outputs = judge.judge_all(questions) if questions else []
    return [
        _Judged(pair, _weigh(pair, there, back), there.probabilities[Verdict.SUPPORTED])
        for pair, there, back in zip(pairs, outputs[::2], outputs[1::2], strict=True)
    ]


def _weigh(pair: Pair, there: VerifierOutput, back: VerifierOutput) -> float:
    """The higher of both probabilities, where something confirms it.

    Two values for one question and a plain negation speak for themselves. Otherwise the other direction has to see it
    too: a model that finds a contradiction one way only has mostly found another topic.
    """
    one, other = there.probabilities[Verdict.REFUTED], back.probabilities[Verdict.REFUTED]
    highest, lowest = max(one, other), min(one, other)
    if pair.mine is not None:
        return max(highest, _STATED)
    by_rules = there.judge == back.judge == RULES
    if pair.is_weak:
        is_ruled = RULES in (there.judge, back.judge) and lowest >= CONTRADICTED
        return highest if lowest >= _WEAK or is_ruled else 0.0
    if _is_negation(pair):
        return highest
    if _keeps_value(pair):
        return 0.0
    is_soft = by_rules and highest < RELATED and not _is_opposed(pair)
    return highest if lowest >= _CONFIRMED and not is_soft else 0.0


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


def _is_opposed(pair: Pair) -> bool:
    mine, theirs = read_topic(pair.said.text), pair.prior.topic
    words, others = mine.verbs | mine.qualities, theirs.verbs | theirs.qualities
    return any(are_opposites(word, other) for word in words for other in others)


def _is_negation(pair: Pair) -> bool:
    mine, theirs = pair.said.read, pair.prior.said.read
    return mine.proposition.negated != theirs.proposition.negated or mine.claim.polarity is not theirs.claim.polarity


def _strongest(judged: Sequence[_Judged], priors: Sequence[Prior], aliases: Aliases) -> _Judged | None:
    """The contradiction that stands: not outdated, and not outweighed by what somebody said since."""
    supports = [j for j in judged if j.support >= _SUPPORTED and j.contradiction < CONTRADICTED]
    found = [
        j
        for j in judged
        if j.contradiction >= CONTRADICTED
        and not any(_outweighs(s, j) for s in supports)
        and not is_outdated(j.pair.prior, priors, aliases)
    ]
    return max(found, key=lambda j: (j.contradiction * j.pair.similarity, j.pair.prior.place), default=None)


def _outweighs(support: _Judged, against: _Judged) -> bool:
    """Users outrank assistants, and later turns earlier ones; within a turn the surer finding counts."""
    one, other = support.pair.prior, against.pair.prior
    if one.by_user != other.by_user:
        return one.by_user
    return one.place > other.place or (one.place == other.place and support.support > against.contradiction + _MARGIN)


# ── the flag ────────────────────────────────────────────────────────────────────────────────────


def _flag(judged: _Judged, text: str) -> HallucinationFlag:
    pair, claim = judged.pair, judged.pair.said.read.claim
    confidence = round(min(1.0, judged.contradiction * pair.similarity), 4)
    value, right = _locate_value(pair, text)
    turn = pair.prior.turn
    who = "you" if pair.prior.by_user else "the assistant"
    return HallucinationFlag(
        span=claim.span,
        content=text[claim.span.start : claim.span.end],
        hallucination_type=HallucinationType.CONTRADICTS_PRIOR,
        confidence=confidence,
        suggestion=f"In turn {turn.turn_id} {who} said otherwise; keep to it or say what changed.",
        evidence=f'turn {turn.turn_id} ({turn.role}): "{pair.prior.quote}"',
        correct_value=right,
        value_span=value,
        source_id=f"turn:{turn.turn_id}",
        detector="history_contradictions",
        claim_span=claim.span,
        contradiction_type=_name_type(pair),
        history=HistoryEvidence(Stance.CONTRADICTS, round(judged.contradiction, 4), pair.prior.quote, turn.turn_id),
    )


def _name_type(pair: Pair) -> ContradictionType:
    if pair.mine is not None:
        return ContradictionType.INCOMPATIBLE_VALUES
    return ContradictionType.DIRECT_NEGATION if _is_negation(pair) else ContradictionType.INCOMPATIBLE_VALUES


def _locate_value(pair: Pair, text: str) -> tuple[Span | None, str | None]:
    """Where the wrong value stands in the answer, and what the dialogue has in its place."""
    claim = pair.said.read.claim
    if pair.mine is not None and pair.theirs is not None:
        return _find(pair.mine.text, claim, text), pair.theirs.text
    if _name_type(pair) is ContradictionType.DIRECT_NEGATION:
        return None, None
    for fact in pair.said.read.facts:
        for other in pair.prior.said.read.facts:
            same = fact.slot_type == other.slot_type and fact.pattern != "predicate"
            if same and fact.exclusive and other.polarity is Polarity.POSITIVE:
                return fact.value_span, other.raw
    mismatch = find_mismatch(pair.said.text, pair.prior.text)
    if mismatch is None or not mismatch.is_value:
        return None, None
    span = _find(mismatch.mine, claim, text)
    return (span, mismatch.theirs) if span is not None else (None, None)


def _find(words: str, claim: Claim, text: str) -> Span | None:
    start = text.find(words, claim.span.start, claim.span.end)
    return None if start < 0 else Span(start, start + len(words))


def contradicts_history(claim: str, dialogue: Dialogue, judge: Judge) -> ContradictionResult:
    """Whether a single claim contradicts the dialogue so far, how sure that is, and how."""
    priors = gather(dialogue)
    aliases = Aliases.learn(fact for prior in priors for fact in prior.said.read.facts)
    best: _Judged | None = None
    for judged in _judge_claim(claim, dialogue, priors, judge, aliases):
        if best is None or judged.contradiction > best.contradiction:
            best = judged
    if best is None:
        return ContradictionResult(is_contradiction=False, confidence=0.0)
    return ContradictionResult(
        is_contradiction=True,
        confidence=round(best.contradiction, 4),
        contradiction_type=_name_type(best.pair),
    )


def _judge_claim(
    claim: str, dialogue: Dialogue, priors: Sequence[Prior], judge: Judge, aliases: Aliases
) -> Iterator[_Judged]:
    for said in dialogue.hear(claim):
        pairs = [p for prior in priors if (p := relate(said, prior, aliases)) is not None]
        strongest = _strongest(_judge(pairs, judge), priors, aliases)
        if strongest is not None:
            yield strongest
