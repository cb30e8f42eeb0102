"""Propositions: a statement as the judge compares it, stripped of grammar."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text.calendar import small_number
from groundwire.text.numerals import has_digit
from groundwire.text.occasions import read_occasion
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER, name_subject, put_owner_first, render, user_words
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.values import key
from groundwire.types import Span, Tense

_EMPTY = frozenset(
    """
    be have do go get the a an thing one lot bit kind sort there it this that own
    """.split()  # noqa: SIM905
)


class Argument(NamedTuple):
    """A part of a proposition: its role (`object`, or a preposition), words, and where they stand."""

    role: str
    text: str
    span: Span
    lemmas: tuple[str, ...]
    is_time: bool
    is_name: bool


class Proposition(NamedTuple):
    """What is said of whom, in lemmas."""

    subject: str
    subject_lemmas: tuple[str, ...]
    predicate: str
    passive: bool
    negated: bool
    tense: Tense
    modal: str
    aspect: str
    arguments: tuple[Argument, ...]
    lemmas: frozenset[str]
    """Content words of the whole statement, user words left out."""
    names: frozenset[str]
    """Those of them that are names."""
    adverbs: tuple[str, ...]
    is_fragment: bool = False
    ended: bool = False
    """Told as over: "used to teach"."""


_NOTHING = frozenset[str]()
UNREAD = Proposition("", (), "", False, False, Tense.PRESENT, "", "", (), _NOTHING, _NOTHING, ())
"""What is known of a sentence that could not be read: nothing."""


def _names_none(subject: Sequence[Token]) -> bool:
    """ "No tests", "zero tests", but not "Zero Dark Thirty"."""
    first = subject[0].low
    counted = first in ("zero", "0") and len(subject) > 1 and subject[1].text.islower()
    return counted or first in ("no", "nobody", "none")


def build_proposition(statement: Statement) -> Proposition:
    arguments = _read_arguments(statement)
    thing, verb = statement.object, statement.verb
    negated = verb.negated
    if thing is not None and thing.first_token.low in ("no", "neither", "nothing", "nobody"):
        negated = not negated
    if statement.subject and _names_none(statement.subject):
        negated = not negated
    if thing is None and statement.is_without:
        negated = not negated
        arguments = [a._replace(role="with") if a.role == "without" else a for a in arguments]
    subject, subjects = statement.about, statement.subject
    if len(subjects) > 2 and subjects[0].low == "none" and subjects[1].low == "of":
        subjects = subjects[2:]
        subject = name_subject(subjects)
    words = statement.words
    if statement.set_aside:
        words = [word for word in words if word not in statement.set_aside]
    if statement.openings:
        words = [*words, *(t for _, p in statement.openings for t in p.words() if t.tag in "P@#")]
    predicate, passive = verb.lemma, verb.passive
    if _merely_is(statement):
        predicate, passive = "be", False
        arguments = [a for a in arguments if a.lemmas != ("place",)]
    modal = verb.modal
    if modal and negated and verb.lemma in _BEARING and thing is not None:
        predicate, negated, modal = "hate", False, ""  # "can't stand crowds"
        words = [word for word in words if word.lemma not in _BEARING]
    if negated and not modal and predicate in _turning_points() and any(map(_is_until, arguments)):
        negated = False  # what does not expire until May expires in May
        arguments = [a._replace(role="in") if _is_until(a) else a for a in arguments]
    clocks = _list_clocks(statement)
    users = user_words()
    names = [t.lemma for t in words if t.tag in "P@" and t.low not in users]
    return Proposition(
        subject=subject,
        subject_lemmas=_read_subject(subjects) if subject != USER else (),
        predicate=predicate,
        passive=passive,
        negated=negated,
        tense=verb.tense,
        modal=modal,
        aspect=statement.aspect,
        arguments=tuple(arguments),
        lemmas=frozenset(content_lemmas(words)) if not clocks else _read_clocks(clocks, words),
        names=frozenset(names) if names else _NOTHING,
        adverbs=tuple([t.low for t in (*statement.adverbs, *statement.verb_words) if t.tag == "R"]),
        is_fragment=statement.fragment,
        ended=verb.wrapper == "used to",
    )


def _list_clocks(statement: Statement) -> list[list[Token]]:
    """The hours that are told in words."""
    thing = statement.object
    told = [phrase.words() for _, phrase in statement.modifiers if phrase.clock]
    return [*told, thing.words()] if thing is not None and thing.clock else told


@cache
def _turning_points() -> frozenset[str]:
    table = read_table("grammar")
    return frozenset((*table["beginning"]["verbs"], *table["ending"]["verbs"], *table["arriving"]["verbs"]))


def _is_until(argument: Argument) -> bool:
    return argument.is_time and argument.role in ("until", "till")


def _read_subject(words: list[Token]) -> tuple[str, ...]:
    return content_lemmas(put_owner_first(words) if len(words) > 2 else words)


def _read_clocks(clocks: list[list[Token]], words: list[Token]) -> frozenset[str]:
    """Content words, where a time of day in words counts as the time that it is."""
    told = {id(token) for clock in clocks for token in clock}
    kept = content_lemmas([token for token in words if id(token) not in told])
    return frozenset([*kept, *(lemma for clock in clocks for lemma in _number_words(render(clock).lower()))])


def _read_arguments(statement: Statement) -> list[Argument]:
    arguments: list[Argument] = []
    if statement.object is not None:
        arguments.append(_argument("object", statement.object, statement.object_words))
    if statement.second is not None:
        arguments.append(_argument("second", statement.second))
    for preposition, phrase in (*statement.modifiers, *statement.openings):
        role = preposition or _name_time(phrase)
        since = statement.verb.begun and role in ("in", "on", "when") and is_time(phrase)
        arguments.append(_argument("since" if since else role, phrase))
    for marker, *told in filter(None, (statement.timing, statement.purpose)):
        span = Span(told[0].start, told[-1].end)
        arguments.append(Argument(marker.low, render(told), span, content_lemmas(told), False, False))
    return arguments


def _name_time(phrase: Phrase) -> str:
    """ "940 pounds a month" is 940 pounds per month; any other bare time tells when."""
    return "per" if phrase.first_token.low in ("a", "an", "each", "every") and len(phrase.words()) == 2 else "when"


_BEARING = frozenset({"stand", "bear", "abide", "stomach"})
_BEING = frozenset({"happen", "occur", "lie", "stand", "fall"})
_BEING_PASSIVE = frozenset({"hold", "locate", "situate", "base", "schedule"})


def _merely_is(statement: Statement) -> bool:
    """ "takes place", "is held", "happens": ways to say where and when a thing is."""
    verb = statement.verb
    if verb.passive:
        return verb.lemma in _BEING_PASSIVE
    took = verb.lemma == "take" and statement.object is not None and statement.object.head_token.low == "place"
    return took or (verb.lemma in _BEING and statement.object is None)


def _argument(role: str, phrase: Phrase, meant: list[Token] | None = None) -> Argument:
    words = phrase.words()
    while len(words) > 1 and words[0].tag in "D":
        words = words[1:]
    span = Span(words[0].start, words[-1].end)
    if phrase.clock:
        text = render(words)
        return Argument(role, text, span, _number_words(text.lower()), True, False)
    timely = is_time(phrase) or (role == "at" and phrase.letters == "#" and _is_hour(words[0].low))
    words = meant or words
    text = render(words)
    if not timely and not text.isdecimal() and has_digit(text):
        timely = read_occasion(role, text) is not None
    return Argument(role, text, span, content_lemmas(words), timely, phrase.head_token.tag == "P")


@lru_cache(maxsize=1024)
def _is_hour(number: str) -> bool:
    """ "at nine", "at 11"."""
    return 0 < (small_number(number) or 0) <= 12


_PLAIN_NUMBER = re.compile(r"[1-9][0-9]{0,3}")
"""Is its own key."""
_CURRENCIES = {"usd": "dollar", "eur": "euro", "gbp": "pound", "jpy": "yen", "share": "percent"}


@lru_cache(maxsize=4096)
def _number_words(text: str) -> tuple[str, ...]:
    """A number in one spelling: "€1,150" → 1150, euro; "3 pm" → 15:00; "two" → 2."""
    return tuple(_CURRENCIES.get(word, word) for word in key(text).split() if word != "currency")


def content_lemmas(words: list[Token]) -> tuple[str, ...]:
    """Lemmas of the words that carry meaning; numbers in one spelling."""
    found: list[str] = []
    users = user_words()
    for token in words:
        letter = token.tag
        if letter in "NPJVBEG@":
            if (token.lemma not in _EMPTY or letter == "P") and token.low not in users:
                found.append(token.lemma)
        elif letter == "#":
            found.extend((token.low,) if _PLAIN_NUMBER.fullmatch(token.low) else _number_words(token.low))
    return tuple(found)
