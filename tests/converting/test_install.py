"""A converted package in `~/.gemini`: nothing of the user's is overwritten, and uninstalling leaves every byte."""

from __future__ import annotations

import hashlib
import json
import os
import random
from pathlib import Path

import pytest

from pisces.converting.convert import ConvertRequest
from pisces.converting.installing.install import install, recover, uninstall
from pisces.converting.installing.layout import install_place
from pisces.converting.installing.plan import InstallPlan, install_plan
from pisces.diagnostics import PiscesError
from pisces.places import Places
from tests.converting.test_convert import places_of, put
from tests.converting.test_output import snapshot

SERVERS = '{"mcpServers": {"docs": {"command": "node", "args": ["server.js"]}, "web": {"type": "http", "url": "https://mcp"}}}'
PLUGIN = {
    ".claude-plugin/plugin.json": '{"name": "demo", "version": "1.2.3"}',
    "agents/reader.md": "---\nname: reader\ndescription: Reads all files\ntools: Read\n---\nRead the whole file.\n",
    "commands/commit.md": "---\ndescription: Commits\n---\nCommit what was changed: $ARGUMENTS\n",
    "skills/notes/SKILL.md": "---\nname: notes\ndescription: Takes notes\n---\nWrite notes of the meeting.\n",
    "skills/notes/scripts/run.sh": "#!/bin/sh\necho notes\n",
    ".mcp.json": SERVERS,
}


def planned(source: Path, places: Places, name: str = "demo") -> InstallPlan:
    recover(install_place("gemini", name, places))
    return install_plan(ConvertRequest(str(source), "gemini"), places, name)


def installed(source: Path, places: Places, name: str = "demo") -> InstallPlan:
    plan = planned(source, places, name)
    install(plan)
    return plan


def uninstalled(places: Places, name: str = "demo") -> None:
    uninstall(install_place("gemini", name, places))


def home_of(folder: Path, files: dict[str, str]) -> Path:
    (folder / "home").mkdir()
    return put(folder / "home", files)


def test_components_go_where_gemini_reads_them_and_come_back_out(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {})
    installed(source, places_of(tmp_path))
    gemini = home / ".gemini"
    assert (gemini / "agents/reader.md").is_file()
    assert (gemini / "skills/notes/scripts/run.sh").is_file()
    assert (gemini / "commands/demo/commit.toml").is_file()
    assert set(json.loads((gemini / "settings.json").read_text())) == {"mcpServers"}
    manifest = json.loads((gemini / "demo/install-manifest.json").read_text())
    assert manifest["plugin"] == "demo"
    assert manifest["settings"]["pointers"]["/mcpServers/web"]["previous"] == []
    assert all(len(each["sha256"]) == 64 for each in manifest["files"].values())
    uninstalled(places_of(tmp_path))
    assert snapshot(home) == {}


def test_a_second_installation_changes_nothing(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {".gemini/settings.json": '{"theme": "x"} // mine\n'})
    installed(source, places_of(tmp_path))
    before, times = snapshot(home), {path: path.stat().st_mtime_ns for path in home.rglob("*")}
    assert installed(source, places_of(tmp_path)).changes == ()
    assert snapshot(home) == before
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*")} == times


SETTINGS = (
    "",
    "{}",
    '{\n  // mine\n  "theme": "dark" /* yes */\n}\n',
    '{\r\n\t"mcpServers": {},\r\n\t"a": [1,\r\n 2]\r\n}',
    '{"mcpServers": {"other": {"command": "x"}}, "mcpServers": {"own": {"url": "https://own"}}}',
    '{ "mcpServers" : { "docs": {"command": "node", "args": ["server.js"], "env": {"A": "b"}} } }',
    '{"mcpServers": {"docs": {"command": "elsewhere"}}, "ü": "\\u00fc"}\n\n\n',
)


@pytest.mark.parametrize("settings", SETTINGS)
def test_settings_are_as_they_were_to_the_byte(tmp_path: Path, settings: str) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {".gemini/settings.json": settings} if settings else {".gemini/GEMINI.md": "mine"})
    if settings:
        (home / ".gemini/settings.json").chmod(0o600)
    before = snapshot(home)
    installed(source, places_of(tmp_path))
    assert snapshot(home) != before
    uninstalled(places_of(tmp_path))
    assert snapshot(home) == before


