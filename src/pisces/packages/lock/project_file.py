"""The file that says which packages a project uses: `.pisces/packages.toml`, written by people and committed.

    [packages.review]
    source = "owner/repo"        # all that `pisces extensions install` takes; paths are from the project's folder
    ref = "v1.2.0"               # optional: branch, tag or commit
    subdir = "tools/review"      # optional
    pre_release = true           # optional

pisces only appends to it, so comments and order stay.
"""

from __future__ import annotations

import json
import os
import re
from difflib import get_close_matches

from pisces.atomic import write_atomically
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.files import MISSING, Unreadable, read_bytes
from pisces.formats.fit import FLAG, TEXT, Mapped, Misfit, Record, misfits
from pisces.formats.malformed import Malformed
from pisces.formats.position import toml_place
from pisces.formats.toml_current import parse
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.places import Places

PROJECT_MISSING = Rule("project-file-missing", ERROR, "No project file says which packages this project uses")
PROJECT_BROKEN = Rule("project-file-broken", ERROR, "The project file cannot be used")

FILE = os.path.join(".pisces", "packages.toml")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@-]{0,99}")


def name_fault(name: str) -> str:
    """Why a text cannot be a package's name; empty if it can."""
    return "" if _NAME.fullmatch(name) else f"`{name[:100]}` cannot be used as a package's name"


_SOURCE = TEXT.that(lambda text: "" if text.strip() else "must not be empty")
REQUIREMENT = Record({"source": _SOURCE}, {"ref": TEXT, "subdir": TEXT, "pre_release": FLAG}, closed=True)
_SHAPE = Record({}, {"packages": Mapped(REQUIREMENT)}, closed=True)


class Requirement(Value):
    """What a project asks for, as written."""

    source: str
    ref: str = ""
    subdir: str = ""
    pre_release: bool = False

    def as_json(self) -> dict[str, object]:
        named = {field: getattr(self, field) for field in self.__fields__}
        return {field: value for field, value in named.items() if value}


class Project(Value):
    """`places` has the project's folder as the current one."""

    folder: str
    places: Places

    @property
    def file(self) -> str:
        return os.path.join(self.folder, FILE)

    @property
    def lock(self) -> str:
        return os.path.join(self.folder, "pisces.lock")


def project_here(places: Places) -> Project:
    """The nearest folder with a project file, up to the top of the repository; else the current folder."""
    for folder in places.ancestors():
        if os.path.isfile(os.path.join(folder, FILE)):
            return Project(folder, places.replace(cwd=folder))
    return Project(places.cwd, places)


def read_requirements(project: Project) -> dict[str, Requirement]:
    """What the project asks for, by name. Raises if the file is missing or invalid."""
    content = _content(project.file)
    if content is None:
        hint = "list packages in `.pisces/packages.toml`, each as [packages.NAME] with a `source`"
        raise PiscesError(PROJECT_MISSING.at(project.file, "there is no project file", hint=hint))
    return _requirements(content, project.file)


def add_to_project(project: Project, name: str, requirement: Requirement) -> None:
    """Appends a table to the file, which is created if there is none."""
    if fault := name_fault(name):
        raise PiscesError(PROJECT_BROKEN.at(project.file, fault))
    before = _content(project.file) or b""
    known = _requirements(before, project.file)
    if name in known:
        if known[name] == requirement:
            return
        message = f"`{name}` is in the project file already, from {known[name].source}"
        raise PiscesError(PROJECT_BROKEN.at(project.file, message, hint="change its table by hand"))
    end = "\r\n" if b"\r\n" in before else "\n"
    gap = (end if not before.endswith(b"\n") else "") + end if before else ""
    after = before + (gap + _table(name, requirement).replace("\n", end)).encode()
    _refuse_unless_added(after, {**known, name: requirement}, project)
    try:
        os.makedirs(os.path.dirname(project.file), exist_ok=True)
        write_atomically(project.file, after)
    except OSError as error:
        raise PiscesError(disk_fault(error, project.file, PROJECT_BROKEN)) from None


def requirement_for(text: str, project: Project, places: Places, given: Requirement) -> Requirement:
    """What was typed in the current folder, for the project file, whose paths are relative to the project's folder."""
    prefix = "git+" if text.startswith("git+") else ""
    path = places.absolute(text.removeprefix(prefix))
    if not os.path.exists(path) or os.path.isabs(text) or text.startswith("~"):
        return given.replace(source=text)
    below = os.path.relpath(path, project.folder).replace(os.sep, "/")
    return given.replace(source=prefix + (below if below.startswith("..") else f"./{below}"))


def _content(path: str) -> bytes | None:
    try:
        return read_bytes(path)
    except Unreadable as error:
        if error.kind == MISSING:
            return None
        raise PiscesError(PROJECT_BROKEN.at(path, f"the project file {error.message}")) from None


def _requirements(content: bytes, path: str) -> dict[str, Requirement]:
    text = content.decode("utf-8", "replace")
    try:
        value = parse(text)
    except Malformed as error:
        raise PiscesError(PROJECT_BROKEN.at(path, error.message, place=(error.line, error.column))) from None
    faults = [_misfit(each, text, path) for each in misfits(value, _SHAPE)]
    packages: Mapping[str, Any] = value.get("packages", {}) if not faults else {}
    for name in packages:
        if fault := name_fault(name):
            faults.append(PROJECT_BROKEN.at(path, fault, place=toml_place(text, ("packages", name))))
    if faults:
        raise PiscesError(first_of(faults))
    return {name: Requirement(**table) for name, table in packages.items()}


def first_of(faults: list[Diagnostic]) -> Diagnostic:
    """The first fault, with the number of others."""
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    return faults[0].replace(message=faults[0].message + more)


def _misfit(misfit: Misfit, text: str, path: str) -> Diagnostic:
    keys = [str(key) for key in misfit.path]
    known = ("packages",) if len(keys) < 2 else Requirement.__fields__
    near = get_close_matches(keys[-1], known, n=1) if misfit.unknown else []
    hint = f"did you mean `{near[0]}`?" if near else ""
    said = misfit.message if misfit.unknown else f"`{'.'.join(keys) or 'the file'}` {misfit.message}"
    return PROJECT_BROKEN.at(path, said, place=toml_place(text, misfit.path), hint=hint)


def _table(name: str, requirement: Requirement) -> str:
    lines = [f"{key} = {_toml(value)}" for key, value in requirement.as_json().items()]
    key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _toml(name)
    return "\n".join([f"[packages.{key}]", *lines, ""])


def _toml(value: object) -> str:
    """Texts and flags are the same in JSON and TOML, except for one control character."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _refuse_unless_added(after: bytes, wanted: dict[str, Requirement], project: Project) -> None:
    """Some files (with an inline `packages = {...}`) cannot be appended to."""
    try:
        added = _requirements(after, project.file) == wanted
    except PiscesError:
        added = False
    if not added:
        message = "the file is written in a way that nothing can be added at its end"
        hint = "add the package by hand, or write each package as a table of its own: [packages.NAME]"
        raise PiscesError(PROJECT_BROKEN.at(project.file, message, hint=hint))
