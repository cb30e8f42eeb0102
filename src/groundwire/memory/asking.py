"""A candidate as the checks see it: its words, what it claims, and of what kind the claim is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from groundwire.memory.phrasing import Word, content_words, has_phrase, words_about
from groundwire.memory.testimony import WITH_USER, is_person
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table

_PERSON = re.compile(r"^\s*(?:the\s+user|user|i|they|she|he)(?:['’](?:s|m|ve|re))?\s+", re.IGNORECASE)
_WE = re.compile(
    r"^\s*(?:(?:the\s+)?user\s+and\s+(?:the\s+)?(?:assistant|ai)|we(?:['’]ve|['’]re)?|our|both)\b", re.IGNORECASE
)
_YOU = re.compile(r"\b(?:you|your|the\s+assistant|assistant)\b", re.IGNORECASE)
_USER_FIRST = re.compile(r"\s*(?:i|the\s+user|user)\s", re.IGNORECASE)
_SHARED_PHRASES = frozenset({"remember when", "remember our", "our conversation", "our chat", "last time we"})
_PRONOUN_SUBJECT = re.compile(r"^\s*(?:she|he|they)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Asked:
    """What a candidate asserts."""

    text: str
    """With a subject, so that the judge can read it."""
    words: tuple[Word, ...]
    claims: tuple[ReadClaim, ...]
    original: str = ""

    @property
    def subject(self) -> str:
        return self.claims[0].proposition.subject if self.claims else USER

    @property
    def predicate(self) -> str:
        return self.claims[0].proposition.predicate if self.claims else ""

    @property
    def is_about_another(self) -> bool:
        """About somebody who is not the user."""
        subject = self.subject
        if subject == USER or WITH_USER.search(self.claims[0].claim.subject if self.claims else ""):
            return False
        if any(f.subject == USER and f.pattern != "predicate" for c in self.claims for f in c.facts):
            return False
        return not subject.startswith(f"{USER}'s ") or is_person(subject.removeprefix(f"{USER}'s "))

    @property
    def attitude(self) -> tuple[str, str] | None:
        """Sign and strength of the liking that it tells, if it tells one."""
        return find_attitude(self.words)

    @property
    def behaviour(self) -> tuple[Word, ...]:
        """The words that an observation must show: without the attitude that a pattern adds."""
        added = words_about("attitudes", "patterns", "attitudes")
        return tuple(word for word in self.words if not word.forms & added) or self.words

    @property
    def particulars(self) -> tuple[Word, ...]:
        """The words of the behaviour that tell it from any other request."""
        common = words_about("attitudes", "patterns", "communication") | words_about("attitudes", "patterns", "acts")
        return tuple(word for word in self.behaviour if not word.forms & common) or self.behaviour

    @property
    def acts(self) -> tuple[Word, ...]:
        """The words that a request fulfils by being one: "asks for"."""
        asking = words_about("attitudes", "patterns", "asking") | words_about("attitudes", "patterns", "answers")
        return tuple(word for word in self.behaviour if word.forms & asking)

    @property
    def is_pattern(self) -> bool:
        shaped = words_about("attitudes", "patterns", "habits")
        return any(word.forms & shaped for word in self.words[:2])

    @property
    def is_narrative(self) -> bool:
        """Told of the user and the assistant together."""
        narrative = read_table("attitudes", "memory")["narrative"]
        forms = frozenset(form for word in self.words[:3] for form in word.forms)
        if _WE.match(self.text):
            return bool(forms & frozenset(narrative["shared"]))
        if has_phrase(self.text, _SHARED_PHRASES):
            return True
        if _YOU.search(self.text) and forms & frozenset(narrative["helping"]):
            return True
        first = self.words[0].forms if self.words else frozenset[str]()
        return bool(first & frozenset(narrative["together"])) and _USER_FIRST.match(self.original) is None


@lru_cache(maxsize=4096)
def read_candidate(text: str) -> Asked:
    """The candidate with a subject where it has none that can be read: "Loves fettuccini" is said of the user."""
    written = text.strip()
    if _PRONOUN_SUBJECT.match(written):
        written = _PERSON.sub("The user ", written, count=1)
    claims = read_text(written).statements
    if not any(not read.is_note for read in claims):
        completed = f"The user {written[:1].lower()}{written[1:]}"
        again = read_text(completed).statements
        if any(not read.is_note for read in again):
            written, claims = completed, again
    stated = tuple(read for read in claims if not read.is_note) or tuple(claims)
    return Asked(written, content_words(written), stated, text)


def find_attitude(words: tuple[Word, ...]) -> tuple[str, str] | None:
    """ "positive", "strong" for love; "negative", "mild" for dislike."""
    for sign in ("negative", "positive"):
        for strength in ("strong", "mild"):
            known = words_about("attitudes", sign, strength)
            if any(word.forms & known for word in words):
                return sign, strength
    return None


def is_praise(words: tuple[Word, ...], sign: str) -> bool:
    return any(word.forms & words_about("attitudes", "praise", sign) for word in words)
