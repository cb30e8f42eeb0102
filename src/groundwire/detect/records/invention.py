"""Clauses about something known that nothing known bears out: how likely it is that they were made up.

What is told of known things in new words is a retelling; what brings new names, figures and deeds is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from groundwire.detect.amounts.figures import derives_count, read_figures
from groundwire.detect.appeals import find_appeal
from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.records.balance import Weighed, tell_replaced
from groundwire.detect.records.checked import Checked, Standing, comparing_words, is_comparative, opinion_words
from groundwire.detect.records.facets import Wordlist, list_words
from groundwire.detect.records.known_names import is_addressed, is_known
from groundwire.detect.records.news import describe_novelty
from groundwire.detect.records.public_names import public_class
from groundwire.detect.records.sayings import Outcome
from groundwire.detect.records.values import Value, find_values, may_hold_address
from groundwire.detect.weighing.scale import log_odds, weigh
from groundwire.detect.weighing.traits import SAME, all_names_of, names_of, words_of
from groundwire.detect.weighing.units import Unit
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity, KnowledgeBase
from groundwire.evidence.mentions import is_person_noun
from groundwire.text import lexicon
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.values import Relation, compare
from groundwire.types import EntityMention, MentionType, Tense

_SCALE = "invention"
INVENTION = "clauses made up"
_TURNS = 10
_MANY = 6
_MODAL = re.compile(
    r"\b(?:will|would|can|could|may|might|should|must|shall|ought|need(?:s|n't)? to|ha(?:s|ve) to|let['’]?s)\b|"
    r"['’](?:ll|d)\b",
    re.IGNORECASE,
)
_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b|\bI\b|\b(?:I|you|we)['’]", re.IGNORECASE)
_US = re.compile(r"\b(?:we|our|us|me|my)\b|\bI\b", re.IGNORECASE)
_REFERRING = re.compile(r"^(?:he|she|it|they|his|her|its|their|the|this|these|both)\b", re.IGNORECASE)
_PRONOUN = re.compile(r"\W*(?:he|she|it|they|his|her|its|their)\b", re.IGNORECASE)
_DEFINITE = re.compile(r"(?:the|last|your) ", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"(?:if|unless|when|once|whenever|in case|please(?! (?:note|be aware|keep in mind) that)|do|don['’]t|let)\b",
    re.IGNORECASE,
)
_AS_A_RULE = re.compile(
    r"\b(?:usually|typically|often|generally|normally|sometimes|as a rule|in general|of course|tends? to)\b",
    re.IGNORECASE,
)
_UNTIL = re.compile(r"(?:after|before|as soon as|until|while|then|first|next|now)\b", re.IGNORECASE)
_GENERAL = re.compile(r"(?P<many>an?|every|any|most|many) (?P<noun>[^\W\d_]+)", re.IGNORECASE)
_SUCH = re.compile(r"(?:[a-z-]+ )?[a-z]+s (?:like|such as) ", re.IGNORECASE)
_PART = re.compile(r"(?:the|its|his|her|their|your) [a-z]", re.IGNORECASE)
_RESULT = re.compile(
    r"\b(?:works? out|comes? to|adds? up|that means|which means|in total|altogether|on average)\b", re.I
)
_POINTING = re.compile(r"\b(?:it|its|he|his|him|she|her|hers|they|their|them|there)\b", re.IGNORECASE)
_EVERYDAY = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december i
    """.split()  # noqa: SIM905
)
_FEW = 10
"""Up to so many, some two numbers always happen to fit."""
_MOST_TEXT = 4000
_MOST_VALUES = 80
_LONGEST_NUMBER = 10


def weigh_invention(evidence: dict[str, float]) -> float:
    return weigh(_SCALE, evidence)


def find_new_addresses(examined: Examination, people: Acquaintance) -> Iterator[tuple[Unit, Entity]]:
    """Numbers and mail addresses of somebody known that nothing known and nobody in the dialogue has given."""
    for segment in examined.segments:
        known = people.named_between(*segment.span)
        text = segment.text[:_MOST_TEXT]
        values = find_values(text) if known and may_hold_address(text) else ()
        for value in values:
            if value.kind == "address" and not _is_told(examined, value):
                yield Unit(segment.text, segment.span, segment.index), known[0]
                break


def find_inventions(examined: Examination) -> tuple[tuple[Unit, float], ...]:
    """Every clause with its likelihood; none where no model has read the answer."""
    return cast("tuple[tuple[Unit, float], ...]", examined.memo.get(INVENTION, ()))


