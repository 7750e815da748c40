"""`pisces convert SRC --to TARGET --out DIR`: a package for another harness, with a report of every loss.

The output is written whatever was lost: the exit code says whether it is too much.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of
from pisces.cli._convert_report import FORMATS, is_only_shown, show_reports
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.converting.convert import ConvertRequest, convert, target_named
from pisces.converting.names import UniqueNames, slug
from pisces.converting.output import apply, mended, planned, refuse_output, written
from pisces.converting.reading import NOT_LISTED
from pisces.converting.report import LIMITS, ConversionReport
from pisces.converting.writer import WriteOptions, all_writers
from pisces.diagnostics import ERROR, SEVERITIES, WARNING, PiscesError, Rule
from pisces.discovery.package_format import all_formats

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.converting.reading import ListedPlugin

ALL = "*"
NOTHING_TO_DO = Rule("convert-nothing-to-do", ERROR, "A conversion is asked for without saying what it should give")


def _arguments(parser: ArgumentParser) -> None:
    targets = ", ".join(each.id for each in all_writers())
    parser.add_argument("source", metavar="SRC", help="the package's folder; behind --uninstall its name will do")
    parser.add_argument("--to", action="append", metavar="TARGET", help=f"the program (repeatable): {targets}")
    parser.add_argument("--out", metavar="DIR", help="the folder to write; of several targets, one folder each in it")
    parser.add_argument("--install", metavar="TARGET", help="put it into your own folders of that program")
    parser.add_argument("--uninstall", metavar="TARGET", help="take such an installation back, byte for byte")
    parser.add_argument("--yes", action="store_true", help="install without a question")
    formats = [each.id for each in all_formats()]
    parser.add_argument("--format", choices=formats, metavar="FORMAT", help="read SRC as this, where it is several")
    named = "this one of the marketplace that SRC is (repeatable); `*` is all that lie in it"
    parser.add_argument("--plugin", action="append", metavar="NAME", help=named)
    parser.add_argument("--no-hooks", action="store_true", help="leave hooks out, with a warning for each")
    parser.add_argument("--widen", action="store_true", help="drop lists of tools that cannot be kept: all are allowed")
    parser.add_argument("--no-prefix", action="store_true", help="commands without the package's name before them")
    parser.add_argument("--skip-skill", action="append", metavar="NAME", help="leave this skill out (repeatable)")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be written")
    parser.add_argument("--diff", action="store_true", help="only show what would change, as a diff")
    parser.add_argument("--check", action="store_true", help="write nothing; exit code 1 if the output would change")
    parser.add_argument("--report", metavar="FILE", help="also write the report: .json, .sarif, .md or text")
    parser.add_argument("--severity", choices=SEVERITIES, default=WARNING, help="the least that is shown (warning)")
    parser.add_argument("--fail-on", choices=LIMITS, default=ERROR, help="the least that makes the exit code 1 (error)")
    add_output_format(parser, *FORMATS)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    for name in ("install", "uninstall"):
        if getattr(arguments, name):
            refuse_several(arguments)
            run = export_of("pisces.cli", "_convert_install", f"run_{name}")
            status: int = run(arguments, request_of(arguments, getattr(arguments, name)), places, screen)
            return status
    if not arguments.to or not arguments.out:
        hint = "name --to and --out, or --install"
        raise PiscesError(NOTHING_TO_DO.at("", "it is not said where the result should go", hint=hint))
    reports = _reports(arguments, places)
    if not is_only_shown(arguments):
        for each in reports:
            apply(each.plan, each.out)
    show_reports(reports, arguments, places, screen)
    differs = arguments.check and any(written(each.plan) for each in reports)
    return PROBLEMS if differs or any(each.fails(arguments.fail_on) for each in reports) else FINE


def refuse_several(arguments: Namespace) -> None:
    """An installation shows one card, and has one manifest."""
    if len(arguments.plugin or ()) > 1 or ALL in (arguments.plugin or ()):
        message = "an installation takes one plugin at a time"
        raise PiscesError(NOTHING_TO_DO.at("", message, hint="name one with --plugin"))


def request_of(arguments: Namespace, target: str, plugin: str | None = None) -> ConvertRequest:
    options = WriteOptions(arguments.widen, arguments.no_hooks, arguments.no_prefix, tuple(arguments.skip_skill or ()))
    first = next(iter(arguments.plugin or ()), "")
    return ConvertRequest(arguments.source, target, arguments.format, options, first if plugin is None else plugin)


def _reports(arguments: Namespace, places: Places) -> list[ConversionReport]:
    """Every target of every plugin is planned and refused before the first is written."""
    targets = list(dict.fromkeys(arguments.to))
    for each in targets:
        target_named(each)
    names = _plugins(arguments, places)
    reports = []
    for plugin, target in ((plugin, target) for plugin in names for target in targets):
        below = ((slug(plugin),) if len(names) > 1 else ()) + ((target,) if len(targets) > 1 else ())
        folder = os.path.join(places.absolute(arguments.out), *below)
        made = convert(request_of(arguments, target, plugin), places)
        if not is_only_shown(arguments):
            mended(folder)
        plan = planned(made.files, made.folder, folder)
        refuse_output(plan, made.folder, folder)
        reports.append(ConversionReport(made, folder, tuple(plan)))
    return reports


def _plugins(arguments: Namespace, places: Places) -> list[str]:
    """Their names, each once; an empty one where the source is no marketplace. Two must not share a folder."""
    names = list(dict.fromkeys(arguments.plugin or [""]))
    if ALL in names:
        listed: list[ListedPlugin] = export_of("pisces.converting", "marketplace", "plugins_in")(
            arguments.source, places
        )
        names = [each.name for each in listed if each.folder]
        if not names:
            message = "the folder lists no plugin that lies in it"
            raise PiscesError(NOT_LISTED.at(places.absolute(arguments.source), message))
    folders = UniqueNames()
    twice = next((each for each in names if folders.unique(slug(each)) != slug(each)), "")
    if twice:
        hint = "convert them one by one, each with an --out of its own"
        raise PiscesError(NOT_LISTED.at("", f"`{twice}` would be written over another plugin", hint=hint))
    return names


_EXAMPLES = (
    ("pisces convert ./plugin --to gemini --out dist/gemini", "an extension of Gemini CLI"),
    ("pisces convert ./plugin --to gemini --to codex --out dist", "dist/gemini and dist/codex"),
    ("pisces convert ./market --plugin review --to gemini --out out", "a plugin of a marketplace"),
    ("pisces convert ./market --plugin '*' --to gemini --out out", "all that lie in it, a folder each"),
    ("pisces convert ./plugin --to gemini --out dist/gemini --check", "in CI: is the output up to date?"),
    ("pisces convert ./plugin --to gemini --out dist/gemini --diff", "what would change"),
    ("pisces convert ./plugin --to gemini --out out --fail-on widened", "no subagent may get more tools"),
    ("pisces convert ./plugin --to gemini --out out --report loss.md", "for a pull request"),
    ("pisces convert ./plugin --install gemini", "into ~/.gemini, after consent"),
    ("pisces convert plugin --uninstall gemini", "out of it again"),
)
COMMAND = ShellCommand("convert", "a package for another program, with every loss", _EXAMPLES, _arguments, _run)
