"""The stages in their order: what each one needs, when it is done, and what it runs.

A stage whose result is there is skipped, so that the same command goes on after a break. Nothing heavy is imported
before a stage needs it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from groundwire.models.files import CALIBRATION, MANIFEST, open_model
from training import sources
from training.pairs import read_pairs, write_pairs

if TYPE_CHECKING:
    from training.work import Work

Details = dict[str, Any]
Needs = Sequence[tuple[str, str]]
MODELS = ("mini", "base")


class NotReady(Exception):
    """A stage lacks something that only the caller can give; says what, and where it is to be had."""


@dataclass(frozen=True)
class Request:
    """What the caller gave."""

    root: Path
    data: Path
    config: Details
    say: Callable[[str], None]
    backbones: Path | None = None
    writer: Path | None = None
    mentor: Path | None = None
    use_checkpoints: bool = False
    models: tuple[str, ...] = MODELS
    """Those that are exported, calibrated and measured."""

    def folder(self, name: str) -> Path:
        """Where a finished model lies."""
        return self.root / "models" / name

    def has(self, *names: str) -> bool:
        return all((self.root / name).exists() for name in names)

    def work(self) -> Work:
        from training.work import Work

        return Work(self.root, self.config, self.say, use_checkpoints=self.use_checkpoints)

    def plan(self) -> str:
        """The bits that `base` is shipped in."""
        return str(self.config["export"]["plan"])


@dataclass(frozen=True)
class Stage:
    """One step: `needs` names files of the work folder and the stage that writes them."""

    what: str
    is_done: Callable[[Request], bool]
    run: Callable[[Request], Details | None]
    needs: Callable[[Request], Needs] = lambda _: ()


def _gather(request: Request) -> Details:
    found = sources.check(request.data, request.config["data"])
    for line in sources.explain(found["missing"] + found["missing_dev"], request.data):
        request.say(line)
    if found["missing"]:
        raise NotReady(f"{len(found['missing'])} training files are missing: see above where to get them")
    request.say(f"{len(found['found'])} data files are there, {len(found['missing_dev'])} development sets are not")
    return found


def _prepare(request: Request) -> Details:
    from training.prepare import prepare

    for name in request.config["data"].get("dev", []):
        found = request.data / "dev" / f"{name}.jsonl.gz"
        if found.is_file():
            rows = islice(read_pairs(found), request.config["data"].get("rows_each"))
            write_pairs(request.root / f"dev_{name}.jsonl.gz", rows)
    return prepare(request.config, request.data, request.root, say=request.say)


def _backbones(request: Request) -> Details:
    from training import backbones
    from training.work import read_shapes

    settings = request.config.get("backbones", {})
    target, shapes = request.root / "tokenizer.json", read_shapes(request.config)
    if settings.get("random"):
        backbones.learn_tokenizer([request.root / "train.jsonl.gz"], int(settings["pieces"]), target)
        request.say("no published weights: the encoders begin at random, with word pieces of their own")
        return {"random": True}
    folder = request.backbones
    missing = backbones.list_missing(folder) if folder else []
    if folder is None or missing:
        listed = ", ".join(map(str, missing)) or "no folder was given"
        weights = sources.read_sources()["weights"]
        homes = "".join(f"\n  {n}: {weights[n]['home']} ({weights[n]['licence']})" for n in backbones.FOLDERS.values())
        raise NotReady(
            f"give the folder of the published encoders as --backbones (missing: {listed}); they are at{homes}"
        )
    counts: Details = {}
    for name in MODELS:
        counts[name] = backbones.read_backbone(folder, name, shapes[name], request.root / f"backbone-{name}.npz")
        request.say(f"{name}: {counts[name]:,} parameters of {backbones.FOLDERS[name]}")
    backbones.copy_tokenizer(folder, target)
    return {"parameters": counts}


def _writes(request: Request) -> bool:
    return int(request.config["writer"]["pairs"]) > 0


def _require(weights: Path | None, name: str, option: str, otherwise: str) -> Path:
    """The file of a language model, which is nobody's to ship: without it, where to get it or how to do without."""
    if weights is None:
        entry = sources.read_sources()["weights"][name]
        raise NotReady(
            f"give the GGUF file of {name} as {option} ({entry['home']}, {entry['licence']}), or {otherwise}"
        )
    return weights


