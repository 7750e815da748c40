"""`pisces extensions new`: a package from a template, in a folder that is new or empty. Nothing is ever overwritten.

Templates are small packages that work, for authors to change. Each is a folder of `templates/`, found by its name.
In names and texts of files `@name@` is the package's name, `@title@` the same for people, `@VARIABLE@` the same as the
beginning of a variable. `parts.txt` names folders whose files, and fields of the manifest, a template has as well.
Scripts are for Node: Gemini CLI needs it anyway, and `node` is its name on every system, which is not true of Python
or of a shell. Templates for pisces alone, which needs Python, are in Python.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from contextlib import suppress
from importlib.resources import files

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.packages.settings.records import is_device
from pisces.processes.blocked_env import is_blocked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

NEW_NAME = Rule("new-name", ERROR, "A package cannot have that name")
NEW_TEMPLATE = Rule("new-template", ERROR, "There is no such template")
NEW_FOLDER = Rule("new-folder", ERROR, "A package cannot be made there")

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 64
MANIFEST = "gemini-extension.json"  # the manifest that pisces reads itself
_PARTS = "parts.txt"


def create(path: str, template: str, name: str = "") -> list[str]:
    """Makes a package at an absolute path and returns the paths of its files. Its name is the folder's by default."""
    _check_template(template, os.path.basename(path))
    name = name or os.path.basename(os.path.normpath(path))
    _check_name(name)
    _check_folder(path)
    texts = files_of(template, name)
    made: list[str] = []
    try:
        for inside, text in texts.items():
            made.append(os.path.join(path, *inside.split("/")))
            os.makedirs(os.path.dirname(made[-1]), exist_ok=True)
            with open(made[-1], "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            if text.startswith("#!"):
                _make_runnable(made[-1])
    except OSError as error:
        _take_back(path, made)
        raise PiscesError(disk_fault(error, path, NEW_FOLDER)) from None
    return made


def _make_runnable(path: str) -> None:
    """Whoever may read it may run it."""
    mode = os.stat(path).st_mode
    os.chmod(path, mode | (mode & 0o444) >> 2)


def _check_template(name: str, folder: str) -> None:
    known = template_ids()
    if name in known:
        return
    message = f"there is no template `{name}`"
    if folder in known:
        hint = f"the folder comes first: pisces extensions new {shlex.quote(name)} {folder}"
        raise PiscesError(NEW_TEMPLATE.at("", message, hint=hint))
    from difflib import get_close_matches  # slow to load, needed for a mistyped name only

    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
    raise PiscesError(NEW_TEMPLATE.at("", message, hint=hint))


def _check_name(name: str) -> None:
    if _NAME.fullmatch(name) and len(name) <= _LONGEST and not is_device(name):
        return
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:_LONGEST].rstrip("-")
    hint = f"try --name {slug}" if slug and not is_device(slug) else "give another with --name"
    raise PiscesError(NEW_NAME.at("", f"`{name}` cannot be a package's name", hint=hint))


def _check_folder(path: str) -> None:
    try:
        if os.listdir(path):
            raise PiscesError(NEW_FOLDER.at(path, "the folder is not empty", hint="give a new one"))
    except FileNotFoundError:
        return
    except OSError as error:
        message = f"it is not a folder that can be used: {(error.strerror or '').lower()}"
        raise PiscesError(NEW_FOLDER.at(path, message)) from None


def _take_back(path: str, made: list[str]) -> None:
    """After a full disk or the like: what was made here goes, and folders that are empty then."""
    for file in made:
        with suppress(OSError):
            os.unlink(file)
    for folder, _, _ in os.walk(path, topdown=False):
        with suppress(OSError):
            os.rmdir(folder)


def template_ids() -> list[str]:
    """Folders with a leading underscore are parts of others."""
    return sorted(folder.name for folder in _folder().iterdir() if folder.name[0] not in "_.")


def files_of(template: str, name: str) -> dict[str, str]:
    """Path, with `/`, and text of every file of a package that is made from a template."""
    return {_filled(path, name): _filled(text, name) for path, text in sorted(_texts(template).items())}


def variable_of(name: str) -> str:
    """The beginning of a package's own variables: never one that changes how programs start."""
    word = name.replace("-", "_").upper()
    return f"EXT_{word}" if word[0].isdigit() or is_blocked(f"{word}_") else word


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
