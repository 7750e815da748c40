"""What Claude Code takes in a plugin's manifest, as data. Any misfit makes it refuse the whole plugin.

Found by running `claude plugin validate` of the version below on a manifest with every field in every wrong shape. Keys
that the shape does not name are ignored. Hooks are not here: Claude Code reads them entry by entry (`hook_shape`).
"""

from __future__ import annotations

import re
import unicodedata

from pisces.formats.fit import ANYTHING, FLAG, NUMBER, TABLE, TEXT, Either, Listed, Mapped, Plain, Record, Such, one_of
from pisces.formats.js_url import is_url

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VERSION = "2.1.325"  # of Claude Code, whose verdicts these are

_DIRECTIONS = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_DEPENDENCY = re.compile(r"[A-Za-z0-9][-A-Za-z0-9._]*(?:@[A-Za-z0-9][-A-Za-z0-9._]*)?(?:@\^[^@]*)?")
_PLAIN_NAME = re.compile(r"[A-Za-z0-9][-A-Za-z0-9._]*")
_OPTION_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def has_controls(text: str) -> bool:
    """Whether it has control characters, or marks that change the direction of writing."""
    return any(unicodedata.category(each) == "Cc" or each in _DIRECTIONS for each in text)


def url_flaw(text: str) -> str:
    return "" if is_url(text) else "must be an address, such as `https://example.com`"


def name_flaw(name: str) -> str:
    if not name:
        return "must not be empty"
    if " " in name:
        return "must not have a blank in it"
    return "must not have control characters in it" if has_controls(name) else ""


def _not_empty(text: str) -> str:
    return "" if text else "must not be empty"


def _starts(text: str) -> str:
    return "" if text.startswith("./") else "must begin with `./`"


def _ends(*suffixes: str) -> Plain:
    words = " or ".join(f"`{suffix}`" for suffix in suffixes)
    return TEXT.that(lambda text: _starts(text) or ("" if text.endswith(suffixes) else f"must end in {words}"))


def _bundle_flaw(text: str) -> str:
    if not text.endswith((".mcpb", ".dxt")):
        return "must end in `.mcpb` or `.dxt`"
    return "" if text.startswith("./") else url_flaw(text)


def _above_zero(number: float) -> str:
    return "" if number > 0 else "must be greater than 0"


def _count(number: float) -> str:
    return "" if number == number // 1 and number > 0 else "must be a whole number greater than 0"


def _matching(pattern: re.Pattern[str], message: str) -> Plain:
    return TEXT.that(lambda text: "" if pattern.fullmatch(text) else message)


def _one_or_more(shape: Any) -> Either:
    return Either((shape, Listed(shape)))


FILLED = TEXT.that(_not_empty)
URL = TEXT.that(url_flaw)
PATH = TEXT.that(_starts)
JSON_PATH = _ends(".json")
ABOVE_ZERO = NUMBER.that(_above_zero)
_COUNT = NUMBER.that(_count)
_SKILL_PATH = TEXT.that(lambda text: "" if text == "." else _starts(text))
PERSON = Record({"name": FILLED}, {"email": TEXT, "url": TEXT})
_DEPENDENCY_NAME = _matching(_PLAIN_NAME, "must be the name of a plugin")
_DEPENDS = Either(
    (
        _matching(_DEPENDENCY, "must be the name of a plugin, with `@marketplace` if need be"),
        Record({"name": _DEPENDENCY_NAME}, {"marketplace": _DEPENDENCY_NAME}),
    )
)


def _command_flaw(command: dict[str, Any]) -> tuple[str, str] | None:
    one = bool(command.get("source")) != bool(command.get("content"))
    return None if one else ("", "needs either `source` or `content`")


_COMMAND = Such(
    Record(
        {},
        {
            "source": PATH,
            **dict.fromkeys(("content", "description", "argumentHint", "model"), TEXT),
            "allowedTools": Listed(TEXT),
        },
    ),
    _command_flaw,
)

