"""Questions about change, put to the model where the tables of phrases are silent.

"You waved goodbye to Nokia; Ericsson is where you clock in": whether a value is told as former or as disputed is a
matter of language, and the verifier was taught these very sentences (`training/domain/by_hand/disclose.txt`,
`change.txt`). A text that does not name both values discloses nothing, whatever a model makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from groundwire.errors import ModelUnavailable
from groundwire.judge.consultation import Consultant
from groundwire.judge.people import is_person, is_relative
from groundwire.judge.protocols import Scores
from groundwire.text.membership import class_words
from groundwire.text.phrases import time_nouns
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.types import ContradictionDetail, ContradictionType, Memory, Passage, Span
from groundwire.verify.both import words_of
from groundwire.verify.changes import (
    Change,
    find_mentions,
    find_told,
    names,
    names_any,
    order_values,
    read_time,
    tell_apart,
)
from groundwire.verify.frames import make_plain
from groundwire.verify.partings import Parting

_TOLD, _BORNE_OUT, _DENIED = 0.34, 0.75, 0.5
_EXCLUDED = 0.55
_LONGEST, _SHORT = 400, 250
"""A short answer is read as a whole: "My notes don't agree. One says …"."""
_WORD = re.compile(r"\w+")
_INITIALS = re.compile(r"\b[A-Z]{2,5}\b")
_NAME_GOES_ON = re.compile(r" [A-Z]\w+")
_NOTHING = Scores(0.0, 0.0, 1.0)


class Questions:
    """What a model is asked about the contradictions of one answer; without a model every answer is no."""

    def __init__(self, consultant: Consultant | None, memories: Mapping[str, Memory]) -> None:
        self._consultant, self._memories = consultant, memories

    def find_partings(self, reading: Reading, contradiction: ContradictionDetail) -> Iterator[Parting]:
        """Where the answer lays the contradiction open, and the claims there that say nothing else.

        The place as a whole counts as dated: it discloses, and bears nothing out.
        """
        if self._consultant is None or contradiction.contradiction_type is not ContradictionType.INCOMPATIBLE_VALUES:
            return
        change = order_values(contradiction)
        for window in _find_windows(reading, contradiction):
            text = reading.text[window.start : window.end]
            around = reading.text if len(reading.text) <= _SHORT else text
            if len(text) > _LONGEST or self._names_other_post(text, contradiction) or not self._is_told(around, change):
                continue
            yield Parting(window, contradiction, is_dated=True)
            (said,) = self._ask([text], self._tell_order(contradiction, change))
            if change.is_directed and said.refuted >= _DENIED:
                continue
            for read in reading.claims:
                within = window.start <= read.claim.span.start < window.end
                if within and self._brings_no_news(read, contradiction):
                    yield Parting(read.claim.span, contradiction)

    def _names_other_post(self, text: str, contradiction: ContradictionDetail) -> bool:
        """ "Ana replaced Bo as CFO" says nothing of who was CTO; other initials ("FYI", "BMW") name no post."""
        known = " ".join(self._memories[i].text for i in contradiction.memory_ids)
        posts = class_words("profession")
        return any(word.lower() in posts and word not in known for word in _INITIALS.findall(text))

    def _is_told(self, text: str, change: Change) -> bool:
        for value in (value for value in change.old if _mentions(text, value, (change.new,))):
            old, new = tell_apart(value, (change.new,)), tell_apart(change.new, (value,))
            asked = [f"It is disputed whether it is {new} or {old}."]
            asked += [f"It was {one} before, and it no longer is." for one in (old, new)]
            disputed, former, turned = self._ask(asked, text)
            if change.is_directed and turned.supported > max(_TOLD, former.supported):
                continue
            was = former.supported if change.is_directed else max(former.supported, turned.supported)
            if disputed.supported + was >= _TOLD:
                return True
        return False

    def _brings_no_news(self, read: ReadClaim, contradiction: ContradictionDetail) -> bool:
        """Every name and number of the claim is in the memories that disagree, or says when."""
        held = [self._memories[i] for i in contradiction.memory_ids]
        known = " ".join([contradiction.subject, *(m.text for m in held), *(_tell_date(m) for m in held)])
        words = {word.casefold() for word in _WORD.findall(known)}
        own = {word.casefold() for name in read.proposition.names for word in _WORD.findall(name)}
        own |= {word for word in _WORD.findall(read.claim.text) if word[0].isdigit()}
        if not all(word in words or word in time_nouns() for word in own):
            return False
        known = {make_plain(word).lemma for word in words} | words | _speaking()
        known |= words_of(contradiction.slot_type, contradiction.subject)
        nouns = {t.lemma for t in share_tags(read.claim.text)[0] if t.tag == "N" and t.low not in known}
        return all(noun in known or noun in time_nouns() for noun in nouns)

    def find_borne_out(self, read: ReadClaim, contradictions: Sequence[ContradictionDetail]) -> tuple[str, ...]:
        """Ids of the memories that bear the claim out when they are read as before and now; else nothing."""
        for contradiction in contradictions if self._consultant else ():
            change = order_values(contradiction)
            if self._names_other_post(read.claim.text, contradiction):
                continue
            if change.is_directed and names_any(read.claim.text, (change.new, *change.old)):
                (scores,) = self._ask([read.claim.text], self._tell_order(contradiction, change))
                if scores.supported >= _BORNE_OUT:
                    return contradiction.memory_ids
        return ()

    def is_denied(self, read: ReadClaim, contradiction: ContradictionDetail, backing: Sequence[str]) -> bool:
        """Whether another memory of the contradiction than those that bear a claim out denies it."""
        others = [self._memories[i].text for i in contradiction.memory_ids if i not in backing]
        return any(self._ask([read.claim.text], text)[0].refuted >= _EXCLUDED for text in others)

    def _tell_order(self, contradiction: ContradictionDetail, change: Change) -> str:
        held = dict(zip(contradiction.values, contradiction.memory_ids, strict=True))
        old = " ".join(self._memories[held[value]].text for value in reversed(change.old))
        return f"Before: {old} Now: {self._memories[held[change.new]].text}"

    def _ask(self, claims: Sequence[str], text: str) -> list[Scores]:
        """What the text says of each claim; nothing where the model cannot be used."""
        if self._consultant is None or not claims:
            return [_NOTHING for _ in claims]
        try:
            said = self._consultant.weigh_evidence([(claim, (Passage("told", text),)) for claim in claims])
        except ModelUnavailable:
            return [_NOTHING for _ in claims]
        return [row[0].scores if row else _NOTHING for row in said]


@cache
def _speaking() -> frozenset[str]:
    """Nouns by which one speaks of records, changes and what anything is."""
    table = read_table("disclosure")
    order = (word for words in table["order"].values() for word in words)
    return frozenset([*table["report"], *table["both"]["words"], *order, *read_table("partings")["station"]])


def _tell_date(memory: Memory) -> str:
    """When it was told, in words that an answer may use of it: "back in May 2021"."""
    date = read_time(memory.timestamp)
    return date.strftime("%d %B %Y") if date is not None else ""


def exclude_each_other(consultant: Consultant, pairs: Sequence[tuple[str, str]], least: float = _EXCLUDED) -> bool:
    """Whether a model finds each of two memories denied by the other, for every two of them."""
    asked = [(claim, (Passage("other", text),)) for one, other in pairs for claim, text in ((one, other), (other, one))]
    try:
        said = consultant.weigh_evidence(asked)
    except ModelUnavailable:
        return False
    return all(row and row[0].scores.refuted >= least for row in said)


def _find_windows(reading: Reading, contradiction: ContradictionDetail) -> Iterator[Span]:
    """Sentences, alone or with the next one, that name more than one of the values."""
    values = contradiction.values
    spans = sorted({read.sentence for read in reading.claims})
    named = [
        {
            v
            for v in values
            if _mentions(reading.text[s.start : s.end], v, values)
            and not _is_elsewhere(reading, s, v, contradiction.subject)
        }
        for s in spans
    ]
    for i, span in enumerate(spans):
        if len(named[i]) > 1:
            yield span
        elif named[i] and i + 1 < len(spans) and len(named[i] | named[i + 1]) > 1 and len(named[i + 1]) == 1:
            yield Span(span.start, spans[i + 1].end)


def _is_elsewhere(reading: Reading, sentence: Span, value: str, subject: str) -> bool:
    """Whether the value stands in something else's name ("Microsoft Word"), or in what somebody else does, or in what
    the user does with it: "once visited Leeds"."""
    found = list(find_mentions(reading.text, value, *sentence))
    said = [r.proposition for r in reading.claims if r.sentence == sentence and names(r.claim.text, value)]
    in_a_name = bool(found) and all(_NAME_GOES_ON.match(reading.text, one.end()) for one in found)
    return in_a_name or (bool(said) and all(_is_of_something_else(p, value, subject) for p in said))


def _is_of_something_else(said: Proposition, value: str, subject: str) -> bool:
    somebody = is_person(said) or is_relative(said)
    if somebody and said.subject not in (USER, subject) and not names(said.subject, value):
        return True
    return not said.lemmas.isdisjoint(read_table("disclosure")["elsewhere"])


def _mentions(text: str, value: str, others: Sequence[str]) -> bool:
    """Whether the text has the value, or what tells it from the others."""
    own = tell_apart(value, others)
    told = names(text, value) or (own != value and all(names(text, word) for word in own.split()))
    return told or bool(find_told(text, value, others, Span(0, len(text))))