def may_be_invented(examined: Examination, people: Acquaintance, unit: Unit) -> bool:
    """A clause that asserts something, and neither works it out nor leans on a source.

    What is said only of somebody unknown is a question of whether they exist, and another detector asks it.
    """
    text, source = unit.text, examined.text[unit.span.start : unit.span.end]
    if _names_stranger(examined, people, unit):
        return False
    if (
        _SUPPOSED.match(text)
        or _AS_A_RULE.search(text)
        or _is_order(text)
        or find_appeal(text)
        or _RESULT.search(text)
        or is_worked_out(examined, text)
    ):
        return False
    if _is_about_public(examined, unit):
        return False
    known = known_words(examined)
    if _is_general(people, unit, known):
        return False
    told = known_text(examined)
    opening = text.partition(" ")[0].casefold()
    ordinary = {opening} if lexicon.is_known(noun_lemma(opening)) else set[str]()
    names = {n for n in all_names_of(text) - ordinary if n not in _EVERYDAY and public_class(n) != "place"}
    return (
        bool(people.named_between(*unit.span))
        or not names
        or any(f" {name}" in told for name in names)
        or _POINTING.search(text) is not None
        or _POINTING.search(source) is not None
        or _is_of_known_kind(source, known)
        or _is_part_of_known(examined, people, unit)
    )


def _is_general(people: Acquaintance, unit: Unit, known: Wordlist) -> bool:
    """ "A teaspoon holds 5 millilitres": said of all the world's, not of anything known.

    What happened once is no such thing, nor what every guest gets there.
    """
    if _SUCH.match(unit.text):
        return True
    general = _GENERAL.match(unit.text)
    if general is None or _POINTING.search(unit.text) or known.has(noun_lemma(general["noun"].casefold())):
        return False
    if any(read.claim.tense is Tense.PAST for read in unit.claims):
        return False
    is_all = general["many"].casefold() in ("every", "any") and is_person_noun(noun_lemma(general["noun"].casefold()))
    return not (is_all and people.named_before(unit.span.start) is not None)


def _is_part_of_known(examined: Examination, people: Acquaintance, unit: Unit) -> bool:
    """ "The base has a loudspeaker", right after a sentence on a kettle that is known: its base, and no other."""
    if unit.segment == 0 or _PART.match(examined.text[unit.span.start : unit.span.end]) is None:
        return False
    return bool(people.named_between(*examined.segments[unit.segment - 1].span))


def _is_of_known_kind(source: str, known: Wordlist) -> bool:
    """ "The weights room was opened by an Olympic champion", where the weights room is known."""
    match = re.match(r"the ([a-z]+)(?: ([a-z]+))?\b", source, re.IGNORECASE)
    return match is not None and all(known.has(noun_lemma(word.casefold())) for word in match.groups() if word)


def _is_about_public(examined: Examination, unit: Unit) -> bool:
    """ "Marie Curie won two Nobel Prizes": what everybody may know of somebody of whom nothing is on record."""
    first = [
        mention
        for segment in examined.segments
        for mention in segment.entities
        if mention.mention_type is MentionType.PROPER_NAME and mention.span.start == unit.span.start
    ]
    told = known_text(examined)
    return any(public_class(m.surface) == "person" and f" {m.surface.casefold()}" not in told for m in first)


def _names_stranger(examined: Examination, people: Acquaintance, unit: Unit) -> bool:
    """Whether a clause is about somebody or something that nobody knows, by name or by a pronoun.

    "It was designed by Tove Aaberg" is about what she is said to have designed.
    """
    start, end = unit.span
    inside = [m for m in _find_strangers(examined) if m.span.start < end and start < m.span.end]
    refers = _PRONOUN.match(examined.text[start:end]) is not None
    if any(not refers or not _BESIDE.search(examined.text, start, max(start, m.span.start)) for m in inside):
        return True
    if not refers or people.named_between(start, end):
        return False
    before = [
        m
        for s in examined.segments
        for m in s.entities
        if _is_named(m)
        and start - _NEAR <= m.span.start < start
        and not _WHERE.search(examined.text, max(0, m.span.start - _NEAR), m.span.start)
    ]
    strange = {m.span for m in _find_strangers(examined)}
    return bool(before) and max(before, key=lambda m: m.span.start).span in strange


