"""Figures that nobody stored or said because they follow from others: differences, totals, ages, days that are left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import combinations

from groundwire.detect.amounts.figures import adds_up, find_shares, read_figures, tells_age
from groundwire.detect.examination import Examination
from groundwire.detect.review.places import sentence_at
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.text.function_words import closed_classes
from groundwire.text.numerals import numerals
from groundwire.types.detection import HallucinationFlag

_N = r"(?:[$€£]?\d[\d,.]*|[a-z]+(?:-[a-z]+)?)"
_MORE = (
    "more|less|fewer|cheaper|dearer|lower|higher|longer|shorter|older|younger|later|earlier|left|over|remaining|apart|short|extra"
    "|difference|ahead|behind|off|saved"
)
_DIFFERENCE = re.compile(
    rf"\bby (?:about |exactly |only |just )?{_N}\b|\b{_N} (?:[a-z]+ ){{0,2}}?(?:{_MORE})\b"
    rf"|\b{_N} (?:[a-z]+ ){{0,3}}?[a-z]{{3,}}er than\b"
    rf"|\b(?:saves?|difference (?:is|of)|leaves|gains?) (?:you |us |them )?{_N}\b",
    re.IGNORECASE,
)
_LEFT = re.compile(
    rf"\b{_N} (?P<unit>day|week|month|year)s? (?:are |is )?"
    r"(?:left|to go|remain(?:ing)?|from (?:now|today)|away|until|before)\b"
    rf"|\bin {_N} (?P<in>day|week|month|year)s?\b",
    re.IGNORECASE,
)
_DAYS = {"day": 1, "week": 7, "month": 30.44, "year": 365.25}
_TOTAL = re.compile(
    r"\b(?:makes?|making|total(?:s|ling)?|altogether|in all|together|add(?:s|ing)? up|comes? to|sum|in total|overall)\b"
)
_AGES = re.compile(
    r"\b(?:turn(?:s|ed)?|years? old|years? of age|anniversary|birthday|centenary|jubilee|has existed|have existed"
    r"|(?:is|was|were|will be|became) (?=(?:a |an )?(?:\d+|[a-z-]+) in \d{4}))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_MOST_WORDS = 3
_MOST = 40
_MOST_FIGURES = 16


def _given(examined: Examination) -> list[str]:
    """Every turn, every record and every sentence of the answer, each for itself."""
    texts = [turn.text for turn in examined.dialogue.turns][-_MOST:]
    known = examined.knowledge
    if isinstance(known, Knowledge):
        texts += [_tell(entity) for entity in known.entities[:_MOST]]
    texts += [memory.text for memory in known.statements[:_MOST]]
    return [*texts, *(segment.text for segment in examined.segments[:_MOST])]


def _tell(entity: Entity) -> str:
    return ", ".join(value.value for name in entity.attribute_names for value in entity.get_attribute(name)[:_MOST])


def is_difference(flag: HallucinationFlag, examined: Examination) -> bool:
    """ "Lower by 900 euros", where 8,200 and 9,100 were given: two figures of what was said lie so far apart."""
    sentence = sentence_at(examined, flag.span)
    told = {figure for m in _DIFFERENCE.finditer(flag.content) for figure in read_figures(m.group())}
    told = told or {figure for m in _DIFFERENCE.finditer(sentence) for figure in read_figures(m.group())}
    own = read_figures(flag.content)
    if not told or not own or not own <= told | _said(examined):
        return False
    return all(any(_lie_apart(figure, text) for text in _said_texts(examined)) for figure in told & own or told)


def _said_texts(examined: Examination) -> list[str]:
    turns = [turn.text for turn in examined.dialogue.turns][-_MOST:]
    return [*turns, " ; ".join(turns[-4:])]


def _said(examined: Examination) -> frozenset[float]:
    return frozenset[float]().union(*(read_figures(text) for text in _said_texts(examined)))


def _lie_apart(figure: float, text: str) -> bool:
    pool = sorted(read_figures(text))[:_MOST_FIGURES]
    return any(abs(one - other) == figure for one, other in combinations(pool, 2))


def is_time_left(flag: HallucinationFlag, examined: Examination) -> bool:
    """ "You have eleven days left", where a day that the answer names is eleven days from now."""
    sentence = sentence_at(examined, flag.span).lower()
    today = examined.now.date()
    times = [time for segment in examined.segments for time in segment.temporals]
    days = [day for time in times if time.resolved_date for day in _ahead(time.resolved_date, time.surface, today)]
    for match in _LEFT.finditer(sentence):
        unit = _DAYS[match["unit"] or match["in"]]
        for figure in read_figures(match.group()):
            if any(abs((day - today).days - figure * unit) <= max(1.0, unit / 2) for day in days if day > today):
                return True
    return False


def _ahead(day: date, surface: str, today: date) -> Iterator[date]:
    """A day; and of one without its year the next that comes, whichever was read."""
    yield day
    if (
        str(day.year) not in surface
        and _DAY.search(surface) is not None
        and day <= today
        and (day.month, day.day) != (2, 29)
    ):
        coming = day.replace(year=today.year)
        yield coming if coming > today else coming.replace(year=today.year + 1)


_DAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)?\b")


def is_age(flag: HallucinationFlag, examined: Examination) -> bool:
    """ "It turned fifty in 1982", of what was founded in 1932: nothing is said but how old it was."""
    if _AGES.search(flag.content) is None:
        return False
    words = set(_WORD.findall(_AGES.sub(" ", flag.content).casefold())) - closed_classes().keys() - _numbers()
    if len(words) > _MOST_WORDS:
        return False
    return tells_age(flag.content, [sentence_at(examined, flag.span), *_given(examined)])


def is_total(flag: HallucinationFlag, examined: Examination) -> bool:
    """ "11, 14 and 12 kilometres, which makes 37": every figure was given, or is the sum of those beside it."""
    sentence = sentence_at(examined, flag.span)
    own = read_figures(flag.content)
    if not own or find_shares(flag.content) or _TOTAL.search(sentence.lower()) is None:
        return False
    given = _given_elsewhere(examined, sentence)
    known = frozenset[float]().union(*(read_figures(text) for text in given))
    return all(_is_given(figure, own, known, sentence, given) for figure in own)


def _given_elsewhere(examined: Examination, sentence: str) -> list[str]:
    return [text for text in _given(examined) if text.strip() != sentence]


def _is_given(
    figure: float, own: frozenset[float], known: frozenset[float], sentence: str, given: Sequence[str]
) -> bool:
    if figure in known or adds_up(figure, (sentence, *given)):
        return True
    others = sorted(own - {figure})[:_MOST_FIGURES]
    return figure == len(others) - 1 or any(figure in (a + b, a * b) for a, b in combinations(others, 2))


def _numbers() -> frozenset[str]:
    known = numerals()
    return frozenset((*known.units, *known.tens))
