"""Whether the source carries a candidate: quoted, in its key phrases, or in a sentence that means the same.

Words that are there are not enough. Whoever said it, whether it was denied, whether it still holds, and how strongly
it was put must agree as well, and the judge must not read the opposite: "works at Meta" is not in "no longer works at
Meta", nor in "my brother works at Meta".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from groundwire.judge.judge import Judge
from groundwire.memory.agreement import (
    count_shared,
    denies,
    divide,
    find_disagreement,
    find_lacking,
    find_matched,
    find_scattered,
    may_add,
    restrict,
    says_so,
    shows,
    similar_predicate,
    turns_round,
)
from groundwire.memory.asking import Asked, read_candidate
from groundwire.memory.candidates import Candidate, Delivery, Grounding, Method, Similarity
from groundwire.memory.conversation import Conversation
from groundwire.memory.listening import listen
from groundwire.memory.mentions import (
    cap_strength,
    count_observations,
    find_mentions,
    is_shown,
    observes,
    shows_style,
)
from groundwire.memory.phrasing import Word, in_order, missing_from, words_about
from groundwire.memory.testimony import Force, Heard, is_real
from groundwire.text.subjects import USER
from groundwire.types import MemoryKind, Passage, Verdict, VerifierInput

SEMANTIC_THRESHOLD = 0.85
WINDOW = 3
_MOST_ENTAILED = 3
_COMPARISON = re.compile(r"\b(?:over|than|rather|instead of|versus|vs)\b", re.IGNORECASE)
"""In "tea over coffee" the order is what is said."""


@dataclass(frozen=True, slots=True)
class _Match:
    """A sentence that carries the candidate, and how."""

    heard: Heard
    words: tuple[Word, ...]
    method: Method
    verdict: Verdict


class Grounder:
    """Grounds candidates in one conversation; the judge and the embedder are whatever the deployment has."""

    def __init__(self, conversation: Conversation, judge: Judge, similarity: Similarity | None = None) -> None:
        self.heard = listen(conversation)
        self._judge = judge
        self._similarity = similarity

    def ground(self, candidate: Candidate) -> tuple[MemoryKind, Grounding]:
        """The kind that the rules find, and the grounding for it."""
        asked = read_candidate(candidate.text)
        if not asked.words:
            return candidate.kind, Grounding(None, reason="no word of it carries meaning")
        if asked.is_narrative:
            return MemoryKind.SHARED_NARRATIVE, self._ground_narrative(asked)
        fact = self._ground_fact(asked)
        if fact.is_grounded:
            inferred = candidate.kind is MemoryKind.USER_PATTERN and fact.delivery is Delivery.NARRATED
            if not inferred or not asked.is_pattern:
                return MemoryKind.USER_FACT, fact
        if asked.is_pattern or candidate.kind is MemoryKind.USER_PATTERN:
            if fact.reason and fact.violation:
                return candidate.kind, fact
            pattern = self._ground_pattern(asked)
            if pattern.is_grounded or candidate.kind is MemoryKind.USER_PATTERN:
                return MemoryKind.USER_PATTERN, pattern
        if candidate.kind is MemoryKind.SHARED_NARRATIVE:
            return MemoryKind.SHARED_NARRATIVE, self._ground_narrative(asked)
        return candidate.kind, fact

    # ── facts ───────────────────────────────────────────────────────────────────────────────────

    def _ground_fact(self, asked: Asked) -> Grounding:
        objection = Grounding(None, touched=self._touches(asked), reason=self._name_missing(asked))
        quoted: list[_Match] = []
        for heard in self.heard:
            found = in_order(asked.words, heard.words)
            if not found or heard.is_behaviour:
                continue
            problem, verdict = self._object(asked, heard)
            if problem:
                objection = replace(objection, touched=True, reason=problem[0], violation=problem[1])
            else:
                quoted.append(_Match(heard, found, Method.EXACT_QUOTE, verdict))
        matches = quoted or self._match_phrases(asked)
        if matches:
            return self._conclude(asked, matches)
        similar = self._match_meaning(asked)
        if isinstance(similar, _Match):
            return self._conclude(asked, [similar])
        entailed = None if objection.violation else self._match_entailed(asked)
        return self._conclude(asked, [entailed]) if entailed else replace(objection, similarity=similar)

    def _object(self, asked: Asked, heard: Heard) -> tuple[tuple[str, str] | None, Verdict]:
        """Why a sentence with the right words does not say it, and what the judge reads in it."""
        if heard.force is not Force.ASSERTED:
            return (f"said only as {heard.force.value}: {heard.quote.strip()!r}", heard.force.value), _OPEN
        if not heard.own:
            return (f"not said of the user: {heard.quote.strip()!r}", ""), _OPEN
        closest = max(heard.own, key=lambda read: count_shared(asked, read))
        if not is_real(closest):
            return (f"a wish or a possibility: {heard.quote.strip()!r}", "hypothetical"), _OPEN
        if problem := find_disagreement(asked, closest, heard) or find_scattered(asked, heard):
            return (f"{problem}: {heard.quote.strip()!r}", ""), _OPEN
        verdict = self._ask(asked, [heard])
        if verdict is Verdict.REFUTED:
            return (f"the source says otherwise: {heard.quote.strip()!r}", ""), verdict
        if verdict is Verdict.INSUFFICIENT and not says_so(asked, closest):
            return (f"something else is said with these words: {heard.quote.strip()!r}", ""), verdict
        return None, verdict

    def _match_phrases(self, asked: Asked) -> list[_Match]:
        """The statement itself in one sentence; what only adds to it may stand in another about the same thing."""
        if asked.is_about_another or _COMPARISON.search(asked.text):
            return []
        core, extra = divide(asked)
        found: list[_Match] = []
        for heard in self.heard:
            if heard.is_behaviour or find_lacking(core, heard) or turns_round(asked, heard):
                continue
            problem, verdict = self._object(restrict(asked, core), heard)
            if problem is None:
                rest = self._find_extra(asked, missing_from(extra, heard.words))
                if rest is not None:
                    found.append(_Match(heard, find_matched(asked.words, heard), Method.KEY_PHRASES, verdict))
                    found.extend(_Match(h, find_matched(extra, h), Method.KEY_PHRASES, verdict) for h in rest)
        return found

    def _find_extra(self, asked: Asked, missing: list[Word]) -> list[Heard] | None:
        """Other sentences of the user that carry what is missing, without denying it or telling it of another."""
        sign = asked.attitude[0] if asked.attitude else ""
        found: list[Heard] = []
        for word in missing:
            carrier = next((h for h in self.heard if may_add(h, word, sign)), None)
            if carrier is None or word.is_number:
                return None
            found.append(carrier)
        return found

    def _match_meaning(self, asked: Asked) -> _Match | float | None:
        """The likest sentence or window of three, if it says nothing different in numbers, names, denial or verb."""
        asserted = [h for h in self.heard if h.is_asserted and h.own and not h.is_behaviour]
        if self._similarity is None or not asserted:
            return None
        windows = [[h] for h in asserted]
        windows += [asserted[i : i + WINDOW] for i in range(len(asserted) - 1) if len(asserted) > 1]
        scores = self._similarity(asked.text, [" ".join(h.quote.strip() for h in w) for w in windows])
        best = max(scores)
        for score, window in sorted(zip(scores, windows, strict=True), key=lambda pair: -pair[0]):
            if score <= SEMANTIC_THRESHOLD:
                break
            verdict = self._agrees(asked, window)
            if verdict is not None:
                return _Match(window[0], (), Method.SEMANTIC, verdict)
        return round(float(best), 4)

    def _match_entailed(self, asked: Asked) -> _Match | None:
        """A sentence from which the judge is sure that it follows: "I'm a nurse" for "works as a nurse"."""
        if asked.is_about_another and not any(USER in c.proposition.subject for c in asked.claims):
            return None
        asserted = [h for h in self.heard if h.is_asserted and h.own and not h.is_behaviour]
        told = [h for h in asserted if all(is_real(read) for read in h.own)]
        told.sort(key=lambda h: -max(count_shared(asked, read) for read in h.own))
        for heard in told[:_MOST_ENTAILED]:
            lacking = missing_from(asked.words, heard.words)
            if not lacking or any(word.is_number or word.is_name for word in lacking) or turns_round(asked, heard):
                continue  # where every word is there, what was found against it holds
            closest = max(heard.own, key=lambda read: count_shared(asked, read))
            if find_disagreement(asked, closest, heard):
                continue
            text = " ".join(heard.text.split())
            output = self._judge.judge(VerifierInput(asked.text, (Passage("source", text),)))
            if output.verdict is Verdict.SUPPORTED and output.confidence > SEMANTIC_THRESHOLD:
                return _Match(heard, (), Method.SEMANTIC, output.verdict)
        return None

    def _agrees(self, asked: Asked, window: Sequence[Heard]) -> Verdict | None:
        words = [word for heard in window for word in heard.words]
        if any(word.is_number or word.is_name for word in missing_from(asked.words, words)):
            return None
        reads = [read for heard in window for read in heard.own if is_real(read)]
        meant = [read for read in reads if similar_predicate(asked, read)]
        if not meant or all(find_disagreement(asked, read, window[0]) for read in meant):
            return None
        verdict = self._ask(asked, window)
        return None if verdict is Verdict.REFUTED else verdict

    def _ask(self, asked: Asked, heard: Sequence[Heard]) -> Verdict:
        text = " ".join(" ".join(h.text.split()) for h in heard)
        return self._judge.judge(VerifierInput(asked.text, (Passage("source", text),))).verdict

    def _conclude(self, asked: Asked, matches: Sequence[_Match]) -> Grounding:
        method = matches[0].method
        mentions = find_mentions(asked, self.heard, [m.heard for m in matches if m.method is Method.EXACT_QUOTE])
        places = tuple(dict.fromkeys(m.heard.place for m in matches))
        return Grounding(
            method=method,
            places=places,
            quotes=tuple(dict.fromkeys(m.heard.quote.strip() for m in matches)),
            exact_match=method is Method.EXACT_QUOTE,
            key_phrases=method is not Method.SEMANTIC,
            entailment=matches[0].verdict.value,
            mentions=max(1, len(mentions)),
            is_explicit=any(m.heard.own for m in matches),
            delivery=_best_delivery(matches),
            strength_cap=cap_strength([m.heard for m in matches], mentions) if asked.attitude else None,
            touched=True,
            reason=_REASONS[method],
        )

    # ── patterns and narratives ─────────────────────────────────────────────────────────────────

    def _ground_pattern(self, asked: Asked) -> Grounding:
        seen = [h for h in self.heard if observes(asked, h)]
        showing = [h for h in self.heard if h in seen or h.is_behaviour]
        done = asked.acts if any(h.is_behaviour for h in seen) else ()
        known = any(shows_style(asked, h) for h in seen)
        wanted = () if known else [w for w in asked.behaviour if w not in done]
        missing = [w for w in wanted if not any(shows(w, h) for h in showing)]
        if not seen or missing:
            reason = f"never seen in the source: {', '.join(w.text for w in missing or asked.particulars)}"
            return Grounding(None, touched=self._touches(asked), reason=reason)
        exact = any(in_order(asked.behaviour, h.words) for h in seen)
        method = Method.EXACT_QUOTE if exact else Method.KEY_PHRASES
        return Grounding(
            method=method,
            places=tuple(h.place for h in seen),
            quotes=tuple(h.quote.strip() for h in seen),
            exact_match=exact,
            key_phrases=True,
            mentions=count_observations(seen),
            delivery=seen[0].delivery,
            touched=True,
            reason=_REASONS[method],
        )

    def _ground_narrative(self, asked: Asked) -> Grounding:
        words = tuple(w for w in asked.words if not w.forms & {"assistant", "remember"}) or asked.words
        found = [h for h in self.heard if h.force in (Force.ASSERTED, Force.QUESTION) and in_order(words, h.words)]
        found = [h for h in found if not denies(asked, h)]
        method = Method.EXACT_QUOTE
        if not found:
            told = [h for h in self.heard if h.is_asserted and not denies(asked, h)]
            found = [h for h in told if not missing_from(words, h.words)]
            method = Method.KEY_PHRASES
        if not found:
            return Grounding(None, touched=self._touches(asked), reason=self._name_missing(asked))
        return Grounding(
            method=method,
            places=tuple(h.place for h in found),
            quotes=tuple(h.quote.strip() for h in found),
            exact_match=method is Method.EXACT_QUOTE,
            key_phrases=True,
            mentions=len(found),
            delivery=found[0].delivery,
            touched=True,
            reason=_REASONS[method],
        )

    def _touches(self, asked: Asked) -> bool:
        attitudes = words_about("attitudes", "patterns", "attitudes")
        topics = [w for w in asked.words if not w.forms & attitudes and w.forms.isdisjoint({"love", "hate"})]
        said = [word for heard in self.heard for word in heard.words]
        return any(is_shown(w, said) for w in topics)

    def _name_missing(self, asked: Asked) -> str:
        said = [word for heard in self.heard for word in heard.words]
        missing = [word.text for word in missing_from(asked.words, said)]
        return f"not in the source: {', '.join(missing)}" if missing else "the words are there, the statement is not"


_OPEN = Verdict.INSUFFICIENT
_REASONS = {
    Method.EXACT_QUOTE: "said in these words",
    Method.KEY_PHRASES: "every key phrase is in the source",
    Method.SEMANTIC: "a passage of the source means the same",
}


def _best_delivery(matches: Sequence[_Match]) -> Delivery:
    order = (Delivery.DIRECT, Delivery.REPORTED, Delivery.NARRATED)
    return min((m.heard.delivery for m in matches), key=order.index)
