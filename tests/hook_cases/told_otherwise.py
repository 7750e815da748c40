"""Recorded cases in which the model cannot be told what the real program told it, by the reason."""

from __future__ import annotations

from collections.abc import Mapping

_NOBODY_ASKED = "nobody could be asked: the program describes its own check of the command, or a mode of its own"
_OWN_OUTPUT = "the output of a tool of the program, which the embedding program brings itself"
_NOT_OFFERED = "the program does not offer a denied tool, says that there is none and guesses names; here it is denied"
_SANDBOX = "the error of the program's own sandbox, which the commands of these cases do not run in"

REASONS: Mapping[tuple[str, str], str] = {
    ("claude", "ev-PermissionRequest-exit2-headless"): _NOBODY_ASKED,
    ("claude", "perm-dontAsk-unlisted"): _NOBODY_ASKED,
    ("claude", "fm-plugin-agent"): _OWN_OUTPUT,
    ("claude", "pre-in-subagent"): _OWN_OUTPUT,
    ("claude", "perm-web-allow-domain"): _OWN_OUTPUT,
    ("codex", "host-plain-readonly"): _SANDBOX,
    ("gemini", "allow-shell"): _NOT_OFFERED,
    ("gemini", "policy-deny-hook-allow"): _NOT_OFFERED,
}
