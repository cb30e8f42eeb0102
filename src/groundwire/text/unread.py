"""Statements that the grammar cannot read: no verb was found in them, but they are built and ended like sentences.

"The device clocks intervals." has a verb that no dictionary has. What it says can be judged as a whole, and what
cannot be judged is never grounded. Headings, labels, greetings and bare answers are no statements.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from groundwire.text import lexicon
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.text.tokens import Token
from groundwire.types import Sentence, SentenceKind, Span

_ENDS = (".", "!", "…", "。")
_CLOSING = "\"”’')]* "
_VERB = re.compile(r"[VbhdMBE]")
_CUT = re.compile(r"(?:[,;]C?|(?<=.)C(?=[DSPp]))")
_CLITIC = re.compile(r"S[JN]*N'[P#]+")
_LONGEST = 600
_FEWEST = 3


def find_unread(sentence: Sentence) -> Iterator[Span]:
    """The stretches of a sentence that state something with a verb that was not recognised."""
    text = sentence.text
    ended = text.rstrip(_CLOSING).endswith(_ENDS)
    if not ended or sentence.kind is SentenceKind.HEADING or len(text) > _LONGEST:
        return
    tokens, letters = share_tags(text)
    start = 0
    for cut in [*_CUT.finditer(letters), None]:
        end = cut.start() if cut is not None else len(letters)
        stretch = letters[start:end].rstrip(".")
        if _VERB.search(stretch) is None and _states(tokens[start : start + len(stretch)], stretch):
            last = tokens[start + len(stretch) - 1].end
            yield Span(sentence.span.start + tokens[start].start, sentence.span.start + last)
        start = cut.end() if cut is not None else end


def is_stated(sentence: Sentence) -> bool:
    """Whether a sentence of which nothing was read has a verb behind its first word and is ended as a statement."""
    text = sentence.text
    if not text.rstrip(_CLOSING).endswith(".") or sentence.kind is SentenceKind.HEADING or len(text) > _LONGEST:
        return False
    if _LIKEWISE.match(text) is not None:
        return True
    _, letters = share_tags(text)
    if _VERB.search(letters) is None:
        return _hides_verb(text)
    return re.search(r"[VbhdM]", letters[1:]) is not None and letters[0] not in "BdMbhW" and '"' not in letters


_LIKEWISE = re.compile(
    r"(?:and |but )?(?:the )?(?:same|ditto|likewise)(?: here)?,? (?:for|with|goes for) \w", re.IGNORECASE
)
_CITED = re.compile(r"""["“«][^"”»]{2,40} [^"”»]{2,40} [^"”»]{2,}["”»]""")


def cites(sentence: Sentence) -> bool:
    """ "You said, "I never drink coffee"": what somebody said is no claim, but that it was said is one."""
    found = _CITED.search(sentence.text) if len(sentence.text) <= _LONGEST else None
    outside = len(sentence.text) - (found.end() - found.start()) if found is not None else 0
    return outside > _FEWEST and sentence.kind is not SentenceKind.HEADING


_ASIDE = re.compile(r"^((?:Your|My|The|His|Her|Our|Their|[A-Z]\w+) [^,.;:]{0,40}|[A-Z]\w+),[^,;:]{1,60},(?= [a-z])")
_ALLOWED = re.compile(r"\b(?:may|can|will|must) (?=[a-z])(\w+)")


def _hides_verb(text: str) -> bool:
    """ "Your flight, LH 400, leaves at 9", "children under 12 may swim": a verb taken for a noun, or for a month."""
    modal = _ALLOWED.search(text)
    if modal is not None and _can_be(modal[1].lower(), "VB"):
        return True
    plain = _ASIDE.sub(r"\1", text)
    return plain != text and _VERB.search(share_tags(plain)[1]) is not None


_FEW_WORDS = 4


def may_state(sentence: Sentence) -> bool:
    """ "Savers profit from the rate.": a full stop, and behind a noun a word that may be its verb."""
    text = sentence.text
    if not text.rstrip(_CLOSING).endswith(".") or sentence.kind is SentenceKind.HEADING or len(text) > _LONGEST:
        return False
    tokens, letters = share_tags(text)
    if letters[0] == "B" or len(letters) <= _FEW_WORDS or re.search("[VbhdM]", letters[1:]) is not None:
        return False
    for at in range(1, len(letters) - 1):
        token = tokens[at]
        told = re.search("[NPpG]", letters[:at]) is not None  # "Please sign for it" has nobody who does
        behind = told and letters[at] in "NJRE" and letters[at - 1] in "NPpGR'" and token.text.islower()
        if behind and (_can_be(token.low, "VB") or _can_be(token.lemma, "VB")):
            return letters[at + 1] not in ".,"
    return False


