"""Events in an order they cannot have: completed before it started, born after the death, dates the wrong way round."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import Extent, find_extent, find_yearless
from groundwire.detect.times.event_pairs import event_nouns, event_words, pairs_by_first
from groundwire.detect.times.tenses import TemporalFault
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.verbs import VerbGroup
from groundwire.types import Span

ORDER = 0.80
_PRONOUNS = frozenset({"it", "they", "he", "she", "i", "we", "you", "that", "this", "them", "itself"})
_PERSONS = frozenset({"he", "she", "i", "we", "you"})
_HAPPENING = frozenset(
    {
        "come",
        "happen",
        "occur",
        "take",
        "fall",
        "be",
        "precede",
        "follow",
        "predate",
        "postdate",
        "hold",
        "celebrate",
        "finalise",
        "finalize",
        "grant",
        "begin",
        "start",
        "open",
        "commence",
        "announce",
        "read",
        "issue",
        "reach",
    }
)
_AGAIN = frozenset(
    {
        "again",
        "new",
        "another",
        "second",
        "next",
        "re",
        "other",
        "different",
        "third",
        "once",
        "sister",
        "twin",
        "predecessor",
        "successor",
        "replacement",
    }
)
_EMPTY_HEADS = frozenset({"one", "thing", "place", "all", "even", "ever", "actually"})
_COMPARING = frozenset({"than", "as", "never", "ever", "like"})
_BEGINNINGS = frozenset({"start", "begin", "commence"})
_GENERIC = frozenset({"two", "couple", "pair", "party", "2", "both"})


@dataclass(frozen=True, slots=True)
class Side:
    """One of two events that a sentence puts in order: the tokens from `start` to `end`."""

    start: int
    end: int
    verb: str
    """Lemma of the event's verb, or its noun."""
    is_noun: bool
    subject: tuple[str, ...]
    objects: tuple[str, ...]
    pronoun: str
    """The pronoun that is its subject, if it is one."""
    has_owner: bool
    """The subject is somebody's: "his father"."""
    is_plain: bool
    """Asserted: neither denied nor merely possible."""
    at: int
    """The token behind the event word."""


class Ordering(NamedTuple):
    """ "main before sub", or after it."""

    main: Side
    sub: Side
    is_before: bool
    connective: int


_BEFORE = {"before": True, "after": False, "preceding": True, "following": False}
_TWO_WORDS = {("prior", "to"): True, ("ahead", "of"): True, ("subsequent", "to"): False, ("earlier", "than"): True,
              ("later", "than"): False}  # fmt: skip
_CUES = (
    "before",
    "after",
    "prior to",
    "preced",
    "follow",
    "ahead of",
    "date",
    "when",
    "by the time",
    "subsequent",
    " than",
)
_LIGHT = frozenset({"reach", "give", "hold", "make", "deliver", "pronounce", "announce"})
_VERBS_OF_ORDER = {"precede": True, "predate": True, "follow": False, "postdate": False}


def find_order_faults(seen: Sighting) -> Iterator[TemporalFault]:
    """What one sentence says of two events in the wrong order, with dates or without."""
    if seen.is_question or not _may_order(seen.low):
        return
    for ordering in _find_orderings(seen):
        span = _span_of(seen, ordering)
        if seen.is_quoted(span):
            continue
        fault = _check_dates(seen, ordering) or _check_pairs(seen, ordering, span)
        if fault is not None:
            yield fault


def _may_order(low: str) -> bool:
    return any(word in low for word in _CUES)


def _find_orderings(seen: Sighting) -> Iterator[Ordering]:
    tokens, letters = seen.tokens, seen.letters
    for k, token in enumerate(tokens):
        is_before, size = _BEFORE.get(token.low), 1
        if is_before is None and k + 1 < len(tokens):
            is_before, size = _TWO_WORDS.get((token.low, tokens[k + 1].low)), 2
        if is_before is None and token.low in ("when", "time") and _was_already(seen, k):
            is_before, size = True, 1
        if is_before is None and (lemma := verb_lemma(token.low)) in _VERBS_OF_ORDER and letters[k] in "VEG":
            is_before, size = _VERBS_OF_ORDER[lemma], 1
            if any(t.low == "by" for t in tokens[k + 1 : k + 2]):
                is_before, size = not is_before, 2
            elif letters[k + 1 : k + 2] in ("I", ",", ".", "R", ""):
                continue  # "the windows followed in 2024"
        if is_before is None or (k and tokens[k - 1].low in _COMPARING):
            continue
        if token.low in ("following", "preceding") and k and letters[k - 1] in "DS":
            continue
        found = _take_sides(seen, k, k + size)
        if found is not None:
            yield Ordering(*found, is_before, k)


