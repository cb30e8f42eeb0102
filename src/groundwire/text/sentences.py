"""Sentences with their spans: marks are found in one scan, and each is judged by the words beside it.

The scan keeps the quotation marks and brackets that are open. What looked like an end inside them is
forgotten when they close, so quoted speech stays whole, and stands when they never do.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from groundwire.text.abbreviations import Role, WordTable, load_words
from groundwire.text.layout import lay_out
from groundwire.types import Sentence, SentenceKind, Span

_EMOTICON = r"(?:[:;=8][-'o^]?[)(\]DPp](?!\w)|[\U0001f300-\U0001faff☀-➿][\ufe0f\u200d]*+)"
_CLOSERS = r"[\"'”“’»›)\]}*_」』）】〉》]"

# The first character is taken from one class, so that the scan skips plain letters; every repetition is
# possessive or bounded, and a run is entered at its first mark only: one pass, linear in the text.
_TOKEN = re.compile(
    rf"""[.!?…‽\"“”„«»()\[\]{{}}「」『』《》（）【】‘'’。！？｡．।॥։።፧။។؟۔⸮`:;=8\u037e\U0001f300-\U0001faff☀-➿WTYSIMO](?:
      (?P<stop>(?<=[.!?…‽])(?<![.!?…‽].)(?:(?:(?<=\.)[ \u00a0]\.){{1,9}}+|[.!?…‽]*+))
        (?P<closers>{_CLOSERS}{{0,8}}+)
        (?P<note>(?:\[[^\[\]\s]{{1,8}}\]){{1,6}}+|[¹²³⁰-⁹]{{1,6}}+|\d{{1,3}}+(?:[ ,–-]\d{{1,3}}+){{0,3}}+(?=\s+[A-Z]))?+
        (?:</\w{{1,8}}>)?+(?=\s|\Z)
    | (?P<tight>(?<=[a-z0-9)][.!?])(?=[A-Z]))
    | (?P<mark>(?<=[\"“”„«»()\[\]{{}}「」『』《》（）【】‘])|(?<=')(?<!\w.)|(?<=['’])(?!\w))
    | (?P<lost>(?:(?<=T)(?:he(?:y|re|se)?+|his)|(?<=W)(?:e|hat)|(?<=I)[tf]|(?<=Y)ou|(?<=S)he|(?<=M)y|(?<=O)ur)(?=[’' ]))
    | (?P<wide>(?<=[。！？｡।॥։።፧။។؟۔⸮．])(?<!\d．)[。！？｡।॥։።፧။។؟۔⸮．]*+)(?P<wide_closers>{_CLOSERS}{{0,8}}+)
    | (?P<code>(?<=`)[^`]{{1,300}}+`)
    | (?P<native>(?<=[Ա-և]:)(?=\s|\Z)|(?<=[\u0370-\u03ff\u1f00-\u1fff][;\u037e])(?=\s|\Z))
    | (?P<smile>(?<=\s[:;=8])[-'o^]?[)(\]DPp](?=\s|\Z)|(?<=[\U0001f300-\U0001faff☀-➿])[\ufe0f\u200d]*+(?=\s|\Z))
    )""",
    re.VERBOSE,
)
# One plain line with no mark but the last one, and no capital that may open a sentence inside it; an 8 may be eyes.
_SINGLE = re.compile(
    r"[A-Za-zÀ-ÖØ-öø-ſ](?:[A-Za-zÀ-ÖØ-öø-ſ0-79 ,$€£%&/+-]++|8(?![-'o]?[DPp])"
    r"|(?<=[A-Za-z0-9])'(?=[A-Za-z0-9])|(?<=\d):(?=\d))*+(?<! )[.!?]?"
)
_MAY_HAVE_LOST = re.compile(r"(?<=[a-zß-ſ] )(?:The(?:y|re|se)?|This|We|What|It|If|You|She|My|Our)(?=[' ])")
_NEXT = re.compile(r"\s*+([\"“„«‘'(\[{*_¿¡]*+)(?:([^\W_][\w'’]*+)|(.)?)", re.DOTALL)
_AFTER_DASHES = re.compile("[-–—]*+" + _NEXT.pattern, re.DOTALL)
_SMILES = re.compile(rf"(?:[ \t]*+{_EMOTICON})++(?=\s|\Z)")
_SPACED_AFTER_STOP = re.compile(r"(?<=\w)\.(?= \. \. \.(?! \.))")
_VERB_AHEAD = re.compile(r"\s+([^\W\d_]+)")
_ACRONYM = re.compile(r"(?:[^\W\d_]{1,2}\.)++[^\W\d_]{1,3}\Z")
_JOINED = re.compile(r"[-'’/–—](?=[^-'’/–—]*\Z)")
_VOWEL = re.compile(r"[aeiouyàáâäãåæèéêëìíîïòóôöõøùúûü]|[^\x00-\u024f]", re.IGNORECASE)
_PARTNERS = dict(zip('([{（【“«‘"「『《', ')]}）】”»’"」』》', strict=True)) | {"„": "“”", "'": "'’"}
_QUOTATION_MARGIN = (
    "> \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2000\u2001\u2002\u2003\u2009\u200a\u2028\u2029\u202f\u3000"
)
_LEADING = "\"'“‘«„([{*_<¿¡•⁃‣◦▪●"
_IN_TITLES = ("You", "It", "What", "She")
_LOOK_BACK = 40
_LONGEST_QUOTATION = 1_000
_REMEMBERED = 2_000
"""Characters of a text whose sentences are kept: an answer is split by everybody who reads it."""
_DEEPEST = 4


class _OpenMark(NamedTuple):
    """A quotation mark or bracket: what closes it, where it stands, and how many ends were found before it."""

    partner: str
    at: int
    ends_before: int


class _Next(NamedTuple):
    """What stands after a mark: the opening marks, the word, or else the sign, and where the word ends."""

    opening: str
    word: str
    sign: str
    end: int


def split_sentences(text: str) -> tuple[Sentence, ...]:
    """Sentences in order, trimmed and never overlapping; only white space and layout marks lie outside."""
    return _split_known(text) if len(text) <= _REMEMBERED else _split(text)


@lru_cache(maxsize=2048)
def _split_known(text: str) -> tuple[Sentence, ...]:
    return _split(text)


def _split(text: str) -> tuple[Sentence, ...]:
    if _SINGLE.fullmatch(text) is not None and _MAY_HAVE_LOST.search(text) is None:
        return (Sentence(text, Span(0, len(text))),)
    words = load_words()
    found: list[Sentence] = []
    for start, block_end, kind, is_quotation in lay_out(text):
        if kind is SentenceKind.CODE or kind is SentenceKind.TABLE_ROW:
            found.append(Sentence(text[start:block_end], Span(start, block_end), kind))
            continue
        for end in (*_find_ends(words, text, start, block_end), block_end):
            piece = text[start:end]
            body = piece.lstrip(_QUOTATION_MARGIN if is_quotation else None)
            if bare := body.rstrip():
                first = end - len(body)
                shown = SentenceKind.CODE if bare[0] == "`" and _is_code(bare) else kind
                found.append(Sentence(bare, Span(first, first + len(bare)), shown))
            start = end
    return tuple(found)


def _is_code(sentence: str) -> bool:
    """It opens with a backtick: is it one code span from end to end?"""
    return len(sentence) > 2 and sentence[-1] == "`" and "`" not in sentence[1:-1]


def _find_ends(words: WordTable, text: str, start: int, end: int) -> list[int]:
    """Offsets just after each sentence end in `text[start:end]`, the last one often left out."""
    ends: list[int] = []
    open_marks: list[_OpenMark] = []
    for token in _TOKEN.finditer(text, start, end):
        at, after = token.span()
        last = ends[-1] if ends else start
        match token.lastgroup:
            case "closers" | "note":
                if open_marks:
                    _close_marks(text, *token.span("closers"), open_marks, ends)
                    last = ends[-1] if ends else start
                if after == end:
                    break
                following = _look_ahead(text, after, end)
                is_end = _ends_at_stop(words, text, token, last, following)
                if is_end and following.word:
                    ends.append(at + 1 if after - at > 1 and _SPACED_AFTER_STOP.match(text, at) else after)
                    continue
            case "mark":
                _note_mark(text, at, end, open_marks, ends)
                continue
            case "lost":
                if text[at - 1] == " " and text[at - 2].islower() and _lost_stop(words, text, at, after, last):
                    ends.append(at)
                continue
            case "tight":
                is_end = _ends_tight(words, text, at, last, _look_ahead(text, after, end))
            case "wide_closers":
                _close_marks(text, *token.span("wide_closers"), open_marks, ends)
                is_end = _ends_wide(text, token.start("wide_closers"), after, end)
            case "smile":
                is_end = _ends_smile(words, text[at], _look_ahead(text, after, end))
            case "native":
                is_end = True
            case _:
                continue
        if is_end:
            smiles = _SMILES.match(text, after, end)
            ends.append(smiles.end() if smiles else after)
    return ends


def _ends_smile(words: WordTable, sign: str, following: _Next) -> bool:
    """An emoticon closes what it comments; a pictograph may stand for a word, so it needs an opener."""
    word = following.word
    if sign > "\xff":
        return word in words.openers
    return bool(word) and word not in words.unfinished


def _lost_stop(words: WordTable, text: str, at: int, after: int, last: int) -> bool:
    """A pronoun with a capital between small words opens a sentence whose predecessor lost its full stop."""
    if at - last < 4:
        return False
    word = _word_before(text, at - 1, last)[1]
    if word in words.namers or word.lower() in words.unfinished or not text[after + 1 : after + 2].islower():
        return False
    return word[:1].islower() or (text[after] == " " and text[at:after] not in _IN_TITLES)


def _look_ahead(text: str, at: int, end: int, pattern: re.Pattern[str] = _NEXT) -> _Next:
    found = pattern.match(text, at, end)
    if found is None:
        return _Next("", "", "", at)
    return _Next(found[1], found[2] or "", found[3] or "", found.end())


def _note_mark(text: str, at: int, end: int, open_marks: list[_OpenMark], ends: list[int]) -> None:
    mark = text[at]
    if mark in "\"'’“":
        before = text[at - 1] if at else " "
        after = text[at + 1] if at + 1 < end else " "
        opens = (before.isspace() or before in "([{—–-\"'“‘*_") and not after.isspace()
        if mark == "’" or (mark == "“" and open_marks and open_marks[-1][0] == "“”"):
            opens = False
        elif mark == "“":
            opens = True
        if not opens:
            _close_mark(text, mark, at, open_marks, ends)
            return
    partner = _PARTNERS.get(mark)
    if partner is None:
        _close_mark(text, mark, at, open_marks, ends)
    else:
        open_marks.append(_OpenMark(partner, at, len(ends)))


def _close_mark(text: str, mark: str, at: int, open_marks: list[_OpenMark], ends: list[int]) -> None:
    for depth in range(len(open_marks) - 1, max(-1, len(open_marks) - 1 - _DEEPEST), -1):
        partner, opened, ends_before = open_marks[depth]
        if mark not in partner:
            continue
        if partner == "'’" and text[at - 1] not in ".!?,…":
            return
        del open_marks[depth:]
        if at - opened <= _LONGEST_QUOTATION:
            del ends[ends_before:]
        return


def _close_marks(text: str, first: int, after: int, open_marks: list[_OpenMark], ends: list[int]) -> None:
    for at in range(first, after):
        _close_mark(text, text[at], at, open_marks, ends)


def _ends_wide(text: str, closers: int, after: int, end: int) -> bool:
    """A quotation that ends in a question or a shout is carried on when no space follows it."""
    if closers == after or after >= end or text[after].isspace() or text[after - 1] not in "」』”’»":
        return True
    return text[closers - 1] in "。｡" and not "\u3040" <= text[after] <= "\u309f"


def _ends_tight(words: WordTable, text: str, at: int, last: int, following: _Next) -> bool:
    """A mark with no space after it ends a sentence only before a word that opens one, never in a name."""
    role = words.role(following.word)
    if following.word not in words.openers and role is not Role.TITLE:
        return False
    token = _word_before(text, at, last)[1]
    if any(sign in token for sign in "/@:\\_.#"):
        return False
    return role is Role.TITLE or text[following.end : following.end + 1] not in "./@_("


def _ends_at_stop(words: WordTable, text: str, token: re.Match[str], last: int, following: _Next) -> bool:
    opening, word, sign, _ = following
    if not word:
        return _ends_before_sign(text, sign, following.end)
    at, after = token.span()
    if after - at == 1 and text[at] == ".":
        return _ends_at_period(words, text, at, last, following)
    closers, note, run = token["closers"], token["note"], text[at : token.start("closers")]
    if note and "0" <= note[0] <= "9" and not text[at - 1].islower() and text[at - 1] not in ')”"':
        return False
    is_lower = word[0].islower()
    if closers.strip("*_") and not opening and (is_lower or (word == "I" and _speaks(words, text, following.end))):
        return False
    if "!" in run or "?" in run:
        return _ends_loud(words, text, at, last, following, bool(closers))
    if len(run) > 1 or run == "…":
        if text[at - 1 : at] in ("[", "(") or opening[:1] in ("(", "["):
            return False
        return not is_lower and (word not in words.first_person or len(run) in (2, 4))
    return _ends_at_period(words, text, at, last, following, has_note=bool(note))


def _ends_before_sign(text: str, sign: str, at: int) -> bool:
    if not sign:
        return True
    if sign in "-–—":
        dashed = _look_ahead(text, at, len(text), _AFTER_DASHES).word
        return bool(dashed) and not dashed[0].islower()
    if sign in ".…":
        return text.startswith(("...", "…"), at - 1)
    return sign not in "!?,;:&+=%|/)]}”»"


def _ends_loud(words: WordTable, text: str, at: int, last: int, following: _Next, is_closed: bool) -> bool:
    """A name ("Yahoo! said") and a shout with its speaker ("Stop! he yelled") go on."""
    word = following.word
    speaks = not following.opening and _speaks(words, text, following.end)
    if _word_before(text, at, last)[1].lower() in words.marked_names:
        return word in words.openers
    if word[0].islower():
        return word not in words.speech and not (speaks and word in words.speakers)
    return not (is_closed and speaks and word not in words.openers)


def _speaks(words: WordTable, text: str, at: int) -> bool:
    verb = _VERB_AHEAD.match(text, at)
    return verb is not None and verb[1] in words.speech


def _word_before(text: str, at: int, last: int) -> tuple[str, str]:
    """The word that touches `at`, and the one before it; both within the sentence that began at `last`."""
    piece = text[max(last, at - _LOOK_BACK) : at]
    if not piece or piece[-1].isspace():
        return "", ""
    parts = piece.rsplit(None, 2)
    return (parts[-2].strip(_LEADING) if len(parts) > 1 else ""), parts[-1].lstrip(_LEADING)


def _ends_at_period(
    words: WordTable, text: str, at: int, last: int, following: _Next, *, has_note: bool = False
) -> bool:
    before, word = _word_before(text, at, last)
    after = following.word
    if not word:
        return not after[0].islower()
    role = words.role(word)
    if role is None and not word.isalnum() and (joined := _JOINED.search(word)) is not None:
        role = words.role(word[joined.end() :])
    is_first = not before
    if role is not None and not (role is Role.REFERENCE and not has_note and not _is_number(after)):
        is_name = before[:1].isupper() or before[:1].isdigit() or word.islower()
        return _ends_abbreviation(words, role, following, is_name=is_name)
    if len(word) == 1 and word.isalpha():
        return _ends_initial(words, word, is_first, following)
    if "." in word and _ACRONYM.match(word):
        return _opens(words, following)
    if word.isdigit():
        return _ends_number(words, word, is_first, after)
    if after[0].islower():
        if len(word) < 4 and before[-1:].isdigit():
            return False
        return _VOWEL.search(word) is not None or len(word) > 5
    return True


def _is_number(word: str) -> bool:
    return word[0].isdigit() or (len(word) < 5 and not word.strip("IVXLCivxlc"))


def _opens(words: WordTable, following: _Next) -> bool:
    return following.word in words.openers and following.opening not in ("(", "[")


def _ends_abbreviation(words: WordTable, role: Role, following: _Next, *, is_name: bool) -> bool:
    """`is_name`: the abbreviation ends a name ("Main St.") or stands as a word ("the dr."), it starts none."""
    after = following.word[0]
    match role:
        case Role.INNER | Role.REFERENCE:
            return False
        case Role.TITLE:
            return is_name and _opens(words, following)
        case Role.CLOSING:
            return _opens(words, following)
        case Role.FINAL:
            if following.word in words.after_times or following.opening in ("(", "["):
                return False
            return not after.islower() and not after.isdigit()


def _ends_initial(words: WordTable, letter: str, is_first: bool, following: _Next) -> bool:
    """A name goes on ("J. Smith"), "plan B. The rest" does not; a letter that opens the sentence numbers it."""
    if is_first:
        return False
    if letter.islower():
        return not following.word[0].islower() and len(following.word) > 1
    return _opens(words, following)


def _ends_number(words: WordTable, number: str, is_first: bool, after: str) -> bool:
    """A short number that opens the sentence numbers it; before small letters or a month it is an ordinal."""
    if len(number) > 3:
        return True
    return not (is_first or after[0].islower() or (len(number) < 3 and after.lower() in words.day_months))
