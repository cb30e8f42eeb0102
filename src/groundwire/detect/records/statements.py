"""Stored statements against the sentences of an answer: by rule where a value, a permission or a negation decides.

The nearest statement is found by meaning; what rules leave open is a question for the judge.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache, lru_cache

from groundwire.detect.records.facets import speaks_of
from groundwire.detect.records.values import Value, find_values, opens_with
from groundwire.text.calendar import read_moment
from groundwire.text.function_words import closed_classes
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.propositions import Proposition
from groundwire.text.quantities import read_quantity
from groundwire.text.reading import read_text
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import concept, is_kind_of
from groundwire.text.values import Relation, compare
from groundwire.text.wording import fold_case
from groundwire.types.memories import Memory

_WORD = re.compile(r"[^\W\d_]+")
_CANDIDATES = 12
_NEAR, _RELATED = 0.42, 0.3
_SURE, _SURER, _SUREST = 0.6, 0.75, 0.85
_CERTAIN = 0.95
_CLOSE, _LIKELY = 0.6, 0.55
_TOLD = (Relation.EQUAL, Relation.GENERALISES)
_LIKE = 0.5
_ABOUT = 0.25
_FREQUENCY = re.compile(r"\b(?:once|twice|thrice)\b")
_POINTING = re.compile(r"\b(?:there|it|they|them|this|that|these|those|one|he|she)\b")
_NOT = re.compile(r"\b(?:not|never|n't|no)\b")
_CONTRAST = re.compile(r"\bnot (in|at|on|with|by|for|from|to) (?:the )?([^\W\d_]{3,30})")
_LIMIT = re.compile(r"\b(?:only|just|at most|no more than|up to|a maximum of) (?:have |hold |take |use )?")
_SOME = re.compile(
    r"(?:[^:.]{1,40}: )?(?:[\w-]+ ){1,3}?(?:with|without|containing|under|over|carrying|who|that|which) "
    r"(?P<some>(?:[\w-]+ ){0,3}[\w-]+) (?:is|are|may|must|can|cannot|will|do|does|has|have)\b"
)
_PAID = re.compile(r"\b(?:costs?|charged?|fees?|pay|paid|surcharge|extra)\b[^.;]{0,40}[€$£]?[1-9]")
_MOST = re.compile(r"\b(?:at most|no more than|up to|a maximum of) ")
_EXCEPTION = re.compile(r"\b(?:except|other than|apart from|but (?:no|not)|unless|besides)\b")
_CONDITION = re.compile(r"\b(?:if|unless|as long as|provided|except|only when|in case)\b")
_BOUND = re.compile(
    r"\b(?:up to|at least|at most|more than|less than|over|under|above|below|before|"
    r"after(?! \S+ (?:second|minute|hour|day|week|month|year)s?\b))\b"
)
_GRATIS = re.compile(
    r"\b(?:free of charge|for free|costs? nothing|at no (?:extra |additional )?(?:cost|charge)|no charge|"
    r"(?:is|are) free|gets? in free|do(?:es)?(?:n't| not) (?:pay|cost))\b"
)
_PLACE = re.compile(
    r"\b(?:in|on|at|to|into|inside) (?:all |the |our |any |every )*(?:[A-Z][\w&'’-]*(?: [A-Z\d][\w&'’-]*)*|[a-z]+)"
)
_NAME = re.compile(r"\b[A-Z][\w&'’-]*(?: [A-Z\d][\w&'’-]*)+")
_RULING_WORDS = frozenset(
    "allow permit ban forbid prohibit require must may can cannot welcome need only must accept".split()  # noqa: SIM905
)
_FREE_OF = re.compile(r"\b([^\W\d_]{3,20})-free\b")
_WITHOUT = re.compile(r"\b(?:no|without|not)(?: [^\W\d_]+){1,3}")
_NOT_YET = re.compile(r"(?:\bnot|n't|\bno)\b")
_LATER = re.compile(r"\b(?:planned|later|upcoming|in the future|will be|scheduled|expected|coming)\b")
_GENERIC = frozenset("be have do person thing one will can may day time good new get make go the of and in to".split())  # noqa: SIM905


class Ruling(StrEnum):
    """What a rule says: something may be, must be, need not be, or must not be."""

    ALLOWS = "allows"
    FORBIDS = "forbids"
    OBLIGES = "obliges"
    LEAVES_OPEN = "leaves open"
    SILENT = ""


_CONFLICTS = frozenset({frozenset({Ruling.ALLOWS, Ruling.FORBIDS}), frozenset({Ruling.OBLIGES, Ruling.LEAVES_OPEN})})


@cache
def _rulings() -> tuple[tuple[Ruling, re.Pattern[str]], ...]:
    table: dict[str, list[str]] = read_table("rulings", "detect")
    return tuple((Ruling(name.replace("_", " ")), re.compile("|".join(table[name]))) for name in table)


@lru_cache(maxsize=4096)
def read_ruling(text: str) -> Ruling:
    low = text.casefold().replace("’", "'")
    return next((ruling for ruling, pattern in _rulings() if pattern.search(low)), Ruling.SILENT)


def says_a_rule(text: str) -> bool:
    """Whether a sentence without a claim says anything that could be wrong: a permission, or a value."""
    return read_ruling(text) is not Ruling.SILENT or bool(find_values(text))


@dataclass(frozen=True, slots=True)
class Encounter:
    """A sentence and the stored statement nearest to it; `is_refuted` where a rule decides, else None."""

    memory: Memory
    nearness: float
    is_refuted: bool | None = None
    is_conditional: bool = False
    is_on_theme: bool = True

    def is_refuted_at(self, probability: float) -> bool:
        """Whether the judge's probability is enough, the more the less the two have in common."""
        least = _SURE if self.nearness >= _NEAR else _SURER
        if self.nearness >= _CLOSE:
            least = _LIKELY
        if self.is_refuted is False:
            least = _SUREST if not self.is_conditional else _CERTAIN
        if not self.is_on_theme:
            return False
        return self.nearness >= _RELATED and probability >= least


