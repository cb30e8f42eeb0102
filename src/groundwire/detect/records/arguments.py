"""Names and words of a claim against the record: which attribute they are a value of, and whether it is that value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from groundwire.detect.records.checked import institutions
from groundwire.detect.records.facets import Facet, holds, means_same_entity, same_words, share_of_words
from groundwire.detect.records.frames import frame_meanings, slot_meanings
from groundwire.detect.records.kinship import (
    are_same_people,
    classes_of_words,
    is_people,
    share_classes,
    shared_word,
    words_of_class,
)
from groundwire.detect.records.sayings import Outcome, Point, Saying, Sureness, may_refute
from groundwire.detect.records.values import find_values
from groundwire.evidence.lookups import KnowledgeBase
from groundwire.evidence.meanings import load_meanings, other_than
from groundwire.evidence.names import name_words
from groundwire.text.lexicon import noun_lemma
from groundwire.text.places import is_place
from groundwire.text.propositions import Argument
from groundwire.types import Span, Tense

_FORMER = frozenset({"former", "previous", "old", "past", "prior", "earlier", "original", "first", "formerly"})
_JOINT = re.compile(r",? (?:and|or|with) |, | & ")
_FILLERS = frozenset(
    "of the a an its our their his her level same new own second other".split()  # noqa: SIM905
)


def assess_argument(
    saying: Saying, argument: Argument, facets: Sequence[Facet], knowledge: KnowledgeBase, now: datetime
) -> Point | None:
    if (
        not argument.lemmas
        or argument.role == "when"
        or argument.text.casefold() in ("you", "me", "us", "it", "them", "him", "her")
    ):
        return None
    texts = [f for f in facets if _can_compete(f) and not _is_own_name(f, argument)]
    told = [f for f in facets if _is_told(saying, argument, f, knowledge, now)]
    others = [a for a in saying.proposition.arguments if a is not argument and a.lemmas]
    texts = [f for f in texts if f in told or not any(_is_told(saying, a, f, knowledge, now) for a in others)]
    is_settled = any(_is_told(saying, a, f, knowledge, now) for a in others if a.role == "at" for f in facets)
    framed = frame_meanings(saying.proposition, argument.span)
    framed |= slot_meanings(saying.read, argument, is_settled=is_settled)
    ranks = {f.attribute: _rank(saying, argument, f, framed) for f in texts}
    best = max((rank for f in texts if f not in told and (rank := ranks[f.attribute])), default=Sureness.NONE)
    if any(_tells_rest(argument, f) for f in told):  # "hydraulic disc brakes", where the brakes are hydraulic disc
        return Point(Outcome.AGREES, argument.text, argument.span, told[0])
    if any(_was_so(saying, f) for f in told):
        return Point(Outcome.AGREES, argument.text, argument.span, told[0])
    if told and not (best >= Sureness.NAMED and all(ranks.get(f.attribute, Sureness.NONE) < best for f in told)):
        return Point(Outcome.AGREES, argument.text, argument.span, told[0])
    chosen = [f for f in texts if f not in told and ranks[f.attribute] == best]
    if not best or not all(may_refute(saying, f) for f in chosen) or (len(chosen) > 1 and best < Sureness.FRAMED):
        return Point(Outcome.SILENT, argument.text, argument.span)
    facet = _prefer(saying, chosen, argument)
    if best > Sureness.HINTED:
        return Point(Outcome.DIFFERS, argument.text, argument.span, facet, best)
    value, span = _narrow(saying.text, argument, facet)
    return Point(Outcome.DIFFERS, value, span, facet, best)


def _was_so(saying: Saying, facet: Facet) -> bool:
    """ "Until 2020 it was in Porto", where Porto is on record as a former place."""
    return saying.read.claim.tense is Tense.PAST and not _FORMER.isdisjoint(facet.words)


def _can_compete(facet: Facet) -> bool:
    """Values in words; a relation is a fact about two, which its sentence decides and no word of it."""
    return not (facet.kind or facet.is_switch or facet.is_relation or "status" in facet.meanings)


def _narrow(text: str, argument: Argument, facet: Facet) -> tuple[str, Span]:
    """The words of a phrase that are the value: "the [Norwegian] flag"; none where the stored value would not fit."""
    written = text[argument.span.start : argument.span.end]
    rest = _rest_of(argument, facet) or shared_word(argument.text, facet.shown[0])
    at = written.find(rest) if rest else -1
    if at < 0 or is_people(rest) is not is_people(facet.shown[0]):
        return "", argument.span
    return rest, Span(argument.span.start + at, argument.span.start + at + len(rest))


def _is_told(saying: Saying, argument: Argument, facet: Facet, knowledge: KnowledgeBase, now: datetime) -> bool:
    if _matches_words(argument, facet, knowledge, now) or _names_stored(saying, argument, facet, knowledge):
        return True
    return not facet.kind and _tells_rest(argument, facet)


def _rank(saying: Saying, argument: Argument, facet: Facet, framed: set[str]) -> Sureness:
    kinds = [load_meanings().by_id[m].kind for m in facet.meanings if m in framed]
    if kinds and _looks_like(argument, kinds) and _is_comparable(argument, facet):
        return Sureness.FRAMED
    said = saying.words - set(argument.lemmas)
    if share_of_words(facet, said) == 1.0 and _is_predicated(saying, argument, facet):
        return Sureness.NAMED
    hinted = _rest_of(argument, facet) or _is_of_one_class(argument.text, facet.shown[0])
    return Sureness.HINTED if hinted else Sureness.NONE


def _is_of_one_class(said: str, shown: str) -> bool:
    """Two of one class, and not the same one: "heads the cardiology ward" is said of a head of cardiology."""
    mine, theirs = (words_of_class(text) for text in (said, shown))
    return share_classes(said, shown) and not mine & theirs


def _tells_rest(argument: Argument, facet: Facet) -> bool:
    rest = _rest_of(argument, facet)
    return bool(rest) and any(same_words(rest, shown) or are_same_people(rest, shown) for shown in facet.shown)


def _rest_of(argument: Argument, facet: Facet) -> str:
    """ "the Norwegian flag", "the house of Merewyn": what a phrase says beyond the attribute's name."""
    words = argument.text.replace("'s", "").split()
    said = [w for w in words if any(noun_lemma(w.casefold()) == own for own in facet.words)]
    if not said or not (facet.words <= {noun_lemma(w.casefold()) for w in said} or len(facet.words) == 2):
        return ""
    if other_than(facet.words) - {noun_lemma(w.casefold()) for w in said}:
        return ""  # "the name of", where a former name is on record
    rest = [w for w in words if w not in said and w.casefold() not in _FILLERS]
    return " ".join(rest)


