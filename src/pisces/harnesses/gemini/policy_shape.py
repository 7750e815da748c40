"""A policy file as shapes. One misfit drops the whole file, as in Gemini CLI."""

from __future__ import annotations

from pisces.formats.fit import ANYTHING, FLAG, TABLE, TEXT, WHOLE, Either, Listed, Mapped, Record, one_of


def _in_tier(priority: float) -> str:
    if priority < 0:
        return "must not be below 0"
    return "" if priority <= 999 else "must not be above 999, that would be the next tier"


_NAMES = Either((TEXT, Listed(TEXT)))
_MODES = Listed(one_of("default", "autoEdit", "yolo", "plan"))
_PATTERNS = {"argsPattern": TEXT, "commandPrefix": _NAMES, "commandRegex": TEXT}

RULE = Record(
    {"toolName": _NAMES, "decision": one_of("allow", "deny", "ask_user"), "priority": WHOLE.that(_in_tier)},
    {
        **_PATTERNS,
        **dict.fromkeys(("subagent", "mcpName", "denyMessage", "deny_message"), TEXT),
        **dict.fromkeys(("interactive", "allowRedirection", "allow_redirection"), FLAG),
        "modes": _MODES,
        "toolAnnotations": TABLE,
    },
)
_CHECKER_FIELDS = {"required_context": Listed(TEXT), "config": Mapped(ANYTHING)}
CHECKER = Record(
    {
        "toolName": _NAMES,
        "checker": Either(
            (
                Record({"type": one_of("in-process"), "name": one_of("allowed-path", "conseca")}, _CHECKER_FIELDS),
                Record({"type": one_of("external"), "name": TEXT}, _CHECKER_FIELDS),
            )
        ),
    },
    {**_PATTERNS, "mcpName": TEXT, "priority": WHOLE, "modes": _MODES, "toolAnnotations": TABLE},
)
POLICY_FILE = Record({}, {"rule": Listed(RULE), "safety_checker": Listed(CHECKER)})
