"""Why evidence cannot support a claim, whatever a model says of the two (JDG-020).

A model that compares wordings overlooks small words that decide: "or", "may", "not", a figure, who did it to whom. Each
check here is a rule of logic or grammar that holds whatever the sentence is about; none of them supports anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from groundwire.judge.alignment import Aliases
from groundwire.judge.arguments import covers
from groundwire.judge.arithmetic import names_another
from groundwire.judge.changes import find_unfinished
from groundwire.judge.choices import JOINED_NOT, PLAIN, find_alternative
from groundwire.judge.coverage import is_of_another_time, names_old_value
from groundwire.judge.degrees import (
    find_contrary,
    find_manner,
    find_other_degree,
    find_overstatement,
    outcomes,
    tell_degrees,
)
from groundwire.judge.entailment import compare_propositions, exchanges_objects, swaps_roles, takes_other_part
from groundwire.judge.events import find_times_apart, happens_once, tells_same_event
from groundwire.judge.findings import Finding
from groundwire.judge.having import find_mere_mention, find_other_owner, find_relative
from groundwire.judge.kin import find_other_rank
from groundwire.judge.kinds import is_of_another_kind
from groundwire.judge.pairings import FEWEST_PAIRED, find_mispaired
from groundwire.judge.people import is_told_of_another
from groundwire.judge.possibility import find_mere_leave, find_possibility
from groundwire.judge.prospects import find_prospect, find_prospect_of
from groundwire.judge.reckoning import find_untold_time
from groundwire.judge.roles import find_exchange_of_sides
from groundwire.judge.scope import find_scope, leaves_others_out, tells_rate
from groundwire.text import lexicon
from groundwire.text.propositions import Proposition
from groundwire.text.reading import ReadClaim, read_text
from groundwire.text.relations import Relation
from groundwire.text.sentences import split_sentences
from groundwire.text.thesaurus import are_opposites, denied_base
from groundwire.text.values import compare
from groundwire.types import Passage, Polarity, Verdict

_DENYING = frozenset({"not", "never", "do", "does", "did"})
_OPEN = 0.8
SURE = 0.8
"""From this probability on, a model has understood the wording that rules stumble over."""
_PLAIN_WORDS = 10


def find_objection(claim: str, passage: Passage) -> Finding | None:
    """The first reason found, be it a doubt; None where nothing speaks against support."""
    return find_denial(claim, passage) or find_doubt(claim, passage)


def is_plain(passage: Passage) -> bool:
    """Whether it is short enough for rules to be worth more than a model's opinion."""
    return passage.text.count(" ") < _PLAIN_WORDS


def withhold(claim: str, passage: Passage, support: float) -> Finding | None:
    """Why a model's support is not taken over: of longer evidence for its figures alone, else the surer, the less."""
    if not is_plain(passage):
        return find_figures_apart(claim, passage)
    return find_objection(claim, passage) if support < SURE else find_denial(claim, passage)


@lru_cache(maxsize=4096)
def find_figures_apart(claim: str, passage: Passage) -> Finding | None:
    """What no wording gets round: another figure, or the same words denied."""
    return find_other_figure(claim, passage) or find_other_polarity(claim, passage)


@lru_cache(maxsize=4096)
def find_exchange(claim: str, passage: Passage) -> Finding | None:
    """Roles exchanged, and another time."""
    if is_of_another_time(claim, passage.text) or names_old_value(claim, passage.text):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "other_time", passage.id)
    return _find_structural(claim, passage) or _find_other_time(claim, passage) or _find_mispaired(claim, passage)


@lru_cache(maxsize=4096)
def find_denial(claim: str, passage: Passage) -> Finding | None:
    """What a wording seldom gets round: another figure, name, time or polarity, one of several, or roles exchanged."""
    return (
        find_figures_apart(claim, passage)
        or find_alternative(claim, passage)
        or find_exchange(claim, passage)
        or _find_other_name(claim, passage)
        or find_unfinished(claim, passage)
        or find_untold_time(claim, passage)
        or _find_manners(claim, passage)
        or find_mere_mention(claim, passage)
        or find_relative(claim, passage)
        or find_other_rank(claim, passage)
        or find_mere_leave(claim, passage)
    )


@lru_cache(maxsize=4096)
def find_doubt(claim: str, passage: Passage) -> Finding | None:
    """What another wording may well get round, so that a model that is sure is believed."""
    return (
        find_possibility(claim, passage)
        or find_other_owner(claim, passage)
        or find_scope(claim, passage)
        or find_prospect(claim, passage)
    )


