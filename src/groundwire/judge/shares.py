"""Parts of a whole, however they are told: half of them, 50%, twelve of twenty-four, forty of eighty.

A share, a percentage and two counts that say the same can be reckoned into each other; exactly, or not at all.
"""

from __future__ import annotations

import operator
import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from groundwire.judge.carrying import content_of, list_sentences
from groundwire.judge.exactness import ABOUT, BOUNDS, CHOOSING, DENIALS, UNREAL, has_any
from groundwire.judge.figures import Figure, read_figure
from groundwire.judge.findings import Finding
from groundwire.text.calendar import small_number
from groundwire.text.cues import Cued
from groundwire.text.numerals import has_digit, reckon_fraction
from groundwire.types import Passage, Verdict

_SURE = 0.9
_NAMES = "half|third|quarter|fifth|tenth"
_SIGNS = ("%", "percent", *_NAMES.split("|"))
_WRITTEN = (
    r"(?:(?P<percent>\d{1,3}(?:\.\d)?) ?(?:%|percent\b)"
    rf"|(?P<named>(?:(?:a|an|one|two|three|four) )?(?:{_NAMES}))s?\b)"
)
_OWNER = r"(?:the|our|my|your|their|its|his|her|all) "
_COUNTED = Cued(
    re.compile(
        r"\b(?P<part>\d{1,7}|[a-z]{3,9}) (?:out of|of|in) (?:the |our |my |your |all )?(?P<whole>\d{1,7}|[a-z]{3,9})\b",
        re.I,
    ),
    "of in",
)
_SHARE = re.compile(rf"\b{_WRITTEN}(?: of\b|(?<=\bhalf)(?= (?:the|my|your|our|their|its|all)\b))", re.IGNORECASE)
_OPENING = re.compile(
    rf"(?:half|(?:a|one|two|three|four) (?:{_NAMES})s?|part|most|the rest|\d+ ?percent)\b|\d+ ?%", re.I
)
_OF_AMOUNT = re.compile(rf"{_WRITTEN}(?: of)? (?:(?:the|our|my|your|its|a|an) )?(?P<amount>[$€£]?\d.*)", re.IGNORECASE)
_BOUND = re.compile(
    r"\b(?P<how>more than|over|at least|less than|fewer than|under|at most) "
    rf"(?=(?:an? |one |two |three )?(?:\d|{_NAMES}))",
    re.IGNORECASE,
)
_HOLDS = {
    "": operator.eq, "more than": operator.gt, "over": operator.gt, "at least": operator.ge, "less than": operator.lt,
    "fewer than": operator.lt, "under": operator.lt, "at most": operator.le,
}  # fmt: skip


def tells_share_otherwise(claim: str, text: str) -> bool:
    """Whether the text has the claim's share, told in another way: half of them, and twelve of twenty-four."""
    theirs = _find_shares(text)
    return any(
        mine.kind != other.kind and abs(mine.share - other.share) < Fraction(1, 100)
        for mine in _find_shares(claim) for other in theirs
    )  # fmt: skip


def counts_part(text: str) -> bool:
    """ "Two of my three children": some of them, and not all."""
    return any(found.kind == "counted" and found.share < 1 for found in _find_shares(text))


class _Share(NamedTuple):
    """A share, the text without it, and whether it was counted, named or put in percent."""

    share: Fraction
    rest: str
    kind: str


def _find_shares(text: str) -> list[_Share]:
    found: list[_Share] = []
    for match in _SHARE.finditer(text):
        rest = f"{text[: match.start()]} {text[match.end() :]}"
        found.append(_Share(_value(match), rest, "percent" if match["percent"] else "named"))
    for match in _COUNTED.finditer(text):
        part, whole = (small_number(match[side].lower()) for side in ("part", "whole"))
        if part and whole and part <= whole:
            rest = f"{text[: match.start()]} {text[match.end() :]}"
            found.append(_Share(Fraction(part, whole), rest, "counted"))
    return found


def _value(match: re.Match[str]) -> Fraction:
    if match["percent"]:
        return Fraction(match["percent"]) / 100
    return reckon_fraction(match["named"].lower())


def opens_with_share(text: str) -> bool:
    """ "half of it", "the rest": a part that is told by no amount."""
    return _OPENING.match(text) is not None


