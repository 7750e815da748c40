"""There and back again: the source byte for byte, an edited part anew, and a second run that changes nothing.

With PISCES_CLAUDE_PLUGINS, real plugins take the same walk. Nothing of them runs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from pisces.converting.convert import Converted, ConvertRequest, convert
from pisces.converting.origin import ORIGIN
from pisces.converting.output import SAME, apply, planned
from pisces.converting.plugin import Plugin, PluginAgent, PluginCommand, PluginSkill
from pisces.converting.reading import read_plugin
from tests.converting.generated_plugins import Tree, plugin_tree
from tests.converting.test_convert import places_of

FORMATS = {
    "gemini": "gemini",
    "codex": "codex-plugin",
    "agent-plugin": "agent-plugin",
    "antigravity": "antigravity-plugin",
    "copilot": "copilot-plugin",
    "cursor": "cursor-plugin",
}
SEEDS = range(int(os.environ.get("PISCES_ROUND_TRIPS", "12")))
REAL = Path(os.environ.get("PISCES_CLAUDE_PLUGINS") or "nowhere")


def planted(folder: Path, tree: Tree) -> Path:
    for path, data in tree.items():
        whole = folder / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_bytes(data)
        whole.chmod(0o755 if path.endswith(".sh") else 0o644)
    return folder


def converted(source: Path, target: str, out: Path, only: str = "claude-plugin") -> Converted:
    made = convert(ConvertRequest(str(source), target, only=only), places_of(out.parent))
    apply(planned(made.files, made.folder, str(out)), str(out))
    return made


def tree_of(folder: Path) -> dict[str, tuple[bytes, bool]]:
    files = (each for each in folder.rglob("*") if each.is_file())
    return {
        each.relative_to(folder).as_posix(): (each.read_bytes(), os.name != "nt" and bool(each.stat().st_mode & 0o100))
        for each in files
        if not {".git", "node_modules"} & set(each.relative_to(folder).parts)
    }


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_way_back_gives_every_byte_and_mode_of_the_source(seed: int, target: str, tmp_path: Path) -> None:
    source = planted(tmp_path / "source", plugin_tree(seed))
    converted(source, target, tmp_path / "out")
    converted(tmp_path / "out", "claude", tmp_path / "back", FORMATS[target])
    assert tree_of(tmp_path / "back") == tree_of(source)


EXTENSION = {
    "gemini-extension.json": b'{"name": "demo", "version": "1.0.0", "mcpServers": {"docs": {"httpUrl": "https://a.org"}}}',
    "GEMINI.md": b"Be brief.\r\n",
    "commands/demo/go.toml": b'prompt = "Go {{args}} after !{git status}"\n',
    "skills/notes/SKILL.md": b"---\nname: notes\ndescription: Notes\n---\nWrite $1.\n",
    "agents/reader.md": b"---\nname: reader\ndescription: Reads\ntools: [read_file]\n---\nRead.\n",
    "scripts/run.sh": b"#!/bin/sh\n",
}


@pytest.mark.parametrize(("target", "only"), [("claude", "claude-plugin"), ("codex", "codex-plugin")])
def test_an_extension_comes_back_byte_for_byte(target: str, only: str, tmp_path: Path) -> None:
    source = planted(tmp_path / "source", EXTENSION)
    converted(source, target, tmp_path / "out", "gemini")
    converted(tmp_path / "out", "gemini", tmp_path / "back", only)
    assert tree_of(tmp_path / "back") == tree_of(source)


@pytest.mark.parametrize("target", FORMATS)
def test_a_second_run_changes_no_byte(target: str, tmp_path: Path) -> None:
    for seed in SEEDS:
        source, out = planted(tmp_path / f"s{seed}", plugin_tree(seed)), tmp_path / f"o{seed}"
        converted(source, target, out)
        again = convert(ConvertRequest(str(source), target, only="claude-plugin"), places_of(tmp_path))
        assert {each.state for each in planned(again.files, again.folder, str(out))} == {SAME}


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_written_is_read_as_what_was_meant(seed: int, target: str, tmp_path: Path) -> None:
    """Every file that the fates name exists, and the format's own reader finds in it what the source said there."""
    source = planted(tmp_path / "source", plugin_tree(seed))
    made = converted(source, target, tmp_path / "out")
    outputs = {each.output for each in made.fates if each.output}
    assert outputs <= {each.path for each in made.files}
    back = read_plugin(str(tmp_path / "out"), places_of(tmp_path), FORMATS[target]).plugin
    pages = {each.path for each in made.files if each.path.startswith("skills/") and each.path.endswith("/SKILL.md")}
    assert {each.path for each in back.skills} == pages
    assert _said(back, made) == _meant(made)
    assert (back.version, back.description) == (made.plugin.version or back.version, made.plugin.description)
    servers = {each.output for each in made.fates if each.subject.startswith("server ") and each.output}
    assert bool(back.servers) == bool(servers)


def _items(plugin: Plugin) -> list[PluginCommand | PluginSkill | PluginAgent]:
    return [*plugin.commands, *plugin.skills, *plugin.agents]