def test_what_the_user_changed_in_the_settings_since_stays(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {".gemini/settings.json": '{\n  "theme": "dark"\n}\n'})
    installed(source, places_of(tmp_path))
    settings = home / ".gemini/settings.json"
    settings.write_text(settings.read_text().replace('"dark"', '"light" /* brighter */'))
    uninstalled(places_of(tmp_path))
    assert settings.read_text() == '{\n  "theme": "light" /* brighter */\n}\n'


def test_a_server_that_the_user_changed_is_saved_when_it_is_taken_back(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {".gemini/settings.json": "{}\n"})
    installed(source, places_of(tmp_path))
    settings = home / ".gemini/settings.json"
    settings.write_text(settings.read_text().replace('"server.js"', '"mine.js"'))
    changed = settings.read_text()
    plan = installed(source, places_of(tmp_path))
    assert [each.code for each in plan.problems] == ["install-server-edited"]
    assert settings.read_text() == changed
    uninstalled(places_of(tmp_path))
    assert settings.read_text() == "{}\n"
    assert "mine.js" in (home / ".gemini/demo/backup/1/settings.json.changed").read_text()


def test_a_server_of_the_user_stays_and_is_reported(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {".gemini/settings.json": '{"mcpServers": {"docs": {"command": "mine"}}}'})
    plan = installed(source, places_of(tmp_path))
    assert [each.code for each in plan.problems] == ["install-server-not-ours"]
    servers = json.loads((home / ".gemini/settings.json").read_text())["mcpServers"]
    assert servers["docs"] == {"command": "mine"}
    assert "web" in servers


@pytest.mark.parametrize("settings", ["{", "[]", '{"a": 1,}', "", "\ufeff{}"])
def test_settings_that_cannot_be_read_are_not_touched(tmp_path: Path, settings: str) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {".gemini/settings.json": settings})
    before = snapshot(home)
    with pytest.raises(PiscesError) as caught:
        installed(source, places_of(tmp_path))
    assert caught.value.diagnostic.code == "install-settings-unusable"
    assert snapshot(home) == before


