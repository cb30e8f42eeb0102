"""Words with their offsets and parts of speech.

One letter a token, so that the clause grammar can be ordinary regular expressions over the letters:

    D determiner   S possessive   p pronoun   N noun   P proper name   # number   J adjective   R adverb
    V finite verb  B bare verb    G -ing      E participle             b be   h have   d do   M modal   n not
    I preposition  t to           C and/or    W relative               U subordinator   ' possessive 's
    , comma   . stop   : colon   ; semicolon   - dash   ( ) brackets   " quote   @ address or code
"""

from __future__ import annotations

import re
from functools import cache

from groundwire.text import lexicon
from groundwire.text.tables import read_table


class Token:
    """One word or mark; mutable only while the tagger works on it."""

    __slots__ = ("end", "lemma", "low", "start", "tag", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.low = text.lower()
        self.tag = ""
        self.lemma = self.low

    def __repr__(self) -> str:
        return f"{self.text}/{self.tag}"


_TOKEN = re.compile(
    r"""
    (?P<address>https?://[^\s<>"]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}|`[^`\n]{1,400}`)
  | (?P<aged>\d{1,9}(?:-[^\W\d_]{1,30}){1,3})
  | (?P<number>[$€£¥]?\d(?:[\d,.:/-]{0,30}\d)?(?:%|(?:st|nd|rd|th)\b|\s?[ap]\.m\.|\s?[ap]m\b|[kKmM]\b)?)
  | (?P<word>[^\W\d_](?:[\w]|[-'’.&/+](?=\w)|[+#](?=[+#\s.,;)]|$)){0,80})
  | (?P<mark>[^\w\s]|_)
    """,
    re.VERBOSE,
)
_CLITIC = re.compile(r"(?i)(n['’]t|['’](?:s|m|re|ve|d|ll))$")
_MARKS = {",": ",", ";": ";", ":": ":", "(": "(", "[": "(", ")": ")", "]": ")", '"': '"', "“": '"', "”": '"', "«": '"', "»": '"'}
_DASHES = frozenset("-–—")
_ABBREVIATED = frozenset({"mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "inc", "ltd", "co", "corp", "no", "vs", "approx", "dept", "gen", "rep", "sen"})


@cache
def _closed() -> dict[str, str]:
    classes: dict[str, list[str]] = read_table("grammar")["closed"]
    return {word: letter for letter, words in classes.items() for word in words}


@cache
def _numbers() -> frozenset[str]:
    return frozenset(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million "
        "billion dozen first second third fourth fifth sixth seventh eighth ninth tenth half".split()
    )


def _is_number_word(low: str) -> bool:
    numbers = _numbers()
    return low in numbers or ("-" in low and all(part in numbers for part in low.split("-")))


def tokenize(text: str, offset: int = 0) -> list[Token]:
    """Tokens of `text`, untagged except where the shape alone decides; offsets shifted by `offset`."""
    tokens: list[Token] = []
    absorbed = -1
    for match in _TOKEN.finditer(text):
        kind, piece, start = match.lastgroup, match.group(), match.start() + offset
        if match.start() == absorbed:
            continue
        if kind == "word":
            end = match.end()
            if text[end : end + 1] == "." and end + 1 < len(text) and (piece.lower() in _ABBREVIATED or (len(piece) == 1 and piece.isupper())):
                absorbed, piece = end, piece + "."
            _add_word(tokens, piece, start)
            continue
        token = Token(piece, start, start + len(piece))
        if kind == "number":
            token.tag = "#"
        elif kind == "aged":
            token.tag = "J"
        elif kind == "address":
            token.tag = "@"
        else:
            token.tag = _MARKS.get(piece) or ("-" if piece in _DASHES else ".")
        tokens.append(token)
    return tokens


def _add_word(tokens: list[Token], piece: str, start: int) -> None:
    clitic = _CLITIC.search(piece) if "'" in piece or "’" in piece else None
    if clitic is None or piece[: clitic.start()].lower() in ("master", "bachelor", "associate"):
        if piece.lower() == "cannot":
            tokens.append(Token(piece[:3], start, start + 3))
            tokens.append(Token(piece[3:], start + 3, start + 6))
            return
        tokens.append(Token(piece, start, start + len(piece)))
        return
    cut = clitic.start()
    if cut:
        _add_word(tokens, piece[:cut], start)
    token = Token(piece[cut:], start + cut, start + len(piece))
    tokens.append(token)


_COARSE = {
    "NN": "N", "NNS": "N", "NNP": "P", "NNPS": "P", "JJ": "J", "JJR": "J", "JJS": "J", "RB": "R", "RBR": "R", "RBS": "R",
    "VB": "B", "VBP": "B", "VBZ": "V", "VBD": "V", "VBN": "E", "VBG": "G",
}  # fmt: skip
_NOUNISH = frozenset("DSJ#'")
_NOMINATIVE = frozenset({"i", "you", "he", "she", "we", "they"})
_SUBJECTS = frozenset({"i", "you", "he", "she", "we", "they", "who", "it", "there", "u", "someone", "somebody", "everyone", "everybody", "nobody"})


def tag(tokens: list[Token]) -> str:
    """Give every token its letter and lemma; returns the letters as one string."""
    closed = _closed()
    count = len(tokens)
    left = prev = "^"
    has_verb = plural = conjoins = False
    shouting = sum(1 for t in tokens if t.text.isupper() and len(t.text) > 1) * 2 > count > 3
    for i, token in enumerate(tokens):
        letter = token.tag
        if token.text == "&" and prev in "PN":
            letter = token.tag = "P"
        if not letter:
            following = tokens[i + 1] if i + 1 < count else None
            letter = closed.get(token.low, "")
            if letter:
                letter = _settle(letter, token, tokens, i, prev, left, has_verb)
            elif _is_number_word(token.low) and not (token.text[0].isupper() and i):
                letter = "#"
            else:
                letter = _open_class(token, following, prev, left, has_verb, i, shouting, (plural, conjoins))
            token.tag = letter
        if letter == "p" and token.low in _NOMINATIVE and prev in ("N", "P", "p", "#"):
            has_verb = plural = False
        if letter in "bhdMV" or (letter == "B" and prev == "^"):
            has_verb = True
            plural = False
        elif letter in "CUW;.,:-":
            has_verb = False
            plural = letter == "C"
            conjoins = letter == "C" and prev in ("V", "B")
        elif letter == "N":
            plural = plural or (token.low != token.lemma and token.low.endswith("s"))
        elif letter in "It":
            plural = False
        prev = letter
        if letter not in "Rn":
            left = letter
    return "".join(token.tag for token in tokens)


def _settle(letter: str, token: Token, tokens: list[Token], i: int, prev: str, left: str, has_verb: bool) -> str:
    """Closed-class words that can be something else."""
    low = token.low
    following = tokens[i + 1].low if i + 1 < len(tokens) else ""
    if low in ("'s", "’s"):
        return letter
    if letter == "M":
        return _settle_modal(token, following, prev, left)
    if letter == "h" or letter == "d":
        token.lemma = "have" if letter == "h" else "do"
        return letter
    if letter == "b":
        token.lemma = "be"
        return letter
    if low == "her":
        return "S" if following and _starts_noun(following) else "p"
    if low == "like":
        return "V" if left in "p" or (left in "NP" and not has_verb) or left == "d" or prev in "tM" else ("V" if left in "^C," and not has_verb and following not in ("the", "a", "an", "this", "that") else "I")
    if low in ("his", "their", "its", "your", "my", "our") and not _starts_noun(following):
        return "p" if low == "his" else letter
    if low == "so" and following in ("is", "are", "do", "does"):
        return "R"
    if low in ("about", "around", "over", "under", "nearly", "almost", "approximately", "roughly") and i + 1 < len(tokens) and (tokens[i + 1].tag == "#" or _is_number_word(following)):
        return "R"
    if low in ("as", "since", "after", "before", "until", "till", "like") and letter == "I" and following in _SUBJECTS and i + 2 < len(tokens):
        return "U"
    if low in ("no",) and following in ("longer", "more"):
        return "n"
    if low in ("most", "much", "enough", "all", "both", "few") and following == "of":
        return "D"
    if low in ("up", "down", "off", "out", "over", "about", "around", "on", "in") and following in ("", ",", "."):
        return "R"
    if low in ("another", "one", "some", "others", "both", "each", "most", "all", "this", "many") and letter == "D" and i + 1 < len(tokens) and not tokens[i + 1].tag and _is_finite(tokens[i + 1]):
        return "p"
    if low == "neither" and prev == "p":
        return "n"
    if low in ("as", "since", "after", "before", "until", "till") and letter == "I" and _opens_clause(tokens, i):
        return "U"
    if low == "well" and prev == "S":
        return "N"
    if low == "back" and prev in "SDJ":
        return "N"
    return letter


def _opens_clause(tokens: list[Token], i: int) -> bool:
    """ "since the budget was cut": a verb follows before the next mark."""
    if i + 2 >= len(tokens) or tokens[i + 1].tag or _closed().get(tokens[i + 1].low) not in ("D", "S"):
        return False
    for token in tokens[i + 2 : i + 7]:
        if token.tag in (",", ".", ";"):
            return False
        if not token.tag and _is_finite(token) and _closed().get(token.low) != "M":
            return True
    return False


def _settle_modal(token: Token, following: str, prev: str, left: str) -> str:
    low = token.low
    if low == "may" and token.text[0].isupper() and (prev not in "pNP" or prev == "I"):
        return "P"
    if low in ("will", "may") and token.text[0].isupper() and (prev in "I,CD'" or prev == "^") and following in ("is", "works", "lives", "has", "was", "and"):
        return "P"
    if low == "need" and not (following in ("not", "n't", "n’t")):
        return "V" if left in "pNP" else ("B" if left in "tMd" else "N")
    if low in ("can", "will", "might", "must", "may") and prev in _NOUNISH:
        return "N"
    return "M"


@cache
def _starts_noun(word: str) -> bool:
    if word in _closed():
        return _closed()[word] == "D" or word in ("own", "well")
    if word in _numbers():
        return True
    return any(tag[0] in "NJ" or tag in ("VBG", "VBN") for tag, _ in lexicon.readings(word)) if word and word[0].isalnum() else False


def _starts_argument(token: Token | None) -> bool:
    """Can the next word open an object, so that the word before it must be a verb?"""
    if token is None or token.tag:
        return token is not None and token.tag in "#@\""
    letter = _closed().get(token.low)
    return letter in ("D", "S", "p") or token.low in ("that", "her", "it") or token.low in _numbers()


def _open_class(token: Token, following: Token | None, prev: str, left: str, has_verb: bool, i: int, shouting: bool, state: tuple[bool, bool]) -> str:
    low, text = token.low, token.text
    if low in ("'s", "’s"):
        return _settle_clitic(token, following, left)
    if low == "that":
        return _settle_that(following, left, has_verb)
    found = lexicon.readings(low)
    if text[0].isupper() and not shouting:
        if i and prev not in '".:-(':
            return _name(token, found)
        if not lexicon.is_known(low) or found[0][0] == "NNP":
            return _name(token, found)
        if following is not None and following.text[0].isupper() and not following.tag and found[0][0] in ("NN", "JJ") and following.low not in _closed():
            return _name(token, found)
    letter, lemma = _pick(found, low, following, prev, left, has_verb, state)
    token.lemma = lemma
    if letter == "J" and prev in "DS" and following is not None and not following.tag and _is_finite(following):
        return "N"
    if letter == "N" and i == 0 and text[0].isupper() and not low.endswith("s") and following is not None and _is_finite(following):
        return "P"
    return letter


def _is_finite(token: Token) -> bool:
    letter = _closed().get(token.low)
    if letter:
        return letter in "bhdM"
    found = lexicon.readings(token.low)
    return found[0][0] in ("VBZ", "VBD") or (found[0][0] == "VBN" and any(t == "VBD" for t, _ in found))


def _name(token: Token, found: tuple[lexicon.Reading, ...]) -> str:
    token.lemma = token.low
    return "P"


def _settle_clitic(token: Token, following: Token | None, left: str) -> str:
    """'s is a possessive after a noun before a noun phrase, otherwise "is" or "has"."""
    token.lemma = "'s"
    if left in "pW":
        token.lemma = "be"
        if following is not None and any(t == "VBN" for t, _ in lexicon.readings(following.low)[:1]) and following.low in ("been", "got", "had", "become", "gone", "moved", "started"):
            token.lemma = "have"
            return "h"
        return "b"
    if following is None or following.tag in (",", "."):
        return "'"
    letter = _closed().get(following.low)
    if letter in ("D", "S", "p", "n", "I", "t", "R", "b"):
        token.lemma = "be"
        return "b"
    first = lexicon.readings(following.low)[0][0]
    if first in ("VBG",) and not following.text[0].isupper():
        token.lemma = "be"
        return "b"
    return "'"


def _settle_that(following: Token | None, left: str, has_verb: bool) -> str:
    if following is None:
        return "p"
    letter = _closed().get(following.low)
    if letter in ("b", "h", "d", "M") or following.low in ("'s", "’s"):
        return "W" if left in "NP" and has_verb else ("p" if left in "^,CU" else "W")
    if letter in ("p", "S", "D"):
        return "D" if left in "^,C" or left == "I" else "U"
    if left in "NP" and any(t[0] == "V" for t, _ in lexicon.readings(following.low)[:1]):
        return "W"
    if left in "V" or (left == "p" and has_verb):
        return "U"
    return "D"


_FIRST = {"NN": "N", "NNS": "N", "NNP": "P", "JJ": "J", "JJR": "J", "JJS": "J", "RB": "R", "RBR": "R", "RBS": "R"}


def _pick(found: tuple[lexicon.Reading, ...], low: str, following: Token | None, prev: str, left: str, has_verb: bool, state: tuple[bool, bool]) -> tuple[str, str]:
    """Choose a reading by what stands to the left and to the right."""
    if len(found) == 1 and found[0][0] in _FIRST:
        return _FIRST[found[0][0]], found[0][1]
    lemma_of: dict[str, str] = {}
    penn: dict[str, str] = {}
    for tag_, lemma in found:
        coarse = _COARSE.get(tag_, "N")
        if coarse not in lemma_of:
            lemma_of[coarse] = lemma
        penn[tag_] = lemma
    wanted = _wanted(lemma_of, penn, found[0][0], following, prev, left, has_verb, state)
    for letter in wanted:
        if letter in lemma_of:
            if letter == "B" and left not in "tMd^":
                return "V", lemma_of["B"]
            return letter, lemma_of[letter]
        if letter == "V" and "B" in lemma_of and left not in "tMdh":
            return ("B" if left == "^" else "V"), lemma_of["B"]
        if letter == "E" and "V" in lemma_of and "VBD" in penn:
            return "E", lemma_of["V"]
        if letter == "V" and "E" in lemma_of:
            return "V", lemma_of["E"]
    first = _COARSE.get(found[0][0], "N")
    return first, found[0][1]


def _wanted(coarse: dict[str, str], penn: dict[str, str], first: str, following: Token | None, prev: str, left: str, has_verb: bool, state: tuple[bool, bool]) -> str:
    """The order of letters to try, for this context."""
    plural, conjoins = state
    if prev in _NOUNISH:
        return "JNPEGR" if first[0] == "J" else "NPJEGR"
    if left in "Md":
        return "BEVGNJ"
    if left == "t":
        return "BNJG" if first[0] == "V" or _starts_argument(following) or list(penn)[:2].count("VB") else "NJBG"
    if left == "h":
        return "EVNJG"
    if left == "b":
        if "G" in coarse:
            return "GJNE"
        return "JENR" if first[0] == "J" else ("EJNR" if first in ("VBN", "VBD") else "NJER")
    if left == "p":
        return "VEBGJN" if not has_verb else ("BNJVEG" if first in ("VB", "VBP") else "NJGEVB")
    if left == "W":
        return "VBNEJG"
    if left in "NP":
        if not has_verb:
            verbal = "V" in coarse or "E" in coarse or ("B" in coarse and (first in ("VB", "VBP") or (plural and _follows_verb(following))))
            return "VEBGNJ" if verbal else "NPJGB"
        if "G" in coarse and following is not None and _closed().get(following.low) in ("I", "t"):
            return "GNPJ"
        return "EGNPJV" if first in ("VBN", "VBD") else "NPJGEV"
    if left == "^" and following is not None and following.tag == "#" and "N" in coarse:
        return "N"
    if left in "^C,U" or left == ";":
        if _starts_argument(following) and ("B" in coarse or "V" in coarse):
            return "VBGEN"
        if ("V" in coarse or first in ("VB", "VBP")) and following is not None and _is_noun_next(following):
            return "VBGEN"
        if left == "C" and following is not None and following.low == "to" and "V" in coarse:
            return "VBGEN"
        if left == "C" and following is not None and "B" in coarse:
            near = _closed().get(following.low)
            if following.low == "to" or (conjoins and _is_noun_next(following)) or (near in ("I", "R") and list(coarse)[0] != "N") or (near == "I" and list(coarse).index("B") < 2):
                return "VBGEN"
    return ""


def _follows_verb(token: Token | None) -> bool:
    return token is not None and (_closed().get(token.low, "") in ("I", "t", "D", "S", "p", "R") or _starts_argument(token))


def _is_noun_next(token: Token) -> bool:
    if token.tag or token.low in _closed():
        return False
    return lexicon.readings(token.low)[0][0] in ("NN", "NNS", "NNP", "VBG")
