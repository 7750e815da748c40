"""What becomes of guards that other converters bring to Gemini CLI: `python -m tests.conformance.hook_converters`.

PISCES_RULESYNC and PISCES_APM name the programs (npm `rulesync@8.32.0`, PyPI `apm-cli` 0.35.0), installed by hand. Each
gets the guard in the form that it reads, with every path as it wants it; the real runner of Gemini CLI judges all.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.conformance.converted_hooks import HookCase, converted, shell_call, verdicts
from tests.conformance.test_hook_shim import PROTOCOL
from tests.peer_programs import MODULES

if TYPE_CHECKING:
    from collections.abc import Callable

_SCRIPT = "guard.sh"
_ROWS = (
    "exit 2 with a reason",
    "exit 2 in silence",
    "exit 2 and an allow",
    "a denial",
    "a denial and exit 1",
    "the old block",
    "a denial behind a log line",
    "a denial without the event",
    "a program and its arguments",
    "a denial within its limit",
    "a failure that blocks",
    "a question",
    "a condition that holds",
    "a condition that does not",
    "nothing",
    "exit 3",
    "a missing program",
)


def _run(folder: Path, *argv: str) -> None:
    home = folder / "home"
    home.mkdir(exist_ok=True)
    env = {**os.environ, "HOME": str(home)}
    subprocess.run(argv, cwd=folder, env=env, capture_output=True, timeout=120, check=False)


def _hooks(fields: dict[str, Any]) -> dict[str, Any]:
    return {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", **fields}]}]}


def _as_extension(folder: Path) -> Path:
    """The hooks that a converter put into settings, as those of an extension. None at all is none."""
    settings = folder / ".gemini" / "settings.json"
    hooks = json.loads(settings.read_text("utf-8")).get("hooks", {}) if settings.exists() else {}
    target = folder / "extension" / "hooks"
    target.mkdir(parents=True)
    (target / "hooks.json").write_text(json.dumps({"hooks": hooks}), "utf-8")
    return target.parent


def _project(folder: Path, fields: dict[str, Any], script: str) -> None:
    (folder / ".claude").mkdir(parents=True)
    (folder / ".claude" / "settings.json").write_text(json.dumps({"hooks": _hooks(fields)}), "utf-8")
    (folder / _SCRIPT).write_text(script, "utf-8")


def by_rulesync(folder: Path, fields: dict[str, Any], script: str) -> Path:
    _project(folder, {"command": f'sh "$CLAUDE_PROJECT_DIR/{_SCRIPT}"', **fields}, script)
    rulesync = os.environ["PISCES_RULESYNC"]
    _run(folder, rulesync, "convert", "--from", "claudecode", "--to", "geminicli", "--features", "hooks")
    return _as_extension(folder)


def by_migrating(folder: Path, fields: dict[str, Any], script: str) -> Path:
    _project(folder, {"command": f'sh "$CLAUDE_PROJECT_DIR/{_SCRIPT}"', **fields}, script)
    _run(folder, str(MODULES / ".bin" / "gemini"), "hooks", "migrate", "--from-claude")
    return _as_extension(folder)


def by_apm(folder: Path, fields: dict[str, Any], script: str) -> Path:
    plugin = folder / "plugin"
    for name, text in {
        ".claude-plugin/plugin.json": json.dumps({"name": "guard", "version": "1.0.0"}),
        "hooks/hooks.json": json.dumps(
            {"hooks": _hooks({"command": f'sh "${{CLAUDE_PLUGIN_ROOT}}/hooks/{_SCRIPT}"', **fields})}
        ),
        f"hooks/{_SCRIPT}": script,
    }.items():
        (plugin / name).parent.mkdir(parents=True, exist_ok=True)
        (plugin / name).write_text(text, "utf-8")
    (folder / ".gemini").mkdir()
    apm = os.environ["PISCES_APM"]
    _run(folder, apm, "init", "-y")
    _run(folder, apm, "install", "./plugin", "--target", "gemini")
    return _as_extension(folder)


def by_pisces(folder: Path, fields: dict[str, Any], script: str) -> Path:
    own = {"command": f'sh "${{CLAUDE_PLUGIN_ROOT}}/hooks/{_SCRIPT}"', **fields}
    folder.mkdir()
    return converted(folder, _hooks(own), {f"hooks/{_SCRIPT}": script})


CONVERTERS: dict[str, Callable[[Path, dict[str, Any], str], Path]] = {
    "pisces": by_pisces,
    "rulesync": by_rulesync,
    "APM": by_apm,
    "`gemini hooks migrate`": by_migrating,
}


def table(root: Path) -> str:
    """Rows of the protocol in which Claude Code denies or asks, or lets pass: what each converter's output does."""
    cases: list[HookCase] = []
    rows = {name: PROTOCOL[name] for name in _ROWS}
    for number, (name, (row, _, _)) in enumerate(rows.items()):
        fields = {} if isinstance(row, str) else {key: value for key, value in row.items() if key != "command"}
        line = row if isinstance(row, str) else row["command"]
        fields = {**fields, **({"command": line} if "args" in fields else {})}
        for converter, make in CONVERTERS.items():
            folder = root / f"{number}-{len(cases)}"
            case: HookCase = {"id": f"{name}/{converter}", "event": "BeforeTool", "cwd": str(folder)}
            cases.append({**case, "extension": str(make(folder, fields, f"{line}\n")), "fields": shell_call("echo hi")})
    found = verdicts(cases, root)
    lines = [f"| the guard | wanted | {' | '.join(CONVERTERS)} |", f"| --- | --- |{' --- |' * len(CONVERTERS)}"]
    right = dict.fromkeys(CONVERTERS, 0)
    for name, (_, wanted, _) in rows.items():
        cells = []
        for converter in CONVERTERS:
            verdict = found[f"{name}/{converter}"]
            decision = verdict.get("decision") or "allow"
            decision = "never fires" if not verdict["fired"] else "deny" if decision == "block" else decision
            is_right = decision == wanted or (decision, wanted) == ("never fires", "allow")
            right[converter] += is_right
            cells.append(decision if is_right else f"**{decision}**")
        lines.append(f"| {name} | {wanted} | {' | '.join(cells)} |")
    lines.append(f"| **as in Claude Code** | {len(rows)} | {' | '.join(str(each) for each in right.values())} |")
    return "\n".join(lines)


if __name__ == "__main__":
    scratch = Path(tempfile.mkdtemp())
    try:
        sys.stdout.write(f"{table(scratch)}\n")
    finally:
        shutil.rmtree(scratch)
