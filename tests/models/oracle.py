"""Runs in an environment that has the official SDKs and pydantic-ai (scripts/setup-frameworks oracles).

    python oracle.py read WIRE URL COUNT      asks COUNT times, and prints what was read as a line of JSON each
    python oracle.py ask WIRE URL < LINES     sends each conversation, a line of JSON each

WIRE is anthropic, chat, responses or gemini; with `sdk-` before it, the provider's own SDK alone reads.
"""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any


def model_of(wire: str, url: str) -> Any:
    if wire == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client: Any = AsyncAnthropic(api_key="k", base_url=url, max_retries=0)
        return AnthropicModel("claude-opus-4-9", provider=AnthropicProvider(anthropic_client=client))
    if wire == "gemini":
        from pydantic_ai.models.google import GoogleModel
        from pydantic_ai.providers.google import GoogleProvider

        return GoogleModel("gemini-2.5-pro", provider=GoogleProvider(api_key="k", base_url=url))
    from openai import AsyncOpenAI
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel if wire == "chat" else OpenAIResponsesModel
    client = AsyncOpenAI(api_key="k", base_url=url, max_retries=0)
    return model("gpt-5", provider=OpenAIProvider(openai_client=client))


async def asked(model: Any, history: list[Any], **parameters: Any) -> Any:
    from pydantic_ai.direct import model_request_stream

    async with model_request_stream(model, history, **parameters) as stream:
        async for _ in stream:
            pass
        return stream.get()


def read_parts(response: Any) -> dict[str, Any]:
    parts: list[Any] = []
    for part in response.parts:
        if part.part_kind == "text" and part.content:
            parts.append(["text", part.content])
        elif part.part_kind == "thinking":
            parts.append(["thinking", part.content])
        elif part.part_kind == "tool-call":
            parts.append(["call", part.tool_name, part.args_as_dict()])
    usage = response.usage
    return {"parts": parts, "usage": [usage.input_tokens, usage.output_tokens, usage.cache_read_tokens]}


async def read(wire: str, url: str, count: int) -> None:
    from pydantic_ai.messages import ModelRequest, UserPromptPart

    model = model_of(wire, url)
    for _ in range(count):
        print(json.dumps(read_parts(await asked(model, [ModelRequest([UserPromptPart("hi")])]))))


def read_by_anthropic(url: str, count: int) -> None:
    from anthropic import Anthropic

    client = Anthropic(api_key="k", base_url=url, max_retries=0)
    for _ in range(count):
        with client.messages.stream(model="m", max_tokens=9, messages=[{"role": "user", "content": "hi"}]) as stream:
            whole = stream.get_final_message()
        print(json.dumps({"parts": [_anthropic_part(block) for block in whole.content]}))


def _anthropic_part(block: Any) -> list[Any]:
    if block.type == "tool_use":
        return ["call", block.name, block.input]
    return [block.type, block.text if block.type == "text" else block.thinking]


def read_by_chat(url: str, count: int) -> None:
    from openai import OpenAI

    client = OpenAI(api_key="k", base_url=url, max_retries=0)
    for _ in range(count):
        with client.chat.completions.stream(model="m", messages=[{"role": "user", "content": "hi"}]) as stream:
            message = stream.get_final_completion().choices[0].message
        functions = [each.function for each in message.tool_calls or ()]
        calls = [["call", each.name, json.loads(each.arguments)] for each in functions]
        print(json.dumps({"parts": [*([["text", message.content]] if message.content else []), *calls]}))


def read_by_responses(url: str, count: int) -> None:
    from openai import OpenAI

    client = OpenAI(api_key="k", base_url=url, max_retries=0)
    for _ in range(count):
        with client.responses.stream(model="m", input="hi") as stream:
            output = stream.get_final_response().output
        print(json.dumps({"parts": [_responses_part(item) for item in output]}))


def _responses_part(item: Any) -> list[Any]:
    if item.type == "message":
        return ["text", "".join(each.text for each in item.content)]
    if item.type == "reasoning":
        return ["thinking", "".join(each.text for each in item.summary)]
    return ["call", item.name, json.loads(item.arguments)]


def read_by_gemini(url: str, count: int) -> None:
    from google import genai

    client = genai.Client(api_key="k", http_options=genai.types.HttpOptions(base_url=url))
    for _ in range(count):
        parts: list[Any] = []
        for chunk in client.models.generate_content_stream(model="m", contents="hi"):
            for part in chunk.candidates[0].content.parts or ():
                _add(parts, _gemini_part(part))
        print(json.dumps({"parts": parts}))


def _gemini_part(part: Any) -> list[Any]:
    if part.function_call:
        return ["call", part.function_call.name, part.function_call.args]
    return ["thinking" if part.thought else "text", part.text]


def _add(parts: list[Any], part: list[Any]) -> None:
    """Pieces of one text become one."""
    if parts and parts[-1][0] == part[0] != "call":
        parts[-1][1] += part[1]
    else:
        parts.append(part)


async def ask(wire: str, url: str) -> None:
    from pydantic_ai.models import ModelRequestParameters

    model = model_of(wire, url)
    for line in sys.stdin:
        given = json.loads(line)
        tools = [_tool(each) for each in given["tools"]]
        may_talk = not (tools and given.get("choice"))
        parameters = ModelRequestParameters(function_tools=tools, allow_text_output=may_talk)
        await asked(model, history_of(given), model_request_parameters=parameters)


def _tool(given: dict[str, Any]) -> Any:
    from pydantic_ai.tools import ToolDefinition

    schema = given.pop("parameters")
    return ToolDefinition(**given, parameters_json_schema=schema, strict=False)


def history_of(given: dict[str, Any]) -> list[Any]:
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart

    history: list[Any] = []
    for message in given["messages"]:
        if message["role"] == "model":
            history.append(ModelResponse([_said(part) for part in message["parts"]]))
        else:
            history.append(ModelRequest(_requested(message["parts"])))
    if given["system"]:
        history[0] = ModelRequest([SystemPromptPart(given["system"]), *history[0].parts])
    return history


def _said(part: list[Any]) -> Any:
    from pydantic_ai.messages import TextPart, ToolCallPart

    if part[0] == "text":
        return TextPart(part[1])
    return ToolCallPart(part[2], part[3], tool_call_id=part[1])


def _requested(parts: list[Any]) -> list[Any]:
    from pydantic_ai.messages import BinaryContent, ToolReturnPart, UserPromptPart

    results = [ToolReturnPart(part[2], part[3], tool_call_id=part[1]) for part in parts if part[0] == "result"]
    content = [
        part[1] if part[0] == "text" else BinaryContent(base64.b64decode(part[2]), media_type=part[1])
        for part in parts
        if part[0] != "result"
    ]
    if content:
        whole: Any = content[0] if len(content) == 1 and isinstance(content[0], str) else content
        results.append(UserPromptPart(whole))
    return results


def main() -> None:
    what, wire, url, *rest = sys.argv[1:]
    if what == "ask":
        asyncio.run(ask(wire, url))
    elif wire.startswith("sdk-"):
        globals()[f"read_by_{wire.removeprefix('sdk-')}"](url, int(rest[0]))
    else:
        asyncio.run(read(wire, url, int(rest[0])))


if __name__ == "__main__":
    main()
