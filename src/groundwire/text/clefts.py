"""Clauses whose parts were moved: "Puma is the company you work for", "bought and restored a boat"."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from itertools import pairwise

from groundwire.text.complements import Complement, Modifier
from groundwire.text.membership import class_words
from groundwire.text.phrases import Phrase, is_time, start_list
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.verbs import VerbGroup
from groundwire.types import Tense


class Role(StrEnum):
    """How a clause is attached, which decides whether it is asserted."""

    MAIN = "main"
    RELATIVE = "relative"
    EMBEDDED = "embedded"
    SUBORDINATE = "subordinate"
    CONDITIONAL = "conditional"


@dataclass(slots=True)
class Clause:
    verb: VerbGroup
    subjects: list[Phrase]
    complement: Complement
    start: int
    end: int
    role: Role = Role.MAIN
    antecedent: Phrase | None = None
    parent: Clause | None = None
    shared_subject: bool = False
    cleft: bool = False
    singular: bool = False
    """Its verb is taken from another clause, and is said of one."""
    order: bool = False
    adrift: bool = False
    """Its subject was not found: "What you need is rest", "On the table lies a map"."""
    openings: list[tuple[str, Phrase]] = field(default_factory=start_list)
    """Adverbials before the subject: ("in", May), ("", last year)."""
    appositions: list[tuple[Phrase, Phrase]] = field(default_factory=start_list)
    reduced: list[tuple[Phrase, int, int]] = field(default_factory=start_list)


@cache
def _generic_nouns() -> frozenset[str]:
    return frozenset(read_table("grammar")["generic"]["nouns"])


def resolve_clefts(tokens: list[Token], letters: str, clauses: list[Clause]) -> list[Clause]:
    """ "Puma is the company you work for" says that you work for Puma; so do its turned-round cousins."""
    dropped: set[int] = set()
    for main in clauses:
        if main.verb.lemma != "be" or main.verb.passive or not main.subjects:
            continue
        for inner in clauses:
            if inner is main or inner.role not in (Role.RELATIVE, Role.EMBEDDED) or id(inner) in dropped:
                continue
            if _fill_gap(tokens, letters, main, inner):
                dropped.add(id(main))
                break
    return [c for c in clauses if id(c) not in dropped]


def _fill_gap(tokens: list[Token], letters: str, main: Clause, inner: Clause) -> bool:
    subject, objects = main.subjects[0], main.complement.objects
    before = tokens[inner.start - 1] if inner.start else None
    free = (
        tokens[inner.start].tag == "W"
        and tokens[inner.start].low in ("where", "what")
        and before is not None
        and before.tag in "bn"
    )
    antecedent = inner.antecedent
    if tokens[inner.start].low == "who" and before is not None and before.tag == "b" and inner.shared_subject:
        inner.subjects, inner.role, inner.cleft = main.subjects, Role.MAIN, True  # "Salma is who cuts your hair"
        inner.shared_subject = False
        return not main.verb.negated
    if subject.head_token.low == "it" and not objects and _is_set_in_front(tokens, main, inner):
        return True
    if subject.head_token.low == "it" and inner.shared_subject and inner.start >= main.verb.end:
        between = tokens[main.verb.end : inner.start]
        inner.adrift = inner.complement.contrast is not None or any(token.low == "but" for token in between)
        inner.verb.negated = inner.verb.negated != (main.verb.negated and bool(objects))
        return bool(objects)
    if _is_singled_out(main, inner):
        inner.openings = [*main.openings, *inner.openings]
        _put_in(tokens, letters, main, inner, objects[:1])
        return True
    if antecedent is not None and inner.shared_subject:
        generic = antecedent.head_token.low in ("one", "person", "man", "woman", "guy")
        if not generic or not objects or antecedent.start != subject.start:
            return False
        inner.subjects, inner.role, inner.cleft = [objects[0]], Role.MAIN, True
        return True
    if free or (antecedent is not None and objects and antecedent.start >= main.verb.end):
        fillers = main.subjects
    elif (
        antecedent is not None
        and subject.start <= antecedent.start < subject.end
        and objects
        and inner.end <= main.verb.start
    ):
        fillers = objects[:1]
    else:
        return False
    if antecedent is not None and antecedent.head_token.lemma not in _generic_nouns():
        return False
    described = fillers is not main.subjects and not fillers[0].letters.strip("JRE")
    if described and tokens[main.verb.end - 1].low != "being":
        return False  # "the car you bought is red"
    _put_in(tokens, letters, main, inner, fillers)
    return True


def is_name_at(tokens: list[Token], at: int) -> bool:
    """Whether the word keeps its capital wherever it stands."""
    return tokens[at].tag in "P@" or tokens[at].low == "i"


def set_small(tokens: list[Token], at: int) -> None:
    """A word that opened the sentence loses its capital with its place."""
    word = tokens[at]
    if is_name_at(tokens, at) or not word.text[:1].isupper() or word.text[1:2].isupper():
        return
    if word.low in class_words("language") or word.low in class_words("demonym"):
        return
    tokens[at] = make_small(word)


def make_small(word: Token) -> Token:
    """The same word without its capital."""
    small = word.moved(0)
    small.text, small.is_apart = f"{word.text[:1].lower()}{word.text[1:]}", True
    return small


def _put_in(tokens: list[Token], letters: str, main: Clause, inner: Clause, fillers: list[Phrase]) -> None:
    """What was singled out stands where the inner clause has its gap."""
    antecedent = inner.antecedent
    inner.role = Role.MAIN
    inner.verb.negated = inner.verb.negated != main.verb.negated
    if antecedent is not None and inner.complement.objects == [antecedent]:
        inner.complement.objects = []
    stranded = inner.end - 1 if inner.end > inner.verb.end and letters[inner.end - 1] in "It" else None
    where = tokens[inner.start].low == "where"
    if stranded is not None:
        inner.complement.modifiers.append(Modifier(tokens[stranded].low, fillers, stranded, inner.end))
    elif where:
        inner.complement.modifiers = [m for m in inner.complement.modifiers if m.phrases != [antecedent]]
        inner.complement.modifiers.append(Modifier("in", fillers, inner.start, inner.start))
    else:
        inner.complement.objects = [*fillers]
    inner.cleft = True
    done = inner.verb.passive and stranded is None and not where  # "the day you were born was a Sunday"
    inner.adrift = done or tokens[main.verb.end - 1].low == "being"  # "what you hate is being late": not late people


def _is_set_in_front(tokens: list[Token], main: Clause, inner: Clause) -> bool:
    """ "It was in Rome that you met Ana": you met her in Rome. What has more parts than that is not taken apart."""
    where, said = main.complement.modifiers or _take_openings(tokens, main), inner.complement
    if not where or inner.shared_subject or inner.start < where[-1].end or tokens[inner.start].low != "that":
        return False
    if inner.antecedent is not None and said.objects == [inner.antecedent]:
        said.objects = []
    said.modifiers = [*said.modifiers, *where]
    inner.role, inner.cleft, inner.antecedent = Role.MAIN, True, None
    inner.verb.negated = inner.verb.negated != main.verb.negated
    behind = where[0].start > main.verb.start
    moved = behind and main.verb.end != where[0].start and tokens[main.verb.end].low != "only"  # "because of the pay"
    denied = said.contrast is not None and tokens[said.contrast[0]].tag not in "It"  # "not on Monday" is clear enough
    inner.adrift = moved or denied or bool(said.infinitive or said.gerund or said.reduced or said.appositions)
    return True


def _take_openings(tokens: list[Token], main: Clause) -> list[Modifier]:
    """ "In Rome it was that you met Ana": the place stands before "it"."""
    if not main.openings or main.complement.adverbs or not all(how for how, _ in main.openings):
        return []
    start, found = main.start, list[Modifier]()
    while tokens[start].tag in ',;:-"C':
        start += 1
    set_small(tokens, start)
    for how, phrase in main.openings:
        found.append(Modifier(how, [phrase], start, phrase.end))
        start = phrase.end + (tokens[phrase.end].tag == ",")
    return found


def _is_singled_out(main: Clause, inner: Clause) -> bool:
    """ "It's the bus you take", "It isn't Vim that you use": "it" stands for nothing; "it's a car you can rent" tells
    what it is."""
    thing, found = inner.antecedent, main.complement.objects
    if main.subjects[0].head_token.low != "it" or thing is None or len(found) != 1 or thing.start != found[0].start:
        return False
    return (
        thing.start >= main.verb.end
        and (thing.head_token.tag == "P" or thing.letters[0] in "DS")
        and (thing.words()[0].low not in ("a", "an", "one", "some"))
    )


def share_objects(clauses: list[Clause]) -> None:
    """ "bought and restored a boat": a verb directly before "and" has the object of the next one."""
    for clause, following in pairwise(clauses):
        bare = (
            not clause.complement.objects and not clause.complement.modifiers and clause.complement.infinitive is None
        )
        single = following.verb.end - following.verb.start == 1 and not clause.verb.negated
        if (
            bare
            and single
            and following.shared_subject
            and following.start == clause.verb.end
            and following.complement.objects
        ):
            clause.complement = copy(following.complement)
            clause.complement.reduced, clause.complement.appositions = [], []


def is_adverbial(antecedent: Phrase) -> bool:
    """ "The reason you left", "the year you moved": nobody left a reason."""
    return antecedent.head_token.lemma in ("reason", "way") or is_time(antecedent)


def join_causative(clause: Clause) -> None:
    """ "You had your car serviced", "got your teeth removed": what was done to it is what somebody had done."""
    said = clause.complement
    if clause.verb.lemma not in ("have", "get") or not said.reduced or not said.objects:
        return
    thing, start, _ = said.reduced[0]
    if thing is said.objects[0] and start == thing.end and thing.first_token.low in _DEFINITE:
        said.reduced = []


_DEFINITE = frozenset({"the", "your", "my", "his", "her", "its", "our", "their"})

_ECHOES = frozenset({"so", "nor", "neither", "as"})
_SINGULAR = frozenset({"does", "is", "has", "was"})


def resolve_echoes(tokens: list[Token], clauses: list[Clause]) -> None:
    """ "You smoke, and so does Ana", "you don't, nor does Ana": the second says of Ana what the first says of you."""
    for model, echo in pairwise(clauses):
        verb, said = echo.verb, echo.complement
        at = verb.start if tokens[verb.start].low in _ECHOES else verb.start - 1
        word, last = tokens[max(at, 0)].low, tokens[verb.end - 1]
        alone = at + 2 == verb.end and last.tag in "dbhM"
        if word not in _ECHOES or not alone or not echo.shared_subject or not said.objects or said.modifiers:
            continue
        if (last.tag == "b") != (tokens[model.verb.start].tag == "b"):
            continue  # "you like tea and so is the plan"
        echo.subjects, echo.shared_subject = said.objects, False
        _take_predicate(echo, model, last, negated=model.verb.negated if word in ("so", "as") else True)


def resolve_ellipses(tokens: list[Token], clauses: list[Clause]) -> None:
    """ "Ana smokes; Bo doesn't", "she can swim, and he can too": what the first does, or does not do."""
    for model, short in pairwise(clauses):
        verb, said = short.verb, short.complement
        helper = tokens[verb.start]
        if helper.tag not in "dMbh" or short.shared_subject or not short.subjects or short.role is not Role.MAIN:
            continue
        if said.objects or said.modifiers or said.infinitive or said.gerund or said.reduced:
            continue
        if any(token.tag not in "dMbhnR" for token in tokens[verb.start : verb.end]):
            continue
        if any(token.low not in _AGAIN for token in said.adverbs):
            continue
        same = model.role is Role.MAIN and _has_helper(tokens, model.verb, helper)
        if not same or said.end < short.end or short.openings:
            short.adrift = short.adrift or said.end > verb.end or not said.adverbs
            continue
        _take_predicate(short, model, helper, negated=verb.negated)


def _take_predicate(clause: Clause, model: Clause, helper: Token, *, negated: bool) -> None:
    """What the model does is said of the clause's own subject; its helper tells whether that is one."""
    clause.singular, clause.cleft = helper.low in _SINGULAR, True
    clause.verb, clause.complement = replace(model.verb, negated=negated), copy(model.complement)
    clause.complement.reduced, clause.complement.appositions = [], []


