"""The real Gemini CLI 0.61.0 agrees with `inspect` about every extension of the corpus, component by component."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pisces.discovery.inventory import inventory
from pisces.discovery.package_format import format_named
from pisces.places import Places
from pisces.ui.inspection import inspection
from tests.conformance.corpus import lines, unpack, why_missing

pytestmark = pytest.mark.skipif(bool(why_missing()), reason=why_missing())

# Differences that stand, each with its reason in docs/conformance.md: (extension, component).
KNOWN: set[tuple[str, str]] = set()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("corpus")
    unpack(target)
    return target


def extensions(corpus: Path) -> list[tuple[Path, dict[str, Any], dict[str, Any] | None]]:
    real, synthetic = corpus / "gemini-extensions", corpus / "synthetic" / "synthetic"
    finals = {record["ext"]: record for record in lines(real / "commands.jsonl")}
    found = [(real / "corpus" / each["ext"], each, finals.get(each["ext"])) for each in lines(real / "deep.jsonl")]
    return found + [(synthetic / each["ext"], each, None) for each in lines(synthetic / "deep.jsonl")]


def inspected(folder: Path) -> dict[str, Any]:
    places = Places("/nowhere/home", "/nowhere/workspace", {})
    return inspection(inventory(str(folder), format_named("gemini"), places), ["gemini"])


def test_every_extension_is_there(corpus: Path) -> None:
    assert len(extensions(corpus)) == 123 + 93


@pytest.mark.parametrize(
    "component",
    ["installs", "commands", "final_names", "skills", "rejected_skills", "subagents", "rejected_subagents", "hooks"]
    + ["policy_rules", "policy_errors", "context_files", "mcp_servers"],
)
def test_gemini_agrees_about(component: str, corpus: Path) -> None:
    differences = {}
    for folder, verdict, finals in extensions(corpus):
        ours, theirs = OURS[component](inspected(folder), folder), THEIRS[component](verdict, finals)
        if theirs is not None and ours != theirs and (verdict["ext"], component) not in KNOWN:
            differences[verdict["ext"]] = {"ours": ours, "gemini": theirs}
    assert not differences


def at_home(text: Any, folder: Path, name: str) -> Any:
    """Our inspection is of the source folder, Gemini's of the installed copy."""
    if not isinstance(text, str):
        return text
    return text.replace(str(folder), f"<HOME>/.gemini/extensions/{name}").replace("/nowhere/workspace", "<WORKSPACE>")


def our_hooks(ours: dict[str, Any], folder: Path) -> Any:
    found = [
        (hook["event"], repr(at_home(hook["matcher"], folder, ours["name"])), at_home(hook["command"], folder, ours["name"]))
        for hook in ours["hooks"]
    ]
    return sorted(found, key=repr)


def their_hooks(verdict: dict[str, Any], _finals: Any) -> Any:
    if "hooks" not in verdict:
        return None
    found = [(hook["event"], repr(hook.get("matcher")), hook["config"].get("command")) for hook in verdict["hooks"]]
    return sorted(found, key=repr)


def their_skills(verdict: dict[str, Any], _finals: Any) -> Any:
    return sorted((each["name"], each["file"]) for each in verdict.get("skills", {}).get("valid", []))


def their_rules(verdict: dict[str, Any], _finals: Any) -> Any:
    rules = verdict.get("policies", {}).get("rules", [])
    return sorted((r.get("toolName", ""), r["decision"], r["priority"], r.get("argsPattern", {}).get("regex")) for r in rules)


def our_rules(ours: dict[str, Any], _folder: Path) -> Any:
    return sorted((r["toolName"], r["decision"], r["priority"], r.get("argsPattern")) for r in ours["policies"]["rules"])


def their_context(verdict: dict[str, Any], _finals: Any) -> Any:
    if "extension" not in verdict:
        return []
    root = f"<HOME>/.gemini/extensions/{verdict['extension']['name']}/"
    return [path.removeprefix(root) for path in verdict["extension"]["contextFiles"]]


def their_servers(verdict: dict[str, Any], _finals: Any) -> Any:
    servers = (verdict.get("extension") or {}).get("mcpServers") or {}
    return sorted(servers) if isinstance(servers, dict) else None


def sorted_names(key: str) -> Any:
    return lambda ours, _folder: sorted(each["name"] for each in ours[key])


def their_finals(_verdict: dict[str, Any], finals: dict[str, Any] | None) -> Any:
    return sorted(finals["final_names"]) if finals else None


OURS: dict[str, Any] = {
    "installs": lambda ours, _folder: ours["installs"],
    "commands": sorted_names("commands"),
    "final_names": lambda ours, _folder: sorted(each["final_name"] for each in ours["commands"]),
    "skills": lambda ours, _folder: sorted((each["name"], each["file"]) for each in ours["skills"]),
    "rejected_skills": lambda ours, _folder: sorted(ours["rejected_skills"]),
    "subagents": sorted_names("subagents"),
    "rejected_subagents": lambda ours, _folder: sorted(ours["rejected_subagents"]),
    "hooks": our_hooks,
    "policy_rules": our_rules,
    "policy_errors": lambda ours, _folder: sorted(each["file"] for each in ours["policies"]["errors"]),
    "context_files": lambda ours, _folder: ours["context_files"],
    "mcp_servers": sorted_names("mcp_servers"),
}
THEIRS: dict[str, Any] = {
    "installs": lambda verdict, _finals: verdict["install"] == "ok",
    "commands": lambda verdict, _finals: sorted(each["name"] for each in verdict.get("commands", [])),
    "final_names": their_finals,
    "skills": their_skills,
    "rejected_skills": lambda verdict, _finals: sorted(verdict.get("skills", {}).get("rejected", [])),
    "subagents": lambda verdict, _finals: sorted(verdict.get("agents", {}).get("valid", [])),
    "rejected_subagents": lambda verdict, _finals: sorted(
        {error["file"] for error in verdict.get("agents", {}).get("errors", [])}
    ),
    "hooks": their_hooks,
    "policy_rules": their_rules,
    "policy_errors": lambda verdict, _finals: sorted(
        error["file"] for error in verdict.get("policies", {}).get("errors", [])
    ),
    "context_files": their_context,
    "mcp_servers": their_servers,
}
