"""Whom a phrase is about, and what pronouns stand for.

The user is one person, however named: "I", "you", "the user", "the customer". Everybody else goes by
the name or description that the text gives them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from groundwire.text.membership import class_words
from groundwire.text.phrases import Phrase, is_time, start_list
from groundwire.text.tables import read_table
from groundwire.text.tokens import Token

USER = "user"
_USER_PRONOUNS = frozenset({"i", "me", "you", "we", "us", "myself", "yourself", "u", "mine", "yours", "ours"})
_USER_POSSESSIVES = frozenset({"my", "your", "our", "ur"})
_SHE = frozenset({"she", "her", "hers", "herself"})
_HE = frozenset({"he", "him", "his", "himself"})
_IT = frozenset({"it", "its", "itself"})
_THEY = frozenset({"they", "them", "their", "theirs", "themselves"})
_OWNER_PREPOSITIONS = frozenset({"of", "for", "in", "at", "on", "behind"})


@cache
def _people() -> dict[str, frozenset[str]]:
    return {name: frozenset(words) for name, words in read_table("people").items()}


@cache
def user_words() -> frozenset[str]:
    """The words that stand for the user, whoever speaks: "I", "you", "the customer"."""
    return _USER_PRONOUNS | _people()["users"]


def is_relation(noun: str) -> bool:
    """Whether it names somebody by what they are to another: "mother", "boss"."""
    people = _people()
    return any(noun in people[kind] for kind in ("persons", "female", "male"))


def may_be_person(noun: str) -> bool:
    """Whether somebody can be called this: "a nurse", "an immigrant"; not "a novel"."""
    return names_person(noun) or noun in _people()["users"] or noun.endswith(_OF_PEOPLE)


def names_person(noun: str) -> bool:
    """Whether it is known to name somebody, by trade or by relation."""
    return is_relation(noun) or noun in _professions()


_OF_PEOPLE = ("er", "or", "ist", "ian", "ant", "ent", "ee", "man", "woman", "mate", "ess", "fan", "wife", "kid")


@cache
def _professions() -> frozenset[str]:
    return frozenset(read_table("classes")["profession"])


def is_user_word(token: Token) -> bool:
    return token.low in user_words()


def render(tokens: list[Token]) -> str:
    """The words of `tokens` with one space where the text had any."""
    if len(tokens) == 1:
        return tokens[0].text
    for token in tokens[1:]:
        if not token.is_apart:
            return _render_closely(tokens)
    return " ".join([token.text for token in tokens])


def _render_closely(tokens: list[Token]) -> str:
    """Where marks, clitics or words that the text does not have are among the tokens."""
    rendered = ""
    end = -1
    for token in tokens:
        text = token.text
        if not text:
            continue
        if rendered and token.start != end and text[0] not in "'’ " and token.low != "n't":
            rendered += " "
        rendered += text
        end = token.end
    return rendered


def name_subject(words: list[Token]) -> str:
    """The subject that a phrase names: `user`, `user's sister`, `Alice`, `API`."""
    words = [w for w in words if w.tag not in '",.']
    while len(words) > 1 and words[0].tag in "DRn":
        words = words[1:]
    if not words:
        return USER
    first = words[0]
    if len(words) == 1:
        return USER if first.low in user_words() or first.low in _USER_POSSESSIVES else first.text
    if first.low in _USER_POSSESSIVES:
        return _owned(USER, words[1:])
    if len(words) > 2 and words[1].tag == "'" and first.low in _people()["users"]:
        return _owned(USER, words[2:])
    if len(words) > 2 and (turned := put_owner_first(words)) is not words:
        return name_subject(turned)
    return render(words)


def put_owner_first(words: list[Token]) -> list[Token]:
    """ "The assistant of my boss" is my boss's assistant, and a friend of mine my friend; other words stay as they are.

    "Of" makes an owner of a person or of what is somebody's own: "the city of Rome" is nobody's.
    """
    at = 0
    for i, word in enumerate(words):
        if word.low == "of":
            at = i
            break
    if not 0 < at < len(words) - 1 or words[at - 1].tag != "N" or any(w.tag in "S'" for w in words[:at]):
        return words
    thing, owner = words[:at], words[at + 1 :]
    while len(thing) > 1 and thing[0].tag in "DRn":
        thing = thing[1:]
    while len(owner) > 1 and owner[0].tag == "D":
        owner = owner[1:]
    owner = put_owner_first(owner)  # the brother of the neighbour of Ana is Ana's neighbour's brother
    head, first = thing[-1].lemma, owner[0]
    whose = first.tag in "SP" or first.low in user_words() or any(w.tag == "'" for w in owner)
    if head in _people()["parts"] or not (names_person(head) or (whose and first.tag != "P")):
        return words
    if first.low in user_words() and len(owner) == 1:
        return [_make_possessive("my", first.start), *thing]
    return [*owner, _make_possessive("'s", owner[-1].end), *thing]


def _make_possessive(text: str, at: int) -> Token:
    token = Token(text, at, at)
    token.tag = "'" if text == "'s" else "S"
    return token


def name_written(text: str) -> str:
    """The same for a phrase that is known only as it was written: "me" is the user, "my brother" the user's."""
    first, _, rest = text.partition(" ")
    if not rest:
        return USER if first.lower() in user_words() else text
    return f"{USER}'s {rest}" if first.lower() in _USER_POSSESSIVES else text


