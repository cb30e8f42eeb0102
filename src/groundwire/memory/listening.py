"""A conversation, heard: every sentence that can say something of the user, with what it does.

A short answer is heard as the statement that it makes; what is corrected later is heard as withdrawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from groundwire.memory.answering import answer
from groundwire.memory.asking import find_attitude
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
from groundwire.text.subjects import USER
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

_IDLE = re.compile(
    r"\b(?:if (?:you must know|you['’]re (?:wondering|curious|interested)|(?:it|that) (?:helps|matters)|"
    r"you don['’]t mind|I['’]m (?:being )?honest)|"
    r"in case (?:you['’]re (?:wondering|curious)|(?:it|that) (?:helps|matters))|just in case)\b,?",
    re.IGNORECASE,
)
"""Conditions that are none."""
_SOME = re.compile(r"\ba (?:little|bit of)(?=\s+[A-Z])")
_BUT = re.compile(
    r"(?:,\s+|\s+|;\s*|[–—]\s*)(?=(?:(?:but|however),?\s+(?:(?:in reality|actually|in fact|now),?\s+)?"
    r"(?:I|I['’]\w+|my|we|our)|in reality|in fact)\b)",
    re.IGNORECASE,
)
_UNREAL = re.compile(r"\b(?:would|could|might)\b|\w['’]d\b", re.IGNORECASE)
_LINK = re.compile(r"^[\s,;–—]*(?:but|however)\b,?", re.IGNORECASE)
_JOINT = re.compile(rf"(?<=;)\s|{_BUT.pattern}", re.IGNORECASE)
_SCENE = re.compile(
    r"\W*(?:(?:ok|okay|so|well|now|just|please|hey|and)[\s,]+)*(?:imagine|suppose|supposing|assume|assuming|pretend|picture|"
    r"let['’]?s (?:say|pretend|assume|imagine)|say I|hypothetically|what if|as a thought experiment|"
    r"for (?:the|a) (?:role[ -]?play|scenario|exercise))\b",
    re.IGNORECASE,
)
_PLEASE = re.compile(r"\bplease\b", re.IGNORECASE)


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
    own = mend(_blank_material(_blank_quotations(utterance.text)))
    own = _IDLE.sub(lambda match: " " * len(match.group()), own)
    reading = read_text(own)
    in_scene = False
    for number, sentence in enumerate(split_sentences(own)):
        said = [read for read in map(_at(sentence), reading.statements) if read]
        for heard in _hear_parts(utterance, sentence, own, said):
            in_scene = in_scene and not has_phrase(heard.text, _marks("reality"))
            if in_scene and heard.is_asserted:
                yield replace(heard, force=Force.HYPOTHETICAL)  # still in the castle that was imagined
                continue
            full = answer(question, heard.text) if question and number == 0 and heard.is_asserted else None
            if full is not None:
                yield _fill_in(heard, full)
            if full is None or any(read.proposition.arguments and not read.proposition.is_fragment for read in said):
                yield heard  # "Yes, I rent a flat in Oslo" says more than yes
            in_scene = heard.force is not Force.QUESTION and (in_scene or _SCENE.match(heard.text) is not None)


def _hear_parts(utterance: Utterance, sentence: Sentence, own: str, said: Sequence[ReadClaim]) -> Iterator[Heard]:
    """A sentence as one, or in parts where one part supposes and another asserts: "I wish I sang; I play the drums"."""
    whole = _hear(utterance, sentence, own, Delivery.DIRECT, said)
    parts = _divide(sentence) if whole.force in (Force.HYPOTHETICAL, Force.VAGUE) else [sentence]
    if len(parts) < 2 or all(_find_force(part) is not Force.ASSERTED for part in parts):
        yield whole
        return
    if any(_UNREAL.search(part.text) for part in parts[1:]):
        yield whole  # "If I had a dog but I lived alone, I'd worry"
        return
    for part in parts:
        alone = [_shift(read, part.span.start) for read in read_text(part.text).statements]
        yield _hear(utterance, part, own, Delivery.DIRECT, alone)


def _divide(sentence: Sentence) -> list[Sentence]:
    """At a semicolon or a "but"; what is imagined goes on over a semicolon."""
    joints = _BUT if _SCENE.match(sentence.text) else _JOINT
    parts: list[Sentence] = []
    at = 0
    for end in (*(match.start() for match in joints.finditer(sentence.text)), len(sentence.text)):
        start = sentence.span.start
        text = _LINK.sub(lambda match: " " * len(match.group()), sentence.text[at:end], count=1)
        if text.strip():
            parts.append(replace(sentence, text=text, span=Span(start + at, start + end)))
        at = end
    return parts


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
        is_behaviour=force is Force.QUESTION or _is_request(own[start:end], claims),
    )


def _is_request(text: str, claims: Sequence[ReadClaim]) -> bool:
    """ "Explain it", "Code first, please"; not "I live in Oslo, please note"."""
    if _REQUEST.match(text):
        return True
    told = [read for read in claims if not read.is_note and not read.proposition.is_fragment]
    return _PLEASE.search(text) is not None and all(read.proposition.subject != USER for read in told)


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


@cache
def _material() -> re.Pattern[str]:
    """A task or a kind of text, and a colon or a new line, at the beginning of a sentence."""
    tasks, texts = (
        "|".join(re.escape(word) for word in read_table("testimony", "memory")["material"][name])
        for name in ("tasks", "texts")
    )
    polite = r"(?:(?:please|(?:can|could|would) you|help me|i (?:need|want) you to|now|ok|okay|hi|hey|hello)[\s,]+)*"
    return re.compile(
        rf"(?:^|(?<=[.!?\n]))[^\S\n]*(?:{polite}(?:{tasks})\b[^.!?:\n]{{0,60}}"
        rf"(?::|\b(?:this|these|following|below|it|{texts})\b[^.!?:\n]{{0,20}}[.?!]?[^\S\n]*\n)|"
        rf"[^.!?:\n]{{0,60}}\b(?:{texts})\b[^.!?:\n]{{0,30}}:)(?P<text>(?:(?!\n[^\S\n]*\n)[\s\S])*)",
        re.IGNORECASE,
    )


def _blank_material(text: str) -> str:
    """What the assistant is to work on is blanked, to the end of the paragraph; the length stays."""
    return _material().sub(lambda match: match.group()[: -len(match["text"]) or None] + " " * len(match["text"]), text)


# ── what a sentence does ────────────────────────────────────────────────────────────────────────


@cache
def _marks(name: str) -> frozenset[str]:
    found: list[str] = read_table("testimony", "memory")["marks"][name]
    return frozenset(found)


def _find_force(sentence: Sentence) -> Force:
    text = sentence.text.replace("’", "'")
    if is_question(sentence):
        return Force.QUESTION
    if has_phrase(text, _marks("jokes")) and not has_phrase(text, _marks("earnest")):
        return Force.JOKE
    if _starts_with(text, _marks("ironies")):
        return Force.JOKE
    if has_phrase(text, _marks("suppositions")) or has_phrase(text, _marks("considerations")):
        return Force.HYPOTHETICAL
    if is_broken_off(text):
        return Force.RETRACTED
    if _is_vague(text) or any(h.action is HedgeAction.BLOCK for h in find_hedges(sentence.text)):
        return Force.VAGUE
    return Force.ASSERTED


def _is_vague(text: str) -> bool:
    """Half said; but "I speak a little Farsi" tells how much, where no liking is told."""
    if not find_attitude(content_words(text)):
        text = _SOME.sub(" ", text)
    return has_phrase(text, _marks("vague"))


def _starts_with(text: str, phrases: frozenset[str]) -> bool:
    return text.strip().casefold().startswith(tuple(phrases))
