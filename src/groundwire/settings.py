"""One frozen set of settings, read once at the edge and handed down; nothing else reads files or the environment.

Defaults give way to a preset, a preset to the settings file, and the file to `GROUNDWIRE_*` variables.
"""

from __future__ import annotations

import dataclasses
import difflib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from groundwire.errors import InvalidSettings

PREFIX = "GROUNDWIRE_"
CONFIG_VARIABLE = "GROUNDWIRE_CONFIG"
PRESET_KEY = "preset"
PRESETS: Mapping[str, Mapping[str, object]] = {
    "strict": {
        "trust_threshold": 0.6,
        "refute_confidence": 0.6,
        "low_confidence": 0.7,
        "fail_closed": True,
        "verify_claim_relevance": True,
    },
    "balanced": {},
    "permissive": {
        "trust_threshold": 0.85,
        "refute_confidence": 0.85,
        "low_confidence": 0.5,
        "merge_paraphrases": False,
        "auto_approve_ai_synthesis": True,
    },
}

RANGES: Mapping[str, tuple[float, float]] = {
    "trust_threshold": (0.0, 1.0),
    "trust_gap": (0.0, 1.0),
    "refute_confidence": (0.0, 1.0),
    "low_confidence": (0.0, 1.0),
    "max_claims": (1, 10_000),
    "max_answer_characters": (1, 10_000_000),
    "max_memory_characters": (1, 1_000_000),
    "max_memories": (1, 1_000_000),
    "max_branches": (0, 10),
    "model_workers": (1, 64),
    "window_tokens": (32, 384),
    "max_windows": (1, 1000),
    "slow_verification_ms": (1, 600_000),
    "dedup_threshold": (0.5, 1.0),
    "dedup_vector_threshold": (0.5, 1.0),
    "fact_window": (1, 36_500),
    "pattern_window": (1, 36_500),
    "narrative_window": (1, 36_500),
    "detection_threshold": (0.0, 1.0),
    "flag_threshold": (0.0, 1.0),
    "auto_correct_threshold": (0.0, 1.0),
    "regenerate_threshold": (0.0, 1.0),
    "max_corrections": (0, 10_000),
    "llm_timeout": (0.01, 3_600),
    "llm_attempts": (1, 10),
    "serve_workers": (1, 256),
    "serve_seconds": (0.01, 3_600),
    "serve_bytes": (1_024, 1_000_000_000),
    "serve_rate": (0, 1_000_000),
    "serve_burst": (1, 1_000_000),
}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "judge": ("mini", "base", "rules", "mini-alone", "base-alone"),
    "dedup_method": ("jaccard", "minhash", "vector"),
    "tracker": ("", "github", "gitlab"),
}
SLOT_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
HOST_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62})){0,126}")
PERSON_NAME = re.compile(r"\S(.{0,254}\S)?")
DETECTOR_NAME = re.compile(
    "fabricated_facts|nonexistent_entities|wrong_attributes|kb_contradictions|history_contradictions|"
    "unsupported_claims|temporal_errors|logical_inconsistencies"
)
SLOTS = ("slot name", "lower-case letters, digits and _", SLOT_NAME)
NAMES: Mapping[str, tuple[str, str, re.Pattern[str]]] = {
    "url_hosts": ("host name", "lower-case, no scheme, no port", HOST_NAME),
    "reviewers": ("name", "no space at its ends, one line", PERSON_NAME),
    "disabled_detectors": ("detector", DETECTOR_NAME.pattern.replace("|", ", "), DETECTOR_NAME),
    "serve_sources": ("source", "lower-case letters, digits and _", SLOT_NAME),
}
SWITCH_WORDS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


