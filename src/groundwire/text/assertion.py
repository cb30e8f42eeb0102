"""Which statements assert something: advice, small talk, announcements and talk about records do not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from groundwire.text.catalogue import load_catalogue
from groundwire.text.framing import words_for
from groundwire.text.function_words import word_group
from groundwire.text.hedges import Hedge
from groundwire.text.lexicon import readings
from groundwire.text.phrases import Phrase
from groundwire.text.statements import Statement
from groundwire.text.subjects import USER, may_be_person
from groundwire.text.tables import join_stems, read_table
from groundwire.text.tokens import Token
from groundwire.types import Sentence, Span, Tense

_OPENER = re.compile(
    r"(?:okay|ok|sure|well|so|great|right|yes|no|alright|hi|hello|hey|thanks|certainly|of course)[,!.:]\s+"
)


@cache
def _pleasantries() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in read_table("pleasantries")["patterns"]))


def is_pleasantry(sentence: str) -> bool:
    """Small talk and offers of help: said to be kind, not to inform."""
    return _match_pleasantry(sentence) is not None


def measure_pleasantry(sentence: str) -> int:
    """How far the small talk reaches with which a sentence opens; all of it, where nothing follows that informs.

    "Congratulations, you won!", "I'm glad that you moved to Rome": what comes behind it is said all the same.
    """
    found = _match_pleasantry(sentence) if len(sentence) <= _LONGEST_CHAT else None
    if found is None:
        return 0
    start, end = found
    said = sentence[:end].lower().replace("’", "'")
    joints = [",;"] if _UNSAID.search(said) else [",;", " that "]
    cuts = [cut for joint in joints if (cut := _find_joint(sentence, joint, start)) > 0]
    if not _UNSAID.search(said):
        cuts += [end] * bool(_CLAUSE.match(sentence, end))
        cuts += [joined.end() for joined in _NEXT_CLAUSE.finditer(sentence, start)]
    for cut in sorted(cuts):
        rest = _JOINING.sub("", sentence[cut:])
        if rest and not _OWN.match(rest) and measure_pleasantry(rest) == 0:
            return cut
    return len(sentence)


def _find_joint(sentence: str, joint: str, start: int) -> int:
    places = [sentence.find(mark, start) for mark in ([joint] if " " in joint else joint)]
    return min((place + 1 for place in places if place >= 0), default=0)


_LONGEST_CHAT = 600
"""Nobody is kind at such length, and what goes on longer is not taken for small talk."""
_UNSAID = re.compile(r"n't\b|\bnot\b|cannot|\b(?:hope|trust|wish)\b|^(?:if|whenever)\b")
"""What is hoped for, not known or only supposed is not said by naming it."""
_CLAUSE = re.compile(r"\s*(?:you|your|the|this|that|he|she|it|they|his|her|their)\b", re.IGNORECASE)
_NEXT_CLAUSE = re.compile(
    r" (?:and|but|so|because|since)(?= (?:you|your|the|this|that|he|she|they|his|her|their|there)\b| [A-Z](?!['’ ]))"
    r"(?=(?: \S+){3})"
)
""" "I checked my notes and you live in Linz": what is told beside small talk is told."""
_JOINING = re.compile(r"^[\s,;]*(?:(?:but|and|so|that|as|since|because)\s+)*", re.IGNORECASE)
_OWN = re.compile(
    r"(?:i|i'm|i'll|i'd|i've|we|we're|we'll|let|let's|please|feel|just|here|how|what|which|who|if|to|for)\b", re.I
)
"""The speaker goes on about himself, asks or offers."""


def _match_pleasantry(sentence: str) -> tuple[int, int] | None:
    if ": " in sentence:  # what stands behind the colon is no small talk
        return None
    start = sentence[:160].lower().replace("’", "'")
    opener = _OPENER.match(start)
    offset = opener.end() if opener is not None else 0
    found = _pleasantries().match(start[offset:])
    return (offset, offset + found.end()) if found is not None else None


def is_question(sentence: Sentence) -> bool:
    return sentence.text.rstrip("\"”’')] ").endswith(("?", "？", "؟", "\u037e"))


@cache
def _doubt() -> re.Pattern[str]:
    return re.compile(join_stems(read_table("pleasantries")["doubt"]))


def may_be_hedged(sentence: str) -> bool:
    """A quick look for any word that speaks of doubt; what has none needs no closer one."""
    return not sentence.isascii() or _doubt().search(sentence.lower()) is not None


def hedged_statements(statements: list[Statement], hedges: list[Hedge], sentence: Span) -> set[int]:
    """Which statements a hedge is about: the one around it, the next one, or the last one before it."""
    found: set[int] = set()
    offset, text_end = sentence.start, sentence.end
    for hedge in hedges:
        start, end = hedge.span.start + offset, hedge.span.end + offset
        own = [s for s in statements if is_hedge_itself(s, start, end)]
        others = [s for s in statements if s not in own]
        around = [s for s in others if s.span.start <= start and end <= s.span.end]
        after = [s for s in others if s.span.start >= start]
        closing = bool(own) or text_end - end < 4
        chosen = around[-1:] or after[:1] or (others[-1:] if closing else [])
        found.update(id(s) for s in chosen)
    return found


def is_hedge_itself(statement: Statement, start: int, end: int) -> bool:
    """ "I think", "I'm not sure": a clause that says nothing but the doubt."""
    overlaps = statement.span.start < end and start < statement.span.end
    return overlaps and statement.about == USER and statement.span.end - end < 4 and not carries_value(statement)


def suggests(statement: Statement) -> bool:
    """ "You could ask her", "it might help": advice and possibility, not fact."""
    verb, first = statement.verb, statement.subject[0].low if statement.subject else ""
    if (
        verb.modal == "could"
        and verb.negated
        and not verb.perfect
        and verb.lemma != "be"
        and first not in ("it", "that")
    ):
        return False  # "you couldn't reach her" tells what was so
    return verb.modal in words_for("unreal")


def permits(statement: Statement) -> bool:
    """ "Guests may smoke on the balcony" is a rule of the house; "the drug may cause nausea" is not."""
    return _allows(statement) or _obliges(statement) or _wishes(statement)


def _obliges(statement: Statement) -> bool:
    """ "Passwords must have 12 characters", "you must be over 18": a rule; "you must try this" is a kind word."""
    thing = statement.object
    guessed = statement.verb.lemma == "be" and thing is not None and thing.letters[0] in "JER"  # "must be thrilled"
    told = statement.verb.modal in ("must", "shall") and not statement.verb.perfect and not guessed
    return told and (statement.about != USER or statement.verb.negated or carries_value(statement))


def _wishes(statement: Statement) -> bool:
    """ "You would like to visit Kyoto", "you'd rather walk": what somebody wants is so, whatever comes of it."""
    if statement.verb.modal not in ("would", "'d", "’d") or statement.verb.perfect:
        return False
    wishing = statement.aspect.split(" ")[0] in ("like", "love", "prefer") or statement.verb.lemma == "prefer"
    wanted = statement.object if statement.verb.lemma == "like" else None
    if wanted is not None and wanted.first_token.tag in "D#NJP" and wanted.first_token.low not in _AT_HAND:
        return True  # "you'd like a pool" is a wish, "you'd like the tart there" a guess
    return wishing or any(token.low == "rather" for token in statement.verb_words)


_AT_HAND = frozenset({"the", "this", "that", "these", "those"})


@cache
def _states() -> frozenset[str]:
    """Verbs of which nobody gives leave: "you may not need a visa"."""
    return frozenset(read_table("grammar")["stative"]["verbs"]) - word_group("deeds")


def _allows(statement: Statement) -> bool:
    verb, head = statement.verb, statement.subject[-1] if statement.subject else None
    first = statement.subject[0].low if statement.subject else ""
    limited = first in ("nobody", "no", "none", "only") or any(t.low == "only" for t in statement.adverbs)
    if verb.modal == "may" and not verb.perfect and (verb.negated or limited) and verb.lemma not in _states():
        return True  # "may not enter", "nobody but Lea may sign"
    if verb.modal != "may" or head is None or verb.lemma in ("be", "have") or verb.perfect:
        return False
    if first in ("everyone", "everybody", "anyone", "anybody"):
        return True
    named = next((t for i, t in enumerate(statement.subject[:-1]) if statement.subject[i + 1].tag == "I"), head)
    allowed = may_be_person(named.lemma) or named.lemma in word_group("allowed")
    several = named.low != named.lemma or named.low in word_group("crowds") or first in ("each", "every", "any", "all")
    return several and named.tag in "NP" and allowed


@cache
def _advice() -> re.Pattern[str]:
    modals = "|".join(sorted(re.escape(word) for word in words_for("unreal") - {"must", "shall"} if word.isalpha()))
    return re.compile(rf"(?:you|we) (?:{modals})\b(?! (?:have|not have)\b)", re.IGNORECASE)


def is_advice(sentence: str) -> bool:
    """The same of a sentence that no rule has read: "You could rent a car" does not say that anybody does."""
    return _advice().match(sentence.lstrip()) is not None


def carries_value(statement: Statement) -> bool:
    """A number, name or address is said of the subject."""
    own = {id(t) for t in statement.subject}
    return any(t.tag in "#P@" and id(t) not in own for t in statement.words)


def is_labelled(statement: Statement) -> bool:
    """ "Next appointment: 14 May", "Gate: B12" say what something is; "Note: see page 3", "Step 2: 5 min" do not."""
    if not statement.fragment or not 0 < len(statement.subject) <= _LONGEST_LABEL or not carries_value(statement):
        return False
    own = statement.subject
    after = next((token for token in statement.words if token.start >= own[-1].end), None)
    if after is None or after.tag != ":" or any(token.tag not in "DSJNPREG'" for token in own):
        return False
    if len(own) == 1 and own[0].tag == "E":
        return True  # "Shipped: 3 May"
    is_noun = own[-1].tag == "N" or (own[-1].tag in "JR" and any(tag == "NN" for tag, _ in readings(own[-1].low)))
    return is_noun and own[-1].lemma not in words_for("headings")


_LONGEST_LABEL = 4


def announces(statement: Statement) -> bool:
    """ "You switched jobs: …", "Your address has changed: …": the rest of the sentence says how."""
    if statement.verb.lemma not in words_for("changes") | words_for("leavings") or not statement.subject:
        return False
    if statement.timing or statement.verb.negated:
        return False
    if any(t.tag in "P#@" for t in statement.words if t not in statement.subject):
        return False
    nouns, thing = load_catalogue().nouns, statement.object
    if thing is not None:
        return thing.head_token.lemma in nouns or any(t.low.startswith("favo") for t in thing.words())
    return statement.about == USER or statement.subject[0].tag == "S"


@cache
def _talk() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    table = read_table("grammar")["talk"]
    return frozenset(table["subjects"]), frozenset(table["objects"]), frozenset(table["verbs"])


def _head(words: list[Token]) -> str:
    """The noun that a subject is about: the last one before a preposition."""
    until = next((i for i, t in enumerate(words) if t.tag == "I" and i), len(words))
    return words[until - 1].lemma if words else ""


def _is_remark(head: str, said: Phrase) -> bool:
    """ "There's still time to…", "It might be worth asking…": encouragement, not information."""
    if said.first_token.low == "worth":
        return head in ("it", "that", "this") and len(said.words()) > 1
    return head == "there" and said.head_token.lemma in words_for("encouraging")


def recommends(statement: Statement) -> bool:
    """ "A tart is the safer choice", "your best bet is the train", "that makes sense": a judgement, not a fact."""
    said, verb = statement.object, statement.verb
    if said is None or verb.negated or verb.tense is not Tense.PRESENT or statement.about == USER:
        return False
    if verb.lemma == "make":
        return said.head_token.low == "sense"
    turned = _is_praise(statement.subject) and not carries_value(statement)  # "… is the 9:40 train" tells a time
    return verb.lemma == "be" and (turned or _is_praise(said.words()))


def _is_praise(words: Sequence[Token]) -> bool:
    praised = bool(words) and words[-1].lemma in words_for("recommending.nouns")
    return praised and any(word.low in words_for("recommending.adjectives") for word in words[:-1])


def _tells_as(statement: Statement) -> bool:
    """ "My records show you as a member" says so of you."""
    return any(how == "as" for how, _ in statement.modifiers)


def _speaks_of_records(statement: Statement) -> bool:
    """ "I also have room 208 on record", "I'm relying on what you told me": what the speaker has and does."""
    table = read_table("grammar")["talk"]
    if not statement.subject or statement.subject[0].low not in ("i", "we") or len(statement.subject) > 1:
        return False
    if statement.verb.lemma in table["speaking"] and statement.object is None:
        return any(how == "on" and phrase.first_token.low == "what" for how, phrase in statement.modifiers)
    kept = statement.verb.lemma in ("have", "hold", "keep", "see", "find")
    return kept and any(
        how in ("on", "in") and phrase.head_token.lemma in table["places"] for how, phrase in statement.modifiers
    )


_KNOWING = frozenset({"know", "remember", "agree", "understand"})


def _is_somebody(subject: list[Token]) -> bool:
    """ "Your sister knows", "not all of them agree": said of others than those who talk here."""
    return len(subject) > 1 and _head(subject) not in _talk()[0] and any(t.tag in "NP" for t in subject)


def is_talk(statement: Statement) -> bool:
    """ "My notes disagree", "There is a conflict": about the records, not about the world."""
    subjects, objects, verbs = _talk()
    if (
        statement.verb.lemma in ("know", "remember", "see", "agree", "understand", "say", "mention", "note", "request")
        and statement.object is None
        and not statement.modifiers
        and not (statement.verb.lemma in _KNOWING and _is_somebody(statement.subject))
    ):
        return True
    head = _head(statement.subject)
    if (head in subjects and statement.verb.lemma in verbs and not _tells_as(statement)) or (
        head == "there" and statement.verb.lemma == "be" and statement.object is None
    ):
        return True
    if _speaks_of_records(statement):
        return True
    phrase = statement.object
    if head == "there" and statement.aspect.removeprefix("be ") in words_for("encouraging"):
        return True
    if phrase is not None and statement.verb.lemma == "be" and _is_remark(head, phrase):
        return True
    if recommends(statement):
        return True
    if phrase is not None and any(t.low.startswith(("conflict", "contradict")) for t in phrase.words()):
        return True
    return (
        phrase is not None
        and (phrase.head_token.lemma in objects or (head == "there" and phrase.head_token.lemma == "time"))
        and statement.verb.lemma in ("be", "have", "see", "find", "hold")
    )
