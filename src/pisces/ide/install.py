"""Installs a companion into an editor: with the editor's command line, or by copying files to the editor's folder.

Ours if it was built, else the official one from the editor's marketplace. Every failure has a reason.
"""

from __future__ import annotations

import os
import re
import shutil
import sys

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.disk import disk_fault
from pisces.files import entries
from pisces.ide.detect import editor_named
from pisces.ide.editors import EDITORS, CommandLine, Copied, DetectedIde
from pisces.ide.vsix import vsix, vsix_name
from pisces.places import Places
from pisces.processes.environment import search_path
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured
from pisces.value import Value

OFFICIAL = "google.gemini-cli-vscode-ide-companion"
FOLDER_VARIABLE = "PISCES_COMPANIONS"
_SAFE = re.compile(r"[A-Za-z0-9._/\\-]+")
_SECONDS = 300
_EMACS_FILES = (".emacs.d", ".emacs", ".emacs.el")

UNKNOWN_EDITOR = Rule(
    "ide-unknown-editor", ERROR, "no editor has this name, or this terminal is not one of an editor's"
)
NO_INSTALLER = Rule("ide-no-installer", ERROR, "there is no companion that could be installed into this editor")
NO_COMMAND_LINE = Rule("ide-no-command-line", ERROR, "the editor's command line was not found")
INSTALL_FAILED = Rule("ide-install-failed", ERROR, "the companion could not be installed")


class Plan(Value):
    """`source` is copied to `target`, or `argv` is run. With both, `source` is first packed as `target`."""

    editor: DetectedIde
    companion: str
    argv: tuple[str, ...] = ()
    source: str = ""
    target: str = ""
    then: str = ""


def plan(editor: DetectedIde, places: Places, platform: str = sys.platform) -> Plan:
    """Raises `PiscesError` if no companion can be installed."""
    if editor.copied:
        return _copy_plan(editor, editor.copied, places)
    if editor.command_line is None:
        hint = f"installable are {', '.join(each.name for each in installable())}; see docs/guides/ide-companion.md"
        raise PiscesError(NO_INSTALLER.at("", f"{editor.display_name} has no companion to install", hint=hint))
    program = command_of(editor.command_line, places, platform)
    if not program:
        names = " or ".join(f"`{name}`" for name in editor.command_line.names)
        hint = f"put {names} on PATH" + (f": {editor.command_line.help}" if editor.command_line.help else "")
        raise PiscesError(NO_COMMAND_LINE.at("", f"the command line of {editor.display_name} was not found", hint=hint))
    folder = _extension_folder(places)
    package = os.path.join(places.agent_dir, "companions", vsix_name(folder)) if folder else ""
    companion = _built_package(places) or package or OFFICIAL
    argv = (program, "--install-extension", companion, "--force")
    if companion == package:
        return Plan(editor, companion, argv, source=folder, target=package)
    return Plan(editor, companion, argv)


def installed(made: Plan) -> str:
    """Carries out a plan and returns the editor's output. Raises `PiscesError`."""
    try:
        if made.argv and made.source:
            os.makedirs(os.path.dirname(made.target), exist_ok=True)
            with open(made.target, "wb") as file:
                file.write(vsix(made.source))
        elif made.source:
            shutil.copytree(made.source, made.target, dirs_exist_ok=True)
    except shutil.Error as error:  # has what went wrong for each file, as source, copy and reason
        message = f"cannot be written: {error.args[0][0][2]}"
        raise PiscesError(INSTALL_FAILED.at(made.target, message, hint="make room, or make it writable")) from None
    except OSError as error:
        raise PiscesError(disk_fault(error, "", INSTALL_FAILED)) from None
    return _run(made) if made.argv else f"copied to {made.target}"


def editor_for(name: str, here: DetectedIde | None) -> DetectedIde:
    """The editor with this name, or without a name the one that this terminal belongs to."""
    hint = f"one of {', '.join(each.name for each in EDITORS)}"
    found = editor_named(name) if name else here and (editor_named(here.name) or here)
    if found is None:
        unknown = "this terminal does not belong to an editor that is known"
        raise PiscesError(UNKNOWN_EDITOR.at("", f"no editor is called `{name}`" if name else unknown, hint=hint))
    return found


def installable() -> list[DetectedIde]:
    return [editor for editor in EDITORS if editor.command_line or editor.copied]


def command_of(line: CommandLine, places: Places, platform: str = sys.platform) -> str:
    """On PATH, the name in the editor's variable first; then in the usual folders."""
    named = places.env.get(line.variable, "") if line.variable else ""
    suffix = ".cmd" if platform == "win32" else ""
    names = [named] if _SAFE.fullmatch(named) else []
    for name in [*names, *(f"{name}{suffix}" for name in line.names)]:
        if found := shutil.which(name, path=search_path(places.env.get("PATH", os.defpath))):
            return found
    return next(filter(os.path.isfile, usual_paths(line, places, platform)), "")


