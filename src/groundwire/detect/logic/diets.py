"""What a dish is promised to be free of, and what is in it all the same: a vegan soup with beef bones."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.exclusions import speaks_on
from groundwire.detect.logic.scopes import (
    are_at_other_times,
    is_another_case,
    is_next_door,
    is_of_another_thing,
    is_of_sibling,
)
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import is_kind_of
from groundwire.types import ContradictionType

_SURE = 0.80
_REACH = 2
_LONGEST = 300
_UNREAL = re.compile(
    r"\b(?:no|not|never|without|neither|nor|none|nobody|nothing|cannot|except|unless|if|whether|until|would|could"
    r"|might|instead|rather"
    r"|like|than|as\s+\w+\s+as|or|almost|replace[ds]?|avoid|free|option(?:al|s)?|version|alternatives?"
    r"|substitutes?|separate(?:ly)?"
    r"|leave\s+out|omit|skip|unlike|pairs?|goes\s+(?:\w+\s+)?with|serve\s+(?:it\s+|them\s+)?with|next\s+to|beside"
    r"|other|another|also|contrary)\b|n't\b|-free\b|\?"
)
_LIMITED = re.compile(r"\s+(?:for|in|on|during|until|when|only|option|version|dishes|menu)\b")
_LINKS = frozenset("it its they their them this these that we our you".split())  # noqa: SIM905

_ITSELF = frozenset({"it", "its", "them"})


@cache
def barred() -> dict[str, frozenset[str]]:
    table: dict[str, list[str]] = read_table("logic", "detect")["barred"]
    return {name: frozenset(words) for name, words in table.items()}


@lru_cache(maxsize=4096)
def is_barred(promise: str, lemma: str) -> bool:
    return any(lemma == word or noun_lemma(lemma) == word or is_kind_of(lemma, word) for word in barred()[promise])


def is_made_of_plants(word: str) -> bool:
    """ "oat milk", "peanut butter": what stands in front says that it is another thing than its name."""
    return word in _plants() or word.endswith(("-free", "-based"))


@cache
def _plants() -> frozenset[str]:
    return frozenset(read_table("logic", "detect")["diets"]["plants"])


@cache
def _promises() -> re.Pattern[str]:
    names = {**{name: name for name in barred()}, **_told_as()}
    either = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.compile(
        rf"\b(?:is|are|was|stays?|remains?|'s|'re)\s+(?:\w+ly\s+|all\s+|100%\s+|both\s+)?(?P<be>{either})\b"
        rf"|\b(?P<told>contains?\s+no\s+(?:meat|gluten|dairy|nuts|alcohol|sugar|caffeine))\b"
    )


@cache
def _told_as() -> dict[str, str]:
    return dict(read_table("logic", "detect")["promised"])


def find_forbidden_ingredients(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """The promise, and the first of what it rules out behind it: in its sentence, or in the two that go on about it."""
    for place, seen in enumerate(sightings):
        match = None if seen.is_question or len(seen.low) > _LONGEST else _promises().search(seen.low)
        if match is None or _UNREAL.search(seen.low, 0, match.start()) or _LIMITED.match(seen.low, match.end()):
            continue
        told = re.sub(r"contains? ", "", match["told"]) if match["told"] else match["be"]
        promise = _told_as().get(told, told)
        if promise not in barred():
            continue
        if (thing := _find_barred(seen, match.end(), promise)) is not None:
            yield _tell(seen, None, promise, thing)
            continue
        for other in sightings[place + 1 : place + 1 + _REACH]:
            thing = _find_barred(other, 0, promise) if _goes_on(seen, other) else None
            if thing is not None:
                yield _tell(other, seen, promise, thing)
                break


def _goes_on(seen: Sighting, other: Sighting) -> bool:
    if other.is_question or len(other.low) > _LONGEST:
        return False
    if is_next_door(seen, other) or is_of_another_thing(other) or is_of_sibling(seen, other):
        return False
    if are_at_other_times(seen, other):
        return False
    if _ITSELF.isdisjoint(other.words) and is_another_case(seen, other):
        return False
    if not _LINKS.isdisjoint(other.words):
        return True
    mine, yours = (
        {noun_lemma(t.low) for t, letter in zip(side.tokens, side.letters, strict=True) if letter in "NP"}
        for side in (seen, other)
    )
    return bool(mine & yours) or "ingredient" in other.low


def _find_barred(seen: Sighting, start: int, promise: str) -> str | None:
    """A thing that is put into it: named behind a verb, and not as something that it is like or goes with."""
    first = seen.index_at(seen.start + start)
    for k in range(first, len(seen.tokens)):
        token = seen.tokens[k]
        if seen.letters[k] not in "NJP" or not is_barred(promise, noun_lemma(token.low)):
            continue
        before, behind = (seen.tokens[i].low if 0 <= i < len(seen.tokens) else "" for i in (k - 1, k + 1))
        at = token.start - seen.start
        is_other = is_made_of_plants(before) or behind in ("substitute", "substitutes", "alternative", "style", "board")
        if is_other or not any(letter in "VbhdMEGB" for letter in seen.letters[first:k]):
            continue
        end = next((i for i in range(at, len(seen.low)) if seen.low[i] in ".,;:"), len(seen.low))
        if start and not speaks_on(seen, start, at) and "ingredient" not in seen.low:
            return None  # "The soup is vegan and the burger comes with bacon"
        if not _UNREAL.search(seen.low, start, at) and not _UNREAL.search(seen.low, at, min(end, at + 40)):
            return token.low
    return None


def _tell(seen: Sighting, earlier: Sighting | None, promise: str, thing: str) -> Clash:
    span = earlier.segment.span if earlier is not None else None
    kind = ContradictionType.LOGICAL_IMPOSSIBILITY
    return Clash(seen.segment.span, span, _SURE, kind, f"{promise} rules out {thing}")
