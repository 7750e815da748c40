"""What a run says of extensions that are broken: whole where the user asked for the thing, else a number."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from pisces.diagnostics import ERROR, PiscesError
from pisces.value import Value

if TYPE_CHECKING:
    from argparse import Namespace

    from pisces.diagnostics import Diagnostic
    from pisces.host.host import Host

_FEW = 3


class ExtensionProblems(Value):
    """`whole` are modules that do not run and what the user named; `others` is how many more errors there are."""

    whole: tuple[Diagnostic, ...]
    others: int

    def line(self, shower: str) -> str:
        """`shower` is the command that shows all of them."""
        more = "more " if self.whole else ""
        return f"{self.others} {more}problem{'' if self.others == 1 else 's'} in extensions: `{shower}` shows them"


def extension_problems(host: Host, arguments: Namespace) -> ExtensionProblems:
    wrong = [each for each in host.diagnostics if each.severity == ERROR]
    named = [host.places.absolute(each) for each in _named(arguments)]
    failed = host.module_errors
    whole = [each for each in wrong if each in failed or any(_is_about(each, path) for path in named)][:_FEW]
    return ExtensionProblems(tuple(whole), len(wrong) - len(whole))


def check_guards(host: Host, arguments: Namespace) -> None:
    """Raises `PiscesError` for what was named with `--hook` and does not run: a guard that is named must hold."""
    named = [host.places.absolute(each) for each in arguments.hook or ()]
    failed = [each for each in host.module_errors if any(_is_about(each, path) for path in named)]
    if failed and not arguments.no_extensions:
        raise PiscesError(failed[0])


def _named(arguments: Namespace) -> list[str]:
    return [*(arguments.extension or ()), *(arguments.hook or ()), *(arguments.package or ())]


def _is_about(problem: Diagnostic, path: str) -> bool:
    return any(each == path or each.startswith(path.rstrip(os.sep) + os.sep) for each in (problem.path, problem.about))
