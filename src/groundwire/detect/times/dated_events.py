"""Events of one thing with their dates: an end before its beginning, and a length that the two dates deny."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.ages import ORDINALS
from groundwire.detect.times.dates import (
    Extent,
    find_extent,
    has_year,
    is_relative,
    months_between,
    read_duration,
    read_minutes,
)
from groundwire.detect.times.event_order import join_particle
from groundwire.detect.times.event_pairs import EventPair, event_pairs, life_words, pairs_among
from groundwire.detect.times.intervals import fits_amount
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.verbs import VerbGroup
from groundwire.types import Claim, Span, TemporalExpression

ORDER = 0.80
_MOST = 16
"""So many dated events of one subject are compared; an answer that has more is a chronicle of many."""
_UNRESOLVED = frozenset({"he", "she", "they", "it", "we", "i", "you", "this", "that", "these", "those", "there", "who"})
_PERSONS = frozenset({"he", "she"})
_DAY = re.compile(r"\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?[a-z]{3,9}|[a-z]{3,9}\s+\d{1,2}(?:st|nd|rd|th)?")
_OWNED = ("his ", "her ", "its ", "their ", "he ", "she ")
_LASTED = re.compile(
    r"\b(?:lasted|lasting|lasts|spanned|spanning|took|taking|ran\s+for|running\s+for|an?\s+[a-z]+\s+of|after\s+an?)\s+(?:for\s+)?"
    r"(?P<about>(?:about|around|roughly|approximately|nearly|almost|over|more than|less than|at least|under|just over"
    r"|just under|exactly)\s+)?"
    r"(?P<words>[\w-]{1,14}?[\s-](?:minutes?|hours?|days?|weeks?|months?|years?|decades?|centur(?:y|ies)))\b(?!\s+(?:off|out|break)\b)"
)


@dataclass(frozen=True, slots=True)
class _Event:
    """A verb with its one date."""

    seen: Sighting
    lemma: str
    subject: str
    things: str
    """The object, in so many words."""
    time: TemporalExpression
    extent: Extent | None
    minutes: int | None
    is_passive: bool
    is_own: bool
    """It is read in a claim of its own, so that its subject is known."""
    place: int
    """Number of the sentence."""


class _Verb(NamedTuple):
    at: int
    """Its last token."""
    lemma: str
    is_passive: bool


def find_dated_faults(sightings: Sequence[Sighting]) -> list[tuple[Sighting, TemporalFault]]:
    events: dict[str, list[_Event]] = defaultdict(list)
    told, told_at = "", -9
    for place, seen in enumerate(sightings):
        if seen.is_question or not seen.segment.claims:
            continue
        for event in _read_events(seen, place):
            key = _subject_key(event.subject)
            if key in _UNRESOLVED:  # the one last spoken of, in this sentence or the one before
                known = told and place - told_at <= 1
                if not known and key in _PERSONS:
                    told, told_at, known = f"? {key}", place, True  # whoever "he" is, he goes on being meant
                key = told if known else f"{place} {key}"
            elif not event.subject.lower().startswith(_OWNED):
                told, told_at = key, place
            events[key].append(event)
        subject = seen.segment.claims[0].subject
        if _subject_key(subject) not in _UNRESOLVED and not subject.lower().startswith(_OWNED):
            told, told_at = _subject_key(subject), place
    found: list[tuple[Sighting, TemporalFault]] = []
    for group in events.values():
        if 2 <= len(group) <= _MOST:
            dated = [event for event in group if event.extent is None or event.extent.grain != _YEARLESS]
            found += _compare(group, sightings) or find_life_faults(dated)
    everything = [event for group in events.values() for event in group]
    if 2 <= len(everything) <= 4 * _MOST:
        found += find_numbered_faults(everything) + _compare_nouns(everything)
    return found


def _read_events(seen: Sighting, place: int) -> Iterator[_Event]:
    """The verbs of a sentence that have one date each, with their subjects."""
    times = [(t, find_extent(t) or _find_yearless(seen, t), read_minutes(t.surface)) for t in seen.times]
    known = [(t, extent, minutes) for t, extent, minutes in times if extent is not None or minutes is not None]
    if not known or not seen.tokens:
        return
    verbs = _find_verbs(seen)
    dates: dict[_Verb, list[tuple[TemporalExpression, Extent | None, int | None]]] = defaultdict(list)
    for entry in known:
        verb = _verb_of(seen, entry[0], verbs)
        if verb is not None:
            dates[verb].append(entry)
    previous = ""
    for verb in verbs:
        claim = _claim_of(seen, verb)
        subject = claim.subject if claim is not None and not _is_time(seen, claim.subject) else previous
        previous = subject
        if claim is not None and (claim.hedged or claim.quoted or claim.polarity.value != "positive"):
            continue
        if len(dates[verb]) == 1 and subject:
            things = claim.object if claim is not None else ""
            yield _Event(seen, verb.lemma, subject, things, *dates[verb][0], verb.is_passive, claim is not None, place)


_YEARLESS = "yearless"


def _find_yearless(seen: Sighting, time: TemporalExpression) -> Extent | None:
    """ "3 March": a day of some year, the same one for all such days of a sentence."""
    day = time.resolved_date
    if day is None or is_relative(time) or has_year(time) or not _DAY.fullmatch(time.surface.lower()):
        return None
    if any(has_year(other) for other in seen.times):
        return None
    shared = date(2000, day.month, day.day)
    return Extent(shared, shared, _YEARLESS)


def _is_time(seen: Sighting, subject: str) -> bool:
    """A date that was read as a subject: "left on 3 March 2026 and docked …"."""
    return any(time.surface == subject for time in seen.times)


def _find_verbs(seen: Sighting) -> list[_Verb]:
    found = [
        _Verb(group.end - 1, join_particle(seen, group.lemma, group.end)[0], _is_passive(seen, group))
        for group in seen.groups
        if not group.modal and not group.negated
    ]
    inside = {k for group in seen.groups for k in range(group.start, group.end)}
    for k, token in enumerate(seen.tokens):
        if token.tag == "E" and k not in inside and (lemma := verb_lemma(token.low)):
            is_joined = k > 0 and seen.letters[k - 1] == "C"  # "was born and finished": a verb of its own
            found.append(_Verb(k, join_particle(seen, lemma, k + 1)[0], not is_joined))
    return sorted(found)


def _is_passive(seen: Sighting, group: VerbGroup) -> bool:
    """ "was born and received the prize": what has an object of its own shares no auxiliary."""
    has_object = group.auxiliary is not None and seen.letters[group.end : group.end + 1] in ("D", "S", "N", "P")
    return group.passive and not has_object


def _verb_of(seen: Sighting, time: TemporalExpression, verbs: list[_Verb]) -> _Verb | None:
    """The verb in front of a date, or behind it where the date opens its clause."""
    at, behind = seen.index_at(time.span.start), seen.index_at(time.span.end)
    while at > 0 and seen.letters[at - 1] in "ItDR":
        at -= 1
    while behind < len(seen.tokens) and seen.letters[behind] in ",)":
        behind += 1
    after = next((verb for verb in verbs if verb.at >= behind), None)
    opens = at == 0 or seen.letters[at - 1] in ",;:-(CU"
    if opens and after is not None and seen.letters[behind : behind + 1] in ("D", "S", "p", "N", "P", "J", "#"):
        return after
    return next((verb for verb in reversed(verbs) if verb.at < at), None)


def _claim_of(seen: Sighting, verb: _Verb) -> Claim | None:
    token = seen.tokens[verb.at]
    around = [c for c in seen.segment.claims if c.span.start <= token.start and token.end <= c.span.end]
    own = [c for c in around if token.low in c.predicate.lower().split()]
    return min(own, key=lambda c: c.span.end - c.span.start, default=None)


def _subject_key(subject: str) -> str:
    return re.sub(r"^(?:the|a|an|its|his|her|their)\s+", "", subject.casefold())


def find_life_faults(events: list[_Event]) -> list[tuple[Sighting, TemporalFault]]:
    """Nobody does anything before the birth, or after the end; what is done to the dead is no deed of theirs."""
    found: list[tuple[Sighting, TemporalFault]] = []
    births = [e for e in events if e.lemma in life_words("births") and e.extent]
    ends = [e for e in events if e.lemma in life_words("ends") and e.extent]
    if len(births) > 1 or len(ends) > 1:  # more than one is spoken of
        return []
    made = [e for e in events if e.lemma in life_words("makings") and e.is_passive and e.extent]
    founded = [e for e in events if e.lemma in life_words("foundings") and e.is_passive and e.extent]
    begun = [e for e in events if e.lemma in life_words("releases") and e.is_passive and e.extent]
    for event in events:
        if event.extent is None or event in births or event in ends:
            continue
        if len(begun) == 1 and event.lemma == "be" and not event.is_passive and "already" in event.seen.words:
            found += _tell_too_early(event, begun[0])
        if len(founded) == 1 and event is not founded[0] and event.lemma not in life_words("forerunners"):
            found += _tell_too_early(event, founded[0]) if not event.is_passive else []
        if event.is_passive and event.lemma not in life_words("living"):
            if (
                len(made) == 1
                and event is not made[0]
                and event.is_own
                and event.lemma not in life_words("before_making")
            ):
                found += _tell_too_early(event, made[0])
            continue
        early = [
            b
            for b in births
            if b.extent and event.extent.last < b.extent.first and event.lemma not in life_words("unborn")
        ]
        late = [
            e
            for e in ends
            if e.extent
            and event.extent.first > e.extent.last
            and (event.lemma not in life_words("posthumous") or _revives(event, e))
        ]
        for other in (*early, *late):
            place = max(event, other, key=lambda e: e.time.span)
            evidence = f"{event.lemma} at {event.time.surface}, but {other.lemma} at {other.time.surface}"
            suggestion = "This lies outside the life of its subject: check both dates."
            found.append((place.seen, TemporalFault(place.time.span, ORDER, evidence, suggestion)))
    return found


def _revives(event: _Event, end: _Event) -> bool:
    """What closed may reopen; who died may not."""
    return event.lemma in life_words("revivals") and end.lemma in ("die", "pass away")


def _tell_too_early(event: _Event, made: _Event) -> list[tuple[Sighting, TemporalFault]]:
    """ "made around 1750", "sold in 1741": nothing is done to a thing before there is one."""
    if event.extent is None or made.extent is None or event.extent.last >= made.extent.first:
        return []
    place = max(event, made, key=lambda e: e.time.span)
    evidence = f"{event.lemma} at {event.time.surface}, but {made.lemma} at {made.time.surface}"
    suggestion = "This happened before there was such a thing: check both dates."
    return [(place.seen, TemporalFault(place.time.span, ORDER, evidence, suggestion))]


def _compare(events: list[_Event], sightings: Sequence[Sighting]) -> list[tuple[Sighting, TemporalFault]]:
    found: list[tuple[Sighting, TemporalFault]] = []
    for pair in pairs_among({event.lemma for event in events}):
        firsts = [e for e in events if e.lemma in pair.first]
        thens = [e for e in events if e.lemma in pair.then]
        if pair.undated or len(firsts) != 1 or len(thens) != 1 or not _same_object(firsts[0], thens[0], pair):
            continue
        first, then = firsts[0], thens[0]
        if _comes_and_goes(first, then) or _ANEW.search(first.seen.low):
            continue
        later = max(first, then, key=lambda event: event.time.span)
        if _is_reversed(first, then):
            evidence = f"{then.lemma} at {then.time.surface}, but {first.lemma} at {first.time.surface}"
            suggestion = "The end comes before the beginning: check both dates."
            found.append((later.seen, TemporalFault(later.time.span, ORDER, evidence, suggestion)))
        elif (fault := _check_length(first, then, sightings)) is not None:
            found.append(fault)
    return found


def _comes_and_goes(first: _Event, then: _Event) -> bool:
    """ "You arrive on 3 May and leave on 5 May": told in this order it is a visit, and no journey."""
    is_told_first = then.time.span < first.time.span
    return is_told_first and any(p.undated and then.lemma in p.first and first.lemma in p.then for p in event_pairs())


_ANEW = re.compile(r"\b(?:again|anew|once\s+more|another)\b")  # "was fixed on 3 May but reported again on 9 May"
_NUMBERED = re.compile(rf"(?:^|\s)(?P<nth>{'|'.join(ORDINALS)})\s+(?P<noun>[a-z]+)$")


def find_numbered_faults(events: list[_Event]) -> list[tuple[Sighting, TemporalFault]]:
    """ "The second half began at 16:05 and the first half at 17:00": what is counted comes in its order."""
    known: dict[tuple[str, str], list[tuple[int, _Event]]] = defaultdict(list)
    found: list[tuple[Sighting, TemporalFault]] = []
    for event in events:
        match = _NUMBERED.search(event.subject.lower())
        phase = next((name for name, verbs in _life_phases() if event.lemma in verbs), event.lemma)
        if match is None or phase in ("be", "have"):
            continue
        nth = ORDINALS.index(match["nth"])
        for other, earlier in known[match["noun"], phase]:
            first, then = (event, earlier) if nth < other else (earlier, event)
            if nth != other and abs(event.place - earlier.place) <= 1 and _is_reversed(first, then):
                place = max(event, earlier, key=lambda e: e.time.span)
                evidence = f"{then.subject} at {then.time.surface}, but {first.subject} at {first.time.surface}"
                suggestion = "They come in another order: check both times."
                found.append((place.seen, TemporalFault(place.time.span, ORDER, evidence, suggestion)))
        known[match["noun"], phase].append((nth, event))
    return found


def _life_phases() -> Iterator[tuple[str, frozenset[str]]]:
    """Starts of any kind are starts, and ends are ends."""
    yield "start", event_pairs()[0].first | life_words("appearing")
    yield "end", event_pairs()[0].then


def _compare_nouns(events: list[_Event]) -> list[tuple[Sighting, TemporalFault]]:
    """ "was sentenced in February; the trial opened in March": an event that is named by a noun, in one sentence."""
    found: list[tuple[Sighting, TemporalFault]] = []
    for one, other in pairwise(sorted(events, key=lambda e: e.time.span)):
        if one.place != other.place:
            continue
        for named, plain in ((one, other), (other, one)):
            nouns = {noun_lemma(word) for word in re.findall(r"[a-z]+", named.subject.lower())}
            if named.lemma not in _OPENINGS or plain.extent is None or named.extent is None:
                continue
            if _YEARLESS in (plain.extent.grain, named.extent.grain):
                continue
            fits = any(nouns & pair.first_nouns and plain.lemma in pair.then for pair in event_pairs())
            if fits and named.extent.first > plain.extent.last:
                evidence = f"{plain.lemma} at {plain.time.surface}, but {named.subject} at {named.time.surface}"
                suggestion = "These events have a fixed order: check both dates."
                found.append((other.seen, TemporalFault(other.time.span, ORDER, evidence, suggestion)))
    return found


_OPENINGS = frozenset({"open", "begin", "start", "commence", "hold", "launch", "take"})


def _same_object(first: _Event, then: _Event, pair: EventPair) -> bool:
    one, other = (re.sub(r"^(?:its|the) doors$", "", event.things.casefold()) for event in (first, then))
    if pair.apart:
        return first.place == then.place
    if pair.dated and first.place != then.place and one != other:
        return False
    objects = [re.sub(r"^(?:the|a|an|its|his|her|their)\s+", "", o) for o in (one, other)]
    times = [event.time.surface.casefold() for event in (first, then)]
    objects = ["" if any(t in o or o in t for t in times) and o else o for o in objects]
    if objects[1] in ("it", "them", "him", "her") and objects[0]:
        return True
    if pair.dated and objects[0] and not objects[1] and first.place == then.place:
        return first.time.span < then.time.span or _looks_back(first)  # "joined the firm in 2010 and left in 2005"
    return objects[0] == objects[1]


def _looks_back(event: _Event) -> bool:  # "retired in 1999, having joined the firm in 2003"
    return "having" in event.seen.between(event.time.span.start - 60, event.time.span.start).split()


def _is_reversed(first: _Event, then: _Event) -> bool:
    if first.extent is not None and then.extent is not None:
        if _YEARLESS in (first.extent.grain, then.extent.grain):  # from December to January is no way back
            days = (first.extent.first - then.extent.last).days
            return first.extent.grain == then.extent.grain and first.place == then.place and 0 < days <= 90
        return first.extent.first > then.extent.last
    if first.minutes is None or then.minutes is None or first.place != then.place:
        return False
    same_half = (first.minutes < 720) is (then.minutes < 720)
    return same_half and first.minutes > then.minutes and "next day" not in first.seen.low


def _check_length(first: _Event, then: _Event, sightings: Sequence[Sighting]) -> tuple[Sighting, TemporalFault] | None:
    """ "began in 1939 and ended in 1945, lasting eight years", in one sentence or the one behind it."""
    last = max(first.place, then.place)
    for seen in sightings[last : last + 2]:
        match = _LASTED.search(seen.low)
        duration = read_duration(match["words"]) if match else None
        if match is None or duration is None or (seen is not sightings[last] and find_other_subject(seen)):
            continue
        bounds = _bounds(first, then, duration.measure)
        if bounds is None or fits_amount(duration, *bounds, (match["about"] or "").strip()):
            return None
        span = Span(seen.start + match.start("words"), seen.start + match.end("words"))
        evidence = f"from {first.time.surface} to {then.time.surface} is not {match['words']}"
        return seen, TemporalFault(span, ORDER, evidence, "The length does not fit its end points: check all three.")
    return None


def find_other_subject(seen: Sighting) -> bool:
    return not seen.low.lstrip().startswith(("it ", "this ", "that ", "they ", "in total", "altogether", "the "))


def _bounds(first: _Event, then: _Event, measure: str) -> tuple[float, float] | None:
    if measure == "minutes":
        if first.minutes is None or then.minutes is None:
            return None
        length = float((then.minutes - first.minutes) % 1440)
        return length, length
    if first.extent is None or then.extent is None or first.extent.grain != then.extent.grain == _YEARLESS:
        return None
    if measure == "days":
        days = (then.extent.first - first.extent.first).days
        return (days, days + 1) if first.extent.grain == then.extent.grain == "day" else None
    slack = 12 if first.extent.grain == "year" else 1
    return (
        months_between(first.extent.first, then.extent.first) - slack,
        months_between(first.extent.first, then.extent.last) + 1,
    )
