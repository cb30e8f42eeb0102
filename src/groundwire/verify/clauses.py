"""Clauses in a plain form: the values of a contradiction and whom they are of have a name each, the rest is lemmas."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from groundwire.text.calendar import MONTH_NUMBERS
from groundwire.text.catalogue import Phase, load_catalogue
from groundwire.text.phrases import time_nouns
from groundwire.text.subjects import USER, is_relation, user_words
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token, is_number_word, tokenize
from groundwire.types import ContradictionDetail
from groundwire.verify.changes import Change, find_mentions, names, read_time
from groundwire.verify.frames import Plain, make_plain
from groundwire.verify.steps import Step, find_step, read_amount

_PLACES = frozenset({"location", "work_location", "address", "hometown"})
_PRONOUNS = frozenset({"he", "she", "they", "him", "them"})
_STEPS = re.compile(
    r"(?i)\b(?:more|fewer|less|later|earlier|higher|lower|older|longer|shorter|by|from|instead|than|was|had|before|once)\b"
)
_COMPARED = re.compile(
    r"(?i)\s*(?:\w+\s+){0,2}(?:more|fewer|less|later|earlier|higher|lower|older|younger|longer|shorter)\b"
)
_BEFORE_A_STEP = frozenset({"by", "up", "down"})


@dataclass(frozen=True, slots=True)
class Cast:
    """Who is who in the clauses about a contradiction."""

    old: tuple[str, ...]
    new: str
    subject: str
    owner: str
    itself: frozenset[str]
    station: frozenset[str]
    verbs: frozenset[str]
    things: frozenset[str]
    tokens: frozenset[str]
    kind: str
    is_place: bool
    step: Step | None
    is_directed: bool
    began: tuple[int, ...]
    changed: tuple[int, ...]

    def may_be_in(self, text: str) -> bool:
        """Whether a former value is named, or perhaps by how much it was another one."""
        named = any(names(text, value) for value in self.old)
        return named or (self.step is not None and _STEPS.search(text) is not None)

    def is_then(self, clause: Sequence[Piece]) -> bool:
        """Whether the clause is dated by the month or the year of a memory of the old value."""
        return _is_dated_by(clause, self.began)

    def is_now(self, clause: Sequence[Piece]) -> bool:
        return _is_dated_by(clause, self.changed)


class Piece(NamedTuple):
    word: Plain
    start: int
    end: int


def _is_dated_by(clause: Sequence[Piece], times: Sequence[int]) -> bool:
    told = {piece.word.lemma for piece in clause if _is_time(piece.word.lemma)}
    dates = [date for when in times if (date := read_time(when)) is not None]
    return any(told <= {f"{date:%B}".lower(), f"{date:%b}".lower(), str(date.year)} for date in dates)


def list_spellings(thing: str) -> frozenset[str]:
    """The words of a thing, and their initials: the chief technology officer is the CTO."""
    words = thing.split()
    return frozenset([*words, "".join(word[0] for word in words)] if len(words) > 1 else words)


@lru_cache(maxsize=1024)
def make_cast(contradiction: ContradictionDetail, change: Change) -> Cast:
    slot, subject = contradiction.slot_type, contradiction.subject
    owner, _, thing = subject.rpartition("'s ")
    thing = thing.lower()
    if owner and is_relation(thing.split()[-1]):
        owner = ""  # what somebody's brother leaves, they do not leave themselves
    itself = frozenset[str]() if subject == USER else list_spellings(thing)
    if USER in (subject, owner):
        itself |= user_words()
    elif owner:
        itself |= frozenset(owner.lower().split())
    kind = _find_kind(slot)
    things, tokens = _find_things(kind)
    return Cast(
        change.old, change.new, subject, owner, itself, _find_station(slot), _find_verbs(slot), things, tokens,
        kind, slot in _PLACES, find_step(change.old[0], change.new), change.is_directed,
        _find_times(contradiction, change.old), _find_times(contradiction, (change.new,)),
    )  # fmt: skip


def _find_times(contradiction: ContradictionDetail, values: Sequence[str]) -> tuple[int, ...]:
    rows = zip(contradiction.values, contradiction.timestamps, strict=True)
    return tuple(when for value, when in rows if when is not None and value in values)


@lru_cache(maxsize=128)
def _find_station(slot_type: str) -> frozenset[str]:
    """The words of the slot, as lemmas."""
    slot = load_catalogue().slots.get(slot_type)
    nouns = [word for noun in slot.nouns for word in noun.split()] if slot is not None else list[str]()
    nouns = [noun for noun in nouns if noun not in _NO_STATION]
    if slot is not None or slot_type.startswith("favorite_"):
        nouns += slot_type.split("_")
        nouns += [british for word, british in BRITISH if word in nouns]
    return frozenset(make_plain(noun).lemma for noun in nouns)


def _find_verbs(slot_type: str) -> frozenset[str]:
    """The verbs that say that somebody has a value of the slot: one lives in a place, and does not drive to it."""
    if slot_type in load_catalogue().slots:
        return _verbs_of_slots().get(slot_type, _HAVING)
    own = _LIKING if slot_type.startswith("favorite_") else {slot_type.split(" ")[0]}
    return _HAVING | own


@cache
def _verbs_of_slots() -> dict[str, frozenset[str]]:
    verbs: dict[str, set[str]] = {}
    for known in load_catalogue().frames.values():
        for frame in known.list_all():
            if frame.phase is Phase.STATE:
                verbs.setdefault(frame.slot, set(_HAVING)).add(frame.verb)
    return {slot: frozenset(found) for slot, found in verbs.items()}


def _find_kind(slot_type: str) -> str:
    return next((kind for kind, slots in _KINDS.items() if slot_type in slots), "deal")


@cache
def _find_things(kind: str) -> tuple[frozenset[str], frozenset[str]]:
    """What somebody gives up and what they hand in with a value of a kind, as lemmas."""
    table = read_table("partings")["things"]
    tokens = frozenset(make_plain(noun).lemma for noun in table[f"{kind}_tokens"])
    return frozenset(make_plain(noun).lemma for noun in (*table["always"], *table[kind])), tokens


_KINDS = {
    "home": ("location", "address", "hometown", "work_location"),
    "work": ("employer", "title", "department", "education", "manager", "owner", "professional", "salary"),
    "bond": ("spouse", "marital_status", "friend", "sibling", "parent", "child", "relative"),
}
_HAVING = frozenset({"be", "have", "hold", "stay"})
_LIKING = frozenset({"like", "love", "prefer", "favor", "favour", "support", "root"})
_NO_STATION = frozenset({"of", "work", "first", "last", "current", "second"})
BRITISH = (("favorite", "favourite"), ("color", "colour"), ("flavor", "flavour"))


def split_clauses(text: str, cast: Cast) -> list[list[Piece]]:
    """The clauses between commas, conjunctions and stops."""
    clauses: list[list[Piece]] = [[]]
    for piece in _make_pieces(text, cast):
        if piece.word.lemma == ",":
            clauses.append([])
        else:
            clauses[-1].append(piece)
    return [kept for clause in clauses if clause and (kept := _without_filler_phrases(clause))]


def without_times(clause: Sequence[Piece]) -> list[Piece]:
    """The clause without "in March", "last year"; "until March" is "before"."""
    kept: list[Piece] = []
    for piece in clause:
        if not _is_time(piece.word.lemma):
            kept.append(piece)
            continue
        while kept and kept[-1].word.lemma in _BEFORE_TIMES:
            kept.pop()
        if kept and kept[-1].word.lemma in ("until", "till"):
            kept[-1] = kept[-1]._replace(word=Plain("before"))
    return kept


_BEFORE_TIMES = frozenset({"in", "on", "at", "from", "by", "during", "early", "late", "last", "next", "of"})
_YEAR = re.compile(r"(?:19|20)\d\d")


def _is_time(lemma: str) -> bool:
    return lemma in MONTH_NUMBERS or lemma in time_nouns() or _YEAR.fullmatch(lemma) is not None


@cache
def _fillers() -> frozenset[str]:
    return frozenset(read_table("partings")["fillers"])


def is_filler(word: str) -> bool:
    return word in _fillers()


@cache
def _filler_phrases() -> tuple[tuple[str, ...], ...]:
    phrases = read_table("partings")["filler_phrases"]
    return tuple(tuple(make_plain(word).lemma for word in phrase.split()) for phrase in phrases)


@cache
def _breaks() -> frozenset[str]:
    return frozenset(read_table("partings")["breaks"])


def _make_pieces(text: str, cast: Cast) -> list[Piece]:
    """The words of a text in their plain form, with the values, the subject and its slot under their own names."""
    named = _find_values(text, cast)
    pieces: list[Piece] = []
    tokens = tokenize(text)
    reached, start = 0, -1
    for i, token in enumerate(tokens):
        if token.start < reached:
            continue
        start = token.start if start < 0 else start  # an article belongs to the word that it stands before
        found = named.get(token.start) or _find_amount(text, token, pieces, cast)
        if found is not None:
            reached, name = found
            pieces.append(Piece(Plain(name), start, reached))
            start = -1
        elif (word := _make_word(tokens, i, cast)) is not None:
            if not _repeats(pieces, word):
                pieces.append(Piece(word, start, token.end))
            start = -1
        elif pieces and pieces[-1].word.lemma != ",":
            pieces[-1] = pieces[-1]._replace(end=token.end)
    return pieces


def _find_values(text: str, cast: Cast) -> dict[int, tuple[int, str]]:
    """Where the values stand in a text: where each begins, where it ends and which it is."""
    found = {m.start(): (m.end(), "OLD") for value in cast.old for m in find_mentions(text, value)}
    return found | {m.start(): (m.end(), "NEW") for m in find_mentions(text, cast.new)}


def _find_amount(text: str, token: Token, pieces: Sequence[Piece], cast: Cast) -> tuple[int, str] | None:
    """An amount that is the step between the values, or the old one without what it counts."""
    if cast.step is None or not (token.tag == "#" or is_number_word(token.low) or token.low in ("a", "an", "half")):
        return None
    found = read_amount(text[token.start :])
    if found is None:
        return None
    amount, length = found
    end = token.start + length
    by = bool(pieces) and pieces[-1].word.lemma in _BEFORE_A_STEP
    if cast.step.measures(amount) and (by or _COMPARED.match(text, end)):
        return end, "MORE" if cast.step.is_up else "LESS"
    if token.low in ("a", "an"):
        return None
    return (end, "OLD") if cast.step.starts_at(amount) else (end, "NEW") if cast.step.ends_at(amount) else None


def _repeats(pieces: Sequence[Piece], word: Plain) -> bool:
    """ "dentist appointment" is one subject in two words."""
    return bool(pieces) and (pieces[-1].word.lemma, word.lemma) in _REPEATED


_REPEATED = frozenset({("SELF", "SELF"), ("UNIT", "UNIT"), ("STATION", "STATION")})


def _make_word(tokens: Sequence[Token], i: int, cast: Cast) -> Plain | None:
    """The token at `i` in its plain form; None where it says nothing."""
    token, low = tokens[i], tokens[i].low
    after = tokens[i + 1] if i + 1 < len(tokens) else None
    if token.tag in (",", ";", ":", "-", "(", ")", ".") or low in _breaks():
        return Plain(",")
    if low == "an" and after is not None and after.low in ("old", "older") and not _is_record(tokens[i + 2 : i + 3]):
        return Plain("some")  # "Acme is an older company"
    if token.tag == '"' or (low in _fillers() and not (after is not None and after.low == "of")):
        return None
    if low in read_table("people")["users"] and not (i and tokens[i - 1].low == "the"):
        return make_plain(low)  # "you were a client of Acme"
    of_thing = cast.owner == USER != cast.subject
    if of_thing and low in user_words() and after is not None and make_plain(after.low).lemma == "be":
        return Plain(low)  # "you were at the library" is not said of the book club
    if is_cut_short(low, after.low if after is not None else "", cast.subject):
        return make_plain(low)
    if low in cast.itself or (low in _PRONOUNS and not of_thing and cast.subject != USER):
        return Plain("SELF")  # but "she" is no coffee order, nor "you"
    if token.text == "may":
        return Plain("might")
    if low in ("'s", "’s"):
        before = tokens[i - 1].low if i else ""
        return Plain("be") if before in ("it", "that", "he", "she", "there", "here") else Plain("'s")
    if low in ("'re", "’re", "'m", "’m"):
        return Plain("be")
    if low in ("n't", "n’t"):
        return Plain("not")
    word = make_plain(low)
    if low in ("'ve", "’ve", "'d", "’d") or (word.lemma == "have" and _is_auxiliary(tokens, i)):
        return None
    if cast.step is not None and low in cast.step.counted.split():
        return Plain("UNIT")
    if word == ("get", "ed", "") and after is not None and make_plain(after.low).tense == "ed":
        return Plain("be", "ed")  # "got delayed"
    if low == "it":
        return word._replace(role="SELF")  # who that is, is asked of the claims
    if word.lemma not in cast.station:
        return word._replace(role=_find_role(word.lemma, cast))
    before = tokens[i - 1].low if i else ""
    return Plain("SELF" if cast.subject != USER and before in cast.itself else "STATION")  # "the deploy port"


def _is_record(tokens: Sequence[Token]) -> bool:
    return any(make_plain(token.low).lemma in read_table("partings")["record"] for token in tokens)


def _lemma(word: str) -> str:
    return make_plain(word).lemma


def is_cut_short(low: str, after: str, subject: str) -> bool:
    """Whether the word only qualifies the subject, which does not follow: a seat is no seat preference."""
    *qualifying, head = subject.lower().rpartition("'s ")[2].split()
    return low in qualifying and low != head and make_plain(after).lemma not in map(_lemma, (*qualifying, head))


def _find_role(lemma: str, cast: Cast) -> str:
    if lemma in cast.verbs:
        return "STAY"
    return "TOKEN" if lemma in cast.tokens else "THING" if lemma in cast.things else ""


def _is_auxiliary(tokens: Sequence[Token], i: int) -> bool:
    """ "has left", "had recently been": the verb comes later."""
    later = (token for token in tokens[i + 1 :] if token.low not in _fillers())
    following = next(later, None)
    return following is not None and make_plain(following.low).tense == "ed"


def _without_filler_phrases(clause: list[Piece]) -> list[Piece]:
    for phrase in _filler_phrases():
        for at in range(len(clause) - len(phrase) + 1):
            if all(clause[at + k].word.lemma == lemma for k, lemma in enumerate(phrase)):
                return _without_filler_phrases([*clause[:at], *clause[at + len(phrase) :]])
    return clause
