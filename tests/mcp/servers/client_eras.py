"""A server by the SDK that speaks both eras of the protocol. It asks, and changes its tools and its one resource."""

from __future__ import annotations

import asyncio
from typing import Any

import mcp_types as types
from mcp.server.lowlevel import NotificationOptions, Server
from mcp.server.stdio import stdio_server
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ResourceUpdated, ToolsListChanged

BUS = InMemorySubscriptionBus()
FORM = {"type": "object", "properties": {"name": {"type": "string"}}}
TOOLS = [types.Tool(name=name, input_schema={"type": "object"}) for name in ("ask", "grow", "touch", "for_ever")]


def is_modern(context: Any) -> bool:
    return str(context.protocol_version) >= "2026"


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    return types.ListToolsResult(tools=TOOLS)


async def list_resources(_context: Any, _params: Any) -> types.ListResourcesResult:
    return types.ListResourcesResult(resources=[types.Resource(name="one", uri="one://1")])


async def read(_context: Any, params: Any) -> types.ReadResourceResult:
    return types.ReadResourceResult(contents=[types.TextResourceContents(uri=params.uri, text="first")])


def said(text: str) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=text)])


def question() -> types.ElicitRequest:
    return types.ElicitRequest(params=types.ElicitRequestFormParams(message="Name?", requested_schema=FORM))


async def call(context: Any, params: Any) -> Any:
    if params.name == "grow":
        TOOLS.append(types.Tool(name="grown", input_schema={"type": "object"}))
        await BUS.publish(ToolsListChanged())
        return said("grown")
    if params.name == "touch":
        await BUS.publish(ResourceUpdated(uri="one://1"))
        return said("touched")
    if params.name == "for_ever":
        return types.InputRequiredResult(request_state="again")
    if not is_modern(context):
        answer = await context.session.elicit_form("Name?", FORM, related_request_id=context.request_id)
    elif not params.input_responses:
        return types.InputRequiredResult(input_requests={"name": question()}, request_state="opaque")
    else:
        answer = params.input_responses["name"]
    return said(f"{answer.action} {answer.content} {params.request_state}")


async def main() -> None:
    server: Server[Any] = Server(
        "eras",
        on_list_tools=list_tools,
        on_call_tool=call,
        on_list_resources=list_resources,
        on_read_resource=read,
        on_subscriptions_listen=ListenHandler(BUS),
    )
    options = server.create_initialization_options(NotificationOptions(tools_changed=True))
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, options)


asyncio.run(main())