_OAUTH = Record(
    {},
    {
        "clientId": TEXT,
        "callbackPort": _COUNT,
        "authServerMetadataUrl": TEXT.that(lambda text: "" if text.startswith("https://") else "must begin with https"),
        "scopes": FILLED,
        "xaa": FLAG,
    },
)
_OF_EVERY_SERVER = {"timeout": _COUNT, "alwaysLoad": FLAG, "bareElicitationCapability": FLAG}
_TOOL = Record({"name": TEXT}, {"permission_policy": one_of("always_allow", "always_ask", "always_deny")})
_PROGRAM = Record(
    {"command": FILLED}, {"type": one_of("stdio"), "args": Listed(TEXT), "env": Mapped(TEXT), **_OF_EVERY_SERVER}
)
_SOCKET_FIELDS = {"headers": Mapped(TEXT), "headersHelper": TEXT, **_OF_EVERY_SERVER}
_REMOTE_FIELDS = {
    **_SOCKET_FIELDS,
    "oauth": _OAUTH,
    "tools": Listed(_TOOL),
    "discoveryCache": FLAG,
    "toolPermissions": Mapped(one_of("allow", "ask", "blocked")),
}
_REMOTE = Record({"type": one_of("http", "streamable-http", "sse"), "url": TEXT}, _REMOTE_FIELDS)
_SOCKET = Record({"type": one_of("ws"), "url": TEXT}, _SOCKET_FIELDS)


def server_shape(config: Any) -> Any:
    """The shape for a server of its type, so that the message is about what the author meant."""
    kind = config.get("type") if isinstance(config, dict) else None
    if kind == "ws":
        return _SOCKET
    return _REMOTE if kind in ("http", "streamable-http", "sse") else _PROGRAM


SERVER = Either((_PROGRAM, _REMOTE, _SOCKET))
_SERVERS = Either((JSON_PATH, TEXT.that(_bundle_flaw), Mapped(SERVER)))


def _extension_flaw(languages: dict[str, Any]) -> tuple[str, str] | None:
    if not languages:
        return "", "needs at least one file name extension"
    wrong = [key for key in languages if len(key) < 2 or not key.startswith(".")]
    return (wrong[0], f"`{wrong[0]}` must begin with a dot") if wrong else None


def _program_flaw(command: str) -> str:
    if not command:
        return "must not be empty"
    return (
        "must be a program without arguments: they belong into `args`" if " " in command and command[0] != "/" else ""
    )


