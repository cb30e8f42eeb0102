"""Whole sentences of one answer that the judge refutes by each other, whatever their words and their subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from groundwire.detect.dialogue.kindred import draw_circle
from groundwire.detect.logic.assertions import REPORTED, read_logic
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.logic.parts import part
from groundwire.detect.logic.rows import is_in_a_row
from groundwire.detect.logic.scopes import is_another_case, is_no_member, is_of_somebody_else
from groundwire.detect.sightings import Places, Sighting
from groundwire.detect.weighing.scale import Opinion, describe_pair, log_odds, weigh
from groundwire.detect.weighing.traits import compare_statements
from groundwire.judge.judge import Judge
from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.subjects import USER
from groundwire.text.thesaurus import are_opposites, is_kind_of, same_meaning
from groundwire.types import ContradictionType, Passage, Span, VerifierInput

MOST_PAIRS = 20
_REACH = 8
"""So many sentences back a sentence is compared; what stands farther apart shares its topic by chance."""
_MOST_SENTENCES = 240
"""No further into an answer: choosing pairs compares word with word."""
_NEAR = 2
_LONGEST = 220
_MOST_WORDS = 24
_ENOUGH, _ENOUGH_OF_ORDER, _LEANING = 0.65, 0.89, 0.6
"""How likely a clash must be by the scale, and how sure of it the judge must be in the stronger direction."""
_SURE = ((0.55, 0.85), (0.1, 0.93))
"""How sure in the weaker and in the stronger direction it must be to need no scale."""
_AT_MOST = 0.9
_SCALE = "sentences"
_FIRM = re.compile(
    r"\b(?:no|not|none|nobody|nothing|never|neither|without|only|all|every|everyone|everybody|everything|always|both|each"
    r"|single|sole|entirely|completely|unanimous(?:ly)?)\b|n't\b|\bno one\b|\bnon-|-(?:free|only|proof)\b"
    r"|\b(?!un|re|never|none|bless)[a-z]{3,}less\b"
)
_NO_FIGURES = frozenset({"one", "half", "zero", "first", "second", "third"})
_CHANGED = re.compile(r"\b(?:used to|no longer|any ?more|turned|has since)\b")
_OPENING = re.compile(r"(?:It|He|She|They)\b(?!')")
_TURNING = re.compile(r"(?:but|yet) |(?:he himself|she herself|they themselves|it itself)\b")
_WORDY = frozenset("NPJVBGER")
_STEM = 5
"""Letters that tell words of one stem."""


@dataclass(frozen=True, slots=True)
class Side:
    """What a sentence is about, as far as the choice of pairs needs it."""

    seen: Sighting
    lemmas: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]
    times: frozenset[str]
    subject: str
    is_firm: bool
    is_verbal: bool
    is_order: bool
    tells_change: bool
    takes_turn: bool
    """ "But …": what follows is meant to differ."""


def find_refuted_sentences(sightings: Sequence[Sighting], judge: Judge, told: Sequence[Span]) -> Iterator[Clash]:
    """One bounded batch, both directions of each pair, and once more with the noun where one begins with a pronoun."""
    for weighed in weigh_pairs(choose_pairs(part(sightings), told), judge):
        one, other = weighed.one, weighed.other
        if weighed.is_clash:
            evidence = f'the judge refutes "{other.seen.text}" by "{one.seen.text}" and the other way round'
            sure = round(min(_AT_MOST, max(_ENOUGH, weighed.stronger)), 4)
            kind = ContradictionType.DIRECT_NEGATION
            yield Clash(other.seen.segment.span, one.seen.segment.span, sure, kind, evidence)


_SCOPED = re.compile(
    r"\bon (?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays|weekends)\b|\bat (?:the )?weekends?\b|"
    r"\bin (?:the )?(?:winter|summer|spring|autumn|mornings?|evenings?|afternoons?)\b|\bduring the holidays\b"
)


@dataclass(frozen=True, slots=True)
class WeighedPair:
    """Two sentences, the likelihood of a clash by the scale, and how sure the judge is of it in both directions."""

    one: Side
    other: Side
    probability: float
    weaker: float
    stronger: float

    @property
    def is_clash(self) -> bool:
        if not self.one.is_firm and _SCOPED.search(self.other.seen.low) and not _SCOPED.search(self.one.seen.low):
            return False  # "It closes at six; on Saturdays it closes at one"
        if _are_apart(self.one, self.other) and not (self.one.is_firm or self.other.is_firm):
            return False
        if self.one.seen.segment.index != self.other.seen.segment.index and (
            is_another_case(self.one.seen, self.other.seen) or is_no_member(self.one.subject, self.other.subject)
        ):
            return False
        if is_of_somebody_else(self.one.seen, self.other.seen) or is_in_a_row(
            self.one.seen, self.one.subject, self.other.seen, self.other.subject
        ):
            return False
        if _ALMOST_ALL.search(self.one.seen.low) and not _FIRM.search(self.other.seen.low):
            return False  # "Almost everybody agreed. Two members voted against it"
        is_order = self.one.is_order or self.other.is_order  # what is to be done denies little of what is
        if self.probability >= (_ENOUGH_OF_ORDER if is_order else _ENOUGH) and self.stronger >= _LEANING:
            return True
        is_sure = any(self.weaker >= least and self.stronger >= most for least, most in _SURE)
        return is_sure and not (is_order or _are_apart(self.one, self.other))


def weigh_pairs(pairs: Sequence[tuple[Side, Side]], judge: Judge) -> list[WeighedPair]:
    texts = [(one.seen.text, other.seen.text) for one, other in pairs]
    resolved = [_resolve_pair(one, other) for one, other in pairs]
    ways = ((claim, known) for one, other in (*texts, *resolved) for claim, known in ((other, one), (one, other)))
    questions = [VerifierInput(claim, (Passage("earlier", known),)) for claim, known in dict.fromkeys(ways)]
    verdicts = judge.judge_all(questions) if questions else []
    said = {
        (question.evidence[0].text, question.claim): Opinion.of(verdict)
        for question, verdict in zip(questions, verdicts, strict=True)
    }
    found: list[WeighedPair] = []
    for pair, plain, whole in zip(pairs, texts, resolved, strict=True):
        there, back = said[plain], said[plain[1], plain[0]]
        better = said[whole], said[whole[1], whole[0]]
        probability = weigh(_SCALE, describe_sides(*pair, there, back, better))
        found.append(WeighedPair(*pair, probability, *sorted((there.refutation, back.refutation))))
    return found


def describe_sides(
    one: Side, other: Side, there: Opinion, back: Opinion, better: tuple[Opinion, Opinion]
) -> dict[str, float]:
    """The evidence of a pair; `better` are the opinions on it with the noun in place of a pronoun."""
    support = max(there.support, back.support)
    traits = compare_statements(other.seen.text, one.seen.text, None)
    weaker, stronger = sorted(opinion.refutation for opinion in better)
    marks = {
        "firm": float(one.is_firm or other.is_firm),
        "figures": float(bool(one.numbers and other.numbers) and not _nest(one.numbers, other.numbers)),
        "orders": float(one.is_order and other.is_order),
        "order": float(one.is_order or other.is_order),
        "exception": float("except" in one.seen.words | other.seen.words),
        "same_subject": float(bool(one.subject) and one.subject.lower() == other.subject.lower()),
        "apart": float(_are_apart(one, other)),
        "elliptic": float(_ELLIPTIC.search(other.seen.low) is not None),
        "within": float(one.seen.segment.index == other.seen.segment.index),
        "far": float(other.seen.segment.index - one.seen.segment.index > 1),
        "timed": float(bool(one.times or other.times)),
        "pronoun": float(_OPENING.match(other.seen.text) is not None),
        "resolved_low": log_odds(weaker),
        "resolved_high": log_odds(stronger),
        "firm_low": float(one.is_firm or other.is_firm) * log_odds(min(there.refutation, back.refutation)),
    }
    return describe_pair(traits, there, back, 0.0, support, marks)


def _resolve_pair(one: Side, other: Side) -> tuple[str, str]:
    if (one.numbers or one.times) and (other.numbers or other.times):  # "opens at eight", "closes at midnight"
        return one.seen.text, other.seen.text
    return _resolve(one), _resolve(other)


def _resolve(side: Side) -> str:
    """ "It is late" as "The train is late", where the subject was read so."""
    text = side.seen.text
    match = _OPENING.match(text)
    if match is None or not side.subject or side.subject.lower() in read_logic("pronouns") or side.subject == USER:
        return text
    if match.group() == "It" and side.subject.split()[0].lower() not in read_logic("marks"):
        return text  # a name may be a person's
    return f"{side.subject}{text[match.end() :]}"


def choose_pairs(sightings: Sequence[Sighting], told: Sequence[Span]) -> list[tuple[Side, Side]]:
    """Pairs with one topic, those first in which a clash lies nearest; at most so many."""
    places = Places()
    for span in told:
        places.take(span)
    sides: list[Side] = []
    found: list[tuple[bool, int, Side, Side]] = []
    for seen in sightings[:_MOST_SENTENCES]:
        side = _read_side(seen) if places.take(seen.segment.span) else None
        if side is None:
            continue
        for distance, earlier in enumerate(reversed(sides[-_REACH:]), 1):
            if _may_clash(earlier, side) and _share_topic(earlier, side, distance):
                found.append((not (earlier.is_firm or side.is_firm), distance, earlier, side))
        sides.append(side)
    found.sort(key=lambda entry: (entry[0], entry[1], entry[3].seen.start))
    return [(one, other) for _, _, one, other in found[:MOST_PAIRS]]


def _read_side(seen: Sighting) -> Side | None:
    """None for what asserts nothing: questions, conditions, quotations, tables and code."""
    if seen.is_question or len(seen.text) > _LONGEST or "|" in seen.text or "```" in seen.text or _RULE.match(seen.low):
        return None
    if (
        not (seen.words - {"except"}).isdisjoint(read_logic("unreal"))
        or re.search(r"[\"“”«`]", seen.text)
        or len(seen.words) < 2
    ):
        return None
    if any(claim.hedged or claim.quoted for claim in seen.segment.claims[:1]):
        return None
    tokens, letters = seen.tokens, seen.letters
    words = [t for t, letter in zip(tokens, letters, strict=True) if letter in _WORDY and t.low.isalpha()]
    lemmas = [_lemma(t.low, t.tag) for t in words[:_MOST_WORDS]]
    claims = seen.segment.claims
    subject = claims[0].subject if claims else ""
    return Side(
        seen,
        frozenset(lemmas) - read_logic("light"),
        frozenset(t.low for t, letter in zip(tokens, letters, strict=True) if letter == "P"),
        frozenset(t.low for t, letter in zip(tokens, letters, strict=True) if letter == "#") - _NO_FIGURES,
        frozenset(time.surface.lower() for time in seen.times),
        subject,
        _FIRM.search(seen.low) is not None,
        bool(seen.groups) or len(words) > 2,
        _is_order(seen),
        _CHANGED.search(seen.low) is not None,
        not read_logic("turns").isdisjoint(seen.words) or _TURNING.match(seen.low) is not None,
    )


_RULE = re.compile(rf"any(?:one|body) who\b|{REPORTED.pattern.removeprefix('(?i)')}")
_SUBORDINATING = frozenset("once when if after before until as in whenever while with".split())  # noqa: SIM905


def _is_order(seen: Sighting) -> bool:
    """ "Please call us", "Put it into water", "To get to the fifth floor, get off at the fourth"."""
    tokens, letters = seen.tokens, seen.letters
    at = len(letters) - len(letters.lstrip("R,-#.)"))
    if at < len(tokens) and (letters[at] == "t" or tokens[at].low in _SUBORDINATING):
        comma = letters.find(",", at)
        at = comma + 1 if comma > 0 else len(tokens)
    if at >= len(tokens):
        return False
    return letters[at] == "B" or (letters[at] == "V" and verb_lemma(tokens[at].low) == tokens[at].low)


def _lemma(low: str, letter: str) -> str:
    return (
        (verb_lemma(low) or low)
        if letter in "VBGE" or low.endswith("ed")
        else noun_lemma(low)
        if letter == "N"
        else low
    )


def _joins_only(one: Side, other: Side) -> bool:
    """ "Only Ana has a key. Ben also has one": "also" is what clashes here."""
    turns = other.seen.words & read_logic("turns")
    return "only" in one.seen.words and turns <= {"also", "too"} and not other.seen.low.startswith(("but ", "yet "))


def _may_clash(one: Side, other: Side) -> bool:
    """Neither of two times, nor two figures, nor two orders, nor two members of a list."""
    if not all(side.is_verbal or ":" in side.seen.text for side in (one, other)):
        return False
    if not (one.is_verbal or other.is_verbal) or one.seen.text == other.seen.text:
        return False
    if one.is_order and other.is_order and len(one.lemmas & other.lemmas) < 2:
        return False
    if one.times and other.times and not _nest(one.times, other.times):
        return False
    if one.numbers and other.numbers and not _nest(one.numbers, other.numbers) and not _measure_one(one, other):
        return False
    if one.seen.segment.index == other.seen.segment.index and not _speaks_on(one, other):
        return False
    if any(_LOOSE.search(a.seen.low) and not b.is_firm for a, b in ((one, other), (other, one))):
        return False
    if one.tells_change or other.tells_change or (other.takes_turn and not _joins_only(one, other)):
        return False
    return not _are_two_things(one, other)


_LOOSE = re.compile(
    r"\b(?:rarely|seldom|usually|often|normally|generally|sometimes|occasionally|typically|hardly ever)\b"
)
""" "I rarely drive": what is so as a rule is not denied by one day."""
_ALMOST_ALL = re.compile(r"\b(?:almost|nearly|virtually|practically)\s+(?:all|every|no|none|any)")
_NEARLY = re.compile(r"\b(?:almost|nearly|most|mostly|largely|mainly)\b")


def _speaks_on(one: Side, other: Side) -> bool:
    """Two parts of one sentence about one thing: "the kitchen is small; the bedroom is large" are about two."""
    if _NEARLY.search(one.seen.low) or _NEARLY.search(other.seen.low):
        return False
    return bool(one.lemmas & other.lemmas) or not _POINTING.isdisjoint(other.seen.low.split()[:1])


_ELLIPTIC = re.compile(r"\b(?:do|does|did|is|are|was|were|has|have|can|will|would)(?:n't)?\W*$")


def _are_apart(one: Side, other: Side) -> bool:
    """Each has a subject of its own, and neither speaks of the other's: the soup is cold, the main course is hot."""
    mine, yours = (_split(side.subject) for side in (one, other))
    if not mine or not yours or set(mine) & set(yours) or USER in (one.subject, other.subject):
        return False
    if any(side.subject.lower() in read_logic("pronouns") for side in (one, other)):
        return False
    if verb_lemma(mine[-1]) in other.lemmas or verb_lemma(yours[-1]) in one.lemmas:  # "swimming", "safe to swim in"
        return False
    return mine[-1] not in other.lemmas and yours[-1] not in one.lemmas and not are_akin(mine[-1], yours[-1])


