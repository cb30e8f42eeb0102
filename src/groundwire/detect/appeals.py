"""Appeals to authority and statistics: where a sentence leans on somebody's work, and whether it names it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from groundwire.evidence.mentions import is_person_noun
from groundwire.text.lexicon import noun_lemma
from groundwire.text.tables import read_table
from groundwire.text.tagging import share_tags
from groundwire.text.tokens import Token

_YEAR = re.compile(r"\b(?:19|20)\d{2}\b")
_PROPER = re.compile(r"(?<![.!?:]\s)(?<!^)\b(?:[A-Z][\w&.-]*[a-z]\w*|[A-Z]{2,})\b")
_SHARE = re.compile(
    r"(?<![\w.])\d[\d.,]*\s?(?:%|percent\b|per cent\b|percentage points?\b)"
    r"|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|\d{1,3})\s+(?:out of|in)(?: every)?\s+"
    r"(?:two|three|four|five|six|seven|eight|nine|ten|twenty|hundred|a hundred|(?!(?:19|20)\d\d\b)\d{1,4})\b"
    r"|\b(?:a|one|two|three|four)[\s-](?:half|third|quarter|fifth|sixth|eighth|tenth)s?\b"
    r"|\b(?:half|most|the majority|a majority|the vast majority) of (?:all )?(?=\w)"
    r"|\b(?:twice|double|triple|\w+ times) (?:as|more|less|the|higher|lower|faster|better|likelier|greater)\b"
    r"|\b(?:\w+|\d+)-fold\b",
    re.IGNORECASE,
)
_SHARING = (
    "%", "percent", "per cent", "half", "third", "quarter", "fifth", "sixth", "eighth", "tenth", "most ", "majority",
    "twice", "double", "triple", " times ", "-fold", "out of",
)  # fmt: skip
_ONE_IN = re.compile(r"(?:one|two|three|four|five|six|seven|eight|nine|ten|\d)\s+in\b")
"""What every form of a share has one of."""
_EFFECT = re.compile(
    r"(?:%|percent|per cent|percentage points?) (?:of|more|less|fewer|higher|lower|faster|slower|better|worse|likelier|"
    r"greater|cheaper|increase|decrease|reduction|improvement|rise|drop|growth|boost|gain|decline|chance|risk|success)\b"
    r"|\bby (?:\w+ ){0,3}\d[\d.,]*\s?(?:%|percent|per cent)"
    r"|\b(?:increas|decreas|reduc|improv|boost|rais|lower|cut|sav|grow|drop|fall|fell|ris|rose|declin|double|shrink|gain|los)\w*\b"
    r"[^.;]{0,40}\d\s?(?:%|percent|per cent)",
    re.IGNORECASE,
)
_BY_PART = re.compile(
    r"\b(?:cuts?|reduces?|lowers?|raises?|boosts?|improves?|increases?|shortens?|speeds\s+up|slows\s+down|brings?\s+down)\s"
    r"[^.;,]{2,50}?\sby\s+(?:(?:about|around|up\s+to|at\s+least|nearly|almost|over)\s+)?"
    r"(?:(?:a|one|two|three)[\s-](?:half|third|quarter|fifth)s?|half)\b|\bhalves\s+(?:the|your|our)\s+(?:risk|chance|danger|number)\b",
    re.IGNORECASE,
)
""" "That cuts your power bill by a third": an effect, and how large it is."""
_AVERAGE = re.compile(
    r"\b(?:on average|the average (?!of\b)[a-z]+|the typical [a-z]+|an average of)\b[^.;]{0,60}\b\d"
    r"|\d[^.;]{0,60}\bon average\b",
    re.IGNORECASE,
)
_OWN = frozenset({"your", "our", "my", "i", "you", "we"})
_OF_GROUP = re.compile(
    r"(?:%|percent|per cent) of\b|\b(?:out of|in) (?:every )?(?:\d|ten|five|four|three)", re.IGNORECASE
)
_OWNER_BEHIND = re.compile(
    r"\s+(?:that\s+)?(?:you|we|i|our|your|(?:from|in|of|on|for) (?:our|your|my)|from the)\b", re.IGNORECASE
)
_OF_ANY = re.compile(
    r"\b(?:out of|in)(?: every)?\s+(?:two|three|four|five|six|seven|eight|nine|ten|twenty|hundred"
    r"|a hundred|\d{1,3})\s+(?!of\b|were\b|are\b|is\b)(?:[a-z-]+\s+){0,2}?[a-z-]{3,}s\b(?!\s+(?:was|is)\b)"
    r"|\b(?:half|thirds?|quarters?|fifths?|tenths?)\s+of\s+(?:all\s+(?!the\b|our\b|your\b)[a-z-]+|(?!the|our|your|my|his|her|their|its|a|an|it|them|this|that|these|those)\b[a-z-]+s\b)",
    re.IGNORECASE,
)
_MULTIPLE = re.compile(
    r"^\W*(?:statistically,?\s+)?(?:people|children|adults|those)\s+who\b[^.;]{0,80}\b(?:twice"
    r"|\w+ times) (?:as|more)\b|\b(?:twice|\w+ times) as (?:likely|often) to\b"
    r"|^\W*(?!(?:the|your|our|my|his|her|their|its|this|that|these|those)\b)(?:[a-z-]+ ){0,2}[a-z-]{3,}s [a-z]+"
    r"[^.;,]{0,50}? "
    r"(?:twice|[a-z]+ times) as (?:quickly|fast|long|likely|often|well|happy|healthy|effective|productive"
    r"|safe|clean)\b",
    re.IGNORECASE,
)
_LONGER = re.compile(
    r"^\W*(?:on average,?\s+)?(?!(?:the|your|our|my|his|her|their|its|a|an|this|that|these|those|you"
    r"|we|i|he|she|it|they)\b)(?:[a-z-]+\s+){0,3}?(?:[a-z-]{3,}s|people|children)\b[^.;,]{0,60}?"
    r"\b(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty)\s+(?:[a-z]+\s+)?(?:longer|more|less|fewer|faster|earlier|higher|lower|better|sooner)\b",
    re.IGNORECASE,
)
_HABIT = re.compile(
    r"^\W*(?:on average,?\s+|in fact,?\s+)?(?P<who>[a-z-]+)\s+(?:\w+ly\s+)?"
    r"(?:lose|spend|waste|save|earn|sleep|eat|drink|throw|check|walk|consume|pay|read|watch|work|miss|forget|use|buy|receive|send)\s+"
    r"(?:away\s+|out\s+)?(?:about\s+|around\s+|over\s+|nearly\s+|almost\s+|up\s+to\s+|at\s+least\s+|more\s+than\s+|roughly\s+|an\s+average\s+of\s+|their\s+\w+\s+)?[$€£]?\d[\d,.]*[^.;]{0,40}\b(?:an?|per|each|every)\s+(?:day|week|month|year|night|hour|lifetime)\b",
    re.IGNORECASE,
)
_MANY = frozenset(
    {"most", "many", "leading", "top", "several", "all", "some", "countless", "numerous", "renowned", "various"}
)
_STATES = frozenset({"convinced", "certain", "agreed", "known", "clear", "expected", "unanimous"})
_MASSES = frozenset({"evidence", "science", "research", "literature", "statistics", "data", "numbers"})
_REVIEWED = frozenset({"peer-reviewed", "published", "scientific", "academic", "scholarly", "recent"})
_INSTITUTION = re.compile(
    r"\b(?:according to|by|from|of|published (?:by|in)|per)\s+(?:the\s+)?"
    r"(?:[A-Z]{2,}|[A-Z]\w+(?:\s+(?:of|for|and|[A-Z]\w+)){1,6})"
)
_BODY = re.compile(
    r"\b(?:[A-Z][\w&-]+\s+){1,4}(?:Center|Centre|Institute|Institutet|University|Office|Bureau|Agency|Organi[sz]ation|Association|Foundation|Commission|Council|Academy|Ministry"
    r"|Department|Society|Union)\b|\b[A-Z]{2,}['’]s\s+(?:[A-Z]|(?:latest|annual|recent|own)\s)"
)
_BEYOND_ALL = re.compile(r"\b(?:1[1-9]\d|10[1-9]|[2-9]\d\d|\d{4,})\s?(?:%|percent|per cent) of\b", re.IGNORECASE)
_EXACT = re.compile(r"\d\s?(?:%|percent\b|per cent\b|percentage points?\b)", re.IGNORECASE)


@cache
def _table() -> dict[str, Any]:
    return read_table("authority", "detect")


@cache
def _pattern(section: str, key: str = "patterns") -> re.Pattern[str]:
    body = "|".join(p.replace(" ", r"\s+") for p in _table()[section][key])
    return re.compile(rf"(?:(?<!\w)|(?=[\[(]))(?:{body})", re.IGNORECASE)


@cache
def _low_pattern(section: str) -> re.Pattern[str]:
    """The same for a text in small letters, in which it is found in half the time."""
    return re.compile(_pattern(section).pattern)


@cache
def _words(section: str, key: str) -> frozenset[str]:
    return frozenset(_table()[section][key])


def find_appeal(sentence: str) -> bool:
    """Whether a sentence leans on studies, experts or common knowledge."""
    low = sentence.casefold()
    leans = _low_pattern("phrases").search(low) or _leans_on_source(sentence) or _leans_on_crowd(sentence)
    return bool(leans) and _low_pattern("denials").search(low) is None


def _leans_on_crowd(sentence: str) -> bool:
    """Anybody of a trade with what they hold, and anything at all that is said to show that something is so.

    "Zoologists agree that", "Any vet will confirm", "Gardeners the world over swear by", "Blind tastings have shown".
    """
    tokens, letters = share_tags(sentence)
    holds, proves = _words("crowds", "holds"), _words("crowds", "proves")
    if not [token for token in tokens if token.low in holds or token.low in proves]:
        return False
    for i, token in enumerate(tokens):
        if letters[i] not in "NP" or not _opens_clause(tokens, letters, i):
            continue
        before = tokens[i - 1].low if i else ""
        is_plural = token.low != noun_lemma(token.low)
        is_any = before in ("every", "any", "no", "each") or any(
            t.low in ("every", "any") for t in tokens[max(0, i - 2) : i]
        )
        if not is_plural and not is_any:
            continue
        ahead = [t.low for t in tokens[i + 1 : i + 8]]
        verb = next((k for k, word in enumerate(ahead) if word in holds or word in proves), None)
        if verb is None or not all(_is_between(word) for word in ahead[:verb]):
            continue
        rest = ahead[verb + 1 : verb + 3]
        stated = "that" in rest or rest[:1] == ["by"] or (rest[:1] in (["you"], ["us"]) and verb > 0) or is_any
        is_person = is_person_noun(noun_lemma(token.low)) or noun_lemma(token.low).endswith(_TRADES)
        if (ahead[verb] in holds and is_person and stated) or (ahead[verb] in proves and is_plural and "that" in rest):
            return True
    return False


_TRADES = ("ologist", "ographer", "ician", "onomist", "ist", "smith", "keeper", "worker", "maker", "grower", "er")


def _is_between(word: str) -> bool:
    return word in _words("crowds", "fillers")


def _opens_clause(tokens: list[Token], letters: str, i: int) -> bool:
    """No owner and no article in front of the noun, back to the beginning of its clause."""
    k = i - 1
    while k >= 0 and (letters[k] in "JNE#" or tokens[k].low in ("every", "any", "no", "each", "most", "many", "all")):
        k -= 1
    return k < 0 or tokens[k].low in (",", ";", ":", "-", "–", "because", "and", "but", "since", "as", "that", "where")


def _leans_on_source(sentence: str) -> bool:
    """A source without an owner, and what it says: "Most doctors recommend", "An analysis of … revealed"."""
    tokens, _ = share_tags(sentence)
    works, people, says = _words("sources", "works"), _words("sources", "people"), _words("sources", "says")
    for i, token in enumerate(tokens):
        is_work = token.low in works and (token.low != "work" or (i > 0 and tokens[i - 1].low in _REVIEWED))
        if not is_work and token.low not in people and not _is_crowd(tokens, i):
            continue
        if is_work and token.low in ("reports", "polls", "tests", "surveys", "figures") and token.tag == "V":
            continue  # "Mia reports to Jon"
        before = [t.low for t in tokens[max(0, i - 4) : i]]
        if _is_given(before, token.low, is_work=is_work) or _follows_owner(sentence[token.end :]):
            continue
        is_placed = any(t.low in ("of", "at", "from", "in") for t in tokens[i + 1 : i + (3 if is_work else 2)])
        after = [t.low for t in tokens[i + 1 : i + 1 + (9 if is_placed else 5)]]
        if after[:1] and after[0] in _AUXILIARY and after[1:2] and not after[1][0].isalpha():
            continue  # "but many guests do, so put a bowl on the table"
        if any(t in (".", ";", "?", "!") for t in after[:1]):
            continue
        told = any(word in says and not _is_done_to(after, at) for at, word in enumerate(after))
        if told or _phrase_follows(sentence[token.end : token.end + 60]):
            return True
    return False


_AUXILIARY = frozenset("do did does don't can will are were have is has".split())  # noqa: SIM905


def _is_crowd(tokens: list[Token], i: int) -> bool:
    """ "Most financial advisers", "top coaches": many who do one job, none of them by name."""
    token = tokens[i]
    if token.low == token.lemma or not is_person_noun(noun_lemma(token.low)):
        return False
    return any(before.low in _MANY for before in tokens[max(0, i - 3) : i])


def _is_done_to(words: list[str], at: int) -> bool:
    """ "Experts can be found": nothing that they say."""
    return at > 0 and words[at - 1] in ("be", "been", "being", "were", "was", "are") and words[at] not in _STATES


def _is_given(before: list[str], work: str, *, is_work: bool) -> bool:
    """ "your survey", "the report": somebody's, or one already spoken of. "The experts agree" is anybody."""
    owners = _words("given", "owners")
    for word in reversed(before):
        if word in (".", ",", ";", ":", "that", "and", "by", "to", "of") or word.endswith("ing"):
            return False
        if word in owners:
            return word not in ("the", "these", "that") if not is_work or work in _MASSES else True
    return False


