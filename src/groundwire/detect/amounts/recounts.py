"""One set counted twice: "names a single heir", and then "the three heirs"; a trio with five members."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from groundwire.detect.amounts.counts import may_count, read_number, show, tell_clash
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma

_NUMBER = r"\d{1,4}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_COUNTED = re.compile(
    r"\b(?:has|have|had|names?|named|there\s+(?:is|are|was|were)|contains?|contained|consists?\s+of|consisted\s+of|owns?"
    r"|owned|employs?|employed|lists?|listed|with|calls?\s+for|needs?|requires?|takes?|uses?|includes?|comes\s+with|features|offers|invited|interviewed)\s+(?:(?:exactly|only|just|precisely)\s+)?"
    rf"(?P<many>an?\s+single|{_NUMBER})\s+(?P<noun>[a-z]{{3,}})\b(?!\s+(?:of|or|and\s+(?:{_NUMBER}))\b|-)"
)
_ENSEMBLE = re.compile(
    r"\b(?:is|are|was|were|as)\s+an?\s+(?:[a-z]+\s+)?(?P<name>duo|trio|quartet|quintet|sextet|septet|octet)\b"
)
_SEATS = re.compile(r"\b(?:seats|has\s+seating\s+for)\s+(?P<many>\d[\d,]{0,7})\b")
_SIZES = {"duo": 2, "trio": 3, "quartet": 4, "quintet": 5, "sextet": 6, "septet": 7, "octet": 8}
_AGAIN = re.compile(
    rf"(?:^|[,;:]\s|\b(?:and|so|by|whisk|add|mix|beat|read|use|take|open|fill|answer|visit|pack|paint|wash|check|clean|watch|eat)\s)(?P<which>all|the|all\s+of\s+the|each\s+of\s+the|its|their)\s+(?P<many>{_NUMBER})\s+"
    r"(?P<noun>[a-z]{3,}s|people|children|men|women)\s+"
    r"(?!of\s+(?!the\b)|from\b|in\s+(?!one\b)|who\b|that\b|which\b|with\s+(?!the\b)|on\b|at\b|for\b|to\b|by\b|and\b|or\b|under\b|behind\b)[a-z]"
)
_CHANGED = re.compile(
    r"\b(?:join|joined|add|added|new|more|another|later|grew|now|other|each|every|since|hired|bought|extra|then|until|double|twice|batch|half)\b"
)
_NUMBERED = re.compile(
    r"\b(?P<noun>page|chapter|step|article|paragraph|volume|slide|verse|stage|act|lesson)\s+(?P<many>\d{1,4})\b(?!\s?(?:%|[ap]\.?m\b))"
)
_REACH = 6


def find_wrong_recounts(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    known: dict[str, tuple[Fraction, int]] = {}
    for place, seen in enumerate(sightings):
        if seen.is_endless or seen.is_question:
            continue
        if known and may_count(seen.low):
            yield from _check(seen, place, known, sightings)
            yield from _check_number(seen, place, known, sightings)
        if _CHANGED.search(seen.low):
            known.clear()
            continue
        for match in _COUNTED.finditer(seen.low):
            many = Fraction(1) if "single" in match["many"] else read_number(match["many"])
            noun = noun_lemma(match["noun"])
            if many is not None:
                known[noun] = (many, place) if noun not in known else (Fraction(-1), place)
        for match in _SEATS.finditer(seen.low):
            if (many := read_number(match["many"].replace(",", ""))) is not None:
                known["seat"] = (many, place)
        if (ensemble := _ENSEMBLE.search(seen.low)) is not None:
            known["member"] = (Fraction(_SIZES[ensemble["name"]]), place)


def _check_number(
    seen: Sighting, place: int, known: dict[str, tuple[Fraction, int]], sightings: Sequence[Sighting]
) -> Iterator[Clash]:
    """ "The book has 200 pages. On page 312": what is numbered ends with the last one."""
    for match in _NUMBERED.finditer(seen.low):
        count, where = known.get(match["noun"], (Fraction(-1), place))
        if 0 < count < int(match["many"]) and 0 < place - where <= _REACH:
            evidence = f"{match.group()} of {show(count)}"
            yield tell_clash(seen, match.start(), match.end(), evidence, sightings[where].segment.span)


def _check(
    seen: Sighting, place: int, known: dict[str, tuple[Fraction, int]], sightings: Sequence[Sighting]
) -> Iterator[Clash]:
    for match in _AGAIN.finditer(seen.low):
        count, where = known.get(noun_lemma(match["noun"]), (Fraction(-1), place))
        many = read_number(match["many"])
        if many is None or count < 0 or not 0 < place - where <= _REACH:
            continue
        if many > count or (match["which"].startswith(("all", "each")) and many != count):
            evidence = f"{show(many)} {match['noun']}, but {show(count)} before"
            start, end = match.start("which"), match.end("noun")
            yield tell_clash(seen, start, end, evidence, sightings[where].segment.span)
