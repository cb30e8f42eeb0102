"""Small words that change what is said: how often, of how many, done or only begun, and who stands on which side.

"Twice a day" is not "once a day", "most" are not "all", what was almost done was not, and "Ana is taller than Ben" has
every word of its contrary. Like every objection, these support nothing; they keep look-alikes from supporting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from groundwire.judge.affixes import find_other_affix
from groundwire.judge.carrying import LONGEST, WORD, content_of, find_carrying, list_sentences
from groundwire.judge.exceptions import find_exception
from groundwire.judge.findings import Finding
from groundwire.judge.nearness import find_nearness
from groundwire.judge.shares import counts_part
from groundwire.judge.universals import Difference, find_unlimited
from groundwire.text import lexicon
from groundwire.text.calendar import small_number
from groundwire.text.cues import Cued, cues, words_in
from groundwire.text.reading import read_text
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import same_meaning
from groundwire.types import Passage, Tense, Verdict

_WITHHELD = 0.8
_CAPITALS = re.compile(r"(?:[A-Z][\w’'-]*[\w])(?: [A-Z][\w-]+)+")


@lru_cache(maxsize=4096)
def find_scope(claim: str, passage: Passage) -> Finding | None:
    """The first of these differences; None where there is none."""
    if len(claim) > LONGEST:
        return None
    for find in (
        _find_other_rate, _find_other_length, find_exception, _find_fewer, _find_alone, _find_undone, _find_turn,
        _find_crossing, find_other_affix, _find_superlative, find_unlimited, find_nearness,
    ):  # fmt: skip
        found = find(claim, passage.text)
        if found is not None:
            reason, mine, theirs = found
            return Finding(
                Verdict.INSUFFICIENT, _WITHHELD, reason, passage.id, claim_value=mine, evidence_value=theirs
            )  # fmt: skip
    return None


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["scope"][kind])


def _any_of(kind: str) -> str:
    """A pattern for one word of a table."""
    return f"(?:{'|'.join(sorted(_words(kind)))})"


# ── how often ───────────────────────────────────────────────────────────────────────────────────

_ADVERBS = {"hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "monthly": "month", "yearly": "year",
            "annually": "year"}  # fmt: skip
_HOURS = {"hour": 1, "day": 24, "night": 24, "week": 168, "month": 730, "year": 8766}
_RATE = Cued(re.compile(
    r"\b(?:(?P<times>once|twice|thrice|(?P<count>\d{1,3}|[a-z]{3,7})(?: times|x))"
    r" (?:(?:a|an|per|each|every|in a) (?P<unit>day|night|week|month|year|hour)"
    r"|(?P<pace>daily|nightly|weekly|monthly|yearly))"
    r"|every (?P<gap>\d{1,3} |[a-z]{3,7} )?(?P<each>hour|day|night|week|month|year)s?"
    r"|(?P<adverb>hourly|daily|nightly|weekly|monthly|yearly|annually))\b",
    re.IGNORECASE,
), (*_HOURS, *(f"{span}s" for span in _HOURS), *_ADVERBS))  # fmt: skip


def _find_rates(text: str) -> Iterator[tuple[float, str]]:
    """How many hours pass from one time to the next, and how it is put."""
    for match in _RATE.finditer(text):
        if match["adverb"]:
            yield _HOURS[_ADVERBS[match["adverb"].lower()]], match.group()
        elif match["each"]:
            gap = small_number(match["gap"].strip().lower()) if match["gap"] else 1
            if gap or (match["gap"] or "").strip().lower() == "other":
                yield _HOURS[match["each"].lower()] * (gap or 2), match.group()
        else:
            named = {"once": 1, "twice": 2, "thrice": 3}.get(match["times"].lower())
            count = named or small_number((match["count"] or "").lower())
            unit = match["unit"] or _ADVERBS[match["pace"].lower()]
            if count:
                yield _HOURS[unit.lower()] / count, match.group()


def tells_rate(text: str) -> bool:
    return next(_find_rates(text), None) is not None


def _find_other_rate(claim: str, text: str) -> Difference | None:
    mine = list(_find_rates(claim))
    theirs = [rate for sentence in list_sentences(text) for rate in _find_rates(sentence)] if mine else []
    if not theirs or any(abs(one - other) <= 0.1 * one for one, _ in mine for other, _ in theirs):
        return None
    return "other_value", mine[0][1], theirs[0][1]


_LASTING = Cued(
    re.compile(r"\bfor (?P<count>\d{1,4}|[a-z]{3,9}(?:-[a-z]{3,5})?) years?\b", re.IGNORECASE), "year years"
)
_YEARS = re.compile(r"\b(?P<first>[12]\d{3})(?: ?[–-] ?| (?:to|until|and|through) )(?P<last>[12]\d{3})\b")


def _find_other_length(claim: str, text: str) -> Difference | None:
    """ "for 12 years" is not from 2005 to 2021."""
    lasting = _LASTING.search(claim)
    count = small_number(lasting["count"].lower()) if lasting is not None else None
    if lasting is None or count is None or lasting["count"].lower() in text.lower():
        return None
    shared = [sentence for sentence in list_sentences(text) if len(content_of(claim) & content_of(sentence)) > 1]
    spans = [match for sentence in shared for match in _YEARS.finditer(sentence)]
    if not spans or any(abs(int(span["last"]) - int(span["first"]) - count) <= 1 for span in spans):
        return None
    return "other_value", lasting.group(), spans[0].group()


# ── of how many ─────────────────────────────────────────────────────────────────────────────────

_RANKS = {
    "all": 4, "every": 4, "each": 4, "most": 3, "many": 1, "numerous": 1, "half": 1, "some": 1, "several": 1, "few": 1,
    "certain": 1,
}  # fmt: skip
_QUANTIFIED = re.compile(
    rf"(?<!\bnot )(?<!\bat )\b(?P<quantity>{'|'.join(_RANKS)})(?: of)?(?: the| our| my| your| their| its)?"
    r"(?: \d[\d,.]*)? (?P<first>[a-z-]+)(?: (?P<second>[a-z-]+))?",
    re.IGNORECASE,
)


_EVERYONE = re.compile(r"(?<!\bnot )\bevery(?:one|body)\b", re.IGNORECASE)


def _find_quantities(text: str) -> dict[str, set[int]]:
    """The nouns behind each word for how many."""
    found: dict[str, set[int]] = {}
    for match in _QUANTIFIED.finditer(text):
        for noun in (match["first"], match["second"]):
            if noun:
                found.setdefault(lexicon.noun_lemma(noun.lower()), set()).add(_RANKS[match["quantity"].lower()])
    if _EVERYONE.search(text) is not None:
        found.setdefault("people", set()).add(_RANKS["every"])
    return found


_MANY = cues((*_RANKS, "no", "nobody", "none"))
_HOW_MANY = re.compile(rf"\b(?:{'|'.join(_RANKS)}|every\w+|no|nobody|none)\b", re.IGNORECASE)
_WHOLE = re.compile(r"(?<!\bnot )\b(?:all|every|each|both)\b", re.IGNORECASE)
_NOT_ALL = re.compile(r"\bnot (?:all|every\w*|each)\b", re.IGNORECASE)


def _find_fewer(claim: str, text: str) -> Difference | None:
    """ "Most birds" are not all of them."""
    if (_MANY.isdisjoint(words_in(claim)) and "every" not in claim.lower()) or _HOW_MANY.search(claim) is None:
        return None
    if (
        _NOT_ALL.search(claim) is None
        and (carrying := find_carrying(claim, text))
        and all(map(_NOT_ALL.search, carrying))
    ):
        return "only_some", "all", "not all"
    if _WHOLE.search(claim) and (carrying := find_carrying(claim, text)) and all(map(counts_part, carrying)):
        return "only_some", "all", "some"
    mine = _find_quantities(claim)
    theirs = [_find_quantities(sentence) for sentence in find_carrying(claim, text)] if mine else []
    for noun, ranks in mine.items():
        told = [other[noun] for other in theirs if noun in other]
        if told and max(ranks) > max(max(rank) for rank in told):
            return "only_some", noun, noun
    return None


_ONLY = Cued(re.compile(
    r"\b(?=[oseajn])(?<!\bnot )(?<!\bnot an )(?<!\bnot the )"
    r"(?:(?:only|solely|exclusively)\b(?! (?:\d|(?:an?|one|two|three|some)\b))"
    r"|alone\b|all (?:i|you|he|she|it|we|they) (?:needs?|wants?|has|have|does|do|eats?|drinks?)\b"
    r"|just (?:the|my|your|our|his|her|their|its)\b(?! (?:right|same|perfect|thing|way|beginning|start)\b)"
    r"|no(?:body| one|ne|thing) (?:but|except|other than|apart from)\b)",
    re.IGNORECASE,
), "only solely exclusively alone all just nobody no none nothing")  # fmt: skip


@cache
def _excluding() -> re.Pattern[str]:
    return re.compile(rf"\b{_any_of('excluding')}\b|n['’]t\b", re.IGNORECASE)


def _find_alone(claim: str, text: str) -> Difference | None:
    """Of nobody else, or at no other time: no text says so that leaves nothing out."""
    only = _ONLY.search(claim)
    if only is None or _excluding().search(text) is not None or leaves_others_out(text):
        return None
    return "detail_missing", only.group(), ""


_NO_OTHER = Cued(re.compile(
    r"\bno (?:other|one else)\b|\b(?:nothing|nobody|nowhere|none|never) (?:else|but|except|other than|apart from)\b"
    r"|\bthe one \w+ (?:that |which |who )?|\ball (?:that )?(?:i|you|he|she|it|we|they) \w+",
    re.IGNORECASE,
), "no nothing nobody nowhere none never one all")  # fmt: skip


def leaves_others_out(text: str) -> bool:
    """ "On Mondays and on no other day", "the one phone I have": only these, in other words."""
    return _NO_OTHER.search(text) is not None


# ── done, or not ────────────────────────────────────────────────────────────────────────────────


@cache
def _undone() -> re.Pattern[str]:
    """ "almost approved", "failed to finish", "denied that he resigned": what stands behind it was not done."""
    begun = rf"\b(?:almost|nearly|{_any_of('undone')} to) (?:\w+ly )?(?P<verb>[a-z]+)"
    denied = rf"\b{_any_of('denying')} (?:that\b|having\b)(?P<clause>.{{0,200}})"
    return re.compile(rf"{begun}|{denied}", re.IGNORECASE)


@cache
def _cues() -> frozenset[str]:
    return cues(("almost", "nearly", *_words("undone"), *_words("denying")))  # without any, all is told as done


@cache
def _disputed() -> re.Pattern[str]:
    """ "but Ola denies it": said by one, and not by the other."""
    return re.compile(rf"\b{_any_of('denying')} (?:it|this|so|as much)\b", re.IGNORECASE)


def _find_undone(claim: str, text: str) -> Difference | None:
    if _cues().isdisjoint(words_in(text)):
        return None
    carrying = find_carrying(claim, text) if _disputed().search(text) is not None else ()
    if carrying and _disputed().search(claim) is None and all(_disputed().search(s) for s in carrying):
        return "not_done", "", ""
    if _undone().search(text) is None or _undone().search(claim):
        return None
    mine = [read.proposition for read in read_text(claim).claims]
    if any(one.negated or one.tense is Tense.FUTURE for one in mine):
        return None  # what was not done, or is still to come, "failed to" and "plans to" tell as well
    said = [one.predicate for one in mine if one.predicate not in ("be", "have", "")]
    telling = [_count_done(sentence, said[0]) for sentence in find_carrying(claim, text)] if len(said) == 1 else []
    told = [count for count in telling if count != (0, 0)]
    return ("not_done", "", "") if told and all(undone >= done for done, undone in told) else None


_DENIED = re.compile(r"(?:\b(?:not|never)|n['’]t) $", re.IGNORECASE)


def _count_done(sentence: str, verb: str) -> tuple[int, int]:
    """How often the verb is there, and how often it is one of what was not done."""
    done = sum(_lemma(word) == verb for word in WORD.findall(sentence))
    undone = 0
    for match in _undone().finditer(sentence):
        words = [match["verb"]] if match["verb"] else WORD.findall(match["clause"])
        if match["verb"] and _DENIED.search(sentence, 0, match.start()) is not None:
            continue  # who did not forget to pay has paid
        undone += any(_lemma(word) == verb for word in words)
    return done, undone


def _lemma(word: str) -> str:
    return lexicon.verb_lemma(word.lower()) or word.lower()


# ── the other way round ─────────────────────────────────────────────────────────────────────────


@cache
def _opposites() -> dict[str, frozenset[str]]:
    groups: list[list[str]] = read_table("grammar")["scope"]["turned"]
    found: dict[str, set[str]] = {}
    for group in groups:
        for word in group:
            found.setdefault(word, set()).update(other for other in group if other != word)
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _relating() -> Cued:
    words = "|".join(sorted(_opposites()))
    articles = "the|a|an|my|your|our|his|her|its|their"
    return Cued(
        re.compile(rf"\b(?P<how>{words}) (?:(?:{articles}) )?(?P<what>\w+)", re.IGNORECASE), _opposites()
    )  # fmt: skip


@lru_cache(maxsize=4096)
def _find_relations(text: str) -> frozenset[tuple[str, str]]:
    found = _relating().finditer(text)
    return frozenset((m["how"].lower(), lexicon.noun_lemma(m["what"].lower())) for m in found)


_STANDING_FOR = frozenset("it he she they you i we that this them him her".split())  # noqa: SIM905
"""What says nothing of what it stands for: "before it was paid"."""


def _find_turn(claim: str, text: str) -> Difference | None:
    """ "after meals" is not "before meals", nor "without sugar" with it."""
    mine = _find_relations(claim)
    if not mine:
        return None
    theirs = {relation for sentence in find_carrying(claim, text) for relation in _find_relations(sentence)}
    for how, what in sorted(pair for pair in mine - theirs if pair[1] not in _STANDING_FOR):
        turned = [other for other in sorted(_opposites()[how]) if (other, what) in theirs]
        if turned:
            return "other_value", f"{how} {what}", f"{turned[0]} {what}"
    return None


# ── on which side ───────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def _in_order(text: str) -> tuple[str, ...]:
    """The words one by one, names of several words as one."""
    joined = _CAPITALS.sub(lambda name: name.group().replace(" ", "_"), text)
    return tuple(re.findall(r"\w+", joined))


def _find_crossing(claim: str, text: str) -> Difference | None:
    """The same words, two of them exchanged, and a relation that does not go both ways."""
    words, sentences = words_in(claim), list_sentences(text)
    if "_" not in claim and "_" not in text and not any(words_in(sentence) == words for sentence in sentences):
        return None
    mine = _in_order(claim)
    crossed: Difference | None = None
    for sentence in sentences:
        theirs = _in_order(sentence)
        if [word.lower() for word in mine] == [word.lower() for word in theirs]:
            return None
        if len(mine) == len(theirs) and (pair := _cross(mine, theirs)) is not None:
            crossed = ("other_agent", *pair)
    return crossed


def _cross(mine: Sequence[str], theirs: Sequence[str]) -> tuple[str, str] | None:
    ours, others = [word.lower() for word in mine], [word.lower() for word in theirs]
    apart = [i for i, (one, other) in enumerate(zip(ours, others, strict=True)) if one != other]
    if len(apart) != 2 or not _words("mutual").isdisjoint(ours):
        return None
    first, second = apart
    exchanged = ours[first] == others[second] and ours[second] == others[first] and second - first > 1
    return (mine[first].replace("_", " "), theirs[first].replace("_", " ")) if exchanged else None


# ── the most of all ─────────────────────────────────────────────────────────────────────────────


@lru_cache(maxsize=4096)
def _find_base(word: str) -> str:
    """The word that a superlative is made of, where it is one: oldest, old."""
    first, lemma = lexicon.readings(word)[0] if word != "eldest" else ("JJS", "old")
    return lemma if first == "JJS" and word not in ("most", "least", "best", "worst") else ""


def _find_superlative(claim: str, text: str) -> Difference | None:
    """ "Your oldest child" is not carried by "one of my children"."""
    if "est" not in claim:
        return None
    plain = _AT_THE.sub("", claim.lower())
    wanted = [word for w in WORD.findall(plain) if (word := w.rpartition("-")[2]).endswith("est") and _find_base(word)]
    if not wanted:
        return None
    said = [word.lower().rpartition("-")[2] for word in WORD.findall(text)]
    held = {_find_base(word) for word in said if word.endswith("est")} - {""} | (_FIRST & set(said))
    held |= {"than"} if _THAN_ALL.search(text) is not None else set()
    for word in wanted:
        base = _find_base(word)
        if not any(base == other or same_meaning(base, other) or other in _FIRST or other == "than" for other in held):
            return "detail_missing", word, ""
    return None


_AT_THE = re.compile(r"\bat the (?:latest|earliest|longest|shortest|highest|lowest|closest|furthest)\b")
"""A bound, and not the most of several."""
_FIRST = frozenset({"most", "least", "best", "worst", "only", "first", "last", "no", "top", "record"})
_THAN_ALL = re.compile(r"\bthan (?:all|any|every|each|no|the other|the rest|ever)", re.IGNORECASE)
"""What may say of something that there is no more of it than here."""
