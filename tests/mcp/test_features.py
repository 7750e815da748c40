"""Every feature of server-everything, over stdio, streamable HTTP and SSE."""

from __future__ import annotations

import asyncio
import base64
import threading
import time
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pisces.mcp.connection import PROMPTS, RESOURCES, TEMPLATES, TOOLS, ServerAsks, ServerError, ServerGone
from tests.mcp.faulty import said
from tests.mcp.real_servers import KINDS, Reached, everything


class Everything(Reached):
    """With all that a client can offer, and what came of it."""

    notes: list[tuple[str, Mapping[str, Any]]]
    asked: list[Mapping[str, Any]]


@pytest.fixture(scope="module", params=KINDS)
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Everything]:
    notes: list[tuple[str, Mapping[str, Any]]] = []
    asked: list[Mapping[str, Any]] = []
    home = tmp_path_factory.mktemp("home")

    async def elicit(params: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append(params)
        if params["mode"] == "url":
            return {"action": "accept"}
        return {"action": "accept", "content": {"name": "Ada", "check": True}}

    async def sample(params: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append(params)
        return {"role": "assistant", "model": "fake", "content": {"type": "text", "text": "sampled!"}}

    asks = ServerAsks(lambda: (str(home),), elicit, sample, lambda *note: notes.append(note))
    with everything(request.param, home) as plan:
        reached = Everything(plan, asks)
        reached.notes, reached.asked = notes, asked
        try:
            yield reached
        finally:
            reached.close()


def came(server: Everything, method: str, seconds: float = 20) -> Mapping[str, Any]:
    """The first notification of a kind. Waits for a server that sends it when it likes."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        for name, params in list(server.notes):
            if name == method:
                return params
        threading.Event().wait(0.02)
    raise AssertionError(f"{method} did not come: {server.notes}")


def test_what_it_says_of_itself(server: Everything) -> None:
    facts = server.made.facts
    assert facts.name == "mcp-servers/everything"
    assert facts.protocol == "2025-11-25"
    assert facts.instructions.startswith("# Everything Server")
    assert {"tools", "prompts", "resources", "logging", "completions"} <= set(facts.capabilities)


def test_tools_with_schemas_and_annotations(server: Everything) -> None:
    tools = {each["name"]: each for each in server.run(server.made.listed(TOOLS))}
    assert tools["echo"]["inputSchema"]["properties"]["message"]["type"] == "string"
    assert tools["get-structured-content"]["outputSchema"]["type"] == "object"
    assert {"get-roots-list", "trigger-sampling-request", "trigger-elicitation-request"} <= set(tools)


def test_a_call(server: Everything) -> None:
    assert server.call("echo", message="hi") == {"content": [{"type": "text", "text": "Echo: hi"}]}


def test_wrong_arguments_are_an_error_for_the_model(server: Everything) -> None:
    answer = server.call("get-sum", a="x")
    assert answer["isError"] is True
    assert "a" in said(answer)


def test_an_unknown_tool_is_an_error(server: Everything) -> None:
    answer = server.call("nope")
    assert answer["isError"] is True


def test_structured_output(server: Everything) -> None:
    answer = server.call("get-structured-content", location="New York")
    assert set(answer["structuredContent"]) == {"temperature", "conditions", "humidity"}


def test_an_image(server: Everything) -> None:
    image = next(each for each in server.call("get-tiny-image")["content"] if each["type"] == "image")
    assert image["mimeType"] == "image/png"
    assert base64.b64decode(image["data"]).startswith(b"\x89PNG")


def test_annotated_content(server: Everything) -> None:
    content = server.call("get-annotated-message", messageType="error", includeImage=True)["content"]
    assert content[0]["annotations"] == {"priority": 1, "audience": ["user", "assistant"]}
    assert content[1]["annotations"]["audience"] == ["user"]


def test_an_embedded_resource(server: Everything) -> None:
    content = server.call("get-resource-reference", resourceType="Text", resourceId=1)["content"]
    assert [each["resource"]["uri"] for each in content if each["type"] == "resource"] == [
        "demo://resource/dynamic/text/1"
    ]


def test_links_to_resources(server: Everything) -> None:
    content = server.call("get-resource-links", count=2)["content"]
    assert [each["type"] for each in content] == ["text", "resource_link", "resource_link"]


def test_a_resource_that_a_tool_makes(server: Everything) -> None:
    data = "data:text/plain;base64," + base64.b64encode(b"hello" * 50).decode()
    content = server.call("gzip-file-as-resource", name="a.gz", data=data, outputType="resourceLink")["content"]
    made = server.run(server.made.read(content[0]["uri"]))
    assert base64.b64decode(made["contents"][0]["blob"])[:2] == b"\x1f\x8b"
    came(server, "notifications/resources/list_changed")


def test_resources_and_templates(server: Everything) -> None:
    resources = server.run(server.made.listed(RESOURCES))
    assert all(each["uri"].startswith("demo://") for each in resources)
    assert len(resources) >= 7
    templates = server.run(server.made.listed(TEMPLATES))
    assert "demo://resource/dynamic/text/{resourceId}" in {each["uriTemplate"] for each in templates}


def test_text_and_bytes_of_a_resource(server: Everything) -> None:
    text = server.run(server.made.read("demo://resource/dynamic/text/1"))["contents"][0]
    assert text["text"].startswith("Resource 1")
    blob = server.run(server.made.read("demo://resource/dynamic/blob/1"))["contents"][0]
    assert base64.b64decode(blob["blob"])


def test_a_resource_that_is_not_there(server: Everything) -> None:
    with pytest.raises(ServerError, match="not found") as caught:
        server.run(server.made.read("demo://nope"))
    assert caught.value.code == -32602


def test_prompts_with_and_without_arguments(server: Everything) -> None:
    prompts = {each["name"]: each for each in server.run(server.made.listed(PROMPTS))}
    assert [each["name"] for each in prompts["args-prompt"]["arguments"]] == ["city", "state"]
    plain = server.run(server.made.prompt("simple-prompt", {}))
    assert plain["messages"][0]["role"] == "user"
    filled = server.run(server.made.prompt("args-prompt", {"city": "Oslo"}))
    assert "Oslo" in filled["messages"][0]["content"]["text"]
    with_file = server.run(server.made.prompt("resource-prompt", {"resourceType": "Text", "resourceId": "1"}))
    assert [each["content"]["type"] for each in with_file["messages"]] == ["text", "resource"]


def test_completion_of_prompts_and_templates(server: Everything) -> None:
    prompt = {"type": "ref/prompt", "name": "completable-prompt"}
    assert server.run(server.made.completions(prompt, "name", "", {"department": "Sales"})) == (
        "David",
        "Eve",
        "Frank",
    )
    template = {"type": "ref/resource", "uri": "demo://resource/dynamic/text/{resourceId}"}
    assert server.run(server.made.completions(template, "resourceId", "1")) == ("1",)


def test_roots(server: Everything) -> None:
    assert "URI: file:///" in said(server.call("get-roots-list"))


def test_sampling(server: Everything) -> None:
    assert "sampled!" in said(server.call("trigger-sampling-request", prompt="p", maxTokens=9))
    assert server.asked[-1]["maxTokens"] == 9


def test_elicitation_by_a_form(server: Everything) -> None:
    assert "provided the requested information" in said(server.call("trigger-elicitation-request"))
    assert server.asked[-1]["mode"] == "form"
    assert server.asked[-1]["requestedSchema"]["properties"]["name"]["type"] == "string"


def test_elicitation_by_an_address(server: Everything) -> None:
    server.call("trigger-url-elicitation", url="https://example.org/x")
    assert server.asked[-1]["mode"] == "url"
    assert server.asked[-1]["url"] == "https://example.org/x"


def test_an_address_that_an_error_asks_for(server: Everything) -> None:
    with pytest.raises(ServerError) as caught:
        server.call("trigger-url-elicitation", url="https://example.org/x", errorPath=True)
    assert caught.value.code == -32042
    assert caught.value.data["elicitations"][0]["url"].startswith("https://")


def test_progress(server: Everything) -> None:
    seen: list[tuple[float, float | None]] = []

    async def work() -> None:
        arguments = {"duration": 0.6, "steps": 3}
        await server.made.call_tool(
            "trigger-long-running-operation", arguments, 20, lambda done, total, _text: seen.append((done, total))
        )

    server.run(work())
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_cancelled_call(server: Everything) -> None:
    async def work() -> float:
        began = time.monotonic()
        arguments = {"duration": 20, "steps": 2}
        call = asyncio.create_task(server.made.call_tool("trigger-long-running-operation", arguments, 30))
        await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait([call])
        assert call.cancelled()
        assert said(await server.made.call_tool("echo", {"message": "alive"}, 10)) == "Echo: alive"
        return time.monotonic() - began

    assert server.run(work()) < 10


def test_a_call_that_takes_too_long(server: Everything) -> None:
    async def work() -> None:
        with pytest.raises(ServerGone, match=r"after 0\.3 seconds"):
            await server.made.call_tool("trigger-long-running-operation", {"duration": 20, "steps": 2}, 0.3)

    server.run(work())


def test_logging(server: Everything) -> None:
    server.run(server.made.set_log_level("debug"))
    server.call("toggle-simulated-logging")
    try:
        assert came(server, "notifications/message")["level"]
    finally:
        server.call("toggle-simulated-logging")


def test_subscriptions(server: Everything) -> None:
    uri = "demo://resource/dynamic/text/1"
    server.run(server.made.subscribe(uri))
    server.call("toggle-subscriber-updates")
    try:
        assert came(server, "notifications/resources/updated")["uri"] == uri
    finally:
        server.call("toggle-subscriber-updates")
    server.run(server.made.unsubscribe(uri))


def test_a_ping(server: Everything) -> None:
    assert server.run(server.made.ping()) is None


def test_a_tool_that_only_runs_as_a_task(server: Everything) -> None:
    server.run(server.made.listed(TOOLS))
    answer = server.call("simulate-research-query", topic="fish")
    assert "fish" in said(answer)
    assert not answer.get("isError")


def test_a_folder_can_be_offered_and_nothing_else(server: Everything) -> None:
    """The same server offers fewer tools to a client that offers less."""
    with_all = {each["name"] for each in server.run(server.made.listed(TOOLS))}
    bare = Reached(server.client.plan, ServerAsks())
    try:
        with_nothing = {each["name"] for each in bare.run(bare.made.listed(TOOLS))}
    finally:
        bare.close()
    assert with_all - with_nothing >= {"get-roots-list", "trigger-sampling-request", "trigger-elicitation-request"}
