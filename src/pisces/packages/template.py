"""Templates: small packages that work, for authors to change. One a folder of `templates/`, found by its name.

In names and texts of files `@name@` is the package's name, `@title@` the same for people, `@VARIABLE@` the same as the
beginning of a variable. `parts.txt` names folders whose files, and fields of the manifest, a template has as well.
Scripts are for Node: Gemini CLI needs it anyway, and `node` is its name on every system, which neither Python nor a
shell can say of itself.
"""

from __future__ import annotations

import json
from importlib.resources import files

from pisces.processes.blocked_env import is_blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

MANIFEST = "gemini-extension.json"  # the manifest that pisces reads itself
_PARTS = "parts.txt"


def template_ids() -> list[str]:
    """Folders with a leading underscore are parts of others."""
    return sorted(folder.name for folder in _folder().iterdir() if folder.name[0] not in "_.")


def files_of(template: str, name: str) -> dict[str, str]:
    """Path, with `/`, and text of every file of a package that is made from a template."""
    return {_filled(path, name): _filled(text, name) for path, text in sorted(_texts(template).items())}


def variable_of(name: str) -> str:
    """The beginning of a package's own variables: never one that changes how programs start."""
    word = name.replace("-", "_").upper()
    return f"EXT_{word}" if word[0].isdigit() or is_blocked(f"{word}_API_KEY") else word


def _folder() -> Traversable:
    return files("pisces.packages") / "templates"


def _texts(template: str) -> dict[str, str]:
    """The files of a folder and of its parts. What is in the folder itself comes first and wins, also in manifests."""
    own = _texts_below(_folder() / template)
    every = [own, *map(_texts, own.pop(_PARTS, "").split())]
    texts = {path: text for each in reversed(every) for path, text in each.items()}
    manifest: dict[str, object] = {}
    for each in every:
        for key, value in json.loads(each.get(MANIFEST, "{}")).items():
            manifest.setdefault(key, value)
    return {**texts, MANIFEST: json.dumps(manifest, indent=2, ensure_ascii=False) + "\n"} if manifest else texts


def _texts_below(folder: Traversable, path: str = "") -> dict[str, str]:
    found: dict[str, str] = {}
    for entry in folder.iterdir():
        if entry.is_file():
            found[path + entry.name] = entry.read_text("utf-8")
        elif entry.name != "__pycache__":  # installers compile what ends in `.py`
            found.update(_texts_below(entry, f"{path}{entry.name}/"))
    return found


def _filled(text: str, name: str) -> str:
    title = name.replace("-", " ").capitalize()
    return text.replace("@name@", name).replace("@title@", title).replace("@VARIABLE@", variable_of(name))
