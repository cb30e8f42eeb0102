"""Who is taller, older, earlier: orders that run in a circle."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from groundwire.detect.logic.assertions import Assertion, read_logic
from groundwire.detect.logic.clashes import Clash
from groundwire.text.lexicon import noun_lemma, readings
from groundwire.text.thesaurus import are_opposites
from groundwire.types import ContradictionType

CYCLE = 0.85
_MOST = 400
_THAN = re.compile(
    r"(?P<one>.{1,60}?) (?:is|are|am|was|were|[a-z]+s|[a-z]+ed|ran|swam|came|grew) "
    r"(?:much |far |slightly |a bit |a little |even |still |also |therefore |(?:an? |[a-z0-9-]+ ){1,2}"
    r"(?:years?|months?|days?|weeks?|hours?|minutes?|met(?:re|er)s?|cm"
    r"|centimet(?:re|er)s?|inch(?:es)?|kilos?|kg|points?|euros?|pounds?|dollars?|percent"
    r"|kilomet(?:re|er)s?|km|times|heads?|floors?) )?"
    r"(?P<quality>(?:more|less|fewer)(?: [a-z]+)?|[a-z]+er|better|worse|farther|further) than (?P<other>[^,.;:]{1,60}?)"
    r"(?: by (?:an? |[a-z0-9-]+ ){1,2}[a-z]+| too| as well| again)?"
)
_PLACED = re.compile(
    r"(?P<one>.{1,60}?) (?:is|are|was|were|lies|lie|stands|stand|sits|sit|comes|come|came|finished|arrived|ranks|ranked"
    r"|happened|happens|occurs|occurred|took place|takes place|begins|began|ended|ends) "
    r"(?:located |situated |directly |just |immediately )?"
    r"(?P<where>(?:to the )?(?:left|right|north|south|east|west) of|above|below|under|in front of|behind|ahead of"
    r"|before|after|earlier than|later than|upstream of|downstream of) (?P<other>[^,.;:]{1,60})"
)
_PARENTHESIS = re.compile(
    r"\s*,\s*(?:in turn|for (?:his|her|its|their) part|however|though|meanwhile|by contrast|in contrast"
    r"|on the other hand|of course|in fact|as it happens|finally|again)(?:\s*,)?\s+"
)
_GOING = (
    r"(?:you|we|one|they) (?:(?:have|need|want) to |must |should |would |can |then |simply |just )?"
    r"(?:walk|drive|go|head|travel|cycle|ride|hike|sail|fly|turn|continue)"
)
_AIM = r"(?:(?:in order )?to (?:get to|reach|arrive at|find|see)|to|towards)"
_HEADING = re.compile(
    rf"{_GOING} (?:due |further )?(?P<where>north|south|east|west)(?:wards?)? {_AIM} (?P<one>[^,.;:]{{1,40}}?)"
    r" from (?P<other>[^,.;:]{1,40})",
    re.IGNORECASE,
)
_TURNED = {
    "right of": "left of", "south of": "north of", "west of": "east of", "below": "above", "under": "above",
    "behind": "in front of", "after": "before", "later than": "before", "downstream of": "upstream of",
}  # fmt: skip
_STRAIGHT = {"earlier than": "before", "ahead of": "in front of"}
_BEFORE = {"before": True, "prior to": True, "ahead of": True, "after": False, "behind": False}


def find_circles(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """A statement that closes a circle of comparisons is at odds with those before it."""
    graphs: dict[str, dict[str, dict[str, Assertion]]] = defaultdict(lambda: defaultdict(dict))
    canonical: list[str] = []
    for assertion in assertions:
        edge = _read_comparison(assertion, canonical) or _read_order(assertion) or _read_rank(assertion)
        if edge is None or assertion.negated or assertion.modal not in ("", "must", "should") or len(graphs) > _MOST:
            continue
        relation, low, high = edge
        graph = graphs[f"{relation} {assertion.tense}"]
        if low == high or len(graph) > _MOST:
            continue
        path = _find_path(graph, high, low)
        if path:
            first = min(path, key=lambda a: a.number)
            numbers = (first.number, assertion.number)
            evidence = f'{relation}: "{assertion.text}" closes a circle with "{first.text}"'
            yield Clash(assertion.span, first.span, CYCLE, ContradictionType.LOGICAL_IMPOSSIBILITY, evidence, numbers)
        else:
            graph[low].setdefault(high, assertion)


def _find_path(graph: dict[str, dict[str, Assertion]], start: str, goal: str) -> list[Assertion]:
    """The statements that lead from one to the other; a bounded search."""
    pending: list[tuple[str, list[Assertion]]] = [(start, [])]
    visited = {start}
    while pending and len(visited) < _MOST:
        node, path = pending.pop()
        for following, assertion in graph.get(node, {}).items():
            if following == goal:
                return [*path, assertion]
            if following not in visited:
                visited.add(following)
                pending.append((following, [*path, assertion]))
    return []


def _read_comparison(assertion: Assertion, canonical: list[str]) -> tuple[str, str, str] | None:
    """ "A is taller than B" → (tall, B, A); "shorter" turns the same relation round."""
    match = _THAN.fullmatch(_PARENTHESIS.sub(" ", assertion.text.rstrip(". ")))
    if match is None or not _are_particular(match) or "as" in assertion.words:
        return None
    quality = match["quality"].lower()
    less = quality.startswith(("less", "fewer"))
    word = quality.split()[-1] if " " in quality else _positive(quality)
    if quality in ("more", "less", "fewer") or " " in quality:  # "gives more milk", "costs more"
        word = f"{assertion.predicate} {'' if ' ' not in quality else word}".strip()
        word = word.removeprefix("be ")
    one, other = _name(match["one"]), _name(match["other"])
    if other.split()[-1:] in (["one"], ["1"]) and len(other.split()) > 1:  # "than the blue one"
        other = " ".join([*other.split()[:-1], one.split()[-1]])
    for known in canonical:
        if are_opposites(known, word):
            word, less = known, not less
            break
    if word not in canonical and len(canonical) < 64:
        canonical.append(word)
    return (word, one, other) if less else (word, other, one)


def _positive(comparative: str) -> str:
    """tall for taller, big for bigger; better and worse stay as they are."""
    for tag, lemma in readings(comparative):
        if tag in ("JJR", "RBR") and lemma != comparative:
            return lemma
    return comparative.removesuffix("er")


_VAGUE = re.compile(
    r"(?:an?|some|most|many|other|any|it|they|he|she|that|this|those|usual|ever|expected|you|we)\b|.*\d"
)


def _are_particular(match: re.Match[str]) -> bool:
    return not any(_VAGUE.match(match[side].lower()) for side in ("one", "other"))


def _read_order(assertion: Assertion) -> tuple[str, str, str] | None:
    """ "Alpha was finished before Beta", "the hall is to the left of the kitchen"."""
    plain = _PARENTHESIS.sub(" ", assertion.text.rstrip(". "))
    if (way := _HEADING.fullmatch(plain)) is not None and _are_particular(way):
        where = f"{way['where'].lower()} of"  # you go north to what lies north
        one, other = _name(way["one"]), _name(way["other"])
        return (_TURNED[where], other, one) if where in _TURNED else (where, one, other)
    match = _PLACED.fullmatch(plain)
    if match is not None and _are_particular(match):
        where = match["where"].lower().removeprefix("to the ")
        one, other = _name(match["one"]), _name(match["other"])
        if where in _TURNED:
            return _TURNED[where], other, one
        return _STRAIGHT.get(where, where), one, other
    if not assertion.is_particular:
        return None
    for argument in assertion.arguments:
        is_before = _BEFORE.get(argument.role)
        if is_before is None or argument.is_time or not argument.lemmas or argument.text[:1].isdigit():
            continue
        subject, other = _name(assertion.subject), _name(argument.text)
        relation = f"order of {assertion.predicate}"
        return (relation, subject, other) if is_before else (relation, other, subject)
    return None


def _read_rank(assertion: Assertion) -> tuple[str, str, str] | None:
    """ "Mia reports to Jon", "Ada manages Ben", "Bea is the mother of Cleo": what never runs both ways."""
    if not assertion.is_particular:
        return None
    things = [a for a in assertion.arguments if a.lemmas and not a.is_time]
    if assertion.predicate == "be" and len(things) == 1 and things[0].role == "object":
        match = _KIN.fullmatch(things[0].text)
        noun = match["noun"] or match["kin"] if match is not None else ""
        if match is None or noun_lemma(noun.lower()) not in read_logic("above"):
            return None
        one, other = _name(assertion.subject), _name(match["other"] or match["whose"])
        if noun_lemma(noun.lower()) in _PARENTS:
            return "parent", one, other
        return ("parent", other, one) if noun_lemma(noun.lower()) in _CHILDREN else (noun.lower(), one, other)
    for thing in things:
        name = assertion.predicate if thing.role == "object" else f"{assertion.predicate} {thing.role}"
        if name in read_logic("ranks") and len(things) == 1:
            return name, _name(assertion.subject), _name(thing.text)
    return None


_PARENTS = frozenset({"mother", "father", "parent"})
_CHILDREN = frozenset({"son", "daughter", "child"})
_KIN = re.compile(
    r"(?:(?:the|an?) )?(?P<noun>[a-z]+) of (?P<other>[^,.;:]{1,60})|(?P<whose>[^,.;:]{1,60})['’]s (?P<kin>[a-z]+)"
)


def find_surpassed(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """ "The tortoise is the oldest animal in the zoo. The parrot is older than the tortoise"."""
    best: dict[tuple[str, str], Assertion] = {}
    passed: dict[tuple[str, str], Assertion] = {}
    canonical: list[str] = []
    for assertion in assertions:
        if assertion.negated or assertion.modal or not assertion.is_particular:
            continue
        thing = next((a for a in assertion.arguments if a.role == "object"), None)
        match = _MOST_OF.match(thing.text.lower()) if thing is not None and assertion.predicate == "be" else None
        if match is not None:
            key = _superlative_of(match["quality"]), _name(assertion.subject)
            best[key] = assertion
            known = passed.get(key) if _OF_ALL.search(match.group()) else None
        elif (edge := _read_comparison(assertion, canonical)) is not None:
            passed[edge[:2]] = assertion
            known = best.get(edge[:2])
        else:
            continue
        if known is not None and known.tense is assertion.tense and known.scope == assertion.scope:
            evidence = f'"{assertion.text}" is more than the most: "{known.text}"'
            numbers = (known.number, assertion.number)
            kind = ContradictionType.LOGICAL_IMPOSSIBILITY
            yield Clash(assertion.span, known.span, CYCLE, kind, evidence, numbers)


_OF_ALL = re.compile(r"\bof (?:the (?:two|three|four|five|six|lot)|all|them)\b|\b[a-z]+est(?: one)?$")
""" "Ben is older than Carl. Carl is the oldest of the three", and not the oldest in another family."""
_MOST_OF = re.compile(r"(?:the )?(?P<quality>most [a-z]+|[a-z]+est|best|worst)(?: [a-z]+){0,6}$")


def _superlative_of(words: str) -> str:
    """old for oldest, expensive for most expensive."""
    if words.startswith("most "):
        return words.removeprefix("most ")
    for tag, lemma in readings(words):
        if tag in ("JJS", "RBS") and lemma != words:
            return lemma
    return words.removesuffix("est")


def _name(text: str) -> str:
    if text.lower().strip() in ("i", "me", "i am", "i was", "user"):
        return "user"
    plain = re.sub(r"\s(?:is|are|was|were|has|have|had)$", "", text.lower().strip())
    words = re.sub(r"^(?:the|a|an|my|our|your|his|her|their|user's)\s+", "", plain).split()
    return " ".join([*words[:-1], noun_lemma(words[-1])]) if words else ""