def call_written(text: str) -> str:
    """The same by the name alone, where there is one: "My cousin Beni" and "Beni" are one."""
    name = name_written(text)
    last = name.rpartition(" ")[2]
    return last if last[:1].isupper() else name


def _owned(owner: str, words: list[Token]) -> str:
    """ "my sister Ana" is Ana; without a name she is the user's sister."""
    if not words:
        return owner
    nouns = [i for i, w in enumerate(words) if w.tag == "N"]
    if nouns and nouns[-1] + 1 < len(words) and all(w.tag in "P" for w in words[nouns[-1] + 1 :]):
        return render(words[nouns[-1] + 1 :])
    return f"{owner}'s {render(words)}"


@dataclass(frozen=True, slots=True)
class Ownership:
    """ "my dog's name": owner `user's dog`, attribute `name`."""

    owner: str
    attribute: list[Token]


def split_owner(words: list[Token]) -> Ownership | None:
    """Read a phrase as somebody's something, if it is one."""
    if (
        len(words) > 2
        and words[0].low in ("one", "some", "each", "both", "another", "two", "three")
        and words[1].low == "of"
    ):
        words = words[2:]
    while words and words[0].tag in "DRn" and len(words) > 1:
        words = words[1:]
    clitics = [i for i, w in enumerate(words) if w.tag == "'"]
    if clitics and clitics[-1] + 1 < len(words):
        cut = clitics[-1]
        return Ownership(name_subject(words[:cut]), words[cut + 1 :])
    if words and words[0].tag == "S" and len(words) > 1:
        return Ownership(_possessor(words[0]), words[1:])
    for i, word in enumerate(words):
        if word.tag in "It" and word.low in _OWNER_PREPOSITIONS and i:
            return Ownership(name_subject(words[i + 1 :]), words[:i]) if i + 1 < len(words) else None
    return None


def _possessor(token: Token) -> str:
    return USER if token.low in _USER_POSSESSIVES else token.low


def make_definite(words: list[Token]) -> list[Token]:
    """What was spoken of before is known: "a car … it" is the car, "two dogs … they" are the two dogs."""
    first = words[0]
    counted = first.tag == "#" and len(words) > 1 and words[-1].tag == "N"
    if not counted and first.low not in ("a", "an"):
        return words
    the = Token("the", first.start, first.end if not counted else first.start - 1, is_apart=True)
    the.tag = "D"
    return [the, *(words if counted else words[1:])]


