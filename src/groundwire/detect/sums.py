"""Parts and wholes: totals, shares, what is left, and lists that have more members than they say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from groundwire.detect.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import numerals, parse_digits, read_words
from groundwire.types import ContradictionType, Span

SUMS = 0.85
_TOKEN = re.compile(r"[$€£]?\d[\d,]*(?:\.\d+)?%?|[^\W\d_]+(?:[-'][^\W\d_]+)*|[^\w\s]")
_EXHAUSTIVE = re.compile(
    r":\s*$|\b(?:consist(?:s|ed|ing)?\s+of|made\s+up\s+of|comprising|composed\s+of|divided\s+into|split\s+into|namely|broken\s+down\s+into)\s*$|\(\s*$"
)
_INCLUDING = re.compile(r"\b(?:including|of\s+(?:which|whom|them|these)|among\s+them)\s*,?\s*$")
_TOTAL_BEHIND = re.compile(r"\b(?:in\s+(?:all|total|sum)|altogether|overall|combined)\b")
_TOTAL_BEFORE = re.compile(
    r"\b(?:(?:for\s+|making\s+|giving\s+|gives\s+|makes\s+)?(?:a\s+|the\s+)?(?:grand\s+)?total\s+(?:of|is|was|comes\s+to)|totall?ing|adding\s+up\s+to|adds?\s+up\s+to|"
    r"sums?\s+(?:up\s+)?to|(?:altogether|in\s+total|in\s+all|combined)\s*,?\s+(?:that\s+(?:is|was|makes)|this\s+(?:is|makes)|it\s+(?:is|was)|they\s+(?:are|have|cost|total)|there\s+(?:are|were)|we\s+have)|which\s+makes|that\s+makes)\s+"
    r"(?:about\s+|around\s+|roughly\s+|exactly\s+)?$"
)
_VAGUE = re.compile(
    r"\b(?:about|around|roughly|approximately|nearly|almost|over|more\s+than|less\s+than|under|up\s+to|at\s+least|at\s+most|some|between|or)\s*$"
)
_ITEM = re.compile(
    r"^[ \t]*(?:[-*•|]|\d{1,2}[.)])?[ \t]*\**(?P<label>[A-Za-z][\w /&()'-]{0,40}?)\**[ \t]*[:|–-][ \t]*\**(?P<value>[$€£]?\s?\d[\d,]*(?:\.\d+)?)[ \t]*(?P<unit>[%\w$€£]*)\**[ \t]*\|?[ \t]*$"
)
_EQUATION = re.compile(
    r"(?<![\w.,])(?P<one>\d+(?:\.\d+)?)\s*(?P<sign>[+×x*−/÷-])\s*(?P<two>\d+(?:\.\d+)?)\s*(?:=|is|equals|makes)\s*(?P<result>\d+(?:\.\d+)?)(?![\w.,]?\d|\s*[-+×x*/÷])"
)


class Amount(NamedTuple):
    """A number in a sentence, with what is counted."""

    value: Fraction
    start: int
    end: int
    unit: str
    """% or a currency sign, or the noun behind it."""
    noun: str
    is_exact: bool


def find_wrong_sums(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    for place, seen in enumerate(sightings):
        if seen.is_question or len(seen.text) > 1_200 or not _may_count(seen.low):
            continue
        amounts = read_amounts(seen.low)
        before = read_amounts(sightings[place - 1].low) if place and len(sightings[place - 1].text) <= 1_200 else []
        found = (
            _check_parts(seen, amounts)
            or _check_total(seen, amounts, sightings[place - 1] if place else None, before)
            or _check_portion(seen, amounts)
            or _check_shares(seen, amounts)
            or _check_fractions(seen)
            or _check_list(seen)
            or _check_equation(seen)
            or _check_change(seen)
        )
        if found is not None:
            yield found
    yield from _check_rests(sightings)
    yield from _check_tables(sightings)


def _may_count(low: str) -> bool:
    return any(character.isdigit() for character in low) or any(word in low for word in _NUMBER_HINTS)


_NUMBER_HINTS = (
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "twel",
    "half",
    "third",
    "quarter",
    "dozen",
    "twenty",
)


def read_amounts(low: str) -> list[Amount]:
    """The numbers of a sentence in order; years, dates, clock times and numbers that name something are left out."""
    tokens = list(_TOKEN.finditer(low))
    words = [token.group() for token in tokens]
    found: list[Amount] = []
    k = 0
    while k < len(words):
        read = _read_number(words, k)
        if read is None:
            k += 1
            continue
        value, after, unit = read
        start, end = tokens[k].start(), tokens[after - 1].end()
        front = words[k - 1] if k else ""
        behind = words[after] if after < len(words) else ""
        if not _is_named(front, behind, value, words[k]) and not low[end : end + 1] == ":":
            noun = _noun_behind(words, after)
            found.append(
                Amount(value, start, end, unit or noun, noun, _VAGUE.search(low[max(0, start - 20) : start]) is None)
            )
        k = after
    return found


def _read_number(words: Sequence[str], at: int) -> tuple[Fraction, int, str] | None:
    word = words[at]
    if word[:1].isdigit() or (word[:1] in "$€£" and len(word) > 1):
        unit = "%" if word.endswith("%") else word[0] if word[0] in "$€£" else ""
        value = parse_digits(word.strip("$€£%"))
        if value is None:
            return None
        after = at + 1
        scale = {"million": 10**6, "billion": 10**9, "thousand": 1000, "m": 10**6, "k": 1000}.get(
            words[after] if after < len(words) else ""
        )
        if scale:
            value, after = value * scale, after + 1
        if after < len(words) and words[after] in ("percent", "%"):
            unit, after = "%", after + 1
        return Fraction(value), after, unit
    if word in numerals().spelt or word in numerals().units or word in numerals().tens:
        found = read_words(
            [w.replace("-", " ") for w in words[at : at + 1]][0].split() if "-" in word else words,
            0 if "-" in word else at,
        )
        if found is None or (word in ("one", "a", "an") and found[1] == at + 1 and word != "one"):
            return None
        return found[0], (at + 1 if "-" in word else found[1]), ""
    return None


_NAMING = frozenset(
    "room page chapter section version step figure table line number no grade level route bus flight article day week year phase type in since by until from of class at".split()
)


def _is_named(front: str, behind: str, value: Fraction, word: str) -> bool:
    if front in _NAMING - {"of", "at", "in", "by", "from"} or behind in ("am", "pm", "o'clock", "th", "st", "nd", "rd"):
        return True
    is_year = value.denominator == 1 and 1500 <= value <= 2100 and word.isdigit() and len(word) == 4
    return is_year and (
        front in ("in", "since", "by", "until", "from", "of", "to", "and", "-", "–", "(") or not behind.isalpha()
    )


def _noun_behind(words: Sequence[str], at: int) -> str:
    """The noun that is counted: the last of the words up to a preposition, a mark or a verb."""
    noun = ""
    for word in words[at : at + 4]:
        if not word[:1].isalpha() or word in _ENDS:
            break
        noun = word
    return noun_lemma(noun) if noun else ""


_ENDS = frozenset(
    "and or of in on at for to from with is are was were that which who in all by per as but than while have has had took take went go goes the a an were".split()
)


def _clash(seen: Sighting, start: int, end: int, evidence: str) -> Clash:
    span = Span(seen.start + start, seen.start + end)
    return Clash(span, None, SUMS, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)


_JOINS = re.compile(r",|\band\b|\bplus\b")
_PARTS_END = re.compile(r"[.:;?!()=/\[\]{}<>_`]|\b(?:or|but|of which|whom|while|who|are|is|were|was)\b")


def _are_parts(parts: Sequence[Amount], low: str) -> bool:
    """A list in one breath: commas and "and" between the numbers, no other verb."""
    gaps = [low[one.end : other.start] for one, other in zip(parts, parts[1:], strict=False)]
    return all(len(gap) <= 60 and _JOINS.search(gap) and not _PARTS_END.search(gap) for gap in gaps)


def _check_parts(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "12 people: 5 women and 8 men"."""
    for k, total in enumerate(amounts):
        parts = [a for a in amounts[k + 1 :]]
        if "each" in seen.words or len(parts) < 2 or not total.is_exact or not (total.noun or total.unit) or not _are_parts(parts, seen.low):
            continue
        gap = seen.low[total.end : parts[0].start]
        exhaustive, including = _EXHAUSTIVE.search(gap), _INCLUDING.search(gap)
        if not (exhaustive or including) or not _same_unit(total, parts) or not all(part.is_exact for part in parts):
            continue
        added = sum(part.value for part in parts)
        wrong = added != total.value if exhaustive else added > total.value
        if wrong and not (total.value == len(parts)):
            evidence = f"{' + '.join(show(p.value) for p in parts)} = {show(added)}, not {show(total.value)}"
            tail = re.match(r"[^.,;)]*", seen.low[parts[-1].end :])
            return _clash(seen, parts[0].start, parts[-1].end + (tail.end() if tail else 0), evidence)
    return None


