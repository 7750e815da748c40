"""The folders of one case: a home, a workspace, and what else the case names, with its placeholders filled in."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.hook_cases.hook_server import HookServer


class Folders(NamedTuple):
    """`names` are the placeholders: `@WORK@` stands for the workspace."""

    root: Path
    home: Path
    work: Path
    names: Mapping[str, str]

    def filled(self, value: Any) -> Any:
        text = json.dumps(value)
        for name, path in self.names.items():
            text = text.replace(name, path)
        return json.loads(text)

    def emptied(self, value: Any) -> Any:
        """The other direction, so that no path of this machine is compared or printed."""
        text = json.dumps(value)
        for name, path in sorted(self.names.items(), key=lambda each: -len(each[1])):
            text = text.replace(json.dumps(path)[1:-1], name)
        return json.loads(text)


def case_folders(root: Path, url: str = "http://127.0.0.1:9") -> Folders:
    made = {name: root / name.lower() for name in ("HOME", "WORK", "REC", "PLUGINS")}
    for folder in made.values():
        folder.mkdir(parents=True)
    names = {f"@{name}@": str(folder) for name, folder in made.items()}
    names |= {"@ROOT@": str(root), "@MCP@": "server.py", "@HTTP@": url}
    return Folders(root, made["HOME"], made["WORK"], names)


@contextmanager
def folders(config: Mapping[str, Any]) -> Iterator[Folders]:
    """They are removed at the end, with whatever hooks put there."""
    root = Path(tempfile.mkdtemp(prefix="hook-case-")).resolve()
    server = HookServer(config["http"]) if "http" in config else None
    try:
        yield case_folders(root, server.url if server else "http://127.0.0.1:9")
    finally:
        if server:
            server.close()
        shutil.rmtree(root, ignore_errors=True)


def write_tree(folder: Path, files: Mapping[str, Any]) -> None:
    """Text as it is, anything else as JSON. What begins as a script can be run."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        mode = 0
        if isinstance(content, dict) and set(content) == {"text", "mode"}:
            content, mode = content["text"], int(content["mode"], 8)
        text = content if isinstance(content, str) else json.dumps(content, indent=1)
        path.write_text(text, "utf-8")
        if mode or text.startswith("#!"):
            path.chmod(mode or 0o755)


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")


def child_environment(folders: Folders, more: Mapping[str, Any]) -> dict[str, str]:
    base = {"HOME": str(folders.home), "LANG": "C.UTF-8", "TERM": "dumb", "PATH": _path()}
    return base | {name: str(value) for name, value in more.items() if value is not None}


def _path() -> str:
    return f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin"
