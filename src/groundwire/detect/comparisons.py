"""Who is taller, older, earlier: orders that run in a circle."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from groundwire.detect.assertions import Assertion
from groundwire.detect.clashes import Clash
from groundwire.text.lexicon import noun_lemma
from groundwire.text.thesaurus import are_opposites
from groundwire.types import ContradictionType, Span

CYCLE = 0.85
_MOST = 400
_THING = r"(?P<{0}>(?:the |a |an |my |our |your |his |her |their )?[\w'’-]+(?: [\w'’-]+){{0,3}}?)"
_BEFORE = {
    "before": True,
    "prior to": True,
    "ahead of": True,
    "earlier than": True,
    "after": False,
    "later than": False,
    "behind": False,
}
Edge = tuple[str, str]


def find_circles(assertions: Sequence[Assertion]) -> Iterator[Clash]:
    """A statement that closes a circle of comparisons is at odds with those before it."""
    graphs: dict[str, dict[str, dict[str, Assertion]]] = defaultdict(lambda: defaultdict(dict))
    canonical: list[str] = []
    for assertion in assertions:
        edge = _read_comparison(assertion, canonical) or _read_order(assertion)
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
    if assertion.predicate not in ("be", "have", "cost", "weigh", "score", "earn", "run", "finish"):
        return None
    than = next((a for a in assertion.arguments if a.role == "than" and a.lemmas), None)
    quality = next((a for a in assertion.arguments if a.role == "object" and a.lemmas), None)
    if (
        than is None
        or quality is None
        or "as" in assertion.words
        or not assertion.is_particular
        or any(c.isdigit() for c in "".join(than.lemmas))
    ):
        return None
    if not re.search(r"\b\w+er than\b|\b(?:more|less|better|worse) ", assertion.said):
        return None
    word = quality.lemmas[-1]
    less = "less" in quality.text.lower().split() or " less " in f" {assertion.text.lower()} "
    subject, other = _name(assertion.subject), _name(than.text)
    for known in canonical:
        if are_opposites(known, word):
            word, less = known, not less
            break
    if word not in canonical and len(canonical) < 64:
        canonical.append(word)
    return (word, subject, other) if less else (word, other, subject)


def _read_order(assertion: Assertion) -> tuple[str, str, str] | None:
    """ "Alpha was finished before Beta": one relation for each verb."""
    if not assertion.is_particular:
        return None
    for argument in assertion.arguments:
        is_before = _BEFORE.get(argument.role)
        if is_before is None or argument.is_time or not argument.lemmas or argument.text[:1].isdigit():
            continue
        subject, other = _name(assertion.subject), _name(argument.text)
        relation = f"order of {'event' if assertion.predicate in ('be', 'come', 'happen', 'occur', 'take') else assertion.predicate}"
        return (relation, subject, other) if is_before else (relation, other, subject)
    return None


def _name(text: str) -> str:
    words = re.sub(r"^(?:the|a|an|my|our|your|his|her|their|user's)\s+", "", text.lower()).split()
    return " ".join([*words[:-1], noun_lemma(words[-1])]) if words else ""


def span_of(assertion: Assertion) -> Span:
    return assertion.span
