"""Claims taken out of an answer so that sentences are left: whole sentences, clauses, asides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from groundwire.detect.repair.edits import Change
from groundwire.text.reading import read_text
from groundwire.text.sentences import split_sentences
from groundwire.types import Claim, Sentence, Span

_CONJUNCTION = r"(?:and|but|or|nor|yet|so|plus|then|while|whereas)"
_SUBORDINATOR = r"(?:because|since|although|though|when|while|after|before|as|if|once|unless|until|whereas|whenever)"
_LINK = re.compile(rf"(?i)\s*(?:[,;:—–-]\s*(?:{_CONJUNCTION}\b)?|{_CONJUNCTION}\b)\s*")
_DEPENDENT = re.compile(
    rf"(?i)\s*[,;:—–-]?\s*(?:{_CONJUNCTION}\b)?\s*(?:(?:even|just|only)\s+)?{_SUBORDINATOR}\s+(?:that\s+)?"
)
_RELATIVE = re.compile(r"(?i)\s*(,|—|–|-|\()?\s*(?:who|whom|which|that|where|whose)?\s*$")
_ENDING = re.compile(r"""\s*[.!?…。！？]*["'”’»)\]]*\s*""")
_BULLET = re.compile(r"[ \t]*(?:[-*+•▪◦‣]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])?[ \t]*$")
_PRONOUN = re.compile(r"(?i)(?:it|he|she|they|this|that|these|those|its|his|her|their)\b")
_PAIRS = {"(": ")", "[": "]", "“": "”", "«": "»", "‘": "’", '"': '"', "*": "*", "_": "_", "`": "`"}


@dataclass(frozen=True, slots=True)
class Page:
    """A text with its sentences and claims: what has to be known before a claim is taken out of it."""

    text: str
    sentences: tuple[Sentence, ...]
    claims: tuple[Claim, ...]


def read_page(text: str) -> Page:
    return Page(text, tuple(split_sentences(text)), tuple(read.claim for read in read_text(text).claims))


def take_out(page: Page, span: Span) -> tuple[Change, ...]:
    """The changes that remove what is said at `span` and leave sentences; none where that cannot be done.

    A sentence that says nothing else goes as a whole. In a compound one, the claim goes with what joined it.
    """
    touched = [s for s in page.sentences if s.span.start < span.end and span.start < s.span.end]
    if not touched:
        return ()
    whole = Span(touched[0].span.start, touched[-1].span.end)
    if len(touched) > 1:
        return _take_whole(page, whole)
    here = [claim for claim in {c.span: c for c in page.claims}.values() if _is_within(claim.span, whole)]
    gone = _find_claim(here, span)
    others = [claim for claim in here if claim is not gone]
    if not others or (gone is None and all(_touch(claim.span, span) for claim in here)):
        return _take_whole(page, whole)
    if gone is None:
        return ()
    around = [claim.span for claim in others if _is_within(gone.span, claim.span)]
    if around:
        return _take_aside(page.text, gone.span, min(around, key=_length))
    beside = [claim for claim in others if not _is_within(claim.span, gone.span)]
    stay = [c for c in beside if not any(c is not other and _is_within(c.span, other.span) for other in beside)]
    stay.sort(key=lambda claim: claim.span)
    if not stay:
        return _take_whole(page, whole)
    return () if any(_touch(gone.span, c.span) for c in stay) else _take_clause(page.text, whole, gone, stay)


def _take_whole(page: Page, whole: Span) -> tuple[Change, ...]:
    """The sentence, and a name for the pronoun behind it that would point at nothing."""
    cut = _take_sentence(page.text, whole)
    following = next((claim for claim in page.claims if claim.span.start >= cut.span.end), None)
    if following is None or page.text[cut.span.end : following.span.start].strip():
        return (cut,)
    said = page.text[following.span.start : following.span.end]
    pronoun = _PRONOUN.match(said)
    if pronoun is None or not following.text.endswith(said[pronoun.end() :]):
        return (cut,)
    name = following.text[: len(following.text) - len(said) + pronoun.end()]
    bare = name.removesuffix("’s").removesuffix("'s").casefold()
    gone, kept = page.text[whole.start : whole.end].casefold(), page.text[: whole.start].casefold()
    if bare not in gone or bare in kept:
        return (cut,)
    name = name[:1].upper() + name[1:]
    return cut, Change(Span(following.span.start, following.span.start + pronoun.end()), name)


def _find_claim(claims: Sequence[Claim], span: Span) -> Claim | None:
    """The innermost claim that holds the words at fault, or else the only one that they touch."""
    holding = [claim for claim in claims if _is_within(span, claim.span)]
    if holding:
        return min(holding, key=lambda claim: _length(claim.span))
    touched = [claim for claim in claims if _touch(claim.span, span)]
    return touched[0] if len(touched) == 1 else None