_POINTING = frozenset("it they he she this that these those his her its their anyone everyone everybody nobody".split())  # noqa: SIM905


def _nest(mine: frozenset[str], yours: frozenset[str]) -> bool:
    return mine <= yours or yours <= mine


def _measure_one(one: Side, other: Side) -> bool:
    """One figure each, of what may be one thing: neither dates nor rates, and more than the unit in common."""
    if one.times or other.times or not len(one.numbers) == len(other.numbers) == 1:
        return False
    if not (one.is_verbal and other.is_verbal) or _RATE.search(one.seen.low) or _RATE.search(other.seen.low):
        return False
    return len(one.lemmas & other.lemmas) > 1 and one.names == other.names


_RATE = re.compile(r"\b(?:per|each|every|for|together|total|altogether|all|one|another|between|from|to)\b")


def _are_two_things(one: Side, other: Side) -> bool:
    """Subjects with one noun and different marks: the front door and the back door, two persons by name."""
    if {one.subject, other.subject} > {USER} and any(_is_owned(side.subject) for side in (one, other)):
        return True  # "Your mother lives in Tulsa and you live in Wichita"
    mine, yours = (_split(side.subject) for side in (one, other))
    if not mine or not yours:
        return False
    if _have_marks(mine, yours):
        return True
    if mine[-1] == yours[-1]:
        return set(mine) != set(yours) and bool(set(mine) - set(yours)) and bool(set(yours) - set(mine))
    named = [side.subject[:1].isupper() and bool(set(_split(side.subject)) & side.names) for side in (one, other)]
    return all(named) and not set(mine) & set(yours)


