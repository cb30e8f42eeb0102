"""What is about to be flagged, looked at once more: a clean answer must not be called wrong.

Every detector holds a piece of the answer against a piece of what is known. Here the pieces are put back: the value on
record may stand in the clause itself, a figure may follow from two that were given, an order states nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from groundwire.detect.examination import Examination
from groundwire.detect.review.asked import is_worked_out, stands_in_same_turn
from groundwire.detect.review.bids import only_bids
from groundwire.detect.review.borne_out import is_said_by_another
from groundwire.detect.review.on_record import is_figure_on_record, stands_on_record
from groundwire.detect.review.reckoned import is_age, is_difference, is_time_left, is_total
from groundwire.detect.review.whole_reading import is_not_seen_whole
from groundwire.detect.review.wishes import corrects_wish
from groundwire.detect.review.zones import crosses_zones
from groundwire.types.detection import HallucinationFlag, HallucinationType

Excuse = Callable[[HallucinationFlag, Examination], bool]
_EXCUSES: dict[HallucinationType, tuple[Excuse, ...]] = {
    HallucinationType.WRONG_ATTRIBUTE: (stands_on_record, is_said_by_another),
    HallucinationType.CONTRADICTS_FACT: (stands_on_record, is_said_by_another),
    HallucinationType.FABRICATED_FACT: (is_age, is_figure_on_record),
    HallucinationType.CONTRADICTS_PRIOR: (
        is_worked_out,
        stands_in_same_turn,
        is_difference,
        is_time_left,
        corrects_wish,
        only_bids,
        is_not_seen_whole,
    ),
    HallucinationType.LOGICAL_INCONSISTENCY: (only_bids, is_not_seen_whole),
    HallucinationType.UNSUPPORTED_CLAIM: (is_worked_out, is_total),
    HallucinationType.TEMPORAL_ERROR: (crosses_zones,),
}
"""What may speak for the answer, by the kind of flag; what asks no judge comes first."""


def look_again(flags: Sequence[HallucinationFlag], examined: Examination) -> list[HallucinationFlag]:
    """The flags that nothing speaks against."""
    return [flag for flag in flags if not any(excuse(flag, examined) for excuse in _excuses(flag))]


def _excuses(flag: HallucinationFlag) -> tuple[Excuse, ...]:
    return _EXCUSES.get(flag.hallucination_type, ())
