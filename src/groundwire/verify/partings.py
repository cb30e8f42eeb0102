"""Partings: clauses that say as a whole that a former value is over.

"You handed in your notice at Siemens", "Priya stepped into Dana's shoes", "your days at Lidl are over": one word among
them decides nothing, so the clause is brought into a plain form and has to be one of the frames of the table from its
first word to its last. What it says besides that no memory knows, and then it tells nothing here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.text.reading import ReadClaim, Reading
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.types import ContradictionDetail, Span
from groundwire.verify.both import find_both_told
from groundwire.verify.changes import Change, names, order_values, write_as_told
from groundwire.verify.clauses import Cast, Piece, is_filler, make_cast, split_clauses, without_times
from groundwire.verify.former import find_told_former
from groundwire.verify.frames import Frames, make_plain
from groundwire.verify.steps import Step

_LONGEST = 400
_MOST_WORDS, _MOST_CLAUSES = 16, 3
_FORMER = frozenset({"OLD", "MORE", "LESS"})
_NAMED = frozenset({"SELF", "OLD", "NEW", "STATION"})


class Parting(NamedTuple):
    """Where an answer tells that a value of the contradiction is over; when it was over, no memory says."""

    span: Span
    contradiction: ContradictionDetail
    is_dated: bool = False

    def holds(self, claim: ReadClaim) -> bool:
        """Whether the claim is part of what is told."""
        return self.span.start <= claim.claim.span.start and claim.claim.span.end <= self.span.end


_Ask = Callable[[Reading, ContradictionDetail], Iterable[Parting]]
"""Somebody who may know of a parting that the table does not."""


class Partings:
    """The partings of an answer, looked for when somebody asks: most changes are told in plainer words."""

    def __init__(
        self, reading: Reading, contradictions: Sequence[ContradictionDetail], aliases: Aliases, ask: _Ask | None = None
    ) -> None:
        self._of = reading, contradictions, aliases
        self._ask = ask
        self._found: tuple[Parting, ...] | None = None

    def __iter__(self) -> Iterator[Parting]:
        if self._found is None:
            reading, contradictions, _ = self._of
            more = [p for c in contradictions for p in self._ask(reading, c)] if self._ask else []
            self._found = (*find_partings(*self._of), *more)
        return iter(self._found)


class _Told(NamedTuple):
    """The clauses from `first` to before `end`, which are one parting or tell what came after it."""

    first: int
    end: int
    is_parting: bool
    is_dated: bool = False


def find_partings(
    reading: Reading, contradictions: Sequence[ContradictionDetail], aliases: Aliases
) -> tuple[Parting, ...]:
    """Every clause of the answer that tells of a change as a whole, with the contradiction that it tells of."""
    found: list[Parting] = []
    for contradiction in contradictions:
        found.extend(Parting(span, contradiction) for span in find_both_told(reading, contradiction))
        found.extend(Parting(span, contradiction, news) for span, news in find_told_former(reading, contradiction))
        for change in _list_changes(write_as_told(order_values(contradiction), reading.text)):
            if not any(names(reading.text, value) for value in (change.new, *change.old)):
                continue
            cast = make_cast(contradiction, change)
            near = _find_sentences(reading, cast)
            spans = {*_find_in_sentences(reading, near, cast, aliases), *_find_in_claims(reading, near, cast)}
            found.extend(Parting(span, contradiction, is_dated) for span, is_dated in sorted(spans))
    return tuple(found)


def _list_changes(change: Change) -> tuple[Change, ...]:
    """Where neither of two values is newer, records may be told of in either order."""
    if change.is_directed or len(change.old) != 1:
        return (change,) if change.is_directed else ()
    return change, Change(change.old[0], (change.new,), is_directed=False)


def _find_sentences(reading: Reading, cast: Cast) -> list[Span]:
    """Those that name a former value, or that may tell by how much it was another one beside the new one."""
    spans = sorted({read.sentence for read in reading.claims})
    texts = [reading.text[span.start : span.end] for span in spans]
    new = [cast.step is not None and names(text, cast.new) for text in texts]
    found: list[Span] = []
    for i, (span, text) in enumerate(zip(spans, texts, strict=True)):
        stepped = any(new[max(0, i - 1) : i + 2]) and cast.may_be_in(text)
        if len(text) <= _LONGEST and (stepped or any(names(text, value) for value in cast.old)):
            found.append(span)
    return found


def _find_in_claims(reading: Reading, near: Sequence[Span], cast: Cast) -> Iterator[tuple[Span, bool]]:
    """Claims that are whole partings as they are worded with their subjects in place."""
    for read in reading.claims if near else ():
        text = read.claim.text
        if read.sentence not in near or not cast.may_be_in(text):
            continue
        clauses, told = _read(text, cast)
        if sum(one.end - one.first for one in told) == len(clauses):
            yield read.claim.span, any(one.is_dated for one in told)


def _find_in_sentences(
    reading: Reading, near: Sequence[Span], cast: Cast, aliases: Aliases
) -> Iterator[tuple[Span, bool]]:
    """Clauses as they are written, neighbours together; one without a subject has to be told of the right one."""
    for sentence in near:
        clauses = split_clauses(reading.text[sentence.start : sentence.end], cast)
        joined: list[tuple[int, Span, bool]] = []
        for told in _read_clauses(clauses, cast):
            first, last = clauses[told.first][0], clauses[told.end - 1][-1]
            span = Span(sentence.start + first.start, sentence.start + last.end)
            if first.word.lemma not in _NAMED and not _is_told_of(reading, span, sentence, cast, aliases):
                continue
            if joined and joined[-1][0] == told.first and not (joined[-1][2] or told.is_dated):
                span = Span(joined.pop()[1].start, span.end)
            joined.append((told.end, span, told.is_dated))
        yield from ((span, is_dated) for _, span, is_dated in joined)


@lru_cache(maxsize=1024)
def _read(text: str, cast: Cast) -> tuple[Sequence[Sequence[Piece]], Sequence[_Told]]:
    """The clauses of a text and what is told in them; the same sentence is asked of for every use of a value."""
    clauses = split_clauses(text, cast)
    return clauses, _read_clauses(clauses, cast)


def _read_clauses(clauses: Sequence[Sequence[Piece]], cast: Cast) -> list[_Told]:
    """The partings among the clauses in their order, and beside them what tells the new value; nothing without one."""
    told: list[_Told] = []
    at = 0
    while at < len(clauses):
        for end in range(min(len(clauses), at + _MOST_CLAUSES), at, -1):
            found = _read_together([piece for clause in clauses[at:end] for piece in clause], cast)
            if found is not None:
                told.append(_Told(at, end, *found))
                at = end
                break
        else:
            at += 1
    return told if any(one.is_parting for one in told) else []


def _read_together(clause: Sequence[Piece], cast: Cast) -> tuple[bool, bool] | None:
    """Whether the clause is a parting and whether it is dated; None where it is neither that nor what came after."""
    if len(clause) > _MOST_WORDS:
        return None
    if _is_parting(clause, cast) or _has_parting_behind(clause, cast):
        return True, False
    if _frames("arrivals").match([piece.word for piece in clause]):
        return False, False
    undated = without_times(clause)
    if len(undated) == len(clause):
        return None
    words = [piece.word for piece in undated]
    if _is_parting(undated, cast):
        return True, not cast.is_then(clause)
    return (False, False) if _frames("arrivals").match(words) and cast.is_now(clause) else None


def _has_parting_behind(clause: Sequence[Piece], cast: Cast) -> bool:
    """ "You live in Bristol after years in Leeds"."""
    ends = [i + 1 for i, piece in enumerate(clause[:-1]) if piece.word.lemma == "NEW"]
    return any(
        _frames("arrivals").match([piece.word for piece in clause[:end]]) and _is_parting(clause[end:], cast)
        for end in ends
    )


def _is_parting(clause: Sequence[Piece], cast: Cast) -> bool:
    words = [piece.word for piece in clause]
    if _FORMER.isdisjoint([word.lemma for word in words]):
        return False
    if _frames("records").match(words):
        return True
    if not cast.is_directed:
        return False
    if cast.step is not None and goes_against([word.lemma for word in words], cast.step):
        return False
    if _frames("frames").match(words) or (not cast.is_place and _frames("scale_frames").match(words)):
        return True
    return cast.kind == "deal" and _frames("discard_frames").match(words)


def goes_against(words: Iterable[str], step: Step) -> bool:
    """ "Rose from 82 to 78" tells it wrong."""
    against = {make_plain(word).lemma for word in read_table("partings")["falling" if step.is_up else "rising"]}
    return any(make_plain(word).lemma in against for word in words)


@cache
def _frames(name: str) -> Frames:
    table = read_table("partings")
    return Frames(table[name], table, is_filler)


def _is_told_of(reading: Reading, span: Span, sentence: Span, cast: Cast, aliases: Aliases) -> bool:
    """Whether the claims there, or else the ones around, are about the subject or about the values themselves."""
    inside = [r for r in reading.claims if r.claim.span.start < span.end and span.start < r.claim.span.end]
    around = inside or [r for r in reading.claims if r.sentence == sentence]
    return bool(around) and all(_is_of(read, cast, aliases) for read in around)


def _is_of(read: ReadClaim, cast: Cast, aliases: Aliases) -> bool:
    subject = read.proposition.subject
    if subject.lower() in (cast.owner.lower(), "", "it", "this", "that") or subjects_match(
        subject, cast.subject, aliases
    ):
        return True
    if any(names(subject, value) for value in (*cast.old, cast.new)):
        return True
    words = [make_plain(word).lemma for word in subject.lower().removeprefix(f"{USER}'s ").split()]
    known = cast.station | cast.itself | _records()
    return bool(words) and all(word in known for word in words if not is_filler(word))


@cache
def _records() -> frozenset[str]:
    """ "The older note", "the other one"."""
    table = read_table("partings")
    return frozenset(make_plain(word).lemma for name in _ABOUT_RECORDS for word in table[name])


_ABOUT_RECORDS = ("record", "former", "newer", "baton")
