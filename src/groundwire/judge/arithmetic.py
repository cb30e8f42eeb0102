"""Amounts by arithmetic: the same sentence with another amount is decided exactly, in every direction.

"Ana sold 350 tickets" carries "Ana sold fewer than 750 tickets", denies "more than 400", and a bound says nothing of an
amount inside it. Only sentences that are otherwise word for word the same are compared. Left alone are sentences whose
logic turns round ("no", "every", "can"), numbers that name something ("room 12", "in 2019", "3 May") and bounds that
choose who is meant ("children under 12").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise

from groundwire.judge.differences import list_differences
from groundwire.judge.findings import Finding
from groundwire.text.calendar import MONTH_NUMBERS
from groundwire.text.function_words import closed_classes
from groundwire.text.measures import Quantity
from groundwire.text.numerals import numerals
from groundwire.text.quantities import read_quantity
from groundwire.text.sentences import split_sentences
from groundwire.text.tagging import tag
from groundwire.text.tokens import number_words, tokenize
from groundwire.types import Passage, Verdict

_WORD = re.compile(r"[$€£]|[^\W_]+(?:[-'’./:,_][^\W_]+)*%?")
_TURNS = re.compile(
    r"(?i)\b(?:not|cannot|never|none|nobody|nothing|nor|neither|without|except|all|every\w*|each|both|any|any(?:one|body|"
    r"thing)|few|little|many|hardly|scarcely|barely|rarely|seldom|if|unless|whether|when|whenever|once|half|first|last|"
    r"next|top|past|until|till|within|minus|negative|who|whom|whose|which|that|those|can|could|might|must|should|would|"
    r"shall|able|allow\w*|permit\w*|ban(?:s|ned)?|forbid\w*|forbade|prohibit\w*|refus\w*|reject\w*|avoid\w*|prevent\w*|"
    r"exclud\w*|limit\w*|den(?:y|ies|ied)|fail\w*|doubt\w*|lack\w*|maybe|perhaps|possibly|probably|likely|supposedly|"
    r"allegedly)\b"
    r"|(?-i:\bmay\b)|(?<!\bat )\bmost\b|\bup to\b|n['’]t\b|\bno (?!(?:more|less|fewer)\b)"
    r"|[?<>≤≥±~≈#=×^]|(?<!\w)[-−–+]\s?\d|\s%"
)
"""What makes arithmetic on the amounts wrong, or is lost when a sentence is taken for its words."""
_BOUNDS = frozenset(
    """
    more less fewer greater over under above below at least most than no about around roughly exactly nearly
    almost approximately between and or only just a total of maximum minimum $ € £
    """.split()  # noqa: SIM905
)
_DIGIT = re.compile(r"\d")
_LETTERS = re.compile(r"\w+")
_NEARBY = frozenset({"over", "under", "above", "below", "more", "less", "fewer"})
_CODE = re.compile(r"\d[-/:'’]\d")
_OTHER_BOUNDS = {
    "maximum of ": "at most ", "minimum of ": "at least ", "above ": "more than ", "below ": "less than ",
}  # fmt: skip
_MONTHS = frozenset({*MONTH_NUMBERS, "am", "pm"})
_BEFORE_YEARS = _MONTHS | frozenset(
    """
    in since by from to before after during around of early late mid year spring summer autumn fall winter
    """.split()  # noqa: SIM905
)
_CHOOSING = frozenset({"with", "of", "for", "to", "than", "aged", "from", "at", "on", "into", "per"})
_SPANS = re.compile(r"(?:second|minute|hour|day|week|month|year)s?")
_LONGEST = 90
_REMEMBERED = 1_000
_MOST_COMPARED = 64
_ROUNDING = Fraction(1, 10)


def compare_amounts(claim: str, passage: Passage) -> Finding | None:
    """What the passage's own wording of the claim says of its amount; None where the wordings differ otherwise."""
    words, shared = _read_claim(claim) if len(claim) <= _REMEMBERED else _take_claim(claim)
    if not words or not _has_number(passage.text.lower()):
        return None
    found: list[Finding] = []
    for count, other in enumerate(_find_alike(words, shared, passage.text)):
        changes = _align(words, other)
        if count == _MOST_COMPARED or changes == []:  # what is said word for word needs no arithmetic
            return None
        if changes and (finding := _settle(changes, passage.id)) is not None:
            found.append(finding)
    return _unite(found)