def _was_already(seen: Sighting, at: int) -> bool:
    """ "had already ended when": what comes first is in the past perfect."""
    group = next((g for g in reversed(seen.groups) if g.end <= at), None)
    if group is None or not group.perfect or seen.tokens[group.start].low not in ("had", "'d", "'d"):
        return False
    return seen.tokens[at].low == "when" or seen.tokens[max(0, at - 1)].low == "the"


def _take_sides(seen: Sighting, at: int, behind: int) -> tuple[Side, Side] | None:
    """The main event and the one behind the connective, whichever stands first."""
    letters = seen.letters
    is_fronted = not letters[:at].strip('RC"-')
    if is_fronted:
        comma = letters.find(",", behind)
        if comma < 0:
            return None
        main, sub = _read_side(seen, comma + 1, len(letters), first=True), _read_side(seen, behind, comma, first=True)
    else:
        end = next((k for k in range(behind, len(letters)) if letters[k] in ";:.W"), len(letters))
        start = max((k + 1 for k in range(at) if letters[k] in ";:"), default=0)
        main, sub = _read_side(seen, start, at, first=False), _read_side(seen, behind, end, first=True)
    return (main, sub) if main is not None and sub is not None else None


def _read_side(seen: Sighting, start: int, end: int, *, first: bool) -> Side | None:
    """The event between two tokens: its first verb behind a connective, the last one in front of it."""
    if start >= end:
        return None
    groups = [g for g in seen.groups if g.start >= start and g.end <= end]
    group = (groups[0] if first else groups[-1]) if groups else None
    if group is not None and group.lemma in _HAPPENING and (noun := _noun_before(seen, start, group.start)) is not None:
        return _nominal(seen, start, end, noun, is_plain=not group.negated and not group.modal)
    if first and (group is None or group.start > start):
        bare = _bare_event(seen, start, group.start if group else end, end)
        if bare is not None:
            return bare
    if group is None:
        noun = _noun_before(seen, start, end)
        if noun is not None:
            return _nominal(seen, start, end, noun, is_plain=True)
        return Side(start, end, "", True, (), (), "", False, True, end)  # only its date can be wrong
    begin = max((g.end for g in groups if g.end <= group.start), default=start) if not first else start
    if begin != start and not any(seen.letters[k] in ",CUW" for k in range(begin, group.start)):
        begin = start
    subject = [k for k in range(begin, group.start) if seen.letters[k] in "NPp#"]
    subject = subject or [k for k in range(start, begin) if seen.letters[k] in "NPp"][:1]
    return _verbal(seen, start, end, group, subject)


def _verbal(seen: Sighting, start: int, end: int, group: VerbGroup, subject: list[int]) -> Side:
    tokens, letters = seen.tokens, seen.letters
    lemma, at = join_particle(seen, group.lemma, group.end)
    if lemma in _LIGHT and (noun := _noun_before(seen, at, end)) is not None:  # "reached its verdict"
        return replace(_nominal(seen, at, end, noun, is_plain=not group.negated and not group.modal), start=start)
    pronoun = tokens[subject[-1]].low if len(subject) == 1 and letters[subject[-1]] == "p" else ""
    owner = any(letters[k] in "S'" for k in range(start, group.start))
    plain = not group.negated and not group.modal and "if" not in seen.words and "unless" not in seen.words
    heads = tuple(noun_lemma(tokens[k].low) for k in subject if letters[k] != "p")
    return Side(start, end, lemma, False, heads, _objects(seen, at, end), pronoun, owner, plain, at)


def join_particle(seen: Sighting, lemma: str, at: int) -> tuple[str, int]:
    """ "took off" is take off."""
    following = seen.tokens[at].low if at < len(seen.tokens) else ""
    if lemma == "get" and (verb := verb_lemma(following)) and verb in event_words():  # "got married"
        return verb, at + 1
    joined = f"{lemma} {following}"
    return (joined, at + 1) if joined in event_words() else (lemma, at)