def _meant(made: Converted) -> dict[str, str]:
    """What each item of the source says of itself, by the file that it became. A description is never empty."""
    found = {}
    items = {(each.kind, each.name, each.path): each for each in _items(made.plugin)}
    for fate in made.fates:
        for (kind, name, path), item in items.items():
            if fate.output and fate.subject == f"{kind} `{name}`" and fate.path == path:
                found[fate.output] = " ".join(item.description.split())
    return {path: text for path, text in found.items() if text and _is_item(path)}


def _said(plugin: Plugin, made: Converted) -> dict[str, str]:
    items = {each.path: " ".join(each.description.split()) for each in _items(plugin)}
    wanted = _meant(made)
    return {
        path: wanted[path] if text.startswith(wanted[path]) else text for path, text in items.items() if path in wanted
    }


def _is_item(path: str) -> bool:
    """Whether a reader finds it: subagents of Codex lie beside the plugin, and our own namespace is ours alone."""
    return not path.startswith("dev.pisces/") and (path.endswith(".md") or path.startswith("commands/"))


@pytest.mark.parametrize("target", FORMATS)
def test_an_edited_part_is_converted_anew_and_the_rest_is_restored(target: str, tmp_path: Path) -> None:
    files = {
        ".claude-plugin/plugin.json": b'{"name": "demo", "version": "1.0.0", "custom": 1}',
        "skills/notes/SKILL.md": b"---\nname: notes\ndescription: Notes\n---\nWrite notes.\n",
        "skills/other/SKILL.md": b"---\nname: other\ndescription: Other\ncolor: red\n---\n${CLAUDE_PLUGIN_ROOT}/x\n",
        "agents/deep/reader.md": b"---\nname: reader\ndescription: Reads\ncolor: red\n---\nRead.\n",
    }
    source = planted(tmp_path / "source", files)
    out = tmp_path / "out"
    converted(source, target, out)
    page = out / "skills/notes/SKILL.md"
    page.write_text(page.read_text("utf-8").replace("Write notes.", "Write better notes."), "utf-8")
    converted(out, "claude", tmp_path / "back", FORMATS[target])
    back = tree_of(tmp_path / "back")
    assert b"Write better notes." in back.pop("skills/notes/SKILL.md")[0]
    back.pop(ORIGIN)
    assert back == {path: found for path, found in tree_of(source).items() if path != "skills/notes/SKILL.md"}


def test_what_was_removed_is_gone_and_what_is_new_comes_along(tmp_path: Path) -> None:
    page = b"---\nname: %s\ndescription: d\n---\nx\n"
    names = ("a", "b")
    tree = {f"skills/{name}/SKILL.md": page % name.encode() for name in names}
    source = planted(tmp_path / "source", {".claude-plugin/plugin.json": b'{"name": "demo"}', **tree})
    out = tmp_path / "out"
    converted(source, "codex", out)
    (out / "skills/a/SKILL.md").unlink()
    planted(out, {"skills/c/SKILL.md": page % b"c"})
    made = converted(out, "claude", tmp_path / "back", "codex-plugin")
    assert set(tree_of(tmp_path / "back")) == {
        ".claude-plugin/plugin.json",
        "skills/b/SKILL.md",
        "skills/c/SKILL.md",
        ORIGIN,
    }
    assert any(each.path == "skills/a/SKILL.md" and each.is_loss for each in made.fates)


def test_a_program_that_is_none_any_more_is_an_edit(tmp_path: Path) -> None:
    source = planted(tmp_path / "source", {".claude-plugin/plugin.json": b'{"name": "demo"}', "run.sh": b"#!/bin/sh\n"})
    out = tmp_path / "out"
    converted(source, "codex", out)
    (out / "run.sh").chmod(0o644)
    converted(out, "claude", tmp_path / "back", "codex-plugin")
    assert tree_of(tmp_path / "back")["run.sh"][1] is False


@pytest.mark.skipif(not REAL.is_dir(), reason="needs real plugins: PISCES_CLAUDE_PLUGINS names a folder of them")
@pytest.mark.parametrize("target", FORMATS)
def test_real_plugins_come_back_byte_for_byte(target: str, tmp_path: Path) -> None:
    wrong = []
    for source in sorted(each for each in REAL.iterdir() if each.is_dir()):
        out, back = tmp_path / f"{source.name}.out", tmp_path / f"{source.name}.back"
        converted(source, target, out)
        converted(out, "claude", back, FORMATS[target])
        if tree_of(back) != tree_of(source):
            wrong.append(source.name)
    assert not wrong


def test_an_edited_manifest_is_converted_anew_and_the_rest_is_restored(tmp_path: Path) -> None:
    files = {
        ".claude-plugin/plugin.json": b'{"name": "demo", "version": "1.0.0", "description": "old"}',
        "commands/go.md": b"---\ndescription: Goes\ncolor: red\n---\nGo $1\n",
    }
    source, out = planted(tmp_path / "source", files), tmp_path / "out"
    converted(source, "gemini", out)
    manifest = out / "gemini-extension.json"
    manifest.write_text(manifest.read_text("utf-8").replace('"old"', '"new"'), "utf-8")
    converted(out, "claude", tmp_path / "back", "gemini")
    back = tree_of(tmp_path / "back")
    assert json.loads(back[".claude-plugin/plugin.json"][0])["description"] == "new"
    assert back["commands/go.md"][0] == files["commands/go.md"]
