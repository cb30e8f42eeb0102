"""The commands that measure a judge: `eval` on labelled pairs, `calibration` on how far its confidence can be taken."""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groundwire.errors import InvalidInput
from groundwire.settings import CHOICES
from groundwire.surfaces.calls import EXIT_LINES_FAILED, Call, Library, Setup, choose_judge, open_binary
from groundwire.surfaces.responses import write_json

if TYPE_CHECKING:
    from collections.abc import Generator

    from groundwire.evaluation.pairs import PairFile, Refusal
    from groundwire.evaluation.reliability import Reliability
    from groundwire.evaluation.report import Comparison


@dataclasses.dataclass(frozen=True)
class Selection:
    """Which labelled pairs are put to which judge."""

    setup: Setup
    paths: tuple[str, ...]
    judge: str | None
    limit: int | None
    sample: int | None
    seed: int
    threshold: float

    def __post_init__(self) -> None:
        if self.limit is not None and self.sample is not None:
            raise click.UsageError("Give one of --limit and --sample, not both.")
        if self.paths.count("-") > 1:
            raise click.UsageError("Standard input can be read once.")

    def read_files(self) -> list[PairFile]:
        """All files, before anything is judged: a wrong name is not found out after an hour."""
        from groundwire.evaluation.pairs import name_files, read_pairs

        files = [read_pairs(_read(path), name) for path, name in zip(self.paths, name_files(self.paths), strict=True)]
        if self.limit is not None:
            files = [file.limit(self.limit) for file in files]
        if self.sample is not None:
            files = [file.sample(self.sample, self.seed) for file in files]
        return files

    def compare(self, **options: Any) -> Comparison:
        from groundwire.evaluation.run import Options, compare

        files = self.read_files()
        chosen = Options(threshold=self.threshold, seed=self.seed, **options)
        library = open_judging(self.setup, self.judge)
        with _watch(sum(len(file.pairs) for file in files)) as advance:
            found = compare(
                library.judge_all,
                files,
                judge=self.judge or "",
                options=chosen,
                advance=advance,
                clock=time.perf_counter,
            )
        return found if self.judge else dataclasses.replace(found, judge=_name_judge(found))


def _selecting(required: bool) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """The files and the options that say which pairs go to which judge."""
    options: list[Callable[[Callable[..., None]], Callable[..., None]]] = [
        click.argument("paths", metavar="FILE..." if required else "[FILE]...", nargs=-1, required=required),
        click.option(
            "--judge",
            type=click.Choice(CHOICES["judge"]),
            help="The judge to measure; that of the settings if left out.",
        ),
        click.option("--limit", type=click.IntRange(min=1), metavar="N", help="The first N pairs of each file."),
        click.option("--sample", type=click.IntRange(min=1), metavar="N", help="N pairs of each file, at random."),
        click.option(
            "--seed",
            type=click.IntRange(min=0),
            default=0,
            show_default=True,
            help="Of the sample and of the intervals: the same seed, the same figures.",
        ),
        click.option(
            "--threshold",
            type=click.FloatRange(0.0, 1.0),
            default=0.5,
            show_default=True,
            help="With two classes: supported is a probability of SUPPORTED above this.",
        ),
        click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        click.option(
            "--color",
            type=click.Choice(["auto", "always", "never"]),
            default="auto",
            show_default=True,
            help="auto: on a terminal, unless NO_COLOR is set.",
        ),
    ]

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        result = command
        for option in reversed(options):
            result = option(result)
        return result

    return decorate


def _check_target(_: click.Context, parameter: click.Parameter, path: str | None) -> str | None:
    """Before anything is judged, for the same reason as reading first."""
    if path is not None and not Path(path).parent.is_dir():
        raise click.BadParameter(f"'{path}' cannot be written: there is no such folder.", param=parameter)
    return path


_TARGET = click.Path(dir_okay=False, writable=True)


# ── the commands ────────────────────────────────────────────────────────────────────────────────


@click.command("eval")
@_selecting(required=True)
@click.option("--worst", type=click.IntRange(min=0), default=5, show_default=True, help="Mistakes to show.")
@click.option("--details", is_flag=True, help="With several files: everything about each of them.")
@click.option(
    "--save", type=_TARGET, callback=_check_target, metavar="FILE", help="Write every pair's result as JSON lines."
)
def evaluate(worst: int, details: bool, save: str | None, as_json: bool, color: str, **chosen: Any) -> None:
    """Measure a judge on labelled pairs.

    Every figure comes with its 95% interval (percentile bootstrap over 1,000
    resamples). Where a file tells supported from unsupported only, a pair
    counts as supported when its probability of SUPPORTED is above --threshold;
    a file that has an "unsupported" is such a file, whatever else it holds.

    \b
    In:   one JSON object a line, plain or gzipped; - is standard input:
          {"premise", "hypothesis", "label", "source"?, "meta"?}; label is
          entail, neutral or contradict; supported or unsupported; or
          SUPPORTED, REFUTED or INSUFFICIENT, in any casing
    Out:  {"judge", "files": [{"name", "task", "n", "figures", "targets",
          "confusion", "verdicts", "decided_by", "timing", "reliability",
          "worst", "refused"}], "overall": {...}}
    Exit status 1 when rows could not be read or judged; they are named.

    \b
    Examples:
      groundwire eval pairs.jsonl --judge rules
      groundwire eval dev/*.jsonl.gz --sample 500 --worst 10 --save results.jsonl
    """
    call = _make_call(as_json, color)
    found = Selection(call.setup, **chosen).compare(worst=worst)
    if save is not None:
        _write_file(save, "".join(write_json(pair.to_dict()) + "\n" for e in found.files for pair in e.judged))
    from groundwire.surfaces import scores

    call.show(found.to_dict(), lambda view: scores.render_comparison(found, view, details=details))
    if found.refused:
        click.get_current_context().exit(EXIT_LINES_FAILED)


