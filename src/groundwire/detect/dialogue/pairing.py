"""Which statements of an answer and of a dialogue speak of the same, so that they can contradict each other.

A cosine of short statements is a weak measure. Rules relate them too: the same subject with a word in common, the same
slot, two values for one question, a part that only one can play, a pronoun that resumes an earlier subject.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from groundwire.detect.dialogue.history import Prior, rival_choices
from groundwire.detect.dialogue.kindred import Vocabulary
from groundwire.detect.dialogue.stated_values import StatedValue, find_values
from groundwire.detect.dialogue.topics import Topic, common_words, count_words, read_topic, share
from groundwire.detect.examination import Examination
from groundwire.evidence.dialogue import Said
from groundwire.evidence.mentions import Kind, classify_name
from groundwire.evidence.names import name_words
from groundwire.evidence.speakers import ASSISTANT
from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.text.lexicon import noun_lemma
from groundwire.text.propositions import UNREAD
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table

RELATED = 0.7
ALONE, TOUCHING, VALUED = (0.85, 0.65), (0.85, 0.4), (0.6, 0.35)
"""What the judge must say of statements that share nothing, a word, or a kind of value that they state differently."""
_RIVALS = 0.8
_SAME_SLOT = 0.9
_HALF = 0.5
_PRONOUN_LENGTH = 5
_PERSONAL = frozenset({"i", "you", "we", "me", "us"})
_RESUMING = re.compile(r"\b(?:it|they|he|she|them)\b", re.IGNORECASE)
_FORMER = re.compile(
    r"\b(?:used to|formerly|previously|in the past|back then|once upon|until (?:yesterday|recently|last))\b",
    re.IGNORECASE,
)
_POINTING = frozenset({"this", "that", "it", "these", "those", "there", "here", "which"})
_OWNED = re.compile(r"\b(?:your|our|my|his|her|their)((?: [\w-]+){1,3})", re.IGNORECASE)
_NAME = re.compile(r"[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,3}")
_MOST_PAIRS = 5
_MOST_PERSONAL = 4
_MOST_DISTANT = 4
_FEWEST_WORDS, _MOST_WORDS = 3, 16
"""Words of a statement that says enough, and not too much, to be judged without a rule."""


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
    is_note: bool = False
    """One of them is a sentence that no rule could read."""
    bars: tuple[float, float] = ALONE
    """Of a weak pair: how sure the judge must be one way, and the other."""


class Shelf:
    """The statements of a dialogue, each found by what it is about; only those are compared with a statement."""

    def __init__(self, priors: Sequence[Prior]) -> None:
        self.priors = priors
        self._words: dict[str, set[int]] = defaultdict(set)
        self._marks: dict[str, set[int]] = defaultdict(set)
        self._akin: dict[str, frozenset[int]] = {}
        for place, prior in enumerate(priors):
            for word in prior.topic.words:
                self._words[word].add(place)
            for mark in _marks_of(prior.said, prior.values):
                self._marks[mark].add(place)
        self._vocabulary = Vocabulary(self._words)

    def select(self, said: Said) -> list[Prior]:
        """The priors that can be related to a statement, oldest first."""
        found: set[int] = set()
        for word in read_topic(said.text).telling:
            found |= self._find_akin(word)
        for mark in _marks_of(said, find_values(said.text)):
            places = self._marks.get(mark, ())
            found.update(sorted(places)[-_MOST_PERSONAL:] if mark.startswith("person:") else places)
        return [self.priors[place] for place in sorted(found)]

    def _find_akin(self, word: str) -> frozenset[int]:
        known = self._akin.get(word)
        if known is None:
            places = [self._words[other] for other in self._vocabulary.find_akin(word)]
            known = self._akin[word] = frozenset[int]().union(*places)
        return known


def _marks_of(said: Said, values: Sequence[StatedValue]) -> Iterator[str]:
    """What statements without a word in common can still share: slot, person, predicate, kind of value."""
    proposition = said.read.proposition
    for fact in said.read.facts:
        yield f"slot:{fact.slot_type}"
    if proposition.subject in (USER, ASSISTANT):
        yield f"person:{proposition.subject}"
    if proposition.predicate and proposition.predicate != "be":
        yield f"predicate:{proposition.predicate}"
    persons = read_topic(said.text).persons if values else ()
    for value in values:
        genus = value.kind.partition(":")[0]
        if genus not in ("year", "number"):
            yield f"kind:{genus}"
        for person in persons:
            yield f"kind:{genus} of {person}"


def relate_all(said: Said, shelf: Shelf, examined: Examination, aliases: Aliases) -> list[Pair]:
    """The related statements, most similar first, newest first among equals (DET-023)."""
    related = (
        _resume(said, prior) or relate(said, prior, aliases, examined.similarity) for prior in shelf.select(said)
    )
    found = [pair for pair in related if pair is not None]
    found.sort(key=lambda pair: (pair.is_weak, -pair.similarity, -pair.prior.place))
    return found[:_MOST_PAIRS]


def relate_distantly(said: Said, shelf: Shelf, near: Sequence[Pair], examined: Examination) -> list[Pair]:
    """What no rule relates, nearest in meaning first: the judge alone says whether they speak of the same.

    "The vessel berths in Rotterdam" shares no word with "The Halvorsen will dock in Antwerp".
    """
    taken = {id(pair.prior) for pair in near}
    if any(pair.mine is not None for pair in near) or not _may_be_distant(said):
        return []
    others = [
        prior
        for prior in shelf.priors
        if id(prior) not in taken and _may_be_distant(prior.said) and _may_meet(said, prior)
    ]
    found = [(examined.similarity(said.text, prior.text), prior.place, prior) for prior in others]
    found.sort(key=lambda one: (-one[0], -one[1]))
    return [
        Pair(said, prior, RELATED, None, None, True, said.text, bars=_set_bars(said, prior))
        for _, _, prior in found[:_MOST_DISTANT]
    ]


def _set_bars(said: Said, prior: Prior) -> tuple[float, float]:
    if find_conflict(said, prior)[0] is not None:
        return VALUED
    return TOUCHING if share(read_topic(said.text), prior.topic)[0] else ALONE


def _may_be_distant(said: Said) -> bool:
    return not said.read.is_note and _FEWEST_WORDS <= len(said.text.split()) <= _MOST_WORDS


def _may_meet(said: Said, prior: Prior) -> bool:
    """Neither is about somebody else, nor about two things of one kind."""
    mine, theirs = read_topic(said.text), prior.topic
    if mine.persons and theirs.persons and mine.persons.isdisjoint(theirs.persons):
        return False
    if _are_other_people(said, prior):
        return False
    shared, apart = share(mine, theirs)
    return not apart and not are_two(said, prior, shared)


def _are_other_people(said: Said, prior: Prior) -> bool:
    """ "Greta Costa lives in Lyon", "Greta Grimm's team": each is about somebody by name, and the names differ."""
    mine = find_people(said.read.proposition.subject)
    theirs = find_people(prior.said.read.proposition.subject) if mine else mine
    return bool(theirs) and not mine <= theirs and not theirs <= mine


@lru_cache(maxsize=8192)
def find_people(subject: str) -> frozenset[str]:
    """The words of the names in a subject that are persons', or full names that may be."""
    names = [name_words(match.group()) for match in _NAME.finditer(subject)]
    kinds = [(words, classify_name(words)[0]) for words in names]
    people = [words for words, kind in kinds if kind is Kind.PERSON or (kind is Kind.UNKNOWN and len(words) > 1)]
    return frozenset(word for words in people for word in words)


