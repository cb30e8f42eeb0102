"""What the record says in another form than the claim: days of a week, a floor, a year against "for ten years"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from groundwire.detect.records.facets import Facet
from groundwire.detect.records.sayings import Outcome, Point, Saying, Sureness
from groundwire.detect.records.values import find_values
from groundwire.detect.weighing.traits import share_told, words_of
from groundwire.text.calendar import read_moment, small_number
from groundwire.text.lexicon import readings
from groundwire.text.reading import read_text
from groundwire.text.wording import fold_case
from groundwire.types import Tense

_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = r"(mon|tue|wed|thu|fri|sat|sun)(?:s|d|sd|nes|nesd|rs|rsd|r|ur|urd)?(?:ay)?s?"
_RANGE = re.compile(rf"\b{_DAY}\b\.?\s*(?:-|–|—|to|through|till|until)\s*{_DAY}\b", re.IGNORECASE)
_NAMED = re.compile(rf"\b{_DAY}\b", re.IGNORECASE)
_ALWAYS = re.compile(r"\b(?:every ?day(?: of the week)?|daily|(?:seven|7) days(?: a week)?|all week)\b", re.IGNORECASE)
_BUT = re.compile(
    rf"{_ALWAYS.pattern},? (?:except|but|bar|apart from|other than)(?: for)?(?: on)?"
    rf"((?:(?:,| and| or| &)?(?: on)? {_DAY}\b)+)",
    re.IGNORECASE,
)
""" "Every day except Monday and Tuesday"."""
_WEEKEND = re.compile(r"\bweek-?ends?\b", re.IGNORECASE)
_WORKING = re.compile(r"\bweek-?days?\b|\bworking days?\b", re.IGNORECASE)
_OPEN = re.compile(r"\b(?:open|opens|opened)\b", re.IGNORECASE)
_SHUT = re.compile(r"\b(?:closed|shut)\b(?! (?:at|from|until|till|after|before|by)\b)", re.IGNORECASE)
""" "Closes at five" is open until then."""
_VISITED = re.compile(r"\b(?:open|opens|opened|visit|come in)\b", re.IGNORECASE)
_ALSO = re.compile(r"\b(?:too|also|as well|even|including|from|until|till|at|only)\b|\d", re.IGNORECASE)
_SPECIAL_DAY = re.compile(
    r"\b(?:easter|bank|holidays?|this|next|last|except|first|second|third|fourth|mornings?|afternoons?|evenings?|nights?)\b",
    re.IGNORECASE,
)
_DENIED = re.compile(r"\b(?:not|never|no longer)\b|n['’]t\b", re.IGNORECASE)
_SPECIAL = re.compile(
    r"\b(?:easter|holidays?|this|next|last|except|only from|until|till|before|after|"
    r"morning|afternoon|evening|night|\d)",
    re.IGNORECASE,
)
_ORDINALS = ("ground", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_FLOOR = re.compile(rf"\b({'|'.join(_ORDINALS)}|\d{{1,2}}(?:st|nd|rd|th))[ -](?:floor|storey|level)\b", re.IGNORECASE)
_FLOOR_NUMBER = re.compile(r"\b(?:floor|level|storey) (\d{1,2})\b", re.IGNORECASE)
_SPELL = re.compile(
    r"\b(?:for|since)"
    r"(?: (?:about|around|roughly|nearly|almost|over|more than|some|the (?:last|past)|a good|just under))*"
    r" (\w+(?:-\w+)?) (years?|decades?)\b(?! old)|\b(\w+(?:-\w+)?) (years?|decades?) ago\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d)(?!\d)")
_TENURES = {
    "hired": frozenset({"be", "work", "join", "start", "serve", "employ", "hire"}),
    "founded": frozenset({"exist", "operate", "found", "establish", "open", "start", "be"}),
}
_WITH = re.compile(
    r"\b(?:with|here|there|at|us|company|firm|team|business|around|joined|hired|founded|established)\b", re.IGNORECASE
)
_PARTS = (
    (re.compile(r"\b(?:(?:in|during) the mornings?|before (?:lunch|noon|midday)|every morning)\b", re.I), (0, 750)),
    (re.compile(r"\b(?:(?:in|during) the afternoons?|every afternoon|after lunch)\b", re.I), (690, 1110)),
    (re.compile(r"\b(?:(?:in|during) the evenings?|every evening)\b", re.I), (990, 1440)),
)
"""Minutes of the day, with some to spare."""
_HAPPENING = (
    frozenset({"be", "take", "happen", "hold", "meet", "run", "see"}),
    frozenset({"be", "arrive", "get", "come", "land", "reach"}),
    frozenset({"be", "start", "begin", "open", "take", "commence"}),
    frozenset({"end", "finish", "close", "stop", "conclude"}),
    frozenset({"leave", "depart", "go", "be"}),
)
_SLACK, _SHARE = 1.6, 0.25


def assess_otherwise(saying: Saying, facets: Sequence[Facet], now: datetime) -> Iterator[Point]:
    """Points on days, floors and spells of time, which are no values of the claim by themselves."""
    start, end = saying.read.claim.span
    said = saying.text[start:end]
    for facet in facets:
        agrees: bool | None = None
        if "opening_time" in facet.meanings:
            agrees = _keeps_days(said, facet.best.value)
            agrees = _keeps_part(said, facet.best.value) if agrees is None else agrees
        elif "floor" in facet.meanings:
            agrees = _keeps_floor(said, facet.best.value)
        elif facet.meanings and saying.read.claim.tense is not Tense.FUTURE:
            agrees = _keeps_spell(saying, said, facet, now)
        if agrees is not None:
            outcome = Outcome.AGREES if agrees else Outcome.DIFFERS
            yield Point(outcome, "", saying.read.claim.span, facet, Sureness.NAMED)


def _keeps_days(said: str, stored: str) -> bool | None:
    """ "Open on Mondays", where the record has Tuesday to Saturday."""
    known, named = _read_days(stored), _read_days(said)
    is_open, is_shut = _OPEN.search(said) is not None, _SHUT.search(said) is not None
    if not known or not named or is_open is is_shut or _SPECIAL.search(said):
        return None
    if is_open is (_DENIED.search(said) is None):
        return named <= known
    return False if named <= known else True if named.isdisjoint(known) else None


def are_scheduled_apart(mine: str, theirs: str) -> bool:
    """Whether two statements put one thing on other days, at another time of the day, or on another floor."""
    return exclude_days(mine, theirs) or exclude_hours(mine, theirs) or exclude_floors(mine, theirs)


def exclude_days(mine: str, theirs: str) -> bool:
    """Whether one says open and the other closed on some day: "open every day", "closed on Mondays"."""
    if not share_thing(mine, theirs) or _SPECIAL_DAY.search(_BUT.sub(" ", f"{mine} . {theirs}")):
        return False
    named, known = _read_days(mine), _read_days(theirs)
    said, told = _read_door(mine), _read_door(theirs)
    if not named or not known or said is None or told is None:
        return False
    if said is told:
        is_all = _RANGE.search(theirs) is not None or _BUT.search(theirs) is not None
        return told and not named <= known and is_all and not _ALSO.search(mine)
    return bool(named & known) if told else named >= known


def exclude_hours(mine: str, theirs: str) -> bool:
    """ "Gets in before lunch", where it is due at 16:30: the part of the day has none of the hours that are known."""
    return share_thing(mine, theirs) and _keeps_part(mine, theirs) is False and _tell_same(mine, theirs)


def _tell_same(mine: str, theirs: str) -> bool:
    """Whether both say when a thing happens, begins, ends or leaves: it is loaded earlier than it arrives."""
    own, known = ({read.proposition.predicate for read in read_text(text).claims} for text in (mine, theirs))
    return len(own) == 1 and len(known) == 1 and (own == known or any(own <= g and known <= g for g in _HAPPENING))


def _keeps_part(said: str, stored: str) -> bool | None:
    """Whether an hour that is known lies in the part of the day that is said; None where either says none, or more."""
    parts = [hours for pattern, hours in _PARTS if pattern.search(said)]
    known = [minutes for value in find_values(stored) if value.kind == "clock" and (minutes := _minutes(value.text))]
    if len(parts) != 1 or not known or _DENIED.search(said) or any(v.kind == "clock" for v in find_values(said)):
        return None
    first, last = min(map(min, known)), max(map(max, known))
    return not (last < parts[0][0] or first >= parts[0][1])


def _minutes(text: str) -> tuple[int, ...]:
    moment = read_moment(fold_case(text))
    return moment.minutes if moment is not None else ()


def _read_door(text: str) -> bool | None:
    """Whether it is said to be open; None where neither or both are said."""
    is_open, is_shut = _VISITED.search(text) is not None, _SHUT.search(text) is not None
    if is_open is is_shut:
        return None
    return is_open is (_DENIED.search(text) is None)


def share_thing(mine: str, theirs: str) -> bool:
    """Whether both name one thing, other than a day."""
    nouns = (word for word in words_of(mine) if readings(word) and readings(word)[0][0].startswith("NN"))
    return any(share_told(frozenset({word}), theirs) for word in nouns if _NAMED.fullmatch(word) is None)


def _read_days(text: str) -> frozenset[int]:
    if (but := _BUT.search(text)) is not None:
        return frozenset(range(7)) - {_DAYS.index(match[1].lower()) for match in _NAMED.finditer(but[1])}
    if _ALWAYS.search(text):
        return frozenset(range(7))
    found: set[int] = set()
    for match in _RANGE.finditer(text):
        first, last = (_DAYS.index(match[k].lower()) for k in (1, 2))
        found.update((first + k) % 7 for k in range((last - first) % 7 + 1))
    found.update(_DAYS.index(match[1].lower()) for match in _NAMED.finditer(_RANGE.sub(" ", text)))
    found.update((5, 6) if _WEEKEND.search(text) else ())
    found.update(range(5) if _WORKING.search(text) else ())
    return frozenset(found)


def _keeps_floor(said: str, stored: str) -> bool | None:
    mine = _read_floor(said)
    plain = stored.strip()
    theirs = int(plain) if plain.isdigit() else _read_floor(plain if " " in plain else f"{plain} floor")
    if mine is None or theirs is None or (_DENIED.search(said) and mine != theirs):
        return None
    return (mine == theirs) is (_DENIED.search(said) is None)


def exclude_floors(mine: str, theirs: str) -> bool:
    """ "The second floor houses the cafeteria", which is on the ground floor."""
    own, known = _read_floor(mine), _read_floor(theirs)
    if any(len(_FLOOR.findall(text)) > 1 for text in (mine, theirs)):
        return False
    if own is None or known is None or own == known or _DENIED.search(f"{mine} {theirs}"):
        return False
    subjects = [read.proposition.subject_lemmas for read in read_text(theirs).claims]
    heads = [lemmas[-1] for lemmas in subjects if lemmas]
    is_one = len(heads) == 1 and re.search(rf"\b{re.escape(heads[0])}\b", theirs, re.IGNORECASE) is not None
    return is_one and share_told(frozenset(heads), mine) > 0


def _read_floor(text: str) -> int | None:
    match = _FLOOR.search(text)
    if match is not None:
        word = match[1].lower()
        return _ORDINALS.index(word) if word in _ORDINALS else int(word[:-2])
    number = _FLOOR_NUMBER.search(text)
    return int(number[1]) if number is not None else None


def _keeps_spell(saying: Saying, said: str, facet: Facet, now: datetime) -> bool | None:
    """ "With the firm for two years", where the record has 2014."""
    verbs = frozenset[str]().union(*(_TENURES[m] for m in facet.meanings if m in _TENURES))
    match, year = _SPELL.search(said), _YEAR.search(facet.best.value)
    if saying.proposition.predicate not in verbs or match is None or year is None or not _WITH.search(said):
        return None
    count = small_number((match[1] or match[3]).casefold())
    if count is None or _DENIED.search(said):
        return None
    claimed = count * (10 if (match[2] or match[4]).lower().startswith("decade") else 1)
    real = now.year - int(year[1])
    return abs(claimed - real) <= max(_SLACK, _SHARE * real)