@dataclass(frozen=True, slots=True)
class Settings:
    """What a deployment may change; a value out of range is refused when the object is made.

    trust_threshold         memories below this trust take no part in contradictions
    trust_gap               a value trusted this much more than its rival wins instead of conflicting
    refute_confidence       from this confidence on, a refuted claim leads to action
    low_confidence          a supported claim below this is marked as resting on little
    max_claims              claims of one answer that are analysed; the rest are counted, never passed
    max_answer_characters   longer answers are refused
    max_memory_characters   longer memories are refused
    max_memories            more memories in one call are refused
    max_branches            how often an answer may be asked for again
    fail_closed             abstain when an answer could not be verified, instead of marking it
    judge                   mini, base (rules and that model together), rules, mini-alone or base-alone
    models_folder           where models are installed; empty for the user's data folder
    model_workers           pairs of claim and evidence that a model reads at the same time
    window_tokens           longer evidence is read in overlapping windows of this size
    max_windows             windows read of one passage; what is left out is reported
    slow_verification_ms    a verification that takes longer goes on without the model
    fact_window             days after which an extracted fact that nobody confirmed is no evidence
    pattern_window          the same for an extracted pattern
    narrative_window        the same for a shared narrative
    detection_threshold     flags below this confidence are dropped
    disabled_detectors      kinds of hallucination that are not looked for
    flag_threshold          from this confidence on, flagged words are annotated
    auto_correct_threshold  from this confidence on, they are corrected, or removed where nothing is known
    regenerate_threshold    three incidents from this confidence on, and the answer is to be written again
    max_corrections         corrections made in one answer
    llm_url                 OpenAI-compatible endpoint that extracts memories; empty to extract by rules
    llm_model               the model to ask for there
    llm_key_variable        the environment variable that holds its key
    llm_timeout             seconds that one request may take
    llm_attempts            how often a part of a conversation is asked about
    exclusive_slots         slots that hold one value at a time here, whatever the catalogue says
    additive_slots          slots that hold many values here, whatever the catalogue says
    aliases                 further spellings of a value, short form to full form
    dedup_method            how the write gate finds duplicates: jaccard, minhash or vector
    dedup_threshold         from this share of common words on, a claim is a duplicate
    dedup_vector_threshold  the same for the vector method
    merge_paraphrases       whether the same statement in other words is a duplicate
    verify_claim_relevance  whether what a claim cites has to support it, and not just to exist
    auto_approve_ai_synthesis  whether what approved memories support needs no reviewer
    repository              the folder in which cited commits and decision records are looked up
    adr_folder              where decision records lie in it; empty for the usual places
    check_urls              whether cited addresses are asked for over the network
    url_hosts               the only hosts that are asked, with their subdomains; empty for any public one
    tracker                 github or gitlab, for cited issues; empty for none
    tracker_project         the project there, as owner/name
    tracker_api             the address of the tracker's API; empty for the public one
    store                   the file that holds the memories, or a postgresql:// address; empty for none
    user                    whose memories a command is about where it does not say; empty for "user"
    reviewers               who may decide on what waits for review besides the user whose memory it is
    serve_workers           short calls that the service works on at the same time, besides one long one
    serve_seconds           how long a request to the service may take
    serve_bytes             larger requests are refused
    serve_rate              requests a second that one key may make in the long run; 0 for any number
    serve_burst             requests that one key may make at once
    serve_sources           the sources that a new key may claim where nothing else is said
    serve_traces            whether the service sends OpenTelemetry traces to where OTEL_* variables say
    """

    trust_threshold: float = 0.75
    trust_gap: float = 0.3
    refute_confidence: float = 0.7
    low_confidence: float = 0.6
    max_claims: int = 50
    max_answer_characters: int = 200_000
    max_memory_characters: int = 8_192
    max_memories: int = 10_000
    max_branches: int = 3
    fail_closed: bool = False
    judge: str = "mini"
    models_folder: str = ""
    model_workers: int = 2
    window_tokens: int = 192
    max_windows: int = 16
    slow_verification_ms: int = 100
    fact_window: int = 30
    pattern_window: int = 14
    narrative_window: int = 7
    detection_threshold: float = 0.5
    disabled_detectors: tuple[str, ...] = ()
    flag_threshold: float = 0.5
    auto_correct_threshold: float = 0.8
    regenerate_threshold: float = 0.85
    max_corrections: int = 5
    llm_url: str = ""
    llm_model: str = "default"
    llm_key_variable: str = "OPENAI_API_KEY"
    llm_timeout: float = 60.0
    llm_attempts: int = 3
    exclusive_slots: tuple[str, ...] = ()
    additive_slots: tuple[str, ...] = ()
    aliases: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    dedup_method: str = "jaccard"
    dedup_threshold: float = 0.92
    dedup_vector_threshold: float = 0.95
    merge_paraphrases: bool = True
    verify_claim_relevance: bool = False
    auto_approve_ai_synthesis: bool = False
    repository: str = ""
    adr_folder: str = ""
    check_urls: bool = False
    url_hosts: tuple[str, ...] = ()
    tracker: str = ""
    tracker_project: str = ""
    tracker_api: str = ""
    store: str = ""
    user: str = ""
    reviewers: tuple[str, ...] = ()
    serve_workers: int = 1
    serve_seconds: float = 30.0
    serve_bytes: int = 8_388_608
    serve_rate: float = 50.0
    serve_burst: int = 100
    serve_sources: tuple[str, ...] = ("ai_synthesis",)
    serve_traces: bool = False

    def __post_init__(self) -> None:
        for key in KEYS:
            object.__setattr__(self, key, _check_value(key, getattr(self, key)))
        both = sorted(set(self.exclusive_slots) & set(self.additive_slots))
        if both:
            raise InvalidSettings(
                f"additive_slots: {both[0]!r} is in exclusive_slots as well; a slot is one or the other"
            )

    @classmethod
    def preset(cls, name: str) -> Settings:
        """The settings that a preset stands for: strict, balanced or permissive."""
        return cls._build({PRESET_KEY: name})

    @classmethod
    def load(cls, path: Path | None, environ: Mapping[str, str]) -> Settings:
        """Settings from a file, if there is one, and from the `GROUNDWIRE_*` entries of `environ`.

        `GROUNDWIRE_CONFIG` names the file when `path` is not given.
        """
        if path is None and environ.get(CONFIG_VARIABLE):
            path = Path(environ[CONFIG_VARIABLE])
        values = _read_file(path) if path is not None else {}
        return cls._build(values | _read_environment(environ))

    @classmethod
    def _build(cls, values: Mapping[str, object]) -> Settings:
        chosen = dict(values)
        name = str(chosen.pop(PRESET_KEY, "balanced"))
        if name not in PRESETS:
            raise InvalidSettings(f"{PRESET_KEY}: {name!r} is none of {', '.join(PRESETS)}{_nearest(name, PRESETS)}")
        return cls(**cast(dict[str, Any], {**PRESETS[name], **chosen}))

    def as_toml(self) -> str:
        """The effective settings, in a form that `load` reads back."""
        lines = [f"{key} = {_write_toml(getattr(self, key))}" for key in KEYS if key != "aliases"]
        if self.aliases:
            lines += ["", "[aliases]"]
            lines += [f"{_write_toml(short)} = {_write_toml(full)}" for short, full in sorted(self.aliases.items())]
        return "\n".join(lines) + "\n"