def is_former(said: Said, prior: Prior) -> bool:
    """What was so until yesterday says nothing of today."""
    return _FORMER.search(prior.said.sentence) is not None and _FORMER.search(said.sentence) is None


def are_two(said: Said, prior: Prior, shared: frozenset[str]) -> bool:
    """Statements that have nothing against each other, whatever a model makes of them."""
    if is_former(said, prior):
        return True
    pointing = said.read.proposition.subject.casefold() in _POINTING
    new = _is_new(shared, read_topic(said.text), prior.text)
    return pointing or new or _are_counted_apart(said, prior) or _agree(said, prior)


def relate(
    said: Said,
    prior: Prior,
    aliases: Aliases,
    similarity_of: Callable[[str, str], float] | None = None,
) -> Pair | None:
    """The pair, where both speak of the same; a cosine or a rule says so.

    What rules relate is at least as similar as RELATED.
    """
    subjects = {said.read.proposition.subject, prior.said.read.proposition.subject}
    if subjects == {USER, ASSISTANT} or said.read.proposition.subject.casefold() in _POINTING:
        return None
    if _are_rivals(said, prior):
        return Pair(said, prior, _RIVALS, None, None, False, said.text)
    if _are_other_people(said, prior):
        return None
    topic, other = read_topic(said.text), prior.topic
    shared, apart = share(topic, other)
    if apart:
        return None
    is_near = bool(shared) or bool(topic.persons & other.persons) or bool(topic.counted & other.counted)
    mine, theirs = find_conflict(said, prior) if is_near else (None, None)
    similarity, is_weak = _measure(said, prior, shared, mine, aliases)
    if is_weak:
        mine = theirs = None
    if mine is None and are_two(said, prior, shared):
        return None
    if similarity < 1.0 and not said.read.is_note and similarity_of is not None:
        cosine = similarity_of(said.text, prior.text)
        if cosine >= RELATED:
            similarity, is_weak = max(similarity, cosine), False
            if not is_near:
                mine, theirs = find_conflict(said, prior)
    notes = [one for one in (said, prior.said) if one.read.is_note]
    if similarity < RELATED or (mine is None and notes and not _may_be_judged(notes, shared)):
        return None
    return Pair(said, prior, similarity, mine, theirs, is_weak or bool(notes), said.text, bool(notes))


