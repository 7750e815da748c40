"""What a command line fetches and runs, in parts: which package, which program of it, with which words.

The options of each runner are those of `shapes/launch_runners.py`; what a pin cannot keep to is refused with a reason.
"""

from __future__ import annotations

from pisces.shapes.launch_words import program_of
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Words = tuple[str, ...]

NPM, PYPI = "npm", "pypi"


class LaunchParts(Value):
    """`packages` are as written, the first has the program; an empty `program` is the package's own. `words` are those
    for the program. `index` is the address of another index, `python` another interpreter.
    """

    kind: str
    packages: tuple[str, ...]
    program: str = ""
    words: tuple[str, ...] = ()
    index: str = ""
    python: str = ""


class NotPinnable(Exception):
    """The message says why."""


def fetched(argv: Words) -> LaunchParts | None:
    """None for a command line that fetches nothing. Raises `NotPinnable`."""
    if program_of(argv[0]) == "cmd" and len(argv) > 2 and argv[1].lower() == "/c":
        argv = argv[2:]
    reader = _READERS.get(program_of(argv[0]))
    return reader(argv[1:]) if reader else None


def _node(words: Words) -> LaunchParts:
    options, rest = _parted(words, ("-p", "--package", "-c", "--call", "--registry", "-w", "--workspace"), _NODE_FLAGS)
    for flag in ("-c", "--call", "-w", "--workspace"):
        if flag in options:
            raise NotPinnable(f"`{flag}` gives a line to a shell, or another folder to look in")
    packages = (*options.get("-p", ()), *options.get("--package", ()))
    rest = rest[1:] if rest[:1] == ("--",) else rest
    index = options.get("--registry", ("",))[-1]
    if packages:
        if not rest:
            raise NotPinnable("no program is named")
        return LaunchParts(NPM, packages, rest[0], rest[1:], index)
    if not rest:
        raise NotPinnable("no package is named")
    return LaunchParts(NPM, rest[:1], "", rest[1:], index)


def _after(*commands: Words) -> Callable[[Words], LaunchParts | None]:
    def read(words: Words) -> LaunchParts | None:
        found = next((each for each in commands if words[: len(each)] == each), None)
        return _node(words[len(found) :]) if found else None

    return read


def _uvx(words: Words) -> LaunchParts:
    options, rest = _parted(words, _UV_VALUES, _UV_FLAGS)
    for flag in ("--with-editable", "--with-requirements", "--overrides", "--constraints", "-c", "--env-file"):
        if flag in options:
            raise NotPinnable(f"`{flag}` reads a file that may change")
    if not rest:
        raise NotPinnable("no program is named")
    main = options.get("--from", ())[-1:] or (_python_spec(rest[0]),)
    more = tuple(each for text in options.get("--with", ()) for each in text.split(",") if each)
    indexes = [each for flag in ("--default-index", "--index-url", "-i") for each in options.get(flag, ())]
    python = next((options[flag][-1] for flag in ("--python", "-p") if flag in options), "")
    return LaunchParts(
        PYPI, (*main, *more), rest[0].partition("@")[0], rest[1:], indexes[-1] if indexes else "", python
    )


def _uv(words: Words) -> LaunchParts | None:
    return _uvx(words[2:]) if words[:2] == ("tool", "run") else None


def _pipx(words: Words) -> LaunchParts | None:
    if words[:1] != ("run",):
        return None
    options, rest = _parted(words[1:], ("--with", "--spec", "--python", "--pip-args", "--index-url", "-i"), _PIPX_FLAGS)
    if "--pip-args" in options:
        raise NotPinnable("`--pip-args` may mean anything")
    if not rest:
        raise NotPinnable("no program is named")
    main = options.get("--spec", ())[-1:] or (rest[0],)
    index = next((options[flag][-1] for flag in ("--index-url", "-i") if flag in options), "")
    python = options.get("--python", ("",))[-1]
    return LaunchParts(PYPI, (*main, *options.get("--with", ())), rest[0].partition("==")[0], rest[1:], index, python)


def _python_spec(word: str) -> str:
    """`uvx name@1.2.3` and `uvx name@latest`."""
    name, mark, version = word.partition("@")
    return word if not mark else name if version == "latest" else f"{name}=={version}"


def _parted(words: Words, valued: Words, flags: Words) -> tuple[dict[str, tuple[str, ...]], Words]:
    """The options with their values, and the words from the first on that is none. An unknown option is refused: what
    it does would be lost.
    """
    options: dict[str, tuple[str, ...]] = {}
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        flag, mark, value = words[at].partition("=")
        if flag in valued:
            if not mark and at + 1 >= len(words):
                raise NotPinnable(f"`{flag}` has no value")
            options[flag] = (*options.get(flag, ()), value if mark else words[at + 1])
            at += 1 if mark else 2
        elif flag in flags:
            options.setdefault(flag, ())
            at += 1
        else:
            raise NotPinnable(f"pisces does not know what `{flag}` does")
    return options, words[at:]


_NODE_FLAGS = (
    *("-y", "--yes", "-q", "--quiet", "--silent", "-s", "--prefer-offline", "--prefer-online", "--offline"),
    *("--ignore-existing", "--no-install", "--bun", "--no", "--ignore-scripts", "--verbose"),
)
_UV_VALUES = (
    *("--from", "--with", "--with-editable", "--with-requirements", "--overrides", "--constraints", "-c"),
    *("--python", "-p", "--default-index", "--index-url", "-i", "--env-file", "--cache-dir", "--color"),
    *("--refresh-package", "--python-preference"),
)
_UV_FLAGS = (
    *("-q", "--quiet", "-v", "--verbose", "--isolated", "--refresh", "--no-cache", "-n", "--offline", "--no-config"),
    *("--no-progress", "--native-tls", "--managed-python", "--no-managed-python", "-U", "--upgrade", "--no-build"),
    *("--no-env-file", "--reinstall", "--compile-bytecode"),
)
_PIPX_FLAGS = ("--no-cache", "--verbose", "-v", "--quiet", "-q", "--pypackages", "--system-site-packages")

_READERS: Mapping[str, Callable[[Words], LaunchParts | None]] = {
    **dict.fromkeys(("npx", "bunx", "pnpx"), _node),
    "npm": _after(("exec",), ("x",)),
    "pnpm": _after(("dlx",)),
    "yarn": _after(("dlx",)),
    "bun": _after(("x",)),
    "uvx": _uvx,
    "uv": _uv,
    "pipx": _pipx,
}
