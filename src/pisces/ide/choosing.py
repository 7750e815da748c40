"""Which companion to use: the discovery file, the endpoints to try in order, and why each other file was not chosen.

The order is Gemini CLI's: the legacy file name, the target process, the larger pid. In addition, all ancestors count,
nearest first; each port has its own token; the environment has its own workspace; a file that an editor has left behind
never counts; and where the chosen companion does not answer, the other files of this folder follow.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence

from pisces.diagnostics import WARNING, Diagnostic, Rule
from pisces.ide.discovery_file import DiscoveryFile, discovery_files
from pisces.ide.endpoint import PORT_VARIABLE, TOKEN_VARIABLE, WORKSPACE_VARIABLE, Endpoint, port_of
from pisces.ide.left_behind import why_left_behind
from pisces.ide.process_tree import ProcessTree, process_tree
from pisces.ide.workspace import covers, roots_of
from pisces.places import Places
from pisces.value import Value

COMMAND_VARIABLE = "GEMINI_CLI_IDE_SERVER_STDIO_COMMAND"
ARGS_VARIABLE = "GEMINI_CLI_IDE_SERVER_STDIO_ARGS"
ENVIRONMENT = "environment"

BAD_VARIABLE = Rule("ide-bad-variable", WARNING, "a variable that names the companion cannot be understood")


class CompanionCandidate(Value):
    """A discovery file, and why it was chosen or not. At most one is chosen."""

    file: DiscoveryFile
    why: str
    is_chosen: bool = False


class Choice(Value):
    """`endpoints` are tried in order. If there are none, `problem` says what is missing and what to do."""

    endpoints: tuple[Endpoint, ...] = ()
    candidates: tuple[CompanionCandidate, ...] = ()
    problem: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def file(self) -> DiscoveryFile | None:
        return next((each.file for each in self.candidates if each.is_chosen), None)


def choice_here(places: Places, tree: ProcessTree | None = None) -> Choice:
    """Chooses from the discovery files on the disk and the environment."""
    return choose(places, tree or process_tree(places.env), discovery_files(places.env))


def choose(places: Places, tree: ProcessTree, found: Sequence[DiscoveryFile | Diagnostic]) -> Choice:
    declared, bad = _from_environment(places.env)
    files = sorted((each for each in found if isinstance(each, DiscoveryFile)), key=lambda file: _rank(file, tree))
    left = {file.path: why_left_behind(file, (tree.ide.pid, *tree.pids)) for file in files}
    reasons = {file.path: _why_never(file, tree, places.cwd) or left[file.path] for file in files}
    living = [file for file in files if not left[file.path]]
    fitting = [file for file in files if not reasons[file.path]]
    chosen, why = _chosen(fitting, tree, declared)
    candidates = tuple(
        CompanionCandidate(file, why if file is chosen else reasons[file.path] or _why_not(file, tree), file is chosen)
        for file in files
    )
    own = (*_endpoints_of(chosen, places.env), *_environment_endpoints(declared, living, chosen, places))
    others = (Endpoint(file.path, file.port, file.auth_token) for file in fitting if file.port)
    usable = tuple(_distinct(each for each in (*own, *others) if each.is_usable))
    diagnostics = (*(each for each in found if isinstance(each, Diagnostic)), *bad)
    return Choice(usable, candidates, "" if usable else _problem(files, living, declared, places), diagnostics)


def _distinct(endpoints: Iterable[Endpoint]) -> list[Endpoint]:
    """Without those that differ from an earlier one only in their source, as two files of one window do."""
    first: dict[object, Endpoint] = {}
    for each in endpoints:
        first.setdefault((each.port, each.token, each.command), each)
    return list(first.values())


class _Declared(Value):
    """What the variables of the terminal say."""

    port: int = 0
    token: str = ""
    workspace: str | None = None
    command: tuple[str, ...] = ()


def _from_environment(env: Mapping[str, str]) -> tuple[_Declared, list[Diagnostic]]:
    bad = []
    token, workspace = env.get(TOKEN_VARIABLE, ""), env.get(WORKSPACE_VARIABLE)
    port, command, words = port_of(env.get(PORT_VARIABLE)), env.get(COMMAND_VARIABLE, ""), _words(env)
    if env.get(PORT_VARIABLE) and not port:
        bad.append(BAD_VARIABLE.at("", f"`{PORT_VARIABLE}` is not a port", hint="a number from 1 to 65535"))
    if command and words is None:
        bad.append(BAD_VARIABLE.at("", f"`{ARGS_VARIABLE}` is not a list", hint='JSON such as `["--flag", "value"]`'))
    program = (command, *(words or ())) if command else ()
    return _Declared(port, token, workspace, program), bad


def _words(env: Mapping[str, str]) -> tuple[str, ...] | None:
    try:
        words = json.loads(env.get(ARGS_VARIABLE) or "[]")
    except (ValueError, RecursionError):
        return None
    fits = isinstance(words, list) and all(isinstance(word, str) for word in words)
    return tuple(words) if fits else None


def _rank(file: DiscoveryFile, tree: ProcessTree) -> tuple[int, ...]:
    """The process that Gemini's rule picks comes first, then the other ancestors, nearest first."""
    pids = tree.pids
    is_target = file.pid == tree.ide.pid
    distance = 0 if is_target else 1 + pids.index(file.pid) if file.pid in pids else len(pids) + 1
    return (not (_is_legacy(file) and is_target), distance, -file.pid, file.port)


