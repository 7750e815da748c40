"""The same conversation becomes the same request as pydantic-ai with the official SDKs sends."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from pisces.models import anthropic, gemini, openai_chat, openai_responses
from pisces.models.wire import ALWAYS, ANY_TOOL, BY_EFFORT, HIGH, OFF, ModelAsk, Wire
from pisces.shapes.message import (
    BY_MODEL,
    BY_USER,
    CallPart,
    ChatMessage,
    ImagePart,
    ResultPart,
    TextPart,
    ThinkingPart,
)
from tests.models.generated import some_conversation, some_text, some_tools
from tests.models.oracles import ROUNDS, oracle
from tests.models.recorder import Recorder
from tests.models.test_streams import WIRES, made

MODELS = {"anthropic": "claude-opus-4-9", "chat": "gpt-5", "responses": "gpt-5", "gemini": "gemini-2.5-pro"}


def ask_of(name: str, seed: int) -> ModelAsk:
    random = Random(seed)
    wire = WIRES[name][0]
    messages = tuple(some_conversation(random, wire.id))
    system = some_text(random) if random.random() < 0.7 else ""
    choice = ANY_TOOL if seed % 3 == 0 else ""
    return ModelAsk(MODELS[name], messages, system, some_tools(random), choice=choice)


def as_json(ask: ModelAsk) -> str:
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)} for tool in ask.tools
    ]
    messages = [{"role": each.role, "parts": [_part(part) for part in each.parts]} for each in ask.messages]
    return json.dumps({"system": ask.system, "tools": tools, "messages": messages, "choice": ask.choice})


def _part(part: Any) -> list[Any]:
    if isinstance(part, TextPart):
        return ["text", part.text]
    if isinstance(part, ImagePart):
        return ["image", part.mime, part.data]
    if isinstance(part, CallPart):
        return ["call", part.id, part.name, part.input]
    return ["result", part.id, part.name, part.text]


@pytest.mark.framework
@pytest.mark.parametrize("name", WIRES)
def test_others_send_the_same_for_the_same_conversation(name: str) -> None:
    asks = [ask_of(name, seed) for seed in range(ROUNDS)]
    with Recorder() as server:
        server.body = made(name, 0)[1]
        oracle("ask", name, server.url, stdin="\n".join(map(as_json, asks)))
        theirs, paths = server.requests, server.paths
    for ask, body, path in zip(asks, theirs, paths, strict=True):
        ours = WIRES[name][0].sent(ask)
        assert _common(name, json.loads(json.dumps(ours.body))) == _common(name, body)
        assert _is_forced(ours.body) == _is_forced(body) == (bool(ask.tools) and ask.choice == ANY_TOOL)
        # Google's SDK has left the version v1beta for v1; the API takes both.
        assert ours.path.split("?")[0].replace("/v1beta/", "/v1/") == path.split("?")[0].replace("/v1beta/", "/v1/")


def _is_forced(body: Mapping[str, Any]) -> bool:
    """Whether the model has to call a tool, in the words of any of the formats."""
    choice = body.get("tool_choice")
    mode = ((body.get("toolConfig") or {}).get("functionCallingConfig") or {}).get("mode")
    return (choice["type"] if isinstance(choice, dict) else choice) in ("any", "required") or mode == "ANY"


@pytest.mark.parametrize("name", WIRES)
def test_a_forced_call_is_asked_for_only_where_there_are_tools(name: str) -> None:
    sent = WIRES[name][0].sent
    ask = next(each for each in (ask_of(name, seed) for seed in range(99)) if each.tools and each.choice)
    assert _is_forced(sent(ask).body)
    assert not _is_forced(sent(ask.replace(tools=())).body)
    assert not _is_forced(sent(ask.replace(choice="")).body)


def test_a_model_that_is_asked_to_think_first_is_not_forced_where_the_api_refuses_that() -> None:
    ask = next(each for each in (ask_of("anthropic", seed) for seed in range(99)) if each.tools and each.choice)
    for thinks in ("", BY_EFFORT, ALWAYS):
        assert not _is_forced(anthropic.WIRE.sent(ask.replace(thinking=HIGH, thinks=thinks)).body)
    assert _is_forced(anthropic.WIRE.sent(ask.replace(thinking=OFF, thinks=BY_EFFORT)).body)


def _common(name: str, body: dict[str, Any]) -> dict[str, Any]:
    """What both say, in one spelling. What each adds by its own choice (limits, marks for the cache) is left out."""
    return {"anthropic": _anthropic, "chat": _chat, "responses": _responses, "gemini": _gemini}[name](body)


def _anthropic(body: dict[str, Any]) -> dict[str, Any]:
    system = body.get("system") or ""
    messages = [{"role": each["role"], "content": _blocks(each["content"])} for each in body["messages"]]
    tools = [(each["name"], each["description"], each["input_schema"]) for each in body.get("tools") or ()]
    text = system if isinstance(system, str) else "".join(each["text"] for each in system)
    return {"system": text, "messages": messages, "tools": tools, "model": body["model"], "stream": body["stream"]}


def _blocks(content: Any) -> list[Any]:
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    made = []
    for block in blocks:
        kept = {key: value for key, value in block.items() if key not in ("cache_control", "is_error")}
        if "content" in kept:
            kept["content"] = _blocks(kept["content"])
        made.append(kept)
    return made


def _chat(body: dict[str, Any]) -> dict[str, Any]:
    messages = [_chat_message(each) for each in body["messages"]]
    tools = [each["function"] for each in body.get("tools") or ()]
    named = [(each["name"], each["description"], each["parameters"]) for each in tools]
    options = body["stream"], body["stream_options"]["include_usage"], body["model"]
    return {"messages": messages, "tools": named, "options": options}


def _chat_message(message: dict[str, Any]) -> dict[str, Any]:
    calls = [
        (each["id"], each["function"]["name"], json.loads(each["function"]["arguments"]))
        for each in message.get("tool_calls") or ()
    ]
    content = message.get("content")
    content = [{"type": "text", "text": content}] if isinstance(content, str) else content or []
    role = {"developer": "system"}.get(message["role"], message["role"])
    return {"role": role, "content": content, "calls": calls, "id": message.get("tool_call_id")}


def _responses(body: dict[str, Any]) -> dict[str, Any]:
    items: list[Any] = []
    system = body.get("instructions") or ""
    for item in body["input"]:
        if item.get("role") in ("system", "developer"):
            system = item["content"]
        elif "arguments" in item:
            items.append(("call", item["call_id"], item["name"], json.loads(item["arguments"])))
        elif "output" in item:
            items.append(("result", item["call_id"], item["output"]))
        else:
            content = item["content"]
            pieces = [content] if isinstance(content, str) else [_responses_piece(each) for each in content]
            items.append((item["role"], pieces))
    tools = [(each["name"], each["description"], each["parameters"]) for each in body.get("tools") or ()]
    return {"system": system, "items": items, "tools": tools, "model": body["model"], "stream": body["stream"]}


def _responses_piece(piece: dict[str, Any]) -> str:
    return str(piece.get("text") or piece.get("image_url"))


def _gemini(body: dict[str, Any]) -> dict[str, Any]:
    contents = [
        {"role": each["role"], "parts": [_gemini_part(part) for part in each["parts"]]} for each in body["contents"]
    ]
    system = "".join(part["text"] for part in (body.get("systemInstruction") or {"parts": []})["parts"])
    declared = [each for group in body.get("tools") or () for each in group["functionDeclarations"]]
    tools = [
        (each["name"], each["description"], each.get("parametersJsonSchema") or each.get("parameters_json_schema"))
        for each in declared
    ]
    return {"contents": contents, "system": system, "tools": tools}


def _gemini_part(part: dict[str, Any]) -> dict[str, Any]:
    made = {key: value for key, value in part.items() if key != "thoughtSignature"}
    if "functionResponse" in made:
        response = made["functionResponse"]["response"]
        text = response.get("output", response.get("return_value"))
        made["functionResponse"] = {**made["functionResponse"], "response": text}
    if "inlineData" in made:
        data = made["inlineData"]  # the API takes both spellings
        text = data["data"].replace("-", "+").replace("_", "/")
        made["inlineData"] = {"mimeType": data.get("mimeType") or data["mime_type"], "data": text}
    return made


@pytest.mark.parametrize("wire", [each[0] for each in WIRES.values()])
def test_what_one_provider_signed_goes_to_no_other(wire: Wire) -> None:
    foreign = ChatMessage(
        BY_MODEL, (ThinkingPart("secret plan", "signed", "hidden"), TextPart("hello", "signed")), "another"
    )
    ask = ModelAsk("m", (ChatMessage(BY_USER, (TextPart("hi"),)), foreign, ChatMessage(BY_USER, (TextPart("go on"),))))
    sent = json.dumps(wire.sent(ask).body)
    assert "hello" in sent
    assert "signed" not in sent
    assert "hidden" not in sent
    assert "secret plan" not in sent


@pytest.mark.parametrize(
    ("wire", "found"),
    [
        (anthropic.WIRE, {"type": "thinking", "thinking": "plan", "signature": "signed"}),
        (gemini.WIRE, {"text": "plan", "thought": True, "thoughtSignature": "signed"}),
    ],
)
def test_signed_thinking_goes_back_to_whoever_signed_it(wire: Wire, found: dict[str, Any]) -> None:
    own = ChatMessage(BY_MODEL, (ThinkingPart("plan", "signed"), TextPart("hello")), wire.id)
    body = json.loads(json.dumps(wire.sent(ModelAsk("m", (own,))).body))
    messages = body.get("messages") or body.get("contents")
    assert found in (messages[0].get("content") or messages[0]["parts"])


def test_encrypted_thinking_goes_back_to_responses() -> None:
    own = ChatMessage(BY_MODEL, (ThinkingPart("plan", hidden="enc", item="rs_1"),), openai_responses.ID)
    summary = [{"type": "summary_text", "text": "plan"}]
    wanted = {"type": "reasoning", "summary": summary, "encrypted_content": "enc", "id": "rs_1"}
    assert openai_responses.WIRE.sent(ModelAsk("m", (own,))).body["input"] == [wanted]


@pytest.mark.parametrize("wire", [each[0] for each in WIRES.values()])
def test_malformed_arguments_do_not_break_the_next_request(wire: Wire) -> None:
    call = CallPart("c", "read", malformed='{"path": ')
    messages = (
        ChatMessage(BY_MODEL, (call,), wire.id),
        ChatMessage(BY_USER, (ResultPart("c", "read", (TextPart("no"),), True),)),
    )
    assert json.dumps(wire.sent(ModelAsk("m", messages)).body)


@pytest.mark.parametrize("wire", [each[0] for each in WIRES.values()])
def test_an_image_that_a_tool_returned_reaches_the_model(wire: Wire) -> None:
    result = ResultPart("c", "shot", (TextPart("see"), ImagePart("image/png", "QUJD")))
    messages = (ChatMessage(BY_MODEL, (CallPart("c", "shot"),), wire.id), ChatMessage(BY_USER, (result,)))
    assert "QUJD" in json.dumps(wire.sent(ModelAsk("m", messages)).body)


def test_anthropic_gets_results_first_and_no_empty_text() -> None:
    said = ChatMessage(BY_USER, (TextPart("and now"), ResultPart("c", "read", (TextPart("x"),)), TextPart("  ")))
    blocks = anthropic.WIRE.sent(ModelAsk("m", (said,))).body["messages"][0]["content"]
    assert [block["type"] for block in blocks] == ["tool_result", "text"]


@pytest.mark.parametrize(
    ("wire", "key"),
    [
        (anthropic.WIRE, "thinking"),
        (openai_chat.WIRE, "reasoning_effort"),
        (openai_responses.WIRE, "reasoning"),
        (gemini.WIRE, "generationConfig"),
    ],
)
def test_thinking_is_asked_for_in_the_words_of_the_provider(wire: Wire, key: str) -> None:
    messages = (ChatMessage(BY_USER, (TextPart("hi"),)),)
    assert key not in wire.sent(ModelAsk("m", messages)).body
    assert key in wire.sent(ModelAsk("m", messages, thinking=HIGH)).body
