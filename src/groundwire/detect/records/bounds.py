"""Amounts that only look like another value: limits, rough figures, labels, another measure, somebody's budget."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.detect.records.facets import Facet
from groundwire.detect.records.sayings import Saying, find_measures
from groundwire.detect.records.values import Value, find_values
from groundwire.text.inflection import plural
from groundwire.text.numerals import numerals
from groundwire.text.quantities import read_quantity
from groundwire.text.subjects import USER
from groundwire.text.wording import fold_case

_FRONT = 40
_ROUGHLY = re.compile(
    r"\b(?:shortly (?:before|after)|(?:just|well|a (?:little|bit)|slightly|not quite|somewhat) "
    r"(?:before|after|over|under|more than|less than|above|below|past|shy of)|"
    r"just|nearly|almost|close to|not quite|getting on for|a good) $",
    re.IGNORECASE,
)
_FRACTION = re.compile(r"(?:an? )?(?:half|quarter|third)\b", re.IGNORECASE)
_UP_TO = re.compile(r"^(?:up to|at most|no more than|a maximum of) ", re.IGNORECASE)
_YOURS = re.compile(
    r"\b(?:your|my|our)(?: [a-z]+){0,2} of (?:only |about |around |up to )?$|\b(?:your|my) (?:[a-z]+ )?$|"
    r"\b(?:budget|limit|allowance|ceiling)(?: of| is|:)? $",
    re.IGNORECASE,
)
_OVER = re.compile(r"^over ", re.IGNORECASE)
_NEARLY = 0.85
_LIMITS = frozenset({"maximum", "max", "limit", "minimum", "min"})
_SCALED = re.compile(
    r"\b(?:half|double|twice|triple|a third of|a quarter of|\w+ times)(?: of)?(?: an?| the| that)? "
    r"(?:batch|recipe|amount|portion|dose|quantity|order|dough|mixture|sauce)\b",
    re.IGNORECASE,
)
""" "For half a batch": what follows is worked out from the record."""
_WORKED_OUT = re.compile(
    r"(?:\bthat is|\bthat['’]s|\bi\.e\.|\bmakes|\bwhich is|\bequals|=|\bin all|\btotal(?:ling)?|, so)"
    r"(?: about| roughly| some| only)?[,:]? $",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*(\d{1,6})\s*(?:-|–|—|to)\s*(\d{1,6})\s*(?:[^\W\d_]+)?\s*")
_LENGTHS = frozenset("depth height elevation length width diameter thickness distance wingspan".split())  # noqa: SIM905
_APART = re.compile(
    r"\s*(?:or so\s+)?(?:from|away|off|outside|inland|north|south|east|west|behind|beyond|up|down|along|further|"
    r"ahead|on foot|walk|drive|of|(?:above|below|over|under) (?:the|your|its) (?!sea\b))\b",
    re.IGNORECASE,
)


def is_scaled(text: str) -> bool:
    """Whether a sentence speaks of more or less of a thing than the record does."""
    return _SCALED.search(text) is not None


def is_label(saying: Saying, value: Value, facet: Facet) -> bool:
    """ "Article 17", where it is known how many articles there are: which one, and not how many."""
    before = saying.text[max(0, value.span.start - _FRONT) : value.span.start].casefold().split()
    if value.dimension != "count" or not value.text.isdigit() or not before or before[-1] not in facet.words:
        return False
    return facet.attribute.casefold().endswith(plural(before[-1]))


def is_within_limit(saying: Saying, value: Value, facet: Facet) -> bool:
    """ "Your parcel of 18 kilos", where the most is 20: nothing is said of the most."""
    return not _LIMITS.isdisjoint(facet.words) and facet.words.isdisjoint(saying.words) and bool(value.text)


def is_roughly(text: str, facet: Facet) -> bool:
    """ "A good five kilos", where 5.4 are on record: about the same, and said so."""
    if facet.kind != "amount" or (stored := read_quantity(fold_case(facet.shown[0]))) is None:
        return False
    for value in find_values(text):
        said = read_quantity(fold_case(value.text)) if value.dimension == facet.dimension else None
        is_rough = value.is_vague or _ROUGHLY.search(text[: value.span.start]) is not None
        if said is None or not is_rough or not said[0].number or not stored[0].number:
            continue
        one, other = (q[0].number * q[0].unit.factor for q in (said, stored))
        if _NEARLY * max(one, other) <= min(one, other):
            return True
    return False


def read_bound(value: Value, facet: Facet) -> str:
    """ "Up to 40" is what a room holds and the upper end of a range; "over 12 rounds" are twelve of them."""
    bare = _UP_TO.sub("", value.text)
    if bare != value.text and ({"capacity", "limit"} & set(facet.meanings) or _LIMITS & facet.words):
        return bare
    ends = _ENDS.fullmatch(facet.shown[0])
    if bare != value.text and ends is not None:
        most = read_quantity(fold_case(bare))
        return bare if most is not None and most[0].number <= int(ends[2]) else ""
    over = _OVER.sub("", value.text)
    is_same = over != value.text and value.dimension == "count" and over.casefold() in _forms_of(facet.shown[0])
    return over if is_same else value.text


def _forms_of(shown: str) -> frozenset[str]:
    """A stored number in digits and in words."""
    words = (word for word, number in numerals().units.items() if str(number) == shown.strip())
    return frozenset({shown.strip().casefold(), *words})


def is_rough(saying: Saying, value: Value) -> bool:
    """ "shortly before five", "a little over two": how far off is nobody's to say."""
    before = saying.text[max(0, value.span.start - 30) : value.span.start]
    if _FRACTION.match(value.text) and before.rstrip().endswith((" and", " and a")):
        return True  # "fifteen and a half feet", cut in two
    return _ROUGHLY.search(before) is not None


def is_yours(saying: Saying, value: Value, facets: Sequence[Facet]) -> bool:
    """ "Within your 800 euros", "with your budget of 1,500": what one has to spend is no price."""
    if all(facet.entity.name == USER for facet in facets):
        return False
    return is_owned(saying.text, value.span.start)


def is_owned(text: str, start: int) -> bool:
    """The same of the value that begins there."""
    return _YOURS.search(text, max(0, start - _FRONT), start) is not None


def is_other_measure(saying: Saying, value: Value, facet: Facet) -> bool:
    """ "25 metres wide", "80 metres from the station", where a height is on record: another measure."""
    start, end = saying.read.claim.span
    if value.dimension != "length":
        return False
    measures = find_measures(saying.text[start:end].casefold()) & _LENGTHS
    after = saying.text[value.span.end : value.span.end + _FRONT]
    return bool(measures and not measures & facet.words) or _APART.match(after) is not None


def is_of_something(saying: Saying, value: Value, facet: Facet) -> bool:
    """ "200 metres of rope": an amount of something else than what it is said of."""
    after = saying.text[value.span.end : value.span.end + _FRONT]
    if not after.startswith(" of "):
        return False
    return not any(
        after[4:].casefold().startswith(name.casefold()) for name in (facet.entity.name, *facet.entity.aliases)
    )


def is_multiple(saying: Saying, value: Value) -> bool:
    """ "Two months' rent, that is 1,880 euros": so many times what is on record, and announced as a result."""
    return _WORKED_OUT.search(saying.text, max(0, value.span.start - _FRONT), value.span.start) is not None
