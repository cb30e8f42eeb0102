"""What an answer says against what was said before, in whatever words: the nearest turns, read both ways."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.detect.amounts.figures import read_figures
from groundwire.detect.dialogue.history import Prior
from groundwire.detect.dialogue.pairing import RELATED, Pair, are_two, find_conflict, find_people, is_former
from groundwire.detect.dialogue.stated_values import StatedValue
from groundwire.detect.dialogue.swaps import are_swapped
from groundwire.detect.dialogue.topics import read_topic, share
from groundwire.detect.dialogue.weighing import Judged
from groundwire.detect.examination import Examination
from groundwire.detect.logic.contrary import are_contrary
from groundwire.detect.records.schedules import are_scheduled_apart
from groundwire.detect.weighing.contrasts import are_contrasted, share_subject
from groundwire.detect.weighing.exchanges import are_exchanged
from groundwire.detect.weighing.scale import SILENT, SUREST, Opinion, are_sure, describe_pair, leans_to_conflict, weigh
from groundwire.detect.weighing.traits import Traits, compare_statements, words_of
from groundwire.evidence.dialogue import Said
from groundwire.evidence.speakers import ASSISTANT
from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.judge import Judge
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.propositions import UNREAD
from groundwire.text.subjects import USER
from groundwire.types import Passage, Tense, VerifierInput

_NEAREST = 4
_FIGURES = 2
_AKIN = 0.1
_SCALE = "prior"
_ENOUGH = 0.62
_FEWEST = 3
_HARDLY = 0.3
_HOPELESS = 0.1
"""A refutation less likely than this is none the other way round either, unless rules see two sides of a question."""
_AUXILIARIES = frozenset(
    """
    is isn't are aren't was wasn't were weren't do don't does doesn't did didn't has hasn't have haven't had hadn't can
    can't could couldn't will won't would wouldn't
    """.split()  # noqa: SIM905
)
_SHORTENED = ("'re", "'m", "'s", "'ve", "'ll", "n't")
""" "You're left-handed" has three words."""
_LEAST_SURE, _CONTRARY = 0.75, 0.85
_SURE = ((0.6, 0.85), (0.1, 0.95))
"""Bars from which on the judge decides alone, whatever two statements have in common."""
_BORNE_OUT = 0.4
_CONTRASTED = 0.8
"""What two sides of one question are worth where the judge leans that way, or where their subject is the same."""
_TOLD_ENOUGH = 0.3
_RESTRICTED = re.compile(
    r"you(?:['’]re| are)? "
    r"(?:can['’]t|(?:can|do|must|should|may|could)(?:n['’]t| ?not)|never|avoid|(?:\w+ )?(?:allergic|intolerant))\b",
    re.IGNORECASE,
)
_ADDRESSES = re.compile(r"\byou(?:r|rs|rself|['’]re)?\b", re.IGNORECASE)
_ADDRESSED = re.compile(
    r"\b(?:you(?:r|rs|rself)?|allowed|permitted|welcome|fine|ok|okay|safe|suitable|can|may)\b", re.IGNORECASE
)
_GENERAL = re.compile(r"an? ([^\W\d_]+) (?:is|has|takes|needs|costs|lasts|contains|can|does|may|will)\b", re.IGNORECASE)
_BY_NUMBER, _WORD = re.compile(r"([^\W\d_]{3,}) ([A-Z]{0,3}-?\d[\w-]*)"), re.compile(r"[\w-]+")
_NEEDS = frozenset({"need", "want", "require"})
_AFTERWARDS = re.compile(r"(?<=[a-z] )then\b|\b(?:afterwards?|after that|once (?:that|this) is done)\b", re.IGNORECASE)
_THERE = re.compile(r"there(?:['’]s| is| are| was| were)\b(?! no\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A statement of the answer and an earlier one that may be about the same."""

    said: Said
    prior: Prior
    traits: Traits
    similarity: float
    mine: StatedValue | None
    theirs: StatedValue | None
    is_same_subject: bool
    is_apart: bool
    """Both name a thing of one kind, and not the same one."""
    is_two: bool
    is_contrary: bool = False
    """Rules for one text exclude it."""
    has_other_days: bool = False
    """One says open and the other closed, on some day; or it is at another time of the day, or on another floor."""
    is_swapped: bool = False
    """The answer speaks of somebody who was never mentioned, in the place of one who was."""

    @property
    def pair(self) -> Pair:
        """As it is told when it turns out to be a conflict; it is at least as near as what rules relate."""
        similarity = max(self.similarity, RELATED)
        return Pair(self.said, self.prior, similarity, None, None, False, self.said.text)

    @property
    def is_contrasted(self) -> bool:
        subject, prior = self.said.read.proposition.subject, self.prior.said.read.proposition
        about = subject if self.is_same_subject and subject not in (USER, ASSISTANT) else ""
        is_trait = prior.subject == USER and prior.predicate == "be" and prior.tense is Tense.PRESENT
        if is_trait and _ADDRESSES.search(self.said.text):
            about = USER  # "a right-hander like you", who is left-handed
        return are_contrasted(self.said.text, self.prior.text, self.traits, about)

    @property
    def denies_deed(self) -> bool:
        """ "You haven't taken anything" and "you have taken two aspirins": one verb of one subject, said and denied."""
        mine, theirs = self.said.read.proposition, self.prior.said.read.proposition
        is_one = self.is_same_subject and mine.predicate == theirs.predicate not in ("", "be", "have", "do")
        return is_one and mine.negated != theirs.negated

    @property
    def has_other_need(self) -> bool:
        """ "You only need your passport", who needs to register: two needs that share no word."""
        sides = [side.read.proposition for side in (self.said, self.prior.said)]
        needs = {side.aspect if side.aspect in _NEEDS else side.predicate for side in sides}
        return needs <= _NEEDS and not self.traits.told and not self.traits.differing

    @property
    def comes_after(self) -> bool:
        """ "Then it restarts by itself", of what is stuck now: what comes of something denies no state before it."""
        traits = self.traits
        apart = traits.differing or traits.denial or traits.opposed or traits.names_apart or self.is_contrary
        return _AFTERWARDS.search(self.said.told) is not None and not apart

    @property
    def is_of_one(self) -> bool:
        """Whether what the statement is about is named in the earlier one."""
        return self.traits.told >= _TOLD_ENOUGH and share_subject(self.said.text, self.prior.text)

    @property
    def keeps_values(self) -> bool:
        """The same values, and nothing denied or turned around: one thing in other words, whatever a judge thinks."""
        traits = self.traits
        apart = traits.differing or traits.denial or traits.opposed or traits.names_apart or traits.turned
        return bool(traits.agreeing) and not apart and not self.is_contrary

    @property
    def repeats_figures(self) -> bool:
        """Two figures or more, all of which were said: "at 40 pages it is over the limit of 30"."""
        traits, own = self.traits, read_figures(self.said.text)
        if len(own) < _FIGURES or traits.denial or traits.opposed or traits.differing or self.is_contrary:
            return False
        return own <= read_figures(self.prior.text)

    @property
    def nearness(self) -> float:
        return max(self.similarity, (self.traits.told + self.traits.covered) / 2)


