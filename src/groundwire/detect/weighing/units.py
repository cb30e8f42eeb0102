"""What an answer says, in pieces small enough to be judged: clauses, and the statements that the text layer reads.

A judge of language that reads a whole sentence overlooks one wrong word in it; a clause says one thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import Acquaintance, agrees
from groundwire.detect.weighing.asides import Aside, find_aside
from groundwire.detect.weighing.traits import marks_of
from groundwire.text.hedges import find_hedges
from groundwire.text.lexicon import readings
from groundwire.text.reading import ReadClaim
from groundwire.types import HedgeAction, ResponseSegment, Span

_BREAK = re.compile(
    r"\s*[;–—]\s+|:\s+|,?\s+(?=(?:so|because|whereas|but|although|though)\s)|"
    r",\s+(?=(?:which|who|if|and|or|then|unless|where|when|as|since|while)\s)|"
    r"\s+(?=and (?:you|he|she|it|they|we|I|there) (?!and\b))|"
    r"\s+(?=(?:before|after) (?:he|she|they|I|we) )"
)
_CLEFT = re.compile(r"It (?:is|was|were)(?: not|n['’]t)? [A-Z]")
_LEAD = re.compile(
    r"^(?:(?:and|but|so|or|because|since|while|whereas|although|though|then|as|that|also)\s+|"
    r"(?:yes|no|sure|right|well|actually|indeed|of course|unfortunately|fortunately|happily|good news|"
    r"i(?:['’]m| am) afraid|by the way)[,:!.]\s*)+",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"^(he|she|it|they|his|her|its|their)(?=['’ ])(?!['’]ll)", re.IGNORECASE)
_ELLIPTIC = re.compile(
    r"\b(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|must|may)(?:n['’]t| not)?$", re.IGNORECASE
)
""" "Adults pay, children don't": what they don't is not said in the clause."""
_INNER = re.compile(
    r"(?<=\w )(?:(?:for|of|with|without|to|from|by|against|over|on|in|at|near) (?P<of>it|him|them)"
    r"(?=[ .,]|$)(?! [a-z]+ing\b)|"
    r"(?:is|was|are|were) (?P<owner>its|his|her|their)(?= [a-z]))"
)
_ANY_PRONOUN = re.compile(r"\b(?:it|its|he|him|his|she|her|they|them|their)\b", re.IGNORECASE)
_POSSESSIVE = frozenset({"his", "its", "their"})
_LONGEST = 300
_FEWEST = 3
_MOST_OF = 0.6
_MOST_JOINED = 4
_TAIL = re.compile(r"\s(?:of|with|for)(?: an?| the)?(?: [\w-]+){0,3} $")
_JOINT = re.compile(r",? (?:and|but|then|and then|and also) |, ")


@dataclass(frozen=True, slots=True)
class Unit:
    """`text` is what is judged: pronouns name whom they mean; `span` is where it stands in the answer."""

    text: str
    span: Span
    segment: int
    claims: tuple[ReadClaim, ...] = ()
    is_whole: bool = False


_CASE = re.compile(
    r"^(?:if|when|should|in case|once|unless)\b[^,]{3,80}, |,? (?:if|when|should|in case) [^,]{3,80}$", re.I
)
_PERMITTED = re.compile(
    r"(?P<who>\b(?:you|your(?: \w+){1,2}|we|[a-z]+s|everyone|everybody|anyone|nobody)) may "
    r"(?!(?:also |not |still )?(?:be|have|need|want|find|like|prefer|feel|notice|experience|see|wish|consider|think|"
    r"remember|know|encounter|get|vary|differ|change|take (?:a|some|up|longer)|cause|contain|seem|appear|apply)\b)",
    re.IGNORECASE,
)


def is_assured(text: str) -> bool:
    """Whether only a case or a permission makes a clause less than sure: "you may smoke there", "if you like"."""
    plain = _PERMITTED.sub(r"\g<who> can ", _CASE.sub("", text.strip(" .!")))
    return not any(hedge.action is HedgeAction.BLOCK for hedge in find_hedges(plain))


def _list_stating(
    examined: Examination, reads: Sequence[ReadClaim]
) -> Iterator[tuple[int, ResponseSegment, list[ReadClaim]]]:
    """The sentences that may state something, each with the claims in it."""
    for number, segment in enumerate(examined.segments):
        text = segment.text.rstrip()
        if not text.endswith("?") and len(text) <= _LONGEST:
            yield number, segment, [r for r in reads if segment.span.start <= r.claim.span.start < segment.span.end]


