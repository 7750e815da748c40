"""What packages ask for, what fits, and how plain values are kept, read back and ended."""

from __future__ import annotations

import json
import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pisces.diagnostics import Diagnostic, PiscesError
from pisces.discovery.package_format import format_named
from pisces.harnesses.gemini.store.values import read_gemini_env, write_gemini_env
from pisces.packages.settings.answers import asked, assigned, checked, setting_named, stored_text
from pisces.packages.settings.described import NOT_SET, WORKSPACE, describe
from pisces.packages.settings.dotenv import env_text, parse_env
from pisces.packages.settings.records import file_name
from pisces.packages.settings.settings import Setting, settings_of
from pisces.packages.settings.values import Values, environment, own_values
from pisces.places import Places
from pisces.shapes.package import Package
from tests.packages.recorded import packages_with_values

PORT = Setting("Port", "PORT", type="number", default=80, minimum=1, maximum=65535)
LEVEL = Setting("Level", "LEVEL", type="choice", choices=("low", "high"))
HOST = Setting("Host name", "HOST_NAME", required=True)
ALL = [PORT, LEVEL, HOST]


def gemini(*settings: Any) -> Package:
    return Package("review", "/nowhere/review", {"name": "review", "settings": list(settings)}, "gemini")


def claude(options: dict[str, Any]) -> Package:
    return Package("review", "/nowhere/review", {"name": "review", "userConfig": options}, "claude-plugin")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    for name in ("home", "shop"):
        (tmp_path / name).mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path / "shop"), {"PORT": "4711"})


def flaw(setting: Setting, text: str) -> str:
    value = checked(setting, text)
    assert isinstance(value, Diagnostic)
    assert value.code == "setting-value"
    return value.message


def test_a_gemini_manifest_lists_settings() -> None:
    wanted = {"name": "API key", "description": "From your account", "envVar": "REVIEW_KEY", "sensitive": True}
    settings, problems = settings_of(gemini(wanted))
    assert settings == [Setting("API key", "REVIEW_KEY", "From your account", True, key="REVIEW_KEY")]
    assert problems == []


def test_types_defaults_and_limits_are_read_where_a_manifest_has_them() -> None:
    port = {"name": "Port", "envVar": "PORT", "type": "integer", "default": 80, "min": 1, "maximum": 99}
    level = {"name": "Level", "envVar": "LEVEL", "enum": ["low", "high"], "required": True}
    (first, second), problems = settings_of(gemini(port, level))
    assert (first.type, first.default, first.minimum, first.maximum) == ("number", 80, 1, 99)
    assert (second.type, second.choices, second.required) == ("choice", ("low", "high"), True)
    assert problems == []


def test_a_claude_manifest_names_options() -> None:
    options = {"api_url": {"type": "string", "title": "Address", "description": "Where", "default": "https://x.test"}}
    ((setting,), _) = settings_of(claude(options))
    assert (setting.name, setting.env_var, setting.key) == ("Address", "CLAUDE_PLUGIN_OPTION_API_URL", "api_url")
    assert setting.default == "https://x.test"


@pytest.mark.parametrize(
    "name", ["NODE_OPTIONS", "ld_preload", "DYLD_X", "GIT_SSH_COMMAND", "PATH", "my-key", "", None]
)
def test_a_variable_that_cannot_be_set_safely_is_left_out(name: str | None) -> None:
    settings, problems = settings_of(gemini({"name": "Odd", "envVar": name}, {"name": "Fine", "envVar": "FINE"}))
    assert [each.env_var for each in settings] == ["FINE"]
    assert [each.code for each in problems] == ["package-setting"]


def test_the_second_of_two_settings_with_one_variable_is_left_out() -> None:
    settings, problems = settings_of(gemini({"name": "A", "envVar": "KEY"}, {"name": "B", "envVar": "key"}))
    assert [each.name for each in settings] == ["A"]
    assert [each.code for each in problems] == ["package-setting"]


def test_what_is_not_understood_is_said_and_ignored() -> None:
    odd = {"name": "Odd", "envVar": "ODD", "type": "colour", "min": "low", "enum": "red", "default": {}}
    ((setting,), problems) = settings_of(gemini(odd))
    assert setting == Setting("Odd", "ODD", key="ODD")
    assert {each.code for each in problems} == {"package-setting-field"}
    assert len(problems) == 4


def test_a_default_cannot_fetch_a_variable_of_the_process(tmp_path: Path) -> None:
    wanted = [{"name": "A", "envVar": "A", "default": "${HOST_KEY}"}]
    manifest = {"name": "review", "version": "1.0.0", "settings": wanted}
    (tmp_path / "gemini-extension.json").write_text(json.dumps(manifest))
    places = Places("/nowhere", "/nowhere", {"HOST_KEY": "hunter2"})
    package = format_named("gemini").read(str(tmp_path), places).package
    assert package
    assert settings_of(package)[0][0].default == "${HOST_KEY}"