@lru_cache(maxsize=4096)
def _read_claim(claim: str) -> tuple[list[str], frozenset[str]]:
    return _take_claim(claim)


def _take_claim(claim: str) -> tuple[list[str], frozenset[str]]:
    """The words of a claim about an amount, and those that evidence must share; none where arithmetic errs."""
    if not _has_number(claim.lower()) or _TURNS.search(claim):
        return [], frozenset()
    words = _split(claim)
    if not 2 < len(words) <= _LONGEST:
        return [], frozenset()
    lows = [word.lower() for word in words]
    return words, frozenset([low for low in lows if low not in _BOUNDS and not _has_number(low)])


def _find_alike(claim: Sequence[str], shared: frozenset[str], passage: str) -> Iterator[list[str]]:
    """The sentences that have most of the claim's words and an amount, each as its words."""
    for sentence in split_sentences(passage):
        if len(sentence.text) > 40 * _LONGEST:
            continue
        words = _split(sentence.text)
        if not 2 < len(words) <= _LONGEST or abs(len(claim) - len(words)) > 8:
            continue
        alike = len(shared - {word.lower() for word in words}) <= 4
        if alike and _has_number(sentence.text.lower()) and not _TURNS.search(sentence.text):
            yield words


def _has_number(low: str) -> bool:
    """A figure, or a number in words that stands by itself."""
    if _DIGIT.search(low) is not None:
        return True
    words = (low,) if low.isalpha() else _LETTERS.findall(low)
    return not _counting_words().isdisjoint(words)


@cache
def _counting_words() -> frozenset[str]:
    """Those that say how many; "third" says which."""
    return number_words() - numerals().ordinals.keys()


def _unite(findings: Sequence[Finding]) -> Finding | None:
    """One finding for a passage that has the sentence several times; none where it contradicts itself."""
    by_verdict = {finding.verdict: finding for finding in reversed(findings)}
    if Verdict.SUPPORTED in by_verdict and Verdict.REFUTED in by_verdict:
        return None
    for verdict in (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT):
        if verdict in by_verdict:
            return by_verdict[verdict]
    return None


def _split(text: str) -> list[str]:
    return _WORD.findall(text)


Change = tuple[Quantity, Quantity, str, str]
Slice = tuple[int, int]


def _align(claim: Sequence[str], evidence: Sequence[str]) -> list[Change] | None:
    """The amounts in which two word lists differ, if they differ in nothing else."""
    mine, theirs = [word.lower() for word in claim], [word.lower() for word in evidence]
    changes: list[Change] = []
    for left_slice, right_slice in _differences(mine, theirs):
        left, right = _read(mine[slice(*left_slice)]), _read(theirs[slice(*right_slice)])
        if left is None or right is None or not _is_alike(left, right):
            return None
        exact = left.is_exact and right.is_exact
        if not all(_is_counted(*side, exact=exact) for side in ((claim, left_slice), (evidence, right_slice))):
            return None
        changes.append((left, right, " ".join(mine[slice(*left_slice)]), " ".join(theirs[slice(*right_slice)])))
    return changes


def _is_alike(left: Quantity, right: Quantity) -> bool:
    return (
        left.unit.dimension == right.unit.dimension
        and left.rate == right.rate
        and left.is_age == right.is_age
        and left.keeps_zero == right.keeps_zero
    )


