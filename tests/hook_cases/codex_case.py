"""A workspace for one recorded case of Codex: the files that the case names, and the hooks that fire there.

The cases were recorded with the review of hooks switched off. Here each hook that is found is written down as reviewed.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pisces.by_name import export_of
from pisces.discovery import capabilities
from pisces.discovery.registry import discover
from pisces.gates.hooks.found_hooks import found_hooks
from pisces.gates.trusted import Trust
from pisces.places import Places
from pisces.shapes.events import ToolCall
from pisces.shapes.session_facts import MODE_ALL, MODE_ASK, SessionFacts
from tests.hook_cases.claude_case import write_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pisces.gates.hooks.dialect import LoadedHook

CONFIG = """approval_policy = "{approval}"
sandbox_mode = "{sandbox}"
{top}
[projects."{work}"]
trust_level = "{trust}"
{more}
"""


class CodexCase:
    """`config` has the placeholders of the row filled in. Nothing is read from this machine but what is in `root`."""

    def __init__(self, row: Mapping[str, Any], root: Path) -> None:
        self.row = row
        self.home, self.work = root / "home", root / "work"
        for folder in (self.home / ".codex", self.work / ".git"):
            folder.mkdir(parents=True)
        self.names = {"@HOME@": str(self.home), "@WORK@": str(self.work), "@ROOT@": str(root), "@MCP@": "mini_mcp.py"}
        self.config: dict[str, Any] = self.filled(row["config"])
        env = {"PATH": os.environ["PATH"], "HOME": str(self.home), "CODEX_HOME": str(self.home / ".codex")}
        self.places = Places(str(self.home), str(self.work), {**env, "LANG": "C.UTF-8", **self.config.get("env", {})})
        self._write()
        if self.config.get("trust", True):
            self._write_reviews()

    def filled(self, value: Any) -> Any:
        text = json.dumps(value)
        for name, path in self.names.items():
            text = text.replace(name, json.dumps(path)[1:-1])
        return json.loads(text)

    def unfilled(self, text: str) -> str:
        for name in ("@WORK@", "@HOME@"):
            text = text.replace(self.names[name], name)
        return text

    @property
    def is_asking(self) -> bool:
        """Whether somebody could be asked: `codex exec` acts as if nobody could."""
        return bool(self.config.get("host"))

    @property
    def trust(self) -> Trust:
        is_trusted = self.config.get("project_trust", "trusted") == "trusted"
        return Trust().including_for_this_run(str(self.work)) if is_trusted else Trust()

    def facts(self) -> SessionFacts:
        return SessionFacts(
            str(self.work),
            str(self.work),
            str(self.home),
            id="00000000-0000-0000-0000-000000000000",
            turn_id="00000000-0000-0000-0000-000000000001",
            transcript=str(self.home / ".codex" / "sessions" / "rollout.jsonl"),
            model=self.config.get("model", "gpt-5.5"),
            mode=MODE_ASK if self.is_asking else MODE_ALL,
            is_interactive=self.is_asking,
        )

    def hooks(self) -> tuple[LoadedHook, ...]:
        return found_hooks(self.places, self.trust).loaded

    def calls(self) -> Iterator[ToolCall]:
        turns = self.filled(self.row.get("turns") or [[self.row["call"]]])
        calls = [part for turn in turns for part in turn if "call" in part or "custom" in part]
        for number, call in enumerate(calls):
            tool = call.get("call") or call["custom"]
            if "namespace" in call:
                tool = f"{call['namespace'].rstrip('_')}__{tool}"
            yield ToolCall(tool, f"call_{number}", call.get("arguments") or {"input": call.get("input", "")})

    def _write(self) -> None:
        config, own = self.config, self.home / ".codex"
        hooks = config.get("hooks_text") or json.dumps({"hooks": config.get("hooks", {})})
        (own / "hooks.json").write_text(hooks)
        write_tree(own / "rules", config.get("rules", {}))
        write_tree(self.home, config.get("home_files", {}))
        write_tree(self.work, config.get("files", {}))
        if "project_hooks" in config:
            write_tree(self.work, {".codex/hooks.json": {"hooks": config["project_hooks"]}})
        text = CONFIG.format(
            approval=config.get("approval", "never"),
            sandbox=config.get("sandbox", "danger-full-access"),
            top=config.get("config_top", ""),
            work=self.work,
            trust=config.get("project_trust", "trusted"),
            more="\n".join((config.get("config", ""), config.get("hooks_toml", ""))),
        )
        (own / "config.toml").write_text(text)

    def _write_reviews(self) -> None:
        hashes = export_of("pisces.harnesses.codex", "hook_hash", "hook_hashes")
        lines: dict[str, str] = {}
        for candidate in discover(capabilities.HOOKS, self.places).all:
            hook = candidate.found.item
            if hook.dialect == "codex":
                event = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in hook.event)[1:]
                key = f"{hook.path}:{event}:{hook.group_index}:{hook.index}"
                *_, with_matcher = hashes(hook, event)
                lines[key] = f"[hooks.state.{json.dumps(key)}]\ntrusted_hash = {json.dumps(with_matcher)}\n"
        with (self.home / ".codex" / "config.toml").open("a") as file:
            file.write("\n".join(lines.values()))
