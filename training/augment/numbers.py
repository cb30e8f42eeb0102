"""Number pairs from real sentences: one quantity restated, bounded or changed, with the label that arithmetic gives.

An exact amount entails the bounds that it meets and contradicts the others; a bound says nothing of an exact amount
that meets it, and contradicts one that does not. Years, versions, times, ranks and numbers inside names are left alone.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from groundwire.text.numerals import numerals
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, Pair

_NUMERALS = numerals()
_WORDS = [*list(_NUMERALS.units)[:20], "twenty"]
_SPELLED = {word: value for word, value in (_NUMERALS.units | _NUMERALS.tens).items() if value >= 2}
_NUMBER = re.compile(
    r"(?<![\w.,:/$€£#%°+*=^-])(?P<money>[$€£]\s?)?(?P<digits>\d{1,3}(?:,\d{3})+|\d{1,7}(?:\.\d{1,2})?)(?![\w:/°*=^]|[.,-]\w|\s?[+*/=^x]\s?\d)"
    r"|(?<![\w-])(?P<word>" + "|".join(sorted(_SPELLED, key=len, reverse=True)) + r")(?![\w-])",
    re.IGNORECASE,
)
_BOUND_BEFORE = re.compile(
    r"(?i)(than|least|most|about|around|almost|nearly|over|under|below|above|to|between|and|or|only|exactly|some|"
    r"another|other|every|least|approximately|roughly|number|no\.?|page|chapter|section|article|room|level|act|part|"
    r"type|version|highway|route|the|world war|season|episode|game|week|day|step|of|in|by|on|until|since|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|aug|sept?|"
    r"oct|nov|dec|aged?|[,–—-]|\d)\s*$"
)
_SPECIAL_AFTER = re.compile(
    r"(?i)^\s*(st|nd|rd|th|a\.?m|p\.?m|o'clock|or|to|and|of the|january|february|march|april|may|june|july|august|"
    r"september|october|november|december|bc|ad|–|—|-|\d|,\s*\d|%?\))"
)
_TURNS_LOGIC = re.compile(
    r"(?i)\b(no|not|never|none|nobody|without|all|every|each|both|if|unless|half|first|last|next|past|n't)\b|n't\b"
)
_MORE = ("more than {0}", "over {0}", "greater than {0}", "above {0}")
_LESS = ("less than {0}", "fewer than {0}", "under {0}", "below {0}")
_LEAST = (
    "at least {0}",
    "no fewer than {0}",
    "no less than {0}",
    "{0} or more",
    "not less than {0}",
    "a minimum of {0}",
)
_MOST = ("at most {0}", "no more than {0}", "up to {0}", "not more than {0}", "{0} or fewer", "a maximum of {0}")
_EXACT = ("{0}", "exactly {0}", "a total of {0}")


class Amount(NamedTuple):
    start: int
    end: int
    value: float
    sign: str
    spelled: bool
    grouped: bool


class Bound(NamedTuple):
    """A way to speak of an amount, and the numbers it allows."""

    text: str
    low: float
    high: float


def find_amounts(sentence: str) -> list[Amount]:
    """Counted or measured amounts that can be bounded or exchanged where they stand."""
    found: list[Amount] = []
    for match in _NUMBER.finditer(sentence):
        before, after = sentence[: match.start()], sentence[match.end() :]
        word, digits = match["word"], match["digits"]
        if _SPECIAL_AFTER.match(after) or (before and _BOUND_BEFORE.search(before)):
            continue
        if word is None and digits is None:
            continue
        value = float(_SPELLED[word.lower()]) if word else float(digits.replace(",", ""))
        if value < 2 or (digits and not match["money"] and 1500 <= value <= 2100 and "," not in digits):
            continue
        if not re.match(r"\s?(%|[a-zA-Z])", after) and not match["money"]:
            continue
        found.append(Amount(match.start(), match.end(), value, match["money"] or "", bool(word), "," in (digits or "")))
    return found


def _show(value: float, like: Amount, rng: random.Random) -> str:
    whole = int(value)
    if like.spelled and value == whole and 2 <= whole <= 20 and rng.random() < 0.85:
        return _WORDS[whole]
    text = f"{whole:,}" if like.grouped or (whole >= 10000 and rng.random() < 0.5) else f"{whole}"
    return like.sign + (text if value == whole else f"{value:.2f}".rstrip("0").rstrip("."))


def _other(value: float, rng: random.Random, *, above: bool) -> float:
    """A different amount on the asked side: near, far, or a digit changed."""
    whole = value == int(value)
    step = rng.choice((1, 1, 2, 3, 5, 10, value * 0.1, value * 0.25, value * 0.5, value, value * 3))
    if not above:
        step = min(step, value * 0.9)
    moved = value + step if above else value - step
    moved = float(round(moved)) if whole else round(moved, 1)
    if moved == value:
        moved = value + 1 if above else value - 1
    return max(moved, 0.0)


def _bound(kind: str, value: float, like: Amount, rng: random.Random) -> Bound:
    shown = _show(value, like, rng)
    tops = {"more": _MORE, "less": _LESS, "least": _LEAST, "most": _MOST, "exact": _EXACT}[kind]
    wording = tops[0] if rng.random() < 0.5 else rng.choice(tops)
    eps = 1e-6
    low, high = {
        "more": (value + eps, float("inf")),
        "less": (0.0, value - eps),
        "least": (value, float("inf")),
        "most": (0.0, value),
        "exact": (value, value),
    }[kind]
    return Bound(wording.format(shown), low, high)


def relate(evidence: Bound, claim: Bound) -> str:
    """What a statement with the one amount says of the same statement with the other."""
    if claim.low <= evidence.low and evidence.high <= claim.high:
        return ENTAIL
    if evidence.high < claim.low or claim.high < evidence.low:
        return CONTRADICT
    return NEUTRAL


def _whole(bound: Bound) -> Bound:
    """The same range for things that are counted: more than 21 people are at least 22."""
    low = bound.low if math.isinf(bound.low) else math.ceil(bound.low)
    return Bound(bound.text, low, bound.high if math.isinf(bound.high) else math.floor(bound.high))


def _relate_surely(amount: Amount, evidence: Bound, claim: Bound) -> str | None:
    """The label, or nothing where it depends on whether the thing is counted or measured."""
    found = relate(evidence, claim)
    if amount.value == int(amount.value) and relate(_whole(evidence), _whole(claim)) != found:
        return None
    return found


def _put(sentence: str, amount: Amount, text: str) -> str:
    shown = text[0].upper() + text[1:] if amount.start == 0 else text
    return sentence[: amount.start] + shown + sentence[amount.end :]


def _draw(amount: Amount, rng: random.Random) -> tuple[Bound, Bound]:
    value = amount.value
    if rng.random() < 0.62:
        first = Bound(_show(value, amount, rng) if rng.random() < 0.3 else "", value, value)
    else:
        first = _bound(rng.choice(("more", "less", "least", "most")), value, amount, rng)
    other = value if rng.random() < 0.15 else _other(value, rng, above=rng.random() < 0.55)
    return first, _bound(
        rng.choice(("more", "less", "more", "less", "least", "most", "exact", "exact")), other, amount, rng
    )


def vary_amounts(sentences: Iterable[str], seed: int, each: int = 3) -> Iterator[Pair]:
    """Pairs of a sentence with itself, one amount spoken of in two ways; the three labels in equal shares."""
    rng = random.Random(seed)
    counts = {ENTAIL: 0, NEUTRAL: 0, CONTRADICT: 0}
    for sentence in sentences:
        amounts = [] if _TURNS_LOGIC.search(sentence) else find_amounts(sentence)
        if not amounts:
            continue
        for _ in range(each):
            amount = rng.choice(amounts)
            wanted = min(counts, key=lambda label: (counts[label], label))
            for _ in range(12):
                first, second = _draw(amount, rng)
                if _relate_surely(amount, first, second) == wanted:
                    break
            else:
                continue
            evidence = sentence if not first.text else _put(sentence, amount, first.text)
            claim = _put(sentence, amount, second.text)
            if evidence != claim:
                counts[wanted] += 1
                yield Pair(evidence, claim, wanted, "augment_number")
