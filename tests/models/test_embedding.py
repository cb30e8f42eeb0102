"""The embedder that ships with the package: whole, small, and nearer to what means the same."""

from __future__ import annotations

import hashlib
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import ModelCorrupt, ModelMissing, ModelUnavailable
from groundwire.models.embedding import StaticEmbedder
from groundwire.models.files import MANIFEST, TABLE, ModelKind, find_model, open_model, packaged_models


@pytest.fixture(scope="module")
def embedder() -> StaticEmbedder:
    return StaticEmbedder()


def open_copy(folder: Path) -> StaticEmbedder:
    return StaticEmbedder(lambda: open_model(folder, "get it again"))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    folder = tmp_path / "embedder"
    shutil.copytree(packaged_models() / "embedder", folder)
    return folder


def rewrite(folder: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the arrays and let the manifest vouch for them."""
    with np.load(folder / TABLE) as arrays:
        found = {name: arrays[name] for name in arrays.files}
    change(found)
    written = io.BytesIO()
    np.savez(written, **found)
    (folder / TABLE).write_bytes(written.getvalue())
    manifest = json.loads((folder / MANIFEST).read_text())
    digest = hashlib.sha256(written.getvalue()).hexdigest()
    manifest["files"][TABLE] = {"sha256": digest, "bytes": len(written.getvalue())}
    (folder / MANIFEST).write_text(json.dumps(manifest))


def test_every_file_is_what_its_manifest_says_and_all_of_it_is_small():
    files = find_model("embedder")
    files.verify()
    assert files.manifest.kind is ModelKind.EMBEDDER
    present = {path.name for path in (packaged_models() / "embedder").iterdir()}
    assert present == {*files.manifest.files, MANIFEST}, "nothing ships that no hash vouches for"
    assert sum(path.stat().st_size for path in (packaged_models() / "embedder").iterdir()) <= 6_000_000


def test_it_says_what_it_is(embedder: StaticEmbedder):
    manifest = find_model("embedder").manifest
    assert (embedder.name, embedder.fingerprint) == (manifest.full_name, manifest.fingerprint)
    assert embedder.dimensions == manifest.details["dimensions"] == embedder.embed(["tea"]).shape[1]


SAME = [
    ("I drive a crimson automobile.", "My car is red."),
    ("Ada is employed by Bosch.", "Where does Ada work?"),
    ("The meeting was called off.", "They cancelled the appointment."),
    ("The user is fond of dogs.", "She loves puppies."),
    ("He resides in the capital of France.", "He lives in Paris."),
]


def test_what_means_the_same_is_nearer_than_what_does_not(embedder: StaticEmbedder):
    left, right = (embedder.embed([pair[side] for pair in SAME]) for side in (0, 1))
    assert (left @ right.T).argmax(axis=1).tolist() == list(range(len(SAME)))


@given(st.lists(st.text(), max_size=5))
def test_every_text_has_a_direction_or_none_whatever_is_in_it(texts: list[str]):
    rows = PACKAGED.embed(texts)
    assert rows.shape == (len(texts), PACKAGED.dimensions) and rows.dtype == np.float32
    lengths = np.linalg.norm(rows, axis=1)
    assert np.all((np.abs(lengths - 1) < 1e-4) | (lengths == 0))


PACKAGED = StaticEmbedder()


@pytest.mark.parametrize("text", ["", " ", "\x00", "\ud800", "[SEP]", "é" * 600, "word " * 3000, "😀" * 50])
def test_strange_texts_are_embedded_alone_as_together(embedder: StaticEmbedder, text: str):
    together = embedder.embed(["I like tea.", text, "No."])
    assert np.allclose(embedder.embed([text])[0], together[1], atol=1e-6)
    assert np.isfinite(together).all()


def test_what_it_says_does_not_depend_on_capitals_or_order(embedder: StaticEmbedder):
    rows = embedder.embed(["The dog bit the man", "the man bit the dog", "THE DOG BIT THE MAN"])
    assert np.allclose(rows, rows[0], atol=1e-5)


def test_a_changed_table_is_not_used(copy: Path):
    document = bytearray((copy / TABLE).read_bytes())
    document[len(document) // 2] ^= 1
    (copy / TABLE).write_bytes(document)
    broken = open_copy(copy)
    for _ in range(2):
        with pytest.raises(ModelCorrupt, match="manifest names"):
            broken.embed(["tea"])


def test_a_table_that_is_gone_is_missed(copy: Path):
    (copy / TABLE).unlink()
    with pytest.raises(ModelMissing):
        open_copy(copy).embed(["tea"])


def test_nothing_is_read_before_it_is_needed(tmp_path: Path):
    nowhere = open_copy(tmp_path / "nowhere")
    with pytest.raises(ModelMissing):
        _ = nowhere.fingerprint


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays: arrays.pop("rows"),
        lambda arrays: arrays.update(codes=arrays["codes"].astype(np.float32)),
        lambda arrays: arrays.update(scales=arrays["scales"][:-1]),
        lambda arrays: arrays.update(rows=np.full_like(arrays["rows"], 60_000)),
        lambda arrays: arrays["scales"].__setitem__(5, np.inf),
        lambda arrays: arrays.update(rows=np.array([{}], dtype=object)),
    ],
)
def test_a_table_that_makes_no_sense_is_refused_even_if_its_hash_is_right(copy: Path, change: Any):
    rewrite(copy, change)
    with pytest.raises(ModelCorrupt):
        open_copy(copy).embed(["tea"])


def test_a_table_made_for_another_tokenizer_is_refused(copy: Path):
    manifest = json.loads((copy / MANIFEST).read_text())
    (copy / MANIFEST).write_text(json.dumps(manifest | {"tokenizer": "0" * 64}))
    with pytest.raises(ModelCorrupt, match="another tokenizer"):
        open_copy(copy).embed(["tea"])


def test_no_verifier_is_taken_for_an_embedder():
    with pytest.raises(ModelUnavailable, match="no embedder"):
        StaticEmbedder(lambda: find_model("mini")).embed(["tea"])


def test_neither_onnxruntime_nor_the_network_is_needed():
    code = "import sys; from groundwire.models.embedding import StaticEmbedder; StaticEmbedder().embed(['tea']); "
    code += "print(sorted({'onnxruntime', 'torch', 'httpx'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
