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
    r"\W*(?:of course|sure|certainly|absolutely|yes|yeah|indeed)\W+"
    r"(?:not|no|and no|n['’]t|if|unless|but|when|once|right)\b",
    re.IGNORECASE,
)
"""A yes that is none: "of course not", "sure, if …"."""
_SHORT = (
    (re.compile(r"^your\s+(?=[\w\s'’-]{2,40}\?$)", re.IGNORECASE), "What is your "),
    (
        re.compile(r"^(?:may|can|could) I (?:ask|know|have)(?: for)? your\s+(?=[\w\s'’-]{2,40}\?$)", re.IGNORECASE),
        "What is your ",
    ),
    (re.compile(r"^(?:could|can|would) you tell me (where|when|how) you\s+", re.IGNORECASE), r"\1 do you "),
)
"""Questions in short, and in full."""
_POLITE = re.compile(r"^\W*(?:sure|well|of course|certainly|gladly|ok|okay|oh|hm+|um|uh)\s*[,:–—-]\s*", re.IGNORECASE)
_PLAIN = re.compile(
    r"\W*(?:yes|yeah|yep|yup|no|nope|right|exactly|correct|indeed|never|not yet|not at all|of course|absolutely|"
    r"certainly|that['’]s (?:right|correct)|sure)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"(?:[\s,.!]*\b(?:yes|no|I (?:am|do|have|did|was)(?: not|n['’]t)?|I['’]m not|exactly|indeed|right|correct|never|"
    r"thanks|thank you|that['’]s (?:right|correct)|of course|definitely|absolutely|sir|please)\b)*"
    r"\W*(?:$|(?=\b(?:I|I['’]\w+|we)\b))",
    re.IGNORECASE,
)
_EMPTY = re.compile(
    r"\W*(?:none|nothing|nobody|nowhere|too|no|not|never|somewhere|something|anything|whatever|why|guess|unknown|same|"
    r"depends|ask|dunno|neither|both|either|here|there|well|sorry|thanks|please|a (?:bit|little|lot|few|couple))\b",
    re.IGNORECASE,
)
_NOES = frozenset({"no", "nope", "not"})
_VALUE = re.compile(
    r"(?:(?P<word>yes|yeah|yep|sure|no|nope)[\s,:–—-]+)?(?P<value>[\w'’-]+(?:\s+[\w'’-]+){0,7})\W*", re.IGNORECASE
)
_CLAUSE = re.compile(
    r"\b(?:I|we|you|it|they|that|is|are|am|was|were|do|does|did|have|has|not|please|thanks)\b", re.IGNORECASE
)
_PREPOSITION = re.compile(r"(?:at|in|to|from|near|for|with|on|by)")
_HAVING = re.compile(r"do you (?P<verb>have|own|keep|drive|ride|speak|play)\s+[\w\s'’-]{2,40}\?", re.IGNORECASE)
_COUNTED = re.compile(r"(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+)\s", re.IGNORECASE)
_ANY = re.compile(r"\b(?:any|anything|anyone|anybody|anywhere|ever)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:not|never|no)\b|n['’]t\b", re.IGNORECASE)
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
    for pattern, full in _SHORT:
        question = pattern.sub(full, question)
    if _CONFIRMS.fullmatch(reply):
        reply = "Yes."
    elif _DENIES.fullmatch(reply):
        reply = "No."
    if _TURNS.match(reply):
        return None
    reply = _POLITE.sub("", reply)
    said = _choose(question, reply) or _particularise(question, reply) or _recall(question, reply)
    said = said or _take_plainly(question, reply)
    if not said or (_ANY.search(said) and not _NEGATED.search(said)):
        return None  # "I have any allergies" says nothing
    return _turn_round(said)


def _take_plainly(question: str, reply: str) -> str | None:
    """Yes or no to the whole of it, or the value that was asked for; a yes that goes on may mean something else."""
    plain = _PLAIN.match(reply)
    if plain is not None:
        return _agree(question, reply) or complete(question, reply) if _ENDS.match(reply, plain.end()) else None
    value = reply.partition(",")[0]  # "Two, both at school."
    return None if _EMPTY.match(value) else complete(question, value)


def _particularise(question: str, reply: str) -> str | None:
    """ "Do you have pets?" – "Yes, two ferrets."; "Do you work at Siemens?" – "No, at Bosch." """
    match = _VALUE.fullmatch(reply.strip())
    if match is None or _CLAUSE.search(match["value"]):
        return None
    value, first = match["value"], match["value"].split()[0].casefold()
    if _PREPOSITION.fullmatch(first):
        at = question.casefold().rfind(f" {first} ")
        return complete(f"{question[:at]} {value}?", "Yes.") if at > 0 else None
    having = _HAVING.fullmatch(question)
    if having is None or not _COUNTED.match(value) or _EMPTY.match(value) or (match["word"] or "").casefold() in _NOES:
        return None
    return f"you {having['verb']} {value[:1].lower()}{value[1:]}"


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