def _is_own_name(facet: Facet, argument: Argument) -> bool:
    """ "at Northgate" says nothing of where Northgate is."""
    return argument.text in (facet.entity.name, *facet.entity.aliases)


def _prefer(saying: Saying, facets: Sequence[Facet], argument: Argument) -> Facet:
    """Of several attributes the one that is named, then the one whose kind the value has."""
    table = load_meanings().by_id
    somewhere = is_place(name_words(argument.text))

    def order(facet: Facet) -> tuple[float, bool]:
        is_where = any(table[m].kind == "place" for m in facet.meanings)
        return -share_of_words(facet, saying.words), is_where is not somewhere

    return min(facets, key=order)


def _matches_words(argument: Argument, facet: Facet, knowledge: KnowledgeBase, now: datetime) -> bool:
    if all(_are_other_lists(argument.text, shown) for shown in facet.shown):
        return False
    if holds(facet, argument.text, now) or any(same_words(argument.text, shown) for shown in facet.shown):
        return True
    return argument.is_name and any(means_same_entity(argument.text, shown, knowledge) for shown in facet.shown)


def _are_other_lists(said: str, shown: str) -> bool:
    """ "Black and white" is not "red and white": as many things, and not the same ones."""
    mine, theirs = ({part.strip().casefold() for part in _JOINT.split(text)} for text in (said, shown))
    return 1 < len(mine) == len(theirs) and mine != theirs and all(" " not in part for part in mine | theirs)


def _names_stored(saying: Saying, argument: Argument, facet: Facet, knowledge: KnowledgeBase) -> bool:
    """ "the captain of the Havglimt" names the ship that is on record."""
    inside = [e for a, b, e in saying.named if argument.span.start <= a and b <= argument.span.end]
    return any(knowledge.get_entity(shown) is e for e in inside if e is not facet.entity for shown in facet.shown)


def _looks_like(argument: Argument, kinds: Sequence[str]) -> bool:
    """Whether the words can be a value of the kind: a place or a person has a name."""
    if any(kind in ("any", "title") for kind in kinds):
        return True
    if "code" in kinds:
        return any(map(str.isdigit, argument.text))
    return argument.is_name or any(word[:1].isupper() for word in argument.text.split())


def _is_comparable(argument: Argument, facet: Facet) -> bool:
    """Whether the words can compete with what is stored: a number with a number, a colour with a colour."""
    stored = facet.shown[0]
    if argument.text.casefold() in institutions():
        return False
    if any(map(str.isdigit, stored)) and not facet.kind and not find_values(argument.text):
        return any(w[:1].isupper() for w in argument.text.split())
    classes = classes_of_words(stored) - {"field"}
    if len(stored.split()) < 3 and "colour" in classes:
        return "colour" in classes_of_words(argument.text)
    if argument.role == "on" and is_place(name_words(stored)):
        return is_place(name_words(argument.text))
    return True


def _is_predicated(saying: Saying, argument: Argument, facet: Facet) -> bool:
    """The part that a sentence says of its subject, not one mentioned along the way."""
    proposition = saying.proposition
    if argument.role == "object" or proposition.predicate == "be":
        return True
    thing = next((a for a in proposition.arguments if a.role == "object"), None)
    return proposition.predicate == "have" and thing is not None and facet.words <= set(thing.lemmas)
