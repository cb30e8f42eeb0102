"""Contradicts prior dialogue: the answer says of somebody or something what earlier turns exclude.

Related pairs are found by the embedder and by rules (the same subject, slot or question); the judge decides them in
both directions (JDG-024). Values that answer the same question differently are told by rules as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import cast

from groundwire.detect.amounts.figures import derives, read_figures
from groundwire.detect.dialogue.balance import find_candidates, judge_candidates
from groundwire.detect.dialogue.changes import admits, tells_change
from groundwire.detect.dialogue.circumstances import answers_other, are_apart, are_other_days, is_worked_out
from groundwire.detect.dialogue.exchanges import judge_exchanges
from groundwire.detect.dialogue.history import Prior, gather, is_outdated, presuppose_unread, with_sentences
from groundwire.detect.dialogue.orders import find_disorder
from groundwire.detect.dialogue.pairing import Pair, Shelf, relate, relate_all, relate_distantly
from groundwire.detect.dialogue.retelling import is_said_again, is_told
from groundwire.detect.dialogue.stated_values import find_values
from groundwire.detect.dialogue.telling import (
    ask_whole,
    doubt,
    find_words,
    make_flag,
    name_type,
    tell_once,
    without_wholes,
)
from groundwire.detect.dialogue.topics import read_topic, share
from groundwire.detect.dialogue.weighing import CONTRADICTED, Judged, is_negation, judge_pairs, turns_round
from groundwire.detect.examination import Examination
from groundwire.detect.records.checked import Standing
from groundwire.detect.records.consulting import consult_knowledge
from groundwire.detect.weighing.asking import hear
from groundwire.evidence.dialogue import Dialogue, Said
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import DialogueState
from groundwire.evidence.speakers import ASSISTANT, Party
from groundwire.judge.alignment import Aliases
from groundwire.judge.hybrid import HybridJudge
from groundwire.judge.judge import Judge
from groundwire.judge.rules import RULES
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER
from groundwire.types import (
    ContradictionResult,
)
from groundwire.types.detection import HallucinationFlag

_MARGIN = 0.1
_SUPPOSING = re.compile(r"\b(?:if|unless|whenever|in case|whether|once|when|where|as soon as)\s+$", re.IGNORECASE)
_IDENTIFIES = re.compile(r"Your [a-z-]+ is [A-Z][\w' -]*|[A-Z][\w' -]* is your [a-z-]+")
_ASIDE = re.compile(r"(?:,| and| –| —) not (?!only\b)([^,.;:]{1,60})")
_PARTS = re.compile(r"; |,? (?:and|but|while|whereas|so) ")
_ARGUED = re.compile(r"\W*(?:since|as|because|given that|now that|seeing that|although|though)\b", re.IGNORECASE)
_SUPPORTED = 0.8
_MOST_TOLD = 200
_MOST_STATEMENTS = 200
_MOST_ADMITTED = 14
"""Words of a sentence that does nothing else than take something back."""
_MOST_DISTANT = 40
"""Pairs that no rule relates and the judge is asked about all the same, of one answer."""


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
        judged = self._judge(said, priors, examined, aliases, dialogue)
        found: list[Judged] = []
        for one in said:
            own = [j for j in judged if j.pair.said is one]
            best = _strongest(own, priors, aliases)
            if best is not None and (is_said_again(best.pair, priors, aliases) or _is_reported(best.pair, priors)):
                continue
            while best is not None and is_told(best.pair, examined):
                own = [j for j in own if j.pair.prior.turn is not best.pair.prior.turn]
                best = _strongest(own, priors, aliases)
            if best is not None and _is_here(best.pair, examined.text) and not _is_known(best.pair, examined):
                found.append(best)
        found = tell_once(found)
        hear(examined).begin([ask_whole(one.pair) for one in found if one.pair.mine is not None])
        return without_wholes([doubt(make_flag(one, examined.text), one.pair, examined, dialogue) for one in found])

    def _judge(
        self, said: Sequence[Said], priors: Sequence[Prior], examined: Examination, aliases: Aliases, dialogue: Dialogue
    ) -> list[Judged]:
        """Values by rule; all else by the judge: weighed where it is a model, related by rule where it is none."""
        shelf, asked = _stack(dialogue, priors), _find_asked(dialogue)

        def may_count(pair: Pair, *, has_days: bool = False) -> bool:
            is_elsewhere = not has_days and _is_elsewhere(pair, asked)
            return not is_elsewhere and not _is_given(pair, dialogue) and not _sets_aside(pair)

        near = {id(one): relate_all(one, shelf, examined, aliases) for one in said}
        pairs = [pair for found in near.values() for pair in found]
        if not isinstance(examined.judge, HybridJudge):
            if examined.judge.name != RULES:
                distant = (pair for one in said for pair in relate_distantly(one, shelf, near[id(one)], examined))
                pairs.extend(islice(distant, _MOST_DISTANT))
            return judge_pairs([pair for pair in pairs if may_count(pair)], examined.judge)
        near_by = [c for one in said for c in find_candidates(one, priors, examined, aliases)]
        candidates = [c for c in near_by if may_count(c.pair, has_days=c.has_other_days)]
        near_ones = {(id(c.said), id(c.prior)) for c in candidates}
        turned = [p for p in pairs if (id(p.said), id(p.prior)) in near_ones and p.mine is None and turns_round(p)]
        stated = [pair for pair in pairs if pair.mine is not None and may_count(pair)] + turned
        ordered = [found for one in said if (found := find_disorder(one, priors)) is not None]
        replied = judge_exchanges(said, dialogue, hear(examined))
        return [
            *judge_pairs(stated, examined.judge), *judge_candidates(candidates, hear(examined)), *ordered, *replied
        ]  # fmt: skip


def _stack(dialogue: Dialogue, priors: Sequence[Prior]) -> Shelf:
    known = dialogue.memo.get("shelf")
    if known is None:
        known = dialogue.memo["shelf"] = Shelf(priors)
    return cast("Shelf", known)


def _is_known(pair: Pair, examined: Examination) -> bool:
    """What is on record outranks what an assistant said before, and what a judge alone holds against a user's word."""
    if examined.knowledge.is_empty or (pair.prior.by_user and not _is_beside(pair)):
        return False
    start, end = pair.said.read.claim.span
    inside = [c for c in consult_knowledge(examined) if start <= c.read.claim.span.start < end]
    mine, known = pair.mine, examined.knowledge
    told = known.told if isinstance(known, Knowledge) else known.statements
    if mine is not None and any(
        mine.equals(value) for memory in told[:_MOST_TOLD] for value in find_values(memory.text)
    ):
        return True
    return bool(inside) and all(c.standing is Standing.SUPPORTED for c in inside)


