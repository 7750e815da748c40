"""npm and pip as children while a pin is made: the user's own configuration of them counts, that of a project does not.

They run in a folder of their own, and no script of a package runs.
"""

from __future__ import annotations

import os
import re
import shutil

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.formats.masking import masked
from pisces.processes.environment import passed_on
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from pisces.places import Places

SERVER_NOT_PINNED = Rule("server-not-pinned", ERROR, "An MCP server cannot be pinned to an exact version")

_CONFIGURES = re.compile(
    r"(?:npm_config_|pip_|uv_(?:default_index|index)|node_extra_ca_certs$|requests_ca_bundle$|(?:https?|all|no)_proxy$)",
    re.IGNORECASE,
)
_SECONDS = 600
_MOST_OUTPUT = 64 << 20
_MOST_SAID = 600  # characters


def tool_output(argv: tuple[str, ...], folder: str, places: Places, more: Mapping[str, str]) -> str:
    """What a tool printed. Raises `PiscesError` with what it said where it fails."""
    program = shutil.which(argv[0], path=passed_on(places.env).get("PATH", "")) if os.sep not in argv[0] else argv[0]
    if not program:
        hint = f"install `{argv[0]}`, or write an exact version into the entry"
        raise not_pinned(f"`{argv[0]}` is not installed", hint)
    env = {**passed_on(places.env), **configuration_in(places.env), **more}
    launch = Launch((program, *argv[1:]), folder, env, Limits(seconds=_SECONDS, output=_MOST_OUTPUT))
    out, err, ended = captured(launch)
    if ended.code != 0:
        said = masked((err or out).decode("utf-8", "replace").strip()[-_MOST_SAID:])
        raise not_pinned(f"`{os.path.basename(argv[0])}` failed: {said or ended.reason or ended.failure}")
    return out.decode("utf-8", "replace")


def configuration_in(env: Mapping[str, str]) -> dict[str, str]:
    """What configures npm, pip and uv: which registry, which certificates, which proxy."""
    return {name: value for name, value in env.items() if _CONFIGURES.match(name)}


def not_pinned(message: str, hint: str = "") -> PiscesError:
    return PiscesError(SERVER_NOT_PINNED.at("", message, hint=hint))