def _find_other_name(claim: str, passage: Passage) -> Finding | None:
    """ "I live in Galway" does not say that you used to live in Dublin, nor "I drive a van" that you have a car.

    Of that slot it names other values, or other kinds, alone.
    """
    held = [fact for fact in read_text(passage.text).facts if fact.pattern != "predicate"]
    for fact in read_text(claim).facts:
        rivals = [other for other in held if other.slot_type == fact.slot_type and other.subject == fact.subject]
        denied = any(f.polarity is Polarity.NEGATIVE for f in (fact, *rivals))  # who is in Rome is not in Bonn
        if not rivals or denied or fact.pattern == "predicate" or fact.raw.casefold() in passage.text.casefold():
            continue
        named = all(f.raw[:1].isupper() for f in (fact, *rivals))
        if (named and all(compare(fact.value, other.value).relation is Relation.DIFFERENT for other in rivals)) or all(
            is_of_another_kind(fact, other) for other in rivals
        ):
            theirs = rivals[0].raw
            return Finding(
                Verdict.INSUFFICIENT, _OPEN, "other_value", passage.id, claim_value=fact.raw, evidence_value=theirs
            )
    return None


def find_small_words_in(claim: ReadClaim, passage: Passage) -> Finding | None:
    """ "Or", "may", and who does it to whom: what rules overlook as models do, since both compare what is spoken of."""
    text = claim.claim.text
    if (degree := find_other_degree(text, passage.text)) is not None:
        return Finding(Verdict.INSUFFICIENT, _OPEN, "detail_missing", passage.id, claim_value=degree)
    return (
        find_alternative(text, passage)
        or find_possibility(text, passage)
        or find_prospect_of([claim.proposition], text, passage)
        or _find_exchanges([claim.proposition], passage)
        or _find_manner(claim.proposition, passage)
        or find_scope(text, passage)
        or _find_mispaired(text, passage)
        or find_exchange_of_sides(text, passage)
        or find_other_rank(text, passage)
    )


def _find_manners(claim: str, passage: Passage) -> Finding | None:
    """Where the same is told without it; how much another wording carries is for the model to say."""
    if (degree := find_other_degree(claim, passage.text) or _find_overstated(claim, passage)) is not None:
        return Finding(Verdict.INSUFFICIENT, _OPEN, "detail_missing", passage.id, claim_value=degree)
    for mine in [read.proposition for read in read_text(claim).claims if tell_degrees(read.proposition)]:
        statements = [read.proposition for read in read_text(passage.text).statements]
        told = [other for other in statements if tells_same_event(mine, other)]
        if told and (found := _find_manner(mine, passage)) is not None:
            return found
    return None


def _find_mispaired(claim: str, passage: Passage) -> Finding | None:
    statements = [read.proposition for read in read_text(passage.text).statements]
    paired = [one for one in statements if len(one.arguments) > 1 and not one.negated]
    may_pair = len(paired) > 1 or any(len(one.arguments) >= FEWEST_PAIRED for one in paired)
    for read in read_text(claim).claims if may_pair else ():
        if (detail := find_mispaired(read.proposition, statements)) is not None:
            return Finding(Verdict.INSUFFICIENT, _OPEN, "other_value", passage.id, claim_value=detail.text)
    return None


def _find_overstated(claim: str, passage: Passage) -> str | None:
    """A verb that says much more than every other of the passage that is told of the same."""
    for mine in [read.proposition for read in read_text(claim).claims]:
        told = [read.proposition for read in read_text(passage.text).statements]
        tries = outcomes().get(mine.predicate, ())
        same = [
            other for other in told
            if tells_same_event(mine, other) or (other.predicate in tries and other.subject == mine.subject)
        ]  # fmt: skip
        found = [find_overstatement(mine, other) for other in same]
        if found and all(found):
            return found[0]
    return None


def _find_manner(claim: Proposition, passage: Passage) -> Finding | None:
    if not tell_degrees(claim):
        return None
    statements = [read.proposition for read in read_text(passage.text).statements]
    for other in statements:
        if tells_same_event(claim, other) and (contrary := find_contrary(claim, other)) is not None:
            mine, theirs = contrary
            return Finding(Verdict.REFUTED, _OPEN, "other_value", passage.id, claim_value=mine, evidence_value=theirs,
                           exchange=False)  # fmt: skip
    how = find_manner(claim, statements)
    if how is None or how in PLAIN.findall(passage.text.lower()):
        return None
    if (how in _ALONE and leaves_others_out(passage.text)) or (how in _TIMES and tells_rate(passage.text)):
        return None
    return Finding(Verdict.INSUFFICIENT, _OPEN, "detail_missing", passage.id, claim_value=how)


_ALONE = frozenset({"only", "solely", "alone", "just", "merely", "exclusively"})
_TIMES = frozenset({"twice", "thrice"})


def find_other_figure(claim: str, passage: Passage) -> Finding | None:
    """The same is said of another number, date or identifier, and nowhere of this one."""
    figures = names_another(claim, passage)
    if figures is None or says_so(claim, passage):
        return None
    mine, theirs = figures
    return Finding(Verdict.INSUFFICIENT, _OPEN, "other_value", passage.id, claim_value=mine, evidence_value=theirs)


