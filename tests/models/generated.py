"""Conversations and answers made up from a seed, and the events of each provider that would bring such an answer."""

from __future__ import annotations

import base64
import json
from random import Random
from typing import TYPE_CHECKING, Any

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
from pisces.shapes.tool import Tool

if TYPE_CHECKING:
    from pisces.shapes.message import MessagePart

WORDS = (
    "file",
    "naïve",
    "日本",
    "\U0001f41f",
    'quote"d',
    "back\\slash",
    "a\nb",
    "${x}",
    "</tool>",
    "\u2028",
    "{}",
    "ok",
)
NAMES = ("read_file", "shell", "server__list", "edit")


def some_text(random: Random, most: int = 12) -> str:
    """Never white space alone: that is no text for some providers."""
    return " ".join((*(random.choice(WORDS) for _ in range(random.randint(0, most))), "end"))


def some_input(random: Random, depth: int = 2) -> dict[str, Any]:
    def value(depth: int) -> Any:
        simple: list[Any] = [some_text(random, 3), random.randint(-5, 10**12), True, False, None, 0.5, "", []]
        if depth and random.random() < 0.3:
            return {f"k{at}": value(depth - 1) for at in range(random.randint(0, 2))}
        if depth and random.random() < 0.2:
            return [value(depth - 1) for _ in range(random.randint(0, 3))]
        return random.choice(simple)

    return {
        name: value(depth) for name in random.sample(("path", "command", "n", "ünïcode", "all"), random.randint(0, 4))
    }


def some_tools(random: Random) -> list[Tool]:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    return [Tool(name, some_text(random), schema, lambda _given, _ctx: "") for name in NAMES[: random.randint(0, 4)]]


def some_image(random: Random) -> ImagePart:
    return ImagePart("image/png", base64.b64encode(random.randbytes(9)).decode())


def some_conversation(random: Random, wire: str) -> list[ChatMessage]:
    """As the loop makes it: the user speaks, the model answers, and every call has its result."""
    messages: list[ChatMessage] = []
    for at in range(random.randint(1, 4)):
        asked: list[MessagePart] = [TextPart(some_text(random))]
        if random.random() < 0.3:
            asked.append(some_image(random))
        messages.append(ChatMessage(BY_USER, tuple(asked)))
        for round_ in range(random.randint(0, 2)):
            calls = [
                CallPart(f"call_{at}_{round_}_{number}", random.choice(NAMES), some_input(random))
                for number in range(random.randint(1, 3))
            ]
            said: list[MessagePart] = [TextPart(some_text(random))] if random.random() < 0.5 else []
            messages.append(ChatMessage(BY_MODEL, (*said, *calls), wire))
            results = [ResultPart(call.id, call.name, (TextPart(some_text(random)),)) for call in calls]
            messages.append(ChatMessage(BY_USER, tuple(results)))
        messages.append(ChatMessage(BY_MODEL, (TextPart(some_text(random)),), wire))
    messages.append(ChatMessage(BY_USER, (TextPart(some_text(random)),)))
    return messages


def some_answer(random: Random) -> list[MessagePart]:
    parts: list[MessagePart] = []
    if random.random() < 0.4:
        parts.append(ThinkingPart(some_text(random), "c2ln"))
    if random.random() < 0.8:
        parts.append(TextPart(some_text(random, 30)))
    for number in range(random.randint(0, 3)):
        parts.append(CallPart(f"call_{number}", random.choice(NAMES), some_input(random)))
    return parts or [TextPart("ok")]


def pieces(random: Random, text: str) -> list[str]:
    """The text cut at random places, at least one piece."""
    cuts = sorted(random.sample(range(1, len(text)), min(len(text) - 1, random.randint(0, 5)))) if len(text) > 1 else []
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]


