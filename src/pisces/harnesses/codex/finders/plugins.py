"""The plugins that Codex would load: those that the user's config.toml enables, at their newest installed version.

They lie in `plugins/cache/<marketplace>/<plugin>/<version>` beside it; a version called `local` beats all others.
"""

from __future__ import annotations

import os

from pisces.diagnostics import NOTE, WARNING, Rule
from pisces.discovery.config_file import TOML, ConfigFile, config_at
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.package_format import format_once
from pisces.discovery.state import OFF, switched
from pisces.files import Unreadable, entries, is_folder, read_text
from pisces.harnesses.codex import MANIFEST

CODEX_PLUGIN_OFF = Rule("codex-plugin-off", NOTE, "A plugin of Codex is installed but switched off")
CODEX_PLUGIN_MISSING = Rule("codex-plugin-missing", WARNING, "A plugin that Codex should load is not installed")

FORMAT = "codex-plugin"
MANIFESTS = (MANIFEST, ".claude-plugin/plugin.json", ".cursor-plugin/plugin.json", "plugin.json")


def find(where: Where) -> FinderResults:
    if not _mentions_plugins(where.path):
        return  # before TOML is loaded: most users have the file and no plugins
    file = config_at(where.path, TOML, where.run)
    if isinstance(file, ConfigFile):
        listed = file.part(("plugins",))
        for key, entry in sorted(listed.items()) if isinstance(listed, dict) else ():
            yield from _plugin(where, file, key, entry)


def _mentions_plugins(path: str) -> bool:
    try:
        return "plugins" in read_text(path)
    except Unreadable:
        return False


def _plugin(where: Where, file: ConfigFile, key: str, entry: object) -> FinderResults:
    name, _, marketplace = key.partition("@")
    held = None
    if not isinstance(entry, dict) or entry.get("enabled", True) is False:
        place, keys = file.place("plugins", key), ("plugins", key, "enabled")
        held = switched(OFF, "the plugin is switched off", file, keys, f"codex plugin enable {key}")
        yield CODEX_PLUGIN_OFF.at(file.path, f"plugin `{key}` is switched off", place=place, about=name)
    cache = os.path.join(os.path.dirname(file.path), "plugins", "cache", marketplace, name)
    folder = _newest(cache)
    manifest = _manifest(folder) if folder else ""
    if not manifest and not held:
        message, place = f"plugin `{key}` is enabled but not installed", file.place("plugins", key)
        yield CODEX_PLUGIN_MISSING.at(file.path, message, place=place, about=name)
    if not manifest:
        return
    read = format_once(FORMAT, where.run).replace(manifest=manifest).read(folder, where.places)
    if not held:
        yield from read.diagnostics
    if read.package:
        yield where.replace(held=held).found(read.package, os.path.join(folder, *manifest.split("/")))


def _newest(cache: str) -> str:
    versions = [entry.name for entry in entries(cache) if is_folder(entry)]
    if not versions:
        return ""
    return os.path.join(cache, "local" if "local" in versions else max(versions, key=_order))


def _order(version: str) -> tuple[tuple[int, int, str], ...]:
    """Numbers compare as numbers, and a pre-release comes before its release."""
    plain, dash, rest = version.partition("-")
    numbers = [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in plain.replace("+", ".").split(".")]
    return (*numbers, (0, 0, rest) if dash else (1, 0, ""))


def _manifest(folder: str) -> str:
    return next((name for name in MANIFESTS if os.path.isfile(os.path.join(folder, *name.split("/")))), "")
