"""Claude Code's settings files, strongest first: managed, local, project, user. It refuses some as a whole."""

from __future__ import annotations

from pisces.diagnostics import ERROR, Diagnostic, Rule
from pisces.discovery.config_file import MARKED, ConfigFile, config_at
from pisces.discovery.finders import settings_files
from pisces.discovery.found import MANAGED
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.options import SettingsFiles
from pisces.harnesses.claude import WithSettings
from pisces.harnesses.claude.settings import refusal_of, sources

CLAUDE_SETTINGS_REFUSED = Rule("claude-settings-refused", ERROR, "Claude Code refuses a settings file as a whole")


def find(where: Where[WithSettings]) -> FinderResults:
    for level, path in sources(where):
        file = config_at(path, MARKED, where.run)
        usable = isinstance(file, ConfigFile) and isinstance(file.value, dict)
        held = refusal_of(file, where.run) if usable and level != MANAGED else None  # type: ignore[arg-type]
        if held:
            yield _refused(held.reason, held.path, held.line)
        yield from settings_files.find(where.given(SettingsFiles(), path).replace(level=level, held=held))


def _refused(reason: str, path: str, line: int) -> Diagnostic:
    hint = "nothing in it counts until this is mended, its `permissions.deny` and hooks included"
    return CLAUDE_SETTINGS_REFUSED.at(path, reason, place=(line, 1), hint=hint)
