"""Writer, teachers and `mini` side by side: what they hand each other, and who starts and ends them."""

# torch comes with the extra `train`; the types are checked without it.
# pyright: reportMissingImports=false

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.training.letter_models import make_file
from training.pairs import CONTRADICT, ENTAIL, NEUTRAL, UNLABELLED, Pair, write_pairs

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
TINY = Path(__file__).parents[2] / "training" / "tiny.toml"
CLAIMS = {ENTAIL: "aaaaaaaaa", NEUTRAL: "bbbbbbbbb", CONTRADICT: "ccccccccc"}


class Time:
    """A clock that moves only while somebody waits."""

    def __init__(self) -> None:
        self.now = 1000.0

    def read(self) -> float:
        return self.now

    def pause(self, seconds: float) -> None:
        self.now += seconds


class Child:
    """A process that ends after some seconds with a status; -9 when it was ended."""

    def __init__(self, time: Time, seconds: float, status: int) -> None:
        self.time, self.end, self.status = time, time.now + seconds, status

    def poll(self) -> int | None:
        return self.status if self.time.now >= self.end else None

    def kill(self) -> None:
        self.end, self.status = self.time.now, -9

    def wait(self) -> int:
        return self.status


def drive(
    folder: Path, plan: Mapping[str, Sequence[tuple[float, int]]], jobs: Sequence[Any]
) -> tuple[Any, dict[str, bool]]:
    """(when each attempt of a part began and the exchange, which of them ended well)."""
    from training.together.driver import Driver
    from training.together.exchange import Exchange

    time = Time()
    exchange = Exchange(folder, time.now, 100.0, time.read, time.pause)
    begun: list[tuple[str, int, float]] = []

    def start(job: Any, attempt: int) -> Child:
        begun.append((job.name, attempt, time.now - 1000.0))
        seconds, status = plan[job.name][attempt - 1]
        return Child(time, seconds, status)

    ended = Driver(exchange, start, restarts=2, grace=5.0, say=lambda _: None).run(jobs)
    return (begun, exchange, time.now - 1000.0), ended


def test_parts_begin_in_their_time_and_again_when_they_fail(tmp_path: Path):
    from training.together.driver import Job

    jobs = [Job("writer", 0.0, 0.6), Job("judge", 0.0, 0.7), Job("mini", 0.4, 0.95)]
    plan = {"writer": [(10, 1), (10, 1), (30, 0)], "judge": [(60, 0)], "mini": [(50, 0)]}
    (begun, exchange, _), ended = drive(tmp_path, plan, jobs)
    assert ended == {"writer": True, "judge": True, "mini": True}
    assert [(name, attempt) for name, attempt, _ in begun] == [
        ("writer", 1), ("judge", 1), ("writer", 2), ("writer", 3), ("mini", 1)
    ]  # fmt: skip
    assert begun[-1][2] == pytest.approx(40, abs=1)
    assert exchange.is_marked("writer-done") and exchange.is_marked("mini-done")


def test_a_part_that_fails_too_often_or_comes_late_is_given_up(tmp_path: Path):
    from training.together.driver import Job

    jobs = [Job("writer", 0.0, 0.6), Job("judge", 0.0, 0.2), Job("mini", 0.9, 0.95)]
    plan = {"writer": [(1, 1)] * 3, "judge": [(500, 0)], "mini": [(5, 0)]}
    (begun, exchange, _), ended = drive(tmp_path, plan, jobs)
    assert ended == {"writer": False, "judge": False, "mini": True}
    assert begun[-1][2] == pytest.approx(25, abs=1.5)  # late by the grace, then nothing is left to wait for
    assert exchange.is_marked("judge-done")


def test_what_is_half_written_is_not_seen(tmp_path: Path):
    from training.together.exchange import BASE, Exchange

    time = Time()
    exchange = Exchange(tmp_path, time.now, 10.0, time.read, time.pause)
    exchange.put_opinion(BASE, "new000", np.zeros((2, 3)))
    (tmp_path / BASE / "partial-new001.npy").touch()
    assert exchange.names(BASE) == ["new000"] and exchange.read_opinion(BASE, "new000").shape == (2, 3)
    assert not exchange.wait(lambda: exchange.has(BASE, "new001"), 0.5)
    assert exchange.left(1.0) < 5.0


