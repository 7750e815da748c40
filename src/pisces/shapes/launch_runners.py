"""Programs that fetch what they run, one function each: the words after the program, and why they float, if they do."""

from __future__ import annotations

import re

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Words = tuple[str, ...]
    Judge = Callable[[str], "Floating | None"]


class Floating(Value):
    reason: str
    hint: str


_COMMIT = "[0-9a-f]{40}"
_EXACT = r"v?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?"
_NPM = re.compile(
    rf"(?:npm:)?(?:@[^/@\s]+/)?[^/@\s:]+@{_EXACT}|(?:git\+|github:|https?://)\S*#{_COMMIT}|[^/\s]+/[^/\s]+#{_COMMIT}"
)
_JSR = re.compile(rf"(?:npm|jsr):/?(?:@[^/@\s]+/)?[^/@\s:]+@{_EXACT}(?:/.*)?")
_PYTHON = re.compile(
    r"[\w.-]+(?:\[[\w,\s.-]*\])?\s*(?:===?\s*|@)\d[\w.!+-]*(?:\s*;.*)?"
    rf"|(?:[\w.\[\],-]+\s*@\s*)?(?:git\+\S+@{_COMMIT}(?:#\S*)?|https?://\S+#sha256=[0-9a-f]{{64}}\S*)"
)
_GO = re.compile(r"\S+@v\d+\.\d+\.\d+\S*|\S+@[0-9a-f]{12,40}")
_IMAGE = re.compile(r"\S+@sha256:[0-9a-f]{64}")
_FLAKE = re.compile(rf"\S*(?:/|rev=){_COMMIT}\S*")
_DOTNET = re.compile(rf"\S+@{_EXACT}")
_LOCAL = re.compile(r"(?:\.{1,2}(?:$|[/\\])|[/~<]|\$\{?\w*(?:path|root|dir)\w*\}?|file:|[A-Za-z]:[/\\])", re.IGNORECASE)
_LOOSE = re.compile(r"@(?:latest|next|main|master|head|\*)$|[=<>~!^]=?\s*[\w.*]+.*$|@[^/@]*$", re.IGNORECASE)


def _node(words: Words) -> Floating | None:
    options, command = _at_command(words, _NODE_VALUES)
    return _any_of(list(_valued(options, ("-p", "--package"))) or [command], _npm_package)


def _after(*commands: Words) -> Callable[[Words], Floating | None]:
    """`npm exec x` fetches as `npx x` does; other words of npm do not."""

    def judged(words: Words) -> Floating | None:
        found = next((each for each in commands if words[: len(each)] == each), None)
        return _node(words[len(found) :]) if found else None

    return judged


def _npm_package(package: str) -> Floating | None:
    if _LOCAL.match(package):
        return None
    if re.match(r"git\+|github:|gitlab:|[^@./\s][^/\s]*/[^/\s]+$", package) and not _NPM.fullmatch(package):
        return Floating(f"`{_short(package)}` follows a branch or a tag", "name a commit: OWNER/REPO#<commit>")
    return _unless(_NPM, package, "the registry", f"{_bare(package)}@1.2.3")


def _uvx(words: Words) -> Floating | None:
    options, command = _at_command(words, _UV_VALUES)
    named = list(_valued(options, ("--from",))) or [command]
    return _any_of([*named, *_valued(options, ("--with",))], _python_package)


def _uv(words: Words) -> Floating | None:
    """`uv tool run` fetches as uvx does; `uv run` has the lock of its project, but for what comes `--with` it."""
    while words and words[0].startswith("-"):
        words = words[2:] if words[0] in _UV_VALUES else words[1:]
    if words[:2] == ("tool", "run"):
        return _uvx(words[2:])
    if words[:1] == ("run",):
        options, _command = _at_command(words[1:], _UV_VALUES)
        return _any_of(list(_valued(options, ("--with",))), _python_package)
    return None


def _pipx(words: Words) -> Floating | None:
    if words[:1] != ("run",):
        return None
    options, command = _at_command(words[1:], ("--with", "--spec", "--python", "--pip-args", "--index-url", "-i"))
    named = list(_valued(options, ("--spec",))) or [command]
    return _any_of([*named, *_valued(options, ("--with",))], _python_package)


def _python_package(package: str) -> Floating | None:
    if re.match(r"(?:[\w.\[\],-]+\s*@\s*)?git\+", package) and not _PYTHON.fullmatch(package):
        address = re.sub(r"(?<=[^/:])@[^/@]*$", "", package.partition("#")[0])
        return Floating(f"`{_short(package)}` follows a branch or a tag", f"name a commit: {_short(address)}@<commit>")
    return _unless(_PYTHON, package, "the package index", f"{_bare(package)}==1.2.3")


def _container(words: Words) -> Floating | None:
    at = next((at for at, word in enumerate(words) if word == "run"), None)
    if at is None or words[:1] == ("compose",):
        return None
    image = _first_image(words[at + 1 :])
    if not image or _IMAGE.fullmatch(image):
        return None
    name = re.sub(r"[:@][^/]*$", "", image)
    return Floating(f"the image `{_short(image)}` has no digest", f"name its digest: {_short(name)}@sha256:...")


