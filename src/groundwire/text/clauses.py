"""Clauses: who does what, read from the tags of one sentence.

Verb groups are found first; what stands between two of them decides where one clause ends, what kind
the next one is, and whose subject it has.
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.text.clefts import (
    Clause,
    Role,
    join_causative,
    own_by,
    resolve_clefts,
    resolve_echoes,
    resolve_ellipses,
    share_objects,
    take_part_of,
)
from groundwire.text.complements import Complement, read_complement
from groundwire.text.function_words import embedding_verbs, word_group
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.places import is_place
from groundwire.text.straightening import fill_relative, straighten
from groundwire.text.subject_phrases import read_subject
from groundwire.text.subjects import may_be_person
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token
from groundwire.text.unclear import is_unclear, let_go
from groundwire.text.verbs import VerbGroup, is_past, read_destined, read_verb_groups

_UNREAD = Complement()
"""Stands in a new clause until all of them are known; what follows each verb is read then."""
_TRAILING_SUBJECT = re.compile(r"(?:p|(?:DS|[DS])?[#JNPG]*[NPG#](?:'[#JNPG]*[NPG#])*)$")


_NOMINAL = re.compile("[DSNPp#JGE]")
_CLAUSE_OPENERS = word_group("clause_openers") | {"like", "than"}
_LINKED = re.compile(r"[DS][JN#]*Nt")
""" "The spare key to it"."""
_CONTACT = re.compile(r"(?P<noun>D[J#NP]*N)(?:p|S[JN]*N|P+)")
_OPENED = re.compile("[DJ#]*[NP]p")
_OBLIQUE = frozenset({"me", "him", "us", "them", "her"})
_JOINING = re.compile("[,;:CUW-]")


@cache
def _abstract_nouns() -> frozenset[str]:
    return frozenset(read_table("grammar")["abstract"]["nouns"])


def read_clauses(tokens: list[Token], letters: str) -> list[Clause]:
    """The clauses of a tagged sentence, in order."""
    groups = read_verb_groups(tokens, letters)
    if not groups:
        return []
    return _Segmenter(tokens, letters, groups).run()


class _Segmenter:
    """Walks the verb groups once, from left to right, keeping the clause whose verb is still awaited."""

    __slots__ = ("clauses", "groups", "letters", "pending", "reduced", "tokens")

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
        limit, starts = len(self.letters), [c.start for c in self.clauses]
        for k, clause in enumerate(self.clauses):
            end = limit
            if k + 1 < len(starts):
                end = min([start for start in starts[k + 1 :] if start >= clause.verb.end], default=limit)
            while end > clause.verb.end and self.letters[end - 1] in ',.;:-CUW"':
                end -= 1
            clause.end = end
            clause.complement = read_complement(self.tokens, self.letters, clause.verb.end, clause.end)
            if clause.complement.reduced:
                join_causative(clause)
            if is_unclear(clause, self.letters):
                let_go(clause, self.clauses)
            if clause.antecedent is not None:
                fill_relative(self.tokens, clause, clause.antecedent, led=self._is_led(clause.start + 1))
        straighten(self.tokens, self.letters, self.clauses)
        if len(self.clauses) == 1:
            return self.clauses
        share_objects(self.clauses)
        resolve_echoes(self.tokens, self.clauses)
        resolve_ellipses(self.tokens, self.clauses)
        return resolve_clefts(self.tokens, self.letters, self.clauses)

    def _is_object_of(self, start: int) -> bool:
        """Behind a preposition that opens no clause."""
        return self.letters[start - 1] in "It" and self.tokens[start - 1].low not in _CLAUSE_OPENERS

    def _place(self, group: VerbGroup, previous: int, *, first: bool) -> None:
        start, role = self._boundary(group, previous, first=first)
        begin = start
        while begin < group.start and self.letters[begin] in ',.;:-CU"':
            begin += 1
        if role is Role.RELATIVE:
            self._add_relative(group, start)
            return
        subjects, openings, appositions = self._read_subject(begin, group.start)
        if (
            group.progressive
            and group.end - group.start == 2
            and subjects
            and self._is_no_doer(subjects[-1].head_token.lemma, group.end)
        ):
            group.end, group.lemma, group.progressive = group.end - 1, "be", False
        if group.lemma == "be" and subjects and self._is_destined(group, subjects[-1]):
            read_destined(group, self.tokens, self.letters)
        parent = self.clauses[-1] if self.clauses else None
        bare = role is Role.EMBEDDED and self._is_bare(group, subjects)
        if role is Role.EMBEDDED and parent is not None and parent.role is role and self.letters[start - 1] == "C":
            parent = parent.parent  # "that … and that …": one report of both
        clause = Clause(
            group, subjects, _UNREAD, start, group.end, role, None, parent,
            openings=openings, appositions=appositions, reduced=self.reduced,
        )  # fmt: skip
        self.reduced = []
        robbed = role is Role.EMBEDDED and start > 0 and self._is_object_of(start) and parent is not None
        clause.adrift = bare or robbed  # "the year you moved to Rome was 2019": Rome was nothing
        if robbed and parent is not None:
            parent.adrift = True
        if not subjects and self._commands(start, group):
            clause.order = True
        elif not subjects:
            self._inherit(clause)
            clause.adrift = self._is_adrift(clause, start)
        if self.tokens[start].low == "nor":
            group.negated = not group.negated
        elif clause.shared_subject and self.clauses and self._shares_denial(self.clauses[-1].verb, group):
            group.negated, group.tense, group.modal = True, self.clauses[-1].verb.tense, self.clauses[-1].verb.modal
        elif clause.shared_subject and group.auxiliary and group.negated and self.tokens[group.start - 1].low == "but":
            clause.adrift = True  # "you weren't fired but quit"
        elif clause.shared_subject and self.clauses and self._is_choice(group):
            clause.adrift = self.clauses[-1].adrift = True
        self.clauses.append(clause)

    def _shares_denial(self, earlier: VerbGroup, group: VerbGroup) -> bool:
        """ "I don't eat or drink dairy", "never owned, rented or drove a car": what "or" joins is denied as well."""
        alone = group.end - group.start == 1 and self.letters[group.start] in "VBE"
        joined = group.start > 0 and self.tokens[group.start - 1].low == "or"
        return alone and joined and earlier.negated and not group.negated

    def _is_choice(self, group: VerbGroup) -> bool:
        """ "You walk or take the bus": which of the two is not said."""
        before = self.tokens[group.start - 1] if group.start else None
        return before is not None and before.low == "or" and not self.clauses[-1].verb.negated and not group.negated

    def _commands(self, start: int, group: VerbGroup) -> bool:
        """ "…, so please check the label": after "so", a bare verb is an order."""
        first = self.tokens[group.start]
        verb = self.tokens[group.end - 1]
        if verb.lemma == "let" or first.low == "please":
            return True
        bare = verb.low == verb.lemma and verb.tag in "VB" and not group.negated
        bare = bare or (group.negated and any(t.low == "do" for t in self.tokens[group.start : group.end]))
        earlier = self.clauses[-1] if self.clauses else None
        opened = earlier is not None and earlier.role in (Role.SUBORDINATE, Role.CONDITIONAL) and earlier.start <= 2
        if bare and opened and self.letters[group.start - 1] == ",":
            return True  # "since your lease ends in May, start looking"
        return bare and any(t.low in ("so", "please", "then") for t in self.tokens[start : group.start + 1])

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

    def _read_subject(
        self, start: int, end: int
    ) -> tuple[list[Phrase], list[tuple[str, Phrase]], list[tuple[Phrase, Phrase]]]:
        found = read_subject(self.tokens, self.letters, start, end)
        if found.reduced:
            self.reduced.extend(found.reduced)
        if len(found.phrases) == len(found.appositions) == 1 and _tells_who(*found.appositions[0], found.phrases[0]):
            (described, name), *_ = found.appositions
            return [name], found.openings, [(name, described)]
        return found.phrases, found.openings, found.appositions

    def _is_destined(self, group: VerbGroup, subject: Phrase) -> bool:
        """Not "My goal is to be promoted", "The trick is to stir": there the infinitive says what the subject is."""
        head = subject.head_token
        if head.tag in "Pp":
            return True
        return self.letters.startswith("tbE", group.end) and head.lemma not in _abstract_nouns()

    def _is_no_doer(self, noun: str, end: int) -> bool:
        """A hobby does nothing, nor does a title: "is purchasing clerk"."""
        named = self.letters[end : end + 1] == "N" and noun in read_table("grammar")["abstract"]["names"]
        return named or noun in _abstract_nouns()

    def _is_bare(self, group: VerbGroup, subjects: list[Phrase]) -> bool:
        """ "You saw Ana leave": a verb without any ending, said of one person, is no sentence of its own."""
        verb = self.tokens[group.end - 1]
        single = group.end - group.start == 1 and verb.tag in "VB" and verb.low == verb.lemma and not is_past(verb)
        who = subjects[-1] if subjects else None
        return single and who is not None and (who.letters.strip("P") == "" or who.first_token.low in _OBLIQUE)

    def _is_adrift(self, clause: Clause, start: int) -> bool:
        """A verb that something stands before, but neither a subject of its own nor what could join it to another."""
        before = clause.verb.start
        if not clause.subjects:
            opened = self.letters[start:before].strip('R,.-"')
            return not self.clauses and bool(opened) and _NOMINAL.search(opened) is not None
        earlier = self.clauses[-1] if self.clauses else None
        if earlier is None or not clause.shared_subject or clause.role is Role.RELATIVE:
            return False
        return _JOINING.search(self.letters, earlier.verb.end, before) is None

    def _add_relative(self, group: VerbGroup, start: int) -> None:
        """ "Ana, who runs a café": the noun before the relative pronoun is what the clause is about."""
        marked = self.letters[start] in "WU"
        part = Phrase(self.tokens, start, start + 1) if self._is_part(start + 2) else None
        led = self._is_led(start + 1)
        position = start if marked else start + 2 if part else start + 1 if led else start - 1
        before = start - 1
        while before >= 0 and self.letters[before] in ",-":
            before -= 1
        antecedent = self._phrase_ending(before + 1)
        if antecedent is not None and self.letters[: antecedent.start].endswith(",n"):
            antecedent = self._phrase_ending(antecedent.start - 2)  # "It was Lise, not Karin, who…"
        if self.tokens[position].low == "who":
            antecedent = self._person_before(antecedent)
        described = self._described(antecedent)
        if not self.clauses and self.pending is None:
            begin = 0
            subjects, openings, appositions = self._read_subject(begin, before + 1)
            self.pending = Clause(
                group, subjects, _UNREAD, begin, before + 1, openings=openings, appositions=appositions
            )
        subjects, _, _ = self._read_subject(position + 1, group.start)
        if self.tokens[position].low == "whose" and subjects and antecedent:
            subjects, antecedent = [own_by(described or antecedent, subjects[0])], None
        if part is not None and antecedent is not None and not subjects:
            antecedent = described = take_part_of(antecedent, part)
        found = subjects or ([described or antecedent] if antecedent else [])
        relative = Clause(group, found, _UNREAD, start, group.end, Role.RELATIVE, antecedent)
        relative.parent = self.clauses[-1] if self.clauses else None
        relative.shared_subject = not subjects
        self.clauses.append(relative)

    def _person_before(self, antecedent: Phrase | None) -> Phrase | None:
        """ "a nurse from Lviv who paints": "who" is nobody's place."""
        start = antecedent.start if antecedent is not None else 0
        if antecedent is None or start < 2 or self.letters[start - 1] != "I":
            return antecedent
        named = antecedent.letters.strip("P") == "" and is_place(tuple(token.low for token in antecedent.words()))
        return (self._phrase_ending(start - 1) or antecedent) if named else antecedent

    def _described(self, antecedent: Phrase | None) -> Phrase | None:
        """ "You are a vegetarian who hates olives": who is called something is what the clause is about."""
        main = self.clauses[-1] if self.clauses else None
        if antecedent is None or main is None or main.verb.lemma != "be" or len(main.subjects) != 1:
            return None
        said_of = antecedent.start == main.verb.end and antecedent.letters[0] == "D" and not main.verb.negated
        return main.subjects[0] if said_of and main.subjects[0].letters != "D" else None

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
            if self._is_part(position):
                return position - 2, Role.RELATIVE
            if self._is_led(position):
                return position - 1, Role.RELATIVE
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
        at = max(gap.rfind("C"), gap.rfind(","))
        if (
            at >= 0
            and _OPENED.fullmatch(gap, at + 1)
            and is_time(Phrase(self.tokens, previous + at + 1, group.start - 1))
        ):
            return previous + at, Role.MAIN  # "…, but these days you live in Osaka"
        comma = gap.rfind(",")
        if comma >= 0 and (self.pending is not None or self._is_subject(gap[comma + 1 :])):
            return previous + comma, Role.MAIN
        if self.pending is not None and (
            not _ends_with_pronoun(gap) or self.tokens[group.start - 1].low in _OBLIQUE  # "who treated me is"
        ):
            return group.start, Role.MAIN
        return self._unmarked(group, previous, gap)

    def _first_boundary(self, group: VerbGroup, gap: str) -> tuple[int, Role]:
        """ "The town you live in is…": a noun directly before a subject pronoun carries a relative clause."""
        found = _CONTACT.fullmatch(gap.rstrip("R")) if len(self.groups) > 1 else None
        if found is None or is_time(Phrase(self.tokens, 0, found.end("noun"))):
            return 0, Role.MAIN
        following = self.groups[1]
        bare = following.lemma == "be" and not self.letters[group.end : following.start].strip("ItR")
        if gap[found.end("noun")] == "P" and not bare:
            return 0, Role.MAIN  # "the singer Adele sings and is…"
        return found.end("noun"), Role.RELATIVE

    def _is_part(self, position: int) -> bool:
        """ "two ferries, one of which…", "three sons, all of whom…": some of them are what the clause is about."""
        if position < 3 or self.letters[position - 3 : position - 2] != "," or position >= len(self.letters):
            return False
        is_of = self.tokens[position - 1].low == "of" and self.letters[position] == "W"
        return is_of and self.letters[position - 2] in "#DJNp"

    def _is_led(self, position: int) -> bool:
        """ "a club for which you play", "six rooms, of which three…": the clause begins with its preposition."""
        if not 1 < position < len(self.letters) or self.tokens[position].low not in ("which", "whom"):
            return False
        return self.letters[position - 1] == "I" and self.letters[position - 2] in "NP#,)"

    def _is_subject(self, letters: str) -> bool:
        return (
            not letters.strip("R")
            or _TRAILING_SUBJECT.fullmatch(letters.strip("R,")) is not None
            or ("I" in letters or _LINKED.match(letters) is not None)
        )

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
            noun_before = noun_before and self.tokens[position - 1].low not in word_group("stated")
            return Role.RELATIVE if noun_before and verb not in embedding_verbs() else Role.EMBEDDED
        return Role.SUBORDINATE

    def _unmarked(self, group: VerbGroup, previous: int, gap: str) -> tuple[int, Role]:
        found = _TRAILING_SUBJECT.search(gap)
        begin = previous + (found.start() if found else len(gap))
        verb = self.clauses[-1].verb.lemma if self.clauses else ""
        if verb in embedding_verbs() or found is None:
            return begin, Role.EMBEDDED
        if len(self.clauses) == 1 and self.clauses[0].role is Role.SUBORDINATE:
            return begin, Role.MAIN  # "Before I retired I lived in Madrid"
        if begin > previous and self.tokens[begin - 1].low in word_group("stated"):
            return begin, Role.EMBEDDED
        if begin > previous and (
            self.letters[begin - 1] in "NP"
            or self.tokens[begin - 1].low in ("something", "someone", "anything", "somebody")
        ):
            return begin, Role.RELATIVE
        return begin, Role.EMBEDDED


def _ends_with_pronoun(gap: str) -> bool:
    return gap.endswith("p") and not gap.endswith(("Ip", "tp"))


def _tells_who(described: Phrase, name: Phrase, subject: Phrase) -> bool:
    """ "The designer, Olu, is on leave" is told of Olu, who is the designer."""
    named = not name.letters.strip("P") and name.end == name.start + 1 and "P" not in described.letters
    return described is subject and named and described.letters[0] in "DS" and may_be_person(described.head_token.low)
