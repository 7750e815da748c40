"""A lint: one concern, one file in `lints/`, which exports `LINT`. To add a lint, add a file."""

from __future__ import annotations

from pisces.by_name import export_of, folders_with, names_in
from pisces.checking.subject import Subject
from pisces.diagnostics import Diagnostics
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LINTS = "pisces.checking.lints"
HARNESSES = "pisces.harnesses"


class Lint(Value):
    """`find` yields every diagnostic of its concern; `title` completes "pisces check looks at ...".

    `dialect` is the package format for which it speaks, in files that several formats share.
    """

    title: str
    find: Callable[[Subject], Diagnostics]
    dialect: str = ""


def all_lints() -> list[Lint]:
    """Lints for every package first, then those of single harnesses."""
    folders = [LINTS, *folders_with(HARNESSES, "lints")]
    return [export_of(folder, name, "LINT") for folder in folders for name in names_in(folder)]