def test_joined_shards_are_the_pairs_of_all():
    from tokenizers import Tokenizer, models, pre_tokenizers
    from training.tensors import Tokens, tokenize_pairs

    pieces = Tokenizer(models.WordLevel({"[UNK]": 0, "one": 1, "two": 2, "three": 3}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.Whitespace()  # type: ignore[assignment]
    shards = [
        [Pair("one two", "three", ENTAIL, "b"), Pair("two", "one", NEUTRAL, "c")],
        [Pair("three three one", "two", CONTRADICT, "a"), Pair("one two", "one", UNLABELLED, "c")],
    ]
    joined = Tokens.join([tokenize_pairs(shard, pieces) for shard in shards])
    whole = tokenize_pairs([p for shard in shards for p in shard], pieces)

    def spell(tokens: Tokens) -> list[tuple[Any, ...]]:
        def text(row: int) -> list[int]:
            return tokens.flat[tokens.starts[row] : tokens.starts[row + 1]].tolist()

        rows = zip(tokens.premise, tokens.hypothesis, tokens.label, tokens.source, strict=True)
        return [(text(a), text(b), int(label), tokens.sources[source]) for a, b, label, source in rows]

    assert spell(joined) == spell(whole)


def make_folder(root: Path) -> dict[str, Any]:
    """Pairs, a tokenizer, a teacher and two language models, all of them tiny; returns the configuration."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from training.together.parts import configure
    from training.work import Work

    config = tomllib.loads(TINY.read_text(encoding="utf-8"))
    config["writer"] |= {"pairs": 10, "batch": 12, "epochs": 14, "rate": 1e-2, "temperature": 0.3}
    config["mentor"] = {
        "layers": 2, "words": 60, "epochs": 1, "rate": 1e-3, "budget": 512, "longest": 64, "checkpoint": 0, "caps": {},
        "unasked": ["domain_"], "always": ["_by_hand"],
    }  # fmt: skip
    config["mini"] |= {"guidance": 0.0, "init": ""}
    sources = ("mnli_x", "hand_memo", "mnli_x", "snli_x")  # of the last kind nothing is written
    pairs = [Pair(f"Ada {i}", CLAIMS[label], label, sources[i % 4]) for i in range(24) for label in CLAIMS]
    write_pairs(root / "train.jsonl.gz", [*pairs, *(p._replace(source="domain_x") for p in pairs[:9])])
    write_pairs(root / "extra.jsonl.gz", (p._replace(label=UNLABELLED, source="turned") for p in pairs[:9]))
    write_pairs(root / "dev_mnli.jsonl.gz", pairs[:12])
    vocabulary = {f"[unused{i}]": i for i in range(103)} | {w: 103 + i for i, w in enumerate(["Ada", *CLAIMS.values()])}
    pieces = Tokenizer(models.WordLevel(vocabulary | {"[UNK]": 120}, unk_token="[UNK]"))
    pieces.pre_tokenizer = pre_tokenizers.Whitespace()  # type: ignore[assignment]
    pieces.save(str(root / "tokenizer.json"))
    (root / "writer.gguf").write_bytes(make_file(layers=1))
    (root / "mentor.gguf").write_bytes(make_file("qwen2", layers=3))
    work = Work(root, config, print)
    work.store("teacher", work.fresh("base").state_dict())
    return configure(config)


class Steps:
    """A clock that ticks whenever it is read: a run by the clock has as many steps as it is read for."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def __call__(self) -> float:
        self.now += self.tick
        return self.now


def test_every_part_takes_what_the_others_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import torch
    import training.fit
    from training.together import asking, judging, learning, writing
    from training.together.exchange import BASE, MENTOR, Exchange
    from training.together.parts import Part
    from training.work import Work

    config = make_folder(tmp_path)
    del config["together"]["parts"]["base"]
    said: list[str] = []
    work = Work(tmp_path, config, said.append)
    clock = Steps(3.0)
    exchange = Exchange(tmp_path / "together", 0.0, 100.0, clock, lambda _: None)
    original = training.fit.Run
    monkeypatch.setattr(training.fit, "Run", lambda *given: original(*given, clock=Steps(0.5)))

    def run(name: str, part: Callable[[Any], None]) -> None:
        part(Part(name, work, exchange, tmp_path / "writer.gguf", tmp_path / "mentor.gguf"))
        exchange.mark(f"{name}-done")

    run("writer", writing.run)
    written = [name for name in exchange.names("pairs") if name.startswith("new")]
    assert written and {p.label for name in written for p in exchange.read_pairs(name)} == {UNLABELLED}
    found = {p.source for name in written for p in exchange.read_pairs(name) if p.source.startswith("written_")}
    assert "written_memory" in found and "written_picture" not in found
    clock.now = 10.0
    run("judge", judging.run)
    assert exchange.names(BASE) == exchange.names("pairs") == exchange.names("tokens")
    assert {"dev_mnli", "old000", "old001", "old002", "new000"} <= {*exchange.names(BASE)}
    silent = {name for name in exchange.names(BASE) if np.isnan(exchange.read_opinion(BASE, name)).all()}
    assert silent == {*written}
    clock.now = 20.0
    run("mentor", asking.run)
    assert exchange.names(MENTOR) == exchange.names(BASE)
    assert not any(np.isnan(exchange.read_opinion(MENTOR, name)).any() for name in written)
    own = [p.source == "domain_x" for p in exchange.read_pairs("old000")]
    heard = ~np.isnan(exchange.read_opinion(MENTOR, "old000")[:, 0])
    assert heard.any() and not heard[own].any()
    clock.now = 40.0
    run("mini", learning.run)
    found = json.loads((tmp_path / "together-mini-metrics.json").read_text(encoding="utf-8"))
    assert found["pairs"]["rows"] == sum(len(exchange.read_pairs(n)) for n in exchange.names(BASE) if n != "dev_mnli")
    assert {"dev_mnli float", "dev_mnli int8", "dev_mnli int8 early"} == {*found["share of the first"]["0.5"]}
    first, ended = work.fresh("mini").state_dict(), torch.load(tmp_path / "mini.pt")
    assert any(not torch.equal(first[name], value) for name, value in ended.items())


def test_the_mentor_is_heard_beside_the_encoder_and_asked_where_that_is_unsure(tmp_path: Path):
    from training.together.asking import choose_asked
    from training.together.exchange import BASE, MENTOR, Exchange
    from training.together.learning import Pool
    from training.together.parts import Part
    from training.work import Work

    time = Time()
    exchange = Exchange(tmp_path / "together", time.now, 100.0, time.read, time.pause)
    part = Part("mini", Work(tmp_path, make_folder(tmp_path), print), exchange)
    share = np.array([[0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.95, 0.03, 0.02], [0.7, 0.2, 0.1]], np.float32)
    pairs = [Pair("a", "b", label, "mnli") for label in (ENTAIL, NEUTRAL, UNLABELLED, ENTAIL)]
    assert choose_asked(part, pairs, np.log(share)).tolist() == [1, 3]
    opinion = np.full((4, 3), np.nan, np.float32)
    opinion[1] = np.log([0.1, 0.8, 0.1])
    exchange.put_opinion(BASE, "old000", np.log(share))
    exchange.put_opinion(MENTOR, "old000", opinion)
    found = np.exp(Pool(part)._opinion("old000", frozenset({"old000"})))
    assert np.allclose(found[[0, 2, 3]], share[[0, 2, 3]], atol=1e-2)
    assert np.allclose(found[1], 0.65 * np.array([0.1, 0.8, 0.1]) + 0.35 * share[1], atol=1e-2)


def test_what_was_written_in_a_run_is_judged_by_the_mentor_alone(tmp_path: Path):
    from tokenizers import Tokenizer
    from training.together.asking import choose_asked
    from training.together.exchange import BASE, MENTOR, Exchange
    from training.together.judging import cut, opine
    from training.together.learning import Pool
    from training.together.parts import Part
    from training.work import Work

    time = Time()
    exchange = Exchange(tmp_path / "together", time.now, 100.0, time.read, time.pause)
    work = Work(tmp_path, make_folder(tmp_path), lambda _: None)
    part = Part("judge", work, exchange, mentor=tmp_path / "mentor.gguf")
    pairs = [Pair(f"Ada {i}", CLAIMS[ENTAIL], UNLABELLED, "written_memory") for i in range(3)]
    pairs[1] = pairs[1]._replace(premise="Ada " * 200)
    exchange.put_pairs("new000", pairs)
    cut(exchange, "new000", Tokenizer.from_file(str(tmp_path / "tokenizer.json")))
    opine(part, work.load("teacher", "base"), "new000")
    silent = exchange.read_opinion(BASE, "new000")
    assert np.isnan(silent).all() and choose_asked(part, pairs, silent).tolist() == [0, 2]
    pool = Pool(Part("mini", work, exchange))
    assert pool.renew() is None  # nobody has an opinion yet: there is nothing to learn
    said = np.log(np.array([[0.7, 0.2, 0.1], [np.nan] * 3, [0.1, 0.1, 0.8]], np.float32))
    exchange.put_opinion(MENTOR, "new000", said)
    lessons = pool.renew()
    assert lessons is not None and lessons.teacher is not None and lessons.rows.tolist() == [0, 2]
    assert np.allclose(lessons.teacher.cpu().numpy(), said, atol=1e-2, equal_nan=True)
    opine(Part("judge", work, exchange), work.load("teacher", "base"), "new000")  # there is no mentor to leave it to
    assert not np.isnan(exchange.read_opinion(BASE, "new000")).any()


def test_what_base_has_learnt_beside_it_judges_what_was_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    import training.fit
    from training.together import judging, learning
    from training.together.exchange import BASE, Exchange
    from training.together.parts import Part
    from training.work import Work

    config = make_folder(tmp_path)
    work, clock = Work(tmp_path, config, lambda _: None), Steps(0.3)
    exchange = Exchange(tmp_path / "together", 0.0, 100.0, clock, lambda _: None)
    judge = Part("judge", work, exchange, mentor=tmp_path / "mentor.gguf")
    exchange.put_pairs("new000", [Pair("Ada 1", CLAIMS[ENTAIL], UNLABELLED, "written_memory")])
    exchange.mark("writer-done")
    clock.now = 51.0  # the time of `learnt` has come, and nothing has been learnt
    assert judging.find_learnt(judge) is None
    judging.run(judge)
    opinion = {name: exchange.read_opinion(BASE, name) for name in exchange.names(BASE)}
    by_hand = np.array([p.source.startswith("hand_") for p in exchange.read_pairs("old000")])
    assert by_hand.any() and (np.isnan(opinion["old000"][:, 0]) == by_hand).all()
    assert np.isnan(opinion["new000"]).all() and clock.now > 55.0  # left to the mentor after a while alone
    monkeypatch.setattr(training.fit, "Run", lambda *given, make=training.fit.Run: make(*given, clock=Steps(0.5)))
    clock.now = 20.0
    learning.run(Part("base", work, exchange))
    found = json.loads((tmp_path / "together-base-metrics.json").read_text(encoding="utf-8"))
    assert "dev_mnli float" in found["share of the first"]["0.0"] and work.done("base") and not work.done("mini")
    exchange.path(BASE, "new000").unlink()
    clock.now = 51.0
    judging.run(judge)
    assert not np.isnan(exchange.read_opinion(BASE, "new000")).any()


def test_claims_by_hand_set_against_each_other_are_always_asked_about(tmp_path: Path):
    from training.together.asking import choose_asked
    from training.together.exchange import Exchange
    from training.together.parts import Part
    from training.work import Work

    part = Part("mentor", Work(tmp_path, make_folder(tmp_path), print), Exchange(tmp_path / "together", 0.0, 100.0))
    sources = ("siblings", "siblings_by_hand", "turned", "turned_by_hand")
    pairs = [Pair("a", "b", UNLABELLED, source) for source in sources]
    sure = np.log(np.array([[0.98, 0.01, 0.01]] * 4, np.float32))
    assert choose_asked(part, pairs, sure).tolist() == [1, 3]


def test_the_writer_imitates_all_pairs_by_hand_and_some_others():
    from training.stages import is_model_text
    from training.together.writing import choose_examples

    sources = ("mnli", "hand_memo", "hand_disclose", "domain_x", "snli")
    pairs = [Pair(f"Ada {i}", "b", ENTAIL, source) for i in range(9) for source in sources]
    models = [p for p in pairs if is_model_text(p)]
    assert {p.source for p in models} == {"mnli", "hand_memo", "snli"}
    chosen = choose_examples(models, 5, np.random.default_rng(1))
    assert len({*chosen}) == len(chosen) == 14 and sum(p.source == "hand_memo" for p in chosen) == 9
