"""Commands as prompts: what the client's user chooses is expanded by the host, past the same gates as if typed here."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pisces.commands.names.resolve import resolve
from pisces.diagnostics import PiscesError
from pisces.ide.companion import rpc
from pisces.mcp.connection import ServerError
from pisces.serving.choices import COMMANDS
from pisces.serving.names import served_names
from pisces.serving.results import AUDIO_SINCE, notes_for_model
from pisces.serving.servers import served_servers
from pisces.serving.wire import REFUSED
from pisces.shapes.prompt import Part
from pisces.value import Value

if TYPE_CHECKING:
    from pisces.host.host import Host
    from pisces.host.server_prompts import ServerPrompt
    from pisces.host.submitting import Submitted
    from pisces.serving.choices import ServeChoices

ALL = "arguments"  # the argument that is everything behind the name
_MOST_ARGUMENTS = 100_000  # characters
_CHOICES = re.compile(r"[\[<(]?\s*([^\s\[\]<>()|]+(?:\s*\|\s*[^\s\[\]<>()|]+)+)\s*[\])>]?")
_WORD = re.compile(r"[^\s\"'\\$`]+")


class ServedPrompt(Value):
    """`typed` is what the user would type after the `/`. `names` are those of its arguments, if the file names them.

    `of_server` is set for the prompt of a server, whose arguments are given by name.
    """

    name: str
    typed: str
    description: str
    hint: str = ""
    names: tuple[str, ...] = ()
    of_server: ServerPrompt | None = None

    def listed(self) -> dict[str, Any]:
        hint = {"description": self.hint} if self.hint else {}
        arguments = [{"name": each, "required": False} for each in self.names]
        if self.of_server is not None:
            arguments = [_argument(each) for each in self.of_server.arguments]
            return {"name": self.name, "description": self.description, "arguments": arguments}
        described = {"description": self.description} if self.description else {}
        is_needed = self.hint.lstrip().startswith("<")  # as manual pages have it
        arguments = arguments or [{"name": ALL, "required": is_needed, **hint}]
        return {"name": self.name, **described, "arguments": arguments}

    def choices(self, argument: str) -> list[str]:
        """What the hint offers for an argument: `[staging|production]`."""
        if argument not in (self.names or (ALL,)):
            return []
        found = _CHOICES.findall(self.hint[:1000])
        at = self.names.index(argument) if self.names else 0
        return [each.strip() for each in found[at].split("|")] if at < len(found) else []

    def line(self, arguments: Mapping[str, Any]) -> str:
        """As it is typed. Raises `Fault` for arguments that it does not take."""
        known = self.names or (ALL,) if self.of_server is None else self.names
        unknown = [each for each in arguments if each not in known]
        wrong = [each for each, value in arguments.items() if not isinstance(value, str)]
        if unknown or wrong:
            what = f"there is no argument `{unknown[0][:100]}`" if unknown else f"`{wrong[0]}` must be text"
            raise rpc.Fault(rpc.INVALID_PARAMS, f"the prompt `{self.name}`: {what}")
        if sum(map(len, arguments.values())) > _MOST_ARGUMENTS:
            raise rpc.Fault(rpc.INVALID_PARAMS, f"the arguments have more than {_MOST_ARGUMENTS} characters")
        if self.of_server is not None:
            return " ".join((f"/{self.typed}", *(_quoted(f"--{name}={value}") for name, value in arguments.items())))
        if not self.names:
            return f"/{self.typed} {arguments.get(ALL, '')}".rstrip()
        values = [arguments.get(each, "") for each in self.names]
        while values and not values[-1]:
            values.pop()
        return " ".join((f"/{self.typed}", *map(_quoted, values)))


def _argument(listed: Mapping[str, Any]) -> dict[str, Any]:
    about = {"description": listed["description"]} if isinstance(listed.get("description"), str) else {}
    return {"name": str(listed["name"]), "required": listed.get("required") is True, **about}


def _quoted(value: str) -> str:
    return value if _WORD.fullmatch(value) else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def served_prompts(host: Host, choices: ServeChoices) -> dict[str, ServedPrompt]:
    """Commands of modules before those of files, as a host resolves them. Programs are tools."""
    if not choices.has(COMMANDS):
        return {}
    made: dict[str, ServedPrompt] = {}
    modules, entries = host.module_commands, [each for each in host.commands.entries if each.calls_model]
    servers = _of_servers(host, choices)
    files = (*(each.name for each in entries), *(each.qualified for each in entries))
    names = served_names((*modules, *files, *servers))
    for name, command in modules.items():
        made[names[name]] = ServedPrompt(names[name], name, command.description)
    for entry in entries:
        typed = entry.name if entry.name not in modules else entry.qualified
        file = entry.command
        if _is_meant(host, typed, entry) and typed not in modules:
            made[names[typed]] = ServedPrompt(
                names[typed], typed, file.description, file.argument_hint, file.arguments or ()
            )
    for typed, prompt in servers.items():
        if typed not in modules and typed not in host.commands.names:
            arguments = tuple(str(each["name"]) for each in prompt.arguments)
            served = ServedPrompt(names[typed], typed, prompt.description, "", arguments, prompt)
            made[served.name] = served
    return {name: each for name, each in made.items() if choices.offers(name, each.typed, *_server_of(each))}


def _of_servers(host: Host, choices: ServeChoices) -> dict[str, ServerPrompt]:
    """Those that can be typed: a blank ends a name."""
    served = served_servers(host, choices)
    found = {name: each for name, each in host.server_prompts.items() if each.server.name in served}
    return {name: each for name, each in found.items() if not any(map(str.isspace, name))}


def _server_of(prompt: ServedPrompt) -> tuple[str, ...]:
    return () if prompt.of_server is None else (prompt.of_server.server.name,)


async def completions(prompt: ServedPrompt, argument: str, value: str) -> list[str]:
    """What may follow: of the hint in a file, or of the server whose prompt it is."""
    if prompt.of_server is None:
        return [each for each in prompt.choices(argument) if each.startswith(value)]
    reference = {"type": "ref/prompt", "name": prompt.of_server.prompt}
    try:
        return list(await (await prompt.of_server.server.start()).completions(reference, argument, value))
    except ServerError:
        return []


def _is_meant(host: Host, typed: str, entry: object) -> bool:
    """Whether the line calls this command and no other that has a part of its name."""
    try:
        return resolve(f"/{typed} x", host.commands).entry is entry
    except PiscesError:
        return False


def prompt_result(submitted: Submitted, prompt: ServedPrompt, version: str) -> dict[str, Any]:
    """Raises `Fault` for what was blocked, with the reason."""
    if submitted.blocked:
        raise rpc.Fault(REFUSED, f"`/{prompt.typed}` was blocked: {submitted.blocked}")
    if submitted.prompt is not None:
        parts = submitted.prompt.parts
    else:
        text = submitted.output.stdout if submitted.output is not None else submitted.answer
        parts = (Part(text if isinstance(text, str) else f"`/{prompt.typed}` ran"),)
    notes = (Part(f"\n\n{text}") for text in notes_for_model(submitted.notes))
    messages = [{"role": "user", "content": _content(each, version)} for each in _joined((*parts, *notes))]
    return {"description": prompt.description, "messages": messages}


def _joined(parts: Sequence[Part]) -> Iterator[Part]:
    """Texts that follow each other are one message."""
    text = ""
    for part in parts:
        if part.data:
            yield from (Part(text),) if text else ()
            text = ""
            yield part
        else:
            text += part.text
    if text:
        yield Part(text)


def _content(part: Part, version: str) -> dict[str, Any]:
    if not part.data:
        return {"type": "text", "text": part.text}
    data = base64.b64encode(part.data).decode("ascii")
    if part.mime.startswith("image/"):
        return {"type": "image", "data": data, "mimeType": part.mime}
    if part.mime.startswith("audio/") and version >= AUDIO_SINCE:
        return {"type": "audio", "data": data, "mimeType": part.mime}
    return {"type": "resource", "resource": {"uri": f"file://{part.path}", "mimeType": part.mime, "blob": data}}
