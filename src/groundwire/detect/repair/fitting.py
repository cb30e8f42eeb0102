"""A stored value in the words of a sentence: as much replaced as is wrong, and written the way the sentence writes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime

from groundwire.detect.repair.edits import Change
from groundwire.text import lexicon
from groundwire.text.calendar import MONTHS
from groundwire.text.editing import replace_value, with_article
from groundwire.text.numerals import ordinal
from groundwire.text.reading import read_text
from groundwire.text.tagging import tag
from groundwire.text.temporal import find_times
from groundwire.text.times import weekdays
from groundwire.text.tokens import tokenize
from groundwire.types import Claim, Span

LONGEST_VALUE = 200
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ANY_TIME = datetime(2000, 1, 1, tzinfo=UTC)
"""Expressions of time are only located here, so any clock will do."""
_VERBS = re.compile("[bhdMVB]")
_DETERMINER = re.compile(r"(?i)\b(?:an?|the|my|our|your|his|her|its|their)\s+(?=\S)")
_BEHIND = re.compile(r"(?i)\b(?:an?|the)\s+$")
_ARTICLE_BEFORE = re.compile(r"(?<!\w)(?:a|an|A|An|AN)[ \t\u00a0]+$")
_PRINTABLE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_CLOCK = re.compile(r"(?i)\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\.?)?")
_MONTH_NAME = re.compile(rf"(?i)\b(?:{'|'.join(name[:3] for name in MONTHS)})[a-z]*\b")
_FIGURE = re.compile(r"[$€£]?\d[\d.,]*%?")
_WORD = re.compile(r"\S+")
_MOST_SHARED = 4
_NEAR = 60


def is_value(text: str) -> bool:
    """Whether something is a value that can stand in a sentence: one line, printable, and no sentence itself."""
    if not text.strip() or len(text) > LONGEST_VALUE or _PRINTABLE.fullmatch(text) is None:
        return False
    return not any(_says(read.claim, text) for read in read_text(text).claims)


def _says(claim: Claim, text: str) -> bool:
    """Somebody, and after that a verb in small letters: titles of books are written otherwise."""
    verb = claim.predicate.partition(" ")[0]
    return bool(claim.subject and verb.islower()) and re.search(rf"\w\s+{re.escape(verb)}\b", text) is not None


def fit_value(text: str, span: Span, value: str) -> tuple[Span, str] | None:
    """What is to be replaced and by which words; None where the value does not fit there."""
    if not is_value(value):
        return None
    value = " ".join(value.split())
    span = _narrow(text, span, _DETERMINER.match(text, span.start, span.end), value)
    for fit in (_fit_time, _fit_figure, _fit_phrase):
        found = fit(text, span, value)
        if found is not None:
            span, value = found
            break
    if _breaks(text, span, value):
        return None
    value = _drop_shared(text, span, _lower(text[span.start : span.end], value))
    return (span, value) if value else None


def put_value(text: str, span: Span, value: str) -> Change:
    """The right value in place of the wrong one, in its casing, with the article that it wants."""
    value = replace_value(text, span, value).text
    before = text[max(0, span.start - _NEAR) : span.start]
    article = _ARTICLE_BEFORE.search(before)
    if article is None:
        return Change(span, value)
    start = span.start - (len(before) - article.start())
    if _CLOCK.fullmatch(value):  # "a quarter to nine"
        return Change(Span(start, span.end), value)
    return Change(Span(start, span.end), with_article(article.group(), value) + value)


def _narrow(text: str, span: Span, lead: re.Match[str] | None, value: str) -> Span:
    """An article stays unless the right value brings its own."""
    return span if lead is None or _DETERMINER.match(value) else Span(lead.end(), span.end)


def _breaks(text: str, span: Span, value: str) -> bool:
    """A value in place of a verb, or a name behind an article, is no sentence any more."""
    old = _tags_in(text, span.start, text[span.start : span.end])
    new = _tags_in(text, span.start, value)
    if _VERBS.search(old) and not _VERBS.search(new):
        return True
    behind_article = _BEHIND.search(text[max(0, span.start - _NEAR) : span.start])
    return bool(behind_article and re.fullmatch("[JEGP]*N+", old) and re.fullmatch("P+", new))


def _tags_in(text: str, place: int, words: str) -> str:
    """How the words are used behind what stands before that place."""
    words = words[:LONGEST_VALUE]
    begun = max(text.rfind(mark, 0, place) for mark in ".!?\n") + 1
    tokens, own = tokenize(text[max(begun, place - LONGEST_VALUE) : place] + words), len(tokenize(words))
    return tag(tokens)[-own:] if own else ""


def _has_verb(words: str) -> bool:
    return _VERBS.search(_tags(words)) is not None


def _tags(words: str) -> str:
    tokens = tokenize(words[:LONGEST_VALUE])
    return tag(tokens) if tokens else ""


# ── times ───────────────────────────────────────────────────────────────────────────────────────


def _fit_time(text: str, span: Span, value: str) -> tuple[Span, str] | None:
    """A time takes the place of the time that is there, written the same way."""
    old = text[span.start : span.end]
    iso, day, value = _ISO.fullmatch(value), *_read_weekday(value, old)
    if iso is None and day is None and not _CLOCK.fullmatch(value):
        return None
    places = [found.span for found in find_times(old, _ANY_TIME)]
    if len(places) == 1:
        span = Span(span.start + places[0].start, span.start + places[0].end)
        old = text[span.start : span.end]
    if iso is not None:
        return span, _write_date(iso, old)
    if day is not None and old.casefold().endswith("days"):
        return span, value + "s"
    return span, value


def _read_weekday(value: str, old: str) -> tuple[int | None, str]:
    """The number of a day and its name; of "Wednesday 13:00" the day alone where only a day stood."""
    name, _, rest = value.partition(" ")
    stood = weekdays().get(old.casefold().removesuffix("s"))
    if not rest or (stood is not None and _CLOCK.fullmatch(rest)):
        return weekdays().get(name.casefold()), name
    return None, value


def _write_date(iso: re.Match[str], old: str) -> str:
    year, month, day = (int(part) for part in iso.groups())
    try:
        date(year, month, day)
    except ValueError:
        return iso.group()
    if re.search(r"\d[-/.]\d", old):
        return iso.group()
    named = _MONTH_NAME.search(old)
    name = MONTHS[month - 1]
    if named is not None and len(named.group()) == 3 and named.group().casefold() != "may":
        name = name[:3]
    number = ordinal(day) if re.search(r"(?i)\d(?:st|nd|rd|th)\b", old) else str(day)
    with_year = named is None or re.search(r"\b\d{4}\b", old) is not None
    month_first = named is not None and re.match(r"\s*\d", old[named.end() :]) and not re.match(r"\d{1,2}\b", old)
    written = f"{name} {number}" if month_first else f"{number} {name}"
    return written + ((", " if month_first else " ") + str(year) if with_year else "")


# ── figures and phrases ─────────────────────────────────────────────────────────────────────────


def _fit_figure(text: str, span: Span, value: str) -> tuple[Span, str] | None:
    """A figure takes the place of the only figure of a longer phrase; small numbers stay words where they were."""
    old = text[span.start : span.end]
    if value.isdecimal() and len(value) <= 2 and int(value) < len(_SMALL) and old.casefold() in _SMALL:
        return span, _SMALL[int(value)]
    figures = list(_FIGURE.finditer(old))
    if _FIGURE.fullmatch(value) is None or len(figures) != 1 or not _has_verb(old):
        return None
    return Span(span.start + figures[0].start(), span.start + figures[0].end()), value


def _fit_phrase(text: str, span: Span, value: str) -> tuple[Span, str] | None:
    """ "variable rate" with "fixed" is "fixed rate", "house of Merewyn" with "Tarrow" is "house of Tarrow"."""
    old = text[span.start : span.end]
    words = list(_WORD.finditer(old))
    tags, new = _tags(old), _tags(value)
    if len(words) != len(tags):
        return None
    if re.fullmatch("[JEG]+N+", tags) and re.fullmatch("[JEG]", new):
        head = words[len(tags.rstrip("N"))].start()
        return Span(span.start, span.start + len(old[:head].rstrip())), value
    if re.fullmatch("[JN]*NIP+", tags) and re.fullmatch("P+", new):
        return Span(span.start + words[tags.index("I") + 1].start(), span.end), value
    return None


def _lower(old: str, value: str) -> str:
    """A common noun that is stored with a capital is written small where a small one stood."""
    first, space, rest = value.partition(" ")
    if not old[:1].islower() or not first.istitle() or rest != rest.lower() or not first.isalpha():
        return value
    common: Callable[[str], bool] = lexicon.is_known
    return f"{first.lower()}{space}{rest}" if common(first.lower()) and _tags(first) != "P" else value


def _drop_shared(text: str, span: Span, value: str) -> str:
    """ "$6 per user" before "per user" is "$6", and "in Oslo" after "in" is "Oslo"."""
    words = value.split()
    before = text[max(0, span.start - _NEAR) : span.start].split()
    after = [word.rstrip(".,;:!?") for word in text[span.end : span.end + _NEAR].split()]
    for count in range(min(len(words) - 1, _MOST_SHARED, len(after)), 0, -1):
        if _fold(words[-count:]) == _fold(after[:count]):
            words = words[:-count]
            break
    for count in range(min(len(words) - 1, _MOST_SHARED, len(before)), 0, -1):
        if _fold(words[:count]) == _fold(before[-count:]):
            words = words[count:]
            break
    return " ".join(words)


def _fold(words: list[str]) -> list[str]:
    return [word.casefold() for word in words]