class Statements:
    """Stored statements by their words."""

    def __init__(
        self,
        memories: Sequence[Memory],
        similarity: Callable[[str, str], float],
        now: datetime,
        without_names: Callable[[str], str] = str,
    ) -> None:
        self._without_names = without_names
        self._memories = memories
        self._similarity = similarity
        self._now = now
        self._by_word: dict[str, list[int]] = defaultdict(list)
        self._words: list[frozenset[str]] = []
        for number, memory in enumerate(memories):
            words = _content(memory.text)
            self._words.append(words)
            for word in words:
                self._by_word[word].append(number)

    def meet(
        self, sentence: str, before: str = "", is_other: Callable[[Memory], bool] | None = None
    ) -> Encounter | None:
        """The nearest statement, and what a rule makes of it; "there" and "it" mean what the sentence before named."""
        if not self._memories:
            return None
        skipped = frozenset(n for n, m in enumerate(self._memories) if is_other is not None and is_other(m))
        number, nearness = self._nearest(sentence, skipped)
        if before and nearness < _NEAR and _POINTING.search(sentence.casefold()):
            number, nearness = max(
                (number, nearness), self._nearest(f"{before} {sentence}", skipped), key=lambda found: found[1]
            )
        if nearness < _RELATED or _is_compatible(sentence, self._memories[number].text):
            return None
        memory = self._memories[number]
        conditional = _CONDITION.search(sentence.casefold()) is not None
        is_on_theme = _is_on_theme(f"{before} {sentence}", self._without_names(memory.text))
        refuted = _decide(sentence, memory.text, nearness, self._now, is_on_theme=is_on_theme)
        if refuted and self._is_told(sentence, number, nearness):
            refuted = None
        return Encounter(memory, nearness, refuted, conditional, is_on_theme)

    def _is_told(self, sentence: str, against: int, nearness: float) -> bool:
        """Whether another statement about as near has the very values: then the sentence speaks of that one's case."""
        words = _content(sentence)
        for number, memory in enumerate(self._memories):
            if number == against or not words & self._words[number]:
                continue
            if _compare_values(sentence, memory.text, self._now) is not False:
                continue
            if self._similarity(sentence, memory.text) >= nearness - _ABOUT:
                return True
        return False

    def _nearest(self, sentence: str, skipped: frozenset[int]) -> tuple[int, float]:
        words = _content(sentence)
        if len(self._memories) <= _CANDIDATES:
            candidates = list(range(len(self._memories)))
        else:
            counts = Counter(number for word in words for number in self._by_word.get(word, ()))
            candidates = [n for n, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:_CANDIDATES]]
        best, nearness = -1, 0.0
        for number in (n for n in candidates if n not in skipped):
            near = max(self._similarity(sentence, self._memories[number].text), self._share(words, number))
            if near > nearness:
                best, nearness = number, near
        return best, nearness

    def _share(self, words: frozenset[str], number: int) -> float:
        """By words alone, for where there is no embedder."""
        held = self._words[number]
        shared = len(words & held)
        return 0.9 * shared / len(held) if shared > 1 else 0.0


