"""What an answer asserts, statement by statement, in the form in which two of them can be compared."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from groundwire.text.lexicon import noun_lemma, verb_lemma
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.types import ResponseSegment, Span, Tense

_SMALL = r"one|two|three|four|five|six|seven|eight|nine|ten"
_QUANTIFIERS = tuple(
    (name, re.compile(rf"(?:{words})\b"))
    for name, words in (
        (
            "some",
            r"almost|nearly|most|many|not (?:all|every)|some|several|a few|few|half|part|certain|other|another|any",
        ),
        ("all", r"all|every|each|both|everyone|everybody|everything|100% of|whole"),
        ("none", r"no|none|nobody|no[ -]one|nothing|neither|not one|not a single|zero"),
        ("number", rf"\d+|{_SMALL}|eleven|twelve|twenty|thirty|dozens|hundreds"),
        ("number", rf"(?:at least|exactly|only|just|about|around)\s+(?:\d+|{_SMALL})"),
        ("some", r"an?"),
    )
)
_EXCEPTION = re.compile(
    r"\b(?:except|other than|apart from|aside from|but for|excluding|with the exception|besides|save for|bar)\b"
    r"|\b(?:every(?:one|body|thing)|nobody|no one|nothing|none|all) but\b"
)
_LABEL = re.compile(r"[\W\d_]{0,6}\**([A-Z][^.:\n]{0,40}?)\**:\s")
_HEADING = re.compile(r"(?m)^[ \t]*(?:#{1,6} .*|\*\*[^*\n]{1,80}\*\*:?|[A-Z][^.:\n]{0,60}:|[-*=_]{3,})[ \t]*$")
_SPEAKERS = frozenset({"i", "we", "you", "note", "important", "remember", "is", "are", "so", "but"})
_NOT_ALL = re.compile(r"(?i)not (?:all|every|each|everyone|everybody|everything)\b")
_BEING = frozenset({"be", "remain", "stay", "look", "stand"})
_JUDGING = frozenset({"find", "declare", "consider", "deem", "rule"})
_PORTION = re.compile(
    rf"(?:none|all|some|each|both|most|many|several|few|half|any|\d+|{_SMALL}) of (?:(?:the|these|those|our|your|my) )?"
)
_EMPTY = frozenset({"what", "that", "which", "who", "whatever", "as"})
_WORD = re.compile(r"[a-z]+(?:[-'][a-z]+)*")
_HEAD_ENDS = re.compile(r"\s(?:of|in|at|for|with|on|from|to|by|under|over|near|between|about|that|which|who)\s")


REPORTED = re.compile(
    r"(?i)\W*(?:(?:some|many|most|a\s+few|several)\s+(?:(?:people|critics|sources|historians|guides|websites|experts|fans|reports|locals)\s+)?(?:say|claim|believe|think|argue|assume|insist|think)"
    r"|people\s+(?:often\s+)?(?:say|claim|believe|think|assume)|rumou?rs?\s+(?:has\s+it|say|had\s+it)|legend\s+has\s+it|contrary\s+to"
    r"|it\s+(?:is|was)\s+(?:often\s+|sometimes\s+|commonly\s+|widely\s+|once\s+)?(?:said|claimed|believed|assumed|thought|rumou?red))\b"
)
""" "Some say they merged": told in somebody else's voice, and so denied by what follows."""
RETOLD = re.compile(
    r"(?<!\bas )\bi\s+(?:said|told\s+you|wrote|mentioned|stated|claimed)\s+"
    r"(?:earlier|before|previously|at\s+first|that)\b|"
    r"\bcorrect\s+myself\b"
)
""" "I said earlier that it was on Monday": a matter of what was said, not of what is so."""


@cache
def read_logic(name: str) -> frozenset[str]:
    return frozenset(read_table("logic", "detect")[name])