_BESIDE = re.compile(r"\bby (?:[a-z]+ ){0,4}$|\b(?:in|at|near|from|off|outside|around) $")
""" "Designed by Tove Aaberg", "built in Cremona": whoever is meant, it is not they of whom it is said."""
_WHERE = re.compile(r"\b(?:in|at|near|from|off|outside|around) $")
_NEAR = 160


def _is_named(mention: EntityMention) -> bool:
    return mention.mention_type is MentionType.PROPER_NAME


def _find_strangers(examined: Examination) -> tuple[EntityMention, ...]:
    """The names in the answer that neither the dialogue nor what is known has."""
    known = examined.memo.get("strangers")
    if known is None:
        known = examined.memo["strangers"] = tuple(
            mention
            for segment in examined.segments
            for mention in segment.entities
            if _is_named(mention)
            and not is_known(examined, mention.surface, mention.span)
            and not is_addressed(examined.text, mention.span)
        )
    return cast("tuple[EntityMention, ...]", known)


def _is_order(text: str) -> bool:
    """ "Print a test page", "After you have changed it, print a test page": nothing is asserted."""
    if _UNTIL.match(text):
        text = text.partition(", ")[2]
    first = text.partition(" ")[0]
    return verb_lemma(first.casefold()) == first.casefold() and first.casefold() not in ("be", "have")


def is_worked_out(examined: Examination, text: str) -> bool:
    """Every new figure is arithmetic on what is known."""
    told, own = known_text(examined)[:_MOST_TEXT], read_figures(text)
    new = {figure for figure in own - read_figures(told) if figure > _FEW}
    beside = {figure: " ".join(f"{other:g}" for other in own - {figure}) for figure in new}
    return bool(new) and all(derives_count(figure, [told, beside[figure]]) for figure in new)


def describe_clause(
    examined: Examination, people: Acquaintance, unit: Unit, claims: Sequence[Checked], found: Sequence[Weighed]
) -> dict[str, float]:
    """What speaks for and against a clause being made up."""
    known = known_words(examined)
    words, names = words_of(unit.text), all_names_of(unit.text)
    told = known_text(examined)
    values = find_values(unit.text)
    new = [w for w in words if not known.has(w)]
    new_names = [n for n in names_of(unit.text) if f" {n}" not in told]
    new_values = [v for v in values if _is_telling(v) and not _is_told(examined, v)]
    new_counts = [v for v in values if not _is_telling(v) and not _is_told(examined, v)]
    source = examined.text[unit.span.start : unit.span.end]
    named = bool(people.named_between(*unit.span))
    in_told = any(f" {n}" in told for n in names)
    agreed = any(p.outcome is Outcome.AGREES for c in claims for p in c.points)
    is_about_known = (named or in_told) and not agreed
    new_share = len(new) / len(words) if words else 0.0
    pasts = [c for c in claims if c.read.claim.tense is Tense.PAST]
    text = unit.text
    low = text.casefold().replace(",", " ").split()
    return {
        "named": float(named),
        "told_of": float(in_told and not named),
        "referring": float(_REFERRING.match(text) is not None),
        "new_words": min(len(new), _MANY) / _MANY,
        "new_share": new_share,
        "new_names": min(len(new_names), 2) / 2,
        "new_values": min(len(new_values), 2) / 2,
        "new_counts": float(bool(new_counts)),
        **_describe_nearest(found),
        "past": float(bool(pasts)),
        **_describe_manner(text, low),
        "denial": float(any(c.read.proposition.negated for c in claims)),
        "read": float(bool(claims)),
        "stranger": float(any(c.standing is Standing.UNKNOWN for c in claims)),
        "agreed": float(agreed),
        "known_share": is_about_known * new_share,
        "known_values": is_about_known * min(len(new_values), 2) / 2,
        "known_past": is_about_known * float(bool(pasts)),
        "plain_share": new_share * (not agreed) * (not _MODAL.search(text)) * (not _YOU.search(text)),
        "whole": float(unit.is_whole),
        "later": float(unit.segment > 0),
        "pronoun": float(_PRONOUN.match(source) is not None),
        "definite": float(_DEFINITE.match(source) is not None),
        **describe_novelty(text, known),
    }


def _describe_nearest(found: Sequence[Weighed]) -> dict[str, float]:
    """What the nearest of everything known has to say on it."""
    return {
        "support": log_odds(max((w.there.support for w in found), default=0.0)),
        "support_back": log_odds(max((w.back.support for w in found), default=0.0)),
        "refutation": log_odds(max((w.there.refutation for w in found), default=0.0)),
        "similarity": max((w.counterpart.similarity for w in found), default=0.0),
        "told": max((w.counterpart.traits.told for w in found), default=0.0),
        "rival": max((w.probability for w in found), default=0.0),
        "replaced": max((tell_replaced(w.counterpart) for w in found), default=0.0),
    }


