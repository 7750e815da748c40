"""A home and a project for tests of `pisces mcp`, and pisces run in them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.warm_shell import pisces

SERVER = str(Path(__file__).parent / "servers" / "shell_server.py")


class McpWorld:
    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "home" / "code"
        (self.project / ".git").mkdir(parents=True)

    @property
    def env(self) -> dict[str, str]:
        passed = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR") if name in os.environ}
        home = {"HOME": str(self.home), "USERPROFILE": str(self.home)}
        return {**passed, **home, "COLUMNS": "0", "PYTHONUTF8": "1", "PISCES_VAULT": "file"}

    def write(self, name: str, content: Any) -> Path:
        """Below home with `~/`, else below the project."""
        path = self.home / name[2:] if name.startswith("~/") else self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), "utf-8")
        return path

    def entry(self, *words: str, **fields: Any) -> dict[str, Any]:
        """The entry of a little server of ours, with a fault if words name one."""
        return {"command": sys.executable, "args": [SERVER, *words], **fields}

    def run(self, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
        return pisces("mcp", *words, cwd=self.project, env={**self.env, **env})

    def json(self, *words: str, **env: str) -> Any:
        return json.loads(self.run(*words, "--output-format", "json", **env).stdout)