@dataclass(frozen=True, slots=True)
class Assertion:
    """One statement that the answer makes in its own voice."""

    number: int
    text: str
    span: Span
    sentence: Span
    said: str
    """The words of the whole sentence, lower case."""
    words: frozenset[str]
    subject: str
    head: str
    """The noun that the subject is about."""
    details: frozenset[str]
    """The other words of the subject: which one is meant."""
    quantifier: str
    """all, none, some, number; empty for one particular thing."""
    has_exception: bool
    predicate: str
    states: frozenset[str]
    """Every word under which the state may be known: "closed" and close."""
    is_state: bool
    negated: bool
    tense: Tense
    modal: str
    arguments: tuple[Argument, ...]
    adverbs: frozenset[str]
    scope: tuple[int, str]
    read: ReadClaim

    @property
    def shifts(self) -> frozenset[str]:
        found = self.words & read_logic("shifts")
        clock = any(
            a.role == "until" and any(":" in lemma or lemma.isdigit() for lemma in a.lemmas) for a in self.arguments
        )
        if "right now" in self.said:
            found -= {"now"}
        return found - {"until"} if clock else found

    @property
    def times(self) -> frozenset[tuple[str, ...]]:
        return frozenset(a.lemmas for a in self.arguments if a.is_time and a.lemmas != ("same", "time"))

    @property
    def is_particular(self) -> bool:
        return self.quantifier == "" and bool(self.head)


def read_assertions(text: str) -> list[Assertion]:
    """The statements of an answer in order; questions, quotations, hedged and hypothetical ones are none."""
    headings = [match.start() for match in _HEADING.finditer(text)]
    found: list[Assertion] = []
    person: Assertion | None = None
    for number, read in enumerate(read_text(text).statements):
        claim, proposition = read.claim, read.proposition
        if claim.quoted or claim.hedged or not proposition.predicate or proposition.is_fragment:
            continue
        if proposition.subject.lower() in _EMPTY or (read.is_note and proposition.subject == USER):
            continue
        if _NOT_ALL.match(text, max(0, claim.span.start - 4)):
            continue  # "Not every window is locked" says nothing of every window
        said = text[read.sentence.start : read.sentence.end]
        if REPORTED.match(said):
            continue
        scope = (bisect_right(headings, claim.span.start), _label(said))
        assertion = _assert(number, read, said.lower().replace("’", "'"), scope)
        if assertion.head in ("he", "she") and person is not None:
            assertion = replace(assertion, head=person.head, details=person.details)
        elif assertion.is_particular and (
            assertion.head in read_logic("people") or proposition.subject in proposition.names
        ):
            person = assertion
        found.append(assertion)
        if (derived := _read_existence(assertion)) is not None:
            found.append(derived)
    return found


def _label(said: str) -> str:
    """What a line is headed with: "Pro plan: …"; "I checked: …" is no label."""
    match = _LABEL.match(said)
    words = match[1].lower().split() if match is not None else []
    return " ".join(words) if len(words) <= 4 and not _SPEAKERS.intersection(words) else ""


def _read_existence(assertion: Assertion) -> Assertion | None:
    """ "There are five free seats" says of five seats that they are free."""
    if assertion.subject.lower() != "there" or assertion.predicate != "be":
        return None
    thing = next((a for a in assertion.arguments if a.role == "object" and not a.is_name), None)
    lemmas = [lemma for lemma in thing.lemmas if not lemma[:1].isdigit()] if thing is not None else []
    if thing is None or len(lemmas) != 2:
        return None
    return replace(
        assertion,
        subject=thing.text,
        head=lemmas[1],
        details=frozenset(),
        quantifier="number",
        states=frozenset(lemmas[:1]),
        is_state=True,
        arguments=tuple(a for a in assertion.arguments if a is not thing),
    )


def join_segments(segments: Sequence[ResponseSegment]) -> str:
    """The answer again, from its sentences; what stood between them becomes white space."""
    parts: list[str] = []
    at = 0
    for segment in segments:
        gap = segment.span.start - at
        parts += [("\n" if gap > 1 else " ") * max(0, gap), segment.text]
        at = segment.span.end
    return "".join(parts)


def _assert(number: int, read: ReadClaim, said: str, scope: tuple[int, str]) -> Assertion:
    claim, proposition = read.claim, read.proposition
    words = frozenset(_WORD.findall(said))
    quantifier = _quantifier(claim.subject.lower(), said, proposition)
    head, details = _split_subject(proposition, claim.subject)
    own = claim.text.lower()
    return Assertion(
        number=number,
        text=claim.text,
        span=claim.span,
        sentence=read.sentence,
        said=said,
        words=words,
        subject=proposition.subject,
        head=head,
        details=details,
        quantifier=quantifier,
        has_exception=_EXCEPTION.search(said) is not None,
        predicate=proposition.predicate,
        states=_states(proposition, claim.predicate.lower(), head),
        is_state=_is_state(proposition, claim.predicate.lower()),
        negated=proposition.negated or own.startswith(("nothing ", "neither ", "not one ", "not a single ")),
        tense=proposition.tense,
        modal={"ca": "can", "wo": "will", "cannot": "can"}.get(proposition.modal, proposition.modal),
        arguments=tuple(a for a in proposition.arguments if a.lemmas != ("same", "time")),
        adverbs=frozenset((*proposition.adverbs, *(w for w in ("never", "always", "all") if f" {w} " in f" {own} "))),
        scope=scope,
        read=read,
    )