_YOU_SAID = re.compile(
    r"\byou(?:['’]d| had| have|['’]ve)? (?:first |at first |earlier |once )?"
    r"(?:said|told me|mentioned|wrote|thought|assumed|asked)"
    r"(?: earlier| before| at first| first)?(?: that| whether| if)? $",
    re.IGNORECASE,
)


def _is_reported(pair: Pair, priors: Sequence[Prior]) -> bool:
    """ "You said earlier that the wall is of brick", who said so before they found that it is not."""
    said, against = pair.said, pair.prior
    start = said.read.claim.span.start - said.read.sentence.start
    if not against.by_user or _YOU_SAID.search(said.sentence[: max(0, start)]) is None:
        return False
    topic = read_topic(said.text)
    return any(p.by_user and p.place < against.place and share(topic, p.topic)[0] for p in priors)


def _is_beside(pair: Pair) -> bool:
    """Neither a value of the user nor anything about them: "The plan has 5 GB", who has run out of storage."""
    return pair.mine is None and pair.said.read.proposition.subject not in (USER, ASSISTANT) and not is_negation(pair)


def _is_here(pair: Pair, text: str) -> bool:
    """A value that came into the statement with a pronoun is wrong where it was written, not here."""
    return pair.mine is None or find_words(pair.mine.text, pair.said, text) is not None


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
    heard = dialogue.hear(examined.text)[:_MOST_STATEMENTS]
    for said in (*with_sentences(heard), *presuppose_unread(examined.text[:limit], heard)):
        if said.sentence != last:
            before, last = last, said.sentence
        if said.read.claim.span.start > limit or said.read.claim.hedged or said.read.claim.quoted:
            continue
        if _is_misread(said) or _only_refers(said) or _is_order(said, examined.text):
            continue
        if _is_supposed(said, examined.text) or is_worked_out(said.told, given):
            continue
        if (
            not (tells_change(_without_result(said)) and not _is_argued_from(said))
            and not _takes_back(before, said)
            and not derives(said.sentence, given)
        ):
            found.append(said)
    return found


