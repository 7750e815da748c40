"""`pisces extensions config NAME [KEY]`: the settings of a package, their values, and how to store them."""

from __future__ import annotations

import sys

from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.cli._stores import add_scope, add_store
from pisces.file_lock import file_lock
from pisces.packages.install import inventory_at
from pisces.packages.settings.answers import asked, assigned, setting_named
from pisces.packages.settings.described import ReadValues, SettingRow, describe
from pisces.packages.settings.secrets import PLAIN, STORE_VARIABLE
from pisces.packages.settings.settings import Setting, settings_of
from pisces.packages.settings.values import Values
from pisces.packages.store.every_store import store_with
from pisces.packages.store.store import own_store
from pisces.ui.asking import answer_to, secret_answer_to
from pisces.ui.plain import show_diagnostics
from pisces.ui.screen import visible
from pisces.ui.table import table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.shapes.installed import Installed

    Answers = dict[str, str | None]


_SET = "store a value (repeatable; for secrets use --ask); an empty one forgets it"


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="a package's name")
    parser.add_argument("key", nargs="?", metavar="KEY", help="one setting, by name or variable")
    parser.add_argument("--set", action="append", metavar="KEY=VALUE", help=_SET)
    parser.add_argument("--ask", action="store_true", help="ask for the values: hidden at a terminal, else from stdin")
    parser.add_argument("--insecure-storage", action="store_true", help="secrets go to a file that is not encrypted")
    add_scope(parser)
    add_store(parser)
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    store, name = store_with(arguments.name, arguments.to, places)
    installed = store.index(places)[name]
    settings = _settings(installed, places, screen)
    chosen = [setting_named(settings, arguments.key)] if arguments.key else settings
    answers = assigned(settings, arguments.set or ())
    for each in settings:
        if each.sensitive and answers.get(each.env_var):
            screen.note(f"{each.env_var} is now in the shell's history: {_asking(name, each)} reads it unseen")
    if arguments.ask:
        answers |= asked(
            chosen, lambda setting: _ask(setting, screen), lambda flaw: show_diagnostics([flaw], places, screen)
        )
    if store.configure:
        read, notes = store.configure(installed, settings, answers)
    else:
        read, notes = _of_ours(name, settings, answers, arguments, places), []
    for note in notes:
        screen.note(note)
    show_diagnostics(read.diagnostics, places, screen)
    _show(describe(chosen, read), arguments.output_format, screen)
    missing = [each for each in read.missing if each in chosen]
    for each in missing:
        screen.note(f"{each.env_var} is needed: {_asking(name, each)}")
    return PROBLEMS if missing else FINE


def _asking(name: str, setting: Setting) -> str:
    """The command that stores a value. A secret is never on the command line, where others can read it."""
    how = f"{setting.env_var} --ask" if setting.sensitive else f"--set {setting.env_var}=VALUE"
    return f"pisces extensions config {name} {how}"


def _settings(installed: Installed, places: Places, screen: Screen) -> list[Setting]:
    package = inventory_at(installed.folder, places, installed.name).package
    settings, problems = settings_of(package) if package else ([], [])
    show_diagnostics(problems, places, screen)
    return settings


def _of_ours(name: str, settings: list[Setting], answers: Answers, arguments: Namespace, places: Places) -> ReadValues:
    if answers:
        chosen = {STORE_VARIABLE: PLAIN} if arguments.insecure_storage else {}
        values = Values(name, places.replace(env={**places.env, **chosen}))
        with file_lock(own_store(places).lock_path, lambda _text: None):
            values.write(settings, answers, arguments.scope)
    return Values(name, places).read(settings)


def _show(rows: list[SettingRow], output_format: str, screen: Screen) -> None:
    if output_format == "json":
        screen.json([row.as_json() for row in rows])
        return
    cells = [[row.env_var, row.value, row.source, " ".join((row.description, row.limits)).strip()] for row in rows]
    screen.lines(table([[visible(cell) for cell in row] for row in cells]))
    if not rows:
        screen.note("it asks for no settings")


def _ask(setting: Setting, screen: Screen) -> str | None:
    """None where nobody answers. What is secret is not shown while it is typed."""
    prompt = f"{visible(setting.name)} ({visible(setting.description)}): "
    try:
        ask = secret_answer_to if setting.sensitive and sys.stdin.isatty() else answer_to
        line = ask(prompt, screen)
    except (EOFError, KeyboardInterrupt):
        return None
    return line.rstrip("\r\n") if line else None


_EXAMPLES = (
    ("pisces extensions config review", "what it wants to know, and what it knows"),
    ("pisces extensions config review --set REGION=eu", "store a value"),
    ("pisces extensions config review API_KEY --ask", "type a secret without showing it"),
    ("pisces extensions config review API_KEY --ask < key.txt", "or read it from a file"),
)
_SUMMARY = "the settings of a package: see them, store them, forget them"
COMMAND = ShellCommand("extensions config", _SUMMARY, _EXAMPLES, _arguments, _run)
