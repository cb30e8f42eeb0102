"""Putting labelled pairs to a judge, a batch at a time, and summing up what it said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from groundwire.errors import InvalidInput
from groundwire.evaluation.metrics import RESAMPLES
from groundwire.evaluation.outcomes import SUPPORT_THRESHOLD, JudgedPair, find_flaw, resettle, settle
from groundwire.evaluation.pairs import LabelledPair, PairFile, Refusal, Task, find_task
from groundwire.evaluation.report import WORST, Comparison, Evaluation, summarise
from groundwire.types import Passage, VerifierInput, VerifierOutput

BATCH = 64
EVIDENCE_ID = "e1"
OVERALL = "all files"

JudgeAll = Callable[[Sequence[VerifierInput]], Sequence[VerifierOutput]]
Advance = Callable[[int], None]
Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Options:
    """How pairs are judged and how the figures are drawn from that."""

    threshold: float = SUPPORT_THRESHOLD
    batch: int = BATCH
    worst: int = WORST
    resamples: int = RESAMPLES
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Judged:
    """The pairs that were judged, those that the judge refused, and how long it took."""

    pairs: tuple[JudgedPair, ...]
    refused: tuple[Refusal, ...]
    seconds: float | None


def evaluate(
    judge_all: JudgeAll,
    pairs: Sequence[LabelledPair],
    *,
    name: str = "pairs",
    task: Task | None = None,
    options: Options | None = None,
    advance: Advance | None = None,
    clock: Clock | None = None,
) -> Evaluation:
    """How good the judge is on these pairs; the labels say whether there are two classes or three."""
    asked = task or find_task(pair.label for pair in pairs)
    given = PairFile(name, tuple(pairs), task=asked)
    return compare(judge_all, [given], judge=name, options=options, advance=advance, clock=clock).files[0]


def compare(
    judge_all: JudgeAll,
    files: Sequence[PairFile],
    *,
    judge: str,
    options: Options | None = None,
    advance: Advance | None = None,
    clock: Clock | None = None,
) -> Comparison:
    """One evaluation a file and one of all together; files of different kinds meet as supported-or-not."""
    chosen = options or Options()
    _warm_up(judge_all, files)
    runs = [judge_pairs(judge_all, file.pairs, file.task, chosen, advance, clock) for file in files]
    evaluations = tuple(
        _sum_up(run.pairs, file.name, file.task, (*file.refused, *run.refused), run.seconds, chosen)
        for file, run in zip(files, runs, strict=True)
    )
    if len(evaluations) == 1:
        return Comparison(judge, evaluations, evaluations[0])
    tasks = {file.task for file in files if file.pairs}
    pairs = [pair for run in runs for pair in run.pairs]
    if len(tasks) > 1:
        pairs = [resettle(pair, chosen.threshold) for pair in pairs]
    task = tasks.pop() if len(tasks) == 1 else Task.TWO_CLASS
    refused = [refusal for evaluation in evaluations for refusal in evaluation.refused]
    seconds = [run.seconds for run in runs if run.seconds is not None]
    return Comparison(judge, evaluations, _sum_up(pairs, OVERALL, task, refused, sum(seconds) or None, chosen))


def _warm_up(judge_all: JudgeAll, files: Sequence[PairFile]) -> None:
    """A judge loads its model and its tables with the first question; that is no pair's time."""
    first = next((file.pairs[:1] for file in files if file.pairs), ())
    if first:
        _judge_batch(judge_all, first)


def judge_pairs(
    judge_all: JudgeAll,
    pairs: Sequence[LabelledPair],
    task: Task,
    options: Options,
    advance: Advance | None = None,
    clock: Clock | None = None,
) -> Judged:
    """Each premise whole as one passage; a pair that the judge refuses is named and does not stop the rest."""
    judged: list[JudgedPair] = []
    refused: list[Refusal] = []
    started = clock() if clock else None
    for start in range(0, len(pairs), options.batch):
        batch = pairs[start : start + options.batch]
        for pair, answer in zip(batch, _judge_batch(judge_all, batch), strict=True):
            flaw = answer if isinstance(answer, str) else find_flaw(answer)
            if isinstance(answer, str) or flaw is not None:
                refused.append(Refusal(pair.file, pair.line, str(flaw)))
            else:
                judged.append(settle(pair, answer, task, options.threshold))
        if advance is not None:
            advance(len(batch))
    return Judged(tuple(judged), tuple(refused), clock() - started if clock and started is not None else None)


def _judge_batch(judge_all: JudgeAll, pairs: Sequence[LabelledPair]) -> Sequence[VerifierOutput | str]:
    """One output a pair, or why there is none; a batch that is refused is put again pair by pair."""
    questions = [VerifierInput(pair.hypothesis, (Passage(EVIDENCE_ID, pair.premise),)) for pair in pairs]
    try:
        return judge_all(questions)
    except InvalidInput as error:
        if len(pairs) == 1:
            return [str(error)]
        return [answer for pair in pairs for answer in _judge_batch(judge_all, [pair])]


def _sum_up(
    pairs: Sequence[JudgedPair],
    name: str,
    task: Task,
    refused: Sequence[Refusal],
    seconds: float | None,
    options: Options,
) -> Evaluation:
    return summarise(
        pairs,
        name=name,
        task=task,
        refused=refused,
        seconds=seconds,
        worst=options.worst,
        resamples=options.resamples,
        seed=options.seed,
    )
