"""Skills through Host: a model activates one, its hooks fire from then on, and one that brings hooks is asked about."""

from __future__ import annotations

import asyncio
from pathlib import Path

from pisces import Host, Places, Request, ToolCall, Verdict

PLAIN = "---\nname: plain\ndescription: d\n---\nDo it with $ARGUMENTS\n"
GUARDED = """---
name: guarded
description: d
hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: "exit 2"
---
Be careful
"""
LINE = "---\nname: line\ndescription: d\n---\nToday: !`echo ran > trace`\n"


def _places(tmp_path: Path, **skills: str) -> Places:
    for name, text in skills.items():
        file = tmp_path / "home" / ".claude" / "skills" / name / "SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_text(text, "utf-8")
    (tmp_path / "work").mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path / "work"), {"PATH": "/usr/bin:/bin"})


class Asked:
    def __init__(self, answer: bool) -> None:
        self.requests: list[str] = []
        self._answer = answer

    def __call__(self, request: Request, _questions: tuple[Verdict, ...]) -> bool:
        self.requests.append(request.exact)
        return self._answer


def test_a_model_activates_a_skill_with_its_arguments_without_a_question(tmp_path: Path) -> None:
    async def activated(asked: Asked) -> str:
        async with Host.open(_places(tmp_path, plain=PLAIN), asked) as host:
            return (await host.call("activate_skill", {"name": "plain", "arguments": "care"})).text

    asked = Asked(answer=False)
    assert "Do it with care" in asyncio.run(activated(asked))
    assert asked.requests == []


def test_hooks_of_a_skill_fire_once_it_is_used_and_its_use_is_asked_about(tmp_path: Path) -> None:
    async def verdicts(asked: Asked) -> list[str]:
        async with Host.open(_places(tmp_path, guarded=GUARDED), asked, mode="ask") as host:
            call = ToolCall("Bash", "1", {"command": "ls"})
            before = (await host.judge(call)).verdict.decision
            result = await host.call("activate_skill", {"name": "guarded"})
            return [before, str(result.is_error), (await host.judge(call)).verdict.decision]

    asked = Asked(answer=True)
    assert asyncio.run(verdicts(asked)) == ["allow", "False", "deny"]
    assert len(asked.requests) == 1


def test_a_skill_that_nobody_approved_brings_no_hook(tmp_path: Path) -> None:
    async def verdicts() -> list[str]:
        async with Host.open(_places(tmp_path, guarded=GUARDED), Asked(answer=False)) as host:
            result = await host.call("activate_skill", {"name": "guarded"})
            return [str(result.is_error), (await host.judge(ToolCall("Bash", "1", {"command": "ls"}))).verdict.decision]

    assert asyncio.run(verdicts()) == ["True", "allow"]


def test_a_line_in_a_skill_runs_only_if_it_is_allowed(tmp_path: Path) -> None:
    async def activated(asked: Asked) -> str:
        async with Host.open(places, asked) as host:
            return (await host.call("activate_skill", {"name": "line"})).text

    places = _places(tmp_path, line=LINE)
    denied = Asked(answer=False)
    asyncio.run(activated(denied))
    assert any("echo ran" in each for each in denied.requests)
    assert not (tmp_path / "work" / "trace").exists()
    asyncio.run(activated(Asked(answer=True)))
    assert (tmp_path / "work" / "trace").exists()


def test_the_index_of_skills_is_a_part_of_the_instructions(tmp_path: Path) -> None:
    async def parts() -> list[str]:
        async with Host.open(_places(tmp_path, plain=PLAIN), Asked(answer=False)) as host:
            return [part.kind for part in host.instructions if "plain" in part.text]

    assert asyncio.run(parts()) == ["skills"]
