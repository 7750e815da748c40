"""Which companion is ours: the discovery file to use, the ways to try in order, and why each other file was not taken.

The order is Gemini CLI's: the old file name, the target process, living processes, the larger pid. Ours in addition:
all ancestors count, nearest first; each port goes with its own token; the environment is judged by its own workspace.
"""

from __future__ import annotations

import json
import os

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.ide.discovery_file import DiscoveryFile, discovery_files, is_alive
from pisces.ide.endpoint import Endpoint
from pisces.ide.process_tree import process_tree
from pisces.ide.variables import PORT_VARIABLE, TOKEN_VARIABLE, WORKSPACE_VARIABLE
from pisces.ide.workspace import covers, roots_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pisces.ide.process_tree import ProcessTree
    from pisces.places import Places

COMMAND_VARIABLE = "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND"
ARGS_VARIABLE = "GEMINI_CLI_IDE_SERVER_STDIO_ARGS"
ENVIRONMENT = "environment"

BAD_VARIABLE = Rule(
    "ide-bad-variable",
    WARNING,
    "a variable that names the companion cannot be understood",
    "The variable is ignored, so the terminal may find no editor, or another one than it was opened in.",
    "GEMINI_CLI_IDE_SERVER_PORT=soon",
    "GEMINI_CLI_IDE_SERVER_PORT=40123",
)


class CompanionCandidate(Value):
    """A discovery file and what was thought of it. `is_chosen` for one at most."""

    file: DiscoveryFile
    why: str
    is_chosen: bool = False


class Choice(Value):
    """`endpoints` are tried in order. Without any, `problem` says what is missing, and what to do about it."""

    endpoints: tuple[Endpoint, ...] = ()
    candidates: tuple[CompanionCandidate, ...] = ()
    problem: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def file(self) -> DiscoveryFile | None:
        return next((each.file for each in self.candidates if each.is_chosen), None)


def choice_here(places: Places, tree: ProcessTree | None = None) -> Choice:
    """From what is on the disk and in the environment right now."""
    return choose(places, tree or process_tree(places.env), discovery_files(places.env))


def choose(places: Places, tree: ProcessTree, found: Sequence[DiscoveryFile | Diagnostic]) -> Choice:
    told, bad = _from_environment(places.env)
    files = _sorted([each for each in found if isinstance(each, DiscoveryFile)], tree)
    taken, why = _taken(files, tree, told, places.cwd)
    candidates = tuple(_judged(file, taken, why, (tree, places.cwd)) for file in files)
    endpoints = (*_endpoints_of(taken, places.env), *_environment_endpoints(told, files, taken, places))
    fit = tuple(
        endpoint for at, endpoint in enumerate(endpoints) if endpoint.is_usable and endpoint not in endpoints[:at]
    )
    diagnostics = (*(each for each in found if isinstance(each, Diagnostic)), *bad)
    return Choice(fit, candidates, "" if fit else _problem(files, told, places), diagnostics)


class _Told(Value):
    """What the terminal's environment says."""

    port: int = 0
    token: str = ""
    workspace: str | None = None
    command: tuple[str, ...] = ()


def _from_environment(env: Mapping[str, str]) -> tuple[_Told, list[Diagnostic]]:
    bad = []
    port, command, words = env.get(PORT_VARIABLE, ""), env.get(COMMAND_VARIABLE, ""), _words(env)
    is_port = port.isascii() and port.isdigit() and 0 < int(port[:6]) < 65536
    if port and not is_port:
        bad.append(BAD_VARIABLE.at("", f"`{PORT_VARIABLE}` is not a port", hint="a number from 1 to 65535"))
    if command and words is None:
        bad.append(BAD_VARIABLE.at("", f"`{ARGS_VARIABLE}` is not a list", hint='JSON such as `["--flag", "value"]`'))
    program = (command, *(words or ())) if command else ()
    return _Told(int(port) if is_port else 0, env.get(TOKEN_VARIABLE, ""), env.get(WORKSPACE_VARIABLE), program), bad


def _words(env: Mapping[str, str]) -> tuple[str, ...] | None:
    try:
        words = json.loads(env.get(ARGS_VARIABLE) or "[]")
    except (ValueError, RecursionError):
        return None
    fits = isinstance(words, list) and all(isinstance(word, str) for word in words)
    return tuple(words) if fits else None


def _sorted(files: list[DiscoveryFile], tree: ProcessTree) -> list[DiscoveryFile]:
    return sorted(files, key=lambda file: _rank(file, tree))


