"""What the user said of themselves: every sentence of a conversation with what it does and whose it is.

A sentence that asks, supposes, jokes, quotes or doubts asserts nothing; the assistant's words are never the user's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from groundwire.memory.candidates import Delivery, Place
from groundwire.memory.conversation import Speaker
from groundwire.memory.phrasing import Word, words_about
from groundwire.text.framing import words_for
from groundwire.text.reading import ReadClaim
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.types import Tense

_TENTATIVE = frozenset({"consider", "think", "try", "wish", "hope", "dream", "need"})
_SECOND_PERSON = frozenset({"you", "your", "yours", "u", "ur", "yourself"})
_OWN_THINGS = ("mother tongue", "family name", "family home", "family car", "family doctor", "team name", "user name")
"""Named after somebody, and nobody."""
WITH_USER = re.compile(r"\band I$|^I and\b")
"""My wife and I."""
_ATTRIBUTION = re.compile(
    r"\b(?!I\b)[\w’']+(?:\s+\w+ly)?\s+(?:says?|said|thinks?|thought|told\s+me|tells\s+me|claims?|claimed|believes?|insists?|jokes?|"
    r"joked|swears?|calls\s+me|assumes?|according\s+to\s+\w+)\s*(?:that\b)?\s*[,:]?\s*$",
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
    is_answer: bool = False
    """A short answer, put in full with the words of the question."""
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


# ── whose statement it is ───────────────────────────────────────────────────────────────────────


def is_about_user(read: ReadClaim, heard: Heard) -> bool:
    """The user, or a thing of theirs; not "you", who is the assistant, and not their sister."""
    first = read.claim.subject.casefold().split(" ", 1)[0].split("'")[0].split("’")[0]
    if first in _SECOND_PERSON or first in ("here", "there"):
        return False
    if heard.is_report and first in ("we", "our"):
        return False
    if WITH_USER.search(read.claim.subject) and not heard.is_report:
        return True
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
    if description.casefold().startswith("favo") or description.casefold().endswith(_OWN_THINGS):
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