@lru_cache(maxsize=8192)
def _content(text: str) -> frozenset[str]:
    lemmas = {lemma for read in read_text(text).statements for lemma in read.proposition.lemmas}
    return frozenset(concept(lemma) for lemma in lemmas - _GENERIC)


# ── rules ───────────────────────────────────────────────────────────────────────────────────────


def _decide(sentence: str, statement: str, nearness: float, now: datetime, *, is_on_theme: bool) -> bool | None:
    """True where a rule refutes, False where one protects, None where neither does."""
    values = _compare_values(sentence, statement, now)
    mine, theirs = read_ruling(sentence), read_ruling(statement)
    excepted = _EXCEPTION.search(f"{sentence} {statement}".casefold()) is not None
    if nearness >= _NEAR and frozenset({mine, theirs}) in _CONFLICTS and not excepted:
        if _is_of_some_only(sentence, statement):
            return None
        return True if is_on_theme else None
    if values is True and nearness >= _LIKE and len(_content(sentence) & _content(statement)) > 1:
        return True
    if nearness >= _RELATED and _is_denied(sentence, statement):
        return True
    if nearness >= _NEAR and is_on_theme and _is_paid_for(sentence, statement):
        return True
    if nearness >= _LIKE and _exceeds_limit(sentence, statement):
        return True
    if nearness >= _LIKE and (_is_ruled_out(sentence, statement) or _limits_differ(sentence, statement)):
        return True
    conditional = _CONDITION.search(sentence.casefold()) is not None
    return False if values is False or conditional or excepted or mine is theirs is Ruling.ALLOWS else None


def _is_of_some_only(sentence: str, statement: str) -> bool:
    """ "Parcels with batteries are not accepted" says nothing of a parcel of which nobody says what is in it."""
    match = _SOME.match(statement)
    if match is None:
        return False
    said, some = _lemmas(sentence), _lemmas(match["some"])
    return bool(some) and not any(speaks_of(a, b) or is_kind_of(b, a) or is_kind_of(a, b) for a in some for b in said)


def _is_compatible(sentence: str, statement: str) -> bool:
    """What is said in other words: free of charge, chain-free, not yet but planned."""
    said, told = sentence.casefold().replace("’", "'"), statement.casefold()
    if _GRATIS.search(said) and _GRATIS.search(told):
        return True
    without = {word for match in _WITHOUT.finditer(told) for word in _WORD.findall(match.group())}
    if any(noun_lemma(match[1]) in {noun_lemma(w) for w in without} for match in _FREE_OF.finditer(said)):
        return True
    return _NOT_YET.search(said) is not None and _LATER.search(told) is not None


def _is_on_theme(sentence: str, statement: str) -> bool:
    """Whether a sentence speaks of what a rule is on, not only of the place where it holds."""
    said, theme = _lemmas(sentence), _lemmas(_NAME.sub(" ", _PLACE.sub(" ", statement))) - _RULING_WORDS
    return any(speaks_of(one, two) or is_kind_of(one, two) or is_kind_of(two, one) for one in theme for two in said)


@lru_cache(maxsize=4096)
def _lemmas(text: str) -> frozenset[str]:
    words = [w for w in _WORD.findall(text.casefold()) if len(w) > 2 and w not in closed_classes()]
    lemmas = {noun_lemma(w) for w in words} | {verb for w in words if (verb := verb_lemma(w)) is not None}
    return frozenset(lemmas - _GENERIC)


def _compare_values(sentence: str, statement: str, now: datetime) -> bool | None:
    """Whether the one value that each side has differs (True) or is the same (False); None where it is not plain."""
    often, stated = (set(_FREQUENCY.findall(text.casefold())) for text in (sentence, statement))
    if often and stated and often.isdisjoint(stated):
        return True
    ours, theirs = ([v for v in find_values(text) if not opens_with(text, v)] for text in (sentence, statement))
    if not ours or not theirs:
        return None
    agreed = differing = 0
    for mine in ours:
        rivals = [other for other in theirs if _are_comparable(mine, other)]
        if not rivals:
            continue
        loose = (*_TOLD, Relation.OVERLAPS) if mine.dimension == "duration" else _TOLD
        same = any(compare(mine.text, other.text, now=now).relation in loose for other in rivals)
        if same and mine.dimension == "count" and not mine.text.isalpha():
            continue  # "series 7" is a name
        agreed, differing = agreed + same, differing + (not same)
    if agreed and not differing:
        return False
    exact = not any(v.is_vague for v in (*ours, *theirs)) and not _BOUND.search(statement)
    if not differing or agreed or not exact or sum(v.kind == "date" for v in ours) > 1:
        return None  # of two dates nobody knows which one the statement is about
    return True if len(theirs) == 1 or _is_outside(ours, theirs) else None


