"""How MCP servers are started: floating versions, unencrypted connections, unconfined containers, shells."""

from __future__ import annotations

import re
from itertools import pairwise

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.launches import ScannedServer, address_of, place_of, servers_of
from pisces.scanning.page import Page, excerpt
from pisces.scanning.suspicious_hosts import is_suspicious
from pisces.scanning.well_known_names import NPM, PYPI
from pisces.shapes.launch_runners import RUNNERS
from pisces.shapes.launch_words import float_of, program_of

FLOATING_SERVER = Rule("scan-floating-server", WARNING, "A server is fetched anew, in whatever version there is")
UNASKED_INSTALL = Rule("scan-unasked-install", NOTE, "A server is installed without asking")
OPEN_CONNECTION = Rule("scan-open-connection", WARNING, "A server is reached without encryption")
OPEN_CONTAINER = Rule("scan-open-container", ERROR, "A container is started without walls")
FOREIGN_KEY = Rule("scan-foreign-key", ERROR, "A server gets the key of somebody else's service")
SERVER_SHELL = Rule("scan-server-shell", WARNING, "A server is started through a shell")

_OPEN = re.compile(r"(?:http|ws|tcp)://(?!localhost\b|127\.|\[::1|0\.0\.0\.0|\$|host\.docker\.internal|\{)", re.I)
_SHELLS = re.compile(
    r"(?:.{0,200}[/\\])?(?:ba|z|da|k|fi)?sh(?:\.exe)?$|(?:.{0,200}[/\\])?(?:cmd|powershell|pwsh)(?:\.exe)?$", re.I
)
_RUNS_LINE = re.compile(r"-\w{0,3}c|/c|/k|-command|-encodedcommand|-e(?:nc)?", re.I)
_CONTAINERS = re.compile(r"(?:.{0,200}[/\\])?(?:docker|podman|nerdctl)(?:\.exe)?$")
_NO_WALLS = re.compile(
    r"--privileged|--pid=host|--cap-add=(?:ALL|SYS_ADMIN)"
    r"|.{0,99}docker\.sock.{0,99}|(?:--volume=|source=|src=)?/:.{1,200}|type=bind,(?:source|src)=/,.{0,200}",
    re.I,
)
_THIN_WALLS = re.compile(
    r"--net(?:work)?=host|(?:--volume=)?(?:~|\$HOME|\$\{HOME\}|/home/[^/]{1,60}|/Users/[^/]{1,60}|/etc|/root):.{1,200}"
)
# A shell that only puts the value of a variable into the path of one program.
_ONE_PROGRAM = re.compile(r"(?:exec\s{1,4})?\"\$\{?\w{1,40}\}?(?:/[\w. -]{1,80}){1,12}\"(?:\s{1,4}[\w./=-]{1,60}){0,6}")
_TAG = re.compile(r"[\w./-]{1,120}:v?\d{1,4}\.\d{1,6}[\w.-]{0,40}")  # an image of one version
_ARCHIVE = re.compile(
    r"(?:git\+)?https?://(?!(?:[\w.@:-]{1,80}[.@])?(?:github|githubusercontent|gitlab|npmjs|pythonhosted|bitbucket)\.(?:com|org)/)",
    re.I,
)
_OWNER_KEY = re.compile(
    r"\$\{?(?:env:)?(ANTHROPIC|OPENAI|GEMINI|GOOGLE|GITHUB|GH|GITLAB|NPM|AWS|AZURE|STRIPE|SLACK|HF)_\w{0,30}(?:KEY|TOKEN|SECRET|PAT)\b"
)
_OWNERS = {
    "GEMINI": ("google",),
    "GH": ("github",),
    "NPM": ("npmjs",),
    "AWS": ("amazon", "aws"),
    "AZURE": ("azure", "microsoft"),
    "HF": ("huggingface", "hf.co"),
}
_PACKAGE_OPTIONS = ("--from", "--with", "-p", "--package")
_YES = ("-y", "--yes")
_LINE_MEANS_PROGRAM = ("cmd", "cmd.exe")  # Windows starts `npx` only through it


def _find(page: Page) -> Diagnostics:
    for server in servers_of(page):
        yield from _judged(page, server)


