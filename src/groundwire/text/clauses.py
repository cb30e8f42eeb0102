"""Clauses: who does what, read from the tags of one sentence.

Verb groups are found first; what stands between two of them decides where one clause ends, what kind
the next one is, and whose subject it has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache

from groundwire.text import lexicon
from groundwire.text.phrases import Complement, Modifier, Phrase, is_time, match_noun_phrase, read_complement
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.types import Tense

_VERB_GROUP = re.compile(
    r"[Rn]*(?:M[Rn]*(?:h[Rn]*)?(?:b[Rn]*){0,2}[BEGVhd]?|d[Rn]*[BVhdb]?|h[Rn]*(?:b[Rn]*){0,2}[EGV]?|b[Rn]*(?:b[Rn]*)?[EGV]?|V)"
)
_TRAILING_SUBJECT = re.compile(r"(?:p|(?:DS|[DS])?[#JNPG]*(?:'[#JNPG]+)*[NPG#])$")


class Role(StrEnum):
    """How a clause is attached, which decides whether it is asserted."""

    MAIN = "main"
    RELATIVE = "relative"
    EMBEDDED = "embedded"
    SUBORDINATE = "subordinate"
    CONDITIONAL = "conditional"


@dataclass(slots=True)
class VerbGroup:
    start: int
    end: int
    lemma: str = ""
    passive: bool = False
    negated: bool = False
    tense: Tense = Tense.PRESENT
    modal: str = ""
    perfect: bool = False
    progressive: bool = False
    auxiliary: tuple[int, int] | None = None
    """Where the auxiliary stands that a conjoined participle shares."""
    wrapper: str = ""
    """The verb around an infinitive: "want" in "want to learn"; the group's lemma is then "learn"."""


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
    openings: list[tuple[str, Phrase]] = field(default_factory=list[tuple[str, Phrase]])
    """Adverbials before the subject: ("in", May), ("", last year)."""
    appositions: list[tuple[Phrase, Phrase]] = field(default_factory=list[tuple[Phrase, Phrase]])
    reduced: list[tuple[Phrase, int, int]] = field(default_factory=list[tuple[Phrase, int, int]])


@cache
def _embedding_verbs() -> frozenset[str]:
    return frozenset(read_table("grammar")["embedding"]["verbs"])


@cache
def _subjectless_verbs() -> frozenset[str]:
    return frozenset(read_table("grammar")["subjectless"]["verbs"])


@cache
def _abstract_nouns() -> frozenset[str]:
    return frozenset(read_table("grammar")["abstract"]["nouns"])


def read_clauses(tokens: list[Token], letters: str) -> list[Clause]:
    """The clauses of a tagged sentence, in order."""
    groups = _verb_groups(tokens, letters)
    if not groups:
        return []
    return _Segmenter(tokens, letters, groups).run()


def _verb_groups(tokens: list[Token], letters: str) -> list[VerbGroup]:
    groups: list[VerbGroup] = []
    i, count = 0, len(letters)
    while i < count:
        found = _VERB_GROUP.search(letters, i)
        first = letters.find("B", i, found.start() if found else count) if not groups else -1
        again = groups and letters[groups[0].start] == "B"
        if again:
            first = next((k for k in range(i, found.start() if found else count) if letters[k] == "B" and letters[k - 1] in ",C"), -1)
        if first >= 0 and (again or first == 0 or letters[:first].strip('R,.-"') == ""):
            groups.append(VerbGroup(first, first + 1))
            i = first + 1
            continue
        if found is None:
            break
        i = found.end()
        if found.start() and letters[found.start() - 1] == "t":
            continue
        group = VerbGroup(found.start(), found.end())
        groups.append(group)
    for group in groups:
        _read_group(group, tokens, letters)
    return _with_conjoined(groups, tokens, letters)


