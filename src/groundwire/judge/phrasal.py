"""Verbs of two words: "turn down" is to reject, "look after" to care for, and "runs out in June" to expire then."""

from __future__ import annotations

from functools import cache, lru_cache

from groundwire.text.propositions import Proposition
from groundwire.text.thesaurus import load_clusters

_PARTICLES = frozenset({"up", "down", "off", "out", "away", "back", "over"})
_BESIDE = _PARTICLES | {"through", "on", "in"}
_WITH_PREPOSITIONS = frozenset({"look after", "care for"})


def join_particle(said: Proposition) -> Proposition:
    """The same with verb and particle as one predicate, where the two have a meaning of their own."""
    return _join(said) if said.predicate in _phrasal_verbs() else said


def find_particles(said: Proposition) -> frozenset[str]:
    """What stands by the verb and makes another of it: "up" of "gave up", "gave it up" and "gave up at the end"."""
    beside = {word for word in said.adverbs if word in _BESIDE}
    for argument in said.arguments:
        first, space, _ = argument.role.partition(" ")
        if first in (_BESIDE if space else _PARTICLES) and not argument.is_time:
            beside.add(first)
    return frozenset(beside)


@cache
def _phrasal_verbs() -> frozenset[str]:
    pairs = [name.split(" ") for name in load_clusters().clusters if name.count(" ") == 1]
    found = [verb for verb, particle in pairs if particle in _PARTICLES]
    return frozenset((*found, *(name.partition(" ")[0] for name in _WITH_PREPOSITIONS)))


@lru_cache(maxsize=4096)
def _join(said: Proposition) -> Proposition:
    verb, known = said.predicate, load_clusters().clusters
    lemmas = said.lemmas - {verb}
    for particle in said.adverbs:
        if particle in _PARTICLES and f"{verb} {particle}" in known:
            adverbs = tuple(word for word in said.adverbs if word != particle)
            return said._replace(predicate=f"{verb} {particle}", adverbs=adverbs, lemmas=lemmas)
    for at, argument in enumerate(said.arguments):
        particle, space, role = argument.role.partition(" ")
        name = f"{verb} {particle}"
        if space:  # "runs out in June"
            is_phrasal = particle in _PARTICLES and name in known
        else:
            alone = not argument.is_time and not any(other.role == "object" for other in said.arguments)
            is_phrasal = alone and (name in _WITH_PREPOSITIONS or (particle in _PARTICLES and name in known))
        if is_phrasal:
            told = argument._replace(role=role or "object")
            arguments = (*said.arguments[:at], told, *said.arguments[at + 1 :])
            return said._replace(predicate=name, arguments=arguments, lemmas=lemmas)
    return said