def _rank(file: DiscoveryFile, tree: ProcessTree) -> tuple[int, ...]:
    """The seed's rule decides between ancestors; the nearest comes first among the others."""
    pids = tree.pids
    is_target = file.pid == tree.ide.pid
    distance = 0 if is_target else 1 + pids.index(file.pid) if file.pid in pids else len(pids) + 1
    return (not (_is_old(file) and is_target), distance, not is_alive(file.pid), -file.pid, file.port)


def _is_old(file: DiscoveryFile) -> bool:
    """The name had no port once."""
    return os.path.basename(file.path) == f"gemini-ide-server-{file.pid}.json"


def _taken(files: list[DiscoveryFile], tree: ProcessTree, told: _Told, cwd: str) -> tuple[DiscoveryFile | None, str]:
    """The first that covers the folder; the terminal's own port decides between several windows."""
    fitting = [file for file in files if _covers(file.workspace_path, cwd) and not _is_foreign_old(file, tree)]
    if not fitting:
        return None, ""
    first = fitting[0]
    if len(fitting) > 1 and not _is_old(first):
        own = [file for file in fitting if told.port and file.port == told.port]
        if own:
            return own[0], f"covers this folder, and `{PORT_VARIABLE}` names its port"
    return first, f"covers this folder; {_relation(first, tree)}"


def _relation(file: DiscoveryFile, tree: ProcessTree) -> str:
    named = ", file named in the old way" if _is_old(file) else ""
    if file.pid == tree.ide.pid:
        return f"process {file.pid} is the editor by {tree.by}{named}"
    if file.pid in tree.pids:
        return f"process {file.pid} is an ancestor of this one{named}"
    return f"process {file.pid} is {'alive' if is_alive(file.pid) else 'gone'} and not an ancestor of this one"


def _is_foreign_old(file: DiscoveryFile, tree: ProcessTree) -> bool:
    return _is_old(file) and file.pid not in (tree.ide.pid, *tree.pids)


def _judged(
    file: DiscoveryFile, taken: DiscoveryFile | None, why: str, where: tuple[ProcessTree, str]
) -> CompanionCandidate:
    tree, cwd = where
    if file is taken:
        return CompanionCandidate(file, why, is_chosen=True)
    if file.workspace_path is None:
        return CompanionCandidate(file, "names no workspace")
    if not file.workspace_path:
        return CompanionCandidate(file, "has no folder open")
    if not _covers(file.workspace_path, cwd):
        return CompanionCandidate(
            file, f"its workspace does not cover this folder: {', '.join(roots_of(file.workspace_path))}"
        )
    if _is_foreign_old(file, tree):
        return CompanionCandidate(file, "is named in the old way, for a process that is not above this one")
    return CompanionCandidate(file, f"covers this folder too, but another came first; {_relation(file, tree)}")


def _covers(workspace: str | None, cwd: str) -> bool:
    return bool(workspace) and covers(workspace or "", cwd)


def _endpoints_of(file: DiscoveryFile | None, env: Mapping[str, str]) -> list[Endpoint]:
    if file is None:
        return []
    token = file.auth_token or env.get(TOKEN_VARIABLE, "")
    endpoints = [Endpoint(file.path, file.port, token)] if file.port else []
    return [*endpoints, Endpoint(file.path, command=file.stdio)] if file.stdio else endpoints


def _environment_endpoints(
    told: _Told, files: list[DiscoveryFile], taken: DiscoveryFile | None, places: Places
) -> list[Endpoint]:
    """The environment's port goes with the environment's token, or with that of the file that names the port."""
    same = next((file for file in files if file.port == told.port), None)
    if not _covers(_environment_workspace(told, same or taken), places.cwd):
        return []
    token = told.token or (same.auth_token if same else "")
    endpoints = [Endpoint(ENVIRONMENT, told.port, token)] if told.port else []
    if taken and told.port == taken.port and token == (taken.auth_token or told.token):
        endpoints = []  # the very same way
    return [*endpoints, Endpoint(ENVIRONMENT, command=told.command)] if told.command else endpoints


def _environment_workspace(told: _Told, file: DiscoveryFile | None) -> str | None:
    return told.workspace if told.workspace is not None else file.workspace_path if file else None


def _problem(files: list[DiscoveryFile], told: _Told, places: Places) -> str:
    workspaces = [file.workspace_path for file in files]
    if told.port or told.command:
        workspaces.append(told.workspace)
    known = [workspace for workspace in workspaces if workspace is not None]
    if not known:
        return "no companion was found: is it installed (`pisces ide install`) and is the editor running?"
    roots = [root for workspace in known for root in roots_of(workspace)]
    if not roots:
        return "the editor has no folder open: open this one there, then try again"
    if any(_covers(workspace, places.cwd) for workspace in known):
        return "the companion of this folder cannot be used: see `pisces ide status`"
    return f"this folder is not in the editor's workspace: run from one of {', '.join(dict.fromkeys(roots))}"