def _quantifier(subject: str, said: str, proposition: Proposition) -> str:
    for name, pattern in _QUANTIFIERS:
        if (match := pattern.match(subject)) is not None:
            return name if match.end() < len(subject) or name != "number" else ""
    if subject.endswith(("of any kind", "of any sort", "of all kinds")):
        return "all"
    return "all" if "all" in proposition.adverbs and subject.endswith("s") else ""


def _split_subject(proposition: Proposition, claim_subject: str) -> tuple[str, frozenset[str]]:
    if proposition.subject == USER:
        return USER, frozenset()
    subject = proposition.subject.removeprefix(f"{USER}'s ")
    low = _PORTION.sub("", subject.lower(), count=1) if _PORTION.match(subject.lower()) else subject.lower()
    part = _HEAD_ENDS.split(low, maxsplit=1)[0].split()
    named = [word for word in part if word[:1].isalpha()] or part
    head = noun_lemma(named[-1].strip(".,'\"")) if named else ""
    skipped = {"kind", "sort", "none", "single", "whole", "such", "entire", "same", "own", "1"}
    details = frozenset(lemma for lemma in proposition.subject_lemmas if lemma != head) - skipped
    if re.match(r"(?:all|both|none of|every one of|each of)\b", claim_subject.lower()):  # "all three sensors"
        details = frozenset(detail for detail in details if not detail.isdigit())
    return head, details


def _is_state(proposition: Proposition, predicate: str) -> bool:
    last = predicate.split()[-1] if predicate else ""
    if proposition.passive and proposition.predicate in _JUDGING:
        return True
    if proposition.predicate in ("work", "function", "operate") and proposition.tense is Tense.PRESENT:
        return True
    if proposition.passive and proposition.adverbs:
        return True  # sold out, switched off
    if predicate.startswith(("has ", "have ")) and not any(a.role == "object" for a in proposition.arguments):
        return True  # has shattered
    return (
        proposition.predicate == "be" or (proposition.passive and last in read_logic("lasting")) or last.endswith("ing")
    )


def _states(proposition: Proposition, predicate: str, head: str) -> frozenset[str]:
    """The words of the state itself; an adjective counts only where it is all that is said."""
    found: set[str] = set()
    if proposition.aspect:  # "closed to traffic" reads as an infinitive
        return frozenset({proposition.aspect.split()[0], predicate.split()[-1] if predicate else ""} - {""})
    if proposition.predicate != "be":
        last = predicate.split()[-1] if predicate else ""
        if not proposition.passive or last in read_logic("lasting"):
            found.add(proposition.predicate)
        if proposition.passive or last.endswith("ing") or predicate.startswith(("has ", "have ")):
            found.add(last)
    for argument in proposition.arguments:
        judged = proposition.passive and proposition.predicate in ("find", "declare", "consider", "deem", "rule")
        if argument.role != "object" or not (
            judged or proposition.predicate in ("be", "remain", "stay", "look", "stand")
        ):
            continue
        lemmas = [lemma for lemma in argument.lemmas if lemma not in (head, "number", "thing", "state", "condition")]
        shown = argument.text.lower()
        compares = " " not in shown and shown.endswith("er") and lemmas[-1:] != [shown]
        if len(lemmas) == 1 and not compares:
            found.update((lemmas[0], argument.text.lower()))
        elif lemmas and verb_lemma(lemmas[0]):
            found.add(lemmas[0])
    if proposition.predicate == "be":
        found.update(proposition.adverbs)
        found.update(
            f"{a.role} {a.text.lower()}"
            for a in proposition.arguments
            if a.role in ("in", "on", "out of", "under", "at") and not a.is_time
        )
    elif proposition.passive and proposition.adverbs:
        found.add(f"{predicate.split()[-1] if predicate else ''} {proposition.adverbs[-1]}")
    return frozenset(found)
