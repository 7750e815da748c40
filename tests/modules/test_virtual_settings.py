"""Settings of pi, as modules read them here, are what pi itself would say: every getter, with and without settings."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.modules.sidecar.runtime import HERE
from tests.modules.js_session import MODULES, bun

THEIRS = MODULES / "@mariozechner" / "pi-coding-agent" / "dist" / "core" / "settings-manager.js"
OURS = Path(HERE) / "virtual" / "agent" / "settings.mjs"
GIVEN: list[dict[str, Any]] = [
    {},
    {
        "theme": "dark",
        "quietStartup": True,
        "compaction": {"enabled": False, "reserveTokens": 5},
        "retry": {"maxRetries": 9, "provider": {"timeoutMs": 7}},
        "terminal": {"showImages": False, "imageWidthCells": 20},
        "images": {"blockImages": True},
        "extensions": ["a.ts"],
        "skills": ["s"],
        "markdown": {"codeBlockIndent": ""},
        "branchSummary": {"skipPrompt": True},
        "warnings": {"anthropicExtraUsage": False},
    },
]
SCRIPT = """
const [theirs, ours] = await Promise.all(process.argv.slice(2, 4).map((path) => import(path)));
const every = Object.getOwnPropertyNames(theirs.SettingsManager.prototype);
const getters = every.filter((name) => /^(get|is|should)[A-Z]/.test(name));
const said = (manager) => Object.fromEntries(getters.map((name) => [name, manager[name]()]));
const both = (given) => [theirs, ours].map(({ SettingsManager }) => said(SettingsManager.inMemory(given)));
console.log(JSON.stringify(JSON.parse(process.argv[4]).map(both)));
"""


@pytest.mark.skipif(not THEIRS.is_file(), reason="pi is not installed: scripts/setup-peers does that")
def test_every_getter_says_what_pi_says(tmp_path: Path) -> None:
    script = tmp_path / "compare.mjs"
    script.write_text(SCRIPT, "utf-8")
    argv = [bun().argv[0], str(script), str(THEIRS), str(OURS), json.dumps(GIVEN)]
    env = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}
    said = subprocess.run(argv, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60, check=True).stdout
    for theirs, ours in json.loads(said):
        assert len(theirs) >= 30
        assert ours == theirs
