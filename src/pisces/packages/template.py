"""A template: the files of a small package that works, for authors to change. One a file, found by its name.

In texts `@name@` is the package's name, `@title@` the same for people, `@VARIABLE@` the same as the beginning of a
variable. Scripts are for Node: Gemini CLI needs it anyway, and `node` is its name on every system, which neither
Python nor a shell can say of itself.
"""

from __future__ import annotations

import json

from pisces.by_name import export_of, names_in
from pisces.processes.blocked_env import is_blocked
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_FOLDER = "pisces.packages.templates"
MANIFEST = "gemini-extension.json"  # the manifest that pisces reads itself


class Template(Value):
    """`summary` is a sentence without its period, `guide` the rest of the README.

    `manifest` is what `gemini-extension.json` says besides name, version and description; None for another format.
    """

    id: str
    summary: str
    guide: str
    files: Mapping[str, str]
    manifest: Mapping[str, Any] | None = None


def template_ids() -> list[str]:
    return [name.replace("_", "-") for name in names_in(_FOLDER)]


def template_named(name: str) -> Template:
    found: Template = export_of(_FOLDER, name.replace("-", "_"), "TEMPLATE")
    return found


def files_of(template: Template, name: str) -> dict[str, str]:
    """Path, with `/`, and text of every file of a package that is made from a template."""
    files = dict(template.files)
    if template.manifest is not None:
        values = {"name": name, "version": "0.1.0", "description": template.summary, **template.manifest}
        files[MANIFEST] = json.dumps(values, indent=2, ensure_ascii=False) + "\n"
    files["README.md"] = f"# @title@\n\n{template.summary}.\n\n{template.guide.strip()}\n"
    return {_filled(path, name): _filled(text, name) for path, text in sorted(files.items())}


def variable_of(name: str) -> str:
    """The beginning of a package's own variables: never one that changes how programs start."""
    word = name.replace("-", "_").upper()
    return f"EXT_{word}" if word[0].isdigit() or is_blocked(f"{word}_API_KEY") else word


def _filled(text: str, name: str) -> str:
    title = name.replace("-", " ").capitalize()
    return text.replace("@name@", name).replace("@title@", title).replace("@VARIABLE@", variable_of(name))
