"""Open propositions: who did what, compared part by part, when no slot names them.

Predicates must mean the same (or the opposite), subjects must be the same, and every part of the
claim must be found in the evidence; what differs where only one thing can be true refutes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache

from groundwire.judge.agents import Roles, find_roles
from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import (
    covers,
    has_same_role,
    is_other_end,
    leaves_user_out,
    relate_arguments,
    swaps_objects,
)
from groundwire.judge.comparisons import compares, relate_comparisons
from groundwire.judge.degrees import find_contrary, find_manner, find_overstatement, is_said
from groundwire.judge.denials import Difference, is_wider, take_in
from groundwire.judge.events import as_moved, as_scheduled
from groundwire.judge.exclusion import are_of_more, exclude, has_number
from groundwire.judge.findings import Finding
from groundwire.judge.nearness import is_told_near
from groundwire.judge.phrasal import join_particle
from groundwire.judge.predicates import is_real, relate_predicates, verbs
from groundwire.judge.prospects import is_to_come
from groundwire.judge.sequence import relate_orders, tells_order
from groundwire.judge.slots import relate_values
from groundwire.judge.states import is_either, relate_states
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.subjects import USER, name_written
from groundwire.text.tables import read_table
from groundwire.text.thesaurus import are_opposites, is_kind_of
from groundwire.text.values import Relation
from groundwire.types import Tense, Verdict

_PARTS_OF_DAY = (("morning",), ("afternoon",), ("evening",), ("night",))
_BEING = frozenset({"take", "place", "happen", "occur", "locate", "situate", "lie", "find", "fall", "hold"})
"""Words that mean no more than that something is."""
_ENDED = frozenset({"longer", "anymore"})


def compare_propositions(claim: Proposition, evidence: Proposition, aliases: Aliases) -> Finding | None:
    """What one proposition of the evidence says about the claim; None when they do not meet."""
    if not claim.lemmas or not evidence.lemmas:
        return None  # nothing was read of one of them, and two unread sentences are not the same one
    return _compare_plain(claim, evidence) if aliases.is_plain else _compare(claim, evidence, aliases)


@lru_cache(maxsize=4096)
def _compare_plain(claim: Proposition, evidence: Proposition) -> Finding | None:
    """Kept where nobody goes by two names: support is asked for again, by whoever may object to it."""
    return _compare(claim, evidence, Aliases())


def supports(claim: Proposition, evidence: Proposition, aliases: Aliases) -> bool:
    """Whether one says what the other does; why it does not is not looked for."""
    if not claim.lemmas or not evidence.lemmas:
        return False
    found = _compare(claim, evidence, aliases, full=False)
    return found is not None and found.verdict is Verdict.SUPPORTED


def _compare(claim: Proposition, evidence: Proposition, aliases: Aliases, *, full: bool = True) -> Finding | None:
    claim, evidence = join_particle(claim), join_particle(evidence)
    if compares(claim) and (compared := relate_comparisons(claim, evidence, aliases)) is not None:
        return compared
    if tells_order(claim) and (ordered := relate_orders(claim, evidence)) is not None:
        return ordered
    if claim.predicate != evidence.predicate and "be" in (claim.predicate, evidence.predicate):
        evidence = as_moved(evidence)
        claim, evidence = as_scheduled(claim, evidence), as_scheduled(evidence, claim)
    if (claim.passive or claim.predicate == "be") and (state := relate_states(claim, evidence, aliases)) is not None:
        return state
    opposite = relate_predicates(claim, evidence)
    if opposite is None or not is_real(claim, evidence):
        return None
    if swaps_objects(claim.arguments, evidence.arguments, claim.predicate):
        return None
    left, right = find_roles(claim), find_roles(evidence)
    meeting = _meet(left, right, aliases)
    if meeting is None:
        return _single_agent(claim, left, right, opposite, aliases)
    matched, missing, differing = _compare_arguments(left, right, evidence)
    flipped = opposite != (claim.negated != evidence.negated)
    if flipped and evidence.negated and not claim.negated:
        if any(is_wider(mine, evidence) for mine in matched):
            return None
        matched, missing, differing = take_in(matched, missing, differing, evidence)
    if not _same_time(claim, evidence):
        if claim.negated and not evidence.negated and evidence.tense is Tense.PAST and not opposite:
            lasts = claim.passive and evidence.passive and claim.predicate not in verbs("stative")
            if lasts and not (missing or differing):
                return Finding(Verdict.REFUTED, 0.85, "opposite")  # what was paid has been paid
            return _judge_ending(claim, missing, differing)
        stopped = evidence.tense is Tense.PAST and any(map(_is_until, evidence.arguments))
        held = [a for a in evidence.arguments if not stopped or not (_is_until(a) or a.role == "when")]
        whole, over = len(held) == len(matched), evidence.ended or stopped  # who taught in Graz may teach elsewhere
        if over and claim.tense is Tense.PRESENT and whole and not (flipped or missing or differing):
            return Finding(Verdict.REFUTED, 0.85, "former_value", former=True)
        ended = claim.tense is Tense.PAST and evidence.negated and not claim.negated  # "used to", "no longer"
        if not flipped or ended:
            return Finding(Verdict.INSUFFICIENT, 0.6, "other_time", former=evidence.tense is Tense.PAST)
    if differing and not (flipped or full):
        return None  # nothing that differs supports
    if differing:
        found = _judge_difference(claim, evidence, differing, matched, flipped)
        return _offer_exchange(found, claim, evidence, differing, aliases) if found is not None else None
    return _judge_agreement(claim, evidence, missing, matched, flipped, aliases)


def _is_until(argument: Argument) -> bool:
    """ "Until 2022": told with when it was over."""
    return argument.role in ("until", "till") and argument.is_time


def _judge_ending(claim: Proposition, missing: list[Argument], differing: list[Difference]) -> Finding | None:
    """ "No longer works there" follows from "used to work there"; "does not" is at least not denied by it."""
    ended = not (missing or differing) and not _ENDED.isdisjoint(claim.adverbs)
    if ended:
        return Finding(Verdict.SUPPORTED, 0.85, "same_statement")
    return Finding(Verdict.INSUFFICIENT, 0.6, "other_time", former=True)


def _judge_agreement(
    claim: Proposition,
    evidence: Proposition,
    missing: list[Argument],
    matched: list[Argument],
    flipped: bool,
    aliases: Aliases,
) -> Finding | None:
    never = not evidence.arguments and claim.predicate in verbs("abstained")  # "I don't drive"
    never = never and evidence.tense is claim.tense is Tense.PRESENT
    general = flipped and evidence.negated and not claim.negated and (bool(matched) or never)
    if missing and not general:
        if flipped and not matched:
            return None
        return Finding(
            Verdict.INSUFFICIENT, 0.6, "detail_missing", claim_value=missing[0].text,
            missing=missing[0].span, gaps=tuple(a.span for a in missing),
        )  # fmt: skip
    if flipped:
        return Finding(Verdict.REFUTED, 0.9, "opposite")
    if (contrary := find_contrary(claim, evidence)) is not None:
        mine, theirs = contrary
        return Finding(Verdict.REFUTED, 0.8, "other_value", claim_value=mine, evidence_value=theirs, exchange=False)
    if (more := find_addition(claim, evidence, aliases)) is not None:
        return Finding(Verdict.INSUFFICIENT, 0.6, "detail_missing", claim_value=more)
    return Finding(Verdict.SUPPORTED, 0.9, "same_statement")


def find_addition(claim: Proposition, evidence: Proposition, aliases: Aliases) -> str | None:
    """What the claim says beyond the evidence outside its arguments: "only", "rarely", "Ada's blue door" of her door.

    A thing with no owner may be one that was spoken of before: "the bakery" is the small one.
    """
    if (how := find_manner(claim, [evidence]) or find_overstatement(claim, evidence)) is not None:
        return how
    parts = {claim.predicate, *claim.subject_lemmas, *(lemma for a in claim.arguments for lemma in a.lemmas)}
    for time in (a.text.casefold() for a in claim.arguments if a.is_time):
        parts.update(time.split(), ("morning", "afternoon", "evening") if time.endswith((" am", " pm")) else ())
    for word in sorted(claim.lemmas - parts - _BEING):
        if not is_said(word, evidence):
            return word
    same_noun = claim.subject_lemmas[-1:] == evidence.subject_lemmas[-1:] and not (claim.passive or evidence.passive)
    if (
        not same_noun
        or "'s " not in claim.subject
        or aliases.canonical(claim.subject) == aliases.canonical(evidence.subject)
    ):
        return None
    return next((word for word in claim.subject_lemmas if not is_said(word, evidence)), None)


def _same_time(claim: Proposition, evidence: Proposition) -> bool:
    if claim.tense is Tense.PAST and is_to_come(evidence):
        return False  # what is planned was not done, and what was done is not to come
    if claim.tense is Tense.FUTURE and evidence.tense is Tense.PAST and not claim.negated:
        return False
    if claim.tense is evidence.tense or Tense.FUTURE in (claim.tense, evidence.tense):
        return True
    if claim.passive and not evidence.passive:  # who pinned it has it pinned
        return claim.tense is Tense.PRESENT and not any(a.is_time or a.role == "by" for a in claim.arguments)
    return claim.predicate not in verbs("stative") and not claim.passive


def _meet(left: Roles, right: Roles, aliases: Aliases) -> bool | None:
    """True when the participants named by both are the same; None when one differs."""
    if left.agent is not None and right.agent is not None and not subjects_match(left.agent, right.agent, aliases):
        return None
    crossing = (left.patient_argument is None) != (right.patient_argument is None)
    if crossing and left.patient is not None and right.patient is not None:
        told, known = (whole.lower().rpartition(" ")[2] for whole in (left.patient, right.patient))
        if is_kind_of(told, known) or not subjects_match(left.patient, right.patient, aliases):
            return None
    if left.patient_argument is None and right.patient_argument is None and left.patient:
        other = right.patient or right.agent  # "batch 7 contaminated" says nothing of what was done to batch 6
        return True if other is None or subjects_match(left.patient, other, aliases) else None
    return True


def swaps_roles(claim: Proposition, evidence: Proposition, aliases: Aliases) -> bool:
    """ "Ada taught Ben" against "Ben taught Ada"; "met" and "married" go both ways."""
    if relate_predicates(claim, evidence) is not False or claim.predicate in _mutual() or claim.predicate == "be":
        return False
    doing = not claim.passive and claim.predicate not in verbs("naming")
    if (
        doing
        and _gets(evidence, claim.subject, aliases)
        and not subjects_match(claim.subject, evidence.subject, aliases)
    ):
        return True
    left, right = find_roles(claim), find_roles(evidence)
    if not (left.agent and left.patient and right.agent and right.patient):
        return False
    crossed = subjects_match(left.agent, right.patient, aliases) and subjects_match(left.patient, right.agent, aliases)
    return crossed and not subjects_match(left.agent, right.agent, aliases)


def _gets(said: Proposition, who: str, aliases: Aliases) -> bool:
    """ "Ben sold me the car": whom something is sold, given or lent to did not do it."""
    if said.passive:
        return False
    given = any(a.role == "second" and a.lemmas for a in said.arguments)
    to = [a for a in said.arguments if a.role == ("object" if given else "to") and not a.is_time]
    told = any(a.role == "object" and a.lemmas for a in said.arguments) or given
    return told and any(subjects_match(name_written(a.text), who, aliases) for a in to)


def exchanges_objects(claim: Proposition, evidence: Proposition) -> bool:
    """The same is done, to the one instead of the other; "won the final against Bo" is not "beat Bo in the final"."""
    same = relate_predicates(claim, evidence) is False
    return same and swaps_objects(claim.arguments, evidence.arguments, claim.predicate)


def takes_other_part(claim: Proposition, evidence: Proposition) -> bool:
    """ "Pia lent you a drill" against "Pia borrowed my drill": of one thing, the same person did the contrary."""
    if claim.subject != evidence.subject or claim.negated or evidence.negated or claim.passive is not evidence.passive:
        return False
    if relate_predicates(claim, evidence) is not True or any(
        a.is_time for a in (*claim.arguments, *evidence.arguments)
    ):
        return False
    mine, theirs = ({lemma for a in said.arguments for lemma in a.lemmas} for said in (claim, evidence))
    return not mine.isdisjoint(theirs)


@cache
def _mutual() -> frozenset[str]:
    return frozenset(read_table("people")["collective_verbs"])


def _single_agent(claim: Proposition, left: Roles, right: Roles, opposite: bool, aliases: Aliases) -> Finding | None:
    """ "Team A won the cup" against "Team B won the cup"."""
    passive = left.agent_argument is not None and right.agent_argument is not None
    if (
        not (passive or claim.predicate in verbs("single_agent"))
        or opposite
        or claim.negated
        or not left.patient
        or not right.patient
    ):
        return None
    if not left.agent or not right.agent or left.agent == "user" or right.agent == "user":
        return None
    relation = relate_values(left.patient, right.patient)
    same = relation is Relation.EQUAL or (passive and subjects_match(left.patient, right.patient, aliases))
    if not same or not (passive or (left.agent[0].isupper() and right.agent[0].isupper())):
        return None
    if relate_values(left.agent, right.agent) is not Relation.DIFFERENT:
        return None
    span = left.agent_argument.span if left.agent_argument is not None else None
    return Finding(Verdict.REFUTED, 0.8, "other_agent", claim_value=left.agent, evidence_value=right.agent, wrong=span)


def _compare_arguments(
    left: Roles, right: Roles, evidence: Proposition
) -> tuple[list[Argument], list[Argument], list[Difference]]:
    matched: list[Argument] = []
    missing: list[Argument] = []
    differing: list[Difference] = []
    available = [*([right.patient_argument] if right.patient_argument else []), *right.others]
    wanted = [*([left.patient_argument] if left.patient_argument else []), *left.others]
    if left.agent_argument is not None and right.agent is None:
        missing.append(left.agent_argument)
    missing.extend(a for a in wanted if leaves_user_out(a, evidence.arguments))
    named = evidence.predicate in verbs("naming") or left.agent in (None, USER, evidence.subject)
    if left.patient_argument is not None and right.agent is None and not named:
        missing.append(left.patient_argument)  # "when shots were fired" does not say by whom
    for argument in wanted:
        if not argument.lemmas:
            continue
        if argument is left.patient_argument and right.patient_argument is None and right.patient is not None:
            matched.append(argument)
            continue
        if is_told_near(argument, available):
            missing.append(argument)
            continue
        rivals = [a for a in available if has_same_role(argument, a)]
        relations = [relate_arguments(argument, a) for a in rivals]
        apart = [a for a, relation in zip(rivals, relations, strict=True) if relation is Relation.DIFFERENT]
        if (
            any(r in (Relation.EQUAL, Relation.GENERALISES) for r in relations)
            or (not _is_told_apart(argument, rivals, apart) and covers(argument.lemmas, evidence.lemmas))
            or (argument.is_time and argument.lemmas[-1:] in _PARTS_OF_DAY and any(a.is_time for a in matched))
        ):
            matched.append(argument)
        elif apart and (argument.is_time or len(apart) == len(rivals)):  # a day is no rival of an hour
            differing.append((argument, _closest(argument, apart, wanted)))
        else:
            missing.append(argument)
    taken = [pair for pair in differing if _is_matched(pair[1], pair[0], matched)]
    missing.extend(mine for mine, _ in taken)
    return matched, missing, [pair for pair in differing if pair not in taken]


def _is_matched(theirs: Argument, mine: Argument, matched: list[Argument]) -> bool:
    """ "In the jar on the shelf": the jar agrees with the evidence's, and the shelf is no other place than that."""
    if mine.is_time or mine.role == theirs.role:
        return False
    return any(a.role == theirs.role and relate_arguments(a, theirs) is not Relation.DIFFERENT for a in matched)


