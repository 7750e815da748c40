"""The packages below a folder, each once, nearest first. Hidden folders and dependencies are not entered.

A search without a near end looks at linked folders, and not below them: links lead in circles.
"""

from __future__ import annotations

import os

from pisces.discovery.package_format import PackageFormat, all_formats
from pisces.files import entries, is_folder
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

NOT_ENTERED = ("node_modules", "__pycache__", "venv")


class Reach(Value):
    """How far a search goes. `nested`: packages below packages count too, as in a monorepo."""

    depth: int
    nested: bool = False


NEAR = Reach(3)
EVERYWHERE = Reach(16, nested=True)


class PackageRoot(Value):
    """`level` counts the folders between the top of the search and this one."""

    folder: str
    formats: tuple[PackageFormat, ...]
    level: int


class _Pending(Value):
    folder: str
    level: int = 0
    in_skills: bool = False  # skills here are found by the folder of skills above
    in_package: bool = False  # skills here belong to the package above, or to the skill that names them


def package_roots(
    top: str, reach: Reach = NEAR, formats: Sequence[PackageFormat] | None = None
) -> Iterator[PackageRoot]:
    """Every folder that is a package, `top` included."""
    formats = all_formats() if formats is None else formats
    pending = [_Pending(top)]
    while pending:
        here = pending.pop(0)
        fitting = fitting_formats(here.folder, formats)
        is_skill = any(map(is_bare_skill, fitting))
        owned = (here.in_skills and is_skill) or (here.in_package and is_bare(fitting))
        if fitting and not owned:
            yield PackageRoot(here.folder, fitting, here.level)
        is_package = not is_bare(fitting)
        if here.level < reach.depth and (reach.nested or not (is_skill or is_package)):
            below = here.replace(
                level=here.level + 1,
                in_skills=_holds_skills(here, fitting),
                in_package=here.in_package or is_package or (is_skill and here.level > 0),
            )
            for entry in _folders_in(here.folder):
                level = reach.depth if reach.nested and entry.is_symlink() else below.level
                pending.append(below.replace(folder=entry.path, level=level))


def fitting_formats(folder: str, formats: Sequence[PackageFormat]) -> tuple[PackageFormat, ...]:
    return tuple(each for each in formats if each.fits(folder))


def is_bare(fitting: tuple[PackageFormat, ...]) -> bool:
    """Bare formats do not make the folders that contain them theirs."""
    return all(each.bare for each in fitting)


def is_bare_skill(package_format: PackageFormat) -> bool:
    return package_format.bare and not package_format.is_skills_folder


def _holds_skills(here: _Pending, fitting: tuple[PackageFormat, ...]) -> bool:
    return any(each.is_skills_folder for each in fitting) or (here.in_skills and here.folder.endswith("skills"))


def _folders_in(folder: str) -> list[os.DirEntry[str]]:
    """Hidden folders count below `skills` alone, where some collections keep theirs."""
    hidden = os.path.basename(folder) == "skills"
    every = [each for each in entries(folder) if is_folder(each) and each.name not in (*NOT_ENTERED, ".git")]
    return [each for each in every if hidden or not each.name.startswith(".")]
