"""Years that lie outside of what is on record: working since 2006 for a company that was founded in 2011."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from groundwire.detect.sightings import Sighting
from groundwire.detect.times.dates import find_extent
from groundwire.detect.times.event_pairs import life_words
from groundwire.detect.times.tenses import TemporalFault
from groundwire.evidence.lookups import Entity, KnowledgeBase
from groundwire.text.tables import read_table
from groundwire.types import Tense

_SURE = 0.80
_YEAR = re.compile(r"(?<!\d)(1[0-9]{3}|20[0-9]{2})(?!\d)")
_UNREAL = re.compile(
    r"\b(?:if|unless|before|prior|predecessor|would|could|might|never|not|no|plan|plans|planned|already|idea"
    r"|named after|in memory"
    r"|in honou?r|posthumous(?:ly)?|legacy|estate|ancestors?|parents?|grandparents?|forerunner|as early as"
    r"|originally)\b|n't\b|[\"“”]"
)


def find_outside_of_record(
    sightings: Sequence[Sighting], known: KnowledgeBase
) -> Iterator[tuple[Sighting, TemporalFault]]:
    """Of one dated deed in a sentence: whoever or whatever takes part in it, as far as it is on record."""
    if known.is_empty:
        return
    for seen in sightings:
        if seen.is_question or seen.is_endless or len(seen.groups) != 1 or _UNREAL.search(seen.low):
            continue
        dates = [(time, e) for time in seen.times if (e := find_extent(time)) is not None]
        group = seen.groups[0]
        if len(dates) != 1 or group.modal or group.negated or group.lemma in _preparing():
            continue
        if group.tense is not Tense.PAST and not group.perfect:
            continue
        time, extent = dates[0]
        for entity in _named(seen, known):
            begins, ends = _year_of(entity, "begins"), _year_of(entity, "ends")
            early = begins is not None and extent.last.year < begins
            if early and _is_since(seen, entity):
                continue  # "Marrow has been open since 2003" is its first year told otherwise
            late = ends is not None and extent.first.year > ends and _is_living(entity, group.lemma, group.passive)
            if early or late:
                what = f"begins in {begins}" if early else f"ends in {ends}"
                evidence = f"{entity.name}, which {what}, has no part in {time.surface}"
                yield (
                    seen,
                    TemporalFault(time.span, _SURE, evidence, "This lies outside of what is on record: check it."),
                )
                break


def _is_since(seen: Sighting, entity: Entity) -> bool:
    name = entity.name.casefold()
    return "since" in seen.words and seen.low.removeprefix("the ").startswith(name)


def _named(seen: Sighting, known: KnowledgeBase) -> Iterator[Entity]:
    """The entities of the record that the sentence names, and not as the owner of something else."""
    for mention in seen.segment.entities:
        end = mention.span.end - seen.start
        if seen.text[end : end + 2] in ("'s", "’s", "' ", "’ "):
            continue
        entity = known.find_entity(mention.surface)
        if entity is not None:
            yield entity


def _year_of(entity: Entity, end: str) -> int | None:
    """By the names that the record itself has: what merely means much the same ("since") may be the year of a post."""
    wanted = [name for name in entity.attribute_names if name.casefold().replace(" ", "_") in _attributes(end)]
    years = [
        int(match[1])
        for name in wanted
        for value in entity.get_attribute(name)
        if (match := _YEAR.search(value.value)) is not None
    ]
    return years[0] if len(set(years)) == 1 else None


def _is_living(entity: Entity, lemma: str, passive: bool) -> bool:
    """What is done to somebody may be done after their death; what they do is not."""
    return entity.type.casefold() != "person" or (not passive and lemma not in life_words("posthumous"))


@cache
def _attributes(end: str) -> frozenset[str]:
    return frozenset(read_table("temporal_faults", "detect")["record"][end])


@cache
def _preparing() -> frozenset[str]:
    return frozenset(read_table("temporal_faults", "detect")["record"]["preparing"])