def _is_legacy(file: DiscoveryFile) -> bool:
    """File names had no port in early versions."""
    return os.path.basename(file.path) == f"gemini-ide-server-{file.pid}.json"


def _chosen(fitting: list[DiscoveryFile], tree: ProcessTree, declared: _Declared) -> tuple[DiscoveryFile | None, str]:
    """The first file that counts. The terminal's own port decides between several windows."""
    if not fitting:
        return None, ""
    first = fitting[0]
    if len(fitting) > 1 and not _is_legacy(first):
        own = [file for file in fitting if declared.port and file.port == declared.port]
        if own:
            return own[0], f"covers this folder, and `{PORT_VARIABLE}` names its port"
    return first, f"covers this folder; {_relation(first, tree)}"


def _relation(file: DiscoveryFile, tree: ProcessTree) -> str:
    named = ", file named in the old way" if _is_legacy(file) else ""
    if file.pid == tree.ide.pid:
        return f"process {file.pid} is the editor by {tree.by}{named}"
    if file.pid in tree.pids:
        return f"process {file.pid} is an ancestor of this one{named}"
    return f"process {file.pid} is alive and not an ancestor of this one"


def _is_foreign_legacy(file: DiscoveryFile, tree: ProcessTree) -> bool:
    return _is_legacy(file) and file.pid not in (tree.ide.pid, *tree.pids)


def _why_never(file: DiscoveryFile, tree: ProcessTree, cwd: str) -> str:
    """Why a file does not count here; empty if it does, unless its editor is gone."""
    if file.workspace_path is None:
        return "names no workspace"
    if not file.workspace_path:
        return "has no folder open"
    if not covers(file.workspace_path, cwd):
        return f"its workspace does not cover this folder: {', '.join(roots_of(file.workspace_path))}"
    if _is_foreign_legacy(file, tree):
        return "is named in the old way, for a process that is not above this one"
    return ""


def _why_not(file: DiscoveryFile, tree: ProcessTree) -> str:
    return f"covers this folder too, but another came first; {_relation(file, tree)}"


def _endpoints_of(file: DiscoveryFile | None, env: Mapping[str, str]) -> list[Endpoint]:
    if file is None:
        return []
    token = file.auth_token or env.get(TOKEN_VARIABLE, "")
    endpoints = [Endpoint(file.path, file.port, token)] if file.port else []
    return [*endpoints, Endpoint(file.path, command=file.stdio)] if file.stdio else endpoints


def _environment_endpoints(
    declared: _Declared, files: list[DiscoveryFile], chosen: DiscoveryFile | None, places: Places
) -> list[Endpoint]:
    """The environment's port has the environment's token, or the token of the file that names the port."""
    same = next((file for file in files if file.port == declared.port), None)
    file = same or chosen
    workspace = declared.workspace if declared.workspace is not None or file is None else file.workspace_path
    if not covers(workspace, places.cwd):
        return []
    token = declared.token or (same.auth_token if same else "")
    endpoints = [Endpoint(ENVIRONMENT, declared.port, token)] if declared.port else []
    return [*endpoints, Endpoint(ENVIRONMENT, command=declared.command)] if declared.command else endpoints


def _problem(files: list[DiscoveryFile], living: list[DiscoveryFile], declared: _Declared, places: Places) -> str:
    workspaces = [file.workspace_path for file in living]
    if declared.port or declared.command:
        workspaces.append(declared.workspace)
    known = [workspace for workspace in workspaces if workspace is not None]
    if not known and any(covers(file.workspace_path, places.cwd) for file in files):
        return "the editor that had this folder open is gone: start it, or its companion, again"
    if not known:
        return "no companion was found: is it installed (`pisces ide install`) and is the editor running?"
    roots = [root for workspace in known for root in roots_of(workspace)]
    if not roots:
        return "the editor has no folder open: open this one there, then try again"
    if any(covers(workspace, places.cwd) for workspace in known):
        return "the companion of this folder cannot be used: see `pisces ide status`"
    return f"this folder is not in the editor's workspace: run from one of {', '.join(dict.fromkeys(roots))}"
