"""The tokenizer of a model: checked against its manifest, set to give back exactly what is in a text."""

from __future__ import annotations

import json
from typing import Any

from groundwire.errors import ModelCorrupt, ModelMissing
from groundwire.models.files import TOKENIZER, ModelFiles
from groundwire.models.wordpiece import read_wordpiece

INSTALL = 'pip install --upgrade "groundwire"'
INSTALL_TOKENIZERS = 'pip install --upgrade "groundwire[tokenizers]"'


def open_tokenizer(files: ModelFiles) -> Any:
    """Word pieces are cut here; only a model of another kind needs the library that knows them all."""
    document = files.read_json(TOKENIZER)
    if not isinstance(document.get("model"), dict):
        raise ModelCorrupt(f"{files.folder / TOKENIZER} describes no tokenizer", files.remedy)
    try:
        own = read_wordpiece(document)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise ModelCorrupt(f"{files.folder / TOKENIZER} cannot be read ({error!r})", files.remedy) from error
    if own is not None:
        return own
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ModelMissing("tokenizers is not installed", INSTALL_TOKENIZERS) from error
    tokenizer: Any = Tokenizer.from_str(json.dumps(document))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def clean(text: str) -> str:
    """Half a surrogate pair is no character, and the tokenizer would refuse the whole call for it."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
