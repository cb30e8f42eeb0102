"""What stands in brackets: said of the word before it, a detail of the sentence, or a comment on it.

"The server (a Dell) runs Debian" says two things, and "the API (version 3) returns JSON" is not said of any other
version. A source, a remark on a change or words without a name or a figure are comments, and are put aside.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.text.statements import Statement
from groundwire.text.tables import read_table
from groundwire.text.tagging import tag
from groundwire.text.tokens import Token

_MOST = 15
_SMALL_NUMBER = re.compile(r"\d{1,3}")
Aside = tuple[Token, list[Token]]
"""The word before a bracket, and the words in it with their brackets."""


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["brackets"][kind])


def set_brackets_aside(tokens: list[Token]) -> tuple[list[Token], list[Aside]]:
    """The words outside of brackets, where those that describe stand between commas; and the details inside."""
    kept: list[Token] = []
    asides: list[Aside] = []
    i = 0
    while i < len(tokens):
        if tokens[i].tag == ")":
            i += 1
            continue
        if tokens[i].tag != "(":
            kept.append(tokens[i])
            i += 1
            continue
        close = _find_close(tokens, i)
        inside = tokens[i + 1 : close]
        if kept and _describes(inside):
            kept.extend((_make_comma(tokens[i]), *inside))
            if close + 1 < len(tokens) and tokens[close + 1].tag not in (",", ".", ";"):
                kept.append(_make_comma(tokens[close]))
        elif kept and _is_detail(inside):
            asides.append((kept[-1], tokens[i : close + 1]))
        i = close + 1
    if any(token.tag not in (".", ",") for token in kept):
        return kept, asides
    return [token for token in tokens if token.tag not in ("(", ")")], []  # "(It closed in 2019.)"


def add_details(statements: Sequence[Statement], asides: Sequence[Aside]) -> None:
    """Give each statement the brackets that stand behind its words."""
    for before, inside in asides:
        tag(inside)
        for statement in statements:
            at = next((i for i, word in enumerate(statement.words) if word is before), None)
            if at is not None:
                statement.words = [*statement.words[: at + 1], *inside, *statement.words[at + 1 :]]


def _find_close(tokens: list[Token], start: int) -> int:
    depth = 0
    for i in range(start, len(tokens)):
        depth += (tokens[i].tag == "(") - (tokens[i].tag == ")")
        if not depth:
            return i
    return len(tokens)


def _describes(inside: list[Token]) -> bool:
    """ "a Dell", "who lives in Oslo", "born in 2010": said of what stands before."""
    plain = 1 < len(inside) <= _MOST and not any(token.tag in ("(", ")", ",", ";", ".") for token in inside)
    return plain and inside[0].low in _words("describing")


def _is_detail(inside: list[Token]) -> bool:
    """A name or a figure, and no word that comments on the sentence."""
    if not 0 < len(inside) <= _MOST or any(token.tag in ("(", ")") for token in inside):
        return False
    low = [token.low for token in inside]
    if not _words("commenting").isdisjoint(low) or (len(inside) == 1 and _SMALL_NUMBER.fullmatch(low[0])):
        return False
    if len(inside) == 1 and low[0][:1].isalpha() and any(map(str.isdigit, low[0])):
        return False  # "(m1)" is a source
    return any(token.tag == "#" or token.text[0].isupper() for token in inside)


def _make_comma(bracket: Token) -> Token:
    comma = Token(",", bracket.start, bracket.end)
    comma.tag = ","
    return comma
