"""How much a store keeps, and how patient it is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StoreOptions:
    """Limits of one store.

    pending_per_owner, pending_total   items that may wait for review; more are refused
    verdicts_kept                      most recent verdicts of the whole store
    rejections_kept                    most recent rejections and outcomes of each owner
    text_characters, metadata_bytes    longer texts and larger metadata are refused
    hash_logged_text                   the logs hold keyed hashes in place of what was said
    busy_seconds                       how long to wait for others that write
    purge_when_forgetting              rewrite the file at once, so that not even its unused parts hold deleted words
    """

    pending_per_owner: int = 100
    pending_total: int = 10_000
    verdicts_kept: int = 10_000
    rejections_kept: int = 10_000
    text_characters: int = 8_192
    metadata_bytes: int = 16_384
    hash_logged_text: bool = False
    busy_seconds: float = 60.0
    purge_when_forgetting: bool = True
