"""What OpenCode (1.18.33) takes in a configuration file and in a header: another value there stops the program.

Keys that it does not know are passed over.
"""

from __future__ import annotations

from pisces.formats.fit import (
    ANYTHING,
    FLAG,
    NUMBER,
    TABLE,
    TEXT,
    WHOLE,
    Both,
    Either,
    Listed,
    Mapped,
    Plain,
    Record,
    one_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAMED_COLOURS = ("primary", "secondary", "accent", "success", "warning", "error", "info")


def _some(**fields: Any) -> Record:
    return Record({}, fields)


def _not_above_zero(value: float) -> str:
    return "" if value > 0 else "must be above 0"


def _no_colour(text: str) -> str:
    is_number = len(text) == len("#rrggbb") and text[0] == "#" and not text[1:].strip("0123456789abcdefABCDEF")
    return "" if is_number or text in _NAMED_COLOURS else f"must be `#rrggbb` or one of {', '.join(_NAMED_COLOURS)}"


_TEXTS = Listed(TEXT)
_COUNT = WHOLE.that(_not_above_zero)
_FALSE = Plain("false", lambda value: value is False)
_ACTION = one_of("ask", "allow", "deny")
_RULE = Either((_ACTION, Mapped(_ACTION)))
_WITHOUT_PATTERNS = dict.fromkeys(("todowrite", "question", "webfetch", "websearch", "doom_loop"), _ACTION)
_PERMISSIONS = Either((_ACTION, Both((Mapped(_RULE), Record({}, _WITHOUT_PATTERNS)))))

AGENT = _some(
    model=TEXT,
    variant=TEXT,
    temperature=NUMBER,
    top_p=NUMBER,
    prompt=TEXT,
    tools=Mapped(FLAG),
    disable=FLAG,
    description=TEXT,
    mode=one_of("subagent", "primary", "all"),
    hidden=FLAG,
    options=TABLE,
    color=TEXT.that(_no_colour),
    steps=_COUNT,
    maxSteps=_COUNT,
    permission=_PERMISSIONS,
)
COMMAND = _some(description=TEXT, agent=TEXT, model=TEXT, variant=TEXT, subtask=FLAG)

_COMMANDS = Mapped(Both((Record({"template": TEXT}), COMMAND)))
_SWITCH = Record({"enabled": FLAG})
_LOCAL = Record(
    {"type": one_of("local"), "command": _TEXTS},
    {"cwd": TEXT, "environment": Mapped(TEXT), "enabled": FLAG, "timeout": _COUNT},
)
_OAUTH = _some(clientId=TEXT, clientSecret=TEXT, scope=TEXT, redirectUri=TEXT)
_REMOTE = Record(
    {"type": one_of("remote"), "url": TEXT},
    {"headers": Mapped(TEXT), "oauth": Either((_OAUTH, _FALSE)), "enabled": FLAG, "timeout": _COUNT},
)
_MODES = Mapped(AGENT)
_PLUGIN = Either((TEXT, Listed(ANYTHING)))
_FORMATTER = _some(disabled=FLAG, command=_TEXTS, environment=Mapped(TEXT), extensions=_TEXTS)
_NO_LSP = Record({"disabled": Plain("true", lambda value: value is True)})
_LSP = Record({"command": _TEXTS}, {"extensions": _TEXTS, "disabled": FLAG, "env": Mapped(TEXT)})
_PROVIDER = _some(
    name=TEXT, npm=TEXT, env=_TEXTS, whitelist=_TEXTS, blacklist=_TEXTS, models=Mapped(TABLE), options=TABLE
)
_REFERENCE = Either((TEXT, Record({"path": TEXT}), Record({"repository": TEXT})))
_EXPERIMENTAL = _some(
    batch_tool=FLAG,
    openTelemetry=FLAG,
    primary_tools=_TEXTS,
    continue_loop_on_deny=FLAG,
    mcp_timeout=_COUNT,
    disable_paste_summary=FLAG,
)

_TOP = {"$schema": TEXT} | dict.fromkeys(("shell", "model", "small_model", "default_agent", "username"), TEXT)
CONFIG = Record(
    {},
    {
        **_TOP,
        "logLevel": one_of("DEBUG", "INFO", "WARN", "ERROR"),
        "server": _some(port=_COUNT, hostname=TEXT, mdns=FLAG, cors=_TEXTS),
        "command": _COMMANDS,
        "skills": Either((_some(paths=_TEXTS, urls=_TEXTS), Listed(TEXT))),
        "references": Mapped(_REFERENCE),
        "reference": Mapped(_REFERENCE),
        "watcher": _some(ignore=_TEXTS),
        "snapshot": FLAG,
        "plugin": Listed(_PLUGIN),
        "share": one_of("manual", "auto", "disabled"),
        "autoshare": FLAG,
        "autoupdate": Either((FLAG, one_of("notify"))),
        "disabled_providers": _TEXTS,
        "enabled_providers": _TEXTS,
        "subagent_depth": WHOLE.that(lambda value: "" if value >= 0 else "must not be below 0"),
        "mode": _MODES,
        "agent": _MODES,
        "provider": Mapped(_PROVIDER),
        "mcp": Mapped(Either((_LOCAL, _REMOTE, _SWITCH))),
        "formatter": Either((FLAG, Mapped(_FORMATTER))),
        "lsp": Either((FLAG, Mapped(Either((_NO_LSP, _LSP))))),
        "instructions": _TEXTS,
        "layout": one_of("auto", "stretch"),
        "permission": _PERMISSIONS,
        "tools": Mapped(FLAG),
        "enterprise": _some(url=TEXT),
        "compaction": _some(auto=FLAG, prune=FLAG, reserved=NUMBER),
        "experimental": _EXPERIMENTAL,
        "attachment": _some(image=TABLE),
        "tool_output": _some(max_lines=NUMBER, max_bytes=NUMBER),
    },
)