def _judged(page: Page, server: ScannedServer) -> Diagnostics:
    address = address_of(server.config)
    if _OPEN.match(address):
        key = next(key for key in server.config if server.config[key] == address)
        place = place_of(page, (*server.keys, key))
        message = f"`{server.name}` is reached at `{excerpt(address)}`"
        yield OPEN_CONNECTION.at(page.path, message, place=place, about=server.name)
    yield from _foreign_keys(page, server, address)
    if server.words:
        yield from _launch(page, server)


def _foreign_keys(page: Page, server: ScannedServer, address: str) -> Diagnostics:
    """Keys of well-known services that a remote server of somebody else is given."""
    headers = server.config.get("headers")
    if not address or not isinstance(headers, dict):
        return
    text = " ".join(str(each) for each in headers.values())
    owners = {found[1] for found in _OWNER_KEY.finditer(text)}
    at = address.lower()
    foreign = sorted(each for each in owners if not any(name in at for name in _OWNERS.get(each, (each.lower(),))))
    if foreign:
        message = f"`{server.name}` sends the key of {', '.join(foreign)} to `{excerpt(address)}`"
        finding = FOREIGN_KEY.at(page.path, message, place=place_of(page, (*server.keys, "headers")), about=server.name)
        is_sure = len(foreign) > 1 or _OPEN.match(address) or is_suspicious(address)
        yield finding if is_sure else finding.replace(severity=WARNING)


def _launch(page: Page, server: ScannedServer) -> Diagnostics:
    place = place_of(page, (*server.keys, "command"))
    words = _without_cmd(server.words)
    line = excerpt(" ".join(words))
    if _SHELLS.match(words[0]) and any(_RUNS_LINE.fullmatch(word) for word in words[1:]):
        message = f"`{server.name}` is started by `{line}`"
        finding = SERVER_SHELL.at(page.path, message, place=place, about=server.name)
        yield finding.replace(severity=NOTE) if _ONE_PROGRAM.fullmatch(words[-1]) else finding
    floating = float_of(words)
    if floating:
        message = f"`{server.name}`: {excerpt(floating.reason)}"
        finding = FLOATING_SERVER.at(page.path, message, place=place, hint=floating.hint, about=server.name)
        if _ARCHIVE.match(_package_of(words)):
            finding = finding.replace(severity=ERROR)
        yield finding.replace(severity=NOTE) if _is_usual(words) else finding
    elif program_of(words[0]) in RUNNERS and any(word in _YES for word in words):
        message = f"`{server.name}` installs without asking: `{line}`"
        yield UNASKED_INSTALL.at(page.path, message, place=place, about=server.name)
    if _CONTAINERS.match(words[0]):
        yield from _container(page, server, words, place)


def _package_of(words: tuple[str, ...]) -> str:
    """What a runner fetches: the first word that is no option; an address behind it is given to the program."""
    for option, value in pairwise(words):
        if option in _PACKAGE_OPTIONS:
            return value
    skipped = ("run", "exec", "x", "dlx", "tool", "install")
    return next((word for word in words[1:] if not word.startswith("-") and word not in skipped), "")


def _is_usual(words: tuple[str, ...]) -> bool:
    """An image of one version, or a package that so many use that a change of hands would be news."""
    if _CONTAINERS.match(words[0]):
        return any(_TAG.fullmatch(word) for word in words[1:])
    names = {word.removesuffix("@latest") for word in words[1:]}
    return not names.isdisjoint(NPM | PYPI) and not any("://" in word or word.startswith("git") for word in words)


def _container(page: Page, server: ScannedServer, words: tuple[str, ...], place: tuple[int, int]) -> Diagnostics:
    joined = [f"{flag}={value}" for flag, value in pairwise(words) if flag.startswith("--")]
    for word in (*words, *joined):
        if _NO_WALLS.fullmatch(word):
            message = f"`{server.name}` runs in a container with `{excerpt(word)}`"
            yield OPEN_CONTAINER.at(page.path, message, place=place, about=server.name)
        elif _THIN_WALLS.fullmatch(word):
            message = f"`{server.name}` runs in a container that sees `{excerpt(word)}`"
            yield OPEN_CONTAINER.at(page.path, message, place=place, about=server.name).replace(severity=WARNING)


def _without_cmd(words: tuple[str, ...]) -> tuple[str, ...]:
    is_passed_on = words[0].lower() in _LINE_MEANS_PROGRAM and len(words) > 2 and words[1].lower() == "/c"
    return words[2:] if is_passed_on and " " not in words[2] else words


DETECTOR = Detector("how MCP servers are started", _find)