@dataclass(frozen=True, slots=True)
class WeighedTurn:
    candidate: Candidate
    there: Opinion
    back: Opinion
    probability: float


def find_candidates(said: Said, priors: Sequence[Prior], examined: Examination, aliases: Aliases) -> list[Candidate]:
    """The nearest earlier statements, newest first among equals."""
    if not _says_enough(said.text):
        return []
    open_ones = [p for p in priors if _says_enough(p.text) and not _are_of_others(said, p) and not is_former(said, p)]
    found = [_meet(said, prior, examined, aliases) for prior in open_ones]
    near = [
        c
        for c in found
        if (c.nearness >= _AKIN or c.is_same_subject)
        and not (_says_that_there_is(c) or _tells_own_act(c) or _speaks_of_all(c) or _tells_of_things(c))
    ]
    ranked = sorted(near, key=lambda c: (-c.nearness, -c.prior.place))
    nearest = [*ranked[:_NEAREST], *[c for c in ranked[_NEAREST:] if c.denies_deed][:1]]
    return [_rule(candidate, examined) for candidate in nearest]


def _are_of_others(said: Said, prior: Prior) -> bool:
    """Each is about somebody by name, of whom the other is silent: "Ada Abel joined in 2019", "Ben lives in Oslo".

    So is one about a thing by its number and another about a person: "Room 12 is closed".
    """
    mine, theirs = _find_subject(said), _find_subject(prior.said)
    if not mine or not theirs:
        of_person, of_thing = (said, prior.said) if mine else (prior.said, said)
        return bool(mine or theirs) and _are_strange(of_thing, of_person, mine or theirs)
    return not mine <= find_people(prior.text) and not theirs <= find_people(said.text)


