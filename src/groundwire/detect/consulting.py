"""What the knowledge base says of every claim of an answer; worked out once, shared by four detectors.

Rules first: each value against the record it speaks of. What they leave open is put to the judge in one call, with
the sentences of the record and the stored statements that come near.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import cast

from groundwire.detect.acquaintance import PERSONS, Acquaintance
from groundwire.detect.assessment import Outcome, Point, Saying, assess, read_saying
from groundwire.detect.examination import Examination
from groundwire.detect.facets import Facet, list_facets, same_words, speaks_of
from groundwire.detect.labels import Label, find_labels
from groundwire.detect.values import read_shape
from groundwire.detect.statements import Encounter, Statements
from groundwire.evidence.knowledge import Knowledge, KnownEntity
from groundwire.evidence.lookups import Entity
from groundwire.evidence.meanings import load_meanings
from groundwire.evidence.phrasing import tell
from groundwire.text.propositions import UNREAD, Argument
from groundwire.text.reading import ReadClaim, Reading, read_text
from groundwire.text.subjects import USER
from groundwire.text.tables import read_table
from groundwire.types import Claim, Passage, ResponseSegment, Span, Verdict, VerifierInput, VerifierOutput
from groundwire.types.memories import Memory

_KEY = "knowledge findings"
_NEAREST = 3
_MOST = 6
_LONGEST = 300
_TAIL = re.compile(r",? (?P<role>from|in|at) (?:the )?(?P<value>[A-Z][\w&-]*(?: [A-Z][\w&-]*){0,3})")
_SURE_OF_RECORD = 0.88
_SURE_OF_KIND = 0.55
_COMPARISONS = frozenset("more less than longer shorter cheaper older younger earlier later".split())  # noqa: SIM905
_BY_RULE = 0.95
_EXPLAINED = 0.6
_PRONOUNS = frozenset("i you we he she it they this that these those there who which".split())  # noqa: SIM905
_GENERIC = frozenset("be have do person thing one will can may day time good new get make go".split())  # noqa: SIM905


class Standing(StrEnum):
    """How a claim stands to what is known."""

    SUPPORTED = "supported"
    DIFFERS = "differs"
    SILENT = "silent"
    UNKNOWN = "unknown"
    EXEMPT = "exempt"


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim, whom it is about, and what is known of that."""

    read: ReadClaim
    standing: Standing
    subject: str = ""
    entity: Entity | None = None
    point: Point | None = None
    statement: Memory | None = None
    confidence: float = 0.0
    points: tuple[Point, ...] = field(default=())

    @property
    def is_event(self) -> bool:
        if self.point is None or self.point.facet is None:
            return False
        return self.point.facet.entity.type.casefold() in event_types()


@cache
def event_types() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["kinds"]["events"])


def consult_knowledge(examined: Examination) -> tuple[Checked, ...]:
    """Every claim of the answer with what is known of it, in text order."""
    known = examined.memo.get(_KEY)
    if known is None:
        known = examined.memo[_KEY] = () if examined.knowledge.is_empty else _Consultation(examined).run()
    return cast("tuple[Checked, ...]", known)


def read_answer(examined: Examination) -> Reading:
    """The answer as the text layer reads it, once."""
    known = examined.memo.get("reading")
    if known is None:
        known = examined.memo["reading"] = read_text(examined.text)
    return cast("Reading", known)


def meet(examined: Examination) -> Acquaintance:
    known = examined.memo.get("acquaintance")
    if known is None:
        known = examined.memo["acquaintance"] = Acquaintance(examined)
    return cast("Acquaintance", known)