@dataclass(slots=True)
class Discourse:
    """What pronouns can stand for, as the text goes on; the latest mention wins."""

    she: list[Token] = field(default_factory=start_list)
    he: list[Token] = field(default_factory=start_list)
    it: list[Token] = field(default_factory=start_list)
    they: list[Token] = field(default_factory=start_list)
    goes_on: bool = True
    """More sentences follow, so what is named now may be meant later."""

    def moved(self, by: int) -> Discourse:
        """The same people and things, with their places counted from elsewhere."""
        she, he, it, they = ([word.moved(by) for word in words] for words in (self.she, self.he, self.it, self.they))
        return Discourse(she, he, it, they)

    def mention(
        self, phrase: Phrase, *, subject: bool = True, acting: bool = True, thing: bool = False, other_than: str = "",
        owner: Sequence[Token] = (),
    ) -> None:  # fmt: skip
        """`acting` subjects leave "it" to what they act on: "Ana bought a car. It is red."

        `other_than` is the pronoun that acts here: "he works at Bosch, and he …" goes on about him. `owner` is who has
        what is "his" or "hers" here.
        """
        words = phrase.words()
        if thing and phrase.head_token.tag == "P":
            self.it = words
            if any(w.lemma in class_words("pet") for w in words):  # "your dog Luna is a whippet, and her vet …"
                self.she = self.he = words
            return
        head = phrase.head_token
        borrowed = words[0].tag == "S" and words[0].low not in _USER_POSSESSIVES
        if borrowed and not subject and not is_time(phrase):
            self._mention_owned(words, head, owner)
        if head.tag == "p" or head.low == "what" or borrowed or is_time(phrase):
            return
        people = _people()
        clitic = next((i for i, w in enumerate(words) if w.tag == "'"), -1)
        if clitic > 0:
            self.mention(Phrase(words, 0, clitic), subject=subject)
            self.it = words
            return
        if head.lemma in people["female"] or (len(words) > 1 and any(w.lemma in people["female"] for w in words)):
            self.she = words
        elif head.lemma in people["male"] or (len(words) > 1 and any(w.lemma in people["male"] for w in words)):
            self.he = words
        elif head.tag == "P":
            self._mention_name(words, head, subject=subject, acting=acting, other_than=other_than)
        elif head.lemma in class_words("pet"):
            self.she, self.he, self.it = words, words, words
        elif head.lemma in people["persons"]:
            self.she, self.he = words, words
            if subject and words[0].tag == "S":
                self.it = words
        elif head.tag == "N" and not (words[0].tag == "#" and words[0].low not in ("1", "one")):
            self.it = words  # several are no "it", and neither is a measure
        if head.low != head.lemma and head.low.endswith("s"):
            self.they = words

    def _mention_name(self, words: list[Token], head: Token, *, subject: bool, acting: bool, other_than: str) -> None:
        """A name may be anybody's, or a thing's."""
        people = _people()
        titled = words[0].low in people["thing_titles"] and len(words) > 1
        if titled or any(w.tag == "D" for w in words) or head.low in people["things"] or not head.text[0].isupper():
            self.it = words
        elif subject:
            self.she = self.she if self._owns(words, self.she) else words
            self.he = self.he if self._owns(words, self.he) else words
            acts = acting and self.it and self.it[0].start >= words[0].start
            if not acts and not self._owns(words, self.it):
                self.it = words
        else:
            self.she = self.she or (words if other_than != "she" else [])
            self.he = self.he or (words if other_than != "he" else [])
            self.it = self.it or words

    def _mention_owned(self, words: list[Token], head: Token, owner: Sequence[Token]) -> None:
        """ "Lars has his lesson on Monday, and it …": a thing that somebody has is what "it" stands for, not they."""
        if head.tag not in "NJ" or is_relation(head.lemma):
            if owner:
                self._mention_relation(words, owner)
            return
        whose = list(owner) or self.resolve(words[0]) or []
        if words[0].low in _IT:
            return  # "it" goes on about the one that has it
        named = [*make_definite(whose), _make_possessive("'s", whose[-1].end), *words[1:]] if whose else words
        self.it = named if len(words) > 1 else words

    def _owns(self, owner: list[Token], other: list[Token]) -> bool:
        """Whether `other` is somebody of this one's: "Lars's mother"."""
        return len(other) > len(owner) and other[0] is owner[0] and other[len(owner)].tag == "'"

    def _mention_relation(self, words: list[Token], owner: Sequence[Token]) -> None:
        """ "Lars met his mother. She …": the mother, since "his" tells that Lars is none."""
        people, head = _people(), words[-1].lemma
        named = [*owner, _make_possessive("'s", owner[-1].end), *words[1:]]
        if words[0].low in _HE and head in people["female"]:
            self.she = named
        elif words[0].low in _SHE and head in people["male"]:
            self.he = named

    def resolve(self, token: Token) -> list[Token] | None:
        """The words that a third-person pronoun stands for, if the text has named them."""
        low = token.low
        if low in _SHE:
            return self.she or None
        if low in _HE:
            return self.he or None
        if low in _IT:
            return self.it or None
        if low in _THEY:
            return self.they or self.she or self.he or None
        return None
