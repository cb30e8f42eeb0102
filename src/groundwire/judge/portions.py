"""How many half of eighty are: a share of a counted whole, where the claim tells the part as a number."""

from __future__ import annotations

import re
from fractions import Fraction

from groundwire.judge.carrying import content_of, list_sentences
from groundwire.judge.findings import Finding
from groundwire.text.calendar import small_number
from groundwire.types import Passage, Verdict

_SURE = 0.9
NAMED_SHARES = {"half": Fraction(1, 2), "third": Fraction(1, 3), "quarter": Fraction(1, 4), "fifth": Fraction(1, 5),
                "tenth": Fraction(1, 10)}  # fmt: skip
_OWNER = r"(?:the|our|my|your|their|its|his|her|all) "
_PART = re.compile(rf"(?P<part>\d{{1,7}}|[a-z]+) of {_OWNER}(?P<rest>(?!\d).+)", re.IGNORECASE)
_SHARE_OF = re.compile(
    r"(?:(?P<percent>\d{1,3}) ?(?:%|percent)"
    rf"|(?:(?P<times>a|one|two|three|four) )?(?P<name>{'|'.join(NAMED_SHARES)})s?)(?: of)? "
    rf"{_OWNER}(?P<whole>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}) (?P<rest>.+)",
    re.IGNORECASE,
)
_LOOSE = re.compile(
    r"\b(?:not|about|around|roughly|nearly|almost|over|under|more|less|least|most|only)\b|n['’]t\b", re.I
)


def find_portion(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation of "40 of your members are students" by "half of our 80 members are"."""
    mine = _PART.fullmatch(claim.strip().rstrip("."))
    part = small_number(mine["part"].lower()) if mine is not None else None
    if mine is None or part is None or _LOOSE.search(claim) is not None:
        return None
    wanted = content_of(mine["rest"])
    for sentence in list_sentences(passage.text):
        theirs = _SHARE_OF.match(sentence)
        if theirs is None or _LOOSE.search(sentence) is not None or not wanted <= content_of(theirs["rest"]):
            continue
        meant = _read_share(theirs) * int(theirs["whole"].replace(",", ""))
        if meant.denominator != 1:
            return None
        verdict, reason = (Verdict.SUPPORTED, "implied") if meant == part else (Verdict.REFUTED, "other_value")
        return Finding(
            verdict, _SURE, reason, passage.id, exact=True, claim_value=mine["part"], evidence_value=str(meant),
            exchange=False,
        )  # fmt: skip
    return None


def _read_share(found: re.Match[str]) -> Fraction:
    if found["percent"]:
        return Fraction(int(found["percent"]), 100)
    times = small_number((found["times"] or "one").lower()) if (found["times"] or "a").lower() != "a" else 1
    return NAMED_SHARES[found["name"].lower()] * (times or 1)
