"""From kinds to pairs: every kind in turn, every label of a case, nothing twice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping

from training.domain.kinds import (
    attributions,
    changes,
    dialogues,
    generality,
    knowledge,
    memories,
    negations,
    passages,
    projects,
    quantities,
    relations,
    times,
)
from training.domain.pair import Case, Pair

Draw = Callable[[random.Random], Case]


def _draw_subject(rng: random.Random) -> Case:
    return (memories.draw_subject if rng.random() < 0.55 else relations.draw_swap)(rng)


KINDS: Mapping[str, Draw] = {
    "memory": memories.draw_memory,
    "negation": negations.draw_negation,
    "number": quantities.draw_quantity,
    "time": times.draw_when,
    "subject": _draw_subject,
    "generality": generality.draw_generality,
    "update": changes.draw_change,
    "several": memories.draw_several,
    "partly": memories.draw_partly,
    "passage": passages.draw_passage,
    "dialogue": dialogues.draw_dialogue,
    "technical": projects.draw_technical,
    "attribution": attributions.draw_attribution,
    "paraphrase": relations.draw_paraphrase,
    "knowledge": knowledge.draw_knowledge,
}
WEIGHTS: Mapping[str, int] = {"memory": 14, "number": 14, "several": 9, "partly": 8, "time": 8, "passage": 4}
_USUAL_WEIGHT = 7


def generate(count: int, seed: int, kinds: Mapping[str, Draw] = KINDS) -> Iterator[Pair]:
    """`count` different pairs, the same for the same seed; a claim's pairs come one after the other."""
    rng = random.Random(seed)
    names = list(kinds)
    weights = [WEIGHTS.get(name, _USUAL_WEIGHT) for name in names]
    seen: set[tuple[str, str]] = set()
    made = 0
    while made < count:
        (name,) = rng.choices(names, weights)
        case = kinds[name](rng)
        if case.claim in case.premises.values():
            continue
        for label, premise in case.premises.items():
            key = (premise, case.claim)
            if made < count and key not in seen:
                seen.add(key)
                made += 1
                yield Pair(premise, case.claim, label, f"domain_{name}")