def _follows_owner(after: str) -> bool:
    """ "the data you sent", "reports from our team"."""
    return _OWNER_BEHIND.match(after) is not None


@cache
def _stances() -> re.Pattern[str]:
    phrases = [p for p in _words("sources", "says") if " " in p]
    return re.compile(rf"\s+(?:\w+\s+){{0,2}}(?:{'|'.join(map(re.escape, sorted(phrases)))})\b", re.IGNORECASE)


def _phrase_follows(after: str) -> bool:
    return _stances().match(after) is not None


@cache
def _named() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _words('citations', 'named')))})\b", re.IGNORECASE)


def names_source(sentence: str) -> bool:
    """Whether a reader could look it up: an address, a paper with its year, an institution with its report."""
    if _pattern("citations").search(sentence):
        return True
    proper = _PROPER.search(sentence)
    if proper is None:
        return False
    if _YEAR.search(sentence) and _named().search(sentence):
        return True
    return _INSTITUTION.search(sentence) is not None or _BODY.search(sentence) is not None


def find_statistic(sentence: str) -> re.Match[str] | None:
    """A share or a multiple that is claimed of a group or as an effect; None for instructions, offers and idioms."""
    low = sentence.casefold()
    found = _SHARE.search(sentence) if _may_share(low) else None
    if found is None and ("average" in low or "typical" in low):
        found = _AVERAGE.search(sentence)
    found = found or _LONGER.search(sentence) or _find_habit(sentence) or _BY_PART.search(sentence)
    if found is None or _pattern("shares", "idioms").search(sentence) or _is_instruction(sentence):
        return None
    words = set(re.findall(r"[\w'-]+", sentence.lower()))
    exempt = _words("shares", "suppositions" if _OF_GROUP.search(sentence) else "modals")
    if words & exempt or any(" " in phrase and phrase in sentence.lower() for phrase in exempt):
        return None
    if _BEYOND_ALL.search(sentence):
        return None  # more than all of them: not a question of sources
    if re.match(r"\W*(?:your|our|my)\b", sentence, re.IGNORECASE) and not _OF_GROUP.search(sentence):
        return None  # "Your invoice went up by 12%"
    if _AVERAGE.search(sentence):
        return None if words & _OWN else found
    if _BY_PART.search(sentence):
        return found
    if found.re in (_LONGER, _HABIT):
        return None if words & {"you", "your", "our", "we", "my", "i"} else found
    exact = _EXACT.search(sentence) is not None
    of_group = not _words("groups", "words").isdisjoint(words)
    vague = found.group().lower().startswith(("half", "most", "the majority", "a majority", "the vast"))
    if vague and not (found.group().lower().startswith("half") and _OF_ANY.search(sentence)):
        return None
    if not exact:
        return found if of_group or _OF_ANY.search(sentence) or _MULTIPLE.search(sentence) else None
    return found if of_group or _EFFECT.search(sentence) else None


