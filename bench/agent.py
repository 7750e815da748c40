"""What `pisces -p` costs beside other agents: CPU to the first request, memory, what it sends, a call of a tool.

Each agent runs headless against a model on loopback, in a home of its own, one after the other in every round. CPU is
that of the whole process tree.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import median
from typing import Any

from bench.measure import PYTHON, Failed, Subject, environment_of
from bench.model_server import ModelServer
from bench.peers import claude_code, package, program
from bench.result import Outcome, Result, Skipped

MOST_CPU = 0.45  # of Gemini CLI's
MOST_MEMORY = 90.0  # MB
MOST_SENT = 8.0  # KB
MOST_CALL = 10.0  # ms, with its shell
PACKAGES = 20
MOST_ADDED = 3.0  # KB, by all packages together
ROUNDS = 5  # agents are slow to start: more would take minutes
CALLS = 20
LIMIT = 60.0
_KB, _MB = 1024.0, 1e6
_TICK = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


@dataclass(frozen=True)
class Agent:
    """`env` and `files` may have `{url}` and `{home}` in them. `shell` is the tool that runs a command line."""

    name: str
    command: tuple[str, ...]
    env: Mapping[str, str]
    files: Mapping[str, str] = field(default_factory=dict)
    shell: tuple[str, str] = ("shell", "command")

    @property
    def is_ours(self) -> bool:
        """Others may refuse to repeat a call, or end with a code of their own."""
        return self.name.startswith("pisces")


@dataclass(frozen=True)
class Run:
    """Milliseconds of CPU until the first request and until the end, megabytes, and bytes of the first request."""

    first: float
    cpu: float
    memory: float
    sent: float


def compare(folder: Path, rounds: int) -> Iterator[Outcome]:
    if sys.platform != "linux":
        yield Skipped("the agent beside others", "what a process tree costs is read from /proc")
        return
    with ModelServer() as server:
        everybody = [*_ours(), *_others()]
        found = {agent.name: Runs(agent, folder, server) for agent in everybody}
        for _ in range(min(rounds, ROUNDS)):
            for each in found.values():
                each.run()
        yield from _outcomes(found)
        yield _packages(folder, server, found)
        missing = {"gemini", "claude", "codex", "pi"} - set(found)
        yield from (Skipped(f"the agent beside {name}", "it is not installed") for name in sorted(missing))


class Runs:
    def __init__(self, agent: Agent, folder: Path, server: ModelServer) -> None:
        self.name = agent.name
        self._agent, self._folder, self._server = agent, folder, server
        self.plain: list[Run] = []
        self.calling: list[Run] = []

    def run(self) -> None:
        self.plain.append(self._measured(0))
        self.calling.append(self._measured(CALLS))

    @property
    def per_call(self) -> float:
        """Milliseconds of one call; those that an agent refused to repeat are not in it."""
        pairs = zip(self.plain, self.calling, strict=True)
        return median((many.cpu - none.cpu) / CALLS for none, many in pairs)

    def typical(self, what: str) -> float:
        return float(median(getattr(each, what) for each in self.plain))

    def _measured(self, calls: int) -> Run:
        agent, server = self._agent, self._server
        home, cwd = self._folder / f"{agent.name}-home", self._folder / f"{agent.name}-work"
        for each in (home, cwd):
            shutil.rmtree(each, ignore_errors=True)
            each.mkdir(parents=True)
        fill = {"url": server.url, "home": str(home), "cwd": str(cwd)}
        for name, text in agent.files.items():
            path = home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(_filled(text, fill), encoding="utf-8")
        env = {name: _filled(value, fill) for name, value in agent.env.items()}
        child = _Child(Subject(agent.name, agent.command, home, cwd, tuple(env.items())))
        server.begin(child.note, calls, lambda number: (agent.shell[0], {agent.shell[1]: f": {number}"}))
        child.start()
        cpu = child.ended()
        if not server.requests or child.first is None:
            raise Failed(f"{agent.name}: no request came; exit code {child.status}")
        if agent.is_ours and (child.status or len(server.requests) != calls + 1):
            raise Failed(f"{agent.name}: {len(server.requests)} requests for {calls} calls; exit code {child.status}")
        return Run(child.first * 1000, cpu * 1000, child.memory / _MB, len(server.requests[0]) / _KB)


class _Child:
    """One run of an agent. It may not start before the server knows whom to look at."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._pid = 0
        self.first: float | None = None
        self.memory = 0.0
        self.status = 0

    def note(self) -> None:
        self.first = sum(_cpu(fields) for fields in _tree(self._pid))

    def start(self) -> None:
        subject = self._subject
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", 'read go; exec "$@" </dev/null', "sh", *subject.command],
            cwd=subject.cwd,
            env={**environment_of(subject), "TERM": "dumb"},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        self._pid = self._process.pid
        assert self._process.stdin is not None
        self._process.stdin.write(b"go\n")
        self._process.stdin.close()

    def ended(self) -> float:
        """Seconds of CPU of all of it."""
        if sys.platform == "win32":
            raise Failed("Windows does not say what a child has cost")
        end = time.monotonic() + LIMIT
        while True:
            done, status, used = os.wait4(self._pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() > end:
                os.killpg(self._pid, signal.SIGKILL)
            self.memory = max(self.memory, sum(int(fields[21]) for fields in _tree(self._pid)) * _PAGE)
            time.sleep(0.02)
        self.status = self._process.returncode = os.waitstatus_to_exitcode(status)
        return used.ru_utime + used.ru_stime


def _tree(root: int) -> list[list[str]]:
    """The fields of /proc/PID/stat, from the state on, of a process and of all below it."""
    found: dict[int, list[str]] = {}
    children: dict[int, list[int]] = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            text = Path("/proc", name, "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        fields = text[text.rindex(")") + 2 :].split()
        found[int(name)] = fields
        children.setdefault(int(fields[1]), []).append(int(name))
    below, waiting = [], [root]
    while waiting:
        each = waiting.pop()
        if each in found:
            below.append(found[each])
        waiting += children.get(each, ())
    return below


def _cpu(fields: list[str]) -> float:
    return sum(map(int, fields[11:15])) / float(_TICK)


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace("{" + name + "}", value)
    return text


def _ours() -> Iterator[Agent]:
    entry = "import sys; from pisces.__main__ import main; sys.exit(main())"
    command = (PYTHON, "-c", entry, "-p", "hi", "--approve-mode", "all")
    for name, key, url in (
        ("pisces (google)", "GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL"),
        ("pisces (anthropic)", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"),
        ("pisces (openai)", "OPENAI_API_KEY", "OPENAI_BASE_URL"),
    ):
        yield Agent(name, command, {key: "x", url: "{url}"})


def _others() -> Iterator[Agent]:
    node = program("node")
    gemini, claude = package("@google/gemini-cli"), claude_code()
    codex, pi = package("@openai/codex"), package("@mariozechner/pi-coding-agent")
    if gemini and node:
        command: tuple[str, ...] = (
            node,
            str(gemini / "bundle" / "gemini.js"),
            "-p",
            "hi",
            "--skip-trust",
            "--approval-mode",
            "yolo",
        )
        env = {"GEMINI_API_KEY": "x", "GOOGLE_GEMINI_BASE_URL": "{url}", "GEMINI_CLI_NO_RELAUNCH": "true"}
        settings: dict[str, Any] = {
            "privacy": {"usageStatisticsEnabled": False},
            "security": {"auth": {"selectedType": "gemini-api-key"}},
            "general": {"enableAutoUpdate": False},
        }
        files = {".gemini/settings.json": json.dumps(settings)}
        yield Agent("gemini", command, env, files, ("run_shell_command", "command"))
    if claude:
        words = "-p hi --model claude-sonnet-4-5 --permission-mode acceptEdits --allowedTools Bash".split()
        env = {"ANTHROPIC_BASE_URL": "{url}", "ANTHROPIC_API_KEY": "x", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        env |= {"DISABLE_AUTOUPDATER": "1", "DISABLE_TELEMETRY": "1"}
        yield Agent("claude", (claude, *words), env, {}, ("Bash", "command"))
    if codex and node:
        command = (node, str(codex / "bin" / "codex.js"), "exec", "--skip-git-repo-check", "hi")
        yield Agent("codex", command, {"FAKE_KEY": "x"}, {".codex/config.toml": _CODEX}, ("exec_command", "cmd"))
    if pi and node:
        command = (node, str(pi / "dist" / "cli.js"), "-p", "--model", "fake/fake-model", "hi")
        env = {"PI_SKIP_VERSION_CHECK": "1", "PI_OFFLINE": "1", "PI_TELEMETRY": "0"}
        yield Agent("pi", command, env, {".pi/agent/models.json": json.dumps(_PI)}, ("bash", "command"))


def _outcomes(found: Mapping[str, Runs]) -> Iterator[Outcome]:
    ours = [each for name, each in found.items() if name.startswith("pisces")]
    theirs = {name: each for name, each in found.items() if not name.startswith("pisces")}
    memory = max(each.typical("memory") for each in ours)
    call = max(each.per_call for each in ours)
    for name, other in theirs.items():
        cpu = other.typical("first")
        for mine in ours:
            yield _ratio((f"CPU to the first request, {mine.name}", name), mine.typical("first"), cpu, _CPU[name])
        yield _ratio(("a call of a shell", name), call, other.per_call, _CALL.get(name, 1.0))
        yield _ratio(("peak memory of the agent", name), memory, other.typical("memory"), 0.5, "memory")
    yield _ratio(("peak memory of the agent", f"{MOST_MEMORY:g} MB"), memory, MOST_MEMORY, 1.0, "memory")
    yield _ratio(("a call of a shell", f"{MOST_CALL:g} ms"), call, MOST_CALL, 1.0)
    sent = max(each.typical("sent") for each in ours)
    yield Result("the first request: prompt and tools", f"{MOST_SENT:g} KB", 0, 0, "cpu", sent / MOST_SENT, at_most=1.0)


def _packages(folder: Path, server: ModelServer, found: Mapping[str, Runs]) -> Result:
    """Each has a context file, a command and a skill."""
    files: dict[str, str] = {}
    for number in range(PACKAGES):
        root = f".gemini/extensions/ext-{number:02}"
        about = f"Example skill number {number} that formats reports of kind {number} when the user asks for one."
        manifest = {"name": f"ext-{number:02}", "version": "1.0.0", "contextFileName": "GEMINI.md"}
        files[f"{root}/gemini-extension.json"] = json.dumps(manifest)
        files[f"{root}/GEMINI.md"] = f"Rule {number}: be brief.\n"
        files[f"{root}/commands/cmd{number}.toml"] = 'prompt = "p {{args}}"\n'
        skill = f"---\nname: skill-{number:02}\ndescription: {about}\n---\n# Skill\n"
        files[f"{root}/skills/skill-{number:02}/SKILL.md"] = skill
    runs = []
    for bare in _ours():
        with_packages = Runs(replace(bare, files=files), folder, server)
        with_packages.run()
        runs.append(with_packages.typical("sent") - found[bare.name].typical("sent"))
    what = f"what {PACKAGES} packages add to the first request"
    return Result(what, f"{MOST_ADDED:g} KB", 0, 0, "cpu", max(runs) / MOST_ADDED, at_most=1.0)


def _ratio(names: tuple[str, str], mine: float, other: float, limit: float, unit: str = "cpu") -> Result:
    return Result(*names, other, mine, unit, mine / other if other > 0 else 0.0, at_most=limit)


_CPU = {"gemini": MOST_CPU, "claude": 1.0, "codex": 1.5, "pi": 0.5}
_CALL = {"pi": 1.25}
_CODEX = """
model = "gpt-5"
model_provider = "fake"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "FAKE_KEY"
[projects."{cwd}"]
trust_level = "trusted"
[analytics]
enabled = false
"""
_PI = {
    "providers": {
        "fake": {
            "baseUrl": "{url}/v1",
            "api": "openai-completions",
            "apiKey": "x",
            "models": [
                {
                    "id": "fake-model",
                    "name": "fake",
                    "reasoning": False,
                    "input": ["text"],
                    "contextWindow": 128000,
                    "maxTokens": 4096,
                    "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0},
                }
            ],
        }
    }
}
