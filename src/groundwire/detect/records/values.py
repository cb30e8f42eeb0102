"""The values in a stretch of text: amounts, dates, times, addresses; each with where it stands and what it counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundwire.text.calendar import read_moment
from groundwire.text.contacts import read_contact
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma
from groundwire.text.numerals import has_digit, numerals
from groundwire.text.quantities import read_quantity
from groundwire.text.wording import fold_case
from groundwire.types import Span

_TOKEN = re.compile(r"[$€£¥]?\d[\d.,:/]*\d%?|[$€£¥]?\d%?|[^\W\d_]+(?:['’.-](?=\w)\w+)*|[$€£¥%°]|\S")
_NUMBER = re.compile(r"\+?\d[\d ()/-]{5,22}\d(?!\w)")
_ADDRESS = re.compile(rf"[\w.+-]{{1,64}}@[\w-]{{1,64}}(?:\.[\w-]{{1,64}}){{1,6}}|{_NUMBER.pattern}")
_LETTERS = re.compile("[a-z]+")
_REMEMBERED = 400
_LONGEST_MOMENT = 7
_LONGEST_AMOUNT = 6
_OF_TIME = frozenset({"duration", "months"})


@dataclass(frozen=True, slots=True)
class Value:
    """`kind` is amount, date, clock, when or address; `nouns` are what an amount counts or numbers."""

    text: str
    span: Span
    kind: str
    dimension: str = ""
    nouns: tuple[str, ...] = ()
    is_vague: bool = False


@lru_cache(maxsize=4096)
def read_shape(text: str) -> tuple[str, str]:
    """The kind and dimension of a whole value; two empty strings for words and names."""
    plain = fold_case(text.strip())
    if read_contact(plain) is not None:
        return "address", "email" if "@" in plain else "phone"
    moment = read_moment(plain)
    if moment is not None:
        if moment.minutes and (moment.days or moment.weekday is not None or moment.month):
            return "when", ""
        return ("clock", "") if moment.minutes else ("date", "")
    found = read_quantity(plain)
    if found is not None:
        quantity, rest = found
        if quantity.unit.dimension in _OF_TIME and not rest:
            return "amount", "duration"
        return "amount", quantity.unit.dimension
    return "", ""


_AND_MINUTES = re.compile(
    r"\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3}) hours? and "
    r"(?:\d{1,2}|[a-z]{3,9}(?:-[a-z]{3,5})?) minutes?\b",
    re.IGNORECASE,
)
_PART_OF_HOUR = re.compile(r"\b(?P<part>a quarter|three quarters|half)(?: of)? an hour\b", re.IGNORECASE)
_MINUTES = {"a quarter": "15 minutes", "half": "30 minutes", "three quarters": "45 minutes"}
_PART_OF_MILLION = re.compile(
    r"\b(?P<part>a quarter of|half|three quarters of) a million(?P<unit> (?:euros?|dollars?|pounds?|francs?))?\b",
    re.IGNORECASE,
)
_THOUSANDS = {"a quarter of": "250000", "half": "500000", "three quarters of": "750000"}
_DEGREES = re.compile(
    r"(?<![\w.,])(?P<number>\d{1,4}) degrees(?! (?:celsius|fahrenheit|of|north|south|east|west)\b)", re.I
)
_PART_OF_DAY = re.compile(
    r"(?P<past>(?:half|quarter|five|ten|twenty) (?:past|to|after) )?(?P<hour>\w{1,9})(?: o['’]clock)? "
    r"(?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night))",
    re.IGNORECASE,
)
_AND_A_HALF = re.compile(r"\b(?:an?|one|\d{1,4}|[^\W\d_]{3,9}) [^\W\d_]{3,12} and a half\b", re.IGNORECASE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_HOUR = re.compile(
    r"\b(?:at|by|until|till|before|from) "
    r"(?P<hour>one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?=[.,;!?)]|$| (?:on|and|to|in the|every|each|or|so|sharp)\b)",
    re.IGNORECASE,
)
_HOURS = frozenset("one two three four five six seven eight nine ten eleven twelve".split())  # noqa: SIM905
_CODE = re.compile(
    r"(?<![\w.])(?!(?:[QH][1-4]|EUR|USD|GBP|CHF|JPY|SEK|NOK|DKK|PLN|CAD|AUD)\d*\b)[A-Za-z]{1,4}-?\d[\w-]{0,11}\b"
)
""" "Gate B17", "model KX-20": a name, of which the figures are a part; not so the third quarter and a sum of money."""
_NO_UNITS = frozenset({"in", "has", "at", "as", "a", "are", "am", "is", "on", "or", "an", "to", "was", "by", "had"})
_NO_ENDS = _NO_UNITS - {"am"}
_ENDS = ".,;:!?"


def find_values(text: str, start: int = 0, blocked: Sequence[tuple[int, int]] = ()) -> list[Value]:
    """Every value of `text`, left to right; spans are shifted by `start`, what stands in `blocked` ones is a name."""
    if start or blocked or len(text) > _REMEMBERED:
        return _find_values(text, start, blocked)
    return list(_find_known(text))


def may_hold_address(text: str) -> bool:
    """Whether a mail address or a telephone number can be among the values."""
    return "@" in text or _NUMBER.search(text) is not None


def opens_with(text: str, value: Value) -> bool:
    """ "Room 12 has a balcony": the number behind the first noun says which one is meant, and counts nothing."""
    before = text[: value.span.start].casefold().split()
    is_number = value.dimension == "count" and value.text[:1].isdigit()
    return is_number and 1 <= len(before) <= 2 and noun_lemma(before[-1]) in value.nouns


@lru_cache(maxsize=8192)
def _find_known(text: str) -> tuple[Value, ...]:
    return tuple(_find_values(text, 0, ()))


def _find_values(text: str, start: int, blocked: Sequence[tuple[int, int]]) -> list[Value]:
    taken = [(a - start, b - start) for a, b in blocked]
    has_figures = has_digit(text)
    if has_figures:
        taken += [match.span() for match in _CODE.finditer(text) if read_shape(match.group())[0] in ("", "amount")]
    found: list[Value] = []
    if has_figures or "@" in text:
        _take_worded(text, _ADDRESS if "@" in text else _NUMBER, _read_address, start, found, taken)
    low = text.casefold()
    for pattern, marks, read in _WORDED:
        for mark in marks:
            if mark in low:
                _take_worded(text, pattern, read, start, found, taken)
                break
    if not _HOURS.isdisjoint(_LETTERS.findall(low)):
        _take_worded(text, _HOUR, _read_bare_hour, start, found, taken)
    tokens = list(_TOKEN.finditer(text))
    if taken:
        tokens = [token for token in tokens if not _overlaps(token.span(), taken)]
    i = 0
    while i < len(tokens):
        if not _may_open(tokens[i].group()):
            i += 1
            continue
        size, value = _read_at(text, tokens, i, start)
        if value is not None:
            found.append(value)
        i += size
    return sorted(found, key=lambda value: value.span)


def _take_worded(
    text: str,
    pattern: re.Pattern[str],
    read: Callable[[re.Match[str], int], Value | None],
    start: int,
    found: list[Value],
    taken: list[tuple[int, int]],
) -> None:
    """The values of one form, which nothing else may be read in."""
    for match in pattern.finditer(text):
        value = None if _overlaps(match.span(), taken) else read(match, start)
        if value is not None:
            found.append(value)
            taken.append(match.span())


def _overlaps(span: tuple[int, int], others: Sequence[tuple[int, int]]) -> bool:
    return any(a < span[1] and span[0] < b for a, b in others)


def _read_address(match: re.Match[str], start: int) -> Value | None:
    if _DAY.match(match.group()):
        return None
    kind, dimension = read_shape(match.group())
    span = Span(start + match.start(), start + match.end())
    return Value(match.group(), span, kind, dimension) if kind == "address" else None


def _read_and_a_half(match: re.Match[str], start: int) -> Value | None:
    """ "a month and a half" is one amount."""
    kind, dimension = read_shape(match.group())
    read = read_quantity(fold_case(match.group()))
    if kind != "amount" or read is None or read[1]:
        return None
    return Value(match.group(), Span(start + match.start(), start + match.end()), kind, dimension)


def _read_part_of_hour(match: re.Match[str], start: int) -> Value:
    """ "three quarters of an hour" is 45 minutes."""
    span = Span(start + match.start(), start + match.end())
    return Value(_MINUTES[match["part"].casefold()], span, "amount", "duration")


def _read_part_of_million(match: re.Match[str], start: int) -> Value:
    text = f"{_THOUSANDS[match['part'].casefold()]}{match['unit'] or ''}"
    return Value(text, Span(start + match.start(), start + match.end()), *read_shape(text))


def _read_degrees(match: re.Match[str], start: int) -> Value:
    """ "180 degrees", as an oven has them."""
    span = Span(start + match.start(), start + match.end())
    return Value(f"{match['number']} degrees celsius", span, "amount", "temperature")


def _read_hour(match: re.Match[str], start: int) -> Value | None:
    """ "ten in the evening" is 10 pm."""
    hour = read_quantity(fold_case(match["hour"]))
    if hour is None or hour[1] or hour[0].centre is None or not 0 < hour[0].centre <= 12:
        return None
    span = Span(start + match.start(), start + match.end())
    if match["past"]:
        return Value(match.group(), span, "clock") if read_moment(fold_case(match.group())) is not None else None
    return Value(f"{hour[0].centre} {'am' if match['part'] == 'morning' else 'pm'}", span, "clock")


def _read_bare_hour(match: re.Match[str], start: int) -> Value | None:
    """ "by eight" is eight o'clock, in the morning or in the evening."""
    words = f"{match['hour'].casefold()} o'clock"
    span = Span(start + match.start("hour"), start + match.end("hour"))
    return Value(words, span, "clock") if read_moment(words) is not None else None


