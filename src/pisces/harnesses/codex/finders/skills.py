"""Skills of Codex: below a folder with a plugin's manifest they have the plugin's name before theirs.

The nearest folder above the real file decides, up to the top of the file system; a manifest that cannot be read is
passed over. So a plugin's own repository has `plugin:review` where other programs have `review`.
"""

from __future__ import annotations

import os
from codecs import BOM_UTF8

from pisces.diagnostics import Diagnostic
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.discovery.harness import FinderResults, Where
from pisces.discovery.skill_headers import skills_read
from pisces.discovery.state import INVALID, State
from pisces.harnesses.codex import MANIFEST, NamespacedSkills

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.discovery.harness import Run
    from pisces.shapes.skill import Skill

_READER = "pisces.harnesses.codex.skill_header"
_SHORT = 64
_MANIFESTS = (MANIFEST, ".claude-plugin/plugin.json", ".cursor-plugin/plugin.json")


def find(where: Where[NamespacedSkills]) -> FinderResults:
    for found in skills_read(where, _is_plain, _READER):
        if isinstance(found, Diagnostic):
            yield found
            continue
        skill, real = found.item, os.path.realpath(found.source.path)
        namespace = _namespace(os.path.dirname(real), where.run)
        if namespace:
            found = found.replace(item=skill.replace(name=f"{namespace}:{skill.name}", plain_name=skill.name))
        flaw = _file_flaw(found.source.path)
        state = State(INVALID, f"Codex does not load it: {flaw}", found.source.path, only_here=True) if flaw else None
        yield found.replace(held=found.held or state)


def _is_plain(skill: Skill) -> bool:
    name, description = (skill.fields.get(key) for key in ("name", "description"))
    named = name is None or (isinstance(name, str) and name == " ".join(name.split()) and len(name) <= _SHORT)
    return named and isinstance(description, str) and isinstance(skill.fields.get("metadata", {}), dict)


def _file_flaw(path: str) -> str:
    """Links to folders are followed. A mark at the beginning hides the header."""
    if os.path.islink(path):
        return "the file itself is a link"
    try:
        with open(path, "rb") as file:
            return "it begins with a byte order mark" if file.read(3) == BOM_UTF8 else ""
    except OSError:
        return ""


def _namespace(folder: str, run: Run) -> str:
    return run.once(("codex-namespace", folder), lambda: _own(folder, run) or _above(folder, run))


def _above(folder: str, run: Run) -> str:
    parent = os.path.dirname(folder)
    return _namespace(parent, run) if parent != folder else ""


def _own(folder: str, run: Run) -> str:
    """The first manifest that is there decides, broken or not. A plugin without a name is called as its folder."""
    paths = (os.path.join(folder, *name.split("/")) for name in _MANIFESTS)
    file = next((config_at(path, JSON, run) for path in paths if os.path.isfile(path)), None)
    name = file.value.get("name", "") if isinstance(file, ConfigFile) and isinstance(file.value, dict) else None
    if not isinstance(name, str):
        return ""
    return name if name.strip() else os.path.basename(folder)