def _objects(seen: Sighting, at: int, end: int) -> tuple[str, ...]:
    """Head nouns of what follows the verb, up to a time or the next clause; a pronoun gives "it"."""
    found: list[str] = []
    times = [time.span for time in seen.times]
    for k in range(at, end):
        letter, token = seen.letters[k], seen.tokens[k]
        if letter in ",;:CUW" or any(span.start <= token.start < span.end for span in times):
            break
        if letter == "p":
            found.append("it")
        elif letter in "NPG" and token.low not in _EMPTY_HEADS:
            found.append(noun_lemma(token.low))
        elif letter in "VbhdM":
            break
    return tuple(found)


def _bare_event(seen: Sighting, start: int, end: int, last: int) -> Side | None:
    """ "before starting", "before being born", "prior to its start"."""
    tokens, letters = seen.tokens, seen.letters
    k = start
    while k < end and letters[k] in "R":
        k += 1
    if k >= end:
        return None
    low = tokens[k].low
    if low in ("being", "getting", "having") and k + 1 < end:
        k += 1
        k += letters[k] in "bR" and k + 1 < end
        lemma = verb_lemma(tokens[k].low) or tokens[k].lemma
        lemma, at = join_particle(seen, lemma, k + 1)
        return Side(start, last, lemma, False, (), _objects(seen, at, end), "", False, True, at)
    if low.endswith("ing") and (verb := verb_lemma(low)):
        lemma, at = join_particle(seen, verb, k + 1)
        if lemma in event_words():
            return Side(start, last, lemma, False, (), _objects(seen, at, end), "", False, True, at)
    noun = _noun_before(seen, start, end)
    return _nominal(seen, start, end, noun, is_plain=True) if noun is not None and end - start <= 12 else None


def _noun_before(seen: Sighting, start: int, end: int) -> int | None:
    """The noun of an event that heads the phrase from `start`."""
    nouns = event_nouns()
    for k in range(start, min(end, start + 10)):
        letter = seen.letters[k]
        if letter in "NGBJVR" and (seen.tokens[k].low in nouns or noun_lemma(seen.tokens[k].low) in nouns):
            return k
        if letter not in "DSJNPR'#":
            return None
    return None


def _nominal(seen: Sighting, start: int, end: int, noun: int, *, is_plain: bool) -> Side:
    """ "the completion of the project": the thing that is completed stands behind "of", or in front as "its"."""
    tokens, letters = seen.tokens, seen.letters
    name = noun_lemma(tokens[noun].low)
    of = noun + 1 < end and tokens[noun + 1].low == "of"
    things = _objects(seen, noun + 2, end) if of else ()
    front = tuple(noun_lemma(tokens[k].low) for k in range(start, noun) if letters[k] in "NPJ")
    owned = any(letters[k] == "S" for k in range(start, noun))
    return Side(start, end, name, True, (*things, *front), (), "it" if owned else "", owned, is_plain, noun + 1)


def _span_of(seen: Sighting, ordering: Ordering) -> Span:
    tokens = seen.tokens
    if ordering.sub.start < ordering.main.start:
        return Span(tokens[ordering.connective].start, tokens[ordering.sub.end - 1].end)
    last = max(ordering.sub.at, ordering.sub.start + 1)
    return Span(tokens[ordering.connective].start, tokens[min(last, len(tokens)) - 1].end)


def _check_pairs(seen: Sighting, ordering: Ordering, span: Span) -> TemporalFault | None:
    main, sub = ordering.main, ordering.sub
    if not main.is_plain or not sub.is_plain or not _AGAIN.isdisjoint(seen.words):
        return None
    early, late = (sub, main) if ordering.is_before else (main, sub)
    for pair in pairs_by_first()[early.is_noun].get(early.verb, ()):
        if pair.dated and not (main.is_noun and sub.is_noun):
            continue
        if late.verb not in (pair.then_nouns if late.is_noun else pair.then):
            continue
        if pair.objects and not sub.is_noun and not main.is_noun:
            sub = replace(sub, objects=tuple(thing for thing in sub.objects if thing not in pair.objects))
        if pair.apart and seen.letters[sub.at : sub.at + 1] == "I" and seen.tokens[sub.at].low == "from":
            sub = replace(sub, objects=tuple(thing for thing in sub.objects if thing in main.objects))
        if _same_thing(main, sub, strict=pair.strict, is_before=ordering.is_before):
            evidence = f"{late.verb} cannot come before {early.verb}"
            return TemporalFault(span, ORDER, evidence, "These events have a fixed order: check which came first.")
    return None


