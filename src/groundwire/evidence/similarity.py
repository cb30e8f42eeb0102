"""How much alike two statements are by what they mean; every text is embedded once."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING

from groundwire.evidence.protocols import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_TEXTS = 4_096


class CosineSimilarity:
    """The cosine of two texts, from -1 to 1; the embedder is not touched before the first question."""

    def __init__(self, embedder: Embedder, size: int = _MOST_TEXTS) -> None:
        self._embedder = embedder
        self._size = size
        self._lock = threading.Lock()
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    def __call__(self, one: str, other: str) -> float:
        return min(1.0, max(-1.0, float(self._embed(one) @ self._embed(other))))

    def _embed(self, text: str) -> NDArray[np.float32]:
        with self._lock:
            kept = self._vectors.get(text)
            if kept is not None:
                self._vectors.move_to_end(text)
                return kept
        vector = self._embedder.embed([text])[0]
        with self._lock:
            self._vectors[text] = vector
            while len(self._vectors) > self._size:
                self._vectors.popitem(last=False)
        return vector
