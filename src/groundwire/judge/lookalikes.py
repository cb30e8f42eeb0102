"""Near misses: what has the words of the evidence and says something else by a small one.

"Still", "already", "again", "yourself", "all", "before" and "than" are no nouns and no verbs, so that neither slots nor
structures compare them, and each of them turns what is told. Nothing here refutes or supports: a claim that has such a
word without a counterpart in the evidence is left to whoever reads both whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from groundwire.judge.carrying import LONGEST, WORD, content_of, find_carrying
from groundwire.judge.coverage import LIGHT, is_told
from groundwire.judge.findings import Finding
from groundwire.judge.predicates import means_same, verbs
from groundwire.judge.universals import Difference
from groundwire.text import lexicon
from groundwire.text.cues import Cued, cues, words_in
from groundwire.text.derivation import is_derived
from groundwire.text.function_words import embedding_verbs
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import same_meaning
from groundwire.types import Passage, Tense, Verdict

_WITHHELD = 0.8


def find_lookalike(claim: ReadClaim, passage: Passage, *, alone: bool = True) -> Finding | None:
    """The first small word of the claim that the evidence has no counterpart for; `alone`, where no other speaks."""
    if (found := _find_difference(claim, passage.text, alone=alone)) is None:
        return None
    reason, mine, theirs = found
    return Finding(Verdict.INSUFFICIENT, _WITHHELD, reason, passage.id, claim_value=mine, evidence_value=theirs)


def _find_difference(claim: ReadClaim, text: str, *, alone: bool) -> Difference | None:
    said = claim.claim.text
    if len(said) > LONGEST:
        return None
    if (found := _find_unmatched(said, text, alone=alone)) is not None:
        return found
    for find in _BY_WORDS:
        if (found := find(said, text)) is not None:
            return found
    for look in (_find_early, _find_other_manner, _find_untold_adverb, _find_request):
        if (found := look(claim.proposition, said, text)) is not None:
            return found
    return None


# ── a word and its counterparts ─────────────────────────────────────────────────────────────────


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_OWN = Cued(
    _compile(r"\b(?:by |all )?(?:my|your|him|her|it|our|them)sel(?:f|ves)\b|\bon (?:your|his|her|their|its) own\b"),
    ("own", *(f"{who}sel{end}" for who in "my your him her it our them".split() for end in ("f", "ves"))),  # noqa: SIM905
)
_OWNED = _compile(r"sel(?:f|ves)\b|\b(?:own|alone|solo|single|diy)\b|\bself-|\bhome-?\w")
_AGAIN = Cued(_compile(r"\b(?:again|once more|a second time)\b"), "again once second")
_REPEATED = _compile(
    r"\b(?:again|once more|another|second|twice|both times|back (?:in|to|on|at)|re-\w+|return\w*|resum\w*|restart\w*"
    r"|reopen\w*|rejoin\w*|repeat\w*|replace\w*)\b",
)
_ALL = Cued(
    _compile(
        r"(?<!\bnot )(?<!\bat )(?<!\bafter )(?<!\bof )(?<!\bfor )"
        r"\b(?:all(?! (?:right|day|night|year|week|over|the time|the way|about|in all|set|told|along)\b)"
        r"(?! (?:\d|two\b|three\b|four\b|five\b))"
        r"|every(?:one|body|thing)|(?:every|each)(?! (?:other |single |second |third |few |two |three |four |\d+ )?"
        r"(?:\w+day|day|night|week|weekend|month|year|hour|minute|morning|afternoon|evening|time|summer|winter|spring"
        r"|autumn|fall|season|quarter|term|christmas|easter)s?\b)"
        r"|(?:the|your|his|her|their|its) (?:whole|entire)|entirely|throughout)\b",
    ),
    "all everyone everybody everything every each whole entire entirely throughout",
)
_ALL_TOLD = _compile(
    r"\b(?:all|every\w*|each|whole|entire\w*|full\w*|complete\w*|throughout|always|both|any\w*|no|none|nobody|nothing"
    r"|never|only|total\w*|wherever|whatever|whoever|whenever|across|without exception|100 ?%|the lot)\b|n['’]t\b",
)
_BEFORE = Cued(_compile(r"\b(?:before|prior to)\b"), "before prior")
_AFTER = Cued(_compile(r"\b(?:after|following)\b(?! all\b)"), "after following")
_EARLIER = _compile(r"\b(?:before\w*|until|till|prior|earlier|previous\w*|by|used to|former\w*)\b")
_LATER = _compile(
    r"\b(?:after\w*|since|then|later|following|once|when|next|from|now|subsequent\w*|before\w*|until|till|followed"
    r"|finally|eventually|upon|because|due|post)\b|\bpost-",
)
_THAN = Cued(_compile(r"\bthan\b(?<!rather than)(?<!other than)"), "than")
_EQUAL = Cued(
    _compile(r"\bas (?:many|much|\w+ly|old|tall|big|long|large|high|fast|often|good|bad|far|well)\b.*?\bas\b"), "as"
)
_EQUALLED = _compile(r"\b(?:as|same|equal\w*|both|each|identical|twins?|half|alike)\b")
_ALWAYS = Cued(_compile(r"(?<!\bnot )\b(?:always|all along|all (?:my|your|his|her|their) life)\b"), "always all")
_HABITUAL = _compile(
    r"\b(?:always|all|every\w*|never|ever|since|life|lifelong|daily|weekly|usual\w*|regular\w*|each)\b"
)
_COUNTERPARTS = ((_OWN, _OWNED), (_ALL, _ALL_TOLD), (_EQUAL, _EQUALLED), (_ALWAYS, _HABITUAL))
_IN_ORDER = ((_AGAIN, _REPEATED), (_BEFORE, _EARLIER), (_AFTER, _LATER))
"""What one memory alone has to tell: two that follow each other are an order themselves."""


def tells_place_in_order(claim: str) -> bool:
    """ "Before", "after", "again": what two memories may tell together."""
    return any(word.search(claim) is not None for word, _ in _IN_ORDER)


def _find_unmatched(claim: str, text: str, *, alone: bool) -> Difference | None:
    """ "All wines are organic" where the evidence has no word for all, "did it yourself" where it names no self."""
    for word, counterparts in (*_COUNTERPARTS, *(_IN_ORDER if alone else ())):
        found = word.search(claim)
        if found is not None and counterparts.search(text) is None:
            return "detail_missing", found.group(), ""
    return None


def _find_uncompared(claim: str, text: str) -> Difference | None:
    """ "Longer than yours" where the evidence compares nothing; figures that can be compared were reckoned before."""
    if _THAN.search(claim) is None or _THAN.search(text) is not None:
        return None
    for word in WORD.findall(text):
        if word.lower() not in ("later", "earlier", "better") and lexicon.readings(word.lower())[0][0] in _COMPARATIVE:
            return None
    return "detail_missing", "than", ""


_COMPARATIVE = ("JJR", "RBR", "JJS", "RBS")


# ── still, and not any more ─────────────────────────────────────────────────────────────────────

_STILL = Cued(_compile(r"\b(?:still|to this day)\b"), "still day")
_LASTING = _compile(r"\b(?:still|remain\w*|stay\w*|keep\w*|kept|continu\w*|carr(?:y|ies) on|to this day)\b")


def _find_still(claim: str, text: str) -> Difference | None:
    """What is "still" so was so before; where anything past is told beside it, it may be over."""
    if _STILL.search(claim) is None or any(map(_LASTING.search, find_carrying(claim, text))):
        return None
    past = any(read.proposition.tense is Tense.PAST for read in read_text(text).statements)
    return ("other_time", "still", "") if past else None


# ── not this, but that ──────────────────────────────────────────────────────────────────────────

_LEFT_OUT = Cued(
    _compile(
        r"(?:(?:[,(–-]|\bbut|\band) not(?! only\b| just\b)|\brather than|\binstead of|\bexcept(?: for)?"
        r"|\bavoid(?:s|ed|ing)?|\bunlike|\bas opposed to) (?P<out>[^,.;:!?()]{2,60})",
    ),
    "not rather instead except avoid avoids avoided avoiding unlike opposed",
)
_DENYING = _compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|except|instead|rather|avoid\w*|only|but|unlike|other|neither|nor"
    r"|skip\w*|stop\w*|quit|lack\w*|refus\w*|exclud\w*|against|isn|free)\b|n['’]t\b|\bnon-?|\bun\w",
)


def _find_left_out(claim: str, text: str) -> Difference | None:
    """A word of the claim that the evidence has for what is not meant: "not at sign-up", "instead of flying"."""
    denied = [match["out"] for match in _LEFT_OUT.finditer(text)]
    if not denied or _DENYING.search(claim) is not None:
        return None
    rest = content_of(_LEFT_OUT.pattern.sub(" ", text))
    mine = content_of(claim)
    for out in denied:  # what follows its first word may belong to both: "instead of driving to work"
        first = next((word for word in WORD.findall(out) if content_of(word)), "")
        if (content_of(first) & mine) - rest:
            return "other_value", first, out
    return None


_BY_WORDS = (_find_uncompared, _find_still, _find_left_out)


# ── to come, asked for, done otherwise ──────────────────────────────────────────────────────────

_ALREADY = Cued(_compile(r"\b(?:already|by now)\b"), "already now")
_PERFECT = Cued(_compile(r"\b(?:has|have|had|having|been)\b|['’](?:ve|d)\b"), "has have had having been ve d")
_AS_DONE = _compile(
    r"\b(?:has|have|had|having|been|done)\b|['’](?:ve|d)\b|['’]s (?:\w+ly |just |now |already )?\w+(?:ed|en|t)\b"
)


def _find_early(mine: Proposition, claim: str, text: str) -> Difference | None:
    """ "Has already retired" where the evidence has her retire on Friday; "was ordered" where it says to order."""
    already = _ALREADY.search(claim)
    done = already is not None or mine.tense is Tense.PAST or _PERFECT.search(claim) is not None
    if not done or mine.negated or mine.modal or (already is not None and _ALREADY.search(text) is not None):
        return None
    things = {lemma for a in mine.arguments if not a.is_time for lemma in a.lemmas}
    told = [
        read for read in read_text(text).statements
        if means_same(mine.predicate, read.proposition.predicate) and (not things or things & read.proposition.lemmas)
    ]  # fmt: skip
    if mine.predicate in verbs("stative"):
        return None if told or already is None else ("other_time", "already", "")
    open_yet = [read for read in told if not read.proposition.is_fragment and _is_open(read)]
    if told and len(open_yet) == len(told):
        return "other_time", mine.predicate, open_yet[0].proposition.predicate
    return ("other_time", "already", "") if already is not None and not told else None


def _is_open(read: ReadClaim) -> bool:
    """Told in the present, and not as done."""
    said = read.proposition
    return said.tense is not Tense.PAST and not said.passive and _AS_DONE.search(read.claim.text) is None


_ASKING = (
    r"(?:please|pls|kindly|(?:can|could|would|will) (?:you|we|someone|somebody)(?: please)?|let['’]?s|remember to"
    r"|don['’]t forget to|make sure (?:to|you)|remind me to|need(?:s)? to|asked? (?:me|you|us|him|her|them|for)(?: to)?"
    r"|wants? to|want(?:s|ed)? (?:me|you|us|him|her|them) to)"
)
_ASKED = cues(
    "please pls kindly can could would will let lets remember don forget sure remind need needs aske asked want wants"
    " wanted"
)


@lru_cache(maxsize=256)
def _asking() -> re.Pattern[str]:
    return _compile(rf"\b{_ASKING} (?P<verb>[a-z]+)")


def _find_request(mine: Proposition, claim: str, text: str) -> Difference | None:
    """ "Please order the valves" does not say that they were ordered."""
    if mine.modal or mine.negated or mine.tense is Tense.FUTURE or not mine.predicate:
        return None
    if _ASKED.isdisjoint(words_in(text)):
        return None
    asked = [m["verb"].lower() for sentence in find_carrying(claim, text) for m in _asking().finditer(sentence)]
    asked = [verb for verb in asked if means_same(mine.predicate, lexicon.verb_lemma(verb) or verb)]
    if not asked:
        return None
    told = [lexicon.verb_lemma(word.lower()) or "" for word in WORD.findall(text)]
    times = sum(bool(verb) and means_same(mine.predicate, verb) for verb in told)
    return ("not_done", "", "") if times <= len(asked) else None


def _find_other_manner(mine: Proposition, claim: str, text: str) -> Difference | None:
    """ "Dynamically typed" where the evidence has "statically"."""
    if not mine.adverbs:
        return None
    words = frozenset(word.lower() for word in WORD.findall(text))
    others = [word for word in words if word.endswith("ly")]
    for adverb in mine.adverbs:
        if not adverb.endswith("ly") or adverb in words or not others:
            continue
        base = adverb.removesuffix("ly")
        same = base in words or any(same_meaning(base, other.removesuffix("ly")) for other in others)
        told = [read.proposition for read in read_text(text).statements]
        apart = [
            other for other in told
            if means_same(mine.predicate, other.predicate) and any(word.endswith("ly") for word in other.adverbs)
        ]  # fmt: skip
        if apart and not same:
            return "detail_missing", adverb, ""
    return None


@cache
def _passing() -> frozenset[str]:
    """Adverbs that say no more than the sentence does, or that other rules see to."""
    table = read_table("grammar")["adverbs"]
    return frozenset((*table["loose"], *table["passing"]))


def _find_untold_adverb(mine: Proposition, claim: str, text: str) -> Difference | None:
    """ "Lies inland", "ends later": where or when, in a word that the evidence does not have."""
    if not mine.adverbs:
        return None
    words = frozenset(word.lower() for word in WORD.findall(text))
    for adverb in mine.adverbs:
        known = adverb in _passing() or adverb.endswith("ly") or adverb in words or _THAN.search(claim) is not None
        if not known and not any(same_meaning(adverb, word) or is_derived(adverb, word) for word in words):
            return "detail_missing", adverb, ""
    return None


# ── what was not read ───────────────────────────────────────────────────────────────────────────

_THINGS = ("NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "JJ", "JJR", "JJS")


def find_unread(claim: str, read: Sequence[ReadClaim], texts: Sequence[str]) -> str | None:
    """A word that stands in no clause that was read, and in no evidence: "angrier than you had feared"."""
    rest = claim
    for one in sorted(read, key=lambda one: one.claim.span.start, reverse=True):
        rest = f"{rest[: one.claim.span.start]} {rest[one.claim.span.end :]}"
    told = " ".join(texts)
    if (whole := _ALL.search(rest)) is not None and _ALL_TOLD.search(told) is None:
        return whole.group()
    held = content_of(" ".join((told, *(one.claim.text for one in read))))
    for word in WORD.findall(rest):
        first, lemma = lexicon.readings(word.lower())[0]
        told_of = word[:1].islower() and content_of(word) and first in _THINGS and not _is_framing(lemma)
        if told_of and not is_told(lemma, held):
            return word
    return None


def _is_framing(lemma: str) -> bool:
    """ "It is said that", "what people call": words around a clause that say nothing of its matter."""
    return lemma in embedding_verbs() or lemma in _passing() or lemma in LIGHT
