"""Packed weights: what goes in comes out, as closely as its bits allow, or not at all."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.errors import ModelCorrupt
from groundwire.models.packed import GROUP, GROUPED_BITS, Grouped, Stored, pack, quantise, unpack

SHAPES = st.one_of(
    st.tuples(st.integers(1, 200)),
    st.tuples(st.integers(1, 6), st.integers(1, 150)),
    st.tuples(st.integers(0, 3), st.integers(1, 3), st.integers(0, 70)),
)
SPREADS = st.sampled_from([1e-7, 1e-3, 1.0, 300.0])


def draw(shape: tuple[int, ...], spread: float, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return (generator.normal(0, spread, shape) + generator.choice([0.0, spread])).astype(np.float32)


def steps_of(values: np.ndarray, bits: int, *, symmetric: bool) -> np.ndarray:
    """The step of each value's group, laid out like the values."""
    grouped = quantise(values, bits, symmetric=symmetric)
    ones = Grouped(grouped.shape, 8, np.ones_like(grouped.codes), grouped.scales, np.zeros_like(grouped.scales))
    return ones.restore()


@given(SHAPES, SPREADS, st.integers(0, 999), st.sampled_from(GROUPED_BITS), st.booleans())
def test_every_value_comes_back_within_half_a_step(
    shape: tuple[int, ...], spread: float, seed: int, bits: int, symmetric: bool
):
    values = draw(shape, spread, seed)
    found = unpack(pack({"w": Stored(values, bits, symmetric)}))["w"]
    assert found.shape == shape
    assert found.dtype == np.float32
    allowed = steps_of(values, bits, symmetric=symmetric) * 0.5
    assert (np.abs(found - values) <= allowed * (1 + 1e-5) + np.abs(values) * 1e-6).all()


@given(SHAPES, st.integers(0, 999), st.sampled_from([(16, np.float16), (32, np.float32)]))
def test_raw_values_come_back_as_they_are_in_their_precision(
    shape: tuple[int, ...], seed: int, kind: tuple[int, type[np.floating]]
):
    bits, dtype = kind
    values = draw(shape, 1.0, seed).astype(dtype)
    assert np.array_equal(unpack(pack({"w": (values, bits)}))["w"], values.astype(np.float32))


@given(st.integers(0, 999), st.sampled_from(GROUPED_BITS), st.booleans())
def test_codes_that_were_chosen_with_care_are_kept_to_the_bit(seed: int, bits: int, has_minima: bool):
    generator = np.random.default_rng(seed)
    codes = generator.integers(0, 1 << bits, (6, GROUP)).astype(np.uint8)
    scales, minima = generator.random(6).astype(np.float16), generator.normal(size=6).astype(np.float16)
    chosen = Grouped((3, 2 * GROUP), bits, codes, scales, minima if has_minima else None)
    found = unpack(pack({"w": Stored(chosen, bits)}))["w"]
    assert np.array_equal(found, chosen.restore())
    first = codes[0, 5] * np.float32(scales[0]) + np.float32(minima[0])
    if not has_minima:
        first = (np.float32(codes[0, 5]) - (1 << (bits - 1))) * np.float32(scales[0])
    assert found[0, 5] == pytest.approx(first, rel=1e-6)


@pytest.mark.parametrize(("bits", "most"), [(2, 2.6), (3, 3.6), (4, 4.6), (8, 8.6)])
def test_a_weight_takes_its_bits_and_half_a_bit_for_its_group(bits: int, most: float):
    packed = pack({"w": (np.ones((768, 768), np.float32), bits)})
    assert bits < len(packed) * 8 / 768**2 < most


def test_many_tensors_keep_their_names_order_and_precision():
    tensors = {f"layer.{i}": (draw((4, 100), 1.0, i), (2, 3, 4, 8, 16, 32)[i]) for i in range(6)}
    found = unpack(pack(tensors))
    assert list(found) == list(tensors)
    errors = [np.abs(found[name] - values).max() for name, (values, _) in tensors.items()]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] == 0.0


def test_a_large_tensor_is_read_in_pieces_like_a_small_one():
    values = draw((1100, 1024), 1.0, 3)
    found = unpack(pack({"w": (values, 3)}))["w"]
    assert np.array_equal(found[-1:], unpack(pack({"w": (values[-1:], 3)}))["w"])
    assert np.array_equal(found, quantise(values, 3).restore())


@pytest.mark.parametrize("axis", [0, 1])
def test_a_matrix_can_be_read_back_as_int8_with_a_scale_for_each_row_or_column(axis: int):
    values = draw((70, 128), 1.0, 5)
    found = unpack(pack({"w": Stored(values, 8, int8_axis=axis)}))
    assert found["w"].dtype == np.int8
    assert found["w_scale"].shape == (values.shape[axis],)
    scales = found["w_scale"][:, None] if axis == 0 else found["w_scale"][None, :]
    assert np.abs(found["w"] * scales - values).max() <= scales.max() * 1.3
    assert np.abs(found["w"]).max() == 127


@pytest.mark.parametrize(("shape", "bits"), [((70, 128), 4), ((2100, 576), 3), ((5, 70), 2)])
def test_a_matrix_can_be_read_back_turned(shape: tuple[int, int], bits: int):
    values = draw(shape, 1.0, 6)
    plain, turned = (unpack(pack({"w": Stored(values, bits, int8_axis=0, turned=t)})) for t in (False, True))
    assert turned["w"].flags.c_contiguous and np.array_equal(turned["w"], plain["w"].T)
    assert np.array_equal(turned["w_scale"], plain["w_scale"])
    restored = quantise(values, bits).restore()
    assert np.abs(plain["w"] * plain["w_scale"][:, None] - restored).max() <= plain["w_scale"].max() * 0.51


@given(st.integers(0, 10_000))
def test_a_flipped_bit_is_an_error(position: int):
    data = bytearray(pack({"a": (draw((3, 70), 1.0, 1), 3), "b": (draw((5,), 1.0, 2), 16)}))
    at = position % (len(data) * 8)
    data[at // 8] ^= 1 << at % 8
    with pytest.raises(ModelCorrupt, match="packed weights"):
        unpack(bytes(data))


@settings(max_examples=50)
@given(st.integers(0, 10_000))
def test_a_file_cut_short_is_an_error(length: int):
    data = pack({"a": (draw((3, 70), 1.0, 1), 3), "b": (draw((5,), 1.0, 2), 16)})
    with pytest.raises(ModelCorrupt, match=r"packed weights.*install the model again"):
        unpack(data[: length % len(data)])


def test_bytes_behind_the_end_are_an_error():
    with pytest.raises(ModelCorrupt, match="3 bytes too many"):
        unpack(pack({"a": (np.ones(4, np.float32), 8)}) + b"abc")


@pytest.mark.parametrize(
    ("values", "bits"),
    [([1.0, np.nan], 4), ([1.0, np.inf], 16), ([1e6], 16), ([-1e6, 1e6], 4), ([1.0], 5), ([1.0], 1)],
)
def test_what_cannot_be_packed_is_refused(values: list[float], bits: int):
    with pytest.raises(ValueError, match=r"must|bits"), np.errstate(over="ignore"):
        pack({"w": (np.array(values, np.float32), bits)})