@pytest.mark.parametrize("manifest", [None, [], {"settings": "x"}, {"settings": {"a": 1}}, {"settings": [1, None, []]}])
def test_an_odd_manifest_asks_for_nothing(manifest: Any) -> None:
    assert settings_of(Package("x", "/nowhere", manifest, "gemini")) == ([], [])


@pytest.mark.parametrize(
    ("setting", "text", "value"),
    [
        (PORT, "8080", 8080),
        (PORT, "1.5", 1.5),
        (Setting("Id", "ID", type="number"), "12345678901234567890", 12345678901234567890),
        (LEVEL, "low", "low"),
        (HOST, "  spaced ", "  spaced "),
        (Setting("On", "ON", type="boolean"), "Yes", True),
        (Setting("On", "ON", type="boolean"), "0", False),
        (Setting("Hosts", "HOSTS", multiple=True), "a, b,,c", ("a", "b", "c")),
        (Setting("Key", "KEY", sensitive=True), "line 1\nline 2", "line 1\nline 2"),
    ],
)
def test_an_answer_that_fits_has_a_value(setting: Setting, text: str, value: object) -> None:
    assert checked(setting, text) == value


def test_an_answer_that_does_not_fit_is_told_why() -> None:
    assert flaw(PORT, "eighty") == "`Port` must be a number, not `eighty`"
    assert flaw(PORT, "0") == "`Port` must not be below 1, not `0`"
    assert flaw(PORT, "70000") == "`Port` must not be above 65535, not `70000`"
    assert flaw(PORT, "nan") == "`Port` must be a number, not `nan`"
    assert flaw(PORT, "1_000") == "`Port` must be a number, not `1_000`"
    assert flaw(PORT, "1e999") == "`Port` must be a smaller number, not `1e999`"
    assert flaw(LEVEL, "mid") == "`Level` must be one of low, high, not `mid`"
    assert flaw(HOST, "a\nb") == "`Host name` must be one line"
    assert flaw(HOST, "a\0b") == "`Host name` must not contain a NUL"
    assert flaw(Setting("Ports", "PORTS", type="number", multiple=True), "1,x") == "`Ports` must be a number, not `x`"


def test_what_is_wrong_with_a_secret_does_not_repeat_it() -> None:
    assert "hunter2" not in flaw(PORT.replace(sensitive=True), "hunter2")


def test_set_words_name_settings_by_variable_or_name() -> None:
    assert assigned(ALL, ["port=0080", "Host Name=a=b", "LEVEL="]) == {"PORT": "80", "HOST_NAME": "a=b", "LEVEL": None}


def test_an_unknown_setting_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(PiscesError) as caught:
        assigned(ALL, ["PROT=80"])
    assert caught.value.diagnostic.code == "setting-unknown"
    assert caught.value.diagnostic.hint == "did you mean `PORT`?"
    with pytest.raises(PiscesError, match="no value for `PORT`"):
        assigned(ALL, ["PORT"])


def test_questions_are_asked_again_until_the_answer_fits() -> None:
    replies = iter(["eighty", "80", "", "", "shop.test"])
    told: list[str] = []
    answers = asked(ALL, lambda _setting: next(replies), lambda problem: told.append(problem.message))
    assert answers == {"PORT": "80", "HOST_NAME": "shop.test"}
    assert told == ["`Port` must be a number, not `eighty`", "`Host name` is required"]


def test_leaving_a_question_is_an_error() -> None:
    with pytest.raises(PiscesError) as caught:
        asked(ALL, lambda _setting: None, lambda _problem: None)
    assert caught.value.diagnostic.code == "settings-unanswered"
    with pytest.raises(PiscesError, match="no answer that fits"):
        asked([HOST], lambda _setting: "", lambda _problem: None)


def test_values_are_kept_and_read_back(places: Places) -> None:
    Values("review", places).write(ALL, {"PORT": "8080", "HOST_NAME": "a # b"})
    found = Values("review", places).read(ALL)
    assert environment(found) == {"PORT": "8080", "HOST_NAME": "a # b"}
    assert found.missing == ()
    assert packages_with_values(places) == ["review"]
    assert not os.path.exists(os.path.join(places.cwd, ".env"))


