"""Amounts by arithmetic: the same sentence with another amount is decided exactly, in every direction.

"Ana sold 350 tickets" carries "Ana sold fewer than 750 tickets", denies "more than 400", and a bound says nothing of an
amount inside it. Only sentences that are otherwise word for word the same are compared, and none whose logic turns
round ("no", "every", "if").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from fractions import Fraction

from groundwire.judge.findings import Finding
from groundwire.text.measures import Quantity
from groundwire.text.quantities import read_quantity
from groundwire.text.sentences import split_sentences
from groundwire.types import Passage, Verdict

_WORD = re.compile(r"[$€£]|[^\W_]+(?:[-'’./:,_][^\W_]+)*%?")
_TURNS = re.compile(
    r"(?i)\b(?:not|never|none|nobody|nothing|without|all|every|each|both|if|unless|whether|half|neither|top|past|until)\b"
    r"|n['’]t\b|\bno (?!(?:more|less|fewer)\b)"
)
_BOUNDS = frozenset(
    """
    more less fewer greater over under above below at least most than no up to about around roughly exactly nearly
    almost approximately between and or only just a total of maximum minimum $ € £
    """.split()  # noqa: SIM905
)
_NUMBER_WORDS = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|million|billion|dozen|half|zero)\b"
)
_OTHER_BOUNDS = {
    "maximum of ": "at most ", "minimum of ": "at least ", "above ": "more than ", "below ": "less than ",
}  # fmt: skip
_LONGEST = 90


def compare_amounts(claim: str, passage: Passage) -> Finding | None:
    """What the passage's own wording of the claim says of its amount; None where the wordings differ otherwise."""
    if not _NUMBER_WORDS.search(claim.lower()) or _TURNS.search(claim):
        return None
    words = _split(claim)
    if not 2 < len(words) <= _LONGEST:
        return None
    for sentence in split_sentences(passage.text):
        if _TURNS.search(sentence.text) or not _NUMBER_WORDS.search(sentence.text.lower()):
            continue
        pairs = _align(words, _split(sentence.text))
        if pairs:
            return _settle(pairs, passage.id)
    return None


def _split(text: str) -> list[str]:
    return _WORD.findall(text.lower())


Change = tuple[Quantity, Quantity, str, str]


def _align(claim: Sequence[str], evidence: Sequence[str]) -> list[Change] | None:
    """The amounts in which two word lists differ, if they differ in nothing else."""
    if not 2 < len(evidence) <= _LONGEST or abs(len(claim) - len(evidence)) > 8:
        return None
    changes: list[Change] = []
    for mine, theirs in _differences(claim, evidence):
        left, right = _read(claim[slice(*mine)]), _read(evidence[slice(*theirs)])
        if left is None or right is None or left.unit.dimension != right.unit.dimension:
            return None
        changes.append((left, right, " ".join(claim[slice(*mine)]), " ".join(evidence[slice(*theirs)])))
    return changes


def _differences(claim: Sequence[str], evidence: Sequence[str]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Differing slices, each widened over the words that bound an amount."""
    for kind, a, b, c, d in SequenceMatcher(None, claim, evidence, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        while a > 0 and c > 0 and claim[a - 1] == evidence[c - 1] and claim[a - 1] in _BOUNDS:
            a, c = a - 1, c - 1
        while (
            b < len(claim)
            and d < len(evidence)
            and claim[b] == evidence[d]
            and not (_is_amount(claim[a:b]) and _is_amount(evidence[c:d]))
            and (claim[b] in _BOUNDS or _NUMBER_WORDS.search(claim[b]))
        ):
            b, d = b + 1, d + 1
        if (
            list(claim[b : b + 1]) == list(evidence[d : d + 1]) == ["or"]
            and claim[b + 1 : b + 2] == evidence[d + 1 : d + 2]
        ):
            b, d = b + 2, d + 2
        yield (a, b), (c, d)


def _is_amount(words: Sequence[str]) -> bool:
    return any(_NUMBER_WORDS.search(word) for word in words)


def _read(words: Sequence[str]) -> Quantity | None:
    """The amount that the words are, apart from words that say nothing ("a total of", "exactly")."""
    kept = [word for word in words if word not in ("exactly", "only", "just", "total")]
    while kept and kept[0] in ("a", "of", "and"):
        kept = kept[1:]
    text = " ".join(kept).replace("$ ", "$").replace("€ ", "€").replace("£ ", "£")
    for opening, bound in _OTHER_BOUNDS.items():
        if text.startswith(opening):
            text = bound + text.removeprefix(opening)
    found = read_quantity(text) if text else None
    if found is None or found[1].strip(" .") or found[0].about:
        return None
    return found[0]


def _settle(changes: Sequence[Change], passage_id: str) -> Finding | None:
    verdicts = [_relate(claim, evidence) for claim, evidence, _, _ in changes]
    for verdict in (Verdict.REFUTED, Verdict.INSUFFICIENT, Verdict.SUPPORTED):
        if verdict in verdicts:
            _, _, mine, theirs = changes[verdicts.index(verdict)]
            reason = {
                Verdict.REFUTED: "other_value", Verdict.INSUFFICIENT: "amount_open", Verdict.SUPPORTED: "amount_within"
            }[verdict]  # fmt: skip
            return Finding(verdict, 0.97, reason, passage_id, exact=True, claim_value=mine, evidence_value=theirs)
    return None


def _relate(claim: Quantity, evidence: Quantity) -> Verdict:
    """SUPPORTED where every amount that the evidence allows is one that the claim allows."""
    mine, theirs = _range(claim), _range(evidence)
    if _holds(mine, theirs):
        return Verdict.SUPPORTED
    return Verdict.INSUFFICIENT if _meet(mine, theirs) else Verdict.REFUTED


Range = tuple[Fraction | None, bool, Fraction | None, bool]
"""Lower end, whether it is left out, upper end, whether it is left out; None has no end."""


def _range(quantity: Quantity) -> Range:
    return quantity.low, quantity.open_ends, quantity.high, quantity.open_ends


def _holds(outer: Range, inner: Range) -> bool:
    low, low_open, high, high_open = outer
    other_low, other_low_open, other_high, other_high_open = inner
    below = low is None or (
        other_low is not None and (other_low > low or (other_low == low and (other_low_open or not low_open)))
    )
    above = high is None or (
        other_high is not None and (other_high < high or (other_high == high and (other_high_open or not high_open)))
    )
    return below and above


def _meet(one: Range, other: Range) -> bool:
    for (low, low_open, _, _), (_, _, high, high_open) in ((one, other), (other, one)):
        if low is not None and high is not None and (low > high or (low == high and (low_open or high_open))):
            return False
    return True
