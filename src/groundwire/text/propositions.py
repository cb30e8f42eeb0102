"""Propositions: a statement as the judge compares it, stripped of grammar."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.text.phrases import Phrase, is_time
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER, is_user_word, name_subject, render
from groundwire.text.tokens import Token
from groundwire.types import Span, Tense

_EMPTY = frozenset({"be", "have", "do", "go", "get", "the", "a", "an", "thing", "one", "lot", "bit", "kind", "sort", "there", "it", "this", "that", "own"})


@dataclass(frozen=True, slots=True)
class Argument:
    """A part of a proposition: its role (`object`, or a preposition), words, and where they stand."""

    role: str
    text: str
    span: Span
    lemmas: tuple[str, ...]
    is_time: bool
    is_name: bool


@dataclass(frozen=True, slots=True)
class Proposition:
    subject: str
    subject_lemmas: tuple[str, ...]
    predicate: str
    passive: bool
    negated: bool
    tense: Tense
    modal: str
    aspect: str
    arguments: tuple[Argument, ...]
    lemmas: frozenset[str]
    """Content words of the whole statement, user words left out."""
    adverbs: tuple[str, ...]
    is_fragment: bool = False


def build_proposition(statement: Statement) -> Proposition:
    arguments: list[Argument] = []
    if statement.object is not None:
        arguments.append(_argument("object", statement.object))
    if statement.second is not None:
        arguments.append(_argument("second", statement.second))
    arguments.extend(_argument(preposition or "when", phrase) for preposition, phrase in statement.modifiers)
    arguments.extend(_argument(preposition or "when", phrase) for preposition, phrase in statement.openings)
    negated = statement.verb.negated
    if statement.object is not None and statement.object.words()[0].low in ("no", "neither"):
        negated = not negated
    if statement.subject and statement.subject[0].low in ("no", "nobody", "none"):
        negated = not negated
    subject = name_subject(statement.subject)
    return Proposition(
        subject=subject,
        subject_lemmas=content_lemmas(statement.subject) if subject != USER else (),
        predicate=statement.verb.lemma,
        passive=statement.verb.passive,
        negated=negated,
        tense=statement.verb.tense,
        modal=statement.verb.modal,
        aspect=statement.aspect,
        arguments=tuple(arguments),
        lemmas=frozenset(content_lemmas(statement.words)),
        adverbs=tuple(t.low for t in [*statement.adverbs, *statement.verb_words] if t.tag == "R"),
        is_fragment=statement.fragment,
    )


def _argument(role: str, phrase: Phrase) -> Argument:
    words = phrase.words()
    while len(words) > 1 and words[0].tag in "D":
        words = words[1:]
    return Argument(role, render(words), Span(words[0].start, words[-1].end), content_lemmas(words), is_time(phrase), phrase.head_token.tag == "P")


def content_lemmas(words: list[Token]) -> tuple[str, ...]:
    """Lemmas of the words that carry meaning."""
    return tuple(
        t.lemma for t in words
        if t.tag in "NPJVBEG#@" and t.lemma not in _EMPTY and not is_user_word(t)
    )  # fmt: skip