def _is_order(said: Said, text: str) -> bool:
    """ "As nobody voted, keep it to yourself": an order behind a clause has no subject, whatever was read into it."""
    claim = said.read.claim
    first = said.quote.split(None, 1)[0].casefold() if said.quote else ""
    before = text[: claim.span.start].rstrip()
    return before.endswith((",", ";", ":")) and verb_lemma(first) == first and not said.read.is_note


def _is_misread(said: Said) -> bool:
    """ "You could ask them", with "quotes" for "them": the verb of the statement is none of the sentence as written."""
    verb, text = said.read.proposition.predicate, said.sentence.casefold()
    if not verb or said.text.casefold() in text or any(noun_lemma(word) == verb for word in _WORD.findall(text)):
        return False
    if not any(noun_lemma(word) == verb for word in _WORD.findall(said.told.casefold())):
        return False
    return not any(verb_lemma(word) == verb for word in _WORD.findall(text))


_WORD = re.compile(r"[^\W\d_]+")
_REFERS = re.compile(
    r"(?:(?:you|they|we) (?:could|can|might|may|should) (?:also |always |just )?|(?:please |just |so |then )*)"
    r"(?:ask|call|ring|phone|contact|email|e-mail|write to|talk to|speak to|check with)\b(?! (?:it|that)\b)",
    re.IGNORECASE,
)


def _only_refers(said: Said) -> bool:
    """ "You could ask them about it": who is sent to somebody else is told nothing of the matter."""
    return _REFERS.match(said.quote) is not None


def _is_supposed(said: Said, text: str) -> bool:
    """ "If you have no ticket yet", "in case it rains": nobody says that it is so."""
    span = said.read.claim.span
    if _IDENTIFIES.fullmatch(said.text) and said.text not in said.told:
        return False  # "when your uncle Emil calls": that Emil is your uncle is taken for granted all the same
    return _SUPPOSING.search(text, max(0, span.start - 12), span.start) is not None


def _without_result(said: Said) -> str:
    """What follows from a statement ("so there is no risk in signing up now") does not tell that it has changed."""
    cause = said.sentence.partition(", so ")[0]
    return cause if said.quote in cause else said.sentence


def _is_argued_from(said: Said) -> bool:
    """ "Because Jule is fit again, she can play": what is argued from is no news of the answer's own."""
    clause = said.sentence.partition(", ")[0]
    return _REASONED.match(clause) is not None and said.quote in clause and _NEWS.search(clause) is None


_REASONED = re.compile(r"\W*(?:since|as|because|given that|seeing that)\b", re.IGNORECASE)
_NEWS = re.compile(
    r"\b(?:moved|changed|rescheduled|postponed|updated|corrected|turned out|turns out|new|actually|instead|mistake)\b",
    re.IGNORECASE,
)


def _takes_back(sentence: str, said: Said) -> bool:
    """A sentence before that admits an error, or tells a change of the same thing, covers the one that follows."""
    if not sentence or not tells_change(sentence) or len(sentence.split()) > _MOST_ADMITTED:
        return False
    told = " ".join(part for part in _PARTS.split(sentence) if tells_change(part))
    return admits(sentence) or bool(share(read_topic(told), read_topic(said.text))[0])


