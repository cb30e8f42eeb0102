"""A small language model that writes evidence and claims: more pairs for distillation than people ever labelled.

SmolLM2-135M, published as GGUF, is tuned on labelled pairs to write "kind: evidence, label: claim". It is asked for
claims about the evidence that is there, and for evidence of its own. What it writes goes to the student without a
label; the teacher judges it like any other pair.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from training.decoder import Decoder, DecoderShape, make_tokenizer, read_weights, sample
from training.gguf import Gguf
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, Pair

WORDS = {ENTAIL: "Therefore", NEUTRAL: "Perhaps", CONTRADICT: "Wrongly"}
_END = 0
_KINDS = {
    "Memory": (
        "hand_memo", "hand_life", "hand_habit", "hand_project", "hand_people", "hand_partly", "hand_nearmiss",
        "hand_change", "hand_paraphrase", "hand_both", "hand_answer", "hand_several", "hand_joint",
    ),
    "Report": ("hand_record", "hand_logic", "hand_selfpair", "hand_facts", "hand_passage"),
    "Dialogue": ("hand_dialogue", "hand_turns"),
    "Picture": ("snli", "superni_snli", "cad_snli", "mpe", "sick"),
    "Talk": ("dialogue", "dnli"),
    "Text": ("mnli", "superni_mnli", "olora_mnli", "taxinli", "lingnli", "new_protocols"),
}  # fmt: skip


def kind_of(source: str) -> str:
    """What sort of evidence a source has, in a word that the writer is prompted with."""
    return next((kind for kind, starts in _KINDS.items() if source.startswith(starts)), "Note")


def load_writer(data: bytes) -> tuple[Decoder, Tokenizer]:
    """The model and its tokenizer out of one GGUF file."""
    file = Gguf(data)
    shape = DecoderShape.of(file.fields)
    model = Decoder(shape, judges=False)
    model.load_state_dict(read_weights(file.tensor, file.names, shape))
    return model, make_tokenizer(file.fields)


def _line(text: str) -> str:
    return " ".join(text.split())


def _prompt(kind: str, premise: str, label: str) -> str:
    return f"{kind}: {_line(premise)}\n{WORDS[label]}:"


def tune(
    model: Decoder, tokenizer: Tokenizer, pairs: Sequence[Pair], *, device: str, epochs: int, rate: float, size: int,
    seed: int, report: Callable[[dict[str, float]], None],
) -> None:  # fmt: skip
    """Learn to write evidence of a kind, and after evidence and label the claim; most of the loss is on the claim."""
    prompts = tokenizer.encode_batch([_prompt(kind_of(p.source), p.premise, p.label) for p in pairs])
    claims = tokenizer.encode_batch([" " + _line(p.hypothesis) for p in pairs])
    rows = [(a.ids[-160:], [*b.ids[:60], _END]) for a, b in zip(prompts, claims, strict=True)]
    order = sorted(range(len(rows)), key=lambda i: len(rows[i][0]) + len(rows[i][1]))
    batches = [order[i : i + size] for i in range(0, len(order), size)]
    rng = np.random.default_rng(seed)
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device != "cpu"
    )
    model.to(device).train()
    step, total, started = 0, epochs * len(batches), time.monotonic()
    for _ in range(epochs):
        for k in rng.permutation(len(batches)):
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1.0, (step + 1) / 50) * max(0.02, 1 - step / total)
            ids, weight = (t.to(device) for t in _stack([rows[i] for i in batches[k]]))
            with torch.autocast("cuda", torch.bfloat16) if device != "cpu" else nullcontext():
                states = model.encode(ids, ids)[-1]
                logits = functional.linear(states[:, :-1], model.words.weight)
            loss = functional.cross_entropy(logits.flatten(0, 1).float(), ids[:, 1:].flatten(), reduction="none")
            loss = (loss * weight[:, 1:].flatten()).sum() / weight[:, 1:].sum()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            optimiser.zero_grad(set_to_none=True)
            step += 1
            if step % 100 == 0 or step == total:
                spent = round(time.monotonic() - started, 1)
                report({"step": step, "of": total, "loss": float(loss.detach()), "seconds": spent})


def _stack(rows: Sequence[tuple[list[int], list[int]]]) -> tuple[Tensor, Tensor]:
    width = (max(len(a) + len(b) for a, b in rows) + 7) // 8 * 8
    ids, weight = torch.full((len(rows), width), _END), torch.zeros(len(rows), width)
    for i, (a, b) in enumerate(rows):
        ids[i, : len(a) + len(b)] = torch.tensor(a + b)
        weight[i, : len(a)] = 0.3
        weight[i, len(a) : len(a) + len(b)] = 1.0
    return ids, weight


def _continue(
    model: Decoder, tokenizer: Tokenizer, prompts: Sequence[str], *, stop: int, longest: int, size: int,
    temperature: float, seed: int, deadline: float,
) -> Iterator[tuple[int, str]]:  # fmt: skip
    """(number of the prompt, what follows it), sampled, prompts of a length together; stops early at the deadline."""
    torch.manual_seed(seed)
    model.to(torch.bfloat16 if next(model.parameters()).is_cuda else torch.float32).eval()
    encoded = [e.ids[-120:] for e in tokenizer.encode_batch(list(prompts))]
    order = sorted(range(len(prompts)), key=lambda i: len(encoded[i]))
    starts = list(range(0, len(order), size))
    np.random.default_rng(seed).shuffle(starts)
    for start in starts:
        if time.monotonic() > deadline:
            return
        chosen = order[start : start + size]
        found = sample(
            model, [encoded[i] for i in chosen], stop=stop, longest=longest, temperature=temperature, least=0.02
        )
        yield from zip(chosen, (t.strip() for t in tokenizer.decode_batch(found)), strict=True)


def imagine(
    model: Decoder, tokenizer: Tokenizer, kinds: Sequence[str], *, size: int, temperature: float = 0.9, seed: int = 0,
    longest: int = 60, deadline: float = float("inf"),
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """(kind, evidence of that kind) that no one wrote."""
    stop = tokenizer.encode("\n").ids[0]
    prompts = [f"{kind}:" for kind in kinds]
    for i, text in _continue(
        model, tokenizer, prompts, stop=stop, longest=longest, size=size, temperature=temperature, seed=seed,
        deadline=deadline,
    ):  # fmt: skip
        if 15 <= len(text) <= 400 and "\n" not in text:
            yield kinds[i], text


def write(
    model: Decoder, tokenizer: Tokenizer, premises: Sequence[tuple[str, str, str]], *, size: int, longest: int = 32,
    temperature: float = 0.9, seed: int = 0, deadline: float = float("inf"),
) -> Iterator[Pair]:  # fmt: skip
    """One claim for each (kind, evidence, wanted label), sampled; stops early at the deadline."""
    prompts = [_prompt(*wanted) for wanted in premises]
    for i, claim in _continue(
        model, tokenizer, prompts, stop=_END, longest=longest, size=size, temperature=temperature, seed=seed,
        deadline=deadline,
    ):  # fmt: skip
        kind, premise, label = premises[i]
        if 8 <= len(claim) <= 300 and "\n" not in claim and claim != _line(premise):
            yield Pair(premise, claim, label, f"written_{kind.lower()}")