def _with_conjoined(groups: list[VerbGroup], tokens: list[Token], letters: str) -> list[VerbGroup]:
    """ "is written in Rust, deployed on Fly and maintained by Ana": each participle shares the auxiliary."""
    found: list[VerbGroup] = []
    for k, group in enumerate(groups):
        found.append(group)
        limit = groups[k + 1].start if k + 1 < len(groups) else len(letters)
        wanted = "E" if group.passive or group.perfect else ("G" if group.progressive else "")
        if not wanted:
            continue
        for i in range(group.end + 1, limit):
            if letters[i] == wanted and letters[i - 1] in ",C" and letters[i + 1 : i + 2] not in ("N", "P") and "C" in letters[group.end : limit]:
                found.append(replace(group, start=i, end=i + 1, lemma=tokens[i].lemma, auxiliary=(group.start, group.end - 1)))
    return found


_PAST_FORMS = frozenset({"was", "were", "had", "did"})


def _read_group(group: VerbGroup, tokens: list[Token], letters: str) -> None:
    words = tokens[group.start : group.end]
    verbs = [token for token in words if token.tag in "MhbdVBEG"]
    main = verbs[-1]
    group.lemma = {"b": "be", "h": "have", "d": "do"}.get(main.tag, main.lemma)
    group.negated = any(token.tag == "n" for token in words) or (group.end < len(tokens) and tokens[group.end].tag == "n")
    group.passive = main.tag == "E" and any(token.tag == "b" for token in verbs[:-1])
    group.progressive = main.tag == "G"
    finite = verbs[0]
    if main.low == "got" and finite.tag == "h" and len(verbs) == 2:
        group.lemma = "have"
    if group.lemma == "get" and letters[group.end : group.end + 1] == "E" and not group.passive:
        group.lemma, group.passive, group.end = tokens[group.end].lemma, True, group.end + 1
        group.tense = Tense.PRESENT
        return
    group.perfect = finite.tag == "h" and len(verbs) > 1 and main.tag in "EVG"
    if finite.tag == "M":
        group.modal = finite.low
        if finite.low in ("will", "'ll", "’ll", "shall", "wo"):
            group.tense = Tense.FUTURE
    elif is_past(finite):
        group.tense = Tense.PAST
    _read_wrappers(group, tokens, letters)


def is_past(token: Token) -> bool:
    """Is this finite verb a past form?"""
    if token.low in _PAST_FORMS:
        return True
    if token.tag not in "VE" or token.low == token.lemma:
        return False
    return any(tag in ("VBD", "VBN") for tag, _ in lexicon.readings(token.low)) and not token.low.endswith("ing")


def _read_wrappers(group: VerbGroup, tokens: list[Token], letters: str) -> None:
    """ "used to live", "is going to move", "have to leave": the inner verb carries the content."""
    end = group.end
    if letters[end : end + 2] not in ("tB", "tb", "th", "td") and not (letters[end : end + 3] in ("tRB", "tnB")):
        return
    inner = end + (2 if letters[end + 1] in "Rn" else 1)
    habit = group.lemma == "use" and not group.passive and not group.progressive and group.modal == ""
    future = group.progressive and group.lemma == "go"
    if not habit and not future:
        return
    group.tense = Tense.PAST if habit else Tense.FUTURE
    group.wrapper = "used to" if habit else ""
    group.progressive = False
    group.end = inner + 1
    inner_token = tokens[inner]
    group.lemma = {"b": "be", "h": "have", "d": "do"}.get(inner_token.tag, inner_token.lemma)
    if inner_token.tag == "b" and letters[group.end : group.end + 1] in ("E", "G"):
        group.passive = letters[group.end] == "E"
        group.lemma = tokens[group.end].lemma
        group.end += 1


