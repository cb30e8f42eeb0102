"""Ages in a list: "Anna, 4 and Jonas, 7", "Anna (4) and Jonas (7)" say how old each of them is."""

from __future__ import annotations

import re

from groundwire.judge.findings import Finding
from groundwire.text.calendar import small_number
from groundwire.types import Passage, Verdict

_SURE = 0.9
_TOLD = re.compile(
    r"(?:Your \w+ )?(?P<name>[A-Z]\w+) is (?P<age>\d{1,3}|[a-z]+)(?: years old)?[.!]?", re.UNICODE
)  # fmt: skip
_LISTED = r"\b{name}(?:, | \(|: )(\d{{1,2}})(?=[,;.)]| and\b| years\b|$)"


def may_tell_age(claim: str) -> bool:
    return " is " in claim and _TOLD.fullmatch(claim.strip()) is not None


def find_listed_age(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation by the one number that stands with the name in a list with another such pair."""
    told = _TOLD.fullmatch(claim.strip())
    age = small_number(told["age"].lower()) if told is not None else None
    if told is None or age is None or len(re.findall(_LISTED.format(name=r"[A-Z]\w+"), passage.text)) < 2:
        return None
    listed = re.findall(_LISTED.format(name=re.escape(told["name"])), passage.text)
    if len(listed) != 1:
        return None
    if int(listed[0]) == age:
        return Finding(Verdict.SUPPORTED, _SURE, "same_value", passage.id, exact=True, evidence_value=listed[0])
    return Finding(
        Verdict.REFUTED, _SURE, "other_value", passage.id, exact=True, claim_value=told["age"], evidence_value=listed[0]
    )
