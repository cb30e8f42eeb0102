"""What two memories say together: "manages the Lisbon office" and "the Lisbon office has 40 employees".

A claim that puts a thing with what it has ("an office with 40 employees") rests on one memory for the thing and on
another for what it has.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.judge.alignment import Aliases, subjects_match
from groundwire.judge.arguments import relate_arguments
from groundwire.judge.entailment import compare_propositions
from groundwire.judge.findings import Finding
from groundwire.judge.predicates import verbs
from groundwire.text.propositions import Argument, Proposition
from groundwire.text.reading import ReadPassage
from groundwire.text.subjects import name_written
from groundwire.text.values import Relation
from groundwire.types import Verdict

_SAME = (Relation.EQUAL, Relation.GENERALISES)


def find_composed(claim: Proposition, passages: Sequence[ReadPassage], aliases: Aliases) -> list[Finding]:
    """Support by two statements of the same or of two passages; nothing where one of them is missing."""
    had = [a for a in claim.arguments if a.role == "with" and not a.is_time and not a.is_name]
    if len(had) != 1 or claim.negated or claim.modal or len(claim.arguments) < 2:
        return []
    (part,) = had
    rest = claim._replace(
        arguments=tuple(a for a in claim.arguments if a is not part), lemmas=claim.lemmas - set(part.lemmas)
    )
    told = [
        (read.passage.id, statement.proposition)
        for read in passages for statement in read.reading.statements if not statement.claim.hedged
    ]  # fmt: skip
    for source, said in told:
        found = compare_propositions(rest, said, aliases)
        if found is None or found.verdict is not Verdict.SUPPORTED:
            continue
        holders = [name_written(a.text) for a in said.arguments if a.role == "object"]
        other = next((where for where, one in told if _has(one, part, holders, aliases)), None)
        if other is not None:
            if other == source:
                return [Finding(Verdict.SUPPORTED, 0.8, "same_statement", source)]
            both = (source, other), (other, source)
            return [Finding(Verdict.SUPPORTED, 0.8, "combined", one, beside=(another,)) for one, another in both]
    return []


def _has(said: Proposition, part: Argument, holders: Sequence[str], aliases: Aliases) -> bool:
    if said.predicate not in verbs("holding") or said.negated or said.modal or said.passive:
        return False
    if not any(subjects_match(holder, said.subject, aliases) for holder in holders):
        return False
    return any(a.role == "object" and relate_arguments(part, a) in _SAME for a in said.arguments)