def _is_new(shared: frozenset[str], mine: Topic, prior: str) -> bool:
    """All that both name is something else: "a black umbrella", where yours was spoken of."""
    named = shared & mine.nouns.keys()
    if not named or not named <= mine.introduced:
        return False
    owned = {noun_lemma(word.casefold()) for words in _OWNED.findall(prior) for word in words.split()}
    return named <= owned


def _are_counted_apart(said: Said, prior: Prior) -> bool:
    """ "Season two" and "the first season" are two things; so are "one bathroom" and "two bedrooms"."""
    values = find_values(said.text), prior.values
    mine, theirs = (_number_nouns(found) for found in values)
    if any(mine[noun].isdisjoint(theirs[noun]) for noun in mine.keys() & theirs.keys()):
        return True
    if said.read.proposition.negated != prior.said.read.proposition.negated:
        return False
    left, right = ({v.kind for v in found if v.kind.startswith("count:")} for found in values)
    return bool(left and right) and left.isdisjoint(right) and not {"count:*", "count:people"} & (left | right)


def _number_nouns(values: Sequence[StatedValue]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for value in values:
        genus, _, noun = value.kind.partition(":")
        if genus in ("label", "rank"):
            found[noun].add(value.number)
    return found


def _agree(said: Said, prior: Prior) -> bool:
    """The same predicate with the same values: said twice, whatever a model makes of "4 pm" and "16:00"."""
    mine, theirs = said.read.proposition, prior.said.read.proposition
    values = find_values(said.text)
    same = mine.predicate == theirs.predicate != "" and mine.negated == theirs.negated
    if not values or not same or read_topic(said.text).words - prior.topic.words - common_words():
        return False
    return all(any(v.equals(o) for o in prior.values) for v in values)


def _measure(
    said: Said, prior: Prior, shared: frozenset[str], mine: StatedValue | None, aliases: Aliases
) -> tuple[float, bool]:
    """How near two statements are by what they are about, and whether that is only the person."""
    subject = said.read.proposition.subject
    same = bool(subject) and subjects_match(subject, prior.said.read.proposition.subject, aliases)
    topic, other = read_topic(said.text), prior.topic
    overlap = min(1.0, len(shared) / max(1, min(count_words(topic), count_words(other))))
    if shared and (same or _is_named(said, prior) or mine is not None):
        return RELATED + 0.05 + 0.25 * overlap, False
    if shared and overlap >= _HALF:
        return RELATED, False
    if _share_slot(said, prior, aliases):
        return _SAME_SLOT, False
    if mine is not None and mine.kind.startswith("count:") and _is_owned(mine, said, topic, other):
        return _RIVALS, False
    if (same and subject in (USER, ASSISTANT)) or (mine is not None and topic.persons & other.persons):
        return RELATED, True
    return 0.0, False


def _may_be_judged(notes: Sequence[Said], shared: frozenset[str]) -> bool:
    """A sentence that no rule could read is judged as it stands; an order or a fragment claims nothing."""
    return bool(shared) and all(n.read.proposition == UNREAD and len(n.text.split()) > 3 for n in notes)


def _is_owned(value: StatedValue, said: Said, mine: Topic, theirs: Topic) -> bool:
    """ "your forty guests": a number of somebody's own, which the dialogue gave."""
    before = said.text[: said.text.find(value.text)].rstrip().casefold()
    return before.endswith(("your", "our", "the", "you have", "we have", "you've got")) or bool(
        mine.persons & theirs.persons
    )


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
    left = mine.lemmas if mine != UNREAD else read_topic(said.text).words
    right = theirs.lemmas if theirs != UNREAD else prior.topic.words
    return bool(set(mine.subject_lemmas) & right or set(theirs.subject_lemmas) & left)


def _share_slot(said: Said, prior: Prior, aliases: Aliases) -> bool:
    """Two facts about the same slot of the same subject, however the sentences are built."""
    return any(
        fact.slot_type == other.slot_type and subjects_match(fact.subject, other.subject, aliases)
        for fact in said.read.facts
        for other in prior.said.read.facts
    )


def find_conflict(said: Said, prior: Prior) -> tuple[StatedValue | None, StatedValue | None]:
    """Two values for one question, where neither text has the other's."""
    if _asks_for(said) is not _asks_for(prior.said):
        return None, None
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


def _asks_for(said: Said) -> bool:
    """ "You need 180 credits": how many there are is another question."""
    return said.read.proposition.predicate in ("need", "require", "want")


def _are_names(mine: StatedValue, theirs: StatedValue, said: Said, prior: Prior) -> bool:
    """ "Bus 45 goes to the airport", "Bus 12 goes to the station": the labels say which bus, not what it does."""
    if not mine.kind.startswith(("label:", "rank:")):
        return False
    return mine.text in said.read.proposition.subject and theirs.text in prior.said.read.proposition.subject
