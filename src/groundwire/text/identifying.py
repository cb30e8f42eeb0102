"""Sentences that single out one part: "The city you live in is Ulm", "What you drink is tea".

They say what the plain sentence says: you live in Ulm, you drink tea. Where the noun says more than the clause needs
("the film you like most"), the whole description is the subject of one claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.text.clefts import set_small
from groundwire.text.phrases import time_nouns
from groundwire.text.statements import make_word
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.verbs import SUPERLATIVES, VerbGroup, read_verb_groups

Part = tuple[list[Token], str]

_OPENED = re.compile(
    r"(?P<head>N|W|D[J#]*N+)(?P<led>I(?=W))?(?P<mark>(?<=.)[WU])?(?P<subject>p|S[J#N]*N|DJ*N+|P+)?[Rn]*"
)
_DESCRIBED = re.compile(r"(?P<joint>,C|[;C])(?P<rest>(?:D[J#]*N+(?:I?W|U)?|N)(?:p|S[JN]*N|P+)[Rn]*[VbhdM][^;]*?[Vbh])")
_JOINED = re.compile(r",C(?:[DS]?[JN#]*N|P+|p)[Rn]*[VbhdM]")
_VERB = re.compile("[VbhdM]")
_SAME = re.compile(r",(?P<same>[DS][#JNP]*[NP](?:I[DS]?[#JNP]*[NP])?|P+),$")
_TO_DO = re.compile(r"t[RB]*BR?(?![DSp])")
_OFTEN = frozenset({"every", "each", "these"})
_FREE = frozenset({"what", "where", "who"})


@cache
def _generic() -> frozenset[str]:
    return frozenset(read_table("grammar")["generic"]["nouns"])


@cache
def _records() -> frozenset[str]:
    return frozenset(read_table("grammar")["talk"]["subjects"])


def split_descriptions(tokens: list[Token], letters: str) -> list[Part]:
    """Parts that are read by themselves: a subject with a clause of its own would be taken for the end of the first."""
    found: list[Part] = []
    start = 0
    for match in _DESCRIBED.finditer(letters):
        at, first = match.start("joint"), match.start("rest")
        plain = letters[first] == "D" or tokens[first].low == "what"
        told = _VERB.search(letters, start, at) is not None and letters[first - 1] != "W"
        if plain and told and not any(token.tag in "UW" for token in tokens[start:at]):
            found.append((tokens[start:at], letters[start:at]))
            start = first
    found.append((tokens[start:], letters[start:]))
    return found


def identify(tokens: list[Token], letters: str) -> Part:
    """The plain sentence that an identifying one stands for; the same where it is none."""
    if "b" in letters and any(token.low in SUPERLATIVES for token in tokens[-3:]):
        tokens, letters = _describe_last(tokens, letters)
    stop = letters.find(";")
    if stop < 0 and (joined := _JOINED.search(letters)) is not None:
        stop = joined.start()
    if stop > 0:
        before = tokens[:stop]
        first, read = identify(before, letters[:stop])
        return ([*first, *tokens[stop:]], f"{read}{letters[stop:]}") if first is not before else (tokens, letters)
    opened = _OPENED.match(letters) if letters[:1] in ("D", "N", "W") else None
    if opened is None or _VERB.search(letters, opened.end()) is None:
        return tokens, letters
    groups = read_verb_groups(tokens, letters)
    if len(groups) != 2 or groups[0].start > opened.end() or groups[0].end <= opened.end() - 1:
        return tokens, letters
    inner, main = groups
    if opened.end() < inner.start or main.negated or main.modal or main.passive or main.progressive:
        return tokens, letters
    if tokens[main.end - 1].low == "being":
        return tokens, letters  # "what you hate is being late"
    free = tokens[0].low if tokens[0].low in _FREE else ""
    if letters[0] in "NW" and not free:
        return tokens, letters
    if opened["subject"] is None and not (free in ("what", "who") and not opened["mark"]):
        return tokens, letters
    return _Sentence(tokens, letters, opened, inner, main).turn(free)


_LAST = re.compile(r"[DSJNP#C']+b(?P<noun>D[J#]*N+)(?P<said>U?(?:p|S[JN]*N|P+)[Rn]*V.)[.]?")


def _describe_last(tokens: list[Token], letters: str) -> Part:
    """ "Amelie is the film you like most": the clause stays with its noun here too."""
    found = _LAST.fullmatch(letters)
    if found is None or tokens[found.end("noun") - 1].lemma in _generic():
        return tokens, letters
    first, last = found.span("said")
    inside = [token.retagged("J") for token in tokens[first:last]]
    return _retag([*tokens[:first], *inside, *tokens[last:]])


class _Sentence:
    """An identifying sentence, with its two verbs."""

    __slots__ = ("inner", "letters", "main", "opened", "tokens")

    def __init__(
        self, tokens: list[Token], letters: str, opened: re.Match[str], inner: VerbGroup, main: VerbGroup
    ) -> None:
        self.tokens, self.letters, self.opened, self.inner, self.main = tokens, letters, opened, inner, main

    def turn(self, free: str) -> Part:
        tokens, letters, main = self.tokens, self.letters, self.main
        end = len(letters.rstrip("."))
        stuff, said = letters[self.inner.end : main.start], letters[main.end : end]
        same = _SAME.search(stuff)
        if same is not None:
            stuff = stuff[: same.start()]
        if "," in stuff or ";" in stuff or "C" in stuff or not said or self.inner.lemma in ("do", "be"):
            return tokens, letters
        noun = free or tokens[self.opened.end("head") - 1].lemma
        names = re.match(r"[DS#NPG@]|[JR]*[NP]|I(?=[DSNP#])", said) is not None
        placed = said[0] == "I" and free != "where"
        if main.lemma == "be" and (placed or (not names and same is None)):
            return tokens, letters
        if any(token.lemma in _records() for token in tokens[self.inner.end : main.start]):
            return tokens, letters  # "what I have on file is…"
        if not (free or noun in _generic() or noun in time_nouns()):
            if same is not None:
                return self._name(self.inner.end + same.start("same"), self.inner.end + same.end("same"), stuff, end)
            return self._describe(stuff) if main.lemma == "be" else (tokens, letters)
        where = self._place(noun, stuff)
        if where is None or (same is None and main.lemma != "be"):
            return tokens, letters
        told = tokens[main.end : end]
        if same is None:
            return _retag([*self._rebuild(where, told, stuff), *tokens[end:]])
        first = self.inner.end + same.start("same")
        other = tokens[first : self.inner.end + same.end("same")]
        filler = [token.moved(0) for token in (told if main.lemma == "be" and names else other)]
        stop = make_word(";", ";", tokens[main.start - 1].start)
        return _retag([*other, *tokens[main.start : end], stop, *self._rebuild(where, filler, stuff), *tokens[end:]])

    def _name(self, first: int, last: int, stuff: str, end: int) -> Part:
        """ "The hotel you booked, the Astoria, has a pool": the name is the hotel's, and the hotel was booked."""
        tokens, noun = self.tokens, self.tokens[: self.opened.end("head")]
        if self._place("", stuff) is None or self.opened["led"]:
            return tokens, self.letters
        other = [token.moved(0) for token in tokens[first:last]]
        stop = make_word(";", ";", tokens[self.main.start - 1].start)
        told = [*noun, tokens[first - 1], *tokens[first:last], tokens[last], *tokens[self.main.start : end]]
        joined = [*told, stop, *self._rebuild("", other, stuff), *tokens[end:]]
        return joined, "".join(token.tag for token in joined)

    def _describe(self, stuff: str) -> Part:
        """ "The film you like most is Amelie": no plain sentence says as much; the clause stays with its noun."""
        tokens, main = self.tokens, self.main
        best = any(token.low in SUPERLATIVES for token in tokens[self.inner.end : main.start])
        if not best and self.letters[main.end : main.end + 1] != "P":
            return tokens, self.letters
        start = self.opened.end("head")
        inside = [token.retagged("J") for token in tokens[start : main.start]]
        return _retag([*tokens[:start], *inside, *tokens[main.start :]])

    def _place(self, noun: str, stuff: str) -> str | None:
        """The preposition that goes before what is singled out, "" for none; None where it is not known."""
        opened, tokens = self.opened, self.tokens
        if opened["led"]:
            return tokens[opened.start("led")].low
        if stuff.endswith(("I", "t")) and tokens[self.main.start - 1].tag in "It":
            return ""
        if noun == "where":
            return "" if self.letters[self.main.end] == "I" else "in"
        return None if noun in time_nouns() or self.inner.passive or (noun == "place" and "I" not in stuff) else ""

    def _rebuild(self, where: str, filler: Sequence[Token], stuff: str) -> list[Token]:
        """Subject, verb, what was singled out, and the rest, in the order of a plain sentence."""
        tokens, opened, inner = self.tokens, self.opened, self.inner
        verb, rest = tokens[inner.start : inner.end], tokens[inner.end : inner.end + len(stuff)]
        if opened["subject"] is None:
            return [*filler, *verb, *rest]
        subject = tokens[opened.start("subject") : inner.start]
        if where:
            return [*subject, *verb, *rest, make_word(f" {where}", "I", -1), *filler]
        at = next((i + 1 for i, token in enumerate(rest[1:]) if token.low in _OFTEN and rest[i].tag in "It"), 0)
        if (doing := _TO_DO.match(stuff)) is not None:
            at = doing.end()
        if stuff.endswith(("I", "t")) or any(token.tag == "," for token in filler):
            at = len(rest)
        if opened["head"] == "W":
            at = len(rest)
        return [*subject, *verb, *rest[:at], *filler, *rest[at:]]


def _retag(tokens: list[Token]) -> Part:
    set_small(tokens, 0)
    return tokens, "".join(token.tag for token in tokens)
