from __future__ import annotations

import dataclasses
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InvalidSettings
from groundwire.settings import CHOICES, PRESETS, RANGES, Settings


def write(folder: Path, text: str) -> Path:
    path = folder / "groundwire.toml"
    path.write_text(text, encoding="utf-8")
    return path


def change(key: str, value: Any) -> Settings:
    return dataclasses.replace(Settings(), **{key: value})


@pytest.mark.requirement("OPS-020")
def test_defaults_hold_when_nothing_is_configured():
    settings = Settings.load(None, {})
    assert settings == Settings()
    assert (settings.trust_threshold, settings.trust_gap, settings.max_claims) == (0.75, 0.3, 50)
    limits = (settings.max_answer_characters, settings.max_memory_characters, settings.max_memories)
    assert limits == (200_000, 8_192, 10_000)


@pytest.mark.requirement("OPS-020")
def test_environment_overrides_file_overrides_preset(tmp_path: Path):
    path = write(tmp_path, 'preset = "strict"\nlow_confidence = 0.65\nmax_claims = 20\n')
    settings = Settings.load(path, {"GROUNDWIRE_MAX_CLAIMS": "30", "HOME": "/nowhere"})
    assert settings.fail_closed is PRESETS["strict"]["fail_closed"]
    assert settings.low_confidence == 0.65
    assert settings.max_claims == 30


def test_the_environment_can_choose_the_preset_and_the_file(tmp_path: Path):
    path = write(tmp_path, 'preset = "strict"\nmax_claims = 7\n')
    settings = Settings.load(None, {"GROUNDWIRE_CONFIG": str(path), "GROUNDWIRE_PRESET": "permissive"})
    assert settings == dataclasses.replace(Settings.preset("permissive"), max_claims=7)


def test_variables_are_read_as_the_kind_of_value_that_the_setting_holds():
    settings = Settings.load(
        None,
        {
            "GROUNDWIRE_FAIL_CLOSED": "Yes",
            "GROUNDWIRE_TRUST_GAP": "0.25",
            "GROUNDWIRE_ADDITIVE_SLOTS": "employer, title",
            "GROUNDWIRE_ALIASES": "gw=groundwire, k8s = kubernetes",
        },
    )
    assert settings.fail_closed is True
    assert settings.trust_gap == 0.25
    assert settings.additive_slots == ("employer", "title")
    assert settings.aliases == {"gw": "groundwire", "k8s": "kubernetes"}


def test_the_process_environment_is_never_read(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GROUNDWIRE_MAX_CLAIMS", "1")
    monkeypatch.setenv("GROUNDWIRE_NONSENSE", "1")
    assert Settings.load(None, {}) == Settings()


@pytest.mark.requirement("OPS-020")
@pytest.mark.parametrize("key", sorted(RANGES))
def test_a_number_out_of_range_is_refused_with_its_key_and_range(key: str):
    low, high = RANGES[key]
    for wrong in (low - 1, high + 1, float("nan"), float("inf"), "many", None, True):
        with pytest.raises(InvalidSettings) as caught:
            change(key, wrong)
        assert key in str(caught.value)
        assert f"[{low:g}, {high:.8g}]" in str(caught.value)
    for right in (low, high):
        assert getattr(change(key, right), key) == right


def test_a_fraction_is_no_count():
    with pytest.raises(InvalidSettings, match="max_claims: must be a whole number"):
        Settings(max_claims=2.5)  # pyright: ignore[reportArgumentType]


@pytest.mark.requirement("OPS-020")
def test_an_unknown_key_is_refused_and_the_nearest_known_one_is_named(tmp_path: Path):
    path = write(tmp_path, "max_claim = 20\n")
    with pytest.raises(InvalidSettings, match=r"groundwire\.toml: max_claim: unknown .* did you mean 'max_claims'"):
        Settings.load(path, {})
    with pytest.raises(InvalidSettings, match=r"GROUNDWIRE_TRUST_TRESHOLD: .*did you mean 'trust_threshold'"):
        Settings.load(None, {"GROUNDWIRE_TRUST_TRESHOLD": "0.5"})
    with pytest.raises(InvalidSettings, match=r"qqq: unknown setting$"):
        Settings.load(None, {"GROUNDWIRE_QQQ": "0.5"})


def test_an_unknown_preset_is_refused_and_the_known_ones_are_named():
    with pytest.raises(InvalidSettings, match="preset: 'strickt' is none of strict, balanced, permissive; did"):
        Settings.preset("strickt")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("max_claims = \n", "is not valid TOML"),
        ("fail_closed = 1\n", "fail_closed: must be true or false, not 1"),
        ('exclusive_slots = "employer"\n', "exclusive_slots: must be a list"),
        ('exclusive_slots = ["Job Title"]\n', "'Job Title' is not a slot name"),
        ('aliases = "sf"\n', "aliases: must be a table"),
        ("[aliases]\nsf = 1\n", "aliases: 'sf' = 1"),
        ("[limits]\nmax_claims = 3\n", "limits: unknown setting"),
        ('additive_slots = ["pet"]\nexclusive_slots = ["pet"]\n', "'pet' is in exclusive_slots as well"),
    ],
)
def test_a_wrong_file_gives_one_error_that_names_the_key(tmp_path: Path, text: str, complaint: str):
    with pytest.raises(InvalidSettings) as caught:
        Settings.load(write(tmp_path, text), {})
    assert complaint in str(caught.value)


