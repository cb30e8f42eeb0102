"""Who is left out: "everyone but Tom" is not everyone, and says of Tom that he is not one of them.

A sentence leaves somebody out with one word ("except") or with a clause of its own: "all came, only Jo did not".
"""

from __future__ import annotations

import re

from groundwire.judge.carrying import LONGEST, content_of, list_sentences
from groundwire.text.cues import Cued

_WHOLE = r"\b(?:every(?:one|body|thing)?|all|each|no(?:body| one|ne| (?!but\b)\w+))\b"
_LEAVING_OUT = r"(?:but(?: for)?|except(?: for)?|apart from|other than|excluding|save for)"
_ARTICLE = r"(?:(?:the|my|your|our|his|her|their|its) )?"
_EXCEPTION = Cued(
    re.compile(
        rf"{_WHOLE}[^.;]{{0,60}}?(?:,? \b{_LEAVING_OUT}\b|(?<!\bno )[,;] (?:and |but )?only\b) {_ARTICLE}"
        r"(?!not\b)(?P<left_out>\w+)",
        re.IGNORECASE,
    ),
    "but except apart other excluding save only",
)
_ALL = re.compile(r"(?<!\bnot )\b(?:every(?:one|body|thing)?|all|each)\b", re.IGNORECASE)
_QUANTITIES = frozenset(
    {"everyone", "everybody", "everything", "every", "all", "each", "only", "just", "except", "but"}
)
_SHARED = 0.5

Difference = tuple[str, str, str]


def find_exception(claim: str, text: str) -> Difference | None:
    """One side leaves somebody out and the other does not, or the claim is about the one who is left out."""
    if len(claim) > LONGEST:
        return None
    mine = _EXCEPTION.search(claim)
    theirs = [(s, _EXCEPTION.search(s)) for s in list_sentences(text)]
    if mine is None and not any(found is not None for _, found in theirs):
        return None
    alike = [(s, found) for s, found in theirs if _is_alike(claim, s)]
    whole = _ALL.search(claim) is not None
    if mine is not None:
        left_out = mine["left_out"]
        alone = re.search(rf"\b{re.escape(left_out)} (?:is|was|were|are) the only\b", text, re.IGNORECASE)
        same = [found for _, found in alike if found is not None and found["left_out"].lower() == left_out.lower()]
        told_of_all = alike and not same
        return ("only_some", left_out, left_out) if (whole if alone is not None else told_of_all) else None
    for sentence, found in alike:
        if found is None:
            return None
        named = found["left_out"].lower() in claim.lower().split()
        if named and not _NOT.search(claim) and not _NOT.search(sentence[: found.start("left_out")]):
            return "only_some", found["left_out"], found["left_out"]
    if alike and whole and all(found is not None for _, found in alike):
        found = next(found for _, found in alike if found is not None)
        return "only_some", found["left_out"], found["left_out"]
    return None


_NOT = re.compile(r"\b(?:not|never|no|nobody|none)\b|n['’]t\b", re.IGNORECASE)


def shares_exception(claim: str, text: str) -> bool:
    """Both leave out the same one, of whatever is said."""
    mine = _EXCEPTION.search(claim)
    if mine is None:
        return False
    found = [_EXCEPTION.search(sentence) for sentence in list_sentences(text) if _is_alike(claim, sentence)]
    return any(one is not None and one["left_out"].lower() == mine["left_out"].lower() for one in found)


def _is_alike(claim: str, sentence: str) -> bool:
    wanted = content_of(claim) - _QUANTITIES
    return bool(wanted) and len(wanted & content_of(sentence)) >= _SHARED * len(wanted)
