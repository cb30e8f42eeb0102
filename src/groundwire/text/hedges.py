"""Finds the words by which a writer declines to vouch for a statement.

The table decides what a hedge is; this module decides whose it is: what stands in quotation marks, code or an address
belongs to somebody else, unless the whole text is one quotation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from groundwire.text.folding import fold
from groundwire.text.tables import read_table
from groundwire.types import HedgeAction, HedgeResult, Span

# How far the conditions of the table look to either side of a phrase.
_REACH = 64

_FOREIGN = re.compile(
    r"""
    (?P<code> ```(?:[^`]|`(?!``))*+``` | `{1,2}[^`\n]{1,500}`{1,2} )
  | (?P<address> \bhttps?://[^\s<>"]+ | \bwww\.[^\s<>"]+ | (?<![\w.+-])[\w.+-]{1,64}@[\w.-]{1,255} )
  | (?P<quote> (?<!\w)"(?=\S)(?:[^"\n]|\n(?![\ \t]{0,8}\n))+"(?!\w)
             | «[^«»]{1,2000}» | ‹[^‹›]{1,2000}› | 「[^「」]{1,2000}」
             | (?<!\w)'(?=\w)(?!(?:\d0s|tis|twas|em|cause|til|bout|n)\b)(?:[^'\n]|(?<=\w)'(?=\w)){1,400}'(?!\w) )
    """,
    re.VERBOSE | re.IGNORECASE,
)
_MASK = "\x01"
_WORD = re.compile(r"\w")
_DAY_BEFORE = re.compile(r"\b\d{1,2}\s+$")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n]\s{0,8}|[\"(\[*•–—-]\s{0,8})$")


@dataclass(frozen=True, slots=True)
class Hedge:
    """One hedge as written; `kind` is speculation, uncertainty, suggestion, technical, approximation or vague."""

    phrase: str
    span: Span
    action: HedgeAction
    kind: str


class HedgeDetector:
    """Decides whether a text may pass, needs a reviewer, or is speculation."""

    def analyze(self, text: str) -> HedgeResult:
        hedges = find_hedges(text)
        if not hedges:
            return HedgeResult(is_speculative=False, action=HedgeAction.CONTINUE)
        blocked = any(hedge.action is HedgeAction.BLOCK for hedge in hedges)
        action = HedgeAction.BLOCK if blocked else HedgeAction.REVIEW
        return HedgeResult(is_speculative=True, action=action, hedge_words=tuple(hedge.phrase for hedge in hedges))


def find_hedges(text: str, *, vague: bool = False) -> tuple[Hedge, ...]:
    """The author's own hedges, in text order, with spans in the text as given.

    With `vague` also what names nobody and counts nothing ("many experts", "one of the most"): an encyclopaedia should
    not say so, while a person who has several cats is not hedging.
    """
    folded = fold(text)
    own = mask_foreign(folded.text)
    grammar = _grammar(vague)
    found: list[Hedge] = []
    position = 0
    while match := grammar.pattern.search(own, position):
        rule = grammar.rules[_rule_number(match)]
        if not _holds(rule, own, match.start(), match.end()):
            position = _next_try(own, match)
            if (alternative := _retry(grammar, own, match)) is None:
                continue
            rule, match = alternative
        span = folded.locate(match.start(), match.end())
        found.append(Hedge(text[span.start : span.end], span, rule.action, rule.kind))
        position = match.end()
    return tuple(found)


def mask_foreign(text: str) -> str:
    """Blanks out quotations, code and addresses, keeping every offset; a text that is all quotation is kept."""
    if not any(mark in text for mark in ('"', "'", "`", "@", "«", "‹", "「", "//", "www.", "WWW.")):
        return text
    pieces: list[str] = []
    position = 0
    quoted_whole = False
    own_words = False
    for match in _FOREIGN.finditer(text):
        own_words = own_words or match.lastgroup != "quote" or bool(_WORD.search(text, position, match.start()))
        quoted_whole = quoted_whole or match.lastgroup == "quote"
        pieces.append(text[position : match.start()])
        pieces.append(_MASK * (match.end() - match.start()))
        position = match.end()
    if quoted_whole and not own_words and not _WORD.search(text, position):
        return text
    pieces.append(text[position:])
    return "".join(pieces)


@dataclass(frozen=True, slots=True)
class _Rule:
    """A row of the table, compiled; every condition is optional."""

    kind: str
    action: HedgeAction
    body: str
    only_after: re.Pattern[str] | None
    only_before: re.Pattern[str] | None
    unless_after: re.Pattern[str] | None
    unless_before: re.Pattern[str] | None
    even_so_before: re.Pattern[str] | None
    unless: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]
    is_may: bool


@dataclass(frozen=True, slots=True)
class _Grammar:
    pattern: re.Pattern[str]
    rules: tuple[_Rule, ...]


def _rule_number(match: re.Match[str]) -> int:
    return int((match.lastgroup or "r0_0")[1:].partition("_")[0])


def _retry(grammar: _Grammar, own: str, match: re.Match[str]) -> tuple[_Rule, re.Match[str]] | None:
    """The first later rule that fits at the same place, after an earlier one was refused."""
    for rule in grammar.rules[_rule_number(match) + 1 :]:
        other = _compile_alone(rule.body).match(own, match.start())
        if other and _holds(rule, own, other.start(), other.end()):
            return rule, other
    return None


@cache
def _compile_alone(body: str) -> re.Pattern[str]:
    """A rule by itself: needed only where another was refused, so compiled only then."""
    return re.compile(rf"(?<!\w){body}(?!\w)", re.IGNORECASE)


