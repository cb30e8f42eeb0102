"""Whether a sentence speaks of another case than the one before it: another day, another place, other people."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from groundwire.detect.dialogue.circumstances import are_apart, are_other_days, read_frames
from groundwire.detect.dialogue.siblings import are_siblings
from groundwire.detect.logic.assertions import read_logic
from groundwire.detect.sightings import Sighting
from groundwire.text.calendar import MONTH_NUMBERS
from groundwire.text.lexicon import noun_lemma
from groundwire.text.thesaurus import is_kind_of, same_meaning
from groundwire.text.tokens import is_number_word
from groundwire.types import Tense

_ABSOLUTE = frozenset("everywhere always never anywhere nowhere ever whole entire entirely any still".split())  # noqa: SIM905
ELSEWHEN = re.compile(
    r"\b(?:yesterday|tomorrow|(?:last|next|the\s+previous|the\s+following)\s+(?:week|month|year|night|season|time|day|summer|winter|spring|autumn)|ago)\b"
)
_NEIGHBOUR = re.compile(r"^(?:the|our|its|their)\s+(?:next|neighbouring|adjacent|opposite|previous|former)\s")
_PURPOSE, _TO_DO = re.compile(r"to ([a-z]+)\b[^,]{0,30},"), re.compile(r"\bto ([a-z]+)\W*$")
_WEEK = re.compile(r"\bduring\s+the\s+week\b|\bweekdays?\b")
_WEEKEND = re.compile(r"\b(?:weekends?|(?:satur|sun)days?)\b")


def is_another_case(one: Sighting, other: Sighting) -> bool:
    """What is true in one case need not be so in another; "never" and "everywhere" speak of all of them."""
    if not _ABSOLUTE.isdisjoint(one.words):
        return False
    is_named = any(frame in one.low for frame in read_frames(other.text))
    if (are_apart(other.text, one.text) and not is_named) or are_other_days(other.text, one.text):
        return True
    if ELSEWHEN.search(other.low) and not ELSEWHEN.search(one.low) and not _are_both_past(one, other):
        return True
    if any(a.search(one.low) and b.search(other.low) for a, b in ((_WEEK, _WEEKEND), (_WEEKEND, _WEEK))):
        return True
    if _HERE.match(other.low) and not _HERE.match(one.low):
        return True  # "They won every home match. Away they lost twice"
    if _THIS_TIME.search(other.low) and not _THIS_TIME.search(one.low):
        return True
    if (purpose := _PURPOSE.match(other.low)) and (known := _TO_DO.search(one.low)) and purpose[1] != known[1]:
        return True  # "You need no account to browse. To check out, you do need one"
    if _NEIGHBOUR.match(other.low) is not None or _is_placed_elsewhere(one, other):
        return True
    return _is_from_elsewhere(one, other) or is_in_other_room(one, other)


_HERE = re.compile(
    r"(?:away|outside|inside|indoors|outdoors|upstairs|downstairs|abroad|online|offline|elsewhere|at home"
    r"|at work)\b(?! (?:it|them|the|of)\b)"
)
_THIS_TIME = re.compile(r"\bthis (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|time|once)\b")
""" "Closed on Mondays. This Monday it's open": one day is an exception to all of them."""


def _are_both_past(one: Sighting, other: Sighting) -> bool:
    """ "Nobody was hurt. Two were hurt last night": a past without a time may be that one, unless it is set apart."""
    return (
        not one.times
        and ELSEWHEN.match(other.low) is None
        and all(any(group.tense is Tense.PAST for group in side.groups) for side in (one, other))
    )


_OTHERS = re.compile(
    r"^(?:in fact,?\s+)?(?:his|her|its|their|my|your|our)\s+(?:[a-z]+\s+)?(?:brother|sister|twin|wife"
    r"|husband|partner|son|daughter|mother|father|parents|cousin|uncle|aunt|neighbours?|neighbors?"
    r"|friends?|colleagues?|rivals?|competitors?|predecessor|successor|sequel|namesake|counterparts?|sister\s+[a-z]+|twin\s+[a-z]+)\b"
)
_NEXT_DOOR = re.compile(
    r"\b(?:next\s+door|across\s+the\s+(?:street|road|river|hall)|down\s+the\s+(?:street|road|hall)|nearby|(?:next\s+to|behind|beside|above|below|under|opposite|in\s+front\s+of)\s+(?:it|them)|upstairs|downstairs|abroad|opposite|round\s+the\s+corner)\b"
)

_IN_NEXT_DOOR = re.compile(
    r"\b(?:in|at|to) (?:the|an?|our|their) (?:[a-z]+ ){1,2}(?:next door|nearby|opposite"
    r"|(?:across|down) the (?:street|road|hall)|(?:round|around) the corner)\b"
)


def _do_the_same(one: Sighting, other: Sighting) -> bool:
    """Both pay, one on time and one late; "he has no children", "his daughter is eight" do not."""
    mine, yours = ({group.lemma for group in side.groups} - {"be", "have", "do"} for side in (one, other))
    return bool(mine & yours)


def is_of_somebody_else(one: Sighting, other: Sighting) -> bool:
    """ "He pays on time. His brother paid late", "the garage next door"."""
    for mine, yours in ((one, other), (other, one)):
        kin = _OTHERS.match(yours.low)
        if kin is not None and kin.group().split()[-1] not in mine.words and _do_the_same(mine, yours):
            return True
        if is_of_another_thing(yours) and not is_of_another_thing(mine):
            return True
    return is_next_door(one, other) or is_next_door(other, one)


_ANOTHER = re.compile(
    r"^(?:its|their|his|her)\s+(?:predecessor|successor|sequel|rival|competitor|counterpart|namesake|sister\s+[a-z]+|twin\s+[a-z]+)\b"
)


def is_of_another_thing(other: Sighting) -> bool:
    """ "Its predecessor": one like it, and not itself."""
    return _ANOTHER.match(other.low) is not None


_SOLE_ONE = re.compile(r"\b(?:single|sole|one|(?:the|our|its|their|his|her|an?) only|only (?:one|two|the|an?))\b")


def is_next_door(one: Sighting, other: Sighting) -> bool:
    """ "The kitchen upstairs", which is another than the kitchen."""
    verb = other.tokens[other.groups[0].start].start - other.start if other.groups else 0
    if _SOLE_ONE.search(one.low):
        return False
    near = _NEXT_DOOR.search(other.low, 0, verb) or _IN_NEXT_DOOR.search(other.low)
    return near is not None and near.group() not in one.low


_ALLOWS = re.compile(
    r"\b(?:may|can|allowed|permitted|forbidden|prohibited|banned|must|cannot|off limits|welcome|free to)\b|can't"
)
_AREA = re.compile(r"\b(?:in|on|at|inside|within) (?:all|every|the|any|each|our|both)(?: of the)? ([a-z]+)\b(?! of\b)")


def are_allowed_elsewhere(one: Sighting, other: Sighting) -> bool:
    """ "Smoking is forbidden in all rooms. You may smoke on the terrace": each rule has a place of its own."""
    if not (_ALLOWS.search(one.low) and _ALLOWS.search(other.low)):
        return False
    mine, yours = ({noun_lemma(word) for word in _AREA.findall(side.low)} for side in (one, other))
    if not mine or not yours:
        return False
    return not any(a == b or same_meaning(a, b) or is_kind_of(b, a) for a in mine for b in yours)


def are_done_elsewhere(one: Sighting, other: Sighting) -> bool:
    """ "Only members can book online. Guests can book at the desk": one deed, and each in a way of its own."""
    if "only" not in one.words or not one.groups or not other.groups:
        return False
    first, last = one.groups[0], other.groups[0]
    if first.lemma != last.lemma or first.lemma in ("be", "have", "do") or last.negated:
        return False
    mine, yours = (_read_ways(side, group.end) for side, group in ((one, first), (other, last)))
    left, right = mine - yours, yours - mine
    return bool(left and right) and not any(same_meaning(a, b) or is_kind_of(b, a) for a in left for b in right)


def _read_ways(seen: Sighting, start: int) -> set[str]:
    """Where and how something is done: adverbs, and nouns behind a preposition."""
    found: set[str] = set()
    for k in range(start, len(seen.tokens)):
        behind = "I" in seen.letters[max(start, k - 3) : k]
        if (seen.letters[k] == "N" and behind) or seen.tokens[k].low in _PLACES:
            found.add(noun_lemma(seen.tokens[k].low))
    return found


_PLACES = frozenset("online offline here there upstairs downstairs inside outside abroad indoors outdoors".split())  # noqa: SIM905
_OWNER = re.compile(r"^(?:the|an?|my|your|our)?\s*(?P<owner>[a-z]+)'s\s+(?:[a-z]+\s+){0,2}?(?P<head>[a-z]+)$")


def is_owned_by_another(one: Sighting, other: Sighting, subject: str) -> bool:
    """ "The cat never leaves the flat. The neighbour's cat hunts at night": the same kind of thing, another's."""
    match = _OWNER.match(subject.lower())
    if match is None or not other.low.startswith(subject.lower()):
        return False
    known = {noun_lemma(token.low) for token in one.tokens}
    owner, head = noun_lemma(match["owner"]), noun_lemma(match["head"])
    if owner in known or any(same_meaning(owner, word) or is_kind_of(word, owner) for word in known):
        return False
    return head in known or any(word.startswith(head) or same_meaning(head, word) for word in known)