def _is_counted(words: Sequence[str], where: Slice, *, exact: bool) -> bool:
    """Whether the amount is how much there is of something, rather than its name, a date or a choice of things."""
    start, end = where
    amount = [word.lower() for word in words[start:end]]
    before = words[start - 1] if start else ""
    after = words[end].lower() if end < len(words) else ""
    previous = before.lower()
    if after in _MONTHS or previous in _MONTHS or previous in ("the", "these"):
        return False
    if previous in _BEFORE_YEARS and any(_is_year(word) for word in amount):
        return False
    if not exact:
        if previous == "for" and _SPANS.fullmatch(after):
            return True
        if (
            previous in _CHOOSING
            or previous.endswith("ing")
            or ("between" in amount and after in ("", *closed_classes()))
        ):
            return False
    return not before or not _names(words, start - 1)


def _is_year(word: str) -> bool:
    return word.isdecimal() and len(word) == 4 and 1000 <= int(word) < 2200


def _names(words: Sequence[str], at: int) -> bool:
    """Whether the word is a noun: a number behind it is its name ("Room 12"), and a bound chooses among such things."""
    if words[at].lower() in closed_classes():
        return False
    tokens = tokenize(" ".join(words))
    letters = tag(tokens)
    start = sum(len(word) + 1 for word in words[:at])
    return any(letter in "NP" for token, letter in zip(tokens, letters, strict=True) if token.start == start)


def _differences(claim: Sequence[str], evidence: Sequence[str]) -> list[tuple[Slice, Slice]]:
    """Differing slices, each widened over the number it belongs to and the words that bound it."""
    merged: list[tuple[Slice, Slice]] = []
    for _, a, b, c, d in list_differences(claim, evidence):
        (a, b), (c, d) = _widen(claim, evidence, (a, b), (c, d))
        if merged and (a <= merged[-1][0][1] or c <= merged[-1][1][1]):
            (first, _), (other, _) = merged.pop()
            a, c = min(a, first), min(c, other)
        merged.append(((a, b), (c, d)))
    return merged


def _widen(claim: Sequence[str], evidence: Sequence[str], mine: Slice, theirs: Slice) -> tuple[Slice, Slice]:
    (a, b), (c, d) = mine, theirs
    while a > 0 and c > 0 and claim[a - 1] == evidence[c - 1] and _belongs(claim[a - 1]):
        a, c = a - 1, c - 1
    while b < len(claim) and d < len(evidence) and claim[b] == evidence[d]:
        whole = _is_amount(claim[a:b]) and _is_amount(evidence[c:d])
        if not (_has_number(claim[b]) or (not whole and claim[b] in _BOUNDS)):
            break
        b, d = b + 1, d + 1
    if (
        list(claim[b : b + 1]) == list(evidence[d : d + 1]) == ["or"]
        and claim[b + 1 : b + 2] == evidence[d + 1 : d + 2]
    ):
        b, d = b + 2, d + 2
    return (a, b), (c, d)


def _belongs(word: str) -> bool:
    return word in _BOUNDS or _has_number(word)


def _is_amount(words: Sequence[str]) -> bool:
    return any(_has_number(word) for word in words)


def _read(words: Sequence[str]) -> Quantity | None:
    """The amount that the words are, apart from words that say nothing ("a total of", "exactly")."""
    if any(word in numerals().vague or _CODE.search(word) for word in words):
        return None
    if any(one in ("just", "only") and other in _NEARBY for one, other in pairwise(words)):
        return None
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
    verdicts = [relate_amounts(claim, evidence) for claim, evidence, _, _ in changes]
    if None in verdicts:
        return None
    for verdict in (Verdict.REFUTED, Verdict.INSUFFICIENT, Verdict.SUPPORTED):
        if verdict in verdicts:
            _, _, mine, theirs = changes[verdicts.index(verdict)]
            reason = {
                Verdict.REFUTED: "other_value", Verdict.INSUFFICIENT: "amount_open", Verdict.SUPPORTED: "amount_within"
            }[verdict]  # fmt: skip
            return Finding(verdict, 0.97, reason, passage_id, exact=True, claim_value=mine, evidence_value=theirs)
    return None


