"""What rules leave open, put to the judge in one call: the nearest sentences of a record, the nearest statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import Acquaintance
from groundwire.detect.records.bounds import is_scaled
from groundwire.detect.records.checked import Checked, Standing, opinion_words, sets_apart
from groundwire.detect.records.facets import Facet, repeats, speaks_of
from groundwire.detect.records.sayings import Outcome, Point, Sureness
from groundwire.detect.records.statements import Encounter
from groundwire.detect.records.values import read_shape
from groundwire.detect.weighing.asking import hear
from groundwire.evidence.lookups import Entity
from groundwire.evidence.phrasing import tell_plainly
from groundwire.evidence.relating import tell_relation
from groundwire.judge.hybrid import HybridJudge
from groundwire.text.propositions import UNREAD
from groundwire.text.reading import ReadClaim
from groundwire.types import Claim, Passage, ResponseSegment, Verdict, VerifierInput, VerifierOutput
from groundwire.types.memories import Memory

_NEAREST = 3
_AKIN = 0.2
_SURE_OF_RECORD = 0.88
_SURE_OF_KIND = 0.55
_SURE_OF_ROLE = 0.96
_BY_RULE = 0.95
_SURE_IN_SPITE = 0.92
_AT_MOST = 0.75
"""How sure a judge of language alone can be: enough to point at a sentence, too little to change it."""
_GENERIC = frozenset("be have do person thing one will can may day time good new get make go".split())  # noqa: SIM905


class Inquiry:
    """The questions of one answer."""

    def __init__(
        self, examined: Examination, people: Acquaintance, facets_of: Callable[[Entity], tuple[Facet, ...]]
    ) -> None:
        self._examined = examined
        self._people = people
        self._list = facets_of

    def ask(self, checked: list[Checked], meetings: Sequence[Meeting]) -> list[Checked]:
        """What rules left open, all claims and sentences in one call."""
        questions: list[_Question] = []
        for i, found in enumerate(checked):
            if found.standing is Standing.SILENT:
                questions.extend(self._questions(i, found))
        open_meetings = [m for m in meetings if not m.encounter.is_refuted]
        asked = [_ask_of(q.claim, q.memory) for q in questions]
        asked += [_ask_of(m.segment.text, m.encounter.memory) for m in open_meetings]
        answers = hear(self._examined).judge_all(asked)
        by_claim: dict[int, list[tuple[_Question, VerifierOutput]]] = {}
        for question, answer in zip(questions, answers, strict=False):
            by_claim.setdefault(question.number, []).append((question, answer))
        for number, replies in by_claim.items():
            found = checked[number]
            if not is_scaled(self._examined.text[found.read.sentence.start : found.read.sentence.end]):
                is_model = isinstance(self._examined.judge, HybridJudge)
                checked[number] = _weigh(found, replies, leaves_ties=is_model)
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
            if score >= _AKIN:
                yield _Question(number, text, memory, facet, score)


@dataclass(frozen=True, slots=True)
class _Question:
    number: int
    claim: str
    memory: Memory
    facet: Facet
    score: float


@dataclass(frozen=True, slots=True)
class Meeting:
    """A sentence, the claims in it, and the stored statement nearest to it."""

    segment: ResponseSegment
    claims: tuple[int, ...]
    encounter: Encounter


def _ask_of(text: str, memory: Memory) -> VerifierInput:
    return VerifierInput(text, (Passage(memory.id, memory.text, memory.trust, memory.timestamp),))


def _settle_meeting(checked: list[Checked], meeting: Meeting, answer: VerifierOutput | None) -> None:
    """A sentence that the statement refutes; one that it supports needs no other support."""
    encounter = meeting.encounter
    refuted = answer.probabilities.get(Verdict.REFUTED, 0.0) if answer is not None else _BY_RULE
    surely = refuted if encounter.is_refuted else min(refuted, _AT_MOST)
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
        checked[open_claims[0]] = replace(
            found, standing=Standing.DIFFERS, statement=encounter.memory, confidence=surely
        )
        return
    for i in open_claims:
        checked[i] = replace(checked[i], standing=Standing.EXEMPT)
    read = ReadClaim(claim, (), UNREAD, meeting.segment.span)
    checked.append(Checked(read, Standing.DIFFERS, statement=encounter.memory, confidence=surely))


def _weigh(
    found: Checked, replies: Sequence[tuple[_Question, VerifierOutput]], *, leaves_ties: bool = False
) -> Checked:
    """Support by any sentence of the record settles it; else the surest refutation, if it is sure enough.

    What a relation seems to deny is left open where a model will read it both ways.
    """
    unsaid = [p for p in found.points if p.outcome is Outcome.SILENT and p.text not in found.read.claim.text]
    if any(answer.verdict is Verdict.SUPPORTED for _, answer in replies) and not unsaid:
        return replace(found, standing=Standing.SUPPORTED)
    if found.entity is None or sets_apart(found.read.claim.text):
        return found
    sure = [(refuted, q) for q, answer in replies if (refuted := _refutes(found, q, answer))]
    if not sure:
        return found
    refuted, question = max(sure, key=lambda pair: (pair[1].facet.is_relation, pair[0]))
    point = Point(Outcome.DIFFERS, "", found.read.claim.span, question.facet)
    if leaves_ties and question.facet.is_relation:
        return found
    confidence = min(refuted, question.facet.best.trust, _AT_MOST)
    return replace(found, standing=Standing.DIFFERS, point=point, confidence=confidence)


def _refutes(found: Checked, question: _Question, answer: VerifierOutput) -> float:
    """The probability that the sentence of the record refutes the claim; 0 where that is not sure enough."""
    refuted, facet = answer.probabilities.get(Verdict.REFUTED, 0.0), question.facet
    least, near = (_SURE_OF_KIND, 0.4) if _says_what_it_is(found, facet) else (_SURE_OF_RECORD, 0.6)
    if "title" in facet.meanings:
        least = _SURE_OF_ROLE  # a rector may be a linguist as well
    if answer.verdict is not Verdict.REFUTED or refuted < least or question.score < near:
        return 0.0
    if not found.read.proposition.negated and repeats(facet, found.read.claim.text):
        return 0.0
    return 0.0 if _is_borne_out(found, facet, refuted) or not _could_hold(found, facet) else refuted


def _is_borne_out(found: Checked, facet: Facet, refuted: float) -> bool:
    """A value that agrees with the record speaks for the claim; a word in common only asks for more certainty."""
    agreed = [p for p in found.points if p.outcome is Outcome.AGREES and p.facet is not None]
    strong = any(p.facet.kind or p.sureness >= Sureness.NAMED for p in agreed if p.facet is not None)
    same_state = any(p.facet is facet and "status" in facet.meanings for p in agreed)
    return strong or same_state or (bool(agreed) and refuted < _SURE_IN_SPITE)


def _could_hold(found: Checked, facet: Facet) -> bool:
    """A stored amount or date is contradicted by another one only."""
    kinds = {read_shape(p.text)[0] for p in found.points} - {""}
    if not facet.kind:
        return True
    if kinds:
        return facet.kind in kinds or "when" in (facet.kind, *kinds)
    return any(any(map(str.isdigit, p.text)) for p in found.points)


def _says_what_it_is(found: Checked, facet: Facet) -> bool:
    """ "Yannick is the Pilates specialist": a kind against a stored kind, with nothing else said."""
    proposition = found.read.proposition
    said = [a for a in proposition.arguments if a.lemmas]
    if proposition.predicate != "be" or len(said) != 1 or said[0].role != "object" or proposition.negated:
        return False
    plain = not set(said[0].lemmas) & opinion_words() and not any(map(str.isdigit, said[0].text))
    return plain and not facet.kind and not facet.is_switch


def _tell(entity: Entity, facet: Facet) -> Memory:
    value = " and ".join(v.value for v in facet.values[:4])
    best = facet.best
    tell = tell_relation if facet.is_relation else tell_plainly
    text = tell(entity.name, entity.type, facet.attribute, value)
    return Memory(f"{entity.name}/{facet.attribute}", text, best.trust, best.timestamp, best.source or None)


def _words_of(read: ReadClaim) -> frozenset[str]:
    found = {*read.proposition.lemmas, *read.proposition.subject_lemmas, read.proposition.predicate}
    return frozenset(found - _GENERIC - {""})
