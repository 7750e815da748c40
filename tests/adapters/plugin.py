"""A Claude plugin whose hooks every framework must obey: it denies, rewrites, changes results, and remembers events."""

from __future__ import annotations

import json
from pathlib import Path

_EVENTS = (
    "SessionStart UserPromptSubmit PreToolUse PostToolUse PostToolUseFailure Stop SubagentStart SubagentStop SessionEnd"
)

# What the program answers on stdout is in the words of Claude Code's hooks.
_GUARD = """
import json, os, sys, time

given = json.load(sys.stdin)
event = given["hook_event_name"]
command = str((given.get("tool_input") or {}).get("command", ""))


def remember(**facts):
    with open(os.path.join(given["cwd"], "events.jsonl"), "a", encoding="utf-8") as log:
        log.write(json.dumps({"event": event, **facts}) + "\\n")


def answer(**specific):
    print(json.dumps({"hookSpecificOutput": {"hookEventName": event, **specific}}))


def cleaned(value):
    if isinstance(value, str):
        return value.replace("secret", "[removed]")
    if isinstance(value, list):
        return [cleaned(each) for each in value]
    return {name: cleaned(each) for name, each in value.items()} if isinstance(value, dict) else value


if event == "PreToolUse":
    remember(tool=given["tool_name"], command=command, agent=given.get("agent_type", ""))
    if command.startswith("rm"):
        answer(permissionDecision="deny", permissionDecisionReason="nothing is removed here")
    elif command == "ls":
        answer(permissionDecision="allow", updatedInput={**given["tool_input"], "command": "ls -la"})
    elif command == "halt":
        print(json.dumps({"continue": False, "stopReason": "the tide is out"}))
    elif command == "crash":
        sys.exit("the guard is broken")
    elif command == "hang":
        remember(pid=os.getpid())
        time.sleep(600)
elif event == "PostToolUse":
    remember(tool=given["tool_name"], command=command)
    if "secret" in json.dumps(given["tool_response"]):
        answer(updatedToolOutput=cleaned(given["tool_response"]))
elif event == "PostToolUseFailure":
    remember(tool=given["tool_name"], command=command)
elif event == "UserPromptSubmit":
    remember(prompt=given["prompt"])
    if "forbidden" in given["prompt"]:
        print(json.dumps({"decision": "block", "reason": "this prompt is not allowed"}))
    else:
        answer(additionalContext="High water is at six.")
elif event == "SessionStart":
    remember(source=given.get("source"))
    answer(additionalContext="The harbour is open.")
elif event == "Stop" or event == "SubagentStop":
    said = str(given.get("last_assistant_message", ""))
    remember(last=said, agent=given.get("agent_type", ""))
    if said == "too early" and not given.get("stop_hook_active"):
        print(json.dumps({"decision": "block", "reason": "look once more"}))
else:
    remember(agent=given.get("agent_type", ""))
"""


def write_plugin(folder: Path) -> None:
    command = {"type": "command", "command": 'python3 "${CLAUDE_PLUGIN_ROOT}/guard.py"', "timeout": 60}
    hooks = {event: [{"hooks": [command]}] for event in _EVENTS.split()}
    files = {
        ".claude-plugin/plugin.json": json.dumps({"name": "guard", "version": "1.0.0"}),
        "hooks/hooks.json": json.dumps({"hooks": hooks}),
        "guard.py": _GUARD,
        "skills/knots/SKILL.md": "---\nname: knots\ndescription: Which knot holds a boat\n---\nA bowline holds.\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
