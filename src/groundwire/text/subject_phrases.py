"""What stands before a verb: its subjects, what opens the sentence, and what is said of a subject in passing."""

from __future__ import annotations

import re

from groundwire.text.complements import REPLACED, find_replaced
from groundwire.text.function_words import word_group
from groundwire.text.phrases import Phrase, is_time, match_noun_phrase
from groundwire.text.tokens import Token

_NOMINAL = re.compile("[DSNPp#JG]")
_COVERING = frozenset("all every everyone everybody everything each many much both".split())  # noqa: SIM905
_DOUBLE = frozenset({"as", "apart", "prior", "due", "because", "out", "up"})
"""What goes before another preposition to make one of the two: "as of May", "apart from Monday"."""


class SubjectPhrases:
    """Subjects, opening adverbials with their prepositions, appositions and participles with whom they are of."""

    __slots__ = ("appositions", "openings", "phrases", "reduced")

    def __init__(self) -> None:
        self.phrases: list[Phrase] = []
        self.openings: list[tuple[str, Phrase]] = []
        self.appositions: list[tuple[Phrase, Phrase]] = []
        self.reduced: list[tuple[Phrase, int, int]] = []


def read_subject(tokens: list[Token], letters: str, start: int, end: int) -> SubjectPhrases:
    """What stands between a clause's start and its verb."""
    if letters[start] == "G" and _is_activity(tokens, letters, start, end):
        found = SubjectPhrases()
        found.phrases.append(Phrase(tokens, start, end))
        return found
    return _Reader(tokens, letters, start, end).run()


def _is_activity(tokens: list[Token], letters: str, start: int, end: int) -> bool:
    """ "Running the tests takes ten minutes": what is done is the subject, not what it is done to."""
    if end <= start + 1:
        return False
    doing = letters[start + 1 : start + 2] in ("D", "S", "p", "t", "I")
    return doing and letters.find(",", start, end) < 0 and tokens[start].lemma not in word_group("connecting")


