"""A lint: one concern, one file in `lints/`, which exports `LINT`. To add a lint, add a file."""

from __future__ import annotations

from pisces.by_name import export_of, folders_with, names_in
from pisces.checking.subject import Subject
from pisces.diagnostics import Diagnostics, Rule
from pisces.discovery.harness import HARNESSES
from pisces.formats.fit import Record, misfits
from pisces.formats.json import JsonObject
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

LINTS = "pisces.checking.lints"

Flaws: TypeAlias = "Iterator[Flaw]"


class Lint(Value):
    """`find` yields every diagnostic of its concern; `title` completes "pisces check looks at ...".

    `dialect` is the package format for which it speaks, in files that several formats share.
    """

    title: str
    find: Callable[[Subject], Diagnostics]
    dialect: str = ""


class Flaw(Value):
    """What is wrong in a JSON file, at the value to which `keys` lead."""

    rule: Rule
    keys: tuple[str | int, ...]
    message: str
    hint: str = ""
    about: str = ""


def manifest_lint(title: str, flaws: Callable[[JsonObject], Flaws], package_format: str) -> Lint:
    """A lint that needs nothing but the manifest of one package format."""

    def find(subject: Subject) -> Diagnostics:
        manifest = subject.manifest(package_format)
        if manifest is not None:
            yield from diagnostics_of(flaws(manifest[1]), manifest[0], subject)

    return Lint(title, find, package_format)


def type_flaws(rule: Rule, values: JsonObject, shapes: JsonObject) -> Flaws:
    """The values that do not have the shape of their key; nothing is expected of null and of other keys."""
    for misfit in misfits({key: value for key, value in values.items() if value is not None}, Record({}, shapes)):
        yield Flaw(rule, misfit.path, f"`{'.'.join(map(str, misfit.path))}` {misfit.message}")


def diagnostics_of(flaws: Flaws, path: str, subject: Subject) -> Diagnostics:
    for flaw in flaws:
        place = subject.pages.json_place(path, flaw.keys)
        yield flaw.rule.at(path, flaw.message, place=place, hint=flaw.hint, about=flaw.about)


def all_lints() -> list[Lint]:
    """Lints for every package first, then those of single harnesses."""
    folders = [LINTS, *folders_with(HARNESSES, "lints")]
    return [export_of(folder, name, "LINT") for folder in folders for name in names_in(folder)]
