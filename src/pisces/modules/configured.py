"""A path that somebody configured, and the modules that it means: a file as it is, a folder by the rules of folders.

Odd spaces count as plain ones, `~` is home, and a relative path starts at the current directory. In a folder declared
entries come first, then an index, then what is one level below. Ignore files do not count: whoever names a folder means
what is in it.
"""

from __future__ import annotations

import os

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.finders.modules import LANGUAGES, find, module_at
from pisces.discovery.found import PROJECT
from pisces.discovery.harness import Run, Where
from pisces.discovery.options import Modules
from pisces.modules.entry import ModuleEntry
from pisces.places import Places
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


MODULE_PATH = Rule("module-path", ERROR, "A configured module is not there")
MODULE_LANGUAGE = Rule("module-language", ERROR, "A configured file is not a module")
MODULE_FOLDER = Rule("module-folder", WARNING, "A configured folder holds no module")

# What people paste instead of a plain space.
_SPACES = dict.fromkeys((0x00A0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " ")
_FOLDER = Modules(root=True, hidden=True)
_REMOTE = ("npm:", "git:", "http://", "https://", "github:")


class ConfiguredPath(Value):
    """`text` as it was written; `file` and `place` are where, if that was in a settings file."""

    text: str
    origin: str
    level: str
    file: str = ""
    place: tuple[int, int] = (0, 0)

    def problem(self, rule: Rule, message: str, hint: str = "") -> Diagnostic:
        return rule.at(self.file, message, place=self.place, hint=hint)


def expanded(configured: ConfiguredPath, places: Places, run: Run) -> Iterator[ModuleEntry | Diagnostic]:
    """The entries that a configured path means, and what is wrong with it."""
    path = resolved(configured.text, places)
    suffix = os.path.splitext(path)[1]
    if not configured.text.strip() or "\0" in path or not os.path.exists(path):
        yield _missing(configured, path)
    elif os.path.isdir(path):
        yield from _in_folder(configured, path, places, run)
    elif suffix in LANGUAGES:
        module = module_at(path)
        yield ModuleEntry(path, module.name, module.language, configured.origin, _level(configured))
    else:
        known = ", ".join(LANGUAGES)
        yield configured.problem(MODULE_LANGUAGE, f"`{configured.text}` is not a module", hint=f"one of: {known}")


def resolved(text: str, places: Places) -> str:
    return places.absolute(text.translate(_SPACES))


def _in_folder(configured: ConfiguredPath, path: str, places: Places, run: Run) -> Iterator[ModuleEntry | Diagnostic]:
    level = _level(configured)
    found = list(find(Where(places, run, "modules", configured.origin, "pisces", level, path, _FOLDER)))
    for each in found:
        if isinstance(each, Diagnostic):
            yield each
        else:
            module = each.item
            yield ModuleEntry(module.path, module.name, module.language, configured.origin, level, "", module.folder)
    if not found:
        yield configured.problem(MODULE_FOLDER, f"there is no module in `{configured.text}`")


def _missing(configured: ConfiguredPath, path: str) -> Diagnostic:
    if configured.text.startswith(_REMOTE):
        hint = "modules are named by path; `pisces extensions install` fetches packages"
    else:
        hint = "relative paths start at the current directory" if path != configured.text else ""
    return configured.problem(MODULE_PATH, f"there is no `{configured.text}`", hint=hint)


def _level(configured: ConfiguredPath) -> str:
    """A relative path in the user's settings means whatever lies there in the current project."""
    text = configured.text.translate(_SPACES)
    from_home = text == "~" or text.startswith(("~/", "~\\"))
    is_relative = not from_home and not os.path.isabs(text)
    return PROJECT if configured.file and is_relative else configured.level
