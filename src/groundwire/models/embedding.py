"""The embedder that ships with the package: a table of word pieces, added up and brought to length one.

It needs neither onnxruntime nor a graph. Its pieces are those of `mini`, whose tokenizer it shares; the manifest names
the tokenizer that the table was made for, and no other is used.
"""

from __future__ import annotations

import io
import threading
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from groundwire.errors import ModelCorrupt, ModelUnavailable
from groundwire.models.files import TABLE, TOKENIZER, ModelFiles, ModelKind, find_model, open_model, packaged_models
from groundwire.models.tokenizer import clean, open_tokenizer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMBEDDER = "embedder"
_TOKENIZER_OF = "mini"
_AT_ONCE = 512


@dataclass(frozen=True, slots=True)
class Table:
    """Vectors of word pieces. `rows` says which row a piece has; row 0 is empty and stands for all pieces left out."""

    rows: NDArray[np.uint16]
    codes: NDArray[np.int8]
    scales: NDArray[np.float32]

    @property
    def dimensions(self) -> int:
        return self.codes.shape[1]

    def add_up(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        """The sum of each text's pieces, of length one. How much a piece counts is the length of its vector."""
        import numpy as np

        sums = np.zeros((len(texts), self.dimensions), np.float32)
        for place, pieces in enumerate(texts):
            rows = self.rows[pieces]
            sums[place] = self.scales[rows] @ self.codes[rows].astype(np.float32)
        lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))[:, None]
        sums /= np.where(lengths > 0, lengths, 1)
        return sums


@dataclass(frozen=True, slots=True)
class _Loaded:
    table: Table
    tokenizer: Any


class StaticEmbedder:
    """Sentences by what their words mean, in microseconds; loaded when first needed, once, for all threads.

    The order of the words does not count: "the dog bit the man" is where "the man bit the dog" is.
    """

    def __init__(self, find: Callable[[], ModelFiles] = lambda: find_model(EMBEDDER)) -> None:
        self._find = find
        self._lock = threading.Lock()
        self._found: ModelFiles | None = None
        self._loaded: _Loaded | None = None
        self._problem: ModelUnavailable | None = None

    @property
    def name(self) -> str:
        return self._files().manifest.full_name

    @property
    def fingerprint(self) -> str:
        return self._files().manifest.fingerprint

    @property
    def dimensions(self) -> int:
        return self._load().table.dimensions

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        import numpy as np

        loaded = self._load()
        parts = [np.zeros((0, loaded.table.dimensions), np.float32)]
        for start in range(0, len(texts), _AT_ONCE):
            part = [clean(text) for text in texts[start : start + _AT_ONCE]]
            encoded = loaded.tokenizer.encode_batch_fast(part, add_special_tokens=False)
            parts.append(loaded.table.add_up([encoding.ids for encoding in encoded]))
        return np.concatenate(parts)

    def compare(self, text: str, others: Sequence[str]) -> list[float]:
        """The cosine of a text with each of the others."""
        first, *rows = self.embed([text, *others])
        return [float(row @ first) for row in rows]

    def _files(self) -> ModelFiles:
        if self._found is None:
            found = self._find()
            if found.manifest.kind is not ModelKind.EMBEDDER:
                raise ModelCorrupt(f"{found.folder} holds no embedder", found.remedy)
            self._found = found
        return self._found

    def _load(self) -> _Loaded:
        """What went wrong once is not tried again at every call."""
        with self._lock:
            if self._problem is not None:
                raise self._problem
            if self._loaded is None:
                try:
                    files = self._files()
                    self._loaded = _Loaded(read_table(files), _share_tokenizer(files))
                except ModelUnavailable as error:
                    self._problem = error
                    raise
            return self._loaded


def _share_tokenizer(files: ModelFiles) -> Any:
    shared = open_model(packaged_models() / _TOKENIZER_OF, files.remedy)
    expected = files.manifest.details.get("tokenizer")
    if shared.manifest.files[TOKENIZER].sha256 != expected:
        raise ModelCorrupt(
            f"{files.folder} was made for another tokenizer than {shared.folder / TOKENIZER}", files.remedy
        )
    return open_tokenizer(shared)


def read_table(files: ModelFiles) -> Table:
    """The table, with every number in it where it belongs."""
    import numpy as np

    place = files.folder / TABLE
    document = files.read(TABLE)
    try:
        with np.load(io.BytesIO(document), allow_pickle=False) as arrays:
            found = {name: cast("NDArray[Any]", arrays[name]) for name in ("rows", "codes", "scales")}
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise ModelCorrupt(f"{place} cannot be read as a table ({error})", files.remedy) from error
    rows, codes, scales = found["rows"], found["codes"], found["scales"]
    fits = (
        (rows.dtype, codes.dtype, scales.dtype) == (np.uint16, np.int8, np.float16)
        and (rows.ndim, codes.ndim, scales.ndim) == (1, 2, 1)
        and len(codes) == len(scales) > int(rows.max(initial=0))
        and bool(np.isfinite(scales).all())
    )
    if not fits:
        raise ModelCorrupt(f"{place} holds arrays of the wrong kind or size", files.remedy)
    return Table(rows, codes, scales.astype(np.float32))
