"""A file that would be run as a module: where it came from, and in which language it speaks."""

from __future__ import annotations

from pisces.discovery.found import PROJECT
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.diagnostics import Diagnostic

NATIVE = "native"  # found in `.pisces/extensions`, of the project or of the user
PACKAGE = "package"  # declared by an installed package
CLI = "cli"  # named for this run: `-e`, `--hook`, or by the program that embeds us
SETTINGS = "settings"  # listed under `extensions` in a settings file

PYTHON = "python"


RUNS = "runs"
DISABLED = "disabled"  # switched off by its id
OFF = "off in safe mode"
NOT_TRUSTED = "not trusted"  # brought by a project that nobody trusts


class ModuleEntry(Value):
    """`level` is `project` for what the project brings and `user` for what the user chose.

    `folder` is the module's own, where its relative imports end; empty for a loose file. `off_by` is the level of the
    settings that switch it off. `pins` are the files that somebody agreed to, by absolute path: nothing else may be
    loaded. None means that whatever lies there may.
    """

    path: str
    name: str
    language: str
    origin: str
    level: str
    package: str = ""
    folder: str = ""
    state: str = RUNS
    off_by: str = ""
    pins: Mapping[str, str] | None = None

    @property
    def is_python(self) -> bool:
        return self.language == PYTHON

    @property
    def needs_trust(self) -> bool:
        return self.level == PROJECT


class ModuleEntries(Value):
    """`entries` in the order in which they are loaded, with those that do not run."""

    entries: tuple[ModuleEntry, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def running(self) -> tuple[ModuleEntry, ...]:
        return tuple(entry for entry in self.entries if entry.state == RUNS)
