"""The catalogue of requirements is true: what it calls shown is cited by a test, and the other way round.

`python -m pytest -s tests/test_requirements.py` lists what is not yet shown and the milestone that brings it.
"""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from ledger import (
    MILESTONES,
    Citation,
    Requirement,
    find_citations,
    find_faults,
    find_unshown,
    group_missing,
    read_catalogue,
)
from refresh import refresh

CATALOGUE = """\
[[requirement]]
id = "TXT-001"
area = "text"
due = "1 read gate"
shown = false
text = "One."

[[requirement]]
id = "TXT-002"
area = "text"
due = "2 verifier"
shown = true
text = "Two."
decision = "shown = false"
"""


def requirement(id: str, *, shown: bool, due: str = MILESTONES[0]) -> Requirement:
    return Requirement(id=id, area="text", due=due, shown=shown, text="")


def plant(folder: Path, source: str) -> Path:
    tests = folder / "tests"
    (tests / "deeper").mkdir(parents=True)
    (tests / "deeper" / "test_planted.py").write_text("import pytest\n" + source, encoding="utf-8")
    return tests


def cited(folder: Path, source: str) -> set[str]:
    return {citation.requirement for citation in find_citations(plant(folder, source))}


def test_the_ledger_is_true():
    requirements = read_catalogue()
    for milestone, ids in group_missing(requirements).items():
        print(f"\nnot yet shown, due in {milestone} ({len(ids)}):", *ids)
    faults = find_faults(requirements, find_citations())
    assert not faults, "\n".join(faults)


def test_the_catalogue_is_well_formed():
    requirements = read_catalogue()
    for area, members in itertools.groupby((r.id for r in requirements), key=lambda id: id[:3]):
        ids = list(members)
        assert ids == [f"{area}-{n:03}" for n in range(1, len(ids) + 1)], "an id is lost, doubled or out of order"
    assert len({r.id[:3] for r in requirements}) == len({r.area for r in requirements}) == 12
    assert {r.due for r in requirements} <= set(MILESTONES)
    assert all(r.text.strip() and isinstance(r.shown, bool) for r in requirements)


def test_an_unknown_id_is_a_fault():
    faults = find_faults([requirement("TXT-001", shown=True)], [Citation("TXT-001", "a"), Citation("TXT-999", "b")])
    assert faults == ("TXT-999: cited by b, but not in the catalogue",)


def test_a_shown_requirement_that_no_test_cites_is_a_fault():
    assert find_faults([requirement("TXT-001", shown=True)], []) == ("TXT-001: marked as shown, but no test cites it",)


def test_a_cited_requirement_that_is_not_marked_is_a_fault():
    (fault,) = find_faults([requirement("TXT-001", shown=False)], [Citation("TXT-001", "a")])
    assert "not marked as shown" in fault


def test_missing_requirements_are_grouped_by_milestone():
    late, early = MILESTONES[2], MILESTONES[0]
    groups = group_missing(
        [
            requirement("STO-001", shown=False, due=late),
            requirement("TXT-001", shown=False, due=early),
            requirement("TXT-002", shown=True, due=early),
        ]
    )
    assert list(groups.items()) == [(early, ["TXT-001"]), (late, ["STO-001"])]


def test_citations_are_found_on_functions_classes_modules_and_parameters(tmp_path: Path):
    source = """
pytestmark = pytest.mark.requirement("TXT-001")

@pytest.mark.requirement("TXT-002", "TXT-003")
def test_one(): ...

@pytest.mark.requirement("TXT-004")
class TestTwo:
    @pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.requirement("TXT-005"))])
    async def test_two(self, x): ...

@pytest.mark.requirement("TXT-006")
def helper(): ...
"""
    tests = plant(tmp_path, source)
    assert set(find_citations(tests)) == {
        *(Citation(f"TXT-00{n}", "tests/deeper/test_planted.py::test_one") for n in (1, 2, 3)),
        *(Citation(f"TXT-00{n}", "tests/deeper/test_planted.py::TestTwo::test_two") for n in (1, 4, 5)),
    }


@pytest.mark.parametrize("mark", ["skip", "skip(reason='later')", "xfail"])
def test_a_test_that_never_runs_shows_nothing(tmp_path: Path, mark: str):
    source = f"@pytest.mark.{mark}\n@pytest.mark.requirement('TXT-001')\ndef test_one(): ...\n"
    assert cited(tmp_path, source) == set()


def test_an_id_that_is_not_written_out_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="must be cited by its id"):
        cited(tmp_path, "@pytest.mark.requirement(NAME)\ndef test_one(): ...\n")


def test_a_requirement_whose_every_test_was_skipped_is_not_shown():
    requirements = [requirement("TXT-001", shown=True), requirement("TXT-002", shown=False)]
    citations = [Citation("TXT-001", "a"), Citation("TXT-001", "b"), Citation("TXT-002", "a")]
    assert find_unshown(requirements, citations, {"a": {"skipped"}, "b": {"skipped"}}) == ("TXT-001",)
    assert find_unshown(requirements, citations, {"a": {"skipped"}, "b": {"passed"}}) == ()
    assert find_unshown(requirements, citations, {"a": {"skipped"}}) == (), "a partial run proves nothing"


def test_refreshing_marks_what_is_cited_and_takes_marks_back_only_by_force(tmp_path: Path):
    tests = plant(tmp_path, "@pytest.mark.requirement('TXT-001')\ndef test_one(): ...\n")
    catalogue = tmp_path / "catalogue.toml"
    catalogue.write_text(CATALOGUE, encoding="utf-8")

    assert refresh(catalogue, tests, force=False) == ("TXT-002: marked as shown, but no test cites it",)
    assert [r.shown for r in read_catalogue(catalogue)] == [True, True]

    assert refresh(catalogue, tests, force=True) == ()
    assert [r.shown for r in read_catalogue(catalogue)] == [True, False]
    assert read_catalogue(catalogue)[1].decision == "shown = false", "only the mark itself is rewritten"
