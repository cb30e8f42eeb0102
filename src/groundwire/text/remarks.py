"""Remarks of the speaker in the middle of a sentence: "The office, it so happens, is in Lund".

What stands between two commas and only tells how something is known, or why it is told, is no claim; left where it is,
its pronoun would be taken for the subject of the sentence. What is told there of the thing itself comes after it. An
announcement before a colon ("one thing to tell the vet: …") announces, and claims nothing either.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from groundwire.text import lexicon
from groundwire.text.function_words import closed_classes, embedding_verbs, is_finite, word_group
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token

_LONGEST = 9
_ENCLOSING = frozenset(",–—")
_LOOSE = frozenset("pMbhdnRtUSC")
"""Closed classes whose words carry nothing by themselves."""


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["remarks"][kind])


def drop_remarks(tokens: list[Token]) -> list[Token]:
    """The sentence without its remarks; the same list where it has none."""
    tokens = _drop_announcement(tokens)
    marks = [i for i, token in enumerate(tokens) if token.text in _ENCLOSING]
    for first, second in pairwise(marks):
        if not first or second + 1 >= len(tokens) or not 1 < second - first <= _LONGEST + 1:
            continue
        inside, after = tokens[first + 1 : second], tokens[second + 1]
        told = any(map(is_finite, tokens[:first]))
        if _is_remark(inside) and not (told and after.low in word_group("nominatives")):
            joined = after.low in ("and", "but", "or")  # the comma before "and" parts the two clauses
            return drop_remarks([*tokens[:first], *tokens[second if joined else second + 1 :]])
        if not told and is_finite(after) and _is_clause(inside):
            return _put_last(tokens, first, second)
    return tokens


def _is_remark(inside: list[Token]) -> bool:
    """ "you may recall", "lest you be asked", "as far as I know", "believe it or not"."""
    spoken, verbs = embedding_verbs() | _words("verbs"), 0
    for token in inside:
        letter = closed_classes().get(token.low)
        if lexicon.verb_lemma(token.low) in spoken and letter not in ("I", "C"):
            verbs += 1
        elif token.tag == "#" or (token.low not in _words("loose") and (letter is None or letter not in _LOOSE)):
            return False
    first = inside[0]
    orders = lexicon.verb_lemma(first.low) in _words("verbs") and first.low not in closed_classes()
    return verbs > 0 and (orders or any(token.low in _SPEAKING for token in inside))


_SPEAKING = frozenset({"i", "you", "we", "it", "memory"})


def _is_clause(inside: list[Token]) -> bool:
    """A subject that is named by no more than a pronoun, and its verb: "you bought it in 2019"."""
    if inside[0].low not in word_group("nominatives") or len(inside) < 3:
        return False
    verb = next((t for t in inside[1:] if closed_classes().get(t.low) not in ("R", "n")), inside[1])
    return is_finite(verb) or lexicon.readings(verb.low)[0][0] in ("VB", "VBP")


def _put_last(tokens: list[Token], first: int, second: int) -> list[Token]:
    """What is told in passing comes behind the sentence that it interrupts."""
    end = len(tokens) - (tokens[-1].text in (".", "!"))
    stop = Token(";", tokens[second].start, tokens[second].end)
    stop.tag = ";"
    return [*tokens[:first], *tokens[second + 1 : end], stop, *tokens[first + 1 : second], *tokens[end:]]


def _drop_announcement(tokens: list[Token]) -> list[Token]:
    """ "One thing to tell the vet: Rex is ill": what is announced is claimed by itself."""
    colon = next((i for i, token in enumerate(tokens) if token.text == ":"), 0)
    rest = tokens[colon + 1 :]
    if not 0 < colon <= _LONGEST + 3 or len(rest) < _FEWEST or not any(map(is_finite, rest)):
        return tokens
    label = tokens[:colon]
    if any(token.tag == "#" or (i and token.text[0].isupper()) for i, token in enumerate(label)):
        return tokens
    head = next((i for i, token in enumerate(label) if token.low in _words("announcing")), -1)
    if head < 0 or any(closed_classes().get(t.low) in ("I", "t", "S", "p") for t in label[:head]):
        return tokens
    following = closed_classes().get(label[head + 1].low, "") if head + 1 < colon else "t"
    return rest if following in ("I", "t", "p") else tokens


_FEWEST = 3