def _is_outside(ours: Sequence[Value], theirs: Sequence[Value]) -> bool:
    """An hour outside the hours from one to the other."""
    if len(theirs) != 2 or len(ours) != 1 or any(v.kind != "clock" for v in (*ours, *theirs)):
        return False
    said, first, last = (_minutes(value.text) for value in (*ours, *theirs))
    return bool(said and first and last) and all(not min(first) <= minute <= max(last) for minute in said)


def _minutes(text: str) -> tuple[int, ...]:
    moment = read_moment(fold_case(text))
    return moment.minutes if moment is not None else ()


def _are_comparable(mine: Value, other: Value) -> bool:
    if mine.kind != other.kind or mine.dimension != other.dimension:
        return False
    if mine.kind == "amount" and mine.dimension == "count":
        return any(speaks_of(one, two) for one in mine.nouns for two in other.nouns)
    return True


def _is_denied(sentence: str, statement: str) -> bool:
    """ "Finn flies to every concert" against "Finn does not fly"."""
    for theirs in (read.proposition for read in read_text(statement).claims):
        for mine in (read.proposition for read in read_text(sentence).claims):
            if mine.predicate in ("be", "have", "do", "") or mine.predicate != theirs.predicate:
                continue
            if mine.negated is not theirs.negated and _is_of_same(mine, theirs):
                return True
    return False


def _is_ruled_out(sentence: str, statement: str) -> bool:
    """ "checked in Gdynia, not in Aarhus" rules Aarhus out."""
    said = sentence.casefold()
    if _NOT.search(said) is not None:
        return False
    return any(f"{match[1]} {match[2]}" in said for match in _CONTRAST.finditer(statement.casefold()))


def _limits_differ(sentence: str, statement: str) -> bool:
    """ "only one account" against "up to three accounts"."""
    ours, theirs = (_read_limit(text) for text in (sentence, statement))
    if ours is None or theirs is None or not any(speaks_of(a, b) for a in ours.nouns for b in theirs.nouns):
        return False
    return compare(ours.text, theirs.text).relation is Relation.DIFFERENT


def _is_paid_for(sentence: str, statement: str) -> bool:
    """ "You can withdraw cash for free" against "withdrawals cost 1.5 percent"."""
    said, told = (text.casefold().replace("’", "'") for text in (sentence, statement))
    is_free, is_free_on_record = (_GRATIS.search(text) is not None for text in (said, told))
    if is_free is is_free_on_record or _CONDITION.search(said) or _CONDITION.search(told):
        return False
    free, paid = (said, told) if is_free else (told, said)
    return _PAID.search(paid) is not None and _PAID.search(free) is None


def _exceeds_limit(sentence: str, statement: str) -> bool:
    """ "may borrow ten books" against "up to five books": what is allowed is more than the most."""
    most = _read_limit(statement) if _MOST.search(statement.casefold()) else None
    if most is None or read_ruling(sentence) is not Ruling.ALLOWS or _NOT.search(sentence.casefold()):
        return False
    for value in find_values(sentence):
        if value.kind != "amount" or value.dimension != most.dimension or value.is_vague:
            continue
        if most.dimension == "count" and not any(speaks_of(a, b) for a in value.nouns for b in most.nouns):
            continue
        said, limit = read_quantity(fold_case(value.text)), read_quantity(fold_case(most.text))
        if said is not None and limit is not None and said[0].unit.name == limit[0].unit.name:
            return said[0].number > limit[0].number
    return False


def _read_limit(text: str) -> Value | None:
    match = _LIMIT.search(text.casefold())
    values = find_values(text[match.end() :]) if match is not None else []
    return values[0] if values and values[0].span.start == 0 and values[0].kind == "amount" else None


def _is_of_same(mine: Proposition, theirs: Proposition) -> bool:
    if mine.passive is not theirs.passive or mine.aspect != theirs.aspect:
        return False
    subject = set(mine.subject_lemmas) & set(theirs.subject_lemmas) or mine.subject == theirs.subject
    denial = theirs if theirs.negated else mine
    other = mine if theirs.negated else theirs
    needed = {lemma for a in denial.arguments if not a.is_time for lemma in a.lemmas}
    return bool(subject) and needed <= set(other.lemmas)
