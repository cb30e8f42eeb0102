"""Verbs around verbs: "started working", "want to learn", "stopped smoking"."""

from __future__ import annotations

from dataclasses import replace

from groundwire.text.clefts import Clause
from groundwire.text.complements import Complement, read_complement
from groundwire.text.function_words import AUXILIARIES
from groundwire.text.reports import acts_on
from groundwire.text.tokens import Token
from groundwire.text.verbs import VerbGroup
from groundwire.types import Tense

_BEGINNINGS = frozenset({"start", "begin", "continue", "keep", "resume"})
ENDINGS = frozenset({"stop", "quit", "cease", "finish"})
_UNDONE = frozenset({"fail", "forget", "neglect", "refuse", "decline", "omit"})
"""Who forgot to do something did not do it."""
UNSAYING = ENDINGS | _UNDONE | {"yet"}
"""Words that deny the verb behind them: no "not" is needed beside them."""
_UNABLE = "unable"
"""Who is unable to do something is not able to."""

Unwrapped = tuple[VerbGroup, Complement, int, str]
"""The verb that carries the content, what follows it, where it ends, and the verb around it."""


def unwrap(clause: Clause, tokens: list[Token], letters: str) -> Unwrapped:
    """ "started working", "want to learn": the inner verb is read, the outer one kept as aspect."""
    verb, complement, end = clause.verb, clause.complement, clause.verb.end
    measured = complement.objects and verb.lemma == "take"  # "it takes an hour to charge"
    if complement.infinitive is not None and not measured and not acts_on(verb, complement):
        start, limit = complement.infinitive
        inner = next(i for i in range(start, limit) if letters[i] in "Bbhd")
        return _read_inner(clause, tokens, letters, inner, limit)
    if (
        verb.lemma == "be"
        and verb.perfect
        and any(m.preposition == "to" for m in complement.modifiers)
        and not complement.objects
    ):
        return replace(verb, lemma="go"), complement, end, ""
    if verb.lemma == "give" and letters[end + 1 : end + 2] == "G" and tokens[end].low == "up":
        return _read_inner(replace(clause, verb=replace(verb, lemma="quit")), tokens, letters, end + 1, clause.end)
    if letters[end : end + 1] == "G" and verb.lemma in _BEGINNINGS | ENDINGS:
        return _read_inner(clause, tokens, letters, end, clause.end)
    return verb, complement, end, ""


def _read_inner(clause: Clause, tokens: list[Token], letters: str, position: int, limit: int) -> Unwrapped:
    verb, outer, token = clause.verb, clause.complement, tokens[position]
    lemma = AUXILIARIES.get(token.tag, token.lemma)
    end, passive = position + 1, False
    if token.tag == "b" and letters[end : end + 1] == "E":
        lemma, passive, end = tokens[end].lemma, True, end + 1
    group = replace(
        verb, lemma=lemma, passive=passive, end=end, wrapper=verb.lemma if verb.wrapper == "" else verb.wrapper
    )
    aspect = verb.lemma
    if outer.objects and outer.objects[0].head_token.tag == "N":
        aspect = f"{verb.lemma} {outer.objects[0].head_token.lemma}"
    elif verb.lemma == "be" and outer.objects:
        aspect = outer.objects[0].head_token.lemma
    undone = verb.lemma in _UNDONE and aspect == verb.lemma
    if verb.lemma in ENDINGS or aspect == _UNABLE or undone:
        group.negated = not verb.negated
        aspect = "able" if aspect == _UNABLE else aspect
    if undone:
        group.wrapper, aspect = "", ""
    if verb.lemma in _BEGINNINGS | ENDINGS:
        group.wrapper, aspect = "", ""
        group.begun = verb.lemma in ("start", "begin") and verb.tense is Tense.PAST
        group.tense = Tense.PRESENT if verb.tense is Tense.PAST else verb.tense
    return group, read_complement(tokens, letters, end, limit), end, aspect
