"""What every fact of one statement has in common: who, whether, when."""

from __future__ import annotations

from functools import cache

from groundwire.text.catalogue import Catalogue
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER, render
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.values import normalise
from groundwire.types import ExtractedFact, Polarity, Span, Tense

_DENIERS = frozenset({"no", "neither", "not", "nobody", "none"})
_SCARCELY = frozenset({"anymore", "hardly", "barely"})
_MOMENTS = frozenset({"yesterday", "today", "tomorrow", "tonight", "recently", "now", "currently", "lately"})


@cache
def words_for(name: str) -> frozenset[str]:
    """A list of fact_words.toml; `slots.persons` reads the list in its table."""
    table, _, inner = name.rpartition(".")
    rows = read_table("fact_words")
    return frozenset(rows[table][inner] if table else rows[inner])


@cache
def carriers_of(name: str) -> frozenset[str]:
    return frozenset(read_table("fact_words")["carriers"].get(name, ()))


class Context:
    """A statement with the catalogue that reads it."""

    __slots__ = ("catalogue", "ended", "former", "polarity", "statement", "subject", "verb", "whens")

    def __init__(self, statement: Statement, catalogue: Catalogue) -> None:
        self.statement = statement
        self.catalogue = catalogue
        self.verb = statement.verb
        self.subject = USER if _is_joint(statement.subject) else statement.about
        self.polarity = Polarity.NEGATIVE if _is_negative(statement) else Polarity.POSITIVE
        self.whens = _list_times(statement)
        said = [t.low for t in statement.verb_words]
        if statement.adverbs:
            said += [t.low for t in statement.adverbs]
        self.ended = "longer" in said or "anymore" in said
        self.former = not words_for("former").isdisjoint(said)

    def make_fact(
        self, subject: str, slot: str, words: list[Token], pattern: str, tense: Tense, *, exclusive: bool | None = None
    ) -> ExtractedFact:
        """`exclusive` overrules the catalogue, which knows nothing of slots that a predicate names."""
        span = Span(words[0].start, words[-1].end)
        return self.make_fact_at(subject, slot, render(words), span, pattern, tense, exclusive=exclusive)

    def make_fact_at(
        self, subject: str, slot: str, raw: str, span: Span, pattern: str, tense: Tense,
        *, exclusive: bool | None = None,
    ) -> ExtractedFact:  # fmt: skip
        if exclusive is None:
            exclusive = self.catalogue.is_exclusive(slot)
        return ExtractedFact(
            subject, slot, normalise(raw), raw, self.statement.span, span, pattern, self.polarity, tense,
            self._find_when(span), exclusive=exclusive, ended=self.ended,
        )  # fmt: skip

    def _find_when(self, value: Span) -> str | None:
        """The time that goes with a value: another than the value itself, where there is one."""
        if not self.whens:
            return None
        apart = (when for when, start, end in self.whens if end <= value.start or start >= value.end)
        return next(apart, self.whens[0][0])

    def participle(self) -> Phrase | None:
        """The participle of a passive, read as what the subject is: "is suspended"."""
        words = self.statement.verb_words
        if not self.verb.passive or not words:
            return None
        return Phrase(words, len(words) - 1, len(words))


def _is_joint(subject: list[Token]) -> bool:
    """ "Lena and I are married": what is said of the two is said of the user."""
    if len(subject) < 3:
        return False
    lows = [token.low for token in subject]
    return "and" in lows and not {"i", "you"}.isdisjoint((lows[0], lows[-1]))


def _is_negative(statement: Statement) -> bool:
    negated = statement.verb.negated
    phrase = statement.object
    if phrase is not None and phrase.first_token.low in _DENIERS:
        negated = not negated
    if statement.subject and statement.subject[0].low in _DENIERS:
        negated = not negated
    if phrase is None and statement.is_without:
        negated = not negated
    return negated or (bool(statement.adverbs) and any(t.low in _SCARCELY for t in statement.adverbs))


def _list_times(statement: Statement) -> list[tuple[str, int, int]]:
    """Times that a statement tells, as written and where they stand; of adverbs, the first."""
    found = [
        (f"{preposition} {render(phrase.words())}".strip(), *phrase.span)
        for preposition, phrase in (*statement.modifiers, *statement.openings) if is_time(phrase)
    ]  # fmt: skip
    if not found:
        found = [(token.low, token.start, token.end) for token in statement.adverbs if token.low in _MOMENTS][:1]
    return found


def bare_words(words: list[Token]) -> list[Token]:
    """A value without its articles and without marks; "the city of Bergen" is Bergen."""
    kept = [t for t in words if t.tag not in '".,']
    while len(kept) > 1 and (kept[0].tag in "DRS" or kept[0].low in _DENIERS):
        if kept[0].text == "The" and kept[0].start and kept[1].tag == "P":
            break  # "The Smiths": the article is part of the name
        kept = kept[1:]
    for i, token in enumerate(kept[:-1]):
        if token.low == "of" and i and kept[i - 1].lemma in words_for("kinds_of_place"):
            return kept[i + 1 :]
    return kept