def _writer(request: Request) -> Details:
    from training.stages import write_claims

    written = _require(request.writer, "SmolLM2-135M", "--writer", "set writer.pairs = 0 in the configuration")
    write_claims(request.work(), written.read_bytes())
    return {"pairs": sum(1 for _ in read_pairs(request.root / "written.jsonl.gz"))}


def _is_asked(request: Request) -> bool:
    return int(request.config["mentor"]["layers"]) == 0 or request.has("mentor-opinion.pt")


def _mentor(request: Request) -> Details:
    from training.gguf import Gguf
    from training.stages import ask_mentor

    otherwise = "set mentor.layers = 0 in the configuration and take it out of the teachers"
    asked = _require(request.mentor, "Qwen2.5-Coder-1.5B", "--mentor", otherwise)
    with asked.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
        return ask_mentor(request.work(), Gguf(bytes(data)))


def _teacher(request: Request) -> None:
    from training.stages import train_on_labels

    train_on_labels(request.work(), "teacher", "base")


def _train_student(name: str) -> Callable[[Request], None]:
    def run(request: Request) -> None:
        from training.stages import train_student

        train_student(request.work(), name, name, request.config[name]["teachers"])

    return run


def _embedder(request: Request) -> Details:
    from training.embedder import make_embedder

    return make_embedder(request.work(), request.data, request.folder("embedder"))


def _squeeze(request: Request) -> None:
    from training.stages import squeeze

    work = request.work()
    for plan in request.config["squeeze"]["try"]:
        squeeze(work, "base", plan)


def _is_squeezed(request: Request) -> bool:
    return request.has(*(f"base-{plan}.pt" for plan in request.config["squeeze"]["try"]))


def _export(request: Request) -> Details:
    import torch

    from training.export import export_base, export_mini

    work, settings = request.work(), request.config["export"]
    if "base" in request.models and not request.has(f"base-{request.plan()}-codes.pt"):
        raise NotReady(f"export.plan is {request.plan()!r}: name it in squeeze.try and run the stage 'squeeze'")
    tokenizer, version, keep = request.root / "tokenizer.json", str(settings["version"]), settings["keep"]
    if "mini" in request.models:
        request.say("mini: int8")
        export_mini(
            work.load("mini", "mini"), request.folder("mini"), tokenizer, keep=keep["mini"],
            sure=float(settings["sure"]), version=version,
        )  # fmt: skip
    if "base" in request.models:
        name = f"base-{request.plan()}"
        request.say(f"{name}: packed")
        codes = torch.load(request.root / f"{name}-codes.pt", map_location="cpu")
        export_base(
            work.load(name, "base"), codes, request.folder("base"), tokenizer, plan=request.plan(), keep=keep["base"],
            version=version,
        )  # fmt: skip
    return {name: _describe(request.folder(name)) for name in request.models}


def _describe(folder: Path) -> Details:
    manifest = open_model(folder, "export it again").manifest
    size = {name: file.size for name, file in manifest.files.items()}
    return {"fingerprint": manifest.fingerprint, "bytes": sum(size.values()), "files": size}


def _calibrate(request: Request) -> Details:
    from training.calibrate import calibrate

    held = list(read_pairs(request.root / "held.jsonl.gz"))
    settings = request.config["calibrate"]
    return {name: calibrate(request.folder(name), held, settings, request.say) for name in request.models}


def _is_exported(request: Request) -> bool:
    return all((request.folder(name) / MANIFEST).exists() for name in request.models)


def _is_calibrated(request: Request) -> bool:
    return _is_exported(request) and all(
        json.loads((request.folder(name) / CALIBRATION).read_text(encoding="utf-8"))["version"] != "0"
        for name in request.models
    )


def _evaluate(request: Request) -> Details:
    from training.evaluate import evaluate

    settings = request.config["evaluate"]
    found = {name: evaluate(request.folder(name), request.root, settings, request.say) for name in request.models}
    return {"models": found, "fingerprints": _fingerprints(request)}


def _fingerprints(request: Request) -> dict[str, str]:
    return {name: _describe(request.folder(name))["fingerprint"] for name in request.models}


def _is_evaluated(request: Request) -> bool:
    """Of these very models: another export asks for another evaluation."""
    path = request.root / "evaluate-metrics.json"
    return path.exists() and _is_exported(request) and read_metrics(path)["fingerprints"] == _fingerprints(request)


