"""What the evidence gives to somebody else, or counts otherwise, where no single statement decides.

"Chiara reviews the frontend" where Dmitri does and Chiara reviews the backend; "a wedding with 80 guests" where 120
were invited to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import has_same_role, relate_arguments
from groundwire.judge.comparisons import compares
from groundwire.judge.findings import Finding
from groundwire.judge.parts import Part
from groundwire.judge.predicates import means_same, verbs
from groundwire.judge.slots import relate_values
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.quantities import read_quantity
from groundwire.text.reading import ReadClaim, ReadPassage
from groundwire.text.subjects import USER
from groundwire.text.values import Relation
from groundwire.types import Verdict

_Told = Sequence[tuple[str, Proposition]]
_SAME = (Relation.EQUAL, Relation.GENERALISES)
_COUNTING = frozenset({"with", "object", "for"})


def find_exchanged(
    claim: ReadClaim, parts: Sequence[Part], passages: Sequence[ReadPassage], aliases: Aliases
) -> tuple[Part, ...]:
    """Parts that are denied by two statements together, or by another count; nothing where one alone has decided."""
    mine = claim.proposition
    verdicts = [{finding.verdict for finding in part.findings} for part in parts]
    supported = all(Verdict.SUPPORTED in found for found in verdicts)
    refuted = any(Verdict.REFUTED in found for found in verdicts)
    if refuted or supported or mine.negated or mine.modal or mine.aspect or compares(mine):
        return ()
    told: _Told = [
        (read.passage.id, statement.proposition)
        for read in passages for statement in read.reading.statements
        if not statement.claim.hedged and not statement.proposition.negated
    ]  # fmt: skip
    if not any(Verdict.SUPPORTED in found for found in verdicts) and (given := tuple(_find_given(mine, told, aliases))):
        return given
    return tuple(_find_recounted(mine, told))


def _find_given(claim: Proposition, told: _Told, aliases: Aliases) -> Iterator[Part]:
    """Somebody else is told to do just this, and the claim's subject to do the same with something else."""
    wanted = [a for a in claim.arguments if a.lemmas and not a.is_time]
    if not wanted or claim.predicate in verbs("additive") or claim.predicate in verbs("being"):
        return
    alike = [(where, said) for where, said in told if _does_same(claim, said)]
    others = [said for _, said in alike if not subjects_match(claim.subject, said.subject, aliases)]
    if not any(all(_has(said, part) for part in wanted) for said in others if said.subject):
        return
    for where, said in alike:
        if not subjects_match(claim.subject, said.subject, aliases):
            continue
        apart = [(part, other) for part in wanted if (other := _find_other(said, part)) is not None]
        if apart and len(apart) == len([part for part in wanted if not _has(said, part)]):
            for part, other in apart:
                found = Finding(
                    Verdict.REFUTED, 0.8, "other_value", where,
                    claim_value=part.text, evidence_value=other.text, wrong=part.span,
                )  # fmt: skip
                yield Part(None, part, (found,))
            return


def _does_same(claim: Proposition, said: Proposition) -> bool:
    same = means_same(claim.predicate, said.predicate) and claim.passive is said.passive
    return same and claim.tense is said.tense and not said.modal and not said.aspect


def _has(said: Proposition, part: Argument) -> bool:
    return any(has_same_role(part, a) and relate_arguments(part, a) in _SAME for a in said.arguments)


def _find_other(said: Proposition, part: Argument) -> Argument | None:
    """What stands in the place of a part, where nothing like it does."""
    rivals = [a for a in said.arguments if has_same_role(part, a) and not a.is_time]
    if not rivals or any(relate_arguments(part, a) is not Relation.DIFFERENT for a in rivals):
        return None
    return rivals[0]


def _find_recounted(claim: Proposition, told: _Told) -> Iterator[Part]:
    """ "With 80 guests" of a wedding to which 120 guests were invited."""
    if claim.subject == USER or not claim.subject_lemmas or claim.predicate not in verbs("being") | verbs("holding"):
        return
    for part in claim.arguments:
        count = _read_count(part) if part.role in _COUNTING else None
        if count is None:
            continue
        for where, said in told:
            if not said.lemmas.issuperset(claim.subject_lemmas):
                continue
            counts = [(a, other) for a in said.arguments if (other := _read_count(a)) is not None]
            others = [(a, other) for a, other in counts if other[1] == count[1]]
            if others and all(relate_values(count[0], other[0]) is Relation.DIFFERENT for _, other in others):
                found = Finding(
                    Verdict.REFUTED, 0.8, "other_value", where,
                    claim_value=part.text, evidence_value=others[0][0].text, wrong=part.span,
                )  # fmt: skip
                yield Part(None, part, (found,))
                return


def _read_count(argument: Argument) -> tuple[str, str] | None:
    """The number of things and what they are; not of euros or hours, which may be of anything."""
    found = read_quantity(argument.text.lower()) if not argument.is_time else None
    if found is None or found[0].unit.dimension != "count" or not found[0].is_exact or found[0].low is None:
        return None
    nouns = [lemma for lemma in argument.lemmas if not lemma[:1].isdigit()]
    return (str(found[0].low), nouns[-1]) if nouns and found[1].strip() else None
