"""A report in the third person, read as the user's own statement where it is one.

"The user said that she lives in Oslo" is what the user said; "Asked for examples" is what the user did. The words are
rewritten in place (she → I), never moved, so that every offset stays that of the source.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from groundwire.memory.candidates import Delivery
from groundwire.memory.conversation import Conversation, Speaker
from groundwire.text.tables import read_table
from groundwire.types import Sentence

_USER = r"(?:the\s+)?(?:user|human|customer|client|patient|caller)"
_PRONOUN = r"(?:she|he|they)"
_MENTIONS_USER = re.compile(rf"\b{_USER}\b", re.IGNORECASE)
_PRONOUNS = {
    "she": "I", "he": "I", "they": "I", "her": "my", "his": "my", "their": "my", "him": "me", "them": "me",
    "herself": "myself", "himself": "myself", "themselves": "myself", "hers": "mine", "theirs": "mine",
}  # fmt: skip
_ANY_PRONOUN = re.compile(r"\b(?:" + "|".join(_PRONOUNS) + r")\b", re.IGNORECASE)
_GERUND = re.compile(r"^[a-z]{2,20}ing\b")


class Told(NamedTuple):
    text: str
    delivery: Delivery
    is_behaviour: bool


class Narration:
    """What a pronoun of the report stands for, as it goes on."""

    def __init__(self, conversation: Conversation) -> None:
        reports = [u.text for u in conversation.utterances if u.speaker is Speaker.NARRATOR]
        self.has_user = any(_MENTIONS_USER.search(text) for text in reports)
        self.of_user = False

    def follow(self, text: str) -> None:
        """Who the sentence speaks of: the user, until somebody else becomes its subject."""
        if _others_subject().match(text):
            self.of_user = False
        elif _MENTIONS_USER.search(text) or _behaviour().match(text):
            self.of_user = True


def retell(sentence: Sentence, narration: Narration) -> Told | None:
    """The sentence as the user would have said it; None where it reports what the assistant said or did."""
    text = sentence.text
    if _assistant_subject().match(text):
        return None
    narration.follow(text)
    if narration.has_user and re.match(r"\s*(?:I\b|My\b)", text):
        return None  # in a report about "the user", whoever says "I" is the assistant
    if (match := _lead().match(text)) is not None and (match.group("user") or narration.of_user):
        rest = text[match.end() :]
        head = " " * match.end()
        if _GERUND.match(rest) and match.end() > 5:
            head = head[:-5] + "I am "
        return Told(head + _as_first_person(rest), Delivery.REPORTED, False)
    is_behaviour = _behaviour().match(text) is not None
    if narration.of_user:
        return Told(_as_first_person(text), Delivery.NARRATED, is_behaviour)
    first_person = re.search(r"\b(?:I|I['’]\w+|[Mm]y)\b", text) is not None and not narration.has_user
    return Told(text, Delivery.DIRECT if first_person else Delivery.NARRATED, is_behaviour)


_AND_THAT = re.compile(r",?\s+and\s+that\b(?=\s+(?:she|he|they|her|his|their|I|my|the)\b)", re.IGNORECASE)


def _as_first_person(text: str) -> str:
    """In place; each "and that …" of a reported speech becomes a sentence of its own."""
    text = _AND_THAT.sub(lambda match: ".".ljust(len(match.group())), text)

    def change(match: re.Match[str]) -> str:
        word = match.group()
        return _PRONOUNS[word.casefold()].ljust(len(word))[: len(word)]

    return _ANY_PRONOUN.sub(change, text)


def _alternatives(kind: str) -> str:
    return "|".join(read_table("testimony", "memory")["speech"][kind])


@cache
def _lead() -> re.Pattern[str]:
    """ "The user also mentioned that", "She said"."""
    who = rf"(?:(?P<user>{_USER})|{_PRONOUN})"
    adverbs = r"(?:\s+(?:also|then|later|further|again|once|even|has|had|just|clearly|explicitly|repeatedly|twice))*"
    to_whom = r"(?:\s+(?:to\s+)?(?:me|us|the\s+assistant))?(?:\s+(?:twice|again|repeatedly|several\s+times))?"
    opening = r"\s*(?:[-*•]\s*)?(?:(?:and|but|also|then|later|afterwards),?\s+)?"
    return re.compile(
        rf"{opening}{who}{adverbs}\s+(?:{_alternatives('telling')}){to_whom}(?:\s*,?\s*that\b|\s*:)?\s+", re.IGNORECASE
    )


@cache
def _behaviour() -> re.Pattern[str]:
    """ "Asked for …", "The user requested …", "Wanted to know …"."""
    adverbs = (
        r"(?:\s*(?:also|then|later|repeatedly|often|frequently|always|consistently|twice|again|usually|regularly))*"
    )
    acts = _alternatives("asking")
    return re.compile(
        rf"\s*(?:[-*•]\s*)?(?:(?:later|then|again|also),?\s+)?(?:{_USER}|{_PRONOUN}|I)?{adverbs}\s*(?:{acts})\b",
        re.IGNORECASE,
    )


@cache
def _assistant_subject() -> re.Pattern[str]:
    names = sorted(read_table("testimony", "memory")["speakers"]["assistant"], key=len, reverse=True)
    return re.compile(rf"\s*(?:[-*•]\s*)?(?:the\s+|an?\s+)?(?:{'|'.join(map(re.escape, names))})\b", re.IGNORECASE)


@cache
def _others_subject() -> re.Pattern[str]:
    """ "His sister lives …", "Dana works …", "The user's boss is …": from here on "he" may be somebody else."""
    people = read_table("people")
    nouns = "|".join(re.escape(word) for name in ("female", "male", "persons") for word in people[name])
    owner = rf"(?:{_USER}['’]s|her|his|their|my|a|the)"
    common = rf"{owner}\s+(?:\w+\s+){{0,2}}?(?:{nouns})\b"
    named = r"(?-i:[A-Z][a-z]+)\s+(?:is|was|has|had|works|lives|plays|likes|loves|said|told)\b"
    not_user = rf"(?!{_USER}\b(?!['’]s))(?!(?i:it|this|that|we|i|you|she|he|they|the|there)\b)"
    return re.compile(rf"\s*(?:[-*•]\s*)?(?:{common}|{not_user}{named})", re.IGNORECASE)
