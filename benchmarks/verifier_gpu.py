"""Claims a second on a GPU, and the share of what the chip was measured to do."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for `training`, which is not installed
from training.network import SHAPES, Shape, Verifier

LENGTH = 32
PASSAGES = 2
BATCHES = {"mini": 8192, "base": 4096}
MATRIX = 8192
SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class GpuEncoder:
    name: str
    pairs_a_second: float
    claims_a_second: float
    tflops: float
    share: float


@dataclass(frozen=True, slots=True)
class GpuTime:
    device: str
    limit_tflops: float
    encoders: tuple[GpuEncoder, ...]


def count_flops(shape: Shape, length: int) -> int:
    """Of one pair: a multiplication and an addition count as two. Look-ups and norms, a few in a thousand, do not."""
    width = shape.width
    projections = 2 * length * (4 * width * width + 2 * width * shape.inner)
    attention = 2 * 2 * length * length * width
    head = 2 * (2 * width * width + 3 * width)
    return shape.layers * (projections + attention) + head


def measure_gpu() -> GpuTime | str:
    """Both encoders, or the reason why not."""
    if not torch.cuda.is_available():
        return "torch sees no GPU"
    device = torch.device("cuda")
    limit = measure_limit(device, MATRIX, SECONDS)
    encoders = [
        measure_encoder(name, shape, device, BATCHES[name], LENGTH, SECONDS, limit) for name, shape in SHAPES.items()
    ]
    return GpuTime(torch.cuda.get_device_name(device), limit / 1e12, tuple(encoders))


def measure_limit(device: torch.device, size: int, seconds: float) -> float:
    """FLOP/s of a square bf16 product: what the chip really gives, not what its data sheet says."""
    left, right = (torch.randn(size, size, device=device, dtype=torch.bfloat16) for _ in range(2))
    out = torch.empty_like(left)
    return 2 * size**3 * count_runs(lambda: torch.matmul(left, right, out=out), device, seconds)


def measure_encoder(
    name: str, shape: Shape, device: torch.device, batch: int, length: int, seconds: float, limit: float
) -> GpuEncoder:
    """Random weights and words: the time does not depend on them."""
    model = Verifier(shape).to(device, torch.bfloat16).eval()
    ids = torch.randint(1000 % shape.vocabulary, shape.vocabulary, (batch, length), device=device)
    mask = torch.ones_like(ids)
    segments = torch.zeros_like(ids) if shape.segments else None
    with torch.inference_mode():
        pairs = batch * count_runs(lambda: model(ids, mask, segments), device, seconds)
    flops = pairs * count_flops(shape, length)
    return GpuEncoder(name, pairs, pairs / PASSAGES, flops / 1e12, flops / limit)


def count_runs(run: Callable[[], object], device: torch.device, seconds: float) -> float:
    """Runs a second, after a warm-up; the device is waited for only at both ends, so that it never idles."""
    for _ in range(3):
        run()
    _wait(device)
    started = time.perf_counter()
    run()
    _wait(device)
    repeats = max(3, int(seconds / max(time.perf_counter() - started, 1e-6)))
    started = time.perf_counter()
    for _ in range(repeats):
        run()
    _wait(device)
    return repeats / (time.perf_counter() - started)


def _wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize(device)
