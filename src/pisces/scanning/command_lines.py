"""Every command line that a file makes somebody run: hooks, servers, helpers, tasks, install scripts, modules."""

from __future__ import annotations

import base64
import re
from urllib.parse import unquote

from pisces.discovery.header_acts import lines_in
from pisces.formats import jsonc
from pisces.formats.malformed import Malformed
from pisces.formats.position import json_place
from pisces.scanning.launches import hooks_of, joined, line_of, place_of, servers_of, value_of
from pisces.scanning.page import Page
from pisces.scanning.roles import CONFIG, PROMPT, ending_of
from pisces.shapes.act import HOOK, LINE, SERVER
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_INSTALL_EVENTS = ("preinstall", "install", "postinstall", "prepare", "prepublish", "preprepare", "postprepare")
_ENTRY_KEYS = ("main", "module", "bin", "exports", "browser", "extensions", "plugins")
_HELPER_KEYS = frozenset(
    """
    command headersHelper apiKeyHelper awsAuthRefresh awsCredentialExport otelHeadersHelper discoveryCommand
    callCommand notify postCreateCommand postStartCommand postAttachCommand onCreateCommand initializeCommand
    """.split()
)
_GIVEN_EVENTS = frozenset(("statusLine", "subagentStatusLine"))  # given what the user and the agent do, as hooks are
_MANIFESTS = ("plugin.json", "marketplace.json", "package.json")
_HELPER_TOKENS = frozenset(key.lower().encode() for key in _HELPER_KEYS)
_HEADER = re.compile(r"---\s{0,9}\n")
_HEADER_COMMAND = re.compile(
    r"^[ \t-]{0,40}(?P<key>[\"']?(?:command|bash|run)[\"']?)[ \t]{0,9}:[ \t]{0,9}(?P<line>[^\n]{1,2000})", re.M
)
_HEADER_ARGS = re.compile(
    r"[ \t]{0,9}\n[ \t]{0,40}args[ \t]{0,9}:[ \t]{0,9}(?:\[[^\]\n]{1,1500}\]|(?:\n[ \t]{0,40}-[ \t][^\n]{1,400}){1,12})"
)
_ARGUMENT = re.compile(r"\"[^\"\n]{1,1000}\"|'[^'\n]{1,1000}'|(?<=- )[^\n]{1,400}|(?<=[\[,])[^\[\],\n\"']{1,200}")
_EXPANSION = re.compile(r"<!@?\((?P<line>[^\n]{1,500}?)\)[\"']")  # node-gyp runs it
_LINK = re.compile(r"(?:/|:)mcp/install\?(?:name=[\w%.-]{1,60}&(?:amp;)?)?(?:config=)?(?P<config>[\w+/=%-]{20,4000})")
_DEEPEST = 8
_LONGEST = 2000  # of a line in a prompt: a brace may stay open


class StartedLine(Value):
    """`place` is where it is written; `is_command` is false for a file that is loaded and not started by a shell.

    A hook gets what the user and the agent do on its standard input.
    """

    text: str
    place: tuple[int, int]
    is_command: bool = True
    is_hook: bool = False


def named_files(page: Page) -> Iterator[str]:
    """Every text in a manifest: any of them may be the path of a file with hooks or servers."""
    if page.role == CONFIG and (page.base in _MANIFESTS or page.base.endswith("-extension.json")):
        yield from _texts_in(value_of(page), 0)


def command_lines(page: Page) -> Iterator[StartedLine]:
    """What the inventory knows of the page, then what else looks like a command line in it; each once."""
    declared = list(_declared(page))
    yield from declared
    places = {each.place for each in declared}
    seen = {each.text for each in declared} if page.role == CONFIG else set()
    for each in _alike(page):
        if each.place not in places and each.text not in seen:
            if page.role == CONFIG:
                seen.add(each.text)
            yield each


def _declared(page: Page) -> Iterator[StartedLine]:
    for server in servers_of(page) if page.acts or page.role == CONFIG else ():
        if server.words:
            yield StartedLine(joined(server.words), place_of(page, (*server.keys, "command")))
    for hook in hooks_of(page) if page.acts or page.role == CONFIG else ():
        if hook.command:
            yield StartedLine(hook.command, place_of(page, hook.keys), is_hook=True)
    injected = list(_injected(page))
    yield from injected
    plain = {each.text for each in injected}
    for act in page.acts:
        line = line_of(act, page) if act.kind not in (SERVER, HOOK) else ""
        if line and line not in plain:
            # Without keys it is a line of a prompt, in which the file's syntax has escapes.
            yield StartedLine(line, place_of(page, (*act.keys, "command") if act.keys else ("prompt",)))