def _first_image(words: Words) -> str:
    """Options of `docker run` take a value, but for a few."""
    at = 0
    while at < len(words) and words[at].startswith("-"):
        flag = words[at]
        alone = "=" in flag or flag in _DOCKER_FLAGS or re.fullmatch("-[ditPq]+", flag)
        attached = not flag.startswith("--") and len(flag) > 2
        at += 1 if alone or attached else 2
    return words[at] if at < len(words) else ""


def _go(words: Words) -> Floating | None:
    if words[:1] != ("run",):
        return None
    package = _first(words[1:], ("-C", "-tags", "-modfile", "-ldflags", "-gcflags", "-exec", "-p", "-mod"))
    if "@" not in package or _GO.fullmatch(package):
        return None
    return Floating(f"`{_short(package)}` is no exact version", f"name one: {_bare(package)}@v1.2.3")


def _deno(words: Words) -> Floating | None:
    rest = words[1:] if words[:1] in (("run",), ("x",), ("serve",)) else words
    script = _first(rest, ("-c", "--config", "--import-map", "--lock", "--cert", "--location", "--seed"))
    if re.match("https?://", script, re.IGNORECASE):
        return Floating(f"what is at `{_short(script)}` can change", "put the script into the package")
    if not re.match("(?:npm|jsr):", script) or _JSR.fullmatch(script):
        return None
    return Floating(f"`{_short(script)}` is no exact version", f"name one: {_bare(script)}@1.2.3")


def _nix(words: Words) -> Floating | None:
    if words[:1] not in (("run",), ("shell",), ("develop",)):
        return None
    flake = _first(words[1:], ("--override-input", "--inputs-from", "--option"))
    if not flake or _LOCAL.match(flake) or _FLAKE.fullmatch(flake):
        return None
    return Floating(f"`{_short(flake)}` follows a branch", "name a commit: github:OWNER/REPO/<commit>")


def _dnx(words: Words) -> Floating | None:
    if any(re.fullmatch(_EXACT, version) for version in _valued(words, ("--version",))):
        return None
    package = _first(words, ("--version", "--source", "--add-source", "--configfile"))
    return _unless(_DOTNET, package, "NuGet", f"{_bare(package)}@1.2.3")


def _unless(exact: re.Pattern[str], package: str, who: str, better: str) -> Floating | None:
    if not package or _LOCAL.match(package) or exact.fullmatch(package):
        return None
    if re.match("https?://", package, re.IGNORECASE):
        return Floating(f"what is at `{_short(package)}` can change", "name a version, or put it into the package")
    return Floating(f"`{_short(package)}` is whatever version {who} has", f"name one: {better}")


def _any_of(packages: list[str], judge: Judge) -> Floating | None:
    return next((found for found in map(judge, packages) if found), None)


def _valued(options: Words, flags: Words) -> Iterator[str]:
    """Every value of some options."""
    for at, word in enumerate(options):
        flag, mark, value = word.partition("=")
        if flag in flags and (mark or at + 1 < len(options)):
            yield value if mark else options[at + 1]


def _at_command(words: Words, with_value: Words) -> tuple[Words, str]:
    """The options, and the first word that is none and no option's value; what comes after it is not the runner's."""
    at = 0
    while at < len(words):
        flag, mark, _value = words[at].partition("=")
        if not flag.startswith("-"):
            return words[:at], words[at]
        at += 2 if flag in with_value and not mark else 1
    return words, ""


def _first(words: Words, with_value: Words) -> str:
    return _at_command(words, with_value)[1]


def _bare(package: str) -> str:
    """A package's name without its version."""
    at = 1 if package.startswith("@") else package.find(":@") + 2 if ":@" in package else 0
    return _short(package[:at] + _LOOSE.sub("", package[at:]))


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


_NODE_VALUES = ("-p", "--package", "-c", "--call", "--registry", "--prefix", "--cache", "-w", "--workspace")
_UV_VALUES = (
    *("--from", "--with", "--with-editable", "--extra", "--group", "--default-index", "--resolution"),
    *("--python", "-p", "--index", "--index-url", "-i", "--extra-index-url", "--find-links", "-f", "--directory"),
    *("--project", "--cache-dir", "--config-file", "--with-requirements", "--env-file", "--refresh-package"),
)
_DOCKER_FLAGS = (
    *("--rm", "--init", "--privileged", "--read-only", "--interactive", "--tty", "--detach", "--publish-all"),
    *("--no-healthcheck", "--oom-kill-disable", "--sig-proxy", "--quiet", "--disable-content-trust"),
)

RUNNERS: Mapping[str, Callable[[Words], Floating | None]] = {
    **dict.fromkeys(("npx", "bunx", "pnpx"), _node),
    "npm": _after(("exec",), ("x",)),
    "pnpm": _after(("dlx",)),
    "yarn": _after(("dlx",)),
    "bun": _after(("x",)),
    "uvx": _uvx,
    "uv": _uv,
    "pipx": _pipx,
    "go": _go,
    "deno": _deno,
    "nix": _nix,
    "dnx": _dnx,
    **dict.fromkeys(("docker", "podman", "nerdctl"), _container),
}
