"""The verb of a sentence in which the tagger saw none: a word that can be a noun as well."""

from __future__ import annotations

from groundwire.text import lexicon
from groundwire.text.tokens import Token


def find_verb(tokens: list[Token], letters: str) -> str:
    """ "Sandvik Hall seats 800 people", "The store stocks tea.": where no verb was seen, a plural may be it.

    What follows it has to be an object or, in a sentence that is ended as one, anything: a heading has no full stop.
    """
    following = "#DSpINJR" if letters.endswith(".") and letters[0] in "DSPp" else "#DSpI"
    for i in range(1, len(tokens) - 1):
        token = tokens[i]
        if letters[i] != "N" or letters[i + 1] not in following or not token.low.endswith("s"):
            continue
        if token.lemma == token.low or not _can_be(token.lemma, "VB"):
            continue
        if not _can_be_one(tokens[i - 1]) and (letters[max(0, i - 2) : i] != "DJ" or letters[i + 1] not in "#DSp"):
            continue
        token.tag = "V"
        if tokens[i - 1].tag == "J":
            tokens[i - 1].tag, letters = "N", letters[: i - 1] + "N" + letters[i:]
        return letters[:i] + "V" + letters[i + 1 :]
    return _find_last_verb(tokens, letters)


def _find_last_verb(tokens: list[Token], letters: str) -> str:
    """ "Your colleagues smoke.": what several do, as the last word of a sentence."""
    at = len(tokens) - 2
    if at < 2 or letters[-3:] != "NN." or not (letters[0] in "DS" or tokens[0].low == "none"):
        return letters
    if not _can_be(tokens[at].low, "VB"):
        return letters
    owner, last = tokens[at - 1], tokens[at]
    if owner.low == owner.lemma or not owner.low.endswith("s") or last.low.endswith("s"):
        return letters
    last.tag = "V"
    return f"{letters[:at]}V."


def _can_be(word: str, penn: str) -> bool:
    return any(reading.startswith(penn) for reading, _ in lexicon.readings(word))


def _can_be_one(token: Token) -> bool:
    """The last word of a subject in the singular; "flat" and "square" are nouns as well."""
    if token.tag == "J":
        return _can_be(token.low, "NN")
    return token.tag == "P" or (token.tag == "N" and (token.lemma == token.low or not token.low.endswith("s")))