def _take_clause(text: str, sentence: Span, gone: Claim, stay: Sequence[Claim]) -> tuple[Change, ...]:
    before = [claim for claim in stay if claim.span.end <= gone.span.start]
    after = [claim for claim in stay if claim.span.start >= gone.span.end]
    lead = text[(before[-1].span.end if before else sentence.start) : gone.span.start]
    trail = text[gone.span.end : (after[0].span.start if after else sentence.end)]
    if not before:
        return _take_first(text, gone, after[0], lead, trail)
    if not (_LINK.fullmatch(lead) or _DEPENDENT.fullmatch(lead)):
        return ()
    cut = Change(Span(before[-1].span.end, gone.span.end), "")
    if after:
        joined = _LINK.fullmatch(trail) or _DEPENDENT.fullmatch(trail)
        return (cut,) if joined and _stands_alone(text, gone, after) else ()
    if _ENDING.fullmatch(trail) is None:
        return ()
    return (*_join_last(text, before), *_lift(text, sentence, before), cut)


def _take_first(text: str, gone: Claim, following: Claim, lead: str, trail: str) -> tuple[Change, ...]:
    """What follows becomes the beginning; the subject stays where the next claim leans on it."""
    if lead.strip() and not _DEPENDENT.fullmatch(lead):
        return ()
    if not (_LINK.fullmatch(trail) or _DEPENDENT.fullmatch(trail)):
        return ()
    start = gone.span.start - len(lead) + (len(lead) - len(lead.lstrip()))
    said = text[following.span.start : following.span.end]
    if following.text.casefold().startswith(said[:24].casefold()):
        return (Change(Span(start, following.span.start + 1), said[:1].upper()),)
    verb = following.predicate.partition(" ")[0]
    if not _begins_with_subject(text, gone) or not verb or not said.casefold().startswith(verb.casefold()):
        return ()
    if _LINK.fullmatch(trail) is None:
        return ()
    return (Change(Span(gone.span.start + len(gone.subject), following.span.start), " "),)


def _stands_alone(text: str, gone: Claim, after: Sequence[Claim]) -> bool:
    """Whether what follows does not lean on the subject of the claim that goes."""
    said = text[after[0].span.start : after[0].span.end]
    own = after[0].text.casefold().startswith(said[:24].casefold())
    return own or not _begins_with_subject(text, gone)


def _begins_with_subject(text: str, claim: Claim) -> bool:
    start = claim.span.start
    return bool(claim.subject) and text[start : start + len(claim.subject)].casefold() == claim.subject.casefold()


def _join_last(text: str, stay: Sequence[Claim]) -> tuple[Change, ...]:
    """ "a, b and c" without c is "a and b"."""
    if len(stay) < 2:
        return ()
    gap = Span(stay[-2].span.end, stay[-1].span.start)
    return (Change(gap, " and "),) if re.fullmatch(r"\s*,\s*", text[gap.start : gap.end]) else ()


def _lift(text: str, sentence: Span, stay: Sequence[Claim]) -> tuple[Change, ...]:
    """ "Because the pump failed, the plant closed" without its second half is "The pump failed"."""
    first = stay[0].span.start
    lead = text[sentence.start : first]
    if len(stay) > 1 or not lead.strip() or _DEPENDENT.fullmatch(lead) is None:
        return ()
    return (Change(Span(sentence.start, first + 1), text[first : first + 1].upper()),)


def _take_aside(text: str, inner: Span, around: Span) -> tuple[Change, ...]:
    """A relative clause, with its pronoun and the commas around it."""
    lead = _RELATIVE.search(text, around.start, inner.start)
    if lead is None or not lead.group().strip():
        return ()
    end = inner.end
    if lead.group(1):
        closing = re.compile(r"\s*[,—–)-]").match(text, end, around.end)
        if closing is None and end < around.end:
            return ()
        end = closing.end() if closing is not None else end
    return (Change(Span(lead.start(), end), ""),)


def _take_sentence(text: str, span: Span) -> Change:
    """A whole sentence with what it would leave behind: empty brackets, a bullet, a doubled space."""
    start, end = span
    while start > 0 and end < len(text) and _PAIRS.get(text[start - 1]) == text[end]:
        start, end = start - 1, end + 1
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    rest = text[end : stop if stop >= 0 else len(text)]
    if not rest.strip() and _BULLET.fullmatch(text, line, start):
        return _take_lines(text, line, end + len(rest))
    if not rest.strip():  # the last of its line
        return Change(Span(start - (len(text[line:start]) - len(text[line:start].rstrip())), end), "")
    return Change(Span(start, end + len(rest) - len(rest.lstrip())), "")


def _take_lines(text: str, start: int, end: int) -> Change:
    """Whole lines, and where they were a paragraph, one of the breaks around it; what ends the text stays its end."""
    before, after = text[:start].rstrip(), text[end:].lstrip("\n")
    if not after.strip():
        return Change(Span(len(before), end), "")
    is_paragraph = start == 0 or text[:start].endswith("\n\n")
    return Change(Span(start, len(text) - len(after) if is_paragraph else end + 1), "")


def _is_within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _length(span: Span) -> int:
    return span.end - span.start


def _touch(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
