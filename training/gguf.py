"""GGUF files, read with nothing but numpy: the form in which small language models are published as packages."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

_SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<B", 10: "<Q", 11: "<q", 12: "<d"}
F32, F16, Q4_1, Q8_0, Q4_K, Q6_K = 0, 1, 3, 8, 12, 14
_SIZES = {F32: (1, 4), F16: (1, 2), Q4_1: (32, 20), Q8_0: (32, 34), Q4_K: (256, 144), Q6_K: (256, 210)}
"""By kind: how many weights a block holds, and in how many bytes."""

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]


class Gguf:
    """The metadata and tensors of a file; a tensor is dequantised when it is asked for."""

    def __init__(self, data: bytes | memoryview) -> None:
        self._data, self._at = data, 4
        _, tensors, fields = self._take("<I"), self._take("<Q"), self._take("<Q")
        self.fields: dict[str, Any] = {}
        for _ in range(fields):
            name = self._string()
            self.fields[name] = self._value(self._take("<I"))
        self._places: dict[str, tuple[tuple[int, ...], int, int]] = {}
        for _ in range(tensors):
            name = self._string()
            shape = tuple(self._take("<Q") for _ in range(self._take("<I")))
            self._places[name] = (shape[::-1], self._take("<I"), self._take("<Q"))
        align = int(self.fields.get("general.alignment", 32))
        self._start = (self._at + align - 1) // align * align

    @property
    def names(self) -> list[str]:
        return list(self._places)

    def _take(self, form: str) -> Any:
        (value,) = struct.unpack_from(form, self._data, self._at)
        self._at += struct.calcsize(form)
        return value

    def _string(self) -> str:
        size = self._take("<Q")
        self._at += size
        return bytes(self._data[self._at - size : self._at]).decode("utf-8", "replace")

    def _value(self, kind: int) -> Any:
        if kind == 8:
            return self._string()
        if kind == 9:
            inner, count = self._take("<I"), self._take("<Q")
            return [self._value(inner) for _ in range(count)]
        return self._take(_SCALARS[kind])

    def raw(self, name: str) -> tuple[Bytes, int, tuple[int, ...]]:
        """(bytes as stored, kind, shape)."""
        shape, kind, offset = self._places[name]
        block, size = _SIZES[kind]
        return (
            np.frombuffer(self._data, np.uint8, math.prod(shape) // block * size, self._start + offset),
            kind,
            shape,
        )

    def tensor(self, name: str) -> Floats:
        return dequantise(*self.raw(name))


def dequantise(raw: Bytes, kind: int, shape: tuple[int, ...]) -> Floats:
    """The weights that the blocks stand for."""
    if kind in (F32, F16):
        return raw.view(np.float32 if kind == F32 else np.float16).astype(np.float32).reshape(shape)
    rows = raw.reshape(-1, _SIZES[kind][1])
    return {Q4_1: _read_q4_1, Q8_0: _read_q8_0, Q4_K: _read_q4_k, Q6_K: _read_q6_k}[kind](rows).reshape(shape)


def _half(rows: Bytes, at: int) -> Floats:
    return rows[:, at : at + 2].copy().view(np.float16).astype(np.float32)


def _read_q4_1(rows: Bytes) -> Floats:
    codes = np.concatenate([rows[:, 4:] & 15, rows[:, 4:] >> 4], axis=1)
    return codes * _half(rows, 0) + _half(rows, 2)


def _read_q8_0(rows: Bytes) -> Floats:
    return rows[:, 2:].view(np.int8) * _half(rows, 0)


def _read_q4_k(rows: Bytes) -> Floats:
    """Eight runs of 32 codes; the scale and the least value of a run have six bits each, packed into twelve bytes."""
    packed = rows[:, 4:16]
    low, mid, high = packed[:, :4], packed[:, 4:8], packed[:, 8:]
    scale = np.concatenate([low & 63, (high & 15) | (low >> 6 << 4)], axis=1)
    least = np.concatenate([mid & 63, (high >> 4) | (mid >> 6 << 4)], axis=1)
    bytes_ = rows[:, 16:].reshape(-1, 4, 1, 32)
    codes = np.concatenate([bytes_ & 15, bytes_ >> 4], axis=2).reshape(-1, 8, 32)
    return codes * (scale * _half(rows, 0))[:, :, None] - (least * _half(rows, 2))[:, :, None]


def _read_q6_k(rows: Bytes) -> Floats:
    """Two halves of four runs of 32 codes: four low bits in one place, two high bits in another; 16 scales."""
    low = rows[:, :128].reshape(-1, 2, 2, 32)
    high = rows[:, 128:192].reshape(-1, 2, 1, 32)
    fours = np.concatenate([low & 15, low >> 4], axis=2)
    twos = np.concatenate([high & 3, high >> 2 & 3, high >> 4 & 3, high >> 6], axis=2)
    codes = (fours | (twos << 4)).astype(np.int8) - 32
    scale = rows[:, 192:208].view(np.int8).astype(np.float32) * _half(rows, 208)
    return codes.reshape(-1, 16, 16) * scale[:, :, None]
