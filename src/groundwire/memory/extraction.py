"""Candidates by rule: what the user plainly said of themselves, does again and again, or shares with the assistant.

No model and no network. A candidate keeps the user's own words and says exactly where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from groundwire.memory.asking import find_attitude
from groundwire.memory.candidates import Candidate, Extracted, Place
from groundwire.memory.conversation import Conversation
from groundwire.memory.listening import listen
from groundwire.memory.mentions import count_observations
from groundwire.memory.phrasing import content_words, has_phrase, words_about
from groundwire.memory.quoting import quote
from groundwire.memory.styles import load_styles
from groundwire.memory.testimony import Force, Heard, is_person, is_real
from groundwire.text.reading import ReadClaim
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.types import MemoryKind

_TASK_VERBS = frozenset({"want", "need", "like", "love", "have", "try", "look", "plan", "get", "receive"})
_YOU = re.compile(r"\b(?:you|your|u)\b", re.IGNORECASE)
_NEED = re.compile(
    r"\bI\s+(?:\w+ly\s+|just\s+)?(?:need|want|could use|would like|require)\s+(?:some\s+|a\s+|any\s+|your\s+|more\s+)?"
    r"(?:help|advice|ideas?|suggestions?|recommendations?|info|information|feedback|assistance|you)\b",
    re.IGNORECASE,
)
_VERB_IN_SUBJECT = re.compile(r"['’]s\s+[A-Z]")
_OPEN = frozenset({"what", "which", "who", "whom", "whatever", "how", "that"})
_LASTING_STATES = frozenset({"good", "great", "bad", "interested", "afraid"})
_WE = re.compile(
    r"^\W*(?:(?:last|yesterday|earlier|recently|once|then|so|and|back|the other|a while|some|in|on)\b"
    r"[^,.;:!?]{0,24}?,?\s+)?"
    r"(?:we|we['’]\w+|you and i)\b",
    re.IGNORECASE,
)
_BOTH = re.compile(r"\b(?:you and (?:i|me)|the two of us|with you|together)\b", re.IGNORECASE)
_REMEMBER = re.compile(
    r"\b(?:remember|recall)\b.{0,30}\b(?:we|our|us|you helped)\b|\blast time (?:we|you)\b", re.IGNORECASE
)


ENOUGH = 2
"""Requests in the same manner from which on it is a pattern."""


class Extractor(Protocol):
    """Anything that proposes memories; whatever it proposes is checked afterwards."""

    @property
    def name(self) -> str: ...

    def extract(self, conversation: Conversation) -> Extracted: ...


class RuleExtractor:
    """The extractor that is always there."""

    @property
    def name(self) -> str:
        return "rules.v1"

    def extract(self, conversation: Conversation) -> Extracted:
        """Candidates in the order in which they were said, each once."""
        heard = listen(conversation)
        found: dict[str, Candidate] = {}
        for one in heard:
            for candidate in (*_find_narrative(one), *_find_facts(one)):
                known = found.get(_key(candidate))
                places = (*known.places, *candidate.places) if known else candidate.places
                found[_key(candidate)] = _with_places(known or candidate, places)
        return Extracted((*found.values(), *_find_styles(heard)))


def _key(candidate: Candidate) -> str:
    return re.sub(r"[\W_]+", " ", candidate.text.casefold()).strip()


def _with_places(candidate: Candidate, places: tuple[Place, ...]) -> Candidate:
    return replace(candidate, places=tuple(dict.fromkeys(places)))


# ── facts ───────────────────────────────────────────────────────────────────────────────────────


def _find_facts(heard: Heard) -> list[Candidate]:
    if heard.force is Force.QUESTION or not heard.is_asserted or heard.is_behaviour or _is_shared(heard):
        return []
    found: list[Candidate] = []
    if _NEED.search(heard.text):
        return []
    for read in heard.own:
        if read.is_note or not is_real(read) or not _is_lasting(read, heard) or _is_background(read, heard):
            continue
        quoted = quote(read, heard)
        reasoning = f"the user said so: {heard.quote.strip()!r}"
        found.append(Candidate(quoted.text, MemoryKind.USER_FACT, None, reasoning, (quoted.place,)))
    return found


def _is_lasting(read: ReadClaim, heard: Heard) -> bool:
    """Worth remembering next week: not a mood, a moment, a request or a remark about the conversation."""
    proposition = read.proposition
    named = any(fact.pattern != "predicate" for fact in read.facts)
    passing = read_table("attitudes", "memory")["passing"]
    if has_phrase(heard.text, words_about("attitudes", "passing", "moments")):
        return False
    often = words_about("testimony", "weights", "frequency")
    if all(word.forms & often for word in content_words(read.claim.text)):
        return False  # "I have never been there"
    if proposition.subject == USER and not named:
        if proposition.predicate in passing["talk"] and not find_attitude(content_words(read.claim.text)):
            return False
        if proposition.aspect.split(" ")[0] in ("want", "need", "try") and _YOU.search(read.claim.text):
            return False
    if not named and (_YOU.search(read.claim.text) or _is_momentary(read) or _is_of_the_moment(read)):
        return False
    if proposition.predicate in ("be", "feel", "get", "seem", "look") and _is_mood(read):
        return False
    if proposition.predicate in _TASK_VERBS and _is_request(read):
        return False
    if any(a.role == "object" and a.text.casefold() in _OPEN for a in proposition.arguments):
        return False  # "twice what I do"
    times = [a for a in proposition.arguments if not a.is_time and a.role not in ("since", "for", "until")]
    if proposition.predicate == "be" and not named and not times:
        return False  # "I have been since college"
    if _VERB_IN_SUBJECT.search(read.claim.subject):
        return False  # "My name's Deepak and I run …" was not taken apart
    if not proposition.arguments and not named and proposition.predicate in ("be", "have", "do", "go", "get"):
        return False
    return bool(proposition.arguments) or named or proposition.subject == USER


def _is_momentary(read: ReadClaim) -> bool:
    """ "I'm going to the store"; with a time it is a plan."""
    proposition = read.proposition
    going_on = re.search(r"\b(?:am|['’]m|are|['’]re|was|were|is)\s+(?:\w+ly\s+|just\s+)?\w+ing\b", read.claim.text)
    timed = any(argument.is_time for argument in proposition.arguments)
    return bool(going_on) and not timed and proposition.predicate in words_about("attitudes", "passing", "momentary")


def _is_of_the_moment(read: ReadClaim) -> bool:
    """ "My code doesn't compile", "I ran into a bug": about what is being worked on."""
    things = words_about("attitudes", "passing", "things")
    subject = read.proposition.subject
    if subject.startswith(f"{USER}'s "):
        return subject.rsplit(" ", 1)[-1].casefold() in things
    return any(set(a.lemmas) & things for a in read.proposition.arguments if a.role in ("object", "into", "with"))


_BACKGROUND = re.compile(r"\b(?:since|when|while|before|after|until|whenever)\s*$", re.IGNORECASE)


def _is_background(read: ReadClaim, heard: Heard) -> bool:
    """ "I've played chess since I was six": the second clause only dates the first."""
    start = read.claim.span.start + heard.offset - heard.place.span.start
    return start > 0 and _BACKGROUND.search(heard.text[:start]) is not None


def _is_mood(read: ReadClaim) -> bool:
    states = words_about("attitudes", "passing", "states")
    objects = [a for a in read.proposition.arguments if a.role == "object"]
    of_what = any(a.role in ("at", "in", "of", "with") and not a.is_time for a in read.proposition.arguments)
    if of_what and any(lemma in _LASTING_STATES for a in objects for lemma in a.text.casefold().split()):
        return False
    return any(lemma in states for a in objects for lemma in a.text.casefold().split()[:2])


def _is_request(read: ReadClaim) -> bool:
    """ "I have a question", "I need help", "I want you to …"."""
    if _YOU.search(read.claim.text):
        return True
    asked = words_about("attitudes", "passing", "requests")
    if read.proposition.predicate in ("need", "want"):
        asked = asked | words_about("attitudes", "passing", "products")
    return any(set(a.lemmas) & asked for a in read.proposition.arguments if a.role in ("object", "for", "with"))


# ── narratives ──────────────────────────────────────────────────────────────────────────────────


def _is_shared(heard: Heard) -> bool:
    """The user and the assistant together: "we've been chatting", "you helped me", "remember our …"."""
    text = heard.text.strip()
    if _REMEMBER.search(text):
        return True
    predicates = {read.proposition.predicate for read in heard.claims}
    if _WE.match(text):
        together = words_about("attitudes", "narrative", "together")
        both = _BOTH.search(text) is not None and not _others(heard)
        return bool(predicates & together) or both or (heard.is_report and bool(heard.claims))
    helped = predicates & words_about("attitudes", "narrative", "helping")
    return bool(helped) and re.match(r"\W*you\b", text, re.IGNORECASE) is not None and " me" in f" {text}"


def _others(heard: Heard) -> bool:
    """Whether somebody else is named, so that "together" need not be with the assistant."""
    return any(is_person(word.text) for word in heard.words)


def _find_narrative(heard: Heard) -> list[Candidate]:
    if heard.force not in (Force.ASSERTED, Force.QUESTION) or not _is_shared(heard):
        return []
    if heard.force is Force.QUESTION and not _REMEMBER.search(heard.text):
        return []
    text = " ".join(heard.text.split()).rstrip(" .!?")
    return [Candidate(text, MemoryKind.SHARED_NARRATIVE, None, "shared with the assistant", (heard.place,))]


# ── patterns ────────────────────────────────────────────────────────────────────────────────────


def _find_styles(heard: Sequence[Heard]) -> list[Candidate]:
    """Manners seen in two requests or more; one request tells nothing."""
    asked = [one for one in heard if one.is_behaviour and one.force is not Force.JOKE]
    found: list[Candidate] = []
    for style in load_styles():
        seen = [one for one in asked if has_phrase(one.text, style.cues)]
        if count_observations(seen) >= ENOUGH:
            places = tuple(one.place for one in seen)
            reasoning = f"asked for {count_observations(seen)} times"
            found.append(Candidate(style.text, MemoryKind.USER_PATTERN, None, reasoning, places))
    return found
