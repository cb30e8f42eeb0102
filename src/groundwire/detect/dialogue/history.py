"""What the dialogue holds against an answer: the statements of its last turns, as far as they still stand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import pairwise
from typing import cast

from groundwire.detect.dialogue.changes import corrects, is_hearsay, tells_change
from groundwire.detect.dialogue.circumstances import are_apart
from groundwire.detect.dialogue.presuppositions import find_presuppositions, find_settled
from groundwire.detect.dialogue.stated_values import StatedValue, find_values
from groundwire.detect.dialogue.topics import Topic, common_words, read_topic, share
from groundwire.evidence.dialogue import Dialogue, Said
from groundwire.evidence.speakers import Party
from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.slots import relate_in_slot
from groundwire.text.propositions import UNREAD, Proposition
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.values import Relation
from groundwire.types import Claim, Polarity, Span
from groundwire.types.detection import DialogueTurn

_MOST = 60
"""Statements of the window that are compared; the newest count."""
_FEWEST_WORDS = 2
_FEW_WORDS = 12
_TAKES_BACK = re.compile(
    r"[\s,.;:–—-]*(?:(?:oh|ah|er|um),?\s+)?(?:no|sorry|i mean|i meant|rather|make that|make it|correction|wait)\b"
    r"(?:[\s,]+(?:no|sorry|i mean|i meant|rather|make that|on|at|in|for|the|it['’]s|wait))*[\s,:–—-]*",
    re.IGNORECASE,
)
_ADVISED = frozenset({"need", "require", "must", "should", "have"})
_QUALIFIED = 2
"""Words of a noun with something that tells it from others of its kind."""
_REPORT = re.compile(
    r"\b(?:the|my|our|his|her|their|an?|one|another) [\w' -]{1,30}? "
    r"(?:says?|said|saying|states?|stating|claims?|claimed|claiming|thinks?|insists?)\b",
    re.I,
)
_TAGGED = re.compile(
    r",?\s*\b(?:(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)(?:n['’]t)? "
    r"(?:it|he|she|they|there|that|this|i|we|you)|right|correct|or not|am i right|is that right)\s*\?\W*$",
    re.I,
)
""" "It opens at eight, doesn't it?": asked, not said, of whatever is not the speaker's own."""
_MOST_WORDS = 16
"""A longer sentence says too much at once to be judged as one statement."""


@dataclass(frozen=True, slots=True)
class Prior:
    """One statement that still stands, with the turn that an answer would contradict."""

    said: Said
    text: str
    quote: str
    turn: DialogueTurn
    place: int
    """The number of its turn within the window."""
    by_user: bool

    @property
    def values(self) -> tuple[StatedValue, ...]:
        return find_standing(self.text)

    @property
    def topic(self) -> Topic:
        return read_topic(self.text)


@lru_cache(maxsize=4096)
def find_standing(text: str) -> tuple[StatedValue, ...]:
    """The values of a text, without those that it takes back in the same breath: "on Thursday, no, sorry, Friday"."""
    values = find_values(text)
    taken = [
        one
        for one, other in pairwise(values)
        if one.kind == other.kind and _TAKES_BACK.fullmatch(text, one.span.end, other.span.start)
    ]
    return tuple(value for value in values if not any(value is one for one in taken))


@dataclass(frozen=True, slots=True)
class _Correction:
    """A sentence with which somebody takes back a value."""

    values: tuple[StatedValue, ...]
    sentence: str
    turn: DialogueTurn
    place: int
    by_user: bool
    is_question: bool


def gather(dialogue: Dialogue) -> tuple[Prior, ...]:
    """The statements of the window, oldest first, worked out once for a dialogue."""
    known = dialogue.memo.get("priors")
    if known is None:
        known = dialogue.memo["priors"] = _gather(dialogue)
    return cast("tuple[Prior, ...]", known)


