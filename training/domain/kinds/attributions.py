"""Quotes and attribution: what somebody says is theirs, what somebody knows is so; trying is not managing."""

from __future__ import annotations

import random

from training.domain.grammar import Subject, capitalise, end_sentence, fill
from training.domain.pair import Case, make_case
from training.domain.slots import Person, Slot, pick_slot, pick_value
from training.domain.surface import roughen
from training.domain.words import pick_person, read_table

_SAID = (
    "{x} said that {p}",
    "according to {x}, {p}",
    "{x} told the others that {p}",
    "in {x}'s words, {p}",
    "{x} remarked that {p}",
    "{x} mentioned that {p}",
    "{x} stated that {p}",
)
_CLAIM_SAID = ("{x} said that {p}", "{x} has said that {p}", "it was said by {x} that {p}")
_UNSAID = (
    "{x} denied that {p}",
    "{x} never said that {p}",
    "{x} did not say that {p}",
    "at no point did {x} say that {p}",
)
_KNOWS = (
    "{x} knows that {p}",
    "{x} realised that {p}",
    "{x} forgot that {p}",
    "{x} found out that {p}",
    "{x} is aware that {p}",
    "{x} did not know that {p}",
    "{x} was surprised to learn that {p}",
    "{x} regrets that {p}",
    "{x} noticed that {p}",
)
_BELIEVES = (
    "{x} believes that {p}",
    "{x} claims that {p}",
    "{x} thinks that {p}",
    "{x} suspects that {p}",
    "{x} said that {p}",
    "{x} is under the impression that {p}",
    "{x} heard a rumour that {p}",
    "{x} doubts that {p}",
    "{x} hopes that {p}",
    "{x} does not believe that {p}",
    "{x} wonders whether {p}",
)
_WRONG = (
    "{x} wrongly believes that {p}",
    "{x} falsely claimed that {p}",
    "{x} was mistaken in thinking that {p}",
    "{x} lied when saying that {p}",
    "{x} pretends that {p}, which is untrue",
)

_DID = (
    "{s} managed to {i}",
    "{s} did not fail to {i}",
    "{s} succeeded and {d}",
    "{s} remembered to {i}",
    "{s} did not forget to {i}",
    "{s} made the effort to {i}, and it worked: {s} {d}",
    "{s} went ahead and {d}",
    "{s} dared to {i}",
    "{s} was forced to {i} and did so",
)
_DID_NOT = (
    "{s} failed to {i}",
    "{s} refused to {i}",
    "{s} forgot to {i}",
    "{s} did not manage to {i}",
    "{s} was unable to {i}",
    "{s} didn't bother to {i}",
    "{s} did not {i}",
    "{s} never got round to it, so {he} did not {i}",
    "{s} was prevented from even trying to {i} and never did",
)
_MAY_HAVE = (
    "{s} tried to {i}",
    "{s} wanted to {i}",
    "{s} planned to {i}",
    "{s} was asked to {i}",
    "{s} promised to {i}",
    "{s} intended to {i}",
    "{s} did not want to {i}",
    "{s} hesitated to {i}",
    "{s} was told not to {i}",
    "{s} offered to {i}",
    "{s} was encouraged to {i}",
)


def _draw_act(rng: random.Random) -> Case:
    person, (inf, past) = pick_person(rng), rng.choice(read_table("acts")["acts"])

    def put(wordings: tuple[str, ...], who: Subject = person) -> str:
        return roughen(rng, end_sentence(fill(rng.choice(wordings), who, {"i": inf, "d": past})))

    neutral = (
        put(_MAY_HAVE)
        if rng.random() < 0.8
        else put(_DID if rng.random() < 0.5 else _DID_NOT, pick_person(rng, person.nominative))
    )
    if rng.random() < 0.5:
        return make_case(
            put(("{s} {d}", "it was {s} who {d}") if rng.random() < 0.5 else ("{s} {d}",)),
            put(_DID),
            neutral,
            put(_DID_NOT),
        )
    return make_case(
        put(("{s} did not {i}", "{s} didn't {i}", "it is not true that {s} {d}")), put(_DID_NOT), neutral, put(_DID)
    )


def _clause(rng: random.Random, slot: Slot, value: str, person: Person, *, yes: bool) -> str:
    return fill(rng.choice(slot.say if yes else slot.deny_exactly), person.subject, {"x": value})


def draw_attribution(rng: random.Random) -> Case:
    if rng.random() < 0.35:
        return _draw_act(rng)
    about = Person(pick_person(rng))
    name = about.subject.nominative if about.subject else ""
    x = pick_person(rng, name).nominative
    y = pick_person(rng, name, x).nominative
    slot = pick_slot(rng)
    value = pick_value(rng, slot, about, x, y)
    yes = rng.random() < 0.7

    def clause(yes: bool = yes) -> str:
        return _clause(rng, slot, value, about, yes=yes)

    def put(wordings: tuple[str, ...], who: str, text: str) -> str:
        return roughen(rng, end_sentence(rng.choice(wordings).format(x=who, p=text)))

    fact, opposite = end_sentence(clause()), end_sentence(clause(not yes))
    if rng.random() < 0.5:
        quoted = f'"{capitalise(clause())}," {rng.choice(("said", "explained"))} {x}.'
        entail = quoted if rng.random() < 0.25 else put(_SAID, x, clause())
        neutral = rng.choice(
            (
                fact,
                put(_SAID, y, clause()),
                put(
                    ("{x} believes that {p}", "{x} heard that {p}", "{x} wonders whether {p}", "{x} was told that {p}"),
                    x,
                    clause(),
                ),
            )
        )
        return make_case(put(_CLAIM_SAID, x, clause()), entail, neutral, put(_UNSAID, x, clause()))
    entail = put(_KNOWS, x, clause()) if rng.random() < 0.75 else put(_WRONG, x, clause(not yes))
    neutral = put(_BELIEVES, x, clause() if rng.random() < 0.8 else clause(not yes))
    contradict = rng.choice((put(_WRONG, x, clause()), put(_KNOWS, x, clause(not yes)), opposite))
    return make_case(fact, entail, neutral, contradict)