class _Consultation:
    """One answer, claim by claim."""

    def __init__(self, examined: Examination) -> None:
        self._examined = examined
        self._people = meet(examined)
        self._facets: dict[int, tuple[Facet, ...]] = {}
        known = examined.knowledge
        told = known.told if isinstance(known, Knowledge) else known.statements
        self._statements = Statements(told, examined.similarity, examined.now)

    def run(self) -> tuple[Checked, ...]:
        wanted = {claim.span for claim in self._examined.claims}
        reads = [read for read in read_answer(self._examined).statements if read.claim.span in wanted or read.is_note]
        checked = [found for read in reads if (found := self._check(read)) is not None]
        checked = self._settle_shared(checked)
        meetings = self._meet_statements(checked)
        checked = self._ask(checked, meetings)
        return (*checked, *self._check_labels())

    def _meet_statements(self, checked: Sequence[Checked]) -> list[_Meeting]:
        """Each sentence with the stored statement nearest to it; rules and permissions are no claims of the text layer."""
        found: list[_Meeting] = []
        for segment in self._examined.segments:
            if segment.text.rstrip().endswith("?") or len(segment.text) > _LONGEST or len(segment.text.split()) < 4:
                continue
            inside = [i for i, c in enumerate(checked) if segment.span.start <= c.read.claim.span.start < segment.span.end]
            if any(checked[i].standing is Standing.DIFFERS for i in inside):
                continue
            encounter = self._statements.meet(segment.text)
            if encounter is None:
                continue
            explained = bool(inside) and all(checked[i].standing is Standing.SUPPORTED for i in inside)
            if not explained or encounter.nearness >= _EXPLAINED:
                found.append(_Meeting(segment, tuple(inside), encounter))
        return found

    # ── by rule ─────────────────────────────────────────────────────────────────────────────────

    def _check(self, read: ReadClaim) -> Checked | None:
        claim, text = read.claim, self._examined.text
        if claim.hedged or claim.quoted or not read.proposition.predicate:
            return None if read.is_note else Checked(read, Standing.EXEMPT)
        named = self._people.spans_between(*claim.span)
        entity, is_sure = self._subject(read, named)
        saying = read_saying(read, text, named)
        stranger = entity is None and not read.is_note and self._is_stranger(read)
        if stranger and not named:
            return Checked(read, Standing.UNKNOWN, read.proposition.subject)
        circle = self._circle(read, entity, named)
        points = self._assess(saying, circle, is_sure=(is_sure or bool(named)) and not read.is_note)
        known = {p.span: p for p in self._assess_roles(read, entity, circle)}
        points = [known.get(p.span, p) for p in points]
        points += [p for p in (*self._assess_tails(read, named), *self._assess_doers(read, circle))]
        wrong = next((p for p in points if p.outcome is Outcome.DIFFERS), None)
        subject = entity.name if entity is not None else read.proposition.subject
        about = entity if is_sure else None
        if wrong is not None and wrong.facet is not None:
            return Checked(read, Standing.DIFFERS, subject, about, wrong, None, wrong.facet.best.trust, tuple(points))
        if read.is_note:
            return None
        if stranger:
            return Checked(read, Standing.UNKNOWN, subject, points=tuple(points))
        if points and all(p.outcome is Outcome.AGREES for p in points):
            return Checked(read, Standing.SUPPORTED, subject, about, points=tuple(points))
        return Checked(read, Standing.SILENT, subject, about, points=tuple(points))

    def _subject(self, read: ReadClaim, named: Sequence[tuple[int, int, Entity]]) -> tuple[Entity | None, bool]:
        """Whom the claim is about, and whether it says so itself."""
        written = read.claim.subject.casefold()
        first = written.split(" ")[0] if written else ""
        subject = read.proposition.subject.removeprefix(f"{USER}'s ")
        at = read.claim.span.start
        if first in ("we", "us") and (firm := self._people.speaker()) is not None:
            return firm, False
        if read.proposition.subject == USER:
            return self._examined.knowledge.get_entity(USER), True
        longer = [e for a, b, e in named if subject and len(self._examined.text[a:b]) > len(subject) + 2
                  and self._examined.text[a:b].startswith(subject)]  # fmt: skip
        if longer:
            return longer[0], True
        for phrase in _owners(subject):
            found = self._people.meant_by(phrase, at)
            if found is not None:
                return found, True
        opening = self._examined.text[at : at + 6].split(" ")[0].casefold()
        if opening in _PRONOUNS | {"its", "his", "her", "their"} and (meant := self._people.meant_by(opening, at)) is not None:
            return meant, True
        inside = [e for a, b, e in named if self._examined.text[a:b] in read.claim.subject]
        return (inside[0], True) if inside else (None, False)

    def _circle(
        self, read: ReadClaim, entity: Entity | None, named: Sequence[tuple[int, int, Entity]]
    ) -> list[Entity]:
        """Whom the claim is about, whom it names, and what is on record about both; else what was spoken of last."""
        circle = [e for e in (entity, *(e for _, _, e in named)) if e is not None]
        if not circle:
            focus = self._people.named_before(read.claim.span.start) or self._people.speaker()
            circle = [focus] if focus is not None else []
        near = [other for e in circle[:2] for other in self._people.related(e)]
        return list(dict.fromkeys((*circle[:3], *near)))[:_MOST]

    def _is_stranger(self, read: ReadClaim) -> bool:
        subject = read.proposition.subject
        return bool(subject) and subject != USER and subject.casefold() not in _PRONOUNS and subject[:1].isupper()

    def _assess(self, saying: Saying, circle: Sequence[Entity], *, is_sure: bool) -> list[Point]:
        found: dict[tuple[int, int], Point] = {}
        for k, entity in enumerate(circle):
            points = assess(saying, self._list(entity), self._examined.knowledge, self._examined.now)
            agreed = [p.facet for p in points if p.outcome is Outcome.AGREES and p.facet is not None and p.facet.kind]
            anchored = bool(agreed) and entity.type.casefold() in event_types()
            for point in points:
                if point.outcome is Outcome.DIFFERS and not _may_count(point, k, anchored, is_sure=is_sure):
                    continue
                known = found.get(point.span)
                if known is None or _WEIGHT[point.outcome] > _WEIGHT[known.outcome]:
                    found[point.span] = point
        return sorted(found.values(), key=lambda p: (-p.sureness, p.span))

    def _assess_roles(self, read: ReadClaim, entity: Entity | None, circle: Sequence[Entity]) -> Iterable[Point]:
        """ "Ida painted it", "she is its curator": the record of the other one says who."""
        if entity is None:
            return
        proposition = read.proposition
        inverse = set(load_meanings().by_inverse.get(proposition.predicate, ())) if not proposition.passive else set()
        being = proposition.predicate == "be"
        said = {w for a in proposition.arguments if a.role == "object" for w in a.lemmas} if being else set[str]()
        names = {n.casefold() for n in (entity.name, *entity.aliases)}
        for other in circle:
            for facet in self._list(other) if other is not entity else ():
                if not (inverse & set(facet.meanings) or facet.words & said):
                    continue
                if any(value.value.casefold() in names for value in facet.values):
                    for argument in proposition.arguments:
                        if not argument.is_time and not any(c.isdigit() for c in argument.text):
                            yield Point(Outcome.AGREES, argument.text, argument.span, facet)

    def _assess_doers(self, read: ReadClaim, circle: Sequence[Entity]) -> Iterable[Point]:
        """ "James Roberts founded Acme" against the founder on record."""
        proposition, subject = read.proposition, read.claim.subject
        inverse = set(load_meanings().by_inverse.get(proposition.predicate, ())) if not proposition.passive else set[str]()
        if not inverse or proposition.negated or not subject[:1].isupper() or subject.casefold() in _PRONOUNS:
            return
        start = self._examined.text.find(subject, read.claim.span.start, read.claim.span.end)
        objects = [a for a in proposition.arguments if a.role == "object"]
        for other in circle[:2]:
            if start < 0 or not any(a.text in (other.name, *other.aliases) for a in objects):
                continue
            for facet in self._list(other):
                if inverse & set(facet.meanings) and not facet.kind and not facet.is_additive:
                    same = any(same_words(subject, shown) for shown in facet.shown)
                    outcome = Outcome.AGREES if same else Outcome.DIFFERS
                    yield Point(outcome, subject, Span(start, start + len(subject)), facet, 0 if same else 4)
                    return

    def _assess_tails(self, read: ReadClaim, named: Sequence[tuple[int, int, Entity]]) -> Iterable[Point]:
        """ "John Smith from Marketing": what stands behind a name says where somebody belongs."""
        for _, end, entity in named:
            match = _TAIL.match(self._examined.text, end, read.claim.span.end)
            if match is None or entity.type.casefold() not in PERSONS:
                continue
            span = Span(match.start("value"), match.end("value"))
            argument = Argument(match["role"], match["value"], span, tuple(match["value"].casefold().split()), False, True)
            proposition = UNREAD._replace(predicate="be", arguments=(argument,), lemmas=frozenset())
            saying = Saying(replace(read, proposition=proposition), self._examined.text, frozenset(), (), ())
            yield from assess(saying, self._list(entity), self._examined.knowledge, self._examined.now)

    def _list(self, entity: Entity) -> tuple[Facet, ...]:
        key = id(entity)
        if key not in self._facets:
            self._facets[key] = list_facets(entity)
        return self._facets[key]

    def _settle_shared(self, checked: list[Checked]) -> list[Checked]:
        """A value that one reading of a sentence explains is not held against another reading of it."""
        right = {p.span for c in checked for p in c.points if p.outcome is Outcome.AGREES}
        return [
            replace(c, standing=Standing.SILENT, point=None)
            if c.standing is Standing.DIFFERS and c.point is not None and c.point.span in right and c.point.text
            else c
            for c in checked
        ]

    def _check_labels(self) -> Iterable[Checked]:
        """ "Price: 399 euros" in a list, and rows of a table."""
        labels = list(find_labels(self._examined.text))
        for label in labels:
            saying = label.as_saying(self._examined.text)
            entity = self._people.named_before(label.span.start) or self._holder(labels)
            if entity is None:
                continue
            points = self._assess(saying, [entity], is_sure=True)
            wrong = next((p for p in points if p.outcome is Outcome.DIFFERS), None)
            if wrong is not None and wrong.facet is not None:
                yield Checked(saying.read, Standing.DIFFERS, entity.name, entity, wrong, None, wrong.facet.best.trust)

    def _holder(self, labels: Sequence[Label]) -> Entity | None:
        """The one entity that has most of the attributes a list gives."""
        if not isinstance(self._examined.knowledge, Knowledge):
            return None
        counts = [(sum(e.has_attribute(label.name) for label in labels), e) for e in self._examined.knowledge.entities]
        most = max((count for count, _ in counts), default=0)
        best = [e for count, e in counts if count == most]
        return best[0] if most >= 2 and len(best) == 1 else None

    # ── by the judge ────────────────────────────────────────────────────────────────────────────

    def _ask(self, checked: list[Checked], meetings: Sequence[_Meeting]) -> list[Checked]:
        """What rules left open, all claims and sentences in one call."""
        questions: list[_Question] = []
        for i, found in enumerate(checked):
            if found.standing is Standing.SILENT:
                questions.extend(self._questions(i, found))
        open_meetings = [m for m in meetings if not m.encounter.is_refuted]
        asked = [_ask_of(q.claim, q.memory) for q in questions]
        asked += [_ask_of(m.segment.text, m.encounter.memory) for m in open_meetings]
        answers = self._examined.judge.judge_all(asked) if asked else []
        by_claim: dict[int, list[tuple[_Question, VerifierOutput]]] = {}
        for question, answer in zip(questions, answers, strict=False):
            by_claim.setdefault(question.number, []).append((question, answer))
        for number, replies in by_claim.items():
            checked[number] = _weigh(checked[number], replies)
        decided = dict(zip([m.segment.index for m in open_meetings], answers[len(questions) :], strict=True))
        for meeting in meetings:
            _settle_meeting(checked, meeting, decided.get(meeting.segment.index))
        return checked

    def _questions(self, number: int, found: Checked) -> Iterable[_Question]:
        """The claim against the sentences of the record that come nearest."""
        words, text = _words_of(found.read), found.read.claim.text
        circle = [e for e in (found.entity, *self._people.named_between(*found.read.claim.span)) if e is not None]
        scored: list[tuple[float, Memory, Facet]] = []
        for entity in dict.fromkeys(circle[:2]):
            for facet in self._list(entity):
                told = _tell(entity, facet)
                shared = sum(any(speaks_of(w, v) for v in words) for w in facet.words)
                scored.append((max(self._examined.similarity(text, told.text), 0.6 * bool(shared)), told, facet))
        scored.sort(key=lambda row: -row[0])
        for score, memory, facet in scored[:_NEAREST]:
            yield _Question(number, text, memory, facet, score)


