"""The real Gemini CLI, in a throwaway home without network: both of us manage the same extensions.

Slow, about a second for each of its calls, so each test is one story. Skipped where it is not installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.harnesses.gemini.store import act
from pisces.harnesses.gemini.store.stored import read_index
from pisces.packages.fetching.source import parse_source
from tests.packages.repositories import commit, repository
from tests.packages.test_gemini_store import World, said

PEERS = Path(os.environ.get("PISCES_PEERS") or Path(__file__).resolve().parents[2] / ".peers")
PROGRAM = PEERS / "node_modules" / "@google" / "gemini-cli" / "bundle" / "gemini.js"
NO_NETWORK = Path(__file__).with_name("no_network.mjs").as_uri()

pytestmark = [
    pytest.mark.skipif(not shutil.which("node") or not shutil.which("git"), reason="needs node and git"),
    pytest.mark.skipif(
        not PROGRAM.is_file(),
        reason="needs the real Gemini CLI: npm install --prefix .peers @google/gemini-cli@0.61.0, or PISCES_PEERS",
    ),
]


class Gemini:
    """Gemini CLI with the home of a world, at work in its folder or in another one."""

    def __init__(self, world: World, *trusted: Path) -> None:
        self.world = world
        folder = world.home / ".gemini"
        folder.mkdir()
        (folder / "settings.json").write_text('{"privacy": {"usageStatisticsEnabled": false}}')
        folders = {str(path): "TRUST_FOLDER" for path in (world.places.cwd, *trusted)}
        (folder / "trustedFolders.json").write_text(json.dumps(folders))

    def __call__(self, *words: str, cwd: Path | None = None) -> str:
        """What it says; it says everything on stderr."""
        home = str(self.world.home)
        env = {"PATH": os.environ["PATH"], "HOME": home, "USERPROFILE": home, "GEMINI_CLI_NO_RELAUNCH": "true"}
        env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "NO_COLOR": "1"}
        command = ["node", "--import", NO_NETWORK, str(PROGRAM), "extensions", *words]
        done = subprocess.run(
            command,
            cwd=cwd or self.world.places.cwd,
            env=env,
            input="y\ny\n",
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stderr

    def listed(self, cwd: Path | None = None) -> dict[str, dict[str, Any]]:
        told = self("list", "-o", "json", cwd=cwd)
        found, _ = json.JSONDecoder().raw_decode(told[told.index("[") :])
        return {each["name"]: each for each in found}


def states(listed: dict[str, dict[str, Any]]) -> dict[str, tuple[str, bool]]:
    return {name: (each["version"], each["isActive"]) for name, each in listed.items()}


def test_gemini_cli_manages_what_we_installed(tmp_path: Path) -> None:
    world = World(tmp_path)
    gemini = Gemini(world)
    plain, linked = world.extension("1.0.0", "plain", "plain"), world.extension("1.0.0", "linked", "linked")
    cloned = repository(tmp_path / "cloned", {"gemini-extension.json": '{"name": "cloned", "version": "1.0.0"}'})
    world.install(plain)
    act.link(str(linked), world.shop)
    act.install(parse_source(f"git+file://{cloned}", world.places), world.shop)

    listed = gemini.listed()
    assert states(listed) == dict.fromkeys(("plain", "linked", "cloned"), ("1.0.0", True))
    assert listed["plain"]["installMetadata"] == {"source": str(plain), "type": "local"}
    assert listed["linked"]["path"] == str(linked)

    gemini("disable", "plain")
    assert sorted(world.listed(world.home)) == ["cloned", "linked"]
    act.disable("plain", "user", world.shop)
    assert states(gemini.listed())["plain"] == ("1.0.0", False), "and that outside of home"
    gemini("enable", "plain", "--scope", "workspace")
    assert sorted(world.listed()) == ["cloned", "linked", "plain"]
    assert "plain" not in world.listed(world.home)

    commit(cloned, {"gemini-extension.json": '{"name": "cloned", "version": "2.0.0"}'})
    assert "successfully updated: 1.0.0 → 2.0.0" in gemini("update", "cloned")
    assert read_index(world.places)["cloned"].version == "2.0.0"

    gemini("uninstall", "plain", "linked", "cloned")
    assert read_index(world.places) == {}
    assert world.rules == {}
    assert (linked / "gemini-extension.json").exists()
    assert world.install(plain).changed


def test_we_manage_what_gemini_cli_installed(tmp_path: Path) -> None:
    world = World(tmp_path)
    source = world.extension("1.0.0", "kit", "kit")
    gemini = Gemini(world, source)
    gemini("install", str(source), "--consent", "--skip-settings")
    assert "kit  1.0.0  gemini  user" in said(world, "list")
    assert "installed by Gemini CLI" in said(world, "info", "kit")

    said(world, "disable", "kit", "--scope", "workspace")
    assert states(gemini.listed()) == {"kit": ("1.0.0", False)}
    said(world, "enable", "kit")
    world.extension("2.0.0", "kit", "kit")
    assert world.update("kit")
    world.extension("3.0.0", "kit", "kit")
    assert "successfully updated: 2.0.0 → 3.0.0" in gemini("update", "kit"), (
        "it goes on from there, and its signature holds"
    )

    said(world, "uninstall", "kit")
    assert gemini.listed() == {}
    assert world.rules == {}
