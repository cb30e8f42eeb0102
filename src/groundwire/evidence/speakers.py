"""Who speaks: the user, the assistant, or somebody with a name; and one voice for all of them.

What the user says of "me" the assistant says of "you". Every turn is retold in the voice of the answer, which the
assistant speaks to the user, so that two statements about one person read alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum

from groundwire.evidence.rewriting import Exchange
from groundwire.text.inflection import third_person
from groundwire.text.tokens import Token
from groundwire.types.detection import DialogueTurn

ASSISTANT = "assistant"


class Party(StrEnum):
    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    """Instructs the assistant: its "you" is the assistant, and nothing it says is a statement of the dialogue."""
    OTHER = "other"


_USERS = frozenset({"user", "human", "customer", "client", "caller", "patient", "driver", "me", "guest", "student"})
_ASSISTANTS = frozenset(
    {
        "assistant",
        "ai",
        "bot",
        "agent",
        "model",
        "chatbot",
        "system assistant",
        "gpt",
        "llm",
        "you",
        "support",
        "operator",
    }
)
_SYSTEMS = frozenset({"system", "developer", "tool", "function"})

FIRST = frozenset({"i", "me", "my", "mine", "myself"})
SECOND = frozenset({"you", "your", "yours", "yourself", "u", "ur"})
_TURNED = {
    "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
    "your": "my", "yours": "mine", "yourself": "myself", "ur": "my",
}  # fmt: skip
_TOGETHER = {"we": "you", "us": "you", "our": "your", "ours": "yours", "ourselves": "yourselves"}
"""Whoever the user speaks for as well, the answer calls all of them "you"."""
_AFTER_I = {"am": "are", "'m": "'re", "’m": "’re", "was": "were"}
_AFTER_YOU = {"are": "am", "'re": "'m", "’re": "’m", "were": "was"}
_AFTER_NAME = {"am": "is", "'m": "'s", "’m": "’s", "have": "has", "'ve": " has", "’ve": " has", "do": "does"}


def name_parties(turns: Iterable[DialogueTurn]) -> dict[str, Party]:
    """Every role with its party; a name that is nobody's role is the user's where it is the only one."""
    known = {turn.role: _party(turn.role) for turn in turns}
    strangers = [role for role, party in known.items() if party is None]
    alone = len(strangers) == 1 and Party.USER not in known.values()
    stranger = Party.USER if alone else Party.OTHER
    return {role: party or stranger for role, party in known.items()}


def _party(role: str) -> Party | None:
    low = " ".join(role.casefold().replace("_", " ").split())
    if low in _USERS:
        return Party.USER
    if low in _ASSISTANTS:
        return Party.ASSISTANT
    return Party.SYSTEM if low in _SYSTEMS else None


def retell(tokens: Sequence[Token], party: Party, name: str) -> list[Exchange]:
    """The exchanges that bring tagged words of one sentence into the voice of the answer."""
    if party is Party.ASSISTANT:
        return []
    if party is Party.OTHER:
        return _retell_named(tokens, name)
    found: list[Exchange] = []
    for i, token in enumerate(tokens):
        before = tokens[i - 1].low if i else ""
        if token.low in ("you", "u"):
            found.append(Exchange(token.start, token.end, "I" if _acts(tokens, i) else "me"))
        elif token.low in _TURNED and (party is Party.USER or token.low not in FIRST):
            found.append(Exchange(token.start, token.end, _as_written(_TURNED[token.low], token)))
        elif token.low in _TOGETHER and party is Party.USER and before != "let":
            found.append(Exchange(token.start, token.end, _as_written(_TOGETHER[token.low], token)))
        elif before == "i" and token.low in _AFTER_I and party is Party.USER:
            found.append(Exchange(token.start, token.end, _AFTER_I[token.low]))
        elif before in ("you", "u") and token.low in _AFTER_YOU:
            found.append(Exchange(token.start, token.end, _AFTER_YOU[token.low]))
    return found


def _acts(tokens: Sequence[Token], i: int) -> bool:
    """Whether "you" is a subject: a verb follows, or an adverb and a verb."""
    following = [token.tag for token in tokens[i + 1 : i + 3]]
    return bool(following) and (following[0] in "bhdMVB" or (following[0] in "Rn" and following[-1] in "bhdMVB"))


def _as_written(words: str, token: Token) -> str:
    opens = token.text[:1].isupper() and token.low != "i"
    return words.capitalize() if opens or (token.low == "i" and token.start == 0) else words


def _retell_named(tokens: Sequence[Token], name: str) -> list[Exchange]:
    """ "I live in Oslo", said by Anna: Anna lives in Oslo. Whom she calls "you" is not known."""
    found: list[Exchange] = []
    for i, token in enumerate(tokens):
        before = tokens[i - 1].low if i else ""
        if token.low in ("my", "mine"):
            found.append(Exchange(token.start, token.end, f"{name}'s"))
        elif token.low in ("i", "me", "myself"):
            found.append(Exchange(token.start, token.end, name))
        elif before == "i" and token.low in _AFTER_NAME:
            found.append(Exchange(token.start, token.end, _AFTER_NAME[token.low]))
        elif before == "i" and token.tag in "VB" and token.low == token.lemma:
            found.append(Exchange(token.start, token.end, third_person(token.text)))
    return found


def is_of_assistant(subject: str) -> bool:
    """Whether a subject as written, in the voice of the answer, is the assistant or a thing of the assistant's."""
    return subject.casefold().split(" ", 1)[0] in FIRST