def _same_thing(main: Side, sub: Side, *, strict: bool, is_before: bool) -> bool:
    """Whether both events happen to one thing, as far as the sentence tells."""
    mine = {*main.subject, *main.objects} - {"it"}
    if sub.is_noun:
        return not sub.subject or bool(mine.intersection(sub.subject)) if not main.is_noun or not main.subject else (
            not sub.subject or bool(set(main.subject) & set(sub.subject)))  # fmt: skip
    if main.is_noun:
        told = {*sub.subject, *sub.objects}
        if "it" in told:
            return True  # "the surgery took place after she had been discharged from it"
        return bool(sub.pronoun) or bool(set(main.subject) & told) or (not main.subject and bool(_GENERIC & told))
    objects = [thing for thing in sub.objects if thing != "it"]
    if sub.verb in _BEGINNINGS and sub.subject[:1] == ("work",):
        return True  # "before work on it had begun"
    if sub.verb in _BEGINNINGS and "it" in sub.objects and sub.subject and not (main.objects or main.pronoun):
        return True  # "was finished before the developers began working on it"
    if objects and objects[0] not in mine:
        return False
    if "it" in sub.objects and not objects and main.objects and main.pronoun in _PERSONS:
        return True  # "I replied to your email before you sent it"
    if strict and not is_before:
        return bool(objects) and objects[0] in main.objects
    if strict and main.objects and not sub.objects:
        return False
    if sub.subject:
        return sub.subject[-1] in mine
    if sub.pronoun in _PERSONS and (main.has_owner or (main.pronoun and main.pronoun != sub.pronoun)):
        return False
    return not (
        sub.pronoun
        and main.pronoun in _PERSONS
        and sub.pronoun not in (main.pronoun, "it", "them", "that", "they" if main.objects else "")
    )


def _check_dates(seen: Sighting, ordering: Ordering) -> TemporalFault | None:
    """DET-028: what is before something else has the earlier date."""
    main, sub = (_dates_of(seen, side) for side in (ordering.main, ordering.sub))
    if not main or not sub or not ordering.main.is_plain:
        return None
    if not _is_own(seen, ordering, main[-1][0]):
        return None
    earliest, latest = min(e.first for _, e in main), max(e.last for _, e in main)
    first, last = min(e.first for _, e in sub), max(e.last for _, e in sub)
    if not (earliest > last if ordering.is_before else latest < first):
        return None
    word = "before" if ordering.is_before else "after"
    shown, other = (seen.text[s.start - seen.start : s.end - seen.start] for s in (main[0][0], sub[0][0]))
    evidence = f"{shown} ({earliest:%Y-%m-%d}) is not {word} {other} ({sub[0][1].first:%Y-%m-%d})"
    return TemporalFault(sub[0][0], ORDER, evidence, "The dates contradict the order of the events: check both.")


def _dates_of(seen: Sighting, side: Side) -> list[tuple[Span, Extent]]:
    start, end = seen.tokens[side.start].start, seen.tokens[side.end - 1].end
    inside = [time for time in seen.times if start <= time.span.start < end]
    found = [(time.span, find_extent(time) or find_yearless(seen.times, time)) for time in inside]
    return [(span, extent) for span, extent in found if extent is not None]


def _is_own(seen: Sighting, ordering: Ordering, date: Span) -> bool:
    """Whether the date in the main part belongs to its event: nothing else happens between the two."""
    main = ordering.main
    at, stop = seen.index_at(date.end), ordering.connective
    if ordering.sub.start < main.start:
        return True
    at_date = seen.index_at(date.start)
    if at_date and seen.tokens[at_date - 1].low == "of" and len(_dates_of(seen, main)) == 1:
        return True  # "the election of 2024 took place before": the date names the event
    if any(seen.letters[k] in "CUW;" for k in range(at, stop)) or seen.tokens[stop - 1].low in ("than", "as"):
        return False
    return (
        not any(at <= group.start < stop for group in seen.groups)
        or seen.letters[: seen.index_at(date.start)].strip("ItDR,") == ""
    )