def _have_marks(mine: Sequence[str], yours: Sequence[str]) -> bool:
    """ "basic membership" and "the premium membership fee": one noun, and another word in front of it in each."""
    before = [{noun: words[k - 1] for k, noun in enumerate(words) if k} for words in (mine, yours)]
    return any(noun in before[1] and before[1][noun] != mark for noun, mark in before[0].items())


def _is_owned(subject: str) -> bool:
    return subject.lower().startswith(("your ", f"{USER}'s "))


@lru_cache(maxsize=4096)
def _split(subject: str) -> list[str]:
    words = re.findall(
        r"[a-z0-9]+", re.split(r"\s(?:of|in|at|for|with|on|from|to|by)\s", subject.lower(), maxsplit=1)[0]
    )
    return [noun_lemma(word) for word in words if word not in read_logic("marks") and not word.isdigit()]


def _share_topic(one: Side, other: Side, distance: int) -> bool:
    if one.lemmas & other.lemmas or one.numbers & other.numbers or have_kin(one.lemmas, other.lemmas):
        return True
    if one.is_firm and one.subject and one.subject.lower() == other.subject.lower():
        return True
    if distance == 1 and (one.is_firm or other.is_firm):
        return True
    return distance <= _NEAR and not read_logic("pronouns").isdisjoint(other.seen.words)


def have_kin(mine: frozenset[str], yours: frozenset[str]) -> bool:
    """Whether a word of one is akin to a word of the other; only those that may be are compared."""
    circle, beginnings = draw_circle(yours), _begin(yours)
    near = [word for word in mine if word[:_STEM] in beginnings or circle.has_kin(word)]
    return any(are_akin(a, b) for a in near for b in yours)


@lru_cache(maxsize=2048)
def _begin(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in words)


@lru_cache(maxsize=65536)
def are_akin(one: str, other: str) -> bool:
    """One topic in two words: synonyms, kinds, opposites, and words of one stem."""
    if len(one) >= _STEM and len(other) >= _STEM and one[:_STEM] == other[:_STEM]:
        return True
    return same_meaning(one, other) or is_kind_of(one, other) or is_kind_of(other, one) or are_opposites(one, other)
