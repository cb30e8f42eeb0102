"""The cosine of two texts, each embedded once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from groundwire.errors import ModelMissing
from groundwire.evidence.similarity import CosineSimilarity


class Counting:
    """An embedder that counts letters a and b, and how often it was asked."""

    name = fingerprint = "counting"
    dimensions = 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.asked += texts
        rows = np.array([[text.count("a"), text.count("b")] for text in texts], np.float32)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def test_the_cosine_is_symmetric_and_bounded():
    alike = CosineSimilarity(Counting())
    assert alike("a", "aa") == pytest.approx(1.0)
    assert alike("a", "b") == 0.0
    assert alike("ab", "a") == alike("a", "ab") == pytest.approx(0.7071, abs=1e-4)
    assert alike("", "a") == 0.0


def test_a_text_is_embedded_once_until_it_is_forgotten():
    embedder = Counting()
    alike = CosineSimilarity(embedder, size=2)
    for _ in range(3):
        alike("a", "b")
    assert embedder.asked == ["a", "b"]
    alike("a", "ab")
    alike("a", "b")
    assert embedder.asked == ["a", "b", "ab", "b"]


def test_nothing_is_loaded_before_the_first_question():
    class Absent(Counting):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise ModelMissing("there is no embedder", "reinstall groundwire")

    alike = CosineSimilarity(Absent())
    with pytest.raises(ModelMissing):
        alike("a", "b")
