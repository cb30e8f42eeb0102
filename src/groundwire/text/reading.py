"""Reading a text once: its claims, and the facts and propositions behind each.

This is the text layer's one entry for the gates: answers and memories are read by the same eyes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from groundwire.text.assertion import (
    announces,
    carries_value,
    hedged_statements,
    is_hedge_itself,
    is_labelled,
    is_question,
    is_talk,
    may_be_hedged,
    measure_pleasantry,
    permits,
    recommends,
    suggests,
)
from groundwire.text.bounds import with_bounds
from groundwire.text.catalogue import Catalogue, load_catalogue
from groundwire.text.clefts import Role
from groundwire.text.facts import read_facts
from groundwire.text.fronts import is_circumstance
from groundwire.text.hedges import find_hedges
from groundwire.text.language import is_foreign
from groundwire.text.occasions import read_occasion
from groundwire.text.parsing import read_statements
from groundwire.text.phrases import is_time
from groundwire.text.propositions import UNREAD, Proposition, build_proposition
from groundwire.text.sentences import split_sentences
from groundwire.text.statements import Statement, read_reminder
from groundwire.text.subjects import USER, Discourse, render
from groundwire.text.unread import cites, find_unread, is_stated, may_state, stays_silent, supposes
from groundwire.text.wholeness import find_whole
from groundwire.types import Claim, ExtractedFact, HedgeAction, Passage, Polarity, Sentence, SentenceKind, Span

_CACHED_CHARACTERS = 2_000
_CACHED_TEXTS = 8192
"""About 10 MB a thousand, and the garbage collector looks through all of them: more would not be worth it."""
_SENTENCES_A_CLAIM = 20
"""How many sentences are looked at for each claim that is wanted, before the rest is only counted."""
LONGEST_SENTENCE = 1_000
MOST_WORDS = 160
"""What goes on longer than this without an end is not read word by word: the cost of a sentence stays bounded."""


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
    unread: int = 0
    """Sentences left unread after the limit of claims was reached."""


@dataclass(frozen=True, slots=True)
class ReadPassage:
    """A passage with what was read in it."""

    passage: Passage
    reading: Reading


def read_text(
    text: str,
    catalogue: Catalogue | None = None,
    *,
    limit: int | None = None,
    discourse: Discourse | None = None,
    since: int = 0,
) -> Reading:
    """Every claim of `text`, hedged ones included, in order and without repetitions.

    With a `limit`, reading stops once so many claims were found, and the sentences left over are counted.
    `discourse` is what was spoken of before `text` began; it is left as it was. What is said from `since` on is no
    repetition of what was said before.
    """
    catalogue = catalogue or load_catalogue()
    if discourse is not None:
        return _read(text, catalogue, limit, replace(discourse), since)
    if len(text) <= _CACHED_CHARACTERS:
        if limit is not None and len(text) <= limit * _SENTENCES_A_CLAIM:  # as short as that, claims alone can be many
            whole = _read_cached(text, catalogue, None)
            limit = None if len(whole.claims) <= limit else limit  # nobody else asks with one: so it is read once
        return _read_cached(text, catalogue, limit)
    return _read(text, catalogue, limit)


@lru_cache(maxsize=_CACHED_TEXTS)
def _read_cached(text: str, catalogue: Catalogue, limit: int | None) -> Reading:
    return _read(text, catalogue, limit)


def follow(text: str, discourse: Discourse) -> Discourse:
    """What may be meant by a pronoun after `text`; places are counted from where it ends."""
    heard = replace(discourse)
    for sentence in split_sentences(text):
        if sentence.kind is not SentenceKind.CODE and not _is_too_long(sentence):
            read_statements(sentence, heard)
    return heard.moved(-len(text))


def _read(
    text: str, catalogue: Catalogue, limit: int | None = None, discourse: Discourse | None = None, since: int = 0
) -> Reading:
    sentences = split_sentences(text)
    discourse = discourse or Discourse(goes_on=len(sentences) > 1)
    found: dict[str, ReadClaim] = {}
    repeated: dict[str, list[Span]] = {}
    barren: set[str] = set()
    count = unread = 0
    for number, sentence in enumerate(sentences):
        if sentence.kind is SentenceKind.CODE or sentence.text in barren:
            continue
        chat = measure_pleasantry(sentence.text)
        if chat == len(sentence.text) > 0:
            continue
        if limit is not None and (count > limit or number > limit * _SENTENCES_A_CLAIM):
            unread += not is_question(sentence)
            continue
        reads = _read_sentence(sentence, discourse, catalogue)
        if chat:
            reads = [read for read in reads if read.claim.span.start >= sentence.span.start + chat]
        if not [read for read in reads if not read.is_note]:
            barren.add(sentence.text)
        is_lone = len(sentences) == len(reads) == 1  # and cannot repeat anything
        for read in reads:
            part = "+" if sentence.span.start >= since else "-"
            kind = f"{part}{'~' if read.is_note else ''}{read.claim.polarity}"  # a heading takes no sentence's place
            key = "" if is_lone else f"{kind}{_normal_form(read.claim.text)}"
            if key in found:
                repeated.setdefault(key, []).append(read.claim.span)
            else:
                found[key] = read
                count += not read.is_note
    for key, spans in repeated.items():
        found[key] = replace(found[key], claim=replace(found[key].claim, other_spans=tuple(spans)))
    statements = tuple(found.values())
    claims = statements if count == len(statements) else tuple([read for read in statements if not read.is_note])
    facts = claims[0].facts if len(claims) == 1 else tuple([fact for read in claims for fact in read.facts])
    return Reading(text, statements, claims, facts, unread)


def _read_sentence(sentence: Sentence, discourse: Discourse, catalogue: Catalogue) -> list[ReadClaim]:
    too_long = _is_too_long(sentence)
    statements = [] if too_long else read_statements(sentence, discourse)
    doubted = bool(statements) and may_be_hedged(sentence.text)
    hedges = [h for h in find_hedges(sentence.text) if h.action is HedgeAction.BLOCK] if doubted else []
    doubtful = hedged_statements(statements, hedges, sentence.span) if hedges else ()
    found: list[ReadClaim] = []
    kept = find_whole(sentence, statements) if statements and not hedges else None
    for said in statements if kept is None else kept:
        statement = (read_reminder(said) if said.order else None) or said
        read = _read_claim(sentence, statement, hedged=id(said) in doubtful, catalogue=catalogue)
        if read is None:
            continue
        if hedges and any(is_hedge_itself(statement, *_shift(h.span, sentence.span.start)) for h in hedges):
            read = replace(read, is_note=True)
        goes_on = len(statements) > 1 and (said is not statements[-1] or render(statement.subject[:1]).lower() == "i")
        if goes_on and announces(statement) and all(f.pattern == "predicate" for f in read.facts):
            read = replace(read, is_note=True)
        found.append(read)
    if kept is not None and not _is_told_whole(sentence, found):
        return [*found, _unread_claim(sentence)]
    if statements and _QUOTES.search(sentence.text) and _reports_speech(statements) and cites(sentence):
        return [_unread_claim(sentence)]
    asserted = [read for read in found if not read.is_note]
    if any(_is_broken(read, sentence) for read in asserted):
        return [_unread_claim(sentence)]
    if not asserted and not is_question(sentence) and (too_long or is_foreign(sentence.text)):
        return [_unread_claim(sentence)]
    if (not statements or (not asserted and all(s.fragment for s in statements))) and is_stated(sentence):
        return [_unread_claim(sentence)]
    if not asserted and not hedges and _tells_of_others(statements) and is_stated(sentence):
        return [_unread_claim(sentence)]
    if is_question(sentence) or sentence.kind is SentenceKind.CODE:
        return found
    told = [read.claim.span for read in asserted]
    if not _has_room(sentence, told):
        return found
    unread = [span for span in find_unread(sentence) if not any(_meet(span, t) for t in told)]
    silent = stays_silent(sentence) and not any(map(recommends, statements))
    if not asserted and not unread and not hedges and (may_state(sentence) or silent):
        return [*found, _unread_claim(sentence)]
    if not asserted and not unread and supposes(sentence):
        supposed = _unread_claim(sentence)
        return [*found, replace(supposed, claim=replace(supposed.claim, hedged=True))]
    return [*found, *(_unread_claim(sentence, span) for span in unread)]


def _reports_speech(statements: Sequence[Statement]) -> bool:
    """All that was read is that somebody else than the speaker said something."""
    spoken = all(s.verb.lemma in _SPEECH for s in statements)
    return spoken and not any(s.order or (s.subject and s.subject[0].low in ("i", "we")) for s in statements)


def _tells_of_others(statements: Sequence[Statement]) -> bool:
    """ "Marek says the film took four hours": whether it did is left open, that he says so is claimed."""
    spoken = any(s.attributed for s in statements)
    return spoken and not any(s.order or (s.subject and s.subject[0].low in _SPEAKING) for s in statements[:1])


_SPEAKING = frozenset({"i", "we", "you", "it"})
_SPEECH = frozenset({"say", "tell", "write", "reply", "answer", "state", "add", "mention", "text", "announce"})
_QUOTES = re.compile('["“«]')


_LEFT = ("is", "are", "was", "were", "am", "how", "why", "which", "\n")
_BROKEN = re.compile(
    r"\b(?:is|are|was|were|am|how|why|which)$|^\w.*\b(?:do|does|did) (?:you|i|we|they|he|she)\b", re.IGNORECASE
)


def _is_broken(read: ReadClaim, sentence: Sentence) -> bool:
    """ "Your mother is", "you do you own": what the grammar has left of a sentence that it did not understand."""
    text = read.claim.text
    low = text.lower()
    if text.isascii() and "do" not in low and "did" not in low and not low.endswith(_LEFT):
        return False
    return _BROKEN.search(text) is not None and _normal_form(text) != _normal_form(sentence.text)


def _is_told_whole(sentence: Sentence, found: Sequence[ReadClaim]) -> bool:
    """One claim has the words of the whole sentence already."""
    return any(_normal_form(read.claim.text) == _normal_form(sentence.text) for read in found)


def _has_room(sentence: Sentence, told: Sequence[Span]) -> bool:
    """Whether two words stand together outside of what was told: fewer state nothing that could be unread."""
    text, start, at = sentence.text, sentence.span.start, 0
    for span in sorted(told, key=lambda span: span.start):
        if len(text[at : span.start - start].split()) > 1:
            return True
        at = max(at, span.end - start)
    return len(text[at:].split()) > 1


def _is_too_long(sentence: Sentence) -> bool:
    return len(sentence.text) > LONGEST_SENTENCE or sentence.text.count(" ") > MOST_WORDS


def _shift(span: Span, offset: int) -> tuple[int, int]:
    return span.start + offset, span.end + offset


def _meet(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end


def _unread_claim(sentence: Sentence, span: Span | None = None) -> ReadClaim:
    """What no rule can read is a claim all the same: what cannot be checked is never grounded."""
    if span is None:
        return ReadClaim(Claim(sentence.text.strip(), sentence.span), (), UNREAD, sentence.span)
    text = sentence.text[span.start - sentence.span.start : span.end - sentence.span.start]
    return ReadClaim(Claim(text[:1].upper() + text[1:], span), (), UNREAD, sentence.span)


def _read_claim(sentence: Sentence, statement: Statement, *, hedged: bool, catalogue: Catalogue) -> ReadClaim | None:
    if statement.attributed:
        return None
    labelled = statement.fragment and is_labelled(statement)
    facts = with_bounds(read_facts(statement, catalogue, is_labelled=labelled), sentence)
    named = [f for f in facts if f.pattern != "predicate"]
    is_note = statement.order or (
        not named and (statement.fragment or sentence.kind is SentenceKind.HEADING or is_talk(statement))
    )
    if is_note and not statement.order and labelled:
        is_note = False
    doubting = statement.verb.lemma in ("think", "guess", "believe", "suppose") and statement.about == USER
    if not named and doubting and statement.object is None and not statement.modifiers:
        is_note = True
    hedged = hedged or statement.conditional
    if suggests(statement) and not permits(statement):
        hedged = True
        is_note = is_note or not carries_value(statement) or statement.about == USER
    if hedged and not (named or carries_value(statement)):
        return None
    if hedged:
        facts = tuple(replace(f, hedged=True) for f in facts)
    claim = _claim(statement, facts, named[0] if named else None, hedged=hedged)
    return ReadClaim(claim, facts, build_proposition(statement), sentence.span, is_note)


def _claim(
    statement: Statement, facts: tuple[ExtractedFact, ...], named: ExtractedFact | None, *, hedged: bool
) -> Claim:
    words, openings = statement.text.strip(), _tell_openings(statement)
    if openings and "," in words:  # "weekdays at six, weekends at nine": behind the comma it would go with another part
        first = statement.words[0]
        said = words if first.tag in "P@" or first.low == "i" else f"{words[:1].lower()}{words[1:]}"
        openings, words = [], f"{' '.join(openings)}, {said}"
    words = " ".join([words, *openings])
    polarity = facts[0].polarity if facts else (Polarity.NEGATIVE if statement.verb.negated else Polarity.POSITIVE)
    return Claim(
        text=words[:1].upper() + words[1:] if statement.role is not Role.MAIN or not statement.fragment else words,
        span=statement.span,
        subject=render(statement.subject) or statement.about,
        predicate=render(statement.verb_words) or statement.verb.lemma,
        object=render(statement.object.words()) if statement.object is not None else "",
        polarity=polarity,
        tense=facts[0].tense if facts else statement.verb.tense,
        hedged=hedged,
        quoted=statement.quoted,
        slot_type=named.slot_type if named else None,
        value_span=(named or facts[0]).value_span if facts else None,
    )


def _tell_openings(statement: Statement) -> list[str]:
    """ "In 2031 you were in Rome" is not the claim that you were in Rome: what it is said of goes with it."""
    front = statement.front
    told = list(front.told) if front is not None else []
    for preposition, phrase in statement.openings:
        if front is not None and front.span.start <= phrase.span[0] < front.span.end:
            continue
        words = phrase.words()
        text = render(words)
        timely = is_time(phrase) and (preposition or words[0].low in _WHICH or read_occasion("when", text) is not None)
        if timely or (preposition and is_circumstance(preposition, phrase)):
            opens = not preposition and words[0].tag != "P"  # a capital of the sentence's beginning
            told.append(f"{text[:1].lower()}{text[1:]}" if opens else f"{preposition} {text}".strip())
    return told


_WHICH = frozenset({"last", "next", "this", "that", "every", "each", "one", "all", "most"})
_BARE_WORD = re.compile(r"[^\W_]+")


def _normal_form(text: str) -> str:
    return " ".join(_BARE_WORD.findall(text.casefold()))