ASIDE = re.compile(
    r"\s*(?:with|for|without|during|after|before|in|on|if|when|at)\s[^,]{3,40}?(?:,|\s(?=(?:the|it|its|they|you|we|he|she)['\s]))"
)
""" "With the student card the price is 18 euros": what stands in front names another case, unless it has the value."""


WITHIN = ("in ", "on ", "at ", "during ")
""" "In the middle it reaches 45 metres": a place in the thing itself is no other case."""


def is_aside(one: Sighting, other: Sighting) -> bool:
    """Whether a sentence opens with a case of its own, of which the other says nothing."""
    match = ASIDE.match(other.low)
    if match is None or other.low.startswith(WITHIN):
        return False
    said = {noun_lemma(token.low) for token in one.tokens}
    words = [token for token, letter in zip(other.tokens, other.letters, strict=True) if letter in "NPG"]
    case = [noun_lemma(token.low) for token in words if token.start - other.start < match.end()]
    return bool(case) and said.isdisjoint(case)


def is_of_sibling(one: Sighting, other: Sighting) -> bool:
    """ "The soup is vegetarian. The stew has beef in it": another thing of the same kind, which is its own "it"."""
    mine, yours = (split_subject(_subject_of(side)) for side in (one, other))
    if not mine or not yours or not other.low.startswith(("the ", "our ", "your ", "my ")):
        return False
    return mine[-1] != yours[-1] and yours[-1] not in one.runs and are_siblings(mine[-1], yours[-1])


