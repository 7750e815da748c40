"""One check of a running server, and all of them in order. A check that raises counts as broken."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import TYPE_CHECKING

from pisces.by_name import export_of, names_in
from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.formats.masking import masked
from pisces.mcp.connection import ServerError
from pisces.mcp.probe.subject import NotChecked, ServerSubject
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.mcp.probe.subject import ServerTarget

Ask = Callable[[ServerSubject], Awaitable[Iterable["str | Diagnostic"]]]

PASSED, BROKEN, SKIPPED = "kept", "broken", "skipped"  # the words in the output
_CHECKS = "pisces.mcp.probe.checks"
_SECONDS = 60.0
_MOST = 20  # problems of one check that are shown


class ServerCheck(Value):
    """`title` says what holds if nothing is wrong; `ask` returns what is: a text, or a diagnostic with its place.

    Without `needs_server` it is made though the server does not answer.
    """

    rule: Rule
    title: str
    ask: Ask
    needs_server: bool = True


class CheckOutcome(Value):
    """`why` says why nothing was checked."""

    check: ServerCheck
    verdict: str
    problems: tuple[Diagnostic, ...] = ()
    why: str = ""

    @property
    def is_violation(self) -> bool:
        return any(each.severity == ERROR for each in self.problems)


def server_checks() -> list[ServerCheck]:
    return [check for name in names_in(_CHECKS) for check in export_of(_CHECKS, name, "CHECKS")]


async def checked(target: ServerTarget, report: Callable[[str], None] = lambda _title: None) -> list[CheckOutcome]:
    """Starts the server, more than once, and asks it everything. `report` hears the title of each check before it."""
    outcomes = []
    async with ServerSubject(target) as subject:
        for check in server_checks():
            report(check.title)
            outcomes.append(await _outcome(check, subject))
    return outcomes


async def _outcome(check: ServerCheck, subject: ServerSubject) -> CheckOutcome:
    try:
        if check.needs_server:
            await subject.ready()
        async with asyncio.timeout(_SECONDS):
            problems = list(await check.ask(subject))
    except PiscesError:
        raise
    except NotChecked as reason:
        return CheckOutcome(check, SKIPPED, why=str(reason))
    except ServerError as error:
        problems = [str(error)]
    except TimeoutError:
        problems = ["it does not come to an end"]
    except Exception as error:  # noqa: BLE001  # the border with somebody's server: no check expected such an answer
        problems = [f"its answer cannot be understood ({type(error).__name__}: {error})"]
    made = [_diagnostic(each, check.rule, subject) for each in problems[:_MOST]]
    if len(problems) > _MOST:
        made.append(_diagnostic(f"and {len(problems) - _MOST} more", check.rule, subject))
    return CheckOutcome(check, BROKEN if made else PASSED, tuple(made))


def _diagnostic(problem: str | Diagnostic, rule: Rule, subject: ServerSubject) -> Diagnostic:
    if isinstance(problem, Diagnostic):
        return problem
    return rule.at(subject.target.path, masked(problem), about=subject.target.plan.name)
