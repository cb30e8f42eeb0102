"""A statement in the user's own words, with all that they said of it.

A claim is as small as it can be checked; a memory is as large as it was said: "I own a bakery in Krakow" is one, and
"every Monday" in front of it belongs to it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from groundwire.memory.candidates import Place
from groundwire.memory.phrasing import words_about
from groundwire.memory.testimony import Heard
from groundwire.text.reading import ReadClaim
from groundwire.text.tagging import tag
from groundwire.text.tokens import tokenize
from groundwire.types import Span, Tense

_NAMED = re.compile(
    r"\s+(?:named|called)\s+[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*(?:(?:,|\s+and)\s+[A-Z][\w'’-]*(?:\s+[A-Z][\w'’-]*)*)*"
)
_OPENING = re.compile(r"(?:(?:and|so|but|also|well|oh|now|yes|no|then|ok|okay|plus|besides)[\s,]+)+", re.IGNORECASE)
_BREAK = re.compile(r"[.,;:!?()\n–—]")
_VERBS = frozenset("BVEGbhdM")
_SCENES = frozenset({"at", "in", "on", "during", "near", "before", "after", "since", "until", "from", "for", "outside"})
_LONGEST_OPENING = 6
_LOWERED = frozenset({"We", "My", "Our", "The", "A", "An", "This", "These", "It", "There"})
_APPOSED = re.compile(r",\s+(?:an?|the)\s+(?P<thing>[^,.;:!?()\n–—]{2,50})(?=\s*(?:[.;!?)]|$))")
_THIRD_PERSON = {"i": "the user", "my": "their", "me": "them", "myself": "themselves", "mine": "theirs"}
_SINGULAR = {"are": "is", "have": "has", "were": "was", "do": "does", "don't": "doesn't", "aren't": "isn't", "am": "is"}


class Quoted(NamedTuple):
    text: str
    place: Place


def quote(read: ReadClaim, heard: Heard) -> Quoted:
    """The claim as the user put it, with what stands before it and after it and is said of it."""
    place = _locate(read, heard)
    text = " ".join(read.claim.text.split())
    if place != heard.place and not heard.is_answer:
        after = _find_after(read, heard)
        before = _find_before(read, heard)
        start = place.span.start - len(before) if before else place.span.start
        opening = " ".join(before.strip(" ,").split())
        if opening and text.casefold().endswith(f" {opening.casefold()}"):  # the claim tells it behind, the user before
            text = text[: -len(opening)].rstrip()
        place = Place(place.turn, Span(start, place.span.end + len(after)))
        if before and text.split(" ")[0] in _LOWERED:
            text = text[:1].lower() + text[1:]
        text = " ".join(f"{before} {text}{after}".split())
    return Quoted(_in_own_words(text, read, heard), place)


def _locate(read: ReadClaim, heard: Heard) -> Place:
    """The claim's own span where it lies inside the sentence, else the sentence."""
    turn, sentence = heard.place
    span = Span(read.claim.span.start + heard.offset, read.claim.span.end + heard.offset)
    inside = sentence.start <= span.start < span.end <= sentence.end
    return Place(turn, span) if inside else heard.place


def _within(span: Span, heard: Heard) -> tuple[int, int]:
    """A span of the utterance as one of the sentence."""
    shift = heard.offset - heard.place.span.start
    return span.start + shift, span.end + shift


def _find_after(read: ReadClaim, heard: Heard) -> str:
    """What follows at once and tells more of the last thing named: "a bakery" – "in Krakow"."""
    _, end = _within(read.claim.span, heard)
    named = _NAMED.match(heard.quote, end)
    if named is not None and not read.claim.text.endswith(named.group().split()[-1]):
        return named.group()
    things = [a for a in read.proposition.arguments if a.role == "object" and a.span.end == read.claim.span.end]
    for other in heard.claims:
        start, stop = _within(other.claim.span, heard)
        if other is read or start < end or heard.quote[end:start].strip():
            continue
        about = other.claim.subject.casefold()
        if other.proposition.predicate == "be" and any(about.endswith(a.text.casefold()) for a in things):
            return heard.quote[end:stop]
    apposed = _APPOSED.match(heard.quote, end) if things else None
    if apposed is not None and _VERBS.isdisjoint(tag(tokenize(apposed["thing"]))):
        return apposed.group()
    return ""


def _find_before(read: ReadClaim, heard: Heard) -> str:
    """When or where, told in front: "Every Monday I …"; not "In reality I …"."""
    start, _ = _within(read.claim.span, heard)
    idle = words_about("testimony", "weights", "openings")
    scenes = [
        a
        for a in read.proposition.arguments
        if a.span.end <= read.claim.span.start
        and (a.is_time or a.role in _SCENES)
        and idle.isdisjoint(a.text.casefold().split())
    ]
    if not scenes or start <= 0:
        return ""
    front = heard.quote[:start]
    begin = max((match.end() for match in _BREAK.finditer(front.rstrip(" ,"))), default=0)
    opening = _OPENING.match(front.lstrip(), 0) if not begin else None
    begin += (len(front) - len(front.lstrip()) + opening.end()) if opening else 0
    first = min(_within(a.span, heard)[0] for a in scenes)
    if not begin <= first or len(front[begin:].split()) > _LONGEST_OPENING:
        return ""
    return front[begin:].lstrip()


def _in_own_words(text: str, read: ReadClaim, heard: Heard) -> str:
    """As the user put it; what was only reported of the user stays in the third person."""
    if heard.is_report:
        text = re.sub(r"\b(?:I|[Mm]y|me|myself|mine)\b", lambda m: _THIRD_PERSON[m.group().casefold()], text)
        text = _agree(text, read)
    else:
        text = re.sub(r"^I is\b", "I am", text)
        text = re.sub(r"^I (?=[a-z]+ing\b)", "I am ", text)
    return text[:1].upper() + text[1:]


def _agree(text: str, read: ReadClaim) -> str:
    """ "The user work" was "they work" in the report."""
    match = re.search(r"\bthe user (\S+)", text, re.IGNORECASE)
    if match is None:
        return text
    verb = match.group(1)
    singular = _SINGULAR.get(verb.replace("’", "'"))
    if singular is None and verb == read.proposition.predicate and read.proposition.tense is Tense.PRESENT:
        ending = "es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s"
        singular = verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + ending
    return text if singular is None else text[: match.start(1)] + singular + text[match.end(1) :]
