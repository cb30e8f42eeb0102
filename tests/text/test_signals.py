"""Linguistic signals: how a text speaks, whatever it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.text.signals import find_signals
from groundwire.types import SignalType


def kinds(text: str) -> set[SignalType]:
    return {signal.type for signal in find_signals(text)}


@pytest.mark.requirement("TXT-037")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I think it is Tuesday.", SignalType.HEDGING),
        ("The server might be down.", SignalType.HEDGING),
        ("I'm not sure about it.", SignalType.HEDGING),
        ("It is absolutely, without a doubt, the fastest.", SignalType.OVERCONFIDENCE),
        ("This is guaranteed to work.", SignalType.OVERCONFIDENCE),
        ("Everyone knows that.", SignalType.OVERCONFIDENCE),
        ("I'm 100% sure about it.", SignalType.OVERCONFIDENCE),
        ("Some experts say a number of things changed.", SignalType.VAGUENESS),
        ("It broke somehow.", SignalType.VAGUENESS),
        ("Sorry, I meant Tuesday.", SignalType.SELF_CORRECTION),
        ("It was 1847. Wait, no, 1850.", SignalType.SELF_CORRECTION),
        ("Correction: it opens on Monday.", SignalType.SELF_CORRECTION),
        ("It is in Rome, or rather in Ostia.", SignalType.SELF_CORRECTION),
        ("Let me rephrase that.", SignalType.SELF_CORRECTION),
        ("It is definitely the cache.", SignalType.CERTAINTY_MARKER),
        ("Certainly, the office is in Rome.", SignalType.CERTAINTY_MARKER),
        ("I am certain that it is five.", SignalType.CERTAINTY_MARKER),
    ],
)
def test_signals_are_read(text: str, kind: SignalType) -> None:
    assert kind in kinds(text)


@pytest.mark.requirement("TXT-037", "TXT-038")
@pytest.mark.parametrize(
    "text",
    [
        "The office is in Berlin.",
        "",
        " \n",
        "Wait for me at the station.",
        'He said "definitely maybe".',
        "Use `always()` here.",
        "\x00",
        "Офис в Берлине.",
    ],
)
def test_plain_statements_give_no_signal(text: str) -> None:
    assert find_signals(text) == ()


@pytest.mark.requirement("TXT-037")
def test_a_negated_certainty_is_no_certainty() -> None:
    assert kinds("I am not certain.") == {SignalType.HEDGING}
    assert SignalType.CERTAINTY_MARKER not in kinds("It is not definitely the cache.")


@pytest.mark.requirement("TXT-037")
def test_strength_grows_with_the_words() -> None:
    def strength(text: str) -> float:
        return max(signal.strength for signal in find_signals(text))

    assert (
        strength("It costs about 5 euros.") < strength("It may cost 5 euros.") < strength("I think it costs 5 euros.")
    )
    assert strength("I think it costs 5 euros.") < strength("I don't know what it costs.")
    assert strength("It always works.") < strength("It works without a doubt.")


@pytest.mark.requirement("TXT-037", "TXT-038")
@given(
    st.one_of(
        st.text(),
        st.lists(st.sampled_from(["I", "think", "definitely", "not", "wait", ",", "100%", "sure", '"'])).map(" ".join),
    )
)
def test_any_text_gives_strengths_in_range_and_spans_in_order(text: str) -> None:
    found = find_signals(text)
    assert all(0.0 <= signal.strength <= 1.0 for signal in found)
    assert all(0 <= signal.span.start < signal.span.end <= len(text) for signal in found)
    assert [signal.span.start for signal in found] == sorted(signal.span.start for signal in found)
    unmeasured = (SignalType.SELF_CORRECTION, SignalType.CERTAINTY_MARKER)
    assert all(signal.strength == 1.0 for signal in found if signal.type in unmeasured)
    assert find_signals(text) == found
