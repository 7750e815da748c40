"""`pisces commands show /name`: one command in full: all its names, where it comes from, and what it would run."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.cli._packages import add_packages, catalog_for
from pisces.cli._shell_command import FINE, ShellCommand, add_output_format, add_switches
from pisces.cli.commands_list import entry_json
from pisces.commands.names.resolve import resolve
from pisces.files import Unreadable, read_text
from pisces.shapes.binary_template import filled
from pisces.shapes.platform_names import this_platform
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.commands.names.catalog import Catalog, CatalogEntry
    from pisces.shapes.executable import Executable

_SIGNED = "pisces.commands.programs.signatures", "package"
_OUTPUT = {"none": "for you alone", "append": "enters the conversation"}


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="/NAME", help="any name of the command")
    add_packages(parser)
    add_switches(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    found = catalog_for(arguments, places, screen)
    entry = resolve("/" + arguments.name.lstrip("/"), found).entry
    names = _names(entry, found)
    if arguments.output_format == "json":
        screen.json({**entry_json(entry), "names": names, "text": _text(entry)})
        return FINE
    screen.line(screen.styled(visible(f"/{entry.name} {entry.command.argument_hint}".rstrip()), "bold"))
    rows = [("description", entry.command.description), ("also", ", ".join(f"/{each}" for each in names[1:]))]
    rows += [("from", entry.origin), ("file", places.shown(entry.command.path)), ("kind", _kind(entry))]
    rows += _of_program(entry.command.executable) if entry.command.executable else []
    screen.lines(table([[f"  {title}", visible(value)] for title, value in rows if value]))
    screen.lines(f"  | {visible(line)}" for line in _text(entry).splitlines())
    return FINE


def _names(entry: CatalogEntry, found: Catalog) -> list[str]:
    names = [name for name, owner in found.names.items() if owner is entry]
    return [entry.name, *(name for name in names if name != entry.name)]


def _kind(entry: CatalogEntry) -> str:
    if entry.command.executable:
        return "program: never calls the model"
    return f"prompt file ({entry.command.dialect}): its text goes to the model"


def _of_program(executable: Executable) -> list[tuple[str, str]]:
    return [
        ("binary", executable.binary),
        ("subcommands", ", ".join(executable.subcommands)),
        ("environment", ", ".join(executable.env)),
        ("confirmation", "before every call" if executable.require_confirm else ""),
        ("time limit", f"{executable.timeout:g} s" if executable.timeout else ""),
        ("runs as", ", ".join(_modes(executable))),
        ("output", _OUTPUT.get(executable.context, "on request")),
        ("signed by", executable.publisher if executable.key else ""),
        ("sign it with", _signing(executable) if executable.key else ""),
    ]


def _signing(executable: Executable) -> str:
    signed_pins, signing_line = (export_of(*_SIGNED, name) for name in ("signed_pins", "signing_line"))
    program = filled(executable.binary, executable.package, this_platform())
    line: str = signing_line(
        program, export_of("pisces.discovery", "pins", "digest_of")(signed_pins(executable.package))
    )
    return line


def _modes(executable: Executable) -> list[str]:
    modes = {"interactive": executable.interactive, "long-lived worker": executable.worker}
    return [mode for mode, is_so in {**modes, "sandboxed": executable.sandbox}.items() if is_so]


def _text(entry: CatalogEntry) -> str:
    """The prompt file as it is written; a program has none."""
    if entry.command.executable:
        return ""
    try:
        return read_text(entry.command.path)
    except Unreadable:
        return ""


_EXAMPLES = (
    ("pisces commands show /git:commit", "a prompt file and its text"),
    ("pisces commands show /gallery --package examples/gallery", "a program and how it is run"),
)
_SUMMARY = "one slash command in full: its names, its source, and what it would run"
COMMAND = ShellCommand("commands show", _SUMMARY, _EXAMPLES, _arguments, _run)