def says_so(claim: str, passage: Passage) -> bool:
    """Whether a statement of the passage carries the whole of the claim."""
    statements = [read.proposition for read in read_text(passage.text).statements]
    found = [
        any((f := compare_propositions(read.proposition, other, Aliases())) and f.verdict is Verdict.SUPPORTED
            for other in statements)
        for read in read_text(claim).claims
    ]  # fmt: skip
    return bool(found) and all(found)


def find_other_polarity(claim: str, passage: Passage) -> Finding | None:
    """One says in the same words what the other denies."""
    mine = _lay_bare(claim)
    found: Finding | None = None
    for sentence in split_sentences(passage.text):
        theirs = _lay_bare(sentence.text) if len(sentence.text) < 2 * len(claim) + 20 else None
        if theirs == mine:
            return None
        if theirs is not None and _are_opposed(mine, theirs):
            found = Finding(Verdict.INSUFFICIENT, _OPEN, "opposite", passage.id)
    return found


def _lay_bare(text: str) -> tuple[list[str], int]:
    """The words in their basic form, without "not" and the "do" that comes with it; and how often it is said."""
    words = [word.lower() for word in PLAIN.findall(JOINED_NOT.sub(" not", text))]
    kept = [word for word in words if word not in _DENYING]
    bases = [denied_base(word) or word for word in kept]
    denials = sum(base != word for base, word in zip(bases, kept, strict=True))
    said = [lexicon.verb_lemma(base) or base for base in bases]
    return said, words.count("not") + words.count("never") + denials


def _are_opposed(mine: tuple[list[str], int], theirs: tuple[list[str], int]) -> bool:
    """The same words, of which one side denies the statement, or one word is turned into its opposite."""
    if mine[0] == theirs[0]:
        return mine[1] + theirs[1] == 1
    if mine[1] != theirs[1] or len(mine[0]) != len(theirs[0]):
        return False
    differing = [pair for pair in zip(mine[0], theirs[0], strict=True) if pair[0] != pair[1]]
    return len(differing) == 1 and are_opposites(*differing[0])


# ── who, whom, and whether at all ───────────────────────────────────────────────────────────────


def _find_structural(claim: str, passage: Passage) -> Finding | None:
    return _find_exchanges([read.proposition for read in read_text(claim).claims], passage)


def _find_exchanges(said: Sequence[Proposition], passage: Passage) -> Finding | None:
    statements = read_text(passage.text).statements
    for mine in said:
        if not mine.lemmas or mine.is_fragment:
            continue
        if (found := _find_exchange(mine, statements, passage.id)) is not None:
            return found
    return None


def _find_exchange(mine: Proposition, statements: Sequence[ReadClaim], passage_id: str) -> Finding | None:
    """The parts are all there, but told of another or with the roles exchanged."""
    others = [statement.proposition for statement in statements]
    aliases = Aliases()
    findings: list[Finding | None] = []
    for other in others:
        findings.append(compare_propositions(mine, other, aliases))
        if (found := findings[-1]) is not None and found.verdict is Verdict.SUPPORTED:
            return None
    if (denied := next((f for f in findings if f and f.verdict is Verdict.REFUTED and f.exact), None)) is not None:
        return replace(denied, passage_id=passage_id)
    if any(swaps_roles(mine, other, aliases) or exchanges_objects(mine, other) for other in others) or (
        any(takes_other_part(mine, other) for other in others) and not any(tells_same_event(mine, o) for o in others)
    ):
        return Finding(Verdict.INSUFFICIENT, _OPEN, "other_agent", passage_id)
    if (another := is_told_of_another(mine, others)) is not None:
        return Finding(Verdict.INSUFFICIENT, _OPEN, "other_agent", passage_id, claim_value=mine.subject,
                       evidence_value=another)  # fmt: skip
    for found in findings:
        if found is None or found.verdict is not Verdict.REFUTED or found.reason != "other_value":
            continue
        wrong = next((a for a in mine.arguments if a.span == found.wrong), None)
        if wrong is not None and any(
            third.predicate == mine.predicate and third.subject != mine.subject and covers(wrong.lemmas, third.lemmas)
            for third in others
        ):
            return Finding(
                Verdict.REFUTED, found.strength, "other_value", passage_id, claim_value=found.claim_value,
                evidence_value=found.evidence_value,
            )  # fmt: skip
    return None


def _find_other_time(claim: str, passage: Passage) -> Finding | None:
    """Whatever the evidence says of this event, it says of another time: "in 1832" is not the 18th century."""
    statements = [read.proposition for read in read_text(passage.text).statements]
    for mine in [read.proposition for read in read_text(claim).claims]:
        told = [other for other in statements if tells_same_event(mine, other)]
        apart = [pair for other in told if (pair := find_times_apart(mine, other)) is not None]
        if not apart or len(apart) < len(told) or mine.negated or any(other.negated for other in told):
            continue
        verdict = Verdict.REFUTED if happens_once(mine) else Verdict.INSUFFICIENT
        own, theirs = apart[0]
        return Finding(verdict, _OPEN, "other_time", passage.id, claim_value=own.text, evidence_value=theirs.text)
    return None
