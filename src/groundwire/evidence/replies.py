"""What a short reply says in full: "Has my parcel been shipped?" – "Yes." tells that it has.

A question carries most of the statement that its answer makes; the reply only says whether, or fills the gap.
"""

from __future__ import annotations

import re

from groundwire.text import lexicon
from groundwire.text.inflection import third_person
from groundwire.text.phrases import match_noun_phrase
from groundwire.text.subjects import render
from groundwire.text.tagging import tag
from groundwire.text.tokens import Token, number_words, tokenize

_YES = re.compile(
    r"\W*(?:yes|yeah|yep|yup|correct|exactly|right|indeed|certainly|absolutely|of course|sure|it (?:is|has|does|was)|"
    r"they (?:are|have|do)|that(?:['’]s| is) (?:right|correct))\b",
    re.IGNORECASE,
)
_NO = re.compile(
    r"\W*(?:no|nope|not yet|not at all|never|unfortunately not|i['’]m afraid not|afraid not)\b", re.IGNORECASE
)
_AUXILIARIES = frozenset("bhdM")
_GAPS = frozenset({"what", "when", "where", "who", "which", "how"})
_LOWERED = frozenset(
    {"in", "at", "on", "for", "about", "around", "the", "a", "an", "by", "from", "until", "every", "my", "your"}
)
_MOST_ASKED = 6
_MOST_REPLY = 8
_LONGEST = 300
_REASONED = re.compile(r",|;|\s[–—-]\s|\b(?:because|since)\b")
""" "By train, we sold the car": the value, and then why."""
_INTERJECTION = re.compile(
    r"\W*(?:yes|yeah|yep|no|nope|well|oh|hmm|hm|ah|ok|okay|sure|thanks|thank|please|sorry|hi|hello|right|good"
    r"|great|fine|both|either"
    r"|neither|none|maybe|perhaps|it|that|this|noted)\b",
    re.IGNORECASE,
)
_LEADING = re.compile(r"^(?:and|so|but|ok|okay|well|also|then)[,\s]+", re.IGNORECASE)


def complete(question: str, reply: str, *, by_user: bool = False) -> str | None:
    """The statement that a reply to a question makes; None where it makes one by itself, or none.

    Of two things to choose from the user's word decides; from the assistant it is no more than advice.
    """
    question = _LEADING.sub("", question.strip())
    if len(question) > _LONGEST or not question.endswith("?"):
        return None
    tokens = [t for t in tokenize(question) if t.text not in "?!."]
    if len(tokens) < 2:
        return None
    letters = tag(tokens)
    if letters[0] in _AUXILIARIES:
        yes, no = _YES.match(reply) is not None, _NO.match(reply) is not None
        if not (yes or no):
            return _name_one(tokens, letters, reply)
        return _assert(tokens, letters, negated=no) if yes != no else None
    if not (_AUXILIARIES | {"V"}) & set(letters) and (taken := _TAKEN_UP.match(reply)) is not None:
        return (
            f"{render(tokens)} {_REASONED.split(reply[taken.end() :])[0].strip().rstrip('.!')}"
            if tokens[0].tag in "DS"
            else None
        )
    if letters[0] == "#" and not _AUXILIARIES & set(letters) and _YES.match(reply):
        return f"there are {render(tokens)}"  # "So three guests?" – "Right."
    value = reply if _is_value(reply) else _REASONED.split(reply, maxsplit=1)[0]
    if not _is_value(value) or _INTERJECTION.match(value):
        return None
    if tokens[0].low in _GAPS:
        return _fill(tokens, letters, value.strip().rstrip(".!"))
    if by_user and not _AUXILIARIES & set(letters) and "V" not in letters and _offers(tokens, value):
        return f"you chose {_as_value(value.strip().rstrip('.!'), [])}"
    return None


_TAKEN_UP = re.compile(r"(?:that one|this one|that|this|it)(?= [a-z])(?! one\b)", re.IGNORECASE)
""" "And the data migration?" – "That one runs by itself"."""
_ANYTHING = frozenset({"anything", "something", "anybody", "anyone", "someone", "somebody", "anywhere"})
_PLACING = frozenset({"in", "at", "to", "on", "near"})


def _name_one(tokens: list[Token], letters: str, reply: str) -> str | None:
    """ "Have you taken anything?" – "Two aspirins": you have taken two aspirins; to name one says that there is one."""
    value = reply if _is_value(reply) else _REASONED.split(reply, maxsplit=1)[0]
    at = next((i for i, token in enumerate(tokens) if token.low in _ANYTHING), None)
    if at is None or not _is_value(value) or _INTERJECTION.match(value) or _LIMITED.match(value):
        return None
    if letters[0] == "M" or letters[at + 1 : at + 2] in ("J", "R") or any(token.low == "else" for token in tokens):
        return None if tokens[0].low != "will" else _name_one_to_come(tokens, at, value)
    first = value.split()[0].lower()
    is_place, is_thing = first in _PLACING, tag(tokenize(value))[0] in "DSJN#P"
    if (tokens[at].low == "anywhere") != is_place or not (is_place or is_thing):
        return None
    if at == 1:
        return None
    words = tokenize(_as_value(value.strip().rstrip(".!"), []))
    tag(words)
    filled = [*tokens[:at], *words, *tokens[at + 1 :]]
    return _assert(filled, tag(filled), negated=False)


