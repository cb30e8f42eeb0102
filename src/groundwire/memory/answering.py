"""What a short answer says in full: "Which city do you live in?" – "Rotterdam." is the user's own statement.

The question only lends its words; nothing is taken from it that the user did not confirm or fill in.
"""

from __future__ import annotations

import re

from groundwire.evidence.replies import complete

_LONGEST = 300
_PERSONS = {
    "you": "I", "your": "my", "yours": "mine", "yourself": "myself",
    "i": "you", "my": "your", "mine": "yours", "me": "you", "myself": "yourself",
}  # fmt: skip
_PERSON = re.compile(r"\b(?:" + "|".join(_PERSONS) + r")\b", re.IGNORECASE)
_VERB = re.compile(r"\bI\s+(are|were|aren't|weren't)\b")
_FIRST = {"are": "am", "were": "was", "aren't": "am not", "weren't": "wasn't"}
_CONTRACTED = re.compile(r"\b(you|I)['’](re|ve|m)\b", re.IGNORECASE)
_FULL = {"re": "are", "ve": "have", "m": "am"}
_CONFIRMS = re.compile(
    r"\W*(?:(?:yes|yeah|yep|yup|right|exactly|correct|indeed|sure)\b[\s,.!]*)?"
    r"(?:I|we)\s*(?:do|am|have|did|was|can|will|are|would|['’]m|['’]ve)(?:\s+indeed)?\W*",
    re.IGNORECASE,
)
_DENIES = re.compile(
    r"\W*(?:(?:no|nope)\b[\s,.!]*)?(?:I|we)\s*(?:(?:do|am|have|did|was|can|will|are|would|['’]m|['’]ve)\s+not|"
    r"(?:do|have|did|was|ca|wo|are|would)n['’]t|never\s+(?:do|have|did|was))\W*",
    re.IGNORECASE,
)
_YES = re.compile(r"\W*(?:yes|yeah|yep|yup|right|exactly|correct|indeed|that['’]s (?:right|correct))\b", re.IGNORECASE)
_FORMERLY = re.compile(r"\W*(?:(?:no|not any ?more|yes)\b[\s,.!]*)?(?:but\s+)?I\s+used\s+to\W*", re.IGNORECASE)
_TURNS = re.compile(
    r"\W*(?:of course|sure|certainly|absolutely|yes|yeah|indeed)\W+(?:not|no|n['’]t|if|unless|but|when|once|right)\b",
    re.IGNORECASE,
)
"""A yes that is none: "of course not", "sure, if …"."""
_LEADING = re.compile(r"^(?:and|so|but|ok|okay|well|also|then|great|thanks)[,\s]+", re.IGNORECASE)
_TAG = re.compile(
    r",?\s+(?:right|correct|yes|(?:is|are|do|does|have|has|was|were|did)n['’]t (?:you|it|they)|am I right)\?$",
    re.IGNORECASE,
)
_DECLARES = re.compile(r"(?:you|your)\b", re.IGNORECASE)
_CHOICE = re.compile(r"\b(?P<one>[\w'’-]+)\s+or\s+(?P<two>[\w'’-]+)\b", re.IGNORECASE)


def answer(question: str, reply: str) -> str | None:
    """The statement that the user makes by a reply to the assistant's question, in the first person."""
    question = _LEADING.sub("", question.strip())
    if not question.endswith("?") or len(question) > _LONGEST or len(reply) > _LONGEST:
        return None
    if _CONFIRMS.fullmatch(reply):
        reply = "Yes."
    elif _DENIES.fullmatch(reply):
        reply = "No."
    if _TURNS.match(reply):
        return None
    said = _choose(question, reply) or _agree(question, reply) or _recall(question, reply) or complete(question, reply)
    if said and "," in reply and not _YES.match(reply):
        said = complete(question, reply.partition(",")[0]) or said  # "Two, both at school."
    return _turn_round(said) if said else None


def _recall(question: str, reply: str) -> str | None:
    """ "Do you smoke?" – "I used to." """
    if _FORMERLY.fullmatch(reply) is None or not question.casefold().startswith("do you "):
        return None
    return f"you used to {question[len('do you ') :].rstrip('? ')}"


def _agree(question: str, reply: str) -> str | None:
    """ "So you live in Graz?" – "Yes." """
    stated = _TAG.sub("?", question).rstrip("? ")
    return stated if _DECLARES.match(stated) and _YES.match(reply) else None


def _choose(question: str, reply: str) -> str | None:
    """ "Do you prefer tea or coffee?" – "Tea." """
    offered = _CHOICE.search(question)
    value = reply.strip(" .!")
    if offered is None or value.casefold() not in (offered["one"].casefold(), offered["two"].casefold()):
        return None
    return complete(question[: offered.start()] + value.casefold() + question[offered.end() :], "Yes.")


def _turn_round(text: str) -> str:
    """ "You are" becomes "I am"."""
    text = _CONTRACTED.sub(lambda match: f"{match[1]} {_FULL[match[2].casefold()]}", text)
    text = _PERSON.sub(lambda match: _PERSONS[match.group().casefold()], text)
    text = _VERB.sub(lambda match: f"I {_FIRST[match[1]]}", text)
    return text[:1].upper() + text[1:]