def _may_share(low: str) -> bool:
    """Whether a share or a multiple can stand here at all: in most sentences none can."""
    for mark in _SHARING:
        if mark in low:
            return True
    return _ONE_IN.search(low) is not None


def _find_habit(sentence: str) -> re.Match[str] | None:
    """ "Workers lose about 28 hours a month to meetings"."""
    match = _HABIT.search(sentence)
    return match if match is not None and match["who"].lower() in _words("groups", "words") else None


def _is_instruction(sentence: str) -> bool:
    """ "Set the opacity to 50%": an order opens with its verb."""
    first = re.match(
        r"\W*(?:please\s+|then\s+|now\s+|and\s+|next,?\s+|first,?\s+|finally,?\s+)*([\w'-]+)", sentence, re.IGNORECASE
    )
    return first is not None and first.group(1).lower() in _words("shares", "instructions")


_BEST = re.compile(
    r"\bthe\s+(?:(?:single|very|absolutely)\s+)?(?P<quality>(?:most|least)\s+[a-z-]+|[a-z]+est(?:-[a-z]+)?|best|worst)(?:\s+[a-z-]+){0,4}?\s+"
    r"(?:in\s+(?:the\s+(?:whole\s+|entire\s+)?(?:world|country|universe|galaxy|city|region|industry|nation|market)|europe|asia|africa|america|(?P<place>[A-Z][a-z]+))|on\s+(?:earth|the\s+(?:market|planet|continent))"
    r"|ever\s+[a-z]+|of\s+all\s+time|anywhere|there\s+is|there\s+has\s+ever\s+been|money\s+can\s+buy|known\s+to\s+man)"
)
_BEYOND_DOUBT = re.compile(
    r"\b(?:hands\s+down|without\s+(?:a\s+)?doubt|undoubtedly|unquestionably|bar\s+none|by\s+far|easily|simply|indisputably|beyond\s+(?:any\s+)?doubt)\s*,?\s+the\s+(?:most\s+[a-z]+|[a-z]+est|best|worst)\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\b(?:one of|among|i think|i find|i'd say|i would say|in my (?:view|opinion|book)|for me"
    r"|probably|perhaps|maybe|might|may|could|arguably|my|favou?rite|you(?:'ve| have)? (?:said|told"
    r"|asked|wrote|mentioned|call(?:ed)?)|your|if|so far|i(?:'ve| have) ever)\b",
    re.IGNORECASE,
)
_MEASURED = frozenset(
    {
        "highest",
        "longest",
        "largest",
        "tallest",
        "oldest",
        "deepest",
        "smallest",
        "biggest",
        "shortest",
        "youngest",
        "northernmost",
        "lowest",
        "wettest",
        "driest",
        "coldest",
        "hottest",
    }
)


