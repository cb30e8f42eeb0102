"""Who did it to whom: two statements with the same verb in which doer and bearer have changed places.

A judge that compares words finds nothing wrong with "Ann sued Ben" after "Ben sued Ann"; grammar does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from groundwire.detect.records.values import find_values
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import read_text
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import same_meaning

_LONGEST = 300
_BEARERS = ("object", "second", "to", "from", "against", "over", "under", "after", "before", "into")
_CLEFT = re.compile(r" (?:is|was) (?:the (?:one|person|man|woman|girl|boy) )?who ")
""" "Ann was the one who broke it": Ann broke it."""
_RELATIVE = re.compile(r"\b(?:last|this|next|previous) [a-z]+\b", re.IGNORECASE)
_FIRM = ("", "will", "shall")
_YOU = frozenset({"you", "me", "us", "user"})


@dataclass(frozen=True, slots=True)
class _Deed:
    verb: str
    doer: frozenset[str]
    bearers: tuple[frozenset[str], ...]
    roles: tuple[str, ...]
    is_named: bool
    """Whether the doer is somebody by name."""
    has_one_thing: bool
    """Whether what it is done to is one thing: "the vase", or something by name."""


def are_exchanged(mine: str, theirs: str) -> bool:
    """Whether what one did to the other, the other is said to have done to the one; or two have swapped their tasks."""
    if len(mine) + len(theirs) > _LONGEST or mine.rstrip().endswith("?") or theirs.rstrip().endswith("?"):
        return False
    own, other = _read(mine), _read(theirs)
    if any(_are_turned(one, two) or _has_task_of(one, two, other) for one in own for two in other):
        return True
    days = [_read_days(text) for text in (mine, theirs)]
    if all(days) and days[0] != days[1]:
        return False  # a race is won every year
    verbs = _list_verbs("single_verbs") | (_list_verbs("single_occasions") if days[0] == days[1] else frozenset[str]())
    pairs = [(one, two) for one in own for two in other if one.verb in verbs and _is_done_by_another(one, two)]
    return bool(pairs) and not any(one.verb == two.verb and one.doer & two.doer for one in own for two in other)


def _read_days(text: str) -> frozenset[str]:
    dated = [value.text for value in find_values(text) if value.kind == "date"]
    return frozenset(word.casefold() for word in (*dated, *_RELATIVE.findall(text)))


def _are_turned(one: _Deed, two: _Deed) -> bool:
    if one.doer == two.doer or {one.verb, two.verb} & _list_verbs("mutual_verbs"):
        return False
    if one.verb != two.verb and not same_meaning(one.verb, two.verb):
        return False
    for bearer, role in zip(one.bearers, one.roles, strict=True):
        for patient, place in zip(two.bearers, two.roles, strict=True):
            if role == place and one.doer <= patient and two.doer <= bearer:
                return True
    return False


def _is_done_by_another(one: _Deed, two: _Deed) -> bool:
    """ "Ann broke the vase", where it was Ben: nobody breaks it twice."""
    if one.verb != two.verb or one.doer & two.doer:
        return False
    is_one_thing = one.has_one_thing and two.has_one_thing and one.bearers[0] == two.bearers[0]
    return is_one_thing and one.is_named and two.is_named


def _has_task_of(one: _Deed, two: _Deed, known: tuple[_Deed, ...]) -> bool:
    """ "Ann writes it and Ben checks it": whoever writes it is not Ben, who has another task with the same thing."""
    if one.verb != two.verb or one.doer & two.doer or not (one.bearers and two.bearers):
        return False
    done = one.bearers[0]
    if done != two.bearers[0] or one.roles[0] != two.roles[0]:
        return False
    return any(deed.verb != one.verb and deed.doer == one.doer and done in deed.bearers for deed in known)


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[_Deed, ...]:
    plain = _CLEFT.sub(" ", text)
    reads = [read for read in read_text(plain).claims if not read.claim.hedged]
    return tuple(deed for read in reads for deed in _deeds(read.proposition, plain))


def _deeds(proposition: Proposition, text: str) -> Iterator[_Deed]:
    verb = proposition.predicate
    if not verb or proposition.negated or proposition.modal not in _FIRM:
        return
    subject = frozenset({USER}) if proposition.subject == USER else frozenset(proposition.subject_lemmas)
    found = [(a.role, _name(a)) for a in proposition.arguments if a.role in _BEARERS and not a.is_time]
    doer = subject
    if proposition.passive:
        agents = [_name(a) for a in proposition.arguments if a.role == "by"]
        if not agents:
            return
        doer, found = agents[0], [("object", subject), *(entry for entry in found if entry[0] != "object")]
    kept = [(role, name) for role, name in found if name]
    if doer and kept:
        bearer = next((a for a in proposition.arguments if a.role == "object"), None)
        written = bearer.text if bearer is not None and not proposition.passive else proposition.subject
        yield _Deed(
            verb,
            doer,
            tuple(name for _, name in kept),
            tuple(role for role, _ in kept),
            bool(doer & proposition.names),
            kept[0][0] == "object" and (written[:1].isupper() or f"the {written}".casefold() in text.casefold()),
        )


def _name(argument: Argument) -> frozenset[str]:
    return frozenset(argument.lemmas) or (frozenset({USER}) if argument.text.casefold() in _YOU else frozenset())


@lru_cache(maxsize=8)
def _list_verbs(name: str) -> frozenset[str]:
    return frozenset(read_table("contrasts", "detect")[name])