def reckon_part(text: str) -> Figure | None:
    """ "20% of the 1,500 euro price" are 300 euros; None where the whole is not told, or not exactly."""
    match = _OF_AMOUNT.match(text)
    whole = read_figure(match["amount"].replace("-", " ")) if match is not None and not _is_open(text) else None
    return (
        Figure(whole.amount * _value(match), whole.dimension, text) if match is not None and whole is not None else None
    )


@lru_cache(maxsize=4096)
def may_tell_part(text: str) -> bool:
    """Kept, for one passage is held against every claim of an answer."""
    return _names_share(text) and has_digit(text) and _OF_AMOUNT.search(text) is not None


def may_tell_share(claim: str) -> bool:
    return (_names_share(claim) and _SHARE.search(claim) is not None) or _COUNTED.search(claim) is not None


def _names_share(text: str) -> bool:
    """Whether a word or a sign of shares is anywhere in it; few texts have one, and the patterns take long."""
    low = text.casefold()
    return any(sign in low for sign in _SIGNS)


def _is_open(text: str) -> bool:
    return has_any(text, DENIALS, ABOUT, BOUNDS, UNREAL, CHOOSING)


def read_share(claim: str) -> tuple[str, _Share] | None:
    """The one share that a claim tells, and how it is bounded ("more than")."""
    bound = _BOUND.search(claim)
    plain = f"{claim[: bound.start()]}{claim[bound.end() :]}" if bound is not None else claim
    mine = _find_shares(plain)
    if len(mine) != 1 or _is_open(plain):
        return None
    return bound["how"].lower() if bound is not None else "", mine[0]


def reckon_share(claim: str, passage: Passage) -> Finding | None:
    """In sentences that say the same of it: half of the team, and twelve of its twenty-four members."""
    claimed = read_share(claim)
    if claimed is None:
        return None
    how, (share, rest, _) = claimed
    wanted = content_of(rest)
    alike = [
        (found[0], sentence) for sentence in list_sentences(passage.text) if not _is_open(sentence)
        if len(found := _find_shares(sentence)) == 1 and wanted and wanted <= content_of(found[0].rest)
    ]  # fmt: skip
    if len(alike) != 1:
        return None
    theirs, sentence = alike[0][0].share, alike[0][1]
    verdict = Verdict.SUPPORTED if _HOLDS[how](theirs, share) else Verdict.REFUTED
    if verdict is Verdict.REFUTED and not how and abs(theirs - share) < Fraction(1, 50):
        return None  # rounded
    reason = "implied" if verdict is Verdict.SUPPORTED else "opposite"
    return Finding(verdict, _SURE, reason, passage.id, exact=True, evidence_value=sentence, exchange=False)


# ── how many half of eighty are ─────────────────────────────────────────────────────────────────

_PART = re.compile(rf"(?P<part>\d{{1,7}}|[a-z]+) of {_OWNER}(?P<rest>(?!\d).+)", re.IGNORECASE)
_SHARE_OF = re.compile(
    rf"{_WRITTEN}(?: of)? {_OWNER}(?P<whole>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}) (?P<rest>.+)", re.IGNORECASE
)


def find_portion(claim: str, passage: Passage) -> Finding | None:
    """Support or refutation of "40 of your members are students" by "half of our 80 members are"."""
    mine = _PART.fullmatch(claim.strip().rstrip("."))
    part = small_number(mine["part"].lower()) if mine is not None else None
    if mine is None or part is None or _is_open(claim):
        return None
    wanted = content_of(mine["rest"])
    for sentence in list_sentences(passage.text):
        theirs = _SHARE_OF.match(sentence)
        if theirs is None or _is_open(sentence) or not wanted <= content_of(theirs["rest"]):
            continue
        meant = _value(theirs) * int(theirs["whole"].replace(",", ""))
        if meant.denominator != 1:
            return None
        verdict, reason = (Verdict.SUPPORTED, "implied") if meant == part else (Verdict.REFUTED, "other_value")
        return Finding(
            verdict, _SURE, reason, passage.id, exact=True, claim_value=mine["part"], evidence_value=str(meant),
            exchange=False,
        )  # fmt: skip
    return None