def split_plainly(examined: Examination, people: Acquaintance, reads: Sequence[ReadClaim]) -> list[Unit]:
    """The clauses as they are written, also those that hold in a case or permit something; a list stays whole."""
    found: list[Unit] = []
    for number, segment, inside in _list_stating(examined, reads):
        for clause in _clauses(segment):
            own = tuple(r for r in inside if clause.start <= r.claim.span.start < clause.end)
            written = segment.text[clause.start - segment.span.start : clause.end - segment.span.start].strip(" .!,")
            is_open = any(r.claim.quoted or is_aside(r, segment) for r in own) or _ELLIPTIC.search(written) is not None
            if is_open or len(written.split()) < _FEWEST or not is_assured(written):
                continue
            told = _place(
                resolve(_lead_relative(written, clause, segment, people), clause.start, people), clause, people
            )
            found.append(Unit(resolve_inside(told, clause, people), clause, number, own))
    return found


def split_units(examined: Examination, people: Acquaintance, reads: Sequence[ReadClaim]) -> list[Unit]:
    """The clauses of every sentence that states something, each with the claims in it."""
    found: list[Unit] = []
    for number, segment, inside in _list_stating(examined, reads):
        found.extend(_split_segment(number, segment, people, inside))
    return found


def _split_segment(
    number: int, segment: ResponseSegment, people: Acquaintance, reads: Sequence[ReadClaim]
) -> Iterator[Unit]:
    clauses = list(_clauses(segment))
    for clause in clauses:
        own = tuple(r for r in reads if clause.start <= r.claim.span.start < clause.end and not is_aside(r, segment))
        if any(r.claim.hedged or r.claim.quoted for r in own):
            continue
        if _are_joined(own, segment) and _is_begun(own[0], clause, segment.text[clause.start - segment.span.start :]):
            named = ((r, _name(r, people)) for r in own)
            yield from (Unit(told, r.claim.span, number, (r,)) for r, told in named if not _ELLIPTIC.search(told))
            continue
        start = clause.start - segment.span.start
        text = segment.text[start : clause.end - segment.span.start]
        if (aside := find_aside(text)) is not None:
            yield from _part(number, clause, text, aside, own, people)
            continue
        led = _lead_relative(text.strip(" .!,"), clause, segment, people)
        told = resolve_inside(_place(resolve(led, clause.start, people), clause, people), clause, people)
        is_resolved = told != text.strip(" .!,") or _is_said(own, text)
        if not is_resolved and len(own) == 1 and _may_stand_for(own[0], clause, text):
            lead = text[: max(0, own[0].claim.span.start - clause.start)]  # "On Saturdays it closes at one"
            lead = lead if marks_of(lead) - marks_of(own[0].claim.text) else ""
            told = lead + own[0].claim.text.strip(" .!,")  # whom a pronoun means, where nothing known is meant
        if len(told.split()) >= _FEWEST and not _ELLIPTIC.search(told):
            yield Unit(told, clause, number, own, len(clauses) == 1)


_THERE = re.compile(r"(?<=[a-z] )there(?=[ .,]|$)(?! (?:is|are|was|were|will|has|have|can|may|must)\b)")


def _place(text: str, clause: Span, people: Acquaintance) -> str:
    """ "Dogs are welcome there" with the place that the answer has begun with, where it names only things."""
    match = _THERE.search(text)
    named = people.named_between(0, clause.start) if match is not None else []
    places = [entity for entity in named if agrees("it", entity)]
    if match is None or not places or people.named_between(*clause):
        return text
    name = places[0].name
    name = name if name[:1].isupper() or name.startswith("the ") else f"the {name}"
    return f"{text[: match.start()]}at {name}{text[match.end() :]}"


_RELATIVE = re.compile(r"(?:which|who) (?=(?:also |now |still |then )?([a-z]+))")


def _lead_relative(text: str, clause: Span, segment: ResponseSegment, people: Acquaintance) -> str:
    """ "…, which also owns Tollgate" with the name right before it: whose clause it is stands in the one before."""
    match = _RELATIVE.match(text)
    if match is None or not any(tag in ("VBZ", "VBD", "MD") for tag, _ in readings(match[1])):
        return text
    named = people.spans_between(segment.span.start, clause.start)
    between = segment.text[named[-1][1] - segment.span.start : clause.start - segment.span.start] if named else " "
    return f"{named[-1][2].name} {text[match.end() :]}" if named and not between.strip(" ,") else text


def _is_said(reads: Sequence[ReadClaim], text: str) -> bool:
    """Whether a claim has the very words of its clause: then the clause says as much and keeps what stands before."""
    return any(r.claim.text.strip(" .!,").casefold() in text.casefold() for r in reads)


