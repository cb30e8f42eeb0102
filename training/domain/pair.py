"""What the generator makes: a pair of texts with its label, and the case that several pairs share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Label(StrEnum):
    ENTAIL = "entail"
    NEUTRAL = "neutral"
    CONTRADICT = "contradict"


@dataclass(frozen=True, slots=True)
class Pair:
    """One line of training data: `source` names the kind, so that a run can weigh or leave out kinds."""

    premise: str
    hypothesis: str
    label: Label
    source: str


@dataclass(frozen=True, slots=True)
class Case:
    """One claim with a premise for each label: seen alone, the claim cannot tell which label it carries."""

    claim: str
    premises: Mapping[Label, str]


def make_case(claim: str, entail: str, neutral: str, contradict: str) -> Case:
    return Case(claim, {Label.ENTAIL: entail, Label.NEUTRAL: neutral, Label.CONTRADICT: contradict})
