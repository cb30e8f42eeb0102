"""Public pairs: cleaned, capped, split by premise; the same files for the same data; and a word on what is missing."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from training.__main__ import CONFIG, main
from training.calibrate import METHODS, apply, choose, cross_validate, draw_mix, fit_vector, measure
from training.domain import generate
from training.gather import clean, gather, share, split
from training.pairs import CONTRADICT, ENTAIL, LABELS, NEUTRAL, UNLABELLED, Pair, read_pairs, write_pairs
from training.prepare import prepare

from groundwire.judge.calibration import read_calibration
from training import sources

ROOT = Path(__file__).parents[2]
TINY = ROOT / "training" / "tiny.toml"
_WORDS = st.sampled_from(["Ada", "Ulm", "12", "do", *",.;:!?()[]%$", "``", "''", "n't", "'s", "'re", "..."])
_PAIRS = st.lists(
    st.builds(Pair, st.text("abcde ", min_size=1, max_size=4), st.text("xyz", min_size=3, max_size=5),
              st.sampled_from(LABELS), st.sampled_from(["one", "two"])),
    max_size=60,
)  # fmt: skip


def write_data(folder: Path, count: int = 240) -> Path:
    """Training and development files in the form of the public ones, out of the grammar."""
    made = [Pair(p.premise, p.hypothesis, p.label.value, "superni_snli") for p in generate(count, seed=501)]
    third = len(made) // 3
    binary = {ENTAIL: "supported", NEUTRAL: "unsupported", CONTRADICT: "unsupported"}
    write_pairs(folder / "train/nli_human_3way.jsonl.gz", made[:third])
    write_pairs(
        folder / "train/nli_synthetic_3way.jsonl.gz", (p._replace(source="fewgen_mnli") for p in made[third:-third])
    )
    write_pairs(
        folder / "train/nli_binary.jsonl.gz", (p._replace(label=binary[p.label], source="rte") for p in made[-third:])
    )
    dev = [Pair(p.premise, p.hypothesis, p.label.value, "mnli") for p in generate(30, seed=502)]
    write_pairs(folder / "dev/mnli.jsonl.gz", dev)
    return folder


def read_config(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def write_file(path: Path, pairs: Iterable[tuple[str, str, str, str]]) -> Path:
    write_pairs(path, (Pair(*pair) for pair in pairs))
    return path


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("He did n't go , she said .", "He didn't go, she said."),
        ("`` Yes , '' he said ( twice ) .", '"Yes," he said (twice).'),
        ("It costs $ 5 , or 3 % .", "It costs $5, or 3%."),
        ("Ada 's  dog\nbarks", "Ada's dog barks"),
    ],
)
def test_corpus_spaces_and_quotes_are_taken_out(raw: str, expected: str):
    assert clean(raw) == expected


@given(st.lists(_WORDS, max_size=12).map(" ".join))
def test_cleaning_keeps_every_letter_and_digit(text: str):
    assert [c for c in clean(text) if c.isalnum()] == [c for c in text if c.isalnum()]


@given(st.text(max_size=20), st.text(max_size=5))
def test_a_share_is_a_number_of_the_text_alone(text: str, salt: str):
    assert 0.0 <= share(text, salt) < 1.0
    assert share(text, salt) == share(text, salt)


@given(_PAIRS, st.floats(0.05, 0.95))
def test_no_premise_is_on_both_sides_of_the_split(pairs: list[Pair], held_out: float):
    train, held = split(pairs, held_out)
    assert not {p.premise for p in train} & {p.premise for p in held}
    assert Counter(train) + Counter(held) == Counter(pairs)


def test_a_pair_with_two_labels_is_left_out_and_others_come_once(tmp_path: Path):
    rows = [
        ("It rains .", "It is wet.", "entail", "a"),
        ("It rains.", "It is wet.", "contradict", "b"),
        ("It snows.", "It is cold.", "entail", "a"),
        ("It snows.", "It is cold.", "entail", "b"),
        ("x", "Too short a premise.", "entail", "a"),
        ("A" * 2300, "Too long a premise.", "entail", "a"),
    ]
    found = list(gather([write_file(tmp_path / "a.jsonl.gz", rows)], {}, [], 100))
    assert [(p.premise, p.hypothesis, p.label) for p in found] == [("It snows.", "It is cold.", "entail")]


def test_caps_hold_and_noisy_sources_lose_their_labels(tmp_path: Path):
    rows = [(f"Sentence {i}.", f"Claim {i}.", "neutral", ("few", "noisy", "none")[i % 3]) for i in range(60)]
    found = list(gather([write_file(tmp_path / "a.jsonl", rows)], {"few": 4, "none": 0}, ["noisy"], 9))
    assert Counter((p.source, p.label) for p in found) == {("few", "neutral"): 4, ("noisy", UNLABELLED): 9}


def test_an_unknown_label_is_an_error(tmp_path: Path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"premise": "a", "hypothesis": "b", "label": "perhaps"}) + "\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"a\.jsonl:1: unknown label 'perhaps'"):
        list(read_pairs(path))


def test_preparing_twice_writes_the_same_bytes_and_holds_its_premises_back(tmp_path: Path):
    data, config = write_data(tmp_path / "data"), read_config(TINY)
    for name in ("one", "two"):
        found = prepare(config, data, tmp_path / name, say=lambda _: None)
        assert found["train"]["pairs"] > 200 and found["held"]["pairs"] > 60
    for name in ("train", "extra", "held"):
        one, two = (tmp_path / run / f"{name}.jsonl.gz" for run in ("one", "two"))
        assert one.read_bytes() == two.read_bytes()
    sets = {name: list(read_pairs(tmp_path / "one" / f"{name}.jsonl.gz")) for name in ("train", "extra", "held")}
    held = {p.premise for p in sets["held"]}
    assert not held & {p.premise for p in sets["train"] + sets["extra"]}
    assert {p.label for p in sets["extra"]} == {UNLABELLED}
    assert UNLABELLED not in {p.label for p in sets["train"] + sets["held"]}


def test_preparing_needs_no_torch():
    code = (
        "import sys, training.gather, training.prepare, training.pipeline, training.calibrate, training.__main__\n"
        "import training.augment.numbers, training.augment.negation, training.augment.passages, training.sources\n"
        "sys.exit(' '.join({'torch', 'onnx', 'onnxruntime', 'transformers'} & set(sys.modules)) or 0)"
    )
    found = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr


def test_every_source_that_the_recipe_names_is_listed_with_its_home_and_licence():
    listed, config = sources.read_sources()["sources"], read_config(CONFIG)["data"]
    named = {*config["caps"], *config["unlabelled"], *config["dev"]}
    assert named <= set(listed)
    for entry in listed.values():
        assert entry["home"] == "unknown" or entry["home"].startswith("https://")
        assert entry["licence"] and entry["use"] and entry["files"]
    needed, helpful = sources.list_files(config)
    assert {*needed, *helpful} == {file for entry in listed.values() for file in entry["files"]}


def test_gather_says_where_a_missing_file_is_to_be_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    arguments = ["gather", "--work", str(tmp_path / "work"), "--data", str(tmp_path)]
    assert main(arguments) == 2
    output = capsys.readouterr()
    assert "train/nli_binary.jsonl.gz" in output.out and "https://github.com/derenlei/FactCG" in output.out
    assert "3 training files are missing" in output.err
    write_data(tmp_path)
    assert main(arguments) == 0
    assert json.loads((tmp_path / "work/gather-metrics.json").read_text(encoding="utf-8"))["missing"] == []


def test_a_stage_says_which_one_has_to_come_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["mini", "--work", str(tmp_path), "--config", str(TINY)]) == 2
    assert "run the stage 'teacher' first" in capsys.readouterr().err


@pytest.mark.requirement("JDG-014")
def test_held_pairs_are_drawn_in_the_shares_of_use():
    pairs = [Pair(f"p{i}", "h", ENTAIL, "domain_memory") for i in range(100)]
    pairs += [Pair(f"q{i}", "h", NEUTRAL, "snli") for i in range(40)]
    pairs += [Pair(f"r{i}", "h", "unsupported", "rte") for i in range(40)]
    drawn = draw_mix(pairs, {"domain_": 0.2, "": 0.8, "augment_number": 0.5}, 1000)
    assert Counter(p.source for p in drawn) == {"domain_memory": 10, "snli": 40}
    assert drawn == draw_mix(list(reversed(pairs)), {"domain_": 0.2, "": 0.8, "augment_number": 0.5}, 1000)


@pytest.mark.requirement("JDG-014")
def test_calibration_mends_logits_that_are_too_sure():
    import numpy as np

    rng = np.random.default_rng(3)
    logits = rng.normal(0, 1.2, (1500, 3))
    chance = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    labels = np.array([rng.choice(3, p=row) for row in chance], dtype=np.intp)
    trials = cross_validate(logits * 3, labels, np.arange(1500) % 3)
    assert trials["none"]["ece"] > 0.15
    assert all(trials[name]["ece"] < 0.06 for name in METHODS), trials
    assert choose(trials) in METHODS
    for fit in METHODS.values():
        document = fit(logits * 3, labels)
        assert read_calibration({"version": "1", **json.loads(json.dumps(document))})
    shifted = fit_vector(logits + np.array([2.0, 0.0, 0.0]), labels)
    assert shifted["bias"][0] < -0.8
    assert measure(apply(shifted, logits + np.array([2.0, 0.0, 0.0])), labels)["ece"] < 0.05