_WORDED: tuple[tuple[re.Pattern[str], Sequence[str], Callable[[re.Match[str], int], Value | None]], ...] = (
    (_PART_OF_DAY, (" in the ", " at night"), _read_hour),
    (_PART_OF_HOUR, (" an hour",), _read_part_of_hour),
    (_PART_OF_MILLION, (" a million",), _read_part_of_million),
    (_DEGREES, (" degrees",), _read_degrees),
    (_AND_A_HALF, (" and a half",), _read_and_a_half),
    (_AND_MINUTES, (" hour and ", " hours and "), _read_and_a_half),
)
"""Values of several words, and what a text must have for one of them."""


def _are_neighbours(tokens: list[re.Match[str]], i: int, size: int) -> bool:
    """Whether the tokens follow each other with nothing but a blank or a comma between them."""
    return all(tokens[k + 1].start() - tokens[k].end() < 3 for k in range(i, i + size - 1))


def _read_at(text: str, tokens: list[re.Match[str]], i: int, start: int) -> tuple[int, Value | None]:
    for size in range(min(_LONGEST_MOMENT, len(tokens) - i), 0, -1):
        last = tokens[i + size - 1]
        phrase = text[tokens[i].start() : last.end()]
        if (
            "\n" in phrase
            or phrase[-1] in _ENDS
            or last.group().casefold() in _NO_ENDS
            or not _are_neighbours(tokens, i, size)
        ):
            continue
        moment = read_moment(fold_case(phrase))
        kind = read_shape(phrase)[0] if moment is not None else ""
        if moment is None or kind not in ("date", "clock"):
            continue
        return size, Value(phrase, Span(start + tokens[i].start(), start + last.end()), kind)
    return _read_amount(text, tokens, i, start)


