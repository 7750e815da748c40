"""What a request has: the system prompt, the tools in a stable order, and no more of it with each turn."""

from __future__ import annotations

from pathlib import Path

from pisces.session.session import Session
from pisces.shapes.message import CallPart
from tests.session.world import SessionWorld

MOST_BYTES = 2_400


def test_the_system_prompt_is_short_and_the_same_each_time(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, ["one", "two"])
    world.submit("first", "second")
    first, second = (each.system for each in world.model.asked)
    assert first == second
    assert len(first.encode()) < MOST_BYTES


def test_our_own_tools_come_first_and_their_order_is_stable(tmp_path: Path) -> None:
    module = (
        "def extension(pisces):\n"
        "    @pisces.tool('aaa')\n"
        "    def aaa() -> str:\n"
        "        'Of a package.'\n"
        "        return ''\n"
    )
    world = SessionWorld(tmp_path, [(CallPart("1", "aaa", {}),), "done"], module)
    world.submit("hi")
    first, second = ([tool.name for tool in each.tools] for each in world.model.asked)
    assert first == second
    assert first[-1] == "aaa"
    assert "read" in first


def test_a_request_adds_to_the_one_before_and_changes_nothing_of_it(tmp_path: Path) -> None:
    """As providers cache it: the beginning is the same to the letter."""
    world = SessionWorld(tmp_path, [(CallPart("1", "read", {"path": "a"}),), "one", "two"])
    world.submit("first", "second")
    for before, after in zip(world.model.asked, world.model.asked[1:], strict=False):
        assert after.messages[: len(before.messages)] == before.messages
        assert (after.system, after.tools) == (before.system, before.tools)


def test_the_current_folder_moves_and_the_workspace_stays(tmp_path: Path) -> None:
    world = SessionWorld(tmp_path, [(CallPart("1", "read", {"path": "deep.txt"}),), "done"])
    (world.work / "sub").mkdir()
    (world.work / "sub" / "deep.txt").write_text("found it", encoding="utf-8")

    async def work(session: Session) -> None:
        await session.move_to(str(world.work / "sub"))
        await session.submit("read it")

    world.during(work)
    assert "found it" in str(world.model.asked[1].messages[-1])
    assert str(world.work / "sub") not in world.model.asked[0].system