@pytest.mark.skipif(sys.platform == "win32", reason="modes mean little there")
def test_only_the_user_can_read_the_files(places: Places) -> None:
    Values("review", places).write(ALL, {"PORT": "8080"})
    folder = Path(places.agent_dir, "packages", "settings")
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_defaults_fill_in_and_the_environment_does_not(places: Places) -> None:
    found = Values("review", places).read(ALL)
    assert environment(found) == {"PORT": "80"}
    assert [each.env_var for each in found.missing] == ["HOST_NAME"]


def test_a_workspace_value_comes_before_the_users(places: Places) -> None:
    values = Values("review", places)
    values.write(ALL, {"PORT": "1"})
    values.write(ALL, {"PORT": "2"}, WORKSPACE)
    assert environment(values.read(ALL)) == {"PORT": "2"}
    elsewhere = Values("review", places.replace(cwd=places.home))
    assert environment(elsewhere.read(ALL)) == {"PORT": "1"}


def test_a_workspace_file_that_somebody_else_wrote_does_not_count(places: Places) -> None:
    file = Path(places.cwd, ".pisces", "settings", "review.env")
    file.parent.mkdir(parents=True)
    file.write_text("HOST_NAME=evil.test\n")
    found = Values("review", places).read(ALL)
    assert environment(found) == {"PORT": "80"}
    assert [each.code for each in found.diagnostics] == ["settings-not-ours"]
    with pytest.raises(PiscesError):
        Values("review", places).write(ALL, {"PORT": "2"}, WORKSPACE)
    assert file.read_text() == "HOST_NAME=evil.test\n"
    trusting = Values("review", places, trusted=True).read(ALL)
    assert environment(trusting) == {"PORT": "80", "HOST_NAME": "evil.test"}


def test_a_workspace_file_that_was_changed_afterwards_does_not_count(places: Places) -> None:
    Values("review", places).write(ALL, {"HOST_NAME": "shop.test"}, WORKSPACE)
    Path(places.cwd, ".pisces", "settings", "review.env").write_text("HOST_NAME=evil.test\n")
    assert [each.code for each in Values("review", places).read(ALL).diagnostics] == ["settings-not-ours"]


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_workspace_that_leads_elsewhere_is_not_written_to(places: Places) -> None:
    os.symlink(places.home, os.path.join(places.cwd, ".pisces"))
    with pytest.raises(PiscesError) as caught:
        Values("review", places).write(ALL, {"PORT": "2"}, WORKSPACE)
    assert caught.value.diagnostic.code == "settings-unwritable"
    assert not list(Path(places.home).rglob("*.env"))


def test_one_answer_that_does_not_fit_stores_none(places: Places) -> None:
    with pytest.raises(PiscesError):
        Values("review", places).write(ALL, {"HOST_NAME": "shop.test", "PORT": "eighty"})
    assert packages_with_values(places) == []


def test_a_stored_value_that_no_longer_fits_is_reported_and_not_handed_over(places: Places) -> None:
    Values("review", places).write([HOST.replace(env_var="LEVEL")], {"LEVEL": "mid"})
    found = Values("review", places).read([LEVEL])
    assert environment(found) == {}
    assert [each.code for each in found.diagnostics] == ["setting-value"]


def test_an_empty_answer_forgets_one_value_and_forget_all(places: Places) -> None:
    values = Values("review", places)
    values.write(ALL, {"PORT": "1", "LEVEL": "low"})
    values.write(ALL, {"PORT": "2"}, WORKSPACE)
    values.write(ALL, {"LEVEL": None})
    assert environment(values.read(ALL)) == {"PORT": "2"}
    assert values.forget() == []
    assert environment(values.read(ALL)) == {"PORT": "80"}
    assert packages_with_values(places) == []
    assert not list(Path(places.cwd).rglob("*.env"))
    assert not list(Path(places.home).rglob("*.env"))


def test_a_damaged_record_is_reported_to_readers_and_stops_writers(places: Places) -> None:
    Values("review", places).write(ALL, {"PORT": "1"})
    Path(places.agent_dir, "packages", "settings", "review.json").write_text("{")
    found = Values("review", places).read(ALL)
    assert environment(found) == {"PORT": "1"}
    assert [each.code for each in found.diagnostics] == ["secret-unreachable"]
    with pytest.raises(PiscesError):
        Values("review", places).write(ALL, {"PORT": "2"})


def test_forgetting_what_was_never_stored_is_fine(places: Places) -> None:
    assert Values("never", places).forget() == []


def test_a_file_that_cannot_be_read_is_not_overwritten(places: Places) -> None:
    Path(places.agent_dir, "packages", "settings", "review.env").mkdir(parents=True)
    assert [each.code for each in Values("review", places).read(ALL).diagnostics] == ["settings-unwritable"]
    with pytest.raises(PiscesError):
        Values("review", places).write(ALL, {"PORT": "1"})