def _next_try(own: str, match: re.Match[str]) -> int:
    """Where to look on after a refusal: behind the first word, for a later word may be a hedge of its own."""
    blank = own.find(" ", match.start(), match.end())
    return blank if blank > 0 else match.end()


def _holds(rule: _Rule, own: str, start: int, end: int) -> bool:
    before, after = own[max(0, start - _REACH) : start], own[end : end + _REACH]
    if rule.is_may:
        return _is_modal_may(own[start:end], before, after)
    if rule.only_after and not rule.only_after.search(before):
        return False
    if rule.only_before and not rule.only_before.match(after):
        return False
    if rule.unless_after and rule.unless_after.search(before):
        return bool(rule.even_so_before and rule.even_so_before.match(after))
    if rule.unless_before and rule.unless_before.match(after):
        return False
    phrase = own[start:end]
    return not any(part.search(phrase) and follows.match(after) for part, follows in rule.unless)


def _is_modal_may(word: str, before: str, after: str) -> bool:
    """Tells the modal verb from the month and the name."""
    month, before = _may_patterns(), before[-24:]
    if month["date_after"].match(after):
        return False
    has_verb = bool(month["verb_after"].match(after))
    starts = bool(_SENTENCE_START.search(before))
    if word == "May" or (word == "MAY" and starts):
        return has_verb
    if starts and month["request_after"].match(after):
        return False
    if month["month_before"].search(before):
        return has_verb
    return not (_DAY_BEFORE.search(before) and month["month_after"].match(after) and not has_verb)


@cache
def _may_patterns() -> dict[str, re.Pattern[str]]:
    table: dict[str, str] = read_table("hedges")["may"]
    return {name: re.compile(pattern, re.IGNORECASE) for name, pattern in table.items()}


@cache
def _grammar(vague: bool) -> _Grammar:
    """One pattern for the whole table, split by first letter so that most words are dismissed at once."""
    table = read_table("hedges")
    words: dict[str, str] = table["words"]
    rows: list[dict[str, Any]] = [*table["hedge"], *(read_table("vague")["hedge"] if vague else ())]
    rules: list[_Rule] = []
    by_letter: dict[str, list[str]] = {}
    for index, row in enumerate(rows):
        body = _join(row["phrases"], words)
        rules.append(_compile_rule(row, body, words))
        for letter, phrases in _split_by_letter(row["phrases"], words).items():
            by_letter.setdefault(letter, []).append(f"(?P<r{index}_{ord(letter)}>{_join(phrases, words)})")
    branches = "|".join(f"(?={re.escape(letter)})(?:{'|'.join(group)})" for letter, group in by_letter.items())
    initials = re.escape("".join(by_letter))
    return _Grammar(re.compile(rf"(?<!\w)(?=[{initials}])(?:{branches})(?!\w)", re.IGNORECASE), tuple(rules))


def _split_by_letter(phrases: list[str], words: dict[str, str]) -> dict[str, list[str]]:
    split: dict[str, list[str]] = {}
    for phrase in phrases:
        for letter in _initials(_expand(phrase, words)):
            split.setdefault(letter, []).append(phrase)
    return split


def _initials(pattern: str) -> set[str]:
    """The characters a phrase can begin with: its own first, or that of each alternative of its first group."""
    if pattern.startswith("["):
        return set(pattern[1 : pattern.index("]")])
    if not pattern.startswith("(?:"):
        return {pattern[0]}
    initials: set[str] = set()
    depth, fresh = 0, False
    for index, char in enumerate(pattern):
        if fresh and char not in "(?:":
            initials.add(char)
            fresh = False
        if char == "(":
            depth += 1
            fresh = fresh or index == 0
        elif char == ")":
            depth -= 1
            if depth == 0:
                break
        elif char == "|" and depth == 1:
            fresh = True
    return initials


def _join(phrases: list[str], words: dict[str, str]) -> str:
    """Alternatives, with the first person factored out: it opens most of them."""
    personal = [_expand(phrase.removeprefix("{i}"), words) for phrase in phrases if phrase.startswith("{i}")]
    rest = [_expand(phrase, words) for phrase in phrases if not phrase.startswith("{i}")]
    if personal:
        rest.insert(0, rf"{words['i']}(?=['m]|\s++[a-z]{{2}})(?:{'|'.join(personal)})")
    return f"(?:{'|'.join(rest)})"


def _expand(phrase: str, words: dict[str, str]) -> str:
    """Replaces {name} by its entry and blanks by any white space."""
    for _ in range(3):
        phrase = re.sub(r"\{([a-z]\w*)\}", lambda match: words[match.group(1)], phrase)
    return re.sub(r"(?<!\\) ", r"\\s++", phrase)


def _compile_rule(row: dict[str, Any], body: str, words: dict[str, str]) -> _Rule:
    def condition(name: str) -> re.Pattern[str] | None:
        source: str | None = row.get(name)
        if source is None:
            return None
        expanded = source if source.startswith("(?x)") else _expand(source, words)
        return re.compile(expanded, re.IGNORECASE)

    kind: str = row["kind"]
    exceptions: list[dict[str, str]] = row.get("unless", [])
    return _Rule(
        kind="technical" if kind == "may" else kind,
        action=HedgeAction(row["action"]),
        body=body,
        only_after=condition("only_after"),
        only_before=condition("only_before"),
        unless_after=condition("unless_after"),
        unless_before=condition("unless_before"),
        even_so_before=condition("even_so_before"),
        unless=tuple(
            (re.compile(item["phrase"], re.IGNORECASE), re.compile(_expand(item["before"], words), re.IGNORECASE))
            for item in exceptions
        ),
        is_may=kind == "may",
    )