def _gather(dialogue: Dialogue) -> tuple[Prior, ...]:
    """What a later user turn corrected is gone or has its new value."""
    found: list[Prior] = []
    corrections: list[_Correction] = []
    for place, turn in enumerate(dialogue.recent):
        party = dialogue.party_of(turn)
        if party is Party.SYSTEM:
            continue
        is_argued = len(_REPORT.findall(turn.text)) > 1  # "The agent says 1926. My father says 1936."
        for said in with_sentences(dialogue.said_in(turn)):
            if len(said.text.split()) < _FEWEST_WORDS or is_hearsay(said.sentence):
                continue
            if _TAGGED.search(said.sentence) and not said.read.proposition.subject.startswith(USER):
                continue
            if _is_advice_of_others(said):
                continue
            if not (is_argued and _REPORT.search(said.sentence)):
                found.append(Prior(said, said.text, said.quote, turn, place, party is not Party.ASSISTANT))
        if party is not Party.ASSISTANT:
            corrections.extend(_find_corrections(turn, place))
    found = found[-_MOST:]
    return tuple(kept for prior in found for kept in _correct(prior, corrections))


def _is_advice_of_others(said: Said) -> bool:
    """ "My neighbour says I need a permit": what somebody else holds to be necessary, not what the speaker does."""
    proposition = said.read.proposition
    is_needed = proposition.predicate in ("need", "require") or proposition.modal in _ADVISED
    return is_needed and _REPORT.match(said.sentence.strip()) is not None


def with_sentences(said: Sequence[Said]) -> Iterator[Said]:
    """The statements, and every sentence of which they leave out a noun or a value, as a whole.

    "After five years of marriage that is nice" says more than the statement read in it.
    """
    by_sentence: dict[Span, list[Said]] = {}
    for one in said:
        by_sentence.setdefault(one.read.sentence, []).append(one)
    for sentence, found in by_sentence.items():
        yield from found
        told = found[-1].told
        read = " . ".join(one.text for one in found)
        yield from _presuppose(found[-1], told)
        if told.rstrip().endswith("?") or told.strip(" .!") == read.strip(" .!"):
            continue
        missing = read_topic(told).words - read_topic(read).words - common_words()
        unstated = {v.text for v in find_values(told)} - {v.text for v in find_values(read)}
        is_contrast = len(found) > 1 and len(told.split()) <= _FEW_WORDS
        if (missing or unstated or is_contrast) and not tells_change(told):
            claim = Claim(told.strip(), sentence)
            whole = ReadClaim(claim, (), UNREAD, sentence, is_note=len(told.split()) > _MOST_WORDS)
            yield replace(found[-1], read=whole, quote=found[-1].sentence.strip(), of_assistant=False)


def presuppose_unread(text: str, said: Sequence[Said]) -> Iterator[Said]:
    """What advice and kind words take for granted, in which nothing is stated: "Enjoy your trip to Porto!" """
    read = {one.read.sentence for one in said}
    for sentence in split_sentences(text):
        if sentence.span in read or sentence.text.rstrip().endswith("?"):
            continue
        whole = ReadClaim(Claim(sentence.text, sentence.span), (), UNREAD, sentence.span, is_note=True)
        told = sentence.text
        yield from _presuppose(Said(whole, None, Party.ASSISTANT, told.strip(), told, told), told)


def _presuppose(said: Said, told: str) -> Iterator[Said]:
    """What the sentence takes for granted, as statements of their own; they stand where the sentence does."""
    settled = [(one, said.sentence) for one in find_settled(said.sentence)]
    for presupposed, source in [*((one, told) for one in find_presuppositions(told)), *settled]:
        for read in read_text(presupposed.text).claims:
            quote = source[presupposed.start : presupposed.end]
            start = said.sentence.find(quote)
            span = said.read.sentence if start < 0 else _shift(said.read.sentence.start, start, len(quote))
            claim = replace(read.claim, span=span, value_span=None)
            yield replace(said, read=replace(read, claim=claim, facts=()), quote=quote, of_assistant=False)


def _shift(offset: int, start: int, length: int) -> Span:
    return Span(offset + start, offset + start + length)


