"""What the knowledge base says of every claim of an answer; worked out once, shared by four detectors.

Rules first: each value against the record it speaks of. What they leave open is put to the judge in one call, with
the sentences of the record and the stored statements that come near.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from groundwire.detect.examination import Examination
from groundwire.detect.records.acquaintance import agrees, meet
from groundwire.detect.records.assessment import assess
from groundwire.detect.records.bearers import is_of_other
from groundwire.detect.records.bidding import find_bidden
from groundwire.detect.records.checked import Checked, Standing, event_types, sets_apart
from groundwire.detect.records.facets import Facet, list_facets, repeats, same_words, speaks_of
from groundwire.detect.records.fiction import is_imagined
from groundwire.detect.records.fronts import read_front
from groundwire.detect.records.gapping import find_gapped, without_gapped
from groundwire.detect.records.inquiry import Inquiry, Meeting
from groundwire.detect.records.invention import is_worked_out
from groundwire.detect.records.known_names import attribute_vocabulary, is_plain_noun
from groundwire.detect.records.labels import Label, find_labels
from groundwire.detect.records.refutations import refute
from groundwire.detect.records.roles import assess_doers, assess_roles, assess_tails, assess_works
from groundwire.detect.records.sayings import Outcome, Point, Saying, Sureness, begins_within, read_saying
from groundwire.detect.records.second_opinions import begin_to_doubt, doubt
from groundwire.detect.records.settling import Settlement
from groundwire.detect.records.statements import Statements, says_a_rule
from groundwire.detect.records.subject_phrases import is_reported, owners, without_lead
from groundwire.detect.records.values import read_shape
from groundwire.detect.weighing.units import is_aside
from groundwire.evidence.knowledge import Knowledge
from groundwire.evidence.lookups import Entity
from groundwire.evidence.meanings import are_similar, attribute_words, meanings_of
from groundwire.judge.hybrid import HybridJudge
from groundwire.text.lexicon import noun_lemma
from groundwire.text.reading import ReadClaim, Reading, read_text
from groundwire.text.subjects import USER
from groundwire.types import Span
from groundwire.types.memories import Memory

_KEY = "knowledge findings"
_MOST = 6
_LONGEST = 300
_EXPLAINED = 0.6
_ADDED = re.compile(r"\b(?:plus|in total|altogether|in all)\b", re.IGNORECASE)
_SUMS = frozenset({"total", "amount", "sum", "add"})
_ANYBODY = frozenset({"you", "one", "we", "everybody", "everyone", "anyone", "people"})
_PRONOUNS = frozenset(
    "i you we he she it they this that these those there who which its his her their".split()  # noqa: SIM905
)


def consult_knowledge(examined: Examination) -> tuple[Checked, ...]:
    """Every claim of the answer with what is known of it, in text order."""
    known = examined.memo.get(_KEY)
    if known is None:
        is_idle = examined.knowledge.is_empty or is_imagined(examined)
        known = examined.memo[_KEY] = () if is_idle else _Consultation(examined).run()
    return cast("tuple[Checked, ...]", known)


def read_answer(examined: Examination) -> Reading:
    """The answer as the text layer reads it, once."""
    known = examined.memo.get("reading")
    if known is None:
        known = examined.memo["reading"] = read_text(examined.text)
    return cast("Reading", known)


class _Consultation:
    """One answer, claim by claim."""

    def __init__(self, examined: Examination) -> None:
        self._examined = examined
        self._people = meet(examined)
        known = examined.knowledge
        self._facets: dict[int, tuple[Facet, ...]] = {}
        if isinstance(known, Knowledge):
            self._facets = cast("dict[int, tuple[Facet, ...]]", known.memo.setdefault("facets", self._facets))
        told = known.told if isinstance(known, Knowledge) else known.statements
        self._statements = Statements(told, examined.similarity, examined.now, self._people.without_names)

    def run(self) -> tuple[Checked, ...]:
        wanted = {claim.span for claim in self._examined.claims}
        reads = [read for read in read_answer(self._examined).statements if read.claim.span in wanted or read.is_note]
        reads = [one for read in reads for one in read_front(read, self._examined.text)]
        checked = [found for read in reads if (found := self._check(read)) is not None]
        checked += [wrong for wrong in self._check_orders(checked) if wrong is not None]
        gapped = [*find_gapped(self._examined, self._people, self._list, checked)]
        checked = refute(self._examined, self._settle_shared([*without_gapped(checked, gapped), *gapped]))
        meetings = self._meet_statements(checked)
        is_model = isinstance(self._examined.judge, HybridJudge)
        checked = Inquiry(self._examined, self._people, self._list).ask(checked, () if is_model else meetings)
        if is_model:
            begin_to_doubt(self._examined, checked)
            checked = Settlement(self._examined, self._people, self._list).settle(checked, meetings)
            checked = [*doubt(self._examined, checked)]
        return tuple(_without_repetitions((*checked, *self._check_labels())))

    def _meet_statements(self, checked: Sequence[Checked]) -> list[Meeting]:
        """Each sentence with the stored statement nearest to it; permissions are no claims of the text layer."""
        found: list[Meeting] = []
        starts = [segment.span.start for segment in self._examined.segments]
        by_segment: dict[int, list[int]] = defaultdict(list)
        for i, one in enumerate(checked):
            by_segment[bisect_right(starts, one.read.claim.span.start) - 1].append(i)
        for place, segment in enumerate(self._examined.segments):
            if segment.text.rstrip().endswith("?") or len(segment.text) > _LONGEST or len(segment.text.split()) < 4:
                continue
            inside = by_segment[place]
            if any(checked[i].standing is Standing.DIFFERS for i in inside):
                continue
            if not inside and not says_a_rule(segment.text):
                continue
            if any(_is_sum(checked[i]) for i in inside) or self._is_compared(segment.text):
                continue
            before = self._examined.segments[place - 1].text if place else ""
            encounter = self._statements.meet(segment.text, before, partial(self._is_of_other, segment.span))
            if encounter is None:
                continue
            explained = bool(inside) and all(checked[i].standing is Standing.SUPPORTED for i in inside)
            surely = explained and all(any(p.sureness >= Sureness.NAMED for p in checked[i].points) for i in inside)
            if not surely and (not explained or encounter.nearness >= _EXPLAINED):
                found.append(Meeting(segment, tuple(inside), encounter))
        return found

    def _is_of_other(self, span: Span, memory: Memory) -> bool:
        return is_of_other(self._examined, memory, span)

    def _is_compared(self, text: str) -> bool:
        """ "You save 40 euros": worked out from two amounts that are known."""
        is_set_apart = sets_apart(text) or _ADDED.search(text) is not None
        return is_set_apart and is_worked_out(self._examined, text)

    # ── by rule ─────────────────────────────────────────────────────────────────────────────────

    def _check(self, read: ReadClaim) -> Checked | None:
        claim, text = read.claim, self._examined.text
        aside = any(is_aside(read, s) for s in self._examined.segments if s.span.start <= claim.span.start < s.span.end)
        aside = aside or begins_within(text, claim.span.start)
        if claim.hedged or claim.quoted or aside or not read.proposition.predicate or is_reported(text, claim.span):
            return None if read.is_note else Checked(read, Standing.EXEMPT)
        named = self._find_named(read)
        entity, is_sure = self._subject(read, named)
        saying = read_saying(read, text, named)
        stranger = entity is None and not read.is_note and self._is_stranger(read)
        if stranger and not named:
            return Checked(read, Standing.UNKNOWN, read.proposition.subject)
        circle = self._circle(read, entity, named)
        direct = len({id(e) for e in (entity, *(e for _, _, e in named)) if e is not None})
        points = self._assess(saying, circle, direct, is_sure=(is_sure or bool(named)) and not read.is_note)
        owned = self._owned(read, entity)
        points = [p for p in points if p.outcome is not Outcome.DIFFERS or _is_of(p.facet, owned)]
        if stranger:  # what is known of others says nothing against somebody unknown
            points = [p for p in points if p.outcome is not Outcome.DIFFERS]
        known = {p.span: p for p in assess_roles(read, entity, circle, self._list)}
        points = [known.get(p.span, p) for p in points]
        points.extend(assess_tails(self._examined, read, named, self._list))
        points.extend(assess_doers(self._examined, read, circle, self._list))
        works = {p.span: p for p in assess_works(read, self._people, circle, self._list)}
        points = [*works.values(), *(p for p in points if p.span not in works)]
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

    def _find_named(self, read: ReadClaim) -> list[tuple[int, int, Entity]]:
        """Whom a claim names; what stands in front of it belongs to it: "With the Sparrow Account you pay …"."""
        span = read.claim.span
        found = self._people.spans_between(*span)
        outside = [a.span for a in read.proposition.arguments if a.span.end <= span.start or a.span.start >= span.end]
        if not found and read.claim.subject.casefold() in _ANYBODY:
            found = [named for place in outside for named in self._people.spans_between(*place)]
        return found

    def _subject(self, read: ReadClaim, named: Sequence[tuple[int, int, Entity]]) -> tuple[Entity | None, bool]:
        """Whom the claim is about, and whether it says so itself."""
        written = read.claim.subject.casefold()
        first = written.split(" ")[0] if written else ""
        subject = without_lead(read.proposition.subject.removeprefix(f"{USER}'s "))
        at = read.claim.span.start
        if first in ("we", "us") and (firm := self._people.speaker()) is not None:
            return firm, False
        if first == "there" and len({id(e) for _, _, e in named}) == 1:
            return named[0][2], True
        if read.proposition.subject == USER:
            user = self._examined.knowledge.get_entity(USER)
            return user, user is not None
        longer = [e for a, b, e in named if subject and len(self._examined.text[a:b]) > len(subject) + 2
                  and self._examined.text[a:b].startswith(subject)]  # fmt: skip
        if longer:
            return longer[0], True
        if (headed := self._find_headed(read, subject)) is not None:
            return headed, True
        opening = self._examined.text[at : at + 6].split(" ")[0].casefold()
        for phrase, is_owner in owners(subject):
            found = self._people.meant_by(phrase, at)
            if found is not None and opening in ("he", "she") and not agrees(opening, found):
                found = self._people.meant_by(opening, at)  # whoever reads the text for itself knows no genders
            if found is not None and phrase != subject and (holder := self._holding(found, subject)) is not None:
                return holder, True
            if found is not None:
                return found, is_owner
        if opening in _PRONOUNS and (meant := self._people.meant_by(opening, at)) is not None:
            return meant, True
        inside = [e for a, b, e in named if self._examined.text[a:b] in read.claim.subject]
        return (inside[0], True) if inside else (None, False)

    def _find_headed(self, read: ReadClaim, subject: str) -> Entity | None:
        """ "The seeded rye from Mill Lane Bakery" is about the rye: what is from, in or for another is named itself."""
        where = _NEAR_BY.search(subject)
        head = subject[: where.start()].casefold() if where is not None else ""
        spans = self._people.spans_between(*read.sentence) if head else ()
        named = ((self._examined.text[a:b].casefold(), e) for a, b, e in spans)
        return next((e for name, e in named if head.endswith(name) or name == f"the {head}"), None)

    def _holding(self, owner: Entity, subject: str) -> Entity | None:
        """ "The band's drummer" is whoever is on record as its drummer."""
        role = subject.rpartition("'s ")[2] if "'s " in subject else subject.partition(" of ")[0]
        held = [
            other
            for other in self._people.related(owner)
            if any("title" in f.meanings and same_words(role, f.shown[0]) for f in self._list(other))
        ]
        return held[0] if len(held) == 1 and role != subject else None

    def _circle(self, read: ReadClaim, entity: Entity | None, named: Sequence[tuple[int, int, Entity]]) -> list[Entity]:
        """Whom the claim is about, whom it names, and what is on record about both; else what was spoken of last."""
        circle = [e for e in (entity, *(e for _, _, e in named)) if e is not None]
        if not circle:
            focus = self._people.named_before(read.claim.span.start) or self._people.speaker()
            circle = [focus] if focus is not None else []
        near = [other for e in circle[:2] for other in self._people.related(e)]
        return list(dict.fromkeys((*circle[:3], *near)))[:_MOST]

    def _owned(self, read: ReadClaim, entity: Entity | None) -> str:
        """What of its owner a claim is about: "Pebblecast's largest customer"; empty where it is about the owner."""
        subject = read.proposition.subject.removeprefix(f"{USER}'s ")
        if "'s " not in subject or entity is None or self._examined.knowledge.find_entity(subject) is not None:
            return ""
        owned = subject.rpartition("'s ")[2]
        own = {*attribute_words(entity.name), *attribute_words(entity.type)}
        return "" if own & set(attribute_words(owned)) else owned

    def _is_stranger(self, read: ReadClaim) -> bool:
        subject = without_lead(read.proposition.subject)
        if read_shape(subject)[0]:  # "Tuesday is the day of the meeting"
            return False
        if is_plain_noun(subject):
            return False
        known = self._examined.knowledge
        if isinstance(known, Knowledge) and noun_lemma(subject.casefold()) in attribute_vocabulary(known):
            return False
        return bool(subject) and subject != USER and subject.casefold() not in _PRONOUNS and subject[:1].isupper()

    def _assess(self, saying: Saying, circle: Sequence[Entity], direct: int, *, is_sure: bool) -> list[Point]:
        found: dict[tuple[int, int], Point] = {}
        denied = saying.proposition.negated
        said = saying.text[saying.read.claim.span.start : saying.read.claim.span.end]
        for k, entity in enumerate(circle):
            points = assess(saying, self._list(entity), self._examined.knowledge, self._examined.now)
            agreed = [p.facet for p in points if p.outcome is Outcome.AGREES and p.facet is not None and p.facet.kind]
            anchored = bool(agreed) and entity.type.casefold() in event_types()
            for point in points:
                if point.outcome is Outcome.DIFFERS and not _may_count(point, k, anchored, is_sure=is_sure):
                    continue
                if point.outcome is Outcome.DIFFERS and point.facet is not None:
                    if not denied and repeats(point.facet, said):
                        continue
                    if k >= max(direct, 1) and not point.facet.kind:  # words about others, whom nobody named
                        continue
                known = found.get(point.span)
                if known is None or _WEIGHT[point.outcome] > _WEIGHT[known.outcome]:
                    found[point.span] = point
        return sorted(found.values(), key=lambda p: (-p.sureness, p.span))

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
        holder = self._holder(labels) if labels else None
        for label in labels:
            saying = label.as_saying(self._examined.text)
            entity = self._find_labelled(label) or self._people.named_before(label.span.start) or holder
            if entity is None:
                continue
            points = self._assess(saying, [entity], 1, is_sure=True)
            if (differing := _hold_against(saying, entity, points)) is not None:
                yield differing

    def _check_orders(self, checked: Sequence[Checked]) -> Iterable[Checked | None]:
        """ "Take 200 mg of it": no claim, and yet another value than the one on record."""
        for saying, entity in find_bidden(self._examined, self._people, checked):
            yield _hold_against(saying, entity, self._assess(saying, [entity], 1, is_sure=True))

    def _find_labelled(self, label: Label) -> Entity | None:
        """ "You will find her in the Porto office, extension 418": the last of those named that has one."""
        start = max((s.span.start for s in self._examined.segments if s.span.start <= label.span.start), default=0)
        before = self._people.named_between(start, label.span.start)
        return next((e for e in reversed(before) if e.has_attribute(label.name)), None)

    def _holder(self, labels: Sequence[Label]) -> Entity | None:
        """The one entity that has most of the attributes a list gives."""
        if not isinstance(self._examined.knowledge, Knowledge):
            return None
        counts = [(sum(e.has_attribute(label.name) for label in labels), e) for e in self._examined.knowledge.entities]
        most = max((count for count, _ in counts), default=0)
        best = [e for count, e in counts if count == most]
        return best[0] if most >= 2 and len(best) == 1 else None


def _hold_against(saying: Saying, entity: Entity, points: Sequence[Point]) -> Checked | None:
    wrong = next((p for p in points if p.outcome is Outcome.DIFFERS), None)
    if wrong is None or wrong.facet is None:
        return None
    return Checked(saying.read, Standing.DIFFERS, entity.name, entity, wrong, None, wrong.facet.best.trust)


def _without_repetitions(checked: Iterable[Checked]) -> Iterable[Checked]:
    """One wrong value is one finding, however many readings of the sentence come upon it."""
    seen: set[Span] = set()
    for found in checked:
        span = found.point.span if found.standing is Standing.DIFFERS and found.point is not None else None
        if span is None or span not in seen:
            yield found
        if span is not None:
            seen.add(span)


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


def _is_sum(checked: Checked) -> bool:
    """ "Three nights make 384 euros" is worked out; no statement has it."""
    predicate = checked.read.proposition.predicate
    money = any(read_shape(p.text)[1].startswith("currency") for p in checked.points)
    return predicate in _SUMS or (money and predicate in ("come", "make"))


def _is_of(facet: Facet | None, owned: str) -> bool:
    """Whether an attribute may be what is owned: where the customer sits is not where the firm does."""
    if not owned or facet is None or facet.kind == "address":
        return True
    if are_similar(owned, facet.attribute):
        return True
    words = attribute_words(owned)
    if set(meanings_of(owned)) & set(facet.meanings) or set(words) & facet.nouns:
        return True
    return any(speaks_of(word, own) for word in words for own in (*facet.words, *attribute_words(facet.shown[0])))


_NEAR_BY = re.compile(r" (?:from|in|at|on|for|with) ")
_WEIGHT = {Outcome.SILENT: 0, Outcome.DIFFERS: 1, Outcome.AGREES: 2}
