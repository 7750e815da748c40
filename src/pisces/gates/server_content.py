"""What consent to the start of a server covers: its command line or address, the names of its variables and headers,
and the files that it consists of. Files of a project that a runner reads by itself belong to it, whoever configured it.
"""

from __future__ import annotations

import os

from pisces.discovery.found import PROJECT
from pisces.discovery.pins import changed_pins, content_and_run_bit, digest_of, folder_pin, pin_of, pins_below
from pisces.gates.content import text_hash
from pisces.gates.installed import installed_in
from pisces.gates.workspace import covered_server
from pisces.shapes.launch_words import commands_in, program_of
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.places import Places
    from pisces.shapes.request import ServerRequest

_MOST_NAMED = 1000  # changed files; cards have pages, and a harmless dozen must not hide another
_GIT = ".git"
_NODE = (".npmrc", ".yarnrc.yml", ".yarnrc", ".pnp.cjs", ".pnpmfile.cjs", "bunfig.toml", "pnpm-workspace.yaml")
_NODE_RUNNERS = frozenset(("npx", "npm", "pnpm", "pnpx", "yarn", "bun", "bunx"))
_FETCHES = ("exec", "x", "dlx")
_READ_BY = {
    **dict.fromkeys(_NODE_RUNNERS, _NODE),
    "deno": ("deno.json", "deno.jsonc"),
    "make": ("GNUmakefile", "makefile", "Makefile"),
    "just": ("justfile", "Justfile", ".justfile"),
    "task": ("Taskfile.yml", "Taskfile.yaml"),
    "cargo": ("Cargo.toml",),
    "go": ("go.mod",),
    **dict.fromkeys(("uv", "poetry", "pdm", "hatch"), ("pyproject.toml", "uv.toml")),
}
_ELSEWHERE = ("--directory", "--project", "--prefix", "--cwd", "-C")  # the runner reads another folder
_PYTHONS = ("python", "py")
_INTERPRETERS = frozenset("node python py bun deno ruby perl php sh bash zsh dash tsx ts-node".split())


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
    here = os.path.realpath(places.cwd)
    cwd = os.path.realpath(request.cwd)
    if request.level == PROJECT or not request.argv or not _is_below(cwd, here):
        return []
    named = list(_borrowed_names(request))
    folders = [folder for folder in places.replace(cwd=cwd).ancestors() if _is_below(folder, here)]
    found = (os.path.normpath(os.path.join(folder, name)) for folder in folders for name in named)
    return [path for path in dict.fromkeys(found) if os.path.lexists(path)]


def changes_since(before: ServerContent, now: ServerContent) -> tuple[str, ...]:
    """What differs, a line each. Values of variables are in neither."""
    names = [name for name in {**before.facts, **now.facts} if before.facts.get(name) != now.facts.get(name)]
    facts = [f"{name}: {_change(before.facts.get(name), now.facts.get(name))}" for name in names if name != "words"]
    facts += ["the words of its command line"] if names == ["words"] else []
    files = [f"{what} {name}" for what, name in changed_pins(dict(before.pins), dict(now.pins))]
    more = [f"and {len(files) - _MOST_NAMED} more files"] if len(files) > _MOST_NAMED else []
    return (*facts, *files[:_MOST_NAMED], *more)


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
        for covered in covered_server(request, places):
            yield from covered.pins.items()
    if request.level == PROJECT and request.folder:
        below = pins_below(request.folder, lambda name: name == _GIT, content_and_run_bit)
        yield from ((os.path.join(request.folder, name), pin) for name, pin in below.items())
    for path in borrowed_files(request, places):
        yield path, folder_pin(path) if os.path.isdir(path) else pin_of(path)


def _borrowed_names(request: ServerRequest) -> Iterator[str]:
    written = request.written.partition(" ")[0]
    if _is_relative(written) and not written.startswith(("~", "$")):
        yield request.argv[0]
    for argv in commands_in(request.argv):
        yield from _read_by(argv)


def _read_by(argv: tuple[str, ...]) -> Iterator[str]:
    program, words = program_of(argv[0]), [word for word in argv[1:] if not word.startswith("-")]
    plain = program.rstrip(".0123456789")
    if _is_relative(argv[0]):
        yield argv[0]
    if not any(word.partition("=")[0] in _ELSEWHERE for word in argv) and tuple(words[:2]) != ("tool", "run"):
        yield from _READ_BY.get(program, ())
    if program in _NODE_RUNNERS:
        yield from _of_node(program, words)
    if plain in _PYTHONS and "-m" in argv[:-1]:
        module = argv[argv.index("-m") + 1].partition(".")[0]
        yield from (f"{module}.py", module)
    elif plain in _INTERPRETERS:
        yield from (word for word in words[:1] if not os.path.isabs(word))


def _is_relative(program: str) -> bool:
    return "/" in program and not os.path.isabs(program)


def _of_node(program: str, words: list[str]) -> Iterator[str]:
    """What is installed in the workspace counts before what is fetched, and a script is that of its package.json."""
    is_script = program in ("npm", "pnpm", "yarn", "bun") and words[:1] and words[0] not in _FETCHES
    if is_script:
        yield "package.json"
    for word in words[:3]:
        name = word.rpartition("/")[2].partition("@")[0]
        yield from (os.path.join("node_modules", ".bin", name),) if name and word not in _FETCHES else ()
        yield from (os.path.join("node_modules", word.rpartition("@")[0] or word),) if _is_package(word) else ()


def _is_package(word: str) -> bool:
    name = word.rpartition("@")[0] or word
    return ".." not in name and not name.startswith(("/", "."))


def _is_below(folder: str, top: str) -> bool:
    return folder == top or folder.startswith(top.rstrip(os.sep) + os.sep)
