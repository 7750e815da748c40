"""`check --fix` and `check --diff`: fixes are applied and the check is done again, until nothing is left to fix."""

from __future__ import annotations

import os
from difflib import unified_diff
from tempfile import TemporaryDirectory

from pisces.checking.checked import FILE, in_order
from pisces.checking.fixing import rewrites, write
from pisces.checking.tree_copy import copy_tree
from pisces.cli._check_run import CheckRun, run_check
from pisces.diagnostics import Diagnostic
from pisces.disk import disk_faults
from pisces.files import read_bytes
from pisces.ui.plain import counted
from pisces.ui.screen import visible
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._shell_command import Namespace, Places, Screen

_MOST_ROUNDS = 10  # a fix may uncover another; two that undo each other end here


class Fixed(Value):
    """The last check, with the files that were written or could not be, and how many fixes were applied."""

    run: CheckRun
    applied: int


def fixed(arguments: Namespace, places: Places, screen: Screen, copied: tuple[str, str] = ("", "")) -> Fixed:
    applied = 0
    paths: dict[str, None] = {}
    refused: dict[str, Diagnostic] = {}
    for _ in range(_MOST_ROUNDS):
        run = run_check(arguments, places, screen, copied)
        made = [each for each in rewrites(run.fixes(unsafe=arguments.unsafe_fixes)) if each.path not in refused]
        for each in made:
            fault = write(each)
            if fault:
                refused[each.path] = fault
            else:
                applied += len(each.fixes)
                paths[each.path] = None
        if all(each.path in refused for each in made):
            break
    shown = run.sifted.replace(diagnostics=in_order((*run.sifted.diagnostics, *refused.values())))
    return Fixed(run.replace(sifted=shown, fixed=tuple(sorted(paths))), applied)


def show_diff(arguments: Namespace, places: Places, screen: Screen) -> int:
    """How many files would change. Fixes are tried on copies, since one may uncover another."""
    first = run_check(arguments, places, screen)
    folders = {each.folder for each in first.fixes(unsafe=arguments.unsafe_fixes)}
    count = files = 0
    for folder in sorted(each for each in folders if not _is_below(each, folders)):
        with TemporaryDirectory() as top, disk_faults(top):
            copy = os.path.join(os.path.realpath(top), os.path.basename(folder) or "copy")
            copy_tree(folder, copy)
            done = fixed(_on_copy(arguments, first, (copy, folder)), places.replace(cwd=copy), screen, (copy, folder))
            for path in done.run.fixed:
                screen.text("".join(_diff(folder + path[len(copy) :], path, places, screen)))
        count, files = count + done.applied, files + len(done.run.fixed)
    screen.note(f"{counted(count, 'fix', 'fixes')} in {counted(files, 'file')}; nothing was written")
    return files


def _is_below(folder: str, others: set[str]) -> bool:
    return any(folder != each and folder.startswith(each.rstrip(os.sep) + os.sep) for each in others)


def _on_copy(arguments: Namespace, first: CheckRun, copied: tuple[str, str]) -> Namespace:
    """The same question about a copy: its folder, or the files of it that were looked at alone."""
    copy, folder = copied
    alone = [each.path for each in first.checked.targets if each.kind == FILE and os.path.dirname(each.path) == folder]
    whole = any(each.path == folder for each in first.checked.targets)
    paths = [copy] if whole else [copy + path[len(folder) :] for path in alone]
    return type(arguments)(**{**vars(arguments), "paths": paths})


def _diff(path: str, changed: str, places: Places, screen: Screen) -> Iterator[str]:
    """For `patch`, with the bytes as they are; in a terminal without what it would obey."""
    name = visible(places.shown(path))
    before, after = (read_bytes(each).decode("utf-8").split("\n") for each in (path, changed))
    for line in unified_diff(_with_ends(before), _with_ends(after), name, name):
        text = line if not screen.is_terminal else visible(line.rstrip("\r\n")) + "\n"
        yield text if text.endswith("\n") else f"{text}\n\\ No newline at end of file\n"


def _with_ends(lines: list[str]) -> list[str]:
    """Lines end with `\\n` and with nothing else, or `patch` counts other ones."""
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
