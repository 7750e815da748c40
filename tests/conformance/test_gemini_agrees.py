"""The real Gemini CLI 0.61.0 agrees with `inspect` about every extension of the corpus, component by component."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.comparison import COMPONENTS, differences, ours, theirs
from tests.conformance.corpus import lines, unpack, why_missing

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

# Differences that stand, each with its reason in docs/conformance.md: (extension, component).
KNOWN = {("mcp-2", "mcp_servers")}

Compared = dict[str, tuple[dict[str, Any], dict[str, Any]]]


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """For each extension what we say and what Gemini said, in one form."""
    corpus = tmp_path_factory.mktemp("corpus")
    unpack(corpus)
    real, synthetic = corpus / "gemini-extensions", corpus / "synthetic" / "synthetic"
    finals = {record["ext"]: record["final_names"] for record in lines(real / "commands.jsonl")}
    folders = [(real / "corpus" / record["ext"], record) for record in lines(real / "deep.jsonl")]
    folders += [(synthetic / record["ext"], record) for record in lines(synthetic / "deep.jsonl")]
    return {record["ext"]: (ours(folder), recorded(record, finals)) for folder, record in folders}


def test_every_extension_is_there(compared: Compared) -> None:
    assert len(compared) == 123 + 93


@pytest.mark.parametrize("component", COMPONENTS)
def test_gemini_agrees_about(component: str, compared: Compared) -> None:
    found = {name: differences(*both).get(component) for name, both in compared.items()}
    assert not {name: difference for name, difference in found.items() if difference and (name, component) not in KNOWN}


def recorded(record: dict[str, Any], finals: dict[str, list[str]]) -> dict[str, Any]:
    """A recorded verdict in the form of `ours`; what was not recorded is left out."""
    extension = record.get("extension")
    policies = record.get("policies", {})
    agents = record.get("agents", {})
    skills = record.get("skills", {})
    told = theirs(
        {
            "installs": record["install"] == "ok",
            "commands": record.get("commands", []),
            "final_names": finals.get(record["ext"], []),
            "skills": skills.get("valid", []),
            "rejected_skills": skills.get("rejected", []),
            "agents": [_agent(agent) for agent in extension["agents"]] if extension else [],
            "failing_agents": [error["file"] for error in agents.get("errors", [])],
            "hooks": [_hook(hook) for hook in record.get("hooks", [])],
            "rules": [_rule(rule) for rule in policies.get("rules", [])],
            "checkers": [_rule(rule) for rule in policies.get("checkers", [])],
            "policy_errors": [(error["file"], error["type"]) for error in policies.get("errors", [])],
            "context_files": [_inside(path) for path in extension["contextFiles"]] if extension else [],
            "mcp_servers": extension.get("mcpServers") if extension else None,
        }
    )
    told["subagent_names"] = sorted(agents.get("valid", []))
    not_recorded = {"final_names": record["ext"] in finals, "subagents": extension is not None}
    return {component: value for component, value in told.items() if not_recorded.get(component, True)}


def _agent(agent: dict[str, Any]) -> dict[str, Any]:
    tools, model = agent.get("toolConfig", {}).get("tools"), agent.get("modelConfig", {}).get("model")
    return {
        "name": agent["name"],
        "description": agent["description"],
        "kind": agent["kind"],
        "tools": tools,
        "model": model,
    }


def _hook(hook: dict[str, Any]) -> dict[str, Any]:
    config = {key: hook["config"].get(key) for key in ("type", "command", "name", "timeout")}
    return {"event": hook["event"], "matcher": hook.get("matcher"), **config}


def _rule(rule: dict[str, Any]) -> dict[str, Any]:
    pattern = rule.get("argsPattern", {}).get("regex")
    return {
        "tool": rule.get("toolName"),
        "decision": rule.get("decision"),
        "priority": rule["priority"],
        "pattern": pattern,
    }


def _inside(path: str) -> str:
    """`<HOME>/.gemini/extensions/name/docs/a.md` as `docs/a.md`."""
    return str(Path(*Path(path).parts[4:])) if len(Path(path).parts) > 4 else ""
