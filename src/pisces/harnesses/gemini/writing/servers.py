"""MCP servers in Gemini CLI's fields. What a variable stands for is the same; how it is spelled is not.

A secret that is taken from the environment is a setting of the extension: Gemini CLI hides variables whose names look
like one from servers.
"""

from __future__ import annotations

import re

from pisces.converting import prompt_text as neutral
from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, DROPPED, LOST_FIELD, LOST_SERVER, lost, mapped
from pisces.converting.prompt_text import PromptVariable
from pisces.converting.variables import text_with_variables
from pisces.formats.fit import TEXT, Listed, Mapped, misfits
from pisces.harnesses.gemini.writing.names import LABEL
from pisces.harnesses.gemini.writing.spelling import moved_text, server_places, variable_text
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginServer
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan
    from pisces.harnesses.gemini.writing.spelling import GeminiSpelling

ROOT_VARIABLE = "CLAUDE_PLUGIN_ROOT"  # programs of packages read it from their environment
_SAME = ("command", "args", "env", "cwd", "url", "headers", "timeout", "description", "includeTools", "excludeTools")
_TYPES = {"http": "http", "streamable-http": "http", "streamableHttp": "http", "sse": "sse"}
_OAUTH = ("clientId", "clientSecret", "scopes", "authorizationUrl", "tokenUrl", "registrationUrl", "redirectUri")
_SECRET = re.compile(r"TOKEN|SECRET|PASSWORD|PASSWD|KEY|AUTH|CREDENTIAL|CREDS|PRIVATE|CERT")


class WrittenServers(Value):
    """`secrets` are variables of the environment that a user has to give: each becomes a setting."""

    entries: dict[str, Any]
    fates: tuple[Fate, ...]
    secrets: tuple[str, ...]


def written_servers(plan: ExtensionPlan, output: str) -> WrittenServers:
    entries: dict[str, Any] = {}
    fates: list[Fate] = []
    secrets: dict[str, None] = {}
    for server in plan.plugin.servers:
        writer = _ServerWriter(server, plan)
        entry = writer.entry()
        fates += writer.fates
        if entry:
            entries[plan.names.servers[server.name]] = entry
            secrets.update(writer.secrets)
            fates.append(mapped(server, output))
    return WrittenServers(entries, tuple(fates), tuple(secrets))


class _ServerWriter:
    """One entry. `fates` and `secrets` grow while it is written."""

    def __init__(self, server: PluginServer, plan: ExtensionPlan) -> None:
        self._server = server
        self._plan = plan
        self._spelling: GeminiSpelling = server_places(plan)
        self.fates: list[Fate] = []
        self.secrets: dict[str, None] = {}

    def entry(self) -> dict[str, Any]:
        """Empty where Gemini CLI cannot reach the server."""
        fields = self._server.fields
        odd = _odd_field(fields)
        if odd:
            self.fates.append(lost(DROPPED, LOST_SERVER, self._server, f"no program takes its `{odd}`", field=odd))
            return {}
        kind = str(fields.get("type") or ("http" if "url" in fields or "httpUrl" in fields else "stdio"))
        if "command" in fields and kind == "stdio":
            found = {**self._filled(_SAME, without=("url", "headers")), **self._started()}
        elif kind in _TYPES and ("url" in fields or "httpUrl" in fields):
            found = self._filled(_SAME, without=("command", "args", "env", "cwd"))
            found.setdefault("url", self._text(str(fields.get("httpUrl", ""))))
            found["type"] = _TYPES[kind]
        else:
            why = f"{LABEL} has no transport `{kind}`" if kind not in (*_TYPES, "stdio") else "it has nothing to start"
            self.fates.append(lost(DROPPED, LOST_SERVER, self._server, why, field="type" if "type" in fields else ""))
            return {}
        if isinstance(fields.get("oauth"), dict):
            found["oauth"] = self._oauth(fields["oauth"])
        self._lose_others(found)
        return found

    def _filled(self, keys: tuple[str, ...], without: tuple[str, ...]) -> dict[str, Any]:
        wanted = (key for key in keys if key in self._server.fields and key not in without)
        return {key: self._value(self._server.fields[key]) for key in wanted}

    def _started(self) -> dict[str, Any]:
        """A program of the package starts in its folder, and finds that in its environment."""
        fields = self._server.fields
        command = str(fields["command"])
        found: dict[str, Any] = {}
        files = {each.path for each in self._plan.plugin.files}
        is_relative = command.startswith("./") and command[2:] in files
        if is_relative and "cwd" not in fields:
            found["cwd"] = self._spelling.root
        if is_relative or _mentions(fields, ROOT_VARIABLE):
            given = self._value(fields.get("env")) if isinstance(fields.get("env"), dict) else {}
            found["env"] = {**given, ROOT_VARIABLE: self._spelling.root}
        return found

    def _oauth(self, oauth: dict[str, Any]) -> dict[str, Any]:
        for key in oauth:
            if key not in (*_OAUTH, "enabled"):
                why = f"sign-in in {LABEL} has no `{key}`"
                self.fates.append(lost(DROPPED, LOST_FIELD, self._server, why, field=f"oauth.{key}"))
        return {"enabled": True, **{key: self._value(oauth[key]) for key in oauth if key in (*_OAUTH, "enabled")}}

    def _lose_others(self, found: dict[str, Any]) -> None:
        handled = (*found, "type", "httpUrl", "oauth")
        for key in self._server.fields:
            if key not in handled and (self._server.path, key) not in self._plan.reported:
                why = f"a server of {LABEL} has no `{key}`"
                self.fates.append(lost(DROPPED, LOST_FIELD, self._server, why, field=key))

    def _value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._text(value)
        if isinstance(value, dict):
            return {key: self._value(each) for key, each in value.items()}
        return [self._value(each) for each in value] if isinstance(value, list | tuple) else value

    def _text(self, text: str) -> str:
        pieces: list[str] = []
        at_root = False
        for part in (*text_with_variables(text, self._plan.plugin.harness).parts, ""):
            if isinstance(part, str):
                place, rest = moved_text(part, self._plan, self._spelling) if at_root else ("", part)
                pieces.append((place or self._spelling.root) + rest if at_root else rest)
            elif at_root:
                pieces.append(self._spelling.root)
            at_root = isinstance(part, PromptVariable) and part.name == neutral.ROOT
            if isinstance(part, PromptVariable) and not at_root:
                pieces.append(self._variable(part))
        return "".join(pieces)

    def _variable(self, part: PromptVariable) -> str:
        if part.name.startswith(neutral.ENVIRONMENT):
            name = part.name.removeprefix(neutral.ENVIRONMENT)
            if _SECRET.search(name.upper()):
                self.secrets[name] = None
            return part.written
        found = variable_text(part, self._spelling, self._plan, "")
        if found is not None:
            return found
        why = f"{LABEL} has nothing for `{part.written}`, so it stays as it is"
        self.fates.append(lost(APPROXIMATED, CHANGED_MEANING, self._server, why))
        return part.written


def _odd_field(fields: Mapping[str, Any]) -> str:
    """The first field that is no text, list of texts or table of texts where it must be one."""
    shapes = {**dict.fromkeys(("type", "command", "url", "httpUrl", "cwd"), TEXT), "args": Listed(TEXT)}
    shapes |= dict.fromkeys(("env", "headers"), Mapped(TEXT))
    odd = (key for key, shape in shapes.items() if key in fields and any(True for _ in misfits(fields[key], shape)))
    return next(odd, "")


def _mentions(value: object, word: str) -> bool:
    if isinstance(value, str):
        return word in value
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return any(_mentions(each, word) for each in inside)