_NATURAL = re.compile(
    r"\b(?:animal|mammal|bird|fish|reptile|insect|predator|rodent|snake|tree|flower|planet|ocean|sea|desert|river|mountain|lake|island|continent|country|forest|waterfall|volcano|cave|organ|bone|muscle|cell)\b"
)
_DENIED = re.compile(r"(?:n['’]t|\bnot|\bnever) (?:always |necessarily |really )?$", re.IGNORECASE)
""" "It won't work for everyone" sweeps nothing."""


_RULING = re.compile(
    r"\b(?:forbidden|prohibited|banned|allowed|permitted|mandatory|compulsory|required|must|may not|read-only)\b"
    r"|\b(?:closed|open|locked|staffed|checked|reserved)\b[^,;]{0,40}\bwithout exceptions?\b",
    re.IGNORECASE,
)
""" "Forbidden for everyone without exception" lays down a rule: it is no claim about everyone."""


def is_sweeping(sentence: str) -> bool:
    low = sentence.casefold()
    may_sweep = _low_pattern("sweeping").search(low) is not None
    may_be_best = "the" in low and ("est" in low or "most" in low or "least" in low or "worst" in low)
    if not (may_sweep or may_be_best) or _RULING.search(sentence):
        return False
    sweep = _pattern("sweeping").search(sentence)
    if sweep is not None and _DENIED.search(sentence, 0, sweep.start()) is None:
        return True
    if _OPINION.search(sentence):
        return False
    if _BEYOND_DOUBT.search(sentence):
        return True
    best = _BEST.search(sentence)
    if best is None:
        return False
    is_named = (
        _PROPER.search(sentence[: best.start()]) is not None
        or re.match(r"\W*[A-Z]\w+\s+(?:is|was)\b(?<!It is)", sentence) is not None
    )
    is_measured = best["quality"].lower() in _MEASURED
    return not (is_measured and (is_named or _NATURAL.search(best.group())))
