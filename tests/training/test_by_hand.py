"""Pairs written by hand: every line is one of four kinds, and what is held back is never trained on."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.domain.by_hand import FOLDER, Group, pairs_of, read_by_hand, read_groups, set_against
from training.pairs import BY_HAND, CONTRADICT, ENTAIL, NEUTRAL, UNLABELLED

_MARKS = {ENTAIL: "S", CONTRADICT: "R", NEUTRAL: "N"}
_TEXT = st.text("abc XYZ,.'7", min_size=1, max_size=30).map(str.strip).filter(bool)
_GROUPS = st.lists(
    st.tuples(_TEXT, st.lists(st.tuples(st.sampled_from(sorted(_MARKS)), _TEXT), min_size=1, max_size=4)), max_size=5
)


def write_groups(path: Path, groups: list[tuple[str, list[tuple[str, str]]]]) -> Path:
    blocks = [f"P: {p}\n" + "".join(f"{_MARKS[label]}: {claim}\n" for label, claim in claims) for p, claims in groups]
    path.write_text("\n".join(blocks), encoding="utf-8")
    return path


@given(_GROUPS)
def test_groups_are_read_as_they_were_written(
    tmp_path_factory: pytest.TempPathFactory, groups: list[tuple[str, list[tuple[str, str]]]]
) -> None:
    path = write_groups(tmp_path_factory.mktemp("groups") / "notes.txt", groups)
    assert list(read_groups(path)) == [Group("hand_notes", p, tuple(claims)) for p, claims in groups]


@pytest.mark.parametrize("line", ["S: a claim without evidence", "X: nothing", "P:", "a sentence"])
def test_a_line_of_no_kind_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(f"\n{line}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"notes\.txt:2: expected P:"):
        list(read_groups(path))


def test_turns_follow_each_other_and_every_twelfth_group_is_held_back(tmp_path: Path) -> None:
    write_groups(tmp_path / "talk.txt", [(f"User: Room {n}? / Assistant: Yes.", [(ENTAIL, "Yes.")]) for n in range(24)])
    train, held = read_by_hand(1, tmp_path)
    assert [group.premise for group in held] == [f"User: Room {n}? Assistant: Yes." for n in (11, 23)]
    assert len(train) == 22


def test_what_was_written_by_hand_is_balanced_and_kept_apart() -> None:
    train, held = read_by_hand(7)
    pairs = pairs_of(train)
    shares = {label: sum(p.label == label for p in pairs) / len(pairs) for label in _MARKS}
    assert all(0.2 < share < 0.5 for share in shares.values()), shares
    assert {p.premise for p in pairs}.isdisjoint(group.premise for group in held)
    assert {f"hand_{path.stem}" for path in FOLDER.glob("*.txt")} == {p.source for p in pairs}


def test_the_recipe_names_every_file_by_hand() -> None:
    config = tomllib.loads((FOLDER.parents[1] / "config.toml").read_text(encoding="utf-8"))
    sources = {BY_HAND + path.stem for path in FOLDER.glob("*.txt")}
    for often in (config["data"]["repeat"], config["mentor"]["repeat"]):
        assert {source for source in often if source.startswith(BY_HAND)} == sources


def test_claims_set_against_each_other_have_no_label_and_stay_in_their_group() -> None:
    group = Group(
        "hand_notes", "It rains.", ((ENTAIL, "It is wet."), (CONTRADICT, "It is dry."), (NEUTRAL, "It is Monday."))
    )
    made = list(set_against([group], 3))
    texts = {"It rains.", "It is wet.", "It is dry.", "It is Monday."}
    assert {p.label for p in made} == {UNLABELLED}
    assert all({p.premise, p.hypothesis} <= texts and p.premise != p.hypothesis for p in made)
    assert len(made) == 9