def _alike(page: Page) -> Iterator[StartedLine]:
    """Where no harness is asked what it loads: a file alone, an entry that a harness refuses, other programs' files."""
    if "/mcp/install?" in page.lowered or ":mcp/install?" in page.lowered:
        yield from _in_links(page)
    if page.role == PROMPT:
        yield from _in_header(page)
    elif page.role == CONFIG:
        yield from _in_config(page)


def _in_links(page: Page) -> Iterator[StartedLine]:
    """Links that put a server into the settings of an editor, with its command line in them."""
    for found in _LINK.finditer(page.text):
        text = unquote(found["config"])
        try:
            text = text if "{" in text else base64.b64decode(text + "=" * (-len(text) % 4)).decode()
            server = jsonc.parse_lenient(text[text.index("{") :])
        except (ValueError, Malformed, RecursionError):
            continue
        words = [*_words(server.get("command")), *_words(server.get("args"))] if isinstance(server, dict) else []
        if words:
            yield StartedLine(words[0] if len(words) == 1 else joined(tuple(words)), page.place(found.start()))


def _in_config(page: Page) -> Iterator[StartedLine]:
    if page.base == "binding.gyp":
        for found in _EXPANSION.finditer(page.text):
            yield StartedLine(found["line"], page.place(found.start()))
    if ending_of(page.name) in ("yaml", "yml"):
        yield from _in_yaml(page, len(page.text))
    elif page.base == "package.json":
        yield from _in_package(page)
    elif not _HELPER_TOKENS.isdisjoint(page.tokens) or b"terminal" in page.tokens:
        yield from _helpers(page)


def _in_package(page: Page) -> Iterator[StartedLine]:
    package = page.json if isinstance(page.json, dict) else {}
    scripts = package.get("scripts")
    for event, line in scripts.items() if isinstance(scripts, dict) else ():
        if isinstance(line, str) and event in _INSTALL_EVENTS and "node_modules" not in page.name.split("/"):
            yield StartedLine(line, json_place(page.text, ("scripts", event)))
    for key, value in package.items():
        inner = value if isinstance(value, dict) else {}
        entries = [value] if key in _ENTRY_KEYS else [inner[each] for each in _ENTRY_KEYS if each in inner]
        for path in (each for entry in entries for each in _texts_in(entry, 0)):
            yield StartedLine(path, json_place(page.text, (key,)), is_command=False)


def _texts_in(value: object, depth: int) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for each in below if depth < _DEEPEST else ():
        yield from _texts_in(each, depth + 1)


def _helpers(page: Page) -> Iterator[StartedLine]:
    """Keys that start a program wherever they stand: of settings, tasks and containers."""
    pending: list[tuple[tuple[str | int, ...], object]] = [((), value_of(page))]
    while pending:
        keys, here = pending.pop()
        items = here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        for key, below in items:
            if key in _HELPER_KEYS and isinstance(below, str | list):
                more = here.get("args") if isinstance(here, dict) and key == "command" else None
                words = [each for part in (below, more) for each in _words(part)]
                is_hook = key == "notify" or not _GIVEN_EVENTS.isdisjoint(map(str, keys))
                yield StartedLine(joined(tuple(words)), place_of(page, (*keys, key)), is_hook=is_hook)
            elif isinstance(below, dict) and "path" in below and any("terminal" in str(each) for each in keys):
                words = [each for part in (below["path"], below.get("args")) for each in _words(part)]
                yield StartedLine(joined(tuple(words)), place_of(page, (*keys, key)))
            elif isinstance(below, dict | list) and len(keys) < _DEEPEST:
                pending.append(((*keys, key), below))


def _words(value: object) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str)]


def _in_header(page: Page) -> Iterator[StartedLine]:
    """Hooks and servers in the header of a skill, a subagent or a command."""
    if not page.text.startswith("---") or ending_of(page.name) == "toml":
        return
    first = _HEADER.match(page.text)
    end = page.text.find("\n---", first.end()) if first else -1
    if end > 0:
        yield from _in_yaml(page, end)


def _in_yaml(page: Page, end: int) -> Iterator[StartedLine]:
    """Commands with their arguments, by their keys: nothing else of YAML matters here."""
    for found in _HEADER_COMMAND.finditer(page.text, 0, end):
        line = found["line"].strip().strip("\"'")
        more = _HEADER_ARGS.match(page.text, found.end(), min(end, found.end() + 2000))
        parts = [each.strip(" \t,\"'") for each in _ARGUMENT.findall(more[0])] if more else []
        yield StartedLine(" ".join((line, joined(tuple(parts)))).strip(), page.place(found.start("key")), is_hook=True)


def _injected(page: Page) -> Iterator[StartedLine]:
    """A harness runs these before the model sees the prompt."""
    if page.role == PROMPT or any(act.kind == LINE for act in page.acts):
        for at, line in lines_in(page.text):
            yield StartedLine(line[:_LONGEST].replace('\\"', '"'), page.place(at))
