"""The rules that Gemini CLI 0.61.0 brings itself, in its lowest tier: what it does where nobody has written a rule.

The host does not use them: there the approval mode decides. They are for comparing with the program.
"""

from __future__ import annotations

from pisces.harnesses.gemini.rules.call import AUTO_EDIT, DEFAULT, PLAN, YOLO
from pisces.harnesses.gemini.rules.rule import SHELL, CompiledRule, regex_pattern
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.value import EMPTY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

_READING = (
    "glob grep_search list_directory read_file google_web_search codebase_investigator cli_help get_internal_docs "
    "tracker_create_task tracker_update_task tracker_get_task tracker_list_tasks tracker_add_dependency "
    "tracker_visualize update_topic complete_task read_mcp_resource list_mcp_resources"
).split()
_CHANGING = ("replace", SHELL, "write_file", "activate_skill", "web_fetch")
_SLASH = r"[\\/]+"
_PLANS = (
    rf"[^\"]+{_SLASH}\.gemini{_SLASH}tmp{_SLASH}[\w-]+{_SLASH}(?:[\w-]+{_SLASH})?plans{_SLASH}[\w-]+\.md",
    rf"(?:\.{_SLASH})?\.gemini{_SLASH}tmp{_SLASH}[\w-]+{_SLASH}(?:[\w-]+{_SLASH})?plans{_SLASH}[\w-]+\.md",
    rf"(?:\.{_SLASH})?(?:plans{_SLASH})?[\w-]+\.md",
)


def built_in_rules() -> Iterator[CompiledRule]:
    acting = (DEFAULT, AUTO_EDIT, YOLO)
    yield from _rules(_READING, ALLOW, 50)
    yield from _rules(("invoke_agent",), ALLOW, 50, acting)
    yield from _rules(("ask_user",), DENY, 999, interactive=False)
    yield from _rules(_CHANGING, ASK, 10, interactive=True)
    yield from _rules(_CHANGING, DENY, 10, interactive=False)
    yield from _rules(("replace", "write_file", "web_fetch"), ALLOW, 15, (AUTO_EDIT,))
    yield from _plan_rules()
    yield from _rules(("ask_user",), ASK, 999, (YOLO,), interactive=True)
    yield from _rules(("enter_plan_mode", "exit_plan_mode"), DENY, 999, (YOLO,), interactive=True)
    yield from (each.replace(allows_redirection=True) for each in _rules(("*",), ALLOW, 998, (YOLO,)))


def _plan_rules() -> Iterator[CompiledRule]:
    yield from _rules(("enter_plan_mode",), ASK, 50, interactive=True)
    yield from _rules(("enter_plan_mode",), ALLOW, 50, interactive=False)
    yield from _rules(("enter_plan_mode",), DENY, 70, (PLAN,))
    yield from _rules(("exit_plan_mode",), ASK, 70, (PLAN,), interactive=True)
    yield from _rules(("exit_plan_mode",), ALLOW, 70, (PLAN,), interactive=False)
    yield from _rules(("exit_plan_mode",), DENY, 50)
    yield from _rules(("*",), DENY, 40, (PLAN,))
    reading = {"server": "*", "annotations": {"readOnlyHint": True}}
    yield from _rules(("mcp_*",), ASK, 50, (PLAN,), interactive=True, **reading)
    agents = regex_pattern(r'"agent_name":\s*"(codebase_investigator|cli_help)"')
    yield from _rules(("invoke_agent",), ALLOW, 50, (PLAN,), pattern=agents)
    yield from _rules(("ask_user", "web_fetch", "activate_skill"), ASK, 50, (PLAN,), interactive=True)
    for path in _PLANS:
        pattern = regex_pattern(rf'\x00"file_path":"{path}"\x00')
        yield from _rules(("write_file", "replace"), ALLOW, 70, (PLAN,), pattern=pattern)
    yield from _rules(("write_file", "replace"), DENY, 65, (PLAN,))


def _rules(
    tools: Iterable[str], decision: str, priority: int, modes: tuple[str, ...] = (), **more: Any
) -> Iterator[CompiledRule]:
    for tool in tools:
        who = f"Gemini CLI itself: {decision} {tool}"
        made = CompiledRule(tool, decision, 1 + priority / 1000, who, modes=frozenset(modes))
        yield made.replace(**{"annotations": EMPTY, **more})
