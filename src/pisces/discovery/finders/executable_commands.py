"""Programs that a package's manifest makes slash commands: `commands` with entries of `type: executable`.

An entry with anything wrong in it is left out whole, with every reason: a `requireConfirm` that was not understood must
not become "no". A variable that programs must not be given is only left away. Nothing here looks at the programs.
"""

from __future__ import annotations

import os
import re

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Rule
from pisces.discovery.config_file import JSON, ConfigFile, config_at
from pisces.formats.fit import FLAG, NUMBER, TEXT, Listed, Mapped, Record, misfits, noun_of, one_of
from pisces.formats.variables import hydrated, path_context
from pisces.processes.blocked_env import is_blocked
from pisces.shapes.binary_template import VARIABLES, template_flaw, unknown_variables
from pisces.shapes.command import Command
from pisces.shapes.executable import CONTEXTS, NEVER, Executable
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.discovery.found import Found
    from pisces.discovery.harness import Where
    from pisces.discovery.package_options import ExecutableCommands
    from pisces.formats.fit import Path

EXECUTABLE = "executable"

EXECUTABLE_COMMANDS = Rule("executable-commands", WARNING, "`commands` of a manifest is not an object")
EXECUTABLE_TYPE = Rule("executable-type", ERROR, "A command of a manifest is of an unknown type")
EXECUTABLE_NAME = Rule("executable-name", ERROR, "A command has a name that cannot be typed")
EXECUTABLE_BINARY = Rule("executable-binary", ERROR, "A command does not say which program of its package it runs")
EXECUTABLE_VARIABLE = Rule("executable-variable", ERROR, "A program's path has a variable that nobody fills in")
EXECUTABLE_FIELD = Rule("executable-field", ERROR, "A field of an executable command has a value that does not fit")
EXECUTABLE_ENV = Rule("executable-env", WARNING, "A command sets a variable that changes how programs start")

NAME = re.compile(r"[A-Za-z0-9_.-]+(?::[A-Za-z0-9_.-]+)*")
_WORD = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_.-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEY = re.compile(r"RW[A-Za-z0-9+/]{54}")  # 42 bytes that begin with "Ed"
_LONGEST = 7 * 24 * 3600
_FOLDER = "directory"  # authors name a folder of prompt files here, which no harness reads and which is no command
_MEANT = {
    "/": "separator sep pathSeparator pathsep slash",
    "platform": "os system",
    "arch": "architecture cpu machine",
    "extensionPath": "extensionDir extensionRoot pluginRoot CLAUDE_PLUGIN_ROOT PLUGIN_ROOT path dir",
}


def _no_word(value: str) -> str:
    return "" if _WORD.fullmatch(value) else "must be one word of letters, digits, `_`, `-` and `.`"


def _no_time(value: float) -> str:
    return "" if 0 < value <= _LONGEST else "must be more than 0 seconds and at most a week"


def _no_key(value: str) -> str:
    return "" if _KEY.fullmatch(value) else "must be a minisign public key: the line that begins with `RW`"


def _no_value(value: str) -> str:
    return "must not have a NUL in it" if "\0" in value else ""


FIELDS = {
    "description": TEXT,
    "argumentHint": TEXT,
    "subcommands": Listed(TEXT.that(_no_word)),
    "requireConfirm": FLAG,
    "env": Mapped(TEXT.that(_no_value)),
    "timeout": NUMBER.that(_no_time),
    "interactive": FLAG,
    "worker": FLAG,
    "context": one_of(*CONTEXTS),
    "publisher": TEXT,
    "key": TEXT.that(_no_key),
    "sandbox": FLAG,
}
KEYS = ("type", "binary", *FIELDS)
_SHAPE = Record({}, FIELDS)


class _Flaw(Value):
    """`path` is below the entry."""

    rule: Rule
    path: Path
    message: str
    hint: str = ""


def find(where: Where[ExecutableCommands]) -> Iterator[Found | Diagnostic]:
    package = where.package
    if package is None or not package.manifest.get("commands"):
        return
    # Read again, as written: variables of `package.manifest` are filled in.
    manifest = config_at(os.path.join(package.path, where.options.manifest), JSON, where.run)
    if not isinstance(manifest, ConfigFile):  # changed just now
        yield from () if manifest is None else (manifest,)
        return
    entries = manifest.part(("commands",))
    if not isinstance(entries, dict):
        message = f"`commands` must be an object, not {noun_of(entries)}"
        hint = "prompt files need no mention: every `.toml` file below `commands/` is a command"
        yield EXECUTABLE_COMMANDS.at(manifest.path, message, place=manifest.place("commands"), hint=hint)
        return
    context = path_context(package.path, where.places.cwd)
    for name, entry in entries.items():
        if name == _FOLDER and isinstance(entry, str):
            continue
        flaws = list(_flaws(name, entry))
        yield from (_diagnostic(manifest, name, flaw) for flaw in flaws)
        if all(flaw.rule is EXECUTABLE_ENV for flaw in flaws):
            yield where.found(_command(name, entry, manifest.path, package.path, context))


