"""What is compared, component by component: our `inspect` and the real program's verdict in one form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pisces.discovery.inventory import inventory
from pisces.discovery.package_format import format_named
from pisces.places import Places
from pisces.ui.inspection import inspection

WORKSPACE = "/nowhere/workspace"
COMPONENTS = (
    *("installs", "commands", "final_names", "skills", "rejected_skills", "subagents", "subagent_names"),
    *("rejected_subagents", "hooks", "policy_rules", "policy_checkers", "policy_errors", "context_files"),
    "mcp_servers",
)


def ours(folder: Path) -> dict[str, Any]:
    """The installed copy's path stands where the source folder's was, because that is what Gemini is asked about."""
    found = inventory(str(folder), format_named("gemini"), Places("<HOME>", WORKSPACE))
    told = inspection(found, ["gemini"])
    described = {each.item.path: each.item.description for each in found.found["skills"]}

    def at_home(value: Any) -> Any:
        text = json.dumps(value).replace(json.dumps(str(folder))[1:-1], f"<HOME>/.gemini/extensions/{told['name']}")
        return json.loads(text.replace(WORKSPACE, "<WORKSPACE>"))

    policies = [each.item for each in found.found["policies"]]
    commands = [each for each in told["commands"] if "executable" not in each]  # which Gemini CLI does not know
    return {
        "installs": told["installs"],
        "commands": sorted(each["name"] for each in commands),
        "final_names": sorted({each["final_name"] for each in commands}),
        "skills": ordered(
            [each["name"], described[str(folder / each["file"])], each["file"]] for each in told["skills"]
        ),
        "rejected_skills": sorted(told["rejected_skills"]),
        "subagents": ordered(_our_agent(each.item) for each in found.found["subagents"]),
        "subagent_names": sorted(each["name"] for each in told["subagents"]),
        "rejected_subagents": sorted(told["rejected_subagents"]),
        "hooks": ordered(at_home(plain(_our_hook(each.item))) for each in found.found["hooks"]),
        "policy_rules": ordered(_our_rule(rule) for rule in policies if rule.kind == "rule"),
        "policy_checkers": ordered(_our_rule(rule) for rule in policies if rule.kind != "rule"),
        "policy_errors": sorted(each["file"] for each in told["policies"]["errors"]),
        "context_files": [name if name != "." else "" for name in told["context_files"]],
        "mcp_servers": at_home(_servers({each.item.name: each.item.config for each in found.found["mcp-servers"]})),
    }


def theirs(verdict: dict[str, Any]) -> dict[str, Any]:
    """A verdict of oracle.mjs in the same form."""
    return {
        "installs": verdict["installs"],
        "commands": sorted(each["name"] for each in verdict.get("commands", [])),
        "final_names": sorted(verdict.get("final_names", [])),
        "skills": ordered([each["name"], each["description"], each["file"]] for each in verdict["skills"]),
        "rejected_skills": sorted(verdict["rejected_skills"]),
        "subagents": ordered(
            [each["name"], each["description"], each["kind"], each["tools"], each["model"]]
            for each in verdict["agents"]
        ),
        "subagent_names": sorted(each["name"] for each in verdict["agents"]),
        "rejected_subagents": sorted(set(verdict["failing_agents"])),
        "hooks": ordered(
            [
                each["event"],
                each["matcher"],
                each["type"],
                _command(each["type"], each["command"]),
                _text(each["name"]),
                each["timeout"],
            ]
            for each in verdict.get("hooks", [])
        ),
        "policy_rules": ordered(_their_rule(rule) for rule in verdict.get("rules", [])),
        "policy_checkers": ordered(_their_rule(rule) for rule in verdict.get("checkers", [])),
        "policy_errors": sorted(name for name, _kind in verdict.get("policy_errors", [])),
        "context_files": verdict.get("context_files", []),
        "mcp_servers": _servers(verdict.get("mcp_servers") or {}),
    }


def differences(one: dict[str, Any], other: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {
        component: {"ours": one[component], "gemini": other[component]}
        for component in COMPONENTS
        if component in other and one[component] != other[component]
    }


def ordered(items: Any) -> list[Any]:
    return sorted(map(plain, items), key=json.dumps)


def plain(value: Any) -> Any:
    """JavaScript has one kind of number, and writes those that are not numbers as null."""
    if isinstance(value, int) and abs(value) > 2**53:
        return int(float(value))
    if isinstance(value, float):
        return int(value) if value.is_integer() else None if value != value else round(value, 9)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(plain(value) or "")


def _servers(servers: dict[str, Any]) -> dict[str, Any]:
    """Gemini spreads texts and lists into objects; a server that is not an object is compared by name only."""
    odd = [name for name, server in servers.items() if not isinstance(server, dict) or set(server) & {"0"}]
    return {name: None if name in odd or not server else plain(server) for name, server in servers.items()}


def _our_agent(agent: Any) -> list[Any]:
    model = (agent.model or "inherit") if agent.kind == "local" else None
    return [agent.name, agent.description, agent.kind, agent.tools, model]


def _our_hook(hook: Any) -> list[Any]:
    return [hook.event, hook.matcher, hook.type, _command(hook.type, hook.command), hook.name, hook.timeout]


def _command(kind: str, command: Any) -> Any:
    """Hooks of other types need none, and an empty one says as much."""
    return None if command == "" and kind != "command" else command


def _our_rule(rule: Any) -> list[Any]:
    decision = rule.decision if rule.kind == "rule" else None
    return [rule.tool_name, decision, rule.priority, shown_pattern(rule.args_pattern)]


def _their_rule(rule: dict[str, Any]) -> list[Any]:
    return [rule["tool"], rule.get("decision"), rule["priority"], shown_pattern(rule["pattern"])]


def shown_pattern(pattern: str | None) -> str | None:
    """As JavaScript shows a pattern: slashes (left bare here) and line ends are escaped, once."""
    for char, shown in (("/", "/"), ("\n", "\\n"), ("\r", "\\r"), ("\u2028", "\\u2028"), ("\u2029", "\\u2029")):
        pattern = pattern and pattern.replace("\\" + char, char).replace(char, shown)
    return pattern or None