def _describe_manner(text: str, words: Sequence[str]) -> dict[str, float]:
    """How a clause is put: what may be, what concerns those who speak, what is an opinion or a comparison."""
    return {
        "modal": float(_MODAL.search(text) is not None),
        "you": float(_YOU.search(text) is not None),
        "us": float(_US.search(text) is not None),
        "opinion": float(bool(set(words) & opinion_words())),
        "comparing": float(bool(set(words) & comparing_words()) or any(map(is_comparative, words))),
        "length": min(len(words), 20) / 20,
    }


def known_text(examined: Examination) -> str:
    """Everything known and said, folded, each word after a blank."""
    known = examined.memo.get("known text")
    if known is None:
        turns = " ".join(turn.text for turn in list(examined.dialogue.turns)[-_TURNS:])
        known = examined.memo["known text"] = f"{_base_text(examined.knowledge)} {_fold(turns)}"
    return cast("str", known)


def known_words(examined: Examination) -> Wordlist:
    known = examined.memo.get("known words")
    if known is None:
        turns = [_words_in(_fold(turn.text)) for turn in list(examined.dialogue.turns)[-_TURNS:]]
        known = examined.memo["known words"] = list_words(_base_words(examined.knowledge).union(*turns))
    return cast("Wordlist", known)


def _is_telling(value: Value) -> bool:
    """A figure, an address, and "three million dollars"; not "one of them", nor a number of a few things."""
    return (
        value.kind == "address"
        or any(map(str.isdigit, value.text))
        or (value.kind == "amount" and value.dimension != "count")
    )


def _is_told(examined: Examination, value: Value) -> bool:
    """Whether something known has the value, in whatever form: "9:10" is 09:10."""
    if f" {value.text.casefold()}" in known_text(examined):
        return True
    others = [o for o in _known_values(examined) if o.kind == value.kind and not _are_other_numbers(value.text, o.text)]
    same = SAME - {Relation.OVERLAPS}  # "May" is in 2016 as in any other year
    return any(compare(value.text, other.text, now=examined.now).relation in same for other in others)


def _are_other_numbers(one: str, other: str) -> bool:
    """Two numbers in digits are one only where they are equal; the longer ones may be telephone numbers."""
    return one.isdecimal() and other.isdecimal() and len(one) < _LONGEST_NUMBER and int(one) != int(other)


def _known_values(examined: Examination) -> tuple[Value, ...]:
    """Where what is known is more than is looked at, they are kept with it."""
    base = examined.knowledge
    kept = base.memo if isinstance(base, Knowledge) and len(_base_text(base)) >= _MOST_TEXT else examined.memo
    known = kept.get("known values")
    if known is None:
        told = known_text(examined)[:_MOST_TEXT]
        known = kept["known values"] = tuple(find_values(told)[:_MOST_VALUES])
    return cast("tuple[Value, ...]", known)


def _base_text(base: KnowledgeBase) -> str:
    """What is known, folded; kept with the knowledge, which outlives the answer."""
    known = base.memo.get("known text") if isinstance(base, Knowledge) else None
    if known is not None:
        return cast("str", known)
    parts = [memory.text for memory in (base.told if isinstance(base, Knowledge) else base.statements)]
    if isinstance(base, Knowledge):
        for entity in base.entities:
            parts += [entity.name, *entity.aliases, entity.type]
            parts += [f"{n.replace('_', ' ')} {v.value}" for n in entity.attribute_names
                      for v in entity.get_attribute(n)]  # fmt: skip
    told = " " + _fold(" ".join(parts))
    if isinstance(base, Knowledge):
        base.memo["known text"] = told
    return told


def _base_words(base: KnowledgeBase) -> frozenset[str]:
    known = base.memo.get("known words") if isinstance(base, Knowledge) else None
    if known is not None:
        return cast("frozenset[str]", known)
    words = _words_in(_base_text(base))
    if isinstance(base, Knowledge):
        base.memo["known words"] = words
    return words


def _fold(text: str) -> str:
    return " ".join(text.casefold().split())


def _words_in(text: str) -> frozenset[str]:
    pieces = [text[i : i + 500] for i in range(0, len(text), 500)]
    return frozenset[str]().union(*(words_of(piece) for piece in pieces))