@dataclass(frozen=True, slots=True)
class _Question:
    number: int
    claim: str
    memory: Memory
    facet: Facet
    score: float


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A sentence, the claims in it, and the stored statement nearest to it."""

    segment: ResponseSegment
    claims: tuple[int, ...]
    encounter: Encounter


def _ask_of(text: str, memory: Memory) -> VerifierInput:
    return VerifierInput(text, (Passage(memory.id, memory.text, memory.trust, memory.timestamp),))


def _settle_meeting(checked: list[Checked], meeting: _Meeting, answer: VerifierOutput | None) -> None:
    """A sentence that the statement refutes; one that it supports needs no other support."""
    encounter = meeting.encounter
    refuted = answer.probabilities.get(Verdict.REFUTED, 0.0) if answer is not None else _BY_RULE
    if any(checked[i].standing is Standing.DIFFERS for i in meeting.claims):
        return
    if answer is not None and answer.verdict is Verdict.SUPPORTED:
        for i in meeting.claims:
            if checked[i].standing is Standing.SILENT:
                checked[i] = replace(checked[i], standing=Standing.SUPPORTED)
        return
    if not encounter.is_refuted and not encounter.is_refuted_at(refuted):
        return
    claim = Claim(meeting.segment.text, meeting.segment.span)
    open_claims = [i for i in meeting.claims if checked[i].standing is not Standing.SUPPORTED]
    if len(open_claims) == 1:
        found = checked[open_claims[0]]
        checked[open_claims[0]] = replace(found, standing=Standing.DIFFERS, statement=encounter.memory, confidence=refuted)
        return
    for i in open_claims:
        checked[i] = replace(checked[i], standing=Standing.EXEMPT)
    read = ReadClaim(claim, (), UNREAD, meeting.segment.span)
    checked.append(Checked(read, Standing.DIFFERS, statement=encounter.memory, confidence=refuted))


def _may_count(point: Point, k: int, anchored: bool, *, is_sure: bool) -> bool:
    """The further from the subject, the surer a difference must be; of what is only supposed, values alone count."""
    if point.facet is None:
        return False
    if not point.text and k:
        return False
    if anchored and point.facet.kind:
        return True
    if not is_sure:
        return bool(point.facet.kind) and point.sureness >= (2 if k == 0 else 3)
    if not point.facet.kind and k:
        return point.sureness >= 4
    return point.sureness >= (1 if k == 0 else 2 if k < 3 else 3)


_WEIGHT = {Outcome.SILENT: 0, Outcome.DIFFERS: 1, Outcome.AGREES: 2}


def _owners(subject: str) -> Iterable[str]:
    """The phrases in a subject that may name whom it is about: all of it, its owner, what it is of."""
    yield subject
    if "'s " in subject:
        yield subject.rpartition("'s ")[0]
    for preposition in (" of ", " for ", " from ", " in ", " at ", " on ", " against ", " with "):
        head, found, tail = subject.partition(preposition)
        if found:
            yield tail
            yield head


def _tell(entity: Entity, facet: Facet) -> Memory:
    value = " and ".join(v.value for v in facet.values[:4])
    best = facet.best
    text = tell(entity.name, entity.type, facet.attribute, value)
    return Memory(f"{entity.name}/{facet.attribute}", text, best.trust, best.timestamp, best.source or None)


def _words_of(read: ReadClaim) -> frozenset[str]:
    found = {*read.proposition.lemmas, *read.proposition.subject_lemmas, read.proposition.predicate}
    return frozenset(found - _GENERIC - {""})


def _weigh(found: Checked, replies: Sequence[tuple[_Question, VerifierOutput]]) -> Checked:
    """Support by any sentence of the record settles it; else the surest refutation, if it is sure enough."""
    unsaid = [p for p in found.points if p.outcome is Outcome.SILENT and p.text not in found.read.claim.text]
    if any(answer.verdict is Verdict.SUPPORTED for _, answer in replies) and not unsaid:
        return replace(found, standing=Standing.SUPPORTED)
    if found.entity is None or _COMPARISONS & set(found.read.claim.text.casefold().split()):
        return found
    question, answer = max(replies, key=lambda reply: reply[1].probabilities.get(Verdict.REFUTED, 0.0))
    refuted = answer.probabilities.get(Verdict.REFUTED, 0.0)
    least, near = (_SURE_OF_KIND, 0.4) if _says_what_it_is(found, question.facet) else (_SURE_OF_RECORD, 0.6)
    if answer.verdict is not Verdict.REFUTED or refuted < least or question.score < near:
        return found
    agreed = [p.facet for p in found.points if p.outcome is Outcome.AGREES]
    doubtful = question.facet in agreed and not question.facet.kind and "status" not in question.facet.meanings
    if (agreed and not (doubtful and len(agreed) == 1)) or not _could_hold(found, question.facet):
        return found
    point = Point(Outcome.DIFFERS, "", found.read.claim.span, question.facet)
    return replace(found, standing=Standing.DIFFERS, point=point, confidence=min(refuted, question.facet.best.trust))


def _could_hold(found: Checked, facet: Facet) -> bool:
    """A stored amount or date is contradicted by another one only."""
    return not facet.kind or any(any(c.isdigit() for c in p.text) or read_shape(p.text)[0] for p in found.points)


def _says_what_it_is(found: Checked, facet: Facet) -> bool:
    """ "Yannick is the Pilates specialist": a kind against a stored kind, with nothing else said."""
    proposition = found.read.proposition
    said = [a for a in proposition.arguments if a.lemmas]
    if proposition.predicate != "be" or len(said) != 1 or said[0].role != "object" or proposition.negated:
        return False
    plain = not set(said[0].lemmas) & opinion_words() and not any(c.isdigit() for c in said[0].text)
    return plain and not facet.kind and not facet.is_switch


@cache
def opinion_words() -> frozenset[str]:
    return frozenset(read_table("types", "detect")["opinions"]["words"])


def span_of(checked: Checked) -> Span:
    return checked.read.claim.span


def known_entity(entity: Entity | None) -> KnownEntity | None:
    return entity if isinstance(entity, KnownEntity) else None
