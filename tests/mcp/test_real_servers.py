"""Servers of other people: files, memory, git, time, and one by another implementation than the SDK's."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pisces.mcp.connection import PROMPTS, TEMPLATES, TOOLS, ServerAsks, ServerError
from pisces.mcp.plan import AUTO_ERA, LEGACY, ServerPlan
from pisces.shapes.mcp_server import AUTO, HTTP, SSE, STDIO
from tests.mcp.faulty import SERVERS, found, said
from tests.mcp.real_servers import Reached, env_in, free_port, listening, npm_server, python_server


@contextmanager
def reached(argv: tuple[str, ...], home: Path, asks: ServerAsks | None = None, era: str = LEGACY) -> Iterator[Reached]:
    plan = ServerPlan("real", found("real"), argv=argv, env=env_in(home), cwd=str(home), era=era)
    made = Reached(plan, asks or ServerAsks())
    try:
        yield made
    finally:
        made.close()


def names(server: Reached) -> set[str]:
    return {each["name"] for each in server.run(server.made.listed(TOOLS))}


def test_the_filesystem_server_reads_its_folder_and_no_other(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("from a file")
    with reached((*npm_server("server-filesystem"), str(tmp_path)), tmp_path) as server:
        assert "from a file" in said(server.call("read_text_file", path=str(tmp_path / "a.txt")))
        refused = server.call("read_text_file", path="/etc/hostname")
        assert refused["isError"] is True
        assert "denied" in said(refused)


def test_the_filesystem_server_may_be_told_its_folders_as_roots(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    asks = ServerAsks(roots=lambda: (str(shared),))
    with reached((*npm_server("server-filesystem"), str(tmp_path)), tmp_path, asks) as server:
        for _ in range(200):
            if str(shared) in said(server.call("list_allowed_directories")):
                return
    raise AssertionError("the server did not ask for its folders")


def test_the_memory_server_remembers(tmp_path: Path) -> None:
    with reached(npm_server("server-memory"), tmp_path) as server:
        entity = {"name": "pisces", "entityType": "fish", "observations": ["swims"]}
        server.call("create_entities", entities=[entity])
        graph = server.call("read_graph")
        assert graph["structuredContent"]["entities"][0]["name"] == "pisces"
        server.call("delete_entities", entityNames=["pisces"])


@pytest.mark.parametrize(("era", "protocol"), [(LEGACY, "2025-11-25"), (AUTO_ERA, "2026-07-28")])
def test_the_git_server_shows_a_repository_in_both_eras(tmp_path: Path, era: str, protocol: str) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "new.txt").write_text("x")
    with reached((python_server("mcp-server-git"),), tmp_path, era=era) as server:
        assert server.made.facts.protocol == protocol
        assert "git_status" in names(server)
        assert "new.txt" in said(server.call("git_status", repo_path=str(tmp_path)))
        server.run(server.made.ping())


def test_the_time_server_answers_in_both_eras(tmp_path: Path) -> None:
    for era in (LEGACY, AUTO_ERA):
        with reached((python_server("mcp-server-time"),), tmp_path, era=era) as server:
            assert "Asia/Tokyo" in said(server.call("get_current_time", timezone="Asia/Tokyo"))


def test_an_older_server_is_reached_in_the_newer_era_too(tmp_path: Path) -> None:
    with reached(npm_server("server-memory"), tmp_path, era=AUTO_ERA) as server:
        assert server.made.facts.protocol == "2025-11-25"
        assert "read_graph" in names(server)


@pytest.mark.parametrize("kind", [STDIO, HTTP, SSE, AUTO])
def test_a_server_of_another_implementation(tmp_path: Path, kind: str) -> None:
    argv = (python_server("python"), str(SERVERS / "client_fastmcp.py"))
    if kind == STDIO:
        with reached(argv, tmp_path) as server:
            _use(server)
        return
    port = free_port()
    transport, path = ("streamable-http", "mcp") if kind == HTTP else ("sse", "sse")
    with listening((*argv, transport, str(port)), port, tmp_path):
        plan = ServerPlan("other", found("other"), transport=kind, url=f"http://127.0.0.1:{port}/{path}")
        server = Reached(plan, ServerAsks())
        try:
            _use(server)
        finally:
            server.close()


def _use(server: Reached) -> None:
    assert server.made.facts.instructions == "Be brief."
    assert {"add", "beep"} <= names(server)
    assert server.call("add", a=1, b=2)["structuredContent"] == {"result": 3}
    audio = server.call("beep")["content"][0]
    assert (audio["type"], audio["mimeType"]) == ("audio", "audio/wav")
    broken = server.call("broken")
    assert broken["isError"] is True
    prompt = server.run(server.made.prompt("greet", {"name": "Ada"}))
    assert prompt["messages"][0]["content"]["text"] == "Greet Ada"
    assert [each["uriTemplate"] for each in server.run(server.made.listed(TEMPLATES))] == ["note://{name}"]
    assert server.run(server.made.read("note://fish"))["contents"][0]["text"] == "a note about fish"
    assert len(server.run(server.made.listed(PROMPTS))) == 1
    with pytest.raises(ServerError):
        server.run(server.made.prompt("greet", {}))


@pytest.mark.parametrize("era", [LEGACY, AUTO_ERA])
def test_a_question_in_a_call_reaches_the_user_in_both_eras(tmp_path: Path, era: str) -> None:
    asked: list[Mapping[str, Any]] = []

    async def elicit(params: Mapping[str, Any]) -> Mapping[str, Any]:
        asked.append(params)
        return {"action": "accept", "content": {"value": "Ada"}}

    argv = (python_server("python"), str(SERVERS / "client_fastmcp.py"))
    with reached(argv, tmp_path, ServerAsks(elicit=elicit), era) as server:
        answer = server.call("ask")
    if answer.get("isError"):
        assert era == AUTO_ERA, answer
        pytest.skip(f"this server does not ask in the newer era: {said(answer)}")
    assert said(answer) == "accept Ada"
    assert [each["message"] for each in asked] == ["Your name?"]
