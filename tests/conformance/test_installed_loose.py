"""The real Gemini CLI sees what was installed into `~/.gemini`, and nothing of it after it is taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conformance.workspaces.gemini import Gemini, why_missing
from tests.conformance.workspaces.workspace import Workspace
from tests.converting.test_convert import places_of, put
from tests.converting.test_install import PLUGIN, installed, uninstalled

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

KINDS = ("commands", "skills", "subagents", "mcp-servers")


def seen(gemini: Gemini, tmp_path: Path) -> dict[str, set[str]]:
    verdict = gemini.verdict(Workspace("loose", tmp_path / "home", tmp_path / "project"))
    assert "refused" not in verdict, verdict
    home = str(tmp_path / "home")
    return {kind: {name for name, path, _ in verdict[kind] if path is None or path.startswith(home)} for kind in KINDS}


def test_gemini_cli_loads_what_was_installed(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    gemini = Gemini(tmp_path_factory.mktemp("scratch"))
    (tmp_path / "project").mkdir()
    put(tmp_path / "home", {".gemini/settings.json": '{\n  // mine\n  "ui": {"theme": "Default"}\n}\n'})
    before = seen(gemini, tmp_path)
    places = places_of(tmp_path)
    installed(put(tmp_path / "plugin", PLUGIN), places)
    after = seen(gemini, tmp_path)
    new = {kind: {*after[kind]} - {*before[kind]} for kind in KINDS}
    assert new["mcp-servers"] == {"docs", "web"}
    assert new["skills"] == {"notes"}
    assert new["subagents"] == {"reader"}
    assert "demo:commit" in new["commands"]
    uninstalled(places)
    assert seen(gemini, tmp_path) == before
