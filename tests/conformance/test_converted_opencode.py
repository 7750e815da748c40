"""The real OpenCode loads every part of a converted package, with the limits that its author set."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conformance.workspaces.asking import said
from tests.conformance.workspaces.opencode import ENV, why_missing
from tests.conformance.workspaces.workspace import Workspace
from tests.converting.test_other_targets import written
from tests.peer_programs import OPENCODE

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())


def test_opencode_takes_all_that_was_converted_for_it(tmp_path: Path) -> None:
    assert OPENCODE
    out, home = written(tmp_path, "opencode"), tmp_path / "home"
    home.mkdir()
    (out / ".git").mkdir()
    workspace = Workspace("converted", home, out)
    ran = said([OPENCODE, "debug", "config", "--pure"], workspace, **ENV)
    assert ran.stdout.startswith("{"), ran.stderr
    config = json.loads(ran.stdout)
    assert {"free", "reader"} <= set(config["agent"])
    assert "none" not in config["agent"]
    reader = config["agent"]["reader"]
    assert reader["mode"] == "subagent"
    assert [reader["permission"][key] for key in ("*", "read", "grep")] == ["deny", "allow", "allow"]
    assert set(config["command"]) == {"demo/git/commit", "demo/alone"}
    assert set(config["mcp"]) == {"docs", "local"}
    skills = json.loads(said([OPENCODE, "debug", "skill", "--pure"], workspace, **ENV).stdout)
    own = [each["name"] for each in skills if each["location"].startswith(str(out))]
    assert own == ["notes"]