@click.command("calibration")
@_selecting(required=False)
@click.option("--svg", type=_TARGET, callback=_check_target, metavar="FILE", help="Write the reliability diagram.")
def calibrate(svg: str | None, as_json: bool, color: str, **chosen: Any) -> None:
    """Print how far a judge's confidence can be taken at its word.

    With files, its verdicts on their labelled pairs are sorted into ten bins
    of confidence; without, the table that is stored with its model is printed.
    The gap is confidence less accuracy: above zero the judge is too sure.

    \b
    In:   files as for eval, or none
    Out:  {"judge", "n", "ece", "fitted_on", "table": [{"low", "high", "n",
          "confidence", "accuracy", "gap"}]}
    Exit status 1 when rows could not be read or judged; they are named.

    \b
    Examples:
      groundwire calibration pairs.jsonl --judge rules --svg reliability.svg
      groundwire calibration --judge mini --json
    """
    from groundwire.evaluation.diagram import draw_reliability
    from groundwire.evaluation.report import describe_refusals
    from groundwire.surfaces import scores

    call = _make_call(as_json, color)
    selection = Selection(call.setup, **chosen)
    found = _measure_calibration(selection) if selection.paths else _read_calibration(selection)
    if svg is not None:
        _write_file(svg, draw_reliability(found.reliability, found.judge, found.origin))
    call.show(
        {"judge": found.judge, **found.reliability.to_dict(), "refused": describe_refusals(found.refused)},
        lambda view: scores.render_calibration(found.reliability, found.judge, found.origin, found.refused, view),
    )
    if found.refused:
        click.get_current_context().exit(EXIT_LINES_FAILED)


COMMANDS = (evaluate, calibrate)


# ── parts ───────────────────────────────────────────────────────────────────────────────────────


@dataclasses.dataclass(frozen=True)
class _Calibration:
    judge: str
    reliability: Reliability
    origin: str
    refused: tuple[Refusal, ...] = ()


def _measure_calibration(selection: Selection) -> _Calibration:
    found = selection.compare(worst=0, resamples=1)
    kind = found.overall.task.value
    origin = f"measured on {', '.join(evaluation.name for evaluation in found.files)} ({kind})"
    return _Calibration(found.judge, found.overall.reliability, origin, found.overall.refused)


def _read_calibration(selection: Selection) -> _Calibration:
    from groundwire.evaluation.reliability import read_table

    name = selection.judge or selection.setup.settings.judge
    stored = open_judging(selection.setup, selection.judge).calibration()
    if stored is None:
        raise InvalidInput("judge", f"{name} has no stored calibration; give files of labelled pairs to measure it on")
    found = read_table(stored, f"the calibration of {name}")
    return _Calibration(name, found, f"fitted on {found.fitted_on}" if found.fitted_on else "")


def open_judging(setup: Setup, judge: str | None) -> Library:
    """The library with the judge that was asked for; figures of rules are never shown as those of a model."""
    library = setup.open_library(choose_judge(setup.settings, judge))
    if library.model_problem is not None:
        raise library.model_problem
    return library


def _name_judge(found: Comparison) -> str:
    """Those that decided, most verdicts first."""
    names = dict.fromkeys(decision.judge for decision in found.overall.decided_by)
    return ", ".join(names) or "the judge"


def _make_call(as_json: bool, color: str) -> Call:
    setup = click.get_current_context().find_object(Setup) or Setup()
    return Call(setup, None, None, None, as_json, False, color)


def _read(path: str) -> bytes:
    try:
        with open_binary(path) as stream:
            return stream.read()
    except OSError as error:
        raise click.UsageError(f"'{path}' cannot be read: {error.strerror or error}.") from None


def _write_file(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.UsageError(f"'{path}' cannot be written: {error.strerror or error}.") from None


@contextmanager
def _watch(pairs: int) -> Generator[Callable[[int], None] | None]:
    """A bar on standard error where somebody watches; the result comes after it."""
    if not pairs or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=pairs, label="judging", file=sys.stderr) as bar:
        yield bar.update