def sse(events: list[dict[str, Any]], random: Random, *, named: bool) -> bytes:
    """In any of the ways that servers write events. Google's SDK knows no comments, and ends lines at U+2028."""
    end = random.choice(("\n", "\r\n"))
    made = []
    for event in events:
        head = f"event: {event['type']}{end}" if named else ""
        has_comment = random.random() < 0.1 and "candidates" not in event
        comment = f": keep-alive{end}{end}" if has_comment else ""
        ascii_only = random.random() < 0.5 or "candidates" in event
        made.append(f"{comment}{head}data: {json.dumps(event, ensure_ascii=ascii_only)}{end}{end}")
    return "".join(made).encode()


def anthropic_events(parts: list[MessagePart], random: Random) -> list[dict[str, Any]]:
    usage = {"input_tokens": 11, "output_tokens": 1, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 3}
    start = {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": []}
    events: list[dict[str, Any]] = [
        {"type": "message_start", "message": {**start, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    ]
    for index, part in enumerate(parts):
        block, deltas = _anthropic_block(part, random)
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        if random.random() < 0.2:
            events.append({"type": "ping"})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    stop = "tool_use" if any(isinstance(part, CallPart) for part in parts) else "end_turn"
    delta = {"stop_reason": stop, "stop_sequence": None}
    return [
        *events,
        {"type": "message_delta", "delta": delta, "usage": {"output_tokens": 21}},
        {"type": "message_stop"},
    ]


def _anthropic_block(part: MessagePart, random: Random) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    if isinstance(part, TextPart):
        deltas = [{"type": "text_delta", "text": piece} for piece in pieces(random, part.text)]
        return {"type": "text", "text": ""}, deltas
    if isinstance(part, ThinkingPart):
        deltas = [{"type": "thinking_delta", "thinking": piece} for piece in pieces(random, part.text)]
        signature = {"type": "signature_delta", "signature": part.signature}
        return {"type": "thinking", "thinking": "", "signature": ""}, [*deltas, signature]
    assert isinstance(part, CallPart)
    text = json.dumps(part.input, ensure_ascii=False)
    deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces(random, text)]
    return {"type": "tool_use", "id": part.id, "name": part.name, "input": {}}, deltas


def chat_events(parts: list[MessagePart], random: Random) -> list[dict[str, Any]]:
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    calls = 0
    for part in parts:
        if isinstance(part, TextPart):
            deltas += [{"content": piece} for piece in pieces(random, part.text)]
        elif isinstance(part, ThinkingPart):
            deltas += [{"reasoning_content": piece} for piece in pieces(random, part.text)]
        elif isinstance(part, CallPart):
            begin = {
                "index": calls,
                "id": part.id,
                "type": "function",
                "function": {"name": part.name, "arguments": ""},
            }
            text = json.dumps(part.input)
            grown = [{"index": calls, "function": {"arguments": piece}} for piece in pieces(random, text)]
            deltas += [{"tool_calls": [each]} for each in (begin, *grown)]
            calls += 1
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    events = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    events.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if calls else "stop"}]})
    details = {"prompt_tokens_details": {"cached_tokens": 5}, "completion_tokens_details": {"reasoning_tokens": 2}}
    usage = {"prompt_tokens": 19, "completion_tokens": 21, "total_tokens": 40, **details}
    return [*events, {**head, "choices": [], "usage": usage}]


def responses_events(parts: list[MessagePart], random: Random) -> list[dict[str, Any]]:
    items = [_responses_item(part, index) for index, part in enumerate(parts)]
    details = {"input_tokens_details": {"cached_tokens": 5}, "output_tokens_details": {"reasoning_tokens": 2}}
    usage = {"input_tokens": 19, "output_tokens": 21, "total_tokens": 40, **details}
    whole = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "status": "completed",
        "model": "m",
        "output": items,
    }
    whole |= {"error": None, "incomplete_details": None, "usage": usage, "parallel_tool_calls": True, "tools": []}
    whole |= {"tool_choice": "auto", "instructions": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0}
    events: list[dict[str, Any]] = [
        {"type": "response.created", "response": {**whole, "status": "in_progress", "output": [], "usage": None}}
    ]
    for index, (part, item) in enumerate(zip(parts, items, strict=True)):
        events += _responses_item_events(part, item, index, random)
    events.append({"type": "response.completed", "response": whole})
    return [{**event, "sequence_number": number} for number, event in enumerate(events)]


