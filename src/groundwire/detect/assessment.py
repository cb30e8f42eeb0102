"""A claim against the record of the entity it is about, by rule: every value finds its attribute, or finds none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from groundwire.detect.facets import YES, Facet, can_hold, holds, means_same_entity, is_weekday, same_words, says_same, share_of_words, speaks_of
from groundwire.detect.kinship import are_same_people, share_classes
from groundwire.detect.status import agree, exclude_each_other, read_states
from groundwire.detect.values import Value, find_values
from groundwire.evidence.lookups import Entity, KnowledgeBase
from groundwire.evidence.meanings import Frame, load_meanings
from groundwire.evidence.names import name_words
from groundwire.text.lexicon import noun_lemma
from groundwire.text.places import is_place
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim
from groundwire.types import Polarity, Span, Tense

_COMPARISONS = frozenset("more less fewer than cheaper longer shorter later earlier older younger another extra further each".split())  # noqa: SIM905
_FRAMED, _NAMED, _HINTED, _ALONE = 4, 3, 2, 1
_BECOMING = frozenset({"move", "become", "join", "switch", "transfer", "relocate", "start", "take", "promote", "change", "turn", "get"})
_CHANGES = frozenset({"move", "reschedule", "postpone", "push", "shift", "delay", "change", "bring", "extend"})


_BOUNDS = {"at least": "minimum", "no less than": "minimum", "up to": "maximum", "at most": "maximum", "no more than": "limit"}


class Outcome(StrEnum):
    AGREES = "agrees"
    DIFFERS = "differs"
    SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Point:
    """One value of a claim, and what the record says of it."""

    outcome: Outcome
    text: str
    span: Span
    facet: Facet | None = None
    sureness: int = 0


@dataclass(frozen=True, slots=True)
class Saying:
    """A claim as it is compared: its words, its values, and who is in it."""

    read: ReadClaim
    text: str
    words: frozenset[str]
    values: tuple[Value, ...]
    named: tuple[tuple[int, int, Entity], ...]

    @property
    def proposition(self) -> Proposition:
        return self.read.proposition


def read_saying(read: ReadClaim, text: str, named: Sequence[tuple[int, int, Entity]]) -> Saying:
    """The claim as written; numbers inside names are no values."""
    span = read.claim.span
    proposition = read.proposition
    own = [Span(a, b) for a, b, _ in named]
    values = find_values(text[span.start : span.end], span.start, own)
    subject = read.claim.subject
    if subject and text.startswith(subject, span.start) and not _names_a_value(read):
        values = [value for value in values if value.span.start >= span.start + len(subject)]
    words = {*proposition.lemmas, *proposition.subject_lemmas, proposition.predicate, *proposition.adverbs}
    words |= {word for value in values for word in value.nouns}
    words |= {part for word in words if "-" in word for part in word.split("-")}
    said = text[span.start : span.end].casefold()
    words |= {word for phrase, word in _BOUNDS.items() if phrase in said}
    return Saying(read, text, frozenset(words - {""}), tuple(values), tuple(named))


def _names_a_value(read: ReadClaim) -> bool:
    """ "Tuesday is the day of the meeting": the value stands first."""
    return read.proposition.predicate == "be" and bool(find_values(read.claim.subject)) and bool(read.claim.object)


def assess(saying: Saying, facets: Sequence[Facet], knowledge: KnowledgeBase, now: datetime) -> list[Point]:
    """What the record says of each value of the claim, and of its other parts."""
    points: list[Point] = []
    covered: list[Span] = []
    for value in saying.values:
        point = _assess_value(saying, value, facets, now)
        points.append(point)
        covered.append(value.span)
    points.extend(_assess_switches(saying, facets))
    points.extend(_assess_states(saying, facets))
    for argument in saying.proposition.arguments if not saying.read.is_note else ():
        if any(s.start < argument.span.end and argument.span.start < s.end for s in covered) or argument.is_time:
            continue
        point = _assess_argument(saying, argument, facets, knowledge, now)
        if point is not None:
            points.append(point)
    return [_deny(saying, point) for point in points] if saying.proposition.negated else points


def _deny(saying: Saying, point: Point) -> Point:
    """A denial of what is on record differs from it; a denial of something else says nothing against it."""
    if point.outcome is not Outcome.AGREES or point.facet is None or not point.text:
        return point
    framed = frame_meanings(saying.proposition, point.span) & set(point.facet.meanings)
    if not framed and share_of_words(point.facet, saying.words) < 1.0:
        return replace(point, outcome=Outcome.SILENT)
    return Point(Outcome.DIFFERS, "", saying.read.claim.span, point.facet, _FRAMED)


# ── numbers, dates, addresses ───────────────────────────────────────────────────────────────────


def _assess_value(saying: Saying, value: Value, facets: Sequence[Facet], now: datetime) -> Point:
    fitting = [facet for facet in facets if can_hold(facet, value)]
    ranked = sorted(((_rank(saying, value, facet, fitting), k) for k, facet in enumerate(fitting)), reverse=True)
    for rank, k in ranked:
        agreed = holds if rank else says_same
        if agreed(fitting[k], value.text, now) and _is_counted_alike(value, fitting[k], saying):
            return Point(Outcome.AGREES, value.text, value.span, fitting[k], rank)
    if point := _assess_free(saying, value, facets):
        return point
    if not ranked or ranked[0][0] == 0 or _is_computed(saying, value):
        return Point(Outcome.SILENT, value.text, value.span)
    best = [fitting[k] for rank, k in ranked if rank == ranked[0][0]]
    if len(best) > 1 and not _are_one(best):
        return Point(Outcome.SILENT, value.text, value.span)
    facet = sorted(best, key=lambda f: f.attribute)[0]
    if not _may_refute(saying, facet):
        return Point(Outcome.SILENT, value.text, value.span)
    return Point(Outcome.DIFFERS, value.text, value.span, facet, ranked[0][0])


def _assess_free(saying: Saying, value: Value, facets: Sequence[Facet]) -> Point | None:
    """What costs something, where the record has it for free."""
    if not value.dimension.startswith("currency") or "price" not in frame_meanings(saying.proposition, value.span):
        return None
    for facet in facets:
        if "free" in read_states(facet.best.value) and not facet.kind and facet.best.value.casefold().startswith("free"):
            return Point(Outcome.DIFFERS, "", value.span, facet, _NAMED)
    return None


def _are_one(facets: Sequence[Facet]) -> bool:
    return len({facet.shown for facet in facets}) == 1


def _is_counted_alike(value: Value, facet: Facet, saying: Saying) -> bool:
    """Three nights are not three beds."""
    if value.kind != "amount" or value.dimension != "count":
        return True
    if frame_meanings(saying.proposition, value.span) & set(facet.meanings):
        return True
    counted = {*value.nouns, *saying.words}
    names = facet.words | facet.nouns
    return not names or any(speaks_of(w, c) for w in names for c in counted) or not value.nouns


def _rank(saying: Saying, value: Value, facet: Facet, fitting: Sequence[Facet]) -> int:
    framed = frame_meanings(saying.proposition, value.span)
    if framed & set(facet.meanings):
        return _FRAMED
    if value.kind == "amount" and value.dimension == "count":
        hit = any(speaks_of(w, n) for w in facet.words | facet.nouns for n in value.nouns)
        whole = not value.nouns and share_of_words(facet, saying.words) == 1.0
        return _NAMED if hit or whole else 0
    if share_of_words(facet, saying.words) >= 0.5:
        return _NAMED
    if value.kind == "address":
        return _NAMED
    weekday = value.kind == "date" and is_weekday(value.text) and is_weekday(facet.shown[0])
    if saying.text[value.span.end : value.span.end + 4] == " of ":
        return 0
    specific = value.dimension not in ("", "count", "duration") or value.kind == "clock" or weekday
    same = [f for f in fitting if f.dimension == facet.dimension and f.kind == facet.kind]
    return _ALONE if specific and len(same) == 1 else 0


def _is_computed(saying: Saying, value: Value) -> bool:
    """ "Two rolls come to 2.20", "130 euros more": an amount worked out from the record, or set against another."""
    if value.kind != "amount":
        return False
    start, end = saying.read.claim.span
    if _COMPARISONS & set(saying.text[start:end].casefold().replace(",", " ").split()):
        return True
    if not value.dimension.startswith("currency"):
        return False
    before = saying.text[min(start, saying.read.sentence.start) : value.span.start]
    counted = [v for v in find_values(before) if v.kind == "amount" and v.text.casefold() not in ("one", "1")]
    return any(v.dimension in ("count", "mass", "duration") for v in counted)


def _may_refute(saying: Saying, facet: Facet) -> bool:
    """A former or future state is not the present one; further values of a list are no contradiction."""
    if facet.is_additive:
        return False
    tense = saying.read.claim.tense
    if saying.read.claim.polarity is Polarity.NEGATIVE:
        return False
    event = facet.entity.type.casefold() not in ("person", "organisation", "organization", "company", "product", "place")
    if facet.is_lasting or event or tense is Tense.PRESENT or facet.kind == "clock":
        return True
    if tense is Tense.FUTURE:
        return saying.proposition.predicate not in _BECOMING
    return facet.entity.has_attribute("died")


def _assess_switches(saying: Saying, facets: Sequence[Facet]) -> list[Point]:
    """ "has a bathtub" against a record that says no."""
    denies = saying.proposition.negated
    found: list[Point] = []
    for facet in facets:
        if not facet.is_switch or share_of_words(facet, saying.words) < 1.0:
            continue
        is_so = facet.best.value.casefold() in YES
        found.append(Point(Outcome.AGREES if is_so is not denies else Outcome.DIFFERS, "", saying.read.claim.span, facet, _NAMED))
    return found


def _assess_states(saying: Saying, facets: Sequence[Facet]) -> list[Point]:
    """ "has been cancelled" against a record that says confirmed."""
    start, end = saying.read.claim.span
    said = saying.text[start:end]
    if not read_states(said) and len(saying.named) == 1:
        said = saying.text[saying.read.sentence.start : saying.read.sentence.end]
    found: list[Point] = []
    for facet in facets:
        if "status" not in facet.meanings or facet.kind:
            continue
        stored = facet.best.value
        if agree(said, stored):
            found.append(Point(Outcome.AGREES, said, saying.read.claim.span, facet))
        elif exclude_each_other(said, stored):
            found.append(Point(Outcome.DIFFERS, "", saying.read.claim.span, facet, _NAMED))
    return found


# ── names and words ─────────────────────────────────────────────────────────────────────────────


def _assess_argument(
    saying: Saying, argument: Argument, facets: Sequence[Facet], knowledge: KnowledgeBase, now: datetime
) -> Point | None:
    if not argument.lemmas or argument.text.casefold() in ("you", "me", "us", "it", "them", "him", "her"):
        return None
    texts = [f for f in facets if not f.kind and not f.is_switch and "status" not in f.meanings and not _is_own_name(f, argument)]
    for facet in facets:
        if _matches_words(argument, facet, knowledge, now) or _names_stored(saying, argument, facet, knowledge):
            return Point(Outcome.AGREES, argument.text, argument.span, facet)
    framed = frame_meanings(saying.proposition, argument.span)
    ranked: list[tuple[int, Facet]] = []
    for facet in texts:
        kinds = [load_meanings().by_id[m].kind for m in facet.meanings if m in framed]
        if kinds and _looks_like(argument, kinds, facet):
            ranked.append((_FRAMED, facet))
        elif share_of_words(facet, saying.words - set(argument.lemmas)) == 1.0 and _is_predicated(saying, argument, facet):
            ranked.append((_NAMED, facet))
        elif rest := _rest_of(argument, facet):
            if any(same_words(rest, shown) or are_same_people(rest, shown) for shown in facet.shown):
                return Point(Outcome.AGREES, argument.text, argument.span, facet)
            ranked.append((_HINTED, facet))
        elif share_classes(argument.text, facet.shown[0]):
            ranked.append((_HINTED, facet))
    if not ranked:
        return Point(Outcome.SILENT, argument.text, argument.span)
    best = max(rank for rank, _ in ranked)
    chosen = [facet for rank, facet in ranked if rank == best]
    if not all(_may_refute(saying, facet) for facet in chosen) or (len(chosen) > 1 and best < _FRAMED):
        return Point(Outcome.SILENT, argument.text, argument.span)
    facet = _prefer(saying, chosen, argument)
    return Point(Outcome.DIFFERS, argument.text, argument.span, facet, best)


def _rest_of(argument: Argument, facet: Facet) -> str:
    """ "the Norwegian flag", "the house of Merewyn": what a phrase says beyond the attribute's name."""
    words = argument.text.replace("'s", "").split()
    said = [w for w in words if any(noun_lemma(w.casefold()) == own for own in facet.words)]
    if not said or not (facet.words <= {noun_lemma(w.casefold()) for w in said} or len(facet.words) == 2):
        return ""
    rest = [w for w in words if w not in said and w.casefold() not in ("of", "the", "a", "an", "its", "our", "their", "his", "her", "level", "same", "new", "own", "second", "other")]
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
    if holds(facet, argument.text, now) or any(same_words(argument.text, shown) for shown in facet.shown):
        return True
    return argument.is_name and any(means_same_entity(argument.text, shown, knowledge) for shown in facet.shown)