def usual_paths(line: CommandLine, places: Places, platform: str) -> list[str]:
    name, (application, support) = line.names[0], line.mac
    if platform == "darwin" and application:
        return [
            f"/Applications/{application}.app/Contents/Resources/app/bin/{name}",
            f"{places.home}/Library/Application Support/{support}/bin/{name}",
        ]
    if platform == "win32" and line.windows:
        programs = places.env.get("ProgramFiles") or "C:\\Program Files"
        mine = f"{places.home}\\AppData\\Local\\Programs"
        return [f"{top}\\{line.windows}\\bin\\{name}.cmd" for top in (programs, mine)]
    if platform.startswith("linux") and line.linux:
        shared, mine = (f"{top}/share/{line.linux}/bin/{name}" for top in ("/usr", f"{places.home}/.local"))
        return [shared, f"/snap/bin/{name}", mine]
    return []


def companions_folder(places: Places) -> str:
    """The folder of built companions: named by a variable, else beside the sources of pisces."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    usual = [os.path.join(package, "companions"), os.path.join(os.path.dirname(os.path.dirname(package)), "companions")]
    named = places.env.get(FOLDER_VARIABLE, "")
    folders = [places.absolute(named)] if named else usual
    return next((folder for folder in folders if os.path.isdir(folder)), "")


def _extension_folder(places: Places) -> str:
    """Our extension for VS Code and its forks, not packed."""
    folder = os.path.join(companions_folder(places), "vscode")
    return folder if os.path.isfile(os.path.join(folder, "package.json")) else ""


def _built_package(places: Places) -> str:
    """Our extension, packed. Of several, the last by name."""
    folder = os.path.join(companions_folder(places), "vscode") if companions_folder(places) else ""
    built = [entry.path for entry in entries(folder) if entry.name.endswith(".vsix")] if folder else []
    return built[-1] if built else ""


def _copy_plan(editor: DetectedIde, copied: Copied, places: Places) -> Plan:
    folder = companions_folder(places)
    source = os.path.join(folder, copied.folder) if folder else ""
    if not source or not os.path.isdir(source):
        hint = f"set `{FOLDER_VARIABLE}` to the folder that holds `{copied.folder}`"
        raise PiscesError(NO_INSTALLER.at("", f"the companion for {editor.display_name} is not here", hint=hint))
    target = os.path.join(_root(copied.root, places), *copied.target)
    return Plan(editor, source, source=source, target=target, then=copied.then.format(target=places.shown(target)))


def _root(kind: str, places: Places) -> str:
    return _emacs_folder(places) if kind == "emacs" else _neovim_folder(places)


def _neovim_folder(places: Places) -> str:
    """Neovim's folder for data, which `NVIM_APPNAME` renames."""
    name = places.env.get("NVIM_APPNAME") or "nvim"
    if os.name == "nt" and places.env.get("LOCALAPPDATA"):
        return os.path.join(places.env["LOCALAPPDATA"], f"{name}-data")
    return os.path.join(_xdg(places, "XDG_DATA_HOME", ".local", "share"), name)


def _emacs_folder(places: Places) -> str:
    """As Emacs decides: the XDG folder if it is there, and neither `~/.emacs.d` nor `~/.emacs` is."""
    home = places.env.get("HOME") or places.env.get("APPDATA") or places.home if os.name == "nt" else places.home
    old, xdg = os.path.join(home, ".emacs.d"), os.path.join(_xdg(places, "XDG_CONFIG_HOME", ".config"), "emacs")
    has_old = any(os.path.exists(os.path.join(home, name)) for name in _EMACS_FILES)
    return xdg if os.path.isdir(xdg) and not has_old else old


def _xdg(places: Places, variable: str, *below: str) -> str:
    """The folder that a variable names. A relative one does not count, says the specification."""
    named = places.env.get(variable, "")
    return named if os.path.isabs(named) else os.path.join(places.home, *below)


def _run(made: Plan) -> str:
    hint = f"install {OFFICIAL} from the list of extensions in {made.editor.display_name}"
    # The editor is the user's own program and finds its windows by its variables, so it gets the whole environment.
    out, err, ended = captured(Launch(tuple(made.argv), "", dict(os.environ), Limits(seconds=_SECONDS)))
    said = (err or out if ended.code else out).decode("utf-8", "replace").strip()
    failure = ended.failure or ended.reason
    if not failure and ended.code == 0:
        return said
    outcome = f"cannot be run: {failure}" if failure else f"ended with {ended.code}: {said[-500:]}"
    raise PiscesError(INSTALL_FAILED.at("", f"`{made.argv[0]}` {outcome}", hint=hint))