def _name_one_to_come(tokens: list[Token], at: int, value: str) -> str | None:
    """ "Will anybody come with you?" – "My brother": he will."""
    if at != 1 or any(token.low == "else" for token in tokens):
        return None
    return f"{value.strip().rstrip('.!')} will {render(tokens[at + 1 :])}"


_LIMITED = re.compile(r"\W*(?:no|none|nothing|nobody|not|hardly|never|just|only|except)\b", re.IGNORECASE)


def _offers(tokens: list[Token], reply: str) -> bool:
    """ "Hotel or flat?" – "A flat": one of the two that were asked for."""
    words = [token.low for token in tokens]
    if "or" not in words:
        return False
    said = set(re.findall(r"[\w-]+", reply.lower()))
    parted = words.index("or")
    sides = [set(words[:parted]) & said, set(words[parted + 1 :]) & said]
    return bool(sides[0]) != bool(sides[1])


def needs_question(reply: str) -> bool:
    """Whether a sentence says something only together with the question before it: a value, a yes, a "not yet"."""
    return _is_value(reply) or _NO.match(reply) is not None or _YES.match(reply) is not None


def _is_value(reply: str) -> bool:
    """A few words without a verb of their own."""
    if not reply.strip() or len(reply.split()) > _MOST_REPLY or reply.rstrip().endswith("?") or "`" in reply:
        return False
    return not _AUXILIARIES & set(letters := tag(tokenize(reply))) and "V" not in letters and letters[0] != "B"


def _assert(tokens: list[Token], letters: str, *, negated: bool) -> str | None:
    """ "Has my parcel been shipped" → my parcel has been shipped."""
    subject_end = _subject_end(tokens, letters, 1)
    if subject_end is None or subject_end >= len(tokens):
        return None
    auxiliary, subject = tokens[0], render(tokens[1:subject_end])
    rest = [t for t in tokens[subject_end:] if t.low not in ("already", "yet", "still", "ever", "n't", "not")]
    if not rest:
        return None
    verb = auxiliary.low
    if letters[0] == "d" and not negated:
        verb = "" if verb in ("do", "does") else "did"
        if auxiliary.low == "does" and rest[0].tag in "BV":
            return f"{subject} {third_person(rest[0].text)} {render(rest[1:])}".strip()
    words = [subject, verb, "not" if negated else "", render(rest)]
    return " ".join(word for word in words if word)


def _fill(tokens: list[Token], letters: str, reply: str) -> str | None:
    """ "When is the meeting" – "Monday" → the meeting is Monday; "Where do you live" – "In Oslo" → you live in Oslo."""
    if tokens[0].low == "how" and tokens[1].low in ("many", "much") and not _AUXILIARIES & set(letters):
        return f"there are {_as_value(reply, tokens[1:])}" if any(t.tag == "N" for t in tokens) else None
    at = next((i for i, letter in enumerate(letters[:_MOST_ASKED]) if letter in _AUXILIARIES), 0)
    subject_end = _subject_end(tokens, letters, at + 1) if at and reply else None
    if letters[at] == "b" and tokens[0].low in ("what", "which", "who") and tokens[-1].tag in "NP":
        subject_end = len(tokens)  # the reply is all that is missing: "What is your favourite colour"
    if subject_end is None:
        return None
    auxiliary, subject, rest = tokens[at].low, render(tokens[at + 1 : subject_end]), tokens[subject_end:]
    verb = {"'s": "is", "’s": "is", "'re": "are", "’re": "are"}.get(auxiliary, auxiliary)
    if letters[at] == "d":
        verb = "" if verb in ("do", "does") else verb
        if not rest:
            return None
    asked = tokens[1:at]
    words = [subject, verb, render(rest) if rest else "", _as_value(reply, asked)]
    return " ".join(word for word in words if word)


def _as_value(reply: str, asked: list[Token]) -> str:
    """The reply where the gap is: "How many guests" – "Twelve" → twelve guests; "What time" – "8:12" → at 8:12."""
    first = reply.split()[0]
    value = (
        first.lower() + reply[len(first) :] if first.lower() in _LOWERED or first.lower() in number_words() else reply
    )
    nouns = [token for token in asked if token.tag == "N"]
    if asked and asked[0].low in ("many", "much") and nouns and len(reply.split()) <= 2:
        return f"{value} {render(nouns)}"
    if asked and asked[-1].low == "time" and first.lower() not in _LOWERED:
        return f"at {value}"
    return value


def _subject_end(tokens: list[Token], letters: str, start: int) -> int | None:
    """Where the subject behind an auxiliary ends; a verb or an adjective that looks like a noun is given back."""
    if start >= len(tokens):
        return None
    if letters[start] == "p":
        return start + 1
    phrase = match_noun_phrase(tokens, letters, start, len(tokens))
    if phrase is None or phrase.end == start:
        return None
    end = phrase.end
    rest = letters[end:]
    if end - start > 1 and not re.search("[BVEG]", rest) and _may_be(tokens[end - 1], letters[start - 1]):
        end -= 1
    return end


def _may_be(token: Token, auxiliary: str) -> bool:
    """Whether the word can be what the auxiliary waits for: a verb behind "did", an adjective behind "is"."""
    tags = {tag for tag, _ in lexicon.readings(token.low)}
    return bool(tags & ({"VB", "VBP"} if auxiliary in "dM" else {"JJ", "VBN"}))