_OF_THE = re.compile(r"^\W*of\s+(?:the|our|all|its|their|these|those)\s+$")


def _check_portion(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """ "Of the 40 questions, 25 were right and 20 wrong"."""
    if len(amounts) < 3 or not _OF_THE.match(seen.low[: amounts[0].start]) or any(a.unit == "%" or not a.is_exact for a in amounts):
        return None
    whole, parts = amounts[0], amounts[1:]
    joined = all(re.search(r"\band\b|,|;", seen.low[one.end : other.start]) for one, other in zip(parts, parts[1:], strict=False))
    added = sum(part.value for part in parts)
    if not joined or added <= whole.value or re.search(r"\b(?:also|both|points?|hours?|euros?|years?|old|times)\b|[$€£:]", seen.low):
        return None
    return _clash(seen, parts[0].start, parts[-1].end, f"{show(added)} of {show(whole.value)}")


def _same_unit(total: Amount, parts: Sequence[Amount]) -> bool:
    signs = {a.unit for a in (total, *parts) if a.unit in ("%", "$", "€", "£")}
    if signs and not all(a.unit in signs or not a.noun for a in (total, *parts)) and len(signs) != 1:
        return False
    if "%" in {a.unit for a in parts} and total.unit != "%":
        return False
    measured = {a.noun for a in (total, *parts) if a.noun in _UNITS}
    return len(measured) <= 1 and (
        not measured or total.noun in measured or not total.noun or total.unit in ("$", "€", "£")
    )


_UNITS = frozenset(
    "km kilometre kilometer mile metre meter m cm kg kilo gram g litre liter ml hour minute second day week month year euro dollar pound percent point mb gb tb ms".split()
)


def _check_total(
    seen: Sighting, amounts: Sequence[Amount], previous: Sighting | None, before: Sequence[Amount]
) -> Clash | None:
    """ "30 adult tickets and 20 child tickets, 60 tickets in all"; the parts may stand in the sentence before."""
    for k, total in enumerate(amounts):
        behind = re.match(r"(?:\s+[a-z]+){0,3}?\s*,?\s*" + _TOTAL_BEHIND.pattern, seen.low[total.end :])
        front = _TOTAL_BEFORE.search(seen.low[: total.start])
        if not (behind or front) or not total.is_exact:
            continue
        parts = [a for a in amounts[:k]]
        earlier = None
        if len(parts) < 2 and previous is not None and not parts:
            parts, earlier = list(before), previous
            if len(parts) >= 3 and parts[0].value == len(parts) - 1:
                parts = parts[1:]
        source = earlier.low if earlier is not None else seen.low
        alike = [p for p in parts if _is_alike(p, total)]
        if (
            len(alike) < 2
            or len(alike) != len(parts)
            or not _are_parts(alike, source)
            or not all(p.is_exact for p in alike)
        ):
            continue
        added = sum(part.value for part in alike)
        if added != total.value:
            evidence = f"{' + '.join(show(p.value) for p in alike)} = {show(added)}, not {show(total.value)}"
            end = total.end + (behind.end() if behind else 0)
            start = front.start() if front else total.start
            clash = _clash(seen, start, end, evidence)
            return replace(clash, earlier=earlier.segment.span) if earlier is not None else clash
    return None


def _is_alike(part: Amount, total: Amount) -> bool:
    if part.unit in ("%", "$", "€", "£") or total.unit in ("%", "$", "€", "£"):
        return part.unit == total.unit
    if part.noun in _UNITS or total.noun in _UNITS:
        return part.noun == total.noun
    return True


_EXCLUSIVE = (("man", "woman"), ("male", "female"), ("men", "women"), ("adult", "child"), ("boy", "girl"), ("passed", "failed"), ("favour", "against"),
              ("favor", "against"), ("agree", "disagree"), ("women", "men"), ("adults", "children"), ("boys", "girls"), ("males", "females"), ("yes", "no"), ("rural", "urban"), ("land", "water"))  # fmt: skip
_SHARED_BY = re.compile(
    r"\s*(?:of\s+(?:the\s+)?[a-z]+(?:\s[a-z]+)?\s+)?(?:(?:are|were|is|was|be|voted|said)\s+)?(?:in\s+)?(?:the\s+)?([a-z]+)"
)
_ELLIPTIC = re.compile(r"\s*(?!to\s+\d)(?:to|for|on|in|from|into|comes?\s+from|goes?\s+(?:to|into)|went\s+to)\s")


def _check_shares(seen: Sighting, amounts: Sequence[Amount]) -> Clash | None:
    """Percentages of one whole that come to more than all of it."""
    shares = [a for a in amounts if a.unit == "%" and a.is_exact]
    if len(shares) < 2 or re.search(
        r"\b(?:multiple|more than one|overlap|also|both|up|growth|increase|rose|fell|discount|compared|versus|vs)\b",
        seen.low,
    ):
        return None
    added = sum(share.value for share in shares)
    rest = re.search(r"\b(?:the\s+)?(?:remaining|rest|other)\b", seen.low)
    if (
        rest is not None
        and len(shares) >= 2
        and re.search(r"(?:remaining|other)\s+\d|(?:rest|remainder)[^.;]{0,20}\d", seen.low)
    ):
        wrong = added != 100 and len(shares) <= 6
    else:
        elliptic = sum(_is_elliptic(seen.low, one, share) for one, share in zip(shares, shares[1:], strict=False))
        opposed = len(shares) == 2 and _name_rivals(seen.low, shares)
        divided = re.search(
            r"\b(?:split|divided|breakdown|made\s+up|consists?|composed|composition|allocated)\b", seen.low
        )
        wrong = added > 100 and (elliptic == len(shares) - 1 or opposed or divided is not None)
    if not wrong:
        return None
    evidence = f"{' + '.join(show(s.value) for s in shares)} = {show(added)}, not 100"
    return _clash(seen, shares[0].start, shares[-1].end, evidence)


_FRACTIONS = {"half": Fraction(1, 2), "a third": Fraction(1, 3), "one third": Fraction(1, 3), "another third": Fraction(1, 3), "two thirds": Fraction(2, 3),
              "a quarter": Fraction(1, 4), "one quarter": Fraction(1, 4), "another quarter": Fraction(1, 4), "three quarters": Fraction(3, 4),
              "another half": Fraction(1, 2), "a fifth": Fraction(1, 5), "two fifths": Fraction(2, 5), "three fifths": Fraction(3, 5),
              "four fifths": Fraction(4, 5), "the other half": Fraction(1, 2)}  # fmt: skip


@cache
def _fraction_pattern() -> re.Pattern[str]:
    return re.compile(
        r"\b("
        + "|".join(sorted(_FRACTIONS, key=len, reverse=True)).replace(" ", r"[\s-]")
        + r")\b(?!\s+(?:a|an|past|hour|day|year|dozen|century|million)\b)"
    )


_GAPPED = re.compile(r"(?:\s+of\s+[a-z]+(?:\s+[a-z]+)?)?,?\s+(?:and\s+)?(?:the\s+)?[a-z]+(?:\s+[a-z]+)?\s*")


def _is_elliptic(low: str, before: Amount, share: Amount) -> bool:
    """ "35% to food", "food 30%": a share of the whole that was named before."""
    return _ELLIPTIC.match(low, share.end) is not None or (
        " of " in low[: share.start] and _GAPPED.fullmatch(low[before.end : share.start]) is not None and "while" not in low
    )


def _name_rivals(low: str, shares: Sequence[Amount]) -> bool:
    """ "60% are women and 50% are men": the two shares exclude each other."""
    named = [_SHARED_BY.match(low, share.end) for share in shares]
    words = {match[1] for match in named if match is not None}
    return any(set(pair) <= words for pair in _EXCLUSIVE)


def _check_fractions(seen: Sighting) -> Clash | None:
    """ "Half of the budget goes to rent, a third to food and another third to leisure"."""
    if " of " not in seen.low:
        return None
    found = [(m, _FRACTIONS[re.sub(r"[\s-]", " ", m[1])]) for m in _fraction_pattern().finditer(seen.low)]
    if len(found) < 2 or sum(value for _, value in found) <= 1:
        return None
    if not all(
        _ELLIPTIC.match(seen.low, m.end()) or re.match(r"\s*(?:[,.;]|$|is\b|are\b|was\b|were\b)", seen.low[m.end() :])
        for m, _ in found[1:]
    ):
        return None
    evidence = f"{' + '.join(str(value) for _, value in found)} is more than the whole"
    return _clash(seen, found[0][0].start(), len(seen.text.rstrip(". ")), evidence)


_LIST = re.compile(
    r"\b(?P<count>two|three|four|five|six|seven|eight|nine|ten|[2-9]|1[0-2])\s+(?:[a-z-]+\s+){0,2}?(?P<noun>[a-z]+s|people|children|men|women|criteria)\s*(?::|–|—)\s*(?P<items>[^.:;()]{5,300})[.;]?\s*$"
)


def _check_list(seen: Sighting) -> Clash | None:
    """ "three parts: an intro, the methods, the results and an outlook"."""
    match = _LIST.search(seen.low)
    if match is None or re.search(
        r"\d|\b(?:such as|including|e\.g|etc|or|among|like|but|which|that|is|are)\b", match["items"]
    ):
        return None
    count = numerals().units.get(match["count"]) or (int(match["count"]) if match["count"].isdigit() else None)
    parts = [part.strip() for part in match["items"].split(",") if part.strip()]
    last = re.split(r"(?:^|\s)(?:and|&)\s", parts[-1]) if parts else []
    split_last = [part for part in last if part.strip()]
    commas = len(parts)
    every = commas - 1 + len(split_last)
    all_ands = sum(len([p for p in re.split(r"(?:^|\s)(?:and|&)\s", part) if p.strip()]) for part in parts)
    listed = commas if parts and re.match(r"(?:and|&)\s", parts[-1]) else every
    if count is None or count in (listed, all_ands) or any(len(part.split()) > 7 for part in parts) or every < 2:
        return None
    if not re.search(r"\band\b|&", match["items"]):
        return None
    return _clash(
        seen, match.start("items"), match.end("items"), f"{match['count']} {match['noun']}, but {listed} are listed"
    )


def _check_equation(seen: Sighting) -> Clash | None:
    for match in _EQUATION.finditer(seen.low):
        one, two, result = (Fraction(match[name]) for name in ("one", "two", "result"))
        sign = match["sign"]
        if sign in "/÷" and not two:
            continue
        if sign in "-−" and not re.search(r"\s[-−]\s", match.group()):
            continue
        right = {"+": one + two, "-": one - two, "−": one - two}.get(
            sign, one / two if sign in "/÷" and two else one * two
        )
        digits = len(match["result"].partition(".")[2])
        if abs(right - result) > Fraction(1, 2 * 10**digits) and not (sign in "/÷" and abs(right - result) < 1):
            return _clash(seen, match.start(), match.end(), f"{match['one']} {sign} {match['two']} = {show(right)}")
    return None


_CHANGE = re.compile(
    r"\b(?P<verb>doubled|tripled|quadrupled|halved|(?P<up>rose|grew|increased|climbed|went\s+up|jumped)|(?P<down>fell|dropped|decreased|declined|shrank|went\s+down))\s+(?:by\s+)?(?:(?P<rate>\d{1,3}(?:\.\d)?)\s?(?:%|percent)\s*,?\s+)?"
    r"from\s+(?P<one>[$€£]?\d[\d,.]*\d|\d)\s*(?:[a-z]+\s+)?to\s+(?P<two>[$€£]?\d[\d,.]*\d|\d)(?P<unit>\s?%)?"
)


def _check_change(seen: Sighting) -> Clash | None:
    """ "doubled from 50 to 90", "rose 20% from 100 to 150", "rose from 80 to 60"."""
    match = _CHANGE.search(seen.low)
    if match is None:
        return None
    one, two = (parse_digits(match[name].strip("$€£.,")) for name in ("one", "two"))
    if one is None or two is None or not one or _is_span(match, seen):
        return None
    ratio = Fraction(two) / Fraction(one)
    wanted = {"doubled": Fraction(2), "tripled": Fraction(3), "quadrupled": Fraction(4), "halved": Fraction(1, 2)}.get(
        match["verb"]
    )
    if wanted is None and match["rate"] and not match["unit"]:
        change = Fraction(match["rate"]) / 100
        wanted = 1 + change if match["up"] else 1 - change
    if wanted is None:
        wrong = (match["up"] and ratio < 1) or (match["down"] and ratio > 1)
    else:
        wrong = abs(ratio - wanted) > Fraction(3, 100) * wanted
    return (
        _clash(seen, match.start(), match.end(), f"{match['one']} to {match['two']} is another change")
        if wrong
        else None
    )


def _is_span(match: re.Match[str], seen: Sighting) -> bool:
    """ "fell from 2019 to 2021" is a time."""
    return all(re.fullmatch(r"(?:19|20)\d\d", match[name].strip(".,")) for name in ("one", "two"))


_START = re.compile(
    r"\b(?:had|started\s+with|began\s+with|there\s+were|there\s+are|has|have|received|bought|contains?|held|owned)\s+(?P<n>\d[\d,]*|[a-z]+(?:-[a-z]+)?)\s+(?:[a-z]+\s+)?(?P<noun>[a-z]{3,})"
)
_MINUS = re.compile(r"\b(?:gave\s+away|gave|sold|lost|ate|used|spent|removed|donated|broke|threw\s+away|returned|deleted|left|died|quit|resigned|closed|were\s+sold|were\s+lost|were\s+removed|cancelled|withdrew)\s+(?P<n>\d[\d,]*|[a-z]+(?:-[a-z]+)?)\b"
                    r"|\b(?P<n2>\d[\d,]*|[a-z]+(?:-[a-z]+)?)\s+(?:of\s+them\s+|[a-z]+\s+)?(?:were|was)\s+(?:sold|lost|removed|given\s+away|broken|eaten|used|donated|deleted|cancelled|closed|stolen|returned)\b"
                    r"|\b(?P<n3>\d[\d,]*|[a-z]+(?:-[a-z]+)?)\s+(?:of\s+them\s+|[a-z]+\s+)?(?:left|died|quit|resigned|withdrew|dropped\s+out)\b")  # fmt: skip
_PLUS = re.compile(
    r"\b(?:bought|found|added|gained|hired|got|received|joined|acquired|baked|made)\s+(?:another\s+)?(?P<n>\d[\d,]*|[a-z]+(?:-[a-z]+)?)\s*(?:more|new)?\b"
)
_LEFT = re.compile(
    r"\b(?P<n>\d[\d,]*|[a-z]+(?:-[a-z]+)?)\s+(?:(?P<noun>[a-z]+)\s+)?(?:are\s+|is\s+|were\s+)?(?:left|remain(?:ed|ing|s)?|still\s+there)\b|\b(?:leaving|leaves)\s+(?:(?:him|her|them|us|me|you)\s+(?:with\s+)?)?(?P<n2>\d[\d,]*|[a-z]+(?:-[a-z]+)?)\b"
)


def _check_rests(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """ "had 10 apples, gave away 3 and has 8 left", over at most three sentences."""
    for place, seen in enumerate(sightings):
        left = _LEFT.search(seen.low)
        if left is None:
            continue
        window = sightings[max(0, place - 2) : place + 1]
        text = " ".join(s.low for s in window[:-1]) + " " + seen.low[: left.start()]
        if len(text) > 600:
            continue
        start = _START.search(text)
        if start is None:
            continue
        rest = _number(left["n"] or left["n2"])
        first = _number(start["n"])
        behind = text[start.end() :]
        minus = [_number(m["n"] or m["n2"] or m["n3"]) for m in _MINUS.finditer(behind)]
        plus = [_number(m["n"]) for m in _PLUS.finditer(behind)]
        numbers = [n for n in (*minus, *plus) if n is not None]
        if rest is None or first is None or not numbers or len(read_amounts(behind)) != len(numbers):
            continue
        expected = first - sum(n for n in minus if n is not None) + sum(n for n in plus if n is not None)
        if expected != rest:
            yield _clash(seen, left.start(), left.end(), f"{show(expected)} are left, not {show(rest)}")


def _number(word: str | None) -> Fraction | None:
    if not word:
        return None
    if word[:1].isdigit():
        value = parse_digits(word)
        return Fraction(value) if value is not None else None
    found = read_words(word.replace("-", " ").split(), 0)
    return found[0] if found else None


def _check_tables(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """Lines "label: amount" that end in a total."""
    rows: list[tuple[Fraction, str]] = []
    for seen in sightings:
        match = _ITEM.match(seen.text)
        if match is None:
            rows = []
            continue
        value = parse_digits(re.sub(r"[$€£\s]", "", match["value"]))
        label = match["label"].strip().lower()
        if value is None:
            rows = []
        elif re.fullmatch(r"(?:grand\s+)?total|sum|altogether|in\s+total|total\s+\w+", label):
            if len(rows) >= 2 and len({unit for _, unit in rows}) == 1 and rows[0][1] == _unit(match):
                added = sum(amount for amount, _ in rows)
                if abs(added - Fraction(value)) > Fraction(value) / 200:
                    yield _clash(seen, 0, len(seen.text), f"the parts come to {show(added)}, not {match['value']}")
            rows = []
        elif re.search(r"sub-?total|discount|tax|vat|average|mean|balance|rebate|refund|minus|less", label):
            rows = [(Fraction(-1), "?"), (Fraction(-1), "??")]
        else:
            rows.append((Fraction(value), _unit(match)))


def _unit(match: re.Match[str]) -> str:
    sign = re.match(r"[$€£]", match["value"])
    return sign.group() if sign else match["unit"].lower()


def show(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"