def relate_amounts(claim: Quantity, evidence: Quantity) -> Verdict | None:
    """SUPPORTED where every amount that the evidence allows is one that the claim allows.

    None where it depends on whether things can be divided ("more than 2", "at least 3"), or on rounding.
    """
    if claim.unit.system != evidence.unit.system and _is_near(claim, evidence):
        return None
    verdict = _compare(_range(claim), _range(evidence))
    if claim.unit.dimension != "count":
        return verdict
    return verdict if verdict is _compare(_count(claim), _count(evidence)) else None


def _is_near(claim: Quantity, evidence: Quantity) -> bool:
    """Whether two ends, written in different systems, may be one amount rounded."""
    ends = [[end for end in (side.low, side.high) if end is not None] for side in (claim, evidence)]
    return any(abs(one - other) <= max(abs(one), abs(other)) * _ROUNDING for one in ends[0] for other in ends[1])


def _compare(mine: Range, theirs: Range) -> Verdict:
    if _holds(mine, theirs):
        return Verdict.SUPPORTED
    return Verdict.INSUFFICIENT if _meet(mine, theirs) else Verdict.REFUTED


Range = tuple[Fraction | None, bool, Fraction | None, bool]
"""Lower end, whether it is left out, upper end, whether it is left out; None has no end."""


def _range(quantity: Quantity) -> Range:
    return quantity.low, quantity.open_ends, quantity.high, quantity.open_ends


def _count(quantity: Quantity) -> Range:
    """The same amounts if they are whole: more than 2 is 3 or more."""
    low, high = quantity.low, quantity.high
    if quantity.open_ends:
        low = low + 1 if low is not None and low.denominator == 1 else low
        high = high - 1 if high is not None and high.denominator == 1 else high
    return low, False, high, False


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


def names_another(claim: str, passage: Passage) -> tuple[str, str] | None:
    """The figures of the claim and those of the passage, where the passage says the same of another figure.

    "Room 12 is free" and "Room 13 is free", 2019 and 2020, ABC-12 and ABC-13: all other words are the same, so neither
    can carry the other (JDG-020). None as soon as one sentence of the passage has the claim's own figures.
    """
    words = _split(claim)
    if not any(map(_has_digit, words)) or not 1 < len(words) <= _LONGEST:
        return None
    found: tuple[str, str] | None = None
    for count, sentence in enumerate(_find_figures(words, passage.text)):
        if count == _MOST_COMPARED:
            return None
        changes = _exchange(words, sentence)
        if changes == []:
            return None
        found = found or (changes[0] if changes else None)
    return found


def _find_figures(claim: Sequence[str], passage: str) -> Iterator[list[str]]:
    """The sentences as long as the claim that have all of its words but the figures."""
    shared = {word.lower() for word in claim if not _has_digit(word) and word.lower() not in _MONTHS}
    for sentence in split_sentences(passage):
        words = _split(sentence.text) if len(sentence.text) <= 40 * _LONGEST else []
        if len(words) == len(claim) and shared <= {word.lower() for word in words}:
            yield words


def _exchange(claim: Sequence[str], evidence: Sequence[str]) -> list[tuple[str, str]] | None:
    """Figures that stand in each other's place; None if anything else differs, or if a figure is a bound."""
    changes: list[tuple[str, str]] = []
    for i, (one, other) in enumerate(zip(claim, evidence, strict=True)):
        mine, theirs = one.lower(), other.lower()
        if mine == theirs:
            continue
        figures = _has_digit(mine) and _has_digit(theirs)
        if not figures and not (mine in _MONTHS and theirs in _MONTHS):
            return None
        if figures and (_is_bounded(claim, i) or _value(mine) == _value(theirs)):
            return None
        changes.append((one, other))
    return changes


def _has_digit(word: str) -> bool:
    return not word.isalpha() and any(map(str.isdigit, word))


def _is_bounded(words: Sequence[str], at: int) -> bool:
    return any(word.lower() in _BOUNDS - {"a", "and", "or", "of", "at"} for word in words[max(0, at - 1) : at])


def _value(word: str) -> str:
    """The figure without what only writes it: 1,000 is 1000, and 05 is 5."""
    return re.sub(r"(?<!\d)0+(?=\d)", "", word.replace(",", ""))
