"""The verb of a sentence in which the tagger saw none: a word that can be a noun as well."""

from __future__ import annotations

import re

from groundwire.text import lexicon
from groundwire.text.subjects import names_person
from groundwire.text.tokens import Token


def find_verb(tokens: list[Token], letters: str) -> str:
    """ "Sandvik Hall seats 800 people", "The store stocks tea.": where no verb was seen, a plural may be it.

    What follows it has to be an object or, in a sentence that is ended as one, anything: a heading has no full stop.
    """
    if letters[:1] == "I" and (turned := _find_turned(tokens, letters)):
        return turned
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
    return _find_hidden(tokens, letters) if letters.endswith(".") else letters


def _find_hidden(tokens: list[Token], letters: str) -> str:
    """A full stop says that it is a sentence, so one of its words is the verb, however seldom it is one."""
    for look in (_find_behind_pronoun, _find_behind_adverb, _find_behind_number, _find_plural_verb, _find_past):
        at = look(tokens, letters)
        if at:
            tokens[at].tag = "V"
            tokens[at].lemma = _lemma_of(tokens[at])
            return f"{letters[:at]}V{letters[at + 1 :]}"
    return _find_clitic(tokens, _find_last_verb(tokens, letters))


_PRONOUN = re.compile(r"(?:I[NP#]+)*,?p(?:D(?=[NJ]))?[Rn]*(?=[NJE])")
_ADVERB = re.compile(r"(?<=[NPp#])[Rn]+(?=N)")
_NUMBERED = re.compile(r"(?:D#|^#|^D#?(?=J))(?=[NJ])")
_SUBJECT = re.compile(r"(?:[DS#]?[JN]*|P*)[NP](?=[ICtR]|[NJ])")


def _find_behind_pronoun(tokens: list[Token], letters: str) -> int:
    """ "You vape on the balcony.", "You co-wrote the report." """
    found = _PRONOUN.match(letters)
    at = found.end() if found is not None else 0
    subject = next((token.low for token in tokens[:at] if token.tag == "p"), "")
    return at if subject in _SUBJECTS and tokens[at].text[:1].islower() else 0


_SUBJECTS = frozenset({"i", "you", "we", "they", "he", "she", "it"})


def _find_behind_adverb(tokens: list[Token], letters: str) -> int:
    """ "The user only cycles in summer.", "Your mother usually sides with you.": no adverb stands before a noun."""
    places = (found.end() for found in _ADVERB.finditer(letters))
    return next((at for at in places if at < len(tokens) - 1 and _can_be(_lemma_of(tokens[at]), "VB")), 0)


def _find_behind_number(tokens: list[Token], letters: str) -> int:
    """ "The 5:40 runs every day.", "All three pay the same.": a thing known by its number does something."""
    found = _NUMBERED.match(letters)
    at = found.end() if found is not None else 0
    goes_on = 0 < at < len(tokens) - 2 and letters[at + 1] in "DSpI#RtPJN"
    number = tokens[at - 1].low
    single = number in ("one", "1") or not number.isalnum()  # "the 5:40", "version 0.9"
    counted = letters[at - 1] == "#" and not single and _is_plural(tokens[at])
    return at if goes_on and not counted and _can_be(_lemma_of(tokens[at]), "VB") else 0


def _find_plural_verb(tokens: list[Token], letters: str) -> int:
    """ "The doors of the pool open at eight.": behind a plural and what belongs to it stands what several do."""
    subject = _SUBJECT.match(letters)
    if subject is None:
        return 0
    several = _is_plural(tokens[subject.end() - 1]) or letters[subject.end()] == "C"
    for at in range(subject.end(), len(tokens) - 2) if several else ():
        token, after = tokens[at], letters[at + 1]
        if letters[at] not in "NJR" or letters[at - 1] not in "NPR" or after not in "IDSpR#WtJNPU":
            continue
        if not token.low.endswith("s") and token.text.islower() and _can_be(token.low, "VB"):
            return at
    return 0


def _find_past(tokens: list[Token], letters: str) -> int:
    """ "Teaching paid for your instrument.": what looks like "written by …" is the verb where no other is."""
    for at in range(1, len(tokens) - 1):
        if letters[at] == "E" and letters[at - 1] in "NPG'n" and letters[at + 1] in "DSpIR#":
            named = letters[at - 1] != "'" and tokens[at].low in ("called", "named")
            if not named and letters[at + 1 : at + 2] != "I" and _can_be(tokens[at].low, "VBD"):
                return at
    return 0


_CLITIC = re.compile(r"[DS][JN]*N'(?=[JE][ItDSN])|^N'(?=E[NDSP])")


