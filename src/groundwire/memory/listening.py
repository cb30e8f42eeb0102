"""A conversation, heard: every sentence that can say something of the user, with what it does.

A short answer is heard as the statement that it makes; what is corrected later is heard as withdrawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from groundwire.memory.answering import answer
from groundwire.memory.candidates import Delivery, Place
from groundwire.memory.conversation import Conversation, Speaker, Utterance
from groundwire.memory.corrections import is_broken_off, mend, take_back
from groundwire.memory.phrasing import content_words, has_phrase
from groundwire.memory.report import Narration, retell
from groundwire.memory.testimony import Force, Heard
from groundwire.text.assertion import is_question
from groundwire.text.hedges import find_hedges
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.sentences import split_sentences
from groundwire.text.tables import read_table
from groundwire.types import HedgeAction, Sentence, Span

_SAYING = (
    r"(?:\b(?:said|says|say|asked|asks|goes|went|was like|told me|replied|sings|sang|wrote|reads|yelled|quote|saying)\b"
    r"|[,:])"
)
_MARKED = r"[\"“«][^\"”»\n]{2,400}[\"”»]|(?<!\w)['‘](?=\w)(?:[^'’\n]|(?<=\w)['’](?=\w)){2,400}['’](?!\w)"
_QUOTED_SPEECH = re.compile(rf"{_SAYING}\s*(?P<quote>{_MARKED})|(?P<first>{_MARKED})")
_FIRST_PERSON = re.compile(r"\b(?:I|I['’]\w+|my|me|we)\b")
_REQUEST = re.compile(
    r"^\s*(?:please|can|could|would|will|may|might|do|does|did|is|are|was|what|how|why|when|where|who|which|tell me|"
    r"give me|show me|explain|help|let's|write|make|keep|walk me|break)\b",
    re.IGNORECASE,
)


def listen(conversation: Conversation) -> tuple[Heard, ...]:
    """Every sentence that can say something of the user, in order; the assistant's are left out."""
    found: list[Heard] = []
    narration = Narration(conversation)
    question = ""
    for utterance in conversation.utterances:
        if utterance.speaker is Speaker.USER:
            found.extend(_hear_speech(utterance, question))
        elif utterance.speaker is Speaker.NARRATOR:
            found.extend(_hear_report(utterance, narration))
        question = _find_question(utterance) if utterance.speaker is Speaker.ASSISTANT else ""
    return take_back(found)


def _hear_speech(utterance: Utterance, question: str) -> Iterator[Heard]:
    own = mend(_blank_quotations(utterance.text))
    reading = read_text(own)
    for number, sentence in enumerate(split_sentences(own)):
        said = [read for read in map(_at(sentence), reading.statements) if read]
        heard = _hear(utterance, sentence, own, Delivery.DIRECT, said)
        full = answer(question, sentence.text) if question and number == 0 and heard.is_asserted else None
        if full is not None:
            yield _fill_in(heard, full)
        if full is None or any(read.proposition.arguments and not read.proposition.is_fragment for read in said):
            yield heard  # "Yes, I rent a flat in Oslo" says more than yes


def _find_question(utterance: Utterance) -> str:
    """What the assistant asks in the end."""
    last = next(reversed(split_sentences(utterance.text)), None)
    return last.text if last is not None and is_question(last) else ""


def _fill_in(heard: Heard, statement: str) -> Heard:
    """A short answer as the statement that it makes; it stands where the answer stands."""
    span = Span(heard.place.span.start - heard.offset, heard.place.span.end - heard.offset)
    claims = tuple(
        replace(read, claim=replace(read.claim, span=span), sentence=span) for read in read_text(statement).statements
    )
    words = content_words(statement)
    return replace(heard, text=statement, words=words, claims=claims, is_behaviour=False, is_answer=True)


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
    if (has_phrase(text, _marks("jokes")) and not has_phrase(text, _marks("earnest"))) or _starts_with(
        text, _marks("ironies")
    ):
        return Force.JOKE
    if has_phrase(text, _marks("suppositions")) or has_phrase(text, _marks("considerations")):
        return Force.HYPOTHETICAL
    if is_broken_off(text):
        return Force.RETRACTED
    if has_phrase(text, _marks("vague")) or any(h.action is HedgeAction.BLOCK for h in find_hedges(sentence.text)):
        return Force.VAGUE
    return Force.ASSERTED


def _starts_with(text: str, phrases: frozenset[str]) -> bool:
    return text.strip().casefold().startswith(tuple(phrases))
