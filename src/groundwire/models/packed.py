"""Weights in a few bits: a container of tensors in groups of 64 along the last axis.

    offset 0    magic "GWQ1"
           4    length of the header in bytes, unsigned 32 bits, little-endian like everything else
           8    CRC-32 of the header
          12    the header: JSON, padded with spaces so that the data begin at a multiple of 64
          …     the tensors, one behind the other

The header is `{"group": 64, "tensors": [entry, …]}`; an entry has

    name, shape
    bits      2, 3, 4, 6 or 8: codes in groups; 16 or 32: plain float16 or float32
    layout    "raw", "symmetric": value = (code - 2^(bits-1)) * scale, or "minimum": value = minimum + code * scale
    load_as   "float32", or "int8": re-quantised when read, one scale per index of `axis` (0 or 1 of a matrix), so that
              a large matrix is never held in full precision; gives `name` as int8 and `name + "_scale"` as float32
    turned    with "int8": the matrix is handed over transposed, in the order in which products read it fastest
    bytes, crc32   of the tensor's data

A grouped tensor's data are its codes, then the float16 scales, then (layout "minimum") the float16 minima, each in the
order of the groups. Every row of the last axis begins a group, and the last group of a row is filled up with code 0. A
group's codes are written little-endian, the first code in the lowest bits: 16, 24, 32, 48 or 64 bytes.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from groundwire.errors import ModelCorrupt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]
    Codes = NDArray[np.uint8]

MAGIC = b"GWQ1"
GROUP = 64
GROUPED_BITS = (2, 3, 4, 6, 8)
_IN_TRIPLES = (3, 6)
"""Codes that cross the borders of bytes, and come out even after three of them."""
RAW_BITS = {16: "<f2", 32: "<f4"}
SCALE_SUFFIX = "_scale"
_PREAMBLE = 12
_VALUES_AT_ONCE = 1 << 20
_REMEDY = "install the model again"


@dataclass(frozen=True, slots=True)
class Grouped:
    """Codes of shape (groups, 64) with one scale, and perhaps one minimum, a group.

    Whoever has chosen codes with more care than rounding hands them in like this.
    """

    shape: tuple[int, ...]
    bits: int
    codes: Codes
    scales: Floats
    minima: Floats | None = None

    def restore(self) -> NDArray[np.float32]:
        """The values that the codes stand for."""
        import numpy as np

        scales = self.scales.astype(np.float32)[:, None]
        values = self.codes.astype(np.float32)
        if self.minima is None:
            values -= np.float32(1 << (self.bits - 1))
        values *= scales
        if self.minima is not None:
            values += self.minima.astype(np.float32)[:, None]
        width = self.shape[-1] if self.shape else 1
        rows = values.reshape(-1, max(1, -(-width // GROUP)) * GROUP)
        return np.ascontiguousarray(rows[:, :width]).reshape(self.shape)


@dataclass(frozen=True, slots=True)
class Stored:
    """What to pack, in how many bits, and in which form it is to be read back."""

    values: Floats | Grouped
    bits: int
    symmetric: bool = False
    int8_axis: int | None = None
    turned: bool = False


def quantise(values: Floats, bits: int, *, symmetric: bool = False) -> Grouped:
    """Round to the nearest code; scales are rounded up in float16, so that no value falls off the end."""
    import numpy as np

    if bits not in GROUPED_BITS:
        raise ValueError(f"{bits} bits: groups are stored in {', '.join(map(str, GROUPED_BITS))}")
    if not np.isfinite(values).all():
        raise ValueError("values to be packed must be finite")
    groups = _group(np.asarray(values, dtype=np.float64))
    if symmetric:
        half = 1 << (bits - 1)
        scales = _round_up(np.abs(groups).max(axis=1) / (half - 1))
        codes = np.rint(_divide(groups, scales)) + half
        minima = None
    else:
        minima = _round_down(groups.min(axis=1))
        scales = _round_up((groups.max(axis=1) - minima.astype(np.float64)) / ((1 << bits) - 1))
        codes = np.rint(_divide(groups - minima.astype(np.float64)[:, None], scales))
    return Grouped(tuple(values.shape), bits, codes.clip(0, (1 << bits) - 1).astype(np.uint8), scales, minima)


def pack(tensors: Mapping[str, tuple[Floats, int] | Stored]) -> bytes:
    """The container as bytes; plain `(values, bits)` are rounded with a minimum and a scale for each group."""
    entries: list[dict[str, object]] = []
    blocks: list[bytes] = []
    for name, given in tensors.items():
        stored = given if isinstance(given, Stored) else Stored(*given)
        shape, layout, block = _write_tensor(stored)
        entry: dict[str, object] = {"name": name, "shape": shape, "bits": stored.bits, "layout": layout}
        entry["load_as"] = "float32" if stored.int8_axis is None else "int8"
        if stored.int8_axis is not None:
            if len(shape) != 2 or stored.int8_axis not in (0, 1):
                raise ValueError(f"{name}: only a matrix is read back as int8, along axis 0 or 1")
            entry |= {"axis": stored.int8_axis, "turned": stored.turned}
        entries.append(entry | {"bytes": len(block), "crc32": zlib.crc32(block)})
        blocks.append(block)
    header = json.dumps({"group": GROUP, "tensors": entries}, separators=(",", ":")).encode()
    header += b" " * (-(_PREAMBLE + len(header)) % GROUP)
    preamble = MAGIC + len(header).to_bytes(4, "little") + zlib.crc32(header).to_bytes(4, "little")
    return b"".join([preamble, header, *blocks])


def unpack(data: bytes | memoryview, *, as_float: bool = False) -> dict[str, NDArray[Any]]:
    """Every tensor in the form that its entry asks for; anything damaged or missing is an error.

    With `as_float` all of them come as the values that were packed, for whoever trains on with them.
    """
    view = memoryview(data)
    entries, at = _read_header(view)
    found: dict[str, NDArray[Any]] = {}
    for entry in entries:
        block = view[at : at + entry.size]
        at += entry.size
        if len(block) != entry.size:
            raise ModelCorrupt(f"packed weights end inside {entry.name!r}", _REMEDY)
        if zlib.crc32(block) != entry.crc32:
            raise ModelCorrupt(f"packed weights are damaged in {entry.name!r}", _REMEDY)
        if as_float or entry.int8_axis is None:
            found[entry.name] = _read_tensor(entry, block)
        else:
            codes, found[entry.name + SCALE_SUFFIX] = _read_int8(entry, block)
            found[entry.name] = _turn(codes) if entry.turned else codes
    if at != len(view):
        raise ModelCorrupt(f"packed weights have {len(view) - at} bytes too many", _REMEDY)
    return found


@dataclass(frozen=True, slots=True)
class _Packed:
    """Groups as they lie in the file."""

    bits: int
    codes: Codes
    scales: Floats
    minima: Floats | None


@dataclass(frozen=True, slots=True)
class _Entry:
    name: str
    shape: tuple[int, ...]
    bits: int
    layout: str
    int8_axis: int | None
    size: int
    crc32: int
    turned: bool = False

    @property
    def groups(self) -> int:
        return math.prod(self.shape[:-1]) * -(-self.shape[-1] // GROUP) if self.shape else 1

    @property
    def expected_size(self) -> int:
        if self.bits in RAW_BITS:
            return math.prod(self.shape) * self.bits // 8
        return self.groups * (GROUP * self.bits // 8 + (4 if self.layout == "minimum" else 2))


def _read_header(view: memoryview) -> tuple[list[_Entry], int]:
    if bytes(view[:4]) != MAGIC:
        raise ModelCorrupt("packed weights do not begin with GWQ1", _REMEDY)
    length, checksum = int.from_bytes(view[4:8], "little"), int.from_bytes(view[8:12], "little")
    header = bytes(view[_PREAMBLE : _PREAMBLE + length])
    if len(header) != length or zlib.crc32(header) != checksum:
        raise ModelCorrupt("the header of the packed weights is damaged", _REMEDY)
    try:
        document = cast(dict[str, Any], json.loads(header))
        if document["group"] != GROUP:
            raise ModelCorrupt(f"packed weights have groups of {document['group']!r}, not of {GROUP}", _REMEDY)
        entries = [_read_entry(entry) for entry in document["tensors"]]
    except (ValueError, KeyError, TypeError) as error:
        raise ModelCorrupt(f"the header of the packed weights cannot be read ({error!r})", _REMEDY) from error
    return entries, _PREAMBLE + length


def _read_entry(entry: dict[str, Any]) -> _Entry:
    axis = int(entry["axis"]) if entry["load_as"] == "int8" else None
    shape = tuple(int(size) for size in entry["shape"])
    read = _Entry(
        str(entry["name"]), shape, entry["bits"], entry["layout"], axis, entry["bytes"], entry["crc32"],
        axis is not None and bool(entry.get("turned")),
    )  # fmt: skip
    known = (read.layout == "raw") if read.bits in RAW_BITS else read.layout in ("symmetric", "minimum")
    if not known or (read.bits not in RAW_BITS and read.bits not in GROUPED_BITS):
        raise ModelCorrupt(f"{read.name!r} is packed in an unknown way: {read.bits!r} {read.layout!r}", _REMEDY)
    if min(shape, default=0) < 0 or read.size != read.expected_size:
        raise ModelCorrupt(f"{read.name!r} has {read.size} bytes instead of {read.expected_size}", _REMEDY)
    return read


def _read_tensor(entry: _Entry, block: memoryview) -> NDArray[np.float32]:
    import numpy as np

    if entry.bits in RAW_BITS:
        return np.frombuffer(block, RAW_BITS[entry.bits]).reshape(entry.shape).astype(np.float32)
    grouped = _open_groups(entry, block)
    if entry.shape[-1:] and entry.shape[-1] % GROUP:
        return _restore(grouped, entry.shape)
    found = np.empty((entry.groups, GROUP), np.float32)
    for part in _cut(entry.groups):
        found[part] = _restore(_take(grouped, part), (-1, GROUP))
    return found.reshape(entry.shape)


def _read_int8(entry: _Entry, block: memoryview) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """One scale per row or column. By rows in pieces, so that no large matrix is ever there in full precision."""
    import numpy as np

    rows, width = entry.shape
    if entry.int8_axis != 0 or entry.bits in RAW_BITS or width % GROUP:
        return _requantise(_read_tensor(entry, block), entry.int8_axis or 0)
    grouped, each = _open_groups(entry, block), width // GROUP
    codes, scales = np.empty(entry.shape, np.int8), np.empty(rows, np.float32)
    for part in _cut(rows, each):
        inside = slice(part.start * each, part.stop * each)
        codes[part], scales[part] = _requantise(_restore(_take(grouped, inside), (-1, width)), 0)
    return codes, scales


def _turn(codes: NDArray[np.int8]) -> NDArray[np.int8]:
    import numpy as np

    return np.ascontiguousarray(codes.T)


def _cut(count: int, each: int = 1) -> list[slice]:
    """Pieces of about a million values, for rows of `each` groups."""
    step = max(1, _VALUES_AT_ONCE // (GROUP * each))
    return [slice(first, min(count, first + step)) for first in range(0, count, step)]


def _open_groups(entry: _Entry, block: memoryview) -> _Packed:
    import numpy as np

    groups, wide = entry.groups, GROUP * entry.bits // 8
    codes = np.frombuffer(block, np.uint8, groups * wide).reshape(groups, wide)
    scales = np.frombuffer(block, "<f2", groups, groups * wide)
    minima = np.frombuffer(block, "<f2", groups, groups * (wide + 2)) if entry.layout == "minimum" else None
    return _Packed(entry.bits, codes, scales, minima)


def _take(packed: _Packed, part: slice) -> _Packed:
    minima = None if packed.minima is None else packed.minima[part]
    return _Packed(packed.bits, packed.codes[part], packed.scales[part], minima)


def _restore(packed: _Packed, shape: tuple[int, ...]) -> NDArray[np.float32]:
    spread = _spread(packed.codes, packed.bits)
    whole = shape if shape[0] != -1 else (spread.size // shape[1], shape[1])
    return Grouped(whole, packed.bits, spread, packed.scales, packed.minima).restore()


def _write_tensor(stored: Stored) -> tuple[tuple[int, ...], str, bytes]:
    import numpy as np

    if stored.bits in RAW_BITS:
        if isinstance(stored.values, Grouped):
            raise ValueError("groups cannot be stored raw")
        raw = stored.values.astype(RAW_BITS[stored.bits])
        if not np.isfinite(raw).all():
            raise ValueError(f"values to be packed must be finite in {stored.bits} bits")
        return tuple(stored.values.shape), "raw", raw.tobytes()
    values = stored.values
    grouped = values if isinstance(values, Grouped) else quantise(values, stored.bits, symmetric=stored.symmetric)
    if grouped.bits != stored.bits:
        raise ValueError(f"codes of {grouped.bits} bits cannot be stored in {stored.bits}")
    parts = [_squeeze(grouped.codes, stored.bits).tobytes(), grouped.scales.astype("<f2").tobytes()]
    if grouped.minima is not None:
        parts.append(grouped.minima.astype("<f2").tobytes())
    return grouped.shape, "symmetric" if grouped.minima is None else "minimum", b"".join(parts)


def _group(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of 64; the end of a row is filled with its own last value, which widens no group's range."""
    import numpy as np

    width = values.shape[-1] if values.shape else 1
    rows = values.reshape(-1, width) if values.size else np.zeros((0, max(1, width)))
    return np.pad(rows, ((0, 0), (0, -rows.shape[1] % GROUP)), mode="edge").reshape(-1, GROUP)


