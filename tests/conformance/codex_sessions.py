"""Sessions of the real Codex with a converted plugin, on a scripted model: what it made of every call."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from tests.conformance.fake_models import FakeModel, fake_model
from tests.converting.test_round_trip import converted, planted
from tests.peer_programs import CODEX

SECONDS = 300
_CONFIG = """
model = "gpt-5.5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "{address}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
request_max_retries = 0
stream_max_retries = 0
[projects."{work}"]
trust_level = "trusted"
[analytics]
enabled = false
[features]
plugins = true
apps = false
remote_plugin = false
shell_snapshot = false
[plugins."guard@local"]
enabled = true
"""


class CodexSession:
    """A home with one plugin, made of these hooks and files. `work` is where the agent works."""

    def __init__(self, folder: Path, hooks: object, files: dict[str, str] | None = None) -> None:
        self.work, self._home = folder / "work", folder / "home"
        for each in (self.work, self._home / ".codex"):
            each.mkdir(parents=True)
        tree = {
            ".claude-plugin/plugin.json": b'{"name": "guard", "version": "1.0.0"}',
            "hooks/hooks.json": json.dumps({"hooks": hooks}).encode(),
            **{path: text.encode() for path, text in (files or {}).items()},
        }
        self.plugin = folder / "market/plugins/guard"
        converted(planted(folder / "source", tree), "codex", self.plugin)
        index = folder / "market/.agents/plugins/marketplace.json"
        index.parent.mkdir(parents=True)
        entry = {"name": "guard", "source": {"source": "local", "path": "./plugins/guard"}}
        index.write_text(json.dumps({"name": "local", "plugins": [entry]}), "utf-8")
        self._run("plugin", "marketplace", "add", str(folder / "market"))

    def install(self) -> Path:
        """Where Codex keeps the plugin."""
        self._run("plugin", "add", "guard@local")
        return next(self._home.glob(".codex/plugins/cache/**/hooks/claude-compat")).parents[1]

    def talk(self, *calls: tuple[str, dict[str, Any]], prompt: str = "go", **env: str) -> FakeModel:
        with fake_model(*calls) as model:
            config = _CONFIG.format(address=model.address, work=self.work)
            (self._home / ".codex/config.toml").write_text(config, "utf-8")
            words = ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", prompt]
            self._run(*words, **env)
        return model

    def _run(self, *words: str, **env: str) -> None:
        subprocess.run(
            [str(CODEX), *words],
            env={"HOME": str(self._home), "PATH": os.environ["PATH"], "FAKE_KEY": "sk", "SHELL": "/bin/bash", **env},
            cwd=self.work,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=words[0] == "plugin",
        )


def told(model: FakeModel) -> list[str]:
    """What the model was told of each call, in their order."""
    items = model.bodies[-1]["input"]
    return [json.dumps(each["output"]) for each in items if each["type"].endswith("_call_output")]
