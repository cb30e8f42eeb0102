"""Reading a text once: its claims, and the facts and propositions behind each.

This is the text layer's one entry for the gates: answers and memories are read by the same eyes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from groundwire.text.catalogue import Catalogue, load_catalogue
from groundwire.text.clefts import Role
from groundwire.text.facts import read_facts
from groundwire.text.framing import words_for
from groundwire.text.hedges import Hedge, find_hedges
from groundwire.text.parsing import read_statements
from groundwire.text.propositions import Proposition, build_proposition
from groundwire.text.sentences import split_sentences
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER, Discourse, name_subject, render
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.types import Claim, ExtractedFact, HedgeAction, Passage, Polarity, Sentence, SentenceKind, Span

_CACHED_CHARACTERS = 2_000


@dataclass(frozen=True, slots=True)
class ReadClaim:
    """A claim with what the rules know of it. A note ("Dentist on 14 May") is evidence, but claims nothing."""

    claim: Claim
    facts: tuple[ExtractedFact, ...]
    proposition: Proposition
    sentence: Span
    is_note: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """`statements` is all that was read, `claims` what the text asserts, `facts` the facts of the claims."""

    text: str
    statements: tuple[ReadClaim, ...]
    claims: tuple[ReadClaim, ...]
    facts: tuple[ExtractedFact, ...]


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage with what was read in it."""

    passage: Passage
    reading: Reading


def read_text(text: str, catalogue: Catalogue | None = None) -> Reading:
    """Every claim of `text`, hedged ones included, in order and without repetitions."""
    catalogue = catalogue or load_catalogue()
    if len(text) <= _CACHED_CHARACTERS:
        return _read_cached(text, catalogue)
    return _read(text, catalogue)


@lru_cache(maxsize=16384)
def _read_cached(text: str, catalogue: Catalogue) -> Reading:
    return _read(text, catalogue)


def _read(text: str, catalogue: Catalogue) -> Reading:
    discourse = Discourse()
    found: dict[str, ReadClaim] = {}
    for sentence in split_sentences(text):
        if sentence.kind is SentenceKind.CODE or is_pleasantry(sentence.text):
            continue
        hedges = [h for h in find_hedges(sentence.text) if h.action is HedgeAction.BLOCK]
        statements = read_statements(sentence, discourse)
        doubtful = _hedged_statements(statements, hedges, sentence.span)
        for statement in statements:
            read = _read_claim(text, sentence, statement, hedged=id(statement) in doubtful, catalogue=catalogue)
            if read is None:
                continue
            if len(statements) > 1 and announces(statement) and all(f.pattern == "predicate" for f in read.facts):
                read = replace(read, is_note=True)
            key = _normal_form(read.claim.text)
            if key in found:
                earlier = found[key]
                spans = (*earlier.claim.other_spans, read.claim.span)
                found[key] = replace(earlier, claim=replace(earlier.claim, other_spans=spans))
            else:
                found[key] = read
    statements = tuple(found.values())
    claims = tuple(read for read in statements if not read.is_note)
    return Reading(text, statements, claims, tuple(fact for read in claims for fact in read.facts))


def _read_claim(
    text: str, sentence: Sentence, statement: Statement, *, hedged: bool, catalogue: Catalogue
) -> ReadClaim | None:
    if statement.attributed:
        return None
    facts = tuple(read_facts(statement, catalogue))
    named = [f for f in facts if f.pattern != "predicate"]
    is_note = statement.order or (
        not named and (statement.fragment or sentence.kind is SentenceKind.HEADING or is_talk(statement))
    )
    if suggests(statement):
        hedged = True
        is_note = is_note or not _carries_value(statement) or name_subject(statement.subject) == USER
    if hedged and not (named or _carries_value(statement)):
        return None
    if hedged:
        facts = tuple(replace(f, hedged=True) for f in facts)
    claim = _claim(text, statement, facts, hedged=hedged)
    return ReadClaim(claim, facts, build_proposition(statement), sentence.span, is_note)


@cache
def _talk() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    table = read_table("grammar")["talk"]
    return frozenset(table["subjects"]), frozenset(table["objects"]), frozenset(table["verbs"])