def _squeeze(codes: Codes, bits: int) -> Codes:
    """Codes of one byte each → `bits` bits each."""
    import numpy as np

    if bits == 8:
        return codes
    apiece = (24 if bits in _IN_TRIPLES else 8) // bits
    shifts = np.arange(apiece, dtype=np.uint32) * bits
    words = (codes.reshape(-1, GROUP // apiece, apiece).astype(np.uint32) << shifts).sum(axis=2, dtype=np.uint32)
    if bits in _IN_TRIPLES:
        return words.astype("<u4").view(np.uint8).reshape(*words.shape, 4)[:, :, :3].reshape(-1, GROUP * bits // 8)
    return words.astype(np.uint8)


def _spread(packed: Codes, bits: int) -> Codes:
    """`bits` bits each → codes of one byte each."""
    import numpy as np

    if bits == 8:
        return packed
    if bits in _IN_TRIPLES:
        triples = packed.reshape(-1, GROUP * bits // 24, 3).astype(np.uint32)
        words = triples[:, :, 0] | triples[:, :, 1] << 8 | triples[:, :, 2] << 16
        apiece = 24 // bits
    else:
        words, apiece = packed, 8 // bits
    shifts = (np.arange(apiece) * bits).astype(words.dtype)
    spread = (words[:, :, None] >> shifts) & words.dtype.type((1 << bits) - 1)
    return spread.astype(np.uint8).reshape(-1, GROUP)


def _requantise(values: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    import numpy as np

    scales = np.abs(values).max(axis=1 - axis, initial=0.0) / np.float32(127)
    scales[scales == 0.0] = 1.0
    values /= scales[:, None] if axis == 0 else scales[None, :]
    return np.rint(values, out=values).astype(np.int8), scales.astype(np.float32)


def _divide(groups: NDArray[np.float64], scales: Floats) -> NDArray[np.float64]:
    """Zero where the scale is: then every value of the group is the same."""
    import numpy as np

    steps = scales.astype(np.float64)[:, None]
    return np.divide(groups, steps, out=np.zeros_like(groups), where=steps > 0.0)


def _round_up(values: NDArray[np.float64]) -> NDArray[np.float16]:
    import numpy as np

    if values.size and np.abs(values).max() > 65504:
        raise ValueError("values to be packed must stay below 65504")
    near = values.astype(np.float16)
    return np.where(near.astype(np.float64) < values, np.nextafter(near, np.float16(np.inf)), near)


def _round_down(values: NDArray[np.float64]) -> NDArray[np.float16]:
    return -_round_up(-values)
