"""One life told in ages and years: every age said of it must lead back to the same birth."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache
from typing import NamedTuple

from groundwire.detect.sightings import Sighting, read_words
from groundwire.detect.times.ages import NUMBER, ORDINAL, read_age, time_behind
from groundwire.detect.times.dates import Extent, find_extent, is_relative
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.numerals import has_digit
from groundwire.text.tables import join_phrases, read_table
from groundwire.types import MentionType, Span, TemporalExpression

AGE = 0.78
_OLDEST = 115
_ADVERB = (
    r"(?:(?:only|just|already|still|now|then|currently|today|barely|exactly|about|almost|nearly|[a-z]+ly)\s+){0,2}"
)
_WHO = r"(?P<who>(?:\b(?:the|an?|my|your|our|his|her|their)\s+(?:[a-z-]+\s+)?)?[a-z'-]+)"
_BORN = re.compile(r"\bborn\b")
_LIFE = re.compile(
    r"\blived\s+from\s+(?P<a>[12]\d{3})\s+(?:to|until|till)\s+(?P<b>[12]\d{3})\b|\((?P<c>[12]\d{3})\s?[–—-]\s?(?P<d>[12]\d{3})\)"
)
_DIED = re.compile(r"\b(?:died|passed\s+away|death)\b")
_PLAIN = (
    r"(?=[.,;:!)]|$|\s+(?:and|but|when|while|in|at|by|then|now|today|or|years?\s+old|years?\s+of\s+age|this\s+year)\b)"
)
_CUT = re.compile(r"[;:]|\b(?:and|but|while|before|after|until|since|whereas|than|later|earlier)\b")
_NOW = re.compile(r"\b(?:now|currently|today|these\s+days|at\s+present|this\s+(?:year|month|week))\b")
_AGENT = re.compile(
    r"(?:er|or|ist|ian|ess|man|woman|boy|girl|ant|mother|father|person|patient|veteran|star|author|poet)$"
)


class _Said(NamedTuple):
    """An age, from the least to the most that its words can mean, with the time it is said of."""

    least: int
    most: int
    when: Extent | None
    span: Span
    is_dated: bool
    """Its year is written, so that it leads back to a birth."""


class _Birth(NamedTuple):
    first: int
    last: int
    shown: str
    where: Span
    is_said: bool


@cache
def _pattern() -> re.Pattern[str]:
    table = read_table("temporal_faults", "detect")
    words, decades = "|".join(table["ages"]), "|".join(table["age_decades"])
    return re.compile(
        rf"{_WHO}(?:\s+(?:is|was|were|am|are)|'s|'m|'re)\s+{_ADVERB}(?P<age>{NUMBER}){_PLAIN}"
        rf"|\b(?:aged|at(?:\s+only|\s+just|\s+the\s+(?:ripe\s+old\s+|tender\s+|young\s+)?age\s+of|\s+age)?|age\s+of|turn(?:ed|s|ing)?)\s+(?P<at>{NUMBER})(?=[.,;:!)]|$|\s+(?:in|and|when|on|as|last|this|yesterday)\b)"
        rf"|\b(?:an?\s+|as\s+an?\s+)(?P<old>{NUMBER})[\s-]year[\s-]old\b|\b(?:man|woman|boy|girl|child|lad)\s+of\s+(?P<of>{NUMBER})(?=[.,;!]|$|\s+(?:when|in|and)\b)"
        rf"|\b(?P<birthday>\d{{1,3}}(?:th|st|nd|rd)|{ORDINAL})\s+birthday\b"
        rf"|\b(?:is|was|'s|are|were)\s+{_ADVERB}an?\s+(?:[a-z]+\s+)?(?P<word>{words})\b"
        rf"|\bin\s+(?:his|her|their|my|your)\s+(?P<part>early\s+|mid-?\s?|late\s+)?(?P<decade>{decades}|[1-9]0s)\b"
    )


@cache
def _kin() -> re.Pattern[str]:
    kin = join_phrases(read_words("kin"))
    return re.compile(
        rf"\b(?:his|her|their|whose|its|my|your|our|[a-z]+'s)\s+(?:[a-z]+\s+)?(?:{kin}|grand[a-z]+|fianc[a-zé]+)\b"
    )


class LifelineKeeper:
    """Goes through an answer and keeps what is known of the one it tells of."""

    def __init__(self, today: date) -> None:
        self._today = today
        self._names: frozenset[str] = frozenset()
        self._gender = ""
        self._birth: _Birth | None = None
        self._end: int | None = None
        self._said: list[_Said] = []
        self._kin = ""
        """The one told of, where it is somebody's: "my father"."""

    def read(self, seen: Sighting) -> Iterator[TemporalFault]:
        if seen.is_question:
            return
        self._follow(seen)
        if not seen.times and self._birth is None and not has_digit(seen.low):
            return
        fault = self._note_birth(seen)
        if fault is not None:
            yield fault
            return
        for match in _pattern().finditer(seen.low):
            said = self._read_said(seen, match)
            if said is None:
                continue
            if (fault := self._check(seen, said, match)) is not None:
                yield fault
            elif self._birth is None and not said.is_dated and said.when is not None and match["age"]:
                self._said.append(said)  # "Hugo is 41. He was born in 1996"
            elif self._birth is None and said.is_dated and said.when is not None:
                self._said.append(said)
                first, last = said.when.first.year - said.most - 1, said.when.last.year - said.least
                shown = seen.text[said.span.start - seen.start : said.span.end - seen.start]
                self._birth = _Birth(first, last, shown, said.span, is_said=False)

    def _follow(self, seen: Sighting) -> None:
        """Another name without a pronoun, or a pronoun of the other gender, begins another life."""
        verb = seen.tokens[seen.groups[0].start].start if seen.groups else seen.start
        names = frozenset(
            word
            for mention in seen.segment.entities
            if mention.mention_type is MentionType.PROPER_NAME and mention.span.start <= verb
            for word in mention.surface.lower().split()
        )
        words = seen.words if not _kin().match(seen.low) else set(re.findall(r"[a-z]+", _kin().sub("", seen.low)))
        spoken = {"he", "his", "him"} & words, {"she", "her", "hers"} & words
        gender = "" if bool(spoken[0]) is bool(spoken[1]) else "he" if spoken[0] else "she"
        is_other = bool(names and self._names and not names & self._names and not any(spoken))
        if is_other or (gender and self._gender and gender != self._gender):
            self._birth, self._end, self._said, self._names, self._gender = None, None, [], frozenset(), ""
        self._names, self._gender = self._names or names, self._gender or gender

    def _note_birth(self, seen: Sighting) -> TemporalFault | None:
        if (life := _LIFE.search(seen.low)) is not None:
            first, last = int(life["a"] or life["c"]), int(life["b"] or life["d"])
            if 0 < last - first <= _OLDEST:
                where = Span(seen.start + life.start(), seen.start + life.end())
                self._birth, self._end = _Birth(first, first, str(first), where, is_said=True), last
            return None
        for match in _BORN.finditer(seen.low):
            time = time_behind(seen, match.end(), 40)
            extent = find_extent(time) if time is not None else None
            if time is None or extent is None:
                continue
            is_kin = _kin().search(seen.low[: match.start()]) is not None
            if is_kin and self._birth is not None:
                continue
            known = [said for said in self._said if said.when is not None and not is_kin]
            is_new = self._birth is not None and self._birth.is_said
            self._birth = _Birth(extent.first.year, extent.last.year, time.surface, time.span, is_said=True)
            self._end, self._said = None, []
            wrong = [s for s in known if not is_new and not self._fits(s)]
            if wrong and not seen.is_quoted(time.span):
                evidence = f"from {time.surface} to the age of {wrong[0].least} is no way to the year told with it"
                return TemporalFault(time.span, AGE, evidence, "The age does not fit the birth: check all three.")
        if self._birth is not None and self._birth.is_said and (died := _DIED.search(seen.low)) is not None:
            time = time_behind(seen, died.end(), 30)
            extent = find_extent(time) if time is not None else None
            self._end = extent.last.year if extent is not None else self._end
        return None

    def _read_said(self, seen: Sighting, match: re.Match[str]) -> _Said | None:
        ages = _ages_of(match)
        if ages is None or not ages[0] <= _OLDEST or not self._is_own(seen, match):
            return None
        span = Span(seen.start + match.start(), seen.start + match.end())
        when, is_dated = self._moment_of(seen, match)
        if not is_dated and match["age"] and re.match(r"\s+(?:in|at|by|or)\b", seen.low[match.end() :]):
            return None  # "is 34 in total"
        return _Said(*ages, when, span, is_dated)

    def _is_own(self, seen: Sighting, match: re.Match[str]) -> bool:
        """It is said of the one who is told of: nobody's wife, and nobody of another name."""
        front = seen.low[max(0, match.start() - 60) : match.start() + len(match["who"] or "")]
        is_hero = self._birth is None and not self._names and _kin().fullmatch(match["who"] or "") is not None
        kin = _kin().search(front)
        if kin is not None and not is_hero and kin.group() != self._kin:
            return False
        self._kin = match["who"] if is_hero else self._kin
        if not match["age"]:
            return True
        who = (match["who"] or "").split()[-1]
        if is_hero or who in ("he", "she", "who", "i", "you") or who in self._names:
            return True
        return bool(match["who"].startswith("the ") and _AGENT.search(who)) and self._birth is not None

    def _moment_of(self, seen: Sighting, match: re.Match[str]) -> tuple[Extent | None, bool]:
        start, end = seen.start + match.start(), seen.start + match.end()
        near: list[tuple[int, Extent]] = []
        for time in seen.times:
            extent = self._extent_of(time)
            if extent is None or (self._birth is not None and time.span == self._birth.where):
                continue
            gap = seen.between(end, time.span.start) if time.span.start >= end else seen.between(time.span.end, start)
            if len(gap) <= 50 and not _CUT.search(gap) and "born" not in gap:
                near.append((len(gap), extent))
        if near:
            return min(near, key=lambda found: found[0])[1], True
        told = match.group()
        is_now = re.search(r"\b(?:is|am|are)\b|'s|'m|'re", told) is not None and not match["at"]
        is_now = is_now and not any(find_extent(t) for t in seen.times if t.span.start > end)
        if is_now or (_NOW.search(told) is not None):
            return Extent(self._today, self._today, "day"), False
        return None, False

    def _extent_of(self, time: TemporalExpression) -> Extent | None:
        if (extent := find_extent(time)) is not None:
            return extent
        if (
            is_relative(time)
            and time.resolved_date is not None
            and re.match(r"last|yester|this|today", time.surface.lower())
        ):
            return Extent(time.resolved_date, time.resolved_date, "year")
        return None

    def _fits(self, said: _Said) -> bool:
        if self._birth is None or said.when is None:
            return True
        least = said.when.first.year - self._birth.last - 1
        most = said.when.last.year - self._birth.first
        return said.most >= least and said.least <= most

    def _check(self, seen: Sighting, said: _Said, match: re.Match[str]) -> TemporalFault | None:
        birth = self._birth
        if birth is None or seen.is_quoted(said.span):
            return None
        if said.when is None:
            if self._end is None or said.least <= self._end - birth.first or not match["at"] or said.least > 105:
                return None
            evidence = f"whoever lived from {birth.shown} to {self._end} was never {said.least}"
        elif self._fits(said):
            return None
        else:
            evidence = f"from {birth.shown} to {said.when.first:%Y} is {said.when.last.year - birth.last} years"
        return TemporalFault(said.span, AGE, evidence, "The age does not fit the dates: check all three.")


def _ages_of(match: re.Match[str]) -> tuple[int, int] | None:
    table = read_table("temporal_faults", "detect")
    if match["word"]:
        least, most = table["ages"][match["word"]]
        return least, most
    if match["decade"]:
        tens = int(match["decade"][:2]) if match["decade"][0].isdigit() else table["age_decades"][match["decade"]]
        part = (match["part"] or "").strip(" -")
        return tens + {"mid": 2, "late": 5}.get(part, 0), tens + {"early": 4, "mid": 7}.get(part, 9)
    age = read_age(match["age"] or match["at"] or match["old"] or match["of"] or match["birthday"])
    if age is None:
        return None
    return (age, age) if not match["birthday"] else (max(0, age - 1), age)
