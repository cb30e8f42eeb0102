"""Words whose tag only the order of the whole sentence can tell: "behind the house there are two sheds"."""

from __future__ import annotations

import re

from groundwire.text import lexicon
from groundwire.text.function_words import word_group
from groundwire.text.tokens import Token
from groundwire.text.verbs import is_past

_THERE = re.compile(r"(?<![bV])R(?=M?b|h(?:E|b)|V)")
_TOLD = re.compile(r"(?<=b)p([Rn]*)E(?=[DSpPN#It])")
_MOST = re.compile(r"(?<=V)[pDRJ](?=b)")
_SHARED = re.compile(r"(?<=C)pN(?=[ItDSR#P.,]|$)")
_NOUN = re.compile(r"[^VbhdMB]{0,12}[DS]J(?=[UW]p.{0,80}[Vbh].{0,80}[VbhM])")
_LIKE = re.compile(r"(?<=,)V(?=[DS]?[JNP]+,)")
_EITHER = re.compile(r"(?<=[pP])D[NV](?=.*C)")
_MAY_MOVE = re.compile("R[MbhV]|bp|V[pDJ]b|CpN|J[UW]p|,V|[pP]D[NV]")
"""A quick look: most sentences have none of these."""
_SUPERLATIVES = frozenset({"most", "best", "least", "worst"})


def retag_moved(tokens: list[Token], letters: str) -> str:
    """Gives "there" its place as a subject, a verb behind "the truth is you" its tense; returns the new letters."""
    if _MAY_MOVE.search(letters) is None:
        return letters
    found: dict[int, str] = {}
    for match in _THERE.finditer(letters):
        opens = max(letters.rfind(mark, 0, match.start()) for mark in ",;:C") + 1
        if tokens[match.start()].low == "there" and match.start() and letters[opens] in "IR":
            found[match.start()] = "p"
    for match in _TOLD.finditer(letters):
        verb = tokens[match.end() - 1]
        if match.start() > 1 and tokens[match.start()].low in word_group("nominatives") and is_past(verb):
            found[match.end() - 1] = "V"  # "the truth is you never liked it"
    for match in _MOST.finditer(letters):
        if tokens[match.start()].low in _SUPERLATIVES:
            found[match.start()] = "R"  # "the thing you hate most is…"
    for match in _SHARED.finditer(letters):
        verb = tokens[match.end() - 1]
        if tokens[match.end() - 2].low in word_group("subjects") and verb.low != verb.lemma and _can_be_verb(verb):
            found[match.end() - 1] = "V"  # "the version is 5 and it ships on Monday"
    match = _NOUN.match(letters)
    if match is not None:
        found[match.end() - 1] = "N"  # "the flat that you rented"
    for match in _LIKE.finditer(letters):
        if tokens[match.start()].low == "like":
            found[match.start()] = "I"  # "Ana, like Bo, is a nurse"
    for match in _EITHER.finditer(letters):
        if tokens[match.start()].low == "either":
            found[match.start()] = "R"
            found[match.end() - 1] = "V"  # "you either walk or take the bus"
    if not found:
        return letters
    for i, letter in found.items():
        tokens[i] = tokens[i].retagged(letter)
        for j in range(i + 1, len(tokens)):
            if letter != "p" or letters[j] not in "V" or letters[j - 1] != "#":
                continue
            tokens[j] = tokens[j].retagged("N")  # "there are two sheds": no verb follows the number
            break
    return "".join(token.tag for token in tokens)


def _can_be_verb(token: Token) -> bool:
    return any(reading.startswith("VB") for reading, _ in lexicon.readings(token.lemma))


SEEMING = ("Looks ", "Seems ", "Sounds ", "Turns ", "Appears ")
"""How a sentence opens that leaves its "it" out."""
_SEEMING = frozenset(
    {("looks", "like"), ("looks", "as"), ("sounds", "like"), ("seems", "like"), ("seems", "that"), ("turns", "out")}
)
_SEEMS = frozenset({"seems", "appears"})


def drop_seeming(tokens: list[Token]) -> list[Token]:
    """ "Looks like your landlord raised the rent", "turns out the flat was sold": nobody looks, and nothing turns."""
    if len(tokens) < 5:
        return tokens
    start = 2 if (tokens[0].low, tokens[1].low) in _SEEMING else 1 if tokens[0].low in _SEEMS else 0
    if not start:
        return tokens
    while start < len(tokens) - 3 and tokens[start].low in ("that", "if", "though"):
        start += 1
    return tokens[start:] if tokens[start].low not in _NOT_SUBJECTS else tokens


_NOT_SUBJECTS = frozenset({"to", "a", "an", "like", "as", "good", "great", "fine"})
