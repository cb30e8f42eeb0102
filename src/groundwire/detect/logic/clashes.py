"""P and not P: two statements of which one denies what the other says, in the same words or in opposite ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from groundwire.detect.logic.assertions import Assertion, read_logic
from groundwire.text.lexicon import verb_lemma
from groundwire.text.propositions import Argument
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites, is_kind_of, same_meaning
from groundwire.types import ContradictionType, Span, Tense

NEGATION = 0.95
_MOST = 24
"""So many earlier statements about one thing are compared with a new one: time stays linear."""
_REPEATED = frozenset({"always", "never"})
_STANDS_FOR = frozenset({"it", "them", "one", "that"})
_PLACES = frozenset({"in", "at", "on", "inside", "within", "during", "for", "with", "to", "from"})


@dataclass(frozen=True, slots=True)
class Clash:
    """Two statements that cannot both be true, or one that cannot be true by itself."""

    later: Span
    earlier: Span | None
    confidence: float
    kind: ContradictionType
    evidence: str
    numbers: tuple[int, ...] = ()
    """Which statements it is about, so that a pair is told once."""


def make_clash(one: Assertion, other: Assertion, confidence: float, kind: ContradictionType, evidence: str) -> Clash:
    earlier, later = sorted((one, other), key=lambda a: a.number)
    return Clash(later.span, earlier.span, confidence, kind, evidence, (earlier.number, later.number))


def find_negations(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """Direct negation and antonyms of one particular subject."""
    about: dict[str, list[Assertion]] = defaultdict(list)
    for assertion in assertions:
        if not assertion.head or assertion.quantifier in ("some", "number"):
            continue
        known = about[_thing(assertion)]
        for earlier in known[-_MOST:]:
            if not are_same_subject(earlier, assertion) or _goes_on_with_another(earlier, assertion):
                continue
            if not are_same_scope(earlier, assertion) and not _is_absolute(earlier, assertion):
                continue
            if (reason := oppose(earlier, assertion)) is not None:
                yield make_clash(earlier, assertion, NEGATION, ContradictionType.DIRECT_NEGATION, reason)
        known.append(assertion)


_GAPPED = re.compile(
    r",?\s(?:but|and|while|though)\s+(?!(?:it|he|she|they|you|we|i)\b)(?:[a-z'’]+\s+){0,3}[a-z'’]+(?:,[^,.;]+,)?\s+"
    r"(?:do(?:es)?|did|can|could|is|are|was|were|will|would|has|have|had|must|should|may)(?:n['’]t|\s+not)?(?:\s+(?:too|so))?\W*$"
)


def _goes_on_with_another(earlier: Assertion, later: Assertion) -> bool:
    """ "You don't qualify yet, but your husband, who is 71, does": the rest is said of somebody else."""
    return earlier.sentence == later.sentence and _GAPPED.search(later.said.lower()) is not None


def _is_absolute(one: Assertion, other: Assertion) -> bool:
    """ "always" and "never" speak of every time, so the time of the other statement does not matter."""
    if one.scope != other.scope or one.sentence == other.sentence:
        return False
    if not _REPEATED & (one.adverbs | other.adverbs):
        return False
    return not (one.words | other.words) & {
        "until",
        "longer",
        "anymore",
        "used",
        "before",
        "formerly",
        "previously",
        "if",
        "unless",
        "except",
        "now",
        "then",
    }


def _thing(assertion: Assertion) -> str:
    """What a statement is about: the meeting, where it speaks of attendance at the meeting."""
    if assertion.head in read_logic("aspects") and len(assertion.details) == 1:
        return next(iter(assertion.details))
    return assertion.head


def are_same_subject(one: Assertion, other: Assertion) -> bool:
    if one.head != other.head and _thing(one) == _thing(other):
        return one.is_particular and other.is_particular and min(len(one.details), len(other.details)) == 0
    if one.head != other.head or {one.quantifier, other.quantifier} == {"all", "none"}:
        return False
    return one.details == other.details and (
        one.quantifier == other.quantifier or "none" in (one.quantifier, other.quantifier)
    )


def are_same_scope(one: Assertion, other: Assertion) -> bool:
    """Neither in different sections, nor at different times, nor as alternatives of one sentence."""
    if one.scope != other.scope or (one.modal != other.modal and not _is_unable(one, other)):
        return False
    if one.sentence == other.sentence and ", not " in one.said:
        return False  # "our carrier's fault, not ours"
    if one.sentence == other.sentence:
        return not one.words & {
            "or",
            "either",
            "whether",
            "if",
            "unless",
            "rather",
            "instead",
            "when",
            "while",
            "until",
            "then",
        }
    return one.shifts - {"new", "old", "used", "first", "or", "some"} == other.shifts - {
        "new",
        "old",
        "used",
        "first",
        "or",
        "some",
    }


def _is_unable(one: Assertion, other: Assertion) -> bool:
    """ "She speaks Danish", "she can't speak Danish": who cannot does not."""
    able, unable = (one, other) if other.modal else (other, one)
    return (
        unable.modal in ("can", "could")
        and unable.negated
        and not able.modal
        and not able.negated
        and able.tense is Tense.PRESENT
        and one.sentence != other.sentence
        and "if" not in unable.words
    )


def are_same_time(one: Assertion, other: Assertion) -> bool:
    if one.tense is not other.tense and _is_absolute(one, other):
        return Tense.FUTURE not in (one.tense, other.tense)
    if one.tense is not other.tense:
        return {one.tense, other.tense} == {Tense.PRESENT, Tense.PAST} and any(
            re.search(r"\b(?:has|have|'ve)\s+(?:\w+\s+)?been\b", a.text.lower()) for a in (one, other)
        )
    return True


def oppose(one: Assertion, other: Assertion) -> str | None:
    """Why two statements about one subject exclude each other; None where they do not."""
    if not are_same_time(one, other):
        return None
    positive, negative = (other, one) if one.negated else (one, other)
    if one.negated is not other.negated:
        if not denies(negative, positive):
            return None
        return f'"{negative.text}" denies "{positive.text}"'
    absolute = "always" in one.adverbs | other.adverbs and _is_absolute(one, other)
    nested = (
        one.times == other.times
        or _same_rhythm(one, other)
        or (one.times and other.times and (one.times <= other.times or other.times <= one.times))
    )
    if (nested or absolute) and (words := find_antonyms(one, other)) and (absolute or _same_rest(one, other)):
        return f"{words[0]} and {words[1]} exclude each other"
    return None


def _same_rhythm(one: Assertion, other: Assertion) -> bool:
    """ "weekly" and "monthly" are no two times at which something is so, but two answers to how often."""
    return all(len(t) == 1 and t[0] in _sets() and t[0].endswith("ly") for side in (one, other) for t in side.times)


def denies(negative: Assertion, positive: Assertion) -> bool:
    """Whether the denial covers the statement: nothing in it that the statement lacks."""
    softened = negative.adverbs & read_logic("softeners")
    if softened - {"ever", "all"} or ("all" in softened and negative.quantifier != "none"):
        return False
    if not _same_predicate(negative, positive) or positive.read.proposition.aspect != negative.read.proposition.aspect:
        return False
    if {"here", "locally"} & negative.adverbs and any(a.role in _PLACES and not a.is_time for a in positive.arguments):
        return False  # "It isn't raining here. It's raining in Bergen"
    always = "always" in positive.adverbs
    for argument in negative.arguments:
        if always and argument.is_time:
            continue
        if not _is_met(argument, positive.arguments, negative):
            return False
    return not (negative.times and positive.times and negative.times != positive.times and not always)


def _same_predicate(one: Assertion, other: Assertion) -> bool:
    if one.predicate == other.predicate or same_meaning(one.predicate, other.predicate):
        if one.predicate == "be" == other.predicate:
            mine, yours = ([a for a in side.arguments if a.role == "object"] for side in (one, other))
            return bool(mine) == bool(yours) and (
                bool(mine) or bool(one.states & other.states) or _same_place(one, other)
            )
        return True
    shared = one.states & other.states
    if one.is_state and other.is_state and shared:
        return True
    having = read_logic("having") - {"be", "use"}
    return one.predicate in having and other.predicate in having


def _same_place(one: Assertion, other: Assertion) -> bool:
    mine, yours = ({a.role for a in side.arguments if not a.is_time} for side in (one, other))
    return bool(mine & yours)


def _is_met(wanted: Argument, known: Sequence[Argument], negative: Assertion) -> bool:
    if not wanted.lemmas or wanted.role == "second":
        return True
    for argument in known:
        if argument.is_time is not wanted.is_time:
            continue
        if argument.role != wanted.role and not {argument.role, wanted.role} <= _PLACES:
            continue
        mine, theirs = _plain(wanted.lemmas), _plain(argument.lemmas)
        if wanted.role == argument.role == "object" and argument.text.lower() in _STANDS_FOR:
            return True
        if mine == theirs or (set(mine) <= set(theirs) and theirs[-1:] == mine[-1:]):
            return True
        if len(mine) == 1 and theirs and (is_kind_of(theirs[-1], mine[0]) or same_meaning(theirs[-1], mine[0])):
            return True
    return bool(
        wanted.role == "object" and set(wanted.lemmas) & negative.states and negative.predicate == "be" and not known
    )


def _plain(lemmas: tuple[str, ...]) -> tuple[str, ...]:
    """The words that count, an -ing form as its verb."""
    kept = [lemma for lemma in lemmas if lemma not in ("any", "single", "both")]
    return tuple((verb_lemma(lemma) or lemma) if lemma.endswith("ing") else lemma for lemma in kept)


def find_antonyms(one: Assertion, other: Assertion) -> tuple[str, str] | None:
    """Two words that exclude each other, as states of one thing or as results of one event."""
    if one.sentence != other.sentence and (found := _find_in_sets(one, other)):
        return found
    for mine in sorted(one.states, key=_tell_form):
        for theirs in sorted(other.states, key=_tell_form):
            if mine == theirs:
                continue
            if one.is_state and other.is_state and exclude(mine, theirs):
                return mine, theirs
            if not one.is_state and not other.is_state and _are_results(mine, theirs):
                return mine, theirs
    return None


def _tell_form(word: str) -> tuple[int, str]:
    """The longer form first, and one order in every process: "closed", then "close"."""
    return -len(word), word


def _find_in_sets(one: Assertion, other: Assertion) -> tuple[str, str] | None:
    """ "is white", "is green"; "flows north", "flows south": one of a set at a time."""
    if one.predicate == other.predicate and one.predicate != "be":
        mine, theirs = _single_words(one), _single_words(other)
    elif one.is_state and other.is_state:
        mine, theirs = set(one.states), set(other.states)
    else:
        return None
    sets = _sets()
    if len(mine) > 2 or len(theirs) > 2:
        return None
    return next(((m, t) for m in sorted(mine) for t in sorted(theirs) if t in sets.get(m, ())), None)


def _single_words(assertion: Assertion) -> set[str]:
    return {*assertion.adverbs, *(a.lemmas[0] for a in assertion.arguments if len(a.lemmas) == 1)}


@cache
def _sets() -> dict[str, set[str]]:
    return _read_lines("sets")


@lru_cache(maxsize=16384)
def exclude(one: str, other: str) -> bool:
    return other in _own_opposites().get(one, ()) or are_opposites(one, other)


def find_rival_results(verb: str) -> list[str]:
    """ "fail" for "pass"."""
    return sorted(_results().get(verb, ()))


def _are_results(one: str, other: str) -> bool:
    return other in _results().get(one, ())


@cache
def _own_opposites() -> dict[str, set[str]]:
    return _read_lines("opposites")


@cache
def _results() -> dict[str, set[str]]:
    return _read_lines("results")


def _read_lines(name: str) -> dict[str, set[str]]:
    links: dict[str, set[str]] = defaultdict(set)
    for line in str(read_table("logic", "detect")[name]).strip().split("\n"):
        words = line.split(" | ")
        for word in words:
            links[word].update(other for other in words if other != word)
    return dict(links)


def _same_rest(one: Assertion, other: Assertion) -> bool:
    """The same places and companions on both sides, states and times aside."""

    def rest(side: Assertion) -> frozenset[tuple[str, ...]]:
        return frozenset(
            a.lemmas
            for a in side.arguments
            if not a.is_time
            and not (len(a.lemmas) == 1 and a.lemmas[0] in _sets())
            and a.lemmas
            and not (set(a.lemmas) & side.states)
            and f"{a.role} {a.text.lower()}" not in side.states and a.role not in ("second", "as", "for")
            and not (a.role == "object" and (side.predicate == "be" or side.is_state))
        )  # fmt: skip

    return rest(one) == rest(other)


_BOTH = re.compile(
    r"(?P<front>\b\w+\s+)?\b(?:is|are|was|were|remains?|stays?)\s+(?:both\s+|simultaneously\s+|at\s+once\s+)?"
    r"(?P<one>[a-z-]+(?:\s[a-z-]+){0,2}?)\s*,?\s+and\s*,?\s+(?:(?:at\s+the\s+same\s+time|simultaneously|also|yet|still)\s*,?\s+)?"
    r"(?P<two>[a-z-]+(?:\s[a-z-]+){0,2}?)(?=[.,;!]|\s+at\b|\s+simultaneously|$)"
)
_OF_EACH = re.compile(r"\band [^,;]{1,40}\b(?:are|were) $")
_AT_ONCE = re.compile(r"\b(?:both|simultaneously|at\s+once|at\s+the\s+same\s+time)\b")
_UNSURE = re.compile(r"\b(?:not|n't|never|either|or|whether|if)\b")


def find_inner_clashes(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "is both on and off", "is full and at the same time empty": one sentence that excludes itself."""
    seen: set[Span] = set()
    for assertion in assertions:
        if assertion.sentence in seen or not assertion.is_state:
            continue
        seen.add(assertion.sentence)
        match = _BOTH.search(assertion.said)
        if match is None or _UNSURE.search(match["front"] or "") or "not" in match["one"].split():
            continue
        if _OF_EACH.search(assertion.said[: match.start("one")]) and _AT_ONCE.search(match.group()) is None:
            continue  # "Ann and Ben are wife and husband": the one of them this, the other that
        one, two = _last_words(match["one"]), _last_words(match["two"])
        denied = match["two"].startswith("not ") and match["two"].removeprefix("not ") == match["one"].strip()
        if denied or ("not" not in match["two"].split() and any(exclude(m, t) for m in one for t in two)):
            evidence = f"{match['one'].strip()} and {match['two'].strip()} exclude each other"
            start = assertion.sentence.start
            span = Span(start, start + len(assertion.said.rstrip(" .!")))
            yield Clash(span, None, NEGATION, ContradictionType.DIRECT_NEGATION, evidence, (assertion.number,))


def _last_words(words: str) -> set[str]:
    parts = words.split()
    return {parts[-1], " ".join(parts[-2:])} if parts else set()
