"""Telling a stored attribute in a sentence, so that a judge of language can read it.

A judge knows sentences that people write: "Ida Thorsby was born in 1852", not "Ida Thorsby's born is 1852".
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from groundwire.evidence.meanings import attribute_words, meaning_of
from groundwire.evidence.measures import read_measure
from groundwire.evidence.mentions import is_person_noun
from groundwire.evidence.switches import PREPOSITIONS, RULING, tell_ruling, tell_switch
from groundwire.text import lexicon
from groundwire.text.calendar import MONTHS, read_moment
from groundwire.text.tables import read_table
from groundwire.text.wording import fold_case

_TELLING = {"speaks", "likes", "drives", "makes", "sells", "offers", "contains", "includes", "knows", "produces"}
_YES = frozenset({"true", "yes"})
_NO = frozenset({"false", "no"})
_PROPER = frozenset({"person", "organisation", "organization", "company", "product", "user", ""})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NUMBER = re.compile(r"[\d.,]+")
_YEAR = re.compile(r"\d{4}")
_DAY = re.compile(r"\b(\d{4})-(\d{2})-(\d{2})\b")
_CLOCK = re.compile(r"\d{1,2}:\d{2}.{0,10}")
_LONGEST = 40
_SPAN = re.compile(
    r"(?:every )?(\d+(?:[.,]\d+)?(?:\s?[-–]\s?\d+)? (?:second|minute|hour|day|week|month|year)s?)", re.IGNORECASE
)
_SHORT = re.compile(r"(?:second|minute|hour)s?$")
_COLD = re.compile(r"°|\bdegrees?\b|\b[CF]\b|temperature|cool|dry|dark|fridge|frozen", re.IGNORECASE)
_BOUNDS = {"max": "up to", "maximum": "up to", "min": "at least", "minimum": "at least"}
_FEW = 3
_ARTICLES = frozenset({"a", "an", "the", "no"})
_PERSONS = frozenset({"person", "employee", "user"})
_LASTING = frozenset(
    """
    time period duration interval life length age warranty guarantee break delay term wait lifespan runtime group range
    limit
    """.split()  # noqa: SIM905
)
_ACTIVE = frozenset(
    {"die", "join", "arrive", "depart", "start", "begin", "end", "retire", "graduate", "leave", "write"}
)
"""What somebody did; what else is named by a participle was done to them."""


def tell(name: str, kind: str, attribute: str, value: str) -> str:
    """ "John Smith's department is Engineering." """
    attribute, value = read_measure(attribute, value)
    bearer = name_bearer(name, kind)
    words = " ".join(attribute_words(attribute)) or attribute
    low = value.casefold()
    if low in _YES | _NO:
        return tell_switch(bearer, split_name(attribute), is_so=low in _YES)
    meaning = meaning_of(attribute)
    is_deed = meaning.name in ("date", "time") and lexicon.verb_lemma(split_name(attribute)[0]) is not None
    if is_deed or (meaning.name == "time" and _SPAN.match(value)):  # "closed_on", "playing_time"
        return tell_plainly(name, kind, attribute, value)
    match meaning.name:
        case "date":
            return f"{bearer} is on {value}."
        case "time":
            return f"{bearer} is at {value}."
        case "status":
            return f"{bearer} is {value}."
        case _:
            pass
    first = attribute.split("_")[0].split(" ")[0].casefold()
    if first in _TELLING:
        return f"{bearer} {first} {value}."
    return f"{bearer}'s {words} is {value}."


def name_bearer(name: str, kind: str) -> str:
    """Whom a sentence begins with: a name as it is, a thing with its article."""
    bearer = name if kind.casefold() in _PROPER or name[:1].isupper() or name.startswith("the ") else f"the {name}"
    return bearer[:1].upper() + bearer[1:]


def split_name(attribute: str) -> list[str]:
    """The words of an attribute's or a relation's name, whichever way they are joined."""
    return _CAMEL.sub(" ", attribute).replace("_", " ").replace("-", " ").casefold().split() or [attribute]


@lru_cache(maxsize=4096)
def tell_plainly(name: str, kind: str, attribute: str, value: str, beside: str = "") -> str:
    """As people would say it, for a judge of language: "John Smith works in the Engineering department."

    Where there are several ways, it is the one that `beside` has: "Nordlys is led by Tom", beside "is led by Ada".
    """
    attribute, value = _read_named(attribute, value)
    bearer, words, value = name_bearer(name, kind), _name_period(attribute, value), _DAY.sub(_write_day, value)
    if beside and (told := _tell_alike(bearer, words, value, beside)):
        return told
    if value.casefold() in _YES | _NO:
        return tell_switch(bearer, words, is_so=value.casefold() in _YES)
    if (ruling := RULING.fullmatch(value)) is not None and words[-1] not in ("status", "state"):
        return tell_ruling(bearer, words, is_so=not ruling[1], ruling=ruling[2].casefold())
    return _tell_by_table(bearer, kind, words, value) or _tell_words(bearer, words, value)


def _read_named(attribute: str, value: str) -> tuple[str, str]:
    """With the unit behind the figure; where nothing but a quality would be left of the name, it counts the units."""
    name, measured = read_measure(attribute, value)
    left = split_name(name)[-1]
    kind = lexicon.readings(left)[0][0]
    is_bare = name != attribute and kind == "JJ" and left not in _BOUNDS
    return (attribute, value) if is_bare else (name, measured)


def _name_period(attribute: str, value: str) -> list[str]:
    """ "drying: 6 hours" is a drying time, "loan: 28 days" a loan period."""
    words = split_name(attribute)
    last = words[-1]
    kinds = {reading[0] for reading in lexicon.readings(last)}
    if (
        len(words) > 2
        or not _SPAN.fullmatch(value)
        or last in _LASTING | PREPOSITIONS
        or kinds <= {"VBZ", "VBN", "VBD"}
    ):
        return words
    if " ".join(words) in _sentences("sentences"):
        return words
    return [*words, "time" if last.endswith("ing") or _SHORT.search(value) else "period"]


def _write_day(match: re.Match[str]) -> str:
    """ "2026-04-02" as people write it: a judge of language has read few others."""
    year, month, day = (int(part) for part in match.groups())
    return f"{day} {MONTHS[month - 1]} {year}" if 0 < month <= len(MONTHS) else match.group()


def _tell_alike(bearer: str, words: list[str], value: str, beside: str) -> str:
    """The way to say it of which another sentence has all but the value."""
    phrase, found = " ".join(words), ""
    for sentence, names in _other_sentences().items():
        lead = sentence.partition("{value}")[0].partition("{an}")[0].format(name=bearer)
        if phrase in names and beside.casefold().startswith(lead.casefold()) and len(lead) > len(found):
            found = sentence.format(name=bearer, value=value, an=_with_article(value, is_name=False))
    return found


@cache
def _other_sentences() -> dict[str, list[str]]:
    return read_table("sentences", "evidence")["others"]


@cache
def _sentences(part: str) -> dict[str, str]:
    rows: dict[str, list[str]] = read_table("sentences", "evidence")[part]
    return {name: sentence for sentence, names in rows.items() for name in names}


def _tell_by_table(bearer: str, kind: str, words: list[str], value: str) -> str:
    """As the table says it; a date, an hour or a span of time where it asks for one."""
    phrase = " ".join(words)
    sentence = _sentences("sentences").get(phrase, "")
    is_person = _is_person(kind)
    if not sentence and (is_person or not kind):
        sentence = _sentences("people").get(phrase, "")
    if not sentence and kind.casefold() in _PERSONS:
        sentence = _sentences("persons").get(phrase, "")
        if words[-1] in value.casefold().split():  # "team: the night team"
            return ""
    if not sentence and not is_person:
        sentence = _sentences("things").get(phrase, "")
    when, span = _when(value), _SPAN.fullmatch(value)
    every = span[1] if span is not None else ""
    if not sentence or ("{when}" in sentence and not when) or ("{every}" in sentence and not every):
        return ""
    if ("years old" in sentence and not _NUMBER.fullmatch(value)) or (
        "stored at" in sentence and not _COLD.search(value)
    ):
        return ""
    told = {"when": when, "every": every, "a": _with_article(value), "an": _with_article(value, is_name=False)}
    return sentence.format(name=bearer, value=value, **told)


@lru_cache(maxsize=1024)
def _is_person(kind: str) -> bool:
    """Whether a record of this kind is one of somebody: "employee", "head coach"."""
    words = kind.casefold().split()
    return bool(words) and (kind.casefold() in _PERSONS or is_person_noun(words[-1]))


def _tell_words(bearer: str, words: list[str], value: str) -> str:
    """As the words of the attribute say it: a verb, a participle, something counted, or a noun."""
    phrase, first, last = " ".join(words), words[0], words[-1]
    if told := _tell_count(bearer, words, value):
        return told
    if last == "since":
        return f"{bearer} has been {phrase} {value}."
    verb = lexicon.verb_lemma(first)
    kinds = [reading[0] for reading in lexicon.readings(first)]
    is_bare = len(words) == 1 or words[1] in PREPOSITIONS
    is_participle = is_bare and "VBN" in kinds[:2] and "NN" not in kinds[:1]
    when = _when(value) if last not in PREPOSITIONS else ""
    told = when or value
    if verb in _ACTIVE and (is_participle or "VBD" in kinds[:1]):
        return f"{bearer} {phrase} {told}."
    if is_participle and (when or last in PREPOSITIONS):
        return f"{bearer} was {phrase} {told}." if when else f"{bearer} is {phrase} {told}."
    if verb is not None and first != verb and kinds[:1] == ["VBZ"]:
        return f"{bearer} {phrase} {told}."
    if last in PREPOSITIONS and (len(words) == 1 or ("JJ" in kinds and len(words) < _FEW)):
        return f"{bearer} is {phrase} {value}."
    if last in PREPOSITIONS - {"in", "on"}:  # "reports to", "check in from", "certificate required after"
        is_deed = len(words) < _FEW and verb is not None and first != verb and "VBZ" in kinds
        return f"{bearer} {phrase} {value}." if is_deed else f"{bearer}: {phrase} {value}."
    if when and len(words) > 1 and "VBZ" in [reading[0] for reading in lexicon.readings(last)]:
        return f"{bearer}'s {phrase} {when}."  # "school day ends"
    return f"{bearer}'s {phrase} {'are' if _is_plural(last) else 'is'} {value}."


def _tell_count(bearer: str, words: list[str], value: str) -> str:
    """ "rooms: 46", "max_users: 5", "visitors_per_week: 350": so many of something."""
    is_rest = len(words) > 1 and words[-1] in ("left", "available", "remaining", "free")
    head = words[words.index("per") - 1] if "per" in words[1:] else words[-2] if is_rest else words[-1]
    if not _NUMBER.fullmatch(value) or not _is_plural(head):
        return ""
    value = "no" if value == "0" else value
    bound = _BOUNDS.get(words[0]) if len(words) > 1 else None
    if bound is not None:
        return f"{bearer} allows {bound} {value} {' '.join(words[1:])}."
    return f"{bearer} has {value} {' '.join(words)}."


def _is_plural(word: str) -> bool:
    return word != lexicon.noun_lemma(word) and word.endswith("s")


def _when(value: str) -> str:
    """A date or an hour with its preposition; empty for what is neither."""
    if _YEAR.fullmatch(value):
        return f"in {value}"
    if _CLOCK.fullmatch(value):
        return f"at {value}"
    moment = read_moment(fold_case(value)) if len(value) < _LONGEST else None
    return f"on {value}" if moment is not None and not moment.minutes else ""


def _with_article(value: str, *, is_name: bool = True) -> str:
    """ "Head of Sales" is a name, and has no article; nor have qualities and what has one already."""
    if is_name and value[:1].isupper() and " " in value:
        return value
    words = value.casefold().split()
    kinds = [lexicon.readings(word)[0][0] for word in words]
    is_thing = any(kind in ("NN", "NNP") for kind in kinds)
    if not words or words[0] in _ARTICLES or words[0][0].isdigit() or not is_thing or kinds[-1] == "NNS":
        return value
    return f"{'an' if value[:1].casefold() in 'aeiou' else 'a'} {value}"