def _responses_item(part: MessagePart, index: int) -> dict[str, Any]:
    if isinstance(part, TextPart):
        content = [{"type": "output_text", "text": part.text, "annotations": [], "logprobs": []}]
        return {"type": "message", "id": f"msg_{index}", "status": "completed", "role": "assistant", "content": content}
    if isinstance(part, ThinkingPart):
        summary = [{"type": "summary_text", "text": part.text}]
        return {"type": "reasoning", "id": f"rs_{index}", "summary": summary, "encrypted_content": "ZW5j"}
    assert isinstance(part, CallPart)
    made = {"type": "function_call", "id": f"fc_{index}", "status": "completed", "call_id": part.id, "name": part.name}
    return {**made, "arguments": json.dumps(part.input)}


def _responses_item_events(part: MessagePart, item: dict[str, Any], index: int, random: Random) -> list[dict[str, Any]]:
    place = {"output_index": index, "item_id": item["id"]}
    if isinstance(part, TextPart):
        start: dict[str, Any] = {**item, "status": "in_progress", "content": []}
        at = {**place, "content_index": 0}
        empty = {"type": "output_text", "text": "", "annotations": []}
        grown = [{"type": "response.content_part.added", **at, "part": empty}]
        grown += [
            {"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []}
            for piece in pieces(random, part.text)
        ]
        grown.append({"type": "response.output_text.done", **at, "text": part.text, "logprobs": []})
        grown.append({"type": "response.content_part.done", **at, "part": item["content"][0]})
    elif isinstance(part, ThinkingPart):
        start = {**item, "summary": []}
        at = {**place, "summary_index": 0}
        empty = {"type": "summary_text", "text": ""}
        grown = [{"type": "response.reasoning_summary_part.added", **at, "part": empty}]
        grown += [
            {"type": "response.reasoning_summary_text.delta", **at, "delta": piece}
            for piece in pieces(random, part.text)
        ]
        grown.append({"type": "response.reasoning_summary_text.done", **at, "text": part.text})
        grown.append({"type": "response.reasoning_summary_part.done", **at, "part": item["summary"][0]})
    else:
        start = {**item, "status": "in_progress", "arguments": ""}
        grown = [
            {"type": "response.function_call_arguments.delta", **place, "delta": piece}
            for piece in pieces(random, item["arguments"])
        ]
        done = {"arguments": item["arguments"], "name": item["name"]}
        grown.append({"type": "response.function_call_arguments.done", **place, **done})
    added = {"type": "response.output_item.added", "output_index": index, "item": start}
    return [added, *grown, {"type": "response.output_item.done", "output_index": index, "item": item}]


def gemini_events(parts: list[MessagePart], random: Random) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = []
    for part in parts:
        if isinstance(part, TextPart):
            made += [{"text": piece} for piece in pieces(random, part.text)]
        elif isinstance(part, ThinkingPart):
            made += [{"text": piece, "thought": True} for piece in pieces(random, part.text)]
        elif isinstance(part, CallPart):
            call = {"name": part.name, "args": dict(part.input)}
            made.append({"functionCall": {"id": part.id, **call} if random.random() < 0.5 else call})
    usage = {"promptTokenCount": 19, "candidatesTokenCount": 19, "thoughtsTokenCount": 2, "totalTokenCount": 40}
    usage["cachedContentTokenCount"] = 5
    events = [{"candidates": [{"content": {"role": "model", "parts": [each]}, "index": 0}]} for each in made]
    last: dict[str, Any] = {"content": {"role": "model", "parts": []}, "index": 0, "finishReason": "STOP"}
    common = {"modelVersion": "m", "responseId": "r1", "usageMetadata": usage}
    return [{**event, **common} for event in (*events, {"candidates": [last]})]
