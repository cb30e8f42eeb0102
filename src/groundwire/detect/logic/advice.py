"""Advice against what was just said: "A is faster than B. If you want to be there sooner, take B"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import noun_lemma, readings
from groundwire.text.tables import join_phrases, read_table
from groundwire.text.thesaurus import are_opposites
from groundwire.types import ContradictionType

_SURE = 0.80
_REACH = 2
_LONGEST = 300
_THING = r"(?:the |an? )?[\w'-]+(?: [\w'-]+){0,2}?"
_THAN = re.compile(
    rf"(?P<one>{_THING}) (?P<verb>is|are|was|were|runs|drives|comes|costs) (?:much |far |a bit |a little "
    rf"|slightly |even )?"
    rf"(?P<quality>more [a-z]+|[a-z]+er|less) than (?P<other>{_THING})(?=[,.;!]|$| and\b| but\b)"
)
_ADVISES = re.compile(
    r"\b(?:if|when|in case) (?:you|your|speed|money|price|time)\b(?P<aim>[^,.;]{3,60}), "
    r"(?:then )?(?:you should |i'd |i would |just |do |please )?(?:take|choose|pick|go for|go with|buy|get|use"
    r"|book|opt for|prefer|recommend) "
    rf"(?P<thing>{_THING})(?=[,.;!]|$)"
)


@cache
def _aims() -> dict[str, re.Pattern[str]]:
    """What somebody wants who wants the thing with the quality."""
    table: dict[str, list[str]] = read_table("logic", "detect")["aims"]
    return {quality: re.compile(rf"\b(?:{join_phrases(frozenset(words))})\b") for quality, words in table.items()}


def find_misadvised(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    for place, seen in enumerate(sightings):
        advice = _ADVISES.search(seen.low) if len(seen.low) <= _LONGEST and not seen.is_question else None
        if advice is None or re.search(r"\b(?:not|don't|never|instead)\b|n't\b", advice.group()):
            continue
        for earlier in (*reversed(sightings[max(0, place - _REACH) : place]), seen):
            known = _THAN.search(earlier.low) if len(earlier.low) <= _LONGEST else None
            if known is None or (earlier is seen and known.end() > advice.start()):
                continue
            better, worse = known["one"], known["other"]
            if (known["quality"] == "less") is not (known["verb"] == "costs"):
                continue  # "costs less than" is the cheaper one
            quality = _positive(known["quality"])
            if _wants(advice["aim"], quality) and _is_meant(advice["thing"], worse, better):
                evidence = f'"{known.group()}", and so {worse} is not what serves that end'
                kind = ContradictionType.LOGICAL_IMPOSSIBILITY
                span = earlier.segment.span if earlier is not seen else None
                yield Clash(seen.segment.span, span, _SURE, kind, evidence)
                break


def _wants(aim: str, quality: str) -> bool:
    for word in re.findall(r"[a-z]+", aim):
        positive = _positive(word)
        if positive == quality and word != quality:
            return True  # "something quieter"
        if are_opposites(positive, quality) and word != positive:
            return False
    pattern = _aims().get(quality)
    return pattern is not None and pattern.search(aim) is not None


def _positive(comparative: str) -> str:
    if comparative == "less":
        return "cheap"
    word = comparative.removeprefix("more ")
    for tag, lemma in readings(word):
        if tag in ("JJR", "RBR") and lemma != word:
            return lemma
    return word


def _is_meant(thing: str, worse: str, better: str) -> bool:
    """ "the red tent", where the other is a tent as well; by its noun alone where that is enough."""
    mine, one, other = (
        _head(name) if _head(worse) != _head(better) else _bare(name) for name in (thing, worse, better)
    )
    return mine == one != other


def _bare(thing: str) -> str:
    return re.sub(r"^(?:the|an?)\s+", "", thing.strip())


def _head(thing: str) -> str:
    words = re.sub(r"^(?:the|an?)\s+", "", thing.strip()).split()
    return noun_lemma(words[-1]) if words else ""