def _read_amount(text: str, tokens: list[re.Match[str]], i: int, start: int) -> tuple[int, Value | None]:
    best: tuple[int, Value] | None = None
    for size in range(1, min(_LONGEST_AMOUNT, len(tokens) - i) + 1):
        last = tokens[i + size - 1]
        phrase = text[tokens[i].start() : last.end()]
        if "\n" in phrase or not _are_neighbours(tokens, i, size):
            break
        if last.group() in _ENDS or (size > 1 and last.group().casefold() in _NO_UNITS):
            continue
        read = read_quantity(fold_case(phrase))
        if read is None or read[1].strip(" -.,"):
            continue
        dimension = "duration" if read[0].unit.dimension in _OF_TIME else read[0].unit.dimension
        span = Span(start + tokens[i].start(), start + last.end())
        best = size, Value(phrase, span, "amount", dimension, _nouns_around(tokens, i, size), not read[0].is_exact)
    return best or _read_compound(tokens, i, start)


def _read_compound(tokens: list[re.Match[str]], i: int, start: int) -> tuple[int, Value | None]:
    """ "three-star" and "fourth": a number inside a word."""
    token = tokens[i]
    head, _, rest = token.group().partition("-")
    span = Span(start + token.start(), start + token.start() + len(head))
    if rest and (read := read_quantity(fold_case(head))) is not None and not read[1]:
        return 1, Value(head, span, "amount", "count", (noun_lemma(rest.casefold()), *_nouns_around(tokens, i, 1)))
    number = numerals().ordinals.get(token.group().casefold())
    if number is None:
        return 1, None
    return 1, Value(str(number), span, "amount", "count", _nouns_around(tokens, i, 1))


@lru_cache(maxsize=4096)
def _may_open(word: str) -> bool:
    if word[0].isdigit() or word[0] in "$€£¥":
        return True
    low = fold_case(word)
    if len(low) < 2 or low in _NO_UNITS:
        return False
    if read_moment(low) is not None or low in _LEADS or low in numerals().ordinals:
        return True
    read = read_quantity(low.partition("-")[0])
    return read is not None and not read[1]


_LEADS = frozenset(
    "half quarter noon midnight mid early late about around over up almost nearly roughly under less more some".split()  # noqa: SIM905
)


def _nouns_around(tokens: list[re.Match[str]], i: int, size: int) -> tuple[str, ...]:
    """The nouns right behind an amount, up to the end of its phrase, or the one right before a bare number."""
    found: list[str] = []
    for token in tokens[i + size : i + size + 4]:
        word = token.group().casefold()
        if not word[0].isalpha() or (word in closed_classes() and word != "of"):
            break
        if word != "of":
            found.append(noun_lemma(word))
    if "-" in tokens[i + size - 1].group():
        found.extend(noun_lemma(part) for part in tokens[i + size - 1].group().casefold().split("-")[1:])
    if i and (before := tokens[i - 1].group().casefold()).isalpha() and before not in closed_classes():
        found.append(noun_lemma(before))
    return tuple(found)
