"""Disclosures that tell of records: which says what, which is newer, what was read off them, by how much it changed."""

from __future__ import annotations

import pytest

from groundwire import Groundwire, Settings
from groundwire.types import Memory, VerificationReport

RULES = Groundwire(settings=Settings(judge="rules"))
OFFICE = ("Our office is in Tampere.", "Our office is in Oulu.")
LANDLORD = ("My landlord is Mr Petrie.", "My landlord is Ms Okafor.")
WEIGHT = ("My weight is 82 kg.", "My weight is 78 kg.")
DOSE = ("I take 5 mg of ramipril.", "I take 10 mg of ramipril.")
LAUNCH = ("The launch is on 3 May.", "The launch is on 17 May.")
SERVER = ("The server runs Debian 11.", "The server runs Debian 12.")
FEE = ("My gym membership costs 39 euros.", "My gym membership costs 45 euros.")
BAND = ("Our band rehearses in Lorcan's garage.", "Our band rehearses in the old mill.")


def verify(texts: tuple[str, str], answer: str) -> VerificationReport:
    held = [Memory(f"m{n}", text, 0.9, 1_680_000_000 + n * 60_000_000) for n, text in enumerate(texts)]
    return RULES.verify(answer, memories=held)


@pytest.mark.requirement("CTR-015", "CTR-021")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        # two records, each with its value
        (OFFICE, "One note places your office in Tampere, another in Oulu, and the latter is newer."),
        (OFFICE, "There's a conflict here: one memory has your office in Tampere, another in Oulu."),
        (LANDLORD, "My records don't match: Mr Petrie in one, Ms Okafor in the newer one."),
        (LANDLORD, "My notes don't agree on your landlord. The older one says Mr Petrie, the newer one Ms Okafor."),
        (LANDLORD, "I have Mr Petrie on file, and also Ms Okafor, which was entered more recently."),
        (LAUNCH, "My notes don't agree here. One puts the launch on 3 May, the newer one on 17 May."),
        (LAUNCH, "Either 3 May or 17 May, your entries differ on when the launch is; the latest says 17 May."),
        (LAUNCH, "My information on the launch is inconsistent: 3 May in one note, 17 May in another."),
        # what it is read off, and that it only seems so
        (OFFICE, "Your office is in Oulu, judging by the more recent note; the earlier one had Tampere."),
        (OFFICE, "It seems your office moved from Tampere to Oulu."),
        (SERVER, "It appears the server went from Debian 11 to Debian 12; it runs Debian 12 now."),
        (LANDLORD, "I'm a bit unsure here. You first said your landlord is Mr Petrie, and later that it's Ms Okafor."),
        (LANDLORD, "Your landlord is Ms Okafor. Mr Petrie is what I had stored until recently. Please check that."),
        # by how much
        (FEE, "Your gym membership rose to 45 euros, up from 39."),
        (DOSE, "Your dose went from 5 to 10 mg of ramipril."),
        (BAND, "To begin with the band rehearsed in Lorcan's garage; since then it's been the old mill."),
    ],
)
def test_records_told_side_by_side_hide_nothing(texts: tuple[str, str], answer: str):
    report = verify(texts, answer)
    assert len(report.contradictions) == 1
    assert not report.requires_disclosure
    assert report.grounded, [(claim.text, claim.standing) for claim in report.claims]


@pytest.mark.requirement("CTR-012", "CTR-021")
@pytest.mark.parametrize(
    ("texts", "answer"),
    [
        (OFFICE, "It seems your office moved from Oulu to Tampere."),
        (OFFICE, "One note places your office in Tampere, another in Turku."),
        (OFFICE, "One note places your office in Tampere, another in Oulu, and the latter is in a basement."),
        (OFFICE, "Your office is in Tampere; the older note said Oulu."),
        (WEIGHT, "Your weight rose to 78 kg, up from 82."),
        (WEIGHT, "Your weight went from 82 to 75 kg."),
        (DOSE, "Your dose went from 10 to 5 mg of ramipril."),
        (DOSE, "Your dose of aspirin went from 5 to 10 mg."),
        (LANDLORD, "My records don't match: Mr Petrie in one, Mr Lund in the newer one."),
        (LANDLORD, "Your sister's landlord was Mr Petrie, and Ms Okafor is hers now."),
        (LANDLORD, "Mr Petrie sold the house to Ms Okafor."),
    ],
)
def test_what_is_told_the_other_way_or_besides_is_not_borne_out(texts: tuple[str, str], answer: str):
    assert not verify(texts, answer).grounded


@pytest.mark.requirement("CTR-009")
def test_what_a_newer_memory_ends_itself_is_no_contradiction():
    report = verify(("I work at Nokia.", "I left Nokia and I now work at Ericsson."), "You work at Ericsson.")
    assert report.grounded
    assert report.contradictions == ()


@pytest.mark.requirement("CTR-009")
def test_an_older_memory_ends_nothing_that_came_later():
    report = verify(("I left Nokia and I now work at Ericsson.", "I work at Nokia."), "You work at Ericsson.")
    assert len(report.contradictions) == 1


@pytest.mark.requirement("CTR-020")
@pytest.mark.parametrize(
    ("memory", "answer", "named"),
    [
        ("I have a dog named Biscuit.", "Your dog Biscuit is a beagle.", "beagle"),
        ("I speak Portuguese.", "You learned Portuguese in Brazil.", "Brazil"),
        ("I take 10 mg of lisinopril.", "You take 20 mg of lisinopril.", "20 mg"),
        ("We have a boat called Mira.", "You painted the boat in May.", "You painted the boat in May"),
    ],
)
def test_rules_name_only_what_is_new_or_wrong(memory: str, answer: str, named: str):
    report = RULES.verify(answer, memories=[memory])
    assert (*report.hallucinations, *report.unverifiable) == (named,)
