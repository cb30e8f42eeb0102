from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundwire.evaluation.excerpt import shorten

FILLER = "Nothing of note was said on that day. " * 30


def test_a_short_text_stays_as_it_is() -> None:
    assert shorten("Ada lives in Berlin.", "Ada lives in Rome.", 80) == "Ada lives in Berlin."


def test_the_stretch_that_the_claim_is_about_is_kept() -> None:
    text = f"{FILLER}Ada lived in Berlin until 2019. {FILLER}"
    found = shorten(text, "Ada lived in Berlin in 2021.", 100)
    assert "Ada lived in Berlin until 2019." in found
    assert found.startswith("…") and found.endswith("…")


def test_a_text_that_shares_nothing_is_shown_from_its_beginning() -> None:
    found = shorten(FILLER, "Zebras gallop.", 60)
    assert found.startswith("Nothing of note") and found.endswith("…")


def test_several_shared_words_close_together_win_over_one_repeated() -> None:
    text = f"{'berlin ' * 20}{FILLER}The marathon of Berlin was won by Ada. {FILLER}"
    assert "marathon of Berlin" in shorten(text, "Ada won the Berlin marathon.", 80)


@given(st.text(alphabet="ab c.\né", max_size=300), st.text(alphabet="ab c", max_size=20), st.integers(12, 60))
def test_an_excerpt_fits_and_is_cut_from_the_text(text: str, claim: str, width: int) -> None:
    found = shorten(text, claim, width)
    assert len(found) <= max(width, 0)
    assert found.removeprefix("…").removesuffix("…") in text


def test_one_endless_word_is_cut_all_the_same() -> None:
    assert len(shorten("a" * 500, "a" * 500, 40)) <= 40
    assert len(shorten("x" * 500 + " " + "y" * 500, "y" * 500, 40)) <= 40