def _find_clitic(tokens: list[Token], letters: str) -> str:
    """ "My dad's good at whistling.", "User's dropped ballet.": nothing is owned where no noun follows."""
    found = _CLITIC.match(letters) if not letters.count("V") else None
    if found is None or (letters[found.end()] == "J" and letters[found.end() + 1] not in "It"):
        return letters
    at = found.end() - 1
    has = letters[at + 1] == "E" and letters[at + 2] in "DSNP"
    tokens[at].tag, tokens[at].lemma = ("h", "have") if has else ("b", "be")
    return f"{letters[:at]}{tokens[at].tag}{letters[at + 1 :]}"


def _lemma_of(token: Token) -> str:
    """The verb that a word is a form of; an unknown one is its own."""
    return next((lemma for reading, lemma in lexicon.readings(token.low) if reading.startswith("VB")), token.lemma)


def _is_plural(token: Token) -> bool:
    return (token.low != token.lemma and token.low.endswith("s")) or token.low in _SEVERAL


_SEVERAL = frozenset({"people", "men", "women", "children", "police", "staff", "cattle", "feet", "teeth", "mice"})


_TURNED = re.compile(r"I[DS]?[JN]{0,3}[#PN]{1,3}?(?P<verb>N)(?=[DS])")


def _find_turned(tokens: list[Token], letters: str) -> str:
    """ "At 9:15 leaves your train": no noun goes on with another article."""
    found = _TURNED.match(letters)
    token = tokens[found.start("verb")] if found is not None else None
    if (
        found is None
        or token is None
        or (lemma := lexicon.verb_lemma(token.low)) is None
        or not token.low.endswith("s")
    ):
        return ""
    token.tag, token.lemma = "V", lemma
    return f"{letters[: found.start('verb')]}V{letters[found.end('verb') :]}"


def find_first_verb(tokens: list[Token], letters: str, joint: int) -> str:
    """ "Your personal best stands at 3:12, and your coach is Lena": before "and" stands a sentence of its own.

    Not so where a plural follows, of which both parts may be the subject.
    """
    first = letters[:joint]
    if first[:1] not in ("D", "S") or _FIRST.fullmatch(first) is None or _SECOND.match(letters, joint) is None:
        return letters
    finite = next((token.low for token in tokens[joint:] if token.tag in "bhdMV"), "")
    if finite in ("are", "were", "have", "do"):
        return letters
    return find_verb(tokens[:joint], f"{first}.")[:joint] + letters[joint:]


def find_listed(tokens: list[Token], letters: str) -> str:
    """ "Sells second-hand books and vinyl records": a bare noun for a thing does nothing behind what is listed."""
    for found in _LISTED.finditer(letters):
        noun, last = tokens[found.end() - 2], tokens[found.end() - 1]
        bare = noun.text.islower() and not (_is_plural(noun) or names_person(noun.low))
        told = re.search("[VbhdM]", letters[: found.start()]) is not None
        if bare and told and last.low.endswith("s") and _can_be(last.low, "NNS"):
            last.tag = "N"
            letters = f"{letters[: found.end() - 1]}N{letters[found.end() :]}"
    return letters


_LISTED = re.compile(r"[NP]CNV(?=[.,;]|$)")
_FIRST = re.compile(r"[DS][^,;:CVbhdMBUW]+")
_SECOND = re.compile(r",C(?:[DS][JN#]*N|P+|p)[Rn]*[VbhdM]")


def _find_last_verb(tokens: list[Token], letters: str) -> str:
    """ "Your colleagues smoke.": what several do, as the last word of a sentence."""
    at = len(tokens) - 2
    if at < 2 or letters[-3:] != "NN." or not (letters[0] in "DS" or tokens[0].low == "none"):
        return letters
    if not _can_be(tokens[at].low, "VB"):
        return letters
    owner, last = tokens[at - 1], tokens[at]
    if not _is_plural(owner) or last.low.endswith("s"):
        return letters
    last.tag = "V"
    return f"{letters[:at]}V."


def _can_be(word: str, penn: str) -> bool:
    """Whether a dictionary has it so, of a compound its last part: "co-own"."""
    if "-" in word and not lexicon.is_known(word):
        word = word.rpartition("-")[2]
    return any(reading.startswith(penn) for reading, _ in lexicon.readings(word))


def _can_be_one(token: Token) -> bool:
    """The last word of a subject in the singular; "flat" and "square" are nouns as well."""
    if token.tag == "J":
        return _can_be(token.low, "NN")
    return token.tag == "P" or (token.tag == "N" and (token.lemma == token.low or not token.low.endswith("s")))
