"""Always, every day, not at all: more than evidence says that tells of Sundays, of reading or of the afternoon."""

from __future__ import annotations

import re
from functools import lru_cache

from groundwire.judge.carrying import find_carrying
from groundwire.text.cues import Cued

Difference = tuple[str, str, str]
"""The reason, what the claim says and what the evidence says."""
_ALWAYS = Cued(
    re.compile(
        r"\b(?:all the time|at all times|every(?: single)? day|each day|seven days a week|24/7|around the clock"
        r"|all day(?: long)?|all year(?: round)?|year-round|everywhere)\b",
        re.IGNORECASE,
    ),
    "all every each seven 24 clock round everywhere",
)
_AT_ALL = Cued(re.compile(r"(?:\bnot\b|n['’]t\b|\bno\b|\bnever\b).*\bat all\b|\bnever\b", re.IGNORECASE), "all never")
_EVER = Cued(
    re.compile(r"\b(?:always|never|daily|any time|constantly)\b", re.IGNORECASE), "always never daily time constantly"
)
_LIMIT = re.compile(
    r"\b(?:only|except|unless|sometimes|occasionally|often|when|while|between|during \w+"
    r"|from \w+ (?:to|until|till|through)|(?:on|in|at) (?:the )?(?:[MTWFS][a-z]{2,5}days?|weekends?|weekdays?"
    r"|mornings?|afternoons?|evenings?|nights?|summers?|winters?|springs?|autumns?|fall))\b",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(
    r"\b(?:after|before|during|at|in|on|since|until|when|while|with|without|except)\b", re.IGNORECASE
)


@lru_cache(maxsize=4096)
def _find_whole(claim: str) -> tuple[re.Match[str] | None, re.Match[str] | None]:
    """ "Always" in the claim, and that or "not at all"; one claim is held against many passages."""
    always = _ALWAYS.search(claim)
    return always, always or _AT_ALL.search(claim)


def find_unlimited(claim: str, text: str) -> Difference | None:
    """What the claim says without a limit, with the limit that the evidence sets to it."""
    always, whole = _find_whole(claim)
    if whole is None or _ALWAYS.search(text) is not None or _EVER.search(text) is not None:
        return None
    for sentence in find_carrying(claim[: whole.start()] or claim, text) if always else find_carrying(claim, text):
        limits = _LIMIT if always else _CIRCUMSTANCE
        mine = {found.group().lower() for found in limits.finditer(claim)}
        limit = next((found for found in limits.finditer(sentence) if found.group().lower() not in mine), None)
        if limit is not None:
            return "only_some", whole.group() if always else "at all", limit.group()
    return None
