"""More specific, more general, and quantifiers: from the special to the general follows, the other way is open."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from training.domain.grammar import Subject, add_article, end_sentence, fill
from training.domain.pair import Case, Label, make_case
from training.domain.slots import Person, pick_voice, pick_whom
from training.domain.surface import chat
from training.domain.words import pick_person, read_table

_LIVES = ("{s} <live> in {x}", "{s} <be> based in {x}", "{s's} home is in {x}", "{s} <be> a resident of {x}")
_NOT_LIVES = ("{s} <don't> live in {x}", "{s} <live> outside {x}", "{s's} home is not in {x}")


def _premise(rng: random.Random, frame: str, value: str, person: Person) -> str:
    voice: Subject = pick_voice(rng, person, in_claim=False)
    return chat(rng, fill(frame, voice, {"x": value}), voice)


def _draw_tree(rng: random.Random) -> Case:
    tree: Mapping[str, Any] = rng.choice(read_table("taxonomy")["tree"])
    person, frame = pick_whom(rng), rng.choice(tree["frames"])
    member, kind = rng.choice(tree["members"]), tree["kind"]
    bare = tree.get("bare", False)
    named_kind = tree.get("kindname", add_article(kind))
    frame = frame.replace("{a x}", "{x}")

    def noun(word: str) -> str:
        return word if bare else add_article(word)

    voice = pick_voice(rng, person, in_claim=True)
    general = rng.random() < 0.5
    value = named_kind if general else noun(member)
    if rng.random() < 0.3:  # the claim denies all of the kind
        none = rng.choice(tree["none"])
        return make_case(
            end_sentence(fill(none, voice)),
            _premise(rng, rng.choice(tree["none"]), "", person),
            _premise(rng, frame, noun(rng.choice(tree["aside"])), person),
            _premise(rng, frame, noun(member), person),
        )
    against = _premise(rng, rng.choice(tree["none"]), "", person)
    if general:
        neutral = noun(rng.choice(tree["aside"]))
        if neutral == value:
            return _draw_tree(rng)
    else:
        neutral = named_kind if rng.random() < 0.6 else noun(rng.choice([m for m in tree["members"] if m != member]))
        if "made of" in frame or "consists" in frame:
            neutral = named_kind
    return make_case(
        end_sentence(fill(frame, voice, {"x": value})),
        _premise(rng, frame, noun(member), person),
        _premise(rng, frame, neutral, person),
        against,
    )


def _draw_place(rng: random.Random) -> Case:
    places: Mapping[str, str] = read_table("taxonomy")["place"]
    country, other = rng.sample(list(places), 2)
    city = rng.choice(places[country].split(", "))
    elsewhere = rng.choice(places[other].split(", "))
    person = pick_whom(rng)
    voice = pick_voice(rng, person, in_claim=True)
    abroad = _premise(rng, rng.choice(_LIVES), rng.choice((elsewhere, other)), person)
    near = rng.choice(
        ("{s} <work> for a company from {x}", "{s} once spent a summer in {x}", "{s} would like to see {x}")
    )
    match rng.randrange(4):
        case 0:
            return make_case(
                end_sentence(fill(rng.choice(_LIVES), voice, {"x": country})),
                _premise(rng, rng.choice(_LIVES), city, person),
                _premise(rng, near, rng.choice((city, country)), person),
                abroad,
            )
        case 1:
            return make_case(
                end_sentence(fill(rng.choice(_LIVES), voice, {"x": city})),
                _premise(rng, rng.choice(_LIVES), f"the centre of {city}" if rng.random() < 0.5 else city, person),
                _premise(rng, rng.choice(_LIVES), country, person),
                abroad,
            )
        case 2:
            return make_case(
                end_sentence(fill(rng.choice(_NOT_LIVES), voice, {"x": country})),
                abroad,
                _premise(rng, near, country, person),
                _premise(rng, rng.choice(_LIVES), city, person),
            )
        case _:
            return make_case(
                end_sentence(fill(rng.choice(_NOT_LIVES), voice, {"x": city})),
                _premise(rng, rng.choice(_NOT_LIVES), country, person) if rng.random() < 0.5 else abroad,
                _premise(rng, rng.choice(_LIVES), country, person),
                _premise(rng, rng.choice(_LIVES), city, person),
            )


_TOTAL = 20  # members of a group: enough to tell most from all and some from one
_SOME, _ONE = frozenset(range(1, _TOTAL + 1)), frozenset({1})  # whether one is some, people disagree
_QUANTIFIERS: tuple[tuple[tuple[str, ...], frozenset[int]], ...] = (
    (("all of the {g} {v}", "all the {g} {v}", "without exception, the {g} {v}"), frozenset({_TOTAL})),
    (("none of the {g} {v}", "not a single one of the {g} {v}"), frozenset({0})),
    (("some of the {g} {v}", "at least some of the {g} {v}"), _SOME),
    (
        ("most of the {g} {v}", "the majority of the {g} {v}", "more than half of the {g} {v}"),
        frozenset(range(11, _TOTAL + 1)),
    ),
    (
        (
            "not all of the {g} {v}",
            "at least one of the {g} was an exception, but otherwise it is open how many of the {g} {v}",
        ),
        frozenset(range(_TOTAL)),
    ),
    (("exactly half of the {g} {v}",), frozenset({10})),
    (("fewer than half of the {g} {v}", "only a minority of the {g} {v}"), frozenset(range(10))),
    (("all of the {g} except one {v}", "all but one of the {g} {v}"), frozenset({_TOTAL - 1})),
    (("only one of the {g} {v}", "exactly one of the {g} {v}"), _ONE),
)
_BOTH: tuple[tuple[tuple[str, ...], frozenset[str]], ...] = (
    (("both {a} and {b} {v}", "{a} {v}, and so did {b}", "{a} and {b} both {v}"), frozenset({"ab"})),
    (("neither {a} nor {b} {v}", "it is false of both {a} and {b} that they {v}"), frozenset({""})),
    (("{a} {v}, but {b} did not", "of {a} and {b}, only {a} {v}"), frozenset({"a"})),
    (("{b} {v}, but {a} did not", "of {a} and {b}, only {b} {v}"), frozenset({"b"})),
    (("{a} {v}",), frozenset({"a", "ab"})),
    (("{b} {v}",), frozenset({"b", "ab"})),
    (("{a} or {b} {v}, perhaps both", "at least one of {a} and {b} {v}"), frozenset({"a", "b", "ab"})),
    (("exactly one of {a} and {b} {v}", "either {a} or {b} {v}, but not both"), frozenset({"a", "b"})),
    (("not both of {a} and {b} {v}",), frozenset({"a", "b", ""})),
)
_PAST = (
    "passed the test",
    "came to dinner",
    "voted for the plan",
    "signed the form",
    "paid in advance",
    "won a prize",
    "complained about the noise",
    "left early",
    "took the bus",
    "read the report",
    "ordered dessert",
    "forgot the key",
)


def _compare(premise: frozenset[Any], claim: frozenset[Any]) -> Label:
    if premise <= claim:
        return Label.ENTAIL
    return Label.NEUTRAL if premise & claim else Label.CONTRADICT


def _draw_quantifier(rng: random.Random) -> Case:
    table: Mapping[str, Any] = read_table("taxonomy")["quantifier"]
    if rng.random() < 0.5:
        a = pick_person(rng).nominative
        words = {"a": a, "b": pick_person(rng, a).nominative, "v": rng.choice(_PAST)}
        rows: tuple[tuple[tuple[str, ...], frozenset[Any]], ...] = _BOTH
    else:
        words = {"g": rng.choice(table["groups"]), "v": rng.choice(table["acts"])}
        rows = _QUANTIFIERS
    wordings, meaning = rng.choice(rows)
    claim = rng.choice(wordings)
    found: dict[Label, str] = {}
    for other, what in rng.sample(rows, len(rows)):
        label = _compare(what, meaning)
        frames = [frame for frame in other if frame != claim]
        if label not in found and frames and {what, meaning} != {_SOME, _ONE}:
            found[label] = end_sentence(rng.choice(frames).format(**words))
    if len(found) < 3:
        return _draw_quantifier(rng)
    return Case(end_sentence(claim.format(**words)), found)


def draw_generality(rng: random.Random) -> Case:
    return rng.choices((_draw_tree, _draw_place, _draw_quantifier), (40, 22, 38))[0](rng)
