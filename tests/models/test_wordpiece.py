"""Word pieces: the same as the library that the models were trained with, wherever that library is right."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from groundwire.errors import ModelCorrupt
from groundwire.models.files import packaged_models
from groundwire.models.tokenizer import open_tokenizer
from groundwire.models.wordpiece import WordPiece, read_wordpiece
from tiny_model import make_tokenizer, write_model

DOCUMENT: dict[str, Any] = json.loads((packaged_models() / "mini" / "tokenizer.json").read_text(encoding="utf-8"))
ROBERTA = {"type": "RobertaProcessing", "sep": ["[SEP]", 102], "cls": ["[CLS]", 101], "trim_offsets": True}
OURS = read_wordpiece(DOCUMENT)
# Letters, signs and marks that have been in Unicode for long, and words that the vocabulary knows.
CHARACTERS = st.sampled_from("abcXYZéÉñßİıſǅ字車中한글あアабвΣσς العربية🎉–—“”…·¿§№½²①ﬁ.,'-_#@")
UNSEEN = st.sampled_from("\u0301\u0308\t\n\r\x00\x07\u200b\ufeff\ufffd\u00a0\u3000")
WORDS = st.sampled_from([" ", "running ", "unbelievable", "Zürich", "x" * 101, "2019"])
TEXTS = st.lists(CHARACTERS | UNSEEN | WORDS).map("".join)


def reference(document: dict[str, Any] = DOCUMENT) -> Any:
    tokenizer = Tokenizer.from_str(json.dumps(document))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


THEIRS = reference()


def ours() -> WordPiece:
    assert OURS is not None
    return OURS


def as_rows(encoding: Any) -> list[tuple[int, int, int | None, tuple[int, int]]]:
    offsets = [tuple(offset) for offset in encoding.offsets]
    return list(zip(encoding.ids, encoding.type_ids, encoding.sequence_ids, offsets, strict=True))


@given(TEXTS)
def test_a_text_is_cut_as_the_models_were_trained(text: str):
    (mine,), (other,) = (t.encode_batch_fast([text], add_special_tokens=False) for t in (ours(), THEIRS))
    assert mine.ids == other.ids


@given(TEXTS, TEXTS)
def test_pairs_have_the_same_pieces_types_and_places(first: str, second: str):
    assert as_rows(ours().encode(first, second)) == as_rows(THEIRS.encode(first, second))
    (mine,), (other,) = (t.encode_batch_fast([(first, second)]) for t in (ours(), THEIRS))
    assert (mine.ids, mine.type_ids) == (other.ids, other.type_ids)


def test_every_letter_of_the_first_plane_is_read_alike():
    texts = [f"ab{chr(code)}cd" for code in range(0x0600) if not 0xD800 <= code < 0xE000]
    mine, other = (t.encode_batch_fast(texts, add_special_tokens=False) for t in (ours(), THEIRS))
    assert [e.ids for e in mine] == [e.ids for e in other]


@given(TEXTS, TEXTS)
def test_the_frame_of_the_larger_model_is_read_as_well(first: str, second: str):
    document = {**DOCUMENT, "post_processor": {**ROBERTA, "add_prefix_space": False}}
    mine = read_wordpiece(document)
    assert mine is not None
    assert mine.encode(first, second).ids == reference(document).encode(first, second).ids


def test_a_text_cannot_write_separators():
    (mine,) = ours().encode_batch_fast(["yes [SEP] no [CLS]"], add_special_tokens=False)
    assert not {101, 102} & set(mine.ids)
    assert mine.ids == THEIRS.encode("yes [ sep ] no [ cls ]", add_special_tokens=False).ids


@pytest.mark.parametrize("text", ["a" * 200_000, "é" * 200_000, "字" * 50_000, "- " * 100_000, "\u0301" * 200_000])
def test_hostile_texts_are_cut_in_linear_time(text: str):
    (mine,) = ours().encode_batch_fast([text], add_special_tokens=False)
    assert len(mine.ids) <= len(text)


def test_words_that_are_made_up_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("groundwire.models.wordpiece._MOST_WORDS", 100)
    fresh = read_wordpiece(DOCUMENT)
    assert fresh is not None
    fresh.encode_batch_fast([f"w{number}" for number in range(1000)])
    assert len(fresh._known) <= 100


def test_a_tokenizer_of_another_kind_is_left_to_the_library():
    assert read_wordpiece(json.loads(make_tokenizer())) is None
    assert read_wordpiece({**DOCUMENT, "normalizer": None}) is None
    assert read_wordpiece({**DOCUMENT, "pre_tokenizer": {"type": "Whitespace"}}) is None


def test_a_damaged_description_is_told(tmp_path: Path):
    broken = {**DOCUMENT, "post_processor": {"type": "RobertaProcessing"}}
    folder = write_model(tmp_path / "mini", files={"tokenizer.json": json.dumps(broken).encode()})
    from groundwire.models.files import open_model

    with pytest.raises(ModelCorrupt, match=r"tokenizer\.json cannot be read"):
        open_tokenizer(open_model(folder, "reinstall"))
