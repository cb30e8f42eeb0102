"""Evaluations for people: a table of figures, what lies behind it, and the worst mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.evaluation.excerpt import EXCERPT, shorten
from groundwire.evaluation.metrics import Figure
from groundwire.evaluation.outcomes import SURE, JudgedPair
from groundwire.evaluation.pairs import Refusal, Task
from groundwire.evaluation.reliability import Bin, Reliability
from groundwire.evaluation.report import TARGETS, Comparison, Evaluation
from groundwire.surfaces.layout import Sign, Tone, View, beside, flatten, indent, join, pad, wrap

NOTHING = "n/a"
COLUMNS_FROM = 76  # below this the table does not fit and every file is shown on its own
DECISIONS_SHOWN = 12
REFUSALS_SHOWN = 5
BAR = 20

_COLUMN = 11
_COUNT = 8
_LABEL = 20
_INTERVAL = 13
_BOUND = 12
_TABLE_COLUMNS = (
    ("accuracy", "accuracy"),
    ("balanced", "balanced_accuracy"),
    ("macro F1", "macro_f1"),
    ("AUROC", "auroc"),
    ("ECE", "ece"),
)
_PLAIN_NUMBERS = frozenset({"auroc", "ece", "brier"})
_TARGETS = {target.figure: target for target in TARGETS}
_HEADLINE = (
    ("accuracy", "accuracy"),
    ("balanced accuracy", "balanced_accuracy"),
    ("macro F1", "macro_f1"),
    ("F1 of SUPPORTED", "f1_supported"),
    ("AUROC of SUPPORTED", "auroc"),
    ("ECE, 10 bins", "ece"),
    ("Brier score", "brier"),
)
_SHARES = (
    (f"sure, {SURE:.1f} or more", "sure_share", "pairs"),
    ("  of these right", "sure_accuracy", "verdicts"),
    ("  SUPPORTED right", "sure_supported_accuracy", "verdicts"),
    ("  REFUTED right", "sure_refuted_accuracy", "verdicts"),
    ("false positives", "false_positive_rate", "known false"),
    ("false negatives", "false_negative_rate", "known true"),
)
_MET = Sign("✓", Tone.GOOD)
_MISSED = Sign("✗", Tone.BAD)


# ── whole views ─────────────────────────────────────────────────────────────────────────────────


def render_comparison(comparison: Comparison, view: View, *, details: bool = False) -> str:
    """The table, then what lies behind the figures of the one file, of all together, or of each."""
    overall = comparison.overall
    if len(comparison.files) == 1:
        lines = [_title(f"{comparison.judge} on {_describe_pairs(overall)}", view), *_render_details(overall, view)]
    else:
        rows = (*comparison.files, overall)
        lines = [_title(f"{comparison.judge} on {len(comparison.files)} files", view)]
        fits = view.columns >= COLUMNS_FROM
        lines += ["", *_render_table(rows, view)] if fits else []
        for evaluation in rows if details or not fits else (overall,):
            lines += ["", _title(_describe_pairs(evaluation), view), *_render_details(evaluation, view)]
    lines += _render_mistakes(overall.worst, view)
    lines += _render_refusals(overall.refused, view)
    return join(lines)


def render_calibration(
    reliability: Reliability, judge: str, origin: str, refused: Sequence[Refusal], view: View
) -> str:
    """The reliability table, a row a bin, with a bar for how far confidence and accuracy lie apart."""
    heading = f"{judge}: ECE {_number(reliability.ece)} over {_count(reliability.n, 'verdict')}"
    lines = [view.paint(flatten(heading), Tone.STRONG)]
    if origin:
        lines += [view.paint(row, Tone.FAINT) for row in wrap(flatten(origin), view.columns)]
    bar = view.columns >= COLUMNS_FROM
    head = f"  {'confidence':<12}{'verdicts':>10}{'mean':>9}{'right':>9}{'gap':>9}"
    lines += ["", view.paint(head, Tone.FAINT)]
    lines += [_render_bin(entry, view, bar) for entry in reliability.bins]
    return join([*lines, *_render_refusals(refused, view)])


# ── parts ───────────────────────────────────────────────────────────────────────────────────────


def _title(text: str, view: View) -> str:
    return view.paint(flatten(text), Tone.STRONG)


def _describe_pairs(evaluation: Evaluation) -> str:
    asked = "supported or not" if evaluation.task is Task.TWO_CLASS else "SUPPORTED, REFUTED or INSUFFICIENT"
    return f"{evaluation.name}: {_count(evaluation.n, 'pair')}, {asked}"


def _render_details(evaluation: Evaluation, view: View) -> list[str]:
    """Every figure with its interval and its target, then who decided what."""
    lines: list[str] = []
    for label, name in _HEADLINE:
        lines.append(_render_figure(label, name, evaluation.figures[name], view))
    for label, name, noun in _SHARES:
        figure = evaluation.figures[name]
        lines.append(_render_figure(label, name, figure, view, f"{figure.count or 0:,} of {figure.of or 0:,} {noun}"))
    lines.append(f"  {pad('time a pair', _LABEL)}{_describe_timing(evaluation)}")
    lines += ["", *_render_confusion(evaluation, view), *_render_decisions(evaluation, view)]
    return lines


def _render_table(evaluations: Iterable[Evaluation], view: View) -> list[str]:
    room = view.columns - _COUNT - _COLUMN * len(_TABLE_COLUMNS)
    header = pad("file", room) + "pairs".rjust(_COUNT) + "".join(title.rjust(_COLUMN) for title, _ in _TABLE_COLUMNS)
    lines = [view.paint(header, Tone.FAINT)]
    for evaluation in evaluations:
        figures = [(name, evaluation.figures[name]) for _, name in _TABLE_COLUMNS]
        name = flatten(evaluation.name)
        name = name if len(name) < room else name[: room - 2] + "…"
        values = "".join(_value(key, figure).rjust(_COLUMN) for key, figure in figures)
        bounds = "".join(_interval(key, figure, 2).rjust(_COLUMN) for key, figure in figures)
        lines.append(pad(name, room) + f"{evaluation.n:,}".rjust(_COUNT) + values)
        kind = pad(f"  {evaluation.task.value}", room + _COUNT)
        lines.append(view.paint((kind + bounds).rstrip(), Tone.FAINT))
    return lines


def _render_figure(label: str, name: str, figure: Figure, view: View, note: str = "") -> str:
    value, interval = _value(name, figure), _interval(name, figure)
    row = f"  {pad(label, _LABEL)}{value:>7}  {view.paint(interval.ljust(_INTERVAL), Tone.FAINT)}"
    target = _TARGETS.get(name)
    if target is not None:
        met = target.is_met(figure.value)
        bound = f"{'<=' if target.at_most else '>='} {_write(name, target.bound)}"
        sign = _MET if met else _MISSED
        wanted = f"{view.sign(sign)} {bound}" if met is not None else f"  {bound}"
        row += view.paint(pad(wanted, _BOUND), sign.tone if met is not None else Tone.FAINT)
    elif note:
        row += " " * _BOUND
    return f"{row}{note}".rstrip()


def _describe_timing(evaluation: Evaluation) -> str:
    timing = evaluation.timing
    if timing.p50_ms is None or timing.p99_ms is None:
        return NOTHING.rjust(7)
    rate = f"; {timing.pairs_per_second:,.0f} pairs a second" if timing.pairs_per_second else ""
    return f"p50 {timing.p50_ms:.1f} ms, p99 {timing.p99_ms:.1f} ms{rate}"


def _render_confusion(evaluation: Evaluation, view: View) -> list[str]:
    classes = evaluation.task.classes
    header = f"  {pad('labelled / judged', _LABEL)}" + "".join(f"{name.value:>14}" for name in classes)
    lines = [view.paint(header, Tone.FAINT)]
    for truth in classes:
        row = evaluation.confusion[truth]
        lines.append(f"  {pad(truth.value, _LABEL)}" + "".join(f"{row[chosen]:>14,}" for chosen in classes))
    return lines


def _render_decisions(evaluation: Evaluation, view: View) -> list[str]:
    if not evaluation.decided_by:
        return []
    lines = ["", view.paint(f"  {pad('decided by', 40)}{'pairs':>8}{'right':>9}", Tone.FAINT)]
    for decision in evaluation.decided_by[:DECISIONS_SHOWN]:
        name = flatten(f"{decision.judge} {decision.reason}")
        share = f"{decision.right / decision.n:.1%}"
        lines.append(f"  {pad(name[:39], 40)}{decision.n:>8,}{share:>9}")
    if len(evaluation.decided_by) > DECISIONS_SHOWN:
        rest = evaluation.decided_by[DECISIONS_SHOWN:]
        lines.append(f"  {pad(f'{len(rest)} other reasons', 40)}{sum(decision.n for decision in rest):>8,}")
    return lines


def _render_mistakes(worst: Sequence[JudgedPair], view: View) -> list[str]:
    if not worst:
        return []
    lines = ["", view.paint("The mistakes it was surest of", Tone.STRONG)]
    for judged in worst:
        lines += ["", *_render_mistake(judged, view)]
    return lines


def _render_mistake(judged: JudgedPair, view: View) -> list[str]:
    pair, output = judged.pair, judged.output
    said = f"labelled {flatten(pair.label)}, judged {judged.chosen.value} {judged.confidence:.2f}"
    head = f"{flatten(judged.place)}  {said}"
    premise = flatten(shorten(pair.premise, pair.hypothesis, EXCERPT))
    why = f"{output.explanation} ({' '.join(part for part in (output.judge, output.reason) if part)})"
    lines = indent([view.paint(row, Tone.BAD) for row in wrap(head, view.columns - 2)])
    for label, text in (("claim", flatten(pair.hypothesis)), ("evidence", premise), ("why", flatten(why))):
        lines += beside(view.paint(pad(label, 8), Tone.FAINT), 8, wrap(text, view.columns - 12))
    return lines


def _render_bin(entry: Bin, view: View, bar: bool) -> str:
    row = f"  {f'{entry.low:.1f} to {entry.high:.1f}':<12}{entry.n:>10,}"
    if entry.confidence is None or entry.accuracy is None or entry.gap is None:
        return f"{row}{NOTHING:>9}{NOTHING:>9}{NOTHING:>9}"
    row += f"{entry.confidence:>9.1%}{entry.accuracy:>9.1%}{entry.gap * 100:>+9.1f}"
    return f"{row}   {_draw_gap(entry.confidence, entry.accuracy, view)}".rstrip() if bar else row


def _draw_gap(confidence: float, accuracy: float, view: View) -> str:
    """The accuracy as a bar; what the judge promised beyond it, or kept back, in another mark."""
    full, part = ("█", "░") if view.symbols else ("#", "-")
    low, high = round(min(confidence, accuracy) * BAR), round(max(confidence, accuracy) * BAR)
    return full * low + view.paint(part * (high - low), Tone.BAD if confidence > accuracy else Tone.NOTE)


def _render_refusals(refused: Sequence[Refusal], view: View) -> list[str]:
    """Which rows took no part, and why."""
    if not refused:
        return []
    lines = ["", view.paint(f"{_count(len(refused), 'row')} took no part:", Tone.BAD)]
    groups: dict[tuple[str, str], list[int]] = {}
    for refusal in refused:
        groups.setdefault((refusal.file, refusal.why), []).append(refusal.line)
    for (file, why), numbers in list(groups.items())[:REFUSALS_SHOWN]:
        lines += indent(wrap(flatten(f"{file}, {_list_lines(numbers)}: {why}"), view.columns - 2))
    if len(groups) > REFUSALS_SHOWN:
        lines.append(f"  and for {len(groups) - REFUSALS_SHOWN:,} more reasons")
    return lines


def _list_lines(numbers: Sequence[int]) -> str:
    listed = ", ".join(map(str, numbers[:REFUSALS_SHOWN]))
    more = f" and {len(numbers) - REFUSALS_SHOWN:,} more" if len(numbers) > REFUSALS_SHOWN else ""
    return f"line{'s' if len(numbers) > 1 else ''} {listed}{more}"


# ── numbers ─────────────────────────────────────────────────────────────────────────────────────


def _value(name: str, figure: Figure) -> str:
    return NOTHING if figure.value is None else _write(name, figure.value)


def _interval(name: str, figure: Figure, digits: int = 3) -> str:
    if figure.low is None or figure.high is None:
        return ""
    if name in _PLAIN_NUMBERS:
        return f"{figure.low:.{digits}f}-{figure.high:.{digits}f}"
    return f"{figure.low * 100:.1f}-{figure.high * 100:.1f}"


def _write(name: str, value: float) -> str:
    return _number(value) if name in _PLAIN_NUMBERS else f"{value:.1%}"


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.3f}"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