class _Segmenter:
    """Walks the verb groups once, from left to right, keeping the clause whose verb is still awaited."""

    def __init__(self, tokens: list[Token], letters: str, groups: list[VerbGroup]) -> None:
        self.tokens = tokens
        self.letters = letters
        self.groups = groups
        self.clauses: list[Clause] = []
        self.reduced: list[tuple[Phrase, int, int]] = []
        self.pending: Clause | None = None
        """A stand-in for the main clause while its subject is followed by a relative clause."""

    def run(self) -> list[Clause]:
        for k, group in enumerate(self.groups):
            previous = self.groups[k - 1].end if k else 0
            self._place(group, previous, first=k == 0)
        limit = len(self.letters)
        for k, clause in enumerate(self.clauses):
            after = min((c.start for c in self.clauses[k + 1 :] if c.start >= clause.verb.end), default=limit)
            clause.end = after
            while clause.end > clause.verb.end and self.letters[clause.end - 1] in ",.;:-CUW\"":
                clause.end -= 1
            clause.complement = read_complement(self.tokens, self.letters, clause.verb.end, clause.end)
            if clause.role is Role.RELATIVE and clause.antecedent is not None and not clause.shared_subject and not clause.complement.objects:
                clause.complement.objects = [clause.antecedent]
        self._share_objects()
        return self._resolve_clefts()

    def _resolve_clefts(self) -> list[Clause]:
        """ "Puma is the company you work for" says that you work for Puma; so do its turned-round cousins."""
        dropped: set[int] = set()
        for main in self.clauses:
            if main.verb.lemma != "be" or main.verb.passive or not main.subjects:
                continue
            for inner in self.clauses:
                if inner is main or inner.role not in (Role.RELATIVE, Role.EMBEDDED) or id(inner) in dropped:
                    continue
                if self._fill_gap(main, inner):
                    dropped.add(id(main))
                    break
        return [c for c in self.clauses if id(c) not in dropped]

    def _fill_gap(self, main: Clause, inner: Clause) -> bool:
        tokens, letters = self.tokens, self.letters
        subject, objects = main.subjects[0], main.complement.objects
        before = tokens[inner.start - 1] if inner.start else None
        free = tokens[inner.start].tag == "W" and tokens[inner.start].low in ("where", "what") and before is not None and before.tag in "bn"
        antecedent = inner.antecedent
        if subject.head_token.low == "it" and inner.shared_subject and inner.start >= main.verb.end:
            return bool(objects)
        if antecedent is not None and inner.shared_subject:
            return False
        if free or (antecedent is not None and objects and antecedent.start >= main.verb.end):
            filler: Phrase | None = subject
        elif antecedent is not None and subject.start <= antecedent.start < subject.end and objects and inner.end <= main.verb.start:
            filler = objects[0]
        else:
            return False
        if filler is None or (antecedent is not None and antecedent.head_token.tag == "P"):
            return False
        inner.role = Role.MAIN
        inner.verb.negated = inner.verb.negated != main.verb.negated
        if antecedent is not None and inner.complement.objects == [antecedent]:
            inner.complement.objects = []
        stranded = inner.end - 1 if inner.end > inner.verb.end and letters[inner.end - 1] in "It" else None
        where = tokens[inner.start].low == "where"
        if stranded is not None:
            inner.complement.modifiers.append(Modifier(tokens[stranded].low, [filler], stranded, inner.end))
        elif where:
            inner.complement.modifiers.append(Modifier("in", [filler], inner.start, inner.end))
        else:
            inner.complement.objects = [filler]
        inner.cleft = True
        return True

    def _share_objects(self) -> None:
        """ "bought and restored a boat": a verb directly before "and" has the object of the next one."""
        for clause, following in zip(self.clauses, self.clauses[1:], strict=False):
            bare = not clause.complement.objects and not clause.complement.modifiers and clause.complement.infinitive is None
            single = following.verb.end - following.verb.start == 1 and not clause.verb.negated
            if bare and single and following.shared_subject and following.start == clause.verb.end and following.complement.objects:
                clause.complement = replace(following.complement, reduced=[], appositions=[])

    def _place(self, group: VerbGroup, previous: int, *, first: bool) -> None:
        start, role = self._boundary(group, previous, first=first)
        begin = start
        while begin < group.start and self.letters[begin] in ",.;:-CU\"":
            begin += 1
        if role is Role.RELATIVE:
            self._add_relative(group, start)
            return
        subjects, openings, appositions = self._subject(begin, group.start)
        if group.progressive and group.end - group.start == 2 and subjects and subjects[-1].head_token.lemma in _abstract_nouns():
            group.end, group.lemma, group.progressive = group.end - 1, "be", False
        parent = self.clauses[-1] if self.clauses else None
        clause = Clause(group, subjects, Complement(), start, group.end, role, None, parent, openings=openings, appositions=appositions)
        clause.reduced, self.reduced = self.reduced, []
        if not subjects:
            self._inherit(clause)
        self.clauses.append(clause)

    def _inherit(self, clause: Clause) -> None:
        """A verb without a subject of its own takes the pending one, or that of the clause before it."""
        if self.pending is not None:
            clause.subjects, clause.openings = self.pending.subjects, self.pending.openings
            clause.appositions = self.pending.appositions
            clause.parent, self.pending = None, None
            return
        for earlier in reversed(self.clauses):
            if earlier.subjects and (earlier.role is not Role.RELATIVE or clause.role is Role.RELATIVE):
                clause.subjects, clause.shared_subject = earlier.subjects, True
                if clause.role is Role.MAIN:
                    clause.role = earlier.role
                return

    def _add_relative(self, group: VerbGroup, start: int) -> None:
        """ "Ana, who runs a café": the noun before the relative pronoun is what the clause is about."""
        marked = self.letters[start] in "WU"
        position = start if marked else start - 1
        before = start - 1
        while before >= 0 and self.letters[before] in ",-":
            before -= 1
        antecedent = self._phrase_ending(before + 1)
        if not self.clauses and self.pending is None:
            begin = 0
            subjects, openings, appositions = self._subject(begin, before + 1)
            self.pending = Clause(group, subjects, Complement(), begin, before + 1, openings=openings, appositions=appositions)
        subjects, _, _ = self._subject(position + 1, group.start)
        relative = Clause(group, subjects or ([antecedent] if antecedent else []), Complement(), start, group.end, Role.RELATIVE, antecedent)
        relative.parent = self.clauses[-1] if self.clauses else None
        relative.shared_subject = not subjects
        self.clauses.append(relative)

    def _phrase_ending(self, end: int) -> Phrase | None:
        """The noun phrase that ends at `end`."""
        found = _TRAILING_SUBJECT.search(self.letters[:end])
        if found is None:
            return None
        return Phrase(self.tokens, found.start(), end)

    def _boundary(self, group: VerbGroup, previous: int, *, first: bool) -> tuple[int, Role]:
        """Where the clause of `group` begins, and how it is attached to what came before."""
        gap = self.letters[previous : group.start]
        mark = max(gap.rfind("U"), gap.rfind("W"))
        if mark >= 0:
            position = previous + mark
            return position, self._marked_role(position, group)
        if first:
            return self._first_boundary(group, gap)
        for marks in (";", ":", "-"):
            at = gap.rfind(marks)
            if at >= 0:
                return previous + at, Role.MAIN
        at = gap.find(",C") if ",C" in gap and self._is_subject(gap[gap.find(",C") + 2 :]) else gap.rfind("C")
        if at >= 0 and self._is_subject(gap[at + (2 if gap[at] == "," else 1) :]):
            return previous + at, Role.MAIN
        comma = gap.rfind(",")
        if comma >= 0 and (self.pending is not None or self._is_subject(gap[comma + 1 :])):
            return previous + comma, Role.MAIN
        if self.pending is not None and not _ends_with_pronoun(gap):
            return group.start, Role.MAIN
        return self._unmarked(group, previous, gap)

    def _first_boundary(self, group: VerbGroup, gap: str) -> tuple[int, Role]:
        """ "The town you live in is…": a noun directly before a subject pronoun carries a relative clause."""
        clean = gap.rstrip("R")
        if clean.endswith("p") and len(clean) > 2 and clean[0] == "D" and clean[-2] == "N" and "," not in clean and "I" not in clean:
            noun = Phrase(self.tokens, 0, len(clean) - 1)
            if not is_time(noun) and len(self.groups) > 1:
                return len(clean) - 1, Role.RELATIVE
        return 0, Role.MAIN

    def _is_subject(self, letters: str) -> bool:
        return not letters.strip("R") or _TRAILING_SUBJECT.fullmatch(letters.strip("R,")) is not None or "I" in letters

    def _marked_role(self, position: int, group: VerbGroup) -> Role:
        token = self.tokens[position]
        if token.tag == "W":
            before = self.letters[position - 1] if position else "^"
            return Role.RELATIVE if before in "NP,#p)'" else Role.EMBEDDED
        if token.low in ("if", "unless", "whether"):
            return Role.CONDITIONAL
        if token.low == "that":
            verb = self.clauses[-1].verb.lemma if self.clauses else ""
            noun_before = position > 0 and self.letters[position - 1] in "NP"
            return Role.RELATIVE if noun_before and verb not in _embedding_verbs() else Role.EMBEDDED
        return Role.SUBORDINATE

    def _unmarked(self, group: VerbGroup, previous: int, gap: str) -> tuple[int, Role]:
        found = _TRAILING_SUBJECT.search(gap)
        begin = previous + (found.start() if found else len(gap))
        verb = self.clauses[-1].verb.lemma if self.clauses else ""
        if verb in _embedding_verbs() or found is None:
            return begin, Role.EMBEDDED
        if begin > previous and (self.letters[begin - 1] in "NP" or self.tokens[begin - 1].low in ("something", "someone", "anything", "somebody")):
            return begin, Role.RELATIVE
        return begin, Role.EMBEDDED

    def _subject(self, start: int, end: int) -> tuple[list[Phrase], list[tuple[str, Phrase]], list[tuple[Phrase, Phrase]]]:
        """Subjects, opening adverbials and appositions between a clause's start and its verb."""
        tokens, letters = self.tokens, self.letters
        openings: list[tuple[str, Phrase]] = []
        phrases: list[Phrase] = []
        appositions: list[tuple[Phrase, Phrase]] = []
        i, after_conjunction = start, False
        while i < end:
            letter = letters[i]
            if letter in "It":
                phrase = match_noun_phrase(tokens, letters, i + 1, end)
                if phrase is not None and phrases and not is_time(phrase):
                    phrases[-1] = Phrase(tokens, phrases[-1].start, phrase.end)
                elif phrase is not None:
                    openings.append((tokens[i].low, phrase))
                i = phrase.end if phrase is not None else i + 1
                continue
            if letter == "C":
                after_conjunction = True
            if letter == "E" and phrases and letters[i - 1] in ",NP" and i > start:
                close = letters.find(",", i, end)
                close = close if close > 0 else end
                self.reduced.append((phrases[-1], i, close))
                i = close
                continue
            phrase = match_noun_phrase(tokens, letters, i, end) if letter in "DS#JNPGpE@" else None
            if phrase is None:
                i += 1
                continue
            i = phrase.end
            self._sort_phrase(phrase, end, phrases, openings, appositions, after_conjunction)
            after_conjunction = False
        return phrases, openings, appositions

    def _sort_phrase(
        self, phrase: Phrase, end: int, phrases: list[Phrase], openings: list[tuple[str, Phrase]],
        appositions: list[tuple[Phrase, Phrase]], after_conjunction: bool,
    ) -> None:  # fmt: skip
        follows = phrase.end < end and any(letter in "DSNPp#JG" for letter in self.letters[phrase.end : end])
        if is_time(phrase) and follows and not phrases:
            openings.append(("", phrase))
        elif not phrases or after_conjunction:
            phrases.append(phrase)
        elif self.letters[phrase.start - 1] == "," and "C" not in self.letters[phrase.end : end]:
            if phrase.end < end and self.letters[phrase.end] == ",":
                appositions.append((phrases[-1], phrase))
            else:
                openings.extend(("", earlier) for earlier in phrases)
                phrases[:] = [phrase]
        elif self.letters[phrase.start - 1] == ",":
            phrases.append(phrase)
        elif phrase.letters == "p" or phrase.letters[0] in "DS":
            openings.extend(("", earlier) for earlier in phrases)
            phrases[:] = [phrase]
        else:
            phrases[-1] = Phrase(self.tokens, phrases[-1].start, phrase.end)


def _ends_with_pronoun(gap: str) -> bool:
    return gap.endswith("p")


def is_order(tokens: list[Token], letters: str, clause: Clause) -> bool:
    """An imperative: a bare verb with nobody before it, unless "I" was plainly left out."""
    token = tokens[clause.verb.start]
    if clause.subjects or clause.role is not Role.MAIN:
        return False
    verb = tokens[clause.verb.end - 1]
    if token.low in ("let", "please") or token.low == "let's":
        return True
    if token.tag in "dM" and clause.verb.negated:
        return True
    return verb.tag in "B" and verb.low == verb.lemma and verb.lemma not in _subjectless_verbs()