def _subject_of(seen: Sighting) -> str:
    return seen.segment.claims[0].subject if seen.segment.claims else ""


def are_marked_apart(one: str, other: str) -> bool:
    """ "The small hall", "the big hall": subjects with one noun, and each with a mark that the other has not."""
    mine, yours = split_subject(one), split_subject(other)
    return bool(mine) and mine[-1:] == yours[-1:] and bool(set(mine) - set(yours)) and bool(set(yours) - set(mine))


def is_newly_marked(before: str, one: str, other: str) -> bool:
    """ "The hall", "the big hall": one noun, and a word that tells which one, of which nothing was said before."""
    mine, yours = split_subject(one), split_subject(other)
    marks = set(yours) - set(mine)
    return bool(mine) and mine[-1:] == yours[-1:] and any(mark not in before for mark in marks)


@lru_cache(maxsize=4096)
def split_subject(subject: str) -> Sequence[str]:
    """The words that tell which one is meant, its noun last: without articles, figures and what stands behind it."""
    front = _BEHIND_HEAD.split(subject.lower(), maxsplit=1)[0]
    words = [word for word in re.findall(r"[a-z0-9]+", front) if not word.isdigit()]
    return tuple(noun_lemma(word) for word in words if word not in read_logic("marks"))


_BEHIND_HEAD = re.compile(r"\s(?:of|in|at|for|with|on|from|to|by)\s")
_MONTHS = "|".join(month.capitalize() for month in MONTH_NUMBERS)  # as it is written: "may" is no month
_DATED = {
    "weekday": re.compile(r"\b(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b"),
    "month": re.compile(rf"\b({_MONTHS})\b"),
    "day": re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? (?:{_MONTHS})\b"),
    "year": re.compile(r"\b((?:1[5-9]|20)\d\d)\b"),
}
_THIS = re.compile(r"\b(?:today|tonight|this (?:week|month|year|season|quarter|term))\b")
_FOR_FIGURES = re.compile(r"\b(?:for|under|over|from|up to|with) (\d+|[a-z]+) ([a-z]+)")


def are_at_other_times(one: Sighting, other: Sighting) -> bool:
    """ "All tickets for 5 May are gone", "there are 40 for 6 May"; "this month" may be another than February."""
    mine, yours = ({kind: set(form.findall(side.text)) for kind, form in _DATED.items()} for side in (one, other))
    if any(mine[kind] and yours[kind] and mine[kind].isdisjoint(yours[kind]) for kind in _DATED):
        return True
    return any(_THIS.search(a.low) and (dated["month"] or dated["year"]) for a, dated in ((one, yours), (other, mine)))


def are_for_other_figures(one: Sighting, other: Sighting) -> bool:
    """ "It has everything for 4 people. For 6 people, order two more plates"."""
    mine, yours = (
        {noun: figure for figure, noun in _FOR_FIGURES.findall(side.low) if figure.isdigit() or is_number_word(figure)}
        for side in (one, other)
    )
    return any(noun in yours and yours[noun] != figure for noun, figure in mine.items())


_KIN = re.compile(
    r"^(?:my|your|his|her|our|their)\s+(?:[a-z]+\s+)?(?P<kin>uncle|aunt|mother|father|brother|sister|son|daughter|wife|husband|cousin|grandfather|grandmother|neighbour|neighbor|boss|friend)\b"
)


