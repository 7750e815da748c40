"""`pisces check`: every problem in packages, skills, single files or this workspace, and what loads where."""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.checking.acceptance import acceptances
from pisces.checking.check_config import unknown_codes
from pisces.checking.spelling import did_you_mean
from pisces.cli._check_run import CheckRun, codes_in, run_check
from pisces.cli._check_text import listed_of, show_summary, show_text
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, NOT_IN_HELP, PROBLEMS, ShellCommand, add_output_format
from pisces.diagnostics import ERROR, SEVERITIES, WARNING
from pisces.ui.plain import counted
from pisces.ui.rules import all_rules
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="packages, folders of packages, skills or single files"
    )
    parser.add_argument(
        "--harness", action="append", metavar="NAME", help="only what this harness refuses or loses (repeatable)"
    )
    parser.add_argument("--harnesses", action="store_true", help="show which harness loads which component")
    parser.add_argument("--hosts", action="store_true", dest="harnesses", help=NOT_IN_HELP)
    parser.add_argument("--recursive", action="store_true", help="packages at any depth, and packages in packages")
    parser.add_argument("--severity", choices=SEVERITIES, default=WARNING, help="the least that is shown (warning)")
    parser.add_argument("--select", action="append", metavar="CODE", help="only this code (repeatable)")
    parser.add_argument("--ignore", action="append", metavar="CODE", help="all but this code (repeatable)")
    parser.add_argument("--strict", action="store_true", help="warnings fail too")
    parser.add_argument("--fix", action="store_true", help="mend what needs no decision, and check again")
    parser.add_argument("--unsafe-fixes", action="store_true", help="with --fix: also what may change what happens")
    parser.add_argument("--diff", action="store_true", help="show what --fix would change, and write nothing")
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes, until Ctrl-C")
    parser.add_argument("--gallery", action="store_true", help="also what a gallery of extensions wants to find")
    parser.add_argument("--no-suppressions", action="store_true", help="also what comments and configurations suppress")
    add_output_format(parser, "sarif", "github")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    misuse = _misuse(arguments, places)
    if misuse:
        for line in misuse:
            screen.note(line)
        return COULD_NOT_RUN
    if arguments.watch:
        status: int = export_of("pisces.cli", "_check_watch", "watch")(arguments, places, screen, check_once)
        return status
    return check_once(arguments, places, screen)


def _misuse(arguments: Namespace, places: Places) -> list[str]:
    """Why nothing can be checked, as lines."""
    missing = [path for path in arguments.paths if not os.path.lexists(places.absolute(path))]
    if missing:
        return [f"{visible(path)} does not exist" for path in missing]
    for name in arguments.harness or ():
        if name not in acceptances():
            hint = did_you_mean(name, acceptances()) or f"one of {', '.join(acceptances())}"
            return [f"there is no harness `{visible(name)}` to check for", f"  hint: {hint}"]
    for code in unknown_codes((*codes_in(arguments.select), *codes_in(arguments.ignore)), all_rules):
        hint = did_you_mean(code, all_rules()) or "`pisces explain` lists all codes"
        return [f"there is no code `{visible(code)}`", f"  hint: {hint}"]
    if arguments.watch and (arguments.output_format != "text" or arguments.diff):
        return ["--watch is for people: use it without --output-format and --diff"]
    return []


def check_once(arguments: Namespace, places: Places, screen: Screen) -> int:
    if arguments.diff:
        return PROBLEMS if export_of("pisces.cli", "_check_fix", "show_diff")(arguments, places, screen) else FINE
    if not arguments.fix:
        return _shown(run_check(arguments, places, screen), arguments, places, screen)
    done = export_of("pisces.cli", "_check_fix", "fixed")(arguments, places, screen)
    status = _shown(done.run, arguments, places, screen)
    if done.run.fixed:
        screen.note(f"fixed {counted(done.applied, 'problem')} in {counted(len(done.run.fixed), 'file')}")
    return status


def _shown(run: CheckRun, arguments: Namespace, places: Places, screen: Screen) -> int:
    if arguments.output_format == "json":
        screen.json(export_of("pisces.cli", "_check_json", "json_of")(run))
    elif arguments.output_format == "sarif":
        screen.json(export_of("pisces.ui", "sarif", "sarif")(run.sifted.diagnostics, places, run.sifted.fixes))
    elif arguments.output_format == "github":
        screen.lines(export_of("pisces.ui", "github", "workflow_commands")(listed_of(run, arguments), places))
        show_summary(run, arguments, screen)
    else:
        show_text(run, arguments, places, screen)
    fatal = (ERROR, WARNING) if arguments.strict else (ERROR,)
    return PROBLEMS if any(each.severity in fatal for each in run.sifted.diagnostics) else FINE


_EXAMPLES = (
    ("pisces check", "the package here, else this workspace"),
    ("pisces check ./my-extension --harnesses", "with a table of harnesses"),
    ("pisces check ./my-plugin --harness claude", "fails where Claude Code refuses or loses something"),
    ("pisces check --recursive", "every package of a monorepo"),
    ("pisces check extensions/ --strict", "a folder of packages; warnings fail too"),
    ("pisces check --diff", "what --fix would change"),
    ("pisces check --fix", "mends what needs no decision"),
    ("pisces check --watch", "while you write"),
    ("pisces check --output-format sarif > check.sarif", "for code hosts and editors"),
    ("pisces check --output-format github", "annotations in a workflow of GitHub"),
)
_SUMMARY = "every problem in a package, a skill, a file or this workspace, and which harness loads what"
COMMAND = ShellCommand("check", _SUMMARY, _EXAMPLES, _arguments, _run)