def _find_asked(dialogue: Dialogue) -> str:
    """What the user asked last; the answer is about that."""
    last = dialogue.recent[-1:]
    text = last[0].text.strip() if last and dialogue.party_of(last[0]) is Party.USER else ""
    return split_sentences(text)[-1].text if text.endswith("?") else ""


def _sets_aside(pair: Pair) -> bool:
    """ "There are 19 chairs, not 20": the earlier value is named in order to be corrected."""
    match = _ASIDE.search(pair.said.sentence)
    if match is None:
        return False
    said, figures = match[1].casefold(), read_figures(pair.prior.text)
    return bool(figures & read_figures(match[1])) or any(v.text.casefold() in said for v in pair.prior.values)


def _is_elsewhere(pair: Pair, asked: str) -> bool:
    """The pair differs in a circumstance, so that both can be true."""
    sentence, prior = _find_part(pair.said), pair.prior.said.told
    mine, theirs = pair.said.read.proposition, pair.prior.said.read.proposition
    same = mine.predicate == theirs.predicate != "" and pair.mine is None and not is_negation(pair)
    if are_other_days(sentence, prior) and not same:
        return True
    return are_apart(sentence, prior) or answers_other(pair.said.text, prior, asked)


def _find_part(said: Said) -> str:
    """The part of a compound sentence in which a statement stands."""
    parts = _PARTS.split(said.sentence)
    if _ARGUED.match(said.sentence):  # "Since you have finished, you can rest at weekends"
        parts = [piece for part in parts for piece in part.split(", ", 1)]
    return next((part for part in parts if said.quote in part), said.told) if len(parts) > 1 else said.told


def _is_given(pair: Pair, dialogue: Dialogue) -> bool:
    """The user has brought up the answer's value since: the dialogue has moved on."""
    value = pair.mine
    if value is None:
        return False
    later = [t.text for t in dialogue.recent[pair.prior.place + 1 :] if dialogue.party_of(t) is not Party.ASSISTANT]
    figures = read_figures(value.text)
    for text in later:
        if any(value.text.casefold() == v.text.casefold() or value.equals(v) for v in find_values(text)):
            return True
        if figures and figures <= read_figures(text):
            return True
    return False


def _strongest(judged: Sequence[Judged], priors: Sequence[Prior], aliases: Aliases) -> Judged | None:
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


def _outweighs(support: Judged, against: Judged) -> bool:
    """Users outrank assistants, and later turns earlier ones; within a turn the surer finding counts."""
    one, other = support.pair.prior, against.pair.prior
    if one.by_user != other.by_user:
        return one.by_user
    return one.place > other.place or (one.place == other.place and support.support > against.contradiction + _MARGIN)


def contradicts_history(claim: str, dialogue: Dialogue, judge: Judge) -> ContradictionResult:
    """Whether a single claim contradicts the dialogue so far, how sure that is, and how."""
    priors = gather(dialogue)
    aliases = Aliases.learn(fact for prior in priors for fact in prior.said.read.facts)
    best: Judged | None = None
    for judged in _judge_claim(claim, dialogue, priors, judge, aliases):
        if best is None or judged.contradiction > best.contradiction:
            best = judged
    if best is None:
        return ContradictionResult(is_contradiction=False, confidence=0.0)
    return ContradictionResult(
        is_contradiction=True,
        confidence=round(best.contradiction, 4),
        contradiction_type=name_type(best.pair),
    )


def _judge_claim(
    claim: str, dialogue: Dialogue, priors: Sequence[Prior], judge: Judge, aliases: Aliases
) -> Iterator[Judged]:
    for said in dialogue.hear(claim):
        pairs = [p for prior in priors if (p := relate(said, prior, aliases)) is not None]
        strongest = _strongest(judge_pairs(pairs, judge), priors, aliases)
        if strongest is not None:
            yield strongest
