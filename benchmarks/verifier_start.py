"""A fresh process: how long until the first verdict, and how much memory it then holds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

FIRST_VERDICT = """
import sys
from groundwire.app import Groundwire
from groundwire.settings import Settings
wire = Groundwire(settings=Settings(judge="mini", models_folder=sys.argv[1]))
output = wire.judge("Ada bought a pony.", ["A pony was sold to Ada."])
status = next((line for line in open("/proc/self/status") if line.startswith("VmRSS")), "0 0") if sys.argv[2] else "0 0"
print(output.model or "none", int(status.split()[1]) / 1024)
"""
IMPORT = "import time; t = time.perf_counter(); import groundwire; print('import', (time.perf_counter() - t) * 1000)"


@dataclass(frozen=True, slots=True)
class StartTime:
    """Of a fresh process, from its beginning; `resident_mb` is None where the system does not say."""

    first_verdict_s: float
    python_s: float
    import_ms: float
    resident_mb: float | None


def time_start(home: Path, repeats: int) -> StartTime:
    """The best of several fresh processes; the files of the model are in the system's cache after the first."""
    starts, bare, imports, resident = [], [], [], []
    linux = "yes" if Path("/proc/self/status").exists() else ""
    for _ in range(repeats):
        seconds, said = _run_python(FIRST_VERDICT, str(home), linux)
        if said[0] == "none":
            raise RuntimeError("the first verdict came without the model")
        starts.append(seconds)
        resident.append(float(said[1]))
        bare.append(_run_python("print(0)")[0])
        imports.append(float(_run_python(IMPORT)[1][1]))
    return StartTime(min(starts), min(bare), min(imports), max(resident) if linux else None)


def _run_python(code: str, *arguments: str) -> tuple[float, list[str]]:
    """Seconds until the first line is there, and its words."""
    source = str(Path(__file__).resolve().parent.parent / "src")
    path = os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH", "")]))
    started = time.perf_counter()
    done = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
    )
    with done:
        line = done.stdout.readline() if done.stdout else ""
        seconds = time.perf_counter() - started
    if done.returncode or not line:
        raise RuntimeError(f"a fresh process failed with {done.returncode}")
    return seconds, line.split()
