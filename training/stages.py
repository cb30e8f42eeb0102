"""The stages that need a GPU to be quick: each reads what those before wrote, writes once, and is skipped when done."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from training.augment.crossing import siblings, turn
from training.fit import fit, predict, score, write_metrics
from training.gguf import Gguf
from training.guide import Guide
from training.network import Verifier
from training.pairs import LABELS, UNLABELLED, Pair, read_pairs, write_pairs
from training.tensors import Tokens
from training.work import Work

MENTOR = "mentor"
"""The language model that teaches; not an encoder, so that its opinions are all that is kept of it."""


def evaluate(work: Work, model: Verifier, shape: str, sets: Sequence[str]) -> dict[str, dict[str, float]]:
    """Scores on the calibration pairs and on the development sets that are there."""
    found: dict[str, dict[str, float]] = {}
    for name in sets:
        batches = work.batches(name, shape)
        rows = np.arange(len(batches.label))
        logits = predict(model, batches, rows)
        found[name] = {k: round(v, 2) for k, v in score(logits, batches.label).items()}
    return found


def development_sets(work: Work) -> list[str]:
    return sorted(p.name.partition(".")[0] for p in work.root.glob("dev_*.jsonl*"))


def measure(work: Work, name: str, shape: str, model: Verifier, started: float) -> None:
    """Scores on the development sets and on what we made and held back; the logits of all held pairs are kept."""
    metrics = evaluate(work, model, shape, development_sets(work))
    held = work.tokens("held")
    batches = work.batches("held", shape)
    logits = predict(model, batches, np.arange(len(held)))
    work.store(f"{name}-held", logits.cpu())
    for index, source in enumerate(held.sources):
        rows = np.flatnonzero(held.source == index)
        if len(rows) >= 60 and source.startswith(("domain", "augment", "hand")):
            picked = torch.from_numpy(rows).to(logits.device)
            metrics[f"held_{source}"] = {
                k: round(v, 2) for k, v in score(logits[picked], batches.label[picked]).items()
            }
    write_metrics(
        work.root / f"{name}-metrics.json", {"seconds": round(time.monotonic() - started, 1), "sets": metrics}
    )
    shown = {k: v.get("accuracy", v.get("balanced")) for k, v in metrics.items()}
    work.say(f"{name} {json.dumps(shown)}")


def _train(work: Work, name: str, shape: str, rows: NDArray[np.int64], pairs: str, **opinion: Any) -> None:
    """Begin or go on, store the averaged weights, measure them, and let the checkpoint go."""
    started = time.monotonic()
    checkpoint = work.checkpoint(name)
    model = work.begin(name, shape)
    before = {key: value.detach().clone() for key, value in model.state_dict().items()}
    fit(
        model, work.batches(pairs, shape), rows, work.recipe(name), report=work.report(name),
        checkpoint=checkpoint, use_checkpoint=work.use_checkpoints, **opinion,
    )  # fmt: skip
    mix(model, before, float(work.config[name].get("kept", 0.0)))
    work.store(name, model.state_dict())
    measure(work, name, shape, model, started)
    checkpoint.unlink(missing_ok=True)


@torch.no_grad()
def mix(model: Verifier, before: Mapping[str, Tensor], kept: float) -> None:
    """The weights between those that a run began with and those that it ended with.

    A run on other pairs than the run before forgets some of what those taught; half-way it knows both.
    """
    for key, value in model.state_dict().items():
        value.lerp_(before[key].to(value), kept)


def train_on_labels(work: Work, name: str, shape: str) -> None:
    """An encoder on everything that has a label."""
    if work.done(name):
        return
    tokens = work.tokens("train")
    rows = np.flatnonzero(tokens.label != LABELS.index(UNLABELLED))
    _train(work, name, shape, repeat(work, tokens, rows), "train")


def repeat(work: Work, tokens: Tokens, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """The rows of an epoch: those of some sources are seen more than once."""
    often = work.config["data"].get("repeat", {})
    times = np.array([int(often.get(source, 1)) for source in tokens.sources])[tokens.source]
    return np.repeat(rows, times[rows])


def opinions(work: Work, names: Sequence[str]) -> Tensor:
    """Log probabilities on every training pair: the mentor's where it has an opinion, else the mean of the encoders'.

    Not a number where no one has one.
    """
    batches = work.batches("all", "base")
    count = len(batches.label)
    spoken = torch.full((count, 3), float("nan"), dtype=torch.float16)
    if MENTOR in names:
        spoken = torch.load(work.root / f"{MENTOR}-opinion.pt")
    silent = np.flatnonzero(spoken[:, 0].isnan().numpy())
    encoders = [name for name in names if name != MENTOR]
    if not encoders:
        return spoken.to(work.device)
    total = torch.zeros(len(silent), 3)
    for name in encoders:
        path = work.root / f"{name}-opinion.pt"
        if not path.exists():
            logits = predict(work.load(name, "base"), batches, silent)
            work.store(f"{name}-opinion", torch.log_softmax(logits, -1).half().cpu())
        total += torch.load(path).float().exp()
    spoken[torch.from_numpy(silent)] = torch.log(total / len(encoders)).half()
    return spoken.to(work.device)


def train_student(work: Work, name: str, shape: str, teachers: Sequence[str]) -> None:
    """A student of the named teachers, on labelled and unlabelled pairs alike; without teachers, on labels alone."""
    if work.done(name):
        return
    if not teachers:
        train_on_labels(work, name, shape)
        return
    teacher = opinions(work, teachers)
    tokens = work.tokens("all")
    sure = tuple(work.config["data"]["exact"])
    certain = np.array([s.startswith(sure) for s in tokens.sources])[tokens.source]
    exact = torch.from_numpy(certain).to(work.device)
    guide = _make_guide(work, name, shape, teachers[-1])
    taught = (tokens.label != LABELS.index(UNLABELLED)) | ~teacher[:, 0].isnan().cpu().numpy()
    rows = repeat(work, tokens, np.flatnonzero(taught))
    _train(work, name, shape, rows, "all", teacher=teacher, exact=exact, guide=guide)


def _make_guide(work: Work, name: str, shape: str, teacher: str) -> Guide | None:
    if not work.recipe(name).guidance:
        return None
    return Guide(work.load(teacher, "base"), work.batches("all", "base"), work.shapes[shape].heads)


def write_claims(work: Work, gguf: bytes) -> None:
    """`written`: claims by a small language model, for premises of the training pairs and for some of its own."""
    from training.writer import imagine, kind_of, load_writer, tune, write

    path = work.root / "written.jsonl.gz"
    if path.exists():
        return
    settings, seed = work.config["writer"], int(work.config["seed"])
    rng = np.random.default_rng(seed)
    pairs = [p for p in read_pairs(work.files("train")[0]) if is_model_text(p)]
    model, tokenizer = load_writer(gguf)
    picked = rng.permutation(len(pairs))[: int(settings.get("tune_pairs", len(pairs)))]
    tune(
        model, tokenizer, [pairs[i] for i in picked], device=work.device, epochs=int(settings["epochs"]),
        rate=float(settings["rate"]), size=int(settings["batch"]), seed=seed, report=work.report("writer"),
    )  # fmt: skip
    size, temperature = int(settings.get("sample_batch", 8192)), float(settings["temperature"])
    known = list(dict.fromkeys((kind_of(p.source), p.premise) for p in pairs if len(p.premise) < 400))
    kinds = [known[i][0] for i in _draw(len(known), int(settings.get("imagined", 0)), rng)]
    known += dict.fromkeys(imagine(model, tokenizer, kinds, size=size, temperature=temperature, seed=seed))
    labels = LABELS[:3]
    wanted = [(*known[i], labels[k % 3]) for k, i in enumerate(_draw(len(known), int(settings["pairs"]), rng))]
    found = write(model, tokenizer, wanted, size=size, temperature=temperature, seed=seed)
    unique = list(dict.fromkeys(p._replace(label=UNLABELLED) for p in found))
    unique += siblings(unique, seed, int(settings.get("siblings", 0)))
    unique += turn(unique, seed, int(settings.get("turned", 0)))
    work.say(f"written {write_pairs(path, unique):,}")


def ask_mentor(work: Work, file: Gguf) -> dict[str, Any]:
    """`mentor-opinion`: what a language model, tuned on labelled pairs, thinks of every short pair."""
    from training import mentor as teaching

    settings, seed = work.config[MENTOR], int(work.config["seed"])
    groups = {name: [p for f in work.files(name) for p in read_pairs(f)] for name in ("train", "extra", "written")}
    pairs = [p for group in groups.values() for p in group]  # in the order of the tensors `all`
    left_out = tuple(settings["unasked"])
    asked = [i for i, p in enumerate(pairs) if teaching.is_short(p) and not p.source.startswith(left_out)]
    lessons = teaching.choose_lessons(groups["train"], settings, seed)
    texts = (t for p in (*lessons, *(pairs[i] for i in asked)) for t in (p.premise, p.hypothesis))
    kept = teaching.choose_words(teaching.make_tokenizer(file.fields), texts, int(settings["words"]))
    mentor = teaching.open_mentor(file, kept, int(settings["layers"]))
    longest = int(settings["longest"])
    teaching.teach(
        mentor, mentor.batches(lessons, work.device, longest), work.recipe(MENTOR), report=work.report(MENTOR)
    )
    sets = {name: list(read_pairs(work.files(name)[0])) for name in development_sets(work)}
    scores = teaching.examine(mentor, sets, work.device, longest)
    found = torch.full((len(pairs), 3), float("nan"), dtype=torch.float16)
    found[torch.tensor(asked, dtype=torch.long)] = teaching.give_opinions(
        mentor, mentor.batches([pairs[i] for i in asked], work.device, longest)
    )
    work.store(f"{MENTOR}-opinion", found)
    return {"lessons": len(lessons), "opinions": len(asked), "sets": scores}


def is_model_text(pair: Pair) -> bool:
    """Human pairs in full sentences: what the writer is to imitate. The read gate asks in one form only."""
    made = pair.source.startswith(("domain", "augment", "curriculum", "crossed", "turned", "hand_disclose"))
    return not made and pair.label in LABELS[:3] and len(pair.premise) < 600


def _draw(count: int, wanted: int, rng: np.random.Generator) -> list[int]:
    rounds = -(-wanted // count)
    return [int(i) for _ in range(rounds) for i in rng.permutation(count)][:wanted]


def squeeze(work: Work, name: str, plan: str) -> None:
    """`NAME-PLAN`: the large encoder in a few bits; rounded and measured, then trained on as rounded."""
    from training.lowbits import read_plan, round_weights, settle, size_of

    target = f"{name}-{plan}"
    if work.done(target):
        return
    started = time.monotonic()
    model, settings = work.load(name, "base"), work.config["squeeze"]
    bits = read_plan(plan, settings)
    size = size_of(model, bits)
    round_weights(model, bits)
    work.say(f"{target}: {size / 1e6:.1f} MB")
    checkpoint = work.checkpoint(target)
    if not checkpoint.exists():
        measure(work, f"{target}-rounded", "base", model.eval(), started)
    if float(settings["epochs"]) > 0 and plan not in settings.get("only_rounded", []):
        rng = np.random.default_rng(int(work.config["seed"]))
        rows = np.sort(rng.permutation(len(work.tokens("all")))[: int(settings["pairs"])])
        teachers = [MENTOR, name] if work.done(f"{MENTOR}-opinion") else [name]
        fit(
            model, work.batches("all", "base"), rows, work.recipe("squeeze"), teacher=opinions(work, teachers),
            report=work.report(target), checkpoint=checkpoint, use_checkpoint=work.use_checkpoints,
        )  # fmt: skip
    codes = settle(model)
    measure(work, target, "base", model.eval(), started)
    work.store(f"{target}-codes", {key: vars(coded) for key, coded in codes.items()})
    work.store(target, model.state_dict())
    checkpoint.unlink(missing_ok=True)