KEYS = tuple(entry.name for entry in dataclasses.fields(Settings))
DEFAULTS: Mapping[str, object] = {entry.name: entry.default for entry in dataclasses.fields(Settings)}


def _read_file(path: Path) -> dict[str, object]:
    try:
        table: dict[str, object] = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InvalidSettings(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:  # broken TOML and broken UTF-8
        raise InvalidSettings(f"{path}: is not valid TOML: {error}") from error
    return _check_source(table, str(path))


def _read_environment(environ: Mapping[str, str]) -> dict[str, object]:
    values: dict[str, object] = {}
    for variable in sorted(environ):
        if variable.startswith(PREFIX) and variable != CONFIG_VARIABLE:
            key = variable.removeprefix(PREFIX).lower()
            values |= _check_source({key: _parse_variable(key, environ[variable])}, variable)
    return values


def _check_source(values: Mapping[str, object], origin: str) -> dict[str, object]:
    """The values as settings, or an error that says where the wrong one came from."""
    checked: dict[str, object] = {}
    for key, value in values.items():
        try:
            checked[key] = value if key == PRESET_KEY else _check_value(key, value)
        except InvalidSettings as error:
            raise InvalidSettings(f"{origin}: {error}") from None
    return checked


def _parse_variable(key: str, text: str) -> object:
    """Read the text as the kind of value that its setting holds; what does not fit is left to the check."""
    default = DEFAULTS.get(key)
    match default:
        case bool():
            return SWITCH_WORDS.get(text.strip().lower(), text)
        case int() | float():
            try:
                return type(default)(text)
            except ValueError:
                return text
        case tuple():
            return [part.strip() for part in text.split(",") if part.strip()]
        case _ if key == "aliases":
            pairs = [part.partition("=") for part in text.split(",") if part.strip()]
            return {short.strip(): full.strip() for short, _, full in pairs}
        case _:
            return text


def _check_value(key: str, value: object) -> object:
    """The value as its setting keeps it; refuses an unknown key, a wrong type and a number out of range."""
    if key not in KEYS:
        raise InvalidSettings(f"{key}: unknown setting{_nearest(key, (*KEYS, PRESET_KEY))}")
    default = DEFAULTS[key]
    match default:
        case bool():
            if not isinstance(value, bool):
                raise InvalidSettings(f"{key}: must be true or false, not {value!r}")
            return value
        case int() | float():
            return _check_number(key, value, whole=isinstance(default, int))
        case tuple():
            return _check_names(key, value)
        case str():
            return _check_word(key, value)
        case _:
            return _check_aliases(key, value)


def _check_number(key: str, value: object, *, whole: bool) -> float:
    low, high = RANGES[key]
    kind = "a whole number" if whole else "a number"
    fits = isinstance(value, int) if whole else isinstance(value, int | float)
    if not fits or isinstance(value, bool) or not low <= cast(float, value) <= high:
        raise InvalidSettings(f"{key}: must be {kind} in [{low:g}, {high:.8g}], not {value!r}")
    return cast(int, value) if whole else float(cast(float, value))


def _check_word(key: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidSettings(f"{key}: must be a text, not {value!r}")
    allowed = CHOICES.get(key)
    if allowed is not None and value not in allowed:
        raise InvalidSettings(f"{key}: {value!r} is none of {', '.join(allowed)}{_nearest(value, allowed)}")
    return value


def _check_names(key: str, value: object) -> tuple[str, ...]:
    kind, allowed, pattern = NAMES.get(key, SLOTS)
    if not isinstance(value, list | tuple):
        raise InvalidSettings(f"{key}: must be a list of {kind}s, not {value!r}")
    names = cast("list[object] | tuple[object, ...]", value)
    for name in names:
        if not isinstance(name, str) or not pattern.fullmatch(name):
            raise InvalidSettings(f"{key}: {name!r} is not a {kind} ({allowed})")
    return cast(tuple[str, ...], tuple(names))


def _check_aliases(key: str, value: object) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise InvalidSettings(f"{key}: must be a table of short form = full form, not {value!r}")
    table = cast(Mapping[object, object], value)
    for short, full in table.items():
        if not (isinstance(short, str) and isinstance(full, str) and short.strip() and full.strip()):
            raise InvalidSettings(f"{key}: {short!r} = {full!r} must be two texts, neither of them empty")
    return dict(cast(Mapping[str, str], table))


def _nearest(word: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def _write_toml(value: object) -> str:
    if isinstance(value, tuple):
        return "[" + ", ".join(_write_toml(part) for part in cast(tuple[object, ...], value)) + "]"
    # JSON and TOML write numbers, switches and strings alike, but for this one character
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
