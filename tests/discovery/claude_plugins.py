"""What tests put where Claude Code has it: plugins recorded, listed and switched on; repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def git_folder(repository: Path) -> None:
    """What makes a folder a repository for Claude Code."""
    for name in ("objects", "refs"):
        (repository / ".git" / name).mkdir(parents=True, exist_ok=True)
    (repository / ".git/HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")


def install(home: Path, plugin: str, folder: Path, *, on: bool | None = True) -> None:
    """`plugin` is `name@marketplace`; with `on` None no settings file names it."""
    name, _, market = plugin.partition("@")
    place = home / ".claude/plugins/marketplaces" / market
    listing = _changed(place / ".claude-plugin/marketplace.json")
    plugins = [each for each in listing.get("plugins", []) if each["name"] != name]
    plugins.append({"name": name, "source": f"./{name}"})
    _write(
        place / ".claude-plugin/marketplace.json",
        {"name": market, "owner": {"name": "Somebody"}, "plugins": plugins},
    )
    known = home / ".claude/plugins/known_marketplaces.json"
    source = {"source": "github", "repo": f"somebody/{market}"}
    added = {"source": source, "installLocation": str(place), "lastUpdated": "2026-01-01T00:00:00.000Z"}
    _write(known, {**_changed(known), market: added})
    records = home / ".claude/plugins/installed_plugins.json"
    record = {"scope": "user", "installPath": str(folder), "version": "1.0.0"}
    _write(records, {"version": 2, "plugins": {**_changed(records).get("plugins", {}), plugin: [record]}})
    if on is not None:
        settings = home / ".claude/settings.json"
        before = _changed(settings)
        _write(settings, {**before, "enabledPlugins": {**before.get("enabledPlugins", {}), plugin: on}})


def _changed(path: Path) -> Any:
    return json.loads(path.read_text()) if path.exists() else {}


def _write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1), encoding="utf-8")