def _names_stored(saying: Saying, argument: Argument, facet: Facet, knowledge: KnowledgeBase) -> bool:
    """ "the captain of the Havglimt" names the ship that is on record."""
    inside = [e for a, b, e in saying.named if argument.span.start <= a and b <= argument.span.end]
    return any(knowledge.get_entity(shown) is e for e in inside if e is not facet.entity for shown in facet.shown)


def _looks_like(argument: Argument, kinds: Sequence[str], facet: Facet) -> bool:
    """Whether the words can be a value of the kind: a place or a person has a name."""
    if any(kind in ("any", "title") for kind in kinds):
        return True
    return argument.is_name or argument.text[:1].isupper()


def _is_predicated(saying: Saying, argument: Argument, facet: Facet) -> bool:
    """The part that a sentence says of its subject, not one mentioned along the way."""
    proposition = saying.proposition
    if argument.role == "object" or proposition.predicate == "be":
        return True
    thing = next((a for a in proposition.arguments if a.role == "object"), None)
    return proposition.predicate == "have" and thing is not None and facet.words <= set(thing.lemmas)


def frame_meanings(proposition: Proposition, span: Span) -> set[str]:
    """The attributes that the verb and its preposition speak of, for the part of the claim at `span`."""
    table = load_meanings().by_frame
    for argument in proposition.arguments:
        if not (argument.span.start < span.end and span.start < argument.span.end):
            continue
        particle, _, last = argument.role.rpartition(" ")
        roles = [last]
        if argument.role == "when":
            roles = ["object", "on", "in", "for"]
        elif argument.is_time and argument.role == "object":
            roles = ["object", "on"]
        passive, verbs = proposition.passive, [proposition.predicate]
        particles = {other.role.partition(" ")[0] for other in proposition.arguments if " " in other.role} | {particle} - {""}
        verbs.extend(f"{proposition.predicate} {word}" for word in sorted(particles))
        if proposition.predicate in ("be", "have") and argument.role != "object":
            verbs.extend(f"be {a.text}" for a in proposition.arguments if a.role == "object")
        found = {m for verb in verbs for role in roles for m in table.get(Frame(verb, passive, role), ())}
        if proposition.predicate in _CHANGES and not passive:
            found.update(m for role in roles for m in table.get(Frame(proposition.predicate, True, role), ()))
        return found
    return set()
