"""Several processes on one GPU: NVIDIA's multi-process service where there is one, and memory that grows in pieces.

Without the service the processes take turns on the chip, which is correct and slower. Both are tried out first: on some
machines they are there and do not work.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_CONTROL = "nvidia-cuda-mps-control"
_GROWING = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", "PYTORCH_ALLOC_CONF": "expandable_segments:True"}
_PROBE = (
    "import torch; a = torch.ones(4096, 4096, device='cuda'); torch.empty(2**28, device='cuda'); print((a @ a).sum())"
)


@contextmanager
def share_gpu(folder: Path, say: Callable[[str], None]) -> Iterator[dict[str, str]]:
    """The environment for the processes; the service is ended with the run."""
    cores = os.cpu_count() or 1
    plain = {"OMP_NUM_THREADS": str(max(1, cores // 4)), "RAYON_NUM_THREADS": str(max(1, cores // 3)), **os.environ}
    if shutil.which("nvidia-smi") is None:
        yield plain
        return
    served = plain
    if shutil.which(_CONTROL):
        pipe, log = folder / "mps", folder / "mps-log"
        for place in (pipe, log):
            place.mkdir(parents=True, exist_ok=True)
        served = plain | {"CUDA_MPS_PIPE_DIRECTORY": str(pipe), "CUDA_MPS_LOG_DIRECTORY": str(log)}
        subprocess.run([_CONTROL, "-d"], env=served, check=False)
    try:
        tried = {
            "shared, memory grows": served | _GROWING, "shared": served, "in turns, memory grows": plain | _GROWING,
        }  # fmt: skip
        name = next((name for name, environment in tried.items() if _works(environment)), "in turns")
        say(f"together: the GPU is used {name}")
        yield tried.get(name, plain)
    finally:
        if served is not plain:
            subprocess.run([_CONTROL], input=b"quit\n", env=served, check=False)


def _works(environment: Mapping[str, str]) -> bool:
    try:
        done = subprocess.run([sys.executable, "-c", _PROBE], env=environment, capture_output=True, timeout=100)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0