_AGAIN = frozenset({"too", "either", "also", "not"})


_FULL = {"ca": "can", "wo": "will", "can't": "can", "won't": "will", "cannot": "can"}


def _has_helper(tokens: list[Token], verb: VerbGroup, helper: Token) -> bool:
    """Whether a verb is said with this very helper, or needs one to be denied."""
    first = tokens[verb.start]
    if helper.tag != "d":
        return first.tag == helper.tag and (helper.tag != "M" or _FULL.get(helper.low, helper.low) == first.low)
    past = verb.tense is Tense.PAST
    return (first.tag in "Vd" or (first.tag == "h" and not verb.perfect)) and past == (helper.low == "did")


OWN_WORDS = {"you": "your", "i": "my", "we": "our", "they": "their", "he": "his", "she": "her", "it": "its"}


def own_by(owner: Phrase, thing: Phrase) -> Phrase:
    """ "Rosa, whose sister": Rosa's sister."""
    words = owner.words()
    at, own = words[-1].end, OWN_WORDS.get(words[0].low)
    clitic = Token(own or "'s", at, at)
    clitic.tag = "S" if own else "'"
    joined = [*([] if own else words), clitic, *thing.words()]
    return Phrase(joined, 0, len(joined))


def take_part_of(whole: Phrase, part: Phrase) -> Phrase:
    """ "two ferries, one of which": one of two ferries."""
    joined = [*part.words(), part.tokens[part.end], *whole.words()]
    return Phrase(joined, 0, len(joined))