def _find_corrections(turn: DialogueTurn, place: int) -> Iterator[_Correction]:
    for sentence in split_sentences(turn.text):
        values = find_values(sentence.text)
        if values and corrects(sentence.text):
            asks = sentence.text.rstrip().endswith("?")
            yield _Correction(values, sentence.text.strip(), turn, place, True, asks)


def _correct(prior: Prior, corrections: Sequence[_Correction]) -> Iterator[Prior]:
    """The prior as later turns leave it."""
    for correction in corrections:
        if correction.place <= prior.place:
            continue
        for new in correction.values:
            old = next((value for value in prior.values if value.excludes(new)), None)
            if old is None and new.kind == "number" and len(prior.values) == 1:
                old = prior.values[0]  # "make that 4": what the number stands for was said before
            if old is None or not _may_be_meant(correction, prior):
                continue
            if correction.is_question:
                return  # asked to change: neither value can be held against the answer
            start, end = old.span
            text = prior.text[:start] + new.text + prior.text[end:]
            prior = replace(
                prior, text=text, quote=correction.sentence, turn=correction.turn, place=correction.place, by_user=True
            )
    yield prior


def _may_be_meant(correction: _Correction, prior: Prior) -> bool:
    """A correction that names what it corrects is about that alone; what is said of Ben is no news of Ada."""
    names = [r.proposition.subject for r in read_text(correction.sentence).claims if _is_name(r.proposition.subject)]
    other = prior.said.read.proposition.subject
    if names and _is_name(other) and not any(subjects_match(name, other, Aliases()) for name in names):
        return False
    topic = read_topic(correction.sentence)
    return not topic.nouns or _is_short(correction.sentence) or bool(share(topic, prior.topic)[0])


def _is_name(subject: str) -> bool:
    return subject != USER and subject[:1].isupper()


def _is_short(sentence: str) -> bool:
    return len(sentence.split()) <= 8


@cache
def _choosing() -> frozenset[str]:
    return frozenset(read_table("prior", "detect")["choices"]["verbs"])


def rival_choices(one: Said, other: Said) -> bool:
    """ "I'll take the grey curtains" against "You chose the blue curtains": somebody settled for one of a kind."""
    mine, theirs = one.read.proposition, other.read.proposition
    if mine.subject != USER or theirs.subject != USER or mine.negated or theirs.negated:
        return False
    if mine.predicate not in _choosing() or theirs.predicate not in _choosing():
        return False
    left, right = _object_words(mine), _object_words(theirs)
    if len(left) < _QUALIFIED or len(right) < _QUALIFIED:
        return False
    return left[-1] == right[-1] and not set(left[:-1]) & set(right[:-1])


def _object_words(proposition: Proposition) -> tuple[str, ...]:
    return next((a.lemmas for a in proposition.arguments if a.role == "object"), tuple[str, ...]())


def is_outdated(prior: Prior, others: Sequence[Prior], aliases: Aliases) -> bool:
    """Whether a newer statement answers the same question otherwise; users outrank assistants."""
    for other in others:
        if other.place <= prior.place or (prior.by_user and not other.by_user):
            continue
        if _replaces(other, prior, aliases):
            return True
    return False


def _replaces(new: Prior, old: Prior, aliases: Aliases) -> bool:
    if fills_anew(new, old, aliases):
        return True
    shared, apart = share(new.topic, old.topic)
    if are_apart(new.said.told, old.said.told):
        return False  # hours on Saturdays replace none on weekdays
    return bool(shared) and not apart and any(n.excludes(o) for n in new.values for o in old.values)


def fills_anew(new: Prior, old: Prior, aliases: Aliases) -> bool:
    """Whether both fill one slot of one person, otherwise; or one choice is made in place of the other."""
    for one in new.said.read.facts:
        for other in old.said.read.facts:
            if one.slot_type != other.slot_type or not subjects_match(one.subject, other.subject, aliases):
                continue
            if one.polarity is not other.polarity or one.tense is not other.tense:
                return True
            exclusive = one.exclusive and one.polarity is Polarity.POSITIVE
            if exclusive and relate_in_slot(one.slot_type, one.raw, other.raw) is Relation.DIFFERENT:
                return True
    return rival_choices(new.said, old.said)