def _are_strange(of_thing: Said, of_person: Said, name: frozenset[str]) -> bool:
    """Whether neither a numbered thing nor a person is named by what is said of the other."""
    thing = _BY_NUMBER.fullmatch(of_thing.read.proposition.subject)
    if thing is None or name & find_people(of_thing.text):
        return False
    return not {thing[1].casefold(), thing[2].casefold()} & frozenset(_WORD.findall(of_person.text.casefold()))


def _says_that_there_is(candidate: Candidate) -> bool:
    """ "There's a steakhouse nearby" is denied by "there is none" alone, not by what is said of it or done about it."""
    if candidate.traits.denial or candidate.mine is not None:
        return False
    return _THERE.match(candidate.prior.text) is not None and _THERE.match(candidate.said.text) is None


def _tells_of_things(candidate: Candidate) -> bool:
    """ "Cheese contains dairy" denies nothing to somebody who can't have it; only what is offered to them would."""
    if _RESTRICTED.match(candidate.prior.text) is None or _ADDRESSED.search(candidate.said.text):
        return False
    first = candidate.said.text.split(" ", 1)[0].casefold()
    return verb_lemma(first) != first


def _speaks_of_all(candidate: Candidate) -> bool:
    """ "A marathon is 42 kilometres long" says nothing against what somebody ran: it is true of all of its kind."""
    kind = _GENERAL.match(candidate.said.text)
    return kind is not None and noun_lemma(kind[1].casefold()) not in words_of(candidate.prior.text)


def _tells_own_act(candidate: Candidate) -> bool:
    """What the assistant has done denies nothing that was said of others, nor does what it promised deny what is."""
    said, prior = candidate.said.read.proposition, candidate.prior.said.read.proposition
    if prior.subject == ASSISTANT and prior.tense is Tense.FUTURE and said.tense is not Tense.FUTURE:
        return True
    traits = candidate.traits
    return said.subject == ASSISTANT != prior.subject and not (traits.denial or traits.opposed)


def _find_subject(said: Said) -> frozenset[str]:
    """Whom a statement is about by name; of one that could not be read, the name it begins with."""
    if said.read.proposition is UNREAD:
        return find_people(" ".join(said.text.split(" ", 2)[:2]))
    return find_people(said.read.proposition.subject)


def _says_enough(text: str) -> bool:
    """ "Two hours", "your brother isn't": a piece of a sentence says too little to be judged."""
    words = text.casefold().replace("’", "'").split()
    said = len(words) if len(words) >= _FEWEST else len(words) + sum(word.endswith(_SHORTENED) for word in words)
    return said >= _FEWEST and words[-1].strip(".!") not in _AUXILIARIES


def _meet(said: Said, prior: Prior, examined: Examination, aliases: Aliases) -> Candidate:
    subject, other = said.read.proposition.subject, prior.said.read.proposition.subject
    shared, apart = share(read_topic(said.text), prior.topic)
    mine, theirs = find_conflict(said, prior)
    return Candidate(
        said,
        prior,
        compare_statements(said.text, prior.text, examined.now),
        examined.similarity(said.text, prior.text),
        mine,
        theirs,
        bool(subject) and subjects_match(subject, other, aliases),
        apart,
        are_two(said, prior, shared),
    )


def _rule(candidate: Candidate, examined: Examination) -> Candidate:
    """What rules say of the two; it has no part in which candidates are near."""
    mine, theirs = candidate.said.text, candidate.prior.text
    is_contrary = are_contrary(theirs, mine, examined.now) or are_exchanged(mine, theirs)
    is_swapped = candidate.prior.by_user and are_swapped(mine, theirs, [t.text for t in examined.dialogue.turns])
    days = are_scheduled_apart(mine, theirs)
    return replace(candidate, is_contrary=is_contrary, has_other_days=days, is_swapped=is_swapped)


