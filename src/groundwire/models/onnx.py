"""Runs a model with onnxruntime: loaded when first needed, once, and shared by all threads."""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from groundwire.errors import InvalidInput, ModelCorrupt, ModelMissing
from groundwire.judge.protocols import Calibration, ReadCalibration, Scores
from groundwire.models.files import CALIBRATION, GRAPH, WEIGHTS, ModelFiles
from groundwire.models.packed import unpack
from groundwire.models.tokenizer import INSTALL, clean, open_tokenizer
from groundwire.types import Verdict

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

    import numpy as np
    from numpy.typing import NDArray

_ORDER = (Verdict.SUPPORTED, Verdict.REFUTED, Verdict.INSUFFICIENT)
_PADS = ("[PAD]", "<pad>")
_RUNS_A_WORKER = 2
_DIGITS = 6
_MOST_BEGUN = 256
_A_MOMENT = 20e-6
"""Long enough for a waiting worker to take its pair along: only one thread at a time runs Python."""


_SLOWER = ["SkipLayerNormFusion"]
"""Between products in eight bits this fusion costs more than it saves: 15% of the time, measured on two cores."""


class Batching(StrEnum):
    """Which pairs may share a run; a manifest's `batching` says what its model stands.

    PADDED   pairs of about the same length, filled up: for a model that computes every row by itself
    EQUAL    pairs of exactly the same length
    SINGLE   one pair a run: for a model whose numbers depend on what else is in the run, as they do when the range of
             the activations is taken over the whole tensor
    """

    PADDED = "padded"
    EQUAL = "equal"
    SINGLE = "single"


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a model is run; none of it changes what it says.

    workers        runs side by side; for short pairs better than threads, which wait for each other at every step
    threads        threads inside one run; 0 leaves it to onnxruntime
    spin           threads wait actively: a little faster on an idle machine, much slower on a busy one
    batch_tokens   the most tokens in one run, with the filling: bounds the memory that a run takes
    batching       None does as the manifest says
    """

    workers: int = 2
    threads: int = 1
    spin: bool = False
    batch_tokens: int = 1024
    batching: Batching | None = None


class _Encoding(Protocol):
    """A pair as the tokenizer gives it."""

    @property
    def ids(self) -> list[int]: ...
    @property
    def type_ids(self) -> list[int]: ...
    @property
    def sequence_ids(self) -> list[int | None]: ...
    @property
    def offsets(self) -> list[tuple[int, int]]: ...


@dataclass(frozen=True, slots=True)
class _Loaded:
    """Everything that is there once a model has been loaded."""

    session: Any
    failures: tuple[type[Exception], ...]
    inputs: frozenset[str]
    tokenizer: Any
    pad: int
    calibration: Calibration
    columns: tuple[int, ...]
    batching: Batching
    pool: ThreadPoolExecutor | None


class OnnxPairScorer:
    """A model's folder as a scorer of pairs."""

    def __init__(self, files: ModelFiles, read_calibration: ReadCalibration, options: RunOptions | None = None) -> None:
        self._files = files
        self._read_calibration = read_calibration
        self._options = options or RunOptions()
        self._lock = threading.Lock()
        self._ready: _Loaded | None = None
        self._begun: dict[tuple[str, str], Future[list[list[float]]]] = {}
        self._calibration: Calibration | None = None

    @property
    def name(self) -> str:
        return self._files.manifest.full_name

    @property
    def fingerprint(self) -> str:
        return self._files.manifest.fingerprint

    @property
    def calibration(self) -> str:
        return self._calibrate().version

    @property
    def max_tokens(self) -> int:
        return self._files.manifest.max_tokens

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        if not texts:
            return []
        encoded = self._load().tokenizer.encode_batch_fast([clean(text) for text in texts], add_special_tokens=False)
        return [len(encoding.ids) for encoding in encoded]

    def begin(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Runs of one pair start at once, beside whatever the caller does next; others wait for `score`."""
        loaded = self._load()
        fresh = [pair for pair in dict.fromkeys(pairs) if pair not in self._begun]
        if loaded.pool is None or loaded.batching is not Batching.SINGLE or not fresh:
            return
        encoded = _encode(loaded.tokenizer, [(clean(a), clean(b)) for a, b in fresh], self.max_tokens)
        for pair, encoding in zip(fresh, encoded, strict=True):
            if len(self._begun) >= _MOST_BEGUN:  # nobody came back for them
                self._begun.clear()
            self._begun[pair] = loaded.pool.submit(self._run, loaded, [encoding])
        time.sleep(_A_MOMENT)

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Scores]:
        if not pairs:
            return []
        loaded = self._load()
        distinct = list(dict.fromkeys(pairs))
        begun = {pair: run for pair in distinct if (run := self._begun.pop(pair, None)) is not None}
        rows = self._run_all(loaded, [pair for pair in distinct if pair not in begun])
        rows.update((pair, run.result()[0]) for pair, run in begun.items())
        found = {
            pair: _round(loaded.calibration.calibrate([row[column] for column in loaded.columns]))
            for pair, row in rows.items()
        }
        return [found[pair] for pair in pairs]

    def _run_all(self, loaded: _Loaded, distinct: Sequence[tuple[str, str]]) -> dict[tuple[str, str], list[float]]:
        encoded = _encode(loaded.tokenizer, [(clean(a), clean(b)) for a, b in distinct], self.max_tokens)
        lengths = [len(encoding.ids) for encoding in encoded]
        most = self._options.batch_tokens
        if loaded.pool is not None:  # enough runs for everybody to have something to do until the end
            most = min(most, -(-sum(lengths) // (_RUNS_A_WORKER * self._options.workers)))
        batches = list(form_batches(lengths, loaded.batching, most))
        runs = [[encoded[i] for i in batch] for batch in batches]
        run = partial(self._run, loaded)
        results = loaded.pool.map(run, runs) if loaded.pool is not None and len(runs) > 1 else map(run, runs)
        return {
            distinct[i]: row
            for batch, rows in zip(batches, results, strict=True)
            for i, row in zip(batch, rows, strict=True)
        }

    def _run(self, loaded: _Loaded, batch: Sequence[_Encoding]) -> list[list[float]]:
        import numpy as np

        feed = _fill(batch, loaded.pad)
        try:
            outputs = loaded.session.run(["logits"], {name: feed[name] for name in loaded.inputs})
        except loaded.failures as error:
            raise ModelCorrupt(f"the model {self.name} failed ({error})", self._files.remedy) from error
        logits: NDArray[np.float32] = outputs[0]
        if logits.shape != (len(batch), len(_ORDER)) or not np.isfinite(logits).all():
            raise ModelCorrupt(f"the model {self.name} computed no usable numbers", self._files.remedy)
        return logits.astype(np.float64).tolist()

    def _load(self) -> _Loaded:
        if self._ready is None:
            with self._lock:
                if self._ready is None:
                    self._ready = self._load_now()
        return self._ready

    def _calibrate(self) -> Calibration:
        """A small file that says how sure the model may be: its version is known before the model is loaded."""
        if self._calibration is None:
            self._calibration = self._read_calibration(self._files.read_json(CALIBRATION))
        return self._calibration

    def _load_now(self) -> _Loaded:
        files, options = self._files, self._options
        calibration = self._calibrate()
        tokenizer = open_tokenizer(files)
        session, failures = _open_session(files, options)
        _return_memory()
        inputs = frozenset(str(entry.name) for entry in session.get_inputs())
        outputs = [entry.name for entry in session.get_outputs()]
        strange = inputs - {"input_ids", "attention_mask", "token_type_ids"}
        if strange or "input_ids" not in inputs or "logits" not in outputs:
            raise ModelCorrupt(f"the graph of {self.name} takes {sorted(inputs)} and gives {outputs}", files.remedy)
        columns = tuple(files.manifest.labels.index(verdict) for verdict in _ORDER)
        pad = _find_pad(tokenizer, files.manifest.details)
        batching = options.batching or _read_batching(files)
        pool = _make_pool(options.workers)
        return _Loaded(session, failures, inputs, tokenizer, pad, calibration, columns, batching, pool)


def form_batches(lengths: Sequence[int], batching: Batching, batch_tokens: int) -> Iterator[list[int]]:
    """Indices of the pairs that share a run, longest first; a run holds at least one pair."""
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    batch: list[int] = []
    for i in order:
        if batch:
            longest = lengths[batch[0]]
            match batching:
                case Batching.SINGLE:
                    fits = False
                case Batching.EQUAL:
                    fits = lengths[i] == longest
                case Batching.PADDED:
                    fits = lengths[i] >= longest - max(4, longest // 8)
            if not fits or longest * (len(batch) + 1) > batch_tokens:
                yield batch
                batch = []
        batch.append(i)
    if batch:
        yield batch


def _fill(batch: Sequence[_Encoding], pad: int) -> dict[str, NDArray[np.int64]]:
    import numpy as np

    shape = (len(batch), max(len(encoding.ids) for encoding in batch))
    ids, mask, types = np.full(shape, pad, np.int64), np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    for row, encoding in enumerate(batch):
        length = len(encoding.ids)
        ids[row, :length] = encoding.ids
        mask[row, :length] = 1
        types[row, :length] = encoding.type_ids
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def _encode(tokenizer: Any, pairs: Sequence[tuple[str, str]], limit: int) -> list[_Encoding]:
    """Every pair in at most `limit` tokens. Windows fit already; only a pair that does not is encoded again."""
    encoded: list[_Encoding] = list(tokenizer.encode_batch_fast(list(pairs)))
    for i, encoding in enumerate(encoded):
        evidence, claim = pairs[i]
        while len(encoding.ids) > limit:
            evidence = _shorten(evidence, tokenizer.encode(evidence, claim), limit)
            encoding = tokenizer.encode(evidence, claim)
        encoded[i] = encoding
    return encoded


def _shorten(evidence: str, encoding: _Encoding, limit: int) -> str:
    """The beginning of the evidence that leaves room for the whole claim."""
    offsets = [offset for offset, part in zip(encoding.offsets, encoding.sequence_ids, strict=True) if part == 0]
    room = limit - (len(encoding.ids) - len(offsets))
    if room <= 0 or not offsets:
        raise InvalidInput("claim", f"does not fit into the {limit} tokens that the model reads: split it")
    end = offsets[min(room, len(offsets)) - 1][1]
    return evidence[: end if end < len(evidence) else len(evidence) - 1]


def _find_pad(tokenizer: Any, details: Mapping[str, Any]) -> int:
    """Some models tell the filling by its number and not by the mask alone, so it must be the right one."""
    given = details.get("pad_id")
    if isinstance(given, int):
        return given
    found: Iterable[int | None] = (tokenizer.token_to_id(token) for token in _PADS)
    return next((number for number in found if number is not None), 0)


def _make_pool(workers: int) -> ThreadPoolExecutor | None:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(workers, thread_name_prefix="groundwire-model") if workers > 1 else None


def _round(scores: Scores) -> Scores:
    """Further digits depend on what else was in the run, and a verdict must be the same every time."""
    supported, refuted = round(scores.supported, _DIGITS), round(scores.refuted, _DIGITS)
    return Scores(supported, refuted, round(max(0.0, 1.0 - supported - refuted), _DIGITS))


def _read_batching(files: ModelFiles) -> Batching:
    """A manifest that does not say gets what is right for every model."""
    given = files.manifest.details.get("batching", Batching.SINGLE)
    if given not in list(Batching):
        raise ModelCorrupt(f"the manifest of {files.manifest.full_name} has the batching {given!r}", files.remedy)
    return Batching(given)


def _return_memory() -> None:
    """Loading takes several times what a model keeps; some C libraries hold on to it until they are asked."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)


def _open_session(files: ModelFiles, options: RunOptions) -> tuple[Any, tuple[type[Exception], ...]]:
    """The graph is handed over as the bytes that were checked, so that it cannot name files of its own."""
    try:
        runtime: Any = import_module("onnxruntime")
        state = import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    except ImportError as error:
        raise ModelMissing("onnxruntime is not installed", INSTALL) from error
    names = (
        "EPFail Fail InvalidArgument InvalidGraph InvalidProtobuf NoModel NoSuchFile NotImplemented RuntimeException"
    )
    failures = (RuntimeError, *(getattr(state, name) for name in names.split() if hasattr(state, name)))
    settings = runtime.SessionOptions()
    settings.intra_op_num_threads = options.threads
    settings.inter_op_num_threads = 1
    settings.execution_mode = runtime.ExecutionMode.ORT_SEQUENTIAL
    settings.use_deterministic_compute = True
    settings.enable_mem_pattern = False  # shapes differ from run to run, and a plan would be kept for each of them
    settings.log_severity_level = 4
    settings.add_session_config_entry("session.intra_op.allow_spinning", "1" if options.spin else "0")
    try:
        if files.has(WEIGHTS):
            weights = unpack(files.read(WEIGHTS))
            _return_memory()
            values = [runtime.OrtValue.ortvalue_from_numpy(array) for array in weights.values()]
            settings.add_external_initializers(list(weights), values)
        session = runtime.InferenceSession(
            files.read(GRAPH), settings, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOWER
        )
    except failures as error:
        raise ModelCorrupt(
            f"the graph of {files.manifest.full_name} cannot be loaded ({error})", files.remedy
        ) from error
    return session, failures
