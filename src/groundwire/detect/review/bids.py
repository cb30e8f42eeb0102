"""Orders, advice and offers: they state nothing, and so they deny nothing but their own opposite."""

from __future__ import annotations

import re

from groundwire.detect.examination import Examination
from groundwire.detect.review.places import sentence_against, sentence_at
from groundwire.detect.review.whole_reading import refutations
from groundwire.judge.hybrid import HybridJudge
from groundwire.text.lexicon import readings, verb_lemma
from groundwire.types.detection import HallucinationFlag

_LEAD = re.compile(
    r"(?:(?:and|but|so|then|now|next|first|second|third|finally|also|after that|afterwards|otherwise|instead"
    r"|in that case|for now|just|simply|always|never|do|please|ideally|step \d+)\b[,:]?\s+|\d+[.)]\s+|[-*•]\s+"
    r"|(?:to|for|in|on|at|with|once|when|if|before|after|as soon as)\b[^,.;:]{1,80},\s+)+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?", re.IGNORECASE)
_ADVICE = re.compile(
    r"(?:you|we)(?:['’]d)? (?:can|could|may|might|should|would do well to|want to|need only|better)\b"
    r"|I(?:['’]d| would)(?! (?:like|have|be|say)\b)|I can\b|(?:shall|should|can|could|may|would|do) (?:I|we|you)\b"
    r"|let['’]s\b|let me\b|feel free\b|it['’]s (?:best|better|worth)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"\b(?:not|never|no|nobody|nothing|none|cannot|without|forbidden|neither)\b|n['’]t\b", re.IGNORECASE
)
_PLAIN = 0.5
"""How likely a refutation must be in both directions for an order to oppose something."""
_IDLE = frozenset("be have do go come get make let give".split())  # noqa: SIM905


def is_bid(sentence: str) -> bool:
    """Whether a sentence tells or invites somebody to do something, or asks: nothing in it is so or not so."""
    text = sentence.strip(" \"“”'*")
    if text.endswith("?"):
        return True
    match = _LEAD.match(text)
    rest = text[match.end() :] if match is not None else text
    if _ADVICE.match(rest):
        return True
    word = _WORD.match(rest)
    return word is not None and _is_bare_verb(word.group().casefold(), rest[word.end() :])


def _is_bare_verb(word: str, rest: str) -> bool:
    """ "Add it", "Don't wait"; "Plants need water" and "Set menus are cheaper" begin with a noun."""
    if word in ("don't", "don’t"):
        return True
    found = readings(word)
    if verb_lemma(word) != word or not found:
        return False
    if found[0][0] in ("VB", "VBP"):
        return True
    follower = _WORD.match(rest.lstrip())
    after = follower.group().casefold() if follower is not None else ""
    return after in ("the", "a", "an", "your", "it", "them", "him", "her", "me", "us", "this", "that", "these", "those")


def only_bids(flag: HallucinationFlag, examined: Examination) -> bool:
    """Whether the flagged sentence orders or advises and opposes nothing: neither by its verb nor for the judge."""
    sentence, against = sentence_at(examined, flag.span), sentence_against(flag, examined)
    if flag.value_span is not None or not against or sentence == against or not is_bid(sentence):
        return False
    if len(flag.content) * 2 < len(sentence):
        return False  # what an order takes for granted is stated all the same: "your son", "as you live in the city"
    if flag.history is None and not (flag.evidence or "").startswith("the judge "):
        return False
    if _are_opposed(sentence, against):
        return False
    if not isinstance(examined.judge, HybridJudge):
        return True
    return min(refutations(examined, [(sentence, against), (against, sentence)])) < _PLAIN


def _are_opposed(one: str, other: str) -> bool:
    """ "Take it" and "Don't take it": one deed, bidden and forbidden."""
    shared = _verbs(one) & _verbs(other)
    return bool(shared) and (_FORBIDS.search(one) is None) != (_FORBIDS.search(other) is None)


def _verbs(text: str) -> frozenset[str]:
    lemmas = (verb_lemma(word.casefold()) for word in _WORD.findall(text))
    return frozenset(lemma for lemma in lemmas if lemma is not None) - _IDLE
