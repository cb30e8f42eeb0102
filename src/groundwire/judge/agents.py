"""Who does it and to whom: active and passive sentences share one shape."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.text.propositions import Argument, Proposition
from groundwire.text.subjects import USER


@dataclass(slots=True)
class Roles:
    agent: str | None
    patient: str | None
    patient_argument: Argument | None
    agent_argument: Argument | None
    others: list[Argument]


def find_roles(proposition: Proposition) -> Roles:
    """Active and passive sentences share one shape."""
    arguments = list(proposition.arguments)
    if not proposition.passive:
        patient = next((a for a in arguments if a.role == "object"), None)
        others = [a for a in arguments if a is not patient]
        return Roles(proposition.subject, patient.text if patient else None, patient, None, others)
    agent = next((a for a in arguments if a.role == "by" and not a.is_time), None)
    others = [a for a in arguments if a is not agent]
    doer = agent.text if agent is not None else None
    if doer is not None and doer.lower() in ("you", "me", "us"):
        doer = USER
    return Roles(doer, proposition.subject, None, agent, others)
