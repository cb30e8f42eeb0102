"""What a change leaves behind: who replaced Kafka with RabbitMQ uses RabbitMQ, and Kafka no longer.

A change that was made has a new thing and often an old one. A claim that the same one uses, runs on or is on the new
thing follows; that it is still the old one is refuted, if softly, since another change may have come later.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import covers
from groundwire.judge.findings import Finding
from groundwire.judge.phrasal import join_particle
from groundwire.judge.predicates import means_same, verbs
from groundwire.judge.slots import relate_values
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.subjects import name_written
from groundwire.text.tables import read_table
from groundwire.text.values import Relation
from groundwire.types import Passage, Tense, Verdict

_DONE = re.compile(r"\b(?:has|have|had|already)\b|['’]ve\b", re.IGNORECASE)
_ROLES = frozenset({"object", "on", "with", "in"})
_SAME = (Relation.EQUAL, Relation.GENERALISES)


class _Change(NamedTuple):
    """Of whom or of what it is told, what was before and what is now."""

    of: tuple[str, ...]
    old: Argument | None
    new: Argument


def find_changed(claim: Proposition, evidence: ReadClaim, aliases: Aliases) -> Finding | None:
    """Support of the new state, refutation of the old one; None where no change is told of it."""
    if claim.tense is not Tense.PRESENT or claim.modal or claim.passive or claim.predicate not in _words("using"):
        return None
    parts = [a for a in claim.arguments if not a.is_time]
    told = len(parts) == 1 and parts[0].role in _ROLES and _is_done(evidence)
    change = _read_change(evidence) if told else None
    if change is None or not any(subjects_match(claim.subject, one, aliases) for one in change.of):
        return None
    (mine,) = parts
    is_new = relate_values(mine.text, change.new.text) in _SAME
    is_old = change.old is not None and relate_values(mine.text, change.old.text) is Relation.EQUAL
    if is_new is is_old:
        return None
    if is_new is not claim.negated:
        return Finding(Verdict.SUPPORTED, 0.85, "implied", evidence_value=evidence.claim.text)
    return Finding(
        Verdict.REFUTED, 0.8, "other_value", claim_value=mine.text, evidence_value=change.new.text, wrong=mine.span,
        exchange=is_old,
    )  # fmt: skip


# ── what an event leaves behind ─────────────────────────────────────────────────────────────────


def find_result(claim: Proposition, evidence: ReadClaim, aliases: Aliases) -> Finding | None:
    """ "I sold my canoe": you no longer have one. "I gave up smoking": you don't smoke. Who died is not alive."""
    told = join_particle(evidence.proposition)
    holds = _leaves(claim, told) if claim.tense is Tense.PRESENT and not claim.modal and not claim.passive else None
    if holds is None or told.negated or told.modal or told.aspect or told.passive or not _is_done(evidence):
        return None
    if not subjects_match(claim.subject, told.subject, aliases):
        return None
    if holds is not claim.negated:
        return Finding(Verdict.SUPPORTED, 0.85, "implied", evidence_value=evidence.claim.text)
    if holds:
        return None  # what was bought may have been sold since
    wrong = next((a.span for a in claim.arguments if not a.is_time), None)
    return Finding(Verdict.REFUTED, 0.8, "opposite", former=True, wrong=wrong, exchange=False)


def find_successor(claim: Proposition, evidence: ReadClaim, aliases: Aliases) -> Finding | None:
    """ "Jon replaced Mark as coach": Jon is the coach now, and Mark is not."""
    told, role = evidence.proposition, next((a for a in evidence.proposition.arguments if a.role == "as"), None)
    who, post = _find_object(told), _find_object(claim)
    if role is None or who is None or post is None or told.predicate not in _SUCCEEDING or claim.predicate != "be":
        return None
    if told.negated or told.modal or told.passive or claim.tense is not Tense.PRESENT or not _is_done(evidence):
        return None
    if not covers(role.lemmas, frozenset(post.lemmas)) or claim.modal:
        return None
    if subjects_match(claim.subject, told.subject, aliases):
        holds = True
    elif subjects_match(claim.subject, name_written(who.text), aliases):
        holds = False
    else:
        return None
    if holds is not claim.negated:
        return Finding(Verdict.SUPPORTED, 0.85, "implied", evidence_value=evidence.claim.text)
    return Finding(Verdict.REFUTED, 0.8, "opposite", former=not holds, exchange=False)


_SUCCEEDING = frozenset({"replace", "succeed", "follow", "supplant"})


def _leaves(claim: Proposition, told: Proposition) -> bool | None:
    """Whether what is told makes the claim's state so, or ends it; None where it does neither."""
    mine, theirs = _find_object(claim), _find_object(told)
    if told.predicate == "die" and claim.predicate == "be" and mine is not None:
        return False if "alive" in mine.lemmas else True if not _DEAD.isdisjoint(mine.lemmas) else None
    if theirs is None:
        return None
    same = mine is not None and covers(mine.lemmas, frozenset(theirs.lemmas))
    if claim.predicate in verbs("owning") and same:
        return True if told.predicate in _words("gaining") else False if told.predicate in _words("losing") else None
    if told.predicate in _words("ending"):
        is_doing = any(means_same(claim.predicate, lemma) for lemma in theirs.lemmas) and (mine is None or same)
        return False if is_doing or (same and claim.predicate in _words("using")) else None
    return None


_DEAD = frozenset({"dead", "deceased"})


def _find_object(said: Proposition) -> Argument | None:
    return next((a for a in said.arguments if a.role == "object" and a.lemmas), None)


def find_unfinished(claim: str, passage: Passage) -> Finding | None:
    """ "We are moving from Jira to Linear" does not say that Linear is in use."""
    for read in read_text(claim).claims:
        mine = read.proposition
        parts = [a for a in mine.arguments if not a.is_time]
        if mine.tense is not Tense.PRESENT or mine.predicate not in _words("using") or len(parts) != 1 or mine.negated:
            continue
        for evidence in read_text(passage.text).statements:
            change = None if _is_done(evidence) else _read_change(evidence)
            if change is not None and relate_values(parts[0].text, change.new.text) in _SAME:
                return Finding(Verdict.INSUFFICIENT, 0.8, "only_possible", passage.id)
    return None


def _is_done(read: ReadClaim) -> bool:
    return read.proposition.tense is Tense.PAST or _DONE.search(read.claim.text) is not None


def _read_change(read: ReadClaim) -> _Change | None:
    said = read.proposition
    if said.negated or said.modal or said.aspect or read.claim.hedged:
        return None
    by_role = {a.role: a for a in reversed(said.arguments) if not a.is_time}
    thing = by_role.get("object")
    new, old, of = None, thing, (said.subject,)
    if said.predicate in _words("moving"):
        new, old = by_role.get("to"), by_role.get("from")
        of = (said.subject, name_written(thing.text)) if thing is not None else of
    elif said.passive:
        return None
    elif said.predicate in _words("replacing"):
        new = by_role.get("with") or by_role.get("by")
    if new is None and said.predicate in _words("trading"):
        new = by_role.get("for")
    return _Change(of, old, new) if new is not None and new.lemmas else None


@cache
def _words(kind: str) -> frozenset[str]:
    return frozenset(read_table("grammar")["changes"][kind])