def _is_told_apart(argument: Argument, rivals: list[Argument], apart: list[Argument]) -> bool:
    """Whether the words are there, but say another: "until 6 pm" has those of "at 6 pm", and a figure its own place."""
    if apart and has_number(argument) and any(rival.role == argument.role for rival in apart):
        return True
    return argument.is_time and bool(apart or any(is_other_end(argument, rival) for rival in rivals))


def _closest(mine: Argument, rivals: list[Argument], wanted: list[Argument]) -> Argument:
    """The rival that `mine` stands in for: of the same shape, and not already told by another part of the claim."""

    def order(rival: Argument) -> tuple[bool, bool, bool]:
        told = any(relate_values(other.text, rival.text) is Relation.EQUAL for other in wanted)
        clock = any(":" in lemma for lemma in mine.lemmas) != any(":" in lemma for lemma in rival.lemmas)
        return told, clock, mine.role != rival.role

    return min(rivals, key=order) if len(rivals) > 1 else rivals[0]


def _judge_difference(
    claim: Proposition, evidence: Proposition, differing: list[Difference], matched: list[Argument], flipped: bool
) -> Finding | None:
    """Only where one thing can be true does another value refute; a denial of something else says nothing."""
    opposed = len(differing) == 1 and any(
        are_opposites(a, b) and is_either(a, b) for a in differing[0][0].lemmas for b in differing[0][1].lemmas
    )
    if flipped and opposed:
        return Finding(Verdict.SUPPORTED, 0.85, "same_statement")
    if flipped or claim.negated or _is_other_event(differing):
        return None
    for mine, theirs in differing:
        if relate_values(theirs.text, claim.subject) is Relation.EQUAL or are_of_more(claim, evidence, mine):
            continue
        strength = exclude(claim, evidence, mine, theirs, matched)
        if strength:
            return Finding(
                Verdict.REFUTED, strength, "other_value", claim_value=mine.text, evidence_value=theirs.text,
                wrong=mine.span,
            )  # fmt: skip
    return None


def _is_other_event(differing: list[Difference]) -> bool:
    """ "120 euros for the helmet" is not what the bike cost: the thing differs beside the figure or the time."""
    if len(differing) < 2:
        return False
    valued = [mine.is_time or (has_number(mine) and has_number(theirs)) for mine, theirs in differing]
    return any(valued) and not all(valued)


def _offer_exchange(
    found: Finding, claim: Proposition, evidence: Proposition, differing: list[Difference], aliases: Aliases
) -> Finding:
    """The evidence's value may take the place of the wrong one where the claim then says what the evidence says."""
    pair = next(((mine, theirs) for mine, theirs in differing if mine.span == found.wrong), None)
    if found.verdict is not Verdict.REFUTED or pair is None:
        return found
    mine, theirs = pair
    told = claim._replace(
        arguments=tuple(theirs._replace(span=mine.span) if a is mine else a for a in claim.arguments),
        lemmas=(claim.lemmas - set(mine.lemmas)) | set(theirs.lemmas),
    )
    apart = {claim.tense, evidence.tense} == {Tense.PAST, Tense.FUTURE} or (mine.is_time and mine.role != theirs.role)
    return replace(found, exchange=not apart and supports(told, evidence, aliases))