def _head(words: list[Token]) -> str:
    """The noun that a subject is about: the last one before a preposition."""
    until = next((i for i, t in enumerate(words) if t.tag == "I" and i), len(words))
    return words[until - 1].lemma if words else ""


def _hedged_statements(statements: list[Statement], hedges: list[Hedge], sentence: Span) -> set[int]:
    """Which statements a hedge is about: the one around it, the next one, or the last one before it."""
    found: set[int] = set()
    offset, text_end = sentence.start, sentence.end
    for hedge in hedges:
        start, end = hedge.span.start + offset, hedge.span.end + offset
        around = [s for s in statements if s.span.start <= start and end <= s.span.end]
        after = [s for s in statements if s.span.start >= start]
        closing = statements and text_end - end < 4
        chosen = around[-1:] or after[:1] or (statements[-1:] if closing else [])
        found.update(id(s) for s in chosen)
    return found


def suggests(statement: Statement) -> bool:
    """ "You could ask her", "it might help": advice and possibility, not fact."""
    return statement.verb.modal in words_for("unreal")


def announces(statement: Statement) -> bool:
    """ "You switched jobs: …", "Your address has changed: …": the rest of the sentence says how."""
    if statement.verb.lemma not in words_for("changes") | words_for("leavings"):
        return False
    return not any(t.tag in "P#@" for t in statement.words if t not in statement.subject)


def is_talk(statement: Statement) -> bool:
    """ "My notes disagree", "There is a conflict": about the records, not about the world."""
    subjects, objects, verbs = _talk()
    if (
        statement.verb.lemma in ("know", "remember", "see", "agree", "understand")
        and statement.object is None
        and not statement.modifiers
    ):
        return True
    head = _head(statement.subject)
    if (head in subjects and statement.verb.lemma in verbs) or (
        head == "there" and statement.verb.lemma == "be" and statement.object is None
    ):
        return True
    phrase = statement.object
    if phrase is not None and any(t.low.startswith(("conflict", "contradict")) for t in phrase.words()):
        return True
    return (
        phrase is not None
        and phrase.head_token.lemma in objects
        and statement.verb.lemma in ("be", "have", "see", "find", "hold")
    )


def _carries_value(statement: Statement) -> bool:
    """A number, name or address is said of the subject."""
    own = {id(t) for t in statement.subject}
    return any(t.tag in "#P@" and id(t) not in own for t in statement.words)


def _claim(text: str, statement: Statement, facts: tuple[ExtractedFact, ...], *, hedged: bool) -> Claim:
    named = next((f for f in facts if f.pattern != "predicate"), None)
    words = statement.text.strip()
    polarity = facts[0].polarity if facts else (Polarity.NEGATIVE if statement.verb.negated else Polarity.POSITIVE)
    return Claim(
        text=words[:1].upper() + words[1:] if statement.role is not Role.MAIN or not statement.fragment else words,
        span=statement.span,
        subject=render(statement.subject) or name_subject(statement.subject),
        predicate=render(statement.verb_words) or statement.verb.lemma,
        object=render(statement.object.words()) if statement.object is not None else "",
        polarity=polarity,
        tense=facts[0].tense if facts else statement.verb.tense,
        hedged=hedged,
        quoted=statement.quoted,
        slot_type=named.slot_type if named else None,
        value_span=(named or facts[0]).value_span if facts else None,
    )


_OPENER = re.compile(
    r"^(?:okay|ok|sure|well|so|great|right|yes|no|alright|hi|hello|hey|thanks|certainly|of course)[,!.:]\s+"
)
_SPACE_AND_MARKS = re.compile(r"[\W_]+")


def _normal_form(text: str) -> str:
    return _SPACE_AND_MARKS.sub(" ", text.casefold()).strip()


@cache
def _pleasantries() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in read_table("pleasantries")["patterns"]))


def is_pleasantry(sentence: str) -> bool:
    """Small talk and offers of help: said to be kind, not to inform."""
    start = _OPENER.sub("", sentence[:160].lower().replace("’", "'"))
    return _pleasantries().match(start) is not None