def _command(name: str, entry: dict[str, Any], path: str, package: str, context: dict[str, str]) -> Command:
    executable = Executable(
        binary=entry["binary"],
        package=package,
        subcommands=tuple(dict.fromkeys(entry.get("subcommands", ()))),
        require_confirm=entry.get("requireConfirm", False),
        env={key: value for key, value in hydrated(entry.get("env", {}), context).items() if not is_blocked(key)},
        timeout=entry.get("timeout", 0),
        interactive=entry.get("interactive", False),
        worker=entry.get("worker", False),
        context=entry.get("context", NEVER),
        publisher=entry.get("publisher", ""),
        key=entry.get("key", ""),
        sandbox=entry.get("sandbox", False),
    )
    description = entry.get("description") or f"Execute {name}"
    hint, keys = entry.get("argumentHint", ""), ("commands", name)
    return Command(name, name, description, path, EXECUTABLE, entry, hint, executable, keys)


def _diagnostic(manifest: ConfigFile, name: str, flaw: _Flaw) -> Diagnostic:
    place = manifest.place("commands", name, *flaw.path)
    return flaw.rule.at(manifest.path, flaw.message, place=place, hint=flaw.hint, about=name)


def _flaws(name: str, entry: Any) -> Iterator[_Flaw]:
    if not isinstance(entry, dict):
        yield _Flaw(EXECUTABLE_FIELD, (), f"the command `{name}` must be an object, not {noun_of(entry)}")
        return
    if entry.get("type") != EXECUTABLE:
        yield _type_flaw(entry)
        return
    if not NAME.fullmatch(name):
        slug = re.sub(r"[^A-Za-z0-9_.:-]+", "-", name).strip("-:")
        hint = f'write `"{slug}"`' if NAME.fullmatch(slug) else ""
        yield _Flaw(EXECUTABLE_NAME, (), f"`{name}` cannot be typed as a command's name", hint)
    yield from _binary_flaws(entry)
    for misfit in misfits(entry, _SHAPE):
        where = ".".join(str(part) for part in misfit.path)
        yield _Flaw(EXECUTABLE_FIELD, misfit.path, f"`{where}` {misfit.message}", _hint(misfit.path))
    yield from _env_flaws(entry.get("env"))
    if entry.get("interactive") is True and entry.get("worker") is True:
        message = "a program cannot be `interactive` and a `worker` at once"
        yield _Flaw(EXECUTABLE_FIELD, ("worker",), message, "a worker answers on its output, and has no terminal")


def _type_flaw(entry: dict[str, Any]) -> _Flaw:
    kind = entry.get("type")
    message = "`type` is missing" if kind is None else f"`type` must be `executable`, not {_shown(kind)}"
    hint = 'write `"type": "executable"`' if "binary" in entry else "a prompt is a `.toml` file below `commands/`"
    return _Flaw(EXECUTABLE_TYPE, ("type",), message, hint)


def _binary_flaws(entry: dict[str, Any]) -> Iterator[_Flaw]:
    binary = entry.get("binary")
    example = "for example `${extensionPath}/bin/${platform}/${arch}/tool`"
    if not isinstance(binary, str):
        message = "`binary` is missing" if binary is None else f"`binary` must be text, not {noun_of(binary)}"
        yield _Flaw(EXECUTABLE_BINARY, ("binary",), message, example)
        return
    for name in unknown_variables(binary):
        yield _Flaw(EXECUTABLE_VARIABLE, ("binary",), f"`${{{name}}}` is not filled in", _variable_hint(name))
    flaw = template_flaw(binary)
    if flaw:
        yield _Flaw(EXECUTABLE_BINARY, ("binary",), f"`binary` {flaw}", example)


def _env_flaws(env: Any) -> Iterator[_Flaw]:
    for name in env if isinstance(env, dict) else ():
        if not _VARIABLE.fullmatch(name):
            message = f"`{name}` cannot be the name of a variable"
            yield _Flaw(EXECUTABLE_FIELD, ("env", name), message, "letters, digits and `_`, a letter first")
        elif is_blocked(name):
            message = f"`{name}` changes how programs start, and is not set"
            yield _Flaw(EXECUTABLE_ENV, ("env", name), message, "let the program read a variable of its own")


def _hint(path: Path) -> str:
    if path[0] == "subcommands" and len(path) == 1:
        return 'write a list: `["list", "search"]`'
    return "quote it" if path[0] == "env" and len(path) > 1 else ""


def _variable_hint(name: str) -> str:
    meant = next((known for known, words in _MEANT.items() if name.lower() in words.lower().split()), "")
    same = next((known for known in VARIABLES if name.lower() == known.lower()), meant)
    if same:
        return f"write `${{{same}}}`"
    return "there are " + ", ".join(f"`${{{known}}}`" for known in VARIABLES)


def _shown(value: object) -> str:
    return f"`{value}`" if isinstance(value, str) else noun_of(value)
