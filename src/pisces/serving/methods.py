"""What a client may ask, method by method. Lists have one page: some clients read no second one."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pisces.diagnostics import PiscesError
from pisces.formats.masking import masked
from pisces.ide.companion import rpc
from pisces.serving.programs import ran_program
from pisces.serving.prompts import completions, prompt_result, served_prompts
from pisces.serving.resources import TEMPLATE, Resources
from pisces.serving.results import result_for_client, text_result
from pisces.serving.search import found_tools, is_searched, searching_tools
from pisces.serving.servers import served_servers
from pisces.serving.tools import CALL, SEARCH, served_tools, skills_offered
from pisces.serving.wire import REFUSED

if TYPE_CHECKING:
    from pisces.serving.choices import ServeChoices
    from pisces.serving.connection import RequestOfClient
    from pisces.serving.served_host import ServedHost
    from pisces.serving.tools import ServedTool

LEVELS = ("debug", "info", "notice", "warning", "error", "critical", "alert", "emergency")
_MOST_COMPLETIONS = 100


class Methods:
    """`await methods(request)`: the result. Raises `Fault` for what cannot be answered."""

    def __init__(self, served: ServedHost, choices: ServeChoices) -> None:
        self._served, self._choices = served, choices
        self._numbers = itertools.count(1)
        self._made_of: object = None
        self._tools: dict[str, ServedTool] = {}
        self.log_level = ""  # a client that sets none is sent no messages
        self._known = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "prompts/list": self._list_prompts,
            "prompts/get": self._prompt,
            "resources/list": self._list_resources,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read,
            "completion/complete": self._complete,
            "logging/setLevel": self._set_level,
        }

    async def __call__(self, request: RequestOfClient) -> Mapping[str, Any]:
        method = self._known.get(request.method)
        if method is None:
            raise rpc.Fault(rpc.UNKNOWN_METHOD, f"Method not found: {request.method[:100]}")
        if request.params.get("cursor"):
            raise rpc.Fault(rpc.INVALID_PARAMS, "there is one page, and no such cursor")
        try:
            return await method(request)
        except PiscesError as error:
            text = ". ".join(filter(None, (str(error), error.diagnostic.hint)))
            raise rpc.Fault(REFUSED, masked(text)) from None

    async def tools(self) -> dict[str, ServedTool]:
        """Made again only if what they are made of has changed."""
        host = await self._served.host()
        servers = tuple(each.facts.name for each in served_servers(host, self._choices).values())
        made_of = (tuple(host.tools.values()), host.commands.entries, servers)
        if made_of != self._made_of:
            self._made_of, self._tools = made_of, served_tools(host, self._choices)
        return self._tools

    async def _list_tools(self, _request: RequestOfClient) -> Mapping[str, Any]:
        await self._served.host()
        await self._served.wait_for_servers()
        tools = list((await self.tools()).values())
        listed = searching_tools(tools) if is_searched(tools, self._choices.search) else tools
        return {"tools": [each.listed() for each in listed]}

    async def _call_tool(self, request: RequestOfClient) -> Mapping[str, Any]:
        name, arguments = _text_in(request.params, "name"), _object_in(request.params, "arguments")
        tools = await self.tools()
        if name not in tools:  # perhaps of a server that is being started
            await self._served.wait_for_servers()
            tools = await self.tools()
        if name == SEARCH and name not in tools:
            return text_result(found_tools(list(tools.values()), str(arguments.get("query") or "")))
        if name == CALL and name not in tools:
            name, arguments = _text_in(arguments, "name"), _object_in(arguments, "arguments")
        if name not in tools:
            raise rpc.Fault(rpc.INVALID_PARAMS, f"there is no tool {name[:100]!r}")
        return await self._called(tools[name], arguments, request)

    async def _called(
        self, tool: ServedTool, arguments: Mapping[str, Any], request: RequestOfClient
    ) -> Mapping[str, Any]:
        host = await self._served.host()
        if tool.program is not None:
            return await ran_program(host, tool, arguments)
        if tool.activates_skills and arguments.get("name") not in skills_offered(host, self._choices):
            return text_result(f"there is no skill {str(arguments.get('name'))[:100]!r}", is_error=True)
        id = f"served-{next(self._numbers)}"
        self._served.calls[id] = request
        try:
            result = await host.call(tool.tool, arguments, id)
        finally:
            del self._served.calls[id]
        return result_for_client(result, request.client.version)

    async def _list_prompts(self, _request: RequestOfClient) -> Mapping[str, Any]:
        host = await self._served.host()
        await self._served.wait_for_servers()
        prompts = served_prompts(host, self._choices)
        return {"prompts": [each.listed() for each in prompts.values()]}

    async def _prompt(self, request: RequestOfClient) -> Mapping[str, Any]:
        host, name = await self._served.host(), _text_in(request.params, "name")
        prompt = served_prompts(host, self._choices).get(name)
        if prompt is None:
            raise rpc.Fault(rpc.INVALID_PARAMS, f"there is no prompt {name[:100]!r}")
        line = prompt.line(_object_in(request.params, "arguments"))
        return prompt_result(await host.submit(line), prompt, request.client.version)

    async def _resources(self) -> Resources:
        return Resources(await self._served.host(), self._choices)

    async def _list_resources(self, _request: RequestOfClient) -> Mapping[str, Any]:
        return {"resources": (await self._resources()).listed()}

    async def _list_templates(self, _request: RequestOfClient) -> Mapping[str, Any]:
        return {"resourceTemplates": (await self._resources()).templates()}

    async def _read(self, request: RequestOfClient) -> Mapping[str, Any]:
        return await (await self._resources()).read(_text_in(request.params, "uri"))

    async def _complete(self, request: RequestOfClient) -> Mapping[str, Any]:
        reference, argument = _object_in(request.params, "ref"), _object_in(request.params, "argument")
        name, value = _text_in(argument, "name"), _text_in(argument, "value")
        if reference.get("type") == "ref/prompt":
            prompt = served_prompts(await self._served.host(), self._choices).get(_text_in(reference, "name"))
            found = await completions(prompt, name, value) if prompt else []
        elif reference.get("type") == "ref/resource" and reference.get("uri") == TEMPLATE:
            given = _object_in(_object_in(request.params, "context"), "arguments")
            found = (await self._resources()).completions(name, value, str(given.get("name", "")))
        else:
            raise rpc.Fault(rpc.INVALID_PARAMS, "there is nothing to complete")
        shown = found[:_MOST_COMPLETIONS]
        return {"completion": {"values": shown, "total": len(found), "hasMore": len(shown) < len(found)}}

    async def _set_level(self, request: RequestOfClient) -> Mapping[str, Any]:
        level = _text_in(request.params, "level")
        if level not in LEVELS:
            raise rpc.Fault(rpc.INVALID_PARAMS, f"a level is one of: {', '.join(LEVELS)}")
        self.log_level = level
        return {}


def _text_in(params: Mapping[str, Any], name: str) -> str:
    return rpc.text_argument(params, name)


def _object_in(params: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Nothing, if it is not given."""
    value = params.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise rpc.Fault(rpc.INVALID_PARAMS, f"`{name}` must be an object")
    return value