def test_a_missing_or_undecodable_file_is_named(tmp_path: Path):
    with pytest.raises(InvalidSettings, match=r"absent\.toml: cannot be read"):
        Settings.load(tmp_path / "absent.toml", {})
    path = tmp_path / "latin.toml"
    path.write_bytes(b'aliases = { k = "\xff" }')
    with pytest.raises(InvalidSettings, match=r"latin\.toml: is not valid TOML"):
        Settings.load(path, {})


@pytest.mark.requirement("OPS-020")
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_the_effective_configuration_is_printed_in_a_form_that_loads(tmp_path: Path, name: str):
    settings = dataclasses.replace(Settings.preset(name), additive_slots=("employer",), aliases={"SF": "San Francisco"})
    assert Settings.load(write(tmp_path, settings.as_toml()), {}) == settings


@given(st.dictionaries(*[st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip)] * 2))
def test_any_alias_survives_printing(tmp_path_factory: pytest.TempPathFactory, aliases: dict[str, str]):
    settings = Settings(aliases=aliases)
    assert Settings.load(write(tmp_path_factory.getbasetemp(), settings.as_toml()), {}) == settings


def test_settings_are_frozen_hashable_and_picklable():
    settings = Settings(aliases={"a": "b"})
    with pytest.raises(dataclasses.FrozenInstanceError):
        settings.max_claims = 3  # pyright: ignore[reportAttributeAccessIssue]
    assert len({settings, Settings(aliases={"a": "b"})}) == 1
    assert pickle.loads(pickle.dumps(settings)) == settings


def test_settings_keep_their_own_copy_of_a_mapping():
    aliases = {"a": "b"}
    settings = Settings(aliases=aliases)
    aliases["c"] = "d"
    assert settings.aliases == {"a": "b"}


# ── the judge and its model ─────────────────────────────────────────────────────────────────────


@pytest.mark.requirement("OPS-020")
@pytest.mark.parametrize("name", CHOICES["judge"])
def test_every_judge_can_be_chosen_in_code_in_a_file_and_in_the_environment(tmp_path: Path, name: str):
    assert Settings(judge=name).judge == name
    assert Settings.load(write(tmp_path, f'judge = "{name}"\n'), {}).judge == name
    assert Settings.load(None, {"GROUNDWIRE_JUDGE": name}).judge == name


@pytest.mark.requirement("OPS-020")
@pytest.mark.parametrize(
    ("wrong", "nearest"), [("mimi", "mini"), ("rule", "rules"), ("bas", "base"), ("mini_alone", "mini-alone")]
)
def test_an_unknown_judge_is_refused_and_the_nearest_one_is_named(wrong: str, nearest: str):
    with pytest.raises(
        InvalidSettings, match=f"judge: '{wrong}' is none of mini, base, rules.*did you mean '{nearest}'"
    ):
        Settings(judge=wrong)
    with pytest.raises(InvalidSettings, match=f"GROUNDWIRE_JUDGE: judge: '{wrong}'"):
        Settings.load(None, {"GROUNDWIRE_JUDGE": wrong})


@pytest.mark.parametrize("wrong", ["", "Mini", "mini ", "../mini", "gpt"])
def test_a_judge_that_resembles_none_is_refused_all_the_same(wrong: str):
    with pytest.raises(InvalidSettings, match="judge: "):
        Settings(judge=wrong)


@pytest.mark.parametrize("key", ["judge", "models_folder"])
@pytest.mark.parametrize("wrong", [3, True, None, ["mini"]])
def test_a_text_must_be_a_text(key: str, wrong: Any):
    with pytest.raises(InvalidSettings, match=f"{key}: must be a text, not "):
        change(key, wrong)


def test_what_a_model_needs_comes_from_the_environment_too():
    settings = Settings.load(
        None,
        {
            "GROUNDWIRE_JUDGE": "base",
            "GROUNDWIRE_MODELS_FOLDER": "/srv/models, new",
            "GROUNDWIRE_MODEL_WORKERS": "4",
            "GROUNDWIRE_WINDOW_TOKENS": "96",
            "GROUNDWIRE_MAX_WINDOWS": "3",
        },
    )
    found = (settings.models_folder, settings.model_workers, settings.window_tokens, settings.max_windows)
    assert found == ("/srv/models, new", 4, 96, 3)
    for variable, wrong in (("MODEL_WORKERS", "0"), ("WINDOW_TOKENS", "9.5"), ("MAX_WINDOWS", "all")):
        with pytest.raises(InvalidSettings, match=f"GROUNDWIRE_{variable}: {variable.lower()}: must be a whole number"):
            Settings.load(None, {f"GROUNDWIRE_{variable}": wrong})


@pytest.mark.requirement("OPS-020")
@given(
    st.sampled_from(CHOICES["judge"]),
    st.text(st.characters(exclude_categories=["Cs"])),
    st.integers(*map(int, RANGES["model_workers"])),
    st.integers(*map(int, RANGES["window_tokens"])),
    st.integers(*map(int, RANGES["max_windows"])),
)
def test_the_settings_of_the_model_survive_printing(
    tmp_path_factory: pytest.TempPathFactory, judge: str, folder: str, workers: int, tokens: int, windows: int
):
    settings = Settings(
        judge=judge, models_folder=folder, model_workers=workers, window_tokens=tokens, max_windows=windows
    )
    assert Settings.load(write(tmp_path_factory.getbasetemp(), settings.as_toml()), {}) == settings
