"""From a clause to its statements: lists are taken apart, shared subjects and verbs carried over.

Appositions and relative clauses stand on their own, and pronouns are given their names.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cache
from itertools import pairwise, takewhile

from groundwire.text.aspects import UNSAYING, unwrap
from groundwire.text.clefts import Clause, Role, make_small
from groundwire.text.complements import Complement, Modifier, find_correction, read_complement
from groundwire.text.coordination import (
    choose_places,
    divides,
    is_divisible,
    is_other_subject,
    is_rival,
    split_subjects,
)
from groundwire.text.extents import find_extent, is_in_order
from groundwire.text.fronts import read_front
from groundwire.text.function_words import limiting_adverbs, word_group
from groundwire.text.passing import read_asides
from groundwire.text.phrases import Phrase, is_time
from groundwire.text.reports import calls_untrue, is_conditional, is_denied, is_ordered, is_reported, take_replaced
from groundwire.text.statements import (
    NOBODY,
    Statement,
    agree,
    deny,
    find_excepted,
    is_named,
    leave_out,
    locate_thing,
    make_singular,
    make_word,
    names_thing,
    read_gerund,
)  # fmt: skip
from groundwire.text.subjects import Discourse, make_definite
from groundwire.text.timing import find_timing, is_recurring
from groundwire.text.tokens import Token
from groundwire.text.trailing import take_trailing
from groundwire.text.verbs import VerbGroup
from groundwire.types import Span, Tense

_DENYING = frozenset({"doubt", "deny", "dispute"})
"""Who denies that something is so does not say that it is."""
_DENIALS = frozenset({"no", "not", "never", "neither", "nobody", "nothing"})


@cache
def _measuring() -> frozenset[str]:
    """ "Too much salt", "about 40 guests" are not much salt and 40 guests."""
    return limiting_adverbs() | word_group("approximations") | {"too", "very", "exactly"}


class Expander:
    """Turns one clause into its statements."""

    __slots__ = ("clause", "clauses", "discourse", "letters", "tokens")

    def __init__(
        self, tokens: list[Token], letters: str, clause: Clause, clauses: list[Clause], discourse: Discourse
    ) -> None:
        self.tokens, self.letters, self.clause, self.clauses = tokens, letters, clause, clauses
        self.discourse = discourse

    def run(self) -> list[Statement]:
        clause = self.clause
        alone = len(self.clauses) == 1
        denied = is_denied(clause, self.tokens)
        untrue = denied and calls_untrue(clause.parent, self.tokens)
        unasserted = clause.role is Role.CONDITIONAL or (not alone and is_recurring(clause, self.clauses, self.tokens))
        if unasserted or (not alone and self._is_frame()) or (denied and not untrue):
            self._mention(clause.complement)
            return []
        verb, complement, verb_end, aspect = unwrap(clause, self.tokens, self.letters)
        corrects = verb.negated and not clause.cleft
        correction = find_correction(self.tokens, self.letters, verb_end, clause.end) if corrects else None
        if correction is not None:
            clause.end = correction[0] - (2 if self.letters[correction[0] - 2] == "," else 1)
            complement = read_complement(self.tokens, self.letters, verb_end, clause.end)
        if untrue:
            verb = replace(verb, negated=not verb.negated)
        if is_reported(clause) and verb.tense is Tense.PAST and verb.wrapper != "used to":
            verb = replace(verb, tense=Tense.PRESENT)
        replaced = take_replaced(clause) if clause.openings else None
        trailing = take_trailing(clause, self.tokens, self.letters) if complement is clause.complement else None
        complement = complement if trailing is None else clause.complement
        found: list[Statement] = []
        subjects: list[Phrase | None] = list(split_subjects(clause, complement)) or [None]
        for k, subject in enumerate(subjects):
            if subject is not None and (place := find_excepted(subject)) is not None:
                found.extend(self._except(subject, place, verb, complement, verb_end, aspect))
                continue
            found.extend(self._with_subject(subject, verb, complement, verb_end, aspect, last=k == len(subjects) - 1))
        if trailing is not None:
            said = self._with_subject(subjects[0], verb, trailing, verb_end, aspect, last=True)
            for statement in said:
                statement.span = Span(self.tokens[trailing.modifiers[0].start].start, self.tokens[trailing.end - 1].end)
            found.extend(said)
        contrast = (complement.contrast if not verb.negated else None) or complement.replaced or replaced
        if contrast is not None and (rest := self._set_aside(complement, contrast, verb)):
            found.extend(self._deny(subjects[0], verb, (complement, rest), contrast, verb_end, aspect))
        if correction is not None and (instead := self._set_aside(complement, correction, verb)):
            held = replace(verb, negated=not verb.negated)
            found.extend(self._with_subject(subjects[0], held, instead, verb_end, aspect, last=True))
        if complement.gerund is not None:
            holder = self._subject_words(subjects[0])
            found.append(read_gerund(self.tokens, self.letters, holder, subjects[0], complement.gerund))
        found.extend(self._asides(complement))
        if clause.adrift:
            for statement in found:
                statement.adrift = True
        if clause.role is not Role.RELATIVE and (self.discourse.goes_on or not alone):
            self._remember(verb, complement, [s for s in subjects if s is not None])
        return found

    def _deny(
        self, subject: Phrase | None, verb: VerbGroup, said: tuple[Complement, Complement], place: tuple[int, int],
        verb_end: int, aspect: str,
    ) -> list[Statement]:  # fmt: skip
        """What a clause sets aside: "tea, not coffee", "on Thursday, no longer on Monday"."""
        complement, rest = said
        start, limit = place
        over = start > 1 and self.letters[start - 2 : start] == "nR" and self.tokens[start - 1].low == "longer"
        nothing = bool(complement.objects) and complement.objects[0].first_token.low in ("nothing", "nobody", "no")
        denied = replace(verb, negated=verb.negated is nothing)  # "eats nothing except fish": fish is eaten
        found = self._with_subject(subject, denied, rest, verb_end, aspect, last=True)
        for statement in found[-1:]:
            statement.adrift = subject is not None and is_other_subject(complement, rest, subject)
            statement.span = Span(self.tokens[start - 1 - over].start, self.tokens[limit - 1].end)
            statement.adverbs = [*statement.adverbs, *self.tokens[start - 1 : start - 1 + over]]  # it was so before
        return found

    def _asides(self, complement: Complement) -> list[Statement]:
        clause = self.clause
        said_of = clause.appositions or clause.reduced or complement.appositions or complement.reduced
        holder = self._subject_words(clause.subjects[0]) if said_of and clause.subjects else []
        if not said_of and not clause.openings and not complement.objects:
            return []
        return read_asides(self.tokens, self.letters, clause, complement, holder)

    def _remember(self, verb: VerbGroup, complement: Complement, subjects: list[Phrase]) -> None:
        """Whom and what a pronoun can mean from here on."""
        self._mention(complement)
        acting = not verb.passive and verb.lemma != "be"
        for phrase in subjects:
            self.discourse.mention(phrase, acting=acting, thing=names_thing(verb, complement))
        named = complement.objects[0].words() if verb.lemma == "be" and complement.objects else []
        if len(named) > 1 and named[0].tag == "S":
            self.discourse.it = named

    def _except(
        self, subject: Phrase, place: int, verb: VerbGroup, complement: Complement, verb_end: int, aspect: str
    ) -> list[Statement]:
        """ "Everyone except Tom passed": Tom did not."""
        said = self._with_subject(subject, verb, complement, verb_end, aspect, last=True)
        for statement in said:
            statement.subject = self.tokens[subject.start : place]
            statement.set_aside = self.tokens[place : subject.end]
        start = place + 1 + (self.tokens[place + 1].low in ("for", "from"))
        denied = replace(verb, negated=not verb.negated)
        other = Phrase(self.tokens, start, subject.end)
        return [*said, *self._with_subject(other, denied, complement, verb_end, aspect, last=True)]

    def _set_aside(self, complement: Complement, place: tuple[int, int], verb: VerbGroup) -> Complement | None:
        """What "but not …" denies of the same subject; None for "but not inside", which says too little by itself."""
        rest = read_complement(self.tokens, self.letters, *place)
        if rest.objects and complement.modifiers and not complement.objects and not rest.modifiers:
            rest.objects, rest.modifiers = [], [Modifier(complement.modifiers[-1].preposition, rest.objects, *place)]
        timely = rest.objects and complement.objects and is_time(rest.objects[0]) and not rest.modifiers
        if timely and not is_time(complement.objects[0]):
            times = [m.preposition for m in complement.modifiers if is_time(m.phrases[0])]
            role = times[-1] if times else "on"
            rest.objects, rest.modifiers = complement.objects[:1], [Modifier(role, rest.objects, *place)]
        if rest.modifiers and not rest.objects and len(complement.objects) == 1:
            rest.objects = complement.objects  # "is open, but not on Sundays": not open then
        rest.aside = place
        return rest if rest.objects or rest.modifiers or rest.adverbs else None

    def _mention(self, complement: Complement) -> None:
        subject = self.clause.subjects[0].head_token if self.clause.subjects else None
        named_by = self.clause.verb.lemma == "be" and subject is not None and subject.low in ("he", "she")
        if named_by or (subject is not None and subject.low in ("it", "its", "they")):
            return
        spoken_of = subject.low if subject is not None and subject.tag == "p" else ""
        owner = self._subject_words(self.clause.subjects[0]) if self.clause.subjects and not spoken_of else []
        given = complement.second if complement.objects and complement.objects[0].head_token.tag in "pP" else []
        for phrase in [*complement.objects, *given, *(p for m in complement.modifiers for p in m.phrases)]:
            self.discourse.mention(phrase, subject=False, other_than=spoken_of, owner=owner)

    def _is_frame(self) -> bool:
        """ "You told me that…", "Our notes show that…": what counts is the clause inside."""
        follower = self._embedded()
        if follower is None:
            return False
        subject = self.clause.subjects[-1].head_token if self.clause.subjects else None
        believing = self.clause.verb.lemma in word_group("believing")
        other = subject is not None and (subject.tag == "P" or (believing and subject.low in ("he", "she", "they")))
        third_party = other and follower.verb.start - self.clause.verb.end < 8
        third_party = third_party or self._calls_false(follower) or self.clause.verb.lemma in _DENYING
        if third_party:
            follower.antecedent = self.clause.subjects[-1]
            self.clause.complement = copy(self.clause.complement)
            self.clause.complement.end = follower.end
        return not third_party

    def _calls_false(self, follower: Clause) -> bool:
        """ "It is false that…", "It would be wrong to say that…": the clause inside is denied, so it is no claim."""
        between = self.tokens[self.clause.verb.end : follower.verb.start]
        return any(token.low in word_group("false") for token in takewhile(lambda token: token.low != "that", between))

    def _embedded(self) -> Clause | None:
        for clause, follower in pairwise(self.clauses):
            if clause is self.clause:
                inside = follower.role is Role.EMBEDDED and not follower.shared_subject
                return follower if inside and follower.parent is clause else None
        return None

    def _subject_words(self, subject: Phrase | None) -> list[Token]:
        if subject is None:
            return []
        first, *more = words = subject.words()
        if not more and first.tag == "p":
            meant = self.discourse.resolve(first)
            return make_definite(meant) if meant else words
        if first.tag == "S" and first.low not in ("my", "your", "our", "ur"):
            owner = self.discourse.resolve(first)
            if owner:
                clitic = Token("'s", owner[-1].end, owner[-1].end)
                clitic.tag = "'"
                return [*make_definite(owner), clitic, *words[1:]]
        return self._name_pronouns(words, [])

    def _name_pronouns(self, words: list[Token], holder: list[Token]) -> list[Token]:
        """ "You play the oboe in it": in what was spoken of before, where that is not who acts here."""
        for i, token in enumerate(words):
            if token.low not in ("it", "them") or token.tag != "p" or not i or words[i - 1].tag not in "It":
                continue
            meant = self.discourse.resolve(token)
            if meant and meant[-1] not in holder and (token.low == "it" or meant is self.discourse.they):
                first, *rest = make_definite(meant)
                return [*words[:i], first if first.tag in "P@" else make_small(first), *rest, *words[i + 1 :]]
        return words

    def _focus(self, subject: Phrase | None) -> list[Token]:
        """ "Only Ana has a key", "just the admins": of nobody else, which is more than that she has one."""
        start = subject.start if subject is not None else 0
        if not start:
            return []
        measured = limiting_adverbs() if subject is None or subject.letters[0] not in "D#" else _measuring()
        return [t for t in self.tokens[max(0, start - 1) : start] if t.tag == "R" and t.low in measured]

    def _meant(self, member: Phrase | None) -> list[Token] | None:
        if member is None or member.letters != "p":
            return None
        return self.discourse.resolve(member.head_token)

    def _with_subject(
        self, subject: Phrase | None, verb: VerbGroup, complement: Complement, verb_end: int, aspect: str, *, last: bool
    ) -> list[Statement]:
        """One statement for each member of the (single) list in the complement that can be divided."""
        if len(complement.second) > 1 and is_divisible(complement.second, self.tokens, negated=verb.negated):
            found: list[Statement] = []
            for gift in complement.second:
                said = self._with_subject(subject, verb, complement.with_second(gift), verb_end, aspect, last=last)
                if found:
                    said[0].span = Span(gift.first_token.start, self.tokens[gift.end - 1].end)
                found.extend(said)
            return found
        objects: list[Phrase | None] = list(complement.objects) or [None]
        first = complement.objects[0] if len(complement.objects) > 1 else None
        if first is not None and first.end - first.start > 1 and first.words()[0].low == "neither":
            objects[0] = complement.objects[0] = Phrase(self.tokens, first.start + 1, first.end)
            verb = self.clause.verb = replace(verb, negated=not verb.negated)
        if first is not None and len(first.letters) > 1 and first.first_token.low == "both":
            objects[0] = complement.objects[0] = Phrase(self.tokens, first.start + 1, first.end)
        if len(objects) > 1 and not is_divisible(complement.objects, self.tokens, negated=verb.negated):
            objects = [Phrase(self.tokens, complement.objects[0].start, complement.objects[-1].end)]
        many = [m for m in complement.modifiers if len(m.phrases) > 1] if complement.modifiers else ()
        listed = next((m for m in many if divides(m, self.tokens)), None) if many else None
        found = []
        for k, member in enumerate(objects):
            if listed is None or len(objects) > 1:
                found.append(self._statement(subject, verb, complement, verb_end, aspect, member, k, None, None, last))
                continue
            for j, place in enumerate(listed.phrases):
                found.append(
                    self._statement(subject, verb, complement, verb_end, aspect, member, j, listed, place, last)
                )
        return found

    def _statement(
        self, subject: Phrase | None, verb: VerbGroup, complement: Complement, verb_end: int, aspect: str,
        member: Phrase | None, index: int, listed: Modifier | None, chosen: Phrase | None, last: bool,
    ) -> Statement:  # fmt: skip
        clause, tokens = self.clause, self.tokens
        if member is not None and member.negated:
            verb = replace(verb, negated=not verb.negated)
        located = locate_thing(clause.verb, member, complement)
        places = choose_places(tokens, complement, listed, chosen, located)
        modifiers = [(modifier.preposition, p) for modifier, phrases in places for p in phrases]
        if complement.end > clause.end and self._embedded() is not None:
            body = tokens[verb_end : complement.end]
        elif self._is_whole(complement, listed, located):
            body = tokens[verb_end : clause.end]
        else:
            body = self._body(complement, member, places)
        holder, focus = self._subject_words(subject), self._focus(subject)
        if holder and holder[0].low in NOBODY and (left := leave_out(holder)) is not holder:
            focus, holder = [make_word("only", "R", holder[0].start)], left
            focus[0].end = left[0].start - 1
        timing = find_timing(clause, self.clauses, tokens) if len(self.clauses) > 1 else ()
        purpose = tokens[slice(*complement.infinitive)] if complement.infinitive is not None else ()
        told = self._name_pronouns(body, holder)
        words = [*focus, *holder, *self._verb_words(verb, verb_end, subject, body), *told, *timing]
        front = read_front(clause, tokens, focus)
        adverbs = [*focus, *(front.adverbs if front is not None else ()), *complement.adverbs]
        return Statement(
            holder, verb, tokens[clause.verb.start : verb_end], member,
            complement.second[0] if complement.second else None, modifiers, adverbs,
            find_extent(clause, tokens, (subject, member, chosen), verb_end, body, focus, index), words, clause.role,
            order=is_ordered(tokens, self.letters, clause, self.clauses),
            conditional=is_conditional(clause, self.clauses, tokens),
            attributed=clause.antecedent is not None and clause.role is Role.EMBEDDED,
            aspect=aspect, openings=clause.openings, object_words=self._meant(member),
            is_named=member is not None and is_named(member, complement),
            timing=timing, purpose=purpose, front=front,
            adrift=member is not None and member.negated and is_rival(member, subject, complement.objects),
            set_aside=tokens[slice(*complement.replaced)] if complement.replaced is not None else (),
        )  # fmt: skip

    def _body(
        self, complement: Complement, member: Phrase | None, places: list[tuple[Modifier, list[Phrase]]]
    ) -> list[Token]:
        """All the words that follow the verb in this statement."""
        tokens = self.tokens
        moved = complement.aside is not None and complement is not self.clause.complement
        cleft = self.clause.cleft or moved
        body: list[Token] = list(member.words()) if member is not None else []
        body.extend(w for p in complement.second for w in p.words())
        for modifier, phrases in places:
            first = modifier.phrases[0]
            stranded = cleft and not modifier.start <= first.start < modifier.end
            head = tokens[modifier.start : modifier.end if stranded else first.start]
            body.extend(head if head or not cleft else [make_word(f" {modifier.preposition}".rstrip(), "I", -1)])
            body.extend(tokens[phrases[0].start : phrases[-1].end] if len(phrases) > 1 else phrases[0].words())
        body.extend(t for t in complement.adverbs if t not in body)
        if not cleft and is_in_order(self.clause, tokens):
            body.sort(key=lambda t: t.start)
        return body

    def _verb_words(self, verb: VerbGroup, verb_end: int, subject: Phrase | None, body: list[Token]) -> list[Token]:
        """The verb as this statement says it: with its shared auxiliary, in the singular, and with its denial."""
        clause, tokens = self.clause, self.tokens
        words = agree(tokens[clause.verb.start : verb_end], subject, moved=clause.cleft)
        several = len(clause.subjects) > 1 or clause.singular
        single = subject is not None and several and subject.letters != "p"
        if single and subject in clause.subjects:
            words = [make_singular(words[0]), *words[1:]]
        if verb.auxiliary:
            words = [*tokens[verb.auxiliary[0] : verb.auxiliary[1]], *words]
        if not verb.negated:
            return [word for word in words if word.tag != "n"] if clause.verb.negated or clause.cleft else words
        said = any(t.tag == "n" or t.lemma in UNSAYING for t in words) or any(t.low in _DENIALS for t in body[:1])
        return words if said else deny(words)

    def _is_whole(self, complement: Complement, listed: Modifier | None, located: Modifier | None) -> bool:
        """Nothing was taken apart: the clause can be quoted as it stands."""
        if (
            located is not None
            or listed is not None
            or complement.appositions
            or complement.reduced
            or complement.contrast
            or complement.aside
            or complement.gerund
            or self.clause.cleft
            or len(self.clause.complement.second) > 1
        ):
            return False
        divided = len(complement.objects) > 1 and is_divisible(
            complement.objects, self.tokens, negated=self.clause.verb.negated
        )
        start, end = self.clause.verb.start, self.clause.end
        return not divided and not [p for p in complement.objects if p.start < start or p.start >= end]