def are_two_relatives(one: Sighting, other: Sighting) -> bool:
    mine, yours = _KIN.match(one.low), _KIN.match(other.low)
    return mine is not None and yours is not None and mine["kin"] != yours["kin"]


_FROM = re.compile(r"\bfrom\s+(?:the|his|her|its|their|my|your|our|an?)\s+([a-z]+)\b")


def _is_from_elsewhere(one: Sighting, other: Sighting) -> bool:
    """ "Nothing was stolen from the office. Two laptops were taken from the car"."""
    mine, yours = (_FROM.findall(side.low) for side in (one, other))
    if len(mine) != 1 or len(yours) != 1 or not (_EVERYBODY.search(one.low) or "no" in one.words):
        return False
    here, there = noun_lemma(mine[0]), noun_lemma(yours[0])
    return here != there and not (is_kind_of(here, there) or is_kind_of(there, here) or same_meaning(here, there))


_ROOMS = frozenset(
    [
        "kitchen",
        "hallway",
        "bathroom",
        "bedroom",
        "basement",
        "attic",
        "garage",
        "garden",
        "cellar",
        "lobby",
        "hall",
        "corridor",
        "lounge",
        "balcony",
        "porch",
        "shed",
        "pantry",
    ]
)


def _subject_words(seen: Sighting) -> set[str]:
    verb = seen.groups[0].start if seen.groups else 0
    return {token.low for token in seen.tokens[:verb]}


def is_in_other_room(one: Sighting, other: Sighting) -> bool:
    """ "The lights in the kitchen are off. The light in the hallway is on"."""
    mine, yours = (_ROOMS.intersection(_subject_words(side)) for side in (one, other))
    return bool(mine) and bool(yours) and mine.isdisjoint(yours)


def _is_placed_elsewhere(one: Sighting, other: Sighting) -> bool:
    """ "In the plenary, twelve voted against": a place, or people, of which the first sentence knows nothing."""
    match = re.match(r"[IU]D?S?J*(?P<head>N+),?(?=[DSpNPJ#M])|[IU][DS][JN]*(?P<odd>[JN]),", other.letters)
    if match is None or other.tokens[0].low not in ("in", "at", "for", "during", "among", "on", "inside"):
        return False
    head = noun_lemma(other.tokens[match.end("head" if match["head"] else "odd") - 1].low)
    if head in _OCCASIONS or head in {noun_lemma(token.low) for token in one.tokens}:
        return False
    return _PLACED.search(one.low) is not None or not (_EVERYBODY.search(one.low) or "no" in one.words)


_OCCASIONS = frozenset(
    [
        "interview",
        "statement",
        "email",
        "letter",
        "report",
        "speech",
        "fact",
        "addition",
        "short",
        "summary",
        "total",
        "general",
        "practice",
        "theory",
        "conclusion",
        "reality",
        "end",
    ]
)
_PLACED = re.compile(r"\b(?:in|at|for|during|among|on|inside)\s+(?:the|our|its|their|this|an?|his|her|[a-z]+s\b)")
_EVERYBODY = re.compile(r"\b(?:nobody|no one|nothing|everyone|everybody|everything|none|all|every|unanimous(?:ly)?)\b")


_UNIVERSAL = re.compile(r"(?:all|every|each|none|no|both|any)\b")
_HEAD_ENDS = re.compile(r"\s(?:of|in|at|for|with|on|from|to|by|that|which|who)\s")


def is_no_member(one: str, other: str) -> bool:
    """ "All the windows face north. The balcony door faces south": all of a kind, and another thing."""
    if not _UNIVERSAL.match(one.lower()) or not other.lower().startswith(("the ", "this ", "that ")):
        return False
    kind = _UNIVERSAL.sub("", one.lower(), count=1).removeprefix(" of")
    heads = [_HEAD_ENDS.split(subject, maxsplit=1)[0].split()[-1:] for subject in (kind, other.lower())]
    if not all(heads) or not all(head[0].isalpha() for head in heads) or heads[1][0] in _COUNTED:
        return False
    mine, yours = (noun_lemma(head[0]) for head in heads)
    return mine != yours and not is_kind_of(yours, mine) and not same_meaning(mine, yours)


_COUNTED = frozenset(
    [
        "one",
        "ones",
        "two",
        "three",
        "four",
        "five",
        "six",
        "first",
        "second",
        "third",
        "last",
        "other",
        "others",
        "rest",
        "model",
        "models",
        "version",
        "versions",
        "type",
        "types",
        "kind",
        "kinds",
        "item",
        "items",
        "product",
        "products",
        "variety",
        "edition",
    ]
)
