"""What the user said of themselves: every sentence of a conversation with what it does and whose it is.

A sentence that asks, supposes, jokes, quotes or doubts asserts nothing; the assistant's words are never the user's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from groundwire.memory.candidates import Delivery, Place
from groundwire.memory.conversation import Conversation, Speaker, Utterance
from groundwire.memory.phrasing import Word, content_words, has_phrase, words_about
from groundwire.memory.report import Narration, retell
from groundwire.text.assertion import is_question
from groundwire.text.framing import words_for
from groundwire.text.hedges import find_hedges
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.types import HedgeAction, Sentence, Span, Tense

_TENTATIVE = frozenset({"consider", "think", "try", "wish", "hope", "dream", "need"})
_SECOND_PERSON = frozenset({"you", "your", "yours", "u", "ur", "yourself"})
_SAYING = (
    r"(?:\b(?:said|says|say|asked|asks|goes|went|was like|told me|replied|sings|sang|wrote|reads|yelled|quote|saying)\b"
    r"|[,:])"
)
_MARKED = r"[\"“«][^\"”»\n]{2,400}[\"”»]|(?<!\w)['‘](?=\w)(?:[^'’\n]|(?<=\w)['’](?=\w)){2,400}['’](?!\w)"
_QUOTED_SPEECH = re.compile(rf"{_SAYING}\s*(?P<quote>{_MARKED})|(?P<first>{_MARKED})")
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|my|me|we)\b")
_ATTRIBUTION = re.compile(
    r"\b(?!I\b)[\w’']+(?:\s+\w+ly)?\s+(?:says?|said|thinks?|thought|told\s+me|tells\s+me|claims?|claimed|believes?|insists?|jokes?|"
    r"joked|swears?|calls\s+me|assumes?|according\s+to\s+\w+)\s*(?:that\b)?\s*[,:]?\s*$",
)
_REQUEST = re.compile(
    r"^\s*(?:please|can|could|would|will|may|might|do|does|did|is|are|was|what|how|why|when|where|who|which|tell me|"
    r"give me|show me|explain|help|let's|write|make|keep|walk me|break)\b",
    re.IGNORECASE,
)


class Force(StrEnum):
    """What a sentence does."""

    ASSERTED = "asserted"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    VAGUE = "vague"
    JOKE = "joke"
    RETRACTED = "retracted"


@dataclass(frozen=True, slots=True)
class Heard:
    """One sentence of the user, or of whoever reports about the user."""

    text: str
    """As it is read: pronouns of a report are the user's, quotations blanked; as long as the original."""
    quote: str
    place: Place
    speaker: Speaker
    delivery: Delivery
    force: Force
    words: tuple[Word, ...]
    claims: tuple[ReadClaim, ...] = ()
    is_behaviour: bool = False
    """Tells what the user did in the conversation ("Asked for examples"), or does it (a request)."""
    offset: int = 0
    """What takes an offset in the utterance to one in the turn."""
    is_report: bool = False
    """Told by somebody else, for whom "we" are the user and the assistant."""

    @property
    def is_asserted(self) -> bool:
        return self.force is Force.ASSERTED

    @property
    def own(self) -> tuple[ReadClaim, ...]:
        """The claims that are about the user."""
        return tuple(read for read in self.claims if is_about_user(read, self) and not self._is_attributed(read))

    def _is_attributed(self, read: ReadClaim) -> bool:
        """ "My friend says I'm slow": somebody else's opinion."""
        start = read.claim.span.start + self.offset - self.place.span.start
        return 0 < start <= len(self.text) and _ATTRIBUTION.search(self.text[:start]) is not None


def listen(conversation: Conversation) -> tuple[Heard, ...]:
    """Every sentence that can say something of the user, in order; the assistant's are left out."""
    found: list[Heard] = []
    narration = Narration(conversation)
    for utterance in conversation.utterances:
        if utterance.speaker is Speaker.USER:
            found.extend(_hear_speech(utterance))
        elif utterance.speaker is Speaker.NARRATOR:
            found.extend(_hear_report(utterance, narration))
    return tuple(found)


def _hear_speech(utterance: Utterance) -> Iterator[Heard]:
    own = _blank_quotations(utterance.text)
    reading = read_text(own)
    heard = [
        _hear(utterance, sentence, own, Delivery.DIRECT, [r for r in map(_at(sentence), reading.statements) if r])
        for sentence in split_sentences(own)
    ]
    yield from _take_back(heard)


def _hear_report(utterance: Utterance, narration: Narration) -> Iterator[Heard]:
    for sentence in split_sentences(utterance.text):
        told = retell(sentence, narration)
        if told is None:
            continue
        reading = read_text(told.text)
        claims = [_shift(read, sentence.span.start) for read in reading.statements]
        heard = _hear(utterance, replace(sentence, text=told.text), utterance.text, told.delivery, claims)
        yield replace(heard, is_behaviour=told.is_behaviour, is_report=told.delivery is not Delivery.DIRECT)


def _hear(utterance: Utterance, sentence: Sentence, own: str, delivery: Delivery, claims: Sequence[ReadClaim]) -> Heard:
    start, end = sentence.span
    force = _find_force(sentence)
    place = Place(utterance.turn, Span(utterance.start + start, utterance.start + end))
    resolved = [word for read in claims for word in content_words(read.claim.text)]
    words = content_words(sentence.text)
    extra = tuple(w for w in resolved if not any(w.matches(o) for o in words))
    return Heard(
        text=sentence.text,
        quote=utterance.text[start:end],
        place=place,
        speaker=utterance.speaker,
        delivery=delivery,
        force=force,
        words=(*words, *extra),
        claims=tuple(claims),
        offset=utterance.start,
        is_behaviour=force is Force.QUESTION or _REQUEST.match(own[start:end]) is not None,
    )


