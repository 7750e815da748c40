"""What consent to the start of a server covers: its command line or address, the names of its variables and headers,
and the files that it consists of. Files of a project that a runner reads by itself belong to it, whoever configured it.
"""

from __future__ import annotations

import os

from pisces.discovery.found import PROJECT
from pisces.discovery.pins import changed_pins, digest_of, folder_pin, pin_of, pins_below
from pisces.gates.content import text_hash
from pisces.gates.installed import installed_in
from pisces.gates.workspace import covered_request
from pisces.shapes.launch_words import program_of
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.places import Places
    from pisces.shapes.request import ServerRequest

_FEW = 12  # changed files that are named
_GIT = ".git"
_NODE = (".npmrc", ".yarnrc.yml", ".yarnrc", ".pnp.cjs", ".pnpmfile.cjs", "bunfig.toml", "pnpm-workspace.yaml")
_NODE_RUNNERS = frozenset(("npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx"))
_READ_BY = {
    **dict.fromkeys(_NODE_RUNNERS, _NODE),
    "deno": ("deno.json", "deno.jsonc"),
    "uv": ("uv.toml", "pyproject.toml"),
    **dict.fromkeys(("docker", "podman", "nerdctl"), ()),
}
_PYTHONS = ("python", "python3", "py")


class ServerContent(Value):
    """`facts` are what is shown when they change; `pins` are the files, each by its path."""

    facts: Mapping[str, str] = EMPTY
    pins: Mapping[str, str] = EMPTY

    @property
    def sha256(self) -> str:
        parts = [f"{name}={text}" for name, text in sorted(self.facts.items())]
        return text_hash("\0".join((*parts, digest_of(dict(self.pins)))))


def server_content(request: ServerRequest, places: Places) -> ServerContent:
    """Raises `TooManyFiles` for a package that is too large to be covered."""
    facts = {
        "command line" if request.argv else "address": request.exact,
        "words": "\n".join(request.argv),
        "folder": request.cwd,
        "variables": " ".join(sorted(request.env)),
        "headers": " ".join(sorted(request.headers)),
        "program for headers": request.helper,
        "pin": request.pin,
        "transport": request.transport,
        "package": _tree(request, places),
    }
    return ServerContent({name: text for name, text in facts.items() if text}, dict(_pins(request, places)))


def borrowed_files(request: ServerRequest, places: Places) -> list[str]:
    """Files of the workspace that would decide what a server runs which the workspace did not configure."""
    if request.level == PROJECT or not request.argv or request.pin or not _is_below(request.cwd, places.cwd):
        return []
    named = list(_borrowed_names(request.argv))
    folders = list(places.replace(cwd=request.cwd).ancestors())
    found = (os.path.join(folder, name) for folder in folders if _is_below(folder, places.cwd) for name in named)
    return [path for path in found if os.path.lexists(path)]


def changes_since(before: ServerContent, now: ServerContent) -> tuple[str, ...]:
    """What differs, a line each. Values of variables are in neither."""
    names = [name for name in {**before.facts, **now.facts} if before.facts.get(name) != now.facts.get(name)]
    facts = [f"{name}: {_change(before.facts.get(name), now.facts.get(name))}" for name in names if name != "words"]
    facts += ["the words of its command line"] if names == ["words"] else []
    files = [f"{what} {name}" for what, name in changed_pins(dict(before.pins), dict(now.pins))]
    more = [f"and {len(files) - _FEW} more files"] if len(files) > _FEW else []
    return (*facts, *files[:_FEW], *more)


def _tree(request: ServerRequest, places: Places) -> str:
    """The hash of an installed package: its files are compared with that before it starts."""
    package = installed_in(request.folder, places) if request.folder else None
    return package.tree if package else ""


def _change(before: str | None, now: str | None) -> str:
    if before is None or now is None:
        return f"`{now}` is new" if before is None else f"`{before}` is gone"
    return f"`{before}` is now `{now}`"


def _pins(request: ServerRequest, places: Places) -> Iterator[tuple[str, str]]:
    if request.level == PROJECT:
        yield from covered_request(request, places).pins.items()
    if request.level == PROJECT and request.folder:
        below = pins_below(request.folder, lambda name: name == _GIT)
        yield from ((os.path.join(request.folder, name), pin) for name, pin in below.items())
    for path in borrowed_files(request, places):
        yield path, folder_pin(path) if os.path.isdir(path) else pin_of(path)


def _borrowed_names(argv: tuple[str, ...]) -> Iterator[str]:
    program, words = program_of(argv[0]), [word for word in argv[1:] if not word.startswith("-")]
    yield from _READ_BY.get(program, ())
    if program in _NODE_RUNNERS:
        names = (word.rpartition("/")[2].partition("@")[0] for word in words[:3] if word not in ("exec", "x", "dlx"))
        yield from (os.path.join("node_modules", ".bin", name) for name in names if name)
        yield from (os.path.join("node_modules", word.rstrip("/")) for word in words[:3] if _is_package(word))
    if program.rstrip(".0123456789") in _PYTHONS and "-m" in argv[:-1]:
        module = argv[argv.index("-m") + 1].partition(".")[0]
        yield from (f"{module}.py", module)


def _is_package(word: str) -> bool:
    name = word.rpartition("@")[0] or word
    return ".." not in name and not name.startswith(("/", "."))


def _is_below(folder: str, top: str) -> bool:
    return folder == top or folder.startswith(top.rstrip(os.sep) + os.sep)
