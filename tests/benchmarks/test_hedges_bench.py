"""The hedge benchmark: its arithmetic, and the file that it reads."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from hedges import Row, read_rows, score


def test_precision_recall_and_f1_are_those_of_the_counts():
    rows = [Row("a", True), Row("b", True), Row("c", False), Row("d", False)]
    assert score(rows, lambda text: text in "ac") == (0.5, 0.5, 0.5)
    assert score(rows, lambda text: text == "a") == (1.0, 0.5, pytest.approx(2 / 3))
    assert score(rows, lambda text: False) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("name", ["rows.jsonl", "rows.jsonl.gz"])
def test_rows_are_read_gzipped_or_not(tmp_path: Path, name: str):
    rows = [{"text": "Maybe.", "label": "uncertain"}, {"text": "Yes.", "label": "certain"}]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    path = tmp_path / name
    path.write_bytes(gzip.compress(lines.encode()) if name.endswith("gz") else lines.encode())
    assert read_rows(path) == [Row("Maybe.", True), Row("Yes.", False)]
