"""`pisces extensions new`: a package from a template, in a folder that is new or empty. Nothing is ever overwritten."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.packages.settings.records import is_device
from pisces.packages.template import files_of, template_ids

NEW_NAME = Rule("new-name", ERROR, "A package cannot have that name")
NEW_TEMPLATE = Rule("new-template", ERROR, "There is no such template")
NEW_FOLDER = Rule("new-folder", ERROR, "A package cannot be made there")

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST = 64


def create(path: str, template: str, name: str = "") -> list[str]:
    """Makes a package at an absolute path and returns the paths of its files. Its name is the folder's by default."""
    _check_template(template)
    name = name or os.path.basename(os.path.normpath(path))
    _check_name(name)
    _check_folder(path)
    files = files_of(template, name)
    made: list[str] = []
    try:
        for inside, text in files.items():
            made.append(os.path.join(path, *inside.split("/")))
            os.makedirs(os.path.dirname(made[-1]), exist_ok=True)
            with open(made[-1], "x", encoding="utf-8", newline="\n") as file:
                file.write(text)
            if text.startswith("#!"):
                _make_runnable(made[-1])
    except OSError as error:
        _take_back(path, made)
        raise PiscesError(NEW_FOLDER.at(path, f"it cannot be written: {(error.strerror or '').lower()}")) from None
    return made


def _make_runnable(path: str) -> None:
    """Whoever may read it may run it."""
    mode = os.stat(path).st_mode
    os.chmod(path, mode | (mode & 0o444) >> 2)


def _check_template(name: str) -> None:
    known = template_ids()
    if name in known:
        return
    from difflib import get_close_matches  # slow to load, needed for a mistyped name only

    near = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean `{near[0]}`?" if near else f"there are {', '.join(known)}"
    raise PiscesError(NEW_TEMPLATE.at("", f"there is no template `{name}`", hint=hint))


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
