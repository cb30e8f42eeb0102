"""Which value is told as the former one: read from grammar and words of time, whatever the phrase.

"Stavanger was what you told me back in spring", "(older records still list you as single)", "first you said medium,
more recently large": a clause that names one of two values, in the past or beside a word such as "earlier", tells it
as former, and beside "latest" as present. Such a clause may have no other words than those of its slot, of time and of
records: any other could be news, and then the clause says nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from groundwire.text.catalogue import load_catalogue
from groundwire.text.function_words import closed_classes
from groundwire.text.reading import Reading
from groundwire.text.sentences import split_sentences
from groundwire.text.subjects import USER, is_relation
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token, tokenize
from groundwire.types import ContradictionDetail, ContradictionType, Span
from groundwire.verify.both import words_of
from groundwire.verify.changes import Change, find_mentions, find_told, order_values
from groundwire.verify.clauses import BRITISH, is_cut_short, list_spellings
from groundwire.verify.dates import find_dates, find_times, fit_any, is_date
from groundwire.verify.frames import make_plain

_LONGEST = 400
_BREAKS = frozenset({"and", "but", "while", "whereas", "though", "although", "yet", "when", "so", "which", "because"})
_MARKS = frozenset(",;:-().")
_SPEAKERS = frozenset({"you", "i", "we"})
_OTHERS = frozenset({"he", "she", "they", "him", "her", "his", "them", "their"})
_POINTING = frozenset({"it", "that", "this", "him", "her", "them"})
_OWNERS = frozenset({"yours", "mine", "ours", "hers", "theirs"})
_DENIALS = frozenset({"not", "n't", "n’t", "no", "neither", "nor"})
_ENDED = frozenset({"longer", "anymore", "more"})
_CHOICE = frozenset({"either", "or", "both", "and", "it", "'s", "’s", "is", "versus", "vs"})
_WORD = re.compile(r"\w")


class _Tells(Enum):
    NOTHING = "another matter, or too much"
    FORMER = "the old value as former"
    REVERSED = "the new value as former, or the old one as present"
    PRESENT = "the new value"
    NAMED = "the old value, and not when"
    RECORDS = "that there are two, or when something was told"


class _Clause(NamedTuple):
    span: Span
    tells: _Tells
    disputes: bool = False
    is_dated: bool = False
    is_record: bool = False
    """It tells what a record says, and not what is so."""
    is_other: bool = False
    """It tells of another record than the one before: "another in Oulu"."""
    names_both: bool = False


class _Said(NamedTuple):
    """A clause with its values taken out."""

    words: Sequence[Token]
    old: Sequence[Span]
    new: Sequence[Span]


def find_told_former(reading: Reading, contradiction: ContradictionDetail) -> Iterator[tuple[Span, bool]]:
    """Stretches that tell which value is the former one or that there are two, and whether a date in them is news."""
    change = order_values(contradiction)
    if contradiction.contradiction_type is not ContradictionType.INCOMPATIBLE_VALUES or not change.old:
        return
    if not _names(reading.text, change.new, change.old) or not any(
        _names(reading.text, value, (change.new,)) for value in change.old
    ):
        return
    sentences = [one.span for one in split_sentences(reading.text)]
    told = [_read_sentence(reading.text, span, contradiction, change) for span in sentences]
    for at in range(len(told)):
        around = slice(max(0, at - 1), at + 2)
        window = [clause for sentence in told[around] for clause in sentence]
        near = Span(sentences[around][0].start, sentences[around][-1].end)
        if _is_open(told[at], window, change) and find_told(reading.text, change.new, change.old, near):
            yield from ((_with_stop(span, reading.text), news) for span, news in _join(window))


def _with_stop(span: Span, text: str) -> Span:
    """A claim may be a whole sentence, with the stop behind it."""
    end = span.end
    while text[end : end + 1] and text[end] in '.!)"”':
        end += 1
    return Span(span.start, end)


def _is_open(own: Sequence[_Clause], window: Sequence[_Clause], change: Change) -> bool:
    """Whether a sentence, with its neighbours, tells one value as former, or names both as what records say."""
    tells = {clause.tells for clause in window}
    if _Tells.REVERSED in tells:
        return False
    if change.is_directed and any(clause.tells is _Tells.FORMER for clause in own):
        return True
    both = _Tells.PRESENT in tells and not tells.isdisjoint({_Tells.FORMER, _Tells.NAMED})
    both = both or any(clause.names_both for clause in window)
    return both and (any(clause.disputes for clause in own) or _are_paired(own))


def _are_paired(clauses: Sequence[_Clause]) -> bool:
    """ "One note has Leeds, another York": two records, each with its own value."""
    named = [clause for clause in clauses if clause.tells in (_Tells.NAMED, _Tells.FORMER)]
    present = [clause for clause in clauses if clause.tells is _Tells.PRESENT]
    either = ((named, present), (present, named))
    return any(any(c.is_record for c in one) and any(c.is_other for c in other) for one, other in either)


def _join(window: Sequence[_Clause]) -> Iterator[tuple[Span, bool]]:
    """Neighbouring clauses that say nothing else are one stretch: a claim may reach over several."""
    run: list[_Clause] = []
    disputed = any(clause.disputes for clause in window) or _are_paired(window)
    other = {_Tells.NOTHING} if disputed else {_Tells.NOTHING, _Tells.NAMED}
    for clause in (*window, None):
        if clause is not None and clause.tells not in other:
            run.append(clause)
            continue
        if run:
            yield Span(run[0].span.start, run[-1].span.end), any(one.is_dated for one in run)
        run = []


def _read_sentence(text: str, span: Span, contradiction: ContradictionDetail, change: Change) -> list[_Clause]:
    if span.end - span.start > _LONGEST or text[span.start : span.end].rstrip(' )"”').endswith("?"):
        return [_Clause(span, _Tells.NOTHING)]
    old = [m for value in change.old for m in find_told(text, value, (change.new,), span)]
    new = find_told(text, change.new, change.old, span)
    clauses: list[_Clause] = []
    for tokens in _split(tokenize(text[span.start : span.end], span.start), [*old, *new]):
        start, end = tokens[0].start, tokens[-1].end
        inside = [[m for m in found if start <= m.start < end] for found in (old, new)]
        words = [t for t in tokens if not any(m.start <= t.start < m.end for m in (*inside[0], *inside[1]))]
        clause = _Clause(Span(start, end), _Tells.NOTHING)
        clauses.append(_read_clause(_Said(words, *inside), clause, text, contradiction, change))
    return clauses


def _split(tokens: Sequence[Token], values: Sequence[Span]) -> Iterator[list[Token]]:
    """The clauses between marks and conjunctions; a mark inside a value parts nothing."""
    clause: list[Token] = []
    for token in tokens:
        inside = any(m.start < token.start < m.end for m in values)
        if not inside and token.tag in _MARKS and token.tag:
            if clause:
                yield clause
            clause = []
            continue
        if not inside and token.low in _BREAKS and clause:
            yield clause
            clause = []
        clause.append(token)
    if clause:
        yield clause


@cache
def _openers() -> frozenset[str]:
    return frozenset(read_table("pleasantries")["openers"])


def _read_clause(
    said: _Said, clause: _Clause, text: str, contradiction: ContradictionDetail, change: Change
) -> _Clause:
    lows = [token.low for token in said.words]
    if " ".join(lows) in _openers():
        return clause._replace(tells=_Tells.RECORDS)
    if said.old and said.new and _CHOICE.issuperset(lows):
        return clause._replace(tells=_Tells.NAMED, names_both=True)
    if bool(said.old) == bool(said.new) and (said.old or not said.words):
        return clause
    if _is_strange(said, contradiction) or _is_somebody_else(lows, contradiction, text) or _is_deed(said, text):
        return clause
    times = find_times(contradiction, change.old if said.old else (change.new,) if said.new else contradiction.values)
    dates = find_dates(lows)
    is_dated = bool(dates) and not fit_any(dates, times)
    disputes = _disputes(lows) or ("also" in lows and bool(said.old) and _is_of_records(lows))
    records, others = _is_of_records(lows), not _table("others").isdisjoint(lows)
    clause = clause._replace(disputes=disputes, is_dated=is_dated, is_record=records, is_other=others)
    if said.old:
        then = bool(dates) and not is_dated and not fit_any(dates, find_times(contradiction, (change.new,)))
        tells = _weigh_old(lows)
        return clause._replace(tells=_Tells.FORMER if then and tells is _Tells.NAMED else tells)
    if said.new:
        return clause._replace(tells=_weigh_new(lows))
    link = all(low in closed_classes() or any(low in _table(name) for name in ("now", "then", "other")) for low in lows)
    link = link or (not _table("now").isdisjoint(lows) and make_plain(lows[-1]).lemma not in _table("carrying"))
    tells = link or disputes or _is_of_records(lows) or (bool(dates) and not is_dated)
    return clause._replace(tells=_Tells.RECORDS) if tells else clause


def _weigh_old(lows: Sequence[str]) -> _Tells:
    corrected = lows[:1] == ["not"] and _is_of_records(lows)  # "not Leeds, as you first said"
    ended = corrected or not _ENDED.isdisjoint(lows)
    if not _DENIALS.isdisjoint(lows) and not ended:
        return _Tells.NOTHING
    then = ended or not _table("then").isdisjoint(lows) or lows[:2] in (["up", "from"], ["down", "from"])
    now = [low for i, low in enumerate(lows) if low in _table("now") and not _is_no_now(lows, i)]
    if now:
        return _Tells.NAMED if then else _Tells.REVERSED
    return _Tells.FORMER if then or _is_past(lows) else _Tells.NAMED


def _weigh_new(lows: Sequence[str]) -> _Tells:
    if not _DENIALS.isdisjoint(lows):
        return _Tells.REVERSED
    if not _table("now").isdisjoint(lows) or lows[:1] == ["then"] or lows[:2] == ["and", "then"]:
        return _Tells.PRESENT
    then = not (_table("then") - {"then"}).isdisjoint(lows)
    return _Tells.REVERSED if then or (_is_past(lows) and not _is_of_records(lows)) else _Tells.PRESENT


def _is_no_now(lows: Sequence[str], at: int) -> bool:
    """ "until recently", "since that is what you told me"."""
    return (at > 0 and lows[at - 1] in ("until", "till")) or (at == 0 and lows[0] == "since" and lows[1:2] != ["then"])


def _is_past(lows: Sequence[str]) -> bool:
    return any(make_plain(low).tense == "ed" and not _is_participle(lows, i) for i, low in enumerate(lows))


def _is_participle(lows: Sequence[str], at: int) -> bool:
    """ "is listed" is no past, "was listed" has one of its own."""
    return at > 0 and lows[at - 1] in ("is", "are", "'s", "’s", "'re", "’re", "as", "being", "be")


def _is_of_records(lows: Sequence[str]) -> bool:
    lemmas = {make_plain(low).lemma for low in lows} | set(lows)
    return not lemmas.isdisjoint(_table("records") | _table("saying"))


def _disputes(lows: Sequence[str]) -> bool:
    """ "two answers on file", "you have told me both": one may as well have two of something."""
    lemmas = {make_plain(low).lemma for low in lows} | set(lows)
    if not _table("unlike").isdisjoint(lemmas) and not _DENIALS.isdisjoint(lows):
        return _is_of_records(lows) or "clear" in lows
    if _table("signs").isdisjoint(lemmas):
        return False
    own = "i" in lows and not {"have", "'ve", "’ve", *_table("keeping")}.isdisjoint(lemmas)
    return own or _is_of_records(lows)


def _is_strange(said: _Said, contradiction: ContradictionDetail) -> bool:
    """Whether there is a word that is neither of the slot, nor of time or records."""
    slot, subject = contradiction.slot_type, contradiction.subject
    known = words_of(slot, subject) | _find_shared(contradiction.values) | list_spellings(subject.rpartition("'s ")[2])
    words = [token for token in said.words if token.tag != '"' and _WORD.search(token.low)]
    lows = ["", *(token.low for token in words), ""]
    for i, token in enumerate(words):
        before, low, after = lows[i : i + 3]
        if low == "may" and token.text != "May":
            return True  # what may be is not so
        if is_date(low) or _is_known(before, low, after, "i" in lows) or low in ("'s", "’s"):
            continue
        if low in closed_classes():
            if (low == "about" and after in _POINTING) or (low in ("who", "whom") and after in _SPEAKERS):
                continue  # "when you first told me about it", "Dana is who you named first"
            if low in _table("aside") and not (said.old or said.new):
                continue  # "my notes disagree about your rent", "the later figure is probably the one to use"
            if low == "if" and not (said.old or said.new) and _is_of_records(lows):
                continue  # "if I go by the latest note"
            if low in _table("barred") or (low == "there" and before):
                return True
        elif before in _table("signs") and low.endswith("s") and not (said.old or said.new):
            continue  # "two prices"
        elif is_cut_short(low, after, subject) or known.isdisjoint((low, make_plain(low).lemma)):
            return True
        elif _is_noun_here(before) and low not in _nouns(slot, subject) | _find_shared(contradiction.values):
            return True  # "your first hire"
    return False


def _is_known(before: str, low: str, after: str, speaks: bool) -> bool:
    lemma = make_plain(low).lemma
    if lemma in ("use", "go"):
        going = low == "going" and after == "to"  # "it was going to be in Leeds"
        return going or after == {"use": "to", "go": "by"}[lemma] or (lemma == "use" and before in ("to", "you"))
    if lemma == "begin":
        return (before, after) == ("to", "with")
    if lemma in _table("keeping"):
        return speaks
    if before in ("a", "an") and low in _table("then") and not _is_of_records([after]):
        return False  # "an older company"
    return low in _known() or lemma in _known()


@lru_cache(maxsize=256)
def _find_shared(values: Sequence[str]) -> frozenset[str]:
    """ "mg" in 20 mg and 40 mg: what both values have tells nothing of either."""
    first, *rest = ({*value.lower().split()} for value in values)
    return frozenset(first.intersection(*rest))


def _is_noun_here(before: str) -> bool:
    return closed_classes().get(before, "") in ("D", "S") or before in _table("then") or before in _table("now")


@lru_cache(maxsize=256)
def _nouns(slot: str, subject: str) -> frozenset[str]:
    """What a value of the slot is called: "employer", "home"."""
    nouns = [noun for noun, named in load_catalogue().nouns.items() if named == slot]
    words = " ".join([*nouns, slot.replace("_", " "), subject]).lower().split()
    words += [british for word, british in BRITISH if word in words]
    return frozenset(words) | list_spellings(subject.lower().rpartition("'s ")[2])


def _is_somebody_else(lows: Sequence[str], contradiction: ContradictionDetail, text: str) -> bool:
    """ "She was in Leeds before" is not said of the user, nor "you were in Leeds before" of their sister."""
    others = [i for i, low in enumerate(lows) if low in _OTHERS and not (i and lows[i - 1] in ("before", "after"))]
    if contradiction.subject == USER:
        return bool(others)
    if any(low in _OWNERS and lows[max(0, i - 1)] != "of" for i, low in enumerate(lows)):
        return True  # and not "a note of mine"
    lemmas = {make_plain(low).lemma for low in lows}
    telling = _table("saying") | _table("keeping") | {"have", "use", "'ve", "’ve", "'d", "’d"}
    if not _SPEAKERS.isdisjoint(lows) and lemmas.isdisjoint(telling):
        return True
    thing = contradiction.subject.lower().rpartition("'s ")[2].split()
    named = any(text[m.start()].isupper() for m in find_mentions(text, contradiction.subject))
    return bool(others) and not is_relation(thing[-1]) and not named


def _is_deed(said: _Said, text: str) -> bool:
    """ "You told Lena", "Dana told me", "Dana's note", "a single note": the value does or gets something itself."""
    for value in (*said.old, *said.new):
        before = [token for token in said.words if token.end <= value.start]
        after = [token for token in said.words if token.start >= value.end]
        opposed = len(before) > 1 and before[-2].low == "opposed"
        if before and make_plain(before[-1].low).lemma in ("tell", "to") and not opposed:
            return True
        own = any(a.low in ("had", "have", "has") and b.low in ("a", "an") for a, b in pairwise(before))
        if own and "i" not in (token.low for token in before):
            return True  # "you once had a record in Leeds"
        noun = before[-2].low if len(before) > 1 and before[-1].low in ("from", "on") else ""
        if noun and noun not in ("one", "latest") and _is_of_records([noun]):
            return True  # "your note from Leeds"
        if not after:
            continue
        low, lemma = after[0].low, make_plain(after[0].low).lemma
        if low in ("'s", "’s") and text[value.start].isupper() and len(after) > 1 and not _is_be(after[1:]):
            return True
        given = before and make_plain(before[-1].low).lemma == "give" and closed_classes().get(low, "") in ("D", "S")
        says = lemma in _table("saying") and low not in _table("records") and make_plain(low).tense == "ed"
        has = lemma == "have" and len(after) > 1 and after[1].low in ("a", "an")
        if given or says or has:
            return True
        if lemma in _table("records") and before and before[-1].low in ("a", "an"):
            return True
    return False


def _is_be(after: Sequence[Token]) -> bool:
    """ "Dana's from an older note", and not "Dana's older note"."""
    return closed_classes().get(after[0].low, "") == "I"


def _names(text: str, value: str, others: Sequence[str]) -> bool:
    return bool(find_told(text, value, others, Span(0, len(text))))


@cache
def _table(name: str) -> frozenset[str]:
    return frozenset(read_table("disclosure")["order"][name])


@cache
def _known() -> frozenset[str]:
    names = ("then", "now", "records", "saying", "carrying", "signs", "other")
    return frozenset(word for name in names for word in _table(name))
