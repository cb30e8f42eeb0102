"""Edits of a flagged answer: a value replaced, a claim taken out, a note put behind. The rest stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.text.editing import replace_value, with_article
from groundwire.text.reading import read_text
from groundwire.text.sentences import split_sentences
from groundwire.types import Claim, Sentence, Span

LONGEST_VALUE = 200

_LEADING_ARTICLE = re.compile(r"(?i)(?:an?|the)\s+(?=\S)")
_ARTICLE_BEFORE = re.compile(r"(?<!\w)(?:a|an|A|An|AN)[ \t\u00a0]+$")
_LAST_WORD = re.compile(r"(\w+)\s+$")
_PRINTABLE = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True, slots=True)
class Change:
    """What stands at `span` becomes `text`; an empty span inserts."""

    span: Span
    text: str

    @property
    def growth(self) -> int:
        return len(self.text) - (self.span.end - self.span.start)


def apply_changes(text: str, changes: Iterable[Change]) -> str:
    """From the end of the text to its start, so that no change moves the place of another."""
    pieces: list[str] = []
    end = len(text)
    for change in sorted(changes, key=lambda c: (c.span, c.text), reverse=True):
        if change.span.end > end:
            raise ValueError(f"the change at {tuple(change.span)} overlaps the one after it")
        pieces += [text[change.span.end : end], change.text]
        end = change.span.start
    pieces.append(text[:end])
    return "".join(reversed(pieces))


def move(place: int, changes: Iterable[Change]) -> int:
    """Where a place of the original text is after the changes; one that was replaced is where its change ends."""
    moved = place
    for change in changes:
        if change.span.end <= place:
            moved += change.growth
        elif change.span.start < place:
            moved += change.span.start + len(change.text) - place
    return moved


# ── values ──────────────────────────────────────────────────────────────────────────────────────


def is_value(text: str) -> bool:
    """Whether something is a value that can stand in a sentence: one line, printable, and no sentence itself."""
    if not text.strip() or len(text) > LONGEST_VALUE or _PRINTABLE.fullmatch(text) is None:
        return False
    return not any(_says(read.claim, text) for read in read_text(text).claims)


def _says(claim: Claim, text: str) -> bool:
    """Somebody, and after that a verb in small letters: titles of books are written otherwise."""
    verb = claim.predicate.partition(" ")[0]
    return bool(claim.subject and verb.islower()) and re.search(rf"\w\s+{re.escape(verb)}\b", text) is not None


def narrow_value(text: str, span: Span, value: str) -> Span:
    """The wrong value alone: an article in front of it stays unless the right value brings its own."""
    article = _LEADING_ARTICLE.match(text, span.start, span.end)
    if article is None or _LEADING_ARTICLE.match(value) is not None:
        return span
    return Span(article.end(), span.end)


def put_value(text: str, span: Span, value: str) -> Change:
    """The right value in place of the wrong one, in its casing, with the article that it wants."""
    before = text[max(0, span.start - 40) : span.start]
    first, _, rest = value.partition(" ")
    last = _LAST_WORD.search(before)
    if rest and last is not None and last.group(1).casefold() == first.casefold():
        value = rest
    value = replace_value(text, span, value).text
    article = _ARTICLE_BEFORE.search(before)
    if article is None:
        return Change(span, value)
    start = span.start - (len(before) - article.start())
    return Change(Span(start, span.end), with_article(article.group(), value) + value)


# ── notes ───────────────────────────────────────────────────────────────────────────────────────


def put_note(text: str, span: Span, note: str) -> Change:
    """A note behind the words that it is about, before the full stop."""
    place = span.end
    while place > span.start and not text[place - 1].isalnum() and text[place - 1] in " \t\r\n.,;:!?…。！？":
        place -= 1
    while 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum():
        place += 1
    return Change(Span(place, place), f" {note}" if place else f"{note} ")


# ── removals ────────────────────────────────────────────────────────────────────────────────────

_CONJUNCTION = r"(?:and|but|or|nor|yet|so|plus|then|while|whereas)"
_SUBORDINATOR = r"(?:because|since|although|though|when|while|after|before|as|if|once|unless|until|whereas|whenever)"
_LINK = re.compile(rf"(?i)\s*[,;:—–-]?\s*(?:{_CONJUNCTION}\b)?\s*")
_DEPENDENT = re.compile(
    rf"(?i)\s*[,;:—–-]?\s*(?:{_CONJUNCTION}\b)?\s*(?:(?:even|just|only)\s+)?{_SUBORDINATOR}\s+(?:that\s+)?"
)
_RELATIVE = re.compile(r"(?i)\s*(,|—|–|-|\()?\s*(?:who|whom|which|that|where|whose)?\s*$")
_ENDING = re.compile(r"""\s*[.!?…。！？]*["'”’»)\]]*\s*""")
_BULLET = re.compile(r"[ \t]*(?:[-*+•▪◦‣]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])?[ \t]*$")
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
        return (_take_sentence(page.text, whole),)
    here = [claim for claim in {c.span: c for c in page.claims}.values() if _is_within(claim.span, whole)]
    gone = _find_claim(here, span)
    others = [claim for claim in here if claim is not gone]
    if not others or (gone is None and all(_touch(claim.span, span) for claim in here)):
        return (_take_sentence(page.text, whole),)
    if gone is None:
        return ()
    around = [claim.span for claim in others if _is_within(gone.span, claim.span)]
    if around:
        return _take_aside(page.text, gone.span, min(around, key=_length))
    beside = [claim for claim in others if not _is_within(claim.span, gone.span)]
    stay = [c for c in beside if not any(c is not other and _is_within(c.span, other.span) for other in beside)]
    stay.sort(key=lambda claim: claim.span)
    if not stay:
        return (_take_sentence(page.text, whole),)
    return () if any(_touch(gone.span, c.span) for c in stay) else _take_clause(page.text, whole, gone, stay)


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
    subject = gone.subject
    if not subject or text[gone.span.start : gone.span.start + len(subject)].casefold() != subject.casefold():
        return ()
    return (Change(Span(gone.span.start + len(subject), following.span.start), " "),)


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
