"""Who may do a thing need not do it."""

import pytest

from groundwire.app import Groundwire
from groundwire.settings import Settings
from groundwire.types import Verdict

RULES = Groundwire(settings=Settings(judge="rules"))


@pytest.mark.parametrize(
    ("claim", "evidence", "verdict"),
    [
        ("Visitors are allowed to feed the goats.", "Visitors are forbidden to feed the goats.", Verdict.REFUTED),
        ("Staff are forbidden to park here.", "Staff are allowed to park here.", Verdict.REFUTED),
        ("Lodgers are allowed to keep cats.", "Lodgers are allowed to keep cats.", Verdict.SUPPORTED),
        ("The lodgers keep cats.", "The lodgers are allowed to keep cats.", Verdict.INSUFFICIENT),
    ],
)
@pytest.mark.requirement("JDG-020")
def test_leave_that_is_refused_is_not_given_and_says_nothing_of_deeds(claim: str, evidence: str, verdict: Verdict):
    assert RULES.judge(claim, [evidence]).verdict is verdict
