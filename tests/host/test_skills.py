"""Skills through Host: a model activates one, its hooks fire from then on, and one that brings hooks is asked about."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from pisces import Host, Places, Request, ToolCall, Verdict
from pisces.gates.coverable import coverable
from pisces.gates.trust import remember_trust

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


HOOKED = """---
name: {name}
description: d
hooks:
  PreToolUse:
    - matcher: "*"
      hooks:
        - type: command
          command: "{command}"
---
Text
"""


class Trusted:
    """A project that was trusted as it was then."""

    def __init__(self, tmp_path: Path, *before: str) -> None:
        self.work, self.places = tmp_path / "work", _places(tmp_path)
        for each in before:
            self.bring(each)
        covered, _ = coverable(self.places)
        remember_trust(self.places, lambda trust: trust.including(self.places.cwd, covered))

    def bring(self, path: str, command: str = "exit 2") -> None:
        file = self.work / ".claude" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(HOOKED.format(name="brought", command=command), "utf-8")

    def decision(self) -> tuple[str, list[str]]:
        """About a call behind a skill and an agent that are used, with everything approved."""

        async def judged() -> tuple[str, list[str]]:
            async with Host.open(self.places, Asked(answer=True), mode="all") as host:
                for each in host.subagents:
                    host.use_subagent(each)
                if "brought" in host.skills.names:
                    await host.call("activate_skill", {"name": "brought"})
                agents = [each.item.name for each in host.subagents]
                call = ToolCall("Bash", "1", {"command": "ls"})
                verdict = (await host.judge(call, agent=agents[0] if agents else "")).verdict
                return verdict.decision, [each.code for each in host.diagnostics if each.code == "hook-untrusted"]

        return asyncio.run(judged())


@pytest.mark.parametrize("path", ["skills/brought/SKILL.md", "agents/brought.md"])
def test_hooks_in_headers_run_only_as_the_project_was_trusted(tmp_path: Path, path: str) -> None:
    project = Trusted(tmp_path, path)
    assert project.decision() == ("deny", [])
    project.bring(path, f"touch {tmp_path / 'trace'}")
    decision, codes = project.decision()
    assert (decision, set(codes)) == ("allow", {"hook-untrusted"})
    assert not (tmp_path / "trace").exists()


@pytest.mark.parametrize("path", ["skills/brought/SKILL.md", "agents/brought.md"])
def test_hooks_in_headers_that_came_after_trust_do_not_run(tmp_path: Path, path: str) -> None:
    project = Trusted(tmp_path, "skills/other/SKILL.md")
    project.bring(path, f"touch {tmp_path / 'trace'}")
    decision, codes = project.decision()
    assert (decision, set(codes)) == ("allow", {"hook-untrusted"})
    assert not (tmp_path / "trace").exists()
