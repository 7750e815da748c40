"""`pisces build`: every target of `[build]`, with one version; checked, written, archived or committed to a branch."""

from __future__ import annotations

from pisces.building.build import BuildChoice, build
from pisces.building.config import read_config
from pisces.building.diff import diff_lines
from pisces.building.writing import mend_outputs, plan, write
from pisces.by_name import export_of
from pisces.cli._build_report import BuildReport
from pisces.cli._shell_command import COULD_NOT_RUN, FINE, PROBLEMS, ShellCommand
from pisces.converting.report import LIMITS
from pisces.diagnostics import ERROR, SEVERITIES
from pisces.ui.progress import reporter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.building.build import Built
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--target", action="append", metavar="NAME", help="only this target (repeatable)")
    parser.add_argument("--plugin", action="append", metavar="NAME", help="only this plugin of several (repeatable)")
    parser.add_argument("--check", action="store_true", help="write nothing: a diff, and exit 1 if something changes")
    parser.add_argument("--archive", metavar="DIR", help="write release assets to this folder, and nothing else")
    parser.add_argument("--zip", action="store_true", help="archives are zip files, not tar.gz")
    parser.add_argument("--branch", metavar="NAME", help="commit a package as the root of a branch, and nothing else")
    parser.add_argument("--report", metavar="FILE", help="also write every loss: .json, .sarif, .md or text")
    parser.add_argument("--severity", choices=SEVERITIES, default=ERROR, help="the least loss that is shown (error)")
    parser.add_argument("--fail-on", choices=LIMITS, default=ERROR, help="the least that makes the exit code 1 (error)")
    parser.add_argument("--init", action="store_true", help="propose a configuration from the manifests that are here")
    parser.add_argument("--yes", action="store_true", help="with --init: write it without asking")


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    acts = [name for name in ("check", "archive", "branch", "init") if getattr(arguments, name) not in (None, False)]
    if len(acts) > 1 and acts != ["archive", "branch"]:
        screen.failed(f"pisces: --{acts[0]} and --{acts[1]} are two things")
        return COULD_NOT_RUN
    if arguments.init:
        status: int = export_of("pisces.cli", "_build_init", "propose")(arguments, places, screen)
        return status
    config = read_config(places)
    if arguments.archive is not None:
        config = config.replace(releases=(*config.releases, places.absolute(arguments.archive)))
    choice = BuildChoice(tuple(arguments.target or ()), tuple(arguments.plugin or ()))
    report_step = reporter(screen)
    built = build(config, places, choice, lambda text: report_step(f"building {text}\r"))
    report = BuildReport(built, arguments, places, screen)
    if arguments.archive is not None or arguments.branch is not None:
        released: int = export_of("pisces.cli", "_build_release", "release")(arguments, built, report)
        return released
    return _checked(built, report) if arguments.check else _written(built, report)


def _checked(built: Built, report: BuildReport) -> int:
    made = plan(built)
    report.planned(made)
    report.diff(diff_lines(made, built.config.folder))
    status = FINE if made.is_empty else PROBLEMS
    return report.end(status)


def _written(built: Built, report: BuildReport) -> int:
    mend_outputs(built)
    made = plan(built)
    write(made)
    report.planned(made)
    report.table(made)
    return report.end(FINE)


_EXAMPLES = (
    ("pisces build --init", "a configuration from the manifests that are here"),
    ("pisces build", "every target, and the version everywhere"),
    ("pisces build --check", "for CI: a diff and exit 1 if something is out of date"),
    ("pisces build --target gemini --archive dist", "assets for a release"),
    ("pisces build --branch 'dist/{target}'", "a branch for each target, to install from"),
)
COMMAND = ShellCommand("build", "a plugin for every harness, from one configuration", _EXAMPLES, _arguments, _run)
