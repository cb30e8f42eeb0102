"""What a user asked for, wished or supposed is no fact: an answer that corrects it contradicts nothing."""

from __future__ import annotations

import re

from groundwire.detect.examination import Examination
from groundwire.detect.review.places import sentence_against, sentence_at
from groundwire.types.detection import HallucinationFlag

_WISH = re.compile(
    r"\b(?:I|we)(?:['’]d| would)? (?:really |just |also )?(?:want|need|wish|like|love|prefer|am after|are after"
    r"|am looking for|are looking for)\b|\b(?:I|we)['’](?:m|re) (?:looking for|after|hoping)\b"
    r"|\bI (?:was )?hop(?:e|ing)\b"
    r"|\b(?:can|could|may|might|would|will) (?:I|we|you)\b|\bplease\b"
    r"|\b(?:book|order|send|get|find|give|show|tell) (?:me|us)\b",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:I|we) (?:think|thought|believe|guess|suppose|assume|assumed|heard|read somewhere|take it|bet)\b"
    r"|\b(?:apparently|supposedly|presumably|maybe|perhaps|probably)\b|^(?:so|then) .*[?!]$",
    re.IGNORECASE,
)
_UNMET = re.compile(
    r"\b(?:there(?:['’]s| is| are|['’]re| isn['’]t| aren['’]t| is not| are not)"
    r"(?: currently| at present)? (?:no|not|any|an?)\b"
    r"|(?:can(?:['’]t|not)|could(?:n['’]t| not)) (?:find|see|offer|book|get|give|do|open|locate|arrange|send|reserve)\b"
    r"|(?:do(?:n['’]t| not)|does(?:n['’]t| not)) (?:have|exist|offer|sell|stock|carry|make|run|know)\b"
    r"|no such\b|(?:is|are)(?:n['’]t| not) (?:available|possible|on (?:offer|the list|our list))"
    r"|sold out\b|unfortunately\b|I(?:['’]m| am) (?:sorry|afraid)\b)",
    re.IGNORECASE,
)
_CREDITS = re.compile(
    r"\b(?:as|like|since|because|what|whatever|the one) you\b|\byou(?:['’]ve| have| had|r)? "
    r"(?:wanted|asked|said|told|wished|chose|preferred|ordered|requested|mentioned|agreed)\b",
    re.IGNORECASE,
)


def corrects_wish(flag: HallucinationFlag, examined: Examination) -> bool:
    """ "I want the Duo plan" and "There is no Duo plan": a wish was not met, and nobody is contradicted.

    What an answer says of the wish itself ("a double bed, as you wanted") may well contradict it.
    """
    against = sentence_against(flag, examined)
    if flag.value_span is not None or not against or not _is_users(flag, examined):
        return False
    mine = sentence_at(examined, flag.span)
    if _CREDITS.search(mine):
        return False
    if _SUPPOSED.search(against):
        return True
    return _WISH.search(against) is not None and _UNMET.search(mine) is not None


def _is_users(flag: HallucinationFlag, examined: Examination) -> bool:
    number = flag.history.turn_id if flag.history is not None else None
    roles = (turn.role.casefold() for turn in examined.dialogue.turns if turn.turn_id == number)
    return next(roles, "assistant") not in ("assistant", "system", "bot", "ai")