def weigh_turns(candidates: Sequence[Candidate], judge: Judge, least: float) -> list[WeighedTurn]:
    """Each pair with its probability; nothing is asked that could make a conflict of no pair of a statement."""
    wanted = {id(c.said) for c in candidates if _weigh(c, SUREST, SUREST, 0.0) >= least}
    candidates = [c for c in candidates if id(c.said) in wanted]
    there = _ask(judge, [(c.said.text, c.prior.text) for c in candidates])
    best: dict[int, float] = {}
    for candidate, opinion in zip(candidates, there, strict=True):
        best[id(candidate.said)] = max(best.get(id(candidate.said), 0.0), opinion.support)
    open_ones = [
        (c, o) for c, o in zip(candidates, there, strict=True) if _weigh(c, o, SUREST, best[id(c.said)]) >= least
    ]
    wanted = {id(c) for c, o in open_ones if o.refutation >= _HOPELESS or c.is_contrasted}
    asked = [c for c, _ in open_ones if id(c) in wanted]
    back = dict(zip(map(id, asked), _ask(judge, [(c.prior.text, c.said.text) for c in asked]), strict=True))
    return [
        WeighedTurn(c, o, back[id(c)], _weigh(c, o, back[id(c)], best[id(c.said)]))
        if id(c) in back
        else WeighedTurn(c, o, SILENT, 0.0)
        for c, o in open_ones
    ]


def judge_candidates(candidates: Sequence[Candidate], judge: Judge) -> list[Judged]:
    """Those that the scale calls a conflict, as sure as the judge is; and what speaks for a statement."""
    ruled = [c for c in candidates if c.has_other_days or c.is_contrary]
    found = [Judged(c.pair, _CONTRARY, 0.0) for c in ruled if not (c.is_two or c.is_apart)]
    found += [Judged(c.pair, _CONTRARY, 0.0) for c in candidates if c.is_swapped]
    all_weighed = weigh_turns(candidates, judge, _ENOUGH)
    for weighed in all_weighed:
        refuted = max(weighed.there.refutation, weighed.back.refutation, _LEAST_SURE)
        is_kept = weighed.candidate.keeps_values and not are_sure(weighed.there, weighed.back, _SURE)
        is_kept = is_kept or weighed.candidate.repeats_figures or weighed.candidate.comes_after
        is_kept = is_kept or weighed.candidate.has_other_need
        is_kept = is_kept or _is_of_no_part(weighed, all_weighed)
        is_conflict = weighed.probability >= _ENOUGH and not is_kept
        found.append(Judged(weighed.candidate.pair, refuted if is_conflict else 0.0, weighed.there.support))
    return found


def _is_of_no_part(weighed: WeighedTurn, others: Sequence[WeighedTurn]) -> bool:
    """Whether a sentence of several statements is denied and none of its statements is: they were mixed up."""
    mine, quote = weighed.candidate, weighed.candidate.prior.quote
    if mine.prior.said.read.proposition != UNREAD:
        return False
    parts = [
        other
        for other in others
        if other.candidate.said is mine.said
        and other.candidate.prior.place == mine.prior.place
        and other.candidate.prior.quote != quote
        and other.candidate.prior.quote in quote
    ]
    return len(parts) > 1 and all(part.probability < _HARDLY for part in parts)


def describe(candidate: Candidate, there: Opinion, back: Opinion, best_support: float) -> dict[str, float]:
    marks = {
        "note": float(candidate.said.read.is_note or candidate.prior.said.read.is_note),
        "of_assistant": float(not candidate.prior.by_user),
        "same_subject": float(candidate.is_same_subject),
        "apart": float(candidate.is_apart),
        "two": float(candidate.is_two),
        "conflict": float(candidate.mine is not None),
    }
    return describe_pair(candidate.traits, there, back, candidate.similarity, best_support, marks)


def _weigh(candidate: Candidate, there: Opinion, back: Opinion, best_support: float) -> float:
    """What the scale says; and what the judge says where it is sure of two whole statements about one thing."""
    probability = weigh(_SCALE, describe(candidate, there, back, best_support))
    is_note = candidate.said.read.is_note or candidate.prior.said.read.is_note
    if candidate.is_two or candidate.is_apart or best_support > _BORNE_OUT:
        return probability
    if candidate.is_contrasted and (leans_to_conflict(there, back) or candidate.is_of_one):
        probability = max(probability, _CONTRASTED)
    if is_note:
        return probability
    return max(probability, there.refutation, back.refutation) if are_sure(there, back, _SURE) else probability


def _ask(judge: Judge, questions: Sequence[tuple[str, str]]) -> list[Opinion]:
    inputs = [VerifierInput(claim, (Passage("prior", evidence),)) for claim, evidence in questions]
    return [Opinion.of(output) for output in (judge.judge_all(inputs) if inputs else ())]