def _at(sentence: Sentence) -> Callable[[ReadClaim], ReadClaim | None]:
    """What was said in this sentence, whether for the first time or again."""

    def choose(read: ReadClaim) -> ReadClaim | None:
        start, end = sentence.span
        if start <= read.sentence.start < end:
            return read
        again = next((span for span in read.claim.other_spans if start <= span.start < end), None)
        return None if again is None else replace(read, claim=replace(read.claim, span=again), sentence=sentence.span)

    return choose


def _shift(read: ReadClaim, offset: int) -> ReadClaim:
    def move(span: Span) -> Span:
        return Span(span.start + offset, span.end + offset)

    return replace(read, claim=replace(read.claim, span=move(read.claim.span)), sentence=move(read.sentence))


def _blank_quotations(text: str) -> str:
    """What somebody else is quoted with is blanked; a title in quotation marks stays."""
    for match in _QUOTED_SPEECH.finditer(text):
        start, end = match.span("quote") if match.group("quote") else match.span("first")
        if match.group("first") and not _FIRST_PERSON.search(match.group("first")):
            continue
        if text[:start].strip() or text[end:].strip():
            stand_in = "it" if match.group("first") else ""  # what is quoted may be the subject of the sentence
            text = text[:start] + stand_in.ljust(end - start) + text[end:]
    return text


# ── what a sentence does ────────────────────────────────────────────────────────────────────────


@cache
def _marks(name: str) -> frozenset[str]:
    found: list[str] = read_table("testimony", "memory")["marks"][name]
    return frozenset(found)


def _find_force(sentence: Sentence) -> Force:
    text = sentence.text.replace("’", "'")
    if is_question(sentence):
        return Force.QUESTION
    if has_phrase(text, _marks("jokes")) or _starts_with(text, _marks("ironies")):
        return Force.JOKE
    if has_phrase(text, _marks("suppositions")) or has_phrase(text, _marks("considerations")):
        return Force.HYPOTHETICAL
    if has_phrase(text, _marks("vague")) or any(h.action is HedgeAction.BLOCK for h in find_hedges(sentence.text)):
        return Force.VAGUE
    return Force.ASSERTED


def _starts_with(text: str, phrases: frozenset[str]) -> bool:
    return text.strip().casefold().startswith(tuple(phrases))


def _take_back(heard: list[Heard]) -> list[Heard]:
    """A joke or correction that stands alone is about the sentence before it."""
    for index in range(1, len(heard)):
        low = heard[index].text.strip().casefold().replace("’", "'")
        bare = low.strip(" .!,;:()-")
        alone = len(bare.split()) <= 4
        if alone and has_phrase(low, _marks("jokes")):
            heard[index - 1] = replace(heard[index - 1], force=Force.JOKE)
        elif low.startswith(tuple(_marks("retractions"))):
            heard[index - 1] = replace(heard[index - 1], force=Force.RETRACTED)
    return heard


# ── whose statement it is ───────────────────────────────────────────────────────────────────────


def is_about_user(read: ReadClaim, heard: Heard) -> bool:
    """The user, or a thing of theirs; not "you", who is the assistant, and not their sister."""
    first = read.claim.subject.casefold().split(" ", 1)[0].split("'")[0].split("’")[0]
    if first in _SECOND_PERSON or first in ("here", "there"):
        return False
    if heard.is_report and first in ("we", "our"):
        return False
    if first in ("my", "our") and is_person(read.claim.subject.partition(" ")[2]):
        return False
    subject = read.proposition.subject
    if subject == USER:
        return True
    if is_person(subject.removeprefix(f"{USER}'s ")) and subject.startswith(f"{USER}'s "):
        return False
    if any(fact.subject == USER and fact.pattern != "predicate" for fact in read.facts):
        return True
    return subject.startswith(f"{USER}'s ") and not is_person(subject.removeprefix(f"{USER}'s "))


@cache
def _persons() -> frozenset[str]:
    people = read_table("people")
    animals = {"dog", "cat", "puppy", "kitten", "horse", "pet", "parrot", "rabbit", "hamster"}
    named = {word for name in ("female", "male", "persons") for word in people[name]} - animals
    return (
        frozenset(named) | words_about("attitudes", "passing", "people") | words_about("attitudes", "passing", "beings")
    )


def is_person(description: str) -> bool:
    """Whether "brother", "sister's boss", "best friend Tom" names somebody; a thing of somebody's is theirs as well."""
    if description.casefold().startswith("favo"):
        return False  # a favourite author tells of the reader
    words = [word.strip(".,").split("'")[0] for word in description.casefold().split()]
    return any(word in _persons() or word.removeprefix("ex-") in _persons() for word in words)


def is_real(read: ReadClaim) -> bool:
    """Said as a fact, not as a possibility or a plan not yet made."""
    proposition = read.proposition
    if read.claim.hedged or read.claim.quoted or proposition.modal in words_for("unreal"):
        return False
    return proposition.aspect.split(" ")[0] not in _TENTATIVE


def is_over(read: ReadClaim) -> bool:
    """No longer so, or a finished event; "was born in Oslo" is neither."""
    named = [fact for fact in read.facts if fact.pattern != "predicate"]
    if any(fact.ended for fact in read.facts):
        return True
    if named:
        return any(fact.tense is Tense.PAST for fact in named)
    return read.proposition.tense is Tense.PAST
