"""The language models of the training: read from their files, made to write, and made to judge."""

# torch comes with the extra `train`; the types are checked without it.
# pyright: reportMissingImports=false

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.training.letter_models import LETTERS, make_file, write_gguf
from training.gguf import F16, Q4_1, Q4_K, Q6_K, Q8_0, Gguf, dequantise
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, UNLABELLED, Pair, read_pairs, write_pairs

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
CLAIMS = {ENTAIL: "aaaaaaaaa", NEUTRAL: "bbbbbbbbb", CONTRADICT: "ccccccccc"}


def test_a_file_gives_back_what_was_written_into_it():
    value = np.arange(12, dtype=np.float16).reshape(3, 4)
    file = Gguf(write_gguf({"a.b": "ä", "n": 7, "f": 0.5, "list": ["x", ""]}, {"t": (value, F16, (3, 4))}))
    assert file.fields == {"a.b": "ä", "n": 7, "f": 0.5, "list": ["x", ""]} and file.names == ["t"]
    assert np.array_equal(file.tensor("t"), value.astype(np.float32))


def _plain_q4_k(block: bytes) -> list[float]:
    """One block, byte by byte, as the format is described."""
    scale, least = np.frombuffer(block[:4], np.float16).astype(np.float32)
    packed, codes = block[4:16], block[16:]
    found: list[float] = []
    for run in range(8):
        if run < 4:
            s, m = packed[run] & 63, packed[run + 4] & 63
        else:
            s = (packed[run + 4] & 15) | (packed[run - 4] >> 6 << 4)
            m = (packed[run + 4] >> 4) | (packed[run] >> 6 << 4)
        for i in range(32):
            code = codes[run // 2 * 32 + i]
            found.append(scale * s * ((code >> 4) if run % 2 else (code & 15)) - least * m)
    return found


def _plain_q6_k(block: bytes) -> list[float]:
    low, high, scales = block[:128], block[128:192], np.frombuffer(block[192:208], np.int8)
    scale = float(np.frombuffer(block[208:], np.float16)[0])
    found = [0.0] * 256
    for half in range(2):
        for i in range(32):
            upper = high[half * 32 + i]
            first, second = low[half * 64 + i], low[half * 64 + 32 + i]
            codes = (first & 15, second & 15, first >> 4, second >> 4)
            for run, code in enumerate(codes):
                value = (code | ((upper >> 2 * run & 3) << 4)) - 32
                found[half * 128 + run * 32 + i] = scale * int(scales[half * 8 + run * 2 + i // 16]) * value
    return found


@pytest.mark.parametrize(("kind", "size", "plain"), [(Q4_K, 144, _plain_q4_k), (Q6_K, 210, _plain_q6_k)])
def test_blocks_of_few_bits_are_read_as_the_format_says(kind: int, size: int, plain: Any):
    rng = np.random.default_rng(kind)
    raw = rng.integers(0, 256, (6, size), dtype=np.uint8)
    at = [0, 2] if kind == Q4_K else [208]
    for place in at:
        raw[:, place : place + 2] = rng.normal(0, 1, (6, 1)).astype(np.float16).view(np.uint8)
    expected = np.array([plain(row.tobytes()) for row in raw], np.float32)
    assert np.allclose(dequantise(raw.reshape(-1), kind, (6, 256)), expected, rtol=1e-5, atol=1e-6)


def test_plain_blocks_are_a_scale_and_codes():
    scale = np.array([0.5], np.float16).view(np.uint8)
    eight = np.concatenate([scale, np.arange(-16, 16, dtype=np.int8).view(np.uint8)])
    assert dequantise(eight, Q8_0, (32,)).tolist() == [i / 2 for i in range(-16, 16)]
    least = np.array([-1.0], np.float16).view(np.uint8)
    four = np.concatenate([scale, least, np.arange(16, dtype=np.uint8) * np.uint8(17)])
    assert dequantise(four, Q4_1, (32,)).tolist() == [i / 2 - 1 for i in range(16)] * 2


@pytest.mark.parametrize("kind", ["llama", "qwen2"])
def test_word_by_word_a_model_says_what_it_says_of_the_whole(kind: str):
    import torch
    from training.decoder import Decoder, DecoderShape, read_weights, sample

    file = Gguf(make_file(kind))
    shape = DecoderShape.of(file.fields)
    model = Decoder(shape, judges=False).eval()
    model.load_state_dict(read_weights(file.tensor, file.names, shape))
    prompts = [[5, 9, 12], [7], [3, 3, 8, 1, 20, 11]]
    torch.manual_seed(0)
    found = sample(model, prompts, stop=0, longest=40, temperature=1e-4, least=1e-9)
    for prompt, said in zip(prompts, found, strict=True):
        text = list(prompt)
        for _ in range(40):
            states = model.encode(torch.tensor([text]), torch.ones(1, len(text)))[-1]
            word = int((states[0, -1] @ model.words.weight.T).argmax())
            if word == 0:
                break
            text.append(word)
        assert said == (text[len(prompt) :] if len(text) < len(prompt) + 40 else [])


def test_a_model_reads_as_the_library_that_published_it():
    import torch
    from training.decoder import Decoder, DecoderShape, read_weights
    from transformers import LlamaConfig, LlamaForCausalLM

    file = Gguf(make_file("llama"))
    shape = DecoderShape.of(file.fields)
    state = read_weights(file.tensor, file.names, shape)
    ours = Decoder(shape, judges=False).eval()
    ours.load_state_dict(state)
    theirs = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=shape.vocabulary, hidden_size=shape.width, intermediate_size=shape.inner,
            num_hidden_layers=shape.layers, num_attention_heads=shape.heads, num_key_value_heads=shape.shared,
            rope_parameters={"rope_type": "default", "rope_theta": shape.base}, rms_norm_eps=shape.epsilon,
            tie_word_embeddings=True,
        )
    ).eval()  # fmt: skip
    names = {
        "query": "self_attn.q_proj", "key": "self_attn.k_proj", "value": "self_attn.v_proj", "out": "self_attn.o_proj",
        "gate": "mlp.gate_proj", "up": "mlp.up_proj", "down": "mlp.down_proj", "norm": "input_layernorm",
        "last": "post_attention_layernorm",
    }  # fmt: skip
    renamed = {"model.embed_tokens.weight": state["words.weight"], "model.norm.weight": state["norm.weight"]}
    for name, value in state.items():
        if name.startswith("layers."):
            _, number, part, kind = name.split(".")
            renamed[f"model.layers.{number}.{names[part]}.{kind}"] = value
    missing = theirs.load_state_dict(renamed, strict=False)
    assert set(missing.missing_keys) <= {"lm_head.weight"} and not missing.unexpected_keys
    ids = torch.tensor([[4, 8, 15, 16, 23, 42]])
    with torch.no_grad():
        mine = ours.encode(ids, ids)[-1] @ ours.words.weight.T
        assert torch.allclose(mine, theirs(ids).logits, atol=1e-4)


def test_the_writer_continues_evidence_and_label_with_a_claim():
    from training.writer import imagine, kind_of, load_writer, tune, write

    model, tokenizer = load_writer(make_file(layers=1))
    pairs = [Pair(f"Ada {i}", CLAIMS[label], label, "mnli_x") for i in range(24) for label in CLAIMS]
    heard: list[dict[str, float]] = []
    tune(model, tokenizer, pairs, device="cpu", epochs=14, rate=1e-2, size=12, seed=1, report=heard.append)
    assert heard[-1]["loss"] < 1.0
    kind = kind_of("mnli_x")
    wanted = [(kind, "Ada 7", label) for label in CLAIMS] * 4
    made = list(write(model, tokenizer, wanted, size=12, temperature=0.3, seed=2))
    assert made and made == list(write(model, tokenizer, wanted, size=12, temperature=0.3, seed=2))
    assert all(p.source == "written_text" and p.premise == "Ada 7" for p in made)
    assert sum(p.hypothesis[0] == CLAIMS[p.label][0] for p in made) >= 0.8 * len(made)
    own = list(imagine(model, tokenizer, [kind] * 8, size=4, temperature=0.3, seed=3))
    assert all(found == kind and 15 <= len(text) <= 400 and "\n" not in text for found, text in own)


def test_evidence_by_hand_is_of_a_kind_that_is_written():
    import tomllib

    from training.domain.by_hand import FOLDER
    from training.writer import kind_of

    config = tomllib.loads((FOLDER.parents[1] / "config.toml").read_text(encoding="utf-8"))
    kinds = {path.stem: kind_of(f"hand_{path.stem}") for path in FOLDER.glob("*.txt") if path.stem != "disclose"}
    assert {*kinds.values()} == {"Memory", "Report", "Dialogue"}
    assert all(config["together"]["kinds"][kind] > 0.1 for kind in kinds.values())
    assert kind_of("dialogue_nli") == "Talk" and kind_of("rte") == "Note"


def _tell_apart(count: int) -> list[Pair]:
    """Labels that can be read off the claim."""
    return [Pair(f"Ada {i}.", CLAIMS[label], label, "mnli_x") for i in range(count) for label in CLAIMS]


def test_a_mentor_learns_from_lessons_and_gives_opinions_until_it_has_to_stop():
    import torch
    from training.fit import Recipe
    from training.mentor import choose_lessons, choose_words, examine, give_opinions, open_mentor, teach

    file = Gguf(make_file("qwen2", layers=3))
    pairs = _tell_apart(40)
    lessons = choose_lessons(
        [*pairs, Pair("long " * 200, "x", ENTAIL, "mnli_x"), *(p._replace(source="augment_y") for p in pairs)],
        {"caps": {"augment_": 6}, "repeat": {"mnli_x": 2}},
        seed=1,
    )
    assert len(lessons) == 2 * len(pairs) + 6
    by_hand = [p._replace(source="hand_y") for p in pairs]
    some = choose_lessons([*pairs, *by_hand], {"caps": {}, "others": 0.45}, seed=1)
    assert sum(p.source == "hand_y" for p in some) == len(by_hand)
    assert 0.3 * len(pairs) < len(some) - len(by_hand) < 0.6 * len(pairs)
    from training.decoder import make_tokenizer

    words = choose_words(make_tokenizer(file.fields), (t for p in pairs for t in (p.premise, p.hypothesis)), most=40)
    assert len(words) == 40 < len(LETTERS)
    mentor = open_mentor(file, words, layers=2)
    assert len(mentor.model.layers) == 2
    recipe = Recipe(epochs=6, rate=5e-3, budget=512, checkpoint=0, average=0.2)
    teach(mentor, mentor.batches(lessons, "cpu", 64), recipe, report=lambda _: None)
    assert examine(mentor, {"dev": pairs[:30]}, "cpu", 64)["dev"] >= 90
    asked = mentor.batches(pairs, "cpu", 64)
    assert torch.allclose(give_opinions(mentor, asked).float().exp().sum(1), torch.ones(len(pairs)), atol=1e-2)
    assert give_opinions(mentor, asked, deadline=-math.inf).isnan().all()


def test_students_learn_what_the_mentor_thinks_and_the_encoder_where_it_is_silent(tmp_path: Path):
    import tomllib

    import torch
    from tokenizers import Tokenizer, models, pre_tokenizers
    from training.stages import ask_mentor, opinions, train_student
    from training.work import Work

    config = tomllib.loads((Path(__file__).parents[2] / "training" / "tiny.toml").read_text(encoding="utf-8"))
    settings = {
        "layers": 2, "words": 60, "epochs": 1, "rate": 1e-3, "budget": 512, "longest": 64, "checkpoint": 0, "caps": {},
        "unasked": ["domain_"],
    }  # fmt: skip
    config["mentor"] = settings
    config["mini"] = config["mini"] | {"teachers": ["mentor", "base"], "guidance": 0.0, "epochs": 1}
    pairs = _tell_apart(20)
    own = [p._replace(premise="Own " + p.premise, source="domain_x") for p in pairs[:12]]
    write_pairs(tmp_path / "train.jsonl.gz", [*pairs, *own])
    write_pairs(tmp_path / "extra.jsonl.gz", (p._replace(label=UNLABELLED, source="turned") for p in pairs[:9]))
    write_pairs(tmp_path / "held.jsonl.gz", pairs[:6])
    write_pairs(tmp_path / "dev_mnli.jsonl.gz", pairs[:6])
    vocabulary = {f"[unused{i}]": i for i in range(103)} | {w: 103 + i for i, w in enumerate(["Ada", *CLAIMS.values()])}
    pieces = Tokenizer(models.WordLevel(vocabulary | {"[UNK]": 120}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.Whitespace()
    pieces.save(str(tmp_path / "tokenizer.json"))
    work = Work(tmp_path, config, say=lambda _: None)
    found = ask_mentor(work, Gguf(make_file("qwen2", layers=3)))
    assert found["opinions"] == len(pairs) + 9 and found["sets"]["dev_mnli"] >= 0
    work.store("base", work.fresh("base").state_dict())
    alone = opinions(work, ["mentor"]).float()
    silent = alone[:, 0].isnan()
    assert int(silent.sum()) == len(own) and len(list(read_pairs(tmp_path / "train.jsonl.gz"))) + 9 == len(silent)
    both = opinions(work, ["mentor", "base"]).float()
    assert not both.isnan().any() and torch.equal(both[~silent], alone[~silent])
    train_student(work, "mini", "mini", ["mentor", "base"])
    assert work.done("mini")


def test_claims_about_the_same_evidence_are_also_set_against_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    import tomllib

    import training.writer as writer
    from training.stages import write_claims
    from training.work import Work

    config = tomllib.loads((Path(__file__).parents[2] / "training" / "tiny.toml").read_text(encoding="utf-8"))
    config["writer"] = config["writer"] | {"pairs": 30, "siblings": 7, "turned": 5}
    pairs = _tell_apart(6)
    write_pairs(tmp_path / "train.jsonl.gz", pairs)

    def write(_model: Any, _tokenizer: Any, wanted: list[tuple[str, str, str]], **_: Any) -> list[Pair]:
        return [Pair(premise, f"{label} of {premise}", label, f"written_{kind}") for kind, premise, label in wanted]

    monkeypatch.setattr(writer, "load_writer", lambda _data: (None, None))
    monkeypatch.setattr(writer, "tune", lambda *_, **__: None)
    monkeypatch.setattr(writer, "imagine", lambda *_, **__: [])
    monkeypatch.setattr(writer, "write", write)
    write_claims(Work(tmp_path, config, say=lambda _: None), b"")
    found = list(read_pairs(tmp_path / "written.jsonl.gz"))
    claims = {(p.hypothesis): p.premise for p in found if p.source.startswith("written_")}
    beside = [p for p in found if p.source == "siblings"]
    assert {p.label for p in found} == {UNLABELLED}
    assert len(beside) == 7 and all(claims[p.premise] == claims[p.hypothesis] for p in beside)
    assert len([p for p in found if p.source == "turned"]) == 5