_LANGUAGE_SERVER = Record(
    {"command": TEXT.that(_program_flaw), "extensionToLanguage": Such(Mapped(FILLED), _extension_flaw)},
    {
        "args": Listed(FILLED),
        "transport": one_of("stdio", "socket"),
        "env": Mapped(TEXT),
        **dict.fromkeys(("initializationOptions", "settings"), ANYTHING),
        "workspaceFolder": TEXT,
        **dict.fromkeys(("startupTimeout", "shutdownTimeout", "requestTimeout"), _COUNT),
        **dict.fromkeys(("restartOnCrash", "diagnostics"), FLAG),
        "maxRestarts": NUMBER.that(lambda number: "" if number == number // 1 and number >= 0 else "must be 0 or more"),
    },
    closed=True,
)
LANGUAGE_SERVERS = Mapped(_LANGUAGE_SERVER)
_LANGUAGES = Either((JSON_PATH, LANGUAGE_SERVERS))


def _when_flaw(when: str) -> str:
    asked = when.startswith("on-skill-invoke:") and len(when) > len("on-skill-invoke:")
    return "" if when == "always" or asked else "must be `always` or `on-skill-invoke:SKILL`"


def _twice(monitors: list[dict[str, Any]]) -> tuple[str, str] | None:
    names = [each["name"] for each in monitors]
    return None if len(set(names)) == len(names) else ("", "names must differ")


_MONITOR = Record(
    {"name": FILLED, "command": FILLED, "description": FILLED}, {"when": TEXT.that(_when_flaw)}, closed=True
)
_MONITORS = Such(Listed(_MONITOR), _twice)


def _choice_flaw(text: str) -> str:
    if not 0 < len(text) <= 64 or text.strip() != text or has_controls(text):
        return "must be 1 to 64 visible characters without blanks at its ends"
    return ""


def _options_flaw(option: dict[str, Any]) -> tuple[str, str] | None:
    """What does not go together in an option that offers a choice."""
    choices = option.get("options")
    if choices is None:
        return None
    if not choices or len({each.lower() for each in choices}) != len(choices):
        return "options", "must have at least one value, and none twice"
    if option["type"] != "string" or option.get("multiple") or option.get("sensitive"):
        return "options", "is for a `string` alone that is neither `multiple` nor `sensitive`"
    if "default" not in option:
        return None if option.get("required") else ("", "needs a `default` among its `options`, or `required`")
    return None if option["default"] in choices else ("default", "must be one of the `options`")


_OPTION_FIELDS = Record(
    {"type": one_of("string", "number", "boolean", "directory", "file"), "title": TEXT, "description": TEXT},
    {
        **dict.fromkeys(("required", "multiple", "sensitive"), FLAG),
        "default": Either((TEXT, NUMBER, FLAG, Listed(TEXT))),
        "min": NUMBER,
        "max": NUMBER,
        "options": Listed(TEXT.that(_choice_flaw)),
    },
    closed=True,
)


def _keys_flaw(options: dict[str, Any]) -> tuple[str, str] | None:
    wrong = [key for key in options if not _OPTION_KEY.fullmatch(key)]
    return (wrong[0], "must be a word of letters, digits and `_`: it becomes a variable") if wrong else None


_OPTION = Such(_OPTION_FIELDS, _options_flaw)


def _types_flaw(path: str) -> str:
    inside = _starts(path) or ("" if path.endswith(".d.ts") else "must end in `.d.ts`")
    return inside or ("must stay in the plugin" if ".." in re.split(r"[\\/]", path) else "")


_STYLES = _one_or_more(PATH)
_EXPERIMENTAL = Record(
    {},
    {
        "themes": _STYLES,
        "outputStyles": _STYLES,
        "monitors": Either((JSON_PATH, _MONITORS)),
        "evals": _one_or_more(TEXT),
    },
)

FIELDS = {
    **dict.fromkeys("$schema displayName version description repository license".split(), TEXT),
    "name": TEXT.that(name_flaw),
    "author": PERSON,
    "homepage": URL,
    "keywords": Listed(TEXT),
    "defaultEnabled": FLAG,
    "dependencies": Listed(_DEPENDS),
    "metadata": ANYTHING,
    "engines": ANYTHING,
    "commands": Either((PATH, Listed(PATH), Mapped(_COMMAND))),
    "agents": _one_or_more(_ends(".md")),
    "skills": _one_or_more(_SKILL_PATH),
    **dict.fromkeys(("outputStyles", "themes", "workflows"), _STYLES),
    "channels": Listed(Record({"server": FILLED}, {"displayName": TEXT, "userConfig": Mapped(_OPTION)}, closed=True)),
    "mcpServers": Either((*_SERVERS.shapes, Listed(_SERVERS))),
    "lspServers": Either((*_LANGUAGES.shapes, Listed(_LANGUAGES))),
    "monitors": Either((JSON_PATH, _MONITORS)),
    "settings": TABLE,
    "types": TEXT.that(_types_flaw),
    "userConfig": Such(Mapped(_OPTION), _keys_flaw),
    "binaries": ANYTHING,
    "experimental": Either((_EXPERIMENTAL, Plain("an object", lambda value: not isinstance(value, dict)))),
    "hooks": ANYTHING,
}
MANIFEST_SHAPE = Record({"name": FIELDS["name"]}, {key: shape for key, shape in FIELDS.items() if key != "name"})
# Of `claude plugin validate`, which knows them for its directory of plugins.
LISTING_FIELDS = ("icon", "category", "tags")