@pytest.mark.parametrize("name", ["../../evil", "a/b", "con", "NUL.x", ".hidden", "..", "ünï code", "plain-1.0"])
def test_a_packages_name_is_only_ever_a_file_name(name: str, places: Places) -> None:
    assert "/" not in file_name(name)
    assert not file_name(name).startswith(".")
    Values(name, places).write(ALL, {"PORT": "1"})
    assert packages_with_values(places) == [name]
    assert {file.parent.name for file in Path(places.home).rglob("*.env")} == {"settings"}


def test_rows_show_values_and_where_they_come_from(places: Places) -> None:
    Values("review", places).write(ALL, {"LEVEL": "high"})
    rows = describe(ALL, Values("review", places).read(ALL))
    assert [(row.env_var, row.value, row.source) for row in rows] == [
        ("PORT", "80", "default"),
        ("LEVEL", "high", "user"),
        ("HOST_NAME", NOT_SET, ""),
    ]
    assert [row.limits for row in rows] == ["1 to 65535", "low or high", ""]
    assert rows[2].as_json()["value"] is None


def test_settings_are_found_by_each_of_their_names() -> None:
    setting = Setting("Address", "CLAUDE_PLUGIN_OPTION_URL", key="url")
    assert {setting_named([setting], word) for word in ("address", "URL", "claude_plugin_option_url")} == {setting}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("A=1\nB = two words \n", {"A": "1", "B": "two words"}),
        ("export A=1\n# no\nB: 2", {"A": "1", "B": "2"}),
        ("A='x # y' # z\r\nB=\"x\\ny\"", {"A": "x # y", "B": "x\ny"}),
        ("A=x # y\nB=`it's`", {"A": "x", "B": "it's"}),
        ("A='one\ntwo'\nB=", {"A": "one\ntwo", "B": ""}),
        ("A='open\nB=1", {"A": "'open", "B": "1"}),
        ("\ufeffA=1\nA=2\nnot a line", {"A": "2"}),
    ],
)
def test_env_files_are_read_as_gemini_reads_them(text: str, values: dict[str, str]) -> None:
    assert parse_env(text) == values


@pytest.mark.parametrize(
    ("value", "line"),
    [("plain", "K=plain"), ("two words", 'K="two words"'), ("a#b", 'K="a#b"'), ('say "x" #', "K='say \"x\" #'")],
)
def test_env_files_quote_only_what_needs_it(value: str, line: str) -> None:
    assert env_text({"K": value}) == line + "\n"


@given(st.lists(st.text(), min_size=1, max_size=4))
def test_env_files_read_back_what_was_written(texts: list[str]) -> None:
    values = {f"K{at}": text for at, text in enumerate(texts)}
    try:
        text = env_text(values)
    except ValueError:
        return  # said to whoever wanted to store it
    assert parse_env(text) == values


def test_the_gemini_store_gets_plain_values_only(tmp_path: Path) -> None:
    secret = Setting("Key", "KEY", sensitive=True)
    left = write_gemini_env(str(tmp_path), [*ALL, secret], {"HOST_NAME": "two words", "KEY": "hunter2"})
    assert left == [secret]
    assert (tmp_path / ".env").read_text() == 'HOST_NAME="two words"\n'
    assert read_gemini_env(str(tmp_path), ALL) == {"HOST_NAME": "two words"}
    write_gemini_env(str(tmp_path), ALL, {"HOST_NAME": None})
    assert (tmp_path / ".env").read_text() == ""


def test_a_program_gets_the_plain_values_of_its_package_in_a_harness_store_and_nowhere_else(places: Places) -> None:
    for store in ("extensions", "extensions-old"):
        folder = Path(places.home, ".gemini", store, "review")
        folder.mkdir(parents=True)
        (folder / ".env").write_text("HOST_NAME=example.org\n")
    inside, beside = (os.path.join(places.home, ".gemini", each, "review") for each in ("extensions", "extensions-old"))
    assert own_values("review", inside, ALL, places) == {"PORT": "80", "HOST_NAME": "example.org"}
    assert own_values("review", beside, ALL, places) == {"PORT": "80"}


def test_a_problem_is_reported_in_the_manifest_of_the_package_own_format() -> None:
    manifest = {"name": "review", "settings": [{"name": "Odd", "envVar": "NODE_OPTIONS"}]}
    _, (problem,) = settings_of(Package("review", "/nowhere", manifest, "qwen"))
    assert problem.path == os.path.join("/nowhere", "qwen-extension.json")


def test_values_are_carried_as_text() -> None:
    assert [stored_text(each) for each in (True, 1.5, ("a", "b"))] == ["true", "1.5", "a,b"]