def _card(request: Request) -> Details:
    from training.card import write_card

    path = request.root / "MODEL_CARD.md"
    path.write_text(write_card(request.root, request.config), encoding="utf-8")
    request.say(f"written: {path}")
    return {"bytes": path.stat().st_size}


def _has_card(request: Request) -> bool:
    path = request.root / "MODEL_CARD.md"
    if not path.exists() or not _is_exported(request):
        return False
    text = path.read_text(encoding="utf-8")
    return all(fingerprint in text for fingerprint in _fingerprints(request).values())


def read_metrics(path: Path) -> Details:
    return json.loads(path.read_text(encoding="utf-8"))


_PAIRS = (("train.jsonl.gz", "prepare"), ("tokenizer.json", "backbones"))


def _pairs(_: Request) -> Needs:
    return _PAIRS


def _always(*needs: tuple[str, str]) -> Callable[[Request], Needs]:
    return lambda _: needs


def _taught(name: str) -> Callable[[Request], Needs]:
    """The run that a student begins with, and its teachers; shipped weights need nothing."""

    def list_needs(request: Request) -> Needs:
        settings = request.config[name]
        others = [n for n in (settings.get("init", ""), *settings["teachers"]) if n not in ("", "published")]
        return [(f"{n}-opinion.pt" if n == "mentor" else f"{n}.pt", n) for n in others]

    return list_needs


def _trained(request: Request) -> Needs:
    return [(f"{name}.pt", name) for name in request.models]


def _exported(*more: tuple[str, str]) -> Callable[[Request], Needs]:
    return lambda request: [*((f"models/{name}/{MANIFEST}", "export") for name in request.models), *more]


STAGES: dict[str, Stage] = {
    "gather": Stage("which data are there", lambda r: r.has("gather-metrics.json"), _gather),
    "prepare": Stage("pairs to train on", lambda r: r.has("train.jsonl.gz", "prepare-metrics.json"), _prepare),
    "backbones": Stage("published encoders", lambda r: r.has("tokenizer.json"), _backbones, _always(_PAIRS[0])),
    "writer": Stage(
        "claims by a language model", lambda r: not _writes(r) or r.has("written.jsonl.gz"), _writer, _pairs
    ),
    "mentor": Stage("opinions of a language model", _is_asked, _mentor, _pairs),
    "teacher": Stage("the large encoder on labels", lambda r: r.has("teacher.pt"), _teacher, _pairs),
    "base": Stage("`base`, taught", lambda r: r.has("base.pt"), _train_student("base"), _taught("base")),
    "mini": Stage("`mini`, taught", lambda r: r.has("mini.pt"), _train_student("mini"), _taught("mini")),
    "embedder": Stage(
        "sentences as sums of words",
        lambda r: (r.folder("embedder") / MANIFEST).exists(),
        _embedder,
        _always(_PAIRS[1]),
    ),
    "squeeze": Stage("`base` in a few bits", _is_squeezed, _squeeze, _always(("base.pt", "base"))),
    "export": Stage("folders for the product", _is_exported, _export, _trained),
    "calibrate": Stage("probabilities", _is_calibrated, _calibrate, _exported(("held.jsonl.gz", "prepare"))),
    "evaluate": Stage("development sets", _is_evaluated, _evaluate, _exported()),
    "card": Stage("the model card", _has_card, _card, _exported(("evaluate-metrics.json", "evaluate"))),
}


def run_stage(name: str, request: Request) -> bool:
    """Run a stage unless it is done; returns whether it ran."""
    stage = STAGES[name]
    if stage.is_done(request):
        request.say(f"{name}: done already")
        return False
    for file, writer in stage.needs(request):
        if not request.has(file):
            raise NotReady(f"{name} needs {request.root / file}: run the stage {writer!r} first")
    request.say(f"{name}: {stage.what}")
    started = time.monotonic()
    details = stage.run(request)
    seconds = round(time.monotonic() - started, 1)
    if details is not None:
        text = json.dumps({"seconds": seconds, **details}, indent=1, sort_keys=True)
        (request.root / f"{name}-metrics.json").write_text(text + "\n", encoding="utf-8")
    request.say(f"{name}: finished after {seconds} s")
    return True