def _part(
    number: int, clause: Span, text: str, aside: Aside, reads: tuple[ReadClaim, ...], people: Acquaintance
) -> Iterator[Unit]:
    """What is said in passing and what is said, each under the name that both are about."""
    base = clause.start
    places = ((base + aside.start, base + aside.end, aside.tell(text)), (base + aside.main, clause.end, ""))
    for start, end, told in places:
        own = tuple(r for r in reads if start <= r.claim.span.start < end or (not told and r.claim.span.start == base))
        said = resolve_inside((told or aside.tell_main(text)).strip(" .!,"), clause, people)
        yield Unit(said, Span(start, end), number, own)


def shorten(text: str, known: Sequence[str]) -> str:
    """ "A pale ale of 5.8 percent", where the 5.8 are known to be right: what is left to judge is the pale ale."""
    for value in known:
        at = text.find(value)
        tail = _TAIL.search(text, 0, at) if at > 0 else None
        if tail is not None and not text[at + len(value) :].strip(" .!"):
            text = text[: tail.start()]
    return text


def is_aside(read: ReadClaim, segment: ResponseSegment) -> bool:
    """ "It costs 32 euros, not 28": what is set aside is named in order to be corrected."""
    start = read.claim.span.start - segment.span.start
    return segment.text[start : start + 4].casefold() == "not " and segment.text[:start].rstrip().endswith(",")


def _are_joined(reads: Sequence[ReadClaim], segment: ResponseSegment) -> bool:
    """ "Sales rose in spring and fell in summer": two statements about one subject, side by side."""
    if not 1 < len(reads) <= _MOST_JOINED:
        return False
    text, base = segment.text, segment.span.start
    if len({r.claim.subject for r in reads}) > 1 and not all(_is_as_written(r, text, base) for r in reads):
        return False
    gaps = [(a.claim.span.end - base, b.claim.span.start - base) for a, b in pairwise(reads)]
    return all(end <= start and _JOINT.fullmatch(text, end, start) is not None for end, start in gaps)


def _is_as_written(read: ReadClaim, text: str, base: int) -> bool:
    """ "You can bring your dog, pets are welcome": two sentences with a comma between them, each with all its words."""
    start, end = (at - base for at in read.claim.span)
    return text[start:end].casefold() == read.claim.text.casefold()


def _is_begun(read: ReadClaim, clause: Span, text: str) -> bool:
    """Nothing but a word or two stands before the first statement; else its subject was cut off."""
    return len(text[: max(0, read.claim.span.start - clause.start)].split()) < _FEWEST or bool(read.claim.slot_type)


def _name(read: ReadClaim, people: Acquaintance) -> str:
    return resolve(read.claim.text.strip(" .!,"), read.claim.span.start, people)


def _may_stand_for(read: ReadClaim, clause: Span, text: str) -> bool:
    """Where a claim says all that its clause does, it says it better; one about a part of it leaves the rest out."""
    written = read.claim.span.end - max(read.claim.span.start, clause.start)
    return len(read.claim.text) >= _MOST_OF * len(text) and written >= _MOST_OF * len(text.rstrip(" .!,"))


def _clauses(segment: ResponseSegment) -> Iterator[Span]:
    base, text, at = segment.span.start, segment.text, 0
    cuts = [m.span() for m in _BREAK.finditer(text) if not (_CLEFT.match(text) and text.startswith("who", m.end()))]
    aside = find_aside(text)
    cuts = [cut for cut in cuts if aside is None or cut[0] >= aside.main]  # what is said in passing stays with its name
    for a, b in [*cuts, (len(text), len(text))]:
        lead = _LEAD.match(text[at:a])
        start = at + (lead.end() if lead is not None else 0)
        if text[start:a].strip():
            yield Span(base + start, base + a)
        at = b


def resolve(text: str, at: int, people: Acquaintance) -> str:
    """ "Its floor is 7" with the name of what is meant."""
    match = _PRONOUN.match(text) if _CLEFT.match(text[:1].upper() + text[1:]) is None else None
    meant = people.meant_by(match[1].casefold(), at) if match is not None else None
    if match is None or meant is None:
        return text
    low = match[1].casefold()
    owns = low in _POSSESSIVE or (low == "her" and text[match.end() : match.end() + 1] == " ")
    return f"{meant.name}{chr(39) + 's' if owns else ''}{text[match.end() :]}"


def resolve_inside(text: str, clause: Span, people: Acquaintance) -> str:
    """ "Parts for it are no longer made", "Oberon is its subsidiary": one that cannot be whom the clause is about."""
    match = _INNER.search(text)
    if match is None or len(_ANY_PRONOUN.findall(text)) > 1:
        return text
    low = match["of"] or match["owner"]
    meant = people.meant_by(low.casefold(), clause.start)
    if meant is None or meant in people.named_between(*clause):
        return text
    return f"{text[: match.end() - len(low)]}{meant.name}{chr(39) + 's' if match['owner'] else ''}{text[match.end() :]}"