class _Reader:
    """Goes from left to right once, keeping what was found."""

    __slots__ = ("after_conjunction", "end", "found", "letters", "start", "tokens")

    def __init__(self, tokens: list[Token], letters: str, start: int, end: int) -> None:
        self.tokens, self.letters, self.start, self.end = tokens, letters, start, end
        self.found = SubjectPhrases()
        self.after_conjunction = False

    def run(self) -> SubjectPhrases:
        found, letters = self.found, self.letters
        i = self._skip_participle()
        opened = (self.start, i - 1) if i > self.start else None  # "Founded in 1901, the shop…"
        while i < self.end:
            letter = letters[i]
            if letter == "t" and letters[i + 1 : i + 2] in ("B", "b", "h") and (found.phrases or i == self.start):
                first = found.phrases[-1].start if found.phrases else i
                found.phrases = [Phrase(self.tokens, first, self.end)]  # "the idea to sell the house"
                return found
            if letter in "It":
                i = self._read_prepositional(i)
            elif letter == "R" and (replaced := find_replaced(self.tokens, letters, i, self.end)) is not None:
                if found.phrases:  # "everybody apart from Lea"
                    found.phrases[-1] = Phrase(self.tokens, found.phrases[-1].start, replaced.end)
                else:
                    found.openings.append((REPLACED, replaced))
                i = replaced.end
            elif letter == "C" and found.phrases and self.tokens[i].low == "but":
                phrase = match_noun_phrase(self.tokens, letters, i + 1, self.end)
                i = phrase.end if phrase is not None else i + 1
                found.phrases[-1] = Phrase(self.tokens, found.phrases[-1].start, i)  # "nobody but Lea", "all but two"
            elif found.phrases and i > self.start and self._opens_participle(i):
                close = letters.find("-" if letters[i - 1] == "-" else ",", i, self.end)
                close = close if close > 0 else self.end
                found.reduced.append((found.phrases[-1], i, close))
                i = close
            else:
                self.after_conjunction = self.after_conjunction or letter == "C"
                i = self._read_phrase(i) if letter in "DS#JNPGpE@" else i + 1
        if opened is not None and found.phrases:
            found.reduced.append((found.phrases[0], *opened))
        return found

    def _opens_participle(self, i: int) -> bool:
        """ "The kickoff, planned for Monday, …", "…, originally planned for Monday, …", "…, never approved, …"."""
        before = self.letters[i - 1]
        if self.letters[i] in "Rn":
            return before in ",-" and self.letters[i + 1] == "E"
        return self.letters[i] == "E" and before in ",-NP"

    def _read_phrase(self, i: int) -> int:
        tokens, letters = self.tokens, self.letters
        phrase = match_noun_phrase(tokens, letters, i, self.end)
        if phrase is None:
            return i + 1
        after = phrase.end
        denied = phrase.start > self.start and tokens[phrase.start - 1].low == "not" and not self.found.phrases
        if denied and (tokens[phrase.start].low in _COVERING or phrase.letters[0] in "D#"):
            phrase = Phrase(tokens, phrase.start - 1, phrase.end)  # "Not all rooms…", "not a single guest…"
        self._sort_phrase(phrase)
        self.after_conjunction = False
        return after

    def _read_prepositional(self, i: int) -> int:
        """ "of my team" belongs to what it stands behind; a time, or what nothing stands before, opens the sentence."""
        tokens, found = self.tokens, self.found
        phrase = self._read_activity(i + 1) or match_noun_phrase(tokens, self.letters, i + 1, self.end)
        if phrase is None:
            return i + 1
        if not found.phrases:
            phrase = self._read_both(phrase)
        if found.appositions and found.appositions[-1][1].end == i and not is_time(phrase):
            described, description = found.appositions[-1]
            found.appositions[-1] = (described, Phrase(tokens, description.start, phrase.end))
        elif found.phrases and not is_time(phrase):
            found.phrases[-1] = Phrase(tokens, found.phrases[-1].start, phrase.end)
        elif found.openings and found.openings[-1][1].end == i and not is_time(phrase):
            found.openings[-1] = (found.openings[-1][0], Phrase(tokens, found.openings[-1][1].start, phrase.end))
        else:
            double = i > 0 and tokens[i - 1].low in _DOUBLE
            found.openings.append((f"{tokens[i - 1].low} {tokens[i].low}" if double else tokens[i].low, phrase))
        return phrase.end

    def _read_activity(self, i: int) -> Phrase | None:
        """ "Without telling anyone, …", "by switching to Vodafone, …": all that is done, up to the comma."""
        comma = self.letters.find(",", i, self.end) if self.letters[i : i + 1] == "G" and not self.found.phrases else -1
        return Phrase(self.tokens, i, comma) if comma > i + 1 else None

    def _read_both(self, phrase: Phrase) -> Phrase:
        """ "Between 2010 and 2014 you…", "in Rome and Paris you…": what "and" joins before a subject of its own."""
        if self.letters[phrase.end : phrase.end + 1] != "C" or phrase.end + 1 >= self.end:
            return phrase
        other = match_noun_phrase(self.tokens, self.letters, phrase.end + 1, self.end)
        if other is None or other.letters == "p" or _NOMINAL.search(self.letters, other.end, self.end) is None:
            return phrase
        return Phrase(self.tokens, phrase.start, other.end)

    def _skip_participle(self) -> int:
        """Where the subject can begin behind a participle that opens the clause and says something of it."""
        start, end, letters = self.start, self.end, self.letters
        if letters[start] not in "EG":
            return start
        opens = letters[start : start + 1] == "E" or (
            letters[start : start + 1] == "G" and letters[start + 1 : start + 2] in ("D", "S", "I", "t", "E", "R", "N")
        )
        opens = opens and self.tokens[start].lemma not in word_group("connecting")
        close = letters.find(",", start, end) if opens else -1
        return close + 1 if close > start and close + 1 < end else start

    def _sort_phrase(self, phrase: Phrase) -> None:
        letters, end, found = self.letters, self.end, self.found
        phrases = found.phrases
        if not phrases and is_time(phrase) and _NOMINAL.search(letters, phrase.end, end) is not None:
            found.openings.append(("", phrase))
        elif not phrases or self.after_conjunction:
            phrases.append(phrase)
        elif letters[phrase.start - 1] == "," and "C" not in letters[phrase.end : end]:
            if "," in letters[phrase.end : end]:
                found.appositions.append((phrases[-1], phrase))
            else:
                found.openings.extend(("", earlier) for earlier in phrases)
                phrases[:] = [phrase]
        elif letters[phrase.start - 1] == ",":
            phrases.append(phrase)
        elif phrase.letters == "p" or phrase.letters[0] in "DS":
            found.openings.extend(("", earlier) for earlier in phrases)
            phrases[:] = [phrase]
        else:
            phrases[-1] = Phrase(self.tokens, phrases[-1].start, phrase.end)
