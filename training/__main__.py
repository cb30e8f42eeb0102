"""How the models are made, from public data to the folders that the product reads.

    python -m training all --work WORK --data DATA --backbones FOLDER --writer FILE.gguf --mentor FILE.gguf
    python -m training all --work /tmp/tiny --data DATA --config training/tiny.toml
    python -m training together --work WORK --seconds 1680 --writer FILE.gguf --mentor FILE.gguf
    python -m training gather prepare tune --work WORK --data DATA        # goes on learning on a CPU

A stage whose result is there is skipped: the same command goes on after a break.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from training.pipeline import MODELS, STAGES, NotReady, Request, run_stage

ASIDE = ("layers", "together", "tune")
"""What is not a part of `all`."""
CONFIG = Path(__file__).with_name("config.toml")


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m training", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="stages:\n" + "".join(f"  {name:10} {stage.what}\n" for name, stage in STAGES.items())
        + "beside them:\n  together   `mini`, with its teachers side by side on one GPU\n"
        + "  tune       the shipped `mini` goes on learning on a CPU\n  layers     what each layer loses by rounding\n",
    )  # fmt: skip
    parser.add_argument("stages", nargs="+", choices=[*STAGES, *ASIDE, "all"], metavar="STAGE")
    parser.add_argument("--work", type=Path, required=True, help="where everything is written and looked for")
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder with train/ and dev/")
    parser.add_argument("--config", type=Path, default=CONFIG)
    parser.add_argument("--backbones", type=Path, help="folder with all-mpnet-base-v2/ and all-MiniLM-L6-v2/")
    parser.add_argument("--writer", type=Path, help="SmolLM2-135M as a GGUF file")
    parser.add_argument("--mentor", type=Path, help="Qwen2.5-Coder-1.5B as a GGUF file")
    parser.add_argument("--use-checkpoints", action="store_true", help="take a cut-off run's averaged weights as final")
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS, help="export and measure these alone")
    together = parser.add_argument_group("together", "writer, teachers and mini side by side on one GPU")
    together.add_argument("--seconds", type=float, default=1680.0, help="time for all of it")
    layers = parser.add_argument_group("layers", "accuracy lost when one layer alone is rounded")
    layers.add_argument("--model", choices=["mini", "base", "teacher"], default="mini")
    layers.add_argument("--plan", help="round to the bits of this plan first (8, 4, mixed)")
    layers.add_argument("--pairs", default="held", help="held, or a development set such as dev_mnli")
    layers.add_argument("--most", type=int, default=2000, help="pairs that are judged")
    return parser.parse_args(arguments)


def measure_layers(request: Request, options: argparse.Namespace) -> None:
    from training.layers import measure_layers as measure
    from training.lowbits import read_plan

    work = request.work()
    if not work.done(options.model) or not work.files(options.pairs):
        raise NotReady(f"layers needs {options.model}.pt and {options.pairs}.jsonl.gz in {request.root}")
    shape = "mini" if options.model == "mini" else "base"
    plan = None if options.plan is None else read_plan(options.plan, request.config["squeeze"])
    found: dict[str, Any] = measure(work, work.load(options.model, shape), shape, options.pairs, plan, options.most)
    path = request.root / f"layers-{options.model}{'-' + options.plan if options.plan else ''}-metrics.json"
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for row in found["modules"][:10]:
        request.say(f"{row['module']:20} loses {row['lost']:+.2f}  KL {row['kl']:.5f}")
    request.say(f"written: {path}")


def tune_published(request: Request) -> None:
    """`mini.pt`, from the shipped weights."""
    from training.published import lend_tokenizer
    from training.tuning import tune

    if request.has("mini.pt"):
        request.say("tune: done already")
        return
    if not request.has("train.jsonl.gz"):
        raise NotReady(f"tune needs {request.root / 'train.jsonl.gz'}: run the stage 'prepare' first")
    lend_tokenizer(request.root / "tokenizer.json", request.config["published"])
    tune(request.work())


def main(arguments: Sequence[str] | None = None) -> int:
    options = read_arguments(arguments)
    started = time.monotonic()

    def say(line: str) -> None:
        print(f"[{time.monotonic() - started:7.1f} s] {line}", flush=True)

    options.work.mkdir(parents=True, exist_ok=True)
    config = tomllib.loads(options.config.read_text(encoding="utf-8"))
    request = Request(
        options.work,
        options.data,
        config,
        say,
        options.backbones,
        options.writer,
        options.mentor,
        options.use_checkpoints,
        tuple(options.models),
    )
    try:
        for name in dict.fromkeys(s for given in options.stages for s in (STAGES if given == "all" else [given])):
            if name == "layers":
                measure_layers(request, options)
            elif name == "together":
                from training.together.driver import run_together

                run_together(request, options.config, options.seconds)
            elif name == "tune":
                tune_published(request)
            else:
                run_stage(name, request)
    except NotReady as error:
        print(f"training: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
