"""`pisces convert`: what is written, what is said about it, and what the exit code means."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.converting.test_convert import put
from tests.converting.test_install import PLUGIN
from tests.converting.test_output import snapshot

from pisces.__main__ import main
from pisces.ui.width import width_of

LOSSY = {
    **PLUGIN,
    "agents/lost.md": "---\nname: lost\ndescription: Lost\ntools: KillShell\n---\nLost.\n",
    "agents/some.md": "---\nname: some\ndescription: Some\ntools: Read, KillShell\ncolor: blue\n---\nSome.\n",
}


class Shell:
    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.home = folder / "home"

    def run(self, *words: str) -> tuple[int, str, str]:
        status = main(["convert", *words])
        told = self._capsys.readouterr()
        return status, told.out, told.err


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("USERPROFILE", str(tmp_path / "home"))
    for name in ("GEMINI_CLI_HOME", "COLUMNS", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    return Shell(tmp_path, capsys)


def test_a_package_is_written_and_the_second_time_nothing_is(shell: Shell) -> None:
    put(shell.folder / "plugin", PLUGIN)
    status, _, notes = shell.run("plugin", "--to", "gemini", "--out", "out")
    assert status == 0, notes
    assert (shell.folder / "out/gemini-extension.json").is_file()
    status, _, notes = shell.run("plugin", "--to", "gemini", "--out", "out")
    assert status == 0
    assert "nothing to write" in notes


def test_each_target_has_its_folder(shell: Shell) -> None:
    put(shell.folder / "plugin", PLUGIN)
    shell.run("plugin", "--to", "gemini", "--to", "claude", "--out", "dist")
    assert (shell.folder / "dist/gemini/gemini-extension.json").is_file()
    assert (shell.folder / "dist/claude/.claude-plugin/plugin.json").is_file()


def put_market(folder: Path) -> None:
    """A plugin each for `demo`, `other` and `third`, and one that lies elsewhere."""
    entries = [{"name": name, "source": f"./{name}"} for name in ("demo", "other", "third")]
    far = {"name": "far", "source": {"source": "github", "repo": "somebody/far"}}
    listing = {"name": "market", "plugins": [*entries, far]}
    put(folder, {".claude-plugin/marketplace.json": json.dumps(listing)})
    put(folder / "demo", PLUGIN)
    for name in ("other", "third"):
        put(folder / name, {".claude-plugin/plugin.json": json.dumps({"name": name})})


@pytest.mark.parametrize(
    ("named", "made"), [(["demo", "other"], ["demo", "other"]), (["*"], ["demo", "other", "third"])]
)
def test_several_plugins_of_a_marketplace_have_a_folder_each(shell: Shell, named: list[str], made: list[str]) -> None:
    put_market(shell.folder / "market")
    words = [word for name in named for word in ("--plugin", name)]
    assert shell.run("market", *words, "--to", "gemini", "--to", "codex", "--out", "out")[0] == 0
    assert sorted(each.name for each in (shell.folder / "out").iterdir()) == made
    assert all((shell.folder / "out" / name / "gemini/gemini-extension.json").is_file() for name in made)


def test_nothing_is_written_where_one_of_several_plugins_is_not_there(shell: Shell) -> None:
    put_market(shell.folder / "market")
    status, _, notes = shell.run("market", "--plugin", "demo", "--plugin", "far", "--to", "gemini", "--out", "out")
    assert (status, (shell.folder / "out").exists()) == (1, False)
    assert "somewhere else" in notes


def test_an_installation_takes_one_plugin(shell: Shell) -> None:
    put_market(shell.folder / "market")
    status, _, notes = shell.run("market", "--plugin", "*", "--install", "gemini", "--yes")
    assert status == 1
    assert "one plugin at a time" in notes
    assert snapshot(shell.home) == {}


def test_a_plugin_of_a_marketplace_is_named(shell: Shell) -> None:
    put_market(shell.folder / "market")
    status, _, notes = shell.run("market", "--to", "gemini", "--out", "out")
    assert status == 1
    assert "--plugin" in notes
    assert shell.run("market", "--plugin", "demo", "--to", "gemini", "--out", "out")[0] == 0
    assert (shell.folder / "out/agents/reader.md").is_file()
    assert shell.run("market", "--plugin", "demo", "--install", "gemini", "--yes")[0] == 0
    assert shell.run("market", "--plugin", "demo", "--uninstall", "gemini")[0] == 0
    assert snapshot(shell.home) == {}


def test_a_target_that_is_unknown_stops_before_anything_is_written(shell: Shell) -> None:
    put(shell.folder / "plugin", PLUGIN)
    status, _, notes = shell.run("plugin", "--to", "gemini", "--to", "gemni", "--out", "dist")
    assert status == 1
    assert "[convert-unknown-target]" in notes
    assert not (shell.folder / "dist").exists()


@pytest.mark.parametrize("words", [(), ("--to", "gemini"), ("--out", "x")])
def test_without_a_target_and_a_folder_there_is_nothing_to_do(shell: Shell, words: tuple[str, ...]) -> None:
    put(shell.folder / "plugin", PLUGIN)
    status, _, notes = shell.run("plugin", *words)
    assert status == 1
    assert "[convert-nothing-to-do]" in notes


@pytest.mark.parametrize("flag", ["--dry-run", "--diff", "--check"])
def test_what_only_shows_writes_nothing(shell: Shell, flag: str) -> None:
    put(shell.folder / "plugin", PLUGIN)
    before = snapshot(shell.folder)
    status, shown, _ = shell.run("plugin", "--to", "gemini", "--out", "dist/out", flag)
    assert snapshot(shell.folder) == before
    assert "agents/reader.md" in shown
    assert status == (1 if flag == "--check" else 0)


def test_check_agrees_with_what_was_written_until_somebody_edits_it(shell: Shell) -> None:
    put(shell.folder / "plugin", PLUGIN)
    shell.run("plugin", "--to", "gemini", "--out", "out")
    assert shell.run("plugin", "--to", "gemini", "--out", "out", "--check")[0] == 0
    (shell.folder / "out/agents/reader.md").write_text("edited\n")
    status, shown, _ = shell.run("plugin", "--to", "gemini", "--out", "out", "--check", "--diff")
    assert status == 1
    assert "-edited" in shown
    assert "+++ b/agents/reader.md" in shown
    _, _, notes = shell.run("plugin", "--to", "gemini", "--out", "out")
    assert "agents/reader.md was edited since it was written, and was overwritten" in notes
    assert shell.run("plugin", "--to", "gemini", "--out", "out", "--check")[0] == 0


@pytest.mark.parametrize(
    ("limit", "status"),
    [("error", 1), ("widened", 1), ("dropped", 1), ("approximated", 1), ("warning", 1), ("note", 1)],
)
def test_an_error_fails_at_every_limit_and_the_output_is_written(shell: Shell, limit: str, status: int) -> None:
    put(shell.folder / "plugin", LOSSY)
    assert shell.run("plugin", "--to", "gemini", "--out", "out", "--fail-on", limit)[0] == status
    assert (shell.folder / "out/agents/some.md").is_file()


def test_a_limit_below_what_was_lost_does_not_fail(shell: Shell) -> None:
    put(shell.folder / "plugin", {key: text for key, text in LOSSY.items() if key != "agents/lost.md"})
    results = {
        limit: shell.run("plugin", "--to", "gemini", "--out", "out", "--fail-on", limit)[0]
        for limit in ("error", "widened", "dropped", "warning", "note")
    }
    assert results == {"error": 0, "widened": 0, "dropped": 1, "warning": 1, "note": 1}


def test_the_worst_comes_first_and_lines_fit(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    put(shell.folder / "plugin", LOSSY)
    _, shown, notes = shell.run("plugin", "--to", "gemini", "--out", "out", "--severity", "note")
    assert shown.index("agent `lost`") < shown.index("agent `some`")
    assert "lost-agent" in shown
    assert "color" in shown
    assert max(map(width_of, (shown + notes).splitlines())) <= 60
    _, shown, notes = shell.run("plugin", "--to", "gemini", "--out", "out")
    assert "color" not in shown
    assert "--severity note shows the rest" in " ".join(notes.split())


def test_json_has_every_fate_with_its_place(shell: Shell) -> None:
    put(shell.folder / "plugin", LOSSY)
    _, shown, _ = shell.run("plugin", "--to", "gemini", "--out", "out", "--output-format", "json")
    told = json.loads(shown)
    assert told["version"] == 1
    assert told["plugin"]["name"] == "demo"
    (made,) = told["conversions"]
    assert made["target"] == "gemini"
    assert sum(made["counts"].values()) == len(made["fates"])
    lost = next(each for each in made["fates"] if each["code"] == "lost-agent")
    assert (lost["path"], lost["severity"], lost["field"]) == ("agents/lost.md", "error", "tools")
    assert lost["line"] == 4
    assert {each["state"] for each in made["files"]} == {"new"}
    assert all(len(each["sha256"]) == 64 for each in made["files"])


def test_sarif_has_rules_lines_and_fingerprints(shell: Shell) -> None:
    put(shell.folder / "plugin", LOSSY)
    _, shown, _ = shell.run("plugin", "--to", "gemini", "--out", "out", "--output-format", "sarif")
    (run,) = json.loads(shown)["runs"]
    rules = {each["id"]: each for each in run["tool"]["driver"]["rules"]}
    assert rules["lost-agent"]["help"]["text"]
    lost = next(each for each in run["results"] if each["ruleId"] == "lost-agent")
    place = lost["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "plugin/agents/lost.md"
    assert place["region"]["startLine"] == 4
    assert lost["partialFingerprints"]


@pytest.mark.parametrize(
    ("name", "begins"), [("r.json", "{"), ("r.sarif", "{"), ("r.md", "## Conversion"), ("r.txt", "agent `lost`")]
)
def test_the_report_is_also_a_file(shell: Shell, name: str, begins: str) -> None:
    put(shell.folder / "plugin", LOSSY)
    shell.run("plugin", "--to", "gemini", "--out", "out", "--report", f"reports/{name}")
    text = (shell.folder / "reports" / name).read_text("utf-8")
    assert text.startswith(begins)
    assert "lost-agent" in text


def test_text_of_a_package_is_no_markup(shell: Shell) -> None:
    evil = "<script>x</script> @everyone [a](https://evil.example) | ![i](x) `` ` #1 www.evil.example"
    header = json.dumps(evil + "\x1b[31m")
    put(
        shell.folder / "plugin",
        {**PLUGIN, "agents/evil.md": f"---\nname: evil\n{header}: 1\ntools: {header}\n---\nx\n"},
    )
    _, shown, _ = shell.run("plugin", "--to", "gemini", "--out", "out", "--output-format", "markdown")
    assert "evil" in shown
    assert "\x1b" not in shown
    shown = re.sub("`[^`\n]+`", "", shown)  # in code nothing is markup
    for each in ("<script", "@everyone", "](https", "![i]", "www.evil", "https://"):
        assert each not in shown
    _, shown, notes = shell.run("plugin", "--to", "gemini", "--out", "out", "--severity", "note")
    assert "\x1b" not in shown + notes


def test_an_installation_needs_consent(shell: Shell) -> None:
    status_command = "---\ndescription: Status\n---\nSee !`git status --short`\n"
    put(shell.folder / "plugin", {**PLUGIN, "commands/status.md": status_command})
    status, _, notes = shell.run("plugin", "--install", "gemini")
    assert status == 1
    assert "[consent-needed]" in notes
    assert "docs: node server.js" in notes
    assert "https://mcp" in notes
    assert "/status: !`git status --short`" in notes
    assert snapshot(shell.home) == {}


def test_what_is_installed_is_taken_back_by_folder_or_name(shell: Shell) -> None:
    put(shell.folder / "plugin", PLUGIN)
    for word in ("plugin", "demo"):
        status, shown, notes = shell.run("plugin", "--install", "gemini", "--yes")
        assert status == 0, notes
        assert "installed demo in" in shown
        assert (shell.home / ".gemini/agents/reader.md").is_file()
        status, shown, _ = shell.run("plugin", "--install", "gemini")
        assert status == 0
        assert "unchanged" in shown
        status, shown, _ = shell.run(word, "--uninstall", "gemini")
        assert status == 0
        assert "uninstalled demo" in shown
        assert snapshot(shell.home) == {}


def test_several_packages_at_once_share_the_settings(shell: Shell) -> None:
    put(shell.home, {".gemini/settings.json": '{\n  "mine": 1\n}\n'})
    before = snapshot(shell.home)
    for name in ("one", "two", "three"):
        files = {
            ".claude-plugin/plugin.json": json.dumps({"name": name, "version": "1.0.0"}),
            ".mcp.json": json.dumps({f"server-{name}": {"command": name}}),
        }
        put(shell.folder / name, files)
    for words in (("--install", "gemini", "--yes"), ("--uninstall", "gemini")):
        started = [
            subprocess.Popen([sys.executable, "-m", "pisces", "convert", name, *words], stderr=subprocess.DEVNULL)
            for name in ("one", "two", "three")
        ]
        assert [each.wait(120) for each in started] == [0, 0, 0]
        servers = json.loads((shell.home / ".gemini/settings.json").read_text()).get("mcpServers", {})
        assert len(servers) == (3 if "--yes" in words else 0)
    assert snapshot(shell.home) == before


def test_a_dry_run_installs_nothing(shell: Shell) -> None:
    put(shell.folder / "plugin", PLUGIN)
    status, shown, _ = shell.run("plugin", "--install", "gemini", "--dry-run")
    assert status == 0
    assert "would install demo" in shown
    assert snapshot(shell.home) == {}


def test_a_guard_that_cannot_be_installed_is_an_error(shell: Shell) -> None:
    guard = {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "exit 2"}]}]}
    put(shell.folder / "plugin", {**PLUGIN, "hooks/hooks.json": json.dumps({"hooks": guard})})
    status, shown, _ = shell.run("plugin", "--install", "gemini", "--yes")
    assert status == 1
    assert "[lost-guard]" in shown


def test_what_is_not_installed_is_said(shell: Shell) -> None:
    status, _, notes = shell.run("demo", "--uninstall", "gemini")
    assert status == 1
    assert "[install-not-installed]" in notes


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX terminals")
@pytest.mark.parametrize(("answer", "is_installed"), [(b"y\n", True), (b"n\n", False), (b"\x03", False)])
def test_the_question_at_a_terminal(tmp_path: Path, answer: bytes, is_installed: bool) -> None:
    from tests.terminal import Terminal

    put(tmp_path / "plugin", PLUGIN)
    (tmp_path / "home").mkdir()
    env = {**os.environ, "HOME": str(tmp_path / "home")}
    shell = Terminal(["-m", "pisces", "convert", "plugin", "--install", "gemini"], tmp_path, env, (0, 0), b"")
    shell.wait_for("[y/N]")
    shell.type(answer)
    status = shell.end()
    assert (tmp_path / "home/.gemini/demo/install-manifest.json").exists() == is_installed
    assert (status == 0) == is_installed
