"""Text without what may be a secret: what is shown is passed on. The name of a secret stays, its value does not.

`no_secrets` does the same for configuration that is still in its parts.

Addresses lose the part before `@`; options, variables, headers, fields and parameters that are named like a secret lose
their values; and so does whatever begins like a known kind of key. What a message says of a token in words stays.

A quick look comes first, and the patterns are loaded where it finds something: most texts have nothing to hide.
"""

from __future__ import annotations

from pisces.by_name import export_of

HIDDEN = "•••"

# What a text must have, in lower case, for a pattern to find anything.
NAMES = (
    *("token", "secret", "passw", "passphrase", "sshpass", "_pass", "-pass", "_pwd", "-pwd", "apikey", "accesskey"),
    *("privatekey", "_key", "-key", "?key", "&key", "?sig", "&sig", "signature", "_pat", "-pat", "credential", "auth"),
)
STARTS = (
    *("sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "xapp-", "akia", "asia", "aiza"),
    *("ya29.", "hf_", "npm_", "pypi-", "k_live_", "k_test_", "whsec_", "shpat_", "dop_v1_", "sg.", "age-secret", "eyj"),
)
ADDRESSES = ("://",)
BLOCKS = ("private key-----",)
CREDENTIALS = ("authorization", "cookie")
USERS = ("-u", "--proxy-user")
BEARERS = ("bearer",)
WEBHOOKS = ("hooks.slack.com", "/api/webhooks/", "telegram.org/bot")
PROGRAMS = ("sshpass", "mysql", "docker", "pass:")
RUN = ("$(", "`", "<(", ">(")  # a shell runs what follows, also in quotes
_OF_LINES = (*RUN, "|", ";", "&", "<", ">", "\n", "$", "./", "~/")
_HINTS = tuple(
    dict.fromkeys(
        (*NAMES, *STARTS, *ADDRESSES, *BLOCKS, *CREDENTIALS, *USERS, *BEARERS, *WEBHOOKS, *PROGRAMS),
    )
)


def masked(text: str) -> str:
    """The same text without secrets."""
    return _without(text, RUN)


def masked_line(text: str) -> str:
    """A line that would run, without secrets, for whoever decides about it: nothing that may be code is hidden."""
    return _without(text, _OF_LINES)


def _without(text: str, shown: tuple[str, ...]) -> str:
    lower = text.lower()
    present = {hint for hint in _HINTS if hint in lower}
    if not present:
        return text
    without: str = export_of("pisces.formats", "secret_patterns", "without_matches")(text, present, shown)
    return without


def may_need_masking(text: str) -> bool:
    """Quick: False means that `masked` changes nothing."""
    lower = text.lower()
    for hint in _HINTS:  # noqa: SIM110  # half the time of `any`
        if hint in lower:
            return True
    return False
