"""Constituents: the pieces of a sentence that can be right or wrong by themselves, and which of them memories have.

Claims are reworded and resolved; what is quoted to a reader must stand in the answer. So pieces are cut from the
sentence as it is written: a noun phrase, a number with what it counts, a verb. A piece is backed where memories have
its words; a number or a time only where the memory speaks of the same thing, for "2014" stands in many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from groundwire.judge.coverage import LIGHT
from groundwire.text import lexicon
from groundwire.text.calendar import read_moment, small_number
from groundwire.text.function_words import closed_classes
from groundwire.text.phrases import time_nouns
from groundwire.text.quantities import read_quantity
from groundwire.text.reading import ReadClaim
from groundwire.text.tagging import share_tags
from groundwire.text.thesaurus import concept
from groundwire.text.tokens import Token
from groundwire.types import Span

_CONTENT, _VERBS, _WITHIN = frozenset("NP#J@"), frozenset("VBEG"), frozenset("DSp'\"R")
_LOOSE = frozenset(
    """
    own one none other such same only kind sort thing lot bit something anything nothing
    what who whom which where when why how
    """.split()  # noqa: SIM905
)
_FIGURE = re.compile(r"[$€£¥]?(\d[\d,.]*)(?:%|\s?[ap]\.?m\.?|st|nd|rd|th)?")
_FEWEST_SHARED = 2
NAME, WORD, VERB = "name", "word", "verb"


class Constituent(NamedTuple):
    """A piece, where it stands, what it is and its words in every form."""

    span: Span
    text: str
    kind: str
    """`name`, `word`, `verb`, or what a number or a time measures."""
    words: tuple[tuple[Span, frozenset[str]], ...]

    @property
    def is_value(self) -> bool:
        """A number or a time, which stands in many memories that have nothing to do with each other."""
        return self.kind not in (NAME, WORD, VERB)


@lru_cache(maxsize=2048)
def cut_constituents(sentence: str) -> tuple[Constituent, ...]:
    """The pieces of a sentence, in order, with places counted from its beginning."""
    return tuple(_build(sentence, run) for run in _cut(share_tags(sentence)[0]))


def _cut(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    run: list[Token] = []
    for token in tokens:
        if _is_content(token):
            run.append(token)
            continue
        if run and token.tag == "'":
            continue  # "Ana's bike" is one thing
        if run:
            yield run
            run = []
        if token.tag in _VERBS and token.low not in closed_classes():
            yield [token]
    if run:
        yield run


def _is_content(token: Token) -> bool:
    if token.tag in "P@" or (token.tag in _VERBS and token.start and token.text[0].isupper()):
        return True  # "in May", "written in Go"
    return token.tag in _CONTENT and token.low not in _LOOSE and token.low not in closed_classes()


def _build(sentence: str, run: Sequence[Token]) -> Constituent:
    span = Span(run[0].start, run[-1].end)
    text = sentence[span.start : span.end]
    words = tuple((Span(token.start, token.end), spell_forms(token.low)) for token in run)
    return Constituent(span, text, _name_kind(text, run, sentence), words)


def _name_kind(text: str, run: Sequence[Token], sentence: str) -> str:
    if len(run) == 1 and run[0].tag in _VERBS and not (run[0].start and run[0].text[0].isupper()):
        return VERB
    measured = measure_kind(_with_article(text.lower(), run, sentence))
    if measured:
        return measured
    if any(token.tag == "#" for token in run):
        return "number"
    return NAME if any(token.tag not in "NJ" for token in run) else WORD


@lru_cache(maxsize=4096)
def measure_kind(low: str) -> str:
    """What a number or a time tells: a weekday, an hour, a date, a length, so many of something; else nothing."""
    moment = read_moment(low)
    if moment is not None and (moment.weekday is not None or moment.minutes or moment.days or moment.has_date):
        return "weekday" if moment.weekday is not None else "clock" if moment.minutes else "date"
    counted = read_quantity(low)
    return counted[0].unit.dimension if counted is not None else ""


def _with_article(low: str, run: Sequence[Token], sentence: str) -> str:
    """ "An hour" is an amount, "hour" is a word."""
    before = sentence[: run[0].start].rstrip().rpartition(" ")[2].lower()
    return f"{before} {low}" if before in ("a", "an") and run[-1].lemma in time_nouns() else low


@lru_cache(maxsize=8192)
def spell_forms(word: str) -> frozenset[str]:
    """The word as another text may have it: in another form, by another word of its meaning, in figures."""
    word = word.removesuffix(".")
    figure = _FIGURE.fullmatch(word)
    plain = figure.group(1).replace(",", "") if figure is not None else word
    number = small_number(word)
    noun, verb = lexicon.noun_lemma(word), lexicon.verb_lemma(word)
    forms = {word, plain, noun, concept(noun), *((verb, concept(verb)) if verb else ())}
    return frozenset(forms | ({str(number)} if number is not None else set()))


@lru_cache(maxsize=4096)
def list_forms(text: str) -> frozenset[str]:
    """Every word of a memory in every form."""
    return frozenset[str]().union(*[spell_forms(token.low) for token in share_tags(text)[0]])


class Pieces(NamedTuple):
    """What a claim is made of, and its sentence, which tells what it is about."""

    own: tuple[Constituent, ...]
    around: tuple[Constituent, ...]


def find_pieces(read: ReadClaim, text: str, siblings: Sequence[ReadClaim]) -> Pieces:
    """The pieces of the sentence, and which are the claim's; what another claim says inside of it is that one's."""
    start, end = read.sentence
    around = tuple(_move(piece, start) for piece in cut_constituents(text[start:end]))
    spans, claim = [a.span for a in read.proposition.arguments], read.claim.span
    inner = [s for s in (other.claim.span for other in siblings) if s != claim and _holds(claim, s)]
    own = (
        piece for piece in around
        if any(_holds(span, piece.span) for span in spans)
        or (_holds(claim, piece.span) and not any(_holds(span, piece.span) for span in inner))
    )  # fmt: skip
    return Pieces(tuple(own), around)


def _move(piece: Constituent, by: int) -> Constituent:
    words = tuple((Span(span.start + by, span.end + by), forms) for span, forms in piece.words)
    return piece._replace(span=Span(piece.span.start + by, piece.span.end + by), words=words)


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


class Memories:
    """What the memories around a claim have of its pieces."""

    def __init__(self, texts: Sequence[tuple[str, str]]) -> None:
        self.texts = texts
        """Ids with texts."""

    @cached_property
    def _forms(self) -> list[frozenset[str]]:
        return [list_forms(text) for _, text in self.texts]

    @cached_property
    def forms(self) -> frozenset[str]:
        """Every word of theirs, in every form."""
        return frozenset[str]().union(*self._forms)

    def find_new(self, piece: Constituent, others: Sequence[Constituent]) -> Span | None:
        """The words of the piece that no memory has; a number or a time is new where none has it of the same thing."""
        if piece.is_value:
            near = self.find_near(piece, others)
            held = [self._forms[i] for i in near] or self._forms
            told = any(all(not word.isdisjoint(forms) for _, word in piece.words) for forms in held)
            return None if told else piece.span
        new = [span for span, word in piece.words if word.isdisjoint(self.forms)]
        return Span(new[0].start, new[-1].end) if new else None

    def find_near(self, piece: Constituent, others: Sequence[Constituent]) -> list[int]:
        """The memories that have something else of the claim, light verbs aside."""
        words = [w for other in others if other.span != piece.span for _, w in other.words]
        words = [word for word in words if word.isdisjoint(LIGHT)]
        return [i for i, forms in enumerate(self._forms) if any(not word.isdisjoint(forms) for word in words)]

    def list_apart(self, pieces: Sequence[Constituent], subject: Sequence[str]) -> list[Constituent]:
        """Pieces that stand only in memories with neither the subject nor anything else of the claim."""
        things = [piece for piece in pieces if piece.kind != VERB]
        named = [not forms.isdisjoint(subject) for forms in self._forms]
        rows = zip(self._list_held(things), named, strict=True)
        joined = {p.span for held, is_named in rows if len(held) + is_named > 1 for p in held}
        return [
            piece for piece in things
            if piece.span not in joined and not any(word.intersection(subject) for _, word in piece.words)
        ]  # fmt: skip

    def find_apart(self, pieces: Sequence[Constituent], subject: Sequence[str]) -> Span | None:
        """The one such piece, where a memory has most of the others; a number or a time is told elsewhere easily."""
        things = [piece for piece in pieces if piece.kind != VERB]
        if max(map(len, self._list_held(things)), default=0) < _FEWEST_SHARED:
            return None
        apart = self.list_apart(pieces, subject)
        return apart[0].span if len(apart) == 1 and not apart[0].is_value else None

    def _list_held(self, pieces: Sequence[Constituent]) -> list[list[Constituent]]:
        """What each memory has of the pieces."""
        return [[p for p in pieces if all(not w.isdisjoint(forms) for _, w in p.words)] for forms in self._forms]

    def tell_of(self, pieces: Sequence[Constituent], words: str) -> bool:
        """Whether one memory has all of the pieces and the words; no words are told of nothing."""
        if not words:
            return False
        wanted = [word for piece in pieces for _, word in piece.words] + [spell_forms(w) for w in words.lower().split()]
        return any(all(not word.isdisjoint(forms) for word in wanted) for forms in self._forms)

    def tell(self, lemmas: Sequence[str]) -> bool:
        """Whether the memories have all of these words."""
        return all(not spell_forms(lemma).isdisjoint(self.forms) for lemma in lemmas)
