"""Whether statements say by themselves what their sentence says: none a mere piece, and no name or figure lost.

"Is in Frankfurt", "you are set to", "your dentist is": where the grammar was not understood, the whole sentence is a
better claim than such a piece. So it is where what stands in front of the sentence got into none of its statements:
"Tuesdays at 6:15: that is when the club meets".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.text.clefts import Role
from groundwire.text.function_words import embedding_verbs
from groundwire.text.hollow import is_cut_short, is_dated_by_clause, is_hollow
from groundwire.text.statements import Statement
from groundwire.text.tagging import share_tags
from groundwire.text.tokens import Token
from groundwire.types import Sentence

_OBLIQUE = frozenset({"me", "him", "us", "them"})
_LEADING = frozenset({"to", "of", "for", "with", "from", "at", "into", "than", "that", "which"})
_VERBS = "VbhdM"


def find_pieces(sentence: Sentence, statements: Sequence[Statement]) -> list[Statement]:
    """The statements that are no sentences: without a subject or an end, or of nothing but a pronoun that asks."""
    told = [s for s in statements if not (s.order or s.fragment or s.quoted)]
    rootless = any(s.subject for s in told)
    misread = {s.verb.start for s in told if _hides_verb(s)}
    return [
        s
        for s in told
        if s.verb.start in misread
        or _is_piece(s, sentence, rootless=rootless)
        or _is_bare(s, told)
        or is_hollow(s, sentence, statements)
        or is_cut_short(s, sentence, statements)
        or is_dated_by_clause(s, sentence)
    ]


def _is_piece(statement: Statement, sentence: Sentence, *, rootless: bool) -> bool:
    """`rootless` is whether others have a subject: a note may leave it out ("Moved to Porto, works at Bosch")."""
    words = statement.words
    if not words:
        return False
    first, last = words[0], words[-1]
    if not statement.subject:
        inside = first.tag in _VERBS and first.start > sentence.span.start
        return inside and (rootless or _has_subject_before(first, sentence))
    if len(words) > 1 and words[1].tag == "G" and _is_after_all(words[1], sentence):
        return True
    if last.text == "There":
        return True
    if len(statement.subject) == 1 and first.low in _OBLIQUE and first.tag == "p":
        return True
    thing = statement.object
    if thing is not None and thing.end - thing.start == 1 and thing.first_token.low == "what":
        return True
    ends = last.low in _LEADING and last.tag in "ItW" and len(words) > 2
    compared = any(word.low in ("than", "as") for word in words)  # "older than I am"
    alone = last.tag == "b" and last.low != "been" and not compared
    return ends or (alone and not statement.front and not statement.openings)


def _hides_verb(statement: Statement) -> bool:
    """ "Which links Copenhagen and Malmö, opened": no noun goes on with a name."""
    subject = statement.subject
    if statement.role is not Role.RELATIVE or len(subject) < _TWO:
        return False
    return subject[0].tag == "N" and subject[0].low != subject[0].lemma and subject[1].tag == "P"


_TWO = 2


def _is_bare(statement: Statement, told: Sequence[Statement]) -> bool:
    """ "You're the one" (who does), "there is not fresh", "once opened": what makes it a sentence is told elsewhere."""
    words, thing = statement.words, statement.object
    if words[0].low == "there":
        return thing is not None and thing.letters == "J"
    if len(words) == 2 and words[0].low == "once" and words[1].tag in "EV":
        return len(told) > 1
    pointed = thing is not None and [word.low for word in thing.words()] == ["the", "one"] and words[-1].low == "one"
    return pointed and any(other.role is Role.RELATIVE for other in told)


_ORDERING = re.compile(r"\b(?:after|before|since|until|without|instead of|rather than) $", re.IGNORECASE)


def _is_after_all(gerund: Token, sentence: Sentence) -> bool:
    """ "After getting your degree": what came after it, or was without it, says so."""
    at = gerund.start - sentence.span.start
    return gerund.end > gerund.start and _ORDERING.search(sentence.text, max(0, at - 16), at) is not None


def _has_subject_before(verb: Token, sentence: Sentence) -> bool:
    """ "All who signed up came": what the verb is said of stands before it, and was taken for something else."""
    tokens, letters = share_tags(sentence.text)
    at = next((i for i, token in enumerate(tokens) if token.start + sentence.span.start >= verb.start), 0)
    begin = max(letters.rfind(mark, 0, at) for mark in ",;:-") + 1
    return bool(set(letters[begin:at]) & set("NPpD"))


def loses_front(sentence: Sentence, statements: Sequence[Statement]) -> bool:
    """Whether a name or a figure before the first verb is in none of the statements."""
    tokens, letters = share_tags(sentence.text)
    if not tokens or letters[0] in "UW" or not statements or any(s.order for s in statements):
        return False
    telling = [i for i, token in enumerate(tokens) if _is_telling(token)]
    if not telling:
        return False
    offset = sentence.span.start
    verbs = [w.start - offset for s in statements for w in s.words if w.tag in _VERBS and w.end > w.start >= 0]
    edge = min(verbs, default=0)
    if tokens[telling[0]].start >= edge:
        return False
    front = [i for i, token in enumerate(tokens) if token.start < edge]
    if any(tokens[i].tag in "(" or (tokens[i].tag in "VE" and tokens[i].lemma in embedding_verbs()) for i in front):
        return False
    begin = _skip_call(tokens, letters)
    named = [tokens[i] for i in telling if begin <= i and tokens[i].start < edge and letters[i - 1 : i] != "n"]
    return any(not _is_told(token, offset, statements) for token in named)


def _is_telling(token: Token) -> bool:
    return token.tag == "@" or (token.tag == "#" and token.text[0].isdigit()) or token.tag == "P"


def _skip_call(tokens: list[Token], letters: str) -> int:
    """Where the sentence begins behind a name that is called ("Ana, you…") or a word of greeting."""
    mark = next((i for i, token in enumerate(tokens[:4]) if token.text in (",", "!", ":", "–", "—")), 0)
    return mark + 1 if mark and set(letters[:mark]) <= set("PJNR") else 0


def _is_told(token: Token, offset: int, statements: Sequence[Statement]) -> bool:
    at = token.start + offset
    for statement in statements:
        front = statement.front
        if front is not None and front.span.start <= at < front.span.end:
            return True
        if any(start <= at < end for start, end in (phrase.span for _, phrase in statement.openings)):
            return True
        if any(word.start <= at < word.end or word.low.strip() == token.low for word in statement.words):
            return True
    return False