def stays_silent(sentence: Sentence) -> bool:
    """ "Everyone scrolls at dinner.", "Prosper is your husband.": no order, no chat, and nothing was read of it."""
    words = _find_subject(sentence)
    if not words or any(token.tag == "M" for token in words):
        return False
    if words[0].low == "you" and len(words) <= _FEW_WORDS:
        return False  # "you already know"
    for at in range(1, len(words)):
        token, after = words[at], words[at + 1].tag if at + 1 < len(words) else "."
        if words[at - 1].tag == "t":
            continue
        if token.tag in "Vbhd" or (token.tag in "NRJE" and _is_likely_verb(token.low, after)):
            return True
    return False


def _is_likely_verb(word: str, after: str) -> bool:
    """Something stands behind it that no noun has there, and it is a verb in the dictionary or by its ending."""
    if lexicon.readings(word)[0][0].startswith("VB"):
        return after != "."
    return after in "DSpPI#J" and (_can_be(word, "VB") or (word.endswith("ed") and after in "DSp"))


def supposes(sentence: Sentence) -> bool:
    """ "The bike would be better for your health.": nobody vouches for it, and it can be wrong all the same."""
    words = _find_subject(sentence, opened=True)
    at = next((i for i, token in enumerate(words) if token.tag == "M"), 0)
    if at and words[at - 1].low == "you" and words[at].low in ("could", "might"):
        return False  # an idea
    return at > 0 and words[at - 1].low not in _CHATTING


def _find_subject(sentence: Sentence, *, opened: bool = False) -> list[Token]:
    """The words of a statement that begins with whom or what it is about; nothing of chat, orders and talk.

    `opened` is whether it may begin with when or where that is: "in 1970, a girl could not…".
    """
    text = sentence.text
    if not text.rstrip(_CLOSING).endswith(".") or sentence.kind is SentenceKind.HEADING or len(text) > _LONGEST:
        return []
    tokens, letters = share_tags(text)
    tokens = [token for token in tokens if token.tag not in ".,"]
    if len(tokens) < _FEWEST or tokens[0].low in _CHATTING or '"' in letters:
        return []
    if not _of_records().isdisjoint(token.low for token in tokens[:_OPENING]):
        return []
    if tokens[0].low == "there" and any(token.low == "time" for token in tokens):
        return []  # "there's still time to…" is a kind word
    named = (
        (opened and letters[0] in "IG#")
        or letters[0] in "DSPp"
        or (letters[0] in "NB" and re.match(r"[NPB]+[bh]|[NP]+M", letters) is not None)
    )
    return tokens if named else []


_OPENING = 4


@cache
def _of_records() -> frozenset[str]:
    """Words by which an answer begins to speak of what it knows, and of what disagrees in it."""
    return frozenset(read_table("grammar")["unread"]["records"])


_CHATTING = frozenset({"i", "we", "it", "this", "that", "these", "those", "let", "no", "any", "all", "what", "here"})


def _states(tokens: list[Token], letters: str) -> bool:
    """A subject, and behind it a word that can only be a verb where it stands."""
    if len(tokens) < _FEWEST or letters[0] not in "DSPp":
        return False
    if _CLITIC.fullmatch(letters) is not None:  # "Your name's Ana"
        return True
    return any(_is_verb(tokens, letters, i) for i in range(1, len(tokens) - 1))


def _is_verb(tokens: list[Token], letters: str, i: int) -> bool:
    token, before, after = tokens[i], letters[i - 1], letters[i + 1]
    if token.text[0].isupper() or letters[i] not in "NRJ" or before not in "NPJp":
        return False
    verbal = _can_be(token.low, "VB") or _can_be(token.lemma, "VB")
    if before == "J" and (letters[max(0, i - 2)] not in "DS" or not verbal):
        return False
    if after in "DSp":  # no noun phrase goes on with another article
        return letters[i] == "N" or verbal
    singular = not tokens[i - 1].low.endswith("s") or before == "P"
    finite = letters[i] == "N" and token.low.endswith("s") and token.lemma != token.low
    return finite and singular and after in ("N#P" if before == "J" else "NJR#P")


def _can_be(word: str, penn: str) -> bool:
    return any(reading.startswith(penn) for reading, _ in lexicon.readings(word))
