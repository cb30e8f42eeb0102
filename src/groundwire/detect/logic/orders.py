"""Orders of any kind, from the words around a comparison: circles, a best that is surpassed, figures at odds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from groundwire.detect.amounts.counts import read_amounts, show
from groundwire.detect.logic.chunks import Chunk, find_bearer, goes_on, list_words, name_thing, span_of, split_parts
from groundwire.detect.logic.clashes import Clash
from groundwire.detect.sightings import Sighting
from groundwire.text.lexicon import readings, verb_lemma
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites, same_meaning
from groundwire.types import ContradictionType, Span

CIRCLE = 0.85
_MOST = 40
"""So many comparisons of one kind are followed; an answer with more of them is a table."""
_LONGEST = 400
_THAN = re.compile(
    r"\b(?P<quality>(?:more|less|fewer)(?:\s+[a-z-]+){0,2}?|[a-z]{2,}er|worse|further)(?:\s+(?!than)[a-z]+)?\s+than\s+"
)
_WHERE = re.compile(
    r"\b(?P<where>(?:to\s+the\s+|just\s+|due\s+)?(?:left|right|north|south|east|west|upstream|downstream)\s+of|in\s+front\s+of|ahead\s+of"
    r"|prior\s+to|before|after|above|below|behind|beneath)\s+"
)
_STANDING = re.compile(
    r"\b(?:(?P<verb>reports?|depends?|descends?)\s+(?:directly\s+)?(?:to|on|from|upon)|(?:is|are)\s+(?:an?\s+|located\s+|wholly\s+|entirely\s+)?(?P<state>part\s+of|inside|contained\s+in|subset\s+of|blocked\s+by|owned\s+by))\s+"
)
_ENDS = {
    "left of": ("left", 1), "right of": ("left", -1), "north of": ("north", 1), "south of": ("north", -1),
    "east of": ("east", 1), "west of": ("east", -1), "upstream of": ("upstream", 1), "downstream of": ("upstream", -1),
    "in front of": ("front", 1), "behind": ("front", -1), "above": ("above", 1), "below": ("above", -1),
    "beneath": ("above", -1),
    "before": ("before", 1), "prior to": ("before", 1), "ahead of": ("before", 1), "after": ("before", -1),
}  # fmt: skip
_BARE = re.compile(
    r"\b(?:is|are|was|were|makes?|made|costs?)\b[^,;]{0,40}?\b(?:the\s+)?(?P<quality>(?:more|less)\s+[a-z]+|[a-z]{2,}er)(?:\s+(?:one|of\s+the\s+two|[a-z]+))?\s*[.!]?$"
)
_MOST_OF = re.compile(r"\bthe\s+(?P<quality>(?:most|least)\s+[a-z]+|[a-z]{2,}est|best|worst|first|last)\b")
_VOID = re.compile(
    r"\b(?:not|never|no|nor|neither|if|unless|whether|would|could|might|may|or|as|than\s+(?:ever|usual|expected|before|average|normal|most|many|any|i|you|we|a|an"
    r"|it|that|this|they|he|she|\d|[$€£]|(?:one|two|three|four|five|six|seven|eight|nine|ten)\b))\b|n't\b"
)
_DETERMINERS = ("the", "a", "an", "his", "her", "its", "our", "your")
_VERBAL = re.compile(r"(?<![a-z])" + "".join(rf"(?<!\b{word} )" for word in _DETERMINERS) + r"([a-z]+)")
""" "the meeting" is no verb."""
_NEUTRAL = frozenset({"come", "happen", "occur", "take", "hold"})
_SETTING = re.compile(r"\b(?:in|on|at|during|for|under|when|with|by|from|among|per)\s+(?P<rest>.*)$")
_DATE = re.compile(
    r"\b(?:1\d|20)\d\d\b|\d:\d\d|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b"
)


_ANY = frozenset({"*"})
"""Whatever there is: what the most is compared with."""


class _Edge(NamedTuple):
    """One side is put above the other; sides are the words that name them."""

    high: frozenset[str]
    low: frozenset[str]
    setting: frozenset[str]
    verbs: frozenset[str]
    span: Span
    text: str


@cache
def _measures() -> dict[str, str]:
    """Which quality a verb, a unit or an adjective of measure is about."""
    return {word: quality for quality, words in read_table("orders", "detect")["measures"].items() for word in words}


def find_disorder(sightings: Sequence[Sighting]) -> Iterator[Clash]:
    """What is above another is not below it, whichever way that is said; what has more is not the one with less."""
    edges: dict[str, list[_Edge]] = defaultdict(list)
    values: dict[str, list[tuple[frozenset[str], str, _Edge]]] = defaultdict(list)
    known: list[str] = []
    for seen in sightings:
        if seen.is_question or len(seen.text) > _LONGEST:
            continue
        relation, gapped, bearer = "", "", find_bearer(seen)
        for chunk in split_parts(seen):
            low = chunk.text.lower()
            if bearer and bearer not in chunk.text and goes_on(chunk):
                chunk = chunk._replace(text=f"{bearer} {chunk.text.lstrip()}", shift=len(bearer) + 1)
                low = chunk.text.lower()
            if _VOID.search(low):
                relation = gapped = ""
                continue
            gapped = _note_value(chunk, low, values, gapped)
            edge = _read_edge(chunk, low, known, relation)
            if edge is not None:
                relation, made = edge
                yield from _compare(made, relation, edges, values, known)
                continue
            yield from _check_best(chunk, low, known, edges, values)


@cache
def _ahead() -> frozenset[str]:
    return list_words("surpassing") | list_words("winning")


def _read_edge(chunk: Chunk, low: str, known: list[str], before: str) -> tuple[str, _Edge] | None:
    match = _THAN.search(low) if "than" in low else None
    if match is not None:
        relation, sign = _relate(match["quality"], low[: match.start()], known, before)
        return _make(chunk, relation, sign, match.start(), match.end())
    match = _WHERE.search(low)
    if match is not None:
        if _DATE.search(low) or re.match(r"\s*(?:[a-z]+ing|being|you\s+go|that|then|long|too)\b", low[match.end() :]):
            return None
        where = re.sub(r"^(?:to the|just|due) ", "", re.sub(r"\s+", " ", match["where"]))
        relation, sign = _ENDS[where]
        return _make(chunk, relation, sign, match.start(), match.end())
    match = _STANDING.search(low)
    if match is not None and "circular" not in chunk.seen.words:
        relation = (match["verb"] or "").removesuffix("s") or re.sub(r"\s+", " ", match["state"])
        return _make(chunk, f"verb {relation}", 1, match.start(), match.end())
    if _ahead().isdisjoint(re.findall(r"[a-z]+", low)):
        return None
    for match in re.finditer(r"[a-z]+", low):
        if match.group() in list_words("surpassing"):
            lemma = verb_lemma(match.group()) or match.group().removesuffix("s")
            return _make(chunk, f"verb {lemma}", 1, match.start(), match.end())
        if match.group() in list_words("winning"):  # of one race, where one is spoken of
            made = _make(chunk, "before", 1, match.start(), match.end())
            return (made[0], made[1]._replace(verbs=list_words("winning"))) if made is not None else None
    return None


def _relate(quality: str, front: str, known: list[str], before: str) -> tuple[str, int]:
    """The relation that a comparative names, and which way it points."""
    words = quality.split()
    less = words[0] in ("less", "fewer")
    sign = -1 if less else 1
    if words[0] in ("more", "less", "fewer"):
        verb = next((w for w in reversed(re.findall(r"[a-z]+", front)) if verb_lemma(w)), "")
        lemma = verb_lemma(verb) or ""
        word = " ".join(words[1:]) or _measures().get(lemma, "")
        if lemma and lemma != "be" and words[1:]:
            word = f"{lemma} {word}"
        if not word:
            return (before or lemma or "more"), sign
    elif words[0] in ("earlier", "sooner", "later"):
        return "before", -1 if words[0] == "later" else 1
    else:
        word = _positive(words[0])
    return _settle(word, sign, known)


def _settle(word: str, sign: int, known: list[str]) -> tuple[str, int]:
    """One relation for a quality and its opposite."""
    word = _measures().get(word, word)
    if word.startswith("-"):
        return word[1:], -sign
    for other in known:
        if are_opposites(other, word):
            return other, -sign
    if word not in known and len(known) < _MOST:
        known.append(word)
    return word, sign


def _positive(form: str) -> str:
    if form in ("elder", "eldest"):
        return "old"
    for tag, lemma in readings(form):
        if tag in ("JJR", "RBR", "JJS", "RBS") and lemma != form:
            return lemma
    return re.sub(r"(?:est|er)$", "", form)


_ACTS = re.compile(r"\s*(?:(?:you|we|i|one)\b|[a-z]+ing\b)", re.IGNORECASE)


def _make(chunk: Chunk, relation: str, sign: int, start: int, end: int) -> tuple[str, _Edge] | None:
    front, behind = chunk.text[:start], chunk.text[end:]
    is_quality = relation not in ("left", "north", "east", "upstream", "front", "above", "before")
    setting = _SETTING.search(behind.lower()) if is_quality else None
    one, other = name_thing(front), name_thing(behind[: setting.start()] if setting else behind)
    if not one or not other or one & other == one or one & other == other:
        return None
    common = one & other  # "package A" and "package B": the word that both have tells nothing
    one, other = one - common, other - common
    if not sign > 0:
        one, other = other, one
    verbs = frozenset(
        v
        for match in _VERBAL.finditer(front.lower())
        if (v := verb_lemma(match[1])) and match[1] not in list_words("light")
    )
    if _ACTS.match(front):  # "You prune it before you feed it": what is done is what is put in order
        verbs = frozenset[str]()
    around = name_thing(setting["rest"]) if setting else frozenset[str]()
    times = frozenset(
        time.surface.lower()
        for time in chunk.seen.times
        if chunk.start <= time.span.start < chunk.start + len(chunk.text)
    )
    return relation, _Edge(one, other, around | times, verbs, span_of(chunk), chunk.text.strip(" ."))


def _same(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one) and bool(other) and (one <= other or other <= one)


def _compare(
    edge: _Edge,
    relation: str,
    edges: dict[str, list[_Edge]],
    values: dict[str, list[tuple[frozenset[str], str, _Edge]]],
    known: list[str],
) -> Iterator[Clash]:
    path = _find_path(edges[relation], edge, relation)
    if path:
        evidence = f'{relation}: "{edge.text}" closes a circle with "{path[0].text}"'
        yield Clash(edge.span, path[0].span, CIRCLE, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)
        return
    for best in edges.get(f"most {relation}", []):
        if (best.low == _ANY and _same(best.high, edge.low)) or (best.high == _ANY and _same(best.low, edge.high)):
            evidence = f'"{edge.text}" is more than the most: "{best.text}"'
            yield Clash(edge.span, best.span, CIRCLE, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)
            return
    if len(edges[relation]) < _MOST and edge.verbs != list_words("winning"):
        edges[relation].append(edge)
    if relation == "before" and not edge.verbs.isdisjoint(list_words("beginning")):  # what was built before is older
        edges[_settle("old", 1, known)[0]].append(edge._replace(setting=frozenset()))
    yield from _check_figures(edge, values.get(relation, []))


def _find_path(edges: Sequence[_Edge], closing: _Edge, relation: str) -> list[_Edge]:
    """Comparisons that lead from the lower side of the new one up … down to its upper side."""
    pending: list[tuple[frozenset[str], list[_Edge]]] = [(closing.low, [])]
    used: set[int] = set()
    while pending:
        side, path = pending.pop()
        for number, edge in enumerate(edges):
            if number in used or not _same(edge.high, side) or edge.setting != closing.setting:
                continue
            if not _fit(edge, closing, relation):
                continue
            used.add(number)
            if _same(edge.low, closing.high):
                return [*path, edge]
            pending.append((edge.low, [*path, edge]))
    return []


def _fit(one: _Edge, other: _Edge, relation: str) -> bool:
    """ "left before", "arrived before": two orders, not one."""
    if relation not in ("before", "more", "above", "front"):
        return True
    if other.verbs == list_words("winning"):
        return not one.verbs or not one.verbs.isdisjoint(list_words("racing"))
    mine, theirs = one.verbs - _NEUTRAL, other.verbs - _NEUTRAL
    return not mine or not theirs or any(m[:6] == t[:6] or same_meaning(m, t) for m in mine for t in theirs)


def _note_value(chunk: Chunk, low: str, values: dict[str, list[tuple[frozenset[str], str, _Edge]]], gapped: str) -> str:
    """ "The blue car costs 9,000 and the red one 7,500": one figure of one quality each."""
    amounts = [a for a in read_amounts(low) if low[a.start : a.end] != "one"]
    if len(amounts) != 1 or _DATE.search(low) or not amounts[0].is_exact:
        return ""
    amount = amounts[0]
    words = [*re.findall(r"[a-z]+", low), amount.unit]
    quality = next((q for w in words if (q := _measures().get(verb_lemma(w) or w) or _measures().get(w))), "") or gapped
    quality = quality.removeprefix("-")
    name = name_thing(chunk.text[: amount.start])
    if not quality or not name:
        return ""
    verbs = {w for w in name if w in _measures() or (verb_lemma(w) or w) in _measures()}
    name = frozenset(name - verbs)
    if name and len(values[quality]) < _MOST:
        edge = _Edge(name, frozenset(), frozenset(), frozenset(), span_of(chunk), chunk.text.strip(" ."))
        values[quality].append((name, f"{amount.value}", edge))
    return quality


def _check_figures(edge: _Edge, values: Sequence[tuple[frozenset[str], str, _Edge]]) -> Iterator[Clash]:
    high = [(Fraction(v), e) for name, v, e in values if _same(name, edge.high)]
    low = [(Fraction(v), e) for name, v, e in values if _same(name, edge.low)]
    if len(high) == 1 and len(low) == 1 and high[0][0] < low[0][0]:
        evidence = f'"{edge.text}", but {show(high[0][0])} is less than {show(low[0][0])}'
        yield Clash(edge.span, low[0][1].span, CIRCLE, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)


def _check_best(
    chunk: Chunk,
    low: str,
    known: list[str],
    edges: dict[str, list[_Edge]],
    values: dict[str, list[tuple[frozenset[str], str, _Edge]]],
) -> Iterator[Clash]:
    """ "which makes C the heaviest", "so the blue one is cheaper": against what was compared before."""
    match = _BARE.search(low) or _MOST_OF.search(low)
    if match is None:
        return
    words = match["quality"].split()
    sign = -1 if words[0] in ("least", "less") else 1
    if words[0] in ("first", "last"):
        relation, sign = "before", 1 if words[0] == "first" else -1
    else:
        relation, sign = _settle(words[-1] if len(words) > 1 else _positive(words[0]), sign, known)
    side = name_thing(chunk.text[: match.start()]) or name_thing(chunk.text[match.end() :])
    side -= {w for w in side if w in _measures()}
    if not side:
        return
    if match.re is _MOST_OF and len(known) < _MOST:
        told = (
            name_thing(low_text[match.end() :].rpartition(" is ")[2])
            if " is " in (low_text := chunk.text)[match.end() :]
            else side
        )
        best = _Edge(
            told if sign > 0 else _ANY,
            _ANY if sign > 0 else told,
            frozenset(),
            frozenset(),
            span_of(chunk),
            chunk.text.strip(" ."),
        )
        edges[f"most {relation}"].append(best)
    for edge in edges.get(relation, []):
        if _same(edge.low if sign > 0 else edge.high, side) and not edge.setting:
            evidence = f'"{chunk.text.strip(" .")}" against "{edge.text}"'
            yield Clash(span_of(chunk), edge.span, CIRCLE, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)
            return
    yield from _check_ranked(chunk, side, sign, values.get(relation, []))


def _check_ranked(
    chunk: Chunk, side: frozenset[str], sign: int, values: Sequence[tuple[frozenset[str], str, _Edge]]
) -> Iterator[Clash]:
    mine = [Fraction(v) for name, v, _ in values if _same(name, side)]
    others = [(Fraction(v), e) for name, v, e in values if not _same(name, side)]
    if len(mine) != 1 or not others:
        return
    wrong = [edge for value, edge in others if (value - mine[0]) * sign > 0]
    if wrong:
        evidence = f'"{chunk.text.strip(" .")}" against "{wrong[0].text}"'
        yield Clash(span_of(chunk), wrong[0].span, CIRCLE, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence)
