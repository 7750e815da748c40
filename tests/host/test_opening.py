"""Opening a host loads little, and what is loaded later finds everything as it was when the host was opened."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import uuid

from pisces import Host, ToolCall, ToolResult
from pisces.host.under_way import CLOSED
from tests.host.world import Answers, World

CALL = ToolCall("shell", "call-1", {"command": "rm boat.txt"})
MODULE = "def extension(pisces):\n    pass\n"

PROGRAM = """
import asyncio, sys
from pisces import Host
async def main():
    async with Host.open(".", approve=lambda *_: False):
        pass
asyncio.run(main())
print(*sorted(sys.modules))
"""


def test_a_host_in_which_nothing_happens_loads_neither_modules_nor_rules_nor_discovery(world: World) -> None:
    env = {**world.places.env, "HOME": str(world.home), "USERPROFILE": str(world.home)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=world.cwd, env=env, capture_output=True, check=True)
    loaded = done.stdout.decode().split()
    heavy = (
        *("wiring", "module_set", "registry", "gates.trust", "gates.judge", "events", "uuid", "difflib", "ctypes"),
        *("shlex", "shapes.request", "shapes.verdict", "no_secrets", "host.story", "judged_record"),
    )
    assert [name for name in loaded if name.startswith(("pisces", *heavy)) and name.endswith(heavy)] == []


def test_the_name_of_the_host_loads_no_event_loop() -> None:
    code = "import sys; from pisces import Host; sys.exit('asyncio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_what_settings_require_is_what_they_required_when_the_host_was_opened(world: World) -> None:
    settings = world.write("~/.pisces/agent/config.yml", "required: [guard]\n")

    async def judged() -> object:
        async with Host.open(world.places, approve=Answers()) as host:
            world.write(settings, "required: []\n")
            return (await host.judge(CALL)).verdict

    verdict = asyncio.run(judged())
    assert (verdict.decision, verdict.who) == ("deny", "required modules")  # type: ignore[attr-defined]


def test_trust_is_what_it_was_when_the_host_was_opened(world: World) -> None:
    async def is_asked() -> bool:
        async with Host.open(world.places, approve=Answers()) as host:
            stored = f'{{"version": 2, "folders": {{"{world.cwd.as_posix()}": {{}}}}}}'
            world.write("~/.pisces/agent/trusted.json", stored)
            return host._wired.facts.is_trusted

    assert not asyncio.run(is_asked())


def test_a_host_that_is_first_used_after_its_end_denies_everything(world: World) -> None:
    async def after() -> tuple[str, ToolResult, ToolCall, str]:
        async with Host.open(world.places, approve=Answers()) as host:
            pass
        judged = await host.judge(CALL)
        submitted = await host.submit("/nothing")
        return judged.verdict.why, await host.call("shell", {}), await host.emit(CALL), submitted.blocked

    why, result, call, blocked = asyncio.run(after())
    assert why == blocked == CLOSED
    assert result.is_error
    assert call.blocked


def test_modules_are_found_beside_a_folder_that_has_only_a_log(world: World) -> None:
    world.write("~/.pisces/audit/log.jsonl", "")
    world.write("~/.pisces/agent/extensions/own.py", MODULE)

    async def loaded() -> list[str]:
        async with Host.open(world.places, approve=Answers()) as host:
            return [each.name for each in host._wired.modules.runner.modules if each.path]

    assert asyncio.run(loaded()) == ["own"]


def test_a_project_folder_that_is_a_file_is_no_reason_to_fail(world: World) -> None:
    world.write(".pisces", "no folder")

    async def verdict() -> str:
        async with Host.open(world.places, approve=Answers(answer=False)) as host:
            return (await host.judge(CALL)).verdict.decision

    assert asyncio.run(verdict()) == "deny"


def test_a_session_has_an_id_as_hooks_expect_it(world: World) -> None:
    async def ids() -> set[str]:
        found = set()
        for _ in range(20):
            async with Host.open(world.places, approve=Answers(), is_audited=False) as host:
                found.add(host._wired.facts.id)
        return found

    made = asyncio.run(ids())
    assert len(made) == 20
    assert all(str(uuid.UUID(each)) == each for each in made)
    assert {(uuid.UUID(each).version, uuid.UUID(each).variant) for each in made} == {(4, uuid.RFC_4122)}