def test_a_file_of_the_user_is_not_overwritten_and_the_rest_is_installed(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    mine = {
        ".gemini/agents/reader.md": "something else of mine\n",
        ".gemini/skills/notes/SKILL.md": "entirely different\n",
    }
    home = home_of(tmp_path, mine)
    before = snapshot(home)
    plan = installed(source, places_of(tmp_path))
    assert [each.code for each in plan.problems] == ["install-file-not-ours"] * 2
    assert (home / ".gemini/agents/reader.md").read_text() == "something else of mine\n"
    assert not (home / ".gemini/skills/notes/scripts").exists()
    assert (home / ".gemini/commands/demo/commit.toml").is_file()
    uninstalled(places_of(tmp_path))
    assert snapshot(home) == before


def test_an_update_removes_what_is_gone_and_backs_up_what_was_changed(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {})
    installed(source, places_of(tmp_path))
    gemini = home / ".gemini"
    (gemini / "commands/demo/commit.toml").write_text("mine now\n")
    (gemini / "skills/notes/SKILL.md").write_text("mine too\n")
    (source / "agents/reader.md").unlink()
    (source / "commands/commit.md").unlink()
    put(source, {"skills/notes/SKILL.md": "---\nname: notes\ndescription: Newer\n---\nNewer notes.\n"})
    plan = installed(source, places_of(tmp_path))
    assert plan.is_update
    assert not (gemini / "agents").exists()
    assert not (gemini / "commands").exists()
    assert "Newer notes" in (gemini / "skills/notes/SKILL.md").read_text()
    assert (gemini / "demo/backup/1/commands/demo/commit.toml").read_text() == "mine now\n"
    assert (gemini / "demo/backup/1/skills/notes/SKILL.md").read_text() == "mine too\n"
    uninstalled(places_of(tmp_path))
    assert {path for path in snapshot(home) if path.endswith((".md", ".toml", ".json"))} == {
        ".gemini/demo/backup/1/commands/demo/commit.toml",
        ".gemini/demo/backup/1/skills/notes/SKILL.md",
    }


def test_files_of_an_earlier_installation_are_found_by_name_and_content(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    earlier = {
        ".gemini/agents/reader.md": "---\nname: reader\ncolor: blue\n---\nRead the whole file.\n",
        ".gemini/commands/commit.toml": 'prompt = """\nCommit what was changed: {{args}}\n"""\n',
        ".gemini/skills/notes/SKILL.md": PLUGIN["skills/notes/SKILL.md"] + "An older line.\n",
        ".gemini/skills/notes/old.md": "left over\n",
        ".gemini/commands/other.toml": 'prompt = "mine"\n',
    }
    home = home_of(tmp_path, earlier)
    before = snapshot(home)
    plan = installed(source, places_of(tmp_path))
    assert not plan.problems
    assert len(plan.earlier) == 4
    assert not (home / ".gemini/commands/commit.toml").exists()
    assert not (home / ".gemini/skills/notes/old.md").exists()
    assert (home / ".gemini/commands/other.toml").exists()
    assert installed(source, places_of(tmp_path)).changes == ()
    uninstalled(places_of(tmp_path))
    assert snapshot(home) == before


def test_the_manifest_of_another_installer_names_its_files(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    groups = {"skills": ["notes", "../../etc"], "agents": ["gone-agent", "/x"], "commands": ["old", 3]}
    earlier = {
        ".gemini/demo/install-manifest.json": json.dumps({"version": 1, "pluginName": "demo", "groups": groups}),
        ".gemini/agents/gone-agent.md": "an agent that the package no longer has\n",
        ".gemini/commands/old.toml": 'prompt = "old"\n',
        ".gemini/skills/notes/SKILL.md": "as it was written long ago\n",
    }
    home = home_of(tmp_path, earlier)
    before = snapshot(home)
    plan = installed(source, places_of(tmp_path))
    assert {*plan.earlier} == {path.removeprefix(".gemini/") for path in earlier}
    assert not (home / ".gemini/agents/gone-agent.md").exists()
    uninstalled(places_of(tmp_path))
    assert snapshot(home) == before


@pytest.mark.parametrize("link", [".gemini", ".gemini/agents", ".gemini/skills/notes", ".gemini/settings.json"])
def test_links_are_not_followed(tmp_path: Path, link: str) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home, elsewhere = home_of(tmp_path, {}), tmp_path / "elsewhere"
    put(elsewhere, {"settings.json": "{}"})
    path = home / link
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(elsewhere / "settings.json" if link.endswith("json") else elsewhere)
    before, theirs = snapshot(home), snapshot(elsewhere)
    if link in (".gemini", ".gemini/settings.json"):
        with pytest.raises(PiscesError) as caught:
            installed(source, places_of(tmp_path))
        assert caught.value.diagnostic.code in ("convert-over-a-link", "install-file-not-ours")
    else:
        plan = installed(source, places_of(tmp_path))
        assert [each.code for each in plan.problems] == ["install-file-not-ours"]
        uninstalled(places_of(tmp_path))
    assert snapshot(elsewhere) == theirs
    assert snapshot(home) == before


def test_a_file_that_became_a_link_since_is_left_alone(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {})
    installed(source, places_of(tmp_path))
    victim = tmp_path / "victim.md"
    victim.write_text((home / ".gemini/agents/reader.md").read_text())
    (home / ".gemini/agents/reader.md").unlink()
    (home / ".gemini/agents/reader.md").symlink_to(victim)
    uninstalled(places_of(tmp_path))
    assert victim.exists()
    assert (home / ".gemini/agents/reader.md").is_symlink()


def test_a_manifest_cannot_make_us_remove_other_files(tmp_path: Path) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {".gemini/oauth_creds.json": "secret", "notes.txt": "mine"})
    installed(source, places_of(tmp_path))
    path = home / ".gemini/demo/install-manifest.json"
    manifest = json.loads(path.read_text())
    manifest["files"]["oauth_creds.json"] = {"sha256": hashlib.sha256(b"secret").hexdigest()}
    path.write_text(json.dumps(manifest))
    uninstalled(places_of(tmp_path))
    assert (home / ".gemini/oauth_creds.json").read_text() == "secret"
    installed(source, places_of(tmp_path))
    manifest["files"] = {"../notes.txt": {"sha256": hashlib.sha256(b"mine").hexdigest()}}
    path.write_text(json.dumps(manifest))
    with pytest.raises(PiscesError) as caught:
        uninstalled(places_of(tmp_path))
    assert caught.value.diagnostic.code == "install-not-installed"
    assert (home / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize("order", [("one", "two"), ("two", "one")])
def test_two_packages_can_be_taken_back_in_any_order(tmp_path: Path, order: tuple[str, str]) -> None:
    home = home_of(tmp_path, {".gemini/settings.json": '{\n  "theme": "dark" // mine\n}\n'})
    before = snapshot(home)
    for name in ("one", "two"):
        files = {key.replace("reader", name).replace("notes", name): text for key, text in PLUGIN.items()}
        files[".claude-plugin/plugin.json"] = json.dumps({"name": name, "version": "1.0.0"})
        files[".mcp.json"] = json.dumps({f"server-{name}": {"command": name}})
        files[f"agents/{name}.md"] = f"---\nname: {name}\ndescription: Reads {name}\n---\nRead {name}.\n"
        files[f"skills/{name}/SKILL.md"] = f"---\nname: {name}\ndescription: Notes {name}\n---\nNotes {name}.\n"
        plan = installed(put(tmp_path / name, files), places_of(tmp_path), name)
        assert not plan.problems
    for name in order:
        uninstalled(places_of(tmp_path), name)
    assert snapshot(home) == before


def test_what_is_not_installed_cannot_be_taken_back(tmp_path: Path) -> None:
    home_of(tmp_path, {})
    with pytest.raises(PiscesError) as caught:
        uninstalled(places_of(tmp_path))
    assert caught.value.diagnostic.code == "install-not-installed"


def test_a_target_without_such_folders_says_so(tmp_path: Path) -> None:
    with pytest.raises(PiscesError) as caught:
        install_place("codex", "demo", places_of(tmp_path))
    assert caught.value.diagnostic.code in ("convert-cannot-install", "convert-unknown-target")


@pytest.mark.parametrize("name", ["skills", "agents", "commands", "extensions", "../../x", "tmp", "", "CON"])
def test_the_folder_of_a_package_is_none_of_gemini_itself(tmp_path: Path, name: str) -> None:
    place = install_place("gemini", name, places_of(tmp_path))
    assert place.name not in ("skills", "agents", "commands", "extensions", "tmp", "")
    assert "/" not in place.name
    assert "." not in place.name


def test_a_package_whose_name_looks_alike_does_not_replace_another(tmp_path: Path) -> None:
    home = home_of(tmp_path, {})
    installed(put(tmp_path / "plugin", PLUGIN), places_of(tmp_path))
    before = snapshot(home)
    other = put(tmp_path / "other", {**PLUGIN, ".claude-plugin/plugin.json": '{"name": "Demo", "version": "9.0.0"}'})
    with pytest.raises(PiscesError) as caught:
        installed(other, places_of(tmp_path), "Demo")
    assert caught.value.diagnostic.code == "install-file-not-ours"
    assert snapshot(home) == before


def test_a_package_that_is_there_as_an_extension_is_named(tmp_path: Path) -> None:
    home_of(tmp_path, {".gemini/extensions/demo/gemini-extension.json": '{"name": "demo", "version": "1.0.0"}'})
    plan = installed(put(tmp_path / "plugin", PLUGIN), places_of(tmp_path))
    assert [each.code for each in plan.problems] == ["install-also-packaged"]


@pytest.mark.parametrize("path", [".gemini", ".gemini/demo", ".gemini/agents", ".gemini/demo/install-manifest.json"])
def test_a_file_where_a_folder_should_be_is_left_alone(tmp_path: Path, path: str) -> None:
    source = put(tmp_path / "plugin", PLUGIN)
    home = home_of(tmp_path, {path: "mine\n"})
    before = snapshot(home)
    try:
        plan = installed(source, places_of(tmp_path))
    except PiscesError:
        pass  # said, and nothing is changed
    else:
        assert [each.code for each in plan.problems] == ["install-file-not-ours"]
        uninstalled(places_of(tmp_path))
    assert snapshot(home) == before


def test_a_folder_of_ours_that_is_a_link_leads_nowhere(tmp_path: Path) -> None:
    source, elsewhere = put(tmp_path / "plugin", PLUGIN), put(tmp_path / "elsewhere", {".pisces-work/x": "theirs"})
    home = home_of(tmp_path, {".gemini/GEMINI.md": "mine"})
    (home / ".gemini/demo").symlink_to(elsewhere)
    journal = {"act": "tidy", "folders": []}
    put(elsewhere, {".pisces-journal.json": json.dumps(journal)})
    before = snapshot(elsewhere)
    with pytest.raises(PiscesError) as caught:
        installed(source, places_of(tmp_path))
    assert caught.value.diagnostic.code == "convert-over-a-link"
    assert snapshot(elsewhere) == before


def test_names_and_paths_as_long_as_they_can_be_are_installed(tmp_path: Path) -> None:
    name, home = "n" * 300, home_of(tmp_path, {})
    files = {**PLUGIN, ".claude-plugin/plugin.json": json.dumps({"name": name, "version": "1.0.0"})}
    source = put(tmp_path / "plugin", files)
    installed(source, places_of(tmp_path), name)
    assert (home / ".gemini/agents/reader.md").is_file()
    uninstalled(places_of(tmp_path), name)
    assert snapshot(home) == {}


def random_home(dice: random.Random, folder: Path) -> Path:
    """Files of a user, some of them where the package's own would go."""
    home = folder / "home"
    home.mkdir()
    if dice.random() < 0.2:
        return home
    names = ["agents/reader.md", "agents/mine.md", "skills/notes/SKILL.md", "skills/notes/x.txt", "skills/own/SKILL.md",
             "commands/commit.toml", "commands/demo/commit.toml", "GEMINI.md", "demo/notes.txt", "demo/x"]  # fmt: skip
    texts = ["", "mine\n", "---\nname: reader\n---\nRead the whole file.\n", PLUGIN["skills/notes/SKILL.md"]]
    put(home / ".gemini", {name: dice.choice(texts) for name in dice.sample(names, dice.randrange(6))})
    (home / ".gemini").mkdir(exist_ok=True)
    for name in dice.sample(["agents", "skills", "commands", "skills/empty", "demo"], dice.randrange(3)):
        (home / ".gemini" / name).mkdir(parents=True, exist_ok=True)
    if dice.random() < 0.7:
        put(home / ".gemini", {"settings.json": dice.choice(SETTINGS[1:])})
    for path in (home / ".gemini").rglob("*"):
        if path.is_file():
            path.chmod(dice.choice([0o644, 0o600, 0o755, 0o444]))
    return home


def random_plugin(dice: random.Random, folder: Path) -> Path:
    parts = [key for key in PLUGIN if not key.startswith(".claude")]
    chosen = {".claude-plugin/plugin.json", *dice.sample(parts, dice.randrange(1, len(parts) + 1))}
    made = put(folder, {key: PLUGIN[key] for key in chosen})
    for path in made.rglob("*.sh"):
        path.chmod(dice.choice([0o644, 0o755]))
    return made


@pytest.mark.parametrize("seed", range(40))
def test_installing_and_uninstalling_leaves_every_byte_and_mode(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    home = random_home(dice, tmp_path)
    before = snapshot(home)
    places = places_of(tmp_path)
    installed(random_plugin(dice, tmp_path / "first"), places)
    if dice.random() < 0.5:
        installed(random_plugin(dice, tmp_path / "second"), places)
    after = snapshot(home)
    assert os.path.lexists(home / ".gemini/demo/install-manifest.json")
    uninstalled(places)
    assert snapshot(home) == before
    assert after != before
