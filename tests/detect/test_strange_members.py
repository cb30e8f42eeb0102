"""Members of a known list that are none, and those that are."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from groundwire import Groundwire
from groundwire.settings import Settings

NOW = datetime(2026, 3, 14, tzinfo=UTC)
LEASE = ("The lease has 22 sections.", "Section 14 of the lease covers repairs.")
BRANCHES = ("The insurer has branches in Leeds, York and Hull, and nowhere else.", "Claims are handled in York.")
PLANS = ("The app has two plans: Free and Team.", "Exports are only available in the Team plan.")
LINES = ("Line 3 runs to the airport.", "Line 5 runs to the university.")
CONFIG = ("The config file has the sections [network] and [storage].",)


def find(text: str, statements: Sequence[str]) -> list[str]:
    report = Groundwire(settings=Settings(judge="rules")).detect(text, knowledge={"statements": statements}, now=NOW)
    return [flag.content for flag in report.flags if flag.hallucination_type == "NonexistentEntity"]


@pytest.mark.requirement("DET-018")
@pytest.mark.parametrize(
    ("text", "statements", "name"),
    [
        ("Section 31 deals with pets.", LEASE, "Section 31"),
        ("Please forward it to the Glasgow branch.", BRANCHES, "the Glasgow branch"),
        ("The Enterprise plan includes single sign-on.", PLANS, "Enterprise"),
        ("Line 8 goes to the stadium.", LINES, "Line 8"),
        ("Set it in the [quantum] section of the config.", CONFIG, "quantum"),
    ],
)
def test_what_no_list_has_does_not_exist(text: str, statements: Sequence[str], name: str) -> None:
    assert find(text, statements) == [name]


@pytest.mark.requirement("DET-018")
@pytest.mark.parametrize(
    ("text", "statements"),
    [
        ("Section 14 covers repairs, and Section 9 is about the deposit.", LEASE),
        ("Please forward it to the York branch.", BRANCHES),
        ("There is no Enterprise plan.", PLANS),
        ("The Team plan lets you export.", PLANS),
        ("Take Line 5 to the university and Line 3 to the airport.", LINES),
        ("Set it in the [storage] section of the config.", CONFIG),
    ],
)
def test_what_a_list_has_exists(text: str, statements: Sequence[str]) -> None:
    assert find(text, statements) == []
